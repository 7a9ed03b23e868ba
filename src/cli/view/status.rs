//! What a lane does at a moment, in words, and as a line with a bar toward the next thing that time will bring: the buzzer,
//! the end of a loop, the next range. Used by the live view and by replay.

use super::bar::filled;
use super::look::{self, Look, columns, cut, title};
use super::state::{End, Phase, RaceView, RangeView, Timed};
use crate::cli::out::{counted, seconds};
use crate::race::event::Verdict;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Narrowest bar that is worth drawing.
const BAR_MIN: usize = 8;

/// What a lane does, in a few words, without the range's name.
pub(crate) fn doing(view: &RaceView, at_ms: u64) -> String {
    let of = |range: usize| view.ranges.get(range);
    match view.phase_at(at_ms) {
        Phase::Zeroing => String::from("zeroing"),
        Phase::Leg(leg) => format!("leg {} of {}", leg + 1, legs(view)),
        Phase::Thinking(range) if of(range).is_some_and(|it| answering(it, at_ms)) => {
            String::from("answering")
        }
        Phase::Thinking(_) => String::from("thinking"),
        Phase::Forced(_) => String::from("buzzer, forced answer"),
        Phase::Shooting(range, fired) => {
            let targets = of(range).map_or(0, |it| it.targets);
            let next = u32::try_from(fired + 1).unwrap_or(u32::MAX).min(targets);
            format!("shooting, target {next} of {targets}")
        }
        Phase::Loop(range, index) => {
            let loops = of(range).map_or(0, |it| it.loops.len());
            format!("penalty loop {} of {loops}", index + 1)
        }
        Phase::Waiting(_) => String::from("out of the range"),
        Phase::Over => match &view.end {
            Some((at_ms, End::Finish)) => format!("finish {} s", seconds(*at_ms)),
            Some((_, End::Void(_))) => String::from("void"),
            _ => String::from("unfinished, stopped"),
        },
    }
}

/// The same with the place in front.
pub(crate) fn doing_where(look: &Look, view: &RaceView, at_ms: u64) -> String {
    let phase = view.phase_at(at_ms);
    let range = super::table::range_of(phase).and_then(|range| view.ranges.get(range));
    let words = doing(view, at_ms);
    range.map_or(words.clone(), |it| format!("{}: {words}", look.text(&title(&it.family), 40)))
}

/// The legs of the course: one more than its ranges.
fn legs(view: &RaceView) -> usize {
    let ranges = view.start.as_ref().and_then(|it| usize::try_from(it.ranges).ok());
    ranges.unwrap_or(view.ranges.len()).saturating_add(1)
}

/// Whether the visible answer is being written.
fn answering(range: &RangeView, at_ms: u64) -> bool {
    range.answering_ms.is_some_and(|it| it <= at_ms)
}

/// A line of words, a bar, and words.
struct Toward {
    left: String,
    style: Style,
    part: u64,
    whole: u64,
    right: String,
}

/// The status line. `window_ms` is the time of a forced answer, where the season is at hand.
pub(crate) fn status(
    look: &Look,
    view: &RaceView,
    at_ms: u64,
    width: usize,
    window_ms: Option<u64>,
) -> Line<'static> {
    let phase = view.phase_at(at_ms);
    match phase {
        Phase::Thinking(index) => {
            let range = &view.ranges[index];
            let taken_ms = range.thinking_at(at_ms).unwrap_or(0);
            let word = if answering(range, at_ms) { "answering" } else { "thinking" };
            let left = format!("{word} {} s", seconds(taken_ms));
            match range.buzzer_ms {
                Some(buzzer_ms) => {
                    let left_ms = buzzer_ms.saturating_sub(taken_ms);
                    let right =
                        format!("buzzer in {} s of {}", seconds(left_ms), seconds(buzzer_ms));
                    let (part, whole) = (taken_ms, buzzer_ms);
                    toward(look, width, Toward { left, style: look::THINK, part, whole, right })
                }
                None => plain(left, String::from("no buzzer at this level"), width),
            }
        }
        Phase::Forced(index) => {
            let buzzed_ms = view.ranges[index].buzzed_ms.unwrap_or(at_ms);
            let taken_ms = at_ms.saturating_sub(buzzed_ms);
            let left = format!("buzzer! forced answer {} s", seconds(taken_ms));
            match window_ms {
                Some(window_ms) => {
                    let left_ms = window_ms.saturating_sub(taken_ms);
                    let right = format!("hard stop in {} s", seconds(left_ms));
                    let (part, whole) = (taken_ms, window_ms);
                    toward(look, width, Toward { left, style: look::MISS, part, whole, right })
                }
                None => plain(left, String::new(), width),
            }
        }
        Phase::Loop(index, begun) => {
            let it = view.ranges[index].loops[begun];
            ski(look, width, doing(view, at_ms), it, at_ms, look::MISS)
        }
        Phase::Leg(leg) => ski(look, width, doing(view, at_ms), view.legs[leg], at_ms, look::QUIET),
        Phase::Shooting(index, fired) => {
            plain(doing(view, at_ms), tally(&view.ranges[index], fired), width)
        }
        Phase::Zeroing | Phase::Waiting(_) | Phase::Over => {
            plain(doing(view, at_ms), sums(view, at_ms), width)
        }
    }
}

/// What fell at a range so far.
fn tally(range: &RangeView, fired: usize) -> String {
    let shots = &range.shots[..fired.min(range.shots.len())];
    let down = shots.iter().filter(|it| it.verdict == Verdict::Hit).count();
    let missed = shots.len() - down;
    let misses = match missed {
        0 => String::from("no miss"),
        1 => String::from("1 miss"),
        many => format!("{many} misses"),
    };
    format!("{down} down, {misses}")
}

/// The race so far.
pub(crate) fn sums(view: &RaceView, at_ms: u64) -> String {
    let totals = view.totals_at(at_ms);
    let targets = counted(totals.targets, "target");
    format!("{} of {targets}, {}", totals.hits, counted(totals.loops, "loop"))
}

fn ski(
    look: &Look,
    width: usize,
    left: String,
    it: Timed,
    at_ms: u64,
    style: Style,
) -> Line<'static> {
    let (part, whole) = (it.passed_ms(at_ms), it.takes_ms);
    let right = format!("{} of {} s", seconds(part), seconds(whole));
    toward(look, width, Toward { left, style, part, whole, right })
}

fn plain(left: String, right: String, width: usize) -> Line<'static> {
    look::spread(vec![Span::styled(left, look::STRONG)], vec![Span::raw(right)], width)
}

fn toward(look: &Look, width: usize, it: Toward) -> Line<'static> {
    let cells = width.saturating_sub(columns(&it.left) + columns(&it.right) + 4);
    if cells < BAR_MIN {
        return plain(it.left, cut(&it.right, width), width);
    }
    let gone = filled(it.part, it.whole, cells);
    Line::from(vec![
        Span::styled(it.left, look::STRONG),
        Span::raw("  "),
        Span::styled(look.gone.repeat(gone), it.style),
        Span::styled(look.left.repeat(cells - gone), look::QUIET),
        Span::raw("  "),
        Span::raw(it.right),
    ])
}
