//! Reads answers from what a lane wrote: the lines of a puzzle answer, the code of a code answer. Called by `shooting.rs`.
//!
//! Tolerant to notation, never to content. The grammar, for whoever reads a results sheet:
//!
//! - **Lines.** `TARGET n: value` or `TARGET n = value`, any case, anywhere in a line of the visible answer; the value runs to
//!   the end of the line or to the next `TARGET n:`. Markdown marks, bullets, quotes, code ticks, LaTeX boxes and full-width
//!   characters are taken off first. Of several lines for a target the last one that the family's grammar can read counts;
//!   if it can read none of them, the target is `unreadable`.
//! - **Code.** The last fenced block that defines the function; else a fence that was opened and never closed; else the text
//!   from its first line of code on, if it defines the function at all.
//! - **Cut replies.** When a reply was cut, its last line and an unclosed fence are not read: they may be half.

use crate::text::is_hidden;

/// Longest code that is judged, in bytes.
const CODE_BYTES_MAX: usize = 256 * 1024;

/// Longest line of which declarations are read, in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// One `TARGET n: value` as it stands in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The target, 0 to 4.
    pub target: usize,
    /// The value in plain notation.
    pub value: String,
    /// The rule that read it.
    pub rule: &'static str,
}

/// All declarations of an answer, in their order.
///
/// `whole` says that the answer came to its end; otherwise a last line without a line end is left out.
#[must_use]
pub fn declarations(answer: &str, whole: bool) -> Vec<Declaration> {
    let mut found = Vec::new();
    for line in answer.split_inclusive('\n') {
        let cut = !whole && !line.ends_with('\n');
        if !cut && line.len() <= LINE_BYTES_MAX {
            declarations_of_line(line.trim_end_matches(['\n', '\r']), &mut found);
        }
    }
    found
}

/// The code of an answer that defines `function`, and the rule that found it.
#[must_use]
pub fn code(answer: &str, function: &str, whole: bool) -> Option<(String, &'static str)> {
    let blocks = fenced_blocks(answer);
    let defining = |text: &str| defines(text, function) && text.len() <= CODE_BYTES_MAX;
    if let Some(block) = blocks.iter().rev().find(|it| it.closed && defining(&it.text)) {
        return Some((block.text.clone(), "fenced"));
    }
    if !whole {
        return None;
    }
    if let Some(block) = blocks.iter().rev().find(|it| !it.closed && defining(&it.text)) {
        return Some((block.text.clone(), "unclosed fence"));
    }
    let bare = bare_code(answer);
    defining(&bare).then_some((bare, "bare"))
}

/// Whether a text ends inside a fenced block.
pub(super) fn in_fence(text: &str) -> bool {
    fenced_blocks(text).last().is_some_and(|block| !block.closed)
}

fn declarations_of_line(line: &str, found: &mut Vec<Declaration>) {
    let (plain, folded) = fold_characters(line);
    let mut rest = plain.as_str();
    let mut open: Option<usize> = None;
    let mut push = |target: Option<usize>, raw: &str| {
        if let Some(target) = target {
            let (value, bared) = bare_value(raw);
            let rule = match (folded, bared) {
                (true, _) => "line, folded characters",
                (false, true) => "line, marks taken off",
                (false, false) => "line",
            };
            found.push(Declaration { target, value, rule });
        }
    };
    while let Some((before, target, after)) = next_declaration(rest) {
        push(open, before);
        open = Some(target);
        rest = after;
    }
    push(open, rest);
}

/// Finds the next `TARGET n:` and gives the text before it, the target and the text after it.
fn next_declaration(text: &str) -> Option<(&str, usize, &str)> {
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find("target") {
        let start = from + at;
        let after_word = start + "target".len();
        let standing_alone = !lower[..start].ends_with(|c: char| c.is_ascii_alphanumeric());
        if let Some((target, end)) =
            number_and_colon(&text[after_word..]).filter(|_| standing_alone)
        {
            return Some((&text[..start], target, &text[after_word + end..]));
        }
        from = after_word;
    }
    None
}

/// Reads ` 3**: ` after the word: the target and where its value begins. Marks may stand between.
fn number_and_colon(text: &str) -> Option<(usize, usize)> {
    let marks =
        |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '#' | '[' | ']' | '<' | '>');
    let digit_at = text.find(|c: char| !marks(c))?;
    let digit = text[digit_at..].chars().next()?.to_digit(10)?;
    let target = usize::try_from(digit).ok()?.checked_sub(1).filter(|target| *target < 5)?;
    let after = &text[digit_at + 1..];
    let colon_at = after.find(|c: char| !marks(c))?;
    let colon = after[colon_at..].chars().next().filter(|c| matches!(c, ':' | '='))?;
    Some((target, digit_at + 1 + colon_at + colon.len_utf8()))
}

/// Full-width and other typographic characters to the plain ones they stand for, hidden ones to nothing; says whether any
/// was there.
fn fold_characters(line: &str) -> (String, bool) {
    let plain: String = line.chars().filter(|c| !is_hidden(*c)).map(fold_character).collect();
    let folded = plain != line;
    (plain, folded)
}

fn fold_character(c: char) -> char {
    match c {
        // The full-width forms stand at a fixed distance from ASCII.
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' => '-',
        '\u{2190}' => '<',
        '\u{2191}' => '^',
        '\u{2192}' | '\u{21D2}' | '\u{27A1}' | '\u{27F6}' => '>',
        '\u{2193}' => 'v',
        '\u{00A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' => ' ',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        '\u{FE55}' => ':',
        _ => c,
    }
}

/// Takes marks, boxes, quotes and a closing full stop off a value; says whether there were any.
fn bare_value(raw: &str) -> (String, bool) {
    let spaced = raw.trim();
    let mut value = spaced;
    loop {
        let before = value;
        value =
            value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '$'));
        value = value.trim_end_matches([',', ';', '.']).trim_end();
        for (open, close) in [("\"", "\""), ("'", "'"), ("(", ")"), ("[", "]"), ("\\(", "\\)")] {
            if let Some(inner) = value.strip_prefix(open).and_then(|it| it.strip_suffix(close)) {
                value = inner;
            }
        }
        for wrapper in ["\\boxed{", "\\text{", "\\mathrm{", "\\texttt{", "\\mathbf{"] {
            if let Some(inner) = value.strip_prefix(wrapper).and_then(|it| it.strip_suffix('}')) {
                value = inner;
            }
        }
        // A box around the whole declaration leaves its closing brace here.
        if value.ends_with('}') && !value.contains('{') {
            value = value.trim_end_matches('}');
        }
        if value == before {
            break;
        }
    }
    (value.to_owned(), value != spaced)
}

struct Block {
    text: String,
    closed: bool,
}

/// The fenced blocks of a Markdown text: a line of three or more backticks or tildes opens one, a line of at least as many
/// of the same closes it.
fn fenced_blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(char, usize, usize, String)> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let bare = line.trim();
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
        let count = mark.map_or(0, |mark| bare.chars().take_while(|c| *c == mark).count());
        match &mut open {
            None => {
                if let Some(mark) = mark.filter(|mark| count >= 3 && !bare[count..].contains(*mark))
                {
                    open = Some((mark, count, indent, String::new()));
                }
            }
            Some((mark_open, count_open, _, _))
                if mark == Some(*mark_open) && count >= *count_open && bare.len() == count =>
            {
                if let Some((_, _, _, text)) = open.take() {
                    blocks.push(Block { text, closed: true });
                }
            }
            // A fence inside a list item is indented, and so is its code.
            Some((_, _, indent_open, text)) => {
                let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
                text.push_str(line.get(spaces.min(*indent_open)..).unwrap_or(line));
            }
        }
    }
    if let Some((_, _, _, text)) = open {
        blocks.push(Block { text, closed: false });
    }
    blocks
}

/// Whether a text has a line `def function(`, at any indentation.
fn defines(text: &str, function: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        line.strip_prefix("async ")
            .unwrap_or(line)
            .strip_prefix("def ")
            .and_then(|rest| rest.trim_start().strip_prefix(function))
            .is_some_and(|rest| rest.trim_start().starts_with('('))
    })
}

/// The text from its first line of code at the left margin to the last one before prose goes on, without stray fences.
fn bare_code(text: &str) -> String {
    let mut defined = false;
    text.lines()
        .skip_while(|line| !begins_code(line))
        .filter(|line| !line.trim_start().starts_with("```"))
        .take_while(|line| {
            defined |= line.starts_with("def ");
            !defined || continues_code(line)
        })
        .fold(String::new(), |code, line| code + line + "\n")
}

/// Whether a line at the left margin can begin a program: a definition, an import, an assignment to a name.
fn begins_code(line: &str) -> bool {
    const STARTS: [&str; 5] = ["def ", "import ", "from ", "class ", "@"];
    let name = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let assigns = name.len() < line.len() && name.starts_with(" = ");
    assigns || STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a line can stand in a program after its function: indented, empty, or code at the left margin.
fn continues_code(line: &str) -> bool {
    const MORE: [&str; 9] =
        ["if ", "for ", "while ", "else", "elif ", "try:", "except", "print(", "#"];
    let inside = line.starts_with([' ', '\t', ')', ']', '}', '"', '\'']);
    line.trim().is_empty()
        || inside
        || begins_code(line)
        || MORE.iter().any(|it| line.starts_with(it))
}

#[cfg(test)]
#[path = "extraction_tests.rs"]
mod tests;
