//! Looks through the files of a race folder for what should not be published, each as what it is: JSON by its decoded strings,
//! the pieces of a streamed reply as one text, anything else line by line.

use super::find::{self, Hit, Kind, Known, kind_of_field};
use super::rules::Rules;
use crate::store::{Line, RaceFiles, StoreError};
use serde_json::Value;

/// Most findings that are kept one by one; beyond, they are counted.
const FINDINGS_MAX: usize = 20_000;

/// The field of a text that is a whole table.
pub(super) const TABLE: &str = "*table*";

/// What decides whether a text may be published.
#[derive(Debug, Default)]
pub struct Finder {
    known: Known,
    rules: Rules,
    /// The prompts of the season's tasks, which everybody has.
    tasks: String,
}

/// A hit, and why it stays, if it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Where and what.
    pub hit: Hit,
    /// The reason of the rule that keeps it.
    pub keep: Option<String>,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// In which file.
    pub file: String,
    /// In which line, from 1.
    pub line: u64,
    /// What it is.
    pub kind: Kind,
    /// The text itself.
    pub value: String,
    /// The reason of the rule that keeps it.
    pub keep: Option<String>,
}

/// What a look through a folder found.
#[derive(Debug, Default)]
pub struct Scan {
    /// The findings, file by file.
    pub findings: Vec<Finding>,
    /// How many more there were.
    pub more: u64,
    /// Files that cannot be looked through, and why.
    pub unreadable: Vec<(String, String)>,
}

/// A text on its way to the finder.
struct Text<'a> {
    field: &'a str,
    text: &'a str,
    line_at: &'a dyn Fn(usize) -> u64,
}

type Take<'t> = dyn FnMut(&Text<'_>) + 't;

impl Finder {
    /// A finder that has learnt what a folder's own files give away: first by pattern, then every value found, everywhere.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn learn(
        files: &RaceFiles,
        rules: Rules,
        mut known: Known,
        tasks: String,
    ) -> Result<Self, StoreError> {
        rules.add_words(&mut known);
        let mut learnt = known.clone();
        for (name, plain) in files.entries()? {
            if plain {
                // A file that cannot be looked through is held back by the scan.
                visit(files, &name, &mut |text: &Text<'_>| {
                    for hit in hits_of(text.field, text.text, &known) {
                        find::learn(text.text, &hit, &mut learnt);
                    }
                })
                .ok();
            }
        }
        learnt.remove_words_of(&tasks);
        Ok(Self { known: learnt, rules, tasks })
    }

    /// Everything in a field's text that should not be published.
    #[must_use]
    pub fn judge(&self, field: &str, text: &str) -> Vec<Judged> {
        let mut judged = Vec::new();
        for hit in hits_of(field, text, &self.known) {
            let value = &text[hit.range.clone()];
            if !self.is_of_the_tasks(hit.kind, value) {
                let keep = self.rules.keeps(hit.kind, value).map(str::to_owned);
                judged.push(Judged { hit, keep });
            }
        }
        judged
    }

    /// Numbers and words of the tasks are everybody's; a key is a key wherever it stands.
    fn is_of_the_tasks(&self, kind: Kind, value: &str) -> bool {
        let may_be = matches!(
            kind,
            Kind::User | Kind::Host | Kind::Power | Kind::Serial | Kind::Ip | Kind::Mac
        );
        may_be && self.tasks.contains(value)
    }

    /// Looks through a folder.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn scan(&self, files: &RaceFiles) -> Result<Scan, StoreError> {
        let mut scan = Scan::default();
        for (name, plain) in files.entries()? {
            let mut found = self.findings(&name, 0, "", &name);
            let seen = if plain {
                visit(files, &name, &mut |text: &Text<'_>| {
                    for it in self.findings(&name, 0, text.field, text.text) {
                        scan_one(&mut found, &mut scan.more, it, text);
                    }
                })
            } else {
                Err(String::from("not a plain file"))
            };
            if let Err(why) = seen {
                scan.unreadable.push((name, why));
            }
            let room = FINDINGS_MAX.saturating_sub(scan.findings.len());
            scan.more += found.len().saturating_sub(room) as u64;
            scan.findings.extend(found.into_iter().take(room).map(|(_, finding)| finding));
        }
        Ok(scan)
    }

    /// The findings of a text, with their places in it.
    fn findings(&self, file: &str, line: u64, field: &str, text: &str) -> Vec<(usize, Finding)> {
        let finding = |Judged { hit, keep }: Judged| {
            let value = text[hit.range.clone()].to_owned();
            (hit.range.start, Finding { file: file.to_owned(), line, kind: hit.kind, value, keep })
        };
        self.judge(field, text).into_iter().map(finding).collect()
    }
}

fn scan_one(
    found: &mut Vec<(usize, Finding)>,
    more: &mut u64,
    (at, mut it): (usize, Finding),
    text: &Text<'_>,
) {
    if found.len() == FINDINGS_MAX {
        *more += 1;
        return;
    }
    it.line = (text.line_at)(at);
    found.push((at, it));
}

/// What stands in a field's text; where the field's name says so, the whole of it.
fn hits_of(field: &str, text: &str, known: &Known) -> Vec<Hit> {
    if field == TABLE {
        return find::find_in_table(text, known);
    }
    if let Some(kind) = kind_of_field(field, text) {
        return vec![Hit { range: 0..text.len(), kind }];
    }
    find::find(text, known)
}

/// Gives every text of a file to `take`; the error is why it cannot be looked through.
fn visit(files: &RaceFiles, name: &str, take: &mut Take<'_>) -> Result<(), String> {
    if name.ends_with(".jsonl") {
        return visit_lines(files, name, take);
    }
    let text = files.text(name).map_err(|error| match error {
        StoreError::Content { what, .. } => what,
        StoreError::Os { error, .. } => error.to_string(),
    })?;
    let json =
        if name.ends_with(".json") { serde_json::from_str::<Value>(&text).ok() } else { None };
    let lines = LineStarts::new(&text);
    match json {
        Some(value) => each_text(&value, "", &mut |field, part| {
            let line_at = |_: usize| text.find(part).map_or(1, |at| lines.of(at));
            take(&Text { field, text: part, line_at: &line_at });
        }),
        None => take(&Text { field: field_of(name), text: &text, line_at: &|at| lines.of(at) }),
    }
    Ok(())
}

/// The field that a whole file stands for.
pub(super) fn field_of(file: &str) -> &'static str {
    let end = file.rsplit('.').next().unwrap_or_default();
    if matches!(end, "csv" | "tsv") { TABLE } else { "" }
}

/// Where the lines of a text begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn new(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1).collect())
    }

    fn of(&self, at: usize) -> u64 {
        self.0.partition_point(|start| *start <= at) as u64 + 1
    }
}

fn visit_lines(files: &RaceFiles, name: &str, take: &mut Take<'_>) -> Result<(), String> {
    let said = |error: StoreError| error.to_string();
    let mut lines = files.lines(name).map_err(said)?;
    let mut streams = [Stream::default(), Stream::default()];
    while let Some(line) = lines.next_line().map_err(said)? {
        visit_line(&line, &mut streams, take);
    }
    streams.iter_mut().for_each(|stream| stream.flush(take));
    Ok(())
}

fn visit_line(line: &Line, streams: &mut [Stream; 2], take: &mut Take<'_>) {
    let line_at = |_: usize| line.number;
    let Ok(value) = serde_json::from_str::<Value>(&line.text) else {
        take(&Text { field: "", text: &line.text, line_at: &line_at });
        return;
    };
    let kind = |place: &str| value.pointer(place).and_then(Value::as_str);
    if kind("/input/chunk/type") == Some("delta")
        && let Some(text) = kind("/input/chunk/text")
    {
        let channel = usize::from(kind("/input/chunk/channel") == Some("answer"));
        streams[channel].add(line.number, text);
        // The rest of the line may hold what does not belong there.
        each_text(&value, "", &mut |field, part| {
            if field != "text" {
                take(&Text { field, text: part, line_at: &line_at });
            }
        });
        return;
    }
    let ends = matches!(kind("/input/chunk/type"), Some("end" | "failed"))
        || kind("/input/type") == Some("request");
    if ends {
        streams.iter_mut().for_each(|stream| stream.flush(take));
    }
    each_text(&value, "", &mut |field, part| take(&Text { field, text: part, line_at: &line_at }));
}

/// The pieces of a reply's channel, as one text: a key may come in several.
#[derive(Default)]
struct Stream {
    text: String,
    pieces: Vec<(usize, u64)>,
}

impl Stream {
    fn add(&mut self, line: u64, text: &str) {
        self.pieces.push((self.text.len(), line));
        self.text.push_str(text);
    }

    fn flush(&mut self, take: &mut Take<'_>) {
        let Self { text, pieces } = std::mem::take(self);
        let line_at = |at: usize| {
            let piece = pieces.partition_point(|(start, _)| *start <= at);
            piece.checked_sub(1).map_or(1, |piece| pieces[piece].1)
        };
        if !text.is_empty() {
            take(&Text { field: "text", text: &text, line_at: &line_at });
        }
    }
}

/// Every string and number of a JSON value with the name of its field, and every name.
pub(super) fn each_text(value: &Value, field: &str, take: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => take(field, text),
        Value::Number(number) => take(field, &number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, field, take)),
        Value::Object(fields) => {
            for (name, value) in fields {
                take("", name);
                each_text(value, name, take);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}
