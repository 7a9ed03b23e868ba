//! The rules of a race: from stamped input to events, from events to a result.
//!
//! `input.rs` is what can happen to a race and stands in io.jsonl; `referee/` turns it into the events of `event.rs`, which
//! stand in log.jsonl; `fold.rs` makes the result of them. `reply.rs` gathers a reply, `extraction.rs` reads answers from it,
//! `scoring.rs` has the arithmetic, `measure.rs` what is measured of a reply, `prompts.rs` the words that a lane reads besides the task, `line.rs` the lines of both
//! files, `ledger.rs` the list of all attempts beside the races. All of it is pure: time is a value in milliseconds.

pub mod event;
pub mod extraction;
pub mod fold;
pub mod input;
pub mod ledger;
pub mod line;
pub mod measure;
pub mod prompts;
pub mod referee;
pub mod reply;
pub mod scoring;
pub mod shooting;

pub use event::{Answer, Event, Reason, Verdict};
pub use fold::{RaceResult, Status, fold};
pub use input::Input;
pub use referee::{Due, Referee};
