//! How a town is understood by somebody who misreads one of its rules, and the route he would give.

use super::search::{Apart, Map, Reach, Tours};
use super::town::{ALWAYS, Errand, Town};
use std::collections::VecDeque;

/// One rule read in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    /// Coins are not looked at.
    CoinsIgnored,
    /// The minute of arrival is not looked at.
    TimeIgnored,
    /// The fewest streets are best.
    FewestStreets,
    /// All gates are open.
    GatesIgnored,
    /// Gates are closed at the minutes that are given.
    GatesInverted,
    /// The minute at the far end of the street counts for its gate.
    GatesAtEnd,
    /// Closed gates are waited for, or they are not.
    WaitsOther,
    /// One-way streets lead both ways.
    OneWayIgnored,
    /// Tolls are never doubled.
    DearIgnored,
    /// Tolls are doubled at every minute.
    DearAlways,
    /// Nobody rests.
    RestIgnored,
    /// The parcel is left where it is.
    ParcelIgnored,
}

/// The maps of a town as it is misread.
#[derive(Debug)]
pub(super) struct Misread {
    readings: Vec<(Misreading, Map)>,
    apart: Apart,
}

impl Misread {
    /// The readings of a town.
    pub(super) fn of(town: &Town) -> Self {
        use Misreading as M;
        let gates = |to: &dyn Fn(u16, u32) -> u16| {
            let mut read = town.clone();
            for street in read.streets.iter_mut().filter(|street| street.open != ALWAYS) {
                street.open = to(street.open, street.minutes);
            }
            read
        };
        let mut readings = vec![
            (M::GatesIgnored, gates(&|_, _| ALWAYS)),
            (M::GatesInverted, gates(&|open, _| ALWAYS & !open)),
            (M::GatesAtEnd, gates(&later)),
            (M::WaitsOther, Town { waits: !town.waits, ..town.clone() }),
        ];
        if town.streets.iter().any(|street| street.one_way) {
            let mut read = town.clone();
            read.streets.iter_mut().for_each(|street| street.one_way = false);
            readings.push((M::OneWayIgnored, read));
        }
        if town.dear_from.is_some() {
            readings.push((M::DearIgnored, Town { dear_from: None, ..town.clone() }));
            readings.push((M::DearAlways, Town { dear_from: Some(0), ..town.clone() }));
        }
        if town.rest.is_some() {
            readings.push((M::RestIgnored, Town { rest: None, ..town.clone() }));
        }
        let map = |(misreading, read): (Misreading, Town)| (misreading, Map::of(&read));
        Self { readings: readings.into_iter().map(map).collect(), apart: Apart::of(town) }
    }

    /// What misreaders would answer to an errand, one at a time. Somebody who finds no route within the limits, as he reads
    /// the rules, gives none.
    pub(super) fn routes<'a>(
        &'a self,
        map: &'a Map,
        errand: &'a Errand,
        tours: &'a Tours,
    ) -> impl Iterator<Item = (Misreading, Option<Vec<u8>>)> + 'a {
        let Errand { start, leaves, finish, parcel, coins, arrive } = *errand;
        let finish_only = Some((finish, &self.apart));
        let reach =
            Reach { finish: finish_only, start, leaves, parcel, minutes: arrive - leaves, coins };
        let searched = self.readings.iter().map(move |(misreading, read)| {
            (*misreading, Tours::of(read, reach).earliest(finish, coins))
        });
        let without = parcel.into_iter().map(move |_| {
            let tours = Tours::of(map, Reach { parcel: None, ..reach });
            (Misreading::ParcelIgnored, tours.earliest(finish, coins))
        });
        let at_once = [
            (Misreading::CoinsIgnored, tours.earliest(finish, u32::MAX)),
            (Misreading::TimeIgnored, tours.cheapest(finish)),
            (Misreading::FewestStreets, fewest_streets(map, errand)),
        ];
        at_once.into_iter().chain(searched).chain(without)
    }
}

/// A gate whose digits come so many minutes earlier: it lets in whoever will be through while it is open.
fn later(open: u16, minutes: u32) -> u16 {
    let digits = (0..10).filter(|digit| open & (1 << ((digit + minutes) % 10)) != 0);
    digits.fold(0, |open, digit| open | 1 << digit)
}

/// A route of the fewest streets, past the parcel if there is one, with no look at minutes, tolls and gates.
fn fewest_streets(map: &Map, errand: &Errand) -> Option<Vec<u8>> {
    let Some(parcel) = errand.parcel else { return fewest(map, errand.start, errand.finish) };
    let mut route = fewest(map, errand.start, parcel)?;
    route.extend(fewest(map, parcel, errand.finish)?.into_iter().skip(1));
    Some(route)
}

fn fewest(map: &Map, start: u8, finish: u8) -> Option<Vec<u8>> {
    let mut before: Vec<Option<u8>> = vec![None; map.corners()];
    before[usize::from(start)] = Some(start);
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for next in map.next_to(at) {
            let known = &mut before[usize::from(next)];
            if known.is_none() {
                *known = Some(at);
                queue.push_back(next);
            }
        }
    }
    let mut route = vec![finish];
    let mut at = finish;
    while at != start {
        at = before[usize::from(at)]?;
        route.push(at);
    }
    route.reverse();
    Some(route)
}
