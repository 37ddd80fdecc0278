//! The rules. Each looks at one changed file, before and after; only what is new counts.

use map::{AnchorProblem, Category, anchor_problems, anchors};
use project::RelPath;
use serde::Serialize;

use crate::weaker::{How, weakened};
use crate::{ChangedFile, Reason, Risk, Study, Why};

/// Violations beyond this are not listed.
const MOST: usize = 500;

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GuardAnswer {
    /// Nothing speaks against going on.
    Pass,
    /// Look at something first.
    Prepare,
    /// Something must be put right first.
    Stop,
}

/// One thing that speaks against going on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule's id.
    pub rule: &'static str,
    /// How much it weighs: `prepare` or `stop`.
    pub level: GuardAnswer,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The test or the named place it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is the matter.
    pub message: String,
    /// How to put it right.
    pub fix: String,
}

/// A secret in plain sight that was not there before.
#[derive(Debug, Clone)]
pub struct NewSecret {
    /// The line, from 1.
    pub line: usize,
    /// What it is.
    pub about: String,
    /// The rule that knows it.
    pub rule: &'static str,
}

/// What the rules have to know besides the files.
pub struct Facts<'f> {
    /// The paths that a person or a team protected.
    pub protected: &'f [RelPath],
    /// The secrets that are new in a file, and that nobody accepted.
    pub new_secrets: &'f dyn Fn(&ChangedFile) -> Vec<NewSecret>,
    /// What the next commit would hold is looked at.
    pub staged: bool,
}

/// What these files, looked into, have against going on.
pub fn violations(files: &[ChangedFile], studies: &[Study], facts: &Facts<'_>) -> Vec<Violation> {
    let mut out = Vec::new();
    for (file, study) in files.iter().zip(studies) {
        protected_file(facts.protected, file, &mut out);
        if file.unread.is_some() {
            continue;
        }
        secrets(file, facts, &mut out);
        keep_regions(file, &mut out);
        anchors_broken(file, &mut out);
        conflict_markers(file, &mut out);
        syntax(file, study, &mut out);
        tests(file, study, studies, &mut out);
    }
    out.truncate(MOST);
    out
}

fn violation(
    rule: &'static str,
    level: GuardAnswer,
    path: &RelPath,
    line: Option<u32>,
    message: String,
    fix: impl Into<String>,
) -> Violation {
    Violation { rule, level, path: Some(path.to_string()), line, name: None, message, fix: fix.into() }
}

impl Violation {
    fn about(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }
}

fn protected_file(protected: &[RelPath], file: &ChangedFile, out: &mut Vec<Violation>) {
    for path in [Some(&file.path), file.old_path.as_ref()].into_iter().flatten() {
        if protected.iter().any(|folder| path.is_in(folder)) {
            let what = match (&file.before, &file.after) {
                (None, _) => "a new file is in a folder that a person protected",
                (_, None) => "a file that a person protected is gone",
                _ => "a file that a person protected was changed",
            };
            out.push(violation(
                "protected-file",
                GuardAnswer::Stop,
                path,
                None,
                what.to_owned(),
                format!("look at it with `vib diff -- {path}`; `vib undo` brings it back; if the change is wanted, a person runs `vib protect --remove {path}`"),
            ));
        }
    }
}

fn secrets(file: &ChangedFile, facts: &Facts<'_>, out: &mut Vec<Violation>) {
    // A file that is made for secrets may hold them, as long as it does not leave the machine.
    if file.sensitive && !facts.staged {
        return;
    }
    for found in (facts.new_secrets)(file) {
        out.push(violation(
            "secret-added",
            GuardAnswer::Stop,
            &file.path,
            u32::try_from(found.line).ok(),
            format!("a secret in plain sight was added: {} (rule {})", found.about, found.rule),
            "take it out (an environment variable, a secret store) and revoke it if it was shared; a line that is meant to be there gets the comment `vibelign: allow-secret`",
        ));
    }
}

fn keep_regions(file: &ChangedFile, out: &mut Vec<Violation>) {
    let Some(before) = &file.before else { return };
    let lost = match &file.after {
        Some(after) => patch::keep_region_lost(before, after),
        None => patch::has_keep_regions(before)
            .then(|| ("the file is gone, and with it its keep regions".to_owned(), 1)),
    };
    if let Some((message, line)) = lost {
        out.push(violation(
            "keep-region-changed",
            GuardAnswer::Stop,
            &file.path,
            u32::try_from(line).ok(),
            message,
            format!(
                "bring the lines between the `VIBE-KEEP` marks back: `vib diff -- {}` shows them",
                file.path
            ),
        ));
    }
}

fn anchors_broken(file: &ChangedFile, out: &mut Vec<Violation>) {
    let Some(after) = &file.after else { return };
    let before = file.before.as_deref().unwrap_or_default();
    let old = anchor_problems(before);
    let new = anchor_problems(after);
    for problem in &new {
        if old.iter().any(|other| other.name() == problem.name()) {
            continue;
        }
        let (name, what) = match problem {
            AnchorProblem::NotClosed { name, .. } => (name, "has a beginning and no end"),
            AnchorProblem::NotOpened { name, .. } => (name, "has an end and no beginning"),
            AnchorProblem::Repeated { name, .. } => (name, "is there twice"),
        };
        out.push(violation(
            "anchor-broken",
            GuardAnswer::Stop,
            &file.path,
            Some(problem.line()),
            format!("the anchor `{name}` {what}"),
            format!("put the missing `=== ANCHOR: {name}_START ===` or `{name}_END` line back, or take the other one out"),
        ).about(name));
    }
    let now = anchors(after);
    for anchor in anchors(before) {
        let there =
            now.iter().any(|other| other.name == anchor.name) || new.iter().any(|p| p.name() == anchor.name);
        if !there {
            out.push(
                violation(
                    "anchor-removed",
                    GuardAnswer::Prepare,
                    &file.path,
                    Some(1),
                    format!("the anchor `{}` is gone", anchor.name),
                    "others may point to it: put it back, or make sure that nobody needs it",
                )
                .about(&anchor.name),
            );
        }
    }
}

/// The line of a conflict that was left in a file: both marks, at the beginning of lines.
fn conflict(text: &[u8]) -> Option<u32> {
    let mut open = None;
    for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if line.starts_with(b"<<<<<<< ") {
            open = Some(at + 1);
        } else if line.starts_with(b">>>>>>> ") && open.is_some() {
            return open.and_then(|line| u32::try_from(line).ok());
        }
    }
    None
}

fn conflict_markers(file: &ChangedFile, out: &mut Vec<Violation>) {
    let Some(line) = file.after.as_deref().and_then(conflict) else { return };
    if file.before.as_deref().and_then(conflict).is_none() {
        out.push(violation(
            "conflict-markers",
            GuardAnswer::Stop,
            &file.path,
            Some(line),
            "two versions of the same lines were left in the file, with the marks of a merge between them".to_owned(),
            "keep the lines that are right and delete the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`",
        ));
    }
}

fn syntax(file: &ChangedFile, study: &Study, out: &mut Vec<Violation>) {
    let (Some(language), Some(line)) = (study.language, study.after.syntax_error) else { return };
    // A conflict says it better, and what was broken before is not the change's doing.
    if study.before.syntax_error.is_some()
        || file.after.as_deref().is_some_and(|text| conflict(text).is_some())
    {
        return;
    }
    if matches!(map::category(file.path.as_bytes()), Category::Test)
        && file.before.is_none()
        && !language.is_code()
    {
        return;
    }
    let certain = language.grammar_is_exact() && file.before.is_some();
    let level = if certain { GuardAnswer::Stop } else { GuardAnswer::Prepare };
    let message = match certain {
        true => format!("this was valid {} before and is not any more", language.name()),
        false => format!("this may not be valid {}", language.name()),
    };
    out.push(violation(
        "syntax-broken",
        level,
        &file.path,
        Some(line),
        message,
        "look at the lines around here for a bracket, a quote mark or an indentation that is missing",
    ));
}

fn tests(file: &ChangedFile, study: &Study, all: &[Study], out: &mut Vec<Violation>) {
    for weaker in weakened(study) {
        let name = &weaker.name;
        let (rule, level, message, fix) = match weaker.how {
            How::Deleted => {
                // It may live on in another file.
                let lives = all.iter().any(|other| other.changes.iter().any(|change| {
                    matches!(change, map::SymbolChange::Added { symbol } if symbol.test.is_some() && symbol.own_name() == own_name(name))
                }));
                if lives {
                    continue;
                }
                (
                    "test-deleted",
                    GuardAnswer::Prepare,
                    format!("the test `{name}` is gone"),
                    "make sure that what it checked is gone, too; if not, bring the test back",
                )
            }
            How::Skipped => (
                "test-skipped",
                GuardAnswer::Stop,
                format!("the test `{name}` is switched off"),
                "let it run again and repair what makes it fail",
            ),
            How::Empty => (
                "test-weakened",
                GuardAnswer::Stop,
                format!("the test `{name}` checks nothing any more: what it asserts is always true"),
                "bring its assertions back and repair the code that they test",
            ),
            How::Fewer { before, after } => (
                "test-weakened",
                GuardAnswer::Prepare,
                format!("the test `{name}` asserts less: {after} times instead of {before}"),
                "make sure that what is not asserted any more is not needed",
            ),
            How::Focused => (
                "test-focused",
                GuardAnswer::Stop,
                "some tests are picked out, so that the others do not run".to_owned(),
                "take `.only` (or the `f` of `fit`, `fdescribe`) out again",
            ),
        };
        let line = file.after.is_some().then_some(weaker.line);
        out.push(violation(rule, level, &file.path, line, message, fix).about(name));
    }
}

fn own_name(name: &str) -> &str {
    name.rsplit(" > ").next().unwrap_or(name)
}

/// What the verdict on the project weighs heavily and no rule above looks for: so that nothing passes that every other command
/// calls a high risk.
pub fn beyond(reasons: &[Reason]) -> Vec<Violation> {
    let named = |paths: &[String], count: usize| match paths {
        [first] if count == 1 => format!("`{first}`"),
        [first, ..] => format!("`{first}` and {} more", count.saturating_sub(1)),
        [] => count.to_string(),
    };
    let heavy = reasons.iter().filter(|reason| reason.risk == Risk::High);
    heavy
        .filter_map(|reason| {
            let (rule, path, message, fix) = match &reason.why {
                Why::Lost { paths, count } => (
                    "files-lost",
                    paths.first(),
                    format!(
                        "{count} files are gone, and no request asked for that: {}",
                        named(paths, *count)
                    ),
                    "make sure that nobody needs them; `vib undo` or `vib recover` brings them back",
                ),
                Why::Emptied { paths, count } => (
                    "file-emptied",
                    paths.first(),
                    format!("there is nothing left in {}", named(paths, *count)),
                    "`vib recover` brings the content back",
                ),
                Why::FileStillUsed { path, users, count } => (
                    "still-used",
                    Some(path),
                    format!("the file is gone, and still needed by {}", named(users, *count)),
                    "bring it back, or change whoever needs it",
                ),
                Why::StillUsed { path, name, users, count } => (
                    "still-used",
                    Some(path),
                    format!("`{name}` is gone, and still used in {}", named(users, *count)),
                    "bring it back, or change whoever uses it",
                ),
                Why::Circling { path, call, .. } => (
                    "agent-circling",
                    path.as_ref(),
                    format!(
                        "an agent ran in circles and rests{}",
                        call.as_ref().map(|call| format!(": {call}")).unwrap_or_default()
                    ),
                    "look at what it tried; `vib spiral status` shows it, `vib spiral resume` lets it go on",
                ),
                _ => return None,
            };
            Some(Violation {
                rule,
                level: GuardAnswer::Prepare,
                path: path.cloned(),
                line: None,
                name: None,
                message,
                fix: fix.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_has_both_marks() {
        assert_eq!(conflict(b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"), Some(2));
        assert_eq!(conflict(b"Title\n=======\n>>>>>>> quoted\n"), None);
        assert_eq!(conflict(b"x = \"<<<<<<< HEAD\"\n"), None);
    }
}
