//! What `gauntlet rank` prints, field by field: the JSON as it is, and the source of every other format in `print.rs`.
//! Text from files is made fit to be shown here, once.

use crate::season::{Season, SeasonStatus};
use crate::standings::Standings;
use crate::standings::ranking::{Apart, Aside, Class, Row};
use crate::text::shown;
use schemars::JsonSchema;
use serde::Serialize;

/// Longest name of a lane or a race that is shown.
const NAME_CHARS_MAX: usize = 100;

/// Longest reason that is shown.
const REASON_CHARS_MAX: usize = 300;

/// Standings to print.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli) struct Sheet {
    pub(super) season: String,
    pub(super) classes: Vec<ClassSheet>,
    pub(super) apart: Vec<ApartSheet>,
    pub(super) attempts: Vec<AsideSheet>,
    pub(super) void: Vec<AsideSheet>,
    #[serde(skip)]
    pub(super) title: String,
    #[serde(skip)]
    pub(super) file: String,
    #[serde(skip)]
    pub(super) preview: bool,
}

/// A memory class to print.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ClassSheet {
    pub(super) memory_gb: u64,
    pub(super) rows: Vec<RowSheet>,
}

/// A row to print.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RowSheet {
    pub(super) rank: Option<u32>,
    pub(super) lane: String,
    pub(super) race: Option<String>,
    pub(super) finish_ms: Option<u64>,
    pub(super) behind_ms: Option<u64>,
    pub(super) hits: u32,
    pub(super) targets: u32,
    pub(super) loops: u32,
    pub(super) loops_ms: u64,
    pub(super) thinking_ms: Option<u64>,
    pub(super) buzzers: Option<u32>,
    pub(super) source: &'static str,
    pub(super) status: &'static str,
}

/// A race that is in no table.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ApartSheet {
    pub(super) race: String,
    pub(super) reason: String,
}

/// An attempt that counts for nothing.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AsideSheet {
    pub(super) race: String,
    pub(super) lane: String,
    pub(super) memory_gb: u64,
    pub(super) attempt: u32,
    pub(super) status: &'static str,
    pub(super) finish_ms: Option<u64>,
    pub(super) reason: String,
}

impl Sheet {
    /// Standings made fit to be shown; with `class` only that one, though it be empty. Races that go apart belong to no class.
    pub(super) fn new(season: &Season, file: &str, from: Standings, class: Option<u64>) -> Self {
        let wanted = |memory_gb: u64| class.is_none_or(|class| class == memory_gb);
        let mut classes: Vec<ClassSheet> = from
            .classes
            .iter()
            .filter(|class| wanted(class.memory_gb))
            .map(|Class { memory_gb, rows }| ClassSheet {
                memory_gb: *memory_gb,
                rows: rows.iter().map(row).collect(),
            })
            .collect();
        if let Some(memory_gb) = class.filter(|_| classes.is_empty()) {
            classes.push(ClassSheet { memory_gb, rows: Vec::new() });
        }
        let asides = |from: &[Aside]| -> Vec<AsideSheet> {
            from.iter().filter(|it| wanted(it.memory_gb)).map(aside).collect()
        };
        Self {
            season: shown(&season.name, NAME_CHARS_MAX),
            classes,
            apart: from.apart.iter().map(apart).collect(),
            attempts: asides(&from.attempts),
            void: asides(&from.void),
            title: shown(&season.title, NAME_CHARS_MAX),
            file: shown(file, REASON_CHARS_MAX),
            preview: season.status == SeasonStatus::Preview,
        }
    }
}

fn row(row: &Row) -> RowSheet {
    let entry = &row.entry;
    RowSheet {
        rank: row.rank,
        lane: shown(&entry.lane, NAME_CHARS_MAX),
        race: entry.race.as_deref().map(|race| shown(race, NAME_CHARS_MAX)),
        finish_ms: entry.finish_ms,
        behind_ms: row.behind_ms,
        hits: entry.hits,
        targets: entry.targets,
        loops: entry.loops,
        loops_ms: entry.loops_ms,
        thinking_ms: entry.thinking_ms,
        buzzers: entry.buzzers,
        source: entry.source.word(),
        status: entry.status.word(),
    }
}

fn apart(apart: &Apart) -> ApartSheet {
    ApartSheet {
        race: shown(&apart.race, NAME_CHARS_MAX),
        reason: shown(&apart.reason, REASON_CHARS_MAX),
    }
}

fn aside(aside: &Aside) -> AsideSheet {
    AsideSheet {
        race: shown(&aside.race, NAME_CHARS_MAX),
        lane: shown(&aside.lane, NAME_CHARS_MAX),
        memory_gb: aside.memory_gb,
        attempt: aside.attempt,
        status: aside.status.word(),
        finish_ms: aside.finish_ms,
        reason: shown(&aside.why, REASON_CHARS_MAX),
    }
}
