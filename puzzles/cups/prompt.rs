//! What the lane reads: the legend of the moves that the task has, each shown on one row, and the five tables. One sentence
//! a rule of `moves.rs`, the same for every seed.

use super::draw::Table;
use super::moves::{House, Kind, Move, Otherwise, play};
use super::row::{Row, letter};
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind as TaskKind, TARGETS};

/// Moves printed on one line; a multiple of three, so that the mirrored moves stand below each other.
const MOVES_A_LINE: usize = 12;

/// The row on which the legend shows the moves: cups are not at the places of their letters.
const SHOWN: [u8; 5] = [1, 3, 0, 4, 2];

/// The whole prompt.
pub(super) fn prompt(house: &House, tables: &[Table; TARGETS]) -> String {
    let mut prompt = format!(
        "CUPS\n\n\
         On each of five tables stands a row of cups. Every cup has a letter. Places are numbered from left to right,\n\
         the leftmost place is 1. On each table a list of moves is carried out, one after the other. In which order\n\
         do the cups stand at the end?\n\n\
         Moves\n\
         The first sign of a move says what is done. Digits after it are places and mean whatever cup stands there at\n\
         that moment{}; letters after it are cups, wherever they stand at that moment.\n",
        if house.kinds.contains(&Kind::Rotate) {
            format!(" (after {} a number of places)", house.letters[Kind::Rotate as usize])
        } else {
            String::new()
        }
    );
    for kind in &house.kinds {
        prompt.push_str(&format!("- {}\n", sentence(house, *kind)));
    }
    if house.mirror {
        prompt.push_str(MIRROR);
    }
    prompt.push_str(&shown(house));
    prompt.push_str("\nTargets\nThe tables have nothing to do with each other.\n");
    for (number, table) in (1..).zip(tables) {
        prompt.push_str(&format!(
            "TARGET {number}: at the start {}, then these {} moves:\n",
            table.start,
            table.moves.len()
        ));
        for line in table.moves.chunks(MOVES_A_LINE) {
            let line: Vec<String> = line.iter().map(|one| code(house, *one)).collect();
            prompt.push_str(&format!("  {}\n", line.join(" ")));
        }
    }
    prompt.push_str(
        "\nHow to write a row\n\
         Write the letters of all cups of the table from place 1 to the last place, for instance BDAEC.\n\n",
    );
    prompt.push_str(&answer_format(TaskKind::Puzzle, "<row>"));
    prompt
}

const MIRROR: &str = "\
- Every third move of a list (the 3rd, the 6th, the 9th and so on) is done mirrored: turn the whole row around, so\n  \
  that the last cup comes first; do the move on that row; then turn the whole row around again. Every move of the\n  \
  list counts, undone moves too.\n";

/// What a kind of move does.
fn sentence(house: &House, kind: Kind) -> String {
    let name = match kind {
        Kind::Choice => '?',
        kind => house.letters[kind as usize],
    };
    match kind {
        Kind::Places => format!("{name} and two places: the cups at these two places swap."),
        Kind::Names => format!("{name} and two cups: these two cups swap."),
        Kind::Rotate => {
            let (side, other) =
                if house.rotate_left { ("left", "right") } else { ("right", "left") };
            format!(
                "{name} and a number: all cups move so many places to the {side}; those that leave the row at the {side} end\n  \
                 come in again at the {other} end, in the same order."
            )
        }
        Kind::Reverse => format!(
            "{name} and two places: the cups from the first of these places to the second, and all between, are put in\n  \
             reverse order."
        ),
        Kind::Cycle => {
            let (second, third) =
                if house.cycle_back { ("third", "second") } else { ("second", "third") };
            format!(
                "{name} and three places: all at once, the cup at the first of these places goes to the {second}, the cup at\n  \
                 the {second} goes to the {third}, and the cup at the {third} goes to the first."
            )
        }
        Kind::Undo if house.undo == 1 => {
            format!(
                "{name} alone: the row becomes what it was before the last move ahead of this one."
            )
        }
        Kind::Undo => {
            format!(
                "{name} alone: the row becomes what it was before the last two moves ahead of this one."
            )
        }
        Kind::Choice => {
            let otherwise = match house.otherwise {
                Otherwise::RotateOne => {
                    format!("do {}", code(house, Move::Rotate(1)))
                }
                Otherwise::SwapNamed => "swap the two cups named".to_owned(),
                Otherwise::ReverseAll => "put the whole row in reverse order".to_owned(),
            };
            format!(
                "{name} and two cups, a colon and a move: if the first cup stands anywhere left of the second, do the move\n  \
                 after the colon; otherwise {otherwise}."
            )
        }
    }
}

/// Every kind of move of the house, done on one row.
fn shown(house: &House) -> String {
    let mut start = Row::sorted(SHOWN.len());
    start.cups_mut().copy_from_slice(&SHOWN);
    let mut text = format!("\nEach move shown on the row {start}\n");
    for kind in &house.kinds {
        let moves: &[&[Move]] = match kind {
            Kind::Places => &[&[Move::Places(1, 4)]],
            Kind::Names => &[&[Move::Names(0, 2)]],
            Kind::Rotate => &[&[Move::Rotate(2)]],
            Kind::Reverse => &[&[Move::Reverse(1, 4)]],
            Kind::Cycle => &[&[Move::Cycle([0, 2, 3])]],
            Kind::Undo => &[&[Move::Places(1, 4), Move::Names(0, 2), Move::Undo]],
            Kind::Choice => &[&[Move::Choice([3, 2], [0, 3])], &[Move::Choice([2, 3], [0, 3])]],
        };
        for moves in moves {
            // The numbers 1 and 2 and 4: none of them is mirrored.
            let numbers = [1, 2, 4];
            let end = play(house, start, numbers.into_iter().zip(moves.iter().copied()), None);
            let codes: Vec<String> = moves.iter().map(|one| code(house, *one)).collect();
            text.push_str(&format!("  {} gives {end}\n", codes.join(" ")));
        }
    }
    if house.mirror {
        for one in [Move::Places(1, 4), Move::Rotate(2)] {
            let end = play(house, start, [(3, one)], None);
            text.push_str(&format!("  {} done mirrored gives {end}\n", code(house, one)));
        }
    }
    text
}

/// A move as the lists write it.
pub(super) fn code(house: &House, one: Move) -> String {
    let mut text = match one.kind() {
        Kind::Choice => String::from("?"),
        kind => String::from(house.letters[kind as usize]),
    };
    match one {
        Move::Places(a, b) | Move::Reverse(a, b) => text.push_str(&digits(&[a, b])),
        Move::Names(a, b) => text.extend([letter(a), letter(b)]),
        Move::Rotate(by) => text.push_str(&by.to_string()),
        Move::Cycle(places) => text.push_str(&digits(&places)),
        Move::Undo => {}
        Move::Choice([a, b], [from, to]) => {
            text.extend([letter(a), letter(b), ':']);
            text.push_str(&code(house, Move::Places(from, to)));
        }
    }
    text
}

fn digits(places: &[usize]) -> String {
    places.iter().map(|place| (place + 1).to_string()).collect()
}
