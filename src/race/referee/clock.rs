//! Where the clock of a reply stands, and when it is late: what the first revision of the rules saw otherwise is here.

use super::super::reply::Reply;
use super::{Due, Referee};
use crate::clock::Stamp;
use crate::lane::chunk::Chunk;

/// The first revision of the rules in which a finish reason stops the clock, and a drift that is not known disturbs.
pub(super) const FINISH_STOPS: u32 = 2;

/// The first one in which each reply is measured.
pub(super) const MEASURES: u32 = 2;

impl Referee<'_> {
    /// Listens until a reply is late; without a limit once it has said why it ended.
    pub(super) fn until(&self, reply: &Reply, limit_ms: u64) -> Due {
        if self.has_finished(reply) {
            return Due::Listen { until_ms: None };
        }
        listen(reply.asked_ms, limit_ms)
    }

    /// Whether the clock of a reply stands because of its finish reason.
    pub(super) fn has_finished(&self, reply: &Reply) -> bool {
        self.rules >= FINISH_STOPS && reply.finished_ms.is_some()
    }

    /// Where the clock of a reply stands when this comes.
    pub(super) fn clock_ms(&self, reply: &Reply, at: Stamp, chunk: Option<&Chunk>) -> u64 {
        if self.rules >= FINISH_STOPS { reply.clock_ms(at.t_ms, chunk) } else { at.t_ms }
    }
}

/// Listens until a limit is passed, which is one millisecond after it.
pub(super) fn listen(since_ms: u64, limit_ms: u64) -> Due {
    Due::Listen { until_ms: Some(since_ms.saturating_add(limit_ms).saturating_add(1)) }
}
