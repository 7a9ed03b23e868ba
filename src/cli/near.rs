//! What a misspelt path may have meant: the nearest name in its folder.

use crate::text::shown;
use crate::toml_file::closest;
use std::path::Path;

/// Names that are looked at, at most.
const NAMES_MAX: usize = 10_000;

/// What to do about a path at which nothing is: the nearest name beside it, or where to look.
pub(crate) fn hint(path: &Path) -> String {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return match folder.parent() {
            // The first part that is missing is the one to mend.
            Some(above) if !above.as_os_str().is_empty() && !above.is_dir() => hint(folder),
            _ => beside(folder).unwrap_or_else(|| format!("there is no folder {}", said(folder))),
        };
    }
    beside(path).unwrap_or_else(|| format!("look what is in {}", said(folder)))
}

fn beside(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let parent = path.parent()?;
    let folder = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let entries = std::fs::read_dir(folder).ok()?.take(NAMES_MAX).flatten();
    let mut names: Vec<String> =
        entries.filter_map(|it| it.file_name().into_string().ok()).collect();
    // A folder is listed in no order of its own.
    names.sort();
    let near = closest(name, names.iter().map(String::as_str)).filter(|near| *near != name)?;
    Some(format!("did you mean {}?", said(&parent.join(near))))
}

fn said(path: &Path) -> String {
    shown(&path.display().to_string(), 400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let hint = |path: &str| hint(&root.join(path)).replace(&root.display().to_string(), "ROOT");
        assert_eq!(hint("seasons/12.toml"), "did you mean ROOT/seasons/21.toml?");
        assert_eq!(hint("lanes/pacer-clubb.toml"), "did you mean ROOT/lanes/pacer-club.toml?");
        assert_eq!(hint("lane/pacer-club.toml"), "did you mean ROOT/lanes?");
        assert_eq!(hint("seasons/nothing like it"), "look what is in ROOT/seasons");
        assert_eq!(hint("far/away/x/y.toml"), "there is no folder ROOT/far");
    }
}
