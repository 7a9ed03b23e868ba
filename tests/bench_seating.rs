//! A second opinion on the benches: reads the clues back from the prompt, tries every order with predicates written anew, and
//! must find the one seating that the family calls right.

use gauntlet::puzzles::{Body, Level, Reading, Seeds, TARGETS, family, generate};

struct Bench {
    people: usize,
    one_lie: bool,
    clues: Vec<String>,
}

/// The benches of a prompt.
fn benches(prompt: &str) -> Vec<Bench> {
    let mut benches: Vec<Bench> = Vec::new();
    for line in prompt.lines() {
        if let Some((_, text)) = line.split_once(": bench of ") {
            let people = text.split(' ').next().and_then(|n| n.parse().ok()).expect("seats");
            benches.push(Bench {
                people,
                one_lie: text.contains("Exactly one"),
                clues: Vec::new(),
            });
        } else if let Some((number, clue)) = line.trim_start().split_once(". ")
            && number.parse::<usize>().is_ok()
        {
            benches.last_mut().expect("a bench first").clues.push(clue.to_owned());
        }
    }
    benches
}

/// Whether the sentence is true of a row of letters.
fn is_true(clue: &str, row: &[char]) -> bool {
    let clue = clue.trim_end_matches('.');
    let names: Vec<usize> = clue
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase()))
        .filter_map(|word| row.iter().position(|c| word.starts_with(*c)))
        .collect();
    let number = || -> usize {
        clue.split(' ').find_map(|word| word.parse().ok()).expect("a number in the clue")
    };
    let steps = |a: usize, b: usize| a.max(b) - a.min(b);
    let n = &names;
    if clue.starts_with("Exactly one of these") {
        (n[0] < n[1]) as u8 + (n[2] < n[3]) as u8 == 1
    } else if clue.starts_with("If ") {
        n[2] < n[3] || n[0] > n[1]
    } else if clue.starts_with("Exactly ") {
        steps(n[0], n[1]) - 1 == number()
    } else if clue.contains("directly left of") {
        n[1] - n[0].min(n[1]) == 1
    } else if clue.contains("left of") {
        n[0] < n[1]
    } else if clue.contains("not sit next to") {
        steps(n[0], n[1]) > 1
    } else if clue.contains("next to") {
        steps(n[0], n[1]) == 1
    } else if clue.contains("between") {
        n[1].min(n[2]) < n[0] && n[0] < n[1].max(n[2])
    } else if clue.contains("closer to") {
        steps(n[0], n[1]) < steps(n[0], n[2])
    } else if clue.contains("in seat") {
        n[0] + 1 == number()
    } else if clue.contains("at an end") {
        n[0] == 0 || n[0] == row.len() - 1
    } else if clue.contains("odd number") {
        [1, 3, 5, 7].contains(&(n[0] + 1))
    } else if clue.contains("even number") {
        [2, 4, 6].contains(&(n[0] + 1))
    } else {
        panic!("no such clue: {clue}")
    }
}

/// Calls back with every order of the letters (Heap's exchanges).
fn every_order(row: &mut Vec<char>, from: usize, seen: &mut impl FnMut(&[char])) {
    if from == row.len() {
        return seen(row);
    }
    for other in from..row.len() {
        row.swap(from, other);
        every_order(row, from + 1, seen);
        row.swap(from, other);
    }
}

fn agrees(level: Level, seed: u64) {
    let benches_family = family("bench-seating").expect("the family is listed");
    let key = Seeds::task_key(seed, "gauntlet-4", 0, benches_family.name(), level);
    let task = generate(benches_family, level, key).expect("a task");
    let Body::Puzzle(puzzle) = &task.body else { panic!("a puzzle") };
    let read = benches(&task.prompt);
    assert_eq!(read.len(), TARGETS);
    for (target, bench) in read.iter().enumerate() {
        let mut fits = Vec::new();
        let mut row: Vec<char> = ('A'..).take(bench.people).collect();
        every_order(&mut row, 0, &mut |row| {
            let mut broken = bench.clues.iter().filter(|clue| !is_true(clue, row));
            let lies = usize::from(bench.one_lie);
            if broken.by_ref().take(lies).count() == lies && broken.next().is_none() {
                fits.push(row.iter().collect::<String>());
            }
        });
        let name = format!("level {level} seed {seed} target {target}");
        assert_eq!(fits, [puzzle.solution(target)], "{name}");
        assert_eq!(puzzle.check(target, &fits[0].to_lowercase()), Reading::Hit, "{name}");
    }
}

#[test]
fn every_order_is_tried() {
    for level in Level::all() {
        (0..3).for_each(|seed| agrees(level, seed));
    }
}

#[test]
#[ignore = "many seeds"]
fn every_order_is_tried_over_many_seeds() {
    for level in Level::all() {
        (0..200).for_each(|seed| agrees(level, seed));
    }
}
