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

impl Assign {
    /// What it takes: more when an operator must be looked up.
    fn work(self) -> u32 {
        if matches!(self.op, Op::Own(_)) { 3 } else { 2 }
    }
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
    pub(super) work: u32,
}

/// Runs a program on the registers of some inputs, side by side: most of the work of drawing a program is here, and what a
/// line is and how it is misread need to be looked at once for all.
pub(super) fn run<const N: usize>(
    program: &Program,
    inputs: [[i32; REGISTERS]; N],
    misread: Option<Misreading>,
) -> [Outcome; N] {
    let registers = std::array::from_fn(|register| inputs.map(|input| input[register]));
    let store = program.store.unwrap_or_default().map(|cell| [cell; N]);
    let mut machine = Machine { program, misread, seen: registers, registers, store, work: [0; N] };
    let rounds = match misread {
        Some(Misreading::RoundLess) => program.rounds - 1,
        Some(Misreading::RoundMore) => program.rounds + 1,
        _ => program.rounds,
    };
    for round in 1..=rounds {
        machine.round(round);
    }
    machine.outcomes()
}

/// One number of each input.
type Numbers<const N: usize> = [i32; N];

struct Machine<'a, const N: usize> {
    program: &'a Program,
    misread: Option<Misreading>,
    /// The registers as lines read them: those of the moment.
    seen: [Numbers<N>; REGISTERS],
    registers: [Numbers<N>; REGISTERS],
    store: [Numbers<N>; REGISTERS],
    work: [u32; N],
}

impl<const N: usize> Machine<'_, N> {
    fn misreads(&self, misreading: Misreading) -> bool {
        self.misread == Some(misreading)
    }

    fn works(&mut self, work: u32) {
        self.work = self.work.map(|before| before + work);
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
            Statement::Assign(assign) => {
                self.works(assign.work());
                self.registers[assign.to] = self.value(assign);
            }
            Statement::Guarded(test, assign) => {
                let even = match self.misread {
                    Some(Misreading::GuardInverted) => [false, true],
                    Some(Misreading::GuardIgnored) => [true, true],
                    _ => [true, false],
                };
                let done = self.seen[test].map(|value| even[(value & 1) as usize]);
                let value = self.value(assign);
                let to = &mut self.registers[assign.to];
                for at in 0..N {
                    to[at] = if done[at] { value[at] } else { to[at] };
                    self.work[at] += 1 + if done[at] { assign.work() } else { 0 };
                }
            }
            Statement::Swap { register, pointer } => {
                self.works(3);
                let from = if self.misreads(Misreading::CellsFromOne) { 3 } else { 0 };
                let (stores, loads) =
                    (!self.misreads(Misreading::SwapLoads), !self.misreads(Misreading::SwapStores));
                for at in 0..N {
                    let cell = (self.seen[pointer][at] + from) as usize % REGISTERS;
                    let (held, kept) = (self.seen[register][at], self.store[cell][at]);
                    if loads {
                        self.registers[register][at] = kept;
                    }
                    if stores {
                        self.store[cell][at] = held;
                    }
                }
            }
            Statement::Index { to, c } => {
                self.works(2);
                let first = i32::from(self.misreads(Misreading::RoundsFromZero));
                let sets = self.misreads(Misreading::IndexSets);
                let held = if sets { [0; N] } else { self.seen[to] };
                self.registers[to] = self.bring(held.map(|held| held + round - first + c));
            }
        }
    }

    /// What an assignment gives.
    fn value(&self, assign: Assign) -> Numbers<N> {
        let (x, y) = (&self.seen[assign.left], &self.seen[assign.right]);
        self.bring(match assign.op {
            Op::Plus => both(x, y, |x, y| x + y),
            Op::Minus => both(x, y, |x, y| x - y),
            Op::Own(number) => self.own(number, x, y),
        })
    }

    fn own(&self, number: usize, x: &Numbers<N>, y: &Numbers<N>) -> Numbers<N> {
        let Operator { form, k, c, .. } = self.program.operators[number];
        let (x, y) = if self.misreads(Misreading::SidesSwapped(number)) { (y, x) } else { (x, y) };
        let other = self.misreads(Misreading::OtherOfTwo(number));
        let signed = self.misreads(Misreading::SignedDistance(number));
        match form {
            Form::RightLess => both(x, y, |x, y| k * y - x),
            Form::LeftLess => both(x, y, |x, y| k * x - y),
            Form::RightMore => both(x, y, |x, y| x + k * y),
            Form::Least if other => both(x, y, |x, y| c + x.max(y)),
            Form::Least => both(x, y, |x, y| c + x.min(y)),
            Form::Greatest if other => both(x, y, |x, y| x.min(y) - c),
            Form::Greatest => both(x, y, |x, y| x.max(y) - c),
            Form::Distance if signed => both(x, y, |x, y| x - y + c),
            Form::Distance => both(x, y, |x, y| (x - y).abs() + c),
            Form::Fork => both(x, y, |x, y| if x > y { x + c } else { k * y - x }),
        }
    }

    /// Brings values into the range.
    fn bring(&self, values: Numbers<N>) -> Numbers<N> {
        match self.misread {
            Some(Misreading::SignDropped) => values.map(|value| value.abs() % MODULUS),
            Some(Misreading::SignKept) => values.map(|value| value % MODULUS),
            _ => values.map(|value| value.rem_euclid(MODULUS)),
        }
    }

    fn outcomes(&self) -> [Outcome; N] {
        let cells: &[Numbers<N>] = if self.program.store.is_some() { &self.store } else { &[] };
        let mut sums = [0; N];
        for (values, weight) in self.registers.iter().chain(cells).zip(self.program.weights) {
            sums = both(&sums, values, |sum, value| sum + value * weight);
        }
        let terms = REGISTERS + cells.len();
        let answers = self.bring(sums);
        std::array::from_fn(|at| Outcome {
            answer: answers[at],
            work: self.work[at] + 2 * terms as u32,
        })
    }
}

fn both<const N: usize>(
    x: &Numbers<N>,
    y: &Numbers<N>,
    combine: impl Fn(i32, i32) -> i32,
) -> Numbers<N> {
    std::array::from_fn(|at| combine(x[at], y[at]))
}
