//! `gauntlet verify DIR...`: prove races from their raw files.

use super::format::{Cell, Table, TableFormat};
use super::interrupt::Interrupt;
use super::view::argument;
use super::{Failure, Walls, out};
use crate::judge::{Stop, Unconfined, job::Job};
use crate::publish::redact::Openings;
use crate::season::seal;
use crate::store::attempts::Fault;
use crate::store::{self, RaceFiles, StoreError, race_folders, read_secret, read_text};
use crate::text::shown;
use crate::verify::{Demands, Difference, Report, unread, verify};
use clap::Args as ClapArgs;
use rayon::prelude::*;
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
    /// How many races are verified side by side; as many as there are cores when not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    jobs: Option<u8>,
    #[command(flatten)]
    walls: Walls,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Reports {
    races: Vec<Report>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ledgers: Vec<Ledger>,
}

/// Whether the attempts ledger of a folder of races agrees with the folders.
#[derive(Serialize, JsonSchema)]
struct Ledger {
    file: PathBuf,
    verified: bool,
    differences: Vec<Fault>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    // The judge runs in a group of its own, so Ctrl-C must end it with us.
    let _interrupt = Interrupt::listen("interrupted: what is said above stands");
    let demands = demands(args)?;
    let mut folders = Vec::new();
    for dir in &args.dirs {
        folders.extend(race_folders(dir)?);
    }
    for folder in &folders {
        out::detail(&format!("verifying {}", folder.display()));
    }
    let reports =
        Reports { races: verify_all(&folders, &demands, args)?, ledgers: ledgers(&args.dirs) };
    let all = reports.races.iter().all(|report| report.verified)
        && reports.ledgers.iter().all(|ledger| ledger.verified);
    let words = || {
        let races = folders.iter().zip(&reports.races).map(|(folder, report)| {
            let mut text = text(report);
            let name = RaceFiles::new(folder).name();
            // Two copies have one id; the folder tells them apart.
            if name != report.race {
                text += &format!("  in the folder {}\n", shown(&name, 100));
            }
            text
        });
        races.chain(reports.ledgers.iter().map(ledger_text)).collect()
    };
    args.format.print(&reports, words, || table(&reports));
    if all && let [folder] = folders.as_slice() {
        out::next(&format!("gauntlet replay {}", argument(folder)));
    }
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Verifies races side by side; the reports come in the order of the folders.
fn verify_all(folders: &[PathBuf], demands: &Demands, args: &Args) -> Result<Vec<Report>, Failure> {
    let unconfined = args.walls.unconfined();
    let one = |folder: &PathBuf| {
        let mut report = verify_folder(folder, unconfined);
        report.demand(&RaceFiles::new(folder), demands);
        report
    };
    let jobs = args.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Failure::Usage {
        what: format!("cannot start {jobs} jobs: {error}"),
        hint: String::from("ask for fewer with --jobs"),
    })?;
    Ok(pool.install(|| folders.par_iter().map(one).collect()))
}

/// The ledgers of those folders that hold races and have one.
fn ledgers(dirs: &[PathBuf]) -> Vec<Ledger> {
    let with_ledger = dirs.iter().filter(|dir| !store::is_race(dir) && store::has_ledger(dir));
    let ledger = |dir: &PathBuf| {
        let differences = match store::attempts(dir) {
            Ok(found) => found.faults,
            Err(error) => {
                let Difference { file, line, what } = unread(store::LEDGER, &error);
                vec![Fault { file, line, what }]
            }
        };
        Ledger { file: dir.join(store::LEDGER), verified: differences.is_empty(), differences }
    };
    with_ledger.map(ledger).collect()
}

fn ledger_text(ledger: &Ledger) -> String {
    let word = if ledger.verified { "verified" } else { "DIFFERS" };
    let mut text = format!("{}  {word}\n", shown(&ledger.file.display().to_string(), 200));
    for difference in &ledger.differences {
        text += &format!("  {}\n", shown(&difference.sentence(), 600));
    }
    text
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
pub(super) fn verify_folder(folder: &std::path::Path, unconfined: Unconfined) -> Report {
    verify_until(folder, unconfined, &Stop::default())
}

/// The same until it is stopped; what the report then says of the code is that it could not be judged.
pub(super) fn verify_until(
    folder: &std::path::Path,
    unconfined: Unconfined,
    stop: &Stop,
) -> Report {
    let mut judge = |job: &Job| {
        crate::judge::judge_until(job, unconfined, stop).map_err(|error| error.to_string())
    };
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
    for ledger in &reports.ledgers {
        let head = || -> Vec<Cell> {
            let file = shown(&ledger.file.display().to_string(), 200);
            vec![file.into(), ledger.verified.into(), Cell::Nothing]
        };
        if ledger.verified {
            table.row(head());
        }
        for it in &ledger.differences {
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
