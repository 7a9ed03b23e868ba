//! Cards as people see them.

use super::*;
use crate::cli::view::look::{ASCII, UTF8};
use crate::cli::view::samples;
use crate::race::line::LogLine;

fn plain(look: &Look, log: &[LogLine]) -> String {
    let next = [String::from("gauntlet replay races/21-sample-attempt1")];
    let folder = Path::new("races/21-sample-attempt1");
    let around = Around { folder, title: "A sample of a lane", next: &next };
    let text = drawn(look, &samples::result(log), &around);
    anstream::adapter::strip_str(&text).to_string()
}

fn check_width(text: &str) {
    for line in text.lines().filter(|line| line.starts_with(['│', '┌', '├', '└', '|', '+']))
    {
        assert_eq!(columns(line), WIDTH, "{line}");
    }
}

#[test]
fn a_finished_race() {
    let text = plain(&UTF8, &samples::spark());
    check_width(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_race_of_loops_without_utf8() {
    let text = plain(&ASCII, &samples::nemotron());
    check_width(&text);
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
}

#[test]
fn a_disturbed_race() {
    insta::assert_snapshot!(plain(&UTF8, &samples::disturbed(samples::mac())));
}

#[test]
fn an_unfinished_race() {
    let text = plain(&UTF8, &samples::spark()[..22]);
    check_width(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_void_race() {
    let mut log = samples::mac();
    log.truncate(2);
    log[1].event = crate::race::Event::Void { why: String::from("the lane did not answer") };
    let text = plain(&UTF8, &log);
    check_width(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn strange_names_stay_inside_the_card() {
    let mut result = samples::result(&samples::spark());
    result.lane.name = String::from(
        "\u{1b}[2J\u{202e}名前がとても長いレーンの名前がとても長いレーンの名前がとても長い",
    );
    result.lane.model = "m".repeat(500);
    result.ranges[0].family = String::from("a family that nobody knows and that has a long name");
    result.ranges[0].range_ms = u64::MAX;
    result.loops_ms = u64::MAX;
    result.finish_ms = Some(u64::MAX);
    for look in [&UTF8, &ASCII] {
        let folder = "/a folder/it's/very long/".repeat(9);
        let around = Around { folder: Path::new(&folder), title: &result.lane.name, next: &[] };
        let text = drawn(look, &result, &around);
        check_width(&anstream::adapter::strip_str(&text).to_string());
        assert!(!text.contains("\u{1b}[2J") && !text.contains('\u{202e}'));
    }
}
