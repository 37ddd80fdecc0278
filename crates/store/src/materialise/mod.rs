//! A saved state, written out into a folder of its own: for whoever wants to run something in it (a bisect, a check of somebody's
//! work, a workspace for an agent) and must not touch the project.
//!
//! [`Store::materialise`] writes a whole state once. [`Materialised::move_to`] then takes the folder to any other state by the
//! *difference*: what is the same in both is not touched, so it keeps its times and build tools do again only what they must. What a
//! program left there that is in no state (build products, caches) stays. What it changed of the state itself is found by
//! [`Materialised::mend`] and written again with the next move.
//!
//! The folder belongs to whoever made it; nothing here ever looks at or writes into the project. A link of the project that leads into the
//! project by its full path leads into the copy instead.

mod look;
mod place;
mod remove;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use project::RelPath;
use project::platform::{self, DirHandle, FileStat};

use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;
use crate::progress::{Phase, Progress};
use crate::view::View;
use crate::walk::scan::join;
use crate::{Error, Result, Store};

pub use remove::remove_folder;

/// A folder that holds a saved state.
#[derive(Debug)]
pub struct Materialised {
    folder: PathBuf,
    root: DirHandle,
    /// The state that was last asked for.
    view: View,
    /// What lies in the folder of it, and how the file system saw it when it was written.
    placed: BTreeMap<Vec<u8>, Placed>,
    /// Paths that are not as `placed` says, or could not be written.
    unsure: BTreeSet<Vec<u8>>,
    /// When files of the project were last changed; only for what is written first.
    times: place::Times,
    /// When the last move ended, nanoseconds since 1970: what was written shortly before is looked at more closely.
    settled_ns: i64,
}

/// One path that was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) entry: Entry,
    pub(crate) stat: FileStat,
}

/// What a move did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Moved {
    /// Files, links and folders that were written.
    pub written: u64,
    /// Those that were removed.
    pub removed: u64,
}

impl Store<'_> {
    /// The state that the look of checkpoint `seq` left recorded: everything that was known then, also where that look was at one file
    /// only. Exact as long as the checkpoint is kept.
    pub fn recorded_state_at(&self, seq: i64) -> View {
        View::recorded(seq)
    }

    /// Writes a state into `folder`, which must be empty or not there yet. The folder is readable by its owner only.
    pub fn materialise(&self, view: &View, folder: &Path, progress: &dyn Progress) -> Result<Materialised> {
        platform::make_private_dir(folder)?;
        let is_empty = fs_err::read_dir(folder)?.next().is_none();
        if !is_empty {
            return Err(Error::TargetExists(folder.to_path_buf()));
        }
        let mut copy = Materialised {
            folder: folder.to_path_buf(),
            root: DirHandle::open_root(folder)?,
            view: View::recorded(0),
            placed: BTreeMap::new(),
            unsure: BTreeSet::new(),
            times: self.known_times()?,
            settled_ns: 0,
        };
        let wanted: Vec<(Vec<u8>, Option<Entry>)> =
            self.entries_of(view)?.into_iter().map(|(path, entry)| (path, Some(entry))).collect();
        progress.begin(Phase::Restoring, Some(wanted.len() as u64));
        copy.place(self, &wanted, progress)?;
        copy.view = view.clone();
        // What a later move writes is newer than everything that was built here in between.
        copy.times.clear();
        Ok(copy)
    }

    /// When the files were changed, as the last look at the project saw them.
    fn known_times(&self) -> Result<place::Times> {
        let index = self.load_index()?;
        let mut times = place::Times::new();
        for dir in (0..index.len()).filter_map(|ordinal| index.dir(ordinal)) {
            for entry in dir.entries().filter(|entry| entry.saved().is_some()) {
                times.insert(join(dir.path, entry.name), (entry.hash, entry.stat.mtime_ns));
            }
        }
        Ok(times)
    }
}

impl Materialised {
    /// A folder that holds these paths already, taken to a state by writing what is different.
    pub(crate) fn taken_over(
        store: &Store<'_>,
        view: &View,
        folder: &Path,
        root: DirHandle,
        placed: BTreeMap<Vec<u8>, Placed>,
        wanted: &[(Vec<u8>, Option<Entry>)],
        progress: &dyn Progress,
    ) -> Result<(Self, Moved)> {
        let mut copy = Self {
            folder: folder.to_path_buf(),
            root,
            view: view.clone(),
            placed,
            unsure: BTreeSet::new(),
            times: place::Times::new(),
            settled_ns: 0,
        };
        progress.begin(Phase::Restoring, Some(wanted.len() as u64));
        let moved = copy.place(store, wanted, progress)?;
        Ok((copy, moved))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Everything that lies in it of the state, in order of path.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (&Vec<u8>, &Placed)> {
        self.placed.iter()
    }

    /// How many paths of the state lie in it.
    #[expect(clippy::len_without_is_empty, reason = "a state is never asked whether it is empty")]
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// Whether the state has this path.
    pub(crate) fn has(&self, path: &[u8]) -> bool {
        self.placed.contains_key(path)
    }

    /// The contents of its files and links.
    pub(crate) fn contents(&self) -> impl Iterator<Item = ContentHash> {
        let entries = self.placed.values().map(|placed| placed.entry);
        entries.filter(|entry| entry.kind != EntryKind::Dir).map(|entry| entry.hash)
    }

    /// The state that it holds.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Takes the folder to another state of the same store. If something cannot be written the folder is between two states, and says so
    /// with an error; the next move puts it right.
    pub fn move_to(&mut self, store: &Store<'_>, view: &View) -> Result<Moved> {
        let mut paths: BTreeSet<Vec<u8>> = std::mem::take(&mut self.unsure);
        let changed = store.compare(&self.view, view, &[])?;
        paths.extend(changed.into_iter().map(|change| change.path.as_bytes().to_vec()));
        let mut wanted = Vec::with_capacity(paths.len());
        for path in paths {
            let entry = store.entry_in(view, &path)?.filter(|_| RelPath::new(&path).is_ok());
            wanted.push((path, entry));
        }
        self.view = view.clone();
        self.place(store, &wanted, &crate::Silent)
    }

    /// Puts these paths into place: what is to go goes first, then folders come, then files and links, and the modes of folders last.
    fn place(
        &mut self,
        store: &Store<'_>,
        wanted: &[(Vec<u8>, Option<Entry>)],
        progress: &dyn Progress,
    ) -> Result<Moved> {
        // Until all of it is done nothing of it is sure.
        self.unsure.extend(wanted.iter().map(|(path, _)| path.clone()));
        let mut moved = Moved::default();
        for (path, entry) in wanted.iter().rev() {
            let is_dir = |entry: &Entry| entry.kind == EntryKind::Dir;
            let was = self.placed.get(path).map(|placed| placed.entry);
            let stays = entry
                .as_ref()
                .is_some_and(|entry| was.as_ref().is_none_or(|was| is_dir(was) == is_dir(entry)));
            if !stays {
                place::remove(&self.root, path)?;
                moved.removed += u64::from(self.placed.remove(path).is_some());
            }
        }
        let here = |kind_is_dir: bool| {
            wanted.iter().filter_map(move |(path, entry)| {
                let entry = entry.as_ref().filter(|entry| (entry.kind == EntryKind::Dir) == kind_is_dir)?;
                Some((path.as_slice(), *entry))
            })
        };
        for (path, entry) in here(true) {
            place::folder(&self.root, path, entry.mode)?;
        }
        let files: Vec<(&[u8], Entry)> = here(false).collect();
        let manner = place::Manner { project: store.project.root(), copy: &self.folder, times: &self.times };
        let written = place::files(store, &self.root, &manner, &files, progress)?;
        moved.written += files.len() as u64;
        for ((path, entry), stat) in files.into_iter().zip(written) {
            self.placed.insert(path.to_vec(), Placed { entry, stat });
        }
        // Inner folders first: one that nobody may write into can be filled until then.
        let folders: Vec<(&[u8], Entry)> = here(true).collect();
        for (path, entry) in folders.into_iter().rev() {
            let stat = place::folder_mode(&self.root, path, entry.mode)?;
            self.placed.insert(path.to_vec(), Placed { entry, stat });
            moved.written += 1;
        }
        self.close_opened(wanted)?;
        self.unsure.clear();
        self.settled_ns = place::now_ns();
        Ok(moved)
    }

    /// Folders that let nobody write were opened up to change what is in them.
    fn close_opened(&self, wanted: &[(Vec<u8>, Option<Entry>)]) -> Result<()> {
        let mut above: BTreeSet<&[u8]> = BTreeSet::new();
        for (path, _) in wanted {
            let mut end = path.len();
            while let Some(at) = path[..end].iter().rposition(|&byte| byte == b'/') {
                end = at;
                if !above.insert(&path[..end]) {
                    break;
                }
            }
        }
        for folder in above.into_iter().rev() {
            let placed = self.placed.get(folder).filter(|placed| placed.entry.kind == EntryKind::Dir);
            let closed = placed.map(|placed| placed.entry.mode);
            if let Some(mode) = closed.filter(|mode| mode & 0o300 != 0o300) {
                place::folder_mode(&self.root, folder, mode)?;
            }
        }
        Ok(())
    }
}
