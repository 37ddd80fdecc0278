//! All findings together: the reasons of one verdict.

use project::RelPath;

use crate::{FileStory, GuardAnswer, Reason, Risk, Touched, Violation, Why};

/// From so many files on, files that are gone are many.
const MANY_LOST: usize = 3;
/// From so many files on, there is more than a person looks through in passing.
const MANY_CHANGED: usize = 30;

/// What was found out about what changed.
pub struct Findings<'f> {
    /// All paths that are different, also those that were not read.
    pub touched: &'f [Touched],
    /// What happened in those that were.
    pub stories: &'f [FileStory],
    /// What the rules have against them.
    pub violations: &'f [Violation],
    /// The paths that a person or a team protected.
    pub protected: &'f [RelPath],
    /// Whether the person asked for this file to be deleted.
    pub was_asked_for: &'f dyn Fn(&str) -> bool,
}

/// What makes it risky, in no order.
pub fn reasons(findings: &Findings<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let paths = |which: fn(&Touched) -> bool| {
        findings.touched.iter().filter(move |one| which(one)).map(|one| one.path.to_string())
    };
    let lost: Vec<String> = paths(|one| one.gone).filter(|path| !(findings.was_asked_for)(path)).collect();
    if !lost.is_empty() {
        let risk = if lost.len() >= MANY_LOST { Risk::High } else { Risk::Medium };
        reasons.push(Reason { risk, why: Why::lost(lost) });
    }
    let emptied: Vec<String> = paths(|one| one.emptied).collect();
    if !emptied.is_empty() {
        reasons.push(Reason { risk: Risk::High, why: Why::emptied(emptied) });
    }
    let count = findings.touched.len();
    if count > MANY_CHANGED {
        reasons.push(Reason { risk: Risk::Medium, why: Why::ManyFiles { count } });
    }
    // Whether a file is protected is known without reading it.
    for one in findings.touched {
        let paths = [Some(&one.path), one.old_path.as_ref()].into_iter().flatten();
        for path in paths.filter(|path| findings.protected.iter().any(|folder| path.is_in(folder))) {
            reasons.push(Reason { risk: Risk::High, why: Why::Protected { path: path.to_string() } });
        }
    }
    for story in findings.stories {
        for reason in &story.reasons {
            // The rules of the guard say these, and more exactly.
            if let Some(why) = Why::of_story(story, reason) {
                reasons.push(Reason { risk: reason.risk(), why });
            }
        }
    }
    for violation in findings.violations {
        let risk = match violation.level {
            GuardAnswer::Stop => Risk::High,
            GuardAnswer::Prepare => Risk::Medium,
            GuardAnswer::Pass => Risk::Low,
        };
        reasons.extend(Why::of_violation(violation).map(|why| Reason { risk, why }));
    }
    reasons
}
