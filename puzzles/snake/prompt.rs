//! The prompt: arguments, the steps of a tick, this snake's rules, the result, and one example played tick by tick.

use super::board::{Contract, Heading, Input};
use super::engine::{Cause, Game, play};
use super::rules::{Rule, Rules};
use crate::puzzles::Kind;
use crate::puzzles::emit::answer_format;
use serde_json::Value;
use std::fmt::Write;

/// Columns of the running text.
const WIDTH: usize = 100;

/// The rules that the prompt mentions, in its order, each with its sentence.
fn listed(rules: &Rules) -> Vec<(Rule, String)> {
    Rule::ALL.into_iter().filter_map(|rule| Some((rule, rules.sentence(rule)?))).collect()
}

/// The causes that can occur, in the order in which the prompt lists them.
fn causes(rules: &Rules) -> Vec<Cause> {
    let possible = [
        (Cause::Done, true),
        (Cause::Reverse, rules.has(Rule::Reverse)),
        (Cause::Wall, !rules.has(Rule::Edge)),
        (Cause::Stone, rules.has(Rule::Stone)),
        (Cause::Bite, true),
        (Cause::Starved, rules.has(Rule::Hunger)),
    ];
    possible.into_iter().filter(|(_, can)| *can).map(|(cause, _)| cause).collect()
}

/// The whole prompt.
#[must_use]
pub(super) fn text(rules: &Rules, contract: &Contract, example: &Input) -> String {
    let mut out = String::from(
        "Snake\n\nWrite a Python function that plays a game of snake on a small board and reports \
         how it ends.\nIt is called with five hidden inputs; each result must be exactly right.\n\n\
         \x20   snake(w, h, body, d, foods, cmds) -> list\n\n",
    );
    arguments(&mut out, contract);
    tick(&mut out, rules);
    out.push_str("\nThe rules of this snake:\n");
    for (number, (_, sentence)) in listed(rules).iter().enumerate() {
        let _ = writeln!(out, "{}. {sentence}", number + 1);
    }
    result(&mut out, rules);
    let mut out = folded(&out);
    worked(&mut out, rules, example);
    out.push('\n');
    out.push_str(&answer_format(Kind::Code, "snake(w, h, body, d, foods, cmds)"));
    out
}

/// The text with its lines folded at [`WIDTH`], the items of lists (`- `, `a. `, `1. `) with a hanging indent.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 256);
    for line in text.lines() {
        let indent = match line.split_once(' ') {
            Some((mark, _)) if mark == "-" || mark.ends_with('.') => mark.len() + 1,
            _ => 0,
        };
        if line.len() <= WIDTH {
            out.push_str(line);
        } else {
            let mut column = 0;
            for word in line.split(' ') {
                if column > 0 && column + 1 + word.len() > WIDTH {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent));
                    column = indent;
                } else if column > 0 {
                    out.push(' ');
                    column += 1;
                }
                out.push_str(word);
                column += word.len();
            }
        }
        out.push('\n');
    }
    out
}

fn arguments(out: &mut String, contract: &Contract) {
    let Contract { side, body, keys, portal } = contract;
    let off_portal = if portal.is_some() { ", none on the portal" } else { "" };
    let _ = write!(
        out,
        "Arguments:\n\
         - w, h: integers; the board has w columns and h rows, each {} to {}. A cell is a list [r, \
         c]: row r counts from 0 at the top, column c from 0 at the left.\n\
         - body: the cells of the snake, head first, {} to {} of them. Each lies next to the one \
         before; all are different{off_portal}.\n\
         - d: the heading at the start, one of the letters \"U\" (up, row - 1), \"R\" (right, \
         column + 1), \"D\" (down, row + 1), \"L\" (left, column - 1). It leads from body[1] to \
         body[0].\n\
         - foods: 1 to {} foods [r, c, v] with a value v of 1 to {}{off_portal}. Only one food is \
         on the board at a time: the first at the start, the next one when it is eaten, none after \
         the last. Two foods in a row never have the same cell. A food may appear under the snake; \
         it is eaten only when the head moves onto its cell.\n\
         - cmds: a string of {} to {} keys, each \"U\", \"R\", \"D\" or \"L\".\n\n",
        side.0,
        side.1,
        body.0,
        body.1,
        Contract::FOODS_MAX,
        Contract::VALUE_MAX,
        keys.0,
        keys.1,
    );
}

fn tick(out: &mut String, rules: &Rules) {
    let listed = listed(rules);
    let number = |rule: Rule| {
        listed.iter().position(|(other, _)| *other == rule).map_or(0, |position| position + 1)
    };
    let _ = write!(
        out,
        "{} start at 0. The keys are played from first to last, one a tick. A tick has these \
         steps, in this order:\n\
         a. Turn: the key asks for a heading (rule {}). If that is the opposite of the present \
         heading, rule {} applies; otherwise it becomes the heading.\n\
         b. Target: the cell next to the head in the direction of the heading",
        if rules.has(Rule::Hunger) {
            "Score, hunger count and growth (the number of cells that the snake has yet to grow)"
        } else {
            "Score and growth (the number of cells that the snake has yet to grow)"
        },
        number(Rule::Keys),
        number(Rule::Reverse),
    );
    let looks: Vec<String> =
        [(Rule::Edge, "edge"), (Rule::Portal, "portal"), (Rule::Stone, "stone")]
            .into_iter()
            .filter(|(rule, _)| number(*rule) > 0)
            .map(|(rule, what)| format!("rule {} ({what})", number(rule)))
            .collect();
    let _ = writeln!(out, "; then {}.", looks.join(", then "));
    let streak = if rules.has(Rule::Streak) {
        format!(" (but see rule {})", number(Rule::Streak))
    } else {
        String::new()
    };
    let _ = write!(
        out,
        "c. Bite: if the target is a cell of the snake, the snake dies (cause \"self\"). For its \
         last cell see rule {}.\n\
         d. Move: the target becomes the new head, in front of the other cells. If growth is above \
         0, it goes down by 1 and the last cell stays; otherwise the last cell leaves.\n\
         e. Eat: if the new head is on the cell of the food, the food is eaten: the score goes up \
         by its value v{streak}, growth goes up (rule {}), and the next food appears.\n",
        number(Rule::Tail),
        number(Rule::Growth),
    );
    if rules.has(Rule::Hunger) {
        let toll = if rules.has(Rule::Toll) {
            format!("s {} and {} apply", number(Rule::Hunger), number(Rule::Toll))
        } else {
            format!(" {} applies", number(Rule::Hunger))
        };
        let _ = writeln!(
            out,
            "f. Hunger: if the snake ate in this tick, the hunger count is set to 0; otherwise it \
             goes up by 1, and rule{toll}."
        );
    }
    out.push_str(
        "When the snake dies, the game ends at once: nothing that comes later in the tick happens. \
         So a snake that dies in step a, b or c has not moved in that tick.\n",
    );
}

fn result(out: &mut String, rules: &Rules) {
    let words: Vec<String> =
        causes(rules).into_iter().map(|cause| format!("\"{}\"", cause.word())).collect();
    let _ = write!(
        out,
        "\nReturn the list [ticks, length, score, [r, c], cause]:\n\
         - ticks: ticks played, the one in which the snake dies included;\n\
         - length: cells of the snake at the end (growth that is left does not count);\n\
         - score: the score at the end;\n\
         - [r, c]: the cell of the head at the end;\n\
         - cause: one of {}; \"done\" means that all keys were played and the snake lives.\n",
        words.join(", ")
    );
}

/// The example, and how it comes about.
fn worked(out: &mut String, rules: &Rules, input: &Input) {
    let arguments: Vec<String> = input.arguments().iter().map(python).collect();
    let _ = write!(
        out,
        "\nExample: snake({})\nreturns {}\n",
        arguments.join(", "),
        python(&play(rules, input).json())
    );
    let mut game = Game::new(rules, input.board, &input.body, input.heading);
    for key in &input.keys {
        let eaten = game.eaten;
        let over = game.tick(*key, input.foods.get(eaten).copied());
        let head = game.head();
        let _ = write!(out, "tick {}, key {}: ", game.ticks, key.letter());
        let _ = write!(
            out,
            "heading {}, head [{}, {}], length {}",
            heading(game.heading),
            head.r,
            head.c,
            game.body.len()
        );
        if game.eaten > eaten {
            let _ = write!(out, ", eats, score {}", game.score);
        }
        out.push('\n');
        if over.is_some() {
            break;
        }
    }
}

fn heading(heading: Heading) -> &'static str {
    match heading {
        Heading::Up => "up",
        Heading::Right => "right",
        Heading::Down => "down",
        Heading::Left => "left",
    }
}

/// A value as Python writes it, with spaces after commas.
fn python(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
