//! A disk that is full from the n-th write on, for every n: what stands, what is said, and what the next race does.

use super::disk::fault;
use super::{RaceFiles, RaceFolder, StoreError, attempts};
use crate::clock::Stamp;
use crate::course::Course;
use crate::drive::{Desk, Sink, on_paper};
use crate::format;
use crate::judge::job::Job;
use crate::lane::file::LaneFile;
use crate::lane::sim::Pacer;
use crate::race::input::Start;
use crate::race::line::LogLine;
use crate::race::{Input, RaceResult, Referee, Status};
use crate::season;
use crate::store::attempts::State;
use crate::verify::verify;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One range of a puzzle and a lane that hardly thinks: a race of few writes, since each of them is made to fail once.
fn inputs() -> (String, String) {
    let season = include_str!("../../seasons/21-hard.toml");
    let (rules, ranges) = season.split_once("[[range]]").unwrap();
    let first = ranges.split("[[range]]").next().unwrap();
    let season = format!("{rules}[[range]]{first}")
        .replace("10400, 10400, 10400, 10400, 10400", "1000, 1000")
        .replace("limit_tokens = 96", "limit_tokens = 4");
    let lane = include_str!("../../lanes/pacer-elite.toml");
    let thinks = |line: &&str| line.starts_with("think_tokens");
    let thinks = lane.lines().find(thinks).unwrap();
    (season, lane.replace(thinks, "think_tokens = [4, 4, 4, 4, 4, 4, 4, 4, 4]"))
}

/// The folder, and what it took.
struct Recorder {
    folder: RaceFolder,
    events: Vec<LogLine>,
    taken: String,
}

impl Sink for Recorder {
    type Error = StoreError;

    fn io(&mut self, lines: &str, inputs: &[(Stamp, Input)]) -> Result<(), StoreError> {
        self.folder.io(lines, inputs)?;
        self.taken += lines;
        Ok(())
    }

    fn log(&mut self, lines: &str, events: &[LogLine]) -> Result<(), StoreError> {
        self.events.extend_from_slice(events);
        self.folder.log(lines, events)
    }
}

/// The folder of a race with the io lines that it took, if it was made, and how the race ended.
type Raced = (Option<(PathBuf, String)>, Result<RaceResult, StoreError>);

/// Races as `gauntlet race` does. The folder's path and every io line that was taken come back, however it ends.
fn race(
    (course, lane): (&Course, &LaneFile),
    (season_text, lane_text): (&str, &str),
    out: &Path,
) -> Raced {
    let folder = match RaceFolder::create(out, &course.season.name, &lane.name) {
        Ok(folder) => folder,
        Err(error) => return (None, Err(error)),
    };
    let path = folder.path().to_owned();
    let inputs = folder
        .write("season.toml", season_text)
        .and_then(|()| folder.write("lane.toml", lane_text));
    let start = Start {
        format: format::IO.first(),
        engine: String::from("test"),
        race: folder.race().to_owned(),
        attempt: folder.attempt(),
        nonce: String::from("on paper"),
        season_sha256: crate::digest::sha256_hex(season_text.as_bytes()),
        lane_sha256: crate::digest::sha256_hex(lane_text.as_bytes()),
        rules: None,
        host: None,
        allow_unconfined: None,
    };
    let recorder = Recorder { folder, events: Vec::new(), taken: String::new() };
    let mut desk = Desk::new(Referee::new(course, lane), recorder);
    let mut pacer = Pacer::new(course, lane).unwrap();
    let mut judge = |_: &Job| Err(String::from("nothing to judge"));
    let raced =
        inputs.and_then(|()| on_paper::race(&mut desk, start, lane, &mut pacer, &mut judge));
    let system = desk.referee().system_prompt().to_owned();
    let Recorder { folder, events, taken } = desk.sink();
    let done = raced.and_then(|()| folder.close(events, &system)).map(|it| it.unwrap());
    (Some((path, taken.clone())), done)
}

fn bytes_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

#[test]
fn a_disk_that_fills_up_at_any_write_loses_nothing_that_was_written() {
    let (season_text, lane_text) = inputs();
    let course = Course::plan(season::read("season.toml", &season_text).unwrap()).unwrap();
    let lane = LaneFile::parse("lane.toml", &lane_text).unwrap();
    let (parsed, texts) = ((&course, &lane), (season_text.as_str(), lane_text.as_str()));
    let base = std::env::temp_dir().join(format!("gauntlet-full-{}", std::process::id()));
    fs::remove_dir_all(&base).ok();
    let (mut writes, mut finished) = (0, false);
    while !finished {
        let out = base.join(writes.to_string());
        fs::create_dir_all(&out).unwrap();
        fault::full_after(Some(writes));
        let (first, done) = race(parsed, texts, &out);
        fault::full_after(None);
        finished = done.is_ok();
        if let Err(error) = &done {
            let said = error.to_string();
            assert!(said.contains("cannot") && said.contains("gauntlet-full"), "{writes}: {said}");
        }
        if let Some((path, taken)) = &first {
            let stands = fs::read_to_string(path.join("io.jsonl")).unwrap_or_default();
            assert!(stands.starts_with(taken), "{writes}: a line that was taken is gone");
        }
        let before = first.as_ref().map(|it| bytes_of(&it.0));
        let first = first.as_ref().map(|it| it.0.as_path());
        check_what_stands(writes, race(parsed, texts, &out), first, before, &out);
        fs::remove_dir_all(&out).unwrap();
        writes += 1;
    }
    assert!(writes > 60, "every line is a write: {writes}");
    fs::remove_dir_all(&base).unwrap();
}

/// What verify and the ledger say of the race that broke, before and after the next one.
fn check_what_stands(
    writes: u64,
    (next, done): Raced,
    first: Option<&Path>,
    before: Option<BTreeMap<PathBuf, Vec<u8>>>,
    out: &Path,
) {
    let mut no_judge = |_: &Job| Err(String::from("nothing to judge"));
    let (next, _) = next.unwrap();
    assert_eq!(done.unwrap().status, Status::Finished, "{writes}");
    assert_ne!(Some(next.as_path()), first, "{writes}");
    assert_eq!(before, first.map(bytes_of), "{writes}: the next race changed what stood");
    assert!(verify(&RaceFiles::new(&next), &mut no_judge).verified, "{writes}");
    let found = attempts(out).unwrap();
    assert_eq!(found.faults, [], "{writes}");
    let states: Vec<State> = found.attempts.iter().map(|it| it.state).collect();
    match states.as_slice() {
        [State::Finished] | [State::Broken | State::Finished, State::Finished] => {}
        other => panic!("{writes}: {other:?}"),
    }
    let Some(first) = first else { return };
    let files = RaceFiles::new(first);
    let began = files.head_sha256().unwrap_or(None).is_some();
    assert!(!began || states.len() == 2, "{writes}: a race that began is an attempt");
    if began {
        let report = verify(&files, &mut no_judge);
        // Only a race that came to its end and lost its last files on the way differs, and then by those files alone.
        let last = ["result.json", "system-prompt.txt", "log.jsonl"];
        let lost = report.differences.iter().all(|it| last.contains(&it.file.as_str()));
        assert!(lost, "{writes}: {:?}", report.differences);
        assert!(report.verified || report.status == Some(Status::Finished), "{writes}: {report:?}");
    }
}
