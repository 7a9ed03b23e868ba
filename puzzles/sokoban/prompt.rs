//! What the lane reads: the rules of the room, its legend, the room once, five starts as pictures, how to write a plan.

use super::draw::Start;
use super::room::{Cell, Dir, Room, SIDE, Twist, bit};
use super::text::LETTERS_MAX;
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};

/// The whole prompt.
pub(super) fn prompt(room: &Room, starts: &[Start; TARGETS]) -> String {
    let pull = room.has(Twist::Pull);
    let (move_word, moves) = if pull { ("pull", "pulls") } else { ("push", "pushes") };
    let mut prompt = format!(
        "SOKOBAN\n\n\
         A player {moves} boxes through a room until they stand on the goals.\n\n\
         Rules\n"
    );
    for rule in rules(room) {
        prompt.push_str(&format!("- {rule}\n"));
    }
    prompt.push_str(&format!(
        "- A step that is not possible makes the whole answer wrong, and so does a {move_word} beyond the allowed number.\n  \
         Each cell that a box moves counts as one {move_word}; steps that move no box are not counted.\n\
         - {} after the last step.\n\nLegend\n",
        if room.has(Twist::Labels) {
            "Every box must stand on the goal of its own letter"
        } else {
            "All boxes must stand on goals, any box on any goal,"
        }
    ));
    for line in legend(room) {
        prompt.push_str(&format!("{line}\n"));
    }
    prompt.push_str("\nThe room without boxes and player\n");
    prompt.push_str(&picture(room, None));
    prompt.push_str(&format!(
        "\nTargets\n\
         Five starts in this room, each a game of its own. Give a plan that solves it with the allowed number of {moves};\n\
         any such plan is right.\n"
    ));
    for (number, start) in (1..).zip(starts) {
        prompt.push_str(&format!("\nTARGET {number}: at most {} {moves}\n", start.limit));
        prompt.push_str(&picture(room, Some(start)));
    }
    prompt.push_str(&format!(
        "\nHow to write a plan\n\
         One letter for each step: U up, D down, L left, R right, as you look at the picture; at most {LETTERS_MAX} letters.\n\
         An example of the notation only: \"RRDL\" means right, right, down, left.\n\n"
    ));
    prompt.push_str(&answer_format(Kind::Puzzle, "<plan>"));
    prompt
}

/// How the player moves, one sentence a rule.
fn rules(room: &Room) -> Vec<String> {
    let mut rules = vec![if room.has(Twist::Pull) {
        "The player steps one cell up, down, left or right, never into a wall or a box. He does not push, he pulls: if\n  \
         a box is right behind him when he steps (in the cell opposite to the direction of the step), it always\n  \
         comes along, into the cell that he leaves."
            .to_owned()
    } else {
        "The player steps one cell up, down, left or right, never into a wall. A step into the cell of a box pushes the\n  \
         box one cell on in the same direction, and is possible only if no wall and no other box is there. He cannot\n  \
         pull."
            .to_owned()
    }];
    match room.twist {
        Some(Twist::Labels) => rules.push(
            "Boxes and goals have letters: box A belongs on goal a, box B on goal b, and so on. Boxes may pass over or\n  \
             rest on other goals meanwhile."
                .to_owned(),
        ),
        Some(Twist::OneWay) => rules.push(
            "An arrow is a one-way cell: player and boxes can enter it only by moving in the direction of the arrow. It\n  \
             can be left in any direction."
                .to_owned(),
        ),
        Some(Twist::Torus) => rules.push(
            "The room has no outer wall. Opposite edges are joined: a step or push over the edge of the picture goes to\n  \
             the opposite end of the same row or column, unless a wall is there."
                .to_owned(),
        ),
        Some(Twist::Sticky) => rules.push(
            "Sticky floor holds boxes: a box that is pushed onto it can never be pushed again. The player walks over it\n  \
             freely."
                .to_owned(),
        ),
        Some(Twist::Pull) | None => {}
    }
    rules
}

/// The characters that the pictures of this room use.
fn legend(room: &Room) -> Vec<String> {
    let mut legend = Vec::new();
    if !room.has(Twist::Torus) || room.area() != room.floor {
        legend.push("# = wall".to_owned());
    }
    legend.push("- = floor".to_owned());
    if room.has(Twist::Labels) {
        for number in 0..room.goals.len() {
            let (upper, lower) = (box_letter(room, number), goal_letter(room, number));
            legend.push(format!("{upper} = box {upper}"));
            legend.push(format!("{lower} = goal of box {upper}"));
        }
    } else {
        legend.push(". = goal".to_owned());
        legend.push("$ = box".to_owned());
    }
    legend.push("@ = player".to_owned());
    for dir in Dir::ALL {
        if room.one_way[dir as usize] != 0 {
            let way = ["up", "down", "left", "right"][dir as usize];
            legend.push(format!("{} = one-way floor, to be entered moving {way}", arrow(dir)));
        }
    }
    if room.sticky != 0 {
        legend.push("~ = sticky floor".to_owned());
    }
    legend
}

/// The room as rows of characters, with an outer wall where it has one.
fn picture(room: &Room, start: Option<&Start>) -> String {
    let mut picture = String::new();
    let wall = format!("{}\n", "#".repeat(room.width + 2));
    let torus = room.has(Twist::Torus);
    let edge = if torus { "" } else { "#" };
    if !torus {
        picture.push_str(&wall);
    }
    for row in 0..room.height {
        let cells = (0..room.width).map(|column| (row * SIDE + column) as Cell);
        let line: String = cells.map(|cell| character(room, start, cell)).collect();
        picture.push_str(&format!("{edge}{line}{edge}\n"));
    }
    if !torus {
        picture.push_str(&wall);
    }
    picture
}

fn character(room: &Room, start: Option<&Start>, cell: Cell) -> char {
    if let Some(start) = start {
        if start.player == cell {
            return '@';
        }
        if let Some(number) = start.boxes.iter().position(|on| *on == cell) {
            return box_letter(room, number);
        }
    }
    if room.floor & bit(cell) == 0 {
        return '#';
    }
    if let Some(number) = room.goals.iter().position(|goal| *goal == cell) {
        return goal_letter(room, number);
    }
    if room.sticky & bit(cell) != 0 {
        return '~';
    }
    let arrows = |dir: &Dir| room.one_way[*dir as usize] & bit(cell) != 0;
    Dir::ALL.into_iter().find(arrows).map_or('-', arrow)
}

fn box_letter(room: &Room, number: usize) -> char {
    if room.has(Twist::Labels) { char::from(b'A' + number as u8) } else { '$' }
}

fn goal_letter(room: &Room, number: usize) -> char {
    if room.has(Twist::Labels) { char::from(b'a' + number as u8) } else { '.' }
}

fn arrow(dir: Dir) -> char {
    match dir {
        Dir::Up => '^',
        Dir::Down => 'v',
        Dir::Left => '<',
        Dir::Right => '>',
    }
}
