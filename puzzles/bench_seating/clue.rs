//! The clues: what each says in words and when it holds for one seating. `orders.rs` decides the same over all seatings at once,
//! `misread.rs` bends them.

use std::fmt;

/// A person, 0 is A.
pub(super) type Person = u8;

/// `(A, B)`: A sits somewhere to the left of B.
pub(super) type Pair = (Person, Person);

/// A kind of clue, for level tables and the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClueKind {
    Before,
    Directly,
    Adjacent,
    Apart,
    Gap,
    Between,
    Seat,
    End,
    Either,
    Nearer,
    If,
    Parity,
}

/// One clue about a bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Clue {
    /// The first sits somewhere to the left of the second.
    Before(Pair),
    /// The first sits on the seat just left of the second.
    Directly(Pair),
    /// The two sit side by side.
    Adjacent(Pair),
    /// The two do not sit side by side.
    Apart(Pair),
    /// So many people sit between the two.
    Gap(Pair, u8),
    /// The person sits between the two, in either order.
    Between(Person, Pair),
    /// The person sits in that seat, from 0.
    Seat(Person, u8),
    /// The person sits at an end.
    End(Person),
    /// Exactly one of the two holds.
    Either(Pair, Pair),
    /// The person is closer to the first than to the second.
    Nearer(Person, Pair),
    /// If the first holds, so does the second.
    If(Pair, Pair),
    /// The person's seat number is odd, or else even.
    Parity(Person, bool),
}

impl Clue {
    /// The kind of this clue.
    pub(super) fn kind(self) -> ClueKind {
        match self {
            Self::Before(..) => ClueKind::Before,
            Self::Directly(..) => ClueKind::Directly,
            Self::Adjacent(..) => ClueKind::Adjacent,
            Self::Apart(..) => ClueKind::Apart,
            Self::Gap(..) => ClueKind::Gap,
            Self::Between(..) => ClueKind::Between,
            Self::Seat(..) => ClueKind::Seat,
            Self::End(..) => ClueKind::End,
            Self::Either(..) => ClueKind::Either,
            Self::Nearer(..) => ClueKind::Nearer,
            Self::If(..) => ClueKind::If,
            Self::Parity(..) => ClueKind::Parity,
        }
    }

    /// Whether the clue holds when person `p` sits in seat `seats[p]`, from 0.
    pub(super) fn holds(self, seats: &[u8]) -> bool {
        let seat = |person: Person| seats.get(usize::from(person)).copied().unwrap_or(0);
        let left = |(a, b): Pair| seat(a) < seat(b);
        let apart = |a: Person, b: Person| seat(a).abs_diff(seat(b));
        match self {
            Self::Before(pair) => left(pair),
            Self::Directly((a, b)) => seat(a) + 1 == seat(b),
            Self::Adjacent((a, b)) => apart(a, b) == 1,
            Self::Apart((a, b)) => apart(a, b) != 1,
            Self::Gap((a, b), people) => apart(a, b) == people + 1,
            Self::Between(a, (b, c)) => left((b, a)) == left((a, c)),
            Self::Seat(a, number) => seat(a) == number,
            Self::End(a) => seat(a) == 0 || usize::from(seat(a)) + 1 == seats.len(),
            Self::Either(first, second) => left(first) != left(second),
            Self::Nearer(a, (b, c)) => apart(a, b) < apart(a, c),
            Self::If(first, second) => !left(first) || left(second),
            Self::Parity(a, odd) => (seat(a) % 2 == 0) == odd,
        }
    }
}

impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = |(a, b): Pair| format!("{} sits left of {}", letter(a), letter(b));
        match *self {
            Self::Before(pair) => write!(f, "{}.", left(pair)),
            Self::Directly((a, b)) => {
                write!(f, "{} sits directly left of {}.", letter(a), letter(b))
            }
            Self::Adjacent((a, b)) => write!(f, "{} sits next to {}.", letter(a), letter(b)),
            Self::Apart((a, b)) => write!(f, "{} does not sit next to {}.", letter(a), letter(b)),
            Self::Gap((a, b), 1) => {
                write!(f, "Exactly 1 person sits between {} and {}.", letter(a), letter(b))
            }
            Self::Gap((a, b), people) => {
                write!(f, "Exactly {people} people sit between {} and {}.", letter(a), letter(b))
            }
            Self::Between(a, (b, c)) => {
                write!(f, "{} sits between {} and {}.", letter(a), letter(b), letter(c))
            }
            Self::Seat(a, seat) => write!(f, "{} sits in seat {}.", letter(a), seat + 1),
            Self::End(a) => write!(f, "{} sits at an end of the bench.", letter(a)),
            Self::Either(first, second) => {
                write!(f, "Exactly one of these is true: {}; {}.", left(first), left(second))
            }
            Self::Nearer(a, (b, c)) => {
                write!(f, "{} sits closer to {} than to {}.", letter(a), letter(b), letter(c))
            }
            Self::If(first, second) => write!(f, "If {}, then {}.", left(first), left(second)),
            Self::Parity(a, odd) => {
                let parity = if odd { "an odd" } else { "an even" };
                write!(f, "{} sits in a seat with {parity} number.", letter(a))
            }
        }
    }
}

impl ClueKind {
    /// What the words of this kind mean, where they could be read in two ways.
    pub(super) fn legend(self) -> Option<&'static str> {
        Some(match self {
            Self::Before | Self::Seat | Self::Apart | Self::Parity => return None,
            Self::Directly => "Directly left of: on the neighbouring seat to the left.",
            Self::Adjacent => "Next to: on neighbouring seats, on either side.",
            Self::Gap => {
                "Exactly k people between: k people sit on the seats between the two, who may be in either order."
            }
            Self::Between => {
                "Between two people: one of them somewhere to the left and the other somewhere to the right, in\n  either order, not necessarily on neighbouring seats."
            }
            Self::End => "An end of the bench: the first or the last seat.",
            Self::Either => {
                "Exactly one of these is true: one statement is true and the other is false."
            }
            Self::Nearer => {
                "Closer to: fewer seats away, counted in either direction. The same distance is not closer."
            }
            Self::If => {
                "If ..., then ...: when the first statement is false, the clue is true whatever the second says."
            }
        })
    }
}

/// The letter of a person.
pub(super) fn letter(person: Person) -> char {
    char::from(b'A' + person % 26)
}
