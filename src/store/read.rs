//! Reads a race folder back, line by line, whoever wrote it. Every file is bounded; nothing outside the folder is followed.

use super::{StoreError, read_text};
use crate::format::{self, FormatError};
use crate::race::line::{ChainReader, Chained, LINE_BYTES_MAX, LogLine};
use crate::race::{RaceResult, fold, fold::Hashes};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Largest file that is read whole: season, lane, result.
const WHOLE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Longest log that is held in memory.
const LOG_LINES_MAX: usize = 100_000;

/// A race folder to read from.
#[derive(Debug, Clone)]
pub struct RaceFiles {
    path: PathBuf,
}

/// A log as it was read: the lines that stand, and what is wrong after them.
#[derive(Debug)]
pub struct ReadLog {
    /// The lines that could be read, chained from the first.
    pub lines: Vec<LogLine>,
    /// The first fault, with its line from 1: a torn last line, a broken chain, a line that is no event.
    pub fault: Option<(u64, String)>,
    /// Whether the fault is a last line without its line end, as a crash leaves it.
    pub torn: bool,
    /// SHA-256 of the file as it stands.
    pub sha256: String,
}

impl RaceFiles {
    /// The race in that folder.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The path of one of its files.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder's own name.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A whole text file of the folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn text(&self, name: &str) -> Result<String, StoreError> {
        let path = self.file(name);
        refuse_link(&path)?;
        read_text(&path, WHOLE_BYTES_MAX)
    }

    /// Whether the folder has that file.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        fs::symlink_metadata(self.file(name)).is_ok()
    }

    /// The size of a plain file in bytes.
    ///
    /// # Errors
    /// When it is none, or cannot be looked at.
    pub fn length(&self, name: &str) -> Result<u64, StoreError> {
        let path = self.file(name);
        refuse_link(&path)?;
        fs::symlink_metadata(&path).map(|meta| meta.len()).map_err(StoreError::os("look at", &path))
    }

    /// The names in the folder in their order, each with whether it is a plain file. A name that is no UTF-8 is shown with
    /// replacement characters, and is no plain file to us.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn entries(&self) -> Result<Vec<(String, bool)>, StoreError> {
        let list = || StoreError::os("list", &self.path);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(list())? {
            let entry = entry.map_err(list())?;
            let plain = entry.file_type().map_err(list())?.is_file();
            match entry.file_name().into_string() {
                Ok(name) => names.push((name, plain)),
                Err(name) => names.push((name.to_string_lossy().into_owned(), false)),
            }
        }
        names.sort();
        Ok(names)
    }

    /// The lines of a file, one at a time.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn lines(&self, name: &str) -> Result<Lines, StoreError> {
        Lines::open(&self.file(name))
    }

    /// The log. Faults of its content are part of what comes back.
    ///
    /// # Errors
    /// When the file cannot be read at all, or its format is newer than this version.
    pub fn log(&self) -> Result<ReadLog, StoreError> {
        let path = self.file("log.jsonl");
        let mut source = Lines::open(&path)?;
        let mut chain = ChainReader::default();
        let mut log =
            ReadLog { lines: Vec::new(), fault: None, torn: false, sha256: String::new() };
        while let Some(line) = source.next_line()? {
            if log.fault.is_some() {
                continue;
            }
            if line.number == 1 {
                check_format(&line.text)
                    .map_err(|error| StoreError::content(&path, Some(1), error.to_string()))?;
            }
            match read_line(&mut chain, &line) {
                Ok(line) if log.lines.len() < LOG_LINES_MAX => log.lines.push(line),
                Ok(_) => {
                    log.fault = Some((line.number, format!("more than {LOG_LINES_MAX} lines")))
                }
                Err(what) => {
                    log.fault = Some((line.number, what));
                    log.torn = !line.whole;
                }
            }
        }
        log.sha256 = source.sha256();
        Ok(log)
    }

    /// SHA-256 of the first line of io.jsonl, without its line end; nothing when there is no whole line, or no such file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn head_sha256(&self) -> Result<Option<String>, StoreError> {
        if !self.has("io.jsonl") {
            return Ok(None);
        }
        let first = self.lines("io.jsonl")?.next_line()?;
        // A line with broken UTF-8 has no SHA-256 that a ledger could name.
        Ok(first
            .filter(|line| line.whole)
            .map(|line| crate::digest::sha256_hex(line.text.as_bytes())))
    }

    /// Whether a process is racing into this folder: it holds a lock on io.jsonl for as long as it lives. Where there are
    /// no such locks nobody can tell, and it may be running.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let path = self.file("io.jsonl");
        // To open a pipe would wait for whoever writes into it.
        if refuse_link(&path).is_err() {
            return false;
        }
        match File::open(path) {
            Ok(_) if !cfg!(unix) => true,
            Ok(file) => file.try_lock_shared().is_err(),
            Err(_) => false,
        }
    }

    /// The result, folded from the log as it stands; nothing when the log has no start.
    ///
    /// # Errors
    /// When log or io cannot be read.
    pub fn fold(&self, log: &ReadLog) -> Result<Option<RaceResult>, StoreError> {
        let hashes = Hashes { log_sha256: log.sha256.clone(), io_sha256: self.sha256("io.jsonl")? };
        Ok(fold(&log.lines, &hashes))
    }

    /// SHA-256 of a file, read in pieces.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn sha256(&self, name: &str) -> Result<String, StoreError> {
        let path = self.file(name);
        refuse_link(&path)?;
        let mut file = File::open(&path).map_err(StoreError::os("open", &path))?;
        let mut hash = Sha256::new();
        let mut piece = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut piece).map_err(StoreError::os("read", &path))?;
            if count == 0 {
                return Ok(crate::digest::hex(&hash.finalize()));
            }
            hash.update(&piece[..count]);
        }
    }
}

/// Refuses a log of a newer format by its first line alone, which may have fields that this version does not know.
fn check_format(first_line: &str) -> Result<(), FormatError> {
    let line: Option<Value> = serde_json::from_str(first_line).ok();
    let format = line.as_ref().and_then(|line| line.pointer("/event/format"));
    match format.and_then(|format| serde_json::from_value(format.clone()).ok()) {
        Some(format) => format::LOG.check_readable(&format),
        None => Ok(()),
    }
}

/// Reads one line of a chained file.
///
/// # Errors
/// What is wrong with it; fits after "line N: ".
pub fn read_line<T: DeserializeOwned + Chained>(
    chain: &mut ChainReader,
    line: &Line,
) -> Result<T, String> {
    if !line.whole {
        return Err(String::from("the last line is torn (it has no line end)"));
    }
    chain.read(&line.text)
}

/// A line of a file.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Its text without the line end; broken UTF-8 is replaced, which no reader of JSON takes for what was written.
    pub text: String,
    /// Whether it had its line end.
    pub whole: bool,
    /// How many bytes it has in the file, its line end included.
    pub bytes: u64,
}

/// The lines of a file, read one at a time with a bound on each, and its SHA-256.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    number: u64,
    hash: Sha256,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        refuse_link(path)?;
        let file = File::open(path).map_err(StoreError::os("open", path))?;
        Ok(Self {
            path: path.to_owned(),
            reader: BufReader::new(file),
            number: 0,
            hash: Sha256::new(),
        })
    }

    /// The next line; nothing at the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is too long.
    pub fn next_line(&mut self) -> Result<Option<Line>, StoreError> {
        let mut bytes = Vec::new();
        let mut bounded = (&mut self.reader).take(LINE_BYTES_MAX as u64);
        bounded.read_until(b'\n', &mut bytes).map_err(StoreError::os("read", &self.path))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        self.hash.update(&bytes);
        let whole = bytes.last() == Some(&b'\n');
        let length = bytes.len() as u64;
        if !whole && bytes.len() == LINE_BYTES_MAX {
            let what = format!("longer than {LINE_BYTES_MAX} bytes");
            return Err(StoreError::content(&self.path, Some(self.number), what));
        }
        if whole {
            bytes.pop();
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Some(Line { number: self.number, text, whole, bytes: length }))
    }

    /// SHA-256 of what was read so far.
    #[must_use]
    pub fn sha256(&self) -> String {
        crate::digest::hex(&self.hash.clone().finalize())
    }
}

pub(super) fn refuse_link(path: &Path) -> Result<(), StoreError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => Ok(()),
        Ok(_) => Err(StoreError::content(path, None, "not a plain file; links are not followed")),
        Err(error) => Err(StoreError::os("open", path)(error)),
    }
}
