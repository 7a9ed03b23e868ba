//! What several tests need: the program run and what it said, kept races, scratch folders, a judge that runs each piece of code
//! once.
#![allow(
    dead_code,
    clippy::allow_attributes,
    clippy::unwrap_used,
    reason = "each test uses its part"
)]

pub(crate) mod server;

use gauntlet::judge::Unconfined;
use gauntlet::judge::job::{Job, Judgement};
use gauntlet::lane::chunk::{Channel, Chunk};
use gauntlet::race::Input;
use gauntlet::race::line::{Chain, IoLine};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// The program under test.
pub(crate) const GAUNTLET: &str = env!("CARGO_BIN_EXE_gauntlet");

/// What a run of the program ended with.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs the program.
pub(crate) fn gauntlet(args: &[&str]) -> Said {
    Command::new(GAUNTLET).args(args).output().unwrap().into()
}

/// Runs the program, which must be content.
pub(crate) fn fine(args: &[&str]) -> Said {
    let said = gauntlet(args);
    assert_eq!(said.code, 0, "{args:?}: {}{}", said.out, said.err);
    said
}

/// A path of the repository.
pub(crate) fn root(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// The folders below `replays/`, sorted.
pub(crate) fn kept_races() -> Vec<PathBuf> {
    gauntlet::store::race_folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("replays")).unwrap()
}

/// A path of its own below the build's folder for temporary files; nothing is there yet.
pub(crate) fn scratch(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{name}-{}-{number}", std::process::id()));
    drop(fs::remove_dir_all(&path));
    path
}

/// Copies the files of a race.
pub(crate) fn copy_race(race: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(race).unwrap() {
        let from = entry.unwrap().path();
        fs::copy(&from, to.join(from.file_name().unwrap())).unwrap();
    }
}

/// Changes the answer text of an io file, with the old chain or, as a forger would, with a new one.
pub(crate) fn answers_changed(
    text: &str,
    change: impl Fn(&str) -> String,
    chain_anew: bool,
) -> Vec<u8> {
    let mut chain = Chain::default();
    let lines = text.lines().map(|line| {
        let mut io: IoLine = serde_json::from_str(line).unwrap();
        if let Input::Chunk { chunk: Chunk::Delta { channel: Channel::Answer, text } } =
            &mut io.input
        {
            *text = change(text);
        }
        if chain_anew {
            let at = io.stamp().unwrap();
            chain.io(at, &io.input)
        } else {
            serde_json::to_string(&io).unwrap() + "\n"
        }
    });
    lines.collect::<String>().into_bytes()
}

/// The real sandbox, asked once for each piece of code.
#[derive(Default)]
pub(crate) struct MemoJudge(BTreeMap<String, Judgement>);

impl MemoJudge {
    /// Judges, or remembers.
    pub(crate) fn judge(&mut self, job: &Job) -> Result<Judgement, String> {
        let key = serde_json::to_string(job).unwrap();
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let judged = gauntlet::judge::judge_with(Path::new(GAUNTLET), job, Unconfined::Refuse)
            .map_err(|error| error.to_string())?;
        self.0.insert(key, judged.clone());
        Ok(judged)
    }
}
