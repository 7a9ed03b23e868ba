//! The driver with a clock: waits for a real server's chunks, the referee's deadlines and Ctrl-C. Stamps are taken where
//! bytes arrive, in `lane/http.rs`; the timer here only wakes the loop, and its tick is an input like any other.

use super::{Desk, Judge, Sink};
use crate::clock::Clock;
use crate::lane::file::LaneFile;
use crate::lane::http::HttpLane;
use crate::lane::request;
use crate::race::input::Start;
use crate::race::{Due, Input};
use std::future::Future;
use std::time::Duration;

/// Runs a whole race. `interrupted` resolves when somebody stops it.
///
/// # Errors
/// When the sink could not keep a line.
pub async fn race<S: Sink>(
    desk: &mut Desk<'_, S>,
    start: Start,
    file: &LaneFile,
    lane: &mut HttpLane,
    clock: &Clock,
    judge: Judge<'_>,
    interrupted: impl Future<Output = ()>,
) -> Result<(), S::Error> {
    tokio::pin!(interrupted);
    let mut start = Some(start);
    loop {
        match desk.referee().due() {
            Due::Start => match start.take() {
                Some(start) => desk.feed(clock.now(), Input::Start { start })?,
                None => return Ok(()),
            },
            Due::Ask(ask) => {
                lane.cut();
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
                        desk.feed(arrived.at, Input::Chunk { chunk: arrived.chunk })?;
                    }
                    () = wake(clock, until_ms) => desk.feed(clock.now(), Input::Tick)?,
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
