//! Pages: results in, HTML and SVG as strings out. Pure; `cli/site` reads the races and writes the files.
//!
//! `track.rs` is a lane on the course, `field.rs` a season of them. One module a page (`home.rs`, `season.rs`, `race.rs`, `answers.rs`), one
//! function a mark (`mark.rs`, `chart.rs`, `gaps.rs`, `splits.rs`), one frame around all (`shell.rs`) with one stylesheet and one
//! script. Words of models and of strangers come through `words.rs`, which makes them fit to be shown; maud escapes the rest.

pub mod answers;
pub mod card;
mod chart;
pub mod data;
mod exchange;
pub mod feed;
pub mod field;
mod gaps;
pub mod home;
mod mark;
mod player;
mod preview;
pub mod race;
pub mod season;
mod sentence;
mod setup;
mod shell;
mod splits;
pub mod track;
mod words;

pub use field::Field;
pub use race::Race;
pub use track::Track;
