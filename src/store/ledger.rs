//! Writes the attempts ledger, `attempts.jsonl` beside the races: one writer at a time, by a lock on the file.
//!
//! What it says is `race/ledger.rs`; whether it agrees with the folders is `attempts.rs`.

use super::{RaceFiles, StoreError, disk};
use crate::format;
use crate::race::ledger::{Entered, Entry, Ledger};
use crate::race::{RaceResult, Status};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The ledger's name in a folder of races.
pub const FILE: &str = "attempts.jsonl";

/// Longest ledger that is read.
const LINES_MAX: u64 = 200_000;

/// Longest file that is read; a line has some 300 bytes.
const BYTES_MAX: u64 = 128 * 1024 * 1024;

/// How often, and with which pause, a ledger that another race is writing is tried again: 20 s, where a write takes milliseconds.
const LOCK_TRIES: u32 = 400;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// A ledger that only we write while this lives.
#[derive(Debug)]
pub(super) struct OpenLedger {
    out: PathBuf,
    path: PathBuf,
    file: File,
    bytes: u64,
    pub(super) ledger: Ledger,
}

impl OpenLedger {
    /// Opens the ledger of a folder of races, which is made when there is none. A torn last line, which a crash leaves, is cut off.
    pub(super) fn open(out: &Path) -> Result<Self, StoreError> {
        let path = out.join(FILE);
        if std::fs::symlink_metadata(&path).is_ok() {
            super::read::refuse_link(&path)?;
        }
        let file = disk::open_or_create(&path).map_err(StoreError::os("open", &path))?;
        lock(&file, &path)?;
        let (ledger, bytes) = read_whole_lines(&path)?;
        let torn = file.metadata().map_err(StoreError::os("read", &path))?.len() > bytes;
        let mut open = Self { out: out.to_owned(), path, file, bytes, ledger };
        if torn {
            open.cut()?;
        }
        if open.ledger.is_empty() {
            open.append(Entry::Ledger { format: format::LEDGER.written() })?;
        }
        Ok(open)
    }

    /// Enters something, whole or not at all.
    pub(super) fn append(&mut self, entry: Entry) -> Result<(), StoreError> {
        let mut after = self.ledger.clone();
        let line = after.write(entry);
        let written =
            disk::write(&mut self.file, line.as_bytes()).and_then(|()| disk::sync(&self.file));
        if let Err(error) = written {
            // The disk may be full; half a line is cut off now, or by whoever opens the ledger next.
            self.cut().ok();
            return Err(StoreError::os("write", &self.path)(error));
        }
        self.bytes += line.len() as u64;
        self.ledger = after;
        Ok(())
    }

    /// Enters how races ended whose process ended before it could: those that stand beside the ledger and that nobody runs.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        let open: Vec<Entered> =
            self.ledger.attempts.iter().filter(|it| it.end.is_none()).cloned().collect();
        for entered in open {
            let files = RaceFiles::new(&self.out.join(&entered.race));
            // What cannot be read is left open: it is told when somebody looks.
            if let Ok(Some(entry)) = ending(&files, &entered) {
                self.append(entry)?;
            }
        }
        Ok(())
    }

    /// Enters races of a lane that stand here and that no ledger knows: from before there was one, or put here by somebody.
    pub(super) fn adopt(
        &mut self,
        season: &str,
        lane: &str,
        attempts: &[u32],
    ) -> Result<(), StoreError> {
        for &attempt in attempts {
            let race = crate::race::ledger::race_id(season, lane, attempt);
            if self.ledger.find(&race).is_some() {
                continue;
            }
            let head = RaceFiles::new(&self.out.join(&race)).head_sha256();
            let Ok(Some(head_sha256)) = head else { continue };
            let (season, lane) = (season.to_owned(), lane.to_owned());
            self.append(Entry::Found { race, season, lane, attempt, head_sha256 })?;
        }
        Ok(())
    }

    /// Cuts the file back to its whole lines.
    fn cut(&self) -> Result<(), StoreError> {
        disk::cut(&self.file, self.bytes).map_err(StoreError::os("cut a torn line off", &self.path))
    }
}

/// The entry that ends an attempt which nobody runs any more; nothing when it is on, or when its folder is gone.
pub(super) fn ending(files: &RaceFiles, entered: &Entered) -> Result<Option<Entry>, StoreError> {
    if !files.has("io.jsonl") || files.is_running() {
        return Ok(None);
    }
    let race = entered.race.clone();
    if files.has("result.json")
        && let Some(result) = files.fold(&files.log()?)?
    {
        return Ok(Some(ended(race, &result, files.sha256("result.json")?)));
    }
    let why = broken_where(files)?;
    Ok(Some(Entry::Broken { race, why, io_sha256: files.sha256("io.jsonl")? }))
}

/// The entry of a race that has its result.
pub(super) fn ended(race: String, result: &RaceResult, result_sha256: String) -> Entry {
    let why = match (result.notes.first(), result.status) {
        (Some(note), _) => Some(crate::text::shown(note, 300)),
        (None, Status::Unfinished) => Some(String::from("stopped before its finish")),
        (None, _) => None,
    };
    let (status, finish_ms) = (result.status, result.finish_ms);
    Entry::Ended { race, status, why, finish_ms, result_sha256 }
}

/// Where a race without a result stopped.
fn broken_where(files: &RaceFiles) -> Result<String, StoreError> {
    let mut lines = files.lines("io.jsonl")?;
    let mut whole = 0;
    let mut torn = "";
    while let Some(line) = lines.next_line()? {
        if line.whole {
            whole = line.number;
        } else {
            torn = ", and a torn one";
        }
    }
    let plural = if whole == 1 { "" } else { "s" };
    Ok(format!("its process ended after {whole} line{plural} of io.jsonl{torn}, without a result"))
}

/// The ledger of a folder; nothing when it has none. Not locked: a line that is being written may be missing.
pub(super) fn read(out: &Path) -> Result<Option<(Ledger, bool)>, StoreError> {
    let path = out.join(FILE);
    match std::fs::symlink_metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        _ => super::read::refuse_link(&path)?,
    }
    let (ledger, whole) = read_whole_lines(&path)?;
    let bytes = std::fs::metadata(&path).map_err(StoreError::os("read", &path))?.len();
    Ok(Some((ledger, bytes > whole)))
}

/// The whole lines of a ledger, and how many bytes they have.
fn read_whole_lines(path: &Path) -> Result<(Ledger, u64), StoreError> {
    let too_long = |what: String| StoreError::content(path, None, what);
    let bytes = std::fs::metadata(path).map_err(StoreError::os("read", path))?.len();
    if bytes > BYTES_MAX {
        return Err(too_long(format!(
            "is larger than {BYTES_MAX} bytes; begin a new folder of races"
        )));
    }
    let mut lines = super::Lines::open(path)?;
    let (mut ledger, mut whole) = (Ledger::default(), 0);
    while let Some(line) = lines.next_line()? {
        if line.number > LINES_MAX {
            return Err(too_long(format!(
                "has more than {LINES_MAX} lines; begin a new folder of races"
            )));
        }
        if line.whole {
            ledger.take(&line.text);
            whole += line.bytes;
        }
    }
    Ok((ledger, whole))
}

fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            // A file system without locks: two races at once are then two who trust each other.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::os("lock", path)(error)),
        }
    }
    Err(StoreError::content(
        path,
        None,
        "another process holds it; end that one, or race into another folder",
    ))
}
