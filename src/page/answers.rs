//! The answers of a race: the prompt, the visible answer, and for each target what was read by which rule, and why it was a hit or
//! a miss. A long answer goes on on pages of its own.

pub use super::exchange::{Exchange, Reader};

use super::race::Race;
use super::shell::{self, Page};
use super::words::{self, counted, line, seconds};
use crate::lane::request::Purpose;
use crate::race::Event;
use crate::race::event::{Limit, Reason, Tokens, Verdict};
use crate::text::shown_lines;
use maud::{Markup, html};

/// Characters of a text on one page.
const PAGE_CHARS: usize = 24_000;

/// Most pages that an answer goes on for.
const PAGES_MAX: usize = 400;

/// Characters of a thought that are shown.
const THOUGHT_CHARS: usize = 6_000;

/// Characters of a prompt that are shown.
const PROMPT_CHARS: usize = 40_000;

/// What the log says of one range.
#[derive(Default)]
struct Judged<'a> {
    shots: Vec<&'a Event>,
    first_token_ms: Option<u64>,
    finish_reason: Option<&'a str>,
    tokens: Option<Tokens>,
    limit: Option<&'a Limit>,
    failure: Option<&'a str>,
}

/// The pages of the answers of a race, each with its file name. `log` are the events of the race, `ranges` what was asked and
/// answered at each of its ranges.
#[must_use]
pub fn pages(race: &Race, log: &[Event], ranges: &[Vec<Exchange>]) -> Vec<(String, String)> {
    let judged = judged(log, race.track.bouts.len());
    let mut further = Vec::new();
    let sections: Vec<Markup> = race
        .track
        .bouts
        .iter()
        .enumerate()
        .map(|(index, _)| {
            let exchanges = ranges.get(index).map(Vec::as_slice).unwrap_or_default();
            section(race, index, &judged[index], exchanges, &mut further)
        })
        .collect();
    let body = html! {
        @if race.track.bouts.len() > 1 {
            nav.pager aria-label="Ranges" {
                @for (index, bout) in race.track.bouts.iter().enumerate() {
                    a href={ "#r" (index + 1) } { (index + 1) ". " (bout.title()) }
                }
            }
        }
        @for section in &sections { (section) }
    };
    let mut pages = vec![(String::from("answers.html"), framed(race, "Answers", &body))];
    pages.extend(further);
    pages
}

fn framed(race: &Race, here: &str, body: &Markup) -> String {
    let title = format!("{here}, {}", race.track.title);
    let season = words::name(&race.season.title);
    let mut crumbs = vec![
        (String::from("../../index.html"), String::from("Home")),
        (format!("../../seasons/{}/index.html", race.season.name), season),
        (String::from("index.html"), race.track.title.clone()),
    ];
    if here != "Answers" {
        crumbs.push((String::from("answers.html"), String::from("Answers")));
    }
    shell::document(&Page {
        title: &title,
        about: &format!(
            "What {} was asked in a race of the Gauntlet, and what it answered.",
            race.track.title
        ),
        up: "../../",
        crumbs: &crumbs,
        here,
        band: html! { section aria-labelledby="h-page" { h1 #h-page { (here) } p.lede { (race.track.title) ", " (race.track.hits) " of " (counted(race.track.targets, "target")) "." } } },
        body: body.clone(),
        data: None,
    })
}

fn judged(log: &[Event], count: usize) -> Vec<Judged<'_>> {
    let mut judged: Vec<Judged<'_>> = Vec::new();
    judged.resize_with(count, Judged::default);
    let mut here = None;
    for event in log {
        if let Event::RangeStart { .. } = event {
            here = Some(here.map_or(0, |index| index + 1));
        }
        let Some(range) = here.and_then(|index: usize| judged.get_mut(index)) else { continue };
        match event {
            Event::Shot { .. } => range.shots.push(event),
            Event::FirstToken { after_ms, .. } => {
                range.first_token_ms.get_or_insert(*after_ms);
            }
            Event::Answer { finish_reason, tokens, limit, failure, .. } => {
                range.finish_reason = finish_reason.as_deref();
                range.tokens = *tokens;
                range.limit = limit.as_ref();
                range.failure = failure.as_ref().map(|it| it.message.as_str());
            }
            _ => {}
        }
    }
    judged
}

fn section(
    race: &Race,
    index: usize,
    judged: &Judged<'_>,
    exchanges: &[Exchange],
    further: &mut Vec<(String, String)>,
) -> Markup {
    let bout = &race.track.bouts[index];
    let id = format!("h-r{}", index + 1);
    html! {
        section id={ "r" (index + 1) } aria-labelledby=(id) {
            h2 id=(id) { (index + 1) ". " (bout.title()) }
            p.sub {
                (bout.kind) " L" (bout.level) ", " (bout.hits()) " of " (bout.targets.len()) " hit. Thought " (seconds(bout.thinking_ms)) " s"
                @if let Some(ms) = judged.first_token_ms { ", first token after " (seconds(ms)) " s" }
                @if let Some(buzzer_ms) = bout.buzzer_ms { ", buzzer at " (seconds(buzzer_ms)) " s" }
                "."
                @for sentence in ended(judged) { " " (sentence) }
            }
            (shots(judged, &id))
            @for exchange in exchanges { (asked(race, index, exchange, further)) }
            @if exchanges.is_empty() { p.sub { "io.jsonl has no request of this range." } }
        }
    }
}

/// How the reply ended, sentence by sentence.
fn ended(judged: &Judged<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(reason) = judged.finish_reason {
        sentences.push(format!("The server says it ended by “{}”.", line(reason)));
    }
    if let Some(tokens) = judged.tokens.and_then(|it| it.completion) {
        sentences.push(format!("{} written.", counted(tokens, "token")));
    }
    if let Some(limit) = judged.limit {
        sentences.push(match limit.name.as_str() {
            "window" => {
                format!("The window of {} s for the forced answer ended it.", seconds(limit.value))
            }
            "buzzer" => format!("The buzzer at {} s ended it.", seconds(limit.value)),
            _ => format!("The limit of {} ended it.", counted(limit.value, "token")),
        });
    }
    if let Some(failure) = judged.failure {
        sentences.push(format!("Failure: {}.", line(failure)));
    }
    sentences
}

fn shots(judged: &Judged<'_>, labelled_by: &str) -> Markup {
    html! {
        @if !judged.shots.is_empty() {
            div.scroll tabindex="0" role="group" aria-labelledby=(labelled_by) {
                table.free {
                    thead { tr {
                        th.n scope="col" { "Target" } th.l.n scope="col" { "Verdict" } th.l scope="col" { "What was read" }
                        th.l.n scope="col" { "By which rule" } th.l scope="col" { "Why" }
                    } }
                    tbody { @for shot in &judged.shots { (row(shot)) } }
                }
            }
        }
    }
}

fn row(shot: &Event) -> Markup {
    let Event::Shot { target, verdict, reason, read, rule, detail, fuel, .. } = shot else {
        return html! {};
    };
    let hit = *verdict == Verdict::Hit;
    html! {
        tr {
            th.n scope="row" { (target) }
            td.l.n { (super::mark::targets(&[hit])) " " @if hit { "hit" } @else { span.pen { (reason.word()) } } }
            td.l { @match read { Some(text) => code { (line(text)) }, None => span.mut { "nothing" } } }
            td.l.n { @match rule { Some(rule) => (line(rule)), None => span.mut { "–" } } }
            td.l {
                @match detail { Some(text) => (line(text)), None => (why(*reason)) }
                @if let Some(fuel) = fuel { small { (fuel) " fuel" } }
            }
        }
    }
}

/// What a reason means, for a shot of which nothing more is known.
fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Hit => "right",
        Reason::Wrong => "read, and not right",
        Reason::Unreadable => "there, but the grammar cannot read it",
        Reason::Missing => "no line for this target",
        Reason::CutOff => "the token limit ended the reply first",
        Reason::TooLate => "the hard stop ended the range",
        Reason::NoCode => "no code that defines the function",
        Reason::CodeError => "the code does not compile, or raises",
        Reason::CodeLimit => "the code ran into a limit of time or memory",
        Reason::Refused => "the code tried what the sandbox forbids",
        Reason::ServerError => "the server or the network failed",
    }
}

fn asked(
    race: &Race,
    index: usize,
    exchange: &Exchange,
    further: &mut Vec<(String, String)>,
) -> Markup {
    let forced = exchange.purpose == Purpose::Forced;
    let what = if forced { "Forced answer" } else { "Visible answer" };
    let (answer, more) = further_pages(race, index, exchange, what);
    let links: Vec<String> = more.iter().map(|(file, _)| file.clone()).collect();
    further.extend(more);
    let thought = exchange.reasoning.chars().count();
    let prompt = if forced { "Prompt of the forced answer" } else { "Prompt" };
    html! {
        details {
            summary { (prompt) ", " (counted(exchange.prompt.chars().count() as u64, "character")) }
            (text(&format!("{prompt}, range {}", index + 1), &head(&exchange.prompt, PROMPT_CHARS)))
        }
        @if thought > 0 {
            details {
                summary { "Thinking, " (counted(thought as u64, "character")) @if thought > THOUGHT_CHARS { ", the first " (THOUGHT_CHARS) " here" } }
                (text(&format!("Thinking, range {}", index + 1), &head(&exchange.reasoning, THOUGHT_CHARS)))
            }
        }
        h3 { (what) }
        @if answer.trim().is_empty() { p.sub { "Nothing." } } @else { (text(&format!("{what}, range {}", index + 1), &answer)) }
        @if !links.is_empty() {
            nav.pager aria-label={ "More of the " (what) ", range " (index + 1) } {
                "It goes on:" @for (number, file) in (2..).zip(&links) { a href=(file) { "page " (number) } }
            }
        }
        @if exchange.lost_bytes > 0 {
            p.sub { "Another " (exchange.lost_bytes) " bytes are in io.jsonl alone." }
        }
        p.sub { "io.jsonl, lines " (exchange.lines.0) " to " (exchange.lines.1) "." }
    }
}

/// Where an answer is cut into pages: its first part, and a page for each further one.
fn further_pages(
    race: &Race,
    index: usize,
    exchange: &Exchange,
    what: &str,
) -> (String, Vec<(String, String)>) {
    let chars: Vec<char> = exchange.answer.chars().collect();
    let mut parts = chars.chunks(PAGE_CHARS).map(|part| part.iter().collect::<String>());
    let first = parts.next().unwrap_or_default();
    let purpose = if exchange.purpose == Purpose::Forced { "forced" } else { "main" };
    let page = |(number, part): (usize, String)| {
        let here = format!("{what} at range {}, page {number}", index + 1);
        let body = html! { section aria-label="Text" { (text(what, &part)) } };
        let file = format!("answer-{}-{purpose}-{number}.html", index + 1);
        (file, framed(race, &here, &body))
    };
    let more = (2..).zip(parts).take(PAGES_MAX - 1).map(page).collect();
    (first, more)
}

fn head(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}

/// A text of many lines, fit to be shown, that can be scrolled to with the keyboard.
fn text(label: &str, text: &str) -> Markup {
    let lines: Vec<String> = shown_lines(text).collect();
    html! { pre.text tabindex="0" role="group" aria-label=(label) { (lines.join("\n")) } }
}
