//! What a server tells about itself before anything is asked of it: its models, and what llama.cpp says of context and slots.

use super::super::chunk::{Failure, FailureKind};
use super::super::limit::Limit;
use super::super::models;
use super::{HttpLane, LaneError, Line, chain};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// The longest list of models that is read, in bytes.
const LIST_BYTES: usize = 4 << 20;
/// How long a page of llama.cpp is awaited, which another server may never answer.
const OWN_PAGE: Duration = Duration::from_secs(5);

/// What a server tells about itself; what it does not tell is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerFacts {
    /// It has llama.cpp's own pages.
    pub llama_cpp: bool,
    /// Context of one slot, in tokens.
    pub context: Option<u64>,
    /// How many slots it has.
    pub slots: Option<u64>,
    /// How many of them are at work.
    pub busy: Option<u64>,
    /// The model's chat template knows a switch for thinking.
    pub thinking_switch: Option<&'static str>,
}

impl HttpLane {
    /// The names of the models that the server lists.
    ///
    /// # Errors
    /// The server cannot be reached, refuses, or answers with something else.
    pub async fn models(&mut self) -> Result<Vec<String>, LaneError> {
        let line = &self.line;
        let page = line.page(line.request(Method::GET, "/models")).await;
        page.and_then(|(status, body)| models::read(status, &body))
            .map_err(|failure| LaneError::Failed(line.without_key(failure)))
    }

    /// What llama.cpp's `/props` and `/slots` say; nothing at all of another server.
    pub async fn facts(&mut self) -> ServerFacts {
        let mut facts = ServerFacts::default();
        if let Some(props) = self.line.own_page("/props").await {
            facts.take_props(&props);
        }
        if let Some(slots) = self.line.own_page("/slots").await {
            facts.take_slots(&slots);
        }
        facts
    }
}

impl Line {
    /// A page of llama.cpp, which stands beside `/v1` and not below it.
    async fn own_page(&self, path: &str) -> Option<Value> {
        let mut beside = self.clone();
        let base = self.base.path().trim_end_matches('/').trim_end_matches("/v1").to_owned();
        beside.base.set_path(&base);
        let page = beside.page(beside.request(Method::GET, path));
        let (status, body) = timeout(OWN_PAGE, page).await.ok()?.ok()?;
        (status == 200).then(|| serde_json::from_str(&body).ok())?
    }

    /// A whole page, bounded in time and size, with its status.
    async fn page(&self, request: RequestBuilder) -> Result<(u16, String), Failure> {
        let started = Instant::now();
        let limit = Limit::first_byte(&self.limits);
        let mut response = self.head(request, started).await?;
        let status = response.status();
        let mut body = Vec::new();
        loop {
            match timeout_at(started + limit.at, response.chunk()).await {
                Err(_) => return Err(limit.failure()),
                Ok(Err(error)) => {
                    let what = format!("the connection broke: {}", chain(&error.without_url()));
                    return Err(Failure::new(FailureKind::Transfer, &what));
                }
                Ok(Ok(Some(bytes))) if body.len() + bytes.len() <= LIST_BYTES => {
                    body.extend_from_slice(&bytes);
                }
                Ok(Ok(Some(_))) => {
                    let what = "the list of models is too long";
                    return Err(Failure::new(FailureKind::TooLarge, what));
                }
                Ok(Ok(None)) => break,
            }
        }
        Ok((status.as_u16(), String::from_utf8_lossy(&body).into_owned()))
    }
}

impl ServerFacts {
    fn take_props(&mut self, props: &Value) {
        let settings = &props["default_generation_settings"];
        self.llama_cpp = settings.is_object();
        self.context = settings["n_ctx"].as_u64().or_else(|| props["n_ctx"].as_u64());
        self.slots = props["total_slots"].as_u64();
        let template = props["chat_template"].as_str().unwrap_or("");
        if template.contains("enable_thinking") {
            self.thinking_switch = Some("chat_template_kwargs.enable_thinking");
        }
    }

    fn take_slots(&mut self, slots: &Value) {
        let Some(slots) = slots.as_array().filter(|slots| !slots.is_empty()) else { return };
        self.llama_cpp = true;
        let least = slots.iter().filter_map(|slot| slot["n_ctx"].as_u64()).min();
        self.context = least.or(self.context);
        let busy = slots.iter().filter(|slot| slot["is_processing"] == true).count();
        self.busy = u64::try_from(busy).ok();
        self.slots = u64::try_from(slots.len()).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_llama_cpp_tells() {
        let mut facts = ServerFacts::default();
        facts.take_props(&json!({
            "default_generation_settings": {"n_ctx": 8192}, "total_slots": 1,
            "chat_template": "{% if enable_thinking %}"
        }));
        assert_eq!((facts.context, facts.slots, facts.llama_cpp), (Some(8192), Some(1), true));
        assert_eq!(facts.thinking_switch, Some("chat_template_kwargs.enable_thinking"));
        facts.take_slots(&json!([{"n_ctx": 4096, "is_processing": true}, {"n_ctx": 4096}]));
        assert_eq!((facts.context, facts.slots, facts.busy), (Some(4096), Some(2), Some(1)));
        let mut other = ServerFacts::default();
        other.take_props(&json!("x"));
        other.take_slots(&json!({"error": {"code": 501}}));
        assert_eq!(other, ServerFacts::default());
    }
}
