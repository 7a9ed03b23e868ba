//! Frames of the live view, laid out by ratatui as a terminal of that size would show them.

use super::*;
use crate::cli::view::ansi::ansi;
use crate::cli::view::look::{ASCII, UTF8};
use crate::cli::view::samples;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::widgets::Paragraph;

fn screen(lines: Vec<Line<'static>>, width: u16) -> String {
    let height = u16::try_from(lines.len()).unwrap();
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| frame.render_widget(Paragraph::new(lines), frame.area())).unwrap();
    terminal.backend().to_string()
}

/// A view that was told the log up to a moment of its monotonic clock.
fn told(t_ms: u64) -> LiveView {
    let folder = "races/gemma-spark";
    let mut live = LiveView::new("Gemma 4 31B, DGX Spark", folder, samples::course(), Some(15_000));
    for line in samples::spark().iter().filter(|line| line.t_ms <= t_ms) {
        live.event(line);
    }
    live.stream(
        Channel::Reasoning,
        "The ferryman is free on both banks, so the order only matters for ",
    );
    live.stream(
        Channel::Reasoning,
        "the pair that cannot be left alone.\u{1b}[2J Take the first passenger over,\n",
    );
    live.stream(
        Channel::Reasoning,
        "return empty, then test what happens if the second one goes before the third",
    );
    live.tick(t_ms);
    live
}

#[test]
fn thinking_at_80_columns() {
    insta::assert_snapshot!(screen(told(15_000).frame(&UTF8, 80, 24), 80));
}

#[test]
fn the_buzzer_at_120_columns() {
    insta::assert_snapshot!(screen(told(24_000).frame(&UTF8, 120, 40), 120));
}

#[test]
fn targets_fall_while_the_next_range_is_on() {
    insta::assert_snapshot!(screen(told(36_350).frame(&UTF8, 80, 24), 80));
}

/// The same view against the published race of another lane.
fn against(t_ms: u64) -> LiveView {
    told(t_ms).against("Mac Studio", RaceView::of(&samples::mac()))
}

#[test]
fn against_a_ghost_at_80_columns() {
    insta::assert_snapshot!(screen(against(36_350).frame(&UTF8, 80, 24), 80));
}

#[test]
fn against_a_ghost_at_120_columns() {
    insta::assert_snapshot!(screen(against(60_000).frame(&UTF8, 120, 40), 120));
}

#[test]
fn against_a_ghost_at_200_columns() {
    insta::assert_snapshot!(screen(against(60_000).frame(&UTF8, 200, 50), 200));
}

#[test]
fn gaps_compare_the_same_split() {
    // The sample leaves its first range at 112.6 s, the ghost at 66.4 s.
    let text = screen(against(60_000).frame(&UTF8, 120, 40), 120);
    assert!(text.contains("+46.2"), "{text}");
    let before = screen(against(15_000).frame(&UTF8, 120, 40), 120);
    assert!(before.contains("finish 210.5 s"), "{before}");
}

#[test]
fn colour_is_never_the_only_sign() {
    // Every line says the same without its colours: marks and words differ, not only styles.
    let live = against(60_000);
    for line in live.frame(&UTF8, 100, 40) {
        let plain = ansi(&line, false);
        assert_eq!(anstream::adapter::strip_str(&ansi(&line, true)).to_string(), plain);
        assert!(!plain.contains('\u{1b}'));
    }
    let text = screen(live.frame(&UTF8, 100, 40), 100);
    assert!(text.contains('●') && text.contains('✕') && text.contains('▶'), "{text}");
}

#[test]
fn without_utf8_at_60_columns() {
    let text = screen(told(43_000).frame(&ASCII, 60, 24), 60);
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
}

#[test]
fn the_last_frame_is_the_whole_race() {
    insta::assert_snapshot!(screen(told(u64::MAX).last_frame(&UTF8, 80, 24), 80));
}

#[test]
fn every_size_fits() {
    for t_ms in (0..120_000).step_by(4_999) {
        for live in [told(t_ms), against(t_ms)] {
            for width in [20, 59, 60, 61, 79, 80, 81, 100, 200] {
                for rows in [4, 10, 14, 24, 60] {
                    let lines = live.frame(&UTF8, width, rows);
                    let wide = lines.iter().map(Line::width).max().unwrap_or(0);
                    assert!(wide <= width.max(60), "{wide} columns of {width}");
                    assert!(lines.len() < rows.max(13), "{} lines of {rows}", lines.len());
                }
            }
        }
    }
}
