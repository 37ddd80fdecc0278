//! `vib history`: what happened.

use engine::diff::FileStatus;
use engine::entries::EntryKind;
use engine::show::DoneReport;
use engine::story::{StepFile, StoryReport, StoryStep, Told};
use store::{Checkpoint, CheckpointKind, Ending};

use super::words::{ago, count, date, harmless, line, notices};
use crate::theme::{Theme, paint};

/// Files of a step that are listed; the others are counted.
const FILES_LISTED: usize = 8;

/// The whole of it.
pub(crate) fn story(report: &StoryReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if report.entries.is_empty() {
        out.push_str("Nothing to tell: no step, change or save that fits. `vib checkpoint` saves the project as it is now.\n");
        return out;
    }
    for told in &report.entries {
        out.push_str(&match told {
            Told::Save { checkpoint, short_id } => save(checkpoint, short_id, report.now_ms, theme),
            Told::Steps { .. } => entry(told, report.now_ms, theme),
        });
    }
    if report.more {
        out.push_str(&paint(theme.dim, "There is more: `vib history -n 0` shows it all.\n"));
    }
    out
}

/// A step or a request, without what it changed.
pub(crate) fn done(report: &DoneReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if let Some(request) = &report.request {
        let words = request.prompt.as_deref().unwrap_or("(no words were heard)");
        let head = format!("{} {}: ", request.number, request.client.as_deref().unwrap_or("an agent"));
        out.push_str(&format!(
            "Request {}{}\n",
            paint(theme.strong, &head),
            line(words, theme, head.len() + 10)
        ));
    }
    for step in &report.steps {
        let kind = match step.actor {
            store::Actor::Agent => EntryKind::Request,
            store::Actor::ByHand => EntryKind::ByHand,
            store::Actor::Vib => EntryKind::Vib,
        };
        let told = StoryStep {
            step: step.clone(),
            changes: Vec::new(),
            before_id: None,
            after_id: None,
            undone: false,
            mark: engine::strip::Mark::Look,
            lost: 0,
        };
        let by_hand = if kind == EntryKind::ByHand { "by hand or by another program" } else { "" };
        out.push_str(&one_step(&told, kind, theme).replacen("\n", &format!("{by_hand}\n"), 1));
        out.push_str(&format!(
            "         {}\n",
            paint(theme.dim, format!("{} ({})", date(step.started_ms), ago(step.started_ms, report.now_ms)))
        ));
    }
    out
}

/// `vib show s41`, `vib show r12`
pub(crate) fn show_done(report: &DoneReport, stat: bool, theme: &Theme) -> String {
    let mut out = done(report, theme);
    if stat {
        out.push_str(&super::diff::file_list(&report.changes, theme));
    } else {
        for file in &report.changes.files {
            out.push_str(&super::patch_text::one_file(file, theme));
        }
    }
    out
}

fn save(checkpoint: &Checkpoint, short_id: &str, now_ms: i64, theme: &Theme) -> String {
    let (short, rest) = checkpoint.id.as_str().split_at(short_id.len().min(checkpoint.id.as_str().len()));
    let id = format!("{}{}", paint(theme.id, short), paint(theme.dim, rest));
    let what = match checkpoint.kind {
        CheckpointKind::Safety => "safety copy",
        CheckpointKind::Commit => "saved with a commit",
        CheckpointKind::Manual | CheckpointKind::Turn => "saved",
    };
    let pinned = if checkpoint.pinned { ", pinned" } else { "" };
    let head = format!("■ {what}{pinned} ");
    let message = checkpoint.message.as_deref().filter(|message| !message.is_empty());
    let message =
        message.map(|text| format!("“{}”  ", line(text, theme, head.len() + 30))).unwrap_or_default();
    format!(
        "{}{message}{id}  {}\n",
        paint(theme.strong, head),
        paint(theme.dim, ago(checkpoint.created_ms, now_ms))
    )
}

fn entry(told: &Told, now_ms: i64, theme: &Theme) -> String {
    let Told::Steps { kind, words, request, client, steps, looks, time_ms, undone } = told else {
        return String::new();
    };
    let when = paint(theme.dim, ago(*time_ms, now_ms));
    let undone = if *undone { paint(theme.warning, "  (taken back)") } else { String::new() };
    let mut out = match (kind, request) {
        (EntryKind::Request, Some(request)) => {
            let head = format!("● {} {}: ", request.number, client.as_deref().unwrap_or("an agent"));
            let words = line(words, theme, head.chars().count() + 22);
            format!("{}{words}  {when}{undone}\n", paint(theme.strong, head))
        }
        _ => format!("{}  {when}{undone}\n", paint(theme.strong, format!("● {}", harmless(words)))),
    };
    for step in steps {
        out.push_str(&one_step(step, *kind, theme));
    }
    if *looks > 0 {
        out.push_str(&paint(theme.dim, format!("    looked {}\n", times(*looks))));
    }
    out
}

fn times(number: usize) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        some => format!("{some} times"),
    }
}

fn one_step(told: &StoryStep, kind: EntryKind, theme: &Theme) -> String {
    let step = &told.step;
    let number = paint(theme.id, format!("{:<6}", step.number.to_string()));
    let tool = step.tool.as_deref().unwrap_or_default();
    let what = match (&step.what, kind) {
        (Some(what), _) => what.clone(),
        (None, EntryKind::ByHand) => String::new(),
        (None, _) => tool.to_owned(),
    };
    let who = match (&step.agent_type, &step.agent) {
        (Some(name), _) | (None, Some(name)) => format!("[{}] ", harmless(name)),
        _ => String::new(),
    };
    let end = match step.ending {
        Ending::Ran | Ending::Unknown => {
            step.exit_code.filter(|code| *code != 0).map(|code| format!("exit {code}"))
        }
        Ending::Failed => {
            Some(step.exit_code.map_or_else(|| "failed".to_owned(), |code| format!("failed, exit {code}")))
        }
        Ending::Stopped => Some("stopped by vib".to_owned()),
        Ending::Refused => Some("refused".to_owned()),
        Ending::CutOff => Some("cut off".to_owned()),
        Ending::Running => Some("running".to_owned()),
    };
    let end = end.map(|end| format!("  {}", paint(theme.warning, end))).unwrap_or_default();
    let undone = if told.undone { paint(theme.dim, "  taken back") } else { String::new() };
    let what = line(&format!("{who}{what}"), theme, 36);
    let mut out = format!("  {number} {what}{end}{undone}\n");
    if let Some(reason) = &step.reason {
        out.push_str(&format!("           {}\n", paint(theme.dim, line(reason, theme, 12))));
    }
    for file in told.changes.iter().take(FILES_LISTED) {
        out.push_str(&one_file(file, theme));
    }
    out.push_str(&elsewhere(&step.elsewhere, theme));
    let listed = told.changes.len().min(FILES_LISTED) as u64;
    let files = told.changes.len() as u64;
    if files > listed {
        out.push_str(&paint(theme.dim, format!("           and {} more\n", count(files - listed, "file"))));
    }
    out
}

/// What a step did outside its project, or from where it reached over.
fn elsewhere(elsewhere: &store::Elsewhere, theme: &Theme) -> String {
    let mut out = String::new();
    if let Some(from) = &elsewhere.from {
        out.push_str(&paint(theme.dim, format!("           from the project {}\n", harmless(from))));
    }
    if let Some(first) = elsewhere.outside.first() {
        let files = count(elsewhere.outside.len() as u64, "file");
        let more = if elsewhere.outside.len() > 1 { ", …" } else { "" };
        let first = harmless(first);
        out.push_str(&paint(
            theme.dim,
            format!("           and {files} outside this project: {first}{more} (`vib undo {first}`)\n"),
        ));
    }
    out
}

fn one_file(file: &StepFile, theme: &Theme) -> String {
    let mark = match file.status {
        FileStatus::Added => "new ",
        FileStatus::Removed => "gone",
        FileStatus::ModeChanged => "mode",
        FileStatus::TypeChanged => "kind",
        FileStatus::Modified | FileStatus::Renamed => "    ",
    };
    let counts = match (file.added, file.removed) {
        (Some(added), Some(removed)) => {
            let plus = if added > 0 {
                format!(" {}", paint(theme.added, format!("+{added}")))
            } else {
                String::new()
            };
            let minus = if removed > 0 {
                format!(" {}", paint(theme.removed, format!("-{removed}")))
            } else {
                String::new()
            };
            format!("{plus}{minus}")
        }
        _ => String::new(),
    };
    let shared = if file.shared.is_empty() {
        String::new()
    } else {
        let steps: Vec<String> = file.shared.iter().map(ToString::to_string).collect();
        paint(theme.warning, format!("  one of {}", steps.join(", ")))
    };
    format!("      {} {}{counts}{shared}\n", paint(theme.dim, mark), harmless(&file.path))
}
