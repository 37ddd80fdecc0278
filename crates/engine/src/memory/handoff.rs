//! `vib transfer --handoff`: the page for the next AI. Proposed, shown, confirmed, cleaned, written. (MM6)

use std::path::{Path, PathBuf};

use ::memory::handoff::{Existing, Page, Place, existing, page, read_at, stamp, write_at};
use project::RelPath;
use redact::Counts;
use serde::Serialize;
use store::{CheckpointKind, Progress, SnapshotRequest};
use words::upper_tokens;

use super::audited::intent_of;
use super::review::{Review, review};
use super::triggers::{TriggerId, record};
use super::{Source, WorkMemory};
use crate::agent::sessions;
use crate::audit::{self, Event, Outcome, Parameters, Row, TriggerAction};
use crate::undo::Confirmation;
use crate::{Engine, Error, Result, lessons, may};

/// Most tokens of the page, by an estimate that errs upwards.
pub const BUDGET: usize = 1_200;

/// What kind of page is wanted.
#[derive(Debug, Clone, Default)]
pub struct HandoffOptions {
    /// Another file than `PROJECT_CONTEXT.md` in the root.
    pub out: Option<PathBuf>,
    /// The client it is for.
    pub reader: Option<String>,
}

/// A page that nobody has written yet.
#[derive(Debug, Clone, Serialize)]
pub struct HandoffDraft {
    /// The whole text: clean, with its mark.
    pub text: String,
    /// Tokens by the upper estimate.
    pub tokens: usize,
    /// Most tokens.
    pub budget: usize,
    /// The file, from the root where it is inside.
    pub file: String,
    /// Whose file has that name now.
    pub existing: Existing,
    /// The goal on the page is a proposal.
    pub intent_proposed: bool,
    /// The goal on the page is marked as stale.
    pub intent_stale: bool,
    /// The next step on the page is a proposal, or there is none.
    pub next_confirmed: bool,
    /// Checks that no longer count.
    pub stale_checks: Vec<String>,
    /// Edited files outside of what matters.
    pub drift_candidates: Vec<String>,
    /// Something was replaced by the gate.
    pub redacted: bool,
    #[serde(skip)]
    place: Place,
    #[serde(skip)]
    seen: Option<Vec<u8>>,
    #[serde(skip)]
    counts: Counts,
    #[serde(skip)]
    memory: WorkMemory,
}

/// The page is written.
#[derive(Debug, Clone, Serialize)]
pub struct HandoffReport {
    /// The file.
    pub file: String,
    /// Tokens by the upper estimate.
    pub tokens: usize,
    /// Bytes.
    pub bytes: usize,
    /// What was there before was saved under this checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_before: Option<String>,
    /// The next step on it is confirmed.
    pub next_confirmed: bool,
}

/// Makes the page, and writes nothing.
pub fn draft(engine: &Engine, options: &HandoffOptions) -> Result<HandoffDraft> {
    let review = review(engine, "cli", &[])?;
    let about = about(engine, &review, options)?;
    let place = place(engine, options.out.as_deref())?;
    let seen = read_at(&place)?;
    let (text, counts) = clean_page(engine, &review.memory, &about);
    let shown = place.folder.join(&place.name);
    let inside = shown.strip_prefix(engine.project().root()).map(Path::to_path_buf);
    let confirmed = |next: &super::Field| next.source == Source::Explicit;
    Ok(HandoffDraft {
        tokens: upper_tokens(&text),
        budget: BUDGET,
        file: inside.unwrap_or(shown).display().to_string(),
        existing: existing(seen.as_deref()),
        intent_proposed: review.memory.active_intent.is_none() && about.proposed_intent.is_some(),
        intent_stale: review.memory.active_intent.as_ref().is_some_and(|intent| intent.stale),
        next_confirmed: review.memory.next_action.as_ref().is_some_and(confirmed),
        stale_checks: review.stale_checks,
        drift_candidates: review.drift_candidates,
        redacted: !counts.is_untouched(),
        text,
        place,
        seen,
        counts,
        memory: review.memory,
    })
}

/// The page was shown on a terminal or handed to a program: that is a hand-off too.
pub fn note_shown(engine: &Engine, draft: &HandoffDraft) {
    let _ = audit::record_output(engine, &row(draft, Outcome::Success), &draft.text);
}

/// Nobody said yes.
pub fn note_declined(engine: &Engine, draft: &HandoffDraft) {
    let _ = audit::record(engine, &row(draft, Outcome::Aborted));
}

/// Writes the page. What is there and is not vib's own is saved as a checkpoint first.
pub fn write(
    engine: &Engine,
    draft: &HandoffDraft,
    confirmed_via: Confirmation,
    progress: &dyn Progress,
) -> Result<HandoffReport> {
    if confirmed_via.is_unseen() {
        let file = draft.place.folder.join(&draft.place.name);
        may::unasked(engine.context(), &file, draft.text.as_bytes())?;
    }
    let saved_before = match draft.existing {
        Existing::Foreign | Existing::Edited => save_before(engine, draft, progress)?,
        Existing::None | Existing::Ours => None,
    };
    let written = write_at(&draft.place, draft.text.as_bytes(), draft.seen.as_deref());
    let mut row = row(draft, if written.is_ok() { Outcome::Success } else { Outcome::Failed });
    row.confirmed_via = Some(audit::confirmed_via(confirmed_via));
    let _ = audit::record_output(engine, &row, &draft.text);
    if !draft.next_confirmed {
        record(engine, "cli", TriggerId::HandoffWithoutNext, TriggerAction::Shown)?;
    }
    written?;
    Ok(HandoffReport {
        file: draft.file.clone(),
        tokens: draft.tokens,
        bytes: draft.text.len(),
        saved_before,
        next_confirmed: draft.next_confirmed,
    })
}

fn row(draft: &HandoffDraft, result: Outcome) -> Row {
    let mut row = Row::new(Event::HandoffExport, "cli", result).redacted(draft.counts);
    row.parameters = Some(Parameters::Typed);
    row.intent = Some(intent_of(&draft.memory));
    row.paths_count.drift = draft.drift_candidates.len() as u64;
    row
}

/// A page through the gate that still fits: what the gate puts in may be longer than what it takes out.
fn clean_page(engine: &Engine, memory: &WorkMemory, about: &Page) -> (String, Counts) {
    let mut budget = BUDGET;
    loop {
        let clean = engine.gate().clean(&page(memory, about, budget));
        let text = stamp(clean.as_str());
        if upper_tokens(&text) <= BUDGET || budget < 200 {
            return (text, clean.counts());
        }
        budget -= 100;
    }
}

fn about(engine: &Engine, review: &Review, options: &HandoffOptions) -> Result<Page> {
    let root = engine.project().root();
    let last = sessions(engine.project()).into_iter().next();
    let told = lessons::list(engine).map(|list| list.lessons).unwrap_or_default();
    Ok(Page {
        project: root
            .file_name()
            .map_or_else(|| "this project".to_owned(), |name| name.to_string_lossy().into_owned()),
        reader: options.reader.clone(),
        written: moment(engine.context().now_ms()),
        last_worker: last.map(|state| format!("{} ({})", state.client, moment(state.seen_ms))),
        proposed_intent: review.proposed_intent.clone().map(Into::into),
        proposed_next: review.proposed_next.clone().map(Into::into),
        changed: review.edited.clone(),
        drift: review.drift_candidates.clone(),
        lessons: told.into_iter().filter(|one| !one.resting).map(|one| one.lesson.text).take(5).collect(),
    })
}

fn moment(time_ms: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(time_ms).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Where the page goes. The folder has to be there.
fn place(engine: &Engine, out: Option<&Path>) -> Result<Place> {
    let Some(out) = out else {
        return Ok(Place::of_project(engine.project().root()));
    };
    let full = engine.context().cwd().join(out);
    let (Some(folder), Some(name)) = (full.parent(), full.file_name().and_then(|name| name.to_str())) else {
        return Err(Error::Usage(format!("`{}` is no name for a file", out.display())));
    };
    let folder = folder.canonicalize().map_err(project::Error::from)?;
    Ok(Place { folder, name: name.to_owned() })
}

/// Saves a file that is about to be written over. A file outside the project is in no checkpoint: the yes has to do.
fn save_before(engine: &Engine, draft: &HandoffDraft, progress: &dyn Progress) -> Result<Option<String>> {
    let path = draft.place.folder.join(&draft.place.name);
    let Ok(Some(path)) = RelPath::from_user(engine.project().root(), engine.context().cwd(), &path) else {
        return Ok(None);
    };
    let mut request = SnapshotRequest::new(CheckpointKind::Manual);
    request.message = Some(format!("before a hand-off was written over {path}"));
    let mut opened = engine.store(progress)?;
    let saved = opened.store.snapshot_paths(&request, &[path])?;
    Ok(Some(saved.checkpoint.id.to_string()))
}
