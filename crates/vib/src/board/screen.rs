//! Holds the terminal while the board is shown, and gives it back however that ends: a key, a signal, an error, a panic.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::run::board::{Folds, board};
use engine::{Engine, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::text::Line;

use super::draw::draw;
use super::evidence;
use super::look::Look;
use super::state::{Act, Key, State, Todo, View};
use crate::commands::bisect::stop_on_signals;
use crate::theme::Theme;

/// A key is answered at once; whether the runs moved is looked at so often.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// A signal is noticed within this.
const PATIENCE: Duration = Duration::from_millis(150);

/// There is a person at both ends: somebody who sees, and somebody who presses keys.
pub(crate) fn is_possible() -> bool {
    std::io::stdout().is_terminal() && std::io::stdin().is_terminal()
}

/// The terminal, in raw mode and on the other screen. Given back when it goes.
struct Held(DefaultTerminal);

impl Held {
    fn take() -> Result<Self> {
        // It also restores the terminal before a panic is told.
        Ok(Self(ratatui::try_init().map_err(store::Error::from)?))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Where even that is refused, the terminal is gone.
        let _ = ratatui::try_restore();
    }
}

/// Shows the board until the person has seen enough. `act` does something with a card, while the terminal is as it usually is.
pub(crate) fn show(
    engine: &Engine,
    theme: &Theme,
    colours: bool,
    act: &mut dyn FnMut(Act, &str, &str) -> Result<()>,
) -> Result<()> {
    let folds = Folds::default();
    let mut state = State::new(board(engine, &folds)?);
    let look = Look::new(theme, colours);
    let stopped = signals();
    let mut held = Held::take()?;
    let mut open: Vec<Line<'_>> = Vec::new();
    let mut looked = Instant::now();
    loop {
        let io = |error: std::io::Error| engine::Error::from(store::Error::from(error));
        held.0.draw(|frame| draw(frame, &mut state, &open, theme, &look)).map_err(io)?;
        if stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut todo = Todo::Nothing;
        if event::poll(PATIENCE).map_err(io)? {
            match event::read().map_err(io)? {
                Event::Key(pressed) => {
                    if let Some(key) = key(pressed) {
                        todo = state.press(key);
                    }
                }
                Event::Resize(..) => todo = opened(&state),
                _ => {}
            }
        }
        if looked.elapsed() >= LOOK_EVERY {
            looked = Instant::now();
            let before = last_change(&state);
            state.renew(board(engine, &folds)?);
            if todo == Todo::Nothing && last_change(&state) != before {
                todo = opened(&state);
            }
        }
        match todo {
            Todo::Quit => return Ok(()),
            Todo::Nothing => {}
            Todo::Load { run, card } => {
                let width = held.0.size().map_or(80, |size| usize::from(size.width));
                open = evidence::lines(engine, (&run, &card), width, theme, &look)?;
            }
            Todo::Act { act: what, run, card } => {
                drop(held);
                act(what, &run, &card)?;
                held = Held::take()?;
                // Keys that were pressed before somebody saw what came of it mean nothing here.
                while event::poll(Duration::ZERO).map_err(io)? {
                    event::read().map_err(io)?;
                }
                state.renew(board(engine, &folds)?);
                looked = Instant::now();
                if let Todo::Load { run, card } = opened(&state) {
                    let width = held.0.size().map_or(80, |size| usize::from(size.width));
                    open = evidence::lines(engine, (&run, &card), width, theme, &look)?;
                }
            }
        }
    }
}

/// The card that is open has to be read again.
fn opened(state: &State) -> Todo {
    match &state.view {
        View::Card { run, card, .. } => Todo::Load { run: run.clone(), card: card.clone() },
        View::Board | View::Help => Todo::Nothing,
    }
}

fn last_change(state: &State) -> Option<i64> {
    state.board.runs.iter().map(|run| run.last_ms).max()
}

/// Ctrl-C is a key here; whoever asks the program to end from outside, or closes the terminal, gets it restored, too.
fn signals() -> Arc<AtomicBool> {
    let stopped = stop_on_signals();
    #[cfg(unix)]
    {
        // Without it the terminal is gone anyway.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(&stopped));
    }
    stopped
}

/// What a key means.
fn key(pressed: KeyEvent) -> Option<Key> {
    if pressed.kind == KeyEventKind::Release {
        return None;
    }
    if pressed.modifiers.contains(KeyModifiers::CONTROL) {
        return match pressed.code {
            KeyCode::Char('c' | 'd') => Some(Key::Quit),
            // Enter that was typed before the board was there.
            KeyCode::Char('j') => Some(Key::Open),
            _ => None,
        };
    }
    Some(match pressed.code {
        KeyCode::Left | KeyCode::Char('h') => Key::Left,
        KeyCode::Right | KeyCode::Char('l') => Key::Right,
        KeyCode::Up | KeyCode::Char('k') => Key::Up,
        KeyCode::Down | KeyCode::Char('j') => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown | KeyCode::Char(' ') => Key::PageDown,
        KeyCode::Home | KeyCode::Char('g') => Key::First,
        KeyCode::End | KeyCode::Char('G') => Key::Last,
        KeyCode::Enter => Key::Open,
        KeyCode::Esc | KeyCode::Backspace => Key::Back,
        KeyCode::Char('?') => Key::Help,
        KeyCode::Char('q') => Key::Quit,
        KeyCode::Char('x') => Key::PutAway,
        KeyCode::Char('a') => Key::Act(Act::Apply),
        KeyCode::Char('r') => Key::Act(Act::Revert),
        KeyCode::Char('p') => Key::Act(Act::Replay),
        KeyCode::Char('d') => Key::Act(Act::Drop),
        KeyCode::Char('s') => Key::Act(Act::Stop),
        _ => return None,
    })
}
