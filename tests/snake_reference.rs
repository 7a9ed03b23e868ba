//! Snake against a second reference: `tests/python/snake_reference.py`, written from the prompt's text, must agree with the
//! engine on every rule set. Skipped, and said so, where there is no `python3`.

use gauntlet::puzzles::snake::board::{Contract, Heading, Input};
use gauntlet::puzzles::snake::engine::{Outcome, play};
use gauntlet::puzzles::snake::rules::{Rule, Rules};
use gauntlet::puzzles::snake::walks::{Plan, walk};
use gauntlet::rng::{Key, Stream};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/snake_reference.py");

#[test]
fn python_agrees_on_a_few_inputs_of_every_kind_of_rule_set() {
    compare(24, 100);
}

#[test]
#[ignore = "10,000 inputs for each of 40 rule sets take a minute"]
fn python_agrees_on_many_inputs() {
    compare(40, 10_000);
}

fn compare(rule_sets: u64, inputs: usize) {
    let has_python = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_python {
        // Straight to the stream: the test harness swallows what a passing test prints.
        let _ = writeln!(std::io::stderr(), "skipped: no python3 to compare the engine with");
        return;
    }
    for number in 0..rule_sets {
        let mut rng = Key::of(&[b"snake reference", &number.to_le_bytes()]).stream(0);
        let (rules, shown) = rule_set(number, &mut rng);
        let games: Vec<Input> =
            std::iter::repeat_with(|| game(&rules, &shown, &mut rng)).take(inputs).collect();
        let ours: Vec<Value> =
            games.iter().map(|input| Outcome::json(&play(&rules, input))).collect();
        let theirs = python(&rules, &games);
        assert_eq!(ours.len(), theirs.len());
        for ((input, ours), theirs) in games.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, theirs, "{} with {shown:?}", Value::Array(input.arguments()));
        }
    }
}

/// The default rules, each rule alone, all of them, then random sets.
fn rule_set(number: u64, rng: &mut Stream) -> (Rules, Vec<Rule>) {
    let shown: Vec<Rule> = match usize::try_from(number) {
        Ok(0) => Vec::new(),
        Ok(number) if number <= Rule::ALL.len() => vec![Rule::ALL[number - 1]],
        Ok(number) if number == Rule::ALL.len() + 1 => Rule::ALL.to_vec(),
        _ => Rule::ALL.into_iter().filter(|_| rng.percent(50)).collect(),
    };
    let numbers = Rules::draw(6, rng);
    (shown.iter().fold(numbers, |rules, rule| rules.with(*rule)), shown)
}

/// A directed walk, in half of the cases with random keys from some point on.
fn game(rules: &Rules, shown: &[Rule], rng: &mut Stream) -> Input {
    let contract = Contract {
        side: (6, 9),
        body: (2, 6),
        keys: (1, 60),
        portal: rules.has(Rule::Portal).then_some(rules.portal),
    };
    loop {
        let deadly: Vec<Rule> = shown.iter().copied().filter(|rule| rule.kills()).collect();
        let must: Vec<Rule> = rng.pick(&deadly).copied().into_iter().collect();
        let keys = 10 + rng.index(50);
        let plan = Plan { rules, contract: &contract, shown, must: &must, keys };
        let Some(mut input) = walk(&plan, rng) else { continue };
        if rng.percent(50) {
            let from = rng.index(keys);
            input.keys[from..].iter_mut().for_each(|key| *key = Heading::any(rng));
        }
        if contract.check(&input).is_ok() {
            return input;
        }
    }
}

fn python(rules: &Rules, games: &[Input]) -> Vec<Value> {
    let [first, second] = rules.portal;
    let number = |rule: Rule, number: u32| rules.has(rule).then_some(number);
    let case = json!({
        "rules": {
            "keys_turn": rules.has(Rule::Keys),
            "reverse_kills": rules.has(Rule::Reverse),
            "wraps": rules.has(Rule::Edge),
            "tail_bites": rules.has(Rule::Tail),
            "grows_by_value": rules.has(Rule::Growth),
            "hunger": number(Rule::Hunger, rules.hunger),
            "toll": rules.has(Rule::Toll),
            "portal": rules.has(Rule::Portal).then(|| [first.json(), second.json()]),
            "streak": number(Rule::Streak, rules.streak),
            "stones": rules.has(Rule::Stone),
        },
        "inputs": games.iter().map(Input::arguments).collect::<Vec<_>>(),
    });
    let mut child = Command::new("python3")
        .arg(SCRIPT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    // The whole case is one line and is read before anything is written, so the pipes cannot block each other.
    let mut stdin = child.stdin.take().expect("a pipe");
    writeln!(stdin, "{case}").expect("python3 reads");
    drop(stdin);
    let output = child.wait_with_output().expect("python3 ends");
    assert!(output.status.success(), "{SCRIPT} failed");
    serde_json::from_slice(&output.stdout).expect("a list of results")
}
