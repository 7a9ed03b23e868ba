//! gauntlet, the race engine of *the Gauntlet*, a biathlon for self-hosted language models.
//!
//! One straight line:
//!
//! ```text
//! season + seed ─generate─▶ tasks ─prompt─▶ lane ─stamped chunks─▶ io.jsonl ─referee─▶ log.jsonl ─fold─▶ result.json
//!                                                                     └── verify, replay start here ──┘  └─ rank reads these
//! ```
//!
//! Start at [`race::referee`]: it knows the rules and nothing else. [`puzzles`] makes the tasks, [`lane`] brings answers,
//! [`drive`] lets the two meet. Those and everything they stand on is pure: no clock, file, terminal or network, time is a
//! value in milliseconds. The edge, behind the feature `cli`: [`lane::http`] alone knows HTTP, [`judge`] runs model-written
//! code in a sandbox, [`store`] alone touches race folders, [`cli`] alone prints.

pub mod clock;
pub mod course;
pub mod digest;
pub mod drive;
pub mod format;
pub mod judge;
pub mod lane;
pub mod publish;
pub mod race;
pub mod rng;
pub mod season;
pub mod standings;
pub mod text;
pub mod toml_file;
pub mod wall;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod host;
#[cfg(feature = "cli")]
pub mod load;
#[cfg(feature = "cli")]
pub mod page;
#[cfg(feature = "cli")]
pub mod sign;
#[cfg(feature = "cli")]
pub mod store;
#[cfg(feature = "cli")]
pub mod verify;

#[path = "../puzzles/mod.rs"]
pub mod puzzles;
