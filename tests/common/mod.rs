//! What integration tests share.

pub(crate) mod lane;
pub(crate) mod server;
