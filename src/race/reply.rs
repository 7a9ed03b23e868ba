//! Gathers one reply of a lane from its chunks: what was thought, what was answered, when, and how it ended. Used by `referee.rs`.

use super::event::Tokens;
use super::measure::{Timings, count_piece};
use crate::lane::chunk::{Channel, Chunk, Failure, FailureKind, Usage};

/// Most text that is kept of a reply, in bytes of each channel; a server that sends more is cut by the lane long before.
const TEXT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A reply so far.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// Text of the reasoning channel.
    pub reasoning: String,
    /// Text of the answer channel, inline think tags included.
    pub content: String,
    /// When its request was handed over.
    pub asked_ms: u64,
    /// When the first text of either channel came.
    pub first_token_ms: Option<u64>,
    /// The last usage that the server reported.
    pub usage: Option<Usage>,
    /// When the last chunk came.
    pub newest_ms: u64,
    /// llama.cpp's timings, the last that came.
    pub timings: Option<Timings>,
    /// Pieces of text that came, of thinking and of the answer.
    pub pieces: (u64, u64),
    /// Why the server says the reply ended.
    pub finish_reason: Option<String>,
    /// When it said so, or when the last text came that it sent all the same.
    pub finished_ms: Option<u64>,
    /// How the stream ended.
    pub end: Option<End>,
}

/// How a stream ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// By itself.
    Complete,
    /// Without a finish reason or its closing line: the connection closed early.
    Early,
    /// With a failure.
    Failed(Failure),
}

impl Reply {
    /// An empty reply to a request of that moment.
    #[must_use]
    pub fn new(asked_ms: u64) -> Self {
        Self { asked_ms, ..Self::default() }
    }

    /// Where the clock of the reply stands when this comes: what follows a finish reason without being text (counts, the
    /// closing line, a connection held open, a tick) is not waited for.
    #[must_use]
    pub fn clock_ms(&self, t_ms: u64, chunk: Option<&Chunk>) -> u64 {
        match (self.finished_ms, chunk) {
            (_, Some(Chunk::Delta { .. } | Chunk::Refusal { .. } | Chunk::Finish { .. })) => t_ms,
            (Some(finished_ms), _) => finished_ms,
            (None, _) => t_ms,
        }
    }

    /// Takes the next chunk.
    pub fn take(&mut self, t_ms: u64, chunk: &Chunk) {
        self.newest_ms = t_ms;
        match chunk {
            Chunk::Delta { channel, text } => {
                if text.is_empty() {
                    return;
                }
                self.first_token_ms.get_or_insert(t_ms);
                self.text_after_finish(t_ms);
                count_piece(&mut self.pieces, *channel);
                let kept = match channel {
                    Channel::Reasoning => &mut self.reasoning,
                    Channel::Answer => &mut self.content,
                };
                if kept.len() + text.len() <= TEXT_BYTES_MAX {
                    kept.push_str(text);
                }
            }
            Chunk::Usage { usage } => self.usage = Some(usage.clone()),
            Chunk::Finish { reason } => {
                self.finish_reason = Some(reason.clone());
                self.finished_ms = Some(t_ms);
            }
            Chunk::Refusal { .. } => self.text_after_finish(t_ms),
            Chunk::End { complete, .. } => {
                self.end = Some(if *complete { End::Complete } else { End::Early });
            }
            Chunk::Failed { failure } => self.end = Some(End::Failed(failure.clone())),
            Chunk::Timings { raw } => self.timings = Some(Timings::read(raw)),
            Chunk::Junk { .. } => {}
        }
    }

    fn text_after_finish(&mut self, t_ms: u64) {
        if self.finished_ms.is_some() {
            self.finished_ms = Some(t_ms);
        }
    }

    /// Whether the reply ended at its token limit.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.end == Some(End::Complete) && self.finish_reason.as_deref() == Some("length")
    }

    /// Whether the reply came to its own end.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.end == Some(End::Complete) && !self.is_cut_off()
    }

    /// The token counts that the server reported.
    #[must_use]
    pub fn tokens(&self) -> Option<Tokens> {
        self.usage.as_ref().map(|usage| Tokens {
            prompt: usage.prompt_tokens,
            cached: usage.cached_tokens,
            completion: usage.completion_tokens,
            reasoning: usage.reasoning_tokens,
        })
    }

    /// The failure that ended it, as results show it.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        match &self.end {
            Some(End::Failed(failure)) => Some(failure.clone()),
            Some(End::Early) => Some(closed_early()),
            _ => None,
        }
    }
}

fn closed_early() -> Failure {
    Failure::new(FailureKind::Transfer, "the stream ended without a finish reason")
}
