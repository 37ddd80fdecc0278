//! What is open, in words: for the agent that has to go on, or for the person. Both are read in the chat, so it is in the language of the prompt. (A10)

use ::gates::stop::{GateFinding, Open, StopAnswer};
use texts::{Texts, Value};

use crate::agent::phrases;

/// Items of a list that are named.
const ITEMS_NAMED: usize = 8;

pub(super) fn text(
    answer: StopAnswer,
    findings: &[GateFinding],
    client: &str,
    blocks: u64,
    texts: &Texts,
) -> String {
    let open = findings.iter().filter_map(|finding| finding.open.as_ref());
    let list = open.map(|open| format!("- {}", line(open, texts))).collect::<Vec<_>>().join("\n");
    match answer {
        StopAnswer::Pass | StopAnswer::Overridden => String::new(),
        StopAnswer::Block => {
            let again = if blocks == 0 { "first" } else { "last" };
            let head = texts.say("gate-block", &[("again", again.into())]);
            format!("{}\n{list}\n{}", head.trim_end(), texts.say("gate-block-go-on", &[]))
        }
        StopAnswer::Release => format!(
            "{}\n{list}\n{}",
            texts.say("gate-release", &[("count", blocks.into())]),
            texts.say("gate-release-accept", &[("accept", phrases::accept(client).into())])
        ),
        StopAnswer::Warn => format!("{}\n{list}", texts.say("gate-warn", &[])),
    }
}

/// A criterion that a command would show.
pub(super) fn to_be_shown(item: &str, command: &str, texts: &Texts) -> String {
    texts.say("gate-not-accepted-item", &[("item", plain(item)), ("command", plain(command))])
}

fn line(open: &Open, texts: &Texts) -> String {
    let about = |id: &str, command: &str| texts.say(id, &[("command", plain(command))]);
    let items = |id: &str, items: &[String]| texts.say(id, &[("items", plain(&items.join("; ")))]);
    match open {
        Open::CheckFailed { command, failures } => about("gate-failed", command) + &lines(failures),
        Open::Regressed { command, failures } => about("gate-regressed", command) + &lines(failures),
        Open::CheckStale { command } => about("gate-stale", command),
        Open::CheckUnknown { command } => about("gate-unknown", command),
        Open::NotChecked { command } => about("gate-not-checked", command),
        Open::PartOnly { command, places } => {
            let named: Vec<String> =
                places.iter().take(ITEMS_NAMED).map(|place| format!("`{place}`")).collect();
            texts.say("gate-part-only", &[("command", plain(command)), ("places", plain(&named.join(", ")))])
        }
        Open::TasksOpen { items } => {
            let named: Vec<String> = items.iter().take(ITEMS_NAMED).cloned().collect();
            let more = items.len().saturating_sub(ITEMS_NAMED);
            let more = (more > 0).then(|| texts.say("gate-tasks-more", &[("count", more.into())]));
            let all: Vec<String> = named.into_iter().chain(more).collect();
            texts.say("gate-tasks", &[]) + &lines(&all)
        }
        Open::NotAccepted { items: all } => items("gate-not-accepted", all),
        Open::NotTicked { items: all } => items("gate-not-ticked", all),
        Open::ReviewObjects { note } => texts.say("gate-objects", &[("note", plain(note))]),
        Open::NotReviewed => texts.say("gate-not-reviewed", &[]),
    }
}

fn plain(text: &str) -> Value<'static> {
    text.to_owned().into()
}

fn lines(all: &[String]) -> String {
    all.iter().map(|line| format!("\n    {line}")).collect()
}
