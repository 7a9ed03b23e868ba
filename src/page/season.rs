//! The page of a season: standings a class, how hard each range is, where the time went; a preview season has its lanes side by
//! side instead of ranks.

use super::field::{Class, Field, Place};
use super::shell::{self, Page};
use super::track::Track;
use super::words::{self, behind, counted, percent, seconds};
use super::{mark, preview};
use crate::race::Status;
use crate::season::SeasonStatus;
use crate::standings::ranking::{Aside, Source};
use maud::{Markup, html};

/// Rows of a class on the season's page; a class with more has a page of its own for the rest.
pub const ROWS_MAX: usize = 100;

/// The page of a season, from the folder of which the home page is two folders up.
#[must_use]
pub fn page(field: &Field) -> String {
    let title = words::name(&field.season.title);
    let lanes = field.places().count() as u64;
    let is_preview = field.season.status == SeasonStatus::Preview;
    let about = format!(
        "{title} of the Gauntlet: {} over {}.",
        counted(lanes, "lane"),
        counted(field.season.ranges.len() as u64, "range")
    );
    let body = html! {
        @if is_preview {
            (preview::section(field))
        } @else {
            @for (index, class) in field.classes.iter().enumerate() { (class_section(field, class, index == 0)) }
        }
        (open_classes(field))
        (difficulty(field))
        (totals(field))
        (asides(field))
        (raw(field))
    };
    shell::document(&Page {
        title: &format!("{title}: gauntlet"),
        about: &about,
        up: "../../",
        crumbs: &[(String::from("../../index.html"), String::from("Home"))],
        here: &title,
        band: band(field, &title, lanes, is_preview),
        body,
        data: None,
    })
}

/// A further page of a class with many lanes: rows from `from` on.
#[must_use]
pub fn class_page(field: &Field, class: &Class, number: usize) -> String {
    let title = words::name(&field.season.title);
    let here = format!("{} GB class, page {}", class.memory_gb, number + 1);
    let body = html! { section aria-label="Standings" { (mark::bar_key()) (class_rows(field, class, number)) } };
    shell::document(&Page {
        title: &format!("{title}, {here}: gauntlet"),
        about: &format!("{title}, {here}"),
        up: "../../",
        crumbs: &[
            (String::from("../../index.html"), String::from("Home")),
            (String::from("index.html"), title.clone()),
        ],
        here: &here,
        band: html! { section aria-labelledby="h-page" { h1 #h-page { (title) ", " (class.memory_gb) " GB class" } } },
        body,
        data: None,
    })
}

/// How many pages the rows of a class take.
#[must_use]
pub fn pages(class: &Class) -> usize {
    class.places.len().div_ceil(ROWS_MAX).max(1)
}

/// The file of page `number`, from 0, of a class.
#[must_use]
pub fn page_file(class: &Class, number: usize) -> String {
    if number == 0 {
        return format!("index.html#c{}", class.memory_gb);
    }
    format!("class-{}-{}.html", class.memory_gb, number + 1)
}

fn band(field: &Field, title: &str, lanes: u64, is_preview: bool) -> Markup {
    let season = &field.season;
    html! {
        section aria-labelledby="h-season" {
            div.who {
                h1 #h-season { (title) }
                p {
                    @if is_preview {
                        "A preview: its lanes are shown, and none is ranked until its difficulty is calibrated. "
                    } @else {
                        "Rigs race in classes by their memory. The lowest finish time wins. "
                    }
                    (counted(lanes, "lane")) " so far, " (counted(season.ranges.len() as u64, "range")) ", five targets each."
                }
            }
            @if !field.classes.is_empty() && !is_preview {
                ul.leaders {
                    @for class in &field.classes { (leader(class)) }
                }
            }
        }
    }
}

fn leader(class: &Class) -> Markup {
    let first: Vec<&Place> = class.places.iter().filter(|it| it.rank == Some(1)).collect();
    html! {
        li {
            span { (class.memory_gb) " GB class" }
            @match first.first() {
                Some(place) => {
                    b { (place.track.finish_ms.map_or_else(String::new, seconds)) small { "s" } }
                    (linked(&place.track))
                    span {
                        @if first.len() > 1 { "shared by " (words::number(first.len())) " lanes" }
                        @else { (place.track.hits) " of " (counted(place.track.targets, "target")) @if place.track.source == Source::Published { ", published" } }
                    }
                },
                None => { b { "open" } span { "no ranked finisher yet" } },
            }
        }
    }
}

/// The name of a lane, with the way to its race.
pub(crate) fn linked(track: &Track) -> Markup {
    html! {
        @match &track.race {
            Some(id) => a href={ "../../races/" (id) "/index.html" } { (track.title) },
            None => strong { (track.title) },
        }
    }
}

fn class_section(field: &Field, class: &Class, with_key: bool) -> Markup {
    html! {
        section id={ "c" (class.memory_gb) } aria-labelledby={ "h-c" (class.memory_gb) } {
            h2 id={ "h-c" (class.memory_gb) } { (class.memory_gb) " GB class" }
            @if with_key { (mark::bar_key()) }
            (class_rows(field, class, 0))
        }
    }
}

fn class_rows(field: &Field, class: &Class, number: usize) -> Markup {
    let from = number * ROWS_MAX;
    let rows = class.places.iter().skip(from).take(ROWS_MAX);
    let longest_ms = longest_ms(field);
    let label = format!("{} GB class, standings", class.memory_gb);
    html! {
        div.scroll tabindex="0" role="group" aria-label=(label) {
            table {
                thead { tr {
                    th.rk scope="col" { span.sr { "Rank" } }
                    th.pin.name scope="col" { "Lane" }
                    th scope="col" { "Finish" }
                    th scope="col" { "Behind" }
                    th scope="col" { "Hits" }
                    @for range in &field.season.ranges { th.l scope="col" { (words::family(&range.family)) } }
                    th scope="col" { "Thinking" }
                    th scope="col" { "Loops" }
                    th.l scope="col" { "Where it went" }
                } }
                tbody { @for place in rows { (row(field, place, longest_ms)) } }
            }
        }
        (pager(class, number))
    }
}

/// The longest finish, which the width of the small bars means.
pub(crate) fn longest_ms(field: &Field) -> u64 {
    field.places().map(|place| place.track.whole_ms()).max().unwrap_or(0)
}

fn pager(class: &Class, number: usize) -> Markup {
    let count = pages(class);
    html! {
        @if count > 1 {
            nav.pager aria-label={ "Pages of the " (class.memory_gb) " GB class" } {
                span { (counted(class.places.len() as u64, "lane")) ":" }
                @for page in 0..count {
                    @if page == number { strong aria-current="page" { (page + 1) } }
                    @else { a href=(page_file(class, page)) { (page + 1) } }
                }
            }
        }
    }
}

fn row(field: &Field, place: &Place, longest_ms: u64) -> Markup {
    let track = &place.track;
    html! {
        tr {
            td.rank { (place.rank.map_or_else(|| String::from("–"), |rank| rank.to_string())) }
            th.pin.name scope="row" {
                (linked(track))
                small {
                    @if let Some(rank) = place.rank { span.mini { (words::place(rank)) ". " } }
                    (state(track))
                }
            }
            td { b { (track.finish_ms.map_or_else(|| String::from("–"), seconds)) } }
            td { @match place.behind_ms { Some(0) => "leader", Some(ms) => (behind(ms)), None => "" } }
            td { (track.hits) "/" (track.targets) }
            @for range in 0..field.season.ranges.len() { td.l { (range_cell(track, range)) } }
            td.thk { (track.thinking_ms.map_or_else(|| String::from("–"), seconds)) }
            td { span.pen { (seconds(track.loops_ms)) } small { (counted(track.loops, "loop")) } }
            td.l { @if let Some(parts) = track.parts_ms() { (mark::bar(&parts, longest_ms, true)) } }
        }
    }
}

/// Where a row comes from and how it ended, when that is not a race that finished.
pub(crate) fn state(track: &Track) -> Markup {
    html! {
        @if track.source == Source::Published { span.tag.pub { "published" } " " }
        @if track.status != Status::Finished { span.tag.soft { (track.status.word()) } " " }
        @if let Some(count) = track.buzzers.filter(|count| *count > 0) { span.tag.bz { (counted(count, "buzzer")) } }
    }
}

/// The targets of a range, or how many fell where only that is published.
pub(crate) fn range_cell(track: &Track, range: usize) -> Markup {
    let hits = track.hits_by_range.get(range);
    html! {
        @match (track.bouts.get(range), hits) {
            (Some(bout), _) => (mark::targets(&bout.targets)),
            (None, Some(hits)) => { (hits) " of 5" },
            (None, None) => "–",
        }
    }
}

fn open_classes(field: &Field) -> Markup {
    let taken = |gb: &u64| field.classes.iter().any(|class| class.memory_gb == *gb);
    let open: Vec<String> =
        field.season.memory_classes_gb.iter().filter(|gb| !taken(gb)).map(u64::to_string).collect();
    html! {
        @if !open.is_empty() {
            section #open aria-labelledby="h-open" {
                h2 #h-open { "Open classes" }
                div.empty {
                    p { "No lane has raced yet in the classes of " (words::list(&open)) " GB. Yours can be the first: put the memory of your rig, for instance "
                        code { "memory_gb = " (open[0]) } ", into a lane file, and race." }
                    (shell::command("gauntlet lane new --out my-rig.toml"))
                    (shell::command(&format!("gauntlet race --season {} --lane my-rig.toml", field.file)))
                }
            }
        }
    }
}

fn difficulty(field: &Field) -> Markup {
    let lanes: Vec<&Track> = field.places().map(|place| &place.track).collect();
    let figures = |range: usize| {
        let hits = lanes.iter().filter_map(|it| it.range_hits().get(range).copied());
        let shot = lanes.iter().filter(|it| it.range_hits().len() > range).count() as u64 * 5;
        let loops_ms = lanes.iter().filter_map(|it| it.bouts.get(range));
        let loops_ms = loops_ms.map(|bout| bout.loops_ms).fold(0, u64::saturating_add);
        (hits.map(u64::from).sum::<u64>(), shot, loops_ms)
    };
    html! {
        @if !lanes.is_empty() {
            section aria-labelledby="h-hard" {
                h2 #h-hard { "How hard each range is" }
                p.sub { "Targets hit by the lanes above, of those they shot at." }
                dl.hard {
                    @for (index, range) in field.season.ranges.iter().enumerate() {
                        @let (hits, shot, loops_ms) = figures(index);
                        dt {
                            (index + 1) ". " (words::family(&range.family))
                            small { "level " (range.level.get()) ", " (seconds(range.loop_ms)) " s a loop" @if loops_ms > 0 { ", " (seconds(loops_ms)) " s in all" } }
                        }
                        dd.b { svg aria-hidden="true" {
                            rect.p-soft width="100%" height="100%" {}
                            rect.p-shoot width=(percent(hits, shot)) height="100%" {}
                        } }
                        dd.v { (hits) " of " (shot) }
                    }
                }
            }
        }
    }
}

/// Where the time of all lanes went, one bar and its figures.
fn totals(field: &Field) -> Markup {
    let known: Vec<[u64; 4]> = field.places().filter_map(|place| place.track.parts_ms()).collect();
    let mut sum = [0_u64; 4];
    for parts in &known {
        for (sum, ms) in sum.iter_mut().zip(parts) {
            *sum = sum.saturating_add(*ms);
        }
    }
    let whole_ms = sum.into_iter().fold(0, u64::saturating_add);
    let lanes = known.len() as u64;
    html! {
        @if whole_ms > 0 {
            section aria-labelledby="h-time" {
                h2 #h-time { "Where the time went" }
                p.sub { "All lanes of which the ranges are known, added up: " (counted(lanes, "lane")) "." }
                (mark::bar(&sum, whole_ms, true))
                dl.facts {
                    @for (ms, (word, class)) in sum.iter().zip(mark::PARTS) {
                        div { dt { svg width="12" height="12" aria-hidden="true" { rect.(class) width="12" height="12" rx="3" {} } (word) } dd { (words::thousandths(*ms, whole_ms) / 1_000) " % " small { (seconds(ms / lanes.max(1))) " s a lane" } } }
                    }
                }
            }
        }
    }
}

fn asides(field: &Field) -> Markup {
    let standings = &field.standings;
    let aside = |it: &Aside| {
        let finish = it.finish_ms.map_or_else(String::new, |ms| format!(" in {} s", seconds(ms)));
        (it.race.clone(), format!("{}{finish}: {}", it.status.word(), words::line(&it.why)))
    };
    let attempts: Vec<(String, String)> = standings.attempts.iter().map(aside).collect();
    let void: Vec<(String, String)> = standings.void.iter().map(aside).collect();
    let apart: Vec<(String, String)> =
        standings.apart.iter().map(|it| (it.race.clone(), words::line(&it.reason))).collect();
    html! {
        @for (id, title, list) in [("attempts", "Further attempts", attempts), ("void", "Void races", void), ("apart", "Listed apart", apart)] {
            @if !list.is_empty() {
                section id=(id) aria-labelledby={ "h-" (id) } {
                    h2 id={ "h-" (id) } { (title) }
                    ul.files {
                        @for (race, what) in list.iter().take(200) { li { strong { (words::name(race)) } span { (what) } } }
                        @if list.len() > 200 { li { "and " (list.len() - 200) " more" } }
                    }
                }
            }
        }
    }
}

fn raw(field: &Field) -> Markup {
    html! {
        section aria-labelledby="h-raw" {
            h2 #h-raw { "This season as data" }
            ul.files {
                li { a href="season.json" { "season.json" } span { "standings, splits and targets of every lane; times in milliseconds" } }
                li { a href="season.csv" { "season.csv" } span { "a row a lane, for spreadsheets" } }
                li { a href="season.toml" { "season.toml" } span { "every figure of the rules" } }
            }
            @if field.places().any(|place| place.track.source == Source::Published) {
                p.sub { "Lanes marked published come from the figures on the season's own pages; they were not raced here, and their raw files are not here." }
            }
        }
    }
}
