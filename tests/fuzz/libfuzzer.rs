//! The fuzz targets under libFuzzer, in one program: `GAUNTLET_FUZZ` names the target. Built and run by `scripts/fuzz.sh`.
#![no_main]

mod targets;

use std::sync::OnceLock;

static TARGET: OnceLock<targets::Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let wanted = std::env::var("GAUNTLET_FUZZ").unwrap_or_default();
        let found = targets::TARGETS.iter().find(|(name, _)| *name == wanted);
        let names: Vec<&str> = targets::TARGETS.iter().map(|(name, _)| *name).collect();
        let target = found.unwrap_or_else(|| panic!("GAUNTLET_FUZZ is one of {}", names.join(", ")));
        TARGET.get_or_init(|| target.1)
    },
    |bytes: &[u8]| {
        if let Some(target) = TARGET.get() {
            target(bytes);
        }
    }
);
