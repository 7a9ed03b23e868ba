//! Foreign load on the lane's host.

use super::rig::Step::{Answer, Ask, End, Finish, Load, Tick};
use super::rig::{Step, play, solution, zeroing};
use gauntlet::race::{Event, Status};

/// How a race ends with these steps while the lane thinks, and what is noted.
fn noted(during: Vec<(u64, Step)>) -> (Status, Vec<String>) {
    let mut script = vec![(0, Ask)];
    script.extend(during);
    script.extend([(5_000, Answer(solution())), (5_000, Finish("stop")), (5_000, End)]);
    script.extend(zeroing(6_000, 100));
    let played = play(script);
    (played.result.status, played.result.notes)
}

#[test]
fn two_samples_in_a_row_disturb_a_race_once_a_range() {
    let twice = noted(vec![(500, Load(7)), (1_000, Load(8)), (1_500, Load(9))]);
    let note = "another process took 80 % of a core during a range";
    assert_eq!(twice, (Status::Disturbed, vec![note.to_owned()]));
}

#[test]
fn one_sample_or_two_apart_do_not() {
    assert_eq!(noted(vec![(500, Load(7))]), (Status::Finished, vec![]));
    assert_eq!(noted(vec![(500, Load(7)), (1_500, Load(9))]), (Status::Finished, vec![]));
}

#[test]
fn what_is_sampled_outside_a_range_does_not_count() {
    let mut script = vec![(0, Load(1)), (0, Load(2)), (0, Ask), (100, Load(3))];
    script.extend([(5_000, Answer(solution())), (5_000, Finish("stop")), (5_000, End)]);
    script.extend([(5_500, Load(4)), (5_600, Load(5))]);
    script.extend(zeroing(6_000, 100));
    let played = play(script);
    assert_eq!(played.result.status, Status::Finished, "{:?}", played.result.notes);
    let loads = played.events.iter().filter(|it| matches!(it, Event::Load { .. }));
    let shown = Event::Load { range: 1, process: "make\\u{1b}".into(), percent: 80 };
    assert_eq!(loads.collect::<Vec<_>>(), [&shown]);
}

#[test]
fn a_forced_answer_is_thinking_too() {
    let mut script = vec![(0, Ask), (20_001, Tick), (20_002, Ask), (20_500, Load(1))];
    script.extend([(21_000, Load(2)), (21_002, Answer(solution())), (21_002, End)]);
    assert_eq!(play(script).result.status, Status::Disturbed);
}
