//! The made-up machine: its operators and statements, and how a program runs; also how it runs for somebody who misreads
//! one rule. Knows no text: `prompt.rs` prints what stands here.

/// All values are kept in 0 to one less than this, a prime.
pub(super) const MODULUS: i32 = 997;

/// Registers, and cells of the store.
pub(super) const REGISTERS: usize = 4;

/// What an operator of a program's own computes from its left side x and its right side y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `k*y - x`.
    RightLess,
    /// `k*x - y`.
    LeftLess,
    /// `x + k*y`.
    RightMore,
    /// The smaller of the two, and c.
    Least,
    /// The larger of the two, less c.
    Greatest,
    /// The larger less the smaller, and c.
    Distance,
    /// `x + c` when x is the larger, otherwise `k*y - x`.
    Fork,
}

impl Form {
    /// All forms.
    pub(super) const ALL: [Self; 7] = [
        Self::RightLess,
        Self::LeftLess,
        Self::RightMore,
        Self::Least,
        Self::Greatest,
        Self::Distance,
        Self::Fork,
    ];
}

/// An operator that the seed defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operator {
    /// Its sign.
    pub(super) sign: char,
    /// What it computes.
    pub(super) form: Form,
    /// The factor of the forms that have one.
    pub(super) k: i32,
    /// The constant of the forms that have one.
    pub(super) c: i32,
}

/// What an assignment applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// One of the program's own operators, by its number.
    Own(usize),
}

/// `to <- left op right`, all of them registers by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assign {
    pub(super) to: usize,
    pub(super) left: usize,
    pub(super) op: Op,
    pub(super) right: usize,
}

/// One line of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statement {
    /// A plain assignment.
    Assign(Assign),
    /// An assignment that is done when a register is even.
    Guarded(usize, Assign),
    /// A register and the cell that another register points at swap.
    Swap { register: usize, pointer: usize },
    /// The number of the round and a constant are added to a register.
    Index { to: usize, c: i32 },
}

/// A program: the loop, its operators, the store at the start, and the weights of the answer.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) operators: Vec<Operator>,
    pub(super) statements: Vec<Statement>,
    pub(super) rounds: usize,
    /// The cells at the start; a program without a swap has no store.
    pub(super) store: Option<[i32; REGISTERS]>,
    /// The weights of the registers, then of the cells.
    pub(super) weights: [i32; 2 * REGISTERS],
}

/// One rule read in another way, or one line overlooked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    /// An operator takes its sides the wrong way round.
    SidesSwapped(usize),
    /// An operator takes the larger for the smaller, or the smaller for the larger.
    OtherOfTwo(usize),
    /// An operator takes left less right for the distance.
    SignedDistance(usize),
    /// A value below 0 loses its sign.
    SignDropped,
    /// A value below 0 stays below 0.
    SignKept,
    /// A guarded line is done when the register is odd.
    GuardInverted,
    /// A guarded line is always done.
    GuardIgnored,
    /// A swap leaves the cell as it was.
    SwapLoads,
    /// A swap leaves the register as it was.
    SwapStores,
    /// Cells are counted from 1.
    CellsFromOne,
    /// Rounds are counted from 0.
    RoundsFromZero,
    /// The index line sets the register instead of adding to it.
    IndexSets,
    /// One round less.
    RoundLess,
    /// One round more.
    RoundMore,
    /// All lines of a round work on the values of its beginning.
    AllAtOnce,
    /// A line is never done.
    LineLost(usize),
    /// A line is overlooked in one round.
    StepLost { round: usize, line: usize },
}

/// The misreadings that concern a program, lost lines apart.
pub(super) fn misreadings(program: &Program) -> Vec<Misreading> {
    use Misreading::{
        AllAtOnce, CellsFromOne, GuardIgnored, GuardInverted, IndexSets, OtherOfTwo, RoundLess,
        RoundMore, RoundsFromZero, SidesSwapped, SignDropped, SignKept, SignedDistance, SwapLoads,
        SwapStores,
    };
    let mut found = vec![SignDropped, SignKept, RoundLess, RoundMore, AllAtOnce];
    for (number, operator) in program.operators.iter().enumerate() {
        found.push(match operator.form {
            Form::Least | Form::Greatest => OtherOfTwo(number),
            Form::Distance => SignedDistance(number),
            _ => SidesSwapped(number),
        });
    }
    let has = |of: fn(&Statement) -> bool| program.statements.iter().any(of);
    if has(|line| matches!(line, Statement::Guarded(..))) {
        found.extend([GuardInverted, GuardIgnored]);
    }
    if has(|line| matches!(line, Statement::Swap { .. })) {
        found.extend([SwapLoads, SwapStores, CellsFromOne]);
    }
    if has(|line| matches!(line, Statement::Index { .. })) {
        found.extend([RoundsFromZero, IndexSets]);
    }
    found
}

/// What a run ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The answer; below 0 only for somebody who misreads the range.
    pub(super) answer: i32,
    /// Operations done, each weighted by what it takes.
    pub(super) work: u64,
}

/// Runs a program on the registers of an input.
pub(super) fn run(
    program: &Program,
    input: [i32; REGISTERS],
    misread: Option<Misreading>,
) -> Outcome {
    let store = program.store.unwrap_or_default();
    let mut machine = Machine { program, misread, seen: input, registers: input, store, work: 0 };
    let rounds = match misread {
        Some(Misreading::RoundLess) => program.rounds - 1,
        Some(Misreading::RoundMore) => program.rounds + 1,
        _ => program.rounds,
    };
    for round in 1..=rounds {
        machine.round(round);
    }
    machine.outcome()
}

struct Machine<'a> {
    program: &'a Program,
    misread: Option<Misreading>,
    /// The registers as lines read them: those of the moment.
    seen: [i32; REGISTERS],
    registers: [i32; REGISTERS],
    store: [i32; REGISTERS],
    work: u64,
}

impl Machine<'_> {
    fn misreads(&self, misreading: Misreading) -> bool {
        self.misread == Some(misreading)
    }

    fn round(&mut self, round: usize) {
        self.seen = self.registers;
        for (line, statement) in self.program.statements.iter().enumerate() {
            if self.misreads(Misreading::LineLost(line))
                || self.misreads(Misreading::StepLost { round, line })
            {
                continue;
            }
            self.step(*statement, round as i32);
            if !self.misreads(Misreading::AllAtOnce) {
                self.seen = self.registers;
            }
        }
    }

    fn step(&mut self, statement: Statement, round: i32) {
        match statement {
            Statement::Assign(assign) => self.assign(assign),
            Statement::Guarded(test, assign) => {
                self.work += 1;
                let even = self.seen[test] % 2 == 0;
                let done = match self.misread {
                    Some(Misreading::GuardInverted) => !even,
                    Some(Misreading::GuardIgnored) => true,
                    _ => even,
                };
                if done {
                    self.assign(assign);
                }
            }
            Statement::Swap { register, pointer } => {
                self.work += 3;
                let from = if self.misreads(Misreading::CellsFromOne) { 3 } else { 0 };
                let cell = (self.seen[pointer] + from).rem_euclid(REGISTERS as i32) as usize;
                let (held, kept) = (self.seen[register], self.store[cell]);
                if !self.misreads(Misreading::SwapStores) {
                    self.registers[register] = kept;
                }
                if !self.misreads(Misreading::SwapLoads) {
                    self.store[cell] = held;
                }
            }
            Statement::Index { to, c } => {
                self.work += 2;
                let first = i32::from(self.misreads(Misreading::RoundsFromZero));
                let held = if self.misreads(Misreading::IndexSets) { 0 } else { self.seen[to] };
                self.registers[to] = self.bring(held + round - first + c);
            }
        }
    }

    fn assign(&mut self, assign: Assign) {
        let (x, y) = (self.seen[assign.left], self.seen[assign.right]);
        let value = match assign.op {
            Op::Plus => x + y,
            Op::Minus => x - y,
            Op::Own(number) => self.own(number, x, y),
        };
        self.work += if matches!(assign.op, Op::Own(_)) { 3 } else { 2 };
        self.registers[assign.to] = self.bring(value);
    }

    fn own(&self, number: usize, x: i32, y: i32) -> i32 {
        let Operator { form, k, c, .. } = self.program.operators[number];
        let (x, y) = if self.misreads(Misreading::SidesSwapped(number)) { (y, x) } else { (x, y) };
        let (least, most) = (x.min(y), x.max(y));
        let other = self.misreads(Misreading::OtherOfTwo(number));
        match form {
            Form::RightLess => k * y - x,
            Form::LeftLess => k * x - y,
            Form::RightMore => x + k * y,
            Form::Least => c + if other { most } else { least },
            Form::Greatest => (if other { least } else { most }) - c,
            Form::Distance if self.misreads(Misreading::SignedDistance(number)) => x - y + c,
            Form::Distance => most - least + c,
            Form::Fork if x > y => x + c,
            Form::Fork => k * y - x,
        }
    }

    /// Brings a value into the range.
    fn bring(&self, value: i32) -> i32 {
        match self.misread {
            Some(Misreading::SignDropped) => value.abs() % MODULUS,
            Some(Misreading::SignKept) => value % MODULUS,
            _ => value.rem_euclid(MODULUS),
        }
    }

    fn outcome(&self) -> Outcome {
        let cells: &[i32] = if self.program.store.is_some() { &self.store } else { &[] };
        let values = self.registers.iter().chain(cells);
        let sum = values.zip(self.program.weights).map(|(value, weight)| value * weight).sum();
        let terms = REGISTERS + cells.len();
        Outcome { answer: self.bring(sum), work: self.work + 2 * terms as u64 }
    }
}
