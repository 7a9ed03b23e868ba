//! What happens outside the ranges: the zeroing before the start and after the finish, and the wait for an idle lane.

use super::super::event::{Disturbance, Event};
use super::super::reply::{End, Reply};
use super::super::scoring;
use super::clock::FINISH_STOPS;
use super::{Idle, Phase, Referee, Totals, Turn, Zeroed};
use crate::clock::Stamp;
use crate::lane::chunk::{Chunk, Failure, FailureKind};
use crate::text::shown;

impl Referee<'_> {
    pub(super) fn zeroing(
        &mut self,
        at: Stamp,
        chunk: Option<&Chunk>,
        turn: Turn,
        mut reply: Box<Reply>,
    ) {
        let limit_ms = self.course.season.zeroing.limit_ms;
        let clock_ms = self.clock_ms(&reply, at, chunk);
        let late = clock_ms.saturating_sub(reply.asked_ms) > limit_ms;
        match chunk {
            _ if late => reply.end = Some(End::Failed(too_slow(limit_ms))),
            Some(chunk) => reply.take(at.t_ms, chunk),
            None => {}
        }
        if reply.end.is_none() {
            self.phase = Phase::Zeroing { turn, reply: Some(reply) };
            return;
        }
        let completion_tokens = reply.usage.as_ref().and_then(|usage| usage.completion_tokens);
        let first_token_ms = reply.first_token_ms.map(|t| t.saturating_sub(reply.asked_ms));
        let decode_mtps = completion_tokens
            .zip(reply.first_token_ms)
            .and_then(|(tokens, first)| scoring::decode_mtps(tokens, first, clock_ms));
        let failure = reply.failure();
        let after = turn != Turn::Before;
        let failed = failure.as_ref().map(|failure| failure.message.clone());
        self.say(
            self.race_ms,
            Event::Zeroing { after, first_token_ms, decode_mtps, completion_tokens, failure },
        );
        let lost = self.rules >= FINISH_STOPS
            && self.zeroed.decode_mtps.is_some()
            && decode_mtps.is_none();
        match (turn, failed) {
            (Turn::Before, Some(why)) => {
                self.void(format!("the lane did not answer the zeroing prompt: {why}"))
            }
            (Turn::Before, None) => {
                self.zeroed = Zeroed { first_token_ms: first_token_ms.unwrap_or(0), decode_mtps };
                self.ski();
            }
            // A server may stumble once. One that is gone hides how fast it was, and that must not help.
            (Turn::After, _) if lost => {
                self.phase = Phase::Zeroing { turn: Turn::Again, reply: None };
            }
            (Turn::After | Turn::Again, _) => {
                if lost {
                    let why = Disturbance::DriftUnknown;
                    self.say(self.race_ms, Event::Disturbed { why, by: 0 });
                }
                self.finish(decode_mtps);
            }
        }
    }

    /// After a cut: probes until the lane answers one at its normal speed, outside the race clock.
    pub(super) fn idle(&mut self, at: Stamp, chunk: Option<&Chunk>, mut idle: Box<Idle>) {
        let rules = &self.course.season.idle;
        let waited_ms = at.t_ms.saturating_sub(idle.since_ms);
        let out_of_time = waited_ms > rules.limit_ms;
        let mut ready = false;
        if idle.pause_until_ms.is_some_and(|until| at.t_ms >= until) {
            idle.pause_until_ms = None;
        }
        if let (Some(reply), Some(chunk)) = (&mut idle.reply, chunk) {
            let clock_ms = self.clock_ms(reply, at, Some(chunk));
            reply.take(at.t_ms, chunk);
            if let Some(end) = &reply.end {
                let took_ms = clock_ms.saturating_sub(reply.asked_ms);
                let normal_ms = self.zeroed.first_token_ms.saturating_mul(2);
                ready =
                    *end == End::Complete && took_ms <= normal_ms.saturating_add(rules.slack_ms);
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

    /// A sample of foreign load. Two in a row while the lane thinks disturb the race, said once a range.
    pub(super) fn load(&mut self, at: Stamp, sample: u64, process: &str, percent: u32) {
        let (asked_ms, before_ms) = match &self.phase {
            Phase::Main(Some(it)) if !self.has_finished(&it.reply) => (it.reply.asked_ms, 0),
            Phase::Forced { reply: Some(it), .. } if !self.has_finished(&it.reply) => {
                (it.reply.asked_ms, self.task().buzzer_ms.unwrap_or(0))
            }
            _ => return,
        };
        let range = self.number();
        let race_ms = self.race_ms + before_ms + at.t_ms.saturating_sub(asked_ms);
        let process = shown(process, 64);
        self.say(race_ms, Event::Load { range, process, percent });
        let before = self.load.last_sample.replace(sample);
        let in_a_row = before.is_some_and(|before| before.checked_add(1) == Some(sample));
        if in_a_row && !std::mem::replace(&mut self.load.said, true) {
            let by = u64::from(percent);
            self.say(race_ms, Event::Disturbed { why: Disturbance::Load, by });
        }
    }

    pub(super) fn finish(&mut self, decode_mtps: Option<u64>) {
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
}

/// The failure of a zeroing that did not end in time.
fn too_slow(limit_ms: u64) -> Failure {
    Failure::new(FailureKind::TotalTimeout, "no end of the reply in time").with_limit_ms(limit_ms)
}
