//! The API for programs, and that it stays within what a program may do.

use serde_json::{Value, json};

use crate::world::World;

#[test]
fn a_program_reads_what_a_person_sees() {
    let world = World::new();
    world.write("a.txt", "one\n");
    let id = world.save(Some("the request"), None);
    world.write("a.txt", "two\n");
    let data = |path: &str| {
        let answer = world.api("GET", path, None).expect(200).json();
        assert_eq!(answer["ok"], true, "{path}");
        answer["data"].clone()
    };
    assert_eq!(data("/api/status")["newest"]["id"], json!(id));
    assert_eq!(data("/api/timeline?limit=5")["groups"][0]["prompt"], "the request");
    assert_eq!(data(&format!("/api/checkpoints/{id}"))["checkpoint"]["id"], json!(id));
    let diff = data(&format!("/api/diff?from={id}&path=a.txt"));
    assert_eq!(diff["files"][0]["diff"], "@@ -1 +1 @@\n-one\n+two\n");
    for path in [
        "/api/memory",
        "/api/lessons",
        "/api/spirals",
        "/api/audit",
        "/api/audit/slo",
        "/api/audit/metrics",
        "/api/settings",
        "/api/grants",
        "/api/recovery?words=it+broke",
    ] {
        data(path);
    }
}

#[test]
fn mistakes_are_answered_in_one_form() {
    let world = World::new();
    let cases: [(&str, &str, Option<Value>, u16); 9] = [
        ("GET", "/api/checkpoints/zzzzzzzz", None, 404),
        ("GET", "/api/timeline?limit=0", None, 400),
        ("GET", "/api/timeline?limit=x", None, 400),
        ("GET", "/api/timeline?nonsense=1", None, 400),
        ("GET", "/api/nothing", None, 404),
        ("POST", "/api/checkpoints", Some(json!([])), 400),
        ("POST", "/api/checkpoints", Some(json!({"mesage": "x"})), 400),
        ("POST", "/api/patch/diff", Some(json!({"diff": 1})), 400),
        ("POST", "/api/recovery/preview", Some(json!({"to": "zzzzzzzz"})), 404),
    ];
    for (method, path, body, status) in cases {
        let answer = world.api(method, path, body).expect(status).json();
        assert_eq!(answer["ok"], false, "{path}");
        for field in ["code", "message", "next"] {
            assert!(answer["error"][field].as_str().is_some_and(|text| !text.is_empty()), "{path}: {answer}");
        }
    }
}

#[test]
fn a_program_may_not_say_a_persons_word() {
    let world = World::new();
    world.write("a.txt", "one\n");
    let id = world.save(None, Some("first"));
    world.write("a.txt", "two\n");
    let preview = world.api("POST", "/api/recovery/preview", Some(json!({"to": id}))).expect(200).json();
    let plan = preview["data"]["plan"].clone();
    let cases = [
        ("/api/recovery/apply", json!({"plan": plan})),
        ("/api/memory", json!({"kind": "intent", "text": "x"})),
        ("/api/lessons", json!({"text": "x"})),
        ("/api/settings", json!({"name": "retention.turns", "value": "1", "target": "user"})),
        ("/api/spirals/resume", json!({})),
        (&format!("/api/checkpoints/{id}/pin"), json!({"pinned": true})),
    ];
    for (path, body) in cases {
        let answer = world.api("POST", path, Some(body)).expect(403).json();
        assert_eq!(answer["error"]["code"], "needs_person", "{path}");
    }
    assert_eq!(world.read("a.txt").as_deref(), Some("two\n"));
    // The person's own session may.
    let browser = world.browser();
    let answer = browser.api("/api/recovery/apply", &json!({"plan": plan})).expect(200).json();
    assert_eq!(answer["data"]["confirmed_via"], "web");
    assert_eq!(world.read("a.txt").as_deref(), Some("one\n"));
}

#[test]
fn patches_are_previewed_applied_and_refused_as_a_whole() {
    let world = World::new();
    world.write("a.txt", "one\ntwo\nthree\n");
    world.save(None, Some("first"));
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";
    let preview =
        world.api("POST", "/api/patch/diff", Some(json!({"diff": diff, "preview": true}))).expect(200).json();
    assert_eq!(
        (&preview["ok"], &preview["applied"], &preview["snapshotId"]),
        (&json!(true), &json!(false), &json!(null))
    );
    assert_eq!(preview["changes"][0]["appliedHunks"], 1);
    assert_eq!(world.read("a.txt").as_deref(), Some("one\ntwo\nthree\n"));
    let done = world.api("POST", "/api/patch/diff", Some(json!({"diff": diff}))).expect(200).json();
    assert_eq!((&done["ok"], &done["applied"]), (&json!(true), &json!(true)));
    assert_eq!(done["snapshotId"].as_str().map(str::len), Some(8));
    assert_eq!(world.read("a.txt").as_deref(), Some("one\nTWO\nthree\n"));
    let wrong = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n uno\n-dos\n+DOS\n tres\n";
    let refused = world.api("POST", "/api/patch/diff", Some(json!({"diff": wrong}))).expect(422).json();
    assert_eq!(refused["ok"], false);
    assert!(refused["error"]["code"].is_string() && refused["changes"][0]["hunks"].is_array());
    assert_eq!(world.read("a.txt").as_deref(), Some("one\nTWO\nthree\n"));
    let region = "// VIBE-KEEP START a\nkeep\n// VIBE-KEEP END a\n";
    world.write("k.js", region);
    let into =
        "--- a/k.js\n+++ b/k.js\n@@ -1,3 +1,3 @@\n // VIBE-KEEP START a\n-keep\n+lose\n // VIBE-KEEP END a\n";
    let refused = world.api("POST", "/api/patch/diff", Some(json!({"diff": into}))).expect(422).json();
    assert_eq!(refused["ok"], false);
    assert_eq!(world.read("k.js").as_deref(), Some(region));
    // A reason opens it, unless the setting says that nothing does.
    let open = json!({"diff": into, "keepRegions": false, "reason": "the person asked for it"});
    let browser = world.browser();
    let strict = [("name", "patch.keep_regions"), ("value", "strict"), ("target", "user")];
    browser.post("/settings", &strict).expect(303);
    let refused = world.api("POST", "/api/patch/diff", Some(open.clone())).expect(422).json();
    assert_eq!(refused["error"]["code"], "keep_regions_strict");
    assert_eq!(world.read("k.js").as_deref(), Some(region));
    // Less strict again: a click is not enough for that.
    let loose = [("name", "patch.keep_regions"), ("value", "reason"), ("target", "user")];
    browser.post("/settings", &loose).expect(403);
    engine::config::set(&world.engine(), engine::config::Target::User, "patch.keep_regions", "reason")
        .expect("set at a terminal");
    // Whoever holds the token is a program: a reason opens it for a person, who saw what it does.
    let refused = world.api("POST", "/api/patch/diff", Some(open.clone())).expect(422).json();
    assert_eq!(refused["error"]["code"], "keep_region");
    assert_eq!(world.read("k.js").as_deref(), Some(region));
    let refused = browser.api("/api/patch/diff", &open).expect(422).json();
    assert_eq!(refused["error"]["code"], "needs_confirmation");
    let mut confirmed = open;
    confirmed["preview"] = json!(true);
    let shown = browser.api("/api/patch/diff", &confirmed).expect(200).json();
    assert_eq!(shown["changes"][0]["guarded"][0]["code"], "keep_region", "{shown}");
    confirmed["preview"] = json!(false);
    confirmed["confirm"] = shown["confirm"].clone();
    assert_eq!(browser.api("/api/patch/diff", &confirmed).expect(200).json()["applied"], true);
}

#[test]
fn the_token_writes_nothing_that_is_guarded_and_a_person_says_yes_by_name_s13() {
    let world = World::new();
    world.write("law.txt", "one\n");
    world.save(None, Some("first"));
    engine::protect::add(&world.engine(), &["law.txt".into()], false).unwrap();
    let law = json!({"diff": "--- a/law.txt\n+++ b/law.txt\n@@ -1 +1 @@\n-one\n+two\n"});
    let settings = json!({"diff": "--- /dev/null\n+++ b/.claude/settings.json\n@@ -0,0 +1 @@\n+{}\n"});
    for (body, code) in [(&law, "protected"), (&settings, "needs_person")] {
        let refused = world.api("POST", "/api/patch/diff", Some(body.clone())).expect(422).json();
        assert_eq!(refused["error"]["code"], code, "{refused}");
    }
    assert_eq!(world.read("law.txt").as_deref(), Some("one\n"));
    let browser = world.browser();
    let mut body = law;
    assert_eq!(
        browser.api("/api/patch/diff", &body).expect(422).json()["error"]["code"],
        "needs_confirmation"
    );
    body["confirm"] = json!("something else");
    assert_eq!(
        browser.api("/api/patch/diff", &body).expect(422).json()["error"]["code"],
        "needs_confirmation"
    );
    body["preview"] = json!(true);
    let shown = browser.api("/api/patch/diff", &body).expect(200).json();
    assert_eq!(shown["changes"][0]["guarded"][0]["code"], "protected", "{shown}");
    body["preview"] = json!(false);
    body["confirm"] = shown["confirm"].clone();
    assert_eq!(browser.api("/api/patch/diff", &body).expect(200).json()["applied"], true);
    assert_eq!(world.read("law.txt").as_deref(), Some("two\n"));
}

#[test]
fn the_description_is_served() {
    let world = World::new();
    let document = world.api("GET", "/api/openapi.json", None).expect(200).json();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/patch/diff"]["post"]["requestBody"].is_object());
    // It says how a person's session is shown, and what only such a session may do. No cookie is one.
    let session = &document["components"]["securitySchemes"]["session"];
    assert_eq!((&session["in"], &session["name"]), (&json!("header"), &json!("X-CSRF-Token")));
    assert!(session["description"].as_str().is_some_and(|text| text.contains("/k/CAPABILITY")));
    let ways = |path: &str| document["paths"][path]["post"]["security"].to_string();
    assert_eq!(ways("/api/recovery/apply"), r#"[{"session":[]}]"#);
    assert_eq!(ways("/api/recovery/preview"), r#"[{"token":[]},{"session":[]}]"#);
    // Every example is taken as it is, where nothing else has to be there before.
    for (path, expected) in [("/api/patch/diff", 200), ("/api/checkpoints", 200), ("/api/settings", 403)] {
        let schema = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        for example in schema["examples"].as_array().expect("examples") {
            world.api("POST", path, Some(example.clone())).expect(expected);
        }
    }
}
