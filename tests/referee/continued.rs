//! Lanes that are forced by continuing their own message.

use super::rig::Step::{Answer, Ask, End, Finish, Think, Tick};
use super::rig::{Played, Step, play, play_with, range, solution};
use serde_json::json;

const CONTINUE: &str = "forced = \"continue\"\n";

/// A buzzer after these steps, then a forced reply that goes on with this.
fn forced(more: &str, before: Vec<Step>, continued: &str) -> Played {
    let mut script = vec![(0, Ask)];
    script.extend((50..).zip(before));
    script.extend([
        (20_001, Tick),
        (20_002, Ask),
        (21_002, Answer(continued.to_owned())),
        (21_002, Finish("stop")),
        (21_002, End),
    ]);
    play_with(more, script, |t_ms| t_ms)
}

fn lines() -> Vec<String> {
    solution().lines().map(|line| format!("{line}\n")).collect()
}

/// The solution without its first words, as a model goes on with them.
fn rest() -> String {
    solution().trim_start_matches("TARGET 1:").to_owned()
}

#[test]
fn the_prefix_and_what_follows_are_one_answer() {
    let played = forced(CONTINUE, vec![Think("hm")], &rest());
    assert_eq!(
        range(&played),
        "5 hits [hit, hit, hit, hit, hit] Forced thinking 21000 buzzer true range 28200"
    );
    let messages = played.asked[2]["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    assert_eq!(
        messages[2],
        json!({"role": "assistant", "content": "TARGET 1:", "reasoning_content": "hm"})
    );
    assert_eq!(messages[..2], *played.asked[1]["messages"].as_array().unwrap());
}

#[test]
fn whole_lines_go_back_and_half_ones_do_not() {
    let lines = lines();
    let before = lines[..2].concat() + lines[2].trim_end();
    let played = forced(CONTINUE, vec![Answer(before)], &lines[0]["TARGET 1:".len()..]);
    let sent = &played.asked[2]["messages"][2];
    assert_eq!(*sent, json!({"role": "assistant", "content": lines[..2].concat() + "TARGET 1:"}));
    assert!(range(&played).starts_with("2 hits [hit, hit, missing, missing, missing] Forced"));
}

#[test]
fn a_server_that_repeats_the_prefix_is_read_too() {
    let played = forced(CONTINUE, vec![Think("hm")], &solution());
    assert!(range(&played).starts_with("5 hits"), "{}", range(&played));
}

#[test]
fn silence_after_the_prefix_leaves_what_was_declared() {
    let played = forced(CONTINUE, vec![Answer(lines()[..2].concat())], "");
    assert!(
        range(&played).starts_with("2 hits [hit, hit, missing, missing, missing] Forced"),
        "{}",
        range(&played)
    );
}

#[test]
fn a_thought_between_tags_is_closed() {
    let played = forced(CONTINUE, vec![Answer("<think>hm, 3".into())], &rest());
    let sent = &played.asked[2]["messages"][2];
    assert_eq!(sent["content"], "<think>hm, 3\n</think>\n\nTARGET 1:");
    assert!(range(&played).starts_with("5 hits"), "{}", range(&played));
}

#[test]
fn asking_again_is_as_it_was() {
    let asked = forced("", vec![Think("hm")], &solution());
    let same = play(vec![(0, Ask), (50, Think("hm")), (20_001, Tick), (20_002, Ask)]);
    assert_eq!(asked.asked[2], same.asked[2]);
    let messages = asked.asked[2]["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[1]["role"]), (2, &json!("user")));
}
