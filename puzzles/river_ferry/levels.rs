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
    /// The extra rules that a task may have, at most one each.
    pub(super) extras: &'static [ExtraKind],
}

/// A kind of extra rule; `rules.rs` has what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtraKind {
    Guard,
    BoatPair,
    Triple,
    Weights,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }

    /// The optimum that a target must have, rising from the shortest to the longest. A guard shortens every plan.
    pub(super) fn optimum(&self, target: usize, extra: Option<ExtraKind>) -> u8 {
        let steps = usize::from((self.longest - self.shortest) / 2);
        let rise = 2 * (target * (steps + 1) / TARGETS) as u8;
        self.shortest + rise - if extra == Some(ExtraKind::Guard) { 2 } else { 0 }
    }
}

// A guard needs longer plans than these levels have.
const SOME: &[ExtraKind] = &[ExtraKind::BoatPair, ExtraKind::Triple, ExtraKind::Weights];
const ALL: &[ExtraKind] =
    &[ExtraKind::Guard, ExtraKind::BoatPair, ExtraKind::Triple, ExtraKind::Weights];

/// Level 1 to 9, as measured: a ferryman who may not cross alone lengthens plans more than one passenger more does, and
/// without that rule plans of six or seven passengers end at 7 or 9 trips.
static LEVELS: [Dial; 9] = [
    dial(4, 1, 55, false, 2, (5, 9), &[]),
    dial(5, 2, 60, true, 2, (5, 7), &[]),
    dial(6, 2, 45, false, 2, (5, 7), SOME),
    dial(6, 2, 50, true, 2, (7, 11), SOME),
    dial(7, 2, 50, false, 0, (7, 9), SOME),
    dial(7, 2, 50, true, 0, (9, 13), ALL),
    dial(8, 2, 50, true, 0, (11, 15), ALL),
    dial(9, 2, 55, true, 0, (13, 17), ALL),
    dial(10, 2, 55, true, 0, (15, 19), ALL),
];

const fn dial(
    passengers: u32,
    seats: u32,
    pair_percent: u32,
    never_alone: bool,
    slack: usize,
    (shortest, longest): (u8, u8),
    extras: &'static [ExtraKind],
) -> Dial {
    Dial { passengers, seats, pair_percent, never_alone, slack, shortest, longest, extras }
}
