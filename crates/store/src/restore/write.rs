//! Writing new content into the tree, through the same gate as going back: the content goes into the store first, and
//! then a [`Plan`] like any other is carried out under a safety checkpoint, journal and all.

use project::{RelPath, platform};

use super::plan::refuse_case_collisions;
use super::{Plan, Purpose};
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;
use crate::pack::{self, BlobSink, ContentMeter};
use crate::timeline::Difference;
use crate::{Result, Store, TreeLock};

/// A file that shall be written, made or removed.
#[derive(Debug, Clone)]
pub struct Write {
    /// The path.
    pub path: RelPath,
    /// The content and mode that the wish was made for; none if there must be nothing. If something else is found when
    /// the state is saved, nothing is touched.
    pub before: Option<(ContentHash, u32)>,
    /// The content and mode that it shall have; none if it shall go away.
    pub after: Option<(Vec<u8>, u32)>,
}

impl Store<'_> {
    /// Puts the new content into the store and plans to write it. The content is on the disk when the safety checkpoint
    /// is, which is made next.
    pub fn plan_writes(&mut self, lock: &TreeLock, writes: &[Write]) -> Result<Plan> {
        let contents = writes.iter().filter_map(|write| write.after.as_ref());
        self.save_contents(lock, contents.map(|(content, _)| content.as_slice()))?;
        self.plan_of_writes(writes)
    }

    /// Plans to write this content, which has to be saved before the plan is carried out.
    pub fn plan_of_writes(&self, writes: &[Write]) -> Result<Plan> {
        let entry = |hash: ContentHash, size: u64, mode: u32| Entry {
            kind: EntryKind::File,
            mode,
            size,
            hash,
            sensitive: false,
        };
        let mut changes: Vec<Difference> = writes
            .iter()
            .map(|write| Difference {
                path: write.path.clone(),
                before: write.before.map(|(hash, mode)| entry(hash, 0, mode)),
                after: write
                    .after
                    .as_ref()
                    .map(|(content, mode)| entry(ContentHash::of(content), content.len() as u64, *mode)),
            })
            .collect();
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        refuse_case_collisions(&changes, platform::ignores_case(self.project.root()))?;
        Ok(Plan { target: Purpose::Patch.target().to_owned(), purpose: Purpose::Patch, changes })
    }

    /// Puts computed content into the store, for a plan that is carried out under the same lock. It is on the disk when the safety
    /// checkpoint is.
    pub fn save_contents<'c>(
        &mut self,
        _lock: &TreeLock,
        contents: impl Iterator<Item = &'c [u8]>,
    ) -> Result<()> {
        let sink = BlobSink::new(self.folder().to_path_buf(), self.head()? == 0);
        {
            let mut meter = ContentMeter::new(Some(self.db.reader()));
            for content in contents {
                sink.put(&mut meter, ContentHash::of(content), content)?;
            }
        }
        let (mut rows, output, _) = sink.finish()?;
        let folder = self.folder().to_path_buf();
        let boot = platform::boot_id();
        self.db
            .write(false, |transaction| pack::place(transaction, &folder, output, &mut rows, boot.as_deref()))
    }

    /// True if the content of this file is never shown, because it usually holds secrets.
    pub fn is_sensitive(&self, path: &RelPath) -> Result<bool> {
        let rules = self.rules(&self.root_handle()?);
        Ok(rules.is_sensitive(path.as_bytes()) || rules.includes(path.as_bytes(), 0))
    }

    /// True if this path is left out of checkpoints by an ignore file, or lies in a folder that a tool makes again.
    pub fn is_left_out(&self, path: &RelPath) -> Result<bool> {
        let root = self.root_handle()?;
        let rules = self.rules(&root);
        Ok(crate::walk::is_left_out(&root, &rules, path))
    }
}
