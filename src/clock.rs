//! Time as a value, and the one place that reads a clock.
//!
//! A [`Stamp`] is taken once, where something happens, and is data from then on: the lane stamps chunks, the live driver
//! stamps its ticks, everybody else is told. Both clocks stand in it, so that a suspended machine shows in the log.

use serde::{Deserialize, Serialize};

/// A moment of a race on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// Whole milliseconds since the clock was made, on the monotonic clock.
    pub t_ms: u64,
    /// Whole milliseconds since 1970-01-01 UTC, on the wall clock.
    pub wall_ms: i64,
}

/// A running clock.
#[cfg(feature = "cli")]
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: std::time::Instant,
}

#[cfg(feature = "cli")]
impl Clock {
    /// A clock that stands at 0 ms now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this file is the edge that reads the clock")]
    pub fn start() -> Self {
        Self { started: std::time::Instant::now() }
    }

    /// Whole microseconds since the clock was made, for what is shorter than a stamp can say.
    #[must_use]
    pub fn micros(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// What both clocks say now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this file is the edge that reads the clock")]
    pub fn now(&self) -> Stamp {
        let wall = std::time::SystemTime::now();
        let wall_ms = match wall.duration_since(std::time::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        };
        let t_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Stamp { t_ms, wall_ms }
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn time_goes_forward() {
        let clock = Clock::start();
        let first = clock.now();
        let second = clock.now();
        assert!(first.t_ms <= second.t_ms);
        assert!(second.wall_ms > 1_600_000_000_000, "the wall clock counts from 1970");
    }
}
