//! The Python sandbox: runs code answers, each call in a fresh WebAssembly guest, in a child
//! process, limited by fuel.
//!
//! [`job`] is what is asked and answered, and pure; the rest needs the feature `cli`:
//! `image` makes the interpreter's image with the `library`, `cache` keeps it, `host` and `files` are the world it
//! sees, `driver.py` is what runs inside, `run` makes verdicts, `confine` shuts the process in,
//! `child` is both ends of the pipe. Fuel counts instructions, so a verdict is the same on a busy
//! laptop and on a fast server. A [`JudgeError`] is never a verdict.

pub mod job;

#[cfg(feature = "cli")]
mod cache;
#[cfg(feature = "cli")]
mod child;
#[cfg(feature = "cli")]
mod confine;
#[cfg(feature = "cli")]
mod error;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
mod host;
#[cfg(feature = "cli")]
mod image;
#[cfg(feature = "cli")]
mod library;
#[cfg(feature = "cli")]
mod run;

/// What a judge does where its system does not let it confine itself.
#[cfg(feature = "cli")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unconfined {
    /// It says so, and judges nothing.
    #[default]
    Refuse,
    /// It judges behind the WebAssembly boundary alone, and the judgement says so.
    Allow,
}

#[cfg(feature = "cli")]
pub use edge::{Prepared, Stop, child_main, is_prepared, judge, judge_until, judge_with, prepare};
#[cfg(feature = "cli")]
pub use error::JudgeError;

#[cfg(feature = "cli")]
use edge::runtime;

#[cfg(feature = "cli")]
mod edge {
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::job::{Job, Judgement};
    use super::{JudgeError, Unconfined, cache, child, host};

    /// The sandbox is ready.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Prepared {
        /// Whether it had to be made, which takes about 20 s, once per machine.
        pub made: bool,
        /// SHA-256 of the WebAssembly image.
        pub image_sha256: String,
        /// The folder that holds the compiled image.
        pub folder: PathBuf,
    }

    /// Says to a judging that is under way that its verdict is no longer wanted. Copies are one.
    #[derive(Debug, Clone, Default)]
    pub struct Stop(Arc<AtomicBool>);

    impl Stop {
        /// Says it.
        pub fn set(&self) {
            self.0.store(true, Ordering::Relaxed);
        }

        /// Whether it was said.
        pub fn is_set(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// Judges a job in a child process of this very program. Blocks; prepares the sandbox if
    /// that was not done.
    pub fn judge(job: &Job, unconfined: Unconfined) -> Result<Judgement, JudgeError> {
        judge_until(job, unconfined, &Stop::default())
    }

    /// The same until it is stopped, which ends the child process.
    pub fn judge_until(
        job: &Job,
        unconfined: Unconfined,
        stop: &Stop,
    ) -> Result<Judgement, JudgeError> {
        let exe = std::env::current_exe()
            .map_err(|source| JudgeError::Spawn { exe: PathBuf::from("gauntlet"), source })?;
        ask(&exe, job, unconfined, stop)
    }

    /// The same with a named `gauntlet` executable, for programs that are not gauntlet.
    pub fn judge_with(
        exe: &Path,
        job: &Job,
        unconfined: Unconfined,
    ) -> Result<Judgement, JudgeError> {
        ask(exe, job, unconfined, &Stop::default())
    }

    fn ask(
        exe: &Path,
        job: &Job,
        unconfined: Unconfined,
        stop: &Stop,
    ) -> Result<Judgement, JudgeError> {
        if !is_prepared() {
            prepare()?;
        }
        match child::ask(exe, job, unconfined, stop)? {
            Ok(judgement) => Ok(judgement),
            Err(_broken) => {
                prepare()?;
                let again = child::ask(exe, job, unconfined, stop)?;
                again.map_err(|why| JudgeError::Cache { path: folder(), why })
            }
        }
    }

    /// Makes and keeps the compiled image, if there is no good one.
    pub fn prepare() -> Result<Prepared, JudgeError> {
        let failed = |e: wasmtime::Error| JudgeError::Prepare(format!("{e:#}"));
        let engine = host::engine().map_err(failed)?;
        let folder = cache::place(&engine)?;
        let done = |made, loaded: cache::Loaded, folder| Prepared {
            made,
            image_sha256: loaded.image_sha256,
            folder,
        };
        match cache::load(&engine, &folder) {
            Ok(loaded) => Ok(done(false, loaded, folder)),
            Err(JudgeError::Cache { .. }) => {
                runtime()?.block_on(cache::make(&engine, &folder))?;
                Ok(done(true, cache::load(&engine, &folder)?, folder))
            }
            Err(other) => Err(other),
        }
    }

    /// Whether a compiled image is there. A quick look; [`judge`] checks it in full.
    pub fn is_prepared() -> bool {
        host::engine()
            .ok()
            .and_then(|engine| cache::place(&engine).ok())
            .is_some_and(|place| cache::is_there(&place))
    }

    /// What the process `gauntlet __judge` does: a job from stdin, a reply on stdout. Returns the
    /// exit code.
    pub fn child_main(unconfined: Unconfined) -> i32 {
        child::main(unconfined)
    }

    /// The engine's calls are async; nothing in them waits.
    pub(super) fn runtime() -> Result<tokio::runtime::Runtime, JudgeError> {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .map_err(|e| JudgeError::Engine(format!("no runtime: {e}")))
    }

    fn folder() -> PathBuf {
        host::engine().ok().and_then(|engine| cache::place(&engine).ok()).unwrap_or_default()
    }
}
