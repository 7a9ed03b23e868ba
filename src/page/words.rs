//! Words and figures of pages: times, gaps, shares, and text of strangers made fit to be shown.

pub(crate) use crate::text::{counted, minutes, seconds};

use crate::puzzles;
use crate::text::shown;

/// Longest name of a lane, a model or a race on a page.
const NAME_CHARS: usize = 100;

/// Longest line of words from a file on a page.
const LINE_CHARS: usize = 400;

/// A name from a file.
pub(crate) fn name(text: &str) -> String {
    shown(text, NAME_CHARS)
}

/// A line of words from a file.
pub(crate) fn line(text: &str) -> String {
    shown(text, LINE_CHARS)
}

/// The name of a family that people read.
pub(crate) fn family(name: &str) -> String {
    puzzles::family(name).map_or_else(|| shown(name, 40), |it| it.title().to_owned())
}

/// How far behind: `+39.6`. A gap that a tenth would round away stands in full.
pub(crate) fn behind(ms: u64) -> String {
    if (1..50).contains(&ms) { format!("+0.{ms:03}") } else { format!("+{}", seconds(ms)) }
}

/// A part of a whole in percent with three decimals, as SVG takes it: `12.345%`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    percent_of(thousandths(part, whole))
}

/// A part of a whole in thousandths of a percent.
pub(crate) fn thousandths(part: u64, whole: u64) -> u64 {
    let scaled = u128::from(part) * 100_000 / u128::from(whole.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

/// Thousandths of a percent as SVG takes them.
pub(crate) fn percent_of(thousandths: u64) -> String {
    format!("{}.{:03}%", thousandths / 1_000, thousandths % 1_000)
}

/// A part of a whole in words: `three quarters`, `almost all`.
pub(crate) fn share(part: u64, whole: u64) -> String {
    let percent = thousandths(part, whole) / 1_000;
    let words = match percent {
        0..=3 => "next to nothing",
        4..=7 => "a twentieth",
        8..=14 => "a tenth",
        15..=22 => "a fifth",
        23..=29 => "a quarter",
        30..=36 => "a third",
        37..=46 => "two fifths",
        47..=53 => "half",
        54..=62 => "three fifths",
        63..=70 => "two thirds",
        71..=77 => "three quarters",
        78..=84 => "four fifths",
        85..=93 => "nine tenths",
        _ => "almost all",
    };
    String::from(words)
}

/// A small number in words.
pub(crate) fn number(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// A place: `1st`, `2nd`, `23rd`.
pub(crate) fn place(rank: u32) -> String {
    let ending = match (rank % 100, rank % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{rank}{ending}")
}

/// Names as a list in a sentence: `a, b and c`.
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_in_words() {
        assert_eq!(
            [0, 1, 49, 50, 39_600].map(behind),
            ["+0.0", "+0.001", "+0.049", "+0.1", "+39.6"]
        );
        assert_eq!(percent(1, 3), "33.333%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.000%");
        assert_eq!(percent(5, 0), "500.000%");
        assert_eq!(share(255, 342), "three quarters");
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21, 103].map(place).join(" "),
            "1st 2nd 3rd 4th 11th 12th 21st 103rd"
        );
        assert_eq!(list(&["a", "b", "c"].map(String::from)), "a, b and c");
    }
}
