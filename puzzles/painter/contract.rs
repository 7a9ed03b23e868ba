//! What every call keeps to: the figures that the prompt promises and that every hidden input is checked against.

use super::ops::{Command, Dir, Op, PAINTS};
use super::rules::{Rule, Rules};
use crate::rng::Stream;

/// The limits of the inputs of one painter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contract {
    /// The commands that may occur.
    pub commands: &'static [Command],
    /// The least and the greatest height and width.
    pub side: (i32, i32),
    /// The greatest number of commands.
    pub max_ops: usize,
    /// Whether a rect or a line may run off the canvas.
    pub runs_off: bool,
    /// Whether a size may be negative.
    pub negative: bool,
    /// Whether a size may be 0.
    pub zero: bool,
    /// Whether a line covers one cell more than its `n`.
    pub steps: bool,
}

impl Contract {
    /// The limits under these rules: a shape that only a rule explains does not occur without the rule.
    #[must_use]
    pub fn new(
        commands: &'static [Command],
        side: (i32, i32),
        max_ops: usize,
        rules: &Rules,
    ) -> Self {
        Self {
            commands,
            side,
            max_ops,
            runs_off: rules.has(Rule::Wrap),
            negative: rules.has(Rule::Back),
            zero: rules.has(Rule::Zero),
            steps: rules.has(Rule::Steps),
        }
    }

    /// Whether a call keeps to the limits.
    #[must_use]
    pub fn admits(&self, h: i32, w: i32, ops: &[Op]) -> bool {
        let sides = self.side.0..=self.side.1;
        sides.contains(&h)
            && sides.contains(&w)
            && (1..=self.max_ops).contains(&ops.len())
            && ops.iter().all(|op| self.admits_op(h, w, *op))
    }

    /// Whether a command keeps to the limits.
    #[must_use]
    pub fn admits_op(&self, h: i32, w: i32, op: Op) -> bool {
        let start = |r: i32, c: i32| (0..h).contains(&r) && (0..w).contains(&c);
        self.commands.contains(&op.command())
            && match op {
                Op::Rect { r, c, hh, ww, col } => {
                    start(r, c)
                        && self.admits_size(r, hh, h)
                        && self.admits_size(c, ww, w)
                        && PAINTS.contains(&col)
                }
                Op::Line { r, c, dir, n, col } => {
                    let (dy, dx) = dir.step();
                    let cells = n + i32::from(self.steps);
                    let last = (r + dy * (cells - 1), c + dx * (cells - 1));
                    start(r, c)
                        && n >= 1
                        && cells <= if dy == 0 { w } else { h }
                        && (self.runs_off || start(last.0, last.1))
                        && PAINTS.contains(&col)
                }
                Op::Fill { r, c, col } => start(r, c) && PAINTS.contains(&col),
                Op::Tape { r, c } => start(r, c),
                Op::Mirror | Op::Undo => true,
            }
    }

    /// Whether a size that starts at `from` may stand on a side of `end` cells.
    fn admits_size(&self, from: i32, size: i32, end: i32) -> bool {
        match size {
            0 => self.zero,
            1.. => size <= end && (self.runs_off || from + size <= end),
            _ => self.negative && -size <= end && (self.runs_off || from + size + 1 >= 0),
        }
    }

    /// A random height and width, never the same: code that takes one for the other must show.
    #[must_use]
    pub fn draw_sides(&self, rng: &mut Stream) -> (i32, i32) {
        let (low, high) = self.side;
        let h = draw(rng, low, high);
        let w = draw(rng, low, high - 1);
        (h, if w >= h { w + 1 } else { w })
    }

    /// A random command that keeps to the limits.
    #[must_use]
    pub fn draw_op(&self, h: i32, w: i32, rng: &mut Stream) -> Op {
        self.draw_command(self.commands[rng.index(self.commands.len())], h, w, rng)
    }

    /// A random command of one kind that keeps to the limits.
    #[must_use]
    pub fn draw_command(&self, command: Command, h: i32, w: i32, rng: &mut Stream) -> Op {
        match command {
            Command::Rect => self.draw_rect(h, w, rng),
            Command::Line => self.draw_line(h, w, rng),
            Command::Fill => {
                let (r, c) = draw_cell(h, w, rng);
                Op::Fill { r, c, col: draw_paint(rng) }
            }
            Command::Tape => {
                let (r, c) = draw_cell(h, w, rng);
                Op::Tape { r, c }
            }
            Command::Mirror => Op::Mirror,
            Command::Undo => Op::Undo,
        }
    }

    /// A random rect that keeps to the limits.
    #[must_use]
    pub fn draw_rect(&self, h: i32, w: i32, rng: &mut Stream) -> Op {
        let (r, c) = draw_cell(h, w, rng);
        let (hh, ww) = (self.draw_size(r, h, rng), self.draw_size(c, w, rng));
        Op::rect(r, c, hh, ww, draw_paint(rng))
    }

    /// A random line that keeps to the limits.
    #[must_use]
    pub fn draw_line(&self, h: i32, w: i32, rng: &mut Stream) -> Op {
        let (r, c) = draw_cell(h, w, rng);
        let extra = i32::from(self.steps);
        let room = |dir: Dir| match dir {
            _ if self.runs_off && dir.step().0 != 0 => h,
            _ if self.runs_off => w,
            Dir::Up => r + 1,
            Dir::Down => h - r,
            Dir::Left => c + 1,
            Dir::Right => w - c,
        };
        let dirs: Vec<Dir> = Dir::ALL.into_iter().filter(|dir| room(*dir) > extra).collect();
        let dir = dirs[rng.index(dirs.len())];
        let n = draw(rng, 1, room(dir) - extra);
        Op::Line { r, c, dir, n, col: draw_paint(rng) }
    }

    /// A random size, mostly small: thin rects leave room for the others.
    fn draw_size(&self, from: i32, end: i32, rng: &mut Stream) -> i32 {
        if self.zero && rng.percent(10) {
            return 0;
        }
        let back = self.negative && rng.percent(30);
        let room = match back {
            _ if self.runs_off => end,
            true => from + 1,
            false => end - from,
        };
        let most = if rng.percent(40) { 2 } else { 5 };
        let size = draw(rng, 1, room.min(most));
        if back { -size } else { size }
    }
}

/// A random whole number in `low..=high`, both small.
#[must_use]
pub fn draw(rng: &mut Stream, low: i32, high: i32) -> i32 {
    let span = u32::try_from(high - low).unwrap_or(0);
    low + i32::try_from(rng.below(span + 1)).unwrap_or(0)
}

/// A random cell of the canvas.
#[must_use]
pub fn draw_cell(h: i32, w: i32, rng: &mut Stream) -> (i32, i32) {
    (draw(rng, 0, h - 1), draw(rng, 0, w - 1))
}

/// A random paint.
#[must_use]
pub fn draw_paint(rng: &mut Stream) -> u8 {
    PAINTS[rng.index(PAINTS.len())]
}
