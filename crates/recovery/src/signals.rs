//! What is known when somebody says "it broke". Everything is handed in; every piece may be missing.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::facts::Facts;
use crate::feedback::Feedback;

/// Where a piece of knowledge comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The checkpoints: what changed when.
    Checkpoints,
    /// The files as they are.
    Files,
    /// The project map: symbols, imports, syntax.
    Map,
    /// Git's own records.
    Git,
    /// The guard.
    Guard,
    /// What a person said, and the checks that were recorded.
    Memory,
    /// The breaker that sees an agent run in circles.
    Spiral,
}

/// Who did a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// An agent with its edit tool, which named the file.
    Edit,
    /// An agent with a command or another tool that may write anywhere.
    Command,
    /// The person, between two turns.
    Person,
    /// Vib itself, going back to a checkpoint.
    Restore,
    /// Somebody.
    Unknown,
}

/// A moment at which the state was saved, and what began there.
#[derive(Debug, Clone, Serialize)]
pub struct Step {
    /// The checkpoint's number in the store.
    pub seq: i64,
    /// Its id: the state *before* the step.
    pub checkpoint: String,
    /// Milliseconds since 1970.
    pub time_ms: i64,
    /// Who.
    pub actor: Actor,
    /// With which tool.
    pub tool: Option<String>,
    /// The command line, where it was one.
    pub command: Option<String>,
    /// The agent's session.
    pub session: Option<String>,
    /// The turn in it.
    pub turn: Option<String>,
    /// What the person had asked for.
    pub prompt: Option<String>,
}

/// What happened to a path in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content or its permission bits are different.
    Modified,
    /// It is another kind of thing: link, file, folder.
    Type,
}

/// One path, changed by one step.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// Which step, by its place in [`Signals::steps`].
    pub step: usize,
    /// The path.
    pub path: String,
    /// What happened.
    pub kind: Kind,
    /// The other name, if the step only renamed it.
    pub moved: Option<String>,
    /// What was made of it in this step.
    pub made: Facts,
    /// What is left of that now: from the state before the step to the present one.
    pub still: Facts,
    /// After the step it was what it had been before an earlier step of this window.
    pub went_back: bool,
    /// The last look at the path before that: where it can be brought back from.
    pub last_look: Look,
    /// The change, by its place among all, in which a person typed what went with this one. (R8)
    pub typing_lost: Option<usize>,
    /// The other file, changed for the same request, that holds exactly the same since.
    pub copy_of: Option<String>,
    /// The path is now exactly what this change left.
    pub stands_whole: bool,
    /// The later change, by its place among all, with which vib brought the path back to what it was before this one.
    pub undone_by: Option<usize>,
}

/// A checkpoint in which a path is known to be as it was.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Look {
    /// Its number in the store.
    pub seq: i64,
    /// Its id.
    pub checkpoint: String,
}

/// Why a moment counts as good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// A check passed.
    CheckPassed,
    /// The person saved it, or pinned it.
    SavedByHand,
    /// It was committed.
    Committed,
    /// A session began.
    SessionStart,
    /// A turn began.
    TurnStart,
}

/// A moment that somebody or something vouched for.
#[derive(Debug, Clone, Serialize)]
pub struct GoodPoint {
    /// The state is the one before the step with this number; `i64::MAX` means now.
    pub seq: i64,
    /// The checkpoint to go back to; none when it is now.
    pub checkpoint: Option<String>,
    /// When.
    pub time_ms: i64,
    /// Why.
    pub why: Why,
}

/// A check that was recorded.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// What was run.
    pub command: String,
    /// How it ended.
    pub passed: bool,
    /// When.
    pub time_ms: i64,
}

/// What a person said they are doing.
#[derive(Debug, Clone, Serialize)]
pub struct Intent {
    /// Their words.
    pub text: String,
    /// Too old to rely on.
    pub stale: bool,
}

/// What the intent zone is made from.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ZoneInput {
    /// The goal, as a person gave it.
    pub intent: Option<Intent>,
    /// Files that a person marked for this goal.
    pub relevant: Vec<String>,
    /// All files that a person ever marked: never called drift.
    pub confirmed: Vec<String>,
    /// Files that only the person changed, by hand: never called drift.
    pub by_hand: Vec<String>,
    /// The last edit targets of the session, newest first.
    pub edit_targets: Vec<String>,
    /// Files that any agent changed with its edit tool.
    pub edited: Vec<String>,
    /// The map's category of a file; files of no category are left out.
    pub categories: BTreeMap<String, String>,
    /// Files that share labels of the user interface.
    pub labels: Vec<Vec<String>>,
    /// Files that changed together in git's history.
    pub co_change: Vec<(String, String)>,
    /// Files that the request speaks of for which they were changed, and the word. (R3)
    pub asked: BTreeMap<String, String>,
    /// One of these requests clearly names files that it changed.
    pub names_files: bool,
    /// Files of requests that speak of other files that they changed, and not of these.
    pub unasked: Vec<String>,
}

/// A violation that the guard found.
#[derive(Debug, Clone, Serialize)]
pub struct GuardNote {
    /// Where.
    pub path: String,
    /// Its stable code.
    pub code: String,
    /// What it says.
    pub message: String,
}

/// Something git did as a whole.
#[derive(Debug, Clone, Serialize)]
pub struct GitMove {
    /// `reset`, `checkout`, `merge`, `rebase`, …
    pub what: String,
    /// When.
    pub time_ms: i64,
}

/// A state that git keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GitState {
    /// Its short id.
    pub id: String,
    /// What it is.
    pub kind: GitStateKind,
    /// When it was made.
    pub time_ms: i64,
    /// Its first line.
    pub subject: String,
}

/// What a state of git's is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GitStateKind {
    /// The last commit.
    Head,
    /// Something put away with `git stash`.
    Stash,
    /// A commit that no branch has any more.
    Left,
}

/// Git, as far as its own files tell.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Git {
    /// States of git's that were looked at, those that files would come from.
    pub states: Vec<GitState>,
    /// There is one.
    pub present: bool,
    /// A merge, rebase or the like waits to be finished.
    pub unfinished: Option<String>,
    /// What moved the whole tree, newest last.
    pub moves: Vec<GitMove>,
}

/// Files that need something another file had.
#[derive(Debug, Clone, Serialize)]
pub struct Need {
    /// The file that had it.
    pub path: String,
    /// The name that is gone; none: the file itself.
    pub name: Option<String>,
    /// The files that still use it.
    pub by: Vec<String>,
}

/// Everything.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Signals {
    /// Now.
    pub now_ms: i64,
    /// The steps of the window, oldest first.
    pub steps: Vec<Step>,
    /// What they changed, in the same order.
    pub changes: Vec<Change>,
    /// Good moments, newest first.
    pub good: Vec<GoodPoint>,
    /// How many files the project had at the beginning of the window.
    pub files: u64,
    /// There is a checkpoint to go back to.
    pub has_history: bool,
    /// For the intent zone.
    pub zone: ZoneInput,
    /// Recorded checks, oldest first.
    pub checks: Vec<Check>,
    /// The guard's findings.
    pub guard: Vec<GuardNote>,
    /// Git.
    pub git: Git,
    /// Who imports whom: from, to.
    pub imports: Vec<(String, String)>,
    /// Who still uses what is gone.
    pub needs: Vec<Need>,
    /// Files on which an agent runs in circles.
    pub circling: Vec<String>,
    /// What people said about earlier labels.
    pub feedback: Feedback,
    /// Changes whose content was not looked at, because there are so many.
    pub not_compared: u64,
    /// When the first of the looks was that this is made from; none: there is no look.
    pub looked_from_ms: Option<i64>,
    /// That is as far back as anything is kept.
    pub looked_at_all: bool,
    /// When today began, where the person is.
    pub midnight_ms: i64,
    /// Sessions, and the client of each.
    pub clients: BTreeMap<String, String>,
    /// Requests by their numbers: session and turn.
    pub requests: BTreeMap<i64, (String, String)>,
}

impl Signals {
    /// The request that a change was made for.
    pub fn request_of(&self, change: usize) -> Option<&str> {
        self.steps[self.changes[change].step].prompt.as_deref()
    }
}
