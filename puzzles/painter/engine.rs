//! The reference interpreter: carries out commands one by one under a set of rules.

use super::ops::{BARE, Op, PAINTS};
use super::rules::{Rule, Rules};

/// One cell of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    colour: u8,
    taped: bool,
    /// The place of the command that last painted it, counted from 1 among those not struck out; 0 when bare.
    painted: u32,
}

const EMPTY: Cell = Cell { colour: BARE, taped: false, painted: 0 };

/// A painter at work: the canvas and all that later commands may depend on.
#[derive(Debug, Clone)]
pub struct Painter {
    rules: Rules,
    h: i32,
    w: i32,
    cells: Vec<Cell>,
    /// What is left in the tank of each paint.
    tanks: [u32; PAINTS.len()],
    /// The commands that are not struck out, without the undos.
    kept: Vec<Op>,
    /// Cells that commands have covered so far.
    work: u64,
}

/// The picture that a whole list makes.
#[must_use]
pub fn paint(h: i32, w: i32, ops: &[Op], rules: Rules) -> Painter {
    let mut painter = Painter::new(h, w, rules);
    for op in ops {
        painter.step(*op);
    }
    painter
}

impl Painter {
    /// A bare canvas of `h` rows and `w` columns.
    #[must_use]
    pub fn new(h: i32, w: i32, rules: Rules) -> Self {
        let cells = vec![EMPTY; usize::try_from(h * w).unwrap_or(0)];
        Self { rules, h, w, cells, tanks: [rules.tank; 4], kept: Vec::new(), work: 0 }
    }

    /// Carries out one command.
    pub fn step(&mut self, op: Op) {
        self.work += 1;
        if op == Op::Undo {
            self.undo();
            return;
        }
        self.kept.push(op);
        match op {
            Op::Rect { r, c, hh, ww, col } => {
                let covered = self.rect(r, c, hh, ww);
                self.cover(covered, col);
            }
            Op::Line { r, c, dir, n, col } => {
                let (dy, dx) = dir.step();
                let cells = if self.rules.has(Rule::Steps) { n + 1 } else { n };
                let covered =
                    (0..cells).filter_map(|i| self.place(r + dy * i, c + dx * i)).collect();
                self.cover(covered, col);
            }
            Op::Fill { r, c, col } => {
                let covered = self.region(r, c);
                self.cover(covered, col);
            }
            Op::Tape { r, c } => {
                let toggles = self.rules.has(Rule::Toggle);
                if let Some(at) = self.inside(r, c) {
                    let taped = &mut self.cells[at].taped;
                    *taped = !(toggles && *taped);
                }
            }
            Op::Mirror => self.mirror(),
            Op::Undo => {}
        }
    }

    /// The rows of the picture, from the top.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let width = usize::try_from(self.w).unwrap_or(1).max(1);
        self.cells
            .chunks(width)
            .map(|row| row.iter().map(|cell| char::from(cell.colour)).collect())
            .collect()
    }

    /// Whether two painters show the same picture.
    #[must_use]
    pub fn shows_same(&self, other: &Self) -> bool {
        self.cells.iter().map(|cell| cell.colour).eq(other.cells.iter().map(|cell| cell.colour))
    }

    /// Whether no cell has a colour.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.cells.iter().all(|cell| cell.colour == BARE)
    }

    /// Commands carried out and cells covered: how much there was to do.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// What is left in the tank of a paint.
    #[must_use]
    pub fn left(&self, paint: u8) -> u32 {
        tank(paint).map_or(0, |at| self.tanks[at])
    }

    /// The index of a cell, or nothing off the canvas.
    fn inside(&self, y: i32, x: i32) -> Option<usize> {
        ((0..self.h).contains(&y) && (0..self.w).contains(&x))
            .then(|| usize::try_from(y * self.w + x).unwrap_or(0))
    }

    /// Where a cell of a rect or a line lies.
    fn place(&self, y: i32, x: i32) -> Option<usize> {
        if self.rules.has(Rule::Wrap) {
            return self.inside(y.rem_euclid(self.h), x.rem_euclid(self.w));
        }
        self.inside(y, x)
    }

    /// The first and the last row (or column) of a size `n` that starts at `from`; the last before the first for nothing.
    fn span(&self, from: i32, n: i32, end: i32) -> (i32, i32) {
        if n == 0 && self.rules.has(Rule::Zero) {
            return (from, end - 1);
        }
        if n < 0 && self.rules.has(Rule::Back) {
            return (from + n + 1, from);
        }
        (from, from + n - 1)
    }

    fn rect(&self, r: i32, c: i32, hh: i32, ww: i32) -> Vec<usize> {
        let (top, bottom) = self.span(r, hh, self.h);
        let (left, right) = self.span(c, ww, self.w);
        let hollow = self.rules.has(Rule::Hollow);
        let mut covered = Vec::with_capacity(self.cells.len());
        for y in top..=bottom {
            for x in left..=right {
                let frame = y == top || y == bottom || x == left || x == right;
                if frame || !hollow {
                    covered.extend(self.place(y, x));
                }
            }
        }
        covered
    }

    /// The cells that are joined to (r, c) over cells of its colour.
    fn region(&self, r: i32, c: i32) -> Vec<usize> {
        let Some(start) = self.inside(r, c) else { return Vec::new() };
        let corners = self.rules.has(Rule::Corners);
        let colour = self.cells[start].colour;
        let mut seen = vec![false; self.cells.len()];
        let mut open = vec![(r, c)];
        let mut region = Vec::new();
        seen[start] = true;
        while let Some((y, x)) = open.pop() {
            region.extend(self.inside(y, x));
            for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
                if !corners && dy != 0 && dx != 0 {
                    continue;
                }
                if let Some(at) = self.inside(y + dy, x + dx)
                    && !seen[at]
                    && self.cells[at].colour == colour
                {
                    seen[at] = true;
                    open.push((y + dy, x + dx));
                }
            }
        }
        region
    }

    /// Paints cells, in the order of the canvas.
    fn cover(&mut self, mut covered: Vec<usize>, col: u8) {
        covered.sort_unstable();
        self.work += covered.len() as u64;
        let limited = self.rules.has(Rule::Tank);
        let now = u32::try_from(self.kept.len()).unwrap_or(u32::MAX);
        for at in covered {
            let cell = self.cells[at];
            if cell.taped {
                continue;
            }
            let Some(colour) = self.blend(cell, col, now) else { continue };
            if limited && let Some(tank) = tank(col) {
                if self.tanks[tank] == 0 {
                    return;
                }
                self.tanks[tank] -= 1;
            }
            self.cells[at] = Cell { colour, taped: false, painted: now };
        }
    }

    /// The colour that paint gives a cell, or nothing when it does not take.
    fn blend(&self, cell: Cell, col: u8, now: u32) -> Option<u8> {
        let plain = !self.rules.has(Rule::Mix) || cell.colour == BARE || cell.colour == col;
        if plain || (self.rules.has(Rule::Dry) && now > cell.painted + self.rules.wet) {
            return Some(col);
        }
        let otherwise = (!self.rules.has(Rule::Mud)).then_some(col);
        self.rules.mixture(cell.colour, col).or(otherwise)
    }

    fn mirror(&mut self) {
        let moves = self.rules.has(Rule::TapeMoves);
        for row in self.cells.chunks_mut(usize::try_from(self.w).unwrap_or(1).max(1)) {
            let tape: Vec<bool> = row.iter().map(|cell| cell.taped).collect();
            row.reverse();
            if !moves {
                for (cell, taped) in row.iter_mut().zip(tape) {
                    cell.taped = taped;
                }
            }
        }
    }

    /// Strikes out a command: all goes as if it had never been in the list.
    fn undo(&mut self) {
        let painting = self.rules.has(Rule::UndoPaint);
        let Some(at) = self.kept.iter().rposition(|op| op.paints() || !painting) else { return };
        let mut kept = std::mem::take(&mut self.kept);
        kept.remove(at);
        self.cells.fill(EMPTY);
        self.tanks = [self.rules.tank; 4];
        for op in kept {
            self.step(op);
        }
    }
}

fn tank(paint: u8) -> Option<usize> {
    PAINTS.iter().position(|other| *other == paint)
}
