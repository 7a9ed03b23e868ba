//! The level table of the villages. `draw.rs` draws by it, each target at its level of the ladder.

use super::claim::ClaimKind;
use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Villagers.
    pub(super) villagers: usize,
    /// The kinds of claims that every task has.
    pub(super) kinds: &'static [ClaimKind],
    /// How many of the further kinds a task has.
    pub(super) further: usize,
    /// The largest group that a claim names.
    pub(super) group: usize,
    /// The fewest and the most villagers that a search decides about.
    pub(super) tries: (u64, u64),
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }
}

/// The kinds of which the seed takes some.
pub(super) static FURTHER: [ClaimKind; 6] = {
    use ClaimKind::*;
    [AtLeast, AtMost, If, More, Total, Parity]
};

/// Level 1 to 9. The bands of tries make difficulty grow where villagers and kinds alone would leave it flat.
static LEVELS: [Dial; 9] = {
    use ClaimKind::*;
    [
        dial(8, &[Is, Alike, Exactly], 0, 3, (40, 109)),
        dial(8, &[Is, Alike, Exactly], 1, 3, (90, 139)),
        dial(9, &[Is, Alike, Exactly], 2, 4, (120, 179)),
        dial(9, &[Alike, Exactly, OneOf], 2, 4, (160, 229)),
        dial(10, &[Alike, Exactly, OneOf], 3, 4, (200, 289)),
        dial(10, &[Exactly, OneOf], 4, 5, (250, 339)),
        dial(11, &[Exactly, OneOf], 4, 5, (300, 409)),
        dial(11, &[Exactly, OneOf], 5, 5, (360, 499)),
        dial(12, &[Exactly, OneOf], 5, 5, (430, 799)),
    ]
};

const fn dial(
    villagers: usize,
    kinds: &'static [ClaimKind],
    further: usize,
    group: usize,
    tries: (u64, u64),
) -> Dial {
    Dial { villagers, kinds, further, group, tries }
}
