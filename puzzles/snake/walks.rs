//! Directed walks: inputs made by a snake that is led to where a rule shows, instead of waiting for a random one to meet it.
//!
//! A walk plays the real engine, tick by tick, and lays each food on the cell that the head is entering, so that it is eaten.
//! It keeps clear of every rule that is not to be shown yet. Whether it came out right is not decided here: the caller tests
//! the finished input against the readings.

use super::board::{Board, Cell, Contract, Food, Heading, Input};
use super::engine::Game;
use super::rules::{Rule, Rules};
use super::steps::{Meal, Walker};
use crate::rng::Stream;

/// What a walk is to show.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// What inputs must keep to.
    pub contract: &'a Contract,
    /// Seeded readings that may show.
    pub shown: &'a [Rule],
    /// Those of them that must show.
    pub must: &'a [Rule],
    /// Keys of the input.
    pub keys: usize,
}

/// Walks once; nothing when the walk got stuck.
#[must_use]
pub fn walk(plan: &Plan, rng: &mut Stream) -> Option<Input> {
    let side = |rng: &mut Stream| {
        let span = plan.contract.side.1 - plan.contract.side.0;
        plan.contract.side.0 + super::board::below(rng, span + 1)
    };
    let board = Board { w: side(rng), h: side(rng) };
    let (body, heading) = start(plan.contract, board, rng)?;
    let mut walker = Walker {
        plan: *plan,
        game: Game::new(plan.rules, board, &body, heading),
        keys: Vec::with_capacity(plan.keys),
        foods: Vec::new(),
        trail: Vec::new(),
        over: false,
        rng,
    };
    if walker.tour().is_none() && !walker.over {
        return None;
    }
    let (mut keys, mut foods) = (walker.keys, walker.foods);
    // Keys after the end, and foods that are never reached, only matter to a code that plays on.
    while keys.len() < plan.keys {
        keys.push(Heading::any(rng));
    }
    for _ in 0..rng.between(1, 2) {
        let food = Food { cell: board.any(rng), value: rng.between(1, Contract::VALUE_MAX) };
        let fits = foods.last().is_none_or(|last| last.cell != food.cell);
        if fits && !plan.contract.is_portal(food.cell) && foods.len() < Contract::FOODS_MAX {
            foods.push(food);
        }
    }
    Some(Input { board, body, heading, foods, keys })
}

/// A snake at rest: its cells from the tail on, each a random step from the last.
pub(super) fn start(
    contract: &Contract,
    board: Board,
    rng: &mut Stream,
) -> Option<(Vec<Cell>, Heading)> {
    let (low, high) = contract.body;
    let length = low + rng.index(high - low + 1);
    let mut body = vec![board.any(rng)];
    let mut heading = Heading::any(rng);
    for _ in 0..8 * length {
        if body.len() == length {
            break;
        }
        let way = if rng.percent(60) { heading } else { Heading::any(rng) };
        let cell = body[body.len() - 1].next(way);
        if board.holds(cell) && !body.contains(&cell) {
            body.push(cell);
            heading = way;
        }
    }
    body.reverse();
    let free = body.iter().all(|cell| !contract.is_portal(*cell));
    (body.len() == length && free).then_some((body, heading))
}

/// How a walk dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// By a seeded reading that kills.
    By(Rule),
    /// At the wall, the default reading of [`Rule::Edge`].
    Wall,
    /// By a bite that is one in either reading of [`Rule::Tail`].
    Bite,
}

impl Walker<'_, '_> {
    /// The whole walk: stops where readings show, in a random order, aimless steps between them, and an end.
    fn tour(&mut self) -> Option<()> {
        let stops = self.stops();
        let end = self.end();
        for stop in stops {
            let meal = if stop == Rule::Hunger { Meal::Never } else { Meal::Maybe };
            for _ in 0..self.rng.below(3) {
                self.stroll(meal)?;
            }
            self.visit(stop)?;
        }
        let spare = self.rng.index(3 + self.plan.keys / 4) + 2;
        let until = self.plan.keys - if end.is_some() { spare } else { 0 };
        while self.keys.len() < until {
            self.stroll(Meal::Maybe)?;
        }
        match end {
            Some(end) => self.finish(end),
            None => Some(()),
        }
    }

    fn stops(&mut self) -> Vec<Rule> {
        let Plan { rules, shown, must, .. } = self.plan;
        let mut stops: Vec<Rule> = Vec::new();
        for rule in shown.iter().filter(|rule| !rule.kills() && **rule != Rule::Keys) {
            if must.contains(rule) || self.rng.percent(80) {
                stops.push(*rule);
            }
        }
        // The default readings of these two show in passing, too.
        for rule in [Rule::Reverse, Rule::Tail] {
            if !rules.has(rule) && !shown.is_empty() && self.rng.percent(40) {
                stops.push(rule);
            }
        }
        self.rng.shuffle(&mut stops);
        // Hunger without its toll shows only while there is nothing to pay with.
        if self.guards(Rule::Toll) {
            stops.sort_by_key(|rule| *rule != Rule::Hunger);
        }
        stops
    }

    fn end(&mut self) -> Option<End> {
        let Plan { rules, shown, must, .. } = self.plan;
        if let Some(rule) = must.iter().find(|rule| rule.kills()) {
            return Some(End::By(*rule));
        }
        let mut ends: Vec<Option<End>> = vec![None];
        ends.extend(shown.iter().filter(|rule| rule.kills()).map(|rule| Some(End::By(*rule))));
        if !shown.is_empty() && !rules.has(Rule::Edge) {
            ends.push(Some(End::Wall));
        }
        if !shown.is_empty() && !rules.has(Rule::Tail) {
            ends.push(Some(End::Bite));
        }
        *self.rng.pick(&ends)?
    }

    fn visit(&mut self, rule: Rule) -> Option<()> {
        let board = self.game.board;
        match rule {
            Rule::Edge => {
                let route = self.route(|step| step.to.is_some() && step.crosses_edge(board))?;
                self.follow(&route)
            }
            Rule::Portal => {
                let portal = self.plan.rules.portal;
                let route = self.route(|step| step.to.is_some_and(|to| portal.contains(&to)))?;
                self.follow(&route)
            }
            Rule::Growth => self.stroll(Meal::Now(2)),
            Rule::Hunger => self.starve(),
            Rule::Toll => {
                if self.game.score == 0 {
                    self.stroll(Meal::Now(1))?;
                }
                self.starve()
            }
            Rule::Streak => {
                if self.game.meal.is_none_or(|tick| tick + 1 < self.game.ticks) {
                    self.stroll(Meal::Now(1))?;
                }
                for _ in 1..self.rng.between(1, self.plan.rules.streak) {
                    self.stroll(Meal::Never)?;
                }
                self.stroll(Meal::Now(1))
            }
            Rule::Reverse => self.turn_back_in_vain(),
            Rule::Tail if self.parity_fits() => {
                let route = self.chase(|game, cell| game.meets_tail(cell))?;
                self.run_into(&route)
            }
            Rule::Keys | Rule::Tail | Rule::Stone => Some(()),
        }
    }

    fn starve(&mut self) -> Option<()> {
        let struck = self.game.struck;
        while self.game.struck == struck {
            self.stroll(Meal::Never)?;
        }
        Some(())
    }

    /// Away from edges and portals the head meets the tail only when the length is even.
    fn parity_fits(&self) -> bool {
        (self.game.body.len() + self.game.growth as usize).is_multiple_of(2)
    }

    fn finish(&mut self, end: End) -> Option<()> {
        match end {
            End::By(Rule::Reverse) => {
                self.press(self.game.heading.opposite(), None);
                Some(())
            }
            End::By(Rule::Tail) => {
                if !self.parity_fits() {
                    self.stroll(Meal::Now(1))?;
                    self.stroll(Meal::Never)?;
                }
                let route = self.chase(|game, cell| game.meets_tail(cell))?;
                self.run_into(&route)
            }
            End::By(_) => {
                if self.game.stones.is_empty() {
                    self.stroll(Meal::Now(1))?;
                }
                // A stone under the snake would kill as well, but the tail has to leave it for the rule to show.
                if self.game.stones.iter().all(|stone| self.game.body.contains(stone)) {
                    for _ in 0..self.game.body.len() {
                        self.stroll(Meal::Never)?;
                    }
                }
                let stones = self.game.stones.clone();
                let route = self.route(|step| step.to.is_some_and(|to| stones.contains(&to)))?;
                self.run_into(&route)
            }
            End::Wall => {
                let route = self.route(|step| step.to.is_none())?;
                self.run_into(&route)
            }
            End::Bite => {
                // A snake of four cells cannot reach itself but at the tail.
                while self.game.body.len() + (self.game.growth as usize) < 5 {
                    self.stroll(Meal::Now(1))?;
                }
                let route = self.chase(|game, cell| game.bites(cell))?;
                self.run_into(&route)
            }
        }
    }
}
