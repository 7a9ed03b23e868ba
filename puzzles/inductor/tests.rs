//! Laws of the family over many seeds.

use super::draw::{EXAMPLES, plain, wrong};
use super::levels::Dial;
use super::list::{LENGTH_MAX, List};
use super::search::{Pair, search};
use super::step::{Kind as StepKind, Step};
use super::*;
use crate::puzzles::TARGETS;
use crate::puzzles::laws::{self, cases, puzzle};
use crate::rng::Key;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 12;

fn task(level: Level, seed: u64) -> Task {
    laws::task(&Inductor, level, seed)
}

/// The first draw that the family accepts.
fn drawn(level: Level, seed: u64) -> Induction {
    laws::drawn(&Inductor, level, seed, draw::induction)
}

fn every_chain_is_tried(seeds: u64) {
    for (level, seed) in cases(seeds) {
        let task = task(level, seed);
        let right: Vec<String> =
            (0..TARGETS).map(|target| puzzle(&task).solution(target)).collect();
        let found = second::solve(&task.prompt);
        assert_eq!(found, BTreeSet::from([right]), "level {level} seed {seed}\n{}", task.prompt);
    }
}

#[test]
fn a_reader_of_the_prompt_finds_one_answer() {
    every_chain_is_tried(2);
}

#[test]
#[ignore = "many seeds"]
fn a_reader_of_the_prompt_finds_one_answer_over_many_seeds() {
    every_chain_is_tried(60);
}

#[test]
fn every_step_and_its_reading_shows() {
    for (level, seed) in cases(SEEDS) {
        let Induction { chain, examples, targets, slips, .. } = drawn(level, seed);
        let name = format!("level {level} seed {seed}");
        for wrong in wrong(&chain) {
            let contradicts = |pair: &&Pair| run(&wrong, &pair.input) != pair.output;
            assert!(examples.iter().filter(contradicts).count() >= 2, "{name} {wrong:?}");
            assert_eq!(targets.iter().filter(contradicts).count(), TARGETS, "{name} {wrong:?}");
        }
        for (pair, slips) in targets.iter().zip(&slips) {
            assert_eq!(run(&chain, &pair.input), pair.output);
            assert_eq!(slips.len(), 2 * chain.len());
            assert!(!slips.contains(&pair.output), "{name}");
        }
    }
}

#[test]
fn results_are_no_copy_and_nothing_plain() {
    for (level, seed) in cases(SEEDS) {
        let task = task(level, seed);
        let puzzle = puzzle(&task);
        let Induction { targets, .. } = drawn(level, seed);
        for (target, Pair { input, output }) in targets.iter().enumerate() {
            let mut sorted = input.numbers().to_vec();
            sorted.sort_unstable();
            let lists = [
                input.numbers().to_vec(),
                input.numbers().iter().rev().copied().collect(),
                sorted.clone(),
                sorted.iter().rev().copied().collect(),
                Vec::new(),
                vec![0],
            ];
            for list in lists {
                let text = List::of(list).to_string();
                let reading = puzzle.check(target, &text);
                assert!(matches!(reading, Reading::Wrong(_)), "{text}: {reading:?}");
            }
            assert!(!plain(&Pair { input: *input, output: *output }));
            assert!((3..=12).contains(&output.numbers().len()));
            assert!(output.numbers().iter().all(|number| (0..=999).contains(number)));
            assert!(targets[..target].iter().all(|other| other.output != *output));
        }
    }
}

#[test]
fn sizes_are_those_of_the_level() {
    let mut kinds = BTreeSet::new();
    let (mut readings, mut steps) = ([0; 2], 0);
    for (level, seed) in cases(SEEDS) {
        let dial = Dial::of(level);
        let induction = drawn(level, seed);
        assert_eq!(induction.menu.len(), dial.steps);
        assert_eq!(induction.chain.len(), dial.chain);
        assert_eq!(induction.examples.len(), EXAMPLES);
        for (target, pair) in induction.targets.iter().enumerate() {
            assert_eq!(pair.input.numbers().len(), Dial::of(level.on_ladder(target)).length);
        }
        let Induction { menu, examples, targets, .. } = &induction;
        let found = search(menu, dial.chain, examples, targets).expect("all chains agree");
        assert!(found.shortest == dial.chain && found.fitting >= 1);
        assert!(found.work >= (dial.steps as u64).pow(dial.chain as u32));
        for (at, step) in menu.iter().enumerate() {
            assert!(!menu[..at].contains(step));
            readings[usize::from(step.other)] += 1;
            steps += 1;
        }
        kinds.extend(induction.chain.iter().map(|step| step.kind));
        assert!(dial.length + 1 + dial.chain <= LENGTH_MAX);
    }
    assert_eq!(kinds.len(), StepKind::ALL.len(), "every kind comes up in chains");
    assert!(readings.iter().all(|count| count * 3 > steps), "{readings:?}");
}

#[test]
fn an_example_less_can_leave_it_open() {
    // Without examples every chain fits, and they do not agree.
    let all_open = cases(1).all(|(level, seed)| {
        let Induction { menu, chain, targets, .. } = drawn(level, seed);
        let nothing = Pair { input: List::of([]), output: List::of([]) };
        search(&menu, chain.len(), &[nothing; EXAMPLES], &targets).is_none()
    });
    assert!(all_open);
}

#[test]
fn prompts_are_tidy() {
    for (level, seed) in cases(SEEDS) {
        let prompt = task(level, seed).prompt;
        assert!(prompt.len() < 6_000 && prompt.is_ascii());
        assert!(prompt.lines().all(|line| line.len() <= 120 && !line.ends_with(' ')), "{prompt}");
    }
}

#[test]
fn slips_and_starts_miss_and_guesses_are_read() {
    let mut rng = Key::of(&[b"inductor slips"]).stream(0);
    for (level, seed) in cases(SEEDS) {
        let task = task(level, seed);
        let puzzle = puzzle(&task);
        for target in 0..TARGETS {
            let start = puzzle.start(target).expect("a start");
            for wrong in [puzzle.slip(target, &mut rng), start] {
                assert!(matches!(puzzle.check(target, &wrong), Reading::Wrong(_)), "{wrong}");
            }
            let guess = puzzle.guess(target, &mut rng);
            assert!(!matches!(puzzle.check(target, &guess), Reading::Unreadable(_)), "{guess}");
        }
    }
}

/// Every kind in its two readings, on one list.
#[test]
fn steps_by_hand() {
    let list = List::of([5, 2, 8, 2, 3]);
    for (kind, k, plain, other) in [
        (StepKind::Reverse, 0, "3 2 8 2 5", "5 3 2 8 2"),
        (StepKind::Sort, 0, "2 2 3 5 8", "8 5 3 2 2"),
        (StepKind::Rotate, 2, "8 2 3 5 2", "2 3 5 2 8"),
        (StepKind::Pairs, 0, "2 5 2 8 3", "5 8 2 3 2"),
        (StepKind::Unzip, 0, "5 8 3 2 2", "2 2 5 8 3"),
        (StepKind::ParityFirst, 0, "2 8 2 5 3", "5 3 2 8 2"),
        (StepKind::Drop, 2, "8 2 3", "5 2 8"),
        (StepKind::Parity, 0, "2 8 2", "5 3"),
        (StepKind::Above, 3, "5 8", "5 8 3"),
        (StepKind::Once, 0, "5 2 8 3", "5 8 2 3"),
        (StepKind::Records, 0, "5 8", "5 8 3"),
        (StepKind::Places, 0, "5 8 3", "2 2"),
        (StepKind::Extreme, 0, "5 2 2 3", "5 8 3"),
        (StepKind::Add, 4, "9 6 12 6 7", "5 6 8 6 3"),
        (StepKind::Times, 3, "15 6 24 6 9", "5 6 24 6 3"),
        (StepKind::Less, 4, "1 2 4 2 1", "1 0 4 0 0"),
        (StepKind::AddPlace, 0, "6 4 11 6 8", "10 6 11 4 4"),
        (StepKind::Running, 0, "5 7 15 17 20", "20 15 13 5 3"),
        (StepKind::Neighbour, 0, "7 10 10 5 3", "5 7 10 10 5"),
        (StepKind::Gap, 0, "3 6 6 1 3", "5 3 6 6 1"),
        (StepKind::Halve, 0, "2 1 4 1 1", "3 1 4 1 2"),
        (StepKind::Highest, 0, "5 5 8 8 8", "8 8 8 3 3"),
        (StepKind::Sum, 0, "5 2 8 2 3 20", "20 5 2 8 2 3"),
        (StepKind::Count, 0, "5 2 8 2 3 5", "5 5 2 8 2 3"),
    ] {
        let step = Step { kind, other: false, k };
        assert_eq!(step.apply(&list).to_string(), plain, "{kind:?}");
        assert_eq!(step.misread().apply(&list).to_string(), other, "{kind:?}");
        assert_eq!(step.misread().misread(), step);
        for length in 0..4 {
            for step in [step, step.misread()] {
                // Short lists too, and nothing below 0.
                let short = step.apply(&List::of([3, 1, 4].into_iter().take(length)));
                assert!(short.numbers().iter().all(|number| *number >= 0), "{step:?}");
                assert!(short.numbers().len() <= length + 1, "{step:?}");
            }
        }
    }
}

#[test]
fn notations_of_one_list() {
    for value in [
        "7 0 12",
        "7, 0, 12",
        "[7, 0, 12]",
        "[7,0,12].",
        "(7 0 12)",
        "{7; 0; 12}",
        "7|0|12",
        "+7 00 12",
    ] {
        assert_eq!(read(value), Ok(vec![7, 0, 12]), "{value}");
    }
    for value in ["[]", "[ ]", "()", "empty", "Empty."] {
        assert_eq!(read(value), Ok(Vec::new()), "{value}");
    }
    assert_eq!(read("-3 4"), Ok(vec![-3, 4]));
}

#[test]
fn what_is_not_a_list() {
    for value in [
        "",
        "-",
        ".",
        ",",
        "7 x",
        "7.5",
        "[7 0",
        "7 -> 0",
        "seven",
        "9999999999999999999 1",
        "\u{664}",
        "1 - 2",
    ] {
        assert!(read(value).is_err(), "{value}");
    }
    assert!(read(&"1 ".repeat(500_000)).is_err());
}

#[test]
fn what_is_wrong_is_said() {
    let task = task(Level::MIN, 0);
    let right = puzzle(&task).solution(0);
    let longer = format!("{right} 1");
    let said = puzzle(&task).check(0, &longer);
    let length = right.split(' ').count();
    assert_eq!(said, Reading::Wrong(format!("{} numbers, not {length}", length + 1)));
    let changed = format!("1000{right}");
    let said = puzzle(&task).check(0, &changed);
    let (right, of) = (length - 1, length);
    let words = format!("{right} of {of} numbers right, the first wrong one is number 1");
    assert_eq!(said, Reading::Wrong(words));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read(list in proptest::collection::vec(0_i32..1_000, 0..LENGTH_MAX)) {
        let text = List::of(list.iter().copied()).to_string();
        let list: Vec<i64> = list.into_iter().map(i64::from).collect();
        prop_assert_eq!(read(&text), Ok(list));
    }

    #[test]
    fn any_text_is_read(value in ".{0,60}", target in 0..TARGETS) {
        let task = task(Level::MIN, 1);
        let hit = puzzle(&task).check(target, &value) == Reading::Hit;
        prop_assert!(!hit || value.contains(|c: char| c.is_ascii_digit()));
    }
}
