//! What can happen to a race: the inputs of the referee, as io.jsonl keeps them. Made by the drivers, read by `referee.rs`.

use crate::format::Format;
use crate::judge::job::Judgement;
use crate::lane::chunk::Chunk;
use crate::lane::request::Purpose;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that happened to a race.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Input {
    /// The race begins.
    Start {
        /// What is raced, by whom, on what.
        start: Start,
    },
    /// A request was handed to the network; the stamp of this input is where its clock begins.
    Request {
        /// What the request is for.
        purpose: Purpose,
        /// The body as sent. No key or secret is ever part of it.
        body: Value,
    },
    /// Something of a reply arrived.
    Chunk {
        /// What arrived.
        chunk: Chunk,
    },
    /// A timer woke the driver. Whether anything is late is the referee's to say.
    Tick,
    /// Another process on the host of engine and server was busy: over a quarter of a core since the sample before.
    Load {
        /// The number of the sample; those below the bound are counted and not kept.
        sample: u64,
        /// The busiest other process, by name.
        process: String,
        /// Its share, in percent of a core.
        percent: u32,
    },
    /// The sandbox ran the code of an answer.
    Judged {
        /// What came back for the five inputs.
        judgement: Judgement,
    },
    /// The sandbox itself failed, which says nothing about the answer.
    JudgeFailed {
        /// What it said.
        message: String,
    },
    /// Somebody stopped the race.
    Interrupt,
}

/// The facts of a race that no later input changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The format of the io file.
    pub format: Format,
    /// The program and its version.
    pub engine: String,
    /// The race's id, `SEASON-LANE-attemptN`.
    pub race: String,
    /// Which attempt of this lane in this season it is, from 1.
    pub attempt: u32,
    /// A line that no other race has, at the head of every prompt, so that no prompt cache can help.
    pub nonce: String,
    /// SHA-256 of season.toml, in hex.
    pub season_sha256: String,
    /// SHA-256 of lane.toml, in hex.
    pub lane_sha256: String,
    /// The revision of the referee's rules, [`RULES`] in a new race. Absent in the first, and in a simulated race, which
    /// knows no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u32>,
    /// The machine that ran the engine; nothing for a simulated race.
    pub host: Option<Host>,
    /// `true` where the judge was told to run code also where its system does not confine it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unconfined: Option<bool>,
}

/// The newest revision of the referee's rules. The second one stops a clock at the finish reason, disturbs a race whose
/// drift cannot be known, and measures each reply.
pub const RULES: u32 = 2;

/// The machine that ran the engine (not the one that ran the model, unless they are the same).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Operating system and version.
    pub os: String,
    /// Processor architecture.
    pub arch: String,
    /// Processor name.
    pub cpu: String,
    /// Logical cores.
    pub cores: u32,
    /// Memory in GB of 10^9 bytes, rounded.
    pub memory_gb: u64,
    /// `false` where the lane runs on this machine and foreign load is not watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_watched: Option<bool>,
    /// What one request costs besides the lane, in microseconds: measured before the start against a server in the same
    /// process that answers at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_us: Option<u64>,
}
