//! `vib` alone, in about ten lines.

use engine::at_work::AtWork;
use engine::baseline::{Baseline, Since};
use engine::diff::DiffReport;
use engine::status::StatusReport;
use store::Request;
use texts::{Language, Texts};

use super::protection::{called, protection};
use super::verdict::verdict;
use super::words::{ago, count, harmless, line};
use crate::commands::overview::Overview;
use crate::theme::{Theme, paint};

/// Agents at work that are told of.
const AGENTS: usize = 3;

/// `vib`
pub(crate) fn overview(report: &Overview, theme: &Theme) -> String {
    let Some(project) = &report.project else {
        if !report.hooks_in_place.is_empty() {
            return format!(
                "Nothing is saved in this folder yet. Hooks are in place for {}: the first request saves it.\n\
                 \n  vib checkpoint  saves it now\
                 \n  vib doctor      says whether your agents will really call vib\
                 \n  vib --help      all commands\n",
                report.hooks_in_place.join(", ")
            );
        }
        return "vib does not know this folder yet. It saves what AI agents change, and takes you back.\n\
                \n  vib init    in your project's folder: connects your agents and saves a first checkpoint\
                \n  vib demo    the whole story in a throw-away folder\
                \n  vib --help  all commands\n"
            .to_owned();
    };
    let (status, now) = (&project.status, project.status.now_ms);
    let mut out = format!("{}\n", paint(theme.strong, harmless(&status.root)));
    let lost = status.notices.iter().filter(|notice| matches!(notice, engine::Notice::CheckpointsLost(_)));
    out.push_str(&super::words::notices(&lost.cloned().collect::<Vec<_>>(), theme));
    out.push_str(&protection(&project.protection, theme));
    for call in project.protection.last_calls().into_iter().skip(1) {
        if let Some(client) = project.protection.of(call.client) {
            out.push_str(&paint(theme.dim, format!("  {}\n", called(client, now))));
        }
    }
    out.push_str(&at_work(&status.at_work, now, theme));
    if let Some(request) = &status.last_request {
        out.push_str(&last_request(request, now, theme));
    }
    out.push_str(&changed(status, theme));
    if status.newest.is_some() || !status.verdict.reasons.is_empty() {
        out.push_str(&verdict(&status.verdict, &Texts::new(Language::En), theme));
    }
    if status.unsaved > 0 && status.newest.is_some() {
        out.push_str(&format!("Not saved yet: {}\n", count(status.unsaved, "change")));
    }
    out.push_str(&format!("{} `{}`{}\n", paint(theme.strong, "Next:"), report.next, about(report.next)));
    out.push_str(&paint(theme.dim, "`vib --help` lists all commands\n"));
    out
}

/// Who works here now, a line each.
fn at_work(agents: &[AtWork], now_ms: i64, theme: &Theme) -> String {
    let mut out = String::new();
    for agent in agents.iter().take(AGENTS) {
        let name = agent.client.as_deref().map_or("an agent", title);
        let what = match &agent.running {
            Some(running) => {
                let began = ago(running.since_ms, now_ms);
                format!("runs `{}`, begun {began}", line(&running.what, theme, 60))
            }
            None => format!("last heard of {}", ago(agent.last_ms, now_ms)),
        };
        let request = agent.request.map(|number| format!(" on {number}")).unwrap_or_default();
        let head = paint(theme.strong, "At work:");
        out.push_str(&format!("{head} {name}{request} (begun {}); {what}\n", ago(agent.since_ms, now_ms)));
    }
    if agents.len() > AGENTS {
        out.push_str(&format!("  and {} more\n", count((agents.len() - AGENTS) as u64, "agent")));
    }
    out
}

fn title(client: &str) -> &str {
    hooks::Client::ALL.iter().find(|one| one.name() == client).map_or(client, |one| one.title())
}

fn last_request(request: &Request, now_ms: i64, theme: &Theme) -> String {
    let words = request.prompt.as_deref().unwrap_or("(no words were heard)");
    let client = request.client.as_deref().map_or("an agent", title);
    let head = format!("Last request {} ", request.number);
    let tail = format!("{client}, {}", ago(request.started_ms, now_ms));
    let words = line(words, theme, head.len() + tail.len() + 5);
    format!("{}“{words}”  {}\n", paint(theme.strong, head), paint(theme.dim, tail))
}

/// The moment that the present is compared with.
pub(super) fn moment(since: &Baseline, now_ms: i64, theme: &Theme) -> String {
    match &since.since {
        Since::Request { request } => format!("{} began", request.number),
        Since::Save | Since::Oldest => {
            let checkpoint = &since.checkpoint;
            let message = checkpoint.message.as_deref().filter(|message| !message.is_empty());
            let message = message.map(|text| format!(" “{}”", line(text, theme, 60))).unwrap_or_default();
            let when = ago(checkpoint.created_ms, now_ms);
            format!("checkpoint {}{message}, {when}", paint(theme.id, &checkpoint.id))
        }
    }
}

/// How much changed, and since when.
fn changed(status: &StatusReport, theme: &Theme) -> String {
    let Some(since) = &status.since else { return "No checkpoint yet\n".to_owned() };
    let then = moment(since, status.now_ms, theme);
    match status.changes.files.len() as u64 {
        0 => format!("Nothing has changed since {then}\n"),
        some => {
            let DiffReport { added, removed, .. } = &status.changes;
            format!(
                "{} changed since {then}: {} {}\n",
                count(some, "file"),
                paint(theme.added, format!("+{added}")),
                paint(theme.removed, format!("-{removed}"))
            )
        }
    }
}

fn about(command: &str) -> &'static str {
    match command {
        "vib store check --repair" => " says what is lost, and brings back what can be",
        "vib undo" => " shows how to take the last request back, and asks first",
        "vib recover" => " says what happened and how to bring back what is lost, and asks first",
        "vib explain" => " says what changed, what is risky about it and what to check",
        "vib init" => " connects your agents",
        "vib init --on" => " switches vib on again in this project",
        "vib doctor" => " says what is wrong with the hooks, and how to mend it",
        "vib checkpoint" => " saves the project as it is now",
        _ => " shows what happened, and where you can go back to",
    }
}
