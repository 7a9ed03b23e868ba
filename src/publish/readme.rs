//! The README of a published race.

use super::redact::Redactions;
use crate::race::RaceResult;
use crate::text::shown;

/// The README of a published race, as Markdown.
#[must_use]
pub fn text(result: &RaceResult, redactions: &Redactions) -> String {
    let race = shown(&redactions.race, 100);
    let time = match result.finish_ms {
        Some(ms) => format!("finished in {}.{:03} s", ms / 1000, ms % 1000),
        None => result.status.word().to_owned(),
    };
    let mut text = format!(
        "# {race}\n\nA race of the Gauntlet: {time}, {} of {} targets. `gauntlet verify` proves it from the files here, and `gauntlet replay` shows it.\n\n## What was changed for the public\n\n",
        result.hits, result.targets
    );
    if redactions.redactions.is_empty() {
        text += "Nothing was replaced: the files of the race are the original ones.\n";
    } else {
        text += &format!(
            "Replaced: {}. Each value has one placeholder, `redacted-KIND-NUMBER-DIGITS`; the digits begin the SHA-256 commitment that `redactions.json` holds in full, so its owner can show \
             later what stood there. The race was refereed again with the placeholders: its log, result and chain are of the files here, and its times and verdicts are those of the original.\n",
            redactions.counts()
        );
    }
    for kept in &redactions.kept {
        let places = if kept.places == 1 { "place" } else { "places" };
        text += &format!(
            "\nKept by a rule, in {} {places}: {}: {}\n",
            kept.places,
            kept.kind.word(),
            plain(&kept.reason)
        );
    }
    for held in &redactions.held_back {
        text += &format!("\nHeld back: {}: {}\n", plain(&held.name), plain(&held.why));
    }
    text += "\n## The original files\n\n| file | SHA-256 |\n|---|---|\n";
    for file in &redactions.originals {
        let digest = match &file.sha256 {
            Some(sha256) => format!("`{sha256}`"),
            None => String::from("changed or left out; `redactions.json` commits to it"),
        };
        text += &format!("| {} | {digest} |\n", plain(&file.name));
    }
    text
}

/// A text that Markdown takes for nothing but text.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in shown(text, 300).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '!' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
