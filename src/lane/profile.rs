//! Speed and skill of a simulated lane: the `[sim]` section of a lane file, in integers.
//!
//! Speeds are decimals in the file (`decode = { code = 24.9, prose = 19.7 }`) and thousandths of a token a second here, so that
//! a simulated race has no float in it. `sim` makes stamps and answers from this.

use crate::puzzles::{Kind, Level};
use serde::{Deserialize, Deserializer};

/// Thousandths: of a token a second for a speed, of a token for a count.
pub type Milli = u64;

/// How fast and how good a simulated lane is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimProfile {
    /// Tokens written a second.
    pub decode: Decode,
    /// Tokens of prompt read a second, by size of the prompt; sizes grow. Used where `first_token` has no points.
    #[serde(default)]
    pub prefill: Vec<Prefill>,
    /// Time to the first token, by size of the prompt; sizes grow.
    #[serde(default)]
    pub first_token: Vec<FirstToken>,
    /// Tokens that one step of the engine yields, and one delta carries: above 1 with a drafter. 1 when it is not given.
    #[serde(default = "one", deserialize_with = "milli")]
    pub tokens_per_step: Milli,
    /// Tokens of thinking for a task of level 1 to 9. Zeros, so no thinking, when it is not given.
    #[serde(default)]
    pub think_tokens: [u32; 9],
    /// Where thinking appears.
    #[serde(default)]
    pub think_as: ThinkAs,
    /// Tokens of visible working before the answer itself.
    #[serde(default)]
    pub working_tokens: u32,
    /// Characters of a token. 4 when it is not given.
    #[serde(default = "four")]
    pub chars_per_token: u32,
    /// Marks around the answer lines.
    #[serde(default)]
    pub style: Style,
    /// Skill at puzzles.
    pub puzzle: Skill,
    /// Skill at code.
    pub code: Skill,
}

/// Tokens written a second, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decode {
    /// While writing code.
    #[serde(deserialize_with = "milli")]
    pub code: Milli,
    /// While writing anything else, thinking included.
    #[serde(deserialize_with = "milli")]
    pub prose: Milli,
}

/// Reading speed at one size of prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefill {
    /// The prompt's size.
    pub prompt_tokens: u64,
    /// Tokens read a second, in thousandths.
    #[serde(deserialize_with = "milli")]
    pub per_second: Milli,
}

/// Time to the first token at one size of prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstToken {
    /// The prompt's size.
    pub prompt_tokens: u64,
    /// Milliseconds.
    pub ms: u64,
}

/// Where a simulated lane's thinking appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkAs {
    /// In the field for it.
    #[default]
    Field,
    /// In the answer, between think tags.
    Tags,
}

/// How a simulated lane marks up its answer lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// `TARGET 1: value`.
    #[default]
    Plain,
    /// `- **TARGET 1:** value`.
    Markdown,
    /// `TARGET 1: \boxed{value}`.
    Latex,
}

/// Chances of a simulated lane at one kind of task, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// That a target of level 1 is right.
    pub hit_percent: u32,
    /// What every further level takes off.
    #[serde(default)]
    pub less_per_level: u32,
    /// Of the targets that are not right, those with a well-formed slip; of the rest, a third are left out
    /// and the others guessed blindly. 80 when it is not given.
    #[serde(default = "eighty")]
    pub slip_percent: u32,
}

impl Skill {
    /// The chance that a target of a level is right, in percent.
    #[must_use]
    pub fn hit_percent_at(&self, level: Level) -> u32 {
        let steps = u32::from(level.get()) - 1;
        self.hit_percent.saturating_sub(self.less_per_level.saturating_mul(steps))
    }
}

impl SimProfile {
    /// The skill at one kind of task.
    #[must_use]
    pub fn skill(&self, kind: Kind) -> &Skill {
        match kind {
            Kind::Puzzle => &self.puzzle,
            Kind::Code => &self.code,
        }
    }

    /// Milliseconds from the request to the first token: a straight line between the points around the size, in
    /// proportion below the first and at the last point's rate above it.
    #[must_use]
    pub fn first_token_ms(&self, prompt_tokens: u64) -> u64 {
        let mut points: Vec<(u64, u64)> =
            self.first_token.iter().map(|point| (point.prompt_tokens, point.ms)).collect();
        if points.is_empty() {
            points = self
                .prefill
                .iter()
                .map(|point| (point.prompt_tokens, time_ms(point.prompt_tokens, point.per_second)))
                .collect();
        }
        let (mut low, mut low_ms) = (0, 0);
        let mut last = (0, 0);
        for (high, high_ms) in points {
            last = (high, high_ms);
            if prompt_tokens <= high {
                let into = share(prompt_tokens - low, high - low, high_ms.abs_diff(low_ms));
                return if high_ms >= low_ms { low_ms + into } else { low_ms - into };
            }
            (low, low_ms) = (high, high_ms);
        }
        share(prompt_tokens, last.0, last.1)
    }

    /// Milliseconds, rounded up, from the first token on to write `tokens` more.
    #[must_use]
    pub fn decode_ms(&self, kind: Kind, tokens: u64) -> u64 {
        time_ms(
            tokens,
            match kind {
                Kind::Code => self.decode.code,
                Kind::Puzzle => self.decode.prose,
            },
        )
    }

    /// What is wrong: the path below `[sim]` and the words.
    pub(super) fn check(&self) -> Result<(), (Vec<&'static str>, String)> {
        for (path, value) in [
            (["decode", "code"].as_slice(), self.decode.code),
            (&["decode", "prose"], self.decode.prose),
            (&["tokens_per_step"], self.tokens_per_step),
        ] {
            if value == 0 || value > MOST {
                return Err((path.to_vec(), "a speed lies above 0 and below 1000000".into()));
            }
        }
        if self.prefill.is_empty() && self.first_token.is_empty() {
            return Err((vec![], "[sim] needs `first_token` or `prefill`".into()));
        }
        let first: Vec<u64> = self.first_token.iter().map(|point| point.prompt_tokens).collect();
        let prefill: Vec<u64> = self.prefill.iter().map(|point| point.prompt_tokens).collect();
        for (name, sizes) in [("first_token", first), ("prefill", prefill)] {
            let grow = sizes.windows(2).all(|pair| pair[0] < pair[1]);
            if !grow || sizes.first() == Some(&0) || sizes.last().is_some_and(|&size| size > MOST) {
                let what = format!("prompt sizes of `{name}` grow, from 1 to {MOST}");
                return Err((vec![name], what));
            }
        }
        if self.prefill.iter().any(|point| point.per_second == 0 || point.per_second > MOST) {
            return Err((vec!["prefill"], "a speed lies above 0 and below 1000000".into()));
        }
        if self.first_token.iter().any(|point| point.ms > MOST) {
            return Err((vec!["first_token"], format!("`ms` is above {MOST}")));
        }
        for (name, skill) in [("puzzle", &self.puzzle), ("code", &self.code)] {
            for (field, percent) in [
                ("hit_percent", skill.hit_percent),
                ("less_per_level", skill.less_per_level),
                ("slip_percent", skill.slip_percent),
            ] {
                if percent > 100 {
                    return Err((vec![name, field], format!("`{field}` is above 100")));
                }
            }
        }
        if self.think_tokens.iter().chain([&self.working_tokens]).any(|&count| count > 1_000_000) {
            return Err((vec!["think_tokens"], "more than 1000000 tokens".into()));
        }
        if !(1..=64).contains(&self.chars_per_token) {
            return Err((vec!["chars_per_token"], "`chars_per_token` is outside 1 to 64".into()));
        }
        Ok(())
    }
}

/// The largest size and speed; products of two of them and a million stay below 2^64.
const MOST: u64 = 1_000_000_000;

/// Milliseconds, rounded up, for tokens at a speed.
fn time_ms(tokens: u64, per_second: Milli) -> u64 {
    tokens.saturating_mul(1_000_000).div_ceil(per_second.max(1))
}

/// `part` of `whole`, of a value; 0 of nothing.
fn share(part: u64, whole: u64, value: u64) -> u64 {
    part.saturating_mul(value) / whole.max(1)
}

/// A decimal of the file as thousandths: the only place where a float is read, by its digits.
fn milli<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Milli, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    let text = match number.as_f64() {
        Some(value) => format!("{value:.3}"),
        None => number.to_string(),
    };
    text.replace('.', "").parse().map_err(|_| serde::de::Error::custom("a speed is no such number"))
}

fn one() -> Milli {
    1_000
}

fn four() -> u32 {
    4
}

fn eighty() -> u32 {
    80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(more: &str) -> SimProfile {
        let text = format!(
            "decode = {{ code = 24.9, prose = 20 }}\npuzzle = {{ hit_percent = 90, less_per_level = 20 }}\ncode = {{ hit_percent = 100 }}\n{more}"
        );
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn decimals_become_integers() {
        let profile = profile("tokens_per_step = 2.4");
        assert_eq!(profile.decode, Decode { code: 24_900, prose: 20_000 });
        assert_eq!(profile.tokens_per_step, 2_400);
        assert_eq!(profile.decode_ms(Kind::Puzzle, 100), 5_000);
        assert_eq!(profile.decode_ms(Kind::Code, 1), 41);
    }

    #[test]
    fn the_first_token_lies_between_the_points() {
        let profile = profile(
            "first_token = [{ prompt_tokens = 2000, ms = 2200 }, { prompt_tokens = 8000, ms = 9400 }]",
        );
        let ms: Vec<u64> =
            [0, 500, 2000, 5000, 8000, 16000].map(|tokens| profile.first_token_ms(tokens)).into();
        assert_eq!(ms, [0, 550, 2200, 5800, 9400, 18800]);
    }

    #[test]
    fn prefill_serves_where_there_is_no_first_token() {
        let profile = profile("prefill = [{ prompt_tokens = 2048, per_second = 1024.0 }]");
        assert_eq!(profile.first_token_ms(2048), 2000);
        assert_eq!(profile.first_token_ms(4096), 4000);
        assert_eq!(profile.check(), Ok(()));
    }

    #[test]
    fn skill_falls_with_the_level() {
        let profile = profile("");
        let at = |kind: Kind| -> Vec<u32> {
            Level::all().map(|level| profile.skill(kind).hit_percent_at(level)).collect()
        };
        assert_eq!(at(Kind::Puzzle), [90, 70, 50, 30, 10, 0, 0, 0, 0]);
        assert_eq!(at(Kind::Code), [100; 9]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(profile("").check().is_err());
        let two = "first_token = [{ prompt_tokens = 9, ms = 1 }, { prompt_tokens = 9, ms = 1 }]";
        assert_eq!(profile(two).check().unwrap_err().0, ["first_token"]);
    }
}
