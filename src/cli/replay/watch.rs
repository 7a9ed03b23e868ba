//! Plays a replay in the terminal: the clock and the keys. What is drawn comes from `view/playback.rs`.

use crate::cli::view::{self, Inline, Look, Move, Playback, Way};
use crate::clock::Clock;
use ratatui::crossterm::event::{
    self, Event as Key, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use std::io::Stderr;
use std::sync::Once;
use std::time::Duration;

/// Time between two frames.
const FRAME: Duration = Duration::from_millis(50);

/// How watching ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watched {
    /// Everything was played.
    ToTheEnd,
    /// Somebody had seen enough.
    Quit,
    /// By Ctrl-C.
    Interrupted,
}

/// Plays in the terminal until the end or a key ends it.
pub(super) fn animate(playback: &mut Playback) -> std::io::Result<Watched> {
    let look = Look::of_locale();
    let _raw = Raw::enter()?;
    let mut screen = Inline::stderr();
    let watched = watch(playback, look, &mut screen)?;
    let (columns, rows) = view::size();
    let last = match watched {
        // The card says all that the view of a single race says.
        Watched::ToTheEnd if playback.is_alone() => Vec::new(),
        _ => playback.last_frame(look, columns, rows),
    };
    screen.draw(&last, columns, rows)?;
    Ok(watched)
}

fn watch(
    playback: &mut Playback,
    look: &Look,
    screen: &mut Inline<Stderr>,
) -> std::io::Result<Watched> {
    let clock = Clock::start();
    let mut last_ms = 0;
    loop {
        let now_ms = clock.now().t_ms;
        playback.pass(now_ms.saturating_sub(last_ms));
        last_ms = now_ms;
        let (columns, rows) = view::size();
        screen.draw(&playback.frame(look, columns, rows), columns, rows)?;
        if playback.is_over() {
            return Ok(Watched::ToTheEnd);
        }
        if event::poll(FRAME)?
            && let Some(watched) = press(playback, &event::read()?)
        {
            return Ok(watched);
        }
    }
}

/// What a key does; something when it ends the replay.
fn press(playback: &mut Playback, key: &Key) -> Option<Watched> {
    let Key::Key(KeyEvent {
        code,
        modifiers,
        kind: KeyEventKind::Press | KeyEventKind::Repeat,
        ..
    }) = key
    else {
        return None;
    };
    match code {
        KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => {
            return Some(Watched::Interrupted);
        }
        KeyCode::Char('q') | KeyCode::Esc => return Some(Watched::Quit),
        KeyCode::Char(' ') => playback.toggle(),
        KeyCode::Char('g') => playback.toggle_ghosts(),
        KeyCode::Char(',') => playback.go(Move::Step(Way::Back)),
        KeyCode::Char('.') => playback.go(Move::Step(Way::On)),
        KeyCode::Home => playback.go(Move::Edge(Way::Back)),
        KeyCode::End => playback.go(Move::Edge(Way::On)),
        KeyCode::Left => playback.go(Move::Seek(Way::Back)),
        KeyCode::Right => playback.go(Move::Seek(Way::On)),
        KeyCode::Char(digit) => {
            if let Some(key) = digit.to_digit(10) {
                playback.set_speed(usize::try_from(key).unwrap_or(0));
            }
        }
        _ => {}
    }
    None
}

/// Raw mode, so that single keys arrive; left again when this is dropped, and before a panic says anything.
struct Raw;

impl Raw {
    fn enter() -> std::io::Result<Self> {
        static HOOK: Once = Once::new();
        enable_raw_mode()?;
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                disable_raw_mode().unwrap_or_default();
                before(panic);
            }));
        });
        Ok(Self)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        disable_raw_mode().unwrap_or_default();
    }
}
