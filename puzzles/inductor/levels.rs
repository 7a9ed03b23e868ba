//! The level table of the inductions: how many steps a chain has, how many there are to choose from, and the lists. `draw.rs`
//! draws by it.

use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Steps of the hidden chain; it has no shorter equal.
    pub(super) chain: usize,
    /// Steps to choose from, each k counted.
    pub(super) steps: usize,
    /// Numbers of a target's list, which is of its own level of the ladder; examples have up to one more or fewer.
    pub(super) length: usize,
    /// The largest number of a list.
    pub(super) largest: u32,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }
}

/// Level 1 to 9.
static LEVELS: [Dial; 9] = [
    dial(2, 20, 5, 9),
    dial(2, 23, 5, 9),
    dial(2, 26, 6, 9),
    dial(3, 16, 6, 9),
    dial(3, 19, 7, 12),
    dial(3, 22, 7, 12),
    dial(4, 14, 8, 12),
    dial(4, 16, 8, 12),
    dial(4, 18, 9, 12),
];

const fn dial(chain: usize, steps: usize, length: usize, largest: u32) -> Dial {
    Dial { chain, steps, length, largest }
}
