//! The thread that draws the live view. The race only leaves notes for it; a terminal that is slow, or stopped by Ctrl-S,
//! holds up this thread and never the race.

use super::live::LiveView;
use super::look::Look;
use super::screen::{Inline, size};
use crate::clock::Clock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between two frames.
const FRAME: Duration = Duration::from_millis(66);
/// How long the last frame is awaited.
const LAST_FRAME: Duration = Duration::from_millis(500);

/// A live view that draws itself.
#[derive(Debug)]
pub(crate) struct Stage {
    notes: Arc<Mutex<Notes>>,
    clock: Clock,
    /// Says that the race is over, and whether the view is to be taken away; dropped, it stays.
    over: Option<Sender<Away>>,
    drawn: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

/// The view is to be taken away: the card says all that it says.
#[derive(Debug, PartialEq, Eq)]
struct Away;

/// What the race tells the thread.
#[derive(Debug)]
struct Notes {
    live: LiveView,
    /// What the stage's clock said when the race last told its time, and that time.
    told_ms: (u64, u64),
}

impl Stage {
    /// Begins to draw; nothing when there can be no thread for it.
    ///
    /// `speed` is how many times faster than ours the race's clock runs between two words of it.
    pub(crate) fn open(live: LiveView, look: &'static Look, speed: u64) -> Option<Self> {
        let clock = Clock::start();
        let notes = Arc::new(Mutex::new(Notes { live, told_ms: (0, 0) }));
        let (over, is_over) = channel();
        let (say_drawn, drawn) = channel();
        let thread = {
            let notes = Arc::clone(&notes);
            let draw = move || {
                draw(&notes, (clock, speed), look, &is_over);
                drop(say_drawn);
            };
            std::thread::Builder::new().name(String::from("view")).spawn(draw).ok()?
        };
        Some(Self { notes, clock, over: Some(over), drawn, thread: Some(thread) })
    }

    /// Changes the view. The lock is held for a copy of it at most, never for a write to the terminal.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut LiveView)) {
        change(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner).live);
    }

    /// The race said what time it is.
    pub(crate) fn tick(&self, t_ms: u64) {
        let own_ms = self.clock.now().t_ms;
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.live.tick(t_ms);
        notes.told_ms = (own_ms, t_ms);
    }

    /// Draws the race as it ended, or takes the view away, and stops. A terminal that takes no more is left alone after
    /// half a second.
    pub(crate) fn close(&mut self, away: bool) {
        let Some(over) = self.over.take() else { return };
        if away {
            // A thread that is gone has nothing to take away.
            over.send(Away).unwrap_or_default();
        }
        drop(over);
        let stands = self.drawn.recv_timeout(LAST_FRAME) == Err(RecvTimeoutError::Timeout);
        if let Some(thread) = self.thread.take().filter(|_| !stands) {
            // A view that panicked has said so itself; the race goes on without it.
            thread.join().unwrap_or_default();
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.close(false);
    }
}

/// Draws until the race is over, and once more then.
fn draw(notes: &Mutex<Notes>, (clock, speed): (Clock, u64), look: &Look, is_over: &Receiver<Away>) {
    let mut screen = Inline::stderr();
    loop {
        let said = is_over.recv_timeout(FRAME);
        let over = said != Err(RecvTimeoutError::Timeout);
        let (mut live, told_ms) = {
            let notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
            (notes.live.clone(), notes.told_ms)
        };
        let (columns, rows) = size();
        let lines = if said == Ok(Away) {
            Vec::new()
        } else if over {
            live.last_frame(look, columns, rows)
        } else {
            // Between two words of the race its clock goes on like ours.
            let since_ms = clock.now().t_ms.saturating_sub(told_ms.0).saturating_mul(speed);
            live.tick(told_ms.1.saturating_add(since_ms));
            live.frame(look, columns, rows)
        };
        // A terminal that went away ends the view, not the race.
        if screen.draw(&lines, columns, rows).is_err() || over {
            return;
        }
    }
}
