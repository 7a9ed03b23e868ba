//! A lane on the course, raced or published: the times and targets that tables and charts draw. Made from results and from
//! published figures; `field.rs` puts the tracks of a season side by side.

use super::words;
use crate::puzzles::{Kind, TARGETS};
use crate::race::event::{Answer, Reason, Verdict};
use crate::race::fold::{RangeResult, Speed};
use crate::race::{RaceResult, Status};
use crate::season::{Season, SeasonStatus};
use crate::standings::ranking::Source;
use crate::standings::{PublishedRace, Switch};

/// Most ranges of a race that is drawn; a season has no more.
pub const RANGES_MAX: usize = 64;

/// A lane on the course. Times are milliseconds; those of a race that was stopped end where it was.
#[derive(Debug, Clone)]
pub struct Track {
    /// The race's id; nothing for a published result, whose files are not here.
    pub race: Option<String>,
    /// The lane's name.
    pub lane: String,
    /// The name for people.
    pub title: String,
    /// The memory class.
    pub class_gb: u64,
    /// Where it comes from.
    pub source: Source,
    /// How the race ended.
    pub status: Status,
    /// Whether the lane was asked to think, where that is known.
    pub thinking: Option<bool>,
    /// Times of the legs that were skied.
    pub legs_ms: Vec<u64>,
    /// The ranges, in their order.
    pub bouts: Vec<Bout>,
    /// Targets hit at each range, where only that is published.
    pub hits_by_range: Vec<u32>,
    /// Targets hit.
    pub hits: u32,
    /// Targets shot at.
    pub targets: u32,
    /// Penalty loops.
    pub loops: u32,
    /// Their time.
    pub loops_ms: u64,
    /// Thinking time; nothing where only other totals are published.
    pub thinking_ms: Option<u64>,
    /// Ranges in which the buzzer went, where that is known.
    pub buzzers: Option<u32>,
    /// Targets missed because the token limit ended the reply, where that is known.
    pub cut_off: Option<u32>,
    /// The finish time, if it finished.
    pub finish_ms: Option<u64>,
    /// The lane's speed, as its zeroing measured it.
    pub speed: Option<Speed>,
}

/// One visit to a range.
#[derive(Debug, Clone)]
pub struct Bout {
    /// The task's family.
    pub family: String,
    /// Puzzle or code.
    pub kind: Kind,
    /// The task's level.
    pub level: u8,
    /// The targets in their order, and whether each was hit.
    pub targets: Vec<bool>,
    /// Why each was hit or missed; nothing is published of it.
    pub reasons: Vec<Reason>,
    /// How the answer came; nothing of it is published but that there was none.
    pub answer: Option<Answer>,
    /// Thinking time.
    pub thinking_ms: u64,
    /// The thinking limit, when the buzzer went.
    pub buzzer_ms: Option<u64>,
    /// Taking the mat and shooting.
    pub shooting_ms: u64,
    /// Penalty loops.
    pub loops: u32,
    /// Their time.
    pub loops_ms: u64,
    /// The whole of it.
    pub range_ms: u64,
    /// Race time at which the lane came.
    pub enter_ms: u64,
    /// Race time at which it left; nothing when it did not.
    pub exit_ms: Option<u64>,
}

impl Bout {
    /// Targets hit.
    #[must_use]
    pub fn hits(&self) -> usize {
        self.targets.iter().filter(|hit| **hit).count()
    }

    /// When the thinking ended.
    #[must_use]
    pub fn answered_ms(&self) -> u64 {
        self.enter_ms.saturating_add(self.thinking_ms)
    }

    /// When the last shot fell.
    #[must_use]
    pub fn shot_ms(&self) -> u64 {
        self.answered_ms().saturating_add(self.shooting_ms)
    }

    /// When loop `number`, from 0, began or, for the last number, when all were over.
    #[must_use]
    pub fn loop_ms(&self, number: u32) -> u64 {
        let loops = u128::from(self.loops.max(1));
        let gone = u128::from(self.loops_ms) * u128::from(number) / loops;
        self.shot_ms().saturating_add(u64::try_from(gone).unwrap_or(u64::MAX))
    }

    /// The name of the range that people read.
    #[must_use]
    pub fn title(&self) -> String {
        words::family(&self.family)
    }
}

impl Track {
    /// The track of a race that was run. `title` is the lane's name for people, `thinks` whether it was asked to think.
    ///
    /// # Errors
    /// When the result is not that of a course: more ranges than any has, or more than five targets at one.
    pub fn raced(
        result: &RaceResult,
        season: &Season,
        title: &str,
        thinks: bool,
    ) -> Result<Self, String> {
        let ranges = &result.ranges;
        if ranges.len() > RANGES_MAX {
            return Err(format!("{} ranges, and a course has up to {RANGES_MAX}", ranges.len()));
        }
        if ranges.iter().any(|range| range.targets.len() > TARGETS || range.loops > 5) {
            return Err(String::from("a range has more than five targets or loops"));
        }
        let count = if result.finish_ms.is_some() { ranges.len() + 1 } else { ranges.len() };
        let mut at_ms = 0_u64;
        let mut legs_ms: Vec<u64> = season.course.legs_ms.iter().copied().take(count).collect();
        let mut bouts = Vec::new();
        for (index, range) in ranges.iter().enumerate() {
            at_ms = at_ms.saturating_add(legs_ms.get(index).copied().unwrap_or(0));
            let limit_ms = season.ranges.get(index).and_then(|figures| figures.buzzer_ms);
            let bout = bout(range, at_ms, limit_ms);
            at_ms = bout.exit_ms.unwrap_or_else(|| bout.shot_ms());
            bouts.push(bout);
        }
        if legs_ms.is_empty() && result.course_ms > 0 {
            legs_ms.push(result.course_ms);
        }
        Ok(Self {
            race: Some(result.race.clone()),
            lane: result.lane.name.clone(),
            title: words::name(title),
            class_gb: result.memory_class_gb,
            source: Source::Raced,
            status: result.status,
            thinking: Some(thinks),
            legs_ms,
            hits_by_range: Vec::new(),
            bouts,
            hits: result.hits,
            targets: result.targets,
            loops: result.loops,
            loops_ms: result.loops_ms,
            thinking_ms: Some(result.thinking_ms),
            buzzers: Some(result.buzzers),
            cut_off: Some(result.cut_off),
            finish_ms: result.finish_ms,
            speed: result.speed,
        })
    }

    /// The track of a published result.
    #[must_use]
    pub fn published(race: &PublishedRace, season: &Season) -> Self {
        let mut at_ms = 0_u64;
        let mut bouts = Vec::new();
        for (index, range) in race.ranges.iter().enumerate() {
            at_ms = at_ms.saturating_add(season.course.legs_ms.get(index).copied().unwrap_or(0));
            let exit_ms = at_ms.saturating_add(range.range_ms);
            let figures = season.ranges.get(index);
            bouts.push(Bout {
                family: range.family.clone(),
                kind: range.kind,
                level: range.level,
                targets: range.targets.to_vec(),
                reasons: Vec::new(),
                answer: (!range.answered).then_some(Answer::None),
                thinking_ms: range.thinking_ms,
                buzzer_ms: figures.and_then(|it| it.buzzer_ms).filter(|_| range.buzzer),
                shooting_ms: season.course.range_overhead_ms,
                loops: range.loops,
                loops_ms: range.loops_ms,
                range_ms: range.range_ms,
                enter_ms: at_ms,
                exit_ms: Some(exit_ms),
            });
            at_ms = exit_ms;
        }
        Self {
            race: None,
            lane: race.label.clone(),
            title: words::name(&race.label),
            class_gb: race.memory_class_gb,
            source: Source::Published,
            status: Status::Finished,
            thinking: race.thinking.map(|switch| switch == Switch::On),
            legs_ms: season.course.legs_ms.clone(),
            bouts,
            hits_by_range: race.hits_by_range.clone(),
            hits: race.hits,
            targets: race.targets,
            loops: race.loops,
            loops_ms: race.loops_ms,
            thinking_ms: race.thinking_ms,
            buzzers: race.buzzers,
            cut_off: race.cut_off,
            finish_ms: Some(race.finish_ms),
            speed: None,
        }
    }

    /// Whether its finish time counts in its season.
    #[must_use]
    pub fn is_ranked(&self, season: &Season) -> bool {
        self.status == Status::Finished && season.status == SeasonStatus::Ranked
    }

    /// Race times at which it left the ranges, then the finish time: what it has of them.
    #[must_use]
    pub fn splits_ms(&self) -> Vec<u64> {
        let exits = self.bouts.iter().map_while(|bout| bout.exit_ms);
        exits.chain(self.finish_ms).collect()
    }

    /// Where the time went: loops, thinking, shooting, course. Nothing where the ranges are not known.
    #[must_use]
    pub fn parts_ms(&self) -> Option<[u64; 4]> {
        let sum = |parts: &mut dyn Iterator<Item = u64>| parts.fold(0, u64::saturating_add);
        let shooting_ms = sum(&mut self.bouts.iter().map(|bout| bout.shooting_ms));
        let course_ms = sum(&mut self.legs_ms.iter().copied());
        let known = !self.bouts.is_empty() || self.finish_ms.is_none();
        known.then(|| [self.loops_ms, self.thinking_ms.unwrap_or(0), shooting_ms, course_ms])
    }

    /// The time that is drawn of it: the finish, or how far it came.
    #[must_use]
    pub fn whole_ms(&self) -> u64 {
        let last = self.bouts.last().map(|bout| bout.exit_ms.unwrap_or_else(|| bout.shot_ms()));
        self.finish_ms.or(last).unwrap_or_else(|| self.legs_ms.first().copied().unwrap_or(0))
    }

    /// Targets hit at each range.
    #[must_use]
    pub fn range_hits(&self) -> Vec<u32> {
        if self.bouts.is_empty() {
            return self.hits_by_range.clone();
        }
        self.bouts.iter().map(|bout| u32::try_from(bout.hits()).unwrap_or(0)).collect()
    }
}

fn bout(range: &RangeResult, enter_ms: u64, limit_ms: Option<u64>) -> Bout {
    // A range that the lane did not leave has no range time.
    let left = range.range_ms > 0;
    let gone_ms = range.thinking_ms.saturating_add(range.loops_ms);
    Bout {
        family: range.family.clone(),
        kind: range.kind,
        level: range.level,
        targets: range.targets.iter().map(|it| it.verdict == Verdict::Hit).collect(),
        reasons: range.targets.iter().map(|it| it.reason).collect(),
        answer: Some(range.answer),
        thinking_ms: range.thinking_ms,
        buzzer_ms: limit_ms.filter(|_| range.buzzer),
        shooting_ms: range.range_ms.saturating_sub(gone_ms),
        loops: range.loops,
        loops_ms: range.loops_ms,
        range_ms: range.range_ms,
        enter_ms,
        exit_ms: left.then(|| enter_ms.saturating_add(range.range_ms)),
    }
}
