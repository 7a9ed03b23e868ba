//! Sokoban: bring all boxes of a room onto its goals with few pushes. A planning puzzle whose checker plays the plan, so any
//! plan that keeps the rules is right; the five targets are five starts in one room.
//!
//! `levels.rs` has the dials, `room.rs` the room and its special rules, `moves.rs` what player and boxes can do, `search.rs`
//! the fewest pushes of every start, `draw.rs` draws tasks, `play.rs` judges plans, `text.rs` reads and writes them, `prompt.rs`
//! writes what the lane reads.

mod draw;
mod levels;
mod moves;
#[cfg(test)]
mod picture;
mod play;
mod prompt;
mod room;
mod search;
#[cfg(test)]
mod tests;
mod text;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Start;
use levels::Dial;
use room::{Dir, Room};

const NAME: &str = "sokoban";

/// The family.
#[derive(Debug)]
pub struct Sokoban;

impl Family for Sokoban {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Sokoban"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let games = Games::draw(level, seeds)?;
        let prompt = prompt::prompt(&games.room, &games.starts);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(games))))
    }
}

#[derive(Debug)]
struct Games {
    room: Room,
    starts: [Start; TARGETS],
}

impl Games {
    fn draw(level: Level, seeds: &Seeds) -> Option<Self> {
        let (room, starts) = draw::task(Dial::of(level), seeds)?;
        Some(Self { room, starts })
    }

    fn judge(&self, target: usize, steps: &[Dir]) -> Result<(), play::Fault> {
        let start = &self.starts[target];
        play::judge(&self.room, &start.boxes, start.player, start.limit, steps)
    }
}

impl Puzzle for Games {
    fn check(&self, target: usize, value: &str) -> Reading {
        match text::read(value) {
            Err(why) => Reading::Unreadable(why),
            Ok(steps) if steps.len() > text::LETTERS_MAX => {
                Reading::Wrong(format!("{} letters, at most {}", steps.len(), text::LETTERS_MAX))
            }
            Ok(steps) => match self.judge(target, &steps) {
                Ok(()) => Reading::Hit,
                Err(fault) => Reading::Wrong(fault.to_string()),
            },
        }
    }

    fn solution(&self, target: usize) -> String {
        text::write(&self.starts[target].plan)
    }

    /// The plan of the room without its special rule, one that forgets a step, or two steps the wrong way round.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let start = &self.starts[target];
        let mut slips = start.misread.clone();
        let at = rng.index(start.plan.len() - 1);
        let mut swapped = start.plan.clone();
        swapped.swap(at, at + 1);
        let mut forgotten = start.plan.clone();
        forgotten.remove(at);
        slips.extend([swapped, forgotten]);
        rng.shuffle(&mut slips);
        // The last step of a plan of the fewest pushes is a push: without it a box is not home.
        slips.push(start.plan[..start.plan.len() - 1].to_vec());
        slips
            .iter()
            .find(|slip| self.judge(target, slip).is_err())
            .map_or_else(String::new, |slip| text::write(slip))
    }

    /// Random steps, about as many as the plan has.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        let length = self.starts[target].plan.len() as u32;
        let steps = rng.between(length, 2 * length);
        let dirs: Vec<Dir> = (0..steps).filter_map(|_| rng.pick(&Dir::ALL).copied()).collect();
        text::write(&dirs)
    }

    /// Nobody moves.
    fn start(&self, _target: usize) -> Option<String> {
        Some(String::new())
    }

    fn effort(&self, target: usize) -> u64 {
        self.starts[target].effort
    }
}
