//! Breadth-first search backwards from all solved states: the fewest moves of boxes for every start at once, up to a depth.
//! Bounded by that depth and by a number of states.

use super::moves::{Ground, Shift};
use super::room::{Cell, Cells, Dir, Room, Twist, bit};

/// The most boxes of any level.
pub(super) const BOXES_MAX: usize = 4;

/// Slots of the table at first, as a power of two, and the entries at which a search gives up.
const SLOT_BITS: u32 = 9;
const ENTRIES_MAX: usize = 20_000;

/// Where the boxes stand. With labels, place `n` is that of box `n`; without, places are in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Boxes {
    count: u8,
    places: [Cell; BOXES_MAX],
}

impl Boxes {
    /// Boxes on those cells.
    pub(super) fn new(room: &Room, on: &[Cell]) -> Self {
        let count = on.len().min(BOXES_MAX);
        let mut places = [0; BOXES_MAX];
        places[..count].copy_from_slice(&on[..count]);
        let mut boxes = Self { count: count as u8, places };
        boxes.order(room);
        boxes
    }

    /// The cells, by box.
    pub(super) fn places(&self) -> &[Cell] {
        &self.places[..usize::from(self.count)]
    }

    /// The cells as a set.
    pub(super) fn set(&self) -> Cells {
        self.places().iter().map(|place| bit(*place)).sum()
    }

    /// The boxes with the one on a cell elsewhere.
    pub(super) fn moved(&self, room: &Room, from: Cell, to: Cell) -> Self {
        let mut boxes = *self;
        for place in boxes.places[..usize::from(self.count)].iter_mut().filter(|at| **at == from) {
            *place = to;
        }
        boxes.order(room);
        boxes
    }

    fn order(&mut self, room: &Room) {
        if !room.has(Twist::Labels) {
            self.places[..usize::from(self.count)].sort_unstable();
        }
    }

    /// Their slot in a table of that many, a power of two.
    fn slot(&self, slots: usize) -> usize {
        let key = u32::from_le_bytes(self.places);
        (key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - slots.ilog2())) as usize
    }
}

/// Player cells that are all the same number of moves from solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) boxes: Boxes,
    /// Where the player may stand.
    pub(super) players: Cells,
    /// The fewest moves of boxes.
    pub(super) depth: u16,
    /// An earlier entry of the same boxes, plus one.
    earlier: u32,
}

/// The fewest moves from every state, up to a depth.
#[derive(Debug)]
pub(super) struct Depths<'a> {
    pub(super) room: &'a Room,
    ground: Ground<'a>,
    /// By goal: from where a box alone in the room gets there.
    homes: Vec<Cells>,
    entries: Vec<Entry>,
    /// By hash of the boxes: their last entry, plus one. Half of them at least are free.
    slots: Vec<u32>,
    used: usize,
}

impl<'a> Depths<'a> {
    /// Searches back to a depth; nothing when there are too many states.
    pub(super) fn of(room: &'a Room, deepest: u16) -> Option<Self> {
        let ground = Ground::of(room);
        let mut depths = Self {
            room,
            homes: room.goals.iter().map(|goal| home(&ground, *goal)).collect(),
            ground,
            entries: Vec::new(),
            slots: vec![0; 1 << SLOT_BITS],
            used: 0,
        };
        let solved = Boxes::new(room, &room.goals);
        let slot = depths.slot(&solved);
        depths.add(slot, solved, room.floor & !solved.set(), 0);
        let mut at = 0;
        while let Some(entry) = depths.entries.get(at).copied() {
            at += 1;
            if entry.depth < deepest {
                depths.step_back(&entry);
            }
            if depths.entries.len() > ENTRIES_MAX {
                return None;
            }
        }
        Some(depths)
    }

    fn step_back(&mut self, entry: &Entry) {
        let set = entry.boxes.set();
        for to in entry.boxes.places() {
            for dir in Dir::ALL {
                let Some(shift) = self.ground.shift_back(set, *to, dir) else { continue };
                if entry.players & bit(shift.player) == 0 {
                    continue;
                }
                let before = entry.boxes.moved(self.room, shift.to, shift.from);
                let slot = self.slot(&before);
                let known = self.known(slot);
                // Who walks to a known cell is known himself, so there is nothing new then: the usual case.
                if known & bit(shift.stand) == 0 {
                    let reached = self.ground.reach_back(before.set(), bit(shift.stand));
                    self.add(slot, before, reached & !known, entry.depth + 1);
                }
            }
        }
    }

    fn add(&mut self, slot: usize, boxes: Boxes, players: Cells, depth: u16) {
        let earlier = self.slots[slot];
        self.entries.push(Entry { boxes, players, depth, earlier });
        self.slots[slot] = self.entries.len() as u32;
        self.used += usize::from(earlier == 0);
        if self.used * 2 > self.slots.len() {
            let doubled = vec![0; self.slots.len() * 2];
            for last in std::mem::replace(&mut self.slots, doubled) {
                if let Some(entry) = self.entry(last) {
                    let slot = self.slot(&entry.boxes);
                    self.slots[slot] = last;
                }
            }
        }
    }

    /// The player cells whose depth is known, with the boxes of a slot.
    fn known(&self, slot: usize) -> Cells {
        self.chain(slot).fold(0, |known, entry| known | entry.players)
    }

    /// The slot of some boxes: theirs, or the free one where they would go.
    fn slot(&self, boxes: &Boxes) -> usize {
        let mut slot = boxes.slot(self.slots.len());
        while let Some(entry) = self.entry(self.slots[slot]) {
            if entry.boxes == *boxes {
                break;
            }
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }

    fn entry(&self, number: u32) -> Option<&Entry> {
        self.entries.get((number as usize).checked_sub(1)?)
    }

    fn chain(&self, slot: usize) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.entry(self.slots[slot]), |entry| self.entry(entry.earlier))
    }

    /// The fewest moves from a state, when they are no more than the depth searched.
    pub(super) fn depth(&self, boxes: &Boxes, player: Cell) -> Option<u16> {
        let mut chain = self.chain(self.slot(boxes));
        chain.find(|entry| entry.players & bit(player) != 0).map(|entry| entry.depth)
    }

    /// The states of a depth, in the order in which they were found.
    pub(super) fn at(&self, depth: u16) -> &[Entry] {
        let first = self.entries.partition_point(|entry| entry.depth < depth);
        let end = self.entries.partition_point(|entry| entry.depth <= depth);
        &self.entries[first..end]
    }

    /// The moves that the player can make next.
    pub(super) fn shifts(&self, boxes: &Boxes, player: Cell) -> impl Iterator<Item = Shift> {
        let set = boxes.set();
        let reach = self.ground.reach(set, bit(player));
        boxes.places().to_vec().into_iter().flat_map(move |from| {
            Dir::ALL.into_iter().filter_map(move |dir| {
                self.ground.shift(set, from, dir).filter(|shift| reach & bit(shift.stand) != 0)
            })
        })
    }

    /// A plan of the fewest moves, which stays with a box where it can.
    pub(super) fn plan(&self, start: &Boxes, player: Cell) -> Option<Plan> {
        let mut plan = Plan::default();
        let (mut boxes, mut player) = (*start, player);
        let mut last = None;
        let mut depth = self.depth(start, player)?;
        while depth > 0 {
            let mut good: Vec<Shift> = self
                .shifts(&boxes, player)
                .filter(|shift| {
                    let next = boxes.moved(self.room, shift.from, shift.to);
                    self.depth(&next, shift.player) == Some(depth - 1)
                })
                .collect();
            good.sort_by_key(|shift| last != Some(shift.from));
            let shift = good.first()?;
            if last.is_some_and(|last| last != shift.from) {
                plan.changes += 1;
            }
            plan.steps.extend(self.ground.walk(boxes.set(), player, shift.stand)?);
            plan.steps.push(shift.dir);
            boxes = boxes.moved(self.room, shift.from, shift.to);
            player = shift.player;
            last = Some(shift.to);
            depth -= 1;
        }
        Some(plan)
    }

    /// Whether a box can no longer get to a goal of its own, whatever the others do.
    pub(super) fn lost(&self, boxes: &Boxes) -> bool {
        let any = self.homes.iter().fold(0, |any, home| any | home);
        let labels = self.room.has(Twist::Labels);
        let mut homes = self.homes.iter().map(|home| if labels { *home } else { any });
        boxes.places().iter().any(|place| homes.next().unwrap_or(any) & bit(*place) == 0)
    }
}

/// From where a box alone in the room can get to a cell, the player being wherever he must.
fn home(ground: &Ground<'_>, goal: Cell) -> Cells {
    let mut home = bit(goal);
    let mut queue = vec![goal];
    while let Some(to) = queue.pop() {
        for dir in Dir::ALL {
            let shift = ground.shift_back(bit(to), to, dir);
            if let Some(shift) = shift.filter(|shift| home & bit(shift.from) == 0) {
                home |= bit(shift.from);
                queue.push(shift.from);
            }
        }
    }
    home
}

/// A plan: its steps, and how often it turns to another box.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) steps: Vec<Dir>,
    pub(super) changes: u32,
}
