//! `gauntlet season seal|reveal`: publish a season before it opens, without its seed, and open it.

use super::{Failure, out, random};
use crate::season::seal;
use crate::store::{read_secret, read_text, write_new, write_secret};
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Largest season file, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Arguments of `gauntlet season`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Before the season opens: gauntlet season seal draft.toml --secret ~/22.secret --out seasons/22-sealed.toml\n\
    On the day it opens:     gauntlet season reveal seasons/22-sealed.toml --secret ~/22.secret --out seasons/22.toml\n\n\
    Exit codes: 0 done, 2 a bad file, or one that is there already"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Draw a secret seed and write the season with a commitment in its place.
    #[command(
        after_help = "Example:\n  gauntlet season seal draft.toml --secret ~/22.secret --out seasons/22-sealed.toml"
    )]
    Seal(Files),
    /// Open a sealed season with its secret.
    #[command(
        after_help = "Example:\n  gauntlet season reveal seasons/22-sealed.toml --secret ~/22.secret --out seasons/22.toml"
    )]
    Reveal(Files),
}

#[derive(Debug, ClapArgs)]
struct Files {
    /// To seal: a draft of the season, whose own seed is not used. To reveal: the sealed file.
    #[arg(value_name = "SEASON.toml")]
    season: PathBuf,
    /// The file of the secret: made by `seal`, for its owner alone to read, outside any race folder; read by `reveal`.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// The season file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.what {
        What::Seal(files) => run_seal(files),
        What::Reveal(files) => run_reveal(files),
    }
}

fn run_seal(files: &Files) -> Result<ExitCode, Failure> {
    let draft = read_text(&files.season, FILE_BYTES_MAX)?;
    let (sealed, secret) = seal::seal(&files.season.display().to_string(), &draft, &random()?)?;
    if files.out.exists() {
        return Err(Failure::Usage {
            what: format!("{} is there already, and is left as it is", files.out.display()),
            hint: String::from("name another file by --out; nothing was sealed"),
        });
    }
    // The secret first: a sealed season without one could never be opened.
    write_secret(&files.secret, &secret.to_toml())?;
    write_new(&files.out, &sealed)?;
    out::result(&format!("{}\n", secret.seed_sha256));
    out::note(&format!(
        "{} is sealed and can be published; the seed is in {} alone: keep it, and show it to nobody",
        files.out.display(),
        files.secret.display()
    ));
    Ok(ExitCode::SUCCESS)
}

fn run_reveal(files: &Files) -> Result<ExitCode, Failure> {
    let name = files.season.display().to_string();
    let sealed = read_text(&files.season, FILE_BYTES_MAX)?;
    let secret = read_secret(&files.secret)?;
    let secret = seal::read_secret(&files.secret.display().to_string(), &secret)?;
    let open = seal::reveal(&name, &sealed, &secret)?;
    write_new(&files.out, &open)?;
    out::result(&format!("{}\n", secret.seed));
    out::note(&format!(
        "{} is open and can be raced; whoever has the sealed file can see that it is the same season",
        files.out.display()
    ));
    Ok(ExitCode::SUCCESS)
}
