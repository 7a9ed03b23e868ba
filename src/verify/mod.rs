//! Proves a race from its raw files: regenerates the tasks, referees the io again, judges its code again, folds, and compares.
//!
//! Nothing of the folder is believed but io.jsonl, and of that only what a lane could have sent: requests must be the ones
//! that were due, code verdicts are judged anew, numbers and stamps must ascend and every line must carry the SHA-256 of the
//! one before. What this cannot show is that the stream itself came from the model that the lane file names.

pub(crate) mod compare;
mod rerun;
mod signed;
mod stamps;

pub(crate) use compare::compare_result;

use compare::{LogCompare, compare_system_prompt};
use rerun::Again;
use stamps::Stamps;

use crate::clock::Stamp;
use crate::course::Course;
use crate::digest::sha256_hex;
use crate::drive::Judge;
use crate::lane::file::LaneFile;
use crate::publish::redact::Openings;
use crate::race::fold::{Folding, Hashes};
use crate::race::line::Chain;
use crate::race::{Referee, Status};
use crate::season;
use crate::season::seal::Sealed;
use crate::store::{RaceFiles, StoreError};
use serde::Serialize;

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Report {
    /// The race's id, or the folder's name when the files do not say.
    pub race: String,
    /// Whether everything agrees.
    pub verified: bool,
    /// What differs, the first of each file.
    pub differences: Vec<Difference>,
    /// What a reader should know and what is no difference: an unfinished race, a torn last line.
    pub notes: Vec<String>,
    /// How the race ended by its own io.
    pub status: Option<Status>,
    /// The public key that signed the folder, when its signature holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<String>,
    /// The commitment that the season's seed opens, for a season that was sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season_seal: Option<String>,
}

impl Report {
    /// A report of which nothing is known yet.
    pub(crate) fn empty(files: &RaceFiles) -> Self {
        let (differences, notes) = (Vec::new(), Vec::new());
        let race = files.name();
        let (verified, status, signed_by, season_seal) = (false, None, None, None);
        Self { race, verified, differences, notes, status, signed_by, season_seal }
    }
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The file.
    pub file: String,
    /// The line, from 1, where there is one.
    pub line: Option<u64>,
    /// What differs there.
    pub what: String,
}

impl Difference {
    /// One line for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.line {
            Some(line) => format!("{}, line {line}: {}", self.file, self.what),
            None => format!("{}: {}", self.file, self.what),
        }
    }
}

/// What a verification asks for beyond the files' own agreement.
#[derive(Debug, Clone, Default)]
pub struct Demands {
    /// The public key that must have signed the folder.
    pub key: Option<String>,
    /// The sealed season that the race's season must be.
    pub sealed: Option<Sealed>,
    /// What must open the commitments of a published copy.
    pub openings: Option<Openings>,
}

impl Report {
    /// Adds what the demands find.
    pub fn demand(&mut self, files: &RaceFiles, demands: &Demands) {
        signed::demand(self, demands);
        if let Some(openings) = &demands.openings {
            signed::open(files, openings, self);
        }
        self.verified = self.differences.is_empty();
    }
}

/// Verifies the race of a folder. A file that cannot be read is a difference like any other.
#[must_use]
pub fn verify(files: &RaceFiles, judge: Judge<'_>) -> Report {
    let mut report = Report::empty(files);
    if let Err(difference) = examine(files, judge, &mut report) {
        report.differences.push(difference);
    }
    signed::examine(files, &mut report);
    report.verified = report.differences.is_empty();
    report
}

fn examine(files: &RaceFiles, judge: Judge<'_>, report: &mut Report) -> Result<(), Difference> {
    let season_text = files.text("season.toml").map_err(|error| unread("season.toml", &error))?;
    let lane_text = files.text("lane.toml").map_err(|error| unread("lane.toml", &error))?;
    let season = season::read("season.toml", &season_text).map_err(|error| {
        differs("season.toml", error.line.map(|(line, _)| line as u64), &error.what)
    })?;
    let lane = LaneFile::parse("lane.toml", &lane_text).map_err(|error| {
        differs("lane.toml", error.line.map(|(line, _)| line as u64), &error.what)
    })?;
    report.season_seal.clone_from(&season.seal);
    let course =
        Course::plan(season).map_err(|error| differs("season.toml", None, &error.to_string()))?;

    let mut again = Again {
        referee: Referee::new(&course, &lane),
        stamps: Stamps::new(course.season.clock_gap_ms),
        course: &course,
        lane: &lane,
        judge,
        hashes: [sha256_hex(season_text.as_bytes()), sha256_hex(lane_text.as_bytes())],
        last: Stamp { t_ms: 0, wall_ms: 0 },
        chain: Chain::default(),
        log: LogCompare::open(files)?,
        folding: Folding::default(),
        race: None,
        unconfined: false,
    };
    let io_sha256 = again.run(files, report)?;
    if let Some(race) = &again.race {
        report.race.clone_from(race);
    }
    let over = again.referee.is_over();
    let system = again.referee.system_prompt().to_owned();
    let folding = std::mem::take(&mut again.folding);
    let log_sha256 = again.log.close(over, report)?;
    let hashes = Hashes { log_sha256, io_sha256 };
    let Some(result) = folding.result(&hashes) else {
        return Err(differs("io.jsonl", Some(1), "the race has no start"));
    };
    report.status = Some(result.status);
    compare_result(files, &result, over, report);
    compare_system_prompt(files, &system, over, report);
    Ok(())
}

fn differs(file: &str, line: Option<u64>, what: &str) -> Difference {
    Difference { file: file.to_owned(), line, what: what.to_owned() }
}

/// A file that could not be read, as a difference.
pub(crate) fn unread(file: &str, error: &StoreError) -> Difference {
    match error {
        StoreError::Os { what, error, .. } => {
            differs(file, None, &format!("cannot {what} it: {error}"))
        }
        StoreError::Content { line, what, .. } => differs(file, *line, what),
    }
}
