//! The rules of a range, one case each: limits to the millisecond, forced answers, cuts, failures, disturbances.
//!
//! A case is a script of stamped inputs for one ferry range (level 1, buzzer 20 s, window 15 s) and what the referee makes of it.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use gauntlet::clock::Stamp;
use gauntlet::course::Course;
use gauntlet::format;
use gauntlet::lane::chunk::{Channel, Chunk, Failure, FailureKind, Usage};
use gauntlet::lane::file::LaneFile;
use gauntlet::lane::request::{self, Purpose};
use gauntlet::race::fold::Hashes;
use gauntlet::race::input::Start;
use gauntlet::race::line::Chain;
use gauntlet::race::{Due, Event, Input, RaceResult, Reason, Referee, Status, fold};
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
enum Step {
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
}

use Step::{Answer, Ask, End, EndEarly, Fail, Finish, Stop, Think, Tick, Usage as Tokens};

struct Played {
    result: RaceResult,
    events: Vec<Event>,
    race_ms: u64,
}

fn course() -> Course {
    Course::plan(season::read("t.toml", SEASON).unwrap()).unwrap()
}

fn solution() -> String {
    course().ranges[0].task.solution()
}

/// Plays a script after a start and a zeroing that ends at 1000 ms; times are milliseconds after that.
fn play(script: Vec<(u64, Step)>) -> Played {
    play_with_wall(script, |t_ms| t_ms)
}

fn play_with_wall(script: Vec<(u64, Step)>, wall: impl Fn(u64) -> u64) -> Played {
    let course = course();
    let lane = LaneFile::parse("lane.toml", LANE).unwrap();
    let mut referee = Referee::new(&course, &lane);
    let start = Start {
        format: format::IO.written(),
        engine: "test".into(),
        race: "t-rig-attempt1".into(),
        attempt: 1,
        nonce: "n".into(),
        season_sha256: String::new(),
        lane_sha256: String::new(),
        host: None,
    };
    let mut chain = Chain::default();
    let mut lines = Vec::new();
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
        feed(&mut referee, t_ms, input);
    }
    let hashes = Hashes { log_sha256: String::new(), io_sha256: String::new() };
    let result = fold(&lines, &hashes).unwrap();
    let race_ms = lines.last().unwrap().race_ms;
    Played { result, events: lines.into_iter().map(|line| line.event).collect(), race_ms }
}

/// A zeroing reply: first token after `first` ms, 91 tokens in 900 ms, so 100 tokens a second.
fn zeroing(from_ms: u64, first: u64) -> Vec<(u64, Step)> {
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
fn range(played: &Played) -> String {
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

fn answered_at(end_ms: u64) -> Played {
    play(vec![(0, Ask), (50, Answer(solution())), (end_ms, Finish("stop")), (end_ms, End)])
}

#[test]
fn an_answer_at_the_limit_is_in_time_and_one_after_it_is_not() {
    for end_ms in [19_999, 20_000] {
        let expected = format!(
            "5 hits [hit, hit, hit, hit, hit] Complete thinking {end_ms} buzzer false range {}",
            end_ms + 7_200
        );
        assert_eq!(range(&answered_at(end_ms)), expected);
    }
    let late = play(vec![(0, Ask), (50, Answer(solution())), (20_001, End)]);
    assert!(matches!(
        late.events.last(),
        Some(Event::Buzzer { limit_ms: 20_000, overrun_ms: 1, .. })
    ));
}

#[test]
fn a_tick_at_the_limit_is_no_buzzer_yet() {
    let early = play(vec![(0, Ask), (20_000, Tick), (20_000, Answer(solution())), (20_000, End)]);
    assert!(range(&early).starts_with("5 hits"));
}

#[test]
fn a_forced_answer_is_charged_buzzer_and_its_own_time() {
    let played = play(vec![
        (0, Ask),
        (50, Think("hm")),
        (20_007, Tick),
        (20_010, Ask),
        (24_810, Answer(solution())),
        (24_810, Finish("stop")),
        (24_810, End),
    ]);
    assert_eq!(
        range(&played),
        "5 hits [hit, hit, hit, hit, hit] Forced thinking 24800 buzzer true range 32000"
    );
}

#[test]
fn the_hard_stop_charges_buzzer_and_window_exactly() {
    let base = |end_ms| {
        vec![(0, Ask), (20_001, Tick), (20_002, Ask), (end_ms, Answer(solution())), (end_ms, End)]
    };
    let at_limit = play(base(35_002));
    assert_eq!(
        range(&at_limit),
        "5 hits [hit, hit, hit, hit, hit] Forced thinking 35000 buzzer true range 42200"
    );
    let mut late = base(35_003);
    late.pop();
    assert_eq!(
        range(&play(late)),
        "0 hits [too late, too late, too late, too late, too late] None thinking 35000 buzzer true range 102200"
    );
}

#[test]
fn what_was_declared_before_the_buzzer_counts_where_the_forced_answer_is_silent() {
    let lines: Vec<String> = solution().lines().map(|line| format!("{line}\n")).collect();
    let played = play(vec![
        (0, Ask),
        (50, Answer(lines[..2].concat())),
        // A line without its end may be half a line.
        (60, Answer(lines[2].trim_end().to_owned())),
        (20_001, Tick),
        (20_002, Ask),
        (21_002, Answer(lines[4].clone())),
        (21_002, Finish("stop")),
        (21_002, End),
    ]);
    assert_eq!(
        range(&played),
        "3 hits [hit, hit, missing, missing, hit] Forced thinking 21000 buzzer true range 52200"
    );
}

#[test]
fn a_reply_at_its_token_limit_keeps_its_whole_lines() {
    let lines: Vec<String> = solution().lines().map(|line| format!("{line}\n")).collect();
    let cut = lines[..2].concat() + lines[2].trim_end();
    let played = play(vec![(0, Ask), (50, Answer(cut)), (900, Finish("length")), (900, End)]);
    assert_eq!(
        range(&played),
        "2 hits [hit, hit, cut off, cut off, cut off] CutOff thinking 900 buzzer false range 44100"
    );
    assert_eq!(played.result.cut_off, 3);
}

#[test]
fn a_reply_cut_in_its_thinking_is_cut_off() {
    let played = play(vec![(0, Ask), (50, Think("hm")), (900, Finish("length")), (900, End)]);
    assert!(
        range(&played).starts_with("0 hits [cut off, cut off, cut off, cut off, cut off] CutOff")
    );
}

#[test]
fn a_server_that_fails_or_leaves_is_its_own_reason() {
    for last in [Fail, EndEarly] {
        let first = solution().lines().next().unwrap().to_owned() + "\n";
        let played = play(vec![(0, Ask), (50, Answer(first)), (700, last)]);
        assert_eq!(
            range(&played),
            "1 hits [hit, server error, server error, server error, server error] None thinking 700 buzzer false range 55900"
        );
    }
}

#[test]
fn nothing_at_all_is_missing() {
    let played = play(vec![
        (0, Ask),
        (50, Answer("I do not know.".into())),
        (60, Finish("stop")),
        (60, End),
    ]);
    assert!(
        range(&played).starts_with("0 hits [missing, missing, missing, missing, missing] Complete")
    );
}

#[test]
fn the_last_readable_line_counts_and_thinking_does_not() {
    let right = solution();
    let text = format!("TARGET 1: A\n{right}TARGET 2: no idea\n");
    let played = play(vec![
        (0, Ask),
        (40, Think("TARGET 1: A\nTARGET 2: A\n")),
        (50, Answer(text)),
        (60, Finish("stop")),
        (60, End),
    ]);
    assert!(range(&played).starts_with("5 hits"), "{}", range(&played));
}

#[test]
fn after_a_cut_the_lane_is_awaited_outside_the_clock() {
    let played = play(vec![
        (0, Ask),
        (20_001, Tick),
        (20_002, Ask),
        (21_002, Answer(solution())),
        (21_002, End),
        // The first probe takes 5 s: the lane was still busy. The second one comes back at once.
        (21_100, Ask),
        (26_100, Answer("ok".into())),
        (26_100, End),
        (26_600, Tick),
        (26_600, Ask),
        (26_700, Answer("ok".into())),
        (26_700, End),
    ]);
    let idle = played.events.iter().find(|event| matches!(event, Event::Idle { .. }));
    assert_eq!(idle, Some(&Event::Idle { range: 1, waited_ms: 5_698, probes: 2, ready: true }));
    assert_eq!(played.race_ms, 10_400 + 21_000 + 7_200, "the wait is not charged");
}

#[test]
fn a_whole_race_adds_up() {
    let mut script =
        vec![(0, Ask), (50, Answer(solution())), (1_234, Finish("stop")), (1_234, End)];
    script.extend(zeroing(2_000, 100));
    let played = play(script);
    assert_eq!(played.result.status, Status::Finished);
    assert_eq!(played.result.finish_ms, Some(2 * 10_400 + 7_200 + 1_234));
    assert_eq!(played.result.course_ms, 20_800);
    assert_eq!(played.result.speed.unwrap().decode_mtps, Some(100_000));
}

#[test]
fn a_drift_or_a_suspended_machine_disturbs_the_race() {
    let script = |slow: u64| {
        let mut script =
            vec![(0, Ask), (50, Answer(solution())), (5_000, Finish("stop")), (5_000, End)];
        script.extend([
            (6_000, Ask),
            (6_100, Answer("one".into())),
            (7_000 + slow, Tokens(91)),
            (7_000 + slow, Finish("stop")),
            (7_000 + slow, End),
        ]);
        script
    };
    assert_eq!(play(script(140)).result.status, Status::Finished);
    assert_eq!(play(script(200)).result.status, Status::Disturbed);
    let suspended =
        play_with_wall(script(0), |t_ms| if t_ms > 5_000 { t_ms + 60_000 } else { t_ms });
    assert_eq!(suspended.result.status, Status::Disturbed);
    assert_eq!(
        suspended.result.notes,
        ["wall clock and race clock parted by 60000 ms inside a range"]
    );
}

#[test]
fn a_stopped_race_is_unfinished_and_a_lane_that_never_came_voids_it() {
    let stopped = play(vec![(0, Ask), (50, Think("hm")), (60, Stop)]);
    assert_eq!(stopped.result.status, Status::Unfinished);
    assert_eq!(stopped.result.finish_ms, None);
}

#[test]
fn inputs_that_fit_nothing_change_nothing() {
    let played = play(vec![
        (0, Tick),
        (0, End),
        (0, Answer("TARGET 1: A".into())),
        (0, Ask),
        (50, Answer(solution())),
        (60, Finish("stop")),
        (60, End),
        (61, Tick),
    ]);
    assert!(range(&played).starts_with("5 hits"));
    assert_eq!(played.result.ranges.len(), 1);
    let reasons: Vec<Reason> = played.result.ranges[0].targets.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [Reason::Hit; 5]);
    assert_eq!(
        played
            .events
            .iter()
            .filter(|it| matches!(it, Event::Request { purpose: Purpose::Main, .. }))
            .count(),
        1
    );
}
