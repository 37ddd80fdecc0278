//! Sessions and turns: a prompt opens a turn, the steps of the agent belong to it.

use store::{HistoryFilter, Progress};

use project::RelPath;

use super::content::{AT_LEISURE, content_of_file};
use super::ledger::{cut_off, refuse_asked};
use super::save::save_tree;
use super::session::{SessionFile, SessionState, Who};
use crate::storage::lost_in_words;
use crate::{Engine, Notice, Result};
use spiral::Content;

/// Letters of a prompt that the gate looks at.
const PROMPT_READ: usize = 4_000;

/// Who is speaking.
pub(crate) const INTRODUCTION: &str = "vib watches this project: it saves the files before every step, so that a person can go back with \
    `vib undo`. Its own files (`.vibelign/`) and its hook entries are not to be edited.";

/// What is said at the beginning of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beginning {
    /// What the model should know.
    pub facts: Vec<String>,
    /// Checkpoints that vanished, or their content: the person has to know, too. (S6)
    pub lost: Option<String>,
}

/// Registers a session and says what the model should know at its beginning.
pub fn start_session(engine: &Engine, who: &Who, progress: &dyn Progress) -> Result<Beginning> {
    SessionFile::of(engine, who).update(|_| ())?;
    let mut facts = vec![INTRODUCTION.to_owned()];
    facts.extend(crate::memory::at_start(engine, who)?);
    let opened = engine.store(progress)?;
    let lost = opened.notices.iter().find_map(|notice| match notice {
        Notice::CheckpointsLost(lost) => Some(lost_in_words(lost)),
        _ => None,
    });
    if let Some(lost) = &lost {
        // Right behind who is speaking: what comes later may be cut off.
        facts.insert(1, format!("Tell the person at once, before anything else: {lost}."));
    }
    let newest = opened.store.history(&HistoryFilter { limit: 1, ..HistoryFilter::default() })?;
    if let Some(restore) = opened.store.last_restore()?
        && newest.first().is_none_or(|checkpoint| checkpoint.seq < restore.safety_seq)
    {
        facts.push(
            "Since then the person has gone back to an earlier state of the files: read them again before you edit."
                .to_owned(),
        );
    }
    Ok(Beginning { facts, lost })
}

/// Opens a turn: counts it, and saves the whole tree as it is when the person speaks.
pub fn new_turn(engine: &Engine, who: &Who, prompt: &str, progress: &dyn Progress) -> Result<SessionState> {
    let file = SessionFile::of(engine, who);
    let clean = engine.own_gate().clean(beginning(prompt));
    let state = file.update(|state| {
        state.turns += 1;
        let turn = who.turn.clone().unwrap_or_else(|| state.turns.to_string());
        state.spiral.new_turn(&turn, clean.as_str());
        let turns = state.turns;
        state.stop.new_turn(turns);
        state.turn = Some(turn);
        state.keep_prompt(&clean);
        state.clone()
    })?;
    refuse_asked(engine, who, &mut engine.store(progress)?.store)?;
    let seq = save_tree(engine, who, &state, "prompt", progress)?;
    file.update(|state| state.turn_began_at = seq)?;
    // What such a step left behind was found by the look.
    cut_off(engine, who, &mut engine.store(progress)?.store)?;
    Ok(state)
}

/// As much of a prompt as the gate has to see so that nothing of a secret is left in what is kept of it. It ends between words.
fn beginning(prompt: &str) -> &str {
    let Some((end, _)) = prompt.char_indices().nth(PROMPT_READ) else { return prompt };
    prompt[..end].rfind(char::is_whitespace).map_or(&prompt[..end], |end| &prompt[..end])
}

/// A sub-agent begins that has a session of its own: its steps belong to the turn it serves.
pub fn adopt(engine: &Engine, client: &str, session: &str, parent: &str, kind: Option<&str>) -> Result<()> {
    let who =
        |session: &str| Who { client: client.to_owned(), session: session.to_owned(), ..Who::default() };
    let above = SessionFile::of(engine, &who(parent)).read();
    // A sub-agent of a sub-agent serves the same person.
    let (serves, turn) = match (above.parent_session, above.parent_turn) {
        (Some(session), Some(turn)) => (session, Some(turn)),
        _ => (parent.to_owned(), above.turn),
    };
    SessionFile::of(engine, &who(session)).update(|state| {
        state.parent_session = Some(serves);
        state.parent_turn = turn.or(Some("0".to_owned()));
        state.agent_type = kind.map(str::to_owned);
    })
}

/// Ends a turn: what the agent left behind is saved, and long files that it changed are looked at.
pub fn end_turn(engine: &Engine, who: &Who, progress: &dyn Progress) -> Result<i64> {
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let settled: Vec<(String, Content)> = state
        .spiral
        .unread()
        .into_iter()
        .filter_map(|path| {
            let known = RelPath::new(path.as_bytes()).ok()?;
            Some((path, content_of_file(engine, &known, AT_LEISURE)?))
        })
        .collect();
    if !settled.is_empty() {
        file.update(|state| settled.iter().for_each(|(path, content)| state.spiral.settle(path, *content)))?;
    }
    refuse_asked(engine, who, &mut engine.store(progress)?.store)?;
    let seq = save_tree(engine, who, &state, "stop", progress)?;
    cut_off(engine, who, &mut engine.store(progress)?.store)?;
    Ok(seq)
}

/// The conversation was shortened: the agent has to read again what it had read, and that is no circle.
pub fn conversation_shortened(engine: &Engine, who: &Who) -> Result<()> {
    SessionFile::of(engine, who).update(|state| {
        state.spiral.forgot();
        // What it was told is gone with the rest; what matters is told again when it applies. (M13)
        state.recalled.clear();
        state.memory_told.clear();
        state.lessons_told.clear();
        state.said_told.clear();
        state.said_tokens = 0;
    })
}

/// What the model has to be told with this prompt; each note is told once.
pub fn notes_for_model(engine: &Engine, who: &Who) -> Result<Vec<String>> {
    let file = SessionFile::of(engine, who);
    if file.read().notes.is_empty() {
        return Ok(Vec::new());
    }
    file.update(|state| std::mem::take(&mut state.notes))
}
