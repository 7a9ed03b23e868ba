//! The town and the rules of a task: corners, streets with their minutes, tolls and gates, and the special rules that the seed
//! sets. Knows no search and no text.

/// The most corners of a town; a corner is one letter.
pub(super) const CORNERS_MAX: usize = 25;

/// A gate that stands open at every minute.
pub(super) const ALWAYS: u16 = (1 << 10) - 1;

/// Streets after which a courier rests, where he does.
pub(super) const STREETS_A_REST: usize = 3;

/// A street between two corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Street {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) minutes: u32,
    /// Coins each time it is used.
    pub(super) toll: u32,
    /// The last digits of the minutes at which it may be entered: bit `d` for digit `d`.
    pub(super) open: u16,
    /// Whether it may be used only from `from` to `to`.
    pub(super) one_way: bool,
}

/// The rules of a task, the same for its five targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Town {
    pub(super) corners: usize,
    pub(super) streets: Vec<Street>,
    /// Whether a courier waits at a closed gate; otherwise he may not come when it is closed.
    pub(super) waits: bool,
    /// The minute from which tolls are doubled, if they ever are.
    pub(super) dear_from: Option<u32>,
    /// Minutes of rest after every third street, if there is one.
    pub(super) rest: Option<u32>,
    /// Whether a parcel is to be fetched on the way.
    pub(super) parcels: bool,
}

impl Town {
    /// The streets that can be entered at a corner, each with its other end, in the order of the list.
    pub(super) fn leaving(&self, corner: u8) -> impl Iterator<Item = (u8, &Street)> {
        self.streets.iter().filter_map(move |street| match corner {
            _ if corner == street.from => Some((street.to, street)),
            _ if corner == street.to && !street.one_way => Some((street.from, street)),
            _ => None,
        })
    }

    /// The minute at which a street is entered by somebody who stands before it, if he ever is let in.
    pub(super) fn entered(&self, street: &Street, minute: u32) -> Option<u32> {
        let open = |minute: &u32| street.open & (1 << (minute % 10)) != 0;
        let last = if self.waits { minute + 9 } else { minute };
        (minute..=last).find(open)
    }

    /// The toll of a street that is entered at some minute.
    pub(super) fn toll(&self, street: &Street, entered: u32) -> u32 {
        let dear = self.dear_from.is_some_and(|from| entered >= from);
        if dear { 2 * street.toll } else { street.toll }
    }

    /// The minutes of rest after so many streets.
    pub(super) fn rest_after(&self, streets: usize) -> u32 {
        let rests = streets > 0 && streets.is_multiple_of(STREETS_A_REST);
        self.rest.filter(|_| rests).unwrap_or(0)
    }
}

/// One target's errand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Errand {
    pub(super) start: u8,
    /// The minute at which the courier sets off.
    pub(super) leaves: u32,
    pub(super) finish: u8,
    /// Where a parcel is fetched, in a town with parcels.
    pub(super) parcel: Option<u8>,
    /// The latest minute of arrival.
    pub(super) arrive: u32,
    /// The most coins for tolls.
    pub(super) coins: u32,
}

/// The letter of a corner.
pub(super) fn letter(corner: u8) -> char {
    char::from(b'A' + corner)
}
