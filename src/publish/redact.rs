//! Placeholders: what stands where something was, and the commitment by which its owner can show later what it was.
//!
//! A commitment is SHA-256 over a domain string, the kind, a salt of 32 random bytes and the value. The salt keeps short values
//! from being guessed; without it nobody can open the commitment, its owner included. The digest of a file that was changed is
//! committed to in the same way: by a bare digest of a file that is known but for an address, the address could be guessed.

use super::find::{Kind, PLACEHOLDER};
use crate::digest::{hex, sha256_hex};
use crate::format::{self, Format};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is hashed first, so that a commitment is a commitment to nothing else.
const DOMAIN: &str = "gauntlet redaction 1";

/// How many hex digits of its commitment a placeholder shows.
const SHOWN_DIGITS: usize = 12;

/// The file of a published folder that lists what was replaced.
pub const FILE: &str = "redactions.json";

/// What redactions.json says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Redactions {
    /// The format of the file.
    pub format: Format,
    /// The race's id.
    pub race: String,
    /// The files of the original, in the order of their names.
    pub originals: Vec<Original>,
    /// What was replaced, in the order of first appearance.
    pub redactions: Vec<Redaction>,
    /// What was found and stays by a rule.
    pub kept: Vec<Kept>,
    /// Files that were held back.
    pub held_back: Vec<HeldBack>,
}

/// A file of the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Original {
    /// Its name.
    pub name: String,
    /// Its SHA-256 in hex, when it stands here as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The commitment to its SHA-256, when it was changed or held back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
}

/// One value that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Redaction {
    /// What stands in its place.
    pub placeholder: String,
    /// What it is.
    pub kind: Kind,
    /// The commitment to it, SHA-256 in hex.
    pub commitment: String,
}

/// What stays though it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// What it is.
    pub kind: Kind,
    /// Why it stays.
    pub reason: String,
    /// In how many places.
    pub places: u64,
}

/// A file that was held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HeldBack {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

/// What opens the commitments: kept by the owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// The format of the file.
    pub format: Format,
    /// The race's id.
    pub race: String,
    /// One for each value.
    pub openings: Vec<Opening>,
    /// One for each file that was changed or held back.
    pub files: Vec<FileOpening>,
}

/// What opens the commitment to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileOpening {
    /// The file's name, as it was published.
    pub name: String,
    /// The salt, 64 hex digits.
    pub salt: String,
    /// The SHA-256 of the original, in hex.
    pub sha256: String,
}

/// What opens one commitment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// What stands in its place.
    pub placeholder: String,
    /// The salt, 64 hex digits.
    pub salt: String,
    /// The value.
    pub value: String,
}

/// The values that are replaced, each by its own placeholder.
#[derive(Debug)]
pub struct Table {
    random: [u8; 32],
    entries: BTreeMap<String, Redaction>,
    files: Vec<FileOpening>,
}

impl Table {
    /// An empty table whose salts come from 32 random bytes.
    #[must_use]
    pub fn new(random: [u8; 32]) -> Self {
        Self { random, entries: BTreeMap::new(), files: Vec::new() }
    }

    /// The placeholder of a value.
    pub fn placeholder(&mut self, kind: Kind, value: &str) -> String {
        let number = self.entries.len() + 1;
        let salt = self.salt(value);
        let entry = self.entries.entry(value.to_owned()).or_insert_with(|| {
            let commitment = commitment(kind, &salt, value);
            let digits = &commitment[..SHOWN_DIGITS];
            let placeholder = format!("{PLACEHOLDER}{}-{number}-{digits}", kind.word());
            Redaction { placeholder, kind, commitment }
        });
        entry.placeholder.clone()
    }

    /// A file of the original, which stands in the copy as it was, or is committed to.
    pub fn original(&mut self, name: &str, sha256: String, as_it_was: bool) -> Original {
        let name = name.to_owned();
        if as_it_was {
            return Original { name, sha256: Some(sha256), commitment: None };
        }
        let salt = self.salt(&format!("{name}\n{sha256}"));
        let commitment = Some(file_commitment(&name, &salt, &sha256));
        self.files.push(FileOpening { name: name.clone(), salt, sha256 });
        Original { name, sha256: None, commitment }
    }

    /// How many values it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is published of it, in the order of the placeholders' numbers.
    #[must_use]
    pub fn redactions(&self) -> Vec<Redaction> {
        let mut all: Vec<Redaction> = self.entries.values().cloned().collect();
        all.sort_by_key(|it| number(&it.placeholder));
        all
    }

    /// What its owner keeps.
    #[must_use]
    pub fn openings(&self, race: &str) -> Openings {
        let opening = |(value, entry): (&String, &Redaction)| Opening {
            placeholder: entry.placeholder.clone(),
            salt: self.salt(value),
            value: value.clone(),
        };
        let mut openings: Vec<Opening> = self.entries.iter().map(opening).collect();
        openings.sort_by_key(|it| number(&it.placeholder));
        let files = self.files.clone();
        Openings { format: format::OPENINGS.written(), race: race.to_owned(), openings, files }
    }

    fn salt(&self, value: &str) -> String {
        sha256_hex(format!("{DOMAIN} salt\n{}\n{value}", hex(&self.random)).as_bytes())
    }
}

fn number(placeholder: &str) -> usize {
    placeholder.split('-').nth(2).and_then(|it| it.parse().ok()).unwrap_or(0)
}

fn commitment(kind: Kind, salt: &str, value: &str) -> String {
    sha256_hex(format!("{DOMAIN}\n{}\n{salt}\n{value}", kind.word()).as_bytes())
}

fn file_commitment(name: &str, salt: &str, sha256: &str) -> String {
    sha256_hex(format!("{DOMAIN} file\n{name}\n{salt}\n{sha256}").as_bytes())
}

impl Redactions {
    /// Reads the text of redactions.json.
    ///
    /// # Errors
    /// When it is none, or a placeholder is not one of its commitment; the text fits after the file's name.
    pub fn read(text: &str) -> Result<Self, String> {
        let read: Self = read_json(text, format::REDACTIONS)?;
        for it in &read.redactions {
            let digits = it.placeholder.rsplit('-').next().unwrap_or_default();
            let begins = format!("{PLACEHOLDER}{}-", it.kind.word());
            let digest = crate::digest::unhex::<32>(&it.commitment).is_some();
            if !digest
                || !it.commitment.starts_with(digits)
                || digits.len() != SHOWN_DIGITS
                || !it.placeholder.starts_with(&begins)
            {
                let shown = crate::text::shown(&it.placeholder, 60);
                return Err(format!("{shown} is no placeholder of its commitment"));
            }
        }
        Ok(read)
    }

    /// What was replaced, counted by kind: `2 ip, 1 home`.
    #[must_use]
    pub fn counts(&self) -> String {
        let mut counts: BTreeMap<Kind, u64> = BTreeMap::new();
        self.redactions.iter().for_each(|it| *counts.entry(it.kind).or_default() += 1);
        let words: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{count} {}", kind.word())).collect();
        words.join(", ")
    }

    /// How many of the commitments these openings open.
    ///
    /// # Errors
    /// The first opening that opens nothing here.
    pub fn opened(&self, openings: &Openings) -> Result<usize, String> {
        for it in &openings.openings {
            let redaction = self.redactions.iter().find(|here| here.placeholder == it.placeholder);
            let opens = redaction
                .is_some_and(|here| commitment(here.kind, &it.salt, &it.value) == here.commitment);
            if !opens {
                let shown = crate::text::shown(&it.placeholder, 60);
                return Err(format!("{shown} is not opened by the opening that is named for it"));
            }
        }
        for it in &openings.files {
            let original = self.originals.iter().find(|here| here.name == it.name);
            let due = file_commitment(&it.name, &it.salt, &it.sha256);
            if original.and_then(|here| here.commitment.as_ref()) != Some(&due) {
                let shown = crate::text::shown(&it.name, 60);
                return Err(format!(
                    "the original {shown} is not opened by the opening that is named for it"
                ));
            }
        }
        Ok(openings.openings.len())
    }

    /// The file's text: indented JSON with a line end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl Openings {
    /// Reads the text of a file of openings.
    ///
    /// # Errors
    /// When it is none; the text fits after the file's name.
    pub fn read(text: &str) -> Result<Self, String> {
        read_json(text, format::OPENINGS)
    }

    /// The file's text: indented JSON with a line end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

fn read_json<T: serde::de::DeserializeOwned>(
    text: &str,
    kind: format::FormatKind,
) -> Result<T, String> {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let format =
        value.and_then(|it| serde_json::from_value::<Format>(it.get("format")?.clone()).ok());
    if let Some(format) = format {
        kind.check_readable(&format).map_err(|error| error.to_string())?;
    }
    serde_json::from_str(text).map_err(|error| format!("cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value comes from another SHA-256, over the text that the module's head describes.
    #[test]
    fn the_commitment_is_pinned() {
        assert_eq!(
            commitment(Kind::Ip, &"0a".repeat(32), "10.0.0.7"),
            "c053983471f4bd696e985a5abb1089528cbcd54208e759a5b464a781132b55ef"
        );
    }

    #[test]
    fn a_commitment_opens_to_its_value_alone() {
        let mut table = Table::new([3; 32]);
        let ip = table.placeholder(Kind::Ip, "10.0.0.7");
        assert_eq!(table.placeholder(Kind::Ip, "10.0.0.7"), ip, "one value, one placeholder");
        let host = table.placeholder(Kind::Host, "rig");
        assert!(
            ip.starts_with("redacted-ip-1-") && host.starts_with("redacted-host-2-"),
            "{ip} {host}"
        );
        let same = table.original("a", "0".repeat(64), true);
        let changed = table.original("b", "0".repeat(64), false);
        assert!(same.commitment.is_none() && changed.sha256.is_none());
        let published = Redactions {
            format: format::REDACTIONS.written(),
            race: String::from("r"),
            originals: vec![same, changed],
            redactions: table.redactions(),
            kept: Vec::new(),
            held_back: Vec::new(),
        };
        let read = Redactions::read(&published.to_json()).unwrap();
        assert_eq!((read.counts().as_str(), &read), ("1 ip, 1 host", &published));
        let openings = Openings::read(&table.openings("r").to_json()).unwrap();
        assert_eq!(read.opened(&openings), Ok(2));
        for change in [
            |it: &mut Opening| it.value.push('0'),
            |it: &mut Opening| it.salt.replace_range(..1, "x"),
            |it: &mut Opening| it.placeholder.push('0'),
        ] {
            let mut openings = openings.clone();
            change(&mut openings.openings[0]);
            assert!(read.opened(&openings).is_err());
        }
        let mut wrong = openings.clone();
        wrong.files[0].sha256.replace_range(..1, "1");
        assert!(read.opened(&wrong).is_err());
        let other = Table::new([4; 32]).placeholder(Kind::Ip, "10.0.0.7");
        assert_ne!(other, ip, "the salt is another");
        assert!(
            Redactions::read(&published.to_json().replace(&ip, "redacted-ip-1-000000000000"))
                .is_err()
        );
    }
}
