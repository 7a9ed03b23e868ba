//! One question to a server and everything that came of it, for `gauntlet lane ask` and `check`. A race does not use this: it records
//! chunks and lets the referee read them.

use super::chunk::{Channel, Chunk, FailureKind, Usage};
use super::http::{Arrived, HttpLane};
use super::think::{AnswerWatch, split};
use crate::clock::Stamp;
use serde::Serialize;
use serde_json::Value;

/// A reply as a whole. Times count from the moment the request was handed to the network.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Heard {
    /// What was thought, in the field for it or between tags.
    pub reasoning: String,
    /// What was answered.
    pub answer: String,
    /// Why the server stopped, in its own word.
    pub finish_reason: Option<String>,
    /// Token counts, when the server reported any.
    pub usage: Option<Usage>,
    /// llama.cpp's timings, as they came.
    pub timings: Option<Value>,
    /// The reply came to its end.
    pub complete: bool,
    /// What went wrong.
    pub error: Option<String>,
    /// The kind of what went wrong.
    pub kind: Option<FailureKind>,
    /// The HTTP status of what went wrong.
    pub status: Option<u16>,
    /// The limit that fired.
    pub limit: Option<Fired>,
    /// To the first text of either channel.
    pub first_token_ms: Option<u64>,
    /// To the first visible answer.
    pub answer_ms: Option<u64>,
    /// To the finish reason, or to the end of a reply without one.
    pub end_ms: u64,
    /// Reads of the network that brought text. One means that the reply came in one piece.
    pub pieces: u64,
    /// Lines that were no JSON.
    pub junk: u64,
}

/// A limit that fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fired {
    /// Its field of the lane file.
    pub field: &'static str,
    /// Its value.
    pub ms: u64,
}

/// Asks and listens to the end.
pub async fn ask(lane: &mut HttpLane, body: &Value) -> Heard {
    let sent = lane.send(body);
    listen(lane, sent).await
}

/// Listens to the end of a reply whose request was sent at that moment.
pub async fn listen(lane: &mut HttpLane, sent: Stamp) -> Heard {
    let mut listener = Listener { sent, ..Listener::default() };
    loop {
        let arrived = lane.next().await;
        let last = arrived.chunk.ends();
        listener.take(arrived);
        if last {
            return listener.heard();
        }
    }
}

/// A reply that is arriving.
#[derive(Debug)]
struct Listener {
    sent: Stamp,
    heard: Heard,
    content: String,
    watch: AnswerWatch,
    last_text: Option<Stamp>,
    finished_ms: Option<u64>,
}

impl Default for Listener {
    fn default() -> Self {
        Self {
            sent: Stamp { t_ms: 0, wall_ms: 0 },
            heard: Heard::default(),
            content: String::new(),
            watch: AnswerWatch::default(),
            last_text: None,
            finished_ms: None,
        }
    }
}

impl Listener {
    fn take(&mut self, arrived: Arrived) {
        let ms = arrived.at.t_ms.saturating_sub(self.sent.t_ms);
        let heard = &mut self.heard;
        match arrived.chunk {
            Chunk::Delta { channel, text } => {
                heard.first_token_ms.get_or_insert(ms);
                self.finished_ms = self.finished_ms.map(|_| ms);
                if self.last_text != Some(arrived.at) {
                    heard.pieces += 1;
                    self.last_text = Some(arrived.at);
                }
                if self.watch.answer_began(channel, &text) {
                    heard.answer_ms = Some(ms);
                }
                match channel {
                    Channel::Reasoning => heard.reasoning.push_str(&text),
                    Channel::Answer => self.content.push_str(&text),
                }
            }
            Chunk::Refusal { text } => {
                let error = heard.error.get_or_insert_with(|| "the model refuses: ".into());
                error.push_str(&text);
            }
            Chunk::Usage { usage } => heard.usage = Some(usage),
            Chunk::Timings { raw } => heard.timings = Some(raw),
            Chunk::Finish { reason } => {
                heard.finish_reason = Some(reason);
                self.finished_ms = Some(ms);
            }
            Chunk::Junk { .. } => heard.junk += 1,
            Chunk::End { complete, .. } => {
                heard.complete = complete;
                heard.end_ms = self.finished_ms.unwrap_or(ms);
                if !complete {
                    let what = "the stream ended without a finish reason";
                    heard.error.get_or_insert_with(|| what.into());
                }
            }
            Chunk::Failed { failure } => {
                heard.end_ms = ms;
                let field = failure.kind.limit_field();
                heard.limit = field.zip(failure.limit_ms).map(|(field, ms)| Fired { field, ms });
                heard.kind = Some(failure.kind);
                heard.status = failure.status;
                heard.error = Some(failure.message);
            }
        }
    }

    fn heard(mut self) -> Heard {
        let thought = split(&self.heard.reasoning, &self.content);
        self.heard.reasoning = thought.reasoning;
        self.heard.answer = thought.answer;
        self.heard
    }
}
