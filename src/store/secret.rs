//! Files that nobody else may read: signing keys, seeds of sealed seasons, what opens a redaction. Never in a race folder.

use super::{StoreError, read_text};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Largest secret file, in bytes.
const SECRET_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Writes a new file that only its owner can read.
///
/// # Errors
/// When the file exists, lies in a race folder, or cannot be written.
pub fn write_secret(path: &Path, text: &str) -> Result<(), StoreError> {
    if let Some(race) = race_around(path) {
        let what = format!(
            "a secret does not belong into a race folder ({}), which is made to be given away; name another place",
            race.display()
        );
        return Err(StoreError::content(path, None, what));
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(StoreError::os("create", path))?;
    file.write_all(text.as_bytes()).map_err(StoreError::os("write", path))?;
    file.sync_all().map_err(StoreError::os("sync", path))
}

/// Reads a secret file.
///
/// # Errors
/// When it cannot be read, or when others can read it too.
pub fn read_secret(path: &Path) -> Result<String, StoreError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let meta = fs::metadata(path).map_err(StoreError::os("open", path))?;
        let mode = meta.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            let what = format!(
                "is a secret, and others can read it (mode {mode:03o}): run `chmod 600` on it, and take a new one if somebody may have"
            );
            return Err(StoreError::content(path, None, what));
        }
    }
    read_text(path, SECRET_BYTES_MAX)
}

/// The race folder that a path lies in, if it lies in one.
pub(super) fn race_around(path: &Path) -> Option<PathBuf> {
    let above = path
        .ancestors()
        .skip(1)
        .map(|it| if it.as_os_str().is_empty() { Path::new(".") } else { it });
    let there = above.filter_map(|it| fs::canonicalize(it).ok()).next()?;
    there.ancestors().find(|it| super::list::is_race(it)).map(Path::to_owned)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_secret_is_its_owners_alone() {
        let folder = std::env::temp_dir().join(format!("gauntlet-secret-{}", std::process::id()));
        let race = folder.join("race");
        fs::create_dir_all(race.join("deep")).unwrap();
        fs::write(race.join("io.jsonl"), "").unwrap();
        let path = folder.join("key");
        write_secret(&path, "x\n").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), read_secret(&path).unwrap().as_str()), (0o600, "x\n"));
        assert!(write_secret(&path, "y").is_err(), "nothing is overwritten");
        for wide in [0o640, 0o604, 0o666] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wide)).unwrap();
            let said = read_secret(&path).unwrap_err().to_string();
            assert!(said.contains("chmod 600"), "{said}");
        }
        for inside in [race.join("key"), race.join("deep/key"), race.join("deep/../key")] {
            let said = write_secret(&inside, "x").unwrap_err().to_string();
            assert!(said.contains("race folder") && !inside.exists(), "{said}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
