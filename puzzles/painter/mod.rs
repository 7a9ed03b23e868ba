//! Painter: write the function that carries out a list of painting commands, with this painter's own rules.
//!
//! `rules.rs` is the table of rules, `engine.rs` the reference, `inputs.rs` the ladder of hidden inputs (`witness.rs` its
//! snippets), `contract.rs` what every input keeps to, `prompt.rs` the text and `python.rs` the solutions.

pub mod contract;
pub mod engine;
mod inputs;
pub mod ops;
mod prompt;
pub mod python;
pub mod rules;
mod witness;

#[cfg(test)]
mod tests;

use super::{Body, CodeTask, Family, Kind, Level, Seeds, Slip, TARGETS, Task};
use contract::Contract;
use engine::{Painter as Canvas, paint};
use inputs::{Input, draw_input, rung};
use ops::{COMMANDS, Command, Op};
use rules::{Rule, Rules};
use serde_json::{Value, json};

/// The family of painting programs.
#[derive(Debug)]
pub struct Painter;

/// The parameters of a level.
#[derive(Debug, Clone, Copy)]
pub struct Params {
    /// The commands that may occur.
    pub commands: &'static [Command],
    /// How many rules are active.
    pub rules: usize,
    /// The least and the greatest height and width.
    pub side: (i32, i32),
    /// Random commands of the first input; each later one has one more.
    filler: usize,
    /// The greatest number of commands.
    pub max_ops: usize,
    /// The least and the greatest size of a tank.
    pub tank: (u32, u32),
}

impl Params {
    /// The parameters of a level.
    #[must_use]
    pub fn of(level: Level) -> Self {
        // commands, rules, sides, random commands, commands at most, tank
        let (commands, rules, side, filler, max_ops, tank) = [
            (1, 2, (4, 6), 1, 16, (8, 12)),
            (2, 3, (4, 7), 1, 20, (8, 14)),
            (2, 3, (5, 8), 2, 20, (9, 15)),
            (3, 4, (5, 8), 2, 25, (10, 16)),
            (4, 5, (6, 9), 3, 30, (12, 18)),
            (5, 6, (6, 10), 4, 35, (14, 20)),
            (6, 7, (6, 10), 4, 40, (16, 24)),
            (6, 8, (7, 11), 4, 45, (18, 28)),
            (6, 9, (7, 12), 5, 50, (20, 30)),
        ][level.index()];
        Self { commands: &COMMANDS[..commands], rules, side, filler, max_ops, tank }
    }
}

/// What one draw settles before any text is written.
#[derive(Debug)]
struct Draw {
    rules: Rules,
    /// The active rules in the order of the ladder.
    order: Vec<Rule>,
    contract: Contract,
    inputs: [Input; TARGETS],
}

impl Draw {
    fn new(level: Level, seeds: &Seeds) -> Option<Self> {
        let params = Params::of(level);
        let mut shared = seeds.shared();
        let (rules, order) = Rules::draw(params.commands, params.rules, params.tank, &mut shared);
        let contract = Contract::new(params.commands, params.side, params.max_ops, &rules);
        let mut inputs = Vec::with_capacity(TARGETS);
        for (target, filler) in (0..TARGETS).zip(params.filler..) {
            let split = order.split_at(rung(order.len(), target));
            let mut rng = seeds.target(target);
            inputs.push(draw_input(&contract, &rules, split, filler, &mut rng)?);
        }
        Some(Self { rules, order, contract, inputs: inputs.try_into().ok()? })
    }

    fn run(&self, target: usize, rules: Rules) -> Canvas {
        let Input { h, w, ops } = &self.inputs[target];
        paint(*h, *w, ops, rules)
    }
}

impl Family for Painter {
    fn name(&self) -> &'static str {
        "painter"
    }

    fn title(&self) -> &'static str {
        "Painter"
    }

    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let draw = Draw::new(level, seeds)?;
        let Draw { rules, contract, .. } = &draw;
        let truth: [Canvas; TARGETS] = std::array::from_fn(|target| draw.run(target, *rules));
        let slips = draw
            .order
            .iter()
            .map(|rule| Slip {
                misses: rule.name(),
                code: python::source(contract, &rules.without(*rule)),
                hits: std::array::from_fn(|target| {
                    draw.run(target, rules.without(*rule)).shows_same(&truth[target])
                }),
            })
            .collect();
        let code = CodeTask {
            function: "paint",
            inputs: draw.inputs.each_ref().map(arguments),
            expected: truth.each_ref().map(|canvas| json!(canvas.rows())),
            solution: python::source(contract, rules),
            slips,
            effort: truth.each_ref().map(Canvas::work),
        };
        let prompt = prompt::prompt(contract, rules, &mut seeds.shared());
        Some(Task::new(self.name(), level, prompt, Body::Code(Box::new(code))))
    }
}

/// The arguments of the call on an input.
fn arguments(input: &Input) -> Vec<Value> {
    let ops: Vec<Value> = input.ops.iter().map(|op| Op::to_value(*op)).collect();
    vec![json!(input.h), json!(input.w), json!(ops)]
}
