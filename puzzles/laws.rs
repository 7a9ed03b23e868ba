//! What the unit tests of the families share: their keys, tasks and cases. The laws that all families keep alike are in
//! `tests/families.rs`.

use super::{Body, Family, Level, Puzzle, Seeds, Task, generate};
use crate::rng::Key;

/// The key of a family's own tests.
pub(super) fn key(family: &dyn Family, level: Level, seed: u64) -> Key {
    Seeds::task_key(seed, &format!("{} laws", family.name()), 1, family.name(), level)
}

/// A task as a race would draw it.
pub(super) fn task(family: &dyn Family, level: Level, seed: u64) -> Task {
    generate(family, level, key(family, level, seed)).expect("a task")
}

/// The puzzle of a task that has one.
pub(super) fn puzzle(task: &Task) -> &dyn Puzzle {
    match &task.body {
        Body::Puzzle(puzzle) => &**puzzle,
        Body::Code(_) => panic!("{} makes code", task.family),
    }
}

/// So many seeds at every level.
pub(super) fn cases(seeds: u64) -> impl Iterator<Item = (Level, u64)> {
    Level::all().flat_map(move |level| (0..seeds).map(move |seed| (level, seed)))
}

/// The first draw that a family accepts, gate or not.
pub(super) fn drawn<T>(
    family: &dyn Family,
    level: Level,
    seed: u64,
    draw: impl Fn(Level, &Seeds) -> Option<T>,
) -> T {
    let key = key(family, level, seed);
    (0..64)
        .find_map(|sub_stream| draw(level, &Seeds::new(key, sub_stream)))
        .expect("a draw of the level asked for")
}
