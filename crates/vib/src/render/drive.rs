//! `vib drive`: what came of one prompt.

use drive::drive::DriveReport;
use drive::executor::Why;

use super::words::{count, harmless, line};
use crate::theme::{Theme, paint};

/// The whole of it.
pub(crate) fn driven(report: &DriveReport, theme: &Theme) -> String {
    let mut out = String::new();
    let said = report.text.trim();
    if !said.is_empty() {
        out.push_str(&format!("{}\n\n", harmless(said)));
    }
    let title = report.client.title();
    out.push_str(&paint(theme.strong, words(&report.ended, title)).to_string());
    out.push('\n');
    for refused in &report.refused {
        let reason = refused.reason.as_deref().unwrap_or("nobody could be asked");
        let text = format!("refused: {} ({reason})", refused.what);
        out.push_str(&format!("  {}\n", line(&harmless(&text), theme, 2)));
    }
    for notice in &report.notices {
        out.push_str(&format!("  {}\n", line(&harmless(notice), theme, 2)));
    }
    let seconds = report.took_ms / 1000;
    let fence = if report.fenced { "behind the fence" } else { "without a fence" };
    out.push_str(&format!("{} in {seconds} s, {fence}; {}\n", count(report.calls, "call"), cost(report)));
    out.push_str("`vib history` shows every step; `vib undo` takes the whole request back.\n");
    out
}

fn words(why: &Why, title: &str) -> String {
    match why {
        Why::Done => format!("{title} says that it is done."),
        Why::Refused { said } => format!("{title} would not do it: {}", harmless(said)),
        Why::Cancelled => format!("{title} was cancelled."),
        Why::Limit => format!("{title} took too long and was ended, with everything it started."),
        Why::Silent => {
            format!("{title} said nothing for too long and was ended, with everything it started.")
        }
        Why::Forks => format!("{title} started too many processes and was ended, with all of them."),
        Why::Crashed { code } => format!("{title} ended without an answer (exit code {code})."),
        Why::Budget => {
            format!("{title} has used its budget, so it was cancelled. What it did so far is saved.")
        }
    }
}

fn cost(report: &DriveReport) -> String {
    let tokens = report.used.tokens.map(|tokens| format!("{} tokens", tokens.prompt() + tokens.output));
    let dollars = report.used.dollars.map(|dollars| format!("${dollars:.4}"));
    match (tokens, dollars) {
        (None, None) => "what it cost is not known".to_owned(),
        (Some(tokens), None) => format!("{tokens}, their price is not known"),
        (None, Some(dollars)) => dollars,
        (Some(tokens), Some(dollars)) => format!("{tokens}, {dollars}"),
    }
}
