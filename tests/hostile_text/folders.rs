//! Hostile race folders, in what their files say and in their names.

use super::common::copy_race;
use super::{EVIL, bounded, folder, long, root, run};
use gauntlet::race::line::{Chain, LogLine};
use gauntlet::store::RaceFiles;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A kept race whose log says hostile things wherever a string stands that the engine takes from outside.
fn evil_race(to: &Path, text: &str, fields: &[&str]) {
    copy_race(Path::new(&root("replays/21-real-gemma-attempt1")), to);
    let log = fs::read_to_string(to.join("log.jsonl")).unwrap();
    let mut chain = Chain::default();
    let lines = log.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        spoil(&mut value, "", text, fields);
        let read: LogLine = serde_json::from_value(value).unwrap();
        let at = gauntlet::clock::Stamp { t_ms: read.t_ms, wall_ms: 0 };
        chain.log(at, read.race_ms, read.event).0
    });
    fs::write(to.join("log.jsonl"), lines.collect::<String>()).unwrap();
    let files = RaceFiles::new(to);
    let result = files.fold(&files.log().unwrap()).unwrap().unwrap();
    fs::write(to.join("result.json"), result.to_json()).unwrap();
    for name in ["verify.txt", "command.txt", "system-prompt.txt"] {
        fs::write(to.join(name), text).unwrap();
    }
}

/// The fields of a log whose text comes from outside.
const OUTSIDE: &[&str] = &[
    "race",
    "name",
    "model",
    "title",
    "read",
    "rule",
    "detail",
    "message",
    "finish_reason",
    "why",
    "process",
    "family",
    "engine",
    "os",
    "cpu",
    "arch",
    "season",
    "prompt_version",
    "prompt_sha256",
    "nonce",
];

fn spoil(value: &mut Value, field: &str, text: &str, spoilt: &[&str]) {
    match value {
        Value::String(it) if spoilt.contains(&field) && !it.starts_with("gauntlet-log") => {
            text.clone_into(it)
        }
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(name, value)| spoil(value, name, text, spoilt));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, field, text, spoilt)),
        _ => {}
    }
}

#[test]
fn hostile_race_folders() {
    let out = folder("evil-races");
    let name = EVIL.replace(['/', '\0'], "");
    evil_race(&out.join("one"), EVIL, OUTSIDE);
    evil_race(&out.join("two"), &long(), OUTSIDE);
    evil_race(&out.join("ranked"), EVIL, &["name", "model", "title"]);
    copy_race(&out.join("one"), &out.join(&name));
    for (number, file) in [
        "season.toml",
        "lane.toml",
        "io.jsonl",
        "log.jsonl",
        "result.json",
        "signature.json",
        "redactions.json",
    ]
    .into_iter()
    .enumerate()
    {
        for (kind, text) in [
            EVIL.to_owned(),
            serde_json::to_string(EVIL).unwrap(),
            format!("{{{0}:{0}}}\n", serde_json::to_string(&long()).unwrap()),
            format!(
                "{{\"format\":{{\"name\":{0},\"major\":1,\"minor\":0}},\"race\":{0}}}\n",
                serde_json::to_string(EVIL).unwrap()
            ),
            String::from("{\"a\":\"\\ud800\"}\n"),
        ]
        .into_iter()
        .enumerate()
        {
            let race = out.join(format!("broken-{number}-{kind}"));
            // Puzzles only: nothing to judge, so verifying is quick.
            copy_race(Path::new(&root("replays/21-hard-pacer-novice-attempt1")), &race);
            fs::write(race.join(file), text).unwrap();
        }
    }
    fs::write(out.join("one").join(&name), EVIL).unwrap();
    let all = out.display().to_string();
    let (code, _) = run(&["verify", &all]);
    assert_eq!(code, 1);
    bounded(&["verify", &all]);
    run(&["verify", &all, "--format", "json"]);
    for more in [&[][..], &["--verify"]] {
        for format in ["table", "csv", "md"] {
            bounded(
                &[&["rank", &root("seasons/21.toml"), &all, "--format", format], more].concat(),
            );
        }
        run(&[&["rank", &root("seasons/21.toml"), &all, "--format", "json"], more].concat());
    }
    let mut races: Vec<String> =
        fs::read_dir(&out).unwrap().map(|it| it.unwrap().path().display().to_string()).collect();
    races.sort();
    for race in &races {
        let said = bounded(&["replay", race, "--instant"]);
        assert!(!race.ends_with("one") || said.contains("gauntlet race: =1+1\\u{1b}]0;"), "{said}");
        run(&["answers", race, "--thinking", "--prompt"]);
        run(&["answers", race, "--format", "csv"]);
        bounded(&["publish", race, "--check", "--show-values"]);
        run(&["publish", race, "--check", "--format", "json"]);
    }
    bounded(&[
        "replay",
        &races[0],
        &out.join("one").display().to_string(),
        &out.join("two").display().to_string(),
        "--plain",
    ]);
    let key = out.join("key").display().to_string();
    run(&["sign", "--new-key", &key]);
    let one = out.join(&name).display().to_string();
    bounded(&["sign", &one, &out.join("one").display().to_string(), "--key", &key]);
    bounded(&["verify", &one]);
}
