//! Laws of the family over many seeds.

use super::claim::{Claim, ClaimKind, Misreading, Part};
use super::levels::{Dial, FURTHER};
use super::village::{FEWEST, MOST, Village};
use super::*;
use crate::puzzles::laws::{self, cases, puzzle};
use crate::rng::Key;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 15;

fn task(level: Level, seed: u64) -> Task {
    laws::task(&TruthVillage, level, seed)
}

/// The first draw that the family accepts.
fn drawn(level: Level, seed: u64) -> [Target; TARGETS] {
    laws::drawn(&TruthVillage, level, seed, targets)
}

fn every_set_is_tried(seeds: u64) {
    for (level, seed) in cases(seeds) {
        let task = task(level, seed);
        let found = second::solve(&task.prompt);
        assert_eq!(found.len(), TARGETS);
        for (target, found) in found.iter().enumerate() {
            let right = puzzle(&task).solution(target);
            assert_eq!(found, &[right], "level {level} seed {seed} target {target}");
        }
    }
}

#[test]
fn a_reader_of_the_prompt_finds_one_choice_of_liars() {
    every_set_is_tried(4);
}

#[test]
#[ignore = "many seeds"]
fn a_reader_of_the_prompt_finds_one_choice_of_liars_over_many_seeds() {
    every_set_is_tried(150);
}

#[test]
fn every_misreading_leads_elsewhere_or_nowhere() {
    for (level, seed) in cases(SEEDS) {
        for target in drawn(level, seed) {
            let Target { village, liars, misread, effort } = target;
            let name = format!("level {level} seed {seed}");
            assert_eq!(village.only(None), Some(liars), "{name}");
            assert!(!misread.contains(&liars), "{name}");
            let size = village.0.len() as u32;
            assert!((2..=size - 2).contains(&liars.count_ones()), "{name}");
            assert!(effort > 0);
            for misreading in Misreading::ALL {
                if village.0.iter().any(|claim| misreading.concerns(*claim)) {
                    // The liars do not even fit, whatever else does.
                    assert!(village.contradiction(liars, Some(misreading)).is_some(), "{name}");
                }
            }
        }
    }
}

#[test]
fn most_speakers_are_needed() {
    for (level, seed) in cases(SEEDS) {
        for Target { village, liars, .. } in drawn(level, seed) {
            let choices = village.choices();
            let needless = (0..choices.len()).filter(|silent| {
                let fits = |word: Group| {
                    let heard = choices.iter().enumerate().filter(|(at, _)| at != silent);
                    heard.map(|(_, set)| set).all(|set| set.has(word))
                };
                (0..=village.everybody()).filter(|word| fits(*word)).collect::<Vec<_>>() == [liars]
            });
            let needless = needless.count();
            assert!(needless * 3 <= village.0.len(), "level {level} seed {seed}");
            assert_eq!(needless, village::needless(&choices, liars));
        }
    }
}

#[test]
fn villages_have_the_kinds_of_their_level() {
    let mut seen = BTreeSet::new();
    for (level, seed) in cases(SEEDS) {
        let further =
            draw::further(&mut Seeds::new(laws::key(&TruthVillage, level, seed), 0).shared());
        for target in 0..TARGETS {
            let dial = Dial::of(level.on_ladder(target));
            let own = &mut Seeds::new(laws::key(&TruthVillage, level, seed), 0).target(target);
            let Some(Target { village, effort, .. }) = draw::target(dial, &further, own) else {
                continue;
            };
            assert_eq!(village.0.len(), dial.villagers);
            assert!((dial.tries.0..=dial.tries.1).contains(&effort));
            let mut wanted: BTreeSet<ClaimKind> = dial.kinds.iter().copied().collect();
            wanted.extend(&further[..dial.further]);
            let kinds: BTreeSet<ClaimKind> = village.0.iter().map(|claim| claim.kind()).collect();
            assert_eq!(kinds, wanted, "level {level} seed {seed}");
            let texts: BTreeSet<String> = village.0.iter().map(Claim::to_string).collect();
            assert_eq!(texts.len(), village.0.len(), "everybody says something of his own");
            seen.extend(kinds);
        }
    }
    assert_eq!(seen.len(), ClaimKind::ALL.len());
    assert_eq!(FURTHER.iter().collect::<BTreeSet<_>>().len(), FURTHER.len());
    let sizes = Level::all().map(|level| Dial::of(level).villagers);
    assert!(sizes.min() == Some(FEWEST));
    assert_eq!(Dial::of(Level::MAX).villagers, MOST);
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
    let mut rng = Key::of(&[b"truth village slips"]).stream(0);
    for (level, seed) in cases(SEEDS) {
        let task = task(level, seed);
        let puzzle = puzzle(&task);
        for target in 0..TARGETS {
            let start = puzzle.start(target).expect("a start");
            for wrong in [puzzle.slip(target, &mut rng), start, "none".to_owned()] {
                assert!(matches!(puzzle.check(target, &wrong), Reading::Wrong(_)), "{wrong}");
            }
            let guess = puzzle.guess(target, &mut rng);
            assert!(!matches!(puzzle.check(target, &guess), Reading::Unreadable(_)), "{guess}");
        }
    }
}

/// A claim, its sentence, whether it is true, and whether it is for those who misread it.
type Case<'a> = (Claim, &'a str, bool, &'a [(Misreading, bool)]);

/// What the claims are in a village of eight where B, C and F lie, said by C; and what they are when misread.
#[test]
fn claims_by_hand() {
    use Misreading::*;
    let group = |names: &str| names.bytes().fold(0, |group: Group, it| group | 1 << (it - b'A'));
    let part = |names: &str, min, max| Part { group: group(names), min, max };
    let liar = |name: &str| part(name, 1, 1);
    let truthful = |name: &str| part(name, 0, 0);
    let cases: [Case; 19] = [
        (Claim::Part(liar("B")), "B is a liar.", true, &[(CountsTheTruthful, true)]),
        (Claim::Part(truthful("B")), "B is truthful.", false, &[]),
        (
            Claim::Part(part("ABF", 1, 1)),
            "Exactly 1 of A, B, F is a liar.",
            false,
            &[(ExactlyIsAtLeast, true), (CountsTheTruthful, true), (AtLeastIsMore, false)],
        ),
        (
            Claim::Part(part("ABF", 2, 2)),
            "Exactly 2 of A, B, F are liars.",
            true,
            &[(ExactlyIsAtLeast, true), (CountsTheTruthful, false)],
        ),
        (
            Claim::Part(part("ABF", 2, 3)),
            "At least 2 of A, B, F are liars.",
            true,
            &[(AtLeastIsMore, false), (CountsTheTruthful, false)],
        ),
        (
            Claim::Part(part("ABF", 0, 2)),
            "At most 2 of A, B, F are liars.",
            true,
            &[(AtMostIsFewer, false), (CountsTheTruthful, true)],
        ),
        (Claim::Part(part("ABF", 0, 1)), "At most 1 of A, B, F is a liar.", false, &[]),
        (Claim::Total(3), "Exactly 3 villagers are liars.", true, &[(SpeakerLeftOut, false)]),
        (Claim::Total(2), "Exactly 2 villagers are liars.", false, &[(SpeakerLeftOut, true)]),
        (
            Claim::Parity { even: false },
            "The number of liars is odd.",
            true,
            &[(SpeakerLeftOut, false)],
        ),
        (Claim::Parity { even: true }, "The number of liars is even.", false, &[]),
        (
            Claim::Alike { pair: group("BF"), same: true },
            "B and F are of the same kind.",
            true,
            &[(AlikeIsTruthful, false)],
        ),
        (
            Claim::Alike { pair: group("AF"), same: false },
            "A and F are of different kinds.",
            true,
            &[(AlikeIsTruthful, true)],
        ),
        (
            Claim::OneOf(liar("B"), part("FAD", 1, 1)),
            "Exactly one of these is true: B is a liar; exactly 1 of A, D, F is a liar.",
            false,
            &[(OneOfIsOr, true), (CountsTheTruthful, true)],
        ),
        (
            Claim::OneOf(truthful("B"), part("FAD", 1, 1)),
            "Exactly one of these is true: B is truthful; exactly 1 of A, D, F is a liar.",
            true,
            &[(OneOfIsOr, true)],
        ),
        (
            Claim::If(truthful("B"), liar("F")),
            "If B is truthful, then F is a liar.",
            true,
            &[(IfIsIff, false), (IfIsConverse, false)],
        ),
        (
            Claim::If(liar("B"), truthful("F")),
            "If B is a liar, then F is truthful.",
            false,
            &[(IfIsIff, false), (IfIsConverse, true)],
        ),
        (
            Claim::More(group("ABD"), group("EFG")),
            "More of A, B, D are liars than of E, F, G.",
            false,
            &[(MoreIsNotFewer, true), (CountsTheTruthful, false)],
        ),
        (
            Claim::More(group("BCD"), group("EFG")),
            "More of B, C, D are liars than of E, F, G.",
            true,
            &[(MoreIsNotFewer, true), (CountsTheTruthful, false)],
        ),
    ];
    let (speaker, everybody, liars) = (2, 0xff, group("BCF"));
    for (claim, text, right, misreadings) in cases {
        assert_eq!(claim.to_string(), text);
        assert_eq!(claim.is_true(speaker, everybody, liars, None), right, "{text}");
        for (misreading, wrong) in misreadings {
            let read = claim.is_true(speaker, everybody, liars, Some(*misreading));
            assert_eq!(read, *wrong, "{text} {misreading:?}");
            assert!(read == right || misreading.concerns(claim), "{text} {misreading:?}");
        }
    }
}

#[test]
fn a_village_by_hand() {
    // Everybody calls the next one a liar, and the last one calls the first one that: they take turns.
    let next = |villager: usize| Part { group: 1 << ((villager + 1) % 8), min: 1, max: 1 };
    let mut village = Village((0..8).map(|villager| Claim::Part(next(villager))).collect());
    assert_eq!(village.only(None), None);
    assert_eq!(village.contradiction(0b0101_0101, None), None);
    assert_eq!(village.contradiction(0b1010_1010, None), None);
    assert_eq!(village.contradiction(0b1010_1011, None), Some(0));
    // There are four liars either way, so A lies.
    village.0[0] = Claim::Total(5);
    assert_eq!(village.only(None), Some(0b0101_0101));
    // Five liars would make A truthful, so B, D, F and H need not speak.
    assert_eq!(village::needless(&village.choices(), 0b0101_0101), 4);
    // H is open; from G to B two of four cases go on, and what A says leaves one of the last two.
    assert_eq!(village::tries(&village.choices()), 2 + 6 * 4 + 2);
}

#[test]
fn notations_of_one_choice() {
    for value in [
        "BDG",
        "gdb",
        "B D G",
        "B, D, G.",
        "B, D and G",
        "B, D, AND G",
        "{B, D, G}",
        "[B,D,G]",
        "B-D-G",
        "B | D | G",
        "B & D & G",
        "(b/d/g)",
    ] {
        assert_eq!(read(value, 8), Ok(0b100_1010), "{value}");
    }
    for value in ["none", "None.", "NONE", " none "] {
        assert_eq!(read(value, 8), Ok(0), "{value}");
    }
    assert_eq!(read("LAK", 12), Ok(0b1100_0000_0001));
}

#[test]
fn what_is_not_a_choice() {
    for value in ["", "-", "and", "BB", "BDI", "B1", "nobody", "none B", "B\u{c9}", "{}", "."] {
        assert!(read(value, 8).is_err(), "{value}");
    }
    assert!(read(&"A".repeat(1_000_000), 8).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read(liars in 0_u16..4096) {
        prop_assert_eq!(read(&write(liars), MOST), Ok(liars));
    }

    #[test]
    fn near_choices_hit_only_when_right(value in "[A-Ha-h ,]{1,12}", target in 0..TARGETS) {
        let task = task(Level::MIN, 2);
        let right = puzzle(&task).solution(target);
        let hit = puzzle(&task).check(target, &value) == Reading::Hit;
        prop_assert_eq!(hit, read(&value, 8) == read(&right, 8));
    }
}
