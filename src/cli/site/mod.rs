//! `gauntlet site DIR... --out DIR`: a static site of races.
//!
//! `gather.rs` reads the races, `seasons.rs` puts them into their seasons, `page` makes strings of them, `store/site.rs` writes what
//! changed. A race that cannot be believed has no page and is listed apart; the others are not held up by it.

pub(super) mod gather;
pub(super) mod seasons;

use super::{Failure, TextOrJson, out};
use crate::page::answers::{self, Reader};
use crate::page::{Field, Race, card, data, feed, home, race, season};
use crate::race::line::IoLine;
use crate::store::{Changes, RaceFiles, SiteFolder, race_folders};
use crate::text::shown;
use clap::Args as ClapArgs;
use gather::{Read, Refused};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `gauntlet site`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Writes a home page, a page a season with standings, a page a race with its replay, its answers, raw files and the commands that \
    check it, data as JSON and CSV, a card a race, and a feed. Every page opens from disk and asks no server for anything. Run again, it writes only \
    what changed.\n\n\
    Each race is computed again from its log; one whose files disagree gets no page and is listed apart.\n\n\
    Examples:\n  gauntlet site replays --out site\n  \
    gauntlet site races --season seasons/22.toml --out site\n  \
    gauntlet site public --out site --verify --format json\n\n\
    Exit codes: 0 done, 1 the files of a race disagree (the others have their pages), 2 usage or a bad file"
)]
pub(crate) struct Args {
    /// Race folders, or folders of races.
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// The folder of the site: a new one, or one that this command made.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A season file to show; its published results are taken from beside it. Seasons 21 and 21-hard are built in.
    #[arg(long, value_name = "FILE")]
    season: Vec<PathBuf>,
    /// The address that the site will have, for links in the feed, which are relative without it.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Leave out the published results of the seasons.
    #[arg(long)]
    no_published: bool,
    /// Leave out the raw files of the races.
    #[arg(long)]
    no_raw: bool,
    /// Verify each race fully first, judging its code again.
    #[arg(long)]
    verify: bool,
    /// Print for people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// What was written, for programs.
#[derive(Serialize, JsonSchema)]
pub(super) struct Made {
    out: String,
    seasons: usize,
    races: usize,
    files: Changes,
    apart: Vec<Apart>,
}

#[derive(Serialize, JsonSchema)]
struct Apart {
    race: String,
    reason: String,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut folders = Vec::new();
    for dir in &args.dirs {
        folders.extend(race_folders(dir)?);
    }
    folders.sort();
    folders.dedup();
    let given = seasons::given(&args.season, !args.no_published)?;
    let read: Vec<_> =
        folders.par_iter().map(|it| gather::read(it, !args.no_raw, args.verify)).collect();
    let (mut races, mut refused) = (Vec::new(), Vec::new());
    for read in read {
        match read {
            Ok(read) => races.push(*read),
            Err(reason) => refused.push(*reason),
        }
    }
    refused.extend(args.dirs.iter().flat_map(|dir| gather::against(dir)));
    let read = races.len() + refused.len();
    let mut races = gather::unique(races, &mut refused);
    let copies = (read - races.len() - refused.len()) as u64;
    // The newest first; simulated ones have no date and come last, by id.
    races.sort_by(|a, b| {
        let key =
            |it: &Read| (it.race.began.clone(), std::cmp::Reverse(it.race.result.race.clone()));
        key(b).cmp(&key(a))
    });
    let fields = seasons::fields(given, &races, &refused);
    let site = SiteFolder::open(&args.out)?;
    let base = args.base_url.as_deref().map(|url| format!("{}/", url.trim_end_matches('/')));
    write(&site, &fields, &races, base.as_deref().unwrap_or_default())?;
    let files = site.finish()?;
    say(args, &races, &refused, copies);
    report(args, &fields, &races, &refused, files);
    Ok(if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn write(
    site: &SiteFolder,
    fields: &[seasons::Shown],
    races: &[Read],
    base: &str,
) -> Result<(), Failure> {
    for shown in fields {
        let (field, folder) = (&shown.field, format!("seasons/{}", shown.field.season.name));
        site.write(&format!("{folder}/index.html"), season::page(field).as_bytes())?;
        site.write(&format!("{folder}/season.toml"), shown.text.as_bytes())?;
        site.write(&format!("{folder}/season.json"), data::json(field).as_bytes())?;
        site.write(&format!("{folder}/season.csv"), data::csv(field).as_bytes())?;
        for class in &field.classes {
            for number in 1..season::pages(class) {
                let file = format!("{folder}/{}", season::page_file(class, number));
                site.write(&file, season::class_page(field, class, number).as_bytes())?;
            }
        }
    }
    let each = |read: &Read| -> Result<(), Failure> {
        let Some(field) = field_of(fields, &read.race) else { return Ok(()) };
        let folder = read.race.folder();
        site.write(&format!("{folder}/index.html"), race::page(&read.race, field).as_bytes())?;
        let exchanges = exchanges(&read.folder)?;
        for (name, page) in answers::pages(&read.race, &read.log, &exchanges) {
            site.write(&format!("{folder}/{name}"), page.as_bytes())?;
        }
        let standing = field.standing(&read.race.track);
        let card = card::svg(&read.race.track, &read.race.season, standing);
        site.write(&format!("{folder}/card.svg"), card.as_bytes())?;
        for (name, _) in &read.race.files {
            site.copy(&read.folder.join(name), &format!("{folder}/files/{name}"))?;
        }
        Ok(())
    };
    races.par_iter().try_for_each(each)?;
    let newest: Vec<&Race> = races.iter().map(|it| &it.race).collect();
    let home = home::page(fields.iter().map(|it| &it.field), &newest);
    site.write("index.html", home.as_bytes())?;
    site.write("feed.xml", feed::atom(&newest, base).as_bytes())?;
    Ok(())
}

/// What the lane was asked and answered, as far as io.jsonl can be read: its faults are `gauntlet verify`'s to name.
fn exchanges(folder: &Path) -> Result<Vec<Vec<answers::Exchange>>, Failure> {
    let mut reader = Reader::default();
    let mut lines = RaceFiles::new(folder).lines("io.jsonl")?;
    while let Some(line) = lines.next_line()? {
        let Ok(read) = serde_json::from_str::<IoLine>(&line.text) else { break };
        reader.take(line.number, read.input);
    }
    Ok(reader.finish())
}

fn field_of<'a>(fields: &'a [seasons::Shown], race: &Race) -> Option<&'a Field> {
    fields.iter().map(|it| &it.field).find(|field| field.season.name == race.season.name)
}

/// Words for stderr: what has no page and why, and what the site may tell.
fn say(args: &Args, races: &[Read], refused: &[Refused], copies: u64) {
    for it in refused {
        let (race, reason) = (shown(&it.apart.race, 100), shown(&it.apart.reason, 300));
        out::error(&format!("error: {race} has no page: {reason}"));
    }
    if !refused.is_empty() {
        out::error("hint: `gauntlet verify DIR` names every difference of a race");
    }
    if copies > 0 {
        let folders = out::counted(copies, "folder");
        out::note(&format!("note: {folders} left out: a second copy of a race that is there"));
    }
    let private = races.iter().filter(|it| it.is_private).count() as u64;
    if private > 0 && !args.no_raw {
        let races = out::counted(private, "race");
        out::note(&format!(
            "note: raw files and setup of {races} of a real server are there as they are; `gauntlet publish` makes copies fit for the public"
        ));
    }
}

fn report(
    args: &Args,
    fields: &[seasons::Shown],
    races: &[Read],
    refused: &[Refused],
    files: Changes,
) {
    let home = shown(&args.out.join("index.html").display().to_string(), 400);
    match args.format {
        TextOrJson::Json => out::json(&Made {
            out: home,
            seasons: fields.len(),
            races: races.len(),
            files,
            apart: refused
                .iter()
                .map(|it| Apart {
                    race: shown(&it.apart.race, 100),
                    reason: shown(&it.apart.reason, 300),
                })
                .collect(),
        }),
        TextOrJson::Text => {
            let (seasons, races) = (
                out::counted(fields.len() as u64, "season"),
                out::counted(races.len() as u64, "race"),
            );
            let Changes { written, unchanged, removed } = files;
            out::result(&format!(
                "{home}\n{seasons}, {races}; {} written, {unchanged} unchanged, {removed} removed\n",
                out::counted(written, "file")
            ));
        }
    }
}
