//! `gauntlet schema NAME`: the JSON Schema of what a command prints with `--format json`, and of the files of a race, made
//! from the very types that are written.

use super::{answers, attempts, judge, lane, out, publish, rank, sheet, site, task, verify};
use crate::lane::hear::Heard;
use crate::puzzles::dial::Dial;
use crate::race::RaceResult;
use crate::race::line::{IoLine, LogLine};
use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use std::process::ExitCode;

/// Arguments of `gauntlet schema`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "A schema of a file of lines, `io` or `log`, describes one line. Fields may be added; none is renamed or taken away \
    without a new major number of its format.\n\n\
    Examples:\n  gauntlet schema                    lists the names\n  \
    gauntlet schema result > result.schema.json\n  gauntlet schema rank\n\n\
    Exit codes: 0 done, 2 no such name"
)]
pub(crate) struct Args {
    /// Which schema; a list of them when not given.
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(names()))]
    name: Option<String>,
}

/// A schema that can be asked for.
struct Published {
    name: &'static str,
    about: &'static str,
    make: fn() -> Schema,
}

const SCHEMAS: [Published; 18] = [
    at("result", "result.json, and `race --format json`", schema::<RaceResult>),
    at("log", "a line of log.jsonl", schema::<LogLine>),
    at("io", "a line of io.jsonl", schema::<IoLine>),
    at("replay", "`replay --format json`", schema::<sheet::Races<'_>>),
    at("answers", "`answers --format json`", schema::<answers::Answers>),
    at("verify", "`verify --format json`", schema::<verify::Reports>),
    at("attempts", "`attempts --format json`", schema::<attempts::Folders>),
    at("rank", "`rank --format json`", schema::<rank::Sheet>),
    at("lane-check", "`lane check --format json`", schema::<lane::Report<'_>>),
    at("lane-ask", "`lane ask --format json`", schema::<Heard>),
    at("task-show", "`task show --format json`", schema::<task::Shown<'_>>),
    at("task-solve", "`task solve --format json`", schema::<task::Shown<'_>>),
    at("task-grade", "`task grade --format json`", schema::<task::Graded<'_>>),
    at("task-dial", "`task dial --format json`", schema::<Vec<Dial>>),
    at("judge", "`judge --format json`", schema::<judge::Judged<'_>>),
    at("judge-prepare", "`judge --prepare --format json`", schema::<judge::Ready>),
    at("publish", "`publish --format json`", schema::<publish::Found<'_>>),
    at("site", "`site --format json`", schema::<site::Made>),
];

const fn at(name: &'static str, about: &'static str, make: fn() -> Schema) -> Published {
    Published { name, about, make }
}

fn names() -> impl Iterator<Item = &'static str> {
    SCHEMAS.iter().map(|it| it.name)
}

fn schema<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

pub(super) fn run(args: &Args) -> ExitCode {
    match SCHEMAS.iter().find(|it| Some(it.name) == args.name.as_deref()) {
        Some(it) => out::json(&(it.make)()),
        None => {
            let line = |it: &Published| format!("{:<14} {}\n", it.name, it.about);
            out::result(&SCHEMAS.iter().map(line).collect::<String>());
        }
    }
    ExitCode::SUCCESS
}
