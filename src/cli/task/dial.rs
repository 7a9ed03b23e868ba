//! `gauntlet task dial`: what the nine levels of a family are like, measured.

use super::super::format::{Table, TableFormat};
use super::super::{Failure, out};
use super::family_named;
use crate::puzzles::dial::{self, Dial};
use crate::puzzles::{FAMILIES, Family};
use crate::race::prompts;
use clap::Args as ClapArgs;
use std::process::ExitCode;

/// Arguments of `gauntlet task dial`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  gauntlet task dial cups\n  \
    gauntlet task dial --seeds 500 --format md\n  gauntlet task dial snake --format csv")]
pub(super) struct Args {
    /// A family; all of them when none is named.
    family: Option<String>,
    /// Tasks of each level, from seed 0.
    #[arg(long, value_name = "N", default_value_t = dial::SEEDS,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seeds: u32,
    /// How to print; as Markdown it is what `puzzles/DIAL.md` keeps.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let families: Vec<&dyn Family> = match &args.family {
        Some(name) => vec![family_named(name)?],
        None => FAMILIES.to_vec(),
    };
    let dials = families.iter().map(|family| {
        dial::measure(*family, prompts::VERSIONS[0], args.seeds).map_err(|error| Failure::Usage {
            what: error.to_string(),
            hint: String::from("take fewer seeds"),
        })
    });
    let dials: Vec<Dial> = dials.collect::<Result<_, _>>()?;
    match args.format {
        TableFormat::Table => {
            out::result(&dials.iter().map(Dial::text).collect::<Vec<_>>().join("\n"));
        }
        TableFormat::Json => out::json(&dials),
        TableFormat::Csv => out::result(&table(&dials).csv()),
        TableFormat::Md => out::result(&dial::markdown(&dials)),
    }
    Ok(ExitCode::SUCCESS)
}

fn table(dials: &[Dial]) -> Table {
    let mut table = Table::new(&[
        "family",
        "kind",
        "level",
        "seeds",
        "effort_min",
        "effort_median",
        "effort_max",
        "draws_max",
        "fallbacks",
        "prompt_chars_max",
        "answer_chars_max",
        "guesses",
        "guess_hits",
    ]);
    for dial in dials {
        for row in &dial.levels {
            table.row(vec![
                dial.family.into(),
                dial.kind.to_string().into(),
                row.level.get().into(),
                dial.seeds.into(),
                row.effort.min.into(),
                row.effort.median.into(),
                row.effort.max.into(),
                row.draws.max.into(),
                row.fallbacks.into(),
                row.prompt_chars.max.into(),
                row.answer_chars.max.into(),
                row.guesses.map(|it| it.made).into(),
                row.guesses.map(|it| it.hits).into(),
            ]);
        }
    }
    table
}
