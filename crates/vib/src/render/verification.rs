//! `vib verify`, `vib stop`, `vib role`.

use engine::gates::acceptance::Shown;
use engine::verification::{CheckOutcome, Review, ReviewRisk, RunStatus, VerificationRun};
use gates::{CheckStanding, FactKind};

use super::private_copy::{names, touched};
use super::words::{count, harmless, line, notices};
use crate::commands::role::RoleReport;
use crate::commands::stop::{AcceptReport, PassReport};
use crate::theme::{Theme, paint};

/// Lines of a failing check that are shown.
const SHOWN: usize = 8;

/// The whole of it.
pub(crate) fn verification(run: &VerificationRun, theme: &Theme) -> String {
    let mut out = notices(&run.notices, theme);
    let (style, word) = match run.status {
        RunStatus::Pass if run.checks.is_empty() => {
            (theme.added, "Nothing speaks against it, but no check of the project was run")
        }
        RunStatus::Pass => (theme.added, "It holds"),
        RunStatus::Fail => (theme.error, "It does not hold"),
        RunStatus::Partial if run.checks.iter().all(|check| check.standing == CheckStanding::NoAnswer) => {
            (theme.warning, "No answer: no check was run to its end")
        }
        RunStatus::Partial => (theme.warning, "Not everything gave an answer"),
        RunStatus::StillFails => (theme.warning, "Nothing new is broken, but it still fails as before"),
        RunStatus::NothingToRun => (theme.warning, "There was nothing to run"),
    };
    let why = match run.profile_why {
        "has_checks" => ", because the project has checks",
        "low_risk" => ", because little speaks of risk",
        "medium_risk" => ", because what changed is worth a look",
        "high_risk" => ", because what changed is risky",
        "setting" => ", as your settings say",
        _ => "",
    };
    out.push_str(&format!(
        "{}  {}\n",
        paint(style, word),
        paint(theme.dim, format!("{}{why}", run.profile.word()))
    ));
    for check in &run.checks {
        out.push_str(&one(check, theme));
    }
    for issue in &run.issues {
        let place = match (&issue.path, issue.line) {
            (Some(path), Some(at)) => format!("{path}:{at}: "),
            (Some(path), None) => format!("{path}: "),
            _ => String::new(),
        };
        let style = if issue.severity == "stop" { theme.error } else { theme.warning };
        out.push_str(&format!(
            "  {} {}{}\n",
            paint(style, &issue.severity),
            harmless(&place),
            harmless(&issue.message)
        ));
    }
    if let Some(found) = &run.review {
        out.push_str(&review(found, theme));
    }
    if run.cached {
        out.push_str(&format!(
            "  {}\n",
            paint(theme.dim, "These very files were checked before: nothing was run.")
        ));
    } else if !run.checks.is_empty() {
        let fence = match run.fenced {
            Some(true) => "a private copy, behind a fence",
            _ => "a private copy",
        };
        let untouched = if run.touched.is_empty() { " Your folder was not touched." } else { "" };
        let text = format!("Run in {fence}, {} ms.{untouched}", run.took_ms);
        out.push_str(&format!("  {}\n", paint(theme.dim, text)));
    }
    let note = touched(&run.touched, run.fenced == Some(true), "the checks", theme);
    if !note.is_empty() {
        out.push_str(&format!("  {note}"));
    }
    if !run.leads_back.is_empty() {
        out.push_str(&format!(
            "  {} {} may lead a check from the copy into your folder: what it says of the state before cannot be trusted\n",
            paint(theme.warning, "note:"),
            names(&run.leads_back)
        ));
    }
    if !run.not_carried.is_empty() {
        let folders = run.not_carried.join(", ");
        out.push_str(&format!(
            "  {} too large to be copied, so the checks ran without: {folders}\n",
            paint(theme.warning, "note:")
        ));
    }
    for step in &run.next_steps {
        out.push_str(&format!("→ {}\n", harmless(step)));
    }
    out
}

/// What fresh eyes found.
fn review(review: &Review, theme: &Theme) -> String {
    let mut out = String::new();
    if let Some(program) = &review.program {
        let (style, word) = match review.risk {
            ReviewRisk::Low => (theme.added, "found nothing"),
            ReviewRisk::Medium => (theme.warning, "says it is worth a look"),
            ReviewRisk::High => (theme.error, "objects"),
            ReviewRisk::Unknown => (theme.warning, "gave no answer, so nobody knows"),
        };
        let note =
            if review.note.is_empty() { String::new() } else { format!(": {}", harmless(&review.note)) };
        out.push_str(&format!("  review by {}  {}{note}\n", harmless(program), paint(style, word)));
        for text in &review.assumptions {
            out.push_str(&format!(
                "    {}\n",
                paint(theme.dim, format!("taken for granted: {}", harmless(text)))
            ));
        }
    }
    if !review.facts.is_empty() {
        out.push_str("  Somebody who did not do this work would ask:\n");
    }
    for fact in &review.facts {
        let asks = match fact.kind {
            FactKind::Unfinished => "is this finished?",
            FactKind::DebugLeft => "is this output meant to stay?",
            FactKind::ErrorDropped => "should this error go unseen?",
            FactKind::Untested => "code changed and no test did; what shows that it works?",
            FactKind::DependencyAdded => "is this dependency needed, and is it the right one?",
            FactKind::ChecksChanged => "this decides what is checked; is it still as strict?",
            FactKind::MuchRemoved => "is all of this meant to be gone?",
        };
        let place = match (fact.path.as_str(), fact.line) {
            ("", _) => String::new(),
            (path, Some(line)) => format!("{path}:{line}: "),
            (path, None) => format!("{path}: "),
        };
        let what = if fact.text.is_empty() { String::new() } else { format!("  {}", harmless(&fact.text)) };
        out.push_str(&format!("    {}{asks}{}\n", harmless(&place), paint(theme.dim, what)));
    }
    if review.left_out > 0 {
        out.push_str(&format!(
            "    {} more changed and were not looked through\n",
            count(review.left_out as u64, "file")
        ));
    }
    out
}

fn one(check: &CheckOutcome, theme: &Theme) -> String {
    let (style, word) = match check.standing {
        CheckStanding::Passes => (theme.added, "passes"),
        CheckStanding::Regression => (theme.error, "broken by this work"),
        CheckStanding::Fails => (theme.error, "fails"),
        CheckStanding::OldFailure => (theme.warning, "failed before as well"),
        CheckStanding::Flaky => (theme.warning, "flaky: now so, now so"),
        CheckStanding::NoAnswer => (theme.warning, "gave no answer"),
    };
    let mut out = format!("  {}  {}\n", harmless(&check.command), paint(style, word));
    let shown = if check.new_failures.is_empty() {
        check.now.as_ref().map(|part| part.failures.as_slice()).unwrap_or_default()
    } else {
        &check.new_failures
    };
    if check.standing != CheckStanding::Passes {
        for text in shown.iter().take(SHOWN) {
            out.push_str(&format!("    {}\n", paint(theme.dim, line(&harmless(text), theme, 4))));
        }
    }
    out
}

/// `vib stop accept`
pub(crate) fn stop_accepted(report: &AcceptReport, theme: &Theme) -> String {
    if report.criteria.is_empty() {
        return "Nothing was agreed on here. Say it with `vib config set stop.acceptance \"...\"`, or in the goal: `vib memory intent \"..., done when: A; B\"`.\n"
            .to_owned();
    }
    let mut out = String::new();
    for one in &report.criteria {
        let (style, mark, how) = match (one.shown, &one.command) {
            (Some(Shown::Check), _) => (theme.added, "✓", "its check passed on what is there now".to_owned()),
            (Some(Shown::Person), _) => (theme.added, "✓", "you said so".to_owned()),
            (None, Some(command)) => {
                (theme.warning, "·", format!("not shown yet: run `{}`", harmless(command)))
            }
            (None, None) => (theme.warning, "·", format!("yours to say: `vib stop accept {}`", one.number)),
        };
        out.push_str(&format!(
            "{} {}. {}  {}\n",
            paint(style, mark),
            one.number,
            harmless(&one.text),
            paint(theme.dim, how)
        ));
    }
    if !report.counts {
        out.push_str("→ agents are not held to this: `vib config set stop.gates tests,tasks,acceptance`\n");
    }
    out
}

/// `vib stop pass`
pub(crate) fn stop_passed(report: &PassReport, _theme: &Theme) -> String {
    match report.sessions {
        0 => "No session of an agent is known here, so there is nothing to let end.\n".to_owned(),
        some => format!(
            "It is fine as it is: {} may end this turn and the next one with something open.\n",
            count(some as u64, "session")
        ),
    }
}

/// `vib role`
pub(crate) fn role_changed(report: &RoleReport, _theme: &Theme) -> String {
    match report.role {
        Some(role) => format!("Session {} is a {role} for the next 24 hours.\n", harmless(&report.session)),
        None if report.had_one => format!("Session {} has no role any more.\n", harmless(&report.session)),
        None => format!(
            "Session {} had no role from you; what was counted begins anew.\n",
            harmless(&report.session)
        ),
    }
}
