//! The Agent Client Protocol: what an agent tells its editor about a tool call, as one of our events.
//!
//! A call is told in pieces (`tool_call`, `tool_call_update`, `session/request_permission`), and each agent leaves out others: Gemini gives
//! no arguments, Codex no name for edits, Copilot no name at all, OpenCode other arguments when it asks than when it runs. So the pieces
//! are gathered ([`Told`]); where they name a tool that the table of that client knows, the table says what it does, exactly as for a
//! hook; else the kind, the differences and the places that the protocol itself defines do. As recorded from the five clients, 2026-11.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{prompts, repeats, tools};
use crate::event::{Action, Change, Doubt, Edit, Folder, Halted, HookEvent, Kind, Replacement, ToolCall};
use crate::event::{ToolResult, Unseen};
use crate::payload::{self, any_text, text};
use crate::{Client, reading};

/// What the moment before a tool runs is called.
pub const BEFORE: &str = "session/request_permission";

/// Reads a message, mending what can be mended; a doubt says that it may mean something else to others.
pub fn read(bytes: &[u8]) -> (Value, Option<Doubt>) {
    reading::read(bytes)
}

/// The client behind an agent, by what it says of itself or by the program that was started.
pub fn client_of(name: &str) -> Option<Client> {
    let name = name.to_ascii_lowercase();
    [
        ("claude", Client::ClaudeCode),
        ("codex", Client::Codex),
        ("gemini", Client::Gemini),
        ("opencode", Client::OpenCode),
        ("copilot", Client::Copilot),
        ("cursor", Client::Cursor),
    ]
    .into_iter()
    .find(|(word, _)| name.contains(word))
    .map(|(_, client)| client)
}

/// The session that an event is of.
#[derive(Debug, Clone)]
pub struct Of<'s> {
    /// The name of the agent in the history.
    pub named: &'s str,
    /// The session's id.
    pub session: &'s str,
    /// Where it works.
    pub cwd: Option<&'s Path>,
}

/// What was told of one tool call so far.
#[derive(Debug, Clone, Default)]
pub struct Told {
    name: Option<String>,
    kind: String,
    title: String,
    first_title: String,
    input: Map<String, Value>,
    asked: Map<String, Value>,
    diffs: Vec<Edit>,
    places: Vec<PathBuf>,
    says: String,
    output: Option<Value>,
    exit: Option<i64>,
    says_two_things: bool,
}

impl Told {
    /// Takes up one more piece. `asks`: it came with a question to the person, where arguments may be written in another way.
    pub fn add(&mut self, id: &str, piece: &Value, asks: bool) {
        let named = text(piece, "name")
            .or_else(|| piece.pointer("/_meta/claudeCode/toolName")?.as_str().map(str::to_owned))
            // Gemini: `replace__replace_1794978588444_0`.
            .or_else(|| id.split_once("__").map(|(name, _)| name.to_owned()));
        if self.name.is_none() {
            self.name = named;
        }
        if let Some(kind) = text(piece, "kind") {
            self.kind = kind;
        }
        if let Some(title) = text(piece, "title") {
            if self.first_title.is_empty() {
                self.first_title.clone_from(&title);
            }
            self.title = title;
        }
        if let Some(Value::Object(fields)) = piece.get("rawInput") {
            let (to, other) =
                if asks { (&mut self.asked, &self.input) } else { (&mut self.input, &self.asked) };
            to.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
            let differs = |name: &str| {
                let (one, two) = (to.get(name), other.get(name));
                one.is_some() && two.is_some() && one != two
            };
            self.says_two_things |=
                ["command", "cmd", "file_path", "filePath", "path"].iter().any(|name| differs(name));
        }
        let items = piece.get("content").and_then(Value::as_array);
        let diffs: Vec<Edit> = items.into_iter().flatten().filter_map(difference).collect();
        if self.diffs.is_empty() {
            self.diffs = diffs;
        }
        let says: Vec<&str> = items
            .into_iter()
            .flatten()
            .filter_map(|item| item.pointer("/content/text").and_then(Value::as_str))
            .collect();
        if !says.is_empty() {
            self.says = says.join("\n");
        }
        let places = piece.get("locations").and_then(Value::as_array).into_iter().flatten();
        for place in places.filter_map(|place| text(place, "path")).map(PathBuf::from) {
            if !self.places.contains(&place) {
                self.places.push(place);
            }
        }
        if let Some(output) = piece.get("rawOutput").filter(|output| !output.is_null()) {
            self.output = Some(output.clone());
        }
        self.exit = exit_code(piece).or(self.exit);
    }

    /// It names this file as one that it changes.
    pub fn changes(&self, path: &Path) -> bool {
        self.diffs.iter().any(|edit| edit.path == path) || self.places.iter().any(|place| place == path)
    }

    /// What is said about it in one line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The call. `client`: whose tools these are, where that is known.
    pub fn call(&self, client: Option<Client>, id: &str) -> ToolCall {
        let name = self.name(client);
        let id = Some(id.to_owned());
        if let Some(known) = client.filter(|client| tools::known(*client, &name).is_some()) {
            let call = tools::call(known, Some(name.clone()), id.clone(), &Value::Object(self.arguments()));
            let is_said_so = match call.action {
                Action::Edit(_) | Action::Shell { .. } => true,
                Action::Look => self.only_looks() && self.diffs.is_empty(),
                Action::Unknown(_) => false,
            };
            if is_said_so {
                return call;
            }
        }
        let (action, unseen) = self.understood(client, &name);
        let folder = match action {
            Action::Shell { .. } | Action::Unknown(_) => self.folder(),
            Action::Edit(_) | Action::Look => Folder::Session,
        };
        ToolCall { tool: name, id, action, folder, unseen, arguments: String::new(), waits: false }
    }

    fn understood(&self, client: Option<Client>, name: &str) -> (Action, Option<Unseen>) {
        if let Some(command) = self.command(client) {
            let opens = client == Some(Client::Codex) && prompts::opens_a_prompt(&command);
            return (Action::Shell { command }, opens.then_some(Unseen::Prompt));
        }
        if !self.diffs.is_empty() {
            return (Action::Edit(self.diffs.clone()), None);
        }
        let input = Value::Object(self.arguments());
        let stranger = || {
            let call = tools::call(Client::Acp, Some(name.to_owned()), None, &input);
            (call.action, call.unseen)
        };
        match self.kind.as_str() {
            "edit" | "delete" | "move" => {
                let mut edits = payload::edit(&input);
                for path in &self.places {
                    if !edits.iter().any(|edit| edit.path == *path) {
                        edits.push(Edit { path: path.clone(), change: Change::Unknown });
                    }
                }
                if edits.is_empty() { stranger() } else { (Action::Edit(edits), None) }
            }
            "execute" => (stranger().0, Some(Unseen::Missing)),
            // What runs commands under the name of a look may do anything.
            _ if self.only_looks() && client.is_some_and(|client| runs_commands(client, name)) => {
                (Action::Unknown(crate::event::Hints::default()), None)
            }
            _ if self.only_looks() => match tools::looks(&input) {
                true => (Action::Look, None),
                false => (Action::Unknown(crate::event::Hints::default()), Some(Unseen::Key)),
            },
            _ => stranger(),
        }
    }

    fn only_looks(&self) -> bool {
        matches!(self.kind.as_str(), "read" | "search" | "think" | "fetch" | "switch_mode")
    }

    /// The arguments of the call; those of the question only where there are no others.
    fn arguments(&self) -> Map<String, Value> {
        let mut all = self.asked.clone();
        all.extend(self.input.iter().map(|(name, value)| (name.clone(), value.clone())));
        all
    }

    fn command(&self, client: Option<Client>) -> Option<String> {
        let arguments = self.arguments();
        let told = ["command", "cmd"].iter().find_map(|name| arguments.get(*name));
        let told = told.and_then(|value| match value {
            Value::String(command) => Some(command.clone()),
            Value::Array(_) => super::foreign::joined(value),
            _ => None,
        });
        // Gemini tells no arguments: the title is the command, and only that.
        let is_title = client == Some(Client::Gemini) && self.kind == "execute" && arguments.is_empty();
        told.or_else(|| is_title.then(|| self.title.clone())).filter(|command| !command.is_empty())
    }

    /// Where it runs. Gemini says it in words beside the command.
    fn folder(&self) -> Folder {
        let arguments = Value::Object(self.arguments());
        if let Some(folder) = payload::path(&arguments, tools::FOLDER) {
            return Folder::Given(folder);
        }
        ["[current working directory ", "[in "]
            .iter()
            .find_map(|mark| self.says.strip_prefix(mark)?.split_once(']').map(|(folder, _)| folder.into()))
            .map_or(Folder::Session, Folder::Given)
    }

    /// The tool's name, or what the table of the client calls a tool that does this.
    fn name(&self, client: Option<Client>) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        // OpenCode: the first title is the tool's name.
        if client.is_some_and(|client| tools::known(client, &self.first_title).is_some()) {
            return self.first_title.clone();
        }
        let has = |name: &str| self.input.contains_key(name) || self.asked.contains_key(name);
        let guessed = match (client, self.kind.as_str()) {
            (Some(Client::Copilot), "execute") => "bash",
            (Some(Client::Copilot), "edit") if has("file_text") => "create",
            (Some(Client::Copilot), "read") => "view",
            (Some(Client::Codex), "edit") => "apply_patch",
            (_, "") => "tool",
            (_, kind) => kind,
        };
        guessed.to_owned()
    }

    /// How it ended.
    pub fn result(&self, status: &str) -> ToolResult {
        let output = match payload::output_text(self.output.as_ref()) {
            output if output.is_empty() => self.says.clone(),
            output => output,
        };
        let exit =
            self.exit.or_else(|| (self.kind == "execute").then(|| payload::exit_code_in(&output)).flatten());
        let halted = (status == "cancelled").then_some(Halted::CutOff);
        let result = ToolResult::with_exit(exit, output);
        let failed = match status {
            "failed" => Some(true),
            "completed" => result.failed.or(Some(false)),
            _ => result.failed,
        };
        ToolResult { failed, halted, ..result }
    }

    /// An event about this call, with what only the pieces together say.
    pub fn event(&self, of: &Of<'_>, native: &str, kind: Kind) -> HookEvent {
        let mut event = event(of, native, kind);
        let output = match &event.kind {
            Kind::AfterTool(_, result) => Value::String(result.output.clone()),
            _ => Value::Null,
        };
        let whole = json!({"tool_input": self.arguments(), "tool_response": output});
        repeats::complete(&mut event, &whole);
        if self.says_two_things {
            event.doubt = Some(Doubt::SaidTwice);
        }
        event
    }
}

/// A call that an agent hands to its editor: a file to write, a command to run.
pub fn handed(tool: &str, action: Action, folder: Option<PathBuf>) -> ToolCall {
    let folder = folder.map_or(Folder::Session, Folder::Given);
    ToolCall {
        tool: tool.to_owned(),
        id: None,
        action,
        folder,
        unseen: None,
        arguments: String::new(),
        waits: false,
    }
}

/// An event of a session.
pub fn event(of: &Of<'_>, native: &str, kind: Kind) -> HookEvent {
    let mut event = HookEvent {
        client: Client::Acp,
        named: Some(of.named.to_owned()),
        native: native.to_owned(),
        session: Some(of.session.to_owned()),
        turn: None,
        agent: None,
        agent_type: None,
        transcript: None,
        at_ms: None,
        cwd: of.cwd.map(Path::to_path_buf),
        mode: None,
        doubt: None,
        kind,
    };
    event.make_paths_absolute();
    event
}

fn runs_commands(client: Client, name: &str) -> bool {
    tools::known(client, name) == Some(tools::Does::Shell)
}

fn difference(item: &Value) -> Option<Edit> {
    if text(item, "type").as_deref() != Some("diff") {
        return None;
    }
    let path = PathBuf::from(text(item, "path")?);
    let new = item.get("newText").and_then(Value::as_str);
    let change = match (text(item, "oldText"), new) {
        // A whole text that takes the place of a whole text is a replacement too.
        (Some(old), Some(new)) => Change::Replace(vec![Replacement { old, new: new.to_owned(), all: false }]),
        (None, Some(new)) => Change::Whole(new.to_owned()),
        (_, None) => Change::Unknown,
    };
    Some(Edit { path, change })
}

fn exit_code(piece: &Value) -> Option<i64> {
    let at = [
        "/rawOutput/exit_code",
        "/rawOutput/exitCode",
        "/rawOutput/metadata/exit",
        "/_meta/terminal_exit/exit_code",
    ];
    let told = at.iter().find_map(|place| piece.pointer(place)?.as_i64());
    let contents = piece.pointer("/rawOutput/contents").and_then(Value::as_array);
    told.or_else(|| contents?.iter().find_map(|part| part.get("exitCode")?.as_i64()))
}

/// A command that an agent hands to its editor, as one line: with the variables that it sets.
pub fn command_line(params: &Value) -> Option<String> {
    let command = text(params, "command")?;
    let words = params.get("args").and_then(Value::as_array).filter(|words| !words.is_empty());
    let line = match words {
        // A program without arguments may as well be a whole line for a shell.
        None => command,
        Some(words) => {
            let all: Vec<Value> = std::iter::once(json!(command)).chain(words.iter().cloned()).collect();
            super::foreign::joined(&Value::Array(all))?
        }
    };
    let variables = params.get("env").and_then(Value::as_array).into_iter().flatten();
    let variables = variables.filter_map(|one| {
        let value = super::foreign::joined(&json!([text(one, "value").unwrap_or_default()]))?;
        Some(format!("{}={value} ", text(one, "name")?))
    });
    Some(variables.collect::<String>() + &line)
}

/// The words of a prompt: its text blocks.
pub fn prompt_text(blocks: &Value) -> String {
    let texts = blocks
        .as_array()
        .into_iter()
        .flatten()
        .filter(|block| text(block, "type").as_deref() == Some("text"));
    texts.filter_map(|block| any_text(block, &["text"])).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
