//! The look before a race: the lane answers, or the race does not begin and nothing is written.

use super::{Failure, out};
use crate::clock::Clock;
use crate::lane::chunk::{Chunk, FailureKind};
use crate::lane::file::LaneFile;
use crate::lane::http::HttpLane;
use crate::lane::request;
use crate::race::prompts;

/// How long a server that is still loading its model is awaited before the start.
const LOADING_MS_MAX: u64 = 300_000;

/// Pause between two looks at a server that is loading.
const LOADING_PAUSE_MS: u64 = 1_000;

/// Sees that the lane answers before anything is written; a server that is loading its model is awaited.
pub(super) async fn reach(
    http: &mut HttpLane,
    lane: &LaneFile,
    clock: &Clock,
) -> Result<(), Failure> {
    let body = request::body(lane, &prompts::probe("You are about to race."));
    let began = clock.now();
    let mut said_loading = false;
    loop {
        http.send(&body);
        let failure = loop {
            match http.next().await.chunk {
                Chunk::End { complete: true, .. } => return Ok(()),
                Chunk::End { .. } => break None,
                Chunk::Failed { failure } => break Some(failure),
                _ => {}
            }
        };
        let waited_ms = clock.now().t_ms.saturating_sub(began.t_ms);
        let loading = failure.as_ref().is_some_and(|failure| failure.status == Some(503));
        if loading && waited_ms < LOADING_MS_MAX {
            if !said_loading {
                out::note("the server is loading its model; waiting");
            }
            said_loading = true;
            tokio::time::sleep(std::time::Duration::from_millis(LOADING_PAUSE_MS)).await;
            continue;
        }
        let base_url = &lane.base_url;
        let (what, hint) = match failure {
            Some(failure) => {
                let hint = match (failure.kind, failure.status) {
                    (FailureKind::Connect | FailureKind::ConnectTimeout, _) => {
                        "start the server, or mend base_url in the lane file"
                    }
                    (_, Some(404)) => {
                        "is base_url right (it usually ends in /v1), and does the server know the model?"
                    }
                    (_, Some(401 | 403)) => {
                        "the server wants a key: name its environment variable by api_key_env"
                    }
                    (_, Some(400)) => {
                        "the server refuses the request: see what it says, and the fields of the lane file"
                    }
                    _ => "see the server's own log",
                };
                let said = crate::text::shown(&failure.message, 400);
                match failure.status {
                    Some(status) => (format!("answered with HTTP {status}: {said}"), hint),
                    None => (format!("did not answer: {said}"), hint),
                }
            }
            None => (
                String::from("did not answer: the stream ended without a finish reason"),
                "see the server's own log",
            ),
        };
        return Err(Failure::Lane {
            what: format!("the lane at {base_url} {what}"),
            hint: format!("{hint}; `gauntlet lane check` looks closer. Nothing was written"),
        });
    }
}
