//! `gauntlet rank`, run as a person runs it: what it prints, what it says of folders that cannot be believed, its exit codes.

mod folders;

use folders::{End, Hand, SEASON};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for each test, with season 21 and its published results in it.
struct Desk {
    path: PathBuf,
}

struct Done {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

impl Desk {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rank").join(test);
        // What an earlier run left must not be ranked again; most often there is nothing to remove.
        if path.exists() {
            fs::remove_dir_all(&path).expect("the folder of an earlier run can be removed");
        }
        fs::create_dir_all(path.join("seasons/21")).expect("a folder can be made");
        fs::create_dir_all(path.join("races")).expect("a folder can be made");
        let published = include_str!("../../seasons/21/published.toml");
        fs::write(path.join("seasons/21.toml"), SEASON).expect("a file can be written");
        fs::write(path.join("seasons/21/published.toml"), published).expect("a file as well");
        Self { path }
    }

    fn races(&self) -> PathBuf {
        self.path.join("races")
    }

    /// Runs `gauntlet rank seasons/21.toml ARGS` in the folder.
    fn rank(&self, args: &str) -> Done {
        self.run(&format!("rank seasons/21.toml {args}"))
    }

    fn run(&self, args: &str) -> Done {
        let output = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
            .args(args.split_whitespace())
            .current_dir(&self.path)
            .output()
            .expect("gauntlet runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Done {
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            code: output.status.code(),
        }
    }
}

impl Done {
    /// Everything that came out, for a snapshot.
    fn all(&self) -> String {
        let code = self.code.map_or(String::from("none"), |code| code.to_string());
        let (stdout, stderr) = (&self.stdout, &self.stderr);
        format!("{stdout}---- stderr\n{stderr}---- exit code {code}\n")
    }
}

/// A field of raced lanes: two with the same time, one behind, one disturbed, one that crashed, a void first attempt, a third
/// one, and a lane of another class.
fn field(out: &Path) {
    let hand = Hand::new;
    hand("twin-b", 1).write(out);
    hand("twin-a", 1).write(out);
    Hand { ranges: [(5_001, 4), (6_000, 3), (7_000, 5), (8_040, 2)], ..hand("third", 1) }
        .write(out);
    Hand { end: End::Disturbed, ..hand("suspended", 1) }.write(out);
    Hand { end: End::Crash, ..hand("crashed", 1) }.write(out);
    Hand { end: End::Void, ..hand("unlucky", 1) }.write(out);
    Hand { ranges: [(400, 0); 4], ..hand("unlucky", 2) }.write(out);
    hand("unlucky", 3).write(out);
    Hand { memory_gb: 20, ..hand("small-rig", 1) }.write(out);
}

#[test]
fn published_results_alone() {
    let desk = Desk::new("published");
    for format in ["table", "csv", "md", "json"] {
        let done = desk.rank(&format!("--published --format {format}"));
        insta::assert_snapshot!(format!("published_{format}"), done.all());
    }
}

#[test]
fn a_field_of_raced_lanes() {
    let desk = Desk::new("field");
    field(&desk.races());
    for format in ["table", "csv", "md", "json"] {
        let done = desk.rank(&format!("races --published --format {format}"));
        insta::assert_snapshot!(format!("field_{format}"), done.all());
    }
    let csv = desk.rank("races --format csv").stdout;
    assert!(csv.lines().count() > 5 && csv.matches("\r\n").count() == csv.matches('\n').count());
}

#[test]
fn the_table_keeps_to_80_columns() {
    let desk = Desk::new("columns");
    field(&desk.races());
    let long = "a-lane-with-a-name-of-more-characters-than-a-table-has-room-for";
    Hand::new(long, 1).write(&desk.races());
    let table = desk.rank("races --published").stdout;
    let widest = table.lines().map(|line| line.chars().count()).max();
    assert_eq!(widest, Some(80), "{table}");
}

#[test]
fn one_class() {
    let desk = Desk::new("class");
    field(&desk.races());
    insta::assert_snapshot!("class_24", desk.rank("races --class 24").all());
    insta::assert_snapshot!("class_empty", desk.rank("races --class 512").all());
    insta::assert_snapshot!("class_unknown", desk.rank("races --class 100").all());
}

#[test]
fn a_preview_season_has_no_ranks() {
    let desk = Desk::new("preview");
    let preview = folders::preview();
    fs::write(desk.path.join("seasons/21.toml"), &preview).expect("a file can be written");
    Hand { season: &preview, ..Hand::new("slow", 1) }.write(&desk.races());
    Hand { season: &preview, ranges: [(400, 5); 4], ..Hand::new("fast", 1) }.write(&desk.races());
    Hand::new("of-the-ranked-edition", 1).write(&desk.races());
    insta::assert_snapshot!(desk.rank("races").all());
}

#[test]
fn what_cannot_be_ranked_at_all() {
    let desk = Desk::new("usage");
    let cases = ["", "races", "nowhere", "seasons/21.toml"];
    let said: Vec<String> = cases.iter().map(|args| desk.rank(args).all()).collect();
    insta::assert_snapshot!(said.join("\n"));
    fs::remove_dir_all(desk.path.join("seasons/21")).expect("it can be removed");
    insta::assert_snapshot!("nothing_published", desk.rank("--published").all());
}

/// Changes the file of a race and gives what `rank` says about it. A good race stands beside it and must not be held up.
fn hostile(test: &str, change: impl FnOnce(&Path)) -> Done {
    let desk = Desk::new(test);
    Hand::new("good", 1).write(&desk.races());
    change(&Hand::new("bad", 1).write(&desk.races()));
    let done = desk.rank("races");
    assert!(done.stdout.contains(" 1 good "), "{}", done.stdout);
    assert!(!done.stdout.contains("2 bad "), "{}", done.stdout);
    done
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file of the race");
    assert!(text.contains(from), "{from} is not in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).expect("it can be written");
}

fn apart(done: &Done) -> String {
    let at = done.stdout.find("Listed apart").expect("a race is listed apart");
    let reason = done.stdout[at..].lines().nth(2).expect("a reason").trim();
    assert_eq!(done.code, Some(1), "{}", done.stdout);
    // Which line of a result it is moves with every field that results get.
    match reason.strip_prefix("result.json, line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, what)) => format!("result.json, line N: {what}"),
        None => reason.to_owned(),
    }
}

#[test]
fn races_whose_files_disagree_go_apart() {
    let mut said = Vec::new();
    let mut check = |test: &str, change: &dyn Fn(&Path)| {
        said.push(format!("{test}: {}", apart(&hostile(test, change))));
    };
    check("result-hits", &|it| edit(&it.join("result.json"), "\"hits\": 14", "\"hits\": 15"));
    check("result-bytes", &|it| edit(&it.join("result.json"), "  \"race\"", "   \"race\""));
    check("result-gone", &|it| fs::remove_file(it.join("result.json")).expect("it is there"));
    check("result-no-json", &|it| fs::write(it.join("result.json"), "{").expect("written"));
    check("result-newer", &|it| edit(&it.join("result.json"), "\"major\": 1", "\"major\": 2"));
    check("log-hit", &|it| edit(&it.join("log.jsonl"), "\"miss\"", "\"hit\""));
    check("log-newer", &|it| edit(&it.join("log.jsonl"), "\"minor\":0}", "\"minor\":7},\"new\":1"));
    check("log-empty", &|it| fs::write(it.join("log.jsonl"), "").expect("written"));
    check("log-seq", &|it| edit(&it.join("log.jsonl"), "\"seq\":0", "\"seq\":1"));
    check("log-cut-after-finish", &|it| {
        let log = fs::read_to_string(it.join("log.jsonl")).expect("a log");
        fs::write(it.join("log.jsonl"), &log[..log.len() - 9]).expect("written");
    });
    check("io-byte", &|it| edit(&it.join("io.jsonl"), "an io", "on io"));
    check("io-gone", &|it| fs::remove_file(it.join("io.jsonl")).expect("it is there"));
    check("season-byte", &|it| edit(&it.join("season.toml"), "title", "titel"));
    check("lane-byte", &|it| edit(&it.join("lane.toml"), "bad", "mad"));
    check("result-folder", &|it| {
        fs::remove_file(it.join("result.json")).expect("it is there");
        fs::create_dir(it.join("result.json")).expect("it can be made");
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let mut said = Vec::new();
    for name in ["log.jsonl", "io.jsonl", "result.json", "lane.toml"] {
        let done = hostile(&format!("link-{name}"), |folder| {
            let outside = folder.parent().and_then(Path::parent).expect("a desk").join(name);
            fs::rename(folder.join(name), &outside).expect("it can be moved");
            std::os::unix::fs::symlink(outside, folder.join(name)).expect("it can be linked");
        });
        said.push(apart(&done));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_log_that_a_crash_tore_is_an_unfinished_race() {
    let done = hostile("torn", |folder| {
        fs::remove_file(folder.join("result.json")).expect("it is there");
        let log = fs::read_to_string(folder.join("log.jsonl")).expect("a log");
        fs::write(folder.join("log.jsonl"), &log[..log.len() - 9]).expect("it can be written");
    });
    insta::assert_snapshot!(done.all());
}

#[test]
fn a_log_cut_at_any_byte_never_ranks_and_never_breaks() {
    let desk = Desk::new("cut");
    let folder = Hand::new("cut", 1).write(&desk.races());
    fs::remove_file(folder.join("result.json")).expect("it is there");
    let log = fs::read(folder.join("log.jsonl")).expect("a log");
    for cut in (0..log.len()).step_by(311) {
        fs::write(folder.join("log.jsonl"), &log[..cut]).expect("it can be written");
        let done = desk.rank("races --format csv");
        assert!(matches!(done.code, Some(0 | 1)), "cut at {cut}: {}", done.stderr);
        assert!(!done.stdout.contains("128,1,"), "cut at {cut}: {}", done.stdout);
    }
}

#[test]
fn a_spoilt_first_attempt_does_not_make_room_for_the_second() {
    let desk = Desk::new("spoilt");
    let first = Hand::new("sly", 1).write(&desk.races());
    edit(&first.join("result.json"), "\"hits\": 14", "\"hits\": 15");
    Hand { ranges: [(400, 5); 4], ..Hand::new("sly", 2) }.write(&desk.races());
    insta::assert_snapshot!(desk.rank("races").all());
}

#[test]
fn the_same_race_twice_and_two_races_of_one_id() {
    let desk = Desk::new("twice");
    Hand::new("once", 1).write(&desk.races());
    insta::assert_snapshot!("same_folder_twice", desk.rank("races races").all());
    Hand { ranges: [(400, 5); 4], ..Hand::new("once", 1) }.write(&desk.path.join("other"));
    insta::assert_snapshot!("one_id_two_races", desk.rank("races other").all());
}

#[test]
fn names_that_act_do_not_act() {
    let desk = Desk::new("names");
    for (number, name) in ["=cmd|' /C calc'!A0", "\u{1b}[2J\u{202e}lane", "a,\"b\"", "<b>|x|", "+1"]
        .iter()
        .enumerate()
    {
        let ms = 1_000 + number as u64;
        Hand { ranges: [(ms, 5); 4], ..Hand::new(name, 1) }.write(&desk.races());
    }
    for format in ["table", "csv", "md", "json"] {
        let done = desk.rank(&format!("races --format {format}"));
        assert!(!done.stdout.contains(['\u{1b}', '\u{202e}']), "{}", done.stdout);
        insta::assert_snapshot!(format!("names_{format}"), done.all());
    }
}

/// Hand-made races have no io that a referee could read: `--verify` must list every one of them apart.
#[test]
fn verify_first_believes_nothing() {
    let desk = Desk::new("verify");
    Hand::new("forged", 1).write(&desk.races());
    assert_eq!(desk.rank("races").code, Some(0));
    insta::assert_snapshot!(desk.rank("races --verify").all());
}

/// A race of the engine itself passes, with and without `--verify`.
#[test]
fn a_real_race_of_a_pacer_ranks_and_verifies() {
    let desk = Desk::new("pacer");
    let raced = desk.run("race --season seasons/21.toml --out races --plain");
    assert_eq!(raced.code, Some(0), "{}", raced.stderr);
    for args in ["races", "races --verify"] {
        let done = desk.rank(&format!("{args} --format csv"));
        assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(",raced,finished"), "{}", done.stdout);
    }
}
