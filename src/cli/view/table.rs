//! The ranges of a race as table rows: the same columns on the card, in the live view and in replay.

use super::look::{self, Look, fit, right, title};
use super::state::{Phase, RaceView, RangeView};
use super::timeline::{behind_ms, signed};
use crate::cli::out::seconds;
use crate::puzzles::Kind;
use crate::race::event::{Answer, Reason, Verdict};
use crate::race::fold::RangeResult;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// A row that is wider than this cannot be followed from its name to its times.
const WIDEST: usize = 120;

/// Targets that a row has room for.
const TARGETS_SHOWN: usize = 5;

/// One range, as much of it as is to be shown.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// Whether the lane is there.
    pub here: bool,
    /// Its number, from 1.
    pub number: usize,
    /// The task's family.
    pub family: String,
    /// Puzzle or code.
    pub kind: Kind,
    /// The task's level.
    pub level: u8,
    /// The targets; nothing for one that still stands.
    pub marks: Vec<Option<Verdict>>,
    /// A word on the answer.
    pub note: (&'static str, Style),
    /// Thinking time; nothing before the lane came.
    pub thinking_ms: Option<u64>,
    /// Penalty loops and their time.
    pub loops: (u32, u64),
    /// The whole time; nothing before the lane left.
    pub range_ms: Option<u64>,
    /// How far behind a ghost the lane left; nothing without one, or before.
    pub gap_ms: Option<i64>,
}

impl Row {
    /// A range of a result. One that the lane did not leave has no times.
    pub(crate) fn of(number: usize, range: &RangeResult) -> Self {
        let left = range.range_ms > 0;
        let marks = range.targets.iter().map(|target| Some(target.verdict)).collect();
        let failed = range.targets.iter().any(|it| it.reason == Reason::ServerError);
        let answer = Some(range.answer).filter(|answer| left || *answer != Answer::None);
        Self {
            here: false,
            number,
            family: range.family.clone(),
            kind: range.kind,
            level: range.level,
            marks: standing(marks, TARGETS_SHOWN),
            note: note(answer, range.buzzer, failed),
            thinking_ms: answer.map(|_| range.thinking_ms),
            loops: (range.loops, range.loops_ms),
            range_ms: left.then_some(range.range_ms),
            gap_ms: None,
        }
    }

    /// A range as it stood at a moment, with at most so many of its shots shown.
    pub(crate) fn at(range: &RangeView, number: usize, at_ms: u64, shown: usize) -> Self {
        let shots = range.shots_at(at_ms);
        let shots = &shots[..shots.len().min(shown)];
        let marks = shots.iter().map(|shot| Some(shot.verdict)).collect();
        // What is still hidden of the shots hides what follows from them.
        let all_shown = shown >= range.shots.len();
        let begun = if all_shown { range.loops_at(at_ms) } else { &[] };
        let loops_ms = begun.iter().fold(0_u64, |sum, it| sum.saturating_add(it.passed_ms(at_ms)));
        let answer = range.answer.filter(|it| it.at_ms <= at_ms).map(|it| it.how);
        let failed = shots.iter().any(|it| it.reason == Reason::ServerError);
        let exit = range.exit.filter(|(exit_ms, _)| all_shown && *exit_ms <= at_ms);
        Self {
            here: false,
            number,
            family: range.family.clone(),
            kind: range.kind,
            level: range.level,
            marks: standing(marks, usize::try_from(range.targets).unwrap_or(0).min(TARGETS_SHOWN)),
            note: note(answer, range.buzzed_at(at_ms), failed),
            thinking_ms: range.thinking_at(at_ms),
            loops: (u32::try_from(begun.len()).unwrap_or(u32::MAX), loops_ms),
            range_ms: exit.map(|it| it.1),
            gap_ms: None,
        }
    }
}

/// Marks with those of the targets that still stand.
fn standing(mut marks: Vec<Option<Verdict>>, targets: usize) -> Vec<Option<Verdict>> {
    marks.resize(marks.len().max(targets), None);
    marks
}

/// The columns of a table of a given width.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns {
    gutter: usize,
    name: usize,
    task: usize,
    note: usize,
    space: usize,
    gap: usize,
}

/// Columns of the gap to a ghost.
const GAP: usize = 9;

/// Number, marks and times: what a row has at any width.
const FIXED: usize = 2 + 2 * TARGETS_SHOWN + 8 + 11 + 10;

impl Columns {
    /// The columns that fit, which need 60; `gutter` is where the mark of the current range stands, `gap` asks for the gap to
    /// a ghost where there is room for it.
    pub(crate) fn of(width: usize, gutter: bool, gap: bool) -> Self {
        let gutter = if gutter { 2 } else { 0 };
        let gap = if gap && width >= FIXED + gutter + GAP + 20 { GAP } else { 0 };
        let left = width.saturating_sub(FIXED + gutter + gap);
        let (task, note) = match left {
            32.. => (11, 10),
            28..=31 => (3, 10),
            _ => (3, 0),
        };
        let room = left.saturating_sub(task + note);
        let name = room.min(20);
        Self { gutter, name, task, note, space: room - name, gap }
    }

    /// The line above the rows.
    pub(crate) fn head(self) -> Vec<Span<'static>> {
        let text = [
            fit("", self.gutter),
            fit("  range", 2 + self.name),
            fit(if self.task > 3 { "task" } else { "" }, self.task),
            fit("targets", 2 * TARGETS_SHOWN + self.note + self.space),
            right("think", 8),
            right("loops", 11),
            right("range", 10),
            right(if self.gap > 0 { "gap" } else { "" }, self.gap),
        ];
        vec![Span::styled(text.concat(), look::QUIET)]
    }

    /// A row.
    pub(crate) fn row(self, look: &Look, row: &Row) -> Vec<Span<'static>> {
        let kind = format!("{:<6} ", row.kind);
        let task = format!("{}L{}", if self.task > 3 { kind.as_str() } else { "" }, row.level);
        let name = fit(&look.text(&title(&row.family), 40), self.name.saturating_sub(1));
        let here = if row.here { look.here } else { "" };
        let style = if row.here { look::STRONG } else { look::PLAIN };
        let number = fit(&row.number.to_string(), 1);
        let mut spans = vec![
            Span::styled(fit(here, self.gutter), look::THINK),
            Span::styled(format!("{number} {name}{}", if self.name > 0 { " " } else { "" }), style),
            Span::raw(fit(&task, self.task)),
        ];
        for target in 0..TARGETS_SHOWN {
            spans.push(match row.marks.get(target) {
                Some(Some(verdict)) => look.mark(*verdict),
                Some(None) => Span::styled(look.up, look::QUIET),
                None => Span::raw(" "),
            });
            spans.push(Span::raw(" "));
        }
        spans.push(Span::styled(fit(&format!(" {}", row.note.0), self.note), row.note.1));
        spans.push(Span::raw(" ".repeat(self.space)));
        let or_none = |ms: Option<u64>| ms.map_or_else(|| look.none.to_owned(), seconds);
        let loops = match row.loops {
            (0, _) => look.none.to_owned(),
            (count, ms) => format!("{count}  {}", right(&seconds(ms), 5)),
        };
        let missed = if row.loops.0 > 0 { look::MISS } else { look::QUIET };
        let quiet = |known: bool, style| if known { style } else { look::QUIET };
        let thinking = right(&or_none(row.thinking_ms), 8);
        spans.push(Span::styled(thinking, quiet(row.thinking_ms.is_some(), look::PLAIN)));
        spans.push(Span::styled(right(&loops, 11), missed));
        let whole = right(&or_none(row.range_ms), 10);
        spans.push(Span::styled(whole, quiet(row.range_ms.is_some(), look::STRONG)));
        let gap = row.gap_ms.map_or_else(String::new, signed);
        spans.push(Span::raw(right(&gap, self.gap)));
        spans
    }
}

/// A word on how an answer came, where it is worth one.
fn note(answer: Option<Answer>, buzzer: bool, failed: bool) -> (&'static str, Style) {
    match answer {
        Some(_) if failed => ("failed", look::MISS),
        Some(Answer::CutOff) => ("cut off", look::MISS),
        Some(Answer::Forced) => ("forced", look::THINK),
        Some(Answer::None) if buzzer => ("too late", look::MISS),
        Some(Answer::None) => ("none", look::MISS),
        None if buzzer => ("buzzer", look::THINK),
        Some(Answer::Complete) | None => ("", look::PLAIN),
    }
}

/// The range that a phase is at.
pub(crate) fn range_of(phase: Phase) -> Option<usize> {
    match phase {
        Phase::Thinking(range)
        | Phase::Forced(range)
        | Phase::Shooting(range, _)
        | Phase::Loop(range, _)
        | Phase::Waiting(range) => Some(range),
        Phase::Zeroing | Phase::Leg(_) | Phase::Over => None,
    }
}

/// The head and the rows of a race at a moment, with the gaps to a ghost; of a long course those around the lane that fit into
/// `rows`.
pub(crate) fn lines(
    look: &Look,
    view: &RaceView,
    ghost: Option<&RaceView>,
    at_ms: u64,
    (width, rows): (usize, usize),
    shown: impl Fn(usize) -> usize,
) -> Vec<Line<'static>> {
    let columns_of = Columns::of(width.min(WIDEST), true, ghost.is_some());
    let ghosts = ghost.map(|ghost| ghost.splits_at(u64::MAX)).unwrap_or_default();
    let here = range_of(view.phase_at(at_ms));
    let count = rows.min(view.ranges.len());
    let entered = view.ranges.iter().filter(|it| it.enter_ms.is_some_and(|it| it <= at_ms)).count();
    let first = entered.saturating_sub(count);
    let mut lines = vec![Line::from(columns_of.head())];
    for (index, range) in view.ranges.iter().enumerate().skip(first).take(count) {
        let mut row = Row::at(range, index + 1, at_ms, shown(index));
        row.here = here == Some(index);
        let exit_ms = range.exit.filter(|_| row.range_ms.is_some()).map(|(exit_ms, _)| exit_ms);
        row.gap_ms = exit_ms.zip(ghosts.get(index)).map(|(own, other)| behind_ms(own, *other));
        lines.push(Line::from(columns_of.row(look, &row)));
    }
    lines
}
