//! What is different between two outlines, symbol by symbol.

use std::collections::HashMap;

use serde::Serialize;

use crate::{Outline, Symbol};

/// What happened to a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum SymbolChange {
    /// It is new.
    Added {
        /// The symbol.
        symbol: Symbol,
    },
    /// It is gone.
    Removed {
        /// The symbol.
        symbol: Symbol,
    },
    /// It has another name and does the same.
    Renamed {
        /// As it was.
        from: Symbol,
        /// As it is.
        to: Symbol,
    },
    /// It is in another place: another class, another module.
    Moved {
        /// As it was.
        from: Symbol,
        /// As it is.
        to: Symbol,
    },
    /// Its text is different.
    Changed {
        /// As it was.
        from: Symbol,
        /// As it is.
        to: Symbol,
    },
}

impl SymbolChange {
    /// The symbol as it is now, or as it was if it is gone.
    pub fn symbol(&self) -> &Symbol {
        match self {
            Self::Added { symbol } | Self::Removed { symbol } => symbol,
            Self::Renamed { to, .. } | Self::Moved { to, .. } | Self::Changed { to, .. } => to,
        }
    }

    /// The symbol as it was.
    pub fn before(&self) -> Option<&Symbol> {
        match self {
            Self::Added { .. } => None,
            Self::Removed { symbol } => Some(symbol),
            Self::Renamed { from, .. } | Self::Moved { from, .. } | Self::Changed { from, .. } => Some(from),
        }
    }
}

/// Compares two outlines of one file. Symbols that hold others are reported only when they come, go or get another name;
/// what changed inside them is said by what they hold.
pub fn compare(before: &Outline, after: &Outline) -> Vec<SymbolChange> {
    let mut old: Vec<Option<&Symbol>> = before.symbols.iter().map(Some).collect();
    let mut new: Vec<Option<&Symbol>> = after.symbols.iter().map(Some).collect();
    let mut changes = Vec::new();
    // The same name and kind; of several (overloads), the same text first.
    pair(&mut old, &mut new, |s| (s.name.clone(), s.kind, s.digest), |_, _| None, &mut changes);
    pair(
        &mut old,
        &mut new,
        |s| (s.name.clone(), s.kind),
        |from, to| {
            let holds_others = from.kind.is_container() && (holds(before, from) || holds(after, to));
            (!holds_others).then(|| SymbolChange::Changed { from: from.clone(), to: to.clone() })
        },
        &mut changes,
    );
    // The same text but for the name.
    pair(
        &mut old,
        &mut new,
        |s| (s.own_name().to_owned(), s.kind, s.shape),
        |from, to| Some(SymbolChange::Moved { from: from.clone(), to: to.clone() }),
        &mut changes,
    );
    pair(
        &mut old,
        &mut new,
        |s| (s.kind, s.shape),
        |from, to| Some(SymbolChange::Renamed { from: from.clone(), to: to.clone() }),
        &mut changes,
    );
    follow_renamed(&mut old, &mut new, &mut changes);
    changes.extend(old.into_iter().flatten().map(|symbol| SymbolChange::Removed { symbol: symbol.clone() }));
    changes.extend(new.into_iter().flatten().map(|symbol| SymbolChange::Added { symbol: symbol.clone() }));
    without_implied(&mut changes);
    changes.sort_by_key(|change| (change.symbol().first_line, change.symbol().name.clone()));
    changes
}

/// Takes symbols with the same key off both sides.
fn pair<K: std::hash::Hash + Eq>(
    old: &mut [Option<&Symbol>],
    new: &mut [Option<&Symbol>],
    key: impl Fn(&Symbol) -> K,
    say: impl Fn(&Symbol, &Symbol) -> Option<SymbolChange>,
    changes: &mut Vec<SymbolChange>,
) {
    let mut by_key: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, symbol) in new.iter().enumerate().rev() {
        if let Some(symbol) = symbol {
            by_key.entry(key(symbol)).or_default().push(at);
        }
    }
    for slot in old.iter_mut() {
        let Some(from) = *slot else { continue };
        let Some(at) = by_key.get_mut(&key(from)).and_then(Vec::pop) else { continue };
        if let Some(to) = new[at].take() {
            changes.extend(say(from, to));
            *slot = None;
        }
    }
}

fn holds(outline: &Outline, container: &Symbol) -> bool {
    let prefix = format!("{}.", container.name);
    outline.symbols.iter().any(|symbol| symbol.name.starts_with(&prefix))
}

/// A class with another name and, inside, mostly what the old one held is the same class. So its parts are the same, too.
fn follow_renamed(old: &mut [Option<&Symbol>], new: &mut [Option<&Symbol>], changes: &mut Vec<SymbolChange>) {
    let moves: Vec<(String, String)> = changes
        .iter()
        .filter_map(|change| match change {
            SymbolChange::Moved { from, to } => {
                let parent =
                    |symbol: &Symbol| symbol.name.rsplit_once('.').map(|(parent, _)| parent.to_owned());
                Some((parent(from)?, parent(to)?))
            }
            _ => None,
        })
        .filter(|(from, to)| from != to)
        .collect();
    for (from_name, to_name) in moves {
        let at = |side: &[Option<&Symbol>], name: &str| {
            side.iter().position(|symbol| {
                symbol.is_some_and(|symbol| symbol.name == name && symbol.kind.is_container())
            })
        };
        let (Some(from_at), Some(to_at)) = (at(old, &from_name), at(new, &to_name)) else { continue };
        let (Some(from), Some(to)) = (old[from_at].take(), new[to_at].take()) else { continue };
        changes.push(SymbolChange::Renamed { from: from.clone(), to: to.clone() });
        let inside = |symbol: &Symbol, name: &str| {
            symbol.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned)
        };
        for slot in old.iter_mut() {
            let Some(from) = *slot else { continue };
            let Some(rest) = inside(from, &from_name) else { continue };
            let same = |to: &Symbol| to.kind == from.kind && inside(to, &to_name).as_ref() == Some(&rest);
            let Some(at) = new.iter().position(|symbol| symbol.is_some_and(same)) else { continue };
            if let Some(to) = new[at].take() {
                changes.push(SymbolChange::Changed { from: from.clone(), to: to.clone() });
                *slot = None;
            }
        }
    }
}

/// What moved only because its class has another name is not worth a word; nor are the parts of something that came or went
/// as a whole, when it is said already.
fn without_implied(changes: &mut Vec<SymbolChange>) {
    let renamed: Vec<(String, String)> = changes
        .iter()
        .filter_map(|change| match change {
            SymbolChange::Renamed { from, to } => Some((format!("{}.", from.name), format!("{}.", to.name))),
            _ => None,
        })
        .collect();
    changes.retain(|change| match change {
        SymbolChange::Moved { from, to } => {
            !renamed.iter().any(|(old, new)| from.name.starts_with(old) && to.name.starts_with(new))
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, outline};

    fn changes(language: Language, before: &str, after: &str) -> Vec<String> {
        let (before, after) = (outline(language, before.as_bytes()), outline(language, after.as_bytes()));
        compare(&before, &after)
            .iter()
            .map(|change| match change {
                SymbolChange::Added { symbol } => format!("+{}", symbol.name),
                SymbolChange::Removed { symbol } => format!("-{}", symbol.name),
                SymbolChange::Renamed { from, to } => format!("{}=>{}", from.name, to.name),
                SymbolChange::Moved { from, to } => format!("{}->{}", from.name, to.name),
                SymbolChange::Changed { to, .. } => format!("~{}", to.name),
            })
            .collect()
    }

    #[test]
    fn what_happened_is_named_gd2() {
        let py = Language::Python;
        assert_eq!(changes(py, "def login():\n    return 1\n", ""), ["-login"]);
        assert_eq!(changes(py, "", "def login():\n    return 1\n"), ["+login"]);
        assert_eq!(
            changes(py, "def login():\n    return 1\n", "def sign_in():\n    return 1\n"),
            ["login=>sign_in"]
        );
        assert_eq!(changes(py, "def a():\n    return 1\n", "def a():\n    return 2\n"), ["~a"]);
        assert!(changes(py, "def a():\n    return 1\n", "\n\ndef a():\n    return 1\n").is_empty());
    }

    #[test]
    fn spacing_is_no_change_where_it_says_nothing() {
        let js = Language::JavaScript;
        assert!(changes(js, "function a() { return 1; }", "function a() {\n  return 1;\n}\n").is_empty());
        let py = Language::Python;
        let (before, after) = (
            "def a():\n    if x:\n        b()\n        c()\n",
            "def a():\n    if x:\n        b()\n    c()\n",
        );
        assert_eq!(changes(py, before, after), ["~a"]);
    }

    #[test]
    fn a_class_that_got_another_name_is_one_change() {
        let js = Language::JavaScript;
        let before = "class Cart { total() { return 1 } count() { return 2 } }";
        assert_eq!(changes(js, before, &before.replace("Cart", "Basket")), ["Cart=>Basket"]);
        let changed = "class Basket { total() { return 1 } count() { return 3 } }";
        assert_eq!(changes(js, before, changed), ["Cart=>Basket", "~Basket.count"]);
        assert_eq!(changes(js, before, "class Cart { total() { return 1 } }"), ["-Cart.count"]);
    }

    #[test]
    fn overloads_are_told_apart() {
        let java = Language::Java;
        let before = "class A { int f(int a) { return a; } int f(long b) { return 2; } }";
        let after = "class A { int f(int a) { return a; } int f(long b) { return 3; } }";
        assert_eq!(changes(java, before, after), ["~A.f"]);
    }
}
