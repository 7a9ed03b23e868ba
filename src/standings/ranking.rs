//! From results to standings: one table a memory class, ascending. RULES.md, "Attempts" and "Rank".
//!
//! Every lane has one row, its first attempt that is not void. Rows that rank stand first, by finish time; ties go to more
//! hits, then to less thinking, then the rank is shared and the next one is left out (1, 1, 3). Lanes with a shared rank
//! stand by name, then by race id. The order in which races are given never matters.
//! Races come from `cli/rank`, published ones from `published.rs`.

use super::published::PublishedRace;
use crate::race::{RaceResult, Status, scoring};
use crate::season::{Season, SeasonStatus};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What standings are made of.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The season.
    pub season: &'a Season,
    /// SHA-256 of its file.
    pub season_sha256: &'a str,
    /// Races, in any order, of any season.
    pub races: &'a [RaceResult],
    /// Published results of the season.
    pub published: &'a [PublishedRace],
    /// Attempts whose files cannot be believed.
    pub held: &'a [Held],
}

/// An attempt that was started and cannot be ranked, because its files disagree. It is used up all the same: else a lane
/// could spoil its first attempt and be ranked by its second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The lane's name.
    pub lane: String,
    /// Which attempt.
    pub attempt: u32,
}

/// The tables of a season.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings {
    /// The classes with at least one row, ascending.
    pub classes: Vec<Class>,
    /// Races that are in no table.
    pub apart: Vec<Apart>,
    /// Attempts after the one that counts, by lane and number.
    pub attempts: Vec<Aside>,
    /// Void races, by lane and number.
    pub void: Vec<Aside>,
    /// What a reader should know besides, one sentence each.
    pub notes: Vec<String>,
}

/// One memory class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The class.
    pub memory_gb: u64,
    /// Its rows, ranked ones first.
    pub rows: Vec<Row>,
}

/// One lane in its class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its rank; nothing in a preview season, and for a race that does not count.
    pub rank: Option<u32>,
    /// How far behind the leader of the class; nothing without a rank.
    pub behind_ms: Option<u64>,
    /// What it raced.
    pub entry: Entry,
}

/// What a row says of a race, raced or published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The lane's name.
    pub lane: String,
    /// The race's id; nothing for a published result, whose files are not here.
    pub race: Option<String>,
    /// The finish time, if it finished.
    pub finish_ms: Option<u64>,
    /// Targets hit.
    pub hits: u32,
    /// Targets shot at.
    pub targets: u32,
    /// Penalty loops.
    pub loops: u32,
    /// Time of the loops.
    pub loops_ms: u64,
    /// Thinking time; nothing where only other totals are published.
    pub thinking_ms: Option<u64>,
    /// Ranges in which the buzzer went; nothing where it is not published.
    pub buzzers: Option<u32>,
    /// Where the row comes from.
    pub source: Source,
    /// How the race ended.
    pub status: Status,
}

/// Where a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A race with its files.
    Raced,
    /// The season's published results.
    Published,
}

impl Source {
    /// The word in files and on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Raced => "raced",
            Self::Published => "published",
        }
    }
}

/// A race that is in no table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Apart {
    /// The race's id.
    pub race: String,
    /// Why.
    pub reason: String,
    /// Whether that is a fault of its files, rather than another season or a second copy.
    pub fault: bool,
}

/// An attempt that counts for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// The race's id.
    pub race: String,
    /// The lane's name.
    pub lane: String,
    /// The memory class.
    pub memory_gb: u64,
    /// Which attempt of the lane it is.
    pub attempt: u32,
    /// How it ended.
    pub status: Status,
    /// Its finish time, if it has one.
    pub finish_ms: Option<u64>,
    /// Why it does not count.
    pub why: String,
}

/// Makes the standings of a season.
#[must_use]
pub fn standings(given: &Given<'_>) -> Standings {
    let mut made = Standings::default();
    let mut held = given.held.to_vec();
    let races = unique(of_season(given, &mut made, &mut held), &mut made, &mut held);
    let mut lanes: BTreeMap<&str, Vec<&RaceResult>> = BTreeMap::new();
    for race in races {
        lanes.entry(&race.lane.name).or_default().push(race);
    }
    let mut classes: BTreeMap<u64, Vec<Entry>> = BTreeMap::new();
    for attempts in lanes.into_values() {
        if let Some(race) = first_attempt(attempts, &held, &mut made) {
            classes.entry(race.memory_class_gb).or_default().push(raced(race));
        }
    }
    for race in given.published {
        classes.entry(race.memory_class_gb).or_default().push(published(race));
    }
    let ranks = given.season.status == SeasonStatus::Ranked;
    made.classes = classes
        .into_iter()
        .map(|(memory_gb, entries)| Class { memory_gb, rows: rows(entries, ranks) })
        .collect();
    made.apart.sort();
    made
}

/// The races of this season in their right class; others go apart.
fn of_season<'a>(
    given: &Given<'a>,
    made: &mut Standings,
    held: &mut Vec<Held>,
) -> Vec<&'a RaceResult> {
    let mut races = Vec::new();
    for race in given.races {
        let apart = |reason, fault| Apart { race: race.race.clone(), reason, fault };
        if let Some(reason) = other_season(given, race) {
            made.apart.push(apart(reason, false));
        } else if let Some(reason) = wrong_class(given.season, race) {
            made.apart.push(apart(reason, true));
            held.push(hold(race));
        } else {
            races.push(race);
        }
    }
    races
}

fn other_season(given: &Given<'_>, race: &RaceResult) -> Option<String> {
    let season = given.season;
    if race.season != season.name {
        return Some(format!("a race of season {}, not {}", race.season, season.name));
    }
    if race.seed != season.seed {
        return Some(format!("raced with seed {}, not {}", race.seed, season.seed));
    }
    if race.prompt_version != season.prompt_version {
        let (was, is) = (&race.prompt_version, &season.prompt_version);
        return Some(format!("raced with prompt version {was}, not {is}"));
    }
    if race.season_sha256 != given.season_sha256 || race.season_status != season.status {
        return Some(String::from("raced on a season file with other bytes than this one"));
    }
    None
}

/// The class follows from the rig's memory; a log that names another one is wrong.
fn wrong_class(season: &Season, race: &RaceResult) -> Option<String> {
    let (rig_gb, class_gb) = (race.lane.memory_gb, race.memory_class_gb);
    match scoring::memory_class_gb(&season.memory_classes_gb, rig_gb) {
        Some(due) if due == class_gb => None,
        Some(due) => Some(format!(
            "log.jsonl says {class_gb} GB class, and a rig of {rig_gb} GB is in the {due} GB class"
        )),
        None => Some(format!("a rig of {rig_gb} GB is in no class of the season")),
    }
}

/// One race an id: copies count once, different races under one id not at all.
fn unique<'a>(
    races: Vec<&'a RaceResult>,
    made: &mut Standings,
    held: &mut Vec<Held>,
) -> Vec<&'a RaceResult> {
    let mut by_id: BTreeMap<&str, Vec<&RaceResult>> = BTreeMap::new();
    for race in races {
        by_id.entry(&race.race).or_default().push(race);
    }
    let mut kept = Vec::new();
    for (id, races) in by_id {
        let copies = races.iter().all(|race| *race == races[0]);
        let (reason, fault, skip) = if copies {
            (String::from("a second copy of this race; it counts once"), false, 1)
        } else {
            held.extend(races.iter().map(|race| hold(race)));
            (format!("{} different races have this id", races.len()), true, 0)
        };
        for _ in races.iter().skip(skip) {
            made.apart.push(Apart { race: id.to_owned(), reason: reason.clone(), fault });
        }
        kept.extend(races.into_iter().take(skip));
    }
    kept
}

fn hold(race: &RaceResult) -> Held {
    Held { lane: race.lane.name.clone(), attempt: race.attempt }
}

/// The attempt of a lane that counts: the first that is not void. All others are listed by the side.
fn first_attempt<'a>(
    mut attempts: Vec<&'a RaceResult>,
    held: &[Held],
    made: &mut Standings,
) -> Option<&'a RaceResult> {
    attempts.sort_by_key(|race| (race.attempt, &race.race));
    let (void, attempts): (Vec<_>, Vec<_>) =
        attempts.into_iter().partition(|race| race.status == Status::Void);
    made.void.extend(void.iter().map(|race| aside(race, race.notes.join("; "))));
    let first = *attempts.first()?;
    let spoilt = held
        .iter()
        .filter(|held| held.lane == first.lane.name && held.attempt <= first.attempt)
        .map(|held| held.attempt)
        .min();
    if let Some(number) = spoilt {
        let why = format!("attempt {number} came first, and its files disagree");
        made.attempts.extend(attempts.iter().map(|race| aside(race, why.clone())));
        return None;
    }
    let mut before: Vec<u32> = void.iter().map(|race| race.attempt).collect();
    before.retain(|number| *number < first.attempt);
    before.dedup();
    if before.len() as u64 + 1 < u64::from(first.attempt) {
        made.notes.push(format!(
            "{}: earlier attempts of this lane are not among the races given",
            first.race
        ));
    }
    let why = format!("attempt {} counts", first.attempt);
    made.attempts.extend(attempts[1..].iter().map(|race| aside(race, why.clone())));
    Some(first)
}

fn aside(race: &RaceResult, why: String) -> Aside {
    Aside {
        race: race.race.clone(),
        lane: race.lane.name.clone(),
        memory_gb: race.memory_class_gb,
        attempt: race.attempt,
        status: race.status,
        finish_ms: race.finish_ms,
        why,
    }
}

fn raced(race: &RaceResult) -> Entry {
    Entry {
        lane: race.lane.name.clone(),
        race: Some(race.race.clone()),
        finish_ms: race.finish_ms,
        hits: race.hits,
        targets: race.targets,
        loops: race.loops,
        loops_ms: race.loops_ms,
        thinking_ms: Some(race.thinking_ms),
        buzzers: Some(race.buzzers),
        source: Source::Raced,
        status: race.status,
    }
}

fn published(race: &PublishedRace) -> Entry {
    Entry {
        lane: race.label.clone(),
        race: None,
        finish_ms: Some(race.finish_ms),
        hits: race.hits,
        targets: race.targets,
        loops: race.loops,
        loops_ms: race.loops_ms,
        thinking_ms: race.thinking_ms,
        buzzers: race.buzzers,
        source: Source::Published,
        status: Status::Finished,
    }
}

/// The rows of a class in their order.
fn rows(mut entries: Vec<Entry>, ranks: bool) -> Vec<Row> {
    entries.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut rows: Vec<Row> = Vec::with_capacity(entries.len());
    let mut leader_ms = None;
    for (number, entry) in (1..).zip(entries) {
        let finish_ms = entry.finish_ms.filter(|_| ranks && entry.status == Status::Finished);
        let Some(finish_ms) = finish_ms else {
            rows.push(Row { rank: None, behind_ms: None, entry });
            continue;
        };
        let tie = rows.last().filter(|last| merit(&last.entry) == merit(&entry));
        let rank = tie.and_then(|last| last.rank).or(Some(number));
        let leader_ms = *leader_ms.get_or_insert(finish_ms);
        rows.push(Row { rank, behind_ms: Some(finish_ms.saturating_sub(leader_ms)), entry });
    }
    rows
}

/// What a rank is decided by; equal merit shares it. An unknown thinking time comes after every known one.
fn merit(entry: &Entry) -> (u64, Reverse<u32>, u64) {
    let or_last = |ms: Option<u64>| ms.unwrap_or(u64::MAX);
    (or_last(entry.finish_ms), Reverse(entry.hits), or_last(entry.thinking_ms))
}

/// Where a row stands: races that count first, by merit, then by name and race id.
#[expect(clippy::type_complexity, reason = "a sort key, compared and thrown away")]
fn place(entry: &Entry) -> (bool, (u64, Reverse<u32>, u64), &str, Option<&str>) {
    let counts = entry.status == Status::Finished;
    (!counts, merit(entry), &entry.lane, entry.race.as_deref())
}

#[cfg(test)]
#[path = "ranking_tests.rs"]
mod tests;
