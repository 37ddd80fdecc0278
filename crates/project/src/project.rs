//! [`Project`]: a root, an id, a state folder and the settings in force.

use std::path::{Path, PathBuf};

use crate::{
    Config, Context, Error, LaneOf, ProjectId, Result, RootKind, find_root, find_root_from, identity, lane,
    root,
};

/// An opened project.
#[derive(Debug)]
pub struct Project {
    root: PathBuf,
    id: ProjectId,
    state: PathBuf,
    kind: RootKind,
    config: Config,
    lane_of: Option<LaneOf>,
}

impl Project {
    /// Finds the project around the current folder, gives it an id if it has none, and reads the settings.
    pub fn open(context: &Context) -> Result<Self> {
        let (root, kind, known) = find_root(context)?;
        Self::settle(context, root, kind, known)
    }

    /// The same, from another folder than the current one.
    pub fn open_from(context: &Context, start: &Path) -> Result<Self> {
        let (root, kind, known) = find_root_from(context, start)?;
        Self::settle(context, root, kind, known)
    }

    /// Whether the current folder lies in a project that vib knows. Looks only.
    pub fn is_here(context: &Context) -> Result<bool> {
        let (root, _, known) = find_root(context)?;
        Ok(known.is_some() || root.join(identity::FOLDER).is_dir())
    }

    /// Makes the current folder itself the root, whatever lies above it.
    pub fn open_here(context: &Context) -> Result<Self> {
        root::refuse_never_a_project(context, context.cwd())?;
        let root = context.cwd().to_path_buf();
        let known = identity::read_id_file(&root)?;
        let known = known.or_else(|| identity::remembered_id(context.state().ok()?, &root));
        Self::settle(context, root, RootKind::CurrentFolder, known)
    }

    /// Joins this folder to the stored checkpoints of another id: a project that was cloned again elsewhere.
    pub fn adopt(context: &Context, id: &ProjectId) -> Result<Self> {
        let root = match find_root(context) {
            Ok((root, _, _)) => root,
            Err(_) => context.cwd().to_path_buf(),
        };
        root::refuse_never_a_project(context, &root)?;
        identity::adopt(context.state()?, &root, id)?;
        Self::settle(context, root, RootKind::Initialised, Some(id.clone()))
    }

    fn settle(context: &Context, root: PathBuf, kind: RootKind, known: Option<ProjectId>) -> Result<Self> {
        let state = context.state()?;
        if state.starts_with(&root) {
            // A home folder that is itself the project holds the state folder; every other case is a mistake.
            let home = context.home().and_then(|home| home.canonicalize().ok());
            if home.as_deref() != Some(root.as_path()) && root.parent().is_some() {
                return Err(Error::StateInsideProject { state: state.to_path_buf(), root });
            }
        }
        let id = identity::settle(context, &root, known)?;
        Self::put_together(context, root, id, kind)
    }

    pub(crate) fn put_together(
        context: &Context,
        root: PathBuf,
        id: ProjectId,
        kind: RootKind,
    ) -> Result<Self> {
        let state = context.state()?;
        let own = identity::state_folder(state, &id);
        let config = Config::load(context.config(), &root)?;
        let lane_of = lane::of(state, &own, &root);
        Ok(Self { lane_of, state: own, root, id, kind, config })
    }

    /// The one store of single files that lie in no project. Its root is the top of the file system that `place` is on; nothing in it
    /// is ever walked, and nothing is saved but what is named.
    pub fn loose(context: &Context, place: &Path) -> Result<Self> {
        let root = place.ancestors().last().unwrap_or(place).to_path_buf();
        let (id, state) = identity::of_loose_files(context.state()?, &root)?;
        let config = Config::for_loose_files(context.config())?;
        Ok(Self { root, id, state, kind: RootKind::Loose, config, lane_of: None })
    }

    /// The user's settings as they are in force here, where no project is: none is made for them. (M6)
    pub fn only_settings(context: &Context) -> Result<Self> {
        let root = context.cwd().to_path_buf();
        let config = Config::load(context.config(), &root)?;
        Ok(Self { root, config, ..Self::loose(context, context.cwd())? })
    }

    /// True for the store of single files that lie in no project.
    pub fn is_loose(&self) -> bool {
        self.kind == RootKind::Loose
    }

    /// The top folder of the user's tree, links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The id.
    pub fn id(&self) -> &ProjectId {
        &self.id
    }

    /// The private folder of this project's checkpoints, logs and locks.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Whose lane this is, if it is one.
    pub fn lane_of(&self) -> Option<&LaneOf> {
        self.lane_of.as_ref()
    }

    /// The folder of what is known about the project as a whole (memory, protected files, checks that may run): for a lane that of the
    /// project it is a lane of.
    pub fn shared_state(&self) -> &Path {
        self.lane_of.as_ref().map_or(&self.state, |lane| &lane.state)
    }

    /// Where it is written down, outside the folder of its checkpoints, which of them there are.
    pub fn kept_record(&self) -> PathBuf {
        let state = self.state.ancestors().nth(2).unwrap_or(&self.state);
        state.join("roots").join(format!("{}.kept", self.id))
    }

    /// How the root was found.
    pub fn root_kind(&self) -> RootKind {
        self.kind
    }

    /// The settings in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Vib's folder inside the project.
    pub fn own_folder(&self) -> PathBuf {
        self.root.join(identity::FOLDER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn context(base: &Path, cwd: &Path) -> Context {
        let base = base.canonicalize().unwrap();
        let get = move |name: &str| match name {
            "HOME" => Some(base.join("home").into_os_string()),
            _ => None::<OsString>,
        };
        Context::with_environment(cwd.canonicalize().unwrap(), &get)
    }

    #[test]
    fn the_id_survives_wiping_moving_and_recloning_cp7() {
        let base = tempfile::tempdir().unwrap();
        let first = base.path().join("app");
        std::fs::create_dir_all(&first).unwrap();
        let id = Project::open(&context(base.path(), &first)).unwrap().id().clone();

        // `git clean -fdx` takes our folder away; so does `rm -rf` and a new clone.
        std::fs::remove_dir_all(&first).unwrap();
        std::fs::create_dir_all(first.join("src")).unwrap();
        let again = Project::open(&context(base.path(), &first.join("src"))).unwrap();
        assert_eq!((again.id(), again.root_kind()), (&id, RootKind::Remembered));

        let second = base.path().join("moved");
        std::fs::rename(&first, &second).unwrap();
        assert_eq!(Project::open(&context(base.path(), &second)).unwrap().id(), &id);
    }

    #[test]
    fn files_in_no_project_have_one_store_and_leave_no_mark_t8() {
        let base = tempfile::tempdir().unwrap();
        let context = context(base.path(), base.path());
        let loose = Project::loose(&context, &base.path().join("notes.txt")).unwrap();
        assert!(loose.is_loose() && loose.root().parent().is_none());
        assert!(loose.state().starts_with(context.state().unwrap()), "{:?}", loose.state());
        assert!(loose.kept_record().starts_with(context.state().unwrap().join("roots")));
        assert_eq!(loose.config().number("retention.max_store_size"), 1 << 30);
        assert!(!loose.own_folder().exists(), "nothing of vib's lies at the top of the file system");
        let again = Project::loose(&context, Path::new("/elsewhere/deep/x")).unwrap();
        #[cfg(unix)]
        assert_eq!((again.id(), again.state()), (loose.id(), loose.state()));
        #[cfg(not(unix))]
        drop(again);
    }

    #[test]
    fn the_project_around_a_path_is_one_that_vib_knows_t8() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let (known, other) = (base.join("known"), base.join("other"));
        std::fs::create_dir_all(known.join("src")).unwrap();
        std::fs::create_dir_all(other.join(".git")).unwrap();
        let world = context(&base, &known);
        Project::open(&world).unwrap();
        let of = |path: &Path| crate::known_project_of(&world, path);
        assert_eq!(of(&known.join("src/a.rs")), Some(known.clone()));
        assert_eq!(of(&other.join("a.rs")), None);
        assert_eq!(of(&known), None, "the folder itself is not in it");
        // Its own folder was wiped: it is remembered.
        std::fs::remove_dir_all(known.join(".vibelign")).unwrap();
        assert_eq!(of(&known.join("src/a.rs")), Some(known));
    }

    #[test]
    fn a_copy_gets_an_id_of_its_own() {
        let base = tempfile::tempdir().unwrap();
        let (one, two) = (base.path().join("one"), base.path().join("two"));
        std::fs::create_dir_all(&one).unwrap();
        let first = Project::open(&context(base.path(), &one)).unwrap();
        std::fs::create_dir_all(two.join(".vibelign")).unwrap();
        std::fs::copy(one.join(".vibelign/id"), two.join(".vibelign/id")).unwrap();
        let second = Project::open(&context(base.path(), &two)).unwrap();
        assert_ne!(first.id(), second.id());
        assert_eq!(Project::open(&context(base.path(), &one)).unwrap().id(), first.id());
    }

    #[test]
    fn the_home_folder_is_too_wide_and_a_broken_id_is_not_guessed() {
        let base = tempfile::tempdir().unwrap();
        let home = base.path().join("home");
        std::fs::create_dir_all(&home).unwrap();
        assert_eq!(Project::open(&context(base.path(), &home)).unwrap_err().code(), "root_too_wide");

        let app = base.path().join("app");
        std::fs::create_dir_all(app.join(".vibelign")).unwrap();
        std::fs::write(app.join(".vibelign/id"), "../../etc").unwrap();
        assert_eq!(Project::open(&context(base.path(), &app)).unwrap_err().code(), "bad_project_id");
    }

    #[test]
    fn a_stray_mark_in_the_temp_folder_makes_no_project_of_it_t16() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let (temp, work) = (base.join("scratch"), base.join("scratch/inner/deep"));
        std::fs::create_dir_all(&work).unwrap();
        let world = |cwd: &Path| {
            let base = base.clone();
            let get = move |name: &str| match name {
                "HOME" => Some(base.join("home").into_os_string()),
                "TMPDIR" => Some(base.join("scratch").into_os_string()),
                _ => None::<OsString>,
            };
            Context::with_environment(cwd.to_path_buf(), &get)
        };
        for stray in [".git", ".vibelign"] {
            std::fs::create_dir(temp.join(stray)).unwrap();
        }
        std::fs::write(temp.join(".vibelign/id"), "0123456789abcdef0123\n").unwrap();
        // In the temp folder itself nothing is a project, not even if somebody insists.
        for refused in [
            Project::open(&world(&temp)),
            Project::open_here(&world(&temp)),
            Project::adopt(&world(&temp), &ProjectId::parse("0123456789abcdef0123").unwrap()),
        ] {
            let error = refused.unwrap_err();
            assert_eq!(error.code(), "root_too_wide");
            assert!(!error.next().contains("--here"), "{}", error.next());
        }
        // A folder below is one of its own.
        assert_eq!(Project::open(&world(&work)).unwrap().root(), work);
        let shallow = temp.join("other");
        std::fs::create_dir_all(shallow.join(".git")).unwrap();
        std::fs::create_dir_all(shallow.join("src")).unwrap();
        assert_eq!(Project::open(&world(&shallow.join("src"))).unwrap().root(), shallow);
    }

    #[test]
    fn a_work_tree_or_clone_inside_a_known_project_is_one_of_its_own_b2() {
        let base = tempfile::tempdir().unwrap();
        let app = base.path().join("app");
        for folder in [".git", "src", "clone/.git", "clone/src", ".worktrees/f1/src", "sub/src"] {
            std::fs::create_dir_all(app.join(folder)).unwrap();
        }
        std::fs::write(app.join(".worktrees/f1/.git"), "gitdir: ../../.git/worktrees/f1\n").unwrap();
        std::fs::write(app.join("sub/.git"), "gitdir: ../.git/modules/sub\n").unwrap();
        let root = |folder: &str| {
            let project = Project::open(&context(base.path(), &app.join(folder))).unwrap();
            project.root().strip_prefix(base.path().canonicalize().unwrap()).unwrap().to_path_buf()
        };
        assert_eq!(root("src"), Path::new("app"), "and now it is known");
        assert_eq!(root(".worktrees/f1/src"), Path::new("app/.worktrees/f1"));
        assert_eq!(root("clone/src"), Path::new("app/clone"));
        assert_eq!(root("sub/src"), Path::new("app"), "a submodule is a part of it");
        assert_eq!(root("src"), Path::new("app"));
    }

    #[test]
    fn git_top_is_the_root_when_nothing_else_is_known() {
        let base = tempfile::tempdir().unwrap();
        let deep = base.path().join("repo/a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(base.path().join("repo/.git")).unwrap();
        let project = Project::open(&context(base.path(), &deep)).unwrap();
        assert!(project.root().ends_with("repo"));
        assert_eq!(std::fs::read_to_string(project.own_folder().join(".gitignore")).unwrap(), "*\n");
    }

    #[test]
    #[cfg(unix)]
    fn links_that_a_repository_holds_under_our_names_lead_nowhere_s9() {
        let base = tempfile::tempdir().unwrap();
        let (root, victim) = (base.path().join("project"), base.path().join("letter"));
        std::fs::create_dir_all(root.join(".vibelign")).unwrap();
        std::fs::write(&victim, "mine").unwrap();
        let pid = std::process::id();
        for name in ["id", ".gitignore"] {
            for link in [format!(".{name}.{pid}.tmp"), format!(".{name}.tmp"), name.to_owned()] {
                std::os::unix::fs::symlink(&victim, root.join(".vibelign").join(link)).unwrap();
            }
        }
        // A name that leads to rubbish is no id: it is said, and nothing is written through it.
        let _ = Project::open(&context(base.path(), &root));
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
        std::fs::remove_file(root.join(".vibelign/id")).unwrap();
        Project::open(&context(base.path(), &root)).unwrap();
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
        assert!(!root.join(".vibelign/.gitignore").symlink_metadata().unwrap().is_symlink());
    }
}
