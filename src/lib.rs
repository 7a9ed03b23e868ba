//! gauntlet, the race engine of *the Gauntlet*, a biathlon for self-hosted language models.
#![warn(missing_docs)]

pub mod clock;
pub mod lane;
pub mod rng;
pub mod toml_file;

#[path = "../puzzles/mod.rs"]
pub mod puzzles;
