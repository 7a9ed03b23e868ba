//! The race, second by second: a row a lane on one clock, drawn with x in percent so that text keeps its size from 390 pixels
//! on. Without its script the whole chart stands; `player.rs` is what the script plays.

use super::mark;
use super::track::{Bout, Track};
use super::words::{self, counted, percent, percent_of, seconds, thousandths};
use crate::race::scoring;
use maud::{Markup, html};

/// Height of a row, in pixels.
const ROW_PX: u64 = 96;

/// The width that text is spread for where all of it is shown, in pixels; and where only figures are.
const WIDE_PX: u64 = 760;
const NARROW_PX: u64 = 340;

/// A lane of the chart.
pub(crate) struct Row<'a> {
    /// What it did.
    pub track: &'a Track,
    /// The line below its name.
    pub below: String,
    /// The path to its page, if it is not this one.
    pub link: Option<String>,
    /// Whether it is the race that the page is about.
    pub is_me: bool,
    /// Its finish time in words, and its gap.
    pub finish: (String, String),
}

/// The time that the width of a chart means, and the time between two ticks: at most eleven, at round seconds.
pub(crate) fn scale(whole_ms: u64) -> (u64, u64) {
    let steps = (0..17).flat_map(|power| [1, 2, 5].map(|it| it * 10_u64.pow(power)));
    let fits = |step_ms: &u64| whole_ms.div_ceil(*step_ms) <= 10;
    let step_ms = steps.map(|it| it * 100).find(fits).unwrap_or(u64::MAX);
    let ticks = whole_ms.div_ceil(step_ms).max(1);
    (step_ms.saturating_mul(ticks), step_ms)
}

/// The whole chart: axis, lanes.
pub(crate) fn chart(rows: &[Row<'_>]) -> Markup {
    let whole_ms = rows.iter().map(|row| row.track.whole_ms()).max().unwrap_or(0);
    let (span_ms, step_ms) = scale(whole_ms);
    html! {
        div.lane.axis { (axis(span_ms, step_ms)) }
        @for (index, row) in rows.iter().enumerate() {
            div.lane id={ "lane" (index) } {
                div.lname {
                    b {
                        @match &row.link {
                            Some(link) => { a href=(link) { (row.track.title) } },
                            None => { (row.track.title) },
                        }
                        @if row.is_me { " " span.tag { "this race" } }
                    }
                    span { (row.below) }
                    span.state aria-live="off" {}
                }
                (lane(index, row.track, span_ms, step_ms))
                div.lfin { b { (row.finish.0) } span { (row.finish.1) } }
            }
        }
    }
}

fn axis(span_ms: u64, step_ms: u64) -> Markup {
    let ticks = span_ms / step_ms.max(1);
    html! {
        svg height="22" aria-hidden="true" {
            @for tick in 0..=ticks {
                @let anchor = match tick { 0 => "start", _ if tick == ticks => "end", _ => "middle" };
                @let text = if step_ms.is_multiple_of(1_000) { (tick * step_ms / 1_000).to_string() } else { seconds(tick * step_ms) };
                text.tick.odd[tick % 2 == 1] x=(percent(tick, ticks)) y="14" text-anchor=(anchor) {
                    (text) @if tick == 0 { " s" }
                }
            }
        }
    }
}

fn lane(index: usize, track: &Track, span_ms: u64, step_ms: u64) -> Markup {
    let ticks = span_ms / step_ms.max(1);
    let x = |ms: u64| percent(ms, span_ms);
    html! {
        svg height=(ROW_PX) role="img" aria-label=(summary(track)) {
            clipPath id={ "clip" (index) } { rect x="-50%" y="0" width="200%" height="100%" {} }
            @for tick in 0..=ticks {
                line.grid.odd[tick % 2 == 1] x1=(percent(tick, ticks)) x2=(percent(tick, ticks)) y1="0" y2=(ROW_PX) {}
            }
            g clip-path={ "url(#clip" (index) ")" } {
                @for (from_ms, to_ms) in legs(track) {
                    rect.p-ski x=(x(from_ms)) width=(x(to_ms.saturating_sub(from_ms))) y="44" height="4" {}
                }
                @for bout in &track.bouts { (blocks(bout, span_ms)) }
            }
            (labels(track, span_ms))
            line.head x1="100%" x2="100%" y1="0" y2=(ROW_PX) visibility="hidden" {}
        }
    }
}

/// From when to when the legs were skied.
pub(crate) fn legs(track: &Track) -> Vec<(u64, u64)> {
    let mut legs = Vec::new();
    for (index, leg_ms) in track.legs_ms.iter().enumerate() {
        let from_ms = match index.checked_sub(1) {
            None => Some(0),
            Some(before) => track.bouts.get(before).and_then(|bout| bout.exit_ms),
        };
        let Some(from_ms) = from_ms else { break };
        legs.push((from_ms, from_ms.saturating_add(*leg_ms)));
    }
    legs
}

/// Thinking, shooting and loops of a range.
fn blocks(bout: &Bout, span_ms: u64) -> Markup {
    let x = |ms: u64| percent(ms, span_ms);
    let name = bout.title();
    let thinking_ms = bout.thinking_ms.min(bout.buzzer_ms.unwrap_or(u64::MAX));
    let forced_ms = bout.thinking_ms - thinking_ms;
    html! {
        rect.p-think x=(x(bout.enter_ms)) width=(x(thinking_ms)) y="29" height="34" stroke="var(--think)" {
            title { (name) ": thinking " (seconds(bout.thinking_ms)) " s" }
        }
        @if forced_ms > 0 {
            rect.p-forced x=(x(bout.enter_ms.saturating_add(thinking_ms))) width=(x(forced_ms)) y="29" height="34" {
                title { (name) ": forced answer, " (seconds(forced_ms)) " s after the buzzer" }
            }
        }
        rect.p-shoot x=(x(bout.answered_ms())) width=(x(bout.shooting_ms)) y="32" height="28" {
            title { (name) ": shooting " (seconds(bout.shooting_ms)) " s" }
        }
        @for number in 0..bout.loops {
            @let from_ms = bout.loop_ms(number);
            @let took_ms = bout.loop_ms(number + 1).saturating_sub(from_ms);
            svg x=(x(from_ms)) width=(x(took_ms)) y="35" height="22" {
                rect.p-loop.blk x="1" width="100%" height="100%" rx="4" {
                    title { (name) ": loop " (number + 1) " of " (bout.loops) ", " (seconds(took_ms)) " s" }
                }
            }
        }
    }
}

/// Targets above the bars, times of loops below, each shown when it has happened.
fn labels(track: &Track, span_ms: u64) -> Markup {
    let centre = |from_ms: u64, to_ms: u64| thousandths(from_ms / 2 + to_ms / 2, span_ms);
    let shots: Vec<u64> =
        track.bouts.iter().map(|bout| centre(bout.answered_ms(), bout.shot_ms())).collect();
    let looped: Vec<&Bout> = track.bouts.iter().filter(|bout| bout.loops > 0).collect();
    let loops: Vec<u64> =
        looped.iter().map(|bout| centre(bout.shot_ms(), bout.loop_ms(bout.loops))).collect();
    let (wide, narrow) = (spread(&shots, 52, WIDE_PX), spread(&shots, 28, NARROW_PX));
    let (loops_wide, loops_narrow) = (spread(&loops, 88, WIDE_PX), spread(&loops, 36, NARROW_PX));
    html! {
        @for (index, bout) in track.bouts.iter().enumerate() {
            @if let Some(at) = wide.get(index) {
                svg.full.shots x=(percent_of(*at)) y="7" overflow="visible" {
                    @for (target, hit) in bout.targets.iter().enumerate() { (shot(bout, target, *hit)) }
                }
            }
            @if let Some(at) = narrow.get(index) {
                text.t-num.mini data-t=(bout.shot_ms()) x=(percent_of(*at)) y="19" text-anchor="middle" {
                    (bout.hits()) "/" (bout.targets.len())
                }
            }
            @let seen_ms = bout.thinking_ms.min(bout.buzzer_ms.unwrap_or(u64::MAX));
            @if thousandths(seen_ms, span_ms) > 4_600 {
                text.t-in.full data-t=(bout.answered_ms()) x=(percent_of(centre(bout.enter_ms, bout.enter_ms.saturating_add(seen_ms)))) y="50.5" text-anchor="middle" {
                    (seconds(bout.thinking_ms))
                }
            }
            @if let Some(buzzer_ms) = bout.buzzer_ms {
                @let at_ms = bout.enter_ms.saturating_add(buzzer_ms);
                svg x=(percent(at_ms, span_ms)) y="63" overflow="visible" data-t=(at_ms) {
                    svg x="-11" overflow="visible" { (mark::flag()) }
                    text.t-flag.full x="-15" y="13" text-anchor="end" { "buzzer" }
                }
            }
        }
        @for (index, bout) in looped.iter().enumerate() {
            @let over_ms = bout.loop_ms(bout.loops);
            @if let Some(at) = loops_wide.get(index) {
                text.t-loop.full data-t=(over_ms) x=(percent_of(*at)) y="91" text-anchor="middle" {
                    (counted(bout.loops, "loop")) ", " (seconds(bout.loops_ms))
                }
            }
            @if let Some(at) = loops_narrow.get(index) {
                text.t-loop.mini data-t=(over_ms) x=(percent_of(*at)) y="91" text-anchor="middle" {
                    (seconds(bout.loops_ms))
                }
            }
        }
    }
}

fn shot(bout: &Bout, target: usize, hit: bool) -> Markup {
    // Five marks of 9 pixels around the middle.
    const LEFT: [&str; 5] = ["-23.7", "-14.1", "-4.5", "5.1", "14.7"];
    let href = if hit { "#hit" } else { "#miss" };
    let x = LEFT.get(target).copied().unwrap_or("0");
    html! { use href=(href) x=(x) width="9" height="9" data-t=(shot_at_ms(bout, target)) {} }
}

/// When a target fell.
pub(crate) fn shot_at_ms(bout: &Bout, target: usize) -> u64 {
    bout.answered_ms().saturating_add(scoring::shot_after_ms(bout.shooting_ms, target))
}

/// Places of labels, in thousandths of a percent: as near to where they belong as a distance of `gap_px` on a width of
/// `width_px` lets them, in their order and inside the chart. None when there is no room for all.
fn spread(centres: &[u64], gap_px: u64, width_px: u64) -> Vec<u64> {
    let gap = gap_px * 100_000 / width_px;
    let (low, high) = (gap / 2, 100_000_u64.saturating_sub(gap / 2));
    let count = centres.len() as u64;
    if count.saturating_sub(1) * gap > high - low {
        return Vec::new();
    }
    let mut right = Vec::with_capacity(centres.len());
    for centre in centres {
        let least = right.last().map_or(low, |last| last + gap);
        right.push((*centre).min(high).max(least));
    }
    let mut left: Vec<u64> = Vec::with_capacity(centres.len());
    for centre in centres.iter().rev() {
        let most = left.last().map_or(high, |last| last.saturating_sub(gap));
        left.push((*centre).max(low).min(most));
    }
    left.reverse();
    let mut places: Vec<u64> =
        right.iter().zip(&left).map(|(right, left)| u64::midpoint(*right, *left)).collect();
    // What was pushed over an edge comes back, and takes with it what is in its way.
    let mut most = high;
    for place in places.iter_mut().rev() {
        *place = (*place).min(most);
        most = place.saturating_sub(gap);
    }
    let mut least = low;
    for place in &mut places {
        *place = (*place).max(least);
        least = *place + gap;
    }
    places
}

/// The row in words.
pub(crate) fn summary(track: &Track) -> String {
    let mut text = match track.finish_ms {
        Some(finish_ms) => format!("{}: finish {} seconds.", track.title, seconds(finish_ms)),
        None => format!("{}: {}.", track.title, track.status.word()),
    };
    for bout in &track.bouts {
        text += &format!(
            " {}: {} of {}, thought {} seconds",
            bout.title(),
            bout.hits(),
            bout.targets.len(),
            seconds(bout.thinking_ms)
        );
        if let Some(buzzer_ms) = bout.buzzer_ms {
            text += &format!(", buzzer at {}", seconds(buzzer_ms));
        }
        if bout.loops > 0 {
            let loops = words::counted(bout.loops, "loop");
            text += &format!(", {loops} of {} seconds in all", seconds(bout.loops_ms));
        }
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_axis_is_round() {
        assert_eq!(scale(342_000), (350_000, 50_000));
        assert_eq!(scale(1_844_300), (2_000_000, 200_000));
        assert_eq!(scale(0), (100, 100));
        assert!(scale(u64::MAX).0 > 0);
    }

    #[test]
    fn labels_stay_where_they_belong_when_there_is_room() {
        assert_eq!(spread(&[20_000, 60_000], 76, 760), [20_000, 60_000]);
        assert_eq!(spread(&[20_000, 21_000], 76, 760), [15_500, 25_500]);
        assert_eq!(spread(&[0], 76, 760), [5_000]);
        assert!(spread(&[1; 40], 76, 760).is_empty());
    }

    proptest! {
        #[test]
        fn labels_never_overlap_and_never_leave(mut centres in prop::collection::vec(0..120_000_u64, 0..9)) {
            centres.sort_unstable();
            let places = spread(&centres, 76, 760);
            prop_assert_eq!(places.len(), centres.len());
            prop_assert!(places.iter().all(|it| (5_000..=95_000).contains(it)), "{:?}", places);
            prop_assert!(places.windows(2).all(|it| it[1] - it[0] >= 10_000), "{:?}", places);
        }
    }
}
