//! The live view of a race: the ranges, the race clock, a bar toward the buzzer, and the last words of the reply.
//!
//! It is told events, pieces of the reply and the time, and gives the lines to draw when asked. It never asks anything.

use super::look::{self, Look, spread};
use super::state::{Phase, RaceView, RangeView};
use super::stream::Tail;
use super::timeline::{behind_ms, signed, split_name};
use super::{status, table};
use crate::cli::out::seconds;
use crate::lane::chunk::Channel;
use crate::race::event::Event;
use crate::race::line::LogLine;
use ratatui::text::{Line, Span};
use std::sync::Arc;

/// Lines of the reply that are shown.
const STREAM_LINES: usize = 3;
/// How long each target of a range takes to fall on the screen: the race clock is ahead of the wall clock there, because
/// nobody waits for shots and loops.
const FALL_MS: u64 = 150;

/// A race that is on.
#[derive(Debug, Clone)]
pub struct LiveView {
    view: RaceView,
    tail: Tail,
    name: String,
    folder: String,
    window_ms: Option<u64>,
    /// The race to run against, and its name; shared, because a view is copied for each frame.
    ghost: Option<Arc<(String, RaceView)>>,
    /// The monotonic clock and the race clock where the thinking clock last began to run.
    asked: Option<(u64, u64)>,
    /// When each range's shots were told, on the monotonic clock.
    shot_ms: Vec<u64>,
    /// The latest moment that was told.
    now_ms: u64,
}

impl LiveView {
    /// A view of a race that has not begun, over these ranges.
    #[must_use]
    pub fn new(name: &str, folder: &str, ranges: Vec<RangeView>, window_ms: Option<u64>) -> Self {
        Self {
            shot_ms: vec![u64::MAX; ranges.len()],
            view: RaceView { ranges, ..RaceView::default() },
            tail: Tail::default(),
            name: name.to_owned(),
            folder: folder.to_owned(),
            window_ms,
            ghost: None,
            asked: None,
            now_ms: 0,
        }
    }

    /// The same view with a ghost to run against.
    #[must_use]
    pub fn against(mut self, name: &str, ghost: RaceView) -> Self {
        self.ghost = Some(Arc::new((name.to_owned(), ghost)));
        self
    }

    /// An event was logged.
    pub fn event(&mut self, line: &LogLine) {
        self.view.take(line);
        self.tick(line.t_ms);
        match &line.event {
            Event::Request { .. } => {
                self.asked = Some((line.t_ms, line.race_ms));
                self.tail.clear();
            }
            Event::Answer { .. } => self.asked = None,
            Event::Shot { range, .. } => {
                let index = usize::try_from(*range).unwrap_or(0).wrapping_sub(1);
                if let Some(shot_ms) = self.shot_ms.get_mut(index) {
                    *shot_ms = line.t_ms.min(*shot_ms);
                }
            }
            Event::RangeEnd { .. } | Event::Zeroing { .. } => self.tail.clear(),
            _ => {}
        }
    }

    /// A piece of the reply arrived.
    pub fn stream(&mut self, channel: Channel, text: &str) {
        self.tail.push(channel, text);
    }

    /// Time passed: the monotonic clock of the log's lines.
    pub fn tick(&mut self, t_ms: u64) {
        self.now_ms = self.now_ms.max(t_ms);
    }

    /// The race clock now: it runs while the lane thinks and stands otherwise.
    fn race_ms(&self) -> u64 {
        let (Some((asked_ms, race_ms)), None) = (self.asked, &self.view.end) else {
            return self.view.last_ms;
        };
        self.view.last_ms.max(race_ms.saturating_add(self.now_ms.saturating_sub(asked_ms)))
    }

    /// The lines to draw, for a terminal of that size.
    pub(crate) fn frame(&self, look: &Look, width: usize, rows: usize) -> Vec<Line<'static>> {
        let race_ms = self.race_ms();
        let clock = vec![Span::styled(format!("race {} s", seconds(race_ms)), look::STRONG)];
        let name = look.text(&self.name, 80);
        let title = vec![Span::styled("gauntlet race  ", look::STRONG), Span::raw(name)];
        let mut lines = vec![spread(title, clock, width), rule(look, width)];
        // Head, status and foot stay; ranges give way on a low terminal, and the stream before them.
        let ranges = self.ranges_shown(rows);
        let ghost = self.ghost.as_deref().map(|(_, ghost)| ghost);
        lines.extend(table::lines(look, &self.view, ghost, race_ms, (width, ranges), |range| {
            let since_ms =
                self.shot_ms.get(range).map_or(0, |shot| self.now_ms.saturating_sub(*shot));
            usize::try_from(since_ms / FALL_MS).unwrap_or(usize::MAX)
        }));
        lines.push(Line::default());
        lines.push(self.status(look, race_ms, width));
        lines.extend(self.ghost_line(look, race_ms, width));
        lines.push(Line::default());
        let room = rows.saturating_sub(lines.len() + 3).min(STREAM_LINES);
        if room > 0 {
            lines.extend(self.stream_lines(look, width, room));
            lines.push(Line::default());
        }
        let keys =
            if width < 80 { "Ctrl-C stops" } else { "Ctrl-C stops the race; its files stay" };
        let keys = vec![Span::styled(keys, look::QUIET)];
        let folder = vec![Span::styled(look.text(&self.folder, 200), look::QUIET)];
        lines.push(spread(keys, folder, width));
        lines
    }

    /// The same when the race is over: everything is shown, and nothing moves any more.
    pub(crate) fn last_frame(
        &mut self,
        look: &Look,
        width: usize,
        rows: usize,
    ) -> Vec<Line<'static>> {
        (self.now_ms, self.asked) = (u64::MAX, None);
        self.tail.clear();
        let mut lines = self.frame(look, width, rows);
        lines.truncate(2 + 1 + self.ranges_shown(rows));
        lines
    }

    fn ranges_shown(&self, rows: usize) -> usize {
        let others = 9 + usize::from(self.ghost.is_some());
        self.view.ranges.len().min(rows.saturating_sub(others).max(1))
    }

    /// What the ghost did at this moment of its race, and how far behind it the lane was at its last split.
    fn ghost_line(&self, look: &Look, race_ms: u64, width: usize) -> Option<Line<'static>> {
        let (name, ghost) = self.ghost.as_deref()?;
        let doing = status::doing_where(look, ghost, race_ms);
        let left = vec![
            Span::styled("ghost  ", look::QUIET),
            Span::raw(look.text(name, 40)),
            Span::styled(format!("  {doing}"), look::QUIET),
        ];
        let (own, others) = (self.view.splits_at(race_ms), ghost.splits_at(u64::MAX));
        let split = own.len().min(others.len()).checked_sub(1);
        let right = match split {
            Some(split) => {
                let gap = signed(behind_ms(own[split], others[split]));
                let place = split_name(look, ghost, split);
                vec![Span::styled(gap, look::STRONG), Span::raw(format!(" s at {place}"))]
            }
            None => vec![Span::raw(format!("finish {} s", seconds(ghost.end_ms())))],
        };
        Some(spread(left, right, width))
    }

    fn status(&self, look: &Look, race_ms: u64, width: usize) -> Line<'static> {
        let words = match self.view.phase_at(race_ms) {
            Phase::Zeroing => "zeroing: the lane answers a fixed prompt",
            // Legs take no time but on the race clock, and after the last one the fixed prompt is timed again.
            Phase::Leg(leg) if leg >= self.view.ranges.len() => {
                "in the finish; the fixed prompt is timed again"
            }
            Phase::Waiting(_) => "the lane comes to rest after the cut; the race clock stands",
            Phase::Shooting(_, 0) => "the answer is read and judged",
            _ => return status::status(look, &self.view, race_ms, width, self.window_ms),
        };
        let sums = vec![Span::raw(status::sums(&self.view, race_ms))];
        spread(vec![Span::styled(words, look::STRONG)], sums, width)
    }

    fn stream_lines(&self, look: &Look, width: usize, count: usize) -> Vec<Line<'static>> {
        let quote = || Span::styled(format!("{} ", look.quote), look::QUIET);
        let text = self.tail.lines(width.saturating_sub(4), count);
        let style = match self.tail.channel() {
            Some(Channel::Reasoning) => look::QUIET,
            Some(Channel::Answer) | None => look::PLAIN,
        };
        let last = text.len().saturating_sub(1);
        let mut lines: Vec<Line<'static>> = Vec::new();
        for (index, line) in text.iter().enumerate() {
            let mut spans = vec![quote(), Span::styled(look.text(line, usize::MAX), style)];
            if index == last {
                spans.push(Span::styled(format!(" {}", look.caret), look::THINK));
            }
            lines.push(Line::from(spans));
        }
        if lines.is_empty() && self.asked.is_some() {
            let words = Span::styled("no word yet", look::QUIET);
            lines.push(Line::from(vec![quote(), words]));
        }
        lines.resize_with(count, || Line::from(quote()));
        lines
    }
}

pub(crate) fn rule(look: &Look, width: usize) -> Line<'static> {
    Line::styled(look.rule.repeat(width), look::QUIET)
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
