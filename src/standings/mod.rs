//! Standings of a season: who is where in which memory class. Pure: results in, tables out.
//!
//! `ranking.rs` orders results that `race/fold.rs` made; `published.rs` reads the results that stand on the season's published
//! pages and checks them by `race/scoring.rs`, `published_log.rs` makes a log of them for views. `cli/rank` gathers races from disk and prints what comes out.

pub mod published;
mod published_file;
pub mod published_log;
pub mod ranking;

pub use published::PublishedRace;
pub use published_file::{Finish, Switch};
pub use ranking::{Given, Held, Standings, standings};
