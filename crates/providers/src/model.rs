//! What is asked, and what comes back, in no provider's dialect.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a server wants to be spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's chat completions, and every server that speaks the same (Ollama, llama.cpp).
    #[serde(rename = "openai-chat")]
    OpenAiChat,
}

impl Dialect {
    /// Its name in settings and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAiChat => "openai-chat",
        }
    }

    /// The dialect of this name.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenAiChat].into_iter().find(|dialect| dialect.word() == word)
    }
}

/// Where a provider's key is. Never the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// In this variable of the environment.
    Variable(String),
    /// In the system's keyring, under this account of the service `vibelign`.
    Keyring(String),
    /// None is needed (a server on this machine).
    None,
}

/// Dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from a cache.
    pub cache_read: f64,
    /// Written into a cache.
    pub cache_write: f64,
}

impl Price {
    /// What this much costs, in dollars.
    pub fn of(&self, usage: &TokenUsage) -> f64 {
        let part = |tokens: u64, dollars: f64| tokens as f64 * dollars / 1_000_000.0;
        part(usage.input, self.input)
            + part(usage.output, self.output)
            + part(usage.cache_read, self.cache_read)
            + part(usage.cache_write, self.cache_write)
    }
}

/// A model behind an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provider {
    /// What the person calls it.
    pub name: String,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Where it is, up to and without `/v1/messages` or `/chat/completions` (`https://api.anthropic.com`, `http://localhost:11434/v1`).
    pub url: String,
    /// The model.
    pub model: String,
    /// Where its key is.
    pub key: Key,
    /// It can be given tools.
    pub tools: bool,
    /// Tokens that it can hold, question and answer together.
    pub context: u32,
    /// Tokens that it can answer with.
    pub max_output: u32,
    /// How strong it is; a higher class is stronger. 0: nobody said.
    pub class: u8,
    /// What it costs; none: unknown.
    pub price: Option<Price>,
}

impl Provider {
    /// Name and model, as events and reports name them (`anthropic/claude-x`).
    pub fn label(&self) -> String {
        format!("{}/{}", self.name, self.model)
    }
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or the program that asks; results of tools too.
    User,
    /// The model.
    Assistant,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text(String),
    /// The model wants a tool to be run.
    Call {
        /// Its id; the result carries the same.
        id: String,
        /// The tool.
        name: String,
        /// What it is given: an object. Where the model wrote something that is no object, it is a `Value::String` with exactly that text, so
        /// that whoever validates can name it and nobody runs it.
        input: Value,
    },
    /// What a tool answered.
    Result {
        /// The id of the call.
        id: String,
        /// What it said.
        text: String,
        /// It failed.
        is_error: bool,
    },
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub parts: Vec<Part>,
}

impl Message {
    /// A message of words alone.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, parts: vec![Part::Text(text.into())] }
    }
}

/// A tool that the model may ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelTool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// What it is given, as a JSON schema of an object.
    pub schema: Value,
}

/// What a model is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelQuestion {
    /// What holds for the whole conversation.
    pub system: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The tools that it may ask for.
    pub tools: Vec<ModelTool>,
    /// Tokens that the answer may have.
    pub max_output: u32,
}

impl ModelQuestion {
    /// Only a model that knows tools can answer it.
    pub fn needs_tools(&self) -> bool {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        !self.tools.is_empty() || parts.into_iter().any(|part| !matches!(part, Part::Text(_)))
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The model had nothing more to say.
    Finished,
    /// It wants tools to be run.
    Calls,
    /// It reached the limit of tokens; a call that was not complete is not in the answer.
    TooLong,
    /// It does not want to answer, or its provider does not let it.
    Refused,
}

/// Tokens, as the server counts them. What was read from or written into a cache is not in `input`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Read.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Read from a cache.
    pub cache_read: u64,
    /// Written into a cache.
    pub cache_write: u64,
}

impl TokenUsage {
    /// All of them.
    pub fn tokens(&self) -> u64 {
        self.input
            .saturating_add(self.output)
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
    }
}

/// What a model answered. It comes once: a call in it was never handed out before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Words and calls, in their order.
    pub parts: Vec<Part>,
    /// Why it ended.
    pub end: End,
    /// What it took.
    pub usage: TokenUsage,
    /// The server did not say what it took: `usage` is an estimate.
    pub is_estimate: bool,
    /// What that cost, where the price is known.
    pub dollars: Option<f64>,
    /// The model, as the server names it.
    pub model: String,
    /// The provider's name.
    pub provider: String,
}
