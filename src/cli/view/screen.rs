//! Draws a few lines in place on stderr and leaves what stands above them alone.
//!
//! ratatui lays the lines out; this writes them, by relative moves only. Its own inline viewport asks the terminal where the
//! cursor is, and crossterm asks on stdout, which may be a file, and waits for a reply that some terminals never send. Here
//! nothing is asked and no mode is left changed: the cursor always rests below the last line, so that an end at any moment,
//! a panic and a kill included, leaves a terminal that works.

use super::ansi::ansi;
use anstream::ColorChoice;
use ratatui::crossterm::terminal;
use ratatui::text::Line;
use std::io::{IsTerminal, Write};

/// The terminal that stderr is.
#[derive(Debug)]
pub(crate) struct Inline<W> {
    out: W,
    colour: bool,
    /// The lines on the screen, as written, and the columns each takes.
    drawn: Vec<(String, usize)>,
    /// The width that they were drawn for.
    columns: usize,
}

/// Whether stderr is a terminal that can move its cursor.
pub(crate) fn can_draw() -> bool {
    let dumb = match std::env::var_os("TERM") {
        Some(term) => term == "dumb" || term.is_empty(),
        None => !cfg!(windows),
    };
    std::io::stderr().is_terminal() && !dumb
}

/// Columns and rows of the terminal.
pub(crate) fn size() -> (usize, usize) {
    let (columns, rows) = terminal::size().unwrap_or((80, 24));
    (usize::from(columns).clamp(20, 400), usize::from(rows).max(4))
}

impl Inline<std::io::Stderr> {
    /// Draws on stderr, in colour where the user allows it.
    pub(crate) fn stderr() -> Self {
        let out = std::io::stderr();
        let colour = anstream::AutoStream::choice(&out) != ColorChoice::Never;
        Self::new(out, colour)
    }
}

impl<W: Write> Inline<W> {
    pub(crate) fn new(out: W, colour: bool) -> Self {
        Self { out, colour, drawn: Vec::new(), columns: 0 }
    }

    /// Draws these lines over the ones before, in one write.
    pub(crate) fn draw(
        &mut self,
        lines: &[Line<'_>],
        columns: usize,
        rows: usize,
    ) -> std::io::Result<()> {
        let next: Vec<(String, usize)> = lines
            .iter()
            .take(rows.saturating_sub(1))
            .map(|line| (ansi(line, self.colour), line.width()))
            .collect();
        if next == self.drawn && columns == self.columns {
            return Ok(());
        }
        // Most terminals wrap lines anew when they become narrower, and the old ones then take more rows.
        let taken = |width: usize| width.div_ceil(columns).max(1);
        let up: usize = self.drawn.iter().map(|(_, width)| taken(*width)).sum();
        let up = up.min(rows.saturating_sub(1));
        let resized = columns != self.columns;
        // Drawn in one go where the terminal knows how; without wrapping, where a mark is wider than we think.
        let mut text = String::from("\u{1b}[?2026h\u{1b}[?7l\r");
        text += &moved(up, 'A');
        if resized {
            text += &erased(up);
        }
        for (index, (line, width)) in next.iter().enumerate() {
            if resized || self.drawn.get(index) != Some(&(line.clone(), *width)) {
                // Erased first: behind a full line the cursor still stands on its last column.
                text += "\u{1b}[K";
                text += line;
            }
            text += "\r\n";
        }
        // What the last frame had below.
        text += &erased(if resized { 0 } else { up.saturating_sub(next.len()) });
        text += "\u{1b}[?7h\u{1b}[?2026l";
        (self.drawn, self.columns) = (next, columns);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

fn moved(rows: usize, way: char) -> String {
    if rows == 0 { String::new() } else { format!("\u{1b}[{rows}{way}") }
}

/// Erases that many rows from the cursor on, line by line, and comes back: to erase the rest of the screen at once from its
/// first row puts all of it into the scrollback of some terminals.
fn erased(rows: usize) -> String {
    "\u{1b}[2K\u{1b}[B".repeat(rows) + &moved(rows, 'A')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line<'_>> {
        text.lines().map(Line::raw).collect()
    }

    fn written(screen: &mut Inline<Vec<u8>>, text: &str, columns: usize, rows: usize) -> String {
        screen.out.clear();
        screen.draw(&lines(text), columns, rows).unwrap();
        String::from_utf8(screen.out.clone()).unwrap()
    }

    #[test]
    fn only_what_changed_is_written() {
        let mut screen = Inline::new(Vec::new(), false);
        assert!(
            written(&mut screen, "one\ntwo", 80, 24).contains("\u{1b}[Kone\r\n\u{1b}[Ktwo\r\n")
        );
        let next = written(&mut screen, "one\n2", 80, 24);
        assert!(next.contains("\u{1b}[2A\r\n\u{1b}[K2\r\n"), "{next:?}");
        assert_eq!(written(&mut screen, "one\n2", 80, 24), "");
    }

    #[test]
    fn a_narrower_terminal_has_wrapped_the_old_lines() {
        let mut screen = Inline::new(Vec::new(), false);
        written(&mut screen, "0123456789\nx", 10, 24);
        let text = written(&mut screen, "0\nx", 4, 24);
        let erased = "\u{1b}[2K\u{1b}[B".repeat(4);
        assert!(text.contains(&format!("\u{1b}[4A{erased}\u{1b}[4A\u{1b}[K0")), "{text:?}");
    }

    #[test]
    fn what_is_left_of_a_longer_frame_is_erased_and_nothing_else() {
        let mut screen = Inline::new(Vec::new(), false);
        written(&mut screen, "a\nb\nc", 80, 24);
        let text = written(&mut screen, "a", 80, 24);
        assert!(
            text.contains("\u{1b}[3A\r\n\u{1b}[2K\u{1b}[B\u{1b}[2K\u{1b}[B\u{1b}[2A"),
            "{text:?}"
        );
        let gone = written(&mut screen, "", 80, 24);
        assert!(gone.contains("\u{1b}[1A\u{1b}[2K\u{1b}[B\u{1b}[1A"), "{gone:?}");
        assert!(!text.contains("\u{1b}[J") && !gone.contains("\u{1b}[J"));
    }

    #[test]
    fn a_low_terminal_gets_the_first_lines() {
        let mut screen = Inline::new(Vec::new(), false);
        let text = written(&mut screen, "1\n2\n3\n4\n5", 80, 4);
        assert!(text.contains("\u{1b}[K3") && !text.contains("\u{1b}[K4"), "{text:?}");
        assert!(written(&mut screen, "a\nb\nc\nd", 80, 4).contains("\u{1b}[3A"));
    }
}
