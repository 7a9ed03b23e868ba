//! A view asked at the end agrees with the fold; a view asked earlier shows what had happened by then.

use super::*;
use crate::cli::view::samples;

fn agrees(log: &[LogLine]) {
    let result = samples::result(log);
    let view = RaceView::of(log);
    let totals = view.totals_at(result.finish_ms.unwrap_or(u64::MAX));
    let folded = Totals {
        hits: result.hits,
        targets: result.targets,
        loops: result.loops,
        loops_ms: result.loops_ms,
        thinking_ms: result.thinking_ms,
        course_ms: result.course_ms,
        buzzers: result.buzzers,
    };
    assert_eq!(totals, folded);
}

#[test]
fn at_the_finish_the_totals_are_those_of_the_fold() {
    for log in [samples::spark(), samples::mac(), samples::nemotron(), samples::pacer()] {
        assert!(samples::result(&log).finish_ms.is_some());
        agrees(&log);
    }
}

#[test]
fn the_published_finish_times() {
    let finish = |log: &[LogLine]| samples::result(log).finish_ms;
    assert_eq!(finish(&samples::spark()), Some(274_300));
    assert_eq!(finish(&samples::mac()), Some(210_500));
    assert_eq!(finish(&samples::nemotron()), Some(342_000));
}

#[test]
fn a_log_cut_anywhere_agrees_where_nobody_thinks() {
    let log = samples::pacer();
    for count in 1..=log.len() {
        let view = RaceView::of(&log[..count]);
        let thinks = matches!(view.phase_at(view.last_ms), Phase::Thinking(_) | Phase::Forced(_));
        if !thinks {
            agrees(&log[..count]);
        }
    }
}

#[test]
fn time_fills_up_without_a_gap() {
    for log in [samples::spark(), samples::pacer()] {
        let view = RaceView::of(&log);
        for at_ms in (0..=view.end_ms()).step_by(733) {
            let fills = view.fills_at(at_ms);
            let mut until_ms = 0;
            for (_, it) in &fills {
                assert_eq!(it.at_ms, until_ms, "at {at_ms}");
                until_ms = it.ends_ms();
            }
            assert_eq!(until_ms, at_ms);
        }
    }
}

#[test]
fn phases_of_a_race() {
    let view = RaceView::of(&samples::spark());
    let at = |at_ms| view.phase_at(at_ms);
    assert_eq!(at(0), Phase::Leg(0));
    assert_eq!(at(10_400), Phase::Thinking(0));
    assert_eq!(at(30_400), Phase::Forced(0));
    assert_eq!(at(45_400), Phase::Shooting(0, 0));
    assert_eq!(at(48_280), Phase::Shooting(0, 2));
    assert_eq!(at(52_600), Phase::Loop(0, 0));
    assert_eq!(at(64_600), Phase::Loop(0, 1));
    assert_eq!(at(112_600), Phase::Leg(1));
    assert_eq!(at(263_900), Phase::Leg(4));
    assert_eq!(at(274_300), Phase::Over);
    assert_eq!(RaceView::default().phase_at(9), Phase::Zeroing);
    let range = &view.ranges[1];
    assert_eq!(range.thinking_at(123_000), Some(0));
    assert_eq!(range.thinking_at(126_000), Some(3_000));
    assert_eq!(range.thinking_at(200_000), Some(8_800));
    assert_eq!(range.shots_at(135_000).len(), 2);
}

#[test]
fn no_log_can_break_a_view() {
    // Anybody's log: times that go back, events out of place, figures at the edge.
    let mut log = samples::spark();
    log.reverse();
    for (index, line) in log.iter_mut().enumerate() {
        line.race_ms = if index % 3 == 0 { u64::MAX } else { line.race_ms / 7 };
    }
    let view = RaceView::of(&log);
    for at_ms in [0, 1, 40_000, u64::MAX] {
        assert_eq!(view.totals_at(at_ms), view.totals_at(at_ms));
        assert!(view.fills_at(at_ms).iter().all(|(_, it)| it.ends_ms() <= at_ms));
        assert!(view.splits_at(at_ms).len() <= 5);
        assert!(view.phase_at(at_ms) == view.phase_at(at_ms));
    }
}
