//! "It broke": what happened, what can be done, what it costs, in the person's language.

use engine::diff::{DiffReport, FileStatus};
use engine::recover::feedback::FeedbackReport;
use engine::recover::{
    Applied, Choosable, Preview, Report, Surface, git_states_in_words, one_line, sign_in_words,
    understood_in_words, whose_in_words,
};
use recovery::{Actor, Basis, Finding, Goes, Risk, Sign, Signal, Way, WayKind};
use texts::{Language, Texts, Value};

use super::patch_text::one_file;
use super::verdict::verdict;
use super::words::{harmless, line, notices};
use crate::theme::{Theme, paint};

/// Files that are named before the list is cut.
const SHOWN: usize = 6;
const SHOWN_IN_PREVIEW: usize = 30;

/// `vib recover --explain`
pub(crate) fn recover(report: &Report, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    out.push_str(&understood(report, texts));
    let when = |time: i64| ago(time, report.now_ms, texts);
    if report.has_history || !report.verdict.reasons.is_empty() {
        out.push_str(&verdict(&report.verdict, texts, theme));
    }
    heading(&mut out, &texts.say("common-what-happened", &[]), theme);
    let states = git_states_in_words(&report.git.states, &Terminal(texts), &when);
    match (report.has_history, report.git.states.is_empty()) {
        (false, true) => row(&mut out, 2, &texts.say("recover-no-checkpoint", &[])),
        (false, false) => row(&mut out, 2, &texts.say("recover-from-git", &[("states", states.into())])),
        (true, false) => row(&mut out, 2, &texts.say("recover-comes-from-git", &[("states", states.into())])),
        (true, true) => {}
    }
    let findings = &report.diagnosis.findings;
    match report.diagnosis.healthy {
        Some(healthy) => {
            let id = match healthy {
                recovery::Healthy::Unchanged => "recover-healthy-unchanged",
                recovery::Healthy::DocsOnly => "recover-healthy-docs-only",
                recovery::Healthy::ChecksPass => "recover-healthy-checks-pass",
            };
            row(&mut out, 2, &texts.say(id, &[]));
            row(&mut out, 2, &texts.say("recover-try-first", &[]));
        }
        None if findings.is_empty() && report.has_history && !report.diagnosis.asks_back => {
            row(&mut out, 2, &texts.say("recover-nothing-found", &[]));
            if let Some(from) = report.looked_from_ms.filter(|_| report.looked_at_all) {
                row(&mut out, 2, &texts.say("recover-looked-all", &[("when", when(from).into())]));
            }
        }
        None => {}
    }
    // Steps of which the same is to be said are said once, with all their files.
    let mut said: Vec<(String, Finding)> = Vec::new();
    for one in findings {
        let mut words = String::new();
        finding(&mut words, &Finding { paths: Vec::new(), ..one.clone() }, report, texts, theme);
        match said.iter_mut().find(|(known, _)| *known == words) {
            Some((_, same)) => {
                let new: Vec<String> =
                    one.paths.iter().filter(|path| !same.paths.contains(path)).cloned().collect();
                same.paths.extend(new);
            }
            None => said.push((words, one.clone())),
        }
    }
    for (_, one) in &said {
        finding(&mut out, one, report, texts, theme);
    }
    if !report.committed_secrets.is_empty() {
        let id = if report.secrets_pushed { "recover-secret-pushed" } else { "recover-secret-committed" };
        let names = files(&report.committed_secrets, 4, texts);
        row(&mut out, 2, &paint(theme.warning, texts.say(id, &[("files", names.into())])));
    }
    zone(&mut out, report, texts, theme);
    heading(&mut out, &texts.say("common-what-to-do", &[]), theme);
    for way in &report.ways {
        self::way(&mut out, way, report.now_ms, texts, theme);
    }
    if let Some(check) = &report.failing_check {
        let command = format!("`vib bisect -- {}`", harmless(check));
        row(&mut out, 2, &texts.say("recover-find-step", &[("command", command.into())]));
    }
    row(&mut out, 0, &texts.say("recover-unchanged", &[]));
    out
}

/// "I understood: …", and what is asked back.
pub(crate) fn understood(report: &Report, texts: &Texts) -> String {
    let when = |time: i64| ago(time, report.now_ms, texts);
    let lines = understood_in_words(report, &Terminal(texts), &when);
    lines.into_iter().map(|line| line + "\n").collect()
}

fn heading(out: &mut String, text: &str, theme: &Theme) {
    out.push_str(&format!("{}\n", paint(theme.strong, text)));
}

fn row(out: &mut String, indent: usize, text: &str) {
    out.push_str(&format!("{:indent$}{text}\n", ""));
}

fn finding(out: &mut String, finding: &Finding, report: &Report, texts: &Texts, theme: &Theme) {
    let mark = paint(theme.warning, "•");
    out.push_str(&format!(
        "  {mark} {}\n",
        sign_in_words(&finding.sign, finding.paths.len(), &Terminal(texts))
    ));
    row(out, 4, &paint(theme.id, files(&finding.paths, SHOWN, texts)));
    if finding.sign == Sign::Drift {
        row(out, 4, &texts.say(drift_reason(report.diagnosis.zone.basis), &[]));
    }
    if !finding.used_by.is_empty() {
        row(out, 4, &texts.say("recover-used-by", &[("files", files(&finding.used_by, 3, texts).into())]));
    }
    if let Some(time) = finding.time_ms {
        let when = ago(time, report.now_ms, texts);
        let id = match finding.actor {
            Some(Actor::Edit) => "recover-by-edit",
            Some(Actor::Command) => "recover-by-command",
            Some(Actor::Person) => "recover-by-person",
            _ => "recover-by-unknown",
        };
        row(out, 4, &paint(theme.dim, texts.say(id, &[("when", when.into())])));
    }
    if let Some(prompt) = &finding.prompt {
        let prompt = line(prompt, theme, 24);
        row(out, 4, &paint(theme.dim, texts.say("recover-request", &[("prompt", prompt.into())])));
    }
}

/// The terminal.
pub(super) struct Terminal<'t>(pub(super) &'t Texts);

impl Surface for Terminal<'_> {
    fn say(&self, id: &str, values: &[(&str, Value<'_>)]) -> String {
        self.0.say(id, values)
    }

    fn harmless(&self, text: &str) -> String {
        harmless(text)
    }

    fn names(&self, names: &[String]) -> String {
        files(names, 3, self.0)
    }
}

fn zone(out: &mut String, report: &Report, texts: &Texts, theme: &Theme) {
    let git = &report.git;
    if let Some(what) = &git.unfinished {
        row(out, 2, &texts.say("recover-git-unfinished", &[("what", what.as_str().into())]));
    }
    let first = report.diagnosis.findings.iter().filter_map(|finding| finding.time_ms).min();
    if let Some(moved) =
        git.moves.last().filter(|moved| first.is_some_and(|first| moved.time_ms + 60_000 >= first))
    {
        row(out, 2, &texts.say("recover-git-moved", &[("what", moved.what.as_str().into())]));
    }
    let zone = &report.diagnosis.zone;
    if let Some(intent) = &report.intent {
        let id = if intent.stale { "recover-stale-intent" } else { "recover-intent" };
        row(out, 2, &texts.say(id, &[("intent", line(&intent.text, theme, 30).into())]));
    }
    if report.diagnosis.changed.is_empty() {
        return;
    }
    let id = match zone.basis {
        Basis::Memory => "recover-zone-memory",
        Basis::Request => "recover-zone-request",
        Basis::EditTargets => "recover-zone-edits",
        Basis::RawDiff => "recover-zone-raw",
    };
    row(out, 2, &paint(theme.dim, texts.say(id, &[])));
    if zone.labelling_off {
        row(out, 2, &texts.say("recover-zone-off", &[]));
    }
    let restored: Vec<&str> = report
        .ways
        .first()
        .map_or_else(Vec::new, |way| way.restores.iter().map(|restore| restore.path.as_str()).collect());
    let is_restored = |path: &str| restored.binary_search(&path).is_ok();
    let beside = &report.diagnosis.beside;
    let is_beside = |path: &str| beside.iter().any(|one| one.path == path);
    let besides = beside.iter().filter(|one| !is_restored(&one.path));
    let besides: Vec<String> = besides.map(|one| harmless(&one.path)).collect();
    list(out, &texts.say("recover-beside-heading", &[]), &besides, texts);
    let staying = zone.inside.iter().filter(|file| !is_restored(&file.path) && !is_beside(&file.path));
    let staying: Vec<String> =
        staying.map(|file| format!("{} ({})", harmless(&file.path), signal(&file.signal, texts))).collect();
    list(out, &texts.say("recover-keep-heading", &[]), &staying, texts);
    let findings = &report.diagnosis.findings;
    let is_told =
        |path: &String| findings.iter().any(|one| one.sign == Sign::Drift && one.paths.contains(path));
    let drift: Vec<String> = zone
        .outside
        .iter()
        .filter(|file| !is_restored(&file.path) && !is_told(&file.path))
        .map(|file| format!("{} ({})", harmless(&file.path), texts.say(drift_reason(file.basis), &[])))
        .collect();
    // Where nothing changed since a good state, what changed before it is no question.
    if report.diagnosis.healthy.is_none() {
        list(out, &texts.say("recover-drift-heading", &[]), &drift, texts);
    }
}

fn drift_reason(basis: Basis) -> &'static str {
    match basis {
        Basis::Memory => "recover-drift-memory",
        Basis::Request => "recover-drift-request",
        _ => "recover-drift-edits",
    }
}

fn list(out: &mut String, heading: &str, items: &[String], texts: &Texts) {
    if items.is_empty() {
        return;
    }
    row(out, 2, heading);
    for item in items.iter().take(SHOWN) {
        row(out, 4, item);
    }
    if items.len() > SHOWN {
        let more = [("files", "…".into()), ("count", (items.len() - SHOWN).into())];
        row(out, 4, &texts.say("recover-and-more", &more));
    }
}

fn signal(signal: &Signal, texts: &Texts) -> String {
    let like = |id: &str, like: &str| texts.say(id, &[("like", harmless(like).into())]);
    match signal {
        Signal::Marked => texts.say("recover-signal-marked", &[]),
        Signal::ByHand => texts.say("recover-signal-by-hand", &[]),
        Signal::Goal { word } => texts.say("recover-signal-goal", &[("word", word.as_str().into())]),
        Signal::Request { word } => texts.say("recover-signal-request", &[("word", word.as_str().into())]),
        Signal::EditTarget => texts.say("recover-signal-edit-target", &[]),
        Signal::Edited => texts.say("recover-signal-edited", &[]),
        Signal::Category { like: file, .. } => like("recover-signal-category", file),
        Signal::Label { like: file } => like("recover-signal-label", file),
        Signal::CoChange { like: file } => like("recover-signal-co-change", file),
    }
}

fn way(out: &mut String, way: &Way, now_ms: i64, texts: &Texts, theme: &Theme) {
    let touched = if way.restores.is_empty() { way.mends.len() } else { way.restores.len() };
    let is_chosen = !way.restores.is_empty() && way.restores.iter().all(|restore| is_a_choice(&restore.sign));
    let id = match way.kind {
        WayKind::Nothing => "recover-way-nothing",
        WayKind::Explain => "recover-way-explain",
        WayKind::Mend | WayKind::BringBack if is_chosen => "recover-way-as-before",
        WayKind::Mend => "recover-way-mend",
        WayKind::BringBack => "recover-way-bring-back",
        WayKind::TakeBackStep => "recover-way-take-back-step",
        WayKind::TakeBackTurn if way.request.is_some() => "recover-way-take-back-request",
        WayKind::TakeBackTurn => "recover-way-take-back-turn",
        WayKind::GoBack => "recover-way-go-back",
    };
    let first =
        if way.number == 1 { format!(" {}", texts.say("recover-recommended", &[])) } else { String::new() };
    let request = harmless(&one_line(way.request.as_deref().unwrap_or_default()));
    let title = texts.say(id, &[("count", touched.into()), ("request", request.into())]);
    out.push_str(&format!("  {}. {title}{first}\n", paint(theme.strong, way.number)));
    if way.restores.is_empty() && way.mends.is_empty() {
        return;
    }
    let names: Vec<String> = if way.restores.is_empty() {
        way.mends.iter().map(|mend| mend.path.clone()).collect()
    } else {
        way.restores.iter().map(|restore| restore.path.clone()).collect()
    };
    row(out, 5, &paint(theme.id, files(&names, 4, texts)));
    if way.restores.is_empty() {
        row(out, 5, &texts.say("recover-loses-nothing", &[]));
        hand_over(out, way, texts, theme);
        return;
    }
    let mut cost = vec![loss(way.loss.files, way.loss.lines, way.loss.not_counted, texts)];
    if way.loss.lines_back > 0 {
        cost.push(texts.say("recover-lines-back", &[("lines", lines(way.loss.lines_back, texts).into())]));
    }
    if way.keeps > 0 {
        cost.push(texts.say("recover-keeps", &[("files", count_files(way.keeps, texts).into())]));
    }
    let risk = texts.say("recover-way-risk", &[("risk", risk(way.risk, texts).into())]);
    cost.push(format!("[{risk}]"));
    row(out, 5, &cost.join(between(texts)));
    if let Some(time) = way.time_ms {
        row(out, 5, &texts.say("recover-from", &[("when", ago(time, now_ms, texts).into())]));
    }
    let (left, mends): (Vec<_>, Vec<_>) = way.mends.iter().partition(|mend| is_a_choice(&mend.sign));
    for (id, some) in [("recover-preview-left", left), ("recover-also-mend", mends)] {
        let paths: Vec<String> = some.iter().map(|mend| mend.path.clone()).collect();
        if !paths.is_empty() {
            row(out, 5, &texts.say(id, &[("files", files(&paths, 4, texts).into())]));
        }
    }
    brought_back_goes(out, 5, &way.brought_back_goes, texts, theme);
    work_of_others(out, 5, &way.goes, &way.stays_beside, texts, theme);
    repairs(out, way, texts, theme);
    groups(out, &way.groups, texts);
    let command = format!("vib recover --preview --way {}", way.number);
    row(out, 5, &paint(theme.dim, texts.say("recover-show", &[("command", command.into())])));
}

/// What an earlier going back brought does not go again without a word.
fn brought_back_goes(out: &mut String, indent: usize, paths: &[String], texts: &Texts, theme: &Theme) {
    if !paths.is_empty() {
        let names = files(paths, 4, texts);
        let said = texts.say("recover-brought-back-goes", &[("files", names.into())]);
        row(out, indent, &paint(theme.warning, said));
    }
}

/// Whose work goes with it, and whose stays in the same files.
fn work_of_others(
    out: &mut String,
    indent: usize,
    goes: &[Goes],
    stays: &[Goes],
    texts: &Texts,
    theme: &Theme,
) {
    let whose = |some: &[Goes]| whose_in_words(some, &Terminal(texts));
    if !goes.is_empty() {
        let said = texts.say("recover-goes", &[("whose", whose(goes).into())]);
        row(out, indent, &paint(theme.warning, said));
    }
    if !stays.is_empty() {
        row(out, indent, &texts.say("recover-stays-beside", &[("whose", whose(stays).into())]));
    }
}

/// Files of which only a part is put right, and the lines that come back where they are few.
fn repairs(out: &mut String, way: &Way, texts: &Texts, theme: &Theme) {
    const FEW: usize = 12;
    let parts: Vec<_> = way.restores.iter().filter(|restore| restore.repair.is_some()).collect();
    if parts.is_empty() {
        return;
    }
    let names: Vec<String> = parts.iter().map(|restore| restore.path.clone()).collect();
    row(out, 5, &texts.say("recover-repairs", &[("files", files(&names, 4, texts).into())]));
    let [only] = &parts[..] else { return };
    let text = only.repair.as_ref().map_or("", |repair| repair.text.as_str());
    if !text.trim().is_empty() && text.lines().count() <= FEW {
        row(out, 5, &texts.say("recover-repair-adds", &[]));
        for line in text.lines() {
            row(out, 7, &paint(theme.added, format!("+{}", harmless(line))));
        }
    }
}

/// What can be given to an agent as it is.
fn hand_over(out: &mut String, way: &Way, texts: &Texts, theme: &Theme) {
    let Some(prompt) = &way.prompt else { return };
    row(out, 5, &texts.say("recover-prompt-heading", &[]));
    for line in prompt.lines() {
        row(out, 7, &paint(theme.dim, harmless(line)));
    }
}

/// Nothing is damaged there; somebody wants it, or should judge it.
fn is_a_choice(sign: &Sign) -> bool {
    matches!(sign, Sign::Drift | Sign::Wanted)
}

fn groups(out: &mut String, groups: &[recovery::Group], texts: &Texts) {
    for group in groups.iter().take(3) {
        let values = [("path", harmless(&group.path).into()), ("files", files(&group.with, 3, texts).into())];
        row(out, 5, &texts.say("recover-together", &values));
    }
}

fn loss(files: u64, lost: u64, not_counted: u64, texts: &Texts) -> String {
    if files == 0 || (lost == 0 && not_counted == 0) {
        return texts.say("recover-loses-nothing", &[]);
    }
    let values = [
        ("files", count_files(files, texts).into()),
        ("lines", lines(lost, texts).into()),
        ("uncounted", count_files(not_counted, texts).into()),
    ];
    texts.say(if not_counted > 0 { "recover-loses-uncounted" } else { "recover-loses" }, &values)
}

fn risk(risk: Risk, texts: &Texts) -> String {
    let id = match risk {
        Risk::Low => "common-risk-low",
        Risk::Medium => "common-risk-medium",
        Risk::High => "common-risk-high",
    };
    texts.say(id, &[])
}

/// `vib recover --preview`
/// What there is to choose from, with the numbers to choose by. (R14)
pub(crate) fn recover_choices(list: &[Choosable], texts: &Texts, theme: &Theme) -> String {
    let mut out = String::new();
    heading(&mut out, &texts.say("recover-choose-heading", &[]), theme);
    for (at, file) in list.iter().enumerate() {
        let number = at + 1;
        row(&mut out, 2, &format!("{number}  {}", paint(theme.id, harmless(&file.path))));
        for (at, place) in file.places.iter().enumerate() {
            let text = match (&place.goes, &place.comes) {
                (Some(goes), Some(comes)) => {
                    format!("- {}  + {}", harmless(goes.trim()), harmless(comes.trim()))
                }
                (Some(goes), None) => format!("- {}", harmless(goes.trim())),
                (None, Some(comes)) => format!("+ {}", harmless(comes.trim())),
                (None, None) => String::new(),
            };
            let line = texts.say("recover-choose-line", &[("line", place.line.into())]);
            row(&mut out, 5, &format!("{number}.{}  {line}  {text}", at + 1));
        }
    }
    out
}

pub(crate) fn recover_preview(preview: &Preview, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&preview.notices, theme);
    heading(&mut out, &texts.say("recover-preview-heading", &[]), theme);
    changed_files(&mut out, &preview.changes, texts, theme);
    if let Some(oldest) = preview.checkpoints.first() {
        let when = ago(oldest.created_ms, preview.now_ms, texts);
        row(&mut out, 2, &texts.say("recover-from", &[("when", when.into())]));
    }
    if preview.files_lost > 0 && (preview.lines_lost > 0 || preview.not_counted > 0) {
        let values = [
            ("files", count_files(preview.files_lost, texts).into()),
            ("lines", lines(preview.lines_lost, texts).into()),
            ("uncounted", count_files(preview.not_counted, texts).into()),
        ];
        let id =
            if preview.not_counted > 0 { "recover-preview-lost-uncounted" } else { "recover-preview-lost" };
        row(&mut out, 2, &texts.say(id, &values));
    } else {
        row(&mut out, 2, &texts.say("recover-loses-nothing", &[]));
    }
    if !preview.unsaved.is_empty() {
        let files = count_files(preview.unsaved.len() as u64, texts);
        row(&mut out, 2, &texts.say("recover-preview-unsaved", &[("files", files.into())]));
    }
    if !preview.drift.is_empty() {
        let files = count_files(preview.drift.len() as u64, texts);
        row(&mut out, 2, &texts.say("recover-preview-drift", &[("files", files.into())]));
    }
    brought_back_goes(&mut out, 2, &preview.brought_back_goes, texts, theme);
    work_of_others(&mut out, 2, &preview.goes, &preview.stays_beside, texts, theme);
    let left: Vec<String> = preview.left().map(|mend| mend.path.clone()).collect();
    if !left.is_empty() {
        let said = texts.say("recover-preview-left", &[("files", files(&left, 4, texts).into())]);
        row(&mut out, 2, &paint(theme.warning, said));
    }
    groups(&mut out, &preview.groups, texts);
    out
}

/// How a preview ends when nobody is asked right away.
pub(crate) fn recover_next(preview: &Preview, texts: &Texts) -> String {
    let mut out = texts.say("recover-unchanged", &[]);
    let command = format!("vib recover --yes --plan {}", preview.plan);
    out.push('\n');
    out.push_str(&texts.say("recover-preview-apply", &[("command", command.into())]));
    out.push('\n');
    out
}

fn changed_files(out: &mut String, changes: &DiffReport, texts: &Texts, theme: &Theme) {
    // With the lines, as `vib diff` and `vib undo --patch` show them.
    if changes.files.iter().any(|file| !file.git.is_empty()) {
        changes.files.iter().for_each(|file| out.push_str(&one_file(file, theme)));
        return;
    }
    for file in changes.files.iter().take(SHOWN_IN_PREVIEW) {
        let (mark, style) = match file.status {
            FileStatus::Added => ("+", theme.added),
            FileStatus::Removed => ("-", theme.removed),
            FileStatus::Renamed => (">", theme.warning),
            _ => ("~", theme.warning),
        };
        let old = file.old_path.as_ref().map(|old| format!("{} -> ", harmless(old))).unwrap_or_default();
        let mut numbers = String::new();
        if let (Some(added), Some(removed)) = (file.added, file.removed) {
            numbers = format!("  +{added} -{removed}");
        }
        if let (Some(old), Some(new)) = (file.old_mode, file.new_mode) {
            numbers = format!("{numbers}  {old:o} -> {new:o}");
        }
        let name = harmless(&file.path);
        out.push_str(&format!("  {} {old}{name}{}\n", paint(style, mark), paint(theme.dim, numbers)));
    }
    if changes.files.len() > SHOWN_IN_PREVIEW {
        let more = [("files", "…".into()), ("count", (changes.files.len() - SHOWN_IN_PREVIEW).into())];
        row(out, 2, &texts.say("recover-and-more", &more));
    }
}

/// What was done.
pub(crate) fn recovered(applied: &Applied, texts: &Texts, theme: &Theme) -> String {
    let mut out = notices(&applied.notices, theme);
    let id = if applied.is_complete() { "recover-done" } else { "recover-partly" };
    let mut first = vec![paint(theme.strong, texts.say(id, &[]))];
    for (id, paths) in
        [("recover-done-back", applied.files_back), ("recover-done-removed", applied.files_removed)]
    {
        if paths > 0 {
            first.push(texts.say(id, &[("files", count_files(paths as u64, texts).into())]));
        }
    }
    row(&mut out, 0, &first.join(between(texts)));
    if !applied.result.kept.is_empty() {
        row(&mut out, 0, &paint(theme.warning, texts.say("recover-done-kept", &[])));
        for kept in applied.result.kept.iter().take(20) {
            let text =
                format!("{}  {}", harmless(&kept.path.to_string()), paint(theme.dim, harmless(&kept.detail)));
            row(&mut out, 2, &text);
        }
    }
    let id = paint(theme.id, &applied.safety.id);
    row(&mut out, 0, &texts.say("recover-done-safety", &[("id", id.into())]));
    row(&mut out, 0, &texts.say("recover-done-return", &[("command", "vib recover --return".into())]));
    if let Some(what) = &applied.git.unfinished {
        row(&mut out, 0, &texts.say("recover-git-unfinished", &[("what", what.as_str().into())]));
    }
    if applied.checks.is_empty() {
        row(&mut out, 0, &texts.say("recover-done-check-any", &[]));
    } else {
        row(&mut out, 0, &texts.say("recover-done-check", &[]));
        for check in &applied.checks {
            row(&mut out, 2, &harmless(check));
        }
    }
    out
}

/// `vib recover feedback`
pub(crate) fn recover_feedback(report: &FeedbackReport, texts: &Texts) -> String {
    let id = if report.right { "recover-feedback-right" } else { "recover-feedback-wrong" };
    let mut out = texts.say(id, &[("path", harmless(&report.path).into())]);
    out.push('\n');
    if let Some(percent) = report.accuracy {
        out.push_str(&texts.say("recover-feedback-accuracy", &[("percent", percent.into())]));
        out.push('\n');
    }
    if !report.labelling {
        out.push_str(&texts.say("recover-feedback-off", &[]));
        out.push('\n');
    }
    out
}

fn ago(then_ms: i64, now_ms: i64, texts: &Texts) -> String {
    let minutes = (now_ms.saturating_sub(then_ms) / 60_000).max(0);
    let (id, count) = match minutes {
        0 => return texts.say("recover-ago-now", &[]),
        1..=59 => ("recover-ago-minutes", minutes),
        60..=1439 => ("recover-ago-hours", minutes / 60),
        _ => ("recover-ago-days", minutes / 1440),
    };
    texts.say(id, &[("count", count.into())])
}

/// Names, the first few.
pub(crate) fn files(paths: &[String], most: usize, texts: &Texts) -> String {
    let shown: Vec<String> = paths.iter().take(most).map(|path| harmless(path)).collect();
    let shown = shown.join(", ");
    if paths.len() <= most {
        return shown;
    }
    let more = [("files", shown.into()), ("count", (paths.len() - most).into())];
    texts.say("recover-and-more", &more)
}

/// What stands between two sentences.
fn between(texts: &Texts) -> &'static str {
    if texts.language() == Language::Zh { "" } else { " " }
}

fn count_files(count: u64, texts: &Texts) -> String {
    texts.say("common-files", &[("count", count.into())])
}

fn lines(count: u64, texts: &Texts) -> String {
    texts.say("common-lines", &[("count", count.into())])
}
