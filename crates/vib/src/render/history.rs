//! Checkpoints: made, listed, pinned.

use engine::checkpoint::CheckpointReport;
use engine::history::{CheckpointsReport, HistoryGroup, HistoryItem};
use store::{Checkpoint, CheckpointKind};

use super::words::{harmless, line, notices, problems, size};
use crate::theme::{Theme, paint};
use unicode_width::UnicodeWidthStr;

/// `vib checkpoint`
pub(crate) fn checkpoint(report: &CheckpointReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    let checkpoint = &report.saved.checkpoint;
    let what = if checkpoint.whole_tree {
        theme.say("history-looked-at", &[("count", report.saved.counts.files.into())])
    } else {
        String::new()
    };
    let changed = match checkpoint.files_changed {
        0 => theme.word("history-nothing-changed"),
        some => theme.say("history-changed", &[("count", some.into())]),
    };
    let pinned = if checkpoint.pinned { theme.word("history-kept") } else { String::new() };
    let called = report.called.as_ref().map(|name| format!(" “{}”", harmless(name))).unwrap_or_default();
    let values = [
        ("id", paint(theme.id, &checkpoint.id).into()),
        ("called", called.into()),
        ("what", what.into()),
        ("changed", changed.into()),
        ("pinned", pinned.into()),
    ];
    out.push_str(&format!("{}\n", theme.say("history-saved", &values)));
    // A word that names a folder may have been meant as a name.
    if let [first, ..] = report.only.as_slice() {
        let names: Vec<String> = report.only.iter().map(|name| format!("`{}`", harmless(name))).collect();
        let values = [("names", names.join(", ").into()), ("first", harmless(first).into())];
        out.push_str(&format!("{}\n", theme.say("history-only", &values)));
    }
    out.push_str(&problems(&report.saved.problems, theme));
    out
}

/// `vib pin`, `vib unpin`
pub(crate) fn pinned(checkpoint: &Checkpoint, theme: &Theme) -> String {
    let id = paint(theme.id, &checkpoint.id);
    let said = if checkpoint.pinned { "history-pinned" } else { "history-unpinned" };
    let values = [("id", id.into()), ("id-plain", checkpoint.id.to_string().into())];
    theme.say(said, &values) + "\n"
}

/// `vib history --checkpoints`
pub(crate) fn checkpoints(report: &CheckpointsReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if report.groups.is_empty() {
        out.push_str(&(theme.word("changes-no-checkpoint") + "\n"));
        return out;
    }
    for group in &report.groups {
        out.push_str(&one_group(group, report.now_ms, theme));
    }
    if report.more {
        out.push_str(&paint(theme.dim, theme.word("history-older") + "\n"));
    }
    out
}

fn one_group(group: &HistoryGroup, now_ms: i64, theme: &Theme) -> String {
    if group.turn.is_none() {
        return group.checkpoints.iter().map(|item| one_item(item, now_ms, "", theme)).collect();
    }
    let agent = group.agent.clone().unwrap_or_else(|| theme.word("history-agent"));
    let prompt = group.prompt.clone().unwrap_or_else(|| theme.word("history-without-words"));
    let head = format!("● {agent}: ");
    let mut out = format!("{}{}\n", paint(theme.strong, &head), line(&prompt, theme, head.width()));
    out.extend(group.checkpoints.iter().map(|item| one_item(item, now_ms, "  ", theme)));
    out
}

fn one_item(item: &HistoryItem, now_ms: i64, indent: &str, theme: &Theme) -> String {
    let checkpoint = &item.checkpoint;
    let (short, rest) =
        checkpoint.id.as_str().split_at(item.short_id.len().min(checkpoint.id.as_str().len()));
    let id = format!("{}{}", paint(theme.id, short), paint(theme.dim, rest));
    let when = theme.ago(checkpoint.created_ms, now_ms);
    let mut words = Vec::new();
    if checkpoint.pinned {
        words.push(theme.word("history-word-pinned"));
    }
    if checkpoint.kind == CheckpointKind::Safety {
        words.push(theme.word("history-word-safety"));
    }
    if let Some(tool) = &checkpoint.origin.tool {
        words.push(theme.say("history-word-before", &[("tool", tool.as_str().into())]));
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
            Some("stop") if is_step => theme.word("history-after-request"),
            _ if is_step => theme.word("history-before-request"),
            _ => theme.word("history-word-checkpoint"),
        });
    }
    let paths = |count: u64| theme.say("common-paths", &[("count", count.into())]);
    let changed = match checkpoint.files_changed {
        0 => String::new(),
        some if checkpoint.bytes_added > 0 => {
            format!("  {}, {}", paths(some), size(checkpoint.bytes_added))
        }
        some => format!("  {}", paths(some)),
    };
    let used = indent.len() + 10 + 16 + changed.width();
    let text = line(&words.join(" · "), theme, used);
    let room = " ".repeat(15usize.saturating_sub(when.width()));
    format!("{indent}{id}  {when}{room} {text}{}\n", paint(theme.dim, changed))
}
