//! What is open, in words: for the agent that has to go on, or for the person.

use ::gates::stop::{GateFinding, Open, StopAnswer};

use crate::agent::phrases;

/// Items of a list that are named.
const ITEMS_NAMED: usize = 8;

pub(super) fn text(answer: StopAnswer, findings: &[GateFinding], client: &str, blocks: u64) -> String {
    let open: Vec<String> = findings.iter().filter_map(|finding| finding.open.as_ref()).map(line).collect();
    let list = open.join("\n");
    match answer {
        StopAnswer::Pass | StopAnswer::Overridden => String::new(),
        StopAnswer::Block => {
            let last = if blocks == 0 { "" } else { " You were told before; this is the last time." };
            format!(
                "vib: it is not done yet, so this turn does not end here.{last}\n{list}\nPut it right and show that it is, or, if you cannot, say \
                 plainly what is open and why: an honest \"this is not done\" ends the turn. Do not weaken or delete a check to make it pass."
            )
        }
        StopAnswer::Release => format!(
            "the agent says that it is done, and after {blocks} reminders this is still open:\n{list}\nSend \"{}\" if it is fine as it is.",
            phrases::accept(client)
        ),
        StopAnswer::Warn => format!("the agent says that it is done, and this is open:\n{list}"),
    }
}

fn line(open: &Open) -> String {
    match open {
        Open::CheckFailed { command, failures } => {
            format!("- `{command}` failed when it was run last.{}", lines(failures))
        }
        Open::Regressed { command, failures } => {
            format!("- `{command}` passed before this work and fails now.{}", lines(failures))
        }
        Open::CheckStale { command } => {
            format!("- `{command}` passed, but files were changed after that: run it again.")
        }
        Open::CheckUnknown { command } => {
            format!(
                "- `{command}` was started after the change, and how it ended is not known here: look at its output, or run it again."
            )
        }
        Open::NotChecked { command } => format!("- no check was run after the change: run `{command}`."),
        Open::TasksOpen { items } => {
            let named: Vec<String> =
                items.iter().take(ITEMS_NAMED).map(|item| format!("\n    {item}")).collect();
            let more = items.len().saturating_sub(ITEMS_NAMED);
            let more = if more > 0 { format!("\n    and {more} more") } else { String::new() };
            format!("- open in the agent's own list:{}{more}", named.concat())
        }
        Open::NotAccepted { items } => format!("- agreed on and not shown yet: {}", items.join("; ")),
        Open::NotTicked { items } => format!(
            "- agreed on, and only the person can say that it is so (`vib stop accept NUMBER`): {}",
            items.join("; ")
        ),
        Open::ReviewObjects { note } => format!("- who looked through the work objects: {note}"),
        Open::NotReviewed => {
            "- nobody looked through the work as a whole: `vib verify --profile deep`.".to_owned()
        }
    }
}

fn lines(failures: &[String]) -> String {
    failures.iter().map(|line| format!("\n    {line}")).collect()
}
