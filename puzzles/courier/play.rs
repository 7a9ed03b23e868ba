//! Walks an answer street by street and says what is wrong with it. By the rules alone: knows no search.

use super::town::{Errand, Town, letter};
use std::fmt;

/// Why a route fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Start { at: u8, start: u8 },
    NoStreet { from: u8, to: u8 },
    Against { from: u8, to: u8 },
    Closed { from: u8, to: u8, minute: u32 },
    Finish { at: u8, finish: u8 },
    NoParcel { at: u8 },
    Late { minute: u32, arrive: u32 },
    Coins { paid: u32, coins: u32 },
}

/// Walks a route of corners, start and finish included.
pub(super) fn judge(town: &Town, errand: &Errand, route: &[u8]) -> Result<(), Fault> {
    let Errand { start, leaves, finish, parcel, arrive, coins } = *errand;
    let (Some(&first), Some(&last)) = (route.first(), route.last()) else {
        return Err(Fault::Start { at: finish, start });
    };
    if first != start {
        return Err(Fault::Start { at: first, start });
    }
    let (mut minute, mut paid) = (leaves, 0);
    for (done, step) in route.windows(2).enumerate() {
        let (from, to) = (step[0], step[1]);
        minute += town.rest_after(done);
        let joins = |street: &&_| joins(street, from, to);
        let Some(street) = town.streets.iter().find(joins) else {
            return Err(Fault::NoStreet { from, to });
        };
        if street.one_way && street.from != from {
            return Err(Fault::Against { from, to });
        }
        let Some(entered) = town.entered(street, minute) else {
            return Err(Fault::Closed { from, to, minute });
        };
        paid += town.toll(street, entered);
        minute = entered + street.minutes;
    }
    if last != finish {
        return Err(Fault::Finish { at: last, finish });
    }
    if let Some(at) = parcel.filter(|at| !route.contains(at)) {
        return Err(Fault::NoParcel { at });
    }
    if minute > arrive {
        return Err(Fault::Late { minute, arrive });
    }
    if paid > coins {
        return Err(Fault::Coins { paid, coins });
    }
    Ok(())
}

fn joins(street: &super::town::Street, from: u8, to: u8) -> bool {
    [(street.from, street.to), (street.to, street.from)].contains(&(from, to))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Start { at, start } => {
                write!(f, "starts at {}, not at {}", letter(at), letter(start))
            }
            Self::NoStreet { from, to } => {
                write!(f, "no street from {} to {}", letter(from), letter(to))
            }
            Self::Against { from, to } => {
                write!(f, "the street from {} to {} is one-way", letter(from), letter(to))
            }
            Self::Closed { from, to, minute } => write!(
                f,
                "the gate from {} to {} is closed at minute {minute}",
                letter(from),
                letter(to)
            ),
            Self::Finish { at, finish } => {
                write!(f, "ends at {}, not at {}", letter(at), letter(finish))
            }
            Self::NoParcel { at } => write!(f, "does not fetch the parcel at {}", letter(at)),
            Self::Late { minute, arrive } => {
                write!(f, "arrives at minute {minute}, allowed is {arrive}")
            }
            Self::Coins { paid, coins } => write!(f, "pays {paid} coins, allowed are {coins}"),
        }
    }
}
