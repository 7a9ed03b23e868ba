//! How a route is written and read: `A D F C`. Tolerant to notation, never to content.
//!
//! Grammar: the letters of the corners in any case, start and finish included; spaces, tabs, `,` `;` `>` `-` between them mean
//! nothing.

use super::town::letter;

/// The most corners of an answer.
pub(super) const CORNERS_WRITTEN: usize = 80;

/// Longer values are not read.
const LONGEST: usize = 1_000;

/// Writes a route.
pub(super) fn write(route: &[u8]) -> String {
    let letters: Vec<String> = route.iter().map(|corner| letter(*corner).to_string()).collect();
    letters.join(" ")
}

/// Reads a route through a town of so many corners, or says what it stumbled on.
pub(super) fn read(value: &str, corners: usize) -> Result<Vec<u8>, String> {
    if value.len() > LONGEST {
        return Err(format!("a route of more than {LONGEST} characters"));
    }
    let mut route = Vec::new();
    for found in value.trim().trim_end_matches('.').chars() {
        match found {
            ' ' | '\t' | ',' | ';' | '>' | '-' | '\u{2192}' => continue,
            'a'..='z' | 'A'..='Z' => {}
            _ => return Err(format!("a route with {found:?}")),
        }
        let corner = found.to_ascii_uppercase() as u8 - b'A';
        if usize::from(corner) >= corners {
            return Err(format!("no corner {}", letter(corner)));
        }
        route.push(corner);
    }
    match route.len() {
        0 => Err("no corner".to_owned()),
        long if long > CORNERS_WRITTEN => Err(format!("more than {CORNERS_WRITTEN} corners")),
        _ => Ok(route),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn notations_of_one_route() {
        for value in [
            "A D F C",
            "ADFC",
            "a d f c",
            "A-D-F-C",
            "A -> D -> F -> C",
            "A > D > F > C.",
            "A, D, F, C",
            "A\u{2192}D\u{2192}F\u{2192}C",
        ] {
            assert_eq!(
                read(value, 9).map(|route| write(&route)),
                Ok("A D F C".to_owned()),
                "{value}"
            );
        }
    }

    #[test]
    fn what_is_not_a_route() {
        for (value, why) in [
            ("", "no corner"),
            ("-", "no corner"),
            ("->", "no corner"),
            ("A B Z", "no corner Z"),
            ("A to B", "no corner T"),
            ("A 3 B", "a route with '3'"),
            ("A (wait) B", "a route with '('"),
        ] {
            assert_eq!(read(value, 9), Err(why.to_owned()), "{value:?}");
        }
        assert!(read(&"A".repeat(81), 9).is_err());
        assert!(read(&"A".repeat(1_000_000), 9).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(route in prop::collection::vec(0_u8..9, 1..80)) {
            prop_assert_eq!(read(&write(&route), 9), Ok(route));
        }

        #[test]
        fn any_text_is_read(value in any::<String>()) {
            // Whatever comes of it, no panic.
            let _ = read(&value, 25);
        }
    }
}
