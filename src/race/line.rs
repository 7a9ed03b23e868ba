//! The lines of log.jsonl and io.jsonl: number, stamps, body, and the SHA-256 of the line before. Written and read by the store.

use super::event::Event;
use super::input::Input;
use crate::clock::Stamp;
use crate::digest::sha256_hex;
use crate::wall;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The longest line, its line end included, in bytes: nobody writes or reads a longer one.
pub const LINE_BYTES_MAX: usize = 32 << 20;

/// The `prev` of a first line.
pub const FIRST: &str = "";

/// A line of log.jsonl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LogLine {
    /// Its number, from 0.
    pub seq: u64,
    /// Monotonic milliseconds since the engine's clock began, of the input that led to the event.
    pub t_ms: u64,
    /// Wall clock of the same input, UTC.
    pub wall: String,
    /// The race clock at the event: what a replay plays.
    pub race_ms: u64,
    /// What happened.
    pub event: Event,
    /// SHA-256 of the line before, without its line end; empty in the first line.
    pub prev: String,
}

/// A line of io.jsonl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IoLine {
    /// Its number, from 0.
    pub seq: u64,
    /// Monotonic milliseconds since the engine's clock began.
    pub t_ms: u64,
    /// Wall clock, UTC.
    pub wall: String,
    /// What happened.
    pub input: Input,
    /// SHA-256 of the line before, without its line end; empty in the first line.
    pub prev: String,
}

/// The same line to be written: its fields are those of [`IoLine`] in their order.
#[derive(Serialize)]
struct IoWritten<'a> {
    seq: u64,
    t_ms: u64,
    wall: String,
    input: &'a Input,
    prev: String,
}

impl IoLine {
    /// When it happened.
    ///
    /// # Errors
    /// When the wall stamp is no UTC time.
    pub fn stamp(&self) -> Result<Stamp, String> {
        Ok(Stamp { t_ms: self.t_ms, wall_ms: wall::read(&self.wall)? })
    }
}

/// Writes the lines of one file: counts them and chains them.
#[derive(Debug, Clone)]
pub struct Chain {
    seq: u64,
    prev: String,
}

impl Default for Chain {
    fn default() -> Self {
        Self { seq: 0, prev: FIRST.to_owned() }
    }
}

impl Chain {
    /// The next line of io.jsonl, with its line end.
    pub fn io(&mut self, at: Stamp, input: &Input) -> String {
        let mut text = String::new();
        self.io_into(at, input, &mut text);
        text
    }

    /// The same, at the end of other lines.
    pub fn io_into(&mut self, at: Stamp, input: &Input, text: &mut String) {
        let (seq, prev) = self.next();
        let line = IoWritten { seq, t_ms: at.t_ms, wall: wall::words(at.wall_ms), input, prev };
        self.close(&line, text);
    }

    /// The next line of log.jsonl, with its line end, and what it says.
    pub fn log(&mut self, at: Stamp, race_ms: u64, event: Event) -> (String, LogLine) {
        let (seq, prev) = self.next();
        let line =
            LogLine { seq, t_ms: at.t_ms, wall: wall::words(at.wall_ms), race_ms, event, prev };
        let mut text = String::new();
        self.close(&line, &mut text);
        (text, line)
    }

    fn next(&mut self) -> (u64, String) {
        let seq = self.seq;
        self.seq += 1;
        (seq, std::mem::take(&mut self.prev))
    }

    fn close<T: Serialize>(&mut self, line: &T, text: &mut String) {
        // Lines hold no map with other keys than strings and no failing type: writing one cannot fail.
        let line = serde_json::to_string(line).unwrap_or_default();
        self.prev = sha256_hex(line.as_bytes());
        text.push_str(&line);
        text.push('\n');
    }
}

/// Reads lines of one file and checks number and chain of each.
#[derive(Debug, Clone)]
pub struct ChainReader {
    seq: u64,
    prev: String,
}

impl Default for ChainReader {
    fn default() -> Self {
        Self { seq: 0, prev: FIRST.to_owned() }
    }
}

impl ChainReader {
    /// Reads the next line, given without its line end.
    ///
    /// # Errors
    /// When the line is no line of this file, or does not follow the line before. The text fits after "line N: ".
    pub fn read<T: DeserializeOwned + Chained>(&mut self, text: &str) -> Result<T, String> {
        let line: T =
            serde_json::from_str(text).map_err(|error| format!("cannot be read: {error}"))?;
        let (seq, prev) = line.link();
        if seq != self.seq {
            return Err(format!("has seq {seq}, and {} is due", self.seq));
        }
        if prev != self.prev {
            return Err(String::from(
                "does not follow the line before: its `prev` is not that line's SHA-256",
            ));
        }
        self.follow(seq, text);
        Ok(line)
    }

    /// Goes on after a line that did not follow, as if it had: what comes next is held against that line.
    pub fn follow(&mut self, seq: u64, text: &str) {
        self.seq = seq.saturating_add(1);
        self.prev = sha256_hex(text.as_bytes());
    }

    /// The number that the next line must have.
    #[must_use]
    pub fn due(&self) -> u64 {
        self.seq
    }
}

/// A line with a number and a link to the line before.
pub trait Chained {
    /// Number and link.
    fn link(&self) -> (u64, &str);
}

impl Chained for LogLine {
    fn link(&self) -> (u64, &str) {
        (self.seq, &self.prev)
    }
}

impl Chained for IoLine {
    fn link(&self) -> (u64, &str) {
        (self.seq, &self.prev)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_reads_back_and_shows_a_change() {
        let mut chain = Chain::default();
        let at = Stamp { t_ms: 5, wall_ms: 1_000 };
        let text: String = (0..3).map(|_| chain.io(at, &Input::Tick)).collect();
        let mut reader = ChainReader::default();
        for line in text.lines() {
            reader.read::<IoLine>(line).unwrap();
        }
        let changed = text.replacen("\"t_ms\":5", "\"t_ms\":6", 1);
        let mut reader = ChainReader::default();
        let read: Vec<bool> = changed.lines().map(|l| reader.read::<IoLine>(l).is_ok()).collect();
        assert_eq!(read, [true, false, false]);
    }
}
