//! The seasons of a site: those named, those built in, and those that races bring with them.

use super::gather::{Read, Refused};
use crate::cli::{Failure, race, rank};
use crate::digest::sha256_hex;
use crate::page::{Field, Track};
use crate::race::RaceResult;
use crate::season::{self, Season};
use crate::standings::{self, Given as Standing, Held, PublishedRace, published};
use crate::store::read_text;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Largest season file, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Seasons that are known without a file: path, text, published results.
const BUILT_IN: [(&str, &str, &str); 2] = [
    (race::SEASON.0, race::SEASON.1, include_str!("../../../seasons/21/published.toml")),
    (
        "seasons/21-hard.toml",
        include_str!("../../../seasons/21-hard.toml"),
        include_str!("../../../seasons/21-hard/published.toml"),
    ),
];

/// A season file with its published results.
pub(in crate::cli) struct Given {
    /// The file that commands name.
    file: String,
    text: String,
    season: Season,
    published: Vec<PublishedRace>,
    /// Whether it is shown without a race too: it was named.
    is_named: bool,
}

/// A season of the site.
pub(in crate::cli) struct Shown {
    /// What its pages show.
    pub(in crate::cli) field: Field,
    /// Its file.
    pub(in crate::cli) text: String,
}

/// Reads the seasons that are named, and those that are built in.
pub(in crate::cli) fn given(
    paths: &[PathBuf],
    with_published: bool,
) -> Result<Vec<Given>, Failure> {
    let mut given: Vec<Given> = Vec::new();
    for path in paths {
        let file = path.display().to_string();
        let text = read_text(path, FILE_BYTES_MAX)?;
        let season = season::read(&file, &text)?;
        let beside = path.with_extension("").join("published.toml");
        let published = match with_published && beside.exists() {
            true => rank::published(path, &season)?,
            false => Vec::new(),
        };
        if given.iter().any(|it| it.season.name == season.name) {
            return Err(Failure::Usage {
                what: format!("season {} is named twice", season.name),
                hint: String::from("name one file a season"),
            });
        }
        given.push(Given { file, text, season, published, is_named: true });
    }
    for (file, text, results) in BUILT_IN {
        let season = season::read(file, text)?;
        if given.iter().any(|it| it.season.name == season.name) {
            continue;
        }
        let published = match with_published {
            true => published::read("published.toml", results, &season)?,
            false => Vec::new(),
        };
        let (file, text) = (file.to_owned(), text.to_owned());
        given.push(Given { file, text, season, published, is_named: false });
    }
    Ok(given)
}

/// Puts races into their seasons, in the order of the seasons' names. A built-in season is shown when any race is of one.
pub(in crate::cli) fn fields(
    mut given: Vec<Given>,
    races: &[Read],
    refused: &[Refused],
) -> Vec<Shown> {
    let raced = |name: &str| races.iter().any(|it| it.race.season.name == name);
    let any_built_in = given.iter().any(|it| !it.is_named && raced(&it.season.name));
    given.retain(|it| it.is_named || any_built_in || raced(&it.season.name));
    let mut names: Vec<&str> = races.iter().map(|it| it.race.season.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        if !given.iter().any(|it| it.season.name == name) {
            given.extend(brought(name, races));
        }
    }
    given.sort_by(|a, b| a.season.name.cmp(&b.season.name));
    given.into_iter().map(|given| shown(given, races, refused)).collect()
}

/// A season that only races bring: the file that most of them were raced on, of equals the one with the least digest.
fn brought(name: &str, races: &[Read]) -> Option<Given> {
    let mut files: BTreeMap<&str, (u64, &Read)> = BTreeMap::new();
    for read in races.iter().filter(|it| it.race.season.name == name) {
        let entry = files.entry(&read.race.result.season_sha256).or_insert((0, read));
        entry.0 += 1;
    }
    let most = files.values().map(|(count, _)| *count).max()?;
    let (_, read) = files.into_values().find(|(count, _)| *count == most)?;
    Some(Given {
        file: format!("{}.toml", read.race.season.name),
        text: read.season_text.clone(),
        season: read.race.season.clone(),
        published: Vec::new(),
        is_named: false,
    })
}

fn shown(given: Given, races: &[Read], refused: &[Refused]) -> Shown {
    let Given { file, text, season, published, .. } = given;
    let own = || races.iter().filter(|it| it.race.season.name == season.name);
    let results: Vec<RaceResult> = own().map(|it| it.race.result.clone()).collect();
    let refused = || refused.iter().filter(|it| it.season.as_ref() == Some(&season.name));
    let held: Vec<Held> = refused().filter_map(|it| it.held.clone()).collect();
    let mut standings = standings::standings(&Standing {
        season: &season,
        season_sha256: &sha256_hex(text.as_bytes()),
        races: &results,
        published: &published,
        held: &held,
    });
    standings.apart.extend(refused().map(|it| it.apart.clone()));
    standings.apart.sort();
    let mut tracks: Vec<Track> = own().map(|it| it.race.track.clone()).collect();
    tracks.extend(published.iter().map(|it| Track::published(it, &season)));
    Shown { field: Field::new(season, file, standings, tracks), text }
}
