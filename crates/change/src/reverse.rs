//! The reverse of steps: what the files would be without them, while everything that came later stays.
//!
//! Each change of a step is taken back by a three-way merge (base: the file after it, ours: the file now, theirs: the file before
//! it), the newest change first. Where the same lines were changed since, or nobody knows which of two steps made a change, it is a
//! [`Conflict`]: shown, taken back only if a person chooses so, and else left as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use project::RelPath;
use serde::Serialize;
use store::{Actor, ContentHash, Difference, Entry, EntryKind, StepChange, StepNumber, Store, View};

use crate::Result;
use crate::merge::{self, Choice};

/// Longer files are taken back as a whole or left.
const LONGEST: u64 = 8 << 20;

/// Which conflicts are taken back too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Choices {
    /// None: what conflicts is left as it is.
    #[default]
    Leave,
    /// All of them.
    Take,
    /// These, by [`Conflict::key`].
    These(BTreeSet<String>),
}

impl Choices {
    fn takes(&self, key: &str) -> bool {
        match self {
            Self::Leave => false,
            Self::Take => true,
            Self::These(keys) => keys.contains(key),
        }
    }
}

/// Why something cannot simply be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Why {
    /// At these lines somebody worked since.
    Lines {
        /// The first line, in the file as it is now, from 1.
        line: usize,
        /// What happened to them since.
        since: LaterWork,
        /// What the step left there.
        wrote: String,
        /// What is there now.
        now: String,
        /// What was there before the step.
        back: String,
    },
    /// The step made this file, and it was changed since: to take it back would remove it.
    MadeAndChangedSince {
        /// The places that were changed since: the first line of each as it is now, from 1, and what is there.
        places: Vec<(usize, String)>,
    },
    /// The step removed this file, and another one is in its place.
    RemovedAndMadeAgain,
    /// It was changed since and cannot be compared by lines: the whole file or nothing.
    WholeFile {
        /// Why it cannot.
        because: NotByLines,
    },
    /// One of several steps made this change, and nobody knows which.
    Shared {
        /// The steps.
        steps: Vec<StepNumber>,
        /// Those of them that are no agent's: a person's own hand, or another program.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        by_hand: Vec<StepNumber>,
    },
    /// What it was before is no longer kept.
    NotKept,
}

/// What happened since to lines that a step wrote. (M5)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LaterWork {
    /// They were changed.
    Changed,
    /// They are gone.
    Gone,
    /// They are as the step left them, and others came right beside them.
    Beside,
    /// The step took lines away here, and others came to the same place.
    PutIn,
}

impl LaterWork {
    fn of(wrote: &[u8], now: &[u8]) -> Self {
        if now.is_empty() {
            Self::Gone
        } else if wrote.is_empty() {
            Self::PutIn
        } else if now.starts_with(wrote) || now.ends_with(wrote) {
            Self::Beside
        } else {
            Self::Changed
        }
    }
}

/// Why a file is taken back as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotByLines {
    /// It is no text.
    Binary,
    /// It is too long.
    TooLong,
    /// It is, or was, a link or a folder.
    NoFile,
}

/// Something that cannot simply be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// How a choice names it: the path and a number.
    pub key: String,
    /// The file.
    pub path: RelPath,
    /// The step that would be taken back.
    pub step: StepNumber,
    /// Why.
    #[serde(flatten)]
    pub why: Why,
    /// It is taken back all the same, because that was chosen.
    pub taken: bool,
}

/// Says which lines of a content a part of a file is, counted from 0.
pub type Part<'a> = &'a dyn Fn(&[u8]) -> Option<Range<usize>>;

/// What is taken back.
pub struct Taking<'a> {
    /// The changes, in any order.
    pub changes: &'a [StepChange],
    /// Only a part of a file, such as one function: says which lines of a content it is.
    pub part: Option<Part<'a>>,
    /// What is done with conflicts.
    pub choices: &'a Choices,
}

/// What the files would be.
#[derive(Debug, Default)]
pub struct Reverse {
    /// For each path what is there now and what would be there.
    pub changes: Vec<Difference>,
    /// Content that was computed.
    pub contents: Vec<Vec<u8>>,
    /// What is left as it is, or was chosen.
    pub conflicts: Vec<Conflict>,
    /// Paths of which a part is left.
    pub left: Vec<RelPath>,
}

/// Computes it. Looks at files, writes nothing.
pub fn reverse(store: &Store<'_>, root: &Path, now: &View, taking: &Taking<'_>) -> Result<Reverse> {
    let mut by_path: BTreeMap<&RelPath, Vec<&StepChange>> = BTreeMap::new();
    for change in taking.changes {
        by_path.entry(&change.path).or_default().push(change);
    }
    let mut out = Reverse::default();
    for (path, changes) in by_path {
        let changes = joined(changes);
        let present = store.entry_in(now, path.as_bytes())?;
        let mut file =
            File { store, root, path, present, state: State::Saved(present), conflicts: Vec::new() };
        for change in changes.iter().rev() {
            file.take_back(change, taking)?;
        }
        file.finish(&mut out);
    }
    drop_needed_folders(store, now, &mut out)?;
    Ok(out)
}

/// The changes of one file in order. What several steps share is no question if all of them are taken back: it was one change. (M3)
fn joined(mut changes: Vec<&StepChange>) -> Vec<StepChange> {
    changes.sort_by_key(|change| (change.seq, change.step));
    let mut out: Vec<StepChange> = Vec::with_capacity(changes.len());
    for change in &changes {
        let has = |step: &StepNumber| changes.iter().any(|one| one.seq == change.seq && one.step == *step);
        let is_whole = !change.shared.is_empty() && change.shared.iter().all(has);
        if is_whole && out.last().is_some_and(|last| last.seq == change.seq) {
            continue;
        }
        let shared = if is_whole { Vec::new() } else { change.shared.clone() };
        match out.last_mut() {
            // Nobody was there in between: it is one change, and a place in it is asked about once. (M5)
            Some(last) if last.shared.is_empty() && shared.is_empty() && last.after == change.before => {
                *last = StepChange { before: last.before, shared, ..(*change).clone() };
            }
            _ => out.push(StepChange { shared, ..(*change).clone() }),
        }
    }
    out
}

/// What a file is while changes are taken back one after the other.
enum State {
    /// As an entry says.
    Saved(Option<Entry>),
    /// Computed: like this entry, with this content.
    Computed(Entry, Vec<u8>),
}

impl State {
    fn entry(&self) -> Option<Entry> {
        match self {
            Self::Saved(entry) => *entry,
            Self::Computed(entry, _) => Some(*entry),
        }
    }
}

struct File<'a> {
    store: &'a Store<'a>,
    root: &'a Path,
    path: &'a RelPath,
    present: Option<Entry>,
    state: State,
    conflicts: Vec<Conflict>,
}

impl File<'_> {
    fn take_back(&mut self, change: &StepChange, taking: &Taking<'_>) -> Result<()> {
        let is = self.state.entry();
        if same(is, change.before) || same(change.before, change.after) {
            return Ok(());
        }
        if !change.shared.is_empty() {
            let steps = change.shared.clone();
            let is_hand = |step: &&StepNumber| {
                let step = self.store.step(**step).ok().flatten();
                step.is_some_and(|step| step.actor == Actor::ByHand)
            };
            let by_hand = steps.iter().filter(is_hand).copied().collect();
            if !self.conflict(change, Why::Shared { steps, by_hand }, taking.choices) {
                return Ok(());
            }
        }
        if same(is, change.after) && taking.part.is_none() {
            if change.before.is_none_or(|entry| self.is_kept(&entry)) {
                self.state = State::Saved(change.before);
            } else {
                // Not even a choice brings back what is gone.
                self.conflict(change, Why::NotKept, &Choices::Leave);
            }
            return Ok(());
        }
        match (is, change.before, change.after) {
            (Some(is), Some(before), Some(after)) => self.merge(change, [is, before, after], taking),
            (Some(_), None, _) => {
                let places = self.places_since(change, is);
                if self.conflict(change, Why::MadeAndChangedSince { places }, taking.choices) {
                    self.state = State::Saved(None);
                }
                Ok(())
            }
            (None, None, _) => Ok(()),
            // It was removed after the step changed it: that is later work, and stays.
            (None, Some(_), Some(_)) => Ok(()),
            (_, Some(before), None) => {
                if !self.is_kept(&before) {
                    self.conflict(change, Why::NotKept, &Choices::Leave);
                } else if self.conflict(change, Why::RemovedAndMadeAgain, taking.choices) {
                    self.state = State::Saved(Some(before));
                }
                Ok(())
            }
        }
    }

    fn merge(
        &mut self,
        change: &StepChange,
        [is, before, after]: [Entry; 3],
        taking: &Taking<'_>,
    ) -> Result<()> {
        let mode = if is.mode == after.mode { before.mode } else { is.mode };
        if is.hash == after.hash && is.kind == after.kind && taking.part.is_none() {
            self.state = State::Saved(Some(Entry { mode, ..before }));
            return Ok(());
        }
        let contents = [is, before, after].map(|entry| self.text_of(&entry));
        let [Some(ours), Some(theirs), Some(base)] = contents else {
            if !self.is_kept(&before) {
                self.conflict(change, Why::NotKept, &Choices::Leave);
            } else if self.conflict(
                change,
                Why::WholeFile { because: why_not_by_lines([is, before, after]) },
                taking.choices,
            ) {
                self.state = State::Saved(Some(before));
            }
            return Ok(());
        };
        let mut merged = merge::merge(&base, &ours, &theirs);
        if let Some(part) = taking.part {
            let Some(lines) = lines_of_part(&merged, part(&ours), part(&theirs)) else { return Ok(()) };
            merged = merged.only_lines(lines);
        }
        let mut taken = Vec::new();
        for conflict in merged.conflicts() {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let why = Why::Lines {
                line: conflict.place.ours.start + 1,
                since: LaterWork::of(conflict.base, conflict.ours),
                wrote: text(conflict.base),
                now: text(conflict.ours),
                back: text(conflict.theirs),
            };
            taken.push(self.conflict(change, why, taking.choices));
        }
        let content = merged.resolved(|number| {
            if taken.get(number).copied().unwrap_or(false) { Choice::Theirs } else { Choice::Ours }
        });
        let entry = Entry {
            kind: EntryKind::File,
            mode,
            size: content.len() as u64,
            hash: ContentHash::of(&content),
            ..is
        };
        self.state = State::Computed(entry, content);
        Ok(())
    }

    /// Where a file that the step made was changed since.
    fn places_since(&self, change: &StepChange, is: Option<Entry>) -> Vec<(usize, String)> {
        let text = |entry: Option<Entry>| entry.and_then(|entry| self.text_of(&entry));
        let (Some(made), Some(now)) = (text(change.after), text(is)) else { return Vec::new() };
        let merged = merge::merge(&made, &now, &made);
        let places = merged.pieces().iter().filter_map(|piece| match piece {
            merge::Piece::Ours(place) => {
                let text = String::from_utf8_lossy(merged.texts(place)[1]).into_owned();
                Some((place.ours.start + 1, text))
            }
            _ => None,
        });
        places.collect()
    }

    /// Notes a conflict. True if it is taken back all the same.
    fn conflict(&mut self, change: &StepChange, why: Why, choices: &Choices) -> bool {
        let key = format!("{}:{}", self.path, self.conflicts.len() + 1);
        let taken = choices.takes(&key);
        self.conflicts.push(Conflict { key, path: self.path.clone(), step: change.step, why, taken });
        taken
    }

    fn is_kept(&self, entry: &Entry) -> bool {
        entry.kind == EntryKind::Dir || self.store.has_content(&entry.hash).unwrap_or(false)
    }

    /// The content of a file that can be merged by lines.
    fn text_of(&self, entry: &Entry) -> Option<Vec<u8>> {
        if entry.kind != EntryKind::File || entry.size > LONGEST {
            return None;
        }
        if let State::Computed(computed, content) = &self.state
            && computed.hash == entry.hash
        {
            return Some(content.clone());
        }
        let content = self.store.content(&entry.hash).ok().or_else(|| {
            let content = std::fs::read(self.path.to_path(self.root)).ok()?;
            (ContentHash::of(&content) == entry.hash).then_some(content)
        })?;
        merge::is_text(&content).then_some(content)
    }

    fn finish(self, out: &mut Reverse) {
        if self.conflicts.iter().any(|conflict| !conflict.taken) {
            out.left.push(self.path.clone());
        }
        let after = self.state.entry();
        if !same(self.present, after) {
            out.changes.push(Difference { path: self.path.clone(), before: self.present, after });
            if let State::Computed(_, content) = self.state {
                self.store.hold(content.clone());
                out.contents.push(content);
            }
        }
        out.conflicts.extend(self.conflicts);
    }
}

fn why_not_by_lines(entries: [Entry; 3]) -> NotByLines {
    if entries.iter().any(|entry| entry.kind != EntryKind::File) {
        NotByLines::NoFile
    } else if entries.iter().any(|entry| entry.size > LONGEST) {
        NotByLines::TooLong
    } else {
        NotByLines::Binary
    }
}

/// Where a part is in the file as it is now; where it was, if it is gone.
fn lines_of_part(
    merged: &merge::Merge,
    now: Option<Range<usize>>,
    before: Option<Range<usize>>,
) -> Option<Range<usize>> {
    now.or_else(|| {
        let before = before?;
        let mut places = merged.pieces().iter().filter_map(|piece| match piece {
            merge::Piece::Theirs(place) | merge::Piece::Conflict(place) => Some(place),
            _ => None,
        });
        let place =
            places.find(|place| place.theirs.start < before.end && before.start < place.theirs.end)?;
        Some(place.ours.clone())
    })
}

fn same(one: Option<Entry>, other: Option<Entry>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.same_on_disk(&other),
        (None, None) => true,
        _ => false,
    }
}

/// A folder that would go, but in which something stays, stays too; one in which something comes back comes first.
fn drop_needed_folders(store: &Store<'_>, now: &View, out: &mut Reverse) -> Result<()> {
    let is_dir = |entry: Option<Entry>| entry.is_some_and(|entry| entry.kind == EntryKind::Dir);
    let going: BTreeSet<&RelPath> =
        out.changes.iter().filter(|change| change.after.is_none()).map(|change| &change.path).collect();
    let mut needed = Vec::new();
    for change in out.changes.iter().filter(|change| is_dir(change.before) && change.after.is_none()) {
        let inside = store.paths_in(now, &change.path)?;
        if inside.iter().any(|path| !going.contains(path)) {
            needed.push(change.path.clone());
        }
    }
    // The folder of something that comes back is made again with it, as it was.
    out.changes.retain(|change| !needed.contains(&change.path));
    Ok(())
}
