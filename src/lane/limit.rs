//! Limits in time of a request: which fires first, and what is said then. Times count from the request; only `http` waits.

use super::chunk::{Failure, FailureKind};
use super::file::Limits;
use std::time::Duration;

/// A limit that is running: when it fires, and as what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// When it fires.
    pub(super) at: Duration,
    kind: FailureKind,
    ms: u64,
}

impl Limit {
    /// For the connection.
    pub(super) fn connect(limits: &Limits) -> Self {
        Self::new(FailureKind::ConnectTimeout, Duration::ZERO, limits.connect_ms)
    }

    /// For the head of the reply.
    pub(super) fn first_byte(limits: &Limits) -> Self {
        Self::new(FailureKind::FirstByteTimeout, Duration::ZERO, limits.first_byte_ms)
            .or(Self::total(limits))
    }

    /// For the next piece of text.
    pub(super) fn text(limits: &Limits, last_text: Duration) -> Self {
        Self::new(FailureKind::StallTimeout, last_text, limits.stall_ms).or(Self::total(limits))
    }

    /// For the whole reply.
    pub(super) fn total(limits: &Limits) -> Self {
        Self::new(FailureKind::TotalTimeout, Duration::ZERO, limits.total_ms)
    }

    fn new(kind: FailureKind, since: Duration, ms: u64) -> Self {
        Self { kind, at: since + Duration::from_millis(ms), ms }
    }

    /// The one that fires first.
    fn or(self, other: Self) -> Self {
        if other.at < self.at { other } else { self }
    }

    /// The same limit, but no later than this. For waits that end a reply without failing it.
    pub(super) fn at_most(self, at: Duration) -> Self {
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
