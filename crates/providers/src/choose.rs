//! Who else can answer, and what is lost with them. Pure.

use std::collections::BTreeSet;

use crate::model::{ModelQuestion, Provider};
use crate::{dialect, estimate};

/// Who is asked next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This one.
    To {
        at: usize,
        /// What is told about it and hinders nobody.
        told: Vec<String>,
        /// What needs a person's consent.
        lost: Vec<String>,
    },
    /// There is nobody else.
    Nobody,
}

/// The first provider of the list with which nothing is lost, else the first that could answer at all.
pub(crate) fn choose(
    providers: &[Provider],
    from: usize,
    tried: &BTreeSet<usize>,
    question: &ModelQuestion,
    why: &str,
    has_key: &dyn Fn(&Provider) -> bool,
) -> Choice {
    let Some(old) = providers.get(from) else { return Choice::Nobody };
    let needs_tools = question.needs_tools();
    let estimated = estimate::question(question);
    let could = |at: &usize, new: &Provider| {
        !tried.contains(at)
            && (new.tools || !needs_tools)
            // What was too long for one is not asked of one that holds no more.
            && (why != "too_long" || new.context > old.context)
            && has_key(new)
    };
    let mut weaker = None;
    for (at, new) in providers.iter().enumerate().filter(|(at, new)| could(at, new)) {
        let (told, lost) = compare(old, new, estimated, dialect::limit(new, question));
        if lost.is_empty() {
            return Choice::To { at, told, lost };
        }
        weaker.get_or_insert(Choice::To { at, told, lost });
    }
    weaker.unwrap_or(Choice::Nobody)
}

/// What is told, and what is lost, when one goes on for another.
fn compare(old: &Provider, new: &Provider, estimated: u64, limit: u32) -> (Vec<String>, Vec<String>) {
    let (mut told, mut lost) = (Vec::new(), Vec::new());
    if new.class < old.class {
        lost.push(class_lost(old.class, Some(new.class)));
    }
    if new.context < old.context {
        let fits = new.context == 0 || estimated + u64::from(limit) <= u64::from(new.context);
        let list = if fits { &mut told } else { &mut lost };
        list.push(format!("context {} → {}", old.context, new.context));
    }
    if old.tools && !new.tools {
        told.push("tools".to_owned());
    }
    if old.price.is_some() && new.price.is_none() {
        told.push("price unknown".to_owned());
    }
    (told, lost)
}

/// How a weaker class is told.
pub(crate) fn class_lost(old: u8, new: Option<u8>) -> String {
    match new {
        Some(new) if new > 0 => format!("class {old} → {new}"),
        _ => format!("class {old} → unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dialect, Key, Message, ModelTool, Role};

    fn provider(name: &str, class: u8, tools: bool, context: u32) -> Provider {
        Provider {
            name: name.to_owned(),
            dialect: Dialect::Anthropic,
            url: "https://example.com".to_owned(),
            model: "m".to_owned(),
            key: Key::None,
            tools,
            context,
            max_output: 1000,
            class,
            price: None,
        }
    }

    fn question(tools: bool) -> ModelQuestion {
        let tool =
            ModelTool { name: "READ".to_owned(), description: String::new(), schema: serde_json::json!({}) };
        ModelQuestion {
            messages: vec![Message::text(Role::User, "x".repeat(7000))],
            tools: if tools { vec![tool] } else { Vec::new() },
            max_output: 1000,
            ..ModelQuestion::default()
        }
    }

    #[test]
    fn somebody_as_strong_goes_first_and_nobody_without_what_is_needed() {
        let all = [
            provider("first", 3, true, 200_000),
            provider("weak", 1, true, 200_000),
            provider("toolless", 3, false, 200_000),
            provider("small", 3, true, 2_000),
            provider("equal", 3, true, 100_000),
        ];
        let of = |list: &[usize], why: &str, tools: bool| {
            let some: Vec<Provider> = list.iter().map(|&at| all[at].clone()).collect();
            choose(&some, 0, &BTreeSet::from([0]), &question(tools), why, &|_| true)
        };
        let to = |at: usize, told: &[&str], lost: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(|&one| one.to_owned()).collect();
            Choice::To { at, told: owned(told), lost: owned(lost) }
        };
        assert_eq!(of(&[0, 1, 2, 3, 4], "bad_key", true), to(4, &["context 200000 → 100000"], &[]));
        assert_eq!(of(&[0, 1], "bad_key", true), to(1, &[], &["class 3 → 1"]));
        assert_eq!(of(&[0, 2], "bad_key", true), Choice::Nobody);
        assert_eq!(of(&[0, 2], "bad_key", false), to(1, &["tools"], &[]));
        assert_eq!(of(&[0, 3], "bad_key", true), to(1, &[], &["context 200000 → 2000"]));
        assert_eq!(of(&[0, 4], "too_long", true), Choice::Nobody);
        assert_eq!(of(&[4, 0], "too_long", true), to(1, &[], &[]));
        assert_eq!(of(&[0], "bad_key", true), Choice::Nobody);
        assert_eq!(
            choose(&all, 0, &BTreeSet::from([0]), &question(true), "quota", &|_| false),
            Choice::Nobody
        );
    }
}
