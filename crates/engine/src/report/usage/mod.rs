//! What the agents' models were asked and answered, in tokens, as far as the clients' own records tell. Read when somebody asks, never in a
//! hook, and only where the ledger names the session. What a client does not write down is unknown, never guessed.
//!
//! Each client counts in its own way. Here every call has the same four numbers: the prompt without what came from the cache, what was read
//! from the cache, what was written into it, and the answer with the thinking in it.

mod claude_code;
mod codex;
mod copilot;
mod gemini;
mod lines;
mod models;
mod opencode;

use std::collections::HashSet;
use std::path::PathBuf;

use project::Context;
use serde::{Deserialize, Serialize};

pub(crate) use models::Models;

/// One call of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// When it was answered, milliseconds since 1970.
    pub time_ms: i64,
    /// The model.
    pub model: Option<String>,
    /// The sub-agent that asked.
    pub agent: Option<String>,
    /// How many tokens.
    pub tokens: Tokens,
    /// The record tells them; else there were more, and nobody knows how many.
    pub is_told: bool,
    /// The tool calls in the answer, by the client's ids.
    pub call_ids: Vec<String>,
}

/// Tokens of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Of the prompt, without what came from a cache or went into one.
    pub input: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written into the cache.
    pub cache_write: u64,
    /// The answer, thinking included.
    pub output: u64,
}

impl Tokens {
    /// Adds another call's.
    pub fn add(&mut self, other: Self) {
        self.input += other.input;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.output += other.output;
    }

    /// Everything that was sent.
    pub fn prompt(&self) -> u64 {
        self.input + self.cache_read + self.cache_write
    }

    /// A prompt of so many tokens, of which so many were read from the cache and written into it.
    fn of_prompt(prompt: u64, cache_read: u64, cache_write: u64, output: u64) -> Self {
        Self {
            input: prompt.saturating_sub(cache_read).saturating_sub(cache_write),
            cache_read,
            cache_write,
            output,
        }
    }
}

/// The calls of one session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionUsage {
    /// In the order of time.
    pub calls: Vec<Call>,
    /// What the client itself says that the whole session cost, in dollars.
    pub told_cost: Option<f64>,
}

/// Reads the clients' records. Keep one for a whole report: a call that stands in two records counts once.
pub struct Records<'c> {
    context: &'c Context,
    seen: HashSet<String>,
}

impl<'c> Records<'c> {
    /// For the person of this world.
    pub fn new(context: &'c Context) -> Self {
        Self { context, seen: HashSet::new() }
    }

    /// The calls of a session with its sub-agents; none if the client has no record of it, or none that is understood.
    pub fn session(&mut self, client: &str, session: &str) -> Option<SessionUsage> {
        // It becomes part of a file's name.
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if session.is_empty() || session.len() > 128 || !session.chars().all(plain) {
            return None;
        }
        let mut usage = match client {
            "claude-code" => claude_code::read(self, session),
            "codex" => codex::read(self, session),
            "gemini" => gemini::read(self, session),
            "opencode" => opencode::read(self, session),
            "copilot" => copilot::read(self, session),
            _ => None,
        }?;
        usage.calls.sort_by_key(|call| call.time_ms);
        Some(usage)
    }

    /// A folder of a client: where a variable says, else in the home.
    fn folder(&self, variable: Option<&str>, in_home: &str) -> Option<PathBuf> {
        let named = variable.and_then(|name| self.context.variable(name)).map(PathBuf::from);
        named.filter(|path| path.is_absolute()).or_else(|| self.context.home().map(|home| home.join(in_home)))
    }

    /// True the first time that this call is seen.
    fn is_new(&mut self, id: &str) -> bool {
        self.seen.insert(id.to_owned())
    }
}
