//! The words that a lane reads besides the task. A change of any of them is a new prompt version of the season.

use super::extraction;
use crate::lane::request::{Ask, Message, Purpose, Role};
use crate::lane::think;
use crate::puzzles::{Kind, Task};

/// The prompt versions whose words this engine has.
pub const VERSIONS: &[&str] = &["gauntlet-4", "gauntlet-4-hard-2"];

/// What the zeroing prompt asks for; the reply is timed and never judged.
const ZEROING: &str =
    "Write the numbers from one to forty in words, separated by commas, and nothing else.";

/// What the idle probe asks for: one token.
const PROBE: &str = "Say ok.";

/// The system prompt of a race, with the race-unique line first so that no prompt cache can help.
#[must_use]
pub fn system(race: &str, nonce: &str) -> String {
    format!(
        "Race {nonce} {race}\n\
         You are racing in the Gauntlet, a biathlon for language models. The clock runs from this request until your answer\n\
         ends, so think as much as you need and no longer. Every task has five targets; each wrong or missing answer costs a\n\
         penalty loop. Give the final answer exactly in the format that the task asks for, and nothing after it.\n"
    )
}

/// The request for a task.
#[must_use]
pub fn main(system: &str, task: &Task, limit_tokens: u64, thinking: bool) -> Ask {
    let messages =
        vec![Message::new(Role::System, system), Message::new(Role::User, task.prompt.as_str())];
    Ask { purpose: Purpose::Main, messages, limit_tokens, thinking }
}

/// The request after the buzzer: the task once more, the end of the lane's own notes, and a call for the answer alone.
#[must_use]
pub fn forced(
    system: &str,
    task: &Task,
    notes: &str,
    notes_chars: usize,
    limit_tokens: u64,
) -> Ask {
    let form = match task.kind() {
        Kind::Puzzle => "the five TARGET lines",
        Kind::Code => "one Python code block",
    };
    let kept = tail(notes, notes_chars);
    let notes = if kept.trim().is_empty() {
        String::from("You had written nothing yet.")
    } else {
        format!("The end of your notes:\n{}\n(end of your notes)", kept.trim())
    };
    let text = format!(
        "{}\nThe buzzer went while you were working on this. {notes}\n\n\
         Answer now with {form}, from what you have. No explanation and no further working.\n",
        task.prompt
    );
    let messages = vec![Message::new(Role::System, system), Message::new(Role::User, text)];
    Ask { purpose: Purpose::Forced, messages, limit_tokens, thinking: false }
}

/// How a lane that continues its own message begins its forced answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation {
    /// The visible answer that the lane is handed as its own.
    pub answer: String,
    /// The message as it is sent, thinking included.
    message: Message,
}

/// The lane's own reply so far, made to go on with the answer: a puzzle's with its first target, a code task's in its code.
///
/// Half a line of a puzzle answer is left out. A thought is closed: one of the reasoning channel goes back on it, one between tags
/// stays in the text.
#[must_use]
pub fn continuation(kind: Kind, reasoning: &str, content: &str) -> Continuation {
    let thought = think::split(reasoning, content);
    let written = thought.answer.trim_start();
    let answer = match kind {
        Kind::Puzzle => {
            let whole = written.rfind('\n').map_or("", |at| &written[..=at]);
            format!("{whole}TARGET 1:")
        }
        // What stands in an open fence is code already.
        Kind::Code if extraction::in_fence(written) => written.to_owned(),
        Kind::Code if written.trim().is_empty() => String::from("```python\n"),
        Kind::Code => format!("{}\n\n```python\n", written.trim_end()),
    };
    let inline = &content[..content.len() - thought.answer.len()];
    let inside = match think::open_tag(content).filter(|_| thought.unclosed) {
        Some(close) => format!("{}\n{close}\n\n", inline.trim_end()),
        None if inline.trim().is_empty() => String::new(),
        None => format!("{}\n\n", inline.trim_end()),
    };
    let mut message = Message::new(Role::Assistant, inside + &answer);
    message.reasoning_content = (!reasoning.trim().is_empty()).then(|| reasoning.to_owned());
    Continuation { answer, message }
}

impl Continuation {
    /// The visible answer as a whole, from what the lane went on with.
    ///
    /// Some servers repeat what they were handed, and a model may open a fence of its own: then nothing is put before it.
    #[must_use]
    pub fn with(&self, continued: &str) -> String {
        let begins = continued.trim_start();
        let fence = begins.strip_prefix("```").is_some_and(|rest| rest.starts_with('p'));
        if fence || begins.starts_with(self.answer.trim()) {
            return continued.to_owned();
        }
        format!("{}{continued}", self.answer)
    }

    /// The request after the buzzer: the task and the lane's own message, to be continued.
    #[must_use]
    pub fn ask(self, system: &str, task: &Task, limit_tokens: u64) -> Ask {
        let messages = vec![
            Message::new(Role::System, system),
            Message::new(Role::User, task.prompt.as_str()),
            self.message,
        ];
        Ask { purpose: Purpose::Forced, messages, limit_tokens, thinking: false }
    }
}

/// The fixed prompt that is timed before the start and after the finish.
#[must_use]
pub fn zeroing(system: &str, limit_tokens: u64) -> Ask {
    let messages = vec![Message::new(Role::System, system), Message::new(Role::User, ZEROING)];
    Ask { purpose: Purpose::Zeroing, messages, limit_tokens, thinking: false }
}

/// The one-token request that tells whether the lane is idle again.
#[must_use]
pub fn probe(system: &str) -> Ask {
    let messages = vec![Message::new(Role::System, system), Message::new(Role::User, PROBE)];
    Ask { purpose: Purpose::Probe, messages, limit_tokens: 1, thinking: false }
}

/// The last `chars` characters of a text.
fn tail(text: &str, chars: usize) -> &str {
    let skipped = text.chars().count().saturating_sub(chars);
    text.char_indices().nth(skipped).map_or("", |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_ends_the_text() {
        assert_eq!(tail("añb", 2), "ñb");
        assert_eq!(tail("ab", 5), "ab");
        assert_eq!(tail("ab", 0), "");
    }

    #[test]
    fn code_is_forced_where_none_was_begun() {
        let go_on = |content: &str| continuation(Kind::Code, "", content).answer;
        assert_eq!(go_on(""), "```python\n");
        assert_eq!(go_on("I would loop."), "I would loop.\n\n```python\n");
        assert_eq!(go_on("```python\ndef f(x):\n    re"), "```python\ndef f(x):\n    re");
        assert_eq!(go_on("```\nx\n```\nso"), "```\nx\n```\nso\n\n```python\n");
        let begun = continuation(Kind::Code, "", "```python\ndef f(x):\n    re");
        assert_eq!(begun.with("turn x\n```"), "```python\ndef f(x):\n    return x\n```");
        assert_eq!(begun.with("```python\ndef f"), "```python\ndef f");
        assert_eq!(begun.with("```"), "```python\ndef f(x):\n    re```");
    }
}
