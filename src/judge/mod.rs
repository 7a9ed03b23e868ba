//! stub
pub mod job;
