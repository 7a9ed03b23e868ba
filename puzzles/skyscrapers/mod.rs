//! Skyscrapers: fill square grids with heights so that what is seen from the edges fits the clues. A deduction puzzle; the
//! five grids of a task share their rules and nothing else.
//!
//! `levels.rs` has the dials, `rules.rs` judges a grid, `rows.rs` lists all rows of a size, `solve.rs` proves grids unique,
//! `draw.rs` draws them, `text.rs` reads and writes answers, `prompt.rs` writes what the lane reads.

mod draw;
mod levels;
mod prompt;
mod rows;
mod rules;
mod solve;
#[cfg(test)]
mod tests;
mod text;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use draw::Grid;
use levels::Dial;
use rules::{Rules, Square};

const NAME: &str = "skyscrapers";

/// The family.
#[derive(Debug)]
pub struct Skyscrapers;

impl Family for Skyscrapers {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Skyscrapers"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let blocks = Blocks::draw(level, seeds)?;
        let prompt = prompt::prompt(&blocks.rules, &blocks.grids);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(blocks))))
    }
}

#[derive(Debug)]
struct Blocks {
    rules: Rules,
    grids: [Grid; TARGETS],
}

impl Blocks {
    fn draw(level: Level, seeds: &Seeds) -> Option<Self> {
        let dial = Dial::of(level);
        let rules = draw::rules(dial, &mut seeds.shared());
        let grids: Option<Vec<Grid>> = (0..TARGETS)
            .map(|target| draw::grid(dial, &rules, target, &mut seeds.target(target)))
            .collect();
        Some(Self { rules, grids: grids?.try_into().ok()? })
    }

    fn write(&self, square: &Square) -> String {
        text::write(square, self.rules.size)
    }
}

impl Puzzle for Blocks {
    fn check(&self, target: usize, value: &str) -> Reading {
        match text::read(value, self.rules.size) {
            Err(why) => Reading::Unreadable(why),
            Ok(square) => match self.grids[target].city.judge(&self.rules, &square) {
                Ok(()) => Reading::Hit,
                Err(fault) => Reading::Wrong(fault.to_string()),
            },
        }
    }

    fn solution(&self, target: usize) -> String {
        self.write(&self.grids[target].square)
    }

    /// What misread rules lead to, or two neighbouring rows or heights the wrong way round. Only one grid is right.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let size = self.rules.size;
        let grid = &self.grids[target];
        let mut slips = grid.misread.clone();
        let at = rng.index(size - 1);
        let mut swapped = grid.square;
        swapped.swap(at, at + 1);
        let mut exchanged = grid.square;
        exchanged[rng.index(size)].swap(at, at + 1);
        slips.extend([swapped, exchanged]);
        rng.pick(&slips).map_or_else(String::new, |slip| self.write(slip))
    }

    /// A random grid with every height once in each row and column.
    fn guess(&self, _target: usize, rng: &mut Stream) -> String {
        let plain = Rules { diagonals: false, ..self.rules };
        draw::square(&plain, rng).map_or_else(String::new, |square| self.write(&square))
    }

    /// Rows that count on from each other, which need no clue.
    fn start(&self, _target: usize) -> Option<String> {
        let size = self.rules.size;
        let mut square = Square::default();
        for (row, heights) in square.iter_mut().enumerate().take(size) {
            for (column, height) in heights.iter_mut().enumerate().take(size) {
                *height = ((row + column) % size) as u8 + 1;
            }
        }
        Some(self.write(&square))
    }

    fn effort(&self, target: usize) -> u64 {
        self.grids[target].effort
    }
}
