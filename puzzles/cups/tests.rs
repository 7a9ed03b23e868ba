//! Laws of the family over many seeds.

use super::levels::Dial;
use super::moves::{House, Kind, Misreading, Move, Otherwise, play};
use super::*;
use crate::puzzles::generate;
use crate::puzzles::laws::{self, cases, puzzle};
use crate::rng::Key;
use proptest::prelude::*;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 150;

fn task(level: Level, seed: u64) -> Task {
    laws::task(&Cups, level, seed)
}

/// The first draw that the family accepts.
fn drawn(level: Level, seed: u64) -> (House, [Table; TARGETS]) {
    laws::drawn(&Cups, level, seed, draw::tables)
}

#[test]
fn a_reader_of_the_prompt_agrees_on_every_target() {
    for (level, seed) in cases(SEEDS) {
        let task = task(level, seed);
        let puzzle = puzzle(&task);
        let solved = second::solve(&task.prompt);
        let solutions: Vec<String> = (0..TARGETS).map(|target| puzzle.solution(target)).collect();
        assert_eq!(solved, solutions, "level {level} seed {seed}\n{}", task.prompt);
        assert_eq!(task.drawn.level, level);
    }
}

#[test]
fn slips_and_starts_miss_and_guesses_are_read() {
    let mut rng = Key::of(&[b"cups slips"]).stream(0);
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
fn every_table_has_every_kind_and_its_length() {
    for (level, seed) in cases(SEEDS) {
        let (house, tables) = drawn(level, seed);
        for (target, table) in tables.iter().enumerate() {
            let size = Dial::of(level.on_ladder(target));
            assert_eq!(
                (table.start.len(), table.moves.len()),
                (size.cups, size.moves(house.mirror))
            );
            let count = |kind: Kind| table.moves.iter().filter(|one| one.kind() == kind).count();
            for kind in Kind::ALL {
                assert_eq!(count(kind) > 0, house.kinds.contains(&kind), "{level} {seed} {kind:?}");
            }
            assert_ne!(count(Kind::Choice), 1);
        }
    }
}

#[test]
fn undos_are_plain() {
    for (level, seed) in cases(SEEDS) {
        let (house, tables) = drawn(level, seed);
        for table in tables {
            let undos: Vec<usize> =
                (0..table.moves.len()).filter(|at| table.moves[*at] == Move::Undo).collect();
            assert!(undos.iter().all(|at| !house.mirrors(at + 1) && *at >= house.undo));
            assert!(undos.windows(2).all(|two| two[1] - two[0] > house.undo));
        }
    }
}

#[test]
fn every_variant_comes_up() {
    let houses: Vec<House> = (0..SEEDS).map(|seed| drawn(Level::MAX, seed).0).collect();
    let seen = |has: &dyn Fn(&House) -> bool| houses.iter().filter(|house| has(house)).count();
    for count in [
        seen(&|house| house.rotate_left),
        seen(&|house| !house.rotate_left),
        seen(&|house| house.cycle_back),
        seen(&|house| !house.cycle_back),
        seen(&|house| house.undo == 1),
        seen(&|house| house.undo == 2),
        seen(&|house| house.mirror),
        seen(&|house| !house.mirror),
        seen(&|house| house.otherwise == Otherwise::RotateOne),
        seen(&|house| house.otherwise == Otherwise::SwapNamed),
        seen(&|house| house.otherwise == Otherwise::ReverseAll),
    ] {
        assert!(count as u64 > SEEDS / 5, "{count}");
    }
    for letter in 0..6 {
        let as_ever = houses.iter().filter(|house| house.letters[letter] == 'P').count();
        assert!((1..SEEDS as usize / 2).contains(&as_ever));
    }
}

#[test]
fn effort_grows_with_the_level() {
    let mean = |level: Level| -> u64 {
        let tasks = (0..SEEDS).map(|seed| task(level, seed));
        tasks.map(|task| (0..TARGETS).map(|t| puzzle(&task).effort(t)).sum::<u64>()).sum()
    };
    let efforts: Vec<u64> = Level::all().map(mean).collect();
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
        let task = generate(&Cups, level, key).expect("a task");
        let text = format!("{}\n----\n{}", task.prompt, task.solution());
        insta::assert_snapshot!(format!("level_{level}"), text);
    }
}

/// A house with all kinds and the plain readings.
fn plain() -> House {
    House {
        kinds: Kind::ALL.to_vec(),
        letters: ['P', 'N', 'R', 'V', 'Y', 'U'],
        rotate_left: false,
        cycle_back: false,
        otherwise: Otherwise::RotateOne,
        undo: 1,
        mirror: false,
    }
}

fn ends(house: &House, moves: &[Move], misread: Option<Misreading>) -> String {
    let start = Row::read("BDAEC", 5).expect("a row");
    play(house, start, (1..).zip(moves.iter().copied()), misread).to_string()
}

#[test]
fn moves_by_hand() {
    let house = plain();
    let other = House {
        rotate_left: true,
        cycle_back: true,
        otherwise: Otherwise::SwapNamed,
        undo: 2,
        mirror: true,
        ..plain()
    };
    let choice = Move::Choice([2, 3], [0, 4]);
    let swap = Move::Places(0, 1);
    for (moves, as_plain, as_other) in [
        (&[Move::Places(1, 4)][..], "BCAED", "BCAED"),
        (&[Move::Names(1, 2)], "CDAEB", "CDAEB"),
        (&[Move::Rotate(2)], "ECBDA", "AECBD"),
        (&[Move::Reverse(1, 4)], "BCEAD", "BCEAD"),
        (&[Move::Cycle([0, 1, 3])], "EBADC", "DEABC"),
        (&[swap, Move::Names(0, 1), Move::Undo], "DBAEC", "BDAEC"),
        (&[Move::Choice([3, 2], [0, 4])], "CDAEB", "CDAEB"),
        (&[choice], "CBDAE", "BCAED"),
        (&[swap, swap, Move::Rotate(1)], "CBDAE", "CBDAE"),
        (&[swap, swap, Move::Places(0, 1)], "DBAEC", "BDACE"),
        (&[swap, swap, choice], "CBDAE", "CDAEB"),
    ] {
        assert_eq!(ends(&house, moves, None), as_plain, "{moves:?}");
        assert_eq!(ends(&other, moves, None), as_other, "{moves:?}");
    }
    let backward = House { otherwise: Otherwise::ReverseAll, ..plain() };
    assert_eq!(ends(&backward, &[choice], None), "CEADB");
}

#[test]
fn misreadings_by_hand() {
    let moves = [Move::Places(0, 1), Move::Places(1, 2)];
    for (misreading, end) in [
        // Cups A and B, then B and C.
        (Misreading::PlaceIsLetter, "ADCEB"),
        // The cups B and D, then D and A.
        (Misreading::PlaceIsStart, "ABDEC"),
    ] {
        assert_eq!(ends(&plain(), &moves, Some(misreading)), end, "{misreading:?}");
    }
    let moves = [Move::Names(0, 1), Move::Names(1, 2)];
    for (misreading, end) in [
        // Places 1 and 2, then 2 and 3.
        (Misreading::NameIsPlace, "DABEC"),
        // Places 3 and 1, then 1 and 5.
        (Misreading::NameIsStart, "CDBEA"),
    ] {
        assert_eq!(ends(&plain(), &moves, Some(misreading)), end, "{misreading:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read(value in ".{0,300}", target in 0..TARGETS) {
        let task = task(Level::MIN, 1);
        let hit = puzzle(&task).check(target, &value) == Reading::Hit;
        prop_assert!(!hit || value.to_ascii_uppercase().contains('A'));
    }

    #[test]
    fn near_rows_hit_only_when_right(value in "[a-fA-F ,>-]{5,8}", target in 0..TARGETS) {
        let task = task(Level::MIN, 2);
        let letters: String = value.chars().filter(char::is_ascii_alphabetic).collect();
        let right = letters.to_ascii_uppercase() == puzzle(&task).solution(target);
        prop_assert_eq!(puzzle(&task).check(target, &value) == Reading::Hit, right);
    }
}
