//! Finds in a text what should not be published: whose machine it was, where it stands, and what opens doors.
//!
//! Pure, and by pattern alone: `token.rs` keys and tokens, `named.rs` what a field's name gives away, `address.rs` addresses of
//! networks and people, `place.rs` home folders, user and host names, `common.rs` names that tell nothing, `hardware.rs` serials and power. What was found once is
//! known, and found again wherever it stands ([`Known`]).

mod address;
mod common;
mod hardware;
mod named;
mod place;
mod token;

use common::{is_telling_host, is_telling_user};
pub use named::kind_of_field;

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// How a placeholder begins; what begins so is not found again.
pub const PLACEHOLDER: &str = "redacted-";

/// Most values that are looked for by themselves; a text that holds more passwords than that is babble.
const KNOWN_MAX: usize = 2_000;

/// Longest name of a person, a machine or a field, in bytes.
const NAME_BYTES_MAX: usize = 256;

/// What a found text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A key or token of a service, a bearer header, a cookie.
    Token,
    /// A password or secret that its field's name gives away.
    Password,
    /// User and password in a URL.
    Login,
    /// A private key, or a public SSH key, which names its owner.
    Key,
    /// An e-mail address.
    Email,
    /// An IP address that is not this machine's own loopback.
    Ip,
    /// A hardware address.
    Mac,
    /// A home folder.
    Home,
    /// A user's name.
    User,
    /// The name of a machine.
    Host,
    /// A serial number or another lasting number of a device.
    Serial,
    /// A reading or a setting of electric power.
    Power,
    /// A word that the rule file names.
    Word,
}

impl Kind {
    /// The word in files, placeholders and on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Password => "password",
            Self::Login => "login",
            Self::Key => "key",
            Self::Email => "email",
            Self::Ip => "ip",
            Self::Mac => "mac",
            Self::Home => "home",
            Self::User => "user",
            Self::Host => "host",
            Self::Serial => "serial",
            Self::Power => "power",
            Self::Word => "word",
        }
    }

    /// Whether a value of this kind is looked for everywhere once it is known.
    fn is_learnt(self, value: &str) -> bool {
        match self {
            Self::User => is_telling_user(value),
            Self::Host => is_telling_host(value),
            Self::Password | Self::Login | Self::Serial => value.len() >= 6,
            // Their looks alone give the others away wherever they stand.
            _ => false,
        }
    }
}

/// A found text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Where, in bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// Values that are looked for by themselves, wherever they stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    values: BTreeSet<(Kind, String)>,
}

impl Known {
    /// Adds a value, if it is one that tells something.
    pub fn add(&mut self, kind: Kind, value: &str) {
        let room = self.values.len() < KNOWN_MAX;
        if room && kind.is_learnt(value) && !value.starts_with(PLACEHOLDER) {
            self.values.insert((kind, value.to_owned()));
        }
    }

    /// Adds a word that a user names.
    pub fn add_word(&mut self, word: &str) {
        self.values.insert((Kind::Word, word.trim().to_owned()));
    }

    /// Takes out what also is a word of another text, and gives it back.
    pub fn remove_words_of(&mut self, text: &str) -> Vec<(Kind, String)> {
        let is_word = |(kind, value): &(Kind, String)| {
            matches!(kind, Kind::User | Kind::Host) && !words(text, value, *kind).is_empty()
        };
        let gone: Vec<_> = self.values.iter().filter(|it| is_word(it)).cloned().collect();
        self.values.retain(|it| !gone.contains(it));
        gone
    }

    /// How many values are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Everything in a text that should not be published, in order, none overlapping another.
#[must_use]
pub fn find(text: &str, known: &Known) -> Vec<Hit> {
    find_all(text, known, Vec::new())
}

/// The same for a table, whose columns say what a bare number is.
#[must_use]
pub fn find_in_table(text: &str, known: &Known) -> Vec<Hit> {
    let mut hits = Vec::new();
    named::find_in_table(text, &mut hits);
    find_all(text, known, hits)
}

fn find_all(text: &str, known: &Known, mut hits: Vec<Hit>) -> Vec<Hit> {
    if may_hold(text) {
        by_pattern(text, &mut hits);
    }
    for (kind, value) in &known.values {
        let places = match kind {
            Kind::User | Kind::Host | Kind::Word => words(text, value, *kind),
            _ => text.match_indices(value.as_str()).map(|(at, it)| at..at + it.len()).collect(),
        };
        hits.extend(places.into_iter().map(|range| Hit { range, kind: *kind }));
    }
    merged(text, hits)
}

/// Whether a pattern can match at all: most texts of a race are field names, digests, counts and pieces of words.
fn may_hold(text: &str) -> bool {
    let marks =
        |b: u8| matches!(b, b'@' | b':' | b'/' | b'=' | b'~' | b'\\' | b'.') || b.is_ascii_digit();
    let digest = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let count = text.bytes().all(|b| b.is_ascii_digit());
    !digest && !count && (text.len() >= 12 || text.bytes().any(marks) || text.contains("--"))
}

fn by_pattern(text: &str, hits: &mut Vec<Hit>) {
    token::find(text, hits);
    named::find(text, hits);
    address::find(text, hits);
    place::find(text, hits);
    hardware::find(text, hits);
}

/// What a found text teaches about others: the user of a home folder, user and host of a login.
pub fn learn(text: &str, hit: &Hit, known: &mut Known) {
    let value = &text[hit.range.clone()];
    known.add(hit.kind, value);
    if hit.kind == Kind::Home {
        let name = value.rsplit(['/', '\\']).next().unwrap_or_default();
        known.add(Kind::User, name);
    }
    if hit.kind == Kind::Host
        && let Some((first, _)) = value.split_once('.')
    {
        known.add(Kind::Host, first);
    }
}

/// Hits in order; those that overlap become one, so that no end of a secret stays.
fn merged(text: &str, mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.retain(|hit| {
        let value = text.get(hit.range.clone()).unwrap_or_default();
        !value.is_empty() && !value.starts_with(PLACEHOLDER)
    });
    hits.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end), hit.kind));
    let mut kept: Vec<Hit> = Vec::new();
    for hit in hits {
        match kept.last_mut() {
            Some(last) if hit.range.start < last.range.end => {
                last.range.end = last.range.end.max(hit.range.end);
            }
            _ => kept.push(hit),
        }
    }
    kept
}

/// Where a word stands by itself. Host names are the same in any case.
fn words(text: &str, word: &str, kind: Kind) -> Vec<Range<usize>> {
    let starts_at = |at: usize| match text.get(at..at + word.len()) {
        Some(there) if kind == Kind::Host => there.eq_ignore_ascii_case(word),
        there => there == Some(word),
    };
    let first = word.as_bytes()[0].to_ascii_lowercase();
    let candidates = text.bytes().enumerate().filter(|(_, b)| b.to_ascii_lowercase() == first);
    candidates
        .map(|(at, _)| at)
        .filter(|at| text.is_char_boundary(*at) && starts_at(*at))
        .map(|at| at..at + word.len())
        .filter(|place| {
            let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !inside(text[..place.start].chars().next_back())
                && !inside(text[place.end..].chars().next())
        })
        .collect()
}

/// Bytes that a word of names and addresses is made of; characters beyond ASCII among them.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-') || byte >= 0x80
}

/// The end of the run of such bytes that begins at a place.
fn run(text: &str, from: usize, is: impl Fn(u8) -> bool) -> usize {
    text.as_bytes()[from..].iter().position(|&b| !is(b)).map_or(text.len(), |count| from + count)
}

/// The start of the run of such bytes that ends at a place; a run longer than any name is cut.
fn run_back(text: &str, to: usize, is: impl Fn(u8) -> bool) -> usize {
    let mut least = to.saturating_sub(NAME_BYTES_MAX);
    while !text.is_char_boundary(least) {
        least += 1;
    }
    let found = text.as_bytes()[least..to].iter().rposition(|&b| !is(b));
    found.map_or(least, |at| least + at + 1)
}

/// The byte before a place.
fn before(text: &str, at: usize) -> Option<u8> {
    at.checked_sub(1).map(|at| text.as_bytes()[at])
}

/// The byte at a place.
fn byte_at(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

fn is_alnum(byte: Option<u8>) -> bool {
    byte.is_some_and(|b| b.is_ascii_alphanumeric() || b >= 0x80)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
