//! Plays scripts of stamped inputs to the referee, for the cases beside it.

use gauntlet::clock::Stamp;
use gauntlet::course::Course;
use gauntlet::format;
use gauntlet::lane::chunk::{Channel, Chunk, Failure, FailureKind, Usage};
use gauntlet::lane::file::LaneFile;
use gauntlet::lane::request;
use gauntlet::race::fold::Hashes;
use gauntlet::race::input::{RULES, Start};
use gauntlet::race::line::Chain;
use gauntlet::race::{Due, Event, Input, RaceResult, Referee, fold};
use gauntlet::season;

const SEASON: &str = r#"
format = { name = "gauntlet-season", major = 1, minor = 0 }
name = "t"
title = "Test"
seed = 21
prompt_version = "gauntlet-4"
status = "ranked"
clock_gap_ms = 250
memory_classes_gb = [8, 128]
course = { legs_ms = [10400, 10400], range_overhead_ms = 7200, targets = 5 }
forced = { window_ms = 15000, notes_chars = 2000, limit_tokens = 2048 }
zeroing = { limit_tokens = 96, limit_ms = 120000, drift_percent = 15 }
idle = { limit_ms = 120000, slack_ms = 500, pause_ms = 500 }
[levels.1]
loop_ms = 12000
buzzer_ms = 20000
[[range]]
family = "river-ferry"
level = 1
"#;

const LANE: &str = "name = \"rig\"\nkind = \"http\"\nmemory_gb = 128\n\
    base_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";

/// A step of a script.
pub(crate) enum Step {
    /// Hands over what is due.
    Ask,
    Answer(String),
    Think(&'static str),
    Finish(&'static str),
    Usage(u64),
    End,
    EndEarly,
    Fail,
    Tick,
    Stop,
    /// A sample of foreign load, by its number.
    Load(u64),
}

use Step::{Answer, Ask, End, EndEarly, Fail, Finish, Load, Stop, Think, Tick, Usage as Tokens};

pub(crate) struct Played {
    pub(crate) result: RaceResult,
    pub(crate) events: Vec<Event>,
    pub(crate) race_ms: u64,
    /// The bodies of all requests.
    pub(crate) asked: Vec<serde_json::Value>,
}

pub(crate) fn course() -> Course {
    Course::plan(season::read("t.toml", SEASON).unwrap()).unwrap()
}

pub(crate) fn solution() -> String {
    course().ranges[0].task.solution()
}

/// Plays a script after a start and a zeroing that ends at 1000 ms; times are milliseconds after that.
pub(crate) fn play(script: Vec<(u64, Step)>) -> Played {
    play_with("", script, |t_ms| t_ms)
}

/// The same with more lines of the lane file, and with another wall clock.
pub(crate) fn play_with(more: &str, script: Vec<(u64, Step)>, wall: impl Fn(u64) -> u64) -> Played {
    play_by(RULES, more, script, wall)
}

/// The same by a revision of the rules.
pub(crate) fn play_by(
    rules: u32,
    more: &str,
    script: Vec<(u64, Step)>,
    wall: impl Fn(u64) -> u64,
) -> Played {
    let course = course();
    let lane = LaneFile::parse("lane.toml", &format!("{LANE}{more}")).unwrap();
    let mut referee = Referee::new(&course, &lane);
    let start = Start {
        format: format::IO.written(),
        engine: "test".into(),
        race: "t-rig-attempt1".into(),
        attempt: 1,
        nonce: "n".into(),
        season_sha256: String::new(),
        lane_sha256: String::new(),
        rules: Some(rules),
        host: None,
        allow_unconfined: None,
    };
    let mut chain = Chain::default();
    let mut lines = Vec::new();
    let mut asked = Vec::new();
    let mut feed = |referee: &mut Referee<'_>, t_ms: u64, input: Input| {
        let at = Stamp { t_ms, wall_ms: i64::try_from(wall(t_ms)).unwrap() };
        for (race_ms, event) in referee.step(at, &input) {
            lines.push(chain.log(at, race_ms, event).1);
        }
    };
    feed(&mut referee, 0, Input::Start { start });
    let zeroing = zeroing(0, 100);
    for (t_ms, step) in zeroing.into_iter().chain(script.into_iter().map(|(t, s)| (t + 1_000, s))) {
        let input = input(&referee, &lane, step);
        if let Input::Request { body, .. } = &input {
            asked.push(body.clone());
        }
        feed(&mut referee, t_ms, input);
    }
    let hashes = Hashes { log_sha256: String::new(), io_sha256: String::new() };
    let result = fold(&lines, &hashes).unwrap();
    let race_ms = lines.last().unwrap().race_ms;
    Played { result, events: lines.into_iter().map(|line| line.event).collect(), race_ms, asked }
}

/// A zeroing reply: first token after `first` ms, 91 tokens in 900 ms, so 100 tokens a second.
pub(crate) fn zeroing(from_ms: u64, first: u64) -> Vec<(u64, Step)> {
    vec![
        (from_ms, Ask),
        (from_ms + first, Answer("one".into())),
        (from_ms + first + 900, Finish("stop")),
        (from_ms + first + 900, Tokens(91)),
        (from_ms + first + 900, End),
    ]
}

fn input(referee: &Referee<'_>, lane: &LaneFile, step: Step) -> Input {
    let chunk = match step {
        Ask => {
            let Due::Ask(ask) = referee.due() else {
                panic!("nothing to ask: {:?}", referee.due())
            };
            let body = request::body(lane, &ask);
            return Input::Request { purpose: ask.purpose, body };
        }
        Tick => return Input::Tick,
        Stop => return Input::Interrupt,
        Load(sample) => {
            return Input::Load { sample, process: "make\u{1b}".into(), percent: 80 };
        }
        Answer(text) => Chunk::Delta { channel: Channel::Answer, text },
        Think(text) => Chunk::Delta { channel: Channel::Reasoning, text: text.into() },
        Finish(reason) => Chunk::Finish { reason: reason.into() },
        Tokens(count) => Chunk::Usage {
            usage: Usage {
                prompt_tokens: Some(10),
                completion_tokens: Some(count),
                reasoning_tokens: None,
                cached_tokens: None,
                raw: serde_json::Value::Null,
            },
        },
        End => Chunk::End { complete: true, done: true },
        EndEarly => Chunk::End { complete: false, done: false },
        Fail => Chunk::Failed { failure: Failure::new(FailureKind::InStream, "out of memory") },
    };
    Input::Chunk { chunk }
}

/// The range in one line: `hits reasons answer thinking buzzer range`.
pub(crate) fn range(played: &Played) -> String {
    let range = &played.result.ranges[0];
    let reasons: Vec<&str> = range.targets.iter().map(|target| target.reason.word()).collect();
    format!(
        "{} hits [{}] {:?} thinking {} buzzer {} range {}",
        range.hits,
        reasons.join(", "),
        range.answer,
        range.thinking_ms,
        range.buzzer,
        range.range_ms
    )
}
