//! How a task is drawn: a room from the shared stream, the fewest pushes of all its starts by one search backwards, then one
//! start a target from its own stream. Solvable by construction; plans of the misread room must fail.

use super::levels::Dial;
use super::play;
use super::room::{Cell, Cells, Dir, Room, Twist, bit, cells};
use super::search::{Boxes, Depths};
use crate::puzzles::{Seeds, TARGETS};
use crate::rng::Stream;
use std::cell::LazyCell;

/// Rooms tried in one draw, times boxes: a room with more of them costs more.
const ROOMS_A_DRAW: usize = 240;

/// Starts that a target may look at in one room.
const STARTS_A_TARGET: usize = 24;

/// Cells that are one-way or sticky in a room with such cells.
const SPECIAL_CELLS: (u32, u32) = (3, 5);

/// Walls, of 100 cells, that a room without an outer wall has more, or it would be too easy to get around boxes.
const TORUS_WALLS: u32 = 10;

/// The longest plan that is kept, well below the letters that an answer may have.
const PLAN_LETTERS: usize = 120;

/// One target.
#[derive(Debug, Clone)]
pub(super) struct Start {
    /// Where the boxes stand; with labels, in their order.
    pub(super) boxes: Vec<Cell>,
    /// Where the player stands.
    pub(super) player: Cell,
    /// The most moves of boxes.
    pub(super) limit: u16,
    /// A plan of the fewest moves of boxes.
    pub(super) plan: Vec<Dir>,
    /// Plans of the room without its special rule; none of them is right.
    pub(super) misread: Vec<Vec<Dir>>,
    /// How hard the start is.
    pub(super) effort: u64,
}

/// Draws a room and five starts of rising length.
pub(super) fn task(dial: &Dial, seeds: &Seeds) -> Option<(Room, [Start; TARGETS])> {
    let mut shared = seeds.shared();
    let twist = twist(dial, &mut shared);
    (0..ROOMS_A_DRAW / dial.boxes).find_map(|_| {
        let room = room(dial, twist, &mut shared)?;
        let own = std::array::from_fn(|target| seeds.target(target));
        let starts = starts(dial, &room, &mut shared, own)?;
        Some((room, starts))
    })
}

fn twist(dial: &Dial, shared: &mut Stream) -> Option<Twist> {
    let drawn = *shared.pick(&Twist::ALL)?;
    shared.percent(dial.twist_percent).then_some(drawn)
}

/// Random walls, of which the largest hall is kept, random goals, and the cells of the special rule.
fn room(dial: &Dial, twist: Option<Twist>, shared: &mut Stream) -> Option<Room> {
    let mut room = Room::new(dial.width, dial.height, twist);
    let walls = dial.wall_percent + if room.has(Twist::Torus) { TORUS_WALLS } else { 0 };
    let drawn: Cells = cells(room.area()).filter(|_| !shared.percent(walls)).map(bit).sum();
    room.floor = largest_hall(&room, drawn);
    let mut floor: Vec<Cell> = cells(room.floor).collect();
    shared.shuffle(&mut floor);
    let special = match twist {
        Some(Twist::OneWay | Twist::Sticky) => {
            shared.between(SPECIAL_CELLS.0, SPECIAL_CELLS.1) as usize
        }
        _ => 0,
    };
    room.goals = floor.get(..dial.boxes)?.to_vec();
    for cell in floor.get(dial.boxes..dial.boxes + special)? {
        match twist {
            Some(Twist::OneWay) => room.one_way[shared.index(Dir::ALL.len())] |= bit(*cell),
            _ => room.sticky |= bit(*cell),
        }
    }
    Some(room)
}

fn largest_hall(room: &Room, mut drawn: Cells) -> Cells {
    let mut largest = 0_u64;
    while drawn != 0 {
        let mut hall = drawn & drawn.wrapping_neg();
        loop {
            let grown =
                Dir::ALL.into_iter().fold(hall, |hall, dir| hall | room.step(hall, dir)) & drawn;
            if grown == hall {
                break;
            }
            hall = grown;
        }
        if hall.count_ones() > largest.count_ones() {
            largest = hall;
        }
        drawn &= !hall;
    }
    largest
}

/// Five starts: the shared stream deals the starts of one length out to the targets that want it, and each target picks from
/// its own hand with its own stream. So none moves another.
fn starts(
    dial: &Dial,
    room: &Room,
    shared: &mut Stream,
    mut own: [Stream; TARGETS],
) -> Option<[Start; TARGETS]> {
    let depths = Depths::of(room, dial.pushes(TARGETS - 1))?;
    let mut hands: Vec<Vec<(Boxes, Cells)>> = vec![Vec::new(); TARGETS];
    let special = room.one_way.iter().fold(room.goal_cells() | room.sticky, |all, way| all | way);
    for first in 0..TARGETS {
        let pushes = dial.pushes(first);
        let takers: Vec<usize> =
            (0..TARGETS).filter(|target| dial.pushes(*target) == pushes).collect();
        if takers[0] != first {
            continue;
        }
        // A start is a picture with one thing in a cell, so goals and special cells are empty in it.
        let mut pool: Vec<(Boxes, Cells)> = depths
            .at(pushes)
            .iter()
            .filter(|entry| entry.boxes.set() & special == 0)
            .map(|entry| (entry.boxes, entry.players & !special))
            .filter(|(_, players)| *players != 0)
            .collect();
        if pool.len() < takers.len() {
            return None;
        }
        shared.shuffle(&mut pool);
        for (state, target) in pool.into_iter().zip(takers.into_iter().cycle()) {
            hands[target].push(state);
        }
    }
    let plain = room.plain();
    // Searched when the first start asks for it: most rooms have none that gets that far.
    let misread = LazyCell::new(|| Depths::of(&plain, dial.pushes(TARGETS - 1) + dial.slack));
    let astray = |boxes: &Boxes, player: Cell| {
        if room.twist.is_none() {
            return Some(Vec::new());
        }
        let game = misread.as_ref()?;
        let plan = game.plan(&Boxes::new(game.room, boxes.places()), player);
        Some(plan.into_iter().map(|plan| plan.steps).collect())
    };
    let mut starts = Vec::new();
    for (target, hand) in hands.iter_mut().enumerate() {
        let rng = &mut own[target];
        rng.shuffle(hand);
        let start = hand.iter().take(STARTS_A_TARGET).find_map(|(boxes, players)| {
            let players: Vec<Cell> = cells(*players).collect();
            let player = *rng.pick(&players)?;
            start(dial, &depths, &astray, target, boxes, player)
        })?;
        starts.push(start);
    }
    starts.try_into().ok()
}

/// A start, when it is as demanding as the level asks and `astray`, plans of the misread room, are wrong.
fn start(
    dial: &Dial,
    depths: &Depths<'_>,
    astray: &impl Fn(&Boxes, Cell) -> Option<Vec<Vec<Dir>>>,
    target: usize,
    boxes: &Boxes,
    player: Cell,
) -> Option<Start> {
    let room = depths.room;
    let pushes = dial.pushes(target);
    let limit = pushes + dial.slack;
    let plan = depths.plan(boxes, player)?;
    // Who pulls hardly ever loses a box by it, so nothing is asked there.
    let loses = || {
        room.has(Twist::Pull)
            || depths
                .shifts(boxes, player)
                .any(|shift| depths.lost(&boxes.moved(room, shift.from, shift.to)))
    };
    if plan.steps.len() > PLAN_LETTERS || (dial.demanding && (plan.changes < 2 || !loses())) {
        return None;
    }
    let misread = astray(boxes, player)?;
    let right = |steps: &[Dir]| play::judge(room, boxes.places(), player, limit, steps).is_ok();
    if !right(&plan.steps) || misread.iter().any(|steps| right(steps)) {
        return None;
    }
    Some(Start {
        boxes: boxes.places().to_vec(),
        player,
        limit,
        plan: plan.steps,
        misread,
        effort: u64::from(pushes) * boxes.places().len() as u64,
    })
}
