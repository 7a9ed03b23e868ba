//! The cheapest way to be at every corner at every minute: one pass over the minutes of a town, the true one or a misread one.
//! Gives the reference route, its limits and what a misreader would answer.

use super::town::{STREETS_A_REST, Street, Town};

/// The cost of what cannot be reached.
const NEVER: u16 = u16::MAX;

/// What a street is that can never be entered at a digit.
const SHUT: u8 = u8::MAX;

/// A town made ready for searches: the ways out of each corner.
#[derive(Debug)]
pub(super) struct Map {
    ways: Vec<Vec<Way>>,
    dear_from: u32,
    rest: Option<u32>,
}

/// A street out of a corner.
#[derive(Debug)]
struct Way {
    to: u8,
    minutes: u32,
    toll: u16,
    /// Minutes of waiting, by the last digit of the minute at which somebody comes.
    wait: [u8; 10],
}

impl Map {
    /// The map of a town.
    pub(super) fn of(town: &Town) -> Self {
        let way = |(to, street): (u8, &Street)| {
            let wait = |digit: usize| {
                let minute = digit as u32;
                town.entered(street, minute).map_or(SHUT, |entered| (entered - minute) as u8)
            };
            Way {
                to,
                minutes: street.minutes,
                toll: street.toll as u16,
                wait: std::array::from_fn(wait),
            }
        };
        let ways =
            (0..town.corners as u8).map(|corner| town.leaving(corner).map(way).collect()).collect();
        Self { ways, dear_from: town.dear_from.unwrap_or(u32::MAX), rest: town.rest }
    }

    /// The corners that are one street away.
    pub(super) fn next_to(&self, corner: u8) -> impl Iterator<Item = u8> {
        self.ways[usize::from(corner)].iter().map(|way| way.to)
    }

    /// The number of corners.
    pub(super) fn corners(&self) -> usize {
        self.ways.len()
    }
}

/// What any two corners of a town are apart at least, however its rules are read: no gates, no one-way streets, plain tolls.
#[derive(Debug)]
pub(super) struct Apart {
    minutes: Vec<Vec<u32>>,
    coins: Vec<Vec<u32>>,
}

impl Apart {
    /// Measures a town.
    pub(super) fn of(town: &Town) -> Self {
        Self {
            minutes: least(town, |street| street.minutes),
            coins: least(town, |street| street.toll),
        }
    }
}

/// The least sums over streets between any two corners.
fn least(town: &Town, of: impl Fn(&Street) -> u32) -> Vec<Vec<u32>> {
    let far = u32::MAX / 4;
    let mut least = vec![vec![far; town.corners]; town.corners];
    for street in &town.streets {
        let (from, to) = (usize::from(street.from), usize::from(street.to));
        least[from][to] = of(street);
        least[to][from] = of(street);
    }
    (0..town.corners).for_each(|corner| least[corner][corner] = 0);
    for by in 0..town.corners {
        let onward = least[by].clone();
        for row in &mut least {
            let way = row[by];
            for (sum, on) in row.iter_mut().zip(&onward) {
                *sum = (*sum).min(way + on);
            }
        }
    }
    least
}

/// Where a search begins, and how far it looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach<'a> {
    /// The one finish that is asked for, if it is one: then the search ends with the first arrival there, and follows no way
    /// that is too far from it.
    pub(super) finish: Option<(u8, &'a Apart)>,
    pub(super) start: u8,
    pub(super) leaves: u32,
    /// Where a parcel is, if there is one: states without it are at no finish.
    pub(super) parcel: Option<u8>,
    /// Minutes after the start.
    pub(super) minutes: u32,
    /// Coins beyond which no way is followed.
    pub(super) coins: u32,
}

/// What is not worth following.
#[derive(Debug, Clone, Copy)]
struct Limit<'a> {
    minutes: u32,
    coins: u32,
    finish: Option<(u8, &'a Apart)>,
}

impl Limit<'_> {
    fn cuts(&self, corner: u8, after: u32, coins: u32) -> bool {
        let (minutes, tolls) = self.finish.map_or((0, 0), |(finish, apart)| {
            let (from, to) = (usize::from(corner), usize::from(finish));
            (apart.minutes[from][to], apart.coins[from][to])
        });
        after + minutes > self.minutes || coins + tolls > self.coins
    }
}

/// All that a courier can do who sets off at one corner at one minute.
#[derive(Debug)]
pub(super) struct Tours {
    leaves: u32,
    minutes: u32,
    shape: Shape,
    /// The fewest coins, by minute after the start and state.
    coins: Vec<u16>,
    /// The cell that a cell is reached from.
    before: Vec<u32>,
    /// Streets tried up to each minute after the start.
    tried: Vec<u64>,
}

/// How a state is a number: a corner, whether the parcel is fetched, how many streets since the last rest.
#[derive(Debug, Clone, Copy)]
struct Shape {
    corners: usize,
    phases: usize,
    parcel: Option<u8>,
}

impl Shape {
    fn states(self) -> usize {
        self.corners * self.stages() * self.phases
    }

    fn state(self, corner: u8, fetched: bool, streets: usize) -> usize {
        let stage = usize::from(fetched && self.parcel.is_some());
        (usize::from(corner) * self.stages() + stage) * self.phases + streets % self.phases
    }

    /// Without and with the parcel, where there is one.
    fn stages(self) -> usize {
        if self.parcel.is_some() { 2 } else { 1 }
    }

    fn corner(self, state: usize) -> u8 {
        (state / self.phases / self.stages()) as u8
    }

    fn fetched(self, state: usize) -> bool {
        self.parcel.is_none() || state / self.phases % 2 == 1
    }
}

impl Tours {
    /// Searches a map.
    pub(super) fn of(map: &Map, reach: Reach<'_>) -> Self {
        let Reach { start, leaves, parcel, minutes, coins, .. } = reach;
        let phases = if map.rest.is_some() { STREETS_A_REST } else { 1 };
        let shape = Shape { corners: map.corners(), phases, parcel };
        let cells = shape.states() * (minutes as usize + 1);
        let mut tours = Self {
            leaves,
            minutes,
            shape,
            coins: vec![NEVER; cells],
            before: vec![0; cells],
            tried: Vec::with_capacity(minutes as usize + 1),
        };
        let limit = Limit { minutes, coins, finish: reach.finish };
        tours.coins[shape.state(start, parcel.is_none_or(|at| at == start), 0)] = 0;
        let mut tried = 0;
        for after in 0..=minutes {
            for state in 0..shape.states() {
                if tours.coins[tours.cell(after, state)] != NEVER {
                    tried += tours.go_on(map, after, state, limit);
                }
            }
            tours.tried.push(tried);
            if reach.finish.is_some_and(|(finish, _)| tours.there(finish, after).is_some()) {
                break;
            }
        }
        tours
    }

    fn cell(&self, after: u32, state: usize) -> usize {
        after as usize * self.shape.states() + state
    }

    /// Takes every way out of a state that leads to a new or a cheaper one; how many were tried.
    fn go_on(&mut self, map: &Map, after: u32, state: usize, limit: Limit<'_>) -> u64 {
        let shape = self.shape;
        let cell = self.cell(after, state);
        let streets = state % shape.phases;
        // Nobody rests before the first street; only the start has no minute behind it.
        let rest = map.rest.filter(|_| streets == 0 && after > 0).unwrap_or(0);
        let stands = self.leaves + after + rest;
        let digit = (stands % 10) as usize;
        let (paid, fetched) = (self.coins[cell], shape.fetched(state));
        let ways = &map.ways[usize::from(shape.corner(state))];
        for way in ways {
            let wait = way.wait[digit];
            let entered = stands + u32::from(wait);
            let arrives = entered + way.minutes - self.leaves;
            if wait == SHUT {
                continue;
            }
            let toll = if entered >= map.dear_from { 2 * way.toll } else { way.toll };
            let coins = paid + toll;
            if limit.cuts(way.to, arrives, coins.into()) {
                continue;
            }
            let fetched = fetched || shape.parcel == Some(way.to);
            let next = self.cell(arrives, shape.state(way.to, fetched, streets + 1));
            if coins < self.coins[next] {
                self.coins[next] = coins;
                self.before[next] = cell as u32;
            }
        }
        ways.len() as u64
    }

    /// The cheapest cell of a finish at a minute after the start.
    fn there(&self, finish: u8, after: u32) -> Option<(usize, u16)> {
        let phases = 0..self.shape.phases;
        let cells = phases.map(|phase| self.cell(after, self.shape.state(finish, true, phase)));
        let reached =
            cells.map(|cell| (cell, self.coins[cell])).filter(|(_, coins)| *coins != NEVER);
        reached.min_by_key(|(_, coins)| *coins)
    }

    /// The arrivals at a finish of which none is both as early and as cheap as another: minute and coins, from the earliest.
    pub(super) fn arrivals(&self, finish: u8) -> Vec<(u32, u32)> {
        let mut arrivals: Vec<(u32, u32)> = Vec::new();
        for after in 0..=self.minutes {
            if let Some((_, coins)) = self.there(finish, after)
                && arrivals.last().is_none_or(|(_, least)| u32::from(coins) < *least)
            {
                arrivals.push((self.leaves + after, coins.into()));
            }
        }
        arrivals
    }

    /// The earliest route that pays at most so many coins, and of those that arrive then the cheapest.
    pub(super) fn earliest(&self, finish: u8, coins: u32) -> Option<Vec<u8>> {
        (0..self.tried.len() as u32).find_map(|after| {
            let (cell, _) =
                self.there(finish, after).filter(|(_, paid)| u32::from(*paid) <= coins)?;
            Some(self.route(cell))
        })
    }

    /// The cheapest route, and of those the earliest.
    pub(super) fn cheapest(&self, finish: u8) -> Option<Vec<u8>> {
        let cells = (0..=self.minutes).filter_map(|after| self.there(finish, after));
        cells.min_by_key(|(_, coins)| *coins).map(|(cell, _)| self.route(cell))
    }

    /// Streets tried until a minute: how much there was to search.
    pub(super) fn tried(&self, minute: u32) -> u64 {
        let after = minute.saturating_sub(self.leaves).min(self.minutes);
        self.tried.get(after as usize).copied().unwrap_or(0)
    }

    fn route(&self, end: usize) -> Vec<u8> {
        let states = self.shape.states();
        let mut route = vec![self.shape.corner(end % states)];
        let mut cell = end;
        // Cells of minute 0 are starts.
        while cell >= states {
            cell = self.before[cell] as usize;
            route.push(self.shape.corner(cell % states));
        }
        route.reverse();
        route
    }
}
