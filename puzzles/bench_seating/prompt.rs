//! What the lane reads: story, what the words of the clues mean, five benches, how to write a seating.

use super::clue::{ClueKind, letter};
use super::draw::Bench;
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};
use std::collections::BTreeSet;

/// The whole prompt.
pub(super) fn prompt(benches: &[Bench; TARGETS]) -> String {
    let lies = benches.iter().any(|bench| bench.lies > 0);
    let mut prompt = format!(
        "BENCH SEATING\n\n\
         Five groups of friends sit down on five benches, one group on each. Nobody remembers the whole order, but\n\
         everybody remembers something. Find out who sits where.\n\n\
         Rules\n\
         - The seats of a bench are numbered from 1 at the left end to the last at the right end, as you look at it.\n\
         - Every person of the group sits in one seat and every seat is taken.\n\
         - The benches have nothing to do with each other.\n\
         - {}\n",
        if lies {
            "Each bench says whether all its clues are true or exactly one of them is false. Exactly one seating fits."
        } else {
            "All clues of a bench are true. Exactly one seating fits them."
        }
    );
    prompt.push_str(
        "- Left of: on any seat with a smaller number, not necessarily the neighbouring seat.\n",
    );
    let mut kinds: BTreeSet<ClueKind> =
        benches.iter().flat_map(|bench| &bench.clues).map(|clue| clue.kind()).collect();
    if kinds.contains(&ClueKind::Apart) {
        // Both speak of sitting next to somebody.
        kinds.insert(ClueKind::Adjacent);
    }
    for legend in kinds.iter().filter_map(|kind| kind.legend()) {
        prompt.push_str(&format!("- {legend}\n"));
    }
    for (number, bench) in (1..).zip(benches) {
        let names: Vec<String> = (0..).map(letter).take(bench.people).map(String::from).collect();
        let truth = match (lies, bench.lies) {
            (false, _) => "",
            (true, 0) => " All clues are true.",
            (true, _) => " Exactly one of these clues is false.",
        };
        prompt.push_str(&format!(
            "\nTARGET {number}: bench of {} seats, people {}.{truth}\n",
            bench.people,
            names.join(", ")
        ));
        for (number, clue) in (1..).zip(&bench.clues) {
            prompt.push_str(&format!("  {number}. {clue}\n"));
        }
    }
    prompt.push_str(
        "\nHow to write a seating\n\
         Write the letters of all people of the bench in the order of the seats, from seat 1 on, without spaces. An\n\
         example of the notation only: \"CAB\" would mean that C sits in seat 1, A in seat 2 and B in seat 3.\n\n",
    );
    prompt.push_str(&answer_format(Kind::Puzzle, "<seating>"));
    prompt
}
