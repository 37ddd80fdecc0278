//! The pages, read as a browser without scripts gets them.

use crate::world::{World, between};

#[test]
fn home_says_what_happens() {
    let world = World::new();
    world.write("src/main.rs", "fn main() {}\n");
    world.write("old.txt", "keep me\n");
    world.save(None, Some("works"));
    let mut agent = crate::agent::Agent::new(&world, "first");
    agent.prompt("add a greeting");
    agent.edit("src/main.rs", "fn main() { println!(\"hi\"); }\n");
    agent.command("npm run tidy", || world.remove("old.txt"));
    let browser = world.browser();
    browser.post("/memory/intent", &[("text", "Greet everybody")]).expect(303);
    let home = browser.get("/").expect(200).body;
    for words in
        ["Greet everybody", "add a greeting", "src/main.rs", "old.txt", "1 file was lost", "some risk"]
    {
        assert!(home.contains(words), "{words}");
    }
}

#[test]
fn every_language_has_every_page() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.save(None, Some("first"));
    world.write("a.txt", "two\n");
    let browser = world.browser();
    for (language, word) in [("en", ">History<"), ("ko", ">이력<"), ("zh", ">历史<")] {
        let cookie = format!("vib_language={language}");
        for path in [
            "/",
            "/memory",
            "/history",
            "/checkpoints",
            "/recovery",
            "/lessons",
            "/permissions",
            "/spirals",
            "/audit",
            "/settings",
            "/diff",
        ] {
            let answer = world.ask("GET", &browser.at(path), &[("Cookie", &cookie)], "").expect(200);
            assert!(answer.body.contains(word), "{language} {path}");
            assert!(answer.body.contains(&format!("<html lang=\"{language}\"")), "{language} {path}");
            assert!(!answer.body.contains("[web-"), "a message is missing: {language} {path}");
        }
    }
    let wished = [("Accept-Language", "fr,ko-KR;q=0.9,en;q=0.8")];
    assert!(world.ask("GET", &browser.at("/"), &wished, "").body.contains("이력"));
    let answer = browser.post("/language", &[("language", "zh"), ("back", "/history")]).expect(303);
    assert_eq!(answer.header("location"), Some("/history"));
    assert!(answer.header("set-cookie").is_some_and(|cookie| cookie.starts_with("vib_language=zh")));
}

#[test]
fn all_checkpoints_are_paged_and_searched() {
    let world = World::new();
    let user = engine::config::Target::User;
    engine::config::set(&world.engine(), user, "retention.turns", "0").expect("all turns are kept");
    for number in 0..130 {
        world.write("a.txt", &format!("{number}\n"));
        world.save(Some(&format!("request number {number}")), None);
    }
    let browser = world.browser();
    let first = browser.get("/checkpoints").expect(200).body;
    assert!(first.contains("request number 129") && !first.contains("request number 12”"));
    assert_eq!(first.matches("<li class=\"call\">").count(), 100);
    let next = between(&first, "<a class=\"button\" href=\"/checkpoints?before=", "\"");
    let second = browser.get(&format!("/checkpoints?before={next}")).expect(200).body;
    assert_eq!(second.matches("<li class=\"call\">").count(), 30);
    let found = browser.get("/checkpoints?q=NUMBER+77").expect(200).body;
    assert_eq!(found.matches("<li class=\"call\">").count(), 1);
    assert!(browser.get("/checkpoints?q=a.txt").expect(200).body.contains("request number 129"));
    assert_eq!(
        browser.get("/checkpoints?q=%25").expect(200).body.matches("<li class=\"call\">").count(),
        0,
        "no pattern"
    );
}

#[test]
fn differences_are_shown_in_one_column_or_two() {
    let world = World::new();
    world.write("src/main.rs", "fn main() {\n    let a = 1;\n}\n");
    let id = world.save(None, Some("first"));
    world.write("src/main.rs", "fn main() {\n    let a = \"<script>\";\n}\n");
    let browser = world.browser();
    let one = browser.get(&format!("/checkpoint/{id}")).expect(200).body;
    assert!(
        one.contains("class=\"diff unified\"") && one.contains("&lt;script&gt;") && !one.contains("<script>")
    );
    let two = browser.get(&format!("/checkpoint/{id}?view=split")).expect(200).body;
    assert!(two.contains("class=\"diff split\""));
    assert_eq!(browser.get("/checkpoint/zzzzzzzz").status, 404);
    let pinned = browser.post("/pin", &[("id", &id), ("pinned", "1"), ("back", "/history")]).expect(303);
    assert_eq!(pinned.header("location"), Some("/history?said=pinned"));
    assert!(browser.get("/checkpoints?pinned=1").expect(200).body.contains(&id[..2]));
}

#[test]
fn going_back_is_looked_at_confirmed_done_and_taken_back() {
    let world = World::new();
    world.write("a.txt", "good\n");
    world.write("b.txt", "also good\n");
    let id = world.save(None, Some("works"));
    world.save(Some("make it better"), None);
    world.write("a.txt", "broken\n");
    world.remove("b.txt");
    let browser = world.browser();
    let options = browser.get("/recovery").expect(200).body;
    assert!(options.contains("b.txt") && options.contains("make it better"));
    let preview = browser.get(&format!("/recovery/preview?to={id}")).expect(200).body;
    assert!(preview.contains("The state of now is saved first"));
    assert_eq!(world.read("a.txt").as_deref(), Some("broken\n"), "looking changes nothing");
    let digest = between(&preview, "name=\"digest\" value=\"", "\"");
    let yes = [("to", id.as_str()), ("digest", digest)];
    let done = browser.post("/recovery/apply", &yes).expect(303);
    let job = done.header("location").expect("a job").to_owned();
    let mut result = browser.get(&job).expect(200).body;
    for _ in 0..300 {
        if result.contains("You are back") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        result = browser.get(&job).expect(200).body;
    }
    assert!(result.contains("You are back"), "{result}");
    assert_eq!(world.read("a.txt").as_deref(), Some("good\n"));
    assert_eq!(world.read("b.txt").as_deref(), Some("also good\n"));
    // A yes is used up.
    assert_ne!(browser.post("/recovery/apply", &yes).status, 303, "there is nothing left to bring back");
    // And back to before.
    let before = browser.get("/recovery/preview?to=before").expect(200).body;
    let digest = between(&before, "name=\"digest\" value=\"", "\"");
    browser.post("/recovery/apply", &[("to", "before"), ("digest", digest)]).expect(303);
    for _ in 0..300 {
        if world.read("b.txt").is_none() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(world.read("a.txt").as_deref(), Some("broken\n"));
    assert!(world.read("b.txt").is_none());
    let rows = engine::audit::show(&world.engine(), 0).expect("the log").rows;
    let applied: Vec<_> =
        rows.iter().filter(|row| row.row.event == engine::audit::Event::RecoveryApply).collect();
    assert!(applied.iter().all(|row| row.row.confirmed_via == Some(engine::audit::ConfirmedVia::Web)));
    assert!(applied.iter().all(|row| row.row.tool == "web"));
}

#[test]
fn memory_lessons_settings_and_permissions_are_changed_in_place() {
    let (world, notices) = World::with_terminal();
    let browser = world.browser();
    world.write("src/a.rs", "fn a() {}\n");
    for (what, text) in [
        ("intent", "the goal"),
        ("next", "the next step"),
        ("decision", "the decision"),
        ("risk", "the risk"),
    ] {
        browser.post(&format!("/memory/{what}"), &[("text", text)]).expect(303);
        assert!(browser.get("/memory").expect(200).body.contains(text));
    }
    browser
        .post("/memory/check", &[("text", "cargo test"), ("result", "passed"), ("paths", "src/a.rs")])
        .expect(303);
    browser.post("/memory/relevant", &[("path", "src/a.rs"), ("text", "the heart")]).expect(303);
    let page = browser.get("/memory").expect(200).body;
    assert!(page.contains("cargo test") && page.contains("the heart") && page.contains("src/a.rs"));
    world.write("src/a.rs", "fn b() {}\n");
    assert!(browser.get("/memory").expect(200).body.contains("of older content"));
    assert_eq!(browser.post("/memory/intent", &[("text", " ")]).status, 400);
    assert_eq!(browser.post("/memory/nonsense", &[("text", "x")]).status, 404);

    browser.post("/lessons/add", &[("text", "Run the tests first"), ("paths", "src/**")]).expect(303);
    let page = browser.get("/lessons").expect(200).body;
    assert!(
        page.contains("Run the tests first")
            && world.read("LESSONS.md").is_some_and(|text| text.contains("Run the tests first"))
    );
    let id = between(
        &page,
        "action=\"/lessons/remove\" data-inline><input type=\"hidden\" name=\"csrf\" value=\"",
        "</form>",
    );
    let id = between(id, "name=\"id\" value=\"", "\"").to_owned();
    browser.post("/lessons/pin", &[("id", &id), ("pinned", "1")]).expect(303);
    browser.post("/lessons/remove", &[("id", &id)]).expect(303);
    assert!(!browser.get("/lessons").expect(200).body.contains("Run the tests first"));

    browser
        .post("/settings", &[("name", "retention.turns"), ("value", "250"), ("target", "user")])
        .expect(303);
    assert!(browser.get("/settings").expect(200).body.contains("value=\"250\""));
    let bad =
        browser.post("/settings", &[("name", "retention.turns"), ("value", "many"), ("target", "user")]);
    assert!((400..500).contains(&bad.status), "{}", bad.status);

    let values = [("client", "cursor"), ("capability", "memory_full_read"), ("hours", "8")];
    let asked = browser.post("/permissions/grant", &values).expect(303);
    browser.confirm(&asked, &notices);
    let page = browser.get("/permissions").expect(200).body;
    assert!(page.contains("<strong>cursor</strong>"));
    let grants = engine::grants::list(&world.engine()).expect("grants").grants;
    assert_eq!(grants[0].made_at, "web");
    browser.post("/permissions/revoke", &[("id", &grants[0].id)]).expect(303);
    assert!(!browser.get("/permissions").expect(200).body.contains("<strong>cursor</strong>"));
}

#[test]
fn where_two_tools_disagree_a_person_settles_it() {
    let world = World::new();
    let engine = world.engine();
    for (tool, text) in [("cursor", "build the shop"), ("codex", "build the blog")] {
        engine::memory::remember(&engine, tool, &engine::memory::Remember::Intent(text.to_owned()))
            .expect("said");
    }
    let browser = world.browser();
    let page = browser.get("/memory").expect(200).body;
    assert!(
        page.contains("Two tools disagree")
            && page.contains("build the shop")
            && page.contains("build the blog")
    );
    browser.post("/memory/settle-intent", &[("text", "build the shop, then the blog")]).expect(303);
    let page = browser.get("/memory").expect(200).body;
    assert!(!page.contains("Two tools disagree") && page.contains("build the shop, then the blog"));
}

#[test]
fn what_waits_for_a_yes_is_shown_with_what_it_would_do() {
    let (world, notices) = World::with_terminal();
    world.write("a.txt", "good\n");
    let id = world.save(None, Some("works"));
    world.write("a.txt", "broken\n");
    let engine = world.engine();
    let query =
        engine::recover::Query { checkpoint: Some(id), tool: "mcp:cursor".to_owned(), ..Default::default() };
    let counts = engine::diff::Detail::Counts;
    let preview =
        engine::recover::preview(&engine, &query, engine::recover::Choice::Named, counts, &store::Silent);
    let preview = preview.expect("a plan");
    let request = |summary: &str| engine::approvals::Request {
        client: "cursor".to_owned(),
        capability: engine::grants::Capability::RecoveryApply,
        plan: Some(preview.plan.clone()),
        digest: preview.digest.clone(),
        summary: summary.to_owned(),
    };
    let yes = engine::approvals::request(&engine, &request("put a.txt back")).expect("asked");
    let no = engine::approvals::request(&engine, &request("once more")).expect("asked");
    let browser = world.browser();
    let page = browser.get("/permissions").expect(200).body;
    for words in ["put a.txt back", "<code>a.txt</code>", "Allow this once"] {
        assert!(page.contains(words), "{words}");
    }
    let asked = browser.post("/permissions/approve", &[("id", &yes.id)]).expect(303);
    browser.confirm(&asked, &notices);
    browser.post("/permissions/refuse", &[("id", &no.id)]).expect(303);
    assert!(!browser.get("/permissions").expect(200).body.contains("Allow this once"));
    let (client, capability) = ("cursor", engine::grants::Capability::RecoveryApply);
    assert!(
        engine::approvals::take(&engine, &yes.id, client, capability, &preview.digest)
            .expect("a yes")
            .approved
    );
    assert!(engine::approvals::take(&engine, &no.id, client, capability, &preview.digest).is_err());
    assert_eq!(world.read("a.txt").as_deref(), Some("broken\n"), "a yes alone changes nothing");
}

#[test]
fn what_is_too_long_for_a_page_is_named_and_nothing_is_cut_in_the_middle() {
    let world = World::new();
    let lines = |word: &str, count: usize| format!("{word} {word} {word} {word}\n").repeat(count);
    let names = ["a.txt", "b.txt", "c.txt", "z.txt"];
    for name in names {
        world.write(name, &lines("old", 22_000));
    }
    world.write("long.txt", &lines("old", 70_000));
    world.write("long.bin", &format!("\0{}", lines("old", 70_000)));
    world.save(None, Some("works"));
    for name in names {
        world.write(name, &lines("new", 22_000));
    }
    world.write("long.txt", &lines("new", 70_000));
    world.write("long.bin", &format!("\0{}", lines("new", 70_000)));
    let report = world.api("GET", "/api/diff", None).expect(200).json();
    let files = report["data"]["files"].as_array().expect("files").clone();
    assert_eq!(files.len(), 6);
    let named = |name: &str| files.iter().find(|file| file["path"] == name).cloned().expect("the file");
    // Two of them fill an answer; the others are counted.
    for (name, shown) in [("a.txt", true), ("b.txt", true), ("c.txt", false), ("z.txt", false)] {
        let file = named(name);
        assert_eq!((&file["added"], file["diff"].is_string()), (&22_000.into(), shown), "{name}");
        assert_eq!(file["note"].is_string(), !shown, "{name}");
    }
    assert_eq!(named("long.txt")["note"], "too long to compare line by line");
    assert_eq!(named("long.bin")["binary"], true);
    let page = world.browser().get("/diff").expect(200).body;
    assert_eq!(page.matches("<details class=file").count(), 6);
    assert_eq!(page.matches("There is too much here to show it line by line.").count(), 3);
}
