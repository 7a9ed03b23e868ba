//! The gap to the leader at every split: a line a lane, and the same figures as a table.

use super::chart::Row;
use super::track::Track;
use super::words::{behind, percent_of, seconds};
use maud::{Markup, html};

/// Height of the drawing and of the part with lines, in pixels.
const HEIGHT_PX: u64 = 212;
const LINES_PX: u64 = 168;

/// Where the lines begin and end, in thousandths of a percent.
const FROM: u64 = 5_000;
const TO: u64 = 80_000;

/// Gaps of one lane at the splits that it has.
fn gaps(track: &Track, first_ms: &[u64]) -> Vec<u64> {
    let splits = track.splits_ms();
    splits.iter().zip(first_ms).map(|(ms, first)| ms.saturating_sub(*first)).collect()
}

/// The first time at each split, of the lanes shown.
fn first_ms(rows: &[Row<'_>]) -> Vec<u64> {
    let all: Vec<Vec<u64>> = rows.iter().map(|row| row.track.splits_ms()).collect();
    let count = all.iter().map(Vec::len).max().unwrap_or(0);
    (0..count)
        .map(|split| all.iter().filter_map(|it| it.get(split)).min().copied().unwrap_or(0))
        .collect()
}

/// The names of the splits: the ranges, then the finish.
fn names(rows: &[Row<'_>], count: usize) -> Vec<String> {
    let longest = rows.iter().max_by_key(|row| row.track.bouts.len());
    let bouts = longest.map(|row| row.track.bouts.as_slice()).unwrap_or_default();
    (0..count)
        .map(|split| {
            bouts.get(split).map_or_else(|| String::from("Finish"), super::track::Bout::title)
        })
        .collect()
}

/// The drawing.
pub(crate) fn drawing(rows: &[Row<'_>]) -> Markup {
    let first = first_ms(rows);
    let names = names(rows, first.len());
    let most = rows.iter().flat_map(|row| gaps(row.track, &first)).max().unwrap_or(0).max(1);
    let steps = (first.len() as u64).saturating_sub(1).max(1);
    let x = |split: usize| percent_of(FROM + (TO - FROM) * (split as u64).min(steps) / steps);
    let y = |gap: u64| {
        let down = u128::from(gap) * u128::from(LINES_PX - 32) / u128::from(most);
        16 + u64::try_from(down).unwrap_or(0)
    };
    let ends: Vec<u64> =
        rows.iter().map(|row| gaps(row.track, &first).last().map_or(0, |gap| y(*gap))).collect();
    let text_at = apart(&ends);
    // The race that the page is about is drawn last, so that it lies above the others.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|index| rows[*index].is_me);
    html! {
        svg height=(HEIGHT_PX) role="img" aria-label=(summary(rows, &first)) {
            @for (split, name) in names.iter().enumerate() {
                line.grid x1=(x(split)) x2=(x(split)) y1="8" y2=(LINES_PX) {}
                text.gt x=(x(split)) y=(LINES_PX + 24) text-anchor=(if split == 0 { "start" } else { "middle" }) dx=(if split == 0 { "-24" } else { "0" }) {
                    tspan.full { (name) }
                    tspan.mini { @if split + 1 == names.len() { (name) } @else { (split + 1) } }
                }
            }
            @for index in order {
                @let row = &rows[index];
                @let own = gaps(row.track, &first);
                @for split in 1..own.len() {
                    line.gl.on[row.is_me] x1=(x(split - 1)) y1=(y(own[split - 1])) x2=(x(split)) y2=(y(own[split])) {}
                }
                @for (split, gap) in own.iter().enumerate() {
                    circle.gp.on[row.is_me] cx=(x(split)) cy=(y(*gap)) r=(if row.is_me { "5" } else { "4" }) {
                        title { (row.track.title) ", " (names[split]) ": " @if *gap > 0 { (behind(*gap)) } @else { "first" } }
                    }
                }
                @if let (Some(gap), true) = (own.last(), own.len() == names.len()) {
                    text.gt.on[row.is_me] x=(percent_of(TO)) dx="12" y=(text_at[index] + 5) {
                        tspan.full { (short(&row.track.title)) " " }
                        @if *gap > 0 { (behind(*gap)) } @else { "leader" }
                    }
                }
            }
        }
    }
}

/// A name for the end of a line.
fn short(title: &str) -> String {
    if title.chars().count() <= 18 {
        return title.to_owned();
    }
    title.chars().take(16).collect::<String>().trim_end().to_owned() + "…"
}

/// Heights of texts that keep 17 pixels between each other.
fn apart(heights: &[u64]) -> Vec<u64> {
    const LINE_PX: u64 = 17;
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by_key(|index| heights[*index]);
    let mut placed = heights.to_vec();
    let mut least = 0;
    for index in &order {
        placed[*index] = placed[*index].max(least);
        least = placed[*index] + LINE_PX;
    }
    let mut most = LINES_PX;
    for index in order.iter().rev() {
        placed[*index] = placed[*index].min(most);
        most = placed[*index].saturating_sub(LINE_PX);
    }
    placed
}

fn summary(rows: &[Row<'_>], first: &[u64]) -> String {
    let lane = |row: &Row<'_>| {
        let gaps: Vec<String> = gaps(row.track, first).into_iter().map(seconds).collect();
        format!("{}: {} seconds behind.", row.track.title, gaps.join(", "))
    };
    rows.iter().map(lane).collect::<Vec<_>>().join(" ")
}

/// The figures of the drawing.
pub(crate) fn table(rows: &[Row<'_>], labelled_by: &str) -> Markup {
    let first = first_ms(rows);
    let names = names(rows, first.len());
    html! {
        div.scroll tabindex="0" role="group" aria-labelledby=(labelled_by) {
            table {
                caption { "Race time at each split, and behind the first of the lanes shown" }
                thead { tr { th.pin scope="col" { "Lane" } @for name in &names { th scope="col" { (name) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            th.pin.name scope="row" { (row.track.title) }
                            @let splits = row.track.splits_ms();
                            @for (split, first) in first.iter().enumerate() {
                                td {
                                    @match splits.get(split) {
                                        Some(ms) => { (seconds(*ms)) small { @if ms > first { (behind(ms - first)) } @else { "first" } } },
                                        None => "–",
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_at_the_end_of_lines_do_not_overlap() {
        assert_eq!(apart(&[16, 16, 16]), [16, 33, 50]);
        assert_eq!(apart(&[168, 20, 168]), [151, 20, 168]);
        assert_eq!(apart(&[]), [0; 0]);
    }
}
