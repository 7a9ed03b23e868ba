//! Races for the tests of the views: logs written event by event from a race's splits, and a pacer's from the real referee.

use super::state::RangeView;
use crate::clock::Stamp;
use crate::course::Course;
use crate::drive::{Desk, Sink, on_paper};
use crate::format;
use crate::judge::job::{Job, Judgement, Run, RunVerdict};
use crate::lane::chunk::Channel;
use crate::lane::file::LaneFile;
use crate::lane::request::Purpose;
use crate::lane::sim::Pacer;
use crate::puzzles::Kind;
use crate::race::event::{Answer, Disturbance, Event, LaneFacts, Reason, Started, Verdict};
use crate::race::fold::{Hashes, fold};
use crate::race::input::Start;
use crate::race::line::{Chain, LogLine};
use crate::race::scoring::{range_ms, shot_after_ms};
use crate::race::{Input, RaceResult, Referee};
use crate::season::{self, SeasonStatus};
use std::convert::Infallible;

const LEG_MS: u64 = 10_400;
const OVERHEAD_MS: u64 = 7_200;

/// One range of season 21 in short: thinking, whether the buzzer went, how the answer came, and the targets as `o` and `x`.
pub(super) struct Split(pub u64, pub bool, pub Answer, pub &'static str);

/// The ranges of season 21.
const RANGES: [(&str, Kind, u8, u64, u64); 4] = [
    ("river-ferry", Kind::Puzzle, 1, 20_000, 12_000),
    ("painter", Kind::Code, 2, 30_000, 12_000),
    ("bench-seating", Kind::Puzzle, 3, 40_000, 15_000),
    ("snake", Kind::Code, 4, 60_000, 15_000),
];

/// The published race of one DGX Spark.
pub(super) fn spark() -> Vec<LogLine> {
    log(
        "Gemma 4 31B, DGX Spark",
        &[
            Split(35_000, true, Answer::None, "xxxxx"),
            Split(8_800, false, Answer::Complete, "oooxx"),
            Split(13_800, false, Answer::Complete, "ooooo"),
            Split(21_900, false, Answer::Complete, "oxoxo"),
        ],
    )
}

/// The published race of a Mac Studio.
pub(super) fn mac() -> Vec<LogLine> {
    log(
        "Mac Studio",
        &[
            Split(24_800, true, Answer::Forced, "xoxoo"),
            Split(3_400, false, Answer::Complete, "oxoxx"),
            Split(3_800, false, Answer::Complete, "ooooo"),
            Split(7_700, false, Answer::Complete, "oxoxo"),
        ],
    )
}

/// The published race of Nemotron: hardly any thinking, and 19 loops.
pub(super) fn nemotron() -> Vec<LogLine> {
    log(
        "Nemotron",
        &[
            Split(2_200, false, Answer::Complete, "xxxxx"),
            Split(500, false, Answer::Complete, "xxxxx"),
            Split(400, false, Answer::Complete, "xxxxo"),
            Split(3_100, false, Answer::CutOff, "xxxxx"),
        ],
    )
}

/// The same log with a clock that was set during the race.
pub(super) fn disturbed(log: Vec<LogLine>) -> Vec<LogLine> {
    let mut timed: Vec<(u64, Event)> = log.into_iter().map(|it| (it.race_ms, it.event)).collect();
    let finish = timed.pop().expect("a finish");
    timed.push((finish.0, Event::Disturbed { why: Disturbance::Clocks, by: 61_204 }));
    timed.push(finish);
    chained(timed)
}

pub(super) fn result(log: &[LogLine]) -> RaceResult {
    let hashes = Hashes { log_sha256: String::new(), io_sha256: String::new() };
    fold(log, &hashes).expect("a start")
}

/// The course of season 21 before a race.
pub(super) fn course() -> Vec<RangeView> {
    RANGES
        .iter()
        .map(|(family, kind, level, buzzer_ms, _)| {
            RangeView::ahead(family, *kind, *level, 5, Some(*buzzer_ms))
        })
        .collect()
}

fn log(name: &str, splits: &[Split]) -> Vec<LogLine> {
    let mut out = vec![(0, started(name))];
    out.push((0, zeroing(false)));
    let (mut at_ms, mut hits, mut loops, mut thinking) = (0, 0, 0, 0);
    for (number, (split, facts)) in (1..).zip(splits.iter().zip(RANGES)) {
        let (range_hits, range_loops) = range(&mut out, &mut at_ms, number, split, facts);
        (hits, loops, thinking) = (hits + range_hits, loops + range_loops, thinking + split.0);
    }
    out.push((at_ms, Event::Leg { leg: 5, leg_ms: LEG_MS }));
    at_ms += LEG_MS;
    out.push((at_ms, zeroing(true)));
    let course_ms = 5 * LEG_MS;
    out.push((
        at_ms,
        Event::Finish { finish_ms: at_ms, course_ms, hits, loops, thinking_ms: thinking },
    ));
    chained(out)
}

fn range(
    out: &mut Vec<(u64, Event)>,
    at_ms: &mut u64,
    range: u32,
    split: &Split,
    (family, kind, level, buzzer_ms, loop_ms): (&str, Kind, u8, u64, u64),
) -> (u32, u32) {
    let Split(thinking_ms, buzzer, answer, marks) = *split;
    out.push((*at_ms, Event::Leg { leg: range, leg_ms: LEG_MS }));
    *at_ms += LEG_MS;
    let enter_ms = *at_ms;
    out.push((
        enter_ms,
        Event::RangeStart {
            range,
            family: family.to_owned(),
            kind,
            level,
            targets: 5,
            buzzer_ms: Some(buzzer_ms),
            prompt_sha256: String::new(),
        },
    ));
    let purpose = Purpose::Main;
    out.push((enter_ms, Event::Request { range, purpose, limit_tokens: 16_384, thinking: true }));
    let after_ms = thinking_ms.min(300);
    out.push((
        enter_ms + after_ms,
        Event::FirstToken { range, purpose, after_ms, channel: Channel::Reasoning },
    ));
    if buzzer {
        out.push((
            enter_ms + buzzer_ms,
            Event::Buzzer { range, limit_ms: buzzer_ms, overrun_ms: 1 },
        ));
        let purpose = Purpose::Forced;
        out.push((
            enter_ms + buzzer_ms,
            Event::Request { range, purpose, limit_tokens: 2_048, thinking: false },
        ));
    } else {
        let after_ms = thinking_ms * 3 / 4;
        out.push((enter_ms + after_ms, Event::ReasoningEnd { range, after_ms }));
    }
    let down_ms = enter_ms + thinking_ms;
    let (finish_reason, tokens, limit, failure) = (None, None, None, None);
    out.push((
        down_ms,
        Event::Answer {
            range,
            answer,
            thinking_ms,
            finish_reason,
            tokens,
            limit,
            failure,
            measured: None,
            forced: None,
        },
    ));
    for (index, mark) in marks.chars().enumerate() {
        let (verdict, reason) = match (mark, answer) {
            ('o', _) => (Verdict::Hit, Reason::Hit),
            (_, Answer::None) => (Verdict::Miss, Reason::TooLate),
            (_, Answer::CutOff) => (Verdict::Miss, Reason::CutOff),
            _ if index == 4 => (Verdict::Miss, Reason::Missing),
            _ => (Verdict::Miss, Reason::Wrong),
        };
        let wrong = reason == Reason::Wrong;
        out.push((
            down_ms + shot_after_ms(OVERHEAD_MS, index),
            Event::Shot {
                range,
                target: u32::try_from(index).unwrap() + 1,
                verdict,
                reason,
                read: wrong.then(|| String::from("A - AB \u{1b}[31m")),
                rule: None,
                detail: wrong.then(|| String::from("trip 2: CD left alone")),
                fuel: None,
            },
        ));
    }
    let missed =
        (1..).zip(marks.chars()).filter(|(_, mark)| *mark == 'x').map(|(target, _)| target);
    let mut loops = 0;
    for target in missed {
        let begins_ms = down_ms + OVERHEAD_MS + u64::from(loops) * loop_ms;
        out.push((begins_ms, Event::Penalty { range, target, loop_ms }));
        loops += 1;
    }
    let loops_ms = u64::from(loops) * loop_ms;
    let range_ms = range_ms(thinking_ms, OVERHEAD_MS, loops, loop_ms);
    *at_ms = enter_ms + range_ms;
    let hits = 5 - loops;
    out.push((*at_ms, Event::RangeEnd { range, hits, loops, loops_ms, thinking_ms, range_ms }));
    if buzzer {
        out.push((*at_ms, Event::Idle { range, waited_ms: 1_204, probes: 2, ready: true }));
    }
    (hits, loops)
}

fn zeroing(after: bool) -> Event {
    Event::Zeroing {
        after,
        first_token_ms: Some(210),
        decode_mtps: Some(23_400),
        completion_tokens: Some(96),
        failure: None,
    }
}

fn started(name: &str) -> Event {
    Event::Start(Box::new(Started {
        format: format::LOG.first(),
        engine: String::from("gauntlet 0.1.0"),
        race: String::from("21-sample-attempt1"),
        season: String::from("21"),
        season_status: SeasonStatus::Ranked,
        season_sha256: String::new(),
        seed: 21,
        prompt_version: String::from("gauntlet-4"),
        lane: LaneFacts {
            name: name.to_owned(),
            model: String::from("sample-31b"),
            memory_gb: 128,
        },
        lane_sha256: String::new(),
        memory_class_gb: 128,
        attempt: 1,
        ranges: 4,
        nonce: String::new(),
        host: None,
        allow_unconfined: None,
    }))
}

/// Lines as a live race writes them: legs, shots and loops take no time but on the race clock.
fn chained(timed: Vec<(u64, Event)>) -> Vec<LogLine> {
    let mut chain = Chain::default();
    let (mut t_ms, mut asked) = (1_000, None);
    let mut lines = Vec::new();
    for (race_ms, event) in timed {
        if let Some((asked_t_ms, asked_race_ms)) = asked {
            t_ms = asked_t_ms + (race_ms - asked_race_ms);
        }
        match event {
            Event::Request { .. } if asked.is_none() => asked = Some((t_ms, race_ms)),
            Event::Answer { .. } => asked = None,
            _ => {}
        }
        lines.push(chain.log(Stamp { t_ms, wall_ms: 0 }, race_ms, event).1);
    }
    lines
}

/// The log of the club pacer's race, from the real referee; all its code answers fail.
pub(super) fn pacer() -> Vec<LogLine> {
    struct Keep(Vec<LogLine>);
    impl Sink for Keep {
        type Error = Infallible;
        fn io(&mut self, _: &str, _: &[(Stamp, Input)]) -> Result<(), Infallible> {
            Ok(())
        }
        fn log(&mut self, _: &str, events: &[LogLine]) -> Result<(), Infallible> {
            self.0.extend_from_slice(events);
            Ok(())
        }
    }
    let text = include_str!("../../../seasons/21.toml").replace("bench-seating", "river-ferry");
    let course = Course::plan(season::read("21.toml", &text).unwrap()).unwrap();
    let text = include_str!("../../../lanes/pacer-club.toml");
    let lane = LaneFile::parse("pacer-club.toml", text).unwrap();
    let start = Start {
        format: format::IO.first(),
        engine: String::from("gauntlet 0.1.0"),
        race: String::from("21-pacer-club-attempt1"),
        attempt: 1,
        nonce: String::from("on paper"),
        season_sha256: String::new(),
        lane_sha256: String::new(),
        rules: None,
        host: None,
        allow_unconfined: None,
    };
    let mut judge = |job: &Job| {
        let run = Run { verdict: RunVerdict::CodeError, value: None, error: None, fuel: 0 };
        Ok(Judgement {
            engine: String::from("none"),
            image_sha256: String::new(),
            confined: true,
            confinement: Vec::new(),
            runs: vec![run; job.inputs.len()],
        })
    };
    let mut pacer = Pacer::new(&course, &lane).unwrap();
    let mut desk = Desk::new(Referee::new(&course, &lane), Keep(Vec::new()));
    let Ok(()) = on_paper::race(&mut desk, start, &lane, &mut pacer, &mut judge);
    std::mem::take(&mut desk.sink().0)
}
