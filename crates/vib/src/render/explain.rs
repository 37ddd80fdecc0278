//! What changed, in the person's language.

use engine::explain::{Base, ExplainReport};
use map::SymbolKind;
use risk::{Advice, FileChange, FileReason, FileStory, SymbolEvent, SymbolStory};
use texts::Texts;

use super::verdict::{not_looked_at, risk, style, why as why_first};
use super::words::{date, harmless, notices};
use crate::theme::{Theme, paint};

/// Files that are told in full, and things with a name in each.
const FILES: usize = 40;
const SYMBOLS: usize = 12;
const REASONS: usize = 4;

/// `vib explain`
pub(crate) fn explain(report: &ExplainReport, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    let since = match &report.base {
        Base::Nothing => {
            out.push_str(&format!("{}\n", texts.say("explain-nothing-saved", &[])));
            return out;
        }
        Base::Commit => texts.say("explain-since-commit", &[]),
        Base::Checkpoint { id, created_ms } => texts.say(
            "explain-since-checkpoint",
            &[("id", id.as_str().into()), ("when", date(*created_ms).into())],
        ),
    };
    if report.files.is_empty() && report.left_out == 0 {
        out.push_str(&format!("{}\n", texts.say("explain-nothing-changed", &[("since", since.into())])));
        if !report.verdict.reasons.is_empty() {
            out.push_str(&overall(report, texts, theme));
        }
        return out;
    }
    let values = [
        ("files", files(report.files.len() + report.left_out, texts).into()),
        ("since", since.into()),
        ("added", lines(report.added, texts).into()),
        ("removed", lines(report.removed, texts).into()),
        ("to", report.to.as_str().into()),
    ];
    let id = if report.to == "now" { "explain-changed" } else { "explain-changed-until" };
    out.push_str(&format!("{}\n", texts.say(id, &values)));
    out.push_str(&overall(report, texts, theme));
    for file in report.files.iter().take(FILES) {
        out.push('\n');
        out.push_str(&one(file, texts, theme));
    }
    let hidden = report.left_out + report.files.len().saturating_sub(FILES);
    if hidden > 0 {
        out.push_str(&format!("\n{}\n", texts.say("explain-left-out", &[("count", hidden.into())])));
    }
    if !report.advice.is_empty() {
        out.push_str(&format!("\n{}\n", paint(theme.strong, texts.say("explain-what-to-check", &[]))));
        for (at, advice) in report.advice.iter().enumerate() {
            out.push_str(&format!("  {}. {}\n", at + 1, advise(advice, texts)));
        }
    }
    out
}

/// The verdict, and its first reason.
fn overall(report: &ExplainReport, texts: &Texts, theme: &Theme) -> String {
    let verdict = &report.verdict;
    let overall = texts.say("explain-overall", &[("risk", risk(verdict.risk, texts).into())]);
    let mut out = format!("{}\n", paint(style(verdict.risk, theme), overall));
    if let Some(why) = why_first(verdict, texts) {
        out.push_str(&format!("  {why}\n"));
    }
    out.push_str(&not_looked_at(verdict, texts, theme));
    out
}

fn one(file: &FileStory, texts: &Texts, theme: &Theme) -> String {
    let mut out = format!(
        "{}  {}\n",
        paint(theme.strong, harmless(&file.path)),
        paint(style(file.risk, theme), format!("({})", risk(file.risk, texts)))
    );
    let mut say = |text: String| out.push_str(&format!("  - {text}\n"));
    let say_id = |id: &str, values: &[(&str, texts::Value<'_>)]| texts.say(id, values);
    if let Some(old) = &file.old_path {
        say(say_id("explain-file-renamed", &[("old", harmless(old).into())]));
    }
    match file.change {
        FileChange::Added => say(say_id("explain-file-new", &[("lines", lines(file.added, texts).into())])),
        FileChange::Removed => {
            say(say_id("explain-file-gone", &[("lines", lines(file.removed, texts).into())]));
        }
        _ if file.only_spacing => say(say_id("explain-only-spacing", &[])),
        _ if file.reasons.contains(&FileReason::Secrets) => say(say_id("explain-hidden", &[])),
        _ => {
            let values =
                [("added", lines(file.added, texts).into()), ("removed", lines(file.removed, texts).into())];
            say(say_id("explain-file-lines", &values));
        }
    }
    if file.unread.is_some() {
        say(say_id("explain-slow", &[]));
    }
    // What a deleted file held went with it.
    let told: Vec<&SymbolStory> = file
        .symbols
        .iter()
        .filter(|symbol| file.change != FileChange::Removed || symbol.event == SymbolEvent::Moved)
        .collect();
    for symbol in told.iter().take(SYMBOLS) {
        say(symbol_text(symbol, texts));
    }
    if told.len() > SYMBOLS {
        say(say_id("explain-more", &[("count", (told.len() - SYMBOLS).into())]));
    }
    for reason in file.reasons.iter().take(REASONS) {
        let mark = paint(style(reason.risk(), theme), "!");
        out.push_str(&format!("  {mark} {}\n", why(reason, texts)));
    }
    out
}

fn symbol_text(symbol: &SymbolStory, texts: &Texts) -> String {
    let old = symbol.old_name.as_deref().unwrap_or(&symbol.name);
    let values = [
        ("subject", subject(symbol.kind, texts).into()),
        ("name", harmless(&symbol.name).into()),
        ("old", harmless(old).into()),
        ("file", harmless(symbol.other_file.as_deref().unwrap_or_default()).into()),
    ];
    let id = match symbol.event {
        SymbolEvent::Added => "explain-added",
        SymbolEvent::Removed => "explain-removed",
        SymbolEvent::Renamed => "explain-renamed",
        SymbolEvent::Moved if symbol.other_file.is_some() => "explain-moved-file",
        SymbolEvent::Moved => "explain-moved",
        SymbolEvent::Changed => "explain-altered",
    };
    texts.say(id, &values)
}

fn subject(kind: SymbolKind, texts: &Texts) -> String {
    let id = match kind {
        SymbolKind::Function => "explain-subject-function",
        SymbolKind::Method => "explain-subject-method",
        SymbolKind::Class => "explain-subject-class",
        SymbolKind::Struct => "explain-subject-struct",
        SymbolKind::Interface => "explain-subject-interface",
        SymbolKind::Enum => "explain-subject-enum",
        SymbolKind::Type => "explain-subject-type",
        SymbolKind::Constant => "explain-subject-constant",
        SymbolKind::Module => "explain-subject-module",
        SymbolKind::Macro => "explain-subject-macro",
        SymbolKind::Test => "explain-subject-test",
        SymbolKind::TestGroup => "explain-subject-test-group",
        SymbolKind::Key => "explain-subject-key",
        SymbolKind::Style => "explain-subject-style",
        SymbolKind::Element => "explain-subject-element",
    };
    texts.say(id, &[])
}

fn why(reason: &FileReason, texts: &Texts) -> String {
    match reason {
        FileReason::StillUsed { name, users, count } => texts.say(
            "explain-why-still-used",
            &[("name", harmless(name).into()), ("files", some_files(users, *count, texts).into())],
        ),
        FileReason::FileStillUsed { users, count } => {
            texts.say("explain-why-file-still-used", &[("files", some_files(users, *count, texts).into())])
        }
        FileReason::SyntaxBroken { line, .. } => texts.say("explain-why-syntax", &[("line", (*line).into())]),
        FileReason::TestWeakened { test, .. } if test.is_empty() => texts.say("explain-why-focused", &[]),
        FileReason::TestWeakened { test, .. } => {
            texts.say("explain-why-test", &[("test", harmless(test).into())])
        }
        FileReason::Protected => texts.say("explain-why-protected", &[]),
        FileReason::Entry => texts.say("explain-why-entry", &[]),
        FileReason::Config => texts.say("explain-why-config", &[]),
        FileReason::Secrets => texts.say("explain-why-secrets", &[]),
        FileReason::LargeRewrite { percent } => {
            texts.say("explain-why-rewrite", &[("percent", (*percent).into())])
        }
        FileReason::ManyUsers { count } => {
            texts.say("explain-why-many-users", &[("files", files(*count, texts).into())])
        }
    }
}

fn advise(advice: &Advice, texts: &Texts) -> String {
    let file = |file: &str| ("file", texts::Value::from(harmless(file)));
    match advice {
        Advice::LookAtUser { file: path, name } => {
            texts.say("explain-do-user", &[file(path), ("name", harmless(name).into())])
        }
        Advice::FixSyntax { file: path, line } => {
            texts.say("explain-do-syntax", &[file(path), ("line", (*line).into())])
        }
        Advice::LookAtTest { file: path, test } if test.is_empty() => {
            texts.say("explain-do-focused", &[file(path)])
        }
        Advice::LookAtTest { file: path, test } => {
            texts.say("explain-do-test", &[file(path), ("test", harmless(test).into())])
        }
        Advice::Compare { file: path } => texts.say("explain-do-compare", &[file(path)]),
        Advice::RunTests { command } => texts.say("explain-do-run", &[("command", harmless(command).into())]),
        Advice::StartProgram => texts.say("explain-do-start", &[]),
        Advice::OpenScreen { file: path, label: Some(label) } => {
            texts.say("explain-do-screen-label", &[file(path), ("label", harmless(label).into())])
        }
        Advice::OpenScreen { file: path, label: None } => texts.say("explain-do-screen", &[file(path)]),
        Advice::ReadSettings { file: path } => texts.say("explain-do-settings", &[file(path)]),
        Advice::GoBack => texts.say("explain-do-back", &[]),
    }
}

fn some_files(users: &[String], count: usize, texts: &Texts) -> String {
    let named = users.iter().map(|user| harmless(user)).collect::<Vec<_>>().join(", ");
    if count > users.len() {
        let rest = count - users.len();
        texts.say("explain-files-and-more", &[("files", named.into()), ("count", rest.into())])
    } else {
        named
    }
}

fn files(count: usize, texts: &Texts) -> String {
    texts.say("common-files", &[("count", count.into())])
}

fn lines(count: u64, texts: &Texts) -> String {
    texts.say("common-lines", &[("count", count.into())])
}
