//! Writes a race into its folder as it happens: every line is with the operating system before anybody is told of it.

use super::{StoreError, write_whole};
use crate::clock::Stamp;
use crate::drive::Sink;
use crate::race::Input;
use crate::race::line::{LINE_BYTES_MAX, LogLine};
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

    fn io(&mut self, lines: &str, _: &[(Stamp, Input)]) -> Result<(), StoreError> {
        append(&mut self.io, lines).map_err(|error| error.of(&self.path.join("io.jsonl")))
    }

    fn log(&mut self, lines: &str, _: &[LogLine]) -> Result<(), StoreError> {
        append(&mut self.log, lines).map_err(|error| error.of(&self.path.join("log.jsonl")))
    }
}

/// Why lines were not written.
enum Refused {
    Os(std::io::Error),
    TooLong(usize),
}

impl Refused {
    fn of(self, path: &Path) -> StoreError {
        match self {
            Self::Os(error) => StoreError::os("write", path)(error),
            Self::TooLong(bytes) => {
                let what = format!(
                    "a line of {bytes} bytes was due, and none above {LINE_BYTES_MAX} is written or read: the race stops here"
                );
                StoreError::content(path, None, what)
            }
        }
    }
}

/// Appends lines; none that no reader would take.
fn append(file: &mut File, lines: &str) -> Result<(), Refused> {
    let longest = |lines: &str| lines.split_inclusive('\n').map(str::len).max().unwrap_or(0);
    if lines.len() > LINE_BYTES_MAX && longest(lines) > LINE_BYTES_MAX {
        return Err(Refused::TooLong(longest(lines)));
    }
    file.write_all(lines.as_bytes()).map_err(Refused::Os)
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

    #[test]
    fn the_longest_line_that_is_written_is_the_longest_that_is_read() {
        let out = std::env::temp_dir().join(format!("gauntlet-line-{}", std::process::id()));
        let mut folder = RaceFolder::create(&out, "21", "a").unwrap();
        let longest = "x".repeat(LINE_BYTES_MAX - 1) + "\n";
        folder.io(&longest, &[]).unwrap();
        let refused = folder.io(&format!("x{longest}"), &[]).unwrap_err().to_string();
        assert!(refused.contains("io.jsonl") && refused.contains("33554433"), "{refused}");
        // Many lines together may be longer than one.
        folder.io(&format!("a\n{longest}"), &[]).unwrap();
        let mut lines = super::super::RaceFiles::new(folder.path()).lines("io.jsonl").unwrap();
        let mut read = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            read.push(line.text.len());
        }
        assert_eq!(read, [LINE_BYTES_MAX - 1, 1, LINE_BYTES_MAX - 1]);
        fs::remove_dir_all(&out).unwrap();
    }
}
