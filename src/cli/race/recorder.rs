//! Writes a race while it is on and shows it; ends it with result, verification and card.

use super::Args;
use crate::cli::ghost::Ghost;
use crate::cli::view::{self, Around, Asked, How, RaceScreen, RaceView};
use crate::cli::{Failure, out, sheet, verify};
use crate::clock::Stamp;
use crate::course::Course;
use crate::drive::{Desk, Sink};
use crate::lane::chunk::Chunk;
use crate::lane::file::LaneFile;
use crate::race::fold::Hashes;
use crate::race::line::LogLine;
use crate::race::{Input, RaceResult, Reason, Status, fold};
use crate::store::{RaceFolder, StoreError};
use std::process::ExitCode;

/// Ends a race: result, verification, card.
pub(super) fn close(args: &Args, mut desk: Desk<'_, Recorder>) -> Result<ExitCode, Failure> {
    let system = desk.referee().system_prompt().to_owned();
    let recorder = desk.sink();
    recorder.folder.write("system-prompt.txt", &system)?;
    recorder.folder.sync()?;
    let files = crate::store::RaceFiles::new(recorder.folder.path());
    let hashes =
        Hashes { log_sha256: files.sha256("log.jsonl")?, io_sha256: files.sha256("io.jsonl")? };
    let Some(result) = fold(&recorder.events, &hashes) else {
        return Err(Failure::Usage {
            what: String::from("the race has no start"),
            hint: String::from("report this"),
        });
    };
    recorder.folder.write("result.json", &result.to_json())?;
    let report = verify::verify_folder(recorder.folder.path());
    recorder.folder.write("verify.txt", &verify::text(&report))?;
    // The last frame stands until here: verifying takes a moment.
    recorder.screen.finish();
    let folder = recorder.folder.path();
    let name = view::argument(folder);
    let next = [format!("gauntlet replay {name}"), format!("gauntlet verify {name}")];
    let around = Around { folder, title: &recorder.title, next: &next };
    let card = || view::card(&result, &around);
    args.format.print(&result, card, || sheet::table(&[&result]));
    if !report.verified {
        out::note(&format!(
            "warning: the race does not verify, see {}",
            recorder.folder.path().join("verify.txt").display()
        ));
    }
    Ok(ExitCode::from(exit_code(&result)))
}

/// 0 over, 3 the server failed, 4 interrupted.
fn exit_code(result: &RaceResult) -> u8 {
    let failed = result
        .ranges
        .iter()
        .flat_map(|range| &range.targets)
        .any(|target| target.reason == Reason::ServerError);
    match result.status {
        Status::Unfinished => 4,
        Status::Void => 3,
        Status::Finished | Status::Disturbed if failed => 3,
        Status::Finished | Status::Disturbed => 0,
    }
}

/// Writes the race and shows it.
pub(super) struct Recorder {
    folder: RaceFolder,
    screen: RaceScreen,
    events: Vec<LogLine>,
    title: String,
}

impl Recorder {
    pub(super) fn new(
        folder: RaceFolder,
        args: &Args,
        course: &Course,
        lane: &LaneFile,
        ghost: Option<Ghost>,
    ) -> Self {
        let how = match (out::is_quiet(), args.plain) {
            (true, _) => How::Silent,
            (false, true) => How::Plain,
            (false, false) => How::Live,
        };
        let ghost = ghost.map(|ghost| (ghost.name, RaceView::of(&ghost.lines)));
        let asked = Asked { how, speed: args.realtime.unwrap_or(1), ghost };
        let screen = RaceScreen::new(asked, course, lane, folder.path());
        Self { folder, screen, events: Vec::new(), title: lane.title.clone() }
    }
}

impl Sink for Recorder {
    type Error = StoreError;

    fn io(&mut self, line: &str, at: Stamp, input: &Input) -> Result<(), StoreError> {
        self.folder.io(line, at, input)?;
        if let Input::Chunk { chunk: Chunk::Delta { channel, text } } = input {
            self.screen.stream(*channel, text);
        }
        self.screen.tick(at.t_ms);
        Ok(())
    }

    fn log(&mut self, line: &str, event: &LogLine) -> Result<(), StoreError> {
        self.folder.log(line, event)?;
        self.screen.event(event);
        self.events.push(event.clone());
        Ok(())
    }
}
