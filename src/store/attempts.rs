//! All attempts of a folder of races: what its ledger says, what stands beside it, and where the two part.

use super::ledger::{self, FILE};
use super::list::is_race;
use super::{RaceFiles, StoreError};
use crate::race::ledger::{End, Entered, Entry, Ledger, race_id};
use crate::race::{RaceResult, Status};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The attempts of a folder of races.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Attempts {
    /// Whether the folder has a ledger. Without one there is nothing to compare the races with.
    pub ledger: bool,
    /// The attempts, by season, lane and number.
    pub attempts: Vec<Attempt>,
    /// What does not agree, of the ledger itself or between it and the folders.
    pub faults: Vec<Fault>,
    /// What a reader should know and what is no fault.
    pub notes: Vec<String>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Attempt {
    /// The season's name.
    pub season: String,
    /// The lane's name.
    pub lane: String,
    /// Which attempt.
    pub attempt: u32,
    /// The race's id.
    pub race: String,
    /// How it stands, or stood when its folder was here.
    pub state: State,
    /// Whether the ledger has it and its folder is gone.
    pub missing: bool,
    /// Wall clock of its start, UTC, where the ledger has it.
    pub started: Option<String>,
    /// The finish time in milliseconds, if it finished.
    pub finish_ms: Option<u64>,
    /// Why it is void, disturbed, unfinished or broken.
    pub why: Option<String>,
    /// What does not agree, if anything does not.
    pub fault: Option<String>,
    /// Whether the ledger has it.
    pub entered: bool,
    /// Whether it is the attempt of its lane that counts: the first that is not void and did start.
    pub counts: bool,
}

/// How an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It finished, and its times stand.
    Finished,
    /// It finished, but something made its times doubtful.
    Disturbed,
    /// Somebody stopped it.
    Unfinished,
    /// It broke for a reason outside the lane, and does not use up the attempt.
    Void,
    /// Its process ended before the race did.
    Broken,
    /// It is on.
    Running,
}

impl State {
    /// The word in files and on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Disturbed => "disturbed",
            Self::Unfinished => "unfinished",
            Self::Void => "void",
            Self::Broken => "broken",
            Self::Running => "running",
        }
    }

    fn of(status: Status) -> Self {
        match status {
            Status::Finished => Self::Finished,
            Status::Disturbed => Self::Disturbed,
            Status::Unfinished => Self::Unfinished,
            Status::Void => Self::Void,
        }
    }
}

/// Something that does not agree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Fault {
    /// The ledger, or the race.
    pub file: String,
    /// The line of the ledger, from 1, where there is one.
    pub line: Option<u64>,
    /// What does not agree.
    pub what: String,
}

impl Fault {
    /// One line for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.line {
            Some(line) => format!("{}, line {line}: {}", self.file, self.what),
            None => format!("{}: {}", self.file, self.what),
        }
    }
}

/// A race folder as it stands.
struct Standing {
    files: RaceFiles,
    head: Option<String>,
}

impl Standing {
    /// What its log says, as far as it goes.
    fn result(&self) -> Option<RaceResult> {
        self.files.log().and_then(|log| self.files.fold(&log)).unwrap_or(None)
    }
}

/// Whether a folder of races has a ledger.
#[must_use]
pub fn has_ledger(out: &Path) -> bool {
    fs::symlink_metadata(out.join(FILE)).is_ok()
}

/// Looks at all attempts of a folder of races.
///
/// # Errors
/// When the folder or its ledger cannot be read at all.
pub fn attempts(out: &Path) -> Result<Attempts, StoreError> {
    let mut standing = standing(out)?;
    let mut made =
        Attempts { ledger: false, attempts: Vec::new(), faults: Vec::new(), notes: Vec::new() };
    let (ledger, torn) = match ledger::read(out)? {
        Some((ledger, torn)) => {
            made.ledger = true;
            (ledger, torn)
        }
        None => (Ledger::default(), false),
    };
    if torn {
        made.notes.push(format!(
            "{FILE}: its last line is torn, as a crash leaves it, or is being written"
        ));
    }
    let fault = |(line, what): &(u64, String)| Fault {
        file: FILE.to_owned(),
        line: Some(*line),
        what: what.clone(),
    };
    made.faults.extend(ledger.faults.iter().map(fault));
    let mut entered = Vec::new();
    for it in &ledger.attempts {
        entered.push((it, standing.remove(&it.race)));
    }
    for (it, folder) in entered {
        let attempt = compare(it, folder.as_ref(), &standing);
        if let Some(what) = &attempt.fault {
            let (file, line) = (it.race.clone(), None);
            made.faults.push(Fault { file, line, what: what.clone() });
        }
        if it.end.is_none() && !matches!(attempt.state, State::Broken | State::Running) {
            made.notes.push(format!(
                "{} has its result, and the ledger does not say that it ended; the next race enters it",
                it.race
            ));
        }
        made.attempts.push(attempt);
    }
    for (name, folder) in &standing {
        unlisted(name, folder, &ledger, &mut made);
    }
    gaps(out, &ledger, &mut made);
    made.attempts.sort();
    count(&mut made.attempts);
    made.faults.sort();
    Ok(made)
}

/// The race folders of a folder by name.
fn standing(out: &Path) -> Result<BTreeMap<String, Standing>, StoreError> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(out).map_err(StoreError::os("list", out))? {
        let path = entry.map_err(StoreError::os("list", out))?.path();
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
        if !is_folder || !is_race(&path) {
            continue;
        }
        let files = RaceFiles::new(&path);
        // A folder whose files cannot be read is one that cannot be told apart from another: the comparison says so.
        let head = files.head_sha256().unwrap_or(None);
        found.insert(files.name(), Standing { files, head });
    }
    Ok(found)
}

/// An attempt of the ledger beside its folder; `others` are the folders that no entry names.
fn compare(
    entered: &Entered,
    folder: Option<&Standing>,
    others: &BTreeMap<String, Standing>,
) -> Attempt {
    let (state, finish_ms, why) = match &entered.end {
        Some(End::Ended { status, why, finish_ms, .. }) => {
            (State::of(*status), *finish_ms, why.clone())
        }
        Some(End::Broken { why, .. }) => (State::Broken, None, Some(why.clone())),
        None => match folder {
            Some(it) if it.files.is_running() => (State::Running, None, None),
            // What the next race will enter.
            Some(it) => match ledger::ending(&it.files, entered) {
                Ok(Some(Entry::Ended { status, why, finish_ms, .. })) => {
                    (State::of(status), finish_ms, why)
                }
                Ok(Some(Entry::Broken { why, .. })) => (State::Broken, None, Some(why)),
                _ => (State::Broken, None, None),
            },
            None => (State::Broken, None, None),
        },
    };
    let fault = match folder {
        Some(folder) => differs(entered, folder),
        None => Some(gone(entered, state, others)),
    };
    Attempt {
        season: entered.season.clone(),
        lane: entered.lane.clone(),
        attempt: entered.attempt,
        race: entered.race.clone(),
        state,
        missing: folder.is_none(),
        started: entered.began.clone(),
        finish_ms,
        why,
        fault,
        entered: true,
        counts: state != State::Void,
    }
}

fn gone(entered: &Entered, state: State, others: &BTreeMap<String, Standing>) -> String {
    let head = Some(&entered.head_sha256);
    let renamed = others.iter().find(|(_, it)| it.head.as_ref() == head);
    let was =
        if entered.end.is_some() { format!(" (it was {})", state.word()) } else { String::new() };
    match renamed {
        Some((name, _)) => format!("its folder was renamed to {name}{was}"),
        None => format!("its folder is gone{was}"),
    }
}

/// What of a folder is not what was entered.
fn differs(entered: &Entered, folder: &Standing) -> Option<String> {
    let sha256 = |name: &str| folder.files.sha256(name).ok();
    match &folder.head {
        Some(head) if *head == entered.head_sha256 => {}
        // Entered, and stopped before its first line was whole.
        None if !matches!(entered.end, Some(End::Ended { .. })) && entered.began.is_some() => {}
        Some(_) => {
            return Some(String::from(
                "is another race than the one that was entered: io.jsonl begins otherwise",
            ));
        }
        None => return Some(String::from("io.jsonl has no first line, and had one")),
    }
    match &entered.end {
        Some(End::Ended { result_sha256, .. })
            if sha256("result.json").as_ref() != Some(result_sha256) =>
        {
            Some(String::from("result.json is not the one that was entered"))
        }
        Some(End::Broken { io_sha256, .. }) if sha256("io.jsonl").as_ref() != Some(io_sha256) => {
            Some(String::from("io.jsonl is not what it was when the race broke"))
        }
        _ => None,
    }
}

/// A folder that the ledger does not name.
fn unlisted(name: &str, folder: &Standing, ledger: &Ledger, made: &mut Attempts) {
    let Standing { files, head } = folder;
    let is_entered = |it: &&Entered| Some(&it.head_sha256) == head.as_ref();
    if let Some(original) = ledger.attempts.iter().find(is_entered) {
        if files.path().with_file_name(&original.race).exists() {
            made.notes.push(format!("{name} is a copy of {}", original.race));
        }
        return;
    }
    let Some(result) = folder.result() else {
        let is_empty = head.is_none();
        let what =
            if is_empty { "was made, and its race never began" } else { "has no log to read" };
        made.notes.push(format!("{name} {what}"));
        return;
    };
    let of_lane = |it: &Entered| it.season == result.season && it.lane == result.lane.name;
    let fault =
        ledger.attempts.iter().any(of_lane).then(|| {
            String::from("is not in the ledger, which has other attempts of the same lane")
        });
    if let Some(what) = &fault {
        made.faults.push(Fault { file: name.to_owned(), line: None, what: what.clone() });
    } else if made.ledger {
        made.notes.push(format!("{name} is not in the ledger: it was not raced into this folder, or before there was one"));
    }
    let is_over = result.finish_ms.is_some() || files.has("result.json");
    let state = match State::of(result.status) {
        State::Unfinished if files.is_running() => State::Running,
        State::Unfinished if !is_over => State::Broken,
        state => state,
    };
    made.attempts.push(Attempt {
        season: result.season.clone(),
        lane: result.lane.name.clone(),
        attempt: result.attempt,
        race: result.race.clone(),
        state,
        missing: false,
        started: None,
        finish_ms: result.finish_ms,
        why: result.notes.first().cloned(),
        fault,
        entered: false,
        counts: state != State::Void,
    });
}

/// Numbers that a ledger leaves out and that no folder has.
fn gaps(out: &Path, ledger: &Ledger, made: &mut Attempts) {
    let mut lanes: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for it in &made.attempts {
        lanes.entry((it.season.clone(), it.lane.clone())).or_default().push(it.attempt);
    }
    for ((season, lane), mut numbers) in lanes {
        let last = ledger.last_attempt(&season, &lane);
        numbers.retain(|number| *number <= last);
        numbers.sort_unstable();
        let mut due = 1;
        for number in numbers {
            // A folder without a first line took its number, and its race never began.
            let never_began = |it: &u32| out.join(race_id(&season, &lane, *it)).is_dir();
            while due < number && never_began(&due) {
                due += 1;
            }
            if number > due {
                let what = match number - 1 {
                    to if to == due => format!("attempt {due} is neither here nor in the ledger"),
                    to => format!("attempts {due} to {to} are neither here nor in the ledger"),
                };
                made.faults.push(Fault { file: format!("{season}-{lane}"), line: None, what });
            }
            due = number.saturating_add(1);
        }
    }
}

/// Leaves `counts` to the first attempt of each lane that may count.
fn count(attempts: &mut [Attempt]) {
    let mut before: Option<(String, String)> = None;
    for it in attempts {
        let lane = (it.season.clone(), it.lane.clone());
        it.counts = it.counts && before.as_ref() != Some(&lane);
        if it.counts {
            before = Some(lane);
        }
    }
}
