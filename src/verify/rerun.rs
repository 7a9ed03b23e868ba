//! A race run again from its io: whether each input may come where it stands, and what the referee makes of it.

use super::compare::{LogCompare, compare_judgements, first_difference};
use super::{Difference, Report, differs, unread};
use crate::clock::Stamp;
use crate::drive::Judge;
use crate::format;
use crate::lane::file::LaneFile;
use crate::lane::request;
use crate::race::input::Start;
use crate::race::line::{Chain, ChainReader, IoLine, LogLine};
use crate::race::{Due, Input, Referee};
use crate::store::RaceFiles;
use crate::store::read::read_line;
use crate::text::shown;

/// A race run again from its io.
pub(super) struct Again<'a, 'j> {
    pub(super) referee: Referee<'a>,
    pub(super) lane: &'a LaneFile,
    pub(super) judge: Judge<'j>,
    pub(super) hashes: [String; 2],
    pub(super) last: Stamp,
    pub(super) chain: Chain,
    pub(super) log: LogCompare,
    pub(super) events: Vec<LogLine>,
    pub(super) race: Option<String>,
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
            (Input::JudgeFailed { .. }, Due::Judge(job)) => match (self.judge)(&job) {
                Ok(_) => Err(String::from(
                    "the sandbox is said to have failed on this code, and judges it here",
                )),
                Err(_) => Ok(()),
            },
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
