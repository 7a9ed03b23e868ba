//! Finds races: a folder is a race, or a folder of races.

use super::StoreError;
use std::fs;
use std::path::{Path, PathBuf};

/// The race folders that a path stands for, sorted by name: itself when it holds a log or an io file, else those right below it.
///
/// # Errors
/// When the path is no folder, or holds no race.
pub fn race_folders(path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if is_race(path) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(StoreError::os("list", path))? {
        let below = entry.map_err(StoreError::os("list", path))?.path();
        // A link could lead anywhere; a race folder is a folder.
        let is_folder = fs::symlink_metadata(&below).is_ok_and(|meta| meta.is_dir());
        if is_folder && is_race(&below) {
            found.push(below);
        }
    }
    if found.is_empty() {
        return Err(StoreError::content(
            path,
            None,
            "no race here: a race folder holds log.jsonl and io.jsonl",
        ));
    }
    found.sort();
    Ok(found)
}

/// Whether a path is the folder of one race.
#[must_use]
pub fn is_race(path: &Path) -> bool {
    ["log.jsonl", "io.jsonl"].iter().any(|name| path.join(name).is_file())
}
