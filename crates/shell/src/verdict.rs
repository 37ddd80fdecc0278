//! What the judge answers: one decision, the reasons for it in plain words, and the facts behind them.
//!
//! The decision is for hooks; the facts (`can_write`, `writes`, `network`, ...) are for whoever has to decide what to
//! save before the command runs, and for a person who wants to know why they were asked.

use schemars::JsonSchema;
use serde::Serialize;

/// What should happen with the command. Ordered: a later value wins over an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Understood, and nothing in it changes anything that matters.
    #[default]
    Allow,
    /// May run once a checkpoint of the project is taken: what it changes can be brought back from there.
    AllowWithCheckpoint,
    /// A person should look at it first.
    Ask,
    /// Must not run.
    Deny,
}

/// One reason for the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reason {
    /// Stable identifier, `snake_case`, never renamed.
    pub code: &'static str,
    /// What this reason alone would decide.
    pub decision: Decision,
    /// Whether it is about something that was not understood, as opposed to understood and harmful.
    pub unknown: bool,
    /// The reason in plain words.
    pub text: String,
    /// The part of the command line it is about.
    pub about: String,
}

/// Where a path of the command line leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Inside the project, and saved by a checkpoint.
    Project,
    /// The project folder itself, all of its content, or a folder above it.
    ProjectRoot,
    /// The repository's own data (`.git`), which no checkpoint holds.
    GitData,
    /// The system's folder for throw-away files.
    Temp,
    /// A terminal, `/dev/null` or another open stream: nothing is stored.
    Stream,
    /// A disk or another raw device.
    Device,
    /// The file system root or a folder of the operating system.
    System,
    /// A whole home folder.
    Home,
    /// vib's own state or settings.
    VibState,
    /// Settings of an AI agent: hooks, permissions, instructions.
    AgentSettings,
    /// A file that a shell or the login runs by itself.
    StartupFile,
    /// A git hook, which git runs by itself.
    GitHook,
    /// Somewhere else on this machine.
    Outside,
    /// On another machine or inside a container.
    Remote,
    /// Not known before the command runs.
    Unknown,
}

/// A path that the command would touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Target {
    /// The path as far as it is known, absolute where that is possible.
    pub path: String,
    /// Where it leads.
    pub place: Place,
    /// Whether everything below it is touched as well.
    pub recursive: bool,
}

/// A path that a command may leave different, where all of them are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KnownWrite {
    /// The path, absolute.
    pub path: String,
    /// If it is a folder, everything in it may be different too.
    pub with_content: bool,
}

/// The judge's whole answer for one command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Verdict {
    /// What should happen.
    pub decision: Decision,
    /// Why, the weightiest first.
    pub reasons: Vec<Reason>,
    /// Whether any file may be different afterwards.
    pub can_write: bool,
    /// Whether any file of the project may be: then a checkpoint is worth its time.
    pub writes_project: bool,
    /// Paths that would be created or changed, as far as they are known.
    pub writes: Vec<Target>,
    /// Paths that would be deleted, as far as they are known.
    pub deletes: Vec<Target>,
    /// Everything in the project that may be different afterwards; nothing where that is not known for certain.
    pub writes_only: Option<Vec<KnownWrite>>,
    /// Folders outside the project in which a part of it runs, as far as they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<String>,
    /// The same inside it, but for its own.
    #[serde(skip)]
    pub folders_inside: Vec<String>,
    /// Whether something that exists would be lost.
    pub destructive: bool,
    /// What would be overwritten or deleted in the project and is in no checkpoint, nor made again by a tool: lost for good
    /// unless it is saved by its name first.
    pub losses: Vec<String>,
    /// Scripts that would run and could not be read, by their full path: the reason `unseen_code` is about them.
    pub unseen: Vec<String>,
    /// Commands in it that run code which was not read, or which may be another by the time it runs: builds, installers, interpreters,
    /// scripts, hooks. Empty means: all that runs is in the words of the line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Whether everything that would be lost comes back with a checkpoint of the project.
    pub reversible_by_checkpoint: bool,
    /// Whether it changes anything outside the project and the folder for throw-away files.
    pub leaves_project: bool,
    /// Whether it talks to another machine.
    pub network: bool,
    /// Whether it runs with more rights than the user has.
    pub privilege: bool,
    /// Whether it rewrites or discards recorded history (git, logs of undo).
    pub history_rewrite: bool,
    /// Whether the user's own policy allows everything in it that could change anything.
    pub allow_listed: bool,
    /// What could not be understood. Not empty means: not known to be safe.
    pub unknown: Vec<String>,
}

impl Verdict {
    /// True where nothing is written, nothing leaves the machine and nothing was left in doubt: the only verdict
    /// that an auto-approver could use. Every other `Allow` means "no objection", not "go ahead unasked".
    pub fn provably_harmless(&self) -> bool {
        self.decision == Decision::Allow && !self.can_write && !self.network && self.unknown.is_empty()
    }

    /// True where the only objections are that something was not understood: the one case in which a second opinion
    /// can help.
    pub fn asks_only_for_unknown(&self) -> bool {
        let mut objections = self.reasons.iter().filter(|reason| reason.decision >= Decision::Ask).peekable();
        self.decision == Decision::Ask
            && objections.peek().is_some()
            && objections.all(|reason| reason.unknown && !reason.code.starts_with("judge"))
    }

    /// Adds a reason from outside the judge. It can make the verdict stricter, never milder.
    pub fn tighten(&mut self, code: &'static str, decision: Decision, text: impl Into<String>, about: &str) {
        let reason = Reason { code, decision, unknown: false, text: text.into(), about: about.to_owned() };
        self.decision = self.decision.max(decision);
        self.reasons.push(reason);
        self.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
    }
}
