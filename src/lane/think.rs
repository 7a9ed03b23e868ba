//! Thinking that stands in the answer between tags, set aside.
//!
//! [`split`] works on a whole reply. A tag at the start of the answer opens a thought, one later is text; a close tag
//! without an opener ends a thought that the chat template opened, unless thinking has a field of its own; a thought that
//! is never closed goes to the end. [`AnswerWatch`] tells while the reply arrives when visible answer begins.

use super::chunk::Channel;

/// Tags around a thought, as models write them.
const TAGS: [(&str, &str); 7] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
];

/// A reply with its thinking set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// What was thought, in the field for it and between tags.
    pub reasoning: String,
    /// What was answered.
    pub answer: String,
    /// A thought between tags was never closed, so there is no answer.
    pub unclosed: bool,
}

/// Sets the thinking of a whole reply aside; `reasoning` and `content` are what the two fields carried.
#[must_use]
pub fn split(reasoning: &str, content: &str) -> Thought {
    let mut thought =
        Thought { reasoning: reasoning.to_owned(), answer: String::new(), unclosed: false };
    let mut rest = content;
    if reasoning.trim().is_empty()
        && opener(rest.trim_start()).is_none()
        && let Some((before, after)) = closed_only(rest)
    {
        thought.add(before);
        rest = after;
    }
    while let Some((inside, close)) = opener(rest.trim_start()) {
        let Some((before, after)) = inside.split_once(close) else {
            thought.add(inside);
            thought.unclosed = true;
            return thought;
        };
        thought.add(before);
        rest = after;
    }
    rest.clone_into(&mut thought.answer);
    thought
}

/// The tag that would close the thought in which a reply ends, when it begins with an open tag.
///
/// Only for a reply whose thought was never closed ([`Thought::unclosed`]).
#[must_use]
pub fn open_tag(content: &str) -> Option<&'static str> {
    let mut rest = content;
    while let Some((inside, close)) = opener(rest.trim_start()) {
        let Some((_, after)) = inside.split_once(close) else { return Some(close) };
        rest = after;
    }
    None
}

impl Thought {
    fn add(&mut self, text: &str) {
        if !self.reasoning.is_empty() && !text.is_empty() {
            self.reasoning.push('\n');
        }
        self.reasoning.push_str(text);
    }
}

/// The text behind an open tag that begins `text`, and the tag that closes it.
fn opener(text: &str) -> Option<(&str, &'static str)> {
    TAGS.iter().find_map(|(open, close)| Some((text.strip_prefix(open)?, *close)))
}

/// The text around the first close tag, when no open tag stands before it.
fn closed_only(text: &str) -> Option<(&str, &str)> {
    let (at, close) =
        TAGS.iter().filter_map(|(_, close)| Some((text.find(close)?, close))).min()?;
    let before = &text[..at];
    let opened = TAGS.iter().any(|(open, _)| before.contains(open));
    (!opened).then(|| (before, &text[at + close.len()..]))
}

/// Tells when visible answer begins, while a reply arrives in pieces.
#[derive(Debug, Default)]
pub struct AnswerWatch {
    held: String,
    state: State,
    own_field: bool,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// Nothing but blanks, or the beginning of a tag.
    #[default]
    Start,
    /// In a thought until this tag.
    Inside(&'static str),
    /// In the answer, which a close tag may still show to have been a thought.
    Perhaps,
    /// In the answer.
    Answer,
}

impl AnswerWatch {
    /// Takes the next piece; true when visible answer begins in it.
    ///
    /// That is once in a reply, but for a thought that only a close tag shows to have been one: then true comes
    /// again, and the later time is the right one.
    pub fn answer_began(&mut self, channel: Channel, text: &str) -> bool {
        if channel == Channel::Reasoning {
            self.own_field |= !text.trim().is_empty();
            return false;
        }
        if matches!(self.state, State::Answer) {
            return false;
        }
        self.held.push_str(text);
        let mut began = false;
        loop {
            match self.state {
                State::Start => {
                    let text = self.held.trim_start();
                    if let Some((inside, close)) = opener(text) {
                        self.state = State::Inside(close);
                        self.held = inside.to_owned();
                    } else if TAGS.iter().any(|(open, _)| open.starts_with(text)) {
                        // Empty or a piece of a tag: more must come.
                        self.held = text.to_owned();
                        return false;
                    } else {
                        self.held = text.to_owned();
                        began = true;
                        self.state = State::Perhaps;
                    }
                }
                State::Inside(close) => {
                    let Some((_, after)) = self.held.split_once(close) else {
                        self.keep_tail();
                        return false;
                    };
                    self.held = after.to_owned();
                    self.state = State::Start;
                    self.own_field = true;
                }
                State::Perhaps => {
                    if let Some((_, after)) = closed_only(&self.held).filter(|_| !self.own_field) {
                        self.held = after.to_owned();
                        self.state = State::Start;
                        self.own_field = true;
                        began = false;
                    } else if self.own_field
                        || TAGS.iter().any(|(open, _)| self.held.contains(open))
                    {
                        self.state = State::Answer;
                        self.held = String::new();
                        return began;
                    } else {
                        self.keep_tail();
                        return began;
                    }
                }
                State::Answer => return began,
            }
        }
    }

    /// Keeps as much of the end as may be the beginning of a tag.
    fn keep_tail(&mut self) {
        let longest = TAGS.iter().flat_map(|(open, close)| [open.len(), close.len()]).max();
        let mut from = self.held.len().saturating_sub(longest.unwrap_or(0));
        while !self.held.is_char_boundary(from) {
            from += 1;
        }
        self.held.drain(..from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(reasoning: &str, content: &str) -> (String, String, bool) {
        let thought = split(reasoning, content);
        let trimmed = |text: String| text.trim().to_owned();
        (trimmed(thought.reasoning), trimmed(thought.answer), thought.unclosed)
    }

    #[test]
    fn the_forms_of_a_thought() {
        let cases = [
            ("", "4", ("", "4", false)),
            ("", "<think>hm</think>4", ("hm", "4", false)),
            ("", "\n <think>\nhm\n</think>\n\n4", ("hm", "4", false)),
            ("", "<think>hm", ("hm", "", true)),
            ("", "<think>", ("", "", true)),
            ("", "hm</think>4", ("hm", "4", false)),
            ("", "</think>4", ("", "4", false)),
            ("", "<think></think>4", ("", "4", false)),
            ("", "[THINK]hm[/THINK]4", ("hm", "4", false)),
            ("", "<think></think>\n<think>hm</think>4", ("hm", "4", false)),
            ("", "hm</think><think>so</think>4", ("hm\nso", "4", false)),
            // A literal tag later is text.
            ("", "4 <think>x</think> 5", ("", "4 <think>x</think> 5", false)),
            ("", "4 <think>", ("", "4 <think>", false)),
            ("", "<think>hm</think>4</think>5", ("hm", "4</think>5", false)),
            // With a field of its own, a stray close tag is text.
            ("hm", "4</think>5", ("hm", "4</think>5", false)),
            ("hm", "<think>so</think>4", ("hm\nso", "4", false)),
            ("hm", "", ("hm", "", false)),
            ("\n", "hm</think>4", ("hm", "4", false)),
        ];
        for (reasoning, content, (thought, answer, unclosed)) in cases {
            let expected = (thought.to_owned(), answer.to_owned(), unclosed);
            assert_eq!(parts(reasoning, content), expected, "{content}");
        }
    }

    /// At which pieces the answer began.
    fn begins(pieces: &[(Channel, &str)]) -> Vec<usize> {
        let mut watch = AnswerWatch::default();
        let began = |piece: &(usize, &(Channel, &str))| watch.answer_began(piece.1.0, piece.1.1);
        pieces.iter().enumerate().filter(began).map(|(index, _)| index).collect()
    }

    #[test]
    fn the_answer_begins_with_its_first_visible_text() {
        use Channel::{Answer, Reasoning};
        assert_eq!(begins(&[(Reasoning, "hm"), (Answer, "\n"), (Answer, "4"), (Answer, "2")]), [2]);
        assert_eq!(
            begins(&[
                (Answer, "<th"),
                (Answer, "ink>h"),
                (Answer, "m</thi"),
                (Answer, "nk>\n"),
                (Answer, "4")
            ]),
            [4]
        );
        assert_eq!(begins(&[(Answer, "<b"), (Answer, ">")]), [0]);
        assert_eq!(
            begins(&[(Answer, "h"), (Answer, "m</thi"), (Answer, "nk>4"), (Answer, "2")]),
            [0, 2]
        );
        assert_eq!(begins(&[(Reasoning, "hm"), (Answer, "4"), (Answer, "</think>5")]), [1]);
        assert!(begins(&[(Answer, "<think>hm")]).is_empty());
    }

    proptest! {
        #[test]
        fn watching_agrees_with_splitting(
            own in "(hm)?",
            pieces in prop::collection::vec("(<think>|</think>|<th|ink>|[THINK]| |\n|a|é|</)?", 0..12),
        ) {
            let mut watch = AnswerWatch::default();
            watch.answer_began(Channel::Reasoning, &own);
            let whole = pieces.concat();
            let mut begun = None;
            for (index, piece) in pieces.iter().enumerate() {
                if watch.answer_began(Channel::Answer, piece) {
                    begun = Some(index);
                }
            }
            let answer = split(&own, &whole).answer;
            // A begun tag at the very end is visible text after all, once nothing more comes.
            if !TAGS.iter().any(|(open, _)| open.starts_with(answer.trim())) {
                prop_assert_eq!(begun.is_some(), !answer.trim().is_empty(), "{:?}", whole);
            }
        }
    }
}
