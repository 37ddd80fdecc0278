//! Puts the state on the screen: as many columns as fit, all of them named above, what waits for a person, and the keys below.

use engine::run::board::{BoardCard, CheckMark, Column};
use engine::run::model::CardStatus;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::look::Look;
use super::state::{State, View};
use super::words::{marks, place, status_word};
use crate::render::harmless;
use crate::theme::Theme;

/// A column is never narrower, unless the terminal is.
const NARROWEST: u16 = 26;
/// Lines of a card, the empty one below it included.
const CARD: u16 = 4;

/// Draws everything. `lines`: the evidence of the card that is open.
pub(super) fn draw(frame: &mut Frame<'_>, state: &mut State, lines: &[Line<'_>], theme: &Theme, look: &Look) {
    let area = frame.area();
    if area.width < 4 || area.height < 4 {
        return;
    }
    let waits = waiting(state, theme, look, area.width);
    let top = 1 + waits.len() as u16;
    let [head, foot] =
        [Rect { height: top.min(area.height), ..area }, Rect { y: area.bottom() - 1, height: 1, ..area }];
    let body = Rect { y: top, height: area.height.saturating_sub(top + 1), ..area };
    let mut above = vec![names(state, theme, look, area.width)];
    above.extend(waits);
    frame.render_widget(Paragraph::new(above), head);
    match &state.view {
        View::Board => columns(frame, body, state, theme, look),
        View::Help => frame.render_widget(Paragraph::new(help(theme, look)), body),
        View::Card { top, .. } => {
            state.page = usize::from(body.height);
            state.lines = lines.len();
            let top = (*top).min(lines.len().saturating_sub(1));
            let shown: Vec<Line<'_>> =
                lines.iter().skip(top).take(usize::from(body.height)).cloned().collect();
            frame.render_widget(Paragraph::new(shown), body);
        }
    }
    frame.render_widget(Paragraph::new(keys(state, theme, look)), foot);
}

/// Every column by name with its number of cards; the cursor's stands out. Where they do not fit: the cursor's, and which of how many it is.
fn names<'l>(state: &State, theme: &Theme, look: &Look, width: u16) -> Line<'l> {
    let away = state.board.put_away.iter().filter(|_| state.all);
    let all: Vec<&Column> = state.board.columns.iter().chain(away).collect();
    let name = |column: &Column| format!(" {} {} ", status_word(theme, column.status), column.cards.len());
    let total: usize = all.iter().map(|column| name(column).width() + 1).sum();
    let mut spans = Vec::new();
    for column in &all {
        let here = column.status == state.status;
        if total > usize::from(width) && !here {
            continue;
        }
        let style = if here {
            look.cursor
        } else if column.cards.is_empty() {
            look.dim
        } else {
            look.strong
        };
        spans.push(Span::styled(name(column), style));
        spans.push(Span::raw(" "));
    }
    if total > usize::from(width) {
        let columns = state.columns().len();
        spans.push(Span::styled(format!("‹ {}/{columns} ›", state.at() + 1), look.dim));
    }
    Line::from(spans)
}

/// What only a person can answer, one line each, three at the most.
fn waiting<'l>(state: &State, theme: &Theme, look: &Look, width: u16) -> Vec<Line<'l>> {
    let most = usize::from(width);
    let line = |waiting: &engine::run::board::Waiting| {
        let text = format!("! {} · {} · vib run resume {}", waiting.run, harmless(&waiting.why), waiting.run);
        Line::styled(cut(&text, most), look.warning)
    };
    let mut out: Vec<Line<'l>> = state.board.waiting.iter().take(3).map(line).collect();
    if state.board.waiting.len() > 3 {
        out.push(Line::styled(theme.count("board-more", state.board.waiting.len() - 3), look.warning));
    }
    out
}

fn columns(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme, look: &Look) {
    let columns = state.columns();
    if columns.is_empty() {
        let text = theme.word("board-empty");
        let lines = wrapped(&text, usize::from(area.width)).into_iter().map(Line::raw).collect::<Vec<_>>();
        return frame.render_widget(Paragraph::new(lines), area);
    }
    let fit = usize::from(area.width / NARROWEST).clamp(1, columns.len());
    let at = state.at();
    let first = at.saturating_sub(fit - 1).min(columns.len() - fit).max(at.saturating_sub(fit - 1));
    let width = area.width / fit as u16;
    for (place, column) in columns[first..first + fit].iter().enumerate() {
        let x = area.x + width * place as u16;
        let own = if place + 1 == fit { area.right() - x } else { width - 1 };
        let area = Rect { x, width: own, ..area };
        let row = (column.status == state.status).then_some(state.row);
        one_column(frame, area, column, row, (state.board.now_ms, theme, look));
    }
}

fn one_column(
    frame: &mut Frame<'_>,
    area: Rect,
    column: &Column,
    row: Option<usize>,
    (now_ms, theme, look): (i64, &Theme, &Look),
) {
    let title = format!("{} {}", status_word(theme, column.status), column.cards.len());
    let mut lines = vec![Line::styled(cut(&title, usize::from(area.width)), look.strong)];
    let fit = usize::from(area.height.saturating_sub(1) / CARD).max(1);
    let first = row.map_or(0, |row| row.saturating_sub(fit - 1));
    for (at, card) in column.cards.iter().enumerate().skip(first).take(fit) {
        lines.extend(one_card(card, row == Some(at), usize::from(area.width), (now_ms, theme, look)));
    }
    let left = column.cards.len().saturating_sub(first + fit);
    if left > 0 {
        lines.truncate(usize::from(area.height).saturating_sub(1));
        lines.push(Line::styled(format!("↓ {}", theme.count("board-more", left)), look.dim));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

fn one_card<'l>(
    card: &BoardCard,
    here: bool,
    width: usize,
    (now_ms, theme, look): (i64, &Theme, &Look),
) -> [Line<'l>; 4] {
    let (sign, title) = if here { ("▌ ", look.cursor) } else { ("  ", look.strong) };
    let inner = width.saturating_sub(2);
    let mark = match (card.check, card.status) {
        (Some(CheckMark::Failed), _) | (_, CardStatus::Blocked) => look.error,
        _ if card.weakened => look.error,
        (Some(CheckMark::Passed), _) => look.added,
        (Some(CheckMark::Partly | CheckMark::Stale), _) => look.warning,
        (None, _) => look.dim,
    };
    let line =
        |text: &str, style: Style| Line::from(vec![Span::raw(sign), Span::styled(cut(text, inner), style)]);
    [
        line(&harmless(&card.title), title),
        line(&place(theme, card), look.id),
        line(&marks(theme, card, now_ms), mark),
        Line::default(),
    ]
}

/// The keys that mean something now.
fn keys<'l>(state: &State, theme: &Theme, look: &Look) -> Line<'l> {
    let id = match state.view {
        View::Board => "board-keys",
        View::Card { .. } => "board-keys-card",
        View::Help => "board-keys-help",
    };
    Line::styled(theme.word(id), look.dim)
}

fn help<'l>(theme: &Theme, look: &Look) -> Vec<Line<'l>> {
    const ROWS: [(&str, &str); 12] = [
        ("←↑↓→ hjkl", "board-help-move"),
        ("Enter", "board-help-open"),
        ("Esc", "board-help-back"),
        ("g G PgUp PgDn", "board-help-far"),
        ("a", "board-help-apply"),
        ("r", "board-help-revert"),
        ("p", "board-help-replay"),
        ("d", "board-help-drop"),
        ("s", "board-help-stop"),
        ("x", "board-help-away"),
        ("?", "board-help-help"),
        ("q", "board-help-quit"),
    ];
    let row = |(key, id): (&str, &str)| {
        let padded = format!("  {key:<14} ");
        Line::from(vec![Span::styled(padded, look.id), Span::raw(theme.word(id))])
    };
    let mut lines = vec![Line::default()];
    lines.extend(ROWS.map(row));
    lines.extend([Line::default(), Line::styled(format!("  {}", theme.word("board-help-acts")), look.dim)]);
    lines
}

/// At the most so many cells of a text.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for letter in text.chars() {
        let wide = letter.width().unwrap_or(0);
        if used + wide + 1 > most {
            break;
        }
        used += wide;
        out.push(letter);
    }
    out.push('…');
    out
}

/// A text in lines of at the most so many cells, at blanks where there are some.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let most = most.max(8);
    let mut out = Vec::new();
    for line in text.lines() {
        let mut now = String::new();
        let mut used = 0;
        for word in line.split_inclusive(' ') {
            if used > 0 && used + word.trim_end().width() > most {
                out.push(std::mem::take(&mut now));
                used = 0;
            }
            for letter in word.chars() {
                let wide = letter.width().unwrap_or(0);
                if used + wide > most {
                    out.push(std::mem::take(&mut now));
                    used = 0;
                }
                now.push(letter);
                used += wide;
            }
        }
        out.push(now);
    }
    out
}
