//! What a step did, told to the spiral breaker; and its veto before a step. (SP1)

use project::RelPath;

use super::announce::{Announcement, announce};
use super::content::{QUICKLY, content_of, content_of_file};
use super::ledger::Ended;
use super::predict::{Change, mark, read, would_become_from};
use super::session::{SessionFile, SessionState, Who};
use super::typed_by_shell::{edited_by, puts_back};
use crate::gates;
use crate::memory::observe;
use crate::{Engine, Result};
use spiral::{
    Content, Outcome, Sketch, Spiral, Step, Tool, changed_lines, is_check, normalise_error, passes_for_sure,
    signature, speaks_of_failure, speaks_of_success, what_failed,
};

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
    let mut tracker = file.read().spiral;
    if tracker.is_pause(engine.context().now_ms()) {
        tracker.waited();
        file.update(|state| state.spiral.waited())?;
    }
    if tracker.before_call(what, call.words).is_none() {
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
    /// It goes on in the background, or was cut off: nobody knows how it ends.
    pub unfinished: bool,
    /// The folder in which a command ran, from the project's own; empty: that one.
    pub folder: &'a str,
}

/// Asks whether a file may be edited once more. `Some`: it must not. What was read for that also says what the edit announces.
pub fn spiral_before_edit(
    engine: &Engine,
    who: &Who,
    edits: &[(RelPath, Change)],
    announced: &mut Announcement,
) -> Result<Option<Spiral>> {
    before_edit(engine, who, edits, Some(announced))
}

/// The same for files that a command would write, see [`typed`](super::typed).
pub fn spiral_before_typing(
    engine: &Engine,
    who: &Who,
    edits: &[(RelPath, Change)],
) -> Result<Option<Spiral>> {
    before_edit(engine, who, edits, None)
}

/// What is known of a file that is about to be written.
struct Looked {
    name: String,
    now: Option<Content>,
    then: Option<Content>,
    /// The lines that would differ.
    lines: Option<(u32, u32)>,
    /// How it is, where nobody knows what a command will write.
    sketch: Option<Sketch>,
    misses: bool,
}

fn before_edit(
    engine: &Engine,
    who: &Who,
    edits: &[(RelPath, Change)],
    mut announced: Option<&mut Announcement>,
) -> Result<Option<Spiral>> {
    let file = SessionFile::of(engine, who);
    let tracker = file.read().spiral;
    let by_command = announced.is_none();
    let looked: Vec<Looked> = edits
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
            let then = would_become_from(engine, path, change, now.as_deref());
            if let Some(announced) = announced.as_deref_mut() {
                announced.edits.extend(announce(engine, path, change, now.as_deref(), then.as_deref()));
            }
            let lines =
                then.as_deref().and_then(|then| changed_lines(now.as_deref().unwrap_or_default(), then));
            let sketch = now.as_deref().filter(|_| by_command && then.is_none()).map(Sketch::of);
            let now = now.map(|bytes| content_of(path, &bytes, longest));
            let misses = then.is_none() && change.puts_in_place_of_something();
            let then = then.filter(|_| tracker.is_doubtful(&name));
            let then = then.map(|bytes| content_of(path, &bytes, QUICKLY));
            Looked { name, now, then, lines, sketch, misses }
        })
        .collect();
    file.update(|state| {
        for Looked { name, now, then, lines, sketch, misses } in &looked {
            if let Some(now) = now {
                state.spiral.found(name, *now);
                if !by_command {
                    state.spiral.announced(name, *misses);
                }
            }
            let denied = if by_command {
                state.spiral.before_command_writes(name, *then)
            } else {
                state.spiral.before_edit(name, *then)
            };
            if denied.is_some() {
                return denied;
            }
            if let Some(lines) = lines {
                state.spiral.announced_place(name, *lines);
            }
            if let Some(sketch) = sketch {
                state.spiral.announced_sketch(name, sketch.clone());
            }
        }
        None
    })
}

/// What a runner says that found nothing to run, or a shell that did not find the runner.
const RAN_NOTHING: [&str; 10] = [
    "no tests found",
    "no tests ran",
    "no test files found",
    "no tests to run",
    "no test specified",
    "collected 0 items",
    "0 tests collected",
    "exit code 127",
    "exit code 126",
    "command timed out",
];

/// What package managers say where there is no such script: that is no check that failed. (A7)
const NO_SUCH_CHECK: [&str; 5] = [
    "missing script",
    "err_pnpm_no_script",
    "couldn't find a script named",
    "script not found",
    "err_pnpm_recursive_run_no_script",
];

/// There was nothing to run, or the runner is not there.
pub(crate) fn says_that_nothing_ran(output: &str) -> bool {
    let said = output.to_lowercase();
    NO_SUCH_CHECK.iter().any(|words| said.contains(words))
        || RAN_NOTHING.iter().any(|words| said.contains(words)) && !speaks_of_failure(output)
}

/// Whether a check passed; none: nobody knows, and then it is as if it had not been run. (M3)
fn how_a_check_ended(finished: &Finished<'_>, command: &str, outcome: Outcome, output: &str) -> Option<bool> {
    if finished.unfinished || says_that_nothing_ran(output) {
        return None;
    }
    let is_silent = output.trim().is_empty();
    match outcome {
        Outcome::Failed { .. } => Some(false),
        Outcome::Ok if finished.failed == Some(false) && passes_for_sure(command) => Some(true),
        // Behind `| tail` nothing is proven, unless the check says so itself.
        Outcome::Ok if !is_silent && speaks_of_success(output) => Some(true),
        // Where the client does not tell, silence is success, unless the words went elsewhere.
        Outcome::Ok
            if is_silent
                && finished.failed.is_none()
                && passes_for_sure(command)
                && !command.contains('>') =>
        {
            Some(true)
        }
        Outcome::Ok | Outcome::Unknown => None,
    }
}

/// Tells what happened. `Some`: with this step it has become a spiral.
pub fn after_tool(engine: &Engine, who: &Who, finished: &Finished<'_>) -> Result<Option<Spiral>> {
    let output = cut(finished.output);
    let check = finished.command.filter(|command| is_check(command));
    let error_of = |output| if check.is_some() { what_failed(output) } else { normalise_error(output) };
    let outcome = match finished.failed {
        Some(true) => Outcome::Failed { error: error_of(output) },
        // Behind `| tail` the exit code is that of `tail`.
        Some(false)
            if check.is_some_and(|command| !passes_for_sure(command)) && speaks_of_failure(output) =>
        {
            Outcome::Failed { error: what_failed(output) }
        }
        Some(false) => Outcome::Ok,
        // Codex does not tell how a command ended; what a check prints does.
        None if check.is_some() && speaks_of_failure(output) => {
            Outcome::Failed { error: what_failed(output) }
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
    let mut contents: Vec<(String, Option<Content>)> = finished.paths.iter().map(now).collect();
    let by_command =
        finished.command.map_or_else(Vec::new, |command| edited_by(command, &finished.ended.changed));
    contents.extend(by_command.iter().filter(|path| !finished.paths.contains(path)).map(|path| now(path)));
    let typed: Vec<(String, Vec<u8>)> =
        by_command.iter().filter_map(|path| Some((path.to_string(), read(engine, path)?))).collect();
    // What is told file by file need not be told as a whole.
    let all_told = !finished.ended.changed.is_empty() && by_command.len() == finished.ended.changed.len();
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
        put_back: finished.command.is_some_and(puts_back),
        unfinished: finished.unfinished,
        at: engine.context().now_ms(),
    };
    let for_gates = |state: &mut SessionState| {
        gates::note_step(&mut state.stop, finished);
        if let Outcome::Failed { error } = outcome {
            state.stop.failed(error);
        }
        if let Some(command) = check {
            let passed = how_a_check_ended(finished, command, outcome, output);
            gates::note_check(engine, state, command, passed, output, finished);
        } else if finished.kind != Tool::Edit {
            gates::note_output(state, finished);
        }
    };
    let (found, sight, parent) = SessionFile::of(engine, who).update(|state| {
        let turn = state.turn_of(who).unwrap_or_else(|| "0".to_owned());
        let sight = observe::look(engine, &mut state.noted, &turn, finished);
        for_gates(state);
        if finished.failed != Some(true) && finished.kind != Tool::Read && !finished.paths.is_empty() {
            let paths: Vec<String> = finished.paths.iter().map(ToString::to_string).collect();
            crate::knowledge::edited(state, &paths);
        }
        let whole = Step { turn: &turn, ..whole };
        if let Some(path) = finished.looked_at {
            state.spiral.was_read(&path.to_string());
        }
        let mut found = None;
        for (path, after) in &typed {
            state.spiral.typed(path, after);
        }
        for (path, after) in &contents {
            // What a command changed is an edit too; whether it did any good, only the command itself can tell.
            let outcome = if finished.kind == Tool::Edit { outcome } else { Outcome::Unknown };
            let step = Step { path: Some(path), after: *after, outcome, check: None, ..whole };
            found = state.spiral.observe(&step).or(found);
        }
        found = state.spiral.observe(&whole).or(found);
        // What the step left different is progress of whoever asks the same again.
        if let Some(changed) = finished.ended.tree_changed.filter(|_| !all_told) {
            state.spiral.looked(changed, !whole.put_back);
        } else if !all_told && finished.kind != Tool::Edit && !finished.ended.changed.is_empty() {
            state.spiral.looked(true, !whole.put_back);
        }
        (found, sight, state.parent_session.clone())
    })?;
    // What a sub-agent with a session of its own does counts for whoever started it.
    if let Some(session) = parent.filter(|_| finished.kind != Tool::Read) {
        let above = Who { client: who.client.clone(), session, ..Who::default() };
        SessionFile::of(engine, &above).update(for_gates)?;
    }
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
