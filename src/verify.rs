//! Proves a race from its raw files: regenerates the tasks, referees the io again, judges its code again, folds, and compares.
//!
//! Nothing of the folder is believed but io.jsonl, and of that only what a lane could have sent: requests must be the ones
//! that were due, code verdicts are judged anew, numbers and stamps must ascend and every line must carry the SHA-256 of the
//! one before. What this cannot show is that the stream itself came from the model that the lane file names.

use crate::clock::Stamp;
use crate::course::Course;
use crate::digest::sha256_hex;
use crate::drive::Judge;
use crate::format;
use crate::judge::job::Judgement;
use crate::lane::file::LaneFile;
use crate::lane::request;
use crate::race::fold::Hashes;
use crate::race::input::Start;
use crate::race::line::{Chain, ChainReader, IoLine, LogLine};
use crate::race::{Due, Input, RaceResult, Referee, Status, fold};
use crate::season;
use crate::store::read::read_line;
use crate::store::{Lines, RaceFiles, StoreError};
use crate::text::shown;
use serde::Serialize;
use serde_json::Value;

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The race's id, or the folder's name when the files do not say.
    pub race: String,
    /// Whether everything agrees.
    pub verified: bool,
    /// What differs, the first of each file.
    pub differences: Vec<Difference>,
    /// What a reader should know and what is no difference: an unfinished race, a torn last line.
    pub notes: Vec<String>,
    /// How the race ended by its own io.
    pub status: Option<Status>,
}

impl Report {
    /// A report of which nothing is known yet.
    pub(crate) fn empty(files: &RaceFiles) -> Self {
        let (differences, notes) = (Vec::new(), Vec::new());
        Self { race: files.name(), verified: false, differences, notes, status: None }
    }
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file.
    pub file: String,
    /// The line, from 1, where there is one.
    pub line: Option<u64>,
    /// What differs there.
    pub what: String,
}

impl Difference {
    /// One line for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.line {
            Some(line) => format!("{}, line {line}: {}", self.file, self.what),
            None => format!("{}: {}", self.file, self.what),
        }
    }
}

/// Verifies the race of a folder. A file that cannot be read is a difference like any other.
#[must_use]
pub fn verify(files: &RaceFiles, judge: Judge<'_>) -> Report {
    let mut report = Report::empty(files);
    if let Err(difference) = examine(files, judge, &mut report) {
        report.differences.push(difference);
    }
    report.verified = report.differences.is_empty();
    report
}

fn examine(files: &RaceFiles, judge: Judge<'_>, report: &mut Report) -> Result<(), Difference> {
    let season_text = files.text("season.toml").map_err(|error| unread("season.toml", &error))?;
    let lane_text = files.text("lane.toml").map_err(|error| unread("lane.toml", &error))?;
    let season = season::read("season.toml", &season_text).map_err(|error| {
        differs("season.toml", error.line.map(|(line, _)| line as u64), &error.what)
    })?;
    let lane = LaneFile::parse("lane.toml", &lane_text).map_err(|error| {
        differs("lane.toml", error.line.map(|(line, _)| line as u64), &error.what)
    })?;
    let course =
        Course::plan(season).map_err(|error| differs("season.toml", None, &error.to_string()))?;

    let mut again = Again {
        referee: Referee::new(&course, &lane),
        lane: &lane,
        judge,
        hashes: [sha256_hex(season_text.as_bytes()), sha256_hex(lane_text.as_bytes())],
        last: Stamp { t_ms: 0, wall_ms: 0 },
        chain: Chain::default(),
        log: LogCompare::open(files)?,
        events: Vec::new(),
        race: None,
    };
    let io_sha256 = again.run(files, report)?;
    if let Some(race) = &again.race {
        report.race.clone_from(race);
    }
    let over = again.referee.is_over();
    let system = again.referee.system_prompt().to_owned();
    let events = std::mem::take(&mut again.events);
    let log_sha256 = again.log.close(over, report)?;
    let hashes = Hashes { log_sha256, io_sha256 };
    let Some(result) = fold(&events, &hashes) else {
        return Err(differs("io.jsonl", Some(1), "the race has no start"));
    };
    report.status = Some(result.status);
    compare_result(files, &result, over, report);
    compare_system_prompt(files, &system, report);
    Ok(())
}

/// A race run again from its io.
struct Again<'a, 'j> {
    referee: Referee<'a>,
    lane: &'a LaneFile,
    judge: Judge<'j>,
    hashes: [String; 2],
    last: Stamp,
    chain: Chain,
    log: LogCompare,
    events: Vec<LogLine>,
    race: Option<String>,
}

impl Again<'_, '_> {
    /// Feeds every line of io.jsonl, and gives the file's SHA-256.
    fn run(&mut self, files: &RaceFiles, report: &mut Report) -> Result<String, Difference> {
        let mut lines = files.lines("io.jsonl").map_err(|error| unread("io.jsonl", &error))?;
        let mut chain = ChainReader::default();
        let mut torn = None;
        while let Some(line) = lines.next_line().map_err(|error| unread("io.jsonl", &error))? {
            let number = line.number;
            let at_line = |what: String| differs("io.jsonl", Some(number), &what);
            if !line.whole {
                torn = Some(number);
                break;
            }
            let io: IoLine = read_line(&mut chain, &line).map_err(at_line)?;
            let at = io.stamp().map_err(at_line)?;
            self.check(at, &io.input).map_err(at_line)?;
            for (race_ms, event) in self.referee.step(at, &io.input) {
                let (text, event) = self.chain.log(at, race_ms, event);
                self.log.compare(&text, report);
                self.events.push(event);
            }
        }
        match torn {
            Some(number) if self.referee.is_over() => {
                return Err(differs(
                    "io.jsonl",
                    Some(number),
                    "a torn line after the end of the race",
                ));
            }
            Some(number) => report
                .notes
                .push(format!("io.jsonl, line {number}, is torn: the race ends before it")),
            None => {}
        }
        Ok(lines.sha256())
    }

    /// Whether an input may come here, and says what a lane could have said.
    fn check(&mut self, at: Stamp, input: &Input) -> Result<(), String> {
        if at.t_ms < self.last.t_ms {
            return Err(format!("goes back in time, from {} ms to {} ms", self.last.t_ms, at.t_ms));
        }
        self.last = at;
        match (input, self.referee.due()) {
            (_, Due::Over) => Err(String::from("comes after the end of the race")),
            (Input::Start { start }, Due::Start) => self.check_start(start),
            (_, Due::Start) => Err(String::from("comes before the start")),
            (Input::Start { .. }, _) => Err(String::from("is a second start")),
            (Input::Request { purpose, body }, Due::Ask(ask)) => {
                let due = request::body(self.lane, &ask);
                match first_difference(&due, body, "body") {
                    _ if *purpose != ask.purpose => {
                        Err(format!("is a {purpose:?} request where {:?} is due", ask.purpose))
                    }
                    Some(place) => Err(format!("the request is not the one that was due: {place}")),
                    None => Ok(()),
                }
            }
            (Input::Request { .. }, _) => Err(String::from("is a request where none is due")),
            (Input::Judged { judgement }, Due::Judge(job)) => {
                let again = (self.judge)(&job)
                    .map_err(|why| format!("the code could not be judged again: {why}"))?;
                compare_judgements(judgement, &again)
            }
            (Input::Judged { .. } | Input::JudgeFailed { .. }, due)
                if !matches!(due, Due::Judge(_)) =>
            {
                Err(String::from("is a code verdict where none is due"))
            }
            (Input::Chunk { .. }, due) if !matches!(due, Due::Listen { .. }) => {
                Err(String::from("is a reply where no request is under way"))
            }
            _ => Ok(()),
        }
    }

    fn check_start(&mut self, start: &Start) -> Result<(), String> {
        format::IO.check_readable(&start.format).map_err(|error| error.to_string())?;
        self.race = Some(shown(&start.race, 200));
        for (file, named, found) in [
            ("season.toml", &start.season_sha256, &self.hashes[0]),
            ("lane.toml", &start.lane_sha256, &self.hashes[1]),
        ] {
            if named != found {
                return Err(format!(
                    "the race was run with another {file}: SHA-256 {}, not {found}",
                    shown(named, 64)
                ));
            }
        }
        Ok(())
    }
}

/// Engine and image of another machine may differ; verdicts, values and fuel may not.
fn compare_judgements(found: &Judgement, again: &Judgement) -> Result<(), String> {
    if found.runs.len() != again.runs.len() {
        return Err(format!(
            "has {} code verdicts where {} are due",
            found.runs.len(),
            again.runs.len()
        ));
    }
    let same_image = found.image_sha256 == again.image_sha256;
    for (number, (found, again)) in (1..).zip(found.runs.iter().zip(&again.runs)) {
        if (found.verdict, &found.value, &found.error)
            != (again.verdict, &again.value, &again.error)
        {
            return Err(format!(
                "input {number}: the code was said to give {}, and gives {}",
                brief(found),
                brief(again)
            ));
        }
        if same_image && found.fuel != again.fuel {
            return Err(format!(
                "input {number}: the code was said to use {} fuel, and uses {}",
                found.fuel, again.fuel
            ));
        }
    }
    Ok(())
}

fn brief(run: &crate::judge::job::Run) -> String {
    let text = serde_json::to_string(run).unwrap_or_default();
    shown(&text, 160)
}

/// log.jsonl, compared line by line with the events that the referee gives.
struct LogCompare {
    lines: Lines,
    /// The first difference was said; later ones follow from it.
    differed: bool,
    ended: Option<u64>,
    missing: u64,
}

impl LogCompare {
    fn open(files: &RaceFiles) -> Result<Self, Difference> {
        let lines = files.lines("log.jsonl").map_err(|error| unread("log.jsonl", &error))?;
        Ok(Self { lines, differed: false, ended: None, missing: 0 })
    }

    fn compare(&mut self, due: &str, report: &mut Report) {
        if self.ended.is_some() {
            self.missing += 1;
            return;
        }
        match self.lines.next_line() {
            Ok(Some(line)) if line.whole && line.text == due.trim_end() => {}
            Ok(Some(line)) if !line.whole => {
                self.ended = Some(line.number);
                self.missing += 1;
                report.notes.push(format!("log.jsonl, line {}, is torn", line.number));
            }
            Ok(Some(line)) => {
                if !self.differed {
                    report.differences.push(differs(
                        "log.jsonl",
                        Some(line.number),
                        &log_difference(due, &line.text),
                    ));
                }
                self.differed = true;
            }
            Ok(None) => {
                self.ended = Some(0);
                self.missing += 1;
            }
            Err(error) => {
                report.differences.push(unread("log.jsonl", &error));
                self.ended = Some(0);
                self.differed = true;
            }
        }
    }

    /// The rest of the file must be empty; gives its SHA-256.
    fn close(mut self, over: bool, report: &mut Report) -> Result<String, Difference> {
        let mut extra = None;
        while let Some(line) =
            self.lines.next_line().map_err(|error| unread("log.jsonl", &error))?
        {
            extra.get_or_insert(line.number);
        }
        if let Some(line) = extra.filter(|_| !self.differed) {
            report.differences.push(differs(
                "log.jsonl",
                Some(line),
                "more events than the io gives",
            ));
        }
        if self.missing > 0 && !self.differed {
            let what = format!("{} events that the io gives are missing at its end", self.missing);
            if over {
                report.differences.push(differs("log.jsonl", None, &what));
            } else {
                report.notes.push(format!("log.jsonl: {what}; the race was not over"));
            }
        }
        Ok(self.lines.sha256())
    }
}

fn log_difference(due: &str, found: &str) -> String {
    match (serde_json::from_str::<Value>(due), serde_json::from_str::<Value>(found)) {
        (Ok(due), Ok(found)) => first_difference(&due, &found, "")
            .unwrap_or_else(|| String::from("the same event in other bytes")),
        (_, Err(error)) => format!("cannot be read: {error}"),
        (Err(_), Ok(_)) => String::from("differs"),
    }
}

/// Compares result.json with what it must be; `over` says whether the race came to its end, so that there must be one.
pub(crate) fn compare_result(files: &RaceFiles, due: &RaceResult, over: bool, report: &mut Report) {
    if !files.has("result.json") {
        if over {
            report.differences.push(differs("result.json", None, "is missing"));
        } else {
            report.notes.push(String::from("no result.json: the race did not come to its end"));
        }
        return;
    }
    let text = match files.text("result.json") {
        Ok(text) => text,
        Err(error) => return report.differences.push(unread("result.json", &error)),
    };
    let due_text = due.to_json();
    if text == due_text {
        return;
    }
    let line = (1..)
        .zip(text.lines().zip(due_text.lines()))
        .find(|(_, (a, b))| a != b)
        .map(|(line, _)| line);
    let what = match serde_json::from_str::<Value>(&text) {
        Ok(found) if newer(&found).is_some() => newer(&found),
        Ok(found) => serde_json::from_str(&due_text)
            .ok()
            .and_then(|due: Value| first_difference(&due, &found, "")),
        Err(error) => Some(format!("cannot be read: {error}")),
    };
    let what = what.unwrap_or_else(|| String::from("the same result in other bytes"));
    report.differences.push(differs("result.json", line, &what));
}

/// Why a result cannot be compared, when its format is not one that this version reads.
fn newer(found: &Value) -> Option<String> {
    let format = serde_json::from_value(found.get("format")?.clone()).ok()?;
    format::RESULT.check_readable(&format).err().map(|error| error.to_string())
}

fn compare_system_prompt(files: &RaceFiles, due: &str, report: &mut Report) {
    if files.has("system-prompt.txt")
        && files.text("system-prompt.txt").ok().as_deref() != Some(due)
    {
        report.differences.push(differs(
            "system-prompt.txt",
            None,
            "is not the system prompt that was sent",
        ));
    }
}

/// The first place where two values differ, in words; nothing when they are equal.
fn first_difference(due: &Value, found: &Value, place: &str) -> Option<String> {
    let below =
        |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match (due, found) {
        (Value::Object(a), Value::Object(b)) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            names
                .filter(|name| name.as_str() != "prev" || !place.is_empty())
                .chain(a.keys().filter(|name| name.as_str() == "prev" && place.is_empty()))
                .find_map(|name| {
                    first_difference(
                        a.get(name).unwrap_or(&Value::Null),
                        b.get(name).unwrap_or(&Value::Null),
                        &below(name),
                    )
                })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            (0..a.len()).find_map(|index| {
                first_difference(&a[index], &b[index], &below(&(index + 1).to_string()))
            })
        }
        (a, b) if a == b => None,
        (a, b) => {
            let place = if place.is_empty() { "the value" } else { place };
            Some(format!(
                "{} is {}, and must be {}",
                shown(place, 80),
                shown(&b.to_string(), 100),
                shown(&a.to_string(), 100)
            ))
        }
    }
}

fn differs(file: &str, line: Option<u64>, what: &str) -> Difference {
    Difference { file: file.to_owned(), line, what: what.to_owned() }
}

/// A file that could not be read, as a difference.
pub(crate) fn unread(file: &str, error: &StoreError) -> Difference {
    match error {
        StoreError::Os { what, error, .. } => {
            differs(file, None, &format!("cannot {what} it: {error}"))
        }
        StoreError::Content { line, what, .. } => differs(file, *line, what),
    }
}
