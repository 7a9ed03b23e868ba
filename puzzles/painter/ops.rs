//! The commands of a painting list, and how they are written as plain values.

use serde_json::{Value, json};

/// A bare cell of the canvas.
pub const BARE: u8 = b'.';

/// The paints that a command may name. The mixing list speaks of the first three.
pub const PAINTS: [u8; 4] = *b"RYBW";

/// A kind of command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Paints a rectangle.
    Rect,
    /// Paints a straight line.
    Line,
    /// Paints a connected region of one colour.
    Fill,
    /// Puts tape on one cell.
    Tape,
    /// Flips the picture left to right.
    Mirror,
    /// Strikes out an earlier command.
    Undo,
}

/// Every kind of command, in the order in which the levels bring them in.
pub const COMMANDS: [Command; 6] =
    [Command::Rect, Command::Line, Command::Fill, Command::Tape, Command::Mirror, Command::Undo];

impl Command {
    /// The word that starts the command.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rect => "rect",
            Self::Line => "line",
            Self::Fill => "fill",
            Self::Tape => "tape",
            Self::Mirror => "mirror",
            Self::Undo => "undo",
        }
    }
}

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dir {
    /// Towards row 0.
    Up,
    /// Towards the last row.
    Down,
    /// Towards column 0.
    Left,
    /// Towards the last column.
    Right,
}

impl Dir {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The word for it in a command.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The change of row and of column in one step.
    #[must_use]
    pub fn step(self) -> (i32, i32) {
        match self {
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::Right => (0, 1),
        }
    }
}

/// One command of a list. Rows and columns count from 0 at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields have the names that the prompt explains")]
pub enum Op {
    /// A rectangle of `hh` rows and `ww` columns from (r, c).
    Rect { r: i32, c: i32, hh: i32, ww: i32, col: u8 },
    /// A line of length `n` from (r, c).
    Line { r: i32, c: i32, dir: Dir, n: i32, col: u8 },
    /// The region of (r, c).
    Fill { r: i32, c: i32, col: u8 },
    /// Tape on (r, c).
    Tape { r: i32, c: i32 },
    /// The picture flipped left to right.
    Mirror,
    /// An earlier command struck out.
    Undo,
}

impl Op {
    /// A rectangle of `hh` rows and `ww` columns from (r, c).
    #[must_use]
    pub fn rect(r: i32, c: i32, hh: i32, ww: i32, col: u8) -> Self {
        Self::Rect { r, c, hh, ww, col }
    }

    /// The kind of this command.
    #[must_use]
    pub fn command(self) -> Command {
        match self {
            Self::Rect { .. } => Command::Rect,
            Self::Line { .. } => Command::Line,
            Self::Fill { .. } => Command::Fill,
            Self::Tape { .. } => Command::Tape,
            Self::Mirror => Command::Mirror,
            Self::Undo => Command::Undo,
        }
    }

    /// Whether this command paints cells.
    #[must_use]
    pub fn paints(self) -> bool {
        matches!(self, Self::Rect { .. } | Self::Line { .. } | Self::Fill { .. })
    }

    /// The list that a solution receives for it.
    #[must_use]
    pub fn to_value(self) -> Value {
        let name = self.command().name();
        match self {
            Self::Rect { r, c, hh, ww, col } => json!([name, r, c, hh, ww, letter(col)]),
            Self::Line { r, c, dir, n, col } => json!([name, r, c, dir.name(), n, letter(col)]),
            Self::Fill { r, c, col } => json!([name, r, c, letter(col)]),
            Self::Tape { r, c } => json!([name, r, c]),
            Self::Mirror | Self::Undo => json!([name]),
        }
    }
}

/// A colour as text.
#[must_use]
pub fn letter(colour: u8) -> String {
    char::from(colour).to_string()
}
