//! Sealed seasons: the seed of a season that is not open yet is drawn in secret, and its file carries a commitment instead.
//!
//! The commitment is SHA-256 over a domain string, the seed, a salt of 32 random bytes and every other line of the season file.
//! So it tells nothing of the seed, and whoever sealed the season can change neither the seed nor a figure of it afterwards.
//! A sealed file is no [`Season`]: nothing that needs a season can draw its tasks.

use super::{Problem, Season, SeasonFile, check, problem};
use crate::digest::{sha256_hex, unhex};
use crate::format::{self, Format};
use crate::toml_file::{self, FileError};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use toml::de::DeTable;

/// What is hashed first, so that a commitment is a commitment to nothing else.
const DOMAIN: &str = "gauntlet season seal 1";

/// The fields that sealing and revealing change.
const FIELDS: &[&str] = &["seed", "seed_salt", "seed_sha256"];

/// Seeds are drawn below 2^53, so that every reader of JSON reads them exactly. The salt keeps them from being guessed.
const SEED_BITS: u32 = 53;

/// What opens a sealed season: kept by whoever sealed it until the season opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    /// The format of the file.
    pub format: Format,
    /// The season's name.
    pub season: String,
    /// The seed.
    pub seed: u64,
    /// 32 random bytes in hex.
    pub seed_salt: String,
    /// The commitment that they open, SHA-256 in hex.
    pub seed_sha256: String,
}

/// A season as it is published before it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its name.
    pub name: String,
    /// The commitment to its seed, SHA-256 in hex.
    pub seed_sha256: String,
}

/// Seals the season of a draft, whose own seed is not used, with 40 random bytes: gives the sealed file and its secret.
///
/// # Errors
/// When the draft is no season, or is sealed already.
pub fn seal(file: &str, draft: &str, random: &[u8; 40]) -> Result<(String, Secret), FileError> {
    let season = super::read(file, draft)?;
    if season.seal.is_some() {
        return Err(FileError::at(
            file,
            draft,
            &["seed_sha256"],
            "this season was sealed and is open",
        )
        .hint("seal a draft that has `seed`, and neither `seed_salt` nor `seed_sha256`"));
    }
    let (seed, salt) = random.split_at(8);
    let seed =
        seed.iter().fold(0u64, |seed, byte| seed << 8 | u64::from(*byte)) >> (64 - SEED_BITS);
    let salt = crate::digest::hex(salt);
    let draft = with_format(file, draft)?;
    let seed_sha256 = commitment(seed, &salt, &rest(&draft));
    let line = format!(
        "seed_sha256 = \"{seed_sha256}\"   # sealed: the seed is secret until the season opens\n"
    );
    let sealed = with_seed_line(&draft, &line);
    read_sealed(file, &sealed)?;
    let format = format::SECRET.written();
    let secret = Secret { format, season: season.name, seed, seed_salt: salt, seed_sha256 };
    Ok((sealed, secret))
}

/// Opens a sealed season with its secret: gives the season file that is raced.
///
/// # Errors
/// When the file is no sealed season, or the secret does not open it.
pub fn reveal(file: &str, sealed: &str, secret: &Secret) -> Result<String, FileError> {
    let said = read_sealed(file, sealed)?;
    let at_seal = |what: String| FileError::at(file, sealed, &["seed_sha256"], what);
    if said.seed_sha256 != secret.seed_sha256 {
        let season = crate::text::shown(&secret.season, 64);
        return Err(at_seal(format!("the secret is of another seal (of season {season})"))
            .hint("take the secret file that was written when this file was sealed"));
    }
    let line = format!(
        "seed = {}   # it was sealed: seed_salt and seed_sha256 show that it is the one\nseed_salt = \"{}\"\nseed_sha256 = \"{}\"\n",
        secret.seed, secret.seed_salt, secret.seed_sha256
    );
    let open = with_seed_line(sealed, &line);
    super::read(file, &open).map_err(|_| {
        at_seal(String::from(
            "the secret does not open this file: it was changed after it was sealed",
        ))
        .hint("take the sealed file as it was published")
    })?;
    Ok(open)
}

/// Reads a sealed season file.
///
/// # Errors
/// When it is no season, or not sealed.
pub fn read_sealed(file: &str, text: &str) -> Result<Sealed, FileError> {
    let raw: SeasonFile = toml_file::parse(file, text)?;
    let season = check(&raw)
        .map_err(|(at, what, hint)| FileError::at_offset(file, text, at.start, what).hint(hint))?;
    match (&raw.seed, &raw.seed_sha256) {
        (None, Some(seed_sha256)) => {
            Ok(Sealed { name: season.name, seed_sha256: seed_sha256.get_ref().clone() })
        }
        _ => Err(FileError::at(file, text, &["seed"], "this season is not sealed")
            .hint("a sealed season has `seed_sha256` and no `seed`")),
    }
}

/// Reads a secret file.
///
/// # Errors
/// When it is none, or a newer one.
pub fn read_secret(file: &str, text: &str) -> Result<Secret, FileError> {
    let secret: Secret = toml_file::parse(file, text)?;
    format::SECRET
        .check_readable(&secret.format)
        .map_err(|error| FileError::at(file, text, &["format"], error.to_string()))?;
    Ok(secret)
}

impl Season {
    /// Whether this season is the one that was published sealed.
    #[must_use]
    pub fn opens(&self, sealed: &Sealed) -> bool {
        self.seal.as_ref() == Some(&sealed.seed_sha256)
    }
}

impl Secret {
    /// The file's text.
    #[must_use]
    pub fn to_toml(&self) -> String {
        format!(
            "# The secret seed of season {}. Keep it to yourself until the season opens; without it nobody can open the season.\n{}",
            self.season,
            toml::to_string(self).unwrap_or_default()
        )
    }
}

/// Seed and seal of a season file.
pub(super) fn seed_of(raw: &SeasonFile, text: &str) -> Result<(u64, Option<String>), Problem> {
    match (raw.seed, &raw.seed_salt, &raw.seed_sha256) {
        (Some(seed), None, None) => Ok((seed, None)),
        (None, None, None) => Err((
            0..0,
            String::from("missing field `seed`"),
            String::from("for instance seed = 21, or seal the season: gauntlet season seal"),
        )),
        (None, _, Some(seal)) => Err(problem(
            seal,
            "this season is sealed: its tasks cannot be made before its seed is revealed",
            "wait until whoever sealed it publishes the open file (`gauntlet season reveal` writes it)",
        )),
        (Some(seed), Some(salt), Some(seal)) => {
            let salted = unhex::<32>(salt.get_ref()).is_some();
            if salted && commitment(seed, salt.get_ref(), &rest(text)) == *seal.get_ref() {
                return Ok((seed, Some(seal.get_ref().clone())));
            }
            Err(problem(
                seal,
                "seed, salt and file do not open this seal",
                "the file was changed after it was sealed: take the one that `gauntlet season reveal` wrote",
            ))
        }
        (_, Some(lone), None) | (Some(_), None, Some(lone)) => Err(problem(
            lone,
            "an open season that was sealed has `seed`, `seed_salt` and `seed_sha256`",
            "take the file that `gauntlet season reveal` wrote",
        )),
    }
}

/// The commitment to a seed and to the rest of its season file.
fn commitment(seed: u64, salt: &str, rest: &str) -> String {
    let rest = sha256_hex(rest.as_bytes());
    sha256_hex(format!("{DOMAIN}\n{seed}\n{salt}\n{rest}\n").as_bytes())
}

/// A season file without the lines that sealing and revealing change, with LF alone as line end.
fn rest(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let mut rest = text.clone();
    for lines in seed_lines(&text).into_iter().rev() {
        rest.replace_range(lines, "");
    }
    rest
}

/// A season file with one text in place of its seed lines.
fn with_seed_line(text: &str, line: &str) -> String {
    let mut text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let lines = seed_lines(&text);
    for (number, lines) in lines.into_iter().enumerate().rev() {
        text.replace_range(lines, if number == 0 { line } else { "" });
    }
    text
}

/// Where the lines of the seed's fields are, with their line ends, in ascending order.
fn seed_lines(text: &str) -> Vec<Range<usize>> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let mut lines: Vec<Range<usize>> = table
        .get_ref()
        .iter()
        .filter(|(key, _)| FIELDS.contains(&key.get_ref().as_ref()))
        .map(|(key, value)| {
            let start = text[..key.span().start].rfind('\n').map_or(0, |at| at + 1);
            let after = value.span().end;
            let end = text[after..].find('\n').map_or(text.len(), |at| after + at + 1);
            start..end
        })
        .collect();
    lines.sort_by_key(|lines| lines.start);
    lines
}

/// A draft that says the format in which seasons can be sealed.
fn with_format(file: &str, draft: &str) -> Result<String, FileError> {
    let mut text = draft.strip_prefix('\u{feff}').unwrap_or(draft).replace("\r\n", "\n");
    let place = DeTable::parse(&text)
        .ok()
        .and_then(|table| table.get_ref().get("format").map(toml::Spanned::span))
        .filter(|place| text[place.clone()].starts_with('{'));
    let Some(place) = place else {
        return Err(FileError::at(file, draft, &["format"], "the format is not on one line")
            .hint("write format = { name = \"gauntlet-season\", major = 1, minor = 1 }"));
    };
    let written = format::SEASON.written();
    let (name, major, minor) = (written.name, written.major, written.minor);
    text.replace_range(
        place,
        &format!("{{ name = \"{name}\", major = {major}, minor = {minor} }}"),
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAFT: &str = include_str!("../../seasons/21.toml");

    #[test]
    fn a_sealed_season_opens_with_its_secret_alone() {
        let (sealed, secret) = seal("d", DRAFT, &[7; 40]).unwrap();
        assert!(!sealed.contains(&secret.seed.to_string()) && !sealed.contains(&secret.seed_salt));
        assert!(sealed.contains("minor = 1 }") && secret.seed < 1 << 53);
        let refused = super::super::read("s", &sealed).unwrap_err().to_string();
        assert!(refused.contains("line 7") && refused.contains("sealed"), "{refused}");
        let open = reveal("s", &sealed, &secret).unwrap();
        let season = super::super::read("o", &open).unwrap();
        assert_eq!(season.seed, secret.seed);
        assert!(season.opens(&read_sealed("s", &sealed).unwrap()));
        let windows = super::super::read("o", &open.replace('\n', "\r\n")).unwrap();
        assert_eq!(windows, season, "a checkout with other line ends opens too");
        assert!(read_sealed("o", &open).is_err() && seal("o", &open, &[1; 40]).is_err());
        let read = read_secret("x", &secret.to_toml()).unwrap();
        assert_eq!(read, secret);
    }

    /// The value comes from another SHA-256, over the text that the module's head describes.
    #[test]
    fn the_commitment_is_pinned() {
        assert_eq!(
            commitment(21, &"0a".repeat(32), "name = 1\n"),
            "64af01bc5d5fdfe56dd50519cababbc7d72b0a1f81507bbbb152b13c8f155581"
        );
    }

    #[test]
    fn no_other_seed_salt_or_figure_opens_the_seal() {
        let (sealed, secret) = seal("d", DRAFT, &[7; 40]).unwrap();
        let open = reveal("s", &sealed, &secret).unwrap();
        let seed = format!("seed = {}", secret.seed);
        let salt = &secret.seed_salt;
        for (from, to) in [
            (seed.as_str(), "seed = 21"),
            (salt, &salt.replace("07", "08")),
            (salt, ""),
            ("loop_ms = 12000", "loop_ms = 11000"),
            ("Season 21\"", "Season 22\""),
            ("# chosen", "# published"),
        ] {
            let changed = open.replacen(from, to, 1);
            assert_ne!(changed, open);
            let said = super::super::read("o", &changed).unwrap_err().to_string();
            assert!(said.contains("do not open this seal"), "{said}");
        }
        let other = seal("d", DRAFT, &[8; 40]).unwrap().1;
        assert!(reveal("s", &sealed, &other).is_err());
        let changed = sealed.replace("level = 4", "level = 3");
        assert!(reveal("s", &changed, &secret).unwrap_err().to_string().contains("was changed"));
        for lines in ["seed_salt", "seed_sha256"] {
            let without: String = open
                .lines()
                .filter(|it| !it.starts_with(lines))
                .map(|it| format!("{it}\n"))
                .collect();
            assert!(super::super::read("o", &without).is_err(), "{lines}");
        }
    }
}
