//! Results of races as a table: one row a range. For `race` and `replay` where they print CSV or Markdown.

use super::format::{Cell, Table};
use crate::race::RaceResult;
use crate::race::event::{Answer, Verdict};
use crate::text::shown;
use schemars::JsonSchema;
use serde::Serialize;

/// Several results, for programs.
#[derive(Serialize, JsonSchema)]
pub(super) struct Races<'a> {
    /// The results in the order in which they were asked for.
    pub(super) races: Vec<&'a RaceResult>,
}

/// A row for each range of each race.
pub(super) fn table(races: &[&RaceResult]) -> Table {
    let mut table = Table::new(&[
        "race",
        "lane",
        "status",
        "finish_ms",
        "range",
        "family",
        "kind",
        "level",
        "targets",
        "hits",
        "answer",
        "buzzer",
        "thinking_ms",
        "loops",
        "loops_ms",
        "range_ms",
        "first_token_ms",
    ]);
    for race in races {
        let head = || -> Vec<Cell> {
            vec![
                shown(&race.race, 100).into(),
                shown(&race.lane.name, 100).into(),
                race.status.word().into(),
                race.finish_ms.into(),
            ]
        };
        if race.ranges.is_empty() {
            table.row(head());
        }
        for (number, range) in (1_u64..).zip(&race.ranges) {
            let marks = range.targets.iter().map(|it| match it.verdict {
                Verdict::Hit => 'o',
                Verdict::Miss => 'x',
            });
            let answer = match range.answer {
                Answer::Complete => "complete",
                Answer::Forced => "forced",
                Answer::CutOff => "cut off",
                Answer::None => "none",
            };
            let mut cells = head();
            cells.extend([
                number.into(),
                shown(&range.family, 60).into(),
                range.kind.to_string().into(),
                range.level.into(),
                marks.collect::<String>().into(),
                range.hits.into(),
                answer.into(),
                range.buzzer.into(),
                range.thinking_ms.into(),
                range.loops.into(),
                range.loops_ms.into(),
                range.range_ms.into(),
                range.first_token_ms.into(),
            ]);
            table.row(cells);
        }
    }
    table
}
