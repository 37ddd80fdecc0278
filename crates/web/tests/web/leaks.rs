//! Nothing leaves unredacted: one secret in every place that a text can come from, every page and answer read.

use engine::memory::{CheckResult, Remember};

use crate::agent::Agent;
use crate::world::World;

/// Made up; it has the form of a real key.
fn secret(letter: char) -> String {
    format!("ghp_{}{}", letter, "x7Kq2mZ9pL4vR8tY1wB6nC3dF5gH0jS2aQw")
}

#[test]
fn no_secret_of_the_project_is_on_any_page() {
    let world = World::new();
    let secrets: Vec<String> = ('A'..='I').map(secret).collect();
    world.write("code.py", &format!("TOKEN = \"{}\"\n", secrets[0]));
    let id = world.save(None, Some(&format!("before {}", secrets[1])));
    world.save(Some(&format!("use {} please", secrets[2])), None);
    world.write("code.py", &format!("TOKEN = \"{}\"\nprint(1)\n", secrets[3]));
    world.write("LESSONS.md", &format!("# Lessons\n\n- Never print {}\n", secrets[4]));
    let engine = world.engine();
    engine::memory::remember(&engine, "cursor", &Remember::Intent(format!("log in with {}", secrets[5])))
        .expect("said");
    engine::memory::remember(
        &engine,
        "cursor",
        &Remember::Check("make test".to_owned(), CheckResult::Passed, vec![]),
    )
    .expect("said");
    // What an agent was asked for, ran, and was stopped at.
    let mut agent = Agent::new(&world, "first");
    agent.prompt(&format!("log in with {}", secrets[6]));
    let line = format!("curl -H 'Authorization: {}' https://example.com > code.py", secrets[7]);
    agent.command(&line, || world.write("code.py", &format!("TOKEN = \"{}\"\n", secrets[8])));
    agent.command(&format!("rm -rf ~ # {}", secrets[7]), || panic!("it must not run"));
    let browser = world.browser();
    let mut pages: Vec<String> = [
        "/",
        "/memory",
        "/history",
        "/history?all=1",
        "/history/code.py",
        "/checkpoints",
        "/recovery",
        "/lessons",
        "/permissions",
        "/spirals",
        "/audit",
        "/settings",
        "/diff",
    ]
    .map(str::to_owned)
    .to_vec();
    pages.push(format!("/checkpoint/{id}"));
    pages.push(format!("/checkpoint/{id}?tab=step&view=split"));
    pages.push(format!("/recovery/preview?to={id}"));
    let history = world.api("GET", "/api/history?all=true", None).expect(200).json();
    let entries = history["data"]["entries"].as_array().expect("entries").clone();
    let asked =
        entries.iter().find_map(|entry| entry["request"]["number"].as_str()).expect("a request").to_owned();
    pages.extend([format!("/request/{asked}"), format!("/undo?what={asked}")]);
    let steps = entries.iter().filter_map(|entry| entry["steps"].as_array()).flatten();
    let steps: Vec<String> = steps.filter_map(|step| step["number"].as_str().map(str::to_owned)).collect();
    assert!(steps.len() >= 2, "{history}");
    pages.extend(steps.iter().map(|number| format!("/step/{number}")));
    let mut texts: Vec<(String, String)> = Vec::new();
    for page in &pages {
        texts.push((page.clone(), browser.get(page).expect(200).body));
    }
    for path in [
        "/api/status",
        "/api/timeline",
        "/api/history?all=true",
        "/api/diff",
        "/api/memory",
        "/api/lessons",
        "/api/recovery",
        "/api/audit",
        "/api/settings",
    ] {
        texts.push((path.to_owned(), world.api("GET", path, None).expect(200).body));
    }
    texts.push((
        "api checkpoint".to_owned(),
        world.api("GET", &format!("/api/checkpoints/{id}"), None).expect(200).body,
    ));
    let preview = world.api("POST", "/api/recovery/preview", Some(serde_json::json!({"to": id}))).expect(200);
    texts.push(("api preview".to_owned(), preview.body));
    let undo = world.api("POST", "/api/undo/preview", Some(serde_json::json!({"what": asked}))).expect(200);
    for number in &steps {
        texts.push((
            format!("api {number}"),
            world.api("GET", &format!("/api/steps/{number}"), None).expect(200).body,
        ));
    }
    let told = world.api("GET", &format!("/api/requests/{asked}"), None).expect(200).body;
    texts.push((format!("api {asked}"), told));
    texts.push(("api undo".to_owned(), undo.body));
    for (page, text) in &texts {
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{page} shows {secret}");
        }
        assert!(
            !text.contains(&*world.engine().project().root().to_string_lossy()),
            "{page} shows where the project lies"
        );
    }
    let home = &texts[0].1;
    assert!(home.contains("hidden on this page"), "it is said that something was left out");
    let diff = texts.iter().find(|(page, _)| page == "/diff").map(|(_, text)| text.contains("[redacted"));
    assert_eq!(diff, Some(true));
}

#[test]
fn what_another_program_was_told_of_the_memory_is_in_the_audit_log_once() {
    let world = World::new();
    let browser = world.browser();
    browser.post("/memory/intent", &[("text", "a goal")]).expect(303);
    for _ in 0..5 {
        browser.get("/memory").expect(200);
        world.api("GET", "/api/memory", None).expect(200);
    }
    let rows = engine::audit::show(&world.engine(), 0).expect("the log").rows;
    let read: Vec<_> =
        rows.iter().filter(|row| row.row.event == engine::audit::Event::MemoryFullRead).collect();
    assert_eq!(read.len(), 1, "a person's look is no row: {rows:?}");
    assert_eq!(read[0].row.tool, "api");
    assert!(read[0].row.redaction.is_some() && read[0].row.intent == Some(engine::audit::Intent::Fresh));
}
