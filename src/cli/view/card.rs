//! The final card of a race: 80 columns, made from its result. Printed by `gauntlet race` and by replay.

use super::ansi::ansi;
use super::bar::shares;
use super::look::{self, Look, columns, fit, spread, title, wrap};
use super::measures;
use super::plain::speed;
use super::table::{Columns, Row};
use crate::cli::out::{counted, seconds};
use crate::race::event::{Reason, Verdict};
use crate::race::fold::RangeResult;
use crate::race::{RaceResult, Status};
use crate::season::SeasonStatus;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::collections::BTreeMap;
use std::path::Path;

/// Columns of the whole card.
const WIDTH: usize = 80;
/// Columns inside its edges.
const INNER: usize = WIDTH - 4;

/// What a card says besides the result.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// Where the race's files are.
    pub folder: &'a Path,
    /// The lane's name for people; empty where it has none.
    pub title: &'a str,
    /// Commands to try next.
    pub next: &'a [String],
}

/// The card, with colour codes that [`anstream`] takes out where they are not wanted.
#[must_use]
pub fn card(result: &RaceResult, around: &Around<'_>) -> String {
    drawn(Look::of_locale(), result, around)
}

pub(crate) fn drawn(look: &Look, result: &RaceResult, around: &Around<'_>) -> String {
    let card = Card { look, result, title: around.title, times: Times::of(result) };
    let mut lines = vec![card.edge(0)];
    lines.extend(card.head());
    for part in [card.ranges(), card.misses(), card.measures(), card.foot(around.folder)] {
        if !part.is_empty() {
            lines.push(card.edge(1));
            lines.extend(part);
        }
    }
    lines.push(card.edge(2));
    let mut text: String = lines.iter().map(|line| ansi(line, true) + "\n").collect();
    for line in wrap(&card.sentence(), WIDTH) {
        text += &ansi(&Line::styled(line, look::STRONG), true);
        text.push('\n');
    }
    for (index, command) in around.next.iter().enumerate() {
        text += if index == 0 { "\nNext: " } else { "      " };
        text += &format!("{command}\n");
    }
    text
}

/// Where the time of a race went.
struct Times {
    loops_ms: u64,
    thinking_ms: u64,
    shooting_ms: u64,
    course_ms: u64,
    whole_ms: u64,
}

impl Times {
    fn of(result: &RaceResult) -> Self {
        let shooting_ms =
            result.ranges.iter().fold(0_u64, |sum, it| sum.saturating_add(shooting_ms(it)));
        let (loops_ms, thinking_ms, course_ms) =
            (result.loops_ms, result.thinking_ms, result.course_ms);
        let parts = [loops_ms, thinking_ms, shooting_ms, course_ms];
        let whole_ms = parts.into_iter().fold(0, u64::saturating_add);
        Self { loops_ms, thinking_ms, shooting_ms, course_ms, whole_ms }
    }
}

/// Taking the mat and firing five shots.
fn shooting_ms(range: &RangeResult) -> u64 {
    range.range_ms.saturating_sub(range.thinking_ms.saturating_add(range.loops_ms))
}

struct Card<'a> {
    look: &'a Look,
    result: &'a RaceResult,
    title: &'a str,
    times: Times,
}

impl Card<'_> {
    fn edge(&self, which: usize) -> Line<'static> {
        let [left, right] = self.look.corners[which];
        let rule = self.look.rule.repeat(WIDTH - 2);
        Line::styled(format!("{left}{rule}{right}"), look::QUIET)
    }

    fn row(&self, left: Vec<Span<'static>>, right: Vec<Span<'static>>) -> Line<'static> {
        let edge = || Span::styled(self.look.edge, look::QUIET);
        let mut spans = vec![edge(), Span::raw(" ")];
        spans.extend(spread(left, right, INNER).spans);
        spans.extend([Span::raw(" "), edge()]);
        Line::from(spans)
    }

    fn head(&self) -> Vec<Line<'static>> {
        let result = self.result;
        let preview = match result.season_status {
            SeasonStatus::Ranked => "",
            SeasonStatus::Preview => ", preview: not ranked",
        };
        let season = self.look.text(&result.season, 40);
        let season = format!("  season {season}{preview}, attempt {}", result.attempt);
        let class = format!("{} GB class", result.memory_class_gb);
        let headline = match result.finish_ms {
            Some(finish_ms) => format!("{} s", seconds(finish_ms)),
            None => result.status.word().to_owned(),
        };
        let below = match result.finish_ms {
            Some(finish_ms) => format!("{} finish time", look::minutes(finish_ms)),
            None => String::from("no finish time"),
        };
        let mut lines = vec![
            self.row(
                vec![Span::styled("gauntlet", look::STRONG), Span::styled(season, look::QUIET)],
                vec![Span::raw(class)],
            ),
            self.row(Vec::new(), Vec::new()),
            self.row(self.names(), vec![Span::styled(headline, look::STRONG)]),
            self.row(vec![Span::raw(self.tally())], vec![Span::styled(below, look::QUIET)]),
        ];
        for note in self.notes() {
            lines.extend(
                wrap(&note, INNER)
                    .into_iter()
                    .map(|line| self.row(vec![Span::styled(line, look::MISS)], Vec::new())),
            );
        }
        if self.times.whole_ms > 0 {
            lines.push(self.row(Vec::new(), Vec::new()));
            lines.extend(self.bar());
        }
        lines
    }

    /// The name for people, and the one that tables have where it is another.
    fn names(&self) -> Vec<Span<'static>> {
        let (name, title) = (self.name(), self.look.text(self.title, 60));
        if title.is_empty() || title == name {
            return vec![Span::styled(name, look::STRONG)];
        }
        vec![Span::styled(title, look::STRONG), Span::styled(format!("  {name}"), look::QUIET)]
    }

    fn name(&self) -> String {
        self.look.text(&self.result.lane.name, 60)
    }

    /// Targets, loops, buzzers and cut-offs in words.
    fn tally(&self) -> String {
        let result = self.result;
        let buzzers = match result.buzzers {
            0 => String::from("no buzzer"),
            count => counted(count, "buzzer"),
        };
        let mut words = format!(
            "{} of {}, {}, {buzzers}",
            result.hits,
            counted(result.targets, "target"),
            counted(result.loops, "loop")
        );
        if result.cut_off > 0 {
            words += &format!(", {} cut off", result.cut_off);
        }
        words
    }

    /// What must be said of a race that is not plainly finished.
    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> =
            self.result.notes.iter().map(|note| self.look.text(note, 300)).collect();
        match self.result.status {
            Status::Finished => {}
            Status::Disturbed => {
                notes.insert(0, String::from("disturbed: the times are shown and not ranked"))
            }
            Status::Void => notes.insert(
                0,
                String::from("void: broke for a reason outside the lane, no attempt used up"),
            ),
            Status::Unfinished => notes
                .insert(0, format!("unfinished: the race ends {}, unranked", self.where_it_ends())),
        }
        notes
    }

    fn where_it_ends(&self) -> String {
        match self.result.ranges.last() {
            Some(range) if range.range_ms == 0 => format!("at {}", title(&range.family)),
            Some(range) => format!("after {}", title(&range.family)),
            None => String::from("before its first range"),
        }
    }

    fn bar(&self) -> [Line<'static>; 2] {
        let (look, times) = (self.look, &self.times);
        let parts: [(&str, &'static str, u64, Style); 4] = [
            ("loops", look.penalty, times.loops_ms, look::MISS),
            ("thinking", look.thinking, times.thinking_ms, look::THINK),
            ("shooting", look.shooting, times.shooting_ms, look::PLAIN),
            ("course", look.course, times.course_ms, look::QUIET),
        ];
        let cells = shares(&parts.map(|(_, _, ms, _)| ms), INNER);
        let bar = parts
            .iter()
            .zip(cells)
            .map(|((_, mark, _, style), cells)| Span::styled(mark.repeat(cells), *style));
        let bar = self.row(bar.collect(), Vec::new());
        let mut key = Vec::new();
        for (word, mark, ms, style) in parts {
            key.push(Span::styled(mark, style));
            key.push(Span::raw(format!(" {word} {}   ", seconds(ms))));
        }
        [bar, self.row(key, Vec::new())]
    }

    fn ranges(&self) -> Vec<Line<'static>> {
        if self.result.ranges.is_empty() {
            return Vec::new();
        }
        let columns = Columns::of(INNER, false, false);
        let mut lines = vec![self.row(columns.head(), Vec::new())];
        for (number, range) in (1..).zip(&self.result.ranges) {
            lines.push(self.row(columns.row(self.look, &Row::of(number, range)), Vec::new()));
        }
        lines.extend(self.mat());
        lines
    }

    /// What a range takes besides thinking and loops, so that its row can be added up.
    fn mat(&self) -> Option<Line<'static>> {
        let left = self.result.ranges.iter().filter(|range| range.range_ms > 0);
        let mut rests = left.map(shooting_ms);
        let mat_ms = rests.next().filter(|first| *first > 0)?;
        let words = if rests.all(|rest| rest == mat_ms) {
            format!("range: think, loops, and {} s for the mat and five shots", seconds(mat_ms))
        } else {
            String::from("range: think, loops, mat and shots")
        };
        Some(self.row(Vec::new(), vec![Span::styled(words, look::QUIET)]))
    }

    /// Why targets were missed, range by range.
    fn misses(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (number, range) in (1..).zip(&self.result.ranges) {
            let mut reasons: BTreeMap<Reason, u32> = BTreeMap::new();
            for target in range.targets.iter().filter(|it| it.verdict == Verdict::Miss) {
                let count = reasons.entry(target.reason).or_default();
                *count = count.saturating_add(1);
            }
            if reasons.is_empty() {
                continue;
            }
            let words: Vec<String> = reasons
                .iter()
                .map(|(reason, count)| format!("{count} {}", reason.word()))
                .collect();
            let name = fit(&self.look.text(&title(&range.family), 40), 15);
            let where_it_was = Span::raw(format!("{} {name}", fit(&u32::to_string(&number), 1)));
            let mark = Span::styled(format!("{} ", self.look.miss), look::MISS);
            lines.push(self.row(vec![where_it_was, mark, Span::raw(words.join(", "))], Vec::new()));
        }
        lines
    }

    /// Tokens and speeds of a race that was measured.
    fn measures(&self) -> Vec<Line<'static>> {
        measures::lines(self.look, self.result)
            .into_iter()
            .map(|(left, right)| {
                self.row(vec![Span::raw(left)], vec![Span::styled(right, look::QUIET)])
            })
            .collect()
    }

    /// The lane's model and speed, and where the raw files are.
    fn foot(&self, folder: &Path) -> Vec<Line<'static>> {
        let model = Some(self.look.text(&self.result.lane.model, 60)).filter(|it| !it.is_empty());
        let speed = self.result.speed.map(|it| speed(it.first_token_ms, it.decode_mtps));
        let facts: Vec<String> = [model, speed].into_iter().flatten().collect();
        let mut lines: Vec<Line<'static>> = wrap(&facts.join(": "), INNER)
            .into_iter()
            .map(|line| self.row(vec![Span::raw(line)], Vec::new()))
            .collect();
        let files = "  result.json  log.jsonl  io.jsonl";
        let folder = self.look.text(&folder.display().to_string(), 400);
        let room = INNER - columns(files);
        let folder = if columns(&folder) <= room {
            folder
        } else {
            self.look.text(&tail(&folder, room), 400)
        };
        lines.push(self.row(vec![Span::raw(folder), Span::styled(files, look::QUIET)], Vec::new()));
        lines
    }

    /// What decided the race, in one sentence.
    fn sentence(&self) -> String {
        let (result, times) = (self.result, &self.times);
        let name = self.name();
        let hits = format!("{} of {}", result.hits, counted(result.targets, "target"));
        let Some(finish_ms) = result.finish_ms.filter(|_| result.status != Status::Void) else {
            let (word, whole) = (result.status.word(), seconds(times.whole_ms));
            return format!("{name}: {word}, {hits} in {whole} s on the race clock.");
        };
        let parts = [
            (times.loops_ms, "loops"),
            (times.thinking_ms, "thinking"),
            (times.shooting_ms, "shooting"),
            (times.course_ms, "the course"),
        ];
        // The first of equal parts.
        let most = parts.into_iter().rev().max_by_key(|(ms, _)| *ms).unwrap_or_default();
        let disturbed =
            if result.status == Status::Disturbed { " (disturbed, not ranked)" } else { "" };
        format!(
            "{name}: {} s{disturbed}, {hits}; {} took {} s of it.",
            seconds(finish_ms),
            most.1,
            seconds(most.0)
        )
    }
}

/// The end of a path, where the race's own name is.
fn tail(path: &str, width: usize) -> String {
    let keep = width.saturating_sub(3);
    let skip = path.chars().count().saturating_sub(keep);
    format!("...{}", path.chars().skip(skip).collect::<String>())
}

/// A path as an argument that can be pasted into a shell.
pub(crate) fn argument(folder: &Path) -> String {
    let path = folder.display().to_string();
    let safe = |c: char| c.is_ascii_alphanumeric() || "/._-+:@".contains(c);
    if !path.is_empty() && path.chars().all(safe) {
        return path;
    }
    format!("'{}'", crate::text::shown(&path, 400).replace('\'', "'\\''"))
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
