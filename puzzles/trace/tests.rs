//! Laws of the family over many seeds.

use super::draw::{inputs, program};
use super::levels::Dial;
use super::machine::{Assign, Form, Op, Operator, Statement, misreadings};
use super::*;
use crate::puzzles::generate;
use crate::puzzles::laws::{self, cases, puzzle};
use crate::rng::Key;
use proptest::prelude::*;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 150;

fn task(level: Level, seed: u64) -> Task {
    laws::task(&Trace, level, seed)
}

/// The first draw that the family accepts.
fn drawn(level: Level, seed: u64) -> (Program, [Run; TARGETS]) {
    laws::drawn(&Trace, level, seed, draw::runs)
}

#[test]
fn a_reader_of_the_prompt_agrees_on_every_target() {
    for (level, seed) in cases(SEEDS) {
        let task = task(level, seed);
        let puzzle = puzzle(&task);
        let solved = second::solve(&task.prompt);
        let solutions: Vec<i64> =
            (0..TARGETS).filter_map(|target| puzzle.solution(target).parse().ok()).collect();
        assert_eq!(solved, solutions, "level {level} seed {seed}\n{}", task.prompt);
        assert_eq!(task.drawn.level, level);
    }
}

/// The rules of the second reader do not come from the gate, so programs that no gate has seen are compared too.
#[test]
fn a_reader_of_the_prompt_agrees_on_programs_without_a_gate() {
    for (level, seed) in cases(SEEDS) {
        let seeds = Seeds::new(laws::key(&Trace, level, seed), 7);
        let program = program(Dial::of(level), &mut seeds.shared());
        let runs = inputs(&seeds).map(|input| {
            let answer = run(&program, [input], None)[0].answer;
            Run { input, answer, misread: Vec::new(), effort: 0 }
        });
        let solved = second::solve(&prompt::prompt(&program, &runs));
        assert_eq!(solved, runs.map(|run| i64::from(run.answer)));
    }
}

#[test]
fn slips_and_starts_miss_and_guesses_are_read() {
    let mut rng = Key::of(&[b"trace slips"]).stream(0);
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

#[test]
fn every_line_and_every_rule_matters() {
    for (level, seed) in cases(SEEDS) {
        let (program, runs) = drawn(level, seed);
        let changed = |misreading| {
            let differs = |target: &&Run| {
                run(&program, [target.input], Some(misreading))[0].answer != target.answer
            };
            runs.iter().filter(differs).count()
        };
        for line in 0..program.statements.len() {
            assert_eq!(changed(Misreading::LineLost(line)), TARGETS, "level {level} seed {seed}");
        }
        for misreading in misreadings(&program) {
            assert!(changed(misreading) >= 3, "level {level} seed {seed} {misreading:?}");
        }
        for (at, run) in runs.iter().enumerate() {
            assert!((1..MODULUS).contains(&run.answer));
            assert!(runs[..at].iter().all(|other| other.answer != run.answer));
        }
    }
}

#[test]
fn programs_have_the_parts_of_their_level() {
    for (level, seed) in cases(SEEDS) {
        let (program, _) = drawn(level, seed);
        let dial = Dial::of(level);
        assert_eq!((program.statements.len(), program.rounds), (dial.statements, dial.rounds));
        let kind = |statement: &Statement| match statement {
            Statement::Assign(_) => 0,
            Statement::Guarded(..) => 1,
            Statement::Swap { .. } => 2,
            Statement::Index { .. } => 3,
        };
        let has = |wanted: usize| program.statements.iter().any(|line| kind(line) == wanted);
        assert!(has(0));
        assert_eq!((1..=3).filter(|wanted| has(*wanted)).count(), dial.specials);
        assert_eq!(has(2), program.store.is_some());
        for number in 0..dial.operators {
            let uses = |line: &Statement| {
                matches!(line, Statement::Assign(assign) | Statement::Guarded(_, assign)
                    if assign.op == Op::Own(number))
            };
            assert!(program.statements.iter().any(uses), "level {level} seed {seed}");
        }
    }
}

#[test]
fn every_form_comes_up() {
    for level in [Level::MIN, Level::MAX] {
        let programs: Vec<Program> = (0..SEEDS).map(|seed| drawn(level, seed).0).collect();
        for form in Form::ALL {
            let has = |program: &&Program| program.operators.iter().any(|own| own.form == form);
            let count = programs.iter().filter(has).count() as u64;
            assert!(count >= SEEDS / 50, "level {level} {form:?} {count}");
        }
    }
}

#[test]
fn effort_grows_with_the_level() {
    let total = |level: Level| -> u64 {
        let tasks = (0..SEEDS).map(|seed| task(level, seed));
        tasks.map(|task| (0..TARGETS).map(|t| puzzle(&task).effort(t)).sum::<u64>()).sum()
    };
    let efforts: Vec<u64> = Level::all().map(total).collect();
    assert!(efforts.windows(2).all(|two| two[0] < two[1]), "{efforts:?}");
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
fn prompts_are_pinned() {
    for level in [1, 5, 9].into_iter().filter_map(Level::new) {
        let key = Seeds::task_key(21, "gauntlet-4", 2, NAME, level);
        let task = generate(&Trace, level, key).expect("a task");
        let text = format!("{}\n----\n{}", task.prompt, task.solution());
        insta::assert_snapshot!(format!("level_{level}"), text);
    }
}

/// One round of lines on a = 7, b = 4, c = 10, d = 3 and the store 20, 30, 40, 50; the answer is register a.
fn end(lines: &[Statement], operators: &[Operator], misread: Option<Misreading>) -> i32 {
    let program = Program {
        operators: operators.to_vec(),
        statements: lines.to_vec(),
        rounds: 1,
        store: Some([20, 30, 40, 50]),
        weights: [1, 0, 0, 0, 0, 0, 0, 0],
    };
    run(&program, [[7, 4, 10, 3]], misread)[0].answer
}

#[test]
fn statements_by_hand() {
    let plus = |to, left, right| Assign { to, left, op: Op::Plus, right };
    let to_a = Statement::Assign(plus(0, 1, 2));
    let minus = Statement::Assign(Assign { to: 0, left: 1, op: Op::Minus, right: 2 });
    let guarded = |test| Statement::Guarded(test, plus(0, 1, 2));
    let swap = Statement::Swap { register: 0, pointer: 3 };
    let index = Statement::Index { to: 0, c: 9 };
    for (line, right, misreadings) in [
        (to_a, 14, &[][..]),
        (minus, 991, &[(Misreading::SignDropped, 6), (Misreading::SignKept, -6)]),
        (guarded(1), 14, &[(Misreading::GuardInverted, 7), (Misreading::GuardIgnored, 14)]),
        (guarded(3), 7, &[(Misreading::GuardInverted, 14), (Misreading::GuardIgnored, 14)]),
        (
            swap,
            50,
            &[
                (Misreading::CellsFromOne, 40),
                (Misreading::SwapStores, 7),
                (Misreading::SwapLoads, 50),
            ],
        ),
        (index, 17, &[(Misreading::RoundsFromZero, 16), (Misreading::IndexSets, 10)]),
        (index, 17, &[(Misreading::RoundLess, 7), (Misreading::RoundMore, 28)]),
        (index, 17, &[(Misreading::StepLost { round: 1, line: 0 }, 7)]),
    ] {
        assert_eq!(end(&[line], &[], None), right, "{line:?}");
        for (misreading, wrong) in misreadings {
            assert_eq!(end(&[line], &[], Some(*misreading)), *wrong, "{line:?} {misreading:?}");
        }
    }
    let later = Statement::Assign(plus(0, 0, 1));
    assert_eq!(end(&[to_a, later], &[], None), 18);
    assert_eq!(end(&[to_a, later], &[], Some(Misreading::AllAtOnce)), 11);
    assert_eq!(end(&[swap, swap], &[], None), 7);
    assert_eq!(end(&[swap, swap], &[], Some(Misreading::SwapLoads)), 50);
}

#[test]
fn operators_by_hand() {
    let line = [Statement::Assign(Assign { to: 0, left: 1, op: Op::Own(0), right: 2 })];
    for (form, right, misreading, wrong) in [
        (Form::RightLess, 26, Misreading::SidesSwapped(0), 2),
        (Form::LeftLess, 2, Misreading::SidesSwapped(0), 26),
        (Form::RightMore, 34, Misreading::SidesSwapped(0), 22),
        (Form::Least, 9, Misreading::OtherOfTwo(0), 15),
        (Form::Greatest, 5, Misreading::OtherOfTwo(0), 996),
        (Form::Distance, 11, Misreading::SignedDistance(0), 996),
        (Form::Fork, 26, Misreading::SidesSwapped(0), 15),
    ] {
        let operators = [Operator { sign: '#', form, k: 3, c: 5 }];
        assert_eq!(end(&line, &operators, None), right, "{form:?}");
        assert_eq!(end(&line, &operators, Some(misreading)), wrong, "{form:?}");
        // Another operator is not touched.
        assert_eq!(end(&line, &operators, Some(Misreading::SidesSwapped(1))), right);
    }
}

#[test]
fn numbers_are_read_in_their_notations() {
    for value in ["418", " 418 ", "418.", "+418", "0418", "418 ."] {
        assert_eq!(read(value), Ok(418), "{value:?}");
    }
    assert_eq!(read("-5"), Ok(-5));
    for (value, why) in [
        ("", "no number"),
        ("-", "no number"),
        (".", "no number"),
        ("4 18", "a number with ' '"),
        ("4,18", "a number with ','"),
        ("418 (mod 997)", "a number with ' '"),
        ("x", "a number with 'x'"),
        ("+-3", "a number with '-'"),
        ("\u{664}", "a number with '\u{664}'"),
        ("99999999999999999999", "a number of too many digits"),
    ] {
        assert_eq!(read(value), Err(why.to_owned()), "{value:?}");
    }
    assert!(read(&"1".repeat(1_000_000)).is_err());
    let task = task(Level::MIN, 0);
    let why = Reading::Wrong("1415 is not in 0 to 996".to_owned());
    assert_eq!(puzzle(&task).check(0, "1415"), why);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read(value in ".{0,60}") {
        let number = read(&value);
        prop_assert!(number.is_err() || value.contains(|c: char| c.is_ascii_digit()));
    }

    #[test]
    fn only_the_answer_hits(number in -2_000_i64..2_000, target in 0..TARGETS) {
        let task = task(Level::MIN, 3);
        let right = puzzle(&task).solution(target) == number.to_string();
        prop_assert_eq!(puzzle(&task).check(target, &number.to_string()) == Reading::Hit, right);
    }
}
