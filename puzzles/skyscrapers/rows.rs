//! All rows of a size, and sets of them: those that hold a height somewhere, show a view, or can stand above one another.
//! Made once. `solve.rs` and `draw.rs` pick rows from here.

use super::rules::{SIZE_MAX, Seen};
use std::sync::LazyLock;

/// 64-bit words that hold one bit for each of the 720 rows of six heights.
const WORDS: usize = 12;

/// The highest value of a clue, 1 + 2 + .. + 6, and one more for clues printed too high.
const CLUE_MAX: usize = 22;

/// One order of the heights, from left to right.
pub(super) type Row = [u8; SIZE_MAX];

/// A set of rows, by their number in [`Rows::all`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RowSet([u64; WORDS]);

impl RowSet {
    fn add(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// The rows of both sets.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }

    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers of the rows, in order.
    pub(super) fn numbers(self) -> impl Iterator<Item = usize> {
        (0..WORDS).flat_map(move |at| {
            let mut word = self.0[at];
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// The rows of one size and their sets.
#[derive(Debug)]
pub(super) struct Rows {
    /// The rows, in the order of their heights.
    pub(super) all: Vec<Row>,
    /// Every row.
    pub(super) every: RowSet,
    /// By row: the rows that differ from it in every column.
    pub(super) beside: Vec<RowSet>,
    /// By column and height.
    holding: [[RowSet; SIZE_MAX + 1]; SIZE_MAX],
    /// By what is seen, the end and the clue.
    showing: [[[RowSet; CLUE_MAX + 1]; 2]; 2],
}

impl Rows {
    /// All rows of a size up to the largest.
    pub(super) fn of(size: usize) -> &'static Self {
        static ROWS: LazyLock<[Rows; SIZE_MAX + 1]> =
            LazyLock::new(|| std::array::from_fn(Rows::new));
        &ROWS[size]
    }

    /// The rows with that height in that column.
    pub(super) fn holding(&self, column: usize, height: u8) -> &RowSet {
        &self.holding[column][usize::from(height)]
    }

    /// The rows that show a clue at the left or at the right end.
    pub(super) fn showing(&self, seen: Seen, right: bool, clue: u8) -> RowSet {
        let by_clue = &self.showing[seen as usize][usize::from(right)];
        by_clue.get(usize::from(clue)).copied().unwrap_or_default()
    }

    fn new(size: usize) -> Self {
        let mut all = Vec::new();
        let heights: Vec<u8> = (1..).take(size).collect();
        extend(&mut all, size, [0; SIZE_MAX], 0, &heights);
        let mut rows = Self {
            every: RowSet::default(),
            beside: vec![RowSet::default(); all.len()],
            holding: Default::default(),
            showing: Default::default(),
            all,
        };
        for (number, row) in rows.all.iter().enumerate() {
            let line = &row[..size];
            rows.every.add(number);
            for (column, height) in line.iter().enumerate() {
                rows.holding[column][usize::from(*height)].add(number);
            }
            for seen in [Seen::Count, Seen::Sum] {
                let views =
                    [seen.along(line.iter().copied()), seen.along(line.iter().rev().copied())];
                for (by_clue, view) in rows.showing[seen as usize].iter_mut().zip(views) {
                    by_clue[usize::from(view)].add(number);
                }
            }
            for (other, beside) in rows.all.iter().zip(&mut rows.beside) {
                if line.iter().zip(other).all(|(height, other)| height != other) {
                    beside.add(number);
                }
            }
        }
        rows
    }
}

fn extend(rows: &mut Vec<Row>, size: usize, row: Row, filled: usize, left: &[u8]) {
    if filled == size {
        rows.push(row);
    }
    for height in left {
        let mut next = row;
        next[filled] = *height;
        let rest: Vec<u8> = left.iter().copied().filter(|other| other != height).collect();
        extend(rows, size, next, filled + 1, &rest);
    }
}
