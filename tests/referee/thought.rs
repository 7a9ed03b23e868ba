//! Thinking and answer of a reply: what is set aside, what is read, and when each began.

use super::rig::Step::{Answer, Ask, End, Finish, Think};
use super::rig::{Step, play, range, solution};
use gauntlet::lane::chunk::Channel;
use gauntlet::race::Event;

/// A wrong declaration for every target, as a model makes them while it thinks.
fn wrong() -> String {
    (1..=5).map(|target| format!("TARGET {target}: A\n")).collect()
}

/// What becomes of a reply with this text in the answer channel.
fn scored(text: String, reason: &'static str) -> String {
    range(&play(vec![(0, Ask), (50, Answer(text)), (60, Finish(reason)), (60, End)]))
}

#[test]
fn the_four_forms_of_a_think_tag_score_as_they_should() {
    let (right, wrong) = (solution(), wrong());
    let none = scored(right.clone(), "stop");
    assert!(none.starts_with("5 hits"), "{none}");
    let closed = scored(format!("<think>\n{wrong}</think>\n{right}"), "stop");
    assert!(closed.starts_with("5 hits"), "{closed}");
    let closed_only = scored(format!("{wrong}</think>\n{right}"), "stop");
    assert!(closed_only.starts_with("5 hits"), "{closed_only}");
    // What stands in a thought is no answer, and a thought that never ends was cut off, whatever the server calls it.
    for reason in ["length", "stop"] {
        let opened_only = scored(format!("<think>\n{right}"), reason);
        assert!(opened_only.starts_with("0 hits [cut off, cut off"), "{reason}: {opened_only}");
    }
    let later = scored(format!("{right}The tag <think> is only mentioned.\n"), "stop");
    assert!(later.starts_with("5 hits"), "a tag later in an answer opens nothing: {later}");
}

#[test]
fn a_correction_counts_and_a_thought_after_the_answer_does_not() {
    let corrected = scored(format!("{}\nNo, wait.\n\n{}", wrong(), solution()), "stop");
    assert!(corrected.starts_with("5 hits"), "{corrected}");
    let played = play(vec![
        (0, Ask),
        (50, Answer(solution())),
        (55, Think("TARGET 1: A\nTARGET 2: A\n")),
        (60, Finish("stop")),
        (60, End),
    ]);
    assert!(range(&played).starts_with("5 hits"), "{}", range(&played));
}

/// The stamps of a reply: first token with its channel, and the end of reasoning.
fn stamps(script: Vec<(u64, Step)>) -> (Vec<(u64, Channel)>, Vec<u64>) {
    let events = play(script).events;
    let first = events.iter().filter_map(|event| match event {
        Event::FirstToken { after_ms, channel, .. } => Some((*after_ms, *channel)),
        _ => None,
    });
    let ended = events.iter().filter_map(|event| match event {
        Event::ReasoningEnd { after_ms, .. } => Some(*after_ms),
        _ => None,
    });
    (first.collect(), ended.collect())
}

#[test]
fn first_token_and_first_answer_have_stamps_of_their_own() {
    let thought = stamps(vec![
        (0, Ask),
        (300, Think("hm")),
        (3_300, Answer(" \n".into())),
        (3_400, Answer(solution())),
        (3_500, Finish("stop")),
        (3_500, End),
    ]);
    assert_eq!(thought, (vec![(300, Channel::Reasoning)], vec![3_400]));
    let inline = stamps(vec![
        (0, Ask),
        (300, Answer("<thi".into())),
        (400, Answer("nk>hm</think>\n".into())),
        (3_400, Answer(solution())),
        (3_500, Finish("stop")),
        (3_500, End),
    ]);
    assert_eq!(inline, (vec![(300, Channel::Answer)], vec![3_400]));
    let plain =
        stamps(vec![(0, Ask), (300, Answer(solution())), (310, Finish("stop")), (310, End)]);
    assert_eq!(plain, (vec![(300, Channel::Answer)], vec![]));
}
