//! The wall clock as files write it: UTC with milliseconds, `2026-12-01T03:01:44.250Z`. No clock is read here.

use crate::clock::Stamp;
use jiff::Timestamp;

/// A wall stamp in words. Milliseconds outside the calendar give the nearest day that it has.
#[must_use]
pub fn words(wall_ms: i64) -> String {
    let nearest = if wall_ms < 0 { Timestamp::MIN } else { Timestamp::MAX };
    let at = Timestamp::from_millisecond(wall_ms).unwrap_or(nearest);
    format!("{at:.3}")
}

/// Reads a wall stamp back.
///
/// # Errors
/// When the words are no UTC time with milliseconds as [`words`] writes it.
pub fn read(words_read: &str) -> Result<i64, String> {
    let at: Timestamp = words_read.parse().map_err(|_| format!("{words_read:?} is no UTC time"))?;
    let wall_ms = at.as_millisecond();
    if words(wall_ms) == words_read {
        Ok(wall_ms)
    } else {
        Err(format!("{words_read:?} is not written as {}", words(wall_ms)))
    }
}

/// By how many milliseconds the wall clock moved more or less than the monotonic clock between two stamps.
#[must_use]
pub fn parted_ms(from: Stamp, to: Stamp) -> u64 {
    let monotonic_ms = i128::from(to.t_ms) - i128::from(from.t_ms);
    let wall_ms = i128::from(to.wall_ms) - i128::from(from.wall_ms);
    u64::try_from((wall_ms - monotonic_ms).unsigned_abs()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for wall_ms in [0, 1, 1_796_094_104_250, -5] {
            assert_eq!(read(&words(wall_ms)), Ok(wall_ms));
        }
        assert_eq!(words(1_796_094_104_250), "2026-12-01T03:01:44.250Z");
        assert!(read("yesterday").is_err() && read("2026-12-01T03:01:44Z").is_err());
        assert!(!words(i64::MAX).is_empty());
    }

    #[test]
    fn a_suspended_machine_shows() {
        let at = |t_ms, wall_ms| Stamp { t_ms, wall_ms };
        assert_eq!(parted_ms(at(0, 1_000), at(5_000, 66_000)), 60_000);
        assert_eq!(parted_ms(at(0, 1_000), at(5_000, 5_000)), 1_000);
        assert_eq!(parted_ms(at(0, i64::MIN), at(u64::MAX, i64::MAX)), 0);
    }
}
