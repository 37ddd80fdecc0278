//! What a step did, told to the spiral breaker; and its veto before a step. (SP1)

use project::RelPath;

use super::content::{QUICKLY, content_of, content_of_file};
use super::ledger::Ended;
use super::predict::{Change, mark, read, would_become};
use super::session::{SessionFile, Who};
use crate::memory::observe;
use crate::spiral::{
    Content, Outcome, Spiral, Step, Tool, is_check, normalise_error, passes_for_sure, signature,
    speaks_of_failure, speaks_of_success,
};
use crate::{Engine, Result};

/// Output beyond this says nothing new about a failure.
const OUTPUT_READ: usize = 64 * 1024;

/// A tool call, as far as it matters whether it was made before.
#[derive(Debug, Clone, Copy)]
pub struct AboutToRun<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Its arguments, literally: path, pattern and range of a look, the whole command line.
    pub arguments: &'a str,
    /// In words, for people.
    pub words: &'a str,
}

/// Asks whether a call may be made once more. `Some`: it must not, because it always gets the same answer.
pub fn spiral_before_tool(engine: &Engine, who: &Who, call: &AboutToRun<'_>) -> Result<Option<Spiral>> {
    let file = SessionFile::of(engine, who);
    let what = signature_of(who, call.tool, call.arguments);
    // Nearly always there is nothing to say, and then nothing is written.
    if file.read().spiral.before_call(what, call.words).is_none() {
        return Ok(None);
    }
    file.update(|state| state.spiral.before_call(what, call.words))
}

/// Sub-agents of one session ask for themselves.
fn signature_of(who: &Who, tool: &str, arguments: &str) -> u64 {
    signature(who.agent.as_deref().unwrap_or_default(), tool, arguments)
}

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
    /// The arguments, literally, to see the same call again.
    pub arguments: &'a str,
    /// It waits for something that happens elsewhere.
    pub waits: bool,
    /// The file that a look was about.
    pub looked_at: Option<&'a RelPath>,
    /// It failed; `None` if nobody said.
    pub failed: Option<bool>,
    /// How the ledger saw it end.
    pub ended: &'a Ended,
    /// What the model was told.
    pub output: &'a str,
    /// The whole answer, to see whether it is the same again; `None` if the client did not tell.
    pub answer: Option<&'a str>,
}

/// Asks whether a file may be edited once more. `Some`: it must not.
pub fn spiral_before_edit(engine: &Engine, who: &Who, edits: &[(RelPath, Change)]) -> Result<Option<Spiral>> {
    let file = SessionFile::of(engine, who);
    let tracker = file.read().spiral;
    let looked: Vec<(String, Option<Content>, Option<Content>, bool)> = edits
        .iter()
        .map(|(path, change)| {
            let name = path.to_string();
            // How a file was found matters once, and again when somebody else has changed it; what it would become only when
            // something about it is odd.
            let now = read(engine, path);
            let longest = match &now {
                Some(bytes) if tracker.knows(&name, mark(bytes)) => 0,
                _ => QUICKLY,
            };
            let now = now.map(|bytes| content_of(path, &bytes, longest));
            let then = would_become(engine, path, change);
            let misses = then.is_none() && change.puts_in_place_of_something();
            let after = then.filter(|_| tracker.is_doubtful(&name));
            let after = after.map(|bytes| content_of(path, &bytes, QUICKLY));
            (name, now, after, misses)
        })
        .collect();
    file.update(|state| {
        for (path, now, after, misses) in &looked {
            if let Some(now) = now {
                state.spiral.found(path, *now);
                state.spiral.announced(path, *misses);
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
    let check = finished.command.filter(|command| is_check(command));
    let outcome = match finished.failed {
        Some(true) => Outcome::Failed { error: normalise_error(output) },
        // Behind `| tail` the exit code is that of `tail`.
        Some(false)
            if check.is_some_and(|command| !passes_for_sure(command)) && speaks_of_failure(output) =>
        {
            Outcome::Failed { error: normalise_error(output) }
        }
        Some(false) => Outcome::Ok,
        // Codex does not tell how a command ended; what a check prints does.
        None if check.is_some() && speaks_of_failure(output) => {
            Outcome::Failed { error: normalise_error(output) }
        }
        None if check.is_some() && speaks_of_success(output) => Outcome::Ok,
        None => Outcome::Unknown,
    };
    let writes = match finished.kind {
        Tool::Edit => true,
        Tool::Shell => finished.ended.might_write,
        Tool::Read => false,
        Tool::Other => true,
    };
    let now = |path: &RelPath| (path.to_string(), content_of_file(engine, path, QUICKLY));
    let contents: Vec<(String, Option<Content>)> = finished.paths.iter().map(now).collect();
    let whole = Step {
        turn: "",
        signature: signature_of(who, finished.tool, finished.arguments),
        tool: finished.kind,
        path: None,
        after: None,
        writes,
        waits: finished.waits,
        outcome,
        result: finished.answer.map(|answer| mark(answer.as_bytes())),
        check: check.map(|command| mark(command.as_bytes())),
        output,
    };
    let (found, sight) = SessionFile::of(engine, who).update(|state| {
        let turn = state.turn_of(who).unwrap_or_else(|| "0".to_owned());
        let sight = observe::look(engine, &mut state.noted, &turn, finished);
        let whole = Step { turn: &turn, ..whole };
        if let Some(path) = finished.looked_at {
            state.spiral.was_read(&path.to_string());
        }
        let mut found = None;
        for (path, after) in &contents {
            // What a command changed is an edit too; whether it did any good, only the command itself can tell.
            let outcome = if finished.kind == Tool::Edit { outcome } else { Outcome::Unknown };
            let step = Step { path: Some(path), after: *after, outcome, check: None, ..whole };
            found = state.spiral.observe(&step).or(found);
        }
        found = state.spiral.observe(&whole).or(found);
        // What the step left different is progress of whoever asks the same again.
        if let Some(changed) = finished.ended.tree_changed {
            state.spiral.looked(changed, true);
        } else if finished.kind != Tool::Edit && !finished.ended.changed.is_empty() {
            state.spiral.looked(true, true);
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
