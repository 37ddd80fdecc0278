//! Scripts that nobody can read are asked about once: what the person let run is remembered by its content.
//!
//! How is it known that the person said yes? The step of that very command line, the first that began after the question, has
//! ended as one that ran. A step that was refused, stopped or cut off says nothing, and where nobody can be asked the step is
//! stopped. The list is in vib's own state, which an agent may not write; a file that changed has another content and is asked
//! about again.

use std::io::Read;
use std::path::Path;

use project::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shell::{Decision, Verdict};
use store::{Ending, Silent, StepFilter};

use crate::{Engine, private_file};

/// The reason that this is about.
const CODE: &str = "unseen_code";

/// Larger files are asked about every time.
const MOST_BYTES: u64 = 64 << 20;

/// So long after the question its step has begun.
const BEGINS_WITHIN_MS: i64 = 10_000;

/// Most contents and open questions that are remembered; the oldest go.
const MOST_KEPT: usize = 200;

/// What is remembered for one project.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Seen {
    version: u32,
    /// Contents that the person let run.
    let_run: Vec<String>,
    /// Questions whose answer is not known yet.
    asked: Vec<Question>,
}

/// A question that was put.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Question {
    content: String,
    command: String,
    at_ms: i64,
}

/// Takes the question back for contents that the person let run before, and notes the others. Nothing changes where that cannot
/// be told.
pub(super) fn settle(context: &Context, root: &Path, command: &str, verdict: &mut Verdict) {
    if verdict.unseen.is_empty() || verdict.decision != Decision::Ask {
        return;
    }
    let Some(contents) =
        verdict.unseen.iter().map(|path| content(Path::new(path))).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let Some(engine) = context.beside(root).ok().and_then(|there| Engine::open_from(there, root).ok()) else {
        return;
    };
    let file = engine.project().state().join("seen-code.json");
    let mut seen: Seen =
        std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    seen.version = 1;
    let asked_about: Vec<&String> =
        contents.iter().filter(|content| !seen.let_run.contains(content)).collect();
    let answered: Vec<String> = asked_about
        .into_iter()
        .filter(|content| {
            let questions: Vec<&Question> =
                seen.asked.iter().filter(|asked| asked.content == **content).collect();
            questions.iter().any(|question| was_let_run(&engine, question))
        })
        .cloned()
        .collect();
    seen.asked.retain(|question| !answered.contains(&question.content));
    seen.let_run.extend(answered);
    if contents.iter().all(|content| seen.let_run.contains(content)) {
        allow(verdict);
    } else {
        let at_ms = context.now_ms();
        for content in contents.iter().filter(|content| !seen.let_run.contains(content)) {
            let command = command.trim().to_owned();
            seen.asked.push(Question { content: content.clone(), command, at_ms });
        }
    }
    seen.let_run.drain(..seen.let_run.len().saturating_sub(MOST_KEPT));
    seen.asked.drain(..seen.asked.len().saturating_sub(MOST_KEPT));
    // Without the list the question comes again: no reason to fail.
    if let Ok(bytes) = serde_json::to_vec(&seen) {
        let _ = private_file::write(&file, &bytes);
    }
}

/// Whether the step that a question was about has run.
fn was_let_run(engine: &Engine, question: &Question) -> bool {
    let Ok(opened) = engine.store(&Silent) else { return false };
    let filter = StepFilter { since_ms: Some(question.at_ms), ..StepFilter::default() };
    let Ok(steps) = opened.store.steps(&filter) else { return false };
    // The newest come first: the last is the one that the question was about.
    let first = steps.iter().rev().find(|step| {
        step.started_ms >= question.at_ms && step.what.as_deref().map(str::trim) == Some(&question.command)
    });
    first.is_some_and(|step| {
        step.started_ms <= question.at_ms.saturating_add(BEGINS_WITHIN_MS)
            && matches!(step.ending, Ending::Ran | Ending::Failed | Ending::Unknown)
    })
}

fn allow(verdict: &mut Verdict) {
    for reason in verdict.reasons.iter_mut().filter(|reason| reason.code == CODE) {
        reason.decision = Decision::AllowWithCheckpoint;
        reason.text = "runs a script that cannot be read; you let this very content run before".to_owned();
    }
    let strongest = verdict.reasons.iter().map(|reason| reason.decision).max().unwrap_or_default();
    verdict.decision = strongest.max(Decision::AllowWithCheckpoint);
    verdict.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
}

/// The hash of a file's content; nothing if it is too large or cannot be read.
fn content(path: &Path) -> Option<String> {
    let mut file = std::fs::File::open(path).ok()?;
    if file.metadata().ok().filter(std::fs::Metadata::is_file)?.len() > MOST_BYTES {
        return None;
    }
    let mut hash = Sha256::new();
    let mut part = vec![0; 64 * 1024];
    loop {
        match file.read(&mut part).ok()? {
            0 => break,
            length => hash.update(&part[..length]),
        }
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{JudgeReport, judge_command, judge_command_in};
    use std::path::PathBuf;
    use store::{Actor, NewStep, Outcome};

    struct World {
        base: tempfile::TempDir,
        root: PathBuf,
    }

    impl World {
        fn new() -> Self {
            let base = tempfile::tempdir().unwrap();
            let root = base.path().canonicalize().unwrap().join("home/app");
            std::fs::create_dir_all(root.join(".git")).unwrap();
            Self { base, root }
        }

        fn context(&self) -> Context {
            let home = self.base.path().canonicalize().unwrap().join("home").into_os_string();
            Context::with_environment(self.root.clone(), &move |name| (name == "HOME").then(|| home.clone()))
        }

        fn script(&self, last: &str) {
            let text = format!("#!/bin/sh\n{}\n{last}\n", "# padding\n".repeat(40_000));
            std::fs::write(self.root.join("big.sh"), text).unwrap();
        }

        fn asked(&self, command: &str) -> JudgeReport {
            judge_command_in(&self.context(), &self.root, command)
        }

        /// The step of the question, as the ledger gets it.
        fn step(&self, command: &str, ending: Ending) {
            let engine = Engine::open_from(self.context(), &self.root).unwrap();
            let mut opened = engine.store(&Silent).unwrap();
            let step = NewStep { what: Some(command.to_owned()), ..NewStep::of(Actor::Agent) };
            let number = opened.store.begin_step(&step).unwrap();
            opened.store.end_step(number, &Outcome::of(ending)).unwrap();
        }
    }

    #[test]
    fn code_that_cannot_be_seen_is_asked_about_once_per_content_s17() {
        let world = World::new();
        world.script("echo one");
        for command in ["bash big.sh", "./big.sh", "sh ./big.sh --fast", "source big.sh"] {
            assert_eq!(world.asked(command).decision, Decision::Ask, "{command}");
        }
        world.step("bash big.sh", Ending::Ran);
        for command in ["bash big.sh", "./big.sh"] {
            let report = world.asked(command);
            assert_eq!(
                report.decision,
                Decision::AllowWithCheckpoint,
                "{command}: {:?}",
                report.verdict.reasons
            );
        }
        assert_eq!(
            world.asked("bash big.sh && git push --force").decision,
            Decision::Ask,
            "only this reason"
        );
        world.script("echo two");
        assert_eq!(world.asked("bash big.sh").decision, Decision::Ask, "another content");
        world.script("echo one");
        assert_eq!(world.asked("bash big.sh").decision, Decision::AllowWithCheckpoint, "and the first again");
    }

    #[test]
    fn what_was_refused_or_only_named_stays_a_question_s17() {
        let world = World::new();
        world.script("echo one");
        assert_eq!(world.asked("bash big.sh").decision, Decision::Ask);
        world.step("bash big.sh", Ending::Refused);
        // Something else about the same file runs meanwhile, and later the same line again, unseen by the judge.
        world.step("ls big.sh", Ending::Ran);
        world.step("bash big.sh", Ending::Ran);
        assert_eq!(world.asked("bash big.sh").decision, Decision::Ask);
        for ending in [Ending::Stopped, Ending::CutOff, Ending::Running] {
            let world = World::new();
            world.script("echo one");
            assert_eq!(world.asked("bash big.sh").decision, Decision::Ask);
            if ending != Ending::Running {
                world.step("bash big.sh", ending);
            }
            assert_eq!(world.asked("bash big.sh").decision, Decision::Ask, "{ending:?}");
        }
    }

    #[test]
    fn asking_what_would_happen_is_no_question_to_a_person_s17() {
        let world = World::new();
        world.script("echo one");
        assert_eq!(judge_command(&world.context(), "bash big.sh").decision, Decision::Ask);
        world.step("bash big.sh", Ending::Ran);
        assert_eq!(world.asked("bash big.sh").decision, Decision::Ask);
    }
}
