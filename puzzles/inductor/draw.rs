//! How a task is drawn: menu, chain and examples from the shared stream, each target's list from its own. A chain is kept only
//! when each of its steps shows, a misread step shows, and all chains that fit the examples agree on the targets.

use super::levels::Dial;
use super::list::List;
use super::search::{Pair, search};
use super::step::{Kind, Step};
use crate::puzzles::{Level, Seeds, TARGETS};
use crate::rng::Stream;

/// Examples of a task.
pub(super) const EXAMPLES: usize = 6;

/// Chains tried in one draw, and lists tried for one pair.
const CHAINS_A_DRAW: u32 = 400;
const LISTS_A_PAIR: u32 = 40;

/// Of the examples, how many a lost or misread step must contradict.
const CONTRADICTED_MIN: usize = 2;

/// The fewest numbers of an example's result and of a target's, the most numbers of a result, and the largest number in one.
const RESULT_MIN: usize = 2;
const ANSWER_MIN: usize = 3;
const RESULT_MAX: usize = 12;
const NUMBER_MAX: i32 = 999;

/// Numbers that one kind of a menu offers for k, at most.
const NUMBERS_A_KIND: usize = 3;

/// An induction.
#[derive(Debug)]
pub(super) struct Induction {
    /// The steps to choose from; those of one kind stand together.
    pub(super) menu: Vec<Step>,
    pub(super) chain: Vec<Step>,
    pub(super) examples: [Pair; EXAMPLES],
    pub(super) targets: [Pair; TARGETS],
    /// What somebody makes of each target who loses or misreads a step; never right.
    pub(super) slips: [Vec<List>; TARGETS],
    pub(super) effort: [u64; TARGETS],
}

/// What a chain makes of a list.
pub(super) fn run(chain: &[Step], list: &List) -> List {
    chain.iter().fold(*list, |list, step| step.apply(&list))
}

/// Draws an induction, or nothing when no chain passes.
pub(super) fn induction(level: Level, seeds: &Seeds) -> Option<Induction> {
    let dial = Dial::of(level);
    let mut shared = seeds.shared();
    let menu = menu(dial.steps, &mut shared);
    (0..CHAINS_A_DRAW).find_map(|_| attempt(level, &menu, seeds, &mut shared))
}

/// So many steps, of kinds and readings that the seed takes.
pub(super) fn menu(steps: usize, rng: &mut Stream) -> Vec<Step> {
    let mut kinds = Kind::ALL;
    rng.shuffle(&mut kinds);
    let mut menu = Vec::with_capacity(steps);
    for kind in kinds {
        let other = rng.percent(50);
        let mut numbers = kind.numbers().to_vec();
        if numbers.is_empty() {
            numbers.push(0);
        }
        rng.shuffle(&mut numbers);
        numbers.truncate(NUMBERS_A_KIND.min(steps - menu.len()));
        numbers.sort_unstable();
        menu.extend(numbers.into_iter().map(|k| Step { kind, other, k }));
    }
    menu
}

/// One chain with its examples and targets, if they pass.
fn attempt(level: Level, menu: &[Step], seeds: &Seeds, shared: &mut Stream) -> Option<Induction> {
    let dial = Dial::of(level);
    let chain = chain(dial.chain, menu, shared)?;
    let wrong = wrong(&chain);
    let mut examples = Vec::with_capacity(EXAMPLES);
    for _ in 0..EXAMPLES {
        let mut drawn = pairs(&chain, shared, |rng| {
            let length = dial.length as u32;
            list(rng.between(length - 1, length + 1) as usize, dial, rng)
        });
        let pair = drawn
            .find(|pair| pair.output.numbers().len() >= RESULT_MIN && !examples.contains(pair))?;
        examples.push(pair);
    }
    let shows = |wrong: &Vec<Step>| {
        let differs = |pair: &&Pair| run(wrong, &pair.input) != pair.output;
        examples.iter().filter(differs).count() >= CONTRADICTED_MIN
    };
    if !wrong.iter().all(shows) {
        return None;
    }
    let mut targets: Vec<Pair> = Vec::with_capacity(TARGETS);
    for target in 0..TARGETS {
        let size = Dial::of(level.on_ladder(target));
        let own = &mut seeds.target(target);
        let pair = pairs(&chain, own, |rng| list(size.length, dial, rng)).find(|pair| {
            pair.output.numbers().len() >= ANSWER_MIN
                && !plain(pair)
                && targets.iter().all(|other| other.output != pair.output)
                && wrong.iter().all(|wrong| run(wrong, &pair.input) != pair.output)
        })?;
        targets.push(pair);
    }
    let (examples, targets) = (examples.try_into().ok()?, targets.try_into().ok()?);
    let found = search(menu, dial.chain, &examples, &targets)?;
    if found.shortest != dial.chain {
        return None;
    }
    let slips = targets.map(|pair| wrong.iter().map(|wrong| run(wrong, &pair.input)).collect());
    let effort = targets.map(|pair| found.work / TARGETS as u64 + touched(&chain, &pair.input));
    Some(Induction { menu: menu.to_vec(), chain, examples, targets, slips, effort })
}

/// A chain of that many steps, each of another kind.
fn chain(steps: usize, menu: &[Step], rng: &mut Stream) -> Option<Vec<Step>> {
    let mut chain: Vec<Step> = Vec::with_capacity(steps);
    while chain.len() < steps {
        let step = *rng.pick(menu)?;
        if chain.iter().any(|other| other.kind == step.kind) {
            return None;
        }
        chain.push(step);
    }
    Some(chain)
}

/// The chain as it is for somebody who loses a step, or misreads one.
pub(super) fn wrong(chain: &[Step]) -> Vec<Vec<Step>> {
    let lost = (0..chain.len()).map(|at| {
        let mut lost = chain.to_vec();
        lost.remove(at);
        lost
    });
    let misread = (0..chain.len()).map(|at| {
        let mut misread = chain.to_vec();
        misread[at] = misread[at].misread();
        misread
    });
    lost.chain(misread).collect()
}

/// Random lists with what a chain makes of them, where that is not too large.
fn pairs<'a>(
    chain: &'a [Step],
    rng: &'a mut Stream,
    list: impl Fn(&mut Stream) -> List + 'a,
) -> impl Iterator<Item = Pair> + 'a {
    (0..LISTS_A_PAIR).filter_map(move |_| {
        let input = list(rng);
        let output = run(chain, &input);
        let numbers = output.numbers();
        let fits = numbers.len() <= RESULT_MAX && numbers.iter().all(|it| *it <= NUMBER_MAX);
        fits.then_some(Pair { input, output })
    })
}

fn list(length: usize, dial: &Dial, rng: &mut Stream) -> List {
    List::of((0..length).map(|_| rng.between(0, dial.largest) as i32))
}

/// Whether the result is the list itself, sorted or turned around.
pub(super) fn plain(pair: &Pair) -> bool {
    let mut sorted = pair.input;
    sorted.numbers_mut().sort_unstable();
    let mut turned = pair.input;
    turned.numbers_mut().reverse();
    let mut falling = sorted;
    falling.numbers_mut().reverse();
    [pair.input, turned, sorted, falling].contains(&pair.output)
}

/// The numbers that a chain looks at.
fn touched(chain: &[Step], input: &List) -> u64 {
    let mut list = *input;
    let mut touched = 0;
    for step in chain {
        touched += list.numbers().len() as u64;
        list = step.apply(&list);
    }
    touched
}
