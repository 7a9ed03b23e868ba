//! The solver: row by row from the tighter half, with bounds on what each column can still show. Bounded by rows placed.

use super::rows::{Row, RowSet, Rows};
use super::rules::{City, Rules, SIZE_MAX, Seen, Side, Square};

/// What a search found.
#[derive(Debug)]
pub(super) struct Found {
    /// The first solutions, two at most.
    pub(super) solutions: Vec<Square>,
    /// Whether the search ended by itself, after all solutions or two of them.
    pub(super) complete: bool,
    /// Rows placed.
    pub(super) nodes: u32,
    /// Rows that fitted the columns and were held against the clues.
    pub(super) tests: u64,
}

impl Found {
    /// The only solution, when it is proven to be.
    pub(super) fn only(&self) -> Option<&Square> {
        match self.solutions.as_slice() {
            [only] if self.complete => Some(only),
            _ => None,
        }
    }
}

/// Looks for two solutions, placing at most so many rows.
pub(super) fn solve(rules: &Rules, city: &City, nodes: u32) -> Found {
    let mut search = Search::new(rules, city, nodes);
    let free = Rows::of(rules.size).every;
    let complete = search.place(0, &free, &Columns::default());
    Found {
        solutions: search.solutions,
        complete,
        nodes: nodes - search.nodes_left,
        tests: search.tests,
    }
}

/// What the rows placed so far mean for the columns.
#[derive(Debug, Clone, Default)]
struct Columns {
    /// By column: the heights placed, as bits from height 1 on.
    heights: [u8; SIZE_MAX],
    /// By column: the tallest height so far, and what it and those seen before it are worth.
    tallest: [u8; SIZE_MAX],
    seen: [u8; SIZE_MAX],
    /// The heights on the two diagonals, as bits.
    diagonals: [u8; 2],
}

struct Search<'a> {
    rules: &'a Rules,
    rows: &'static Rows,
    /// Whether the search runs from the bottom row upwards.
    flipped: bool,
    /// By row in search order: those that fit the row's own clues and given cells.
    candidates: Vec<RowSet>,
    /// By column: the clue at the end where the search begins, and at the other end.
    near: [Option<u8>; SIZE_MAX],
    far: [Option<u8>; SIZE_MAX],
    square: Square,
    nodes_left: u32,
    tests: u64,
    solutions: Vec<Square>,
}

impl<'a> Search<'a> {
    fn new(rules: &'a Rules, city: &City, nodes: u32) -> Self {
        let size = rules.size;
        let mut candidates: Vec<RowSet> = (0..size).map(|row| fitting(rules, city, row)).collect();
        let orders = |rows: &[RowSet]| -> usize { rows.iter().map(RowSet::len).product() };
        let flipped = orders(&candidates[size - size / 2..]) < orders(&candidates[..size / 2]);
        if flipped {
            candidates.reverse();
        }
        let (near, far) =
            if flipped { (Side::Bottom, Side::Top) } else { (Side::Top, Side::Bottom) };
        Self {
            rules,
            rows: Rows::of(size),
            flipped,
            candidates,
            near: city.clues[near as usize],
            far: city.clues[far as usize],
            square: Square::default(),
            nodes_left: nodes,
            tests: 0,
            solutions: Vec::new(),
        }
    }

    /// Places rows from this one on, out of those free beside the rows placed; false when it ran out of nodes.
    fn place(&mut self, row: usize, free: &RowSet, columns: &Columns) -> bool {
        let size = self.rules.size;
        if row == size {
            let mut square = self.square;
            if self.flipped {
                square[..size].reverse();
            }
            self.solutions.push(square);
            return true;
        }
        for number in self.candidates[row].and(free).numbers() {
            self.tests += 1;
            self.square[row] = self.rows.all[number];
            let Some(next) = self.columns_with(row, columns, &self.square[row]) else { continue };
            if self.nodes_left == 0 {
                return false;
            }
            self.nodes_left -= 1;
            if !self.place(row + 1, &free.and(&self.rows.beside[number]), &next) {
                return false;
            }
            if self.solutions.len() == 2 {
                return true;
            }
        }
        true
    }

    /// The columns with one more row, or nothing when some clue can no longer be met.
    fn columns_with(&self, row: usize, before: &Columns, placed: &Row) -> Option<Columns> {
        let size = self.rules.size;
        let mut next = before.clone();
        if self.rules.diagonals {
            for (diagonal, column) in next.diagonals.iter_mut().zip([row, size - 1 - row]) {
                let bit = 1 << (placed[column] - 1);
                if *diagonal & bit != 0 {
                    return None;
                }
                *diagonal |= bit;
            }
        }
        for (column, height) in placed[..size].iter().enumerate() {
            next.heights[column] |= 1 << (height - 1);
            if *height > next.tallest[column] {
                next.tallest[column] = *height;
                next.seen[column] += self.rules.seen.worth(*height);
            }
            let rest = ((1 << size) - 1) & !next.heights[column];
            let (tallest, seen) = (next.tallest[column], next.seen[column]);
            if self.near[column].is_some_and(|clue| !self.near_can(clue, tallest, seen, rest))
                || self.far[column].is_some_and(|clue| !self.far_can(clue, row, column, rest))
            {
                return None;
            }
        }
        Some(next)
    }

    /// Whether the end where the search began can still show the clue: later heights above the tallest are seen in part,
    /// and the top height always is.
    fn near_can(&self, clue: u8, tallest: u8, seen: u8, rest: u8) -> bool {
        let above = rest >> tallest << tallest;
        let least = if above == 0 { 0 } else { self.rules.seen.worth(highest(above)) };
        (seen + least..=seen + self.all(above)).contains(&clue)
    }

    /// Whether the other end can still show the clue: of the heights placed, those above all that are to come will be
    /// seen as they are now; of those to come, the highest will be.
    fn far_can(&self, clue: u8, row: usize, column: usize, rest: u8) -> bool {
        let mut tallest = highest(rest);
        let mut seen = 0;
        for above in (0..=row).rev() {
            let height = self.square[above][column];
            if height > tallest {
                tallest = height;
                seen += self.rules.seen.worth(height);
            }
        }
        let least = if rest == 0 { 0 } else { self.rules.seen.worth(highest(rest)) };
        (seen + least..=seen + self.all(rest)).contains(&clue)
    }

    /// What the heights of a set are worth when all are seen.
    fn all(&self, heights: u8) -> u8 {
        match self.rules.seen {
            Seen::Count => heights.count_ones() as u8,
            Seen::Sum => SUMS[usize::from(heights)],
        }
    }
}

/// By set of heights: what they add up to.
static SUMS: [u8; 1 << SIZE_MAX] = {
    let mut sums = [0; 1 << SIZE_MAX];
    let mut set = 1;
    while set < sums.len() {
        let lowest = set.trailing_zeros();
        sums[set] = sums[set & (set - 1)] + lowest as u8 + 1;
        set += 1;
    }
    sums
};

/// The highest height of a set, 0 for none.
fn highest(heights: u8) -> u8 {
    (u8::BITS - heights.leading_zeros()) as u8
}

/// The rows that fit the clues left and right of a row, and its given cells.
fn fitting(rules: &Rules, city: &City, row: usize) -> RowSet {
    let rows = Rows::of(rules.size);
    let mut fitting = rows.every;
    for (side, right) in [(Side::Left, false), (Side::Right, true)] {
        if let Some(clue) = city.clues[side as usize][row] {
            fitting = fitting.and(&rows.showing(rules.seen, right, clue));
        }
    }
    for (column, height) in city.given[row].iter().enumerate().filter(|(_, height)| **height > 0) {
        fitting = fitting.and(rows.holding(column, *height));
    }
    fitting
}
