//! Lessons: what the agent should do differently next time. (LS1–LS4)
//!
//! A person writes them, by hand in `LESSONS.md`, with `vib lesson`, or as the answer to the one question after going back.
//! The agent is told the few that fit, as data.

use std::collections::BTreeMap;

use memory::lessons::{
    self as book, Document, FILE_NAME, Lesson, Place, Problem, Request, Told, is_resting, select,
};
use project::{FileLock, write_atomic};
use serde::Serialize;

use crate::agent::{SessionFile, Who};
use crate::person::ByPerson;
use crate::{Engine, Result};

use self::confirmed::{Confirmed, confirm};
pub use self::language::{Language, Question};
pub use memory::lessons::{Draft, Occasion, Source};

mod confirmed;
mod language;

/// Ids that are remembered for one session; a longer list would only be of lessons long gone.
const MOST_REMEMBERED: usize = 400;
/// Uses that are remembered for one project.
const MOST_USES: usize = 2_000;

/// A lesson and how it stands.
#[derive(Debug, Serialize)]
pub struct Standing {
    /// The lesson.
    #[serde(flatten)]
    pub lesson: Lesson,
    /// How much it counts now, from its weight, age and use.
    pub strength: f64,
    /// Too weak to be told to an agent.
    pub resting: bool,
    /// A person of this machine wrote or kept it; else agents are told that nobody here confirmed it.
    pub confirmed: bool,
}

/// `LESSONS.md` as it is.
#[derive(Debug, Serialize)]
pub struct LessonList {
    /// The file, from the root.
    pub file: &'static str,
    /// In the order of the file.
    pub lessons: Vec<Standing>,
    /// What could not be understood. While there is something, vib does not write the file.
    pub problems: Vec<Problem>,
}

/// A lesson was written.
#[derive(Debug, Serialize)]
pub struct LessonAdded {
    /// As it stands now.
    pub lesson: Lesson,
    /// The file, from the root.
    pub file: &'static str,
    /// It was there before; nothing was written twice.
    pub known_before: bool,
    /// A secret or a private detail in it was replaced by a mark.
    pub redacted: bool,
}

/// A lesson was changed or taken out.
#[derive(Debug, Serialize)]
pub struct LessonChanged {
    /// The lesson; if it was taken out, as it was.
    pub lesson: Lesson,
    /// The file, from the root.
    pub file: &'static str,
}

/// All lessons.
pub fn list(engine: &Engine) -> Result<LessonList> {
    let document = place(engine).read()?;
    let (uses, now) = (uses(engine), engine.context().now_ms());
    let confirmed = Confirmed::read(engine);
    let standing = |lesson: &Lesson| {
        let used = uses.get(&lesson.id).copied();
        let strength = (book::strength(lesson, now, used) * 100.0).round() / 100.0;
        let confirmed = confirmed.holds(lesson);
        Standing { lesson: lesson.clone(), strength, resting: is_resting(lesson, now, used), confirmed }
    };
    Ok(LessonList {
        file: FILE_NAME,
        lessons: document.lessons().map(standing).collect(),
        problems: document.problems().to_vec(),
    })
}

/// Writes a lesson down. The file is likely to be shared: secrets and private details do not get into it.
pub fn add(engine: &Engine, mut draft: Draft) -> Result<LessonAdded> {
    let mut gate = engine.gate();
    let mut redacted = false;
    let texts = std::iter::once(&mut draft.text).chain(&mut draft.tools).chain(&mut draft.paths);
    for text in texts {
        let clean = gate.clean(text).into_string();
        redacted |= clean != *text;
        *text = clean;
    }
    let today = today(engine);
    let (lesson, known_before) = place(engine).change(|document| {
        let (after, lesson, known) = document.add(draft, &today)?;
        Ok((after, (lesson, known)))
    })?;
    confirm(engine, [&lesson])?;
    Ok(LessonAdded { lesson, file: FILE_NAME, known_before, redacted })
}

/// Lessons that a person stands behind from now on.
#[derive(Debug, Serialize)]
pub struct LessonsKept {
    /// Which.
    pub lessons: Vec<Lesson>,
    /// The file, from the root.
    pub file: &'static str,
}

/// A person has read lessons of the file and stands behind them: one by its id, or all that nobody confirmed yet. (S14)
pub fn keep(engine: &Engine, id: Option<&str>, _by: ByPerson) -> Result<LessonsKept> {
    let document = place(engine).read()?;
    let lessons: Vec<Lesson> = match id {
        Some(id) => vec![document.find(id)?.clone()],
        None => {
            let confirmed = Confirmed::read(engine);
            document.lessons().filter(|lesson| !confirmed.holds(lesson)).cloned().collect()
        }
    };
    confirm(engine, &lessons)?;
    Ok(LessonsKept { lessons, file: FILE_NAME })
}

/// A lesson in the words of somebody who just went back.
pub fn after_rollback(engine: &Engine, text: &str) -> Result<LessonAdded> {
    let draft = Draft {
        text: text.to_owned(),
        tools: Vec::new(),
        paths: Vec::new(),
        pinned: false,
        source: Source::Rollback,
    };
    add(engine, draft)
}

/// Keeps a lesson for ever, or lets it fade like the others.
pub fn pin(engine: &Engine, id: &str, pinned: bool) -> Result<LessonChanged> {
    let lesson = place(engine).change(|document| document.pin(id, pinned))?;
    if pinned {
        confirm(engine, [&lesson])?;
    }
    Ok(LessonChanged { lesson, file: FILE_NAME })
}

/// Takes a lesson out of the file.
pub fn remove(engine: &Engine, id: &str) -> Result<LessonChanged> {
    let lesson = place(engine).change(|document| document.remove(id))?;
    Ok(LessonChanged { lesson, file: FILE_NAME })
}

/// What the agent is to be told at this moment, and what the person should know about the file.
#[derive(Debug, Default)]
pub struct Telling {
    /// For the model; it has yet to pass the gate.
    pub text: Option<String>,
    /// For the person: a mistake in the file.
    pub warning: Option<String>,
}

/// The lessons that fit the moment and that this session's model does not know yet.
pub fn telling(engine: &Engine, who: &Who, occasion: Occasion<'_>) -> Result<Telling> {
    let document = match place(engine).read() {
        Ok(document) => document,
        Err(error) if matches!(occasion, Occasion::Start) => return Err(error.into()),
        // Said at the start; not before every tool.
        Err(_) => return Ok(Telling::default()),
    };
    let warning = document.problems().first().filter(|_| matches!(occasion, Occasion::Start)).map(|problem| {
        format!(
            "line {} of LESSONS.md has a mistake: {}. The other lessons count, and vib does not write the file until you correct \
             or delete that block",
            problem.line, problem.message
        )
    });
    if document.lessons().next().is_none() {
        return Ok(Telling { text: None, warning });
    }
    let file = SessionFile::of(engine, who);
    // A session that begins, goes on after a break or was shortened knows nothing any more.
    let known = if matches!(occasion, Occasion::Start) { Vec::new() } else { file.read().lessons_told };
    let uses = uses(engine);
    let confirmed = Confirmed::read(engine);
    let chosen = choose(&document, occasion, &known, engine.context().now_ms(), &uses, &confirmed);
    let ids: Vec<String> = chosen.iter().map(mark).collect();
    if !ids.is_empty() || matches!(occasion, Occasion::Start) {
        file.update(|state| {
            if matches!(occasion, Occasion::Start) {
                state.lessons_told.clear();
            }
            state.lessons_told.extend(ids);
            let extra = state.lessons_told.len().saturating_sub(MOST_REMEMBERED);
            state.lessons_told.drain(..extra);
        })?;
    }
    if !matches!(occasion, Occasion::Start) {
        remember_use(engine, &chosen);
    }
    Ok(Telling { text: book::tell(&chosen), warning })
}

/// The same for somebody who only wants to see it: nothing is counted. `known`: what the model was told before.
pub(crate) fn would_tell(
    engine: &Engine,
    occasion: Occasion<'_>,
    known: &[String],
) -> Result<Option<String>> {
    let document = place(engine).read()?;
    let chosen = choose(
        &document,
        occasion,
        known,
        engine.context().now_ms(),
        &uses(engine),
        &Confirmed::read(engine),
    );
    Ok(book::tell(&chosen))
}

/// What a new session is told at its beginning.
pub(crate) fn told_at_start(engine: &Engine) -> Result<Vec<String>> {
    let document = place(engine).read()?;
    let now_ms = engine.context().now_ms();
    let chosen = choose(&document, Occasion::Start, &[], now_ms, &uses(engine), &Confirmed::read(engine));
    Ok(chosen.iter().map(mark).collect())
}

fn choose<'d>(
    document: &'d Document,
    occasion: Occasion<'_>,
    known: &[String],
    now_ms: i64,
    uses: &BTreeMap<String, i64>,
    confirmed: &Confirmed,
) -> Vec<Told<'d>> {
    let request = match occasion {
        Occasion::Prompt(text) => Request::new(text),
        Occasion::Start | Occasion::Tool { .. } => Request::default(),
    };
    let used = |id: &str| uses.get(id).copied();
    let is_new = |told: &Told<'_>| {
        let plain_known = known.iter().any(|id| id.trim_end_matches('!') == told.lesson.id);
        // One that the model knows, and that the person now speaks against, is told once more, with that.
        if told.opposed { !known.contains(&mark(told)) } else { !plain_known }
    };
    let fresh: Vec<Told<'d>> = document
        .lessons()
        .filter(|lesson| !is_resting(lesson, now_ms, used(&lesson.id)))
        .map(|lesson| Told {
            lesson,
            opposed: request.is_opposed_by(&lesson.text),
            confirmed: confirmed.holds(lesson),
        })
        .filter(is_new)
        .collect();
    let fitting = select(fresh.iter().map(|told| told.lesson), occasion, now_ms, &used);
    let as_told = |lesson: &Lesson| fresh.iter().find(|told| told.lesson.id == lesson.id).copied();
    let mut chosen: Vec<Told<'d>> = fitting.into_iter().filter_map(as_told).collect();
    // Opposed lessons are chosen like the others; besides, they need no other word in common with the prompt.
    for told in fresh.iter().filter(|told| told.opposed) {
        if !chosen.iter().any(|known| known.lesson.id == told.lesson.id) {
            chosen.push(*told);
        }
    }
    // An opposed lesson must be seen as such: if there are too many, another one waits.
    chosen.sort_by_key(|told| !told.opposed);
    chosen.truncate(book::MOST);
    chosen.sort_by_key(|told| !(told.lesson.pinned && told.confirmed));
    chosen
}

fn mark(told: &Told<'_>) -> String {
    format!("{}{}", told.lesson.id, if told.opposed { "!" } else { "" })
}

fn place(engine: &Engine) -> Place {
    let project = engine.project();
    Place::new(project.root(), project.state().join("lessons.lock"))
}

fn today(engine: &Engine) -> String {
    let now = jiff::Timestamp::from_millisecond(engine.context().now_ms()).unwrap_or_default();
    now.to_zoned(jiff::tz::TimeZone::UTC).date().to_string()
}

// When a lesson was last of use is kept beside the store, not in the person's file. Losing it makes lessons fade earlier.

fn uses(engine: &Engine) -> BTreeMap<String, i64> {
    let bytes = std::fs::read(engine.project().state().join("lessons-used.json")).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn remember_use(engine: &Engine, told: &[Told<'_>]) {
    if told.is_empty() {
        return;
    }
    let state = engine.project().state();
    let Ok(_lock) = FileLock::wait(&state.join("lessons-used.lock")) else {
        return;
    };
    let mut known = uses(engine);
    let now = engine.context().now_ms();
    known.extend(told.iter().filter(|told| !told.opposed).map(|told| (told.lesson.id.clone(), now)));
    while known.len() > MOST_USES {
        let oldest = known.iter().min_by_key(|(_, when)| **when).map(|(id, _)| id.clone());
        known.remove(&oldest.unwrap_or_default());
    }
    if let Ok(text) = serde_json::to_vec(&known) {
        let _ = write_atomic(&state.join("lessons-used.json"), &text);
    }
}
