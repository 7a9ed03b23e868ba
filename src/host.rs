//! The machine that runs the engine, as a race's start event records it. No host name, user or address is in it.

use crate::lane::file::LaneFile;
use crate::race::input::Host;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// What this machine is, for a race of this lane, and the harness's own time of a request; what the operating system does not tell is empty or 0.
#[must_use]
pub fn record(lane: &LaneFile, overhead_us: Option<u64>) -> Host {
    let wanted = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(wanted).ok();
    let cpus = system.as_ref().map_or(&[][..], System::cpus);
    let cpu = cpus.first().map_or("", |cpu| cpu.brand()).trim();
    let memory_bytes = system.as_ref().map_or(0, System::total_memory);
    Host {
        os: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
        arch: std::env::consts::ARCH.to_owned(),
        cpu: crate::text::shown(cpu, 100),
        cores: u32::try_from(cpus.len()).unwrap_or(u32::MAX),
        memory_gb: memory_bytes.saturating_add(500_000_000) / 1_000_000_000,
        load_watched: (lane.is_here() && !lane.watches_load()).then_some(false),
        overhead_us,
    }
}
