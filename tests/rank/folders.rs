//! Race folders written by hand: a log with the figures that a test wants, chained and folded by the library, so that no task,
//! lane or sandbox has a say in what `gauntlet rank` shows.

use gauntlet::clock::Stamp;
use gauntlet::digest::sha256_hex;
use gauntlet::format;
use gauntlet::race::event::{Disturbance, LaneFacts, Started};
use gauntlet::race::fold::Hashes;
use gauntlet::race::line::{Chain, LogLine};
use gauntlet::race::{Answer, Event, Reason, Verdict, fold, scoring};
use gauntlet::season::{Season, SeasonStatus, read};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const SEASON: &str = include_str!("../../seasons/21.toml");

/// How a race of a test ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Finish,
    Disturbed,
    /// Stopped after its first range, without a result file.
    Crash,
    Void,
}

/// A race of a test.
#[derive(Debug, Clone)]
pub(crate) struct Hand<'a> {
    pub(crate) lane: &'a str,
    pub(crate) attempt: u32,
    pub(crate) memory_gb: u64,
    pub(crate) season: &'a str,
    /// Thinking time and hits of each range.
    pub(crate) ranges: [(u64, u32); 4],
    pub(crate) end: End,
}

impl<'a> Hand<'a> {
    pub(crate) fn new(lane: &'a str, attempt: u32) -> Self {
        let ranges = [(5_000, 4), (6_000, 3), (7_000, 5), (8_040, 2)];
        Self { lane, attempt, memory_gb: 128, season: SEASON, ranges, end: End::Finish }
    }

    pub(crate) fn id(&self) -> String {
        format!("{}-{}-attempt{}", self.read_season().name, self.lane, self.attempt)
    }

    fn read_season(&self) -> Season {
        read("season.toml", self.season).expect("the season of a test is right")
    }

    /// Writes its folder below `out`.
    pub(crate) fn write(&self, out: &Path) -> PathBuf {
        let folder = out.join(folder_name(&self.id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let write = |name: &str, text: &str| {
            fs::write(folder.join(name), text).expect("a file can be written");
        };
        let lane = format!("# {}\n", self.lane);
        let io = format!("an io file of {}\n", self.id());
        let mut chain = Chain::default();
        let mut race_ms = 0;
        let mut lines: Vec<(String, LogLine)> = Vec::new();
        for (took_ms, event) in self.events(&lane) {
            race_ms += took_ms;
            let wall_ms = i64::try_from(race_ms).expect("a test race is short");
            lines.push(chain.log(Stamp { t_ms: race_ms, wall_ms }, race_ms, event));
        }
        let log: String = lines.iter().map(|(text, _)| text.as_str()).collect();
        let hashes =
            Hashes { log_sha256: sha256_hex(log.as_bytes()), io_sha256: sha256_hex(io.as_bytes()) };
        let result = fold(lines.iter().map(|(_, line)| line), &hashes).expect("it has a start");
        write("season.toml", self.season);
        write("lane.toml", &lane);
        write("io.jsonl", &io);
        write("log.jsonl", &log);
        if self.end != End::Crash {
            write("result.json", &result.to_json());
        }
        folder
    }

    /// The events with the race time that each takes.
    fn events(&self, lane: &str) -> Vec<(u64, Event)> {
        let season = self.read_season();
        let mut events = vec![(0, self.start(&season, lane))];
        let mut finish_ms = 0;
        for (index, (thinking_ms, hits)) in self.ranges.iter().enumerate() {
            let leg_ms = season.course.legs_ms[index];
            let number = u32::try_from(index + 1).expect("four ranges");
            events.push((leg_ms, Event::Leg { leg: number, leg_ms }));
            let range = range(&season, index, *thinking_ms, *hits);
            finish_ms += leg_ms + range.iter().map(|(took_ms, _)| took_ms).sum::<u64>();
            events.extend(range);
            match self.end {
                End::Crash => return events,
                End::Void => {
                    events.push((0, Event::Void { why: String::from("the power went out") }));
                    return events;
                }
                End::Finish | End::Disturbed => {}
            }
        }
        let leg_ms = season.course.legs_ms[4];
        finish_ms += leg_ms;
        events.push((leg_ms, Event::Leg { leg: 5, leg_ms }));
        if self.end == End::Disturbed {
            events.push((0, Event::Disturbed { why: Disturbance::Drift, by: 20 }));
        }
        let hits: u32 = self.ranges.iter().map(|(_, hits)| hits).sum();
        let thinking_ms = self.ranges.iter().map(|(ms, _)| ms).sum();
        let course_ms = season.course.legs_ms.iter().sum();
        let loops = 20 - hits;
        events.push((0, Event::Finish { finish_ms, course_ms, hits, loops, thinking_ms }));
        events
    }

    fn start(&self, season: &Season, lane: &str) -> Event {
        let classes = &season.memory_classes_gb;
        Event::Start(Box::new(Started {
            format: format::LOG.first(),
            engine: String::from("gauntlet test"),
            race: self.id(),
            season: season.name.clone(),
            season_status: season.status,
            season_sha256: sha256_hex(self.season.as_bytes()),
            seed: season.seed,
            prompt_version: season.prompt_version.clone(),
            lane: LaneFacts {
                name: self.lane.to_owned(),
                model: String::from("a model"),
                memory_gb: self.memory_gb,
            },
            lane_sha256: sha256_hex(lane.as_bytes()),
            memory_class_gb: scoring::memory_class_gb(classes, self.memory_gb).expect("a class"),
            attempt: self.attempt,
            ranges: 4,
            nonce: String::from("once"),
            host: None,
            allow_unconfined: None,
        }))
    }
}

/// A preview edition of season 21.
pub(crate) fn preview() -> String {
    let text = SEASON.replace("status = \"ranked\"", "status = \"preview\"");
    let season = read("preview.toml", &text).expect("the preview is right");
    assert_eq!(season.status, SeasonStatus::Preview);
    text
}

/// A race id as a folder name: what a file system may refuse is left out.
fn folder_name(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || "-.".contains(*c)).collect()
}

fn range(season: &Season, index: usize, thinking_ms: u64, hits: u32) -> Vec<(u64, Event)> {
    let figures = &season.ranges[index];
    let range = u32::try_from(index + 1).expect("four ranges");
    let answer = Event::Answer {
        range,
        answer: Answer::Complete,
        thinking_ms,
        finish_reason: None,
        tokens: None,
        limit: None,
        failure: None,
        measured: None,
        forced: None,
    };
    let start = Event::RangeStart {
        range,
        family: figures.family.clone(),
        kind: gauntlet::puzzles::Kind::Puzzle,
        level: figures.level.get(),
        targets: 5,
        buzzer_ms: figures.buzzer_ms,
        prompt_sha256: String::new(),
    };
    let mut events = vec![(0, start), (thinking_ms, answer)];
    for target in 1..=5 {
        let hit = target <= hits;
        events.push((
            season.course.range_overhead_ms / 5,
            Event::Shot {
                range,
                target,
                verdict: if hit { Verdict::Hit } else { Verdict::Miss },
                reason: if hit { Reason::Hit } else { Reason::Wrong },
                read: None,
                rule: None,
                detail: None,
                fuel: None,
            },
        ));
    }
    let (loops, loop_ms) = (5 - hits, figures.loop_ms);
    for target in hits + 1..=5 {
        events.push((loop_ms, Event::Penalty { range, target, loop_ms }));
    }
    let loops_ms = scoring::loops_ms(loops, loop_ms);
    let range_ms = scoring::range_ms(thinking_ms, season.course.range_overhead_ms, loops, loop_ms);
    events.push((0, Event::RangeEnd { range, hits, loops, loops_ms, thinking_ms, range_ms }));
    events
}
