//! A new file in a folder where nothing is saved: it destroys nothing, so it is no question.

use std::path::Path;

use shell::{Decision, Place};

use super::JudgeReport;

/// Names that steer agents for everything below the folder they lie in.
const STEERS: &[&str] = &["claude.md", "agents.md", "gemini.md", "claude.local.md"];

/// Makes the answer milder where all that a command does outside is to make files that are not there yet, in the home folder or an ordinary
/// folder of it. Hidden folders and names, programs and what steers agents stay questions: such a file may run, or count, by itself.
pub fn allow_new_files(home: &Path, report: &mut JudgeReport) {
    let verdict = &mut report.verdict;
    let is_plain = verdict.writes_only.is_some() && verdict.deletes.is_empty() && verdict.losses.is_empty();
    let mut targets = verdict.writes.iter().filter(|target| target.place == Place::Outside);
    if !is_plain || !targets.all(|target| is_new_and_ordinary(home, Path::new(&target.path))) {
        return;
    }
    for reason in verdict.reasons.iter_mut().filter(|reason| reason.decision == Decision::Ask) {
        if reason.code == "writes_outside" && is_new_and_ordinary(home, Path::new(&reason.about)) {
            reason.decision = Decision::Allow;
            reason.text = reason.text.replace(
                "changes files outside the project, which no checkpoint covers",
                "makes a new file, where there was none",
            );
        }
    }
    let strongest = verdict.reasons.iter().map(|reason| reason.decision).max().unwrap_or_default();
    verdict.decision = strongest;
    verdict.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
    report.decision = strongest;
}

fn is_new_and_ordinary(home: &Path, path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(home) else { return false };
    let names: Vec<String> =
        inside.components().map(|part| part.as_os_str().to_string_lossy().to_lowercase()).collect();
    let is_ordinary = |name: &String| {
        let is_one_name = name.chars().all(|c| c.is_alphanumeric() || " ._-+,@=".contains(c));
        // What may be a pattern for the shell stands for files that are there.
        is_one_name
            && !name.starts_with('.')
            && !STEERS.contains(&name.as_str())
            && !name.starts_with("vibelign")
    };
    let first = names.first().map(String::as_str);
    !names.is_empty()
        && names.iter().all(is_ordinary)
        && !matches!(first, Some("bin" | "library" | "appdata"))
        // A link that leads nowhere yet is there, too: what is written goes where it leads.
        && path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use shell::{Reason, Target, Verdict};

    fn asked(paths: &[&Path]) -> JudgeReport {
        let reason = |path: &&Path| Reason {
            code: "writes_outside",
            decision: Decision::Ask,
            unknown: false,
            text: "changes files outside the project, which no checkpoint covers (>)".to_owned(),
            about: path.display().to_string(),
        };
        let target = |path: &&Path| Target {
            path: path.display().to_string(),
            place: Place::Outside,
            recursive: false,
        };
        let verdict = Verdict {
            decision: Decision::Ask,
            reasons: paths.iter().map(reason).collect(),
            writes: paths.iter().map(target).collect(),
            writes_only: Some(Vec::new()),
            ..Verdict::default()
        };
        JudgeReport {
            command: String::new(),
            cwd: String::new(),
            root: None,
            decision: Decision::Ask,
            needs_checkpoint: false,
            covered: "ask".to_owned(),
            save_first: Vec::new(),
            verdict,
            second_opinion: None,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn only_what_is_new_and_ordinary_passes() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        std::fs::write(home.join("diary.txt"), "x").unwrap();
        std::os::unix::fs::symlink(home.join("nothing"), home.join("leads")).unwrap();
        let decision = |names: &[&str]| {
            let paths: Vec<_> = names.iter().map(|name| home.join(name)).collect();
            let mut report = asked(&paths.iter().map(std::path::PathBuf::as_path).collect::<Vec<_>>());
            allow_new_files(&home, &mut report);
            report.decision
        };
        assert_eq!(decision(&["stray.txt"]), Decision::Allow);
        assert_eq!(decision(&["play/notes/a.txt"]), Decision::Allow);
        for name in [
            "diary.txt",
            "leads",
            ".newrc",
            ".config/x",
            "play/.x",
            "bin/ls",
            "CLAUDE.md",
            "Library/x",
            "diar*",
            "d?ary.txt",
            "{diary,x}.txt",
        ] {
            assert_eq!(decision(&[name]), Decision::Ask, "{name}");
            assert_eq!(decision(&["stray.txt", name]), Decision::Ask, "{name}");
        }
        let mut elsewhere = asked(&[Path::new("/opt/new")]);
        allow_new_files(&home, &mut elsewhere);
        assert_eq!(elsewhere.decision, Decision::Ask);
    }
}
