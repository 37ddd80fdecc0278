//! The driver over ACP: it plays the editor, on the other side of the same proxy that editors use.

use std::collections::HashMap;
use std::io::{BufReader, PipeWriter};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use engine::report::usage::Tokens;
use project::Context;
use serde_json::{Value, json};

use crate::agent::Start;
use crate::answers;
use crate::desk::Setting;
use crate::executor::{Event, Executor, NotStarted, Usage, Why};
use crate::hold::{NOT_STARTED, TOO_MANY};
use crate::message::Message;
use crate::proxy::{self, Ended};
use crate::table;
use crate::wire::{self, Line, Out};

/// So long an agent may take to come up.
const COMING_UP: Duration = Duration::from_secs(120);

/// An agent behind the proxy, and a session in it.
pub struct AcpSession {
    to: Out,
    lines: Receiver<Message>,
    proxy: Option<JoinHandle<std::io::Result<Ended>>>,
    session: String,
    number: u64,
    prompt: Option<u64>,
    titles: HashMap<String, String>,
    code: Option<u8>,
    used: Usage,
}

impl AcpSession {
    /// Starts an agent and opens a session. `mode`: how much it does without asking.
    pub fn start(
        context: &Context,
        setting: Setting,
        start: Start,
        mode: Option<&str>,
    ) -> Result<Self, NotStarted> {
        let failed = |error: std::io::Error| NotStarted::Failed(error.to_string());
        let (editor_in, to): (_, PipeWriter) = std::io::pipe().map_err(failed)?;
        let (from, editor_out) = std::io::pipe().map_err(failed)?;
        let folder = start.folder.clone();
        let beside = context.beside(&folder).map_err(failed)?;
        let proxy = std::thread::Builder::new()
            .spawn(move || proxy::run(beside, setting, start, editor_in, &Out::new(editor_out)))
            .map_err(failed)?;
        let (heard, lines) = mpsc::channel();
        std::thread::Builder::new()
            .spawn(move || {
                let mut from = BufReader::new(from);
                while let Ok(Line::Whole(line)) = wire::next(&mut from) {
                    if heard.send(Message::read(&line)).is_err() {
                        return;
                    }
                }
            })
            .map_err(failed)?;
        let mut session = Self {
            to: Out::new(to),
            lines,
            proxy: Some(proxy),
            session: String::new(),
            number: 0,
            prompt: None,
            titles: HashMap::new(),
            code: None,
            used: Usage::default(),
        };
        let info = json!({"name": "vib", "version": env!("CARGO_PKG_VERSION")});
        session.ask(
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": table::capabilities(), "clientInfo": info}),
        )?;
        let new = session.ask("session/new", &json!({"cwd": folder, "mcpServers": []}))?;
        session.session = new.get("sessionId").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(mode) = mode.filter(|mode| offers(&new, mode)) {
            let _ = session.ask("session/set_mode", &json!({"sessionId": session.session, "modeId": mode}));
        }
        Ok(session)
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.number += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params});
        self.to.send(request.to_string().as_bytes());
        self.number
    }

    /// Asks and waits: only before the first prompt.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, NotStarted> {
        let id = self.send(method, params).to_string();
        let began = Instant::now();
        loop {
            let left = COMING_UP.saturating_sub(began.elapsed());
            let Ok(message) = self.lines.recv_timeout(left) else {
                let code = self.end();
                let why = match code {
                    NOT_STARTED => "its program could not be started".to_owned(),
                    _ => format!("it said nothing to `{method}` (exit code {code})"),
                };
                return Err(NotStarted::Failed(why));
            };
            if message.id().as_deref() != Some(&id) || message.method().is_some() {
                continue;
            }
            let Some(error) = message.value.get("error") else {
                return Ok(message.value.get("result").cloned().unwrap_or_default());
            };
            let said = error.get("message").and_then(Value::as_str).unwrap_or("no reason given").to_owned();
            let is_login = error.get("code").and_then(Value::as_i64) == Some(-32_000)
                || said.to_lowercase().contains("auth");
            self.end();
            return Err(if is_login { NotStarted::NotLoggedIn(said) } else { NotStarted::Failed(said) });
        }
    }

    fn event(&mut self, message: &Message) -> Option<Event> {
        match message.method() {
            Some("session/update") => self.update(message.param("/update")?),
            Some("session/request_permission") => Some(self.permission(message)),
            Some(_) if message.is_request() => {
                let id = message.value.get("id").cloned().unwrap_or_default();
                self.to.send(&answers::error(&id, -32_601, "vib offers no such thing"));
                None
            }
            Some(_) => None,
            None => {
                let is_it =
                    message.value.get("id").and_then(Value::as_u64) == self.prompt && self.prompt.is_some();
                is_it.then(|| self.over(message))
            }
        }
    }

    fn update(&mut self, update: &Value) -> Option<Event> {
        let text = || update.pointer("/content/text").and_then(Value::as_str).unwrap_or_default().to_owned();
        match update.get("sessionUpdate")?.as_str()? {
            "agent_message_chunk" if update.pointer("/_meta/vib/refused").is_some() => {
                let at = |place: &str| update.pointer(place).and_then(Value::as_str).map(str::to_owned);
                let (title, reason) = (at("/_meta/vib/refused/what"), at("/_meta/vib/refused/reason"));
                Some(Event::Permission { title: title.unwrap_or_default(), allowed: false, reason })
            }
            "agent_message_chunk" if update.pointer("/_meta/vib").is_some() => {
                Some(Event::Notice(text().trim().to_owned()))
            }
            "agent_message_chunk" => Some(Event::Text(text())),
            "tool_call" | "tool_call_update" => {
                let id = update.get("toolCallId")?.as_str()?.to_owned();
                if let Some(title) = update.get("title").and_then(Value::as_str) {
                    self.titles.insert(id.clone(), title.to_owned());
                }
                let status = update.get("status")?.as_str()?.to_owned();
                let title = self.titles.get(&id).cloned().unwrap_or_default();
                Some(Event::ToolCall { title, status })
            }
            "usage_update" => {
                let dollars =
                    update.pointer("/cost/amount").and_then(Value::as_f64).filter(|cost| *cost > 0.0);
                self.used.dollars = dollars.or(self.used.dollars);
                dollars.map(|_| Event::Usage(self.used))
            }
            _ => None,
        }
    }

    /// What passed vib is allowed; what a person would have to decide is not, for there is none.
    fn permission(&mut self, message: &Message) -> Event {
        let title = message.text("/toolCall/title").unwrap_or_default().to_owned();
        let reason = message.text("/_meta/vib/asks").map(str::to_owned);
        let yes = answers::yes(message).filter(|_| reason.is_none());
        let allowed = yes.is_some();
        self.to.send(&yes.unwrap_or_else(|| answers::no(message)));
        Event::Permission { title, allowed, reason }
    }

    fn over(&mut self, message: &Message) -> Event {
        self.prompt = None;
        let result = message.value.get("result");
        if let Some(error) = message.value.get("error") {
            let said = error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            let is_dead = said.starts_with("the agent ended (exit code ");
            return Event::Ended(if is_dead { self.died() } else { Why::Refused { said } });
        }
        if let Some(tokens) = result.and_then(usage_of) {
            let mut all = self.used.tokens.unwrap_or_default();
            all.add(tokens);
            self.used.tokens = Some(all);
        }
        let said = result.and_then(|result| result.get("stopReason")?.as_str()).unwrap_or("end_turn");
        Event::Ended(match said {
            "end_turn" => Why::Done,
            "cancelled" => Why::Cancelled,
            other => Why::Refused { said: other.to_owned() },
        })
    }

    fn died(&mut self) -> Why {
        match self.end() {
            TOO_MANY => Why::Forks,
            code => Why::Crashed { code },
        }
    }
}

impl Executor for AcpSession {
    fn prompt(&mut self, text: &str) {
        let params = json!({"sessionId": self.session, "prompt": [{"type": "text", "text": text}]});
        self.prompt = Some(self.send("session/prompt", &params));
    }

    fn next(&mut self, wait: Duration) -> Option<Event> {
        let began = Instant::now();
        loop {
            match self.lines.recv_timeout(wait.saturating_sub(began.elapsed())) {
                Ok(message) => {
                    if let Some(event) = self.event(&message) {
                        return Some(event);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => return None,
                // The proxy is gone, and so is the agent.
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.prompt = None;
                    return Some(Event::Ended(self.died()));
                }
            }
        }
    }

    fn cancel(&mut self) {
        let notice =
            json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": self.session}});
        self.to.send(notice.to_string().as_bytes());
    }

    fn end(&mut self) -> u8 {
        self.to.close();
        if let Some(proxy) = self.proxy.take() {
            let code = proxy.join().ok().and_then(Result::ok).map_or(NOT_STARTED, |ended| ended.code);
            self.code = Some(code);
        }
        self.code.unwrap_or(NOT_STARTED)
    }

    fn used(&self) -> Usage {
        self.used
    }

    fn session(&self) -> Option<&str> {
        Some(self.session.as_str()).filter(|session| !session.is_empty())
    }
}

impl Drop for AcpSession {
    fn drop(&mut self) {
        self.end();
    }
}

/// The session offers this mode.
fn offers(new: &Value, mode: &str) -> bool {
    let modes = new.pointer("/modes/availableModes").and_then(Value::as_array);
    modes.into_iter().flatten().any(|one| one.get("id").and_then(Value::as_str) == Some(mode))
}

/// What the answer to a prompt says that it cost. The input counts what came from a cache in some agents and not in others: their own sum
/// tells which.
fn usage_of(result: &Value) -> Option<Tokens> {
    let usage = result.get("usage")?;
    let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let (input, output) = (number("inputTokens"), number("outputTokens"));
    let (read, write) = (number("cachedReadTokens"), number("cachedWriteTokens"));
    let is_whole = (read > 0 || write > 0) && input + output == number("totalTokens");
    let input = if is_whole { input.saturating_sub(read + write) } else { input };
    Some(Tokens { input, cache_read: read, cache_write: write, output })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cached_counts_once() {
        // As Claude's adapter and Codex's tell it, and as Copilot does.
        let apart = json!({"usage": {"inputTokens": 580, "outputTokens": 70, "cachedReadTokens": 60, "totalTokens": 710}});
        let within = json!({"usage": {"inputTokens": 605, "outputTokens": 65, "cachedReadTokens": 45, "totalTokens": 670}});
        assert_eq!(usage_of(&apart).map(|tokens| (tokens.prompt(), tokens.output)), Some((640, 70)));
        assert_eq!(usage_of(&within).map(|tokens| (tokens.prompt(), tokens.output)), Some((605, 65)));
        assert_eq!(usage_of(&json!({"stopReason": "end_turn"})), None);
    }
}
