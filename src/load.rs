//! Watches this machine for foreign load while a lane on it races: the busiest process that is neither gauntlet nor the server.
//!
//! A thread of its own looks twice a second; only what is over the bound is handed over. The referee says what it means.

use crate::clock::{Clock, Stamp};
use crate::lane::file::LaneFile;
use crate::race::Input;
use crate::text::shown;
use std::collections::BTreeMap;
use std::time::Duration;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Pause between two samples.
const PAUSE: Duration = Duration::from_millis(500);

/// Percent of a core above which a sample is handed over.
const PERCENT_MAX: u32 = 25;

/// Characters of a process's name that are kept.
const NAME_CHARS: usize = 64;

/// Characters of a process's name that Linux keeps.
const COMM_CHARS: usize = 15;

/// What comes of the watch. The thread ends when this is dropped.
#[derive(Debug)]
pub struct LoadWatch(Option<UnboundedReceiver<(Stamp, Input)>>);

impl LoadWatch {
    /// Watches during a race of this lane, if it is one to watch for ([`LaneFile::watches_load`]).
    #[must_use]
    pub fn start(lane: &LaneFile, clock: Clock) -> Self {
        if !lane.watches_load() {
            return Self(None);
        }
        Self::beside(lane.setup.server_processes.clone(), clock)
    }

    /// Watches for everybody but gauntlet: who is busy while a server answers is the server, most likely.
    #[must_use]
    pub fn everybody(clock: Clock) -> Self {
        Self::beside(Vec::new(), clock)
    }

    fn beside(server: Vec<String>, clock: Clock) -> Self {
        let (samples, taken) = unbounded_channel();
        let thread = std::thread::Builder::new().name("load".into());
        let started = thread.spawn(move || watch(&server, clock, &samples));
        Self(started.is_ok().then_some(taken))
    }

    /// The next sample over the bound; pending for ever without a watch. Cancel-safe.
    pub async fn next(&mut self) -> (Stamp, Input) {
        let sample = match &mut self.0 {
            Some(samples) => samples.recv().await,
            None => None,
        };
        match sample {
            Some(sample) => sample,
            None => std::future::pending().await,
        }
    }

    /// The process that was the busiest one in most samples so far. Asked once, at the end.
    pub fn busiest(&mut self) -> Option<String> {
        let mut count: BTreeMap<String, u32> = BTreeMap::new();
        while let Some((_, Input::Load { process, .. })) =
            self.0.as_mut().and_then(|samples| samples.try_recv().ok())
        {
            *count.entry(process).or_default() += 1;
        }
        count.into_iter().max_by_key(|(_, times)| *times).map(|(process, _)| process)
    }

    /// Forgets what was sampled before now.
    pub fn forget(&mut self) {
        if let Some(samples) = &mut self.0 {
            while samples.try_recv().is_ok() {}
        }
    }
}

fn watch(server: &[String], clock: Clock, samples: &UnboundedSender<(Stamp, Input)>) {
    let (Ok(mut system), Ok(own)) = (System::new(), sysinfo::get_current_pid()) else { return };
    let mut look = || {
        let kind = ProcessRefreshKind::nothing().with_cpu().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
        let foreign = system.processes().values().filter(|it| is_foreign(it, own, server));
        // Shares of a core come as decimals; whole percents are enough.
        foreign.map(|it| (it.cpu_usage() as u32, it.name().to_string_lossy().into_owned())).max()
    };
    // The first look has nothing to compare with.
    look();
    for sample in 0.. {
        std::thread::sleep(PAUSE);
        if samples.is_closed() {
            return;
        }
        if let Some((percent, name)) = look().filter(|(percent, _)| *percent > PERCENT_MAX) {
            let process = shown(&name, NAME_CHARS);
            let input = Input::Load { sample, process, percent };
            if samples.send((clock.now(), input)).is_err() {
                return;
            }
        }
    }
}

/// Whether a process is neither ours nor the server's.
fn is_foreign(process: &Process, own: Pid, server: &[String]) -> bool {
    let ours = process.pid() == own || process.parent() == Some(own);
    let name = process.name().to_string_lossy();
    let kept = |full: &String| full.chars().take(COMM_CHARS).eq(name.chars());
    !ours && !server.iter().any(|full| *full == name || kept(full))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(more: &str) -> LaneFile {
        let text = format!(
            "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n{more}"
        );
        LaneFile::parse("x.toml", &text).unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_busy_stranger_is_seen_and_the_server_is_not() {
        // A grandchild: children of ours are the judge's.
        let spin = "sh -c 'while :; do :; done' >/dev/null 2>&1 & echo $!";
        let run = std::process::Command::new("sh").args(["-c", spin]).output();
        let pid = String::from_utf8(run.unwrap().stdout).unwrap();
        let seen = |server: &str| {
            let more = format!("[setup]\nserver_processes = [\"none-such\"{server}]\n");
            let mut watch = LoadWatch::start(&lane(&more), Clock::start());
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let mut names = Vec::new();
                let until = tokio::time::sleep(Duration::from_millis(2_600));
                tokio::pin!(until);
                loop {
                    tokio::select! {
                        () = &mut until => return names,
                        (_, input) = watch.next() => if let Input::Load { process, .. } = input {
                            names.push(process);
                        },
                    }
                }
            })
        };
        let (stranger, server) = (seen(""), seen(", \"sh\""));
        let kill = std::process::Command::new("kill").arg(pid.trim()).status();
        assert!(kill.unwrap().success());
        // Something else may be busier here, so one sample is enough.
        assert!(!stranger.is_empty(), "nothing seen");
        assert!(!server.iter().any(|name| name == "sh"), "{server:?}");
    }

    #[test]
    fn who_is_watched() {
        let named = "[setup]\nserver_processes = [\"llama-server\"]\n";
        assert!(lane(named).watches_load());
        assert!(!lane("").watches_load(), "the server itself would be seen");
        assert!(!lane(&format!("load_guard = false\n{named}")).watches_load());
        let mut away = lane(named);
        away.base_url = "http://192.168.1.5:8080/v1".into();
        assert!(!away.is_here() && !away.watches_load());
        away.base_url = "http://[::1]:8080/v1".into();
        assert!(away.is_here());
    }
}
