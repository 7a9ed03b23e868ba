//! What people see of a race in a terminal.
//!
//! `plain.rs` tells a race line by line, `card.rs` sums it up, `live.rs` shows it while it is on, and
//! `playback.rs` with `timeline.rs` shows races again. `state.rs` is what both of these fold events into; `table.rs` and
//! `status.rs` are the parts that they share; `stream.rs` keeps the last words of a reply. `look.rs` has marks and colours, `bar.rs` the arithmetic of bars, `ansi.rs`
//! makes styled lines to text, `screen.rs` draws them in place and `stage.rs` is the thread that does so during a race.
//!
//! Views read events and results. Nothing in a race waits for one or depends on one.

mod ansi;
mod bar;
mod card;
mod live;
mod look;
mod measures;
mod plain;
mod playback;
#[cfg(test)]
mod samples;
mod screen;
mod stage;
mod state;
mod status;
mod stream;
mod table;
mod timeline;

pub(crate) use ansi::ansi;
pub(crate) use card::argument;
pub use card::{Around, card};
pub use live::LiveView;
pub(crate) use look::{Look, title};
pub use plain::Plain;
pub(crate) use plain::how_answered;
pub(crate) use playback::{Move, Playback, ReplayLane, Way};
pub(crate) use screen::{Inline, can_draw, size};
pub use state::{RaceView, RangeView};
pub(crate) use timeline::split_table;

use crate::cli::out;
use crate::course::Course;
use crate::lane::chunk::Channel;
use crate::lane::file::LaneFile;
use crate::puzzles::TARGETS;
use crate::race::line::LogLine;
use stage::Stage;
use std::io::IsTerminal;
use std::path::Path;

/// The screen of `gauntlet race`, on stderr: the live view in a terminal, one event a line elsewhere, with `--plain` and
/// with `TERM=dumb`.
///
/// The race's sink tells it everything as it happens, after it was written down: [`stream`](Self::stream) for each piece of
/// a reply, [`tick`](Self::tick) after each line of io, [`event`](Self::event) for each line of the log; then
/// [`finish`](Self::finish) before anything else is printed. None of them can fail or wait for a terminal in the live view:
/// they take a lock that is otherwise held for a copy of a few kilobytes, fifteen times a second.
#[derive(Debug)]
pub struct RaceScreen {
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Live(Stage),
    Plain(Plain),
    Nothing,
}

/// What a race's screen is asked for.
#[derive(Debug)]
pub struct Asked {
    /// How to show the race.
    pub how: How,
    /// How many times faster than the wall clock the race's clock runs.
    pub speed: u64,
    /// A race to run against, and its name.
    pub ghost: Option<(String, RaceView)>,
}

/// How a race is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The live view where stderr can draw one, else line by line.
    Live,
    /// Line by line, whatever stderr is.
    Plain,
    /// Not at all.
    Silent,
}

impl RaceScreen {
    /// A screen for a race that is about to start.
    #[must_use]
    pub fn new(asked: Asked, course: &Course, lane: &LaneFile, folder: &Path) -> Self {
        let Asked { how, speed, ghost } = asked;
        if how == How::Silent {
            return Self { shown: Shown::Nothing };
        }
        let stage = (how == How::Live && screen::can_draw()).then(|| {
            let ranges = course.ranges.iter().map(|range| {
                let (task, targets) = (&range.task, u32::try_from(TARGETS).unwrap_or(u32::MAX));
                let level = task.level.get();
                RangeView::ahead(task.family, task.kind(), level, targets, range.buzzer_ms)
            });
            let name = if lane.title.is_empty() { &lane.name } else { &lane.title };
            let window_ms = Some(course.season.forced.window_ms);
            let folder = folder.display().to_string();
            let mut live = LiveView::new(name, &folder, ranges.collect(), window_ms);
            if let Some((name, ghost)) = ghost {
                live = live.against(&name, ghost);
            }
            Stage::open(live, Look::of_locale(), speed)
        });
        let shown = match stage.flatten() {
            Some(stage) => Shown::Live(stage),
            None => Shown::Plain(Plain::new()),
        };
        Self { shown }
    }

    /// An event was logged.
    pub fn event(&mut self, line: &LogLine) {
        match &mut self.shown {
            Shown::Live(stage) => {
                stage.tell(|live| live.event(line));
                stage.tick(line.t_ms);
            }
            Shown::Plain(plain) => {
                if let Some(line) = plain.line(line) {
                    out::note(&line);
                }
            }
            Shown::Nothing => {}
        }
    }

    /// A piece of the reply arrived.
    pub fn stream(&mut self, channel: Channel, text: &str) {
        if let Shown::Live(stage) = &self.shown {
            stage.tell(|live| live.stream(channel, text));
        }
    }

    /// Time passed: the monotonic clock of the lines.
    pub fn tick(&mut self, t_ms: u64) {
        if let Shown::Live(stage) = &self.shown {
            stage.tick(t_ms);
        }
    }

    /// The race is over: the live view makes room for the card, or stands still where the card goes elsewhere.
    pub fn finish(&mut self) {
        if let Shown::Live(stage) = &mut self.shown {
            stage.close(std::io::stdout().is_terminal());
        }
    }
}
