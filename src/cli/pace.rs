//! `race --realtime`: holds a race on paper back to the clock, and listens for Ctrl-C meanwhile. It decides when a line is
//! written and shown, never what is in it.

use crate::clock::Clock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A clock that a race on paper is held to.
#[derive(Debug)]
pub(super) struct Pace {
    clock: Clock,
    speed: u64,
    stop: Receiver<()>,
}

impl Pace {
    /// Begins now. `speed` is how many times faster than real time the race goes.
    pub(super) fn start(speed: u64) -> Self {
        let (stopped, stop) = channel();
        let listen = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            if let Ok(runtime) = runtime
                && runtime.block_on(tokio::signal::ctrl_c()).is_ok()
            {
                // A race that is over has nobody who listens.
                stopped.send(()).unwrap_or_default();
            }
        };
        // Without the thread Ctrl-C ends the program, and the files stand as they are.
        drop(std::thread::Builder::new().name(String::from("stop")).spawn(listen));
        Self { clock: Clock::start(), speed: speed.max(1), stop }
    }

    /// Waits for a moment of the race's clock; `false` when somebody stopped the race.
    pub(super) fn wait(&self, t_ms: u64) -> bool {
        let left_ms = (t_ms / self.speed).saturating_sub(self.clock.now().t_ms);
        let left = Duration::from_millis(left_ms);
        match self.stop.recv_timeout(left) {
            Ok(()) => false,
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(left);
                true
            }
        }
    }
}
