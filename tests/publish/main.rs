//! Publishing a race: everything private is found in every file, nothing of it is in the copy, and the copy still verifies.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

#[path = "../common/mod.rs"]
mod common;
mod secrets;

use common::server::{self, Server};
use common::{GAUNTLET, fine, gauntlet, root, scratch};
use secrets::secrets;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const KEPT: &str = "21-pacer-novice-attempt1";

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn copied(name: &str) -> PathBuf {
    let to = scratch(name);
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(root(&format!("replays/{KEPT}"))).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    to
}

fn bytes_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap());
    let mut all: Vec<_> = entries
        .map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap()))
        .collect();
    all.sort();
    all
}

/// Puts a sentence into a file in the file's own way.
fn plant(path: &Path, sentence: &str) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let old = fs::read_to_string(path).unwrap();
    let json = serde_json::to_string(sentence).unwrap();
    let new = match name {
        // In the pieces of a reply, five characters each.
        "io.jsonl" => {
            let letters: Vec<char> = sentence.chars().chain(" ".chars()).collect();
            let pieces: String = letters
                .chunks(5)
                .map(|piece| {
                    let text = serde_json::to_string(&piece.iter().collect::<String>()).unwrap();
                    format!("{{\"input\":{{\"type\":\"chunk\",\"chunk\":{{\"type\":\"delta\",\"channel\":\"answer\",\"text\":{text}}}}}}}\n")
                })
                .collect();
            format!("{old}{{\"input\":{{\"type\":\"request\"}}}}\n{pieces}")
        }
        "log.jsonl" => format!("{old}{{\"event\":{{\"type\":\"void\",\"why\":{json}}}}}\n"),
        "result.json" => {
            let mut result: Value = serde_json::from_str(&old).unwrap();
            result["notes"].as_array_mut().unwrap().push(sentence.into());
            serde_json::to_string_pretty(&result).unwrap()
        }
        _ => format!("{old}# {sentence}\n"),
    };
    assert_ne!(old, new, "{name}");
    fs::write(path, new).unwrap();
}

#[test]
fn fifty_secrets_are_found_in_every_file() {
    let race = copied("planted");
    let secrets = secrets();
    assert_eq!(secrets.len(), 50);
    let names: Vec<String> = bytes_of(&race).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 8);
    for name in &names {
        for (sentence, _) in &secrets {
            plant(&race.join(name), sentence);
        }
    }
    let before = bytes_of(&race);
    let said = gauntlet(&["publish", &text(&race), "--check", "--show-values", "--format", "json"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    let findings = found["findings"].as_array().unwrap();
    let mut missed = Vec::new();
    for name in &names {
        let values: Vec<&str> = findings
            .iter()
            .filter(|it| it["file"] == name.as_str() && it["line"].as_u64() > Some(0))
            .map(|it| it["value"].as_str().unwrap())
            .collect();
        missed.extend(
            secrets
                .iter()
                .filter(|(_, part)| !values.iter().any(|value| value.contains(part.as_str())))
                .map(|(_, part)| format!("{name}: {part}")),
        );
    }
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
    assert_eq!(bytes_of(&race), before, "looking changes nothing");
    let shown = gauntlet(&["publish", &text(&race), "--check"]).out;
    for (_, part) in secrets.iter().filter(|(_, part)| part.len() > 12) {
        assert!(!shown.contains(part.as_str()), "{part} is shown by its ends alone");
    }
}

#[test]
fn kept_races_raise_no_false_alarm_and_are_copied_as_they_are() {
    let mut races = 0;
    for entry in fs::read_dir(root("replays")).unwrap() {
        let race = entry.unwrap().path();
        if race.is_dir() {
            let said = gauntlet(&["publish", &text(&race), "--check"]);
            assert_eq!(
                (said.code, said.out.as_str()),
                (0, "0 found, 0 kept by rules\n"),
                "{}",
                text(&race)
            );
            races += 1;
        }
    }
    assert!(races >= 7);
    let out = scratch("clean").join("copy");
    let race = root(&format!("replays/{KEPT}"));
    fine(&["publish", &race, "--out", &text(&out)]);
    for (name, bytes) in bytes_of(Path::new(&race)) {
        if name != "verify.txt" {
            assert!(fs::read(out.join(&name)).unwrap() == bytes, "{name}");
        }
    }
    let said = fine(&["verify", &text(&out)]);
    assert!(said.out.contains("a published copy in which nothing was replaced"), "{}", said.out);
    let again = gauntlet(&["publish", &race, "--out", &text(&out)]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("is there already"), "{}", again.err);
}

/// A race of a server that tells secrets, on a lane file that holds some.
fn leaky_race(out: &Path) -> PathBuf {
    fs::create_dir_all(out).unwrap();
    let all: String = secrets().iter().map(|(sentence, _)| format!("{sentence}\n")).collect();
    let letters: Vec<char> = all.chars().collect();
    let mut script = vec![server::stream_head()];
    script.extend(letters.chunks(7).map(|piece| server::text(&piece.iter().collect::<String>())));
    script.extend([server::text("TARGET 1: A\n"), server::finish("stop"), server::done()]);
    let refuse = vec![
        server::head("500 Internal Server Error", "application/json"),
        server::write(
            r#"{"error":{"message":"cannot load /home/maralind/m.gguf from 10.20.30.40"}}"#,
        ),
    ];
    let plain =
        vec![server::stream_head(), server::text("ok"), server::finish("stop"), server::done()];
    let server = Server::start(vec![plain.clone(), plain, script.clone(), refuse, script]);
    let notes: String = secrets().iter().map(|(sentence, _)| format!("{sentence} // ")).collect();
    let lane = out.join("lane.toml");
    let text = format!(
        "# mara.lindqvist@skola.example.se wrote this\nname = \"leaky\"\ntitle = \"The rig of maralind\"\nkind = \"http\"\nmemory_gb = 64\n\
         base_url = \"{}\"\nmodel = \"/home/maralind/models/m.gguf\"\n\n[extra]\nuser = \"maralind\"\n\n[setup]\nstart = \"llama-server --api-key local-9f8e7d\"\n\
         hardware = \"8 GPUs, 2800 W\"\nnotes = {}\n",
        server.base_url(),
        serde_json::to_string(&notes).unwrap(),
    );
    fs::write(&lane, text).unwrap();
    let said = gauntlet(&[
        "race",
        "--plain",
        "--lane",
        &lane.display().to_string(),
        "--out",
        &out.display().to_string(),
    ]);
    assert_eq!(said.code, 3, "a range fails: {}", said.err);
    out.join("21-leaky-attempt1")
}

#[test]
fn a_leaky_race_is_published_clean_and_verifies() {
    let out = scratch("leaky");
    let race = leaky_race(&out);
    fs::write(race.join("photo.jpg"), b"\xff\xd8\xff\xe0 kvarnrig").unwrap();
    fs::write(race.join("power.csv"), "time, W\n1, 412.7 W\n2, 318.25\nhost kvarnrig\n").unwrap();
    fs::write(race.join("maralind.txt"), "nothing\n").unwrap();
    fs::write(race.join("more.json"), "{\"power_draw\": 412.7, \"b\": \"\\u006daralind\"}")
        .unwrap();
    let before = bytes_of(&race);
    let (public, openings) = (out.join("public"), out.join("openings"));
    let said =
        fine(&["publish", &text(&race), "--out", &text(&public), "--openings", &text(&openings)]);
    assert!(said.out.contains("; replaced: "), "{}", said.out);
    assert_eq!(bytes_of(&race), before, "the original is never touched");
    let mut left = Vec::new();
    for (name, bytes) in bytes_of(&public) {
        let words = String::from_utf8(bytes).unwrap();
        for (_, part) in secrets() {
            let json = serde_json::to_string(&part).unwrap();
            if words.contains(&part) || words.contains(json.trim_matches('"')) {
                left.push(format!("{name}: {part}"));
            }
        }
    }
    assert!(left.is_empty(), "still there:\n{}", left.join("\n"));
    // A digest of a changed file would let its secrets be guessed: none may stand anywhere.
    for (name, bytes) in &before {
        let digest = gauntlet::digest::sha256_hex(bytes);
        let same = fs::read(public.join(name)).is_ok_and(|copy| copy == *bytes);
        for (place, words) in bytes_of(&public) {
            let told = String::from_utf8(words).unwrap().contains(&digest);
            assert!(!told || same, "{place} tells the digest of {name}");
        }
    }
    let names: Vec<String> = bytes_of(&public).into_iter().map(|(name, _)| name).collect();
    assert!(!names.iter().any(|name| name == "photo.jpg" || name == "maralind.txt"), "{names:?}");
    let readme = fs::read_to_string(public.join("README.md")).unwrap();
    assert!(readme.contains("Held back: photo.jpg: not UTF-8"), "{readme}");
    assert!(
        readme.contains("Held back: redacted-user-")
            && readme.contains("its name cannot be published")
    );

    let said = fine(&["verify", &text(&public), "--openings", &text(&openings)]);
    assert!(
        said.out.contains("a published copy: ") && said.out.contains("replaced values are opened"),
        "{}",
        said.out
    );
    let counts = |folder: &Path| {
        let result: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("result.json")).unwrap()).unwrap();
        (result["hits"].clone(), result["finish_ms"].clone(), result["thinking_ms"].clone())
    };
    assert_eq!(counts(&public), counts(&race));
    let wrong = fs::read_to_string(&openings).unwrap().replacen("maralind", "maralinda", 1);
    fs::write(&openings, wrong).unwrap();
    assert_eq!(gauntlet(&["verify", &text(&public), "--openings", &text(&openings)]).code, 1);
    // The copy can be signed, raced against and published again.
    fine(&["replay", &text(&public), "--instant"]);
    fine(&["publish", &text(&public), "--check"]);
}

#[test]
fn what_cannot_be_published_is_refused_and_leaves_nothing() {
    let out = scratch("refused");
    fs::create_dir_all(&out).unwrap();
    let public = out.join("public");
    let forged = copied("forged-publish");
    let log = fs::read_to_string(forged.join("log.jsonl")).unwrap();
    fs::write(forged.join("log.jsonl"), log.replacen("\"wrong\"", "\"hit\"", 1)).unwrap();
    let said = gauntlet(&["publish", &text(&forged), "--out", &text(&public)]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("does not verify, and is not published"), "{}", said.err);

    // A word of the lane's name, and one that the answers need.
    let rules = out.join("rules.toml");
    let race = copied("named");
    let with = |word: &str| {
        fs::write(&rules, format!("format = {{ name = \"gauntlet-rules\", major = 1, minor = 0 }}\n[[replace]]\nword = \"{word}\"\n")).unwrap();
        gauntlet(&["publish", &text(&race), "--out", &text(&public), "--rules", &text(&rules)])
    };
    let said = with("novice");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("the race's own id holds"), "{}", said.err);
    let said = with("TARGET");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("keep it by a rule"), "{}", said.err);
    let said = gauntlet(&["publish", &text(&out), "--out", &text(&public)]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("is no race folder"), "{}", said.err);
    assert!(!public.exists() && !out.join("public.part").exists());
    let before = bytes_of(&race);
    for inside in ["public", "new/public"] {
        let said = gauntlet(&["publish", &text(&race), "--out", &text(&race.join(inside))]);
        assert!(said.code == 2 && said.err.contains("lies in a race folder"), "{}", said.err);
    }
    assert!(bytes_of(&race) == before && !race.join("new").exists());
}

#[test]
fn who_runs_it_is_looked_for_and_words_of_code_are_not() {
    let race = copied("who");
    fs::write(race.join("notes.txt"), "kvastar and max met; return max(a, kvastar)\n").unwrap();
    for (user, found) in [("kvastar", 2), ("max", 0)] {
        let args = ["publish", &text(&race), "--check", "--show-values", "--format", "json"];
        let output = Command::new(GAUNTLET).args(args).env("USER", user).output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let all = said["findings"].as_array().unwrap();
        assert_eq!(all.iter().filter(|it| it["kind"] == "user").count(), found, "{user}");
    }
}

#[test]
fn a_rule_keeps_a_false_alarm_and_says_why() {
    let out = scratch("rules");
    let race = copied("ruled");
    fs::write(
        race.join("notes.txt"),
        "version 10.1.2.3 of the driver, 250 W by the data sheet, 10.9.9.9\n",
    )
    .unwrap();
    let rules = out.join("rules.toml");
    fs::create_dir_all(&out).unwrap();
    fs::write(
        &rules,
        "format = { name = \"gauntlet-rules\", major = 1, minor = 0 }\n[[keep]]\nvalue = \"10.1.2.3\"\nreason = \"a *version*\"\n[[keep]]\nkind = \"power\"\nreason = \"a data sheet\"\n",
    )
    .unwrap();
    let public = out.join("public");
    let said = fine(&["publish", &text(&race), "--out", &text(&public), "--rules", &text(&rules)]);
    assert!(said.out.contains("1 found, 2 kept by rules; replaced: 1 ip"), "{}", said.out);
    let notes = fs::read_to_string(public.join("notes.txt")).unwrap();
    assert!(
        notes
            .starts_with("version 10.1.2.3 of the driver, 250 W by the data sheet, redacted-ip-1-"),
        "{notes}"
    );
    let readme = fs::read_to_string(public.join("README.md")).unwrap();
    assert!(readme.contains("Kept by a rule, in 1 place: ip: a \\*version\\*"), "{readme}");
    fine(&["verify", &text(&public)]);
}
