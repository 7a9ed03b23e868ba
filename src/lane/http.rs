//! The lane to a real server, and the only file that knows HTTP.
//!
//! Requests run on a network thread of their own: a stamp is taken there the moment bytes arrive, however busy the
//! race's thread is with its terminal, its files or a judge. `reply` reads the bytes; what cannot be read, and every limit that
//! fires, is a [`Chunk::Failed`], never an error of ours. Each request has a connection of its own, so that none meets a
//! stale one; no redirect is followed, no proxy is used and no request is repeated.

mod body;
mod facts;
mod overhead;

use super::chunk::{Chunk, Failure, FailureKind, short};
use super::file::{LaneFile, Limits};
use super::limit::Limit;
use crate::clock::{Clock, Stamp};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION,
};
use reqwest::{Client, Method, RequestBuilder, Response, Url};
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};

pub use body::GATHER;
pub use facts::ServerFacts;
pub use overhead::overhead_us;

/// How long a listener rests after chunks, so that a fast stream wakes it by the batch and not by the piece. Stamps are
/// taken before; a deadline or Ctrl-C does not wait for it.
const REST: Duration = Duration::from_millis(4);

/// A chunk with the time at which its bytes arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// The time; chunks of one read share it.
    pub at: Stamp,
    /// What came.
    pub chunk: Chunk,
}

/// Why there is no lane, or no list of models.
#[derive(Debug, thiserror::Error)]
pub enum LaneError {
    /// The address of the lane file is none.
    #[error("`base_url` is no address: {0}")]
    Address(String),
    /// The key cannot stand in a header. It is not shown.
    #[error("the key holds a character that cannot be sent, perhaps a line end")]
    Key,
    /// TLS or the network thread could not be set up.
    #[error("the HTTP client cannot start: {0}")]
    Client(String),
    /// The server failed.
    #[error("{0}")]
    Failed(Failure),
}

/// A lane that asks a server. One request at a time.
#[derive(Debug)]
pub struct HttpLane {
    line: Line,
    jobs: UnboundedSender<Job>,
    reply: Option<UnboundedReceiver<Vec<Arrived>>>,
    /// What was taken from the network thread and not given yet.
    taken: VecDeque<Arrived>,
    rest_until: Option<Instant>,
}

/// What is needed to ask; shared by the two threads.
#[derive(Debug, Clone)]
struct Line {
    client: Client,
    base: Url,
    key: Option<Key>,
    limits: Limits,
    clock: Clock,
}

/// The key as a header. It shows itself to nobody.
#[derive(Clone)]
struct Key {
    header: HeaderValue,
    text: String,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// A request for the network thread. It is given up when nobody listens to the reply any more.
#[derive(Debug)]
struct Job {
    body: Vec<u8>,
    reply: UnboundedSender<Vec<Arrived>>,
}

impl HttpLane {
    /// A lane to the server of a lane file.
    ///
    /// # Errors
    /// The address or the key cannot be used, or the client cannot start.
    pub fn new(file: &LaneFile, api_key: Option<String>, clock: Clock) -> Result<Self, LaneError> {
        let base = Url::parse(&file.base_url).map_err(|e| LaneError::Address(e.to_string()))?;
        if base.host_str().is_none() {
            return Err(LaneError::Address("it names no host".into()));
        }
        let client = client(&base, &file.limits)?;
        let key = api_key.map(Key::new).transpose()?;
        let line = Line { client, base, key, limits: file.limits, clock };
        let (jobs, waiting) = unbounded_channel();
        let of_thread = line.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| LaneError::Client(error.to_string()))?;
        std::thread::Builder::new()
            .name("lane".into())
            // As a task: the runtime asks the system for news each time that a future beside its tasks is woken.
            .spawn(move || runtime.block_on(runtime.spawn(work(of_thread, waiting))))
            .map_err(|error| LaneError::Client(error.to_string()))?;
        Ok(Self { line, jobs, reply: None, taken: VecDeque::new(), rest_until: None })
    }

    /// Hands a request to the network thread and says when. A reply that is under way is cut first.
    pub fn send(&mut self, body: &Value) -> Stamp {
        self.cut();
        let (reply, arriving) = unbounded_channel();
        let job = Job { body: body.to_string().into_bytes(), reply };
        self.reply = Some(arriving);
        let at = self.line.clock.now();
        // A thread that is gone has dropped the other end: `next` says so.
        let _ = self.jobs.send(job);
        at
    }

    /// The next chunk of the reply; for ever pending when no request is under way. Cancel-safe.
    pub async fn next(&mut self) -> Arrived {
        loop {
            if let Some(arrived) = self.taken.pop_front() {
                return arrived;
            }
            let more = self.wait().await;
            self.taken.extend(more);
        }
    }

    /// All chunks that came since the last call; for ever pending when no request is under way. Of a fast stream it gives
    /// a batch every few milliseconds. Cancel-safe.
    pub async fn next_batch(&mut self) -> Vec<Arrived> {
        if let Some(until) = self.rest_until {
            tokio::time::sleep_until(until).await;
            self.rest_until = None;
        }
        let mut batch = self.arrived();
        if batch.is_empty() {
            batch = self.wait().await;
            batch.extend(self.arrived());
        }
        if self.reply.is_some() {
            self.rest_until = Some(Instant::now() + REST);
        }
        batch
    }

    /// What came and was not given yet, without waiting.
    pub fn arrived(&mut self) -> Vec<Arrived> {
        let mut all: Vec<Arrived> = self.taken.drain(..).collect();
        while let Some(more) = self.reply.as_mut().and_then(|reply| reply.try_recv().ok()) {
            self.end_after(&more);
            all.extend(more);
        }
        all
    }

    /// Drops the connection of the reply that is under way, and what has come of it unread.
    pub fn cut(&mut self) {
        self.reply = None;
        self.taken.clear();
        self.rest_until = None;
    }

    /// What the network thread hands over next.
    async fn wait(&mut self) -> Vec<Arrived> {
        let Some(reply) = &mut self.reply else { return std::future::pending().await };
        let more = reply.recv().await.unwrap_or_else(|| {
            let failure = Failure::new(FailureKind::Transfer, "the network thread is gone");
            vec![Arrived { at: self.line.clock.now(), chunk: Chunk::Failed { failure } }]
        });
        self.end_after(&more);
        more
    }

    /// Nothing is awaited after the end of a reply.
    fn end_after(&mut self, batch: &[Arrived]) {
        if batch.last().is_some_and(|last| last.chunk.ends()) {
            self.reply = None;
        }
    }
}

impl Key {
    fn new(text: String) -> Result<Self, LaneError> {
        let mut header =
            HeaderValue::from_str(&format!("Bearer {text}")).map_err(|_| LaneError::Key)?;
        header.set_sensitive(true);
        Ok(Self { header, text })
    }

    /// A text without the key, nor the beginning of it where the text was shortened.
    fn hidden(&self, text: &str) -> String {
        if self.text.is_empty() {
            return text.into();
        }
        let text = text.replace(&self.text, "[key]");
        let cut = text.strip_suffix('…').unwrap_or(&text);
        let begun = (4..self.text.len())
            .rev()
            .find_map(|length| cut.strip_suffix(self.text.get(..length)?));
        begun.map_or_else(|| text.clone(), |rest| format!("{rest}[key]…"))
    }
}

/// A client that does nothing behind our back.
fn client(base: &Url, limits: &Limits) -> Result<Client, LaneError> {
    // A second lane of the process finds the provider installed; that is no error.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("gauntlet/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_millis(limits.connect_ms))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .http1_only()
        .pool_max_idle_per_host(0);
    if base.scheme() == "http" {
        // A rig without root certificates races all the same.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| LaneError::Client(chain(&error)))
}

/// The network thread: one job after another, until the lane is dropped.
async fn work(line: Line, mut jobs: UnboundedReceiver<Job>) {
    while let Some(job) = jobs.recv().await {
        tokio::select! {
            biased;
            () = job.reply.closed() => {}
            () = line.answer(job.body, &job.reply) => {}
        }
    }
}

impl Line {
    /// A request to a path below the lane's address.
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let request = self.client.request(method, url).header(ACCEPT_ENCODING, "identity");
        match &self.key {
            Some(key) => request.header(AUTHORIZATION, key.header.clone()),
            None => request,
        }
    }

    /// One request, to the end of its reply.
    async fn answer(&self, body: Vec<u8>, reply: &UnboundedSender<Vec<Arrived>>) {
        let started = Instant::now();
        let request = self
            .request(Method::POST, "/chat/completions")
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .body(body);
        match self.head(request, started).await {
            Ok(response) => self.body(response, started, reply).await,
            Err(failure) => {
                self.hand_over(self.clock.now(), vec![Chunk::Failed { failure }], reply)
            }
        }
    }

    /// Sends a request and waits for the head of the reply.
    async fn head(&self, request: RequestBuilder, started: Instant) -> Result<Response, Failure> {
        let limit = Limit::first_byte(&self.limits);
        let response = match timeout_at(started + limit.at, request.send()).await {
            Err(_) => return Err(limit.failure()),
            Ok(Err(error)) => return Err(self.no_head(error, started)),
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let to = to.and_then(|text| response.url().join(text).ok()).map_or_else(
                || "nowhere".into(),
                |mut url| {
                    url.set_query(None);
                    let _ = url.set_username("").and_then(|()| url.set_password(None));
                    url.to_string()
                },
            );
            let what = format!("HTTP {}: a redirect to {to}, not followed", status.as_u16());
            let failure = Failure::new(FailureKind::Redirect, &what);
            return Err(failure.with_status(status.as_u16()));
        }
        Ok(response)
    }

    /// Some servers repeat the key that they refuse.
    fn without_key(&self, mut failure: Failure) -> Failure {
        if let Some(key) = &self.key {
            failure.message = key.hidden(&failure.message);
        }
        failure
    }

    /// Why there is no head.
    fn no_head(&self, error: reqwest::Error, started: Instant) -> Failure {
        let host = self.base.host_str().unwrap_or("");
        let port = self.base.port_or_known_default().unwrap_or(0);
        let limit = Limit::connect(&self.limits);
        if error.is_connect() && error.is_timeout() && started.elapsed() >= limit.at {
            return limit.failure();
        }
        let kind = if error.is_connect() { FailureKind::Connect } else { FailureKind::Transfer };
        let what = match kind {
            FailureKind::Connect => "no connection to",
            _ => "no reply from",
        };
        let why = chain(&error.without_url());
        Failure::new(kind, &format!("{what} {host}:{port}: {why}"))
    }
}

/// An error with its causes, in one bounded line, what only wraps left out.
fn chain(error: &reqwest::Error) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut next: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = next.filter(|_| said.len() < 8) {
        let text = error.to_string();
        if !said.contains(&text) {
            said.push(text);
        }
        next = error.source();
    }
    let wraps = |text: &str| {
        text.starts_with("error sending request")
            || text.starts_with("client error (")
            || text.starts_with("error decoding response body")
            || text.starts_with("request or response body error")
    };
    let causes: Vec<&str> = said.iter().map(String::as_str).filter(|text| !wraps(text)).collect();
    short(&if causes.is_empty() { said.join(": ") } else { causes.join(": ") }, 300)
}
