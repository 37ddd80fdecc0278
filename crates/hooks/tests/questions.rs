//! Questions that agents ask: an answer that the person gave before is offered; never for what only they answer. (MM12)

use crate::world::World;
use engine::memory;
use serde_json::{Value, json};
use vib_hooks::Client;

fn question(text: &str, options: &[&str]) -> Value {
    let options: Vec<Value> =
        options.iter().map(|label| json!({"label": label, "description": ""})).collect();
    json!({"questions": [{"question": text, "header": "h", "options": options, "multiSelect": false}]})
}

fn asks(world: &World, text: &str, options: &[&str]) -> Value {
    world.claude(
        "PreToolUse",
        json!({"tool_name": "AskUserQuestion", "tool_use_id": "q", "tool_input": question(text, options)}),
    )
}

fn chooses(world: &World, text: &str, options: &[&str], chosen: &str) {
    let input = question(text, options);
    let response = json!({"questions": input["questions"], "answers": {text: chosen}});
    world.claude(
        "PostToolUse",
        json!({"tool_name": "AskUserQuestion", "tool_use_id": "q", "tool_input": input, "tool_response": response}),
    );
}

const QUESTION: &str = "Which port should the staging server use?";

#[test]
fn what_was_chosen_once_is_told_the_next_time_with_its_day_mm12() {
    let world = World::new();
    assert_eq!(asks(&world, QUESTION, &["8080", "9090"]), Value::Null);
    chooses(&world, QUESTION, &["8080", "9090"], "9090");
    let told = asks(&world, QUESTION, &["8080", "9090"]).to_string();
    assert!(
        told.contains("9090") && told.contains("The person answered") && !told.contains("\"deny\""),
        "{told}"
    );
    // An answer that cannot be chosen any more is none.
    assert_eq!(asks(&world, QUESTION, &["7070", "6060"]), Value::Null);
    let known = memory::ask(&world.engine(), QUESTION).unwrap().answer.unwrap();
    assert_eq!((known.text.as_str(), known.updated_by.as_str()), ("9090", "claude-code"));
    assert!(known.expires.is_some(), "it counts for a while");
}

#[test]
fn in_answer_mode_vib_answers_and_the_person_sees_it_mm12() {
    let world = World::new();
    let config = world.root.parent().unwrap().join("config");
    std::fs::create_dir_all(&config).unwrap();
    chooses(&world, QUESTION, &[], "9090");
    // A project may only be stricter than the person: this does nothing.
    world.write(".vibelign/config.toml", "[qa]\nmode = \"answer\"\n");
    assert!(!asks(&world, QUESTION, &[]).to_string().contains("\"deny\""));
    world.write(".vibelign/config.toml", "[qa]\nmode = \"off\"\n");
    assert_eq!(asks(&world, QUESTION, &[]), Value::Null);
}

#[test]
fn permissions_deletions_and_keys_are_asked_every_time_mm12() {
    let world = World::new();
    for text in [
        "May I delete the old migrations?",
        "Which API token should I use?",
        "Should I deploy to production now?",
    ] {
        chooses(&world, text, &["yes", "no"], "yes");
        assert_eq!(asks(&world, text, &["yes", "no"]), Value::Null, "{text}");
        assert!(!memory::ask(&world.engine(), text).unwrap().known, "{text}");
    }
}

/// A question and its answer in each client's words: the call as it was recorded for another tool, with the name, the arguments and the answer that this
/// tool has in the client (Claude Code's `AskUserQuestion`, Codex's `request_user_input`, Gemini's and Copilot's `ask_user`, OpenCode's `question`).
fn in_the_words_of(
    world: &World,
    client: Client,
    text: &str,
    options: &[&str],
    answer: Option<&str>,
) -> Value {
    let labels: Vec<Value> = options.iter().map(|label| json!({"label": label, "description": ""})).collect();
    let sentence = |answer: &str| {
        format!(
            "User has answered your questions: \"{text}\"=\"{answer}\". You can now continue with the user's answers in mind."
        )
    };
    let (recorded, event, tool, input, told) = match client {
        Client::Codex => (
            ["codex/PreToolUse/Bash", "codex/PostToolUse/Bash"],
            ["PreToolUse", "PostToolUse"],
            "request_user_input",
            json!({"questions": [{"id": "port", "header": "Port", "question": text, "options": labels}]}),
            answer.map(|answer| json!(json!({"answers": {"port": {"answers": [answer]}}}).to_string())),
        ),
        Client::Gemini => (
            ["gemini/BeforeTool/read_file", "gemini/AfterTool/read_file"],
            ["BeforeTool", "AfterTool"],
            "ask_user",
            json!({"questions": [{"question": text, "header": "Port", "type": "choice", "options": labels, "multiSelect": false}]}),
            answer.map(|answer| json!({"llmContent": json!({"answers": {"0": answer}}).to_string(), "returnDisplay": "**User answered:**"})),
        ),
        Client::Copilot => (
            ["copilot/preToolUse/view", "copilot/postToolUse/view"],
            ["preToolUse", "postToolUse"],
            "ask_user",
            json!({"question": text, "choices": options, "allow_freeform": true}),
            answer.map(|answer| json!({"resultType": "success", "textResultForLlm": format!("User selected: {answer}")})),
        ),
        Client::OpenCode => (
            ["opencode/tool.execute.before/read", "opencode/tool.execute.after/task"],
            ["tool.execute.before", "tool.execute.after"],
            "question",
            json!({"questions": [{"question": text, "header": "Port", "options": labels, "multiple": false}]}),
            answer.map(|answer| json!(sentence(answer))),
        ),
        _ => (
            ["claude/PreToolUse/Read", "claude/PostToolUse/Read"],
            ["PreToolUse", "PostToolUse"],
            "AskUserQuestion",
            question(text, options),
            answer.map(|answer| json!({"questions": question(text, options)["questions"], "answers": {text: answer}})),
        ),
    };
    let at = usize::from(answer.is_some());
    let mut payload = world.recorded(recorded[at]);
    let (name_field, input_field, told_field) = match client {
        Client::Copilot => ("toolName", "toolArgs", "toolResult"),
        _ => ("tool_name", "tool_input", "tool_response"),
    };
    payload[name_field] = json!(tool);
    payload[input_field] = input;
    if client == Client::OpenCode {
        payload["input"]["tool"] = json!(tool);
        if let Some(told) = told {
            let field = if payload.get("output").is_some() { "output" } else { told_field };
            if payload[field].is_object() { payload[field]["output"] = told } else { payload[field] = told }
        }
    } else if let Some(told) = told {
        payload[told_field] = told;
    }
    let reply = world.hook_any(client, event[at], &payload);
    serde_json::from_str(&reply.stdout).unwrap_or(Value::Null)
}

#[test]
fn every_client_that_asks_is_told_what_was_answered_in_any_of_them_mm12() {
    let clients = [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::Copilot, Client::OpenCode];
    for told_by in clients {
        let world = World::new();
        let options = ["8080", "9090"];
        in_the_words_of(&world, told_by, QUESTION, &options, Some("9090"));
        let known = memory::ask(&world.engine(), QUESTION).unwrap().answer;
        assert_eq!(
            known.map(|known| known.text),
            Some("9090".to_owned()),
            "what was chosen in {told_by} is not known"
        );
        for asks in clients {
            let told = in_the_words_of(&world, asks, QUESTION, &options, None).to_string();
            // OpenCode's plugin can only refuse before a tool: there the person answers again.
            assert_eq!(
                told.contains("9090"),
                asks != Client::OpenCode,
                "{asks}, what was chosen in {told_by}: {told}"
            );
            let other = in_the_words_of(&world, asks, "Which colour has the button?", &["red", "blue"], None);
            assert_eq!(other, Value::Null, "{asks}");
        }
    }
}

#[test]
fn a_question_that_only_a_person_answers_is_left_alone_in_every_client_mm12() {
    for client in [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::Copilot, Client::OpenCode] {
        let world = World::new();
        let text = "May I delete the old migrations?";
        in_the_words_of(&world, client, text, &["yes", "no"], Some("yes"));
        assert!(!memory::ask(&world.engine(), text).unwrap().known, "{client}");
        assert_eq!(in_the_words_of(&world, client, text, &["yes", "no"], None), Value::Null, "{client}");
    }
}
