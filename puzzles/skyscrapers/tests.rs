//! Laws of the family, over many seeds, with a second solver that shares nothing with `solve.rs`.

use super::rules::{City, SIZE_MAX, Side};
use super::*;
use crate::puzzles::generate;
use crate::rng::Key;
use std::collections::BTreeSet;

const SEEDS: u64 = 30;

/// The first draw of each seed that met the family's conditions.
fn draws(level: Level, seeds: u64) -> Vec<Blocks> {
    (0..seeds).filter_map(|seed| Blocks::draw(level, &seeds_of(level, seed))).collect()
}

fn seeds_of(level: Level, seed: u64) -> Seeds {
    Seeds::new(Seeds::task_key(seed, "test", 2, NAME, level), 0)
}

/// What may still stand in each cell, one bit a height.
type Options = [[u8; SIZE_MAX]; SIZE_MAX];

/// The cells of a line, and its clues at the first and at the last of them.
type Line = (Vec<(usize, usize)>, [Option<u8>; 2]);

/// A plain solver: for each line it writes down every order that fits the clues and the options of its cells, keeps the
/// options that some order has, and tries out a cell when that does not get any further.
struct Plain<'a> {
    rules: &'a Rules,
    lines: Vec<Line>,
}

impl<'a> Plain<'a> {
    /// How many solutions, counted up to two.
    fn count(rules: &'a Rules, city: &City) -> usize {
        let size = rules.size;
        let [top, bottom, left, right] = city.clues;
        let mut lines: Vec<Line> = Vec::new();
        for k in 0..size {
            lines.push(((0..size).map(|at| (k, at)).collect(), [left[k], right[k]]));
            lines.push(((0..size).map(|at| (at, k)).collect(), [top[k], bottom[k]]));
        }
        if rules.diagonals {
            lines.push(((0..size).map(|at| (at, at)).collect(), [None; 2]));
            lines.push(((0..size).map(|at| (at, size - 1 - at)).collect(), [None; 2]));
        }
        let mut options = Options::default();
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            options[row][column] = match city.given[row][column] {
                0 => (1 << size) - 1,
                height => 1 << (height - 1),
            };
        }
        Self { rules, lines }.solutions(options)
    }

    fn solutions(&self, mut options: Options) -> usize {
        loop {
            let before = options;
            for (cells, clues) in &self.lines {
                let mut kept = [0; SIZE_MAX];
                self.orders(&options, cells, *clues, &mut Vec::new(), &mut kept);
                for ((row, column), kept) in cells.iter().zip(kept) {
                    options[*row][*column] = kept;
                    if kept == 0 {
                        return 0;
                    }
                }
            }
            if options == before {
                break;
            }
        }
        let open = |(row, column): &(usize, usize)| options[*row][*column].count_ones() > 1;
        let Some((row, column)) = self.lines.iter().flat_map(|line| &line.0).copied().find(open)
        else {
            return 1;
        };
        let mut found = 0;
        for height in (0..self.rules.size).filter(|h| options[row][column] >> h & 1 == 1) {
            let mut tried = options;
            tried[row][column] = 1 << height;
            found += self.solutions(tried);
            if found > 1 {
                return 2;
            }
        }
        found
    }

    fn orders(
        &self,
        options: &Options,
        cells: &[(usize, usize)],
        clues: [Option<u8>; 2],
        line: &mut Vec<u8>,
        kept: &mut [u8; SIZE_MAX],
    ) {
        let Some((row, column)) = cells.get(line.len()) else {
            let backwards: Vec<u8> = line.iter().rev().copied().collect();
            let shows = [self.look(line), self.look(&backwards)];
            if clues.iter().zip(shows).all(|(clue, shows)| clue.is_none_or(|clue| clue == shows)) {
                kept.iter_mut().zip(line).for_each(|(kept, height)| *kept |= 1 << (*height - 1));
            }
            return;
        };
        for height in
            (1..=self.rules.size as u8).filter(|h| options[*row][*column] >> (h - 1) & 1 == 1)
        {
            if !line.contains(&height) {
                line.push(height);
                self.orders(options, cells, clues, line, kept);
                line.pop();
            }
        }
    }

    fn look(&self, line: &[u8]) -> u8 {
        let seen = line.iter().enumerate().filter(|(at, h)| line[..*at].iter().all(|n| n < h));
        match self.rules.seen {
            rules::Seen::Count => seen.count() as u8,
            rules::Seen::Sum => seen.map(|(_, height)| height).sum(),
        }
    }
}

fn agrees(level: Level, seeds: u64) {
    for blocks in draws(level, seeds) {
        for grid in &blocks.grids {
            assert_eq!(Plain::count(&blocks.rules, &grid.city), 1, "level {level}: {grid:?}");
            assert_eq!(grid.city.judge(&blocks.rules, &grid.square), Ok(()));
        }
    }
}

#[test]
fn a_plain_solver_finds_one_solution() {
    for level in Level::all() {
        agrees(level, if level.get() < 8 { 20 } else { 4 });
    }
}

#[test]
#[ignore = "hundreds of seeds a level"]
fn a_plain_solver_finds_one_solution_of_many() {
    for level in Level::all() {
        agrees(level, 300);
    }
}

#[test]
fn most_draws_meet_the_conditions() {
    for level in Level::all() {
        assert!(draws(level, SEEDS).len() as u64 * 100 >= SEEDS * 95, "level {level}");
    }
}

#[test]
fn every_rule_matters() {
    for level in Level::all() {
        for blocks in draws(level, SEEDS) {
            let rules = &blocks.rules;
            for grid in &blocks.grids {
                for misread in rules.misreadings() {
                    let seen = grid.city.misread(rules, &misread);
                    if misread.diagonals == rules.diagonals {
                        assert!(seen.judge(&misread, &grid.square).is_err(), "{misread:?}");
                    } else {
                        assert_eq!(Plain::count(&misread, &seen), 2, "{misread:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_rule_is_drawn() {
    let level = Level::new(5).expect("a level");
    let drawn = draws(level, SEEDS);
    let reversed: BTreeSet<_> = drawn.iter().filter_map(|b| b.rules.reversed).collect();
    let too_high: BTreeSet<_> = drawn.iter().filter_map(|b| b.rules.too_high).collect();
    assert_eq!((reversed.len(), too_high.len()), (4, 4));
    assert!(drawn.iter().any(|blocks| blocks.rules.diagonals));
    assert!(drawn.iter().any(|blocks| !blocks.rules.diagonals));
}

#[test]
fn printing_and_reading_clues_are_inverse() {
    for blocks in draws(Level::new(4).expect("a level"), SEEDS) {
        for grid in &blocks.grids {
            let printed = blocks.rules.printed(&grid.city.clues);
            assert_eq!(blocks.rules.meant(&printed), grid.city.clues);
        }
    }
}

#[test]
fn efforts_grow_and_stay_in_their_bands() {
    let mut before = 0;
    for level in Level::all() {
        let (least, most) = Dial::of(level).effort;
        let drawn = draws(level, SEEDS);
        let efforts = || drawn.iter().flat_map(|blocks| &blocks.grids).map(|grid| grid.effort);
        assert!(efforts().all(|effort| (least..=most).contains(&effort)), "level {level}");
        let mean = efforts().sum::<u64>() / efforts().count() as u64;
        assert!(mean > before, "level {level}: {mean} after {before}");
        before = mean;
    }
}

#[test]
fn slips_miss_and_guesses_are_read() {
    let mut rng = Key::of(&[b"skyscrapers test"]).stream(0);
    for level in Level::all() {
        for blocks in draws(level, 6) {
            let mut hits = 0;
            for target in (0..TARGETS).cycle().take(200) {
                let slip = blocks.slip(target, &mut rng);
                assert!(matches!(blocks.check(target, &slip), Reading::Wrong(_)), "{slip}");
                let guess = blocks.guess(target, &mut rng);
                match blocks.check(target, &guess) {
                    Reading::Hit => hits += 1,
                    Reading::Wrong(_) => {}
                    Reading::Unreadable(why) => panic!("{guess}: {why}"),
                }
            }
            assert!(hits <= 5, "level {level}: {hits} of 200 guesses");
        }
    }
}

#[test]
fn reasons_name_the_first_broken_rule() {
    let rules = Rules {
        size: 4,
        seen: rules::Seen::Count,
        reversed: None,
        too_high: None,
        diagonals: false,
    };
    let mut city = City { clues: Default::default(), given: Square::default() };
    city.clues[Side::Right as usize][1] = Some(3);
    city.given[0][2] = 4;
    for (grid, reason) in [
        ("2243/3412/1234/4321", "row 1 holds 2 twice"),
        ("2143/2143/3412/4321", "column 1 holds 2 twice"),
        ("2134/3412/1243/4321", "row 1, column 3 is given as 4"),
        ("2143/3412/1234/4321", "RIGHT clue of row 2: shows 2, must show 3"),
    ] {
        let square = text::read(grid, 4).expect("a grid");
        assert_eq!(city.judge(&rules, &square).map_err(|f| f.to_string()), Err(reason.to_owned()));
    }
    let diagonals = Rules { diagonals: true, ..rules };
    let square = text::read("2143/1234/4312/3421", 4).expect("a grid");
    assert_eq!(
        city.judge(&diagonals, &square).map_err(|fault| fault.to_string()),
        Err("the diagonal from the top left holds 2 twice".to_owned())
    );
}

#[test]
fn prompts() {
    for level in [1, 5, 9].into_iter().filter_map(Level::new) {
        let key = Seeds::task_key(21, "test", 2, NAME, level);
        let task = generate(&Skyscrapers, level, key).expect("a task");
        assert!(task.prompt.len() <= 6_000);
        insta::assert_snapshot!(format!("prompt-{level}"), task.prompt);
    }
}
