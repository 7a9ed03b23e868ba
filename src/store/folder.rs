//! Writes a race into its folder as it happens: every line is with the operating system before anybody is told of it.

use super::{StoreError, write_whole};
use crate::clock::Stamp;
use crate::drive::Sink;
use crate::race::Input;
use crate::race::line::LogLine;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of a race that is on.
#[derive(Debug)]
pub struct RaceFolder {
    path: PathBuf,
    race: String,
    attempt: u32,
    io: File,
    log: File,
}

impl RaceFolder {
    /// Makes the folder of the next attempt, `OUT/SEASON-LANE-attemptN`, with empty io and log files.
    ///
    /// Making the folder is what takes the number, so that two races that start at once get two numbers.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be made.
    pub fn create(out: &Path, season: &str, lane: &str) -> Result<Self, StoreError> {
        fs::create_dir_all(out).map_err(StoreError::os("make the folder", out))?;
        let prefix = format!("{season}-{lane}-attempt");
        let mut attempt = last_attempt(out, &prefix)?.saturating_add(1);
        loop {
            let race = format!("{prefix}{attempt}");
            let path = out.join(&race);
            match fs::create_dir(&path) {
                Ok(()) => {
                    let io = new_file(&path.join("io.jsonl"))?;
                    let log = new_file(&path.join("log.jsonl"))?;
                    return Ok(Self { path, race, attempt, io, log });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    attempt = attempt.saturating_add(1);
                }
                Err(error) => return Err(StoreError::os("make the folder", &path)(error)),
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The race's id.
    #[must_use]
    pub fn race(&self) -> &str {
        &self.race
    }

    /// The attempt's number.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Writes a file of the folder whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        write_whole(&self.path.join(name), text)
    }

    /// Brings io and log to the disk itself.
    ///
    /// # Errors
    /// When the operating system cannot.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.io.sync_all().map_err(StoreError::os("sync", &self.path.join("io.jsonl")))?;
        self.log.sync_all().map_err(StoreError::os("sync", &self.path.join("log.jsonl")))
    }
}

impl Sink for RaceFolder {
    type Error = StoreError;

    fn io(&mut self, line: &str, _: Stamp, _: &Input) -> Result<(), StoreError> {
        let written = self.io.write_all(line.as_bytes());
        written.map_err(StoreError::os("write", &self.path.join("io.jsonl")))
    }

    fn log(&mut self, line: &str, _: &LogLine) -> Result<(), StoreError> {
        let written = self.log.write_all(line.as_bytes());
        written.map_err(StoreError::os("write", &self.path.join("log.jsonl")))
    }
}

fn new_file(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .append(true)
        .create_new(true)
        .open(path)
        .map_err(StoreError::os("create", path))
}

/// The highest attempt of that prefix among the names of a folder, 0 when there is none.
fn last_attempt(out: &Path, prefix: &str) -> Result<u32, StoreError> {
    let mut last = 0;
    for entry in fs::read_dir(out).map_err(StoreError::os("list", out))? {
        let entry = entry.map_err(StoreError::os("list", out))?;
        let name = entry.file_name();
        let number =
            name.to_str().and_then(|name| name.strip_prefix(prefix)).and_then(|it| it.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_count_up_and_nothing_is_overwritten() {
        let out = std::env::temp_dir().join(format!("gauntlet-folder-{}", std::process::id()));
        let first = RaceFolder::create(&out, "21", "a").unwrap();
        let second = RaceFolder::create(&out, "21", "a").unwrap();
        let other = RaceFolder::create(&out, "21", "a-b").unwrap();
        assert_eq!((first.race(), second.race()), ("21-a-attempt1", "21-a-attempt2"));
        assert_eq!(other.race(), "21-a-b-attempt1");
        fs::remove_dir_all(&out).unwrap();
    }
}
