//! What vib knows, for the person: with its evidence and last use; and keeping, rewording, pinning and dropping it. (M15)

use ::memory::log::Provenance;
use serde::Serialize;
use serde_json::json;

use super::sayings::{self, KEPT, Standing};
use super::{fixes, hear, use_of};
use crate::memory::{append_seen, event};
use crate::person::ByPerson;
use crate::{Engine, Error, Result};

/// One thing that vib knows.
#[derive(Debug, Clone, Serialize)]
pub struct Known {
    /// Its id; the end of it is enough.
    pub id: String,
    /// `said` (a person did) or `mended` (vib saw it).
    pub kind: &'static str,
    /// What it says.
    pub text: String,
    /// How far somebody stands behind it; none for what vib saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// Where it comes from, in words.
    pub evidence: String,
    /// When it was last of use, milliseconds since 1970; none: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_use_ms: Option<i64>,
    /// It is not told any more: nobody needed it for long, or it did not help.
    pub resting: bool,
    /// When it was said or seen.
    pub time_ms: i64,
}

/// Everything.
#[derive(Debug, Clone, Serialize)]
pub struct KnownReport {
    /// The newest first.
    pub known: Vec<Known>,
    /// Time of the report.
    pub now_ms: i64,
}

/// What the person does with one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Steer {
    /// Stands behind it.
    Keep,
    /// Has it told at the beginning of every session.
    Pin,
    /// Says it in other words.
    Change(String),
    /// Takes it back: no agent is told of it any more.
    Drop,
}

/// What vib knows now.
pub fn known(engine: &Engine) -> Result<KnownReport> {
    let now_ms = engine.context().now_ms();
    let used = use_of::all(engine);
    let mut gate = engine.gate();
    let mut clean = |text: &str| gate.clean(text).into_string();
    let mut known: Vec<Known> = Vec::new();
    for saying in sayings::all(engine)? {
        let counts = used.get(&saying.id).copied().unwrap_or_default();
        let about = if saying.paths.is_empty() {
            String::new()
        } else {
            format!(", about {}", saying.paths.join(", "))
        };
        known.push(Known {
            evidence: format!(
                "you said so in {}{about}; told in {}, applied in {}",
                saying.by,
                sessions(counts.told),
                sessions(counts.applied)
            ),
            resting: sayings::is_silent(&saying, &used, now_ms),
            text: clean(&saying.text),
            kind: "said",
            standing: Some(saying.standing),
            last_use_ms: (counts.last_ms > 0).then_some(counts.last_ms),
            time_ms: saying.time_ms,
            id: saying.id,
        });
    }
    for fix in fixes::all(engine)? {
        let how = match &fix.other {
            Some(other) => format!("`{other}` works instead"),
            None => format!("mended in {}", fix.files.join(", ")),
        };
        let what = if fix.command.is_empty() { "a command".to_owned() } else { format!("`{}`", fix.command) };
        known.push(Known {
            text: clean(&format!("when {what} fails that way: {how}")),
            evidence: format!(
                "seen {}",
                if fix.times == 1 { "once".to_owned() } else { format!("{} times", fix.times) }
            ),
            kind: "mended",
            standing: None,
            last_use_ms: None,
            resting: fix.against > 0,
            time_ms: fix.time_ms,
            id: fix.id,
        });
    }
    known.sort_by_key(|one| std::cmp::Reverse(one.time_ms));
    Ok(KnownReport { known, now_ms })
}

fn sessions(count: u32) -> String {
    if count == 1 { "1 session".to_owned() } else { format!("{count} sessions") }
}

/// Keeps, pins, rewords or drops one, by its id or the end of it.
pub fn steer(engine: &Engine, id: &str, what: &Steer, _by: ByPerson) -> Result<KnownReport> {
    steer_via(engine, "cli", id, what)
}

/// The same on the page. Its forms carry a token that only the page in the person's browser has, as for every other word in the memory.
pub fn steer_on_page(engine: &Engine, id: &str, what: &Steer) -> Result<KnownReport> {
    steer_via(engine, "web", id, what)
}

fn steer_via(engine: &Engine, via: &str, id: &str, what: &Steer) -> Result<KnownReport> {
    let report = known(engine)?;
    let meant: Vec<&Known> = report.known.iter().filter(|one| hear::fits(&one.id, id)).collect();
    let one = match meant.as_slice() {
        [one] => *one,
        [] => return Err(Error::NoSuchMemory(id.to_owned())),
        _ => return Err(Error::Usage(format!("`{id}` fits several things that vib knows; give more of it"))),
    };
    if one.kind != "said" && *what != Steer::Drop {
        return Err(Error::Usage(
            "what vib saw by itself can only be dropped: `vib memory drop ID`".to_owned(),
        ));
    }
    let (kind, body) = match what {
        Steer::Keep => (KEPT, json!({"item": one.id})),
        Steer::Pin => (KEPT, json!({"item": one.id, "pinned": true})),
        Steer::Change(text) => {
            let text = engine.gate().clean(text.trim()).into_string();
            if text.is_empty() {
                return Err(Error::Usage("there is nothing to remember: the text is empty".to_owned()));
            }
            (KEPT, json!({"item": one.id, "text": text, "pinned": one.standing == Some(Standing::Pinned)}))
        }
        Steer::Drop => ("retract", json!({"item": one.id})),
    };
    let mut event = event(engine, kind, Provenance::Explicit, body);
    event.agent = Some(via.to_owned());
    append_seen(engine, &[event])?;
    known(engine)
}
