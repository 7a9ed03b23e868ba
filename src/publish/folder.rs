//! A whole folder made fit for the public: every file of a race replaced, copied or held back.

use super::copy::{Redactor, Rewritten, rewrite};
use super::find::Kind;
use super::redact::{self, HeldBack, Kept, Original, Redactions, Table};
use super::scan::{Finder, Scan};
use crate::course::CourseError;
use crate::race::RaceResult;
use crate::race::measure::Source;
use crate::sign;
use crate::store::{PublicFolder, RaceFiles, StoreError};
use crate::toml_file::FileError;
use serde_json::Value;
use std::collections::BTreeMap;

/// The files that belong together: a placeholder in one of them changes others.
const RACE: &[&str] =
    &["io.jsonl", "log.jsonl", "result.json", "season.toml", "lane.toml", "system-prompt.txt"];

/// What is written anew at the end, or says nothing of a published copy.
const LEFT_OUT: &[&str] = &["verify.txt", "README.md", redact::FILE];

/// Why a race cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Season or lane cannot be read with its placeholders.
    #[error("with placeholders it cannot be read: {0}")]
    File(#[from] FileError),
    /// The tasks cannot be drawn.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// The io cannot be written again.
    #[error("{0}")]
    Rewrite(String),
    /// What was found cannot be replaced.
    #[error("{0}")]
    Stands(String),
}

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// What redactions.json says.
    pub redactions: Redactions,
    /// The result, when the race was written again.
    pub result: Option<RaceResult>,
}

/// Writes every file of a race but those that only come with verifying it.
///
/// # Errors
/// When a file cannot be read or written, or what was found cannot be replaced.
pub fn write(
    files: &RaceFiles,
    race: &str,
    finder: &Finder,
    scan: &Scan,
    table: &mut Table,
    folder: &PublicFolder,
) -> Result<Written, PublishError> {
    refuse_in_name(race, finder)?;
    let mut redactor = Redactor { finder, table };
    let replaced = |name: &str| scan.findings.iter().any(|it| it.file == name && it.keep.is_none());
    let changed = scan.more > 0 || RACE.iter().any(|name| replaced(name));
    let mut held_back: Vec<HeldBack> = Vec::new();
    let mut digests = Vec::new();
    for (name, plain) in files.entries()? {
        let safe = redactor.text("", &name).unwrap_or_else(|| name.clone());
        let mut hold =
            |why: &str| held_back.push(HeldBack { name: safe.clone(), why: why.to_owned() });
        if plain {
            digests.push((safe.clone(), files.sha256(&name)?));
        }
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let unreadable = scan.unreadable.iter().find(|(file, _)| *file == name);
        if let Some((_, why)) = unreadable {
            hold(why);
        } else if safe != name {
            hold("its name cannot be published");
        } else if name == sign::FILE {
            hold("it signs the original files; sign this folder anew");
        } else if RACE.contains(&name.as_str()) {
            if !changed {
                folder.copy(&files.file(&name), &name)?;
            }
        } else {
            write_other(files, &name, &mut redactor, folder)?;
        }
    }
    let result = if changed { Some(write_race(files, &mut redactor, folder)?) } else { None };
    let copy = RaceFiles::new(folder.path());
    let mut originals: Vec<Original> = Vec::new();
    for (name, sha256) in digests {
        let as_it_was = copy.has(&name) && copy.sha256(&name)? == sha256;
        originals.push(redactor.table.original(&name, sha256, as_it_was));
    }
    let redactions = Redactions {
        format: crate::format::REDACTIONS.written(),
        race: race.to_owned(),
        originals,
        redactions: redactor.table.redactions(),
        kept: kept(scan),
        held_back,
    };
    Ok(Written { redactions, result })
}

/// Whether a race is not whole without that file.
#[must_use]
pub fn is_of_the_race(name: &str) -> bool {
    RACE.contains(&name)
}

/// A race's id holds the names of season and lane, which other races and tables are told apart by: no placeholder can stand there.
fn refuse_in_name(race: &str, finder: &Finder) -> Result<(), PublishError> {
    match finder.judge("", race).into_iter().find(|it| it.keep.is_none()) {
        None => Ok(()),
        Some(it) => Err(PublishError::Stands(format!(
            "the race's own id holds what should not be published ({}: {}); keep it by a rule, or race under another lane name",
            it.hit.kind.word(),
            crate::text::shown(&race[it.hit.range], 60)
        ))),
    }
}

fn write_race(
    files: &RaceFiles,
    redactor: &mut Redactor<'_>,
    folder: &PublicFolder,
) -> Result<RaceResult, PublishError> {
    let mut text_of = |name: &str| -> Result<String, PublishError> {
        let text = files.text(name)?;
        Ok(redactor.toml(&text).unwrap_or(text))
    };
    let (season, lane) = (text_of("season.toml")?, text_of("lane.toml")?);
    let Rewritten { result, system_prompt } = rewrite(files, folder, redactor, &season, &lane)?;
    folder.write("season.toml", &season)?;
    folder.write("lane.toml", &lane)?;
    if files.has("system-prompt.txt") {
        folder.write("system-prompt.txt", &system_prompt)?;
    }
    if files.has("result.json") {
        same_result(&files.text("result.json")?, &result, redactor)?;
        folder.write("result.json", &result.to_json())?;
    }
    Ok(result)
}

/// Placeholders may change words and digests of a result, and nothing that counts.
fn same_result(
    original: &str,
    result: &RaceResult,
    redactor: &mut Redactor<'_>,
) -> Result<(), PublishError> {
    let unreadable =
        |error: serde_json::Error| PublishError::Rewrite(format!("result.json: {error}"));
    let mut due: Value = serde_json::from_str(original).map_err(unreadable)?;
    let mut found = serde_json::to_value(result).map_err(unreadable)?;
    redactor.value("", &mut due);
    for value in [&mut due, &mut found] {
        let Some(fields) = value.as_object_mut() else { continue };
        for name in ["season_sha256", "lane_sha256", "log_sha256", "io_sha256", "notes"] {
            fields.remove(name);
        }
        leave_estimates_out(value);
    }
    match crate::verify::compare::first_difference(&due, &found, "") {
        None => Ok(()),
        Some(what) => Err(PublishError::Stands(format!(
            "with its placeholders the race would have another result ({what}); what the lane answered was found to be private: keep it by a rule"
        ))),
    }
}

/// Takes figures out that are estimated by the words or pieces of a reply: a placeholder is of another length than what it
/// stands for. They are shown and count for nothing; what the server counted stays and is compared.
fn leave_estimates_out(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let estimated = [Source::TextShare, Source::Pieces]
                .into_iter()
                .any(|source| serde_json::to_value(source).ok().as_ref() == fields.get("source"));
            if estimated {
                fields.clear();
            }
            fields.values_mut().for_each(leave_estimates_out);
        }
        Value::Array(values) => values.iter_mut().for_each(leave_estimates_out),
        _ => {}
    }
}

/// A file that no other depends on.
fn write_other(
    files: &RaceFiles,
    name: &str,
    redactor: &mut Redactor<'_>,
    folder: &PublicFolder,
) -> Result<(), PublishError> {
    if name.ends_with(".jsonl") {
        let mut lines = files.lines(name)?;
        let mut file = folder.begin(name)?;
        while let Some(line) = lines.next_line()? {
            let text = json_text(&line.text, redactor, false);
            file.write(&text.unwrap_or(line.text))?;
            file.write(if line.whole { "\n" } else { "" })?;
        }
        return Ok(file.close()?);
    }
    let text = files.text(name)?;
    let redacted = match name.rsplit('.').next() {
        Some("json") => json_text(&text, redactor, true),
        Some("toml") => redactor.toml(&text),
        _ => redactor.text(super::scan::field_of(name), &text),
    };
    match redacted {
        Some(text) => folder.write(name, &text)?,
        None => folder.copy(&files.file(name), name)?,
    }
    Ok(())
}

fn json_text(text: &str, redactor: &mut Redactor<'_>, pretty: bool) -> Option<String> {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else { return redactor.text("", text) };
    let write = if pretty { serde_json::to_string_pretty } else { serde_json::to_string };
    redactor.value("", &mut value).then(|| write(&value).unwrap_or_default())
}

fn kept(scan: &Scan) -> Vec<Kept> {
    let mut kept: BTreeMap<(Kind, &str), u64> = BTreeMap::new();
    for finding in &scan.findings {
        if let Some(reason) = &finding.keep {
            *kept.entry((finding.kind, reason)).or_default() += 1;
        }
    }
    let one = |((kind, reason), places): ((Kind, &str), u64)| Kept {
        kind,
        reason: reason.to_owned(),
        places,
    };
    kept.into_iter().map(one).collect()
}
