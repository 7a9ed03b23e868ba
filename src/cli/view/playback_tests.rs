//! Frames of replays, and what the keys do.

use super::*;
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

fn lane(name: &str, log: &[LogLine]) -> ReplayLane {
    ReplayLane::new(name.to_owned(), log)
}

fn alone(at_ms: u64) -> Playback {
    let mut playback = Playback::new(vec![lane("Gemma 4 31B, DGX Spark", &samples::spark())], 1);
    playback.pass(at_ms);
    playback
}

fn three(at_ms: u64) -> Playback {
    let lanes = vec![
        lane("Nemotron", &samples::nemotron()),
        lane("DGX Spark", &samples::spark()),
        lane("Mac Studio", &samples::mac()),
    ];
    let mut playback = Playback::new(lanes, 1);
    playback.pass(at_ms);
    playback.set_speed(3);
    playback
}

#[test]
fn one_race_at_80_columns() {
    insta::assert_snapshot!(screen(alone(60_000).frame(&UTF8, 80, 24), 80));
}

#[test]
fn ghosts_at_80_columns() {
    insta::assert_snapshot!(screen(three(191_000).frame(&UTF8, 80, 24), 80));
}

#[test]
fn ghosts_at_120_columns() {
    insta::assert_snapshot!(screen(three(191_000).frame(&UTF8, 120, 24), 120));
}

#[test]
fn ghosts_at_200_columns() {
    insta::assert_snapshot!(screen(three(191_000).frame(&UTF8, 200, 40), 200));
}

#[test]
fn one_race_at_200_columns() {
    insta::assert_snapshot!(screen(alone(60_000).frame(&UTF8, 200, 40), 200));
}

#[test]
fn the_edges_stop_the_clock() {
    let mut playback = alone(60_000);
    playback.go(Move::Edge(Way::On));
    assert_eq!((playback.at_ms, playback.is_over()), (274_300, false));
    playback.go(Move::Edge(Way::Back));
    assert_eq!((playback.at_ms, playback.playing), (0, false));
}

#[test]
fn the_end_without_utf8() {
    let text = screen(three(u64::MAX).frame(&ASCII, 80, 24), 80);
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
}

#[test]
fn a_log_that_ends_early_says_so() {
    let log = samples::spark();
    let mut playback = Playback::new(vec![lane("DGX Spark", &log[..14])], 1);
    playback.pass(u64::MAX);
    let text = screen(playback.frame(&UTF8, 80, 24), 80);
    assert!(text.contains("unfinished: the log ends here"), "{text}");
    assert!(playback.is_over());
}

#[test]
fn keys_move_the_clock() {
    let mut playback = alone(60_000);
    playback.go(Move::Seek(Way::Back));
    assert_eq!(playback.at_ms, 55_000);
    playback.go(Move::Step(Way::On));
    assert_eq!((playback.at_ms, playback.playing), (64_600, false));
    playback.go(Move::Step(Way::Back));
    assert_eq!(playback.at_ms, 52_600);
    playback.pass(1_000);
    assert_eq!(playback.at_ms, 52_600, "a step stops the clock");
    playback.toggle();
    playback.set_speed(2);
    playback.set_speed(9);
    playback.pass(100);
    assert_eq!(playback.at_ms, 53_100);
    playback.go(Move::Seek(Way::On));
    assert_eq!(playback.at_ms, 58_100);
    playback.pass(u64::MAX);
    assert!(playback.is_over());
}

#[test]
fn what_is_ahead_is_hidden() {
    let text = screen(alone(60_000).frame(&UTF8, 80, 24), 80);
    assert!(!text.contains('●'), "{text}");
}

#[test]
fn every_size_fits() {
    for at_ms in (0..350_000).step_by(9_999) {
        for playback in [alone(at_ms), three(at_ms)] {
            for width in [20, 60, 79, 80, 99, 100, 200] {
                for rows in [4, 10, 16, 24, 60] {
                    let lines = playback.frame(&UTF8, width, rows);
                    let wide = lines.iter().map(Line::width).max().unwrap_or(0);
                    assert!(wide <= width.max(60), "{wide} columns of {width}");
                    assert!(lines.len() < rows.max(18), "{} lines of {rows}", lines.len());
                }
            }
        }
    }
}
