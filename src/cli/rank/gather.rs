//! Races from disk for `gauntlet rank`: the log is read and folded again, the result file is only compared with the fold.
//! A race whose files disagree goes apart with the first reason; the others are not held up by it.

use crate::cli::verify::verify_folder;
use crate::judge::Unconfined;
use crate::race::{RaceResult, Status};
use crate::standings::Held;
use crate::standings::ranking::Apart;
use crate::store::attempts::{Attempt, Fault, State};
use crate::store::{self, RaceFiles, read::ReadLog};
use crate::verify::{Difference, Report, compare_result, unread};
use std::path::Path;

/// What stands in the folders.
#[derive(Default)]
pub(super) struct Found {
    /// Results, folded from the logs.
    pub(super) races: Vec<RaceResult>,
    /// Races whose files disagree.
    pub(super) apart: Vec<Apart>,
    /// Their attempts, where the log still names them.
    pub(super) held: Vec<Held>,
}

impl Found {
    /// Reads one race folder.
    pub(super) fn take(&mut self, folder: &Path, verify: Option<Unconfined>) {
        let files = RaceFiles::new(folder);
        let mut known = None;
        match examine(&files, &mut known).and_then(|_| verified(folder, verify)) {
            Ok(()) => self.races.extend(known),
            Err(reason) => {
                let race = known.as_ref().map_or_else(|| files.name(), |it| it.race.clone());
                self.apart.push(Apart { race, reason, fault: true });
                let hold = |it: RaceResult| Held { lane: it.lane.name, attempt: it.attempt };
                self.held.extend(known.map(hold));
            }
        }
    }
}

impl Found {
    /// Holds the attempts that the ledger of a folder of races has and that are not there: they are used up all the same.
    pub(super) fn take_ledger(&mut self, dir: &Path, season: &str) {
        let (missing, faults) = ledger(dir);
        let of_season = missing.into_iter().filter(|it| it.season == season);
        self.held.extend(of_season.map(|it| Held { lane: it.lane, attempt: it.attempt }));
        self.apart.extend(faults);
    }
}

/// What the ledger of a folder of races has against the folder, if it has one: the attempts that are not there and are used up,
/// and all that does not agree.
pub(in crate::cli) fn ledger(dir: &Path) -> (Vec<Attempt>, Vec<Apart>) {
    if store::is_race(dir) || !store::has_ledger(dir) {
        return (Vec::new(), Vec::new());
    }
    let file = dir.join(store::LEDGER).display().to_string();
    let found = match store::attempts(dir) {
        Ok(found) => found,
        Err(error) => {
            let reason = unread(store::LEDGER, &error).sentence();
            return (Vec::new(), vec![Apart { race: file, reason, fault: true }]);
        }
    };
    let is_used_up = |it: &Attempt| it.missing && it.state != State::Void;
    let missing = found.attempts.into_iter().filter(is_used_up).collect();
    let apart = |fault: Fault| {
        let (race, reason) = match fault.line {
            Some(_) => (file.clone(), fault.sentence()),
            None => (fault.file, format!("{}: {}", store::LEDGER, fault.what)),
        };
        Apart { race, reason, fault: true }
    };
    (missing, found.faults.into_iter().map(apart).collect())
}

/// Folds a race into `known`, as far as its log goes, and compares its files. The error is the first reason not to believe it.
pub(in crate::cli) fn examine(
    files: &RaceFiles,
    known: &mut Option<RaceResult>,
) -> Result<ReadLog, String> {
    let log = files.log().map_err(|error| unread("log.jsonl", &error).sentence())?;
    *known = files.fold(&log).map_err(|error| unread("io.jsonl", &error).sentence())?;
    // A torn last line is what a crash leaves: the race is unfinished, and its files do not disagree.
    if let Some((line, what)) = log.fault.as_ref().filter(|_| !log.torn) {
        return Err(format!("log.jsonl, line {line}: {what}"));
    }
    let result = known.as_ref().ok_or("log.jsonl: the race has no start")?;
    for (file, due) in [("season.toml", &result.season_sha256), ("lane.toml", &result.lane_sha256)]
    {
        let sha256 = files.sha256(file).map_err(|error| unread(file, &error).sentence())?;
        if sha256 != *due {
            return Err(format!("{file}: is not the file that was raced with"));
        }
    }
    let over = result.finish_ms.is_some() || result.status == Status::Void;
    let mut report = Report::empty(files);
    compare_result(files, result, over, &mut report);
    first(&report.differences).map(|()| log)
}

/// Proves a race fully, when that is wanted.
pub(in crate::cli) fn verified(folder: &Path, verify: Option<Unconfined>) -> Result<(), String> {
    verify.map_or(Ok(()), |unconfined| first(&verify_folder(folder, unconfined).differences))
}

fn first(differences: &[Difference]) -> Result<(), String> {
    match differences.first() {
        None => Ok(()),
        Some(difference) => Err(difference.sentence()),
    }
}
