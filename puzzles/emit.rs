//! How a task is drawn: streams, the emission gate, and the deterministic fallback that keeps generation bounded.

use super::task::{Body, CodeTask, Drawn, Level, Puzzle, Reading, TARGETS, Task};
use super::{Family, Kind};
use crate::rng::{Key, Stream};
use serde_json::Value;

/// Draws of one level before the next easier one is tried.
const DRAWS_A_LEVEL: u32 = 64;

/// Stream numbers that one sub-stream takes: 0 is shared by the targets, 1 to 5 are theirs, the rest is spare.
const STREAMS_A_DRAW: u64 = 16;

/// The streams of one draw of a task.
#[derive(Debug, Clone, Copy)]
pub struct Seeds {
    key: Key,
    sub_stream: u32,
}

impl Seeds {
    /// The streams of draw `sub_stream` under a key.
    #[must_use]
    pub fn new(key: Key, sub_stream: u32) -> Self {
        Self { key, sub_stream }
    }

    /// The key of the task of a range, as DESIGN.md sets it: a change of any part gives other tasks.
    #[must_use]
    pub fn task_key(
        seed: u64,
        prompt_version: &str,
        range: u32,
        family: &str,
        level: Level,
    ) -> Key {
        Key::of(&[
            b"gauntlet task 1",
            &seed.to_le_bytes(),
            prompt_version.as_bytes(),
            &range.to_le_bytes(),
            family.as_bytes(),
            &[level.get()],
        ])
    }

    /// The stream of what the five targets share.
    #[must_use]
    pub fn shared(&self) -> Stream {
        self.key.stream(u64::from(self.sub_stream) * STREAMS_A_DRAW)
    }

    /// The stream of one target (0 to 4): redraws of a target never shift another.
    #[must_use]
    pub fn target(&self, target: usize) -> Stream {
        self.key.stream(u64::from(self.sub_stream) * STREAMS_A_DRAW + 1 + target as u64)
    }
}

/// No draw of any level passed the gate.
#[derive(Debug, thiserror::Error)]
#[error("no {family} task of level {level} could be drawn: {last}")]
pub struct GenerateError {
    family: &'static str,
    level: Level,
    last: String,
}

/// Draws a task of a family: the first draw that the family accepts and the gate lets pass.
///
/// After a fixed number of draws the next easier level's parameters are used, down to level 1, and [`Task::drawn`] says so.
///
/// # Errors
/// When every draw of every level failed, which a season check finds before a race.
pub fn generate(family: &dyn Family, level: Level, key: Key) -> Result<Task, GenerateError> {
    let mut sub_stream = 0;
    let mut last = String::from("the family accepted no draw");
    for drawn_level in (1..=level.get()).rev().filter_map(Level::new) {
        for _ in 0..DRAWS_A_LEVEL {
            if let Some(task) = family.draw(drawn_level, &Seeds::new(key, sub_stream)) {
                match gate(&task) {
                    Ok(()) => {
                        let drawn = Drawn { sub_stream, level: drawn_level };
                        return Ok(Task { level, drawn, ..task });
                    }
                    Err(why) => last = why,
                }
            }
            sub_stream += 1;
        }
    }
    Err(GenerateError { family: family.name(), level, last })
}

/// The emission gate: the reference hits 5 of 5; empty, `-`, the start state and the neighbour's answer miss.
///
/// # Errors
/// What failed, in words.
pub fn gate(task: &Task) -> Result<(), String> {
    if !task.prompt.bytes().all(|b| b == b'\n' || (b' '..=b'~').contains(&b)) {
        return Err("the prompt is not plain ASCII".to_owned());
    }
    match &task.body {
        Body::Puzzle(puzzle) => (0..TARGETS).try_for_each(|target| gate_target(&**puzzle, target)),
        Body::Code(code) => gate_code(code),
    }
}

fn gate_target(puzzle: &dyn Puzzle, target: usize) -> Result<(), String> {
    let number = target + 1;
    let solution = puzzle.solution(target);
    if puzzle.check(target, &solution) != Reading::Hit {
        return Err(format!("target {number} rejects its own solution {solution}"));
    }
    let neighbour = puzzle.solution((target + 1) % TARGETS);
    let start = puzzle.start(target);
    for wrong in ["", "-", neighbour.as_str()].into_iter().chain(start.as_deref()) {
        if puzzle.check(target, wrong) == Reading::Hit {
            return Err(format!("target {number} accepts {wrong:?}, which is no answer to it"));
        }
    }
    Ok(())
}

fn gate_code(code: &CodeTask) -> Result<(), String> {
    if code.slips.is_empty() {
        return Err("no printed rule can be missed".to_owned());
    }
    for slip in &code.slips {
        if slip.hits.iter().all(|hit| *hit) {
            return Err(format!("a code that misses {} hits all targets", slip.misses));
        }
    }
    let empty = [Value::Null, Value::Array(Vec::new()), Value::String(String::new())];
    for (target, expected) in code.expected.iter().enumerate() {
        if empty.contains(expected) {
            return Err(format!("target {} expects an empty value", target + 1));
        }
        // The start state: an answer that hands back what it was given.
        if code.inputs[target].contains(expected) {
            return Err(format!("target {} expects one of its arguments", target + 1));
        }
        if code.expected.iter().skip(target + 1).any(|other| other == expected) {
            return Err(format!("target {} expects the same as a later one", target + 1));
        }
    }
    Ok(())
}

/// The answer format that ends a prompt, the same in all families.
#[must_use]
pub fn answer_format(kind: Kind, example: &str) -> String {
    match kind {
        Kind::Puzzle => format!(
            "Answer with five lines, one for each target, and nothing after them:\n{}",
            (1..=TARGETS).map(|n| format!("TARGET {n}: {example}\n")).collect::<String>()
        ),
        Kind::Code => format!(
            "Answer with one Python code block that defines {example} and nothing after it.\n\
             Python 3, standard library only; no files, network, processes or threads. Return plain values\n\
             (lists, strings, numbers, booleans). Prints are ignored; running time is limited generously.\n"
        ),
    }
}
