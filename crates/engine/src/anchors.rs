//! Anchors: named places in files, that people and agents can point to. (GD1)

use std::path::PathBuf;

use ::map::{Anchor, AnchorProblem, anchor_problems, anchors, comment_style};
use project::RelPath;
use similar::TextDiff;
use store::Progress;

use crate::may::Actor;
use crate::patch::{self, PatchOptions, Preview};
use crate::{Engine, Error, Notice, Result};

/// An anchor in a file.
#[derive(Debug, serde::Serialize)]
pub struct Placed {
    /// The file.
    pub path: String,
    /// The anchor.
    #[serde(flatten)]
    pub anchor: Anchor,
}

/// What is wrong in a file.
#[derive(Debug, serde::Serialize)]
pub struct Broken {
    /// The file.
    pub path: String,
    /// What is wrong.
    #[serde(flatten)]
    pub problem: AnchorProblem,
}

/// All anchors, and what is wrong with some.
#[derive(Debug, serde::Serialize)]
pub struct AnchorsReport {
    /// Those that are whole.
    pub anchors: Vec<Placed>,
    /// What is wrong.
    pub problems: Vec<Broken>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Lists and checks the anchors of all files, or of those that are named.
pub fn list(engine: &Engine, typed: &[PathBuf], progress: &dyn Progress) -> Result<AnchorsReport> {
    let only = engine.present_paths(typed)?;
    let opened = engine.store(progress)?;
    let (_, files) = opened.store.working_tree_and_files(progress)?;
    let map = crate::map::build(engine, &files, &[], progress);
    let mut report = AnchorsReport { anchors: Vec::new(), problems: Vec::new(), notices: opened.notices };
    for (path, file) in map.files() {
        if !only.is_empty() && !only.iter().any(|folder| path.is_in(folder)) {
            continue;
        }
        let place = |anchor: &Anchor| Placed { path: path.to_string(), anchor: anchor.clone() };
        report.anchors.extend(file.anchors().iter().map(place));
        // A broken pair may be the only one in its file, and then the map has none.
        if !file.anchors().is_empty() || file.outline.broken_anchors > 0 {
            let Ok(content) = std::fs::read(path.to_path(engine.project().root())) else { continue };
            let broken = |problem| Broken { path: path.to_string(), problem };
            report.problems.extend(anchor_problems(&content).into_iter().map(broken));
        }
    }
    Ok(report)
}

/// Works out a file with a new anchor around some lines. Applied like a patch: the state before is saved first.
pub fn add(
    engine: &Engine,
    actor: Actor,
    typed: &PathBuf,
    name: &str,
    lines: (usize, usize),
    progress: &dyn Progress,
) -> Result<Preview> {
    let paths = engine.paths(std::slice::from_ref(typed))?;
    let Some(path) = paths.first() else {
        return Err(Error::Usage("name the file that gets the anchor".to_owned()));
    };
    let good = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(good) || name.ends_with("_START") || name.ends_with("_END") {
        return Err(Error::Usage(format!(
            "`{name}` is no name for an anchor: use capital letters, digits and `_`, such as `LOGIN_FORM`"
        )));
    }
    let file = path.to_path(engine.project().root());
    let before = std::fs::read_to_string(&file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => engine.no_such_file(path),
        _ => Error::Usage(format!("`{path}` cannot be read as text: {error}")),
    })?;
    if anchors(before.as_bytes()).iter().any(|anchor| anchor.name == name) {
        return Err(Error::Usage(format!("`{path}` already has an anchor `{name}`")));
    }
    let after = with_anchor(path, &before, name, lines)?;
    let shown = path.to_string();
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let text = diff
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{shown}"), &format!("b/{shown}"))
        .to_string();
    patch::preview(engine, actor, text.as_bytes(), &PatchOptions::default(), progress)
}

fn with_anchor(path: &RelPath, text: &str, name: &str, (first, last): (usize, usize)) -> Result<String> {
    let Some((open, close)) = comment_style(path.as_bytes()) else {
        return Err(Error::Usage(format!(
            "`{path}` is of a kind that has no comments, so it can have no anchor"
        )));
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if first < 1 || last < first || last > lines.len() {
        return Err(Error::Usage(format!(
            "`{path}` has {} lines; lines {first} to {last} are not among them",
            lines.len()
        )));
    }
    let ending = if lines.iter().any(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let indent = |line: &str| -> String { line.chars().take_while(|c| *c == ' ' || *c == '\t').collect() };
    let indent = indent(lines[first - 1]);
    let mark = |which: &str| format!("{indent}{open} === ANCHOR: {name}_{which} ==={close}{ending}");
    let mut out = String::with_capacity(text.len() + 120);
    for (at, line) in lines.iter().enumerate() {
        if at + 1 == first {
            out.push_str(&mark("START"));
        }
        out.push_str(line);
        if at + 1 == last {
            if !line.ends_with('\n') {
                out.push_str(ending);
            }
            out.push_str(&mark("END"));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_goes_around_its_lines_in_the_files_own_way() {
        let path = RelPath::new(b"a.py").unwrap();
        let text = with_anchor(&path, "class A:\n    def f(self):\n        pass\n", "F", (2, 3)).unwrap();
        assert_eq!(
            text,
            "class A:\n    # === ANCHOR: F_START ===\n    def f(self):\n        pass\n    # === ANCHOR: F_END ===\n"
        );
        assert_eq!(anchors(text.as_bytes()).len(), 1);
        let html = with_anchor(&RelPath::new(b"a.html").unwrap(), "<p>\r\n</p>", "P", (1, 2)).unwrap();
        assert_eq!(
            html,
            "<!-- === ANCHOR: P_START === -->\r\n<p>\r\n</p>\r\n<!-- === ANCHOR: P_END === -->\r\n"
        );
        assert!(with_anchor(&path, "a\n", "F", (1, 2)).is_err());
        assert!(with_anchor(&RelPath::new(b"a.json").unwrap(), "{}\n", "F", (1, 1)).is_err());
    }
}
