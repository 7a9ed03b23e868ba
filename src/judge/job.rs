//! What the judge is asked and what it answers: plain data, no sandbox in sight.
//!
//! Everything here is pure (serde only), so the referee, the log and `verify` can hold a
//! [`Judgement`] without the machinery that makes one. The machinery is the rest of
//! `src/judge`, behind the feature `cli`. Expected values are no part of a [`Job`]: they never
//! enter the sandbox, the referee compares.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One code answer and the calls to make with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The Python source of the answer.
    pub code: String,
    /// The function to call.
    pub function: String,
    /// One entry a call; each holds the positional arguments.
    pub inputs: Vec<Vec<Value>>,
}

/// How one call ended.
///
/// The rule, in the order in which it is applied:
///
/// 1. The fuel, the memory or the stack ran out, the engine trapped, a `MemoryError` was not
///    caught, or the value is larger than 1 MiB: [`CodeLimit`](RunVerdict::CodeLimit).
/// 2. The run ended with an exception that the sandbox raised because the code tried something
///    forbidden (a file, a socket, a process, a thread, `ctypes` …), or with one raised while
///    that one was handled: [`Refused`](RunVerdict::Refused). An attempt that the code survives
///    by itself changes nothing.
/// 3. Any other way of not returning a plain value (does not compile, raises, has no such
///    function, `sys.exit`, `os._exit`, a set, NaN …): [`CodeError`](RunVerdict::CodeError).
/// 4. Otherwise [`Ok`](RunVerdict::Ok), with the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunVerdict {
    /// A plain value came back. Whether it is the right one is for the referee.
    Ok,
    /// The code does not compile, raises, leaves, or returns something that is not plain.
    CodeError,
    /// The code used up its fuel, memory or stack, or returned too much.
    CodeLimit,
    /// The code tried something the sandbox forbids.
    Refused,
}

/// What one call gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// How it ended.
    pub verdict: RunVerdict,
    /// The value, if the verdict is [`RunVerdict::Ok`]; `Some(Null)` is Python's `None`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Value>,
    /// What went wrong, one line of at most 300 characters, e.g.
    /// `NameError: name 'x' is not defined (line 3)`. Written in part by untrusted code: escape it before showing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Instructions used, as the engine counts them: the same on every run and machine.
    pub fuel: u64,
}

/// A field that is there holds a value, even if that is `null`: Python's `None` stays apart from
/// "no value".
fn present<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(input).map(Some)
}

/// What the sandbox says about a [`Job`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// Engine and interpreter with their versions.
    pub engine: String,
    /// SHA-256 of the WebAssembly image (interpreter, library and driver) that judged.
    pub image_sha256: String,
    /// Whether the operating system confined the judging process beside the WebAssembly boundary.
    pub confined: bool,
    /// What confines it, by name, in the order in which it was set up.
    pub confinement: Vec<String>,
    /// One entry for each input of the job.
    pub runs: Vec<Run>,
}
