//! Whether the stamps of a race can be true: clocks that agree, and replies that no machine writes faster.
//!
//! That stamps never go back is `rerun.rs`'s; that a clock which parted inside a range disturbs the race is the referee's.

use crate::clock::Stamp;
use crate::lane::chunk::Chunk;
use crate::race::Input;
use crate::wall;

/// More tokens a second than any machine decodes in one stream, ten times what the fastest do. In tokens a millisecond.
const TOKENS_A_MS_MAX: u64 = 20;

/// Tokens that may come at once: a short reply from a buffer takes no time that a millisecond shows.
const TOKENS_FREE: u64 = 2_000;

/// The same for a server that reports no tokens, in bytes of text: some sixty a token.
const BYTES_A_MS_MAX: u64 = 1_200;
const BYTES_FREE: u64 = 512 * 1024;

/// How many places are named where the clocks parted.
const JUMPS_MAX: usize = 3;

/// What the stamps of a race say so far.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    gap_ms: u64,
    last: Option<Stamp>,
    reply: Option<Meter>,
    jumps: Vec<(u64, u64)>,
    more_jumps: u64,
}

/// One reply, measured.
#[derive(Debug)]
struct Meter {
    asked_ms: u64,
    last_ms: u64,
    bytes: u64,
    tokens: u64,
}

impl Stamps {
    /// The stamps of a race whose season allows the clocks to part by so much.
    pub(super) fn new(gap_ms: u64) -> Self {
        Self { gap_ms, ..Self::default() }
    }

    /// Takes an input; says what cannot be true.
    pub(super) fn take(&mut self, line: u64, at: Stamp, input: &Input) -> Result<(), String> {
        if let Some(last) = self.last.replace(at) {
            let by_ms = wall::parted_ms(last, at);
            if by_ms > self.gap_ms && self.jumps.len() < JUMPS_MAX {
                self.jumps.push((line, by_ms));
            } else if by_ms > self.gap_ms {
                self.more_jumps += 1;
            }
        }
        match input {
            Input::Request { .. } => {
                let before = self.reply.take();
                let (asked_ms, last_ms) = (at.t_ms, at.t_ms);
                self.reply = Some(Meter { asked_ms, last_ms, bytes: 0, tokens: 0 });
                before.map_or(Ok(()), |meter| meter.check())
            }
            Input::Chunk { chunk } => {
                let Some(meter) = &mut self.reply else { return Ok(()) };
                meter.last_ms = at.t_ms;
                match chunk {
                    Chunk::Delta { text, .. } => {
                        meter.bytes = meter.bytes.saturating_add(text.len() as u64);
                    }
                    Chunk::Usage { usage } => {
                        meter.tokens = usage.completion_tokens.unwrap_or(0);
                    }
                    _ => {}
                }
                let ended = if chunk.ends() { self.reply.take() } else { None };
                ended.map_or(Ok(()), |meter| meter.check())
            }
            _ => Ok(()),
        }
    }

    /// What a reader should know: where the clocks parted.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |(line, by_ms): &(u64, u64)| {
            format!(
                "io.jsonl, line {line}: wall clock and monotonic clock part by {by_ms} ms there"
            )
        };
        let mut notes: Vec<String> = self.jumps.iter().map(note).collect();
        if self.more_jumps > 0 {
            notes.push(format!("and at {} more lines", self.more_jumps));
        }
        notes
    }
}

impl Meter {
    fn check(&self) -> Result<(), String> {
        let took_ms = self.last_ms.saturating_sub(self.asked_ms);
        if self.tokens > took_ms.saturating_mul(TOKENS_A_MS_MAX).saturating_add(TOKENS_FREE) {
            return Err(format!(
                "ends a reply of {} tokens that took {took_ms} ms: no machine decodes that fast",
                self.tokens
            ));
        }
        if self.bytes > took_ms.saturating_mul(BYTES_A_MS_MAX).saturating_add(BYTES_FREE) {
            return Err(format!(
                "ends a reply of {} bytes that took {took_ms} ms: no machine writes that fast",
                self.bytes
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::chunk::{Channel, Usage};
    use crate::lane::request::Purpose;

    fn at(t_ms: u64, wall_ms: i64) -> Stamp {
        Stamp { t_ms, wall_ms }
    }

    fn request() -> Input {
        Input::Request { purpose: Purpose::Main, body: serde_json::Value::Null }
    }

    fn chunk(chunk: Chunk) -> Input {
        Input::Chunk { chunk }
    }

    fn tokens(count: u64) -> Input {
        chunk(Chunk::Usage {
            usage: Usage {
                prompt_tokens: None,
                completion_tokens: Some(count),
                reasoning_tokens: None,
                cached_tokens: None,
                raw: serde_json::Value::Null,
            },
        })
    }

    fn reply(between: Input, took_ms: u64) -> Result<(), String> {
        let mut stamps = Stamps::new(250);
        stamps.take(1, at(0, 0), &request()).unwrap();
        let end = took_ms.try_into().unwrap();
        stamps.take(2, at(took_ms, end), &between).unwrap();
        stamps.take(3, at(took_ms, end), &chunk(Chunk::End { complete: true, done: true }))
    }

    #[test]
    fn replies_faster_than_any_machine_are_named() {
        assert_eq!(reply(tokens(2_000), 0), Ok(()));
        assert_eq!(reply(tokens(4_000), 100), Ok(()));
        assert!(reply(tokens(4_001), 100).unwrap_err().contains("4001 tokens that took 100 ms"));
        assert!(reply(tokens(u64::MAX), 1).is_err());
        let text =
            |count| chunk(Chunk::Delta { channel: Channel::Answer, text: "x".repeat(count) });
        assert_eq!(reply(text(500_000), 0), Ok(()));
        assert!(reply(text(700_000), 10).unwrap_err().contains("bytes"));
        assert_eq!(reply(text(700_000), 1_000), Ok(()));
    }

    #[test]
    fn a_cut_reply_is_measured_at_the_next_request() {
        let mut stamps = Stamps::new(250);
        stamps.take(1, at(0, 0), &request()).unwrap();
        stamps.take(2, at(5, 5), &tokens(50_000)).unwrap();
        assert!(stamps.take(3, at(20_000, 20_000), &request()).is_err());
    }

    #[test]
    fn clocks_that_part_are_told() {
        let mut stamps = Stamps::new(250);
        for (line, (t_ms, wall_ms)) in
            (1..).zip([(0, 0), (1_000, 1_250), (2_000, 2_600), (3_000, -7_000), (4_000, -6_000)])
        {
            stamps.take(line, at(t_ms, wall_ms), &Input::Tick).unwrap();
        }
        let notes = stamps.notes();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("line 3") && notes[0].contains("by 350 ms"), "{notes:?}");
        assert!(notes[1].contains("line 4") && notes[1].contains("by 10600 ms"), "{notes:?}");
    }
}
