//! How a village is drawn: the liars first, then claims that their speakers may make. A village is kept only when one choice
//! of liars fits, most speakers are needed for that, and the liars fit no longer for anybody who misreads a rule.

use super::claim::{Claim, ClaimKind, Group, Misreading, Part};
use super::levels::{Dial, FURTHER};
use super::village::{MOST, Village, needless, tries};
use crate::rng::Stream;

/// Villages begun for one target, and how often one is changed a little while it does not pass.
const VILLAGES_A_TARGET: u32 = 16;
const CHANGES: u32 = 250;

/// How often statements of a village are exchanged until misreadings show, before it is given up.
const EXCHANGES: u32 = 60;

/// Of so many speakers one may be needless.
const SPEAKERS_A_NEEDLESS: usize = 3;

/// How often a claim is drawn until it is as true as it must be.
const CLAIM_DRAWS: u32 = 24;

/// The fewest liars, and the fewest truthful villagers.
const EITHER_MIN: u32 = 2;

/// One target.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) village: Village,
    pub(super) liars: Group,
    /// The choices of liars that misreadings lead to, where one leads to a single choice; never the right one.
    pub(super) misread: Vec<Group>,
    pub(super) effort: u64,
}

/// The kinds of claims of a task: those of its level, and as many further ones as the level has.
pub(super) fn further(shared: &mut Stream) -> [ClaimKind; FURTHER.len()] {
    let mut further = FURTHER;
    shared.shuffle(&mut further);
    further
}

/// Draws a target, or nothing when no village passed.
pub(super) fn target(dial: &Dial, further: &[ClaimKind], own: &mut Stream) -> Option<Target> {
    let further = further.iter().take(dial.further);
    let kinds: Vec<ClaimKind> = dial.kinds.iter().chain(further).copied().collect();
    (0..VILLAGES_A_TARGET).find_map(|_| {
        let (village, liars) = village(dial, &kinds, own)?;
        let mut village = heeded(dial, village, liars, own)?;
        (0..CHANGES).find_map(|number| {
            let new = number == 0 || change(dial, &mut village, liars, own);
            new.then(|| gate(dial, &village, liars))?
        })
    })
}

/// A village in which these liars fit, with every kind.
fn village(dial: &Dial, kinds: &[ClaimKind], own: &mut Stream) -> Option<(Village, Group)> {
    let villagers = dial.villagers;
    let liars = own.below(1 << villagers) as Group;
    let count = liars.count_ones();
    if count < EITHER_MIN || count + EITHER_MIN > villagers as u32 {
        return None;
    }
    let mut spread = kinds.to_vec();
    while spread.len() < villagers {
        spread.push(*own.pick(kinds)?);
    }
    own.shuffle(&mut spread);
    let mut claims = Vec::with_capacity(villagers);
    for (speaker, kind) in spread.into_iter().enumerate() {
        let wanted = Wanted { liars, misread: None };
        claims.push(claim(kind, speaker, dial, wanted, &claims, own)?);
    }
    Some((Village(claims), liars))
}

/// Exchanges one claim for another of its kind, unless a misreading would no longer show; says whether it did.
fn change(dial: &Dial, village: &mut Village, liars: Group, own: &mut Stream) -> bool {
    let at = own.index(village.0.len());
    let before = village.0[at];
    let wanted = Wanted { liars, misread: None };
    if !exchange(village, at, before.kind(), dial, wanted, own) {
        return false;
    }
    if unheeded(village, liars).is_empty() {
        return true;
    }
    village.0[at] = before;
    false
}

/// What a claim is drawn for.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    liars: Group,
    /// The misreading that it must be wrong under.
    misread: Option<Misreading>,
}

/// A claim of a kind that its speaker may make, true or false as he is, and that nobody has made yet.
fn claim(
    kind: ClaimKind,
    speaker: usize,
    dial: &Dial,
    Wanted { liars, misread }: Wanted,
    made: &[Claim],
    own: &mut Stream,
) -> Option<Claim> {
    let everybody = (1 << dial.villagers) - 1;
    let truthful = liars & (1 << speaker) == 0;
    (0..CLAIM_DRAWS).find_map(|_| {
        let claim = any(kind, speaker, dial, own);
        let as_read = |misread| claim.is_true(speaker, everybody, liars, misread);
        let fits = as_read(None) == truthful && (misread.is_none() || as_read(misread) != truthful);
        (fits && !made.contains(&claim)).then_some(claim)
    })
}

/// A random claim of a kind, true or false, in the one form that the kind has for it. Nobody speaks about himself alone or as
/// one of two.
fn any(kind: ClaimKind, speaker: usize, dial: &Dial, own: &mut Stream) -> Claim {
    // Everybody but the speaker, as far as the kind names them: the last one stands in for him.
    let size = own.between(3, dial.group as u32) as usize;
    let named = match kind {
        ClaimKind::Total | ClaimKind::Parity => 0,
        ClaimKind::Is => 1,
        ClaimKind::Alike | ClaimKind::If => 2,
        ClaimKind::Exactly | ClaimKind::AtLeast | ClaimKind::AtMost => size,
        ClaimKind::OneOf => 1 + size,
        ClaimKind::More => 2 * size,
    };
    let last = dial.villagers - 1;
    let mut others: [usize; MOST] = std::array::from_fn(|other| other);
    others[speaker] = last;
    for place in 0..named {
        others.swap(place, place + own.index(last - place));
    }
    let group = |from: usize, size: usize| {
        others.iter().skip(from).take(size).fold(0, |group: Group, one| group | 1 << one)
    };
    let is = |at: usize, liar: bool| {
        let bound = u32::from(liar);
        Part { group: group(at, 1), min: bound, max: bound }
    };
    let counted = |kind: ClaimKind, from: usize, count: u32| {
        let (min, max) = match kind {
            ClaimKind::AtLeast => (count, size as u32),
            ClaimKind::AtMost => (0, count),
            _ => (count, count),
        };
        Part { group: group(from, size), min, max }
    };
    let count = own.between(1, size as u32 - 1);
    let coin = own.percent(50);
    match kind {
        ClaimKind::Is => Claim::Part(is(0, coin)),
        ClaimKind::Alike => Claim::Alike { pair: group(0, 2), same: coin },
        ClaimKind::Exactly | ClaimKind::AtLeast | ClaimKind::AtMost => {
            Claim::Part(counted(kind, 0, count))
        }
        ClaimKind::OneOf => Claim::OneOf(is(0, coin), counted(ClaimKind::Exactly, 1, count)),
        ClaimKind::If => Claim::If(is(0, coin), is(1, own.percent(50))),
        ClaimKind::More => Claim::More(group(0, size), group(size, size)),
        ClaimKind::Total => {
            Claim::Total(own.between(EITHER_MIN, dial.villagers as u32 - EITHER_MIN))
        }
        ClaimKind::Parity => Claim::Parity { even: coin },
    }
}

/// The village with claims exchanged for others until the liars do not fit for anybody who misreads a rule.
fn heeded(dial: &Dial, village: Village, liars: Group, own: &mut Stream) -> Option<Village> {
    let mut village = village;
    let mut unheeded = unheeded(&village, liars);
    for _ in 0..EXCHANGES {
        let Some(misreading) = own.pick(&unheeded).copied() else { return Some(village) };
        let concerned: Vec<usize> =
            (0..village.0.len()).filter(|at| misreading.concerns(village.0[*at])).collect();
        let one = *own.pick(&concerned)?;
        let mut other = village.clone();
        // Some misreadings show only from the mouth of a liar, so another speaker may take the kind over.
        let two = if own.percent(60) { one } else { own.index(village.0.len()) };
        let kinds = [one, two].map(|at| village.0[at].kind());
        let wanted = |misread: Option<Misreading>| Wanted { liars, misread };
        let exchanged = exchange(&mut other, two, kinds[0], dial, wanted(Some(misreading)), own)
            && (one == two || exchange(&mut other, one, kinds[1], dial, wanted(None), own));
        if exchanged {
            let still = self::unheeded(&other, liars);
            if still.len() <= unheeded.len() {
                (village, unheeded) = (other, still);
            }
        }
    }
    None
}

/// Puts another claim into a mouth; says whether one was found.
fn exchange(
    village: &mut Village,
    at: usize,
    kind: ClaimKind,
    dial: &Dial,
    wanted: Wanted,
    own: &mut Stream,
) -> bool {
    let new = claim(kind, at, dial, wanted, &village.0, own);
    if let Some(new) = new {
        village.0[at] = new;
    }
    new.is_some()
}

/// The misreadings that concern a claim of a village.
fn concerned(village: &Village) -> impl Iterator<Item = Misreading> {
    let concerns = |it: &Misreading| village.0.iter().any(|claim| it.concerns(*claim));
    Misreading::ALL.into_iter().filter(concerns)
}

/// The misreadings with which the liars still fit.
fn unheeded(village: &Village, liars: Group) -> Vec<Misreading> {
    concerned(village).filter(|it| village.contradiction(liars, Some(*it)).is_none()).collect()
}

/// The target of a village, if it passes. What the liars do not fit cannot lead to them, so misreadings need no second look.
fn gate(dial: &Dial, village: &Village, liars: Group) -> Option<Target> {
    if village.only(None) != Some(liars) {
        return None;
    }
    let choices = village.choices();
    let needless = needless(&choices, liars);
    let effort = tries(&choices);
    let in_band = (dial.tries.0..=dial.tries.1).contains(&effort);
    (in_band && needless * SPEAKERS_A_NEEDLESS <= village.0.len()).then(|| Target {
        village: village.clone(),
        liars,
        misread: concerned(village).filter_map(|it| village.only(Some(it))).collect(),
        effort,
    })
}
