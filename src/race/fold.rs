//! The result of a race: a fold over its log, and nothing else. Read by rank, verify and every view.

use super::event::{Answer, Disturbance, Event, Reason, Started, Tokens, Verdict};
use super::line::LogLine;
use super::measure::Measured;
use crate::format::{self, Format};
use crate::puzzles::Kind;
use crate::season::SeasonStatus;
use serde::{Deserialize, Serialize};

/// What result.json says. Times are milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RaceResult {
    /// The format of the file.
    pub format: Format,
    /// The race's id.
    pub race: String,
    /// The season's name.
    pub season: String,
    /// Whether the season's results are ranked.
    pub season_status: SeasonStatus,
    /// The season's seed.
    pub seed: u64,
    /// The version of everything that the lane read.
    pub prompt_version: String,
    /// Who raced.
    pub lane: Lane,
    /// The memory class.
    pub memory_class_gb: u64,
    /// Which attempt of the lane it was.
    pub attempt: u32,
    /// How it ended.
    pub status: Status,
    /// Why, when it is void or disturbed: one sentence each.
    pub notes: Vec<String>,
    /// The ranges, in their order, as far as the race came.
    pub ranges: Vec<RangeResult>,
    /// Time of the legs.
    pub course_ms: u64,
    /// Targets hit.
    pub hits: u32,
    /// Targets shot at.
    pub targets: u32,
    /// Penalty loops.
    pub loops: u32,
    /// Time of the loops.
    pub loops_ms: u64,
    /// Thinking time.
    pub thinking_ms: u64,
    /// Ranges in which the buzzer went.
    pub buzzers: u32,
    /// Targets missed because the token limit ended the reply.
    pub cut_off: u32,
    /// The finish time; nothing when the race did not finish.
    pub finish_ms: Option<u64>,
    /// The lane's speed as the zeroing before the start measured it.
    pub speed: Option<Speed>,
    /// What one request costs besides the lane, in microseconds: the harness against a server that answers at once, on this
    /// machine before the start. Charged like everything between request and answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_us: Option<u64>,
    /// SHA-256 of season.toml.
    pub season_sha256: String,
    /// SHA-256 of lane.toml.
    pub lane_sha256: String,
    /// SHA-256 of log.jsonl.
    pub log_sha256: String,
    /// SHA-256 of io.jsonl.
    pub io_sha256: String,
}

/// Who raced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// The lane's name.
    pub name: String,
    /// The model.
    pub model: String,
    /// The rig's memory in GB.
    pub memory_gb: u64,
}

/// How a race ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It finished, and its times stand.
    Finished,
    /// It was stopped, or its log ends early.
    Unfinished,
    /// It broke for a reason outside the lane and does not use up the attempt.
    Void,
    /// It finished, but something made its times doubtful: not ranked.
    Disturbed,
}

impl Status {
    /// The word in files and on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Unfinished => "unfinished",
            Self::Void => "void",
            Self::Disturbed => "disturbed",
        }
    }
}

/// One range of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RangeResult {
    /// The task's family.
    pub family: String,
    /// Puzzle or code.
    pub kind: Kind,
    /// The task's level.
    pub level: u8,
    /// The five targets, in their order, as far as they were shot at.
    pub targets: Vec<TargetResult>,
    /// Targets hit.
    pub hits: u32,
    /// Thinking time.
    pub thinking_ms: u64,
    /// Whether the buzzer went.
    pub buzzer: bool,
    /// How the answer came.
    pub answer: Answer,
    /// Penalty loops.
    pub loops: u32,
    /// Their time.
    pub loops_ms: u64,
    /// Thinking, overhead and loops.
    pub range_ms: u64,
    /// From request to first token of the main reply.
    pub first_token_ms: Option<u64>,
    /// From request to the first text of the visible answer, where reasoning went before it.
    pub reasoning_ms: Option<u64>,
    /// Token counts of the main reply as the server reported them.
    pub tokens: Option<Tokens>,
    /// Tokens and speeds of the main reply, each with its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// The same of the forced answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Measured>,
}

/// One target of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TargetResult {
    /// Hit or miss.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
}

/// The speed line of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// From request to first token of the zeroing prompt.
    pub first_token_ms: Option<u64>,
    /// Decode rate in thousandths of a token a second; nothing when the server reports no tokens.
    pub decode_mtps: Option<u64>,
}

/// SHA-256 of the raw files, which a result names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    /// Of log.jsonl.
    pub log_sha256: String,
    /// Of io.jsonl.
    pub io_sha256: String,
}

/// Folds a log into its result; nothing when the log has no start. A log that ends anywhere gives an unfinished race.
#[must_use]
pub fn fold<'a>(log: impl IntoIterator<Item = &'a LogLine>, hashes: &Hashes) -> Option<RaceResult> {
    let mut folding = Folding::default();
    log.into_iter().for_each(|line| folding.take(&line.event));
    folding.result(hashes)
}

/// The same fold one event at a time, for logs that nobody holds in memory.
#[derive(Debug, Clone, Default)]
pub struct Folding {
    began: bool,
    result: Option<RaceResult>,
}

impl Folding {
    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        match (event, &mut self.result) {
            (Event::Start(start), None) if !self.began => self.result = Some(empty(start)),
            (_, Some(result)) => take(result, event),
            (_, None) => {}
        }
        self.began = true;
    }

    /// The result of what was taken, with the digests of the files that it came from.
    #[must_use]
    pub fn result(self, hashes: &Hashes) -> Option<RaceResult> {
        let Hashes { log_sha256, io_sha256 } = hashes.clone();
        self.result.map(|result| RaceResult { log_sha256, io_sha256, ..result })
    }
}

/// The result of a race that began and did nothing yet.
fn empty(start: &Started) -> RaceResult {
    RaceResult {
        format: if start.format.minor == 0 {
            format::RESULT.first()
        } else {
            format::RESULT.written()
        },
        race: start.race.clone(),
        season: start.season.clone(),
        season_status: start.season_status,
        seed: start.seed,
        prompt_version: start.prompt_version.clone(),
        lane: Lane {
            name: start.lane.name.clone(),
            model: start.lane.model.clone(),
            memory_gb: start.lane.memory_gb,
        },
        memory_class_gb: start.memory_class_gb,
        attempt: start.attempt,
        status: Status::Unfinished,
        notes: Vec::new(),
        ranges: Vec::new(),
        course_ms: 0,
        hits: 0,
        targets: 0,
        loops: 0,
        loops_ms: 0,
        thinking_ms: 0,
        buzzers: 0,
        cut_off: 0,
        finish_ms: None,
        speed: None,
        overhead_us: start.host.as_ref().and_then(|host| host.overhead_us),
        season_sha256: start.season_sha256.clone(),
        lane_sha256: start.lane_sha256.clone(),
        log_sha256: String::new(),
        io_sha256: String::new(),
    }
}

fn take(result: &mut RaceResult, event: &Event) {
    match event {
        Event::Zeroing { after: false, first_token_ms, decode_mtps, failure: None, .. } => {
            let (first_token_ms, decode_mtps) = (*first_token_ms, *decode_mtps);
            result.speed = Some(Speed { first_token_ms, decode_mtps });
        }
        Event::Leg { leg_ms, .. } => result.course_ms = result.course_ms.saturating_add(*leg_ms),
        Event::RangeStart { family, kind, level, .. } => result.ranges.push(RangeResult {
            family: family.clone(),
            kind: *kind,
            level: *level,
            targets: Vec::new(),
            hits: 0,
            thinking_ms: 0,
            buzzer: false,
            answer: Answer::None,
            loops: 0,
            loops_ms: 0,
            range_ms: 0,
            first_token_ms: None,
            reasoning_ms: None,
            tokens: None,
            measured: None,
            forced: None,
        }),
        Event::Disturbed { why, by } => take_disturbance(result, *why, *by),
        Event::Finish { finish_ms, .. } => {
            result.finish_ms = Some(*finish_ms);
            if result.status == Status::Unfinished {
                result.status = Status::Finished;
            }
        }
        Event::Void { why } => {
            result.status = Status::Void;
            result.notes.push(why.clone());
        }
        _ => take_of_range(result, event),
    }
}

fn take_disturbance(result: &mut RaceResult, why: Disturbance, by: u64) {
    result.status = Status::Disturbed;
    result.notes.push(why.sentence(by));
}

fn take_of_range(result: &mut RaceResult, event: &Event) {
    let Some(range) = result.ranges.last_mut() else { return };
    match event {
        Event::FirstToken { after_ms, .. } => {
            range.first_token_ms.get_or_insert(*after_ms);
        }
        Event::ReasoningEnd { after_ms, .. } => range.reasoning_ms = Some(*after_ms),
        Event::Buzzer { .. } => {
            range.buzzer = true;
            result.buzzers += 1;
        }
        Event::Answer { answer, thinking_ms, tokens, measured, forced, .. } => {
            range.measured = measured.as_deref().copied();
            range.forced = forced.as_deref().copied();
            range.answer = *answer;
            range.thinking_ms = *thinking_ms;
            range.tokens = *tokens;
            result.thinking_ms = result.thinking_ms.saturating_add(*thinking_ms);
        }
        Event::Shot { verdict, reason, .. } => {
            range.targets.push(TargetResult { verdict: *verdict, reason: *reason });
            result.targets += 1;
            if *verdict == Verdict::Hit {
                range.hits += 1;
                result.hits += 1;
            }
            if *reason == Reason::CutOff {
                result.cut_off += 1;
            }
        }
        Event::Penalty { loop_ms, .. } => {
            range.loops += 1;
            range.loops_ms = range.loops_ms.saturating_add(*loop_ms);
            result.loops += 1;
            result.loops_ms = result.loops_ms.saturating_add(*loop_ms);
        }
        Event::RangeEnd { range_ms, .. } => range.range_ms = *range_ms,
        _ => {}
    }
}

impl RaceResult {
    /// The file's text: indented JSON with a line end.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A result holds no map with other keys than strings: writing one cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether its finish time counts for a rank.
    #[must_use]
    pub fn is_ranked(&self) -> bool {
        self.status == Status::Finished && self.season_status == SeasonStatus::Ranked
    }
}
