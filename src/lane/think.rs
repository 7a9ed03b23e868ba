//! stub
use super::chunk::Channel;
/// x
pub struct Thought {
    /// x
    pub reasoning: String,
    /// x
    pub answer: String,
    /// x
    pub unclosed: bool,
}
/// x
pub fn split(r: &str, c: &str) -> Thought {
    Thought { reasoning: r.into(), answer: c.into(), unclosed: false }
}
/// x
#[derive(Debug, Default)]
pub struct AnswerWatch {
    thought: bool,
}
impl AnswerWatch {
    /// x
    pub fn answer_began(&mut self, channel: Channel, text: &str) -> bool {
        if channel == Channel::Reasoning {
            self.thought = true;
            false
        } else {
            !text.trim().is_empty()
        }
    }
    /// x
    pub fn has_thought(&self) -> bool {
        self.thought
    }
}
