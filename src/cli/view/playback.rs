//! A replay: several races on one race clock, that can be stopped, moved and looked at. Pure; the keys and the clock are in
//! `cli/replay.rs`.

use super::live::rule;
use super::look::{self, Look, columns, fit, fit_name, right, spread};
use super::state::RaceView;
use super::status::{doing_where, status, sums};
use super::table;
use super::timeline::{self, Gap, gap_words, gaps, split_name};
use crate::cli::out::seconds;
use crate::race::event::Verdict;
use crate::race::line::LogLine;
use ratatui::text::{Line, Span};

/// The speeds of the keys 1 to 5.
pub(crate) const SPEEDS: [u64; 5] = [1, 5, 10, 30, 100];
/// How far the arrow keys go.
const SEEK_MS: u64 = 5_000;
/// Columns of a lane's gap.
const GAP: usize = 10;
/// The width from which the place of a gap stands beside it.
const WIDE: usize = 100;

/// A race to be played.
#[derive(Debug, Clone)]
pub(crate) struct ReplayLane {
    /// Its name on the screen.
    pub name: String,
    /// The race.
    pub view: RaceView,
    /// The moments at which something happens.
    moments: Vec<u64>,
}

impl ReplayLane {
    /// The race of these lines.
    pub(crate) fn new(name: String, lines: &[LogLine]) -> Self {
        let view = RaceView::of(lines);
        let moments = lines.iter().map(|line| line.race_ms).collect();
        Self { name, view, moments }
    }
}

/// Races on one clock.
#[derive(Debug, Clone)]
pub(crate) struct Playback {
    lanes: Vec<ReplayLane>,
    moments: Vec<u64>,
    at_ms: u64,
    speed: u64,
    playing: bool,
    ghosts: bool,
}

/// Where to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// Five seconds back or on.
    Seek(Way),
    /// To the event before or after.
    Step(Way),
    /// To the very beginning or end.
    Edge(Way),
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Back.
    Back,
    /// On.
    On,
}

impl Playback {
    /// A replay at its beginning. The first lane is the race, the others are its ghosts.
    pub(crate) fn new(lanes: Vec<ReplayLane>, speed: u64) -> Self {
        let mut moments: Vec<u64> = lanes.iter().flat_map(|lane| lane.moments.clone()).collect();
        moments.sort_unstable();
        moments.dedup();
        Self { lanes, moments, at_ms: 0, speed, playing: true, ghosts: true }
    }

    /// The end of the longest race.
    pub(crate) fn end_ms(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.view.end_ms()).max().unwrap_or(0)
    }

    /// Whether it plays and is at its end.
    pub(crate) fn is_over(&self) -> bool {
        self.playing && self.at_ms >= self.end_ms()
    }

    /// Lets wall time pass.
    pub(crate) fn pass(&mut self, wall_ms: u64) {
        if self.playing {
            let to_ms = self.at_ms.saturating_add(wall_ms.saturating_mul(self.speed));
            self.at_ms = to_ms.min(self.end_ms());
        }
    }

    /// Stops or goes on.
    pub(crate) fn toggle(&mut self) {
        self.playing = !self.playing;
    }

    /// Shows the ghosts or hides them.
    pub(crate) fn toggle_ghosts(&mut self) {
        self.ghosts = !self.ghosts;
    }

    /// Plays at the speed of a key, 1 to 5.
    pub(crate) fn set_speed(&mut self, key: usize) {
        if let Some(speed) = key.checked_sub(1).and_then(|index| SPEEDS.get(index)) {
            self.speed = *speed;
        }
    }

    /// Moves. A step stops the clock, so that the event can be looked at, and so do the edges.
    pub(crate) fn go(&mut self, to: Move) {
        self.at_ms = match to {
            Move::Seek(Way::Back) => self.at_ms.saturating_sub(SEEK_MS),
            Move::Seek(Way::On) => self.at_ms.saturating_add(SEEK_MS).min(self.end_ms()),
            Move::Edge(Way::Back) => 0,
            Move::Edge(Way::On) => self.end_ms(),
            Move::Step(Way::Back) => {
                let before = self.moments.partition_point(|moment| *moment < self.at_ms);
                before.checked_sub(1).map_or(0, |index| self.moments[index])
            }
            Move::Step(Way::On) => {
                let after = self.moments.partition_point(|moment| *moment <= self.at_ms);
                self.moments.get(after).copied().unwrap_or(self.end_ms())
            }
        };
        if !matches!(to, Move::Seek(_)) {
            self.playing = false;
        }
    }

    fn shown(&self) -> &[ReplayLane] {
        let count = if self.ghosts { self.lanes.len() } else { self.lanes.len().min(1) };
        &self.lanes[..count]
    }

    /// Whether a single race is played.
    pub(crate) fn is_alone(&self) -> bool {
        self.lanes.len() == 1
    }

    /// The frame without the keys, to be left on the screen.
    pub(crate) fn last_frame(&self, look: &Look, width: usize, rows: usize) -> Vec<Line<'static>> {
        let mut lines = self.frame(look, width, rows);
        lines.pop();
        lines
    }

    /// The lines to draw, for a terminal of that size.
    pub(crate) fn frame(&self, look: &Look, width: usize, rows: usize) -> Vec<Line<'static>> {
        let mut lines = self.head(look, width);
        match self.shown() {
            [lane] => lines.extend(self.alone(look, lane, width, rows)),
            lanes => lines.extend(self.side_by_side(look, lanes, width, rows)),
        }
        lines.push(timeline::key(look));
        let ghosts = if self.lanes.len() > 1 { "g ghosts   " } else { "" };
        let keys =
            format!("space pause   {} 5 s   , . event   1-5 speed   {ghosts}q quit", look.arrows);
        lines.push(Line::styled(fit(&keys, width), look::QUIET));
        lines
    }

    fn head(&self, look: &Look, width: usize) -> Vec<Line<'static>> {
        let name = self.lanes.first().map_or("", |lane| lane.name.as_str());
        let ghosts = match self.lanes.len() {
            0 | 1 => String::new(),
            2 => String::from(" with 1 ghost"),
            many => format!(" with {} ghosts", many - 1),
        };
        let left = vec![
            Span::styled("gauntlet replay  ", look::STRONG),
            Span::raw(look.text(name, 60) + &ghosts),
        ];
        let mark = if self.playing { look.play[0] } else { look.play[1] };
        let clock = format!("{} / {} s", seconds(self.at_ms), seconds(self.end_ms()));
        let right = vec![
            Span::styled(format!("{mark} {}{}   ", self.speed, look.times), look::THINK),
            Span::styled(clock, look::STRONG),
        ];
        vec![spread(left, right, width), rule(look, width)]
    }

    /// One race: its table, what it does, and its time line.
    fn alone(
        &self,
        look: &Look,
        lane: &ReplayLane,
        width: usize,
        rows: usize,
    ) -> Vec<Line<'static>> {
        let (view, at_ms) = (&lane.view, self.at_ms);
        let ranges = rows.saturating_sub(12).max(1);
        let mut lines = table::lines(look, view, None, at_ms, (width, ranges), |_| usize::MAX);
        lines.push(Line::default());
        lines.push(match cut_short(view, at_ms) {
            Some(words) => spread(
                vec![Span::styled(words, look::MISS)],
                vec![Span::raw(sums(view, at_ms))],
                width,
            ),
            None => status(look, view, at_ms, width, None),
        });
        lines.push(Line::default());
        lines.push(Line::styled(timeline::axis(self.end_ms(), width), look::QUIET));
        lines.push(Line::from(timeline::bar(look, view, at_ms, self.end_ms(), width)));
        lines.push(Line::default());
        lines
    }

    /// Several races: two lines each.
    fn side_by_side(
        &self,
        look: &Look,
        lanes: &[ReplayLane],
        width: usize,
        rows: usize,
    ) -> Vec<Line<'static>> {
        let tail = if width >= WIDE { GAP + 24 } else { GAP };
        let longest = lanes.iter().map(|lane| columns(&lane.name)).max().unwrap_or(0);
        let names = longest.clamp(10, (width / 5).max(10)) + 2;
        let cells = width.saturating_sub(names + tail);
        let axis = format!("{}{}", fit("", names), timeline::axis(self.end_ms(), cells));
        let mut lines = vec![Line::styled(axis, look::QUIET)];
        let splits: Vec<Vec<u64>> = lanes.iter().map(|it| it.view.splits_at(self.at_ms)).collect();
        let room = rows.saturating_sub(6) / 3;
        for (lane, gap) in lanes.iter().zip(gaps(&splits)).take(room.max(1)) {
            lines.push(self.first_line(look, lane, gap, (names, cells, width)));
            lines.push(self.second_line(look, lane, gap, (names, width)));
            lines.push(Line::default());
        }
        lines
    }

    fn first_line(
        &self,
        look: &Look,
        lane: &ReplayLane,
        gap: Option<Gap>,
        (names, cells, width): (usize, usize, usize),
    ) -> Line<'static> {
        let name = fit_name(&look.text(&lane.name, 60), names - 1);
        let mut spans = vec![Span::styled(name, look::STRONG), Span::raw(" ")];
        spans.extend(timeline::bar(look, &lane.view, self.at_ms, self.end_ms(), cells));
        spans.push(Span::raw(right(&gap.map_or_else(String::new, gap_words), GAP)));
        if let Some(gap) = gap.filter(|_| width >= WIDE) {
            spans.push(Span::raw(format!("  {}", after(look, lane, gap))));
        }
        Line::from(spans)
    }

    fn second_line(
        &self,
        look: &Look,
        lane: &ReplayLane,
        gap: Option<Gap>,
        (names, width): (usize, usize),
    ) -> Line<'static> {
        let (view, at_ms) = (&lane.view, self.at_ms);
        let mut left = vec![Span::raw(fit("", names))];
        let range = view.ranges.iter().rfind(|it| it.enter_ms.is_some_and(|it| it <= at_ms));
        if let Some(range) = range {
            let shots = range.shots_at(at_ms);
            let targets = usize::try_from(range.targets).unwrap_or(0).min(5);
            for target in 0..targets {
                left.push(match shots.get(target).map(|shot| shot.verdict) {
                    Some(verdict) => look.mark(verdict),
                    None => Span::styled(look.up, look::QUIET),
                });
                left.push(Span::raw(" "));
            }
        }
        let words = cut_short(view, at_ms).unwrap_or_else(|| doing_where(look, view, at_ms));
        left.push(Span::raw(format!(" {words}")));
        let tail = match gap {
            _ if width >= WIDE => {
                let shots = view.ranges.iter().flat_map(|range| range.shots_at(at_ms));
                let hits = shots.clone().filter(|it| it.verdict == Verdict::Hit).count();
                fit(&format!("targets hit {hits} of {}", shots.count()), 22)
            }
            Some(gap) => after(look, lane, gap),
            None => String::new(),
        };
        spread(left, vec![Span::styled(tail, look::QUIET)], width)
    }
}

fn after(look: &Look, lane: &ReplayLane, gap: Gap) -> String {
    match lane.view.ranges.get(gap.split) {
        Some(_) => format!("after {}", split_name(look, &lane.view, gap.split)),
        None => String::from("in the finish"),
    }
}

/// What to say where a log ends before its race did.
fn cut_short(view: &RaceView, at_ms: u64) -> Option<String> {
    let at_end = view.end.is_none() && at_ms >= view.end_ms();
    at_end.then(|| String::from("unfinished: the log ends here"))
}

#[cfg(test)]
#[path = "playback_tests.rs"]
mod tests;
