//! The home page: seasons with their leaders, the newest races, how to take part.

use super::field::Field;
use super::race::{Race, below, date};
use super::shell::{self, Page};
use super::words::{self, counted, seconds};
use crate::season::SeasonStatus;
use crate::standings::ranking::Source;
use maud::{Markup, html};

/// How many of the newest races are listed.
const NEWEST: usize = 20;

/// The home page. `newest` are all races, the newest first.
#[must_use]
pub fn page<'a>(fields: impl Iterator<Item = &'a Field>, newest: &[&Race]) -> String {
    let fields: Vec<&Field> = fields.collect();
    let body = html! {
        (seasons(&fields))
        (races(newest))
        (take_part())
    };
    shell::document(&Page {
        title: "The Gauntlet: races of self-hosted language models",
        about: "A biathlon for self-hosted language models: seasons, standings a memory class, races second by second.",
        up: "",
        crumbs: &[],
        here: "Home",
        band: band(&fields, newest.len()),
        body,
        data: None,
    })
}

fn band(fields: &[&Field], races: usize) -> Markup {
    let lanes: usize = fields.iter().map(|field| field.places().count()).sum();
    html! {
        section aria-labelledby="h-home" {
            h1 #h-home { "The Gauntlet" }
            p.lede {
                "A biathlon for self-hosted language models. A rig races alone: legs of fixed time, and ranges where it thinks against a clock and shoots at five targets with its answers. "
                "A miss is a penalty loop. The finish time ranks it inside its memory class."
            }
            dl.facts.plain {
                @for (count, word) in [(fields.len(), "season"), (lanes, "lane"), (races, "race")] {
                    div { dt { (word) "s" } dd { (count) } }
                }
            }
        }
    }
}

fn seasons(fields: &[&Field]) -> Markup {
    html! {
        section aria-labelledby="h-seasons" {
            h2 #h-seasons { "Seasons" }
            @if fields.is_empty() { p { "No season yet." } }
            @for field in fields { (season(field)) }
        }
    }
}

fn season(field: &Field) -> Markup {
    let href = format!("seasons/{}/index.html", field.season.name);
    let preview = field.season.status == SeasonStatus::Preview;
    let id = format!("h-{}", field.season.name);
    let ranges: Vec<String> =
        field.season.ranges.iter().map(|range| words::family(&range.family)).collect();
    html! {
        h3 id=(id) { a href=(href) { (words::name(&field.season.title)) } @if preview { " " span.tag.soft { "preview, not ranked" } } }
        p.sub { (words::list(&ranges)) "." }
        div.scroll tabindex="0" role="group" aria-labelledby=(id) {
            table {
                thead { tr {
                    th.pin scope="col" { "Class" }
                    th.l scope="col" { @if preview { "Fastest" } @else { "Leader" } }
                    th scope="col" { "Finish" } th scope="col" { "Hits" } th scope="col" { "Loops" } th scope="col" { "Lanes" }
                } }
                tbody {
                    @for class in &field.classes {
                        @if let Some(place) = class.places.first() {
                            tr {
                                th.pin scope="row" { a href={ (href) "#" @if preview { "lanes" } @else { "c" (class.memory_gb) } } { (class.memory_gb) " GB" } }
                                td.l.name {
                                    @match &place.track.race {
                                        Some(id) => a href={ "races/" (id) "/index.html" } { (place.track.title) },
                                        None => (place.track.title),
                                    }
                                    @if place.track.source == Source::Published { " " span.tag.pub { "published" } }
                                }
                                td { b { (place.track.finish_ms.map_or_else(|| String::from("–"), seconds)) } }
                                td { (place.track.hits) "/" (place.track.targets) }
                                td.pen { (seconds(place.track.loops_ms)) }
                                td { (class.places.len()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn races(newest: &[&Race]) -> Markup {
    html! {
        section aria-labelledby="h-new" {
            h2 #h-new { "Newest races" }
            @if newest.is_empty() { p.sub { "No race yet." } }
            @else {
                p.sub { (counted(newest.len() as u64, "race")) " in all" @if newest.len() > NEWEST { ", the newest " (NEWEST) " here" } ". Simulated lanes have no date." }
                div.scroll tabindex="0" role="group" aria-labelledby="h-new" {
                    table {
                        thead { tr {
                            th.pin.name scope="col" { "Lane" } th.l scope="col" { "Season" } th.l scope="col" { "Class" } th.l scope="col" { "Date" }
                            th scope="col" { "Hits" } th scope="col" { "Finish" }
                        } }
                        tbody { @for race in newest.iter().take(NEWEST) { (row(race)) } }
                    }
                }
            }
        }
    }
}

fn row(race: &Race) -> Markup {
    let track = &race.track;
    html! {
        tr {
            th.pin.name scope="row" { a href={ (race.folder()) "/index.html" } { (track.title) } small { "attempt " (race.result.attempt) } }
            td.l { (words::name(&race.season.title)) }
            td.l { (below(track)) }
            td.l { (race.began.as_deref().map_or_else(|| String::from("simulated"), date)) }
            td { (track.hits) "/" (track.targets) }
            td { b { (track.finish_ms.map_or_else(|| track.status.word().to_owned(), seconds)) } }
        }
    }
}

fn take_part() -> Markup {
    html! {
        section #part aria-labelledby="h-part" {
            h2 #h-part { "Take part" }
            p.sub { "Any server with an OpenAI-compatible address that streams will do. The first race of a lane in a season is the one that ranks." }
            h3 { "Try it without a model: a whole race of the built-in pacer" }
            (shell::command("gauntlet race"))
            h3 { "Write a lane file for your server, and see whether it is fit to race" }
            (shell::command("gauntlet lane new --out my-rig.toml"))
            (shell::command("gauntlet lane check my-rig.toml"))
            h3 { "Race, and show the race" }
            (shell::command("gauntlet race --lane my-rig.toml"))
            (shell::command("gauntlet site races --out site"))
        }
    }
}
