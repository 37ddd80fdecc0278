//! What a pattern reaches that no checkpoint holds.
//!
//! The store names a folder that ignore rules leave out as a whole by its own name, and nothing in it. A pattern that goes on inside such a
//! folder (`uploads/*` where `uploads/` is ignored) is followed into it by the names that are there.

use std::path::Path;

use crate::context::Kind;
use crate::effects::{MOST_UNSAVED, is_made_again};
use crate::patterns::{fits, is_pattern};
use crate::value::Arg;
use crate::walk::Walk;

/// Most names that the store is asked for below one folder.
const MOST_NAMED: usize = 20_000;

/// Of what a tool makes again only so many are named.
const MOST_MADE_AGAIN: usize = 20;

/// How a pattern meets a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meets {
    Not,
    /// What it matches may lie in there.
    Inside,
    /// It matches the path, or a folder around it.
    Matches,
}

/// How a pattern meets a path, part by part. `**` stands for any folders in between: it may, and nobody knows how the shell is set.
fn meets(pattern: &[&str], path: &[&str], dots: bool) -> Meets {
    match (pattern.split_first(), path.split_first()) {
        (None, _) => Meets::Matches,
        (Some(_), None) => Meets::Inside,
        (Some((&"**", rest)), Some((_, deeper))) => meets(rest, path, dots).max(meets(pattern, deeper, dots)),
        (Some((part, rest)), Some((name, deeper))) if part == name || fits(part, name, dots) => {
            meets(rest, deeper, dots)
        }
        _ => Meets::Not,
    }
}

fn parts_of(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

impl Walk<'_> {
    /// A pattern is written to or deleted: those of its matches that no checkpoint holds.
    pub(crate) fn overwrites_matches(&mut self, pattern: &Arg) {
        if let Some((plain, _)) = crate::there::without_qualifiers(&pattern.text).filter(|_| !self.remote) {
            self.overwrites_matches(&pattern.with_text(plain));
        }
        let Some(path) = crate::place::absolute(&pattern.text, self.cwd.as_deref()) else { return };
        let path = crate::place::normalise(&path);
        let mut parts = parts_of(&path);
        parts.dedup_by(|next, part| *part == "**" && next == part);
        let Some(first) = parts.iter().position(|part| is_pattern(part)) else { return };
        let folder = format!("/{}", parts[..first].join("/"));
        let Some(unsaved) = self.unsaved_in(&folder) else {
            return self.overwrites_matches_one_by_one(&folder, &parts[first..]);
        };
        for lost in unsaved {
            let lost_parts = parts_of(&lost);
            match meets(&parts, &lost_parts, self.dotglob) {
                Meets::Not => {}
                Meets::Matches => self.deletes_unsaved(&lost),
                // Whatever of it goes, a tool makes it again.
                Meets::Inside if self.is_made_again(&lost) => self.deletes_unsaved(&lost),
                Meets::Inside if self.ctx.files.kind(Path::new(&lost)) != Some(Kind::Folder) => {}
                Meets::Inside => {
                    // After `**` any part may be next; else the one that follows those of the folder.
                    let next = parts.iter().position(|part| *part == "**").unwrap_or(usize::MAX);
                    match self.matches_in(&lost, &parts[next.min(lost_parts.len())..]) {
                        Some(matches) => matches.iter().for_each(|path| self.deletes_unsaved(path)),
                        None => self.deletes_unsaved(&lost),
                    }
                }
            }
        }
    }

    /// The store cannot tell what is left out there: every match is asked about by its name.
    fn overwrites_matches_one_by_one(&mut self, folder: &str, pattern: &[&str]) {
        if self.remote || self.ctx.files.kind(Path::new(folder)) != Some(Kind::Folder) {
            return;
        }
        match self.matches_in(folder, pattern) {
            Some(matches) => {
                for path in matches {
                    if self.is_unsaved(&path) {
                        self.deletes_unsaved(&path);
                    }
                }
            }
            None if self.ctx.files.is_saved(&Path::new(folder).join("x")).is_some() => self.found.unknown(
                crate::findings::Weight::Ask,
                "deletes_unknown",
                "reaches more files than can be looked through",
                folder,
            ),
            None => {}
        }
    }

    /// What lies at or below a folder and is in no checkpoint; of what a tool makes again only a few. `None` when that cannot be told.
    pub(crate) fn unsaved_in(&self, folder: &str) -> Option<Vec<String>> {
        let unsaved = self.ctx.files.unsaved_below(Path::new(folder), MOST_NAMED)?;
        if unsaved.len() >= MOST_NAMED {
            return None;
        }
        let mut made_again = 0;
        let named = unsaved.into_iter().map(|path| path.to_string_lossy().into_owned());
        let kept = named.filter(|path| {
            let again = self.is_made_again(path);
            made_again += usize::from(again);
            !again || made_again <= MOST_MADE_AGAIN
        });
        Some(kept.collect())
    }

    fn is_made_again(&self, full: &str) -> bool {
        let root = self.ctx.project_root.to_string_lossy();
        is_made_again(full.strip_prefix(&*root).unwrap_or(full))
            && !self.ctx.files.is_tracked(Path::new(full))
    }

    /// What these parts of a pattern match in a folder; `None` when that is too much to be named, or nobody knows.
    fn matches_in(&mut self, folder: &str, pattern: &[&str]) -> Option<Vec<String>> {
        let (mut open, mut found) = (vec![(folder.to_owned(), pattern)], Vec::new());
        while let Some((here, pattern)) = open.pop() {
            let Some((part, rest)) = pattern.split_first() else {
                found.push(here);
                if found.len() > MOST_UNSAVED {
                    return None;
                }
                continue;
            };
            if !is_pattern(part) {
                let next = format!("{here}/{part}");
                if self.ctx.files.kind(Path::new(&next)).is_some() {
                    open.push((next, rest));
                }
                continue;
            }
            let deep = *part == "**";
            if deep {
                open.push((here.clone(), rest));
            }
            for (name, kind) in self.listing(&here)?.iter() {
                if deep {
                    if *kind == Kind::Folder {
                        open.push((format!("{here}/{name}"), pattern));
                    }
                    continue;
                }
                if fits(part, name, self.dotglob) && (rest.is_empty() || *kind != Kind::File) {
                    open.push((format!("{here}/{name}"), rest));
                }
            }
        }
        Some(found)
    }
}
