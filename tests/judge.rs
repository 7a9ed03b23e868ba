//! The Python sandbox: honest answers are right, hostile ones end cleanly, and both the same twice.
//!
//! Neighbours: `src/judge`; the samples are in `fixtures/sandbox`.
#![cfg(feature = "cli")]

use gauntlet::judge::job::{Job, Judgement, RunVerdict};
use gauntlet::judge::{Unconfined, judge_with};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/sandbox");

struct Sample {
    name: String,
    job: Job,
    expected: Value,
}

fn judge(job: &Job) -> Judgement {
    judge_with(Path::new(env!("CARGO_BIN_EXE_gauntlet")), job, Unconfined::Refuse)
        .expect("the sandbox works")
}

fn samples(kind: &str) -> Vec<Sample> {
    let folder = std::fs::read_dir(Path::new(SAMPLES).join(kind)).expect("samples");
    let mut paths: Vec<PathBuf> = folder
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    let read = |path: &Path| std::fs::read_to_string(path).expect("a sample");
    paths
        .iter()
        .map(|path| {
            let about: Value = serde_json::from_str(&read(path)).expect("JSON");
            let job = Job {
                code: read(&path.with_extension("py")),
                function: about["function"].as_str().expect("a name").to_owned(),
                inputs: serde_json::from_value(about["inputs"].clone()).expect("inputs"),
            };
            let name = about["name"].as_str().expect("a name").to_owned();
            Sample { name, job, expected: about["expected"].clone() }
        })
        .collect()
}

fn one(code: &str) -> gauntlet::judge::job::Run {
    let job = Job { code: code.into(), function: "f".into(), inputs: vec![vec![]] };
    judge(&job).runs.remove(0)
}

#[test]
fn honest_answers_give_the_expected_values_and_the_same_fuel_twice() {
    let samples = samples("good");
    assert!(samples.len() >= 20);
    for Sample { name, job, expected } in samples {
        let first = judge(&job);
        let values: Vec<Value> =
            first.runs.iter().map(|run| run.value.clone().unwrap_or_default()).collect();
        assert!(first.runs.iter().all(|run| run.verdict == RunVerdict::Ok), "{name}: {first:?}");
        assert_eq!(Value::Array(values), expected, "{name}");
        assert_eq!(first, judge(&job), "{name} judged again");
    }
}

#[test]
fn hostile_answers_end_in_a_clean_verdict() {
    use RunVerdict::{CodeError, CodeLimit, Refused};
    let wanted = [
        ("h01", CodeLimit),
        ("h02", CodeError),
        ("h03", CodeLimit),
        ("h04", Refused),
        ("h05", Refused),
        ("h07", Refused),
        ("h08", Refused),
        ("h09", CodeLimit),
        ("h11", CodeLimit),
        ("h12", CodeLimit),
        ("h13", CodeError),
        ("h14", CodeError),
        ("h15", CodeLimit),
        ("h17", CodeLimit),
        ("h18", CodeLimit),
        ("h20", Refused),
        ("h21", Refused),
    ];
    let samples = samples("hostile");
    assert_eq!(samples.len(), wanted.len());
    for (Sample { name, job, .. }, (start, verdict)) in samples.iter().zip(wanted) {
        assert!(name.starts_with(start));
        for run in judge(job).runs {
            assert_eq!(run.verdict, verdict, "{name}: {run:?}");
            assert!(run.value.is_none() && run.error.is_some_and(|e| e.chars().count() <= 300));
        }
    }
}

#[test]
fn values_are_plain_or_an_error() {
    let ok = |expression: &str| one(&format!("def f():\n    return {expression}\n")).value;
    assert_eq!(ok("(1, [True, None], 'é😀')"), Some(json!([1, [true, null], "é😀"])));
    assert_eq!(ok("{'a': 0.5, 'b': ()}"), Some(json!({"a": 0.5, "b": []})));
    assert_eq!(ok("None"), Some(Value::Null));
    assert_eq!(ok("2**64 - 1"), Some(json!(u64::MAX)));
    for expression in
        ["{1, 2}", "float('nan')", "{1: 2}", "2**64", "object()", "'\\ud800'", "f", "b'x'", "1j"]
    {
        let run = one(&format!("def f():\n    return {expression}\n"));
        assert_eq!(run.verdict, RunVerdict::CodeError, "{expression}: {run:?}");
    }
    assert_eq!(one("def f():\n    return 'x' * 2000000\n").verdict, RunVerdict::CodeLimit);
}

#[test]
fn errors_name_the_line() {
    let error = |code: &str| one(code).error.unwrap_or_default();
    assert_eq!(error("def f():\n    return x\n"), "NameError: name 'x' is not defined (line 2)");
    assert!(error("def f(:\n").starts_with("SyntaxError: "));
    assert_eq!(error("def g(): pass\n"), "the function f is not defined");
}

#[test]
fn nothing_waits_and_nothing_differs() {
    let slept = one("import time\ndef f():\n    time.sleep(1e6)\n    return time.time() > 1e6\n");
    assert_eq!(slept.value, Some(json!(true)), "{slept:?}");
    let code = "import os, random, time\ndef f():\n    return [hash('abc'), list({'x', 'y', 'z'}), \
                random.random(), os.urandom(4).hex(), time.time_ns(), id(f)]\n";
    assert_eq!(one(code), one(code));
}

/// What copies memory in bulk uses next to no fuel; it must end as a verdict of the code all the same.
#[test]
#[ignore = "takes a minute"]
fn endless_copying_is_a_code_limit() {
    let run = one("def f():\n    b = bytearray(40 << 20)\n    while True:\n        c = bytes(b)\n");
    assert_eq!(run.verdict, RunVerdict::CodeLimit, "{run:?}");
}

#[test]
fn a_driver_that_was_tampered_with_gives_a_verdict() {
    let tamper = |reply: &str| {
        format!(
            "import sys\ndef f():\n    names = sys._getframe(1).f_globals\n    names['_reply'] = lambda *a, **k: {reply}\n    return 1\n"
        )
    };
    let big = one(&tamper("'{\"verdict\":\"ok\",\"value\":\"' + 'x' * (16 << 20) + '\"}'"));
    assert_eq!(big.verdict, RunVerdict::CodeLimit, "{:?}", big.error);
    let deep = one(&tamper("'{\"verdict\":\"ok\",\"value\":' + '[' * 124 + ']' * 124 + '}'"));
    assert_ne!(deep.verdict, RunVerdict::Ok);
}
