//! The task families: the list of them, and what each must be able to do.
//!
//! A family is one folder here: its code, its prompt text, its level table. Adding one is that folder and two lines below
//! (`mod` and an entry of [`FAMILIES`]). Everything here is pure: a task is a function of a [`Key`](crate::rng::Key) and a [`Level`], the same
//! bytes on every platform. `task.rs` says what a task is, `emit.rs` how one is drawn and gated, `dial.rs` measures that levels differ, `laws.rs` is what
//! their unit tests share.

pub mod bench_seating;
pub mod courier;
pub mod cups;
pub mod dial;
pub mod emit;
pub mod inductor;
#[cfg(test)]
mod laws;
pub mod ledger;
pub mod painter;
pub mod river_ferry;
pub mod skyscrapers;
pub mod snake;
pub mod sokoban;
pub mod task;
pub mod trace;
pub mod truth_village;

pub use emit::{GenerateError, Seeds, generate};
pub use task::{Body, CodeTask, Drawn, Kind, Level, Puzzle, Reading, Slip, TARGETS, Task};

/// Every family, in the order in which lists show them.
#[rustfmt::skip] // One a line, so that adding one is one line.
pub static FAMILIES: &[&dyn Family] = &[
    &river_ferry::RiverFerry,
    &bench_seating::BenchSeating,
    &painter::Painter,
    &snake::Snake,
    &cups::Cups,
    &trace::Trace,
    &skyscrapers::Skyscrapers,
    &sokoban::Sokoban,
    &ledger::Ledger,
    &truth_village::TruthVillage,
    &inductor::Inductor,
    &courier::Courier,
];

/// A kind of task, at nine levels of difficulty.
pub trait Family: Sync {
    /// The name in season files and results, for instance `river-ferry`.
    fn name(&self) -> &'static str;

    /// The name that people read, for instance `River ferry`.
    fn title(&self) -> &'static str;

    /// Whether the answer is lines or code.
    fn kind(&self) -> Kind;

    /// Draws one task, or nothing when this draw does not meet the family's conditions.
    ///
    /// Must be bounded in work, and a function of the arguments alone. [`generate`] gates what comes back and draws again
    /// with the next sub-stream when nothing does.
    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task>;
}

/// The family of that name.
#[must_use]
pub fn family(name: &str) -> Option<&'static dyn Family> {
    FAMILIES.iter().copied().find(|family| family.name() == name)
}
