//! How a plan is written and read: `RRDLLU`. Tolerant to notation, never to content.
//!
//! Grammar: the letters `U` `D` `L` `R` in any case, or the arrows `^` `v` `<` `>` throughout; spaces, tabs, `,` and `;` between
//! them mean nothing.

use super::room::Dir;

/// The most letters of an answer.
pub(super) const LETTERS_MAX: usize = 200;

/// Longer values are not read.
const LONGEST: usize = 2_000;

/// Writes a plan.
pub(super) fn write(steps: &[Dir]) -> String {
    steps.iter().map(|dir| dir.letter()).collect()
}

/// Reads a plan of any length that fits the value, or says what it stumbled on.
pub(super) fn read(value: &str) -> Result<Vec<Dir>, String> {
    if value.len() > LONGEST {
        return Err(format!("a plan of more than {LONGEST} characters"));
    }
    let mut steps = Vec::new();
    let mut letters = false;
    let mut arrows = false;
    for char in value.trim().trim_end_matches('.').chars() {
        let (dir, arrow) = match char {
            ' ' | '\t' | ',' | ';' => continue,
            'U' | 'u' => (Dir::Up, false),
            'D' | 'd' => (Dir::Down, false),
            'L' | 'l' => (Dir::Left, false),
            'R' | 'r' => (Dir::Right, false),
            '^' => (Dir::Up, true),
            'v' | 'V' => (Dir::Down, true),
            '<' => (Dir::Left, true),
            '>' => (Dir::Right, true),
            other => return Err(format!("a plan with {other:?}")),
        };
        letters |= !arrow;
        arrows |= arrow;
        steps.push(dir);
    }
    if letters && arrows {
        // In `U > D` the mark between two letters may be an arrow or not.
        return Err("letters and arrows mixed".to_owned());
    }
    if steps.is_empty() { Err("no step".to_owned()) } else { Ok(steps) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn notations_of_one_plan() {
        for value in
            ["RRDLU", "rrdlu", "R R D L U", "R,R,D,L,U.", "R, R, D; L, U", ">>v<^", "> > V < ^"]
        {
            assert_eq!(read(value).map(|steps| write(&steps)), Ok("RRDLU".to_owned()), "{value}");
        }
    }

    #[test]
    fn what_is_not_a_plan() {
        for value in ["", "-", ".", ",", "U-D", "U>D", "2R", "up", "north", "UDLR!", "\u{2191}"] {
            assert!(read(value).is_err(), "{value}");
        }
        assert!(read(&"U".repeat(1_000_000)).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(letters in "[UDLR]{1,200}") {
            prop_assert_eq!(read(&letters).map(|steps| write(&steps)), Ok(letters));
        }

        #[test]
        fn any_text_is_read(value in any::<String>()) {
            // Whatever comes of it, no panic.
            let _ = read(&value);
        }
    }
}
