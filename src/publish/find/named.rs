//! Values that the name of their field gives away: `api_key = "..."`, `"power_draw": 312.5`, `Serial Number: ...`.

use super::{
    Hit, Kind, PLACEHOLDER, before, byte_at, is_telling_host, is_telling_user, run, run_back,
};

/// What names of passwords and secrets end in, written without `_`, `-` and capitals.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "apikey",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "sessiontoken",
    "privatetoken",
    "hftoken",
    "bottoken",
    "idtoken",
    "secretkey",
    "accesskey",
    "accountkey",
    "privatekey",
    "encryptionkey",
    "signingkey",
    "authorization",
    "cookie",
    "sessionid",
    "credential",
    "credentials",
    "token",
];

/// What names of serial numbers end in.
const SERIALS: &[&str] = &[
    "serial",
    "serialnumber",
    "serialno",
    "serialnumbersystem",
    "servicetag",
    "assettag",
    "machineid",
    "hardwareuuid",
    "productuuid",
    "gpuuuid",
    "imei",
    "deviceid",
];

/// Names of fields for machines and users.
const HOSTS: &[&str] = &["hostname", "host", "computername", "nodename"];
const USERS: &[&str] = &["user", "username", "logname", "sudouser"];

/// What names of power readings hold.
const POWERS: &[&str] = &["power", "watt"];

/// Values that are no secrets.
const TRIVIAL: &[&str] =
    &["true", "false", "null", "none", "yes", "no", "string", "required", "optional"];

/// How far before a separator a name of several words may begin.
const NAME_BYTES: usize = 40;

/// What a field of that name and value is, as far as its name gives it away. A number is given by its digits.
#[must_use]
pub fn kind_of_field(name: &str, value: &str) -> Option<Kind> {
    let plain = plain(name);
    let ends = |list: &[&str]| list.iter().any(|end| plain.ends_with(end));
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let trivial = value.is_empty()
        || value.starts_with(PLACEHOLDER)
        || TRIVIAL.contains(&value.to_ascii_lowercase().as_str())
        || SECRETS.contains(&value.to_ascii_lowercase().as_str())
        || value.starts_with(['$', '<', '{', '['])
        || value.bytes().all(|b| matches!(b, b'*' | b'.' | b'x' | b'X' | b'-'));
    let number = digit
        && value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e'));
    if is_power(name, &plain) && number {
        return Some(Kind::Power);
    }
    if trivial || number {
        return None;
    }
    if ends(&["password", "passwd", "passphrase", "pwd", "authorization", "cookie"]) {
        return (value.len() >= 3).then_some(Kind::Password);
    }
    let drawn = digit || value.len() >= 16;
    if ends(SECRETS) && value.len() >= 6 && drawn {
        return Some(Kind::Password);
    }
    let word = !value.contains([' ', '/', ':', '(']);
    if HOSTS.contains(&plain.as_str()) && word && is_telling_host(value) {
        return Some(Kind::Host);
    }
    if USERS.contains(&plain.as_str()) && word && is_telling_user(value) {
        return Some(Kind::User);
    }
    let serial = is_serial(&plain);
    let shape = value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b':' | b'_'));
    (serial && value.len() >= 5 && digit && shape).then_some(Kind::Serial)
}

/// A name without marks and capitals.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn is_power(name: &str, plain: &str) -> bool {
    ["[W]", "(W)", "[kW]", "(kW)"].iter().any(|unit| name.ends_with(unit))
        || matches!(name, "W" | "kW" | "mW")
        || POWERS.iter().any(|word| plain.contains(word))
}

fn is_serial(plain: &str) -> bool {
    SERIALS.iter().any(|end| plain.ends_with(end)) || matches!(plain, "sn" | "uuid")
}

/// Whether a name gives away any value.
fn is_telling(name: &str) -> bool {
    let plain = plain(name);
    let last = name.rsplit([' ', '-', '.']).next().unwrap_or_default().to_ascii_lowercase();
    let owner = HOSTS.contains(&last.as_str()) || USERS.contains(&last.as_str());
    owner
        || is_power(name, &plain)
        || is_serial(&plain)
        || SECRETS.iter().any(|end| plain.ends_with(end))
}

/// Finds them in a table whose first line names the columns, with commas, semicolons or tabs between.
pub(super) fn find_in_table(text: &str, hits: &mut Vec<Hit>) {
    let mut lines = text.split_inclusive('\n');
    let head = lines.next().unwrap_or_default();
    let Some(mark) = [',', ';', '\t'].into_iter().find(|mark| head.contains(*mark)) else { return };
    let names: Vec<&str> = head.split(mark).map(str::trim).collect();
    let mut start = head.len();
    for line in lines {
        let mut from = start;
        for (name, cell) in names.iter().zip(line.split(mark)) {
            let value = cell.trim();
            let at = from + cell.find(value).unwrap_or(0);
            if let Some(kind) = kind_of_field(name, value) {
                hits.push(Hit { range: at..at + value.len(), kind });
            }
            from += cell.len() + 1;
        }
        start += line.len();
    }
}

/// Finds them in running text.
pub(super) fn find(text: &str, hits: &mut Vec<Hit>) {
    let mut done = 0;
    for (at, _) in text.bytes().enumerate().filter(|(_, b)| matches!(b, b'=' | b':')) {
        let name = name_before(text, at);
        if at < done || !is_telling(name) {
            continue;
        }
        // `==`, `=>` and `:=` separate as well.
        let from = at + 1 + usize::from(matches!(byte_at(text, at + 1), Some(b'=' | b'>')));
        let from = run(text, from, |b| matches!(b, b' ' | b'\t'));
        done = field(text, name, from, hits);
    }
    for word in ["assword ", "asswd ", "assphrase "] {
        for (at, _) in text.match_indices(word) {
            let from = at + word.len();
            let from = from + if text[from..].starts_with("is ") { 3 } else { 0 };
            let (range, _) = value_at(text, from);
            let value = text[range.clone()].as_bytes();
            let mixed =
                value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic);
            if value.len() >= 6 && mixed {
                hits.push(Hit { range, kind: Kind::Password });
            }
        }
    }
    for (at, _) in text.match_indices("--") {
        let inside = before(text, at).is_some_and(|b| b == b'-' || b.is_ascii_alphanumeric());
        if inside || byte_at(text, at + 2) == Some(b'-') {
            continue;
        }
        let end = run(text, at + 2, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        if end > at + 2 && byte_at(text, end) == Some(b' ') {
            field(text, &text[at + 2..end], run(text, end, |b| b == b' '), hits);
        }
    }
}

/// A field whose value begins at a place, in quotes or not; gives where a value that was found ends.
fn field(text: &str, name: &str, from: usize, hits: &mut Vec<Hit>) -> usize {
    let (range, quoted) = value_at(text, from);
    let value = &text[range.clone()];
    // In code a call or an index follows a name; that is no value.
    let code = !quoted && matches!(byte_at(text, range.end), Some(b'(' | b'['));
    // `user: please` is a sentence, and `host: the` one too.
    let drawn = value.bytes().any(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'));
    let sentence = !quoted && !drawn && matches!(name.trim(), "user" | "User" | "host" | "Host");
    if !code
        && !sentence
        && let Some(kind) = kind_of_field(name, value)
    {
        let end = range.end;
        hits.push(Hit { range, kind });
        return end;
    }
    0
}

/// The words before a separator, quotes and blanks at their end left out.
fn name_before(text: &str, at: usize) -> &str {
    let skip = |b: u8| matches!(b, b' ' | b'"' | b'\'' | b'\\' | b')' | b']');
    let end = run_back(text, at, skip);
    let line = run_back(text, end, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' ' | b'/' | b'(' | b'[')
    });
    let mut from = line.max(end.saturating_sub(NAME_BYTES));
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..end]
}

/// The value that begins at a place: between quotes, or up to a blank or a mark.
fn value_at(text: &str, from: usize) -> (std::ops::Range<usize>, bool) {
    let open = run(text, from, |b| b == b'\\');
    match byte_at(text, open) {
        Some(quote @ (b'"' | b'\'')) => {
            let start = open + 1;
            let end = run(text, start, |b| b != quote && b != b'\n' && b != b'\\');
            (start..end, true)
        }
        _ => {
            let end = run(text, from, |b| {
                b > b' '
                    && !matches!(
                        b,
                        b',' | b';'
                            | b'"'
                            | b'\''
                            | b')'
                            | b'('
                            | b'['
                            | b']'
                            | b'{'
                            | b'}'
                            | b'\\'
                            | b'`'
                    )
            });
            let trimmed = text[from..end].trim_end_matches(['.', ':']).len();
            (from..from + trimmed, false)
        }
    }
}
