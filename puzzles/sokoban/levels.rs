//! The level table of sokoban. `draw.rs` draws by it.

use crate::puzzles::{Level, TARGETS};

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Columns and rows of the room.
    pub(super) width: usize,
    pub(super) height: usize,
    /// Boxes, and as many goals.
    pub(super) boxes: usize,
    /// How many of 100 cells are walls.
    pub(super) wall_percent: u32,
    /// The fewest pushes of the first and of the last target.
    pub(super) fewest: (u16, u16),
    /// Pushes allowed beyond the fewest.
    pub(super) slack: u16,
    /// Whether a shortest plan must change boxes twice and some first push must lose.
    pub(super) demanding: bool,
    /// How often a room has a special rule.
    pub(super) twist_percent: u32,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }

    /// The fewest pushes that a target must take, rising from the first to the last.
    pub(super) fn pushes(&self, target: usize) -> u16 {
        let (first, last) = self.fewest;
        first + (target as u16 * (last - first)) / (TARGETS as u16 - 1)
    }
}

/// Level 1 to 9, measured.
static LEVELS: [Dial; 9] = [
    dial((6, 5), 2, 15, (4, 6), 4, 0),
    dial((6, 6), 2, 15, (4, 8), 4, 0),
    dial((6, 6), 2, 15, (5, 9), 4, 60),
    dial((6, 6), 2, 20, (7, 11), 2, 60),
    dial((7, 6), 2, 20, (9, 13), 2, 60),
    dial((7, 7), 3, 22, (9, 13), 2, 60),
    dial((7, 7), 3, 25, (11, 16), 0, 60),
    dial((7, 7), 3, 26, (13, 18), 0, 60),
    dial((8, 7), 3, 26, (15, 21), 0, 60),
];

const fn dial(
    (width, height): (usize, usize),
    boxes: usize,
    wall_percent: u32,
    fewest: (u16, u16),
    slack: u16,
    twist_percent: u32,
) -> Dial {
    // Up to level 3 the slack is 4.
    let demanding = slack < 4;
    Dial { width, height, boxes, wall_percent, fewest, slack, demanding, twist_percent }
}
