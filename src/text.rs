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
    fn lines_stay_lines() {
        let lines: Vec<String> = shown_lines("a\n\tb\u{7}\n").collect();
        assert_eq!(lines, ["a", "    b\\u{7}"]);
    }
}
