//! What a request costs besides the lane: the same client against a server in this process that answers at once.

use super::super::file::LaneFile;
use super::HttpLane;
use crate::clock::Clock;
use serde_json::Value;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Requests that are timed; the first ones warm up and do not count.
const REQUESTS: usize = 20;
const WARM_UP: usize = 5;
/// The longest that all of it may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// The reply of the server: head, one piece of text, a finish.
const REPLY: &str = concat!(
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: [DONE]\n\n"
);

/// The median time from handing a request of this body over to hearing the end of its reply, in microseconds. Nothing where
/// this machine has no loopback network, or is far too busy.
pub async fn overhead_us(lane: &LaneFile, body: &Value) -> Option<u64> {
    tokio::time::timeout(PATIENCE, measured(lane, body)).await.ok()?
}

async fn measured(lane: &LaneFile, body: &Value) -> Option<u64> {
    let listener = TcpListener::bind("127.0.0.1:0").await.ok()?;
    let port = listener.local_addr().ok()?.port();
    let here = LaneFile { base_url: format!("http://127.0.0.1:{port}/v1"), ..lane.clone() };
    let clock = Clock::start();
    let mut lane = HttpLane::new(&here, None, clock).ok()?;
    let server = async {
        while let Ok((stream, _)) = listener.accept().await {
            answer(stream).await;
        }
        None
    };
    let client = async {
        let mut took_us = Vec::new();
        for _ in 0..REQUESTS {
            let from_us = clock.micros();
            lane.send(body);
            while !lane.next().await.chunk.ends() {}
            took_us.push(clock.micros().saturating_sub(from_us));
        }
        let mut counted = took_us.split_off(WARM_UP);
        counted.sort_unstable();
        counted.get(counted.len() / 2).copied()
    };
    tokio::select! {
        none = server => none,
        median = client => median,
    }
}

/// Reads a request to its end and answers it.
async fn answer(mut stream: TcpStream) {
    let mut request = Vec::new();
    let mut piece = [0; 16 << 10];
    loop {
        match stream.read(&mut piece).await {
            Ok(count) if count > 0 => request.extend_from_slice(&piece[..count]),
            _ => return,
        }
        if is_whole(&request) {
            break;
        }
    }
    // A client that is gone has had its time.
    if stream.write_all(REPLY.as_bytes()).await.is_ok() {
        stream.shutdown().await.unwrap_or_default();
    }
}

/// Whether a request has all the bytes that its head announces.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    request.len() >= head.len() + 4 + length.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_to_ourselves_takes_some_time_and_not_much() {
        let text = "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"http://192.0.2.1/v1\"\nmodel = \"m\"\n";
        let lane = LaneFile::parse("x.toml", text).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let body = serde_json::json!({"messages": "x".repeat(40_000)});
        let us = runtime.block_on(overhead_us(&lane, &body)).unwrap();
        assert!(us > 10 && us < 3_000_000, "{us} us");
    }

    #[test]
    fn a_request_is_whole_by_its_own_word() {
        assert!(!is_whole(b"POST / HTTP/1.1\r\nContent-Length: 3\r\n"));
        assert!(!is_whole(b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab"));
        assert!(is_whole(b"POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc"));
    }
}
