"""A second reading of the painter prompt: one interpreter for all rules, written apart from the Rust one.

One JSON request a line: {"rules": [name, ...], "mixed": {"RY": "O", ...}, "wet": 2, "tank": 20,
"inputs": [[h, w, ops], ...]}. One JSON answer a line: the list of pictures.
"""

import json
import sys


class Canvas:
    def __init__(self, height, width, request):
        self.height = height
        self.width = width
        self.rules = set(request["rules"])
        self.wet_for = request["wet"]
        self.stock = dict.fromkeys("RYBW", request["tank"])
        self.mixtures = {frozenset(pair): result for pair, result in request["mixed"].items()}
        self.colours = {}  # (row, column) -> letter; bare cells are absent
        self.age = {}  # (row, column) -> commands since it was last painted
        self.taped = []

    def on_canvas(self, cell):
        row, column = cell
        return row in range(self.height) and column in range(self.width)

    def extent(self, start, size, length):
        """The rows (or columns) that a size stands for, in ascending order."""
        if size > 0:
            return [start + i for i in range(size)]
        if size < 0 and "back" in self.rules:
            return sorted(start - i for i in range(-size))
        if size == 0 and "zero" in self.rules:
            return [i for i in range(length) if i >= start]
        return []

    def rect_cells(self, row, column, tall, wide):
        rows = self.extent(row, tall, self.height)
        columns = self.extent(column, wide, self.width)
        if "hollow" in self.rules and rows and columns:
            frame = set()
            for y in rows:
                frame.add((y, columns[0]))
                frame.add((y, columns[-1]))
            for x in columns:
                frame.add((rows[0], x))
                frame.add((rows[-1], x))
            return frame
        return {(y, x) for x in columns for y in rows}

    def line_cells(self, row, column, direction, length):
        if "steps" in self.rules:
            length += 1
        cells = set()
        while length > 0:
            cells.add((row, column))
            row += (direction == "down") - (direction == "up")
            column += (direction == "right") - (direction == "left")
            length -= 1
        return cells

    def fill_cells(self, row, column):
        wanted = self.colours.get((row, column))
        found = set()
        frontier = {(row, column)}
        while frontier:
            found |= frontier
            around = set()
            for y, x in frontier:
                around |= {(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)}
                if "corners" in self.rules:
                    around |= {(y - 1, x - 1), (y - 1, x + 1), (y + 1, x - 1), (y + 1, x + 1)}
            frontier = {
                cell
                for cell in around - found
                if self.on_canvas(cell) and self.colours.get(cell) == wanted
            }
        return found

    def landed(self, cells):
        """Where the cells of a rect or line come to lie."""
        if "wrap" not in self.rules:
            return {cell for cell in cells if self.on_canvas(cell)}
        result = set()
        for row, column in cells:
            while row < 0:
                row += self.height
            while column < 0:
                column += self.width
            while row >= self.height:
                row -= self.height
            while column >= self.width:
                column -= self.width
            result.add((row, column))
        return result

    def outcome(self, cell, paint):
        """The colour that the cell takes, or None if the paint does not stick."""
        old = self.colours.get(cell)
        if old is None or old == paint or "mix" not in self.rules:
            return paint
        if "dry" in self.rules and self.age[cell] > self.wet_for:
            return paint
        mixture = self.mixtures.get(frozenset((old, paint)))
        if mixture is not None:
            return mixture
        return None if "mud" in self.rules else paint

    def put(self, cells, paint):
        for cell in sorted(cells):
            if cell in self.taped:
                continue
            colour = self.outcome(cell, paint)
            if colour is None:
                continue
            if "tank" in self.rules:
                if self.stock[paint] < 1:
                    return
                self.stock[paint] -= 1
            self.colours[cell] = colour
            self.age[cell] = 0

    def flipped(self, cell):
        return cell[0], self.width - 1 - cell[1]

    def carry_out(self, command):
        for cell in self.age:
            self.age[cell] += 1
        name, *rest = command
        if name == "rect":
            *where, paint = rest
            self.put(self.landed(self.rect_cells(*where)), paint)
        elif name == "line":
            *where, paint = rest
            self.put(self.landed(self.line_cells(*where)), paint)
        elif name == "fill":
            *where, paint = rest
            self.put(self.fill_cells(*where), paint)
        elif name == "tape":
            cell = tuple(rest)
            if cell not in self.taped:
                self.taped.append(cell)
            elif "toggle" in self.rules:
                self.taped.remove(cell)
        elif name == "mirror":
            self.colours = {self.flipped(cell): colour for cell, colour in self.colours.items()}
            self.age = {self.flipped(cell): age for cell, age in self.age.items()}
            if "tape-moves" in self.rules:
                self.taped = [self.flipped(cell) for cell in self.taped]
        else:
            raise ValueError(name)

    def picture(self):
        rows = []
        for row in range(self.height):
            rows.append("".join(self.colours.get((row, x), ".") for x in range(self.width)))
        return rows


def without_undos(ops, rules):
    """Works through the undos from the first on, each time with the list as it then is."""
    ops = list(ops)
    while ["undo"] in ops:
        place = ops.index(["undo"])
        del ops[place]
        earlier = [
            i
            for i in range(place)
            if "undo-paint" not in rules or ops[i][0] in ("rect", "line", "fill")
        ]
        if earlier:
            del ops[max(earlier)]
    return ops


def paint(height, width, ops, request):
    canvas = Canvas(height, width, request)
    for command in without_undos(ops, request["rules"]):
        canvas.carry_out(command)
    return canvas.picture()


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps([paint(*arguments, request) for arguments in request["inputs"]]))
