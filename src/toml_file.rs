//! What is wrong with a TOML file, said so that a person finds it: file, line, column, and a hint.
//!
//! Lane files (`lane/file.rs`) and season files are parsed through [`parse`]; what their own rules refuse is placed with
//! [`FileError::at`], which finds the line of a field by its path.

use serde::de::DeserializeOwned;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file, as it was named by whoever read it.
    pub file: String,
    /// Line and column from 1, where they are known.
    pub line: Option<(usize, usize)>,
    /// What is wrong, one line.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some((line, column)) = self.line {
            write!(f, ", line {line}, column {column}")?;
        }
        write!(f, ": {}", self.what)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FileError {}

impl FileError {
    /// An error about the field at `path`, or about the last part of the path that the file has.
    #[must_use]
    pub fn at(file: &str, text: &str, path: &[&str], what: impl Into<String>) -> Self {
        let line = offset_of(text, path).map(|offset| position(text, offset));
        Self { file: file.into(), line, what: what.into(), hint: None }
    }

    /// An error about what stands at a byte of the file.
    #[must_use]
    pub fn at_offset(file: &str, text: &str, offset: usize, what: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: Some(position(text, offset)),
            what: what.into(),
            hint: None,
        }
    }

    /// The same error with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Reads a TOML text; `file` is the name to say in an error.
///
/// # Errors
/// The first thing that is wrong, with its place and, for a misspelt field, the nearest known one.
pub fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    toml::from_str(text).map_err(|error| {
        let (what, hint) = explain(&one_line(error.message()));
        // A missing field has the span of its table: the first line of the file then, or the section's.
        let line = error.span().map(|span| position(text, span.start));
        FileError { file: file.into(), line, what, hint }
    })
}

/// The known word nearest to a misspelt one, when it is near enough to be meant.
#[must_use]
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |other: &str| distance(word, other);
    let best = known.into_iter().min_by_key(|other| near(other))?;
    let longer = word.chars().count().max(best.chars().count());
    (near(best) <= longer.div_ceil(3)).then_some(best)
}

/// serde says "unknown field `x`, expected one of `a`, `b`": the words between the ticks are the field and what is known.
/// The list becomes the hint, or the nearest word of it.
fn explain(message: &str) -> (String, Option<String>) {
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let Some((what, _)) = message.split_once(", expected").filter(|_| unknown) else {
        return (message.into(), None);
    };
    let mut words = message.split('`').skip(1).step_by(2);
    let wrong = words.next().unwrap_or("");
    let known: Vec<&str> = words.collect();
    let hint = match closest(wrong, known.iter().copied()) {
        Some(right) => format!("did you mean `{right}`?"),
        None => format!("known here: {}", known.join(", ")),
    };
    (what.into(), Some(hint))
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut left = None;
    for (row, letter) in one.chars().enumerate() {
        let mut line = vec![row + 1];
        for (column, &there) in other.iter().enumerate() {
            let same = usize::from(letter != there);
            let mut cost = (last[column] + same).min(last[column + 1] + 1).min(line[column] + 1);
            let swapped = column > 0 && left == Some(there) && other[column - 1] == letter;
            if swapped && let Some(before) = before_last.get(column - 1) {
                cost = cost.min(before + 1);
            }
            line.push(cost);
        }
        left = Some(letter);
        before_last = std::mem::replace(&mut last, line);
    }
    last.last().copied().unwrap_or(0)
}

/// Line and column, from 1, of a byte.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    (line, column)
}

/// Where the key of a path begins, or the last part of it that the text has.
fn offset_of(text: &str, path: &[&str]) -> Option<usize> {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let table = DeTable::parse(&text[bom..]).ok()?;
    let mut inside = Some(table.get_ref());
    let mut found = None;
    for part in path {
        let Some((key, value)) = inside.and_then(|table| entry(table, part)) else { break };
        found = Some(key.span().start + bom);
        inside = match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        };
    }
    found
}

/// A key with its value.
fn entry<'a>(
    table: &'a DeTable<'_>,
    name: &str,
) -> Option<(&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>)> {
    table.iter().find(|(key, _)| key.get_ref() == name)
}

/// A message as one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only parsed")]
    struct Rig {
        memory_gb: u32,
        #[serde(default)]
        limits: Option<Limits>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only parsed")]
    struct Limits {
        stall_ms: u64,
    }

    fn said(text: &str) -> String {
        parse::<Rig>("rig.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_file_line_column_and_the_nearest_field() {
        insta::assert_snapshot!(
            [
                "memory_bg = 8\n",
                "memory_gb = 8\n\n[limits]\nstal_ms = 3\n",
                "memory_gb = \"8\"\n",
                "memory_gb = -8\n",
                "",
                "memory_gb = = 8\n",
                "memory_gb = 8\nfruit = 1\n",
                "memory_gb = 8\nmemory_gb = 9\n",
            ]
            .map(said)
            .join("\n")
        );
    }

    #[test]
    fn a_path_is_found() {
        let text = "memory_gb = 8\n[limits]\n  stall_ms = 3\n";
        let at = |path: &[&str]| FileError::at("f", text, path, "x").line;
        assert_eq!(at(&["limits", "stall_ms"]), Some((3, 3)));
        assert_eq!(at(&["limits", "total_ms"]), Some((2, 2)));
        assert_eq!(at(&["nothing"]), None);
    }

    #[test]
    fn only_near_words_are_meant() {
        let known = ["name", "kind", "memory_gb", "base_url", "model"];
        assert_eq!(closest("memory_bg", known), Some("memory_gb"));
        assert_eq!(closest("mdoel", known), Some("model"));
        assert_eq!(closest("url", known), None);
        assert_eq!(closest("temperature", known), None);
        assert_eq!(closest("x", []), None);
    }
}
