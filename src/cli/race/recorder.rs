//! Writes a race while it is on and shows it; ends it with result, verification and card.

use super::Args;
use super::ready::stopped;
use crate::cli::ghost::Ghost;
use crate::cli::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::view::{self, Around, Asked, How, RaceScreen, RaceView};
use crate::cli::{Failure, out, sheet, verify};
use crate::clock::Stamp;
use crate::course::Course;
use crate::drive::{Desk, Sink};
use crate::lane::chunk::Chunk;
use crate::lane::file::LaneFile;
use crate::race::line::LogLine;
use crate::race::{Input, RaceResult, Reason, Status};
use crate::store::{RaceFolder, StoreError};
use std::process::ExitCode;

/// Ends a race: result, verification, card.
pub(super) fn close(
    args: &Args,
    mut desk: Desk<'_, Recorder>,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let system = desk.referee().system_prompt().to_owned();
    let recorder = desk.sink();
    let Some(result) = recorder.folder.close(&recorder.events, &system).map_err(stopped)? else {
        return Err(Failure::Usage {
            what: String::from("the race has no start"),
            hint: String::from("report this"),
        });
    };
    // From here on Ctrl-C only leaves out the verification: the result stands.
    let stop = interrupt.tell();
    let report = verify::verify_until(recorder.folder.path(), args.walls.unconfined(), &stop);
    if !stop.is_set() {
        recorder.folder.write("verify.txt", &verify::text(&report))?;
    }
    // The last frame stands until here: verifying takes a moment.
    recorder.screen.finish();
    let folder = recorder.folder.path();
    let name = view::argument(folder);
    let next = [format!("gauntlet replay {name}"), format!("gauntlet verify {name}")];
    let around = Around { folder, title: &recorder.title, next: &next };
    let card = || view::card(&result, &around);
    args.format.print(&result, card, || sheet::table(&[&result]));
    let path = folder.display();
    if result.status == Status::Unfinished {
        out::note(&format!("interrupted: the attempt stands as unfinished in {path}"));
    }
    if stop.is_set() {
        out::note(&format!(
            "interrupted while verifying: the result stands, and `gauntlet verify {name}` verifies it"
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
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
        Status::Unfinished => INTERRUPTED,
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

    fn io(&mut self, lines: &str, inputs: &[(Stamp, Input)]) -> Result<(), StoreError> {
        self.folder.io(lines, inputs)?;
        for (_, input) in inputs {
            if let Input::Chunk { chunk: Chunk::Delta { channel, text } } = input {
                self.screen.stream(*channel, text);
            }
        }
        if let Some((at, _)) = inputs.last() {
            self.screen.tick(at.t_ms);
        }
        Ok(())
    }

    fn log(&mut self, lines: &str, events: &[LogLine]) -> Result<(), StoreError> {
        self.folder.log(lines, events)?;
        events.iter().for_each(|event| self.screen.event(event));
        self.events.extend_from_slice(events);
        Ok(())
    }
}
