//! A course: the season's tasks, drawn from its seed. What the referee judges by and what a lane is asked.

use crate::puzzles::{self, GenerateError, Seeds, Task, generate};
use crate::season::Season;

/// A season with its tasks.
#[derive(Debug)]
pub struct Course {
    /// The season.
    pub season: Season,
    /// One task a range, in their order; at least one.
    pub ranges: Vec<RangeTask>,
}

/// One range: its task and the figures of its level.
#[derive(Debug)]
pub struct RangeTask {
    /// The task.
    pub task: Task,
    /// The penalty loop, in milliseconds.
    pub loop_ms: u64,
    /// The thinking limit in milliseconds, if the level has one.
    pub buzzer_ms: Option<u64>,
}

/// Tokens a second of the slowest lane that a task must be fair to. RULES.md, "How big a task may be".
const SLOW_LANE_TPS: u64 = 20;

/// Characters of a token, as an estimate. The same place.
const TOKEN_CHARS: u64 = 4;

/// A season whose tasks cannot be raced.
#[derive(Debug, thiserror::Error)]
pub enum CourseError {
    /// There is no such family; a season that was read from a file has been checked for it.
    #[error("range {range}: family {family:?} is unknown")]
    Family {
        /// Which range, from 1.
        range: usize,
        /// What the season says.
        family: String,
    },
    /// A task could not be drawn.
    #[error("range {range}: {error}")]
    Generate {
        /// Which range, from 1.
        range: usize,
        /// Why.
        error: GenerateError,
    },
    /// A right answer is too long for a slow lane.
    #[error(
        "range {range}: a right answer to {family} level {level} takes a lane of 20 tokens a second {needed_ms} ms to write one and a half times, and its buzzer goes at {buzzer_ms} ms; take a lower level or a later buzzer"
    )]
    TooLong {
        /// Which range, from 1.
        range: usize,
        /// The family.
        family: &'static str,
        /// The level.
        level: u8,
        /// What the slow lane needs.
        needed_ms: u64,
        /// What it has.
        buzzer_ms: u64,
    },
}

impl Course {
    /// Draws the tasks of a season.
    ///
    /// # Errors
    /// When a task cannot be drawn, or its right answer cannot be written one and a half times before the buzzer.
    pub fn plan(season: Season) -> Result<Self, CourseError> {
        let ranges = (0..season.ranges.len())
            .map(|range| plan_range(&season, range))
            .collect::<Result<_, _>>()?;
        Ok(Self { season, ranges })
    }
}

fn plan_range(season: &Season, index: usize) -> Result<RangeTask, CourseError> {
    let figures = &season.ranges[index];
    let range = index + 1;
    let family = puzzles::family(&figures.family)
        .ok_or_else(|| CourseError::Family { range, family: figures.family.clone() })?;
    let number = u32::try_from(index).unwrap_or(u32::MAX);
    let key =
        Seeds::task_key(season.seed, &season.prompt_version, number, family.name(), figures.level);
    let task = generate(family, figures.level, key)
        .map_err(|error| CourseError::Generate { range, error })?;
    let needed_ms = task.solution().len() as u64 * 3_000 / (2 * TOKEN_CHARS * SLOW_LANE_TPS);
    if let Some(buzzer_ms) = figures.buzzer_ms.filter(|buzzer| needed_ms > *buzzer) {
        let (family, level) = (task.family, figures.level.get());
        return Err(CourseError::TooLong { range, family, level, needed_ms, buzzer_ms });
    }
    Ok(RangeTask { task, loop_ms: figures.loop_ms, buzzer_ms: figures.buzzer_ms })
}
