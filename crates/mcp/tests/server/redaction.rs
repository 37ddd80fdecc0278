//! Secrets in every field that anybody can fill: none comes out, whatever is asked.

use engine::audit::{self, Verdict};
use engine::grants::Capability;
use memory::log::{Event, Provenance, Scope};
use memory::work;
use proptest::prelude::*;
use redact::template::expand;
use serde_json::{Value, json};
use store::{CheckpointKind, Origin, Silent, SnapshotRequest};

use crate::peer::{Era, Peer, yes};
use crate::world::World;

/// Shapes of keys, without a key in this file.
const SHAPES: [&str; 6] = [
    "ghp_<an:36>",
    "AKIA<upper:16>",
    "xoxb-<digit:12>-<digit:12>-<an:24>",
    "glpat-<url:20>",
    "npm_<an:36>",
    "postgres://shop:<an:24>@db.internal:5432/shop",
];

/// Writes into the memory log past the gate, as another program could.
fn plant_memory(world: &World, text: &str) {
    let engine = world.engine();
    let log = engine::memory::log_of(&engine, Scope::Project, None).unwrap();
    let now = engine.context().now_ms();
    let bodies = [
        work::intent(text),
        work::decision(text),
        work::next_action(text),
        work::risk(text),
        work::relevant("src/prices.txt", Some(text)),
        work::verification(text, work::CheckResult::Passed, &[]),
    ];
    let events: Vec<Event> = bodies
        .into_iter()
        .enumerate()
        .map(|(at, (kind, body))| {
            let random = [u8::try_from(at).unwrap() + 1; 10];
            let mut event = Event::new(now, random, Scope::Project, kind, Provenance::Explicit, body);
            event.agent = Some(text.to_owned());
            event
        })
        .collect();
    log.append(&events).unwrap();
}

/// A checkpoint whose every text is the secret, of files whose content is.
fn plant_files(world: &World, text: &str) -> String {
    let request = SnapshotRequest {
        kind: CheckpointKind::Manual,
        message: Some(text.to_owned()),
        pinned: false,
        by_agent: true,
        origin: Origin {
            session: Some("s".to_owned()),
            turn: Some("1".to_owned()),
            agent: Some(text.to_owned()),
            prompt: Some(text.to_owned()),
            ..Origin::default()
        },
        moment: store::Moment::Between,
    };
    world.write("src/config.py", &format!("KEY = \"{text}\"\n"));
    let saved = engine::checkpoint::create(&world.engine(), &request, &[], &Silent).unwrap();
    world.write("src/config.py", &format!("KEY = \"{text}\"\nprint(1)\n"));
    world.write("src/new.py", &format!("# {text}\n"));
    std::fs::write(world.root().join("LESSONS.md"), format!("# Lessons\n\n{text}\n")).unwrap();
    saved.saved.checkpoint.id.to_string()
}

/// Every tool, with the secret in its arguments too.
fn calls(checkpoint: &str, text: &str) -> Vec<(&'static str, Value)> {
    let patch = format!(
        "--- a/src/config.py\n+++ b/src/config.py\n@@ -1,2 +1,2 @@\n KEY = \"{text}\"\n-print(1)\n+print(2)\n"
    );
    vec![
        ("memory_summary_read", json!({"note": text})),
        ("memory_full_read", json!({})),
        ("memory_recall", json!({"query": "price config decision"})),
        ("memory_write", json!({"kind": "risk", "text": text})),
        ("memory_write", json!({"kind": "decision", "text": text})),
        ("recovery_preview", json!({})),
        ("recovery_preview", json!({"checkpoint_id": checkpoint})),
        ("recovery_preview", json!({"checkpoint_id": text})),
        ("checkpoint_create", json!({"message": text})),
        ("checkpoint_list", json!({"safety": true})),
        ("checkpoint_diff", json!({"from": checkpoint})),
        ("checkpoint_diff", json!({"from": text, text: text})),
        ("handoff_export", json!({"reader": "codex"})),
        ("handoff_export", json!({"reader": text})),
        ("guard_check", json!({})),
        ("explain_get", json!({})),
        ("explain_get", json!({"path": text})),
        ("project_map_get", json!({})),
        ("why_get", json!({"path": "src/config.py"})),
        ("why_get", json!({"path": text})),
        ("patch_apply", json!({"diff": patch, "preview": true})),
        ("patch_apply", json!({"diff": text, "preview": true})),
        ("capture_lesson", json!({"text": text, "tools": [text], "paths": [text]})),
        (
            "recovery_apply",
            json!({"checkpoint_id": checkpoint, "paths": ["src/config.py"], "apply": true, "x": text}),
        ),
        ("rollback_to_checkpoint", json!({"checkpoint_id": checkpoint})),
    ]
}

fn core(secret: &str) -> &str {
    // In an address only the password is secret.
    secret.split("shop:").nth(1).and_then(|rest| rest.split('@').next()).unwrap_or(secret)
}

async fn nothing_comes_out(secret: &str, era: Era, client: &str) {
    let world = World::new();
    let checkpoint = plant_files(&world, secret);
    plant_memory(&world, secret);
    let mut peer = Peer::new(world.server(), client, era, true).await;
    peer.says = yes();
    let name: String = if client == secret { String::new() } else { client.to_owned() };
    if !name.is_empty() {
        for capability in Capability::ALL.into_iter().filter(|capability| capability.needs_grant()) {
            world.grant(&name, capability);
        }
    }
    let mut answered = std::collections::BTreeSet::new();
    for (tool, arguments) in calls(&checkpoint, secret) {
        let result = peer.call(tool, arguments).await;
        if result["ok"] == true {
            answered.insert(tool);
        }
        let text = result.to_string();
        assert!(!text.contains(core(secret)), "{tool}: {text}");
        for private in [world.root().to_str().unwrap(), "hyacinth"] {
            assert!(!text.contains(private), "{tool}: {private}: {text}");
        }
        assert!(
            world.engine().gate().clean(&text).counts().is_untouched(),
            "{tool}: found at a second look: {text}"
        );
    }
    // Refusing would be an easy way to leak nothing.
    let refused: Vec<_> = calls(&checkpoint, secret)
        .into_iter()
        .map(|(tool, _)| tool)
        .filter(|tool| !answered.contains(tool))
        .collect();
    assert!(name.is_empty() || refused.is_empty(), "not answered: {refused:?}");
    for form in &peer.shown {
        assert!(!form.to_string().contains(core(secret)), "a form shows it: {form}");
    }
    assert!(!world.audit().contains(core(secret)), "the audit log has it");
    let report = audit::slo(&world.engine(), None).unwrap();
    assert_ne!(report.result, Verdict::Fail, "{report:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn planted_secrets_never_come_out(shape in 0..SHAPES.len(), seed in 1_u64..1_000_000, stateless: bool) {
        let secret = expand(SHAPES[shape], seed);
        let era = if stateless { Era::Stateless } else { Era::Session };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(nothing_comes_out(&secret, era, "probe"));
    }
}

#[tokio::test]
async fn not_even_as_the_name_of_the_client() {
    let secret = expand("ghp_<an:36>", 77);
    nothing_comes_out(&secret, Era::Session, &secret).await;
}

#[tokio::test]
async fn the_audit_passes_and_a_planted_leak_is_caught() {
    let world = World::new();
    let checkpoint = world.checkpoint();
    world.write("src/prices.txt", "green 1\n");
    world.grant("probe", Capability::RecoveryApply);
    let mut peer = Peer::new(world.server(), "probe", Era::Session, true).await;
    peer.says = yes();
    peer.call("memory_summary_read", json!({})).await;
    peer.call("recovery_preview", json!({})).await;
    peer.call("checkpoint_create", json!({})).await;
    let arguments = json!({"checkpoint_id": checkpoint, "paths": ["src/prices.txt"], "apply": true});
    assert_eq!(peer.call("recovery_apply", arguments).await["ok"], true);
    let report = audit::slo(&world.engine(), None).unwrap();
    assert_eq!(report.result, Verdict::Pass, "{report:?}");

    // Somebody breaks the gate: an answer with a secret in it is kept for a second look, and seen there.
    let leaked = expand("the key is ghp_<an:36>", 4);
    let row = audit::Row::new(audit::Event::MemoryFullRead, "mcp:probe", audit::Outcome::Success)
        .redacted(redact::Counts::default());
    audit::record_output_for_review(&world.engine(), &row, &leaked).unwrap();
    let report = audit::slo(&world.engine(), None).unwrap();
    assert_eq!(report.result, Verdict::Fail, "{report:?}");
}
