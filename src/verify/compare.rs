//! What a folder says against what its io gives: code verdicts, log, result, system prompt; the first difference of each in words.

use super::{Difference, Report, differs, unread};
use crate::format;
use crate::judge::job::Judgement;
use crate::race::RaceResult;
use crate::store::{Lines, RaceFiles};
use crate::text::shown;
use serde_json::Value;

/// Engine and image of another machine may differ; verdicts, values and fuel may not.
pub(super) fn compare_judgements(found: &Judgement, again: &Judgement) -> Result<(), String> {
    if found.runs.len() != again.runs.len() {
        return Err(format!(
            "has {} code verdicts where {} are due",
            found.runs.len(),
            again.runs.len()
        ));
    }
    let same_image = found.image_sha256 == again.image_sha256;
    if found.engine == again.engine && !same_image {
        let (found, again) = (shown(&found.image_sha256, 64), &again.image_sha256);
        return Err(format!(
            "the same engine is said to have judged with image {found}, and its image is {again}"
        ));
    }
    for (number, (found, again)) in (1..).zip(found.runs.iter().zip(&again.runs)) {
        if (found.verdict, &found.value, &found.error)
            != (again.verdict, &again.value, &again.error)
        {
            return Err(format!(
                "input {number}: the code was said to give {}, and gives {}",
                brief(found),
                brief(again)
            ));
        }
        if same_image && found.fuel != again.fuel {
            return Err(format!(
                "input {number}: the code was said to use {} fuel, and uses {}",
                found.fuel, again.fuel
            ));
        }
    }
    Ok(())
}

fn brief(run: &crate::judge::job::Run) -> String {
    let text = serde_json::to_string(run).unwrap_or_default();
    shown(&text, 160)
}

/// log.jsonl, compared line by line with the events that the referee gives.
pub(super) struct LogCompare {
    lines: Lines,
    /// The first difference was said; later ones follow from it.
    differed: bool,
    ended: Option<u64>,
    missing: u64,
}

impl LogCompare {
    pub(super) fn open(files: &RaceFiles) -> Result<Self, Difference> {
        let lines = files.lines("log.jsonl").map_err(|error| unread("log.jsonl", &error))?;
        Ok(Self { lines, differed: false, ended: None, missing: 0 })
    }

    pub(super) fn compare(&mut self, due: &str, report: &mut Report) {
        if self.ended.is_some() {
            self.missing += 1;
            return;
        }
        match self.lines.next_line() {
            Ok(Some(line)) if line.whole && line.text == due.trim_end() => {}
            Ok(Some(line)) if !line.whole => {
                self.ended = Some(line.number);
                self.missing += 1;
                report.notes.push(format!("log.jsonl, line {}, is torn", line.number));
            }
            Ok(Some(line)) => {
                if !self.differed {
                    report.differences.push(differs(
                        "log.jsonl",
                        Some(line.number),
                        &log_difference(due, &line.text),
                    ));
                }
                self.differed = true;
            }
            Ok(None) => {
                self.ended = Some(0);
                self.missing += 1;
            }
            Err(error) => {
                report.differences.push(unread("log.jsonl", &error));
                self.ended = Some(0);
                self.differed = true;
            }
        }
    }

    /// The rest of the file must be empty; gives its SHA-256.
    pub(super) fn close(mut self, over: bool, report: &mut Report) -> Result<String, Difference> {
        let mut extra = None;
        while let Some(line) =
            self.lines.next_line().map_err(|error| unread("log.jsonl", &error))?
        {
            extra.get_or_insert(line.number);
        }
        if let Some(line) = extra.filter(|_| !self.differed) {
            report.differences.push(differs(
                "log.jsonl",
                Some(line),
                "more events than the io gives",
            ));
        }
        if self.missing > 0 && !self.differed {
            let what = format!("{} events that the io gives are missing at its end", self.missing);
            if over {
                report.differences.push(differs("log.jsonl", None, &what));
            } else {
                report.notes.push(format!("log.jsonl: {what}; the race was not over"));
            }
        }
        Ok(self.lines.sha256())
    }
}

fn log_difference(due: &str, found: &str) -> String {
    match (serde_json::from_str::<Value>(due), serde_json::from_str::<Value>(found)) {
        (Ok(due), Ok(found)) => first_difference(&due, &found, "")
            .unwrap_or_else(|| String::from("the same event in other bytes")),
        (_, Err(error)) => format!("cannot be read: {error}"),
        (Err(_), Ok(_)) => String::from("differs"),
    }
}

/// Compares result.json with what it must be; `over` says whether the race came to its end, so that there must be one.
pub(crate) fn compare_result(files: &RaceFiles, due: &RaceResult, over: bool, report: &mut Report) {
    if !files.has("result.json") {
        if over {
            report.differences.push(differs("result.json", None, "is missing"));
        } else {
            report.notes.push(String::from("no result.json: the race did not come to its end"));
        }
        return;
    }
    let text = match files.text("result.json") {
        Ok(text) => text,
        Err(error) => return report.differences.push(unread("result.json", &error)),
    };
    let due_text = due.to_json();
    if text == due_text {
        return;
    }
    let line = (1..)
        .zip(text.lines().zip(due_text.lines()))
        .find(|(_, (a, b))| a != b)
        .map(|(line, _)| line);
    let what = match serde_json::from_str::<Value>(&text) {
        Ok(found) if newer(&found).is_some() => newer(&found),
        Ok(found) => serde_json::from_str(&due_text)
            .ok()
            .and_then(|due: Value| first_difference(&due, &found, "")),
        Err(error) => Some(format!("cannot be read: {error}")),
    };
    let what = what.unwrap_or_else(|| String::from("the same result in other bytes"));
    report.differences.push(differs("result.json", line, &what));
}

/// Why a result cannot be compared, when its format is not one that this version reads.
fn newer(found: &Value) -> Option<String> {
    let format = serde_json::from_value(found.get("format")?.clone()).ok()?;
    format::RESULT.check_readable(&format).err().map(|error| error.to_string())
}

pub(super) fn compare_system_prompt(files: &RaceFiles, due: &str, report: &mut Report) {
    if files.has("system-prompt.txt")
        && files.text("system-prompt.txt").ok().as_deref() != Some(due)
    {
        report.differences.push(differs(
            "system-prompt.txt",
            None,
            "is not the system prompt that was sent",
        ));
    }
}

/// The first place where two values differ, in words; nothing when they are equal.
pub(crate) fn first_difference(due: &Value, found: &Value, place: &str) -> Option<String> {
    let below =
        |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match (due, found) {
        (Value::Object(a), Value::Object(b)) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            names
                .filter(|name| name.as_str() != "prev" || !place.is_empty())
                .chain(a.keys().filter(|name| name.as_str() == "prev" && place.is_empty()))
                .find_map(|name| {
                    first_difference(
                        a.get(name).unwrap_or(&Value::Null),
                        b.get(name).unwrap_or(&Value::Null),
                        &below(name),
                    )
                })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            (0..a.len()).find_map(|index| {
                first_difference(&a[index], &b[index], &below(&(index + 1).to_string()))
            })
        }
        (a, b) if a == b => None,
        (a, b) => {
            let place = if place.is_empty() { "the value" } else { place };
            Some(format!(
                "{} is {}, and must be {}",
                shown(place, 80),
                shown(&b.to_string(), 100),
                shown(&a.to_string(), 100)
            ))
        }
    }
}
