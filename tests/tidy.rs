//! House rules that a test can check: headers, file lengths, purity, line ends, the list of families.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::path::{Path, PathBuf};

/// A file above this is to be split; the few that stand have a reason beside them.
const LINES_MAX: usize = 400;

/// Pure modules may not name these.
const OUTSIDE: &[&str] = &[
    "tokio",
    "reqwest",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::io",
    "Instant",
    "SystemTime",
    "println!",
    "eprintln!",
    "f32",
    "f64",
];

/// Files of pure folders that stand at the edge, behind the feature `cli`, or that read decimals of a user's file.
const EDGE: &[&str] =
    &["src/lane/http", "src/lane/check", "src/drive/live.rs", "src/lane/profile.rs"];

/// Folders and files that are pure.
const PURE: &[&str] = &[
    "puzzles/",
    "src/race/",
    "src/lane/",
    "src/drive/",
    "src/standings/",
    "src/page/",
    "src/publish/find/",
    "src/publish/rules.rs",
    "src/publish/redact.rs",
    "src/season.rs",
    "src/season/",
    "src/course.rs",
    "src/rng.rs",
    "src/format.rs",
    "src/digest.rs",
    "src/text.rs",
    "src/wall.rs",
    "src/toml_file.rs",
    "src/judge/job.rs",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below some folders, as paths from the root with `/`.
fn files(folders: &[&str]) -> Vec<String> {
    fn walk(root: &Path, at: &Path, found: &mut Vec<String>) {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(at).unwrap().map(|it| it.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push(name);
            }
        }
    }
    let root = root();
    let mut found = Vec::new();
    for folder in folders.iter().map(|folder| root.join(folder)).filter(|folder| folder.is_dir()) {
        walk(&root, &folder, &mut found);
    }
    found
}

fn rust() -> Vec<(String, String)> {
    let names = files(&["src", "puzzles", "tests", "benches"]);
    let rust = names.into_iter().filter(|name| name.ends_with(".rs"));
    rust.map(|name| (name.clone(), fs::read_to_string(root().join(&name)).unwrap())).collect()
}

fn none(found: Vec<String>, rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn every_file_opens_with_its_job() {
    let bare =
        rust().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(name, _)| name);
    none(bare.collect(), "a file opens with `//!`: its job and its neighbours");
}

#[test]
fn files_stay_short() {
    let long = rust().into_iter().filter(|(_, text)| text.lines().count() > LINES_MAX);
    let long = long.map(|(name, text)| format!("{name}: {} lines", text.lines().count()));
    none(long.collect(), "a file has at most 400 lines");
}

#[test]
fn pure_modules_know_nothing_outside() {
    let mut found = Vec::new();
    for (name, text) in rust() {
        let pure = PURE.iter().any(|pure| name.starts_with(pure))
            && !EDGE.iter().any(|edge| name.starts_with(edge));
        if !pure || name.ends_with("tests.rs") {
            continue;
        }
        // Unit tests at the end of a file may use what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            let line = line.trim_start();
            let names = |word: &str| {
                line.match_indices(word).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    let after = line[at + word.len()..].chars().next();
                    let inside =
                        |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                    !inside(before) && !inside(after)
                })
            };
            if line.starts_with("//") {
                continue;
            }
            found.extend(
                OUTSIDE
                    .iter()
                    .filter(|word| names(word))
                    .map(|word| format!("{name}:{number}: {word}")),
            );
        }
    }
    none(found, "the pure core knows no clock, file, terminal, network or float");
}

#[test]
fn every_family_folder_is_in_the_list() {
    let list = fs::read_to_string(root().join("puzzles/mod.rs")).unwrap();
    let folders = fs::read_dir(root().join("puzzles"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.is_dir());
    let missing = folders.filter_map(|folder| {
        let name = folder.file_name()?.to_str()?.to_owned();
        let listed = list.contains(&format!("mod {name};")) && list.contains(&format!("&{name}::"));
        (!listed && name != "snapshots")
            .then(|| format!("add to puzzles/mod.rs: `mod {name};` and its entry in FAMILIES"))
    });
    none(missing.collect(), "a family is a folder and two lines");
}

#[test]
fn lines_end_in_lf_and_nothing_is_left_over() {
    let mut found = Vec::new();
    for (name, text) in rust().into_iter().filter(|(name, _)| name != "tests/tidy.rs") {
        for (number, line) in (1..).zip(text.split('\n')) {
            let left = ["todo!(", "unimplemented!(", "FIXME", "XXX", "dbg!("]
                .iter()
                .any(|word| line.contains(word));
            if line.ends_with('\r') || line.ends_with(' ') || line.contains('\t') || left {
                found.push(format!("{name}:{number}: {line}"));
            }
        }
    }
    none(found, "LF only, no trailing blanks, no tabs, no leftovers");
}

#[test]
fn only_the_command_line_prints() {
    let mut found = Vec::new();
    for (name, text) in rust()
        .into_iter()
        .filter(|(name, _)| name.starts_with("src/") || name.starts_with("puzzles/"))
    {
        let allowed = name.starts_with("src/cli/");
        let prints =
            ["println!", "print!(", "stdout()", "stderr()"].iter().any(|word| text.contains(word));
        let child = name.starts_with("src/judge/");
        if prints && !allowed && !child {
            found.push(name);
        }
    }
    none(found, "only src/cli prints (and the sandbox's child, over its pipe)");
}

#[test]
fn unsafe_stands_in_one_place() {
    let mut places = Vec::new();
    for (name, text) in rust().into_iter().filter(|(name, _)| name != "tests/tidy.rs") {
        for (number, line) in (1..).zip(text.lines()) {
            if line.contains("unsafe {")
                || line.contains("unsafe fn")
                || line.contains("unsafe impl")
            {
                places.push(format!("{name}:{number}"));
            }
        }
    }
    assert!(
        places.len() <= 1,
        "only the call that loads the precompiled image is unsafe:\n{}",
        places.join("\n")
    );
}
