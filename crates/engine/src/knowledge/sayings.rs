//! The sayings that stand, folded from the log: newest word wins, what was taken back is gone. (M7, M10)

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ::memory::log::{Event, Mark, Provenance};
use ::memory::said::{Facets, Sort, ended_by, facets, overtakes};
use project::write_view;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::use_of;
use crate::memory::project_log;
use crate::{Engine, Result};

/// What a person said in the chat.
pub(super) const SAID: &str = "said";
/// A person keeps, pins or rewords it.
pub(super) const KEPT: &str = "said_kept";
const FILE: &str = "sayings.json";
const VERSION: u32 = 2;
/// So many are held; the oldest that nobody kept go first.
const MOST: usize = 120;
const DAY_MS: i64 = 86_400_000;
/// A proposal that was of no use for so long is told no more.
const SILENT_DAYS: i64 = 30;
/// One that proved itself by use lasts longer.
const SILENT_DAYS_USED: i64 = 90;
/// Of use in so many sessions: accepted by use.
const ACCEPTED_BY_USE: u32 = 3;

/// How far somebody stands behind a saying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The person said it once; nobody confirmed it.
    Proposed,
    /// It was of use in several sessions, and nobody objected.
    Used,
    /// The person said it again, or said "keep".
    Kept,
    /// It is told at the beginning of every session.
    Pinned,
}

/// One saying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saying {
    /// Its event.
    pub id: String,
    /// The person's words.
    pub text: String,
    /// What sort.
    pub sort: Sort,
    /// When, milliseconds since 1970.
    pub time_ms: i64,
    /// In which client.
    pub by: String,
    /// The files at hand.
    #[serde(default)]
    pub paths: Vec<String>,
    /// How far somebody stands behind it.
    pub standing: Standing,
    /// What it is about.
    pub facets: Facets,
}

/// What is folded from the log.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct View {
    version: u32,
    mark: Mark,
    /// The oldest first.
    sayings: Vec<Saying>,
    /// Decisions of the person, so that a later word is held against them: id and text.
    decisions: Vec<(String, String)>,
    /// Decisions that a later word in the chat overtook.
    overtaken: BTreeSet<String>,
}

fn path(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join("memory").join(FILE)
}

fn stored(engine: &Engine) -> View {
    let bytes = std::fs::read(path(engine)).unwrap_or_default();
    serde_json::from_slice::<View>(&bytes).ok().filter(|view| view.version == VERSION).unwrap_or_default()
}

/// What stands now; what is new in the log is folded in.
fn view(engine: &Engine) -> Result<View> {
    let mut view = stored(engine);
    let since = project_log(engine).read_since(view.mark)?;
    if since.anew {
        view = View::default();
    }
    if since.mark == view.mark && view.version == VERSION {
        return Ok(view);
    }
    for event in &since.contents.events {
        view.push(event);
    }
    view.mark = since.mark;
    view.version = VERSION;
    // Without one saying nobody looks at it; lost, it is made again.
    if (!view.sayings.is_empty() || !view.overtaken.is_empty() || path(engine).exists())
        && let Ok(bytes) = serde_json::to_vec(&view)
    {
        let _ = write_view(&path(engine), &bytes);
    }
    Ok(view)
}

/// Every saying that stands, the oldest first, with how it stands by now.
pub fn all(engine: &Engine) -> Result<Vec<Saying>> {
    Ok(with_use(engine, view(engine)?.sayings))
}

/// The same as of the last prompt, for a tool call that must not wait: one small file.
pub(super) fn as_of_last_prompt(engine: &Engine) -> Vec<Saying> {
    with_use(engine, stored(engine).sayings)
}

/// Decisions that the person overtook in the chat; they are shown, and not told. (T10)
pub(crate) fn overtaken_decisions(engine: &Engine) -> BTreeSet<String> {
    view(engine).map(|view| view.overtaken).unwrap_or_default()
}

fn with_use(engine: &Engine, mut sayings: Vec<Saying>) -> Vec<Saying> {
    if sayings.is_empty() {
        return sayings;
    }
    let used = use_of::all(engine);
    for saying in &mut sayings {
        let sessions = used.get(&saying.id).map_or(0, |used| used.applied);
        if saying.standing == Standing::Proposed && sessions >= ACCEPTED_BY_USE {
            saying.standing = Standing::Used;
        }
    }
    sayings
}

/// Nobody needed it for so long that it is told no more; it is still shown. Those that somebody stands behind stay.
pub(super) fn is_silent(saying: &Saying, used: &BTreeMap<String, use_of::Use>, now_ms: i64) -> bool {
    let last = used.get(&saying.id).map_or(0, |used| used.last_ms).max(saying.time_ms);
    let days = (now_ms - last) / DAY_MS;
    match saying.standing {
        Standing::Proposed => days > SILENT_DAYS,
        Standing::Used => days > SILENT_DAYS_USED,
        Standing::Kept | Standing::Pinned => false,
    }
}

impl View {
    fn push(&mut self, event: &Event) {
        let word = |name: &str| event.body.get(name).and_then(Value::as_str);
        match event.kind.as_str() {
            SAID => self.hear(event),
            KEPT if event.provenance == Provenance::Explicit => {
                let Some(saying) =
                    word("item").and_then(|id| self.sayings.iter_mut().find(|saying| saying.id == id))
                else {
                    return;
                };
                saying.standing = if event.body.get("pinned") == Some(&Value::Bool(true)) {
                    Standing::Pinned
                } else {
                    Standing::Kept
                };
                if let Some(text) = word("text") {
                    text.clone_into(&mut saying.text);
                    saying.facets = facets(text);
                }
            }
            "retract" if event.provenance == Provenance::Explicit => {
                let item = word("item").unwrap_or_default();
                self.sayings.retain(|saying| saying.id != item);
                self.decisions.retain(|(id, _)| id != item);
                self.overtaken.remove(item);
            }
            "decision" if event.provenance == Provenance::Explicit => {
                let Some(text) = word("text") else { return };
                self.end_what_it_overtakes(text, Sort::Rule);
                self.decisions.push((event.id.clone(), text.to_owned()));
            }
            _ => {}
        }
    }

    fn hear(&mut self, event: &Event) {
        let Some(text) = event.body.get("text").and_then(Value::as_str) else { return };
        let sort = event.body.get("sort").and_then(|sort| serde_json::from_value(sort.clone()).ok());
        let sort = sort.unwrap_or(Sort::Rule);
        // Who says it again means it.
        let again = self.end_what_it_overtakes(text, sort);
        if sort == Sort::Withdrawal {
            return;
        }
        let paths = event.body.get("paths").and_then(|paths| serde_json::from_value(paths.clone()).ok());
        self.sayings.push(Saying {
            id: event.id.clone(),
            text: text.to_owned(),
            sort,
            time_ms: event.time_ms,
            by: event.agent.clone().unwrap_or_default(),
            paths: paths.unwrap_or_default(),
            standing: again.map_or(Standing::Proposed, |standing| standing.max(Standing::Kept)),
            facets: facets(text),
        });
        if self.sayings.len() > MOST
            && let Some(oldest) = self.sayings.iter().position(|saying| saying.standing == Standing::Proposed)
        {
            self.sayings.remove(oldest);
        }
    }

    /// What no longer holds goes. If it is the same that is said again: how it stood.
    fn end_what_it_overtakes(&mut self, text: &str, sort: Sort) -> Option<Standing> {
        let mut again = None;
        let texts: Vec<(&str, &Facets)> =
            self.sayings.iter().map(|saying| (saying.text.as_str(), &saying.facets)).collect();
        let mut ended = ended_by((text, sort), &texts).into_iter();
        self.sayings.retain(|saying| {
            let ends = ended.next().unwrap_or(false);
            if saying.text.trim().eq_ignore_ascii_case(text.trim()) {
                again = Some(saying.standing);
                return false;
            }
            !ends
        });
        for (id, decision) in &self.decisions {
            if overtakes((text, sort), decision) && !decision.trim().eq_ignore_ascii_case(text.trim()) {
                self.overtaken.insert(id.clone());
            }
        }
        again
    }
}
