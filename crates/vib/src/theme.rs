//! How an answer looks and in which language it is given. Colours are by role; everything reads the same without them.

use anstyle::{AnsiColor, Style};
use texts::{Language, Texts, Value};

/// The styles of one run, its words, and the width of the terminal (none: not a terminal, do not cut).
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
    pub(crate) texts: Texts,
}

impl Theme {
    /// No colours, no width, in English: for what goes somewhere else than to a terminal.
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
            texts: Texts::new(Language::En),
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
            texts: Texts::new(Language::En),
        }
    }

    /// The message with this id, in the language of this run.
    pub(crate) fn say(&self, id: &str, values: &[(&str, Value<'_>)]) -> String {
        self.texts.say(id, values)
    }

    /// A message without values.
    pub(crate) fn word(&self, id: &str) -> String {
        self.texts.say(id, &[])
    }

    /// A message about a number of things: `3 files`.
    pub(crate) fn count(&self, id: &str, number: usize) -> String {
        self.texts.say(id, &[("count", number.into())])
    }

    /// `5 minutes ago`. A clock that was set back says "just now".
    pub(crate) fn ago(&self, then_ms: i64, now_ms: i64) -> String {
        let seconds = usize::try_from((now_ms - then_ms) / 1000).unwrap_or(0);
        match seconds {
            0..=9 => self.word("common-just-now"),
            10..=59 => self.count("common-seconds-ago", seconds),
            60..=3599 => self.count("common-minutes-ago", seconds / 60),
            3600..=86_399 => self.count("common-hours-ago", seconds / 3600),
            _ => self.count("common-days-ago", seconds / 86_400),
        }
    }

    /// `note:`, in its colour.
    pub(crate) fn note(&self) -> String {
        paint(self.warning, self.word("common-note"))
    }

    /// `warning:`, in its colour.
    pub(crate) fn warn(&self) -> String {
        paint(self.warning, self.word("common-warning"))
    }
}

/// `text` in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
