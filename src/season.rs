//! A season: what is raced, under which figures. Read from `seasons/NAME.toml`; every figure of the rules is a field of it.
//! `season/seal.rs` closes the seed of a season that is not open yet, and opens it again.

pub mod seal;

use crate::format::{self, Format};
use crate::puzzles::{self, Level};
use crate::race::prompts;
use crate::toml_file::{self, FileError, closest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A checked season. Times are milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Season {
    /// Its name, part of race ids.
    pub name: String,
    /// The name that people read.
    pub title: String,
    /// The seed of every task.
    pub seed: u64,
    /// The commitment that the seed opens, for a season that was sealed before it opened; SHA-256 in hex.
    pub seal: Option<String>,
    /// The version of everything that a lane reads.
    pub prompt_version: String,
    /// Whether results are ranked.
    pub status: SeasonStatus,
    /// The course.
    pub course: CourseFigures,
    /// The forced answer.
    pub forced: ForcedFigures,
    /// The fixed prompt before the start and after the finish.
    pub zeroing: ZeroingFigures,
    /// The wait for the lane after a cut.
    pub idle: IdleFigures,
    /// How far wall clock and monotonic clock may part inside a range.
    pub clock_gap_ms: u64,
    /// Memory classes, ascending.
    pub memory_classes_gb: Vec<u64>,
    /// The ranges in their order.
    pub ranges: Vec<RangeFigures>,
}

/// Whether results of a season are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeasonStatus {
    /// They are.
    Ranked,
    /// Not until its difficulty is calibrated.
    Preview,
}

/// Figures of the course.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseFigures {
    /// The legs: one before each range and one to the finish.
    pub legs_ms: Vec<u64>,
    /// Taking the mat and firing five shots.
    pub range_overhead_ms: u64,
    /// Targets of a range; five.
    pub targets: u32,
}

/// Figures of the forced answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForcedFigures {
    /// The window in which it must be complete.
    pub window_ms: u64,
    /// How many characters of the lane's own notes it is shown.
    pub notes_chars: usize,
    /// Its token limit.
    pub limit_tokens: u64,
}

/// Figures of the zeroing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZeroingFigures {
    /// Its token limit.
    pub limit_tokens: u64,
    /// How long it may take.
    pub limit_ms: u64,
    /// The largest drift of the decode rate that is no disturbance.
    pub drift_percent: u64,
}

/// Figures of the wait after a cut.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdleFigures {
    /// How long the lane is awaited.
    pub limit_ms: u64,
    /// How much slower than twice its first token a probe may be.
    pub slack_ms: u64,
    /// The pause between two probes.
    pub pause_ms: u64,
}

/// One range with the figures of its level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeFigures {
    /// The task's family.
    pub family: String,
    /// The task's level.
    pub level: Level,
    /// The penalty loop.
    pub loop_ms: u64,
    /// The thinking limit, if the level has one.
    pub buzzer_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeasonFile {
    format: Spanned<Format>,
    name: Spanned<String>,
    title: String,
    seed: Option<u64>,
    seed_salt: Option<Spanned<String>>,
    seed_sha256: Option<Spanned<String>>,
    prompt_version: Spanned<String>,
    status: SeasonStatus,
    course: Spanned<CourseFigures>,
    forced: Spanned<ForcedFigures>,
    zeroing: Spanned<ZeroingFigures>,
    idle: Spanned<IdleFigures>,
    clock_gap_ms: Spanned<u64>,
    memory_classes_gb: Spanned<Vec<u64>>,
    levels: BTreeMap<Spanned<String>, LevelFile>,
    range: Vec<RangeFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelFile {
    loop_ms: Spanned<u64>,
    buzzer_ms: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RangeFile {
    family: Spanned<String>,
    level: Spanned<u8>,
}

/// Most ranges of a course.
const RANGES_MAX: usize = 64;

/// One hour: no figure of a race is longer.
const HOUR_MS: u64 = 3_600_000;

/// Reads and checks a season. `file` is its name for messages.
///
/// # Errors
/// The first thing wrong with it, with its line and a hint.
pub fn read(file: &str, text: &str) -> Result<Season, FileError> {
    let raw: SeasonFile = toml_file::parse(file, text)?;
    let seed = |raw: &SeasonFile| seal::seed_of(raw, text);
    check(&raw)
        .and_then(|season| seed(&raw).map(|(seed, seal)| Season { seed, seal, ..season }))
        .map_err(|(at, what, hint)| FileError::at_offset(file, text, at.start, what).hint(hint))
}

type Problem = (std::ops::Range<usize>, String, String);

fn problem<T>(at: &Spanned<T>, what: impl Into<String>, hint: impl Into<String>) -> Problem {
    (at.span(), what.into(), hint.into())
}

/// The season without its seed.
fn check(raw: &SeasonFile) -> Result<Season, Problem> {
    if let Err(error) = format::SEASON.check_readable(raw.format.get_ref()) {
        return Err(problem(
            &raw.format,
            error.to_string(),
            "a season file of this version begins with format = { name = \"gauntlet-season\", major = 1, minor = 0 }",
        ));
    }
    let name = raw.name.get_ref();
    let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    if name.is_empty() || name.len() > 64 || !name.chars().all(safe) || name.starts_with(['.', '-'])
    {
        return Err(problem(
            &raw.name,
            format!("{name:?} is no season name"),
            "1 to 64 of a-z, 0-9, - and ., because it is part of file names",
        ));
    }
    let version = raw.prompt_version.get_ref();
    if !prompts::VERSIONS.contains(&version.as_str()) {
        return Err(problem(
            &raw.prompt_version,
            format!("prompt version {version:?} is unknown"),
            format!("this gauntlet has {}", prompts::VERSIONS.join(", ")),
        ));
    }
    let classes = raw.memory_classes_gb.get_ref();
    if classes.is_empty() || classes.first() == Some(&0) || !classes.is_sorted_by(|a, b| a < b) {
        return Err(problem(
            &raw.memory_classes_gb,
            "memory classes must ascend and hold at least one",
            "for instance [8, 16, 24, 32]",
        ));
    }
    check_figures(raw)?;
    let ranges =
        raw.range.iter().map(|range| check_range(raw, range)).collect::<Result<Vec<_>, _>>()?;
    let legs = raw.course.get_ref().legs_ms.len();
    if ranges.len() > RANGES_MAX {
        return Err(problem(
            &raw.course,
            format!("{} ranges are too many", ranges.len()),
            format!(
                "a course has up to {RANGES_MAX}: a file of a stranger shall not keep a machine busy"
            ),
        ));
    }
    if ranges.is_empty() || legs != ranges.len() + 1 {
        return Err(problem(
            &raw.course,
            format!("{legs} legs do not fit {} ranges", ranges.len()),
            "a course has at least one range, one leg before each range and one to the finish",
        ));
    }
    Ok(Season {
        name: name.clone(),
        title: raw.title.clone(),
        seed: 0,
        seal: None,
        prompt_version: version.clone(),
        status: raw.status,
        course: raw.course.get_ref().clone(),
        forced: raw.forced.get_ref().clone(),
        zeroing: raw.zeroing.get_ref().clone(),
        idle: raw.idle.get_ref().clone(),
        clock_gap_ms: *raw.clock_gap_ms.get_ref(),
        memory_classes_gb: classes.clone(),
        ranges,
    })
}

fn check_figures(raw: &SeasonFile) -> Result<(), Problem> {
    let course = raw.course.get_ref();
    if course.targets as usize != puzzles::TARGETS {
        return Err(problem(
            &raw.course,
            format!("a range has 5 targets, not {}", course.targets),
            "every family makes five; write targets = 5",
        ));
    }
    let (forced, zeroing, idle) = (raw.forced.get_ref(), raw.zeroing.get_ref(), raw.idle.get_ref());
    let in_ms = |at: std::ops::Range<usize>, name: &str, value: u64, least: u64| {
        if (least..=HOUR_MS).contains(&value) {
            return Ok(());
        }
        Err((
            at,
            format!("{name} = {value} is impossible"),
            format!("milliseconds from {least} to {HOUR_MS}"),
        ))
    };
    for leg_ms in &course.legs_ms {
        in_ms(raw.course.span(), "a leg of legs_ms", *leg_ms, 0)?;
    }
    in_ms(raw.course.span(), "range_overhead_ms", course.range_overhead_ms, 0)?;
    in_ms(raw.forced.span(), "window_ms", forced.window_ms, 1)?;
    in_ms(raw.zeroing.span(), "limit_ms", zeroing.limit_ms, 1)?;
    in_ms(raw.idle.span(), "limit_ms", idle.limit_ms, 0)?;
    in_ms(raw.idle.span(), "slack_ms", idle.slack_ms, 0)?;
    in_ms(raw.idle.span(), "pause_ms", idle.pause_ms, 1)?;
    in_ms(raw.clock_gap_ms.span(), "clock_gap_ms", *raw.clock_gap_ms.get_ref(), 1)?;
    for (at, limit_tokens) in
        [(raw.forced.span(), forced.limit_tokens), (raw.zeroing.span(), zeroing.limit_tokens)]
    {
        if !(1..=1_000_000).contains(&limit_tokens) {
            return Err((
                at,
                format!("limit_tokens = {limit_tokens} is impossible"),
                String::from("tokens from 1 to 1000000"),
            ));
        }
    }
    if forced.notes_chars > 1_000_000 {
        return Err(problem(
            &raw.forced,
            "notes_chars is impossible",
            "characters from 0 to 1000000",
        ));
    }
    for (level, figures) in &raw.levels {
        if level.get_ref().parse().ok().and_then(Level::new).is_none() {
            return Err(problem(
                level,
                format!("level {:?} is impossible", level.get_ref()),
                "levels are 1 to 9",
            ));
        }
        in_ms(figures.loop_ms.span(), "loop_ms", *figures.loop_ms.get_ref(), 1)?;
        if let Some(buzzer_ms) = &figures.buzzer_ms {
            in_ms(buzzer_ms.span(), "buzzer_ms", *buzzer_ms.get_ref(), 1)?;
        }
    }
    Ok(())
}

fn check_range(raw: &SeasonFile, range: &RangeFile) -> Result<RangeFigures, Problem> {
    let family = range.family.get_ref();
    let names: Vec<&str> = puzzles::FAMILIES.iter().map(|family| family.name()).collect();
    if puzzles::family(family).is_none() {
        let hint = match closest(family, names.iter().copied()) {
            Some(name) => format!("did you mean {name:?}?"),
            None => format!("families are {}", names.join(", ")),
        };
        return Err(problem(&range.family, format!("family {family:?} is unknown"), hint));
    }
    let number = *range.level.get_ref();
    let level = Level::new(number).ok_or_else(|| {
        problem(&range.level, format!("level {number} is impossible"), "levels are 1 to 9")
    })?;
    let figures =
        raw.levels.iter().find(|(name, _)| name.get_ref().parse() == Ok(number)).map(|(_, it)| it);
    let figures = figures.ok_or_else(|| {
        problem(
            &range.level,
            format!("level {number} has no figures"),
            format!("add [levels.{number}] with loop_ms and, if it has one, buzzer_ms"),
        )
    })?;
    Ok(RangeFigures {
        family: family.clone(),
        level,
        loop_ms: *figures.loop_ms.get_ref(),
        buzzer_ms: figures.buzzer_ms.as_ref().map(|it| *it.get_ref()),
    })
}
