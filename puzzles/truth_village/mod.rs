//! Truth village: who lies, from what everybody says about everybody else; counts, exclusive or and conditions. A deduction
//! about truth itself: no statement can be taken for a fact before its speaker is known.
//!
//! `levels.rs` has the dials, `claim.rs` the claims, their words and misreadings, `village.rs` what fits, `draw.rs` draws
//! villages, `prompt.rs` writes what the lane reads.

mod claim;
mod draw;
mod levels;
mod prompt;
#[cfg(test)]
mod second;
#[cfg(test)]
mod tests;
mod village;

use super::{Body, Family, Kind, Level, Puzzle, Reading, Seeds, TARGETS, Task};
use crate::rng::Stream;
use claim::{Group, letter, members};
use draw::Target;
use levels::Dial;

const NAME: &str = "truth-village";

/// Longer values are not read.
const LONGEST: usize = 100;

/// The family.
#[derive(Debug)]
pub struct TruthVillage;

impl Family for TruthVillage {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Truth village"
    }

    fn kind(&self) -> Kind {
        Kind::Puzzle
    }

    fn draw(&self, level: Level, seeds: &Seeds) -> Option<Task> {
        let targets = targets(level, seeds)?;
        let prompt = prompt::prompt(&targets);
        Some(Task::new(NAME, level, prompt, Body::Puzzle(Box::new(Villages(targets)))))
    }
}

/// The five villages of a draw: the same further kinds of claims, each village from its own stream.
fn targets(level: Level, seeds: &Seeds) -> Option<[Target; TARGETS]> {
    let further = draw::further(&mut seeds.shared());
    let targets: Option<Vec<Target>> = (0..TARGETS)
        .map(|target| {
            draw::target(Dial::of(level.on_ladder(target)), &further, &mut seeds.target(target))
        })
        .collect();
    targets?.try_into().ok()
}

#[derive(Debug)]
struct Villages([Target; TARGETS]);

impl Puzzle for Villages {
    /// Judges by the statements alone.
    fn check(&self, target: usize, value: &str) -> Reading {
        let village = &self.0[target].village;
        match read(value, village.0.len()) {
            Err(why) => Reading::Unreadable(why),
            Ok(liars) => match village.contradiction(liars, None) {
                None => Reading::Hit,
                Some(speaker) => {
                    Reading::Wrong(format!("does not go with what {} says", letter(speaker)))
                }
            },
        }
    }

    fn solution(&self, target: usize) -> String {
        write(self.0[target].liars)
    }

    /// One villager too many or too few, the truthful instead of the liars, or what a misread rule leads to.
    fn slip(&self, target: usize, rng: &mut Stream) -> String {
        let Target { village, liars, misread, .. } = &self.0[target];
        let mut slips = misread.clone();
        slips.extend([liars ^ (1 << rng.index(village.0.len())), liars ^ village.everybody()]);
        // Only one choice is right, and none of these is that one.
        rng.pick(&slips).map_or_else(String::new, |slip| write(*slip))
    }

    /// Any choice of liars.
    fn guess(&self, target: usize, rng: &mut Stream) -> String {
        write(rng.below(u32::from(self.0[target].village.everybody()) + 1) as Group)
    }

    /// Everybody lies.
    fn start(&self, target: usize) -> Option<String> {
        Some(write(self.0[target].village.everybody()))
    }

    fn effort(&self, target: usize) -> u64 {
        self.0[target].effort
    }
}

/// The letters in alphabetical order; `none` for nobody.
fn write(liars: Group) -> String {
    match liars {
        0 => "none".to_owned(),
        liars => members(liars).map(letter).collect(),
    }
}

/// Reads a choice of liars: letters in any case and order, each once, or `none`. Spaces, brackets, `,` `;` `-` `|` `/` `&` and
/// the word `and` between letters mean nothing.
fn read(value: &str, villagers: usize) -> Result<Group, String> {
    if value.len() > LONGEST {
        return Err(format!("more than {LONGEST} characters"));
    }
    let between = |c: char| {
        matches!(
            c,
            ' ' | '\t' | ',' | ';' | '-' | '|' | '/' | '&' | '{' | '}' | '[' | ']' | '(' | ')'
        )
    };
    let value = value.trim().trim_end_matches('.');
    let words: Vec<&str> = value.split(between).filter(|word| !word.is_empty()).collect();
    if let [only] = words.as_slice()
        && only.eq_ignore_ascii_case("none")
    {
        return Ok(0);
    }
    let mut liars = 0;
    for char in
        words.iter().filter(|word| !word.eq_ignore_ascii_case("and")).flat_map(|word| word.chars())
    {
        let villager = match char.to_ascii_uppercase() {
            letter @ 'A'..='Z' => usize::from(letter as u8 - b'A'),
            _ => return Err(format!("liars with {char:?}")),
        };
        if villager >= villagers {
            return Err(format!("no villager {}", letter(villager)));
        }
        if liars & (1 << villager) != 0 {
            return Err(format!("{} twice", letter(villager)));
        }
        liars |= 1 << villager;
    }
    if liars == 0 { Err("nobody named".to_owned()) } else { Ok(liars) }
}
