//! Lane meets referee: two drivers, one referee.
//!
//! `on_paper` is a plain loop over computed or recorded stamps, for simulated lanes, verify and tests; `live` waits for a real
//! server. Both feed a [`Desk`], which writes each input and the events that follow from it, in that order.

#[cfg(feature = "cli")]
pub mod live;
pub mod on_paper;

use crate::clock::Stamp;
use crate::judge::job::{Job, Judgement};
use crate::race::line::{Chain, LogLine};
use crate::race::{Input, Referee};

/// Where the lines of a race go: the race folder, a view, or nowhere.
pub trait Sink {
    /// Why a line could not be kept. The race stops then: what is not written did not happen.
    type Error;

    /// Keeps a line of io.jsonl.
    ///
    /// # Errors
    /// When it could not be written.
    fn io(&mut self, line: &str, at: Stamp, input: &Input) -> Result<(), Self::Error>;

    /// Keeps a line of log.jsonl.
    ///
    /// # Errors
    /// When it could not be written.
    fn log(&mut self, line: &str, event: &LogLine) -> Result<(), Self::Error>;
}

/// Runs the code of an answer. The error says why the sandbox itself failed.
pub type Judge<'a> = &'a mut dyn FnMut(&Job) -> Result<Judgement, String>;

/// A referee with its two files.
pub struct Desk<'a, S> {
    referee: Referee<'a>,
    io: Chain,
    log: Chain,
    sink: S,
}

impl<'a, S: Sink> Desk<'a, S> {
    /// A desk before the start.
    pub fn new(referee: Referee<'a>, sink: S) -> Self {
        Self { referee, io: Chain::default(), log: Chain::default(), sink }
    }

    /// The referee, to ask what is due.
    pub fn referee(&self) -> &Referee<'a> {
        &self.referee
    }

    /// The sink.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Writes an input, steps the referee, writes the events.
    ///
    /// # Errors
    /// When a line could not be written; the race must stop.
    pub fn feed(&mut self, at: Stamp, input: Input) -> Result<(), S::Error> {
        let line = self.io.io(at, input.clone());
        self.sink.io(&line, at, &input)?;
        for (race_ms, event) in self.referee.step(at, &input) {
            let (line, event) = self.log.log(at, race_ms, event);
            self.sink.log(&line, &event)?;
        }
        Ok(())
    }

    /// Runs the judge and feeds what it returned.
    fn judge(&mut self, at: Stamp, job: &Job, judge: Judge<'_>) -> Result<(), S::Error> {
        let input = match judge(job) {
            Ok(judgement) => Input::Judged { judgement },
            Err(message) => Input::JudgeFailed { message },
        };
        self.feed(at, input)
    }
}
