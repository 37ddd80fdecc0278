//! `vib why`: the lines with their writers in the margin, and who those are below.

use engine::why::{Fact, Source, WhyReport};
use store::{Actor, StepNumber};

use super::words::{ago, count, harmless, line, notices};
use crate::theme::{Theme, paint};

/// The whole of it.
pub(crate) fn why(report: &WhyReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    let path = harmless(&report.path);
    if let Some(why) = report.no_lines {
        out.push_str(&format!("{}\n", no_lines(&path, why)));
        if let Some(last) = &report.last {
            let last = match last {
                Source::Unsaved => "since the last look, or by a step that still runs".to_owned(),
                known => long(known, report.now_ms, theme),
            };
            out.push_str(&format!("Last change: {last}\n"));
        }
        return out;
    }
    let margins: Vec<String> = report.sources.iter().map(margin).collect();
    let widest = margins.iter().map(|margin| margin.chars().count()).max().unwrap_or(0);
    let digits = report.lines.last().map_or(1, |line| line.number.to_string().len());
    let mut before = None;
    for one in &report.lines {
        // A writer stands where their lines begin.
        let name = if before == Some(one.source) { "" } else { &margins[one.source] };
        before = Some(one.source);
        let blanks = " ".repeat(widest - name.chars().count());
        let by = |by: usize| match &report.sources[by] {
            Source::ByHand { .. } => "  (blanks changed by hand)".to_owned(),
            _ => format!("  (blanks by {})", margins[by]),
        };
        let note = one.blanks.map(by).unwrap_or_default();
        let text = line(&harmless(&one.text), theme, widest + digits + 4 + note.chars().count());
        let note = paint(theme.dim, note);
        out.push_str(&format!(
            "{}{blanks}  {}  {text}{note}\n",
            paint(theme.id, name),
            paint(theme.dim, format!("{:>digits$}", one.number))
        ));
    }
    out.push('\n');
    for (number, source) in report.sources.iter().enumerate() {
        let own = report.lines.iter().filter(|line| line.source == number).count() as u64;
        let own = if own > 0 { count(own, "line") } else { "blanks".to_owned() };
        out.push_str(&format!(
            "{}{}  {}  {}\n",
            paint(theme.id, &margins[number]),
            " ".repeat(widest - margins[number].chars().count()),
            paint(theme.dim, format!("{own:>9}")),
            long(source, report.now_ms, theme)
        ));
    }
    if !report.earlier_names.is_empty() {
        let names: Vec<String> =
            report.earlier_names.iter().map(|name| format!("`{}`", harmless(name))).collect();
        out.push_str(&paint(theme.dim, format!("{path} was made from {}\n", names.join(", "))));
    }
    if let Some(step) = report.sources.iter().find_map(one_step) {
        out.push_str(&paint(
            theme.dim,
            format!("`vib show {step}` shows a step, `vib undo {step}` takes it back\n"),
        ));
    }
    out
}

fn no_lines(path: &str, why: &str) -> String {
    match why {
        "gone" => format!("{path} is not there now."),
        "empty" => format!("{path} is empty."),
        "link" => {
            format!("{path} is a link, so it has no lines of its own; ask about the file that it leads to.")
        }
        "too_long" => format!("{path} is too long to ask about its lines."),
        _ => format!("{path} is not text, so it has no lines to ask about."),
    }
}

fn one_step(source: &Source) -> Option<StepNumber> {
    match source {
        Source::Step { steps, .. } => steps.first().copied(),
        _ => None,
    }
}

fn joined(steps: &[StepNumber]) -> String {
    steps.iter().map(ToString::to_string).collect::<Vec<_>>().join("|")
}

/// What stands beside a line.
fn margin(source: &Source) -> String {
    match source {
        Source::Step { steps, facts } => {
            let mut names: Vec<&str> = facts.iter().map(who).collect();
            names.dedup();
            format!("{} {}", joined(steps), names.join("|"))
        }
        Source::ByHand { .. } => "by hand".to_owned(),
        Source::OneOf { steps, .. } => format!("{}?", joined(steps)),
        Source::Either { of } => format!("{}?", of.iter().map(margin).collect::<Vec<_>>().join("|")),
        Source::Git { commit, author, .. } => {
            format!("git {} {}", &commit[..commit.len().min(8)], harmless(author))
        }
        Source::FromGit { brought_by } => format!("git? by {brought_by}"),
        Source::BeforeVib => "before vib".to_owned(),
        Source::Unseen => "unseen".to_owned(),
        Source::Unsaved => "not saved yet".to_owned(),
    }
}

fn who(fact: &Fact) -> &str {
    match fact.actor {
        Actor::Vib => "vib",
        Actor::ByHand => "by hand",
        Actor::Agent => fact.client.as_deref().unwrap_or("an agent"),
    }
}

/// Who it is, in full.
fn long(source: &Source, now_ms: i64, theme: &Theme) -> String {
    match source {
        Source::Step { facts, .. } => {
            let all: Vec<String> = facts.iter().map(|fact| one(fact, now_ms, theme)).collect();
            if all.len() > 1 { format!("one of: {}", all.join("; ")) } else { all.concat() }
        }
        Source::ByHand { steps, time_ms, .. } => {
            format!("by hand, or by another program ({}, {})", joined(steps), ago(*time_ms, now_ms))
        }
        Source::OneOf { steps, or_by_hand: true } if steps.len() == 1 => {
            format!("{}, or you (or another program) while it ran: nobody saw who wrote it", joined(steps))
        }
        Source::OneOf { steps, .. } => {
            format!("one of {}, and nothing that is kept tells which", joined(steps).replace('|', ", "))
        }
        Source::Either { of } => {
            let all: Vec<String> = of.iter().map(|one| long(one, now_ms, theme)).collect();
            format!("equal lines side by side, and nobody can tell which is whose: {}", all.join("; "))
        }
        Source::Git { summary, time_ms, brought_by, .. } => {
            let by = brought_by.map(|step| format!(", brought here by {step}")).unwrap_or_default();
            format!("“{}”, {}{by}", line(&harmless(summary), theme, 60), ago(*time_ms, now_ms))
        }
        Source::FromGit { brought_by } => {
            format!("brought here by {brought_by} out of a stash or a patch; who wrote it is not known")
        }
        Source::BeforeVib => "was there when vib came".to_owned(),
        Source::Unseen => "came while vib did not save this file".to_owned(),
        Source::Unsaved => "typed since the last look, or by a step that still runs".to_owned(),
    }
}

fn one(fact: &Fact, now_ms: i64, theme: &Theme) -> String {
    let mut parts = Vec::new();
    let model = fact.model.as_ref().map(|model| format!(" ({})", harmless(model))).unwrap_or_default();
    let helper =
        fact.agent_type.as_ref().map(|kind| format!(", sub-agent {}", harmless(kind))).unwrap_or_default();
    parts.push(format!("{}{model}{helper}", who(fact)));
    if let Some(request) = &fact.request {
        let words = fact.prompt.as_deref().map(|prompt| format!(" “{}”", line(&harmless(prompt), theme, 60)));
        parts.push(format!("{request}{}", words.unwrap_or_default()));
    }
    if let Some(what) = fact.what.as_deref().or(fact.tool.as_deref()) {
        parts.push(line(&harmless(what), theme, 60));
    }
    parts.push(ago(fact.time_ms, now_ms));
    parts.join(", ")
}
