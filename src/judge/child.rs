//! Both ends of the judging process: the parent that starts it and the child that judges.
//!
//! One JSON line goes in, one comes out. The parent stops a child that takes too long for any
//! honest reason; that, like everything that is not a reply, is a [`JudgeError`] and no verdict.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::JudgeError;
use super::job::{Job, Judgement};
use super::run::Court;
use super::{Stop, Unconfined};
use super::{cache, confine, host};

/// How often it is looked whether the verdict is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// What the child writes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// It judged.
    Judgement(Judgement),
    /// The cache is of no use; the parent may make it anew.
    Cache(String),
    /// It cannot confine itself.
    Confine(String),
    /// The engine failed.
    Engine(String),
}

/// Has a child process judge a job. The outer result is the child's own trouble, the inner says
/// that the cache must be made anew.
pub(super) fn ask(
    exe: &Path,
    job: &Job,
    unconfined: Unconfined,
    stop: &Stop,
) -> Result<Result<Judgement, String>, JudgeError> {
    let mut line = serde_json::to_vec(job).map_err(|e| JudgeError::Engine(e.to_string()))?;
    line.push(b'\n');
    let mut command = Command::new(exe);
    // Ctrl-C at the terminal is for the race, which says here whether the verdict is still wanted.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    if unconfined == Unconfined::Allow {
        command.args(["__judge", "--allow-unconfined"]);
    } else {
        command.arg("__judge");
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| JudgeError::Spawn { exe: exe.to_path_buf(), source })?;
    let (done, wait) = mpsc::channel();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::spawn(move || {
        // A child that died early closes the pipe; its status says more than that error.
        let _ = stdin.map(|mut pipe| pipe.write_all(&line));
        let mut reply = Vec::new();
        let _ = stdout.map(|pipe| pipe.take(64 << 20).read_to_end(&mut reply));
        let mut words = Vec::new();
        let _ = stderr.map(|pipe| pipe.take(64 << 10).read_to_end(&mut words));
        let _ = done.send((reply, words));
    });
    // A call that uses up its fuel takes 3 to 5 s on an ordinary machine, and is ended after 60 s in any case.
    let limit = 60 + 90 * job.inputs.len() as u64;
    let (reply, words) = match await_reply(&wait, Duration::from_secs(limit), stop) {
        Ok(said) => said,
        Err(none) => {
            end(&mut child);
            return Err(none.unwrap_or(JudgeError::Stuck(limit)));
        }
    };
    let status = child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
    match serde_json::from_slice(&reply) {
        Ok(Reply::Judgement(judgement)) => Ok(Ok(judgement)),
        Ok(Reply::Cache(why)) => Ok(Err(why)),
        Ok(Reply::Confine(why)) => Err(JudgeError::Confine(why)),
        Ok(Reply::Engine(why)) => Err(JudgeError::Engine(why)),
        Err(_) => {
            let words = String::from_utf8_lossy(&words).trim().to_owned();
            Err(JudgeError::NoReply { status, words })
        }
    }
}

/// What the child says; the error is nothing when it says nothing for too long.
fn await_reply<T>(
    wait: &mpsc::Receiver<T>,
    limit: Duration,
    stop: &Stop,
) -> Result<T, Option<JudgeError>> {
    let mut left = limit;
    loop {
        match wait.recv_timeout(LOOK.min(left)) {
            Ok(said) => return Ok(said),
            Err(_) if stop.is_set() => return Err(Some(JudgeError::Stopped)),
            Err(mpsc::RecvTimeoutError::Timeout) if left > LOOK => left -= LOOK,
            Err(_) => return Err(None),
        }
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The child: reads a job, writes a reply. Returns the exit code.
pub(super) fn main(unconfined: Unconfined) -> i32 {
    confine::die_with_parent();
    let mut line = String::new();
    if let Err(error) = std::io::stdin().take(64 << 20).read_to_string(&mut line) {
        return answer(&Reply::Engine(format!("reading the job: {error}")));
    }
    let job: Job = match serde_json::from_str(&line) {
        Ok(job) => job,
        Err(error) => return answer(&Reply::Engine(format!("reading the job: {error}"))),
    };
    let reply = judge(&job, unconfined).unwrap_or_else(|error| match error {
        JudgeError::Cache { why, .. } => Reply::Cache(why),
        JudgeError::Confine(why) => Reply::Confine(why),
        JudgeError::Engine(why) => Reply::Engine(why),
        other => Reply::Engine(other.to_string()),
    });
    answer(&reply)
}

fn judge(job: &Job, unconfined: Unconfined) -> Result<Reply, JudgeError> {
    let failed = |e: wasmtime::Error| JudgeError::Engine(format!("{e:#}"));
    let engine = host::engine().map_err(failed)?;
    let place = cache::place(&engine)?;
    let cache::Loaded { component, image_sha256 } = cache::load(&engine, &place)?;
    let court = Court::new(engine.clone(), &component).map_err(failed)?;
    let runtime = super::runtime()?;
    let clock = engine.clone();
    let (up, is_up) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = up.send(());
        loop {
            std::thread::sleep(host::TICK);
            clock.increment_epoch();
        }
    });
    // The walls hold every thread, and one that is still starting needs calls that they bar.
    let _ = is_up.recv();
    // From here on the process can compute and answer, nothing else.
    let (confined, confinement) = confine::confine(unconfined)?;
    let runs = runtime.block_on(court.judge(job)).map_err(failed)?;
    let engine = cache::ENGINE.to_owned();
    Ok(Reply::Judgement(Judgement { engine, image_sha256, confined, confinement, runs }))
}

/// Writes the reply; the exit code says whether that worked.
fn answer(reply: &Reply) -> i32 {
    let mut line = serde_json::to_vec(reply).unwrap_or_default();
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    match out.write_all(&line).and_then(|()| out.flush()) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}
