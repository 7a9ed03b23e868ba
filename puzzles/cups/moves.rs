//! The moves, the house rules that the seed sets for them, and how a list is played; also how it is played by somebody
//! who misreads one rule. Knows no text: `prompt.rs` prints what stands here.

use super::row::Row;

/// What a move does, in the order of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Places,
    Names,
    Rotate,
    Reverse,
    Cycle,
    Undo,
    Choice,
}

impl Kind {
    /// All kinds.
    #[cfg(test)]
    pub(super) const ALL: [Self; 7] = [
        Self::Places,
        Self::Names,
        Self::Rotate,
        Self::Reverse,
        Self::Cycle,
        Self::Undo,
        Self::Choice,
    ];
}

/// One move of a list. Places and cups count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Swap what stands at two places.
    Places(usize, usize),
    /// Swap two cups.
    Names(u8, u8),
    /// Every cup moves so many places, round the end.
    Rotate(usize),
    /// Turn the cups from one place to another around.
    Reverse(usize, usize),
    /// The cups at three places change places in a ring.
    Cycle([usize; 3]),
    /// Go back.
    Undo,
    /// If the first cup is left of the second swap the two places, otherwise as the house says.
    Choice([u8; 2], [usize; 2]),
}

impl Move {
    /// The kind.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Places(..) => Kind::Places,
            Self::Names(..) => Kind::Names,
            Self::Rotate(_) => Kind::Rotate,
            Self::Reverse(..) => Kind::Reverse,
            Self::Cycle(_) => Kind::Cycle,
            Self::Undo => Kind::Undo,
            Self::Choice(..) => Kind::Choice,
        }
    }
}

/// What a choice does when its condition fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// Rotate by one place.
    RotateOne,
    /// Swap the two cups of the condition.
    SwapNamed,
    /// Turn the whole row around.
    ReverseAll,
}

/// The rules of a task, the same on its five tables.
#[derive(Debug, Clone)]
pub(super) struct House {
    /// The kinds of move, in the order of the legend.
    pub(super) kinds: Vec<Kind>,
    /// The letters of the kinds from places to undo.
    pub(super) letters: [char; 6],
    /// Whether rotate moves cups to the left.
    pub(super) rotate_left: bool,
    /// Whether a cycle runs against the order in which its places are written.
    pub(super) cycle_back: bool,
    /// What a choice does when its condition fails.
    pub(super) otherwise: Otherwise,
    /// How many moves an undo takes back.
    pub(super) undo: usize,
    /// Whether every third move is done mirrored.
    pub(super) mirror: bool,
}

impl House {
    /// Whether the move of that number, from 1, is done mirrored.
    pub(super) fn mirrors(&self, number: usize) -> bool {
        self.mirror && number.is_multiple_of(3)
    }

    /// How many cups a person looks at and moves to do a move: the measure of effort.
    pub(super) fn work(&self, number: usize, one: Move, cups: usize) -> usize {
        let work = match one {
            Move::Places(..) => 2,
            // Two cups are found, then moved.
            Move::Names(..) => 4,
            Move::Rotate(_) | Move::Undo => cups,
            Move::Reverse(from, to) => to - from + 1,
            Move::Cycle(_) => 3,
            Move::Choice(..) => 5,
        };
        if self.mirrors(number) { work + cups } else { work }
    }
}

/// One rule read in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    /// Place 2 is the cup B.
    PlaceIsLetter,
    /// Place 2 is the cup that stood there at the start.
    PlaceIsStart,
    /// Cup B is place 2.
    NameIsPlace,
    /// Cup B is the place where B stood at the start.
    NameIsStart,
    /// Rotate goes the other way.
    RotateOther,
    /// Only the cups at the two ends swap.
    ReverseEnds,
    /// The cycle goes the other way.
    CycleOther,
    /// Undo does nothing.
    UndoIgnored,
    /// Undo takes back one move instead of two, or two instead of one.
    UndoOther,
    /// Left is right.
    ChoiceInverted,
    /// The condition is not looked at.
    ChoiceAlways,
    /// Never as the condition says, always otherwise.
    ChoiceNever,
    /// Nothing happens otherwise.
    ChoiceNoElse,
    /// No move is mirrored.
    MirrorIgnored,
    /// The moves 1, 4, 7 and so on are mirrored.
    MirrorEarly,
    /// Places count from the right, but rotate and left-of are as ever.
    MirrorPlaces,
}

/// The misreadings that concern a list of moves under a house.
pub(super) fn misreadings(house: &House, moves: &[Move]) -> Vec<Misreading> {
    use Misreading::{
        ChoiceAlways, ChoiceInverted, ChoiceNever, ChoiceNoElse, CycleOther, MirrorEarly,
        MirrorIgnored, MirrorPlaces, NameIsPlace, NameIsStart, PlaceIsLetter, PlaceIsStart,
        ReverseEnds, RotateOther, UndoIgnored, UndoOther,
    };
    let mut found = Vec::new();
    for kind in &house.kinds {
        let of_kind: &[Misreading] = match kind {
            Kind::Places => &[PlaceIsLetter, PlaceIsStart],
            Kind::Names => &[NameIsPlace, NameIsStart],
            Kind::Rotate => &[RotateOther],
            Kind::Reverse => &[ReverseEnds],
            Kind::Cycle => &[CycleOther],
            Kind::Undo => &[UndoIgnored, UndoOther],
            Kind::Choice => &[ChoiceInverted, ChoiceAlways, ChoiceNever, ChoiceNoElse],
        };
        found.extend_from_slice(of_kind);
    }
    if house.mirror {
        found.extend([MirrorIgnored, MirrorEarly]);
        let turns = |one: Move| matches!(one, Move::Rotate(_) | Move::Choice(..));
        if (1..).zip(moves).any(|(number, one)| house.mirrors(number) && turns(*one)) {
            found.push(MirrorPlaces);
        }
    }
    found
}

/// Plays moves, each with its number in the list, from a start row.
pub(super) fn play(
    house: &House,
    start: Row,
    moves: impl IntoIterator<Item = (usize, Move)>,
    misread: Option<Misreading>,
) -> Row {
    let player = Player { house, start, misread };
    let mut row = start;
    // The row before each move that was done.
    let mut before = Vec::new();
    for (number, one) in moves {
        let now = row;
        match one {
            Move::Undo => row = player.back(row, &before),
            _ if player.mirrors(number) => {
                row.cups_mut().reverse();
                player.step(&mut row, one, true);
                row.cups_mut().reverse();
            }
            _ => player.step(&mut row, one, false),
        }
        before.push(now);
    }
    row
}

/// Somebody who plays a list, perhaps with one rule misread.
struct Player<'a> {
    house: &'a House,
    start: Row,
    misread: Option<Misreading>,
}

impl Player<'_> {
    fn misreads(&self, misreading: Misreading) -> bool {
        self.misread == Some(misreading)
    }

    fn mirrors(&self, number: usize) -> bool {
        match self.misread {
            Some(Misreading::MirrorIgnored) => false,
            Some(Misreading::MirrorEarly) => self.house.mirrors(number + 2),
            _ => self.house.mirrors(number),
        }
    }

    fn back(&self, row: Row, before: &[Row]) -> Row {
        let depth = match self.misread {
            Some(Misreading::UndoIgnored) => return row,
            Some(Misreading::UndoOther) => 3 - self.house.undo,
            _ => self.house.undo,
        };
        before.get(before.len().saturating_sub(depth)).copied().unwrap_or(row)
    }

    /// Does a move, on a row that was turned around before when it is `mirrored`.
    fn step(&self, row: &mut Row, one: Move, mirrored: bool) {
        // Somebody who mirrors the places alone turns and compares as on the row that was not turned around.
        let flipped = mirrored && self.misreads(Misreading::MirrorPlaces);
        match one {
            Move::Places(a, b) => self.swap_places(row, [a, b]),
            Move::Names(a, b) => self.swap_names(row, [a, b]),
            Move::Rotate(by) => self.rotate(row, by, flipped),
            Move::Reverse(from, to) if self.misreads(Misreading::ReverseEnds) => {
                row.cups_mut().swap(from, to);
            }
            Move::Reverse(from, to) => row.cups_mut()[from..=to].reverse(),
            Move::Cycle([first, second, third]) => {
                let back = self.house.cycle_back != self.misreads(Misreading::CycleOther);
                let cups = row.cups_mut();
                // Two swaps make a ring of three: what stood at the first place ends at the third, or at the second.
                cups.swap(first, second);
                if back {
                    cups.swap(second, third);
                } else {
                    cups.swap(first, third);
                }
            }
            Move::Choice([a, b], places) => {
                let left = (row.place(a) < row.place(b)) != flipped;
                let holds = match self.misread {
                    Some(Misreading::ChoiceInverted) => !left,
                    Some(Misreading::ChoiceAlways) => true,
                    Some(Misreading::ChoiceNever) => false,
                    _ => left,
                };
                match self.house.otherwise {
                    _ if holds => self.swap_places(row, places),
                    _ if self.misreads(Misreading::ChoiceNoElse) => {}
                    Otherwise::RotateOne => self.rotate(row, 1, flipped),
                    Otherwise::SwapNamed => self.swap_names(row, [a, b]),
                    Otherwise::ReverseAll => row.cups_mut().reverse(),
                }
            }
            Move::Undo => {}
        }
    }

    fn swap_places(&self, row: &mut Row, places: [usize; 2]) {
        let [a, b] = match self.misread {
            Some(Misreading::PlaceIsLetter) => places.map(|place| row.place(place as u8)),
            Some(Misreading::PlaceIsStart) => {
                places.map(|place| row.place(self.start.cups()[place]))
            }
            _ => places,
        };
        row.cups_mut().swap(a, b);
    }

    fn swap_names(&self, row: &mut Row, names: [u8; 2]) {
        let [a, b] = match self.misread {
            Some(Misreading::NameIsPlace) => names.map(usize::from),
            Some(Misreading::NameIsStart) => names.map(|cup| self.start.place(cup)),
            _ => names.map(|cup| row.place(cup)),
        };
        row.cups_mut().swap(a, b);
    }

    fn rotate(&self, row: &mut Row, by: usize, flipped: bool) {
        let left = self.house.rotate_left != self.misreads(Misreading::RotateOther);
        if left != flipped {
            row.cups_mut().rotate_left(by);
        } else {
            row.cups_mut().rotate_right(by);
        }
    }
}
