//! River ferry: bring everybody across in few trips without leaving the wrong ones alone. A planning puzzle whose checker
//! plays the plan, so any plan that keeps the rules is right.
//!
//! `levels.rs` has the dials, `rules.rs` judges a plan, `search.rs` finds shortest ones, `draw.rs` draws tasks, `plan.rs` reads
//! and writes answers, `prompt.rs` writes what the lane reads.

mod draw;
mod levels;
mod plan;
mod prompt;
mod rules;
mod search;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Crossing;
use levels::Dial;
use rules::{Group, Rules};

const NAME: &str = "river-ferry";

/// The family.
#[derive(Debug)]
pub struct RiverFerry;

impl Family for RiverFerry {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "River ferry"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let (rules, crossings) = draw::crossings(Dial::of(level), seeds)?;
        let prompt = prompt::prompt(&rules, &crossings);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Ferry { rules, crossings }))))
    }
}

#[derive(Debug)]
struct Ferry {
    rules: Rules,
    crossings: [Crossing; TARGETS],
}

impl Ferry {
    fn right(&self, target: usize, plan: &[Group]) -> bool {
        let crossing = &self.crossings[target];
        self.rules.judge(crossing.start, crossing.limit, plan).is_ok()
    }
}

impl Puzzle for Ferry {
    fn check(&self, target: usize, value: &str) -> Reading {
        let crossing = &self.crossings[target];
        match plan::read(value, self.rules.passengers) {
            Err(why) => Reading::Unreadable(why),
            Ok(plan) => match self.rules.judge(crossing.start, crossing.limit, &plan) {
                Ok(()) => Reading::Hit,
                Err(fault) => Reading::Wrong(fault.to_string()),
            },
        }
    }

    fn solution(&self, target: usize) -> String {
        plan::write(&self.crossings[target].plan)
    }

    /// A plan of the misread game, one that forgets a passenger or a trip, or two trips the wrong way round.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let crossing = &self.crossings[target];
        let mut slips = crossing.misread.clone();
        let trip = rng.index(crossing.plan.len());
        let mut swapped = crossing.plan.clone();
        swapped.swap(trip, (trip + 2) % crossing.plan.len());
        slips.push(swapped);
        let mut forgotten = crossing.plan.clone();
        forgotten[trip] &= forgotten[trip].wrapping_sub(1);
        slips.push(forgotten);
        rng.shuffle(&mut slips);
        // A shortest plan without its last trip leaves the boat on the wrong bank: wrong under every rule.
        slips.push(crossing.plan[..crossing.plan.len() - 1].to_vec());
        slips
            .iter()
            .find(|slip| !slip.is_empty() && !self.right(target, slip))
            .map_or_else(|| "-".to_owned(), |slip| plan::write(slip))
    }

    /// As many trips as are allowed or fewer, each with a load that fits the boat by number.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        let most = self.crossings[target].limit as u32 / 2;
        let trips = 2 * rng.between(most.saturating_sub(1), most) + 1;
        let mut passengers: Vec<Group> = (0..self.rules.passengers).map(|who| 1 << who).collect();
        let plan: Vec<Group> = (0..trips)
            .map(|_| {
                let aboard = rng.between(u32::from(self.rules.never_alone), self.rules.seats);
                rng.shuffle(&mut passengers);
                passengers.iter().take(aboard as usize).sum()
            })
            .collect();
        plan::write(&plan)
    }

    /// The ferryman rows over and brings nobody.
    fn start(&self, _target: usize) -> Option<String> {
        Some("-".to_owned())
    }

    fn effort(&self, target: usize) -> u64 {
        self.crossings[target].effort
    }
}
