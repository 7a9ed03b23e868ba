//! What the lane reads: the job, the commands, this painter's rules, the limits and one example.

use super::contract::{Contract, draw};
use super::engine::paint;
use super::ops::{Command, Op, PAINTS, letter};
use super::rules::{Rule, Rules};
use crate::puzzles::Kind;
use crate::puzzles::emit::answer_format;
use crate::rng::Stream;
use serde_json::json;

/// The width at which the text is broken.
const WIDTH: usize = 96;

/// The mark of a command, which stands by itself at the start of its line.
const COMMAND: &str = " ";

/// The whole prompt.
pub(super) fn prompt(contract: &Contract, rules: &Rules, rng: &mut Stream) -> String {
    let paints: Vec<String> =
        PAINTS.iter().map(|paint| format!("\"{}\"", letter(*paint))).collect();
    let commands = contract.commands.iter().map(|command| explain(*command, rules));
    let numbered = rules.active().zip(1..).map(|(rule, number)| {
        item(&format!("{number}. "), &rules.sentence(rule, contract.commands))
    });
    let blocks = [
        "Painter\n\nWrite the Python function\n\n    def paint(h: int, w: int, ops: list) -> list[str]:\n"
            .to_owned(),
        item(
            "",
            "It paints on a canvas of h rows and w columns. Rows are numbered 0 to h-1 from the top and \
             columns 0 to w-1 from the left. At first every cell is bare, written \".\". The commands in \
             ops are carried out one after the other; then the function returns the canvas as a list \
             of h strings of w characters each, the top row first.",
        ),
        item(
            "",
            &format!(
                "Each command is a list. (r, c) is the cell in row r and column c, and col is a paint, \
                 one of {}.",
                paints.join(", ")
            ),
        ) + &commands.collect::<String>(),
        item("", &painting(rules)),
        format!("The rules of this painter:\n{}", numbered.collect::<String>()),
        format!("Every call keeps to these limits (all numbers are whole):\n{}", limits(contract)),
        example(rules, rng),
        item(
            "",
            "Your function is called on five hidden inputs, the targets; a call that returns exactly the \
             right list hits its target.",
        ) + &answer_format(Kind::Code, "paint(h, w, ops)"),
    ];
    blocks.join("\n")
}

/// A command in one line, with the default reading of each rule that is not active.
fn explain(command: Command, rules: &Rules) -> String {
    let (form, text) = match command {
        Command::Rect => (
            r#"["rect", r, c, hh, ww, col]"#,
            format!(
                "covers a rectangle of hh rows and ww columns{} rows r to r+hh-1, columns c to c+ww-1.",
                if rules.has(Rule::Back) || rules.has(Rule::Zero) {
                    "; for sizes of 1 and more these are"
                } else {
                    ":"
                }
            ),
        ),
        Command::Line => (
            r#"["line", r, c, d, n, col]"#,
            format!(
                "covers a straight line of length n that starts at (r, c){} and runs in direction d, one of \
                 \"up\", \"down\", \"left\", \"right\".",
                if rules.has(Rule::Steps) { "" } else { ", the first of its n cells," }
            ),
        ),
        Command::Fill => (
            r#"["fill", r, c, col]"#,
            "covers (r, c) and all cells that can be reached from it over cells of the same colour (bare \
             cells among bare ones), going up, down, left or right and never across the edge of the canvas."
                .to_owned(),
        ),
        Command::Tape => (
            r#"["tape", r, c]"#,
            format!(
                "puts tape on (r, c): a cell under tape is not painted, and fill looks only at colours, \
                 not at tape.{}",
                if rules.has(Rule::Toggle) { "" } else { " Taping it again changes nothing." }
            ),
        ),
        Command::Mirror => (
            r#"["mirror"]"#,
            format!(
                "flips the picture left to right: each row is reversed, cells under tape too{}.{}",
                if rules.has(Rule::Dry) { ", and wet paint moves along, still wet" } else { "" },
                if rules.has(Rule::TapeMoves) { "" } else { " The tape itself stays where it is." }
            ),
        ),
        Command::Undo => (
            r#"["undo"]"#,
            format!(
                "strikes out {}: all goes as if neither it nor this undo had ever been in ops. With \
                 nothing left to strike out, undo does nothing.",
                if rules.has(Rule::UndoPaint) {
                    "an earlier command"
                } else {
                    "the last command before it that is left"
                }
            ),
        ),
    };
    item(COMMAND, &format!("{form} {text}"))
}

/// What becomes of the cells that a command covers.
fn painting(rules: &Rules) -> String {
    let number = |rule: Rule| rules.active().position(|other| other == rule).map(|at| at + 1);
    let Some(mix) = number(Rule::Mix) else {
        return "A command paints the cells that it covers: each takes the colour of the paint, whatever \
                it was before."
            .to_owned();
    };
    let last = [Rule::Mud, Rule::Dry].into_iter().filter_map(number).fold(mix, usize::max);
    let which = match last - mix {
        0 => format!("rule {mix} says"),
        1 => format!("rules {mix} and {last} say"),
        _ => format!("rules {mix} to {last} say"),
    };
    format!(
        "A command paints the cells that it covers. A bare cell takes the colour of the paint, and a cell \
         that has this colour already is painted too and keeps it; {which} what becomes of the others."
    )
}

/// The limits of a contract, one a line.
fn limits(contract: &Contract) -> String {
    let (low, high) = contract.side;
    let lines = contract.commands.contains(&Command::Line);
    let mut list = vec![
        format!(
            "{low} <= h <= {high} and {low} <= w <= {high}; 1 to {} commands.",
            contract.max_ops
        ),
        "0 <= r < h and 0 <= c < w.".to_owned(),
        match (contract.negative, contract.zero) {
            (false, false) => "1 <= hh <= h and 1 <= ww <= w.",
            (false, true) => "0 <= hh <= h and 0 <= ww <= w.",
            (true, false) => "-h <= hh <= h and -w <= ww <= w; neither is 0.",
            (true, true) => "-h <= hh <= h and -w <= ww <= w.",
        }
        .to_owned(),
    ];
    if lines {
        list.push(
            "1 <= n, and a line covers at most h cells up or down, at most w left or right."
                .to_owned(),
        );
    }
    match (contract.runs_off, lines) {
        (true, _) => {}
        (false, false) => list.push("No rect reaches beyond the canvas.".to_owned()),
        (false, true) => list.push("No rect and no line reaches beyond the canvas.".to_owned()),
    }
    list.iter().map(|limit| item("- ", limit)).collect()
}

/// A small list of rects whose picture is the same under either reading of every rule, and that picture.
pub(super) fn example(rules: &Rules, rng: &mut Stream) -> String {
    let (h, w) = (4, 6);
    let mut paints = PAINTS;
    rng.shuffle(&mut paints);
    let left = draw(rng, 0, 1);
    let ops = [
        Op::rect(0, left, 2, draw(rng, 2, 3), paints[0]),
        Op::rect(2, draw(rng, 3, 4), 2, 2, paints[1]),
        Op::rect(3, left, 1, 2, paints[2]),
    ];
    let values: Vec<_> = ops.iter().map(|op| op.to_value()).collect();
    let rows = paint(h, w, &ops, *rules).rows();
    let call = json!(values).to_string().replace(',', ", ");
    let result = json!(rows).to_string().replace(',', ", ");
    format!(
        "An example in which none of the rules matters:\n  paint({h}, {w}, {call})\nreturns\n  {result}\n"
    )
}

/// A text in lines of at most [`WIDTH`] characters, broken at spaces; with a mark, one that hangs as an item of a list.
fn item(mark: &str, text: &str) -> String {
    let (mut lines, hang) = match mark {
        "" => (String::new(), String::new()),
        COMMAND => ("  ".to_owned(), " ".repeat(6)),
        mark => (format!("  {mark}"), " ".repeat(2 + mark.len())),
    };
    let mut used = lines.len();
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 && used + 1 + word.len() > WIDTH {
            lines += &format!("\n{hang}");
            used = hang.len();
        } else if at > 0 {
            lines.push(' ');
            used += 1;
        }
        lines += word;
        used += word.len();
    }
    lines.push('\n');
    lines
}
