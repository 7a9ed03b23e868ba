//! The rules of a range, one case each: limits to the millisecond, forced answers, cuts, failures, disturbances.
//!
//! A case is a script of stamped inputs for one ferry range (level 1, buzzer 20 s, window 15 s) and what the referee makes of it.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod clock;
mod continued;
mod load;
mod rig;
mod thought;

use gauntlet::lane::request::Purpose;
use gauntlet::race::{Event, Reason, Status};
use rig::Step::{Answer, Ask, End, EndEarly, Fail, Finish, Stop, Think, Tick, Usage as Tokens};
use rig::{Played, play, play_with, range, solution, zeroing};

fn answered_at(end_ms: u64) -> Played {
    play(vec![(0, Ask), (50, Answer(solution())), (end_ms, Finish("stop")), (end_ms, End)])
}

#[test]
fn an_answer_at_the_limit_is_in_time_and_one_after_it_is_not() {
    for end_ms in [19_999, 20_000] {
        let expected = format!(
            "5 hits [hit, hit, hit, hit, hit] Complete thinking {end_ms} buzzer false range {}",
            end_ms + 7_200
        );
        assert_eq!(range(&answered_at(end_ms)), expected);
    }
    let late = play(vec![(0, Ask), (50, Answer(solution())), (20_001, End)]);
    assert!(matches!(
        late.events.last(),
        Some(Event::Buzzer { limit_ms: 20_000, overrun_ms: 1, .. })
    ));
}

#[test]
fn a_tick_at_the_limit_is_no_buzzer_yet() {
    let early = play(vec![(0, Ask), (20_000, Tick), (20_000, Answer(solution())), (20_000, End)]);
    assert!(range(&early).starts_with("5 hits"));
}

#[test]
fn a_forced_answer_is_charged_buzzer_and_its_own_time() {
    let played = play(vec![
        (0, Ask),
        (50, Think("hm")),
        (20_007, Tick),
        (20_010, Ask),
        (24_810, Answer(solution())),
        (24_810, Finish("stop")),
        (24_810, End),
    ]);
    assert_eq!(
        range(&played),
        "5 hits [hit, hit, hit, hit, hit] Forced thinking 24800 buzzer true range 32000"
    );
}

#[test]
fn the_hard_stop_charges_buzzer_and_window_exactly() {
    let base = |end_ms| {
        vec![(0, Ask), (20_001, Tick), (20_002, Ask), (end_ms, Answer(solution())), (end_ms, End)]
    };
    let at_limit = play(base(35_002));
    assert_eq!(
        range(&at_limit),
        "5 hits [hit, hit, hit, hit, hit] Forced thinking 35000 buzzer true range 42200"
    );
    let mut late = base(35_003);
    late.pop();
    assert_eq!(
        range(&play(late)),
        "0 hits [too late, too late, too late, too late, too late] None thinking 35000 buzzer true range 102200"
    );
}

#[test]
fn what_was_declared_before_the_buzzer_counts_where_the_forced_answer_is_silent() {
    let lines: Vec<String> = solution().lines().map(|line| format!("{line}\n")).collect();
    let played = play(vec![
        (0, Ask),
        (50, Answer(lines[..2].concat())),
        // A line without its end may be half a line.
        (60, Answer(lines[2].trim_end().to_owned())),
        (20_001, Tick),
        (20_002, Ask),
        (21_002, Answer(lines[4].clone())),
        (21_002, Finish("stop")),
        (21_002, End),
    ]);
    assert_eq!(
        range(&played),
        "3 hits [hit, hit, missing, missing, hit] Forced thinking 21000 buzzer true range 52200"
    );
}

#[test]
fn a_reply_at_its_token_limit_keeps_its_whole_lines() {
    let lines: Vec<String> = solution().lines().map(|line| format!("{line}\n")).collect();
    let cut = lines[..2].concat() + lines[2].trim_end();
    let played = play(vec![(0, Ask), (50, Answer(cut)), (900, Finish("length")), (900, End)]);
    assert_eq!(
        range(&played),
        "2 hits [hit, hit, cut off, cut off, cut off] CutOff thinking 900 buzzer false range 44100"
    );
    assert_eq!(played.result.cut_off, 3);
}

#[test]
fn a_reply_cut_in_its_thinking_is_cut_off() {
    let played = play(vec![(0, Ask), (50, Think("hm")), (900, Finish("length")), (900, End)]);
    assert!(
        range(&played).starts_with("0 hits [cut off, cut off, cut off, cut off, cut off] CutOff")
    );
}

#[test]
fn a_server_that_fails_or_leaves_is_its_own_reason() {
    for last in [Fail, EndEarly] {
        let first = solution().lines().next().unwrap().to_owned() + "\n";
        let played = play(vec![(0, Ask), (50, Answer(first)), (700, last)]);
        assert_eq!(
            range(&played),
            "1 hits [hit, server error, server error, server error, server error] None thinking 700 buzzer false range 55900"
        );
    }
}

#[test]
fn nothing_at_all_is_missing() {
    let played = play(vec![
        (0, Ask),
        (50, Answer("I do not know.".into())),
        (60, Finish("stop")),
        (60, End),
    ]);
    assert!(
        range(&played).starts_with("0 hits [missing, missing, missing, missing, missing] Complete")
    );
}

#[test]
fn the_last_readable_line_counts_and_thinking_does_not() {
    let right = solution();
    let text = format!("TARGET 1: A\n{right}TARGET 2: no idea\n");
    let played = play(vec![
        (0, Ask),
        (40, Think("TARGET 1: A\nTARGET 2: A\n")),
        (50, Answer(text)),
        (60, Finish("stop")),
        (60, End),
    ]);
    assert!(range(&played).starts_with("5 hits"), "{}", range(&played));
}

#[test]
fn after_a_cut_the_lane_is_awaited_outside_the_clock() {
    let played = play(vec![
        (0, Ask),
        (20_001, Tick),
        (20_002, Ask),
        (21_002, Answer(solution())),
        (21_002, End),
        // The first probe takes 5 s: the lane was still busy. The second one comes back at once.
        (21_100, Ask),
        (26_100, Answer("ok".into())),
        (26_100, End),
        (26_600, Tick),
        (26_600, Ask),
        (26_700, Answer("ok".into())),
        (26_700, End),
    ]);
    let idle = played.events.iter().find(|event| matches!(event, Event::Idle { .. }));
    assert_eq!(idle, Some(&Event::Idle { range: 1, waited_ms: 5_698, probes: 2, ready: true }));
    assert_eq!(played.race_ms, 10_400 + 21_000 + 7_200, "the wait is not charged");
}

#[test]
fn a_whole_race_adds_up() {
    let mut script =
        vec![(0, Ask), (50, Answer(solution())), (1_234, Finish("stop")), (1_234, End)];
    script.extend(zeroing(2_000, 100));
    let played = play(script);
    assert_eq!(played.result.status, Status::Finished);
    assert_eq!(played.result.finish_ms, Some(2 * 10_400 + 7_200 + 1_234));
    assert_eq!(played.result.course_ms, 20_800);
    assert_eq!(played.result.speed.unwrap().decode_mtps, Some(100_000));
}

#[test]
fn a_drift_or_a_suspended_machine_disturbs_the_race() {
    let script = |slow: u64| {
        let mut script =
            vec![(0, Ask), (50, Answer(solution())), (5_000, Finish("stop")), (5_000, End)];
        script.extend([
            (6_000, Ask),
            (6_100, Answer("one".into())),
            (7_000 + slow, Tokens(91)),
            (7_000 + slow, Finish("stop")),
            (7_000 + slow, End),
        ]);
        script
    };
    assert_eq!(play(script(140)).result.status, Status::Finished);
    assert_eq!(play(script(200)).result.status, Status::Disturbed);
    let suspended =
        play_with("", script(0), |t_ms| if t_ms > 5_000 { t_ms + 60_000 } else { t_ms });
    assert_eq!(suspended.result.status, Status::Disturbed);
    assert_eq!(
        suspended.result.notes,
        ["wall clock and race clock parted by 60000 ms inside a range"]
    );
}

#[test]
fn a_stopped_race_is_unfinished_and_a_lane_that_never_came_voids_it() {
    let stopped = play(vec![(0, Ask), (50, Think("hm")), (60, Stop)]);
    assert_eq!(stopped.result.status, Status::Unfinished);
    assert_eq!(stopped.result.finish_ms, None);
}

#[test]
fn inputs_that_fit_nothing_change_nothing() {
    let played = play(vec![
        (0, Tick),
        (0, End),
        (0, Answer("TARGET 1: A".into())),
        (0, Ask),
        (50, Answer(solution())),
        (60, Finish("stop")),
        (60, End),
        (61, Tick),
    ]);
    assert!(range(&played).starts_with("5 hits"));
    assert_eq!(played.result.ranges.len(), 1);
    let reasons: Vec<Reason> = played.result.ranges[0].targets.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [Reason::Hit; 5]);
    assert_eq!(
        played
            .events
            .iter()
            .filter(|it| matches!(it, Event::Request { purpose: Purpose::Main, .. }))
            .count(),
        1
    );
}
