//! `gauntlet race`: a solo race of a lane over a season's course.

mod ready;
mod recorder;

use super::format::TableFormat;
use super::ghost::{self, Ghost};
use super::interrupt::Interrupt;
use super::pace::Pace;
use super::{Failure, Walls, out, reach::reach, view};
use crate::clock::{Clock, Stamp};
use crate::course::Course;
use crate::digest::sha256_hex;
use crate::drive::{Desk, live, on_paper};
use crate::format;
use crate::host;
use crate::judge::job::Job;
use crate::lane::file::{LaneFile, LaneKind};
use crate::lane::http::{HttpLane, overhead_us};
use crate::lane::request;
use crate::lane::sim::Pacer;
use crate::load::LoadWatch;
use crate::puzzles;
use crate::race::input::{Host, RULES, Start};
use crate::race::{Referee, prompts, scoring};
use crate::season;
use crate::store::{RaceFolder, read_text};
use clap::Args as ClapArgs;
use ready::{prepare, run_code, stopped};
use recorder::{Recorder, close};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Largest season or lane file, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The season and the lane of `gauntlet race` without arguments.
pub(in crate::cli) const SEASON: (&str, &str) =
    ("seasons/21.toml", include_str!("../../seasons/21.toml"));
const PACER: (&str, &str) = ("lanes/pacer-club.toml", include_str!("../../lanes/pacer-club.toml"));

/// Says how to race again from the files of a race's folder, wherever it stands.
const COMMAND: &str = "\
# In this folder, it races again on the very files of this race; the new race's folder goes beside this one.
gauntlet race --season season.toml --lane lane.toml --out ..
";

/// Arguments of `gauntlet race`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Without arguments the built-in pacer races season 21: no model, no set-up, seconds.\n\n\
    Examples:\n  gauntlet race\n  \
    gauntlet race --realtime                     watch the pacer at the speed of a server\n  \
    gauntlet race --lane lanes/my-rig.toml --out races\n  \
    gauntlet race --lane lanes/my-rig.toml --ghost races/21-my-rig-attempt1\n  \
    gauntlet race --lane lanes/pacer-elite.toml --format json\n\n\
    Exit codes: 0 the race is over, 2 a bad file, 3 the lane or its server failed, 4 interrupted"
)]
pub(crate) struct Args {
    /// The lane file; the built-in club pacer when not given.
    #[arg(long, value_name = "FILE")]
    lane: Option<PathBuf>,
    /// The season file; the built-in season 21 when not given.
    #[arg(long, value_name = "FILE")]
    season: Option<PathBuf>,
    /// The folder that gets the race's own folder.
    #[arg(long, value_name = "DIR", default_value = "races")]
    out: PathBuf,
    /// One event a line instead of the live view.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    walls: Walls,
    /// Hold a pacer to the clock, N times faster than real; its files are the same bytes.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..=1000))]
    realtime: Option<u64>,
    /// The race to show splits against: a folder, a published lane's name, or `none`; else the fastest of the class.
    #[arg(long, value_name = "RACE")]
    ghost: Option<PathBuf>,
    /// What goes to stdout at the end: the card, result.json, or a row a range.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

/// A text file with the name that messages give it.
struct Text {
    name: String,
    text: String,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let interrupt = Interrupt::listen("interrupted before the start: nothing was written");
    let season_text = text_of(args.season.as_deref(), SEASON)?;
    let lane_text = text_of(args.lane.as_deref(), PACER)?;
    let season = season::read(&season_text.name, &season_text.text)?;
    let lane = LaneFile::parse(&lane_text.name, &lane_text.text)?;
    let largest = season.memory_classes_gb.last().copied().unwrap_or(0);
    if lane.memory_gb > largest {
        return Err(Failure::Usage {
            what: format!(
                "{}: a rig of {} GB is in no class of the season",
                lane_text.name, lane.memory_gb
            ),
            hint: format!("its largest class is {largest} GB"),
        });
    }
    if args.realtime.is_some() && lane.kind == LaneKind::Http {
        return Err(Failure::Usage {
            what: format!("{}: a server races in real time anyway", lane_text.name),
            hint: String::from("leave --realtime out; it holds a pacer to the clock"),
        });
    }
    let course = Course::plan(season)?;
    out::detail(&format!(
        "{}: {} ranges; lane {}",
        season_text.name,
        course.ranges.len(),
        lane_text.name
    ));
    if course.ranges.iter().any(|range| range.task.kind() == puzzles::Kind::Code) {
        prepare(args)?;
    }
    match lane.kind {
        LaneKind::Sim => race_on_paper(args, &course, &lane, &season_text, &lane_text, &interrupt),
        LaneKind::Http => race_live(args, &course, &lane, &season_text, &lane_text, &interrupt),
    }
}

fn race_on_paper(
    args: &Args,
    course: &Course,
    lane: &LaneFile,
    season_text: &Text,
    lane_text: &Text,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let mut pacer = Pacer::new(course, lane).ok_or_else(|| Failure::Usage {
        what: format!("{}: kind = \"sim\" needs a [sim] section", lane_text.name),
        hint: String::from("copy one from lanes/pacer-club.toml"),
    })?;
    let ghost = ghost_of(args, course, lane, season_text)?;
    let stop = interrupt.tell();
    let (folder, start) = open(args, course, lane, season_text, lane_text, None)?;
    let recorder = Recorder::new(folder, args, course, lane, ghost);
    let mut desk = Desk::new(Referee::new(course, lane), recorder);
    let pace = args.realtime.map(|speed| Pace::start(speed, stop.clone()));
    let mut wait = |t_ms| !stop.is_set() && pace.as_ref().is_none_or(|pace| pace.wait(t_ms));
    let unconfined = args.walls.unconfined();
    let mut judge = |job: &Job| run_code(job, unconfined, &stop);
    on_paper::paced(&mut desk, start, lane, &mut pacer, &mut judge, &mut wait).map_err(stopped)?;
    close(args, desk, interrupt)
}

fn race_live(
    args: &Args,
    course: &Course,
    lane: &LaneFile,
    season_text: &Text,
    lane_text: &Text,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Usage {
        what: format!("cannot start the network: {error}"),
        hint: String::from("are there too many open files?"),
    })?;
    runtime.block_on(async {
        let clock = Clock::start();
        let mut http = HttpLane::new(lane, api_key(lane, lane_text)?, clock).map_err(|error| {
            Failure::Lane {
                what: format!("{}: {error}", lane_text.name),
                hint: String::from("check base_url"),
            }
        })?;
        reach(&mut http, lane, &clock).await?;
        let ghost = ghost_of(args, course, lane, season_text)?;
        let overhead_us = overhead_us(lane, &a_main_request(course, lane)).await;
        let host = host::record(lane, overhead_us);
        let stop = interrupt.tell();
        let live = Some((&clock, host));
        let (folder, start) = open(args, course, lane, season_text, lane_text, live)?;
        let recorder = Recorder::new(folder, args, course, lane, ghost);
        let mut desk = Desk::new(Referee::new(course, lane), recorder);
        let load = LoadWatch::start(lane, clock);
        let mut rig = live::Rig { file: lane, lane: &mut http, clock: &clock, load };
        let unconfined = args.walls.unconfined();
        let judge: Arc<live::LiveJudge> =
            Arc::new(move |job: &Job| run_code(job, unconfined, &stop));
        live::race(&mut desk, start, &mut rig, &judge, interrupt.told()).await.map_err(stopped)?;
        close(args, desk, interrupt)
    })
}

/// A request as large as those of the race.
fn a_main_request(course: &Course, lane: &LaneFile) -> serde_json::Value {
    let task = course.ranges.first().map(|range| &range.task);
    let ask = task.map(|task| prompts::main("", task, lane.answer_limit_tokens, lane.thinks()));
    request::body(lane, &ask.unwrap_or_else(|| prompts::probe("")))
}

fn text_of(path: Option<&Path>, built_in: (&str, &str)) -> Result<Text, Failure> {
    Ok(match path {
        Some(path) => {
            Text { name: path.display().to_string(), text: read_text(path, FILE_BYTES_MAX)? }
        }
        None => Text { name: built_in.0.to_owned(), text: built_in.1.to_owned() },
    })
}

fn api_key(lane: &LaneFile, lane_text: &Text) -> Result<Option<String>, Failure> {
    let Some(name) = &lane.api_key_env else { return Ok(None) };
    match std::env::var(name) {
        Ok(key) if !key.is_empty() => Ok(Some(key)),
        _ => Err(Failure::Usage {
            what: format!("{}: the environment variable {name} is not set", lane_text.name),
            hint: format!("export {name}=... or take api_key_env out of the lane file"),
        }),
    }
}

/// Makes the race folder with its inputs, and the start of the race.
fn open(
    args: &Args,
    course: &Course,
    lane: &LaneFile,
    season_text: &Text,
    lane_text: &Text,
    live: Option<(&Clock, Host)>,
) -> Result<(RaceFolder, Start), Failure> {
    let nonce = live.as_ref().map(|(clock, _)| nonce(clock.now()));
    let folder = RaceFolder::create(&args.out, &course.season.name, &lane.name).map_err(stopped)?;
    if folder.attempt() > 1 {
        out::note(&format!(
            "note: this is attempt {} of {}; rankings count its first attempt that is not void, and list this one apart",
            folder.attempt(),
            lane.name
        ));
    }
    folder.write("season.toml", &season_text.text).map_err(stopped)?;
    folder.write("lane.toml", &lane_text.text).map_err(stopped)?;
    folder.write("command.txt", COMMAND).map_err(stopped)?;
    out::detail(&format!("the race's files go to {}", folder.path().display()));
    let start = Start {
        format: if live.is_some() || args.walls.allow_unconfined {
            format::IO.written()
        } else {
            format::IO.first()
        },
        engine: format!("gauntlet {}", env!("CARGO_PKG_VERSION")),
        race: folder.race().to_owned(),
        attempt: folder.attempt(),
        nonce: nonce.unwrap_or_else(|| String::from("on paper")),
        season_sha256: sha256_hex(season_text.text.as_bytes()),
        lane_sha256: sha256_hex(lane_text.text.as_bytes()),
        rules: live.is_some().then_some(RULES),
        host: live.map(|(_, host)| host),
        allow_unconfined: args.walls.allow_unconfined.then_some(true),
    };
    Ok((folder, start))
}

/// A line that no other race has: the moment it began and the process that ran it.
fn nonce(at: Stamp) -> String {
    let seen = format!("{} {} {}", at.wall_ms, at.t_ms, std::process::id());
    sha256_hex(seen.as_bytes())[..16].to_owned()
}

/// The race to show splits against.
fn ghost_of(
    args: &Args,
    course: &Course,
    lane: &LaneFile,
    season_text: &Text,
) -> Result<Option<Ghost>, Failure> {
    let season = &course.season;
    match args.ghost.as_deref() {
        Some(name) if name == Path::new("none") => Ok(None),
        Some(named) => ghost::named(named, season).map(Some),
        // Nobody would see it.
        None if args.plain || !view::can_draw() => Ok(None),
        None => {
            let sha256 = sha256_hex(season_text.text.as_bytes());
            let classes = &season.memory_classes_gb;
            let class_gb = scoring::memory_class_gb(classes, lane.memory_gb).unwrap_or(0);
            Ok(ghost::leader(season, &sha256, class_gb, &args.out))
        }
    }
}
