//! A season as data: `season.json`, every lane with its splits and targets, and `season.csv`, a row a lane.

use super::field::{Field, Place};
use super::track::{Bout, Track};
use super::words;
use crate::format::{self, Format};
use crate::puzzles::Kind;
use crate::season::SeasonStatus;
use crate::text::{csv_cell, shown_json};
use serde::Serialize;

#[derive(Serialize)]
struct SeasonData {
    format: Format,
    season: String,
    title: String,
    status: SeasonStatus,
    seed: u64,
    prompt_version: String,
    legs_ms: Vec<u64>,
    range_overhead_ms: u64,
    ranges: Vec<RangeData>,
    classes: Vec<ClassData>,
}

#[derive(Serialize)]
struct RangeData {
    family: String,
    level: u8,
    loop_ms: u64,
    buzzer_ms: Option<u64>,
}

#[derive(Serialize)]
struct ClassData {
    memory_gb: u64,
    lanes: Vec<LaneData>,
}

#[derive(Serialize)]
struct LaneData {
    rank: Option<u32>,
    behind_ms: Option<u64>,
    lane: String,
    title: String,
    race: Option<String>,
    source: &'static str,
    status: &'static str,
    thinking: Option<bool>,
    finish_ms: Option<u64>,
    hits: u32,
    targets: u32,
    loops: u32,
    loops_ms: u64,
    thinking_ms: Option<u64>,
    buzzers: Option<u32>,
    cut_off: Option<u32>,
    /// Where only hits are published, these stand without ranges.
    hits_by_range: Vec<u32>,
    ranges: Vec<BoutData>,
}

#[derive(Serialize)]
struct BoutData {
    family: String,
    kind: Kind,
    level: u8,
    /// `o` a hit, `x` a miss.
    targets: String,
    reasons: Vec<&'static str>,
    buzzer_ms: Option<u64>,
    thinking_ms: u64,
    shooting_ms: u64,
    loops: u32,
    loops_ms: u64,
    range_ms: u64,
    enter_ms: u64,
    exit_ms: Option<u64>,
}

/// The season as JSON. Times are milliseconds.
#[must_use]
pub fn json(field: &Field) -> String {
    let season = &field.season;
    let data = SeasonData {
        format: format::SEASON_DATA.written(),
        season: season.name.clone(),
        title: words::name(&season.title),
        status: season.status,
        seed: season.seed,
        prompt_version: season.prompt_version.clone(),
        legs_ms: season.course.legs_ms.clone(),
        range_overhead_ms: season.course.range_overhead_ms,
        ranges: season
            .ranges
            .iter()
            .map(|it| RangeData {
                family: it.family.clone(),
                level: it.level.get(),
                loop_ms: it.loop_ms,
                buzzer_ms: it.buzzer_ms,
            })
            .collect(),
        classes: field
            .classes
            .iter()
            .map(|class| ClassData {
                memory_gb: class.memory_gb,
                lanes: class.places.iter().map(lane).collect(),
            })
            .collect(),
    };
    // It holds no map with other keys than strings: writing it cannot fail.
    shown_json(&(serde_json::to_string_pretty(&data).unwrap_or_default() + "\n"))
}

fn lane(place: &Place) -> LaneData {
    let track = &place.track;
    LaneData {
        rank: place.rank,
        behind_ms: place.behind_ms,
        lane: words::name(&track.lane),
        title: track.title.clone(),
        race: track.race.clone(),
        source: track.source.word(),
        status: track.status.word(),
        thinking: track.thinking,
        finish_ms: track.finish_ms,
        hits: track.hits,
        targets: track.targets,
        loops: track.loops,
        loops_ms: track.loops_ms,
        thinking_ms: track.thinking_ms,
        buzzers: track.buzzers,
        cut_off: track.cut_off,
        hits_by_range: track.range_hits(),
        ranges: track.bouts.iter().map(bout).collect(),
    }
}

fn bout(bout: &Bout) -> BoutData {
    BoutData {
        family: words::name(&bout.family),
        kind: bout.kind,
        level: bout.level,
        targets: pattern(bout),
        reasons: bout.reasons.iter().map(|reason| reason.word()).collect(),
        buzzer_ms: bout.buzzer_ms,
        thinking_ms: bout.thinking_ms,
        shooting_ms: bout.shooting_ms,
        loops: bout.loops,
        loops_ms: bout.loops_ms,
        range_ms: bout.range_ms,
        enter_ms: bout.enter_ms,
        exit_ms: bout.exit_ms,
    }
}

fn pattern(bout: &Bout) -> String {
    bout.targets.iter().map(|hit| if *hit { 'o' } else { 'x' }).collect()
}

/// The season as CSV: a row a lane, the ranges beside each other.
#[must_use]
pub fn csv(field: &Field) -> String {
    let mut text = String::from(
        "class_gb,rank,lane,title,race,source,status,thinking,finish_ms,behind_ms,hits,targets,loops,loops_ms,thinking_ms,buzzers,cut_off",
    );
    for number in 1..=field.season.ranges.len() {
        for column in
            ["family", "targets", "hits", "thinking_ms", "loops_ms", "range_ms", "exit_ms"]
        {
            text += &format!(",range{number}_{column}");
        }
    }
    text.push('\n');
    for class in &field.classes {
        for place in &class.places {
            text += &row(field, class.memory_gb, place);
            text.push('\n');
        }
    }
    text
}

fn row(field: &Field, class_gb: u64, place: &Place) -> String {
    let track = &place.track;
    fn number<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |it| it.to_string())
    }
    let thinking = match track.thinking {
        Some(true) => "on",
        Some(false) => "off",
        None => "",
    };
    let mut cells = vec![
        class_gb.to_string(),
        number(place.rank),
        csv_cell(&words::name(&track.lane)),
        csv_cell(&track.title),
        csv_cell(track.race.as_deref().unwrap_or_default()),
        track.source.word().to_owned(),
        track.status.word().to_owned(),
        thinking.to_owned(),
        number(track.finish_ms),
        number(place.behind_ms),
        track.hits.to_string(),
        track.targets.to_string(),
        track.loops.to_string(),
        track.loops_ms.to_string(),
        number(track.thinking_ms),
        number(track.buzzers),
        number(track.cut_off),
    ];
    for (range, figures) in field.season.ranges.iter().enumerate() {
        cells.extend(range_cells(track, range, &figures.family));
    }
    cells.join(",")
}

fn range_cells(track: &Track, range: usize, family: &str) -> [String; 7] {
    let Some(bout) = track.bouts.get(range) else {
        let hits = track.hits_by_range.get(range).map_or_else(String::new, u32::to_string);
        let none = String::new;
        return [csv_cell(family), none(), hits, none(), none(), none(), none()];
    };
    [
        csv_cell(&words::name(&bout.family)),
        pattern(bout),
        bout.hits().to_string(),
        bout.thinking_ms.to_string(),
        bout.loops_ms.to_string(),
        bout.range_ms.to_string(),
        bout.exit_ms.map_or_else(String::new, |ms| ms.to_string()),
    ]
}
