//! What clients see before they call anything: instructions, names, annotations, schemas, old names.

use serde_json::{Value, json};
use vib_mcp::Renamed;

use crate::peer::{Era, Peer};
use crate::world::World;

const NAMES: [&str; 18] = [
    "memory_summary_read",
    "memory_full_read",
    "memory_write",
    "recovery_preview",
    "recovery_apply",
    "checkpoint_create",
    "handoff_export",
    "memory_recall",
    "capture_lesson",
    "checkpoint_list",
    "checkpoint_diff",
    "rollback_to_checkpoint",
    "patch_apply",
    "guard_check",
    "explain_get",
    "project_map_get",
    "why_get",
    "edit_scope",
];

/// All tools: for somebody who wants them.
async fn tools(era: Era) -> Vec<Value> {
    let world = World::new();
    world.want_all_tools();
    let mut peer = Peer::new(world.server(), "probe", era, false).await;
    let answer = peer.request("tools/list", json!({})).await;
    answer["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_names_are_frozen_in_both_eras_mc1_mc4() {
    for era in [Era::Session, Era::Stateless] {
        let names: Vec<String> =
            tools(era).await.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names, NAMES, "{era:?}");
    }
}

#[tokio::test]
async fn every_tool_says_what_it_may_do() {
    for tool in tools(Era::Session).await {
        let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{name}: {hint}");
        }
        assert_eq!(hints["openWorldHint"], false, "{name}: nothing leaves this machine");
        let changes = ["recovery_apply", "rollback_to_checkpoint", "patch_apply"].contains(&name);
        assert_eq!(hints["destructiveHint"], changes, "{name}");
        let adds = ["memory_write", "checkpoint_create", "capture_lesson"].contains(&name);
        assert_eq!(hints["readOnlyHint"], !changes && !adds, "{name}");
        assert!(tool["description"].as_str().unwrap().len() > 60 && tool["title"].is_string(), "{name}");
    }
}

/// Every client accepts them: one type for each property, nothing referred to, lists with items, no free-form input.
fn lint(schema: &Value, place: &str) {
    let Some(object) = schema.as_object() else { return };
    for word in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "const", "nullable", "format"] {
        assert!(!object.contains_key(word), "{place}: {word}");
    }
    assert!(schema["type"].is_string(), "{place}: one type");
    if schema["type"] == "array" {
        assert!(schema["items"].is_object(), "{place}: a list has items");
        lint(&schema["items"], &format!("{place}[]"));
    }
    if schema["type"] == "object" {
        let properties = schema["properties"].as_object().unwrap_or_else(|| panic!("{place}: properties"));
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(
                properties.contains_key(name.as_str().unwrap()),
                "{place}: {name} is required and not there"
            );
        }
        for (name, property) in properties {
            lint(property, &format!("{place}.{name}"));
        }
    }
}

#[tokio::test]
async fn schemas_are_plain_enough_for_every_client() {
    for tool in tools(Era::Session).await {
        let name = tool["name"].as_str().unwrap();
        lint(&tool["inputSchema"], &format!("{name}.input"));
        lint(&tool["outputSchema"], &format!("{name}.output"));
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        for (field, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}.{field}");
        }
    }
}

#[tokio::test]
async fn the_model_is_told_what_the_server_is_for() {
    let world = World::new();
    let mut peer = Peer::new(world.server(), "probe", Era::Stateless, false).await;
    let answer = peer.request("server/discover", json!({})).await;
    let result = &answer["result"];
    assert!(result["instructions"].as_str().unwrap().contains("memory_summary_read"), "{answer}");
    assert!(result["capabilities"]["tools"].is_object(), "{answer}");
    for unused in ["roots", "sampling", "logging", "prompts", "resources"] {
        assert!(result["capabilities"][unused].is_null(), "{unused}");
    }
    let words = vib_mcp::INSTRUCTIONS;
    assert!(
        NAMES.iter().filter(|name| words.contains(*name)).count() >= 5,
        "the most important tools are named"
    );
}

#[tokio::test]
async fn an_old_name_is_accepted_for_a_release_and_says_its_successor() {
    const RENAMED: &[Renamed] =
        &[Renamed { old: "memory_read", new: "memory_summary_read", deprecated_in: "0.2.0" }];
    let world = World::new();
    let mut peer = Peer::new(world.server().with_renamed(RENAMED), "probe", Era::Session, false).await;
    let answer = peer.call("memory_read", json!({})).await;
    assert_eq!((answer["ok"].clone(), answer["deprecated_in"].clone()), (json!(true), json!("0.2.0")));
    assert_eq!(answer["successor"], "memory_summary_read");
    let answer = peer.call("memory_summary_read", json!({})).await;
    assert!(answer["deprecated_in"].is_null());
    let list = peer.request("tools/list", json!({})).await;
    assert!(!list.to_string().contains("memory_read\""), "old names are not listed");
}

#[tokio::test]
async fn every_call_leaves_one_row_with_counts_only() {
    let world = World::new();
    world.checkpoint();
    let mut peer = Peer::new(world.server(), "probe", Era::Session, false).await;
    for (tool, arguments) in [
        ("memory_summary_read", json!({})),
        ("memory_full_read", json!({})),
        ("checkpoint_create", json!({"message": "before the tulips"})),
        ("checkpoint_list", json!({})),
        ("checkpoint_diff", json!({"paths": ["src/prices.txt"]})),
        ("recovery_apply", json!({"checkpoint_id": "zzzz", "paths": ["src/prices.txt"], "apply": true})),
    ] {
        let before = world.audit().lines().count();
        peer.call(tool, arguments).await;
        let log = world.audit();
        assert_eq!(log.lines().count(), before + 1, "{tool}: {log}");
        let row: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        assert_eq!(row["tool"], "mcp:probe", "{tool}");
    }
    let log = world.audit();
    for private in ["tulips", "prices.txt", world.root().to_str().unwrap()] {
        assert!(!log.contains(private), "{private}: {log}");
    }
}
