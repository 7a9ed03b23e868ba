//! A reply, from its bytes to chunks: event streams, plain JSON bodies and error pages, cut anywhere.
//!
//! `http` pushes bytes as they arrive; `sse` cuts lines, `message` reads objects, `complaint` reads errors. The rules:
//! an error however shaped ends the reply; a line that is no JSON fails it only if no finish follows; complete means that a
//! finish reason or `[DONE]` was seen, or one whole JSON body. Memory is bounded by the limits, whatever is sent.

use super::chunk::{Chunk, Failure, FailureKind, short};
use super::complaint;
use super::file::Limits;
use super::json;
use super::message;
use super::sse::{Field, Lines, field};
use serde_json::{Map, Value};

/// Bytes of an error page that are read.
const PAGE_BYTES: usize = 64 << 10;
/// Lines that are no JSON which are kept of a reply, and their length in characters.
const JUNK_LINES: u32 = 64;
const JUNK_CHARS: usize = 200;

/// Turns the bytes of one reply into chunks. The last chunk is an end or a failure; nothing follows it.
#[derive(Debug)]
pub struct ReplyParser {
    status: u16,
    page: bool,
    shape: Shape,
    reply_bytes: u64,
    room: u64,
    line_bytes: usize,
    lines: Lines,
    /// A body, or the beginning of a reply that has not shown its shape.
    body: Vec<u8>,
    /// Name and data of the event that has begun.
    event: String,
    data: String,
    finish: bool,
    ended: bool,
    junk: Option<String>,
    junk_lines: u32,
    usage: Value,
    timings: Value,
}

/// How a reply is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Unknown,
    Events,
    Body,
    ErrorPage,
}

impl ReplyParser {
    /// A parser for a reply with this HTTP status and content type.
    #[must_use]
    pub fn new(status: u16, content_type: Option<&str>, limits: &Limits) -> Self {
        let line_bytes = usize::try_from(limits.line_bytes).unwrap_or(usize::MAX);
        let kind = content_type.unwrap_or("").trim_start().to_ascii_lowercase();
        Self {
            status,
            page: kind.starts_with("text/html"),
            shape: if (200..300).contains(&status) { Shape::Unknown } else { Shape::ErrorPage },
            reply_bytes: limits.reply_bytes,
            room: limits.reply_bytes,
            line_bytes,
            lines: Lines::new(line_bytes),
            body: Vec::new(),
            event: String::new(),
            data: String::new(),
            finish: false,
            ended: false,
            junk: None,
            junk_lines: 0,
            usage: Value::Null,
            timings: Value::Null,
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Chunk>) {
        let within = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        self.room -= within as u64;
        self.take(&bytes[..within], out);
        if within < bytes.len() && !self.ended {
            let what = format!("the reply is longer than reply_bytes = {}", self.reply_bytes);
            self.fail(FailureKind::TooLarge, &what, out);
        }
    }

    /// The server closed the reply in good order.
    pub fn finish(&mut self, out: &mut Vec<Chunk>) {
        if self.ended {
            return;
        }
        match self.shape {
            Shape::ErrorPage => self.error_page(out),
            Shape::Body => self.whole_body(out),
            Shape::Unknown if self.page => self.web_page(out),
            Shape::Unknown | Shape::Events => self.last_event(out),
        }
        if !self.ended {
            match self.junk.take() {
                Some(junk) if !self.finish => self.junk_failure(&junk, out),
                _ => self.end(self.finish, false, out),
            }
        }
    }

    /// The connection broke, or a limit fired. What was finished before stays complete.
    pub fn broken(&mut self, failure: Failure, out: &mut Vec<Chunk>) {
        if self.ended {
            return;
        }
        if self.finish {
            self.end(true, false, out);
        } else if self.shape == Shape::ErrorPage {
            // The status says more than the way in which its page broke off.
            self.error_page(out);
        } else {
            self.ended = true;
            out.push(Chunk::Failed { failure: failure.with_status(self.status) });
        }
    }

    /// Whether a finish reason was seen: what may follow is counts and `[DONE]`.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finish
    }

    /// Whether the last chunk was given.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Bytes of the reply that are held because what they belong to is not whole yet.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.body.len() + self.data.len() + self.lines.begun_bytes()
    }

    fn take(&mut self, bytes: &[u8], out: &mut Vec<Chunk>) {
        match self.shape {
            _ if self.ended => {}
            Shape::Events => self.events(bytes, out),
            Shape::Body => self.body.extend_from_slice(bytes),
            Shape::ErrorPage => {
                let room = PAGE_BYTES - self.body.len();
                self.body.extend_from_slice(&bytes[..room.min(bytes.len())]);
                if bytes.len() >= room {
                    self.error_page(out);
                }
            }
            Shape::Unknown => self.first_bytes(bytes, out),
        }
    }

    /// The first byte that is no blank shows the shape, whatever the content type says.
    fn first_bytes(&mut self, bytes: &[u8], out: &mut Vec<Chunk>) {
        let mark = [0xef, 0xbb, 0xbf];
        let mut bytes = bytes;
        if self.body.is_empty() || self.body == mark {
            // Some proxies send blanks for as long as nothing comes: they are counted, and not kept.
            bytes = bytes.trim_ascii_start();
        }
        self.body.extend_from_slice(bytes);
        let begun = self.body.strip_prefix(&mark).unwrap_or(&self.body);
        let Some(first) = begun.iter().find(|byte| !byte.is_ascii_whitespace()) else { return };
        let maybe_mark = self.body.len() < mark.len() && mark.starts_with(&self.body);
        match first {
            _ if maybe_mark => {}
            _ if self.page => self.web_page(out),
            b'<' => self.web_page(out),
            b'{' | b'[' => self.shape = Shape::Body,
            _ => {
                self.shape = Shape::Events;
                let bytes = std::mem::take(&mut self.body);
                self.events(&bytes, out);
            }
        }
    }

    fn events(&mut self, mut bytes: &[u8], out: &mut Vec<Chunk>) {
        while !self.ended {
            match self.lines.next(&mut bytes) {
                Ok(Some(line)) => self.line(&line, out),
                Ok(None) => return,
                Err(_) => self.line_too_long(out),
            }
        }
    }

    fn line(&mut self, line: &str, out: &mut Vec<Chunk>) {
        match field(line) {
            Field::Blank => {
                self.end_of_event(out);
                self.event.clear();
            }
            Field::Nothing => {}
            Field::Event(name) => self.event = short(name, JUNK_CHARS),
            Field::Data(data) => self.data_line(data, out),
            Field::Error(text) => {
                self.fail(FailureKind::InStream, &complaint::in_text(text), out);
            }
            Field::Unknown => self.junk_line(line, out),
        }
    }

    /// A data line that is a whole object is read at once: some servers leave out the blank line between two.
    fn data_line(&mut self, data: &str, out: &mut Vec<Chunk>) {
        if data.trim() == "[DONE]" {
            self.end_of_event(out);
            self.done(out);
            return;
        }
        if self.event != "error"
            && let Some(object) = json::object(data)
        {
            self.end_of_event(out);
            self.object(object, out);
            return;
        }
        if self.data.len() + data.len() >= self.line_bytes {
            self.line_too_long(out);
            return;
        }
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(data);
    }

    /// Reads the data lines that are no objects by themselves.
    fn end_of_event(&mut self, out: &mut Vec<Chunk>) {
        let data = std::mem::take(&mut self.data);
        if data.trim().is_empty() || self.ended {
            return;
        }
        if self.event == "error" {
            self.fail(FailureKind::InStream, &complaint::in_text(&data), out);
        } else if let Some(object) = json::object(&data) {
            self.object(object, out);
        } else {
            self.junk_line(&data, out);
        }
    }

    /// An event without its blank line counts when it can be read; a torn line does not, nor does what it belongs to.
    fn last_event(&mut self, out: &mut Vec<Chunk>) {
        let Some(line) = self.lines.rest() else { return self.end_of_event(out) };
        let before = std::mem::take(&mut self.data);
        let whole = |text: &str| json::object(text).is_some();
        match field(&line) {
            Field::Data(data) if before.is_empty() && (data.trim() == "[DONE]" || whole(data)) => {
                self.data_line(data, out);
                self.end_of_event(out);
            }
            Field::Data(data) if whole(&format!("{before}\n{data}")) => {
                self.data = format!("{before}\n{data}");
                self.end_of_event(out);
            }
            Field::Error(text) if whole(text) => self.line(&line, out),
            _ => {}
        }
    }

    fn object(&mut self, mut object: Map<String, Value>, out: &mut Vec<Chunk>) {
        if self.ended {
            return;
        }
        if let Some(what) = complaint::in_object(&object) {
            self.fail(FailureKind::InStream, &what, out);
            return;
        }
        message::texts(&mut object, out);
        if let Some(usage) = message::usage(&mut object)
            .filter(|usage| usage.raw.is_null() || usage.raw != self.usage)
        {
            self.usage.clone_from(&usage.raw);
            out.push(Chunk::Usage { usage });
        }
        if let Some(raw) = message::timings(&mut object).filter(|raw| *raw != self.timings) {
            self.timings.clone_from(&raw);
            out.push(Chunk::Timings { raw });
        }
        if let Some(reason) = message::finish(&mut object) {
            let failed = reason == "error";
            if !self.finish {
                self.finish = true;
                out.push(Chunk::Finish { reason });
            }
            if failed {
                self.fail(FailureKind::InStream, "finish_reason error", out);
            }
        }
    }

    fn done(&mut self, out: &mut Vec<Chunk>) {
        if self.ended {
            return;
        }
        match self.junk.take() {
            Some(junk) if !self.finish => self.junk_failure(&junk, out),
            _ => self.end(true, true, out),
        }
    }

    fn whole_body(&mut self, out: &mut Vec<Chunk>) {
        let body = std::mem::take(&mut self.body);
        let text = String::from_utf8_lossy(&body);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if let Some(object) = json::object(text) {
            let known = message::has_choices(&object) || complaint::in_object(&object).is_some();
            if known {
                self.object(object, out);
                if !self.ended {
                    self.end(true, false, out);
                }
            } else {
                self.fail(FailureKind::NotAStream, "the reply is JSON without choices", out);
            }
        } else if !serde_json::from_str::<Value>(text).is_err_and(|error| error.is_eof()) {
            let what = format!("the reply is no event stream: {}", short(text, JUNK_CHARS));
            self.fail(FailureKind::NotAStream, &what, out);
        }
    }

    fn error_page(&mut self, out: &mut Vec<Chunk>) {
        let body = std::mem::take(&mut self.body);
        let what = complaint::in_body(self.status, &String::from_utf8_lossy(&body));
        let redirect = (300..400).contains(&self.status);
        let kind = if redirect { FailureKind::Redirect } else { FailureKind::Status };
        self.fail(kind, &what, out);
    }

    fn web_page(&mut self, out: &mut Vec<Chunk>) {
        let what = "the reply is a web page, no event stream: is base_url right?";
        self.fail(FailureKind::NotAStream, what, out);
    }

    fn junk_line(&mut self, line: &str, out: &mut Vec<Chunk>) {
        let text = short(line, JUNK_CHARS);
        self.junk.get_or_insert_with(|| text.clone());
        if self.junk_lines < JUNK_LINES {
            self.junk_lines += 1;
            out.push(Chunk::Junk { text });
        }
    }

    fn junk_failure(&mut self, junk: &str, out: &mut Vec<Chunk>) {
        let what = format!("no finish reason, and a line that is no JSON: {junk}");
        self.fail(FailureKind::InStream, &what, out);
    }

    fn line_too_long(&mut self, out: &mut Vec<Chunk>) {
        let what = format!("a line is longer than line_bytes = {}", self.line_bytes);
        self.fail(FailureKind::TooLarge, &what, out);
    }

    fn end(&mut self, complete: bool, done: bool, out: &mut Vec<Chunk>) {
        self.ended = true;
        out.push(Chunk::End { complete, done });
    }

    fn fail(&mut self, kind: FailureKind, what: &str, out: &mut Vec<Chunk>) {
        self.ended = true;
        out.push(Chunk::Failed { failure: Failure::new(kind, what).with_status(self.status) });
    }
}
