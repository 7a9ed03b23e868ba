//! Text from outside made fit to be shown: nothing in it can move a cursor, change a colour or turn the reading direction.
//!
//! Model answers, server messages and the files of strangers go through [`shown`] before they reach a terminal, a page or a log.

/// A text on one line, with control and direction characters written out, cut to `chars_max` characters.
///
/// A line feed is written `\n`, a tab `\t`, others as `\u{1b}`. A text that was cut ends in `...`.
#[must_use]
pub fn shown(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == chars_max {
            out.push_str("...");
            break;
        }
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The lines of a text, each made fit to be shown; for prompts and answers that are printed whole.
pub fn shown_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| shown(&line.replace('\t', "    "), usize::MAX))
}

/// A JSON text in which hidden characters stand as `\\u` escapes: the same JSON, fit to be shown.
#[must_use]
pub fn shown_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Seconds to a tenth, as every table shows them; halves go up.
#[must_use]
pub fn seconds(ms: u64) -> String {
    let tenths = ms.saturating_add(50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Seconds to a tenth from 60 on as `m:ss.s`, as a finish time is read aloud.
#[must_use]
pub fn minutes(ms: u64) -> String {
    let tenths = ms.saturating_add(50) / 100;
    let (minutes, rest) = (tenths / 600, tenths % 600);
    format!("{minutes}:{:02}.{}", rest / 10, rest % 10)
}

/// `1 loop`, `2 loops`.
#[must_use]
pub fn counted(count: impl Into<u64> + std::fmt::Display + Copy, one: &str) -> String {
    let plural = if count.into() == 1 { "" } else { "s" };
    format!("{count} {one}{plural}")
}

/// A spreadsheet takes a cell that begins with one of these for a formula; the wide forms too, in some languages.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}'];

/// A text as a cell of CSV; an apostrophe before what begins like a formula makes it text.
#[must_use]
pub fn csv_cell(text: &str) -> String {
    let guard = if text.trim_start().starts_with(FORMULA) { "'" } else { "" };
    let text = format!("{guard}{text}");
    if text.contains(['"', ',', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Whether a character acts on the screen instead of standing on it: controls, bidi marks, zero-width and invisible ones.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_the_screen() {
        assert_eq!(shown("\u{1b}]0;x\u{7}\u{1b}[2J", 99), "\\u{1b}]0;x\\u{7}\\u{1b}[2J");
        assert_eq!(shown("a\u{202e}b\0c\u{9b}1m", 99), "a\\u{202e}b\\u{0}c\\u{9b}1m");
        assert_eq!(shown("<script>\n", 99), "<script>\\n");
        assert_eq!(shown("añ字", 2), "añ...");
        assert_eq!(shown("añ字", 3), "añ字");
    }

    #[test]
    fn json_stays_the_same_json() {
        let value = serde_json::json!({ "a": "x\u{202e}\u{9b}\u{e0001}y\n" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = shown_json(&text);
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn lines_stay_lines() {
        let lines: Vec<String> = shown_lines("a\n\tb\u{7}\n").collect();
        assert_eq!(lines, ["a", "    b\\u{7}"]);
    }
}
