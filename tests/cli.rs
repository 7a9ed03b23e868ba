//! The program as a user meets it: whole races of pacers and of a loopback server, bad input, exit codes, what is said.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::server::{self, Server, Step};
use common::{GAUNTLET, Said, gauntlet, root, scratch};
use gauntlet::race::{RaceResult, Status};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A lane file for a server, in a scratch folder that is also the folder for races.
fn lane(out: &Path, base_url: &str, more: &str) -> String {
    fs::create_dir_all(out).unwrap();
    let path = out.join("lane.toml");
    let text = format!(
        "name = \"rig\"\nkind = \"http\"\nmemory_gb = 128\nbase_url = \"{base_url}\"\nmodel = \"m\"\n{more}"
    );
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn race(lane: &str, out: &Path) -> Said {
    gauntlet(&[
        "race",
        "--plain",
        "--format",
        "json",
        "--lane",
        lane,
        "--out",
        &out.display().to_string(),
    ])
}

fn races(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out).into_iter().flatten().map(|it| it.unwrap());
    let mut names: Vec<String> = entries
        .filter(|it| it.path().is_dir())
        .map(|it| it.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_pacer_races_the_same_bytes_twice_and_keeps_its_attempts() {
    let (a, b) = (scratch("pacer"), scratch("pacer"));
    for out in [&a, &b] {
        let done =
            gauntlet(&["race", "--plain", "--format", "json", "--out", &out.display().to_string()]);
        assert_eq!(done.code, 0, "{}", done.err);
        let result: RaceResult = serde_json::from_str(&done.out).unwrap();
        assert_eq!((result.status, result.targets), (Status::Finished, 20));
    }
    let name = "21-pacer-club-attempt1";
    for file in [
        "io.jsonl",
        "log.jsonl",
        "result.json",
        "season.toml",
        "lane.toml",
        "system-prompt.txt",
        "command.txt",
        "verify.txt",
    ] {
        assert_eq!(
            fs::read(a.join(name).join(file)).unwrap(),
            fs::read(b.join(name).join(file)).unwrap(),
            "{file}"
        );
    }
    let before = fs::read(a.join(name).join("log.jsonl")).unwrap();
    assert_eq!(gauntlet(&["race", "--plain", "--out", &a.display().to_string()]).code, 0);
    assert_eq!(races(&a), [name, "21-pacer-club-attempt2"]);
    assert_eq!(fs::read(a.join(name).join("log.jsonl")).unwrap(), before, "nothing is overwritten");
    let verified = gauntlet(&["verify", &a.display().to_string()]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
}

#[test]
fn a_server_that_cannot_be_reached_leaves_nothing_behind() {
    let out = scratch("unreached");
    let lane = lane(&out, "http://127.0.0.1:1/v1", "");
    let said = race(&lane, &out);
    assert_eq!(said.code, 3);
    assert!(
        said.err.contains("did not answer") && said.err.contains("hint: start the server"),
        "{}",
        said.err
    );
    assert!(races(&out).is_empty());
}

#[test]
fn a_server_that_refuses_is_quoted() {
    for (status, body, hint) in [
        ("404 Not Found", r#"{"error":{"message":"model 'm' not found"}}"#, "base_url"),
        ("400 Bad Request", r#"{"error":{"message":"unknown field seed"}}"#, "lane file"),
        ("401 Unauthorized", r#"{"error":"no key"}"#, "api_key_env"),
        ("500 Internal Server Error", "out of \u{1b}[2Jmemory", "log"),
    ] {
        let server = Server::start(vec![vec![
            server::head(status, "application/json"),
            server::write(body),
        ]]);
        let out = scratch("refused");
        let said = race(&lane(&out, &server.base_url(), ""), &out);
        assert_eq!(said.code, 3, "{status}");
        assert!(said.err.contains(hint) && !said.err.contains('\u{1b}'), "{status}: {}", said.err);
        assert!(races(&out).is_empty());
    }
}

fn reply(steps: Vec<Step>) -> Vec<Step> {
    let mut script = vec![server::stream_head()];
    script.extend(steps);
    script
}

fn whole(text: &str) -> Vec<Step> {
    reply(vec![server::text(text), server::finish("stop"), server::done()])
}

#[test]
fn a_server_that_dies_in_the_race_is_a_server_error_and_the_race_goes_on() {
    // Look, zeroing, then every reply closes early; the last script serves all later requests.
    let server = Server::start(vec![
        whole("ok"),
        whole("one, two"),
        reply(vec![server::text("TARGET 1: ")]),
    ]);
    let out = scratch("dies");
    let said = race(&lane(&out, &server.base_url(), ""), &out);
    assert_eq!(said.code, 3, "{}", said.err);
    let result: RaceResult = serde_json::from_str(&said.out).unwrap();
    assert_eq!(result.status, Status::Finished);
    assert_eq!(result.hits, 0);
    assert!(said.err.contains("server error"), "{}", said.err);
    let verified = gauntlet(&["verify", "--format", "json", &out.display().to_string()]);
    assert_eq!(verified.code, 0, "{}", verified.out);
}

#[test]
fn hostile_words_never_reach_the_terminal_raw() {
    let words = "TARGET 1: \u{1b}]0;x\u{7}\u{1b}[2J\u{202e}<script>\n```python\ndef paint(h, w, ops): return '\u{1b}[31m'\n```\n";
    let server = Server::start(vec![whole(words)]);
    let out = scratch("hostile");
    let said = gauntlet(&[
        "race",
        "--lane",
        &lane(&out, &server.base_url(), ""),
        "--out",
        &out.display().to_string(),
    ]);
    for text in [&said.out, &said.err] {
        assert!(!text.contains(['\u{7}', '\u{202e}']) && !text.contains("\u{1b}[2J"), "{text:?}");
    }
    let race = out.join("21-rig-attempt1");
    let replayed = gauntlet(&["replay", &race.display().to_string(), "--instant"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(
        !replayed.out.contains(['\u{7}', '\u{202e}'])
            && !replayed.err.contains(['\u{7}', '\u{202e}'])
    );
    assert_eq!(gauntlet(&["verify", &race.display().to_string()]).code, 0);
}

#[test]
fn wrong_files_and_folders_are_refused_in_words() {
    let out = scratch("wrong");
    fs::create_dir_all(out.join("empty")).unwrap();
    let season = out.join("season.toml");
    fs::write(
        &season,
        fs::read_to_string(root("seasons/21.toml")).unwrap().replace("seed = 21 ", "sead = 21 "),
    )
    .unwrap();
    let bad_lane = out.join("bad.toml");
    fs::write(&bad_lane, "name = \"x\"\nkind = \"http\"\nmemory_bg = 8\n").unwrap();
    let path = |name: &str| out.join(name).display().to_string();
    let cases: Vec<Vec<String>> = [
        vec!["race", "--season", &path("season.toml")],
        vec!["race", "--season", &path("missing.toml")],
        vec!["race", "--lane", &path("bad.toml")],
        vec!["race", "--sesaon", "x"],
        vec!["verify", &path("empty")],
        vec!["replay", &path("empty")],
        vec!["rank", &root("seasons/21.toml"), &path("empty")],
        vec!["task", "show", "--family", "sanke", "--level", "1"],
        vec!["task", "show", "--family", "snake", "--level", "12"],
        vec!["task", "show", "--season", &root("seasons/21.toml"), "--range", "9"],
    ]
    .into_iter()
    .map(|args| args.into_iter().map(str::to_owned).collect())
    .collect();
    let mut all = String::new();
    for args in cases {
        let said = gauntlet(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.out.is_empty(), "{args:?}: {}", said.out);
        let here = out.display().to_string();
        all += &format!("{}\n{}\n", args.join(" "), said.err)
            .replace(&here, "HERE")
            .replace(&root(""), "ROOT/");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_solution_is_graded_as_a_race_would() {
    for range in ["1", "2", "3", "4"] {
        let season = root("seasons/21.toml");
        let solved = gauntlet(&["task", "solve", "--season", &season, "--range", range]);
        let answer = scratch("answer");
        fs::write(&answer, &solved.out).unwrap();
        let graded = gauntlet(&[
            "task",
            "grade",
            "--season",
            &season,
            "--range",
            range,
            "--answer",
            &answer.display().to_string(),
        ]);
        assert_eq!(graded.code, 0, "{}", graded.out);
        assert!(graded.out.contains("5 of 5 targets hit"), "{}", graded.out);
        let nothing = Command::new(GAUNTLET)
            .args(["task", "grade", "--season", &season, "--range", range, "--format", "json"])
            .stdin(std::process::Stdio::null())
            .output();
        let nothing = Said::from(nothing.unwrap());
        assert_eq!(nothing.code, 1);
        assert!(nothing.out.contains("\"hits\": 0"), "{}", nothing.out);
    }
}

#[test]
fn a_new_lane_file_parses_and_is_never_overwritten() {
    let models = vec![
        server::head("200 OK", "application/json"),
        server::write(r#"{"data":[{"id":"Org/My-Model_7B.gguf"}]}"#),
    ];
    let props = r#"{"default_generation_settings":{"n_ctx":8192},"total_slots":1,"chat_template":"enable_thinking"}"#;
    let props = vec![server::head("200 OK", "application/json"), server::write(props)];
    let none = vec![server::head("501 Not Implemented", "text/plain")];
    let server = Server::start(vec![models, props, none]);
    let folder = scratch("lane-new");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("new.toml").display().to_string();
    let url = server.base_url();
    let args = ["lane", "new", "--base-url", &url, "--memory-gb", "24", "--out", &path];
    let made = gauntlet(&args);
    assert_eq!((made.code, made.out), (0, format!("{path}\n")), "{}", made.err);
    assert!(server.seen(|seen| seen.requests[1].starts_with("GET /props HTTP/1.1\r\n")));
    let text = fs::read_to_string(&path).unwrap();
    let lane = gauntlet::lane::file::LaneFile::parse("new.toml", &text).unwrap();
    assert_eq!((lane.name.as_str(), lane.model.as_str()), ("my-model-7b", "Org/My-Model_7B.gguf"));
    assert_eq!((lane.answer_limit_tokens, lane.cache_off.as_deref()), (4096, Some("cache_prompt")));
    let again = gauntlet(&[&args[..], &["--offline", "--name", "x", "--model", "m"]].concat());
    assert_eq!(again.code, 2);
    assert!(again.err.contains("it is left as it is"), "{}", again.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_new_lane_file_wants_its_flags() {
    let bare = gauntlet(&["lane", "new", "--offline"]);
    assert_eq!(bare.code, 2);
    let missing = "missing --base-url, --model, --name, --memory-gb";
    assert!(bare.err.contains(missing), "{}", bare.err);
    let folder = scratch("lane-new");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("x.toml").display().to_string();
    let url = "http://127.0.0.1:1/v1";
    let with = |name: &str, more: &[&str]| {
        let mut args =
            vec!["lane", "new", "--base-url", url, "--model", "a\"b", "--memory-gb", "8"];
        args.extend(["--name", name, "--out", &path]);
        args.extend(more);
        gauntlet(&args)
    };
    assert_eq!(with("No Good", &["--offline"]).code, 2);
    assert!(!Path::new(&path).exists());
    let gone = with("good", &["--thinking-switch", "think", "--forced", "continue"]);
    assert_eq!(gone.code, 0, "a server that is not there is no reason to fail: {}", gone.err);
    let text = fs::read_to_string(&path).unwrap();
    let lane = gauntlet::lane::file::LaneFile::parse("x.toml", &text).unwrap();
    assert_eq!(lane.model, "a\"b");
}
