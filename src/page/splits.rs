//! The tables of a race page: its own splits range by range, and every lane shown at every range, as timing companies print
//! them. The star marks the fastest range; the fastest thinking has none, because who misses everything thinks least.

use super::chart::Row;
use super::field::Company;
use super::mark;
use super::track::{Bout, Track};
use super::words::{behind, seconds};
use crate::race::event::Answer;
use crate::season::Season;
use maud::{Markup, html};

/// The splits of one race. `company` is what it is compared with.
pub(crate) fn own(track: &Track, season: &Season, company: &Company, labelled_by: &str) -> Markup {
    let compared = company.lanes > 1;
    html! {
        div.scroll tabindex="0" role="group" aria-labelledby=(labelled_by) {
            table {
                thead { tr {
                    th.pin scope="col" { "Range" }
                    th.l scope="col" { "Targets" }
                    th scope="col" { "Range time" }
                    @if compared { th scope="col" { "To fastest" } }
                    th scope="col" { "Thinking" }
                    th scope="col" { "Loops" }
                    th scope="col" { "Loop time" }
                    th scope="col" { "Exit" }
                    @if compared { th scope="col" { "Place" } th scope="col" { "Behind" } }
                } }
                tbody {
                    @for (index, bout) in track.bouts.iter().enumerate() {
                        (own_row(index, bout, season, company, compared))
                    }
                }
                tfoot { (own_foot(track, company, compared)) }
            }
        }
    }
}

fn own_row(
    index: usize,
    bout: &Bout,
    season: &Season,
    company: &Company,
    compared: bool,
) -> Markup {
    let loop_ms = season.ranges.get(index).map(|figures| figures.loop_ms);
    let fastest_ms = company.fastest_ms(index);
    html! {
        tr {
            th.pin.name scope="row" {
                (index + 1) ". " (bout.title())
                small {
                    (bout.kind) " L" (bout.level)
                    @if let Some(loop_ms) = loop_ms { ", " (seconds(loop_ms)) " s a loop" }
                }
            }
            td.l {
                (mark::targets(&bout.targets))
                small { (bout.hits()) " of " (bout.targets.len()) " " (answer(bout)) }
            }
            td { b { @if bout.exit_ms.is_some() { (seconds(bout.range_ms)) } @else { "–" } } }
            @if compared { td { @match fastest_ms {
                Some(fastest_ms) if bout.exit_ms.is_some() => {
                    @if bout.range_ms > fastest_ms { (behind(bout.range_ms - fastest_ms)) } @else { span.best { "★ fastest" } }
                },
                _ => "–",
            } } }
            td.thk { (seconds(bout.thinking_ms)) }
            td { (bout.loops) }
            td.pen { (seconds(bout.loops_ms)) }
            td { (bout.exit_ms.map_or_else(|| String::from("–"), seconds)) }
            @if compared { (place(company, index, bout.exit_ms)) }
        }
    }
}

/// Place and gap at a split, as two cells.
fn place(company: &Company, split: usize, ms: Option<u64>) -> Markup {
    let at = ms.and_then(|ms| company.at(split, ms));
    html! {
        @match at {
            Some((rank, gap_ms)) => {
                td { (rank) " of " (company.lanes.max(rank as usize)) }
                td { @if gap_ms > 0 { (behind(gap_ms)) } @else { "leader" } }
            },
            None => { td { "–" } td { "–" } },
        }
    }
}

fn own_foot(track: &Track, company: &Company, compared: bool) -> Markup {
    let ranges_ms = track.bouts.iter().map(|bout| bout.range_ms).fold(0, u64::saturating_add);
    html! {
        tr {
            th.pin scope="row" { @if track.finish_ms.is_some() { "Finish" } @else { (track.status.word()) } }
            td.l { (track.hits) " of " (track.targets) }
            td { (seconds(ranges_ms)) }
            @if compared { td {} }
            td.thk { (track.thinking_ms.map_or_else(String::new, seconds)) }
            td { (track.loops) }
            td.pen { (seconds(track.loops_ms)) }
            td { (track.finish_ms.map_or_else(|| String::from("–"), seconds)) }
            @if compared { (place(company, track.bouts.len(), track.finish_ms)) }
        }
    }
}

/// How the answer came, where that needs saying.
fn answer(bout: &Bout) -> Markup {
    let word = match (bout.answer, bout.buzzer_ms) {
        (Some(Answer::None), Some(_)) => "no answer in time",
        (Some(Answer::None), None) => "no answer",
        (Some(Answer::Forced), _) | (None, Some(_)) => "answer forced",
        (Some(Answer::CutOff), _) => "cut off",
        _ => "",
    };
    html! {
        @if bout.buzzer_ms.is_some() { span.tag.bz { "buzzer" } " " }
        (word)
    }
}

/// Every lane shown at every range.
pub(crate) fn all(rows: &[Row<'_>], labelled_by: &str) -> Markup {
    let count = rows.iter().map(|row| row.track.bouts.len()).max().unwrap_or(0);
    let longest = rows.iter().max_by_key(|row| row.track.bouts.len());
    let names: Vec<String> =
        longest.map(|row| row.track.bouts.iter().map(Bout::title).collect()).unwrap_or_default();
    let fastest: Vec<Option<u64>> = (0..count)
        .map(|range| {
            let times = rows.iter().filter_map(|row| row.track.bouts.get(range));
            times.filter(|bout| bout.exit_ms.is_some()).map(|bout| bout.range_ms).min()
        })
        .collect();
    html! {
        div.scroll tabindex="0" role="group" aria-labelledby=(labelled_by) {
            table.free {
                thead { tr {
                    th.pin scope="col" { "Lane" }
                    @for name in &names { th.l scope="col" { (name) } }
                    th.n scope="col" { "Hits" }
                    th.n scope="col" { "Finish" }
                } }
                tbody {
                    @for row in rows {
                        tr {
                            th.pin.name scope="row" {
                                @match &row.link { Some(link) => { a href=(link) { (row.track.title) } }, None => (row.track.title) }
                                small { (row.below) }
                            }
                            @for (range, fastest_ms) in fastest.iter().enumerate() {
                                td.l { @match row.track.bouts.get(range) { Some(bout) => (cell(bout, *fastest_ms)), None => "–" } }
                            }
                            td.n { (row.track.hits) "/" (row.track.targets) }
                            td.n { b { (row.finish.0) } small { (row.finish.1) } }
                        }
                    }
                }
            }
        }
    }
}

fn cell(bout: &Bout, fastest_ms: Option<u64>) -> Markup {
    html! {
        (mark::targets(&bout.targets))
        br;
        @match fastest_ms {
            Some(fastest_ms) if bout.exit_ms.is_some() && bout.range_ms > fastest_ms => {
                b { (seconds(bout.range_ms)) } " " span.mut { (behind(bout.range_ms - fastest_ms)) }
            },
            Some(_) if bout.exit_ms.is_some() => span.best { "★ " (seconds(bout.range_ms)) },
            _ => span.mut { "not left" },
        }
        small { "thinking " (seconds(bout.thinking_ms)) @if bout.loops > 0 { ", loops " (seconds(bout.loops_ms)) } }
        @if bout.buzzer_ms.is_some() || bout.answer.is_some_and(|it| it != Answer::Complete) { small { (answer(bout)) } }
    }
}
