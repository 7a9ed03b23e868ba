//! What the lane reads: the steps to choose from, each shown on one list, six examples and five lists. One sentence a step of
//! `step.rs`, the same for every seed.

use super::draw::Induction;
use super::list::List;
use super::step::Step;
use crate::puzzles::Kind as TaskKind;
use crate::puzzles::emit::answer_format;

/// The list on which the steps are shown: with equal numbers, even and odd ones, of odd length.
const SHOWN: [i32; 7] = [4, 1, 6, 6, 3, 8, 1];

/// The whole prompt.
pub(super) fn prompt(induction: &Induction) -> String {
    let steps = induction.chain.len();
    let mut prompt = format!(
        "INDUCTOR\n\n\
         A hidden function makes one list of whole numbers of another. It is a chain of at most {steps} of the steps below, in\n\
         some order; a step may come more than once. Each step works on what the step before it has left. Find out\n\
         from the examples what the function does, and what it makes of the lists of the targets.\n\n\
         Steps, each shown on the list {}\n",
        List::of(SHOWN)
    );
    for step in induction.menu.chunk_by(|one, next| one.kind == next.kind) {
        prompt.push_str(&entry(step));
    }
    let says = |word: &str| induction.menu.iter().any(|step| step.words().1.contains(word));
    if says("place") {
        prompt.push_str("Places are counted from 1.\n");
    }
    if says("sum of all") {
        prompt.push_str("The sum of an empty list is 0.\n");
    }
    prompt.push_str("\nExamples\n");
    for pair in &induction.examples {
        prompt.push_str(&format!("  {} -> {}\n", pair.input, pair.output));
    }
    prompt.push_str(&format!(
        "Several chains may fit all examples; all that do, of at most {steps} steps, give the same results below.\n\n\
         Targets\n"
    ));
    for (number, pair) in (1..).zip(&induction.targets) {
        prompt.push_str(&format!("TARGET {number}: what becomes of {}\n", pair.input));
    }
    prompt.push_str(
        "\nHow to write a list\nWrite its numbers in order, with a space between, for instance 7 0 12.\n\n",
    );
    prompt.push_str(&answer_format(TaskKind::Puzzle, "<list>"));
    prompt
}

/// One kind of step with the numbers that k may be.
fn entry(steps: &[Step]) -> String {
    let Some(first) = steps.first() else { return String::new() };
    let numbers: Vec<String> = steps.iter().map(|step| step.k.to_string()).collect();
    let (name, does) = first.words();
    let with_k = name.ends_with(" k");
    let shown = first.apply(&List::of(SHOWN));
    let (k, shown_k) = match (with_k, numbers.split_last()) {
        (true, Some((last, []))) => {
            (format!(" (k is {last})"), format!("{}: ", first.name(Some(first.k))))
        }
        (true, Some((last, others))) => (
            format!(" (k is {} or {last})", others.join(", ")),
            format!("{}: ", first.name(Some(first.k))),
        ),
        _ => (String::new(), String::new()),
    };
    format!("- {name}{k}: {does}\n    {shown_k}{shown}\n")
}
