//! Plays an answer step by step and says what is wrong with it. By the rules alone: knows rows and columns, no search.

use super::room::{Cell, Dir, Room, SIDE, Twist, bit};
use std::fmt;

/// Why an answer fails; letters are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Wall { letter: usize },
    OneWay { letter: usize },
    Blocked { letter: usize },
    Stuck { letter: usize },
    IntoBox { letter: usize },
    TooMany { letter: usize, limit: u16, verb: &'static str },
    Open { boxes: usize },
}

/// Plays steps from a start, with so many moves of boxes allowed.
pub(super) fn judge(
    room: &Room,
    boxes: &[Cell],
    player: Cell,
    limit: u16,
    steps: &[Dir],
) -> Result<(), Fault> {
    let mut boxes = boxes.to_vec();
    let mut player = player;
    let mut moves = 0;
    let pull = room.has(Twist::Pull);
    for (letter, dir) in (1..).zip(steps) {
        let Some(to) = beside(room, player, *dir) else { return Err(Fault::Wall { letter }) };
        if against(room, to, *dir) {
            return Err(Fault::OneWay { letter });
        }
        let at = |cell: Option<Cell>| boxes.iter().position(|on| Some(*on) == cell);
        let moved = if pull {
            if at(Some(to)).is_some() {
                return Err(Fault::IntoBox { letter });
            }
            at(beside(room, player, dir.back())).map(|number| (number, player))
        } else if let Some(number) = at(Some(to)) {
            if room.sticky & bit(to) != 0 {
                return Err(Fault::Stuck { letter });
            }
            match beside(room, to, *dir) {
                Some(next) if at(Some(next)).is_none() && !against(room, next, *dir) => {
                    Some((number, next))
                }
                _ => return Err(Fault::Blocked { letter }),
            }
        } else {
            None
        };
        if let Some((number, cell)) = moved {
            moves += 1;
            if moves > limit {
                let verb = if pull { "pulls" } else { "pushes" };
                return Err(Fault::TooMany { letter, limit, verb });
            }
            boxes[number] = cell;
        }
        player = to;
    }
    let home = |number: usize, cell: Cell| {
        if room.has(Twist::Labels) {
            room.goals.get(number) == Some(&cell)
        } else {
            room.goals.contains(&cell)
        }
    };
    match boxes.iter().enumerate().filter(|(number, cell)| !home(*number, **cell)).count() {
        0 => Ok(()),
        boxes => Err(Fault::Open { boxes }),
    }
}

/// The floor beside a cell, over the edge of the room where its rules join the edges.
fn beside(room: &Room, cell: Cell, dir: Dir) -> Option<Cell> {
    let (row, column) = (usize::from(cell) / SIDE, usize::from(cell) % SIDE);
    let torus = room.has(Twist::Torus);
    let on = |at: usize, length: usize| match at + 1 {
        next if next < length => Some(next),
        _ => torus.then_some(0),
    };
    let back = |at: usize, length: usize| match at.checked_sub(1) {
        None => torus.then_some(length - 1),
        before => before,
    };
    let (row, column) = match dir {
        Dir::Up => (back(row, room.height)?, column),
        Dir::Down => (on(row, room.height)?, column),
        Dir::Left => (row, back(column, room.width)?),
        Dir::Right => (row, on(column, room.width)?),
    };
    let next = (row * SIDE + column) as Cell;
    (room.floor & bit(next) != 0).then_some(next)
}

/// Whether a cell is one-way and not to be entered in a direction.
fn against(room: &Room, cell: Cell, dir: Dir) -> bool {
    Dir::ALL.into_iter().any(|way| way != dir && room.one_way[way as usize] & bit(cell) != 0)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wall { letter } => write!(f, "letter {letter} steps into a wall"),
            Self::OneWay { letter } => write!(f, "letter {letter} enters an arrow the wrong way"),
            Self::Blocked { letter } => write!(f, "letter {letter} pushes a box that is blocked"),
            Self::Stuck { letter } => write!(f, "letter {letter} pushes a box on sticky floor"),
            Self::IntoBox { letter } => write!(f, "letter {letter} steps into a box"),
            Self::TooMany { letter, limit, verb } => {
                write!(f, "letter {letter} is over the limit of {limit} {verb}")
            }
            Self::Open { boxes: 1 } => write!(f, "1 box does not end where it must"),
            Self::Open { boxes } => write!(f, "{boxes} boxes do not end where they must"),
        }
    }
}
