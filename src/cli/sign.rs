//! `gauntlet sign DIR`: sign race folders with an Ed25519 key, or make such a key.

use super::{Failure, out, random};
use crate::sign;
use crate::store::{
    RaceFiles, StoreError, race_folders, read_secret, read_text, write_new, write_secret,
};
use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Largest file of a public key, in bytes.
const KEY_BYTES_MAX: u64 = 4096;

/// Arguments of `gauntlet sign`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "A signature says who vouches for the files of a race, and that none was changed since. `gauntlet verify` checks it.\n\n\
    Examples:\n  gauntlet sign --new-key ~/gauntlet.key       writes a secret key and prints the public one\n  \
    gauntlet sign races/21-my-rig-attempt1 --key ~/gauntlet.key\n  \
    gauntlet verify races --key ed25519:...      every race must be signed with this key\n\n\
    Exit codes: 0 done, 2 a bad file, or one that is there already"
)]
pub(crate) struct Args {
    /// Race folders, or folders of races.
    #[arg(value_name = "DIR", required_unless_present = "new_key", requires = "key")]
    dirs: Vec<PathBuf>,
    /// The file of the secret key.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Make a key: its secret part goes into this new file, its public part is printed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dirs", "key"])]
    new_key: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.new_key {
        return new_key(path);
    }
    // clap asks for a key wherever folders are named.
    let path = args.key.clone().unwrap_or_default();
    let text = read_secret(&path)?;
    let key = sign::read_key(&text).map_err(|what| StoreError::content(&path, None, what))?;
    for dir in &args.dirs {
        for folder in race_folders(dir)? {
            let files = RaceFiles::new(&folder);
            if files.has(sign::FILE) {
                return Err(Failure::Usage {
                    what: format!("{} is signed already", folder.display()),
                    hint: format!("take its {} away to sign it anew", sign::FILE),
                });
            }
            let signed = sign::sign(&files, &key)?;
            write_new(&files.file(sign::FILE), &signed.to_json())?;
            out::note(&format!("{}: {} files signed", folder.display(), signed.files.len()));
        }
    }
    out::result(&format!("{}\n", sign::public_key(&key)));
    if let [dir] = args.dirs.as_slice() {
        let dir = super::view::argument(dir);
        out::next(&format!("gauntlet verify {dir} --key {}", sign::public_key(&key)));
    }
    Ok(ExitCode::SUCCESS)
}

fn new_key(path: &Path) -> Result<ExitCode, Failure> {
    let key = sign::key(&random()?);
    write_secret(path, &sign::key_file(&key))?;
    out::result(&format!("{}\n", sign::public_key(&key)));
    out::note(&format!(
        "the secret key is in {}: keep it; the line above is public and tells others your races",
        path.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The public key that an argument says, or that the file holds which it names.
pub(super) fn public_key(argument: &str) -> Result<String, Failure> {
    if let Some(key) = sign::read_public_key(argument) {
        return Ok(key);
    }
    let text = match read_text(Path::new(argument), KEY_BYTES_MAX) {
        Ok(text) => text,
        Err(StoreError::Os { .. }) => String::new(),
        Err(error) => return Err(error.into()),
    };
    sign::read_public_key(&text).ok_or_else(|| Failure::Usage {
        what: format!("{argument} is no public key, and no file that holds one"),
        hint: String::from(
            "a public key is ed25519: and 64 hex digits, as `gauntlet sign --new-key` prints it",
        ),
    })
}
