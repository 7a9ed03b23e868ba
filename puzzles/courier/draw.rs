//! How a town and its five errands are drawn: the town from the shared stream, each errand from its own. An errand is kept only
//! when the route of every misreading fails.

use super::levels::Dial;
use super::misread::{Misread, Misreading};
use super::play::judge;
use super::search::{Map, Reach, Tours};
use super::town::{ALWAYS, CORNERS_MAX, Errand, Street, Town};
use super::walk::Walks;
use crate::puzzles::{Level, Seeds, TARGETS};
use crate::rng::Stream;

/// Towns tried in one draw.
const TOWNS_A_DRAW: u32 = 20;

/// Starts tried for one errand.
const STARTS_AN_ERRAND: u32 = 24;

/// Errands of one start whose misreadings are looked at.
const ERRANDS_A_START: usize = 12;

/// Random walks that must all miss a target: what one in a hundred of them finds is no task.
const WALKS: u32 = 100;

/// One target.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) errand: Errand,
    /// The reference route.
    pub(super) route: Vec<u8>,
    /// The routes of those who misread a rule; all fail.
    pub(super) misread: Vec<(Misreading, Vec<u8>)>,
    pub(super) effort: u64,
}

/// A special rule of a town.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Twist {
    OneWay,
    Dear,
    Rest,
    Parcels,
}

/// Draws a town and five errands in it, or nothing when no errand comes about for a target.
pub(super) fn task(level: Level, seeds: &Seeds) -> Option<(Town, [Target; TARGETS])> {
    let mut shared = seeds.shared();
    let town = (0..TOWNS_A_DRAW).find_map(|_| town(Dial::of(level), &mut shared))?;
    let ground = Ground {
        town: &town,
        map: Map::of(&town),
        misread: Misread::of(&town),
        walks: Walks::of(&town),
    };
    let mut drawn: Vec<Target> = Vec::with_capacity(TARGETS);
    for number in 0..TARGETS {
        let dial = Dial::of(level.on_ladder(number));
        let mut rng = seeds.target(number);
        let found = (0..STARTS_AN_ERRAND).find_map(|_| target(&ground, dial, &mut rng))?;
        let ends = |target: &Target| (target.errand.start, target.errand.finish);
        if drawn.iter().any(|other| ends(other) == ends(&found)) {
            return None;
        }
        drawn.push(found);
    }
    Some((town, drawn.try_into().ok()?))
}

/// A town, made ready for all that is asked of it.
#[derive(Debug)]
struct Ground<'a> {
    town: &'a Town,
    map: Map,
    misread: Misread,
    walks: Walks<'a>,
}

/// A town on a grid with most of its streets and some diagonals, if all of it hangs together. Letters are dealt out at random.
pub(super) fn town(dial: &Dial, shared: &mut Stream) -> Option<Town> {
    let (rows, columns) = dial.grid;
    let corners = rows * columns;
    let mut twists = [Twist::OneWay, Twist::Dear, Twist::Rest, Twist::Parcels];
    shared.shuffle(&mut twists);
    let has = |twist: Twist| twists[..dial.twists].contains(&twist);
    let waits = shared.percent(50);
    let dear_from = shared.between(12, 24);
    let rest = shared.between(2, 4);
    let mut letters: [u8; CORNERS_MAX] = std::array::from_fn(|corner| corner as u8);
    shared.shuffle(&mut letters[..corners]);
    let mut streets = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let at = |row: usize, column: usize| letters[row * columns + column];
            let mut ends = Vec::new();
            if column + 1 < columns && shared.percent(90) {
                ends.push((at(row, column), at(row, column + 1)));
            }
            if row + 1 < rows && shared.percent(90) {
                ends.push((at(row, column), at(row + 1, column)));
            }
            if row + 1 < rows && column + 1 < columns && shared.percent(25) {
                ends.push(if shared.percent(50) {
                    (at(row, column), at(row + 1, column + 1))
                } else {
                    (at(row, column + 1), at(row + 1, column))
                });
            }
            streets.extend(ends.into_iter().map(|ends| street(ends, waits, &has, shared)));
        }
    }
    streets.sort_unstable_by_key(|street| (street.from, street.to));
    let town = Town {
        corners,
        streets,
        waits,
        dear_from: has(Twist::Dear).then_some(dear_from),
        rest: has(Twist::Rest).then_some(rest),
        parcels: has(Twist::Parcels),
    };
    hangs_together(&town).then_some(town)
}

/// A street: quick with a toll or a gate, slow without.
fn street(
    (a, b): (u8, u8),
    waits: bool,
    has: &dyn Fn(Twist) -> bool,
    shared: &mut Stream,
) -> Street {
    let (tolled, gated) = (shared.percent(35), shared.percent(55));
    let minutes = if tolled || gated { shared.between(1, 4) } else { shared.between(4, 9) };
    let width = if waits { shared.between(3, 4) } else { shared.between(4, 6) };
    let first = shared.below(10);
    let window = (0..width).fold(0, |open, digit| open | 1 << ((first + digit) % 10));
    let toll = shared.between(1, 4);
    let one_way = shared.percent(25);
    // Two-way streets are written from the earlier letter; a one-way street runs as it was drawn.
    let one_way = one_way && has(Twist::OneWay);
    let (from, to) = if one_way { (a, b) } else { (a.min(b), a.max(b)) };
    Street {
        from,
        to,
        minutes,
        toll: if tolled { toll } else { 0 },
        open: if gated { window } else { ALWAYS },
        one_way,
    }
}

/// Whether every corner can be reached when no street is one-way.
fn hangs_together(town: &Town) -> bool {
    let mut reached: u32 = 1;
    for _ in 0..town.corners {
        for street in &town.streets {
            let both = (1 << street.from) | (1 << street.to);
            if reached & both != 0 {
                reached |= both;
            }
        }
    }
    reached.count_ones() as usize == town.corners
}

/// An errand from a random corner, if there is one that passes.
fn target(ground: &Ground<'_>, dial: &Dial, rng: &mut Stream) -> Option<Target> {
    let town = ground.town;
    let mut corners: Vec<u8> = (0..town.corners as u8).collect();
    rng.shuffle(&mut corners);
    let (start, finishes) = corners.split_first()?;
    let leaves = rng.below(10);
    let (parcel, finishes) = match finishes.split_first() {
        Some((parcel, rest)) if town.parcels => (Some(*parcel), rest),
        _ => (None, finishes),
    };
    let reach = Reach {
        finish: None,
        start: *start,
        leaves,
        parcel,
        minutes: dial.minutes(),
        coins: u32::MAX,
    };
    let tours = Tours::of(&ground.map, reach);
    let wanted = finishes.iter().flat_map(|finish| {
        let errand = Errand { start: *start, leaves, finish: *finish, parcel, arrive: 0, coins: 0 };
        errands(&tours, errand, dial)
    });
    let wanted: Vec<_> = wanted.take(ERRANDS_A_START).collect();
    wanted.into_iter().find_map(|(errand, route)| gate(ground, &tours, errand, route, rng))
}

/// Errands to one finish, each with its route, whose limits are neither those of the earliest nor of the cheapest route.
fn errands(tours: &Tours, errand: Errand, dial: &Dial) -> Vec<(Errand, Vec<u8>)> {
    let arrivals = tours.arrivals(errand.finish);
    let (fewest, most) = dial.streets;
    let mut found = Vec::new();
    for three in arrivals.windows(3) {
        let [_, (minute, coins), _] = three else { continue };
        let errand = Errand { arrive: *minute, coins: *coins, ..errand };
        let Some(route) = tours.earliest(errand.finish, *coins) else { continue };
        let last = route.len() - 1;
        let simple = route.iter().filter(|corner| **corner == errand.finish).count() == 1;
        if (fewest..=most).contains(&last) && simple {
            found.push((errand, route));
        }
    }
    found
}

/// The target of an errand, unless the route of some misreading is right or a random walk is.
fn gate(
    ground: &Ground<'_>,
    tours: &Tours,
    errand: Errand,
    route: Vec<u8>,
    rng: &mut Stream,
) -> Option<Target> {
    let town = ground.town;
    let mut misread_routes = Vec::new();
    for (misreading, wrong) in ground.misread.routes(&ground.map, &errand, tours) {
        let Some(wrong) = wrong else { continue };
        if judge(town, &errand, &wrong).is_ok() {
            return None;
        }
        misread_routes.push((misreading, wrong));
    }
    let finds = |_| judge(town, &errand, &ground.walks.random(&errand, rng)).is_ok();
    if (0..WALKS).any(finds) {
        return None;
    }
    let effort = tours.tried(errand.arrive) * (route.len() as u64 - 1);
    Some(Target { errand, route, misread: misread_routes, effort })
}
