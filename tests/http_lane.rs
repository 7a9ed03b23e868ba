//! The lane against servers that misbehave: each fault becomes its own kind of failure, with the value of its limit.
#![cfg(feature = "cli")]

#[path = "common/lane.rs"]
mod lane;
#[path = "common/server.rs"]
mod server;

use gauntlet::lane::chunk::{Chunk, Failure, FailureKind};
use gauntlet::lane::http::{Arrived, HttpLane, LaneError};
use lane::{answer, failure_in, heard_by, lane_to, run};
use serde_json::json;
use server::{Server, Step, done, finish, head, stream_head, text, write};
use std::time::Duration;

/// Everything that a lane hears from a server with this script.
fn heard(script: Vec<Step>) -> Vec<Arrived> {
    let server = Server::start(vec![script]);
    let mut lane = lane_to(&server.base_url(), None).expect("a lane");
    heard_by(&mut lane)
}

/// How a reply with this script fails.
fn failure(script: Vec<Step>) -> Failure {
    failure_in(&heard(script))
}

fn fails(
    script: Vec<Step>,
    kind: FailureKind,
    status: Option<u16>,
    limit_ms: Option<u64>,
) -> String {
    let failure = failure(script);
    assert_eq!(
        (failure.kind, failure.status, failure.limit_ms),
        (kind, status, limit_ms),
        "{failure}"
    );
    failure.message
}

#[test]
fn a_good_reply_is_stamped_as_it_comes() {
    let all = heard(vec![
        stream_head(),
        Step::Wait(50),
        text("a"),
        Step::Wait(100),
        text("b"),
        finish("stop"),
        done(),
    ]);
    assert_eq!(answer(&all), "ab");
    assert_eq!(
        all.last().map(|last| &last.chunk),
        Some(&Chunk::End { complete: true, done: true })
    );
    let apart = all[1].at.t_ms - all[0].at.t_ms;
    assert!((90..2000).contains(&apart), "{apart} ms between the pieces");
    assert!(all[0].at.t_ms >= 50);
    let wall = all[1].at.wall_ms - all[0].at.wall_ms;
    assert!((90..2000).contains(&wall), "{wall} ms on the wall clock");
}

#[test]
fn chunks_of_one_read_share_a_stamp() {
    let all = heard(vec![write(
        "HTTP/1.1 200 OK\r\n\r\ndata: {\"choices\":[{\"delta\":{\"reasoning\":\"a\",\"content\":\"b\"}}]}\n\ndata: [DONE]\n\n",
    )]);
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|arrived| arrived.at == all[0].at));
}

#[test]
fn the_request_is_what_was_handed_over() {
    let server = Server::start(vec![vec![stream_head(), done()]]);
    let mut lane = lane_to(&server.base_url(), Some("sk-secret")).expect("a lane");
    heard_by(&mut lane);
    let request = server.seen(|seen| seen.requests[0].clone());
    let lower = request.to_ascii_lowercase();
    assert!(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n{\"model\":\"m\"}"), "{request}");
    assert!(lower.contains("authorization: bearer sk-secret\r\n"), "{request}");
    assert!(lower.contains("accept-encoding: identity\r\n"), "{request}");
    assert!(!format!("{lane:?}").contains("secret"), "{lane:?}");
}

#[test]
fn connection_refused() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let mut lane = lane_to(&format!("http://127.0.0.1:{port}/v1"), None).expect("a lane");
    let failure = failure_in(&heard_by(&mut lane));
    assert_eq!(failure.kind, FailureKind::Connect);
    let begin = format!("no connection to 127.0.0.1:{port}: ");
    assert!(
        failure.message.starts_with(&begin) && failure.message.contains("refused"),
        "{failure}"
    );
}

#[test]
fn an_unknown_host() {
    let mut lane = lane_to("http://no-such-host.invalid/v1", None).expect("a lane");
    let failure = failure_in(&heard_by(&mut lane));
    assert!(
        matches!(failure.kind, FailureKind::Connect | FailureKind::ConnectTimeout),
        "{failure:?}"
    );
}

#[test]
fn https_to_a_server_without_tls_is_a_clean_error() {
    let server = Server::start(vec![vec![head("200 OK", "text/plain"), done()]]);
    let url = server.base_url().replace("http://", "https://");
    // A machine without root certificates cannot make the lane; that too is an error, not a panic.
    if let Ok(mut lane) = lane_to(&url, None) {
        let failure = failure_in(&heard_by(&mut lane));
        let known = [FailureKind::Connect, FailureKind::ConnectTimeout];
        assert!(known.contains(&failure.kind), "{failure:?}");
    }
}

#[test]
fn a_connection_that_is_never_made() {
    // A server that takes the connection and never answers the TLS greeting.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    if let Ok(mut lane) = lane_to(&format!("https://127.0.0.1:{port}/v1"), None) {
        let failure = failure_in(&heard_by(&mut lane));
        assert_eq!(
            (failure.kind, failure.limit_ms),
            (FailureKind::ConnectTimeout, Some(200)),
            "{failure}"
        );
    }
}

#[test]
fn no_head_in_time() {
    let message = fails(vec![Step::Hang], FailureKind::FirstByteTimeout, None, Some(260));
    assert_eq!(message, "no reply within first_byte_ms = 260");
}

#[test]
fn a_head_that_comes_slowly() {
    let script = vec![write("HTTP/1.1 200 OK\r\n"), Step::Repeat(b"X-Slow: 1\r\n".to_vec(), 50)];
    fails(script, FailureKind::FirstByteTimeout, None, Some(260));
}

#[test]
fn silence_after_the_head() {
    let message =
        fails(vec![stream_head(), Step::Hang], FailureKind::StallTimeout, Some(200), Some(230));
    assert_eq!(message, "no text for stall_ms = 230");
}

#[test]
fn silence_after_text() {
    let all = heard(vec![stream_head(), text("a"), Step::Hang]);
    let failure = failure_in(&all);
    assert_eq!((failure.kind, failure.limit_ms), (FailureKind::StallTimeout, Some(230)));
    assert_eq!(answer(&all), "a");
}

#[test]
fn endless_keep_alives_are_silence() {
    let script = vec![stream_head(), text("a"), Step::Repeat(b": ping\n\n".to_vec(), 20)];
    fails(script, FailureKind::StallTimeout, Some(200), Some(230));
    let progress = b"data: {\"choices\":[],\"prompt_progress\":{\"processed\":1}}\n\n".to_vec();
    let script = vec![stream_head(), Step::Repeat(progress, 20)];
    fails(script, FailureKind::StallTimeout, Some(200), Some(230));
}

#[test]
fn text_without_end() {
    let piece = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n".to_vec();
    let script = vec![stream_head(), Step::Repeat(piece.clone(), 20)];
    let message = fails(script, FailureKind::TotalTimeout, Some(200), Some(900));
    assert_eq!(message, "not finished within total_ms = 900");
    let script = vec![stream_head(), Step::Repeat(piece.repeat(100), 0)];
    fails(script, FailureKind::TooLarge, Some(200), None);
}

#[test]
fn a_line_without_end() {
    let script = vec![stream_head(), write("data: "), Step::Repeat(vec![b'x'; 8000], 0)];
    let message = fails(script, FailureKind::TooLarge, Some(200), None);
    assert_eq!(message, "a line is longer than line_bytes = 20000");
}

#[test]
fn errors_of_the_server() {
    let json = "application/json";
    let page = |status, kind, body: &str| vec![head(status, kind), write(body)];
    let loading = page("503 Service Unavailable", json, r#"{"error":{"message":"Loading model"}}"#);
    assert_eq!(fails(loading, FailureKind::Status, Some(503), None), "Loading model");
    let broken = page("500 Internal Server Error", "text/plain", "it broke");
    assert_eq!(fails(broken, FailureKind::Status, Some(500), None), "HTTP 500: it broke");
    let busy = page("429 Too Many Requests", json, r#"{"error":"slow down"}"#);
    assert_eq!(fails(busy, FailureKind::Status, Some(429), None), "slow down");
    let mut silent = page("500 Internal Server Error", json, r#"{"error":"half"#);
    silent.push(Step::Reset);
    fails(silent, FailureKind::Status, Some(500), None);
    let endless = vec![head("404 Not Found", "text/plain"), Step::Repeat(vec![b'x'; 8000], 0)];
    fails(endless, FailureKind::Status, Some(404), None);
}

#[test]
fn an_error_inside_a_stream() {
    let script = vec![
        stream_head(),
        text("a"),
        write("data: {\"error\":{\"message\":\"engine died\"}}\n\n"),
        done(),
    ];
    assert_eq!(fails(script, FailureKind::InStream, Some(200), None), "engine died");
}

#[test]
fn a_stream_that_closes_early_is_incomplete() {
    let all = heard(vec![stream_head(), text("a")]);
    assert_eq!(
        all.last().map(|last| &last.chunk),
        Some(&Chunk::End { complete: false, done: false })
    );
    assert_eq!(answer(&all), "a");
}

#[test]
fn a_connection_that_breaks() {
    let chunked = write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    let message =
        fails(vec![chunked, write("5\r\ndata:\r\n")], FailureKind::Transfer, Some(200), None);
    assert!(message.starts_with("the connection broke: "), "{message}");
    let script = vec![stream_head(), text("a"), Step::Wait(50), Step::Reset];
    fails(script, FailureKind::Transfer, Some(200), None);
    let message = fails(vec![Step::Reset], FailureKind::Transfer, None, None);
    assert!(message.starts_with("no reply from 127.0.0.1:"), "{message}");
}

#[test]
fn a_finish_stands_whatever_follows() {
    let complete = Some(Chunk::End { complete: true, done: false });
    let end = |script| heard(script).pop().map(|last| last.chunk);
    assert_eq!(end(vec![stream_head(), text("a"), finish("stop")]), complete);
    assert_eq!(end(vec![stream_head(), text("a"), finish("stop"), Step::Hang]), complete);
    assert_eq!(
        end(vec![stream_head(), text("a"), finish("stop"), Step::Wait(50), Step::Reset]),
        complete
    );
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::start(vec![vec![stream_head(), done()]]);
    let location = other.base_url().replace("http://", "http://user:word@");
    let script = vec![write(&format!(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: {location}/chat?key=secret\r\nContent-Length: 0\r\n\r\n"
    ))];
    let message = fails(script, FailureKind::Redirect, Some(307), None);
    let shown = format!("HTTP 307: a redirect to {}/chat, not followed", other.base_url());
    assert_eq!(message, shown);
    assert_eq!(other.seen(|seen| seen.requests.len()), 0);
}

#[test]
fn what_is_no_stream() {
    let page = vec![head("200 OK", "text/html"), write("<html>log in</html>")];
    fails(page, FailureKind::NotAStream, Some(200), None);
    let garbage = vec![write("\u{0}\u{1}garbage\r\n\r\n")];
    fails(garbage, FailureKind::Transfer, None, None);
    let json = r#"{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}"#;
    let all = heard(vec![head("200 OK", "application/json"), write(json)]);
    assert_eq!(answer(&all), "4");
    assert_eq!(
        all.last().map(|last| &last.chunk),
        Some(&Chunk::End { complete: true, done: false })
    );
}

/// `data: {"choices":[{"delta":{"content":"4"},"finish_reason":"stop"}]}` and two line ends, in gzip.
const PACKED: &[u8] = include_bytes!("fixtures/one-event.gz");

#[test]
fn gzip_is_unpacked() {
    let packed = |bytes: &[u8]| {
        vec![
            write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"),
            Step::Write(bytes.to_vec()),
        ]
    };
    assert_eq!(answer(&heard(packed(PACKED))), "4");
    fails(packed(b"no gzip at all, but long enough"), FailureKind::Transfer, Some(200), None);
}

#[test]
fn a_key_is_never_repeated() {
    let body = r#"{"error":{"message":"Incorrect API key provided: sk-secret-0123."}}"#;
    let long = format!("{}sk-secret-0123", "x".repeat(395));
    let server = Server::start(vec![
        vec![head("401 Unauthorized", "application/json"), write(body)],
        vec![stream_head(), write(&format!("data: {{\"error\":\"{long}\"}}\n\n"))],
    ]);
    let mut lane = lane_to(&server.base_url(), Some("sk-secret-0123")).expect("a lane");
    let failure = failure_in(&heard_by(&mut lane));
    assert_eq!(failure.message, "Incorrect API key provided: [key].");
    let failure = failure_in(&heard_by(&mut lane));
    assert!(failure.message.ends_with("x[key]…"), "{failure}");
    assert!(matches!(lane_to(&server.base_url(), Some("a\nb")), Err(LaneError::Key)));
}

#[test]
fn a_cut_drops_the_connection_and_the_next_request_is_clean() {
    let piece = b"data: {\"choices\":[{\"delta\":{\"content\":\"old\"}}]}\n\n".to_vec();
    let server = Server::start(vec![
        vec![stream_head(), Step::Repeat(piece, 5)],
        vec![stream_head(), text("new"), done()],
    ]);
    let mut lane = lane_to(&server.base_url(), None).expect("a lane");
    run(async {
        lane.send(&json!({}));
        lane.next().await;
        lane.cut();
        let idle = tokio::time::timeout(Duration::from_millis(50), lane.next());
        assert!(idle.await.is_err(), "nothing comes without a request");
    });
    assert_eq!(answer(&heard_by(&mut lane)), "new");
    for _ in 0..100 {
        if server.seen(|seen| seen.hang_ups) == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the server never saw the hang-up");
}

#[test]
fn waiting_can_be_given_up_and_taken_up_again() {
    let server = Server::start(vec![vec![stream_head(), Step::Wait(60), text("a"), done()]]);
    let mut lane = lane_to(&server.base_url(), None).expect("a lane");
    let first = run(async {
        lane.send(&json!({}));
        loop {
            let next = tokio::time::timeout(Duration::from_millis(5), lane.next());
            if let Ok(arrived) = next.await {
                return arrived;
            }
        }
    });
    assert_eq!(answer(&[first]), "a");
}

#[test]
fn models_are_listed() {
    let json = "application/json";
    let server = Server::start(vec![
        vec![head("200 OK", json), write(r#"{"data":[{"id":"a"},{"id":"b"}]}"#)],
        vec![head("401 Unauthorized", json), write(r#"{"error":"who are you"}"#)],
        vec![Step::Hang],
    ]);
    let mut lane = lane_to(&server.base_url(), None).expect("a lane");
    let models = |lane: &mut HttpLane| run(lane.models()).map_err(|error| error.to_string());
    assert_eq!(models(&mut lane), Ok(vec!["a".into(), "b".into()]));
    assert_eq!(models(&mut lane), Err("who are you".into()));
    assert_eq!(models(&mut lane), Err("no reply within first_byte_ms = 260".into()));
    assert!(server.seen(|seen| seen.requests[0].starts_with("GET /v1/models HTTP/1.1\r\n")));
}
