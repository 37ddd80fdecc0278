//! EDIT_DIFF: the one way in which a model writes. `engine::patch` finds each hunk its one place, saves the lane and writes all or nothing.

use engine::Engine;
use engine::may::Actor;
use engine::patch::{self, PatchOptions, PatchReport, Preview};
use engine::run::model::FileChange;
use engine::undo::Confirmation;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::ContentHash;

use crate::ActionRefusal;

/// Longer diffs are not read.
pub const MOST_DIFF: usize = 512 << 10;

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditDiff {
    /// The edits.
    pub diff: String,
    /// Lines between keep marks stay as they are.
    pub keep_regions: bool,
    /// Why they would have to change.
    pub reason: Option<String>,
}

/// What a change comes to before anything is written.
pub enum Looked {
    /// It can be written.
    Ready(Box<Preview>),
    /// A person has to say yes to it: this is what it is about.
    NeedsPerson(String),
}

/// Looks what would come of it. Nothing is written.
pub fn look(lane: &Engine, wish: &EditDiff, actor: Actor) -> Result<Looked, ActionRefusal> {
    let options = PatchOptions {
        open_keep_regions: (!wish.keep_regions).then(|| wish.reason.clone().unwrap_or_default()),
        ..PatchOptions::default()
    };
    let preview = |actor| patch::preview(lane, actor, wish.diff.as_bytes(), &options, &store::Silent);
    let looked = preview(actor).map_err(|error| ActionRefusal::from(&error))?;
    let guarded: Vec<String> =
        looked.guarded().map(|one| format!("`{}` {}", one.path, one.message)).collect();
    if looked.is_applicable() && (actor == Actor::Person || (guarded.is_empty() && wish.keep_regions)) {
        return Ok(Looked::Ready(Box::new(looked)));
    }
    // What only an agent may not do, a person may say yes to; what cannot be done goes back.
    let is_possible = looked.is_applicable()
        || (actor == Actor::Agent && preview(Actor::Person).is_ok_and(|looked| looked.is_applicable()));
    if !is_possible {
        return Err(refused(&looked.report));
    }
    let files: Vec<&str> = looked.report.changes.iter().map(|change| change.path.as_str()).collect();
    let mut why = match (guarded.is_empty(), looked.report.first_refusal()) {
        (false, _) => guarded.join("; "),
        (true, Some((_, message, _))) => message,
        (true, None) => format!("lines in keep regions of {} would change", files.join(", ")),
    };
    if let Some(reason) = &wish.reason {
        why.push_str(&format!(" (its reason: {reason})"));
    }
    Ok(Looked::NeedsPerson(why))
}

/// What files were before a change: with this, whoever comes after a kill can tell whether it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditIntent {
    /// The number of the action.
    pub n: u64,
    /// The file in which the diff is kept.
    pub diff: String,
    /// File by file.
    pub files: Vec<FileIntent>,
}

/// One file of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIntent {
    /// Which.
    pub path: String,
    /// Its content before, as a hash; none: it is new.
    pub before: Option<String>,
    /// Lines that come.
    pub added: u64,
    /// Lines that go.
    pub removed: u64,
}

impl EditIntent {
    /// What is about to be written.
    pub fn of(lane: &Engine, n: u64, diff: String, report: &PatchReport) -> Self {
        let one = |change: &patch::Change| FileIntent {
            before: content_hash(lane, &change.path),
            path: change.path.clone(),
            added: change.added,
            removed: change.removed,
        };
        Self { n, diff, files: report.changes.iter().map(one).collect() }
    }

    /// Whether it was made. A change is whole or not at all, and nobody else works in a lane that is held: one file that is not as it was
    /// says it of all.
    pub fn is_made(&self, lane: &Engine) -> bool {
        self.files.iter().any(|file| content_hash(lane, &file.path) != file.before)
    }

    /// Its files.
    pub fn files(&self) -> Vec<FileChange> {
        let one = |file: &FileIntent| FileChange {
            path: file.path.clone(),
            added: file.added,
            removed: file.removed,
        };
        self.files.iter().map(one).collect()
    }
}

/// Writes what was looked at.
pub fn apply(
    lane: &Engine,
    preview: &Preview,
    confirmed: Confirmation,
) -> Result<PatchReport, ActionRefusal> {
    patch::apply(lane, preview, confirmed, &store::Silent).map_err(|error| ActionRefusal::from(&error))
}

/// The files of a report.
pub fn files(report: &PatchReport) -> Vec<FileChange> {
    let one = |change: &patch::Change| FileChange {
        path: change.path.clone(),
        added: change.added,
        removed: change.removed,
    };
    report.changes.iter().map(one).collect()
}

/// As the model reads it.
pub fn told(lane: &Engine, report: &PatchReport) -> String {
    let mut text = String::from("applied\n");
    for change in &report.changes {
        text.push_str(&format!("{} +{} -{}\n", change.path, change.added, change.removed));
    }
    for warning in report.warnings.iter().take(10) {
        text.push_str(&format!("note: {warning}\n"));
    }
    lane.gate().clean(&text).into_string()
}

/// Why it was refused, with what comes nearest.
fn refused(report: &PatchReport) -> ActionRefusal {
    let (code, message, next) = report.first_refusal().unwrap_or((
        "patch_refused",
        "the diff cannot be applied".to_owned(),
        "read the file and write the diff anew".to_owned(),
    ));
    let hunks: Vec<_> = report
        .changes
        .iter()
        .flat_map(|change| {
            change.hunks.iter().filter_map(move |decision| {
                let refusal = decision.refusal()?;
                Some(json!({"path": change.path, "hunk": decision.hunk, "reason": refusal.reason.code(),
                            "message": refusal.message, "nearest": (!change.sensitive).then_some(&refusal.nearest)}))
            })
        })
        .take(5)
        .collect();
    let message = match hunks.is_empty() {
        true => message,
        false => format!("{message}\nhunks: {}", serde_json::Value::from(hunks)),
    };
    ActionRefusal::new(code, format!("nothing was written: {message}"), next)
}

/// The hash of what is in a file of the lane now; none: it is not there.
fn content_hash(lane: &Engine, path: &str) -> Option<String> {
    let file = project::RelPath::new(path.as_bytes()).ok()?.to_path(lane.project().root());
    std::fs::read(file).ok().map(|bytes| ContentHash::of(&bytes).to_hex())
}
