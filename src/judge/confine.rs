//! Takes from the judging process whatever it no longer needs, before any answer runs.
//!
//! The first wall is WebAssembly's; this is the second, in case the engine has a hole. On Linux:
//! no core files, no file writes, no new privileges, no path (Landlock, where the kernel has it)
//! and a list of the few system calls an engine needs (seccomp). Elsewhere only the limits.
//! A judge that finds a wall missing that its system should have refuses, unless it is told to go on.

use super::Unconfined;
use super::error::JudgeError;

/// Which walls stand, and which do not although this system should have them.
#[derive(Debug, Default)]
struct Walls {
    /// What holds, by name, in the order in which it was put up.
    held: Vec<String>,
    /// What does not hold and must, each with why.
    missing: Vec<String>,
    /// Whether what holds is more than WebAssembly's own wall and the limits.
    confined: bool,
}

/// Has the kernel end this process when the one that started it ends, so that no answer computes on for nobody.
pub(super) fn die_with_parent() {
    #[cfg(target_os = "linux")]
    {
        // Where the kernel refuses, the limits of a call still end it.
        let kill = rustix::process::Signal::KILL;
        rustix::process::set_parent_process_death_signal(Some(kill)).ok();
    }
}

/// Confines this process, for good. Gives whether the system holds it, and the names of what does, for the log.
pub(super) fn confine(unconfined: Unconfined) -> Result<(bool, Vec<String>), JudgeError> {
    let mut walls = Walls::default();
    system::put_up(&mut walls);
    rule(walls, unconfined)
}

/// Whether a judge may work behind these walls.
fn rule(walls: Walls, unconfined: Unconfined) -> Result<(bool, Vec<String>), JudgeError> {
    match unconfined {
        Unconfined::Refuse if !walls.missing.is_empty() => {
            Err(JudgeError::Confine(walls.missing.join("; ")))
        }
        _ => Ok((walls.confined && walls.missing.is_empty(), walls.held)),
    }
}

impl Walls {
    /// Notes that a wall was put up, or why not.
    fn put(&mut self, name: &str, done: Result<(), impl std::fmt::Display>) {
        match done {
            Ok(()) => self.held.push(name.to_owned()),
            Err(why) => self.missing.push(format!("no {name}: {why}")),
        }
    }
}

#[cfg(unix)]
fn limits(walls: &mut Walls) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let zero = || Rlimit { current: Some(0), maximum: Some(0) };
    let set = setrlimit(Resource::Core, zero()).and_then(|()| setrlimit(Resource::Fsize, zero()));
    walls.put("rlimits", set);
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeMap;

    use super::Walls;
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, Ruleset,
        RulesetAttr as _, RulesetStatus, Scope,
    };
    use seccompiler::{
        SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };

    pub(super) fn put_up(walls: &mut Walls) {
        super::limits(walls);
        walls.put("no_new_privs", rustix::thread::set_no_new_privs(true));
        // A kernel without Landlock (before 5.13, or switched off) is no fault: seccomp still bars all opening, and what
        // holds is in the log by name.
        match landlock() {
            Ok(true) => walls.held.push("landlock".into()),
            Ok(false) => {}
            Err(why) => walls.missing.push(format!("no landlock: {why}")),
        }
        let seccomp = seccomp(Threads::All);
        walls.confined = seccomp.is_ok();
        walls.put("seccomp", seccomp);
    }

    /// No path, no port, no socket or signal to others, as far as the kernel knows the words.
    fn landlock() -> Result<bool, landlock::RulesetError> {
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V5))?
            .handle_access(AccessNet::from_all(ABI::V5))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            .restrict_self()?;
        Ok(status.ruleset != RulesetStatus::NotEnforced)
    }

    /// Which threads a filter holds.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Threads {
        /// All of the process, the one that only moves the engine's clock included.
        All,
        #[cfg(test)]
        This,
    }

    /// What an engine needs once its code is loaded: memory, its signal handlers, reading the
    /// job, writing the reply, leaving. Everything else fails with EPERM.
    const ALLOWED: &[libc::c_long] = &[
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_fstat,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        libc::SYS_sched_yield,
        libc::SYS_nanosleep,
        libc::SYS_clock_nanosleep,
        libc::SYS_sched_getaffinity,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// Memory may be had, but none that can be executed: all code is there by now.
    const NOT_EXECUTABLE: &[libc::c_long] = &[libc::SYS_mmap, libc::SYS_mprotect];

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    #[cfg_attr(target_pointer_width = "64", expect(clippy::useless_conversion))]
    fn rules() -> Result<Rules, seccompiler::BackendError> {
        let no_exec = SeccompCondition::new(
            2,
            SeccompCmpArgLen::Dword,
            SeccompCmpOp::MaskedEq(libc::PROT_EXEC.unsigned_abs().into()),
            0,
        )?;
        // A signal may go to this process alone, as when it aborts.
        let to_us = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Dword,
            SeccompCmpOp::Eq,
            std::process::id().into(),
        )?;
        // seccompiler wants a map from call to conditions; none means always.
        let mut rules: Rules = ALLOWED.iter().map(|&call| (i64::from(call), Vec::new())).collect();
        for &call in NOT_EXECUTABLE {
            rules.insert(call.into(), vec![SeccompRule::new(vec![no_exec.clone()])?]);
        }
        rules.insert(libc::SYS_tgkill.into(), vec![SeccompRule::new(vec![to_us])?]);
        Ok(rules)
    }

    fn seccomp(threads: Threads) -> Result<(), Box<dyn std::error::Error>> {
        let filter = SeccompFilter::new(
            rules()?,
            SeccompAction::Errno(libc::EPERM.unsigned_abs()),
            SeccompAction::Allow,
            std::env::consts::ARCH.try_into()?,
        )?;
        let program: seccompiler::BpfProgram = filter.try_into()?;
        match threads {
            Threads::All => seccompiler::apply_filter_all_threads(&program)?,
            #[cfg(test)]
            Threads::This => seccompiler::apply_filter(&program)?,
        }
        Ok(())
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::fs;
        use std::io::{Error, Result};
        use std::net::{TcpListener, TcpStream, UdpSocket};
        use std::os::unix::net::{UnixDatagram, UnixStream};
        use std::process::Command;

        /// Native code behind the walls, as if the engine had a hole.
        fn attacks() -> Vec<(&'static str, Result<()>)> {
            let own = rustix::process::getpid();
            let kill = rustix::process::test_kill_process(own).map_err(Error::from);
            vec![
                ("read a file", fs::read("/etc/passwd").map(drop)),
                ("list a folder", fs::read_dir("/").map(drop)),
                ("look at a file", fs::metadata("/etc/passwd").map(drop)),
                ("write a file", fs::write("/tmp/gauntlet-escaped", "x")),
                ("make a folder", fs::create_dir("/tmp/gauntlet-escaped")),
                ("remove a file", fs::remove_file("/tmp/gauntlet-escaped")),
                ("rename", fs::rename("/tmp/gauntlet-escaped", "/tmp/gauntlet-escaped-2")),
                ("link", fs::hard_link("/etc/passwd", "/tmp/gauntlet-escaped")),
                ("change the folder", std::env::set_current_dir("/")),
                ("connect", TcpStream::connect("127.0.0.1:9").map(drop)),
                ("listen", TcpListener::bind("127.0.0.1:0").map(drop)),
                ("send datagrams", UdpSocket::bind("127.0.0.1:0").map(drop)),
                ("connect to a local socket", UnixStream::connect("/run/x").map(drop)),
                ("a local socket", UnixDatagram::unbound().map(drop)),
                ("start a program", Command::new("/bin/true").spawn().map(drop)),
                ("start a thread", std::thread::Builder::new().spawn(|| ()).map(drop)),
                ("signal a process", kill),
            ]
        }

        #[test]
        fn native_code_behind_the_walls_reaches_nothing() {
            let found = std::thread::spawn(|| {
                let landlocked = landlock().is_ok();
                let held = seccomp(Threads::This).map_err(|error| error.to_string());
                (landlocked, held, attacks())
            });
            let (landlocked, held, attacks) = found.join().unwrap();
            assert!(landlocked && held.is_ok(), "{held:?}");
            for (what, done) in attacks {
                let error = done.map_err(|error| error.raw_os_error());
                assert_eq!(error, Err(Some(libc::EPERM)), "{what}");
            }
            assert!(!std::path::Path::new("/tmp/gauntlet-escaped").exists());
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod system {
    /// There is no wall of the system's that a program can put up for itself here.
    pub(super) fn put_up(walls: &mut super::Walls) {
        super::limits(walls);
    }
}

#[cfg(not(unix))]
mod system {
    /// There is no wall of the system's that a program can put up for itself here.
    pub(super) fn put_up(_walls: &mut super::Walls) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walls(held: &[&str], missing: &[&str], confined: bool) -> Walls {
        let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Walls { held: words(held), missing: words(missing), confined }
    }

    #[test]
    fn a_judge_without_a_wall_refuses_unless_told_otherwise() {
        let full = || walls(&["rlimits", "no_new_privs", "landlock", "seccomp"], &[], true);
        let no_landlock = || walls(&["rlimits", "no_new_privs", "seccomp"], &[], true);
        let no_seccomp = || walls(&["rlimits", "no_new_privs"], &["no seccomp: EINVAL"], false);
        let no_limits = || walls(&["no_new_privs", "seccomp"], &["no rlimits: EPERM"], true);
        let elsewhere = || walls(&["rlimits"], &[], false);
        for held in [full(), no_landlock()] {
            let names = held.held.clone();
            assert_eq!(rule(held, Unconfined::Refuse).ok(), Some((true, names)));
        }
        for holed in [no_seccomp(), no_limits()] {
            let why = holed.missing.join("");
            let said = rule(holed, Unconfined::Refuse).unwrap_err().to_string();
            assert!(said.contains(&why) && said.contains("--allow-unconfined"), "{said}");
        }
        for holed in [no_seccomp(), no_limits(), elsewhere()] {
            let names = holed.held.clone();
            assert_eq!(rule(holed, Unconfined::Allow).ok(), Some((false, names)));
        }
        // Where the system has no such walls there is nothing to ask for: the log says what stands.
        assert_eq!(rule(elsewhere(), Unconfined::Refuse).ok().map(|it| it.0), Some(false));
        assert_eq!(rule(full(), Unconfined::Allow).ok().map(|it| it.0), Some(true));
    }
}
