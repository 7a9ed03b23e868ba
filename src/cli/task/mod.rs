//! `gauntlet task show|solve|grade`: look at one generated task, its solution, or grade an answer by hand. `dial.rs` measures
//! levels.

mod dial;

use super::format::{Table, TableFormat};
use super::race::SEASON;
use super::{Failure, TextOrJson, Walls, out};
use crate::course::Course;
use crate::judge::Unconfined;
use crate::judge::job::Judgement;
use crate::lane::think;
use crate::puzzles::{self, Body, Family, Level, Seeds, TARGETS, Task, generate};
use crate::race::Reason;
use crate::race::event::Verdict;
use crate::race::shooting::{self, Shot, Source};
use crate::season;
use crate::store::read_text;
use crate::text::shown;
use crate::toml_file::closest;
use clap::{Args as ClapArgs, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Largest answer file, in bytes.
const ANSWER_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Arguments of `gauntlet task`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  gauntlet task show --season seasons/21.toml --range 1\n  \
    gauntlet task solve --family snake --level 4 --seed 7\n  \
    gauntlet task grade --season seasons/21.toml --range 3 --answer my-answer.txt\n  \
    gauntlet task dial cups\n\n\
    Exit codes: 0 done, 1 grade: a target is missed, 2 usage or a bad file")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the prompt as a lane reads it.
    #[command(
        after_help = "Examples:\n  gauntlet task show --range 1                  of the built-in season 21\n  \
        gauntlet task show --family cups --level 5 --seed 7 --format json"
    )]
    Show(Show),
    /// Print a complete right answer.
    #[command(
        after_help = "Examples:\n  gauntlet task solve --season seasons/21.toml --range 2\n  \
        gauntlet task solve --family snake --level 4 --seed 7 | gauntlet task grade --family snake --level 4 --seed 7"
    )]
    Solve(Show),
    /// Read and judge an answer as a race would. Exit code 1 when a target is missed.
    #[command(
        after_help = "Examples:\n  gauntlet task grade --season seasons/21.toml --range 3 --answer my-answer.txt\n  \
        gauntlet task grade --family snake --level 4 --format csv    reads the answer from stdin"
    )]
    Grade(Grade),
    /// Measure the nine levels of a family: effort, draws, sizes, blind hits.
    Dial(dial::Args),
}

#[derive(Debug, ClapArgs)]
struct Which {
    /// A season file, with --range; the built-in season 21 when not given.
    #[arg(long, value_name = "FILE", requires = "range", conflicts_with_all = ["family", "level", "seed"])]
    season: Option<PathBuf>,
    /// The range of the season, from 1.
    #[arg(long, value_name = "N", conflicts_with_all = ["family", "level", "seed"])]
    range: Option<usize>,
    /// A family; with --level and --seed.
    #[arg(long, required_unless_present = "range", requires = "level")]
    family: Option<String>,
    /// The level, 1 to 9.
    #[arg(long, requires = "family")]
    level: Option<u8>,
    /// The seed of the task.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Debug, ClapArgs)]
struct Show {
    #[command(flatten)]
    which: Which,
    /// Print for people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

#[derive(Debug, ClapArgs)]
struct Grade {
    #[command(flatten)]
    which: Which,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
    /// The answer to grade; `-` reads stdin.
    #[arg(long, value_name = "FILE")]
    answer: Option<PathBuf>,
    #[command(flatten)]
    walls: Walls,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Shown<'a> {
    family: &'a str,
    kind: puzzles::Kind,
    level: Level,
    drawn: puzzles::Drawn,
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Graded<'a> {
    family: &'a str,
    level: Level,
    hits: usize,
    targets: Vec<GradedTarget>,
}

#[derive(Serialize, JsonSchema)]
struct GradedTarget {
    target: usize,
    verdict: Verdict,
    reason: Reason,
    read: Option<String>,
    rule: Option<String>,
    detail: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (show, solve) = match &args.what {
        What::Show(show) => (show, false),
        What::Solve(show) => (show, true),
        What::Grade(args) => return grade(args),
        What::Dial(args) => return dial::run(args),
    };
    let task = find(&show.which)?;
    let solution = solve.then(|| task.solution());
    match (show.format, solution) {
        (TextOrJson::Text, None) => out::result(&task.prompt),
        (TextOrJson::Text, Some(solution)) => out::result(&solution),
        (TextOrJson::Json, solution) => out::json(&Shown {
            family: task.family,
            kind: task.kind(),
            level: task.level,
            drawn: task.drawn,
            prompt: &task.prompt,
            solution,
        }),
    }
    let verb = if solve { "show" } else { "grade" };
    out::next(&format!("gauntlet task {verb} {}", same(&show.which)));
    Ok(ExitCode::SUCCESS)
}

/// The arguments that name the same task again.
fn same(which: &Which) -> String {
    match (&which.season, which.range, &which.family) {
        (Some(season), Some(range), _) => {
            format!("--season {} --range {range}", super::view::argument(season))
        }
        (None, Some(range), _) => format!("--range {range}"),
        (_, None, family) => format!(
            "--family {} --level {} --seed {}",
            family.as_deref().unwrap_or_default(),
            which.level.unwrap_or_default(),
            which.seed
        ),
    }
}

fn grade(args: &Grade) -> Result<ExitCode, Failure> {
    let task = find(&args.which)?;
    let answer = read_answer(args.answer.as_deref())?;
    let shots = shoot(&task, answer, args.walls.unconfined())?;
    let hits = shots.iter().filter(|shot| shot.verdict == Verdict::Hit).count();
    let targets = (1..).zip(shots).map(|(target, shot)| GradedTarget {
        target,
        verdict: shot.verdict,
        reason: shot.reason,
        read: shot.read,
        rule: shot.rule,
        detail: shot.detail,
    });
    let graded =
        Graded { family: task.family, level: task.level, hits, targets: targets.collect() };
    args.format.print(&graded, || graded_text(&graded), || graded_table(&graded));
    Ok(if hits == TARGETS { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn graded_text(graded: &Graded<'_>) -> String {
    let mut text = format!(
        "{} level {}: {} of {TARGETS} targets hit\n",
        graded.family, graded.level, graded.hits
    );
    for it in &graded.targets {
        let read = it.read.as_deref().unwrap_or("");
        let detail = it.detail.as_deref().map_or(String::new(), |detail| format!("  ({detail})"));
        text += &format!("  target {}  {:<10}  {read}{detail}\n", it.target, it.reason.word());
    }
    text
}

fn graded_table(graded: &Graded<'_>) -> Table {
    let mut table = Table::new(&["target", "verdict", "reason", "read", "rule", "detail"]);
    for it in &graded.targets {
        let verdict = if it.verdict == Verdict::Hit { "hit" } else { "miss" };
        let text = |text: &Option<String>| text.as_deref().map(|text| shown(text, 400)).into();
        table.row(vec![
            (it.target as u64).into(),
            verdict.into(),
            it.reason.word().into(),
            text(&it.read),
            text(&it.rule),
            text(&it.detail),
        ]);
    }
    table
}

fn shoot(task: &Task, answer: String, unconfined: Unconfined) -> Result<Vec<Shot>, Failure> {
    let thought = think::split("", &answer);
    let absent = thought.unclosed.then_some(Reason::CutOff);
    let sources = [Source { text: thought.answer, whole: true }];
    match &task.body {
        Body::Puzzle(puzzle) => {
            Ok(shooting::shoot_lines(&**puzzle, &sources, absent.unwrap_or(Reason::Missing)))
        }
        Body::Code(code) => {
            let Some((job, rule)) = shooting::find_code(code, &sources) else {
                return Ok(shooting::no_shots(absent.unwrap_or(Reason::NoCode)));
            };
            let judgement: Judgement = crate::judge::judge(&job, unconfined)?;
            Ok(shooting::shoot_code(code, &judgement, rule)
                .unwrap_or_else(|| shooting::no_shots(Reason::CodeError)))
        }
    }
}

fn find(which: &Which) -> Result<Task, Failure> {
    if which.range.is_some() {
        let (name, text) = match &which.season {
            Some(path) => (path.display().to_string(), read_text(path, ANSWER_BYTES_MAX)?),
            None => (SEASON.0.to_owned(), SEASON.1.to_owned()),
        };
        let mut course = Course::plan(season::read(&name, &text)?)?;
        let ranges = course.ranges.len();
        let index =
            which.range.and_then(|range| range.checked_sub(1)).filter(|index| *index < ranges);
        let index = index.ok_or_else(|| Failure::Usage {
            what: format!("the season has no range {}", which.range.unwrap_or(0)),
            hint: format!("its ranges are 1 to {ranges}"),
        })?;
        return Ok(course.ranges.swap_remove(index).task);
    }
    let family = family_named(which.family.as_deref().unwrap_or_default())?;
    let level = which.level.and_then(Level::new).ok_or_else(|| Failure::Usage {
        what: format!("level {} is impossible", which.level.unwrap_or(0)),
        hint: String::from("levels are 1 to 9"),
    })?;
    let key =
        Seeds::task_key(which.seed, crate::race::prompts::VERSIONS[0], 0, family.name(), level);
    generate(family, level, key).map_err(|error| Failure::Usage {
        what: error.to_string(),
        hint: String::from("take another seed"),
    })
}

fn family_named(name: &str) -> Result<&'static dyn Family, Failure> {
    let names: Vec<&str> = puzzles::FAMILIES.iter().map(|family| family.name()).collect();
    puzzles::family(name).ok_or_else(|| Failure::Usage {
        what: format!("family {:?} is unknown", shown(name, 60)),
        hint: match closest(name, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("families are {}", names.join(", ")),
        },
    })
}

fn read_answer(path: Option<&Path>) -> Result<String, Failure> {
    match path {
        Some(path) if path != Path::new("-") => Ok(read_text(path, ANSWER_BYTES_MAX)?),
        _ => {
            if std::io::stdin().is_terminal() {
                out::note("reading the answer from the terminal; end it with Ctrl-D");
            }
            let mut bytes = Vec::new();
            let read = std::io::stdin().take(ANSWER_BYTES_MAX).read_to_end(&mut bytes);
            read.map_err(|error| Failure::Usage {
                what: format!("cannot read stdin: {error}"),
                hint: String::from("name a file by --answer FILE"),
            })?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}
