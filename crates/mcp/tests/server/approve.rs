//! A client that can show no form: the person says yes in a terminal.

use engine::approvals;
use engine::grants::Capability;
use engine::undo::Confirmation;
use serde_json::{Value, json};

use crate::peer::{Era, Peer};
use crate::world::World;

async fn asked(world: &World, peer: &mut Peer, checkpoint: &str) -> (Value, String) {
    world.grant("probe", Capability::RecoveryApply);
    let arguments = json!({"checkpoint_id": checkpoint, "paths": ["src/prices.txt"], "apply": true});
    let answer = peer.call("recovery_apply", arguments.clone()).await;
    assert_eq!(answer["error"]["code"], "needs_confirmation", "{answer}");
    let operation = answer["error"]["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(answer["error"]["command"], format!("vib approve {operation}"));
    assert_eq!(answer["error"]["expires_in_seconds"], 300);
    (arguments, operation)
}

fn with(arguments: &Value, operation: &str) -> Value {
    let mut arguments = arguments.clone();
    arguments["operation_id"] = json!(operation);
    arguments
}

#[tokio::test]
async fn a_yes_at_the_terminal_counts_once_mc5() {
    for era in [Era::Session, Era::Stateless] {
        let world = World::new();
        let checkpoint = world.checkpoint();
        world.write("src/prices.txt", "green 1\n");
        let mut peer = Peer::new(world.server(), "probe", era, false).await;
        let (arguments, operation) = asked(&world, &mut peer, &checkpoint).await;
        let waiting = approvals::pending(&world.engine());
        assert!(waiting[0].summary.contains("src/prices.txt"), "{}", waiting[0].summary);

        let early = peer.call("recovery_apply", with(&arguments, &operation)).await;
        assert_eq!(early["error"]["code"], "not_approved_yet", "{early}");
        assert_eq!(world.read("src/prices.txt"), "green 1\n");

        approvals::approve(&world.engine(), &operation, Confirmation::Terminal(super::world::person()))
            .unwrap();
        let done = peer.call("recovery_apply", with(&arguments, &operation)).await;
        assert_eq!(done["ok"], true, "{done}");
        assert_eq!(done["confirmed_via"], "terminal");
        assert_eq!(done["data"]["restored"], json!(["src/prices.txt"]));
        assert_eq!(world.read("src/prices.txt"), "green 4\nblack 3\n");

        world.write("src/prices.txt", "green 1\n");
        let again = peer.call("recovery_apply", with(&arguments, &operation)).await;
        assert_eq!(again["error"]["code"], "confirmation_not_valid", "{again}");
        assert_eq!(world.read("src/prices.txt"), "green 1\n");
    }
}

#[tokio::test]
async fn a_yes_is_for_one_client_and_exactly_one_operation() {
    let world = World::new();
    let checkpoint = world.checkpoint();
    world.write("src/prices.txt", "green 1\n");
    world.write("src/stock.txt", "green 1\n");
    let mut peer = Peer::new(world.server(), "probe", Era::Session, false).await;
    let (arguments, operation) = asked(&world, &mut peer, &checkpoint).await;
    approvals::approve(&world.engine(), &operation, Confirmation::Terminal(super::world::person())).unwrap();

    let mut more = with(&arguments, &operation);
    more["paths"] = json!(["src/prices.txt", "src/stock.txt"]);
    let other = peer.call("recovery_apply", more).await;
    assert_eq!(other["error"]["code"], "confirmation_does_not_fit", "{other}");

    world.grant("thief", Capability::RecoveryApply);
    let mut thief = Peer::new(world.server(), "thief", Era::Session, false).await;
    let stolen = thief.call("recovery_apply", with(&arguments, &operation)).await;
    assert_eq!(stolen["error"]["code"], "confirmation_does_not_fit", "{stolen}");

    // What the person saw is no longer what would happen.
    world.write("src/prices.txt", "green 2\n");
    let changed = peer.call("recovery_apply", with(&arguments, &operation)).await;
    assert_eq!(changed["error"]["code"], "confirmation_does_not_fit", "{changed}");
    assert_eq!(world.read("src/prices.txt"), "green 2\n");
    assert_eq!(world.read("src/stock.txt"), "green 1\n");
}
