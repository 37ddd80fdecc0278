//! What is said in a chat about going back, in the language of the prompt.

use texts::{Texts, Value};

use super::FILES_SHOWN;
use crate::Notice;
use crate::diff::FileStatus;
use crate::undo::{Back, Preview, UndoReport};

/// What would change, and the code that does it.
pub(super) fn preview(preview: &Preview, code: &str, texts: &Texts) -> String {
    let what = capital(&name_of(preview, texts));
    let values = [("what", what.into()), ("count", preview.changes.files.len().into())];
    format!(
        "{}\n{}{}\n{}{}\n{}",
        texts.say("chat-would-change", &values),
        list(preview, texts),
        left(preview, texts),
        beside(&preview.notices, texts),
        texts.say("chat-send-code", &[("code", code.into())]),
        texts.say("chat-saved-first", &[]),
    )
}

/// What was done, and the way back.
pub(super) fn done(report: &UndoReport, preview: &Preview, rollback: &str, texts: &Texts) -> String {
    let count = report.result.restored.len() + report.result.removed.len();
    let values = [("count", count.into()), ("what", name_of(preview, texts).into())];
    let mut out = texts.say("chat-done", &values) + "\n";
    for kept in &report.result.kept {
        let values = [("file", kept.path.to_string().into()), ("why", kept.detail.to_string().into())];
        out.push_str(&format!("- {}\n", texts.say("chat-left-alone", &values)));
    }
    out.push_str(&beside(&report.notices, texts));
    let values = [("id", report.safety_short_id.to_string().into()), ("rollback", rollback.into())];
    out.push_str(&(texts.say("chat-way-back", &values) + "\n"));
    out
}

/// Files in which vib's own part stays as it is, those that are protected, and files outside the project.
fn beside(notices: &[Notice], texts: &Texts) -> String {
    let said = |id: &str, paths: &[String], first: Value<'_>| {
        texts.say(id, &[("files", paths.join(", ").into()), ("first", first)]) + "\n"
    };
    let lines = notices.iter().filter_map(|notice| match notice {
        Notice::OwnEntriesKept { paths } => Some(said("chat-own-entries", paths, "".into())),
        Notice::Protected { paths } => Some(said("chat-protected", paths, "".into())),
        Notice::FilesOutside { paths } => {
            let first = crate::outside::word(paths.first().map(String::as_str).unwrap_or_default());
            Some(said("chat-outside", paths, first.to_string().into()))
        }
        Notice::CommitsStay { count, newest } => {
            let values = [("count", (*count).into()), ("commits", newest.join(", ").into())];
            Some(texts.say("undo-commits-stay", &values) + "\n")
        }
        _ => None,
    });
    lines.collect()
}

/// What is taken back.
pub(super) fn name_of(preview: &Preview, texts: &Texts) -> String {
    let quoted = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = text.chars().take(60).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        format!("\"{short}{dots}\"")
    };
    match &preview.back {
        Back::Checkpoint { checkpoint } => {
            let told = checkpoint.message.as_deref().or(checkpoint.origin.prompt.as_deref());
            let told = told.map(|text| format!(" ({})", quoted(text))).unwrap_or_default();
            texts
                .say("chat-to-checkpoint", &[("id", checkpoint.id.to_string().into()), ("told", told.into())])
        }
        Back::Redo { .. } => texts.say("chat-last-undo", &[]),
        Back::Steps { entries, .. } => match &entries[..] {
            [] => texts.say("chat-since-look", &[]),
            [one] => match &one.request {
                Some(request) => {
                    let prompt = request.prompt.as_deref().map(|prompt| format!(" {}", quoted(prompt)));
                    let client = request.client.clone();
                    let values = [
                        ("number", request.number.to_string().into()),
                        ("prompt", prompt.unwrap_or_default().into()),
                        ("client", client.unwrap_or_else(|| texts.say("chat-an-agent", &[])).into()),
                    ];
                    texts.say("chat-request", &values)
                }
                None => texts.say("chat-entry", &[("words", one.words().to_string().into())]),
            },
            many => texts.say("chat-requests", &[("count", many.len().into())]),
        },
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// What stays, because it was changed again since.
fn left(preview: &Preview, texts: &Texts) -> String {
    let mut paths: Vec<String> = preview.conflicts.iter().map(|conflict| conflict.path.to_string()).collect();
    paths.dedup();
    if paths.is_empty() {
        return String::new();
    }
    format!("\n{}\n", texts.say("chat-later-work", &[("files", paths.join(", ").into())]))
}

fn list(preview: &Preview, texts: &Texts) -> String {
    let files = &preview.changes.files;
    let mut out = String::new();
    for file in files.iter().take(FILES_SHOWN) {
        let id = match file.status {
            FileStatus::Added => "chat-comes-back",
            FileStatus::Removed => "chat-is-removed",
            FileStatus::Renamed => "chat-old-name",
            FileStatus::Modified | FileStatus::ModeChanged | FileStatus::TypeChanged => "chat-changed-back",
        };
        out.push_str(&format!("- {}\n", texts.say(id, &[("file", file.path.as_str().into())])));
    }
    if files.len() > FILES_SHOWN {
        out.push_str(&format!(
            "- {}\n",
            texts.say("chat-more", &[("count", (files.len() - FILES_SHOWN).into())])
        ));
    }
    out
}
