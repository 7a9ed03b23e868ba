//! A race as its events tell it, to be asked how it stood at any moment of the race clock. Pure: no clock, no screen. Used
//! by the live view, which asks for now, and by replay, which asks for any moment and so can go back.

use crate::puzzles::Kind;
use crate::race::event::{Answer, Event, Reason, Started, Verdict};
use crate::race::line::LogLine;

/// A race, folded from the lines of its log; a log that is still growing gives the race so far.
#[derive(Debug, Clone, Default)]
pub struct RaceView {
    /// What the start said.
    pub start: Option<Started>,
    /// The ranges in their order: those that are known to come, and those that the race has reached.
    pub ranges: Vec<RangeView>,
    /// The legs that were begun.
    pub legs: Vec<Timed>,
    /// What made the times doubtful, as sentences.
    pub disturbed: Vec<String>,
    /// How it ended, and when.
    pub end: Option<(u64, End)>,
    /// The latest moment that the log speaks of.
    pub last_ms: u64,
}

/// Something that takes a fixed time from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// When it begins.
    pub at_ms: u64,
    /// How long it takes.
    pub takes_ms: u64,
}

impl Timed {
    /// How much of it has passed at a moment.
    #[must_use]
    pub fn passed_ms(self, at_ms: u64) -> u64 {
        at_ms.saturating_sub(self.at_ms).min(self.takes_ms)
    }

    /// When it ends.
    #[must_use]
    pub fn ends_ms(self) -> u64 {
        self.at_ms.saturating_add(self.takes_ms)
    }
}

/// How a race ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// At the finish.
    Finish,
    /// Somebody stopped it.
    Abandoned,
    /// It broke for a reason outside the lane.
    Void(String),
}

/// One range of a race.
#[derive(Debug, Clone)]
pub struct RangeView {
    /// The task's family.
    pub family: String,
    /// Puzzle or code.
    pub kind: Kind,
    /// The task's level.
    pub level: u8,
    /// How many targets stand there.
    pub targets: u32,
    /// The thinking limit, if this level has one.
    pub buzzer_ms: Option<u64>,
    /// When the lane came to it.
    pub enter_ms: Option<u64>,
    /// When the first text of the reply came.
    pub first_token_ms: Option<u64>,
    /// When the visible answer began after reasoning.
    pub answering_ms: Option<u64>,
    /// When the buzzer went.
    pub buzzed_ms: Option<u64>,
    /// When and how the thinking clock stopped.
    pub answer: Option<Answered>,
    /// The shots so far.
    pub shots: Vec<Shot>,
    /// The penalty loops that were begun.
    pub loops: Vec<Timed>,
    /// When the lane left it, and the range's whole time.
    pub exit: Option<(u64, u64)>,
}

/// The end of thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered {
    /// When.
    pub at_ms: u64,
    /// How the answer came.
    pub how: Answer,
    /// The thinking time that is charged.
    pub thinking_ms: u64,
}

/// A shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shot {
    /// When.
    pub at_ms: u64,
    /// Hit or miss.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
}

/// What a lane does at a moment. Ranges are indices into [`RaceView::ranges`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The race clock has not begun to run.
    Zeroing,
    /// On a leg, from 0.
    Leg(usize),
    /// The thinking clock of a range runs.
    Thinking(usize),
    /// The buzzer went, and the forced answer is awaited.
    Forced(usize),
    /// That many shots of a range were fired.
    Shooting(usize, usize),
    /// In a penalty loop of a range, from 0.
    Loop(usize, usize),
    /// The range is left and the next leg not begun: the lane is awaited outside the race clock.
    Waiting(usize),
    /// The race is over.
    Over,
}

/// What fills a stretch of the race clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// A leg.
    Course,
    /// Thinking.
    Thinking,
    /// Taking the mat and shooting.
    Shooting,
    /// Penalty loops.
    Loops,
}

/// Sums over a race up to a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Targets hit.
    pub hits: u32,
    /// Targets shot at.
    pub targets: u32,
    /// Penalty loops begun.
    pub loops: u32,
    /// Time in them.
    pub loops_ms: u64,
    /// Thinking time.
    pub thinking_ms: u64,
    /// Time on the legs.
    pub course_ms: u64,
    /// Ranges in which the buzzer went.
    pub buzzers: u32,
}

impl RangeView {
    /// A range that is known to come.
    #[must_use]
    pub fn ahead(
        family: &str,
        kind: Kind,
        level: u8,
        targets: u32,
        buzzer_ms: Option<u64>,
    ) -> Self {
        Self {
            family: family.to_owned(),
            kind,
            level,
            targets,
            buzzer_ms,
            enter_ms: None,
            first_token_ms: None,
            answering_ms: None,
            buzzed_ms: None,
            answer: None,
            shots: Vec::new(),
            loops: Vec::new(),
            exit: None,
        }
    }

    /// The shots that were fired by then.
    #[must_use]
    pub fn shots_at(&self, at_ms: u64) -> &[Shot] {
        let fired = self.shots.iter().take_while(|shot| shot.at_ms <= at_ms).count();
        &self.shots[..fired]
    }

    /// The loops that were begun by then.
    #[must_use]
    pub fn loops_at(&self, at_ms: u64) -> &[Timed] {
        let begun = self.loops.iter().take_while(|it| it.at_ms <= at_ms).count();
        &self.loops[..begun]
    }

    /// Thinking time by then; nothing before the lane came.
    #[must_use]
    pub fn thinking_at(&self, at_ms: u64) -> Option<u64> {
        let enter_ms = self.enter_ms.filter(|enter| *enter <= at_ms)?;
        Some(match self.answer {
            Some(answer) if answer.at_ms <= at_ms => answer.thinking_ms,
            _ => at_ms - enter_ms,
        })
    }

    /// Whether the buzzer had gone by then.
    #[must_use]
    pub fn buzzed_at(&self, at_ms: u64) -> bool {
        self.buzzed_ms.is_some_and(|it| it <= at_ms)
    }

    /// Whether the range was left by then.
    #[must_use]
    pub fn left_at(&self, at_ms: u64) -> bool {
        self.exit.is_some_and(|(exit_ms, _)| exit_ms <= at_ms)
    }
}

impl RaceView {
    /// The race of these lines.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a LogLine>) -> Self {
        let mut view = Self::default();
        for line in lines {
            view.take(line);
        }
        view
    }

    /// Takes the next line of the log.
    pub fn take(&mut self, line: &LogLine) {
        let at_ms = line.race_ms;
        // A race that broke off inside a range is logged at the clock of its last split; time never goes back here.
        self.last_ms = self.last_ms.max(at_ms);
        match &line.event {
            Event::Start(start) => self.start = Some((**start).clone()),
            Event::Leg { leg_ms, .. } => self.legs.push(Timed { at_ms, takes_ms: *leg_ms }),
            Event::RangeStart { family, kind, level, targets, buzzer_ms, .. } => {
                let mut range = RangeView::ahead(family, *kind, *level, *targets, *buzzer_ms);
                range.enter_ms = Some(at_ms);
                match self.ranges.iter_mut().find(|it| it.enter_ms.is_none()) {
                    Some(known) => *known = range,
                    None => self.ranges.push(range),
                }
            }
            Event::Disturbed { why, by } => self.disturbed.push(why.sentence(*by)),
            Event::Finish { .. } => self.end = Some((self.last_ms, End::Finish)),
            Event::Abandoned { .. } => self.end = Some((self.last_ms, End::Abandoned)),
            Event::Void { why } => self.end = Some((self.last_ms, End::Void(why.clone()))),
            event => self.take_of_range(at_ms, event),
        }
    }

    fn take_of_range(&mut self, at_ms: u64, event: &Event) {
        let Some(range) = self.ranges.iter_mut().rfind(|it| it.enter_ms.is_some()) else { return };
        match event {
            Event::FirstToken { .. } => {
                range.first_token_ms.get_or_insert(at_ms);
            }
            Event::ReasoningEnd { .. } => range.answering_ms = Some(at_ms),
            Event::Buzzer { .. } => range.buzzed_ms = Some(at_ms),
            Event::Answer { answer: how, thinking_ms, .. } => {
                range.answer = Some(Answered { at_ms, how: *how, thinking_ms: *thinking_ms });
            }
            Event::Shot { verdict, reason, .. } => {
                range.shots.push(Shot { at_ms, verdict: *verdict, reason: *reason });
            }
            Event::Penalty { loop_ms, .. } => {
                range.loops.push(Timed { at_ms, takes_ms: *loop_ms });
            }
            Event::RangeEnd { range_ms, .. } => range.exit = Some((at_ms, *range_ms)),
            _ => {}
        }
    }

    /// The last moment there is to see.
    #[must_use]
    pub fn end_ms(&self) -> u64 {
        self.end.as_ref().map_or(self.last_ms, |(at_ms, _)| *at_ms)
    }

    /// What the lane does at a moment.
    #[must_use]
    pub fn phase_at(&self, at_ms: u64) -> Phase {
        if self.end.as_ref().is_some_and(|(end_ms, _)| *end_ms <= at_ms) {
            return Phase::Over;
        }
        let leg = self.legs.iter().rposition(|leg| leg.at_ms <= at_ms);
        let entered = |range: &RangeView| range.enter_ms.is_some_and(|enter| enter <= at_ms);
        let Some(index) = self.ranges.iter().rposition(entered) else {
            return leg.map_or(Phase::Zeroing, Phase::Leg);
        };
        let range = &self.ranges[index];
        if range.left_at(at_ms) {
            let exit_ms = range.exit.map_or(0, |(exit_ms, _)| exit_ms);
            let next = leg.filter(|leg| self.legs[*leg].at_ms >= exit_ms && *leg > index);
            return next.map_or(Phase::Waiting(index), Phase::Leg);
        }
        match (range.loops_at(at_ms).len(), range.answer) {
            (0, Some(answer)) if answer.at_ms <= at_ms => {
                Phase::Shooting(index, range.shots_at(at_ms).len())
            }
            (0, _) if range.buzzed_at(at_ms) => Phase::Forced(index),
            (0, _) => Phase::Thinking(index),
            (begun, _) => Phase::Loop(index, begun - 1),
        }
    }

    /// Sums up to a moment. At the end they are those of the result.
    #[must_use]
    pub fn totals_at(&self, at_ms: u64) -> Totals {
        let mut totals = Totals::default();
        for leg in &self.legs {
            totals.course_ms = totals.course_ms.saturating_add(leg.passed_ms(at_ms));
        }
        for range in &self.ranges {
            for shot in range.shots_at(at_ms) {
                totals.targets += 1;
                totals.hits += u32::from(shot.verdict == Verdict::Hit);
            }
            for it in range.loops_at(at_ms) {
                totals.loops += 1;
                totals.loops_ms = totals.loops_ms.saturating_add(it.passed_ms(at_ms));
            }
            totals.thinking_ms =
                totals.thinking_ms.saturating_add(range.thinking_at(at_ms).unwrap_or(0));
            totals.buzzers += u32::from(range.buzzed_at(at_ms));
        }
        totals
    }

    /// When each range was left, and the finish: the splits that a lane has by a moment.
    #[must_use]
    pub fn splits_at(&self, at_ms: u64) -> Vec<u64> {
        let exits = self.ranges.iter().filter_map(|range| range.exit.map(|(exit_ms, _)| exit_ms));
        let finish = self.end.iter().filter(|(_, end)| *end == End::Finish).map(|(at, _)| *at);
        exits.chain(finish).take_while(|split| *split <= at_ms).collect()
    }

    /// What filled the race clock up to a moment, in order.
    #[must_use]
    pub fn fills_at(&self, at_ms: u64) -> Vec<(Fill, Timed)> {
        let mut fills: Vec<(Fill, Timed)> =
            self.legs.iter().map(|leg| (Fill::Course, *leg)).collect();
        for range in &self.ranges {
            let Some(enter_ms) = range.enter_ms else { continue };
            let answered_ms = range.answer.map(|it| it.at_ms);
            let until_ms = answered_ms.unwrap_or(self.end_ms().max(at_ms));
            let takes_ms = until_ms.saturating_sub(enter_ms);
            fills.push((Fill::Thinking, Timed { at_ms: enter_ms, takes_ms }));
            let down_ms = range.shots.last().map(|shot| shot.at_ms);
            if let (Some(at_ms), Some(down_ms)) = (answered_ms, down_ms) {
                let takes_ms = down_ms.saturating_sub(at_ms);
                fills.push((Fill::Shooting, Timed { at_ms, takes_ms }));
            }
            if let (Some(first), Some(last)) = (range.loops.first(), range.loops.last()) {
                let takes_ms = last.ends_ms().saturating_sub(first.at_ms);
                fills.push((Fill::Loops, Timed { at_ms: first.at_ms, takes_ms }));
            }
        }
        fills.retain(|(_, it)| it.at_ms < at_ms);
        for (_, it) in &mut fills {
            it.takes_ms = it.passed_ms(at_ms);
        }
        fills.sort_by_key(|(_, it)| it.at_ms);
        fills
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
