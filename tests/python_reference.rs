//! The references in Rust against Python: generated solutions and slips of every code family run on their inputs, and the
//! painter against a second reading of its prompt.
//!
//! Python is a child process here, in tests only, and runs nothing but sources of this repository. Without a `python3` the
//! tests say so and pass.

use gauntlet::puzzles::painter::{Params, contract::Contract, engine::paint, python, rules::Rules};
use gauntlet::puzzles::{Body, CodeTask, FAMILIES, Kind, Level, Seeds, TARGETS, generate};
use gauntlet::rng::Key;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn skipped() {
    println!("skipped: there is no python3 on this machine");
}

/// Sends requests to a script of `tests/python`, one a line, and reads an answer for each; nothing without a Python.
fn ask(script: &str, requests: &[Value]) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let child = Command::new("python3")
        .arg("-I")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        skipped();
        return None;
    };
    let mut text = String::new();
    for request in requests {
        writeln!(text, "{request}").expect("a string takes every text");
    }
    let mut input = child.stdin.take().expect("stdin is a pipe");
    // The child answers while it reads, so one thread writes and this one reads.
    let writer = thread::spawn(move || input.write_all(text.as_bytes()));
    let mut answers = String::new();
    let mut output = child.stdout.take().expect("stdout is a pipe");
    output.read_to_string(&mut answers).expect("answers are text");
    writer.join().expect("the writer ends").expect("the script reads all requests");
    assert!(child.wait().expect("the script ends").success(), "{script} failed");
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).expect("answers are JSON")).collect();
    assert_eq!(answers.len(), requests.len());
    Some(answers)
}

/// Which targets the values hit.
fn hits(code: &CodeTask, values: &Value) -> [bool; TARGETS] {
    std::array::from_fn(|target| values[target] == code.expected[target])
}

/// Solutions hit every target, and slips exactly those that they say, for tasks of every level.
fn solutions_and_slips(seeds: u64) {
    for family in FAMILIES.iter().filter(|family| family.kind() == Kind::Code) {
        for level in Level::all() {
            let tasks: Vec<CodeTask> = (0..seeds)
                .map(|seed| {
                    let key = Seeds::task_key(seed, "python", 1, family.name(), level);
                    match generate(*family, level, key).expect("a task").body {
                        Body::Code(code) => *code,
                        Body::Puzzle(_) => panic!("{} is no code family", family.name()),
                    }
                })
                .collect();
            let call = |task: &CodeTask, code: &str| json!({"code": code, "function": task.function, "inputs": task.inputs});
            let mut requests = Vec::new();
            let mut wanted = Vec::new();
            for task in &tasks {
                requests.push(call(task, &task.solution));
                wanted.push((task, "nothing", [true; TARGETS]));
                for slip in &task.slips {
                    requests.push(call(task, &slip.code));
                    wanted.push((task, slip.misses, slip.hits));
                }
            }
            let Some(answers) = ask("call.py", &requests) else { return };
            for (((task, misses, wanted), request), values) in
                wanted.into_iter().zip(&requests).zip(&answers)
            {
                assert_eq!(
                    hits(task, values),
                    wanted,
                    "{} level {level}, code that misses {misses}:\n{}\non {}\ngave {values}",
                    family.name(),
                    request["code"].as_str().unwrap_or_default(),
                    request["inputs"],
                );
            }
        }
    }
}

/// The painter's reference, its solutions and the second reading agree on random inputs of the contract.
fn painter_readings(rule_sets: u64, inputs: usize) {
    for level in Level::all() {
        for set in 0..rule_sets {
            let params = Params::of(level);
            let key = Key::of(&[b"painter readings", &[level.get()], &set.to_le_bytes()]);
            let mut rng = key.stream(0);
            let (rules, _) = Rules::draw(params.commands, params.rules, params.tank, &mut rng);
            let contract = Contract::new(params.commands, params.side, params.max_ops, &rules);
            let mut calls = Vec::new();
            let mut expected = Vec::new();
            for _ in 0..inputs {
                let (h, w) = contract.draw_sides(&mut rng);
                let count = 1 + rng.index(contract.max_ops);
                let ops: Vec<_> = (0..count).map(|_| contract.draw_op(h, w, &mut rng)).collect();
                expected.push(json!(paint(h, w, &ops, rules).rows()));
                let ops: Vec<Value> = ops.iter().map(|op| op.to_value()).collect();
                calls.push(json!([h, w, ops]));
            }
            let names: Vec<&str> = rules.active().map(|rule| rule.name()).collect();
            let second = json!({
                "rules": names,
                "mixed": rules.mixing_list(),
                "wet": rules.wet,
                "tank": rules.tank,
                "inputs": calls,
            });
            let code = python::source(&contract, &rules);
            let solution = json!({"code": code, "function": "paint", "inputs": calls});
            let Some(second) = ask("painter_reference.py", &[second]) else { return };
            let Some(solved) = ask("call.py", &[solution]) else { return };
            for (at, expected) in expected.iter().enumerate() {
                let call = &calls[at];
                assert_eq!(&second[0][at], expected, "second reading, {rules:?} on {call}");
                assert_eq!(&solved[0][at], expected, "{code}\non {call}");
            }
        }
    }
}

#[test]
fn solutions_hit_and_slips_hit_what_they_say() {
    solutions_and_slips(8);
}

#[test]
fn painter_agrees_with_a_second_reading() {
    painter_readings(4, 60);
}

#[test]
#[ignore = "minutes: many seeds of every code family"]
fn many_solutions_hit_and_slips_hit_what_they_say() {
    solutions_and_slips(150);
}

#[test]
#[ignore = "minutes: 10,000 inputs for each of 27 rule sets"]
fn painter_agrees_with_a_second_reading_at_length() {
    painter_readings(3, 10_000);
}
