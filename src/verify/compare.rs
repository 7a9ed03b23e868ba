//! What a folder says against what its io gives: code verdicts, log, result, system prompt; the first difference of each in words.

use super::rerun::NAMED_MAX;
use super::{Difference, Report, differs, unread};
use crate::format;
use crate::judge::job::Judgement;
use crate::race::RaceResult;
use crate::store::{Line, Lines, RaceFiles};
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
    /// Lines that differ by more than by the chain that a difference before them changed.
    differing: usize,
    /// The first difference was said; what only follows from it is not said again.
    differed: bool,
    ended: bool,
    missing: u64,
}

impl LogCompare {
    pub(super) fn open(files: &RaceFiles) -> Result<Self, Difference> {
        let lines = files.lines("log.jsonl").map_err(|error| unread("log.jsonl", &error))?;
        Ok(Self { lines, differing: 0, differed: false, ended: false, missing: 0 })
    }

    pub(super) fn compare(&mut self, due: &str, report: &mut Report) {
        if self.ended {
            self.missing += 1;
            return;
        }
        match self.lines.next_line() {
            Ok(Some(line)) if line.whole && line.text == due.trim_end() => {}
            Ok(Some(line)) if !line.whole => {
                self.ended = true;
                self.missing += 1;
                report.notes.push(format!("log.jsonl, line {}, is torn", line.number));
            }
            Ok(Some(line)) => self.line(due, &line, report),
            Ok(None) => {
                self.ended = true;
                self.missing += 1;
            }
            Err(error) => {
                report.differences.push(unread("log.jsonl", &error));
                self.ended = true;
                self.differed = true;
            }
        }
    }

    fn line(&mut self, due: &str, line: &Line, report: &mut Report) {
        let Some(what) = log_difference(due, &line.text, self.differed) else { return };
        self.differed = true;
        self.differing += 1;
        if self.differing <= NAMED_MAX {
            report.differences.push(differs("log.jsonl", Some(line.number), &what));
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
        if self.differing > NAMED_MAX {
            let what = format!("differs in {} more lines", self.differing - NAMED_MAX);
            report.differences.push(differs("log.jsonl", None, &what));
        }
        if let Some(line) = extra.filter(|_| !self.ended) {
            report.differences.push(differs(
                "log.jsonl",
                Some(line),
                "more events than the io gives",
            ));
        }
        if self.missing > 0 {
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

/// What differs between two lines; after a difference the chain is of no account, since it follows from it.
fn log_difference(due: &str, found: &str, differed: bool) -> Option<String> {
    match (serde_json::from_str::<Value>(due), serde_json::from_str::<Value>(found)) {
        (Ok(mut due), Ok(mut found)) => {
            if differed {
                for line in [&mut due, &mut found] {
                    line.as_object_mut().and_then(|line| line.remove("prev"));
                }
            }
            let same = || (!differed).then(|| String::from("the same event in other bytes"));
            first_difference(&due, &found, "").or_else(same)
        }
        (_, Err(error)) => Some(format!("cannot be read: {error}")),
        (Err(_), Ok(_)) => Some(String::from("differs")),
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

/// Compares the system prompt that stands in the folder with the one that was sent. A race that came to its end has one.
pub(super) fn compare_system_prompt(files: &RaceFiles, due: &str, over: bool, report: &mut Report) {
    const FILE: &str = "system-prompt.txt";
    if !files.has(FILE) {
        if over {
            report.differences.push(differs(FILE, None, "is missing"));
        }
        return;
    }
    match files.text(FILE) {
        Ok(text) if text == due => {}
        Ok(_) => {
            let what = "is not the system prompt that was sent";
            report.differences.push(differs(FILE, None, what));
        }
        Err(error) => report.differences.push(unread(FILE, &error)),
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
