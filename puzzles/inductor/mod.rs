//! Inductor: find a hidden function of lists from six examples, and say what it makes of five more. Induction over a printed
//! grammar: the steps and their readings are the task's own, and every chain that fits the examples gives the same answers.
//!
//! `levels.rs` has the dials, `step.rs` the steps and their words, `list.rs` lists and their notation, `search.rs` tries all
//! chains, `draw.rs` draws and gates, `prompt.rs` writes what the lane reads.

mod draw;
mod levels;
mod list;
mod prompt;
mod search;
#[cfg(test)]
mod second;
mod step;
#[cfg(test)]
mod tests;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, Task};
use crate::rng::Stream;
use draw::{Induction, run};
use list::read;

const NAME: &str = "inductor";

/// The family.
#[derive(Debug)]
pub struct Inductor;

impl Family for Inductor {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Inductor"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let induction = draw::induction(level, seeds)?;
        let prompt = prompt::prompt(&induction);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(induction))))
    }
}

impl Puzzle for Induction {
    fn check(&self, target: usize, value: &str) -> Reading {
        let right = self.targets[target].output;
        let right = right.numbers();
        match read(value) {
            Err(why) => Reading::Unreadable(why),
            Ok(list) if list.len() != right.len() => {
                Reading::Wrong(format!("{} numbers, not {}", list.len(), right.len()))
            }
            Ok(list) => {
                let same = |(one, two): (&i64, &i32)| *one == i64::from(*two);
                match list.iter().zip(right).position(|both| !same(both)) {
                    None => Reading::Hit,
                    Some(first) => Reading::Wrong(format!(
                        "{} of {} numbers right, the first wrong one is number {}",
                        list.iter().zip(right).filter(|both| same(*both)).count(),
                        right.len(),
                        first + 1
                    )),
                }
            }
        }
    }

    fn solution(&self, target: usize) -> String {
        self.targets[target].output.to_string()
    }

    /// What becomes of the list when a step is lost or misread.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let slip = rng.pick(&self.slips[target]).copied();
        slip.unwrap_or(self.targets[target].input).to_string()
    }

    /// What any chain of as many steps makes of the list: a guess that knows the grammar.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        let chain: Vec<_> =
            self.chain.iter().map(|step| *rng.pick(&self.menu).unwrap_or(step)).collect();
        run(&chain, &self.targets[target].input).to_string()
    }

    /// The list itself.
    fn start(&self, target: usize) -> Option<String> {
        Some(self.targets[target].input.to_string())
    }

    fn effort(&self, target: usize) -> u64 {
        self.effort[target]
    }
}
