//! What a command would overwrite or delete and no checkpoint holds: ignored files that no tool makes again.
//!
//! The store can save a file by its name whatever the ignore rules say. So such files are saved first, up to a budget; only
//! what is beyond it has to be asked about.

use std::path::Path;

use project::{RelPath, platform};
use shell::{Decision, Verdict};
use store::{Progress, Saved, SnapshotRequest};

use super::JudgeReport;
use crate::{Engine, Result};

/// Most bytes that are saved before one command.
pub const MOST_BYTES: u64 = 32 << 20;

/// Most files.
const MOST_FILES: usize = 200;

/// Reasons that hold only as long as nothing is saved first.
const REASONS: [&str; 2] = ["deletes_ignored", "overwrites_ignored"];

/// What would be lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Losses {
    /// Every file, if it is little enough to be saved first.
    pub paths: Vec<RelPath>,
    /// It is too much for that, or some of it cannot be named: then nothing is listed.
    pub too_much: bool,
}

/// What a command would overwrite or delete in the project and no checkpoint holds, file by file.
pub fn losses(root: &Path, verdict: &Verdict) -> Losses {
    let mut lost = Losses::default();
    let mut bytes = 0;
    let mut open: Vec<_> = verdict.losses.iter().map(|path| Path::new(path).to_path_buf()).collect();
    while let Some(path) = open.pop() {
        let Ok(facts) = path.symlink_metadata() else { continue };
        if facts.is_dir() {
            let Ok(entries) = std::fs::read_dir(&path) else { return too_much() };
            for entry in entries {
                match entry {
                    Ok(entry) if open.len() < MOST_FILES => open.push(entry.path()),
                    _ => return too_much(),
                }
            }
            continue;
        }
        bytes += facts.len();
        let inside = path.strip_prefix(root).ok().map(platform::path_to_bytes);
        match inside.and_then(|path| RelPath::new(&path).ok()) {
            Some(path) if bytes <= MOST_BYTES && lost.paths.len() < MOST_FILES => {
                if !lost.paths.contains(&path) {
                    lost.paths.push(path);
                }
            }
            _ => return too_much(),
        }
    }
    lost.paths.sort();
    lost
}

fn too_much() -> Losses {
    Losses { paths: Vec::new(), too_much: true }
}

/// Saves by name what the command would lose and no checkpoint holds. After that it is a loss that a checkpoint covers, and the
/// report says so. Nothing happens, and nothing is answered more mildly, where it would be too much or where nothing is lost.
pub fn save_losses(
    engine: &Engine,
    report: &mut JudgeReport,
    request: &SnapshotRequest,
    progress: &dyn Progress,
) -> Result<Option<Saved>> {
    let lost = losses(engine.project().root(), &report.verdict);
    if lost.too_much || lost.paths.is_empty() {
        return Ok(None);
    }
    let saved = engine.store(progress)?.store.snapshot_paths(request, &lost.paths)?;
    if saved.problems.is_empty() {
        covered(report);
    }
    Ok(Some(saved))
}

/// Answers as for any loss that a checkpoint covers.
fn covered(report: &mut JudgeReport) {
    let decision = if report.covered == "allow" { Decision::AllowWithCheckpoint } else { Decision::Ask };
    let verdict = &mut report.verdict;
    for reason in verdict.reasons.iter_mut().filter(|reason| REASONS.contains(&reason.code)) {
        reason.decision = reason.decision.min(decision);
        reason.text =
            reason.text.replace(", so this cannot be brought back", "; they were saved by name first");
    }
    let strongest = verdict.reasons.iter().map(|reason| reason.decision).max().unwrap_or_default();
    verdict.decision = strongest.max(Decision::AllowWithCheckpoint);
    verdict.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
    report.decision = verdict.decision;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(root: &Path, paths: &[&str]) -> Verdict {
        let losses = paths.iter().map(|path| root.join(path).to_str().unwrap().to_owned()).collect();
        Verdict { losses, ..Verdict::default() }
    }

    #[test]
    fn losses_are_named_file_by_file_up_to_a_budget_t6() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("uploads/deep")).unwrap();
        for file in ["dev.sqlite", "uploads/1.png", "uploads/deep/2.png"] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        let names = |paths: &[&str]| {
            let lost = losses(&root, &verdict(&root, paths));
            (lost.paths.iter().map(ToString::to_string).collect::<Vec<_>>(), lost.too_much)
        };
        assert_eq!(
            names(&["dev.sqlite", "uploads", "gone"]).0,
            ["dev.sqlite", "uploads/1.png", "uploads/deep/2.png"]
        );
        std::fs::File::create(root.join("big")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(names(&["dev.sqlite", "big"]), (Vec::new(), true));
        for n in 0..=MOST_FILES {
            std::fs::write(root.join(format!("uploads/{n}")), "x").unwrap();
        }
        assert_eq!(names(&["uploads"]), (Vec::new(), true));
        assert_eq!(names(&["/etc/hosts"]), (Vec::new(), true));
    }
}
