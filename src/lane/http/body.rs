//! Reads the body of a reply on the network thread: stamps, limits, and how reads of a fast stream are gathered.
//!
//! What a read costs is waking up for it, not its bytes. So after a read that was waited for less than [`DENSE`] the thread
//! sleeps for [`GATHER`], takes what came meanwhile in one read, and goes on so while that is a [`BUNCH`]. Such a stamp is at
//! most that much late, and never early; a stream of two thousand pieces a second or fewer, every first token and every end
//! after a pause is read the moment it comes.

use super::super::chunk::{Chunk, Failure, FailureKind};
use super::super::limit::Limit;
use super::super::reply::ReplyParser;
use super::{Arrived, Line, chain};
use crate::clock::Stamp;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Instant, sleep_until};

/// How long counts and `[DONE]` are waited for after the finish reason. The referee does not charge it.
const AFTER_FINISH: Duration = Duration::from_secs(2);
/// How long an error page is read.
const ERROR_PAGE: Duration = Duration::from_secs(5);
/// How long the pieces of a dense stream are gathered before they are read.
pub const GATHER: Duration = Duration::from_micros(800);
/// A stream whose reads are waited for less than this is dense.
const DENSE: Duration = Duration::from_micros(400);
/// So many pieces in one gathered read show that the stream still is.
const BUNCH: usize = 3;
/// A read of this many bytes shows a server that writes faster than it is read: nothing is to be gathered.
const FULL_BYTES: usize = 16 << 10;

impl Line {
    /// Reads the body of a reply. Text, not bytes, shows that the lane is alive.
    pub(super) async fn body(
        &self,
        mut response: Response,
        started: Instant,
        reply: &UnboundedSender<Vec<Arrived>>,
    ) {
        let status = response.status();
        let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let mut parser = ReplyParser::new(status.as_u16(), kind, &self.limits);
        let head = started.elapsed();
        let mut last_text = head;
        let mut listens_since: Option<Duration> = None;
        let mut rested = false;
        let mut alarm = pin!(sleep_until(started + Limit::text(&self.limits, head).at));
        while !parser.ended() {
            let mut limit = Limit::text(&self.limits, last_text);
            if parser.finished() {
                limit = limit.at_most(last_text + AFTER_FINISH);
            }
            if !status.is_success() {
                limit = limit.at_most(head + ERROR_PAGE);
            }
            // A limit that moved on is seen when the alarm goes, so that not every piece sets it anew.
            if started + limit.at < alarm.deadline() {
                alarm.as_mut().reset(started + limit.at);
            }
            let first = tokio::select! {
                biased;
                read = response.chunk() => Some(read),
                () = alarm.as_mut() => None,
            };
            let arrived = started.elapsed();
            let mut chunks = Vec::new();
            let Some(first) = first else {
                if arrived < limit.at {
                    alarm.as_mut().reset(started + limit.at);
                } else {
                    parser.broken(limit.failure(), &mut chunks);
                    self.hand_over(self.clock.now(), chunks, reply);
                }
                continue;
            };
            let dense = rested || listens_since.is_some_and(|since| arrived - since < DENSE);
            let (reads, bytes) = gather(first, dense, &mut response).await;
            let at = self.clock.now();
            reads.into_iter().for_each(|read| take(read, &mut parser, &mut chunks));
            if chunks.iter().any(is_text) {
                last_text = arrived;
            }
            // A server that never pauses gives the alarm no turn.
            if arrived >= Limit::total(&self.limits).at {
                parser.broken(Limit::total(&self.limits).failure(), &mut chunks);
            }
            let still = !rested || chunks.len() >= BUNCH;
            self.hand_over(at, chunks, reply);
            rested = dense && still && bytes < FULL_BYTES && !parser.ended();
            if rested {
                // This thread has nothing else to do, and the runtime's own timers are too coarse.
                std::thread::sleep(GATHER);
            }
            listens_since = Some(started.elapsed());
        }
    }

    /// Hands chunks over with the stamp of the read that brought them.
    pub(super) fn hand_over(
        &self,
        at: Stamp,
        chunks: Vec<Chunk>,
        reply: &UnboundedSender<Vec<Arrived>>,
    ) {
        let hidden = |chunk| match (chunk, &self.key) {
            (Chunk::Failed { failure }, _) => Chunk::Failed { failure: self.without_key(failure) },
            (Chunk::Junk { text }, Some(key)) => Chunk::Junk { text: key.hidden(&text) },
            (chunk, _) => chunk,
        };
        let batch: Vec<Arrived> =
            chunks.into_iter().map(|chunk| Arrived { at, chunk: hidden(chunk) }).collect();
        if !batch.is_empty() {
            // Nobody listens after a cut; the job is given up then.
            let _ = reply.send(batch);
        }
    }
}

/// What one read brings: bytes, the end in good order, or a break.
type Read = Result<Option<bytes::Bytes>, reqwest::Error>;

/// The first read and, of a dense stream, what else is there already; and how many bytes that is.
async fn gather(first: Read, dense: bool, response: &mut Response) -> (Vec<Read>, usize) {
    let length = |read: &Read| match read {
        Ok(Some(bytes)) => bytes.len(),
        _ => 0,
    };
    let mut bytes = length(&first);
    let mut open = matches!(first, Ok(Some(_)));
    let mut reads = vec![first];
    while dense && open && bytes < FULL_BYTES {
        let more = tokio::select! {
            biased;
            more = response.chunk() => more,
            () = turn_of_others() => break,
        };
        bytes += length(&more);
        open = matches!(more, Ok(Some(_)));
        reads.push(more);
    }
    (reads, bytes)
}

/// Lets the task that reads the connection have its turn. `yield_now` would ask the system for news besides, once a piece.
async fn turn_of_others() {
    let mut had_it = false;
    poll_fn(|context| {
        if std::mem::replace(&mut had_it, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn take(read: Read, parser: &mut ReplyParser, chunks: &mut Vec<Chunk>) {
    match read {
        Ok(Some(bytes)) => parser.push(&bytes, chunks),
        Ok(None) => parser.finish(chunks),
        Err(error) => {
            let what = format!("the connection broke: {}", chain(&error.without_url()));
            parser.broken(Failure::new(FailureKind::Transfer, &what), chunks);
        }
    }
}

fn is_text(chunk: &Chunk) -> bool {
    matches!(chunk, Chunk::Delta { .. } | Chunk::Refusal { .. } | Chunk::Finish { .. })
}
