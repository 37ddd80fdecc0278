//! What an incident is: a story of a session, and what a careful person would do at its end.
//!
//! The answers were written down before the recommendation existed, from this rule of thumb: keep what was asked for and
//! works; bring back what was lost or spoilt, from just before it was; mend, not restore, where good work and damage lie in
//! the same edit; touch nothing where nothing is broken.

use super::base::Base;

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// The person asks the agent for something; a new turn.
    Prompt(&'static str),
    /// The agent writes a whole file with its edit tool.
    Write(&'static str, String),
    /// The agent replaces text with its edit tool.
    Replace(&'static str, &'static str, &'static str),
    /// The agent runs a command; vib hears the text, the effects happen.
    Shell(&'static str, Vec<Effect>),
    /// Files change, and vib is told nothing.
    Silently(Vec<Effect>),
    /// The agent's turn ends.
    Stop,
    /// The person edits a file by hand.
    ByHand(&'static str, &'static str),
    /// The person saves a checkpoint.
    Save(&'static str),
    /// The person says what they are working on (not in the runs with empty memory).
    Intent(&'static str),
    /// The person says that a file matters (not in the runs with empty memory).
    Relevant(&'static str),
    /// A check was run and recorded (not in the runs with empty memory).
    Check(&'static str, bool),
    /// Everything is committed (only in the runs with git).
    Commit,
    /// The person says this and carries out the first way.
    Recover(&'static str),
    /// The person takes back the last request.
    Undo,
    /// Time passes.
    Minutes(u64),
    /// From here on it is damage: what was there just before is what must come back.
    Damage(Box<Act>),
    /// The person changes one place of a file by hand.
    HandEdit(&'static str, &'static str, &'static str),
    /// The person, or a program nobody told of, does this.
    HandDoes(Vec<Effect>),
    /// The tree as it is now gets a name.
    Mark(&'static str),
    /// Another session of the agent begins.
    Session(&'static str),
    /// What follows is done by this client, in a session of its own that goes on: `claude-code`, `gemini`, `codex`.
    Client(&'static str),
    /// What follows is done by a sub-agent of this kind; none: by the main agent again.
    Sub(Option<&'static str>),
}

/// What a command does to the files. Nothing is run: the test does it.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// A file or folder goes.
    Gone(&'static str),
    /// A file has this content.
    Is(&'static str, Vec<u8>),
    /// In all files below a folder (empty: everywhere) that end so, one text takes the place of another.
    Everywhere(&'static str, &'static [&'static str], &'static str, &'static str),
    /// A file or folder gets another name.
    Moved(&'static str, &'static str),
    /// A file gets other permission bits.
    Mode(&'static str, u32),
    /// A link becomes a copy of what it pointed to.
    LinkToCopy(&'static str),
    /// Files go back to how they were when the project was built.
    AsBuilt(&'static [&'static str]),
    /// The whole project folder is emptied; with `true` also vib's own folder in it.
    AllGone(bool),
    /// Git itself does this, in the sandbox.
    Git(&'static [&'static str]),
    /// One place of a file is different.
    Changed(&'static str, &'static str, &'static str),
    /// So many files of this name (`{}` is the number) with this content.
    Many(usize, &'static str, &'static str),
}

/// What a careful person would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Right {
    /// 0 nothing, 1 look, 2 mend, 3 bring some files back, 4 bring everything back.
    pub(crate) level: u8,
    /// The files to mend or to bring back; for 4 it is whatever changed.
    pub(crate) files: Vec<&'static str>,
}

/// A story and its right answer.
#[derive(Debug, Clone)]
pub(crate) struct Incident {
    pub(crate) name: &'static str,
    pub(crate) base: Base,
    /// Vib knows the project from before the session.
    pub(crate) known: bool,
    pub(crate) acts: Vec<Act>,
    /// What the person says.
    pub(crate) words: &'static str,
    pub(crate) right: Right,
    /// Where the answer is another one when memory is empty.
    pub(crate) without_memory: Option<Right>,
    /// Where git keeps what no checkpoint does. (R1)
    pub(crate) with_git: Option<Right>,
}

impl Incident {
    pub(crate) fn new(
        name: &'static str,
        base: Base,
        acts: Vec<Act>,
        level: u8,
        files: &[&'static str],
    ) -> Self {
        Self {
            name,
            base,
            known: true,
            acts,
            words: "it broke",
            right: Right { level, files: files.to_vec() },
            without_memory: None,
            with_git: None,
        }
    }

    pub(crate) fn with_git(mut self, level: u8, files: &[&'static str]) -> Self {
        self.with_git = Some(Right { level, files: files.to_vec() });
        self
    }

    pub(crate) fn says(mut self, words: &'static str) -> Self {
        self.words = words;
        self
    }

    pub(crate) fn unknown_before(mut self) -> Self {
        self.known = false;
        self
    }

    pub(crate) fn without_memory(mut self, level: u8, files: &[&'static str]) -> Self {
        self.without_memory = Some(Right { level, files: files.to_vec() });
        self
    }
}

pub(crate) fn write(path: &'static str, text: impl Into<String>) -> Act {
    Act::Write(path, text.into())
}

pub(crate) fn shell(command: &'static str, effects: impl IntoIterator<Item = Effect>) -> Act {
    Act::Shell(command, effects.into_iter().collect())
}

pub(crate) fn damage(act: Act) -> Act {
    Act::Damage(Box::new(act))
}

pub(crate) fn is(path: &'static str, text: impl AsRef<[u8]>) -> Effect {
    Effect::Is(path, text.as_ref().to_vec())
}
