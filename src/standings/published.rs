//! Published results of a season, `seasons/NAME/published.toml`: figures from the season's pages, shown beside raced lanes by
//! `ranking.rs`. Nothing is believed: range and finish times must follow from thinking, hits and the season's figures by
//! `race/scoring.rs`, the same arithmetic that times a race.
//!
//! Times are seconds to a tenth, as published, and become whole milliseconds exactly.

use super::published_file::{Finish, PublishedFile, RaceFile, RangeFile, Switch};
use crate::format;
use crate::puzzles::{self, Kind, TARGETS};
use crate::race::scoring;
use crate::season::{RangeFigures, Season};
use crate::toml_file::{self, FileError};
use std::collections::BTreeSet;

/// A published race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRace {
    /// The lane's name.
    pub lane: String,
    /// The lane's name, with its thinking switch where the season has published races of the same lane with both.
    pub label: String,
    /// Whether the lane was asked to think, where that is published.
    pub thinking: Option<Switch>,
    /// The memory class, by the rig's memory.
    pub memory_class_gb: u64,
    /// The ranges; none where only totals are published.
    pub ranges: Vec<PublishedRange>,
    /// Targets hit at each range of the season.
    pub hits_by_range: Vec<u32>,
    /// Targets hit.
    pub hits: u32,
    /// Targets shot at.
    pub targets: u32,
    /// Penalty loops.
    pub loops: u32,
    /// Their time.
    pub loops_ms: u64,
    /// Thinking time; nothing where neither it nor the ranges are published.
    pub thinking_ms: Option<u64>,
    /// Ranges in which the buzzer went; nothing where neither they nor the ranges are published.
    pub buzzers: Option<u32>,
    /// Targets missed because the token limit ended the reply, where that is published.
    pub cut_off: Option<u32>,
    /// The finish time.
    pub finish_ms: u64,
    /// Whether the finish time itself is published, or computed from the published ranges.
    pub finish: Finish,
    /// The rank on the page, and of how many.
    pub rank: Option<(u32, u32)>,
}

/// A published range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRange {
    /// The task's family.
    pub family: String,
    /// Puzzle or code.
    pub kind: Kind,
    /// The task's level.
    pub level: u8,
    /// The targets in their order, and whether each was hit.
    pub targets: [bool; TARGETS],
    /// Targets hit.
    pub hits: u32,
    /// Thinking time.
    pub thinking_ms: u64,
    /// Whether the buzzer went.
    pub buzzer: bool,
    /// Whether an answer came in time.
    pub answered: bool,
    /// Penalty loops.
    pub loops: u32,
    /// Their time.
    pub loops_ms: u64,
    /// Thinking, overhead and loops.
    pub range_ms: u64,
}

/// What is wrong, and the byte of the file where.
type Problem = (usize, String);

/// Reads and checks the published results of a season. `file` is the file's name for messages.
///
/// # Errors
/// The first thing that is wrong, with its line; a time that does not follow from the others names lane and range.
pub fn read(file: &str, text: &str, season: &Season) -> Result<Vec<PublishedRace>, FileError> {
    let raw: PublishedFile = toml_file::parse(file, text)?;
    check(&raw, season).map_err(|(at, what)| FileError::at_offset(file, text, at, what))
}

fn check(raw: &PublishedFile, season: &Season) -> Result<Vec<PublishedRace>, Problem> {
    let readable = format::PUBLISHED.check_readable(raw.format.get_ref());
    readable.map_err(|error| (raw.format.span().start, error.to_string()))?;
    let mut seen = BTreeSet::new();
    let mut races = Vec::new();
    for race in &raw.race {
        let lane = race.lane.get_ref();
        if !seen.insert((lane, race.thinking)) {
            return Err((race.lane.span().start, format!("{lane} is published twice")));
        }
        let twin = raw
            .race
            .iter()
            .any(|other| other.lane.get_ref() == lane && other.thinking != race.thinking);
        let label = match race.thinking {
            Some(thinking) if twin => format!("{lane}, thinking {}", thinking.word()),
            _ => lane.clone(),
        };
        let checked = check_race(race, label, season);
        races.push(checked.map_err(|(at, what)| (at, format!("{lane}: {what}")))?);
    }
    Ok(races)
}

fn check_race(raw: &RaceFile, label: String, season: &Season) -> Result<PublishedRace, Problem> {
    let here = raw.lane.span().start;
    let wrong = |what: String| (here, what);
    equal(here, "season", &raw.season, &season.name)?;
    if let Some(version) = &raw.prompt_version {
        equal(here, "prompt_version", version, &season.prompt_version)?;
    }
    let classes = &season.memory_classes_gb;
    let memory_class_gb = scoring::memory_class_gb(classes, raw.memory_gb)
        .ok_or_else(|| wrong(format!("{} GB are in no class of the season", raw.memory_gb)))?;
    let rank = match (raw.rank, raw.rank_of) {
        (None, None) => None,
        (Some(rank), Some(of)) if (1..=of).contains(&rank) => Some((rank, of)),
        _ => return Err(wrong(String::from("rank and rank_of do not make a rank"))),
    };
    let totals = match (&raw.ranges, &raw.hits_by_range) {
        (Some(ranges), None) => from_ranges(ranges, season)?,
        (None, Some(_)) => from_totals(raw, season).map_err(wrong)?,
        _ => return Err(wrong(String::from("either ranges or hits_by_range must be given"))),
    };
    same(here, "hits", raw.hits, totals.hits)?;
    same(here, "loops", raw.loops, totals.loops)?;
    same_ms(here, "loops_s", raw.loops_s.map(|it| it.ms()), totals.loops_ms)?;
    if let Some(thinking_ms) = totals.thinking_ms {
        same_ms(here, "thinking_s", raw.thinking_s.map(|it| it.ms()), thinking_ms)?;
    }
    if let Some(buzzers) = totals.buzzers {
        same(here, "buzzers", raw.buzzers, buzzers)?;
    }
    if raw.cut_off.is_some_and(|cut_off| cut_off > totals.loops) {
        return Err(wrong(String::from("more targets are cut off than missed")));
    }
    let finish_ms = raw.finish_s.ms();
    match totals.finish_ms {
        Some(due_ms) => same_ms(here, "finish_s", Some(finish_ms), due_ms)?,
        // Without thinking times the finish has only a floor: what the course, the mats and the loops take.
        None if finish_ms < totals.floor_ms => {
            let floor = seconds(totals.floor_ms);
            return Err(wrong(format!(
                "finish_s is {}, and course, overheads and loops alone take {floor}",
                seconds(finish_ms)
            )));
        }
        None => {}
    }
    Ok(PublishedRace {
        lane: raw.lane.get_ref().clone(),
        label,
        thinking: raw.thinking,
        memory_class_gb,
        hits: totals.hits,
        targets: count(season.ranges.len() * TARGETS),
        loops: totals.loops,
        loops_ms: totals.loops_ms,
        thinking_ms: totals.thinking_ms.or(raw.thinking_s.map(|it| it.ms())),
        buzzers: totals.buzzers.or(raw.buzzers),
        cut_off: raw.cut_off,
        finish_ms,
        finish: raw.finish,
        rank,
        ranges: totals.ranges,
        hits_by_range: totals.hits_by_range,
    })
}

/// What the season's figures give for a race.
#[derive(Default)]
struct Totals {
    ranges: Vec<PublishedRange>,
    hits_by_range: Vec<u32>,
    hits: u32,
    loops: u32,
    loops_ms: u64,
    thinking_ms: Option<u64>,
    buzzers: Option<u32>,
    finish_ms: Option<u64>,
    floor_ms: u64,
}

fn from_ranges(raw: &[RangeFile], season: &Season) -> Result<Totals, Problem> {
    let mut totals = Totals::default();
    let mut finish_ms: u64 = season.course.legs_ms.iter().sum();
    let (mut thinking_ms, mut buzzers) = (0, 0);
    for (index, raw) in raw.iter().enumerate() {
        let checked = check_range(raw, season.ranges.get(index), season);
        let range = checked.map_err(|what| {
            let family = raw.family.get_ref();
            (raw.family.span().start, format!("range {} ({family}): {what}", index + 1))
        })?;
        totals.hits += range.hits;
        totals.hits_by_range.push(range.hits);
        totals.loops += range.loops;
        totals.loops_ms += range.loops_ms;
        thinking_ms += range.thinking_ms;
        buzzers += u32::from(range.buzzer);
        finish_ms += range.range_ms;
        totals.ranges.push(range);
    }
    if raw.len() < season.ranges.len() {
        let at = raw.last().map_or(0, |range| range.family.span().start);
        let what = format!("{} ranges, and the season has {}", raw.len(), season.ranges.len());
        return Err((at, what));
    }
    totals.thinking_ms = Some(thinking_ms);
    totals.buzzers = Some(buzzers);
    totals.finish_ms = Some(finish_ms);
    Ok(totals)
}

fn check_range(
    raw: &RangeFile,
    figures: Option<&RangeFigures>,
    season: &Season,
) -> Result<PublishedRange, String> {
    let figures = figures.ok_or("the season has fewer ranges")?;
    let family = raw.family.get_ref();
    if (family, raw.level) != (&figures.family, figures.level.get()) {
        let due = format!("{} level {}", figures.family, figures.level.get());
        return Err(format!("the season has {due} here, not level {}", raw.level));
    }
    if puzzles::family(family).is_some_and(|family| family.kind() != raw.kind) {
        return Err(format!("{family} is no {} family", raw.kind));
    }
    let targets = targets(&raw.targets)?;
    let hits = count(targets.iter().filter(|hit| **hit).count());
    let misses = count(TARGETS) - hits;
    let (thinking_ms, loop_ms) = (raw.thinking_s.ms(), figures.loop_ms);
    let loops_ms = scoring::loops_ms(misses, loop_ms);
    let overhead_ms = season.course.range_overhead_ms;
    let range_ms = scoring::range_ms(thinking_ms, overhead_ms, misses, loop_ms);
    let within = |problem: Problem| problem.1;
    same(0, "hits", Some(raw.hits), hits).map_err(within)?;
    same(0, "loops", Some(raw.loops), misses).map_err(within)?;
    same_ms(0, "loops_s", Some(raw.loops_s.ms()), loops_ms).map_err(within)?;
    same_ms(0, "range_s", Some(raw.range_s.ms()), range_ms).map_err(within)?;
    check_buzzer(raw, figures, season, hits)?;
    Ok(PublishedRange {
        family: family.clone(),
        kind: raw.kind,
        level: raw.level,
        targets,
        hits,
        thinking_ms,
        buzzer: raw.buzzer,
        answered: raw.answered,
        loops: misses,
        loops_ms,
        range_ms,
    })
}

/// Thinking ends before the buzzer, or inside the window after it; without an answer exactly at the hard stop.
fn check_buzzer(
    raw: &RangeFile,
    figures: &RangeFigures,
    season: &Season,
    hits: u32,
) -> Result<(), String> {
    let thinking_ms = raw.thinking_s.ms();
    let buzzer_ms = figures.buzzer_ms.unwrap_or(u64::MAX);
    let stop_ms = buzzer_ms.saturating_add(season.forced.window_ms);
    let fits = match (raw.buzzer, raw.answered) {
        (false, _) => thinking_ms <= buzzer_ms,
        (true, true) => (buzzer_ms..=stop_ms).contains(&thinking_ms),
        (true, false) => thinking_ms == stop_ms,
    };
    if !fits {
        let word = if raw.buzzer { "with" } else { "without" };
        return Err(format!(
            "thinking_s {} does not go {word} a buzzer at {}",
            seconds(thinking_ms),
            seconds(buzzer_ms)
        ));
    }
    if !raw.answered && hits > 0 {
        return Err(format!("{hits} hits without an answer"));
    }
    Ok(())
}

/// A race of which only totals are published: hits by range give the loops and their time.
fn from_totals(raw: &RaceFile, season: &Season) -> Result<Totals, String> {
    let mut totals = Totals::default();
    let by_range = raw.hits_by_range.iter().flatten();
    let known = |name: &str| season.ranges.iter().any(|range| range.family == name);
    if let Some((name, _)) = by_range.clone().find(|(name, _)| !known(name)) {
        return Err(format!("hits_by_range: the season has no range {name}"));
    }
    totals.floor_ms = season.course.legs_ms.iter().sum();
    for figures in &season.ranges {
        let name = &figures.family;
        let hits = by_range.clone().find(|(family, _)| *family == name).map(|(_, hits)| *hits);
        let hits = hits.ok_or_else(|| format!("hits_by_range has no {name}"))?;
        let misses = count(TARGETS)
            .checked_sub(hits)
            .ok_or_else(|| format!("{name}: {hits} hits of {TARGETS} targets"))?;
        totals.hits += hits;
        totals.hits_by_range.push(hits);
        totals.loops += misses;
        totals.loops_ms += scoring::loops_ms(misses, figures.loop_ms);
        let overhead_ms = season.course.range_overhead_ms;
        totals.floor_ms += scoring::range_ms(0, overhead_ms, misses, figures.loop_ms);
    }
    Ok(totals)
}

/// `o` is a hit, `x` a miss.
fn targets(text: &str) -> Result<[bool; TARGETS], String> {
    let read: Option<Vec<bool>> =
        text.chars().map(|c| matches!(c, 'o' | 'x').then_some(c == 'o')).collect();
    read.and_then(|targets| targets.try_into().ok())
        .ok_or_else(|| format!("targets {text:?} are not five of o and x"))
}

fn equal(at: usize, name: &str, found: &str, due: &str) -> Result<(), Problem> {
    let what = || format!("{name} is {found:?}, and this season's is {due:?}");
    if found == due { Ok(()) } else { Err((at, what())) }
}

fn same(at: usize, name: &str, found: Option<u32>, due: u32) -> Result<(), Problem> {
    match found {
        Some(found) if found != due => {
            Err((at, format!("{name} is {found}, and the targets give {due}")))
        }
        _ => Ok(()),
    }
}

fn same_ms(at: usize, name: &str, found_ms: Option<u64>, due_ms: u64) -> Result<(), Problem> {
    let Some(found_ms) = found_ms.filter(|found_ms| *found_ms != due_ms) else { return Ok(()) };
    let (found, due) = (seconds(found_ms), seconds(due_ms));
    Err((at, format!("{name} is {found}, and thinking, hits and the season's figures give {due}")))
}

/// Exact seconds, for messages.
fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(100) {
        format!("{}.{}", ms / 1_000, ms % 1_000 / 100)
    } else {
        format!("{}.{:03}", ms / 1_000, ms % 1_000)
    }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
