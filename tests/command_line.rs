//! Habits of the command line: first contact, formats, colours, pages and completions, replay's ghosts, a race's pace.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::{GAUNTLET, Said, root, scratch};
use std::fs;
use std::path::Path;
use std::process::Command;

fn gauntlet(args: &[&str]) -> Said {
    Command::new(GAUNTLET).args(args).env("LC_ALL", "C").output().unwrap().into()
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
fn a_paced_race_takes_its_time_and_leaves_the_same_bytes() {
    let (slow, fast) = (scratch("paced"), scratch("paced"));
    let clock = gauntlet::clock::Clock::start();
    let done =
        gauntlet(&["race", "--plain", "--realtime", "40", "--out", &slow.display().to_string()]);
    assert_eq!(done.code, 0, "{}", done.err);
    // Some 50 s on the lane's own clock: less than a second of them would mean that nothing waited.
    assert!(clock.now().t_ms > 1_000);
    assert_eq!(gauntlet(&["race", "-q", "--out", &fast.display().to_string()]).err, "");
    let name = "21-pacer-club-attempt1";
    for file in ["io.jsonl", "log.jsonl", "result.json"] {
        let read = |out: &Path| fs::read(out.join(name).join(file)).unwrap();
        assert_eq!(read(&slow), read(&fast), "{file}");
    }
}

#[test]
fn command_txt_races_again_from_its_own_folder() {
    let out = scratch("again");
    assert_eq!(gauntlet(&["race", "-q", "--out", &out.display().to_string()]).code, 0);
    let folder = out.join("21-pacer-club-attempt1");
    let text = fs::read_to_string(folder.join("command.txt")).unwrap();
    let line = text.lines().find(|line| !line.starts_with('#')).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let again = Command::new(GAUNTLET).args(&words[1..]).current_dir(&folder).output().unwrap();
    assert_eq!(Said::from(again).code, 0);
    assert_eq!(races(&out), ["21-pacer-club-attempt1", "21-pacer-club-attempt2"]);
}

#[test]
fn a_cache_folder_that_cannot_be_is_a_bad_file() {
    let out = scratch("no-cache");
    fs::create_dir_all(&out).unwrap();
    let file = out.join("file");
    fs::write(&file, "def f(x):\n    return x\n").unwrap();
    let judge = |cache: Option<&Path>| -> Said {
        let mut command = Command::new(GAUNTLET);
        command.args(["judge", "--function", "f", "--input", "[1]", "--code"]).arg(&file);
        command.env_remove("XDG_CACHE_HOME").env_remove("HOME").env_remove("GAUNTLET_CACHE_DIR");
        command.envs(cache.map(|cache| ("GAUNTLET_CACHE_DIR", cache)));
        command.output().unwrap().into()
    };
    for (cache, word) in
        [(None, "no cache folder"), (Some(file.join("below")), "GAUNTLET_CACHE_DIR")]
    {
        let said = judge(cache.as_deref());
        assert_eq!((said.code, said.err.contains(word)), (2, true), "{}", said.err);
    }
}

#[test]
fn gauntlet_alone_explains_itself() {
    let alone = gauntlet(&[]);
    assert_eq!((alone.code, alone.err.as_str()), (0, ""));
    insta::assert_snapshot!(alone.out);
}

#[test]
fn quiet_and_verbose_change_the_words_and_not_the_results() {
    let race = root("replays/21-pacer-club-attempt1");
    let say = |more: &[&str]| gauntlet(&[more, &["verify", &race][..]].concat());
    let (quiet, usual, loud) = (say(&["-q"]), say(&[]), say(&["-v"]));
    assert_eq!((quiet.err.as_str(), usual.err.as_str()), ("", ""));
    assert!(loud.err.contains("verifying "), "{}", loud.err);
    assert!(quiet.out == usual.out && usual.out == loud.out);
    let wrong = gauntlet(&["-q", "verify", "no/such/folder"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("error: ") && wrong.err.contains("hint: "), "{}", wrong.err);
    assert_eq!(gauntlet(&["-q", "-v", "schema"]).code, 2);
}

#[test]
fn every_table_comes_in_every_format() {
    let race = root("replays/21-pacer-club-attempt1");
    let season = root("seasons/21.toml");
    for args in [
        vec!["replay", &race],
        vec!["answers", &race],
        vec!["verify", &race],
        vec!["rank", &season, &race],
        vec!["publish", "--check", &race],
        vec!["task", "grade", "--range", "1", "--answer", "/dev/null"],
        vec!["task", "dial", "cups", "--seeds", "1"],
    ] {
        let print = |format: &str| gauntlet(&[&args[..], &["--format", format]].concat()).out;
        assert_eq!(print("table"), print("text"), "{args:?}");
        assert!(serde_json::from_str::<serde_json::Value>(&print("json")).is_ok(), "{args:?}");
        let csv = print("csv");
        let columns: Vec<usize> = csv.lines().map(|line| line.matches(',').count()).collect();
        assert!(columns[0] > 2, "{args:?}: {csv}");
        assert!(print("md").lines().any(|line| line.starts_with("| ")), "{args:?}");
    }
}

#[test]
fn colour_is_for_those_who_want_it() {
    let race = root("replays/21-pacer-club-attempt1");
    let print = |name: &str, value: &str| {
        let mut command = Command::new(GAUNTLET);
        command.args(["replay", &race, "--instant"]).env_remove("NO_COLOR").env(name, value);
        Said::from(command.output().unwrap()).out.contains('\u{1b}')
    };
    assert!(!print("TERM", "xterm"), "a pipe gets none");
    assert!(print("CLICOLOR_FORCE", "1"));
    assert!(!print("NO_COLOR", "1"));
}

#[test]
fn manual_pages_and_completions_know_every_command() {
    let pages = scratch("man");
    let made = gauntlet(&["man", "--out", &pages.display().to_string()]);
    assert_eq!(made.code, 0, "{}", made.err);
    for page in ["gauntlet.1", "gauntlet-race.1", "gauntlet-lane-check.1", "gauntlet-answers.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
    assert!(!pages.join("gauntlet-__judge.1").exists());
    let one = gauntlet(&["man", "lane", "check"]);
    assert!(one.out.contains(".TH") && one.out.contains("fit to race"), "{}", one.out);
    let none = gauntlet(&["man", "lane", "chekc"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("did you mean check?"), "{}", none.err);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = gauntlet(&["completions", shell]);
        assert_eq!(script.code, 0);
        for word in ["replay", "realtime", "completions"] {
            assert!(script.out.contains(word), "{shell}: {word}");
        }
        // Scripts join words by two underscores, so `gauntlet__judge` is the command that people see.
        assert!(
            !script.out.contains(" __judge") && !script.out.contains("gauntlet____"),
            "{shell}"
        );
    }
}

#[test]
fn answers_say_what_was_written_and_what_was_read() {
    let race = root("replays/21-pacer-club-attempt1");
    let whole = gauntlet(&["answers", &race]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let ours =
        whole.out.lines().filter(|line| line.starts_with("  o ") || line.starts_with("  x "));
    assert_eq!(ours.count(), 20, "{}", whole.out);
    let one = gauntlet(&["answers", &race, "--range", "1", "--thinking", "--prompt"]);
    for word in ["asked", "thought", "answer (finish reason stop)", "TARGET 1:", "by "] {
        assert!(one.out.contains(word), "{word}: {}", one.out);
    }
    assert!(!one.out.contains("range 2"));
    let none = gauntlet(&["answers", &race, "--range", "9"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("it came to 4 ranges"), "{}", none.err);
}

#[test]
fn published_lanes_are_ghosts_by_name() {
    let race = root("replays/21-pacer-club-attempt1");
    let beside = gauntlet(&["replay", &race, "gemma-4-31b-dgx-spark", "--instant"]);
    assert_eq!(beside.code, 0, "{}", beside.err);
    let line = "gemma-4-31b-dgx-spark: [ 274.3] finish 274.3 s, hits 11/20";
    assert!(beside.out.contains(line), "{}", beside.out);
    let alone = gauntlet(&["replay", &root("seasons/21/published.toml"), "--instant"]);
    assert_eq!(alone.code, 0, "{}", alone.err);
    assert!(alone.out.contains("splits"), "{}", alone.out);
    let wrong = gauntlet(&["replay", &race, "gemma-4-31b-dgx-sprak"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("did you mean gemma-4-31b-dgx-spark?"), "{}", wrong.err);
}
