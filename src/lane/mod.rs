//! Lanes: what is asked of a language-model server and what it says.
//!
//! `file` is the lane file a person writes, `request` turns a question into the one request body, `sse` and `reply` turn
//! received bytes into [`chunk::Chunk`]s, `think` sets thinking aside in a finished reply, `profile` is how fast and how
//! good a simulated lane is. All of that is pure. `http` alone knows HTTP and reads a clock. A lane knows nothing of the rules:
//! the referee (`race/`) is handed stamped chunks. `hear` gathers one reply for people, `check` finds out by such replies whether
//! a server is fit to race.

#[cfg(feature = "cli")]
pub mod check;
pub mod chunk;
mod complaint;
pub mod file;
mod file_check;
#[cfg(feature = "cli")]
pub mod hear;
#[cfg(feature = "cli")]
pub mod http;
mod json;
#[cfg(feature = "cli")]
mod limit;
mod message;
#[cfg(feature = "cli")]
mod models;
pub mod profile;
pub mod reply;
pub mod request;
pub mod sim;
pub mod sse;
pub mod think;
