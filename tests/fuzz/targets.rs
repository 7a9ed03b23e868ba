//! What strangers can hand us, each as a function of bytes: it must return, whatever the bytes are, and hold a law where there is
//! one. `main.rs` runs them over the corpus and mutations of it, `libfuzzer.rs` under libFuzzer.

use gauntlet::clock::Stamp;
use gauntlet::course::Course;
use gauntlet::lane::chunk::Chunk;
use gauntlet::lane::file::{LaneFile, Limits};
use gauntlet::lane::{reply::ReplyParser, request, think};
use gauntlet::publish::{find, redact, rules};
use gauntlet::puzzles::{Body, FAMILIES, Level, Seeds, Task, generate};
use gauntlet::race::fold::Hashes;
use gauntlet::race::ledger::{Entry, Ledger, race_id};
use gauntlet::race::line::{Chain, ChainReader, IoLine, LogLine};
use gauntlet::race::{Due, Input, RaceResult, Referee, extraction, fold};
use gauntlet::season::{self, Season, seal};
use gauntlet::standings::published;
use gauntlet::text;
use std::sync::OnceLock;

/// A function of any bytes.
pub(crate) type Target = fn(&[u8]);

/// The targets by name; each has a folder of that name in `corpus/`.
pub(crate) const TARGETS: &[(&str, Target)] = &[
    ("log", log),
    ("io", io),
    ("result", result),
    ("attempts", attempts),
    ("season", season),
    ("lane", lane),
    ("sse", sse),
    ("extraction", extract),
    ("published", read_published),
    ("publish", publish),
    ("shown", shown),
];

const SEASON: &str = include_str!("../../seasons/21.toml");
const LANE: &str = include_str!("../../lanes/real-qwen-1.5b.toml");

fn season_21() -> Season {
    season::read("21.toml", SEASON).expect("a shipped season")
}

fn course() -> &'static Course {
    static COURSE: OnceLock<Course> = OnceLock::new();
    COURSE.get_or_init(|| Course::plan(season_21()).expect("a shipped season"))
}

fn no_hashes() -> Hashes {
    Hashes { log_sha256: String::new(), io_sha256: String::new() }
}

/// Lines of a log: read with their chain, and each by itself, so that bytes get past the chain; those that are events are folded.
fn log(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut chain = ChainReader::default();
    let mut lines = Vec::new();
    for line in text.lines() {
        drop(chain.read::<LogLine>(line));
        let Ok(read) = serde_json::from_str::<LogLine>(line) else { continue };
        let written = serde_json::to_string(&read).expect("an event is written");
        assert_eq!(serde_json::from_str::<LogLine>(&written).ok().as_ref(), Some(&read));
        lines.push(read);
    }
    if let Some(result) = fold(&lines, &no_hashes()) {
        let again: RaceResult =
            serde_json::from_str(&result.to_json()).expect("a result reads back");
        assert_eq!(again, result);
    }
}

/// Lines of an io file, refereed as they come: a race that is run again must not fail on any of them.
fn io(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lane = LaneFile::parse("lane.toml", LANE).expect("a shipped lane");
    let mut referee = Referee::new(course(), &lane);
    let (mut chain, mut events, mut t_ms) = (Chain::default(), Vec::new(), 0);
    let mut reader = ChainReader::default();
    for line in text.lines() {
        drop(reader.read::<IoLine>(line));
        let Ok(read) = serde_json::from_str::<IoLine>(line) else { continue };
        let Ok(stamp) = read.stamp() else { continue };
        t_ms = stamp.t_ms.max(t_ms);
        let at = Stamp { t_ms, wall_ms: stamp.wall_ms };
        let admitted = match (&read.input, referee.due()) {
            (_, Due::Over) => false,
            (Input::Start { .. }, Due::Start) => true,
            (_, Due::Start) | (Input::Start { .. }, _) => false,
            (Input::Request { purpose, .. }, Due::Ask(ask)) => {
                drop(request::body(&lane, &ask));
                *purpose == ask.purpose
            }
            (Input::Request { .. }, _) => false,
            (Input::Judged { .. } | Input::JudgeFailed { .. }, due) => matches!(due, Due::Judge(_)),
            (Input::Chunk { .. }, due) => matches!(due, Due::Listen { .. }),
            _ => true,
        };
        if !admitted {
            continue;
        }
        for (race_ms, event) in referee.step(at, &read.input) {
            events.push(chain.log(at, race_ms, event));
        }
    }
    let mut reader = ChainReader::default();
    for (line, event) in &events {
        assert_eq!(reader.read::<LogLine>(line.trim_end()).as_ref(), Ok(event));
    }
    let lines: Vec<LogLine> = events.into_iter().map(|(_, event)| event).collect();
    drop(fold(&lines, &no_hashes()));
}

/// Lines of an attempts ledger: whatever stands there, the next entry goes on from it, and both read back as they were taken.
fn attempts(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = |lines: &[&str]| {
        let mut ledger = Ledger::default();
        lines.iter().for_each(|line| ledger.take(line));
        ledger
    };
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut ledger = read(&lines);
    let faults = ledger.faults.len();
    let entry = Entry::Started {
        race: race_id("fuzz", "x", u32::MAX),
        season: String::from("fuzz"),
        lane: String::from("x"),
        attempt: u32::MAX,
        wall: String::new(),
        head_sha256: String::new(),
    };
    let line = ledger.write(entry);
    lines.push(line.trim_end());
    let again = read(&lines);
    assert_eq!((&again.attempts, &again.faults), (&ledger.attempts, &ledger.faults));
    assert!(again.faults.len() <= faults + 2, "one line brings at most a broken chain and itself");
    for it in &again.attempts {
        assert!(!it.race.contains('/') && again.find(&it.race) == Some(it));
    }
}

fn result(bytes: &[u8]) {
    if let Ok(result) = serde_json::from_slice::<RaceResult>(bytes) {
        assert_eq!(serde_json::from_str::<RaceResult>(&result.to_json()).ok(), Some(result));
    }
}

/// A season that is read; sealing it and revealing it gives a season again, and the sealed one is refused.
fn season(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    drop(seal::read_sealed("s", &text));
    drop(seal::read_secret("s", &text));
    let Ok(season) = season::read("s", &text) else { return };
    if let Ok((sealed, secret)) = seal::seal("s", &text, &[7; 40]) {
        assert!(season::read("s", &sealed).is_err());
        let open = seal::reveal("s", &sealed, &secret).expect("its own secret opens it");
        let opened = season::read("s", &open).expect("an open season");
        assert_eq!(Season { seed: season.seed, seal: None, ..opened }, season);
    }
}

fn lane(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match LaneFile::parse("lane.toml", &text) {
        Ok(lane) => drop(Referee::new(course(), &lane)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A reply, its first byte the status and the shape, cut in pieces or whole: the same chunks, one end, bounded memory.
fn sse(bytes: &[u8]) {
    let Some((first, body)) = bytes.split_first() else { return };
    let status = if first & 1 == 0 { 200 } else { 500 };
    let kind = if first & 2 == 0 { "text/event-stream" } else { "application/json" };
    let limits = Limits { reply_bytes: 1 << 16, line_bytes: 1 << 12, ..Limits::default() };
    let parse = |size: usize| {
        let mut parser = ReplyParser::new(status, Some(kind), &limits);
        let mut out = Vec::new();
        body.chunks(size).for_each(|piece| parser.push(piece, &mut out));
        parser.finish(&mut out);
        out
    };
    let whole = parse(usize::MAX);
    assert!(
        whole.last().is_some_and(Chunk::ends) && whole.iter().filter(|it| it.ends()).count() == 1
    );
    let step = usize::from(*first >> 2).max(1);
    assert_eq!(parse(step), whole, "a reply cut every {step} bytes");
}

fn tasks() -> &'static [Task] {
    static TASKS: OnceLock<Vec<Task>> = OnceLock::new();
    TASKS.get_or_init(|| {
        let levels = [1, 5, 9].into_iter().filter_map(Level::new);
        let all = levels.flat_map(|level| FAMILIES.iter().map(move |family| (*family, level)));
        let task = |(family, level): (&'static dyn gauntlet::puzzles::Family, Level)| {
            let key = Seeds::task_key(7, "gauntlet-4", 0, family.name(), level);
            generate(family, level, key).ok()
        };
        all.filter_map(task).collect()
    })
}

/// An answer, its first byte the task: read, and judged where no sandbox is needed.
fn extract(bytes: &[u8]) {
    let Some((first, answer)) = bytes.split_first() else { return };
    let answer = String::from_utf8_lossy(answer);
    let task = &tasks()[usize::from(*first) % tasks().len()];
    let thought = think::split("", &answer);
    for whole in [true, false] {
        match &task.body {
            Body::Puzzle(puzzle) => {
                for it in extraction::declarations(&thought.answer, whole) {
                    drop(puzzle.check(it.target, &it.value));
                }
            }
            Body::Code(code) => drop(extraction::code(&thought.answer, code.function, whole)),
        }
    }
}

fn read_published(bytes: &[u8]) {
    static SEASON_21: OnceLock<Season> = OnceLock::new();
    let season = SEASON_21.get_or_init(season_21);
    drop(published::read("p", &String::from_utf8_lossy(bytes), season));
}

/// The finder of private things, its rule file, and what a published folder says of itself.
fn publish(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut known = find::Known::default();
    for hit in find::find(&text, &known.clone()) {
        find::learn(&text, &hit, &mut known);
    }
    let mut end = 0;
    for hit in find::find(&text, &known) {
        assert!(
            hit.range.start >= end && text.get(hit.range.clone()).is_some_and(|it| !it.is_empty())
        );
        end = hit.range.end;
    }
    drop(find::find_in_table(&text, &known));
    drop(rules::Rules::read("r", &text));
    if let (Ok(published), Ok(openings)) =
        (redact::Redactions::read(&text), redact::Openings::read(&text))
    {
        drop(published.opened(&openings));
    }
    #[cfg(feature = "cli")]
    drop(gauntlet::sign::Signed::read(&text).map(|signed| signed.holds()));
}

/// Text for a terminal: nothing that acts on the screen is left, and JSON stays the same JSON.
fn shown(bytes: &[u8]) {
    let said = String::from_utf8_lossy(bytes);
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}')
    };
    assert!(!text::shown(&said, usize::MAX).contains(acts));
    assert!(text::shown(&said, 10).chars().count() <= 10 * 10 + 3);
    assert!(text::shown_lines(&said).all(|line| !line.contains(acts)));
    let json = serde_json::to_string(&said).expect("a string is written");
    let safe = text::shown_json(&json);
    assert!(!safe.contains(acts));
    assert_eq!(serde_json::from_str::<String>(&safe).ok().as_deref(), Some(&*said));
}
