//! A second evaluator for tests, written differently: it knows only the printed prompt and works on its text line by line.

use std::collections::BTreeMap;

/// The answers to a prompt.
pub(super) fn solve(prompt: &str) -> Vec<i64> {
    let part = |from: &str, to: &str| {
        let (_, rest) = prompt.split_once(from).expect("a heading");
        rest.split_once(to).expect("an end").0
    };
    let (_, operators) = part("\nOperators", "\n\n").split_once('\n').expect("operators");
    let mut reader = Reader::default();
    for line in operators.lines() {
        let (left, right) = line.trim().split_once(" = ").expect("a definition");
        let sign = left.split(' ').nth(1).expect("a sign");
        reader.operators.insert(sign, right);
    }
    let rounds: i64 = number_after(prompt, "and that ");
    let lines: Vec<&str> = part("\nProgram\n", "After the last")
        .lines()
        .filter(|line| line.starts_with("  "))
        .collect();
    let sum = part("  answer = ", "\n");
    let targets = part("\nTargets\n", "\n\n");
    let mut store = BTreeMap::new();
    if let Some((_, cells)) = targets.split_once("The store always starts with ") {
        set(&mut store, cells.split_once('.').expect("an end").0);
    }
    let inputs = targets.lines().filter_map(|line| line.strip_prefix("TARGET "));
    inputs
        .map(|input| {
            let mut values = store.clone();
            set(&mut values, input.split_once(": ").expect("registers").1);
            for round in 1..=rounds {
                lines.iter().for_each(|line| reader.line(&mut values, line.trim(), round));
            }
            let terms = sum.split(" + ").map(|term| {
                let (weight, name) = term.split_once('*').expect("a term");
                weight.parse::<i64>().expect("a weight") * values[name]
            });
            within(terms.sum())
        })
        .collect()
}

type Values = BTreeMap<String, i64>;

#[derive(Default)]
struct Reader<'a> {
    operators: BTreeMap<&'a str, &'a str>,
}

impl Reader<'_> {
    fn line(&self, values: &mut Values, line: &str, round: i64) {
        if let Some((register, rest)) = line.split_once(" even? ") {
            if values[register] & 1 == 0 {
                self.line(values, rest, round);
            }
        } else if let Some((register, pointer)) = line.split_once(" <> ") {
            let cell = format!("[{}]", values[pointer.trim_matches(['[', ']'])] & 3);
            let held = values.insert(register.to_owned(), values[&cell]).expect("a register");
            values.insert(cell, held);
        } else if let Some((register, c)) = line.split_once(" += i + ") {
            let sum = values[register] + round + c.parse::<i64>().expect("a number");
            values.insert(register.to_owned(), within(sum));
        } else {
            let (to, value) = line.split_once(" <- ").expect("an assignment");
            let words: Vec<&str> = value.split(' ').collect();
            let result = self.apply(words[1], values[words[0]], values[words[2]]);
            values.insert(to.to_owned(), within(result));
        }
    }

    fn apply(&self, sign: &str, x: i64, y: i64) -> i64 {
        let words = self.operators[sign];
        if let Some((first, second)) = words.split_once(" if x is larger than y, otherwise ") {
            return term_sum(if x > y { first } else { second }, x, y);
        }
        let sorted = [x.min(y), x.max(y)];
        match words {
            "the sum, as usual" => x + y,
            "the difference, as usual" => x - y,
            _ if words.starts_with("the smaller") => sorted[0] + number_after(words, "plus "),
            _ if words.contains("minus the smaller") => {
                sorted[1] - sorted[0] + number_after(words, "plus ")
            }
            _ if words.starts_with("the larger") => sorted[1] - number_after(words, "minus "),
            _ => term_sum(words, x, y),
        }
    }
}

/// A sum or difference of terms like `3*y`, `x` and `7`.
fn term_sum(text: &str, x: i64, y: i64) -> i64 {
    let text = text.replace(" - ", " + -");
    let value = |factor: &str| match factor {
        "x" => x,
        "y" => y,
        number => number.parse().expect("a number"),
    };
    let term = |term: &str| match term.strip_prefix('-') {
        Some(rest) => -rest.split('*').map(value).product::<i64>(),
        None => term.split('*').map(value).product(),
    };
    text.split(" + ").map(term).sum()
}

fn number_after(text: &str, mark: &str) -> i64 {
    let (_, rest) = text.split_once(mark).expect("a mark");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

/// Reads `a = 3, b = 4`.
fn set(values: &mut Values, text: &str) {
    for pair in text.split(", ") {
        let (name, value) = pair.split_once(" = ").expect("a value");
        values.insert(name.to_owned(), value.parse().expect("a number"));
    }
}

/// Adds or subtracts 997 until the value is in the range, as the prompt says.
fn within(mut value: i64) -> i64 {
    while value < 0 {
        value += 997;
    }
    while value > 996 {
        value -= 997;
    }
    value
}
