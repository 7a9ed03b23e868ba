//! `gauntlet replay DIR [GHOST...]`: watch a race again, alone or beside others on one clock.

use super::view::{self, Inline, Look, Move, Plain, Playback, ReplayLane, Way, ansi};
use super::{Failure, TextOrJson, out};
use crate::clock::Clock;
use crate::race::fold::{Hashes, fold};
use crate::race::line::LogLine;
use crate::race::{Event, RaceResult};
use crate::store::{RaceFiles, race_folders};
use crate::text::shown;
use clap::Args as ClapArgs;
use ratatui::crossterm::event::{
    self, Event as Key, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use serde::Serialize;
use std::io::{IsTerminal, Stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Once;
use std::time::Duration;

/// Time between two frames.
const FRAME: Duration = Duration::from_millis(50);
/// Columns of what is printed at the end.
const WIDTH: usize = 80;

/// Arguments of `gauntlet replay`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "In a terminal the log plays on its race clock at --speed; the card follows on stdout.\n\
    Anywhere else, and with --plain or --instant, every event is one line on stdout, at once: nothing waits.\n\n\
    Keys: space pause, left and right 5 s, comma and full stop one event, 1 to 5 speed, g ghosts, q quit\n\n\
    Examples:\n  gauntlet replay races/21-pacer-club-attempt1\n  \
    gauntlet replay races/21-my-rig-attempt1 races/21-pacer-elite-attempt1 --speed 30\n  \
    gauntlet replay races/21-my-rig-attempt1 --instant | grep miss\n\n\
    Exit codes: 0 replayed (an unfinished race too), 2 no race there, 4 interrupted"
)]
pub(crate) struct Args {
    /// The race's folder.
    #[arg(value_name = "DIR")]
    race: PathBuf,
    /// Folders of races to run beside it.
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
    /// Print for people, or the results of the logs for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// A race as it was read.
struct Race {
    folder: PathBuf,
    lines: Vec<LogLine>,
    result: RaceResult,
}

#[derive(Serialize)]
struct Races<'a> {
    races: Vec<&'a RaceResult>,
}

/// How watching ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watched {
    ToTheEnd,
    Quit,
    Interrupted,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let folders = std::iter::once(&args.race).chain(&args.ghosts);
    let races = folders.map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    if args.format == TextOrJson::Json {
        out::json(&Races { races: races.iter().map(|race| &race.result).collect() });
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

/// Reads a race folder as far as its log stands, and says where it does not.
fn read(folder: &Path) -> Result<Race, Failure> {
    let files = RaceFiles::new(folder);
    if !files.has("log.jsonl") {
        return Err(no_race(folder));
    }
    let log = files.log()?;
    let path = shown(&files.file("log.jsonl").display().to_string(), 400);
    // A replay needs no io file; its hash is only part of the result.
    let io_sha256 = files.sha256("io.jsonl").unwrap_or_default();
    let hashes = Hashes { log_sha256: log.sha256.clone(), io_sha256 };
    let Some(result) = fold(&log.lines, &hashes) else {
        let what = match &log.fault {
            Some((line, what)) => format!("{path}, line {line}: {}", shown(what, 400)),
            None if log.lines.is_empty() => format!("{path} is empty"),
            None => format!("{path} does not begin with a start event"),
        };
        let hint =
            "nothing of this race can be replayed; `gauntlet verify` says what its files are worth";
        return Err(Failure::Usage { what, hint: hint.to_owned() });
    };
    if let Some((line, what)) = &log.fault {
        let count = out::counted(log.lines.len() as u64, "line");
        let standing =
            if log.torn { "the race stopped there" } else { "what follows is not shown" };
        out::note(&format!(
            "note: {path}, line {line}: {}; the {count} before it replay, {standing}",
            shown(what, 400)
        ));
    }
    Ok(Race { folder: folder.to_owned(), lines: log.lines, result })
}

fn no_race(folder: &Path) -> Failure {
    let path = shown(&folder.display().to_string(), 400);
    if !folder.is_dir() {
        let what = format!("{path} is no folder");
        let hint = "replay takes the folder of one race, for instance races/21-pacer-club-attempt1";
        return Failure::Usage { what, hint: hint.to_owned() };
    }
    let hint = match race_folders(folder) {
        Ok(races) => {
            let names: Vec<String> =
                races.iter().take(5).map(|race| shown(&race.display().to_string(), 200)).collect();
            format!("it holds {}: {}", out::counted(races.len() as u64, "race"), names.join(", "))
        }
        Err(_) => String::from("a race folder holds log.jsonl; `gauntlet race` makes one"),
    };
    Failure::Usage { what: format!("{path} is no race folder: it has no log.jsonl"), hint }
}

fn say_other_seasons(races: &[Race]) {
    let Some((first, ghosts)) = races.split_first() else { return };
    for ghost in ghosts.iter().filter(|it| it.result.season_sha256 != first.result.season_sha256) {
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
    if let Some(race) = races.first() {
        text += &view::card(&race.result, &race.folder);
    }
    out::result(&text);
}

/// Plays in the terminal until the end or a key ends it.
fn animate(playback: &mut Playback) -> std::io::Result<Watched> {
    let look = Look::of_locale();
    let _raw = Raw::enter()?;
    let mut screen = Inline::stderr();
    let watched = watch(playback, look, &mut screen)?;
    let (columns, rows) = view::size();
    let last = match watched {
        // The card says all that the view of a single race says.
        Watched::ToTheEnd if playback.is_alone() => Vec::new(),
        _ => playback.last_frame(look, columns, rows),
    };
    screen.draw(&last, columns, rows)?;
    Ok(watched)
}

fn watch(
    playback: &mut Playback,
    look: &Look,
    screen: &mut Inline<Stderr>,
) -> std::io::Result<Watched> {
    let clock = Clock::start();
    let mut last_ms = 0;
    loop {
        let now_ms = clock.now().t_ms;
        playback.pass(now_ms.saturating_sub(last_ms));
        last_ms = now_ms;
        let (columns, rows) = view::size();
        screen.draw(&playback.frame(look, columns, rows), columns, rows)?;
        if playback.is_over() {
            return Ok(Watched::ToTheEnd);
        }
        if event::poll(FRAME)?
            && let Some(watched) = press(playback, &event::read()?)
        {
            return Ok(watched);
        }
    }
}

/// What a key does; something when it ends the replay.
fn press(playback: &mut Playback, key: &Key) -> Option<Watched> {
    let Key::Key(KeyEvent {
        code,
        modifiers,
        kind: KeyEventKind::Press | KeyEventKind::Repeat,
        ..
    }) = key
    else {
        return None;
    };
    match code {
        KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => {
            return Some(Watched::Interrupted);
        }
        KeyCode::Char('q') | KeyCode::Esc => return Some(Watched::Quit),
        KeyCode::Char(' ') => playback.toggle(),
        KeyCode::Char('g') => playback.toggle_ghosts(),
        KeyCode::Char(',') => playback.go(Move::Step(Way::Back)),
        KeyCode::Char('.') => playback.go(Move::Step(Way::On)),
        KeyCode::Left => playback.go(Move::Seek(Way::Back)),
        KeyCode::Right => playback.go(Move::Seek(Way::On)),
        KeyCode::Char(digit) => {
            if let Some(key) = digit.to_digit(10) {
                playback.set_speed(usize::try_from(key).unwrap_or(0));
            }
        }
        _ => {}
    }
    None
}

/// Raw mode, so that single keys arrive; left again when this is dropped, and before a panic says anything.
struct Raw;

impl Raw {
    fn enter() -> std::io::Result<Self> {
        static HOOK: Once = Once::new();
        enable_raw_mode()?;
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                disable_raw_mode().unwrap_or_default();
                before(panic);
            }));
        });
        Ok(Self)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        disable_raw_mode().unwrap_or_default();
    }
}
