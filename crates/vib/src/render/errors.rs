//! Errors that people meet, in their language. What is rare is said as the library words it.

use engine::Error;
use texts::Value;

use crate::theme::Theme;

/// What happened, and what to do next.
pub(crate) fn error(error: &Error, theme: &Theme) -> (String, String) {
    let both = |message: &str, next: &str, values: &[(&str, Value<'_>)]| {
        (theme.say(message, values), theme.say(next, values))
    };
    // Near names are computed below; what they mean is said there.
    let named = |id: &str, path: &str| (theme.say(id, &[("path", path.into())]), error.next());
    match error {
        Error::NothingToUndo(why) => {
            let values = [("why", why.as_str().into())];
            both("error-nothing-to-undo-message", "error-nothing-to-undo-next", &values)
        }
        Error::NothingToRedo => both("error-nothing-to-redo-message", "error-nothing-to-redo-next", &[]),
        Error::SomethingNewSince { path, safety } => {
            let next = match safety {
                Some(id) => theme.say("error-before-that-undo", &[("id", id.as_str().into())]),
                None => theme.word("error-states-kept"),
            };
            let values = [("path", path.as_str().into()), ("safety", next.into())];
            both("error-something-new-since-message", "error-something-new-since-next", &values)
        }
        Error::NeedsConfirmation => {
            both("error-needs-confirmation-message", "error-needs-confirmation-next", &[])
        }
        Error::Declined => both("error-declined-message", "error-declined-next", &[]),
        Error::PathUnknown { path, id } => {
            let values = [("path", path.as_str().into()), ("id", id.as_str().into())];
            both("error-path-unknown-message", "error-path-unknown-next", &values)
        }
        Error::NotThereThen { path, moment } => {
            let values = [("path", path.as_str().into()), ("moment", moment.as_str().into())];
            both("error-not-there-then-message", "error-not-there-then-next", &values)
        }
        Error::NothingToRecover => {
            both("error-nothing-to-recover-message", "error-nothing-to-recover-next", &[])
        }
        Error::NoSafeCheckpoint => {
            both("error-no-safe-checkpoint-message", "error-no-safe-checkpoint-next", &[])
        }
        Error::NotUnderstood(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let values = [("words", words.join(", ").into())];
            both("error-not-understood-message", "error-not-understood-next", &values)
        }
        Error::NotWhatWasShown => {
            both("error-not-what-was-shown-message", "error-not-what-was-shown-next", &[])
        }
        Error::NotInHistory(what) => {
            let values = [("what", what.as_str().into())];
            both("error-not-in-history-message", "error-not-in-history-next", &values)
        }
        Error::NeedsTerminal => both("error-needs-terminal-message", "error-needs-terminal-next", &[]),
        Error::NoSuchPath { path, .. } => named("error-no-such-path-message", path),
        Error::NoSuchFile { path, .. } => named("error-no-such-file-message", path),
        Error::NothingToSave { path, .. } => named("error-nothing-to-save-message", path),
        rare => (rare.to_string(), rare.next()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In English it is what the library says: there are not two wordings.
    #[test]
    fn english_is_worded_once() {
        let text = || "a.rs".to_owned();
        for one in [
            Error::NothingToUndo(text()),
            Error::NothingToRedo,
            Error::SomethingNewSince { path: text(), safety: Some("kmtz".to_owned()) },
            Error::SomethingNewSince { path: text(), safety: None },
            Error::NeedsConfirmation,
            Error::Declined,
            Error::PathUnknown { path: text(), id: "kmtz".to_owned() },
            Error::NotThereThen { path: text(), moment: "kmtz".to_owned() },
            Error::NothingToRecover,
            Error::NoSafeCheckpoint,
            Error::NotUnderstood(vec![text(), text()]),
            Error::NotWhatWasShown,
            Error::NotInHistory("request `r1`".to_owned()),
            Error::NeedsTerminal,
            Error::NoSuchPath { path: text(), nearest: Vec::new() },
            Error::NoSuchFile { path: text(), nearest: Vec::new() },
            Error::NothingToSave { path: text(), nearest: Vec::new() },
        ] {
            assert_eq!(error(&one, &Theme::plain()), (one.to_string(), one.next()));
        }
    }
}
