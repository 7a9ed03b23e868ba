//! `gauntlet site` and `gauntlet card`, run as a person runs them: the same bytes each time, folders that cannot be believed, names
//! and links that would lead out. What a browser makes of the pages is checked by `scripts/browser-tests.sh`.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

#[path = "../common/mod.rs"]
mod common;

use common::{GAUNTLET, copy_race, scratch};
use gauntlet::digest::sha256_hex;
use gauntlet::race::line::{Chain, LogLine};
use gauntlet::store::RaceFiles;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Done {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

fn run(args: &[&str]) -> Done {
    let output = Command::new(GAUNTLET).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

fn site(races: &Path, out: &Path) -> Done {
    run(&["site", races.to_str().unwrap(), "--out", out.to_str().unwrap()])
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every file below a folder, by its path with `/`.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, at: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// Two kept races of season 21 in a folder of their own.
fn two_races(name: &str) -> PathBuf {
    let races = scratch(name);
    for race in ["21-pacer-club-attempt1", "21-real-qwen-1.5b-attempt1"] {
        copy_race(&root("replays").join(race), &races.join(race));
    }
    races
}

#[test]
fn the_site_of_the_kept_races_is_the_same_bytes_everywhere() {
    let out = scratch("site-golden");
    let done = site(&root("replays"), &out);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let first = files(&out);
    let digests: String = first
        .iter()
        // Raw files are held by their own tests; the list names them.
        .filter(|(name, _)| !name.contains("/files/"))
        .map(|(name, bytes)| format!("{} {name}\n", sha256_hex(bytes)))
        .collect();
    let golden = root("tests/golden/site.txt");
    if std::env::var_os("GAUNTLET_UPDATE").is_some() {
        fs::write(&golden, &digests).unwrap();
    }
    let due = fs::read_to_string(&golden).unwrap();
    let hint = "what the pages say has changed: look at them, then GAUNTLET_UPDATE=1 cargo test --release --test site";
    assert_eq!(digests, due, "{hint}");

    let again = site(&root("replays"), &out);
    let expected = format!("0 files written, {} unchanged, 0 removed", first.len() - 1);
    assert!(again.stdout.contains(&expected), "{}", again.stdout);
    assert_eq!(files(&out), first);
}

#[test]
fn a_page_names_no_place_outside_itself_and_has_its_policy() {
    let out = scratch("site-closed");
    assert_eq!(site(&root("replays"), &out).code, Some(0));
    let pages = files(&out).into_iter().filter(|(name, _)| name.ends_with(".html"));
    let mut count = 0;
    for (name, bytes) in pages {
        let text = String::from_utf8(bytes).unwrap();
        count += 1;
        assert!(text.contains("default-src 'none'; style-src 'sha256-"), "{name}");
        for attribute in ["href=\"", "src=\"", "xlink:href=\""] {
            for (at, _) in text.match_indices(attribute) {
                let value = text[at + attribute.len()..].split('"').next().unwrap();
                assert!(!value.contains(':') && !value.starts_with('/'), "{name}: {value}");
            }
        }
        assert!(!text.contains(" style=\"") && !text.contains(" onclick"), "{name}");
    }
    assert!(count > 15, "{count} pages");
}

#[test]
fn published_lanes_stand_there_with_their_targets() {
    let out = scratch("site-published");
    let races = two_races("site-published-races");
    assert_eq!(site(&races, &out).code, Some(0));
    let season: Value =
        serde_json::from_slice(&fs::read(out.join("seasons/21/season.json")).unwrap()).unwrap();
    let lanes: Vec<&Value> = season["classes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|class| class["lanes"].as_array().unwrap())
        .collect();
    let spark = lanes.iter().find(|it| it["lane"] == "gemma-4-31b-dgx-spark").unwrap();
    assert_eq!((&spark["source"], &spark["finish_ms"]), (&"published".into(), &274_300.into()));
    let targets: Vec<&str> = spark["ranges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["targets"].as_str().unwrap())
        .collect();
    assert_eq!(targets, ["xxxxx", "oooxx", "ooooo", "oxoxo"]);
    let hard = fs::read_to_string(out.join("seasons/21-hard/season.csv")).unwrap();
    let on = hard.lines().find(|line| line.contains("thinking on")).unwrap();
    assert!(on.contains(",1613700,") && on.contains(",16,20,4,180000,"), "{on}");
    let csv = fs::read_to_string(out.join("seasons/21/season.csv")).unwrap();
    let widths: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(widths.iter().all(|it| *it >= widths[0]), "{csv}");
}

#[test]
fn a_bad_race_is_named_and_the_others_have_their_pages() {
    let races = two_races("site-bad-races");
    let out = scratch("site-bad");
    assert_eq!(site(&races, &out).code, Some(0));
    let spoilt = races.join("21-pacer-club-attempt1/result.json");
    let text = fs::read_to_string(&spoilt).unwrap();
    fs::write(&spoilt, text.replacen("\"hits\": 4", "\"hits\": 5", 1)).unwrap();
    let done = site(&races, &out);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    assert!(
        done.stderr.contains("21-pacer-club-attempt1 has no page: result.json"),
        "{}",
        done.stderr
    );
    assert!(!out.join("races/21-pacer-club-attempt1").exists(), "its old pages are taken out");
    assert!(out.join("races/21-real-qwen-1.5b-attempt1/index.html").exists());
    let season = fs::read_to_string(out.join("seasons/21/index.html")).unwrap();
    assert!(season.contains("Listed apart"));
}

/// Gives a race another id, with log and result that agree.
fn renamed(folder: &Path, id: &str) {
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let mut chain = Chain::default();
    let lines = log.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        if value["event"]["type"] == "start" {
            value["event"]["race"] = id.into();
        }
        let read: LogLine = serde_json::from_value(value).unwrap();
        let at = gauntlet::clock::Stamp { t_ms: read.t_ms, wall_ms: 0 };
        chain.log(at, read.race_ms, read.event).0
    });
    let text: String = lines.collect();
    fs::write(folder.join("log.jsonl"), text).unwrap();
    let files = RaceFiles::new(folder);
    let result = files.fold(&files.log().unwrap()).unwrap().unwrap();
    fs::write(folder.join("result.json"), result.to_json()).unwrap();
}

#[test]
fn an_id_that_is_a_path_leads_nowhere() {
    for id in ["../../escaped", "/tmp/escaped", "..", "a/b", "21-x\u{202e}", ""] {
        let races = two_races("site-path-races");
        renamed(&races.join("21-pacer-club-attempt1"), id);
        let parent = scratch("site-path");
        let out = parent.join("deep/site");
        let done = site(&races, &out);
        assert_eq!(done.code, Some(1), "{id:?}: {}", done.stderr);
        let all = files(&parent);
        assert!(all.keys().all(|name| name.starts_with("deep/site/")), "{id:?}");
        assert!(all.keys().any(|name| name.ends_with("21-real-qwen-1.5b-attempt1/index.html")));
    }
}

#[test]
fn two_races_of_one_id_have_no_page_and_copies_count_once() {
    let races = two_races("site-twice-races");
    copy_race(&races.join("21-pacer-club-attempt1"), &races.join("copy"));
    let out = scratch("site-twice");
    let done = site(&races, &out);
    assert_eq!(done.code, Some(0));
    assert!(done.stderr.contains("1 folder left out: a second copy"), "{}", done.stderr);
    let verified = Command::new(GAUNTLET).arg("verify").arg(&races).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout);
    assert!(said.contains("in the folder copy"), "{said}");
    renamed(&races.join("21-real-qwen-1.5b-attempt1"), "21-pacer-club-attempt1");
    let done = site(&races, &out);
    assert_eq!(done.code, Some(1));
    assert!(done.stderr.contains("different races have this id"), "{}", done.stderr);
    assert!(!out.join("races").exists());
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let races = two_races("site-link-races");
    let secret = scratch("site-link-secret");
    fs::create_dir_all(&secret).unwrap();
    fs::write(secret.join("key"), "very secret").unwrap();
    let club = races.join("21-pacer-club-attempt1");
    fs::remove_file(club.join("verify.txt")).unwrap();
    symlink(secret.join("key"), club.join("verify.txt")).unwrap();
    symlink(&club, races.join("linked")).unwrap();
    let out = scratch("site-link");
    let done = site(&races, &out);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(files(&out).values().all(|it| !it.windows(11).any(|part| part == b"very secret")));

    fs::remove_dir_all(out.join("races")).unwrap();
    symlink(&secret, out.join("races")).unwrap();
    let done = site(&races, &out);
    assert_eq!(done.code, Some(2), "{}", done.stderr);
    assert!(done.stderr.contains("links are not followed"), "{}", done.stderr);
    assert_eq!(fs::read_dir(&secret).unwrap().count(), 1);
}

#[test]
fn a_folder_that_no_site_made_is_refused() {
    let out = scratch("site-home");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("letter.txt"), "dear").unwrap();
    let done = site(&root("replays"), &out);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("is not empty"), "{}", done.stderr);
    assert_eq!(files(&out).len(), 1);
}

#[test]
fn a_card_stands_alone_and_has_a_rank_only_among_others() {
    let race = root("replays/21-pacer-club-attempt1");
    let race = race.to_str().unwrap();
    let alone = run(&["card", race]);
    assert_eq!(alone.code, Some(0), "{}", alone.stderr);
    assert!(
        alone
            .stdout
            .starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\"")
    );
    assert!(alone.stdout.contains("no rank") && alone.stdout.contains("167.8"));
    let ranked = run(&["card", race, "--among", root("replays").to_str().unwrap()]);
    assert!(ranked.stdout.contains("of 1<") && !ranked.stdout.contains("no rank"));
    let many = run(&["card", root("replays").to_str().unwrap()]);
    assert_eq!(many.code, Some(2), "{}", many.stderr);
    if cfg!(feature = "png") {
        let out = scratch("card.png");
        let done = run(&["card", race, "--png", "--out", out.to_str().unwrap()]);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert!(fs::read(&out).unwrap().starts_with(b"\x89PNG\r\n"));
    } else {
        let done = run(&["card", race, "--png", "--out", "card.png"]);
        assert_eq!(done.code, Some(2));
        assert!(done.stderr.contains("without PNG"), "{}", done.stderr);
    }
}

#[test]
fn a_missing_attempt_and_a_link_among_the_files_are_named() {
    let races = scratch("site-attempts");
    let to = races.to_str().unwrap();
    for lane in ["novice", "elite"] {
        let lane = root(&format!("lanes/pacer-{lane}.toml"));
        let raced = run(&["race", "--plain", "--lane", lane.to_str().unwrap(), "--out", to]);
        assert_eq!(raced.code, Some(0), "{}", raced.stderr);
    }
    let out = scratch("site-attempts-out");
    assert_eq!(site(&races, &out).code, Some(0));
    fs::remove_dir_all(races.join("21-pacer-novice-attempt1")).unwrap();
    let done = site(&races, &out);
    assert_eq!(done.code, Some(1));
    assert!(done.stderr.contains("21-pacer-novice-attempt1"), "{}", done.stderr);
    assert!(done.stderr.contains("attempts.jsonl"), "{}", done.stderr);
    assert!(out.join("races/21-pacer-elite-attempt1/index.html").exists());
    #[cfg(unix)]
    {
        let prompt = races.join("21-pacer-elite-attempt1/system-prompt.txt");
        fs::remove_file(&prompt).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", &prompt).unwrap();
        let done = site(&races, &out);
        assert_eq!(done.code, Some(1));
        assert!(done.stderr.contains("has no page: system-prompt.txt"), "{}", done.stderr);
        assert!(!out.join("races/21-pacer-elite-attempt1").exists());
    }
}
