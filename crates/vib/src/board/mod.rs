//! `vib board` in the terminal: the board of runs, walked with the keys.
//!
//! [`state`] is what is shown and what a key changes (pure), [`draw`] puts it on the screen, [`evidence`] is one card in lines, [`screen`] holds the
//! terminal and always gives it back. What a key does with a card is the command of that name: the terminal is given back to it, so that its own
//! preview, question and passphrase are the ones that count, and the board comes again behind it.

mod draw;
mod evidence;
mod look;
mod screen;
mod state;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use screen::{is_possible, show};
pub(crate) use state::Act;
pub(crate) use words::{card_line, status_word};
