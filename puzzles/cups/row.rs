//! A row of cups, and how one is written and read: `CAFBED` is place 1 to the last. Knows no moves.

use std::fmt;

/// The most cups of any level; a place is one digit.
pub(super) const CUPS_MAX: usize = 9;

/// Longer values are not read; the longest row has 9 cups.
const LONGEST: usize = 200;

/// Cups by place, from the left; cup 0 is A. Places count from 0 here and from 1 in print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    cups: [u8; CUPS_MAX],
    len: usize,
}

impl Row {
    /// The row A, B, C and so on.
    pub(super) fn sorted(len: usize) -> Self {
        Self { cups: std::array::from_fn(|place| place as u8), len: len.min(CUPS_MAX) }
    }

    /// The cups from the left.
    pub(super) fn cups(&self) -> &[u8] {
        &self.cups[..self.len]
    }

    /// The cups from the left, to be moved.
    pub(super) fn cups_mut(&mut self) -> &mut [u8] {
        &mut self.cups[..self.len]
    }

    /// The number of cups.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Where a cup stands; every cup of the row stands somewhere.
    pub(super) fn place(&self, cup: u8) -> usize {
        self.cups().iter().position(|other| *other == cup).unwrap_or(0)
    }

    /// How many places hold the same cup, and the first that does not.
    pub(super) fn compare(&self, other: &Self) -> (usize, Option<usize>) {
        let same = |place: &usize| self.cups.get(*place) == other.cups.get(*place);
        ((0..self.len).filter(same).count(), (0..self.len).find(|place| !same(place)))
    }

    /// Reads a row of that many cups: letters in any case, with blanks, `,` `;` `|` `>` or `-` between them.
    pub(super) fn read(value: &str, len: usize) -> Result<Self, String> {
        if value.len() > LONGEST {
            return Err(format!("a row of more than {LONGEST} characters"));
        }
        let mut row = Self::sorted(len);
        let mut seen = 0;
        for found in value.trim().trim_end_matches('.').chars() {
            match found {
                ' ' | '\t' | ',' | ';' | '|' | '>' | '-' => continue,
                'a'..='z' | 'A'..='Z' => {}
                _ => return Err(format!("a row with {found:?}")),
            }
            let cup = found.to_ascii_uppercase() as u8 - b'A';
            if usize::from(cup) >= len {
                return Err(format!("no cup {}", letter(cup)));
            }
            if row.cups[..seen].contains(&cup) {
                return Err(format!("cup {} twice", letter(cup)));
            }
            // Cups of the row are told apart, so no more than `len` of them get here.
            row.cups[seen] = cup;
            seen += 1;
        }
        match seen {
            0 => Err("no cup".to_owned()),
            _ if seen < len => Err(format!("{seen} cups, the row has {len}")),
            _ => Ok(row),
        }
    }
}

/// The letter of a cup.
pub(super) fn letter(cup: u8) -> char {
    char::from(b'A' + cup % 26)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cups().iter().try_for_each(|cup| write!(f, "{}", letter(*cup)))
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_one_row() {
        for value in
            ["CADB", "cadb", "C A D B", "C, A, D, B.", "c-a-d-b", "C | A | D | B", "C>A>D>B"]
        {
            assert_eq!(Row::read(value, 4).map(|row| row.to_string()), Ok("CADB".to_owned()));
        }
    }

    #[test]
    fn what_is_not_a_row() {
        for (value, why) in [
            ("", "no cup"),
            ("-", "no cup"),
            ("ABC", "3 cups, the row has 4"),
            ("ABCA", "cup A twice"),
            ("ABCE", "no cup E"),
            ("ABCDD", "cup D twice"),
            ("A1", "a row with '1'"),
            ("\u{e9}", "a row with '\u{e9}'"),
            ("CADB or CABD", "no cup O"),
        ] {
            assert_eq!(Row::read(value, 4), Err(why.to_owned()), "{value:?}");
        }
        assert!(Row::read(&"A ".repeat(500_000), 4).is_err());
    }
}
