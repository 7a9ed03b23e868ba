//! How a crossing is drawn: rules first, from the shared stream, then one start a target from its own stream. Solvable by
//! construction, since `search.rs` knows the optimum of every start; misread rules must fail on every start that is kept.

use super::levels::{Dial, ExtraKind};
use super::rules::{Extra, Group, Rules};
use super::search::Crossings;
use crate::puzzles::{Seeds, TARGETS};
use crate::rng::Stream;
use std::collections::BTreeSet;

/// Sets of rules tried in one draw.
const RULES_A_DRAW: u32 = 48;

/// How often a draw begins with an extra rule, where the level has some, and after how many sets it gives it up.
const EXTRA_PERCENT: u32 = 50;
const RULES_WITH_EXTRA: u32 = 12;

/// The weights of passengers, and how far the boat's limit may lie above the heaviest, in kg.
const WEIGHT_KG: (u32, u32) = (3, 9);
const SPARE_KG: (u32, u32) = (2, 5);

/// One target: who stands on the left bank, and in how many trips they must be across.
#[derive(Debug, Clone)]
pub(super) struct Crossing {
    /// The passengers on the left bank at the start.
    pub(super) start: Group,
    /// The most trips that a plan may take.
    pub(super) limit: usize,
    /// A shortest plan.
    pub(super) plan: Vec<Group>,
    /// Plans of games whose rules are misread; none of them is right.
    pub(super) misread: Vec<Vec<Group>>,
    /// How hard the crossing is.
    pub(super) effort: u64,
}

/// Draws rules and five starts of rising optimum, or nothing when no set of rules has them.
pub(super) fn crossings(dial: &Dial, seeds: &Seeds) -> Option<(Rules, [Crossing; TARGETS])> {
    let mut shared = seeds.shared();
    let extra = shared.pick(dial.extras).copied().filter(|_| shared.percent(EXTRA_PERCENT));
    (0..RULES_A_DRAW).find_map(|tried| {
        let extra = extra.filter(|_| tried < RULES_WITH_EXTRA);
        let rules = rules(dial, extra, &mut shared);
        let wanted = std::array::from_fn(|target| dial.optimum(target, extra));
        let own = std::array::from_fn(|target| seeds.target(target));
        let starts = starts(&rules, &wanted, dial.slack, &mut shared, own)?;
        Some((rules, starts))
    })
}

/// Forbidden pairs all touch one of a few hubs, no more of them than the boat has seats: a ferryman who keeps the hubs with
/// him is safe, so that most sets of rules can be solved while plans stay long. A guard makes up for one hub more.
fn rules(dial: &Dial, extra: Option<ExtraKind>, shared: &mut Stream) -> Rules {
    let mut order: Vec<Group> = (0..dial.passengers).map(|who| 1 << who).collect();
    shared.shuffle(&mut order);
    let guarded = u32::from(extra == Some(ExtraKind::Guard));
    let (hubs, others) = order.split_at((dial.seats + guarded) as usize);
    let mut pairs = Vec::new();
    for hub in hubs {
        for other in others {
            if shared.percent(dial.pair_percent) {
                pairs.push(hub | other);
            }
        }
    }
    let extra = extra.map(|kind| match kind {
        ExtraKind::Guard => Extra::Guard(others[0]),
        ExtraKind::BoatPair => {
            let first = shared.below(dial.passengers);
            let second = (first + 1 + shared.below(dial.passengers - 1)) % dial.passengers;
            Extra::BoatPair((1 << first) | (1 << second))
        }
        ExtraKind::Triple => Extra::Triple(hubs[0] | others[0] | others[1]),
        ExtraKind::Weights => {
            let kg: Vec<u32> = (0..dial.passengers)
                .map(|_| 10 * shared.between(WEIGHT_KG.0, WEIGHT_KG.1))
                .collect();
            let spare_kg = 10 * shared.between(SPARE_KG.0, SPARE_KG.1);
            let limit_kg = kg.iter().max().copied().unwrap_or(0) + spare_kg;
            Extra::Weights { kg, limit_kg }
        }
    });
    // A pair with the guard, or one inside the triple, would leave the extra rule nothing to say.
    match extra {
        Some(Extra::Guard(guard)) => pairs.retain(|pair| pair & guard == 0),
        Some(Extra::Triple(triple)) => pairs.retain(|pair| pair & triple != *pair),
        _ => {}
    }
    pairs.sort_by_key(|pair| (pair.trailing_zeros(), *pair));
    Rules {
        passengers: dial.passengers,
        seats: dial.seats,
        never_alone: dial.never_alone,
        pairs,
        extra,
    }
}

/// Five starts: the shared stream deals the starts of one optimum out to the targets that want it, and each target picks
/// from its own hand with its own stream. So no two are the same, and none moves another.
fn starts(
    rules: &Rules,
    wanted: &[u8; TARGETS],
    slack: usize,
    shared: &mut Stream,
    mut own: [Stream; TARGETS],
) -> Option<[Crossing; TARGETS]> {
    let truth = Crossings::of(rules);
    let wants = |trips: u8| (0..TARGETS).filter(move |target| wanted[*target] == trips);
    let optima: BTreeSet<u8> = wanted.iter().copied().collect();
    if optima.iter().any(|trips| truth.starts(*trips).count() < wants(*trips).count()) {
        return None;
    }
    let misread: Vec<Crossings> = misreadings(rules).iter().map(Crossings::of).collect();
    let mut hands: [Vec<Group>; TARGETS] = Default::default();
    for trips in optima {
        let limit = usize::from(trips) + slack;
        let mut pool: Vec<Group> = truth
            .starts(trips)
            .filter(|left| misread.iter().all(|game| fails(rules, game, *left, limit)))
            .collect();
        if pool.len() < wants(trips).count() {
            return None;
        }
        shared.shuffle(&mut pool);
        for (start, target) in pool.into_iter().zip(wants(trips).cycle()) {
            hands[target].push(start);
        }
    }
    let mut crossings = Vec::new();
    for (target, hand) in hands.iter().enumerate() {
        let start = *own[target].pick(hand)?;
        crossings.push(Crossing {
            start,
            limit: usize::from(wanted[target]) + slack,
            plan: truth.plan(start)?,
            misread: misread.iter().filter_map(|game| game.plan(start)).collect(),
            effort: truth.effort(start),
        });
    }
    crossings.try_into().ok()
}

/// Whether the shortest plan of a misread game is no answer, or there is none.
fn fails(rules: &Rules, misread: &Crossings, left: Group, limit: usize) -> bool {
    misread.plan(left).is_none_or(|plan| rules.judge(left, limit, &plan).is_err())
}

/// The rules as somebody reads them who misses or bends one of those printed.
///
/// Two readings have no plan that could be tested: that a pair quarrels beside the ferryman too (then nobody may ever be
/// across), and that the limit of trips does not bind (a shortest plan keeps it all the same).
pub(super) fn misreadings(rules: &Rules) -> Vec<Rules> {
    // The ferryman takes one of the seats.
    let mut readings = vec![Rules { seats: rules.seats - 1, ..rules.clone() }];
    readings.push(Rules { pairs: Vec::new(), ..rules.clone() });
    if rules.never_alone {
        readings.push(Rules { never_alone: false, ..rules.clone() });
    }
    if rules.extra.is_some() {
        readings.push(Rules { extra: None, ..rules.clone() });
    }
    if let Some(Extra::Triple(triple)) = rules.extra {
        // Any two of the three quarrel.
        let mut pairs = rules.pairs.clone();
        pairs.extend(super::rules::members(triple).map(|who| triple & !(1 << who)));
        readings.push(Rules { pairs, extra: None, ..rules.clone() });
    }
    if let Some(Extra::BoatPair(pair)) = rules.extra {
        // The two may not be left on a bank either, and are safe in the boat.
        let mut pairs = rules.pairs.clone();
        pairs.push(pair);
        readings.push(Rules { pairs, extra: None, ..rules.clone() });
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::Level;
    use crate::rng::Key;

    #[test]
    fn a_target_never_moves_another() {
        let key = Key::of(&[b"gauntlet ferry test"]);
        for level in Level::all() {
            let dial = Dial::of(level);
            let (rules, _) = (0..64)
                .find_map(|sub_stream| crossings(dial, &Seeds::new(key, sub_stream)))
                .expect("a task");
            let kind = matches!(rules.extra, Some(Extra::Guard(_))).then_some(ExtraKind::Guard);
            let wanted = std::array::from_fn(|target| dial.optimum(target, kind));
            let with = |own: [Stream; TARGETS]| {
                starts(&rules, &wanted, dial.slack, &mut key.stream(0), own)
                    .expect("these rules have five starts")
                    .map(|crossing| crossing.start)
            };
            let plain = with(std::array::from_fn(|target| key.stream(1 + target as u64)));
            for moved in 0..TARGETS {
                for other in 100..110 {
                    let own = std::array::from_fn(|target| {
                        key.stream(if target == moved { other } else { 1 + target as u64 })
                    });
                    let starts = with(own);
                    for target in (0..TARGETS).filter(|target| *target != moved) {
                        assert_eq!(starts[target], plain[target], "level {level}");
                    }
                }
            }
        }
    }

    #[test]
    fn misread_plans_fail() {
        for level in Level::all() {
            for sub_stream in 0..20 {
                let seeds = Seeds::new(Key::of(&[b"gauntlet ferry misread"]), sub_stream);
                let Some((rules, crossings)) = crossings(Dial::of(level), &seeds) else { continue };
                for crossing in &crossings {
                    for plan in &crossing.misread {
                        assert!(rules.judge(crossing.start, crossing.limit, plan).is_err());
                    }
                }
            }
        }
    }
}
