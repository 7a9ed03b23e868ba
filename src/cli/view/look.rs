//! How things look in a terminal: marks with an ASCII stand-in for each, one colour a meaning, and text cut and padded by
//! the columns it takes. Used by every view here; knows no race.

use crate::puzzles;
use crate::race::event::Verdict;
pub(crate) use crate::text::minutes;
use crate::text::shown;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// Marks and lines of one look. Each meaning has a mark of its own, so that no colour is needed to read a view.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// A target that fell.
    pub hit: &'static str,
    /// A target that was missed.
    pub miss: &'static str,
    /// A target that still stands.
    pub up: &'static str,
    /// The current row.
    pub here: &'static str,
    /// A cell of skiing.
    pub course: &'static str,
    /// A cell of thinking.
    pub thinking: &'static str,
    /// A cell of shooting.
    pub shooting: &'static str,
    /// A cell of penalty loops.
    pub penalty: &'static str,
    /// A cell that is still ahead.
    pub ahead: &'static str,
    /// The part of the buzzer's bar that is gone, and the part that is left.
    pub gone: &'static str,
    /// What is left of the buzzer's bar.
    pub left: &'static str,
    /// The beginning of a line of the stream.
    pub quote: &'static str,
    /// Where the stream goes on.
    pub caret: &'static str,
    /// A rule across.
    pub rule: &'static str,
    /// Left and right edges: top, between, bottom.
    pub corners: [[&'static str; 2]; 3],
    /// The upright edge of a box.
    pub edge: &'static str,
    /// Between a count and what it counts.
    pub times: &'static str,
    /// Nothing yet.
    pub none: &'static str,
    /// Playing, paused.
    pub play: [&'static str; 2],
    /// The keys for five seconds back and on.
    pub arrows: &'static str,
    /// Whether text outside ASCII may be shown.
    wide: bool,
}

/// For terminals that show UTF-8.
pub(crate) static UTF8: Look = Look {
    hit: "●",
    miss: "✕",
    up: "○",
    here: "▶",
    course: "─",
    thinking: "█",
    shooting: "▓",
    penalty: "▞",
    ahead: "·",
    gone: "━",
    left: "─",
    quote: "│",
    caret: "▌",
    rule: "─",
    corners: [["┌", "┐"], ["├", "┤"], ["└", "┘"]],
    edge: "│",
    times: "×",
    none: "·",
    play: ["▶", "‖"],
    arrows: "← →",
    wide: true,
};

/// For every other terminal.
pub(crate) static ASCII: Look = Look {
    hit: "o",
    miss: "x",
    up: ".",
    here: ">",
    course: "-",
    thinking: "#",
    shooting: "=",
    penalty: "%",
    ahead: ".",
    gone: "=",
    left: "-",
    quote: "|",
    caret: "_",
    rule: "-",
    corners: [["+", "+"], ["+", "+"], ["+", "+"]],
    edge: "|",
    times: "x",
    none: ".",
    play: [">", "||"],
    arrows: "left right",
    wide: false,
};

impl Look {
    /// The look that the locale allows: as in every program, the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides.
    pub(crate) fn of_locale() -> &'static Self {
        if cfg!(windows) {
            return &UTF8;
        }
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
        let locale =
            set.map(|it| it.to_string_lossy().to_ascii_lowercase()).find(|it| !it.is_empty());
        let utf8 = locale.is_some_and(|it| it.contains("utf-8") || it.contains("utf8"));
        if utf8 { &UTF8 } else { &ASCII }
    }

    /// A text from outside, on one line and harmless.
    pub(crate) fn text(&self, text: &str, chars_max: usize) -> String {
        let text = shown(text, chars_max);
        if self.wide { text } else { text.replace(|c: char| !c.is_ascii(), "?") }
    }

    /// The mark of a shot.
    pub(crate) fn mark(&self, verdict: Verdict) -> Span<'static> {
        match verdict {
            Verdict::Hit => Span::styled(self.hit, HIT),
            Verdict::Miss => Span::styled(self.miss, MISS),
        }
    }
}

/// Misses and their loops. Readable on a dark and on a light ground.
pub(crate) const MISS: Style = Style::new().fg(Color::Indexed(208));
/// Hits and shooting: the ink of the terminal.
pub(crate) const HIT: Style = Style::new().add_modifier(Modifier::BOLD);
/// Thinking and the buzzer.
pub(crate) const THINK: Style = Style::new().fg(Color::Indexed(33));
/// The course, and everything beside the point.
pub(crate) const QUIET: Style = Style::new().fg(Color::Indexed(245));
/// Names and times that matter.
pub(crate) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
/// Nothing special.
pub(crate) const PLAIN: Style = Style::new();

/// The name that people read for a family: its title, or what the file says when this version has no such family.
pub(crate) fn title(family: &str) -> String {
    puzzles::family(family).map_or_else(|| shown(family, 40), |it| it.title().to_owned())
}

/// Columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// A text in exactly that many columns: cut at the end, with three dots where they fit, or padded.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let mut out = cut(text, width);
    out.extend(std::iter::repeat_n(' ', width - columns(&out)));
    out
}

/// A name in exactly that many columns. One that is too long keeps both ends, which is where names of one kind differ.
pub(crate) fn fit_name(name: &str, width: usize) -> String {
    if columns(name) <= width || width < 9 {
        return fit(name, width);
    }
    let tail = (width - 3) / 2;
    let end = name.char_indices().rev().map(|(at, _)| &name[at..]);
    let end = end.take_while(|end| columns(end) <= tail).last().unwrap_or_default();
    let head = width - 3 - columns(end);
    let mut begin = String::new();
    for c in name.chars() {
        if columns(&begin) + columns(c.encode_utf8(&mut [0; 4])) > head {
            break;
        }
        begin.push(c);
    }
    fit(&format!("{begin}...{end}"), width)
}

/// A text in at most that many columns.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let dots = if width > 6 { "..." } else { "" };
    let (mut out, mut taken) = (String::new(), dots.len());
    for grapheme in Span::raw(text).styled_graphemes(PLAIN) {
        taken += columns(grapheme.symbol);
        if taken > width {
            break;
        }
        out.push_str(grapheme.symbol);
    }
    out + dots
}

/// A text at the right of that many columns.
pub(crate) fn right(text: &str, width: usize) -> String {
    let text = cut(text, width);
    " ".repeat(width - columns(&text)) + &text
}

/// Spans at the left and spans at the right of a line; the left ones give way.
pub(crate) fn spread(
    left: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
    width: usize,
) -> Line<'static> {
    let right = clip(right, width);
    let taken: usize = right.iter().map(Span::width).sum();
    let gap = usize::from(taken > 0);
    let mut spans = clip(left, width.saturating_sub(taken + gap));
    let used: usize = spans.iter().map(Span::width).sum();
    spans.push(Span::raw(" ".repeat(width - taken - used)));
    spans.extend(right);
    Line::from(spans)
}

/// Spans in at most that many columns.
pub(crate) fn clip(spans: Vec<Span<'static>>, width: usize) -> Vec<Span<'static>> {
    let mut left = width;
    let mut out = Vec::new();
    for span in spans {
        if left == 0 {
            break;
        }
        let text = cut(&span.content, left);
        left -= columns(&text);
        out.push(Span::styled(text, span.style));
    }
    out
}

/// Words in lines of at most that many columns. A word that is longer is cut.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let word = cut(word, width);
        let taken = lines.last().map_or(0, |line| columns(line));
        match lines.last_mut() {
            Some(line) if taken == 0 => line.push_str(&word),
            Some(line) if taken + 1 + columns(&word) <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_takes_the_columns_it_should() {
        assert_eq!(fit("Snake", 7), "Snake  ");
        assert_eq!(fit("a name that is long", 10), "a name ...");
        assert_eq!(fit("字字字字字", 8), "字字... ");
        assert_eq!(fit("abc", 2), "ab");
        assert_eq!(right("9.4", 5), "  9.4");
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(fit_name("gemma-4-31b-dgx-spark", 15), "gemma-...-spark");
        assert_eq!(fit_name("pacer-club", 12), "pacer-club  ");
        for width in 0..20 {
            assert_eq!(columns(&fit_name("e\u{301}字a name 🏁 that is long", width)), width);
            assert_eq!(columns(&fit("e\u{301}字a name 🏁 that", width)), width);
            let line = spread(vec![Span::raw("left 字字")], vec![Span::raw("right")], width);
            assert_eq!(line.width(), width);
        }
    }

    #[test]
    fn times_are_read_aloud() {
        assert_eq!(minutes(342_000), "5:42.0");
        assert_eq!(minutes(59_950), "1:00.0");
        assert_eq!(minutes(9_449), "0:09.4");
    }

    #[test]
    fn a_look_without_utf8_shows_none() {
        assert_eq!(ASCII.text("Möbius\u{1b}[2J", 99), "M?bius\\u{1b}[2J");
        assert_eq!(UTF8.text("Möbius\u{202e}", 99), "Möbius\\u{202e}");
    }
}
