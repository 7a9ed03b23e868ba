//! What the lane reads: the rules that are on, from where and in which order clues are listed, five grids, how to write one.

use super::draw::Grid;
use super::rules::{Rules, Seen, Side};
use super::text;
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};

/// The whole prompt.
pub(super) fn prompt(rules: &Rules, grids: &[Grid; TARGETS]) -> String {
    let size = rules.size;
    let mut prompt = format!(
        "SKYSCRAPERS\n\n\
         Five city blocks are grids of {size} rows and {size} columns with one building in each cell. Find all heights.\n\n\
         Rules\n\
         - Heights are 1 to {size}. Every row and every column holds each height exactly once.\n"
    );
    for sentence in sentences(rules) {
        prompt.push_str(&format!("- {sentence}\n"));
    }
    prompt.push_str("\nHow clues are listed\n");
    for side in Side::ALL {
        prompt.push_str(&format!("- {}\n", listed(rules, side)));
    }
    prompt.push_str(
        "- A number is the clue of one row or column, - means that this one has no clue.\n\
         - GRID shows the rows from top to bottom, joined by /, each from left to right: a digit is a height that is\n  \
         given and must stay, a dot is a cell to be filled.\n",
    );
    for (number, grid) in (1..).zip(grids) {
        prompt.push_str(&format!("\nTARGET {number}\n"));
        let printed = rules.printed(&grid.city.clues);
        for side in Side::ALL {
            let clues: Vec<String> = printed[side as usize][..size]
                .iter()
                .map(|clue| clue.map_or_else(|| "-".to_owned(), |clue| clue.to_string()))
                .collect();
            prompt.push_str(&format!("{:<8}{}\n", format!("{}:", side.name()), clues.join(" ")));
        }
        prompt.push_str(&format!("{:<8}{}\n", "GRID:", text::write(&grid.city.given, size)));
    }
    prompt.push_str(&format!(
        "\nHow to write a grid\n\
         Write the {size} rows from top to bottom, each as {size} digits from left to right, joined by /. An example of the\n\
         notation only, for a grid of 3 rows: \"213/132/321\". Exactly one grid is right for each target.\n\n",
    ));
    prompt.push_str(&answer_format(Kind::Puzzle, "<grid>"));
    prompt
}

/// The rules that are on, one sentence each.
fn sentences(rules: &Rules) -> Vec<String> {
    let mut sentences = Vec::new();
    if rules.diagonals {
        sentences.push(
            "Both diagonals, from corner to corner, hold each height exactly once, too.".to_owned(),
        );
    }
    sentences.push(
        "A clue looks along a row or column from one edge of the grid. A building is seen from there when it is\n  \
         higher than every building between it and that edge; the nearest one is always seen."
            .to_owned(),
    );
    sentences.push(match rules.seen {
        Seen::Count => {
            "The clue is the number of buildings that are seen. Along 2 1 4 3, two are seen (2 and 4): the clue is 2."
                .to_owned()
        }
        Seen::Sum => "The clue is the sum of the heights of the buildings that are seen, not their number. Along\n  \
                      2 1 4 3, the buildings 2 and 4 are seen: the clue is 6."
            .to_owned(),
    });
    sentences
}

/// From where a side looks, in which order its clues stand, and whether they are one too high.
fn listed(rules: &Rules, side: Side) -> String {
    let backwards = rules.reversed == Some(side);
    let (look, order) = match (side, backwards) {
        (Side::Top, false) => ("down the columns", "from left to right"),
        (Side::Bottom, false) => ("up the columns", "from left to right"),
        (Side::Top, true) => ("down the columns", "backwards, from right to left"),
        (Side::Bottom, true) => ("up the columns", "backwards, from right to left"),
        (Side::Left, false) => ("along the rows to the right", "from top to bottom"),
        (Side::Right, false) => ("along the rows to the left", "from top to bottom"),
        (Side::Left, true) => ("along the rows to the right", "backwards, from bottom to top"),
        (Side::Right, true) => ("along the rows to the left", "backwards, from bottom to top"),
    };
    let name = side.name();
    let shift = if rules.too_high == Some(side) {
        format!("\n  Every {name} clue is printed one too high: a printed 4 means 3.")
    } else {
        String::new()
    };
    format!("{name} clues look {look}; they are listed {order}.{shift}")
}
