//! A judgement.

use engine::judge::{Decision, JudgeReport, Opinion, Target};

use crate::theme::{Theme, paint};

/// Most paths that are listed.
const MAX_PATHS: usize = 8;

/// `vib judge`
pub(crate) fn judged(report: &JudgeReport, theme: &Theme) -> String {
    let verdict = &report.verdict;
    let (style, word, meaning) = match report.decision {
        Decision::Allow => (theme.added, "allow", "nothing in it changes anything that matters"),
        Decision::AllowWithCheckpoint if !verdict.unknown.is_empty() => (
            theme.added,
            "allow with a checkpoint",
            "not all of it is known here; what it changes in saved files comes back",
        ),
        Decision::AllowWithCheckpoint if verdict.destructive && !verdict.reversible_by_checkpoint => {
            (theme.added, "allow with a checkpoint", "what it loses is easily made again")
        }
        Decision::AllowWithCheckpoint => {
            (theme.added, "allow with a checkpoint", "what it changes can be brought back")
        }
        Decision::Ask => (theme.warning, "ask", "a person should look at it first"),
        Decision::Deny => (theme.error, "deny", "it must not run"),
    };
    let mut out = format!("{}: {meaning}\n", paint(style, word));
    for reason in &verdict.reasons {
        let about =
            if reason.about.is_empty() { String::new() } else { format!(": {}", one_line(&reason.about)) };
        let mark = if reason.decision == report.decision { "-" } else { " " };
        out.push_str(&format!("  {mark} {}{}\n", reason.text, paint(theme.dim, about)));
    }
    facts(report, &mut out);
    if let Some(opinion) = &report.second_opinion {
        let said = match opinion.said {
            Opinion::Allow => "says allow",
            Opinion::Ask => "says ask",
            Opinion::Deny => "says deny",
            Opinion::None => "gave no answer",
        };
        out.push_str(&format!("Second opinion: `{}` {said}: {}\n", opinion.program, opinion.reason));
    }
    let told = |warning: &String| verdict.reasons.iter().any(|reason| reason.text == *warning);
    for warning in report.warnings.iter().filter(|warning| !told(warning)) {
        out.push_str(&format!("{} {warning}\n", paint(theme.warning, "warning:")));
    }
    out
}

fn facts(report: &JudgeReport, out: &mut String) {
    let verdict = &report.verdict;
    paths("Writes", &verdict.writes, out);
    paths("Deletes", &verdict.deletes, out);
    if verdict.can_write && verdict.writes.is_empty() && verdict.deletes.is_empty() {
        out.push_str("Writes: files that are not named in the command\n");
    }
    if verdict.destructive {
        out.push_str(if verdict.reversible_by_checkpoint && report.root.is_some() {
            "Loses something that a checkpoint brings back.\n"
        } else {
            "Loses something that no checkpoint brings back.\n"
        });
    }
    let yes = [
        (verdict.leaves_project, "Reaches outside the project."),
        (verdict.network, "Talks to another machine."),
        (verdict.privilege, "Runs with more rights than you have."),
        (verdict.history_rewrite, "Rewrites recorded history."),
    ];
    for (is, text) in yes {
        if is {
            out.push_str(&format!("{text}\n"));
        }
    }
    if !verdict.unknown.is_empty() {
        let parts: Vec<String> = verdict.unknown.iter().take(MAX_PATHS).map(|part| one_line(part)).collect();
        out.push_str(&format!("Not understood: {}\n", parts.join("; ")));
    }
}

fn paths(what: &str, targets: &[Target], out: &mut String) {
    if targets.is_empty() {
        return;
    }
    let mut names: Vec<String> = targets
        .iter()
        .take(MAX_PATHS)
        .map(|target| if target.recursive { format!("{}/**", target.path) } else { target.path.clone() })
        .map(|name| one_line(&name))
        .collect();
    if targets.len() > MAX_PATHS {
        names.push(format!("and {} more", targets.len() - MAX_PATHS));
    }
    out.push_str(&format!("{what}: {}\n", names.join(", ")));
}

/// Text from the command line must not break the lines, or the terminal, that it is shown on.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
