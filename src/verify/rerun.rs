//! A race run again from its io: whether each input may come where it stands, and what the referee makes of it.

use super::compare::{LogCompare, compare_judgements, first_difference};
use super::stamps::Stamps;
use super::{Difference, Report, differs, unread};
use crate::clock::Stamp;
use crate::course::Course;
use crate::drive::Judge;
use crate::format;
use crate::lane::file::LaneFile;
use crate::lane::request;
use crate::race::fold::Folding;
use crate::race::input::Start;
use crate::race::ledger::race_id;
use crate::race::line::{Chain, ChainReader, IoLine};
use crate::race::{Due, Input, Referee};
use crate::store::read::read_line;
use crate::store::{Line, RaceFiles};
use crate::text::shown;

/// Most differences of one file that are named; what follows is counted or left.
pub(super) const NAMED_MAX: usize = 20;

/// A race run again from its io.
pub(super) struct Again<'a, 'j> {
    pub(super) referee: Referee<'a>,
    pub(super) course: &'a Course,
    pub(super) lane: &'a LaneFile,
    pub(super) judge: Judge<'j>,
    pub(super) hashes: [String; 2],
    pub(super) last: Stamp,
    pub(super) stamps: Stamps,
    pub(super) chain: Chain,
    pub(super) log: LogCompare,
    pub(super) folding: Folding,
    pub(super) race: Option<String>,
    pub(super) unconfined: bool,
}

/// How an input fits where it stands.
enum Fit {
    /// It is one that could have come.
    Fits,
    /// It is not what was due, and the race goes on with it as it stands.
    Differs(String),
    /// It could not have come here, and is left out.
    NoPlace(String),
}

impl Again<'_, '_> {
    /// Feeds every line of io.jsonl, and gives the file's SHA-256.
    pub(super) fn run(
        &mut self,
        files: &RaceFiles,
        report: &mut Report,
    ) -> Result<String, Difference> {
        let mut lines = files.lines("io.jsonl").map_err(|error| unread("io.jsonl", &error))?;
        let mut chain = ChainReader::default();
        let mut torn = None;
        let mut named = 0;
        while let Some(line) = lines.next_line().map_err(|error| unread("io.jsonl", &error))? {
            if !line.whole {
                torn = Some(line.number);
                break;
            }
            let before = report.differences.len();
            self.line(&mut chain, &line, report)?;
            named +=
                report.differences.iter().skip(before).filter(|it| it.file == "io.jsonl").count();
            if named >= NAMED_MAX {
                let what = "differs in so many lines that it was read no further";
                return Err(differs("io.jsonl", Some(line.number), what));
            }
        }
        report.notes.extend(self.stamps.notes());
        if self.unconfined {
            report.notes.push(String::from(
                "its code was judged where the system did not confine the judge; judged again here, it is compared",
            ));
        }
        if let Some(number) = torn {
            // A crash tears the last line of a race that has no result yet; anything else was done to the file.
            if self.referee.is_over() || files.has("result.json") {
                let what = "is torn, though the race came to its end";
                report.differences.push(differs("io.jsonl", Some(number), what));
            } else {
                let note = format!("io.jsonl, line {number}, is torn: the race ends before it");
                report.notes.push(note);
            }
        }
        Ok(lines.sha256())
    }

    /// Feeds one line. A line that does not follow is named, and the race goes on with what it says, so that one change is
    /// not the only one that is found. An error ends the run.
    fn line(
        &mut self,
        chain: &mut ChainReader,
        line: &Line,
        report: &mut Report,
    ) -> Result<(), Difference> {
        let named = |what: &str| differs("io.jsonl", Some(line.number), what);
        let io = match read_line::<IoLine>(chain, line) {
            Ok(io) => io,
            Err(what) => {
                let read = serde_json::from_str::<IoLine>(&line.text).ok();
                chain.follow(read.as_ref().map_or(chain.due(), |io| io.seq), &line.text);
                report.differences.push(named(&what));
                match read {
                    Some(io) => io,
                    None => return Ok(()),
                }
            }
        };
        let at = match io.stamp() {
            Ok(at) => at,
            Err(what) => {
                report.differences.push(named(&what));
                return Ok(());
            }
        };
        if let Input::Start { start } = &io.input {
            // Nothing that follows could be understood.
            let readable = format::IO.check_readable(&start.format);
            readable.map_err(|error| named(&error.to_string()))?;
        }
        match self.check(at, &io.input) {
            Fit::Fits => {}
            Fit::Differs(what) => report.differences.push(named(&what)),
            Fit::NoPlace(what) => {
                report.differences.push(named(&what));
                return Ok(());
            }
        }
        if let Err(what) = self.stamps.take(line.number, at, &io.input) {
            report.differences.push(named(&what));
        }
        for (race_ms, event) in self.referee.step(at, &io.input) {
            let (text, event) = self.chain.log(at, race_ms, event);
            self.log.compare(&text, report);
            self.folding.take(&event.event);
        }
        Ok(())
    }

    /// Whether an input may come here, and says what a lane could have said.
    fn check(&mut self, at: Stamp, input: &Input) -> Fit {
        let no_place = |what: &str| Fit::NoPlace(what.to_owned());
        if at.t_ms < self.last.t_ms {
            let (from, to) = (self.last.t_ms, at.t_ms);
            return Fit::NoPlace(format!("goes back in time, from {from} ms to {to} ms"));
        }
        self.last = at;
        match (input, self.referee.due()) {
            (_, Due::Over) => no_place("comes after the end of the race"),
            (Input::Start { start }, Due::Start) => fit(self.check_start(start)),
            (_, Due::Start) => no_place("comes before the start"),
            (Input::Start { .. }, _) => no_place("is a second start"),
            (Input::Request { purpose, body }, Due::Ask(ask)) => {
                if *purpose != ask.purpose {
                    let due = ask.purpose;
                    return Fit::NoPlace(format!("is a {purpose:?} request where {due:?} is due"));
                }
                let due = request::body(self.lane, &ask);
                let place = first_difference(&due, body, "body");
                fit(place.map_or(Ok(()), |place| {
                    Err(format!("the request is not the one that was due: {place}"))
                }))
            }
            (Input::Request { .. }, _) => no_place("is a request where none is due"),
            (Input::Judged { judgement }, Due::Judge(job)) => {
                self.unconfined |= !judgement.confined;
                let again = (self.judge)(&job);
                fit(again
                    .map_err(|why| format!("the code could not be judged again: {why}"))
                    .and_then(|again| compare_judgements(judgement, &again)))
            }
            (Input::JudgeFailed { .. }, Due::Judge(job)) => fit(match (self.judge)(&job) {
                Ok(_) => Err(String::from(
                    "the sandbox is said to have failed on this code, and judges it here",
                )),
                Err(_) => Ok(()),
            }),
            (Input::Judged { .. } | Input::JudgeFailed { .. }, _) => {
                no_place("is a code verdict where none is due")
            }
            (Input::Chunk { .. }, due) if !matches!(due, Due::Listen { .. }) => {
                no_place("is a reply where no request is under way")
            }
            _ => Fit::Fits,
        }
    }

    fn check_start(&mut self, start: &Start) -> Result<(), String> {
        self.race = Some(shown(&start.race, 200));
        let id = race_id(&self.course.season.name, &self.lane.name, start.attempt);
        if start.race != id {
            return Err(format!(
                "the race calls itself {}, and attempt {} of this lane in this season is {id}",
                shown(&start.race, 100),
                start.attempt
            ));
        }
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

fn fit(checked: Result<(), String>) -> Fit {
    checked.map_or_else(Fit::Differs, |()| Fit::Fits)
}
