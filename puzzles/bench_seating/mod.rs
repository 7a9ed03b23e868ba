//! Bench seating: who sits where, from a list of clues that fits one seating only. A deduction puzzle; the five benches of a
//! task are independent of each other.
//!
//! `levels.rs` has the dials, `clue.rs` the clues and their words, `orders.rs` all seatings at once, `misread.rs` the ways to get
//! a clue wrong, `draw.rs` draws benches, `prompt.rs` writes what the lane reads.

mod clue;
mod draw;
mod levels;
mod misread;
mod orders;
mod prompt;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use clue::{Person, letter};
use draw::Bench;
use levels::Dial;

const NAME: &str = "bench-seating";

/// Longer values are not read.
const LONGEST: usize = 100;

/// The family.
#[derive(Debug)]
pub struct BenchSeating;

impl Family for BenchSeating {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Bench seating"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let benches: Option<Vec<Bench>> = (0..TARGETS)
            .map(|target| draw::bench(Dial::of(level.on_ladder(target)), &mut seeds.target(target)))
            .collect();
        let benches: [Bench; TARGETS] = benches?.try_into().ok()?;
        let prompt = prompt::prompt(&benches);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Benches(benches)))))
    }
}

#[derive(Debug)]
struct Benches([Bench; TARGETS]);

impl Puzzle for Benches {
    fn check(&self, target: usize, value: &str) -> Reading {
        let bench = &self.0[target];
        match read(value, bench.people) {
            Err(why) => Reading::Unreadable(why),
            Ok(row) => judge(bench, &row),
        }
    }

    fn solution(&self, target: usize) -> String {
        write(&self.0[target].row)
    }

    /// Two neighbours the wrong way round, the whole row from the right, or what a misread clue leads to.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let bench = &self.0[target];
        let mut swapped = bench.row.clone();
        let seat = rng.index(bench.people - 1);
        swapped.swap(seat, seat + 1);
        let reversed = bench.row.iter().rev().copied().collect();
        let mut slips = bench.misread.clone();
        slips.extend([swapped, reversed]);
        // Only one seating is right, and none of these is that one.
        rng.pick(&slips).map_or_else(String::new, |row| write(row))
    }

    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        let mut row: Vec<Person> = (0..self.0[target].people as Person).collect();
        rng.shuffle(&mut row);
        write(&row)
    }

    /// The alphabetical order.
    fn start(&self, target: usize) -> Option<String> {
        Some((0..).map(letter).take(self.0[target].people).collect())
    }

    fn effort(&self, target: usize) -> u64 {
        self.0[target].effort
    }
}

/// Judges a seating by the clues alone.
fn judge(bench: &Bench, row: &[Person]) -> Reading {
    let mut seats = vec![0; row.len()];
    for (seat, person) in (0..).zip(row) {
        seats[usize::from(*person)] = seat;
    }
    let broken: Vec<usize> =
        (1..).zip(&bench.clues).filter(|(_, clue)| !clue.holds(&seats)).map(|(n, _)| n).collect();
    if broken.len() == bench.lies {
        return Reading::Hit;
    }
    Reading::Wrong(match (bench.lies, broken.as_slice()) {
        (0, [first, ..]) => format!("breaks clue {first}"),
        (_, []) => "breaks no clue, one is false".to_owned(),
        (_, broken) => format!("breaks {} clues, only one is false", broken.len()),
    })
}

fn write(row: &[Person]) -> String {
    row.iter().copied().map(letter).collect()
}

/// Reads a seating: every letter once, in any case; spaces, `,` `;` `-` `|` `/` `>` between letters mean nothing.
fn read(value: &str, people: usize) -> Result<Vec<Person>, String> {
    if value.len() > LONGEST {
        return Err(format!("a seating of more than {LONGEST} characters"));
    }
    let mut row = Vec::new();
    for char in value.trim().trim_end_matches('.').chars() {
        if matches!(char, ' ' | '\t' | ',' | ';' | '-' | '|' | '/' | '>') {
            continue;
        }
        let person = match char.to_ascii_uppercase() {
            letter @ 'A'..='Z' => letter as u8 - b'A',
            _ => return Err(format!("a seating with {char:?}")),
        };
        if usize::from(person) >= people {
            return Err(format!("no person {}", letter(person)));
        }
        if row.contains(&person) {
            return Err(format!("{} twice", letter(person)));
        }
        row.push(person);
    }
    match row.len() {
        0 => Err("no seating".to_owned()),
        seated if seated < people => Err(format!("{seated} of {people} people")),
        _ => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_one_seating() {
        for value in
            ["DBACE", "dbace", "D B A C E", "D, B, A, C, E.", "D-B-A-C-E", "D | B | A | C | E"]
        {
            assert_eq!(read(value, 5), Ok(vec![3, 1, 0, 2, 4]), "{value}");
        }
    }

    #[test]
    fn what_is_not_a_seating() {
        for value in ["", "-", "ABCD", "ABCDD", "ABCDEF", "12345", "ABCD\u{c9}", "unknown"] {
            assert!(read(value, 5).is_err(), "{value}");
        }
        assert!(read(&"A".repeat(1_000_000), 5).is_err());
    }
}
