//! What the lane costs and how true its stamps are, against a loopback server that streams at a set rate; beside it, in the same
//! run, the Python `openai` client where it can be had. See benches/README.md.
#![expect(clippy::disallowed_methods, reason = "a bench measures")]
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail")]

use gauntlet::clock::Clock;
use gauntlet::drive::live::wake;
use gauntlet::lane::chunk::Chunk;
use gauntlet::lane::file::LaneFile;
use gauntlet::lane::http::{Arrived, GATHER, HttpLane};
use gauntlet::race::Input;
use gauntlet::race::line::Chain;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Deltas a second and how many of them; 0 is as fast as the server can write.
const RUNS: [(u64, u64); 4] = [(100, 300), (1_000, 3_000), (10_000, 50_000), (0, 100_000)];

/// Buzzers at 10,000 deltas a second, and their limit.
const BUZZERS: usize = 200;
const LIMIT_MS: u64 = 50;

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::Builder::new().name("server".into()).spawn(move || serve(&listener)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    println!("load before: {}", load());
    println!(
        "client    deltas/s  deltas   network us  with io us  first err ms  end err ms  most err ms; bare read: at once, and every 0.8 ms"
    );
    for (rate, deltas) in RUNS {
        let ours = runtime.block_on(stream(&base_url, rate, deltas));
        println!(
            "gauntlet  {rate:>8}  {deltas:>6}  {:>11}  {:>10}  {:>12}  {:>10}  {:>11}",
            thousandths(ours.lane_ns / deltas),
            thousandths((ours.lane_ns + ours.desk_ns) / deltas),
            ours.first_ms,
            ours.end_ms,
            ours.most_ms,
        );
        println!(
            "bare read {rate:>8}  {deltas:>6}  {:>11}  {:>10}",
            thousandths(bare_read(&base_url, rate, deltas, Duration::ZERO) / deltas),
            thousandths(bare_read(&base_url, rate, deltas, GATHER) / deltas),
        );
        match python(&base_url, rate, deltas) {
            Ok(theirs) => {
                let cpu_ns = theirs["cpu_ns"].as_u64().unwrap() / deltas;
                let ratio = cpu_ns * 10 / ((ours.lane_ns + ours.desk_ns) / deltas).max(1);
                println!(
                    "openai    {rate:>8}  {deltas:>6}  {:>11}  {:>10}  {:>12}  {:>10}  {:>11}  {}.{} x",
                    thousandths(cpu_ns),
                    "-",
                    theirs["first_ms"],
                    theirs["end_ms"],
                    theirs["most_ms"],
                    ratio / 10,
                    ratio % 10,
                );
            }
            Err(why) => println!("openai    skipped: {why}"),
        }
    }
    println!("us late, {BUZZERS} times {LIMIT_MS} ms beside 10000 deltas/s");
    for (who, mut late) in [
        ("buzzer", runtime.block_on(buzzers(&base_url))),
        ("bare sleep of the system", bare(&base_url)),
    ] {
        late.sort_unstable();
        let at = |percent: usize| late[(late.len() - 1) * percent / 100];
        println!(
            "{who}: least {}, median {}, p90 {}, p99 {}, most {}",
            late[0],
            at(50),
            at(90),
            at(99),
            at(100)
        );
    }
    println!("load after: {}", load());
}

/// What one stream cost, and how far stamps were off the server's own, in ms.
struct Cost {
    lane_ns: u64,
    desk_ns: u64,
    first_ms: i64,
    end_ms: i64,
    most_ms: i64,
}

/// An io file as a race writes it.
struct Io {
    chain: Chain,
    file: std::fs::File,
}

impl Io {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("gauntlet-bench-{}", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        Self { chain: Chain::default(), file }
    }

    fn write(&mut self, batch: Vec<Arrived>) {
        let mut lines = String::new();
        for Arrived { at, chunk } in batch {
            self.chain.io_into(at, &Input::Chunk { chunk }, &mut lines);
        }
        self.file.write_all(lines.as_bytes()).unwrap();
    }
}

fn lane(base_url: &str) -> (HttpLane, Clock) {
    let text = format!(
        "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"{base_url}\"\nmodel = \"m\"\n"
    );
    let clock = Clock::start();
    (HttpLane::new(&LaneFile::parse("x", &text).unwrap(), None, clock).unwrap(), clock)
}

/// Listens as a race does: each chunk becomes its chained line of io.jsonl, each batch one write to a file.
async fn stream(base_url: &str, rate: u64, deltas: u64) -> Cost {
    let (mut lane, _) = lane(base_url);
    let (lane_before, desk_before) = (cpu_ns("lane"), own_ns());
    lane.send(&json!({"rate": rate, "deltas": deltas}));
    let mut io = Io::new();
    let (mut first, mut last, mut most, mut count, mut ends) = (None, None, 0, 0, false);
    while !ends {
        let batch = lane.next_batch().await;
        ends = batch.last().is_some_and(|last| last.chunk.ends());
        for arrived in &batch {
            if let Chunk::Delta { text, .. } = &arrived.chunk {
                let off = arrived.at.wall_ms - text.trim().parse::<i64>().unwrap() / 1_000;
                first.get_or_insert(off);
                last = Some(off);
                most = off.abs().max(most);
                count += 1;
            }
        }
        io.write(batch);
    }
    assert_eq!(count, deltas, "every delta came");
    let (lane_ns, desk_ns) = (cpu_ns("lane") - lane_before, own_ns() - desk_before);
    Cost { lane_ns, desk_ns, first_ms: first.unwrap(), end_ms: last.unwrap(), most_ms: most }
}

/// How late a timer that waits beside a fast stream, as the live driver's does, is told of its limit, in microseconds.
async fn buzzers(base_url: &str) -> Vec<i128> {
    let mut all = Vec::new();
    for _ in 0..BUZZERS {
        let (mut lane, clock) = lane(base_url);
        let sent_at = Instant::now();
        let sent = lane.send(&json!({"rate": 10_000, "deltas": 100_000}));
        let until_ms = sent.t_ms + LIMIT_MS + 1;
        let mut io = Io::new();
        loop {
            let at = tokio::select! {
                biased;
                batch = lane.next_batch() => {
                    let at = batch.last().unwrap().at;
                    io.write(batch);
                    at
                }
                () = wake(&clock, Some(until_ms)) => {
                    io.write(lane.arrived());
                    clock.now()
                }
            };
            // The referee's rule: the first input after the limit.
            if at.t_ms - sent.t_ms > LIMIT_MS {
                lane.cut();
                let took_us = i128::try_from(sent_at.elapsed().as_micros()).unwrap();
                all.push(took_us - i128::from(LIMIT_MS) * 1_000);
                break;
            }
        }
    }
    all
}

/// CPU time of a thread that only reads the same stream into a buffer, resting so long after each read: what the system alone takes.
fn bare_read(base_url: &str, rate: u64, deltas: u64, rest: Duration) -> u64 {
    let address = base_url.trim_start_matches("http://").trim_end_matches("/v1");
    let mut stream = TcpStream::connect(address).unwrap();
    let body = json!({"rate": rate, "deltas": deltas}).to_string();
    let head = format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).unwrap();
    let before = own_ns();
    let mut buffer = vec![0; 1 << 16];
    while stream.read(&mut buffer).unwrap() > 0 {
        std::thread::sleep(rest);
    }
    own_ns() - before
}

/// How late a thread that does nothing but sleep is beside the same stream: what the machine itself costs a buzzer.
fn bare(base_url: &str) -> Vec<i128> {
    let once = |_| {
        let (mut lane, _) = lane(base_url);
        lane.send(&json!({"rate": 10_000, "deltas": 100_000}));
        let limit = Duration::from_millis(LIMIT_MS);
        let began = Instant::now();
        std::thread::sleep(limit);
        i128::try_from((began.elapsed() - limit).as_micros()).unwrap()
    };
    (0..BUZZERS).map(once).collect()
}

/// The Python client against the same server.
fn python(base_url: &str, rate: u64, deltas: u64) -> Result<Value, String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let usual = format!("{home}/.cache/gauntlet-bench-venv/bin/python");
    let python = std::env::var("GAUNTLET_BENCH_PYTHON").unwrap_or(usual);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/openai_client.py");
    let run = std::process::Command::new(&python)
        .args([script, base_url, &rate.to_string(), &deltas.to_string()])
        .output()
        .map_err(|error| format!("{python}: {error}; set GAUNTLET_BENCH_PYTHON"))?;
    serde_json::from_slice(&run.stdout)
        .map_err(|_| String::from_utf8_lossy(&run.stderr).lines().last().unwrap_or("").to_owned())
}

/// CPU time of this process's threads of that name.
fn cpu_ns(name: &str) -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let of = |path: std::path::PathBuf| {
        let comm = std::fs::read_to_string(path.join("comm")).ok()?;
        (comm.trim() == name).then(|| schedstat(&path.join("schedstat")))
    };
    tasks.filter_map(|task| of(task.ok()?.path())).sum()
}

/// CPU time of this thread.
fn own_ns() -> u64 {
    schedstat(std::path::Path::new("/proc/thread-self/schedstat"))
}

fn schedstat(path: &std::path::Path) -> u64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim().to_owned()
}

fn thousandths(ns: u64) -> String {
    format!("{}.{:02}", ns / 1_000, ns % 1_000 / 10)
}

fn serve(listener: &TcpListener) {
    for stream in listener.incoming() {
        let stream = stream.unwrap();
        let thread = std::thread::Builder::new().name("server".into());
        // A client that hangs up ends its thread.
        thread.spawn(move || drop(answer(stream))).unwrap();
    }
}

/// Streams the deltas that the request asks for; each holds the wall clock at its writing, in microseconds.
fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body)?;
    let (rate, deltas) = (body["rate"].as_u64().unwrap(), body["deltas"].as_u64().unwrap());
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes())?;
    let began = Instant::now();
    for number in 0..deltas {
        if let Some(due_ns) = (number * 1_000_000_000).checked_div(rate) {
            let due = began + Duration::from_nanos(due_ns);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        let now_us = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
        let event = format!(
            "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\
             \"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{now_us} \"}},\"finish_reason\":null}}]}}\n\n"
        );
        stream.write_all(event.as_bytes())?;
    }
    let end = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\
               \"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    stream.write_all(end.as_bytes())
}
