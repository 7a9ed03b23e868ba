//! The level table of the courier: how large a town is, which rules it has and how long the routes are. `draw.rs` draws by it.

use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Rows and columns of the grid that the town is made from; they are not printed.
    pub(super) grid: (usize, usize),
    /// How many of one-way streets, dear hours, rests and parcels a town has, besides tolls and gates.
    pub(super) twists: usize,
    /// The fewest and the most streets of the reference route.
    pub(super) streets: (usize, usize),
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }

    /// Minutes that a search for errands looks ahead: enough for the longest route and something dearer in time.
    pub(super) fn minutes(&self) -> u32 {
        9 + 7 * self.streets.1 as u32 / 2
    }
}

/// Level 1 to 9.
static LEVELS: [Dial; 9] = [
    dial((4, 4), 0, (4, 5)),
    dial((4, 4), 0, (5, 6)),
    dial((4, 4), 1, (5, 7)),
    dial((4, 5), 1, (6, 7)),
    dial((4, 5), 1, (7, 9)),
    dial((4, 5), 2, (7, 9)),
    dial((5, 5), 2, (8, 9)),
    dial((5, 5), 2, (9, 11)),
    dial((5, 5), 2, (10, 13)),
];

const fn dial(grid: (usize, usize), twists: usize, streets: (usize, usize)) -> Dial {
    Dial { grid, twists, streets }
}
