//! Where the clock stops: at the finish reason, whatever a server does with the connection after it.

use super::rig::Step::{
    Answer, Ask, End, EndEarly, Fail, Finish, Load, Stop, Tick, Usage as Tokens,
};
use super::rig::{Step, play, play_by, range, solution, zeroing};
use gauntlet::race::{Event, Status};

/// An answer that is finished at one time, and whose end comes with these steps.
fn finished_at(finish_ms: u64, after: Vec<(u64, Step)>) -> Vec<(u64, Step)> {
    let mut script = vec![(0, Ask), (50, Answer(solution())), (finish_ms, Finish("stop"))];
    script.extend(after);
    script
}

#[test]
fn a_connection_that_is_held_open_is_not_charged() {
    let held = || finished_at(900, vec![(1_700, Tokens(90)), (2_900, End)]);
    assert_eq!(
        range(&play(held())),
        "5 hits [hit, hit, hit, hit, hit] Complete thinking 900 buzzer false range 8100"
    );
    // Races of the first revision were charged for it, and verify as they were run.
    let first = play_by(1, "", held(), |t_ms| t_ms);
    assert!(range(&first).contains("thinking 2900"), "{}", range(&first));
}

#[test]
fn a_finish_in_time_is_in_time_though_its_end_is_late() {
    for after in [vec![(21_999, End)], vec![(20_001, Tick), (20_500, Load(1)), (21_999, End)]] {
        let played = play(finished_at(20_000, after));
        assert!(range(&played).contains("thinking 20000 buzzer false"), "{}", range(&played));
        assert!(!played.events.iter().any(|event| matches!(event, Event::Load { .. })));
    }
    let late = play(finished_at(20_001, vec![]));
    assert!(matches!(late.events.last(), Some(Event::Buzzer { overrun_ms: 1, .. })));
}

#[test]
fn text_after_a_finish_is_charged_and_can_be_late() {
    let played = play(finished_at(900, vec![(1_400, Answer("more".into())), (3_000, End)]));
    assert!(range(&played).contains("thinking 1400 "), "{}", range(&played));
    let late = play(finished_at(19_990, vec![(20_001, Answer("more".into()))]));
    assert!(matches!(late.events.last(), Some(Event::Buzzer { .. })));
}

#[test]
fn a_failure_after_a_finish_fails_at_the_finish() {
    for last in [Fail, EndEarly] {
        let played = play(vec![(0, Ask), (50, Finish("stop")), (1_000, last)]);
        assert!(range(&played).contains("server error"), "{}", range(&played));
        assert!(range(&played).contains("thinking 50 "), "{}", range(&played));
    }
    let stopped = play(finished_at(900, vec![(1_000, Stop)]));
    assert_eq!(stopped.result.status, Status::Unfinished);
}

#[test]
fn a_forced_answer_stops_at_its_finish_too() {
    let script = vec![
        (0, Ask),
        (20_001, Tick),
        (20_002, Ask),
        (35_002, Answer(solution())),
        (35_002, Finish("stop")),
        (35_003, Tick),
        (37_002, End),
    ];
    assert_eq!(
        range(&play(script)),
        "5 hits [hit, hit, hit, hit, hit] Forced thinking 35000 buzzer true range 42200"
    );
}

/// How a race ends whose zeroings after the finish are these.
fn measured_again(after: Vec<Vec<(u64, Step)>>) -> (Status, Vec<String>) {
    let mut script = finished_at(900, vec![(900, End)]);
    script.extend(after.into_iter().flatten());
    let played = play(script);
    (played.result.status, played.result.notes)
}

fn without_counts(from_ms: u64) -> Vec<(u64, Step)> {
    vec![
        (from_ms, Ask),
        (from_ms + 100, Answer("one".into())),
        (from_ms + 1_000, Finish("stop")),
        (from_ms + 1_000, End),
    ]
}

#[test]
fn a_held_connection_is_no_drift() {
    let mut held = zeroing(2_000, 100);
    held.pop();
    held.push((4_900, End));
    assert_eq!(measured_again(vec![held]), (Status::Finished, vec![]));
}

#[test]
fn a_drift_that_cannot_be_known_disturbs() {
    let gone = |from_ms| vec![(from_ms, Ask), (from_ms + 10, Fail)];
    let note = "the decode rate could not be measured again after the finish";
    let unknown = (Status::Disturbed, vec![note.to_owned()]);
    assert_eq!(measured_again(vec![gone(2_000), gone(3_000)]), unknown);
    assert_eq!(measured_again(vec![without_counts(2_000), gone(4_000)]), unknown);
    // It may stumble once.
    assert_eq!(measured_again(vec![gone(2_000), zeroing(3_000, 100)]), (Status::Finished, vec![]));
    // The first revision asked once and let it pass.
    let mut script = finished_at(900, vec![(900, End)]);
    script.extend(gone(2_000));
    let first = play_by(1, "", script, |t_ms| t_ms);
    assert_eq!(first.result.status, Status::Finished);
    assert_eq!(first.result.format.minor, 0);
}
