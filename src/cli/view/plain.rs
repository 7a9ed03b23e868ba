//! Plain mode: one event a line with the race clock, no escapes; complete enough for a screen reader and for CI. Used by
//! `gauntlet race` off a terminal and with `--plain`, and by replay.

use super::look::title;
use crate::cli::out::{counted, seconds};
use crate::lane::request::Purpose;
use crate::race::event::{Answer, Event, Limit, Reason, Started, Verdict};
use crate::race::line::LogLine;
use crate::season::SeasonStatus;
use crate::text::shown;
use std::collections::BTreeSet;

/// How much of a name or of what was read a line shows, in characters.
const SHOWN_CHARS: usize = 100;

/// Tells a race line by line.
#[derive(Debug, Clone, Default)]
pub struct Plain {
    /// How many ranges the course has, as the start says.
    ranges: u32,
    /// The latest race clock that was told.
    last_ms: u64,
    /// Whether the race is over.
    over: bool,
    /// The penalty loops of the current range so far.
    loops: u32,
    /// The processes whose load was told in the current range: the log has a sample each half second.
    loaded: BTreeSet<String>,
}

impl Plain {
    /// A race that has not begun.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The line for an event, without its line end; nothing for one that the next line says as well.
    pub fn line(&mut self, line: &LogLine) -> Option<String> {
        // A race that broke off inside a range is logged at the clock of its last split, and time never goes back here.
        self.last_ms = self.last_ms.max(line.race_ms);
        if let Event::Start(start) = &line.event {
            self.ranges = start.ranges;
            return Some(heading(start));
        }
        let words = self.words(&line.event)?;
        Some(stamped(self.last_ms, &words))
    }

    /// The line after the last event of a log that ends before the race did; nothing after one that ended.
    #[must_use]
    pub fn cut_short(&self) -> Option<String> {
        let words = "unfinished: the log ends here, before the race was over";
        (!self.over).then(|| stamped(self.last_ms, words))
    }

    fn words(&mut self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Start(_) | Event::Request { .. } => return None,
            Event::FirstToken { purpose, .. } if *purpose != Purpose::Main => return None,
            Event::Zeroing { after, first_token_ms, decode_mtps, failure, .. } => {
                let when = if *after { "after the finish" } else { "before the start" };
                let speed = speed(*first_token_ms, *decode_mtps);
                match failure {
                    Some(failure) => {
                        format!("zeroing {when} failed: {}", shown(&failure.message, SHOWN_CHARS))
                    }
                    None => format!("zeroing {when}: {speed}"),
                }
            }
            Event::Leg { leg, leg_ms } => {
                let legs = self.ranges.saturating_add(1);
                format!("leg {leg}/{legs}, {} s", seconds(*leg_ms))
            }
            Event::RangeStart { range, family, kind, level, buzzer_ms, .. } => {
                self.loops = 0;
                self.loaded.clear();
                let buzzer = buzzer_ms
                    .map_or_else(String::new, |ms| format!(", buzzer at {} s", seconds(ms)));
                format!(
                    "{} {} ({kind} L{level}): thinking{buzzer}",
                    self.range(*range),
                    title(family)
                )
            }
            Event::FirstToken { range, after_ms, .. } => {
                format!("{} first token after {} s", self.range(*range), seconds(*after_ms))
            }
            Event::ReasoningEnd { range, after_ms } => {
                format!(
                    "{} reasoning ends after {} s, answer begins",
                    self.range(*range),
                    seconds(*after_ms)
                )
            }
            Event::Buzzer { range, limit_ms, .. } => format!(
                "{} buzzer after {} s: the lane is asked once more, for its answer alone",
                self.range(*range),
                seconds(*limit_ms)
            ),
            Event::Answer { range, answer, thinking_ms, limit, failure, .. } => {
                let failure = failure.as_ref().map(|it| it.message.as_str());
                let how = answered(*answer, limit.as_ref(), failure);
                format!("{} {how} after {} s", self.range(*range), seconds(*thinking_ms))
            }
            Event::Shot { range, target, verdict, reason, read, detail, .. } => {
                let shot = shot(*verdict, *reason, read.as_deref(), detail.as_deref());
                format!("{} target {target} {shot}", self.range(*range))
            }
            Event::Penalty { range, target, loop_ms } => {
                self.loops = self.loops.saturating_add(1);
                let (range, number) = (self.range(*range), self.loops);
                format!(
                    "{range} penalty loop {number}, {} s, for target {target}",
                    seconds(*loop_ms)
                )
            }
            Event::RangeEnd { range, hits, loops, loops_ms, range_ms, .. } => format!(
                "{} hits {hits}/{}, loops {loops}, penalty {} s, range {} s",
                self.range(*range),
                u64::from(*hits).saturating_add(u64::from(*loops)),
                seconds(*loops_ms),
                seconds(*range_ms)
            ),
            Event::Idle { range, waited_ms, probes, ready } => format!(
                "{} lane {} after {} s and {}, not charged",
                self.range(*range),
                if *ready { "ready again" } else { "still busy" },
                seconds(*waited_ms),
                counted(*probes, "probe")
            ),
            Event::Load { process, percent, .. } => {
                if !self.loaded.insert(process.clone()) {
                    return None;
                }
                format!("another process, {}, takes {percent} % of a core", shown(process, 64))
            }
            Event::Disturbed { why, by } => {
                format!("disturbed, so not ranked: {}", why.sentence(*by))
            }
            Event::Finish { finish_ms, hits, loops, thinking_ms, .. } => {
                self.over = true;
                format!(
                    "finish {} s, hits {hits}/{}, loops {loops}, thinking {} s",
                    seconds(*finish_ms),
                    u64::from(*hits).saturating_add(u64::from(*loops)),
                    seconds(*thinking_ms)
                )
            }
            Event::Abandoned { range } => {
                self.over = true;
                format!("unfinished: the race was stopped at {}", self.range(*range))
            }
            Event::Void { why } => {
                self.over = true;
                format!("void, and no attempt used up: {}", shown(why, 2 * SHOWN_CHARS))
            }
        })
    }

    fn range(&self, range: u32) -> String {
        format!("range {range}/{}", self.ranges)
    }
}

fn stamped(race_ms: u64, words: &str) -> String {
    format!("[{:>6}] {words}", seconds(race_ms))
}

fn heading(start: &Started) -> String {
    let name = shown(&start.lane.name, SHOWN_CHARS);
    let model = match shown(&start.lane.model, SHOWN_CHARS) {
        model if model.is_empty() => model,
        model => format!(", model {model}"),
    };
    let preview = match start.season_status {
        SeasonStatus::Ranked => "",
        SeasonStatus::Preview => " (preview, not ranked)",
    };
    // No raced attempt has the number 0: these are published results.
    let attempt = match start.attempt {
        0 => String::from("published"),
        attempt => format!("attempt {attempt}"),
    };
    format!(
        "gauntlet race: {name}{model}, {} GB class, season {}{preview}, {attempt}",
        start.memory_class_gb,
        shown(&start.season, SHOWN_CHARS)
    )
}

/// A lane's speed in words.
pub(crate) fn speed(first_token_ms: Option<u64>, decode_mtps: Option<u64>) -> String {
    let first = first_token_ms.map(|ms| format!("first token after {} s", hundredths(ms)));
    let decode = decode_mtps.map(|mtps| format!("{} tokens a second", seconds(mtps)));
    let known: Vec<String> = [decode, first].into_iter().flatten().collect();
    if known.is_empty() { String::from("the server reports no figures") } else { known.join(", ") }
}

/// Seconds to a hundredth: a first token is often faster than a tenth.
pub(super) fn hundredths(ms: u64) -> String {
    let hundredths = ms.saturating_add(5) / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// How an answer came, in short, before "after 8.8 s".
pub(crate) fn how_answered(answer: Answer) -> String {
    answered(answer, None, None)
}

/// How an answer came, before "after 8.8 s".
fn answered(answer: Answer, limit: Option<&Limit>, failure: Option<&str>) -> String {
    match (answer, limit, failure) {
        (_, _, Some(failure)) => {
            format!("no whole answer, the server failed ({})", shown(failure, SHOWN_CHARS))
        }
        (Answer::Complete, ..) => String::from("answered"),
        (Answer::Forced, ..) => String::from("forced answer in time,"),
        (Answer::CutOff, Some(limit), _) => format!("cut off at {} tokens", limit.value),
        (Answer::CutOff, None, _) => String::from("cut off"),
        (Answer::None, ..) => String::from("no answer in time, hard stop"),
    }
}

/// A shot, after its target: hit, or the miss and why.
fn shot(verdict: Verdict, reason: Reason, read: Option<&str>, detail: Option<&str>) -> String {
    let mut words = match verdict {
        Verdict::Hit => return String::from("hit"),
        Verdict::Miss => format!("miss: {}", reason.word()),
    };
    if let Some(read) = read {
        // A log keeps what was read written out already, but the log may be anybody's.
        words += &format!(", read \"{}\"", shown(read, SHOWN_CHARS));
    }
    if let Some(detail) = detail {
        words += &format!(", {}", shown(detail, SHOWN_CHARS));
    }
    words
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
