//! Writes the folder of a published race: under another name first, so that a half-made one is never taken for it.

use super::StoreError;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A folder in the making. Dropped before it is finished, nothing of it is left.
#[derive(Debug)]
pub struct PublicFolder {
    out: PathBuf,
    part: PathBuf,
    finished: bool,
}

impl PublicFolder {
    /// Begins a folder.
    ///
    /// # Errors
    /// When it is there already, or cannot be made.
    pub fn create(out: &Path) -> Result<Self, StoreError> {
        refuse_existing(out)?;
        if super::secret::race_around(out).is_some() {
            let what = "lies in a race folder, which stays as it is; name a folder outside it";
            return Err(StoreError::content(out, None, what));
        }
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = out.with_file_name(name);
        if let Some(parent) = part.parent() {
            fs::create_dir_all(parent).map_err(StoreError::os("make the folder", parent))?;
        }
        fs::create_dir(&part).map_err(StoreError::os("make the folder", &part))?;
        Ok(Self { out: out.to_owned(), part, finished: false })
    }

    /// Where it stands until it is finished.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// Writes a file whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let mut file = self.begin(name)?;
        file.write(text)?;
        file.close()
    }

    /// Begins a file that is written piece by piece.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn begin(&self, name: &str) -> Result<PublicFile, StoreError> {
        let path = self.part.join(name);
        let file = File::create_new(&path).map_err(StoreError::os("create", &path))?;
        Ok(PublicFile { file: BufWriter::new(file), path })
    }

    /// Copies a plain file as it is.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn copy(&self, from: &Path, name: &str) -> Result<(), StoreError> {
        super::read::refuse_link(from)?;
        let to = self.part.join(name);
        let mut source = File::open(from).map_err(StoreError::os("open", from))?;
        let mut file = File::create_new(&to).map_err(StoreError::os("create", &to))?;
        std::io::copy(&mut source, &mut file).map_err(StoreError::os("write", &to))?;
        file.sync_all().map_err(StoreError::os("sync", &to))
    }

    /// Takes a file out again.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.part.join(name);
        fs::remove_file(&path).map_err(StoreError::os("remove", &path))
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// When another one has taken it, or it cannot be renamed.
    pub fn finish(mut self) -> Result<(), StoreError> {
        refuse_existing(&self.out)?;
        fs::rename(&self.part, &self.out).map_err(StoreError::os("rename into", &self.out))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for PublicFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Whatever ended the work is what is told; the folder is ours alone.
            fs::remove_dir_all(&self.part).ok();
        }
    }
}

fn refuse_existing(out: &Path) -> Result<(), StoreError> {
    match fs::symlink_metadata(out) {
        Ok(_) => Err(StoreError::content(
            out,
            None,
            "is there already, and is left as it is; name another folder",
        )),
        Err(_) => Ok(()),
    }
}

/// A file of the folder that is being written.
#[derive(Debug)]
pub struct PublicFile {
    file: BufWriter<File>,
    path: PathBuf,
}

impl PublicFile {
    /// Writes a piece.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, text: &str) -> Result<(), StoreError> {
        self.file.write_all(text.as_bytes()).map_err(StoreError::os("write", &self.path))
    }

    /// Brings it to the disk.
    ///
    /// # Errors
    /// When the operating system cannot.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.file.flush().map_err(StoreError::os("write", &self.path))?;
        self.file.get_ref().sync_all().map_err(StoreError::os("sync", &self.path))
    }
}
