//! What a family's nine levels are like, measured: effort, draws, sizes, blind hits. `gauntlet task dial` prints it and
//! `DIAL.md` keeps it for all families. Whole numbers throughout, so the same bytes everywhere.

use super::emit::{GenerateError, Seeds, generate};
use super::{Body, FAMILIES, Family, Kind, Level, Reading, TARGETS, Task};
use crate::rng::Key;
use serde::Serialize;
use std::fmt::Write as _;

/// Seeds of [`document`].
pub const SEEDS: u32 = 100;

/// Tasks whose targets are guessed at.
const GUESSED_TASKS: u32 = 20;

/// Blind guesses at each target of these.
const GUESSES_A_TARGET: u64 = 100;

/// A family's levels, measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Dial {
    /// The family's name.
    pub family: &'static str,
    /// The name that people read.
    #[serde(skip)]
    pub title: &'static str,
    /// Whether the answer is lines or code.
    pub kind: Kind,
    /// Seeds of each level, from 0.
    pub seeds: u32,
    /// The levels, from 1.
    pub levels: Vec<Row>,
}

/// One level, measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Row {
    /// The level.
    pub level: Level,
    /// The effort of a task: the sum over its five targets, in the family's own measure.
    pub effort: Spread,
    /// Draws until a task was accepted; one when the first was.
    pub draws: Spread,
    /// Tasks that were drawn with an easier level's parameters.
    pub fallbacks: u32,
    /// Characters of the prompt.
    pub prompt_chars: Spread,
    /// Characters of a complete right answer.
    pub answer_chars: Spread,
    /// Blind guesses at the targets of the first tasks; none for code.
    pub guesses: Option<Guesses>,
}

/// Blind guesses in the family's grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Guesses {
    /// How many were made.
    pub made: u64,
    /// How many hit.
    pub hits: u64,
}

/// How a figure is spread over the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Spread {
    /// The smallest.
    pub min: u64,
    /// The median; of an even number of values the lower of the middle two.
    pub median: u64,
    /// The largest.
    pub max: u64,
    /// The sum; divided by the seeds, the mean.
    pub sum: u64,
    /// Ten times the mean, rounded.
    pub mean_tenths: u64,
}

impl Spread {
    fn of(mut values: Vec<u64>) -> Self {
        values.sort_unstable();
        let sum: u64 = values.iter().sum();
        let count = (values.len() as u64).max(1);
        Self {
            min: values.first().copied().unwrap_or(0),
            median: values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0),
            max: values.last().copied().unwrap_or(0),
            sum,
            mean_tenths: (sum * 10 + count / 2) / count,
        }
    }

    fn mean(self) -> String {
        format!("{}.{}", self.mean_tenths / 10, self.mean_tenths % 10)
    }
}

impl Guesses {
    /// Hits in a hundred to two decimals, rounded.
    fn percent(self) -> String {
        let hundredths = (self.hits * 10_000 + self.made / 2) / self.made.max(1);
        format!("{}.{:02} %", hundredths / 100, hundredths % 100)
    }
}

/// Measures a family: seeds `0..seeds` of each level under a prompt version.
///
/// # Errors
/// When a task cannot be drawn.
pub fn measure(
    family: &dyn Family,
    prompt_version: &str,
    seeds: u32,
) -> Result<Dial, GenerateError> {
    let levels = Level::all().map(|level| row(family, prompt_version, level, seeds));
    Ok(Dial {
        family: family.name(),
        title: family.title(),
        kind: family.kind(),
        seeds,
        levels: levels.collect::<Result<_, _>>()?,
    })
}

fn row(
    family: &dyn Family,
    prompt_version: &str,
    level: Level,
    seeds: u32,
) -> Result<Row, GenerateError> {
    let tasks: Vec<Task> = (0..seeds)
        .map(|seed| {
            let key = Seeds::task_key(seed.into(), prompt_version, 0, family.name(), level);
            generate(family, level, key)
        })
        .collect::<Result<_, _>>()?;
    let spread = |figure: fn(&Task) -> u64| Spread::of(tasks.iter().map(figure).collect());
    let fallbacks = tasks.iter().filter(|task| task.drawn.level != level).count();
    Ok(Row {
        level,
        effort: spread(effort),
        draws: spread(|task| u64::from(task.drawn.sub_stream) + 1),
        fallbacks: u32::try_from(fallbacks).unwrap_or(u32::MAX),
        prompt_chars: spread(|task| task.prompt.len() as u64),
        answer_chars: spread(|task| task.solution().len() as u64),
        guesses: (family.kind() == Kind::Puzzle).then(|| guess(family, level, &tasks)),
    })
}

/// The effort of a task: the sum over its targets.
#[must_use]
pub fn effort(task: &Task) -> u64 {
    match &task.body {
        Body::Puzzle(puzzle) => (0..TARGETS).map(|target| puzzle.effort(target)).sum(),
        Body::Code(code) => code.effort.iter().sum(),
    }
}

fn guess(family: &dyn Family, level: Level, tasks: &[Task]) -> Guesses {
    let mut guesses = Guesses { made: 0, hits: 0 };
    let key = Key::of(&[b"gauntlet dial 1", family.name().as_bytes(), &[level.get()]]);
    for (number, task) in (0..u64::from(GUESSED_TASKS)).zip(tasks) {
        let Body::Puzzle(puzzle) = &task.body else { continue };
        let mut rng = key.stream(number);
        for target in 0..TARGETS {
            for _ in 0..GUESSES_A_TARGET {
                let value = puzzle.guess(target, &mut rng);
                guesses.made += 1;
                guesses.hits += u64::from(puzzle.check(target, &value) == Reading::Hit);
            }
        }
    }
    guesses
}

const HEADS: [&str; 12] = [
    "level",
    "effort mean",
    "median",
    "min",
    "max",
    "draws mean",
    "max",
    "fallbacks",
    "prompt median",
    "max",
    "answer median",
    "blind hits",
];

fn cells(row: &Row) -> [String; HEADS.len()] {
    [
        row.level.to_string(),
        row.effort.mean(),
        row.effort.median.to_string(),
        row.effort.min.to_string(),
        row.effort.max.to_string(),
        row.draws.mean(),
        row.draws.max.to_string(),
        row.fallbacks.to_string(),
        row.prompt_chars.median.to_string(),
        row.prompt_chars.max.to_string(),
        row.answer_chars.median.to_string(),
        row.guesses.map_or_else(|| "-".to_owned(), Guesses::percent),
    ]
}

impl Dial {
    /// The table for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let rows: Vec<_> = self.levels.iter().map(cells).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row: &[String; HEADS.len()]| row[column].len());
            cells.chain([HEADS[column].len()]).max().unwrap_or(0)
        };
        let mut text = format!("{}, {}\n", self.family, seeds_words(self.seeds));
        for row in [HEADS.map(str::to_owned)].iter().chain(&rows) {
            let line = row.iter().enumerate().fold(String::new(), |line, (column, cell)| {
                format!("{line}  {cell:>width$}", width = width(column))
            });
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// The table as a Markdown section.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("## {} (`{}`)\n\n", self.title, self.family);
        text += &line(&HEADS.map(str::to_owned));
        text += &format!("|{}\n", "--:|".repeat(HEADS.len()));
        for row in &self.levels {
            text += &line(&cells(row));
        }
        text
    }
}

fn seeds_words(seeds: u32) -> String {
    match seeds {
        1 => "1 seed a level".to_owned(),
        _ => format!("{seeds} seeds a level"),
    }
}

/// `DIAL.md`: the tables of some families under a heading that explains the columns.
#[must_use]
pub fn markdown(dials: &[Dial]) -> String {
    let seeds = dials.first().map_or(0, |dial| dial.seeds);
    let mut text = format!(
        "# How the dial turns\n\n\
         What the nine levels of each family are like, over {}. Written by `gauntlet task dial --format md`; a test compares it and\n\
         demands that mean and median of the effort grow at every level.\n\n\
         - **effort**: the sum over the five targets of a task, in the family's own measure of work (its `effort`: search nodes, states\n  \
           visited, things looked at and moved, steps executed). Compare levels of a family, not families.\n\
         - **draws**: draws until one was accepted by the family and the gate; at most 64 a level. **fallbacks**: tasks that needed an easier level's\n  \
           parameters.\n\
         - **prompt**, **answer**: characters of the prompt and of a complete right answer.\n\
         - **blind hits**: random well-formed answers that hit, of {} at the targets of the first {GUESSED_TASKS} tasks.\n",
        seeds_words(seeds),
        u64::from(GUESSED_TASKS.min(seeds)) * TARGETS as u64 * GUESSES_A_TARGET,
    );
    for dial in dials {
        let _ = write!(text, "\n{}", dial.markdown());
    }
    text
}

/// `DIAL.md` for all families.
///
/// # Errors
/// When a task cannot be drawn.
pub fn document(prompt_version: &str) -> Result<String, GenerateError> {
    let dials = FAMILIES.iter().map(|family| measure(*family, prompt_version, SEEDS));
    Ok(markdown(&dials.collect::<Result<Vec<_>, _>>()?))
}
