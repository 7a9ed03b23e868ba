//! The rules of a crossing and the judge of a plan: what may be aboard, what may be left behind. Knows no search and no text
//! of the prompt; `search.rs` finds plans under these rules, `prompt.rs` prints them.

use std::fmt;

/// A set of passengers: bit 0 is A, bit 1 is B.
pub(super) type Group = u16;

/// What every crossing of a task obeys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rules {
    /// Passengers, named A onwards.
    pub(super) passengers: u32,
    /// Passengers that the boat holds beside the ferryman.
    pub(super) seats: u32,
    /// Whether the ferryman may not cross alone.
    pub(super) never_alone: bool,
    /// Two passengers each that may not be left together.
    pub(super) pairs: Vec<Group>,
    /// The seeded extra rule, if there is one.
    pub(super) extra: Option<Extra>,
}

/// A rule that only some tasks have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Extra {
    /// A bank where this passenger is counts as guarded.
    Guard(Group),
    /// These two may not be in the boat together.
    BoatPair(Group),
    /// These three may not all be left together.
    Triple(Group),
    /// Passengers have weights and the boat has a limit.
    Weights {
        /// The weight of each passenger in kg.
        kg: Vec<u32>,
        /// The most that the boat carries in kg, the ferryman apart.
        limit_kg: u32,
    },
}

/// Why a plan fails; trips are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    TooLong { trips: usize, limit: usize },
    NotHere { trip: usize, who: Group },
    Overfull { trip: usize, seats: u32 },
    Alone { trip: usize },
    TooHeavy { trip: usize, kg: u32, limit_kg: u32 },
    BoatPair { trip: usize, who: Group },
    Unsafe { trip: usize, who: Group },
    LeftBehind { who: Group },
    EndsLeft,
}

impl Rules {
    /// All passengers.
    pub(super) fn everybody(&self) -> Group {
        ((1_u32 << self.passengers) - 1) as Group
    }

    /// The sets that may not be left on a bank: the pairs, and the triple if there is one.
    pub(super) fn enemies(&self) -> impl Iterator<Item = Group> {
        let triple = match self.extra {
            Some(Extra::Triple(who)) => Some(who),
            _ => None,
        };
        self.pairs.iter().copied().chain(triple)
    }

    /// The enemies that a bank would hold without the ferryman, if any.
    pub(super) fn quarrel(&self, bank: Group) -> Option<Group> {
        match self.extra {
            Some(Extra::Guard(guard)) if bank & guard != 0 => None,
            _ => self.enemies().find(|who| bank & who == *who),
        }
    }

    /// What is wrong with a load on trip `trip`, wherever it is taken aboard.
    pub(super) fn overload(&self, trip: usize, load: Group) -> Option<Fault> {
        if load.count_ones() > self.seats {
            return Some(Fault::Overfull { trip, seats: self.seats });
        }
        if load == 0 && self.never_alone {
            return Some(Fault::Alone { trip });
        }
        match &self.extra {
            Some(Extra::BoatPair(who)) if load & who == *who => {
                Some(Fault::BoatPair { trip, who: *who })
            }
            Some(Extra::Weights { kg, limit_kg }) => {
                let sum = members(load).filter_map(|who| kg.get(who as usize)).sum();
                (sum > *limit_kg).then_some(Fault::TooHeavy { trip, kg: sum, limit_kg: *limit_kg })
            }
            _ => None,
        }
    }

    /// Plays a plan from a start with the boat on the left bank.
    pub(super) fn judge(&self, start: Group, limit: usize, plan: &[Group]) -> Result<(), Fault> {
        if plan.len() > limit {
            return Err(Fault::TooLong { trips: plan.len(), limit });
        }
        let mut left = start;
        let mut boat_left = true;
        for (trip, &load) in (1..).zip(plan) {
            let bank = if boat_left { left } else { self.everybody() & !left };
            if load & !bank != 0 {
                return Err(Fault::NotHere { trip, who: load & !bank });
            }
            if let Some(fault) = self.overload(trip, load) {
                return Err(fault);
            }
            if let Some(who) = self.quarrel(bank & !load) {
                return Err(Fault::Unsafe { trip, who });
            }
            left ^= load;
            boat_left = !boat_left;
        }
        match (left, boat_left) {
            (0, false) => Ok(()),
            (0, true) => Err(Fault::EndsLeft),
            _ => Err(Fault::LeftBehind { who: left }),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooLong { trips, limit } => {
                write!(f, "{trips} trips, at most {limit} are allowed")
            }
            Self::NotHere { trip, who } => {
                write!(f, "trip {trip}: {} is not on the boat's bank", letters(who))
            }
            Self::Overfull { trip, seats } => write!(f, "trip {trip}: the boat holds {seats}"),
            Self::Alone { trip } => write!(f, "trip {trip}: the ferryman may not cross alone"),
            Self::TooHeavy { trip, kg, limit_kg } => {
                write!(f, "trip {trip}: {kg} kg aboard, at most {limit_kg} are allowed")
            }
            Self::BoatPair { trip, who } => {
                write!(f, "trip {trip}: {} may not share the boat", letters(who))
            }
            Self::Unsafe { trip, who } => write!(f, "trip {trip}: {} left alone", letters(who)),
            Self::LeftBehind { who } => write!(f, "{} is still on the LEFT bank", letters(who)),
            Self::EndsLeft => f.write_str("the ferryman ends on the LEFT bank"),
        }
    }
}

/// The members of a group, by number.
pub(super) fn members(group: Group) -> impl Iterator<Item = u32> {
    (0..Group::BITS).filter(move |who| group & (1 << who) != 0)
}

/// The letter of a passenger.
pub(super) fn letter(who: u32) -> char {
    char::from(b'A' + (who % 26) as u8)
}

/// The letters of a group in alphabetical order, without separators.
pub(super) fn letters(group: Group) -> String {
    members(group).map(letter).collect()
}
