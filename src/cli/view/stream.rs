//! The end of a reply as it streams in: bounded, and with nothing in it that could act on a terminal. Used by the live view.

use super::look::wrap;
use crate::lane::chunk::Channel;
use crate::text::is_hidden;

/// How much of a reply is kept, in characters: more than the widest view shows.
const KEPT_CHARS: usize = 2_000;

/// The last words of a reply.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tail {
    text: String,
    channel: Option<Channel>,
}

impl Tail {
    /// Takes the next piece. Control and direction characters are left out, and white space becomes a space.
    pub(crate) fn push(&mut self, channel: Channel, text: &str) {
        if self.channel.is_some_and(|before| before != channel) {
            // The answer begins: what was thought is over.
            self.text.clear();
        }
        self.channel = Some(channel);
        let count = text.chars().count();
        for c in text.chars().skip(count.saturating_sub(KEPT_CHARS)) {
            match c {
                c if c.is_whitespace() => self.text.push(' '),
                c if is_hidden(c) => {}
                c => self.text.push(c),
            }
        }
        // Cut in halves, so that a piece of one character does not move the whole text each time.
        let kept = self.text.chars().count();
        if kept > 2 * KEPT_CHARS {
            self.text = self.text.chars().skip(kept - KEPT_CHARS).collect();
        }
    }

    /// What comes next belongs to another reply.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The channel that spoke last.
    pub(crate) fn channel(&self) -> Option<Channel> {
        self.channel
    }

    /// The last lines, of at most that many columns each.
    pub(crate) fn lines(&self, width: usize, count: usize) -> Vec<String> {
        if self.text.trim().is_empty() || width == 0 {
            return Vec::new();
        }
        // Words are kept whole, so the lines of a text that grows do not move but at its end.
        let mut lines = wrap(&self.text, width);
        lines.drain(..lines.len().saturating_sub(count));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_stream_acts_on_the_screen() {
        let mut tail = Tail::default();
        tail.push(Channel::Answer, "a\u{1b}[2Jb\u{202e}c\r\n\td\u{7}\u{200b}");
        assert_eq!(tail.lines(40, 3), ["a[2Jbc d"]);
    }

    #[test]
    fn a_tail_is_bounded_and_ends_with_the_last_words() {
        let mut tail = Tail::default();
        for word in 0..20_000 {
            tail.push(Channel::Reasoning, &format!("{word} "));
        }
        assert!(tail.text.chars().count() <= 2 * KEPT_CHARS);
        let lines = tail.lines(12, 2);
        assert!(lines.len() == 2 && lines[1].ends_with("19999"), "{lines:?}");
        tail.push(Channel::Answer, "TARGET 1: A");
        assert_eq!(tail.lines(12, 2), ["TARGET 1: A"]);
        tail.clear();
        assert!(tail.lines(12, 2).is_empty());
    }
}
