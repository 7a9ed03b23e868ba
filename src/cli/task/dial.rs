//! `gauntlet task dial`: what the nine levels of a family are like, measured.

use super::super::{Failure, out};
use super::family_named;
use crate::puzzles::dial::{self, Dial};
use crate::puzzles::{FAMILIES, Family};
use crate::race::prompts;
use clap::{Args as ClapArgs, ValueEnum};
use std::process::ExitCode;

/// Arguments of `gauntlet task dial`.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// A family; all of them when none is named.
    family: Option<String>,
    /// Tasks of each level, from seed 0.
    #[arg(long, value_name = "N", default_value_t = dial::SEEDS,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seeds: u32,
    /// Print for people, for programs, or as Markdown.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// As `puzzles/DIAL.md`.
    Md,
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
        Format::Text => {
            out::result(&dials.iter().map(Dial::text).collect::<Vec<_>>().join("\n"));
        }
        Format::Json => out::json(&dials),
        Format::Md => out::result(&dial::markdown(&dials)),
    }
    Ok(ExitCode::SUCCESS)
}
