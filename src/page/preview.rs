//! A preview season: its lanes side by side, with thinking on and off, without ranks, with their cut-offs.

use super::field::Field;
use super::mark;
use super::season::{linked, longest_ms, range_cell, state};
use super::track::Track;
use super::words::{self, counted, seconds};
use crate::standings::ranking::Source;
use maud::{Markup, html};

/// The section of a season page.
pub(crate) fn section(field: &Field) -> Markup {
    let mut tracks: Vec<&Track> = field.places().map(|place| &place.track).collect();
    // The two races of a lane with and without thinking stand together, the better pair first.
    let best = |track: &Track| {
        let twins = tracks.iter().filter(|it| name(it) == name(track));
        twins.map(|it| it.finish_ms.unwrap_or(u64::MAX)).min().unwrap_or(u64::MAX)
    };
    let mut keyed: Vec<_> = tracks
        .iter()
        .map(|it| ((best(it), name(it), it.thinking != Some(true), it.race.clone()), *it))
        .collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    tracks = keyed.into_iter().map(|(_, track)| track).collect();
    let longest_ms = longest_ms(field);
    html! {
        section #lanes aria-labelledby="h-lanes" {
            h2 #h-lanes { "Side by side" }
            p.sub { "Thinking on and off stand together. Cut off are targets missed because the answer ran into its token limit." }
            @if tracks.is_empty() { p { "No lane has raced this preview yet." } }
            @else {
                (mark::bar_key())
                div.scroll tabindex="0" role="group" aria-labelledby="h-lanes" {
                    table {
                        thead { tr {
                            th.pin.name scope="col" { "Lane" }
                            th.l scope="col" { "Thinking" }
                            th scope="col" { "Finish" }
                            th scope="col" { "Hits" }
                            @for range in &field.season.ranges { th.l scope="col" { (words::family(&range.family)) } }
                            th scope="col" { "Cut off" }
                            th scope="col" { "Think time" }
                            th scope="col" { "Loops" }
                            th.l scope="col" { "Where it went" }
                        } }
                        tbody { @for track in &tracks { (row(field, track, longest_ms)) } }
                    }
                }
            }
        }
    }
}

/// The name that the races of a lane with and without thinking share.
fn name(track: &Track) -> &str {
    track.lane.split(", thinking").next().unwrap_or(&track.lane)
}

fn row(field: &Field, track: &Track, longest_ms: u64) -> Markup {
    let thinking = match track.thinking {
        Some(true) => "on",
        Some(false) => "off",
        None => "–",
    };
    html! {
        tr {
            th.pin.name scope="row" {
                @if track.source == Source::Published { (words::name(name(track))) } @else { (linked(track)) }
                small { (track.class_gb) " GB class " (state(track)) }
            }
            td.l { (thinking) }
            td { b { (track.finish_ms.map_or_else(|| String::from("–"), seconds)) } }
            td { (track.hits) "/" (track.targets) }
            @for range in 0..field.season.ranges.len() { td.l { (range_cell(track, range)) } }
            td { (track.cut_off.map_or_else(|| String::from("–"), |it| it.to_string())) }
            td.thk { (track.thinking_ms.map_or_else(|| String::from("–"), seconds)) }
            td { span.pen { (seconds(track.loops_ms)) } small { (counted(track.loops, "loop")) } }
            td.l { @if let Some(parts) = track.parts_ms() { (mark::bar(&parts, longest_ms, true)) } @else { span.mut { "not published" } } }
        }
    }
}
