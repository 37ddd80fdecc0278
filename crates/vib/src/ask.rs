//! Asking a person.

use std::io::{BufRead, IsTerminal};

use crate::printer::Printer;

/// True if there is somebody to ask.
pub(crate) fn somebody_is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks for a line of text; an empty one means that the person does not want to answer.
pub(crate) fn line(printer: &Printer, question: &str) -> Option<String> {
    printer.aside(&format!("{question}\n> "));
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// An answer to a question that can be answered in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Yes,
    /// Not all of it: the person wants to choose.
    Choose,
    No,
}

/// Asks a yes-or-no question to which `c` means "let me choose"; anything else is a no.
pub(crate) fn yes_or_choose(printer: &Printer, question: &str) -> Reply {
    printer.aside(&format!("{question} [y/N/c] "));
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line).is_err() {
        return Reply::No;
    }
    match line.trim().to_lowercase().as_str() {
        "c" | "choose" => Reply::Choose,
        answer if is_yes(answer) => Reply::Yes,
        _ => Reply::No,
    }
}

/// Asks a yes-or-no question; anything but a clear yes is a no.
pub(crate) fn yes(printer: &Printer, question: &str) -> bool {
    printer.aside(&format!("{question} [y/N] "));
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line).is_err() {
        return false;
    }
    is_yes(line.trim())
}

/// A clear yes, in the languages that vib speaks.
fn is_yes(answer: &str) -> bool {
    matches!(
        answer.to_lowercase().as_str(),
        "y" | "yes" | "네" | "예" | "응" | "是" | "是的" | "好" | "好的" | "はい"
    )
}
