//! The thinking clock of a range and what follows from its stop: limits, reading, judging, shots and loops.

use super::super::event::{Answer, Disturbance, Event, Limit, Reason, Verdict};
use super::super::measure::{Measured, measure};
use super::super::reply::{End, Reply};
use super::super::scoring;
use super::super::shooting::{Shot, Source, find_code, no_shots, shoot_code, shoot_lines};
use super::clock::MEASURES;
use super::{Idle, Phase, Referee, Thinking, number};
use crate::clock::Stamp;
use crate::judge::job::Judgement;
use crate::lane::chunk::Chunk;
use crate::lane::file::Forced;
use crate::lane::request::Purpose;
use crate::lane::think;
use crate::puzzles::{Body, TARGETS};
use crate::wall;

/// How the thinking clock of a range stopped.
struct Stop {
    answer: Answer,
    thinking_ms: u64,
    limit: Option<Limit>,
}

impl Referee<'_> {
    pub(super) fn main(&mut self, at: Stamp, chunk: Option<&Chunk>, mut it: Box<Thinking>) {
        let taken_ms = self.clock_ms(&it.reply, at, chunk).saturating_sub(it.reply.asked_ms);
        // An answer is in time if it is complete at the limit; the buzzer goes at the first input after it.
        if let Some(limit_ms) = self.task().buzzer_ms.filter(|limit| taken_ms > *limit) {
            let (range, overrun_ms) = (self.number(), taken_ms - limit_ms);
            self.cut = true;
            self.say(self.race_ms + limit_ms, Event::Buzzer { range, limit_ms, overrun_ms });
            self.phase = Phase::Forced { main: Box::new(it.reply), reply: None };
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

    pub(super) fn forced(
        &mut self,
        at: Stamp,
        chunk: Option<&Chunk>,
        main: Box<Reply>,
        mut it: Box<Thinking>,
    ) {
        let window_ms = self.course.season.forced.window_ms;
        let buzzer_ms = self.task().buzzer_ms.unwrap_or(0);
        let taken_ms = self.clock_ms(&it.reply, at, chunk).saturating_sub(it.reply.asked_ms);
        if taken_ms > window_ms {
            // The hard stop: five misses, and exactly buzzer and window are charged.
            let limit = Limit {
                name: String::from("window"),
                value: window_ms,
                overrun_ms: taken_ms - window_ms,
            };
            let thinking_ms = buzzer_ms + window_ms;
            self.answer(
                Stop { answer: Answer::None, thinking_ms, limit: Some(limit) },
                &main,
                None,
            );
            self.shoot(at, thinking_ms, no_shots(Reason::TooLate));
            return;
        }
        let range_ms = self.race_ms + buzzer_ms;
        self.take(at, chunk, &mut it, Purpose::Forced, range_ms);
        if it.reply.end.is_none() {
            self.phase = Phase::Forced { main, reply: Some(it) };
            return;
        }
        let answer =
            if it.reply.end == Some(End::Complete) { Answer::Forced } else { Answer::None };
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
                self.say(
                    race_ms + after_ms,
                    Event::FirstToken { range, purpose, after_ms, channel },
                );
            }
            // For a thought that only a close tag shows, this comes twice, and the later time is the right one.
            let began = it.watch.answer_began(*channel, text) && purpose == Purpose::Main;
            it.reply.take(at.t_ms, chunk);
            let thought = |reply: &Reply| think::split(&reply.reasoning, &reply.content).reasoning;
            if began && !thought(&it.reply).trim().is_empty() {
                self.say(race_ms + after_ms, Event::ReasoningEnd { range, after_ms });
            }
            return;
        }
        it.reply.take(at.t_ms, chunk);
    }

    /// The thinking clock stopped with a reply: reads it, and shoots or has its code judged.
    fn stop(&mut self, at: Stamp, stop: Stop, main: &Reply, forced: Option<&Reply>) {
        let thinking_ms = stop.thinking_ms;
        let last = forced.unwrap_or(main);
        self.answer(stop, main, forced);
        let (mut sources, unclosed) = sources(main, forced);
        if let (Forced::Continue, Some(_), Some(first)) =
            (self.lane.forced, forced, sources.first_mut())
        {
            first.text = self.continuation(main).with(&first.text);
        }
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
            measured: self.measured(Some(main)),
            forced: self.measured(forced),
        };
        self.say(self.race_ms + stop.thinking_ms, event);
    }

    /// What is measured of a reply; races of the first revision have no such figures.
    fn measured(&self, reply: Option<&Reply>) -> Option<Box<Measured>> {
        let reply = reply.filter(|_| self.rules >= MEASURES)?;
        Some(Box::new(measure(reply, reply.finished_ms.unwrap_or(reply.newest_ms))))
    }

    pub(super) fn judged(&mut self, at: Stamp, judgement: &Judgement) {
        let Phase::Judging { rule, thinking_ms, .. } = &self.phase else { return };
        let (rule, thinking_ms) = (*rule, *thinking_ms);
        let Body::Code(code) = &self.task().task.body else { return };
        match shoot_code(code, judgement, rule) {
            Some(shots) => self.shoot(at, thinking_ms, shots),
            None => {
                self.void(format!("the sandbox gave {} runs for 5 inputs", judgement.runs.len()))
            }
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
        let hits = number(TARGETS) - 1 - loops;
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
            self.phase = Phase::Idle(Box::new(Idle {
                since_ms: at.t_ms,
                probes: 0,
                reply: None,
                pause_until_ms: None,
            }));
        } else {
            self.leave_range();
        }
    }

    fn compare_clocks(&mut self, at: Stamp) {
        let by = wall::parted_ms(self.range_began, at);
        if by > self.course.season.clock_gap_ms {
            self.say(self.race_ms, Event::Disturbed { why: Disturbance::Clocks, by });
        }
    }
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
