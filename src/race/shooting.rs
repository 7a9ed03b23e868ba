//! The five shots of a range: what was read for each target, by which rule, and the verdict. Between `reply.rs` and `referee.rs`.

use super::event::{Reason, Verdict};
use super::extraction::{self, Declaration};
use crate::judge::job::{Job, Judgement, RunVerdict};
use crate::puzzles::{CodeTask, Puzzle, Reading, TARGETS};
use crate::text::shown;

/// How much of what was read an event keeps, in characters.
const READ_CHARS_MAX: usize = 200;

/// A text to read answers from.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The visible answer.
    pub(crate) text: String,
    /// Whether it came to its own end.
    pub(crate) whole: bool,
}

/// One shot, before it has a number.
#[derive(Debug, Clone)]
pub(crate) struct Shot {
    pub(crate) verdict: Verdict,
    pub(crate) reason: Reason,
    pub(crate) read: Option<String>,
    pub(crate) rule: Option<String>,
    pub(crate) detail: Option<String>,
    pub(crate) fuel: Option<u64>,
}

impl Shot {
    fn absent(reason: Reason) -> Self {
        Self { verdict: Verdict::Miss, reason, read: None, rule: None, detail: None, fuel: None }
    }
}

/// Five misses for one reason.
pub(crate) fn no_shots(reason: Reason) -> Vec<Shot> {
    vec![Shot::absent(reason); TARGETS]
}

/// Shoots at the targets of a puzzle. Earlier sources go before later ones; `absent` is the reason where none has a line.
pub(crate) fn shoot_lines(puzzle: &dyn Puzzle, sources: &[Source], absent: Reason) -> Vec<Shot> {
    let read: Vec<Vec<Declaration>> =
        sources.iter().map(|it| extraction::declarations(&it.text, it.whole)).collect();
    (0..TARGETS)
        .map(|target| {
            let declared = read.iter().map(|all| all.iter().filter(move |it| it.target == target));
            let mut unreadable = None;
            for source in declared {
                // The last line that the family can read counts; one that it cannot read never hides an earlier one.
                for declaration in source.rev() {
                    match puzzle.check(target, &declaration.value) {
                        Reading::Hit => return shot_at(declaration, Reason::Hit, None),
                        Reading::Wrong(why) => {
                            return shot_at(declaration, Reason::Wrong, Some(why));
                        }
                        Reading::Unreadable(why) => {
                            unreadable.get_or_insert((declaration, why));
                        }
                    }
                }
            }
            match unreadable {
                Some((declaration, why)) => shot_at(declaration, Reason::Unreadable, Some(why)),
                None => Shot::absent(absent),
            }
        })
        .collect()
}

/// Finds the code that is to be judged, and the rule that found it.
pub(crate) fn find_code(task: &CodeTask, sources: &[Source]) -> Option<(Job, &'static str)> {
    sources.iter().find_map(|source| {
        let (code, rule) = extraction::code(&source.text, task.function, source.whole)?;
        let inputs = task.inputs.to_vec();
        Some((Job { code, function: task.function.to_owned(), inputs }, rule))
    })
}

/// Shoots with what the sandbox returned. Nothing when it did not return one run for each target.
pub(crate) fn shoot_code(task: &CodeTask, judgement: &Judgement, rule: &str) -> Option<Vec<Shot>> {
    if judgement.runs.len() != TARGETS {
        return None;
    }
    let shots = judgement.runs.iter().zip(&task.expected).map(|(run, expected)| {
        let hit = run.verdict == RunVerdict::Ok && run.value.as_ref() == Some(expected);
        let reason = match run.verdict {
            RunVerdict::Ok if hit => Reason::Hit,
            RunVerdict::Ok => Reason::Wrong,
            RunVerdict::CodeError => Reason::CodeError,
            RunVerdict::CodeLimit => Reason::CodeLimit,
            RunVerdict::Refused => Reason::Refused,
        };
        Shot {
            verdict: if hit { Verdict::Hit } else { Verdict::Miss },
            reason,
            read: run.value.as_ref().map(|value| shown(&value.to_string(), READ_CHARS_MAX)),
            rule: Some(rule.to_owned()),
            detail: run.error.as_ref().map(|error| shown(error, READ_CHARS_MAX)),
            fuel: Some(run.fuel),
        }
    });
    Some(shots.collect())
}

fn shot_at(declaration: &Declaration, reason: Reason, detail: Option<String>) -> Shot {
    Shot {
        verdict: if reason == Reason::Hit { Verdict::Hit } else { Verdict::Miss },
        reason,
        read: Some(shown(&declaration.value, READ_CHARS_MAX)),
        rule: Some(declaration.rule.to_owned()),
        detail: detail.map(|detail| shown(&detail, READ_CHARS_MAX)),
        fuel: None,
    }
}
