//! Published results that are at hand: those beside a season file, and those of the seasons that the program carries.

use super::Failure;
use crate::season::Season;
use crate::standings::{PublishedRace, published};
use crate::store::read_text;
use std::path::{Path, PathBuf};

/// Largest file of published results, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The published results that the program carries.
const CARRIED: [(&str, &str); 2] = [
    ("seasons/21/published.toml", include_str!("../../seasons/21/published.toml")),
    ("seasons/21-hard/published.toml", include_str!("../../seasons/21-hard/published.toml")),
];

/// Where a season file's published results are: `seasons/21.toml` has them in `seasons/21/published.toml`.
pub(super) fn beside(season: &Path) -> PathBuf {
    season.with_extension("").join("published.toml")
}

/// Reads a file of published results.
pub(super) fn read(path: &Path, season: &Season) -> Result<Vec<PublishedRace>, Failure> {
    let text = read_text(path, FILE_BYTES_MAX)?;
    Ok(published::read(&path.display().to_string(), &text, season)?)
}

/// The results that the program carries for this season; none for a season with other figures or another name.
pub(super) fn carried(season: &Season) -> Vec<PublishedRace> {
    let read = |(name, text): &(&str, &str)| published::read(name, text, season).ok();
    CARRIED.iter().find_map(read).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season;

    #[test]
    fn a_season_has_its_own_results_and_no_others() {
        let text = include_str!("../../seasons/21.toml");
        let season = season::read("21.toml", text).unwrap();
        assert!(carried(&season).iter().all(|race| race.targets == 20));
        assert!(!carried(&season).is_empty());
        let other = season::read("x.toml", &text.replace("\"21\"", "\"22\"")).unwrap();
        assert!(carried(&other).is_empty());
    }
}
