//! Checkpoints: made, listed, pinned.

use engine::checkpoint::CheckpointReport;
use engine::history::{CheckpointsReport, HistoryGroup, HistoryItem};
use store::{Checkpoint, CheckpointKind};

use super::words::{ago, count, harmless, line, notices, problems, size};
use crate::theme::{Theme, paint};

/// `vib checkpoint`
pub(crate) fn checkpoint(report: &CheckpointReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    let checkpoint = &report.saved.checkpoint;
    let what = if checkpoint.whole_tree {
        format!("{} looked at, ", count(report.saved.counts.files, "file"))
    } else {
        String::new()
    };
    let changed = match checkpoint.files_changed {
        0 => "nothing had changed".to_owned(),
        some => format!("{} changed", count(some, "path")),
    };
    let pinned = if checkpoint.pinned { ", kept for ever" } else { "" };
    let called = report.called.as_ref().map(|name| format!(" “{}”", harmless(name))).unwrap_or_default();
    out.push_str(&format!(
        "Saved checkpoint {}{called} ({what}{changed}{pinned})\n",
        paint(theme.id, &checkpoint.id)
    ));
    // A word that names a folder may have been meant as a name.
    if let [first, ..] = report.only.as_slice() {
        let names: Vec<String> = report.only.iter().map(|name| format!("`{}`", harmless(name))).collect();
        out.push_str(&format!(
            "Only {} was saved, nothing else. `vib checkpoint -m {}` saves the whole project under that name\n",
            names.join(", "),
            harmless(first)
        ));
    }
    out.push_str(&problems(&report.saved.problems, theme));
    out
}

/// `vib pin`, `vib unpin`
pub(crate) fn pinned(checkpoint: &Checkpoint, theme: &Theme) -> String {
    let id = paint(theme.id, &checkpoint.id);
    if checkpoint.pinned {
        format!("Checkpoint {id} is kept for ever now. `vib unpin {}` takes that back.\n", checkpoint.id)
    } else {
        format!("Checkpoint {id} expires like the others now.\n")
    }
}

/// `vib history --checkpoints`
pub(crate) fn checkpoints(report: &CheckpointsReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if report.groups.is_empty() {
        out.push_str("No checkpoint yet. `vib checkpoint` saves the project as it is now.\n");
        return out;
    }
    for group in &report.groups {
        out.push_str(&one_group(group, report.now_ms, theme));
    }
    if report.more {
        out.push_str(&paint(
            theme.dim,
            "There are older ones: `vib history --checkpoints -n 0` shows them all.\n",
        ));
    }
    out
}

fn one_group(group: &HistoryGroup, now_ms: i64, theme: &Theme) -> String {
    if group.turn.is_none() {
        return group.checkpoints.iter().map(|item| one_item(item, now_ms, "", theme)).collect();
    }
    let agent = group.agent.as_deref().unwrap_or("agent");
    let prompt = group.prompt.as_deref().unwrap_or("(a request without words)");
    let head = format!("● {agent}: ");
    let mut out = format!("{}{}\n", paint(theme.strong, &head), line(prompt, theme, head.chars().count()));
    out.extend(group.checkpoints.iter().map(|item| one_item(item, now_ms, "  ", theme)));
    out
}

fn one_item(item: &HistoryItem, now_ms: i64, indent: &str, theme: &Theme) -> String {
    let checkpoint = &item.checkpoint;
    let (short, rest) =
        checkpoint.id.as_str().split_at(item.short_id.len().min(checkpoint.id.as_str().len()));
    let id = format!("{}{}", paint(theme.id, short), paint(theme.dim, rest));
    let when = ago(checkpoint.created_ms, now_ms);
    let mut words = Vec::new();
    if checkpoint.pinned {
        words.push("pinned".to_owned());
    }
    if checkpoint.kind == CheckpointKind::Safety {
        words.push("safety".to_owned());
    }
    if let Some(tool) = &checkpoint.origin.tool {
        words.push(format!("before {tool}"));
    }
    if !item.files.is_empty() {
        words.push(harmless(&item.files.join(", ")));
    }
    if let Some(message) = &checkpoint.message {
        words.push(message.clone());
    }
    if words.is_empty() {
        let is_step = checkpoint.kind == CheckpointKind::Turn && checkpoint.origin.turn.is_some();
        words.push(match checkpoint.origin.trigger.as_deref() {
            Some("stop") if is_step => "after the request".to_owned(),
            _ if is_step => "before the request".to_owned(),
            _ => "checkpoint".to_owned(),
        });
    }
    let changed = match checkpoint.files_changed {
        0 => String::new(),
        some if checkpoint.bytes_added > 0 => {
            format!("  {}, {}", count(some, "path"), size(checkpoint.bytes_added))
        }
        some => format!("  {}", count(some, "path")),
    };
    let used = indent.len() + 10 + 16 + changed.len();
    let text = line(&words.join(" · "), theme, used);
    format!("{indent}{id}  {when:<15} {text}{}\n", paint(theme.dim, changed))
}
