//! Lasting numbers of devices, and readings of power.

use super::{Hit, Kind, before, byte_at, is_alnum, is_name, run};

/// Units of power and energy.
const UNITS: &[&str] = &["W", "kW", "mW", "Wh", "kWh", "mWh", "watt", "watts", "Watt", "Watts"];

/// Words that a serial number follows without a colon, in small letters.
const LABELS: &[&str] =
    &["serial number ", "serial no. ", "serial no ", "serial ", "s/n ", "service tag "];

/// Finds them.
pub(super) fn find(text: &str, hits: &mut Vec<Hit>) {
    for at in 0..text.len() {
        let Some(byte) = byte_at(text, at).filter(u8::is_ascii_alphanumeric) else { continue };
        if is_alnum(before(text, at)) {
            continue;
        }
        if byte.is_ascii_hexdigit() && is_uuid(text, at) {
            let gpu = at.checked_sub(4).filter(|from| text.get(*from..at) == Some("GPU-"));
            hits.push(Hit { range: gpu.unwrap_or(at)..at + 36, kind: Kind::Serial });
        }
        // Inside a list or a number, `1,2,3` or `1.5`, no other number begins.
        let goes_on = matches!(before(text, at), Some(b'.'))
            || before(text, at) == Some(b',')
                && at > 1
                && byte_at(text, at - 2).is_some_and(|b| b.is_ascii_digit());
        if byte.is_ascii_digit()
            && !goes_on
            && let Some(end) = power(text, at)
        {
            hits.push(Hit { range: at..end, kind: Kind::Power });
        }
        if let Some(range) = labelled(text, at) {
            hits.push(Hit { range, kind: Kind::Serial });
        }
    }
    for place in ["/by-id/", "/by-uuid/", "wwn-0x", "eui."] {
        for (at, _) in text.match_indices(place) {
            let from = at + place.len();
            let end = run(text, from, is_name);
            if text[from..end].bytes().filter(u8::is_ascii_digit).count() >= 3 {
                hits.push(Hit { range: from..end, kind: Kind::Serial });
            }
        }
    }
}

fn is_uuid(text: &str, at: usize) -> bool {
    let Some(part) = text.as_bytes().get(at..at + 36) else { return false };
    let shape = part.iter().enumerate().all(|(place, b)| {
        if matches!(place, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() }
    });
    shape && !is_alnum(byte_at(text, at + 36))
}

/// A number with a unit of power. One digit and `W` alone may be anything.
fn power(text: &str, at: usize) -> Option<usize> {
    let mut end = run(text, at, |b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    while matches!(before(text, end), Some(b'.' | b',')) {
        end -= 1;
    }
    let blank = byte_at(text, end) == Some(b' ');
    let from = end + usize::from(blank);
    let unit_end = run(text, from, |b| b.is_ascii_alphabetic());
    let unit = text.get(from..unit_end)?;
    let known = UNITS.contains(&unit)
        && !is_alnum(byte_at(text, unit_end))
        && byte_at(text, unit_end) != Some(b'_');
    (known && (end - at > 1 || !blank || unit.len() > 1)).then_some(unit_end)
}

/// A number in capitals and digits after a word for serial numbers.
fn labelled(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let label = LABELS.iter().find(|label| {
        text.get(at..at + label.len()).is_some_and(|there| there.eq_ignore_ascii_case(label))
    })?;
    let from = at + label.len();
    let end = run(text, from, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    let value = text[from..end].trim_end_matches('-').as_bytes();
    let mixed = value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_uppercase);
    (value.len() >= 6 && mixed && !is_alnum(byte_at(text, end))).then(|| from..from + value.len())
}
