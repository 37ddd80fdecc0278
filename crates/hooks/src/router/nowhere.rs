//! Where there is no project: nothing can be saved, and everything is judged and guarded all the same.

use std::path::Path;

use engine::Error;
use engine::judge::{self, JudgeReport};
use project::Context;
use redact::{Gate, PrivacyContext};

use super::judging::{guarded_places, unseen, verdict_of, worst};
use super::whereabouts::folder_of;
use super::{once, strange};
use crate::decision::{Decision, Verdict};
use crate::event::{Action, HookEvent, Kind, ToolCall};

/// Where nothing can be saved, a command is still judged: nothing is covered then.
pub(super) fn without_project(context: &Context, event: &HookEvent, error: &Error) -> Decision {
    let home = context.home().and_then(Path::to_str).map(str::to_owned);
    let mut gate = Gate::new(PrivacyContext { home, ..PrivacyContext::default() });
    // The home folder and the like: no mistake, and with vib in the person's own settings not rare. Said once.
    let is_too_wide = error.code() == "root_too_wide";
    let is_said = !is_too_wide || once::first_time(context, "nowhere", event);
    let warning = format!("nothing is saved here: {error}; {}", error.next());
    let warnings = if is_said { vec![gate.clean(&warning).into_string()] } else { Vec::new() };
    let verdict = match &event.kind {
        Kind::BeforeTool(call @ ToolCall { action: Action::Shell { .. } | Action::Unknown(_), .. }) => {
            let folder = folder_of(context, event, call).0;
            let mut verdict = guarded_places(context, event, call, &mut gate);
            match context.beside(&folder) {
                _ if verdict != Verdict::Pass => {}
                Ok(there) => {
                    let judge = |command: &str| judge::judge_without_checkpoint(&there, command);
                    let lines = strange::command_lines(context, call, there.cwd(), None);
                    let mut reports: Vec<JudgeReport> = lines.iter().map(|one| judge(one)).collect();
                    if let Some(home) = context.home().filter(|_| is_too_wide) {
                        reports.iter_mut().for_each(|report| judge::allow_new_files(home, report));
                    }
                    verdict = worst(&reports).map_or(Verdict::Pass, |report| verdict_of(report, &mut gate));
                    if verdict == Verdict::Pass {
                        verdict = unseen(call, &reports);
                    }
                }
                Err(_) if call.action.commands().is_empty() => {}
                Err(_) => verdict = Verdict::Ask("vib cannot see the folder of this command.".to_owned()),
            }
            verdict
        }
        Kind::BeforeTool(call @ ToolCall { action: Action::Edit(_), .. }) if is_too_wide => {
            guarded_places(context, event, call, &mut gate)
        }
        Kind::BeforeTool(ToolCall { action: Action::Edit(_), .. }) => Verdict::Ask(
            "vib cannot see the project of this edit, so nothing could be saved first.".to_owned(),
        ),
        _ => Verdict::Pass,
    };
    Decision { verdict, warnings, ..Decision::default() }
}
