//! Did a step write this line, or did it only bring a commit here that somebody else had made? Git's own log of its moves tells: a commit
//! that was made in this folder while the step ran is the step's work, one that was there before or was fetched is git's. (M2, M11)

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::git::Commit;
use super::source::{Source, Span};

/// What git did in this folder.
pub(crate) struct Brought {
    objects: Option<PathBuf>,
    moves: Vec<git::Move>,
    /// For each commit that was made here, the row of the log that tells of it.
    made: HashMap<String, usize>,
    /// Since the last look, for what is not saved yet.
    unsaved: Span,
}

/// Git counts in seconds.
const SECOND: i64 = 1_000;

impl Brought {
    pub(crate) fn read(root: &Path, last_look_ms: i64, now_ms: i64) -> Self {
        let folder = git::Folder::of(root);
        let moves = folder.as_ref().map(git::Folder::moves).unwrap_or_default();
        let made = moves.iter().enumerate().filter(|(_, row)| row.made_commit());
        let made = made.map(|(at, row)| (row.hash.clone(), at)).collect();
        let unsaved = Span { from_ms: last_look_ms, to_ms: now_ms, by_hand: true, names_git: Some(false) };
        Self { objects: folder.map(|folder| folder.common.join("objects")), moves, made, unsaved }
    }

    /// There is a repository at all.
    pub(crate) fn is_there(&self) -> bool {
        self.objects.is_some()
    }

    /// Git may know better than the ledger who wrote lines of this source: worth asking.
    pub(crate) fn may_know(&self, source: &Source) -> bool {
        match source {
            Source::BeforeVib | Source::Unseen => true,
            Source::Step { .. } | Source::ByHand { .. } | Source::Unsaved => {
                self.is_there() && self.spans(source).iter().all(|span| self.may_bring(span))
            }
            _ => false,
        }
    }

    fn spans(&self, source: &Source) -> Vec<Span> {
        if *source == Source::Unsaved { vec![self.unsaved] } else { source.spans() }
    }

    fn may_bring(&self, span: &Span) -> bool {
        span.names_git != Some(false) || self.moved_during(span)
    }

    /// `HEAD` went somewhere else in this time: a pull, a checkout, a merge.
    fn moved_during(&self, span: &Span) -> bool {
        let (from, to) = (span.from_ms.div_euclid(SECOND), span.to_ms.div_euclid(SECOND));
        self.moves.iter().any(|row| {
            let second = row.time_ms.div_euclid(SECOND);
            !row.message.starts_with("commit") && second >= from && second <= to
        })
    }

    /// The line is the commit's, and the source only brought it. `in_old`: whether the line stands in this file of another commit.
    pub(crate) fn is_gits(
        &self,
        source: &Source,
        commit: &Commit,
        in_old: &mut dyn FnMut(&str) -> bool,
    ) -> bool {
        match source {
            Source::BeforeVib | Source::Unseen => true,
            _ => {
                let spans = self.spans(source);
                !spans.is_empty() && spans.iter().all(|span| self.was_brought(span, commit, in_old))
            }
        }
    }

    fn was_brought(&self, span: &Span, commit: &Commit, in_old: &mut dyn FnMut(&str) -> bool) -> bool {
        if !self.may_bring(span) {
            return false;
        }
        let Some(at) = self.made.get(&commit.id).copied() else {
            return self.came_from_elsewhere(span, commit);
        };
        let row = &self.moves[at];
        if !self.made_since(row, span) {
            // It was there before the step began; a person who goes back to it is seen by the move.
            return !span.by_hand || self.moved_during(span);
        }
        match row.message.split_once(':').map_or("", |(kind, _)| kind) {
            // What an amended commit had before is no work of who amends it.
            "commit (amend)" => {
                let before = self.made.get(&row.from).map(|at| &self.moves[*at]);
                let was_there = before.is_none_or(|before| !self.made_since(before, span));
                was_there && in_old(&row.from)
            }
            kind if kind.starts_with("commit") || kind == "revert" => false,
            // Picked from elsewhere, or the step's own commit on a new base.
            _ => {
                let own = self.moves[..at].iter().any(|older| {
                    older.message.starts_with("commit")
                        && older.subject() == row.subject()
                        && self.made_since(older, span)
                });
                !own
            }
        }
    }

    fn came_from_elsewhere(&self, span: &Span, commit: &Commit) -> bool {
        let reaches = self.moves.first().is_some_and(|oldest| {
            oldest.time_ms <= span.from_ms + SECOND || oldest.from.bytes().all(|byte| byte == b'0')
        });
        if !reaches {
            // Nobody wrote down what was made here then: only the commit's own time is left.
            return !span.by_hand && commit.time_ms + SECOND <= span.from_ms;
        }
        commit.time_ms <= span.to_ms && (span.names_git == Some(true) || self.moved_during(span))
            || span.names_git.is_none() && !span.by_hand && commit.time_ms + SECOND <= span.from_ms
    }

    /// The commit of this row was made after the step began.
    fn made_since(&self, row: &git::Move, span: &Span) -> bool {
        self.is_since(&row.hash, row.time_ms, span.from_ms)
    }

    /// A commit of this time was made after the step began. Within one second the file of the commit itself tells.
    pub(super) fn is_since(&self, id: &str, time_ms: i64, from_ms: i64) -> bool {
        let (made, from) = (time_ms.div_euclid(SECOND), from_ms.div_euclid(SECOND));
        made > from || made == from && self.object_time(id).is_some_and(|time| time >= from_ms)
    }

    fn object_time(&self, id: &str) -> Option<i64> {
        let (folder, name) = (id.get(..2)?, id.get(2..)?);
        let time = self.objects.as_ref()?.join(folder).join(name).metadata().ok()?.modified().ok()?;
        i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
    }
}
