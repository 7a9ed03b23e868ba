//! The only files that touch race folders. `folder.rs` writes a race as it happens, `read.rs` reads one back, `list.rs` finds races,
//! `ledger.rs` enters every attempt beside the folders and `attempts.rs` looks whether both agree, `secret.rs` keeps what does not belong into one, `public.rs` writes a published copy.

pub mod attempts;
mod disk;
pub mod folder;
mod ledger;
pub mod list;
pub mod public;
pub mod read;
pub mod secret;
pub mod site;

#[cfg(test)]
mod full_disk_tests;

pub use attempts::{Attempts, attempts, has_ledger};
pub use folder::RaceFolder;
pub use ledger::FILE as LEDGER;
pub use list::{is_race, race_folders};
pub use public::PublicFolder;
pub use read::{Line, Lines, RaceFiles};
pub use secret::{read_secret, write_secret};
pub use site::{Changes, SiteFolder, write_bytes};

use std::path::{Path, PathBuf};

/// A file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {what} {path}: {error}", path = path.display())]
    Os {
        /// What was tried.
        what: &'static str,
        /// On which file.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}{at}: {what}", path = path.display(), at = line.map_or(String::new(), |line| format!(", line {line}")))]
    Content {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: Option<u64>,
        /// What is wrong.
        what: String,
    },
}

impl StoreError {
    pub(crate) fn os(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Os { what, path, error }
    }

    pub(crate) fn content(path: &Path, line: Option<u64>, what: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), line, what: what.into() }
    }
}

/// Reads a text file of at most `bytes_max` bytes.
///
/// # Errors
/// When it cannot be read, is too large or is not UTF-8.
pub fn read_text(path: &Path, bytes_max: u64) -> Result<String, StoreError> {
    use std::io::Read;
    let file = std::fs::File::open(path).map_err(StoreError::os("open", path))?;
    let mut bytes = Vec::new();
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(StoreError::os("read", path))?;
    if bytes.len() as u64 > bytes_max {
        return Err(StoreError::content(path, None, format!("larger than {bytes_max} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        StoreError::content(
            path,
            None,
            format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to()),
        )
    })
}

/// Writes a file that is not there yet, whole or not at all.
///
/// # Errors
/// When it is there, or any step fails; nothing of it is left then.
pub fn write_new(path: &Path, text: &str) -> Result<(), StoreError> {
    use std::io::Write;
    let mut file = std::fs::File::create_new(path).map_err(StoreError::os("create", path))?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // What failed first is what is told.
        std::fs::remove_file(path).ok();
        StoreError::os("write", path)(error)
    })
}

/// Writes a file whole or not at all: to a temporary name beside it, synced, then renamed.
///
/// # Errors
/// When any step fails; the file is then as it was.
pub fn write_whole(path: &Path, text: &str) -> Result<(), StoreError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let mut file = disk::create(&part).map_err(StoreError::os("create", &part))?;
    let written = disk::write(&mut file, text.as_bytes())
        .and_then(|()| disk::sync(&file))
        .and_then(|()| disk::rename(&part, path));
    written.map_err(|error| {
        // What failed first is what is told.
        std::fs::remove_file(&part).ok();
        StoreError::os("write", path)(error)
    })
}
