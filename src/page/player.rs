//! What the script of a race page plays: when each lane did what, in milliseconds of the race clock.

use super::chart::{self, Row, scale, shot_at_ms};
use super::track::Track;
use serde::Serialize;

#[derive(Serialize)]
struct Played<'a> {
    /// What the width of the chart means.
    span: u64,
    /// When the last lane was done.
    end: u64,
    lanes: Vec<Lane<'a>>,
}

#[derive(Serialize)]
struct Lane<'a> {
    finish: Option<u64>,
    /// What stands at its end when all is over.
    shown: &'a str,
    below: &'a str,
    splits: Vec<u64>,
    moments: Vec<u64>,
    /// What it did from when to when, and at which leg or range, from 0.
    parts: Vec<(&'static str, u64, u64, usize)>,
    bouts: Vec<BoutName>,
}

#[derive(Serialize)]
struct BoutName {
    name: String,
    loops: u32,
}

/// The JSON of a chart.
pub(crate) fn played(rows: &[Row<'_>]) -> String {
    let end = rows.iter().map(|row| row.track.whole_ms()).max().unwrap_or(0);
    let played =
        Played { span: scale(end).0, end, lanes: rows.iter().map(|row| lane(row)).collect() };
    // It holds no map with other keys than strings: writing it cannot fail.
    serde_json::to_string(&played).unwrap_or_default()
}

fn lane<'a>(row: &'a Row<'_>) -> Lane<'a> {
    let track = row.track;
    let bouts = track.bouts.iter().map(|it| BoutName { name: it.title(), loops: it.loops });
    Lane {
        finish: track.finish_ms,
        shown: &row.finish.0,
        below: &row.finish.1,
        splits: track.splits_ms(),
        moments: moments(track),
        parts: parts(track),
        bouts: bouts.collect(),
    }
}

fn parts(track: &Track) -> Vec<(&'static str, u64, u64, usize)> {
    let mut parts = Vec::new();
    let legs = chart::legs(track);
    for (index, (from_ms, to_ms)) in legs.iter().enumerate() {
        parts.push(("course", *from_ms, *to_ms, index));
        if let Some(bout) = track.bouts.get(index) {
            parts.push(("think", bout.enter_ms, bout.answered_ms(), index));
            parts.push(("shoot", bout.answered_ms(), bout.shot_ms(), index));
            if bout.loops > 0 {
                parts.push(("loop", bout.shot_ms(), bout.loop_ms(bout.loops), index));
            }
        }
    }
    parts
}

/// When something happened to a lane.
fn moments(track: &Track) -> Vec<u64> {
    let mut moments = Vec::new();
    for bout in &track.bouts {
        moments.push(bout.enter_ms);
        moments.extend(bout.buzzer_ms.map(|ms| bout.enter_ms.saturating_add(ms)));
        moments.push(bout.answered_ms());
        moments.extend((0..bout.targets.len()).map(|target| shot_at_ms(bout, target)));
        moments.extend((0..bout.loops).map(|number| bout.loop_ms(number + 1)));
    }
    moments.push(track.whole_ms());
    moments.sort_unstable();
    moments.dedup();
    moments
}
