//! The door through which every write to a race folder and its ledger goes, so that tests can make any one of them fail.

use std::fs::{self, File, OpenOptions};
use std::io::{Result, Write};
use std::path::Path;

/// Makes a folder that is not there yet.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    fault::due()?;
    fs::create_dir(path)
}

/// Opens a file that is not there yet, to append to it.
pub(super) fn create_new(path: &Path) -> Result<File> {
    fault::due()?;
    OpenOptions::new().append(true).create_new(true).open(path)
}

/// Opens a file to append to it and to read it, made if it is not there.
pub(super) fn open_or_create(path: &Path) -> Result<File> {
    fault::due()?;
    OpenOptions::new().read(true).append(true).create(true).open(path)
}

/// Opens a file to write it anew.
pub(super) fn create(path: &Path) -> Result<File> {
    fault::due()?;
    File::create(path)
}

/// Writes all of some bytes.
pub(super) fn write(file: &mut File, bytes: &[u8]) -> Result<()> {
    if let Err(error) = fault::due() {
        // A disk that fills up takes a part of what it is given.
        file.write_all(bytes.get(..bytes.len() / 2).unwrap_or_default())?;
        return Err(error);
    }
    file.write_all(bytes)
}

/// Brings a file to the disk itself.
pub(super) fn sync(file: &File) -> Result<()> {
    fault::due()?;
    file.sync_all()
}

/// Gives a file another name.
pub(super) fn rename(from: &Path, to: &Path) -> Result<()> {
    fault::due()?;
    fs::rename(from, to)
}

/// Cuts a file to a length.
pub(super) fn cut(file: &File, bytes: u64) -> Result<()> {
    fault::due()?;
    file.set_len(bytes)
}

#[cfg(not(test))]
mod fault {
    #[expect(clippy::unnecessary_wraps, reason = "the one of the tests fails")]
    pub(super) fn due() -> std::io::Result<()> {
        Ok(())
    }
}

/// A disk that takes some writes and then none.
#[cfg(test)]
pub(super) mod fault {
    use std::cell::Cell;
    use std::io::{Error, ErrorKind, Result};

    thread_local! {
        static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// The disk of this thread is full after that many writes; never, when nothing is given.
    pub(in crate::store) fn full_after(writes: Option<u64>) {
        LEFT.set(writes);
    }

    pub(super) fn due() -> Result<()> {
        match LEFT.get() {
            None => Ok(()),
            Some(0) => Err(Error::from(ErrorKind::StorageFull)),
            Some(left) => {
                LEFT.set(Some(left - 1));
                Ok(())
            }
        }
    }
}
