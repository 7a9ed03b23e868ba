//! Cups: follow a row of cups through a list of moves and say how it stands at the end. Tracks state over many small steps;
//! the letters of the moves and how each is read are the task's own.
//!
//! `levels.rs` has the dials, `moves.rs` the rules and their misreadings, `row.rs` reads and writes rows, `draw.rs` draws
//! tables, `prompt.rs` writes what the lane reads.

mod draw;
mod levels;
mod moves;
mod prompt;
mod row;
#[cfg(test)]
mod second;
#[cfg(test)]
mod tests;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Table;
use row::Row;

const NAME: &str = "cups";

/// The family.
#[derive(Debug)]
pub struct Cups;

impl Family for Cups {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Cups"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let (house, tables) = draw::tables(level, seeds)?;
        let prompt = prompt::prompt(&house, &tables);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Tables(tables)))))
    }
}

#[derive(Debug)]
struct Tables([Table; TARGETS]);

impl Puzzle for Tables {
    fn check(&self, target: usize, value: &str) -> Reading {
        let end = &self.0[target].end;
        match Row::read(value, end.len()) {
            Err(why) => Reading::Unreadable(why),
            Ok(row) => match end.compare(&row) {
                (_, None) => Reading::Hit,
                (right, Some(first)) => Reading::Wrong(format!(
                    "{right} of {} places right, the first wrong one is {}",
                    end.len(),
                    first + 1
                )),
            },
        }
    }

    fn solution(&self, target: usize) -> String {
        self.0[target].end.to_string()
    }

    /// How the table ends for somebody who misreads a rule or forgets a move.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let table = &self.0[target];
        let misread = table.misread.iter().map(|(_, row)| row);
        let slips: Vec<&Row> = misread.chain(&table.forgotten).collect();
        rng.pick(&slips).map_or_else(|| table.start.to_string(), |row| row.to_string())
    }

    /// Any order of the cups.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        let mut row = Row::sorted(self.0[target].start.len());
        rng.shuffle(row.cups_mut());
        row.to_string()
    }

    /// Nobody has moved a cup.
    fn start(&self, target: usize) -> Option<String> {
        Some(self.0[target].start.to_string())
    }

    fn effort(&self, target: usize) -> u64 {
        self.0[target].effort
    }
}
