//! What a step did, told to the spiral breaker; and its veto before an edit. (SP1)

use project::RelPath;

use super::predict::{Change, mark, mark_of_file, would_become};
use super::session::{SessionFile, Who};
use crate::memory::observe;
use crate::spiral::{Outcome, Spiral, Step, Tool, is_check, normalise_call, normalise_error};
use crate::{Engine, Result, judge};

/// Output beyond this says nothing new about a failure.
const OUTPUT_READ: usize = 64 * 1024;

/// A step that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// What kind of tool it is.
    pub kind: Tool,
    /// The files it changed, as far as anybody said.
    pub paths: &'a [RelPath],
    /// Lines that an edit puts in, as far as it says.
    pub lines: u64,
    /// The command line, for a shell.
    pub command: Option<&'a str>,
    /// The arguments as text, to see the same call again.
    pub arguments: &'a str,
    /// It failed; `None` if nobody said.
    pub failed: Option<bool>,
    /// What the model was told.
    pub output: &'a str,
}

/// Asks whether a file may be edited once more. `Some`: it must not.
pub fn spiral_before_edit(engine: &Engine, who: &Who, edits: &[(RelPath, Change)]) -> Result<Option<Spiral>> {
    let marks: Vec<(String, Option<u64>, Option<u64>)> = edits
        .iter()
        .map(|(path, change)| {
            let after = would_become(engine, path, change).map(|content| mark(&content));
            (path.to_string(), mark_of_file(engine, path), after)
        })
        .collect();
    SessionFile::of(engine, who).update(|state| {
        for (path, now, after) in &marks {
            if let Some(now) = now {
                state.spiral.found(path, *now);
            }
            if let Some(spiral) = state.spiral.before_edit(path, *after) {
                return Some(spiral);
            }
        }
        None
    })
}

/// Tells what happened. `Some`: with this step it has become a spiral.
pub fn after_tool(engine: &Engine, who: &Who, finished: &Finished<'_>) -> Result<Option<Spiral>> {
    let output = cut(finished.output);
    let outcome = match finished.failed {
        Some(true) => Outcome::Failed { error: normalise_error(output) },
        Some(false) => Outcome::Ok,
        None => Outcome::Unknown,
    };
    let check = finished.command.filter(|command| is_check(command)).map(|command| mark(command.as_bytes()));
    let writes = match finished.kind {
        Tool::Edit => true,
        Tool::Shell => finished.command.is_none_or(|command| judge::may_write(engine.context(), command)),
        Tool::Read => false,
        Tool::Other => true,
    };
    let signature = normalise_call(finished.tool, finished.arguments);
    let result = (!output.is_empty()).then(|| normalise_error(output));
    let now = |path: &RelPath| (path.to_string(), mark_of_file(engine, path));
    let contents: Vec<(String, Option<u64>)> = finished.paths.iter().map(now).collect();
    let whole = Step {
        turn: "",
        signature,
        tool: finished.kind,
        path: None,
        content: None,
        writes,
        outcome,
        result,
        check,
    };
    let (found, sight) = SessionFile::of(engine, who).update(|state| {
        let turn = state.turn_of(who).unwrap_or_else(|| "0".to_owned());
        let sight = observe::look(engine, &mut state.noted, &turn, finished);
        let whole = Step { turn: &turn, ..whole };
        let mut found = None;
        for (path, content) in &contents {
            // What a command changed is an edit too; whether it did any good, only the command itself can tell.
            let step = match finished.kind {
                Tool::Edit => Step { path: Some(path), content: *content, ..whole },
                _ => Step {
                    tool: Tool::Edit,
                    path: Some(path),
                    content: *content,
                    outcome: Outcome::Unknown,
                    result: None,
                    check: None,
                    ..whole
                },
            };
            found = state.spiral.observe(&step).or(found);
        }
        if finished.kind != Tool::Edit || contents.is_empty() {
            found = state.spiral.observe(&whole).or(found);
        }
        (found, sight)
    })?;
    match observe::note(engine, who, finished, &sight, found.as_ref()) {
        // That the agent runs in circles matters more than that it could not be written down.
        Err(error) if found.is_none() => Err(error),
        _ => Ok(found),
    }
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(OUTPUT_READ);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
