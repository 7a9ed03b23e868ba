//! How a bench is drawn: the seating first, then more true clues than needed, then as few of them as still allow one seating
//! only. Each bench uses one stream of its own and nothing else.

use super::clue::{Clue, ClueKind, Pair, Person};
use super::levels::Dial;
use super::misread::Misreading;
use super::orders::{Orders, Seatings};
use crate::rng::Stream;

/// Seatings tried for one bench.
const SEATINGS_A_BENCH: u32 = 200;

/// True clues that the shortest list is looked for among, and how often a clue is drawn for them.
const CLUES: usize = 24;
const CLUE_DRAWS: u32 = 2_000;

/// One target: a bench with its clues.
#[derive(Debug, Clone)]
pub(super) struct Bench {
    /// How many people sit on it.
    pub(super) people: usize,
    /// Clues that are false, 0 or 1.
    pub(super) lies: usize,
    /// The printed clues in order.
    pub(super) clues: Vec<Clue>,
    /// Who sits in each seat.
    pub(super) row: Vec<Person>,
    /// The seatings that misread clues lead to, where they lead to one.
    pub(super) misread: Vec<Vec<Person>>,
    /// People that a seat-by-seat search tries to seat.
    pub(super) effort: u64,
}

/// Draws a bench, or nothing when no seating had clues of the wanted difficulty.
pub(super) fn bench(dial: &Dial, own: &mut Stream) -> Option<Bench> {
    (0..SEATINGS_A_BENCH).find_map(|_| seated(dial, own))
}

fn seated(dial: &Dial, own: &mut Stream) -> Option<Bench> {
    let orders = Orders::of(dial.people);
    // The first is the alphabetical order, the start state.
    let seating = 1 + own.index(orders.len() - 1);
    let row = orders.row(seating);
    let mut clues = drawn(dial, row, own)?;
    let mut holds: Vec<Seatings> = clues.iter().map(|clue| orders.holds(*clue)).collect();
    if orders.breaking(dial.lies, &holds).only() != Some(seating) {
        return None;
    }
    own.shuffle(&mut clues);
    holds.clear();
    holds.extend(clues.iter().map(|clue| orders.holds(*clue)));
    for dropped in (0..clues.len()).rev() {
        let rest = holds.iter().enumerate().filter(|(at, _)| *at != dropped).map(|(_, set)| set);
        if orders.breaking(dial.lies, rest).only() == Some(seating) {
            clues.remove(dropped);
            holds.remove(dropped);
        }
    }
    let effort = orders.tries(dial.lies, &holds);
    if !(dial.tries.0..=dial.tries.1).contains(&effort) {
        return None;
    }
    let misread = misread(orders, dial.lies, &clues, &holds);
    if misread.contains(&seating) {
        return None;
    }
    Some(Bench {
        people: dial.people,
        lies: dial.lies,
        row: row.to_vec(),
        misread: misread.into_iter().map(|seating| orders.row(seating).to_vec()).collect(),
        clues,
        effort,
    })
}

/// The seatings that the misreadings of the list lead to, where one leads to a single seating.
fn misread(orders: &Orders, lies: usize, clues: &[Clue], holds: &[Seatings]) -> Vec<usize> {
    let mut found: Vec<usize> = Misreading::ALL
        .iter()
        .filter_map(|misreading| {
            let read: Vec<Option<Seatings>> =
                clues.iter().map(|clue| misreading.holds(orders, *clue)).collect();
            read.iter().any(Option::is_some).then(|| {
                let sets = read.iter().zip(holds).map(|(read, set)| read.as_ref().unwrap_or(set));
                orders.breaking(lies, sets).only()
            })?
        })
        .collect();
    if lies > 0 {
        // All clues are taken for true.
        found.extend(orders.breaking(0, holds).only());
    }
    found
}

/// Distinct true clues of the level's kinds, with as many false ones as the level has.
fn drawn(dial: &Dial, row: &[Person], own: &mut Stream) -> Option<Vec<Clue>> {
    let mut seats = vec![0; row.len()];
    for (seat, person) in (0..).zip(row) {
        seats[usize::from(*person)] = seat;
    }
    let mut clues: Vec<Clue> = Vec::new();
    let mut lies = 0;
    for _ in 0..CLUE_DRAWS {
        let clue = clue(*own.pick(dial.kinds)?, row.len(), own);
        if clues.contains(&clue) {
            continue;
        }
        if clue.holds(&seats) {
            if clues.len() - lies < CLUES {
                clues.push(clue);
            }
        } else if lies < dial.lies {
            clues.push(clue);
            lies += 1;
        }
        if clues.len() == CLUES + dial.lies {
            return Some(clues);
        }
    }
    None
}

/// A random clue of a kind, true or false, in the one form that the kind has for it.
fn clue(kind: ClueKind, people: usize, own: &mut Stream) -> Clue {
    let [a, b, c, d] = four(people, own);
    let sorted = |a: Person, b: Person| (a.min(b), a.max(b));
    let last = people as u32 - 1;
    match kind {
        ClueKind::Before => Clue::Before((a, b)),
        ClueKind::Directly => Clue::Directly((a, b)),
        ClueKind::Adjacent => Clue::Adjacent(sorted(a, b)),
        ClueKind::Apart => Clue::Apart(sorted(a, b)),
        ClueKind::Gap => Clue::Gap(sorted(a, b), own.between(1, last - 1) as u8),
        ClueKind::Between => Clue::Between(a, sorted(b, c)),
        ClueKind::Seat => Clue::Seat(a, own.between(0, last) as u8),
        ClueKind::End => Clue::End(a),
        ClueKind::Either => {
            let (first, second): (Pair, Pair) = ((a, b), (c, d));
            Clue::Either(first.min(second), first.max(second))
        }
        ClueKind::Nearer => Clue::Nearer(a, (b, c)),
        ClueKind::If => Clue::If((a, b), (c, d)),
        ClueKind::Parity => Clue::Parity(a, own.percent(50)),
    }
}

/// Four people, all different.
fn four(people: usize, own: &mut Stream) -> [Person; 4] {
    let mut all: Vec<Person> = (0..people as Person).collect();
    own.shuffle(&mut all);
    std::array::from_fn(|at| all.get(at).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::Level;
    use crate::rng::Key;

    #[test]
    fn misread_clues_lead_elsewhere() {
        for level in Level::all() {
            for number in 0..10 {
                let mut own = Key::of(&[b"gauntlet bench test"]).stream(number);
                let Some(bench) = bench(Dial::of(level), &mut own) else { continue };
                assert!(!bench.misread.contains(&bench.row), "level {level}: {bench:?}");
            }
        }
    }

    #[test]
    fn sets_and_sentences_agree() {
        let mut own = Key::of(&[b"gauntlet bench clues"]).stream(0);
        for people in [5, 6, 7] {
            let orders = Orders::of(people);
            for kind in Dial::of(Level::MAX).kinds.iter().chain(Dial::of(Level::MIN).kinds) {
                let clue = clue(*kind, people, &mut own);
                let holds = orders.holds(clue);
                for seating in 0..orders.len() {
                    let mut seats = vec![0; people];
                    for (seat, person) in (0..).zip(orders.row(seating)) {
                        seats[usize::from(*person)] = seat;
                    }
                    assert_eq!(holds.any(seating, 1), clue.holds(&seats), "{clue:?} {seats:?}");
                }
            }
        }
    }
}
