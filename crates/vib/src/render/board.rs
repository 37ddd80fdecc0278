//! The board as text.

use engine::run::board::{Board, Column};

use super::words::harmless;
use crate::board::{card_line, status_word};
use crate::theme::{Theme, paint};

/// `vib board`, where nobody walks it with keys.
pub(crate) fn board(board: &Board, theme: &Theme) -> String {
    if board.cards() == 0 {
        return format!("{}\n", theme.word("board-empty"));
    }
    let mut out = String::new();
    for waiting in &board.waiting {
        let text = format!("! {} · {}", waiting.run, harmless(&waiting.why));
        let next = format!("vib run resume {}", waiting.run);
        out.push_str(&format!("{} · {}\n", paint(theme.warning, text), paint(theme.id, next)));
    }
    for column in board.columns.iter().chain(&board.put_away).filter(|column| !column.cards.is_empty()) {
        out.push_str(&one_column(column, board.now_ms, theme));
    }
    out
}

fn one_column(column: &Column, now_ms: i64, theme: &Theme) -> String {
    let title = format!("{} {}", status_word(theme, column.status), column.cards.len());
    let mut out = format!("{}\n", paint(theme.strong, title));
    for card in &column.cards {
        let (title, facts) = card_line(theme, card, now_ms);
        out.push_str(&format!("  {title}\n    {}\n", paint(theme.dim, facts)));
    }
    out
}
