//! How clues are misread. A bench is kept only if no misreading of a kind that it uses leads to the same seating.

use super::clue::{Clue, ClueKind, Pair};
use super::orders::{Orders, Seatings};

/// A way to read a kind of clue that is not the printed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    /// Seats are counted from the right: left is right.
    Mirrored,
    /// Left of is taken for directly left of.
    LeftIsDirectly,
    /// Directly left of is taken for next to.
    DirectlyIsNextTo,
    /// Next to is taken for directly left of.
    NextToIsDirectly,
    /// The number of people between is taken for the distance.
    GapIsDistance,
    /// Between B and C is taken for right of B and left of C.
    BetweenIsInOrder,
    /// An end is taken for the first seat.
    EndIsFirst,
    /// Exactly one is taken for at least one.
    EitherIsOr,
    /// Closer is taken for farther.
    NearerIsFarther,
    /// Closer is taken for not farther.
    NearerIsNotFarther,
    /// If is taken for exactly if.
    IfIsIff,
    /// If is taken the other way round.
    IfIsConverse,
}

impl Misreading {
    pub(super) const ALL: [Self; 12] = [
        Self::Mirrored,
        Self::LeftIsDirectly,
        Self::DirectlyIsNextTo,
        Self::NextToIsDirectly,
        Self::GapIsDistance,
        Self::BetweenIsInOrder,
        Self::EndIsFirst,
        Self::EitherIsOr,
        Self::NearerIsFarther,
        Self::NearerIsNotFarther,
        Self::IfIsIff,
        Self::IfIsConverse,
    ];

    /// The seatings in which a clue holds when it is read so, or nothing when this misreading leaves the clue alone.
    pub(super) fn holds(self, orders: &Orders, clue: Clue) -> Option<Seatings> {
        let directly = |pair: Pair| orders.apart(pair, 1).and(orders.left(pair));
        Some(match (self, clue) {
            (Self::Mirrored, _) => orders.holds(mirrored(clue)?),
            (Self::LeftIsDirectly, Clue::Before(pair))
            | (Self::NextToIsDirectly, Clue::Adjacent(pair)) => directly(pair),
            (Self::DirectlyIsNextTo, Clue::Directly(pair)) => orders.apart(pair, 1).clone(),
            (Self::GapIsDistance, Clue::Gap(pair, people)) => {
                orders.apart(pair, usize::from(people)).clone()
            }
            (Self::BetweenIsInOrder, Clue::Between(a, (b, c))) => {
                orders.left((b, a)).and(orders.left((a, c)))
            }
            (Self::EndIsFirst, Clue::End(a)) => orders.at(a, 0).clone(),
            (Self::EitherIsOr, Clue::Either(first, second)) => {
                orders.left(first).or(orders.left(second))
            }
            (Self::NearerIsFarther, Clue::Nearer(a, (b, c))) => orders.nearer(a, (c, b), 0),
            (Self::NearerIsNotFarther, Clue::Nearer(a, pair)) => orders.nearer(a, pair, 1),
            (Self::IfIsIff, Clue::If(first, second)) => {
                orders.not(&orders.left(first).xor(orders.left(second)))
            }
            (Self::IfIsConverse, Clue::If(first, second)) => {
                orders.not(orders.left(second)).or(orders.left(first))
            }
            _ => return None,
        })
    }
}

/// The clue as somebody reads it who counts the seats from the right; nothing when it reads the same.
fn mirrored(clue: Clue) -> Option<Clue> {
    let turned = |(a, b): Pair| (b, a);
    match clue {
        Clue::Before(pair) => Some(Clue::Before(turned(pair))),
        Clue::Directly(pair) => Some(Clue::Directly(turned(pair))),
        Clue::Either(first, second) => Some(Clue::Either(turned(first), turned(second))),
        Clue::If(first, second) => Some(Clue::If(turned(first), turned(second))),
        _ => {
            debug_assert!(
                !matches!(clue.kind(), ClueKind::Before | ClueKind::Directly),
                "these have a direction"
            );
            None
        }
    }
}
