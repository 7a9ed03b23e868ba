//! The feed of new races, as Atom. An entry keeps its id for ever: it is made of the race's id and its log.

use super::race::Race;
use super::words::{self, counted, seconds};
use crate::digest;
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// Races in the feed.
const ENTRIES: usize = 50;

/// When simulated races are said to have been: their clock begins there.
const NO_DATE: &str = "1970-01-01T00:00:00.000Z";

/// The feed. `newest` are all races, the newest first; `base` is the address of the site, with a slash at the end, or empty:
/// links are then relative to the feed.
#[must_use]
pub fn atom(newest: &[&Race], base: &str) -> String {
    let updated = newest.first().and_then(|race| race.began.as_deref()).unwrap_or(NO_DATE);
    let feed = html! {
        feed xmlns="http://www.w3.org/2005/Atom" {
            title { "The Gauntlet: new races" }
            id { (uuid("the feed of races")) }
            updated { (updated) }
            author { name { "gauntlet" } }
            link rel="self" href={ (base) "feed.xml" } {}
            link rel="alternate" type="text/html" href={ (base) "index.html" } {}
            @for race in newest.iter().take(ENTRIES) { (entry(race, base)) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{}\n", feed.into_string())
}

fn entry(race: &Race, base: &str) -> Markup {
    let track = &race.track;
    let at = race.began.as_deref().unwrap_or(NO_DATE);
    let end = match track.finish_ms {
        Some(ms) => format!("{} s", seconds(ms)),
        None => track.status.word().to_owned(),
    };
    html! {
        entry {
            title { (track.title) ", " (end) ", " (words::name(&race.season.title)) }
            id { (uuid(&format!("{} {}", race.result.race, race.result.log_sha256))) }
            updated { (at) }
            link rel="alternate" type="text/html" href={ (base) (race.folder()) "/index.html" } {}
            summary {
                (track.class_gb) " GB class, " (track.hits) " of " (counted(track.targets, "target")) ", "
                (counted(track.loops, "penalty loop")) ", " (race.result.status.word()) ", attempt " (race.result.attempt)
                @if race.began.is_none() { ", simulated" } "."
            }
            (PreEscaped("\n"))
        }
    }
}

/// A name that never changes, made of a text: a UUID of version 8 from its SHA-256.
fn uuid(text: &str) -> String {
    let mut bytes: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = digest::hex(&bytes[..16]);
    format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_id_is_a_uuid_of_version_8() {
        assert_eq!(super::uuid("a race"), super::uuid("a race"));
        insta::assert_snapshot!(super::uuid(""), @"urn:uuid:e3b0c442-98fc-8c14-9afb-f4c8996fb924");
    }
}
