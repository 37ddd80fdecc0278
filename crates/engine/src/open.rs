//! [`Engine`]: a project, ready to be asked.

use std::path::PathBuf;
use std::time::Duration;

use project::{Context, Project, RelPath};
use store::{Progress, Resumed, Store};

use crate::Result;

/// A project in a world.
#[derive(Debug)]
pub struct Engine {
    context: Context,
    project: Project,
}

/// Something that happened on the way and that the person should know.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// A restore that an earlier command did not finish was finished.
    RestoreFinished(Box<Resumed>),
    /// A restore was cut off, and another command is just finishing it.
    RestoreBusy,
    /// Checkpoints that were kept here, or their content, are gone.
    CheckpointsLost(store::Lost),
    /// The audit log could not be written.
    NotRecorded {
        /// Why.
        message: String,
    },
    /// vib's own entries in these files stay as they are: they are not the person's work.
    OwnEntriesKept {
        /// The files.
        paths: Vec<String>,
    },
    /// These settings of a client cannot be read, so they are left as they are: vib's own entries might be in them.
    SettingsUnreadable {
        /// The files.
        paths: Vec<String>,
    },
    /// Going back changes files that a person protected: their yes is a yes to these too.
    Protected {
        /// The files.
        paths: Vec<String>,
    },
    /// The person switched the hooks off in this project.
    SwitchedOff {
        /// Since when, milliseconds since 1970.
        since_ms: i64,
    },
    /// Ignore rules leave these out since they were saved: of them only what is named is saved, and comes back.
    LeftOut {
        /// The files.
        paths: Vec<String>,
    },
    /// Files outside the project were changed by the same steps, and are no part of this.
    FilesOutside {
        /// Them, as a person would type them.
        paths: Vec<String>,
    },
    /// Commits were made by what is taken back, or since then: files go back, git's commits stay.
    CommitsStay {
        /// How many.
        count: usize,
        /// The newest of them, the newest first: hash and first line.
        newest: Vec<String>,
    },
    /// A setting was not used.
    Setting {
        /// Which and why.
        message: String,
    },
}

/// An open store and what happened while opening it.
pub struct Opened<'e> {
    /// The store.
    pub store: Store<'e>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl Engine {
    /// Finds the project around the current folder.
    pub fn open(context: Context) -> Result<Self> {
        let project = Project::open(&context)?;
        Ok(Self { context, project })
    }

    /// For the user's own settings: where no project is, none is made.
    pub fn open_for_settings(context: Context) -> Result<Self> {
        if Project::is_here(&context)? {
            return Self::open(context);
        }
        let project = Project::only_settings(&context)?;
        Ok(Self { context, project })
    }

    /// Finds the project around another folder: an agent wanders, its session stays where it was started.
    pub fn open_from(context: Context, start: &std::path::Path) -> Result<Self> {
        let project = Project::open_from(&context, start)?;
        Ok(Self { context, project })
    }

    pub(crate) fn with(context: Context, project: Project) -> Self {
        Self { context, project }
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The world.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The language in which somebody is answered who wrote this: that of their words, where the script tells it.
    pub fn language_for(&self, words: &str) -> texts::Language {
        texts::Language::of_script(words).unwrap_or_else(|| self.language())
    }

    /// The language in which this person is spoken to.
    pub fn language(&self) -> texts::Language {
        let chosen = texts::Language::from_code(self.project.config().word("ui.language"));
        chosen.unwrap_or_else(|| texts::Language::of_environment(&self.context))
    }

    /// Opens the store and finishes what an earlier command, cut off, left half done.
    pub fn store(&self, progress: &dyn Progress) -> Result<Opened<'_>> {
        let mut store = Store::open(&self.context, &self.project)?;
        let mut notices: Vec<Notice> =
            self.project.config().warnings().iter().map(|m| Notice::Setting { message: m.clone() }).collect();
        let off = crate::switch::switched_off(self);
        notices.extend(off.map(|off| Notice::SwitchedOff { since_ms: off.since_ms }));
        notices.extend(store.lost()?.map(Notice::CheckpointsLost));
        if store.has_unfinished_restore()? {
            // A restore that is still running holds the lock: then it is not ours to finish.
            match store.lock_tree_for("finishing a restore", Duration::from_millis(50)) {
                Ok(lock) => {
                    let finished = store.finish_restores(&lock, progress)?;
                    notices.extend(
                        finished.into_iter().map(|resumed| Notice::RestoreFinished(Box::new(resumed))),
                    );
                }
                Err(store::Error::Busy(_)) => notices.push(Notice::RestoreBusy),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Opened { store, notices })
    }

    /// Paths as a person typed them, inside the project. The root itself means "everything" and gives an empty list.
    pub fn paths(&self, typed: &[PathBuf]) -> Result<Vec<RelPath>> {
        let mut paths = Vec::new();
        for path in typed {
            if self.project.is_loose() {
                paths.push(self.loose_path(path)?);
                continue;
            }
            match RelPath::from_user(self.project.root(), self.context.cwd(), path)? {
                Some(path) => paths.push(path),
                None => return Ok(Vec::new()),
            }
        }
        Ok(paths)
    }

    /// A path among the loose files: with the links of the folders above it resolved, as they were when it was saved.
    fn loose_path(&self, typed: &std::path::Path) -> Result<RelPath> {
        let typed = crate::outside::expanded(&self.context, typed);
        let path = crate::outside::real_path(&self.context.cwd().join(&typed), false);
        let inside = path.strip_prefix(self.project.root()).unwrap_or(&path);
        Ok(RelPath::new(&project::platform::path_to_bytes(inside))?)
    }

    /// How a path of this store is named for people and programs: inside the project, or from the top of the file system.
    pub fn name_of(&self, path: &RelPath) -> String {
        self.name_from_top(path.to_string())
    }

    pub(crate) fn name_from_top(&self, path: String) -> String {
        if self.project.is_loose() { format!("{}{path}", self.project.root().display()) } else { path }
    }
}
