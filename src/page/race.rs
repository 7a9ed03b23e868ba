//! The page of a race: what decided it, the race second by second beside other lanes, splits, gaps, setup, raw files, and the
//! commands that check it. The answers have a page of their own, `answers.rs`.

use super::chart::{self, Row};
use super::field::{Company, Field, Place};
use super::shell::{self, Page};
use super::track::Track;
use super::words::{self, behind, counted, minutes, seconds};
use super::{gaps, mark, player, sentence, setup, splits};
use crate::lane::file::LaneFile;
use crate::race::event::Started;
use crate::race::{RaceResult, Status};
use crate::season::{Season, SeasonStatus};
use crate::standings::ranking::Source;
use maud::{Markup, html};

/// How many lanes are drawn beside a race.
const GHOSTS: usize = 3;

/// A race as its pages show it.
#[derive(Debug)]
pub struct Race {
    /// Its result, folded from the log.
    pub result: RaceResult,
    /// What it drew on the course.
    pub track: Track,
    /// The season file that it was raced on.
    pub season: Season,
    /// What its log begins with.
    pub start: Started,
    /// When it began, UTC; nothing for a simulated race, which has no date.
    pub began: Option<String>,
    /// Its lane file.
    pub lane: LaneFile,
    /// Its raw files beside the page, with their sizes in bytes; none when they were left out.
    pub files: Vec<(String, u64)>,
    /// Whether it was verified when the page was made.
    pub verified: bool,
}

impl Race {
    /// Its folder on the site, from the home page.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("races/{}", self.result.race)
    }
}

/// The page of a race, from the folder of which the home page is two folders up.
#[must_use]
pub fn page(race: &Race, field: &Field) -> String {
    let track = &race.track;
    let standing = field.standing(track);
    let place = standing.map(|(place, _)| place);
    let ghosts = field.ghosts(track, GHOSTS);
    let rows = rows(track, &ghosts);
    let (company, among) = company(track, field);
    let leader = rival(track, &ghosts);
    let lede = sentence::lede(track, leader, &race.result.notes);
    let season_page = format!("../../seasons/{}/index.html", field.season.name);
    let title = match track.finish_ms {
        Some(finish_ms) => format!(
            "{}, {} s: {}",
            track.title,
            seconds(finish_ms),
            words::name(&field.season.title)
        ),
        None => format!(
            "{}, {}: {}",
            track.title,
            track.status.word(),
            words::name(&field.season.title)
        ),
    };
    let body = html! {
        @if let Some(note) = note(race, field, place) { p.note { (note) } }
        section aria-labelledby="h-chart" {
            h2 #h-chart { "The race, second by second" }
            p.sub { (sentence::course_of(track, rows.len(), &places(track, &rows))) }
            (mark::chart_key())
            (chart::chart(&rows))
            (controls(&rows))
        }
        section aria-labelledby="h-splits" {
            h2 #h-splits { "Range by range" }
            p.sub {
                "Range time is thinking, shooting and loops. Exit is the race time at which the lane left the range"
                @if company.lanes > 1 { "; place and gaps are among " (among) }
                "."
            }
            (splits::own(track, &race.season, company, "h-splits"))
        }
        @if rows.len() > 1 {
            section.gap aria-labelledby="h-gap" {
                h2 #h-gap { "Gap to the leader" }
                p.sub { "Seconds behind the first of the lanes shown, each time a lane leaves a range. Lower is further behind." }
                (gaps::drawing(&rows))
                (gaps::table(&rows, "h-gap"))
            }
            section aria-labelledby="h-all" {
                h2 #h-all { "Every lane at every range" }
                p.sub { "Targets, range time, gap to the fastest range, thinking. ★ marks the fastest range of the lanes shown." }
                (splits::all(&rows, "h-all"))
            }
        }
        section aria-labelledby="h-answers" {
            h2 #h-answers { "Answers" }
            p.sub { "What the lane was asked, what it answered, what was read for each target, by which rule, and why it was a hit or a miss." }
            p { a href="answers.html" { "Read the answers of all " (counted(track.bouts.len() as u64, "range")) } }
        }
        (setup::section(race))
        (check(race, &ghosts))
    };
    let crumbs = [
        (String::from("../../index.html"), String::from("Home")),
        (season_page, words::name(&field.season.title)),
    ];
    shell::document(&Page {
        title: &title,
        about: &lede,
        up: "../../",
        crumbs: &crumbs,
        here: &track.title,
        band: band(race, standing, field, &lede),
        body,
        data: Some(&player::played(&rows)),
    })
}

/// The lanes of the charts: the race's own and its ghosts, by finish time, those without one last.
fn rows<'a>(track: &'a Track, ghosts: &[&'a Place]) -> Vec<Row<'a>> {
    let mut tracks: Vec<&Track> = ghosts.iter().map(|place| &place.track).collect();
    tracks.push(track);
    tracks.sort_by_key(|it| (it.finish_ms.unwrap_or(u64::MAX), it.lane.clone(), it.race.clone()));
    let first_ms = tracks.first().and_then(|it| it.finish_ms);
    let row = |it: &&'a Track| {
        let is_me = it.source == Source::Raced && it.race == track.race;
        let link = it.race.as_ref().filter(|_| !is_me).map(|id| format!("../{id}/index.html"));
        let finish = match it.finish_ms {
            Some(ms) if Some(ms) == first_ms => {
                (format!("{} s", seconds(ms)), String::from("leader"))
            }
            Some(ms) => {
                (format!("{} s", seconds(ms)), behind(ms.saturating_sub(first_ms.unwrap_or(ms))))
            }
            None => (String::from("–"), it.status.word().to_owned()),
        };
        Row { track: it, below: below(it), link, is_me, finish }
    };
    tracks.iter().map(row).collect()
}

/// The line below a lane's name.
pub(crate) fn below(track: &Track) -> String {
    let published = if track.source == Source::Published { ", published" } else { "" };
    format!("{} GB class{published}", track.class_gb)
}

/// The places of the race among the rows at each range.
fn places(track: &Track, rows: &[Row<'_>]) -> Vec<Option<u32>> {
    let company = Company::of(rows.iter().map(|row| row.track));
    let at = |(split, ms): (usize, &u64)| company.at(split, *ms).map(|(place, _)| place);
    let splits = track.splits_ms();
    splits.iter().enumerate().map(at).collect()
}

/// What a race is compared with, and its name: the class, or where nobody else raced in it the whole season.
fn company<'a>(track: &Track, field: &'a Field) -> (&'a Company, String) {
    match field.class(track.class_gb).filter(|class| class.company.lanes > 1) {
        Some(class) => {
            let lanes = words::number(class.company.lanes);
            (&class.company, format!("the {lanes} lanes of the {} GB class", class.memory_gb))
        }
        None => {
            let lanes = words::number(field.company.lanes);
            (&field.company, format!("the {lanes} lanes of the season, as the class has no other"))
        }
    }
}

/// Whom a sentence compares it with: the fastest other lane of its class that is drawn, else the fastest of all.
fn rival<'a>(track: &Track, ghosts: &[&'a Place]) -> Option<&'a Track> {
    let own = ghosts.iter().find(|place| place.track.class_gb == track.class_gb);
    own.or(ghosts.first()).map(|place| &place.track)
}

fn band(race: &Race, standing: Option<(&Place, usize)>, field: &Field, lede: &str) -> Markup {
    let track = &race.track;
    let parts = track.parts_ms();
    let whole_ms = parts.map_or(0, |parts| parts.into_iter().fold(0, u64::saturating_add));
    html! {
        section aria-labelledby="h-race" {
            div.hero {
                (bib(standing, field, track))
                div.who {
                    h1 #h-race { (track.title) }
                    p {
                        (track.class_gb) " GB class. " (track.hits) " of " (counted(track.targets, "target")) ", "
                        (counted(track.loops, "loop")) ", "
                        @match track.buzzers { Some(0) | None => "no buzzer", Some(count) => (counted(count, "buzzer")) }
                        "." @if let Some(began) = &race.began { " " (date(began)) "." }
                    }
                }
                div.time {
                    @match track.finish_ms {
                        Some(ms) => { b { (seconds(ms)) small { "s" } } span { (minutes(ms)) " finish time" } },
                        None => { b.word { (track.status.word()) } span { "no finish time" } },
                    }
                }
            }
            p.lede { (lede) }
            @if let Some(parts) = parts {
                (mark::bar(&parts, whole_ms, true))
                (mark::facts(track, &parts))
            }
        }
    }
}

/// A day of a wall stamp.
pub(crate) fn date(wall: &str) -> String {
    words::name(wall.split('T').next().unwrap_or(wall))
}

fn bib(standing: Option<(&Place, usize)>, field: &Field, track: &Track) -> Markup {
    let rank = standing.and_then(|(place, of)| place.rank.map(|rank| (rank, of)));
    html! {
        @match rank {
            Some((rank, of)) => div.bib role="img" aria-label={ (words::place(rank)) " of " (of) " in the class" } {
                b { (rank) } span { "of " (of) }
            },
            None => div.bib {
                b.word { @if field.season.status == SeasonStatus::Preview { "preview" } @else { (track.status.word()) } }
                span { "no rank" }
            },
        }
    }
}

/// What a reader must know before the figures.
fn note(race: &Race, field: &Field, place: Option<&Place>) -> Option<String> {
    let id = &race.result.race;
    let standings = &field.standings;
    if let Some(apart) = standings.apart.iter().find(|it| it.race == *id) {
        return Some(format!("In no table of the season: {}.", words::line(&apart.reason)));
    }
    let mut asides = standings.attempts.iter().chain(&standings.void);
    if let Some(aside) = asides.find(|it| it.race == *id).filter(|it| it.status != Status::Void) {
        return Some(format!(
            "A further attempt of this lane, not ranked: {}.",
            words::line(&aside.why)
        ));
    }
    (place.is_some() && field.season.status == SeasonStatus::Preview).then(|| {
        String::from("A preview season: shown without rank until its difficulty is calibrated.")
    })
}

fn controls(rows: &[Row<'_>]) -> Markup {
    let end_ms = rows.iter().map(|row| row.track.whole_ms()).max().unwrap_or(0);
    // A slider stops at whole steps: its last one must not lie before the end.
    let last_ms = end_ms.div_ceil(100).saturating_mul(100);
    html! {
        div.player role="group" aria-label="Replay of the race" {
            button.play #play type="button" { "Replay" }
            button #prev type="button" aria-label="Previous event" { "◀" span.full { " Event" } }
            button #next type="button" aria-label="Next event" { span.full { "Event " } "▶" }
            label.sr for="scrub" { "Race time" }
            input #scrub type="range" min="0" max=(last_ms) step="100" value=(last_ms);
            output #clock for="scrub" { (seconds(end_ms)) " s" }
            label.sr for="speed" { "Speed of the replay" }
            select #speed {
                @for speed in [1, 5, 10, 20, 50, 100] {
                    option value=(speed) selected[speed == 10] { (speed) "×" }
                }
            }
        }
        noscript { p.sub { "Without scripts the whole race stands above; the replay needs them." } }
    }
}

fn check(race: &Race, ghosts: &[&Place]) -> Markup {
    let id = &race.result.race;
    let has_files = !race.files.is_empty();
    let folder = if has_files { format!("races/{id}/files") } else { id.clone() };
    let beside: String = ghosts
        .iter()
        .filter_map(|place| place.track.race.as_ref())
        .take(2)
        .map(|ghost| if has_files { format!(" races/{ghost}/files") } else { format!(" {ghost}") })
        .collect();
    html! {
        div.two {
            section aria-labelledby="h-check" {
                h2 #h-check { "Check it yourself" }
                p.sub { "Replay and verify need no model and run in the folder of this site. " @if race.verified { "This race was verified when the page was made." } }
                h3 { "Prove it from its raw stream: tasks, times, answers, code" }
                (shell::command(&format!("gauntlet verify {folder}")))
                h3 { "Watch it again, beside others" }
                (shell::command(&format!("gauntlet replay {folder}{beside}")))
                h3 { "Race the same course on your rig" }
                (shell::command(&format!("gauntlet race --season {folder}/season.toml --lane my-rig.toml")))
            }
            section aria-labelledby="h-files" {
                h2 #h-files { "Raw files" }
                @if has_files {
                    p.sub { "Everything on this page is computed from these." }
                } @else {
                    p.sub { "They were left out when this site was made." }
                }
                ul.files {
                    @for (name, bytes) in &race.files {
                        li { a href={ "files/" (name) } { (name) } span { (about(name)) ", " (size(*bytes)) } }
                    }
                    li { a href="card.svg" { "card.svg" } span { "the card of this race, to share" } }
                }
            }
        }
    }
}

/// What a raw file is.
fn about(name: &str) -> &'static str {
    match name {
        "io.jsonl" => "every request and every piece of every reply, with its time",
        "log.jsonl" => "what the referee made of it, event by event",
        "result.json" => "splits, targets, finish time",
        "season.toml" => "the season file that was raced",
        "lane.toml" => "the lane file: server, model, setup",
        "system-prompt.txt" => "what was sent as system prompt",
        "command.txt" => "the command that ran it",
        "verify.txt" => "what verify said when the race ended",
        "signature.json" => "who vouches for these files",
        "redactions.json" => "what was replaced for publishing",
        _ => "a file of the race",
    }
}

/// A size for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
