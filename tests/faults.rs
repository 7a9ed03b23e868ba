//! A server that misbehaves in each way we know, raced by the program itself: what becomes of the targets, which limit fired, how the
//! race stands and the exit code. The README's table is these rows; `GAUNTLET_UPDATE=1` writes them there.
#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::server::{Server, Step, done, finish, head, stream_head, text, write};
use common::{GAUNTLET, scratch};
use gauntlet::lane::chunk::FailureKind;
use gauntlet::race::line::LogLine;
use gauntlet::race::{Event, RaceResult};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

/// One range, with a buzzer that no fault but the slow ones comes near.
const SEASON: &str = r#"
format = { name = "gauntlet-season", major = 1, minor = 0 }
name = "faults"
title = "Faults"
seed = 21
prompt_version = "gauntlet-4-hard-2"
status = "preview"
clock_gap_ms = 60000
memory_classes_gb = [8]
course = { legs_ms = [0, 0], range_overhead_ms = 0, targets = 5 }
forced = { window_ms = 1500, notes_chars = 2000, limit_tokens = 512 }
zeroing = { limit_tokens = 96, limit_ms = 20000, drift_percent = 100 }
idle = { limit_ms = 20000, slack_ms = 10000, pause_ms = 100 }
levels = { 1 = { loop_ms = 1000, buzzer_ms = BUZZER } }
range = [{ family = "trace", level = 1 }]
"#;

/// Limits that all differ, so that the value tells which one fired.
const LIMITS: &str = "[limits]\nconnect_ms = 1100\nfirst_byte_ms = 1300\nstall_ms = 1200\ntotal_ms = 2600\nreply_bytes = 200000\nline_bytes = 50000\n";

/// One way to misbehave.
struct Fault {
    /// What the server does, as the table says it.
    does: &'static str,
    /// What it does with the main request.
    main: Vec<Step>,
    /// What it does with the request after a buzzer.
    forced: Option<Vec<Step>>,
    buzzer_ms: u64,
    /// The rest of the row.
    row: &'static str,
}

fn fault(does: &'static str, main: Vec<Step>, row: &'static str) -> Fault {
    Fault { does, main, forced: None, buzzer_ms: 8_000, row }
}

fn buzzed(does: &'static str, forced: Vec<Step>, row: &'static str) -> Fault {
    let main = reply(vec![text("TARGET 1: 0\n"), Step::Repeat(event("hm"), 100)]);
    Fault { does, main, forced: Some(forced), buzzer_ms: 2_000, row }
}

fn reply(mut steps: Vec<Step>) -> Vec<Step> {
    steps.insert(0, stream_head());
    steps
}

fn event(text: &str) -> Vec<u8> {
    let event = serde_json::json!({"choices": [{"delta": {"content": text}}]});
    format!("data: {event}\n\n").into_bytes()
}

fn whole(words: &str) -> Vec<Step> {
    reply(vec![text(words), finish("stop"), done()])
}

fn page(status: &str, body: &str) -> Vec<Step> {
    vec![head(status, "application/json"), write(body)]
}

#[rustfmt::skip]
fn faults() -> Vec<Fault> {
    let unchunked = || vec![
        write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        write("5\r\ndata:\r\n"),
    ];
    vec![
        fault("does not send the head of a reply", vec![Step::Hang],
            "`server error` | `first_byte_timeout`: `first_byte_ms` | finished | 3"),
        fault("sends the head and no text", reply(vec![Step::Hang]),
            "`server error` | `stall_timeout`: `stall_ms` | finished | 3"),
        fault("falls silent in the middle", reply(vec![text("TARGET 1: 0\n"), Step::Hang]),
            "`server error`, `wrong` | `stall_timeout`: `stall_ms` | finished | 3"),
        fault("sends keep-alives for ever", reply(vec![Step::Repeat(b": ping\n\n".to_vec(), 20)]),
            "`server error` | `stall_timeout`: `stall_ms` | finished | 3"),
        fault("sends blank lines for ever", reply(vec![Step::Repeat(b"\r\n".to_vec(), 20)]),
            "`server error` | `stall_timeout`: `stall_ms` | finished | 3"),
        fault("sends text for ever", reply(vec![Step::Repeat(event("hm"), 100)]),
            "`server error` | `total_timeout`: `total_ms` | finished | 3"),
        fault("floods the lane with text", reply(vec![Step::Repeat(event(&"x".repeat(9_000)), 0)]),
            "`server error` | `too_large`: `reply_bytes` | finished | 3"),
        fault("sends a line without end", reply(vec![write("data: "), Step::Repeat(vec![b'x'; 9_000], 0)]),
            "`server error` | `too_large`: `line_bytes` | finished | 3"),
        fault("closes before its finish reason", reply(vec![text("TARGET 1: 0\n")]),
            "`server error`, `wrong` | `transfer` | finished | 3"),
        fault("breaks the connection", unchunked(),
            "`server error` | `transfer` | finished | 3"),
        fault("resets the connection", reply(vec![text("hm"), Step::Wait(50), Step::Reset]),
            "`server error` | `transfer` | finished | 3"),
        fault("writes an error into the stream", reply(vec![text("hm"), write("data: {\"error\":{\"message\":\"out of memory\"}}\n\n")]),
            "`server error` | `in_stream` | finished | 3"),
        fault("writes lines that are no JSON and no finish reason", reply(vec![write("data: CUDA error\n\n"), done()]),
            "`server error` | `in_stream` | finished | 3"),
        fault("answers 500", page("500 Internal Server Error", "{\"error\":\"it broke\"}"),
            "`server error` | `status` | finished | 3"),
        fault("answers 503, loading its model", page("503 Service Unavailable", "{\"error\":{\"message\":\"Loading model\"}}"),
            "`server error` | `status` | finished | 3"),
        fault("answers 429", page("429 Too Many Requests", "{\"error\":\"slow down\"}"),
            "`server error` | `status` | finished | 3"),
        fault("answers 400, context overflow", page("400 Bad Request", "{\"error\":{\"message\":\"the request exceeds the context\"}}"),
            "`server error` | `status` | finished | 3"),
        fault("redirects", vec![write("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")],
            "`server error` | `redirect` | finished | 3"),
        fault("sends a web page", vec![head("200 OK", "text/html"), write("<html>log in</html>")],
            "`server error` | `not_a_stream` | finished | 3"),
        fault("sends broken gzip", vec![write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\nno gzip, but long enough")],
            "`server error` | `transfer` | finished | 3"),
        fault("ends at the token limit", reply(vec![text("TARGET 1: 0\nTARGET 2: 1"), finish("length"), done()]),
            "`cut off`, `wrong` | `answer_limit_tokens` | finished | 0"),
        fault("ends in the middle of a thought", reply(vec![text("<think>TARGET 1: 0\n"), finish("stop"), done()]),
            "`cut off` | none | finished | 0"),
        fault("answers nothing at all", reply(vec![finish("stop"), done()]),
            "`missing` | none | finished | 0"),
        fault("holds the connection open after its finish reason", reply(vec![text("TARGET 1: 0\n"), finish("stop"), Step::Hang]),
            "`missing`, `wrong` | none, not charged | finished | 0"),
        fault("leaves out `[DONE]`", reply(vec![text("TARGET 1: 0\n"), finish("stop")]),
            "`missing`, `wrong` | none | finished | 0"),
        fault("leaves out the finish reason", reply(vec![text("TARGET 1: 0\n"), done()]),
            "`missing`, `wrong` | none | finished | 0"),
        buzzed("is still writing at the buzzer, then answers", whole("TARGET 2: 0\n"),
            "`missing`, `wrong` | `buzzer` | finished | 0"),
        buzzed("is still writing at the buzzer, and when the window ends", reply(vec![Step::Repeat(event("hm"), 100)]),
            "`too late` | `window` | finished | 0"),
        buzzed("is still writing at the buzzer, then fails", page("500 Internal Server Error", "{\"error\":\"it broke\"}"),
            "`server error`, `wrong` | `status`, `buzzer` | finished | 3"),
    ]
}

/// Races once and gives the rest of the row.
fn raced(fault: &Fault) -> String {
    let mut scripts = vec![whole("ok"), whole("one, two"), fault.main.clone()];
    scripts.extend(fault.forced.clone());
    scripts.push(whole("one, two"));
    let server = Server::start(scripts);
    let out = scratch("fault");
    fs::create_dir_all(&out).unwrap();
    let season = SEASON.replace("BUZZER", &fault.buzzer_ms.to_string());
    fs::write(out.join("season.toml"), season).unwrap();
    let lane = format!(
        "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"{}\"\nmodel = \"m\"\n{LIMITS}",
        server.base_url()
    );
    fs::write(out.join("lane.toml"), lane).unwrap();
    let path = |name: &str| out.join(name).display().to_string();
    let run = Command::new(GAUNTLET)
        .args(["race", "--plain", "--format", "json", "--out", &path("races")])
        .args(["--lane", &path("lane.toml"), "--season", &path("season.toml")])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    let result: RaceResult =
        serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{said}"));
    let log = fs::read_to_string(out.join("races/faults-x-attempt1/log.jsonl")).unwrap();
    let events = log.lines().map(|line| serde_json::from_str::<LogLine>(line).unwrap().event);
    let stopped = events.into_iter().find_map(|event| match event {
        Event::Answer { failure, limit, thinking_ms, .. } => Some((failure, limit, thinking_ms)),
        _ => None,
    });
    let (failure, limit, thinking_ms) = stopped.unwrap();
    let reasons: BTreeSet<&str> =
        result.ranges[0].targets.iter().map(|target| target.reason.word()).collect();
    let mut why = Vec::new();
    if let Some(failure) = &failure {
        let kind = serde_json::to_value(failure.kind).unwrap();
        let mut words = format!("`{}`", kind.as_str().unwrap());
        let sizes = ["reply_bytes = 200000", "line_bytes = 50000"];
        if let Some(field) = failure.kind.limit_field() {
            let value = failure.limit_ms.unwrap();
            assert!(LIMITS.contains(&format!("{field} = {value}\n")), "{failure:?}");
            assert!(thinking_ms >= value, "{}: {thinking_ms} ms, {failure:?}", fault.does);
            words += &format!(": `{field}`");
        } else if failure.kind == FailureKind::TooLarge {
            let size = sizes.iter().find(|size| failure.message.ends_with(**size)).unwrap();
            words += &format!(": `{}`", size.split(' ').next().unwrap());
        }
        why.push(words);
    }
    why.extend(limit.map(|limit| format!("`{}`", limit.name)));
    if why.is_empty() {
        why.push(String::from("none"));
        // Two seconds are waited for counts after a finish reason.
        if fault.main.iter().any(|step| matches!(step, Step::Hang)) {
            assert!(thinking_ms < 1_500, "{}: {thinking_ms} ms", fault.does);
            why[0] += ", not charged";
        }
    }
    let reasons: Vec<String> = reasons.into_iter().map(|reason| format!("`{reason}`")).collect();
    let (status, code) = (result.status.word(), run.status.code().unwrap());
    fs::remove_dir_all(&out).unwrap();
    format!("{} | {} | {status} | {code}", reasons.join(", "), why.join(", "))
}

#[test]
fn every_fault_has_its_reason_its_limit_and_its_exit_code() {
    let faults = faults();
    // They mostly wait, but a limit of time wants a machine that keeps up.
    let together = |some: &[Fault]| -> Vec<String> {
        std::thread::scope(|scope| {
            let races: Vec<_> = some.iter().map(|fault| scope.spawn(|| raced(fault))).collect();
            races.into_iter().map(|race| race.join().unwrap()).collect()
        })
    };
    let rows: Vec<String> = faults.chunks(10).flat_map(together).collect();
    for (fault, row) in faults.iter().zip(&rows) {
        assert_eq!(row, fault.row, "a server that {}", fault.does);
    }
}

#[test]
fn the_readme_has_the_table() {
    let mut table = String::from(
        "| in a range, a server that ... | targets that it does not hit | failure, and the limit that fired | race | exit code |\n|---|---|---|---|---|\n",
    );
    for fault in faults() {
        table += &format!("| {} | {} |\n", fault.does, fault.row);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path).unwrap();
    let (before, rest) = readme.split_once("<!-- faults -->\n").expect("the mark of the table");
    let (kept, after) = rest.split_once("<!-- end of faults -->\n").expect("its end");
    if std::env::var_os("GAUNTLET_UPDATE").is_some() {
        let text = format!("{before}<!-- faults -->\n{table}<!-- end of faults -->\n{after}");
        fs::write(path, text).unwrap();
    } else {
        assert_eq!(kept, table, "GAUNTLET_UPDATE=1 writes it");
    }
}
