//! The rules of a grid and the judge of a filled one: heights, clues, given cells. Knows no search and no text of the prompt.

use std::fmt;

/// The most rows and columns of any level.
pub(super) const SIZE_MAX: usize = 6;

/// Heights by row and column, from the top left; 0 is an empty cell. Small grids leave the rest 0.
pub(super) type Square = [[u8; SIZE_MAX]; SIZE_MAX];

/// Clues by side and place, as they are meant or as they are printed: the places of [`Side::Top`] and [`Side::Bottom`] run
/// from left to right, those of the others from top to bottom.
pub(super) type Clues = [[Option<u8>; SIZE_MAX]; 4];

/// Where one looks from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

impl Side {
    /// All sides, in the order in which clues are stored and printed.
    pub(super) const ALL: [Self; 4] = [Self::Top, Self::Bottom, Self::Left, Self::Right];

    /// The name that prompts and reasons use.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Top => "TOP",
            Self::Bottom => "BOTTOM",
            Self::Left => "LEFT",
            Self::Right => "RIGHT",
        }
    }
}

/// What a clue tells about the buildings seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// How many they are.
    Count,
    /// What their heights add up to.
    Sum,
}

impl Seen {
    /// What one sees along a line, the nearest building first.
    pub(super) fn along(self, line: impl Iterator<Item = u8>) -> u8 {
        let mut tallest = 0;
        let mut seen = 0;
        for height in line.filter(|height| *height > 0) {
            if height > tallest {
                tallest = height;
                seen += self.worth(height);
            }
        }
        seen
    }

    /// What one visible building adds.
    pub(super) fn worth(self, height: u8) -> u8 {
        match self {
            Self::Count => 1,
            Self::Sum => height,
        }
    }
}

/// What all grids of a range obey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rules {
    /// Rows and columns.
    pub(super) size: usize,
    /// What a clue tells.
    pub(super) seen: Seen,
    /// The side whose clues are listed backwards.
    pub(super) reversed: Option<Side>,
    /// The side whose clues are printed one too high.
    pub(super) too_high: Option<Side>,
    /// Whether both diagonals hold every height once.
    pub(super) diagonals: bool,
}

impl Rules {
    /// The clues as they are printed.
    pub(super) fn printed(&self, meant: &Clues) -> Clues {
        self.turned(*meant, |clue| clue + 1)
    }

    /// What printed clues mean: the inverse of [`Rules::printed`].
    pub(super) fn meant(&self, printed: &Clues) -> Clues {
        self.turned(*printed, |clue| clue.saturating_sub(1))
    }

    fn turned(&self, mut clues: Clues, shift: impl Fn(u8) -> u8) -> Clues {
        if let Some(side) = self.reversed {
            clues[side as usize][..self.size].reverse();
        }
        if let Some(side) = self.too_high {
            for clue in clues[side as usize].iter_mut().flatten() {
                *clue = shift(*clue);
            }
        }
        clues
    }

    /// The rules as somebody reads them who misses one of those that only some ranges have.
    pub(super) fn misreadings(&self) -> impl Iterator<Item = Self> {
        let other = match self.seen {
            Seen::Count => Seen::Sum,
            Seen::Sum => Seen::Count,
        };
        let readings = [
            Self { seen: other, ..*self },
            Self { reversed: None, ..*self },
            Self { too_high: None, ..*self },
            Self { diagonals: false, ..*self },
        ];
        readings.into_iter().filter(move |reading| reading != self)
    }

    /// The line that a clue looks along, the nearest building first.
    pub(super) fn line(
        &self,
        square: &Square,
        side: Side,
        place: usize,
    ) -> impl Iterator<Item = u8> {
        (0..self.size).map(move |step| {
            let back = self.size - 1 - step;
            match side {
                Side::Top => square[step][place],
                Side::Bottom => square[back][place],
                Side::Left => square[place][step],
                Side::Right => square[place][back],
            }
        })
    }

    /// All clues of a filled grid, as they are meant.
    pub(super) fn all_clues(&self, square: &Square) -> Clues {
        let mut clues = Clues::default();
        for side in Side::ALL {
            for (place, clue) in clues[side as usize].iter_mut().take(self.size).enumerate() {
                *clue = Some(self.seen.along(self.line(square, side, place)));
            }
        }
        clues
    }
}

/// One grid to fill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct City {
    /// The clues that are told, as they are meant.
    pub(super) clues: Clues,
    /// The cells that are told.
    pub(super) given: Square,
}

/// Why a filled grid is wrong. Rows, columns and places are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Twice { line: &'static str, number: Option<usize>, height: u8 },
    Given { row: usize, column: usize, height: u8 },
    Clue { side: Side, place: usize, seen: u8, clue: u8 },
}

impl City {
    /// Judges a filled grid by the rules alone.
    pub(super) fn judge(&self, rules: &Rules, square: &Square) -> Result<(), Fault> {
        let size = rules.size;
        for number in 0..size {
            let rows = [("row", Side::Left), ("column", Side::Top)];
            for (line, side) in rows {
                if let Some(height) = twice(rules.line(square, side, number)) {
                    return Err(Fault::Twice { line, number: Some(number + 1), height });
                }
            }
        }
        if rules.diagonals {
            let down = (0..size).map(|at| square[at][at]);
            let up = (0..size).map(|at| square[size - 1 - at][at]);
            for (line, height) in [
                ("the diagonal from the top left", twice(down)),
                ("the diagonal from the bottom left", twice(up)),
            ] {
                if let Some(height) = height {
                    return Err(Fault::Twice { line, number: None, height });
                }
            }
        }
        for (row, (given, filled)) in (1..).zip(self.given.iter().zip(square)) {
            for (column, (height, filled)) in (1..).zip(given.iter().zip(filled)) {
                if *height != 0 && height != filled {
                    return Err(Fault::Given { row, column, height: *height });
                }
            }
        }
        for side in Side::ALL {
            for (place, clue) in self.clues[side as usize].iter().enumerate().take(size) {
                let seen = rules.seen.along(rules.line(square, side, place));
                if let Some(clue) = clue.filter(|clue| *clue != seen) {
                    return Err(Fault::Clue { side, place: place + 1, seen, clue });
                }
            }
        }
        Ok(())
    }

    /// The grid that somebody sees who reads the printed clues by other rules.
    pub(super) fn misread(&self, rules: &Rules, misread: &Rules) -> Self {
        Self { clues: misread.meant(&rules.printed(&self.clues)), given: self.given }
    }
}

/// A height that a line holds twice.
fn twice(line: impl Iterator<Item = u8>) -> Option<u8> {
    let mut seen = 0_u16;
    for height in line {
        let bit = 1 << height;
        if seen & bit != 0 {
            return Some(height);
        }
        seen |= bit;
    }
    None
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice { line, number: Some(number), height } => {
                write!(f, "{line} {number} holds {height} twice")
            }
            Self::Twice { line, number: None, height } => write!(f, "{line} holds {height} twice"),
            Self::Given { row, column, height } => {
                write!(f, "row {row}, column {column} is given as {height}")
            }
            Self::Clue { side, place, seen, clue } => {
                let line = match side {
                    Side::Top | Side::Bottom => "column",
                    Side::Left | Side::Right => "row",
                };
                let side = side.name();
                write!(f, "{side} clue of {line} {place}: shows {seen}, must show {clue}")
            }
        }
    }
}
