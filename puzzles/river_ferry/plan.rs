//! How a plan is written and read: `AB - C` is three trips. Tolerant to notation, never to content.
//!
//! Grammar. A trip is a run of passenger letters in any case and order (`+` and `&` may join them), or the ferryman alone: a
//! run of dashes, `0` or the word `none`. Between trips stand spaces, `,` `;` `|` `>` or an arrow of dashes and `>`; a dash
//! next to letters needs none. An arrow is one only after a trip: in `A>->B` the dash is a trip, in `A -> B` it is not.

use super::rules::{Group, letters};

/// Longer values are not read; the longest plan of any level has 19 trips.
const LONGEST: usize = 1_000;

/// Writes a plan.
pub(super) fn write(plan: &[Group]) -> String {
    let trips: Vec<String> = plan.iter().map(|&load| write_trip(load)).collect();
    trips.join(" ")
}

fn write_trip(load: Group) -> String {
    if load == 0 { "-".to_owned() } else { letters(load) }
}

/// Reads a plan for that many passengers, or says what it stumbled on.
pub(super) fn read(value: &str, passengers: u32) -> Result<Vec<Group>, String> {
    if value.len() > LONGEST {
        return Err(format!("a plan of more than {LONGEST} characters"));
    }
    let text = value.trim().trim_end_matches('.').as_bytes();
    let mut plan = Vec::new();
    // Whether the last thing read, spaces apart, was a trip: only then can an arrow follow.
    let mut after_trip = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b' ' | b'\t' => at += 1,
            b',' | b';' | b'|' | b'>' => {
                after_trip = false;
                at += 1;
            }
            b'-' => {
                let dashes = run(text, at, |b| b == b'-');
                at += dashes;
                if after_trip && text.get(at) == Some(&b'>') {
                    continue;
                }
                plan.push(0);
                after_trip = true;
            }
            b'0' => {
                plan.push(0);
                after_trip = true;
                at += 1;
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let word = &text[at..at + run(text, at, |b| b.is_ascii_alphabetic() || joins(b))];
                plan.push(read_trip(word, plan.len() + 1, passengers)?);
                after_trip = true;
                at += word.len();
            }
            _ => return Err(format!("a plan with {:?}", char_at(value, text, at))),
        }
    }
    if plan.is_empty() { Err("no trip".to_owned()) } else { Ok(plan) }
}

fn read_trip(word: &[u8], trip: usize, passengers: u32) -> Result<Group, String> {
    if word.eq_ignore_ascii_case(b"none") {
        return Ok(0);
    }
    let mut load = 0;
    for byte in word.iter().map(u8::to_ascii_uppercase).filter(|b| !joins(*b)) {
        let who = u32::from(byte - b'A');
        if who >= passengers {
            return Err(format!("trip {trip}: no passenger {}", char::from(byte)));
        }
        if load & (1 << who) != 0 {
            return Err(format!("trip {trip}: {} twice", char::from(byte)));
        }
        load |= 1 << who;
    }
    Ok(load)
}

fn joins(byte: u8) -> bool {
    byte == b'+' || byte == b'&'
}

/// How many bytes from `at` on are of a kind.
fn run(text: &[u8], at: usize, of: impl Fn(u8) -> bool) -> usize {
    text[at..].iter().take_while(|byte| of(**byte)).count()
}

/// The character that begins at a byte of the trimmed text; every byte before it was ASCII.
fn char_at(value: &str, text: &[u8], at: usize) -> char {
    debug_assert!(text[..at].is_ascii(), "the reader stops at the first other byte");
    value.trim().chars().nth(at).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, plan: &[&str]) {
        let trips = read(value, 4).map(|plan| plan.into_iter().map(write_trip).collect::<Vec<_>>());
        assert_eq!(trips.as_ref().map(|trips| trips.join(" ")), Ok(plan.join(" ")), "{value:?}");
    }

    #[test]
    fn notations_of_one_plan() {
        let plan = ["AB", "-", "C", "A", "AD"];
        for value in [
            "AB - C A AD",
            "ba - c a da",
            "AB,-,C,A,AD",
            "AB, -, C, A, AD.",
            "AB>->C>A>AD",
            "AB > - > C > A > AD",
            "AB -> - -> C -> A -> AD",
            "AB->-->C->A->AD",
            "AB --> -- --> C --> A --> AD",
            "AB | - | C | A | AD",
            "AB; 0; C; A; A+D",
            "A&B none C A AD",
            "AB-C A AD",
        ] {
            check(value, &plan);
        }
    }

    #[test]
    fn what_is_not_a_plan() {
        for value in
            ["", ".", ",", "E", "AA", "A 1", "A/B", "(A)", "I do not know", "A\u{e9}", "\u{1f6a3}"]
        {
            assert!(read(value, 4).is_err(), "{value:?}");
        }
        assert!(read(&"A ".repeat(600), 4).is_err());
    }
}
