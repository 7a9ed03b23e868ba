//! The level table of the benches. `draw.rs` draws by it, each target at its level of the ladder.

use super::clue::ClueKind;
use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// People on the bench.
    pub(super) people: usize,
    /// The kinds of clues.
    pub(super) kinds: &'static [ClueKind],
    /// Clues that are false, 0 or 1.
    pub(super) lies: usize,
    /// The fewest and the most people that a seat-by-seat search tries to seat.
    pub(super) tries: (u64, u64),
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }
}

/// Level 1 to 9. The bands of tries make difficulty grow where people and kinds alone would leave it flat.
static LEVELS: [Dial; 9] = {
    use ClueKind::*;
    [
        dial(5, &[Before, Directly, Adjacent, Seat, End], 0, (12, 24)),
        dial(5, &[Before, Directly, Adjacent, Seat, End, Gap], 0, (25, 34)),
        dial(5, &[Before, Adjacent, Apart, Gap, Between, End], 0, (35, 59)),
        dial(6, &[Before, Adjacent, Apart, Gap, Between, End], 0, (60, 94)),
        dial(6, &[Before, Apart, Gap, Between, Either, Nearer], 0, (95, 149)),
        dial(7, &[Before, Apart, Gap, Between, Either, Nearer], 0, (150, 219)),
        dial(7, &[Before, Apart, Between, Either, Nearer, If, Parity], 0, (220, 299)),
        dial(7, &[Apart, Between, Either, Nearer, If], 0, (300, 419)),
        dial(7, &[Before, Apart, Between, Either, Nearer, If, Parity], 1, (420, 899)),
    ]
};

const fn dial(people: usize, kinds: &'static [ClueKind], lies: usize, tries: (u64, u64)) -> Dial {
    Dial { people, kinds, lies, tries }
}
