//! The driver without a clock: a lane that computes its stamps, raced in a plain loop. Byte-identical each time.

use super::{Desk, Judge, Sink};
use crate::clock::Stamp;
use crate::lane::chunk::Chunk;
use crate::lane::file::LaneFile;
use crate::lane::request::{self, Ask};
use crate::race::input::Start;
use crate::race::{Due, Input};
use std::collections::VecDeque;

/// A lane that answers on paper: all chunks of a reply at once, each with its stamp in ascending order.
pub trait PaperLane {
    /// The reply to a request that is handed over at `asked_ms` in `range` (from 0).
    fn reply(&mut self, ask: &Ask, range: usize, asked_ms: u64) -> Vec<(u64, Chunk)>;
}

/// Runs a whole race.
///
/// # Errors
/// When the sink could not keep a line.
pub fn race<S: Sink>(
    desk: &mut Desk<'_, S>,
    start: Start,
    file: &LaneFile,
    lane: &mut dyn PaperLane,
    judge: Judge<'_>,
) -> Result<(), S::Error> {
    paced(desk, start, file, lane, judge, &mut |_| true)
}

/// Runs a whole race at somebody's pace: `pace` is called with each moment before anything happens at it, and may take its
/// time; when it says `false` the race is stopped where it stands. Its files are the same bytes at any pace.
///
/// # Errors
/// When the sink could not keep a line.
pub fn paced<S: Sink>(
    desk: &mut Desk<'_, S>,
    start: Start,
    file: &LaneFile,
    lane: &mut dyn PaperLane,
    judge: Judge<'_>,
    pace: &mut dyn FnMut(u64) -> bool,
) -> Result<(), S::Error> {
    let mut now_ms = 0;
    let mut script: VecDeque<(u64, Chunk)> = VecDeque::new();
    let mut start = Some(start);
    loop {
        match desk.referee().due() {
            Due::Start => match start.take() {
                Some(start) => desk.feed(paper(now_ms), Input::Start { start })?,
                None => return Ok(()),
            },
            Due::Ask(ask) => {
                let body = request::body(file, &ask);
                script = lane.reply(&ask, desk.referee().range(), now_ms).into();
                desk.feed(paper(now_ms), Input::Request { purpose: ask.purpose, body })?;
            }
            Due::Listen { until_ms } => {
                let next = script.front().map(|(at, _)| *at);
                let due_first = next.is_some_and(|at| until_ms.is_none_or(|until| at < until));
                if let Some(next_ms) = next.filter(|_| due_first).or(until_ms)
                    && !pace(next_ms)
                {
                    desk.feed(paper(now_ms), Input::Interrupt)?;
                    continue;
                }
                match (script.pop_front().filter(|_| due_first), until_ms) {
                    (Some((at_ms, chunk)), _) => {
                        now_ms = now_ms.max(at_ms);
                        desk.feed(paper(now_ms), Input::Chunk { chunk })?;
                    }
                    (None, Some(until_ms)) => {
                        now_ms = now_ms.max(until_ms);
                        script.clear();
                        desk.feed(paper(now_ms), Input::Tick)?;
                    }
                    // Nothing will ever come: the race is left where it stands.
                    (None, None) => desk.feed(paper(now_ms), Input::Interrupt)?,
                }
            }
            Due::Judge(job) => {
                let said = judge(&job);
                // A judge that was stopped says nothing about the code.
                if pace(now_ms) {
                    desk.judged(paper(now_ms), said)?;
                } else {
                    desk.feed(paper(now_ms), Input::Interrupt)?;
                }
            }
            Due::Over => return Ok(()),
        }
    }
}

/// A moment of a simulated race: its wall clock begins with 1970, so that no real clock is in its files.
fn paper(t_ms: u64) -> Stamp {
    Stamp { t_ms, wall_ms: i64::try_from(t_ms).unwrap_or(i64::MAX) }
}
