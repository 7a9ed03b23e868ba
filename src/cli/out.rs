//! How commands print and fail: stdout and stderr in one place, failures with their exit codes.

use crate::course::CourseError;
use crate::store::StoreError;
pub(crate) use crate::text::{counted, seconds};
use crate::toml_file::FileError;
use std::io::Write;
use std::process::ExitCode;

/// Why a command could not do what it was asked. Exit codes: 1 a check failed, 2 usage or a bad file, 3 the lane or its
/// server failed, 4 interrupted.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file of the user's is wrong, with a hint.
    #[error("error: {0}")]
    File(#[from] FileError),
    /// A file cannot be read or written.
    #[error("error: {0}")]
    Store(#[from] StoreError),
    /// A season cannot be raced.
    #[error("error: {0}")]
    Course(#[from] CourseError),
    /// Anything else that the user can mend.
    #[error("error: {what}\nhint: {hint}")]
    Usage {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// A check failed.
    #[error("error: {what}\nhint: {hint}")]
    Check {
        /// What it found.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The lane or its server failed.
    #[error("error: {what}\nhint: {hint}")]
    Lane {
        /// What happened.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The sandbox failed.
    #[error("error: {0}")]
    Judge(#[from] crate::judge::JudgeError),
}

impl Failure {
    /// The documented exit code.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Lane { .. } => 3,
            Self::Judge(_) | Self::Check { .. } => 1,
            Self::File(_) | Self::Store(_) | Self::Course(_) | Self::Usage { .. } => 2,
        })
    }
}

/// Prints a result. A reader that went away ends the output, not the program; any other failure to write ends both.
pub(crate) fn result(text: &str) {
    if let Err(error) = write!(anstream::stdout(), "{text}")
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        note(&format!("error: cannot write to stdout: {error}"));
        std::process::exit(2);
    }
}

/// Prints words or progress. They name files and quote servers, so nothing in them may act on the terminal.
#[expect(clippy::let_underscore_must_use, reason = "nobody is left to tell")]
pub(crate) fn note(text: &str) {
    for line in crate::text::shown_lines(text) {
        let _ = writeln!(anstream::stderr(), "{line}");
    }
}

/// Prints a value as indented JSON.
pub(crate) fn json<T: serde::Serialize>(value: &T) {
    // What we print holds no map with other keys than strings.
    json_text(&(serde_json::to_string_pretty(value).unwrap_or_default() + "\n"));
}

/// Prints a JSON text; characters that would act on a terminal are escaped.
pub(crate) fn json_text(text: &str) {
    result(&crate::text::shown_json(text));
}
