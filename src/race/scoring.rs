//! The arithmetic of the rules: thinking, hits and a season's figures give range times and finish time. RULES.md, "The race".

use crate::puzzles::TARGETS;

/// How long a range takes: thinking, overhead, and a loop for each miss.
///
/// All in milliseconds; saturating, so that no figure in a file can overflow.
#[must_use]
pub fn range_ms(thinking_ms: u64, overhead_ms: u64, misses: u32, loop_ms: u64) -> u64 {
    thinking_ms.saturating_add(overhead_ms).saturating_add(loops_ms(misses, loop_ms))
}

/// How long the penalty loops of a range take.
#[must_use]
pub fn loops_ms(misses: u32, loop_ms: u64) -> u64 {
    u64::from(misses).saturating_mul(loop_ms)
}

/// When shot `target` (0 to 4) falls, after the thinking clock stopped: the overhead is taking the mat and firing five
/// shots, so they are spread evenly over it and the last one ends it.
#[must_use]
pub fn shot_after_ms(overhead_ms: u64, target: usize) -> u64 {
    overhead_ms / TARGETS as u64 * (target as u64 + 1)
        + overhead_ms % TARGETS as u64 * (target as u64 + 1) / TARGETS as u64
}

/// The memory class of a rig: the smallest class that holds its memory, or nothing above the largest.
#[must_use]
pub fn memory_class_gb(classes_gb: &[u64], memory_gb: u64) -> Option<u64> {
    classes_gb.iter().copied().filter(|class| *class >= memory_gb).min()
}

/// A decode rate in thousandths of a token a second: the tokens after the first one over the time they took.
#[must_use]
pub fn decode_mtps(completion_tokens: u64, first_token_ms: u64, end_ms: u64) -> Option<u64> {
    let tokens = completion_tokens.checked_sub(1).filter(|tokens| *tokens > 0)?;
    let took_ms = end_ms.checked_sub(first_token_ms).filter(|ms| *ms > 0)?;
    tokens.checked_mul(1_000_000).map(|scaled| scaled / took_ms)
}

/// By how many percent a rate moved, rounded down.
#[must_use]
pub fn drift_percent(before: u64, after: u64) -> u64 {
    before.abs_diff(after).saturating_mul(100).checked_div(before).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shots_fill_the_overhead() {
        let times: Vec<u64> = (0..5).map(|target| shot_after_ms(7_200, target)).collect();
        assert_eq!(times, [1_440, 2_880, 4_320, 5_760, 7_200]);
        assert_eq!(shot_after_ms(7, 4), 7);
    }

    #[test]
    fn classes() {
        let classes = [8, 16, 128, 256, 1024];
        assert_eq!(memory_class_gb(&classes, 128), Some(128));
        assert_eq!(memory_class_gb(&classes, 129), Some(256));
        assert_eq!(memory_class_gb(&classes, 1), Some(8));
        assert_eq!(memory_class_gb(&classes, 2000), None);
    }

    #[test]
    fn rates() {
        assert_eq!(decode_mtps(65, 100, 1_100), Some(64_000));
        assert_eq!(decode_mtps(1, 100, 1_100), None);
        assert_eq!(decode_mtps(5, 100, 100), None);
        assert_eq!(drift_percent(64_000, 54_000), 15);
        assert_eq!(drift_percent(0, 1), 0);
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!(range_ms(u64::MAX, 7_200, 5, 12_000), u64::MAX);
        assert_eq!(loops_ms(u32::MAX, u64::MAX), u64::MAX);
    }
}
