//! The rules that have two readings: a default one and the one that a seed may choose. Each is one predicate here, which the
//! engine asks, and one sentence, which the prompt prints.

use super::board::{Board, Cell, Heading};
use crate::rng::Stream;

/// A rule with two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Keys name headings, or turn the heading.
    Keys,
    /// A key that asks for the opposite heading is ignored, or kills.
    Reverse,
    /// The edge kills, or the board wraps.
    Edge,
    /// The cell that the tail leaves in the tick is free, or bites.
    Tail,
    /// A food lets the snake grow by 1, or by its value.
    Growth,
    /// The snake never starves, or loses a cell after some ticks without food.
    Hunger,
    /// Hunger leaves the score alone, or costs a point. Needs [`Rule::Hunger`].
    Toll,
    /// No portal, or two joined cells.
    Portal,
    /// Foods score their value, or twice that when eaten soon after the one before.
    Streak,
    /// A cell where a food was eaten is an ordinary one, or turns to stone.
    Stone,
}

impl Rule {
    /// Every rule, in the order in which a prompt lists them.
    pub const ALL: [Self; 10] = [
        Self::Keys,
        Self::Reverse,
        Self::Edge,
        Self::Portal,
        Self::Stone,
        Self::Tail,
        Self::Growth,
        Self::Streak,
        Self::Hunger,
        Self::Toll,
    ];

    /// What a code that reads the rule in its default way misses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys that turn",
            Self::Reverse => "turning back kills",
            Self::Edge => "the board wraps",
            Self::Tail => "the leaving tail bites",
            Self::Growth => "growth by value",
            Self::Hunger => "hunger",
            Self::Toll => "hunger costs a point",
            Self::Portal => "the portal",
            Self::Streak => "the streak",
            Self::Stone => "stones",
        }
    }

    /// Whether the seeded reading shows only by ending the game; two of these cannot both show in one game.
    #[must_use]
    pub fn kills(self) -> bool {
        matches!(self, Self::Reverse | Self::Tail | Self::Stone)
    }

    fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A reading of all rules, with the numbers that the seeded readings need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    seeded: u16,
    /// Ticks without food after which the snake is hungry.
    pub hunger: u32,
    /// The two joined cells.
    pub portal: [Cell; 2],
    /// Ticks within which the next food counts twice.
    pub streak: u32,
}

impl Rules {
    /// Draws the numbers, with every rule in its default reading. The portal lies inside boards of `side` rows and columns.
    pub fn draw(side: i32, rng: &mut Stream) -> Self {
        // Not on the edge, and apart: two portal cells side by side, or meeting around the edge, would lead into the neck.
        let inner = 1..side - 1;
        let cells = || inner.clone().flat_map(|r| inner.clone().map(move |c| Cell { r, c }));
        let all: Vec<Cell> = cells().collect();
        let first = all[rng.index(all.len())];
        let apart = |cell: &Cell| (cell.r - first.r).abs() + (cell.c - first.c).abs() >= 3;
        let far: Vec<Cell> = cells().filter(apart).collect();
        let second = rng.pick(&far).copied().unwrap_or(first);
        Self {
            seeded: 0,
            hunger: rng.between(5, 7),
            portal: [first, second],
            streak: rng.between(2, 3),
        }
    }

    /// Whether a rule has its seeded reading.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.seeded & rule.bit() != 0
    }

    /// The same rules with the seeded reading of one.
    #[must_use]
    pub fn with(self, rule: Rule) -> Self {
        Self { seeded: self.seeded | rule.bit(), ..self }
    }

    /// The same rules with the default reading of one, and of what needs it.
    #[must_use]
    pub fn without(self, rule: Rule) -> Self {
        let gone = match rule {
            Rule::Hunger => Rule::Hunger.bit() | Rule::Toll.bit(),
            _ => rule.bit(),
        };
        Self { seeded: self.seeded & !gone, ..self }
    }

    /// The same numbers with every rule in its default reading.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { seeded: 0, ..self }
    }

    /// [`Rule::Keys`]: the heading that a key asks for.
    #[must_use]
    pub fn asked(&self, heading: Heading, key: Heading) -> Heading {
        if self.has(Rule::Keys) { heading.turned(key as usize) } else { key }
    }

    /// [`Rule::Keys`] the other way round: the key that asks for a heading.
    #[must_use]
    pub fn key_for(&self, heading: Heading, wanted: Heading) -> Heading {
        if self.has(Rule::Keys) { Heading::ALL[wanted.quarters_from(heading)] } else { wanted }
    }

    /// [`Rule::Edge`]: where a step to `cell` leads, or nothing when it leaves the board and kills.
    #[must_use]
    pub fn within(&self, board: Board, cell: Cell) -> Option<Cell> {
        if self.has(Rule::Edge) {
            Some(Cell { r: cell.r.rem_euclid(board.h), c: cell.c.rem_euclid(board.w) })
        } else {
            board.holds(cell).then_some(cell)
        }
    }

    /// [`Rule::Portal`]: where a head that enters `cell` comes out.
    #[must_use]
    pub fn through(&self, cell: Cell) -> Cell {
        let [first, second] = self.portal;
        match self.has(Rule::Portal) {
            true if cell == first => second,
            true if cell == second => first,
            _ => cell,
        }
    }

    /// [`Rule::Growth`]: by how many cells a food lets the snake grow.
    #[must_use]
    pub fn growth(&self, value: u32) -> u32 {
        if self.has(Rule::Growth) { value } else { 1 }
    }

    /// [`Rule::Streak`]: what a food scores, `gap` ticks after the one before.
    #[must_use]
    pub fn points(&self, value: u32, gap: Option<u32>) -> u32 {
        let doubled = self.has(Rule::Streak) && gap.is_some_and(|gap| gap <= self.streak);
        if doubled { 2 * value } else { value }
    }

    /// [`Rule::Hunger`]: whether so many ticks without food make the snake hungry.
    #[must_use]
    pub fn hungry(&self, idle: u32) -> bool {
        self.has(Rule::Hunger) && idle >= self.hunger
    }

    /// [`Rule::Toll`]: the score after a hungry tick.
    ///
    /// It stops at 0 so that hunger can be shown before this rule is, in a game without a meal.
    #[must_use]
    pub fn after_hunger(&self, score: u32) -> u32 {
        if self.has(Rule::Toll) { score.saturating_sub(1) } else { score }
    }

    /// The sentence that states the chosen reading, or nothing for a rule that need not be mentioned.
    #[must_use]
    pub fn sentence(&self, rule: Rule) -> Option<String> {
        let [first, second] = self.portal;
        let (streak, hunger) = (self.streak, self.hunger);
        let text = match (rule, self.has(rule)) {
            (Rule::Keys, false) => {
                "The keys U, R, D and L ask for the headings up, right, down and left.".into()
            }
            (Rule::Keys, true) => {
                "Keys turn the snake as seen from its own heading: U asks to keep the heading, R \
                 to turn right, L to turn left, and D for the opposite heading."
                    .into()
            }
            (Rule::Reverse, false) => {
                "A key that asks for the opposite of the heading is ignored: the heading stays and \
                 the tick goes on."
                    .into()
            }
            (Rule::Reverse, true) => {
                "A key that asks for the opposite of the heading kills the snake (cause \
                 \"reverse\")."
                    .into()
            }
            (Rule::Edge, false) => {
                "A target outside the board kills the snake (cause \"wall\").".into()
            }
            (Rule::Edge, true) => {
                "The board has no walls: a target beyond an edge becomes the cell at the opposite \
                 end of the same row or column."
                    .into()
            }
            (Rule::Portal, true) => format!(
                "The cells [{}, {}] and [{}, {}] are a portal: a target that is one of them \
                 becomes the other one; the heading stays.",
                first.r, first.c, second.r, second.c
            ),
            (Rule::Stone, true) => {
                "A cell in which a food was eaten is stone from then on, and a target that is \
                 stone kills the snake (cause \"stone\")."
                    .into()
            }
            (Rule::Tail, false) => {
                "The last cell of the snake does not count for the bite in a tick in which it will \
                 leave (growth is 0): moving there is legal."
                    .into()
            }
            (Rule::Tail, true) => {
                "The last cell of the snake counts for the bite like any other, even in a tick in \
                 which it would leave (growth is 0)."
                    .into()
            }
            (Rule::Growth, false) => {
                "Eating adds 1 to the growth, whatever the value of the food.".into()
            }
            (Rule::Growth, true) => "Eating adds the value v of the food to the growth.".into(),
            (Rule::Streak, true) => format!(
                "A food that is eaten at most {streak} ticks after the food before it (tick \
                 numbers differ by {streak} or less) scores 2 * v instead of v."
            ),
            (Rule::Hunger, true) => format!(
                "When the hunger count reaches {hunger}, it is set back to 0 and the snake loses \
                 its last cell, but a snake of 2 cells keeps both and dies (cause \"starved\")."
            ),
            (Rule::Toll, true) => format!(
                "Each time the hunger count reaches {hunger}, the score goes down by 1, unless it \
                 is 0 (a snake that starves pays, too)."
            ),
            (Rule::Portal | Rule::Stone | Rule::Streak | Rule::Hunger | Rule::Toll, false) => {
                return None;
            }
        };
        Some(text)
    }
}
