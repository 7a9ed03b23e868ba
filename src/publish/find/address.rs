//! Addresses: of people (e-mail), of machines in a network (IP, hardware), and logins in URLs.

use super::{
    Hit, Kind, before, byte_at, is_alnum, is_name, is_telling_host, is_telling_user, run, run_back,
};
use core::net::{Ipv4Addr, Ipv6Addr};

/// Finds them.
pub(super) fn find(text: &str, hits: &mut Vec<Hit>) {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'@' => at_sign(text, at, hits),
            b'0'..=b'9' if !is_alnum(before(text, at)) => {
                if let Some(end) = ip_v4(text, at) {
                    hits.push(Hit { range: at..end, kind: Kind::Ip });
                }
            }
            _ => {}
        }
        if byte.is_ascii_hexdigit() && !is_address_byte(before(text, at)) {
            if let Some(end) = mac(text, at) {
                hits.push(Hit { range: at..end, kind: Kind::Mac });
            }
            if let Some(range) = ip_v6(text, at) {
                hits.push(Hit { range, kind: Kind::Ip });
            }
        }
        if byte == b':' && text[at..].starts_with("://") {
            login(text, at + 3, hits);
        }
    }
}

/// `name@domain.tld`; `name@machine:` as shells and scp write it.
fn at_sign(text: &str, at: usize, hits: &mut Vec<Hit>) {
    let local = |b: u8| is_name(b) || matches!(b, b'+' | b'%');
    let from = run_back(text, at, local);
    let end = run(text, at + 1, is_name);
    let name = text[from..at].trim_start_matches(['.', '-']);
    let domain = text[at + 1..end].trim_end_matches(['.', '-', '_']);
    let end = at + 1 + domain.len();
    let from = at - name.len();
    if name.is_empty() || domain.is_empty() {
        return;
    }
    let last = domain.rsplit('.').next().unwrap_or_default();
    if domain.contains('.')
        && last.len() >= 2
        && last.bytes().all(|b| b.is_ascii_alphabetic() || b >= 0x80)
    {
        hits.push(Hit { range: from..end, kind: Kind::Email });
    } else if byte_at(text, end) == Some(b':') && is_telling_host(domain) && name.len() >= 2 {
        if is_telling_user(name) {
            hits.push(Hit { range: from..at, kind: Kind::User });
        }
        hits.push(Hit { range: at + 1..end, kind: Kind::Host });
    }
}

fn ip_v4(text: &str, at: usize) -> Option<usize> {
    // `1.2.3.4.5` and `v1.2.3.4` are versions.
    if matches!(before(text, at), Some(b'.' | b'_')) {
        return None;
    }
    let mut end = run(text, at, |b| b.is_ascii_digit() || b == b'.');
    if end > at && text.as_bytes()[end - 1] == b'.' {
        end -= 1;
    }
    let address: Ipv4Addr = text[at..end].parse().ok()?;
    let own = address.is_loopback() || address.is_unspecified() || address.is_broadcast();
    (!own && !is_alnum(byte_at(text, end))).then_some(end)
}

fn is_address_byte(byte: Option<u8>) -> bool {
    is_alnum(byte) || matches!(byte, Some(b':' | b'.'))
}

/// An address of six bytes: `aa:bb:cc:dd:ee:ff`, with dashes, or in three groups of four between dots.
fn mac(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let shape = |group: usize, mark: u8| {
        let len = 12 + 12 / group - 1;
        let part = bytes.get(at..at + len)?;
        let right = part.iter().enumerate().all(|(place, b)| {
            if place % (group + 1) == group { *b == mark } else { b.is_ascii_hexdigit() }
        });
        (right && !is_alnum(byte_at(text, at + len)) && byte_at(text, at + len) != Some(mark))
            .then_some(at + len)
    };
    let end = shape(2, b':').or_else(|| shape(2, b'-')).or_else(|| shape(4, b'.'))?;
    let part = &bytes[at..end];
    let digits: Vec<u8> = part.iter().copied().filter(u8::is_ascii_hexdigit).collect();
    let same = digits.iter().all(|b| *b == digits[0]);
    let letter = digits.iter().any(u8::is_ascii_alphabetic);
    (!same && (letter || part[2] == b':')).then_some(end)
}

/// An address of sixteen bytes. All that are in use begin with four digits, the first of them 2, 3 or f; `a[2000::2]` is Python.
fn ip_v6(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let mut end = run(text, at, |b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'));
    while end > at && matches!(text.as_bytes()[end - 1], b'.') {
        end -= 1;
    }
    let mut body = &text[at..end];
    if !body.contains(':') {
        return None;
    }
    if body.ends_with(':') && !body.ends_with("::") {
        body = &body[..body.len() - 1];
    }
    let index = before(text, at) == Some(b'[') && is_alnum(before(text, at - 1));
    let address: Ipv6Addr = body.parse().ok().filter(|_| !index)?;
    let used = matches!(address.segments()[0], 0x2000..=0x3fff | 0xfc00..=0xffff);
    if !used || is_alnum(byte_at(text, at + body.len())) {
        return None;
    }
    let mut end = at + body.len();
    if byte_at(text, end) == Some(b'%') {
        end = run(text, end + 1, is_name);
    }
    let bracketed = before(text, at) == Some(b'[') && byte_at(text, end) == Some(b']');
    Some(if bracketed { at - 1..end + 1 } else { at..end })
}

/// User and password in a URL whose authority begins at a place.
fn login(text: &str, from: usize, hits: &mut Vec<Hit>) {
    let end = run(text, from, |b| {
        b > b' ' && !matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`')
    });
    if let Some(at) = text[from..end].rfind('@').filter(|at| *at > 0) {
        hits.push(Hit { range: from..from + at, kind: Kind::Login });
    }
}
