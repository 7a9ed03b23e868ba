//! The board and the arguments of a call: cells, headings, foods, and the contract that every hidden input keeps.

use crate::rng::Stream;
use serde_json::{Value, json};

/// A cell: row from the top, column from the left, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The row.
    pub r: i32,
    /// The column.
    pub c: i32,
}

impl Cell {
    /// The cell next to this one, on the board or beyond its edge.
    #[must_use]
    pub fn next(self, heading: Heading) -> Self {
        match heading {
            Heading::Up => Self { r: self.r - 1, ..self },
            Heading::Right => Self { c: self.c + 1, ..self },
            Heading::Down => Self { r: self.r + 1, ..self },
            Heading::Left => Self { c: self.c - 1, ..self },
        }
    }

    /// The cell as the prompt writes it.
    #[must_use]
    pub fn json(self) -> Value {
        json!([self.r, self.c])
    }
}

/// One of the four directions. Also a key: the letters are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// Towards row 0.
    Up,
    /// Away from column 0.
    Right,
    /// Away from row 0.
    Down,
    /// Towards column 0.
    Left,
}

impl Heading {
    /// The four, clockwise from up; a quarter turn to the right is one further.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The letter of the key and of argument `d`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Left => 'L',
        }
    }

    /// This heading after some quarter turns to the right.
    #[must_use]
    pub fn turned(self, quarters: usize) -> Self {
        Self::ALL[(self as usize + quarters) % 4]
    }

    /// The quarter turns to the right that lead from `from` to this heading, 0 to 3.
    #[must_use]
    pub fn quarters_from(self, from: Self) -> usize {
        (self as usize + 4 - from as usize) % 4
    }

    /// The other way.
    #[must_use]
    pub fn opposite(self) -> Self {
        self.turned(2)
    }

    /// Any of the four.
    pub fn any(rng: &mut Stream) -> Self {
        Self::ALL[rng.index(4)]
    }
}

/// A food and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Food {
    /// Where it lies.
    pub cell: Cell,
    /// Its value.
    pub value: u32,
}

/// The size of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Columns.
    pub w: i32,
    /// Rows.
    pub h: i32,
}

impl Board {
    /// Whether a cell lies on the board.
    #[must_use]
    pub fn holds(self, cell: Cell) -> bool {
        (0..self.h).contains(&cell.r) && (0..self.w).contains(&cell.c)
    }

    /// Any cell of the board.
    pub fn any(self, rng: &mut Stream) -> Cell {
        Cell { r: below(rng, self.h), c: below(rng, self.w) }
    }
}

/// The arguments of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The size of the board.
    pub board: Board,
    /// The snake, head first.
    pub body: Vec<Cell>,
    /// Its heading.
    pub heading: Heading,
    /// The foods, in the order in which they appear.
    pub foods: Vec<Food>,
    /// One key a tick.
    pub keys: Vec<Heading>,
}

impl Input {
    /// The positional arguments of the Python function.
    #[must_use]
    pub fn arguments(&self) -> Vec<Value> {
        let body: Vec<Value> = self.body.iter().map(|cell| cell.json()).collect();
        let foods: Vec<Value> =
            self.foods.iter().map(|food| json!([food.cell.r, food.cell.c, food.value])).collect();
        let keys: String = self.keys.iter().map(|key| key.letter()).collect();
        vec![
            json!(self.board.w),
            json!(self.board.h),
            Value::Array(body),
            json!(self.heading.letter().to_string()),
            Value::Array(foods),
            json!(keys),
        ]
    }
}

/// What the prompt promises about the arguments.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// Fewest and most rows and columns.
    pub side: (i32, i32),
    /// Fewest and most cells of the snake at the start.
    pub body: (usize, usize),
    /// Fewest and most keys.
    pub keys: (usize, usize),
    /// The two portal cells, when the rules have them: nothing lies there at the start, and no food ever.
    pub portal: Option<[Cell; 2]>,
}

impl Contract {
    /// The most foods of an input.
    pub const FOODS_MAX: usize = 16;
    /// The highest value of a food.
    pub const VALUE_MAX: u32 = 4;

    /// Whether a cell is one of the portal's.
    #[must_use]
    pub fn is_portal(&self, cell: Cell) -> bool {
        self.portal.is_some_and(|pair| pair.contains(&cell))
    }

    /// Tests an input against every promise of the prompt.
    ///
    /// # Errors
    /// The promise that is broken.
    pub fn check(&self, input: &Input) -> Result<(), &'static str> {
        let Input { board, body, heading, foods, keys } = input;
        let side = self.side.0..=self.side.1;
        let rule = |holds: bool, promise| if holds { Ok(()) } else { Err(promise) };
        rule(side.contains(&board.w) && side.contains(&board.h), "board size")?;
        rule((self.body.0..=self.body.1).contains(&body.len()), "length of the body")?;
        let free = |cell: Cell| board.holds(cell) && !self.is_portal(cell);
        rule(body.iter().all(|cell| free(*cell)), "body on free cells of the board")?;
        rule((1..body.len()).all(|i| !body[..i].contains(&body[i])), "body cells differ")?;
        let beside = |a: Cell, b: Cell| Heading::ALL.iter().any(|way| a.next(*way) == b);
        rule(body.windows(2).all(|pair| beside(pair[0], pair[1])), "body cells touch")?;
        rule(body[1].next(*heading) == body[0], "heading leads from the second cell to the head")?;
        rule((1..=Self::FOODS_MAX).contains(&foods.len()), "number of foods")?;
        rule(foods.iter().all(|food| free(food.cell)), "foods on free cells of the board")?;
        let values = 1..=Self::VALUE_MAX;
        rule(foods.iter().all(|food| values.contains(&food.value)), "values of foods")?;
        rule(foods.windows(2).all(|two| two[0].cell != two[1].cell), "foods in a row differ")?;
        rule((self.keys.0..=self.keys.1).contains(&keys.len()), "number of keys")
    }
}

/// A uniform number in `0..n`, for coordinates.
pub(super) fn below(rng: &mut Stream, n: i32) -> i32 {
    rng.below(n.unsigned_abs()).cast_signed()
}
