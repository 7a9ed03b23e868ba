//! The level table of the cups: how long a row and its list are, and which moves a task has. `draw.rs` draws by it.

use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Cups in a row.
    pub(super) cups: usize,
    /// Moves in a list; see [`Dial::moves`].
    moves: usize,
    /// How many of rotate, reverse and cycle a task has, besides the two swaps.
    pub(super) shifts: usize,
    /// How many of undo and choice a task has.
    pub(super) turns: usize,
    /// How often every third move is done mirrored.
    pub(super) mirror_percent: u32,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }

    /// Moves in a list. A mirrored move is about twice the work of a plain one, so a list with mirrored moves is a third
    /// shorter: a level is as hard under either reading. Eight moves hold every kind.
    pub(super) fn moves(&self, mirror: bool) -> usize {
        if mirror { (self.moves * 2 / 3).max(8) } else { self.moves }
    }
}

/// Level 1 to 9. Rows and lists of the odd levels are the measured ones, the even levels lie between them.
static LEVELS: [Dial; 9] = [
    dial(5, 4, 1, 0, 0),
    dial(5, 6, 2, 0, 0),
    dial(6, 8, 3, 0, 0),
    dial(6, 10, 3, 1, 0),
    dial(7, 12, 3, 2, 50),
    dial(7, 16, 3, 2, 50),
    dial(8, 20, 3, 2, 50),
    dial(8, 28, 3, 2, 50),
    dial(9, 36, 3, 2, 50),
];

const fn dial(cups: usize, moves: usize, shifts: usize, turns: usize, mirror_percent: u32) -> Dial {
    Dial { cups, moves, shifts, turns, mirror_percent }
}
