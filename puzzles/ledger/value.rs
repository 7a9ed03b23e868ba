//! How a balance is read: `418`, `-35`, `1,204`, `418 coins`. Tolerant to notation, never to content.

/// Longer values are not read.
const LONGEST: usize = 40;

/// Reads a whole number: digits, perhaps in groups of three, after a sign, before the unit or a full stop.
pub(super) fn read(value: &str) -> Result<i64, String> {
    if value.len() > LONGEST {
        return Err(format!("a number of more than {LONGEST} characters"));
    }
    let lower = value.trim().to_ascii_lowercase();
    let text = lower.trim_end_matches('.').trim_end();
    let text = text.strip_suffix("coins").or_else(|| text.strip_suffix("coin")).unwrap_or(text);
    let text = text.trim_end();
    let (minus, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return Err("no number".to_owned());
    }
    if let Some(other) = digits.chars().find(|c| !c.is_ascii_digit() && *c != ',') {
        return Err(format!("a number with {other:?}"));
    }
    let mut groups = digits.split(',');
    let first = groups.next().unwrap_or_default();
    let mut rest = groups.clone();
    if groups.next().is_some() && (!(1..=3).contains(&first.len()) || rest.any(|it| it.len() != 3))
    {
        return Err("a number with ','".to_owned());
    }
    let number: Result<i64, _> = digits.replace(',', "").parse();
    match number {
        Ok(number) => Ok(if minus { -number } else { number }),
        Err(_) => Err("a number of too many digits".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn notations_of_one_number() {
        for value in
            ["1204", " 1204 ", "1204.", "+1204", "1,204", "01204", "1204 coins", "1,204 Coins."]
        {
            assert_eq!(read(value), Ok(1204), "{value:?}");
        }
        for value in ["-35", "\u{2212}35", "-35 coins", "-035"] {
            assert_eq!(read(value), Ok(-35), "{value:?}");
        }
        assert_eq!(read("1 coin"), Ok(1));
    }

    #[test]
    fn what_is_not_a_number() {
        for (value, why) in [
            ("", "no number"),
            ("-", "no number"),
            ("coins", "no number"),
            ("12,04", "a number with ','"),
            ("1204,", "a number with ','"),
            (",204", "a number with ','"),
            ("1204,500", "a number with ','"),
            ("1 204", "a number with ' '"),
            ("418 or 419", "a number with ' '"),
            ("12.5", "a number with '.'"),
            ("x", "a number with 'x'"),
            ("--3", "a number with '-'"),
            ("\u{664}", "a number with '\u{664}'"),
            ("99999999999999999999", "a number of too many digits"),
        ] {
            assert_eq!(read(value), Err(why.to_owned()), "{value:?}");
        }
        assert!(read(&"1".repeat(1_000_000)).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(number in -100_000_i64..100_000) {
            prop_assert_eq!(read(&number.to_string()), Ok(number));
        }

        #[test]
        fn any_text_is_read(value in any::<String>()) {
            let number = read(&value);
            prop_assert!(number.is_err() || value.contains(|c: char| c.is_ascii_digit()));
        }
    }
}
