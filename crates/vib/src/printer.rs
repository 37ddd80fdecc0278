//! The edge where text leaves the program. Nothing else prints.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anstream::ColorChoice;
use install::gone::Gone;
use project::Config;
use serde_json::json;
use texts::{Language, Texts};

use crate::answer::{Answer, Body};
use crate::cli::Global;
use crate::theme::{Theme, paint};
use crate::{pager, render};

/// Prints answers and errors, in one of two forms.
#[derive(Debug)]
pub(crate) struct Printer {
    json: bool,
    explicit_color: bool,
    pager: bool,
    theme: Theme,
}

impl Printer {
    pub(crate) fn new(global: &Global) -> Self {
        let color = global.color.as_deref();
        if let Some(word) = color {
            choose_color(word);
        }
        let is_terminal = std::io::stdout().is_terminal();
        let width =
            is_terminal.then(|| terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)));
        Self {
            json: global.json,
            explicit_color: color.is_some(),
            pager: !global.no_pager,
            theme: Theme::new(width),
        }
    }

    /// Answers from here on are in this language.
    pub(crate) fn speak(&mut self, language: Language) {
        self.theme.texts = Texts::new(language);
    }

    /// The settings count where the command line says nothing.
    pub(crate) fn use_setting(&mut self, config: &Config) {
        if let Some(language) = Language::from_code(config.word("ui.language")) {
            self.speak(language);
        }
        if !self.explicit_color
            && let Ok((value, _)) = config.get("ui.color")
        {
            choose_color(&value.to_string());
        }
    }

    pub(crate) fn json(&self) -> bool {
        self.json
    }

    pub(crate) fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Colours are wanted on the terminal.
    pub(crate) fn colours(&self) -> bool {
        !is_plain()
    }

    /// The answer goes to a file or a program, so what comes from files goes there to the byte. To a person it goes as
    /// harmless text.
    pub(crate) fn exact(&self) -> bool {
        !self.json && !std::io::stdout().is_terminal() && is_plain()
    }

    /// Text that belongs to a conversation with the person, not to the answer.
    pub(crate) fn aside(&self, text: &str) {
        let mut out = anstream::stderr().lock();
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }

    /// Text that is shown at once, while the command goes on.
    pub(crate) fn now(&self, text: &str) {
        if !self.json {
            write_out(text.as_bytes());
        }
    }

    /// Exactly these bytes, at once: no colour code is taken out and none put in. A reader that went away ends the command.
    pub(crate) fn exactly(&self, bytes: &[u8]) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    }

    pub(crate) fn answer(&self, answer: &Answer, gone: &[Gone]) -> ExitCode {
        match &answer.body {
            Body::Text(text) => {
                let paged = answer.long && self.pager && pager::show(&painted(text.as_bytes()));
                if !paged {
                    write_out(text.as_bytes());
                }
            }
            Body::Raw(bytes) => {
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(bytes).and_then(|()| out.flush());
            }
            Body::Json(data) => {
                let error = answer
                    .refused
                    .as_ref()
                    .map(|why| json!({"code": why.code, "message": why.message, "next": why.next}));
                let mut whole = json!({"ok": answer.exit == 0, "error": error, "data": data});
                if !gone.is_empty() {
                    let notice =
                        |gone: &Gone| json!({"notice": "hooks_gone", "message": gone.words(), "gone": gone});
                    whole["notices"] = gone.iter().map(notice).collect();
                }
                write_out(format!("{whole}\n").as_bytes());
            }
        }
        ExitCode::from(answer.exit)
    }

    pub(crate) fn error(&self, error: &engine::Error) -> ExitCode {
        let code = error.code();
        if self.json {
            let mut body = json!({"code": code, "message": error.to_string(), "next": error.next()});
            if let engine::Error::Store(store::Error::SnapshotExpired { oldest_available, .. }) = error {
                body["oldest_available"] = json!(oldest_available);
            }
            write_out(format!("{}\n", json!({"ok": false, "error": body, "data": null})).as_bytes());
        } else {
            let theme = &self.theme;
            let (message, next) = render::error(error, theme);
            self.aside(&format!(
                "{} {message}\n{} {next}\n",
                paint(theme.error, theme.say("common-error", &[("code", code.into())])),
                paint(theme.strong, theme.word("common-next"))
            ));
        }
        ExitCode::from(error.exit_code())
    }
}

/// No colours are wanted.
fn is_plain() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) == ColorChoice::Never
}

/// With its colours, or without if none are wanted.
fn painted(bytes: &[u8]) -> Cow<'_, [u8]> {
    if is_plain() {
        Cow::Owned(anstream::adapter::strip_bytes(bytes).into_vec())
    } else {
        Cow::Borrowed(bytes)
    }
}

/// A reader that went away (`vib history | head`) is no error.
fn write_out(bytes: &[u8]) {
    let _ = if is_plain() {
        // In one piece: a stream that takes colours out as it goes writes every line for itself.
        let mut out = std::io::stdout().lock();
        out.write_all(&painted(bytes)).and_then(|()| out.flush())
    } else {
        let mut out = anstream::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    };
}

fn choose_color(word: &str) {
    let choice = match word {
        "always" if std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) => ColorChoice::Always,
        "never" | "always" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    choice.write_global();
}
