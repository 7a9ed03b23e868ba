//! Text from models, servers and strangers' files, in every place where it is shown: every command is run on hostile text, and the
//! raw bytes of stdout and stderr are looked at. Nothing of it may act on a terminal, end a cell, or turn the reading direction.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

#[path = "../common/mod.rs"]
mod common;
mod files;
mod folders;

use common::server::{self, Server};
use common::{GAUNTLET, root, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Window title, clear screen, colours, C1 codes, bidi marks, invisible characters, a script, a formula.
const EVIL: &str = "=1+1\u{1b}]0;pwned\u{7}\u{1b}[2J\u{1b}[31m\u{9b}1m\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{2028}\u{8}\u{7f}\r\n<script>alert(1)</script>|`x`\u{0}";

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A very long line of hostile text.
fn long() -> String {
    format!("{EVIL}{}", "long ".repeat(20_000))
}

/// Runs a command and looks at every byte that it writes; gives its exit code and what it said.
fn run(args: &[&str]) -> (i32, String) {
    run_with(&[], args)
}

fn run_with(env: &[(&str, &str)], args: &[&str]) -> (i32, String) {
    // With colours, so that no escape is stripped on its way into the pipe; our own colours are taken out below.
    let mut command = Command::new(GAUNTLET);
    let output =
        command.args(args).env("CLICOLOR_FORCE", "1").envs(env.iter().copied()).output().unwrap();
    let code = output.status.code().unwrap_or(-1);
    assert!(
        (0..=4).contains(&code),
        "{args:?}: {code}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut all = String::new();
    for (stream, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
        let text =
            String::from_utf8(bytes).unwrap_or_else(|_| panic!("{args:?}: {stream} is no UTF-8"));
        tame(&text, &format!("{args:?}: {stream}"));
        assert!(!text.contains("panicked"), "{args:?}: {text}");
        all += &text;
    }
    (code, all)
}

/// A text without the sequences that set colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match rest.strip_prefix('m') {
            Some(rest) => out += rest,
            None => out += &format!("\u{1b}[{part}"),
        }
    }
    out
}

fn tame(text: &str, place: &str) {
    let unix = without_colours(&text.replace("\r\n", "\n"));
    let wild = unix.chars().position(|c| {
        c != '\n' && (c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'))
    });
    if let Some(at) = wild {
        let from = at.saturating_sub(80);
        panic!("{place}: {:?}", unix.chars().skip(from).take(120).collect::<String>());
    }
}

/// The lines that people read are bounded, however long a name is.
fn bounded(args: &[&str]) -> String {
    let (_, said) = run(args);
    let longest = said.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(longest < 2_000, "{args:?}: a line of {longest} characters");
    said
}

/// Hostile text inside a TOML string.
fn toml(text: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\' || c == ' ';
    let one = |c: char| if plain(c) { c.to_string() } else { format!("\\U{:08X}", u32::from(c)) };
    format!("\"{}\"", text.chars().map(one).collect::<String>())
}

fn lane_file(out: &Path, base_url: &str, more: &str) -> String {
    let path = out.join("lane.toml");
    let text = format!(
        "name = \"evil\"\ntitle = {1}\nkind = \"http\"\nmemory_gb = 64\nbase_url = \"{base_url}\"\nmodel = {0}\n{more}\n[setup]\nhardware = {0}\nengine = {0}\n",
        toml(&long()),
        toml(&EVIL.replace(char::is_control, ""))
    );
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn event(delta: &Value, finish: Option<&str>) -> server::Step {
    let body =
        serde_json::json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    server::write(&format!("data: {body}\n\n"))
}

fn evil_reply() -> Vec<server::Step> {
    vec![
        server::stream_head(),
        event(&serde_json::json!({"reasoning_content": long()}), None),
        server::write(
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\ud800 TARGET 1: \\udfff\\u0000\"}}]}\n\n",
        ),
        event(
            &serde_json::json!({"content": format!("{EVIL}\nTARGET 2: {}\nTARGET 3: {EVIL}\n```python\ndef paint(h, w, ops):\n    raise ValueError({:?})\n```\n", long(), "\u{1b}[2J\u{202e}")}),
            None,
        ),
        server::write(&format!("{}\n\n", EVIL.replace(['\r', '\n'], ""))),
        event(&serde_json::json!({}), Some(EVIL)),
        server::done(),
    ]
}

fn evil_error() -> Vec<server::Step> {
    let body = serde_json::json!({"error": {"message": long(), "type": EVIL, "code": EVIL}});
    vec![
        server::head("500 Internal Server Error", "application/json"),
        server::write(&body.to_string()),
    ]
}

#[test]
fn a_hostile_server() {
    let out = folder("evil-server");
    let races = out.display().to_string();
    let race = out.join("21-evil-attempt1").display().to_string();
    let second = out.join("21-evil-attempt2").display().to_string();
    let server =
        Server::start(vec![evil_reply(), evil_reply(), evil_reply(), evil_error(), evil_reply()]);
    let lane = lane_file(&out, &server.base_url(), "");
    // The fourth reply is an error page: one range of the first race fails.
    for (due, more) in [(3, &["--plain"][..]), (0, &[]), (0, &["--format", "json"])] {
        let (code, said) = run(&[&["race", "--lane", &lane, "--out", &races], more].concat());
        assert_eq!(code, due, "{said}");
    }
    let season = root("seasons/21.toml");
    let public = out.join("public").display().to_string();
    let prompt = EVIL.trim_end_matches('\0');
    for (due, args) in [
        (0, vec!["verify", &races]),
        (0, vec!["replay", &race, "--instant"]),
        (0, vec!["replay", &race, &second, "--plain"]),
        (0, vec!["rank", &season, &races]),
        (0, vec!["rank", &season, &races, "--format", "csv"]),
        (0, vec!["rank", &season, &races, "--format", "md"]),
        (0, vec!["publish", &race, "--check", "--show-values"]),
        (0, vec!["publish", &race, "--out", &public]),
        (0, vec!["verify", &public]),
        (0, vec!["lane", "check", &lane]),
    ] {
        let said = bounded(&args);
        assert_eq!(run(&args).0, if args.contains(&"--out") { 2 } else { due }, "{args:?}: {said}");
    }
    for (due, args) in [
        (0, vec!["verify", &races, "--format", "json"]),
        (0, vec!["answers", &race, "--thinking", "--prompt"]),
        (0, vec!["answers", &race, "--format", "csv"]),
        (0, vec!["answers", &race, "--format", "md"]),
        (0, vec!["answers", &race, "--thinking", "--format", "json"]),
        (0, vec!["replay", &race, &second, "--format", "csv"]),
        (0, vec!["rank", &season, &races, "--format", "json"]),
        (0, vec!["publish", &race, "--check", "--format", "json"]),
        (0, vec!["lane", "check", &lane, "--format", "json"]),
        (0, vec!["lane", "ask", &lane, "--prompt", prompt]),
        (0, vec!["lane", "ask", &lane, "--prompt", prompt, "--format", "json"]),
    ] {
        let (code, said) = run(&args);
        assert_eq!(code, due, "{args:?}: {said}");
    }
    for reply in [
        evil_error(),
        vec![
            server::head(&EVIL.replace(['\r', '\n', '\0'], ""), "text/html"),
            server::write(&long()),
        ],
        vec![server::stream_head(), server::write(&long())],
    ] {
        let server = Server::start(vec![reply]);
        let lane = lane_file(&out, &server.base_url(), "");
        bounded(&["race", "--lane", &lane, "--out", &races, "--plain"]);
        bounded(&["lane", "check", &lane]);
        for args in
            [["race", "--lane", &lane, "--out", &races], ["lane", "ask", &lane, "--prompt", "x"]]
        {
            let (code, said) = run(&args);
            assert_eq!(code, 3, "{args:?}: {said}");
        }
    }
    let models = serde_json::json!({"data": [{"id": long()}, {"id": EVIL}]});
    let server = Server::start(vec![vec![
        server::head("200 OK", "application/json"),
        server::write(&models.to_string()),
    ]]);
    let (url, file) = (server.base_url(), out.join("new.toml").display().to_string());
    let new =
        ["lane", "new", "--base-url", &url, "--memory-gb", "8", "--name", "x", "--out", &file];
    let said = bounded(&new);
    assert!(said.contains("the server lists: =1+1\\u{1b}]0;pwned"), "{said}");
}

#[test]
fn hostile_arguments_answers_and_code() {
    let out = folder("evil-arguments");
    let evil = EVIL.replace('\0', "");
    let here = out.join(evil.replace('/', "")).display().to_string();
    let (season, kept) = (root("seasons/21.toml"), root("replays/21-pacer-club-attempt1"));
    for args in [
        vec![evil.as_str()],
        vec!["race", &evil],
        vec!["race", "--lane", &here],
        vec!["race", "--season", &here],
        vec!["race", "--out", &here],
        vec!["race", "--plain", "--out", &here],
        vec!["verify", &here],
        vec!["replay", &here],
        vec!["replay", &kept, &here],
        vec!["replay", &kept, &evil],
        vec!["answers", &here],
        vec!["man", &evil],
        vec!["schema", &evil],
        vec!["rank", &season, &here],
        vec!["race", "--format", &evil],
        vec!["replay", &here],
        vec!["replay", &here, "--speed", &evil],
        vec!["verify", &here],
        vec!["verify", &season, "--key", &evil],
        vec!["verify", &season, "--sealed", &here],
        vec!["verify", &season, "--openings", &here],
        vec!["rank", &here, &here],
        vec!["rank", &season, &here],
        vec!["rank", &season, &here, "--class", &evil],
        vec!["task", "show", "--family", &evil, "--level", "1"],
        vec!["task", "show", "--season", &here, "--range", "1"],
        vec!["task", "dial", &evil],
        vec!["lane", "check", &here],
        vec!["lane", "ask", &here, "--prompt", &evil],
        vec![
            "lane",
            "new",
            "--offline",
            "--base-url",
            &evil,
            "--model",
            &evil,
            "--memory-gb",
            "8",
            "--name",
            &evil,
            "--out",
            &here,
        ],
        vec![
            "lane",
            "new",
            "--offline",
            "--base-url",
            "http://127.0.0.1:1/v1",
            "--model",
            &evil,
            "--memory-gb",
            "8",
            "--name",
            "x",
            "--out",
            &here,
        ],
        vec!["season", "seal", &here, "--secret", &here, "--out", &here],
        vec!["season", "seal", &season, "--secret", &here, "--out", &season],
        vec!["season", "reveal", &season, "--secret", &here, "--out", &here],
        vec!["sign", &here, "--key", &here],
        vec!["sign", "--new-key", &format!("{here}/x")],
        vec!["publish", &here, "--check"],
        vec!["publish", &here, "--out", &here, "--rules", &here],
        vec!["judge", "--code", &here, "--function", &evil, "--input", &evil],
    ] {
        run(&args);
    }
    let answer = out.join("answer.txt").display().to_string();
    fs::write(&answer, format!("TARGET 1: {}\nTARGET 2: {EVIL}\n<think>{EVIL}", long())).unwrap();
    for format in ["text", "json"] {
        let (code, _) = run(&[
            "task", "grade", "--season", &season, "--range", "1", "--answer", &answer, "--format",
            format,
        ]);
        assert_eq!(code, 1);
    }
    let code = out.join("code.py").display().to_string();
    for body in [
        "return '\\x1b]0;x\\x07\\u202e\\x00<script>' + 'long' * 20000",
        "raise ValueError('\\x1b[2J\\u202e\\u2028' * 1000)",
        "import \u{202e}x",
        "return ['\\ud800']",
    ] {
        fs::write(&code, format!("def f(a):\n    {body}\n")).unwrap();
        for format in ["text", "json"] {
            run(&[
                "judge",
                "--code",
                &code,
                "--function",
                "f",
                "--input",
                "[1]",
                "--format",
                format,
            ]);
        }
    }
    run_with(&[("COLUMNS", "40"), ("GAUNTLET_X", EVIL.trim_end_matches('\0'))], &["verify", &here]);
}
