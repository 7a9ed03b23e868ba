//! Walking and moving boxes on bit boards, forwards and backwards, under every special rule. `search.rs` builds on it.
//!
//! A player who pulls takes a box along whenever one stands behind him, so his walks are those steps that have none there.

use super::room::{Cell, Cells, Dir, Room, SIDE, Twist, bit, cells};

/// The room with what each step asks, made once a search.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    room: &'a Room,
    pull: bool,
    /// By direction: the cells that one may enter.
    enter: [Cells; 4],
    /// By direction: the cell one step from another, when it lies in the room.
    next: [[Option<Cell>; SIDE * SIDE]; 4],
}

/// A box moved by one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) dir: Dir,
    /// Where the box was and where it is now.
    pub(super) from: Cell,
    pub(super) to: Cell,
    /// Where the player stood and where he is now.
    pub(super) stand: Cell,
    pub(super) player: Cell,
}

impl<'a> Ground<'a> {
    pub(super) fn of(room: &'a Room) -> Self {
        let enter = Dir::ALL.map(|dir| room.enter(dir));
        let mut next = [[None; SIDE * SIDE]; 4];
        for cell in cells(room.area()) {
            for dir in Dir::ALL {
                next[dir as usize][usize::from(cell)] = room.next(cell, dir);
            }
        }
        Self { room, pull: room.has(Twist::Pull), enter, next }
    }

    fn next(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        self.next[dir as usize][usize::from(cell)]
    }

    /// Cells that the player may leave in a direction by walking: not those with a box behind that he would pull.
    fn leave(&self, boxes: Cells, dir: Dir) -> Cells {
        if self.pull { !self.room.step(boxes, dir) } else { Cells::MAX }
    }

    /// Where the player can walk from some cells.
    pub(super) fn reach(&self, boxes: Cells, from: Cells) -> Cells {
        self.spread(from, |set, dir| {
            let leaving = set & self.leave(boxes, dir);
            self.room.step(leaving, dir) & self.enter[dir as usize] & !boxes
        })
    }

    /// From where the player can walk to some cells.
    pub(super) fn reach_back(&self, boxes: Cells, to: Cells) -> Cells {
        self.spread(to, |set, dir| {
            let entered = set & self.enter[dir as usize];
            let left = self.room.step(entered, dir.back());
            left & self.room.floor & !boxes & self.leave(boxes, dir)
        })
    }

    fn spread(&self, from: Cells, step: impl Fn(Cells, Dir) -> Cells) -> Cells {
        let mut all = from;
        loop {
            let grown = Dir::ALL.into_iter().fold(all, |set, dir| set | step(all, dir));
            if grown == all {
                return all;
            }
            all = grown;
        }
    }

    /// The walk from a cell to another, a shortest one.
    pub(super) fn walk(&self, boxes: Cells, from: Cell, to: Cell) -> Option<Vec<Dir>> {
        let mut waves = vec![bit(from)];
        let mut all = bit(from);
        while all & bit(to) == 0 {
            let last = *waves.last()?;
            let wave = Dir::ALL.into_iter().fold(0, |wave, dir| {
                let stepped = self.room.step(last & self.leave(boxes, dir), dir);
                wave | (stepped & self.enter[dir as usize] & !boxes)
            }) & !all;
            if wave == 0 {
                return None;
            }
            all |= wave;
            waves.push(wave);
        }
        let mut at = to;
        let mut walk = Vec::new();
        for wave in waves.iter().rev().skip(1) {
            let (dir, before) = Dir::ALL.into_iter().find_map(|dir| {
                let before = self.next(at, dir.back())?;
                let walks = bit(before) & wave & self.leave(boxes, dir) != 0
                    && self.enter[dir as usize] & bit(at) != 0;
                walks.then_some((dir, before))
            })?;
            walk.push(dir);
            at = before;
        }
        walk.reverse();
        Some(walk)
    }

    /// Moves the box on a cell in a direction, when the rules and the other boxes let it.
    ///
    /// Whether the player can get to [`Shift::stand`] is for the caller to see.
    pub(super) fn shift(&self, boxes: Cells, from: Cell, dir: Dir) -> Option<Shift> {
        let to = self.next(from, dir)?;
        let (stand, player) = if self.pull {
            (to, self.next(to, dir)?)
        } else {
            (self.next(from, dir.back())?, from)
        };
        let shift = Shift { dir, from, to, stand, player };
        let others = boxes & !bit(from);
        let free = self.room.floor & !others;
        let fits = self.room.sticky & bit(from) == 0
            && self.enter[dir as usize] & bit(to) & free != 0
            && self.enter[dir as usize] & bit(player) & free != 0
            && bit(stand) & free != 0;
        fits.then_some(shift)
    }

    /// The moves that bring a box to a cell, each from its own direction; the inverse of [`Ground::shift`].
    pub(super) fn shift_back(&self, boxes: Cells, to: Cell, dir: Dir) -> Option<Shift> {
        let from = self.next(to, dir.back())?;
        let before = (boxes & !bit(to)) | bit(from);
        let free = bit(from) & self.room.floor & !boxes != 0;
        if free { self.shift(before, from, dir) } else { None }
    }
}
