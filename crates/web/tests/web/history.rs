//! The history of requests and steps, and the ways back in it, as a browser without scripts gets them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::agent::Agent;
use crate::world::{Browser, World, between};

/// A project in which one request did good work and another one spoilt files.
fn spoilt(world: &World) {
    world.write("src/cart.js", "export const total = 1;\n");
    world.write("src/pay.js", "import { total } from './cart.js';\nexport const pay = total;\n");
    world.write("README.md", "# Shop\n");
    world.save(None, Some("the shop works"));
    let mut agent = Agent::new(world, "first");
    agent.prompt("show prices with two decimals");
    agent.edit("src/cart.js", "export const total = 1.00;\n");
    agent.prompt("make it look nicer");
    agent.command("npm run tidy", || {
        world.remove("src/pay.js");
        world.write("README.md", "");
    });
}

/// The number of the step with this command.
fn step_of(world: &World, words: &str) -> String {
    let history = world.api("GET", "/api/history?all=true&limit=1000", None).expect(200).json();
    let entries = history["data"]["entries"].as_array().expect("entries").clone();
    let steps = entries.iter().filter_map(|entry| entry["steps"].as_array()).flatten();
    let found = steps.clone().find(|step| step["what"].as_str().is_some_and(|what| what.contains(words)));
    let found = found.unwrap_or_else(|| panic!("no step with {words}: {history}"));
    found["number"].as_str().expect("a number").to_owned()
}

/// Looks, says yes to exactly that, and reads the result.
fn undo(browser: &Browser<'_>, values: &[(&str, &str)]) -> String {
    let query: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let page = browser.get(&format!("/undo?{}", query.join("&"))).expect(200).body;
    let digest = between(&page, "name=\"digest\" value=\"", "\"").to_owned();
    let mut form = values.to_vec();
    form.push(("digest", &digest));
    let done = browser.post("/undo", &form).expect(303);
    let job = done.header("location").expect("a job").to_owned();
    assert!(job.starts_with("/undo/job/"), "{job}");
    for _ in 0..600 {
        let page = browser.get(&job).expect(200).body;
        if !page.contains("<progress") {
            return page;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the job does not end");
}

#[test]
fn h1_each_step_has_its_command_and_its_own_files_and_its_undo_brings_them_back() {
    let world = World::new();
    spoilt(&world);
    let browser = world.browser();
    let page = browser.get("/history").expect(200).body;
    for words in ["make it look nicer", "npm run tidy", "1 command", "show prices with two decimals"] {
        assert!(page.contains(words), "{words}");
    }
    let number = step_of(&world, "npm run tidy");
    let row = between(&page, &format!("<li class=\"step\" id=\"{number}\">"), "</li></ol>");
    assert!(row.contains("src/pay.js") && row.contains("README.md") && !row.contains("src/cart.js"), "{row}");
    assert!(row.contains("2 files lost") && row.contains(&format!("/undo?what={number}")), "{row}");
    let one = browser.get(&format!("/step/{number}")).expect(200).body;
    assert!(
        one.contains("npm run tidy")
            && one.contains("Undo this step")
            && one.contains("class=\"diff unified\"")
    );
    let preview = browser.get(&format!("/undo?what={number}")).expect(200).body;
    assert!(
        preview.contains("The state of now is saved first")
            && preview.contains("Everything that came later stays")
    );
    assert!(world.read("src/pay.js").is_none(), "looking changes nothing");
    let result = undo(&browser, &[("what", &number)]);
    assert!(
        result.contains("You are back.") && result.contains("What should the AI do differently next time?")
    );
    assert!(world.read("src/pay.js").is_some_and(|text| text.contains("pay = total")));
    assert_eq!(world.read("README.md").as_deref(), Some("# Shop\n"));
    assert_eq!(
        world.read("src/cart.js").as_deref(),
        Some("export const total = 1.00;\n"),
        "the good work stays"
    );
    let after = browser.get("/history").expect(200).body;
    assert!(after.contains("taken back") && after.contains("vib undo") && after.contains("/undo?what=redo"));
    // One row in the log, through the page.
    let rows = engine::audit::show(&world.engine(), 0).expect("the log").rows;
    let applied: Vec<_> =
        rows.iter().filter(|row| row.row.event == engine::audit::Event::RecoveryApply).collect();
    assert_eq!(applied.len(), 1);
    assert_eq!(applied[0].row.confirmed_via, Some(engine::audit::ConfirmedVia::Web));
    assert_eq!(applied[0].row.tool, "web");
    // The agent that is at work hears of it with its next request.
    let told = Agent::new(&world, "first").prompt("go on").to_string();
    assert!(told.contains("src/pay.js"), "{told}");
}

#[test]
fn h2_what_was_stopped_stands_there_with_the_reason() {
    let world = World::new();
    spoilt(&world);
    let mut agent = Agent::new(&world, "first");
    agent.prompt("make room on the disk");
    let said = agent.command("rm -rf ~", || panic!("it must not run"));
    assert!(said.to_string().contains("deny"), "{said}");
    let browser = world.browser();
    let page = browser.get("/history?stopped=1").expect(200).body;
    assert!(page.contains("rm -rf ~") && page.contains("stopped by vib") && !page.contains("npm run tidy"));
    let number = step_of(&world, "rm -rf ~");
    let one = browser.get(&format!("/step/{number}")).expect(200).body;
    assert!(one.contains("stopped by vib") && one.contains("It changed no file."), "{one}");
    assert!(!one.contains("Undo this step"), "there is nothing to take back");
    assert!(browser.get("/").expect(200).body.contains("dot stopped"));
}

#[test]
fn h4_later_work_stays_and_what_was_changed_again_is_asked_about() {
    let world = World::new();
    let lines = |changes: &[(usize, &str)]| -> String {
        (1..=20)
            .map(|at| match changes.iter().find(|(line, _)| *line == at) {
                Some((_, text)) => format!("{text}\n"),
                None => format!("line {at}\n"),
            })
            .collect()
    };
    world.write("a.txt", &lines(&[]));
    world.save(None, Some("works"));
    let mut agent = Agent::new(&world, "first");
    agent.prompt("first change");
    agent.edit("a.txt", &lines(&[(2, "two"), (18, "eighteen")]));
    agent.prompt("second change");
    agent.edit("a.txt", &lines(&[(2, "zwei"), (10, "ten"), (18, "eighteen")]));
    let browser = world.browser();
    let preview = browser.get("/undo?what=r1").expect(200).body;
    assert!(
        preview.contains("1 place was changed again since")
            && preview.contains("lines that it wrote, at line 2, were changed since"),
        "{preview}"
    );
    let key = between(&preview, "name=\"take\" value=\"", "\"").to_owned();
    let result = undo(&browser, &[("what", "r1")]);
    assert!(result.contains("These were changed again since"), "{result}");
    assert_eq!(world.read("a.txt"), Some(lines(&[(2, "zwei"), (10, "ten")])), "only what is its own");
    // Redo is the same shape, and brings back what was there.
    let preview = browser.get("/undo?what=redo").expect(200).body;
    assert!(preview.contains("Redo what was undone?"));
    let result = undo(&browser, &[("what", "redo")]);
    assert!(result.contains("You are back.") && !result.contains("differently next time"), "{result}");
    assert_eq!(world.read("a.txt"), Some(lines(&[(2, "zwei"), (10, "ten"), (18, "eighteen")])));
    // The person chooses the conflict, too.
    undo(&browser, &[("what", "r1"), ("take", &key.replace(' ', "%20"))]);
    assert_eq!(world.read("a.txt"), Some(lines(&[(10, "ten")])));
}

#[test]
fn h4_when_all_of_it_was_changed_again_the_page_asks_instead_of_failing() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.save(None, Some("works"));
    let mut agent = Agent::new(&world, "first");
    agent.prompt("first change");
    agent.edit("a.txt", "two\n");
    agent.prompt("second change");
    agent.edit("a.txt", "three\n");
    let browser = world.browser();
    let page = browser.get("/undo?what=r1").expect(200).body;
    assert!(page.contains("Choose below") && !page.contains("name=\"digest\""), "{page}");
    assert!(browser.get("/undo?what=r1&take=all").expect(200).body.contains("name=\"digest\""));
    undo(&browser, &[("what", "r1"), ("take", "all")]);
    assert_eq!(world.read("a.txt").as_deref(), Some("one\n"));
}

#[test]
fn h6_a_file_has_a_history_of_its_own_and_comes_back_from_it() {
    let world = World::new();
    spoilt(&world);
    let browser = world.browser();
    let page = browser.get("/history/src/cart.js").expect(200).body;
    assert!(page.contains("show prices with two decimals") && !page.contains("make it look nicer"));
    let number = step_of(&world, "npm run tidy");
    let one = browser.get(&format!("/step/{number}")).expect(200).body;
    let before = between(&one, "As it was before", "</li>");
    assert!(before.contains("README.md"), "{before}");
    // Only this file, by the step.
    undo(&browser, &[("what", &number), ("path", "src/pay.js")]);
    assert!(world.read("src/pay.js").is_some());
    assert_eq!(world.read("README.md").as_deref(), Some(""), "the other file was not asked for");
    // Only this file, as it was in a checkpoint.
    let told = world.api("GET", &format!("/api/steps/{number}"), None).expect(200).json();
    let id = told["data"]["before_id"].as_str().expect("a checkpoint").to_owned();
    undo(&browser, &[("what", &id), ("path", "README.md")]);
    assert_eq!(world.read("README.md").as_deref(), Some("# Shop\n"));
    // One function of a file.
    world.write("lib.rs", "fn one() -> u8 {\n    1\n}\n\nfn two() -> u8 {\n    2\n}\n");
    world.save(None, Some("a library"));
    let mut agent = Agent::new(&world, "first");
    agent.prompt("other numbers");
    agent.edit("lib.rs", "fn one() -> u8 {\n    11\n}\n\nfn two() -> u8 {\n    22\n}\n");
    undo(&browser, &[("what", "last"), ("path", "lib.rs"), ("function", "two")]);
    assert_eq!(
        world.read("lib.rs").as_deref(),
        Some("fn one() -> u8 {\n    11\n}\n\nfn two() -> u8 {\n    2\n}\n")
    );
    let outside = browser.get("/history/../../etc/passwd").status;
    assert!((400..500).contains(&outside), "{outside}");
    assert_eq!(browser.get("/history/no/such/file").status, 404);
}

#[test]
fn a_yes_to_something_else_is_shown_again() {
    let world = World::new();
    spoilt(&world);
    let browser = world.browser();
    let number = step_of(&world, "npm run tidy");
    let page = browser.get(&format!("/undo?what={number}")).expect(200).body;
    let digest = between(&page, "name=\"digest\" value=\"", "\"").to_owned();
    world.write("README.md", "somebody went on working\n");
    let again = browser.post("/undo", &[("what", &number), ("digest", &digest)]).expect(303);
    assert!(again.header("location").is_some_and(|to| to.starts_with("/undo?what=")), "{}", again.head);
    assert_eq!(world.read("README.md").as_deref(), Some("somebody went on working\n"));
    assert!(world.read("src/pay.js").is_none());
    assert_eq!(browser.post("/undo", &[("what", &number)]).status, 400, "a yes names what it is to");
    assert_eq!(browser.get("/undo?what=s99999").status, 404);
    assert_eq!(browser.get("/step/s99999").status, 404);
    assert_eq!(browser.get("/step/nonsense").status, 404);
    assert_eq!(browser.get("/request/r99999").status, 404);
}

#[test]
fn the_history_is_narrowed_as_on_the_command_line() {
    let world = World::new();
    spoilt(&world);
    let mut other = Agent::new(&world, "second");
    other.prompt("write a blog");
    other.edit("blog.md", "# Blog\n");
    let browser = world.browser();
    let shows = |query: &str, words: &str| browser.get(query).expect(200).body.contains(words);
    assert!(
        shows("/history?session=second", "write a blog") && !shows("/history?session=second", "npm run tidy")
    );
    assert!(
        shows("/history?agent=claude-code", "npm run tidy") && shows("/history?agent=claude", "npm run tidy")
    );
    let nobody = browser.get("/history?agent=codex");
    assert!(
        nobody.status == 404 && nobody.body.contains("claude-code"),
        "who worked here is said: {}",
        nobody.body
    );
    assert!(shows("/history?file=src", "npm run tidy") && !shows("/history?file=src", "write a blog"));
    assert!(shows("/history?since=1h", "write a blog"));
    assert!(shows("/history", "the shop works") && !shows("/history?session=second", "the shop works"));
    assert_eq!(browser.get("/history?since=nonsense").status, 400);
    assert_eq!(browser.get("/history?before=nonsense").status, 400);
    assert_eq!(browser.get("/timeline").expect(308).header("location"), Some("/history"));
}

#[test]
fn pages_put_together_are_the_whole_and_a_request_is_in_one_piece() {
    let world = World::new();
    world.write("a.txt", "0\n");
    world.save(None, Some("works"));
    let mut long = Agent::new(&world, "long");
    let mut short = Agent::new(&world, "short");
    long.prompt("the long request");
    long.edit("long.txt", "begun\n");
    for number in 0..40 {
        short.prompt(&format!("request number {number};"));
        short.edit("a.txt", &format!("{number}\n"));
        if number % 8 == 7 {
            world.save(None, Some(&format!("saved at {number}")));
        }
        if number == 30 {
            world.write("by-hand.txt", "by hand\n");
        }
        if number == 35 {
            long.edit("long.txt", "done\n");
        }
    }
    let key = |entry: &serde_json::Value| {
        let of = |name: &str, field: &str| entry[name][field].as_str().map(str::to_owned);
        of("request", "number")
            .or_else(|| of("checkpoint", "id"))
            .unwrap_or_else(|| entry["steps"][0]["number"].as_str().expect("a step").to_owned())
    };
    let get = |query: &str| {
        world.api("GET", &format!("/api/history?{query}"), None).expect(200).json()["data"].clone()
    };
    let all = get("limit=1000");
    let whole: Vec<String> = all["entries"].as_array().expect("entries").iter().map(key).collect();
    assert!(whole.len() > 45 && all["more"] == false, "{}", whole.len());
    for limit in [1, 7, 25] {
        let (mut put_together, mut place) = (Vec::new(), String::new());
        loop {
            let page = get(&format!("limit={limit}{place}"));
            let entries = page["entries"].as_array().expect("entries");
            assert!(entries.len() <= limit);
            for entry in entries {
                if entry["words"] == "the long request" {
                    assert_eq!(entry["steps"].as_array().map(Vec::len), Some(2), "in one piece");
                }
                put_together.push(key(entry));
            }
            match page["next"].as_str() {
                Some(next) => place = format!("&before={next}"),
                None => break,
            }
        }
        assert_eq!(put_together, whole, "{limit} at a time");
    }
    assert_eq!(whole.iter().collect::<BTreeSet<_>>().len(), whole.len(), "nothing is there twice");
    // And as a person leafs.
    let browser = world.browser();
    let first = browser.get("/history").expect(200).body;
    assert_eq!(first.matches("<article class=\"entry").count(), 25);
    let next = between(&first, "<a class=\"button\" href=\"/history?before=", "\"");
    let second = browser.get(&format!("/history?before={next}")).expect(200).body;
    assert_eq!(second.matches("<article class=\"entry").count(), whole.len() - 25);
    assert!(second.contains("request number 0;") && !second.contains("request number 39;"));
}

#[test]
fn a_request_is_taken_back_whole_although_somebody_worked_in_between() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.write("b.txt", "one\n");
    world.save(None, Some("works"));
    let mut agent = Agent::new(&world, "first");
    agent.prompt("change both");
    agent.edit("a.txt", "two\n");
    world.write("mine.txt", "by hand\n");
    // A command has the whole tree looked at, and what a person did meanwhile is found.
    agent.command("npm test", || {});
    agent.edit("b.txt", "two\n");
    undo(&world.browser(), &[("what", "last")]);
    assert_eq!(world.read("a.txt").as_deref(), Some("one\n"));
    assert_eq!(world.read("b.txt").as_deref(), Some("one\n"));
    assert_eq!(world.read("mine.txt").as_deref(), Some("by hand\n"));
}

#[test]
fn home_says_what_was_lost_by_what_and_brings_it_back() {
    let world = World::new();
    world.write("src/cart.js", "export const total = 1;\n");
    world.save(None, Some("works"));
    let browser = world.browser();
    let calm = browser.get("/").expect(200).body;
    assert!(!calm.contains("class=\"alarm\""), "nothing is lost");
    spoilt(&world);
    let home = browser.get("/").expect(200).body;
    let alarm = between(&home, "class=\"alarm\"", "</section>");
    for words in ["2 files were lost", "npm run tidy", "make it look nicer", "src/pay.js", "README.md"] {
        assert!(alarm.contains(words), "{words}: {alarm}");
    }
    assert!(alarm.contains("Bring the 2 files back"), "{alarm}");
    let link = between(alarm, "class=\"button primary\" href=\"", "\"").replace("&amp;", "&");
    let way_back = browser.get(&link).expect(200).body;
    assert!(
        way_back.contains("src/pay.js")
            && way_back.contains("README.md")
            && !way_back.contains("src/cart.js"),
        "{link}"
    );
    let number = step_of(&world, "npm run tidy");
    assert!(alarm.contains(&format!("/step/{number}")));
    // One dot for each step, with its name.
    let dot = format!("class=\"dot lost\" href=\"/step/{number}\" title=\"{number} lost files: npm run tidy");
    assert!(home.contains(&dot) && home.contains("dot edit"), "{home}");
    assert!(home.contains("At work now") && home.contains("high risk"));
    undo(&browser, &[("what", &number)]);
    assert!(!browser.get("/").expect(200).body.contains("class=\"alarm\""), "it is back");
}

#[test]
fn a_program_reads_the_history_and_looks_but_a_person_says_yes() {
    let world = World::new();
    spoilt(&world);
    let number = step_of(&world, "npm run tidy");
    let step = world.api("GET", &format!("/api/steps/{number}"), None).expect(200).json()["data"].clone();
    assert_eq!((&step["mark"], &step["lost"], &step["ending"]), (&json!("lost"), &json!(2), &json!("ran")));
    assert_eq!(step["diff"]["files"].as_array().map(Vec::len), Some(2));
    let request = step["request"].as_str().expect("a request").to_owned();
    assert_eq!(step["asked"]["number"], json!(request));
    let told = world.api("GET", &format!("/api/requests/{request}"), None).expect(200).json()["data"].clone();
    assert_eq!(told["entries"][0]["steps"][0]["number"], json!(number));
    assert_eq!(told["request"]["prompt"], "make it look nicer");
    let look = json!({"what": request});
    let preview = world.api("POST", "/api/undo/preview", Some(look)).expect(200).json()["data"].clone();
    let digest = preview["digest"].as_str().expect("a digest").to_owned();
    assert_eq!(preview["changes"]["files"].as_array().map(Vec::len), Some(2));
    let yes = json!({"what": request, "digest": digest});
    let refused = world.api("POST", "/api/undo/apply", Some(yes.clone())).expect(403).json();
    assert_eq!(refused["error"]["code"], "needs_person");
    let browser = world.browser();
    let wrong = json!({"what": request, "digest": "0".repeat(64)});
    let other = browser.api("/api/undo/apply", &wrong).expect(409).json();
    assert_eq!(other["error"]["code"], "changed_since_preview");
    assert!(world.read("src/pay.js").is_none(), "nothing was done");
    let done = browser.api("/api/undo/apply", &yes).expect(200).json();
    assert_eq!(done["data"]["confirmed_via"], "web");
    assert!(world.read("src/pay.js").is_some());
}

/// Who wrote what is there now stands in the margin of a diff, in both views, and beside nothing that went.
#[test]
fn a_diff_that_ends_now_has_the_writers_of_its_lines_in_the_margin() {
    let world = World::new();
    world.write("src/cart.js", "export const total = 1;\nexport const last = 9;\n");
    let before = world.save(None, Some("the shop works"));
    let mut agent = Agent::new(&world, "first");
    agent.prompt("add a cart");
    agent.edit("src/cart.js", "export const total = 1;\nexport const cart = [];\nexport const last = 9;\n");
    let text =
        "export const total = 1;\nexport const cart = [];\nexport const last = 9;\n// typed by a person\n";
    world.write("src/cart.js", text);
    agent.prompt("go on");
    let step = step_of(&world, "cart.js");
    let browser = world.browser();
    // The cell of the writer and the text of each line that came.
    let margin = |page: &str, words: &str| {
        let row = page
            .split("<tr")
            .skip(1)
            // The colours of the code, which may come a moment later, stand between its words.
            .find(|row| row.replace("</b>", "").replace("<b class=o>", "").contains(words))
            .unwrap_or_else(|| panic!("{words}: {page}"));
        between(row, "<td class=who>", "</td>").to_owned()
    };
    for view in ["unified", "split"] {
        let page = browser.get(&format!("/diff?from={before}&view={view}")).expect(200).body;
        let agents = margin(&page, "cart = []");
        assert!(
            agents.contains(&format!("/step/{step}\"")) && agents.contains("claude-code"),
            "{view}: {agents}"
        );
        let persons = margin(&page, "typed by a person");
        assert!(!persons.contains("/step/") && !persons.is_empty(), "{view}: {persons}");
    }
    // A diff between two saved states does not say who wrote what is there now.
    let page = browser.get(&format!("/diff?from={before}&to={before}")).expect(200).body;
    assert!(!page.contains("class=who"), "{page}");
    let page = browser.get("/why/src/cart.js").expect(200).body;
    assert!(page.contains("typed by a person") && page.contains(&format!("/step/{step}\"")), "{page}");
}
