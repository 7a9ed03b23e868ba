//! Ledger: keep five accounts through a journal of dated bookings under the house's rules for fees, interest, rollbacks,
//! overdrafts and standing orders. Asks for arithmetic at the right time, and for what happens without being listed.
//!
//! `levels.rs` has the dials, `rules.rs` the rules, `misread.rs` their misreadings, `draw.rs` draws accounts, `prompt.rs` writes what
//! the lane reads, `value.rs` reads balances.

mod draw;
mod levels;
mod misread;
mod prompt;
mod rules;
#[cfg(test)]
mod second;
#[cfg(test)]
mod tests;
mod value;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Account;

const NAME: &str = "ledger";

/// How far a blind guess lies from what deposits and payments alone would give, at most.
const GUESS_WITHIN: u32 = 150;

/// The family.
#[derive(Debug)]
pub struct Ledger;

impl Family for Ledger {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Ledger"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let (house, accounts) = draw::accounts(level, seeds)?;
        let prompt = prompt::prompt(&house, &accounts);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Books(accounts)))))
    }
}

#[derive(Debug)]
struct Books([Account; TARGETS]);

impl Puzzle for Books {
    fn check(&self, target: usize, value: &str) -> Reading {
        match value::read(value) {
            Err(why) => Reading::Unreadable(why),
            Ok(number) if number == i64::from(self.0[target].balance) => Reading::Hit,
            Ok(number) => Reading::Wrong(format!("{number} is not the balance")),
        }
    }

    fn solution(&self, target: usize) -> String {
        self.0[target].balance.to_string()
    }

    /// What somebody has who misreads a rule or forgets a booking.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let account = &self.0[target];
        let misread = account.misread.iter().map(|(_, balance)| balance);
        let forgotten = account.forgotten.iter().filter(|balance| **balance != account.balance);
        let slips: Vec<&i32> = misread.chain(forgotten).collect();
        rng.pick(&slips).map_or(account.opening, |balance| **balance).to_string()
    }

    /// Deposits and payments added up, and then somewhere near: the best that can be done without the rules.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        let off = rng.between(0, 2 * GUESS_WITHIN) as i32 - GUESS_WITHIN as i32;
        (self.0[target].plain + off).to_string()
    }

    /// Nothing booked.
    fn start(&self, target: usize) -> Option<String> {
        Some(self.0[target].opening.to_string())
    }

    fn effort(&self, target: usize) -> u64 {
        self.0[target].effort
    }
}
