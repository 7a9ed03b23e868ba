//! `gauntlet completions SHELL`: completions for a shell, made from the command line's own definition.

use super::{Cli, out};
use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::Shell;
use std::process::ExitCode;

/// Arguments of `gauntlet completions`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  \
    gauntlet completions bash > ~/.local/share/bash-completion/completions/gauntlet\n  \
    gauntlet completions zsh > ~/.zfunc/_gauntlet        with fpath+=~/.zfunc before compinit\n  \
    gauntlet completions fish > ~/.config/fish/completions/gauntlet.fish\n\n\
    Exit codes: 0 done, 2 a shell that is not known")]
pub(crate) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gauntlet", &mut script);
    out::raw(&script);
    ExitCode::SUCCESS
}
