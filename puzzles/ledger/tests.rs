//! Laws of the family over many seeds.

use super::levels::Dial;
use super::misread::{Misreading, misreadings};
use super::rules::{Act, Booking, Fee, House, Overdraft, keep};
use super::*;
use crate::puzzles::laws::{self, cases, puzzle};
use crate::rng::Key;
use proptest::prelude::*;

/// Seeds that a law is tested on, at each level.
const SEEDS: u64 = 150;

fn task(level: Level, seed: u64) -> Task {
    laws::task(&Ledger, level, seed)
}

/// The first draw that the family accepts.
fn drawn(level: Level, seed: u64) -> (House, [Account; TARGETS]) {
    laws::drawn(&Ledger, level, seed, draw::accounts)
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

#[test]
fn slips_and_starts_miss_and_guesses_are_read() {
    let mut rng = Key::of(&[b"ledger slips"]).stream(0);
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
fn every_rule_matters_to_every_account() {
    for (level, seed) in cases(SEEDS) {
        let (house, accounts) = drawn(level, seed);
        for account in &accounts {
            for misreading in misreadings(&house) {
                let wrong = keep(&house, account.opening, &account.bookings, Some(misreading));
                assert_ne!(wrong.balance, account.balance, "{level} {seed} {misreading:?}");
            }
        }
    }
}

#[test]
fn accounts_have_their_length_and_what_the_rules_need() {
    for (level, seed) in cases(SEEDS) {
        let (house, accounts) = drawn(level, seed);
        assert_eq!(house.days, Dial::of(level).days);
        for (target, account) in accounts.iter().enumerate() {
            let list = &account.bookings;
            assert_eq!(list.len(), Dial::of(level.on_ladder(target)).bookings);
            assert!(list.windows(2).all(|two| two[0].day <= two[1].day));
            assert!(list.iter().all(|booking| (1..=house.days).contains(&booking.day)));
            assert_eq!(list.iter().any(|booking| booking.standing), house.standing.is_some());
            let mut taken_back = Vec::new();
            for (place, booking) in list.iter().enumerate() {
                match booking.act {
                    Act::Deposit(coins) | Act::Payment(coins) => assert!(coins >= 15),
                    Act::Rollback(of) => {
                        assert!(of < place && !list[of].standing && !booking.standing);
                        assert!(!matches!(list[of].act, Act::Rollback(_)));
                        taken_back.push(of);
                    }
                }
            }
            let outcome = keep(&house, account.opening, list, None);
            assert!(taken_back.iter().all(|of| outcome.in_full[*of]));
            assert_eq!(taken_back.is_empty(), house.rollback.is_none());
            taken_back.sort_unstable();
            assert!(taken_back.windows(2).all(|two| two[0] != two[1]));
        }
    }
}

#[test]
fn every_variant_comes_up() {
    let houses: Vec<House> = (0..SEEDS).map(|seed| drawn(Level::MAX, seed).0).collect();
    let seen = |has: &dyn Fn(&House) -> bool| houses.iter().filter(|house| has(house)).count();
    for count in [
        seen(&|house| matches!(house.fee, Fee::Size(_))),
        seen(&|house| house.fee == Fee::Count(2)),
        seen(&|house| house.fee == Fee::Count(3)),
        seen(&|house| matches!(house.fee, Fee::Low(_))),
        seen(&|house| house.interest_first),
        seen(&|house| !house.interest_first),
        seen(&|house| house.rollback == Some(true)),
        seen(&|house| house.rollback == Some(false)),
        seen(&|house| house.overdraft == Some(Overdraft::Refused)),
        seen(&|house| matches!(house.overdraft, Some(Overdraft::Charged(_)))),
        seen(&|house| matches!(house.overdraft, Some(Overdraft::Carried(_)))),
        seen(&|house| house.standing == Some(5)),
        seen(&|house| house.standing == Some(8)),
    ] {
        assert!(count as u64 > SEEDS / 15, "{count}");
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

/// A house with a fee of 5 from 100 coins on, and no interest below 400.
fn plain() -> House {
    House {
        days: 10,
        fee: Fee::Size(100),
        fee_coins: 5,
        bands: [400, 800],
        rates: [2, 3],
        interest_first: false,
        rollback: Some(false),
        overdraft: None,
        standing: Some(4),
        order: [0, 1, 2, 3, 4],
    }
}

fn end(house: &House, acts: &[(u32, Act)], misread: Option<Misreading>) -> i32 {
    let bookings: Vec<Booking> =
        acts.iter().map(|&(day, act)| Booking { day, act, standing: false }).collect();
    keep(house, 200, &bookings, misread).balance
}

#[test]
fn fees_by_hand() {
    use Misreading as M;
    let count = House { fee: Fee::Count(2), ..plain() };
    let low = House { fee: Fee::Low(100), ..plain() };
    for (house, acts, right, misread) in [
        (
            plain(),
            vec![(1, Act::Payment(100)), (2, Act::Payment(99)), (3, Act::Deposit(120))],
            116,
            vec![(M::FeeIgnored, 121), (M::FeeAlways, 111), (M::FeeAbove, 121)],
        ),
        (plain(), vec![(3, Act::Deposit(120))], 320, vec![(M::FeeOnDeposits, 315)]),
        (
            count.clone(),
            vec![(1, Act::Payment(20)), (2, Act::Deposit(30)), (3, Act::Payment(10))],
            195,
            vec![(M::FeeIgnored, 200), (M::FeeAlways, 190), (M::FeeCountsAll, 200)],
        ),
        (
            low,
            vec![(1, Act::Payment(101)), (2, Act::Deposit(50)), (3, Act::Payment(10))],
            134,
            vec![(M::FeeBefore, 139), (M::FeeAlways, 129)],
        ),
    ] {
        assert_eq!(end(&house, &acts, None), right, "{acts:?}");
        for (misreading, wrong) in misread {
            assert_eq!(end(&house, &acts, Some(misreading)), wrong, "{misreading:?} {acts:?}");
        }
    }
}

#[test]
fn interest_by_hand() {
    use Misreading as M;
    for (late, deposit, right, misread) in [
        // 650 and 12 of interest.
        (9, 450, 662, vec![(M::InterestByParts, 654), (M::InterestSmooth, 663)]),
        // 950 and 27.
        (9, 750, 977, vec![(M::InterestByParts, 961), (M::InterestSmooth, 978)]),
        (9, 750, 977, vec![(M::InterestIgnored, 950), (M::InterestNotLast, 950)]),
        (9, 199, 399, vec![(M::InterestIgnored, 399)]),
        (9, 200, 408, vec![]),
        // On the day itself.
        (10, 750, 977, vec![(M::InterestOtherTime, 950), (M::InterestOnlyLast, 977)]),
    ] {
        let acts = [(late, Act::Deposit(deposit))];
        assert_eq!(end(&plain(), &acts, None), right);
        for (misreading, wrong) in misread {
            assert_eq!(end(&plain(), &acts, Some(misreading)), wrong, "{misreading:?}");
        }
    }
    let first = House { interest_first: true, days: 20, ..plain() };
    let acts = [(10, Act::Deposit(450))];
    assert_eq!(end(&first, &acts, None), 662);
    assert_eq!(end(&first, &acts, Some(M::InterestOtherTime)), 674);
}

#[test]
fn rollbacks_by_hand() {
    use Misreading as M;
    let back = House { rollback: Some(true), ..plain() };
    let acts = [(1, Act::Payment(150)), (2, Act::Deposit(60)), (3, Act::Rollback(0))];
    for (misread, kept, given) in [
        (None, 255, 260),
        (Some(M::RollbackIgnored), 105, 105),
        (Some(M::RollbackOtherFee), 260, 255),
        (Some(M::RollbackRestores), 200, 200),
    ] {
        assert_eq!(end(&plain(), &acts, misread), kept, "{misread:?}");
        assert_eq!(end(&back, &acts, misread), given, "{misread:?}");
    }
    let acts = [(1, Act::Deposit(60)), (3, Act::Rollback(0))];
    assert_eq!(end(&plain(), &acts, None), 200);
}

#[test]
fn overdrafts_by_hand() {
    use Misreading as M;
    let acts = [(1, Act::Payment(201)), (2, Act::Payment(200))];
    let with = |overdraft| House { overdraft: Some(overdraft), ..plain() };
    for (house, right, misread) in [
        (plain(), -211, vec![]),
        // The second payment leaves 0 and costs its fee.
        (with(Overdraft::Refused), -5, vec![(M::OverdraftIgnored, -211), (M::OverdraftOther, 0)]),
        (
            with(Overdraft::Charged(20)),
            160,
            vec![(M::OverdraftIgnored, -211), (M::ChargeForgotten, -5), (M::ChargeOnTop, -251)],
        ),
        (
            with(Overdraft::Carried(20)),
            -251,
            vec![(M::OverdraftIgnored, -211), (M::OverdraftOther, 160)],
        ),
    ] {
        assert_eq!(end(&house, &acts, None), right, "{:?}", house.overdraft);
        for (misreading, wrong) in misread {
            assert_eq!(end(&house, &acts, Some(misreading)), wrong, "{misreading:?}");
        }
    }
}

#[test]
fn standing_orders_by_hand() {
    use Misreading as M;
    let standing = [Booking { day: 2, act: Act::Payment(10), standing: true }];
    let balance = |misread| keep(&plain(), 200, &standing, misread).balance;
    // Days 2, 6 and 10.
    assert_eq!(balance(None), 170);
    assert_eq!(balance(Some(M::StandingOnce)), 190);
    assert_eq!(balance(Some(M::StandingTwice)), 180);
    // Days 2, 5 and 8.
    assert_eq!(balance(Some(M::StandingShort)), 170);
    // A repeat comes after what is listed for its day.
    let overdraft = Some(Overdraft::Refused);
    let house = House { days: 6, overdraft, ..plain() };
    let listed = Booking { day: 6, act: Act::Deposit(30), standing: false };
    let large = [Booking { act: Act::Payment(110), ..standing[0] }, listed];
    assert_eq!(keep(&house, 200, &large, None).balance, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn only_the_balance_hits(number in -500_i64..4_000, target in 0..TARGETS) {
        let task = task(Level::MIN, 3);
        let right = puzzle(&task).solution(target) == number.to_string();
        prop_assert_eq!(puzzle(&task).check(target, &number.to_string()) == Reading::Hit, right);
    }
}
