//! What decided a race, in a sentence or two, from its figures alone.

use super::track::Track;
use super::words::{self, counted, number, seconds, share};
use crate::race::Status;

/// The sentence at the head of a race page. `leader` is the lane that it is compared with: the best of its class, or for that
/// one the second.
pub(crate) fn lede(track: &Track, leader: Option<&Track>, notes: &[String]) -> String {
    let mut text = match track.status {
        Status::Void => format!("The race is void and does not use up the attempt{}.", why(notes)),
        Status::Unfinished => stopped(track),
        Status::Finished => what_it_cost(track),
        Status::Disturbed => {
            format!("{} It is not ranked{}.", what_it_cost(track), why(notes))
        }
    };
    if track.status == Status::Finished
        && let Some(sentence) = leader.and_then(|leader| decided(track, leader))
    {
        text += " ";
        text += &sentence;
    }
    text
}

fn why(notes: &[String]) -> String {
    let notes: Vec<String> = notes.iter().map(|note| words::line(note)).collect();
    if notes.is_empty() { String::new() } else { format!(": {}", notes.join("; ")) }
}

fn stopped(track: &Track) -> String {
    let done = track.bouts.iter().filter(|bout| bout.exit_ms.is_some()).count();
    let ranges = counted(done as u64, "range");
    format!(
        "{} was stopped after {ranges}, with {} of {} hit. The attempt is used up.",
        track.title,
        track.hits,
        counted(track.targets, "target")
    )
}

fn what_it_cost(track: &Track) -> String {
    let name = &track.title;
    let whole_ms = track.whole_ms();
    let (loops_ms, missed) = (track.loops_ms, track.targets.saturating_sub(track.hits));
    let loops = format!(
        "{} s in the penalty loop, {} of its race",
        seconds(loops_ms),
        share(loops_ms, whole_ms)
    );
    let missed_words = format!("missed {} of {}", missed, counted(track.targets, "target"));
    let Some(thinking_ms) = track.thinking_ms else {
        return format!("{name} {missed_words} and spent {loops}.");
    };
    let thinking = seconds(thinking_ms);
    let part = share(thinking_ms, whole_ms);
    if missed == 0 {
        return format!(
            "{name} hit all {} and skied no loop. Thinking took {thinking} s, {part} of its race.",
            counted(track.targets, "target")
        );
    }
    if thinking_ms.saturating_mul(10) < loops_ms {
        let ranges = number(track.bouts.len());
        return format!(
            "{name} hardly stopped to think: {thinking} s over {ranges} ranges. It then {missed_words} and spent {loops}."
        );
    }
    let heard: Vec<String> = track
        .bouts
        .iter()
        .filter(|bout| bout.buzzer_ms.is_some())
        .map(super::track::Bout::title)
        .collect();
    let buzzer = match heard.len() {
        0 => String::new(),
        _ => format!(" The buzzer ended its thinking at {}.", words::list(&heard)),
    };
    if loops_ms >= thinking_ms {
        return format!("{name} {missed_words} and spent {loops}.{buzzer}");
    }
    format!(
        "{name} thought for {thinking} s, {part} of its race, and {missed_words}, which cost {} s in the penalty loop.{buzzer}",
        seconds(loops_ms)
    )
}

/// At which range the gap between two lanes arose, if one range made it.
fn decided(track: &Track, other: &Track) -> Option<String> {
    let (own_ms, other_ms) = (track.finish_ms?, other.finish_ms?);
    let ahead = own_ms <= other_ms;
    let gap = |range: usize| {
        let (own, other) = (track.bouts.get(range)?.range_ms, other.bouts.get(range)?.range_ms);
        let (more, less) = if ahead { (other, own) } else { (own, other) };
        more.checked_sub(less).map(|ms| (ms, range))
    };
    let ranges = (0..track.bouts.len()).filter_map(gap);
    // The first of equal gaps.
    let (ms, range) = ranges.rev().max_by_key(|(ms, _)| *ms)?;
    if ms < 1_000 {
        return None;
    }
    let title = track.bouts.get(range)?.title();
    let (ms, whole) = (seconds(ms), seconds(own_ms.abs_diff(other_ms)));
    Some(if ahead {
        format!(
            "{title} decided it: {ms} s faster there than {}, {whole} s at the finish.",
            other.title
        )
    } else {
        format!(
            "{title} decided it: {ms} s lost there to {}, {whole} s at the finish.",
            other.title
        )
    })
}

/// Where the race stood at each range, for the line above the chart.
pub(crate) fn course_of(track: &Track, lanes: usize, places: &[Option<u32>]) -> String {
    let known: Vec<(u32, String)> = track
        .bouts
        .iter()
        .zip(places)
        .filter_map(|(bout, place)| place.map(|it| (it, bout.title())))
        .collect();
    let (Some((first, from)), true) = (known.first(), lanes > 1) else {
        return String::from(
            "Thinking, shooting and penalty loops as they happened on the race clock.",
        );
    };
    let among = format!("Of the {} lanes shown", number(lanes));
    if known.iter().all(|(place, _)| place == first) {
        return match first {
            1 => format!("{among} it led from {from} to the finish."),
            _ => format!("{among} it was {} from {from} to the finish.", words::place(*first)),
        };
    }
    let said: Vec<String> = known
        .iter()
        .map(|(place, title)| format!("{} after {title}", words::place(*place)))
        .collect();
    format!("{among} it was {}.", words::list(&said))
}
