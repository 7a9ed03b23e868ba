//! Kept races: `referee(io)` is the log and `fold(log)` the result, to the byte; and a change of any byte is found and named.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::{MemoJudge, copy_race, kept_races, scratch};
use gauntlet::course::Course;
use gauntlet::lane::file::LaneFile;
use gauntlet::race::fold::Hashes;
use gauntlet::race::line::{Chain, ChainReader, IoLine};
use gauntlet::race::{Referee, fold};
use gauntlet::season;
use gauntlet::store::RaceFiles;
use gauntlet::verify::{Report, verify};
use std::fs;
use std::path::Path;

#[test]
fn every_kept_race_is_refereed_and_folded_to_the_byte() {
    let races = kept_races();
    assert!(races.len() >= 5, "three pacers and two real races are kept, found {}", races.len());
    for race in races {
        let text = |name: &str| fs::read_to_string(race.join(name)).unwrap();
        let course =
            Course::plan(season::read("season.toml", &text("season.toml")).unwrap()).unwrap();
        let lane = LaneFile::parse("lane.toml", &text("lane.toml")).unwrap();
        let mut referee = Referee::new(&course, &lane);
        let (mut reader, mut chain) = (ChainReader::default(), Chain::default());
        let (mut log, mut events) = (String::new(), Vec::new());
        for line in text("io.jsonl").lines() {
            let io: IoLine = reader.read(line).unwrap();
            let at = io.stamp().unwrap();
            for (race_ms, event) in referee.step(at, &io.input) {
                let (line, event) = chain.log(at, race_ms, event);
                log += &line;
                events.push(event);
            }
        }
        assert!(log == text("log.jsonl"), "{}: referee(io) is not the log", race.display());
        let files = RaceFiles::new(&race);
        let hashes = Hashes {
            log_sha256: files.sha256("log.jsonl").unwrap(),
            io_sha256: files.sha256("io.jsonl").unwrap(),
        };
        let result = fold(&events, &hashes).unwrap().to_json();
        assert_eq!(result, text("result.json"), "{}: fold(log) is not the result", race.display());
    }
}

#[test]
fn every_kept_race_verifies_with_its_code_judged_again() {
    let mut judge = MemoJudge::default();
    for race in kept_races() {
        let report = verify(&RaceFiles::new(&race), &mut |job| judge.judge(job));
        assert!(report.verified, "{}: {:#?}", race.display(), report.differences);
    }
}

/// Verifies a copy of a race after a change of one of its files.
fn after(
    race: &Path,
    judge: &mut MemoJudge,
    name: &str,
    change: impl Fn(Vec<u8>) -> Vec<u8>,
) -> Report {
    let copy = scratch("tamper");
    copy_race(race, &copy);
    let path = copy.join(name);
    fs::write(&path, change(fs::read(&path).unwrap())).unwrap();
    let report = verify(&RaceFiles::new(&copy), &mut |job| judge.judge(job));
    fs::remove_dir_all(&copy).unwrap();
    report
}

#[test]
fn one_changed_byte_anywhere_is_found_in_its_file() {
    let mut judge = MemoJudge::default();
    let race =
        kept_races().into_iter().find(|race| race.ends_with("21-pacer-elite-attempt1")).unwrap();
    for name in
        ["io.jsonl", "log.jsonl", "result.json", "season.toml", "lane.toml", "system-prompt.txt"]
    {
        let length = fs::metadata(race.join(name)).unwrap().len() as usize;
        // Spread over the file, the last byte included.
        for at in (0..length).step_by(length / 12 + 1).chain([length - 1]) {
            let report = after(&race, &mut judge, name, |mut bytes| {
                bytes[at] ^= 1;
                bytes
            });
            // A changed comment of season or lane file changes only its SHA-256, which io.jsonl names.
            let named = report
                .differences
                .iter()
                .any(|it| it.file == name || it.file == "io.jsonl" && it.what.contains(name));
            assert!(!report.verified && named, "{name}, byte {at}: {:#?}", report.differences);
        }
    }
}

#[test]
fn a_flipped_hit_a_shorter_time_and_a_swapped_answer_are_named_with_their_line() {
    let mut judge = MemoJudge::default();
    let race =
        kept_races().into_iter().find(|race| race.ends_with("21-pacer-novice-attempt1")).unwrap();
    let swap = |from: &'static str, to: &'static str| {
        move |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1).into_bytes()
        }
    };
    let flipped =
        after(&race, &mut judge, "log.jsonl", swap("\"verdict\":\"miss\"", "\"verdict\":\"hit\""));
    let said = flipped.differences[0].sentence();
    assert!(
        said.starts_with("log.jsonl, line ")
            && said.contains("verdict is \"hit\", and must be \"miss\""),
        "{said}"
    );

    let thinking = after(&race, &mut judge, "result.json", |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        let (before, rest) = text.split_once("\"thinking_ms\": ").unwrap();
        let (figure, after) = rest.split_once(',').unwrap();
        let shorter = figure.parse::<u64>().unwrap() / 2;
        format!("{before}\"thinking_ms\": {shorter},{after}").into_bytes()
    });
    let said = thinking.differences[0].sentence();
    assert!(said.starts_with("result.json, line ") && said.contains("thinking_ms is "), "{said}");

    // Every A of an answer becomes a B: other letters on the benches, other passengers in the boat.
    let swapped = after(&race, &mut judge, "io.jsonl", |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        common::answers_changed(&text, |answer| answer.replace('A', "B"), false)
    });
    let said = swapped.differences[0].sentence();
    assert!(said.starts_with("io.jsonl, line ") && said.contains("SHA-256"), "{said}");

    // The same by somebody who makes the chain anew: then it is the log that differs.
    let forged = after(&race, &mut judge, "io.jsonl", |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        common::answers_changed(&text, |answer| answer.replace('A', "B"), true)
    });
    let log = forged.differences.iter().find(|it| it.file == "log.jsonl");
    assert!(log.is_some_and(|it| it.line.is_some()), "{:?}", forged.differences);
}

#[test]
fn a_log_cut_at_any_byte_reads_as_its_whole_lines() {
    let race =
        kept_races().into_iter().find(|race| race.ends_with("21-pacer-novice-attempt1")).unwrap();
    let log = fs::read(race.join("log.jsonl")).unwrap();
    let copy = scratch("cut");
    copy_race(&race, &copy);
    for at in (0..log.len()).step_by(97) {
        fs::write(copy.join("log.jsonl"), &log[..at]).unwrap();
        let read = RaceFiles::new(&copy).log().unwrap();
        let whole = log[..at].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(read.lines.len(), whole, "cut at {at}");
        assert_eq!(read.torn, log[..at].last().is_some_and(|byte| *byte != b'\n'), "cut at {at}");
    }
    fs::remove_dir_all(&copy).unwrap();
}
