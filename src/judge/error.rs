//! What can go wrong around judging. Never a verdict: a race in which this happens is void.

use std::path::PathBuf;

/// A fault of this machine or installation, not of the code that was judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// There is no place for the prepared sandbox.
    #[error(
        "no cache folder for the Python sandbox: neither GAUNTLET_CACHE_DIR nor XDG_CACHE_HOME \
         nor HOME is set; set GAUNTLET_CACHE_DIR to a folder of yours"
    )]
    NoCacheFolder,
    /// A file of the prepared sandbox cannot be read or written.
    #[error("cannot {what} {path}: {source}; check the folder or set GAUNTLET_CACHE_DIR", path = path.display())]
    File {
        /// The verb.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// The prepared sandbox is missing, damaged or not ours.
    #[error("the prepared Python sandbox in {path} cannot be used: {why}; run `gauntlet judge --prepare`", path = path.display())]
    Cache {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The sandbox could not be made.
    #[error(
        "cannot prepare the Python sandbox: {0}; this is a fault of gauntlet or of memory, please report it"
    )]
    Prepare(String),
    /// The engine failed while judging.
    #[error("the Python sandbox failed: {0}; judge again, and report it if it stays")]
    Engine(String),
    /// The operating system did not let the judge confine itself.
    #[error(
        "the judge cannot confine itself on this system ({0}), and will not run model-written code; mend that, or add \
         --allow-unconfined to judge behind the WebAssembly boundary alone, which the race's files say"
    )]
    Confine(String),
    /// The judging process did not start.
    #[error("cannot start the judge {path}: {source}; is the file there and executable?", path = exe.display())]
    Spawn {
        /// The executable.
        exe: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// The judging process was too slow for any honest reason.
    #[error("the judge took longer than {0} s and was stopped; the machine is too busy, try again")]
    Stuck(u64),
    /// Somebody stopped the judging.
    #[error("the judging was interrupted; nothing is known of this code yet")]
    Stopped,
    /// The judging process ended without a reply.
    #[error(
        "the judge ended without a reply ({status}): {words}; judge again, and report it if it stays"
    )]
    NoReply {
        /// How it ended.
        status: String,
        /// What it left on standard error.
        words: String,
    },
}
