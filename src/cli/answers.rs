//! `gauntlet answers DIR`: what the model wrote at each range, and what was read of it for each target, by which rule.
//!
//! The words come from io.jsonl, as they arrived; what was read and judged comes from log.jsonl, as the referee wrote it down.

use super::format::{Table, TableFormat};
use super::view::{Look, argument, how_answered, title};
use super::{Failure, out, replay};
use crate::lane::request::Purpose;
use crate::lane::think;
use crate::race::Input;
use crate::race::event::{Answer, Event, Reason, Verdict};
use crate::race::line::{ChainReader, IoLine, LogLine};
use crate::race::reply::Reply;
use crate::store::read::read_line;
use crate::store::{RaceFiles, StoreError};
use crate::text::{shown, shown_lines};
use clap::Args as ClapArgs;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `gauntlet answers`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The words stand as they arrived; nothing in them can act on the terminal. The referee's reading is that of the log: \
    `gauntlet verify` proves it.\n\n\
    Examples:\n  gauntlet answers races/21-my-rig-attempt1\n  \
    gauntlet answers races/21-my-rig-attempt1 --range 3 --thinking --prompt\n  \
    gauntlet answers races/21-my-rig-attempt1 --format csv\n\n\
    Exit codes: 0 done, 2 no race there"
)]
pub(crate) struct Args {
    /// The race's folder.
    #[arg(value_name = "DIR")]
    race: PathBuf,
    /// Only this range, from 1.
    #[arg(long, value_name = "N")]
    range: Option<u32>,
    /// Show what was thought, too.
    #[arg(long)]
    thinking: bool,
    /// Show what was asked, too.
    #[arg(long)]
    prompt: bool,
    /// How to print; CSV and Markdown have a row a target and leave the words out.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

/// The answers of a race.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answers {
    race: String,
    ranges: Vec<Range>,
}

/// What was said and read at a range.
#[derive(Serialize, JsonSchema)]
pub(super) struct Range {
    range: u32,
    family: String,
    kind: crate::puzzles::Kind,
    level: u8,
    /// How the answer came; nothing while the range is not over.
    answer: Option<Answer>,
    thinking_ms: Option<u64>,
    replies: Vec<Said>,
    targets: Vec<Target>,
}

/// One reply of the lane.
#[derive(Serialize, JsonSchema)]
pub(super) struct Said {
    /// The main request or the forced answer.
    purpose: Purpose,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<String>,
    answer: String,
    finish_reason: Option<String>,
    /// Whether the reply came to its own end.
    whole: bool,
}

/// What was read for a target.
#[derive(Serialize, JsonSchema)]
pub(super) struct Target {
    target: u32,
    verdict: Verdict,
    reason: Reason,
    rule: Option<String>,
    read: Option<String>,
    detail: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let race = replay::read(&args.race)?;
    let mut ranges = judged(&race.lines);
    say(args, &mut ranges)?;
    if let Some(wanted) = args.range {
        let count = ranges.len();
        ranges.retain(|range| range.range == wanted);
        if ranges.is_empty() {
            return Err(Failure::Usage {
                what: format!("the race has no range {wanted}"),
                hint: format!("it came to {}", out::counted(count as u64, "range")),
            });
        }
    }
    let answers = Answers { race: shown(&race.result.race, 100), ranges };
    args.format.print(&answers, || text(&answers), || table(&answers));
    out::next(&format!("gauntlet verify {}", argument(&args.race)));
    Ok(ExitCode::SUCCESS)
}

/// The ranges as the log tells them.
fn judged(log: &[LogLine]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for line in log {
        match (&line.event, ranges.last_mut()) {
            (Event::RangeStart { range, family, kind, level, .. }, _) => ranges.push(Range {
                range: *range,
                family: family.clone(),
                kind: *kind,
                level: *level,
                answer: None,
                thinking_ms: None,
                replies: Vec::new(),
                targets: Vec::new(),
            }),
            (Event::Answer { answer, thinking_ms, .. }, Some(range)) => {
                range.answer = Some(*answer);
                range.thinking_ms = Some(*thinking_ms);
            }
            (Event::Shot { target, verdict, reason, read, rule, detail, .. }, Some(range)) => {
                range.targets.push(Target {
                    target: *target,
                    verdict: *verdict,
                    reason: *reason,
                    rule: rule.clone(),
                    read: read.clone(),
                    detail: detail.clone(),
                });
            }
            _ => {}
        }
    }
    ranges
}

/// Adds the words from io.jsonl, reply by reply, as far as the file stands.
fn say(args: &Args, ranges: &mut [Range]) -> Result<(), Failure> {
    let files = RaceFiles::new(&args.race);
    let mut lines = files.lines("io.jsonl")?;
    let mut chain = ChainReader::default();
    let mut reached = 0;
    let mut now: Option<(Purpose, Option<String>, Reply)> = None;
    while let Some(line) = lines.next_line()? {
        let io: IoLine = match read_line(&mut chain, &line) {
            Ok(io) => io,
            Err(what) => {
                let path = files.file("io.jsonl");
                let error = StoreError::content(&path, Some(line.number), what).to_string();
                out::note(&format!("note: {error}; what stands before it is shown"));
                break;
            }
        };
        match &io.input {
            Input::Request { purpose, body } => {
                keep(args, ranges, reached, now.take());
                reached += usize::from(*purpose == Purpose::Main);
                let races = matches!(purpose, Purpose::Main | Purpose::Forced);
                let prompt = asked(body).filter(|_| args.prompt);
                now = races.then(|| (*purpose, prompt, Reply::new(io.t_ms)));
            }
            Input::Chunk { chunk } => {
                if let Some((_, _, reply)) = &mut now {
                    reply.take(io.t_ms, chunk);
                }
            }
            _ => {}
        }
    }
    keep(args, ranges, reached, now);
    Ok(())
}

/// Puts a reply to its range. The main request of a range is the one that comes first there.
fn keep(
    args: &Args,
    ranges: &mut [Range],
    reached: usize,
    reply: Option<(Purpose, Option<String>, Reply)>,
) {
    let Some((purpose, prompt, reply)) = reply else { return };
    let Some(range) = reached.checked_sub(1).and_then(|index| ranges.get_mut(index)) else {
        return;
    };
    let thought = think::split(&reply.reasoning, &reply.content);
    let thinking = Some(thought.reasoning).filter(|it| args.thinking && !it.trim().is_empty());
    range.replies.push(Said {
        purpose,
        prompt,
        thinking,
        answer: thought.answer,
        whole: reply.is_whole(),
        finish_reason: reply.finish_reason,
    });
}

/// The last message of a request.
fn asked(body: &Value) -> Option<String> {
    let last = body.get("messages")?.as_array()?.last()?;
    Some(last.get("content")?.as_str()?.to_owned())
}

fn text(answers: &Answers) -> String {
    let look = Look::of_locale();
    let mut text = String::new();
    for (index, range) in answers.ranges.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let hits = range.targets.iter().filter(|it| it.verdict == Verdict::Hit).count();
        let how = match (range.answer, range.thinking_ms) {
            (Some(answer), Some(ms)) => {
                format!("{} after {} s", how_answered(answer), out::seconds(ms))
            }
            _ => String::from("not over"),
        };
        text += &format!(
            "range {}  {}, {} level {}: {how}, {hits} of {} hit\n",
            range.range,
            look.text(&title(&range.family), 40),
            range.kind,
            range.level,
            out::counted(range.targets.len() as u64, "target")
        );
        range.replies.iter().for_each(|said| text += &words(look, said));
        range.targets.iter().for_each(|target| text += &read(look, target));
    }
    text
}

/// A reply, each of its lines behind a mark, so that none can pass for a line of ours.
fn words(look: &Look, said: &Said) -> String {
    let mut text = String::new();
    let mut part = |name: &str, words: &str| {
        text += &format!("{name}\n");
        for line in shown_lines(words.trim_matches('\n')) {
            text += format!("  {} {}", look.quote, look.text(&line, usize::MAX)).trim_end();
            text.push('\n');
        }
    };
    if let Some(prompt) = &said.prompt {
        part("  asked", prompt);
    }
    if let Some(thinking) = &said.thinking {
        part("  thought", thinking);
    }
    let forced = if said.purpose == Purpose::Forced { "forced answer" } else { "answer" };
    let end = match (&said.finish_reason, said.whole) {
        (Some(reason), true) => format!("finish reason {}", shown(reason, 64)),
        (Some(reason), false) => format!("not whole, finish reason {}", shown(reason, 64)),
        (None, _) => String::from("cut before its end"),
    };
    let nothing = if said.answer.trim().is_empty() { ": no word" } else { "" };
    part(&format!("  {forced} ({end}){nothing}"), &said.answer);
    text
}

fn read(look: &Look, target: &Target) -> String {
    let mark = if target.verdict == Verdict::Hit { look.hit } else { look.miss };
    let some = |text: &Option<String>| text.as_deref().map(|text| look.text(text, 400));
    let rule = some(&target.rule).map_or_else(String::new, |rule| format!(" by {rule}"));
    let read = match some(&target.read) {
        Some(read) => format!("  read \"{read}\"{rule}"),
        None => String::from("  nothing read"),
    };
    let detail = some(&target.detail).map_or_else(String::new, |detail| format!("  ({detail})"));
    let reason = target.reason.word();
    format!("  {mark} target {}  {reason:<12}{read}{detail}\n", target.target)
}

fn table(answers: &Answers) -> Table {
    let mut table = Table::new(&[
        "race", "range", "family", "target", "verdict", "reason", "rule", "read", "detail",
    ]);
    for range in &answers.ranges {
        for it in &range.targets {
            let verdict = if it.verdict == Verdict::Hit { "hit" } else { "miss" };
            let text = |text: &Option<String>| text.as_deref().map(|text| shown(text, 400)).into();
            table.row(vec![
                answers.race.as_str().into(),
                range.range.into(),
                shown(&range.family, 60).into(),
                it.target.into(),
                verdict.into(),
                it.reason.word().into(),
                text(&it.rule),
                text(&it.read),
                text(&it.detail),
            ]);
        }
    }
    table
}
