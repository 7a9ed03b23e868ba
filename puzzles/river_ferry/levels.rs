//! The level table of the ferry. `draw.rs` draws by it.

use crate::puzzles::{Level, TARGETS};

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Passengers.
    pub(super) passengers: u32,
    /// Passengers that the boat holds.
    pub(super) seats: u32,
    /// How often a hub and another passenger are a forbidden pair.
    pub(super) pair_percent: u32,
    /// Whether the ferryman may not cross alone.
    pub(super) never_alone: bool,
    /// Trips allowed beyond the optimum: even, since the bank alternates.
    pub(super) slack: usize,
    /// The optimum of the first target.
    pub(super) shortest: u8,
    /// The optimum of the last target.
    pub(super) longest: u8,
    /// How often a task has an extra rule.
    pub(super) extra_percent: u32,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }

    /// The optimum that a target must have, rising from the shortest to the longest.
    pub(super) fn optimum(&self, target: usize) -> u8 {
        let steps = usize::from((self.longest - self.shortest) / 2);
        self.shortest + 2 * (target * steps / (TARGETS - 1)) as u8
    }

    /// Every optimum that some target has, in order.
    pub(super) fn optima(&self) -> impl Iterator<Item = u8> {
        (self.shortest..=self.longest).step_by(2)
    }
}

/// Level 1 to 9, measured (see PUZZLES in the documentation): a boat that holds more is not easier, pairs and the ferryman
/// who may not cross alone lengthen plans more than passengers do.
static LEVELS: [Dial; 9] = [
    dial(4, 1, 55, false, 2, (5, 9), 0),
    dial(5, 2, 60, true, 2, (5, 7), 0),
    dial(6, 2, 45, false, 2, (5, 9), 30),
    dial(6, 2, 50, true, 2, (7, 11), 30),
    dial(7, 2, 50, false, 0, (7, 11), 30),
    dial(7, 2, 50, true, 0, (9, 13), 30),
    dial(8, 2, 50, true, 0, (11, 15), 30),
    dial(9, 2, 45, true, 0, (13, 17), 30),
    dial(10, 2, 45, true, 0, (15, 19), 30),
];

const fn dial(
    passengers: u32,
    seats: u32,
    pair_percent: u32,
    never_alone: bool,
    slack: usize,
    (shortest, longest): (u8, u8),
    extra_percent: u32,
) -> Dial {
    Dial { passengers, seats, pair_percent, never_alone, slack, shortest, longest, extra_percent }
}
