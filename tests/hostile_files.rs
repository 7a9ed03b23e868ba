//! Race folders from strangers: whatever their files hold, every command says so clearly, works on the other races, writes nothing
//! outside, follows no link, and ends with exit code 1 or 2.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::{GAUNTLET, copy_race, root, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Puzzles only, so that nothing is judged.
const KEPT: &str = "replays/21-hard-pacer-novice-attempt1";

fn gauntlet(args: &[&str]) -> (i32, String) {
    let output = Command::new(GAUNTLET).args(args).output().unwrap();
    let said =
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    let code = output.status.code().unwrap_or(-1);
    assert!((0..=2).contains(&code) && !said.contains("panicked"), "{args:?}: {code}: {said}");
    (code, said)
}

/// A kept race with one file changed.
fn spoilt(to: &Path, file: &str, change: impl Fn(&Path)) {
    copy_race(Path::new(&root(KEPT)), to);
    change(&to.join(file));
}

fn utf16(text: &str) -> Vec<u8> {
    [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

/// What a stranger may put in place of a file, by name.
fn contents(original: &str) -> Vec<(&'static str, Vec<u8>)> {
    let deep = |count: usize| format!("{}1{}\n", "[".repeat(count), "]".repeat(count));
    let with = |from: &str, to: &str| original.replacen(from, to, 1).into_bytes();
    let twice = format!("{original}{original}");
    vec![
        ("empty", Vec::new()),
        ("zeros", vec![0; 5_000]),
        ("deep", deep(200_000).into_bytes()),
        ("deep-object", "{\"a\":".repeat(100_000).into_bytes()),
        // Longer than any line may be, without an end.
        ("endless", vec![b'x'; 33 << 20]),
        ("utf-16", utf16(original)),
        ("latin-1", [b"\xe4\xf6 = \"".as_slice(), original.as_bytes()].concat()),
        ("nan", with("21", "NaN")),
        ("huge", with("21", &"9".repeat(400))),
        ("huge-exponent", with("21", "1e999999")),
        ("negative", with("21", "-21")),
        ("twice", twice.into_bytes()),
        ("newer", with("\"major\":1", "\"major\":99")),
        ("newer-toml", with("major = 1", "major = 99")),
        ("crlf", original.replace('\n', "\r\n").into_bytes()),
        ("path", with("21-hard", "../../../../tmp/escaped")),
    ]
}

const FILES: [&str; 5] = ["season.toml", "lane.toml", "io.jsonl", "log.jsonl", "result.json"];

#[test]
fn strangers_files_are_named_and_the_other_races_are_worked_on() {
    let out = scratch("hostile-files");
    copy_race(Path::new(&root(KEPT)), &out.join("good"));
    let mut count = 0;
    for file in FILES {
        let original = fs::read_to_string(Path::new(&root(KEPT)).join(file)).unwrap();
        for (name, bytes) in contents(&original) {
            if bytes == original.as_bytes() {
                continue;
            }
            spoilt(&out.join(format!("{name}-{file}")), file, |path| {
                fs::write(path, &bytes).unwrap()
            });
            count += 1;
        }
    }
    let dir = out.display().to_string();
    let (code, said) = gauntlet(&["verify", &dir, "--format", "json", "--jobs", "2"]);
    assert_eq!(code, 1);
    let reports: serde_json::Value = serde_json::from_str(&said).unwrap();
    let races = reports["races"].as_array().unwrap();
    assert_eq!(races.len(), count + 1);
    let verified = races.iter().filter(|race| race["verified"] == true).count();
    assert_eq!(verified, 1, "every change is found, and the good race is not held up by it");
    for race in races.iter().filter(|race| race["verified"] == false) {
        let differences = race["differences"].as_array().unwrap();
        let named = |it: &serde_json::Value| it["file"].is_string() && it["what"].is_string();
        assert!(!differences.is_empty() && differences.iter().all(named), "{race}");
    }
    let (code, said) = gauntlet(&["rank", &root("seasons/21-hard.toml"), &dir]);
    assert!(code == 1 && said.contains("pacer-novice"), "{said}");
    let (code, said) = gauntlet(&["attempts", &dir]);
    assert!(code == 0 && said.contains("pacer-novice"), "{said}");
    for race in fs::read_dir(&out).unwrap().map(|it| it.unwrap().path()) {
        let race = race.display().to_string();
        gauntlet(&["replay", &race, "--instant"]);
        if !race.contains("endless") {
            gauntlet(&["publish", &race, "--out", &format!("{dir}-public")]);
            drop(fs::remove_dir_all(format!("{dir}-public")));
        }
    }
    assert!(!Path::new("/tmp/escaped").exists());
    fs::remove_dir_all(&out).unwrap();
}

/// Everything below a folder, with sizes.
fn tree(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|it| it.unwrap()) {
        let meta = fs::symlink_metadata(entry.path()).unwrap();
        found.push((entry.path(), meta.len()));
        if meta.is_dir() {
            found.extend(tree(&entry.path()));
        }
    }
    found.sort();
    found
}

#[test]
#[cfg(unix)]
fn links_and_pipes_are_not_followed() {
    let base = scratch("hostile-links");
    let (out, outside) = (base.join("races"), base.join("outside"));
    copy_race(Path::new(&root(KEPT)), &out.join("good"));
    copy_race(Path::new(&root(KEPT)), &outside.join("race"));
    fs::write(outside.join("secret"), "SECRET-WORD\n").unwrap();
    // A whole race that is a link, and each file of a race.
    std::os::unix::fs::symlink(outside.join("race"), out.join("linked")).unwrap();
    for file in FILES.into_iter().chain(["system-prompt.txt"]) {
        for (name, target) in
            [("same", outside.join("race").join(file)), ("secret", outside.join("secret"))]
        {
            spoilt(&out.join(format!("{name}-{file}")), file, |path| {
                fs::remove_file(path).unwrap();
                std::os::unix::fs::symlink(&target, path).unwrap();
            });
        }
        spoilt(&out.join(format!("pipe-{file}")), file, |path| {
            fs::remove_file(path).unwrap();
            let made = Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        });
    }
    std::os::unix::fs::symlink(outside.join("secret"), out.join("attempts.jsonl")).unwrap();
    let before = tree(&outside);
    let dir = out.display().to_string();
    let (code, said) = gauntlet(&["verify", &dir]);
    assert!(code == 1 && said.contains("links are not followed"), "{said}");
    assert!(said.contains("novice-attempt1  verified") && !said.contains("SECRET-WORD"), "{said}");
    assert!(!said.contains("linked"), "a link is no race folder: {said}");
    let (code, said) = gauntlet(&["rank", &root("seasons/21-hard.toml"), &dir]);
    assert!(code == 1 && said.contains("pacer-novice") && !said.contains("SECRET-WORD"), "{said}");
    let (code, said) = gauntlet(&["attempts", &dir]);
    assert!(code == 2 && said.contains("links are not followed"), "{said}");
    let (code, said) =
        gauntlet(&["race", "--plain", "--season", &root("seasons/21-hard.toml"), "--out", &dir]);
    assert!(code == 2 && said.contains("links are not followed"), "{said}");
    for race in fs::read_dir(&out).unwrap().map(|it| it.unwrap().path()).filter(|it| it.is_dir()) {
        let race = race.display().to_string();
        let (_, said) = gauntlet(&["replay", &race, "--instant"]);
        assert!(!said.contains("SECRET-WORD"), "{said}");
        let public = base.join("public").display().to_string();
        gauntlet(&["publish", &race, "--out", &public]);
        if Path::new(&public).exists() {
            let leaked = tree(Path::new(&public)).iter().any(|(path, _)| {
                fs::read_to_string(path).is_ok_and(|text| text.contains("SECRET-WORD"))
            });
            assert!(!leaked, "{race}");
            fs::remove_dir_all(&public).unwrap();
        }
    }
    assert_eq!(tree(&outside), before);
    fs::remove_dir_all(&base).unwrap();
}

#[test]
fn a_strangers_ledger_leads_nowhere() {
    let first = r#"{"seq":0,"entry":{"type":"ledger","format":{"name":"gauntlet-ledger","major":1,"minor":0}},"prev":""}"#;
    let started = |race: &str, lane: &str, attempt: &str| {
        format!(
            "{{\"seq\":1,\"entry\":{{\"type\":\"started\",\"race\":\"{race}\",\"season\":\"21\",\"lane\":\"{lane}\",\"attempt\":{attempt},\"wall\":\"x\\u001b[2J\",\"head_sha256\":\"\"}},\"prev\":\"\"}}"
        )
    };
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, due) in [
        (started("../../etc", "x", "1"), "race id"),
        (started("21-../../../tmp-attempt1", "../../../tmp", "1"), "race id"),
        (started("21-x-attempt4000000000", "x", "4000000000"), "1 to 3999999999 are neither here"),
        (started("21-x-attempt99999999999", "x", "99999999999"), "cannot be read"),
        (started("21-x-attempt1", "x", "NaN"), "cannot be read"),
        (deep, "cannot be read"),
        (String::from("\u{1b}]0;x\u{7}"), "cannot be read"),
    ] {
        let out = scratch("hostile-ledger");
        copy_race(Path::new(&root(KEPT)), &out.join("21-hard-pacer-novice-attempt1"));
        fs::write(out.join("attempts.jsonl"), format!("{first}\n{text}\n")).unwrap();
        let dir = out.display().to_string();
        for args in [
            vec!["attempts", &dir],
            vec!["verify", &dir],
            vec!["rank", &root("seasons/21.toml"), &dir],
        ] {
            let (code, said) = gauntlet(&args);
            assert!(code == 1 && said.contains(due), "{args:?}: {due}: {said}");
            assert!(!said.contains('\u{1b}'), "{said}");
        }
        let (code, said) = gauntlet(&[
            "race",
            "--plain",
            "--season",
            &root("seasons/21-hard.toml"),
            "--out",
            &dir,
        ]);
        assert!(code == 0, "a race of another lane is not held up: {said}");
        fs::remove_dir_all(&out).unwrap();
    }
}
