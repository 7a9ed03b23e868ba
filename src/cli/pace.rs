//! `race --realtime`: holds a race on paper back to the clock, until it is stopped. It decides when a line is written and
//! shown, never what is in it.

use crate::clock::Clock;
use crate::judge::Stop;
use std::time::Duration;

/// How often it is looked whether the race was stopped.
const LOOK_MS: u64 = 20;

/// A clock that a race on paper is held to.
#[derive(Debug)]
pub(super) struct Pace {
    clock: Clock,
    speed: u64,
    stop: Stop,
}

impl Pace {
    /// Begins now. `speed` is how many times faster than real time the race goes.
    pub(super) fn start(speed: u64, stop: Stop) -> Self {
        Self { clock: Clock::start(), speed: speed.max(1), stop }
    }

    /// Waits for a moment of the race's clock; `false` when somebody stopped the race.
    pub(super) fn wait(&self, t_ms: u64) -> bool {
        loop {
            if self.stop.is_set() {
                return false;
            }
            let left_ms = (t_ms / self.speed).saturating_sub(self.clock.now().t_ms);
            if left_ms == 0 {
                return true;
            }
            std::thread::sleep(Duration::from_millis(left_ms.min(LOOK_MS)));
        }
    }
}
