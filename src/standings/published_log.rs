//! A published race as the log that it would have left, so that views can show it beside raced ones. Only what follows from
//! its figures is in it: no stream, no tokens, no reason for a miss but the one that the figures give.

use super::published::{PublishedRace, PublishedRange};
use crate::clock::Stamp;
use crate::format;
use crate::puzzles::TARGETS;
use crate::race::event::{Answer, Event, LaneFacts, Reason, Started, Verdict};
use crate::race::line::{Chain, LogLine};
use crate::race::scoring;
use crate::season::{RangeFigures, Season};

/// The lines of a race whose ranges are published, each at its moment of the race clock; nothing where only totals are.
///
/// Its attempt is 0, as no raced one is, and it names no engine.
#[must_use]
pub fn published_log(race: &PublishedRace, season: &Season) -> Option<Vec<LogLine>> {
    if race.ranges.is_empty() || race.ranges.len() != season.ranges.len() {
        return None;
    }
    let mut log = Log { lines: Vec::new(), chain: Chain::default(), at_ms: 0 };
    log.add(0, started(race, season));
    for (number, (range, figures)) in (1..).zip(race.ranges.iter().zip(&season.ranges)) {
        log.leg(season, number);
        log.range(range, figures, season.course.range_overhead_ms, number);
    }
    log.leg(season, u32::try_from(race.ranges.len()).unwrap_or(u32::MAX).saturating_add(1));
    let finish = Event::Finish {
        finish_ms: race.finish_ms,
        course_ms: season.course.legs_ms.iter().fold(0, |sum, leg| sum.saturating_add(*leg)),
        hits: race.hits,
        loops: race.loops,
        thinking_ms: race.thinking_ms.unwrap_or(0),
    };
    log.add(0, finish);
    Some(log.lines)
}

struct Log {
    lines: Vec<LogLine>,
    chain: Chain,
    at_ms: u64,
}

impl Log {
    /// An event that much after now.
    fn add(&mut self, after_ms: u64, event: Event) {
        let race_ms = self.at_ms.saturating_add(after_ms);
        let wall_ms = i64::try_from(race_ms).unwrap_or(i64::MAX);
        let (_, line) = self.chain.log(Stamp { t_ms: race_ms, wall_ms }, race_ms, event);
        self.lines.push(line);
    }

    fn leg(&mut self, season: &Season, leg: u32) {
        let index = usize::try_from(leg).unwrap_or(usize::MAX).saturating_sub(1);
        let leg_ms = season.course.legs_ms.get(index).copied().unwrap_or(0);
        self.add(0, Event::Leg { leg, leg_ms });
        self.at_ms = self.at_ms.saturating_add(leg_ms);
    }

    fn range(&mut self, of: &PublishedRange, figures: &RangeFigures, overhead_ms: u64, range: u32) {
        let (thinking_ms, loop_ms) = (of.thinking_ms, figures.loop_ms);
        self.add(
            0,
            Event::RangeStart {
                range,
                family: of.family.clone(),
                kind: of.kind,
                level: of.level,
                targets: u32::try_from(TARGETS).unwrap_or(u32::MAX),
                buzzer_ms: figures.buzzer_ms,
                prompt_sha256: String::new(),
            },
        );
        if let Some(limit_ms) = figures.buzzer_ms.filter(|_| of.buzzer) {
            self.add(limit_ms, Event::Buzzer { range, limit_ms, overrun_ms: 0 });
        }
        let answer = match (of.answered, of.buzzer) {
            (false, _) => Answer::None,
            (true, true) => Answer::Forced,
            (true, false) => Answer::Complete,
        };
        let (finish_reason, tokens, limit, failure) = (None, None, None, None);
        self.add(
            thinking_ms,
            Event::Answer {
                range,
                answer,
                thinking_ms,
                finish_reason,
                tokens,
                limit,
                failure,
                measured: None,
                forced: None,
            },
        );
        self.at_ms = self.at_ms.saturating_add(thinking_ms);
        for (index, hit) in of.targets.into_iter().enumerate() {
            self.add(scoring::shot_after_ms(overhead_ms, index), shot(range, index, hit, of));
        }
        self.at_ms = self.at_ms.saturating_add(overhead_ms);
        for (target, _) in (1..).zip(of.targets).filter(|(_, hit)| !hit) {
            self.add(0, Event::Penalty { range, target, loop_ms });
            self.at_ms = self.at_ms.saturating_add(loop_ms);
        }
        let (hits, loops, loops_ms, range_ms) = (of.hits, of.loops, of.loops_ms, of.range_ms);
        self.add(0, Event::RangeEnd { range, hits, loops, loops_ms, thinking_ms, range_ms });
    }
}

fn shot(range: u32, index: usize, hit: bool, of: &PublishedRange) -> Event {
    let (verdict, reason) = match (hit, of.answered) {
        (true, _) => (Verdict::Hit, Reason::Hit),
        (false, true) => (Verdict::Miss, Reason::Wrong),
        (false, false) => (Verdict::Miss, Reason::TooLate),
    };
    let target = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
    let (read, rule, detail, fuel) = (None, None, None, None);
    Event::Shot { range, target, verdict, reason, read, rule, detail, fuel }
}

fn started(race: &PublishedRace, season: &Season) -> Event {
    Event::Start(Box::new(Started {
        format: format::LOG.first(),
        engine: String::new(),
        race: String::new(),
        season: season.name.clone(),
        season_status: season.status,
        season_sha256: String::new(),
        seed: season.seed,
        prompt_version: season.prompt_version.clone(),
        lane: LaneFacts {
            name: race.label.clone(),
            model: String::new(),
            memory_gb: race.memory_class_gb,
        },
        lane_sha256: String::new(),
        memory_class_gb: race.memory_class_gb,
        attempt: 0,
        ranges: u32::try_from(season.ranges.len()).unwrap_or(u32::MAX),
        nonce: String::new(),
        host: None,
        allow_unconfined: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::fold::{Hashes, fold};
    use crate::{season, standings::published};

    #[test]
    fn a_published_race_folds_to_its_own_figures() {
        let season = season::read("21", include_str!("../../seasons/21.toml")).unwrap();
        let text = include_str!("../../seasons/21/published.toml");
        let races = published::read("published", text, &season).unwrap();
        let mut whole = 0;
        for race in races {
            let Some(log) = published_log(&race, &season) else {
                assert!(race.ranges.is_empty(), "{}", race.lane);
                continue;
            };
            whole += 1;
            let hashes = Hashes { log_sha256: String::new(), io_sha256: String::new() };
            let folded = fold(&log, &hashes).unwrap();
            assert_eq!(folded.finish_ms, Some(race.finish_ms));
            assert_eq!(log.last().unwrap().race_ms, race.finish_ms, "{}", race.lane);
            assert_eq!((folded.hits, folded.loops), (race.hits, race.loops));
            assert_eq!(Some(folded.thinking_ms), race.thinking_ms);
            assert_eq!(Some(folded.buzzers), race.buzzers);
            assert!(log.windows(2).all(|pair| pair[0].race_ms <= pair[1].race_ms));
        }
        assert!(whole > 1);
    }
}
