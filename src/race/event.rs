//! The vocabulary of a race: what the referee says happened, as log.jsonl keeps it. Read by `fold.rs` and by every view.

use super::input::Host;
use super::measure::Measured;
use crate::format::Format;
use crate::lane::chunk::{Channel, Failure};
use crate::lane::request::Purpose;
use crate::puzzles::Kind;
use crate::season::SeasonStatus;
use serde::{Deserialize, Serialize};

/// One event of a race. Ranges, legs and targets are numbered from 1; times are milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The race begins.
    Start(Box<Started>),
    /// The fixed prompt was timed, before the start or after the finish.
    Zeroing {
        /// Whether this is the one after the finish.
        after: bool,
        /// From request to first token.
        first_token_ms: Option<u64>,
        /// Decode rate in thousandths of a token a second, where the server reported tokens.
        decode_mtps: Option<u64>,
        /// Tokens of the reply as the server reported them.
        completion_tokens: Option<u64>,
        /// What went wrong, if anything.
        failure: Option<Failure>,
    },
    /// A leg is skied; the race clock moves by its time.
    Leg {
        /// Which leg.
        leg: u32,
        /// Its fixed time.
        leg_ms: u64,
    },
    /// The lane comes to a range.
    RangeStart {
        /// Which range.
        range: u32,
        /// The task's family.
        family: String,
        /// Puzzle or code.
        kind: Kind,
        /// The task's level.
        level: u8,
        /// How many targets stand there.
        targets: u32,
        /// The thinking limit, if this level has one.
        buzzer_ms: Option<u64>,
        /// SHA-256 of the task's prompt.
        prompt_sha256: String,
    },
    /// The prompt was handed to the network: the thinking clock runs.
    Request {
        /// Which range.
        range: u32,
        /// The main request or the forced answer.
        purpose: Purpose,
        /// The token limit asked for.
        limit_tokens: u64,
        /// Whether the lane was asked to think.
        thinking: bool,
    },
    /// The first text of the reply, on either channel.
    FirstToken {
        /// Which range.
        range: u32,
        /// Which request.
        purpose: Purpose,
        /// Since that request.
        after_ms: u64,
        /// Where it came.
        channel: Channel,
    },
    /// The first text of the visible answer after reasoning.
    ReasoningEnd {
        /// Which range.
        range: u32,
        /// Since the request.
        after_ms: u64,
    },
    /// The thinking limit passed and the stream was cut.
    Buzzer {
        /// Which range.
        range: u32,
        /// The limit.
        limit_ms: u64,
        /// How much later the referee was told; never charged.
        overrun_ms: u64,
    },
    /// The thinking clock stops.
    Answer {
        /// Which range.
        range: u32,
        /// How the answer came.
        answer: Answer,
        /// Thinking time of the range.
        thinking_ms: u64,
        /// The server's word for why the reply ended.
        finish_reason: Option<String>,
        /// Tokens of the main reply as the server reported them; nothing where it did not.
        tokens: Option<Tokens>,
        /// The limit that ended the reply, if one did.
        limit: Option<Limit>,
        /// What the server or the network failed with.
        failure: Option<Failure>,
        /// What was measured of the main reply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measured: Option<Box<Measured>>,
        /// What was measured of the forced answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forced: Option<Box<Measured>>,
    },
    /// One target is shot at.
    Shot {
        /// Which range.
        range: u32,
        /// Which target.
        target: u32,
        /// Hit or miss.
        verdict: Verdict,
        /// Why.
        reason: Reason,
        /// The text that was read, cut to 200 characters; for code, the value that came back.
        read: Option<String>,
        /// The rule that read it.
        rule: Option<String>,
        /// What is wrong with it, in a few words.
        detail: Option<String>,
        /// Fuel that the code used.
        fuel: Option<u64>,
    },
    /// One penalty loop is skied for a miss.
    Penalty {
        /// Which range.
        range: u32,
        /// The target that was missed.
        target: u32,
        /// The loop's time.
        loop_ms: u64,
    },
    /// The lane leaves the range.
    RangeEnd {
        /// Which range.
        range: u32,
        /// Targets hit.
        hits: u32,
        /// Penalty loops.
        loops: u32,
        /// Time of the loops.
        loops_ms: u64,
        /// Thinking time.
        thinking_ms: u64,
        /// Thinking, overhead and loops.
        range_ms: u64,
    },
    /// After a cut stream the lane was awaited outside the race clock.
    Idle {
        /// The range before.
        range: u32,
        /// How long it took; never charged.
        waited_ms: u64,
        /// Probes sent.
        probes: u32,
        /// Whether the lane came back to its normal speed in time.
        ready: bool,
    },
    /// Another process on the lane's host was busy while the lane was thinking.
    Load {
        /// Which range.
        range: u32,
        /// The process, by name.
        process: String,
        /// Its share, in percent of a core.
        percent: u32,
    },
    /// Something makes the race's times doubtful: it stands, and is not ranked.
    Disturbed {
        /// What.
        why: Disturbance,
        /// How much: milliseconds for a clock, percent for a drift or a load, 0 for what is not known.
        by: u64,
    },
    /// The race is over.
    Finish {
        /// The finish time.
        finish_ms: u64,
        /// Time of all legs.
        course_ms: u64,
        /// Targets hit.
        hits: u32,
        /// Penalty loops.
        loops: u32,
        /// Thinking time of all ranges.
        thinking_ms: u64,
    },
    /// Somebody stopped the race before its finish.
    Abandoned {
        /// The range that was on, or the last one left.
        range: u32,
    },
    /// The race broke for a reason outside the lane, and does not use up the attempt.
    Void {
        /// The reason.
        why: String,
    },
}

/// What the start event says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Started {
    /// The format of the log.
    pub format: Format,
    /// The program and its version.
    pub engine: String,
    /// The race's id.
    pub race: String,
    /// The season's name.
    pub season: String,
    /// Whether results of the season are ranked.
    pub season_status: SeasonStatus,
    /// SHA-256 of season.toml.
    pub season_sha256: String,
    /// The season's seed.
    pub seed: u64,
    /// The version of everything that a lane reads.
    pub prompt_version: String,
    /// Who races.
    pub lane: LaneFacts,
    /// SHA-256 of lane.toml.
    pub lane_sha256: String,
    /// The memory class, by the rig's memory.
    pub memory_class_gb: u64,
    /// Which attempt it is.
    pub attempt: u32,
    /// How many ranges the course has.
    pub ranges: u32,
    /// The race-unique text at the head of every prompt.
    pub nonce: String,
    /// The machine that ran the engine.
    pub host: Option<Host>,
    /// `true` where the judge was told to run code also where its system does not confine it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unconfined: Option<bool>,
}

/// Who races, as results name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LaneFacts {
    /// The lane's name.
    pub name: String,
    /// The model as the lane file names it.
    pub model: String,
    /// The rig's memory in GB.
    pub memory_gb: u64,
}

/// How the answer of a range came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The reply ended by itself before the buzzer.
    Complete,
    /// The buzzer went, and the forced answer came inside its window.
    Forced,
    /// The reply ran into its token limit.
    CutOff,
    /// No answer in time, or the server failed.
    None,
}

/// Hit or miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The target falls.
    Hit,
    /// A penalty loop.
    Miss,
}

/// Why a target was hit or missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Right.
    Hit,
    /// Read and wrong.
    Wrong,
    /// An answer is there, the rule cannot read it.
    Unreadable,
    /// No line for this target.
    Missing,
    /// The token limit ended the reply first.
    CutOff,
    /// The hard stop ended the range.
    TooLate,
    /// No code that defines the function.
    NoCode,
    /// The code does not compile, or raises.
    CodeError,
    /// The code ran into a limit of time or memory.
    CodeLimit,
    /// The code tried what the sandbox forbids.
    Refused,
    /// The server or the network failed.
    ServerError,
}

impl Reason {
    /// The word in files and on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Wrong => "wrong",
            Self::Unreadable => "unreadable",
            Self::Missing => "missing",
            Self::CutOff => "cut off",
            Self::TooLate => "too late",
            Self::NoCode => "no code",
            Self::CodeError => "code error",
            Self::CodeLimit => "code limit",
            Self::Refused => "refused",
            Self::ServerError => "server error",
        }
    }
}

/// Token counts as the server reported them, each missing where it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Of the prompt.
    pub prompt: Option<u64>,
    /// Of the prompt, taken from a cache.
    pub cached: Option<u64>,
    /// Of reasoning and answer together.
    pub completion: Option<u64>,
    /// Of the reasoning alone.
    pub reasoning: Option<u64>,
}

/// A limit that fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Its name: `buzzer`, `window` or `answer_limit_tokens`.
    pub name: String,
    /// Its value, in milliseconds or tokens.
    pub value: u64,
    /// By how much the reply overran it when the referee was told, in milliseconds; 0 for tokens.
    pub overrun_ms: u64,
}

/// What made a race's times doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Disturbance {
    /// Wall clock and monotonic clock parted inside a range (suspend, or a clock that was set).
    Clocks,
    /// The lane's decode rate after the finish is not what it was before the start.
    Drift,
    /// The decode rate was known before the start and could not be measured after the finish.
    DriftUnknown,
    /// After a cut the lane did not come back to its normal speed in time.
    Busy,
    /// Another process on the lane's host was busy in two samples in a row during a range.
    Load,
}

impl Disturbance {
    /// A sentence for people.
    #[must_use]
    pub fn sentence(self, by: u64) -> String {
        match self {
            Self::Clocks => format!("wall clock and race clock parted by {by} ms inside a range"),
            Self::Drift => format!("the decode rate drifted by {by} % from start to finish"),
            Self::DriftUnknown => {
                String::from("the decode rate could not be measured again after the finish")
            }
            Self::Load => format!("another process took {by} % of a core during a range"),
            Self::Busy => format!("the lane was still busy {by} ms after a cut reply"),
        }
    }
}
