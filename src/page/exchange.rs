//! What a lane was asked at each range and what it answered, gathered from io.jsonl line by line: bounded, so that a file of any
//! size costs little memory. Shown by `answers.rs`.

use crate::lane::chunk::{Channel, Chunk};
use crate::lane::request::Purpose;
use crate::lane::think;
use crate::race::Input;
use serde_json::Value;

/// Most text that is kept of a race, in bytes.
const KEPT_BYTES_MAX: usize = 8 << 20;

/// A request of a range and its reply.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The main request or the forced answer.
    pub purpose: Purpose,
    /// The task as it was asked.
    pub prompt: String,
    /// What was thought.
    pub reasoning: String,
    /// What was answered.
    pub answer: String,
    /// Bytes of the reply that were too many to keep.
    pub lost_bytes: u64,
    /// The first and the last line of it in io.jsonl, from 1.
    pub lines: (u64, u64),
}

/// Gathers the exchanges of a race.
#[derive(Debug, Default)]
pub struct Reader {
    ranges: Vec<Vec<Exchange>>,
    kept_bytes: usize,
    /// Whether what comes belongs to the last exchange.
    is_on: bool,
}

impl Reader {
    /// Takes the next input, line `number` of its file.
    pub fn take(&mut self, number: u64, input: Input) {
        match input {
            Input::Request { purpose, body } => self.ask(number, purpose, &body),
            Input::Chunk { chunk: Chunk::Delta { channel, text } } if self.is_on => {
                self.hear(number, channel, &text);
            }
            Input::Chunk { .. } if self.is_on => {
                if let Some(exchange) = self.last() {
                    exchange.lines.1 = number;
                }
            }
            _ => {}
        }
    }

    /// The exchanges of each range, with thinking set aside.
    #[must_use]
    pub fn finish(mut self) -> Vec<Vec<Exchange>> {
        for exchange in self.ranges.iter_mut().flatten() {
            let thought = think::split(&exchange.reasoning, &exchange.answer);
            exchange.reasoning = thought.reasoning;
            exchange.answer = thought.answer;
        }
        self.ranges
    }

    fn last(&mut self) -> Option<&mut Exchange> {
        self.ranges.last_mut()?.last_mut()
    }

    fn ask(&mut self, number: u64, purpose: Purpose, body: &Value) {
        self.is_on = matches!(purpose, Purpose::Main | Purpose::Forced);
        if !self.is_on {
            return;
        }
        if purpose == Purpose::Main || self.ranges.is_empty() {
            self.ranges.push(Vec::new());
        }
        let prompt = self.keep(asked(body));
        let exchange = Exchange {
            purpose,
            prompt,
            reasoning: String::new(),
            answer: String::new(),
            lost_bytes: 0,
            lines: (number, number),
        };
        self.ranges.last_mut().into_iter().for_each(|range| range.push(exchange.clone()));
    }

    fn hear(&mut self, number: u64, channel: Channel, text: &str) {
        let fits = self.kept_bytes.saturating_add(text.len()) <= KEPT_BYTES_MAX;
        self.kept_bytes += if fits { text.len() } else { 0 };
        let Some(exchange) = self.last() else { return };
        exchange.lines.1 = number;
        if !fits {
            exchange.lost_bytes += text.len() as u64;
            return;
        }
        match channel {
            Channel::Reasoning => exchange.reasoning.push_str(text),
            Channel::Answer => exchange.answer.push_str(text),
        }
    }

    fn keep(&mut self, text: &str) -> String {
        if self.kept_bytes.saturating_add(text.len()) > KEPT_BYTES_MAX {
            return String::new();
        }
        self.kept_bytes += text.len();
        text.to_owned()
    }
}

/// The last message of the user.
fn asked(body: &Value) -> &str {
    let messages = body.get("messages").and_then(Value::as_array);
    let user = |message: &&Value| message.get("role").and_then(Value::as_str) == Some("user");
    let last = messages.and_then(|messages| messages.iter().rev().find(user));
    last.and_then(|message| message.get("content")).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ask(purpose: Purpose, text: &str) -> Input {
        let body = json!({ "messages": [{ "role": "system", "content": "s" }, { "role": "user", "content": text }] });
        Input::Request { purpose, body }
    }

    fn say(text: &str) -> Input {
        let (channel, text) = (Channel::Answer, text.to_owned());
        Input::Chunk { chunk: Chunk::Delta { channel, text } }
    }

    #[test]
    fn exchanges_belong_to_their_ranges() {
        let mut reader = Reader::default();
        let inputs = [
            ask(Purpose::Zeroing, "count"),
            say("one"),
            ask(Purpose::Main, "task 1"),
            say("<think>hm"),
            say("</think>TARGET 1: a"),
            ask(Purpose::Forced, "now"),
            say("TARGET 2: b"),
            ask(Purpose::Probe, "idle?"),
            say("yes"),
            ask(Purpose::Main, "task 2"),
        ];
        for (number, input) in (1..).zip(inputs) {
            reader.take(number, input);
        }
        let ranges = reader.finish();
        let seen: Vec<_> = ranges
            .iter()
            .flatten()
            .map(|it| (it.prompt.as_str(), it.reasoning.as_str(), it.answer.as_str(), it.lines))
            .collect();
        assert_eq!(
            seen,
            [
                ("task 1", "hm", "TARGET 1: a", (3, 5)),
                ("now", "", "TARGET 2: b", (6, 7)),
                ("task 2", "", "", (10, 10)),
            ]
        );
        assert_eq!(ranges.len(), 2);
    }

    #[test]
    fn a_flood_is_counted_and_not_kept() {
        let mut reader = Reader::default();
        reader.take(1, ask(Purpose::Main, "task"));
        let piece = "x".repeat(1 << 20);
        (2..12).for_each(|number| reader.take(number, say(&piece)));
        let ranges = reader.finish();
        assert!(ranges[0][0].answer.len() < KEPT_BYTES_MAX);
        assert_eq!(ranges[0][0].lost_bytes, 3 << 20);
        assert_eq!(ranges[0][0].lines, (1, 11));
    }
}
