//! [`Store`]: the checkpoints of one project, opened.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use project::platform::{self, DirHandle};
use project::{Context, FileLock, LockHolder, Project};
use rusqlite::OptionalExtension;

use crate::db::{Database, read_only_or};
use crate::hash::ContentHash;
use crate::pack::PackReader;
use crate::walk::index::StatIndex;
use crate::walk::rules::Rules;
use crate::{Error, Result};

/// How long a command waits for another one that walks, restores or cleans the same project.
const TREE_LOCK_PATIENCE: Duration = Duration::from_secs(30);

/// The checkpoints of one project.
pub struct Store<'p> {
    pub(crate) project: &'p Project,
    pub(crate) context: &'p Context,
    pub(crate) db: Database,
    held: RefCell<HashMap<ContentHash, Vec<u8>>>,
    /// Something was lost before this store was first written to.
    pub(crate) lost_before: OnceCell<bool>,
}

/// The right to walk the tree as a whole, to restore or to clean up: one holder at a time. Single files are saved
/// without it, so an edit never waits for a walk.
#[derive(Debug)]
pub struct TreeLock {
    _file: FileLock,
}

impl<'p> Store<'p> {
    /// Opens the store of a project, creating it if there is none.
    pub fn open(context: &'p Context, project: &'p Project) -> Result<Self> {
        Self::open_or_begin(context, project, false)
    }

    /// As [`Self::open`]; `anew`: also beside content that has lost its index.
    pub(crate) fn open_or_begin(context: &'p Context, project: &'p Project, anew: bool) -> Result<Self> {
        let _told = tracing::debug_span!(target: "vib::store", "open").entered();
        let folder = project.state();
        platform::make_private_dir(folder).map_err(|error| read_only_or(error, folder))?;
        let db = Database::open_or_begin(folder, anew)?;
        let mut store = Self::with(context, project, db);
        store.enter_waiting_steps();
        Ok(store)
    }

    pub(crate) fn with(context: &'p Context, project: &'p Project, db: Database) -> Self {
        Self { project, context, db, held: RefCell::default(), lost_before: OnceCell::new() }
    }

    /// The folder that holds everything.
    pub fn folder(&self) -> &Path {
        self.project.state()
    }

    /// Takes the tree lock, waiting a while for whoever has it. `doing` is what others are told.
    pub fn lock_tree(&self, doing: &str) -> Result<TreeLock> {
        self.lock_tree_for(doing, TREE_LOCK_PATIENCE)
    }

    /// Takes the tree lock if nobody keeps it for longer than `patience`.
    pub fn lock_tree_for(&self, doing: &str, patience: Duration) -> Result<TreeLock> {
        let path = self.folder().join("tree.lock");
        let locked =
            FileLock::wait_for(&path, patience).map_err(|error| read_only_or(error, self.folder()))?;
        let Some(mut file) = locked else {
            return Err(Error::Busy(FileLock::holder(&path)));
        };
        let holder =
            LockHolder { pid: std::process::id(), doing: doing.to_owned(), since_ms: self.context.now_ms() };
        // The signature only improves a message.
        let _ = file.sign(&holder);
        Ok(TreeLock { _file: file })
    }

    pub(crate) fn root_handle(&self) -> Result<DirHandle> {
        let root = self.project.root();
        DirHandle::open_root(root).map_err(|error| {
            let message = format!("the project folder `{}` could not be opened: {error}", root.display());
            Error::Io(std::io::Error::new(error.kind(), message))
        })
    }

    pub(crate) fn rules(&self, root: &DirHandle) -> Rules {
        if self.project.is_loose() {
            return Rules::for_loose_files(self.project.config(), root);
        }
        // A lane is no repository; what git tracks and leaves out is that of the project.
        let lane = self.project.lane_of().filter(|_| root.stat(b".git").is_err());
        match lane.and_then(|lane| DirHandle::open_root(&lane.root).ok()) {
            Some(main) => Rules::load(self.project.config(), &main).with_git_of(main),
            None => Rules::load(self.project.config(), root),
        }
    }

    pub(crate) fn index_file(&self) -> PathBuf {
        self.folder().join("stat.index")
    }

    /// The stat index, if it belongs to this database as it is now; else one that knows nothing.
    pub(crate) fn load_index(&self) -> Result<StatIndex> {
        let index = StatIndex::load(&self.index_file());
        let belongs = self.binding(index.generation)? == Some(index.binding);
        Ok(if belongs { index } else { StatIndex::empty() })
    }

    /// What binds a stat index to this database: which one it is, and which checkpoint has this number in it. In an older copy of the
    /// database the number is missing, or another checkpoint's.
    pub(crate) fn binding(&self, generation: i64) -> Result<Option<u64>> {
        let reader = self.db.reader();
        let database: String = reader
            .prepare_cached("SELECT value FROM about WHERE name = 'id'")?
            .query_row([], |row| row.get(0))?;
        let checkpoint: Option<String> = reader
            .prepare_cached("SELECT id FROM checkpoint WHERE seq = ?1")?
            .query_row([generation], |row| row.get(0))
            .optional()?;
        if checkpoint.is_none() && generation != 0 {
            return Ok(None);
        }
        let text = format!("{database}\0{}", checkpoint.unwrap_or_default());
        Ok(Some(xxhash_rust::xxh3::xxh3_64(text.as_bytes())))
    }

    pub(crate) fn reader(&self) -> PackReader<'_> {
        PackReader::new(self.db.reader(), self.folder().to_path_buf())
    }

    /// The content of a saved file, checked against its hash. What only steps named that retention let go says so.
    pub fn content(&self, hash: &ContentHash) -> Result<Vec<u8>> {
        if let Some(content) = self.held.borrow().get(hash) {
            return Ok(content.clone());
        }
        match self.reader().read(hash) {
            Err(Error::DamagedContent { .. }) if self.was_let_go(hash)? => Err(Error::ContentExpired {
                oldest_available: self.oldest()?.map(|oldest| oldest.id.to_string()),
            }),
            other => other,
        }
    }

    /// True if content is not there, and nothing that is kept names it.
    fn was_let_go(&self, hash: &ContentHash) -> Result<bool> {
        let there = self.db.reader().prepare_cached("SELECT 1 FROM blob WHERE hash = ?1")?.exists([hash])?;
        let named = format!("SELECT 1 FROM ({}) WHERE hash = ?1", crate::gc::named_content());
        Ok(!there && !self.db.reader().prepare(&named)?.exists([hash])?)
    }

    /// Content that a plan would write and that was computed: it can be looked at like any other while this store is open, and
    /// nothing is written. [`Store::save_contents`] saves it when the plan is carried out.
    pub fn hold(&self, content: Vec<u8>) -> ContentHash {
        let hash = ContentHash::of(&content);
        self.held.borrow_mut().insert(hash, content);
        hash
    }

    /// The number of the newest checkpoint; 0 if there is none.
    pub(crate) fn head(&self) -> Result<i64> {
        let mut statement = self.db.reader().prepare_cached("SELECT ifnull(max(seq), 0) FROM checkpoint")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// A number that grows with everything that is saved; for "has anything happened?".
    pub fn change_counter(&self) -> Result<i64> {
        self.head()
    }
}
