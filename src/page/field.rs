//! The field of a season: its standings with the track of every lane, and how lanes compare at each split.

use super::track::Track;
use crate::season::Season;
use crate::standings::Standings;
use crate::standings::ranking::Source;
use std::collections::BTreeMap;

/// A season as its pages show it.
#[derive(Debug)]
pub struct Field {
    /// The season.
    pub season: Season,
    /// The file that commands name, for instance `seasons/21.toml`.
    pub file: String,
    /// The standings, which say besides what is in no table.
    pub standings: Standings,
    /// The classes with a lane, ascending.
    pub classes: Vec<Class>,
    /// How all lanes of the season compare.
    pub company: Company,
}

/// A memory class.
#[derive(Debug)]
pub struct Class {
    /// The class.
    pub memory_gb: u64,
    /// Its lanes, ranked ones first.
    pub places: Vec<Place>,
    /// How they compare.
    pub company: Company,
}

/// A lane in its class.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its rank, if it has one.
    pub rank: Option<u32>,
    /// How far behind the leader.
    pub behind_ms: Option<u64>,
    /// What it raced.
    pub track: Track,
}

/// What lanes are compared with: the times of all of them at each split, ascending, and their fastest ranges.
#[derive(Debug, Default)]
pub struct Company {
    /// How many lanes.
    pub lanes: usize,
    splits_ms: Vec<Vec<u64>>,
    fastest_ms: Vec<u64>,
}

impl Company {
    /// The company of some tracks: those that finished, and of which the ranges are known.
    #[must_use]
    pub fn of<'a>(tracks: impl Iterator<Item = &'a Track>) -> Self {
        let mut company = Self::default();
        for track in tracks.filter(|it| it.finish_ms.is_some() && !it.bouts.is_empty()) {
            company.lanes += 1;
            for (split, ms) in track.splits_ms().into_iter().enumerate() {
                if company.splits_ms.len() <= split {
                    company.splits_ms.push(Vec::new());
                }
                company.splits_ms[split].push(ms);
            }
            for (range, bout) in track.bouts.iter().enumerate() {
                match company.fastest_ms.get_mut(range) {
                    Some(fastest_ms) => *fastest_ms = bout.range_ms.min(*fastest_ms),
                    None => company.fastest_ms.push(bout.range_ms),
                }
            }
        }
        company.splits_ms.iter_mut().for_each(|times| times.sort_unstable());
        company
    }

    /// The place of a time at a split, and how far it is behind the first.
    #[must_use]
    pub fn at(&self, split: usize, ms: u64) -> Option<(u32, u64)> {
        let times = self.splits_ms.get(split)?;
        let before = times.partition_point(|it| *it < ms);
        let behind_ms = ms.saturating_sub(*times.first()?);
        Some((u32::try_from(before + 1).unwrap_or(u32::MAX), behind_ms))
    }

    /// The fastest time at a range.
    #[must_use]
    pub fn fastest_ms(&self, range: usize) -> Option<u64> {
        self.fastest_ms.get(range).copied()
    }
}

impl Field {
    /// Puts the tracks of a season into the order of its standings. A row without a track is left out.
    #[must_use]
    pub fn new(season: Season, file: String, standings: Standings, tracks: Vec<Track>) -> Self {
        let mut known: BTreeMap<(bool, String), Track> = BTreeMap::new();
        for track in tracks {
            let published = track.source == Source::Published;
            let key = track.race.clone().unwrap_or_else(|| track.lane.clone());
            known.entry((published, key)).or_insert(track);
        }
        let mut classes = Vec::new();
        for class in &standings.classes {
            let place = |row: &crate::standings::ranking::Row| {
                let published = row.entry.source == Source::Published;
                let key = row.entry.race.clone().unwrap_or_else(|| row.entry.lane.clone());
                let track = known.get(&(published, key))?.clone();
                Some(Place { rank: row.rank, behind_ms: row.behind_ms, track })
            };
            let places: Vec<Place> = class.rows.iter().filter_map(place).collect();
            let company = Company::of(places.iter().map(|it| &it.track));
            classes.push(Class { memory_gb: class.memory_gb, places, company });
        }
        let all = classes.iter().flat_map(|class| class.places.iter().map(|it| &it.track));
        let company = Company::of(all);
        Self { season, file, standings, classes, company }
    }

    /// Every lane of the standings, class by class.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.classes.iter().flat_map(|class| &class.places)
    }

    /// The class of that memory.
    #[must_use]
    pub fn class(&self, memory_gb: u64) -> Option<&Class> {
        self.classes.iter().find(|class| class.memory_gb == memory_gb)
    }

    /// The place of a race in its class, and how many have a rank there.
    #[must_use]
    pub fn standing(&self, track: &Track) -> Option<(&Place, usize)> {
        let class = self.class(track.class_gb)?;
        let place = class
            .places
            .iter()
            .find(|it| it.track.race == track.race && it.track.race.is_some())?;
        Some((place, class.places.iter().filter(|it| it.rank.is_some()).count()))
    }

    /// Lanes to draw beside a race, by finish time: the leader of its class, the lanes right before and behind it, and the
    /// leaders of other classes, the nearest class first, until there are `count`.
    #[must_use]
    pub fn ghosts(&self, track: &Track, count: usize) -> Vec<&Place> {
        let is_self = |place: &&Place| place.track.race.is_some() && place.track.race == track.race;
        let drawable =
            |place: &&Place| place.track.finish_ms.is_some() && !place.track.bouts.is_empty();
        let mut wanted: Vec<&Place> = Vec::new();
        if let Some(class) = self.class(track.class_gb) {
            wanted.extend(class.places.first());
            if let Some(here) = class.places.iter().position(|place| is_self(&place)) {
                wanted.extend(here.checked_sub(1).and_then(|it| class.places.get(it)));
                wanted.extend(class.places.get(here + 1));
            }
            wanted.extend(class.places.iter().take(count + 1));
        }
        let mut others: Vec<&Class> =
            self.classes.iter().filter(|it| it.memory_gb != track.class_gb).collect();
        others.sort_by_key(|it| (distance(it.memory_gb, track.class_gb), it.memory_gb));
        for number in 0..2 {
            wanted.extend(others.iter().filter_map(|class| class.places.get(number)));
        }
        let mut ghosts: Vec<&Place> = Vec::new();
        for place in wanted.into_iter().filter(drawable).filter(|it| !is_self(it)) {
            if ghosts.len() < count && !ghosts.iter().any(|it| std::ptr::eq(*it, place)) {
                ghosts.push(place);
            }
        }
        ghosts.sort_by_key(|place| (place.track.finish_ms, place.track.lane.clone()));
        ghosts
    }
}

/// How far two classes are from each other: how many times one is the other, in thousandths.
fn distance(one_gb: u64, other_gb: u64) -> u128 {
    u128::from(one_gb.max(other_gb)) * 1_000 / u128::from(one_gb.min(other_gb).max(1))
}
