//! How commands print and fail: stdout and stderr in one place, failures with their exit codes.

use super::near;
use crate::course::CourseError;
use crate::judge::JudgeError;
use crate::store::StoreError;
pub(crate) use crate::text::{counted, seconds};
use crate::toml_file::FileError;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

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
    Judge(#[from] JudgeError),
}

impl Failure {
    /// The failure in words, ending with what to do next.
    pub(crate) fn words(&self) -> String {
        let said = self.to_string();
        let hint = match self {
            Self::Store(error) => store_hint(error),
            Self::File(_) => String::from("mend that place of the file and run the command again"),
            Self::Course(_) => {
                String::from("change the season file there and run the command again")
            }
            // Their words say what to do.
            Self::Usage { .. } | Self::Check { .. } | Self::Lane { .. } | Self::Judge(_) => {
                return said;
            }
        };
        if said.contains("hint: ") { said } else { format!("{said}\nhint: {hint}") }
    }

    /// The documented exit code.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Lane { .. } => 3,
            // A folder that the user chose, as with any other file.
            Self::Judge(JudgeError::NoCacheFolder | JudgeError::File { .. })
            | Self::File(_)
            | Self::Store(_)
            | Self::Course(_)
            | Self::Usage { .. } => 2,
            Self::Judge(_) | Self::Check { .. } => 1,
        })
    }
}

fn store_hint(error: &StoreError) -> String {
    match error {
        StoreError::Os { path, error, .. } => match error.kind() {
            ErrorKind::NotFound => near::hint(path),
            ErrorKind::PermissionDenied => {
                String::from("its owner has to let you; see its permissions, or name another place")
            }
            ErrorKind::AlreadyExists => String::from("nothing is overwritten: name another one"),
            ErrorKind::IsADirectory | ErrorKind::NotADirectory => {
                String::from("a file and a folder are mixed up; see the command's --help")
            }
            _ => String::from("see whether the disk is full or broken, and run the command again"),
        },
        StoreError::Content { what, .. } if what.starts_with("no race here") => {
            String::from("`gauntlet race` makes one; a folder is a race, or holds races")
        }
        StoreError::Content { what, .. } if what.contains("name another folder") => {
            String::from("nothing was written there")
        }
        StoreError::Content { .. } => {
            String::from("mend or replace the file; of a race, `gauntlet verify` says what stands")
        }
    }
}

/// How much is said on stderr: 0 errors alone, 1 words and progress too, 2 everything that is done.
static LOUD: AtomicU8 = AtomicU8::new(1);

/// Takes `-q` and `-v`.
pub(crate) fn say_this_much(quiet: bool, verbose: bool) {
    LOUD.store(if quiet { 0 } else { 1 + u8::from(verbose) }, Ordering::Relaxed);
}

/// Whether words and progress are wanted.
pub(crate) fn is_quiet() -> bool {
    LOUD.load(Ordering::Relaxed) == 0
}

/// Prints a result. A reader that went away ends the output, not the program; any other failure to write ends both.
pub(crate) fn result(text: &str) {
    if let Err(failed) = write!(anstream::stdout(), "{text}")
        && failed.kind() != ErrorKind::BrokenPipe
    {
        error(&format!("error: cannot write to stdout: {failed}"));
        std::process::exit(2);
    }
}

/// Prints a result that is for programs alone, byte by byte: scripts and manual pages.
pub(crate) fn raw(bytes: &[u8]) {
    if let Err(failed) = std::io::stdout().write_all(bytes)
        && failed.kind() != ErrorKind::BrokenPipe
    {
        error(&format!("error: cannot write to stdout: {failed}"));
        std::process::exit(2);
    }
}

/// Prints words or progress, unless `-q` wants none.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        error(text);
    }
}

/// Prints, with `-v`, what is being done.
pub(crate) fn detail(text: &str) {
    if LOUD.load(Ordering::Relaxed) > 1 {
        error(text);
    }
}

/// Suggests the next command to somebody who looks at the results on a terminal.
pub(crate) fn next(command: &str) {
    if std::io::stdout().is_terminal() {
        note(&format!("next: {command}"));
    }
}

/// Prints what went wrong. It names files and quotes servers, so nothing in it may act on the terminal.
#[expect(clippy::let_underscore_must_use, reason = "nobody is left to tell")]
pub(crate) fn error(text: &str) {
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
