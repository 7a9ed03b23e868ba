//! Ctrl-C at every stage of a race, and in other commands that last: exit code 4, whole files, words on what stands.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::server::{Server, Step, done, finish, stream_head, text};
use common::{GAUNTLET, scratch};
use gauntlet::race::{RaceResult, Status};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// One range of code with a long limit.
const SEASON: &str = r#"
format = { name = "gauntlet-season", major = 1, minor = 0 }
name = "t"
title = "Test"
seed = 21
prompt_version = "gauntlet-4"
status = "preview"
clock_gap_ms = 60000
memory_classes_gb = [8, 64]
course = { legs_ms = [0, 0], range_overhead_ms = 0, targets = 5 }
forced = { window_ms = 15000, notes_chars = 2000, limit_tokens = 512 }
zeroing = { limit_tokens = 96, limit_ms = 20000, drift_percent = 100 }
idle = { limit_ms = 20000, slack_ms = 10000, pause_ms = 100 }
levels = { 2 = { loop_ms = 1000, buzzer_ms = 60000 } }
range = [{ family = "painter", level = 2 }]
"#;

/// Code that is judged for many seconds: each of five calls uses up its fuel.
const ENDLESS: &str =
    "```python\ndef paint(height, width, ops):\n    while True:\n        pass\n```\n";

/// A race in a folder of its own, without or with a server.
fn start(out: &Path, server: Option<&Server>, season: &str) -> Child {
    fs::create_dir_all(out).unwrap();
    let path = |name: &str| out.join(name).display().to_string();
    fs::write(out.join("season.toml"), season).unwrap();
    let mut command = Command::new(GAUNTLET);
    command.args(["race", "--plain", "--format", "json", "--out", &path("races")]);
    command.args(["--season", &path("season.toml")]);
    if let Some(server) = server {
        let lane = format!(
            "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"{}\"\nmodel = \"m\"\n",
            server.base_url()
        );
        fs::write(out.join("lane.toml"), lane).unwrap();
        command.args(["--lane", &path("lane.toml")]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Presses Ctrl-C once something is so, and waits for the end.
fn interrupted(race: Child, when: impl Fn() -> bool) -> (i32, String, String) {
    signalled("-INT", race, when)
}

/// Sends a signal once something is so, and waits for the end.
fn signalled(signal: &str, mut race: Child, when: impl Fn() -> bool) -> (i32, String, String) {
    for _ in 0..6_000 {
        assert!(race.try_wait().unwrap().is_none(), "the race is over before it is interrupted");
        if when() {
            let pid = race.id().to_string();
            assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
            let Output { status, stdout, stderr } = race.wait_with_output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            return (status.code().unwrap_or(-1), text(stdout), text(stderr));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never came so far");
}

fn verifies(race: &Path) {
    let verified = Command::new(GAUNTLET).arg("verify").arg(race).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout);
    assert!(verified.status.success() && said.contains("verified  unfinished"), "{said}");
}

/// Whether the io of a race ends in an answer, so that its code is being judged.
fn is_judging(out: &Path, race: &str) -> bool {
    let io = fs::read_to_string(out.join("races").join(race).join("io.jsonl")).unwrap_or_default();
    let main = io.rfind("\"purpose\":\"main\"");
    main.is_some_and(|at| io[at..].contains("\"type\":\"end\""))
}

fn whole(words: &str) -> Vec<Step> {
    vec![stream_head(), text(words), finish("stop"), done()]
}

#[test]
fn before_the_start_nothing_is_written() {
    let server = Server::start(vec![vec![Step::Hang]]);
    let out = scratch("ctrl-c");
    let race = start(&out, Some(&server), SEASON);
    let (code, _, err) = interrupted(race, || server.seen(|seen| !seen.requests.is_empty()));
    assert_eq!(code, 4, "{err}");
    assert!(err.contains("interrupted before the start: nothing was written"), "{err}");
    assert!(!out.join("races").exists());
}

#[test]
fn while_the_lane_thinks_the_attempt_stands_as_unfinished() {
    // Ctrl-C, and what a service manager sends.
    for signal in ["-INT", "-TERM"] {
        let thinks = vec![stream_head(), text("hm"), Step::Hang];
        let server = Server::start(vec![whole("ok"), whole("one"), thinks]);
        let out = scratch("ctrl-c");
        let race = start(&out, Some(&server), SEASON);
        let folder = out.join("races/t-x-attempt1");
        let (code, said, err) = signalled(signal, race, || {
            fs::read_to_string(folder.join("io.jsonl")).is_ok_and(|io| io.contains("\"hm\""))
        });
        assert_eq!(code, 4, "{signal}: {err}");
        assert!(err.contains("interrupted: the attempt stands as unfinished in "), "{err}");
        let result: RaceResult = serde_json::from_str(&said).unwrap();
        assert_eq!((result.status, result.finish_ms), (Status::Unfinished, None));
        assert_eq!(fs::read_to_string(folder.join("result.json")).unwrap(), result.to_json());
        verifies(&folder);
        let ledger = fs::read_to_string(out.join("races/attempts.jsonl")).unwrap();
        assert!(ledger.contains("\"unfinished\""), "{ledger}");
    }
}

#[test]
fn while_code_is_judged_the_verdict_is_not_awaited() {
    let server = Server::start(vec![whole("ok"), whole("one"), whole(ENDLESS)]);
    let out = scratch("ctrl-c");
    let race = start(&out, Some(&server), SEASON);
    let (code, said, err) = interrupted(race, || is_judging(&out, "t-x-attempt1"));
    assert_eq!(code, 4, "{err}");
    let result: RaceResult = serde_json::from_str(&said).unwrap();
    assert_eq!((result.status, result.targets), (Status::Unfinished, 0), "no verdict, no shots");
    verifies(&out.join("races/t-x-attempt1"));
}

#[test]
fn a_pacer_is_stopped_too() {
    let season = SEASON.replace(
        "range = [{ family = \"painter\", level = 2 }]",
        &format!("range = [{}]", vec!["{ family = \"painter\", level = 2 }"; 40].join(", ")),
    );
    let season = season.replace("[0, 0]", &format!("{:?}", vec![0; 41]));
    let out = scratch("ctrl-c");
    let race = start(&out, None, &season);
    let (code, said, err) = interrupted(race, || is_judging(&out, "t-pacer-club-attempt1"));
    assert_eq!(code, 4, "{err}");
    let result: RaceResult = serde_json::from_str(&said).unwrap();
    assert_eq!(result.status, Status::Unfinished);
    verifies(&out.join("races/t-pacer-club-attempt1"));
}

/// Commands without words of their own for it.
#[cfg(target_os = "linux")]
#[test]
fn other_commands_end_with_the_same_code() {
    let out = scratch("ctrl-c");
    fs::create_dir_all(&out).unwrap();
    let code = out.join("endless.py");
    fs::write(&code, "def f():\n    while True:\n        pass\n").unwrap();
    let code = code.display().to_string();
    for args in [
        &["judge", "--code", &code, "--function", "f", "--input", "[]"][..],
        &["task", "dial", "sokoban", "--seeds", "100000"],
    ] {
        let mut command = Command::new(GAUNTLET);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        // The mask of signals that are caught, in which SIGINT is bit 2 once somebody listens.
        let listens = || {
            let status = fs::read_to_string(&status).unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
        };
        let (code, _, err) = interrupted(child, listens);
        assert_eq!((code, err.as_str()), (4, "interrupted\n"), "{args:?}");
    }
}
