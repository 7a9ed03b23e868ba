//! Writes the published files: placeholders for what was found, and the race run again over them, so that log, result, chain and
//! digests agree with what stands there.

use super::PublishError;
use super::redact::Table;
use super::scan::{Finder, Judged};
use crate::course::Course;
use crate::digest::sha256_hex;
use crate::lane::chunk::{Channel, Chunk};
use crate::lane::file::LaneFile;
use crate::lane::request;
use crate::race::fold::Hashes;
use crate::race::line::{Chain, ChainReader, IoLine, LogLine};
use crate::race::{Due, Input, RaceResult, Referee, fold};
use crate::season;
use crate::store::public::PublicFile;
use crate::store::read::read_line;
use crate::store::{PublicFolder, RaceFiles};
use serde_json::Value;
use std::collections::BTreeSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Replaces what a finder finds.
pub(super) struct Redactor<'a> {
    pub(super) finder: &'a Finder,
    pub(super) table: &'a mut Table,
}

impl Redactor<'_> {
    /// A text with placeholders; nothing when there is nothing to replace.
    pub(super) fn text(&mut self, field: &str, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut done = 0;
        for Judged { hit, .. } in self.due(field, text) {
            out += &text[done..hit.range.start];
            out += &self.table.placeholder(hit.kind, &text[hit.range.clone()]);
            done = hit.range.end;
        }
        (done > 0).then(|| out + &text[done..])
    }

    /// The same for a TOML text, where a bare number becomes a string.
    pub(super) fn toml(&mut self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut done = 0;
        let mut numbers = BTreeSet::new();
        if let Ok(table) = DeTable::parse(text) {
            table.get_ref().values().for_each(|value| bare_numbers(value, &mut numbers));
        }
        for Judged { hit, .. } in self.due("", text) {
            let value = &text[hit.range.clone()];
            let bare = numbers.contains(&(hit.range.start, hit.range.end));
            let quote = if bare { "\"" } else { "" };
            out += &text[done..hit.range.start];
            out += &format!("{quote}{}{quote}", self.table.placeholder(hit.kind, value));
            done = hit.range.end;
        }
        (done > 0).then(|| out + &text[done..])
    }

    /// Replaces inside a JSON value; tells whether anything was.
    pub(super) fn value(&mut self, field: &str, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match self.text(field, text) {
                Some(redacted) => {
                    *text = redacted;
                    true
                }
                None => false,
            },
            Value::Number(number) => match self.text(field, &number.to_string()) {
                Some(redacted) => {
                    *value = Value::String(redacted);
                    true
                }
                None => false,
            },
            Value::Array(items) => {
                items.iter_mut().fold(false, |any, item| self.value(field, item) | any)
            }
            Value::Object(fields) => {
                let mut any = false;
                for (name, mut value) in std::mem::take(fields) {
                    any |= self.value(&name, &mut value);
                    let renamed = self.text("", &name);
                    any |= renamed.is_some();
                    fields.insert(renamed.unwrap_or(name), value);
                }
                any
            }
            Value::Null | Value::Bool(_) => false,
        }
    }

    fn due(&self, field: &str, text: &str) -> Vec<Judged> {
        self.finder.judge(field, text).into_iter().filter(|it| it.keep.is_none()).collect()
    }

    /// An input with placeholders. Requests are written anew, so they pass.
    fn input(&mut self, number: u64, input: Input) -> Result<Input, PublishError> {
        let whole =
            matches!(input, Input::Request { .. } | Input::Chunk { chunk: Chunk::Delta { .. } });
        if whole {
            return Ok(input);
        }
        let broken = |error: serde_json::Error| {
            PublishError::Rewrite(format!("io.jsonl, line {number}: {error}"))
        };
        let mut value = serde_json::to_value(&input).map_err(broken)?;
        if self.value("", &mut value) {
            serde_json::from_value(value).map_err(broken)
        } else {
            Ok(input)
        }
    }

    /// Replaces in the pieces of one channel of a reply, read as one text. A placeholder stands in the piece where its value
    /// begins; the pieces that the value went on in lose it.
    fn pieces(&mut self, lines: &mut [(u64, IoLine)], wanted: Channel) {
        let mut pieces: Vec<&mut String> = lines
            .iter_mut()
            .filter_map(|(_, line)| match &mut line.input {
                Input::Chunk { chunk: Chunk::Delta { channel, text } } if *channel == wanted => {
                    Some(text)
                }
                _ => None,
            })
            .collect();
        let joined: String = pieces.iter().map(|text| text.as_str()).collect();
        let hits = self.due("text", &joined);
        if hits.is_empty() {
            return;
        }
        let mut start = 0;
        for piece in &mut pieces {
            let end = start + piece.len();
            let mut out = String::new();
            let mut done = start;
            let passed = hits.partition_point(|it| it.hit.range.end <= start);
            for Judged { hit, .. } in
                hits[passed..].iter().take_while(|it| it.hit.range.start < end)
            {
                let (from, to) = (hit.range.start.max(start), hit.range.end.min(end));
                if from >= to {
                    continue;
                }
                out += &joined[done..from];
                if hit.range.start >= start {
                    out += &self.table.placeholder(hit.kind, &joined[hit.range.clone()]);
                }
                done = to;
            }
            out += &joined[done..end];
            **piece = out;
            start = end;
        }
    }
}

/// Where the numbers of a TOML value stand.
fn bare_numbers(value: &Spanned<DeValue<'_>>, numbers: &mut BTreeSet<(usize, usize)>) {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => {
            numbers.insert((value.span().start, value.span().end));
        }
        DeValue::Array(items) => items.iter().for_each(|item| bare_numbers(item, numbers)),
        DeValue::Table(table) => table.values().for_each(|item| bare_numbers(item, numbers)),
        _ => {}
    }
}

/// A race that was written again.
pub(super) struct Rewritten {
    pub(super) result: RaceResult,
    pub(super) system_prompt: String,
}

/// Writes io, log and result of a race again, from its io with placeholders and the files that it is raced with now.
pub(super) fn rewrite(
    files: &RaceFiles,
    folder: &PublicFolder,
    redactor: &mut Redactor<'_>,
    season_text: &str,
    lane_text: &str,
) -> Result<Rewritten, PublishError> {
    let course = Course::plan(season::read("season.toml", season_text)?)?;
    let lane = LaneFile::parse("lane.toml", lane_text)?;
    let mut writer = Writer {
        referee: Referee::new(&course, &lane),
        lane: &lane,
        hashes: [sha256_hex(season_text.as_bytes()), sha256_hex(lane_text.as_bytes())],
        chains: [Chain::default(), Chain::default()],
        io: folder.begin("io.jsonl")?,
        log: folder.begin("log.jsonl")?,
        events: Vec::new(),
    };
    let mut lines = files.lines("io.jsonl")?;
    let mut chain = ChainReader::default();
    let mut reply: Vec<(u64, IoLine)> = Vec::new();
    while let Some(line) = lines.next_line()? {
        if !line.whole {
            // A torn line is no part of the race.
            break;
        }
        let broken =
            |what: String| PublishError::Rewrite(format!("io.jsonl, line {}: {what}", line.number));
        let io: IoLine = read_line(&mut chain, &line).map_err(broken)?;
        let ends = match &io.input {
            Input::Chunk { chunk } => chunk.ends(),
            Input::Request { .. } => true,
            _ => false,
        };
        reply.push((line.number, io));
        if ends {
            writer.take(&mut reply, redactor)?;
        }
    }
    writer.take(&mut reply, redactor)?;
    let Writer { referee, io, log, events, .. } = writer;
    io.close()?;
    log.close()?;
    let written = RaceFiles::new(folder.path());
    let hashes =
        Hashes { log_sha256: written.sha256("log.jsonl")?, io_sha256: written.sha256("io.jsonl")? };
    let result = fold(&events, &hashes)
        .ok_or_else(|| PublishError::Rewrite(String::from("io.jsonl: the race has no start")))?;
    Ok(Rewritten { result, system_prompt: referee.system_prompt().to_owned() })
}

struct Writer<'a> {
    referee: Referee<'a>,
    lane: &'a LaneFile,
    hashes: [String; 2],
    chains: [Chain; 2],
    io: PublicFile,
    log: PublicFile,
    events: Vec<LogLine>,
}

impl Writer<'_> {
    /// Takes the lines of a reply, up to and with the one that ends it.
    fn take(
        &mut self,
        reply: &mut Vec<(u64, IoLine)>,
        redactor: &mut Redactor<'_>,
    ) -> Result<(), PublishError> {
        redactor.pieces(reply, Channel::Reasoning);
        redactor.pieces(reply, Channel::Answer);
        for (number, line) in reply.drain(..) {
            let broken =
                |what: String| PublishError::Rewrite(format!("io.jsonl, line {number}: {what}"));
            let at = line.stamp().map_err(broken)?;
            let mut input = redactor.input(number, line.input)?;
            match &mut input {
                Input::Start { start } => {
                    let [season_sha256, lane_sha256] = &self.hashes;
                    start.season_sha256.clone_from(season_sha256);
                    start.lane_sha256.clone_from(lane_sha256);
                }
                Input::Request { body, .. } => {
                    let Due::Ask(ask) = self.referee.due() else {
                        return Err(broken(String::from("a request where none is due")));
                    };
                    *body = request::body(self.lane, &ask);
                }
                _ => {}
            }
            let events = self.referee.step(at, &input);
            self.io.write(&self.chains[0].io(at, &input))?;
            for (race_ms, event) in events {
                let (text, event) = self.chains[1].log(at, race_ms, event);
                self.log.write(&text)?;
                self.events.push(event);
            }
        }
        Ok(())
    }
}
