//! `gauntlet publish DIR --out DIR`: a copy of a race that is fit for the public.

use super::format::{self, TableFormat};
use super::{Failure, Walls, out, random, verify};
use crate::course::Course;
use crate::publish::find::{Kind, Known};
use crate::publish::redact::{self, Redactions, Table};
use crate::publish::rules::Rules;
use crate::publish::scan::{Finder, Finding, Scan};
use crate::publish::{self, PublishError};
use crate::race::RaceResult;
use crate::season;
use crate::store::{PublicFolder, RaceFiles, read_text, write_secret};
use crate::text::shown;
use clap::Args as ClapArgs;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Largest rule file, in bytes.
const RULES_BYTES_MAX: u64 = 1024 * 1024;

/// Arguments of `gauntlet publish`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Finds keys and tokens, passwords, e-mail, IP and hardware addresses, home folders, user and host names, serial numbers and power \
    readings in every file, and puts placeholders in their place. The original is never touched.\n\n\
    A rule file keeps false alarms and names words to replace:\n  \
    format = { name = \"gauntlet-rules\", major = 1, minor = 0 }\n  \
    [[keep]]\n  kind = \"power\"               # or value = \"...\", or both\n  reason = \"from a data sheet\"\n  \
    [[replace]]\n  word = \"Project Heron\"\n\n\
    Examples:\n  gauntlet publish races/21-my-rig-attempt1 --check\n  \
    gauntlet publish races/21-my-rig-attempt1 --out public/21-my-rig-attempt1 --openings ~/race.openings\n\n\
    Exit codes: 0 done, 1 it cannot be published as it is (with --check: something was found), 2 usage or a bad file"
)]
pub(crate) struct Args {
    /// The race's folder.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The folder to make; one that is there already is left as it is.
    #[arg(long, value_name = "DIR", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// The rule file: false alarms to keep, words to replace.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Write what opens the commitments into this new file, for its owner alone to read; else nobody can open them.
    #[arg(long, value_name = "FILE", requires = "out")]
    openings: Option<PathBuf>,
    /// Only look; write nothing.
    #[arg(long, conflicts_with = "out")]
    check: bool,
    /// Show what was found in full, not its ends alone.
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    walls: Walls,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Found<'a> {
    race: &'a str,
    findings: Vec<Row<'a>>,
    /// Findings that are not listed one by one.
    more: u64,
    unreadable: Vec<Unread<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<&'a Redactions>,
}

#[derive(Serialize, JsonSchema)]
struct Row<'a> {
    file: &'a str,
    /// From 1; 0 for the file's name itself.
    line: u64,
    kind: Kind,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct Unread<'a> {
    file: &'a str,
    why: &'a str,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let files = RaceFiles::new(&args.dir);
    if !files.has("io.jsonl") {
        return Err(Failure::Usage {
            what: format!("{} is no race folder", args.dir.display()),
            hint: String::from("name one folder that holds io.jsonl and log.jsonl"),
        });
    }
    let rules = match &args.rules {
        Some(path) => Rules::read(&path.display().to_string(), &read_text(path, RULES_BYTES_MAX)?)?,
        None => Rules::default(),
    };
    let finder = Finder::learn(&files, rules, of_this_machine(), tasks(&files))?;
    let scan = finder.scan(&files)?;
    let published = match &args.out {
        Some(path) => Some(publish(args, path, &files, &finder, &scan)?),
        None => None,
    };
    let race = files.name();
    let rows = scan.findings.iter().map(|it| row(it, args.show_values)).collect();
    let unreadable = scan.unreadable.iter().map(|(file, why)| Unread { file, why }).collect();
    let found = Found {
        race: &race,
        findings: rows,
        more: scan.more,
        unreadable,
        published: published.as_ref(),
    };
    args.format.print(&found, || text(&found), || table(&found));
    if let Some(path) = &args.out {
        out::note(&format!(
            "{} can be published; its README says what was changed",
            path.display()
        ));
        out::next(&format!("gauntlet verify {}", super::view::argument(path)));
        return Ok(ExitCode::SUCCESS);
    }
    let left = found.findings.iter().any(|it| it.kept.is_none()) || !scan.unreadable.is_empty();
    Ok(ExitCode::from(u8::from(left)))
}

fn publish(
    args: &Args,
    out: &std::path::Path,
    files: &RaceFiles,
    finder: &Finder,
    scan: &Scan,
) -> Result<Redactions, Failure> {
    let before = verify::verify_folder(files.path(), args.walls.unconfined());
    if let Some(difference) = before.differences.first() {
        return Err(Failure::Check {
            what: format!(
                "the race does not verify, and is not published: {}",
                difference.sentence()
            ),
            hint: String::from("`gauntlet verify` names every difference"),
        });
    }
    let folder = PublicFolder::create(out)?;
    let mut table = Table::new(random()?);
    let written =
        publish::write(files, &before.race, finder, scan, &mut table, &folder).map_err(failed)?;
    let mut redactions = written.redactions;
    let copy = RaceFiles::new(folder.path());
    hold_back_what_is_left(&folder, &copy, finder, &mut table, &mut redactions)?;
    let after = verify::verify_folder(folder.path(), args.walls.unconfined());
    if let Some(difference) = after.differences.first() {
        return Err(Failure::Check {
            what: format!("the copy with placeholders does not verify: {}", difference.sentence()),
            hint: String::from("what the lane answered was found to be private: keep it by a rule"),
        });
    }
    let log = copy.log()?;
    let result: Option<RaceResult> = written.result.or(copy.fold(&log)?);
    let result = result.ok_or_else(|| Failure::Check {
        what: String::from("the race has no start"),
        hint: String::from("there is nothing to publish"),
    })?;
    if files.has("verify.txt") {
        folder.write("verify.txt", &verify::text(&after))?;
    }
    folder.write(redact::FILE, &redactions.to_json())?;
    folder.write("README.md", &publish::readme(&result, &redactions))?;
    if let Some(path) = &args.openings {
        write_secret(path, &table.openings(&redactions.race).to_json())?;
    }
    folder.finish()?;
    Ok(redactions)
}

/// The last look: what still holds something private is held back, and a race that would not be whole without it is not published.
fn hold_back_what_is_left(
    folder: &PublicFolder,
    copy: &RaceFiles,
    finder: &Finder,
    table: &mut Table,
    redactions: &mut Redactions,
) -> Result<(), Failure> {
    let again = finder.scan(copy)?;
    for finding in again.findings.iter().filter(|it| it.keep.is_none()) {
        if publish::is_of_the_race(&finding.file) {
            return Err(Failure::Check {
                what: format!(
                    "{}, line {}: {} {} still stands there with all placeholders set",
                    shown(&finding.file, 60),
                    finding.line,
                    finding.kind.word(),
                    masked(&finding.value, false)
                ),
                hint: String::from("keep it by a rule, or replace the word around it by one"),
            });
        }
        if copy.has(&finding.file) {
            folder.remove(&finding.file)?;
            let why = String::from("it still held what should not be published");
            for original in redactions.originals.iter_mut().filter(|it| it.name == finding.file) {
                if let Some(sha256) = original.sha256.take() {
                    *original = table.original(&finding.file, sha256, false);
                }
            }
            redactions.held_back.push(redact::HeldBack { name: finding.file.clone(), why });
        }
    }
    Ok(())
}

fn failed(error: PublishError) -> Failure {
    match error {
        PublishError::Store(error) => Failure::Store(error),
        other => Failure::Check {
            what: format!("the race cannot be published: {other}"),
            hint: String::from("a rule file keeps false alarms, see `gauntlet publish --help`"),
        },
    }
}

/// The prompts of the race's tasks: what stands in them is public. None when the season cannot be read, which verify tells.
fn tasks(files: &RaceFiles) -> String {
    let season =
        files.text("season.toml").ok().and_then(|text| season::read("season.toml", &text).ok());
    let course = season.and_then(|season| Course::plan(season).ok());
    let ranges = course.map(|course| course.ranges).unwrap_or_default();
    ranges
        .iter()
        .map(|range| format!("{}\n{}\n", range.task.prompt, range.task.solution()))
        .collect()
}

/// Names of this machine and of whoever runs the program.
fn of_this_machine() -> Known {
    let mut known = Known::default();
    for name in ["USER", "LOGNAME", "USERNAME", "SUDO_USER"] {
        known.add(Kind::User, &std::env::var(name).unwrap_or_default());
    }
    if let Some(home) = std::env::home_dir() {
        known.add(Kind::User, &home.file_name().unwrap_or_default().to_string_lossy());
    }
    if let Ok(host) = sysinfo::System::host_name() {
        known.add(Kind::Host, &host);
        known.add(Kind::Host, host.split('.').next().unwrap_or_default());
    }
    known
}

fn row(finding: &Finding, whole: bool) -> Row<'_> {
    Row {
        file: &finding.file,
        line: finding.line,
        kind: finding.kind,
        value: masked(&finding.value, whole),
        kept: finding.keep.as_deref(),
    }
}

/// A value as it is shown: its ends alone, so that a terminal's history does not keep a key.
fn masked(value: &str, whole: bool) -> String {
    let letters: Vec<char> = value.chars().collect();
    let count = letters.len();
    if whole {
        return shown(value, 200);
    }
    let (head, tail) = if count > 12 { (4, 2) } else { (1.min(count), usize::from(count > 4)) };
    let ends: String =
        letters[..head].iter().chain(&['…']).chain(&letters[count - tail..]).collect();
    shown(&ends, 40)
}

fn table(found: &Found<'_>) -> format::Table {
    let mut table = format::Table::new(&["file", "line", "kind", "value", "kept"]);
    for row in &found.findings {
        let kept = row.kept.map(|reason| shown(reason, 200));
        let (file, kind) = (shown(row.file, 60), row.kind.word());
        table.row(vec![
            file.into(),
            row.line.into(),
            kind.into(),
            row.value.as_str().into(),
            kept.into(),
        ]);
    }
    table
}

fn text(found: &Found<'_>) -> String {
    let mut text = String::new();
    for row in &found.findings {
        let kept =
            row.kept.map_or(String::new(), |reason| format!("  kept: {}", shown(reason, 200)));
        let place = format!("{}:{}", shown(row.file, 60), row.line);
        text += &format!("{place:<24} {:<8} {}{kept}\n", row.kind.word(), row.value);
    }
    if found.more > 0 {
        text += &format!("and {} more\n", found.more);
    }
    for it in &found.unreadable {
        text += &format!("{:<24} held back: {}\n", shown(it.file, 60), shown(it.why, 200));
    }
    let count = |kept: bool| found.findings.iter().filter(|it| it.kept.is_some() == kept).count();
    text += &format!("{} found, {} kept by rules", count(false) as u64 + found.more, count(true));
    if let Some(published) = found.published.filter(|it| !it.redactions.is_empty()) {
        text += &format!("; replaced: {}", published.counts());
    }
    text + "\n"
}
