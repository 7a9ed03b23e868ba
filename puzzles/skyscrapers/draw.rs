//! How a grid is drawn: a random square, all its clues, given cells until the solver proves it unique, then as few cells and
//! clues as it can do with. Each grid comes from its own stream; the shared one draws the rules of the range.

use super::levels::Dial;
use super::rows::{RowSet, Rows};
use super::rules::{City, Rules, Side, Square};
use super::solve::{Found, solve};
use crate::rng::Stream;

/// Grids tried for one target.
const GRIDS_A_TARGET: u32 = 40;

/// Rows placed before a draw of a square gives up; the worst case of the level tables takes far fewer.
const ROWS_A_SQUARE: u32 = 4_000;

/// A search of a misread grid may place this many times the rows of the level's own.
const MISREAD_NODES: u32 = 4;

/// One target.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// What is told.
    pub(super) city: City,
    /// The only solution.
    pub(super) square: Square,
    /// Solutions of the grid under misread rules; none of them is right.
    pub(super) misread: Vec<Square>,
    /// How hard the grid is.
    pub(super) effort: u64,
}

/// Draws the rules of a range.
pub(super) fn rules(dial: &Dial, shared: &mut Stream) -> Rules {
    let side = |shared: &mut Stream| {
        let drawn = *shared.pick(&Side::ALL)?;
        shared.percent(dial.twist_percent).then_some(drawn)
    };
    Rules {
        size: dial.size,
        seen: dial.seen,
        reversed: side(shared),
        too_high: side(shared),
        diagonals: shared.percent(dial.diagonal_percent),
    }
}

/// Draws one grid whose effort lies in the level's band and in which every printed rule matters.
pub(super) fn grid(dial: &Dial, rules: &Rules, target: usize, own: &mut Stream) -> Option<Grid> {
    (0..GRIDS_A_TARGET).find_map(|_| {
        let square = square(rules, own)?;
        let mut city = reduced(dial, rules, &square, own)?;
        put_back(rules, &square, &mut city, dial.put_back[target], own);
        let found = solve(rules, &city, dial.nodes);
        let effort = effort(&found);
        let fits = found.only() == Some(&square)
            && (dial.effort.0..=dial.effort.1).contains(&effort)
            && matters(dial, rules, &city, &square);
        fits.then(|| {
            let misread = rules
                .misreadings()
                .flat_map(|reading| {
                    let seen = city.misread(rules, &reading);
                    solve(&reading, &seen, dial.nodes).solutions
                })
                .filter(|other| *other != square)
                .collect();
            Grid { city, square, misread, effort }
        })
    })
}

/// The effort of a search.
fn effort(found: &Found) -> u64 {
    found.tests + u64::from(found.nodes)
}

/// A square of random rows, each drawn among those that fit the rows above it; rows that leave none for the next are
/// drawn again.
pub(super) fn square(rules: &Rules, rng: &mut Stream) -> Option<Square> {
    let mut square = Square::default();
    let mut rows_left = ROWS_A_SQUARE;
    let free = Rows::of(rules.size).every;
    fill(rules, &mut square, 0, &free, &mut rows_left, rng).then_some(square)
}

/// Fills a square from a row on, out of the rows that are free beside those placed.
fn fill(
    rules: &Rules,
    square: &mut Square,
    row: usize,
    free: &RowSet,
    rows_left: &mut u32,
    rng: &mut Stream,
) -> bool {
    if row == rules.size {
        return true;
    }
    let rows = Rows::of(rules.size);
    let far = rules.size - 1 - row;
    let mut fitting: Vec<usize> = free.numbers().collect();
    if rules.diagonals {
        fitting.retain(|number| {
            let placed = &rows.all[*number];
            (0..row).all(|above| {
                square[above][above] != placed[row]
                    && square[above][rules.size - 1 - above] != placed[far]
            })
        });
    }
    rng.shuffle(&mut fitting);
    for number in fitting {
        if *rows_left == 0 {
            return false;
        }
        *rows_left -= 1;
        square[row] = rows.all[number];
        if fill(rules, square, row + 1, &free.and(&rows.beside[number]), rows_left, rng) {
            return true;
        }
    }
    false
}

/// As little told as keeps the grid proven unique and every rule of the printed clues needed: given cells go first, or
/// grids end up with cells and no clues.
fn reduced(dial: &Dial, rules: &Rules, square: &Square, own: &mut Stream) -> Option<City> {
    let proven = |city: &City| solve(rules, city, dial.nodes).only().is_some();
    let mut city = City { clues: rules.all_clues(square), given: Square::default() };
    if !clues_matter(rules, &city, square) {
        return None;
    }
    let mut cells: Vec<(usize, usize)> =
        (0..rules.size).flat_map(|row| (0..rules.size).map(move |column| (row, column))).collect();
    own.shuffle(&mut cells);
    let mut given = Vec::new();
    while !proven(&city) {
        let (row, column) = cells.pop()?;
        city.given[row][column] = square[row][column];
        given.push((row, column));
    }
    own.shuffle(&mut given);
    for (row, column) in given {
        city.given[row][column] = 0;
        if !proven(&city) {
            city.given[row][column] = square[row][column];
        }
    }
    let mut clues: Vec<(usize, usize)> =
        (0..4).flat_map(|side| (0..rules.size).map(move |place| (side, place))).collect();
    own.shuffle(&mut clues);
    for (side, place) in clues {
        let clue = city.clues[side][place].take();
        if !clues_matter(rules, &city, square) || !proven(&city) {
            city.clues[side][place] = clue;
        }
    }
    Some(city)
}

/// Tells some clues again that had gone.
fn put_back(rules: &Rules, square: &Square, city: &mut City, count: usize, own: &mut Stream) {
    let all = rules.all_clues(square);
    let mut gone: Vec<(usize, usize)> = (0..4)
        .flat_map(|side| (0..rules.size).map(move |place| (side, place)))
        .filter(|(side, place)| city.clues[*side][*place].is_none())
        .collect();
    own.shuffle(&mut gone);
    for (side, place) in gone.into_iter().take(count) {
        city.clues[side][place] = all[side][place];
    }
}

/// Whether the solution breaks some clue under every misreading of how clues are printed.
fn clues_matter(rules: &Rules, city: &City, square: &Square) -> bool {
    rules
        .misreadings()
        .filter(|reading| reading.diagonals == rules.diagonals)
        .all(|reading| city.misread(rules, &reading).judge(&reading, square).is_err())
}

/// Whether every printed rule is needed: misread clues break the solution, and without the rule of the diagonals there is
/// another one.
fn matters(dial: &Dial, rules: &Rules, city: &City, square: &Square) -> bool {
    let plain = Rules { diagonals: false, ..*rules };
    clues_matter(rules, city, square)
        && (!rules.diagonals
            || solve(&plain, city, dial.nodes * MISREAD_NODES).solutions.len() == 2)
}
