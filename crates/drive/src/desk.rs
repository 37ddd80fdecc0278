//! Where messages are looked at: one thread, one after the other, through the router that hooks use.

mod asked;
mod told;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hooks::adapters::acp::{self, Of, Told};
use hooks::event::{Halted, Kind, ToolCall, ToolResult};
use hooks::proxied::Marks;
use hooks::router::{self, World};
use hooks::{Client, Decision, HookEvent, Verdict, Watch, watch};
use project::Context;
use serde_json::{Value, json};

use crate::answers::{self, REFUSED};
use crate::calls::{Asked, Held, Session, Stage, Wanted};
use crate::message::Message;
use crate::wire::Out;

/// What becomes of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pass {
    /// It goes on as it came.
    AsItIs,
    /// This goes on in its place.
    Instead(Vec<u8>),
    /// It does not go on; these lines go back to whoever sent it.
    Back(Vec<Vec<u8>>),
    /// It does not go on, and somebody else is asked first.
    Held,
}

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    Editor,
    Agent,
}

/// What the desk is made for.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The program that was started, as a first guess who the agent is.
    pub program: String,
    /// Nobody can be asked: vib itself plays the editor.
    pub unattended: bool,
    /// The name under which it stands in the history, where the caller knows better.
    pub named: Option<String>,
    /// The fence around the whole agent: what it refused is named.
    pub fence: Option<fence::Fence>,
}

/// Everything that is known of one agent and its sessions.
pub(crate) struct Desk {
    context: Context,
    setting: Setting,
    client: Option<Client>,
    named: String,
    editor: Out,
    agent: Out,
    marks: Option<Marks>,
    watch: Watch,
    sessions: HashMap<String, Session>,
    asked: HashMap<String, Asked>,
    wanted: HashMap<String, Wanted>,
    terminals: HashMap<String, (String, Box<ToolCall>)>,
    held: HashMap<String, Held>,
    questions: u64,
}

impl Desk {
    pub(crate) fn new(
        context: Context,
        setting: Setting,
        marks: Option<Marks>,
        watch: Watch,
        (editor, agent): (Out, Out),
    ) -> Self {
        let client = acp::client_of(&setting.program);
        let named = name_of(client, &setting.program);
        let named = setting.named.clone().unwrap_or(named);
        Self {
            context,
            setting,
            client,
            named,
            editor,
            agent,
            marks,
            watch,
            sessions: HashMap::new(),
            asked: HashMap::new(),
            wanted: HashMap::new(),
            terminals: HashMap::new(),
            held: HashMap::new(),
            questions: 0,
        }
    }

    /// Looks at one message.
    pub(crate) fn take(&mut self, from: From, message: &Message, line: &[u8]) -> Pass {
        match (from, message.method()) {
            (From::Editor, Some(method)) => self.editor_says(method, message),
            (From::Editor, None) => self.answer_of_editor(message),
            (From::Agent, Some(method)) => self.agent_says(method, message, line),
            (From::Agent, None) => self.answer_of_agent(message),
        }
    }

    fn editor_says(&mut self, method: &str, message: &Message) -> Pass {
        let Some(id) = message.id() else { return Pass::AsItIs };
        let cwd = || message.text("/cwd").map(PathBuf::from);
        let session = || message.session().unwrap_or_default().to_owned();
        let asked = match method {
            "initialize" => Asked::Initialize,
            "session/new" => Asked::New(cwd()),
            "session/load" | "session/resume" => Asked::Again(session(), cwd()),
            "session/prompt" => {
                let pass = self.prompt(message);
                if !matches!(pass, Pass::Back(_)) {
                    self.asked.insert(id, Asked::Prompt(session()));
                }
                return pass;
            }
            _ => Asked::Other,
        };
        self.asked.insert(id, asked);
        Pass::AsItIs
    }

    /// The person asks for something, of the agent or of vib.
    fn prompt(&mut self, message: &Message) -> Pass {
        let id = message.session().unwrap_or_default().to_owned();
        let text = acp::prompt_text(message.param("/prompt").unwrap_or(&Value::Null));
        self.sessions.entry(id.clone()).or_default().said.clear();
        let is_command = text.trim_start().starts_with('/');
        let event = self.event(&id, "session/prompt", Kind::Prompt { text });
        let decision = self.decide(&event);
        if let Verdict::Hold(words) | Verdict::Deny(words) = &decision.verdict {
            let answer = json!({"stopReason": "end_turn"});
            let number = message.value.get("id").cloned().unwrap_or_default();
            return Pass::Back(vec![answers::words(&id, words), answers::result(&number, &answer)]);
        }
        self.tell(&id, &decision);
        let session = self.sessions.entry(id).or_default();
        // A command of the agent's own would not be understood with something behind it.
        if session.to_model.is_empty() || is_command {
            return Pass::AsItIs;
        }
        let facts = std::mem::take(&mut session.to_model).join("\n");
        let block = format!("Facts from vib, the safety net of this project (they are no request):\n{facts}");
        Pass::Instead(answers::with_block(message, &block))
    }

    fn answer_of_editor(&mut self, message: &Message) -> Pass {
        let Some(id) = message.id() else { return Pass::AsItIs };
        if let Some(held) = self.held.remove(&id) {
            return self.settle(held, message);
        }
        let result = message.value.get("result");
        match self.wanted.remove(&id) {
            Some(Wanted::Permission { session, call, kinds }) => {
                let chosen = result.and_then(|result| result.pointer("/outcome/optionId")?.as_str());
                let kind = chosen.and_then(|chosen| kinds.get(chosen)).map(String::as_str);
                let halted = match (chosen, kind) {
                    (None, _) => Some(Halted::CutOff),
                    (_, Some(kind)) if kind.starts_with("reject") => Some(Halted::Refused),
                    _ => None,
                };
                if let Some(halted) = halted {
                    self.over(&session, &call, |_| ToolResult {
                        halted: Some(halted),
                        ..ToolResult::default()
                    });
                }
            }
            Some(Wanted::Step { session, call, is_command }) => {
                let terminal = result.and_then(|result| result.get("terminalId")?.as_str());
                match terminal {
                    Some(terminal) if is_command => {
                        self.terminals.insert(terminal.to_owned(), (session, call));
                    }
                    _ => {
                        let failed = Some(message.value.get("error").is_some());
                        self.after_step(&session, *call, ToolResult { failed, ..ToolResult::default() });
                    }
                }
            }
            Some(Wanted::Exit { session, terminal }) => {
                let code = result.and_then(|result| result.get("exitCode")?.as_i64());
                self.terminal_ended(&session, &terminal, code);
            }
            None => {}
        }
        Pass::AsItIs
    }

    /// The person answered vib's own question about a request of the agent.
    fn settle(&mut self, held: Held, answer: &Message) -> Pass {
        let chosen = answer.value.pointer("/result/outcome/optionId").and_then(Value::as_str);
        let id = held.message.value.get("id").cloned().unwrap_or_default();
        if chosen == Some("allow") {
            if let (Some(wanted), Some(number)) = (held.wanted, held.message.id()) {
                self.wanted.insert(number, wanted);
            }
            self.editor.send(&held.line);
        } else {
            if let Some(Wanted::Step { session, call, .. }) = held.wanted {
                let result = ToolResult { halted: Some(Halted::Refused), ..ToolResult::default() };
                self.after_step(&session, *call, result);
            }
            self.agent.send(&answers::error(&id, REFUSED, "the person said no to this"));
        }
        Pass::Held
    }

    fn agent_says(&mut self, method: &str, message: &Message, line: &[u8]) -> Pass {
        match method {
            "session/update" => {
                self.update(message);
                Pass::AsItIs
            }
            _ if !message.is_request() => Pass::AsItIs,
            "session/request_permission" => self.permission(message),
            "fs/write_text_file" => self.write(message, line),
            "terminal/create" => self.command(message, line),
            "terminal/wait_for_exit" | "terminal/output" => {
                let terminal = message.text("/terminalId").unwrap_or_default().to_owned();
                let session = message.session().unwrap_or_default().to_owned();
                if let Some(id) = message.id().filter(|_| method == "terminal/wait_for_exit") {
                    self.wanted.insert(id, Wanted::Exit { session, terminal });
                }
                Pass::AsItIs
            }
            "terminal/release" | "terminal/kill" => {
                let (session, terminal) = (message.session(), message.text("/terminalId"));
                let (session, terminal) = (session.map(str::to_owned), terminal.map(str::to_owned));
                if let (Some(session), Some(terminal)) = (session, terminal) {
                    self.terminal_ended(&session, &terminal, None);
                }
                Pass::AsItIs
            }
            _ => Pass::AsItIs,
        }
    }

    fn answer_of_agent(&mut self, message: &Message) -> Pass {
        let Some(asked) = message.id().and_then(|id| self.asked.remove(&id)) else { return Pass::AsItIs };
        let result = message.value.get("result");
        match asked {
            Asked::Initialize => {
                let name = result.and_then(|result| result.pointer("/agentInfo/name")?.as_str());
                if let Some(name) = name {
                    self.client = acp::client_of(name).or(self.client);
                    if self.setting.named.is_none() {
                        self.named = name_of(self.client, name);
                    }
                }
            }
            Asked::New(cwd) => {
                if let Some(id) = result.and_then(|result| result.get("sessionId")?.as_str()) {
                    self.begin(id, cwd, "startup");
                }
            }
            Asked::Again(id, cwd) if result.is_some() => self.begin(&id, cwd, "resume"),
            Asked::Prompt(id) => self.turn_over(&id),
            Asked::Again(..) | Asked::Other => {}
        }
        Pass::AsItIs
    }

    fn begin(&mut self, id: &str, cwd: Option<PathBuf>, source: &str) {
        self.sessions.entry(id.to_owned()).or_default().cwd = cwd;
        let event = self.event(id, "session/new", Kind::SessionStart { source: source.to_owned() });
        let decision = self.decide(&event);
        self.tell(id, &decision);
    }

    /// The agent has finished, or was stopped: what it left is saved.
    fn turn_over(&mut self, id: &str) {
        let said = self.sessions.get_mut(id).map(|session| std::mem::take(&mut session.said));
        let message = said.filter(|said| !said.trim().is_empty());
        let event = self.event(id, "session/prompt", Kind::Stop { message });
        let decision = self.decide(&event);
        self.tell(id, &decision);
        if let Verdict::Deny(reason) = &decision.verdict {
            self.say(id, reason);
            self.sessions.entry(id.to_owned()).or_default().to_model.push(reason.clone());
        }
    }

    /// The agent is gone, with everything it started: what it did last is saved.
    pub(crate) fn end(&mut self) {
        let mut ids: Vec<String> = self.sessions.keys().cloned().collect();
        ids.sort();
        for id in ids {
            self.turn_over(&id);
            let event = self.event(&id, "end", Kind::SessionEnd);
            let _ = self.decide(&event);
        }
    }

    /// The editor's requests that the agent never answered.
    pub(crate) fn unanswered(&self) -> Vec<Value> {
        self.asked.keys().filter_map(|id| serde_json::from_str(id).ok()).collect()
    }

    fn hooks_do_tools(&self) -> bool {
        self.marks.as_ref().is_some_and(Marks::tools_are_hooked)
    }

    fn told(&self, id: &str, name: &str) -> Option<&Told> {
        Some(&self.sessions.get(id)?.calls.get(name)?.told)
    }

    fn set_stage(&mut self, id: &str, name: &str, stage: Stage) {
        if let Some(call) = self.sessions.get_mut(id).and_then(|session| session.calls.get_mut(name)) {
            call.stage = stage;
        }
    }

    fn event(&self, id: &str, native: &str, kind: Kind) -> HookEvent {
        acp::event(&self.of(id), native, kind)
    }

    fn event_of_call(
        &self,
        id: &str,
        name: &str,
        native: &str,
        kind: impl FnOnce(ToolCall) -> Kind,
    ) -> Option<HookEvent> {
        let told = self.told(id, name)?;
        Some(told.event(&self.of(id), native, kind(told.call(self.client, name))))
    }

    fn of<'d>(&'d self, id: &'d str) -> Of<'d> {
        let cwd = self.sessions.get(id).and_then(|session| session.cwd.as_deref());
        Of { named: &self.named, session: id, cwd: cwd.or(Some(self.context.cwd())) }
    }

    fn decide(&self, event: &HookEvent) -> Decision {
        store::hurry(Instant::now() + watch::LOOKING, watch::LONGEST_FILE);
        let world = World {
            watch: self.watch.clone(),
            project_dir: event.cwd.as_deref().and_then(|cwd| Path::canonicalize(cwd).ok()),
            unattended: self.setting.unattended,
            program: std::env::current_exe().ok(),
            ..World::default()
        };
        router::decide(&self.context, &world, event)
    }

    /// What the decision says besides yes and no.
    fn tell(&mut self, id: &str, decision: &Decision) {
        for warning in &decision.warnings {
            self.say(id, warning);
        }
        if let Some(suggestion) = &decision.suggestion {
            self.say(id, suggestion.as_str());
        }
        let facts = decision.context.iter().map(|fact| fact.as_str().to_owned());
        self.sessions.entry(id.to_owned()).or_default().to_model.extend(facts);
    }

    fn say(&self, id: &str, text: &str) {
        let text = if text.starts_with("vib") { text.to_owned() } else { format!("vib: {text}") };
        self.editor.send(&answers::words(id, &text));
    }
}

/// The name in the history: the client's own where it is one that vib knows.
fn name_of(client: Option<Client>, told: &str) -> String {
    match client {
        Some(client) => client.name().to_owned(),
        None => {
            let name = told.rsplit(['/', '\\']).next().unwrap_or(told);
            let plain: String = name
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
                .take(40)
                .collect();
            if plain.is_empty() { Client::Acp.name().to_owned() } else { plain.to_lowercase() }
        }
    }
}
