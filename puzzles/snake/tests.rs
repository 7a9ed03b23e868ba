//! Laws of the family over many seeds.

use super::*;
use crate::puzzles::generate;
use crate::rng::Key;
use proptest::prelude::*;
use std::sync::LazyLock;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 150;

/// Characters of a complete right answer, at levels 1 to 4: what the slowest lane writes well before the buzzer.
const ANSWER_MAX: [usize; 4] = [1066, 1600, 2133, 3200];

fn key(level: Level, seed: u64) -> Key {
    Seeds::task_key(seed, "snake laws", 1, "snake", level)
}

/// A draw of every level and seed, made once.
static DRAWS: LazyLock<Vec<(Level, u64, Draw)>> = LazyLock::new(|| {
    let cases = Level::all().flat_map(|level| (0..SEEDS).map(move |seed| (level, seed)));
    cases.map(|(level, seed)| (level, seed, first_draw(level, seed))).collect()
});

/// The first draw that is accepted, as `generate` finds it.
fn first_draw(level: Level, seed: u64) -> Draw {
    (0..64)
        .find_map(|sub_stream| Draw::new(level, &Seeds::new(key(level, seed), sub_stream)))
        .expect("a draw of the level asked for")
}

#[test]
fn the_ladder_holds() {
    for (level, seed, draw) in DRAWS.iter() {
        let count = draw.order.len();
        assert_eq!(count, LEVELS[level.index()].rules);
        let outcomes = draw.inputs.each_ref().map(|input| play(&draw.rules, input));
        for (target, input) in draw.inputs.iter().enumerate() {
            assert_eq!(draw.contract.check(input), Ok(()), "level {level} seed {seed}");
            assert_eq!(input.keys.len(), keys(*level, target));
            assert!(!outcomes[..target].contains(&outcomes[target]));
            for (place, rule) in draw.order.iter().enumerate() {
                let same = play(&draw.rules.without(*rule), input) == outcomes[target];
                if place >= allowed(count, target) {
                    assert!(same, "level {level} seed {seed}: {rule:?} shows too early");
                } else if place >= newest(count, target) {
                    assert!(!same, "level {level} seed {seed}: {rule:?} does not show");
                }
            }
        }
    }
}

#[test]
fn missing_one_rule_never_hits_all_and_a_memorised_snake_hits_nothing() {
    let mut hits_plain = 0;
    for (level, seed, draw) in DRAWS.iter() {
        let task = draw.task();
        assert_eq!(task.slips.len(), draw.order.len());
        for slip in &task.slips {
            assert!(slip.hits.contains(&false), "level {level} seed {seed}: {}", slip.misses);
            assert_ne!(slip.code, task.solution);
        }
        let plain = draw.rules.plain();
        let hit = |input: &&Input| play(&plain, input) == play(&draw.rules, input);
        hits_plain += draw.inputs.iter().filter(hit).count();
    }
    // The design asks for less than 0.3 a range; the gate of an input makes it none.
    assert_eq!(hits_plain, 0);
}

#[test]
fn answers_fit_their_time() {
    for (level, most) in Level::all().zip(ANSWER_MAX) {
        for seed in 0..SEEDS {
            let task = generate(&Snake, level, key(level, seed)).expect("a task");
            assert!(task.solution().len() <= most, "level {level}: {}", task.solution().len());
        }
    }
}

#[test]
fn every_rule_and_every_end_comes_up() {
    let mut missing = Rule::ALL.to_vec();
    let mut words = vec!["done", "self", "wall", "reverse", "stone", "starved"];
    for (_, _, draw) in DRAWS.iter() {
        missing.retain(|rule| !draw.rules.has(*rule));
        for input in &draw.inputs {
            let word = play(&draw.rules, input).cause.word();
            words.retain(|other| *other != word);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(words.is_empty(), "{words:?}");
}

#[test]
fn the_example_gives_no_seeded_reading_away() {
    for (_, _, draw) in DRAWS.iter() {
        let outcome = play(&draw.rules, &draw.example);
        assert_eq!(draw.contract.check(&draw.example), Ok(()));
        assert_eq!(play(&draw.rules.plain(), &draw.example), outcome);
        for rule in &draw.order {
            assert_eq!(play(&draw.rules.without(*rule), &draw.example), outcome);
        }
    }
}

#[test]
fn every_printed_sentence_matters() {
    for (level, seed, draw) in DRAWS.iter() {
        let rules = draw.rules;
        for rule in Rule::ALL.into_iter().filter(|rule| rules.sentence(*rule).is_some()) {
            let misread = if rules.has(rule) { rules.without(rule) } else { rules.with(rule) };
            let same = |input: &Input| play(&misread, input) == play(&rules, input);
            assert!(!draw.inputs.iter().all(same), "level {level} seed {seed}: {rule:?}");
        }
    }
}

#[test]
fn prompts_are_plain_and_fit_a_screen() {
    for (level, seed, draw) in DRAWS.iter() {
        let text = prompt::text(&draw.rules, &draw.contract, &draw.example);
        assert!(text.is_ascii() && text.ends_with('\n') && !text.ends_with("\n\n"));
        assert!(text.len() < 5000, "level {level} seed {seed}: {}", text.len());
        for line in text.lines().filter(|line| !line.starts_with("Example: ")) {
            assert!(line.len() <= 110 && !line.ends_with(' '), "{line}");
        }
    }
}

#[test]
fn the_same_key_gives_the_same_task() {
    for level in Level::all() {
        let [first, second] =
            [0, 0].map(|_| generate(&Snake, level, key(level, 21)).expect("a task"));
        assert_eq!(first.prompt, second.prompt);
        assert_eq!(first.solution(), second.solution());
        assert_eq!(first.drawn.level, level);
    }
}

#[test]
fn effort_grows_with_the_level() {
    let effort = |level: Level| -> u64 {
        let draws = DRAWS.iter().filter(|(other, _, _)| *other == level);
        draws.map(|(_, _, draw)| draw.task().effort.iter().sum::<u64>()).sum()
    };
    let efforts: Vec<u64> = Level::all().map(effort).collect();
    assert!(efforts.is_sorted(), "{efforts:?}");
}

#[test]
fn prompts_are_pinned() {
    for level in [1, 4, 9].into_iter().filter_map(Level::new) {
        let task = generate(&Snake, level, key(level, 21)).expect("a task");
        let text = format!("{}\n{}", task.prompt, task.solution());
        insta::assert_snapshot!(format!("level_{level}"), text);
    }
}

fn rules_of(mask: u16, hunger: u32, streak: u32, seed: u64) -> Rules {
    let mut rules = Rules::draw(6, &mut Key::of(&[b"snake law", &seed.to_le_bytes()]).stream(0));
    (rules.hunger, rules.streak) = (hunger, streak);
    let on = Rule::ALL.into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    on.fold(rules, |rules, (_, rule)| rules.with(rule))
}

proptest! {
    #[test]
    fn the_engine_takes_any_input_of_the_contract(
        mask in 0u16..1024,
        hunger in 1u32..8,
        streak in 1u32..4,
        seed in any::<u64>(),
        side in (6i32..=10, 6i32..=10),
        foods in prop::collection::vec((0i32..10, 0i32..10, 1u32..=4), 1..=16),
        keys in prop::collection::vec(0usize..4, 1..80),
    ) {
        let rules = rules_of(mask, hunger, streak, seed);
        let contract = Contract {
            side: (6, 10),
            body: (2, 6),
            keys: (1, 80),
            portal: rules.has(Rule::Portal).then_some(rules.portal),
        };
        let board = board::Board { w: side.0, h: side.1 };
        let mut rng = Key::of(&[b"snake body", &seed.to_le_bytes()]).stream(0);
        let start = (0..64).find_map(|_| walks::start(&contract, board, &mut rng));
        let (body, heading) = start.expect("a snake fits on every board");
        let input = Input {
            board,
            body,
            heading,
            foods: foods
                .into_iter()
                .map(|(r, c, value)| board::Food {
                    cell: board::Cell { r: r % board.h, c: c % board.w },
                    value,
                })
                .collect(),
            keys: keys.into_iter().map(|key| board::Heading::ALL[key]).collect(),
        };
        prop_assume!(contract.check(&input).is_ok());
        let outcome = play(&rules, &input);
        prop_assert!(outcome.ticks as usize <= input.keys.len());
        prop_assert!(outcome.length >= 2);
        prop_assert!(board.holds(outcome.head));
        let done = outcome.cause == Cause::Done;
        prop_assert!(!done || outcome.ticks as usize == input.keys.len());
    }
}

#[test]
fn the_contract_refuses_what_the_prompt_excludes() {
    let draw = first_draw(Level::MIN, 1);
    let good = draw.inputs[0].clone();
    type Spoil = fn(&mut Input);
    let bad: [(&str, Spoil); 9] = [
        ("board size", |input| input.board.w = 5),
        ("length of the body", |input| input.body.truncate(2)),
        ("body on free cells of the board", |input| input.body[2].r = -1),
        ("body cells differ", |input| input.body[2] = input.body[0]),
        ("body cells touch", |input| {
            input.body[2] = board::Cell { r: (input.body[0].r + 3) % 6, c: input.body[0].c }
        }),
        ("heading leads from the second cell to the head", |input| {
            input.heading = input.heading.opposite();
        }),
        ("number of foods", |input| input.foods.clear()),
        ("foods in a row differ", |input| input.foods = vec![input.foods[0]; 2]),
        ("number of keys", |input| input.keys.clear()),
    ];
    for (promise, spoil) in bad {
        let mut input = good.clone();
        spoil(&mut input);
        assert_eq!(draw.contract.check(&input), Err(promise));
    }
    assert_eq!(draw.contract.check(&good), Ok(()));
}
