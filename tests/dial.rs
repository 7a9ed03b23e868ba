//! The dial turns: `puzzles/DIAL.md` is what the families measure today, and the effort grows with every level, in the mean
//! and in the median.
//! `GAUNTLET_UPDATE=1 cargo test --release --test dial` writes the file anew.

mod common;

use common::GAUNTLET;
use gauntlet::puzzles::{FAMILIES, dial};
use std::path::Path;
use std::process::Command;

#[test]
fn the_dial_turns_and_is_written_down() {
    let version = gauntlet::race::prompts::VERSIONS[0];
    let dials: Vec<dial::Dial> = FAMILIES
        .iter()
        .map(|family| dial::measure(*family, version, dial::SEEDS).expect("every level is drawn"))
        .collect();
    for dial in &dials {
        for pair in dial.levels.windows(2) {
            let (before, row) = (&pair[0], &pair[1]);
            let (name, level) = (dial.family, row.level);
            let (now, then) = (row.effort, before.effort);
            assert!(
                now.sum > then.sum,
                "{name} level {level}: mean effort after {then:?}: {now:?}"
            );
            assert!(now.median > then.median, "{name} level {level}: after {then:?}: {now:?}");
        }
    }
    let text = dial::markdown(&dials);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/DIAL.md");
    if std::env::var_os("GAUNTLET_UPDATE").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, written) in text.lines().zip(written.lines()) {
        assert_eq!(line, written, "puzzles/DIAL.md is old; see the head of this file");
    }
    assert_eq!(text.lines().count(), written.lines().count(), "puzzles/DIAL.md is old");
}

fn dial(args: &[&str]) -> (i32, String) {
    let output = Command::new(GAUNTLET).args(["task", "dial"]).args(args).output();
    let output = output.expect("the program starts");
    let said = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(said).expect("plain text");
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn the_command_prints_nine_levels() {
    let (code, text) = dial(&["cups", "--seeds", "3"]);
    assert_eq!((code, text.lines().count()), (0, 11), "{text}");
    let (code, text) = dial(&["cups", "--seeds", "3", "--format", "json"]);
    assert_eq!((code, text.matches("\"level\":").count()), (0, 9), "{text}");
    let (code, text) = dial(&["cups", "--seeds", "3", "--format", "md"]);
    assert!(code == 0 && text.contains("\n| 9 | "), "{text}");
    let (code, text) = dial(&["cusp"]);
    assert!(code == 2 && text.contains("did you mean cups?"), "{text}");
    assert_eq!(dial(&["cups", "--seeds", "0"]).0, 2);
}
