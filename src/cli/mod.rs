//! The command line: one file a command, and the only place that prints. Results go to stdout, words and progress to stderr.

mod judge;
mod lane;
mod lane_new;
mod out;
mod publish;
mod race;
mod rank;
mod replay;
mod season;
mod sign;
mod site;
mod task;
mod verify;
pub mod view;

pub use out::Failure;

use clap::{Parser, Subcommand, ValueEnum};
use std::process::ExitCode;

/// What `gauntlet` takes.
#[derive(Debug, Parser)]
#[command(
    name = "gauntlet",
    version,
    about = "The race engine of the Gauntlet, a biathlon for self-hosted language models",
    after_help = "Examples:\n  \
        gauntlet race                                 a whole race of the built-in pacer, in seconds\n  \
        gauntlet race --lane lanes/my-rig.toml        the same race of a real server\n  \
        gauntlet replay replays/21-pacer-club-attempt1 --speed 20\n  \
        gauntlet verify replays                       prove every kept race from its raw files\n  \
        gauntlet rank seasons/21.toml replays --published\n  \
        gauntlet task show --season seasons/21.toml --range 1\n\n\
        Exit codes: 0 done, 1 a check failed, 2 usage or a bad file, 3 the lane or its server failed, 4 interrupted",
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a solo race.
    Race(race::Args),
    /// Watch a race again.
    Replay(replay::Args),
    /// Prove races from their raw files.
    Verify(verify::Args),
    /// Write a lane file, check its server, or ask it one thing.
    Lane(lane::Args),
    /// Compute a season's standings.
    Rank(rank::Args),
    /// Write a static site of races: standings, race pages, answers, data, a feed.
    Site(site::Args),
    /// Look at a generated task, its solution, or grade an answer.
    Task(task::Args),
    /// Seal a season's seed before it opens, and reveal it.
    Season(season::Args),
    /// Sign race folders, or make a key to sign with.
    Sign(sign::Args),
    /// Copy a race into a folder fit for the public.
    Publish(publish::Args),
    /// Run a piece of Python in the sandbox that judges code answers.
    Judge(judge::Args),
    /// The sandbox's own process; started by gauntlet, not by people.
    #[command(name = "__judge", hide = true)]
    JudgeChild,
}

/// Whether a command prints for people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Parses the command line and runs it.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    let done = match cli.command {
        Command::Race(args) => race::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Lane(args) => lane::run(&args),
        Command::Rank(args) => rank::run(&args),
        Command::Site(args) => site::run(&args),
        Command::Task(args) => task::run(&args),
        Command::Season(args) => season::run(&args),
        Command::Sign(args) => sign::run(&args),
        Command::Publish(args) => publish::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::JudgeChild => {
            return ExitCode::from(u8::try_from(crate::judge::child_main()).unwrap_or(1));
        }
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            out::note(&failure.to_string());
            failure.exit_code()
        }
    }
}

/// Says what is wrong with the command line. An argument may be the name of a stranger's file: one that would act on the
/// terminal is written out, and then the words come without colours.
fn misused(error: &clap::Error) -> ExitCode {
    let said = error.render().to_string();
    if said.chars().any(|c| c != '\n' && crate::text::is_hidden(c)) {
        out::note(&said);
        return ExitCode::from(2);
    }
    error.exit()
}

/// Random bytes of the operating system, for keys, seeds and salts.
fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Failure::Usage {
        what: format!("the operating system gives no random bytes: {error}"),
        hint: String::from("nothing was written; try again on another machine"),
    })?;
    Ok(bytes)
}
