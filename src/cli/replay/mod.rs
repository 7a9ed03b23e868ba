//! `gauntlet replay DIR [GHOST...]`: watch a race again, alone or beside others on one clock.

mod races;
mod watch;

use super::format::TableFormat;
use super::sheet::{self, Races};
use super::view::{self, Around, Look, Plain, Playback, ReplayLane, ansi, argument};
use super::{Failure, out};
use crate::race::{Event, RaceResult};
use crate::text::shown;
use clap::Args as ClapArgs;
use races::gather;
pub(super) use races::{Race, read};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use watch::{Watched, animate};

/// Columns of what is printed at the end.
const WIDTH: usize = 80;

/// Arguments of `gauntlet replay`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "In a terminal the log plays on its race clock at --speed; the card follows on stdout.\n\
    Anywhere else, and with --plain or --instant, every event is one line on stdout, at once: nothing waits.\n\n\
    Keys: space pause, left and right 5 s, comma and full stop one event, Home and End, 1 to 5 speed (1, 5, 10, 30, 100 times), g ghosts, q quit\n\n\
    Examples:\n  gauntlet replay races/21-pacer-club-attempt1\n  \
    gauntlet replay races/21-my-rig-attempt1 races/21-pacer-elite-attempt1 --speed 30\n  \
    gauntlet replay races/21-my-rig-attempt1 published --speed 30\n  \
    gauntlet replay races/21-my-rig-attempt1 gemma-4-31b-dgx-spark\n  \
    gauntlet replay races/21-my-rig-attempt1 --instant | grep miss\n\n\
    Exit codes: 0 replayed (an unfinished race too), 2 no race there, 4 interrupted"
)]
pub(crate) struct Args {
    /// The race's folder, or a file of published results such as seasons/21/published.toml.
    #[arg(value_name = "DIR")]
    race: PathBuf,
    /// Races to run beside it: folders, names of published lanes of its season, or the word `published` for all of those.
    #[arg(value_name = "GHOST")]
    ghosts: Vec<PathBuf>,
    /// How many times faster than the race clock, 1 to 100; only a terminal waits.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100))]
    speed: u64,
    /// Everything at once, without waiting.
    #[arg(long)]
    instant: bool,
    /// One event a line, without waiting.
    #[arg(long)]
    plain: bool,
    /// Play for people, or print the results of the logs.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let races = gather(&args.race, &args.ghosts)?;
    if args.format != TableFormat::Table {
        let results = Races { races: races.iter().map(|race| &race.result).collect() };
        args.format.print(&results, String::new, || sheet::table(&results.races));
        return Ok(ExitCode::SUCCESS);
    }
    say_other_seasons(&races);
    let lanes = lanes(&races);
    let watch = !args.plain && !args.instant && view::can_draw() && std::io::stdout().is_terminal();
    if watch {
        match animate(&mut Playback::new(lanes.clone(), args.speed)) {
            Ok(Watched::ToTheEnd) => {}
            Ok(Watched::Quit) => return Ok(ExitCode::SUCCESS),
            Ok(Watched::Interrupted) => return Ok(ExitCode::from(4)),
            Err(error) => {
                out::note(&format!(
                    "note: this terminal cannot be played in ({error}); line by line"
                ));
                tell(&races, &lanes);
            }
        }
    } else {
        tell(&races, &lanes);
    }
    finish(&races, &lanes);
    Ok(ExitCode::SUCCESS)
}

fn say_other_seasons(races: &[Race]) {
    let Some((first, ghosts)) = races.split_first() else { return };
    let other = |it: &&Race| {
        // Published results know their season by its name.
        let by_name = it.folder.is_none() || first.folder.is_none();
        let (a, b) = (&it.result, &first.result);
        if by_name { a.season != b.season } else { a.season_sha256 != b.season_sha256 }
    };
    for ghost in ghosts.iter().filter(other) {
        out::note(&format!(
            "note: {} raced another season file (season {}): its gaps compare different tasks",
            shown(&ghost.result.race, 100),
            shown(&ghost.result.season, 100)
        ));
    }
}

/// The races by the names of their lanes, with the attempt where two have one name.
fn lanes(races: &[Race]) -> Vec<ReplayLane> {
    let names: Vec<&str> = races.iter().map(|race| race.result.lane.name.as_str()).collect();
    let is_twice = |name: &str| names.iter().filter(|it| **it == name).count() > 1;
    let name = |result: &RaceResult| {
        let (name, attempt) = (&result.lane.name, result.attempt);
        if is_twice(name) { format!("{name} #{attempt}") } else { name.clone() }
    };
    races.iter().map(|race| ReplayLane::new(name(&race.result), &race.lines)).collect()
}

/// One event a line, of all races in the order of the race clock.
fn tell(races: &[Race], lanes: &[ReplayLane]) {
    let mut told: Vec<(u64, String)> = Vec::new();
    for (race, lane) in races.iter().zip(lanes) {
        let prefix =
            if races.len() > 1 { format!("{}: ", shown(&lane.name, 60)) } else { String::new() };
        let mut plain = Plain::new();
        let mut at_ms = 0;
        for line in &race.lines {
            at_ms = line.race_ms.max(at_ms);
            // A ghost's start has no clock of its own to sort by: all begin together.
            let at_ms = if matches!(line.event, Event::Start(_)) { 0 } else { at_ms };
            told.extend(plain.line(line).map(|words| (at_ms, format!("{prefix}{words}\n"))));
        }
        told.extend(plain.cut_short().map(|words| (at_ms, format!("{prefix}{words}\n"))));
    }
    told.sort_by_key(|(at_ms, _)| *at_ms);
    out::result(&told.into_iter().map(|(_, line)| line).collect::<String>());
}

/// The splits of all races, and the card of the first.
fn finish(races: &[Race], lanes: &[ReplayLane]) {
    let mut text = String::from("\n");
    if lanes.len() > 1 {
        let named: Vec<_> = lanes.iter().map(|lane| (lane.name.as_str(), &lane.view)).collect();
        for line in view::split_table(Look::of_locale(), &named, WIDTH) {
            text += &ansi(&line, true);
            text.push('\n');
        }
        text.push('\n');
    }
    if let Some(Race { folder: Some(folder), result, .. }) = races.first() {
        let name = argument(folder);
        let next = [format!("gauntlet answers {name}"), format!("gauntlet verify {name}")];
        let around = Around { folder, title: &races::title(folder, result), next: &next };
        text += &view::card(result, &around);
    }
    out::result(&text);
}
