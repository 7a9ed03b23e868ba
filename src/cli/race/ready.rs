//! What a race needs beside lane and course: a sandbox that can judge, and words for a disk that takes no more.

use super::Args;
use crate::cli::{Failure, out};
use crate::judge::{self, Stop, Unconfined, job::Job, job::Judgement};
use crate::store::StoreError;

/// Sees that code can be judged, before anything is written.
pub(super) fn prepare(args: &Args) -> Result<(), Failure> {
    if !judge::is_prepared() {
        out::note("preparing the Python sandbox, once, about 20 s");
        judge::prepare()?;
    }
    let code = String::from("def ready():\n    return True\n");
    let job = Job { code, function: String::from("ready"), inputs: vec![Vec::new()] };
    let judgement = judge::judge(&job, args.walls.unconfined())?;
    if args.walls.allow_unconfined && !judgement.confined {
        out::note("note: code of this race is judged unconfined, and its files say so");
    }
    Ok(())
}

/// Runs the code of an answer, until the race is stopped.
pub(super) fn run_code(
    job: &Job,
    unconfined: Unconfined,
    stop: &Stop,
) -> Result<Judgement, String> {
    judge::judge_until(job, unconfined, stop).map_err(|error| error.to_string())
}

/// A race that stops because something cannot be written.
pub(super) fn stopped(error: StoreError) -> Failure {
    let hint = "the race stops; what was written stands, and `gauntlet attempts` lists it. See that the folder can be written \
                and has room: the next race is the next attempt";
    Failure::Usage { what: error.to_string(), hint: hint.to_owned() }
}
