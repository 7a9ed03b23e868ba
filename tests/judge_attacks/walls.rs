//! The judge's own confinement: it holds every thread, and where the kernel does not give it the judge refuses. A kernel without
//! seccomp or Landlock is played by a filter over this thread, under which those calls fail as they do there.

use super::common::{GAUNTLET, scratch};
use super::{job, start};
use gauntlet::judge::{JudgeError, Unconfined, judge_with};
use seccompiler::{SeccompAction, SeccompFilter};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Runs something, and all that it starts, on a kernel that does not know a system call.
fn without<T: Send + 'static>(
    call: libc::c_long,
    errno: i32,
    run: impl FnOnce() -> T + Send + 'static,
) -> T {
    let act = move || {
        let rules = BTreeMap::from([(call, Vec::new())]);
        let errno = SeccompAction::Errno(errno.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, arch).unwrap();
        let program: seccompiler::BpfProgram = filter.try_into().unwrap();
        seccompiler::apply_filter(&program).unwrap();
        run()
    };
    std::thread::spawn(act).join().unwrap()
}

const CODE: &str = "def f():\n    return 1\n";

#[test]
fn every_thread_of_a_judge_is_confined() {
    gauntlet::judge::prepare().unwrap();
    let folder = scratch("walls");
    fs::create_dir_all(&folder).unwrap();
    let mut child = start(&job("def f():\n    while True: pass\n"), &folder);
    let tasks = format!("/proc/{}/task", child.id());
    // Until it has put its walls up it is loading its image.
    let mut threads = Vec::new();
    for _ in 0..2_000 {
        std::thread::sleep(Duration::from_millis(5));
        let task = |entry: std::io::Result<fs::DirEntry>| {
            fs::read_to_string(entry.ok()?.path().join("status")).ok()
        };
        threads = fs::read_dir(&tasks).unwrap().filter_map(task).collect();
        if threads.iter().any(|status| status.contains("Seccomp:\t2")) {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(threads.len() >= 2, "the one that computes, and the one that moves the clock");
    for status in threads {
        assert!(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"), "{status}");
    }
}

#[test]
fn without_seccomp_a_judge_refuses_unless_told_otherwise() {
    gauntlet::judge::prepare().unwrap();
    let judge = |unconfined| {
        let judge = move || judge_with(Path::new(GAUNTLET), &job(CODE), unconfined);
        without(libc::SYS_seccomp, libc::EINVAL, judge)
    };
    let refused = judge(Unconfined::Refuse).unwrap_err();
    assert!(matches!(refused, JudgeError::Confine(_)), "{refused}");
    let said = refused.to_string();
    assert!(said.contains("no seccomp") && said.contains("--allow-unconfined"), "{said}");
    let judged = judge(Unconfined::Allow).unwrap();
    assert!(!judged.confined && judged.runs[0].value == Some(1.into()), "{judged:?}");
    assert!(!judged.confinement.iter().any(|wall| wall == "seccomp"), "{judged:?}");
}

#[test]
fn without_landlock_a_judge_is_confined_by_seccomp_and_says_so() {
    gauntlet::judge::prepare().unwrap();
    let judge = || judge_with(Path::new(GAUNTLET), &job(CODE), Unconfined::Refuse);
    let judged = without(libc::SYS_landlock_create_ruleset, libc::ENOSYS, judge).unwrap();
    assert!(judged.confined, "{judged:?}");
    assert_eq!(judged.confinement, ["rlimits", "no_new_privs", "seccomp"]);
}

fn gauntlet(args: &[&str]) -> (i32, String) {
    let output = Command::new(GAUNTLET).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}

#[test]
fn a_race_without_walls_refuses_before_it_begins_and_else_says_so_for_good() {
    gauntlet::judge::prepare().unwrap();
    let out = scratch("walls-race");
    let dir = out.display().to_string();
    let race = move |more: &'static [&'static str]| {
        let dir = dir.clone();
        let args = move || gauntlet(&[&["race", "--plain", "--out", &dir], more].concat());
        without(libc::SYS_seccomp, libc::EINVAL, args)
    };
    let (code, said) = race(&[]);
    assert!(code == 1 && said.contains("--allow-unconfined") && !out.exists(), "{code}: {said}");
    let (code, said) = race(&["--allow-unconfined"]);
    assert!(code == 0 && said.contains("judged unconfined"), "{code}: {said}");
    let folder = out.join("21-pacer-club-attempt1");
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    assert!(log.lines().next().unwrap().contains("\"allow_unconfined\":true"), "{log}");
    let io = fs::read_to_string(folder.join("io.jsonl")).unwrap();
    assert!(io.contains("\"confined\":false"), "the judgement itself says so too");
    // Whoever has the walls judges the same again behind them.
    let (code, said) = gauntlet(&["verify", &folder.display().to_string()]);
    assert!(code == 0 && said.contains("did not confine the judge"), "{code}: {said}");
}
