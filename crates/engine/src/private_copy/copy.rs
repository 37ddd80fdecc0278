//! The private copy that checks run in: a folder of its own in the state folder, gone when the work in it ends.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use project::{FileLock, RelPath, platform};
use store::{Materialised, Store, View};

use super::carry::{Dependencies, How};
use super::environment;
use super::look::Look;
use super::wall::{Caller, Wall};
use crate::{Engine, Result};

/// What a copy is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To find the step that broke something.
    Bisect,
    /// To run the project's checks.
    Verification,
}

impl Purpose {
    /// Where such copies lie.
    fn folder(self) -> &'static str {
        match self {
            Self::Bisect => "bisect",
            Self::Verification => "verification",
        }
    }

    /// The variable by which everything that a check starts is known.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Bisect => "VIB_BISECT",
            Self::Verification => "VIB_VERIFICATION",
        }
    }
}

/// Processes that a check started may start others while they are ended.
const ROUNDS: usize = 20;

/// A copy that is being used.
pub(crate) struct Copy {
    /// What marks its processes, and names its folder.
    pub(super) id: String,
    pub(super) purpose: Purpose,
    folder: PathBuf,
    /// The project that it is a copy of.
    root: PathBuf,
    tree: Option<Materialised>,
    dependencies: Option<Dependencies>,
    carried: Vec<String>,
    /// Variables that a check gets in the place of those of this process.
    pub(super) variables: Vec<(OsString, Option<OsString>)>,
    /// Files outside by which a check may find the project all the same.
    leads_back: Vec<PathBuf>,
    /// What runs in it runs behind this.
    pub(super) wall: Wall,
    /// The project before anything ran.
    before: Look,
    _lock: FileLock,
}

fn place(engine: &Engine, purpose: Purpose) -> PathBuf {
    engine.project().state().join(purpose.folder())
}

/// Takes away what was left behind by work that was killed: its processes and its copy.
pub(crate) fn clean_up(engine: &Engine) {
    clean_up_of(engine, Purpose::Bisect);
    clean_up_of(engine, Purpose::Verification);
}

fn clean_up_of(engine: &Engine, purpose: Purpose) {
    let Ok(entries) = std::fs::read_dir(place(engine, purpose)) else { return };
    for folder in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        // Whoever holds the lock is still at work.
        let Ok(Some(_lock)) = FileLock::try_now(&folder.with_extension("lock")) else { continue };
        if let Some(id) = folder.file_name().and_then(|name| name.to_str()) {
            end_all(purpose, id, &folder);
        }
        if store::remove_folder(&folder).is_ok() {
            let _ = std::fs::remove_file(folder.with_extension("lock"));
        }
    }
}

/// Ends everything that was started in a copy: by its mark, and by the folder in which it works.
fn end_all(purpose: Purpose, id: &str, folder: &Path) {
    for _ in 0..ROUNDS {
        let ended = platform::end_marked(purpose.mark(), id) + platform::end_in_folder(folder);
        if ended == 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

impl Copy {
    /// Begins one, and looks at the project as it is.
    pub(crate) fn begin(
        engine: &Engine,
        store: &Store<'_>,
        purpose: Purpose,
        caller: &Caller,
    ) -> Result<Self> {
        let all = place(engine, purpose);
        platform::make_private_dir(&all).map_err(store::Error::from)?;
        let id = format!("{:012x}", engine.context().secret_u64() >> 16);
        let folder = all.join(&id);
        let lock = FileLock::wait(&folder.with_extension("lock")).map_err(store::Error::from)?;
        platform::make_private_dir(&folder).map_err(store::Error::from)?;
        let root = engine.project().root().to_path_buf();
        let home = engine.context().home();
        let turned = environment::turn(&caller.environment, &root, &folder.join(TREE), home);
        Ok(Self {
            wall: Wall::of(engine, purpose, &folder, caller.program.as_deref()),
            before: Look::at(store, &store::Silent)?,
            id,
            purpose,
            folder,
            root,
            tree: None,
            dependencies: None,
            carried: Vec::new(),
            variables: turned.variables,
            leads_back: turned.leads_back,
            _lock: lock,
        })
    }

    /// Whether the kernel keeps what runs here out of the project.
    pub(crate) fn is_closed(&self) -> bool {
        self.wall.is_up()
    }

    /// The folder that is all of it.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where checks may leave what is for the moment.
    pub(super) fn temporary(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// Ends everything that runs in it.
    pub(super) fn end_all(&self) {
        end_all(self.purpose, &self.id, &self.folder);
    }

    /// Where the state is.
    pub(crate) fn tree(&self) -> PathBuf {
        self.folder.join(TREE)
    }

    /// Takes the copy to a state: written whole the first time, by the difference after that.
    pub(crate) fn move_to(
        &mut self,
        store: &Store<'_>,
        view: &View,
        progress: &dyn store::Progress,
    ) -> Result<()> {
        let place = self.tree();
        // A check may do away with the folder that it stands in, or close it to everybody: then it is made anew.
        let is_whole = match &mut self.tree {
            Some(tree) if place.is_dir() => tree.mend().is_ok(),
            _ => false,
        };
        match self.tree.as_mut().filter(|_| is_whole) {
            Some(tree) => {
                tree.move_to(store, view)?;
            }
            None => {
                store::remove_folder(&place)?;
                self.tree = Some(store.materialise(view, &place, progress)?);
            }
        }
        let how = match self.purpose {
            _ if self.wall.is_up() => How::Linked,
            Purpose::Bisect => How::CopiedOrLinked,
            Purpose::Verification => How::CopiedOnly,
        };
        let dependencies = match &mut self.dependencies {
            Some(known) => known,
            none => {
                let found = Dependencies::find(&self.root, store)?;
                self.before.look_into(&found.places(&self.root));
                none.insert(found)
            }
        };
        for name in dependencies.carry(&self.root, &place, how) {
            if !self.carried.contains(&name) {
                self.carried.push(name);
            }
        }
        Ok(())
    }

    /// Dependency folders that are in it as they are in the project now.
    pub(crate) fn carried(&self) -> &[String] {
        &self.carried
    }

    /// Those that are too large to be copied where there is no wall.
    pub(crate) fn not_carried(&self) -> &[String] {
        self.dependencies.as_ref().map_or(&[], |known| &known.left_out)
    }

    /// By what a check may see the project as it is now: files outside that name it, and folders that are too large to be looked through.
    pub(crate) fn leads_back(&self) -> Vec<String> {
        let outside = self.leads_back.iter().map(|file| file.display().to_string());
        let unread = self.dependencies.iter().flat_map(|known| known.unread.iter().cloned());
        outside.chain(unread).collect()
    }

    /// What is different in the project since the copy was begun, a few of it by name. Ends what still runs first.
    pub(crate) fn touched(&self, store: &Store<'_>) -> Result<Vec<String>> {
        self.end_all();
        let folders = self.dependencies.as_ref().map(|known| known.places(&self.root)).unwrap_or_default();
        Ok(self.before.again(store, &folders)?.changed_since(&self.before, &self.root))
    }

    /// What lies at the top of the project and not in the copy, because no state has it; the copy is no repository, either.
    pub(crate) fn missing(&self, store: &Store<'_>) -> Result<Vec<String>> {
        let tree = self.tree();
        let mut out = Vec::new();
        let entries = std::fs::read_dir(&self.root).into_iter().flatten().flatten();
        for name in entries.map(|entry| entry.file_name()) {
            if name == ".git" {
                out.push(".git".to_owned());
                continue;
            }
            let Ok(path) = RelPath::new(&platform::path_to_bytes(Path::new(&name))) else { continue };
            if tree.join(&name).symlink_metadata().is_err() && !store.has_saved(&path)? {
                out.push(path.to_string());
            }
        }
        out.sort();
        Ok(out)
    }
}

/// The folder of a copy that the state is in.
const TREE: &str = "tree";

impl Drop for Copy {
    fn drop(&mut self) {
        self.end_all();
        if store::remove_folder(&self.folder).is_ok() {
            let _ = std::fs::remove_file(self.folder.with_extension("lock"));
        }
    }
}
