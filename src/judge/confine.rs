//! Takes from the judging process whatever it no longer needs, before any answer runs.
//!
//! The first wall is WebAssembly's; this is the second, in case the engine has a hole. On Linux:
//! no core files, no file writes, no new privileges, no path (Landlock, where the kernel has it)
//! and a list of the few system calls an engine needs (seccomp). Elsewhere only the limits.
//! Returns the names of what holds, for the log.

use super::error::JudgeError;

/// Environment variable that lets a judge run where it cannot confine itself.
const UNCONFINED: &str = "GAUNTLET_UNCONFINED_JUDGE";

/// Has the kernel end this process when the one that started it ends, so that no answer computes on for nobody.
pub(super) fn die_with_parent() {
    #[cfg(target_os = "linux")]
    {
        // Where the kernel refuses, the limits of a call still end it.
        let kill = rustix::process::Signal::KILL;
        rustix::process::set_parent_process_death_signal(Some(kill)).ok();
    }
}

/// Confines this process, for good.
pub(super) fn confine() -> Result<(bool, Vec<String>), JudgeError> {
    if std::env::var_os(UNCONFINED).is_some_and(|v| v == "1") {
        return Ok((false, Vec::new()));
    }
    let mut held = Vec::new();
    let confined = system::confine(&mut held).map_err(JudgeError::Confine)?;
    Ok((confined, held))
}

#[cfg(unix)]
fn limits(held: &mut Vec<String>) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let zero = || Rlimit { current: Some(0), maximum: Some(0) };
    setrlimit(Resource::Core, zero()).map_err(|e| format!("no limit on core files: {e}"))?;
    setrlimit(Resource::Fsize, zero()).map_err(|e| format!("no limit on file sizes: {e}"))?;
    held.push("rlimits".into());
    Ok(())
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeMap;

    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, Ruleset,
        RulesetAttr as _, RulesetStatus, Scope,
    };
    use seccompiler::{SeccompAction, SeccompFilter};

    pub(super) fn confine(held: &mut Vec<String>) -> Result<bool, String> {
        super::limits(held)?;
        rustix::thread::set_no_new_privs(true).map_err(|e| format!("no_new_privs: {e}"))?;
        held.push("no_new_privs".into());
        // Without Landlock (kernels before 5.13, or switched off) seccomp still bars all opening.
        if landlock().map_err(|e| format!("Landlock: {e}"))? {
            held.push("landlock".into());
        }
        seccomp().map_err(|e| format!("seccomp: {e}"))?;
        held.push("seccomp".into());
        Ok(true)
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

    /// What an engine needs once its code is loaded: memory, its signal handlers, reading the
    /// job, writing the reply, leaving. Everything else fails with EPERM.
    fn seccomp() -> Result<(), Box<dyn std::error::Error>> {
        const ALLOWED: &[libc::c_long] = &[
            libc::SYS_read,
            libc::SYS_write,
            libc::SYS_writev,
            libc::SYS_close,
            libc::SYS_fstat,
            libc::SYS_mmap,
            libc::SYS_munmap,
            libc::SYS_mprotect,
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
            libc::SYS_tgkill,
            libc::SYS_restart_syscall,
            libc::SYS_exit,
            libc::SYS_exit_group,
        ];
        // seccompiler wants a map from call to conditions; none means always.
        #[cfg_attr(target_pointer_width = "64", expect(clippy::useless_conversion))]
        let rules: BTreeMap<i64, Vec<_>> =
            ALLOWED.iter().map(|&call| (i64::from(call), Vec::new())).collect();
        let filter = SeccompFilter::new(
            rules,
            SeccompAction::Errno(libc::EPERM.unsigned_abs()),
            SeccompAction::Allow,
            std::env::consts::ARCH.try_into()?,
        )?;
        let program: seccompiler::BpfProgram = filter.try_into()?;
        seccompiler::apply_filter(&program)?;
        Ok(())
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod system {
    /// There is no wall of the system's that a program can put up for itself here.
    pub(super) fn confine(held: &mut Vec<String>) -> Result<bool, String> {
        super::limits(held)?;
        Ok(false)
    }
}

#[cfg(not(unix))]
mod system {
    /// There is no wall of the system's that a program can put up for itself here.
    pub(super) fn confine(_held: &mut Vec<String>) -> Result<bool, String> {
        Ok(false)
    }
}
