//! How tables are drawn: the house from the shared stream, each table from its own. A table is kept only when every
//! misreading of `moves.rs` and every forgotten move end in another row.

use super::levels::Dial;
use super::moves::{House, Kind, Misreading, Move, Otherwise, misreadings, play};
use super::row::{CUPS_MAX, Row};
use crate::puzzles::{Level, Seeds, TARGETS};
use crate::rng::Stream;

/// Lists tried for one table.
const LISTS_A_TABLE: u32 = 400;

/// One undo in so many moves, and one more.
const MOVES_AN_UNDO: usize = 12;

/// One target.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) start: Row,
    pub(super) moves: Vec<Move>,
    pub(super) end: Row,
    /// How it ends for somebody who misreads a rule; never as it should.
    pub(super) misread: Vec<(Misreading, Row)>,
    /// How it ends when one move is forgotten; never as it should.
    pub(super) forgotten: Vec<Row>,
    pub(super) effort: u64,
}

/// Draws a house and five tables, or nothing when a table does not come about or two end alike.
pub(super) fn tables(level: Level, seeds: &Seeds) -> Option<(House, [Table; TARGETS])> {
    let house = house(Dial::of(level), &mut seeds.shared());
    let mut drawn: Vec<Table> = Vec::with_capacity(TARGETS);
    for target in 0..TARGETS {
        let size = Dial::of(level.on_ladder(target));
        let table = table(&house, size, &mut seeds.target(target))?;
        if drawn.iter().any(|other| other.end == table.end) {
            return None;
        }
        drawn.push(table);
    }
    Some((house, drawn.try_into().ok()?))
}

/// The kinds of a task and the reading of each. Drawn in full at every level, so that the draws of a level do not move
/// when another level gets a kind more.
pub(super) fn house(dial: &Dial, shared: &mut Stream) -> House {
    let mut letters = ['P', 'N', 'R', 'V', 'Y', 'U'];
    shared.shuffle(&mut letters);
    let mut shifts = [Kind::Rotate, Kind::Reverse, Kind::Cycle];
    shared.shuffle(&mut shifts);
    let mut turns = [Kind::Undo, Kind::Choice];
    shared.shuffle(&mut turns);
    let mut kinds = vec![Kind::Places, Kind::Names];
    kinds.extend(&shifts[..dial.shifts]);
    kinds.extend(&turns[..dial.turns]);
    kinds.sort_unstable();
    let others = [Otherwise::RotateOne, Otherwise::SwapNamed, Otherwise::ReverseAll];
    House {
        kinds,
        letters,
        rotate_left: shared.percent(50),
        cycle_back: shared.percent(50),
        otherwise: others[shared.index(others.len())],
        undo: shared.between(1, 2) as usize,
        mirror: shared.percent(dial.mirror_percent),
    }
}

fn table(house: &House, size: &Dial, rng: &mut Stream) -> Option<Table> {
    (0..LISTS_A_TABLE).find_map(|_| attempt(house, size, rng))
}

/// One start and one list, if they pass.
pub(super) fn attempt(house: &House, size: &Dial, rng: &mut Stream) -> Option<Table> {
    let mut start = Row::sorted(size.cups);
    rng.shuffle(start.cups_mut());
    let moves = list(house, size, rng)?;
    gate(house, start, moves)
}

/// A list with every kind of the house, choices at least twice, or nothing when two equal moves follow each other.
fn list(house: &House, size: &Dial, rng: &mut Stream) -> Option<Vec<Move>> {
    let moves = size.moves(house.mirror);
    let undos = undo_places(house, moves, rng)?;
    let mut kinds: Vec<Kind> =
        house.kinds.iter().copied().filter(|kind| *kind != Kind::Undo).collect();
    let once = kinds.len();
    // Once yes and once no.
    kinds.extend(kinds.iter().copied().find(|kind| *kind == Kind::Choice));
    while kinds.len() < moves - undos.len() {
        kinds.push(kinds[rng.index(once)]);
    }
    rng.shuffle(&mut kinds);
    let mut kinds = kinds.into_iter();
    let mut list = Vec::with_capacity(moves);
    for place in 0..moves {
        let kind = if undos.contains(&place) { Kind::Undo } else { kinds.next()? };
        list.push(one(kind, size.cups, rng));
    }
    list.windows(2).all(|two| two[0] != two[1]).then_some(list)
}

/// Where the undos stand: never mirrored (it would be unclear what is turned around), and far enough from the start and
/// from each other that no undo is ever undone.
fn undo_places(house: &House, moves: usize, rng: &mut Stream) -> Option<Vec<usize>> {
    if !house.kinds.contains(&Kind::Undo) {
        return Some(Vec::new());
    }
    let wanted = 1 + moves / MOVES_AN_UNDO;
    let mut free: Vec<usize> =
        (house.undo..moves).filter(|place| !house.mirrors(place + 1)).collect();
    rng.shuffle(&mut free);
    let mut places: Vec<usize> = Vec::new();
    for place in free {
        if places.len() < wanted && places.iter().all(|other| other.abs_diff(place) > house.undo) {
            places.push(place);
        }
    }
    (places.len() == wanted).then_some(places)
}

/// A random move of a kind.
fn one(kind: Kind, cups: usize, rng: &mut Stream) -> Move {
    let mut places: [usize; CUPS_MAX] = std::array::from_fn(|place| place);
    let places = &mut places[..cups];
    rng.shuffle(places);
    let (a, b, c) = (places[0], places[1], places[2]);
    match kind {
        Kind::Places => Move::Places(a.min(b), a.max(b)),
        Kind::Names => Move::Names(a as u8, b as u8),
        Kind::Rotate => Move::Rotate(1 + rng.index(cups - 1)),
        Kind::Reverse => {
            // Four places at least: on three, a reversal is a swap of its ends.
            let from = rng.index(cups - 3);
            Move::Reverse(from, from + 3 + rng.index(cups - 3 - from))
        }
        Kind::Cycle => Move::Cycle([a, b, c]),
        Kind::Undo => Move::Undo,
        Kind::Choice => {
            let first = rng.index(cups);
            let second = (first + 1 + rng.index(cups - 1)) % cups;
            Move::Choice([first as u8, second as u8], [a.min(b), a.max(b)])
        }
    }
}

/// The table of a list, unless it ends as it starts or ends the same after a misreading or without one of its moves.
fn gate(house: &House, start: Row, moves: Vec<Move>) -> Option<Table> {
    let numbered = || (1..).zip(moves.iter().copied());
    let end = play(house, start, numbered(), None);
    let mut misread = Vec::new();
    for misreading in misreadings(house, &moves) {
        let row = play(house, start, numbered(), Some(misreading));
        if row == end {
            return None;
        }
        misread.push((misreading, row));
    }
    let mut forgotten = Vec::with_capacity(moves.len());
    for skipped in 1..=moves.len() {
        // The others keep their numbers: whoever skips a move has counted it.
        let row = play(house, start, numbered().filter(|(number, _)| *number != skipped), None);
        if row == end {
            return None;
        }
        forgotten.push(row);
    }
    let work: usize = numbered().map(|(number, one)| house.work(number, one, start.len())).sum();
    let effort = work as u64;
    (start != end).then_some(Table { start, moves, end, misread, forgotten, effort })
}
