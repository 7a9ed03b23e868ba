//! The folder of a static site: written again and again, changing only what is not the same, and taking out what it once wrote
//! and no longer does. It never writes through a link, and never into a folder that it did not make.

use super::StoreError;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The list of what a site wrote.
const LIST: &str = ".gauntlet-site";

/// The first line of that list.
const LIST_HEAD: &str = "# What gauntlet site wrote here; it takes out what it no longer writes.";

/// Largest list that is read, in bytes.
const LIST_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What became of a site's files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Changes {
    /// Files that are new or changed.
    pub written: u64,
    /// Files that were the same already.
    pub unchanged: u64,
    /// Files that an earlier run wrote and this one did not.
    pub removed: u64,
}

/// A site that is being written; several threads may.
#[derive(Debug)]
pub struct SiteFolder {
    out: PathBuf,
    before: BTreeSet<String>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    names: BTreeSet<String>,
    folders: BTreeSet<PathBuf>,
    changes: Changes,
}

impl SiteFolder {
    /// Opens the folder of a site, or makes it.
    ///
    /// # Errors
    /// When it is there and holds anything that no site wrote, or cannot be made.
    pub fn open(out: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(out).map_err(StoreError::os("make the folder", out))?;
        let list = out.join(LIST);
        let before = match fs::symlink_metadata(&list) {
            Ok(_) => read_list(&list)?,
            Err(_) => {
                let mut entries = fs::read_dir(out).map_err(StoreError::os("list", out))?;
                if entries.next().is_some() {
                    let what = "is not empty, and no earlier `gauntlet site` wrote it; name another folder for --out";
                    return Err(StoreError::content(out, None, what));
                }
                BTreeSet::new()
            }
        };
        Ok(Self { out: out.to_owned(), before, state: Mutex::default() })
    }

    /// Writes a file, when it is not the same already. `name` is its path in the site, with `/`.
    ///
    /// # Errors
    /// When the name leaves the site, a link stands in its way, or it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.claim(name)?;
        let length = file_length(&path)?;
        let same = length == Some(bytes.len() as u64)
            && fs::read(&path).map_err(StoreError::os("read", &path))? == bytes;
        if !same {
            replace(&path, |file| file.write_all(bytes))?;
        }
        self.count(same);
        Ok(())
    }

    /// Copies a plain file, when it is not the same already.
    ///
    /// # Errors
    /// As [`SiteFolder::write`], and when the source is no plain file.
    pub fn copy(&self, from: &Path, name: &str) -> Result<(), StoreError> {
        super::read::refuse_link(from)?;
        let path = self.claim(name)?;
        let same = file_length(&path)? == file_length(from)? && same_bytes(from, &path)?;
        if !same {
            let mut source = File::open(from).map_err(StoreError::os("open", from))?;
            replace(&path, |file| std::io::copy(&mut source, file).map(drop))?;
        }
        self.count(same);
        Ok(())
    }

    /// Takes out what an earlier run wrote and this one did not, and writes the list of what stands.
    ///
    /// # Errors
    /// When a file cannot be removed, or the list not be written.
    pub fn finish(self) -> Result<Changes, StoreError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut changes = state.changes;
        for name in self.before.difference(&state.names) {
            changes.removed += u64::from(remove(&self.out, name)?);
        }
        let mut list = format!("{LIST_HEAD}\n");
        state.names.iter().for_each(|name| list += &format!("{name}\n"));
        replace(&self.out.join(LIST), |file| file.write_all(list.as_bytes()))?;
        Ok(changes)
    }

    /// Makes room for a file: its name stays inside, its folders are folders, and no link stands where it will.
    fn claim(&self, name: &str) -> Result<PathBuf, StoreError> {
        let path = self.out.join(name);
        if !is_inside(name) {
            return Err(StoreError::content(&path, None, "leaves the folder of the site"));
        }
        let mut state = self.state();
        let mut folder = self.out.clone();
        let parts: Vec<&str> = name.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            folder.push(part);
            if state.folders.contains(&folder) {
                continue;
            }
            match fs::symlink_metadata(&folder) {
                Ok(meta) if meta.is_dir() => {}
                Ok(_) => {
                    let what = "is not a folder; links are not followed";
                    return Err(StoreError::content(&folder, None, what));
                }
                Err(_) => {
                    fs::create_dir(&folder).map_err(StoreError::os("make the folder", &folder))?;
                }
            }
            state.folders.insert(folder.clone());
        }
        state.names.insert(name.to_owned());
        Ok(path)
    }

    fn count(&self, same: bool) {
        let mut state = self.state();
        if same {
            state.changes.unchanged += 1;
        } else {
            state.changes.written += 1;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a path with `/` names a file below, part by part.
fn is_inside(name: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0', '\n'])
    };
    name.split('/').all(plain)
}

fn read_list(path: &Path) -> Result<BTreeSet<String>, StoreError> {
    super::read::refuse_link(path)?;
    let text = super::read_text(path, LIST_BYTES_MAX)?;
    let mut lines = text.lines();
    if lines.next() != Some(LIST_HEAD) {
        return Err(StoreError::content(path, Some(1), "is no list of a site"));
    }
    Ok(lines.filter(|name| is_inside(name)).map(String::from).collect())
}

/// The length of a plain file; nothing when there is none.
fn file_length(path: &Path) -> Result<Option<u64>, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => Ok(Some(meta.len())),
        Ok(_) => Err(StoreError::content(path, None, "not a plain file; links are not followed")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::os("look at", path)(error)),
    }
}

/// Whether two files of one length have the same bytes.
fn same_bytes(one: &Path, other: &Path) -> Result<bool, StoreError> {
    let open = |path: &Path| File::open(path).map_err(StoreError::os("open", path));
    let (mut a, mut b) = (open(one)?, open(other)?);
    let (mut from_a, mut from_b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let count = a.read(&mut from_a).map_err(StoreError::os("read", one))?;
        if count == 0 {
            return Ok(true);
        }
        if b.read_exact(&mut from_b[..count]).is_err() || from_a[..count] != from_b[..count] {
            return Ok(false);
        }
    }
}

/// Writes a file under a temporary name and renames it. A site can be made again, so it is not synced to the disk.
fn replace(
    path: &Path,
    fill: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), StoreError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    if fs::symlink_metadata(&part).is_ok() {
        fs::remove_file(&part).map_err(StoreError::os("remove", &part))?;
    }
    let mut file = File::create_new(&part).map_err(StoreError::os("create", &part))?;
    fill(&mut file).map_err(StoreError::os("write", &part))?;
    fs::rename(&part, path).map_err(StoreError::os("rename into", path))
}

/// Writes a file that can be made again, in place of one that is there; a link in its place is not followed.
///
/// # Errors
/// When it cannot be written, or what stands there is no plain file.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    file_length(path)?;
    replace(path, |file| file.write_all(bytes))
}

/// Removes a file that a site once wrote, and the folders that it leaves empty; false when it is gone already.
fn remove(out: &Path, name: &str) -> Result<bool, StoreError> {
    let parts: Vec<&str> = name.split('/').collect();
    let mut folder = out.to_owned();
    for part in &parts[..parts.len() - 1] {
        folder.push(part);
        if !fs::symlink_metadata(&folder).is_ok_and(|meta| meta.is_dir()) {
            return Ok(false);
        }
    }
    let path = out.join(name);
    if !fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file()) {
        return Ok(false);
    }
    fs::remove_file(&path).map_err(StoreError::os("remove", &path))?;
    while folder != out && fs::remove_dir(&folder).is_ok() {
        folder.pop();
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("gauntlet-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        path
    }

    #[test]
    fn only_what_changed_is_written_and_what_is_gone_is_removed() {
        let out = scratch("site-again");
        let write = |files: &[(&str, &str)]| {
            let site = SiteFolder::open(&out).unwrap();
            files.iter().for_each(|(name, text)| site.write(name, text.as_bytes()).unwrap());
            site.finish().unwrap()
        };
        let changes = |written, unchanged, removed| Changes { written, unchanged, removed };
        assert_eq!(write(&[("a.html", "1"), ("races/x/b.html", "2")]), changes(2, 0, 0));
        assert_eq!(write(&[("a.html", "1"), ("races/x/b.html", "3")]), changes(1, 1, 0));
        assert_eq!(write(&[("a.html", "1")]), changes(0, 1, 1));
        assert!(!out.join("races").exists());
        fs::write(out.join("mine.txt"), "not the site's").unwrap();
        assert_eq!(write(&[]), changes(0, 0, 1));
        assert!(out.join("mine.txt").exists());
        fs::remove_dir_all(&out).unwrap();
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let out = scratch("site-other");
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("letter.txt"), "dear").unwrap();
        let error = SiteFolder::open(&out).unwrap_err().to_string();
        assert!(error.contains("is not empty"), "{error}");
        fs::remove_dir_all(&out).unwrap();
    }

    #[test]
    fn names_never_leave() {
        let out = scratch("site-names");
        let site = SiteFolder::open(&out).unwrap();
        for name in ["../x", "/etc/x", "a/../../x", "a//b", "", ".gauntlet-site", "c:\\x", "a\0b"] {
            assert!(site.write(name, b"x").is_err(), "{name:?}");
        }
        fs::remove_dir_all(&out).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (out, elsewhere) = (scratch("site-links"), scratch("site-elsewhere"));
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(elsewhere.join("kept.html"), "kept").unwrap();
        SiteFolder::open(&out).unwrap().finish().unwrap();
        std::os::unix::fs::symlink(&elsewhere, out.join("races")).unwrap();
        std::os::unix::fs::symlink(elsewhere.join("kept.html"), out.join("index.html")).unwrap();
        let site = SiteFolder::open(&out).unwrap();
        assert!(site.write("races/x.html", b"x").is_err());
        assert!(site.write("index.html", b"x").is_err());
        assert_eq!(fs::read_to_string(elsewhere.join("kept.html")).unwrap(), "kept");
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
        // A list that names files behind a link removes nothing there.
        fs::write(out.join(LIST), format!("{LIST_HEAD}\nraces/kept.html\n../escape\n")).unwrap();
        assert_eq!(SiteFolder::open(&out).unwrap().finish().unwrap(), Changes::default());
        assert!(elsewhere.join("kept.html").exists());
        fs::remove_dir_all(&out).unwrap();
        fs::remove_dir_all(&elsewhere).unwrap();
    }
}
