//! Snake: write the function that plays a game of snake whose rules the seed has chosen.
//!
//! A ladder of rules: each hidden input may show a few more of the seeded readings than the one before, so that a code which
//! misses one rule loses the inputs from there on. `rules.rs` holds the readings, `engine.rs` plays, `walks.rs` makes inputs,
//! `prompt.rs` and `python.rs` write the texts, and this file draws and accepts.

pub mod board;
pub mod engine;
mod prompt;
mod python;
pub mod rules;
mod steps;
pub mod walks;

#[cfg(test)]
mod tests;

use super::task::{Body, CodeTask, Kind, Level, Slip, TARGETS, Task};
use super::{Family, Seeds};
use crate::rng::Stream;
use board::{Contract, Input};
use engine::{Cause, Outcome, play};
use rules::{Rule, Rules};
use walks::{Plan, walk};

/// Walks for one target before the whole draw is given up.
const WALKS_MAX: u32 = 150;

/// Sets of five inputs that are tried before the whole draw is given up.
const SETS_MAX: u32 = 24;

/// Walks for the example of the prompt.
const EXAMPLES_MAX: u32 = 300;

/// Keys of the example.
const EXAMPLE_KEYS: usize = 5;

/// The snake family.
#[derive(Debug, Clone, Copy)]
pub struct Snake;

/// What a level draws from.
struct Row {
    /// Seeded readings of a task.
    rules: usize,
    /// What they are picked from: kinds of rules come in with the level, to keep the answers of low levels short.
    pool: &'static [Rule],
    /// Fewest and most rows and columns.
    side: (i32, i32),
    /// Fewest and most cells at the start.
    body: (usize, usize),
}

const PLAIN: &[Rule] = &[Rule::Reverse, Rule::Edge, Rule::Tail, Rule::Growth];
const HUNGRY: &[Rule] = &[Rule::Reverse, Rule::Edge, Rule::Tail, Rule::Growth, Rule::Hunger];
const TURNING: &[Rule] =
    &[Rule::Reverse, Rule::Edge, Rule::Tail, Rule::Growth, Rule::Hunger, Rule::Toll, Rule::Keys];
const JOINED: &[Rule] = &[
    Rule::Reverse,
    Rule::Edge,
    Rule::Tail,
    Rule::Growth,
    Rule::Hunger,
    Rule::Toll,
    Rule::Keys,
    Rule::Portal,
];

const LEVELS: [Row; 9] = [
    Row { rules: 2, pool: PLAIN, side: (6, 7), body: (3, 4) },
    Row { rules: 2, pool: HUNGRY, side: (6, 7), body: (3, 4) },
    Row { rules: 3, pool: TURNING, side: (6, 8), body: (3, 5) },
    Row { rules: 3, pool: JOINED, side: (6, 8), body: (3, 5) },
    Row { rules: 4, pool: &Rule::ALL, side: (6, 8), body: (3, 5) },
    Row { rules: 4, pool: &Rule::ALL, side: (6, 9), body: (3, 6) },
    Row { rules: 5, pool: &Rule::ALL, side: (7, 9), body: (3, 6) },
    Row { rules: 6, pool: &Rule::ALL, side: (7, 9), body: (3, 6) },
    Row { rules: 6, pool: &Rule::ALL, side: (7, 10), body: (3, 6) },
];

impl Family for Snake {
    fn name(&self) -> &'static str {
        "snake"
    }

    fn title(&self) -> &'static str {
        "Snake"
    }

    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let game = Draw::new(level, seeds)?;
        let body = Body::Code(Box::new(game.task()));
        let prompt = prompt::text(&game.rules, &game.contract, &game.example);
        Some(Task::new(self.name(), level, prompt, body))
    }
}

/// One accepted draw, before it is written down.
struct Draw {
    rules: Rules,
    /// The seeded readings in the order in which the inputs bring them in.
    order: Vec<Rule>,
    contract: Contract,
    example: Input,
    inputs: [Input; TARGETS],
}

impl Draw {
    fn new(level: Level, seeds: &Seeds) -> Option<Self> {
        let row = &LEVELS[level.index()];
        let mut shared = seeds.shared();
        let numbers = Rules::draw(row.side.0, &mut shared);
        let order = ladder(row, &mut shared)?;
        let rules = order.iter().fold(numbers, |rules, rule| rules.with(*rule));
        let contract = Contract {
            side: row.side,
            body: row.body,
            keys: (EXAMPLE_KEYS, keys(level, TARGETS - 1)),
            portal: rules.has(Rule::Portal).then_some(rules.portal),
        };
        let example =
            (0..EXAMPLES_MAX).find_map(|_| example(&rules, &order, &contract, &mut shared))?;
        let mut streams: [Stream; TARGETS] = std::array::from_fn(|target| seeds.target(target));
        (0..SETS_MAX).find_map(|_| {
            let inputs = inputs(&rules, &order, &contract, level, &mut streams)?;
            let example = example.clone();
            every_sentence_matters(&rules, &inputs).then(|| Self {
                rules,
                order: order.clone(),
                contract,
                example,
                inputs,
            })
        })
    }

    fn task(&self) -> CodeTask {
        let outcomes = self.inputs.each_ref().map(|input| play(&self.rules, input));
        let slips = self.order.iter().map(|rule| {
            let misread = self.rules.without(*rule);
            let hit = |target: usize| play(&misread, &self.inputs[target]) == outcomes[target];
            Slip {
                misses: rule.name(),
                code: python::source(&misread),
                hits: std::array::from_fn(hit),
            }
        });
        // A tick takes the five steps of any snake and one more for each rule that the seed chose.
        let steps = 5 + self.order.len() as u64;
        CodeTask {
            function: "snake",
            inputs: self.inputs.each_ref().map(Input::arguments),
            expected: outcomes.map(|outcome| outcome.json()),
            solution: python::source(&self.rules),
            slips: slips.collect(),
            effort: outcomes.map(|outcome| u64::from(outcome.ticks) * steps),
        }
    }
}

/// Keys of the input of a target (0 to 4).
fn keys(level: Level, target: usize) -> usize {
    6 + 2 * usize::from(level.get()) + 3 * (target + 1)
}

/// How many rules of the ladder input `target` may show: five inputs share them out evenly, rounded up.
fn allowed(rules: usize, target: usize) -> usize {
    (rules * (target + 1)).div_ceil(TARGETS)
}

/// Where in the ladder the rules begin that are new at an input.
fn newest(rules: usize, target: usize) -> usize {
    target.checked_sub(1).map_or(0, |before| allowed(rules, before))
}

/// Picks the seeded readings of a task and the order in which its inputs bring them in.
fn ladder(row: &Row, rng: &mut Stream) -> Option<Vec<Rule>> {
    let mut pool = row.pool.to_vec();
    rng.shuffle(&mut pool);
    let mut order: Vec<Rule> = Vec::with_capacity(row.rules);
    for rule in &pool {
        if order.len() < row.rules && (*rule != Rule::Toll || order.contains(&Rule::Hunger)) {
            order.push(*rule);
        }
    }
    // Every walk shows how its keys are read, so that rule cannot wait for a later input.
    order.sort_by_key(|rule| *rule != Rule::Keys);
    let clash = (0..TARGETS).any(|target| {
        let new = &order[newest(order.len(), target)..allowed(order.len(), target)];
        new.iter().filter(|rule| rule.kills()).count() > 1
    });
    (order.len() == row.rules && !clash).then_some(order)
}

/// Five inputs up the ladder.
fn inputs(
    rules: &Rules,
    order: &[Rule],
    contract: &Contract,
    level: Level,
    streams: &mut [Stream; TARGETS],
) -> Option<[Input; TARGETS]> {
    let mut inputs: Vec<Input> = Vec::with_capacity(TARGETS);
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(TARGETS);
    for (target, rng) in streams.iter_mut().enumerate() {
        let plan = Plan {
            rules,
            contract,
            shown: &order[..allowed(order.len(), target)],
            must: &order[newest(order.len(), target)..allowed(order.len(), target)],
            keys: keys(level, target),
        };
        let (input, outcome) = (0..WALKS_MAX).find_map(|_| {
            let input = walk(&plan, rng)?;
            let outcome = accept(&plan, order, &input)?;
            (!outcomes.contains(&outcome)).then_some((input, outcome))
        })?;
        inputs.push(input);
        outcomes.push(outcome);
    }
    inputs.try_into().ok()
}

/// The last gate of an input: what it shows of the rules is what the plan says.
fn accept(plan: &Plan, order: &[Rule], input: &Input) -> Option<Outcome> {
    plan.contract.check(input).ok()?;
    let outcome = play(plan.rules, input);
    let misread = |rule: &Rule| play(&plan.rules.without(*rule), input);
    let new_show = plan.must.iter().all(|rule| misread(rule) != outcome);
    let later_hide = order[plan.shown.len()..].iter().all(|rule| misread(rule) == outcome);
    // A memorised snake gets nothing, also where no rule is new.
    let not_plain = play(&plan.rules.plain(), input) != outcome;
    (new_show && later_hide && not_plain).then_some(outcome)
}

/// Whether the five inputs test the whole of the printed text: the seeded readings by the ladder, and here, each default
/// reading that the prompt states by at least one input, and the bite.
fn every_sentence_matters(rules: &Rules, inputs: &[Input; TARGETS]) -> bool {
    let outcomes = inputs.each_ref().map(|input| play(rules, input));
    let printed = Rule::ALL.into_iter().filter(|rule| rules.sentence(*rule).is_some());
    let matters = |rule: Rule| {
        let misread = rules.with(rule);
        inputs.iter().zip(&outcomes).any(|(input, outcome)| play(&misread, input) != *outcome)
    };
    outcomes.iter().any(|outcome| outcome.cause == Cause::Bite)
        && printed.filter(|rule| !rules.has(*rule)).all(matters)
}

/// An example that eats, lives, and comes out the same under the default reading of any rule, so that it gives none away.
fn example(rules: &Rules, order: &[Rule], contract: &Contract, rng: &mut Stream) -> Option<Input> {
    let plan = Plan { rules, contract, shown: &[], must: &[], keys: EXAMPLE_KEYS };
    let input = walk(&plan, rng)?;
    contract.check(&input).ok()?;
    let outcome = play(rules, &input);
    let turns = input.keys.iter().any(|key| *key != input.keys[0]);
    let grows = outcome.length > input.body.len() && outcome.cause == Cause::Done;
    let hides = order.iter().all(|rule| play(&rules.without(*rule), &input) == outcome);
    let plain = play(&rules.plain(), &input) == outcome;
    (turns && grows && hides && plain).then_some(input)
}
