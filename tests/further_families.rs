//! A season of families that no shipped season uses, whole: raced by two pacers, the same bytes twice, verified, replayed, and
//! graded by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::{GAUNTLET, scratch};
use std::fs;
use std::path::Path;
use std::process::Command;

const SEASON: &str = "tests/fixtures/seasons/further.toml";

/// Runs the program; its output and its words, when it ends well.
fn gauntlet(args: &[&str]) -> String {
    let output =
        Command::new(GAUNTLET).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{args:?}: {said}");
    said
}

/// The hits of the four ranges of a race, from its result.
fn hits(race: &Path) -> Vec<u64> {
    let result = fs::read_to_string(race.join("result.json")).unwrap();
    let result: serde_json::Value = serde_json::from_str(&result).unwrap();
    let ranges = result["ranges"].as_array().unwrap();
    ranges.iter().map(|range| range["hits"].as_u64().unwrap()).collect()
}

#[test]
fn a_course_of_them_races_verifies_and_replays() {
    let out = scratch("further");
    let mut all = Vec::new();
    for pacer in ["pacer-novice", "pacer-elite"] {
        let lane = format!("lanes/{pacer}.toml");
        let folders = ["once", "again"].map(|name| out.join(name));
        for folder in &folders {
            let to = folder.to_str().unwrap();
            gauntlet(&["race", "--plain", "--season", SEASON, "--lane", &lane, "--out", to]);
        }
        let [once, again] = folders.map(|it| it.join(format!("further-{pacer}-attempt1")));
        for entry in fs::read_dir(&once).unwrap() {
            let name = entry.unwrap().file_name();
            assert_eq!(
                fs::read(once.join(&name)).unwrap(),
                fs::read(again.join(&name)).unwrap(),
                "{}",
                name.display()
            );
        }
        let folder = once.to_str().unwrap();
        assert!(gauntlet(&["verify", folder]).contains("verified"));
        let replayed = gauntlet(&["replay", folder, "--instant", "--plain"]);
        assert!(
            ["Truth village", "Ledger", "Inductor", "Courier"]
                .iter()
                .all(|it| replayed.contains(it))
        );
        all.push(hits(&once));
    }
    let sum = |hits: &Vec<u64>| hits.iter().sum::<u64>();
    assert!(all.iter().all(|hits| hits.len() == 4), "{all:?}");
    assert!(sum(&all[0]) < sum(&all[1]) && sum(&all[1]) > 10, "novice and elite hit {all:?}");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn a_task_is_shown_solved_and_graded_by_hand() {
    let out = scratch("further-answer");
    fs::create_dir_all(&out).unwrap();
    let answer = out.join("answer.txt");
    for range in ["1", "2", "3", "4"] {
        let of = ["--season", SEASON, "--range", range];
        let task = gauntlet(&[&["task", "show"], &of[..]].concat());
        assert!(task.contains("TARGET 5: "), "{task}");
        fs::write(&answer, gauntlet(&[&["task", "solve"], &of[..]].concat())).unwrap();
        let path = answer.to_str().unwrap();
        let graded = gauntlet(&[&["task", "grade"], &of[..], &["--answer", path]].concat());
        assert!(graded.contains("5 of 5 targets hit"), "{graded}");
    }
    fs::remove_dir_all(&out).unwrap();
}
