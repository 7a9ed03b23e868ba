//! The rule file of `gauntlet publish`: what was found and is to stay, and words to replace that no pattern knows.

use super::find::{Kind, Known};
use crate::format::{self, Format};
use crate::toml_file::{self, FileError};
use serde::Deserialize;
use toml::Spanned;

/// Rules, as a user wrote them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    keep: Vec<Keep>,
    replace: Vec<Replace>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    format: Spanned<Format>,
    #[serde(default)]
    keep: Vec<Keep>,
    #[serde(default)]
    replace: Vec<Replace>,
}

/// What stays though it was found.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keep {
    /// Only what is of this kind.
    kind: Option<Kind>,
    /// Only this very text.
    value: Option<String>,
    /// Why, for the readers of the published folder.
    reason: Spanned<String>,
}

/// A word that is replaced wherever it stands.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replace {
    word: Spanned<String>,
}

impl Rules {
    /// Reads a rule file.
    ///
    /// # Errors
    /// The first thing wrong with it, with its line and a hint.
    pub fn read(file: &str, text: &str) -> Result<Self, FileError> {
        let raw: RulesFile = toml_file::parse(file, text)?;
        let at = |at: usize, what: &str, hint: &str| {
            Err(FileError::at_offset(file, text, at, what).hint(hint))
        };
        if let Err(error) = format::RULES.check_readable(raw.format.get_ref()) {
            return at(
                raw.format.span().start,
                &error.to_string(),
                "a rule file begins with format = { name = \"gauntlet-rules\", major = 1, minor = 0 }",
            );
        }
        for keep in &raw.keep {
            let place = keep.reason.span().start;
            if keep.kind.is_none() && keep.value.is_none() {
                return at(
                    place,
                    "this rule keeps everything",
                    "name a `kind`, a `value`, or both",
                );
            }
            if keep.reason.get_ref().trim().is_empty() {
                return at(place, "the reason is empty", "say why it may be published");
            }
        }
        if let Some(short) = raw.replace.iter().find(|it| it.word.get_ref().trim().len() < 3) {
            let hint = "a word to replace has at least three characters";
            return at(short.word.span().start, "this word is too short", hint);
        }
        Ok(Self { keep: raw.keep, replace: raw.replace })
    }

    /// Why a found text may stay, if a rule says so.
    #[must_use]
    pub fn keeps(&self, kind: Kind, value: &str) -> Option<&str> {
        let fits = |keep: &&Keep| {
            keep.kind.is_none_or(|it| it == kind)
                && keep.value.as_ref().is_none_or(|it| it == value)
        };
        self.keep.iter().find(fits).map(|keep| keep.reason.get_ref().as_str())
    }

    /// Adds the words to replace to what is known.
    pub fn add_words(&self, known: &mut Known) {
        self.replace.iter().for_each(|it| known.add_word(it.word.get_ref()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "format = { name = \"gauntlet-rules\", major = 1, minor = 0 }\n";

    #[test]
    fn rules_keep_by_kind_value_or_both() {
        let text = format!(
            "{HEAD}[[keep]]\nkind = \"power\"\nreason = \"a data sheet\"\n[[keep]]\nkind = \"ip\"\nvalue = \"10.0.0.1\"\nreason = \"an example\"\n"
        );
        let rules = Rules::read("r", &text).unwrap();
        assert_eq!(rules.keeps(Kind::Power, "45 W"), Some("a data sheet"));
        assert_eq!(rules.keeps(Kind::Ip, "10.0.0.1"), Some("an example"));
        assert_eq!(rules.keeps(Kind::Ip, "10.0.0.2"), None);
        assert_eq!(rules.keeps(Kind::Host, "10.0.0.1"), None);
    }

    #[test]
    fn wrong_rules_are_refused_with_their_line() {
        for (text, word) in [
            ("[[keep]]\nreason = \"x\"\n", "line 3, column 10: this rule keeps everything"),
            ("[[keep]]\nkind = \"ip\"\nreason = \" \"\n", "the reason is empty"),
            ("[[keep]]\nkind = \"ipp\"\nreason = \"x\"\n", "did you mean `ip`?"),
            ("[[keep]]\nkind = \"ip\"\n", "missing field `reason`"),
            ("[[replace]]\nword = \"ab\"\n", "too short"),
        ] {
            let said = Rules::read("r", &format!("{HEAD}{text}")).unwrap_err().to_string();
            assert!(said.contains(word), "{said}");
        }
        assert!(Rules::read("r", &HEAD.replace("rules", "log")).is_err());
    }
}
