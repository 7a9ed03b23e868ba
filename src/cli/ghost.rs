//! Ghosts: races to run beside another one. They are folders of races, or published results by the lane's name.

use super::replay::{self, Race};
use super::{Failure, out, published};
use crate::race::fold::{Hashes, fold};
use crate::race::line::LogLine;
use crate::race::{RaceResult, Status};
use crate::season::Season;
use crate::standings::PublishedRace;
use crate::standings::published_log::published_log;
use crate::store::{RaceFiles, race_folders};
use crate::text::shown;
use crate::toml_file::closest;
use std::path::Path;

/// The word that stands for every published lane of the season.
const ALL: &str = "published";

/// Race folders that are looked at for a leader, at most.
const FOLDERS_MAX: usize = 2_000;

/// A race to run beside another.
#[derive(Debug, Clone)]
pub(super) struct Ghost {
    /// Who raced.
    pub(super) name: String,
    /// What happened.
    pub(super) lines: Vec<LogLine>,
    /// The fold of the lines.
    pub(super) result: RaceResult,
}

impl Ghost {
    fn of(race: &PublishedRace, season: &Season) -> Option<Self> {
        let lines = published_log(race, season)?;
        let result = fold(&lines, &Hashes { log_sha256: String::new(), io_sha256: String::new() })?;
        Some(Self { name: race.label.clone(), lines, result })
    }
}

/// The ghosts of published races, of those whose splits are published.
pub(super) fn of(races: &[PublishedRace], season: &Season) -> Vec<Ghost> {
    races.iter().filter_map(|race| Ghost::of(race, season)).collect()
}

/// The published ghosts of a name: one lane's, or every lane's for the word `published`.
pub(super) fn published(name: &str, season: &Season) -> Result<Vec<Ghost>, Failure> {
    let races = published::carried(season);
    let ghosts = |wanted: &dyn Fn(&PublishedRace) -> bool| -> Vec<Ghost> {
        let races = races.iter().filter(|race| wanted(race));
        races.filter_map(|race| Ghost::of(race, season)).collect()
    };
    let found = ghosts(&|race| name == ALL || race.lane == name || race.label == name);
    if !found.is_empty() {
        return Ok(found);
    }
    let shown_name = shown(name, 200);
    let season_name = shown(&season.name, 60);
    if races.iter().any(|race| race.lane == name || name == ALL) {
        return Err(Failure::Usage {
            what: format!("only totals of {shown_name} are published in season {season_name}"),
            hint: String::from("a ghost needs splits: name another lane, or the folder of a race"),
        });
    }
    let known: Vec<String> = ghosts(&|_| true).into_iter().map(|ghost| ghost.name).collect();
    let what = format!("{shown_name} is no folder, and no published lane of season {season_name}");
    let hint = match closest(name, known.iter().map(String::as_str).chain([ALL])) {
        Some(near) => format!("did you mean {near}?"),
        None if known.is_empty() => String::from("name the folder of a race"),
        None => format!("name the folder of a race, or one of: {}, {ALL}", known.join(", ")),
    };
    Err(Failure::Usage { what, hint })
}

/// One ghost: the folder of a race, or a published lane's name.
pub(super) fn named(argument: &Path, season: &Season) -> Result<Ghost, Failure> {
    if argument.is_dir() || argument.components().count() > 1 {
        let Race { lines, result, .. } = replay::read(argument)?;
        return Ok(Ghost { name: result.lane.name.clone(), lines, result });
    }
    let ghosts = published(&argument.to_string_lossy(), season)?;
    ghosts.into_iter().min_by_key(|ghost| ghost.result.finish_ms).ok_or_else(|| Failure::Usage {
        what: format!("{} is no race", shown(&argument.display().to_string(), 400)),
        hint: String::from("name the folder of a race, or a published lane"),
    })
}

/// The fastest finished race of a class: of the races in a folder, on the same season file, and of the published ones.
pub(super) fn leader(
    season: &Season,
    season_sha256: &str,
    class_gb: u64,
    races: &Path,
) -> Option<Ghost> {
    let published = published::carried(season).into_iter();
    let published = published.filter(|race| race.memory_class_gb == class_gb);
    let published = published.filter_map(|race| Ghost::of(&race, season));
    let best = published.min_by_key(|ghost| ghost.result.finish_ms);
    let limit_ms = best.as_ref().and_then(|ghost| ghost.result.finish_ms).unwrap_or(u64::MAX);
    raced(season_sha256, class_gb, races, limit_ms).or(best)
}

/// The fastest race in a folder that is faster than a published one; its log must say what its result says.
fn raced(season_sha256: &str, class_gb: u64, races: &Path, limit_ms: u64) -> Option<Ghost> {
    let mut fast: Vec<(u64, RaceFiles)> = Vec::new();
    for folder in race_folders(races).ok()?.into_iter().take(FOLDERS_MAX) {
        let files = RaceFiles::new(&folder);
        let Some(result) = claimed(&files) else { continue };
        let fits = result.season_sha256 == season_sha256
            && result.memory_class_gb == class_gb
            && result.status == Status::Finished;
        fast.extend(result.finish_ms.filter(|ms| fits && *ms < limit_ms).map(|ms| (ms, files)));
    }
    fast.sort_by_key(|(finish_ms, _)| *finish_ms);
    fast.into_iter().find_map(|(finish_ms, files)| {
        let log = files.log().ok().filter(|log| log.fault.is_none())?;
        let result = files.fold(&log).ok()??;
        let name = result.lane.name.clone();
        out::detail(&format!("the ghost is {}", shown(&files.path().display().to_string(), 400)));
        (result.finish_ms == Some(finish_ms)).then_some(Ghost { name, lines: log.lines, result })
    })
}

fn claimed(files: &RaceFiles) -> Option<RaceResult> {
    serde_json::from_str(&files.text("result.json").ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season;

    fn season() -> Season {
        season::read("21.toml", include_str!("../../seasons/21.toml")).unwrap()
    }

    #[test]
    fn published_lanes_are_named() {
        let names = |name: &str| -> Vec<String> {
            let ghosts = published(name, &season()).unwrap();
            ghosts.into_iter().map(|ghost| ghost.name).collect()
        };
        assert_eq!(names("gemma-4-31b-dgx-spark"), ["gemma-4-31b-dgx-spark"]);
        assert!(names("published").len() > 1);
        let error = published("gemma-4-31b-dgx-sprak", &season()).unwrap_err().to_string();
        assert!(error.contains("did you mean gemma-4-31b-dgx-spark?"), "{error}");
    }

    #[test]
    fn the_leader_is_the_fastest_of_the_class() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sha256 = crate::digest::sha256_hex(include_bytes!("../../seasons/21.toml"));
        let of = |class_gb, races: &str| {
            let ghost = leader(&season(), &sha256, class_gb, &root.join(races));
            ghost.map(|ghost| ghost.name)
        };
        assert_eq!(of(128, "no such folder").as_deref(), Some("gemma-4-31b-dgx-spark"));
        assert_eq!(of(64, "no such folder"), None);
        assert_eq!(of(64, "replays").as_deref(), Some("pacer-club"));
    }
}
