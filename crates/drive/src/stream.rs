//! The driver over a client's mode without a screen: one process per prompt, one line of JSON per thing that happens. It cannot be asked
//! anything, so nothing is refused on the way; what it does is saved before and after, and its hooks, where they are installed, do the rest.

use std::io::BufReader;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use clients::Client;
use engine::report::usage::Tokens;
use hooks::adapters::acp::{self as adapter, Of};
use hooks::event::Kind;
use hooks::router::{self, World};
use project::Context;
use serde_json::Value;

use crate::agent::{GRACE, Running, Start};
use crate::desk::Setting;
use crate::executor::{Event, Executor, NotStarted, Usage, Why};
use crate::hold::{NOT_STARTED, TOO_MANY};
use crate::wire::{self, Line};

/// A client without a screen.
pub struct StreamSession {
    context: Context,
    setting: Setting,
    start: Start,
    client: Client,
    running: Option<(Running, Receiver<Value>)>,
    waiting: Vec<Event>,
    session: Option<String>,
    /// The session under which vib keeps its own look before and after.
    own: String,
    used: Usage,
    code: u8,
}

impl StreamSession {
    /// Nothing is started before the first prompt.
    pub fn new(
        context: &Context,
        setting: Setting,
        start: Start,
        client: Client,
    ) -> Result<Self, NotStarted> {
        let failed = |error: std::io::Error| NotStarted::Failed(error.to_string());
        Ok(Self {
            context: context.beside(&start.folder).map_err(failed)?,
            setting,
            own: format!("drive-{:016x}", context.random_u64()),
            start,
            client,
            running: None,
            waiting: Vec::new(),
            session: None,
            used: Usage::default(),
            code: 0,
        })
    }

    fn look(&self, kind: Kind) -> Option<String> {
        let named = self.setting.named.as_deref().unwrap_or(self.client.name());
        let of = Of { named, session: &self.own, cwd: Some(self.context.cwd()) };
        let world = World {
            project_dir: self.context.cwd().canonicalize().ok(),
            unattended: true,
            program: std::env::current_exe().ok(),
            ..World::default()
        };
        let decision = router::decide(&self.context, &world, &adapter::event(&of, "stream", kind));
        (!decision.warnings.is_empty()).then(|| decision.warnings.join("; "))
    }

    fn over(&mut self) -> Event {
        if let Some((mut running, _)) = self.running.take() {
            self.code = running.finish(GRACE).0;
            drop(running);
            if let Some(words) = self.look(Kind::Stop { message: None }) {
                self.waiting.push(Event::Notice(words));
            }
        }
        Event::Ended(match self.code {
            0 => Why::Done,
            TOO_MANY => Why::Forks,
            code => Why::Crashed { code },
        })
    }

    fn hear(&mut self, line: &Value) {
        if let Some(session) = ["session_id", "thread_id", "sessionID", "sessionId"]
            .iter()
            .find_map(|name| line.get(name)?.as_str())
        {
            self.session.get_or_insert_with(|| session.to_owned());
        }
        if let Some(usage) = usage_of(line) {
            let mut all = self.used.tokens.unwrap_or_default();
            all.add(usage);
            self.used.tokens = Some(all);
        }
        if let Some(cost) =
            ["/total_cost_usd", "/part/cost"].iter().find_map(|place| line.pointer(place)?.as_f64())
        {
            self.used.dollars = Some(self.used.dollars.unwrap_or(0.0) + cost);
            self.waiting.push(Event::Usage(self.used));
        }
        self.waiting.extend(events(line));
    }
}

impl Executor for StreamSession {
    fn prompt(&mut self, text: &str) {
        if let Some(words) = self.look(Kind::Prompt { text: text.to_owned() }) {
            self.waiting.push(Event::Notice(words));
        }
        let mut start = self.start.clone();
        start.becoming.command.push(text.into());
        let Ok((running, to, from)) = start.start() else {
            self.code = NOT_STARTED;
            return;
        };
        // Nobody types anything: some clients wait for the end of what they read.
        drop(to);
        let (heard, lines) = mpsc::channel();
        let read = move || {
            let mut from = BufReader::new(from);
            while let Ok(Line::Whole(line)) = wire::next(&mut from) {
                if heard.send(adapter::read(&line).0).is_err() {
                    return;
                }
            }
        };
        if std::thread::Builder::new().spawn(read).is_ok() {
            self.running = Some((running, lines));
        }
    }

    fn next(&mut self, wait: Duration) -> Option<Event> {
        if !self.waiting.is_empty() {
            return Some(self.waiting.remove(0));
        }
        let Some((_, lines)) = &self.running else { return Some(self.over()) };
        match lines.recv_timeout(wait) {
            Ok(line) => {
                self.hear(&line);
                (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
            }
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let over = self.over();
                self.waiting.push(over);
                Some(self.waiting.remove(0))
            }
        }
    }

    fn cancel(&mut self) {
        if let Some((mut running, _)) = self.running.take() {
            self.code = running.finish(Duration::ZERO).0;
            drop(running);
            let _ = self.look(Kind::Stop { message: None });
        }
    }

    fn end(&mut self) -> u8 {
        if self.running.is_some() {
            self.cancel();
        }
        self.code
    }

    fn used(&self) -> Usage {
        self.used
    }

    fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }
}

/// What a line says that was used: at the end of the whole (Claude Code, Codex, Gemini) or of a step (OpenCode).
fn usage_of(line: &Value) -> Option<Tokens> {
    let kind = line.get("type")?.as_str()?;
    let number = |value: &Value, name: &str| value.get(name).and_then(Value::as_u64).unwrap_or(0);
    match kind {
        "result" => {
            let usage = line.get("usage").or_else(|| line.get("stats"))?;
            let (input, read) = (
                number(usage, "input_tokens"),
                number(usage, "cache_read_input_tokens") + number(usage, "cached"),
            );
            let write = number(usage, "cache_creation_input_tokens");
            // Gemini's input has what was cached in it.
            let input = if line.get("stats").is_some() { input.saturating_sub(read) } else { input };
            Some(Tokens {
                input,
                cache_read: read,
                cache_write: write,
                output: number(usage, "output_tokens"),
            })
        }
        "turn.completed" => {
            let usage = line.get("usage")?;
            let read = number(usage, "cached_input_tokens");
            let input = number(usage, "input_tokens").saturating_sub(read);
            Some(Tokens { input, cache_read: read, cache_write: 0, output: number(usage, "output_tokens") })
        }
        "step_finish" => {
            let tokens = line.pointer("/part/tokens")?;
            let cache = tokens.get("cache").cloned().unwrap_or_default();
            Some(Tokens {
                input: number(tokens, "input"),
                cache_read: number(&cache, "read"),
                cache_write: number(&cache, "write"),
                output: number(tokens, "output") + number(tokens, "reasoning"),
            })
        }
        _ => None,
    }
}

/// What happens, in the words of whichever client.
fn events(line: &Value) -> Vec<Event> {
    let text = |place: &str| line.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let call = |title: String, status: &str| Event::ToolCall { title, status: status.to_owned() };
    match line.get("type").and_then(Value::as_str).unwrap_or_default() {
        // Claude Code.
        "assistant" => {
            let parts = line.pointer("/message/content").and_then(Value::as_array);
            let of = |part: &Value| match part.get("type").and_then(Value::as_str)? {
                "text" => Some(Event::Text(part.get("text")?.as_str()?.to_owned())),
                "tool_use" => Some(call(part.get("name")?.as_str()?.to_owned(), "completed")),
                _ => None,
            };
            parts.into_iter().flatten().filter_map(of).collect()
        }
        // Codex.
        "item.completed" => match text("/item/type").unwrap_or_default().as_str() {
            "agent_message" => text("/item/text").map(Event::Text).into_iter().collect(),
            "reasoning" | "" => Vec::new(),
            kind => vec![call(text("/item/command").unwrap_or_else(|| kind.to_owned()), "completed")],
        },
        // Gemini.
        "message" if text("/role").as_deref() == Some("assistant") => {
            text("/content").map(Event::Text).into_iter().collect()
        }
        "tool_use" if line.get("part").is_none() => {
            text("/tool_name").map(|name| call(name, "completed")).into_iter().collect()
        }
        // OpenCode.
        "text" => text("/part/text").map(Event::Text).into_iter().collect(),
        "tool_use" => text("/part/tool").map(|name| call(name, "completed")).into_iter().collect(),
        // Copilot.
        "assistant.message" => {
            text("/data/content").filter(|said| !said.is_empty()).map(Event::Text).into_iter().collect()
        }
        "tool.execution_complete" => vec![call(text("/data/toolName").unwrap_or_default(), "completed")],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_client_tells_what_it_used_in_its_own_way() {
        for (line, prompt, output) in [
            (
                json!({"type": "result", "usage": {"input_tokens": 580, "cache_read_input_tokens": 60, "output_tokens": 70}}),
                640,
                70,
            ),
            (
                json!({"type": "result", "stats": {"input_tokens": 605, "cached": 45, "output_tokens": 65}}),
                605,
                65,
            ),
            (
                json!({"type": "turn.completed", "usage": {"input_tokens": 605, "cached_input_tokens": 45, "output_tokens": 65}}),
                605,
                65,
            ),
            (
                json!({"type": "step_finish", "part": {"tokens": {"input": 100, "output": 10, "reasoning": 2, "cache": {"read": 5, "write": 0}}}}),
                105,
                12,
            ),
        ] {
            let used = usage_of(&line).unwrap_or_default();
            assert_eq!((used.prompt(), used.output), (prompt, output), "{line}");
        }
        assert_eq!(usage_of(&json!({"type": "message"})), None);
    }

    #[test]
    fn words_and_calls_are_told_apart() {
        let said = |line: Value| events(&line);
        assert_eq!(
            said(json!({"type": "text", "part": {"text": "Hello."}})),
            [Event::Text("Hello.".to_owned())]
        );
        let call =
            said(json!({"type": "item.completed", "item": {"type": "command_execution", "command": "ls"}}));
        assert_eq!(call, [Event::ToolCall { title: "ls".to_owned(), status: "completed".to_owned() }]);
        assert_eq!(said(json!("rubbish")), []);
    }
}
