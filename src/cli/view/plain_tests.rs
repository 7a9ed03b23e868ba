//! Plain lines of whole races.

use super::*;
use crate::cli::view::samples;
use crate::race::event::Disturbance;

fn told(log: &[LogLine]) -> String {
    let mut plain = Plain::new();
    let mut lines: Vec<String> = log.iter().filter_map(|line| plain.line(line)).collect();
    lines.extend(plain.cut_short());
    lines.join("\n")
}

#[test]
fn a_race_line_by_line() {
    insta::assert_snapshot!(told(&samples::spark()));
}

#[test]
fn a_log_that_ends_early_says_so() {
    let log = samples::nemotron();
    let text = told(&log[..9]);
    assert!(
        text.ends_with("[  14.0] unfinished: the log ends here, before the race was over"),
        "{text}"
    );
    assert!(!told(&log).contains("unfinished"));
}

#[test]
fn ends_and_disturbances() {
    let mut line = samples::spark().remove(0);
    let mut plain = Plain::new();
    plain.line(&line);
    let mut say = |event| {
        line.event = event;
        plain.line(&line).unwrap_or_default()
    };
    let idle = Event::Idle { range: 1, waited_ms: 120_400, probes: 1, ready: false };
    let lines = [
        say(idle),
        say(Event::Disturbed { why: Disturbance::Busy, by: 120_400 }),
        say(Event::Void { why: String::from("no \u{1b}[2J server\n") }),
        say(Event::Abandoned { range: 2 }),
    ];
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_busy_process_is_told_once_a_range() {
    let mut line = samples::spark().remove(0);
    let mut plain = Plain::new();
    let mut say = |process: &str, percent| {
        line.event = Event::Load { range: 1, process: String::from(process), percent };
        plain.line(&line).is_some()
    };
    let told = [say("rustc", 51), say("rustc", 99), say("cc", 40), say("rustc", 50)];
    assert_eq!(told, [true, false, true, false]);
}
