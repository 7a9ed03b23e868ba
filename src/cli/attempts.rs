//! `gauntlet attempts [DIR...]`: every attempt of every lane, and whether the ledger and the folders agree.

use super::Failure;
use super::format::{Table, TableFormat};
use super::out::{self, seconds};
use crate::store::attempts::{Attempt, Attempts};
use crate::store::{self, LEDGER};
use crate::text::shown;
use clap::Args as ClapArgs;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `gauntlet attempts`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Every started race is entered in attempts.jsonl beside the race folders, and again when it ends. A race that was deleted,\n\
    renamed, exchanged or taken out of the ledger is named. A folder without a ledger is listed from its races.\n\n\
    Examples:\n  gauntlet attempts\n  gauntlet attempts races --format json\n\n\
    Exit codes: 0 done, 1 ledger and folders do not agree, 2 no such folder, or no race in it"
)]
pub(crate) struct Args {
    /// Folders of races.
    #[arg(value_name = "DIR", default_value = "races")]
    dirs: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Folders {
    folders: Vec<Folder>,
}

#[derive(Serialize, JsonSchema)]
struct Folder {
    dir: PathBuf,
    #[serde(flatten)]
    found: Attempts,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut folders = Vec::new();
    for dir in &args.dirs {
        if store::is_race(dir) {
            return Err(Failure::Usage {
                what: format!("{} is the folder of one race", dir.display()),
                hint: String::from(
                    "attempts takes the folder that holds race folders, for instance races",
                ),
            });
        }
        let found = store::attempts(dir)?;
        if found.attempts.is_empty() && found.faults.is_empty() && found.notes.is_empty() {
            // The same words as everywhere else; a ledger alone would have had attempts.
            store::race_folders(dir)?;
        }
        folders.push(Folder { dir: dir.clone(), found });
    }
    let agree = folders.iter().all(|it| it.found.faults.is_empty());
    let folders = Folders { folders };
    let words = || folders.folders.iter().map(|it| text(&it.dir, &it.found)).collect();
    args.format.print(&folders, words, || table(&folders));
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A row an attempt, and one a fault.
fn table(folders: &Folders) -> Table {
    let mut table = Table::new(&[
        "season",
        "lane",
        "attempt",
        "race",
        "state",
        "missing",
        "counts",
        "started",
        "finish_ms",
        "why",
        "fault",
    ]);
    let text = |text: &Option<String>| text.as_deref().map(|text| shown(text, 400)).into();
    for it in folders.folders.iter().flat_map(|it| &it.found.attempts) {
        table.row(vec![
            shown(&it.season, 60).into(),
            shown(&it.lane, 80).into(),
            it.attempt.into(),
            shown(&it.race, 200).into(),
            it.state.word().into(),
            it.missing.into(),
            it.counts.into(),
            text(&it.started),
            it.finish_ms.into(),
            text(&it.why),
            text(&it.fault),
        ]);
    }
    table
}

/// The attempts of a folder for people.
fn text(dir: &Path, found: &Attempts) -> String {
    let mut text = String::new();
    let mut lane = None;
    for it in &found.attempts {
        if lane.replace((&it.season, &it.lane)) != Some((&it.season, &it.lane)) {
            text += &format!("season {}, {}\n", shown(&it.season, 60), shown(&it.lane, 80));
        }
        text += &line(it);
    }
    for fault in &found.faults {
        text += &format!("DIFFERS  {}\n", shown(&fault.sentence(), 400));
    }
    for note in &found.notes {
        text += &format!("note: {}\n", shown(note, 400));
    }
    let dir = shown(&dir.display().to_string(), 200);
    text += &match (found.ledger, found.faults.len()) {
        (false, _) => {
            format!("{dir} has no {LEDGER}: whether attempts are missing cannot be told\n")
        }
        (true, 0) => format!("{dir}: {LEDGER} and the folders agree\n"),
        (true, count) => format!(
            "{dir}: {LEDGER} and the folders do not agree in {}\n",
            out::counted(count as u64, "place")
        ),
    };
    text
}

fn line(it: &Attempt) -> String {
    let started = it.started.as_deref().map_or("", |it| it.get(..16).unwrap_or_default());
    let finish = it.finish_ms.map_or(String::new(), |ms| format!("{} s", seconds(ms)));
    let counts = if it.counts { "counts" } else { "" };
    let line = format!(
        "  {:>3}  {:<11}  {:<16}  {finish:>9}  {counts:<6}",
        it.attempt,
        if it.missing { "missing" } else { it.state.word() },
        shown(started, 16).replace('T', " "),
    );
    let why = it.why.as_ref().map_or(String::new(), |why| format!("       {}\n", shown(why, 300)));
    format!("{}\n{why}", line.trim_end())
}
