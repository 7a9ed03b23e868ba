//! The driver with a clock: waits for a real server's chunks, the referee's deadlines and Ctrl-C. Stamps are taken where
//! bytes arrive, in `lane/http.rs`; the timer here only wakes the loop, and its tick is an input like any other.

use super::{Desk, Judge, Sink};
use crate::clock::{Clock, Stamp};
use crate::lane::file::LaneFile;
use crate::lane::http::HttpLane;
use crate::lane::request;
use crate::load::LoadWatch;
use crate::race::input::Start;
use crate::race::{Due, Input};
use std::future::Future;
use std::time::Duration;

/// What a live race is driven with.
#[derive(Debug)]
pub struct Rig<'a> {
    /// The lane file.
    pub file: &'a LaneFile,
    /// The lane.
    pub lane: &'a mut HttpLane,
    /// The race's clock, the one of the lane.
    pub clock: &'a Clock,
    /// The watch for foreign load.
    pub load: LoadWatch,
}

/// Runs a whole race. `interrupted` resolves when somebody stops it.
///
/// # Errors
/// When the sink could not keep a line.
pub async fn race<S: Sink>(
    desk: &mut Desk<'_, S>,
    start: Start,
    rig: &mut Rig<'_>,
    judge: Judge<'_>,
    interrupted: impl Future<Output = ()>,
) -> Result<(), S::Error> {
    let Rig { file, lane, clock, load } = rig;
    tokio::pin!(interrupted);
    // A chunk may be stamped just before a sample or a tick that is fed before it: stamps never go back.
    let mut newest = Stamp { t_ms: 0, wall_ms: 0 };
    let mut start = Some(start);
    loop {
        match desk.referee().due() {
            Due::Start => match start.take() {
                Some(start) => desk.feed(clock.now(), Input::Start { start })?,
                None => return Ok(()),
            },
            Due::Ask(ask) => {
                lane.cut();
                load.forget();
                let body = request::body(file, &ask);
                let sent = lane.send(&body);
                desk.feed(sent, Input::Request { purpose: ask.purpose, body })?;
            }
            Due::Listen { until_ms } => {
                tokio::select! {
                    biased;
                    () = &mut interrupted => {
                        lane.cut();
                        desk.feed(clock.now(), Input::Interrupt)?;
                    }
                    arrived = lane.next() => {
                        let late = arrived.at.t_ms < newest.t_ms;
                        let at = if late { newest } else { arrived.at };
                        desk.feed(at, Input::Chunk { chunk: arrived.chunk })?;
                    }
                    (_, input) = load.next() => {
                        newest = clock.now();
                        desk.feed(newest, input)?;
                    }
                    () = wake(clock, until_ms) => {
                        newest = clock.now();
                        desk.feed(newest, Input::Tick)?;
                    }
                }
            }
            Due::Judge(job) => {
                let now = clock.now();
                desk.judge(now, &job, judge)?;
            }
            Due::Over => {
                lane.cut();
                return Ok(());
            }
        }
    }
}

/// Sleeps until a moment of our clock; forever without one.
async fn wake(clock: &Clock, until_ms: Option<u64>) {
    match until_ms {
        Some(until_ms) => {
            let left_ms = until_ms.saturating_sub(clock.now().t_ms);
            tokio::time::sleep(Duration::from_millis(left_ms)).await;
        }
        None => std::future::pending().await,
    }
}
