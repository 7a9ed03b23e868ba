//! The driver with a clock: waits for a real server's chunks, the referee's deadlines and Ctrl-C. Stamps are taken where
//! bytes arrive, in `lane/http.rs`; the timer here only wakes the loop, and its tick is an input like any other.

use super::{Desk, Sink};
use crate::clock::{Clock, Stamp};
use crate::judge::job::{Job, Judgement};
use crate::lane::file::LaneFile;
use crate::lane::http::{Arrived, HttpLane};
use crate::lane::request;
use crate::load::LoadWatch;
use crate::race::input::Start;
use crate::race::{Due, Input};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How far a timer of the runtime may be off.
const COARSE: Duration = Duration::from_millis(3);
/// The steps of the last stretch before a deadline.
const STEP: Duration = Duration::from_micros(200);

/// Runs the code of an answer on a thread of its own. The error says why the sandbox itself failed.
pub type LiveJudge = dyn Fn(&Job) -> Result<Judgement, String> + Send + Sync;

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
    judge: &Arc<LiveJudge>,
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
                let woken = tokio::select! {
                    biased;
                    () = &mut interrupted => Woken::By(Box::new(Input::Interrupt)),
                    batch = lane.next_batch() => Woken::Arrived(batch),
                    (_, input) = load.next() => Woken::By(Box::new(input)),
                    () = wake(clock, until_ms) => Woken::By(Box::new(Input::Tick)),
                };
                match woken {
                    Woken::Arrived(batch) => hear(desk, batch, newest)?,
                    Woken::By(input) => {
                        // What came before it is told before it, though nobody was woken for that.
                        hear(desk, lane.arrived(), newest)?;
                        newest = clock.now();
                        let listening = matches!(desk.referee().due(), Due::Listen { .. });
                        let stops = *input == Input::Interrupt && !desk.referee().is_over();
                        if stops {
                            lane.cut();
                        }
                        if listening || stops {
                            desk.feed(newest, *input)?;
                        }
                    }
                }
            }
            Due::Judge(job) => {
                let now = clock.now();
                let (say, said) = oneshot::channel();
                let judge = Arc::clone(judge);
                // A verdict takes seconds; a thread of its own leaves this one free for Ctrl-C.
                std::thread::spawn(move || say.send(judge(&job)).is_ok());
                tokio::select! {
                    biased;
                    () = &mut interrupted => desk.feed(clock.now(), Input::Interrupt)?,
                    said = said => {
                        let gone = |_| Err(String::from("the judging thread is gone"));
                        desk.judged(now, said.unwrap_or_else(gone))?;
                    }
                }
            }
            Due::Over => {
                lane.cut();
                return Ok(());
            }
        }
    }
}

/// What ended a wait.
enum Woken {
    /// Pieces of the reply.
    Arrived(Vec<Arrived>),
    /// Anything else, to be stamped now.
    By(Box<Input>),
}

/// Feeds what arrived.
fn hear<S: Sink>(
    desk: &mut Desk<'_, S>,
    batch: Vec<Arrived>,
    newest: Stamp,
) -> Result<(), S::Error> {
    let inputs: Vec<(Stamp, Input)> = batch
        .into_iter()
        .map(|Arrived { at, chunk }| {
            let at = if at.t_ms < newest.t_ms { newest } else { at };
            (at, Input::Chunk { chunk })
        })
        .collect();
    desk.feed_all(&inputs)
}

/// Sleeps until a moment of our clock; forever without one. A timer of the runtime is up to two milliseconds late, so the
/// last stretch is slept in small steps, and chunks are heard between them. Public for the bench that measures it.
pub async fn wake(clock: &Clock, until_ms: Option<u64>) {
    let Some(until_ms) = until_ms else { return std::future::pending().await };
    let left_us = || until_ms.saturating_mul(1_000).saturating_sub(clock.micros());
    let left = Duration::from_micros(left_us());
    if let Some(coarse) = left.checked_sub(COARSE) {
        tokio::time::sleep(coarse).await;
    }
    loop {
        let left = Duration::from_micros(left_us());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(STEP));
        tokio::task::yield_now().await;
    }
}
