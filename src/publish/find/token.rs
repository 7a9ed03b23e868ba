//! Keys and tokens of services, by the beginnings that their makers gave them, and texts that look drawn at random.

use super::{Hit, Kind, before, byte_at, is_alnum, run};

/// Beginnings, and how many characters follow at least.
const BEGINNINGS: &[(&str, usize)] = &[
    ("sk-", 16),
    ("sk_live_", 12),
    ("sk_test_", 12),
    ("rk_live_", 12),
    ("pk_live_", 12),
    ("hf_", 16),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("gldt-", 12),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AIza", 30),
    ("ya29.", 16),
    ("nvapi-", 16),
    ("gsk_", 16),
    ("r8_", 16),
    ("npm_", 16),
    ("pypi-", 16),
    ("dckr_pat_", 12),
    ("SG.", 16),
    ("tskey-", 12),
    ("dop_v1_", 16),
    ("lin_api_", 16),
    ("whsec_", 16),
    ("tvly-", 12),
    ("pplx-", 16),
    ("xai-", 16),
    ("csk-", 16),
    ("tgp_v1_", 16),
    ("fw_", 20),
    ("hvs.", 16),
    ("shpat_", 16),
    ("ATATT", 16),
    ("ntn_", 16),
    ("AGE-SECRET-KEY-1", 16),
    ("ed25519-secret:", 16),
];

/// What Amazon's key identifiers begin with.
const AMAZON: &[&str] = &["AKIA", "ASIA", "AROA", "AIDA"];

/// Longest block of a private key.
const KEY_BYTES_MAX: usize = 1 << 14;

/// Shortest and longest run that counts as drawn at random; a longer one is data.
const RANDOM_LEN: usize = 32;
const RANDOM_LEN_MAX: usize = 256;

/// Finds them.
pub(super) fn find(text: &str, hits: &mut Vec<Hit>) {
    // Runs that hold nothing, which are not to be gone through again from each word in them.
    let (mut plain, mut part, mut long) = (0, 0, 0);
    let mut hit = |range, kind| hits.push(Hit { range, kind });
    for at in (0..text.len()).filter(|at| starts_word(text, *at)) {
        let rest = &text[at..];
        let begins = |(beginning, _): &&(&str, usize)| rest.starts_with(beginning);
        let known = if at >= plain { BEGINNINGS } else { &[] };
        for (beginning, least) in known.iter().filter(begins) {
            let from = at + beginning.len();
            let end =
                run(text, from, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
            let tail = text[from..end].trim_end_matches(['.', '-']);
            let drawn = tail.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
            if tail.len() >= *least && drawn {
                hit(at..from + tail.len(), Kind::Token);
            }
            if !drawn || tail.len() >= *least {
                plain = end;
            }
        }
        if AMAZON.iter().any(|beginning| rest.starts_with(beginning)) {
            let end = run(text, at, |b| b.is_ascii_uppercase() || b.is_ascii_digit());
            if end - at >= 20 && !is_alnum(byte_at(text, end)) {
                hit(at..end, Kind::Token);
            }
        }
        if rest.starts_with("eyJ") && at >= part {
            part = run(text, at, is_url_base64);
            if let Some(end) = web_token(text, part) {
                hit(at..end, Kind::Token);
            }
        }
        if let Some(end) = bot_token(text, at).or_else(|| parted_token(text, at)) {
            hit(at..end, Kind::Token);
        }
        if at >= long {
            let end = run(text, at, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'));
            if end - at > RANDOM_LEN_MAX {
                long = end;
            } else if is_random(&text.as_bytes()[at..end]) {
                hit(at..run(text, end, |b| b == b'='), Kind::Token);
            }
        }
        if let Some(range) = scheme(text, at) {
            hit(range, Kind::Token);
        }
        if let Some(end) = ssh_key(text, at) {
            hit(at..end, Kind::Key);
        }
    }
    private_keys(text, hits);
}

fn starts_word(text: &str, at: usize) -> bool {
    byte_at(text, at).is_some_and(|b| b.is_ascii_alphanumeric()) && !is_alnum(before(text, at))
}

fn is_url_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A JSON web token, by the end of its first part: three parts between dots, the first two JSON in base64.
fn web_token(text: &str, first: usize) -> Option<usize> {
    if byte_at(text, first)? != b'.' {
        return None;
    }
    let second = run(text, first + 1, is_url_base64);
    let whole = byte_at(text, second)? == b'.' && second - first >= 8;
    whole.then(|| run(text, second + 1, is_url_base64))
}

/// A chat bot's token: its number, a colon, 35 characters.
fn bot_token(text: &str, at: usize) -> Option<usize> {
    let colon = run(text, at, |b| b.is_ascii_digit());
    if !(8..=10).contains(&(colon - at)) || byte_at(text, colon)? != b':' {
        return None;
    }
    let end = run(text, colon + 1, is_url_base64);
    (end - colon - 1 == 35).then_some(end)
}

/// Whether a run of letters of both cases and digits is one that no language writes. Digests in hex are none.
fn is_random(body: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| body.iter().filter(|b| is(b)).count();
    let mixed = count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_digit) >= 2;
    let words = body.split(|b| *b == b'/').filter(|part| part.len() >= 3).count();
    let hex = body.iter().all(u8::is_ascii_hexdigit);
    body.len() >= RANDOM_LEN && mixed && !hex && words <= 3
}

/// A chat bot's token of another maker: three parts between dots, 22 to 30, 5 to 8 and at least 25 characters.
fn parted_token(text: &str, at: usize) -> Option<usize> {
    let first = bounded(text, at, 31)?;
    let second = bounded(text, first + 1, 9)?;
    if !(22..=30).contains(&(first - at)) || !(5..=8).contains(&(second - first - 1)) {
        return None;
    }
    let end = run(text, second + 1, is_url_base64);
    (end - second > 25).then_some(end)
}

/// The end of a run that ends in a dot within so many characters.
fn bounded(text: &str, from: usize, most: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    let len = bytes.iter().take(most).position(|b| !is_url_base64(*b))?;
    (bytes[len] == b'.').then_some(from + len)
}

/// What follows `Bearer` or `Basic`.
fn scheme(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let word = ["bearer", "basic"].into_iter().find(|word| {
        text.get(at..at + word.len()).is_some_and(|there| there.eq_ignore_ascii_case(word))
    })?;
    let blank = at + word.len();
    let from = run(text, blank, |b| b == b' ');
    let end =
        run(text, from, |b| is_url_base64(b) || matches!(b, b'.' | b'~' | b'+' | b'/' | b'='));
    let tail = text[from..end].trim_end_matches('.');
    let drawn =
        tail.bytes().skip(1).any(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'=');
    (from > blank && tail.len() >= 8 && drawn).then(|| from..from + tail.len())
}

/// A public SSH key: its comment is found by itself.
fn ssh_key(text: &str, at: usize) -> Option<usize> {
    let kinds =
        ["ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-nistp256 ", "ecdsa-sha2-nistp384 "];
    let kind = kinds.into_iter().find(|kind| text[at..].starts_with(kind))?;
    let from = at + kind.len();
    let end = run(text, from, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='));
    (text[from..].starts_with("AAAA") && end - from > 32).then_some(end)
}

/// Private keys between their BEGIN and END lines; without an END line, as far as lines of base64 go.
fn private_keys(text: &str, hits: &mut Vec<Hit>) {
    for (at, begin) in text.match_indices("-----BEGIN ") {
        let mut to = text.len().min(at + KEY_BYTES_MAX);
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        let block = &text[at..to];
        let label = block[begin.len()..].split(['\n', '\\']).next().unwrap_or_default();
        if !label.contains("PRIVATE KEY") {
            continue;
        }
        let after = block.find("-----END ").map(|end| end + "-----END ".len());
        let end = after.and_then(|from| block[from..].find("-----").map(|end| from + end + 5));
        hits.push(Hit {
            range: at..at + end.unwrap_or_else(|| base64_end(block)),
            kind: Kind::Key,
        });
    }
}

/// The end of the lines of base64 that follow the first line.
fn base64_end(block: &str) -> usize {
    let mut end = 0;
    for (number, line) in block.split_inclusive('\n').enumerate() {
        let body = line.trim().trim_start_matches(['#', ' ']);
        let base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
        if number > 0 && (body.is_empty() || !body.bytes().all(base64)) {
            break;
        }
        end += line.len();
    }
    block[..end].trim_end().len()
}
