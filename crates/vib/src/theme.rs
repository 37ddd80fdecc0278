//! Colours by role. Everything reads the same without them.

use anstyle::{AnsiColor, Style};

/// The styles of one run, and the width of the terminal (none: not a terminal, do not cut).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    pub(crate) added: Style,
    pub(crate) removed: Style,
    pub(crate) warning: Style,
    pub(crate) error: Style,
    pub(crate) id: Style,
    pub(crate) dim: Style,
    pub(crate) strong: Style,
    pub(crate) width: Option<usize>,
}

impl Theme {
    /// No colours, no width: for what goes somewhere else than to a terminal.
    pub(crate) fn plain() -> Self {
        let none = Style::new();
        Self {
            added: none,
            removed: none,
            warning: none,
            error: none,
            id: none,
            dim: none,
            strong: none,
            width: None,
        }
    }

    pub(crate) fn new(width: Option<usize>) -> Self {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        Self {
            added: colour(AnsiColor::Green),
            removed: colour(AnsiColor::Red),
            warning: colour(AnsiColor::Yellow),
            error: colour(AnsiColor::Red).bold(),
            id: colour(AnsiColor::Cyan),
            dim: Style::new().dimmed(),
            strong: Style::new().bold(),
            width,
        }
    }
}

/// `text` in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
