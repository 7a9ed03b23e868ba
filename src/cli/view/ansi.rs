//! Styled lines as text with colour codes. The codes are those that `anstream` takes out again where a reader wants none.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use std::fmt::Write;

/// One line with its colour codes, without spaces at its end and without a line end.
pub(crate) fn ansi(line: &Line<'_>, colour: bool) -> String {
    let mut out = String::new();
    let spans = line.spans.iter().rposition(|span| !span.content.trim_end().is_empty());
    let spans = &line.spans[..spans.map_or(0, |last| last + 1)];
    for (index, span) in spans.iter().enumerate() {
        let is_last = index + 1 == spans.len();
        let text = if is_last { span.content.trim_end() } else { &span.content };
        let codes = codes(line.style.patch(span.style));
        if codes.is_empty() || !colour || text.trim().is_empty() {
            out.push_str(text);
        } else {
            // Writing to a String cannot fail.
            write!(out, "\u{1b}[{codes}m{text}\u{1b}[0m").unwrap_or_default();
        }
    }
    out
}

/// The numbers of a colour code: only what `look.rs` uses.
fn codes(style: Style) -> String {
    let mut codes = Vec::new();
    if style.add_modifier.contains(Modifier::BOLD) {
        codes.push(String::from("1"));
    }
    if let Some(Color::Indexed(colour)) = style.fg {
        codes.push(format!("38;5;{colour}"));
    }
    codes.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::view::look::{MISS, STRONG};
    use ratatui::text::Span;

    #[test]
    fn colours_and_no_colours() {
        let line = Line::from(vec![
            Span::styled("x", MISS),
            Span::raw(" "),
            Span::styled("a  ", STRONG),
            Span::raw("  "),
        ]);
        assert_eq!(ansi(&line, true), "\u{1b}[38;5;208mx\u{1b}[0m \u{1b}[1ma\u{1b}[0m");
        assert_eq!(ansi(&line, false), "x a");
    }
}
