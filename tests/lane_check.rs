//! `lane check` and `lane ask` against servers that are fit, that refuse, and that are not there.
#![cfg(feature = "cli")]

#[path = "common/lane.rs"]
mod lane;
#[path = "common/server.rs"]
mod server;

use gauntlet::lane::check::{Finding, Mark, Speed, check};
use gauntlet::lane::chunk::FailureKind;
use gauntlet::lane::hear::ask;
use lane::{answer, failure_in, file_of, heard_by, lane_to, run};
use serde_json::json;
use server::{Server, Step, done, finish, head, stream_head, text, write};

fn checked(base_url: &str) -> (Vec<Finding>, Speed) {
    let mut findings = Vec::new();
    let mut first = lane_to(base_url, None).expect("a lane");
    let mut second = lane_to(base_url, None).expect("a lane");
    let file = file_of(base_url);
    let mut report = |finding| findings.push(finding);
    let speed = run(check(&file, &mut first, &mut second, "test", &mut report));
    (findings, speed)
}

fn marks(findings: &[Finding]) -> Vec<(&str, Mark)> {
    findings.iter().map(|finding| (finding.check, finding.mark)).collect()
}

fn models() -> Vec<Step> {
    vec![head("200 OK", "application/json"), write(r#"{"data":[{"id":"m"}]}"#)]
}

/// A reply in three pieces, 20 ms apart, that ends at the token limit.
fn reply() -> Vec<Step> {
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":5}}"#;
    vec![
        stream_head(),
        text("one"),
        Step::Wait(20),
        text(", two"),
        Step::Wait(20),
        text(", three"),
        finish("length"),
        write(&format!("data: {usage}\n\n")),
        done(),
    ]
}

#[test]
fn a_server_that_is_fit() {
    let own = |body: &str| vec![head("200 OK", "application/json"), write(body)];
    let props = own(r#"{"default_generation_settings":{"n_ctx":32768},"total_slots":1}"#);
    let slots = own(r#"[{"n_ctx":32768,"is_processing":false}]"#);
    let server = Server::start(vec![models(), props, slots, reply()]);
    let (findings, speed) = checked(&server.base_url());
    let expected = [
        "model",
        "context size",
        "idle",
        "reply",
        "stream",
        "usage",
        "context",
        "token limit",
        "thinking",
        "seed",
        "cache",
        "slots",
        "hang-up",
    ];
    assert_eq!(marks(&findings), expected.map(|check| (check, Mark::Ok)), "{findings:#?}");
    let decode = speed.decode_milli.expect("a speed");
    assert!((1_000..=100_000).contains(&decode), "4 tokens in 40 ms or more, not {decode}");
    let heads = server.seen(|seen| seen.requests.clone());
    assert!(heads[3].contains("Check test 1") && heads[4].contains("Check test 2"));
}

#[test]
fn a_server_that_is_at_work_with_little_context() {
    let own = |body: &str| vec![head("200 OK", "application/json"), write(body)];
    let slots = own(r#"[{"n_ctx":2048,"is_processing":true}]"#);
    let server = Server::start(vec![models(), own("{}"), slots, reply()]);
    let (findings, _) = checked(&server.base_url());
    assert_eq!(
        marks(&findings)[1..3],
        [("context size", Mark::Warn), ("idle", Mark::Warn)],
        "{findings:#?}"
    );
    assert_eq!(findings[2].says, "1 of 1 slots at work");
}

#[test]
fn a_server_with_odd_ways() {
    let bare = vec![stream_head(), text("one"), finish("stop"), done()];
    let server = Server::start(vec![vec![head("404 Not Found", "text/plain")], bare]);
    let (findings, speed) = checked(&server.base_url());
    let warned =
        |check| findings.iter().any(|f: &Finding| f.check == check && f.mark == Mark::Warn);
    for check in ["model", "stream", "usage", "token limit"] {
        assert!(warned(check), "{check}: {findings:#?}");
    }
    assert_eq!(speed.decode_milli, None, "no tokens are reported, so no speed");
}

#[test]
fn a_server_that_refuses() {
    let refusal =
        vec![head("401 Unauthorized", "application/json"), write(r#"{"error":"no key"}"#)];
    let server = Server::start(vec![models(), refusal]);
    let (findings, _) = checked(&server.base_url());
    assert_eq!(marks(&findings), [("model", Mark::Ok), ("reply", Mark::Fail)]);
    assert!(findings[1].hint.as_ref().is_some_and(|hint| hint.contains("api_key_env")));
}

#[test]
fn a_server_that_is_not_there() {
    let server = Server::start(vec![vec![Step::Hang]]);
    let (findings, _) = checked(&server.base_url());
    assert_eq!(marks(&findings), [("reach", Mark::Fail)]);
}

#[test]
fn a_reply_is_heard_as_a_whole() {
    let thought =
        [stream_head(), text("<thi"), text("nk>hm</think>"), Step::Wait(20), text("4"), Step::Hang];
    let server = Server::start(vec![thought.to_vec(), reply()]);
    let mut lane = lane_to(&server.base_url(), None).expect("a lane");
    let heard = run(ask(&mut lane, &json!({})));
    assert_eq!((heard.reasoning.as_str(), heard.answer.as_str()), ("hm", "4"));
    assert_eq!((heard.kind, heard.complete), (Some(FailureKind::StallTimeout), false));
    let limit = heard.limit.expect("a limit");
    assert_eq!((limit.field, limit.ms), ("stall_ms", 230));
    assert!(heard.answer_ms > heard.first_token_ms && heard.end_ms >= 230);
    assert_eq!(answer(&heard_by(&mut lane)), "one, two, three");
    let nowhere = lane_to("http://127.0.0.1:1/v1", None).map(|mut lane| heard_by(&mut lane));
    assert_eq!(failure_in(&nowhere.expect("a lane")).kind, FailureKind::Connect);
}
