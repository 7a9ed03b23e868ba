//! The level table of the skyscrapers. `draw.rs` draws by it.

use super::rules::Seen;
use crate::puzzles::{Level, TARGETS};

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Rows and columns.
    pub(super) size: usize,
    /// What a clue tells.
    pub(super) seen: Seen,
    /// Rows that the solver may place before a grid counts as not proven: the bound of the cost and the dial of difficulty.
    pub(super) nodes: u32,
    /// Clues that are put back after all that could go are gone, by target.
    pub(super) put_back: [usize; TARGETS],
    /// The least and the most effort that a grid may take; others are drawn again.
    pub(super) effort: (u64, u64),
    /// How often a side is listed in reverse; as often one is printed too high.
    pub(super) twist_percent: u32,
    /// How often both diagonals are distinct.
    pub(super) diagonal_percent: u32,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }
}

/// The first two grids of a range get clues back, so that a range starts easier than it ends.
const FEW_BACK: [usize; TARGETS] = [2, 2, 0, 0, 0];

/// Level 1 to 9, measured: the bands of effort cut off what would be as easy as the level below.
static LEVELS: [Dial; 9] = [
    Dial { put_back: [6, 6, 4, 4, 2], ..dial(4, Seen::Count, 40, (4, 50), 25, 0) },
    dial(4, Seen::Count, 40, (12, 70), 40, 0),
    dial(4, Seen::Sum, 200, (30, 400), 40, 0),
    dial(5, Seen::Sum, 40, (60, 250), 40, 30),
    dial(5, Seen::Count, 40, (120, 600), 40, 30),
    dial(5, Seen::Sum, 200, (200, 1_500), 40, 30),
    dial(5, Seen::Count, 1000, (300, 2_500), 40, 30),
    dial(6, Seen::Sum, 200, (500, 5_000), 40, 0),
    dial(6, Seen::Sum, 1000, (700, 30_000), 40, 0),
];

const fn dial(
    size: usize,
    seen: Seen,
    nodes: u32,
    effort: (u64, u64),
    twist_percent: u32,
    diagonal_percent: u32,
) -> Dial {
    Dial { size, seen, nodes, put_back: FEW_BACK, effort, twist_percent, diagonal_percent }
}
