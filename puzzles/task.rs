//! What a task is: a prompt, five targets and the rule check of each. Used by every family and by the referee.

use crate::rng::Stream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Targets of a range. Every family makes this many, and every mat holds them.
pub const TARGETS: usize = 5;

/// How an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Five lines, `TARGET 1: value`.
    Puzzle,
    /// One Python function, called on five hidden inputs.
    Code,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Puzzle => "puzzle",
            Self::Code => "code",
        })
    }
}

/// A difficulty, 1 to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Level(u8);

impl Level {
    /// The easiest level.
    pub const MIN: Self = Self(1);
    /// The hardest level.
    pub const MAX: Self = Self(9);

    /// A level, or nothing outside 1 to 9.
    #[must_use]
    pub fn new(level: u8) -> Option<Self> {
        (1..=9).contains(&level).then_some(Self(level))
    }

    /// All nine levels, from the easiest.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=9).map(Self)
    }

    /// The number, 1 to 9.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }

    /// The position in a level table, 0 to 8.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    /// The ladder inside a range: targets 1 and 2 one level easier, 3 and 4 at the level, 5 one level harder, kept in 1 to 9.
    #[must_use]
    pub fn on_ladder(self, target: usize) -> Self {
        Self(match target {
            0 | 1 => self.0.saturating_sub(1).max(1),
            2 | 3 => self.0,
            _ => (self.0 + 1).min(9),
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One generated task.
#[derive(Debug)]
pub struct Task {
    /// The family's name.
    pub family: &'static str,
    /// The level asked for; what was drawn stands in [`Task::drawn`].
    pub level: Level,
    /// What the lane reads: plain ASCII, `\n` line ends, one at the end.
    pub prompt: String,
    /// The targets and how they are checked.
    pub body: Body,
    /// Which draw this is. Set by [`generate`](super::generate).
    pub drawn: Drawn,
}

impl Task {
    /// A task as a family draws it.
    #[must_use]
    pub fn new(family: &'static str, level: Level, prompt: String, body: Body) -> Self {
        Self { family, level, prompt, body, drawn: Drawn { sub_stream: 0, level } }
    }

    /// Whether the answer is lines or code.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.body {
            Body::Puzzle(_) => Kind::Puzzle,
            Body::Code(_) => Kind::Code,
        }
    }

    /// A complete right answer, as a lane would write it without any working.
    #[must_use]
    pub fn solution(&self) -> String {
        match &self.body {
            Body::Puzzle(puzzle) => (0..TARGETS)
                .map(|target| format!("TARGET {}: {}\n", target + 1, puzzle.solution(target)))
                .collect(),
            Body::Code(code) => format!("```python\n{}\n```\n", code.solution.trim_end()),
        }
    }
}

/// Which draw a task came from: the first sub-stream at the level asked for, unless those did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Drawn {
    /// The sub-stream, from 0.
    pub sub_stream: u32,
    /// The level whose parameters were used; below the level asked for after a fallback.
    pub level: Level,
}

/// The targets of a task.
#[derive(Debug)]
pub enum Body {
    /// Answered by lines.
    Puzzle(Box<dyn Puzzle>),
    /// Answered by code.
    Code(Box<CodeTask>),
}

/// Five targets that are answered by one line each. `target` is 0 to 4 throughout.
///
/// Every method is total: any text gives a [`Reading`], never a panic.
pub trait Puzzle: fmt::Debug + Send + Sync {
    /// Judges the value of a line. The value comes trimmed and with plain ASCII digits and letters where the answer had
    /// full-width ones, Markdown or LaTeX around it; its notation (`U,D`, spaces, lower case) is the family's to read.
    fn check(&self, target: usize, value: &str) -> Reading;

    /// A right value.
    fn solution(&self, target: usize) -> String;

    /// A well-formed wrong value, of the kind that a tired solver writes.
    fn slip(&self, target: usize, rng: &mut Stream) -> String;

    /// A blind guess: a random value in the family's grammar.
    fn guess(&self, target: usize, rng: &mut Stream) -> String;

    /// The start state written as an answer, when the family has one: the gate tests that it misses.
    fn start(&self, target: usize) -> Option<String>;

    /// How hard the target is, in the family's own measure (plan length, search nodes). Grows with the level.
    fn effort(&self, target: usize) -> u64;
}

/// What a check makes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Right.
    Hit,
    /// Read and wrong; the text says why in a few words, for the results sheet.
    Wrong(String),
    /// There is an answer, but the family's grammar cannot read it; the text says what it stumbled on.
    Unreadable(String),
}

/// Five targets that are answered by one Python function: target `k` is hit when the call on input `k` returns what is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeTask {
    /// The function's name.
    pub function: &'static str,
    /// The positional arguments of each call.
    pub inputs: [Vec<Value>; TARGETS],
    /// The value that each call must return.
    pub expected: [Value; TARGETS],
    /// Python source that is right for every input of the contract.
    pub solution: String,
    /// Python sources that each miss one printed rule, and which targets they hit all the same.
    pub slips: Vec<Slip>,
    /// How hard each target is (executed steps); grows with the level.
    pub effort: [u64; TARGETS],
}

/// A solution that misses one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// The rule that it misses.
    pub misses: &'static str,
    /// Python source.
    pub code: String,
    /// The targets that it hits, by the Rust reference.
    pub hits: [bool; TARGETS],
}
