//! The list of models that a server gives.

use super::chunk::{Failure, FailureKind};
use super::{complaint, json};
use serde_json::Value;

/// The names in the body of a reply to `GET /models`.
pub(super) fn read(status: u16, body: &str) -> Result<Vec<String>, Failure> {
    if !(200..300).contains(&status) {
        let what = complaint::in_body(status, body);
        return Err(Failure::new(FailureKind::Status, &what).with_status(status));
    }
    let object = json::object(body);
    let list = object.as_ref().and_then(|object| {
        ["data", "models"].iter().find_map(|name| object.get(*name)?.as_array())
    });
    let Some(list) = list else {
        let failure = Failure::new(FailureKind::NotAStream, "the reply is no list of models");
        return Err(failure.with_status(status));
    };
    let name = |model: &Value| {
        ["id", "name", "model"]
            .iter()
            .find_map(|field| Some(model.get(*field)?.as_str()?.to_owned()))
    };
    Ok(list.iter().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_models() {
        let read = |body| read(200, body);
        assert_eq!(
            read(r#"{"data":[{"id":"a"},{"id":"b"},{}]}"#),
            Ok(vec!["a".into(), "b".into()])
        );
        assert_eq!(read(r#"{"models":[{"name":"a"}]}"#), Ok(vec!["a".into()]));
        assert_eq!(read("<html>").unwrap_err().kind, FailureKind::NotAStream);
        assert_eq!(super::read(401, r#"{"error":"no key"}"#).unwrap_err().message, "no key");
    }
}
