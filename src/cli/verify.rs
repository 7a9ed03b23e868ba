//! `gauntlet verify DIR...`: prove races from their raw files.

use super::{Failure, TextOrJson, out};
use crate::store::{RaceFiles, race_folders};
use crate::verify::{Report, verify};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `gauntlet verify`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Example: gauntlet verify replays\n\nExit codes: 0 all verified, 1 something differs, 2 no race there"
)]
pub(crate) struct Args {
    /// Race folders, or folders of races.
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Print for people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

#[derive(Serialize)]
struct Reports {
    races: Vec<Report>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut races = Vec::new();
    for dir in &args.dirs {
        for folder in race_folders(dir)? {
            races.push(verify_folder(&folder));
        }
    }
    let all = races.iter().all(|report| report.verified);
    match args.format {
        TextOrJson::Json => out::json(&Reports { races }),
        TextOrJson::Text => races.iter().for_each(|report| out::result(&text(report))),
    }
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Verifies one folder, judging its code in the sandbox.
pub(super) fn verify_folder(folder: &std::path::Path) -> Report {
    let mut judge =
        |job: &crate::judge::job::Job| crate::judge::judge(job).map_err(|error| error.to_string());
    verify(&RaceFiles::new(folder), &mut judge)
}

/// A report for people.
pub(super) fn text(report: &Report) -> String {
    let word = if report.verified { "verified" } else { "DIFFERS" };
    let status = report.status.map_or("", |status| status.word());
    let head = format!("{}  {word}  {status}", crate::text::shown(&report.race, 100));
    let mut text = format!("{}\n", head.trim_end());
    for difference in &report.differences {
        text += &format!("  {}\n", difference.sentence());
    }
    for note in &report.notes {
        text += &format!("  note: {note}\n");
    }
    text
}
