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
use crate::race::{Due, Input, Referee};

/// Where the lines of a race go: the race folder, a view, or nowhere.
pub trait Sink {
    /// Why a line could not be kept. The race stops then: what is not written did not happen.
    type Error;

    /// Keeps lines of io.jsonl, one for each input, each with its line end.
    ///
    /// # Errors
    /// When they could not be written.
    fn io(&mut self, lines: &str, inputs: &[(Stamp, Input)]) -> Result<(), Self::Error>;

    /// Keeps lines of log.jsonl, one for each event, each with its line end.
    ///
    /// # Errors
    /// When they could not be written.
    fn log(&mut self, lines: &str, events: &[LogLine]) -> Result<(), Self::Error>;
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
        self.feed_all(&[(at, input)])
    }

    /// The same for inputs that came together, with one write for as many of them as lead to no event. What comes after the
    /// one that ends a reply answers a request that is over, and is left out.
    ///
    /// # Errors
    /// When lines could not be written; the race must stop.
    pub fn feed_all(&mut self, inputs: &[(Stamp, Input)]) -> Result<(), S::Error> {
        let mut lines = String::new();
        let mut written = 0;
        for (index, (at, input)) in inputs.iter().enumerate() {
            self.io.io_into(*at, input, &mut lines);
            let events = self.referee.step(*at, input);
            if events.is_empty() {
                continue;
            }
            self.sink.io(&lines, &inputs[written..=index])?;
            lines.clear();
            written = index + 1;
            let logged = events.into_iter().map(|(race_ms, event)| {
                let (line, event) = self.log.log(*at, race_ms, event);
                lines.push_str(&line);
                event
            });
            let logged: Vec<LogLine> = logged.collect();
            self.sink.log(&lines, &logged)?;
            lines.clear();
            if !matches!(self.referee.due(), Due::Listen { .. }) {
                return Ok(());
            }
        }
        if written < inputs.len() {
            self.sink.io(&lines, &inputs[written..])?;
        }
        Ok(())
    }

    /// Feeds what the judge returned.
    fn judged(&mut self, at: Stamp, said: Result<Judgement, String>) -> Result<(), S::Error> {
        let input = match said {
            Ok(judgement) => Input::Judged { judgement },
            Err(message) => Input::JudgeFailed { message },
        };
        self.feed(at, input)
    }
}
