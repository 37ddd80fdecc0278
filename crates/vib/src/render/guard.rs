//! What guard found: as text and as SARIF; the lists of protected files and of anchors.

use engine::anchors::AnchorsReport;
use engine::guard::{Base, GuardReport, HookInstalled};
use engine::protect::ProtectReport;
use risk::{CheckRun, CheckStatus, GuardAnswer, Violation};
use serde_json::json;
use texts::{Language, Texts};

use super::secrets::uri;
use super::verdict::verdict;
use super::words::{count, date, harmless, notices};
use crate::theme::{Theme, paint};

/// `vib guard`
pub(crate) fn guard(report: &GuardReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    for violation in &report.violations {
        out.push_str(&one(violation, theme));
    }
    for check in &report.checks {
        out.push_str(&check_line(check, theme));
    }
    let since = match &report.base {
        Base::Checkpoint { id, created_ms } => format!("since checkpoint {id} of {}", date(*created_ms)),
        Base::Commit => "since git's last commit".to_owned(),
        Base::Nothing => "nothing is saved yet to compare with".to_owned(),
    };
    let changed = match (&report.base, report.files) {
        (Base::Nothing, 0) => since,
        (_, files) => format!("{} changed {since}", count(files as u64, "file")),
    };
    let (style, word) = match report.verdict {
        GuardAnswer::Pass => (theme.added, "PASS"),
        GuardAnswer::Prepare => (theme.warning, "PREPARE"),
        GuardAnswer::Stop => (theme.error, "STOP"),
    };
    let meaning = match report.verdict {
        GuardAnswer::Pass => "nothing speaks against going on",
        GuardAnswer::Prepare => "look at this first, then go on",
        GuardAnswer::Stop => "put this right before you go on",
    };
    out.push_str(&format!("{}: {meaning} ({changed})\n", paint(style, word)));
    if report.base != Base::Nothing || !report.risk.reasons.is_empty() {
        out.push_str(&verdict(&report.risk, &Texts::new(Language::En), theme));
    }
    if report.left_out > 0 {
        out.push_str(&format!(
            "{} {} changed as well and were not looked at: there are too many\n",
            paint(theme.warning, "note:"),
            count(report.left_out as u64, "file")
        ));
    }
    out
}

fn one(violation: &Violation, theme: &Theme) -> String {
    let place = match (&violation.path, violation.line) {
        (Some(path), Some(line)) => format!("{}:{line}  ", paint(theme.strong, harmless(path))),
        (Some(path), None) => format!("{}  ", paint(theme.strong, harmless(path))),
        _ => String::new(),
    };
    let (style, word) = match violation.level {
        GuardAnswer::Stop => (theme.error, "stop"),
        _ => (theme.warning, "prepare"),
    };
    format!(
        "{} {place}{}  {}\n    fix: {}\n",
        paint(style, format!("{word}:")),
        paint(theme.id, violation.rule),
        harmless(&violation.message),
        harmless(&violation.fix)
    )
}

fn check_line(check: &CheckRun, theme: &Theme) -> String {
    let command = harmless(&check.check.line());
    let seconds = check.milliseconds.map(|ms| format!(" ({:.1} s)", ms as f64 / 1000.0)).unwrap_or_default();
    let said = |label: String| {
        let mut out = format!("{label}\n");
        let lines: Vec<&str> = check.output.lines().collect();
        for line in &lines[lines.len().saturating_sub(15)..] {
            out.push_str(&format!("    {}\n", harmless(line)));
        }
        out
    };
    match check.status {
        CheckStatus::NotRun => {
            format!("check `{command}`: {}\n", paint(theme.dim, "not run (`vib guard --run` runs it)"))
        }
        CheckStatus::Passed => format!("check `{command}`: {}{seconds}\n", paint(theme.added, "passed")),
        CheckStatus::Failed => said(format!("check `{command}`: {}{seconds}", paint(theme.error, "failed"))),
        CheckStatus::TimedOut => {
            said(format!("check `{command}`: {}{seconds}", paint(theme.error, "took too long")))
        }
        CheckStatus::CouldNotStart => {
            said(format!("check `{command}`: {}", paint(theme.warning, "could not be started")))
        }
    }
}

/// `vib guard --install-hook`
pub(crate) fn guard_hook(installed: &HookInstalled, _theme: &Theme) -> String {
    format!(
        "git now runs `vib guard --staged` before every commit (`{}`; delete that file to switch it off).\n",
        harmless(&installed.path)
    )
}

/// SARIF 2.1.0.
pub(crate) fn guard_sarif(report: &GuardReport) -> Vec<u8> {
    let mut rules: Vec<&str> = report.violations.iter().map(|violation| violation.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<_> = report
        .violations
        .iter()
        .map(|violation| {
            let level = if violation.level == GuardAnswer::Stop { "error" } else { "warning" };
            let mut result = json!({
                "ruleId": violation.rule,
                "level": level,
                "message": {"text": format!("{}. Fix: {}", violation.message, violation.fix)},
            });
            if let Some(path) = &violation.path {
                let mut place = json!({"artifactLocation": {"uri": uri(path), "uriBaseId": "%SRCROOT%"}});
                if let Some(line) = violation.line {
                    place["region"] = json!({"startLine": line.max(1)});
                }
                result["locations"] = json!([{"physicalLocation": place}]);
            }
            result
        })
        .collect();
    let rules: Vec<_> = rules
        .iter()
        .map(|rule| json!({"id": rule, "shortDescription": {"text": rule.replace('-', " ")}}))
        .collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "vib guard", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
        }],
    });
    let mut out = serde_json::to_vec_pretty(&sarif).unwrap_or_default();
    out.push(b'\n');
    out
}

/// `vib protect`
pub(crate) fn protected(report: &ProtectReport, theme: &Theme) -> String {
    let mut out = String::new();
    for path in &report.added {
        out.push_str(&format!("protected: {path}\n"));
    }
    for path in &report.removed {
        out.push_str(&format!("no longer protected: {path}\n"));
    }
    if !report.added.is_empty() {
        out.push_str("Agents may not edit it with their tools, and `vib guard` names every change.\n");
        return out;
    }
    if !report.removed.is_empty() {
        return out;
    }
    if report.protected.is_empty() {
        return "No file is protected. `vib protect FILE` protects one.\n".to_owned();
    }
    for path in &report.protected {
        let missing = if report.missing.contains(path) {
            format!("  {}", paint(theme.warning, "(not there now)"))
        } else {
            String::new()
        };
        out.push_str(&format!("{path}{missing}\n"));
    }
    out
}

/// `vib anchor list` and `vib anchor check`
pub(crate) fn anchors(report: &AnchorsReport, checks: bool, theme: &Theme) -> String {
    use map::AnchorProblem::{NotClosed, NotOpened, Repeated};
    let mut out = notices(&report.notices, theme);
    if !checks {
        for placed in &report.anchors {
            let anchor = &placed.anchor;
            out.push_str(&format!(
                "{}  {}:{}-{}\n",
                paint(theme.id, harmless(&anchor.name)),
                harmless(&placed.path),
                anchor.first_line,
                anchor.last_line
            ));
        }
        if report.anchors.is_empty() {
            out.push_str("There are no anchors. `vib anchor add FILE NAME LINES` makes one.\n");
        }
    }
    for broken in &report.problems {
        let what = match &broken.problem {
            NotClosed { name, .. } => format!("`{name}` has a beginning and no end"),
            NotOpened { name, .. } => format!("`{name}` has an end and no beginning"),
            Repeated { name, .. } => format!("`{name}` is there twice"),
        };
        out.push_str(&format!(
            "{} {}:{}  {}\n",
            paint(theme.error, "broken:"),
            harmless(&broken.path),
            broken.problem.line(),
            harmless(&what)
        ));
    }
    if checks {
        let whole = count(report.anchors.len() as u64, "anchor");
        out.push_str(&match report.problems.len() {
            0 => format!("All is well: {whole}, all of them whole.\n"),
            some => format!("{} ({whole} whole).\n", count(some as u64, "problem")),
        });
    }
    out
}
