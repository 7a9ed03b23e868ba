//! The races of a replay: folders, as far as their logs stand, and published lanes.

use crate::cli::ghost::{self, Ghost};
use crate::cli::{Failure, near, out, published};
use crate::digest::sha256_hex;
use crate::lane::file::LaneFile;
use crate::race::RaceResult;
use crate::race::fold::{Hashes, fold};
use crate::race::line::LogLine;
use crate::season::{self, Season};
use crate::store::{RaceFiles, race_folders, read_text};
use crate::text::shown;
use std::path::{Path, PathBuf};

/// Largest season file, in bytes.
const SEASON_BYTES_MAX: u64 = 1024 * 1024;

/// The name of a file of published results.
const PUBLISHED: &str = "published.toml";

/// A race as it was read.
pub(in crate::cli) struct Race {
    /// Its folder; none for published results.
    pub(in crate::cli) folder: Option<PathBuf>,
    /// The lines of its log.
    pub(in crate::cli) lines: Vec<LogLine>,
    /// Their fold.
    pub(in crate::cli) result: RaceResult,
}

/// The race and its ghosts. Each is a folder, or a file of published results; a ghost may be the name of a published lane too.
pub(super) fn gather(race: &Path, ghosts: &[PathBuf]) -> Result<Vec<Race>, Failure> {
    let mut races = Vec::new();
    for path in std::iter::once(race).chain(ghosts.iter().map(PathBuf::as_path)) {
        if path.ends_with(PUBLISHED) {
            races.extend(of_file(path)?);
        } else if path == race || path.is_dir() || path.components().count() > 1 {
            races.push(read(path)?);
        } else {
            let name = path.to_string_lossy();
            races.extend(ghost::published(&name, &season_of(race)?)?.into_iter().map(Race::from));
        }
    }
    Ok(races)
}

impl From<Ghost> for Race {
    fn from(ghost: Ghost) -> Self {
        Self { folder: None, lines: ghost.lines, result: ghost.result }
    }
}

/// The races of a file of published results that have splits. `seasons/21/published.toml` belongs to `seasons/21.toml`.
fn of_file(path: &Path) -> Result<Vec<Race>, Failure> {
    let season = read_season(&path.parent().unwrap_or(path).with_extension("toml"))?;
    let ghosts = ghost::of(&published::read(path, &season)?, &season);
    if ghosts.is_empty() {
        return Err(Failure::Usage {
            what: format!("{} has totals alone", shown(&path.display().to_string(), 400)),
            hint: String::from("a replay needs the splits of a race at each range"),
        });
    }
    Ok(ghosts.into_iter().map(Race::from).collect())
}

/// The season that a race was raced in, or that a file of published results belongs to.
fn season_of(race: &Path) -> Result<Season, Failure> {
    if race.ends_with(PUBLISHED) {
        return read_season(&race.parent().unwrap_or(race).with_extension("toml"));
    }
    let files = RaceFiles::new(race);
    let name = files.file("season.toml").display().to_string();
    Ok(season::read(&name, &files.text("season.toml")?)?)
}

fn read_season(path: &Path) -> Result<Season, Failure> {
    let text = read_text(path, SEASON_BYTES_MAX)?;
    Ok(season::read(&path.display().to_string(), &text)?)
}

/// Reads a race folder as far as its log stands, and says where it does not.
pub(in crate::cli) fn read(folder: &Path) -> Result<Race, Failure> {
    let files = RaceFiles::new(folder);
    if !files.has("log.jsonl") {
        return Err(no_race(folder));
    }
    let log = files.log()?;
    let path = shown(&files.file("log.jsonl").display().to_string(), 400);
    // A replay needs no io file; its hash is only part of the result.
    let io_sha256 = files.sha256("io.jsonl").unwrap_or_default();
    let hashes = Hashes { log_sha256: log.sha256.clone(), io_sha256 };
    let Some(result) = fold(&log.lines, &hashes) else {
        let what = match &log.fault {
            Some((line, what)) => format!("{path}, line {line}: {}", shown(what, 400)),
            None if log.lines.is_empty() => format!("{path} is empty"),
            None => format!("{path} does not begin with a start event"),
        };
        let hint =
            "nothing of this race can be replayed; `gauntlet verify` says what its files are worth";
        return Err(Failure::Usage { what, hint: hint.to_owned() });
    };
    if let Some((line, what)) = &log.fault {
        let count = out::counted(log.lines.len() as u64, "line");
        let standing =
            if log.torn { "the race stopped there" } else { "what follows is not shown" };
        out::note(&format!(
            "note: {path}, line {line}: {}; the {count} before it replay, {standing}",
            shown(what, 400)
        ));
    }
    Ok(Race { folder: Some(folder.to_owned()), lines: log.lines, result })
}

/// The name for people that the race's own lane file has; empty where the folder has another one.
pub(super) fn title(folder: &Path, result: &RaceResult) -> String {
    let text = RaceFiles::new(folder).text("lane.toml").unwrap_or_default();
    let own = sha256_hex(text.as_bytes()) == result.lane_sha256;
    let lane = LaneFile::parse("lane.toml", &text).ok().filter(|_| own);
    lane.map_or_else(String::new, |lane| lane.title)
}

fn no_race(folder: &Path) -> Failure {
    let path = shown(&folder.display().to_string(), 400);
    if !folder.is_dir() {
        let what = format!("{path} is no folder, and a race is one");
        return Failure::Usage { what, hint: near::hint(folder) };
    }
    let hint = match race_folders(folder) {
        Ok(races) => {
            let names: Vec<String> =
                races.iter().take(5).map(|race| shown(&race.display().to_string(), 200)).collect();
            format!("it holds {}: {}", out::counted(races.len() as u64, "race"), names.join(", "))
        }
        Err(_) => String::from("a race folder holds log.jsonl; `gauntlet race` makes one"),
    };
    Failure::Usage { what: format!("{path} is no race folder: it has no log.jsonl"), hint }
}
