//! Carrying a plan out. The only place that overwrites or removes a user's file.

use std::collections::BTreeSet;
use std::io;

use project::RelPath;
use project::platform::{DirHandle, FileKind};

use super::in_place::open_or_make;
use super::{Plan, SafetyCheckpoint};
use crate::checkpoint::{AFTER_TRIGGER, CheckpointKind};
use crate::entry::{Entry, EntryKind};
use crate::ledger::{Account, Ending, Moment, Outcome, StepNumber};
use crate::pack::PackReader;
use crate::progress::{Phase, Progress};
use crate::snapshot::SnapshotRequest;
use crate::timeline::Difference;
use crate::walk::content::{self, ReadTools, Reading};
use crate::walk::scan::same_file;
use crate::{Error, Result, Store};

/// Up to this many files are flushed one by one; more are flushed together, where the system can.
const FLUSH_EACH: usize = 8;

/// Files that are written beside the old ones before they are moved over them.
const BATCH_FILES: usize = 4_096;
const BATCH_BYTES: u64 = 256 << 20;
/// Files between two questions whether to stop.
const BATCH_ASKED: usize = 1_024;

/// A path that was left as it is, and why.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Kept {
    /// The path.
    pub path: RelPath,
    /// Stable code: `changed_meanwhile`, `not_saved`, `holds_unsaved_files`, `link_in_the_way`, `damaged_content`,
    /// `io`.
    pub code: &'static str,
    /// What happened, in words.
    pub detail: String,
}

/// What a restore did.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct RestoreReport {
    /// The id of the operation.
    pub operation: String,
    /// The checkpoint gone back to.
    pub target: String,
    /// The safety checkpoint made before: going back to it takes the restore back.
    pub safety: String,
    /// Files, links and folders that were written or changed.
    pub restored: Vec<RelPath>,
    /// Files, links and folders that were removed; they are in the safety checkpoint.
    pub removed: Vec<RelPath>,
    /// What was left alone.
    pub kept: Vec<Kept>,
    /// The step that it is in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepNumber>,
    /// It was stopped before the end: only what is listed was done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

impl Store<'_> {
    /// Carries a plan out. The proof must have been made for this plan; if a file of the plan is not as the plan says,
    /// nothing is touched.
    pub fn restore(
        &mut self,
        plan: &Plan,
        safety: SafetyCheckpoint<'_>,
        account: &Account,
        progress: &dyn Progress,
    ) -> Result<RestoreReport> {
        self.restore_unless(plan, safety, account, &|| false, progress)
    }

    /// As [`Self::restore`], but asks between two groups of files whether to stop. What was done until then stands in the
    /// report; [`Plan::reversed`] takes it back.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a proof is used up by the one restore it was made for"
    )]
    pub fn restore_unless(
        &mut self,
        plan: &Plan,
        safety: SafetyCheckpoint<'_>,
        account: &Account,
        stop: &dyn Fn() -> bool,
        progress: &dyn Progress,
    ) -> Result<RestoreReport> {
        self.refuse_if_changed(plan, &safety)?;
        let operation = format!("{:012x}", self.context.random_u64() >> 16);
        let step = self.begin_operation(&operation, plan, safety.checkpoint.seq, account)?;
        let mut report = self.apply_steps(&operation, plan, &safety, false, stop, progress)?;
        report.step = Some(step);
        self.look_after(step, plan, &report)?;
        self.end_operation(&operation, if report.stopped { "stopped" } else { "done" })?;
        Ok(report)
    }

    /// The look after a change of vib's own: it ends the step and marks what was taken back.
    pub(super) fn look_after(&mut self, step: StepNumber, plan: &Plan, report: &RestoreReport) -> Result<()> {
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.origin.trigger = Some(AFTER_TRIGGER.to_owned());
        let ending = if report.stopped { Ending::CutOff } else { Ending::Ran };
        request.moment = Moment::After(step, Outcome::of(ending));
        self.snapshot_paths(&request, &plan.paths())?;
        if report.stopped {
            return Ok(());
        }
        let left: Vec<RelPath> = report.kept.iter().map(|kept| kept.path.clone()).collect();
        self.db.write(false, |transaction| crate::ledger::mark(transaction, step, &left))
    }

    /// The person said yes to a preview: what it showed as "now" must be what the safety checkpoint found.
    fn refuse_if_changed(&self, plan: &Plan, safety: &SafetyCheckpoint<'_>) -> Result<()> {
        let changed = self.changed_since_preview(plan, safety)?;
        match changed.first() {
            Some(first) => {
                Err(Error::ChangedSincePreview { count: changed.len(), first: first.path.to_string() })
            }
            None => Ok(()),
        }
    }

    /// What the safety checkpoint found other than the plan says: `before` is what the preview showed, `after` what is there.
    pub fn changed_since_preview(
        &self,
        plan: &Plan,
        safety: &SafetyCheckpoint<'_>,
    ) -> Result<Vec<Difference>> {
        let _moment = self.db.one_moment()?;
        let view = self.view(&safety.checkpoint, &self.recorded_state()?)?;
        let unsaved: Vec<&str> = safety.problems().iter().map(|problem| problem.path.as_str()).collect();
        let mut changed = Vec::new();
        for change in &plan.changes {
            let saved = self.entry_in(&view, change.path.as_bytes())?;
            let same = match (&saved, &change.before) {
                (Some(a), Some(b)) => a.same_on_disk(b),
                (None, None) => true,
                _ => false,
            };
            if !same && !unsaved.contains(&change.path.to_string().as_str()) {
                changed.push(Difference { path: change.path.clone(), before: change.before, after: saved });
            }
        }
        Ok(changed)
    }

    /// Does every step that is not done yet. Also how a restore that was cut off is finished (`again`).
    pub(super) fn apply_steps(
        &mut self,
        operation: &str,
        plan: &Plan,
        safety: &SafetyCheckpoint<'_>,
        again: bool,
        stop: &dyn Fn() -> bool,
        progress: &dyn Progress,
    ) -> Result<RestoreReport> {
        progress.begin(Phase::Restoring, Some(plan.changes.len() as u64));
        let root = self.root_handle()?;
        let mut work = Work {
            store: self,
            root: &root,
            reader: self.reader(),
            safety,
            again,
            operation,
            tools: ReadTools::new(),
            touched: BTreeSet::new(),
            report: RestoreReport {
                operation: operation.to_owned(),
                target: plan.target.clone(),
                safety: safety.checkpoint.id.to_string(),
                ..RestoreReport::default()
            },
        };
        if again {
            work.remove_left_overs(plan);
        }
        work.removals(plan, stop);
        work.folders(plan);
        let writes: Vec<(usize, &Difference)> = plan
            .changes
            .iter()
            .enumerate()
            .filter(|(_, change)| change.after.is_some_and(|entry| entry.kind != EntryKind::Dir))
            .collect();
        // Files that lie in no project may be on several file systems.
        let together = writes.len() > FLUSH_EACH && !self.project.is_loose();
        // A restore that is finished after a cut has no reason to stop.
        let batch_files = if again { BATCH_FILES } else { BATCH_ASKED };
        let mut at = 0;
        while at < writes.len() && !work.stops(stop) {
            let mut bytes = 0;
            let mut end = at;
            while end < writes.len() && end - at < batch_files && bytes < BATCH_BYTES {
                bytes += writes[end].1.after.map_or(0, |entry| entry.size);
                end += 1;
            }
            work.write_batch(&writes[at..end], together);
            progress.advance((end - at) as u64);
            at = end;
        }
        work.folder_modes(plan);
        work.flush_names(together)?;
        let mut report = work.report;
        report.restored.sort_unstable();
        report.removed.sort_unstable();
        report.kept.sort_by(|a, b| a.path.cmp(&b.path));
        report.kept.dedup_by(|later, earlier| later.path == earlier.path);
        Ok(report)
    }
}

pub(super) struct Work<'w> {
    pub(super) store: &'w Store<'w>,
    pub(super) root: &'w DirHandle,
    pub(super) reader: PackReader<'w>,
    pub(super) safety: &'w SafetyCheckpoint<'w>,
    again: bool,
    operation: &'w str,
    tools: ReadTools<'w>,
    touched: BTreeSet<Vec<u8>>,
    report: RestoreReport,
}

/// What is at a path now, compared with the plan.
enum Present {
    /// As the plan and the safety checkpoint say: may be replaced.
    AsPlanned,
    /// Already as wanted.
    Done,
    /// Something else: hands off.
    Other(&'static str, String),
}

impl Work<'_> {
    /// Once stopped, always stopped.
    fn stops(&mut self, stop: &dyn Fn() -> bool) -> bool {
        self.report.stopped = self.report.stopped || stop();
        self.report.stopped
    }

    fn keep(&mut self, path: &RelPath, code: &'static str, detail: impl Into<String>) {
        self.report.kept.push(Kept { path: path.clone(), code, detail: detail.into() });
    }

    /// Removes what the target does not have, and what stands in the way of another kind; inner paths first.
    fn removals(&mut self, plan: &Plan, stop: &dyn Fn() -> bool) {
        for (number, change) in plan.changes.iter().rev().enumerate() {
            if number.is_multiple_of(BATCH_ASKED) && self.stops(stop) {
                return;
            }
            let Some(before) = change.before else { continue };
            let is_dir = |entry: Entry| entry.kind == EntryKind::Dir;
            let stays = change.after.is_some_and(|after| is_dir(after) == is_dir(before));
            if stays {
                continue;
            }
            if is_dir(before) {
                self.remove_folder(change);
            } else {
                self.remove_file(change);
            }
        }
    }

    fn remove_file(&mut self, change: &Difference) {
        let dir = match self.present(change) {
            (Present::AsPlanned, dir) => dir,
            (Present::Done, _) => return,
            (Present::Other(code, detail), _) => return self.keep(&change.path, code, detail),
        };
        let (folder, name) = change.path.split();
        match dir.map_or_else(|| self.root.open_dir(folder), Ok).and_then(|dir| dir.remove_file(name)) {
            Ok(()) => {
                self.touched.insert(folder.to_vec());
                if change.after.is_none() {
                    self.report.removed.push(change.path.clone());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.keep_for(change, &error),
        }
    }

    fn remove_folder(&mut self, change: &Difference) {
        let (folder, name) = change.path.split();
        let removed = self.root.open_dir(folder).and_then(|dir| match dir.stat(name)?.kind {
            FileKind::Dir => dir.remove_dir(name),
            _ => Err(io::ErrorKind::NotFound.into()),
        });
        match removed {
            Ok(()) => {
                self.touched.insert(folder.to_vec());
                if change.after.is_none() {
                    self.report.removed.push(change.path.clone());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                self.keep(
                    &change.path,
                    "holds_unsaved_files",
                    "this folder stays: it holds files that are in no checkpoint",
                );
            }
            Err(error) => self.keep_for(change, &error),
        }
    }

    /// Makes folders, outer ones first. Their own modes come last, so that a read-only folder can be filled.
    fn folders(&mut self, plan: &Plan) {
        for change in &plan.changes {
            let Some(after) = change.after.filter(|entry| entry.kind == EntryKind::Dir) else {
                continue;
            };
            let (folder, name) = change.path.split();
            let made = open_or_make(self.root, folder).and_then(|dir| match dir.stat(name) {
                Ok(stat) if stat.kind == FileKind::Dir => Ok(false),
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    dir.make_dir(name, after.mode | 0o700).map(|()| true)
                }
                Err(error) => Err(error),
            });
            match made {
                Ok(_) => {
                    self.touched.insert(folder.to_vec());
                    self.report.restored.push(change.path.clone());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    self.keep(&change.path, "changed_meanwhile", "something else is at this place now");
                }
                Err(error) => self.keep_for(change, &error),
            }
        }
    }

    fn folder_modes(&mut self, plan: &Plan) {
        for change in plan.changes.iter().rev() {
            let Some(after) = change.after.filter(|entry| entry.kind == EntryKind::Dir) else {
                continue;
            };
            let (folder, name) = change.path.split();
            let set = self.root.open_dir(folder).and_then(|dir| dir.set_dir_mode(name, after.mode));
            if let Err(error) = set
                && !self.report.kept.iter().any(|kept| kept.path == change.path)
            {
                self.keep_for(change, &error);
            }
        }
    }

    /// Writes complete new files beside the old ones, flushes them, then moves each over its old one.
    fn write_batch(&mut self, batch: &[(usize, &Difference)], together: bool) {
        let mut wanted: Vec<(Vec<u8>, &Difference)> = Vec::with_capacity(batch.len());
        for (number, change) in batch {
            if !(self.again && matches!(self.present(change).0, Present::Done)) {
                wanted.push((self.temporary_name(*number), change));
            }
        }
        let written = self.write_all_beside(&wanted, !together);
        let mut ready: Vec<(Vec<u8>, &Difference)> = Vec::with_capacity(wanted.len());
        for ((temporary, change), written) in wanted.into_iter().zip(written) {
            match written {
                Ok(()) => ready.push((temporary, change)),
                Err(Error::Io(error)) => self.keep_for(change, &error),
                Err(error @ Error::DamagedContent { .. }) => {
                    self.keep(&change.path, "damaged_content", error.to_string());
                }
                Err(error) => self.keep(&change.path, "io", error.to_string()),
            }
        }
        if together && let Err(error) = self.root.sync_file_system() {
            for (temporary, change) in ready {
                self.drop_temporary(change, &temporary);
                self.keep_for(change, &error);
            }
            return;
        }
        let moved = self.move_unchanged(&ready);
        for ((temporary, change), moved) in ready.into_iter().zip(moved) {
            if moved {
                self.touched.insert(change.path.split().0.to_vec());
                self.report.restored.push(change.path.clone());
            } else {
                self.move_over(change, &temporary);
            }
        }
    }

    /// The last look, then the rename: from here on the old content is only in the safety checkpoint.
    fn move_over(&mut self, change: &Difference, temporary: &[u8]) {
        let dir = match self.present(change) {
            (Present::AsPlanned, dir) => dir,
            (Present::Done, _) => {
                self.drop_temporary(change, temporary);
                self.report.restored.push(change.path.clone());
                return;
            }
            (Present::Other(code, detail), _) => {
                self.drop_temporary(change, temporary);
                return self.keep(&change.path, code, detail);
            }
        };
        let (folder, name) = change.path.split();
        match dir.map_or_else(|| self.root.open_dir(folder), Ok).and_then(|dir| dir.rename(temporary, name)) {
            Ok(()) => {
                self.touched.insert(folder.to_vec());
                self.report.restored.push(change.path.clone());
            }
            Err(error) => {
                self.drop_temporary(change, temporary);
                self.keep_for(change, &error);
            }
        }
    }

    fn drop_temporary(&self, change: &Difference, temporary: &[u8]) {
        if let Ok(dir) = self.root.open_dir(change.path.split().0) {
            let _ = dir.remove_file(temporary);
        }
    }

    fn temporary_name(&self, number: usize) -> Vec<u8> {
        format!(".vib-tmp-{}-{number}", self.operation).into_bytes()
    }

    /// A restore that was cut off may have left complete or partial new files beside the old ones.
    fn remove_left_overs(&self, plan: &Plan) {
        for (number, change) in plan.changes.iter().enumerate() {
            self.drop_temporary(change, &self.temporary_name(number));
        }
    }

    /// Compares what is on the disk with what the plan expects there. Also gives the folder, so that what is done next is
    /// done in the folder that was looked at.
    fn present(&mut self, change: &Difference) -> (Present, Option<DirHandle>) {
        match self.root.open_dir(change.path.split().0) {
            Ok(dir) => (self.present_in(&dir, change), Some(dir)),
            // The folder above is not there (yet).
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (if change.after.is_none() { Present::Done } else { Present::AsPlanned }, None)
            }
            Err(error) => (Present::Other(code_for(&error), error.to_string()), None),
        }
    }

    fn present_in(&mut self, dir: &DirHandle, change: &Difference) -> Present {
        let name = change.path.split().1;
        let stat = match dir.stat(name) {
            Ok(stat) => stat,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return if change.after.is_none() { Present::Done } else { Present::AsPlanned };
            }
            Err(error) => return Present::Other(code_for(&error), error.to_string()),
        };
        if let Some((index, look)) = &self.safety.seen
            && let Some((seen, Some(_))) = look.find(index, change.path.as_bytes())
            && same_file(&seen, &stat)
        {
            return Present::AsPlanned;
        }
        let here = match stat.kind {
            FileKind::Dir | FileKind::Special => None,
            FileKind::File | FileKind::Symlink => {
                match content::read_entry(dir, name, &stat, None, &mut self.tools) {
                    Ok(Reading::Read { stat, hash, .. }) => EntryKind::of(stat.kind).map(|kind| {
                        let mode = if kind == EntryKind::Symlink { 0 } else { stat.mode };
                        Entry { kind, mode, size: stat.size, hash, sensitive: false }
                    }),
                    _ => None,
                }
            }
        };
        let Some(here) = here else {
            return Present::Other("changed_meanwhile", "something else is at this place now".to_owned());
        };
        if change.after.is_some_and(|after| after.same_on_disk(&here)) {
            return Present::Done;
        }
        // What is here may be replaced only if the safety checkpoint holds exactly this.
        let saved = self.store.recorded_at(self.safety.checkpoint.seq, change.path.as_bytes());
        match saved {
            Ok(Some(saved)) if saved.same_on_disk(&here) => Present::AsPlanned,
            Ok(None) => Present::Other("not_saved", "it could not be saved first, so it stays".to_owned()),
            _ => Present::Other("changed_meanwhile", "it changed after it was saved, so it stays".to_owned()),
        }
    }

    /// Makes the new names durable.
    fn flush_names(&mut self, together: bool) -> Result<()> {
        if together && self.root.sync_file_system()? {
            return Ok(());
        }
        for folder in &self.touched {
            if let Ok(dir) = self.root.open_dir(folder) {
                dir.sync()?;
            }
        }
        Ok(())
    }

    fn keep_for(&mut self, change: &Difference, error: &io::Error) {
        let code = code_for(error);
        let detail = if code == "link_in_the_way" {
            "a symbolic link or a file is where a folder should be; vib does not follow it".to_owned()
        } else {
            error.to_string()
        };
        self.keep(&change.path, code, detail);
    }
}

fn code_for(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::NotADirectory { "link_in_the_way" } else { "io" }
}
