//! What people see of a race in a terminal. `plain.rs` tells it line by line, `card.rs` sums it up; `look.rs` has marks and
//! colours, `bar.rs` the arithmetic of bars, `ansi.rs` makes styled lines to text.
//!
//! Views read events and results. Nothing in a race waits for one or depends on one.

mod ansi;
mod bar;
mod card;
mod look;
mod plain;

pub use card::card;
pub use plain::Plain;

use crate::cli::out;
use crate::course::Course;
use crate::lane::chunk::Channel;
use crate::lane::file::LaneFile;
use crate::race::RaceResult;
use crate::race::line::LogLine;
use std::path::Path;

/// The screen of `gauntlet race`: told everything that happens, as it happens, by the race's sink. Infallible.
#[derive(Debug)]
pub struct RaceScreen {
    plain: Plain,
}

impl RaceScreen {
    /// A screen for a race that is about to start.
    #[must_use]
    pub fn new(_plain: bool, _course: &Course, _lane: &LaneFile, _folder: &Path) -> Self {
        Self { plain: Plain::new() }
    }

    /// An event was logged.
    pub fn event(&mut self, line: &LogLine) {
        if let Some(line) = self.plain.line(line) {
            out::note(&line);
        }
    }

    /// A piece of the reply arrived.
    pub fn stream(&mut self, _channel: Channel, _text: &str) {}

    /// Time passed.
    pub fn tick(&mut self, _t_ms: u64) {}

    /// The race is over: the terminal is as it was.
    pub fn finish(&mut self) {}

    /// The card of the result, for stdout.
    #[must_use]
    pub fn card(&self, result: &RaceResult, folder: &Path) -> String {
        card(result, folder)
    }
}
