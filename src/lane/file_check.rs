//! The rules that a lane file's fields keep beyond their type, each broken one with its line and what to write instead.
//!
//! Called by `file` alone.

use super::file::{LaneFile, LaneKind, Switch};
use crate::toml_file::FileError;
use serde_json::{Map, Value};

impl LaneFile {
    /// Whether the address of the server is this host.
    #[must_use]
    pub fn is_here(&self) -> bool {
        let rest = self.base_url.split_once("://").map_or("", |(_, rest)| rest);
        let host = rest.split('/').next().unwrap_or("");
        let host = host.rsplit_once(':').map_or(host, |(name, _)| name);
        matches!(host, "localhost" | "[::1]") || host.starts_with("127.")
    }

    /// Whether foreign load is watched during a race: the server is here, its processes are named, and nobody switched it off.
    #[must_use]
    pub fn watches_load(&self) -> bool {
        self.load_guard && self.is_here() && !self.setup.server_processes.is_empty()
    }
}

/// Words that stand beside the names of lanes and mean something else.
const RESERVED: [&str; 2] = ["none", "published"];

/// Fields of a request that gauntlet writes itself.
const OWN: [&str; 9] = [
    "model",
    "messages",
    "stream",
    "stream_options",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "n",
    "tools",
];

/// Sampling numbers that may be below zero.
const SIGNED: [&str; 2] = ["presence_penalty", "frequency_penalty"];

/// Where an error is put.
struct Place<'a> {
    file: &'a str,
    text: &'a str,
}

impl Place<'_> {
    fn error(&self, path: &[&str], what: impl Into<String>) -> FileError {
        FileError::at(self.file, self.text, path, what)
    }
}

/// Checks all fields, in the order of the file's documentation.
pub(super) fn check(lane: &LaneFile, file: &str, text: &str) -> Result<(), FileError> {
    let place = Place { file, text };
    names(lane, &place)?;
    numbers(lane, &place)?;
    match lane.kind {
        LaneKind::Http => server(lane, &place)?,
        LaneKind::Sim => match &lane.sim {
            Some(sim) => {
                sim.check().map_err(|(path, what)| {
                    place.error(&[&["sim"], path.as_slice()].concat(), what)
                })?;
            }
            None => {
                return Err(place
                    .error(&["kind"], "a simulated lane needs a [sim] section")
                    .hint("copy the one of lanes/pacer-club.toml"));
            }
        },
    }
    Ok(())
}

fn names(lane: &LaneFile, place: &Place<'_>) -> Result<(), FileError> {
    let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '-';
    let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let name = &lane.name;
    if name.is_empty()
        || name.len() > 64
        || !name.chars().all(safe)
        || !name.starts_with(edge)
        || !name.ends_with(edge)
    {
        return Err(place
            .error(&["name"], "`name` becomes part of file names and must be safe for them")
            .hint("use 1 to 64 of a-z, 0-9, `.` and `-`, a letter or digit first and last; `title` is for people"));
    }
    if RESERVED.contains(&name.as_str()) {
        return Err(place
            .error(
                &["name"],
                format!("`name` is {name}, a word that `--ghost` and the tables need"),
            )
            .hint("name it after its model and its machine, for instance qwen-1.5b-mac-m5"));
    }
    if lane.title.chars().count() > 100 || lane.title.chars().any(char::is_control) {
        return Err(place.error(&["title"], "`title` is one line of at most 100 characters"));
    }
    if let Some(variable) = &lane.api_key_env {
        let named = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let key_like = variable.starts_with("sk_") || variable.len() > 64;
        if key_like
            || !variable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            || !variable.chars().all(named)
        {
            // The value is not shown: it may be the key.
            return Err(place
                .error(&["api_key_env"], "`api_key_env` is no name of an environment variable")
                .hint(
                    "write the variable's name, for instance GAUNTLET_KEY, never the key itself",
                ));
        }
    }
    Ok(())
}

fn numbers(lane: &LaneFile, place: &Place<'_>) -> Result<(), FileError> {
    if !(1..=1_048_576).contains(&lane.memory_gb) {
        return Err(place
            .error(&["memory_gb"], "`memory_gb` is outside 1 to 1048576")
            .hint("give the memory of the whole rig in GB, for instance 24"));
    }
    if !(1..=10_000_000).contains(&lane.answer_limit_tokens) {
        return Err(
            place.error(&["answer_limit_tokens"], "`answer_limit_tokens` is outside 1 to 10000000")
        );
    }
    for (name, number) in lane.sampling.given() {
        let text = number.to_string();
        // -1 is how some servers are told to use no top_k.
        let allowed = SIGNED.contains(&name) || (name == "top_k" && text == "-1");
        if text.starts_with('-') && !allowed {
            return Err(place.error(&["sampling", name], format!("`{name}` is below zero")));
        }
    }
    let limits = &lane.limits;
    for (name, value, most) in [
        ("connect_ms", limits.connect_ms, DAY_MS),
        ("first_byte_ms", limits.first_byte_ms, DAY_MS),
        ("stall_ms", limits.stall_ms, DAY_MS),
        ("total_ms", limits.total_ms, DAY_MS),
        ("reply_bytes", limits.reply_bytes, 1 << 30),
        ("line_bytes", limits.line_bytes, 1 << 30),
    ] {
        if !(1..=most).contains(&value) {
            return Err(place.error(&["limits", name], format!("`{name}` is outside 1 to {most}")));
        }
    }
    Ok(())
}

const DAY_MS: u64 = 86_400_000;

fn server(lane: &LaneFile, place: &Place<'_>) -> Result<(), FileError> {
    if lane.sim.is_some() {
        return Err(place
            .error(&["sim"], "a lane of kind `http` has no [sim] section")
            .hint("a pacer with this speed is a lane file of its own, kind = \"sim\""));
    }
    if lane.base_url.is_empty() {
        return Err(place
            .error(&["kind"], "missing field `base_url`")
            .hint("for instance base_url = \"http://127.0.0.1:8080/v1\""));
    }
    if let Err(what) = address(&lane.base_url) {
        return Err(place
            .error(&["base_url"], what)
            .hint("for instance base_url = \"http://127.0.0.1:8080/v1\""));
    }
    if lane.model.is_empty() {
        return Err(place
            .error(&["kind"], "missing field `model`")
            .hint("the name that the server lists under /models"));
    }
    if let Some(path) = &lane.cache_off {
        request_path(path).map_err(|what| place.error(&["cache_off"], what))?;
    }
    switch(lane, place)?;
    for (section, table) in [("extra", &lane.extra), ("forced_extra", &lane.forced_extra)] {
        own_fields(section, table, lane, place)?;
    }
    Ok(())
}

fn switch(lane: &LaneFile, place: &Place<'_>) -> Result<(), FileError> {
    match &lane.thinking.switch {
        Switch::None => {}
        Switch::SystemPrompt => {
            for (name, value) in lane.thinking.given() {
                if value.is_some_and(|value| !value.is_string()) {
                    return Err(place.error(
                        &["thinking", name],
                        format!("`{name}` is the words for the system prompt, a string"),
                    ));
                }
            }
        }
        Switch::Field(path) => request_path(path).map_err(|what| {
            place.error(&["thinking", "switch"], what).hint(
                "`none`, `system_prompt`, or a request field such as `chat_template_kwargs.enable_thinking`, `reasoning_effort` or `think`",
            )
        })?,
    }
    Ok(())
}

/// A dotted path of a request that does not run into a field of ours.
fn request_path(path: &str) -> Result<(), String> {
    let named = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let parts: Vec<&str> = path.split('.').collect();
    if parts.len() > 8 || parts.iter().any(|part| part.is_empty() || !part.chars().all(named)) {
        return Err(format!("`{}` is no name of a request field", super::chunk::short(path, 60)));
    }
    if OWN.contains(&parts[0]) {
        return Err(format!("`{}` is written by gauntlet itself", parts[0]));
    }
    Ok(())
}

fn own_fields(
    section: &str,
    table: &Map<String, Value>,
    lane: &LaneFile,
    place: &Place<'_>,
) -> Result<(), FileError> {
    for name in table.keys() {
        let sampled = lane.sampling.given().any(|(sampled, _)| sampled == name);
        if OWN.contains(&name.as_str()) || sampled {
            return Err(place
                .error(&[section, name], format!("`{name}` is written by gauntlet itself"))
                .hint(if sampled {
                    "it stands in [sampling] already"
                } else {
                    "take it out; the lane file's own fields decide it"
                }));
        }
    }
    Ok(())
}

/// An address without a secret, a query or a blank in it.
fn address(url: &str) -> Result<(), &'static str> {
    let rest = url
        .strip_prefix("http://")
        .or_else(|| url.strip_prefix("https://"))
        .ok_or("`base_url` begins with http:// or https://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    if host.contains('@') {
        return Err("`base_url` holds a user or a password; a key belongs in `api_key_env`");
    }
    if host.is_empty() || host.starts_with(':') {
        return Err("`base_url` names no host");
    }
    if url.contains(['?', '#']) || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("`base_url` is an address without `?`, `#` or blanks");
    }
    if rest.ends_with("/chat/completions") {
        return Err("`base_url` ends before /chat/completions");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"http://127.0.0.1:1/v1/\"\nmodel = \"m\"\n";

    #[test]
    fn the_least_file_is_enough() {
        let lane = LaneFile::parse("x.toml", LEAST).unwrap();
        assert_eq!(lane.base_url, "http://127.0.0.1:1/v1");
        assert_eq!((lane.title.as_str(), lane.seed, lane.answer_limit_tokens), ("x", 42, 16_384));
        assert!(lane.thinks());
    }

    #[test]
    fn mistakes_are_said_with_place_and_hint() {
        let with = |more: &str| format!("{LEAST}{more}");
        let instead = |old: &str, new: &str| LEAST.replace(old, new);
        let cases = [
            instead("memory_gb", "memory_bg"),
            instead("memory_gb = 8\n", ""),
            instead("= 8", "= 0"),
            instead("\"http\"", "\"htpp\""),
            instead("\"x\"", "\"My Lane\""),
            instead("\"x\"", "\"../x\""),
            instead("\"x\"", "\"published\""),
            instead("http://", "ftp://"),
            instead("127.0.0.1", "me:word@127.0.0.1"),
            instead("/v1/", "/v1/chat/completions"),
            instead("model = \"m\"\n", ""),
            instead("base_url = \"http://127.0.0.1:1/v1/\"\n", ""),
            instead("\"http\"", "\"sim\""),
            with("api_key = \"sk-secret\"\n"),
            with("api_key_env = \"sk-secret-0123\"\n"),
            with("max_tokens = 5\n"),
            with("[sampling]\ntemprature = 1.0\n"),
            with("[sampling]\ntemperature = -1.0\n"),
            with("[sampling]\ntemperature = nan\n"),
            with("[sampling]\ntop_p = \"high\"\n"),
            with("[thinking]\nswitch = \"messages.think\"\n"),
            with("[thinking]\nswitch = \"no think\"\n"),
            with("[thinking]\nswitch = \"system_prompt\"\noff = false\n"),
            with("[extra]\nstream = false\n"),
            with("[extra]\nday = 2026-01-01\n"),
            with("[extra.deep]\nx = [1.0, inf]\n"),
            with("[limits]\nstall_ms = 0\n"),
            with("[setup]\nhardwear = \"x\"\n"),
        ];
        let said: Vec<String> = cases
            .iter()
            .map(|text| LaneFile::parse("x.toml", text).unwrap_err().to_string())
            .collect();
        assert!(!said.iter().any(|line| line.contains("secret")), "a key is never shown");
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn numbers_below_zero_where_servers_know_them() {
        let text = format!("{LEAST}[sampling]\ntop_k = -1\npresence_penalty = -0.5\n");
        assert!(LaneFile::parse("x.toml", &text).is_ok());
    }

    proptest::proptest! {
        #[test]
        fn no_file_does_harm(
            cut in 0_usize..200,
            more in r#"\PC{0,3}(\[(sampling|thinking|extra|sim|limits)\]\n)?(switch|on|top_k|x|model|seed) = [-\[{"0-9a-z.é]{0,6}\n"#,
            mark in proptest::bool::ANY,
        ) {
            let cut = LEAST.floor_char_boundary(cut);
            let mark = if mark { "\u{feff}" } else { "" };
            let text = format!("{mark}{}{more}{}", &LEAST[..cut], &LEAST[cut..]);
            if let Err(error) = LaneFile::parse("x.toml", &text) {
                proptest::prop_assert!(!error.what.contains('\n'), "{}", error);
            }
        }
    }
}
