//! The attempts ledger: one file beside the races of a folder, in which every attempt is entered before anything is asked of
//! its lane, and again when it ends.
//!
//! Its lines are chained as those of a race are, and name the SHA-256 of a race's first line and of its result. So an attempt
//! that was deleted, renamed, reordered or exchanged shows, as long as nobody writes the whole ledger anew. `store/ledger.rs`
//! writes and reads the file, `store/attempts.rs` compares it with the folders that stand beside it.

use super::fold::Status;
use super::line::{ChainReader, Chained};
use crate::digest::sha256_hex;
use crate::format::{self, Format};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerLine {
    /// Its number, from 0.
    pub seq: u64,
    /// What is entered.
    pub entry: Entry,
    /// SHA-256 of the line before, without its line end; empty in the first line.
    pub prev: String,
}

impl Chained for LedgerLine {
    fn link(&self) -> (u64, &str) {
        (self.seq, &self.prev)
    }
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Entry {
    /// The first line.
    Ledger {
        /// The format of the file.
        format: Format,
    },
    /// A race that stood beside the ledger when the next attempt of its lane began, and was not entered by its start.
    Found {
        /// The race's id.
        race: String,
        /// The season's name.
        season: String,
        /// The lane's name.
        lane: String,
        /// Which attempt.
        attempt: u32,
        /// SHA-256 of the first line of io.jsonl, without its line end.
        head_sha256: String,
    },
    /// An attempt begins.
    Started {
        /// The race's id.
        race: String,
        /// The season's name.
        season: String,
        /// The lane's name.
        lane: String,
        /// Which attempt.
        attempt: u32,
        /// Wall clock of its start, UTC.
        wall: String,
        /// SHA-256 of the first line of io.jsonl, without its line end.
        head_sha256: String,
    },
    /// An attempt has its result.
    Ended {
        /// The race's id.
        race: String,
        /// How it ended.
        status: Status,
        /// Why, where it is void, disturbed or unfinished.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// The finish time, if it finished.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finish_ms: Option<u64>,
        /// SHA-256 of result.json.
        result_sha256: String,
    },
    /// An attempt was found without a result after its process had ended.
    Broken {
        /// The race's id.
        race: String,
        /// Where it stopped.
        why: String,
        /// SHA-256 of io.jsonl as it stood.
        io_sha256: String,
    },
}

/// The id of an attempt, which is its folder's name.
#[must_use]
pub fn race_id(season: &str, lane: &str, attempt: u32) -> String {
    format!("{season}-{lane}-attempt{attempt}")
}

/// An attempt as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// The race's id.
    pub race: String,
    /// The season's name.
    pub season: String,
    /// The lane's name.
    pub lane: String,
    /// Which attempt.
    pub attempt: u32,
    /// The line that enters it, from 1.
    pub line: u64,
    /// Wall clock of its start; nothing for a race that was found.
    pub began: Option<String>,
    /// SHA-256 of the first line of io.jsonl.
    pub head_sha256: String,
    /// How it ended, once that is entered.
    pub end: Option<End>,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It has a result.
    Ended {
        /// How.
        status: Status,
        /// Why.
        why: Option<String>,
        /// The finish time.
        finish_ms: Option<u64>,
        /// SHA-256 of result.json.
        result_sha256: String,
    },
    /// It was found without one.
    Broken {
        /// Where it stopped.
        why: String,
        /// SHA-256 of io.jsonl.
        io_sha256: String,
    },
}

/// A ledger as it was read. What is wrong with it is kept beside what it says.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// The attempts, in the order in which they were entered.
    pub attempts: Vec<Entered>,
    /// What is wrong, each with its line from 1; of the chain only the first.
    pub faults: Vec<(u64, String)>,
    by_race: BTreeMap<String, usize>,
    last: BTreeMap<(String, String), u32>,
    chain: ChainReader,
    broke: bool,
    lines: u64,
    prev: String,
}

impl Ledger {
    /// Takes the next line, given without its line end.
    pub fn take(&mut self, text: &str) {
        let number = self.lines + 1;
        let chained = self.chain.read::<LedgerLine>(text);
        self.lines = number;
        self.prev = sha256_hex(text.as_bytes());
        // After a break what the lines say is still of use: it names the attempts that somebody once entered.
        let line = match chained {
            Ok(line) => Ok(line),
            Err(what) => {
                if !std::mem::replace(&mut self.broke, true) {
                    self.faults.push((number, what.clone()));
                }
                serde_json::from_str::<LedgerLine>(text).map_err(|_| what)
            }
        };
        let Ok(line) = line else { return };
        if let Err(what) = self.enter(number, line.entry) {
            self.faults.push((number, what));
        }
    }

    fn enter(&mut self, line: u64, entry: Entry) -> Result<(), String> {
        match entry {
            Entry::Ledger { format } if line == 1 => {
                format::LEDGER.check_readable(&format).map_err(|error| error.to_string())
            }
            Entry::Ledger { .. } => Err(String::from("is a first line, and stands further on")),
            _ if line == 1 => Err(String::from("does not say the ledger's format")),
            Entry::Found { race, season, lane, attempt, head_sha256 } => {
                let began = None;
                let end = None;
                self.add(Entered { race, season, lane, attempt, line, began, head_sha256, end })
            }
            Entry::Started { race, season, lane, attempt, wall, head_sha256 } => {
                let of_lane = (season.clone(), lane.clone());
                let before = self.last.get(&of_lane).copied().unwrap_or(0);
                self.last.insert(of_lane, before.max(attempt));
                let (began, end) = (Some(wall), None);
                self.add(Entered { race, season, lane, attempt, line, began, head_sha256, end })?;
                if attempt > before {
                    return Ok(());
                }
                Err(format!("starts attempt {attempt} after attempt {before} of the same lane"))
            }
            Entry::Ended { race, status, why, finish_ms, result_sha256 } => {
                self.end(&race, End::Ended { status, why, finish_ms, result_sha256 })
            }
            Entry::Broken { race, why, io_sha256 } => {
                self.end(&race, End::Broken { why, io_sha256 })
            }
        }
    }

    fn add(&mut self, entered: Entered) -> Result<(), String> {
        let Entered { race, season, lane, attempt, .. } = &entered;
        // An id is a folder's name; one that leads elsewhere is never looked up.
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        if *race != race_id(season, lane, *attempt)
            || !race.chars().all(safe)
            || race.starts_with('.')
        {
            return Err(String::from("has a race id that is not SEASON-LANE-attemptN"));
        }
        if self.by_race.contains_key(race) {
            return Err(format!("enters {race} a second time"));
        }
        self.by_race.insert(race.clone(), self.attempts.len());
        self.attempts.push(entered);
        Ok(())
    }

    fn end(&mut self, race: &str, end: End) -> Result<(), String> {
        let index = self.by_race.get(race);
        let entered = index.and_then(|index| self.attempts.get_mut(*index));
        let entered = entered.ok_or("ends a race that was not entered")?;
        // Where a file system knows no locks, a race that is on can be taken for broken; its own end is the truer word.
        if entered.end.as_ref().is_some_and(|end| matches!(end, End::Ended { .. })) {
            return Err(format!("ends {race} a second time"));
        }
        entered.end = Some(end);
        Ok(())
    }

    /// Whether nothing was read yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// The attempt of that id.
    #[must_use]
    pub fn find(&self, race: &str) -> Option<&Entered> {
        self.by_race.get(race).and_then(|index| self.attempts.get(*index))
    }

    /// The highest attempt of a lane in a season; 0 when there is none.
    #[must_use]
    pub fn last_attempt(&self, season: &str, lane: &str) -> u32 {
        let of_lane = |it: &&Entered| it.season == season && it.lane == lane;
        self.attempts.iter().filter(of_lane).map(|it| it.attempt).max().unwrap_or(0)
    }

    /// The next line with its line end, taken in as it is written.
    pub fn write(&mut self, entry: Entry) -> String {
        let line = LedgerLine { seq: self.lines, entry, prev: self.prev.clone() };
        // A line holds no map with other keys than strings and no failing type: writing one cannot fail.
        let text = serde_json::to_string(&line).unwrap_or_default();
        self.take(&text);
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(lane: &str, attempt: u32) -> Entry {
        Entry::Started {
            race: race_id("21", lane, attempt),
            season: "21".into(),
            lane: lane.into(),
            attempt,
            wall: "2026-12-01T03:01:44.250Z".into(),
            head_sha256: "ab".into(),
        }
    }

    fn ended(lane: &str, attempt: u32) -> Entry {
        let race = race_id("21", lane, attempt);
        let (status, why, finish_ms) = (Status::Finished, None, Some(1));
        Entry::Ended { race, status, why, finish_ms, result_sha256: "cd".into() }
    }

    fn broken(lane: &str, attempt: u32) -> Entry {
        let race = race_id("21", lane, attempt);
        Entry::Broken { race, why: "w".into(), io_sha256: "ef".into() }
    }

    fn written(entries: Vec<Entry>) -> Vec<String> {
        let mut ledger = Ledger::default();
        let first = Entry::Ledger { format: format::LEDGER.written() };
        let all = std::iter::once(first).chain(entries);
        all.map(|entry| ledger.write(entry).trim_end().to_owned()).collect()
    }

    fn read(lines: &[String]) -> Ledger {
        let mut ledger = Ledger::default();
        lines.iter().for_each(|line| ledger.take(line));
        ledger
    }

    #[test]
    fn what_is_written_reads_back() {
        let entries =
            vec![started("a", 1), started("b", 1), ended("a", 1), broken("b", 1), started("a", 2)];
        let ledger = read(&written(entries));
        assert_eq!(ledger.faults, []);
        let ends: Vec<bool> = ledger.attempts.iter().map(|it| it.end.is_some()).collect();
        assert_eq!(ends, [true, true, false]);
        assert_eq!((ledger.last_attempt("21", "a"), ledger.last_attempt("22", "a")), (2, 0));
        assert_eq!(ledger.find("21-a-attempt2").map(|it| it.line), Some(6));
    }

    #[test]
    fn every_line_taken_out_swapped_or_changed_shows() {
        let lines = written(vec![started("a", 1), ended("a", 1), started("a", 2), ended("a", 2)]);
        for at in 0..lines.len() - 1 {
            let mut without = lines.clone();
            without.remove(at);
            assert!(!read(&without).faults.is_empty(), "line {at} taken out");
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            assert!(!read(&swapped).faults.is_empty(), "lines {at} and {} swapped", at + 1);
        }
        for at in 0..lines.len() - 1 {
            let mut changed = lines.clone();
            changed[at] = changed[at].replace("\"seq\":", "\"seq\": ");
            assert!(!read(&changed).faults.is_empty(), "line {at} changed");
        }
    }

    #[test]
    fn entries_that_cannot_follow_are_named_whoever_chained_them() {
        for (entries, due) in [
            (vec![started("a", 2), started("a", 1)], "starts attempt 1 after attempt 2"),
            (vec![started("a", 1), started("a", 1)], "a second time"),
            (vec![ended("a", 1)], "was not entered"),
            (vec![started("a", 1), ended("a", 1), ended("a", 1)], "a second time"),
            (vec![started("a", 1), ended("a", 1), broken("a", 1)], "a second time"),
            (vec![Entry::Ledger { format: format::LEDGER.written() }], "stands further on"),
            (vec![started("../../etc", 1)], "race id"),
        ] {
            let faults = read(&written(entries)).faults;
            assert!(faults.iter().any(|(_, what)| what.contains(due)), "{due}: {faults:?}");
        }
        let overruled = read(&written(vec![started("a", 1), broken("a", 1), ended("a", 1)]));
        assert_eq!(overruled.faults, []);
    }

    #[test]
    fn a_newer_ledger_is_said_in_words() {
        let newer = r#"{"seq":0,"entry":{"type":"ledger","format":{"name":"gauntlet-ledger","major":9,"minor":0}},"prev":""}"#;
        let faults = read(&[newer.to_owned()]).faults;
        assert!(faults[0].1.contains("a newer gauntlet reads it"), "{faults:?}");
    }
}
