//! Courier: find routes through a town with timed gates and tolls that arrive in time and stay within a purse. A planning puzzle
//! whose checker walks the route, so any route that keeps the rules is right; the five targets are five errands in one town.
//!
//! `levels.rs` has the dials, `town.rs` the town and its rules, `search.rs` the cheapest way to every corner at every minute,
//! `misread.rs` what misreaders would answer, `draw.rs` draws tasks, `play.rs` judges routes, `text.rs` reads and writes them,
//! `prompt.rs` writes what the lane reads.

mod draw;
mod levels;
mod misread;
mod play;
mod prompt;
mod search;
#[cfg(test)]
mod second;
#[cfg(test)]
mod tests;
mod text;
mod town;
mod walk;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Target;
use town::Town;
use walk::Walks;

const NAME: &str = "courier";

/// The family.
#[derive(Debug)]
pub struct Courier;

impl Family for Courier {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Courier"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let (town, targets) = draw::task(level, seeds)?;
        let prompt = prompt::prompt(&town, &targets);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Errands { town, targets }))))
    }
}

#[derive(Debug)]
struct Errands {
    town: Town,
    targets: [Target; TARGETS],
}

impl Errands {
    fn judge(&self, target: usize, route: &[u8]) -> Result<(), play::Fault> {
        play::judge(&self.town, &self.targets[target].errand, route)
    }
}

impl Puzzle for Errands {
    fn check(&self, target: usize, value: &str) -> Reading {
        match text::read(value, self.town.corners) {
            Err(why) => Reading::Unreadable(why),
            Ok(route) => match self.judge(target, &route) {
                Ok(()) => Reading::Hit,
                Err(fault) => Reading::Wrong(fault.to_string()),
            },
        }
    }

    fn solution(&self, target: usize) -> String {
        text::write(&self.targets[target].route)
    }

    /// The route of somebody who misreads a rule, or one that leaves a corner out.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let Target { errand, route, misread, .. } = &self.targets[target];
        let mut slips: Vec<Vec<u8>> = misread.iter().map(|(_, route)| route.clone()).collect();
        let mut short = route.clone();
        short.remove(1 + rng.index(route.len() - 2));
        slips.push(short);
        rng.shuffle(&mut slips);
        slips.push(vec![errand.start]);
        let wrong = slips.iter().find(|slip| self.judge(target, slip).is_err());
        wrong.map_or_else(String::new, |slip| text::write(slip))
    }

    /// A walk by the rules, each street drawn from those that can be entered, until the finish or too late: the best that can
    /// be done without a plan.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        text::write(&Walks::of(&self.town).random(&self.targets[target].errand, rng))
    }

    /// Straight from start to finish.
    fn start(&self, target: usize) -> Option<String> {
        let errand = self.targets[target].errand;
        Some(text::write(&[errand.start, errand.finish]))
    }

    fn effort(&self, target: usize) -> u64 {
        self.targets[target].effort
    }
}
