//! The lane file: one server and how to ask it, as a person writes it in `lanes/NAME.toml`.
//!
//! The least file is `name`, `kind`, `memory_gb`, `base_url` and `model`; everything else has a default, documented at its
//! field. `request` writes bodies from it, `http` takes address and limits, `profile` is its `[sim]` section. What the rules
//! of a field are is checked in `file_check`.

use super::file_check;
use super::profile::SimProfile;
use crate::toml_file::{self, FileError};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

/// A lane file that was read and checked.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneFile {
    /// The lane's name in files and tables: a to z, 0 to 9, `.` and `-`, at most 64.
    pub name: String,
    /// The name for people; the same as `name` when it is not given.
    #[serde(default)]
    pub title: String,
    /// What answers.
    pub kind: LaneKind,
    /// Memory of the whole rig in GB; it decides the class.
    pub memory_gb: u64,
    /// Where the server's OpenAI-compatible paths begin, without a slash at the end. Empty for a simulated lane.
    #[serde(default)]
    pub base_url: String,
    /// The model's name as the server knows it. Empty for a simulated lane that names none.
    #[serde(default)]
    pub model: String,
    /// The environment variable that holds the key. The key itself is in no file.
    #[serde(default)]
    pub api_key_env: Option<String>,
    /// The most tokens of an answer, thinking included. 16384 when it is not given.
    #[serde(default = "defaults::answer_limit_tokens")]
    pub answer_limit_tokens: u64,
    /// The name of the token limit in a request. `max_tokens` when it is not given.
    #[serde(default)]
    pub token_limit_field: TokenLimitField,
    /// Seed of the sampling, or of a simulated lane's luck. 42 when it is not given.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// A request field (a dotted path) that is sent as `false` to switch the prompt cache off, or `"none"`, the default.
    #[serde(default, deserialize_with = "none_or_path")]
    pub cache_off: Option<String>,
    /// How an answer is forced after a buzzer. `ask` when it is not given.
    #[serde(default)]
    pub forced: Forced,
    /// Whether other processes are watched while the server runs on this host. `true` when it is not given.
    #[serde(default = "defaults::load_guard")]
    pub load_guard: bool,
    /// Sampling numbers.
    #[serde(default)]
    pub sampling: Sampling,
    /// Whether the model thinks before it answers, and how the server is told.
    #[serde(default)]
    pub thinking: Thinking,
    /// Bounds in time and size.
    #[serde(default)]
    pub limits: Limits,
    /// Fields that go into every request as they are.
    #[serde(default, deserialize_with = "json_table")]
    pub extra: Map<String, Value>,
    /// Fields that go into a forced request that continues the lane's own message (`forced = "continue"`).
    #[serde(default, deserialize_with = "json_table")]
    pub forced_extra: Map<String, Value>,
    /// Facts for readers: nothing here changes a race.
    #[serde(default)]
    pub setup: Setup,
    /// Speed and skill of a simulated lane.
    #[serde(default)]
    pub sim: Option<SimProfile>,
}

/// What answers a lane's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneKind {
    /// A server.
    Http,
    /// A simulated solver inside gauntlet.
    Sim,
}

/// The name under which a server takes the token limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenLimitField {
    /// Nearly every server.
    #[default]
    MaxTokens,
    /// Some hosted servers take only this one.
    MaxCompletionTokens,
}

impl TokenLimitField {
    /// The field's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

/// How an answer is forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forced {
    /// Asked again, with thinking off. Works on every server.
    #[default]
    Ask,
    /// The lane's own partial message goes last and is continued; only for servers that do not end it first.
    Continue,
}

/// Sampling numbers, sent as they were typed (`1.0` stays `1.0`). What is not given is not sent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of the request fields")]
pub struct Sampling {
    pub temperature: Option<Number>,
    pub top_p: Option<Number>,
    pub top_k: Option<Number>,
    pub min_p: Option<Number>,
    pub typical_p: Option<Number>,
    pub presence_penalty: Option<Number>,
    pub frequency_penalty: Option<Number>,
    pub repeat_penalty: Option<Number>,
    pub repetition_penalty: Option<Number>,
}

impl Sampling {
    /// The numbers that are given, with their names.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &Number)> {
        [
            ("temperature", &self.temperature),
            ("top_p", &self.top_p),
            ("top_k", &self.top_k),
            ("min_p", &self.min_p),
            ("typical_p", &self.typical_p),
            ("presence_penalty", &self.presence_penalty),
            ("frequency_penalty", &self.frequency_penalty),
            ("repeat_penalty", &self.repeat_penalty),
            ("repetition_penalty", &self.repetition_penalty),
        ]
        .into_iter()
        .filter_map(|(name, number)| Some((name, number.as_ref()?)))
    }
}

/// Whether the model thinks, and how the server is told.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinking {
    /// What the lane races with: `on` (also for a model that never thinks), or `off`. `on` when it is not given.
    #[serde(default)]
    pub mode: ThinkingMode,
    /// How the server is told. `none` when it is not given: then it is never told.
    #[serde(default)]
    pub switch: Switch,
    /// What is sent to switch thinking on. Not given: `true`; nothing for `reasoning_effort` and `system_prompt`.
    #[serde(default, deserialize_with = "json_value")]
    on: Option<Value>,
    /// What is sent to switch thinking off. Not given: `false`; `"none"` for `reasoning_effort`; `"/no_think"` for `system_prompt`.
    #[serde(default, deserialize_with = "json_value")]
    off: Option<Value>,
}

impl Thinking {
    /// The value that the switch sends, if any.
    #[must_use]
    pub fn value(&self, thinking: bool) -> Option<Value> {
        let given = if thinking { &self.on } else { &self.off };
        given.clone().or_else(|| self.switch.usual(thinking))
    }

    /// The values that the file gives for on and off.
    pub(super) fn given(&self) -> [(&'static str, Option<&Value>); 2] {
        [("on", self.on.as_ref()), ("off", self.off.as_ref())]
    }
}

/// Whether a lane races with thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingMode {
    /// The model may think first.
    #[default]
    On,
    /// It is told not to.
    Off,
}

/// How a server is told to think or not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "String")]
pub enum Switch {
    /// It is not told.
    #[default]
    None,
    /// By words at the end of the system prompt.
    SystemPrompt,
    /// By a field of the request: a dotted path such as `chat_template_kwargs.enable_thinking`, `reasoning_effort` or `think`.
    Field(String),
}

impl From<String> for Switch {
    fn from(text: String) -> Self {
        match text.as_str() {
            "none" => Self::None,
            "system_prompt" => Self::SystemPrompt,
            _ => Self::Field(text),
        }
    }
}

impl Switch {
    /// What it sends when the file gives no value.
    fn usual(&self, thinking: bool) -> Option<Value> {
        match (self, thinking) {
            (Self::None, _) | (Self::SystemPrompt, true) => None,
            (Self::SystemPrompt, false) => Some("/no_think".into()),
            (Self::Field(path), true) if path == "reasoning_effort" => None,
            (Self::Field(path), false) if path == "reasoning_effort" => Some("none".into()),
            (Self::Field(_), thinking) => Some(thinking.into()),
        }
    }
}

/// Bounds of a request. The referee's buzzer is not among them: these only end what would never end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Name, connection and TLS. 10 s.
    pub connect_ms: u64,
    /// From the request to the reply's head; servers that queue may hold it back through the whole prefill. 600 s.
    pub first_byte_ms: u64,
    /// Silence: no text since the head or the last text, whatever keep-alives come. Prefill falls under it on servers that
    /// send the head early. 300 s.
    pub stall_ms: u64,
    /// The whole request. 3,600 s.
    pub total_ms: u64,
    /// Bytes of a reply, after unpacking: some 250 a token. 64 MiB.
    pub reply_bytes: u64,
    /// Bytes of one line of it. 4 MiB.
    pub line_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect_ms: 10_000,
            first_byte_ms: 600_000,
            stall_ms: 300_000,
            total_ms: 3_600_000,
            reply_bytes: 64 << 20,
            line_bytes: 4 << 20,
        }
    }
}

/// Facts about the rig and the software, for readers and for whoever wants to copy it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Setup {
    pub hardware: Option<String>,
    pub engine: Option<String>,
    /// SHA-256 of the engine's release file, or the beginning of it.
    pub engine_sha256: Option<String>,
    /// The model as its makers name it.
    pub base_model: Option<String>,
    pub weights: Option<String>,
    /// The small model that drafts tokens, if any.
    pub drafter: Option<String>,
    pub quantisation: Option<String>,
    /// The command that starts the server.
    pub start: Option<String>,
    /// Where the recipe is described.
    pub recipe: Option<String>,
    pub recipe_author: Option<String>,
    /// Context in tokens.
    pub context: Option<u64>,
    /// Requests that are served side by side.
    pub slots: Option<u64>,
    /// Names of the server's processes, which may be busy on this host during a race.
    pub server_processes: Vec<String>,
    pub notes: Option<String>,
}

impl LaneFile {
    /// Reads and checks a lane file; `file` is the name to say in an error.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and a hint.
    pub fn parse(file: &str, text: &str) -> Result<Self, FileError> {
        let mut lane: Self = toml_file::parse(file, text).map_err(hint_for_old_hands)?;
        if lane.title.is_empty() {
            lane.title.clone_from(&lane.name);
        }
        lane.base_url.truncate(lane.base_url.trim_end_matches('/').len());
        file_check::check(&lane, file, text)?;
        Ok(lane)
    }

    /// Whether the lane races with thinking on.
    #[must_use]
    pub fn thinks(&self) -> bool {
        self.thinking.mode == ThinkingMode::On
    }
}

/// Names that people bring from other tools.
fn hint_for_old_hands(error: FileError) -> FileError {
    let hint = match error.what.split('`').nth(1) {
        Some("api_key" | "key" | "token") => {
            "put the key into an environment variable and its name into `api_key_env`"
        }
        Some("url" | "endpoint" | "api_base") => "did you mean `base_url`?",
        Some("max_tokens" | "max_completion_tokens") => {
            "did you mean `answer_limit_tokens`? `token_limit_field` is the name under which it is sent"
        }
        _ => return error,
    };
    error.hint(hint)
}

/// The values of fields that are not given.
mod defaults {
    pub(super) fn answer_limit_tokens() -> u64 {
        16_384
    }

    pub(super) fn seed() -> u64 {
        42
    }

    pub(super) fn load_guard() -> bool {
        true
    }
}

/// `"none"` or a path.
fn none_or_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let path = String::deserialize(deserializer)?;
    Ok((path != "none").then_some(path))
}

/// A TOML table as JSON; dates and numbers that JSON has not are refused.
fn json_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
    let table = toml::Table::deserialize(deserializer)?;
    table.into_iter().map(|(name, value)| Ok((name, json(value)?))).collect()
}

/// A TOML value as JSON.
fn json_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    json(toml::Value::deserialize(deserializer)?).map(Some)
}

/// One value, in depth.
fn json<E: serde::de::Error>(value: toml::Value) -> Result<Value, E> {
    Ok(match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::Number(number.into()),
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Float(number) => match Number::from_f64(number) {
            Some(number) => Value::Number(number),
            None => return Err(E::custom("nan and inf cannot be sent as JSON")),
        },
        toml::Value::Datetime(_) => {
            return Err(E::custom("a date cannot be sent as JSON; write it as a string"));
        }
        toml::Value::Array(items) => {
            Value::Array(items.into_iter().map(json).collect::<Result<_, E>>()?)
        }
        toml::Value::Table(table) => Value::Object(
            table
                .into_iter()
                .map(|(name, value)| Ok((name, json(value)?)))
                .collect::<Result<_, E>>()?,
        ),
    })
}
