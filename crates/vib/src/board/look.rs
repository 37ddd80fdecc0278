//! The colours of the terminal's board: those of every command, by role.

use anstyle::{AnsiColor, Color as Painted, Effects};
use ratatui::style::{Color, Modifier, Style};

use crate::theme::Theme;

/// The styles of one screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) added: Style,
    pub(super) removed: Style,
    pub(super) warning: Style,
    pub(super) error: Style,
    pub(super) id: Style,
    pub(super) dim: Style,
    pub(super) strong: Style,
    /// Where the cursor is. Seen without colours, too.
    pub(super) cursor: Style,
}

impl Look {
    pub(super) fn new(theme: &Theme, colours: bool) -> Self {
        let style = |style: anstyle::Style| as_drawn(style, colours);
        Self {
            added: style(theme.added),
            removed: style(theme.removed),
            warning: style(theme.warning),
            error: style(theme.error),
            id: style(theme.id),
            dim: style(theme.dim),
            strong: style(theme.strong),
            cursor: Style::new().add_modifier(Modifier::REVERSED),
        }
    }
}

fn as_drawn(style: anstyle::Style, colours: bool) -> Style {
    let mut out = Style::new();
    if colours && let Some(Painted::Ansi(colour)) = style.get_fg_color() {
        out = out.fg(match colour {
            AnsiColor::Green => Color::Green,
            AnsiColor::Red => Color::Red,
            AnsiColor::Yellow => Color::Yellow,
            AnsiColor::Cyan => Color::Cyan,
            AnsiColor::Blue => Color::Blue,
            AnsiColor::Magenta => Color::Magenta,
            _ => Color::Reset,
        });
    }
    let effects = style.get_effects();
    if effects.contains(Effects::BOLD) {
        out = out.add_modifier(Modifier::BOLD);
    }
    if effects.contains(Effects::DIMMED) {
        out = out.add_modifier(Modifier::DIM);
    }
    out
}
