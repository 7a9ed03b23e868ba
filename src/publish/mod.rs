//! Makes a race fit for the public: finds what should stay private, puts placeholders in its place, and says what it did.
//!
//! `find` knows what to look for, `rules.rs` are the owner's exceptions, `redact.rs` the placeholders and commitments: those are
//! pure. `scan.rs` looks through a folder, `copy.rs` writes the race again, `folder.rs` decides file by file, `readme.rs` has the
//! words that go with them.
//!
//! What a published race proves: its io with placeholders is refereed again, so log, result, chain and digests belong to what
//! stands there, and `verify` proves of it what it proves of every race. A race that does not verify is not published, and
//! neither is one whose result a placeholder would change.

pub mod find;
pub mod redact;
pub mod rules;

#[cfg(feature = "cli")]
mod copy;
#[cfg(feature = "cli")]
mod folder;
#[cfg(feature = "cli")]
mod readme;
#[cfg(feature = "cli")]
pub mod scan;

#[cfg(feature = "cli")]
pub use folder::{PublishError, Written, is_of_the_race, write};
#[cfg(feature = "cli")]
pub use readme::text as readme;
