//! The sandbox under attack: every attack of `table.rs` ends in a clean verdict, in bounded time and memory, with nothing written;
//! and a judge that cannot confine itself refuses.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by it, and tells what came of each attack"
)]
#![cfg(feature = "cli")]

mod burners;
#[path = "../common/mod.rs"]
mod common;
mod table;
#[cfg(target_os = "linux")]
mod walls;

use burners::BURNERS;
use common::{GAUNTLET, scratch};
use gauntlet::judge::job::{Job, Judgement, Run};
use serde::Deserialize;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use table::{Attack, QUICK};

/// Most memory of the judging process: the guest's 256 MiB, its image, the engine, and copies of what it hands over.
const PEAK_KB_MAX: u64 = 900 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    Judgement(Judgement),
}

/// What came of an attack.
struct Ended {
    run: Run,
    peak_kb: u64,
    judgement: Judgement,
}

/// The judging process alone, in an empty folder, without an environment but the place of the prepared sandbox.
fn start(job: &Job, folder: &Path) -> Child {
    let mut command = Command::new(GAUNTLET);
    command.arg("__judge").current_dir(folder).env_clear().env("SECRET", "not for the guest");
    for name in ["HOME", "XDG_CACHE_HOME", "GAUNTLET_CACHE_DIR"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = serde_json::to_vec(job).unwrap();
    line.push(b'\n');
    child.stdin.take().unwrap().write_all(&line).unwrap();
    child
}

fn job(code: &str) -> Job {
    Job { code: code.to_owned(), function: String::from("f"), inputs: vec![vec![]] }
}

/// The most memory that a process has had so far, in KiB; 0 where the system does not tell.
fn peak_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

fn judge(code: &str, folder: &Path) -> Ended {
    let mut child = start(&job(code), folder);
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut reply = Vec::new();
        out.read_to_end(&mut reply).unwrap();
        reply
    });
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(peak_kb(child.id()));
        std::thread::sleep(Duration::from_millis(2));
    }
    let reply = String::from_utf8(reader.join().unwrap()).unwrap();
    assert_eq!(reply.lines().count(), 1, "one line, nothing else: {reply}");
    let Reply::Judgement(judgement) = serde_json::from_str(&reply).unwrap_or_else(|error| {
        panic!("no judgement: {error}: {reply}");
    });
    Ended { run: judgement.runs[0].clone(), peak_kb: peak, judgement }
}

fn run_all(attacks: &[Attack], name: &str) {
    gauntlet::judge::prepare().unwrap();
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    let mut peak = 0;
    for Attack { what, code, ends } in attacks {
        let Ended { run, peak_kb, judgement } = judge(code, &folder);
        peak = peak.max(peak_kb);
        println!(
            "{what:<32} {:<10?} {peak_kb:>7} KiB  {}",
            run.verdict,
            run.error.as_deref().unwrap_or("")
        );
        let error = run.error.clone().unwrap_or_default();
        let short = error.chars().count() <= 300 && !error.contains('\n');
        let leaks = serde_json::to_string(&run).unwrap().contains("root:")
            || serde_json::to_string(&run).unwrap().contains("SECRET");
        if run.verdict != *ends || !short || leaks || peak_kb > PEAK_KB_MAX || !judgement.confined {
            wrong.push(format!(
                "{what}: {ends:?} is due, not {:?}: {error} ({peak_kb} KiB)",
                run.verdict
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
    assert!(left.is_empty(), "written: {left:?}");
    println!("{} attacks, at most {peak} KiB", attacks.len());
}

#[test]
fn attacks_end_in_a_clean_verdict_and_leave_nothing() {
    run_all(QUICK, "attacks");
}

#[test]
#[ignore = "burns fuel for a minute"]
fn attacks_that_never_end_are_ended_by_fuel() {
    run_all(BURNERS, "attacks-burning");
}

/// The race process: after the worst that code can do, the next judgement is a judgement.
#[test]
fn an_attack_cannot_touch_the_next_judgement() {
    gauntlet::judge::prepare().unwrap();
    let folder = scratch("attacks-next");
    fs::create_dir_all(&folder).unwrap();
    let honest = "import math\ndef f():\n return [math.gcd(12, 18), hash('abc')]\n";
    let before = judge(honest, &folder).judgement;
    let tampering = "import builtins, math, sys\ndef f():\n math.gcd = None\n builtins.hash = None\n sys.modules.clear()\n return 1\n";
    let mut both = job(tampering);
    both.inputs = vec![vec![], vec![]];
    let twice = gauntlet::judge::judge_with(
        Path::new(GAUNTLET),
        &both,
        gauntlet::judge::Unconfined::Refuse,
    )
    .unwrap();
    assert_eq!(twice.runs[0], twice.runs[1], "each call has a guest of its own");
    assert_eq!(judge(honest, &folder).judgement, before);
}
