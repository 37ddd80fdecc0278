//! What is known of the sessions of one agent, and of what waits for an answer.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hooks::adapters::acp::Told;
use hooks::event::ToolCall;

use crate::message::Message;

/// So much of the agent's last words is kept, in bytes.
const SAID: usize = 32 << 10;
/// Calls of a session that are remembered; what is older was over long ago.
const MOST_CALLS: usize = 2_000;

/// One conversation.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Where it works.
    pub(crate) cwd: Option<PathBuf>,
    /// Its tool calls, by the agent's ids.
    pub(crate) calls: HashMap<String, Call>,
    /// What the model is told with the next prompt.
    pub(crate) to_model: Vec<String>,
    /// What the agent said since the last prompt.
    pub(crate) said: String,
}

/// One tool call.
#[derive(Debug, Default)]
pub(crate) struct Call {
    /// What was told of it.
    pub(crate) told: Told,
    /// How far it is.
    pub(crate) stage: Stage,
}

/// How far a call is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It was announced.
    #[default]
    Known,
    /// It was judged and saved before; the agent waits for a yes, or has it.
    Begun,
    /// It is over: it ran, or it was refused.
    Over,
}

impl Session {
    /// One more piece about a call.
    pub(crate) fn add(&mut self, id: &str, piece: &serde_json::Value, asks: bool) -> &mut Call {
        if self.calls.len() > MOST_CALLS {
            self.calls.retain(|_, call| call.stage != Stage::Over);
        }
        let call = self.calls.entry(id.to_owned()).or_default();
        call.told.add(id, piece, asks);
        call
    }

    /// The agent says something.
    pub(crate) fn says(&mut self, text: &str) {
        self.said.push_str(text);
        if self.said.len() > 2 * SAID {
            let mut from = self.said.len() - SAID;
            while !self.said.is_char_boundary(from) {
                from += 1;
            }
            self.said.drain(..from);
        }
    }

    /// A call that was judged already and changes this file.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        self.calls.values().any(|call| call.stage == Stage::Begun && call.told.changes(path))
    }
}

/// What the editor asked the agent.
#[derive(Debug)]
pub(crate) enum Asked {
    /// Who are you?
    Initialize,
    /// A new session, here.
    New(Option<PathBuf>),
    /// This session again.
    Again(String, Option<PathBuf>),
    /// To do something.
    Prompt(String),
    /// Anything else.
    Other,
}

/// What the agent asked the editor.
#[derive(Debug)]
pub(crate) enum Wanted {
    /// Whether a call may run; the kinds of answers by their ids.
    Permission { session: String, call: String, kinds: HashMap<String, String> },
    /// Something that is a step of its own: a file to write, a command to run.
    Step { session: String, call: Box<ToolCall>, is_command: bool },
    /// How a command ended.
    Exit { session: String, terminal: String },
}

/// A request of the agent that waits until the person answers a question of vib's own.
#[derive(Debug)]
pub(crate) struct Held {
    /// The request.
    pub(crate) message: Message,
    /// Its bytes.
    pub(crate) line: Vec<u8>,
    /// What it becomes when it goes on.
    pub(crate) wanted: Option<Wanted>,
}
