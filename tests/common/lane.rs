//! A lane under test: made in a line, and everything that it hears.

use gauntlet::clock::Clock;
use gauntlet::lane::chunk::{Channel, Chunk, Failure};
use gauntlet::lane::file::LaneFile;
use gauntlet::lane::http::{Arrived, HttpLane, LaneError};
use serde_json::json;
use std::time::Duration;

/// Limits that all differ, so that the value tells which one fired.
const LIMITS: &str = "[limits]\nconnect_ms = 200\nfirst_byte_ms = 260\nstall_ms = 230\ntotal_ms = 900\nreply_bytes = 100000\nline_bytes = 20000\n";

/// A lane to an address.
pub(crate) fn lane_to(base_url: &str, key: Option<&str>) -> Result<HttpLane, LaneError> {
    HttpLane::new(&file_of(base_url), key.map(str::to_owned), Clock::start())
}

/// The lane file of such a lane.
pub(crate) fn file_of(base_url: &str) -> LaneFile {
    let text = format!(
        "name = \"test\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"{base_url}\"\nmodel = \"m\"\n{LIMITS}"
    );
    LaneFile::parse("test.toml", &text).expect("a good lane file")
}

/// Runs a future to its end.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// Everything that a lane hears of one request.
pub(crate) fn heard_by(lane: &mut HttpLane) -> Vec<Arrived> {
    run(async {
        lane.send(&json!({"model": "m"}));
        let mut all = Vec::new();
        loop {
            let next = tokio::time::timeout(Duration::from_secs(20), lane.next());
            let arrived = next.await.expect("a reply ends");
            let last = arrived.chunk.ends();
            all.push(arrived);
            if last {
                return all;
            }
        }
    })
}

/// The failure at the end.
pub(crate) fn failure_in(all: &[Arrived]) -> Failure {
    match all.last().map(|arrived| arrived.chunk.clone()) {
        Some(Chunk::Failed { failure }) => failure,
        other => panic!("no failure: {other:?}"),
    }
}

/// The text of the answer.
pub(crate) fn answer(all: &[Arrived]) -> String {
    all.iter()
        .filter_map(|arrived| match &arrived.chunk {
            Chunk::Delta { channel: Channel::Answer, text } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}
