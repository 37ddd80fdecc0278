//! What a call says, before it runs, about what it will do: the ledger proves by it whose a change is ([`store::Told`]).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use project::RelPath;
use store::{Announced, Swap, Told, Trade, line_diff};

use super::cell;
use super::ledger::{Call, Reach};
use super::predict::{Change, moved_from, read, takes_away};
use super::said::said;
use crate::Engine;

/// Lines around a change that say where it is.
const CONTEXT: usize = 2;
/// Longer texts are told by their result alone.
const MOST_LINES: usize = 4_000;

/// What a call announces besides its files.
#[derive(Debug, Clone, Default)]
pub struct Announcement {
    /// Edits, with the files' full names.
    pub edits: Vec<(PathBuf, Announced)>,
    /// What a command names as written or removed.
    pub named: Vec<PathBuf>,
    /// What the command is there for.
    pub trade: Trade,
    /// The command, and the folder that it runs in: what it says is read if it may write anywhere, so that one that only looks costs nothing.
    pub command: Option<(PathBuf, String)>,
}

/// An edit as the ledger compares it. `now` and `then`: the file as it is and as it would be, where that was computed.
pub fn announce(
    engine: &Engine,
    path: &RelPath,
    change: &Change,
    now: Option<&[u8]>,
    then: Option<&[u8]>,
) -> Option<(PathBuf, Announced)> {
    let (root, cwd) = (engine.project().root(), engine.context().cwd());
    let is_this = |typed: &Path| RelPath::from_user(root, cwd, typed).ok().flatten().as_ref() == Some(path);
    let mut edit = Announced::of(path, then)?;
    match change {
        Change::Whole(text) => edit.whole = Some(text.clone()),
        Change::Replace(all) => match &all[..] {
            [one] if one.old.is_empty() && now.is_none_or(<[u8]>::is_empty) => {
                edit = Announced::of(path, Some(one.new.as_bytes()))?;
                edit.whole = Some(one.new.clone());
            }
            all => {
                let swap = |one: &super::Replacement| Swap {
                    old: one.old.clone(),
                    new: one.new.clone(),
                    all: one.all,
                };
                edit.swaps = all.iter().map(swap).collect();
            }
        },
        Change::Patch(_) if takes_away(change, &is_this) => {
            (edit.goes, edit.becomes) = (true, None);
        }
        Change::Patch(text) => match (now, then) {
            // Its place is not certain enough to vib; its client takes the first one. (M2)
            (None, None) if moved_from(change, &is_this).is_some() => {
                match moved_from(change, &is_this).and_then(|name| moved(engine, text, name)) {
                    Some(then) => {
                        edit = Announced::of(path, Some(&then))?;
                        edit.whole = String::from_utf8(then).ok();
                    }
                    None => edit.unclear = true,
                }
            }
            // Where it goes cannot be computed; its own lines still tell what it brings. (B3)
            (_, None) => (edit.unclear, edit.swaps) = (true, texts_of(text, &is_this)),
            (None, Some(then)) => edit.whole = std::str::from_utf8(then).ok().map(str::to_owned),
            (Some(now), Some(then)) => {
                edit.swaps = swaps_between(now, then).unwrap_or_default();
                // A place that its own lines do not name for certain.
                if edit.applied_to(now).as_deref() != Some(then) {
                    edit.swaps.clear();
                }
                edit.unclear = text.contains("*** Move to: ");
            }
        },
        // How its client writes the file again cannot be computed; which lines the cell has can. (M3)
        Change::Cell { id, source, edit: becomes } => {
            let swap = now.and_then(|now| cell::swap(now, id, source, becomes));
            (edit.unclear, edit.swaps) = (true, swap.into_iter().collect());
        }
        Change::Unknown => edit.unclear = true,
    }
    Some((path.to_path(root), edit))
}

/// A file that a patch gives another name, with the texts of the patch in it.
fn moved(engine: &Engine, patch: &str, name: &str) -> Option<Vec<u8>> {
    let (root, cwd) = (engine.project().root(), engine.context().cwd());
    let source = RelPath::from_user(root, cwd, Path::new(name)).ok().flatten()?;
    let swaps = texts_of(patch, &|typed| typed == Path::new(name));
    let content = read(engine, &source)?;
    if swaps.is_empty() {
        return Some(content);
    }
    Announced { swaps, ..Announced::default() }.applied_to(&content)
}

/// The texts of a patch for one file, place by place: what it takes away and what it brings, with the lines around.
fn texts_of(patch: &str, is_this: &dyn Fn(&Path) -> bool) -> Vec<Swap> {
    let mut out: Vec<Swap> = Vec::new();
    let mut is_about = false;
    let mut is_open = false;
    for line in patch.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix("*** ") {
            let name = head.split_once(" File: ").map(|(_, name)| name.trim());
            if let Some(name) = name {
                is_about = is_this(Path::new(name));
            }
            is_open = false;
            continue;
        }
        if line.starts_with("@@") || !is_about {
            is_open = false;
            continue;
        }
        if !is_open {
            out.push(Swap { old: String::new(), new: String::new(), all: false });
            is_open = true;
        }
        let Some(swap) = out.last_mut() else { continue };
        match (line.get(..1), line.get(1..)) {
            (Some("-"), Some(rest)) => swap.old.push_str(rest),
            (Some("+"), Some(rest)) => swap.new.push_str(rest),
            (Some(" "), Some(rest)) => {
                swap.old.push_str(rest);
                swap.new.push_str(rest);
            }
            _ => {}
        }
    }
    out.retain(|swap| swap.old != swap.new);
    out
}

/// The differences of two texts as texts that take the place of others, each with lines around it.
fn swaps_between(now: &[u8], then: &[u8]) -> Option<Vec<Swap>> {
    let (now, then) = (std::str::from_utf8(now).ok()?, std::str::from_utf8(then).ok()?);
    let [before, after] = [now, then].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let hunks = line_diff::between(&before, &after, MOST_LINES)?;
    let swap = |hunk: &line_diff::Hunk| {
        let above = CONTEXT.min(hunk.base.start).min(hunk.side.start);
        let below = CONTEXT.min(before.len() - hunk.base.end).min(after.len() - hunk.side.end);
        Swap {
            old: before[hunk.base.start - above..hunk.base.end + below].concat(),
            new: after[hunk.side.start - above..hunk.side.end + below].concat(),
            all: false,
        }
    };
    Some(hunks.iter().map(swap).collect())
}

/// What the ledger of this project is told.
pub(super) fn told(engine: &Engine, call: &Call, reach: &Reach) -> Told {
    let root = engine.project().root();
    let inside = |path: &Path| -> Option<RelPath> { RelPath::from_user(root, root, path).ok().flatten() };
    let named: BTreeSet<&RelPath> = match reach {
        Reach::Named(paths) => paths.iter().collect(),
        Reach::Nowhere | Reach::Anywhere => BTreeSet::new(),
    };
    let edits = call.announced.edits.iter().filter_map(|(path, edit)| {
        let path = inside(path)?;
        let is_meant = named.contains(&path);
        let path = std::str::from_utf8(path.as_bytes()).ok().filter(|_| is_meant)?.to_owned();
        Some(Announced { path, ..edit.clone() })
    });
    let mut told = Told { edits: edits.collect(), ..Told::default() };
    if *reach == Reach::Anywhere {
        let named = call.announced.named.iter().filter_map(|path| inside(path));
        told.named = named.filter_map(|path| String::from_utf8(path.as_bytes().to_vec()).ok()).collect();
        told.trade = call.announced.trade;
    }
    // Also of one that names its files: a person may save the same file in the same moment.
    if told.edits.is_empty() {
        let command = call.announced.command.as_ref();
        told.said = command.map(|(folder, command)| said(folder, command));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_take_the_place_of_others_lead_to_the_same_result() {
        let now = (0..30).map(|line| format!("line {line}\n")).collect::<String>();
        let then =
            now.replace("line 3\n", "").replace("line 11\n", "LINE 11\nmore\n").replace("line 29", "end");
        let edit = Announced {
            swaps: swaps_between(now.as_bytes(), then.as_bytes()).unwrap(),
            ..Announced::default()
        };
        assert_eq!(edit.swaps.len(), 3);
        assert_eq!(edit.applied_to(now.as_bytes()), Some(then.into_bytes()));
    }

    #[test]
    fn the_texts_of_a_patch_are_told_by_its_own_lines_b3() {
        let patch = "*** Begin Patch\n*** Update File: b.js\n@@\n-x\n+y\n*** Update File: a.js\n@@\n # ---\n-}\n+new\n@@\n+more\n*** End Patch";
        let swaps = texts_of(patch, &|path| path == Path::new("a.js"));
        let texts: Vec<(&str, &str)> =
            swaps.iter().map(|swap| (swap.old.as_str(), swap.new.as_str())).collect();
        assert_eq!(texts, [("# ---\n}\n", "# ---\nnew\n"), ("", "more\n")]);
    }
}
