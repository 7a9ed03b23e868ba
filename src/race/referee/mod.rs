//! The referee: takes stamped inputs, gives events. Knows the rules, the course and the lane file; knows no clock and no file.
//!
//! A driver asks [`Referee::due`] what to do, does it, and tells what happened by [`Referee::step`]. The log of a race is what
//! `step` gave, so `log = referee(io)` holds for a live race, a simulated one and a replay alike. What a model does wrong is
//! an event, never an error; an input that fits nothing that is due changes nothing.

mod answering;
mod clock;
mod outside;

use super::event::{Event, LaneFacts, Started};
use super::input::{Input, Start};
use super::reply::Reply;
use super::{prompts, prompts::Continuation, scoring};
use crate::clock::Stamp;
use crate::course::{Course, RangeTask};
use crate::digest::sha256_hex;
use crate::format;
use crate::judge::job::Job;
use crate::lane::chunk::Chunk;
use crate::lane::file::{Forced, LaneFile};
use crate::lane::request::{Ask, Purpose};
use crate::lane::think::{self, AnswerWatch};
use clock::listen;

/// What a driver is to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Due {
    /// Feed the start.
    Start,
    /// Send this request and feed [`Input::Request`]; a reply that is still under way is to be cut first.
    Ask(Ask),
    /// Feed what arrives, and a tick at that moment at the latest.
    Listen {
        /// On the clock of the stamps; nothing when there is no limit.
        until_ms: Option<u64>,
    },
    /// Run this code and feed what comes back.
    Judge(Job),
    /// The race is over.
    Over,
}

/// An event and the race clock at it.
pub type Timed = (u64, Event);

/// The state of a race.
#[derive(Debug)]
pub struct Referee<'a> {
    course: &'a Course,
    lane: &'a LaneFile,
    system: String,
    /// The revision of the rules that the race is refereed by.
    rules: u32,
    phase: Phase,
    /// The race clock where the last leg or range ended.
    race_ms: u64,
    /// The current range, from 0.
    range: usize,
    /// When the thinking clock of the range began.
    range_began: Stamp,
    /// A reply was cut in this range.
    cut: bool,
    load: Load,
    zeroed: Zeroed,
    totals: Totals,
    out: Vec<Timed>,
}

#[derive(Debug)]
enum Phase {
    Waiting,
    Zeroing { turn: Turn, reply: Option<Box<Reply>> },
    Main(Option<Box<Thinking>>),
    Forced { main: Box<Reply>, reply: Option<Box<Thinking>> },
    Judging { job: Job, rule: &'static str, thinking_ms: u64 },
    Idle(Box<Idle>),
    Over,
}

/// Which zeroing it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Before,
    After,
    /// Once more after the finish, because the first one could not be measured.
    Again,
}

/// A reply whose reasoning has not ended yet, perhaps.
#[derive(Debug)]
struct Thinking {
    reply: Reply,
    watch: AnswerWatch,
}

#[derive(Debug)]
struct Idle {
    since_ms: u64,
    probes: u32,
    reply: Option<Reply>,
    pause_until_ms: Option<u64>,
}

#[derive(Debug, Default)]
struct Zeroed {
    first_token_ms: u64,
    decode_mtps: Option<u64>,
}

/// Foreign load in the current range.
#[derive(Debug, Default)]
struct Load {
    last_sample: Option<u64>,
    said: bool,
}

#[derive(Debug, Default)]
struct Totals {
    hits: u32,
    loops: u32,
    thinking_ms: u64,
    course_ms: u64,
}

impl<'a> Referee<'a> {
    /// A referee before the start.
    #[must_use]
    pub fn new(course: &'a Course, lane: &'a LaneFile) -> Self {
        Self {
            course,
            lane,
            system: String::new(),
            rules: 1,
            phase: Phase::Waiting,
            race_ms: 0,
            range: 0,
            range_began: Stamp { t_ms: 0, wall_ms: 0 },
            cut: false,
            load: Load::default(),
            zeroed: Zeroed::default(),
            totals: Totals::default(),
            out: Vec::new(),
        }
    }

    /// What the driver is to do next.
    #[must_use]
    pub fn due(&self) -> Due {
        let season = &self.course.season;
        let answer_limit = self.lane.answer_limit_tokens;
        match &self.phase {
            Phase::Waiting => Due::Start,
            Phase::Zeroing { reply: None, .. } => {
                Due::Ask(prompts::zeroing(&self.system, season.zeroing.limit_tokens))
            }
            Phase::Zeroing { reply: Some(reply), .. } => self.until(reply, season.zeroing.limit_ms),
            Phase::Main(None) => Due::Ask(prompts::main(
                &self.system,
                &self.task().task,
                answer_limit,
                self.lane.thinks(),
            )),
            Phase::Main(Some(it)) => match self.task().buzzer_ms {
                Some(limit_ms) => self.until(&it.reply, limit_ms),
                None => Due::Listen { until_ms: None },
            },
            Phase::Forced { main, reply: None } if self.lane.forced == Forced::Continue => {
                let limit_tokens = answer_limit.min(season.forced.limit_tokens);
                let task = &self.task().task;
                Due::Ask(self.continuation(main).ask(&self.system, task, limit_tokens))
            }
            Phase::Forced { main, reply: None } => Due::Ask(prompts::forced(
                &self.system,
                &self.task().task,
                &notes(main),
                season.forced.notes_chars,
                answer_limit.min(season.forced.limit_tokens),
            )),
            Phase::Forced { reply: Some(it), .. } => self.until(&it.reply, season.forced.window_ms),
            Phase::Judging { job, .. } => Due::Judge(job.clone()),
            Phase::Idle(idle) => match (idle.pause_until_ms, &idle.reply) {
                (Some(until_ms), _) => Due::Listen { until_ms: Some(until_ms) },
                (None, None) => Due::Ask(prompts::probe(&self.system)),
                (None, Some(_)) => listen(idle.since_ms, season.idle.limit_ms),
            },
            Phase::Over => Due::Over,
        }
    }

    /// The system prompt of this race; empty before the start.
    #[must_use]
    pub fn system_prompt(&self) -> &str {
        &self.system
    }

    /// The current range, from 0; past the last one after the last range.
    #[must_use]
    pub fn range(&self) -> usize {
        self.range
    }

    /// Whether the race is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// Takes the next input and says what happened, each with the race clock at it.
    #[must_use]
    pub fn step(&mut self, at: Stamp, input: &Input) -> Vec<Timed> {
        match input {
            Input::Start { start } => self.start(start),
            Input::Interrupt => self.interrupt(),
            Input::JudgeFailed { message } => {
                if matches!(self.phase, Phase::Judging { .. }) {
                    self.void(format!("the sandbox failed: {message}"));
                }
            }
            Input::Judged { judgement } => self.judged(at, judgement),
            Input::Request { purpose, .. } => self.requested(at, *purpose),
            Input::Load { sample, process, percent } => self.load(at, *sample, process, *percent),
            Input::Tick => self.listen(at, None),
            Input::Chunk { chunk } => self.listen(at, Some(chunk)),
        }
        std::mem::take(&mut self.out)
    }

    fn task(&self) -> &'a RangeTask {
        // The range index only moves while another range follows, and a course has at least one.
        &self.course.ranges[self.range]
    }

    /// How the forced answer of a lane begins that continues its own message.
    fn continuation(&self, main: &Reply) -> Continuation {
        prompts::continuation(self.task().task.kind(), &main.reasoning, &main.content)
    }

    fn number(&self) -> u32 {
        number(self.range)
    }

    fn say(&mut self, race_ms: u64, event: Event) {
        self.out.push((race_ms, event));
    }

    fn start(&mut self, start: &Start) {
        if !matches!(self.phase, Phase::Waiting) {
            return;
        }
        let season = &self.course.season;
        self.system = prompts::system(&start.race, &start.nonce);
        self.rules = start.rules.unwrap_or(1);
        self.phase = Phase::Zeroing { turn: Turn::Before, reply: None };
        let class = scoring::memory_class_gb(&season.memory_classes_gb, self.lane.memory_gb);
        self.say(
            0,
            Event::Start(Box::new(Started {
                format: if self.rules == 1 && start.allow_unconfined.is_none() {
                    format::LOG.first()
                } else {
                    format::LOG.written()
                },
                engine: start.engine.clone(),
                race: start.race.clone(),
                season: season.name.clone(),
                season_status: season.status,
                season_sha256: start.season_sha256.clone(),
                seed: season.seed,
                prompt_version: season.prompt_version.clone(),
                lane: LaneFacts {
                    name: self.lane.name.clone(),
                    model: self.lane.model.clone(),
                    memory_gb: self.lane.memory_gb,
                },
                lane_sha256: start.lane_sha256.clone(),
                memory_class_gb: class.unwrap_or(self.lane.memory_gb),
                attempt: start.attempt,
                ranges: number(self.course.ranges.len()) - 1,
                nonce: start.nonce.clone(),
                host: start.host.clone(),
                allow_unconfined: start.allow_unconfined,
            })),
        );
    }

    fn requested(&mut self, at: Stamp, purpose: Purpose) {
        let reply = Reply::new(at.t_ms);
        let range = self.number();
        let (thinking, limit_tokens) = match self.due() {
            Due::Ask(ask) if ask.purpose == purpose => (ask.thinking, ask.limit_tokens),
            _ => return,
        };
        match &mut self.phase {
            Phase::Zeroing { reply: slot, .. } => *slot = Some(Box::new(reply)),
            Phase::Idle(idle) => {
                idle.probes += 1;
                idle.reply = Some(reply);
            }
            Phase::Main(slot) => {
                *slot = Some(Box::new(Thinking::new(reply)));
                self.range_began = at;
                self.load = Load::default();
                self.say(self.race_ms, Event::Request { range, purpose, limit_tokens, thinking });
            }
            Phase::Forced { reply: slot, .. } => {
                *slot = Some(Box::new(Thinking::new(reply)));
                let race_ms = self.race_ms + self.task().buzzer_ms.unwrap_or(0);
                self.say(race_ms, Event::Request { range, purpose, limit_tokens, thinking });
            }
            Phase::Waiting | Phase::Judging { .. } | Phase::Over => {}
        }
    }

    /// A chunk or a tick: first whether a limit passed, then what the chunk says.
    fn listen(&mut self, at: Stamp, chunk: Option<&Chunk>) {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Zeroing { turn, reply: Some(reply) } => self.zeroing(at, chunk, turn, reply),
            Phase::Main(Some(it)) => self.main(at, chunk, it),
            Phase::Forced { main, reply: Some(it) } => self.forced(at, chunk, main, it),
            Phase::Idle(idle) => self.idle(at, chunk, idle),
            other => self.phase = other,
        }
    }

    fn leave_range(&mut self) {
        self.range += 1;
        self.ski();
    }

    /// Skis the next leg, to the next range or to the finish.
    fn ski(&mut self) {
        let leg = self.range;
        let leg_ms = self.course.season.course.legs_ms.get(leg).copied().unwrap_or(0);
        self.say(self.race_ms, Event::Leg { leg: number(leg), leg_ms });
        self.race_ms = self.race_ms.saturating_add(leg_ms);
        self.totals.course_ms = self.totals.course_ms.saturating_add(leg_ms);
        let Some(task) = self.course.ranges.get(self.range) else {
            self.phase = Phase::Zeroing { turn: Turn::After, reply: None };
            return;
        };
        self.phase = Phase::Main(None);
        self.say(
            self.race_ms,
            Event::RangeStart {
                range: number(leg),
                family: task.task.family.to_owned(),
                kind: task.task.kind(),
                level: task.task.level.get(),
                targets: number(crate::puzzles::TARGETS) - 1,
                buzzer_ms: task.buzzer_ms,
                prompt_sha256: sha256_hex(task.task.prompt.as_bytes()),
            },
        );
    }

    fn interrupt(&mut self) {
        if !matches!(self.phase, Phase::Over | Phase::Waiting) {
            let range = number(self.range.min(self.course.ranges.len() - 1));
            self.say(self.race_ms, Event::Abandoned { range });
            self.phase = Phase::Over;
        }
    }

    fn void(&mut self, why: String) {
        self.say(self.race_ms, Event::Void { why });
        self.phase = Phase::Over;
    }
}

impl Thinking {
    fn new(reply: Reply) -> Self {
        Self { reply, watch: AnswerWatch::default() }
    }
}

/// An index as people count.
fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// What a lane had written so far, reasoning first.
fn notes(reply: &Reply) -> String {
    let thought = think::split(&reply.reasoning, &reply.content);
    format!("{}\n{}", thought.reasoning, thought.answer)
}
