//! Whose machine it was: home folders, and names of machines in URLs and private domains.

use super::{
    Hit, Kind, before, byte_at, is_alnum, is_name, is_telling_host, is_telling_user, run, run_back,
};

/// What home folders stand in.
const HOMES: &[&str] = &["/home/", "/Users/", "/run/media/", "/media/"];

/// Domains that only a local network knows.
const PRIVATE_DOMAINS: &[&str] = &[
    ".local",
    ".lan",
    ".internal",
    ".intranet",
    ".home",
    ".corp",
    ".localdomain",
    ".home.arpa",
    ".ts.net",
    ".fritz.box",
];

/// What stands before a dot in code, where `self.local` is no machine.
const CODE: &[&str] =
    &["self", "this", "cls", "threading", "os", "sys", "np", "obj", "ctx", "state", "config"];

/// Finds them.
pub(super) fn find(text: &str, hits: &mut Vec<Hit>) {
    homes(text, hits);
    for (at, _) in text.match_indices("://") {
        if let Some(range) = url_host(text, at + 3) {
            hits.push(Hit { range, kind: Kind::Host });
        }
    }
    for (at, _) in text.match_indices("\\\\") {
        hits.extend(share_host(text, at).map(|range| Hit { range, kind: Kind::Host }));
    }
    for domain in PRIVATE_DOMAINS {
        for (at, _) in text.match_indices(domain) {
            if let Some(range) = private_host(text, at, at + domain.len()) {
                hits.push(Hit { range, kind: Kind::Host });
            }
        }
    }
}

fn homes(text: &str, hits: &mut Vec<Hit>) {
    for home in HOMES {
        for (at, _) in text.match_indices(home) {
            let from = at + home.len();
            let end = from + text[from..run(text, from, is_name)].trim_end_matches('.').len();
            let name = &text[from..end];
            let telling = is_telling_user(name) && !name.starts_with(super::PLACEHOLDER);
            if telling && (!is_alnum(before(text, at)) || is_rooted(text, at)) {
                hits.push(Hit { range: at..end, kind: Kind::Home });
            }
        }
    }
    // Drive letter, colon, one or two backslashes or a slash, `Users`, the same again, the name.
    for (at, _) in text.match_indices(":").filter(|(at, _)| *at > 0) {
        let mark = |b: u8| matches!(b, b'\\' | b'/');
        let drive = text.as_bytes()[at - 1].is_ascii_alphabetic();
        let word = run(text, at + 1, mark);
        let is_users = text.get(word..word + 5).is_some_and(|it| it.eq_ignore_ascii_case("users"));
        if !drive
            || word == at + 1
            || !is_users
            || is_alnum(at.checked_sub(2).and_then(|at| byte_at(text, at)))
        {
            continue;
        }
        let name = run(text, word + 5, mark);
        let end = run(text, name, is_name);
        if name > word + 5 && is_telling_user(&text[name..end]) {
            hits.push(Hit { range: at - 1..end, kind: Kind::Home });
        }
    }
    for (at, _) in text.match_indices('~') {
        let end = run(text, at + 1, is_name);
        let name = &text[at + 1..end];
        let starts = name.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        let path = byte_at(text, end) == Some(b'/') && !is_alnum(before(text, at));
        if starts && path && is_telling_user(name) {
            hits.push(Hit { range: at + 1..end, kind: Kind::User });
        }
    }
    let mut done = 0;
    for (at, prefix) in text.match_indices("/var/folders/") {
        if at < done {
            continue;
        }
        let end = run(text, at + prefix.len(), |b| is_name(b) || b == b'/');
        done = end;
        if end > at + prefix.len() + 10 {
            hits.push(Hit { range: at..end, kind: Kind::Home });
        }
    }
}

/// Whether a path that goes on at a place began with a slash, and is none of a URL: `/mnt/c/Users/`.
fn is_rooted(text: &str, at: usize) -> bool {
    let from = run_back(text, at, |b| is_name(b) || b == b'/');
    byte_at(text, from) == Some(b'/')
        && !text[from..].starts_with("//")
        && before(text, from) != Some(b':')
}

/// The machine of a share, `\\machine\share`.
fn share_host(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let opens = at
        .checked_sub(1)
        .is_none_or(|at| matches!(text.as_bytes()[at], b' ' | b'"' | b'\'' | b'\n' | b'='));
    let from = run(text, at, |b| b == b'\\');
    let end = run(text, from, is_name);
    let name = &text[from..end];
    let drawn = name.bytes().any(|b| b.is_ascii_digit() || b == b'-');
    let whole = opens && byte_at(text, end) == Some(b'\\') && drawn && is_telling_host(name);
    whole.then_some(from..end)
}

/// The host of a URL, where it says which machine it is: one with a port, or a name without a domain. A site on the public web
/// is none.
fn url_host(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let end = run(text, from, |b| {
        b > b' ' && !matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\')
    });
    let from = text[from..end].rfind('@').map_or(from, |at| from + at + 1);
    let host = from..run(text, from, is_name).min(end);
    let name = &text[host.clone()];
    let port = byte_at(text, host.end) == Some(b':')
        && byte_at(text, host.end + 1).is_some_and(|b| b.is_ascii_digit());
    let named = name.starts_with(|c: char| c.is_alphanumeric()) && is_telling_host(name);
    (named && (port || !name.contains('.'))).then_some(host)
}

fn private_host(text: &str, at: usize, end: usize) -> Option<std::ops::Range<usize>> {
    let next = byte_at(text, end);
    if is_alnum(next) || matches!(next, Some(b'(' | b'[' | b'_' | b'-')) {
        return None;
    }
    // `.home.arpa` goes on after `.home`, and so does `x.local.y`: the longer one is found by itself.
    if next == Some(b'.') && is_alnum(byte_at(text, end + 1)) {
        return None;
    }
    let from = run_back(text, at, is_name);
    let name = text[from..at].trim_start_matches(['.', '-', '_']);
    let from = at - name.len();
    // A path such as `~/.local` or `/usr/x.local` is no machine.
    let path = matches!(before(text, from), Some(b'/' | b'\\')) && !text[..from].ends_with("//");
    let assigned = text[end..].trim_start_matches(' ').starts_with('=');
    let code = name.split('.').any(|part| CODE.contains(&part));
    (!name.is_empty() && !path && !code && !assigned).then_some(from..end)
}
