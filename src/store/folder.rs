//! Writes a race into its folder as it happens: every line is with the operating system before anybody is told of it.
//! An attempt is entered in the ledger beside the folder before its first line is written, and again with its result.

use super::ledger::{self, OpenLedger};
use super::{RaceFiles, StoreError, disk, write_whole};
use crate::clock::Stamp;
use crate::digest::sha256_hex;
use crate::drive::Sink;
use crate::race::fold::Hashes;
use crate::race::ledger::{Entry, race_id};
use crate::race::line::{LINE_BYTES_MAX, LogLine};
use crate::race::{Input, RaceResult, fold};
use crate::wall;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The folder of a race that is on.
#[derive(Debug)]
pub struct RaceFolder {
    out: PathBuf,
    path: PathBuf,
    season: String,
    lane: String,
    race: String,
    attempt: u32,
    /// Held from the taking of the number to the entry, so that attempts are entered in their order.
    ledger: Option<OpenLedger>,
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
        let mut ledger = OpenLedger::open(out)?;
        ledger.settle()?;
        let there = attempts_there(out, &race_id_prefix(season, lane))?;
        ledger.adopt(season, lane, &there)?;
        let last = there.last().copied().unwrap_or(0);
        let mut last = last.max(ledger.ledger.last_attempt(season, lane));
        loop {
            let attempt = last.checked_add(1).ok_or_else(|| {
                let what = format!("no attempt can follow {last}; race into another folder");
                StoreError::content(out, None, what)
            })?;
            let race = race_id(season, lane, attempt);
            let path = out.join(&race);
            match disk::make_folder(&path) {
                Ok(()) => {
                    let io = new_file(&path.join("io.jsonl"))?;
                    let log = new_file(&path.join("log.jsonl"))?;
                    // Held while the process lives, so that others can tell a race that is on from one that broke. A file
                    // system that has no locks loses that.
                    #[cfg(unix)]
                    io.try_lock().ok();
                    let out = out.to_owned();
                    let (season, lane) = (season.to_owned(), lane.to_owned());
                    let ledger = Some(ledger);
                    return Ok(Self { out, path, season, lane, race, attempt, ledger, io, log });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => last = attempt,
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

    /// Closes the folder of a race that is over: system prompt, io and log on the disk, the result of its events, and how the
    /// attempt ended in the ledger. Nothing comes back when the race has no start.
    ///
    /// # Errors
    /// When one of them cannot be written; the rest is not tried then.
    pub fn close(
        &self,
        events: &[LogLine],
        system_prompt: &str,
    ) -> Result<Option<RaceResult>, StoreError> {
        self.write("system-prompt.txt", system_prompt)?;
        disk::sync(&self.io).map_err(StoreError::os("sync", &self.path.join("io.jsonl")))?;
        disk::sync(&self.log).map_err(StoreError::os("sync", &self.path.join("log.jsonl")))?;
        let files = RaceFiles::new(&self.path);
        let hashes =
            Hashes { log_sha256: files.sha256("log.jsonl")?, io_sha256: files.sha256("io.jsonl")? };
        let Some(result) = fold(events, &hashes) else { return Ok(None) };
        let text = result.to_json();
        self.write("result.json", &text)?;
        let sha256 = sha256_hex(text.as_bytes());
        OpenLedger::open(&self.out)?.append(ledger::ended(self.race.clone(), &result, sha256))?;
        Ok(Some(result))
    }

    /// Enters the attempt, before its first line is written, and lets go of the ledger.
    fn enter(&self, mut ledger: OpenLedger, line: &str, at: Stamp) -> Result<(), StoreError> {
        ledger.append(Entry::Started {
            race: self.race.clone(),
            season: self.season.clone(),
            lane: self.lane.clone(),
            attempt: self.attempt,
            wall: wall::words(at.wall_ms),
            head_sha256: sha256_hex(line.as_bytes()),
        })
    }
}

impl Sink for RaceFolder {
    type Error = StoreError;

    fn io(&mut self, lines: &str, inputs: &[(Stamp, Input)]) -> Result<(), StoreError> {
        if let (Some(first), Some((at, _))) = (lines.lines().next(), inputs.first())
            && let Some(ledger) = self.ledger.take()
        {
            self.enter(ledger, first, *at)?;
        }
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
    disk::write(file, lines.as_bytes()).map_err(Refused::Os)
}

fn new_file(path: &Path) -> Result<File, StoreError> {
    disk::create_new(path).map_err(StoreError::os("create", path))
}

fn race_id_prefix(season: &str, lane: &str) -> String {
    format!("{season}-{lane}-attempt")
}

/// The attempts of that prefix among the names of a folder, ascending.
fn attempts_there(out: &Path, prefix: &str) -> Result<Vec<u32>, StoreError> {
    let mut there = Vec::new();
    for entry in fs::read_dir(out).map_err(StoreError::os("list", out))? {
        let entry = entry.map_err(StoreError::os("list", out))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(prefix));
        there.extend(number.and_then(|number| number.parse::<u32>().ok()));
    }
    there.sort_unstable();
    Ok(there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_count_up_and_nothing_is_overwritten() {
        let out = std::env::temp_dir().join(format!("gauntlet-folder-{}", std::process::id()));
        let race = |lane| RaceFolder::create(&out, "21", lane).unwrap().race().to_owned();
        assert_eq!([race("a"), race("a")], ["21-a-attempt1", "21-a-attempt2"]);
        assert_eq!(race("a-b"), "21-a-b-attempt1");
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
