//! `vib` alone, in about ten lines.

use engine::at_work::AtWork;
use engine::baseline::{Baseline, Since};
use engine::diff::DiffReport;
use engine::status::StatusReport;
use store::Request;
use unicode_width::UnicodeWidthStr;

use super::protection::{called, protection};
use super::verdict::verdict;
use super::words::{harmless, line};
use crate::commands::overview::Overview;
use crate::theme::{Theme, paint};

/// Agents at work that are told of.
const AGENTS: usize = 3;

/// `vib`
pub(crate) fn overview(report: &Overview, theme: &Theme) -> String {
    let Some(project) = &report.project else {
        if !report.hooks_in_place.is_empty() {
            let clients = report.hooks_in_place.join(", ");
            return format!(
                "{}\n\n  vib checkpoint  {}\n  vib doctor      {}\n  vib --help      {}\n",
                theme.say("overview-hooks-in-place", &[("clients", clients.into())]),
                theme.word("overview-do-checkpoint"),
                theme.word("overview-do-doctor"),
                theme.word("overview-do-help"),
            );
        }
        return format!(
            "{}\n\n  vib init    {}\n  vib demo    {}\n  vib --help  {}\n",
            theme.word("overview-unknown"),
            theme.word("overview-do-init"),
            theme.word("overview-do-demo"),
            theme.word("overview-do-help"),
        );
    };
    let (status, now) = (&project.status, project.status.now_ms);
    let mut out = format!("{}\n", paint(theme.strong, harmless(&status.root)));
    let lost = status.notices.iter().filter(|notice| matches!(notice, engine::Notice::CheckpointsLost(_)));
    out.push_str(&super::words::notices(&lost.cloned().collect::<Vec<_>>(), theme));
    out.push_str(&protection(&project.protection, theme));
    for call in project.protection.last_calls().into_iter().skip(1) {
        if let Some(client) = project.protection.of(call.client) {
            out.push_str(&paint(theme.dim, format!("  {}\n", called(client, now, theme))));
        }
    }
    out.push_str(&at_work(&status.at_work, now, theme));
    if let Some(request) = &status.last_request {
        out.push_str(&last_request(request, now, theme));
    }
    out.push_str(&changed(status, theme));
    if status.newest.is_some() || !status.verdict.reasons.is_empty() {
        out.push_str(&verdict(&status.verdict, &theme.texts, theme));
    }
    if status.unsaved > 0 && status.newest.is_some() {
        out.push_str(&format!("{}\n", theme.count("overview-unsaved", status.unsaved as usize)));
    }
    let next = paint(theme.strong, theme.word("overview-next"));
    out.push_str(&format!("{next} `{}` {}\n", report.next, theme.word(about(report.next))));
    out.push_str(&paint(theme.dim, theme.word("overview-help") + "\n"));
    out
}

/// Who works here now, a line each.
fn at_work(agents: &[AtWork], now_ms: i64, theme: &Theme) -> String {
    let mut out = String::new();
    for agent in agents.iter().take(AGENTS) {
        let what = match &agent.running {
            Some(running) => theme.say(
                "overview-runs",
                &[
                    ("what", line(&running.what, theme, 60).into()),
                    ("when", theme.ago(running.since_ms, now_ms).into()),
                ],
            ),
            None => theme.say("overview-last-heard", &[("when", theme.ago(agent.last_ms, now_ms).into())]),
        };
        let request = agent
            .request
            .map(|number| theme.say("overview-on-request", &[("request", number.to_string().into())]));
        let values = [
            ("head", paint(theme.strong, theme.word("overview-at-work")).into()),
            ("name", name_of(agent.client.as_deref(), theme).into()),
            ("request", request.unwrap_or_default().into()),
            ("when", theme.ago(agent.since_ms, now_ms).into()),
            ("what", what.into()),
        ];
        out.push_str(&format!("{}\n", theme.say("overview-agent", &values)));
    }
    if agents.len() > AGENTS {
        out.push_str(&format!("  {}\n", theme.count("overview-more-agents", agents.len() - AGENTS)));
    }
    out
}

fn name_of(client: Option<&str>, theme: &Theme) -> String {
    let title = |client: &str| {
        let known = hooks::Client::ALL.iter().find(|one| one.name() == client);
        known.map_or(client, |one| one.title()).to_owned()
    };
    client.map_or_else(|| theme.word("common-an-agent"), title)
}

fn last_request(request: &Request, now_ms: i64, theme: &Theme) -> String {
    let words = request.prompt.clone().unwrap_or_else(|| theme.word("common-no-words"));
    let client = name_of(request.client.as_deref(), theme);
    let number = request.number.to_string();
    let head = theme.say("overview-last-request", &[("number", number.into())]) + " ";
    let tail = format!("{client}, {}", theme.ago(request.started_ms, now_ms));
    let words = line(&words, theme, head.width() + tail.width() + 5);
    format!("{}“{words}”  {}\n", paint(theme.strong, head), paint(theme.dim, tail))
}

/// The moment that the present is compared with.
pub(super) fn moment(since: &Baseline, now_ms: i64, theme: &Theme) -> String {
    match &since.since {
        Since::Request { request } => {
            theme.say("overview-request-began", &[("request", request.number.to_string().into())])
        }
        Since::Save | Since::Oldest => {
            let checkpoint = &since.checkpoint;
            let message = checkpoint.message.as_deref().filter(|message| !message.is_empty());
            let message = message.map(|text| format!(" “{}”", line(text, theme, 60))).unwrap_or_default();
            let values = [
                ("id", paint(theme.id, &checkpoint.id).into()),
                ("message", message.into()),
                ("when", theme.ago(checkpoint.created_ms, now_ms).into()),
            ];
            theme.say("overview-checkpoint", &values)
        }
    }
}

/// How much changed, and since when.
fn changed(status: &StatusReport, theme: &Theme) -> String {
    let Some(since) = &status.since else { return theme.word("overview-no-checkpoint") + "\n" };
    let then = moment(since, status.now_ms, theme);
    let DiffReport { files, added, removed, .. } = &status.changes;
    let said = match files.len() {
        0 => theme.say("overview-nothing-changed", &[("then", then.into())]),
        some => theme.say(
            "overview-changed",
            &[
                ("count", some.into()),
                ("then", then.into()),
                ("added", paint(theme.added, format!("+{added}")).into()),
                ("removed", paint(theme.removed, format!("-{removed}")).into()),
            ],
        ),
    };
    said + "\n"
}

fn about(command: &str) -> &'static str {
    match command {
        "vib store check --repair" => "overview-about-store",
        "vib undo" => "overview-about-undo",
        "vib recover" => "overview-about-recover",
        "vib explain" => "overview-about-explain",
        "vib init" => "overview-about-init",
        "vib init --on" => "overview-about-on",
        "vib doctor" => "overview-about-doctor",
        "vib checkpoint" => "overview-about-checkpoint",
        _ => "overview-about-history",
    }
}
