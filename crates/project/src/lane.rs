//! Lanes: workspaces of a project that are projects of their own, with a tree and a history of their own.
//!
//! A lane's state folder says whose lane it is (`lane_of`: the project's id, then the lane's name). A work tree that git, a person or an
//! agent's client made is a lane too, if vib knows the project that the repository belongs to. What is known *about* the project (its
//! memory, what is protected, which checks may run) is the project's, also for whoever works in a lane: [`Project::shared_state`].

use std::path::{Path, PathBuf};

use crate::identity::{self, ProjectId};
use crate::nested::{GitMark, git_mark};
use crate::{Context, Error, Project, Result, RootKind, write_private};

/// The file in a lane's state folder.
const FILE: &str = "lane_of";

/// Whose lane a project is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneOf {
    /// The project.
    pub project: ProjectId,
    /// Its folder, as it was last seen.
    pub root: PathBuf,
    /// Its state.
    pub state: PathBuf,
    /// The lane's name.
    pub name: String,
}

/// Whose lane the project in `root` is: what its state folder says, or, of a work tree of git, what git says. That is written down, so that
/// it is known when the work tree is gone.
pub(crate) fn of(state: &Path, own: &Path, root: &Path) -> Option<LaneOf> {
    read(state, own).or_else(|| {
        let (project, name) = of_work_tree(state, root)?;
        // Without the file it is found again the next time.
        let _ = write_private(&own.join(FILE), format!("{project}\n{name}\n").as_bytes());
        read(state, own)
    })
}

/// The project whose repository a work tree belongs to, where vib knows it, and the name of the work tree.
fn of_work_tree(state: &Path, root: &Path) -> Option<(ProjectId, String)> {
    if git_mark(root) != Some(GitMark::WorkTree) {
        return None;
    }
    let text = std::fs::read_to_string(root.join(".git")).ok()?;
    let place = root.join(text.trim().strip_prefix("gitdir:")?.trim());
    // `<project>/.git/worktrees/<name>`
    let git = place.parent()?.parent()?;
    let main = git.parent().filter(|_| git.ends_with(".git"))?.canonicalize().ok()?;
    let known = identity::remembered_id(state, &main).or_else(|| identity::read_id_file(&main).ok()?)?;
    Some((known, root.file_name()?.to_str()?.to_owned()))
}

/// Every lane of a project, with the id it has itself.
pub fn lanes_of(context: &Context, project: &ProjectId) -> Result<Vec<(ProjectId, LaneOf)>> {
    let state = context.state()?;
    let Ok(entries) = std::fs::read_dir(state.join("projects")) else { return Ok(Vec::new()) };
    let mut lanes: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let id = ProjectId::parse(entry.file_name().to_str()?)?;
            let lane = read(state, &entry.path()).filter(|lane| lane.project == *project)?;
            Some((id, lane))
        })
        .collect();
    lanes.sort_by(|one, other| one.1.name.cmp(&other.1.name));
    Ok(lanes)
}

fn read(state: &Path, own: &Path) -> Option<LaneOf> {
    let text = std::fs::read_to_string(own.join(FILE)).ok()?;
    let mut lines = text.lines();
    let project = ProjectId::parse(lines.next()?)?;
    let name = lines.next()?.to_owned();
    let main = identity::state_folder(state, &project);
    let root = std::fs::read_to_string(main.join("root")).ok()?;
    Some(LaneOf { root: PathBuf::from(root.trim_end_matches('\n')), project, state: main, name })
}

/// Where the state of a project with this id lies.
pub fn state_of(context: &Context, id: &ProjectId) -> Result<PathBuf> {
    Ok(identity::state_folder(context.state()?, id))
}

impl Project {
    /// Makes a folder the one of a lane whose id was reserved: from now on whoever works in the folder works in the lane.
    pub fn begin_lane(context: &Context, root: &Path, id: &ProjectId) -> Result<Self> {
        identity::adopt(context.state()?, root, id)?;
        Self::of_id(context, id)
    }

    /// Reserves the state folder of a lane, before there is anything in it.
    pub fn reserve_lane(context: &Context, id: &ProjectId, of: &ProjectId, name: &str) -> Result<PathBuf> {
        let state = context.state()?;
        let own = identity::state_folder(state, id);
        crate::platform::make_private_dir(&state.join("projects"))?;
        crate::platform::make_private_dir(&own)?;
        write_private(&own.join(FILE), format!("{of}\n{name}\n").as_bytes())?;
        Ok(own)
    }

    /// The project with this id, in the folder in which it was last seen, whether that is there or not.
    pub fn of_id(context: &Context, id: &ProjectId) -> Result<Self> {
        let own = identity::state_folder(context.state()?, id);
        let root = std::fs::read_to_string(own.join("root"))
            .map_err(|_| Error::UnknownProject { id: id.to_string() })?;
        let root = PathBuf::from(root.trim_end_matches('\n'));
        Self::put_together(context, root, id.clone(), RootKind::Initialised)
    }
}
