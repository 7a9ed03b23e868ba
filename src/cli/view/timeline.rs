//! Races on one time line: an axis, a bar a lane, and the gaps at the same split. Used by replay.

use super::bar::{Stretch, timeline};
use super::look::{self, Look, columns, fit, fit_name, right, title};
use super::state::{Fill, RaceView};
use crate::cli::out::seconds;
use ratatui::text::{Line, Span};

/// Columns of a split at the least.
const CELL: usize = 9;

/// Cells that a label of the axis needs.
const LABEL_CELLS: u64 = 7;

/// The labels above the bars: seconds, at round steps.
pub(crate) fn axis(whole_ms: u64, cells: usize) -> String {
    let whole_s = whole_ms / 1000;
    let fits = |step: u64| {
        let cells_a_step = u128::from(step) * cells as u128 / u128::from(whole_s.max(1));
        cells_a_step >= u128::from(LABEL_CELLS)
    };
    let steps = (0..12).flat_map(|power| [1, 2, 5].map(|it| it * 10_u64.pow(power)));
    let step = steps.into_iter().find(|step| fits(*step)).unwrap_or(u64::MAX);
    let mut line = String::new();
    for label in (0..=whole_s).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let cell = u128::from(label) * cells as u128 / u128::from(whole_s.max(1));
        let text = label.to_string();
        let cell = usize::try_from(cell).unwrap_or(cells);
        if cell + text.len() <= cells {
            line = fit(&line, cell.max(line.len())) + &text;
        }
    }
    fit(&line, cells)
}

/// The bar of a race up to a moment. What is ahead is not shown.
pub(crate) fn bar(
    look: &Look,
    view: &RaceView,
    at_ms: u64,
    whole_ms: u64,
    cells: usize,
) -> Vec<Span<'static>> {
    let stretches: Vec<Stretch<Fill>> = view
        .fills_at(at_ms)
        .into_iter()
        .map(|(kind, it)| Stretch { kind, from_ms: it.at_ms, to_ms: it.ends_ms() })
        .collect();
    let line = timeline(&stretches, whole_ms, cells);
    let mut spans: Vec<Span<'static>> = Vec::new();
    for run in line.chunk_by(|a, b| a == b) {
        let (mark, style) = match run[0] {
            Some(fill) => mark(look, fill),
            None => (look.ahead, look::QUIET),
        };
        spans.push(Span::styled(mark.repeat(run.len()), style));
    }
    spans
}

fn mark(look: &Look, fill: Fill) -> (&'static str, ratatui::style::Style) {
    match fill {
        Fill::Course => (look.course, look::QUIET),
        Fill::Thinking => (look.thinking, look::THINK),
        Fill::Shooting => (look.shooting, look::PLAIN),
        Fill::Loops => (look.penalty, look::MISS),
    }
}

/// What the marks mean.
pub(crate) fn key(look: &Look) -> Line<'static> {
    let mut spans = Vec::new();
    let fills = [
        (Fill::Course, "course"),
        (Fill::Thinking, "thinking"),
        (Fill::Shooting, "shooting"),
        (Fill::Loops, "loops"),
    ];
    for (fill, word) in fills {
        let (mark, style) = mark(look, fill);
        spans.push(Span::styled(mark, style));
        spans.push(Span::raw(format!(" {word}   ")));
    }
    Line::from(spans)
}

/// The gap of a lane at its last split, and that split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    /// Which split, from 0: the exits of the ranges, then the finish.
    pub split: usize,
    /// How far behind the leader it was at that split, in milliseconds; the leader itself has no gap.
    pub behind_ms: Option<i64>,
}

/// The gaps at a moment. The leader is the lane that has the most splits, and of those the one that had its last split
/// first; every other lane is compared with the leader's time at the same split, which it may have passed before the leader.
pub(crate) fn gaps(splits: &[Vec<u64>]) -> Vec<Option<Gap>> {
    let order = |index: &usize| {
        let lane = &splits[*index];
        (lane.len(), std::cmp::Reverse(lane.last().copied()), std::cmp::Reverse(*index))
    };
    let leader = (0..splits.len()).max_by_key(order);
    let gap = |(index, lane): (usize, &Vec<u64>)| {
        let split = lane.len().checked_sub(1)?;
        let first = splits.get(leader?)?.get(split).copied()?;
        let behind_ms = behind_ms(lane[split], first);
        Some(Gap { split, behind_ms: (leader != Some(index)).then_some(behind_ms) })
    };
    splits.iter().enumerate().map(gap).collect()
}

/// How far behind another split one is; negative when it is ahead.
pub(crate) fn behind_ms(own_ms: u64, other_ms: u64) -> i64 {
    i64::try_from(i128::from(own_ms) - i128::from(other_ms)).unwrap_or(i64::MAX)
}

/// Seconds with their sign: `+39.6`.
pub(crate) fn signed(ms: i64) -> String {
    format!("{}{}", if ms < 0 { "-" } else { "+" }, seconds(ms.unsigned_abs()))
}

/// A gap as tables show it: `+39.6`, or `leader`.
pub(crate) fn gap_words(gap: Gap) -> String {
    gap.behind_ms.map_or_else(|| String::from("leader"), signed)
}

/// The place of a split.
pub(crate) fn split_name(look: &Look, view: &RaceView, split: usize) -> String {
    view.ranges
        .get(split)
        .map_or_else(|| String::from("finish"), |it| look.text(&title(&it.family), 40))
}

/// The table of all splits: the fastest time at each, and how far behind it everybody else was.
pub(crate) fn split_table(
    look: &Look,
    lanes: &[(&str, &RaceView)],
    width: usize,
) -> Vec<Line<'static>> {
    let splits: Vec<Vec<u64>> = lanes.iter().map(|(_, view)| view.splits_at(u64::MAX)).collect();
    let count = splits.iter().map(Vec::len).max().unwrap_or(0);
    let longest = lanes.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
    let names = longest.clamp(15, 15.max(width.saturating_sub(CELL * count + 1))) + 1;
    let cell = (width.saturating_sub(names) / count.max(1)).min(15);
    let named = lanes.iter().max_by_key(|(_, view)| view.ranges.len());
    let mut head = fit("splits", names);
    for split in 0..count {
        let name = named.map_or_else(String::new, |(_, view)| split_name(look, view, split));
        // The first word names a range well enough where the whole name has no room.
        let first = name.split(' ').next().unwrap_or_default();
        head += &right(if columns(&name) < cell { &name } else { first }, cell);
    }
    let mut lines = vec![Line::styled(head, look::QUIET)];
    for ((name, _), own) in lanes.iter().zip(&splits) {
        let mut spans =
            vec![Span::styled(fit_name(&look.text(name, 60), names - 1) + " ", look::STRONG)];
        for split in 0..count {
            let fastest = splits.iter().filter_map(|lane| lane.get(split)).min().copied();
            let text = match (own.get(split).copied(), fastest) {
                (Some(time), Some(fastest)) if time > fastest => {
                    format!("+{}", seconds(time - fastest))
                }
                (Some(time), _) => seconds(time),
                (None, _) => look.none.to_owned(),
            };
            spans.push(Span::raw(right(&text, cell)));
        }
        lines.push(Line::from(spans));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_labels() {
        assert_eq!(axis(342_000, 54), "0      50      100     150     200     250     300    ");
        assert_eq!(axis(0, 5), "0    ");
        for cells in 0..90 {
            assert_eq!(axis(u64::MAX, cells).len(), cells);
        }
    }

    #[test]
    fn gaps_compare_the_same_split() {
        let gap = |split, behind_ms| Some(Gap { split, behind_ms });
        let splits = [vec![100, 200], vec![90], vec![], vec![150, 200]];
        assert_eq!(gaps(&splits), [gap(1, None), gap(0, Some(-10)), None, gap(1, Some(0))]);
        assert_eq!(gaps(&[]), []);
    }
}
