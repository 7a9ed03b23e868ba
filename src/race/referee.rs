//! The referee: takes stamped inputs, gives events. Knows the rules, the course and the lane file; knows no clock and no file.
//!
//! A driver asks [`Referee::due`] what to do, does it, and tells what happened by [`Referee::step`]. The log of a race is what
//! `step` gave, so `log = referee(io)` holds for a live race, a simulated one and a replay alike. What a model does wrong is
//! an event, never an error; an input that fits nothing that is due changes nothing.

use super::event::{Answer, Disturbance, Event, LaneFacts, Limit, Reason, Started};
use super::input::{Input, Start};
use super::reply::{End, Reply};
use super::shooting::{Shot, Source, find_code, no_shots, shoot_code, shoot_lines};
use super::{prompts, scoring};
use crate::clock::Stamp;
use crate::course::{Course, RangeTask};
use crate::digest::sha256_hex;
use crate::format;
use crate::judge::job::{Job, Judgement};
use crate::lane::chunk::{Chunk, Failure, FailureKind};
use crate::lane::file::LaneFile;
use crate::lane::request::{Ask, Purpose};
use crate::lane::think::{self, AnswerWatch};
use crate::puzzles::Body;
use crate::race::event::Verdict;

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
    phase: Phase,
    /// The race clock where the last leg or range ended.
    race_ms: u64,
    /// The current range, from 0.
    range: usize,
    /// When the thinking clock of the range began.
    range_began: Stamp,
    /// A reply was cut in this range.
    cut: bool,
    zeroed: Zeroed,
    totals: Totals,
    out: Vec<Timed>,
}

#[derive(Debug)]
enum Phase {
    Waiting,
    Zeroing { after: bool, reply: Option<Reply> },
    Main(Option<Thinking>),
    Forced { main: Reply, reply: Option<Thinking> },
    Judging { job: Job, rule: &'static str, thinking_ms: u64 },
    Idle(Idle),
    Over,
}

/// A reply whose reasoning has not ended yet, perhaps.
#[derive(Debug)]
struct Thinking {
    reply: Reply,
    watch: AnswerWatch,
    answer_began: bool,
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

#[derive(Debug, Default)]
struct Totals {
    hits: u32,
    loops: u32,
    thinking_ms: u64,
    course_ms: u64,
}

/// How the thinking clock of a range stopped.
struct Stop {
    answer: Answer,
    thinking_ms: u64,
    limit: Option<Limit>,
}

impl<'a> Referee<'a> {
    /// A referee before the start.
    #[must_use]
    pub fn new(course: &'a Course, lane: &'a LaneFile) -> Self {
        Self {
            course,
            lane,
            system: String::new(),
            phase: Phase::Waiting,
            race_ms: 0,
            range: 0,
            range_began: Stamp::default(),
            cut: false,
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
            Phase::Zeroing { reply: Some(reply), .. } => {
                listen(reply.asked_ms, Some(season.zeroing.limit_ms))
            }
            Phase::Main(None) => Due::Ask(prompts::main(
                &self.system,
                &self.task().task,
                answer_limit,
                self.lane.thinks(),
            )),
            Phase::Main(Some(it)) => listen(it.reply.asked_ms, self.task().buzzer_ms),
            Phase::Forced { main, reply: None } => Due::Ask(prompts::forced(
                &self.system,
                &self.task().task,
                &notes(main),
                season.forced.notes_chars,
                answer_limit.min(season.forced.limit_tokens),
            )),
            Phase::Forced { reply: Some(it), .. } => {
                listen(it.reply.asked_ms, Some(season.forced.window_ms))
            }
            Phase::Judging { job, .. } => Due::Judge(job.clone()),
            Phase::Idle(Idle { pause_until_ms: Some(until), .. }) => {
                Due::Listen { until_ms: Some(*until) }
            }
            Phase::Idle(Idle { reply: None, .. }) => Due::Ask(prompts::probe(&self.system)),
            Phase::Idle(Idle { since_ms, reply: Some(_), .. }) => {
                listen(*since_ms, Some(season.idle.limit_ms))
            }
            Phase::Over => Due::Over,
        }
    }

    /// The system prompt of this race; empty before the start.
    #[must_use]
    pub fn system_prompt(&self) -> &str {
        &self.system
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
            Input::Tick => self.listen(at, None),
            Input::Chunk { chunk } => self.listen(at, Some(chunk)),
        }
        std::mem::take(&mut self.out)
    }

    fn task(&self) -> &'a RangeTask {
        // The range index only moves while another range follows, and a course has at least one.
        &self.course.ranges[self.range]
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
        self.phase = Phase::Zeroing { after: false, reply: None };
        let class = scoring::memory_class_gb(&season.memory_classes_gb, self.lane.memory_gb);
        self.say(
            0,
            Event::Start(Box::new(Started {
                format: format::LOG.written(),
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
            Phase::Zeroing { reply: slot, .. } => *slot = Some(reply),
            Phase::Idle(idle) => {
                idle.probes += 1;
                idle.reply = Some(reply);
            }
            Phase::Main(slot) => {
                *slot = Some(Thinking::new(reply));
                self.range_began = at;
                self.say(self.race_ms, Event::Request { range, purpose, limit_tokens, thinking });
            }
            Phase::Forced { reply: slot, .. } => {
                *slot = Some(Thinking::new(reply));
                let race_ms = self.race_ms + self.task().buzzer_ms.unwrap_or(0);
                self.say(race_ms, Event::Request { range, purpose, limit_tokens, thinking });
            }
            Phase::Waiting | Phase::Judging { .. } | Phase::Over => {}
        }
    }

    /// A chunk or a tick: first whether a limit passed, then what the chunk says.
    fn listen(&mut self, at: Stamp, chunk: Option<&Chunk>) {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Zeroing { after, reply: Some(reply) } => self.zeroing(at, chunk, after, reply),
            Phase::Main(Some(it)) => self.main(at, chunk, it),
            Phase::Forced { main, reply: Some(it) } => self.forced(at, chunk, main, it),
            Phase::Idle(idle) => self.idle(at, chunk, idle),
            other => self.phase = other,
        }
    }

    fn zeroing(&mut self, at: Stamp, chunk: Option<&Chunk>, after: bool, mut reply: Reply) {
        let limit_ms = self.course.season.zeroing.limit_ms;
        let late = at.t_ms.saturating_sub(reply.asked_ms) > limit_ms;
        match chunk {
            _ if late => reply.end = Some(End::Failed(Failure::limit(FailureKind::TotalTimeout, limit_ms))),
            Some(chunk) => reply.take(at.t_ms, chunk),
            None => {}
        }
        if reply.end.is_none() {
            self.phase = Phase::Zeroing { after, reply: Some(reply) };
            return;
        }
        let completion_tokens = reply.usage.as_ref().and_then(|usage| usage.completion_tokens);
        let first_token_ms = reply.first_token_ms.map(|t| t.saturating_sub(reply.asked_ms));
        let decode_mtps = completion_tokens.zip(reply.first_token_ms).and_then(|(tokens, first)| {
            scoring::decode_mtps(tokens, first, at.t_ms)
        });
        let failure = reply.failure();
        let failed = failure.as_ref().map(|failure| failure.message.clone());
        self.say(
            self.race_ms,
            Event::Zeroing { after, first_token_ms, decode_mtps, completion_tokens, failure },
        );
        match (after, failed) {
            (false, Some(why)) => self.void(format!("the lane did not answer the zeroing prompt: {why}")),
            (false, None) => {
                self.zeroed = Zeroed { first_token_ms: first_token_ms.unwrap_or(0), decode_mtps };
                self.ski();
            }
            (true, _) => self.finish(decode_mtps),
        }
    }

    fn main(&mut self, at: Stamp, chunk: Option<&Chunk>, mut it: Thinking) {
        let taken_ms = at.t_ms.saturating_sub(it.reply.asked_ms);
        // An answer is in time if it is complete at the limit; the buzzer goes at the first input after it.
        if let Some(limit_ms) = self.task().buzzer_ms.filter(|limit| taken_ms > *limit) {
            let (range, overrun_ms) = (self.number(), taken_ms - limit_ms);
            self.cut = true;
            self.say(self.race_ms + limit_ms, Event::Buzzer { range, limit_ms, overrun_ms });
            self.phase = Phase::Forced { main: it.reply, reply: None };
            return;
        }
        let range_ms = self.race_ms;
        self.take(at, chunk, &mut it, Purpose::Main, range_ms);
        if it.reply.end.is_none() {
            self.phase = Phase::Main(Some(it));
            return;
        }
        let reply = it.reply;
        let answer = match () {
            () if reply.is_cut_off() => Answer::CutOff,
            () if reply.is_whole() => Answer::Complete,
            () => Answer::None,
        };
        let limit = reply.is_cut_off().then(|| Limit {
            name: String::from("answer_limit_tokens"),
            value: self.lane.answer_limit_tokens,
            overrun_ms: 0,
        });
        self.stop(at, Stop { answer, thinking_ms: taken_ms, limit }, &reply, None);
    }

    fn forced(&mut self, at: Stamp, chunk: Option<&Chunk>, main: Reply, mut it: Thinking) {
        let window_ms = self.course.season.forced.window_ms;
        let buzzer_ms = self.task().buzzer_ms.unwrap_or(0);
        let taken_ms = at.t_ms.saturating_sub(it.reply.asked_ms);
        if taken_ms > window_ms {
            // The hard stop: five misses, and exactly buzzer and window are charged.
            let limit = Limit {
                name: String::from("window"),
                value: window_ms,
                overrun_ms: taken_ms - window_ms,
            };
            let thinking_ms = buzzer_ms + window_ms;
            self.answer(Stop { answer: Answer::None, thinking_ms, limit: Some(limit) }, &main, None);
            self.shoot(at, thinking_ms, no_shots(Reason::TooLate));
            return;
        }
        let range_ms = self.race_ms + buzzer_ms;
        self.take(at, chunk, &mut it, Purpose::Forced, range_ms);
        if it.reply.end.is_none() {
            self.phase = Phase::Forced { main, reply: Some(it) };
            return;
        }
        let answer = if it.reply.end == Some(End::Complete) { Answer::Forced } else { Answer::None };
        let limit = Limit { name: String::from("buzzer"), value: buzzer_ms, overrun_ms: 0 };
        let stop = Stop { answer, thinking_ms: buzzer_ms + taken_ms, limit: Some(limit) };
        self.stop(at, stop, &main, Some(&it.reply));
    }

    /// Takes a chunk of an answer and says when the first token came and when reasoning ended.
    fn take(
        &mut self,
        at: Stamp,
        chunk: Option<&Chunk>,
        it: &mut Thinking,
        purpose: Purpose,
        race_ms: u64,
    ) {
        let Some(chunk) = chunk else { return };
        let range = self.number();
        let after_ms = at.t_ms.saturating_sub(it.reply.asked_ms);
        if let Chunk::Delta { channel, text } = chunk
            && !text.is_empty()
        {
            if it.reply.first_token_ms.is_none() {
                let channel = *channel;
                self.say(race_ms + after_ms, Event::FirstToken { range, purpose, after_ms, channel });
            }
            let thought = it.watch.has_thought();
            if !it.answer_began && it.watch.answer_began(*channel, text) {
                it.answer_began = true;
                if purpose == Purpose::Main && (thought || it.watch.has_thought()) {
                    self.say(race_ms + after_ms, Event::ReasoningEnd { range, after_ms });
                }
            }
        }
        it.reply.take(at.t_ms, chunk);
    }

    /// The thinking clock stopped with a reply: reads it, and shoots or has its code judged.
    fn stop(&mut self, at: Stamp, stop: Stop, main: &Reply, forced: Option<&Reply>) {
        let thinking_ms = stop.thinking_ms;
        let last = forced.unwrap_or(main);
        self.answer(stop, main, forced);
        let (sources, unclosed) = sources(main, forced);
        let absent = match () {
            () if last.failure().is_some() => Some(Reason::ServerError),
            () if last.is_cut_off() || unclosed => Some(Reason::CutOff),
            () => None,
        };
        match &self.task().task.body {
            Body::Puzzle(puzzle) => {
                let shots = shoot_lines(&**puzzle, &sources, absent.unwrap_or(Reason::Missing));
                self.shoot(at, thinking_ms, shots);
            }
            Body::Code(code) => match find_code(code, &sources) {
                Some((job, rule)) => self.phase = Phase::Judging { job, rule, thinking_ms },
                None => self.shoot(at, thinking_ms, no_shots(absent.unwrap_or(Reason::NoCode))),
            },
        }
    }

    fn answer(&mut self, stop: Stop, main: &Reply, forced: Option<&Reply>) {
        let last = forced.unwrap_or(main);
        let event = Event::Answer {
            range: self.number(),
            answer: stop.answer,
            thinking_ms: stop.thinking_ms,
            finish_reason: last.finish_reason.clone(),
            tokens: main.tokens(),
            limit: stop.limit,
            failure: last.failure(),
        };
        self.say(self.race_ms + stop.thinking_ms, event);
    }

    fn judged(&mut self, at: Stamp, judgement: &Judgement) {
        let Phase::Judging { rule, thinking_ms, .. } = &self.phase else { return };
        let (rule, thinking_ms) = (*rule, *thinking_ms);
        let Body::Code(code) = &self.task().task.body else { return };
        match shoot_code(code, judgement, rule) {
            Some(shots) => self.shoot(at, thinking_ms, shots),
            None => self.void(format!("the sandbox gave {} runs for 5 inputs", judgement.runs.len())),
        }
    }

    /// Five shots, their loops, and the way out of the range.
    fn shoot(&mut self, at: Stamp, thinking_ms: u64, shots: Vec<Shot>) {
        let (range, task) = (self.number(), self.task());
        let overhead_ms = self.course.season.course.range_overhead_ms;
        let down_ms = self.race_ms + thinking_ms;
        let mut missed = Vec::new();
        for (index, shot) in shots.into_iter().enumerate() {
            let target = number(index);
            if shot.verdict == Verdict::Miss {
                missed.push(target);
            }
            let Shot { verdict, reason, read, rule, detail, fuel } = shot;
            let event = Event::Shot { range, target, verdict, reason, read, rule, detail, fuel };
            self.say(down_ms + scoring::shot_after_ms(overhead_ms, index), event);
        }
        for (skied, target) in (0_u32..).zip(&missed) {
            let begins_ms = down_ms + overhead_ms + scoring::loops_ms(skied, task.loop_ms);
            let event = Event::Penalty { range, target: *target, loop_ms: task.loop_ms };
            self.say(begins_ms, event);
        }
        let loops = u32::try_from(missed.len()).unwrap_or(u32::MAX);
        let hits = number(crate::puzzles::TARGETS) - 1 - loops;
        let loops_ms = scoring::loops_ms(loops, task.loop_ms);
        let range_ms = scoring::range_ms(thinking_ms, overhead_ms, loops, task.loop_ms);
        self.race_ms = self.race_ms.saturating_add(range_ms);
        self.totals.hits += hits;
        self.totals.loops += loops;
        self.totals.thinking_ms = self.totals.thinking_ms.saturating_add(thinking_ms);
        self.say(
            self.race_ms,
            Event::RangeEnd { range, hits, loops, loops_ms, thinking_ms, range_ms },
        );
        self.compare_clocks(at);
        if std::mem::take(&mut self.cut) {
            self.phase = Phase::Idle(Idle {
                since_ms: at.t_ms,
                probes: 0,
                reply: None,
                pause_until_ms: None,
            });
        } else {
            self.leave_range();
        }
    }

    fn compare_clocks(&mut self, at: Stamp) {
        let by = at.clocks_parted_ms(self.range_began);
        if by > self.course.season.clock_gap_ms {
            self.say(self.race_ms, Event::Disturbed { why: Disturbance::Clocks, by });
        }
    }

    /// After a cut: probes until the lane answers one at its normal speed, outside the race clock.
    fn idle(&mut self, at: Stamp, chunk: Option<&Chunk>, mut idle: Idle) {
        let rules = &self.course.season.idle;
        let waited_ms = at.t_ms.saturating_sub(idle.since_ms);
        let out_of_time = waited_ms > rules.limit_ms;
        let mut ready = false;
        if idle.pause_until_ms.is_some_and(|until| at.t_ms >= until) {
            idle.pause_until_ms = None;
        }
        if let (Some(reply), Some(chunk)) = (&mut idle.reply, chunk) {
            reply.take(at.t_ms, chunk);
            if let Some(end) = &reply.end {
                let took_ms = at.t_ms.saturating_sub(reply.asked_ms);
                let normal_ms = self.zeroed.first_token_ms.saturating_mul(2);
                ready = *end == End::Complete && took_ms <= normal_ms.saturating_add(rules.slack_ms);
                if !ready {
                    idle.pause_until_ms = Some(at.t_ms + rules.pause_ms);
                }
                idle.reply = None;
            }
        }
        if !ready && !out_of_time {
            self.phase = Phase::Idle(idle);
            return;
        }
        let (range, probes) = (self.number(), idle.probes);
        self.say(self.race_ms, Event::Idle { range, waited_ms, probes, ready });
        if !ready {
            self.say(self.race_ms, Event::Disturbed { why: Disturbance::Busy, by: waited_ms });
        }
        self.leave_range();
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
            self.phase = Phase::Zeroing { after: true, reply: None };
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

    fn finish(&mut self, decode_mtps: Option<u64>) {
        if let Some((before, after)) = self.zeroed.decode_mtps.zip(decode_mtps) {
            let by = scoring::drift_percent(before, after);
            if by > self.course.season.zeroing.drift_percent {
                self.say(self.race_ms, Event::Disturbed { why: Disturbance::Drift, by });
            }
        }
        let Totals { hits, loops, thinking_ms, course_ms } = self.totals;
        let finish_ms = self.race_ms;
        self.say(finish_ms, Event::Finish { finish_ms, course_ms, hits, loops, thinking_ms });
        self.phase = Phase::Over;
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
        Self { reply, watch: AnswerWatch::default(), answer_began: false }
    }
}

fn listen(asked_ms: u64, limit_ms: Option<u64>) -> Due {
    // A limit is passed one millisecond after it.
    Due::Listen { until_ms: limit_ms.map(|limit| asked_ms.saturating_add(limit).saturating_add(1)) }
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

/// The visible answers to read, the forced one first, and whether the last of them never came out of its thought.
fn sources(main: &Reply, forced: Option<&Reply>) -> (Vec<Source>, bool) {
    let mut unclosed = false;
    let mut texts = Vec::new();
    for reply in [Some(main), forced].into_iter().flatten() {
        let thought = think::split(&reply.reasoning, &reply.content);
        unclosed = thought.unclosed;
        texts.insert(0, Source { text: thought.answer, whole: reply.is_whole() });
    }
    (texts, unclosed)
}

#[cfg(test)]
#[path = "referee_tests.rs"]
mod tests;
