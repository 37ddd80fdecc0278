//! From a session to the project, from the project to everything a person does: only through gates. (MM9)

use serde::Serialize;

use super::patterns::{Pattern, Sort};
use crate::log::Scope;

/// What a memory must show before it may move up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gates {
    /// Seen in so many episodes.
    pub episodes: usize,
    /// Of so many tasks.
    pub tasks: usize,
    /// And so strong.
    pub strength: f64,
    /// In so many projects.
    pub projects: usize,
}

impl Gates {
    /// The gates before a scope; nothing moves into a session.
    pub fn before(scope: Scope) -> Option<Self> {
        match scope {
            Scope::Session => None,
            Scope::Project => Some(Self { episodes: 3, tasks: 2, strength: 0.5, projects: 1 }),
            Scope::Global => Some(Self { episodes: 8, tasks: 5, strength: 0.7, projects: 2 }),
        }
    }
}

/// Why something may not move up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// Nothing moves into a session.
    NoSuchWay,
    /// A decision is a person's: it is never moved or made.
    Decision,
    /// Not seen often enough.
    TooFew,
    /// Seen in too few tasks.
    TooFewTasks,
    /// Too weak, or too much speaks against it.
    TooWeak,
    /// Something speaks against it.
    Conflict,
    /// Not seen for too long.
    Stale,
    /// The gate for secrets and private details objects.
    NotClean,
    /// It speaks of files of one project.
    Local,
    /// It was seen in one project only.
    OneProject,
}

/// One gate, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gate {
    /// The objection it can raise.
    pub gate: Refused,
    /// It raised none.
    pub passed: bool,
    /// What it wants to see, and what it saw.
    pub why: String,
}

/// Asks every gate. `projects` is in how many it was seen; `is_clean` asks the redaction gate.
pub fn ask(
    pattern: &Pattern,
    kind: &str,
    to: Scope,
    projects: usize,
    is_clean: impl FnOnce(&str) -> bool,
) -> Vec<Gate> {
    let gate = |gate: Refused, passed: bool, why: String| Gate { gate, passed, why };
    let Some(gates) = Gates::before(to) else {
        return vec![gate(Refused::NoSuchWay, false, "nothing moves into a session".to_owned())];
    };
    let Pattern { seen, against, tasks, strength, .. } = *pattern;
    let mut asked = vec![
        gate(
            Refused::Decision,
            !matches!(kind, "decision" | "intent" | "next_action"),
            "goals, decisions and next steps are a person's to say, and are never moved".to_owned(),
        ),
        gate(
            Refused::TooFew,
            seen >= gates.episodes,
            format!("seen at least {} times; it was seen {seen}", gates.episodes),
        ),
        gate(
            Refused::TooFewTasks,
            tasks >= gates.tasks,
            format!("in at least {} sessions; it was seen in {tasks}", gates.tasks),
        ),
        gate(
            Refused::Conflict,
            against * 3 <= seen,
            format!("at most one time in three otherwise; it was otherwise {against} times"),
        ),
        gate(Refused::Stale, !pattern.to_revalidate, "seen in the last two months".to_owned()),
        gate(
            Refused::TooWeak,
            strength >= gates.strength,
            format!(
                "a strength of at least {:.1}; it has {strength:.2} (it fades with time)",
                gates.strength
            ),
        ),
    ];
    if to == Scope::Global {
        let why = "speaks of no files of this project, which mean nothing elsewhere".to_owned();
        asked.push(gate(Refused::Local, pattern.fix.is_empty(), why));
        let why = format!("seen in at least {} projects; it was seen in {projects}", gates.projects);
        asked.push(gate(Refused::OneProject, projects >= gates.projects, why));
    }
    let why = "holds no secrets and no private details".to_owned();
    asked.push(gate(Refused::NotClean, is_clean(&pattern.what), why));
    asked
}

/// Whether a pattern may move up; if not, the first objection.
pub fn may_move(
    pattern: &Pattern,
    kind: &str,
    to: Scope,
    projects: usize,
    is_clean: impl FnOnce(&str) -> bool,
) -> Result<(), Refused> {
    ask(pattern, kind, to, projects, is_clean)
        .iter()
        .find(|gate| !gate.passed)
        .map_or(Ok(()), |gate| Err(gate.gate))
}

/// What a pattern says in this scope, in words.
pub fn words(pattern: &Pattern, scope: Scope) -> String {
    let place = if scope == Scope::Global { "in another project" } else { "here" };
    let fix = match pattern.fix.as_slice() {
        [] => String::new(),
        files => format!("; what mended it was in {}", files.join(", ")),
    };
    let again = if pattern.seen > 1 { " again and again" } else { "" };
    let times = if pattern.seen == 1 { "once".to_owned() } else { format!("{} times", pattern.seen) };
    match pattern.sort {
        Sort::Works => format!("`{}` works {place} ({times}){fix}", pattern.what),
        Sort::Fails => format!("`{}` fails {place}{again} ({times}){fix}", pattern.what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_seen_often_in_several_tasks_and_is_clean_moves_up_and_never_a_decision() {
        let good = Pattern {
            sort: Sort::Works,
            tool: "shell".to_owned(),
            what: "cargo nextest run".to_owned(),
            fix: Vec::new(),
            seen: 9,
            against: 0,
            tasks: 5,
            strength: 0.8,
            last_ms: 0,
            to_revalidate: false,
        };
        let ask = |pattern: &Pattern, kind: &str, to: Scope| {
            may_move(pattern, kind, to, 2, |text| !text.contains("ghp_"))
        };
        // What one project shows may be so there only.
        assert_eq!(may_move(&good, "pattern", Scope::Global, 1, |_| true), Err(Refused::OneProject));
        assert_eq!(may_move(&good, "pattern", Scope::Project, 1, |_| true), Ok(()));
        assert_eq!(ask(&good, "pattern", Scope::Project), Ok(()));
        assert_eq!(ask(&good, "pattern", Scope::Global), Ok(()));
        for (changed, to, why) in [
            (Pattern { seen: 2, ..good.clone() }, Scope::Project, Refused::TooFew),
            (Pattern { tasks: 1, ..good.clone() }, Scope::Project, Refused::TooFewTasks),
            (Pattern { against: 4, ..good.clone() }, Scope::Project, Refused::Conflict),
            (Pattern { strength: 0.6, ..good.clone() }, Scope::Global, Refused::TooWeak),
            (Pattern { to_revalidate: true, ..good.clone() }, Scope::Project, Refused::Stale),
            (Pattern { what: "curl ghp_x".to_owned(), ..good.clone() }, Scope::Project, Refused::NotClean),
            (Pattern { fix: vec!["src/a.rs".to_owned()], ..good.clone() }, Scope::Global, Refused::Local),
            (good.clone(), Scope::Session, Refused::NoSuchWay),
        ] {
            assert_eq!(ask(&changed, "pattern", to), Err(why));
        }
        assert_eq!(ask(&good, "decision", Scope::Project), Err(Refused::Decision));
    }
}
