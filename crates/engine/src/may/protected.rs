//! Files that a person or a team protected: by any name, through any link. (GD5, G2)

use std::path::{Path, PathBuf};

use project::{RelPath, platform};
use store::Plan;

use super::{Act, Answer, Objection, Target, real};
use crate::{Engine, Notice, Result, protect};

/// So many files of protected folders are compared with a file that has several names.
const MOST_COMPARED: usize = 20_000;

/// What is protected here.
pub(super) struct Protected {
    root: PathBuf,
    list: Vec<RelPath>,
    /// The file system takes `README.md` and `readme.md` for one; looked up when it matters.
    ignores_case: bool,
}

impl Protected {
    pub(super) fn of(engine: &Engine) -> Result<Self> {
        let list = protect::list(engine)?;
        let root = engine.project().root().to_path_buf();
        let ignores_case = !list.is_empty() && platform::ignores_case(&root);
        Ok(Self { root, list, ignores_case })
    }

    /// What of the list this would change.
    pub(super) fn object(&self, target: &Target<'_>) -> Option<Objection> {
        let hit = self.hit(target)?;
        let shown = target.wish.path.display();
        let other = match &target.inside {
            Some(path) if path.is_in(hit) || hit.is_in(path) => String::new(),
            _ => format!(" (`{shown}` leads there)"),
        };
        let reason = format!(
            "`{hit}`{other} is protected: a person does not want it changed. Tell them what you would change and why; only they can \
             lift the protection, with `vib protect --remove`."
        );
        Some(Objection::new(Answer::Deny, "protected", hit, reason))
    }

    fn hit(&self, target: &Target<'_>) -> Option<&RelPath> {
        if self.list.is_empty() {
            return None;
        }
        let (takes_all, follows) = match target.wish.act {
            Act::Edit(_) | Act::Mentioned | Act::Become { .. } | Act::Written { .. } => (false, true),
            // Whether a folder or a link to it is meant, nobody sees: either counts.
            Act::Taken | Act::Deleted { recursive: true } => (true, true),
            // What is moved goes with everything in it.
            Act::Deleted { recursive: false } => (true, false),
        };
        let full = if follows { real::written(&target.full) } else { real::named(&target.full) };
        if takes_all && self.root.starts_with(&full) {
            // The project as a whole, which holds every one of them. A tool that says where it works says it by that name.
            return self.list.first().filter(|_| !matches!(target.wish.act, Act::Taken));
        }
        let real = full.strip_prefix(&self.root).ok();
        let real = real.and_then(|inside| RelPath::new(&platform::path_to_bytes(inside)).ok());
        let spellings = [target.inside.as_ref(), real.as_ref()];
        let fits = |path: &RelPath, one: &RelPath| path.is_in(one) || (takes_all && one.is_in(path));
        let found = self.list.iter().find(|one| {
            spellings.into_iter().flatten().any(|path| {
                fits(path, one)
                    || (self.ignores_case
                        && lower(path).zip(lower(one)).is_some_and(|(path, one)| fits(&path, &one)))
            })
        });
        found.or_else(|| self.other_name(&full).filter(|_| follows))
    }

    /// One of the list that is the same file under another name.
    fn other_name(&self, full: &Path) -> Option<&RelPath> {
        let number = real::shared_number(full)?;
        let mut left = MOST_COMPARED;
        self.list.iter().find(|one| is_among(&one.to_path(&self.root), number, &mut left))
    }
}

/// Those of these paths that are protected, for a preview. What cannot be told is not named here: whoever changes it asks [`super::may`].
pub fn among(engine: &Engine, paths: &[RelPath]) -> Vec<RelPath> {
    let Ok(protected) = Protected::of(engine) else { return Vec::new() };
    let is_protected = |path: &&RelPath| protected.list.iter().any(|one| path.is_in(one));
    paths.iter().filter(is_protected).cloned().collect()
}

/// The protected files that a plan would change, named for the person who is asked.
pub(crate) fn notice(engine: &Engine, plan: &Plan) -> Option<Notice> {
    let paths: Vec<RelPath> = plan.changes.iter().map(|change| change.path.clone()).collect();
    let paths: Vec<String> = among(engine, &paths).iter().map(ToString::to_string).collect();
    (!paths.is_empty()).then_some(Notice::Protected { paths })
}

/// True if a file, or one in a folder, has this number. Where there are too many to compare, it may be.
fn is_among(path: &Path, wanted: (u64, u64), left: &mut usize) -> bool {
    if *left == 0 {
        return true;
    }
    *left -= 1;
    if real::number(path) == Some(wanted) {
        return true;
    }
    let is_folder = std::fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir());
    let entries = if is_folder { std::fs::read_dir(path).ok() } else { None };
    entries.into_iter().flatten().flatten().any(|entry| is_among(&entry.path(), wanted, left))
}

fn lower(path: &RelPath) -> Option<RelPath> {
    RelPath::new(path.to_string().to_lowercase().as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::may::Wish;

    #[test]
    fn small_and_capital_letters_are_one_where_the_file_system_says_so_s13() {
        let root = PathBuf::from("/nowhere/project");
        let list = vec![RelPath::new("Docs/Straße.md".as_bytes()).unwrap()];
        for ignores_case in [true, false] {
            let protected = Protected { root: root.clone(), list: list.clone(), ignores_case };
            for path in ["docs/straße.md", "DOCS/straße.MD", "docs"] {
                let full = root.join(path);
                let wish = Wish { path: &full, act: Act::Deleted { recursive: true } };
                let inside = RelPath::new(path.as_bytes()).ok();
                let target = Target { wish: &wish, full: full.clone(), inside };
                assert_eq!(protected.object(&target).is_some(), ignores_case, "{path}");
            }
        }
    }
}
