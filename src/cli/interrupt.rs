//! Ctrl-C, and SIGTERM as service managers send it: before anything is written it ends the program, from then on it is told to whoever can leave whole files.

use super::out;
use crate::judge::Stop;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;

/// The exit code of a command that was interrupted.
pub(crate) const INTERRUPTED: u8 = 4;

/// What Ctrl-C does now. Copies are one.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<Told>);

#[derive(Debug)]
struct Told {
    then: Mutex<Then>,
    told: Notify,
}

#[derive(Debug)]
enum Then {
    /// Says these words and ends the program.
    Leave(&'static str),
    /// Tells this.
    Tell(Stop),
}

impl Interrupt {
    /// Listens for Ctrl-C, which ends the program with these words. Where the system lets nobody listen, Ctrl-C does what it
    /// always does.
    pub(crate) fn listen(words: &'static str) -> Self {
        let then = Mutex::new(Then::Leave(words));
        let all = Self(Arc::new(Told { then, told: Notify::new() }));
        let own = all.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            let listen = move || runtime.block_on(own.wait());
            // Without the thread nobody listens.
            drop(std::thread::Builder::new().name(String::from("ctrl-c")).spawn(listen));
        }
        all
    }

    /// From now on Ctrl-C sets what comes back, and ends [`Interrupt::told`].
    pub(crate) fn tell(&self) -> Stop {
        let stop = Stop::default();
        *self.0.then.lock().unwrap_or_else(PoisonError::into_inner) = Then::Tell(stop.clone());
        stop
    }

    /// Waits for a Ctrl-C that is told.
    pub(crate) async fn told(&self) {
        self.0.told.notified().await;
    }

    async fn wait(&self) {
        while asked_to_stop().await.is_ok() {
            match &*self.0.then.lock().unwrap_or_else(PoisonError::into_inner) {
                Then::Leave(words) => {
                    out::note(words);
                    std::process::exit(i32::from(INTERRUPTED));
                }
                Then::Tell(stop) => {
                    // In this order, so that a judge that was stopped is never taken for one that failed.
                    self.0.told.notify_one();
                    stop.set();
                }
            }
        }
    }
}

/// Ctrl-C or SIGTERM. A terminal that closes (SIGHUP) is not heard, so that `nohup` does what it is for.
async fn asked_to_stop() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            told = tokio::signal::ctrl_c() => told,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
