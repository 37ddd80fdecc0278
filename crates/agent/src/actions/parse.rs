//! From what a model said to an action, or to what is wrong with it. Strict: an unknown field is as wrong as a missing one, because whoever
//! misspells `offset` means something else than what would be done.

use engine::run::model::{CardRisk, PlannedCard};
use project::RelPath;
use providers::{End, Part, Reply};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Name, RunAction, bash, edit, git, grep, read};
use crate::ActionRefusal;
use crate::role::Role;

/// What a model said, read as one action.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The ids of its calls: each of them has to be answered.
    pub calls: Vec<String>,
    /// The action, or why it is none.
    pub action: Result<RunAction, ActionRefusal>,
    /// The name that it gave, if it gave one.
    pub named: Option<String>,
}

/// Reads a reply. Exactly one action, of those that the role may ask for.
pub fn one(reply: &Reply, role: Role) -> Said {
    let calls: Vec<(&str, &str, &Value)> = reply
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Call { id, name, input } => Some((id.as_str(), name.as_str(), input)),
            _ => None,
        })
        .collect();
    let ids = calls.iter().map(|(id, ..)| (*id).to_owned()).collect();
    let named = calls.first().map(|(_, name, _)| (*name).to_owned());
    let action = match calls.as_slice() {
        _ if reply.end == End::TooLong => Err(ActionRefusal::new(
            "truncated",
            "the answer was cut off before its end, so nothing of it was done",
            "answer again and shorter: one action, and of a large change one part at a time",
        )),
        [] => Err(ActionRefusal::new(
            "no_action",
            "the answer calls no tool, so nothing was done",
            format!("answer with exactly one of {}", words_of(role)),
        )),
        [(_, name, input)] => action(name, input, role),
        several => Err(ActionRefusal::new(
            "several_actions",
            format!("the answer asks for {} actions, so none was done", several.len()),
            "one action, then look at what came of it",
        )),
    };
    Said { calls: ids, action, named }
}

fn words_of(role: Role) -> String {
    role.actions().iter().map(|name| name.word()).collect::<Vec<_>>().join(", ")
}

/// One action from its name and its fields.
pub fn action(name: &str, input: &Value, role: Role) -> Result<RunAction, ActionRefusal> {
    let Some(known) = Name::of_word(name) else {
        let shown: String = name.chars().take(40).collect();
        return Err(ActionRefusal::new(
            "unknown_action",
            format!("there is no action `{shown}`"),
            format!("use one of {}", words_of(role)),
        ));
    };
    if !role.actions().contains(&known) {
        return Err(ActionRefusal::new(
            "not_your_tool",
            format!("{} is no action of a {}", known.word(), role.word()),
            format!("use one of {}", words_of(role)),
        ));
    }
    match known {
        Name::Plan => plan(fields(known, input)?),
        Name::Read => read(&fields(known, input)?),
        Name::Grep => grep(fields(known, input)?),
        Name::EditDiff => edit(fields(known, input)?),
        Name::Bash => bash(&fields(known, input)?),
        Name::Test => fields::<TestFields>(known, input).map(|_| RunAction::Test),
        Name::Git => git(fields(known, input)?),
        Name::Meta => meta(&fields(known, input)?),
        Name::Ask => ask(&fields(known, input)?),
        Name::Done => done(&fields(known, input)?),
    }
}

fn fields<T: DeserializeOwned>(name: Name, input: &Value) -> Result<T, ActionRefusal> {
    if !input.is_object() {
        return Err(ActionRefusal::new(
            "wrong_type",
            format!("the fields of {} are no object", name.word()),
            "give an object with the fields that the tool names",
        ));
    }
    serde_json::from_value(input.clone()).map_err(|error| {
        let message = error.to_string();
        let code = match () {
            () if message.starts_with("unknown field") => "unknown_field",
            () if message.starts_with("missing field") => "missing_field",
            () => "wrong_type",
        };
        let message: String = message.chars().take(300).collect();
        ActionRefusal::new(
            code,
            format!("{}: {message}", name.word()),
            "give exactly the fields that the tool names",
        )
    })
}

fn out_of_range(field: &str, allowed: &str) -> ActionRefusal {
    ActionRefusal::new(
        "out_of_range",
        format!("`{field}` must be {allowed}"),
        format!("give `{field}` as {allowed}"),
    )
}

/// A text that says something and is not too long.
fn text(field: &'static str, given: &str, most: usize) -> Result<String, ActionRefusal> {
    let trimmed = given.trim();
    match trimmed.chars().count() {
        0 => Err(ActionRefusal::new(
            "empty",
            format!("`{field}` is empty"),
            format!("say something in `{field}`"),
        )),
        many if many > most => Err(out_of_range(field, &format!("at most {most} characters"))),
        _ => Ok(trimmed.to_owned()),
    }
}

fn path(field: &'static str, given: &str) -> Result<RelPath, ActionRefusal> {
    let plain = given.strip_prefix("./").unwrap_or(given);
    RelPath::new(plain.as_bytes()).map_err(|error| {
        let next =
            "name a file below the project's folder: `src/cart.js`, without `..` and without a leading `/`";
        ActionRefusal::new(error.code(), format!("`{field}`: {error}"), next)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFields {
    cards: Vec<CardFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardFields {
    title: String,
    #[serde(default)]
    steps: Vec<String>,
    #[serde(default)]
    acceptance: Vec<String>,
}

fn plan(given: PlanFields) -> Result<RunAction, ActionRefusal> {
    if !(1..=20).contains(&given.cards.len()) {
        return Err(out_of_range("cards", "1 to 20 cards"));
    }
    let mut cards = Vec::with_capacity(given.cards.len());
    for (at, card) in given.cards.into_iter().enumerate() {
        if card.steps.len() > 20 || card.acceptance.len() > 20 {
            return Err(out_of_range("steps and acceptance", "at most 20 each"));
        }
        let all = |field, list: Vec<String>| {
            list.iter().map(|one| text(field, one, 300)).collect::<Result<Vec<_>, _>>()
        };
        cards.push(PlannedCard {
            id: format!("c{}", at + 1),
            title: text("title", &card.title, 120)?,
            steps: all("steps", card.steps)?,
            acceptance: all("acceptance", card.acceptance)?,
        });
    }
    Ok(RunAction::Plan(cards))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadFields {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
    head: Option<u64>,
    tail: Option<u64>,
}

fn read(given: &ReadFields) -> Result<RunAction, ActionRefusal> {
    let path = path("path", &given.path)?;
    let lines = |field: &str, number: u64| {
        (1..=read::MOST_LINES)
            .contains(&number)
            .then_some(number)
            .ok_or_else(|| out_of_range(field, "1 to 2000"))
    };
    let part = match (given.offset, given.limit, given.head, given.tail) {
        (offset, limit, None, None) => {
            let first = offset.unwrap_or(1);
            if first == 0 {
                return Err(out_of_range("offset", "a line number, from 1"));
            }
            read::Lines::From {
                first,
                most: limit.map_or(Ok(read::MOST_LINES), |limit| lines("limit", limit))?,
            }
        }
        (None, None, Some(head), None) => read::Lines::From { first: 1, most: lines("head", head)? },
        (None, None, None, Some(tail)) => read::Lines::Last(lines("tail", tail)?),
        _ => {
            return Err(ActionRefusal::new(
                "out_of_range",
                "`offset` and `limit`, `head`, and `tail` exclude each other",
                "give `offset` and `limit`, or only `head`, or only `tail`",
            ));
        }
    };
    Ok(RunAction::Read(read::Read { path, part }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrepFields {
    q: String,
    dir: Option<String>,
    #[serde(default)]
    globs: Vec<String>,
    max: Option<u64>,
    context: Option<u64>,
    #[serde(default)]
    literal: bool,
    #[serde(default)]
    case: bool,
}

fn grep(given: GrepFields) -> Result<RunAction, ActionRefusal> {
    if given.q.is_empty() || given.q.len() > 1_000 {
        return Err(out_of_range("q", "1 to 1000 bytes"));
    }
    let dir = given.dir.as_deref().filter(|dir| !matches!(*dir, "" | "." | "./"));
    let dir = dir.map(|dir| path("dir", dir.trim_end_matches('/'))).transpose()?;
    if given.globs.len() > 20 || given.globs.iter().any(|glob| glob.is_empty() || glob.len() > 200) {
        return Err(out_of_range("globs", "at most 20, none empty, each at most 200 bytes"));
    }
    let most = given.max.unwrap_or(50);
    let context = given.context.unwrap_or(0);
    if !(1..=200).contains(&most) {
        return Err(out_of_range("max", "1 to 200"));
    }
    if context > 5 {
        return Err(out_of_range("context", "0 to 5"));
    }
    Ok(RunAction::Grep(grep::Grep {
        pattern: given.q,
        dir,
        globs: given.globs,
        most: usize::try_from(most).unwrap_or(50),
        context: usize::try_from(context).unwrap_or(0),
        is_literal: given.literal,
        minds_case: given.case,
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct EditFields {
    diff: String,
    keep_regions: Option<bool>,
    reason: Option<String>,
}

fn edit(given: EditFields) -> Result<RunAction, ActionRefusal> {
    if given.diff.trim().is_empty() {
        return Err(ActionRefusal::new(
            "empty_diff",
            "`diff` is empty",
            "give a unified diff with at least one hunk",
        ));
    }
    if given.diff.len() > edit::MOST_DIFF {
        return Err(out_of_range("diff", "at most 512 KB"));
    }
    let reason = given.reason.as_deref().map(|reason| text("reason", reason, 500)).transpose()?;
    let keep_regions = given.keep_regions.unwrap_or(true);
    if !keep_regions && reason.is_none() {
        return Err(ActionRefusal::new(
            "missing_field",
            "`keepRegions: false` needs a `reason`",
            "say why the marked lines have to change, or leave them as they are",
        ));
    }
    Ok(RunAction::EditDiff(edit::EditDiff { diff: given.diff, keep_regions, reason }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BashFields {
    cmd: String,
    seconds: Option<u64>,
    #[serde(default, rename = "allow")]
    _allow: Option<String>,
}

fn bash(given: &BashFields) -> Result<RunAction, ActionRefusal> {
    let command = text("cmd", &given.cmd, 4_000)?;
    if command.contains('\0') {
        return Err(out_of_range("cmd", "text without zero bytes"));
    }
    let seconds = given.seconds.unwrap_or(bash::USUAL_SECONDS);
    if !(1..=bash::MOST_SECONDS).contains(&seconds) {
        return Err(out_of_range("seconds", "1 to 600"));
    }
    Ok(RunAction::Bash(bash::Bash { command, seconds }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestFields {
    #[serde(rename = "runner")]
    _runner: Option<String>,
    #[serde(rename = "confirm")]
    _confirm: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GitFields {
    commit: Option<CommitFields>,
    revert: Option<RevertFields>,
    branch: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitFields {
    message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RevertFields {
    card: String,
}

fn git(given: GitFields) -> Result<RunAction, ActionRefusal> {
    match (given.commit, given.revert, given.branch) {
        (Some(commit), None, None) => {
            Ok(RunAction::Git(git::Git::Commit { message: text("message", &commit.message, 2_000)? }))
        }
        (None, Some(revert), None) => {
            Ok(RunAction::Git(git::Git::Revert { card: text("card", &revert.card, 40)? }))
        }
        (None, None, Some(_)) => Ok(RunAction::Git(git::Git::Branch)),
        _ => Err(ActionRefusal::new(
            "out_of_range",
            "GIT does one thing at a time",
            "give exactly one of `commit`, `revert`, `branch`",
        )),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MetaFields {
    risk: String,
    note: String,
    #[serde(default)]
    assumptions: Vec<String>,
}

fn meta(given: &MetaFields) -> Result<RunAction, ActionRefusal> {
    let risk = match given.risk.as_str() {
        "low" => CardRisk::Low,
        "medium" => CardRisk::Medium,
        "high" => CardRisk::High,
        _ => return Err(out_of_range("risk", "`low`, `medium` or `high`")),
    };
    if given.assumptions.len() > 10 {
        return Err(out_of_range("assumptions", "at most 10"));
    }
    let assumptions =
        given.assumptions.iter().map(|one| text("assumptions", one, 300)).collect::<Result<_, _>>()?;
    Ok(RunAction::Meta { risk, note: text("note", &given.note, 500)?, assumptions })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskFields {
    question: String,
    #[serde(default)]
    options: Vec<String>,
}

fn ask(given: &AskFields) -> Result<RunAction, ActionRefusal> {
    if given.options.len() > 10 {
        return Err(out_of_range("options", "at most 10"));
    }
    let options = given.options.iter().map(|one| text("options", one, 200)).collect::<Result<_, _>>()?;
    Ok(RunAction::Ask { question: text("question", &given.question, 1_000)?, options })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoneFields {
    summary: String,
}

fn done(given: &DoneFields) -> Result<RunAction, ActionRefusal> {
    Ok(RunAction::Done { summary: text("summary", &given.summary, 2_000)? })
}
