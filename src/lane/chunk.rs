//! What a server says, as it is recorded in io.jsonl: the vocabulary between the lane and everybody else.
//!
//! `reply` makes chunks from bytes, `http` stamps them, the referee and the fold read them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The field that a text came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The server's field for thinking (`reasoning_content`, `reasoning`).
    Reasoning,
    /// The field of the answer; think tags inside it are still there.
    Answer,
}

/// One thing that a server said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Chunk {
    /// A piece of text, never empty, as the field carried it.
    Delta {
        /// The field.
        channel: Channel,
        /// The text.
        text: String,
    },
    /// A piece of the server's field for refusals. It is no answer.
    Refusal {
        /// The text.
        text: String,
    },
    /// Token counts; a later report replaces an earlier one.
    Usage {
        /// The counts.
        usage: Usage,
    },
    /// llama.cpp's own timings, kept as they came; a later report replaces an earlier one.
    Timings {
        /// The object.
        raw: serde_json::Value,
    },
    /// Why the server stopped, in its own word (at most 64 characters). Said once.
    Finish {
        /// `stop`, `length`, or whatever the server calls it.
        reason: String,
    },
    /// A line that is no JSON, shortened. At most 64 are kept of a reply.
    Junk {
        /// The line.
        text: String,
    },
    /// The end of a reply.
    End {
        /// A finish reason or `[DONE]` was seen, or the reply was one whole JSON body.
        complete: bool,
        /// There was a `[DONE]`.
        done: bool,
    },
    /// The end of a reply that failed.
    Failed {
        /// How.
        failure: Failure,
    },
}

impl Chunk {
    /// Whether nothing follows.
    #[must_use]
    pub fn ends(&self) -> bool {
        matches!(self, Self::End { .. } | Self::Failed { .. })
    }
}

/// Token counts as the server reported them; what it did not say is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens generated, thinking included.
    pub completion_tokens: Option<u64>,
    /// Those of them that were thinking.
    pub reasoning_tokens: Option<u64>,
    /// Prompt tokens that came from a cache.
    pub cached_tokens: Option<u64>,
    /// The whole object as it came.
    pub raw: serde_json::Value,
}

/// How a reply failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// What happened, one line of at most 400 characters, without secrets.
    pub message: String,
    /// The HTTP status, when a reply had come.
    pub status: Option<u16>,
    /// The value of the limit that fired, when it is one of time.
    pub limit_ms: Option<u64>,
}

/// The longest message of a failure, in characters.
const MESSAGE_CHARS: usize = 400;

impl Failure {
    /// A failure with its message made one short line.
    #[must_use]
    pub fn new(kind: FailureKind, message: &str) -> Self {
        Self { kind, message: short(message, MESSAGE_CHARS), status: None, limit_ms: None }
    }

    /// The same failure with the HTTP status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The same failure with the value of the limit that fired.
    #[must_use]
    pub fn with_limit_ms(mut self, limit_ms: u64) -> Self {
        self.limit_ms = Some(limit_ms);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// No connection: name not found, refused, reset, TLS.
    Connect,
    /// No connection within `connect_ms`.
    ConnectTimeout,
    /// No byte of a reply within `first_byte_ms`.
    FirstByteTimeout,
    /// No text for `stall_ms`, whatever keep-alives came.
    StallTimeout,
    /// Not finished within `total_ms`.
    TotalTimeout,
    /// An HTTP status that is no success.
    Status,
    /// A redirect; none is followed.
    Redirect,
    /// A reply that is neither an event stream nor one JSON object.
    NotAStream,
    /// An error inside a reply that began well.
    InStream,
    /// The connection broke before the reply was complete.
    Transfer,
    /// More bytes than `reply_bytes`, or a longer line than `line_bytes`.
    TooLarge,
}

impl FailureKind {
    /// The field of the lane file that holds the limit, for the kinds that are one of time.
    #[must_use]
    pub fn limit_field(self) -> Option<&'static str> {
        match self {
            Self::ConnectTimeout => Some("connect_ms"),
            Self::FirstByteTimeout => Some("first_byte_ms"),
            Self::StallTimeout => Some("stall_ms"),
            Self::TotalTimeout => Some("total_ms"),
            _ => None,
        }
    }
}

/// A text as one line of at most `limit` characters, control characters left out.
#[must_use]
pub fn short(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty())
    {
        if count > 0 {
            line.push(' ');
            count += 1;
        }
        for letter in word.chars() {
            if count >= limit {
                line.push('…');
                return line;
            }
            line.push(letter);
            count += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_written_as_they_are_read() {
        let usage = Usage {
            prompt_tokens: Some(9),
            completion_tokens: Some(2),
            reasoning_tokens: None,
            cached_tokens: None,
            raw: serde_json::json!({"prompt_tokens": 9, "completion_tokens": 2}),
        };
        let failure = Failure::new(FailureKind::StallTimeout, "no text").with_limit_ms(300);
        let chunks = [
            Chunk::Delta { channel: Channel::Reasoning, text: "hm".into() },
            Chunk::Refusal { text: "no".into() },
            Chunk::Usage { usage },
            Chunk::Timings { raw: serde_json::json!({"prompt_ms": 20.5}) },
            Chunk::Finish { reason: "stop".into() },
            Chunk::Junk { text: "{broken".into() },
            Chunk::End { complete: true, done: false },
            Chunk::Failed { failure },
        ];
        let lines: Vec<String> =
            chunks.iter().map(|chunk| serde_json::to_string(chunk).unwrap()).collect();
        insta::assert_snapshot!(lines.join("\n"));
        for (line, chunk) in lines.iter().zip(&chunks) {
            assert_eq!(&serde_json::from_str::<Chunk>(line).unwrap(), chunk);
        }
    }

    #[test]
    fn an_unknown_field_is_refused() {
        let line = r#"{"type":"finish","reason":"stop","more":1}"#;
        assert!(serde_json::from_str::<Chunk>(line).is_err());
    }

    #[test]
    fn a_message_is_one_short_line() {
        assert_eq!(short("a\n\n b\u{1b}[2J\0c", 50), "a b [2J c");
        assert_eq!(short("abcdef", 3), "abc…");
        assert_eq!(short("abc", 3), "abc");
        assert_eq!(short(" ", 3), "");
        assert_eq!(short("ééé é", 4), "ééé …");
    }
}
