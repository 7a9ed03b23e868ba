//! The level table of the traces: how long a program is and what it is made of. `draw.rs` draws by it.

use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Statements in the loop.
    pub(super) statements: usize,
    /// Rounds of the loop.
    pub(super) rounds: usize,
    /// How many of guard, swap and index a program has, besides plain assignments.
    pub(super) specials: usize,
    /// How many operators a program has that the seed defines.
    pub(super) operators: usize,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }
}

/// Level 1 to 9. Statements and rounds of the odd levels are the measured ones, the even levels lie between them.
static LEVELS: [Dial; 9] = [
    dial(3, 3, 1, 1),
    dial(4, 3, 2, 1),
    dial(4, 4, 2, 2),
    dial(5, 5, 3, 2),
    dial(5, 6, 3, 2),
    dial(6, 7, 3, 3),
    dial(6, 8, 3, 3),
    dial(7, 9, 3, 3),
    dial(8, 10, 3, 4),
];

const fn dial(statements: usize, rounds: usize, specials: usize, operators: usize) -> Dial {
    Dial { statements, rounds, specials, operators }
}
