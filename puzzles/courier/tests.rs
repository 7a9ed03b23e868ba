//! Laws of the family over many seeds.

use super::levels::Dial;
use super::misread::{Misread, Misreading};
use super::play::{Fault, judge};
use super::search::{Map, Reach, Tours};
use super::second::Reader;
use super::town::{ALWAYS, Errand, Street};
use super::*;
use crate::puzzles::laws::{self, cases, puzzle};
use crate::rng::Key;
use proptest::prelude::*;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 40;

/// Random walks a level.
const WALKS: u64 = 20_000;

fn task(level: Level, seed: u64) -> Task {
    laws::task(&Courier, level, seed)
}

/// The first draw that the family accepts.
fn drawn(level: Level, seed: u64) -> (Town, [Target; TARGETS]) {
    laws::drawn(&Courier, level, seed, draw::task)
}

/// The limits are the best of what the rules as printed allow: no minute earlier for the coins, no coin less by the minute of
/// the reference.
#[test]
fn a_reader_of_the_prompt_agrees_on_every_limit() {
    for (level, seed) in cases(SEEDS) {
        let task = task(level, seed);
        assert_eq!(task.drawn.level, level);
        let reader = Reader::of(&task.prompt);
        assert_eq!(reader.errands.len(), TARGETS);
        for (number, errand) in reader.errands.iter().enumerate() {
            let best = errand.arrive;
            let name = format!("level {level} seed {seed} target {number}\n{}", task.prompt);
            assert_eq!(reader.least_coins(number, best), Some(errand.coins), "{name}");
            let earlier = reader.least_coins(number, best - 1);
            assert!(earlier.is_none_or(|coins| coins > errand.coins), "{earlier:?} {name}");
        }
    }
}

#[test]
fn slips_and_starts_miss_and_walks_are_read() {
    let mut rng = Key::of(&[b"courier slips"]).stream(0);
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

/// Random walks keep the rules of the road, so they fail by their limits or the parcel alone, and hardly ever hit.
#[test]
fn random_walks_by_the_rules_miss() {
    let mut rng = Key::of(&[b"courier walks"]).stream(0);
    for level in Level::all() {
        let mut hits = 0;
        let tasks: Vec<_> = (0..SEEDS).map(|seed| drawn(level, seed)).collect();
        for walk in 0..WALKS {
            let (town, targets) = &tasks[(walk % SEEDS) as usize];
            let errand = targets[(walk / SEEDS) as usize % TARGETS].errand;
            match judge(town, &errand, &Walks::of(town).random(&errand, &mut rng)) {
                Ok(()) => hits += 1,
                Err(
                    Fault::Late { .. }
                    | Fault::Coins { .. }
                    | Fault::Finish { .. }
                    | Fault::NoParcel { .. },
                ) => {}
                Err(fault) => panic!("level {level}: {fault}"),
            }
        }
        assert!(hits * 100 < WALKS, "level {level}: {hits} of {WALKS}");
    }
}

#[test]
fn routes_of_misreaders_fail() {
    for (level, seed) in cases(SEEDS) {
        let (town, targets) = drawn(level, seed);
        let (map, misread) = (Map::of(&town), Misread::of(&town));
        for Target { errand, .. } in &targets {
            let tours = Tours::of(&map, reach(errand.start, errand.leaves, errand.parcel));
            let mut readings = 0;
            for (misreading, route) in misread.routes(&map, errand, &tours) {
                readings += 1;
                let fails = route.is_none_or(|route| judge(&town, errand, &route).is_err());
                assert!(fails, "level {level} seed {seed} {misreading:?}");
            }
            assert!(readings >= 7);
        }
    }
}

#[test]
fn towns_have_the_size_and_the_rules_of_their_level() {
    for (level, seed) in cases(SEEDS) {
        let (town, targets) = drawn(level, seed);
        let dial = Dial::of(level);
        assert_eq!(town.corners, dial.grid.0 * dial.grid.1);
        let one_way = town.streets.iter().any(|street| street.one_way);
        let twists = [one_way, town.dear_from.is_some(), town.rest.is_some(), town.parcels];
        assert_eq!(twists.iter().filter(|has| **has).count(), dial.twists, "{level} {seed}");
        for (number, target) in targets.iter().enumerate() {
            let (fewest, most) = Dial::of(level.on_ladder(number)).streets;
            assert!((fewest..=most).contains(&(target.route.len() - 1)));
            assert_eq!(target.errand.parcel.is_some(), town.parcels);
        }
        let mut ends: Vec<_> =
            town.streets.iter().map(|it| (it.from.min(it.to), it.from.max(it.to))).collect();
        ends.sort_unstable();
        assert!(ends.windows(2).all(|two| two[0] != two[1]), "two streets join the same corners");
    }
}

#[test]
fn every_rule_comes_up() {
    let towns: Vec<Town> = (0..SEEDS).map(|seed| drawn(Level::MAX, seed).0).collect();
    let seen = |has: &dyn Fn(&Town) -> bool| towns.iter().filter(|town| has(town)).count();
    for count in [
        seen(&|town| town.waits),
        seen(&|town| !town.waits),
        seen(&|town| town.parcels),
        seen(&|town| town.rest.is_some()),
        seen(&|town| town.dear_from.is_some()),
        seen(&|town| town.streets.iter().any(|street| street.one_way)),
    ] {
        assert!(count as u64 > SEEDS / 8, "{count}");
    }
}

#[test]
fn prompts_are_tidy() {
    for (level, seed) in cases(SEEDS) {
        let prompt = task(level, seed).prompt;
        assert!(prompt.len() < 6_000 && prompt.is_ascii());
        assert!(prompt.lines().all(|line| line.len() <= 125 && !line.ends_with(' ')), "{prompt}");
    }
}

/// A-B 3, B-C 2 toll 2 gate 456, A>C 9, C-D 4 toll 1.
fn small() -> Town {
    let street =
        |from, to, minutes, toll, open, one_way| Street { from, to, minutes, toll, open, one_way };
    Town {
        corners: 4,
        streets: vec![
            street(0, 1, 3, 0, ALWAYS, false),
            street(1, 2, 2, 2, 0b111_0000, false),
            street(0, 2, 9, 0, ALWAYS, true),
            street(2, 3, 4, 1, ALWAYS, false),
        ],
        waits: true,
        dear_from: None,
        rest: None,
        parcels: false,
    }
}

fn reach(start: u8, leaves: u32, parcel: Option<u8>) -> Reach<'static> {
    Reach { finish: None, start, leaves, parcel, minutes: 60, coins: u32::MAX }
}

const ERRAND: Errand =
    Errand { start: 0, leaves: 0, finish: 3, parcel: None, arrive: 10, coins: 3 };

#[test]
fn routes_by_hand() {
    let town = small();
    let late = Errand { leaves: 4, ..ERRAND };
    let no_waits = Town { waits: false, ..small() };
    for (town, errand, route, verdict) in [
        // Through the gate at minute 4, at C at 6.
        (&town, ERRAND, &[0, 1, 2, 3][..], Ok(())),
        (&no_waits, ERRAND, &[0, 1, 2, 3], Err(Fault::Closed { from: 1, to: 2, minute: 3 })),
        (&town, ERRAND, &[0, 2, 3], Err(Fault::Late { minute: 13, arrive: 10 })),
        // Through the gate at minute 14.
        (&town, late, &[0, 1, 2, 3], Err(Fault::Late { minute: 20, arrive: 10 })),
        (
            &town,
            Errand { coins: 2, ..ERRAND },
            &[0, 1, 2, 3],
            Err(Fault::Coins { paid: 3, coins: 2 }),
        ),
        (
            &Town { dear_from: Some(6), ..small() },
            ERRAND,
            &[0, 1, 2, 3],
            Err(Fault::Coins { paid: 4, coins: 3 }),
        ),
        (&Town { dear_from: Some(7), ..small() }, ERRAND, &[0, 1, 2, 3], Ok(())),
        (&town, ERRAND, &[1, 2, 3], Err(Fault::Start { at: 1, start: 0 })),
        (&town, ERRAND, &[0, 1, 2], Err(Fault::Finish { at: 2, finish: 3 })),
        (&town, ERRAND, &[0, 3], Err(Fault::NoStreet { from: 0, to: 3 })),
        (&town, ERRAND, &[0, 0, 1], Err(Fault::NoStreet { from: 0, to: 0 })),
        (&town, ERRAND, &[], Err(Fault::Start { at: 3, start: 0 })),
        (&town, ERRAND, &[0, 1, 2, 0], Err(Fault::Against { from: 2, to: 0 })),
        // At C at 6, back and forth, the third street ends at 14.
        (&town, Errand { arrive: 20, coins: 9, ..ERRAND }, &[0, 1, 2, 3, 2, 3], Ok(())),
        (
            &Town { rest: Some(2), ..small() },
            Errand { arrive: 20, coins: 9, ..ERRAND },
            &[0, 1, 2, 3, 2, 3],
            Ok(()),
        ),
        (
            &Town { rest: Some(3), ..small() },
            Errand { arrive: 20, coins: 9, ..ERRAND },
            &[0, 1, 2, 3, 2, 3],
            Err(Fault::Late { minute: 21, arrive: 20 }),
        ),
        (&Town { rest: Some(3), ..small() }, ERRAND, &[0, 1, 2, 3], Ok(())),
        (
            &Town { parcels: true, ..small() },
            Errand { parcel: Some(1), arrive: 13, ..ERRAND },
            &[0, 2, 3],
            Err(Fault::NoParcel { at: 1 }),
        ),
    ] {
        assert_eq!(judge(town, &errand, route), verdict, "{route:?} {errand:?}");
    }
}

#[test]
fn searches_by_hand() {
    let route =
        |town: &Town, coins| Tours::of(&Map::of(town), reach(0, 0, None)).earliest(3, coins);
    assert_eq!(route(&small(), 3), Some(vec![0, 1, 2, 3]));
    assert_eq!(route(&small(), 2), Some(vec![0, 2, 3]));
    assert_eq!(route(&small(), 0), None);
    assert_eq!(route(&Town { waits: false, ..small() }, 3), Some(vec![0, 2, 3]));
    let tours = Tours::of(&Map::of(&small()), reach(0, 0, None));
    assert_eq!(tours.arrivals(3), [(10, 3), (13, 1)]);
    assert_eq!(tours.cheapest(3), Some(vec![0, 2, 3]));
    // To A, where the way back is, and only then to C.
    let parcel = Tours::of(&Map::of(&small()), reach(1, 3, Some(0)));
    assert_eq!(parcel.earliest(2, 9), Some(vec![1, 0, 2]));
}

#[test]
fn readings_by_hand() {
    let town = small();
    let map = Map::of(&town);
    let tours = Tours::of(&map, reach(0, 0, None));
    let misread = Misread::of(&town);
    let found: Vec<_> = misread.routes(&map, &ERRAND, &tours).collect();
    let route = |misreading| {
        found.iter().find(|(it, _)| *it == misreading).and_then(|(_, route)| route.clone())
    };
    assert_eq!(route(Misreading::TimeIgnored), Some(vec![0, 2, 3]));
    assert_eq!(route(Misreading::FewestStreets), Some(vec![0, 2, 3]));
    // Without waiting he is at C in 9 minutes and at D too late; he sees that himself.
    assert_eq!(route(Misreading::WaitsOther), None);
    assert_eq!(route(Misreading::GatesInverted), Some(vec![0, 1, 2, 3]));
    assert_eq!(route(Misreading::DearIgnored), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Whatever hits keeps both limits by the reader's reckoning too: nobody is earlier or cheaper than possible.
    #[test]
    fn any_walk_is_judged(letters in "[A-L]{1,30}", target in 0..TARGETS) {
        let task = task(Level::MIN, 1);
        let hit = puzzle(&task).check(target, &letters) == Reading::Hit;
        let start = puzzle(&task).solution(target).chars().next();
        prop_assert!(!hit || letters.chars().next() == start);
    }
}
