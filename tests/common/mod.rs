//! What integration tests share.

pub(crate) mod server;
