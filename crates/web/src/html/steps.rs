//! Requests and steps: what was asked for, what ran, which files are its own, and how it ended. The words are those of `vib history`.

use std::collections::BTreeSet;

use engine::diff::FileStatus;
use engine::entries::EntryKind;
use engine::story::{StepFile, StoryStep, Told, is_command};
use engine::strip::{Mark, Run, Strip};
use maud::{Markup, html};
use store::{Checkpoint, CheckpointKind, Ending, Step};

use super::{ago, link_with, tag, time};
use crate::ask::Ask;
use crate::pages::home::first_line;

/// Files that are named for one step; the others are counted.
const FILES: usize = 6;
/// A command is shown so far; its own page has all of it.
const COMMAND: usize = 240;

/// The page of a file's history.
pub(crate) fn file_history(path: &str) -> String {
    let mut link = "/history".to_owned();
    for part in path.split('/') {
        link.push('/');
        link.push_str(link_with("", &[("p", part)]).trim_start_matches("?p="));
    }
    link
}

/// The page that shows what taking this back would change. With a file: only that file.
pub(crate) fn undo_link(what: &str, path: &str) -> String {
    link_with("/undo", &[("what", what), ("path", path)])
}

/// One entry of the history. `file`: the history is that of one file or folder.
pub(crate) fn entry(ask: &Ask, told: &Told, now_ms: i64, open: bool, file: &str) -> Markup {
    match told {
        Told::Save { checkpoint, short_id } => save(ask, checkpoint, short_id, now_ms),
        Told::Steps { .. } => work(ask, told, now_ms, open, file),
    }
}

fn save(ask: &Ask, checkpoint: &Checkpoint, short_id: &str, now_ms: i64) -> Markup {
    let what = match checkpoint.kind {
        CheckpointKind::Safety => ask.t("web-kind-safety-long"),
        CheckpointKind::Commit => ask.t("web-entry-commit"),
        CheckpointKind::Manual | CheckpointKind::Turn => ask.t("web-entry-saved"),
    };
    let id = checkpoint.id.as_str();
    html! {
        article.entry.save {
            p.line {
                span.dot.saved aria-hidden="true" {}
                a href={ "/checkpoint/" (id) } {
                    (what)
                    @if let Some(message) = &checkpoint.message { " “" (first_line(&ask.clean(message))) "”" }
                }
                " " code.dim { (short_id) }
                @if checkpoint.pinned { " " (tag("pin", &ask.t("web-pinned"))) }
                span.side.dim { (ago(ask, checkpoint.created_ms, now_ms)) }
            }
        }
    }
}

/// What an entry is about, for people.
fn title(ask: &Ask, kind: EntryKind, words: &str, steps: &[StoryStep]) -> Markup {
    match kind {
        EntryKind::Request if !words.is_empty() => html! { "“" (first_line(&ask.clean(words))) "”" },
        EntryKind::Request => html! { (ask.t("web-entry-request")) },
        EntryKind::Session => html! { (ask.t("web-entry-session")) },
        EntryKind::ByHand => html! { (ask.t("web-entry-by-hand")) },
        EntryKind::Vib => {
            let tool = steps.last().and_then(|step| step.step.tool.as_deref()).unwrap_or("change");
            html! { (ask.say("web-entry-vib", &[("tool", ask.clean(tool).into())])) }
        }
    }
}

fn work(ask: &Ask, told: &Told, now_ms: i64, open: bool, file: &str) -> Markup {
    let Told::Steps { kind, words, request, client, steps, looks, time_ms, undone } = told else {
        return html! {};
    };
    let name = match (request, steps.first()) {
        (Some(request), _) => request.number.to_string(),
        (None, Some(step)) => step.step.number.to_string(),
        (None, None) => String::new(),
    };
    let page = if request.is_some() { format!("/request/{name}") } else { format!("/step/{name}") };
    let words = request.as_ref().map_or(words.as_str(), |request| request.prompt.as_deref().unwrap_or(""));
    let can_undo = steps.iter().any(|step| can_undo(&step.step, step.undone));
    let only = steps.len() == 1 && request.is_none();
    html! {
        article.entry id={ "entry-" (name) } {
            header {
                h3.prompt {
                    a href=(page) { (title(ask, *kind, words, steps)) }
                    @if *undone { " " (tag("", &ask.t("web-taken-back"))) }
                }
                p.facts-line {
                    @if let Some(client) = client { a href=(link_with("/history", &[("agent", client)])) { (ask.clean(client)) } " · " }
                    (counts(ask, steps)) (ago(ask, *time_ms, now_ms))
                }
                @if can_undo && (request.is_some() || only) {
                    @let label = if request.is_some() { "web-undo-request" } else { "web-undo-step" };
                    a.button href=(undo_link(&name, file)) { (ask.t(label)) "…" span.hidden { " " (name) } }
                }
            }
            @if !steps.is_empty() {
                details.steps-of id={ "steps-" (name) } open[open || only] {
                    summary { (summary(ask, steps)) }
                    ol.plain.ledger { @for step in steps { (row(ask, step, now_ms, file, !only)) } }
                }
            }
            @if *looks > 0 { p.dim.looks { (ask.say("web-looked", &[("count", (*looks).into())])) } }
        }
    }
}

/// `3 commands · 6 files · +0 −69 · `
fn counts(ask: &Ask, steps: &[StoryStep]) -> Markup {
    let commands = steps.iter().filter(|step| is_command(&step.step)).count();
    let files: BTreeSet<&str> =
        steps.iter().flat_map(|step| step.changes.iter().map(|file| file.path.as_str())).collect();
    let sum = |of: fn(&StepFile) -> Option<u64>| -> u64 {
        steps.iter().flat_map(|step| step.changes.iter().filter_map(of)).sum()
    };
    html! {
        @if commands > 0 { (ask.say("web-commands", &[("count", commands.into())])) " · " }
        @if !files.is_empty() {
            (ask.say("common-files", &[("count", files.len().into())])) " "
            span.added { "+" (sum(|file| file.added)) } " " span.removed { "−" (sum(|file| file.removed)) } " · "
        }
    }
}

/// How many steps, and what stands out among them.
fn summary(ask: &Ask, steps: &[StoryStep]) -> Markup {
    let count = |wanted: fn(&StoryStep) -> bool| steps.iter().filter(|step| wanted(step)).count();
    let stopped = count(|step| step.mark == Mark::Stopped);
    let failed = count(|step| step.step.ending == Ending::Failed);
    let lost: u64 = steps.iter().map(|step| step.lost).sum();
    html! {
        (ask.say("web-steps", &[("count", steps.len().into())]))
        @if lost > 0 { " " (tag("bad", &ask.say("web-lost-files", &[("count", lost.into())]))) }
        @if stopped > 0 { " " (tag("bad", &ask.say("web-stopped-count", &[("count", stopped.into())]))) }
        @if failed > 0 { " " (tag("warn", &ask.say("web-failed-count", &[("count", failed.into())]))) }
    }
}

/// Something of it can be taken back.
pub(crate) fn can_undo(step: &Step, undone: bool) -> bool {
    step.files > 0 && !undone && step.ending != Ending::Running
}

/// The word for a kind of step.
pub(crate) fn mark_word(ask: &Ask, mark: Mark) -> String {
    ask.t(match mark {
        Mark::Look => "web-mark-look",
        Mark::Edit => "web-mark-edit",
        Mark::Command => "web-mark-command",
        Mark::Lost => "web-mark-lost",
        Mark::Stopped => "web-mark-stopped",
        Mark::ByHand => "web-mark-by-hand",
        Mark::Vib => "web-mark-vib",
    })
}

fn mark_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Look => "dot look",
        Mark::Edit => "dot edit",
        Mark::Command => "dot command",
        Mark::Lost => "dot lost",
        Mark::Stopped => "dot stopped",
        Mark::ByHand => "dot by-hand",
        Mark::Vib => "dot vib",
    }
}

/// What a step did, in one line: its command, or what it edited.
pub(crate) fn what(ask: &Ask, step: &Step) -> String {
    let words = match (&step.what, &step.tool, step.actor) {
        (Some(what), ..) => what,
        (None, Some(tool), _) => tool,
        (None, None, store::Actor::ByHand) => return ask.t("web-entry-by-hand"),
        (None, None, _) => return ask.t("web-a-step"),
    };
    let clean = ask.clean(words);
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(COMMAND).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// How a step ended, where that is worth a word.
pub(crate) fn outcome(ask: &Ask, step: &Step) -> Markup {
    let code = |id: &str| match step.exit_code {
        Some(code) => ask.say(id, &[("code", i64::from(code).into())]),
        None => ask.t("web-end-failed"),
    };
    match step.ending {
        Ending::Ran | Ending::Unknown if step.exit_code.is_some_and(|code| code != 0) => {
            tag("warn", &code("web-end-exit"))
        }
        Ending::Ran | Ending::Unknown => html! {},
        Ending::Failed => tag("warn", &code("web-end-failed-exit")),
        Ending::Stopped => tag("bad", &ask.t("web-end-stopped")),
        Ending::Refused => tag("bad", &ask.t("web-end-refused")),
        Ending::CutOff => tag("warn", &ask.t("web-end-cut-off")),
        Ending::Running => tag("good", &ask.t("web-end-running")),
    }
}

fn row(ask: &Ask, told: &StoryStep, now_ms: i64, file: &str, with_undo: bool) -> Markup {
    let step = &told.step;
    let number = step.number.to_string();
    let sub_agent = step.agent_type.as_ref().or(step.agent.as_ref());
    html! {
        li.step id=(number) {
            span class=(mark_class(told.mark)) title=(mark_word(ask, told.mark)) { span.hidden { (mark_word(ask, told.mark)) } }
            div.what {
                a.command href={ "/step/" (number) } { code { (what(ask, step)) } }
                @if let Some(name) = sub_agent { " " (tag("", &ask.clean(name))) }
                " " (outcome(ask, step))
                @if told.lost > 0 { " " (tag("bad", &ask.say("web-lost-files", &[("count", told.lost.into())]))) }
                @if told.undone { " " (tag("", &ask.t("web-taken-back"))) }
                @if let Some(reason) = &step.reason { div.dim { (first_line(&ask.clean(reason))) } }
                (files_and_more(ask, &told.changes, FILES, told.unlisted))
                @for path in step.elsewhere.outside.iter().take(FILES) {
                    div.dim { (ask.t("web-outside-files")) " " code { "vib undo " (engine::outside::word(&ask.clean(path))) } }
                }
            }
            div.side.dim {
                (ago(ask, step.started_ms, now_ms))
                @if with_undo && can_undo(step, told.undone) {
                    " · " a href=(undo_link(&number, file)) { (ask.t("web-undo-step")) span.hidden { " " (number) } }
                }
            }
        }
    }
}

/// The files of a step, each with what happened to it and a link to its own history.
pub(crate) fn files(ask: &Ask, all: &[StepFile], most: usize) -> Markup {
    files_and_more(ask, all, most, 0)
}

/// The same, with so many more that are not among them.
fn files_and_more(ask: &Ask, all: &[StepFile], most: usize, unlisted: u64) -> Markup {
    let more = all.len().saturating_sub(most) as u64 + unlisted;
    html! {
        @if !all.is_empty() {
            ul.own-files {
                @for file in all.iter().take(most) {
                    li {
                        (status(ask, file))
                        a href=(file_history(&file.path)) { code { (ask.clean(&file.path)) } }
                        @if let Some(added) = file.added.filter(|added| *added > 0) { " " span.added { "+" (added) } }
                        @if let Some(removed) = file.removed.filter(|removed| *removed > 0) { " " span.removed { "−" (removed) } }
                        @if !file.shared.is_empty() {
                            @let steps: Vec<String> = file.shared.iter().map(ToString::to_string).collect();
                            " " (tag("warn", &ask.say("web-shared", &[("steps", steps.join(", ").into())])))
                        }
                        @if file.undone { " " (tag("", &ask.t("web-taken-back"))) }
                    }
                }
                @if more > 0 { li.dim { (ask.say("web-and-more", &[("count", more.into())])) } }
            }
        }
    }
}

fn status(ask: &Ask, file: &StepFile) -> Markup {
    let (class, id) = match file.status {
        FileStatus::Added => ("good", "web-file-added"),
        FileStatus::Removed => ("bad", "web-file-removed"),
        FileStatus::ModeChanged => ("", "web-file-mode"),
        FileStatus::TypeChanged => ("warn", "web-file-type"),
        FileStatus::Modified | FileStatus::Renamed => return html! {},
    };
    html! { (tag(class, &ask.t(id))) " " }
}

/// One dot for each of the last steps, under the session in which it was done.
pub(crate) fn strip(ask: &Ask, strip: &Strip) -> Markup {
    html! {
        div.strip {
            @for run in &strip.runs { (stretch(ask, run)) }
        }
        p.dim.legend {
            @for mark in [Mark::Look, Mark::Edit, Mark::Command, Mark::Lost, Mark::Stopped, Mark::ByHand, Mark::Vib] {
                span { span class=(mark_class(mark)) aria-hidden="true" {} " " (mark_word(ask, mark)) } " "
            }
        }
    }
}

fn stretch(ask: &Ask, run: &Run) -> Markup {
    let who = match &run.client {
        Some(client) => ask.clean(client),
        None => ask.t("web-strip-you"),
    };
    html! {
        section.run aria-label={ (who) " " (time(run.started_ms)) } {
            p.dim { (clock(run.started_ms)) " · " (who) }
            ol.dots {
                @for dot in &run.dots {
                    @let label = dot_label(ask, &dot.step, dot.mark, dot.lost);
                    li { a class=(mark_class(dot.mark)) href={ "/step/" (dot.step.number) } title=(label) aria-label=(label) {} }
                }
            }
        }
    }
}

/// `Tue 14:30`
fn clock(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| "–".to_owned(),
        |moment| moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%m-%d %H:%M").to_string(),
    )
}

fn dot_label(ask: &Ask, step: &Step, mark: Mark, lost: u64) -> String {
    let words = what(ask, step);
    let short: String = words.chars().take(80).collect();
    let mut label = format!("{} {}: {short}", step.number, mark_word(ask, mark));
    if lost > 0 {
        label.push_str(" · ");
        label.push_str(&ask.say("web-lost-files", &[("count", lost.into())]));
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_escape_what_would_end_a_path() {
        assert_eq!(file_history("a b/ü?#.rs"), "/history/a%20b/%C3%BC%3F%23.rs");
        assert_eq!(undo_link("s4", "a b"), "/undo?what=s4&path=a%20b");
    }
}
