//! Directed walks: inputs made by a snake that is led to where a rule shows, instead of waiting for a random one to meet it.
//!
//! A walk plays the real engine, tick by tick, and lays each food on the cell that the head is entering, so that it is eaten.
//! It keeps clear of every rule that is not to be shown yet. Whether it came out right is not decided here: the caller tests
//! the finished input against the readings.

use super::board::{Board, Cell, Contract, Food, Heading, Input};
use super::engine::Game;
use super::rules::{Rule, Rules};
use crate::rng::Stream;
use std::collections::VecDeque;

/// Positions that the search for a bite looks at before it gives up.
const CHASE_NODES_MAX: usize = 300;

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

/// Whether a step is to eat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meal {
    /// Now and then.
    Maybe,
    /// Not unless hunger must be kept away.
    Never,
    /// Yes, a food of at least this value where values may differ.
    Now(u32),
}

/// A step of the head in a route.
struct Step {
    from: Cell,
    heading: Heading,
    to: Option<Cell>,
}

impl Step {
    fn crosses_edge(&self, board: Board) -> bool {
        !board.holds(self.from.next(self.heading))
    }
}

struct Walker<'a, 'r> {
    plan: Plan<'a>,
    game: Game<'a>,
    keys: Vec<Heading>,
    foods: Vec<Food>,
    /// Cells entered since the food on the board appeared: it cannot lie there, or it would have been eaten.
    trail: Vec<Cell>,
    over: bool,
    rng: &'r mut Stream,
}

impl Walker<'_, '_> {
    /// The whole walk: a witness for each rule in a random order, aimless steps between them, and an end.
    fn tour(&mut self) -> Option<()> {
        let mut stops: Vec<Rule> = Vec::new();
        for rule in self.plan.shown {
            let old = !self.plan.must.contains(rule);
            if !rule.kills() && *rule != Rule::Keys && (!old || self.rng.percent(60)) {
                stops.push(*rule);
            }
        }
        self.rng.shuffle(&mut stops);
        // Hunger without its toll shows only while there is nothing to pay with.
        if self.guards(Rule::Toll) {
            stops.sort_by_key(|rule| *rule != Rule::Hunger);
        }
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

    /// The deadly rule to end with, when there is one.
    fn end(&mut self) -> Option<Rule> {
        if let Some(rule) = self.plan.must.iter().find(|rule| rule.kills()) {
            return Some(*rule);
        }
        let deadly: Vec<Rule> =
            self.plan.shown.iter().copied().filter(|rule| rule.kills()).collect();
        let old = self.rng.pick(&deadly).copied().filter(|_| self.rng.percent(60));
        // Dying at a wall is the default reading of the edge, and as good an end as any.
        let wall = !self.plan.rules.has(Rule::Edge) && !self.plan.shown.is_empty();
        old.or_else(|| (wall && self.rng.percent(25)).then_some(Rule::Edge))
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
            Rule::Keys | Rule::Reverse | Rule::Tail | Rule::Stone => Some(()),
        }
    }

    /// Ends the game by a deadly rule; [`Rule::Edge`] stands for the wall.
    fn finish(&mut self, rule: Rule) -> Option<()> {
        match rule {
            Rule::Reverse => {
                self.press(self.game.heading.opposite(), None);
                Some(())
            }
            Rule::Tail => {
                if !self.chase_is_even() {
                    self.stroll(Meal::Now(1))?;
                    self.stroll(Meal::Never)?;
                }
                let route = self.chase()?;
                self.run_into(&route)
            }
            Rule::Stone => {
                if self.game.stones.iter().all(|stone| self.game.body.contains(stone)) {
                    if self.game.stones.is_empty() {
                        self.stroll(Meal::Now(1))?;
                    }
                    for _ in 0..self.game.body.len() {
                        self.stroll(Meal::Never)?;
                    }
                }
                let stones = self.game.stones.clone();
                let route = self.route(|step| step.to.is_some_and(|to| stones.contains(&to)))?;
                self.run_into(&route)
            }
            _ => {
                let route = self.route(|step| step.to.is_none())?;
                self.run_into(&route)
            }
        }
    }

    /// Whether the rule is in force but may not show in this input.
    fn guards(&self, rule: Rule) -> bool {
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

    /// One step that stays alive, if possible not into a dead end.
    fn stroll(&mut self, meal: Meal) -> Option<()> {
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

    fn starve(&mut self) -> Option<()> {
        let struck = self.game.struck;
        while self.game.struck == struck {
            self.stroll(Meal::Never)?;
        }
        Some(())
    }

    fn follow(&mut self, route: &[Heading]) -> Option<()> {
        route.iter().try_for_each(|way| self.go(*way, Meal::Maybe))
    }

    /// Follows a route whose last step kills.
    fn run_into(&mut self, route: &[Heading]) -> Option<()> {
        let (last, before) = route.split_last()?;
        before.iter().try_for_each(|way| self.go(*way, Meal::Never))?;
        self.press(*last, None);
        Some(())
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
        let can = !self.trail.contains(&to)
            && !self.plan.contract.is_portal(to)
            && self.foods.len() + 2 < Contract::FOODS_MAX
            && !(soon && self.guards(Rule::Streak));
        if must && !can {
            return None;
        }
        if !must && !(can && meal == Meal::Maybe && self.rng.percent(15)) {
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

    fn press(&mut self, way: Heading, food: Option<Food>) {
        if self.keys.len() >= self.plan.keys {
            return;
        }
        self.keys.push(self.plan.rules.key_for(self.game.heading, way));
        self.over = self.game.tick(self.keys[self.keys.len() - 1], food).is_some();
        if food.is_some() {
            self.trail.clear();
            self.foods.extend(food);
        }
        self.trail.push(self.game.head());
    }

    /// The shortest way to a step that meets the goal, around the snake as it lies now (breadth first over cell and heading).
    fn route(&self, goal: impl Fn(&Step) -> bool) -> Option<Vec<Heading>> {
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

    /// Away from edges and portals the head meets the tail's cell only when the length is even.
    fn chase_is_even(&self) -> bool {
        (self.game.body.len() + self.game.growth as usize).is_multiple_of(2)
    }

    /// A way that ends in the cell which the tail is leaving (depth first, in a random order of turns).
    fn chase(&mut self) -> Option<Vec<Heading>> {
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
                if game.growth == 0 && step.to == game.body.back().copied() {
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
