//! Trace: run a small program in a made-up notation by hand on five inputs. Its operators are defined by the seed, so that
//! they must be read and cannot be remembered.
//!
//! `levels.rs` has the dials, `machine.rs` runs programs and misread ones, `draw.rs` draws and gates, `prompt.rs` writes what
//! the lane reads.

mod draw;
mod levels;
mod machine;
mod prompt;
#[cfg(test)]
mod second;
#[cfg(test)]
mod tests;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Run;
use machine::{MODULUS, Misreading, Program, run};

const NAME: &str = "trace";

/// Longer values are not read.
const LONGEST: usize = 40;

/// The family.
#[derive(Debug)]
pub struct Trace;

impl Family for Trace {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Trace"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let (program, runs) = draw::runs(level, seeds)?;
        let prompt = prompt::prompt(&program, &runs);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Traces { program, runs }))))
    }
}

#[derive(Debug)]
struct Traces {
    program: Program,
    runs: [Run; TARGETS],
}

/// Reads a whole number: digits, perhaps after a sign and before a full stop.
fn read(value: &str) -> Result<i64, String> {
    if value.len() > LONGEST {
        return Err(format!("a number of more than {LONGEST} characters"));
    }
    let text = value.trim().trim_end_matches('.').trim_end();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() {
        return Err("no number".to_owned());
    }
    if let Some(other) = digits.chars().find(|c| !c.is_ascii_digit()) {
        return Err(format!("a number with {other:?}"));
    }
    text.parse().map_err(|_| "a number of too many digits".to_owned())
}

impl Puzzle for Traces {
    fn check(&self, target: usize, value: &str) -> Reading {
        match read(value) {
            Err(why) => Reading::Unreadable(why),
            Ok(number) if number == i64::from(self.runs[target].answer) => Reading::Hit,
            Ok(number) if !(0..i64::from(MODULUS)).contains(&number) => {
                Reading::Wrong(format!("{number} is not in 0 to {}", MODULUS - 1))
            }
            Ok(number) => Reading::Wrong(format!("{number} is not the answer")),
        }
    }

    fn solution(&self, target: usize) -> String {
        self.runs[target].answer.to_string()
    }

    /// What the program gives when a rule is misread, or a line overlooked in one round or in all.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let Run { input, answer, misread, .. } = &self.runs[target];
        let step = Misreading::StepLost {
            round: 1 + rng.index(self.program.rounds),
            line: rng.index(self.program.statements.len()),
        };
        let [overlooked] = run(&self.program, [*input], Some(step)).map(|outcome| outcome.answer);
        let slip = if rng.percent(50) { Some(&overlooked) } else { rng.pick(misread) };
        match slip {
            Some(slip) if slip != answer => slip.to_string(),
            // The line did not matter in that round: a slip of the pen in the last sum.
            _ => ((answer + 1) % MODULUS).to_string(),
        }
    }

    /// Any number of the range.
    fn guess(&self, _target: usize, rng: &mut Stream) -> String {
        rng.below(MODULUS as u32).to_string()
    }

    /// Nothing worked out.
    fn start(&self, _target: usize) -> Option<String> {
        Some("0".to_owned())
    }

    fn effort(&self, target: usize) -> u64 {
        self.runs[target].effort
    }
}
