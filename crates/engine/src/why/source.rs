//! [`Source`]: where a line comes from, with words.

use std::collections::HashMap;

use serde::Serialize;
use store::lines::Writer;
use store::{Actor, Request, StepNumber, Store};

use super::git::Commit;
use crate::report::usage::Models;
use crate::{Engine, Result};

/// What is known of one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// The step.
    pub step: StepNumber,
    /// Who did it.
    pub actor: Actor,
    /// The client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// What kind of sub-agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// The model, where the client's own record tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the person asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The words of it, as long as they are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The command line, or what was edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// When, milliseconds since 1970.
    pub time_ms: i64,
    /// When it began.
    #[serde(skip)]
    pub(super) from_ms: i64,
}

/// Where lines come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum Source {
    /// A step of an agent, or a change of vib's own such as a patch; several: one of these, which ran at the same time.
    Step {
        /// The steps.
        steps: Vec<StepNumber>,
        /// What is known of each.
        facts: Vec<Fact>,
    },
    /// A person, or another program: nobody said.
    ByHand {
        /// The step that the ledger made of it.
        steps: Vec<StepNumber>,
        /// When it was found, milliseconds since 1970.
        time_ms: i64,
        /// The look before that.
        #[serde(skip)]
        from_ms: i64,
    },
    /// One of these, agents and by hand among them: they shared a look, or the states between are not kept any more.
    OneOf {
        /// The steps.
        steps: Vec<StepNumber>,
        /// A person may have typed it, or another program, while they ran.
        or_by_hand: bool,
    },
    /// Equal lines stand side by side, and these wrote them: which of the lines is whose nobody can tell.
    Either {
        /// Who wrote them.
        of: Vec<Source>,
    },
    /// A commit of git's.
    Git {
        /// Its id.
        commit: String,
        /// Who wrote it.
        author: String,
        /// When, milliseconds since 1970.
        time_ms: i64,
        /// The first line of its message.
        summary: String,
        /// The step that brought it into the file, where that was not before vib.
        #[serde(skip_serializing_if = "Option::is_none")]
        brought_by: Option<StepNumber>,
    },
    /// A command unpacked it out of git, a stash or a patch, and who wrote it is not known.
    FromGit {
        /// The step that brought it into the file.
        brought_by: StepNumber,
    },
    /// It was there when vib came.
    BeforeVib,
    /// It came while vib did not save this file.
    Unseen,
    /// It is not saved yet: typed since the last look, or written by a step that still runs.
    Unsaved,
}

/// From when to when something was written, and what is known of how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from_ms: i64,
    pub(super) to_ms: i64,
    /// A person, or another program: nobody said.
    pub(super) by_hand: bool,
    /// The command names git; none: it is not told any more.
    pub(super) names_git: Option<bool>,
}

impl Source {
    /// The times in which it was written, for each that may have.
    pub(super) fn spans(&self) -> Vec<Span> {
        match self {
            Self::Step { facts, .. } => facts.iter().map(Fact::span).collect(),
            Self::ByHand { from_ms, time_ms, .. } => {
                vec![Span { from_ms: *from_ms, to_ms: *time_ms, by_hand: true, names_git: Some(false) }]
            }
            _ => Vec::new(),
        }
    }

    /// The commit in its place.
    pub(super) fn given_to(&self, commit: &Commit) -> Self {
        let brought_by = match self {
            Self::Step { facts, .. } => facts.first().map(|fact| fact.step),
            Self::ByHand { steps, .. } => steps.first().copied(),
            _ => None,
        };
        Self::Git {
            commit: commit.id.clone(),
            author: commit.author.clone(),
            time_ms: commit.time_ms,
            summary: commit.summary.clone(),
            brought_by,
        }
    }
}

impl Fact {
    /// The command of an agent that takes content out of git.
    pub(super) fn takes_from_git(&self) -> Option<&str> {
        self.what.as_deref().filter(|what| self.actor == Actor::Agent && is_git(what))
    }

    fn span(&self) -> Span {
        Span {
            from_ms: self.from_ms,
            to_ms: self.time_ms,
            by_hand: self.actor == Actor::ByHand,
            names_git: self.what.as_deref().map(is_git),
        }
    }
}

/// A command that brings content out of git.
fn is_git(command: &str) -> bool {
    const VERBS: [&str; 19] = [
        "show",
        "apply",
        "am",
        "cat-file",
        "diff",
        "read-tree",
        "archive",
        "format-patch",
        "checkout",
        "restore",
        "stash",
        "reset",
        "switch",
        "revert",
        "cherry-pick",
        "rebase",
        "merge",
        "pull",
        "clone",
    ];
    has_git(command) && words(command).any(|word| VERBS.contains(&word))
}

fn words(command: &str) -> impl Iterator<Item = &str> {
    command.split(|c: char| c.is_whitespace() || ";&|()\"'`".contains(c))
}

fn has_git(command: &str) -> bool {
    words(command).any(|word| word == "git" || word.ends_with("/git"))
}

/// A command that unpacks what git does not keep as a commit of a branch: a stash, a patch.
pub(super) fn unpacks(command: &str) -> bool {
    let has = |wanted: &str| words(command).any(|word| word == wanted);
    has_git(command) && (has("am") || has("apply") || has("stash") && (has("pop") || has("branch")))
}

/// Looks the words up, each step once.
pub(crate) struct Sources<'e> {
    engine: &'e Engine,
    store: &'e Store<'e>,
    known: HashMap<Writer, Source>,
    models: Models,
}

impl<'e> Sources<'e> {
    pub(crate) fn new(engine: &'e Engine, store: &'e Store<'e>) -> Self {
        Self { engine, store, known: HashMap::new(), models: Models::default() }
    }

    pub(crate) fn of(&mut self, writer: &Writer) -> Result<Source> {
        if let Some(source) = self.known.get(writer) {
            return Ok(source.clone());
        }
        let source = match writer {
            Writer::Before => Source::BeforeVib,
            Writer::Unseen => Source::Unseen,
            Writer::Unsaved => Source::Unsaved,
            Writer::Steps(steps) => self.of_steps(steps)?,
            Writer::Reblanked { wrote, .. } => self.of(wrote)?,
        };
        self.known.insert(writer.clone(), source.clone());
        Ok(source)
    }

    fn of_steps(&mut self, steps: &[StepNumber]) -> Result<Source> {
        let mut facts = Vec::new();
        for step in steps {
            facts.extend(self.fact(*step)?);
        }
        let is_told = facts.len();
        let by_hand = facts.iter().filter(|fact| fact.actor == Actor::ByHand).count();
        let or_by_hand = by_hand > 0 || steps.contains(&StepNumber::A_PERSON);
        let all = steps.len();
        let steps: Vec<StepNumber> =
            steps.iter().copied().filter(|step| *step != StepNumber::A_PERSON).collect();
        Ok(match facts.last() {
            // What nobody tells of any more is nobody's.
            None => Source::Unseen,
            Some(last) if by_hand == facts.len() => {
                let from_ms = facts.iter().map(|fact| fact.from_ms).min().unwrap_or(last.from_ms);
                Source::ByHand { steps, time_ms: last.time_ms, from_ms }
            }
            Some(_) if or_by_hand || is_told < all => Source::OneOf { steps, or_by_hand },
            Some(_) => Source::Step { steps, facts },
        })
    }

    fn fact(&mut self, number: StepNumber) -> Result<Option<Fact>> {
        if let Some(step) = self.store.step(number)? {
            let request = step.request.map(|number| self.store.request(number)).transpose()?.flatten();
            let model = self.models.of_step(self.engine, &step);
            return Ok(Some(Fact {
                step: number,
                actor: step.actor,
                client: step.client,
                agent_type: step.agent_type,
                model,
                request: request.as_ref().map(|request| request.number.to_string()),
                prompt: request.and_then(|request: Request| request.prompt),
                tool: step.tool,
                what: step.what,
                time_ms: step.ended_ms.unwrap_or(step.started_ms),
                from_ms: step.started_ms,
            }));
        }
        Ok(self.store.writer_facts(number)?.map(|facts| Fact {
            step: number,
            actor: facts.actor,
            client: facts.client,
            agent_type: facts.agent_type,
            model: None,
            request: facts.request.map(|number| number.to_string()),
            prompt: None,
            tool: facts.tool,
            what: None,
            time_ms: facts.started_ms,
            from_ms: facts.started_ms,
        }))
    }
}
