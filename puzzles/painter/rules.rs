//! The table of rules. Each has two readings: the default one, which holds when the rule is not active, and the printed one.
//!
//! | rule | default reading | printed reading (formal) |
//! |---|---|---|
//! | wrap | cells off the canvas are dropped | (y, x) of a rect or line becomes (y mod h, x mod w) |
//! | back | a negative size covers nothing | size n < 0 covers a+n+1 ..= a |
//! | zero | a size of 0 covers nothing | size 0 covers a .. end of the canvas |
//! | hollow | a rect paints all its cells | only cells of its first or last row or column |
//! | mix | paint replaces | a listed pair of old and new gives the listed result, others replace |
//! | mud | a pair not listed replaces | a pair not listed leaves the cell unpainted |
//! | dry | paint is always wet | commands i and j > i mix on a cell only if j - i <= d, else replace |
//! | tank | paint is unlimited | each paint serves k painted cells, in reading order inside a command |
//! | steps | a line has n cells | a line has n + 1 cells |
//! | corners | fill joins over 4 sides | fill joins over 8 neighbours |
//! | toggle | taping a taped cell keeps the tape | taping a taped cell takes the tape off |
//! | tape moves | tape stays where it is in a mirror | tape moves from column x to w-1-x |
//! | undo paint | undo strikes the last command left | undo strikes the last rect, line or fill left |
//!
//! `mud` and `dry` speak of mixing and are active only where `mix` is.

use super::ops::{Command, PAINTS, letter};
use crate::rng::Stream;
use std::collections::BTreeMap;

/// A rule of which a painter may have the printed reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table at the head of this file says what each is")]
pub enum Rule {
    Wrap,
    Back,
    Zero,
    Hollow,
    Mix,
    Mud,
    Dry,
    Tank,
    Steps,
    Corners,
    Toggle,
    TapeMoves,
    UndoPaint,
}

impl Rule {
    /// Every rule, in the order in which prompts print them.
    pub const ALL: [Self; 13] = [
        Self::Wrap,
        Self::Back,
        Self::Zero,
        Self::Hollow,
        Self::Steps,
        Self::Corners,
        Self::Mix,
        Self::Mud,
        Self::Dry,
        Self::Tank,
        Self::Toggle,
        Self::TapeMoves,
        Self::UndoPaint,
    ];

    /// The name in results and tests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wrap => "wrap",
            Self::Back => "back",
            Self::Zero => "zero",
            Self::Hollow => "hollow",
            Self::Mix => "mix",
            Self::Mud => "mud",
            Self::Dry => "dry",
            Self::Tank => "tank",
            Self::Steps => "steps",
            Self::Corners => "corners",
            Self::Toggle => "toggle",
            Self::TapeMoves => "tape-moves",
            Self::UndoPaint => "undo-paint",
        }
    }

    /// The last command, in level order, that the rule needs.
    #[must_use]
    pub fn command(self) -> Command {
        match self {
            Self::Steps => Command::Line,
            Self::Corners => Command::Fill,
            Self::Toggle => Command::Tape,
            Self::TapeMoves => Command::Mirror,
            Self::UndoPaint => Command::Undo,
            _ => Command::Rect,
        }
    }

    /// The rule without which this one says nothing.
    #[must_use]
    pub fn base(self) -> Option<Self> {
        matches!(self, Self::Mud | Self::Dry).then_some(Self::Mix)
    }
}

/// The two paints of each line of the mixing list.
pub const PAIRS: [[u8; 2]; 3] = [*b"RY", *b"RB", *b"YB"];

/// The rules of one painter: which are active, and their figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    active: u16,
    /// The result of each pair of [`PAIRS`].
    pub mixed: [u8; 3],
    /// Commands during which paint stays wet.
    pub wet: u32,
    /// Cells that one tank paints.
    pub tank: u32,
}

impl Rules {
    /// A painter with the default reading of every rule.
    #[must_use]
    pub fn none() -> Self {
        Self { active: 0, mixed: *b"OPG", wet: 1, tank: 1 }
    }

    /// Draws `count` of the rules that these commands allow, their figures, and the order in which the ladder brings them
    /// in (dependants after their base).
    #[must_use]
    pub fn draw(
        commands: &[Command],
        count: usize,
        tank: (u32, u32),
        rng: &mut Stream,
    ) -> (Self, Vec<Rule>) {
        let mut rules = Self::none();
        rng.shuffle(&mut rules.mixed);
        rules.wet = rng.between(1, 3);
        rules.tank = rng.between(tank.0, tank.1);
        let mut table: Vec<Rule> =
            Rule::ALL.into_iter().filter(|rule| commands.contains(&rule.command())).collect();
        rng.shuffle(&mut table);
        let mut order = Vec::with_capacity(table.len());
        for rule in table.into_iter().flat_map(|rule| rule.base().into_iter().chain([rule])) {
            if !order.contains(&rule) {
                order.push(rule);
            }
        }
        order.truncate(count);
        (order.iter().fold(rules, |rules, rule| rules.with(*rule)), order)
    }

    /// Whether the printed reading of a rule holds. A rule without its base never does.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.active & bit(rule) != 0 && rule.base().is_none_or(|base| self.has(base))
    }

    /// The active rules, in printed order.
    pub fn active(&self) -> impl Iterator<Item = Rule> + '_ {
        Rule::ALL.into_iter().filter(|rule| self.has(*rule))
    }

    /// The same painter with the printed reading of one rule more.
    #[must_use]
    pub fn with(mut self, rule: Rule) -> Self {
        self.active |= bit(rule);
        self
    }

    /// The same painter with the default reading of one rule.
    #[must_use]
    pub fn without(mut self, rule: Rule) -> Self {
        self.active &= !bit(rule);
        self
    }

    /// What the mixing list makes of two different colours, in either order.
    #[must_use]
    pub fn mixture(&self, old: u8, new: u8) -> Option<u8> {
        let at = PAIRS.iter().position(|pair| *pair == [old, new] || *pair == [new, old])?;
        Some(self.mixed[at])
    }

    /// The mixing list: the two paints of each pair as one text, and their result.
    #[must_use]
    pub fn mixing_list(&self) -> BTreeMap<String, String> {
        PAIRS
            .iter()
            .zip(self.mixed)
            .map(|([a, b], mixed)| (letter(*a) + &letter(*b), letter(mixed)))
            .collect()
    }

    /// The one sentence that states the printed reading of a rule.
    #[must_use]
    pub fn sentence(&self, rule: Rule, commands: &[Command]) -> String {
        let line = commands.contains(&Command::Line);
        let fixed = match rule {
            Rule::Wrap if line => {
                "A rect or a line may run off the canvas: what lies beyond an edge comes back in at \
                 the opposite edge, so row y means row y % h and column x means column x % w."
            }
            Rule::Wrap => {
                "A rect may run off the canvas: what lies beyond an edge comes back in at the \
                 opposite edge, so row y means row y % h and column x means column x % w."
            }
            Rule::Back => {
                "A negative size of a rect grows backwards from (r, c): hh = -3 covers the rows r-2, \
                 r-1 and r, and ww = -3 the columns c-2, c-1 and c."
            }
            Rule::Zero => {
                "A size of 0 of a rect reaches to the edge: hh = 0 covers the rows r to h-1, and \
                 ww = 0 the columns c to w-1."
            }
            Rule::Hollow => {
                "A rect is only a frame: it covers the cells of its first and last row and of its \
                 first and last column, and leaves out those inside."
            }
            Rule::Steps => {
                "The n of a line counts steps, not cells: a line covers n+1 cells, of which (r, c) is \
                 the first."
            }
            Rule::Corners => {
                "Fill also goes from a cell to its four diagonal neighbours, not only up, down, left \
                 and right."
            }
            Rule::Mix => return self.mix_sentence(),
            Rule::Mud => {
                "On a cell that is not bare, a paint that differs from its colour and is not listed with \
                 it above does not stick: the cell keeps its colour and does not count as painted."
            }
            Rule::Dry => return self.dry_sentence(commands),
            Rule::Tank => return self.tank_sentence(),
            Rule::Toggle => "Taping a cell that is taped already takes its tape off again.",
            Rule::TapeMoves => {
                "The tape moves with the picture: in a mirror, tape on column x goes to column w-1-x \
                 of its row."
            }
            Rule::UndoPaint => {
                "Undo strikes out painting only: the last rect, line or fill that is left, passing \
                 over tape and mirror."
            }
        };
        fixed.to_owned()
    }

    fn mix_sentence(&self) -> String {
        let list: Vec<String> = PAIRS
            .iter()
            .zip(self.mixed)
            .map(|([a, b], mixed)| {
                format!("{} and {} give {}", letter(*a), letter(*b), letter(mixed))
            })
            .collect();
        let others =
            if self.has(Rule::Mud) { "" } else { "; any other paint replaces the old colour" };
        format!(
            "Paints mix where one covers another, in either order: {}{others}.",
            list.join(", ")
        )
    }

    fn dry_sentence(&self, commands: &[Command]) -> String {
        let during = match self.wet {
            1 => "the one command that follows".to_owned(),
            wet => format!("the {wet} commands that follow"),
        };
        let struck = if commands.contains(&Command::Undo) {
            ", but not those struck out nor their undos"
        } else {
            ""
        };
        format!(
            "Paint dries: a cell is wet only during {during} the command that last painted it \
             (commands of any kind count{struck}), and on a cell that is dry the new paint always replaces \
             the old colour."
        )
    }

    fn tank_sentence(&self) -> String {
        let paints: Vec<String> = PAINTS.iter().map(|paint| letter(*paint)).collect();
        format!(
            "There is paint for {} cells of each of {}: a command paints its cells in reading order (row \
             0 of the canvas first, each row from left to right), every cell that it paints uses up \
             one of its paint, even when the colour stays the same, and with none left it paints \
             nothing more.",
            self.tank,
            paints.join(", ")
        )
    }
}

fn bit(rule: Rule) -> u16 {
    1 << rule as u16
}
