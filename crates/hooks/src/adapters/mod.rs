//! One adapter per client: its payloads in, its answers out. What denies in one client is ignored in another, so no two
//! of them share a writer unless the clients were seen to understand the same thing.

pub mod acp;
mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod deeds;
mod doors;
mod foreign;
mod gemini;
mod opencode;
mod prompts;
mod repeats;
mod spelling;
mod tools;
mod two_spellings;

pub(crate) use repeats::looked_at;
pub(crate) use tools::takes_away;

use redact::Clean;
use serde_json::Value;

use crate::Client;
use crate::decision::{Decision, Reply, Verdict};
use crate::event::{Doubt, HookEvent, Kind, ToolCall};
use crate::payload::{self, any_text, text};
use crate::reading;

/// Reads a payload. `event` is the name from the command line, for clients that do not put it into the payload. Whatever comes, an event
/// comes out: what cannot be read for certain carries its doubt. (S1)
pub fn parse(client: Client, event: Option<&str>, input: &[u8]) -> HookEvent {
    let (payload, mut doubt) = reading::read(input);
    if !payload.is_object() {
        doubt.get_or_insert(Doubt::Shape);
    }
    let named = text(&payload, "hook_event_name").or_else(|| text(&payload, "hookName"));
    // The command line was written by us for this event; the payload may use another spelling of it.
    let two_events = event.is_none() && says_two_events(&payload, input, doubt);
    if two_events {
        doubt.get_or_insert(Doubt::SaidTwice);
    }
    // What says that it is over and that it is about to happen is about to happen.
    let named = if two_events { Some(before_tool(client).to_owned()) } else { named };
    let native = event.map(str::to_owned).or(named).unwrap_or_else(|| {
        doubt.get_or_insert(Doubt::Shape);
        guessed(client, input)
    });
    let native = spelling::usual(client, native);
    let mut event = match client {
        Client::ClaudeCode => claude_code::parse(&payload, &native),
        Client::Codex => codex::parse(&payload, &native),
        Client::Gemini => gemini::parse(&payload, &native),
        Client::OpenCode => opencode::parse(&payload, &native),
        Client::Copilot => copilot::parse(&payload, &native),
        Client::Cursor => cursor::parse(&payload, &native),
        // It comes through the proxy, which makes its events itself.
        Client::Acp => payload::event(Client::Acp, &payload, &native, Kind::Other),
    };
    event.make_paths_absolute();
    let (arguments, inside) = payload::arguments(&payload);
    event.doubt = doubt.or(inside).or_else(|| {
        let call = event.call_to_decide()?;
        let two = two_spellings::says_two_things(client, &call.tool, &payload, &arguments);
        let is_nameless = call.tool.is_empty();
        two.then_some(Doubt::SaidTwice).or_else(|| is_nameless.then_some(Doubt::Shape))
    });
    repeats::complete(&mut event, &payload);
    event
}

/// Whether a payload about a tool names its event twice, and differently.
fn says_two_events(payload: &Value, input: &[u8], doubt: Option<Doubt>) -> bool {
    let is_about_tool =
        ["tool_name", "toolName", "tool_input"].iter().any(|name| payload.get(name).is_some());
    let spelled = [text(payload, "hook_event_name"), text(payload, "hookName")];
    let two_spellings = matches!(&spelled, [Some(one), Some(other)] if one != other);
    let twice = || doubt == Some(Doubt::SaidTwice) && reading::times(input, "hook_event_name") > 1;
    is_about_tool && (two_spellings || twice())
}

/// The event of a payload that does not say it in the right place. What may be a step that is about to happen is taken for one: a
/// question too many is better than a step that nobody looked at.
fn guessed(client: Client, input: &[u8]) -> String {
    let seen = ["hook_event_name", "hookName", "hookEventName"]
        .iter()
        .find_map(|name| reading::glimpse(input, name));
    let mentions = |names: &[&str]| names.iter().any(|name| reading::mentions(input, name));
    let is_over =
        mentions(&["tool_response", "toolResult", "tool_result", "tool_output", "stop_hook_active"]);
    let is_a_step = mentions(&["tool_name", "toolName", "tool_input", "toolArgs"]);
    let is_something_else = mentions(&["prompt", "source", "reason", "trigger", "last_assistant_message"]);
    seen.unwrap_or_else(|| {
        if is_over || (is_something_else && !is_a_step) {
            String::new()
        } else {
            before_tool(client).to_owned()
        }
    })
}

/// What a client calls the moment before a tool runs.
pub fn before_tool(client: Client) -> &'static str {
    match client {
        Client::ClaudeCode | Client::Codex => "PreToolUse",
        Client::Gemini => "BeforeTool",
        Client::OpenCode => "tool.execute.before",
        Client::Copilot | Client::Cursor => "preToolUse",
        Client::Acp => acp::BEFORE,
    }
}

/// The tool call of a payload.
fn tool(client: Client, payload: &Value) -> ToolCall {
    let name = any_text(payload, &["tool_name", "toolName"]);
    let id = any_text(payload, &["tool_use_id", "toolCallId"]);
    tools::call(client, name, id, &payload::arguments(payload).0)
}

/// True if vib knows what this tool of this client does. (S2)
pub fn knows(client: Client, tool: &str) -> bool {
    tools::known(client, tool).is_some()
}

/// Writes the answer that this client understands.
pub fn reply(event: &HookEvent, decision: &Decision) -> Reply {
    let passed_on = without_a_place_for_suggestions(event.client).then(|| pass_on(decision)).flatten();
    let decision = passed_on.as_ref().unwrap_or(decision);
    let answer = match event.client {
        Client::ClaudeCode => claude_code::answer(event, decision),
        Client::Codex => codex::answer(event, decision),
        Client::Gemini => gemini::answer(event, decision),
        Client::OpenCode => opencode::answer(event, decision),
        Client::Copilot => copilot::answer(event, decision),
        Client::Cursor => cursor::answer(event, decision),
        // The proxy takes the decision itself.
        Client::Acp => None,
    };
    let mut stderr = String::new();
    for warning in &decision.warnings {
        stderr.push_str("vib: ");
        stderr.push_str(warning);
        stderr.push('\n');
    }
    Reply { stdout: answer.map(|value| value.to_string()).unwrap_or_default(), stderr }
}

/// Clients that show the person nothing of ours: there only the model can pass a suggestion on.
fn without_a_place_for_suggestions(client: Client) -> bool {
    !matches!(client, Client::ClaudeCode | Client::Gemini)
}

fn pass_on(decision: &Decision) -> Option<Decision> {
    let suggestion = decision.suggestion.clone()?;
    let mut decision = decision.clone();
    decision.context.push(suggestion);
    Some(decision)
}

/// What the client shows to the person.
fn message(decision: &Decision) -> Option<String> {
    let warnings = decision.warnings.iter().map(String::as_str);
    let all: Vec<&str> = warnings.chain(decision.suggestion.as_ref().map(Clean::as_str)).collect();
    (!all.is_empty()).then(|| format!("vib: {}", all.join("; ")))
}

/// The facts for the model, as one text; warnings too where there is no other way to make them visible.
fn context_text(decision: &Decision, with_warnings: bool) -> Option<String> {
    let facts = decision.context.iter().map(|clean| clean.as_str().to_owned());
    let warnings = decision.warnings.iter().filter(|_| with_warnings);
    let all: Vec<String> =
        facts.chain(warnings.map(|warning| format!("vib could not do its part: {warning}"))).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// The reason of a refusal; `None` where there is no objection.
fn objection(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Pass | Verdict::Approve(_) => None,
        Verdict::Ask(reason) | Verdict::Deny(reason) | Verdict::Hold(reason) => Some(reason),
    }
}
