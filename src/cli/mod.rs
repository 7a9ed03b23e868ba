//! The command line: one file a command, and the only place that prints. Results go to stdout, words and progress to stderr.

mod answers;
mod attempts;
mod card;
mod completions;
mod format;
mod ghost;
mod interrupt;
mod judge;
mod lane;
mod lane_new;
mod man;
mod near;
mod out;
mod pace;
mod publish;
mod published;
mod race;
mod rank;
mod reach;
mod replay;
mod schema;
mod season;
mod sheet;
mod sign;
mod site;
mod task;
mod verify;
pub mod view;

pub use out::Failure;

use self::interrupt::Interrupt;
use crate::judge::Unconfined;
use clap::{Parser, Subcommand};
pub(crate) use format::TextOrJson;
use std::process::ExitCode;

/// What `gauntlet` alone says.
const WELCOME: &str = "\
gauntlet is the race engine of the Gauntlet, a biathlon for self-hosted language models: legs of
fixed time, and ranges where your model thinks against a clock and shoots at five targets with
puzzle answers or code. A miss is a penalty loop; the finish time ranks you in your memory class.

Try first:
  gauntlet race               a whole race of the built-in pacer: no model, no set-up
  gauntlet replay DIR         watch it again; the race tells its folder when it is over
  gauntlet lane new           write a lane file for your own server, then race --lane FILE

gauntlet --help lists all commands; gauntlet COMMAND --help teaches one by examples.
";

/// The first word of the sandbox's own process. It is started by gauntlet, not by people, so no help or completion names it.
const JUDGE_CHILD: &str = "__judge";

/// What that word may be followed by.
const ALLOW_UNCONFINED: &str = "--allow-unconfined";

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
        gauntlet site replays --out site               pages of all these races\n  \
        gauntlet task show --season seasons/21.toml --range 1\n  \
        gauntlet completions bash                     for your shell; gauntlet man for manual pages\n\n\
        Results go to stdout, words and progress to stderr. NO_COLOR, CLICOLOR_FORCE and TERM=dumb are heeded.\n\n\
        Exit codes: 0 done, 1 a check failed, 2 usage or a bad file, 3 the lane or its server failed, 4 interrupted"
)]
struct Cli {
    /// Only results and errors: no words, no progress.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Everywhere")]
    quiet: bool,
    /// Say what is read, written and started.
    #[arg(short, long, global = true, help_heading = "Everywhere")]
    verbose: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a solo race.
    Race(race::Args),
    /// Watch a race again.
    Replay(replay::Args),
    /// Show what was answered in a race, and what was read for each target.
    Answers(answers::Args),
    /// Prove races from their raw files.
    Verify(verify::Args),
    /// List every attempt of every lane, and whether any is missing.
    Attempts(attempts::Args),
    /// Write a lane file, check its server, or ask it one thing.
    Lane(lane::Args),
    /// Compute a season's standings.
    Rank(rank::Args),
    /// Write a static site of races: standings, race pages, answers, data, a feed.
    Site(site::Args),
    /// Draw a race as a card to share.
    Card(card::Args),
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
    /// Print the JSON Schema of a command's output or of a race's file.
    Schema(schema::Args),
    /// Print completions for a shell.
    Completions(completions::Args),
    /// Print manual pages, or write them into a folder.
    Man(man::Args),
}

/// What commands take that judge code.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Walls {
    /// Judge code also where the system does not let the judge confine itself; the race's files say so.
    #[arg(long)]
    allow_unconfined: bool,
}

impl Walls {
    pub(crate) fn unconfined(self) -> Unconfined {
        if self.allow_unconfined { Unconfined::Allow } else { Unconfined::Refuse }
    }
}

/// Parses the command line and runs it.
#[must_use]
pub fn run() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == JUDGE_CHILD) {
        let allow = std::env::args_os().nth(2).is_some_and(|word| word == ALLOW_UNCONFINED);
        let unconfined = if allow { Unconfined::Allow } else { Unconfined::Refuse };
        return ExitCode::from(u8::try_from(crate::judge::child_main(unconfined)).unwrap_or(1));
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    out::say_this_much(cli.quiet, cli.verbose);
    let Some(command) = cli.command else {
        // Somebody meets the program: nothing went wrong.
        out::result(WELCOME);
        return ExitCode::SUCCESS;
    };
    // These say at Ctrl-C what stands; the others only end, with the same code.
    let says_itself = matches!(
        command,
        Command::Race(_) | Command::Replay(_) | Command::Verify(_) | Command::Lane(_)
    );
    let _interrupt = (!says_itself).then(|| Interrupt::listen("interrupted"));
    let done = match command {
        Command::Race(args) => race::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Answers(args) => answers::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Attempts(args) => attempts::run(&args),
        Command::Lane(args) => lane::run(&args),
        Command::Rank(args) => rank::run(&args),
        Command::Site(args) => site::run(&args),
        Command::Card(args) => card::run(&args),
        Command::Task(args) => task::run(&args),
        Command::Season(args) => season::run(&args),
        Command::Sign(args) => sign::run(&args),
        Command::Publish(args) => publish::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Schema(args) => Ok(schema::run(&args)),
        Command::Completions(args) => Ok(completions::run(&args)),
        Command::Man(args) => man::run(&args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            out::error(&failure.words());
            failure.exit_code()
        }
    }
}

/// Says what is wrong with the command line. An argument may be the name of a stranger's file: one that would act on the
/// terminal is written out, and then the words come without colours.
fn misused(error: &clap::Error) -> ExitCode {
    let said = error.render().to_string();
    if said.chars().any(|c| c != '\n' && crate::text::is_hidden(c)) {
        out::error(&said);
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

#[cfg(test)]
#[path = "help_tests.rs"]
mod tests;
