//! Names and versions of the files we write, and who may read them.
//!
//! A major number changes when an old reader would misread the file, a minor one when fields are added. A written field is
//! never renamed. Readers refuse a newer format in words instead of guessing.

use serde::{Deserialize, Serialize};

/// The format of a file: `{"name": "gauntlet-log", "major": 1, "minor": 0}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// Which kind of file.
    pub name: String,
    /// Changes when an old reader would misread the file.
    pub major: u32,
    /// Changes when fields are added.
    pub minor: u32,
}

/// A file that this version cannot read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Another kind of file.
    #[error("this is a {found:?} file, not a {wanted:?} file")]
    Name {
        /// What the file says.
        found: String,
        /// What was expected.
        wanted: &'static str,
    },
    /// A newer format than this version knows.
    #[error(
        "it has format {name} {major}.{minor}, and this gauntlet reads up to {known_major}.{known_minor}; a newer gauntlet reads it"
    )]
    Newer {
        /// Which kind of file.
        name: String,
        /// Its major number.
        major: u32,
        /// Its minor number.
        minor: u32,
        /// The newest major number known here.
        known_major: u32,
        /// The newest minor number known here.
        known_minor: u32,
    },
}

/// A kind of file with the newest version that we know, which is the one we write.
#[derive(Debug, Clone, Copy)]
pub struct FormatKind {
    name: &'static str,
    major: u32,
    minor: u32,
}

/// io.jsonl. 1.1 knows `allow_unconfined`, names the revision of the rules and has the harness's own time.
pub const IO: FormatKind = FormatKind { name: "gauntlet-io", major: 1, minor: 1 };
/// log.jsonl. 1.1 knows `allow_unconfined`, has the harness's own time, what was measured of each reply, and a drift that is not known.
pub const LOG: FormatKind = FormatKind { name: "gauntlet-log", major: 1, minor: 1 };
/// result.json. 1.1 has the same.
pub const RESULT: FormatKind = FormatKind { name: "gauntlet-result", major: 1, minor: 1 };
/// The attempts ledger of a folder of races.
pub const LEDGER: FormatKind = FormatKind { name: "gauntlet-ledger", major: 1, minor: 0 };
/// A season file. 1.1 knows sealed seeds.
pub const SEASON: FormatKind = FormatKind { name: "gauntlet-season", major: 1, minor: 1 };
/// The secret seed of a sealed season.
pub const SECRET: FormatKind = FormatKind { name: "gauntlet-secret", major: 1, minor: 0 };
/// What was replaced in a published race folder.
pub const REDACTIONS: FormatKind = FormatKind { name: "gauntlet-redactions", major: 1, minor: 0 };
/// What opens the commitments of a published race folder.
pub const OPENINGS: FormatKind = FormatKind { name: "gauntlet-openings", major: 1, minor: 0 };
/// What stays, and what is replaced besides, when a race is published.
pub const RULES: FormatKind = FormatKind { name: "gauntlet-rules", major: 1, minor: 0 };
/// The signature of a race folder.
pub const SIGNATURE: FormatKind = FormatKind { name: "gauntlet-signature", major: 1, minor: 0 };
/// Published results of a season.
pub const PUBLISHED: FormatKind = FormatKind { name: "gauntlet-published", major: 1, minor: 0 };
/// A season with its lanes, as sites offer it to programs.
pub const SEASON_DATA: FormatKind = FormatKind { name: "gauntlet-season-data", major: 1, minor: 0 };

impl FormatKind {
    /// The format to write.
    #[must_use]
    pub fn written(self) -> Format {
        Format { name: self.name.to_owned(), major: self.major, minor: self.minor }
    }

    /// The first minor number, for a file without any field that came later.
    #[must_use]
    pub fn first(self) -> Format {
        Format { minor: 0, ..self.written() }
    }

    /// Whether this version can read a file of that format.
    ///
    /// # Errors
    /// When the file is of another kind or newer.
    pub fn check_readable(self, found: &Format) -> Result<(), FormatError> {
        if found.name != self.name {
            return Err(FormatError::Name { found: found.name.clone(), wanted: self.name });
        }
        if (found.major, found.minor) > (self.major, self.minor) {
            return Err(FormatError::Newer {
                name: found.name.clone(),
                major: found.major,
                minor: found.minor,
                known_major: self.major,
                known_minor: self.minor,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_format_is_refused_in_words() {
        let format = Format { name: "gauntlet-log".to_owned(), major: 9, minor: 1 };
        let said = LOG.check_readable(&format).unwrap_err().to_string();
        assert!(said.contains("gauntlet-log 9.1") && said.contains("up to 1.1"), "{said}");
        assert!(IO.check_readable(&LOG.written()).is_err());
        assert_eq!(LOG.check_readable(&LOG.written()), Ok(()));
    }
}
