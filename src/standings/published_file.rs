//! The fields of a published.toml as they are written; `published.rs` checks what they say.

use crate::format::Format;
use crate::puzzles::Kind;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedFile {
    pub(super) format: Spanned<Format>,
    pub(super) race: Vec<RaceFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RaceFile {
    pub(super) lane: Spanned<String>,
    pub(super) memory_gb: u64,
    pub(super) season: String,
    pub(super) prompt_version: Option<String>,
    pub(super) thinking: Option<Switch>,
    pub(super) ranges: Option<Vec<RangeFile>>,
    pub(super) hits_by_range: Option<BTreeMap<String, u32>>,
    pub(super) finish_s: Tenths,
    pub(super) finish: Finish,
    pub(super) hits: Option<u32>,
    pub(super) loops: Option<u32>,
    pub(super) loops_s: Option<Tenths>,
    pub(super) thinking_s: Option<Tenths>,
    pub(super) buzzers: Option<u32>,
    pub(super) cut_off: Option<u32>,
    pub(super) rank: Option<u32>,
    pub(super) rank_of: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RangeFile {
    pub(super) family: Spanned<String>,
    pub(super) kind: Kind,
    pub(super) level: u8,
    pub(super) targets: String,
    pub(super) hits: u32,
    pub(super) thinking_s: Tenths,
    pub(super) buzzer: bool,
    pub(super) answered: bool,
    pub(super) loops: u32,
    pub(super) loops_s: Tenths,
    pub(super) range_s: Tenths,
}

/// Whether thinking was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// It was.
    On,
    /// It was not.
    Off,
}

impl Switch {
    /// The word in files and on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// Where a finish time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The page shows it.
    Published,
    /// The page does not show it; it is the sum of what it shows.
    Computed,
}

/// Seconds with at most one decimal, kept as whole milliseconds.
///
/// A number in words is the shortest decimal that reads back as the same number, which is the decimal that was written: no
/// arithmetic on fractions, and nothing to round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Number")]
pub(super) struct Tenths(u64);

impl Tenths {
    pub(super) fn ms(self) -> u64 {
        self.0
    }

    /// Reads `102.2` or `60`, and nothing else.
    fn read(text: &str) -> Option<Self> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        if tenth.len() != 1 || !digits(whole) || !digits(tenth) {
            return None;
        }
        // A u32 of seconds is longer than any race, and no sum of them in milliseconds overflows.
        let whole: u32 = whole.parse().ok()?;
        let tenth: u64 = tenth.parse().ok()?;
        Some(Self(u64::from(whole) * 1_000 + tenth * 100))
    }
}

impl TryFrom<Number> for Tenths {
    type Error = String;

    fn try_from(number: Number) -> Result<Self, String> {
        let text = number.to_string();
        Self::read(&text).ok_or_else(|| format!("{text} is not seconds with at most one decimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct One {
        s: Tenths,
    }

    fn ms(text: &str) -> Result<u64, String> {
        let read: Result<One, _> = toml::from_str(&format!("s = {text}"));
        read.map(|one| one.s.ms()).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn every_tenth_up_to_a_long_race_is_exact() {
        for tenths in 0..40_000_u64 {
            let text = format!("{}.{}", tenths / 10, tenths % 10);
            assert_eq!(ms(&text), Ok(tenths * 100), "{text}");
        }
    }

    #[test]
    fn what_is_no_tenth_is_refused() {
        assert_eq!(ms("60"), Ok(60_000));
        for text in ["1.25", "-1.0", "-1", "nan", "inf", "1e30", "0.1e-3", "\"1.0\"", "true"] {
            assert!(ms(text).is_err(), "{text}");
        }
    }
}
