//! What villagers say: each claim is about how many liars are in groups, is printed in one sentence, and holds or not for a
//! choice of liars. Also what it says to somebody who misreads it. `village.rs` puts claims into mouths.

use super::village::MOST;
use std::fmt;

/// A set of villagers; bit 0 is A.
pub(super) type Group = u16;

/// A kind of claim, for level tables and the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimKind {
    Is,
    Alike,
    Exactly,
    AtLeast,
    AtMost,
    OneOf,
    If,
    More,
    Total,
    Parity,
}

impl ClaimKind {
    /// All kinds.
    #[cfg(test)]
    pub(super) const ALL: [Self; 10] = [
        Self::Is,
        Self::Alike,
        Self::Exactly,
        Self::AtLeast,
        Self::AtMost,
        Self::OneOf,
        Self::If,
        Self::More,
        Self::Total,
        Self::Parity,
    ];
}

/// From `min` to `max` of a group are liars.
///
/// One villager with both bounds 0 or both 1 is truthful or a liar. A larger group has equal bounds (exactly), no upper bound of
/// its own (at least) or no lower one (at most), and a bound is never the same as another of these forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) group: Group,
    pub(super) min: u32,
    pub(super) max: u32,
}

/// A claim. Groups of one claim have nobody in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// The part holds.
    Part(Part),
    /// All villagers: exactly so many are liars.
    Total(u32),
    /// Two villagers are of the same kind, or else of different kinds.
    Alike { pair: Group, same: bool },
    /// The number of all liars is even, or else odd.
    Parity { even: bool },
    /// Exactly one of the two holds.
    OneOf(Part, Part),
    /// If the first holds, so does the second.
    If(Part, Part),
    /// The first group has more liars than the second, which is as large.
    More(Group, Group),
}

/// One rule read in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    /// Exactly k is taken for at least k.
    ExactlyIsAtLeast,
    /// At least k is taken for more than k.
    AtLeastIsMore,
    /// At most k is taken for fewer than k.
    AtMostIsFewer,
    /// The truthful are counted instead of the liars.
    CountsTheTruthful,
    /// Of the same kind is taken for both truthful.
    AlikeIsTruthful,
    /// Exactly one of two is taken for at least one.
    OneOfIsOr,
    /// If is taken for exactly if.
    IfIsIff,
    /// If is taken the other way round.
    IfIsConverse,
    /// More is taken for not fewer.
    MoreIsNotFewer,
    /// The speaker is left out where all villagers are counted.
    SpeakerLeftOut,
}

impl Misreading {
    pub(super) const ALL: [Self; 10] = [
        Self::ExactlyIsAtLeast,
        Self::AtLeastIsMore,
        Self::AtMostIsFewer,
        Self::CountsTheTruthful,
        Self::AlikeIsTruthful,
        Self::OneOfIsOr,
        Self::IfIsIff,
        Self::IfIsConverse,
        Self::MoreIsNotFewer,
        Self::SpeakerLeftOut,
    ];

    /// Whether it reads a claim in another way than it is meant.
    pub(super) fn concerns(self, claim: Claim) -> bool {
        match (self, claim) {
            (Self::AlikeIsTruthful, Claim::Alike { same, .. }) => same,
            (Self::OneOfIsOr, Claim::OneOf(..))
            | (Self::IfIsIff | Self::IfIsConverse, Claim::If(..))
            | (Self::MoreIsNotFewer | Self::CountsTheTruthful, Claim::More(..))
            | (Self::SpeakerLeftOut, Claim::Total(_) | Claim::Parity { .. }) => true,
            (_, Claim::Part(part)) => self.reads(part) != part,
            (_, Claim::OneOf(first, second) | Claim::If(first, second)) => {
                self.reads(first) != first || self.reads(second) != second
            }
            _ => false,
        }
    }

    /// The part as it is read.
    fn reads(self, part: Part) -> Part {
        let size = part.group.count_ones();
        let Part { min, max, .. } = part;
        if size == 1 {
            return part;
        }
        match self {
            Self::ExactlyIsAtLeast if min == max => Part { max: size, ..part },
            Self::AtLeastIsMore if max == size => Part { min: min + 1, ..part },
            Self::AtMostIsFewer if min == 0 => Part { max: max.saturating_sub(1), ..part },
            Self::CountsTheTruthful => Part { min: size - max, max: size - min, ..part },
            _ => part,
        }
    }
}

/// Whether each villager is a liar, in 64 choices of liars at once: one bit a choice.
pub(super) type Lanes = [u64; MOST];

/// How many of some villagers are liars, in 64 choices at once: the binary digits of the numbers.
#[derive(Clone, Copy)]
struct Count([u64; 4]);

impl Count {
    fn of(lanes: &Lanes, group: Group) -> Self {
        let mut digits = [0; 4];
        for villager in members(group) {
            let mut carry = lanes[villager];
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
        Self(digits)
    }

    fn constant(number: u32) -> Self {
        Self(std::array::from_fn(|digit| if number >> digit & 1 == 1 { u64::MAX } else { 0 }))
    }

    /// Where this number is larger.
    fn above(self, other: Self) -> u64 {
        let (mut above, mut equal) = (0, u64::MAX);
        for (one, two) in self.0.into_iter().zip(other.0).rev() {
            above |= equal & one & !two;
            equal &= !(one ^ two);
        }
        above
    }
}

/// Where a part holds.
fn holds(lanes: &Lanes, Part { group, min, max }: Part) -> u64 {
    let count = Count::of(lanes, group);
    !count.above(Count::constant(max)) & !Count::constant(min).above(count)
}

impl Claim {
    /// The kind.
    pub(super) fn kind(self) -> ClaimKind {
        match self {
            Self::Part(part) => part.kind(),
            Self::Total(_) => ClaimKind::Total,
            Self::Alike { .. } => ClaimKind::Alike,
            Self::Parity { .. } => ClaimKind::Parity,
            Self::OneOf(..) => ClaimKind::OneOf,
            Self::If(..) => ClaimKind::If,
            Self::More(..) => ClaimKind::More,
        }
    }

    /// The kinds whose words the claim uses.
    pub(super) fn words(self) -> Vec<ClaimKind> {
        match self {
            Self::OneOf(first, second) | Self::If(first, second) => {
                vec![self.kind(), first.kind(), second.kind()]
            }
            _ => vec![self.kind()],
        }
    }

    /// In which of 64 choices of liars the claim of a speaker holds, for somebody who misreads a rule or not.
    pub(super) fn holds(
        self,
        speaker: usize,
        everybody: Group,
        lanes: &Lanes,
        misread: Option<Misreading>,
    ) -> u64 {
        let part = |part: Part| holds(lanes, misread.map_or(part, |it| it.reads(part)));
        let village = match misread {
            Some(Misreading::SpeakerLeftOut) => everybody & !(1 << speaker),
            _ => everybody,
        };
        let odd = |group: Group| Count::of(lanes, group).0[0];
        match (self, misread) {
            (Self::Part(one), _) => part(one),
            (Self::Total(count), _) => {
                holds(lanes, Part { group: village, min: count, max: count })
            }
            (Self::Alike { pair, same: true }, Some(Misreading::AlikeIsTruthful)) => {
                holds(lanes, Part { group: pair, min: 0, max: 0 })
            }
            (Self::Alike { pair, same: true }, _) => !odd(pair),
            (Self::Alike { pair, same: false }, _) => odd(pair),
            (Self::Parity { even: true }, _) => !odd(village),
            (Self::Parity { even: false }, _) => odd(village),
            (Self::OneOf(first, second), Some(Misreading::OneOfIsOr)) => part(first) | part(second),
            (Self::OneOf(first, second), _) => part(first) ^ part(second),
            (Self::If(first, second), Some(Misreading::IfIsIff)) => !(part(first) ^ part(second)),
            (Self::If(first, second), Some(Misreading::IfIsConverse)) => {
                !part(second) | part(first)
            }
            (Self::If(first, second), _) => !part(first) | part(second),
            (Self::More(first, second), misread) => {
                let (one, two) = (Count::of(lanes, first), Count::of(lanes, second));
                match misread {
                    Some(Misreading::MoreIsNotFewer) => !two.above(one),
                    // The groups are equally large.
                    Some(Misreading::CountsTheTruthful) => two.above(one),
                    _ => one.above(two),
                }
            }
        }
    }
}

impl Part {
    fn kind(self) -> ClaimKind {
        match (self.group.count_ones(), self.min == self.max, self.min) {
            (1, ..) => ClaimKind::Is,
            (_, true, _) => ClaimKind::Exactly,
            (_, _, 0) => ClaimKind::AtMost,
            _ => ClaimKind::AtLeast,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = list(self.group);
        let (words, count) = match self.kind() {
            ClaimKind::Is if self.max == 0 => return write!(f, "{names} is truthful"),
            ClaimKind::Exactly => ("exactly", self.min),
            ClaimKind::AtLeast => ("at least", self.min),
            ClaimKind::AtMost => ("at most", self.max),
            _ => return write!(f, "{names} is a liar"),
        };
        let are = if count == 1 { "is a liar" } else { "are liars" };
        write!(f, "{words} {count} of {names} {are}")
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = match *self {
            Self::Part(part) => part.to_string(),
            Self::Total(count) => format!("exactly {count} villagers are liars"),
            Self::Alike { pair, same } => {
                let kinds = if same { "the same kind" } else { "different kinds" };
                format!("{} are of {kinds}", list(pair).replace(", ", " and "))
            }
            Self::Parity { even } => {
                format!("the number of liars is {}", if even { "even" } else { "odd" })
            }
            Self::OneOf(first, second) => {
                format!("exactly one of these is true: {first}; {second}")
            }
            Self::If(first, second) => format!("if {first}, then {second}"),
            Self::More(first, second) => {
                format!("more of {} are liars than of {}", list(first), list(second))
            }
        };
        let (first, rest) = sentence.split_at(1);
        write!(f, "{}{rest}.", first.to_ascii_uppercase())
    }
}

impl ClaimKind {
    /// What the words of this kind mean, where they could be read in two ways.
    pub(super) fn legend(self) -> Option<&'static str> {
        Some(match self {
            Self::Is => return None,
            Self::Alike => {
                "Of the same kind: both are liars or both are truthful. Of different kinds: one is a liar, the other is not."
            }
            Self::Exactly => {
                "Exactly k of a group: k of those named are liars, no more and no fewer; the others named are truthful."
            }
            Self::AtLeast => "At least k of a group: k of those named are liars, or more.",
            Self::AtMost => "At most k of a group: k of those named are liars, or fewer, or none.",
            Self::OneOf => {
                "Exactly one of these is true: one of the two is true and the other is false."
            }
            Self::If => {
                "If ..., then ...: false only when the first part is true and the second is false."
            }
            Self::More => {
                "More of one group are liars than of another: the numbers of liars are compared; equal numbers are not more."
            }
            Self::Total => {
                "Exactly k villagers: of all the villagers of the village, the speaker included."
            }
            Self::Parity => {
                "The number of liars: of all the liars of the village, the speaker included. None is an even number."
            }
        })
    }
}

/// The letter of a villager.
pub(super) fn letter(villager: usize) -> char {
    char::from(b'A' + (villager % 26) as u8)
}

/// The villagers of a group, by number.
pub(super) fn members(group: Group) -> impl Iterator<Item = usize> {
    let mut left = group;
    std::iter::from_fn(move || {
        let first = (left != 0).then_some(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(first)
    })
}

/// The letters of a group, `A, C, F`.
fn list(group: Group) -> String {
    let names: Vec<String> = members(group).map(|villager| letter(villager).to_string()).collect();
    names.join(", ")
}
