//! JSON as servers write it: what a strict reader refuses only for its spelling is mended first.
//!
//! Mended are lone surrogate escapes (a character cut between two deltas), raw control characters in strings, and the `NaN`
//! and `Infinity` that Python writes. Anything else that is no JSON stays none.

use serde_json::{Map, Value};

/// An object, or nothing.
#[must_use]
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    // Most text that is no object shows it in its first character.
    if !text.trim_start().starts_with('{') {
        return None;
    }
    match serde_json::from_str(text).or_else(|_| serde_json::from_str(&mend(text))) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// The text with its spelling mended.
fn mend(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut inside = false;
    while let Some(letter) = rest.chars().next() {
        let taken = match (inside, letter) {
            (true, '\\') => escape(rest, &mut mended),
            (true, '\0'..='\u{1f}') => {
                mended.push_str(&format!("\\u{:04x}", u32::from(letter)));
                1
            }
            (false, 'N' | 'I' | '-') => bare_word(rest, &mut mended),
            _ => {
                inside ^= letter == '"';
                mended.push(letter);
                letter.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    mended
}

/// Copies the escape at the beginning of `rest`, a lone surrogate as U+FFFD. Returns how many bytes were taken.
fn escape(rest: &str, mended: &mut String) -> usize {
    let (length, copy) = match surrogate(rest) {
        Some(0xd800..=0xdbff) => match surrogate(&rest[6..]) {
            Some(0xdc00..=0xdfff) => (12, true),
            _ => (6, false),
        },
        Some(_) => (6, false),
        None => (1 + rest[1..].chars().next().map_or(0, char::len_utf8), true),
    };
    mended.push_str(if copy { &rest[..length] } else { "\\ufffd" });
    length
}

/// The number of a surrogate escape at the beginning of a text.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok().filter(|number| (0xd800..=0xdfff).contains(number))
}

/// Copies what begins `rest`, a number that JSON has not as null. Returns how many bytes were taken.
fn bare_word(rest: &str, mended: &mut String) -> usize {
    for word in ["NaN", "Infinity", "-Infinity"] {
        if rest.starts_with(word) {
            mended.push_str("null");
            return word.len();
        }
    }
    mended.push_str(&rest[..1]);
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(json: &str) -> Option<String> {
        Some(object(json)?.get("t")?.as_str()?.to_owned())
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        assert_eq!(text_of(r#"{"t":"a\ud83d"}"#).as_deref(), Some("a\u{fffd}"));
        assert_eq!(text_of(r#"{"t":"\ude42b"}"#).as_deref(), Some("\u{fffd}b"));
        assert_eq!(text_of(r#"{"t":"\ud83d\ud83d\ude42"}"#).as_deref(), Some("\u{fffd}🙂"));
        assert_eq!(text_of(r#"{"t":"\\ud83d \ud83d\n"}"#).as_deref(), Some("\\ud83d \u{fffd}\n"));
        assert_eq!(text_of(r#"{"t":"\ud83dé\ud83d\"é"}"#).as_deref(), Some("\u{fffd}é\u{fffd}\"é"));
    }

    #[test]
    fn control_characters_and_bare_words() {
        assert_eq!(text_of("{\"t\":\"a\tb\u{0}\"}").as_deref(), Some("a\tb\0"));
        let object = object(r#"{"p":NaN,"q":[-Infinity,-1,Infinity],"t":"NaN"}"#).unwrap();
        let expected = r#"{"p":null,"q":[null,-1,null],"t":"NaN"}"#;
        assert_eq!(Value::Object(object).to_string(), expected);
    }

    #[test]
    fn what_is_torn_stays_torn() {
        for text in
            ["", "{", r#"{"t":"a"#, r#"{"t":"\ud8"#, r#"{"t":"\"#, "[]", "null", "{}}", "{broken"]
        {
            assert_eq!(object(text), None, "{text}");
        }
        let deep = "{\"a\":".repeat(100_000);
        assert_eq!(object(&deep), None);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_harm(text in r#"\{?(["\\u{}dD8cC0-9a:,NI-]|é|\\ud83d)*"#) {
            let _ = object(&text);
            if let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(&text) {
                proptest::prop_assert_eq!(object(&text).map(Value::Object), Some(value));
            }
        }
    }
}
