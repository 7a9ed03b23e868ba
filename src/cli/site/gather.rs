//! Races from disk for `gauntlet site`: believed as `gauntlet rank` believes them, and read with what their pages show besides.

use crate::cli::rank::gather::{examine, ledger, verified};
use crate::judge::Unconfined;
use crate::lane::file::LaneFile;
use crate::lane::file::LaneKind;
use crate::page::{Race, Track};
use crate::race::{Event, RaceResult};
use crate::season;
use crate::standings::Held;
use crate::standings::ranking::Apart;
use crate::store::{RaceFiles, StoreError};
use crate::wall;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of a race folder that are copied, in the order in which pages list them.
const RAW: [&str; 11] = [
    "result.json",
    "log.jsonl",
    "io.jsonl",
    "season.toml",
    "lane.toml",
    "system-prompt.txt",
    "command.txt",
    "verify.txt",
    "signature.json",
    "redactions.json",
    "README.md",
];

/// A race that has pages.
pub(in crate::cli) struct Read {
    /// Where it is.
    pub(in crate::cli) folder: PathBuf,
    /// What its pages show.
    pub(in crate::cli) race: Race,
    /// The season file that it was raced on.
    pub(in crate::cli) season_text: String,
    /// What was read at its ranges, for the page of its answers.
    pub(in crate::cli) log: Vec<Event>,
    /// Whether its folder may tell what is private: a race of a real server, and no published copy.
    pub(in crate::cli) is_private: bool,
}

/// A race without pages.
pub(in crate::cli) struct Refused {
    /// Which, and why.
    pub(in crate::cli) apart: Apart,
    /// Its attempt, where its log still names it.
    pub(in crate::cli) held: Option<Held>,
    /// Its season, where its log still names it.
    pub(in crate::cli) season: Option<String>,
}

/// Reads a race folder.
pub(in crate::cli) fn read(
    folder: &Path,
    raw: bool,
    verify: bool,
) -> Result<Box<Read>, Box<Refused>> {
    let files = RaceFiles::new(folder);
    let mut known = None;
    let read = examine(&files, &mut known).and_then(|log| {
        verified(folder, verify.then_some(Unconfined::Refuse))?;
        let result = known.clone().ok_or("log.jsonl: the race has no start")?;
        let log: Vec<_> = log.lines;
        let wall = log.first().map(|line| line.wall.clone());
        let log = log.into_iter().map(|line| line.event).collect();
        pages(&files, result, log, wall, raw, verify)
    });
    read.map(Box::new).map_err(|reason| {
        let race = known.as_ref().map_or_else(|| files.name(), |it| it.race.clone());
        Box::new(Refused {
            apart: Apart { race, reason, fault: true },
            season: known.as_ref().map(|it| it.season.clone()),
            held: known.map(|it| Held { lane: it.lane.name, attempt: it.attempt }),
        })
    })
}

/// What the attempts ledger of a folder of races has against it. A missing attempt is used up, as in `gauntlet rank`.
pub(in crate::cli) fn against(dir: &Path) -> Vec<Refused> {
    let (missing, faults) = ledger(dir);
    let refused = faults.into_iter().map(|apart| {
        let gone = missing.iter().find(|it| it.race == apart.race);
        Refused {
            held: gone.map(|it| Held { lane: it.lane.clone(), attempt: it.attempt }),
            season: gone.map(|it| it.season.clone()),
            apart,
        }
    });
    refused.collect()
}

fn pages(
    files: &RaceFiles,
    result: RaceResult,
    log: Vec<Event>,
    wall: Option<String>,
    raw: bool,
    verified: bool,
) -> Result<Read, String> {
    let Some(Event::Start(start)) = log.first() else {
        return Err(String::from("log.jsonl: the race has no start"));
    };
    let start = (**start).clone();
    let text = |name: &str| {
        files.text(name).map_err(|error| crate::verify::unread(name, &error).sentence())
    };
    let season_text = text("season.toml")?;
    let season = season::read("season.toml", &season_text).map_err(|error| error.to_string())?;
    let lane_text = text("lane.toml")?;
    let lane = LaneFile::parse("lane.toml", &lane_text).map_err(|error| error.to_string())?;
    if result.finish_ms.is_some() {
        // Every finished race has one that can be read; what it must say is for `gauntlet verify`.
        text("system-prompt.txt")?;
    }
    if result.season != season.name {
        return Err(format!(
            "log.jsonl is of season {}, and season.toml of {}",
            result.season, season.name
        ));
    }
    if !is_safe(&result.race) {
        return Err(String::from("log.jsonl: the id of the race is no name that a page can have"));
    }
    let track = Track::raced(&result, &season, &lane.title, lane.thinks())
        .map_err(|what| format!("log.jsonl: {what}"))?;
    let is_simulated = lane.kind == LaneKind::Sim;
    let is_private = !is_simulated && !files.has("redactions.json");
    let files_kept = if raw { kept(files).map_err(|error| error.to_string())? } else { Vec::new() };
    let began = wall.filter(|wall| !is_simulated && wall::read(wall).is_ok());
    let race = Race { result, track, season, start, began, lane, files: files_kept, verified };
    Ok(Read { folder: files.path().to_owned(), race, season_text, log, is_private })
}

/// Whether an id may be the name of a folder of the site: what the engine makes of season, lane and attempt, and nothing else.
fn is_safe(race: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    !race.is_empty()
        && race.len() <= 200
        && race.chars().all(plain)
        && !race.starts_with(['.', '-'])
}

/// The raw files that are there, with their sizes. A link is none.
fn kept(files: &RaceFiles) -> Result<Vec<(String, u64)>, StoreError> {
    let there: BTreeMap<String, bool> = files.entries()?.into_iter().collect();
    let mut kept = Vec::new();
    for name in RAW.iter().filter(|name| there.get(**name) == Some(&true)) {
        kept.push(((*name).to_owned(), files.length(name)?));
    }
    Ok(kept)
}

/// Takes out races that share an id: copies count once, different races under one id not at all.
pub(in crate::cli) fn unique(races: Vec<Read>, refused: &mut Vec<Refused>) -> Vec<Read> {
    let mut by_id: BTreeMap<String, Vec<Read>> = BTreeMap::new();
    for read in races {
        by_id.entry(read.race.result.race.clone()).or_default().push(read);
    }
    let mut kept = Vec::new();
    for (id, mut races) in by_id {
        let first = races[0].race.result.clone();
        if races.iter().all(|it| it.race.result == first) {
            kept.push(races.swap_remove(0));
            continue;
        }
        let reason = format!("{} different races have this id", races.len());
        let result = |it: &Read| it.race.result.clone();
        refused.extend(races.iter().map(result).map(|it| Refused {
            apart: Apart { race: id.clone(), reason: reason.clone(), fault: true },
            held: Some(Held { lane: it.lane.name, attempt: it.attempt }),
            season: Some(it.season),
        }));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn an_id_is_a_folder_of_the_site_or_none() {
        assert!(is_safe("21-qwen2.5-1.5b-attempt1"));
        for id in ["", "..", ".x", "a/b", "../x", "A", "a b", "-x", "a\u{0}", "é", "a\\b"] {
            assert!(!is_safe(id), "{id:?}");
        }
        assert!(!is_safe(&"a".repeat(201)));
    }
}
