//! The words that a lane reads besides the task. A change of any of them is a new prompt version of the season.

use crate::lane::request::{Ask, Message, Purpose, Role};
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
}
