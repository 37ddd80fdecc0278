//! What the terminal shows, and what a key changes in it. Knows no terminal.

use std::sync::Arc;

use engine::run::board::{Board, BoardCard, Column};
use engine::run::model::CardStatus;

/// A key that means something here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Open,
    Back,
    Help,
    PutAway,
    Quit,
    /// To do something with the card, after a preview and a yes.
    Act(Act),
}

/// Something that can be done with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Apply,
    Revert,
    Replay,
    Drop,
    Stop,
}

impl Act {
    /// The command that does it, with its own preview and question.
    pub(crate) fn command(self, run: &str, id: &str) -> String {
        match self {
            Self::Apply => format!("vib run apply {run}/{id}"),
            Self::Revert => format!("vib run revert {run}/{id}"),
            Self::Replay => format!("vib run replay {run} --card {id}"),
            Self::Drop => format!("vib run drop {run}/{id}"),
            Self::Stop => format!("vib run stop {run}"),
        }
    }
}

/// What whoever holds the terminal has to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Todo {
    Nothing,
    Quit,
    /// Load the evidence of this card.
    Load {
        run: String,
        card: String,
    },
    /// Do this with it: the terminal is needed for that.
    Act {
        act: Act,
        run: String,
        card: String,
    },
}

/// What fills the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum View {
    #[default]
    Board,
    /// A card's evidence, from this line on.
    Card {
        run: String,
        card: String,
        top: usize,
    },
    Help,
}

/// Everything that is shown.
#[derive(Debug)]
pub(super) struct State {
    pub(super) board: Board,
    pub(super) view: View,
    /// Where the cursor is: a status, and the place in its column.
    pub(super) status: CardStatus,
    pub(super) row: usize,
    /// What was taken back or put away has columns, too.
    pub(super) all: bool,
    /// Lines that fit on the screen, and lines that the evidence has: known after the first drawing.
    pub(super) page: usize,
    pub(super) lines: usize,
}

impl State {
    pub(super) fn new(board: Board) -> Self {
        let mut state = Self {
            board,
            view: View::Board,
            status: CardStatus::Preview,
            row: 0,
            all: false,
            page: 10,
            lines: 0,
        };
        // What waits for a person comes first.
        let order = [CardStatus::Preview, CardStatus::Review, CardStatus::Running, CardStatus::Blocked];
        let columns = state.columns();
        let first = order.into_iter().find(|status| columns.iter().any(|column| column.status == *status));
        let first = first.or_else(|| columns.first().map(|column| column.status));
        state.status = first.unwrap_or(CardStatus::Todo);
        state
    }

    /// The columns that have something in them, as they stand beside each other.
    pub(super) fn columns(&self) -> Vec<&Column> {
        let away = self.board.put_away.iter().filter(|_| self.all);
        self.board.columns.iter().chain(away).filter(|column| !column.cards.is_empty()).collect()
    }

    /// The place of the cursor's column among those.
    pub(super) fn at(&self) -> usize {
        self.columns().iter().position(|column| column.status == self.status).unwrap_or(0)
    }

    /// The card under the cursor.
    pub(super) fn card(&self) -> Option<&Arc<BoardCard>> {
        self.columns().get(self.at())?.cards.get(self.row)
    }

    /// The board changed; the cursor stays on its card wherever it went.
    pub(super) fn renew(&mut self, board: Board) {
        let name = self.card().map(|card| (card.run.clone(), card.id.clone()));
        self.board = board;
        let Some((run, id)) = name else { return self.keep_inside() };
        let found = self.columns().iter().find_map(|column| {
            let row = column.cards.iter().position(|card| card.run == run && card.id == id)?;
            Some((column.status, row))
        });
        if let Some((status, row)) = found {
            (self.status, self.row) = (status, row);
        }
        self.keep_inside();
    }

    fn keep_inside(&mut self) {
        let (status, last) = match self.columns().get(self.at()) {
            Some(column) => (column.status, column.cards.len().saturating_sub(1)),
            None => (self.status, 0),
        };
        (self.status, self.row) = (status, self.row.min(last));
    }

    /// What a key does.
    pub(super) fn press(&mut self, key: Key) -> Todo {
        match (&mut self.view, key) {
            (_, Key::Quit) | (View::Board, Key::Back) => return Todo::Quit,
            (View::Help, _) | (View::Card { .. }, Key::Back | Key::Left) => self.view = View::Board,
            (_, Key::Help) => self.view = View::Help,
            (_, Key::Act(act)) => {
                let Some(card) = self.card() else { return Todo::Nothing };
                return Todo::Act { act, run: card.run.clone(), card: card.id.clone() };
            }
            (View::Card { top, .. }, key) => {
                let last = self.lines.saturating_sub(self.page);
                *top = match key {
                    Key::Up => top.saturating_sub(1),
                    Key::Down => (*top + 1).min(last),
                    Key::PageUp => top.saturating_sub(self.page),
                    Key::PageDown => (*top + self.page).min(last),
                    Key::First => 0,
                    Key::Last => last,
                    _ => *top,
                };
            }
            (View::Board, Key::Open) => {
                let Some(card) = self.card() else { return Todo::Nothing };
                let (run, card) = (card.run.clone(), card.id.clone());
                self.view = View::Card { run: run.clone(), card: card.clone(), top: 0 };
                return Todo::Load { run, card };
            }
            (View::Board, key) => self.walk(key),
        }
        Todo::Nothing
    }

    fn walk(&mut self, key: Key) {
        let (at, columns) = (self.at(), self.columns());
        let Some(here) = columns.get(at) else { return };
        let last = here.cards.len().saturating_sub(1);
        let beside = match key {
            Key::Left => at.checked_sub(1),
            Key::Right => Some(at + 1).filter(|next| *next < columns.len()),
            _ => None,
        };
        if let Some(column) = beside.map(|next| columns[next].status) {
            self.status = column;
            return self.keep_inside();
        }
        match key {
            Key::Up => self.row = self.row.saturating_sub(1),
            Key::Down => self.row = (self.row + 1).min(last),
            Key::PageUp => self.row = self.row.saturating_sub(5),
            Key::PageDown => self.row = (self.row + 5).min(last),
            Key::First => self.row = 0,
            Key::Last => self.row = last,
            Key::PutAway => {
                self.all = !self.all;
                self.keep_inside();
            }
            _ => {}
        }
    }
}
