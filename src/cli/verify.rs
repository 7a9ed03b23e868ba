//! `gauntlet verify DIR...`: prove races from their raw files.

use super::format::{Cell, Table, TableFormat};
use super::interrupt::Interrupt;
use super::view::argument;
use super::{Failure, out};
use crate::judge::{Stop, job::Job};
use crate::publish::redact::Openings;
use crate::season::seal;
use crate::store::{RaceFiles, StoreError, race_folders, read_secret, read_text};
use crate::text::shown;
use crate::verify::{Demands, Report, verify};
use clap::Args as ClapArgs;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Largest sealed season file, in bytes.
const SEASON_BYTES_MAX: u64 = 1024 * 1024;

/// Arguments of `gauntlet verify`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  gauntlet verify replays\n  gauntlet verify races --format csv\n  \
    gauntlet verify races --key ed25519:... --sealed seasons/22-sealed.toml\n\n\
    Exit codes: 0 all verified, 1 something differs, 2 no race there"
)]
pub(crate) struct Args {
    /// Race folders, or folders of races.
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Ask for a signature with this public key: the key itself, or a file that holds it.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Ask that the race's season is the one that was published sealed in this file.
    #[arg(long, value_name = "SEASON.toml")]
    sealed: Option<PathBuf>,
    /// Open what was replaced in a published copy by its owner's file of openings.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Reports {
    races: Vec<Report>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    // The judge runs in a group of its own, so Ctrl-C must end it with us.
    let _interrupt = Interrupt::listen("interrupted: what is said above stands");
    let demands = demands(args)?;
    let mut races = Vec::new();
    for dir in &args.dirs {
        for folder in race_folders(dir)? {
            out::detail(&format!("verifying {}", folder.display()));
            let mut report = verify_folder(&folder);
            report.demand(&RaceFiles::new(&folder), &demands);
            races.push(report);
        }
    }
    let all = races.iter().all(|report| report.verified);
    let reports = Reports { races };
    args.format.print(&reports, || reports.races.iter().map(text).collect(), || table(&reports));
    if all && let [dir] = args.dirs.as_slice() {
        out::next(&format!("gauntlet replay {}", argument(dir)));
    }
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn demands(args: &Args) -> Result<Demands, Failure> {
    let key = args.key.as_deref().map(super::sign::public_key).transpose()?;
    let sealed = match &args.sealed {
        Some(path) => {
            let text = read_text(path, SEASON_BYTES_MAX)?;
            Some(seal::read_sealed(&path.display().to_string(), &text)?)
        }
        None => None,
    };
    let openings = match &args.openings {
        Some(path) => {
            let read = Openings::read(&read_secret(path)?);
            Some(read.map_err(|what| StoreError::content(path, None, what))?)
        }
        None => None,
    };
    Ok(Demands { key, sealed, openings })
}

/// Verifies one folder, judging its code in the sandbox.
pub(super) fn verify_folder(folder: &std::path::Path) -> Report {
    verify_until(folder, &Stop::default())
}

/// The same until it is stopped; what the report then says of the code is that it could not be judged.
pub(super) fn verify_until(folder: &std::path::Path, stop: &Stop) -> Report {
    let mut judge =
        |job: &Job| crate::judge::judge_until(job, stop).map_err(|error| error.to_string());
    verify(&RaceFiles::new(folder), &mut judge)
}

/// A row a difference, and one a race without any.
fn table(reports: &Reports) -> Table {
    let mut table = Table::new(&["race", "verified", "status", "file", "line", "what"]);
    for report in &reports.races {
        let head = || -> Vec<Cell> {
            let status = report.status.map(|status| status.word());
            vec![shown(&report.race, 100).into(), report.verified.into(), status.into()]
        };
        if report.differences.is_empty() {
            table.row(head());
        }
        for it in &report.differences {
            let place = [shown(&it.file, 100).into(), it.line.into(), shown(&it.what, 600).into()];
            table.row(head().into_iter().chain(place).collect());
        }
    }
    table
}

/// A report for people.
pub(super) fn text(report: &Report) -> String {
    let word = if report.verified { "verified" } else { "DIFFERS" };
    let status = report.status.map_or("", |status| status.word());
    let head = format!("{}  {word}  {status}", shown(&report.race, 100));
    let mut text = format!("{}\n", head.trim_end());
    for difference in &report.differences {
        text += &format!("  {}\n", shown(&difference.sentence(), 600));
    }
    if let Some(key) = &report.signed_by {
        text += &format!("  signed by {key}\n");
    }
    if let Some(seal) = &report.season_seal {
        text += &format!("  the season was sealed: its seed opens {}\n", shown(seal, 64));
    }
    for note in &report.notes {
        text += &format!("  note: {}\n", shown(note, 600));
    }
    text
}
