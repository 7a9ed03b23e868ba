//! The reference: plays one game under a reading of the rules. What a tick does, and in which order, stands here once.

use super::board::{Board, Cell, Food, Heading, Input};
use super::rules::{Rule, Rules};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// How a game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// All keys are played.
    Done,
    /// The target was a cell of the snake.
    Bite,
    /// The target was outside the board.
    Wall,
    /// A key asked for the opposite heading.
    Reverse,
    /// The target was stone.
    Stone,
    /// Hungry with two cells left.
    Starved,
}

impl Cause {
    /// The word in the result.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Bite => "self",
            Self::Wall => "wall",
            Self::Reverse => "reverse",
            Self::Stone => "stone",
            Self::Starved => "starved",
        }
    }
}

/// What the function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Ticks played, the deadly one included.
    pub ticks: u32,
    /// Cells of the snake.
    pub length: usize,
    /// Points.
    pub score: u32,
    /// Where the head is.
    pub head: Cell,
    /// How it ended.
    pub cause: Cause,
}

impl Outcome {
    /// The list that the function returns.
    #[must_use]
    pub fn json(&self) -> Value {
        json!([self.ticks, self.length, self.score, self.head.json(), self.cause.word()])
    }
}

/// A game under way.
#[derive(Debug, Clone)]
pub struct Game<'a> {
    rules: &'a Rules,
    pub(super) board: Board,
    pub(super) body: VecDeque<Cell>,
    pub(super) heading: Heading,
    /// Cells that the snake has yet to grow.
    pub(super) growth: u32,
    pub(super) score: u32,
    pub(super) ticks: u32,
    /// Ticks since the last meal, the last hunger or the start.
    pub(super) idle: u32,
    /// Foods eaten.
    pub(super) eaten: usize,
    /// The tick of the last meal.
    pub(super) meal: Option<u32>,
    /// Times that hunger struck.
    pub(super) struck: u32,
    /// Cells where a food was eaten; they count under [`Rule::Stone`] alone.
    pub(super) stones: Vec<Cell>,
}

impl<'a> Game<'a> {
    /// The start of a game.
    #[must_use]
    pub fn new(rules: &'a Rules, board: Board, body: &[Cell], heading: Heading) -> Self {
        Self {
            rules,
            board,
            body: body.iter().copied().collect(),
            heading,
            growth: 0,
            score: 0,
            ticks: 0,
            idle: 0,
            eaten: 0,
            meal: None,
            struck: 0,
            stones: Vec::new(),
        }
    }

    /// The cell of the head.
    #[must_use]
    pub fn head(&self) -> Cell {
        self.body[0]
    }

    /// Where a step of the head from `from` leads, or nothing when the edge kills.
    #[must_use]
    pub fn target(&self, from: Cell, heading: Heading) -> Option<Cell> {
        let cell = self.rules.within(self.board, from.next(heading))?;
        Some(self.rules.through(cell))
    }

    /// Whether a cell is stone.
    #[must_use]
    pub fn is_stone(&self, cell: Cell) -> bool {
        self.rules.has(Rule::Stone) && self.stones.contains(&cell)
    }

    /// Whether moving to a cell bites the snake.
    #[must_use]
    pub fn bites(&self, cell: Cell) -> bool {
        let tail_leaves = self.growth == 0 && !self.rules.has(Rule::Tail);
        let hard = self.body.len() - usize::from(tail_leaves);
        self.body.iter().take(hard).any(|part| *part == cell)
    }

    /// Whether a cell is that of the tail in a tick in which it leaves: where the two readings of [`Rule::Tail`] part.
    #[must_use]
    pub fn meets_tail(&self, cell: Cell) -> bool {
        self.growth == 0 && self.body.back() == Some(&cell)
    }

    /// Plays one tick with the food that is on the board; says how the game ends when it does.
    pub fn tick(&mut self, key: Heading, food: Option<Food>) -> Option<Cause> {
        self.ticks += 1;
        let asked = self.rules.asked(self.heading, key);
        if asked != self.heading.opposite() {
            self.heading = asked;
        } else if self.rules.has(Rule::Reverse) {
            return Some(Cause::Reverse);
        }
        let Some(target) = self.target(self.head(), self.heading) else {
            return Some(Cause::Wall);
        };
        if self.is_stone(target) {
            return Some(Cause::Stone);
        }
        if self.bites(target) {
            return Some(Cause::Bite);
        }
        self.body.push_front(target);
        if self.growth > 0 {
            self.growth -= 1;
        } else {
            self.body.pop_back();
        }
        match food.filter(|food| food.cell == target) {
            Some(food) => {
                self.eat(food);
                None
            }
            None => self.fast(),
        }
    }

    /// The game as a result.
    #[must_use]
    pub fn outcome(&self, cause: Cause) -> Outcome {
        Outcome {
            ticks: self.ticks,
            length: self.body.len(),
            score: self.score,
            head: self.head(),
            cause,
        }
    }

    fn eat(&mut self, food: Food) {
        let gap = self.meal.map(|tick| self.ticks - tick);
        self.score += self.rules.points(food.value, gap);
        self.growth += self.rules.growth(food.value);
        self.stones.push(food.cell);
        self.eaten += 1;
        self.meal = Some(self.ticks);
        self.idle = 0;
    }

    fn fast(&mut self) -> Option<Cause> {
        self.idle += 1;
        if !self.rules.hungry(self.idle) {
            return None;
        }
        self.idle = 0;
        self.struck += 1;
        self.score = self.rules.after_hunger(self.score);
        if self.body.len() <= 2 {
            return Some(Cause::Starved);
        }
        self.body.pop_back();
        None
    }
}

/// Plays a whole game.
#[must_use]
pub fn play(rules: &Rules, input: &Input) -> Outcome {
    let mut game = Game::new(rules, input.board, &input.body, input.heading);
    for key in &input.keys {
        let food = input.foods.get(game.eaten).copied();
        if let Some(cause) = game.tick(*key, food) {
            return game.outcome(cause);
        }
    }
    game.outcome(Cause::Done)
}
