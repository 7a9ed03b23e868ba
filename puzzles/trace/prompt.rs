//! What the lane reads: the machine, the notation and the operators that the program uses, the program, the five inputs.
//! One sentence a rule of `machine.rs`, the same for every seed.

use super::draw::Run;
use super::machine::{Assign, Form, MODULUS, Op, Operator, Program, REGISTERS, Statement};
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};

/// The whole prompt.
pub(super) fn prompt(program: &Program, runs: &[Run; TARGETS]) -> String {
    let mut prompt = String::from(
        "TRACE\n\n\
         A small program in a made-up notation is run on five inputs. Work out the answer that it gives on each.\n\n\
         Machine\n\
         - There are four registers, a, b, c and d. Each holds a whole number.\n",
    );
    if program.store.is_some() {
        prompt.push_str(
            "- There is a store of four cells, numbered 0, 1, 2 and 3 and written [0], [1], [2] and [3]. Each holds a whole\n  \
             number.\n",
        );
    }
    prompt.push_str(&format!(
        "- Numbers stay in the range 0 to {}: as soon as a value is worked out, {MODULUS} is added to it or subtracted from it\n  \
         until it is in the range. So {} becomes 3, and -5 becomes {}.\n\n\
         Notation\n",
        MODULUS - 1,
        MODULUS + 3,
        MODULUS - 5
    ));
    for sentence in notation(program) {
        prompt.push_str(&format!("- {sentence}\n"));
    }
    prompt.push_str("\nOperators (x is the value on the left, y the value on the right)\n");
    for definition in definitions(program) {
        prompt.push_str(&format!("  {definition}\n"));
    }
    prompt.push_str(&format!(
        "\nProgram\n\
         The lines are done from top to bottom, and that {} times over. Every line works on the values that the lines\n\
         before it have left.{}\n",
        program.rounds,
        rounds(program)
    ));
    for statement in &program.statements {
        prompt.push_str(&format!("  {}\n", line(program, *statement)));
    }
    prompt.push_str(&format!(
        "After the last round the answer is worked out, and brought into the range:\n  answer = {}\n",
        answer(program)
    ));
    prompt.push_str("\nTargets\nEach target is a run of its own.");
    if let Some(store) = program.store {
        let cells: Vec<String> =
            store.iter().enumerate().map(|(at, value)| format!("[{at}] = {value}")).collect();
        prompt.push_str(&format!(" The store always starts with {}.", cells.join(", ")));
    }
    prompt.push_str("\nThe registers start with\n");
    for (number, run) in (1..).zip(runs) {
        let registers: Vec<String> =
            run.input.iter().enumerate().map(|(at, v)| format!("{} = {v}", name(at))).collect();
        prompt.push_str(&format!("TARGET {number}: {}\n", registers.join(", ")));
    }
    prompt.push_str(&format!(
        "\nHow to write an answer\nWrite the number, 0 to {}, and nothing else.\n\n",
        MODULUS - 1
    ));
    prompt.push_str(&answer_format(Kind::Puzzle, "<number>"));
    prompt
}

/// How the rounds are numbered, when a line asks for it.
fn rounds(program: &Program) -> String {
    if !program.statements.iter().any(|line| matches!(line, Statement::Index { .. })) {
        return String::new();
    }
    let numbers: Vec<String> = (1..program.rounds).map(|round| round.to_string()).collect();
    format!(" The rounds are numbered i = {} and {}.", numbers.join(", "), program.rounds)
}

/// The kinds of line that the program has, shown on an operator of it.
fn notation(program: &Program) -> Vec<String> {
    let sign = program.operators.first().map_or('+', |operator| operator.sign);
    let mut sentences = vec![format!(
        "a <- b {sign} c: register a takes the value of b {sign} c; the other registers keep theirs."
    )];
    let has = |of: fn(&Statement) -> bool| program.statements.iter().any(of);
    if has(|line| matches!(line, Statement::Guarded(..))) {
        sentences.push(format!(
            "d even? a <- b {sign} c: if d is even at that moment, a <- b {sign} c is done; if d is odd, nothing is done."
        ));
    }
    if has(|line| matches!(line, Statement::Swap { .. })) {
        sentences.push(
            "a <> [b]: register a and a cell swap their values. The cell is the one whose number is the remainder of b\n  \
             divided by 4."
                .to_owned(),
        );
    }
    if has(|line| matches!(line, Statement::Index { .. })) {
        sentences.push(
            "a += i + 5: the number of the round, i, and 5 are both added to register a."
                .to_owned(),
        );
    }
    sentences
}

/// The operators that the program uses, one a line.
fn definitions(program: &Program) -> Vec<String> {
    let uses = |op: Op| {
        program.statements.iter().any(|line| {
            matches!(line, Statement::Assign(assign) | Statement::Guarded(_, assign) if assign.op == op)
        })
    };
    let mut lines = Vec::new();
    if uses(Op::Plus) {
        lines.push("x + y = the sum, as usual".to_owned());
    }
    if uses(Op::Minus) {
        lines.push("x - y = the difference, as usual".to_owned());
    }
    lines.extend(program.operators.iter().map(definition));
    lines
}

fn definition(operator: &Operator) -> String {
    let Operator { sign, form, k, c } = operator;
    let value = match form {
        Form::RightLess => format!("{k}*y - x"),
        Form::LeftLess => format!("{k}*x - y"),
        Form::RightMore => format!("x + {k}*y"),
        Form::Least => format!("the smaller of x and y, plus {c}"),
        Form::Greatest => format!("the larger of x and y, minus {c}"),
        Form::Distance => format!("the larger of x and y minus the smaller, plus {c}"),
        Form::Fork => format!("x + {c} if x is larger than y, otherwise {k}*y - x"),
    };
    format!("x {sign} y = {value}")
}

/// A line of the program.
fn line(program: &Program, statement: Statement) -> String {
    let assign = |assign: Assign| {
        let sign = match assign.op {
            Op::Plus => '+',
            Op::Minus => '-',
            Op::Own(number) => program.operators[number].sign,
        };
        format!("{} <- {} {sign} {}", name(assign.to), name(assign.left), name(assign.right))
    };
    match statement {
        Statement::Assign(plain) => assign(plain),
        Statement::Guarded(test, guarded) => format!("{} even? {}", name(test), assign(guarded)),
        Statement::Swap { register, pointer } => {
            format!("{} <> [{}]", name(register), name(pointer))
        }
        Statement::Index { to, c } => format!("{} += i + {c}", name(to)),
    }
}

/// The sum that makes the answer.
fn answer(program: &Program) -> String {
    let cells = if program.store.is_some() { REGISTERS } else { 0 };
    let names =
        (0..REGISTERS).map(|at| name(at).to_string()).chain((0..cells).map(|at| format!("[{at}]")));
    let terms: Vec<String> =
        names.zip(program.weights).map(|(name, weight)| format!("{weight}*{name}")).collect();
    terms.join(" + ")
}

/// The letter of a register.
fn name(register: usize) -> char {
    char::from(b'a' + register as u8)
}
