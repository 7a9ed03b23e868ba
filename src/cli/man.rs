//! `gauntlet man`: manual pages, made from the command line's own definition.

use super::{Cli, Failure, out};
use crate::store::StoreError;
use crate::text::shown;
use crate::toml_file::closest;
use clap::{Args as ClapArgs, Command, CommandFactory};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `gauntlet man`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  \
    gauntlet man | man -l -\n  \
    gauntlet man lane check | man -l -\n  \
    gauntlet man --out ~/.local/share/man/man1\n\n\
    Exit codes: 0 done, 2 no such command, or a folder that cannot be written")]
pub(crate) struct Args {
    /// The command whose page is printed; the page of gauntlet itself when not given.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, which is made when it is not there.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut root = Cli::command();
    root.build();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(StoreError::os("make", folder))?;
        write_all(&root, folder)?;
        out::note(&format!("the pages are in {}", folder.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let mut command = &root;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let known = command.get_subcommands().filter(|it| !it.is_hide_set());
            no_page(name, command.get_name(), &known.map(Command::get_name).collect::<Vec<_>>())
        })?;
    }
    out::raw(&page(command));
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> Vec<u8> {
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone()).manual("gauntlet");
    // Writing to memory cannot fail.
    man.source(concat!("gauntlet ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .unwrap_or_default();
    page
}

/// A page a command, under its whole name with dashes.
fn write_all(command: &Command, folder: &Path) -> Result<(), StoreError> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    std::fs::write(&path, page(command)).map_err(StoreError::os("write", &path))?;
    let below = command.get_subcommands().filter(|it| it.get_name() != "help");
    below.into_iter().try_for_each(|below| write_all(below, folder))
}

fn no_page(name: &str, of: &str, known: &[&str]) -> Failure {
    Failure::Usage {
        what: format!("{of} has no command {:?}", shown(name, 60)),
        hint: match closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None if known.is_empty() => format!("{of} has no commands below it"),
            None => format!("its commands are {}", known.join(", ")),
        },
    }
}
