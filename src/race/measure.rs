//! How many tokens a reply had and how fast it came, each figure with where it is from. Shown, never scored.
//!
//! A count is the server's own wherever it gave one. Pieces of text are not tokens (a piece may hold several, with
//! speculative decoding most do): they are given only where a reply has no count at all, and say so.

use super::reply::Reply;
use super::scoring::decode_mtps;
use crate::lane::chunk::Channel;
use crate::lane::think;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a figure comes from.
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The server's token counts; a rate is such a count over the time on our clock.
    Usage,
    /// llama.cpp's own timings.
    Timings,
    /// The server's count of the whole reply, divided by the length of thinking and answer.
    TextShare,
    /// Pieces of text that came. Not tokens.
    Pieces,
}

/// A number of tokens, or of pieces.
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// How many.
    pub count: u64,
    /// Whose count.
    pub source: Source,
}

/// A speed.
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Thousandths of a token a second.
    pub mtps: u64,
    /// Whose figures.
    pub source: Source,
}

/// What was measured of one reply; what nobody told is absent.
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The prompt.
    pub prompt: Option<Count>,
    /// The thinking before the answer.
    pub thinking: Option<Count>,
    /// The visible answer.
    pub answer: Option<Count>,
    /// How fast the prompt was read.
    pub prefill: Option<Rate>,
    /// How fast the reply was written.
    pub decode: Option<Rate>,
}

/// llama.cpp's timings of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timings {
    prompt: Option<(u64, u64)>,
    predicted: Option<(u64, u64)>,
}

impl Timings {
    /// Reads the object as the server sent it.
    #[must_use]
    pub fn read(raw: &Value) -> Self {
        let pair = |count: &str, time: &str| raw[count].as_u64().zip(micros(&raw[time]));
        Self {
            prompt: pair("prompt_n", "prompt_ms"),
            predicted: pair("predicted_n", "predicted_ms"),
        }
    }
}

/// Measures a reply whose clock stopped at that moment.
#[must_use]
pub fn measure(reply: &Reply, clock_ms: u64) -> Measured {
    let usage = reply.usage.as_ref();
    let timings = reply.timings.unwrap_or_default();
    let by = |source| move |count| Count { count, source };
    let prompt = usage.and_then(|usage| usage.prompt_tokens).map(by(Source::Usage));
    let prompt =
        prompt.or(timings.prompt.map(|(count, _)| Count { count, source: Source::Timings }));
    let whole = usage.and_then(|usage| usage.completion_tokens).map(by(Source::Usage));
    let whole =
        whole.or(timings.predicted.map(|(count, _)| Count { count, source: Source::Timings }));
    let (thinking, answer) = parts(reply, whole);
    let first_ms = reply.first_token_ms.map(|first| first.saturating_sub(reply.asked_ms));
    let read =
        usage.and_then(|usage| usage.prompt_tokens?.checked_sub(usage.cached_tokens.unwrap_or(0)));
    let prefill = rate(timings.prompt, Source::Timings)
        .or_else(|| rate(read.zip(first_ms.map(|ms| ms.saturating_mul(1_000))), Source::Usage));
    let decode = rate(timings.predicted, Source::Timings).or_else(|| {
        let written = usage?.completion_tokens?;
        let mtps = decode_mtps(written, reply.first_token_ms?, clock_ms)?;
        Some(Rate { mtps, source: Source::Usage })
    });
    Measured { prompt, thinking, answer, prefill, decode }
}

/// Divides a reply into thinking and answer.
fn parts(reply: &Reply, whole: Option<Count>) -> (Option<Count>, Option<Count>) {
    let thought = think::split(&reply.reasoning, &reply.content);
    let (thinking, answer) = (length(&thought.reasoning), length(&thought.answer));
    let Some(Count { count, source }) = whole else {
        let count = reply.pieces.0.saturating_add(reply.pieces.1);
        if reply.pieces.0 > 0 && answer > 0 {
            return both(reply.pieces.0, reply.pieces.1, Source::Pieces);
        }
        let share = share(count, thinking, answer);
        return both(share, count - share, Source::Pieces);
    };
    let told = reply.usage.as_ref().and_then(|usage| usage.reasoning_tokens);
    match told.filter(|told| *told <= count && (*told > 0 || thinking == 0)) {
        Some(told) => both(told, count - told, Source::Usage),
        None if thinking == 0 => both(0, count, source),
        None if answer == 0 => both(count, 0, source),
        None => {
            let share = share(count, thinking, answer);
            both(share, count - share, Source::TextShare)
        }
    }
}

fn both(thinking: u64, answer: u64, source: Source) -> (Option<Count>, Option<Count>) {
    (Some(Count { count: thinking, source }), Some(Count { count: answer, source }))
}

/// The part of a count that falls to the thinking, by length of text.
fn share(count: u64, thinking: u64, answer: u64) -> u64 {
    let part = u128::from(count) * u128::from(thinking);
    let part = part.checked_div(u128::from(thinking) + u128::from(answer)).unwrap_or(0);
    u64::try_from(part).unwrap_or(count)
}

fn length(text: &str) -> u64 {
    text.trim().chars().count() as u64
}

/// Tokens over microseconds; nothing where the time is too short to say.
fn rate(of: Option<(u64, u64)>, source: Source) -> Option<Rate> {
    let (count, us) = of.filter(|(count, us)| *count > 0 && *us > 0)?;
    let mtps = u128::from(count) * 1_000_000_000 / u128::from(us);
    Some(Rate { mtps: u64::try_from(mtps).ok()?, source })
}

/// Milliseconds as a server writes them, in whole microseconds.
fn micros(ms: &Value) -> Option<u64> {
    let text = ms.as_number()?.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return None;
    }
    let part = format!("{:0<3.3}", part);
    whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(part.parse().ok()?)
}

/// Counts a piece of text by its channel: thinking first.
pub(super) fn count_piece(pieces: &mut (u64, u64), channel: Channel) {
    match channel {
        Channel::Reasoning => pieces.0 = pieces.0.saturating_add(1),
        Channel::Answer => pieces.1 = pieces.1.saturating_add(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::chunk::{Chunk, Usage};
    use serde_json::json;

    /// A reply asked at 0 with its first text at 500 ms, measured at 2500 ms.
    fn measured(
        texts: &[(Channel, &str)],
        usage: Option<[Option<u64>; 4]>,
        timings: Value,
    ) -> Measured {
        let mut reply = Reply::new(0);
        for (channel, text) in texts {
            reply.take(500, &Chunk::Delta { channel: *channel, text: (*text).into() });
        }
        if let Some([prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens]) = usage {
            let raw = Value::Null;
            let usage =
                Usage { prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, raw };
            reply.take(2_500, &Chunk::Usage { usage });
        }
        if !timings.is_null() {
            reply.take(2_500, &Chunk::Timings { raw: timings });
        }
        measure(&reply, 2_500)
    }

    fn figures(it: &Measured) -> [Option<(u64, Source)>; 5] {
        let count = |it: Option<Count>| it.map(|it| (it.count, it.source));
        let rate = |it: Option<Rate>| it.map(|it| (it.mtps, it.source));
        [count(it.prompt), count(it.thinking), count(it.answer), rate(it.prefill), rate(it.decode)]
    }

    const THOUGHT: [(Channel, &str); 3] =
        [(Channel::Reasoning, "hmm "), (Channel::Reasoning, "hmmm"), (Channel::Answer, "four")];

    #[test]
    fn the_servers_own_split_counts() {
        let it = measured(&THOUGHT, Some([Some(100), Some(41), Some(30), Some(50)]), Value::Null);
        let of = |count| Some((count, Source::Usage));
        // 50 tokens were read in 500 ms, and 40 written in 2 s after the first.
        assert_eq!(figures(&it), [of(100), of(30), of(11), of(100_000), of(20_000)]);
    }

    #[test]
    fn a_whole_count_is_shared_by_length_and_says_so() {
        let it = measured(&THOUGHT, Some([None, Some(120), None, None]), Value::Null);
        let shared = |count| Some((count, Source::TextShare));
        assert_eq!(figures(&it)[1..3], [shared(80), shared(40)]);
        // A server that always reports no thinking tokens has not counted them.
        let it = measured(&THOUGHT, Some([None, Some(120), Some(0), None]), Value::Null);
        assert_eq!(figures(&it)[1..3], [shared(80), shared(40)]);
        let answer = measured(&THOUGHT[2..], Some([None, Some(12), None, None]), Value::Null);
        let of = |count| Some((count, Source::Usage));
        assert_eq!(figures(&answer)[1..3], [of(0), of(12)]);
        let cut = measured(&THOUGHT[..2], Some([None, Some(12), None, None]), Value::Null);
        assert_eq!(figures(&cut)[1..3], [of(12), of(0)]);
    }

    #[test]
    fn timings_are_read_as_they_are_written() {
        let timings =
            json!({"prompt_n": 100, "prompt_ms": 250.5, "predicted_n": 30, "predicted_ms": 1500});
        let it = measured(&THOUGHT[2..], None, timings);
        let of = |count| Some((count, Source::Timings));
        assert_eq!(figures(&it), [of(100), of(0), of(30), of(399_201), of(20_000)]);
        assert_eq!(micros(&json!(0.0307)), Some(30));
        assert_eq!(micros(&json!(7)), Some(7_000));
        for odd in [json!(-1.5), json!(1e300), json!(1e-9), json!("7"), json!(null)] {
            assert_eq!(micros(&odd), None, "{odd}");
        }
    }

    #[test]
    fn pieces_are_counted_only_where_nothing_else_is_and_give_no_rate() {
        let it = measured(&THOUGHT, None, Value::Null);
        let pieces = |count| Some((count, Source::Pieces));
        assert_eq!(figures(&it), [None, pieces(2), pieces(1), None, None]);
        let inline = [(Channel::Answer, "<think>hmm</think>"), (Channel::Answer, "sum")];
        assert_eq!(figures(&measured(&inline, None, Value::Null))[1..3], [pieces(1), pieces(1)]);
        assert_eq!(figures(&measured(&[], None, Value::Null))[1..3], [pieces(0), pieces(0)]);
    }
}
