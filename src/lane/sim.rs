//! The pacer: a simulated lane that computes its stamps from a speed profile and writes real answers at its skill.
//!
//! True plans, orders and code when it hits, seeded slips otherwise, so that extraction, judge and buzzer all have work. It
//! reads no clock: every stamp is integer arithmetic on the profile, and a race of it is the same bytes each time.

use super::chunk::{Channel, Chunk, Usage};
use super::file::LaneFile;
use super::profile::{SimProfile, Style, ThinkAs};
use super::request::{Ask, Purpose};
use crate::course::{Course, RangeTask};
use crate::drive::on_paper::PaperLane;
use crate::puzzles::{Body, CodeTask, Kind, Puzzle, TARGETS};
use crate::rng::{Key, Stream};
use serde_json::json;

/// Streams of one range: one a purpose, with room to spare.
const STREAMS_A_RANGE: u64 = 8;

/// How much a pacer's thinking varies around its profile, in percent.
const THINKING_JITTER: u32 = 20;

/// A simulated lane on a course.
#[derive(Debug)]
pub struct Pacer<'a> {
    course: &'a Course,
    profile: &'a SimProfile,
    key: Key,
}

/// What a pacer is going to write, before it has stamps.
struct Script {
    thought: String,
    answer: String,
    answer_kind: Kind,
}

impl<'a> Pacer<'a> {
    /// The pacer of a lane file; nothing when the file has no `[sim]` section.
    #[must_use]
    pub fn new(course: &'a Course, lane: &'a LaneFile) -> Option<Self> {
        let season = &course.season;
        let key = Key::of(&[
            b"gauntlet pacer 1",
            season.name.as_bytes(),
            &season.seed.to_le_bytes(),
            lane.name.as_bytes(),
            &lane.seed.to_le_bytes(),
        ]);
        Some(Self { course, profile: lane.sim.as_ref()?, key })
    }

    fn script(&self, ask: &Ask, range: usize) -> Script {
        let number = match ask.purpose {
            Purpose::Main => 0,
            Purpose::Forced => 1,
            Purpose::Zeroing | Purpose::Probe => 2,
        };
        let mut rng = self.key.stream(range as u64 * STREAMS_A_RANGE + number);
        match (ask.purpose, self.course.ranges.get(range)) {
            (Purpose::Main, Some(task)) => self.main(task, ask.thinking, &mut rng),
            (Purpose::Forced, Some(task)) => {
                // What is forced out of it is half as good.
                let answer = self.answer(task, 2, &mut rng);
                Script { thought: String::new(), answer, answer_kind: task.task.kind() }
            }
            (Purpose::Probe, _) => plain("ok"),
            _ => plain(&(1..=40).map(|n| format!("number {n}, ")).collect::<String>()),
        }
    }

    fn main(&self, task: &RangeTask, thinking: bool, rng: &mut Stream) -> Script {
        let level = task.task.level;
        let tokens = if thinking { self.profile.think_tokens[level.index()] } else { 0 };
        let spread = 100 - THINKING_JITTER + rng.below(2 * THINKING_JITTER + 1);
        let tokens = u64::from(tokens) * u64::from(spread) / 100;
        let thought = self.notes(task, tokens, rng);
        let working = self.notes(task, u64::from(self.profile.working_tokens), rng);
        let answer = working + &self.answer(task, 1, rng);
        Script { thought, answer, answer_kind: task.task.kind() }
    }

    /// Notes of about that many tokens. They never declare a target.
    fn notes(&self, task: &RangeTask, tokens: u64, rng: &mut Stream) -> String {
        const TURNS: [&str; 4] =
            ["that does not fit", "go back one step", "keep this for now", "check it again"];
        let chars = usize::try_from(tokens).unwrap_or(0) * self.profile.chars_per_token as usize;
        let mut notes = String::new();
        while notes.len() < chars {
            let target = rng.index(TARGETS);
            let tried = match &task.task.body {
                Body::Puzzle(puzzle) => puzzle.guess(target, rng),
                Body::Code(code) => {
                    rng.pick(&code.slips).map_or("the rules", |slip| slip.misses).to_owned()
                }
            };
            let turn = rng.pick(&TURNS).copied().unwrap_or_default();
            notes += &format!("On target {}, {tried}: {turn}.\n", target + 1);
        }
        notes.truncate(chars);
        if !notes.is_empty() && !notes.ends_with('\n') {
            notes.push('\n');
        }
        notes
    }

    fn answer(&self, task: &RangeTask, skill_share: u32, rng: &mut Stream) -> String {
        let skill = self.profile.skill(task.task.kind());
        let hit_percent = skill.hit_percent_at(task.task.level) / skill_share;
        match &task.task.body {
            Body::Puzzle(puzzle) => (0..TARGETS)
                .filter_map(|target| {
                    let value =
                        puzzle_value(&**puzzle, target, hit_percent, skill.slip_percent, rng)?;
                    Some(self.line(target, &value))
                })
                .collect(),
            Body::Code(code) => code_answer(code, hit_percent, skill.slip_percent, rng),
        }
    }

    fn line(&self, target: usize, value: &str) -> String {
        let number = target + 1;
        match self.profile.style {
            Style::Plain => format!("TARGET {number}: {value}\n"),
            Style::Markdown => format!("- **TARGET {number}:** {value}\n"),
            Style::Latex => format!("TARGET {number}: $\\boxed{{{value}}}$\n"),
        }
    }
}

impl PaperLane for Pacer<'_> {
    fn reply(&mut self, ask: &Ask, range: usize, asked_ms: u64) -> Vec<(u64, Chunk)> {
        let profile = self.profile;
        let script = self.script(ask, range);
        let prompt_chars: usize = ask.messages.iter().map(|message| message.content.len()).sum();
        let prompt_tokens = prompt_chars.div_ceil(profile.chars_per_token as usize) as u64;
        let first_ms = asked_ms + profile.first_token_ms(prompt_tokens).max(1);

        let mut pen = Pen {
            profile,
            chunks: Vec::new(),
            now_ms: first_ms,
            limit: ask.limit_tokens,
            tokens: 0,
        };
        let (channel, thought) = match profile.think_as {
            ThinkAs::Tags if !script.thought.is_empty() => {
                (Channel::Answer, format!("<think>\n{}</think>\n\n", script.thought))
            }
            _ => (Channel::Reasoning, script.thought),
        };
        pen.write(channel, &thought, Kind::Puzzle);
        let reasoning_tokens = pen.tokens;
        let whole = pen.write(Channel::Answer, &script.answer, script.answer_kind);
        let Pen { mut chunks, now_ms, tokens, .. } = pen;

        let reason = if whole { "stop" } else { "length" };
        let raw = json!({ "prompt_tokens": prompt_tokens, "completion_tokens": tokens });
        let usage = Usage {
            prompt_tokens: Some(prompt_tokens),
            completion_tokens: Some(tokens),
            reasoning_tokens: Some(reasoning_tokens),
            cached_tokens: Some(0),
            raw,
        };
        chunks.push((now_ms, Chunk::Finish { reason: reason.to_owned() }));
        chunks.push((now_ms, Chunk::Usage { usage }));
        chunks.push((now_ms, Chunk::End { complete: true, done: true }));
        chunks
    }
}

/// Writes text at the profile's speed, step by step, up to a token limit.
struct Pen<'a> {
    profile: &'a SimProfile,
    chunks: Vec<(u64, Chunk)>,
    now_ms: u64,
    limit: u64,
    tokens: u64,
}

impl Pen<'_> {
    /// Writes a text; says whether it came to its end.
    fn write(&mut self, channel: Channel, text: &str, kind: Kind) -> bool {
        let began_ms = self.now_ms;
        let chars_per_token = self.profile.chars_per_token as usize;
        let mut rest = text;
        let mut written = 0;
        while !rest.is_empty() {
            // Steps yield whole tokens: the fraction is carried by rounding the count so far.
            let steps_done = written * 1_000 / self.profile.tokens_per_step.max(1);
            let next =
                ((steps_done + 1) * self.profile.tokens_per_step).div_ceil(1_000).max(written + 1);
            let tokens = (next - written).min(self.limit - self.tokens);
            if tokens == 0 {
                return false;
            }
            let chars =
                usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(chars_per_token);
            let end = rest.char_indices().nth(chars).map_or(rest.len(), |(at, _)| at);
            let (piece, left) = rest.split_at(end);
            rest = left;
            let tokens = (piece.chars().count().div_ceil(chars_per_token)) as u64;
            written += tokens;
            self.tokens += tokens;
            self.now_ms = began_ms + self.profile.decode_ms(kind, written);
            self.chunks.push((self.now_ms, Chunk::Delta { channel, text: piece.to_owned() }));
        }
        true
    }
}

fn plain(text: &str) -> Script {
    Script { thought: String::new(), answer: text.to_owned(), answer_kind: Kind::Puzzle }
}

/// The value of one line, or nothing when the pacer leaves the target out.
fn puzzle_value(
    puzzle: &dyn Puzzle,
    target: usize,
    hit_percent: u32,
    slip_percent: u32,
    rng: &mut Stream,
) -> Option<String> {
    if rng.percent(hit_percent) {
        Some(puzzle.solution(target))
    } else if rng.percent(slip_percent) {
        Some(puzzle.slip(target, rng))
    } else if rng.below(3) == 0 {
        None
    } else {
        Some(puzzle.guess(target, rng))
    }
}

/// A code answer: right, missing one rule, broken, or none.
fn code_answer(code: &CodeTask, hit_percent: u32, slip_percent: u32, rng: &mut Stream) -> String {
    let source = if rng.percent(hit_percent) {
        code.solution.clone()
    } else if rng.percent(slip_percent) {
        rng.pick(&code.slips).map_or_else(String::new, |slip| slip.code.clone())
    } else if rng.below(3) == 0 {
        return String::from("I could not finish this one.\n");
    } else {
        // The colon that everybody forgets once.
        code.solution.replacen("):", ")", 1)
    };
    format!("```python\n{}\n```\n", source.trim_end())
}
