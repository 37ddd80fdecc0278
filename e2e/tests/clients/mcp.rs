//! vib's MCP server as the real clients use it: `vib init` makes it known, the model calls its tools, a person decides.

use serde_json::{Value, json};
use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Turn, on_a_terminal};

const FILES: &[(&str, &str)] = &[
    ("README.md", "# A shop\n\nSells tea.\n"),
    ("src/prices.txt", "green 4\nblack 3\nwhite 7\n"),
    ("src/stock.txt", "green 10\nblack 20\nwhite 5\n"),
];

/// All that the model of this turn was told at the end.
fn told(turn: &Turn) -> String {
    turn.agent_requests()
        .last()
        .map(Request::text)
        .unwrap_or_default()
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}

/// The text between two marks, the last time they occur.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    // With or without a space after the colon: some clients write the structured answer, some the text.
    let rest = text.rsplit_once(before).or_else(|| text.rsplit_once(&*before.replacen(':', ": ", 1)))?.1;
    Some(rest.split_once(after)?.0)
}

/// What vib may cost in every request.
const MOST_TOKENS: usize = 900;

/// About how many tokens of a request vib's tools take, at four bytes each: every tool of ours as the client puts it into the request.
fn offered(turn: &Turn) -> usize {
    fn ours(value: &Value) -> usize {
        let name = value["name"].as_str().or_else(|| value["function"]["name"].as_str()).unwrap_or_default();
        match value {
            Value::Object(_) if name.contains("vib") && !name.contains("vibelign") => value.to_string().len(),
            Value::Object(fields) => fields.values().map(ours).sum(),
            Value::Array(items) => items.iter().map(ours).sum(),
            _ => 0,
        }
    }
    let bodies = turn.agent_requests().map(|request| &request.body["tools"]);
    bodies.map(ours).max().unwrap_or_default() / 4
}

/// The model reads the memory and previews a recovery; applying it is not even offered, and the preview names the command for a
/// person; with grant and yes exactly the previewed file is restored.
fn story(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let good = run.sandbox.checkpoint("good");
    run.sandbox.vib(&["memory", "intent", "Sell", "oolong", "too"]).ok();
    run.sandbox.write("src/prices.txt", "broken\n");
    run.sandbox.write("src/stock.txt", "green 11\nblack 20\nwhite 5\n");
    let preview = json!({"checkpoint_id": good, "paths": ["src/prices.txt"]});
    let apply = json!({"checkpoint_id": good, "paths": ["src/prices.txt"], "apply": true});
    let turn = run
        .prompt(
            "The prices are broken.",
            [
                Step::mcp("memory_summary_read", &json!({})),
                Step::mcp("recovery_preview", &preview),
                Step::say("A person has to allow it."),
            ],
        )
        .done();
    let text = told(&turn);
    assert!(text.contains("Sell oolong too"), "the memory came back: {text}");
    assert!(
        text.contains("\"status\": \"modified\"") || text.contains("\"status\":\"modified\""),
        "the preview came back: {text}"
    );
    println!("{}: vib takes {} tokens of a request", client.name(), offered(&turn));
    assert!(offered(&turn) <= MOST_TOKENS, "vib's tools take {} tokens of every request", offered(&turn));
    let command =
        between(&text, "\"command\":\"vib mcp grant ", "\"").unwrap_or_else(|| panic!("no command: {text}"));
    let name = command.strip_suffix(" recovery_apply").expect("what it needs").trim_matches('"').to_owned();

    // The person does what the denial says, and is asked.
    let seen = on_a_terminal(&run.sandbox, &["mcp", "grant", &name, "recovery_apply"], "y\n");
    assert!(seen.contains("put files back to an earlier state"), "{seen}");

    let turn = run
        .prompt(
            "You may.",
            [Step::mcp("recovery_apply", &apply), Step::say("Please approve it in a terminal.")],
        )
        .done();
    let text = told(&turn);
    assert_eq!(run.sandbox.read("src/prices.txt"), "broken\n", "a grant alone restores nothing");
    let operation = between(&text, "\"command\":\"vib approve ", "\"")
        .unwrap_or_else(|| panic!("no operation: {text}"))
        .to_owned();
    let seen = on_a_terminal(&run.sandbox, &["approve", &operation], "y\n");
    assert!(seen.contains("src/prices.txt"), "the person sees what would be restored: {seen}");

    let mut again: Value = apply;
    again["operation_id"] = json!(operation);
    let turn = run.prompt("Approved.", [Step::mcp("recovery_apply", &again), Step::say("Done.")]).done();
    let text = told(&turn);
    assert_eq!(run.sandbox.read("src/prices.txt"), "green 4\nblack 3\nwhite 7\n", "{text}");
    assert_eq!(run.sandbox.read("src/stock.txt"), "green 11\nblack 20\nwhite 5\n", "and nothing else");
    assert!(between(&text, "\"confirmed_via\":\"", "\"") == Some("terminal"), "{text}");

    let rows = run.sandbox.data(&["audit", "show"]);
    let mine = format!("mcp:{name}");
    let rows: Vec<&Value> =
        rows["rows"].as_array().expect("rows").iter().filter(|row| row["tool"] == mine).collect();
    let last = rows
        .iter()
        .rev()
        .find(|row| row["event"] == "recovery_apply")
        .expect("the restore is in the audit log");
    assert_eq!(
        (last["result"].as_str(), last["confirmed_via"].as_str()),
        (Some("success"), Some("terminal")),
        "{last}"
    );
    assert!(last["capability_grant_id"].is_string() && last["sandwich_checkpoint_id"].is_string(), "{last}");
}

#[test]
fn claude_code() {
    story(Client::ClaudeCode);
}

#[test]
fn codex() {
    story(Client::Codex);
}

#[test]
fn gemini() {
    story(Client::Gemini);
}

#[test]
fn opencode() {
    story(Client::OpenCode);
}

#[test]
fn copilot() {
    story(Client::Copilot);
}
