//! The steps of a directed walk: one tick of the real engine at a time, clear of what may not show, and the searches for a way.

use super::board::{Board, Cell, Contract, Food, Heading};
use super::engine::Game;
use super::rules::Rule;
use super::walks::Plan;
use crate::rng::Stream;
use std::collections::VecDeque;

/// Positions that the search for the tail looks at before it gives up.
const CHASE_NODES_MAX: usize = 300;

/// Whether a step is to eat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meal {
    /// Now and then.
    Maybe,
    /// Not unless hunger must be kept away.
    Never,
    /// Yes, a food of at least this value where values may differ.
    Now(u32),
}

/// A step of the head in a route.
pub(super) struct Step {
    from: Cell,
    heading: Heading,
    pub(super) to: Option<Cell>,
}

impl Step {
    pub(super) fn crosses_edge(&self, board: Board) -> bool {
        !board.holds(self.from.next(self.heading))
    }
}

/// A snake on its walk, and the input that it makes.
pub(super) struct Walker<'a, 'r> {
    pub(super) plan: Plan<'a>,
    pub(super) game: Game<'a>,
    pub(super) keys: Vec<Heading>,
    pub(super) foods: Vec<Food>,
    /// Cells entered since the food on the board appeared: it cannot lie there, or it would have been eaten.
    pub(super) trail: Vec<Cell>,
    /// Whether the game has ended.
    pub(super) over: bool,
    pub(super) rng: &'r mut Stream,
}

impl Walker<'_, '_> {
    /// Whether the rule is in force but may not show in this input.
    pub(super) fn guards(&self, rule: Rule) -> bool {
        self.plan.rules.has(rule) && !self.plan.shown.contains(&rule)
    }

    /// Where a step leads when it neither kills nor shows a guarded rule.
    fn safe(&self, game: &Game, step: &Step) -> Option<Cell> {
        let to = step.to?;
        let edge = self.guards(Rule::Edge) && step.crosses_edge(game.board);
        let portal = self.guards(Rule::Portal) && self.plan.contract.is_portal(to);
        let taken = game.is_stone(to) || game.body.contains(&to);
        (!edge && !portal && !taken).then_some(to)
    }

    fn step(game: &Game, from: Cell, heading: Heading) -> Step {
        Step { from, heading, to: game.target(from, heading) }
    }

    /// One step that stays alive and not into a dead end.
    pub(super) fn stroll(&mut self, meal: Meal) -> Option<()> {
        let game = &self.game;
        let mut ways = Vec::with_capacity(3);
        for way in Heading::ALL.into_iter().filter(|way| *way != game.heading.opposite()) {
            let turns = way != Heading::Up || game.heading != Heading::Up;
            // Both readings of the keys agree on "up" while the heading is up, and on the last key.
            if self.guards(Rule::Keys) && turns && self.keys.len() + 1 < self.plan.keys {
                continue;
            }
            let step = Self::step(game, game.head(), way);
            let Some(to) = self.safe(game, &step) else { continue };
            let onward = |next: Heading| self.safe(game, &Self::step(game, to, next)).is_some();
            if Heading::ALL.into_iter().any(|next| next != way.opposite() && onward(next)) {
                ways.push(way);
            }
        }
        let straight = ways.contains(&game.heading) && self.rng.percent(45);
        let way = if straight { self.game.heading } else { *self.rng.pick(&ways)? };
        self.go(way, meal)
    }

    pub(super) fn follow(&mut self, route: &[Heading]) -> Option<()> {
        route.iter().try_for_each(|way| self.go(*way, Meal::Maybe))
    }

    /// Follows a route whose last step is onto what other steps avoid.
    pub(super) fn run_into(&mut self, route: &[Heading]) -> Option<()> {
        let (last, before) = route.split_last()?;
        before.iter().try_for_each(|way| self.go(*way, Meal::Never))?;
        self.press(*last, None);
        (!self.over).then_some(())
    }

    /// A step that must be safe, with a meal as asked.
    fn go(&mut self, way: Heading, meal: Meal) -> Option<()> {
        if self.keys.len() >= self.plan.keys {
            return None;
        }
        let to = self.safe(&self.game, &Self::step(&self.game, self.game.head(), way))?;
        let food = self.serve(to, meal)?;
        self.press(way, food);
        (!self.over).then_some(())
    }

    /// The food of a step, if any; nothing when it must eat and cannot.
    fn serve(&mut self, to: Cell, meal: Meal) -> Option<Option<Food>> {
        let game = &self.game;
        let hungry = self.plan.rules.hungry(game.idle + 1)
            && (self.guards(Rule::Hunger) || self.guards(Rule::Toll) && game.score > 0);
        let must = hungry || matches!(meal, Meal::Now(_));
        let soon = game.meal.is_some_and(|tick| game.ticks + 1 - tick <= self.plan.rules.streak);
        let barred = self.trail.contains(&to)
            || self.plan.contract.is_portal(to)
            || self.foods.len() + 2 >= Contract::FOODS_MAX
            || soon && self.guards(Rule::Streak);
        if must && barred {
            return None;
        }
        let chance = meal == Meal::Maybe && !barred && self.rng.percent(15);
        if !(must || chance) {
            return Some(None);
        }
        let value = match meal {
            _ if self.guards(Rule::Growth) => 1,
            Meal::Now(least) => self.rng.between(least, Contract::VALUE_MAX),
            // Where values are cells, small ones keep the snake movable.
            _ if self.plan.rules.has(Rule::Growth) => self.rng.between(1, 2),
            _ => self.rng.between(1, Contract::VALUE_MAX),
        };
        Some(Some(Food { cell: to, value }))
    }

    /// One tick by the key that asks for a heading, whatever comes of it.
    pub(super) fn press(&mut self, way: Heading, food: Option<Food>) {
        if self.keys.len() >= self.plan.keys {
            return;
        }
        let key = self.plan.rules.key_for(self.game.heading, way);
        self.keys.push(key);
        self.over = self.game.tick(key, food).is_some();
        if food.is_some() {
            self.trail.clear();
            self.foods.extend(food);
        }
        self.trail.push(self.game.head());
    }

    /// A step straight on, by a key that asks for the opposite heading and is ignored; no step when the way is barred.
    pub(super) fn turn_back_in_vain(&mut self) -> Option<()> {
        let ahead = Self::step(&self.game, self.game.head(), self.game.heading);
        if let Some(to) = self.safe(&self.game, &ahead) {
            let food = self.serve(to, Meal::Maybe)?;
            self.press(self.game.heading.opposite(), food);
        }
        (!self.over).then_some(())
    }

    /// The shortest way to a step that meets the goal, around the snake as it lies now (breadth first over cell and heading).
    pub(super) fn route(&self, goal: impl Fn(&Step) -> bool) -> Option<Vec<Heading>> {
        let game = &self.game;
        let place = |cell: Cell, way: Heading| {
            (cell.r * game.board.w + cell.c).unsigned_abs() as usize * 4 + way as usize
        };
        let mut came: Vec<Option<(Cell, Heading)>> =
            vec![None; (game.board.w * game.board.h).unsigned_abs() as usize * 4];
        let first = (game.head(), game.heading);
        let mut queue = VecDeque::from([first]);
        while let Some((from, heading)) = queue.pop_front() {
            for way in Heading::ALL.into_iter().filter(|way| *way != heading.opposite()) {
                let step = Self::step(game, from, way);
                if goal(&step) {
                    let mut ways = vec![way];
                    let mut at = (from, heading);
                    while at != first {
                        ways.push(at.1);
                        at = came[place(at.0, at.1)]?;
                    }
                    ways.reverse();
                    return Some(ways);
                }
                let Some(to) = self.safe(game, &step) else { continue };
                if came[place(to, way)].is_none() {
                    came[place(to, way)] = Some((from, heading));
                    queue.push_back((to, way));
                }
            }
        }
        None
    }

    /// A way to a step that meets the goal while the snake moves on (depth first, in a random order of turns).
    pub(super) fn chase(&mut self, goal: fn(&Game, Cell) -> bool) -> Option<Vec<Heading>> {
        let depth = self.game.body.len() + self.game.growth as usize;
        let mut stack = vec![(self.game.clone(), Vec::new())];
        for _ in 0..CHASE_NODES_MAX {
            let (game, ways) = stack.pop()?;
            let mut turns = Heading::ALL;
            self.rng.shuffle(&mut turns);
            for way in turns.into_iter().filter(|way| *way != game.heading.opposite()) {
                let step = Self::step(&game, game.head(), way);
                let mut ways = ways.clone();
                ways.push(way);
                if step.to.is_some_and(|to| goal(&game, to)) {
                    return Some(ways);
                }
                if ways.len() < depth && self.safe(&game, &step).is_some() {
                    let mut next = game.clone();
                    let key = self.plan.rules.key_for(game.heading, way);
                    if next.tick(key, None).is_none() {
                        stack.push((next, ways));
                    }
                }
            }
        }
        None
    }
}
