//! All chains of a menu, tried on the examples: which fit, and whether they agree on the targets.

use super::draw::EXAMPLES;
use super::list::List;
use super::step::Step;
use crate::puzzles::TARGETS;

/// A list and what the hidden chain makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) input: List,
    pub(super) output: List,
}

/// What a search through all chains of up to a number of steps finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// Steps of the shortest chain that fits all examples.
    pub(super) shortest: usize,
    /// Chains that fit all examples.
    pub(super) fitting: u64,
    /// Steps done on a list: a chain is followed on all lists as long as it can go on, and its last step is done on one example
    /// after the other until one does not fit.
    pub(super) work: u64,
}

/// Where a search stands: what a chain has made of all inputs.
type Lists = ([List; EXAMPLES], [List; TARGETS]);

struct Search<'a> {
    menu: &'a [Step],
    examples: &'a [Pair; EXAMPLES],
    targets: &'a [Pair; TARGETS],
    found: Found,
}

/// Tries every chain of at most `longest` steps of a menu; nothing when one fits the examples and differs on a target.
pub(super) fn search(
    menu: &[Step],
    longest: usize,
    examples: &[Pair; EXAMPLES],
    targets: &[Pair; TARGETS],
) -> Option<Found> {
    let found = Found { shortest: usize::MAX, fitting: 0, work: 0 };
    let mut search = Search { menu, examples, targets, found };
    let lists = (examples.map(|pair| pair.input), targets.map(|pair| pair.input));
    search.from(1, longest, &lists)?;
    Some(search.found)
}

impl Search<'_> {
    /// Tries what a chain may have as its step of that number, and all that follow.
    fn from(&mut self, number: usize, longest: usize, lists: &Lists) -> Option<()> {
        let menu = self.menu;
        for step in menu {
            if self.fits(*step, lists) {
                self.found.fitting += 1;
                self.found.shortest = self.found.shortest.min(number);
                let agrees = |(list, pair): (&List, &Pair)| step.apply(list) == pair.output;
                if !lists.1.iter().zip(self.targets).all(agrees) {
                    return None;
                }
            }
            if number < longest {
                self.found.work += (EXAMPLES + TARGETS) as u64;
                let next =
                    (lists.0.map(|list| step.apply(&list)), lists.1.map(|list| step.apply(&list)));
                self.from(number + 1, longest, &next)?;
            }
        }
        Some(())
    }

    fn fits(&mut self, step: Step, lists: &Lists) -> bool {
        lists.0.iter().zip(self.examples).all(|(list, pair)| {
            self.found.work += 1;
            step.apply(list) == pair.output
        })
    }
}
