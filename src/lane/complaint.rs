//! What a server says when something went wrong, out of the many shapes that errors have.
//!
//! `reply` asks here of every object, and of the bodies of replies with an error status.

use super::chunk::short;
use super::json;
use serde_json::{Map, Value};

/// The message of an object that is an error, by its `error` field or by saying so; nothing for any other object.
#[must_use]
pub(super) fn in_object(object: &Map<String, Value>) -> Option<String> {
    match object.get("error") {
        None | Some(Value::Null | Value::Bool(false)) => {}
        Some(Value::String(text)) if text.is_empty() => {}
        Some(Value::Object(inner)) if inner.is_empty() => {}
        Some(error) => {
            let own = message(error);
            return Some(own.or_else(|| plain(object)).unwrap_or_else(|| error.to_string()));
        }
    }
    let says_so = |name: &str| object.get(name).and_then(Value::as_str) == Some("error");
    (says_so("object") || says_so("type"))
        .then(|| plain(object).unwrap_or_else(|| "an error without a message".into()))
}

/// The message of an event that is named an error, or of a field line: an object of any of the shapes, or plain text.
#[must_use]
pub(super) fn in_text(text: &str) -> String {
    match json::object(text) {
        Some(object) => {
            in_object(&object).or_else(|| plain(&object)).unwrap_or_else(|| text.into())
        }
        None => text.into(),
    }
}

/// The message of a body with an error status; web pages only yield the status.
#[must_use]
pub(super) fn in_body(status: u16, body: &str) -> String {
    let status = format!("HTTP {status}");
    if let Some(object) = json::object(body) {
        return in_object(&object).or_else(|| plain(&object)).unwrap_or(status);
    }
    let text = short(body, 200);
    if text.is_empty() || text.starts_with('<') { status } else { format!("{status}: {text}") }
}

/// The words in the value of an `error` field.
fn message(error: &Value) -> Option<String> {
    match error {
        Value::String(text) => Some(text.clone()),
        Value::Object(object) => plain(object).or_else(|| message(object.get("error")?)),
        _ => None,
    }
}

/// The words in an object's `message`, `detail` or `msg`.
fn plain(object: &Map<String, Value>) -> Option<String> {
    ["message", "detail", "msg"].iter().find_map(|name| match object.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Array(items) => details(items),
        inner @ Value::Object(_) => message(inner),
        _ => None,
    })
}

/// The list that validators send: where and what.
fn details(items: &[Value]) -> Option<String> {
    let said: Vec<String> = items
        .iter()
        .take(5)
        .filter_map(|item| {
            let words = item.get("msg")?.as_str()?;
            let place: Vec<String> = match item.get("loc").and_then(Value::as_array) {
                Some(parts) => parts
                    .iter()
                    .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
                    .collect(),
                None => vec![],
            };
            Some(if place.is_empty() {
                words.to_owned()
            } else {
                format!("{}: {words}", place.join("."))
            })
        })
        .collect();
    (!said.is_empty()).then(|| said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_every_shape() {
        let read = |text: &str| in_object(&json::object(text).unwrap());
        for text in [
            r#"{"error":{"message":"m","code":500}}"#,
            r#"{"error":"m"}"#,
            r#"{"object":"error","message":"m","code":400}"#,
            r#"{"error":{"error":{"message":"m"}}}"#,
            r#"{"error":{"detail":"m"}}"#,
            r#"{"error":true,"message":"m"}"#,
            r#"{"type":"error","error":{"type":"overloaded","message":"m"}}"#,
            r#"{"error":{"message":"m"},"message":"other"}"#,
        ] {
            assert_eq!(read(text).as_deref(), Some("m"), "{text}");
        }
        for text in [
            r#"{"error":null}"#,
            r#"{"error":false}"#,
            r#"{"error":{}}"#,
            r#"{"error":""}"#,
            r#"{"message":"m"}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(r#"{"error":{"code":7}}"#).as_deref(), Some(r#"{"code":7}"#));
    }

    #[test]
    fn bodies() {
        let detail = r#"{"detail":[{"loc":["body","max_tokens"],"msg":"too big"},{"loc":["body",0],"msg":"odd"}]}"#;
        assert_eq!(in_body(422, detail), "body.max_tokens: too big; body.0: odd");
        assert_eq!(in_body(404, r#"{"detail":"Not Found"}"#), "Not Found");
        assert_eq!(in_body(502, "<html>502</html>"), "HTTP 502");
        assert_eq!(in_body(500, "upstream\n\ngone"), "HTTP 500: upstream gone");
        assert_eq!(in_body(500, ""), "HTTP 500");
        assert_eq!(in_body(500, "{}"), "HTTP 500");
    }
}
