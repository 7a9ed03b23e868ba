//! gauntlet, the race engine of *the Gauntlet*, a biathlon for self-hosted language models.
#![warn(missing_docs)]

pub mod clock;
pub mod course;
pub mod digest;
pub mod drive;
pub mod format;
pub mod judge;
pub mod lane;
pub mod race;
pub mod rng;
pub mod season;
pub mod text;
pub mod toml_file;
pub mod wall;

#[path = "../puzzles/mod.rs"]
pub mod puzzles;
