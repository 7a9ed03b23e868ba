//! A second opinion for the tests: reads a printed picture and the rules beside it, plays on its characters, and finds the
//! fewest pushes by searching forwards step by step. Shares nothing with the family's own code.

use std::collections::{BTreeMap, VecDeque};

/// What a lane sees of one target.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) rows: Vec<Vec<char>>,
    pub(super) limit: u32,
    /// Where the goals are, of which box (`$` is any).
    goals: BTreeMap<(usize, usize), char>,
    torus: bool,
    pull: bool,
}

/// The player, and the boxes by cell.
type State = ((usize, usize), BTreeMap<(usize, usize), char>);

impl Picture {
    /// The picture of a target of a prompt.
    pub(super) fn of(prompt: &str, number: usize) -> Self {
        let heading = format!("TARGET {number}: at most ");
        let part = prompt.split_once(&heading).expect("a target").1;
        let limit = part.split(' ').next().and_then(|n| n.parse().ok()).expect("a limit");
        let rows: Vec<Vec<char>> = part
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty())
            .map(|line| line.chars().collect())
            .collect();
        let mut goals = BTreeMap::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, char) in line.iter().enumerate() {
                match char {
                    '.' => goals.insert((row, column), '$'),
                    'a'..='c' => goals.insert((row, column), char.to_ascii_uppercase()),
                    _ => None,
                };
            }
        }
        let torus = prompt.contains("Opposite edges are joined");
        Self { rows, limit, goals, torus, pull: prompt.contains("he pulls") }
    }

    fn start(&self) -> State {
        let cells = self.rows.iter().enumerate().flat_map(|(row, line)| {
            line.iter().enumerate().map(move |(column, char)| ((row, column), *char))
        });
        let mut player = (0, 0);
        let mut boxes = BTreeMap::new();
        for (at, char) in cells {
            match char {
                '@' => player = at,
                '$' | 'A'..='C' => {
                    boxes.insert(at, char);
                }
                _ => {}
            }
        }
        (player, boxes)
    }

    /// The cell one step on, if one may enter it that way.
    fn on(&self, (row, column): (usize, usize), way: char) -> Option<(usize, usize)> {
        let (down, right) = match way {
            'U' => (-1, 0),
            'D' => (1, 0),
            'L' => (0, -1),
            _ => (0, 1),
        };
        let (height, width) = (self.rows.len() as isize, self.rows[0].len() as isize);
        let (mut row, mut column) = (row as isize + down, column as isize + right);
        if self.torus {
            row = row.rem_euclid(height);
            column = column.rem_euclid(width);
        }
        let char =
            *self.rows.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?)?;
        let open = match char {
            '#' => false,
            '^' => way == 'U',
            'v' => way == 'D',
            '<' => way == 'L',
            '>' => way == 'R',
            _ => true,
        };
        open.then_some((row as usize, column as usize))
    }

    /// The state after a step, and whether a box moved.
    fn step(&self, (player, boxes): &State, way: char) -> Option<(State, bool)> {
        let to = self.on(*player, way)?;
        let mut boxes = boxes.clone();
        if self.pull {
            if boxes.contains_key(&to) {
                return None;
            }
            // Pulled rooms have no arrows, so that the cell behind is the one that is ahead the other way.
            let back = match way {
                'U' => 'D',
                'D' => 'U',
                'L' => 'R',
                _ => 'L',
            };
            let pulled = self.on(*player, back).and_then(|behind| boxes.remove(&behind));
            if let Some(name) = pulled {
                boxes.insert(*player, name);
            }
            return Some(((to, boxes), pulled.is_some()));
        }
        let Some(name) = boxes.remove(&to) else { return Some(((to, boxes), false)) };
        let next = self.on(to, way)?;
        if boxes.contains_key(&next) || self.rows[to.0][to.1] == '~' {
            return None;
        }
        boxes.insert(next, name);
        Some(((to, boxes), true))
    }

    fn solved(&self, (_, boxes): &State) -> bool {
        *boxes == self.goals
    }

    /// The pushes of an answer, when every step is possible and all boxes end where they must.
    pub(super) fn play(&self, answer: &str) -> Option<u32> {
        let mut state = self.start();
        let mut pushes = 0;
        for way in answer.chars() {
            let (next, pushed) = self.step(&state, way)?;
            state = next;
            pushes += u32::from(pushed);
        }
        self.solved(&state).then_some(pushes)
    }

    /// The fewest pushes that solve the picture within its limit.
    pub(super) fn fewest(&self) -> Option<u32> {
        let mut queue = VecDeque::from([(self.start(), 0)]);
        let mut done = BTreeMap::new();
        while let Some((state, pushes)) = queue.pop_front() {
            if self.solved(&state) {
                return Some(pushes);
            }
            if pushes > self.limit || done.insert(state.clone(), ()).is_some() {
                continue;
            }
            for way in ['U', 'D', 'L', 'R'] {
                if let Some((next, pushed)) = self.step(&state, way) {
                    if pushed {
                        queue.push_back((next, pushes + 1));
                    } else {
                        queue.push_front((next, pushes));
                    }
                }
            }
        }
        None
    }
}
