//! The steps that chains are made of: what each does to a list, in which of two readings, and its words. A reading that the
//! seed did not choose is how the step is misread.

use super::list::List;

/// A kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Reverse,
    Sort,
    Rotate,
    Pairs,
    Unzip,
    ParityFirst,
    Drop,
    Parity,
    Above,
    Once,
    Records,
    Places,
    Extreme,
    Add,
    Times,
    Less,
    AddPlace,
    Running,
    Neighbour,
    Gap,
    Halve,
    Highest,
    Sum,
    Count,
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Self; 24] = [
        Self::Reverse,
        Self::Sort,
        Self::Rotate,
        Self::Pairs,
        Self::Unzip,
        Self::ParityFirst,
        Self::Drop,
        Self::Parity,
        Self::Above,
        Self::Once,
        Self::Records,
        Self::Places,
        Self::Extreme,
        Self::Add,
        Self::Times,
        Self::Less,
        Self::AddPlace,
        Self::Running,
        Self::Neighbour,
        Self::Gap,
        Self::Halve,
        Self::Highest,
        Self::Sum,
        Self::Count,
    ];

    /// The numbers that may stand for k; none for a kind without k.
    pub(super) fn numbers(self) -> &'static [i32] {
        match self {
            Self::Rotate => &[1, 2, 3],
            Self::Drop => &[1, 2],
            Self::Above => &[2, 3, 4, 5, 6],
            Self::Add => &[1, 2, 3, 4, 5],
            Self::Times => &[2, 3],
            Self::Less => &[2, 3, 4, 5, 6],
            _ => &[],
        }
    }
}

/// A step. `other` is its second reading; `k` is 0 for kinds without k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) other: bool,
    pub(super) k: i32,
}

impl Step {
    /// The step as somebody does it who misreads it.
    pub(super) fn misread(self) -> Self {
        Self { other: !self.other, ..self }
    }

    /// Does the step.
    pub(super) fn apply(self, list: &List) -> List {
        let Self { kind, other, k } = self;
        let numbers = list.numbers();
        let length = numbers.len();
        let mut new = *list;
        let changed = new.numbers_mut();
        match kind {
            Kind::Reverse => changed[usize::from(other && length > 0)..].reverse(),
            Kind::Sort if other => changed.sort_unstable_by(|a, b| b.cmp(a)),
            Kind::Sort => changed.sort_unstable(),
            Kind::Rotate => {
                let by = k.unsigned_abs() as usize % length.max(1);
                if other { changed.rotate_right(by) } else { changed.rotate_left(by) }
            }
            Kind::Pairs => {
                let alone = if other { length % 2 } else { 0 };
                changed[alone..].chunks_exact_mut(2).for_each(|two| two.swap(0, 1));
            }
            Kind::Unzip => return ordered(list, |place, _| (place % 2 == 0) != other),
            Kind::ParityFirst => return ordered(list, |_, number| (number % 2 == 0) != other),
            Kind::Drop => {
                let k = k.unsigned_abs() as usize;
                return list.keep(|place, _| if other { place + k < length } else { place >= k });
            }
            Kind::Parity => return list.keep(|_, number| (number % 2 == 0) != other),
            Kind::Above => return list.keep(|_, number| number > k || other && number == k),
            Kind::Once if other => {
                return list.keep(|place, number| !numbers[place + 1..].contains(&number));
            }
            Kind::Once => return list.keep(|place, number| !numbers[..place].contains(&number)),
            Kind::Records => {
                return list.keep(|place, number| {
                    let from = if other { place.saturating_sub(1) } else { 0 };
                    numbers[from..place].iter().all(|before| *before < number)
                });
            }
            Kind::Places => return list.keep(|place, _| (place % 2 == 0) != other),
            Kind::Extreme => {
                let extreme = if other { numbers.iter().min() } else { numbers.iter().max() };
                return list.keep(|_, number| Some(&number) != extreme);
            }
            Kind::Add => {
                let every = if other { 2 } else { 1 };
                changed.iter_mut().skip(every - 1).step_by(every).for_each(|number| *number += k);
            }
            Kind::Times => changed
                .iter_mut()
                .filter(|number| !other || **number % 2 == 0)
                .for_each(|number| *number *= k),
            Kind::Less => changed.iter_mut().for_each(|number| {
                *number = if other { (*number - k).max(0) } else { (*number - k).abs() };
            }),
            Kind::AddPlace => {
                for (place, number) in changed.iter_mut().enumerate() {
                    *number += if other { length - place } else { place + 1 } as i32;
                }
            }
            Kind::Running => along(changed, other, |before, number| before + number),
            Kind::Highest => along(changed, other, i32::max),
            Kind::Neighbour => beside(changed, other, |number, next| number + next),
            Kind::Gap => beside(changed, other, |number, next| (number - next).abs()),
            Kind::Halve => changed.iter_mut().for_each(|number| {
                *number = (*number + i32::from(other)).div_euclid(2);
            }),
            Kind::Sum => return with(list, numbers.iter().sum(), other),
            Kind::Count => return with(list, length as i32, other),
        }
        new
    }
}

/// The numbers for which something holds, then the others.
fn ordered(list: &List, first: impl Fn(usize, i32) -> bool) -> List {
    let (front, back) = (list.keep(&first), list.keep(|place, number| !first(place, number)));
    List::of(front.numbers().iter().chain(back.numbers()).copied())
}

/// Every number but the first becomes what it makes of itself and the new one before it, or after it from the end.
fn along(numbers: &mut [i32], from_the_end: bool, make: impl Fn(i32, i32) -> i32) {
    let length = numbers.len();
    for place in 1..length {
        let (here, before) =
            if from_the_end { (length - 1 - place, length - place) } else { (place, place - 1) };
        numbers[here] = make(numbers[before], numbers[here]);
    }
}

/// Every number becomes what it makes of itself and the old one after it, or before it.
fn beside(numbers: &mut [i32], before: bool, make: impl Fn(i32, i32) -> i32) {
    let length = numbers.len();
    for place in 1..length {
        let (here, beside) =
            if before { (length - place, length - place - 1) } else { (place - 1, place) };
        numbers[here] = make(numbers[here], numbers[beside]);
    }
}

/// The list and a number more, at the end or at the front.
fn with(list: &List, number: i32, in_front: bool) -> List {
    let numbers = list.numbers().iter().copied();
    if in_front {
        List::of([number].into_iter().chain(numbers))
    } else {
        List::of(numbers.chain([number]))
    }
}

impl Step {
    /// Its name, for instance `drop 2`; `drop k` without a number.
    pub(super) fn name(self, k: Option<i32>) -> String {
        let name = self.words().0;
        match k {
            Some(k) => name.replace(" k", &format!(" {k}")),
            None => name.to_owned(),
        }
    }

    /// Its name and what it does.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match (self.kind, self.other) {
            (Kind::Reverse, false) => ("reverse", "the numbers are put in reverse order."),
            (Kind::Reverse, true) => {
                ("reverse rest", "the first number stays, the others are put in reverse order.")
            }
            (Kind::Sort, false) => ("sort", "the numbers are sorted, the smallest first."),
            (Kind::Sort, true) => ("sort", "the numbers are sorted, the largest first."),
            (Kind::Rotate, false) => ("rotate k", "k times, the first number goes to the end."),
            (Kind::Rotate, true) => ("rotate k", "k times, the last number goes to the front."),
            (Kind::Pairs, false) => (
                "swap pairs",
                "the 1st and the 2nd number swap, the 3rd and the 4th, and so on; a last one alone stays.",
            ),
            (Kind::Pairs, true) => (
                "swap pairs",
                "the last two numbers swap, the two before them, and so on; a first one alone stays.",
            ),
            (Kind::Unzip, false) => (
                "unzip",
                "first come the numbers at places 1, 3, 5, ..., then those at 2, 4, 6, ..., in their order.",
            ),
            (Kind::Unzip, true) => (
                "unzip",
                "first come the numbers at places 2, 4, 6, ..., then those at 1, 3, 5, ..., in their order.",
            ),
            (Kind::ParityFirst, false) => {
                ("parity", "first come the even numbers, then the odd ones, each in their order.")
            }
            (Kind::ParityFirst, true) => {
                ("parity", "first come the odd numbers, then the even ones, each in their order.")
            }
            (Kind::Drop, false) => ("drop k", "the first k numbers are taken out."),
            (Kind::Drop, true) => ("drop k", "the last k numbers are taken out."),
            (Kind::Parity, false) => ("keep even", "only the even numbers stay."),
            (Kind::Parity, true) => ("keep odd", "only the odd numbers stay."),
            (Kind::Above, false) => {
                ("keep k", "only the numbers larger than k stay, k itself does not.")
            }
            (Kind::Above, true) => ("keep k", "only k itself and the numbers larger than k stay."),
            (Kind::Once, false) => ("once", "of equal numbers only the first one stays."),
            (Kind::Once, true) => ("once", "of equal numbers only the last one stays."),
            (Kind::Records, false) => (
                "climb",
                "the first number stays, another only if it is larger than all before it.",
            ),
            (Kind::Records, true) => (
                "climb",
                "the first number stays, another only if it is larger than the one just before it.",
            ),
            (Kind::Places, false) => ("places", "only the numbers at places 1, 3, 5, ... stay."),
            (Kind::Places, true) => ("places", "only the numbers at places 2, 4, 6, ... stay."),
            (Kind::Extreme, false) => {
                ("cap", "the largest number is taken out, every time that it occurs.")
            }
            (Kind::Extreme, true) => {
                ("cap", "the smallest number is taken out, every time that it occurs.")
            }
            (Kind::Add, false) => ("add k", "k is added to every number."),
            (Kind::Add, true) => {
                ("add k", "k is added to the numbers at places 2, 4, 6 and so on.")
            }
            (Kind::Times, false) => ("times k", "every number is multiplied by k."),
            (Kind::Times, true) => ("times k", "every even number is multiplied by k."),
            (Kind::Less, false) => ("less k", "every number becomes its distance to k."),
            (Kind::Less, true) => {
                ("less k", "k is subtracted from every number; less than 0 becomes 0.")
            }
            (Kind::AddPlace, false) => {
                ("add place", "to every number its place is added, 1 to the first number.")
            }
            (Kind::AddPlace, true) => (
                "add place",
                "to every number its place from the end is added, 1 to the last number.",
            ),
            (Kind::Running, false) => {
                ("run", "every number becomes the sum of itself and all numbers before it.")
            }
            (Kind::Running, true) => {
                ("run", "every number becomes the sum of itself and all numbers after it.")
            }
            (Kind::Neighbour, false) => (
                "join",
                "every number becomes the sum of itself and the next one; the last one stays.",
            ),
            (Kind::Neighbour, true) => (
                "join",
                "every number becomes the sum of itself and the one before it; the first one stays.",
            ),
            (Kind::Gap, false) => {
                ("gap", "every number becomes its distance to the next one; the last one stays.")
            }
            (Kind::Gap, true) => (
                "gap",
                "every number becomes its distance to the one before it; the first one stays.",
            ),
            (Kind::Halve, false) => ("halve", "every number is halved, rounded down."),
            (Kind::Halve, true) => ("halve", "every number is halved, rounded up."),
            (Kind::Highest, false) => {
                ("peak", "every number becomes the largest of itself and all numbers before it.")
            }
            (Kind::Highest, true) => {
                ("peak", "every number becomes the largest of itself and all numbers after it.")
            }
            (Kind::Sum, false) => ("sum", "the sum of all numbers is put at the end."),
            (Kind::Sum, true) => ("sum", "the sum of all numbers is put at the front."),
            (Kind::Count, false) => ("count", "the number of numbers is put at the end."),
            (Kind::Count, true) => ("count", "the number of numbers is put at the front."),
        }
    }
}
