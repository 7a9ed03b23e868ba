//! The level table of the ledger: how long the books run and which rules they have. `draw.rs` draws by it.

use crate::puzzles::Level;

/// What one level sets.
#[derive(Debug)]
pub(super) struct Dial {
    /// Bookings of an account.
    pub(super) bookings: usize,
    /// Days of the books; interest falls due every tenth.
    pub(super) days: u32,
    /// How many of rollback, overdraft and standing orders a task has, besides fee and interest.
    pub(super) extras: usize,
}

impl Dial {
    /// The dial of a level.
    pub(super) fn of(level: Level) -> &'static Self {
        &LEVELS[level.index()]
    }
}

/// Level 1 to 9: 31 to 120 bookings in all.
static LEVELS: [Dial; 9] = [
    dial(6, 10, 0),
    dial(7, 20, 0),
    dial(9, 20, 1),
    dial(11, 20, 2),
    dial(13, 30, 2),
    dial(15, 30, 2),
    dial(18, 30, 3),
    dial(21, 40, 3),
    dial(26, 40, 3),
];

const fn dial(bookings: usize, days: u32, extras: usize) -> Dial {
    Dial { bookings, days, extras }
}
