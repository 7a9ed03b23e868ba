//! The bytes of all tasks, pinned: one digest a family and level over 100 seeds. `GAUNTLET_UPDATE=1 cargo test --test
//! golden_tasks` writes the file anew; a change in it changes what lanes are asked and needs a new prompt version.

use gauntlet::puzzles::{FAMILIES, Family, Level, Seeds, generate};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;

const PROMPT_VERSION: &str = "gauntlet-4";

/// The SHA-256 over the SHA-256 of prompt and solution of each seed, in hexadecimal.
fn digest(family: &dyn Family, level: Level) -> String {
    let mut all = Sha256::new();
    for seed in 0..100 {
        let key = Seeds::task_key(seed, PROMPT_VERSION, 0, family.name(), level);
        let task = generate(family, level, key)
            .unwrap_or_else(|why| panic!("{} level {level} seed {seed}: {why}", family.name()));
        let mut one = Sha256::new();
        one.update(task.prompt.as_bytes());
        one.update(task.solution().as_bytes());
        all.update(one.finalize());
    }
    all.finalize().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes any text");
        hex
    })
}

#[test]
fn tasks_are_pinned() {
    let mut lines = String::new();
    for family in FAMILIES {
        for level in Level::all() {
            lines.push_str(&format!("{} {level} {}\n", family.name(), digest(*family, level)));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tasks.txt");
    if std::env::var_os("GAUNTLET_UPDATE").is_some() {
        std::fs::create_dir_all(path.with_file_name("")).expect("the folder can be made");
        std::fs::write(&path, &lines).expect("the file can be written");
    }
    let pinned = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, pinned) in lines.lines().zip(pinned.lines()) {
        assert_eq!(line, pinned, "tasks changed; see the head of this file");
    }
    assert_eq!(lines.lines().count(), pinned.lines().count(), "families and lines differ");
}
