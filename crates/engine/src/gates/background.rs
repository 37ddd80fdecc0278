//! A check in the background: it was started, and how it ended is told by what the agent reads later. (A2)

use spiral::{speaks_of_failure, speaks_of_success};

use crate::agent::{Finished, SessionState};

/// Tools that give the output of what runs in the background, by a part of their names.
const OUTPUT_TOOLS: [&str; 6] =
    ["bashoutput", "taskoutput", "task_output", "read_bash", "read_background", "write_stdin"];

/// Something was read: if it is the output of a check that went on in the background, and says how that ended, it has ended so.
pub(crate) fn note_output(state: &mut SessionState, finished: &Finished<'_>) {
    let waiting = state.stop.checks.iter_mut().rev().find(|check| check.passed.is_none());
    let Some(check) = waiting else { return };
    if !is_output(finished) {
        return;
    }
    let said = if finished.output.is_empty() { finished.answer.unwrap_or_default() } else { finished.output };
    // An answer in JSON has its line ends written out.
    let said = said.replace("\\n", "\n");
    if speaks_of_failure(&said) {
        check.passed = Some(false);
    } else if !said.trim().is_empty() && speaks_of_success(&said) {
        check.passed = Some(true);
    }
}

/// The tool is there for that, or the file looks like one that a command writes its output into.
fn is_output(finished: &Finished<'_>) -> bool {
    let tool = finished.tool.to_ascii_lowercase();
    let names_output = || {
        let words = finished
            .arguments
            .split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ',' | '}'));
        words
            .into_iter()
            .any(|word| word.ends_with(".output") || word.ends_with(".log") || word.ends_with(".out"))
    };
    OUTPUT_TOOLS.iter().any(|part| tool.contains(part)) || names_output()
}
