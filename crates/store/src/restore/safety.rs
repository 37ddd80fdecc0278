//! [`SafetyCheckpoint`]: the proof that the present state is saved.

use crate::checkpoint::{Checkpoint, CheckpointKind};
use crate::progress::Progress;
use crate::restore::Plan;
use crate::snapshot::SnapshotRequest;
use crate::walk::Problem;
use crate::walk::hurry::Calm;
use crate::walk::index::StatIndex;
use crate::walk::outcome::Look;
use crate::{Result, Store, TreeLock};

/// The state of the tree, and of every path of one plan, is in the store and on the disk, and nobody else has been let
/// in since. Only [`Store::safety_checkpoint`] makes one. It is used up by the restore it was made for.
pub struct SafetyCheckpoint<'l> {
    pub(super) checkpoint: Checkpoint,
    pub(super) seen: Option<(StatIndex, Look)>,
    pub(super) _lock: &'l TreeLock,
    problems: Vec<Problem>,
}

impl SafetyCheckpoint<'_> {
    /// The checkpoint, to return to.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// What of the present state could not be saved. The restore leaves those paths alone.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Store<'_> {
    /// Saves the present state: the whole tree, and every path of the plan even if it is ignored. Returns when it is on
    /// the disk.
    pub fn safety_checkpoint<'l>(
        &mut self,
        lock: &'l TreeLock,
        plan: &Plan,
        message: String,
        progress: &dyn Progress,
    ) -> Result<SafetyCheckpoint<'l>> {
        // What is about to be overwritten has to be in it, however long that takes.
        let _complete = Calm::new();
        let mut request = SnapshotRequest::new(CheckpointKind::Safety);
        request.message = Some(message);
        request.origin.trigger = Some(plan.purpose.trigger().to_owned());
        let (saved, index, look) = self.snapshot_tree_and_look(lock, &request, &plan.paths(), progress)?;
        Ok(SafetyCheckpoint {
            checkpoint: saved.checkpoint,
            seen: Some((index, look)),
            _lock: lock,
            problems: saved.problems,
        })
    }

    /// The proof that a restore which was cut off had made, found again in its journal.
    pub(super) fn safety_of_journal<'l>(
        &self,
        lock: &'l TreeLock,
        seq: i64,
    ) -> Result<Option<SafetyCheckpoint<'l>>> {
        let checkpoint = self.checkpoint(seq)?.filter(|checkpoint| {
            checkpoint.kind == CheckpointKind::Safety && checkpoint.whole_tree && !checkpoint.expired
        });
        Ok(checkpoint.map(|checkpoint| SafetyCheckpoint {
            checkpoint,
            seen: None,
            _lock: lock,
            problems: Vec::new(),
        }))
    }
}
