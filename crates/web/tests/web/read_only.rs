//! Looking writes nothing: no GET leaves anything in the state folder or in the project.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::agent::Agent;
use crate::world::{Browser, World, between};

type Listing = BTreeMap<PathBuf, Vec<u8>>;

#[track_caller]
fn assert_same(before: &Listing, after: &Listing, what: &str) {
    let names = before.keys().chain(after.keys());
    let different: Vec<_> = names.filter(|name| before.get(*name) != after.get(*name)).collect();
    assert!(different.is_empty(), "{what} wrote {different:?}");
}

/// A project with a past, a goal, and damage. Returns the checkpoint.
fn damaged(world: &World, browser: &Browser<'_>) -> String {
    world.write("a.txt", "good\n");
    world.write("b.txt", "also good\n");
    let id = world.save(Some("make it better"), None);
    browser.post("/memory/intent", &[("text", "a goal")]).expect(303);
    world.write("a.txt", "broken\n");
    world.remove("b.txt");
    let mut agent = Agent::new(world, "first");
    agent.prompt("tidy up");
    agent.edit("c.txt", "new\n");
    agent.command("npm run tidy", || world.write("c.txt", ""));
    // The first look settles what is made only once.
    browser.get("/").expect(200);
    id
}

#[test]
fn t13_no_get_of_a_page_or_of_the_api_writes_anything() {
    let world = World::new();
    let browser = world.browser();
    let id = damaged(&world, &browser);
    crate::runs::best_of_two(&world);
    let document = browser.get("/api/openapi.json").expect(200).json();
    let operations = document["paths"].as_object().expect("paths");
    let mut looks: Vec<String> = operations
        .iter()
        .filter(|(_, methods)| methods.get("get").is_some())
        .map(|(path, _)| path.replace("{id}", &id).replace("{run}", "run1").replace("{card}", "c1"))
        .collect();
    assert!(looks.len() >= 10, "{looks:?}");
    looks.extend(
        ["/", "/memory", "/history", "/diff", "/recovery", "/recovery?words=undo+that", "/lessons"]
            .map(str::to_owned),
    );
    looks.extend(["/permissions", "/spirals", "/audit", "/settings", "/recovery/preview"].map(str::to_owned));
    looks.extend([
        format!("/checkpoint/{id}"),
        format!("/recovery/preview?to={id}"),
        format!("/recovery/preview?to={id}&path=a.txt"),
        "/recovery/preview?way=1".to_owned(),
        "/recovery/preview?to=before".to_owned(),
        "/recovery/job/none".to_owned(),
    ]);
    looks.extend(
        ["/checkpoints", "/history?all=1", "/history/c.txt", "/request/r2", "/undo?what=redo"]
            .map(str::to_owned),
    );
    looks.extend(
        ["/undo?what=r2", "/undo?what=last&path=c.txt", "/undo?what=last&path=c.txt&function=x"]
            .map(str::to_owned),
    );
    looks.extend(["/api/requests/r2", "/api/history?file=c.txt", "/undo/job/none"].map(str::to_owned));
    looks.extend(
        ["/runs", "/runs?all=1", "/runs/run1", "/runs/run1/stop", "/runs/run1/c1"].map(str::to_owned),
    );
    looks.extend(["/runs/run1/c1?attempt=a2", "/runs/job/none"].map(str::to_owned));
    // The first look at a lane's store leaves marks of readers in what SQLite shares between them.
    for attempt in ["a1", "a2"] {
        let card = browser.get(&format!("/runs/run1/c1?attempt={attempt}"));
        assert_eq!(card.status, 200, "there is a card to look at");
    }
    for number in 1..=4 {
        looks.extend(["/step/s", "/undo?what=s", "/api/steps/s"].map(|start| format!("{start}{number}")));
    }
    assert_eq!(browser.get("/undo?what=r2").status, 200, "there is something to take back");
    for path in looks.iter().filter(|path| *path != "/events") {
        let before = world.listing();
        let answer = browser.get(path);
        assert!(answer.status < 500, "{path}: {}", answer.head);
        assert_same(&before, &world.listing(), path);
    }
}

#[test]
fn t13_a_look_of_a_program_at_an_undo_writes_nothing() {
    let world = World::new();
    damaged(&world, &world.browser());
    let before = world.listing();
    let look = serde_json::json!({"what": "r2"});
    world.api("POST", "/api/undo/preview", Some(look)).expect(200);
    assert_same(&before, &world.listing(), "a preview");
}

#[test]
fn t13_a_yes_to_what_has_changed_since_is_shown_again_and_keeps_nothing() {
    let world = World::new();
    let browser = world.browser();
    let id = damaged(&world, &browser);
    let page = browser.get(&format!("/recovery/preview?to={id}")).expect(200).body;
    let digest = between(&page, "name=\"digest\" value=\"", "\"").to_owned();
    world.write("a.txt", "somebody went on working\n");
    let before = world.listing();
    let again = browser.post("/recovery/apply", &[("to", &id), ("digest", &digest)]).expect(303);
    assert!(
        again.header("location").is_some_and(|to| to.starts_with("/recovery/preview?")),
        "{}",
        again.head
    );
    assert_same(&before, &world.listing(), "a yes to something else");
    assert_eq!(world.read("a.txt").as_deref(), Some("somebody went on working\n"));
}
