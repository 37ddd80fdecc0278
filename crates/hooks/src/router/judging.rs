//! May it happen? The files that a call names, the commands it would run, and the circles it runs in.

use std::path::Path;

use engine::Error;
use engine::agent::{self, Reach, SessionFile};
use engine::judge::{self, Decision as Judged, JudgeReport};
use engine::may::{self, Act, Actor, Answer, Ground, Wish, may};
use project::{Context, RelPath};
use redact::Gate;
use spiral::Spiral;
use store::Silent;

use super::fencing::Where;
use super::whereabouts::{folder_of, is_same_anywhere, say_folder_is_not_known};
use super::words::{call_words, spiral_text};
use super::{Run, outside, problem_of, strange};
use crate::adapters::takes_away;
use crate::decision::Verdict;
use crate::event::{Action, Edit, HookEvent, Kind, ToolCall, Unseen};

impl Run<'_> {
    /// The files that the call names.
    pub(super) fn guard_files(&mut self) {
        let Some(call) = self.event.call_to_decide() else { return };
        let decision = may(Ground::Project(&self.engine), Actor::Agent, &wishes(call));
        self.object(&decision);
        self.outside_edits();
        self.outside_deletions(call);
    }

    /// What a tool or a patch takes away outside the project is asked about as if a command did it.
    fn outside_deletions(&mut self, call: &ToolCall) {
        if self.decision.verdict != Verdict::Pass || !matches!(call.action, Action::Edit(_)) {
            return;
        }
        let root = self.engine.project().root().to_path_buf();
        let gone: Vec<String> = call
            .action
            .edits()
            .iter()
            .filter(|edit| takes_away(self.event.client, call, edit) && self.inside(&edit.path).is_none())
            .map(|edit| format!("'{}'", edit.path.display().to_string().replace('\'', "'\\''")))
            .collect();
        if gone.is_empty() {
            return;
        }
        let line = format!("rm -f -- {}", gone.join(" "));
        let mut reports = vec![outside::judged(self.engine.context(), Some(&root), &line)];
        self.outside_commands(&mut reports, None);
        if let Some(report) = worst(&reports) {
            self.decision.verdict = verdict_of(report, self.gate());
        }
    }

    /// An edit of a file that must rest, or any call that was made again and again and always got the same answer.
    pub(super) fn spiral(&mut self) -> Result<(), Error> {
        let Kind::BeforeTool(call) = &self.event.kind else { return Ok(()) };
        let edits: Vec<(RelPath, agent::Change)> = self
            .edits()
            .iter()
            .filter_map(|edit| Some((self.inside(&edit.path)?, edit.change.clone())))
            .collect();
        let mut found = None;
        if !edits.is_empty() {
            found = agent::spiral_before_edit(&self.engine, &self.who, &edits, &mut self.announced)?;
        }
        if let (Action::Shell { command }, Some(report)) = (&call.action, &self.judged) {
            let targets = report.verdict.writes.iter().filter(|target| !target.recursive);
            let paths = targets.filter_map(|target| self.inside(Path::new(&target.path))).collect();
            let typed = agent::typed(command, paths);
            if !typed.is_empty() {
                found = agent::spiral_before_typing(&self.engine, &self.who, &typed)?;
            }
        }
        if found.is_none() {
            found = self.repeats(call)?;
        }
        if let Some(spiral) = found {
            let text = self.clean(&spiral_text(&spiral, self.event.client)).into_string();
            self.decision.verdict = Verdict::Deny(text);
        }
        Ok(())
    }

    fn repeats(&mut self, call: &ToolCall) -> Result<Option<Spiral>, Error> {
        let words = call_words(call);
        let about = agent::AboutToRun { tool: &call.tool, arguments: &call.arguments, words: &words };
        let found = agent::spiral_before_tool(&self.engine, &self.who, &about)?;
        if found.is_none() {
            return Ok(None);
        }
        // A person or a program may have changed something since: then it is a new question. To be stopped is rare, so there is
        // time to look.
        let state = SessionFile::of(&self.engine, &self.who).read();
        agent::save_tree(&self.engine, &self.who, &state, "tool", &Silent)?;
        agent::spiral_before_tool(&self.engine, &self.who, &about)
    }

    /// Judged from where the command would run. An agent may have wandered out of the project; what it does there no
    /// checkpoint of ours covers, and what it does here from there is saved all the same.
    pub(super) fn judge(&mut self) -> Result<(), Error> {
        let Some(call) = self.event.call_to_decide() else { return Ok(()) };
        let root = self.engine.project().root().to_path_buf();
        let context = self.engine.context();
        let (folder, is_known) = folder_of(context, self.event, call);
        let there = context.beside(&folder).map_err(project::Error::from)?;
        let is_inside = there.cwd().starts_with(&root);
        let is_known = is_known
            || is_inside
                && matches!(call.action, Action::Shell { .. })
                && strange::command_lines(context, call, there.cwd(), Some(&root))
                    .iter()
                    .all(|command| is_same_anywhere(context, &there, &root, command));
        self.at_home = is_inside && is_known;
        // Where it is not known in which folder, nothing is known to be covered.
        let elsewhere = match (is_inside, is_known) {
            (false, true) => outside::project_around(context, &there),
            _ => None,
        };
        let judged_in = if self.at_home { Some(root.as_path()) } else { elsewhere.as_deref() };
        let lines = strange::command_lines(context, call, there.cwd(), Some(&root));
        let mut reports: Vec<JudgeReport> =
            lines.iter().map(|command| outside::judged(&there, judged_in, command)).collect();
        if matches!(self.event.kind, Kind::BeforeTool(_)) && elsewhere.is_none() {
            for report in reports.iter_mut().filter(|report| !report.save_first.is_empty()) {
                // If that fails, it stays a question: it could not be brought back.
                if let Some(problem) =
                    problem_of(|| agent::save_losses(&self.engine, &self.who, report, &Silent))
                {
                    self.warn(&format!("ignored files were not saved before this step: {problem}"));
                }
            }
        }
        self.outside_commands(&mut reports, elsewhere.as_deref());
        let place = Where { folder: there.cwd(), is_known };
        self.mark_for_fence(call, &mut reports, &place);
        if !is_known {
            for report in reports.iter_mut().filter(|report| report.decision == Judged::Ask) {
                say_folder_is_not_known(report, &there, &root);
            }
        }
        let verdict = match worst(&reports) {
            Some(report) => verdict_of(report, self.gate()),
            None => Verdict::Pass,
        };
        let verdict = if verdict == Verdict::Pass { unseen(call, &reports) } else { verdict };
        // What was objected to before stays: this can only be stricter.
        if self.decision.verdict == Verdict::Pass || matches!(verdict, Verdict::Deny(_)) {
            self.decision.verdict = verdict;
        }
        if let Action::Shell { .. } = call.action
            && let Some(report) = reports.first()
        {
            self.reach = match (is_inside, is_known) {
                (true, true) if !report.needs_checkpoint => Reach::Nowhere,
                (true, true) => match judge::known_writes(&root, &report.verdict) {
                    Some(paths) => Reach::Named(paths),
                    None => Reach::Anywhere,
                },
                _ if report.verdict.can_write => Reach::Anywhere,
                _ => Reach::Nowhere,
            };
            if is_inside && is_known {
                self.leave_to_nested(&folder);
            }
        }
        if self.decision.verdict == Verdict::Pass {
            let wishes: Vec<Wish<'_>> = reports.iter().flat_map(|report| known(&report.verdict)).collect();
            let decision = may(Ground::Project(&self.engine), Actor::Agent, &wishes);
            self.object(&decision);
        }
        self.judged = reports.into_iter().max_by_key(|report| report.decision);
        Ok(())
    }

    fn object(&mut self, decision: &may::Decision) {
        let verdict = objected(decision, self.gate());
        if verdict != Verdict::Pass {
            self.decision.verdict = verdict;
        }
    }
}

/// What a call would do to the files it names.
fn wishes(call: &ToolCall) -> Vec<Wish<'_>> {
    call.action.edits().iter().map(|edit| Wish { path: &edit.path, act: act(call, edit) }).collect()
}

fn act<'c>(call: &'c ToolCall, edit: &'c Edit) -> Act<'c> {
    match &call.action {
        Action::Unknown(hints) if hints.takes => Act::Taken,
        Action::Unknown(hints) if !hints.writes => Act::Mentioned,
        _ => Act::Edit(&edit.change),
    }
}

/// What a command would write and delete, as far as the judge knows it.
fn known(verdict: &judge::Verdict) -> impl Iterator<Item = Wish<'_>> {
    let writes = verdict.writes.iter().map(|target| Wish {
        path: Path::new(&target.path),
        act: Act::Written { recursive: target.recursive },
    });
    let deletes = verdict.deletes.iter().map(|target| Wish {
        path: Path::new(&target.path),
        act: Act::Deleted { recursive: target.recursive },
    });
    // What is moved is written nowhere and deleted nowhere; it is different afterwards, with everything in it.
    let is_told = |path: &str| verdict.writes.iter().chain(&verdict.deletes).any(|told| told.path == path);
    let others = verdict.writes_only.iter().flatten().filter(move |known| !is_told(&known.path));
    let others = others.map(|known| Wish {
        path: Path::new(&known.path),
        act: match known.with_content {
            true => Act::Deleted { recursive: false },
            false => Act::Written { recursive: false },
        },
    });
    writes.chain(deletes).chain(others)
}

/// The strictest objection, in the words for the client.
fn objected(decision: &may::Decision, gate: &mut Gate) -> Verdict {
    let Some(worst) = decision.worst() else { return Verdict::Pass };
    let reason = gate.clean(&format!("vib: {}", worst.reason)).into_string();
    match worst.answer {
        Answer::Allow => Verdict::Pass,
        Answer::Ask => Verdict::Ask(reason),
        Answer::Deny => Verdict::Deny(reason),
    }
}

/// Edits where there is no project: vib's own files and what runs by itself are guarded there too.
pub(super) fn guarded_places(
    context: &Context,
    event: &HookEvent,
    call: &ToolCall,
    gate: &mut Gate,
) -> Verdict {
    let folder = event.cwd.as_deref().unwrap_or_else(|| context.cwd());
    match context.beside(folder) {
        Ok(there) => objected(&may(Ground::Nowhere(&there), Actor::Agent, &wishes(call)), gate),
        Err(_) => Verdict::Ask("vib cannot see the folder of this edit.".to_owned()),
    }
}

/// The strictest of several.
pub(super) fn worst(reports: &[JudgeReport]) -> Option<&JudgeReport> {
    reports.iter().max_by_key(|report| report.decision)
}

/// What cannot be seen as a whole is asked about; what is typed into a program only if it would do something in a shell. (S2)
pub(super) fn unseen(call: &ToolCall, reports: &[JudgeReport]) -> Verdict {
    let is_harmless = !reports.is_empty() && reports.iter().all(|report| report.verdict.provably_harmless());
    match call.unseen {
        None => Verdict::Pass,
        Some(Unseen::Typed) if is_harmless => Verdict::Pass,
        Some(unseen) => Verdict::Ask(format!("vib: {}.", unseen.words())),
    }
}

pub(super) fn verdict_of(report: &JudgeReport, gate: &mut Gate) -> Verdict {
    match report.decision {
        Judged::Allow | Judged::AllowWithCheckpoint => Verdict::Pass,
        Judged::Ask => Verdict::Ask(gate.clean(&report.why()).into_string()),
        Judged::Deny => Verdict::Deny(gate.clean(&report.why()).into_string()),
    }
}
