//! Laws that every family keeps at every level: a few seeds in the ordinary run, a thousand in the ignored one.

use gauntlet::puzzles::emit::gate;
use gauntlet::puzzles::{
    Body, FAMILIES, Family, Level, Puzzle, Reading, Seeds, TARGETS, Task, generate,
};
use gauntlet::rng::{Key, Stream};
use proptest::prelude::*;
use std::collections::BTreeMap;

const FEW: u64 = 12;
const MANY: u64 = 1_000;
const PROMPT_CHARS_MAX: usize = 6_000;

/// Buzzers of level 1 to 4, in seconds.
const BUZZER_S: [usize; 4] = [20, 30, 40, 60];

fn task(family: &dyn Family, level: Level, seed: u64) -> Task {
    let key = Seeds::task_key(seed, "gauntlet-4", 0, family.name(), level);
    generate(family, level, key)
        .unwrap_or_else(|why| panic!("{} level {level} seed {seed}: {why}", family.name()))
}

fn effort(task: &Task) -> u64 {
    match &task.body {
        Body::Puzzle(puzzle) => (0..TARGETS).map(|target| puzzle.effort(target)).sum(),
        Body::Code(code) => code.effort.iter().sum(),
    }
}

fn stream(name: &str) -> Stream {
    Key::of(&[b"gauntlet families test", name.as_bytes()]).stream(0)
}

fn keeps_the_laws(family: &dyn Family, seeds: u64) {
    let mut effort_before = 0;
    for level in Level::all() {
        let mut effort_sum = 0;
        let mut fallbacks = 0;
        for seed in 0..seeds {
            let name = format!("{} level {level} seed {seed}", family.name());
            let task = task(family, level, seed);
            gate(&task).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(task.kind(), family.kind(), "{name}");
            assert_eq!((task.family, task.level), (family.name(), level), "{name}");
            assert!(task.prompt.is_ascii() && task.prompt.ends_with('\n'), "{name}");
            assert!(
                task.prompt.len() <= PROMPT_CHARS_MAX,
                "{name}: {} characters",
                task.prompt.len()
            );
            assert_answer_fits(&task, &name);
            if let Body::Puzzle(puzzle) = &task.body {
                slips_miss(&**puzzle, &name);
            }
            fallbacks += u64::from(task.drawn.level != level);
            effort_sum += effort(&task);
        }
        assert!(fallbacks * 100 <= seeds, "{} level {level}: {fallbacks} fallbacks", family.name());
        assert!(
            effort_sum > effort_before,
            "{} level {level}: effort {effort_sum} after {effort_before}",
            family.name()
        );
        effort_before = effort_sum;
    }
}

/// A lane of 20 tokens a second can write the right answer one and a half times before the buzzer; 4 characters a token.
fn assert_answer_fits(task: &Task, name: &str) {
    if let Some(buzzer_s) = BUZZER_S.get(task.level.index()) {
        let tokens = task.solution().len().div_ceil(4);
        assert!(tokens * 3 <= 2 * 20 * buzzer_s, "{name}: an answer of {tokens} tokens");
    }
}

fn slips_miss(puzzle: &dyn Puzzle, name: &str) {
    let mut rng = stream(name);
    for target in (0..TARGETS).cycle().take(4 * TARGETS) {
        let slip = puzzle.slip(target, &mut rng);
        let reading = puzzle.check(target, &slip);
        assert!(
            matches!(reading, Reading::Wrong(_)),
            "{name} target {target}: {slip} is {reading:?}"
        );
    }
}

#[test]
fn laws() {
    for family in FAMILIES {
        keeps_the_laws(*family, FEW);
    }
}

#[test]
#[ignore = "a thousand seeds a level"]
fn laws_over_many_seeds() {
    for family in FAMILIES {
        keeps_the_laws(*family, MANY);
    }
}

#[test]
fn same_seed_same_bytes() {
    for family in FAMILIES {
        for level in Level::all() {
            let (first, second) = (task(*family, level, 3), task(*family, level, 3));
            assert_eq!(first.prompt, second.prompt);
            assert_eq!(first.solution(), second.solution());
            assert_ne!(first.prompt, task(*family, level, 4).prompt);
        }
    }
}

#[test]
fn names_are_unique() {
    let names: BTreeMap<&str, &str> = FAMILIES.iter().map(|f| (f.name(), f.title())).collect();
    assert_eq!(names.len(), FAMILIES.len());
}

/// Hits of blind guesses stay below one in a hundred at every level.
fn blind_guesses_miss(guesses_a_family: u64) {
    for family in FAMILIES {
        for level in Level::all() {
            let mut rng = stream(family.name());
            let rounds = guesses_a_family / 9 / 10 / TARGETS as u64;
            let (mut hits, mut guesses) = (0_u64, 0_u64);
            for seed in 0..10 {
                let Body::Puzzle(puzzle) = task(*family, level, seed).body else { continue };
                for target in 0..TARGETS {
                    for _ in 0..rounds {
                        let guess = puzzle.guess(target, &mut rng);
                        let reading = puzzle.check(target, &guess);
                        assert!(!matches!(reading, Reading::Unreadable(_)), "{guess}: {reading:?}");
                        hits += u64::from(reading == Reading::Hit);
                        guesses += 1;
                    }
                }
            }
            assert!(hits * 100 <= guesses, "{} level {level}: {hits} of {guesses}", family.name());
        }
    }
}

#[test]
fn blind_guesses() {
    blind_guesses_miss(100_000);
}

#[test]
#[ignore = "a million guesses a family and level"]
fn many_blind_guesses() {
    blind_guesses_miss(9_000_000);
}

#[test]
fn prompts() {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        for family in FAMILIES {
            for level in [1, 5, 9].into_iter().filter_map(Level::new) {
                let name = format!("{}-{level}", family.name());
                insta::assert_snapshot!(name, task(*family, level, 21).prompt);
            }
        }
    });
}

fn never_panics(value: &str) {
    for family in FAMILIES {
        for level in [1, 9].into_iter().filter_map(Level::new) {
            if let Body::Puzzle(puzzle) = &tasks()[&(family.name(), level)].body {
                for target in 0..TARGETS {
                    // Whatever it is, it is read; nothing here is long enough to hit by chance.
                    let _ = puzzle.check(target, value);
                }
            }
        }
    }
}

/// One task a family at the outer levels, drawn once.
fn tasks() -> &'static BTreeMap<(&'static str, Level), Task> {
    static TASKS: std::sync::OnceLock<BTreeMap<(&'static str, Level), Task>> =
        std::sync::OnceLock::new();
    TASKS.get_or_init(|| {
        let levels = || [1, 9].into_iter().filter_map(Level::new);
        let each = FAMILIES.iter().flat_map(|f| levels().map(move |level| (*f, level)));
        each.map(|(f, level)| ((f.name(), level), task(f, level, 0))).collect()
    })
}

proptest! {
    #[test]
    fn any_text_is_read(value in any::<String>()) {
        never_panics(&value);
    }

    #[test]
    fn any_answer_like_text_is_read(value in "[A-Ja-j0-9 ,;|>/+&.-]{0,80}") {
        never_panics(&value);
    }
}

#[test]
fn long_text_is_read_fast() {
    for part in ["A", "AB - ", "->", " ", "\u{1f6a3}", "\n", "9", "UDLR/"] {
        never_panics(&part.repeat(1_000_000 / part.len()));
    }
}
