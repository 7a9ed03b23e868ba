//! Limits in time of a request: which fires first, and what is said then. Only `http` waits for them.

use super::chunk::{Failure, FailureKind};
use super::file::Limits;
use std::time::Duration;
use tokio::time::Instant;

/// A limit that is running: when it fires, and as what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// When it fires.
    pub(super) at: Instant,
    kind: FailureKind,
    ms: u64,
}

impl Limit {
    /// For the connection.
    pub(super) fn connect(limits: &Limits, started: Instant) -> Self {
        Self::new(FailureKind::ConnectTimeout, started, limits.connect_ms)
    }

    /// For the head of the reply.
    pub(super) fn first_byte(limits: &Limits, started: Instant) -> Self {
        Self::new(FailureKind::FirstByteTimeout, started, limits.first_byte_ms)
            .or(Self::total(limits, started))
    }

    /// For the next piece of text.
    pub(super) fn text(limits: &Limits, started: Instant, last_text: Instant) -> Self {
        Self::new(FailureKind::StallTimeout, last_text, limits.stall_ms)
            .or(Self::total(limits, started))
    }

    fn total(limits: &Limits, started: Instant) -> Self {
        Self::new(FailureKind::TotalTimeout, started, limits.total_ms)
    }

    fn new(kind: FailureKind, since: Instant, ms: u64) -> Self {
        Self { kind, at: since + Duration::from_millis(ms), ms }
    }

    /// The one that fires first.
    fn or(self, other: Self) -> Self {
        if other.at < self.at { other } else { self }
    }

    /// The same limit, but no later than this. For waits that end a reply without failing it.
    pub(super) fn at_most(self, at: Instant) -> Self {
        Self { at: self.at.min(at), ..self }
    }

    /// The failure that it is when it fires.
    pub(super) fn failure(self) -> Failure {
        let ms = self.ms;
        let field = self.kind.limit_field().unwrap_or("limit");
        let what = match self.kind {
            FailureKind::ConnectTimeout => format!("no connection within {field} = {ms}"),
            FailureKind::FirstByteTimeout => format!("no reply within {field} = {ms}"),
            FailureKind::StallTimeout => format!("no text for {field} = {ms}"),
            _ => format!("not finished within {field} = {ms}"),
        };
        Failure::new(self.kind, &what).with_limit_ms(ms)
    }
}
