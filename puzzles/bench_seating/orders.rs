//! All seatings of a bench at once: one bit a seating, in alphabetical order, so that a clue is a set and a list of clues is an
//! intersection. Used by the draw, by the misreadings and by the measure of effort.

use super::clue::{Clue, Pair, Person};
use std::sync::LazyLock;

/// The largest bench.
pub(super) const MOST_PEOPLE: usize = 7;

/// The smallest bench; a smaller one could be guessed.
pub(super) const FEWEST_PEOPLE: usize = 5;

/// A set of seatings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seatings(Vec<u64>);

impl Seatings {
    fn with(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| f(*a, *b)).collect())
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        self.with(other, |a, b| a & !b)
    }

    pub(super) fn xor(&self, other: &Self) -> Self {
        self.with(other, |a, b| a ^ b)
    }

    /// The only seating of the set, by its place in alphabetical order.
    pub(super) fn only(&self) -> Option<usize> {
        let mut words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        let (index, word) = words.next()?;
        (words.next().is_none() && word.is_power_of_two())
            .then(|| index * 64 + word.trailing_zeros() as usize)
    }

    /// Whether any of the `len` seatings from `first` on is in the set.
    pub(super) fn any(&self, first: usize, len: usize) -> bool {
        let end = first + len;
        (first / 64..end.div_ceil(64)).any(|word| {
            let low = first.saturating_sub(word * 64).min(63);
            let high = (end - word * 64).min(64);
            let mask = (u64::MAX << low) & (u64::MAX >> (64 - high));
            self.0[word] & mask != 0
        })
    }
}

/// Every seating of `people` people, and the sets that clues are made of.
#[derive(Debug)]
pub(super) struct Orders {
    people: usize,
    /// Who sits in each seat, for every seating.
    rows: Vec<Vec<Person>>,
    every: Seatings,
    none: Seatings,
    /// By person and seat.
    at: Vec<Vec<Seatings>>,
    /// By two people: the first somewhere left of the second.
    left: Vec<Vec<Seatings>>,
    /// By two people and the difference of their seat numbers.
    apart: Vec<Vec<Vec<Seatings>>>,
}

static ORDERS: [LazyLock<Orders>; MOST_PEOPLE - FEWEST_PEOPLE + 1] = [
    LazyLock::new(|| Orders::new(5)),
    LazyLock::new(|| Orders::new(6)),
    LazyLock::new(|| Orders::new(7)),
];

impl Orders {
    /// The seatings of a bench of that many people, within the bounds.
    pub(super) fn of(people: usize) -> &'static Self {
        &ORDERS[people.clamp(FEWEST_PEOPLE, MOST_PEOPLE) - FEWEST_PEOPLE]
    }

    fn new(people: usize) -> Self {
        let rows = rows(people);
        let words = rows.len().div_ceil(64);
        let none = Seatings(vec![0; words]);
        let mut every = none.clone();
        let mut at = vec![vec![none.clone(); people]; people];
        for (index, row) in rows.iter().enumerate() {
            every.0[index / 64] |= 1 << (index % 64);
            for (seat, person) in row.iter().enumerate() {
                at[usize::from(*person)][seat].0[index / 64] |= 1 << (index % 64);
            }
        }
        let union = |a: usize, b: usize, wanted: &dyn Fn(usize, usize) -> bool| {
            let mut all = none.clone();
            for s in 0..people {
                for t in (0..people).filter(|t| wanted(s, *t)) {
                    all = all.or(&at[a][s].and(&at[b][t]));
                }
            }
            all
        };
        let pairs = |f: &dyn Fn(usize, usize) -> Seatings| {
            (0..people).map(|a| (0..people).map(|b| f(a, b)).collect()).collect()
        };
        let left = pairs(&|a, b| union(a, b, &|s, t| s < t));
        let apart = (0..people)
            .map(|a| {
                let by_distance =
                    |b| (0..people).map(|d| union(a, b, &|s, t| s.abs_diff(t) == d)).collect();
                (0..people).map(by_distance).collect()
            })
            .collect();
        Self { people, rows, every, none, at, left, apart }
    }

    /// Who sits in each seat.
    pub(super) fn row(&self, seating: usize) -> &[Person] {
        &self.rows[seating]
    }

    /// The number of seatings.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn left(&self, (a, b): Pair) -> &Seatings {
        &self.left[usize::from(a)][usize::from(b)]
    }

    pub(super) fn apart(&self, (a, b): Pair, distance: usize) -> &Seatings {
        self.apart[usize::from(a)][usize::from(b)].get(distance).unwrap_or(&self.none)
    }

    pub(super) fn at(&self, person: Person, seat: usize) -> &Seatings {
        &self.at[usize::from(person)][seat]
    }

    pub(super) fn not(&self, seatings: &Seatings) -> Seatings {
        self.every.without(seatings)
    }

    /// Where `a` is closer to the first of a pair than to the second; `slack` 1 lets the same distance pass.
    pub(super) fn nearer(&self, a: Person, (b, c): Pair, slack: usize) -> Seatings {
        let mut all = self.none.clone();
        for far in 1..self.people {
            for near in (1..self.people).filter(|near| *near < far + slack) {
                all = all.or(&self.apart((a, b), near).and(self.apart((a, c), far)));
            }
        }
        all
    }

    /// The seatings in which a clue holds.
    pub(super) fn holds(&self, clue: Clue) -> Seatings {
        match clue {
            Clue::Before(pair) => self.left(pair).clone(),
            Clue::Directly(pair) => self.apart(pair, 1).and(self.left(pair)),
            Clue::Adjacent(pair) => self.apart(pair, 1).clone(),
            Clue::Apart(pair) => self.not(self.apart(pair, 1)),
            Clue::Gap(pair, people) => self.apart(pair, usize::from(people) + 1).clone(),
            Clue::Between(a, (b, c)) => {
                let rising = self.left((b, a)).and(self.left((a, c)));
                rising.or(&self.left((c, a)).and(self.left((a, b))))
            }
            Clue::Seat(a, seat) => self.at(a, usize::from(seat)).clone(),
            Clue::End(a) => self.at(a, 0).or(self.at(a, self.people - 1)),
            Clue::Either(first, second) => self.left(first).xor(self.left(second)),
            Clue::Nearer(a, pair) => self.nearer(a, pair, 0),
            Clue::If(first, second) => self.not(self.left(first)).or(self.left(second)),
            Clue::Parity(a, odd) => (usize::from(!odd)..self.people)
                .step_by(2)
                .fold(self.none.clone(), |all, seat| all.or(self.at(a, seat))),
        }
    }

    /// The seatings that break exactly `lies` (0 or 1) of the clues.
    pub(super) fn breaking<'a>(
        &self,
        lies: usize,
        clues: impl IntoIterator<Item = &'a Seatings>,
    ) -> Seatings {
        if lies == 0 {
            return clues.into_iter().fold(self.every.clone(), |mut all, holds| {
                all.0.iter_mut().zip(&holds.0).for_each(|(word, holds)| *word &= holds);
                all
            });
        }
        let (mut one, mut two) = (self.none.clone(), self.none.clone());
        for holds in clues {
            for (word, holds) in holds.0.iter().enumerate() {
                let broken = self.every.0[word] & !holds;
                two.0[word] |= one.0[word] & broken;
                one.0[word] |= broken;
            }
        }
        one.without(&two)
    }

    /// The people that a seat-by-seat search from the left tries to seat until it has seen every seating, when it turns back
    /// as soon as more than `lies` clues can no longer hold.
    pub(super) fn tries(&self, lies: usize, clues: &[Seatings]) -> u64 {
        self.tries_from(0, self.len(), self.people, lies, clues)
    }

    /// Seatings with the same first seats are neighbours in alphabetical order: a block is a partial seating.
    fn tries_from(
        &self,
        first: usize,
        len: usize,
        free: usize,
        lies: usize,
        clues: &[Seatings],
    ) -> u64 {
        if free == 0 {
            return 0;
        }
        let part = len / free;
        let mut tries = 0;
        for block in (first..first + len).step_by(part) {
            tries += 1;
            if clues.iter().filter(|holds| !holds.any(block, part)).nth(lies).is_none() {
                tries += self.tries_from(block, part, free - 1, lies, clues);
            }
        }
        tries
    }
}

/// All orders of that many people, alphabetically.
fn rows(people: usize) -> Vec<Vec<Person>> {
    let mut rows = vec![Vec::new()];
    for _ in 0..people {
        rows = rows
            .iter()
            .flat_map(|row: &Vec<Person>| {
                let free = (0..people as Person).filter(move |person| !row.contains(person));
                free.map(move |person| row.iter().copied().chain([person]).collect::<Vec<_>>())
            })
            .collect();
    }
    rows
}
