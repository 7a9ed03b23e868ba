//! One object of a reply (a chunk of a stream, or a whole plain body) as chunks of ours: text by channel, counts, the finish.
//!
//! Servers differ in the names and types of nearly every field, so nothing is demanded: what is not understood is not there.

use super::chunk::{Channel, Chunk, Usage, short};
use serde_json::{Map, Value};

/// The longest finish reason that is kept, in characters.
const REASON_CHARS: usize = 64;

/// The longest text of one chunk, in bytes: written as JSON it is at most six times as long, which any reader of io.jsonl takes.
const PIECE_BYTES: usize = 1 << 20;

/// The longest object of counts or timings that is kept as it came, in bytes of JSON.
const RAW_BYTES: usize = 64 << 10;

/// Takes the texts of the first choice out of an object. Reasoning goes before the answer.
pub(super) fn texts(object: &mut Map<String, Value>, out: &mut Vec<Chunk>) {
    let Some(Value::Object(choice)) = first_choice(object) else { return };
    // A plain body has `message`; some servers stream it too. A null beside the other one says nothing.
    for name in ["delta", "message"] {
        let Some(Value::Object(delta)) = choice.get_mut(name) else { continue };
        let mut reasoning = String::new();
        let mut answer = String::new();
        content(delta.get_mut("content").map(Value::take), &mut reasoning, &mut answer);
        if let Some(text) = thought(delta) {
            reasoning = text;
        }
        let refusal = string(delta, "refusal").unwrap_or_default();
        pieces(reasoning, |text| out.push(Chunk::Delta { channel: Channel::Reasoning, text }));
        pieces(refusal, |text| out.push(Chunk::Refusal { text }));
        pieces(answer, |text| out.push(Chunk::Delta { channel: Channel::Answer, text }));
    }
}

/// A text in pieces of a bounded length; none of an empty one.
fn pieces(mut text: String, mut give: impl FnMut(String)) {
    while text.len() > PIECE_BYTES {
        let rest = text.split_off(text.floor_char_boundary(PIECE_BYTES));
        give(std::mem::replace(&mut text, rest));
    }
    if !text.is_empty() {
        give(text);
    }
}

/// Whether an object is short enough to be kept as it came.
fn is_short(raw: &Value) -> bool {
    raw.to_string().len() <= RAW_BYTES
}

/// Why the first choice ended. Some servers write an empty word while it has not.
pub(super) fn finish(object: &mut Map<String, Value>) -> Option<String> {
    let reason = first_choice(object)?.get("finish_reason")?.as_str()?;
    let reason = short(reason, REASON_CHARS);
    (!reason.is_empty()).then_some(reason)
}

/// Whether the object has a list of choices at all.
pub(super) fn has_choices(object: &Map<String, Value>) -> bool {
    object.get("choices").is_some_and(Value::is_array)
}

/// Token counts, when there is at least one.
pub(super) fn usage(object: &mut Map<String, Value>) -> Option<Usage> {
    let raw = object.get_mut("usage").filter(|usage| usage.is_object())?.take();
    let first = |paths: &[&[&str]]| {
        paths
            .iter()
            .find_map(|path| count(path.iter().try_fold(&raw, |value, name| value.get(name))?))
    };
    let usage = Usage {
        prompt_tokens: first(&[&["prompt_tokens"], &["input_tokens"]]),
        completion_tokens: first(&[&["completion_tokens"], &["output_tokens"]]),
        reasoning_tokens: first(&[
            &["completion_tokens_details", "reasoning_tokens"],
            &["output_tokens_details", "reasoning_tokens"],
            &["reasoning_tokens"],
        ]),
        cached_tokens: first(&[
            &["prompt_tokens_details", "cached_tokens"],
            &["input_tokens_details", "cached_tokens"],
            &["cached_tokens"],
            &["prompt_cache_hit_tokens"],
        ]),
        raw: Value::Null,
    };
    let any = usage.prompt_tokens.or(usage.completion_tokens).or(usage.reasoning_tokens);
    any.or(usage.cached_tokens)?;
    let raw = if is_short(&raw) { raw } else { Value::Null };
    Some(Usage { raw, ..usage })
}

/// llama.cpp's timings.
pub(super) fn timings(object: &mut Map<String, Value>) -> Option<Value> {
    let raw = object.get_mut("timings")?.take();
    let some = raw.as_object().is_some_and(|timings| !timings.is_empty());
    (some && is_short(&raw)).then_some(raw)
}

/// The choice with index 0, or without one.
fn first_choice(object: &mut Map<String, Value>) -> Option<&mut Value> {
    let choices = object.get_mut("choices")?.as_array_mut()?;
    choices.iter_mut().find(|choice| match choice.get("index") {
        None | Some(Value::Null) => true,
        Some(index) => count(index) == Some(0),
    })
}

/// The text of the fields for thinking: the first that has any. Proxies send the same text in two of them.
fn thought(delta: &mut Map<String, Value>) -> Option<String> {
    let text = ["reasoning_content", "reasoning"].iter().find_map(|name| string(delta, name));
    text.or_else(|| {
        let items = delta.get("reasoning_details")?.as_array()?;
        let text: String = items
            .iter()
            .filter_map(|item| item.get("text").or_else(|| item.get("summary"))?.as_str())
            .collect();
        (!text.is_empty()).then_some(text)
    })
}

/// The text of `content`: a string, or parts of which some are thinking.
fn content(value: Option<Value>, reasoning: &mut String, answer: &mut String) {
    match value {
        Some(Value::String(text)) => answer.push_str(&text),
        Some(Value::Array(parts)) => {
            for part in parts {
                if let Some(text) = part.get("text").and_then(Value::as_str) {
                    answer.push_str(text);
                }
                match part.get("thinking") {
                    Some(Value::String(text)) => reasoning.push_str(text),
                    Some(Value::Array(inner)) => inner
                        .iter()
                        .filter_map(|part| part.get("text")?.as_str())
                        .for_each(|text| reasoning.push_str(text)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// A field that is text with something in it.
fn string(object: &mut Map<String, Value>, name: &str) -> Option<String> {
    match object.get_mut(name)?.take() {
        Value::String(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// A count: a whole number of zero or more, also written `9.0` or `"9"`.
fn count(value: &Value) -> Option<u64> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    fraction.bytes().all(|digit| digit == b'0').then(|| whole.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Vec<(Channel, String)> {
        let Value::Object(mut object) = value else { panic!("an object") };
        let mut out = Vec::new();
        texts(&mut object, &mut out);
        out.into_iter()
            .filter_map(|chunk| match chunk {
                Chunk::Delta { channel, text } => Some((channel, text)),
                _ => None,
            })
            .collect()
    }

    fn delta(delta: Value) -> Vec<(Channel, String)> {
        read(json!({"choices": [{"index": 0, "delta": delta}]}))
    }

    #[test]
    fn thinking_has_many_names_and_counts_once() {
        let thought = [(Channel::Reasoning, "hm".to_owned())];
        for fields in [
            json!({"reasoning": "hm"}),
            json!({"reasoning_content": "hm"}),
            json!({"reasoning_content": "", "reasoning": "hm"}),
            json!({"reasoning_content": "hm", "reasoning": "hm"}),
            json!({"reasoning": "hm", "content": ""}),
            json!({"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}),
            json!({"reasoning_details": [{"text": "h"}, {"summary": "m"}, {"data": "x"}]}),
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}),
        ] {
            assert_eq!(delta(fields.clone()), thought, "{fields}");
        }
        assert_eq!(delta(json!({"content": [{"type": "text", "text": "4"}]}))[0].1, "4");
    }

    #[test]
    fn what_is_not_understood_is_not_there() {
        for fields in [
            json!(null),
            json!("x"),
            json!({"content": 4}),
            json!({"content": null, "reasoning": {}}),
        ] {
            assert_eq!(delta(fields.clone()), [], "{fields}");
        }
        assert_eq!(read(json!({"choices": {"0": 1}})), []);
        assert_eq!(read(json!({"choices": [null, 3]})), []);
        assert_eq!(read(json!({"choices": [{"message": {"content": "4"}}]}))[0].1, "4");
    }

    #[test]
    fn counts_are_lenient() {
        let counted = |value| count(&value);
        assert_eq!(counted(json!(9)), Some(9));
        assert_eq!(counted(json!(9.0)), Some(9));
        assert_eq!(counted(json!("9")), Some(9));
        assert_eq!(counted(json!(-9)), None);
        assert_eq!(counted(json!(9.5)), None);
        assert_eq!(counted(json!(1e300)), None);
        assert_eq!(counted(json!("9 tokens")), None);
    }
}
