//! [`Outside`]: what of a step lies outside its project, and where each part of it is saved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use project::{RelPath, own_project_of, platform};

use super::gather::{self, Budget, MOST_BYTES, MOST_FILES, TooMuch};
use super::place::{Keeper, keeper_of, real_path};
use super::typed::{loose_files, shown};
use crate::agent::Reach;
use crate::judge::{JudgeReport, Target, known_writes};
use crate::{Engine, switch};

/// As many targets as a verdict names; there may be more.
const MOST_TARGETS: usize = 64;
/// A folder with more files than this goes only after a question, saved or not.
const MANY_FILES: usize = 200;

/// What of a step lies outside its project.
#[derive(Debug, Default)]
pub struct Outside {
    /// Other projects of vib's and the store of loose files, each with what may be written there.
    pub places: Vec<(Engine, Reach)>,
    /// Why something of it cannot be saved before it runs.
    pub obstacle: Option<Obstacle>,
    /// It takes a whole folder with very much in it, or one that stands for a good part of somebody's files.
    pub is_wide: bool,
    /// Everything that a command names outside, as the judge wrote it, and that is saved.
    pub(super) covered: Vec<String>,
    /// What of it lies in other projects: there it is taken back like anything else.
    pub(super) in_projects: Vec<String>,
}

/// Why something cannot be saved before a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// What.
    pub path: PathBuf,
    /// Why not, in words that go on after its name.
    pub why: String,
}

impl Outside {
    /// Nothing of the step lies outside.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.obstacle.is_none()
    }

    /// The other projects that it reaches into.
    pub fn projects(&self) -> impl Iterator<Item = &Engine> {
        self.places.iter().map(|(engine, _)| engine).filter(|engine| !engine.project().is_loose())
    }

    /// What an edit tool names. `root` is the project of the session.
    pub fn of_edits(engine: &Engine, paths: &[PathBuf]) -> Self {
        let mut plan = Planning::new(engine);
        for path in paths {
            let path = engine.context().cwd().join(path);
            plan.written(&path, false);
        }
        plan.finish()
    }

    /// What a command names outside, and the projects in whose folders it runs. `judged_in` is the project that it was judged in, if that
    /// is another than the session's.
    pub fn of_commands(engine: &Engine, reports: &[JudgeReport], judged_in: Option<&Path>) -> Self {
        let mut plan = Planning::new(engine);
        plan.nested = true;
        for report in reports.iter().filter(|report| report.verdict.can_write) {
            plan.judged_in = judged_in.map(Path::to_path_buf);
            plan.command(report);
        }
        plan.finish()
    }
}

/// The judge names something in a folder (`find … -delete`, `tar x -C …`) by a name that stands for all.
fn is_made_up(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == shell::EACH || name == "x")
        && path.symlink_metadata().is_err()
}

struct Planning<'e> {
    engine: &'e Engine,
    judged_in: Option<PathBuf>,
    /// Projects of their own inside this one count as other ones.
    nested: bool,
    budget: Budget,
    named: BTreeMap<Keeper, Vec<RelPath>>,
    /// Projects of which the whole tree has to be looked at.
    whole: Vec<PathBuf>,
    out: Outside,
}

impl<'e> Planning<'e> {
    fn new(engine: &'e Engine) -> Self {
        Self {
            engine,
            judged_in: None,
            nested: false,
            budget: Budget::default(),
            named: BTreeMap::new(),
            whole: Vec::new(),
            out: Outside::default(),
        }
    }

    fn keeper(&self, path: &Path) -> Keeper {
        if let Some(own) = self.nested_around(path) {
            return Keeper::Project(own);
        }
        keeper_of(self.engine.context(), Some(self.engine.project().root()), path)
    }

    /// The project of its own inside this one that a path lies in. (M6)
    fn nested_around(&self, path: &Path) -> Option<PathBuf> {
        self.nested.then(|| own_project_of(self.engine.project().root(), path)).flatten()
    }

    /// A path is written: the name, and what a link of that name leads to. True if all of it is saved, or none of it lies outside.
    fn written(&mut self, path: &Path, deep: bool) -> bool {
        let (entry, target) = (real_path(path, false), real_path(path, true));
        let mut saved = self.add(&entry, deep);
        if target != entry {
            saved &= self.add(&target, deep);
        }
        saved
    }

    /// Adds one path as the disk has it. True if it is saved, or not outside.
    fn add(&mut self, path: &Path, deep: bool) -> bool {
        let keeper = self.keeper(path);
        let root = match &keeper {
            // Judged from elsewhere, nobody has looked what a checkpoint holds of it.
            Keeper::Inside => return self.judged_in.is_none(),
            Keeper::Nobody => return false,
            Keeper::Project(root) if self.judged_in.as_deref() == Some(root) => return true,
            Keeper::Project(root) | Keeper::Loose(root) => root.clone(),
        };
        let found = match gather::gather(path, deep, &mut self.budget) {
            Ok(found) => found,
            Err(much) => {
                // Of a project at least what its checkpoints hold is saved.
                if let Keeper::Project(root) = keeper {
                    self.whole.push(root);
                }
                return self.stops(path, &much);
            }
        };
        if found.len() > 1 {
            self.out.is_wide |= found.len() > MANY_FILES || self.is_near_top(path, &keeper);
        }
        let mut paths = Vec::with_capacity(found.len());
        for one in found {
            let inside = one.strip_prefix(&root).ok().map(platform::path_to_bytes);
            match inside.and_then(|inside| RelPath::new(&inside).ok()) {
                Some(path) => paths.push(path),
                None => {
                    self.obstacle(&one, "belongs to git or to vib itself, and no checkpoint holds that");
                    return false;
                }
            }
        }
        let named = self.named.entry(keeper).or_default();
        paths.retain(|path| !named.contains(path));
        named.extend(paths);
        true
    }

    /// A folder right below the home, or near the top of a disk, stands for a good part of what somebody has.
    fn is_near_top(&self, path: &Path, keeper: &Keeper) -> bool {
        let home = self.engine.context().home().map(|home| real_path(home, true));
        matches!(keeper, Keeper::Loose(_))
            && (path.components().count() <= 3 || home.is_some_and(|home| path.parent() == Some(&home)))
    }

    fn stops(&mut self, path: &Path, much: &TooMuch) -> bool {
        let limit = format!(
            "vib saves up to {} MB and {MOST_FILES} files outside the project before one step",
            MOST_BYTES >> 20
        );
        match much {
            TooMuch::Bytes(bytes) => {
                self.obstacle(path, &format!("holds {} MB or more; {limit}", bytes.div_ceil(1 << 20)));
            }
            TooMuch::Files(files) => self.obstacle(path, &format!("holds {files} files or more; {limit}")),
            TooMuch::Unreadable(path, detail) => self.obstacle(path, &format!("cannot be read ({detail})")),
        }
        false
    }

    fn obstacle(&mut self, path: &Path, why: &str) {
        self.out.obstacle.get_or_insert(Obstacle { path: path.to_path_buf(), why: why.to_owned() });
    }

    fn command(&mut self, report: &JudgeReport) {
        let verdict = &report.verdict;
        // Links are resolved by the judge: what it calls the project is inside.
        let root = self.engine.project().root().display().to_string();
        let judged_here = self.judged_in.is_none() && report.root.as_ref() == Some(&root);
        let is_cut = verdict.writes.len() >= MOST_TARGETS || verdict.deletes.len() >= MOST_TARGETS;
        let writes = verdict.writes.iter().map(|target| (target, false));
        for (target, goes) in writes.chain(verdict.deletes.iter().map(|target| (target, true))) {
            let is_own = self.nested_around(Path::new(&target.path)).is_none();
            if judged_here
                && is_own
                && matches!(target.place, shell::Place::Project | shell::Place::ProjectRoot)
            {
                continue;
            }
            let loose = self.in_loose_files();
            if self.target(target, goes) && !is_cut {
                self.out.covered.push(target.path.clone());
                if self.in_loose_files() == loose {
                    self.out.in_projects.push(target.path.clone());
                }
            }
        }
        self.places_it_runs_in(report);
    }

    fn in_loose_files(&self) -> usize {
        let loose = self.named.iter().filter(|(keeper, _)| matches!(keeper, Keeper::Loose(_)));
        loose.map(|(_, paths)| paths.len()).sum()
    }

    /// True if what the command does there is saved, or is no loss outside.
    fn target(&mut self, target: &Target, goes: bool) -> bool {
        use shell::Place;
        let is_known = target.path.starts_with('/') && !target.path.contains('…');
        if !is_known || matches!(target.place, Place::Stream | Place::Device | Place::Remote | Place::Unknown)
        {
            return false;
        }
        // Whole folders of throw-away files are let go as they are.
        if target.place == Place::Temp && target.recursive {
            return true;
        }
        let Some(paths) = gather::matches(&target.path) else { return false };
        let mut saved = true;
        for path in paths {
            if is_made_up(&path) {
                self.whole_folder(&path);
                return false;
            }
            // What is not there cannot be saved, so nobody may promise it.
            saved &= !goes || path.symlink_metadata().is_ok();
            saved &= if goes {
                self.add(&real_path(&path, false), true)
            } else {
                // What is put into a folder may replace anything in it.
                self.written(&path, true)
            };
        }
        saved
    }

    /// Something in this path's folder goes or is replaced, and nobody knows what: all of it is saved, if that is little.
    fn whole_folder(&mut self, path: &Path) {
        let before = self.out.obstacle.take();
        if let Some(folder) = path.parent() {
            self.add(&real_path(folder, true), true);
        }
        self.out.obstacle = before;
    }

    /// Other projects in whose folders something runs that may write anywhere there.
    fn places_it_runs_in(&mut self, report: &JudgeReport) {
        let verdict = &report.verdict;
        if let Some(root) = &self.judged_in
            && report.needs_checkpoint
        {
            match known_writes(root, verdict) {
                Some(paths) => self.named.entry(Keeper::Project(root.clone())).or_default().extend(paths),
                None => self.whole.push(root.clone()),
            }
        }
        // Everything that it writes is named.
        if verdict.writes_only.is_some() {
            return;
        }
        for folder in verdict.folders.iter().chain(&verdict.folders_inside) {
            // The folder itself is in a project if something in it would be.
            let inside = real_path(Path::new(folder), true).join("x");
            if let Keeper::Project(root) = self.keeper(&inside) {
                self.whole.push(root);
            }
        }
    }

    fn finish(mut self) -> Outside {
        let context = self.engine.context();
        self.whole.sort();
        self.whole.dedup();
        for root in &self.whole {
            self.named.entry(Keeper::Project(root.clone())).or_default();
        }
        for (keeper, paths) in std::mem::take(&mut self.named) {
            let opened = match &keeper {
                Keeper::Project(root) => context
                    .beside(root)
                    .map_err(|error| crate::Error::from(project::Error::from(error)))
                    .and_then(|there| Engine::open_from(there, root)),
                Keeper::Loose(top) => loose_files(context, top),
                Keeper::Inside | Keeper::Nobody => continue,
            };
            match opened {
                // The person wants nothing saved there.
                Ok(there) if switch::switched_off(&there).is_some() => self.out.covered.clear(),
                Ok(there) => {
                    let whole = matches!(&keeper, Keeper::Project(root) if self.whole.contains(root));
                    let reach = if whole { Reach::Anywhere } else { Reach::Named(paths) };
                    self.out.places.push((there, reach));
                }
                Err(error) => {
                    self.out.covered.clear();
                    let (Keeper::Project(root) | Keeper::Loose(root)) = &keeper else { continue };
                    let why = format!("cannot be saved ({error})");
                    self.out.obstacle.get_or_insert(Obstacle { path: root.clone(), why });
                }
            }
        }
        if let Some(obstacle) = &mut self.out.obstacle {
            obstacle.path = PathBuf::from(shown(context, &obstacle.path));
        }
        self.out
    }
}
