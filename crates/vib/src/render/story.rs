//! `vib history`: what happened.

use engine::diff::FileStatus;
use engine::entries::EntryKind;
use engine::outside::{InProject, OtherStore, word};
use engine::show::DoneReport;
use engine::story::{StepFile, StoryReport, StoryStep, Told};
use store::{Checkpoint, CheckpointKind, Ending};

use super::words::{date, harmless, line, notices};
use crate::theme::{Theme, paint};
use unicode_width::UnicodeWidthStr;

/// Files of a step that are listed; the others are counted.
const FILES_LISTED: usize = 8;

/// The whole of it.
pub(crate) fn story(report: &StoryReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if let Some(other) = &report.of {
        out.push_str(&paint(theme.dim, of_another_store(other, first_number(report).as_deref(), theme)));
    }
    if report.entries.is_empty() {
        out.push_str(&(theme.word("history-nothing") + "\n"));
        return out;
    }
    for told in &report.entries {
        out.push_str(&match told {
            Told::Save { checkpoint, short_id } => save(checkpoint, short_id, report.now_ms, theme),
            Told::Steps { .. } => entry(told, report.now_ms, theme),
        });
    }
    if report.more {
        out.push_str(&paint(theme.dim, theme.word("history-more") + "\n"));
    }
    out
}

/// Its numbers are not those of the project around the current folder: typed without a path they would mean something else.
fn of_another_store(other: &OtherStore, step: Option<&str>, theme: &Theme) -> String {
    let path = harmless(&other.path);
    let place = match &other.project {
        Some(project) => theme.say(
            "history-in-project",
            &[("path", path.as_str().into()), ("project", harmless(project).into())],
        ),
        None => theme.say("history-in-none", &[("path", path.as_str().into())]),
    };
    let values = [
        ("place", place.into()),
        ("step", step.unwrap_or("s1").into()),
        ("word", word(&path).to_string().into()),
    ];
    theme.say("history-own-numbers", &values) + "\n"
}

/// The number of the newest step that is told.
fn first_number(report: &StoryReport) -> Option<String> {
    report.entries.iter().find_map(|told| match told {
        Told::Steps { steps, .. } => steps.last().map(|step| step.step.number.to_string()),
        Told::Save { .. } => None,
    })
}

/// A step or a request, without what it changed.
pub(crate) fn done(report: &DoneReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if let Some(request) = &report.request {
        let words = request.prompt.clone().unwrap_or_else(|| theme.word("common-no-words"));
        let client = request.client.clone().unwrap_or_else(|| theme.word("common-an-agent"));
        let head = format!("{} {client}: ", request.number);
        out.push_str(&format!(
            "{} {}{}\n",
            theme.word("history-request"),
            paint(theme.strong, &head),
            line(&words, theme, head.width() + 10)
        ));
        // `--session` of history and undo takes it, or its beginning.
        let session = theme.say("history-session", &[("session", harmless(&request.session).into())]);
        out.push_str(&format!("         {}\n", paint(theme.dim, session)));
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
            unlisted: 0,
            before_id: None,
            after_id: None,
            undone: false,
            mark: engine::strip::Mark::Look,
            lost: 0,
            in_projects: Vec::new(),
        };
        let by_hand = if kind == EntryKind::ByHand { theme.word("history-by-hand") } else { String::new() };
        out.push_str(&one_step(&told, kind, theme).replacen("\n", &format!("{by_hand}\n"), 1));
        out.push_str(&format!(
            "         {}\n",
            paint(
                theme.dim,
                format!("{} ({})", date(step.started_ms), theme.ago(step.started_ms, report.now_ms))
            )
        ));
    }
    for doubt in &report.doubtful {
        out.push_str(&format!("         {} {}\n", not_sure(&doubt.steps, theme), harmless(&doubt.path)));
    }
    for path in &report.in_parts {
        let said = theme.say("history-in-parts", &[("file", harmless(path).into())]);
        out.push_str(&format!("         {said}\n"));
    }
    out
}

/// `vib show s41`, `vib show r12`
pub(crate) fn show_done(report: &DoneReport, stat: bool, theme: &Theme) -> String {
    let mut out = done(report, theme);
    if stat {
        out.push_str(&super::diff::every_file(&report.changes, theme));
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
        CheckpointKind::Safety => "history-safety-copy",
        CheckpointKind::Commit => "history-with-commit",
        CheckpointKind::Manual | CheckpointKind::Turn => "history-word-saved",
    };
    let pinned = if checkpoint.pinned { theme.word("changes-pinned") } else { String::new() };
    let head = format!("■ {}{pinned} ", theme.word(what));
    let message = checkpoint.message.as_deref().filter(|message| !message.is_empty());
    let message =
        message.map(|text| format!("“{}”  ", line(text, theme, head.width() + 30))).unwrap_or_default();
    format!(
        "{}{message}{id}  {}\n",
        paint(theme.strong, head),
        paint(theme.dim, theme.ago(checkpoint.created_ms, now_ms))
    )
}

fn entry(told: &Told, now_ms: i64, theme: &Theme) -> String {
    let Told::Steps { kind, words, request, client, steps, looks, time_ms, undone } = told else {
        return String::new();
    };
    let when = paint(theme.dim, theme.ago(*time_ms, now_ms));
    let undone = match undone {
        true => paint(theme.warning, format!("  ({})", theme.word("history-taken-back"))),
        false => String::new(),
    };
    let mut out = match (kind, request) {
        (EntryKind::Request, Some(request)) => {
            let client = client.clone().unwrap_or_else(|| theme.word("common-an-agent"));
            let head = format!("● {} {client}: ", request.number);
            let words = line(words, theme, head.width() + 22);
            format!("{}{words}  {when}{undone}\n", paint(theme.strong, head))
        }
        _ => {
            let words = match kind {
                EntryKind::ByHand => theme.word("history-changes-by-hand"),
                EntryKind::Session => theme.word("history-steps-only"),
                EntryKind::Request | EntryKind::Vib => harmless(words),
            };
            format!("{}  {when}{undone}\n", paint(theme.strong, format!("● {words}")))
        }
    };
    for step in steps {
        out.push_str(&one_step(step, *kind, theme));
    }
    if *looks > 0 {
        out.push_str(&paint(theme.dim, format!("    {}\n", theme.count("history-looked", *looks))));
    }
    out
}

fn not_sure(steps: &[store::StepNumber], theme: &Theme) -> String {
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let steps = steps.join(&theme.word("history-or"));
    paint(theme.warning, theme.say("history-not-sure", &[("steps", steps.into())]))
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
    let code = |id: &str, code: i64| theme.say(id, &[("code", code.to_string().into())]);
    let exit_code = step.exit_code.map(i64::from);
    let end = match step.ending {
        Ending::Ran | Ending::Unknown => {
            exit_code.filter(|one| *one != 0).map(|one| code("history-exit", one))
        }
        Ending::Failed => Some(
            exit_code.map_or_else(|| theme.word("history-failed"), |one| code("history-failed-exit", one)),
        ),
        Ending::Stopped => Some(theme.word("history-stopped")),
        Ending::Refused => Some(theme.word("history-refused")),
        Ending::CutOff => Some(theme.word("history-cut-off")),
        Ending::Running => Some(theme.word("history-running")),
    };
    let end = end.map(|end| format!("  {}", paint(theme.warning, end))).unwrap_or_default();
    let undone = match told.undone {
        true => paint(theme.dim, format!("  {}", theme.word("history-taken-back"))),
        false => String::new(),
    };
    let what = line(&format!("{who}{what}"), theme, 36);
    let mut out = format!("  {number} {what}{end}{undone}\n");
    if let Some(reason) = &step.reason {
        out.push_str(&format!("           {}\n", paint(theme.dim, line(reason, theme, 12))));
    }
    for file in told.changes.iter().take(FILES_LISTED) {
        out.push_str(&one_file(file, theme));
    }
    out.push_str(&elsewhere(&step.elsewhere, &told.in_projects, theme));
    let listed = told.changes.len().min(FILES_LISTED) as u64;
    let files = told.changes.len() as u64 + told.unlisted;
    if files > listed {
        let more = theme.say("history-more-files", &[("count", (files - listed).into())]);
        out.push_str(&paint(theme.dim, format!("           {more}\n")));
    }
    out
}

/// What a step did outside its project or in projects inside it, or from where it reached over.
fn elsewhere(elsewhere: &store::Elsewhere, in_projects: &[InProject], theme: &Theme) -> String {
    let mut lines = Vec::new();
    if let Some(from) = &elsewhere.from {
        lines.push(theme.say("history-from-project", &[("project", harmless(from).into())]));
    }
    let mut add = |place: String, paths: &[&String]| {
        let [first, ..] = paths else { return };
        let first = harmless(first);
        let command = format!("vib undo {}", word(&first));
        let values = [
            ("count", paths.len().into()),
            ("place", place.into()),
            ("first", first.into()),
            ("command", command.into()),
        ];
        lines.push(theme.say("history-elsewhere", &values));
    };
    for other in in_projects {
        let paths: Vec<&String> = other.paths.iter().collect();
        let project = harmless(&other.project);
        add(theme.say("history-place-project", &[("project", project.into())]), &paths);
    }
    let is_inside = |path: &&String| in_projects.iter().any(|other| other.paths.contains(path));
    let outside: Vec<&String> = elsewhere.outside.iter().filter(|path| !is_inside(path)).collect();
    add(theme.word("history-place-outside"), &outside);
    lines.iter().map(|line| paint(theme.dim, format!("           {line}\n"))).collect()
}

fn one_file(file: &StepFile, theme: &Theme) -> String {
    let mark = match file.status {
        FileStatus::Added => theme.word("history-mark-new"),
        FileStatus::Removed => theme.word("history-mark-gone"),
        FileStatus::ModeChanged => theme.word("history-mark-mode"),
        FileStatus::TypeChanged => theme.word("history-mark-kind"),
        FileStatus::Modified | FileStatus::Renamed => "    ".to_owned(),
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
    let shared =
        if file.shared.is_empty() { String::new() } else { format!("  {}", not_sure(&file.shared, theme)) };
    format!("      {} {}{counts}{shared}\n", paint(theme.dim, mark), harmless(&file.path))
}
