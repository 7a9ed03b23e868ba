//! A village: who says what, which choices of liars fit, and how long a search for them is. `draw.rs` draws villages.

use super::claim::{Claim, Group, Lanes, Misreading};

/// The largest village.
pub(super) const MOST: usize = 12;

/// The smallest village; in a smaller one the liars could be guessed.
#[cfg(test)]
pub(super) const FEWEST: usize = 8;

/// A village: what each villager says. What a truthful one says is true, what a liar says is false.
#[derive(Debug, Clone)]
pub(super) struct Village(pub(super) Vec<Claim>);

/// A set of choices of liars: bit `g` of the whole is the choice whose [`Group`] is the number `g`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choices(Vec<u64>);

impl Choices {
    /// The choices in both sets.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, two)| one & two).collect())
    }

    /// The only choice of the set.
    pub(super) fn only(&self) -> Option<Group> {
        let mut words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        let (index, word) = words.next()?;
        (words.next().is_none() && word.is_power_of_two())
            .then(|| index as Group * 64 + word.trailing_zeros() as Group)
    }

    /// Whether a choice is in the set.
    #[cfg(test)]
    pub(super) fn has(&self, choice: Group) -> bool {
        self.any(usize::from(choice), 1)
    }

    /// Whether any of the `len` choices from `first` on is in the set; `len` is a power of two and divides `first`.
    fn any(&self, first: usize, len: usize) -> bool {
        match self.0.get(first / 64..(first + len).div_ceil(64)) {
            Some([word]) if len < 64 => word >> (first % 64) & ((1 << len) - 1) != 0,
            Some(words) => words.iter().any(|word| *word != 0),
            None => false,
        }
    }
}

/// Who lies in the 64 choices of a word of [`Choices`].
fn lanes(word: usize) -> Lanes {
    std::array::from_fn(|villager| match villager {
        0 => 0xaaaa_aaaa_aaaa_aaaa,
        1 => 0xcccc_cccc_cccc_cccc,
        2 => 0xf0f0_f0f0_f0f0_f0f0,
        3 => 0xff00_ff00_ff00_ff00,
        4 => 0xffff_0000_ffff_0000,
        5 => 0xffff_ffff_0000_0000,
        _ if word >> (villager - 6) & 1 == 1 => u64::MAX,
        _ => 0,
    })
}

/// Who lies, in one choice 64 times over.
fn same_lanes(liars: Group) -> Lanes {
    std::array::from_fn(|villager| if liars >> villager & 1 == 1 { u64::MAX } else { 0 })
}

impl Claim {
    /// Whether the claim holds with these liars, for somebody who misreads a rule or not.
    pub(super) fn is_true(
        self,
        speaker: usize,
        everybody: Group,
        liars: Group,
        misread: Option<Misreading>,
    ) -> bool {
        self.holds(speaker, everybody, &same_lanes(liars), misread) != 0
    }
}

impl Village {
    /// All villagers.
    pub(super) fn everybody(&self) -> Group {
        (1 << self.0.len()) - 1
    }

    /// The villagers and their claims.
    fn speakers(&self) -> impl Iterator<Item = (usize, Claim)> {
        self.0.iter().copied().enumerate()
    }

    /// The first speaker whose claim does not go with these liars, for somebody who misreads a rule or not.
    pub(super) fn contradiction(&self, liars: Group, misread: Option<Misreading>) -> Option<usize> {
        let lanes = same_lanes(liars);
        let mut speakers = self.speakers();
        speakers
            .find(|(speaker, claim)| self.fits(*speaker, *claim, &lanes, misread) == 0)
            .map(|(speaker, _)| speaker)
    }

    /// In which of 64 choices a speaker may make a claim.
    fn fits(
        &self,
        speaker: usize,
        claim: Claim,
        lanes: &Lanes,
        misread: Option<Misreading>,
    ) -> u64 {
        claim.holds(speaker, self.everybody(), lanes, misread) ^ lanes[speaker]
    }

    /// Words of a set of choices.
    fn words(&self) -> usize {
        1 << (self.0.len() - 6)
    }

    /// The choices that go with the claims, speaker by speaker.
    pub(super) fn choices(&self) -> Vec<Choices> {
        let choices = |(speaker, claim)| {
            let fits = |word| self.fits(speaker, claim, &lanes(word), None);
            Choices((0..self.words()).map(fits).collect())
        };
        self.speakers().map(choices).collect()
    }

    /// The only choice that goes with everything that is said; nothing when none or several do.
    pub(super) fn only(&self, misread: Option<Misreading>) -> Option<Group> {
        let mut only = None;
        for word in 0..self.words() {
            let lanes = lanes(word);
            let left = self.speakers().try_fold(u64::MAX, |left, (speaker, claim)| {
                let left = left & self.fits(speaker, claim, &lanes, misread);
                (left != 0).then_some(left)
            });
            let Some(left) = left else { continue };
            if only.is_some() || !left.is_power_of_two() {
                return None;
            }
            only = Some(word as Group * 64 + left.trailing_zeros() as Group);
        }
        only
    }
}

/// How many speakers could be silent: without what one of them says the same choice would be the only one.
pub(super) fn needless(choices: &[Choices], liars: Group) -> usize {
    let Some(first) = choices.first() else { return 0 };
    let every = Choices(vec![u64::MAX; first.0.len()]);
    // What all speakers after one leave.
    let mut after = vec![every.clone()];
    for fits in choices.iter().rev() {
        after.push(after.last().unwrap_or(&every).and(fits));
    }
    let mut before = every;
    let mut needless = 0;
    for (fits, after) in choices.iter().zip(after.iter().rev().skip(1)) {
        needless += usize::from(before.and(after).only() == Some(liars));
        before = before.and(fits);
    }
    needless
}

/// How many times a search takes a villager for truthful or for a liar, from the last one to A, until it has seen every
/// choice, when it turns back as soon as the statements of somebody can no longer fit.
pub(super) fn tries(choices: &[Choices]) -> u64 {
    tries_from(0, choices.first().map_or(0, |first| first.0.len() * 64), choices)
}

/// Choices in which the last villagers are the same are neighbours: a block is a partial choice.
fn tries_from(first: usize, len: usize, choices: &[Choices]) -> u64 {
    if len < 2 {
        return 0;
    }
    let half = len / 2;
    [first, first + half]
        .into_iter()
        .map(|block| {
            let open = choices.iter().all(|fits| fits.any(block, half));
            1 + if open { tries_from(block, half, choices) } else { 0 }
        })
        .sum()
}
