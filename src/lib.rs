//! gauntlet, the race engine of *the Gauntlet*, a biathlon for self-hosted language models.
#![warn(missing_docs)]

pub mod rng;

#[path = "../puzzles/mod.rs"]
pub mod puzzles;
