//! Every recorded and hand-made reply in `fixtures/streams` parses as the JSON beside it says, however it is cut.
//!
//! Two fields of the expectations are not compared where there is an error: it ends the reply, so what follows it (`[DONE]`) is not
//! read, and whether a failed reply was complete has no meaning.

use gauntlet::lane::chunk::{Channel, Chunk, Failure, FailureKind, Usage};
use gauntlet::lane::file::Limits;
use gauntlet::lane::reply::ReplyParser;
use gauntlet::lane::think::split;
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// One case: the reply's bytes and what is expected.
struct Case {
    name: String,
    bytes: Vec<u8>,
    expected: Value,
}

impl Case {
    fn status(&self) -> u16 {
        let line = self.expected["http"].as_str().expect("a status line");
        line.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status code")
    }

    fn parse(&self, cuts: &[usize]) -> Vec<Chunk> {
        let kind = self.expected["content_type"].as_str();
        let mut parser = ReplyParser::new(self.status(), kind, &Limits::default());
        let mut out = Vec::new();
        let mut from = 0;
        for &cut in cuts {
            parser.push(&self.bytes[from..cut], &mut out);
            from = cut;
        }
        parser.push(&self.bytes[from..], &mut out);
        parser.finish(&mut out);
        out
    }
}

fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new("tests/fixtures/streams").join(folder);
    let mut cases: Vec<Case> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "sse"))
        .map(|path| Case {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            bytes: fs::read(&path).expect("the reply"),
            expected: serde_json::from_slice(
                &fs::read(path.with_extension("json")).expect("its twin"),
            )
            .expect("JSON"),
        })
        .collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

/// A reply put together.
#[derive(Default)]
struct Reply {
    reasoning: String,
    answer: String,
    finish: Option<String>,
    usage: Option<Usage>,
    error: Option<String>,
    end: Option<(bool, bool)>,
}

fn gather(chunks: &[Chunk]) -> Reply {
    let mut reply = Reply::default();
    for chunk in chunks {
        match chunk.clone() {
            Chunk::Delta { channel: Channel::Reasoning, text } => reply.reasoning += &text,
            Chunk::Delta { channel: Channel::Answer, text } => reply.answer += &text,
            Chunk::Usage { usage } => reply.usage = Some(usage),
            Chunk::Finish { reason } => reply.finish = Some(reason),
            Chunk::End { complete, done } => reply.end = Some((complete, done)),
            Chunk::Failed { failure } => reply.error = Some(failure.message),
            Chunk::Refusal { .. } | Chunk::Timings { .. } | Chunk::Junk { .. } => {}
        }
    }
    reply
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(case: &Case, inline_tags: bool) {
    let name = &case.name;
    let chunks = case.parse(&[]);
    let ends = chunks.iter().filter(|chunk| chunk.ends()).count();
    assert_eq!((ends, chunks.last().map(Chunk::ends)), (1, Some(true)), "{name}: one end, last");
    let reply = gather(&chunks);
    let (reasoning, answer) = if inline_tags {
        let thought = split(&reply.reasoning, &reply.answer);
        (thought.reasoning, thought.answer)
    } else {
        (reply.reasoning, reply.answer)
    };
    let text = |field: &str| case.expected[field].as_str().map(str::trim);
    assert_eq!(Some(reasoning.trim()), text("reasoning"), "{name}: reasoning");
    assert_eq!(Some(answer.trim()), text("answer"), "{name}: answer");
    assert_eq!(reply.finish.as_deref(), text("finish_reason"), "{name}: finish_reason");
    assert_eq!(reply.error, text("error").map(one_line), "{name}: error");
    let counts = |field: &str| case.expected["usage"][field].as_u64();
    let usage = reply.usage.as_ref();
    assert_eq!(usage.is_some(), case.expected["usage"].is_object(), "{name}: usage");
    assert_eq!(usage.and_then(|usage| usage.prompt_tokens), counts("prompt_tokens"), "{name}");
    assert_eq!(
        usage.and_then(|usage| usage.completion_tokens),
        counts("completion_tokens"),
        "{name}"
    );
    if counts("reasoning_tokens").is_some() {
        assert_eq!(
            usage.and_then(|usage| usage.reasoning_tokens),
            counts("reasoning_tokens"),
            "{name}"
        );
    }
    if let Some((complete, done)) = reply.end {
        assert_eq!(Some(done), case.expected["done"].as_bool(), "{name}: done");
        let expected = case.expected["complete"].as_bool();
        assert_eq!(
            complete,
            expected.unwrap_or(done || reply.finish.is_some()),
            "{name}: complete"
        );
    }
}

#[test]
fn hand_made_streams_parse_as_stated() {
    let cases = cases("quirks");
    assert!(cases.len() > 60);
    cases.iter().for_each(|case| check(case, true));
}

#[test]
fn recorded_streams_parse_as_stated() {
    let cases = cases("real");
    assert!(cases.len() > 30);
    cases.iter().for_each(|case| check(case, false));
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    for case in cases("quirks").iter().chain(&cases("real")) {
        let whole = case.parse(&[]);
        for cut in 0..=case.bytes.len() {
            assert_eq!(case.parse(&[cut]), whole, "{} cut at {cut}", case.name);
        }
        let every: Vec<usize> = (0..case.bytes.len()).collect();
        assert_eq!(case.parse(&every), whole, "{} byte by byte", case.name);
    }
}

/// What a reply with these bytes becomes: the text by channel, then how it ended.
fn said(status: u16, bytes: &str) -> String {
    said_within(status, bytes, &Limits::default())
}

fn said_within(status: u16, bytes: &str, limits: &Limits) -> String {
    let mut parser = ReplyParser::new(status, None, limits);
    let mut out = Vec::new();
    parser.push(bytes.as_bytes(), &mut out);
    parser.finish(&mut out);
    let reply = gather(&out);
    let junk = out.iter().filter(|chunk| matches!(chunk, Chunk::Junk { .. })).count();
    let mut line = format!("{}|{}|", reply.reasoning, reply.answer);
    if junk > 0 {
        line += &format!("junk {junk}|");
    }
    line += &match out.last() {
        Some(Chunk::Failed { failure }) => format!("{:?}: {failure}", failure.kind),
        Some(Chunk::End { complete: true, .. }) => "complete".into(),
        _ => "incomplete".into(),
    };
    line
}

/// An event with a delta, and one with a finish.
const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"4\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";

#[test]
fn lines_that_are_no_json() {
    let junk = "data: CUDA out of memory\n\n";
    assert_eq!(said(200, &[TEXT, junk, STOP, DONE].concat()), "|4|junk 1|complete");
    let failed =
        "|4|junk 1|InStream: no finish reason, and a line that is no JSON: CUDA out of memory";
    assert_eq!(said(200, &[TEXT, junk].concat()), failed);
    assert_eq!(said(200, &[TEXT, junk, DONE].concat()), failed);
    // A payload on a line of its own is no field: counted, not read.
    let own_line = "data:\n {\"choices\":[{\"delta\":{\"content\":\"5\"}}]}\n\n";
    assert_eq!(said(200, &[own_line, TEXT, STOP].concat()), "|4|junk 1|complete");
    let many = junk.repeat(500);
    assert_eq!(said(200, &[many.as_str(), STOP].concat()), "||junk 64|complete");
}

#[test]
fn events_that_are_not_parted_or_written_over_lines() {
    let glued = TEXT.replace("\n\n", "\n");
    assert_eq!(said(200, &[glued.as_str(), &glued, STOP].concat()), "|44|complete");
    let spread = "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"4\"},\ndata: \"finish_reason\":\"stop\"}]}";
    assert_eq!(said(200, &[spread, "\n\n"].concat()), "|4|complete");
    assert_eq!(said(200, spread), "|4|complete");
    assert_eq!(said(200, &spread[..spread.len() - 1]), "||incomplete");
    assert_eq!(said(200, "event: error\ndata: it\ndata: broke\n\n"), "||InStream: it broke");
}

#[test]
fn replies_that_are_no_stream() {
    let body = r#"{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}"#;
    assert_eq!(said(200, body), "|4|complete");
    assert_eq!(said(200, &body[..body.len() - 2]), "||incomplete");
    assert_eq!(said(200, r#"{"ok":true}"#), "||NotAStream: the reply is JSON without choices");
    assert_eq!(said(200, r#"{"error":"no model"}"#), "||InStream: no model");
    assert_eq!(
        said(200, "{\"a\":1}\n{\"a\":2}"),
        "||NotAStream: the reply is no event stream: {\"a\":1} {\"a\":2}"
    );
    assert_eq!(said(200, "[1]"), "||NotAStream: the reply is no event stream: [1]");
    let page = "||NotAStream: the reply is a web page, no event stream: is base_url right?";
    assert_eq!(said(200, "\n<!doctype html>"), page);
    assert_eq!(said(302, ""), "||Redirect: HTTP 302");
    assert_eq!(
        said(500, &"long ".repeat(100_000)).len(),
        "||Status: HTTP 500: ".len() + 200 + "…".len()
    );
}

#[test]
fn a_reply_has_bounds() {
    let limits = Limits { reply_bytes: 1000, line_bytes: 200, ..Limits::default() };
    assert_eq!(
        said_within(200, &[&TEXT.repeat(10), STOP].concat(), &limits),
        "|4444444444|complete"
    );
    let long = said_within(200, &TEXT.repeat(30), &limits);
    assert!(long.ends_with("TooLarge: the reply is longer than reply_bytes = 1000"), "{long}");
    let line = format!("{TEXT}data: {}", "x".repeat(195));
    assert_eq!(
        said_within(200, &line, &limits),
        "|4|TooLarge: a line is longer than line_bytes = 200"
    );
    let pieces = format!("data: {}\n", "x".repeat(50)).repeat(5);
    assert_eq!(
        said_within(200, &pieces, &limits),
        "||TooLarge: a line is longer than line_bytes = 200"
    );
    let body = format!("{{{}", " ".repeat(2000));
    assert_eq!(
        said_within(200, &body, &limits),
        "||TooLarge: the reply is longer than reply_bytes = 1000"
    );
}

#[test]
fn blanks_and_comments_before_a_reply_are_not_kept() {
    for blank in ["\n", "\r\n", " ", ": ping\n\n"] {
        let text = [blank.repeat(3).as_str(), TEXT, STOP].concat();
        assert_eq!(said(200, &text), "|4|complete", "{blank:?}");
        // Without end they reach the bound of the reply, and hold no memory on the way.
        let limits = Limits { reply_bytes: 1 << 20, ..Limits::default() };
        let mut parser = ReplyParser::new(200, None, &limits);
        let mut out = Vec::new();
        for _ in 0..1 << 20 {
            parser.push(blank.as_bytes(), &mut out);
            assert!(parser.held_bytes() < 100, "{blank:?}");
        }
        parser.push(b"  ", &mut out);
        let failed = out.last();
        let bound = "the reply is longer than reply_bytes = 1048576";
        assert!(
            matches!(failed, Some(Chunk::Failed { failure }) if failure.message == bound),
            "{blank:?}: {failed:?}"
        );
    }
    let body = r#"{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}"#;
    assert_eq!(said(200, &format!("{}{body}", "\n".repeat(100))), "|4|complete");
}

#[test]
fn no_piece_is_longer_than_a_line_that_is_read() {
    let long = "é".repeat(3 << 20);
    let event = serde_json::json!({"choices": [{"delta": {"content": long}}]});
    let limits = Limits { line_bytes: 32 << 20, ..Limits::default() };
    let mut parser = ReplyParser::new(200, None, &limits);
    let mut out = Vec::new();
    parser.push(format!("data: {event}\n\n").as_bytes(), &mut out);
    parser.push(STOP.as_bytes(), &mut out);
    let lengths: Vec<usize> = out
        .iter()
        .filter_map(|chunk| match chunk {
            Chunk::Delta { text, .. } => Some(text.len()),
            _ => None,
        })
        .collect();
    assert_eq!(lengths, [1 << 20; 6]);
    assert_eq!(gather(&out).answer, long);
    let padded = serde_json::json!({"usage": {"prompt_tokens": 9, "pad": "x".repeat(100_000)}});
    parser.push(format!("data: {padded}\n\n").as_bytes(), &mut out);
    let usage = gather(&out).usage.expect("counts");
    assert_eq!((usage.prompt_tokens, usage.raw), (Some(9), Value::Null));
}

#[test]
fn what_is_finished_before_a_break_is_complete() {
    let broken = |bytes: &str| {
        let mut parser = ReplyParser::new(200, None, &Limits::default());
        let mut out = Vec::new();
        parser.push(bytes.as_bytes(), &mut out);
        parser.broken(Failure::new(FailureKind::Transfer, "reset"), &mut out);
        out.pop()
    };
    let end = Chunk::End { complete: true, done: false };
    assert_eq!(broken(&[TEXT, STOP].concat()), Some(end));
    let failure = Failure::new(FailureKind::Transfer, "reset").with_status(200);
    assert_eq!(broken(TEXT), Some(Chunk::Failed { failure }));
}

#[test]
fn a_lone_surrogate_loses_one_character_and_not_the_line() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\n";
    assert_eq!(said(200, &[event, STOP].concat()), "|a\u{fffd}|complete");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_cuts_change_nothing(seeds in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        for case in cases("quirks").iter().chain(&cases("real")) {
            let mut cuts: Vec<usize> =
                seeds.iter().map(|seed| seed.index(case.bytes.len() + 1)).collect();
            cuts.sort_unstable();
            prop_assert_eq!(case.parse(&cuts), case.parse(&[]), "{}", case.name);
        }
    }

    #[test]
    fn any_bytes_end_once(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b':')], 0..200),
        status in prop_oneof![Just(200_u16), Just(302), Just(500)],
        cut in any::<prop::sample::Index>(),
    ) {
        let expected = serde_json::json!({"http": format!("HTTP/1.1 {status} X")});
        let case = Case { name: "any".into(), bytes, expected };
        let whole = case.parse(&[]);
        prop_assert_eq!(whole.iter().filter(|chunk| chunk.ends()).count(), 1);
        prop_assert!(whole.last().is_some_and(Chunk::ends));
        prop_assert_eq!(case.parse(&[cut.index(case.bytes.len() + 1)]), whole);
    }
}
