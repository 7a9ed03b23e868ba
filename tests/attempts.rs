//! The attempts ledger as a user meets it: every started race is entered, and one that was deleted, renamed, exchanged or taken
//! out of the ledger shows in `attempts`, `verify` and `rank`.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::{GAUNTLET, copy_race, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Puzzles only: a race is over at once, and nothing is judged.
const SEASON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/seasons/21-hard.toml");

fn gauntlet(args: &[&str]) -> (i32, String) {
    let output = Command::new(GAUNTLET).args(args).output().unwrap();
    let text =
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap_or(-1), text)
}

fn race(out: &Path) {
    let (code, said) =
        gauntlet(&["race", "--plain", "--season", SEASON, "--out", &out.display().to_string()]);
    assert_eq!(code, 0, "{said}");
}

/// A folder with races of one lane.
fn raced(name: &str, races: usize) -> PathBuf {
    let out = scratch(name);
    (0..races).for_each(|_| race(&out));
    out
}

fn attempts(out: &Path) -> (i32, String) {
    gauntlet(&["attempts", &out.display().to_string()])
}

fn id(attempt: u32) -> String {
    format!("21-hard-pacer-club-attempt{attempt}")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&gauntlet(&[args, &["--format", "json"]].concat()).1).unwrap()
}

#[test]
fn every_attempt_is_entered_the_same_bytes_each_time() {
    let (a, b) = (raced("ledger", 2), raced("ledger", 2));
    let ledger = fs::read_to_string(a.join("attempts.jsonl")).unwrap();
    assert_eq!(ledger, fs::read_to_string(b.join("attempts.jsonl")).unwrap());
    assert_eq!(ledger.lines().count(), 5, "its format, two starts, two ends");
    let (code, said) = attempts(&a);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!(said.replace(&a.display().to_string(), "races"));
    let found = json(&["attempts", &a.display().to_string()]);
    let of = |field: &str| {
        let attempts = found["folders"][0]["attempts"].as_array().unwrap();
        attempts.iter().map(|it| it[field].to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("state"), "\"finished\" \"finished\"");
    assert_eq!(of("counts"), "true false");
    let (code, said) = gauntlet(&["verify", &a.display().to_string()]);
    assert!(code == 0 && said.contains("attempts.jsonl  verified"), "{said}");
}

#[test]
fn a_folder_without_races_is_no_list() {
    let out = scratch("attempts-none");
    fs::create_dir_all(&out).unwrap();
    let (code, said) = attempts(&out);
    assert_eq!((code, said.contains("no race here")), (2, true), "{said}");
}

#[test]
fn kept_races_without_a_ledger_are_listed_and_no_fault() {
    let replays = concat!(env!("CARGO_MANIFEST_DIR"), "/replays");
    let (code, said) = gauntlet(&["attempts", replays]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("has no attempts.jsonl") && said.contains("pacer-elite"), "{said}");
    let (code, said) = gauntlet(&["attempts", &format!("{replays}/21-pacer-club-attempt1")]);
    assert!(code == 2 && said.contains("is the folder of one race"), "{said}");
    let (code, _) = gauntlet(&["attempts", "/no/such/folder"]);
    assert_eq!(code, 2);
}

/// Changes a folder of three races and looks at what every command says of it.
fn after(change: impl Fn(&Path), due: &str) {
    let out = raced("ledger-changed", 3);
    change(&out);
    let (code, said) = attempts(&out);
    assert!(code == 1 && said.contains(due), "{due}: {said}");
    let dir = out.display().to_string();
    let (code, said) = gauntlet(&["verify", &dir]);
    assert!(code == 1 && said.contains("attempts.jsonl  DIFFERS") && said.contains(due), "{said}");
    let (code, said) = gauntlet(&["rank", SEASON, &dir]);
    assert!(code == 1 && said.contains("attempts.jsonl"), "{due}: {said}");
}

#[test]
fn a_deleted_attempt_shows_and_stays_used_up() {
    after(
        |out| fs::remove_dir_all(out.join(id(1))).unwrap(),
        "its folder is gone (it was finished)",
    );
    let out = raced("ledger-deleted", 2);
    fs::remove_dir_all(out.join(id(1))).unwrap();
    race(&out);
    assert!(out.join(id(3)).exists() && !out.join(id(1)).exists(), "a number is never given twice");
    let sheet = json(&["rank", SEASON, &out.display().to_string()]);
    assert_eq!(sheet["classes"].as_array().map(Vec::len), Some(0), "{sheet:#}");
    assert_eq!(sheet["attempts"].as_array().map(Vec::len), Some(2), "{sheet:#}");
}

#[test]
fn renamed_exchanged_and_changed_attempts_show() {
    after(
        |out| fs::rename(out.join(id(1)), out.join("21-hard-pacer-club-attempt9")).unwrap(),
        "its folder was renamed to 21-hard-pacer-club-attempt9",
    );
    after(
        |out| {
            fs::rename(out.join(id(1)), out.join("x")).unwrap();
            fs::rename(out.join(id(2)), out.join(id(1))).unwrap();
            fs::rename(out.join("x"), out.join(id(2))).unwrap();
        },
        "is another race than the one that was entered",
    );
    after(
        |out| {
            let path = out.join(id(2)).join("result.json");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace("\"hits\"", " \"hits\"")).unwrap();
        },
        "result.json is not the one that was entered",
    );
    after(
        |out| fs::remove_file(out.join(id(2)).join("result.json")).unwrap(),
        "result.json is not",
    );
}

/// The lines of a ledger, changed.
fn edit(out: &Path, change: impl Fn(&mut Vec<String>)) {
    let path = out.join("attempts.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

#[test]
fn a_ledger_that_was_changed_shows() {
    let chain = "does not follow the line before";
    after(|out| edit(out, |lines| lines.swap(1, 3)), "attempts.jsonl, line 2: has seq 3");
    after(|out| edit(out, |lines| drop(lines.remove(2))), "has seq 3, and 2 is due");
    after(|out| edit(out, |lines| lines[2] = lines[2].replace("\"finished\"", "\"void\"")), chain);
    // The last line has none after it that would show a change: the folder does.
    after(|out| edit(out, |lines| lines.truncate(5)), "21-hard-pacer-club-attempt3");
    after(|out| edit(out, |lines| lines.truncate(3)), "21-hard-pacer-club-attempt3");
}

#[test]
fn a_race_that_ended_unsaid_is_what_its_result_says_and_noted() {
    let out = raced("attempts-unsaid", 1);
    edit(&out, |lines| drop(lines.pop()));
    let (code, said) = attempts(&out);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("finished") && !said.contains("broken"), "{said}");
    assert!(said.contains("the ledger does not say that it ended"), "{said}");
    race(&out);
    let (_, said) = attempts(&out);
    assert!(!said.contains("does not say"), "{said}");
}

#[test]
fn races_from_before_the_ledger_are_entered_when_the_next_one_starts() {
    let out = raced("ledger-before", 2);
    fs::remove_file(out.join("attempts.jsonl")).unwrap();
    assert_eq!(attempts(&out).0, 0);
    race(&out);
    let (code, said) = attempts(&out);
    assert_eq!(code, 0, "{said}");
    fs::remove_dir_all(out.join(id(1))).unwrap();
    let (code, said) = attempts(&out);
    assert!(code == 1 && said.contains("attempt1: its folder is gone"), "{said}");
}

#[test]
fn a_race_from_elsewhere_is_no_fault_and_a_copy_is_said() {
    let out = raced("ledger-guest", 1);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays/21-pacer-elite-attempt1");
    copy_race(&kept, &out.join("21-pacer-elite-attempt1"));
    copy_race(&out.join(id(1)), &out.join("copy"));
    let (code, said) = attempts(&out);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("21-pacer-elite-attempt1 is not in the ledger"), "{said}");
    assert!(said.contains("copy is a copy of 21-hard-pacer-club-attempt1"), "{said}");
}

#[test]
fn a_torn_entry_is_cut_off_by_the_next_race() {
    let out = raced("ledger-torn", 1);
    let path = out.join("attempts.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole[..], b"{\"seq\":3,\"entry\":{\"ty"].concat()).unwrap();
    let (code, said) = attempts(&out);
    assert!(code == 0 && said.contains("its last line is torn"), "{said}");
    race(&out);
    let (code, said) = attempts(&out);
    assert!(code == 0 && !said.contains("line is torn"), "{said}");
    assert!(fs::read(&path).unwrap().starts_with(&whole));
}

#[test]
fn races_that_start_at_once_get_a_number_each() {
    let out = scratch("ledger-at-once");
    let dir = out.display().to_string();
    let start = |_| {
        Command::new(GAUNTLET)
            .args(["race", "--plain", "--season", SEASON, "--out", &dir])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = (0..8).map(start).collect();
    for race in running {
        let output = race.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let (code, said) = attempts(&out);
    assert_eq!(code, 0, "{said}");
    assert!((1..=8).all(|attempt| out.join(id(attempt)).join("result.json").exists()), "{said}");
    let ledger = fs::read_to_string(out.join("attempts.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), 17);
    let (code, said) = gauntlet(&["verify", &dir]);
    assert_eq!(code, 0, "{said}");
}
