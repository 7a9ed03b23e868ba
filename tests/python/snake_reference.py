"""Snake, played from the words of the prompt.

An independent second reference: written from the prompt's text, for every reading of the rules, and in another way than the
solutions that the engine prints. Reads one JSON object a line, {"rules": {...}, "inputs": [[w, h, body, d, foods, cmds], ...]},
and answers each with one line, the list of results.

Rules: keys_turn, reverse_kills, wraps, tail_bites, grows_by_value, hunger (ticks or null), toll, portal (two cells or null),
streak (ticks or null), stones.
"""

import json
import sys
from collections import deque

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
RIGHT_OF = {"U": "R", "R": "D", "D": "L", "L": "U"}


class Death(Exception):
    """The snake dies; the argument is the cause."""


class Game:
    """One game under way."""

    def __init__(self, rules, w, h, body, d, foods):
        self.rules, self.w, self.h = rules, w, h
        self.snake = deque((r, c) for r, c in body)
        self.heading = d
        self.waiting = deque(((r, c), v) for r, c, v in foods)
        self.score = self.growth = self.hunger = self.tick = 0
        self.meals = []

    def play_tick(self, key):
        """Steps a to f of the prompt."""
        self.tick += 1
        self.turn(key)
        target = self.look()
        self.bite(target)
        self.move(target)
        self.live(self.eat(target))

    def turn(self, key):
        asked = key
        if self.rules["keys_turn"]:
            right = RIGHT_OF[self.heading]
            asked = {
                "U": self.heading,
                "R": right,
                "L": OPPOSITE[right],
                "D": OPPOSITE[self.heading],
            }[key]
        if asked != OPPOSITE[self.heading]:
            self.heading = asked
        elif self.rules["reverse_kills"]:
            raise Death("reverse")

    def look(self):
        row, column = map(sum, zip(self.snake[0], STEPS[self.heading]))
        if self.rules["wraps"]:
            row, column = row % self.h, column % self.w
        elif row not in range(self.h) or column not in range(self.w):
            raise Death("wall")
        if self.rules["portal"]:
            first, second = map(tuple, self.rules["portal"])
            row, column = {first: second, second: first}.get((row, column), (row, column))
        if self.rules["stones"] and (row, column) in [cell for cell, _ in self.meals]:
            raise Death("stone")
        return row, column

    def bite(self, target):
        cells = list(self.snake)
        leaves = self.growth == 0
        if leaves and not self.rules["tail_bites"]:
            del cells[-1]
        if target in cells:
            raise Death("self")

    def move(self, target):
        self.snake.appendleft(target)
        if self.growth > 0:
            self.growth -= 1
        else:
            self.snake.pop()

    def eat(self, target):
        if not self.waiting or self.waiting[0][0] != target:
            return False
        _, value = self.waiting.popleft()
        streak = self.rules["streak"]
        soon = streak is not None and self.meals and self.tick - self.meals[-1][1] <= streak
        self.score += value + (value if soon else 0)
        self.growth += value if self.rules["grows_by_value"] else 1
        self.meals.append((target, self.tick))
        return True

    def live(self, ate):
        if self.rules["hunger"] is None:
            return
        self.hunger = 0 if ate else self.hunger + 1
        if self.hunger < self.rules["hunger"]:
            return
        self.hunger = 0
        if self.rules["toll"] and self.score > 0:
            self.score -= 1
        if len(self.snake) == 2:
            raise Death("starved")
        self.snake.pop()


def snake(rules, w, h, body, d, foods, cmds):
    """The result of one game."""
    game = Game(rules, w, h, body, d, foods)
    cause = "done"
    try:
        for key in cmds:
            game.play_tick(key)
    except Death as death:
        cause = death.args[0]
    return [game.tick, len(game.snake), game.score, list(game.snake[0]), cause]


def main():
    for line in sys.stdin:
        case = json.loads(line)
        print(json.dumps([snake(case["rules"], *arguments) for arguments in case["inputs"]]))


if __name__ == "__main__":
    main()
