//! `gauntlet rank SEASON.toml DIR...`: a season's standings, one table a memory class.
//!
//! `gather.rs` reads the races and believes none of their result files; `standings/ranking.rs` orders them; `sheet.rs` is what
//! is printed, as JSON or, by `print.rs`, as a table, CSV or Markdown.

pub(super) mod gather;
mod print;
mod sheet;

use super::format::TableFormat;
use super::{Failure, Walls, out, published};
use crate::digest::sha256_hex;
use crate::season::{self, Season};
use crate::standings::{self, Given, PublishedRace};
use crate::store::{self, race_folders, read_text};
use crate::text::shown;
use clap::Args as ClapArgs;
use gather::Found;
pub(super) use sheet::Sheet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Largest season or published file, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Arguments of `gauntlet rank`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Each race is computed again from its log; a race whose files disagree is listed apart.\n\n\
    Examples:\n  gauntlet rank seasons/21.toml replays\n  \
    gauntlet rank seasons/21.toml replays --published --class 128\n  \
    gauntlet rank seasons/21.toml races --verify --format csv\n\n\
    Exit codes: 0 done, 1 the files of a race disagree, 2 usage or a bad file"
)]
pub(crate) struct Args {
    /// The season file.
    #[arg(value_name = "SEASON.toml")]
    season: PathBuf,
    /// Race folders, or folders of races.
    #[arg(value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Only this memory class.
    #[arg(long, value_name = "GB")]
    class: Option<u64>,
    /// Show the published results of the season too, from SEASON/published.toml.
    #[arg(long)]
    published: bool,
    /// Verify each race fully first, judging its code again.
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    walls: Walls,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.dirs.is_empty() && !args.published {
        return Err(Failure::Usage {
            what: String::from("no races to rank"),
            hint: String::from("name folders of races, or add --published"),
        });
    }
    let file = args.season.display().to_string();
    let text = read_text(&args.season, FILE_BYTES_MAX)?;
    let season = season::read(&file, &text)?;
    check_class(args.class, &season)?;
    let published = if args.published { published(&args.season, &season)? } else { Vec::new() };
    let mut found = Found::default();
    for dir in &args.dirs {
        if !store::is_race(dir) {
            found.take_ledger(dir, &season.name);
        }
        for folder in race_folders(dir)? {
            found.take(&folder, args.verify.then(|| args.walls.unconfined()));
        }
    }
    let mut standings = standings::standings(&Given {
        season: &season,
        season_sha256: &sha256_hex(text.as_bytes()),
        races: &found.races,
        published: &published,
        held: &found.held,
    });
    standings.apart.append(&mut found.apart);
    standings.apart.sort();
    let fault = standings.apart.iter().any(|apart| apart.fault);
    say(&standings, args.format);
    let sheet = Sheet::new(&season, &file, standings, args.class);
    match args.format {
        TableFormat::Table => out::result(&print::table(&sheet)),
        TableFormat::Json => out::json(&sheet),
        TableFormat::Csv => out::result(&print::rows_table(&sheet).csv()),
        TableFormat::Md => out::result(&print::markdown(&sheet)),
    }
    Ok(if fault { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Words for stderr: notes always, and what CSV, which has rows only, cannot hold.
fn say(standings: &standings::Standings, format: TableFormat) {
    for note in &standings.notes {
        out::note(&format!("note: {}", shown(note, 300)));
    }
    if format == TableFormat::Csv {
        for apart in &standings.apart {
            let (race, reason) = (shown(&apart.race, 100), shown(&apart.reason, 300));
            out::error(&format!("listed apart: {race}: {reason}"));
        }
    }
}

fn check_class(class: Option<u64>, season: &Season) -> Result<(), Failure> {
    match class {
        Some(class) if !season.memory_classes_gb.contains(&class) => {
            let classes: Vec<String> =
                season.memory_classes_gb.iter().map(u64::to_string).collect();
            Err(Failure::Usage {
                what: format!("season {} has no {class} GB class", season.name),
                hint: format!("its classes are {} GB", classes.join(", ")),
            })
        }
        _ => Ok(()),
    }
}

/// The published results beside a season file.
pub(super) fn published(
    season_path: &Path,
    season: &Season,
) -> Result<Vec<PublishedRace>, Failure> {
    let path = published::beside(season_path);
    if !path.exists() {
        return Err(Failure::Usage {
            what: format!("season {} has no published results", season.name),
            hint: format!("they would be in {}", path.display()),
        });
    }
    published::read(&path, season)
}
