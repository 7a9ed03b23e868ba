//! What the lane reads: story, rules that are on, five crossings, how to write a plan. One sentence a rule of `rules.rs`, the
//! same for every seed.

use super::draw::Crossing;
use super::plan;
use super::rules::{Extra, Group, Rules, letter, letters, members};
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};

/// The whole prompt.
pub(super) fn prompt(rules: &Rules, crossings: &[Crossing; TARGETS]) -> String {
    let mut prompt = format!(
        "RIVER FERRY\n\n\
         A ferryman takes passengers across a river in a rowing boat, from the LEFT bank to the RIGHT bank.\n\
         The passengers are {}. Some of them quarrel as soon as the ferryman leaves them alone.\n\n\
         Rules\n",
        list(rules.everybody(), "and")
    );
    for rule in sentences(rules) {
        prompt.push_str(&format!("- {rule}\n"));
    }
    prompt.push_str(
        "\nTargets\n\
         Each target is a crossing of its own under these rules. At the start the ferryman and the boat are on the\n\
         LEFT bank and the passengers stand as listed. Give a plan that brings the ferryman and all passengers to the\n\
         RIGHT bank within the given number of trips. Every trip counts, in either direction; any plan that keeps the\n\
         rules is right.\n\n",
    );
    for (number, crossing) in (1..).zip(crossings) {
        prompt.push_str(&format!(
            "TARGET {number}: LEFT: {} / RIGHT: {} / at most {} trips\n",
            bank(crossing.start),
            bank(rules.everybody() & !crossing.start),
            crossing.limit
        ));
    }
    prompt.push_str(&notation(rules));
    prompt.push_str(&answer_format(Kind::Puzzle, "<plan>"));
    prompt
}

/// The rules that are on, one sentence each.
fn sentences(rules: &Rules) -> Vec<String> {
    let seats = match rules.seats {
        1 => "one passenger".to_owned(),
        seats => format!("{seats} passengers"),
    };
    let mut sentences = vec![
        format!("The boat holds the ferryman, who rows on every trip, and at most {seats}."),
        "Each trip takes the boat to the other bank; the first trip goes from LEFT to RIGHT."
            .to_owned(),
    ];
    if rules.never_alone {
        sentences.push(
            "The ferryman never crosses alone: every trip carries at least one passenger."
                .to_owned(),
        );
    }
    let pairs: Vec<String> = rules.pairs.iter().map(|pair| list(*pair, "and")).collect();
    sentences.push(format!(
        "These pairs quarrel when both are on a bank without the ferryman: {}.",
        pairs.join("; ")
    ));
    match &rules.extra {
        Some(Extra::Guard(guard)) => sentences
            .push(format!("{} is a guard: on a bank where the guard is, nobody quarrels.", letters(*guard))),
        Some(Extra::BoatPair(pair)) => {
            sentences.push(format!("{} are never in the boat together.", list(*pair, "and")));
        }
        Some(Extra::Triple(triple)) => sentences.push(format!(
            "{} also quarrel when all three are on a bank without the ferryman; any two of them alone do not.",
            list(*triple, "and")
        )),
        Some(Extra::Weights { kg, limit_kg }) => {
            let weights: Vec<String> =
                (0..).zip(kg).map(|(who, kg)| format!("{} {kg} kg", letter(who))).collect();
            sentences.push(format!(
                "The passengers aboard weigh at most {limit_kg} kg together: {}.",
                weights.join(", ")
            ));
        }
        None => {}
    }
    sentences.push(
        "No quarrel may happen. Whenever the boat lands, look at the bank that it has just left: the passengers there\n  \
         are alone. On the bank where the ferryman is, and in the boat, nobody quarrels."
            .to_owned(),
    );
    sentences
}

/// How plans are written, shown on letters that say nothing about the targets.
fn notation(rules: &Rules) -> String {
    let (alone, example, meaning) = match (rules.seats > 1, rules.never_alone) {
        (false, _) => (
            ",\nor - when the ferryman crosses alone",
            vec![1, 0, 2],
            "A crosses to RIGHT, the ferryman comes back alone, and B crosses to RIGHT",
        ),
        (true, false) => (
            ",\nor - when the ferryman crosses alone",
            vec![3, 0, 4],
            "A and B cross to RIGHT, the ferryman comes back alone, and C crosses to RIGHT",
        ),
        (true, true) => (
            "",
            vec![3, 1, 5],
            "A and B cross to RIGHT, A comes back to LEFT, and A and C cross to RIGHT",
        ),
    };
    format!(
        "\nHow to write a plan\n\
         Write the trips in order, separated by spaces. A trip is the letters of the passengers aboard{alone}.\n\
         The direction is not written, it alternates. An example of the notation only, not of a right plan:\n\
         \"{}\" means that {meaning}.\n\n",
        plan::write(&example)
    )
}

fn bank(group: Group) -> String {
    if group == 0 {
        return "nobody".to_owned();
    }
    members(group).map(|who| letter(who).to_string()).collect::<Vec<_>>().join(" ")
}

/// `A`, `A and B`, `A, B and C`.
fn list(group: Group, and: &str) -> String {
    let names: Vec<String> = members(group).map(|who| letter(who).to_string()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
