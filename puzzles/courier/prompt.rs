//! What the lane reads: the rules that the town has, its streets, five errands, how to write a route. One sentence a rule of
//! `town.rs`, the same for every seed.

use super::draw::Target;
use super::town::{ALWAYS, STREETS_A_REST, Street, Town, letter};
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};

/// Streets on one line.
const STREETS_A_LINE: usize = 4;

/// The whole prompt.
pub(super) fn prompt(town: &Town, targets: &[Target; TARGETS]) -> String {
    let last = letter(town.corners as u8 - 1);
    let mut prompt = format!(
        "COURIER\n\n\
         A courier carries letters through a town. Its corners are A to {last}; its streets join two corners each. Find routes that\n\
         arrive in time and do not cost too much.\n\n\
         Rules\n"
    );
    for rule in rules(town) {
        prompt.push_str(&format!("- {rule}\n"));
    }
    prompt.push_str("\nStreets\n");
    for line in town.streets.chunks(STREETS_A_LINE) {
        let line: Vec<String> = line.iter().map(street).collect();
        prompt.push_str(&format!("  {}\n", line.join("; ")));
    }
    prompt.push_str(
        "\nTargets\nFive errands in this town, each of its own. Any route that keeps the rules and the limits is right.\n",
    );
    for (number, target) in (1..).zip(targets) {
        let errand = target.errand;
        let by_way_of = errand
            .parcel
            .map_or_else(String::new, |parcel| format!(", parcel at {}", letter(parcel)));
        prompt.push_str(&format!(
            "TARGET {number}: leaves {} at minute {}{by_way_of}, arrives at {} at minute {} or earlier, pays at most {}\n",
            letter(errand.start),
            errand.leaves,
            letter(errand.finish),
            errand.arrive,
            coins(errand.coins)
        ));
    }
    prompt.push_str(
        "\nHow to write a route\n\
         Write the corners in order, start and finish included, separated by spaces. An example of the notation only:\n\
         \"A C B\" means from A to C and on to B.\n\n",
    );
    prompt.push_str(&answer_format(Kind::Puzzle, "<route>"));
    prompt
}

/// How the courier moves, one sentence a rule.
fn rules(town: &Town) -> Vec<String> {
    let mut rules = vec![
        "A-B 4 is a street between A and B that takes 4 minutes. The courier walks from corner to corner along streets;\n  \
         at a corner he goes on at once. Corners and streets may be used more than once."
            .to_owned(),
    ];
    if town.streets.iter().any(|street| street.one_way) {
        rules.push("A>B 4 is a one-way street: it leads from A to B only.".to_owned());
    }
    rules.push(
        "\"toll 2\" after a street: it costs 2 coins every time it is used, in either direction. Other streets cost nothing."
            .to_owned(),
    );
    if let Some(from) = town.dear_from {
        rules.push(format!(
            "From minute {from} on tolls are doubled. The minute at which the street is entered counts."
        ));
    }
    let closed = if town.waits {
        "If it is closed when he comes, he waits\n  before it until it opens; he waits nowhere else."
    } else {
        "If it is closed when he comes,\n  the route is wrong: he never waits."
    };
    rules.push(format!(
        "\"gate 678\" after a street: it has a gate, and may be entered, at either end, only at minutes whose last digit is 6,\n  \
         7 or 8. When he is in the street, the gate does not matter any more. {closed}"
    ));
    if let Some(rest) = town.rest {
        rules.push(format!(
            "After every {STREETS_A_REST} streets (the 3rd, the 6th, the 9th and so on) he rests {rest} minutes at the corner before he\n  \
             goes on. At the finish he has arrived before he rests."
        ));
    }
    if town.parcels {
        rules.push(
            "Each errand names a corner at which a parcel lies. The route must pass that corner before its finish; fetching\n  \
             the parcel takes no time."
                .to_owned(),
        );
    }
    rules
}

/// A street as the list writes it.
fn street(street: &Street) -> String {
    let arrow = if street.one_way { '>' } else { '-' };
    let mut text =
        format!("{}{arrow}{} {}", letter(street.from), letter(street.to), street.minutes);
    if street.toll > 0 {
        text.push_str(&format!(" toll {}", street.toll));
    }
    if street.open != ALWAYS {
        text.push_str(&format!(" gate {}", digits(street.open)));
    }
    text
}

/// The digits of a gate in the order in which it is open: 8901, not 0189.
fn digits(open: u16) -> String {
    let is_open = |digit: u32| open & (1 << (digit % 10)) != 0;
    let first = (0..10).find(|digit| is_open(*digit) && !is_open(digit + 9)).unwrap_or(0);
    (first..first + 10)
        .filter(|digit| is_open(*digit))
        .map(|digit| (digit % 10).to_string())
        .collect()
}

fn coins(count: u32) -> String {
    if count == 1 { "1 coin".to_owned() } else { format!("{count} coins") }
}
