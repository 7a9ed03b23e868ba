//! What the lane reads: what the words of the statements mean, five villages, how to write the liars.

use super::claim::{ClaimKind, letter};
use super::draw::Target;
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};
use std::collections::BTreeSet;

/// The whole prompt.
pub(super) fn prompt(targets: &[Target; TARGETS]) -> String {
    let mut prompt = String::from(
        "TRUTH VILLAGE\n\n\
         In each of five villages every villager is either truthful or a liar. Find out who the liars are.\n\n\
         Rules\n\
         - Everybody makes one statement. What a truthful villager says is true, what a liar says is false.\n\
         - Exactly one choice of liars fits all statements of a village.\n\
         - The villages have nothing to do with each other.\n",
    );
    let words: BTreeSet<ClaimKind> = targets
        .iter()
        .flat_map(|target| &target.village.0)
        .flat_map(|claim| claim.words())
        .collect();
    for legend in words.iter().filter_map(|kind| kind.legend()) {
        prompt.push_str(&format!("- {legend}\n"));
    }
    for (number, target) in (1..).zip(targets) {
        let claims = &target.village.0;
        let last = letter(claims.len() - 1);
        prompt.push_str(&format!("\nTARGET {number}: the villagers A to {last} say\n"));
        for (speaker, claim) in claims.iter().enumerate() {
            prompt.push_str(&format!("  {}: {claim}\n", letter(speaker)));
        }
    }
    prompt.push_str(
        "\nHow to write the liars\n\
         Write the letters of all liars of the village, in any order, without spaces. An example of the notation only:\n\
         \"BDG\" would mean that B, D and G are liars and everybody else is truthful.\n\n",
    );
    prompt.push_str(&answer_format(Kind::Puzzle, "<liars>"));
    prompt
}
