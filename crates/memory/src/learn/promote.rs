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
}

impl Gates {
    /// The gates before a scope; nothing moves into a session.
    pub fn before(scope: Scope) -> Option<Self> {
        match scope {
            Scope::Session => None,
            Scope::Project => Some(Self { episodes: 3, tasks: 2, strength: 0.5 }),
            Scope::Global => Some(Self { episodes: 8, tasks: 5, strength: 0.7 }),
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
}

/// Whether a pattern may move up. `is_clean` asks the redaction gate.
pub fn may_move(
    pattern: &Pattern,
    kind: &str,
    to: Scope,
    is_clean: impl FnOnce(&str) -> bool,
) -> Result<(), Refused> {
    let gates = Gates::before(to).ok_or(Refused::NoSuchWay)?;
    if kind == "decision" || kind == "intent" || kind == "next_action" {
        return Err(Refused::Decision);
    }
    if pattern.seen < gates.episodes {
        return Err(Refused::TooFew);
    }
    if pattern.tasks < gates.tasks {
        return Err(Refused::TooFewTasks);
    }
    if pattern.against * 3 > pattern.seen {
        return Err(Refused::Conflict);
    }
    if pattern.to_revalidate {
        return Err(Refused::Stale);
    }
    if pattern.strength < gates.strength {
        return Err(Refused::TooWeak);
    }
    if to == Scope::Global && !pattern.fix.is_empty() {
        return Err(Refused::Local);
    }
    if !is_clean(&pattern.what) {
        return Err(Refused::NotClean);
    }
    Ok(())
}

/// What a pattern says, in words.
pub fn words(pattern: &Pattern) -> String {
    let fix = match pattern.fix.as_slice() {
        [] => String::new(),
        files => format!("; what mended it was in {}", files.join(", ")),
    };
    match pattern.sort {
        Sort::Works => format!("`{}` works here ({} times){fix}", pattern.what, pattern.seen),
        Sort::Fails => format!("`{}` fails here again and again ({} times){fix}", pattern.what, pattern.seen),
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
            may_move(pattern, kind, to, |text| !text.contains("ghp_"))
        };
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
