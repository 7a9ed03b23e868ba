//! Real races that are killed at every line that they write, and disks that take no more: what was written stands, nothing is
//! overwritten, the next race takes the next number, and every command says what stands.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]
#![cfg(unix)]

mod common;

use common::server::{self, Server, Step};
use common::{GAUNTLET, scratch};
use gauntlet::race::line::{ChainReader, IoLine, LogLine};
use gauntlet::store;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Two ranges of puzzles: a short race in which every kind of line is written that a killed race can end at.
const RANGES: &str =
    "[[range]]\nfamily = \"trace\"\nlevel = 3\n[[range]]\nfamily = \"cups\"\nlevel = 4\n";

/// A season of two ranges, and a lane to a server.
fn inputs(out: &Path, base_url: &str) -> (String, String) {
    fs::create_dir_all(out).unwrap();
    let hard = include_str!("../seasons/21-hard.toml");
    let (rules, _) = hard.split_once("[[range]]").unwrap();
    let rules = rules.replace("10400, 10400, 10400, 10400, 10400", "1000, 1000, 1000");
    let (season, lane) = (out.join("two.toml"), out.join("lane.toml"));
    fs::write(&season, format!("{}{RANGES}", rules.replace("\"21-hard\"", "\"two\""))).unwrap();
    let text = format!(
        "name = \"rig\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"{base_url}\"\nmodel = \"m\"\n"
    );
    fs::write(&lane, text).unwrap();
    (season.display().to_string(), lane.display().to_string())
}

/// A reply in pieces, with a pause before each, so that a killer can come in between.
fn slow_reply() -> Vec<Step> {
    let mut steps = vec![server::stream_head()];
    let pieces =
        [server::text("TARGET 1: 4\nTAR"), server::text("GET 2: 7\n"), server::finish("stop")];
    for piece in pieces {
        steps.extend([Step::Wait(12), piece]);
    }
    steps.push(server::done());
    steps
}

fn command(season: &str, lane: &str, out: &Path) -> Command {
    let mut command = Command::new(GAUNTLET);
    command.args(["race", "--plain", "--season", season, "--lane", lane, "--out"]).arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn gauntlet(args: &[&str]) -> (i32, String) {
    let output = Command::new(GAUNTLET).args(args).output().unwrap();
    (output.status.code().unwrap_or(-1), said(&output))
}

fn bytes_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Starts a race and kills it once a file of it has that many lines; gives what the file held just before. Nothing when the
/// race was over first.
fn kill_at(mut race: Command, file: &Path, count: usize) -> Option<Vec<u8>> {
    let mut running = race.spawn().unwrap();
    loop {
        let seen = fs::read(file).unwrap_or_default();
        if lines(&seen) >= count {
            // SIGKILL: nothing of the process runs any more.
            running.kill().unwrap();
            let status = running.wait().unwrap();
            return (!status.success()).then_some(seen);
        }
        if running.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_micros(300));
    }
}

/// The whole lines of both files chain, and only the last may be torn.
fn check_lines(folder: &Path) {
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
    for (name, is_io) in [("io.jsonl", true), ("log.jsonl", false)] {
        let bytes = read(name);
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut reader = ChainReader::default();
        for line in std::str::from_utf8(&bytes[..whole]).unwrap().lines() {
            let ok = if is_io {
                reader.read::<IoLine>(line).map(drop)
            } else {
                reader.read::<LogLine>(line).map(drop)
            };
            assert_eq!(ok, Ok(()), "{}: {name}: {line}", folder.display());
        }
    }
}

/// Kills a race at every line of a file, each race the next attempt of the one before, in a folder of its own.
fn kill_at_every_line(name: &str, file: &str) {
    let out = scratch(name);
    let server = Server::start(vec![slow_reply()]);
    let (season, lane) = inputs(&out, &server.base_url());
    let dir = out.display().to_string();
    let mut before: Option<(PathBuf, BTreeMap<PathBuf, Vec<u8>>)> = None;
    let mut killed = 0;
    for count in 1.. {
        let folder = out.join(format!("two-rig-attempt{count}"));
        assert!(!folder.exists(), "the next race takes the next number");
        let seen = kill_at(command(&season, &lane, &out), &folder.join(file), count);
        assert!(folder.exists(), "attempt {count}");
        if let Some((path, bytes)) = before.replace((folder.clone(), bytes_of(&folder))) {
            assert_eq!(bytes_of(&path), bytes, "attempt {count} changed the one before it");
        }
        let Some(seen) = seen else { break };
        killed += 1;
        let stands = fs::read(folder.join(file)).unwrap();
        assert!(stands.starts_with(&seen), "attempt {count}: a written line is gone");
        check_lines(&folder);
        let race = folder.display().to_string();
        let (code, told) = gauntlet(&["verify", &race]);
        let over = told.contains("finished");
        assert!(code == 0 || over && code == 1, "attempt {count}: {told}");
        assert!(over || told.contains("unfinished"), "attempt {count}: {told}");
        let (code, told) = gauntlet(&["replay", &race, "--instant"]);
        let began = fs::metadata(folder.join("log.jsonl")).unwrap().len() > 0;
        assert_eq!(code, if began { 0 } else { 2 }, "attempt {count}: {told}");
    }
    // A start, two zeroings and two ranges of seven lines or so.
    assert!(killed > 20, "{killed} kills");
    let found = store::attempts(&out).unwrap();
    assert_eq!(found.faults, []);
    let broken = found.attempts.iter().filter(|it| it.state.word() == "broken").count();
    assert!(broken >= killed - 1, "{broken} of {killed} are told as broken: {found:#?}");
    let (code, told) = gauntlet(&["attempts", &dir]);
    assert!(code == 0 && told.contains("its process ended after"), "{told}");
    let (code, told) = gauntlet(&["rank", &season, &dir]);
    assert!(code <= 1 && told.contains("unfinished"), "{told}");
}

#[test]
fn killed_at_every_line_of_io() {
    kill_at_every_line("killed-io", "io.jsonl");
}

#[test]
fn killed_at_every_line_of_the_log() {
    kill_at_every_line("killed-log", "log.jsonl");
}

/// A pacer's race under a limit on file sizes, as a disk has that is full: writes end half-way, with an error.
#[cfg(target_os = "linux")]
fn race_with_room_for(bytes: u64, out: &Path) -> (i32, String) {
    let season = concat!(env!("CARGO_MANIFEST_DIR"), "/seasons/21-hard.toml");
    // The signal that would end the process is ignored, so that the write itself fails.
    let script = format!("trap '' XFSZ; exec prlimit --fsize={bytes} \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, "sh", GAUNTLET, "race", "--plain", "--season", season, "--out"])
        .arg(out)
        .output()
        .unwrap();
    (output.status.code().unwrap_or(-1), said(&output))
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_the_next_race_goes_on() {
    for bytes in [0, 60, 300, 700, 3_000, 20_000, 60_001] {
        let out = scratch("full-disk");
        let (code, told) = race_with_room_for(bytes, &out);
        assert_eq!(code, 2, "{bytes}: {told}");
        assert!(
            told.contains("error: cannot write ") && told.contains("hint: "),
            "{bytes}: {told}"
        );
        let first = out.join("21-hard-pacer-club-attempt1");
        let before = first.exists().then(|| bytes_of(&first));
        let (code, told) = race_with_room_for(u64::MAX / 2, &out);
        assert_eq!(code, 0, "{bytes}: {told}");
        let (code, told) = gauntlet(&["attempts", &out.display().to_string()]);
        assert_eq!(code, 0, "{bytes}: {told}");
        if let Some(before) = before {
            assert_eq!(bytes_of(&first), before, "{bytes}");
            assert!(out.join("21-hard-pacer-club-attempt2").exists(), "{bytes}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let out = scratch("unwritable");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("file"), "").unwrap();
    for place in [out.join("file/races"), out.join("file"), PathBuf::from("/proc/races")] {
        let (code, told) = gauntlet(&["race", "--plain", "--out", &place.display().to_string()]);
        assert!(code == 2 && told.contains("error: cannot "), "{}: {told}", place.display());
    }
}
