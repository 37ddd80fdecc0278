//! The permission matrix, whole: seven capabilities × five states of the grant × four confirmations × both eras.

use engine::grants::{self, Capability, Confirm};
use engine::undo::Confirmation;
use serde_json::{Value, json};

use crate::peer::{Era, Peer, empty_accept, structured, yes};
use crate::world::World;

const CLIENT: &str = "probe";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Granted {
    No,
    Yes,
    Expired,
    OtherClient,
    OtherProject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confirmed {
    Missing,
    Wrong,
    Replayed,
    Right,
}

const SEVEN: [Capability; 7] = [
    Capability::MemorySummaryRead,
    Capability::RecoveryPreview,
    Capability::CheckpointCreate,
    Capability::MemoryFullRead,
    Capability::MemoryWrite,
    Capability::RecoveryApply,
    Capability::HandoffExport,
];

/// The matrix of the design, said once more by hand: default, grant, confirmation.
fn designed(capability: Capability) -> (bool, Confirm) {
    match capability {
        Capability::MemorySummaryRead | Capability::RecoveryPreview | Capability::CheckpointCreate => {
            (false, Confirm::Never)
        }
        Capability::MemoryWrite => (true, Confirm::IfItShapesIntent),
        _ => (true, Confirm::Always),
    }
}

fn arguments(capability: Capability, checkpoint: &str) -> Value {
    match capability {
        Capability::MemoryWrite => json!({"kind": "decision", "text": "We sell tea"}),
        Capability::RecoveryApply => {
            json!({"checkpoint_id": checkpoint, "paths": ["src/prices.txt"], "apply": true})
        }
        _ => json!({}),
    }
}

fn prepare(world: &World, capability: Capability, granted: Granted) {
    if !capability.needs_grant() {
        return;
    }
    let grant = |engine: &engine::Engine, client: &str, ms: i64| {
        grants::grant(engine, client, capability, ms, Confirmation::Terminal(super::world::person()))
            .unwrap();
    };
    match granted {
        Granted::No => {}
        Granted::Yes => grant(&world.engine(), CLIENT, 3_600_000),
        Granted::Expired => {
            grant(&world.engine(), CLIENT, 1);
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        Granted::OtherClient => grant(&world.engine(), "somebody-else", 3_600_000),
        Granted::OtherProject => grant(&world.other_engine(), CLIENT, 3_600_000),
    }
}

/// Calls the tool in the way of `confirmed`; the last answer.
async fn call(peer: &mut Peer, capability: Capability, confirmed: Confirmed, arguments: Value) -> Value {
    peer.says = match confirmed {
        Confirmed::Right | Confirmed::Replayed => yes(),
        Confirmed::Wrong | Confirmed::Missing => empty_accept(),
    };
    let tool = capability.as_str();
    if confirmed == Confirmed::Replayed && peer.era == Era::Stateless {
        // The same yes is sent twice.
        let first = peer.call_once(tool, &arguments, json!({})).await;
        if first["resultType"] != "input_required" {
            return structured(&first);
        }
        let again = json!({"requestState": first["requestState"], "inputResponses": {"confirm": yes()}});
        let used = structured(&peer.call_once(tool, &arguments, again.clone()).await);
        assert_eq!(used["ok"], true, "the first time it counts: {used}");
        return structured(&peer.call_once(tool, &arguments, again).await);
    }
    peer.call(tool, arguments).await
}

/// What must come of it.
fn expected(capability: Capability, granted: Granted, confirmed: Confirmed, era: Era) -> &'static str {
    let (needs_grant, confirm) = designed(capability);
    match (needs_grant, granted, confirm, confirmed) {
        (false, ..) => "ok",
        (true, Granted::No | Granted::Expired | Granted::OtherClient | Granted::OtherProject, ..) => {
            "not_granted"
        }
        (_, Granted::Yes, Confirm::Never, _) => "ok",
        (_, Granted::Yes, _, Confirmed::Missing) => "needs_confirmation",
        (_, Granted::Yes, _, Confirmed::Wrong) => "declined",
        // In a session there is nothing to replay: the yes is part of the call.
        (_, Granted::Yes, _, Confirmed::Replayed) if era == Era::Session => "ok",
        (_, Granted::Yes, _, Confirmed::Replayed) => "confirmation_not_valid",
        (_, Granted::Yes, _, Confirmed::Right) => "ok",
    }
}

async fn one(capability: Capability, granted: Granted, confirmed: Confirmed, era: Era) {
    let world = World::new();
    let checkpoint = world.checkpoint();
    world.write("src/prices.txt", "green 1\n");
    prepare(&world, capability, granted);
    let forms = confirmed != Confirmed::Missing;
    let mut peer = Peer::new(world.server(), CLIENT, era, forms).await;
    let answer = call(&mut peer, capability, confirmed, arguments(capability, &checkpoint)).await;
    let case = format!("{capability:?} {granted:?} {confirmed:?} {era:?}: {answer}");
    let wanted = expected(capability, granted, confirmed, era);
    let got = answer["error"]["code"].as_str().unwrap_or("ok");
    assert_eq!(got, wanted, "{case}");
    assert_eq!(answer["ok"], wanted == "ok", "{case}");
    if wanted == "not_granted" {
        assert!(peer.shown.is_empty(), "nobody is asked about what is not granted: {case}");
        let command = format!("vib mcp grant {CLIENT} {}", capability.as_str());
        assert_eq!(answer["error"]["command"], command, "{case}");
    }
    if wanted == "needs_confirmation" {
        let command = answer["error"]["command"].as_str().unwrap_or_default();
        assert!(command.starts_with("vib approve "), "{case}");
    }
    if capability == Capability::RecoveryApply {
        let replayed = confirmed == Confirmed::Replayed && granted == Granted::Yes;
        let restored = wanted == "ok" || replayed;
        let text = world.read("src/prices.txt");
        assert_eq!(text == "green 4\nblack 3\n", restored, "{case}: {text}");
        assert_eq!(world.read("src/stock.txt"), "green 10\nblack 20\n", "{case}");
    }
}

#[test]
fn the_engines_matrix_is_the_designed_one() {
    for capability in SEVEN {
        assert_eq!((capability.needs_grant(), capability.confirm()), designed(capability), "{capability:?}");
        assert_eq!(Capability::parse(capability.as_str()), Some(capability));
    }
}

async fn every_cell_of(capability: Capability) {
    let granted = [Granted::No, Granted::Yes, Granted::Expired, Granted::OtherClient, Granted::OtherProject];
    let confirmed = [Confirmed::Missing, Confirmed::Wrong, Confirmed::Replayed, Confirmed::Right];
    let mut cells = 0;
    for granted in granted {
        for confirmed in confirmed {
            for era in [Era::Session, Era::Stateless] {
                one(capability, granted, confirmed, era).await;
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 5 * 4 * 2);
}

macro_rules! rows {
    ($($test:ident: $capability:ident,)*) => {
        $(
            #[tokio::test]
            async fn $test() {
                every_cell_of(Capability::$capability).await;
            }
        )*
        #[test]
        fn no_row_is_missing() {
            assert_eq!([$(Capability::$capability),*], SEVEN);
        }
    };
}

// One test for each row of the matrix, so that they run side by side. (MC1)
rows! {
    memory_summary_read: MemorySummaryRead,
    recovery_preview: RecoveryPreview,
    checkpoint_create: CheckpointCreate,
    memory_full_read: MemoryFullRead,
    memory_write: MemoryWrite,
    recovery_apply: RecoveryApply,
    handoff_export: HandoffExport,
}
