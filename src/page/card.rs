//! The card of a race: one picture of 1200 by 630 to share, as SVG that stands alone. `cli/card.rs` makes a PNG of it.

use super::field::Place;
use super::mark::target_words;
use super::track::{Bout, Track};
use super::words::{counted, minutes, seconds};
use crate::race::Status;
use crate::season::{Season, SeasonStatus};
use crate::standings::ranking::Source;
use maud::{Markup, html};

/// Colours of the card, which is dark everywhere.
const PAPER: &str = "#0e2234";
const INK: &str = "#ffffff";
const QUIET: &str = "#b1c3d3";
const LOOP: &str = "#ff8748";
const LOOP_TEXT: &str = "#ffb48c";
const THINK: &str = "#6ea6ff";
const THINK_TEXT: &str = "#b3cfff";
const COURSE: &str = "#71879b";

/// Left edge and width of what stands on the card, in pixels.
const LEFT: u64 = 60;
const WIDTH: u64 = 1_080;

/// The size of the picture, in pixels.
pub const WIDTH_PX: u32 = 1_200;
/// See [`WIDTH_PX`].
pub const HEIGHT_PX: u32 = 630;

/// The bundled font: Inter in the three weights of the card, cut to Latin letters. Its licence stands beside it.
pub const FONTS: [&[u8]; 3] = [
    include_bytes!("font/Inter-Regular.otf"),
    include_bytes!("font/Inter-SemiBold.otf"),
    include_bytes!("font/Inter-ExtraBold.otf"),
];

/// Whether the bundled font has a letter.
#[must_use]
pub fn has_glyph(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{A0}'..='\u{17F}' | '\u{2013}' | '\u{2014}' | '\u{2018}'..='\u{201D}' | '\u{2026}')
}

/// Most ranges that are drawn.
const RANGES: usize = 6;

/// A text on the card.
struct Text<'a> {
    x: u64,
    y: u64,
    size: u64,
    weight: u64,
    fill: &'a str,
    anchor: &'a str,
}

impl Text<'_> {
    fn draw(&self, text: &str) -> Markup {
        html! {
            text x=(self.x) y=(self.y) font-size=(self.size) font-weight=(self.weight) fill=(self.fill) text-anchor=(self.anchor) { (text) }
        }
    }
}

fn left(x: u64, y: u64, size: u64, weight: u64, fill: &str) -> Text<'_> {
    Text { x, y, size, weight, fill, anchor: "start" }
}

fn right(x: u64, y: u64, size: u64, weight: u64, fill: &str) -> Text<'_> {
    Text { x, y, size, weight, fill, anchor: "end" }
}

fn middle(x: u64, y: u64, size: u64, weight: u64, fill: &str) -> Text<'_> {
    Text { x, y, size, weight, fill, anchor: "middle" }
}

/// The card of a race. `standing` is its place in its class and how many have one there, where it is known.
#[must_use]
pub fn svg(track: &Track, season: &Season, standing: Option<(&Place, usize)>) -> String {
    let end = match track.finish_ms {
        Some(ms) => format!("{} s", seconds(ms)),
        None => track.status.word().to_owned(),
    };
    let class = format!("{}, {} GB class", season_title(season), track.class_gb);
    let card = html! {
        svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img" aria-labelledby="t d" font-family="Inter, DejaVu Sans, sans-serif" {
            title id="t" { (track.title) ", gauntlet: " (end) }
            desc id="d" { (said(track)) }
            defs {
                pattern id="h" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    rect width="12" height="12" fill=(LOOP) {}
                    rect x="8" width="4" height="12" fill="#8a4420" {}
                }
            }
            rect width="1200" height="630" fill=(PAPER) {}
            @for (index, hit) in [true, true, true, false, true].into_iter().enumerate() {
                (target(LEFT + 10 + 27 * index as u64, 66, 10, hit))
            }
            (left(212, 75, 28, 600, INK).draw("gauntlet"))
            (right(LEFT + WIDTH, 75, 26, 400, QUIET).draw(&class))
            (bib(track, season, standing))
            (head(track))
            (time(track))
            (bar(track))
            (ranges(track))
            (left(LEFT, 602, 20, 400, QUIET).draw(&foot(track)))
        }
    };
    card.into_string() + "\n"
}

fn season_title(season: &Season) -> String {
    super::words::name(&season.title).chars().take(40).collect()
}

fn said(track: &Track) -> String {
    let ranges: Vec<String> = track
        .bouts
        .iter()
        .map(|bout| format!("{}: {}", bout.title(), target_words(&bout.targets)))
        .collect();
    format!(
        "{} of {}, {} of {} seconds. {}.",
        track.hits,
        counted(track.targets, "target"),
        counted(track.loops, "penalty loop"),
        seconds(track.loops_ms),
        ranges.join("; ")
    )
}

fn bib(track: &Track, season: &Season, standing: Option<(&Place, usize)>) -> Markup {
    let rank = standing.and_then(|(place, of)| place.rank.map(|rank| (rank, of)));
    html! {
        rect x=(LEFT) y="122" width="132" height="150" rx="12" fill=(INK) {}
        @match rank {
            Some((rank, of)) => {
                (middle(126, 216, if rank < 100 { 92 } else { 58 }, 800, PAPER).draw(&rank.to_string()))
                (middle(126, 250, 22, 600, PAPER).draw(&format!("of {of}")))
            },
            None => {
                (middle(126, 200, 25, 600, PAPER).draw(bib_word(track, season)))
                (middle(126, 232, 20, 400, PAPER).draw(&if track.status == Status::Finished { String::from("no rank") } else { String::from("not ranked") }))
            },
        }
    }
}

fn bib_word(track: &Track, season: &Season) -> &'static str {
    match (season.status, track.source, track.status) {
        (SeasonStatus::Preview, ..) => "preview",
        (_, Source::Published, _) => "published",
        (_, _, Status::Finished) => "raced",
        (_, _, status) => status.word(),
    }
}

fn head(track: &Track) -> Markup {
    // Room for the name is what the finish time leaves; an em of these letters is about as wide as two of them.
    let count = track.title.chars().count();
    let (size, chars) = match count {
        0..=12 => (66, 12),
        13..=16 => (52, 16),
        17..=21 => (40, 21),
        _ => (33, 26),
    };
    let lines = wrap(&track.title, chars);
    let top = if lines.len() > 1 { 164 } else { 192 };
    let buzzers = match track.buzzers {
        Some(0) | None => String::from("no buzzer"),
        Some(count) => counted(count, "buzzer"),
    };
    let below = format!("{} of {}, {buzzers}", track.hits, counted(track.targets, "target"));
    html! {
        @for (index, line) in lines.iter().enumerate() {
            (left(224, top + 40 * index as u64, size, 600, INK).draw(line))
        }
        (left(224, 248, 28, 400, QUIET).draw(&below))
    }
}

/// A name on at most two lines.
fn wrap(title: &str, chars_max: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in title.split(' ') {
        let line = &lines[lines.len() - 1];
        let long = line.chars().count() + word.chars().count() + 1 > chars_max;
        if long && !line.is_empty() && lines.len() < 2 {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].push_str(word);
    }
    let cut = |line: &String| {
        if line.chars().count() <= chars_max {
            return line.clone();
        }
        line.chars().take(chars_max - 1).collect::<String>().trim_end().to_owned() + "…"
    };
    lines.iter().map(cut).collect()
}

fn time(track: &Track) -> Markup {
    let edge = LEFT + WIDTH;
    match track.finish_ms {
        Some(ms) => html! {
            (right(edge - 38, 226, if ms < 10_000_000 { 116 } else { 80 }, 800, INK).draw(&seconds(ms)))
            (right(edge, 226, 50, 600, INK).draw("s"))
            (right(edge, 268, 24, 400, QUIET).draw(&format!("{} finish time", minutes(ms))))
        },
        None => html! {
            (right(edge, 216, 64, 800, INK).draw(track.status.word()))
            (right(edge, 258, 24, 400, QUIET).draw("no finish time"))
        },
    }
}

fn bar(track: &Track) -> Markup {
    let Some([loops_ms, thinking_ms, shooting_ms, course_ms]) = track.parts_ms() else {
        return html! { (left(LEFT, 350, 26, 600, QUIET).draw("Where the time went is not published.")) };
    };
    let fixed_ms = shooting_ms.saturating_add(course_ms);
    let whole_ms = loops_ms.saturating_add(thinking_ms).saturating_add(fixed_ms).max(1);
    let px = |ms: u64| {
        u64::try_from(u128::from(ms) * u128::from(WIDTH) / u128::from(whole_ms)).unwrap_or(0)
    };
    // A split is never rounded away.
    let seen = |ms: u64| if ms == 0 { 0 } else { px(ms).max(4) };
    let (loops_px, thinking_px) = (seen(loops_ms), seen(thinking_ms));
    let fixed_px = WIDTH.saturating_sub(loops_px + thinking_px);
    let think_x = LEFT + loops_px;
    let gap = |width: u64| width.saturating_sub(3);
    // About how wide the words are, so that they do not run into each other.
    let loops_words = format!("{} {}", counted(track.loops, "penalty loop"), seconds(loops_ms));
    let loops_end = LEFT + if loops_ms > 0 { loops_words.len() as u64 * 14 + 24 } else { 0 };
    let think_words = format!("thinking {}", seconds(thinking_ms));
    let fixed_words = format!("course and shooting {}", seconds(fixed_ms));
    let think_end =
        (LEFT + WIDTH).saturating_sub((fixed_words.len() + think_words.len()) as u64 * 13 + 24);
    let words_x = think_x.min(think_end).max(loops_end);
    html! {
        rect x=(LEFT) y="312" width=(gap(loops_px)) height="46" fill="url(#h)" {}
        rect x=(think_x) y="312" width=(gap(thinking_px)) height="46" fill=(THINK) {}
        rect x=(think_x + thinking_px) y="312" width=(fixed_px) height="46" fill=(COURSE) {}
        @if loops_ms > 0 { (left(LEFT, 394, 26, 600, LOOP_TEXT).draw(&loops_words)) }
        (left(words_x, 394, 26, 600, THINK_TEXT).draw(&think_words))
        (right(LEFT + WIDTH, 394, 24, 400, QUIET).draw(&fixed_words))
    }
}

fn ranges(track: &Track) -> Markup {
    let shown = track.bouts.len().min(RANGES) as u64;
    let width = if shown == 0 { 0 } else { (WIDTH - 24 * (shown - 1)) / shown.max(4) };
    html! {
        @for (index, bout) in track.bouts.iter().take(RANGES).enumerate() {
            (range(bout, LEFT + (width + 24) * index as u64, width))
        }
        @if shown == 0 {
            (left(LEFT, 500, 28, 600, QUIET).draw(&hits_only(track)))
        }
    }
}

fn hits_only(track: &Track) -> String {
    let hits: Vec<String> = track.range_hits().iter().map(u32::to_string).collect();
    if hits.is_empty() {
        return String::from("No range was reached.");
    }
    format!("Hits at the ranges: {}", hits.join(", "))
}

fn range(bout: &Bout, x: u64, width: u64) -> Markup {
    let radius = (width / 16).min(15);
    // Narrower than the column, so that the ranges stand apart.
    let step = width.saturating_sub(2 * radius) / 5;
    let small = width < 220;
    let name: String = bout.title().chars().take(if small { 10 } else { 14 }).collect();
    let size = if small { 20 } else { 25 };
    html! {
        (left(x, 470, size, 600, INK).draw(&name))
        (right(x + width, 470, size, 600, INK).draw(&if bout.exit_ms.is_some() { seconds(bout.range_ms) } else { String::from("–") }))
        @for (index, hit) in bout.targets.iter().enumerate() {
            (target(x + radius + step * index as u64, 508, radius, *hit))
        }
        (left(x, 556, size - 5, 400, THINK_TEXT).draw(&format!("think {}", seconds(bout.thinking_ms))))
        @if bout.loops > 0 && !small {
            (right(x + width, 556, size - 5, 400, LOOP_TEXT).draw(&format!("{} {}", counted(bout.loops, "loop"), seconds(bout.loops_ms))))
        }
    }
}

fn target(x: u64, y: u64, radius: u64, hit: bool) -> Markup {
    let arm = radius * 8 / 10;
    let (low, high) = (y - arm, y + arm);
    html! {
        @if hit { circle cx=(x) cy=(y) r=(radius) fill=(INK) {} }
        @else {
            path d={ "M" (x - arm) " " (low) "L" (x + arm) " " (high) "M" (x + arm) " " (low) "L" (x - arm) " " (high) } stroke=(LOOP) stroke-width=(radius * 2 / 5) stroke-linecap="round" fill="none" {}
        }
    }
}

fn foot(track: &Track) -> String {
    match &track.race {
        Some(race) => {
            let race: String = race.chars().take(70).collect();
            format!("Every figure can be checked: gauntlet verify {race}")
        }
        None => String::from("From the season's published figures"),
    }
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn a_name_has_two_lines_at_most() {
        assert_eq!(wrap("Pacer, club", 12), ["Pacer, club"]);
        assert_eq!(
            wrap("Gemma 4 31B, 4 bit with DFlash, on one DGX Spark", 26),
            ["Gemma 4 31B, 4 bit with", "DFlash, on one DGX Spark"]
        );
        assert_eq!(wrap(&"x".repeat(60), 26), [format!("{}…", "x".repeat(25))]);
        assert_eq!(wrap("", 12), [""]);
    }
}
