//! The one place where a request body is written, from the lane file and what is asked.
//!
//! No secret is ever in a body: the key travels as a header, which `http` adds. The body goes into io.jsonl as it is.

use super::file::{Forced, LaneFile, Switch};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The fixed prompt before the start and after the finish.
    Zeroing,
    /// The prompt of a range.
    Main,
    /// The answer that is forced after a buzzer.
    Forced,
    /// One token, to see whether the lane is idle.
    Probe,
}

/// Who speaks a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The system prompt.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

/// One message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
    /// Thinking that goes before the content of an assistant message that is to be continued: servers add an empty
    /// thought of their own when it is written into the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
}

impl Message {
    /// A message without thinking.
    #[must_use]
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), reasoning_content: None }
    }
}

/// One question to a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// What it is for.
    pub purpose: Purpose,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// The most tokens that the lane may write, thinking included.
    pub limit_tokens: u64,
    /// Whether the lane is asked to think first.
    pub thinking: bool,
}

/// The request body. Keys are in alphabetical order, so that the same question is the same bytes.
#[must_use]
pub fn body(lane: &LaneFile, ask: &Ask) -> Value {
    let mut body = lane.extra.clone();
    if ask.purpose == Purpose::Forced && continues(lane, ask) {
        merge(&mut body, &lane.forced_extra);
    }
    for (name, number) in lane.sampling.given() {
        body.insert(name.into(), Value::Number(number.clone()));
    }
    if let Some(field) = &lane.cache_off {
        set(&mut body, field, Value::Bool(false));
    }
    let mut messages = ask.messages.clone();
    match (&lane.thinking.switch, lane.thinking.value(ask.thinking)) {
        (Switch::Field(path), Some(value)) => set(&mut body, path, value),
        (Switch::SystemPrompt, Some(Value::String(words))) => tell(&mut messages, &words),
        _ => {}
    }
    body.insert("model".into(), json!(lane.model));
    body.insert("messages".into(), json!(messages));
    body.insert("stream".into(), json!(true));
    body.insert("stream_options".into(), json!({"include_usage": true}));
    body.insert("seed".into(), json!(lane.seed));
    body.insert(lane.token_limit_field.name().into(), json!(ask.limit_tokens));
    Value::Object(body)
}

/// Whether the lane is to go on with its own last message.
fn continues(lane: &LaneFile, ask: &Ask) -> bool {
    lane.forced == Forced::Continue
        && ask.messages.last().is_some_and(|last| last.role == Role::Assistant)
}

/// Sets a field by its dotted path; what stands in the way is replaced.
fn set(body: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((outer, inner)) = path.split_once('.') else {
        body.insert(path.into(), value);
        return;
    };
    let mut table = match body.remove(outer) {
        Some(Value::Object(table)) => table,
        _ => Map::new(),
    };
    set(&mut table, inner, value);
    body.insert(outer.into(), Value::Object(table));
}

/// Adds the fields of `more`, table by table.
fn merge(body: &mut Map<String, Value>, more: &Map<String, Value>) {
    for (name, value) in more {
        match (body.get_mut(name), value) {
            (Some(Value::Object(table)), Value::Object(inner)) => merge(table, inner),
            _ => {
                body.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Puts words at the end of the system prompt; there is one afterwards.
fn tell(messages: &mut Vec<Message>, words: &str) {
    match messages.first_mut() {
        Some(first) if first.role == Role::System => {
            first.content.push_str("\n\n");
            first.content.push_str(words);
        }
        _ => messages.insert(0, Message::new(Role::System, words)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(more: &str) -> LaneFile {
        let text = format!(
            "name = \"x\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n{more}"
        );
        LaneFile::parse("x.toml", &text).unwrap()
    }

    fn ask(thinking: bool) -> Ask {
        let messages = vec![Message::new(Role::System, "s"), Message::new(Role::User, "u")];
        Ask { purpose: Purpose::Main, messages, limit_tokens: 100, thinking }
    }

    #[test]
    fn the_least_lane_sends_the_least() {
        insta::assert_json_snapshot!(body(&lane(""), &ask(true)));
        assert_eq!(body(&lane(""), &ask(true)), body(&lane(""), &ask(false)));
    }

    #[test]
    fn a_full_lane_sends_everything_as_it_was_typed() {
        let lane = lane(
            "token_limit_field = \"max_completion_tokens\"\ncache_off = \"cache_prompt\"\nseed = 7\n\
             [sampling]\ntemperature = 1.0\ntop_p = 0.95\ntop_k = 64\nmin_p = 0\n\
             [thinking]\nswitch = \"chat_template_kwargs.enable_thinking\"\nmode = \"off\"\n\
             [extra]\nchat_template_kwargs = { tools = [] }\nid_slot = 0\n",
        );
        let body = body(&lane, &ask(lane.thinks()));
        insta::assert_json_snapshot!(body);
        let text = body.to_string();
        assert!(text.contains("\"temperature\":1.0,") && text.contains("\"min_p\":0,"), "{text}");
    }

    #[test]
    fn thinking_is_switched_as_the_lane_says() {
        let sent = |more: &str, thinking| {
            let mut body = body(&lane(more), &ask(thinking));
            let table = body.as_object_mut().unwrap();
            for usual in ["model", "stream", "stream_options", "seed", "max_tokens"] {
                table.remove(usual);
            }
            if table["messages"][0]["content"] == "s" {
                table.remove("messages");
            }
            body.to_string()
        };
        let effort = "[thinking]\nswitch = \"reasoning_effort\"\n";
        assert_eq!(sent(effort, true), "{}");
        assert_eq!(sent(effort, false), r#"{"reasoning_effort":"none"}"#);
        let low = "[thinking]\nswitch = \"reasoning_effort\"\non = \"high\"\noff = \"low\"\n";
        assert_eq!(sent(low, true), r#"{"reasoning_effort":"high"}"#);
        assert_eq!(sent(low, false), r#"{"reasoning_effort":"low"}"#);
        let words = "[thinking]\nswitch = \"system_prompt\"\noff = \"/no_think\"\n";
        assert_eq!(sent(words, true), "{}");
        assert!(sent(words, false).contains(r#""content":"s\n\n/no_think""#));
        let think = "[thinking]\nswitch = \"think\"\n";
        assert_eq!(sent(think, false), r#"{"think":false}"#);
    }

    #[test]
    fn a_system_prompt_is_made_where_there_is_none() {
        let lane = lane("[thinking]\nswitch = \"system_prompt\"\noff = \"/no_think\"\n");
        let mut ask = ask(false);
        ask.messages.remove(0);
        let body = body(&lane, &ask);
        assert_eq!(body["messages"][0], json!({"role": "system", "content": "/no_think"}));
    }

    #[test]
    fn a_continued_message_brings_its_fields() {
        let lane = lane(
            "forced = \"continue\"\n[forced_extra]\ncontinue_final_message = true\nadd_generation_prompt = false\n",
        );
        let mut ask = ask(false);
        assert!(body(&lane, &ask).get("continue_final_message").is_none());
        ask.purpose = Purpose::Forced;
        assert!(body(&lane, &ask).get("continue_final_message").is_none());
        let mut last = Message::new(Role::Assistant, "TARGET 1:");
        last.reasoning_content = Some("hm".into());
        ask.messages.push(last);
        let body = body(&lane, &ask);
        assert_eq!(body["continue_final_message"], json!(true));
        assert_eq!(body["messages"][2]["reasoning_content"], json!("hm"));
    }
}
