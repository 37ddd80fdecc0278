//! Landing: what was done in a lane comes to the project, file by file, by a three-way merge.
//!
//! *Base* is what the lane began with, *main* what the project has now, *lane* what the lane has now. Only what the lane changed is looked
//! at. What only the lane changed is taken as it is; what both changed in the same way is no change any more; what both changed in their own
//! ways is merged by lines ([`crate::merge`]), and where that cannot be done without guessing it is a [`Conflict`]: of that file nothing lands
//! unless a person takes one of the two sides. Pure: contents come through [`Read`].

use std::collections::BTreeMap;

use project::RelPath;
use serde::Serialize;
use store::{ContentHash, Difference, Entry, EntryKind};

use crate::merge;
use crate::reverse::NotByLines;

/// Longer files land as a whole or not at all.
const LONGEST: u64 = 8 << 20;

/// One path in the three states.
#[derive(Debug, Clone)]
pub struct Three {
    /// The path.
    pub path: RelPath,
    /// What the lane began with.
    pub base: Option<Entry>,
    /// What the project has now.
    pub main: Option<Entry>,
    /// What the lane has now.
    pub lane: Option<Entry>,
    /// Where the project has it now, if somebody gave it another name since.
    pub moved_to: Option<RelPath>,
}

/// Whose content is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What the lane began with.
    Base,
    /// The project's.
    Main,
    /// The lane's.
    Lane,
}

/// Gives the content of an entry; nothing where it cannot be read.
pub type Read<'r> = &'r dyn Fn(Side, &RelPath, &Entry) -> Option<Vec<u8>>;

/// Which side a person takes where both changed the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// The lane's file, as a whole.
    Lane,
    /// The project's file: it stays as it is, and counts as decided.
    Main,
}

/// What a person chose, by path.
pub type Taken = BTreeMap<RelPath, Take>;

/// Why a file does not simply land.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Why {
    /// Both changed the same lines.
    Lines {
        /// The first line in the project's file, from 1.
        line: usize,
        /// What both began with.
        base: String,
        /// What the project has there.
        main: String,
        /// What the lane has there.
        lane: String,
    },
    /// Both made this file, and not the same.
    BothMade,
    /// The lane removed it, and it was changed in the project since.
    RemovedInLane,
    /// It is gone in the project, and the lane changed it.
    RemovedInMain,
    /// Both changed it, and it cannot be compared by lines.
    WholeFile {
        /// Why it cannot.
        because: NotByLines,
    },
    /// Both gave it other permissions.
    Permissions,
}

/// A place, or a file, that both changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The file.
    pub path: RelPath,
    /// Why.
    #[serde(flatten)]
    pub why: Why,
    /// What was chosen; none: nothing of this file lands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Take>,
}

/// What would land.
#[derive(Debug, Default)]
pub struct Landing {
    /// For each path what the project has now and what it would have.
    pub changes: Vec<Difference>,
    /// Content that was put together from both sides.
    pub contents: Vec<Vec<u8>>,
    /// Files that both changed and that were put together without a question.
    pub merged: Vec<RelPath>,
    /// What both changed.
    pub conflicts: Vec<Conflict>,
}

impl Landing {
    /// The files of which nothing lands, because nobody chose.
    pub fn left(&self) -> Vec<RelPath> {
        let mut left: Vec<RelPath> = self
            .conflicts
            .iter()
            .filter(|conflict| conflict.taken.is_none())
            .map(|conflict| conflict.path.clone())
            .collect();
        left.dedup();
        left
    }
}

/// Computes it. `threes` are the paths that the lane changed, in order.
pub fn land(threes: &[Three], read: Read<'_>, taken: &Taken) -> Landing {
    let mut out = Landing::default();
    for three in threes {
        one(three, read, taken.get(&three.path).copied(), &mut out);
    }
    out.changes.sort_by(|one, other| one.path.cmp(&other.path));
    out
}

fn one(three: &Three, read: Read<'_>, taken: Option<Take>, out: &mut Landing) {
    let Three { path, base, main, lane, moved_to } = three;
    if same(base, lane) || same(main, lane) {
        return;
    }
    let target = moved_to.as_ref().unwrap_or(path);
    let mut change = |after: Option<Entry>| {
        if !same(main, &after) {
            out.changes.push(Difference { path: target.clone(), before: *main, after });
        }
    };
    if same(base, main) && moved_to.is_none() {
        change(*lane);
        return;
    }
    let whys = match (base, main, lane) {
        (Some(base), Some(main), Some(lane)) => match by_lines(path, [*base, *main, *lane], read) {
            Ok((entry, content)) => {
                out.merged.push(target.clone());
                change(Some(entry));
                out.contents.extend(content);
                return;
            }
            Err(whys) => whys,
        },
        (_, Some(_), None) => vec![Why::RemovedInLane],
        (_, None, Some(_)) => vec![Why::RemovedInMain],
        (None, Some(main), Some(lane)) => match (main.kind, lane.kind) {
            // A folder that both made is no question.
            (EntryKind::Dir, EntryKind::Dir) => return,
            _ => vec![Why::BothMade],
        },
        (_, None, None) => return,
    };
    if taken == Some(Take::Lane) {
        change(*lane);
    }
    out.conflicts.extend(whys.into_iter().map(|why| Conflict { path: target.clone(), why, taken }));
}

/// A file that all three have: content and permissions, each by itself.
fn by_lines(
    path: &RelPath,
    [base, main, lane]: [Entry; 3],
    read: Read<'_>,
) -> Result<(Entry, Option<Vec<u8>>), Vec<Why>> {
    let mode = match (main.mode == base.mode, lane.mode == base.mode || lane.mode == main.mode) {
        (_, true) => main.mode,
        (true, false) => lane.mode,
        (false, false) => return Err(vec![Why::Permissions]),
    };
    let content_of = |entry: &Entry| (entry.kind, entry.hash);
    if content_of(&main) == content_of(&base) {
        return Ok((Entry { mode, ..lane }, None));
    }
    if content_of(&lane) == content_of(&base) || content_of(&lane) == content_of(&main) {
        return Ok((Entry { mode, ..main }, None));
    }
    let whole = |because| Err(vec![Why::WholeFile { because }]);
    let entries = [base, main, lane];
    if entries.iter().any(|entry| entry.kind != EntryKind::File) {
        return whole(NotByLines::NoFile);
    }
    if entries.iter().any(|entry| entry.size > LONGEST) {
        return whole(NotByLines::TooLong);
    }
    let contents = [(Side::Base, base), (Side::Main, main), (Side::Lane, lane)]
        .map(|(side, entry)| read(side, path, &entry));
    let [Some(old), Some(ours), Some(theirs)] = contents else { return whole(NotByLines::Binary) };
    if ![&old, &ours, &theirs].into_iter().all(|content| merge::is_text(content)) {
        return whole(NotByLines::Binary);
    }
    let merged = merge::merge(&old, &ours, &theirs);
    match merged.clean() {
        Some(content) => {
            let hash = ContentHash::of(&content);
            let entry = Entry { mode, size: content.len() as u64, hash, ..main };
            Ok((entry, Some(content)))
        }
        None => Err(merged
            .conflicts()
            .iter()
            .map(|conflict| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                Why::Lines {
                    line: conflict.place.ours.start + 1,
                    base: text(conflict.base),
                    main: text(conflict.ours),
                    lane: text(conflict.theirs),
                }
            })
            .collect()),
    }
}

fn same(one: &Option<Entry>, other: &Option<Entry>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.same_on_disk(other),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Option<Entry> {
        with_mode(text, 0o644)
    }

    fn with_mode(text: &str, mode: u32) -> Option<Entry> {
        let hash = ContentHash::of(text.as_bytes());
        Some(Entry { kind: EntryKind::File, mode, size: text.len() as u64, hash, sensitive: false })
    }

    /// Lands one file whose contents are among these.
    fn landed(
        texts: &[&str],
        [base, main, lane]: [Option<Entry>; 3],
        take: Option<Take>,
    ) -> (Landing, Option<String>) {
        let path = RelPath::new(b"a.txt").unwrap();
        let read = |_: Side, _: &RelPath, entry: &Entry| {
            texts.iter().map(|text| text.as_bytes().to_vec()).find(|text| ContentHash::of(text) == entry.hash)
        };
        let taken: Taken = take.into_iter().map(|take| (path.clone(), take)).collect();
        let three = Three { path, base, main, lane, moved_to: None };
        let landing = land(&[three], &read, &taken);
        let after = landing.changes.first().and_then(|change| change.after);
        let all = texts.iter().map(|text| text.as_bytes().to_vec()).chain(landing.contents.iter().cloned());
        let text = after.and_then(|after| all.into_iter().find(|text| ContentHash::of(text) == after.hash));
        let text = text.map(|text| String::from_utf8(text).unwrap());
        (landing, text)
    }

    #[test]
    fn what_only_the_lane_did_lands_and_what_both_did_in_the_same_way_is_done() {
        let (landing, text) = landed(&["1\n", "2\n"], [file("1\n"), file("1\n"), file("2\n")], None);
        assert_eq!((text.as_deref(), landing.conflicts.len()), (Some("2\n"), 0));
        let (landing, _) = landed(&["1\n", "2\n"], [file("1\n"), file("2\n"), file("2\n")], None);
        assert!(landing.changes.is_empty() && landing.conflicts.is_empty());
        let (landing, _) = landed(&["1\n", "2\n"], [file("1\n"), file("1\n"), None], None);
        assert!(landing.changes[0].after.is_none());
    }

    #[test]
    fn both_sides_are_put_together_where_they_touch_and_left_where_they_meet() {
        let (base, main, lane) = ("1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\ntwo\n3\n4\n");
        let (landing, text) = landed(&[base, main, lane], [file(base), file(main), file(lane)], None);
        assert_eq!(text.as_deref(), Some("one\ntwo\n3\n4\n"));
        assert_eq!(landing.merged.len(), 1);
        let lane = "eins\n2\n3\n4\n";
        let (landing, text) = landed(&[base, main, lane], [file(base), file(main), file(lane)], None);
        assert_eq!((text, landing.left().len()), (None, 1));
        assert!(matches!(&landing.conflicts[0].why, Why::Lines { line: 1, main, lane, .. }
            if main == "one\n" && lane == "eins\n"));
        let (landing, text) =
            landed(&[base, main, lane], [file(base), file(main), file(lane)], Some(Take::Lane));
        assert_eq!((text.as_deref(), landing.left().len()), (Some(lane), 0));
        let (landing, text) =
            landed(&[base, main, lane], [file(base), file(main), file(lane)], Some(Take::Main));
        assert_eq!((text, landing.left().len()), (None, 0));
    }

    #[test]
    fn what_cannot_be_put_together_is_never_guessed() {
        let sides = |base, main, lane| {
            landed(&["1\n", "2\n", "3\n", "\0a", "\0b", "\0c"], [base, main, lane], None).0
        };
        let why = |landing: &Landing| landing.conflicts[0].why.clone();
        assert_eq!(why(&sides(file("1\n"), file("2\n"), None)), Why::RemovedInLane);
        assert_eq!(why(&sides(file("1\n"), None, file("2\n"))), Why::RemovedInMain);
        assert_eq!(why(&sides(None, file("2\n"), file("3\n"))), Why::BothMade);
        let binary = sides(file("\0a"), file("\0b"), file("\0c"));
        assert_eq!(why(&binary), Why::WholeFile { because: NotByLines::Binary });
        let modes = sides(with_mode("1\n", 0o644), with_mode("1\n", 0o755), with_mode("1\n", 0o600));
        assert_eq!(why(&modes), Why::Permissions);
        for landing in [binary, modes] {
            assert!(landing.changes.is_empty());
        }
    }

    #[test]
    fn permissions_and_content_are_put_together_each_by_itself() {
        let (landing, text) = landed(
            &["1\n", "2\n"],
            [with_mode("1\n", 0o644), with_mode("1\n", 0o755), with_mode("2\n", 0o644)],
            None,
        );
        assert_eq!(text.as_deref(), Some("2\n"));
        assert_eq!(landing.changes[0].after.unwrap().mode, 0o755);
    }
}
