//! A loopback server that does what a script says, for tests of the lane: timed writes, silence, garbage, breaks.
//!
//! It runs on a thread of its own and serves the connections in the order in which they come: the first gets the first
//! script, and so on; the last script serves all that follow.
#![allow(dead_code, clippy::allow_attributes, reason = "each test uses its part")]

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One thing that the server does with a connection.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Writes bytes.
    Write(Vec<u8>),
    /// Waits.
    Wait(u64),
    /// Writes the bytes again and again, with a wait between, until the client is gone.
    Repeat(Vec<u8>, u64),
    /// Keeps the connection open and silent until the client is gone.
    Hang,
    /// Breaks the connection with a reset instead of closing it in good order.
    Reset,
}

/// A running server. It ends with the test's process, or when it is dropped.
pub(crate) struct Server {
    port: u16,
    seen: Arc<Mutex<Seen>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

/// What clients did.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The requests, head and body, in the order in which they were read.
    pub(crate) requests: Vec<String>,
    /// Connections that the client closed while the server was waiting or writing.
    pub(crate) hang_ups: usize,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start(scripts: Vec<Vec<Step>>) -> Self {
        assert!(!scripts.is_empty(), "a server needs a script");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a socket for tokio");
        let port = listener.local_addr().expect("a bound socket").port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let of_thread = Arc::clone(&seen);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                tokio::select! {
                    () = accept(listener, scripts, of_thread) => {}
                    _ = stopped => {}
                }
            });
        });
        Self { port, seen, stop: Some(stop) }
    }

    /// Where its paths begin.
    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// What clients did so far.
    pub(crate) fn seen<T>(&self, read: impl Fn(&Seen) -> T) -> T {
        read(&self.seen.lock().expect("no panic in the server"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

async fn accept(listener: std::net::TcpListener, scripts: Vec<Vec<Step>>, seen: Arc<Mutex<Seen>>) {
    let listener = TcpListener::from_std(listener).expect("a socket for tokio");
    let mut next = 0;
    while let Ok((stream, _)) = listener.accept().await {
        let script = scripts[next.min(scripts.len() - 1)].clone();
        next += 1;
        tokio::spawn(serve(stream, script, Arc::clone(&seen)));
    }
}

async fn serve(mut stream: TcpStream, script: Vec<Step>, seen: Arc<Mutex<Seen>>) {
    let Some(request) = request(&mut stream).await else { return };
    seen.lock().expect("no panic in the server").requests.push(request);
    for step in script {
        if matches!(step, Step::Reset) {
            stream.set_zero_linger().expect("a socket option");
            return;
        }
        if !act(&mut stream, step).await {
            seen.lock().expect("no panic in the server").hang_ups += 1;
            return;
        }
    }
    let _ = stream.shutdown().await;
}

/// Does one step; false when the client is gone.
async fn act(stream: &mut TcpStream, step: Step) -> bool {
    match step {
        Step::Write(bytes) => stream.write_all(&bytes).await.is_ok(),
        Step::Wait(ms) => !gone(stream, Some(ms)).await,
        Step::Repeat(bytes, ms) => loop {
            if stream.write_all(&bytes).await.is_err() || gone(stream, Some(ms)).await {
                return false;
            }
        },
        Step::Hang => !gone(stream, None).await,
        Step::Reset => unreachable!("it ends the connection"),
    }
}

/// Waits, at most so long; true when the client hung up meanwhile.
async fn gone(stream: &mut TcpStream, ms: Option<u64>) -> bool {
    let mut byte = [0];
    let hang_up = stream.read(&mut byte);
    match ms {
        None => !matches!(hang_up.await, Ok(1)),
        Some(ms) => match tokio::time::timeout(Duration::from_millis(ms), hang_up).await {
            Ok(read) => !matches!(read, Ok(1)),
            Err(_) => false,
        },
    }
}

/// A request with its body.
async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
        }
    }
}

/// Writes text.
pub(crate) fn write(text: &str) -> Step {
    Step::Write(text.as_bytes().to_vec())
}

/// The head of a reply that ends when the connection closes.
pub(crate) fn head(status: &str, content_type: &str) -> Step {
    write(&format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nConnection: close\r\n\r\n"
    ))
}

/// The head of an event stream.
pub(crate) fn stream_head() -> Step {
    head("200 OK", "text/event-stream")
}

/// An event with a piece of the answer.
pub(crate) fn text(text: &str) -> Step {
    let event = serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    write(&format!("data: {event}\n\n"))
}

/// An event with the finish reason.
pub(crate) fn finish(reason: &str) -> Step {
    let event =
        serde_json::json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
    write(&format!("data: {event}\n\n"))
}

/// The end of a stream.
pub(crate) fn done() -> Step {
    write("data: [DONE]\n\n")
}
