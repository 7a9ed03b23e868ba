//! How a program and its five inputs are drawn: the inputs each from their own stream, programs from the shared one until
//! one passes. A program passes when every line and every rule of it matters, as the gate below measures.

use super::levels::Dial;
use super::machine::{
    Assign, Form, Misreading, Op, Operator, Outcome, Program, REGISTERS, Statement, misreadings,
    run,
};
use crate::puzzles::{Level, Seeds, TARGETS};
use crate::rng::Stream;

/// Programs tried in one draw.
const PROGRAMS_A_DRAW: u32 = 4_000;

/// Of the five answers, how many a misreading must change.
const CHANGED_MIN: usize = 3;

/// The least and the greatest value of registers and cells at the start.
const INPUT: (u32, u32) = (2, 61);

/// The least and the greatest factor and constant of an operator, and constant of an index line.
const FACTOR: (u32, u32) = (2, 4);
const CONSTANT: (u32, u32) = (3, 29);

/// The signs of the operators that the seed defines; none of them has a usual meaning between numbers.
const SIGNS: [char; 4] = ['#', '@', '&', '~'];

/// One target.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// The registers at the start.
    pub(super) input: [i32; REGISTERS],
    pub(super) answer: i32,
    /// Answers of those who misread a rule or overlook a line, as far as they are wrong.
    pub(super) misread: Vec<i32>,
    pub(super) effort: u64,
}

/// The kinds of statement that a program may have besides plain assignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Special {
    Guard,
    Swap,
    Index,
}

/// Draws a program and five inputs for it, or nothing when no program passes.
pub(super) fn runs(level: Level, seeds: &Seeds) -> Option<(Program, [Run; TARGETS])> {
    let inputs = inputs(seeds);
    let mut shared = seeds.shared();
    (0..PROGRAMS_A_DRAW).find_map(|_| {
        let program = program(Dial::of(level), &mut shared);
        let runs = gate(&program, &inputs)?;
        Some((program, runs))
    })
}

/// The registers of the five targets.
pub(super) fn inputs(seeds: &Seeds) -> [[i32; REGISTERS]; TARGETS] {
    std::array::from_fn(|target| {
        let mut rng = seeds.target(target);
        std::array::from_fn(|_| between(&mut rng, INPUT))
    })
}

fn between(rng: &mut Stream, (low, high): (u32, u32)) -> i32 {
    rng.between(low, high) as i32
}

/// A random program of a level: every special of it at least once, every operator of it at least once.
pub(super) fn program(dial: &Dial, rng: &mut Stream) -> Program {
    let mut specials = [Special::Guard, Special::Swap, Special::Index];
    rng.shuffle(&mut specials);
    let specials = &specials[..dial.specials];
    let mut kinds: Vec<Option<Special>> = specials.iter().copied().map(Some).collect();
    // Two plain lines at least; beyond that a third of the lines are special.
    kinds.extend([None, None]);
    while kinds.len() < dial.statements {
        let special = rng.pick(specials).copied();
        kinds.push(if rng.percent(33) { special } else { None });
    }
    kinds.truncate(dial.statements);
    rng.shuffle(&mut kinds);
    let operators = operators(dial.operators, rng);
    let places = kinds.iter().filter(|kind| matches!(kind, None | Some(Special::Guard))).count();
    let ops = ops(operators.len(), places, rng);
    let mut ops = ops.into_iter();
    let mut assign = |rng: &mut Stream| {
        let (left, right) = two(rng);
        Assign { to: rng.index(REGISTERS), left, op: ops.next().unwrap_or(Op::Plus), right }
    };
    let statements = kinds.into_iter().map(|kind| match kind {
        None => Statement::Assign(assign(rng)),
        Some(Special::Guard) => Statement::Guarded(rng.index(REGISTERS), assign(rng)),
        Some(Special::Swap) => {
            let (register, pointer) = two(rng);
            Statement::Swap { register, pointer }
        }
        Some(Special::Index) => {
            Statement::Index { to: rng.index(REGISTERS), c: between(rng, CONSTANT) }
        }
    });
    let statements = statements.collect();
    let store =
        specials.contains(&Special::Swap).then(|| std::array::from_fn(|_| between(rng, INPUT)));
    let mut weights: [i32; 2 * REGISTERS] = std::array::from_fn(|at| at as i32 + 1);
    let used = if store.is_some() { 2 * REGISTERS } else { REGISTERS };
    rng.shuffle(&mut weights[..used]);
    Program { operators, statements, rounds: dial.rounds, store, weights }
}

/// Operators of different forms.
fn operators(count: usize, rng: &mut Stream) -> Vec<Operator> {
    let mut forms = Form::ALL;
    rng.shuffle(&mut forms);
    let mut signs = SIGNS;
    rng.shuffle(&mut signs);
    let drawn = forms.into_iter().zip(signs).take(count);
    drawn
        .map(|(form, sign)| {
            let (k, c) = (between(rng, FACTOR), between(rng, CONSTANT));
            Operator { sign, form, k, c }
        })
        .collect()
}

/// What the assignments apply, in order: every own operator once, then any operator.
fn ops(own: usize, places: usize, rng: &mut Stream) -> Vec<Op> {
    let mut ops: Vec<Op> = (0..own).map(Op::Own).take(places).collect();
    while ops.len() < places {
        ops.push(match rng.index(own + 2) {
            0 => Op::Plus,
            1 => Op::Minus,
            number => Op::Own(number - 2),
        });
    }
    rng.shuffle(&mut ops);
    ops
}

/// Two different registers.
fn two(rng: &mut Stream) -> (usize, usize) {
    let first = rng.index(REGISTERS);
    (first, (first + 1 + rng.index(REGISTERS - 1)) % REGISTERS)
}

/// The runs of a program, unless two answers are equal or one is 0, the loss of a line leaves any answer as it is, or a
/// misreading changes too few.
pub(super) fn gate(
    program: &Program,
    inputs: &[[i32; REGISTERS]; TARGETS],
) -> Option<[Run; TARGETS]> {
    let outcomes = run(program, *inputs, None);
    let mut runs = std::array::from_fn(|at| {
        let Outcome { answer, work } = outcomes[at];
        Run { input: inputs[at], answer, misread: Vec::new(), effort: u64::from(work) }
    });
    for (at, run) in runs.iter().enumerate() {
        if run.answer == 0 || runs[..at].iter().any(|other| other.answer == run.answer) {
            return None;
        }
    }
    for line in 0..program.statements.len() {
        if !changes(program, &mut runs, Misreading::LineLost(line), TARGETS) {
            return None;
        }
    }
    for misreading in misreadings(program) {
        if !changes(program, &mut runs, misreading, CHANGED_MIN) {
            return None;
        }
    }
    Some(runs)
}

/// Whether a misreading changes so many answers at least; wrong ones within the range are kept as slips.
fn changes(
    program: &Program,
    runs: &mut [Run; TARGETS],
    misreading: Misreading,
    least: usize,
) -> bool {
    let inputs = runs.each_ref().map(|run| run.input);
    let misread = run(program, inputs, Some(misreading)).map(|outcome| outcome.answer);
    let mut changed = 0;
    for (run, answer) in runs.iter_mut().zip(misread) {
        if answer != run.answer {
            changed += 1;
            if answer >= 0 {
                run.misread.push(answer);
            }
        }
    }
    changed >= least
}
