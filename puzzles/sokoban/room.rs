//! A room: cells, walls, goals and the special rule, as bit boards of eight columns. `moves.rs` walks and pushes in it,
//! `play.rs` plays answers.

/// Columns of a bit board; rooms are no wider and no higher.
pub(super) const SIDE: usize = 8;

/// A set of cells: bit 0 is the top left one, bit 8 the one below it.
pub(super) type Cells = u64;

/// A cell: its bit number.
pub(super) type Cell = u8;

/// The bit of a cell.
pub(super) fn bit(cell: Cell) -> Cells {
    1 << cell
}

/// The cells of a set, from the top left.
pub(super) fn cells(mut set: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as Cell)?;
        set &= set - 1;
        Some(cell)
    })
}

/// The direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dir {
    Up,
    Down,
    Left,
    Right,
}

impl Dir {
    /// All directions, in the order of the answer's letters.
    pub(super) const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The other way.
    pub(super) fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The letter of a step.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }
}

/// A rule that only some rooms have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Twist {
    /// Every box has a goal of its own.
    Labels,
    /// Some cells can be entered in one direction only.
    OneWay,
    /// Opposite edges are joined.
    Torus,
    /// Boxes are pulled instead of pushed.
    Pull,
    /// A box that gets onto certain cells stays there.
    Sticky,
}

impl Twist {
    /// All of them.
    pub(super) const ALL: [Self; 5] =
        [Self::Labels, Self::OneWay, Self::Torus, Self::Pull, Self::Sticky];
}

/// The cells along the edges of a room, and how far it is from one to the opposite one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edges {
    top: Cells,
    bottom: Cells,
    left: Cells,
    right: Cells,
    rows: usize,
    columns: usize,
}

/// A room without boxes and player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Cells that are no wall.
    pub(super) floor: Cells,
    /// The goals; with labels, goal `n` is that of box `n`.
    pub(super) goals: Vec<Cell>,
    /// The special rule, if there is one.
    pub(super) twist: Option<Twist>,
    /// By direction: the cells that can be entered in this direction only.
    pub(super) one_way: [Cells; 4],
    /// Cells that hold a box fast.
    pub(super) sticky: Cells,
    edges: Edges,
}

impl Room {
    /// A room of walls only.
    pub(super) fn new(width: usize, height: usize, twist: Option<Twist>) -> Self {
        let left = (0..height).map(|row| 1 << (row * SIDE)).sum();
        let top = (1 << width) - 1;
        let (rows, columns) = (SIDE * (height - 1), width - 1);
        let edges = Edges { top, bottom: top << rows, left, right: left << columns, rows, columns };
        let (floor, goals, one_way, sticky) = (0, Vec::new(), [0; 4], 0);
        Self { width, height, floor, goals, twist, one_way, sticky, edges }
    }

    /// The room that somebody sees who misses its special rule.
    pub(super) fn plain(&self) -> Self {
        Self { twist: None, one_way: [0; 4], sticky: 0, ..self.clone() }
    }

    /// Whether the room has that special rule.
    pub(super) fn has(&self, twist: Twist) -> bool {
        self.twist == Some(twist)
    }

    /// The goals as a set.
    pub(super) fn goal_cells(&self) -> Cells {
        self.goals.iter().map(|goal| bit(*goal)).sum()
    }

    /// The cells that one may enter going in a direction.
    pub(super) fn enter(&self, dir: Dir) -> Cells {
        let others = Dir::ALL.into_iter().filter(|other| *other != dir);
        others.fold(self.floor, |cells, other| cells & !self.one_way[other as usize])
    }

    /// Where a set of cells gets by one step, walls or not. At the edge, cells are lost or come in on the other side.
    pub(super) fn step(&self, set: Cells, dir: Dir) -> Cells {
        let Edges { top, bottom, left, right, rows, columns } = self.edges;
        let (moved, around) = match dir {
            Dir::Up => ((set & !top) >> SIDE, (set & top) << rows),
            Dir::Down => ((set & !bottom) << SIDE, (set & bottom) >> rows),
            Dir::Left => ((set & !left) >> 1, (set & left) << columns),
            Dir::Right => ((set & !right) << 1, (set & right) >> columns),
        };
        if self.has(Twist::Torus) { moved | around } else { moved }
    }

    /// The cell one step from another, when it lies in the room.
    pub(super) fn next(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        cells(self.step(bit(cell), dir)).next()
    }

    /// All cells of the room, walls too.
    pub(super) fn area(&self) -> Cells {
        (0..self.width).map(|column| self.edges.left << column).sum()
    }
}
