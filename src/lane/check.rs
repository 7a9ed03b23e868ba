//! Is this server fit to race, and how fast is it: a handful of small requests, each with a finding and what to do about it.
//!
//! Printed by `gauntlet lane check`. Every prompt begins with a line of its own, so that one check does not warm the next.

use super::chunk::FailureKind;
use super::file::{LaneFile, Switch};
use super::hear::{Heard, ask, listen};
use super::http::{HttpLane, LaneError};
use super::request::{Ask, Message, Purpose, Role, body};
use serde::Serialize;
use serde_json::Value;

/// How good a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// As it should be, or just a fact.
    Ok,
    /// It can race, but a reader should know, or something should be set.
    Warn,
    /// It cannot race like this.
    Fail,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The check.
    pub check: &'static str,
    /// How good it is.
    pub mark: Mark,
    /// What was seen.
    pub says: String,
    /// What to do.
    pub hint: Option<String>,
}

/// How fast the lane is, in thousandths of a token a second; what could not be measured is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Speed {
    /// To the first token of a short prompt.
    pub first_token_ms: Option<u64>,
    /// Tokens of a longer prompt read a second.
    pub prefill_milli: Option<u64>,
    /// Tokens written a second.
    pub decode_milli: Option<u64>,
}

/// What is asked and what comes of it.
struct Check<'a> {
    file: &'a LaneFile,
    head: &'a str,
    asked: u32,
    report: &'a mut dyn FnMut(Finding),
}

/// A reply of some length, without working.
const COUNT: &str =
    "Write the numbers from one to forty in words, separated by commas, and nothing else.";

/// Enough tokens for it, and for a speed.
const REPLY_TOKENS: u64 = 200;

/// A little to think about.
const RIDDLE: &str = "A bat and a ball cost 110 together; the bat costs 100 more. What costs the ball? Give the number alone.";

/// Checks a lane. Findings are reported as they come; nothing more is asked of a server that does not answer.
///
/// `head` begins every prompt and should be one that no other check has; `second` is another lane to the same server.
pub async fn check(
    file: &LaneFile,
    lane: &mut HttpLane,
    second: &mut HttpLane,
    head: &str,
    report: &mut dyn FnMut(Finding),
) -> Speed {
    let mut check = Check { file, head, asked: 0, report };
    let mut speed = Speed::default();
    if !check.models(lane).await {
        return speed;
    }
    check.server(lane).await;
    let Some(first) = check.stream(lane).await else { return speed };
    speed.first_token_ms = first.first_token_ms;
    speed.decode_milli = decode_milli(&first);
    check.token_limit(lane).await;
    check.thinking(lane).await;
    check.seed(lane).await;
    speed.prefill_milli = check.cache(lane).await;
    check.busy(lane, second).await;
    check.after_a_cut(lane, &first).await;
    speed
}

impl Check<'_> {
    fn say(&mut self, check: &'static str, mark: Mark, says: impl Into<String>, hint: &str) {
        let hint = (!hint.is_empty()).then(|| hint.to_owned());
        (self.report)(Finding { check, mark, says: says.into(), hint });
    }

    /// A request body. The same `number` begins with the same line.
    fn body(&self, number: u32, text: &str, limit_tokens: u64, thinking: bool) -> Value {
        let system = format!("Check {} {number}\nAnswer briefly.", self.head);
        let messages = vec![Message::new(Role::System, system), Message::new(Role::User, text)];
        let purpose = if limit_tokens == 1 { Purpose::Probe } else { Purpose::Main };
        body(self.file, &Ask { purpose, messages, limit_tokens, thinking })
    }

    /// The next body with a line of its own.
    fn fresh(&mut self, text: &str, limit_tokens: u64, thinking: bool) -> Value {
        self.asked += 1;
        self.body(self.asked, text, limit_tokens, thinking)
    }

    /// Whether the server can be reached at all.
    async fn models(&mut self, lane: &mut HttpLane) -> bool {
        let model = &self.file.model;
        match lane.models().await {
            Ok(names) if names.contains(model) => {
                self.say("model", Mark::Ok, format!("the server lists {model}"), "");
            }
            Ok(names) => {
                let shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
                let says = format!("the server does not list {model}; it lists: {shown}");
                let hint = "some servers answer with another model instead of refusing: set `model` to a listed name";
                self.say("model", Mark::Warn, says, hint);
            }
            Err(LaneError::Failed(failure)) => {
                let gone = matches!(
                    failure.kind,
                    FailureKind::Connect
                        | FailureKind::ConnectTimeout
                        | FailureKind::FirstByteTimeout
                );
                if gone {
                    let hint = "start the server, or mend `base_url`";
                    self.say("reach", Mark::Fail, failure.message, hint);
                    return false;
                }
                let says = format!("no list of models: {failure}");
                self.say(
                    "model",
                    Mark::Warn,
                    says,
                    "whether `model` is right shows in the next check",
                );
            }
            Err(error) => {
                self.say("reach", Mark::Fail, error.to_string(), "mend the lane file");
                return false;
            }
        }
        true
    }

    /// What a llama.cpp server tells of its context and slots.
    async fn server(&mut self, lane: &mut HttpLane) {
        let facts = lane.facts().await;
        if let Some(context) = facts.context {
            let says = format!("{context} tokens of context a slot");
            let limit = self.file.answer_limit_tokens;
            if context <= limit {
                let says = format!("{says}, and answer_limit_tokens is {limit}");
                let hint = "lower `answer_limit_tokens` to leave room for the prompt, or give the server more context";
                self.say("context size", Mark::Warn, says, hint);
            } else {
                self.say("context size", Mark::Ok, says, "");
            }
        }
        match (facts.busy, facts.slots) {
            (Some(busy), slots) if busy > 0 => {
                let says = format!("{busy} of {} slots at work", slots.unwrap_or(busy));
                self.say("idle", Mark::Warn, says, "somebody else uses the server: race alone");
            }
            (Some(_), _) => self.say("idle", Mark::Ok, "no slot is at work", ""),
            (None, _) => {}
        }
    }

    /// A normal reply; then one that is asked for with the lane's full token limit, which a server with too little
    /// context refuses.
    async fn stream(&mut self, lane: &mut HttpLane) -> Option<Heard> {
        let request = self.fresh(COUNT, self.file.answer_limit_tokens.min(REPLY_TOKENS), false);
        let heard = ask(lane, &request).await;
        if let Some(error) = &heard.error {
            let hint = match heard.status {
                Some(401 | 403) => {
                    "the server wants a key: put it into an environment variable and its name into `api_key_env`"
                }
                Some(404) => "is `base_url` right (it often ends in /v1), and `model`?",
                Some(400 | 422) => {
                    "it refuses a field of the request: see [sampling], [extra], `cache_off`, `token_limit_field` and the server's context"
                }
                Some(503) => "it may still be loading: try again",
                _ => "see the server's log",
            };
            self.say("reply", Mark::Fail, error.clone(), hint);
            return None;
        }
        let reason = heard.finish_reason.as_deref().unwrap_or("none");
        let says = format!("complete after {} ms, finish reason {reason}", heard.end_ms);
        self.say("reply", Mark::Ok, says, "");
        if heard.pieces < 3 {
            let says = format!("the text came in {} pieces", heard.pieces);
            let hint = "something between collects the stream (a proxy?): times of first tokens cannot be trusted";
            self.say("stream", Mark::Warn, says, hint);
        } else {
            self.say("stream", Mark::Ok, format!("the text came in {} pieces", heard.pieces), "");
        }
        match heard.usage.as_ref().and_then(|usage| usage.completion_tokens) {
            Some(count) => self.say("usage", Mark::Ok, format!("{count} tokens reported"), ""),
            None => {
                let hint = "tokens and speeds will read \"not reported\"";
                self.say("usage", Mark::Warn, "the server reports no token counts", hint);
            }
        }
        let limit = self.file.answer_limit_tokens;
        let request = self.fresh("Say ok.", limit, false);
        match ask(lane, &request).await.error {
            Some(error) => {
                let hint = "lower `answer_limit_tokens`, or start the server with more context";
                self.say("context", Mark::Fail, format!("{limit} tokens of answer: {error}"), hint);
            }
            None => self.say("context", Mark::Ok, format!("takes a limit of {limit} tokens"), ""),
        }
        Some(heard)
    }

    async fn token_limit(&mut self, lane: &mut HttpLane) {
        let request = self.fresh(COUNT, 8, false);
        let heard = ask(lane, &request).await;
        let used = heard.usage.as_ref().and_then(|usage| usage.completion_tokens);
        let field = self.file.token_limit_field.name();
        if heard.finish_reason.as_deref() == Some("length") && used.is_none_or(|used| used <= 8) {
            self.say("token limit", Mark::Ok, format!("{field} ends a reply as length"), "");
        } else {
            let says = format!(
                "{field} = 8 ended as {} with {} tokens",
                heard.finish_reason.as_deref().unwrap_or("nothing"),
                used.map_or_else(|| "unknown".into(), |used| used.to_string()),
            );
            // A reply of its own end below the limit says nothing about the limit.
            let ended_first =
                heard.finish_reason.as_deref() == Some("stop") && used.is_some_and(|used| used < 8);
            let hint = if ended_first {
                "the model ended its reply before the limit, so the limit was not tried; check again, or with another seed"
            } else {
                "try the other `token_limit_field`; without it cut-offs are not seen"
            };
            self.say("token limit", Mark::Warn, says, hint);
        }
    }

    async fn thinking(&mut self, lane: &mut HttpLane) {
        let mut thought = [false; 2];
        for (index, thinking) in [false, true].into_iter().enumerate() {
            let request = self.fresh(RIDDLE, 64, thinking);
            let heard = ask(lane, &request).await;
            thought[index] = !heard.reasoning.trim().is_empty();
        }
        let told = self.file.thinking.switch != Switch::None;
        let hint = "mend [thinking]: the switch may have another name or value on this server; or the model writes a closing tag \
                    of its own: `gauntlet lane ask FILE --prompt TEXT` shows its reply";
        let (mark, says, hint) = match (told, thought) {
            (_, [false, true]) => {
                (Mark::Ok, "it thinks when told to, and not when told not to", "")
            }
            (true, [true, true]) => (Mark::Warn, "it thinks although it is told not to", hint),
            (true, [false, false]) => (Mark::Warn, "no thinking was seen with the switch on", hint),
            (false, [false, false]) => (Mark::Ok, "no thinking was seen, and no switch is set", ""),
            (_, [true, _]) => (
                Mark::Warn,
                "it thinks, and no switch is set",
                "a forced answer will think too: set [thinking] `switch` if the server has one",
            ),
        };
        self.say("thinking", mark, says, hint);
    }

    async fn seed(&mut self, lane: &mut HttpLane) {
        let request = self.fresh("Invent a name for a small town.", 16, false);
        let first = ask(lane, &request).await;
        let again = ask(lane, &request).await;
        let same = (&first.reasoning, &first.answer) == (&again.reasoning, &again.answer);
        if same {
            self.say("seed", Mark::Ok, "the same seed gave the same reply twice", "");
        } else {
            let hint = "nothing to mend; a race of this lane cannot be repeated word for word";
            self.say("seed", Mark::Warn, "the same seed gave two different replies", hint);
        }
    }

    /// A longer prompt twice: once for the speed of reading, once more to see whether a cache helps.
    async fn cache(&mut self, lane: &mut HttpLane) -> Option<u64> {
        let facts: String =
            (0..40).map(|number| format!("Fact {number} is that {number} is a number. ")).collect();
        let request = self.fresh(&format!("{facts}Say ok."), 2, false);
        let cold = ask(lane, &request).await;
        let warm = ask(lane, &request).await;
        let (cold_ms, warm_ms) = (cold.first_token_ms?, warm.first_token_ms?);
        let cached = warm.usage.as_ref().and_then(|usage| usage.cached_tokens).unwrap_or(0);
        let faster = cold_ms > warm_ms.saturating_mul(2) && cold_ms > warm_ms.saturating_add(50);
        if cached > 0 || faster {
            let says = format!(
                "the same prompt again took {warm_ms} ms to its first token instead of {cold_ms} ms"
            );
            let hint = "set `cache_off = \"cache_prompt\"` if the server knows that field; every prompt of a race is new in any case";
            self.say("cache", Mark::Warn, says, hint);
        } else {
            let says = format!("the same prompt again is not faster ({cold_ms} and {warm_ms} ms)");
            self.say("cache", Mark::Ok, says, "");
        }
        let tokens = cold.usage.as_ref()?.prompt_tokens?;
        per_second_milli(tokens, cold_ms)
    }

    /// Two requests at once: does the second wait for the first?
    async fn busy(&mut self, lane: &mut HttpLane, second: &mut HttpLane) {
        let long = self.fresh(COUNT, 64, false);
        let short = self.fresh("Say ok.", 1, false);
        let sent = lane.send(&long);
        let first_text = lane.next().await;
        if first_text.chunk.ends() {
            return;
        }
        let beside = ask(second, &short).await;
        let waited = beside.end_ms;
        let first = listen(lane, sent).await;
        let Some(error) = beside.error else {
            let left = first.end_ms.saturating_sub(first_text.at.t_ms.saturating_sub(sent.t_ms));
            let queued = waited.saturating_add(20) >= left;
            let says = if queued {
                format!("a second request waits for the first ({waited} ms): one slot")
            } else {
                format!("a second request is answered beside the first ({waited} ms)")
            };
            self.say("slots", Mark::Ok, says, "race when nobody else uses the server");
            return;
        };
        self.say("slots", Mark::Ok, format!("a second request is refused: {error}"), "race alone");
    }

    /// Does the server go on after a hang-up?
    async fn after_a_cut(&mut self, lane: &mut HttpLane, usual: &Heard) {
        let long = self.fresh(COUNT, 256, false);
        lane.send(&long);
        let first = lane.next().await;
        lane.cut();
        if first.chunk.ends() {
            return;
        }
        let probe = self.fresh("Say ok.", 1, false);
        let heard = ask(lane, &probe).await;
        let usual_ms = usual.first_token_ms.unwrap_or(usual.end_ms);
        let (mark, hint) = if heard.end_ms > usual_ms.saturating_mul(3).saturating_add(500) {
            (Mark::Warn, "a race waits for it after each buzzer, outside the clock")
        } else {
            (Mark::Ok, "")
        };
        let says = format!("free {} ms after a hang-up", heard.end_ms);
        self.say("hang-up", mark, says, hint);
    }
}

/// Tokens a second after the first, in thousandths, by the server's own count.
fn decode_milli(heard: &Heard) -> Option<u64> {
    let tokens = heard.usage.as_ref()?.completion_tokens?.checked_sub(1)?;
    per_second_milli(tokens, heard.end_ms.checked_sub(heard.first_token_ms?)?)
}

/// Thousandths of a token a second; nothing where the time is too short to say.
fn per_second_milli(tokens: u64, ms: u64) -> Option<u64> {
    (ms >= 5 && tokens > 0).then(|| tokens.saturating_mul(1_000_000) / ms)
}
