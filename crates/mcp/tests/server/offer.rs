//! Which tools a client sees: five, those of its grants, or all. (C9)

use engine::grants::Capability;
use serde_json::{Value, json};

use crate::peer::{Era, Peer};
use crate::world::World;

const FIVE: [&str; 5] =
    ["memory_summary_read", "recovery_preview", "checkpoint_create", "memory_recall", "explain_get"];

async fn names(peer: &mut Peer) -> Vec<String> {
    let list = peer.request("tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

async fn seen(world: &World, client: &str, era: Era) -> Vec<String> {
    names(&mut Peer::new(world.server(), client, era, false).await).await
}

#[tokio::test]
async fn without_a_grant_there_are_five_and_they_are_small_c9() {
    for era in [Era::Session, Era::Stateless] {
        assert_eq!(seen(&World::new(), "probe", era).await, FIVE, "{era:?}");
    }
    // What clients hand on to the model: name, description and input. About four letters are a token.
    let world = World::new();
    let mut peer = Peer::new(world.server(), "probe", Era::Session, false).await;
    let list = peer.request("tools/list", json!({})).await;
    let handed_on: Vec<Value> = list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| json!({"name": tool["name"], "description": tool["description"], "input": tool["inputSchema"]}))
        .collect();
    let tokens = (json!(handed_on).to_string().len() + vib_mcp::INSTRUCTIONS.len()) / 4;
    assert!(tokens <= 850, "{tokens} tokens in every request");
}

#[tokio::test]
async fn a_grant_shows_what_it_is_for_to_that_client_alone_c9() {
    let rows: [(Capability, &[&str]); 5] = [
        (Capability::MemoryFullRead, &["memory_full_read"]),
        (Capability::MemoryWrite, &["memory_write", "capture_lesson"]),
        (
            Capability::RecoveryApply,
            &["recovery_apply", "rollback_to_checkpoint", "checkpoint_list", "checkpoint_diff"],
        ),
        (Capability::HandoffExport, &["handoff_export"]),
        (Capability::PatchApply, &["patch_apply", "guard_check", "project_map_get", "why_get", "edit_scope"]),
    ];
    let mut together = FIVE.len();
    let everything = World::new();
    for (capability, tools) in rows {
        for era in [Era::Session, Era::Stateless] {
            let world = World::new();
            world.grant("probe", capability);
            let seen_now = seen(&world, "probe", era).await;
            assert_eq!(seen_now.len(), FIVE.len() + tools.len(), "{capability:?} {era:?}: {seen_now:?}");
            assert!(
                tools.iter().all(|tool| seen_now.iter().any(|name| name == tool)),
                "{capability:?}: {seen_now:?}"
            );
            assert_eq!(seen(&world, "somebody-else", era).await, FIVE, "{capability:?} {era:?}");
        }
        together += tools.len();
        everything.grant("probe", capability);
    }
    assert_eq!(seen(&everything, "probe", Era::Session).await.len(), together);
    assert_eq!(together, 18, "every tool can be had");
    let world = World::new();
    world.want_all_tools();
    assert_eq!(seen(&world, "probe", Era::Session).await.len(), 18);
}

#[tokio::test]
async fn a_tool_that_is_not_offered_says_how_to_get_it_c9() {
    let world = World::new();
    let checkpoint = world.checkpoint();
    world.write("src/prices.txt", "green 1\n");
    let mut peer = Peer::new(world.server(), "probe", Era::Session, false).await;
    let refused = peer.call("handoff_export", json!({})).await;
    assert_eq!(refused["error"]["command"], "vib mcp grant probe handoff_export", "{refused}");
    // And where somebody wants it: a preview of what cannot be applied yet.
    let preview = json!({"checkpoint_id": checkpoint, "paths": ["src/prices.txt"]});
    let answer = peer.call("recovery_preview", preview.clone()).await;
    assert_eq!(answer["data"]["command"], "vib mcp grant probe recovery_apply", "{answer}");
    world.grant("probe", Capability::RecoveryApply);
    let answer = peer.call("recovery_preview", preview).await;
    assert!(answer["data"]["command"].is_null(), "{answer}");
}

#[tokio::test]
async fn a_client_is_told_when_a_grant_changes_its_tools_c9() {
    let world = World::new();
    let mut peer = Peer::new(world.server(), "probe", Era::Session, false).await;
    assert_eq!(names(&mut peer).await, FIVE);
    peer.call("memory_summary_read", json!({})).await;
    names(&mut peer).await;
    assert_eq!(peer.notices, [""; 0], "nothing changed");
    world.grant("probe", Capability::PatchApply);
    peer.call("memory_summary_read", json!({})).await;
    // It comes beside the answer, before or after it.
    assert_eq!(names(&mut peer).await.len(), 10);
    assert_eq!(peer.notices, ["notifications/tools/list_changed"]);
}
