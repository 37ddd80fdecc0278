//! The board: runs written down as whoever works on them does, read as a browser and as a program get them. (UI6)

use engine::run::compare::{Reason, ToldReason};
use engine::run::log::RunLog;
use engine::run::model::{
    By, CardRisk, CardStatus, CheckEvidence, FileChange, Limits, PlannedCard, RunEvent,
};
use serde_json::json;
use store::{CheckpointKind, Silent, SnapshotRequest};

use crate::world::{Answer, Browser, World, between};

fn vib() -> By {
    By::Vib { model: "local/small".to_owned() }
}

fn client(name: &str) -> By {
    By::Client { name: name.to_owned() }
}

fn begin(world: &World, task: &str, titles: &[&str]) -> RunLog {
    begin_from(world, task, titles, "bcdfghjk")
}

fn begin_from(world: &World, task: &str, titles: &[&str], from: &str) -> RunLog {
    let started = RunEvent::Started {
        task: task.to_owned(),
        from: from.to_owned(),
        by: vec![vib()],
        attempts: 1,
        limits: Limits { dollars: Some(1.0), ..Limits::default() },
    };
    let mut log = RunLog::create(&world.engine(), started).expect("a run");
    let card = |(at, title): (usize, &&str)| PlannedCard {
        id: format!("c{}", at + 1),
        title: (*title).to_owned(),
        acceptance: vec!["the test passes".to_owned()],
        steps: vec!["read".to_owned(), "write".to_owned()],
    };
    log.append(RunEvent::Planned { cards: titles.iter().enumerate().map(card).collect() }).expect("planned");
    log
}

fn status(log: &mut RunLog, card: &str, status: CardStatus, why: Option<&str>) {
    let (card, why) = (card.to_owned(), why.map(str::to_owned));
    let code = why.as_ref().map(|_| "gate".to_owned());
    log.append(RunEvent::Status { card, status, code, why }).expect("written");
}

fn began(log: &mut RunLog, card: &str, attempt: &str, by: By, lane: &str, before: &str) {
    log.append(RunEvent::AttemptBegan {
        card: card.to_owned(),
        attempt: attempt.to_owned(),
        by,
        lane: lane.to_owned(),
        before: before.to_owned(),
    })
    .expect("written");
}

fn ended(log: &mut RunLog, card: &str, attempt: &str, after: &str, dollars: Option<f64>) {
    log.append(RunEvent::AttemptEnded {
        card: card.to_owned(),
        attempt: attempt.to_owned(),
        ended: "done".to_owned(),
        text: "All tests pass now.".to_owned(),
        after: after.to_owned(),
        tree: format!("tree-{attempt}"),
        files: vec![FileChange { path: "src/cart.js".to_owned(), added: 3, removed: 1 }],
        tokens: None,
        dollars,
        milliseconds: 12_000,
    })
    .expect("written");
}

fn checked(log: &mut RunLog, card: &str, attempt: &str, status: &str, weakened: &[&str]) {
    log.append(RunEvent::Checked {
        card: card.to_owned(),
        attempt: attempt.to_owned(),
        tree: format!("tree-{attempt}"),
        checks: vec![CheckEvidence {
            command: "npm test".to_owned(),
            status: status.to_owned(),
            exit: Some(i32::from(status != "passed")),
            milliseconds: 2_300,
            tail: "12 tests ran <b>".to_owned(),
        }],
        findings: Vec::new(),
        weakened: weakened.iter().map(|path| (*path).to_owned()).collect(),
    })
    .expect("written");
}

/// One run with a card in every column, and one that waits for an answer.
fn two_runs(world: &World) {
    let titles = ["Add a total", "Show prices", "Log in", "Search", "Sort", "Undo", "Colours", "Old idea"];
    let mut log = begin(world, "Make the shop better", &titles);
    began(&mut log, "c2", "a1", vib(), "run1", "");
    for (card, dollars) in [("c3", Some(0.12)), ("c4", None), ("c5", Some(0.5)), ("c6", Some(0.02))] {
        began(&mut log, card, "a1", client("codex"), "run1", "");
        ended(&mut log, card, "a1", "x", dollars);
    }
    checked(&mut log, "c3", "a1", "passed", &[]);
    checked(&mut log, "c4", "a1", "failed", &["test/search.test.js"]);
    checked(&mut log, "c5", "a1", "passed", &[]);
    let meta = RunEvent::Meta {
        card: "c3".to_owned(),
        risk: CardRisk::High,
        note: "It touches the session.".to_owned(),
        assumptions: vec!["nobody is logged in twice".to_owned()],
    };
    log.append(meta).expect("written");
    status(&mut log, "c3", CardStatus::Preview, None);
    status(&mut log, "c4", CardStatus::Review, None);
    status(&mut log, "c5", CardStatus::Done, None);
    status(&mut log, "c6", CardStatus::Blocked, Some("the tests fail twice in the same way"));
    status(&mut log, "c7", CardStatus::Reverted, None);
    status(&mut log, "c8", CardStatus::Dropped, None);
    drop(log);
    let mut log = begin(world, "Write a manual", &["Introduction"]);
    log.append(RunEvent::Paused {
        card: Some("c1".to_owned()),
        code: "question".to_owned(),
        why: "In which language?".to_owned(),
        options: vec!["English".to_owned(), "Korean".to_owned()],
    })
    .expect("written");
}

/// What a person reads: the text of an element and what is in it, line by line.
fn text(page: &str) -> String {
    let main = between(page, "<h1>", "<p class=\"dim redacted-note\"").to_owned();
    // However slow the machine is.
    let mut main = main;
    while let Some(start) = main.find("<time ") {
        let end = main[start..].find("</time>").expect("its end") + start + "</time>".len();
        main.replace_range(start..end, "AGO");
    }
    let mut out = String::new();
    let mut inside = false;
    for letter in main.chars() {
        match letter {
            '<' => {
                inside = true;
                out.push('\n');
            }
            '>' => inside = false,
            letter if !inside => out.push(letter),
            _ => {}
        }
    }
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty() && *line != "·");
    lines.collect::<Vec<_>>().join("\n")
}

fn in_language(world: &World, path: &str, language: &str) -> String {
    let browser = world.browser();
    let cookie = format!("vib_language={language}");
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Cookie", cookie.as_str())];
    let answer = world.ask("GET", &browser.at(path), &headers, "").expect(200);
    // The note is not there when nothing was taken out.
    format!("{}<p class=\"dim redacted-note\"", answer.body.replace(&browser.base, ""))
}

#[test]
fn ui6_the_board_says_where_every_card_stands_in_three_languages() {
    let world = World::new();
    two_runs(&world);
    let page = in_language(&world, "/runs", "en");
    for column in ["todo", "running", "preview", "review", "done", "blocked"] {
        assert!(page.contains(&format!("id=\"column-{column}\"")), "{column}");
    }
    insta::assert_snapshot!("board-en", text(&page));
    insta::assert_snapshot!("board-ko", text(&in_language(&world, "/runs", "ko")));
    insta::assert_snapshot!("board-zh", text(&in_language(&world, "/runs", "zh")));
    // Home says that somebody waits, and leads there.
    let home = in_language(&world, "/", "en");
    assert!(home.contains("A run waits for you") && home.contains("In which language?"), "{home}");
    assert!(home.contains("2 cards wait for your yes") && home.contains("href=\"/runs\""));
}

#[test]
fn a_board_without_runs_says_how_to_begin_and_home_is_calm() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.get("/runs").expect(200).body;
    assert!(page.contains("There are no runs yet"));
    assert!(!browser.get("/").expect(200).body.contains("class=\"waits\""));
    browser.get("/runs/run1").expect(404);
    browser.get("/runs/run1/c1").expect(404);
    for odd in ["/runs/..%2f..", "/runs/run01", "/runs/x/c1", "/runs/run1/%2e%2e"] {
        browser.get(odd).expect(404);
    }
}

#[test]
fn ui6_a_run_shows_its_question_and_keeps_the_answer_until_somebody_goes_on() {
    let world = World::new();
    two_runs(&world);
    let browser = world.browser();
    let page = browser.get("/runs/run2").expect(200).body;
    assert!(page.contains("In which language?") && page.contains("vib run resume run2"), "{page}");
    let since = between(&page, "name=\"since\" value=\"", "\"").to_owned();
    browser.post("/runs/run2/answer", &[("since", "1"), ("answer", "Korean")]).expect(409);
    browser.post("/runs/run2/answer", &[("since", &since)]).expect(400);
    let answered = browser.post("/runs/run2/answer", &[("since", &since), ("choice", "Korean")]).expect(303);
    assert_eq!(answered.header("location"), Some("/runs/run2?said=answered"));
    let page = browser.get("/runs/run2?said=answered").expect(200).body;
    assert!(
        page.contains("Your answer is kept.") && page.contains("<blockquote>Korean</blockquote>"),
        "{page}"
    );
    // Nothing goes on by itself, and one may change one's mind until it does.
    let kept = || engine::run::kept_answer(&world.engine(), "run2").expect("read");
    assert_eq!(kept().as_deref(), Some("Korean"));
    browser.post("/runs/run2/answer", &[("since", &since), ("answer", "Both, please")]).expect(303);
    assert_eq!(kept().as_deref(), Some("Both, please"));
    let page = browser.get("/runs/run2").expect(200).body;
    assert!(page.contains("vib run resume run2 'Both, please'"), "{page}");
    // Somebody went on with it: it is no answer to what comes later.
    let mut log = RunLog::open(&world.engine(), "run2").expect("the run");
    log.append(RunEvent::Resumed { answer: kept() }).expect("written");
    assert_eq!(kept(), None);
    browser.post("/runs/run2/answer", &[("since", &since), ("choice", "English")]).expect(409);
}

#[test]
fn ui6_a_run_is_stopped_after_a_yes() {
    let world = World::new();
    let log = begin(&world, "Go on for ever", &["One"]);
    let browser = world.browser();
    let folder = log.folder().to_path_buf();
    let page = browser.get("/runs/run1").expect(200).body;
    assert!(page.contains("href=\"/runs/run1/stop\""), "{page}");
    assert!(browser.get("/runs/run1/stop").expect(200).body.contains("Yes, stop it"));
    assert!(!folder.join("stop").exists(), "looking stops nothing");
    let done = browser.post("/runs/run1/stop", &[]).expect(303);
    assert_eq!(done.header("location"), Some("/runs/run1?said=stopping"));
    assert!(log.stop_requested());
    drop(log);
    // Nobody is at work any more: it is written down as stopped.
    // A program that another test is just starting may have the lock for a moment, too.
    let stopped = (0..100).any(|_| {
        let done = browser.post("/runs/run1/stop", &[]).expect(303);
        std::thread::sleep(std::time::Duration::from_millis(20));
        done.header("location") == Some("/runs/run1?said=stopped")
    });
    assert!(stopped);
    assert!(browser.get("/runs/run1").expect(200).body.contains(">stopped<"));
    browser.post("/runs/run1/stop", &[]).expect(409);
}

/// Two attempts at one card in real lanes, of which one is recommended.
pub(crate) fn best_of_two(world: &World) {
    world.write("src/cart.js", "let total = 1;\nlet other = 2;\n");
    let from = world.save(None, Some("works"));
    let mut log = begin_from(world, "Add a total", &["Add a total"], &from);
    for (attempt, by, line) in
        [("a1", client("claude-code"), "let total = 2;\n"), ("a2", client("codex"), "")]
    {
        let name = format!("run1-c1-{attempt}");
        let wish =
            engine::lane::NewLane { name: Some(name.clone()), from: Some("now".to_owned()), made_by: None };
        let made = engine::lane::make(&world.engine(), &wish, &Silent).expect("a lane");
        let lane = engine::lane::engine_of(&world.engine(), &name).expect("the lane");
        let save = |message: &str| {
            let request = SnapshotRequest {
                message: Some(message.to_owned()),
                ..SnapshotRequest::new(CheckpointKind::Manual)
            };
            let saved = engine::checkpoint::create(&lane, &request, &[], &Silent).expect("saved");
            saved.saved.checkpoint.id.to_string()
        };
        let before = save("before");
        began(&mut log, "c1", attempt, by, &name, &before);
        let file = std::path::Path::new(&made.folder).join("src/cart.js");
        std::fs::write(file, format!("{line}let other = 2;\n")).expect("written");
        ended(&mut log, "c1", attempt, &save("after"), Some(0.25));
    }
    checked(&mut log, "c1", "a1", "passed", &[]);
    checked(&mut log, "c1", "a2", "passed", &["test/cart.test.js"]);
    log.append(RunEvent::CommandRan {
        card: "c1".to_owned(),
        n: 3,
        command: "npm run build".to_owned(),
        exit: Some(1),
        milliseconds: 900,
        tail: "it <script>breaks</script>".to_owned(),
    })
    .expect("written");
    log.append(RunEvent::Rejected {
        card: "c1".to_owned(),
        n: 4,
        code: "keep_region".to_owned(),
        message: "lines 3 to 9 are kept".to_owned(),
    })
    .expect("written");
    log.append(RunEvent::Compared {
        card: "c1".to_owned(),
        recommended: Some("a1".to_owned()),
        reasons: vec!["a1 passes the checks; a2 weakened a test".to_owned()],
        told: vec![ToldReason {
            attempt: Some("a2".to_owned()),
            reason: Reason::WeakenedTests { tests: vec!["test-weakened src/a.js:3".to_owned()] },
        }],
    })
    .expect("written");
    status(&mut log, "c1", CardStatus::Review, None);
}

#[test]
fn ui6_a_card_shows_its_evidence_and_the_attempts_beside_each_other() {
    let world = World::new();
    best_of_two(&world);
    let browser = world.browser();
    let page = browser.get("/runs/run1/c1").expect(200).body;
    for words in [
        "recommended",
        "claude-code",
        "codex",
        "tests were weakened",
        "a2: tests went or check less: `test-weakened src/a.js:3`",
        "npm run build",
        "exit code 1",
        "it &lt;script&gt;breaks",
        "the test passes",
        "All tests pass now.",
        "run1-c1-a1",
        "$0.25",
        "<span class=\"tag bad\">keep_region</span>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // The difference in its lane, by the rendering that every page has.
    assert!(page.contains("id=\"changes\"") && page.contains("class=\"diff unified\""), "{page}");
    assert!(page.contains("<mark>2</mark>") || page.contains("= 2;"), "{page}");
    let second = browser.get("/runs/run1/c1?attempt=a2&view=split").expect(200).body;
    assert!(second.contains("class=\"diff split\"") && second.contains("−1"), "{second}");
    browser.get("/runs/run1/c1?attempt=a9").expect(404);
    browser.get("/runs/run1/c9").expect(404);
}

/// Presses a button of the card and reads what it would do.
fn look(browser: &Browser<'_>, act: &str) -> String {
    browser.post("/runs/run1/c1/look", &[("act", act), ("attempt", "a1")]).expect(200).body
}

/// Says yes, and reads what came of it.
fn yes(browser: &Browser<'_>, act: &str, digest: &str) -> String {
    let done =
        browser.post("/runs/run1/c1/do", &[("act", act), ("attempt", "a1"), ("digest", digest)]).expect(303);
    let job = done.header("location").expect("the page of the job").to_owned();
    assert!(job.starts_with("/runs/job/"), "{job}");
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let page = browser.get(&job).expect(200).body;
        if !page.contains("<progress") || std::time::Instant::now() > end {
            return page;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

const BEFORE: &str = "let total = 1;\nlet other = 2;\n";
const APPLIED: &str = "let total = 2;\nlet other = 2;\n";

#[test]
fn ui6_a_card_comes_to_the_project_and_goes_again_each_after_a_look_and_a_yes() {
    let world = World::new();
    best_of_two(&world);
    let browser = world.browser();
    let card = browser.get("/runs/run1/c1").expect(200).body;
    for act in ["apply", "replay", "drop"] {
        assert!(card.contains(&format!("name=\"act\" value=\"{act}\"")), "{act}: {card}");
    }
    assert!(!card.contains("name=\"act\" value=\"revert\""), "there is nothing to take back");
    let page = look(&browser, "apply");
    assert!(page.contains("Nothing has changed yet") || page.contains("Yes, save and apply"), "{page}");
    assert!(page.contains("src/cart.js") && page.contains("class=\"diff unified\""), "{page}");
    assert_eq!(world.read("src/cart.js").as_deref(), Some(BEFORE), "looking changes nothing");
    let digest = between(&page, "name=\"digest\" value=\"", "\"").to_owned();
    // A yes to something else is no yes.
    let page = yes(&browser, "apply", &"0".repeat(64));
    assert!(page.contains("changed_since_preview"), "{page}");
    assert_eq!(world.read("src/cart.js").as_deref(), Some(BEFORE));
    let page = yes(&browser, "apply", &digest);
    assert!(page.contains("The card is in your project.") && page.contains("Undo this step"), "{page}");
    assert_eq!(world.read("src/cart.js").as_deref(), Some(APPLIED));
    let card = browser.get("/runs/run1/c1").expect(200).body;
    assert!(card.contains("in the project") && card.contains(">Done<"), "{card}");
    // And back, while what came later stays.
    world.write("later.txt", "mine\n");
    let page = look(&browser, "revert");
    let digest = between(&page, "name=\"digest\" value=\"", "\"").to_owned();
    let page = yes(&browser, "revert", &digest);
    assert!(page.contains("The card is taken back."), "{page}");
    assert_eq!(world.read("src/cart.js").as_deref(), Some(BEFORE));
    assert_eq!(world.read("later.txt").as_deref(), Some("mine\n"));
    let board = browser.get("/runs").expect(200).body;
    assert!(board.contains("1 card was taken back or put away"), "{board}");
}

#[test]
fn ui6_what_was_changed_otherwise_is_named_and_nothing_is_guessed() {
    let world = World::new();
    best_of_two(&world);
    world.write("src/cart.js", "let total = 77;\nlet other = 2;\n");
    let browser = world.browser();
    let page = look(&browser, "apply");
    assert!(
        page.contains("The same places were changed otherwise") && page.contains("src/cart.js"),
        "{page}"
    );
    let values = [("act", "apply"), ("attempt", "a1"), ("leave", "1")];
    let page = browser.post("/runs/run1/c1/look", &values).expect(200).body;
    assert!(page.contains("Left as they are: src/cart.js"), "{page}");
    browser.post("/runs/run1/c1/look", &[("act", "explode")]).expect(404);
}

#[test]
fn ui6_a_card_is_done_again_and_put_away_and_everything_is_kept() {
    let world = World::new();
    best_of_two(&world);
    let browser = world.browser();
    assert!(look(&browser, "replay").contains("Your project is not touched"));
    let page = yes(&browser, "replay", "");
    assert!(page.contains("It came out exactly as then."), "{page}");
    assert_eq!(world.read("src/cart.js").as_deref(), Some(BEFORE));
    assert!(look(&browser, "drop").contains("Yes, put it away"));
    let page = yes(&browser, "drop", "");
    assert!(page.contains("It is put away.") && page.contains("vib lane open run1-c1-a2"), "{page}");
    // The difference is still there to be read.
    let card = browser.get("/runs/run1/c1?attempt=a1").expect(200).body;
    assert!(card.contains("class=\"diff unified\"") && card.contains("put away"), "{card}");
}

#[test]
fn ui6_a_script_of_the_page_does_the_same_and_a_token_may_not() {
    let world = World::new();
    best_of_two(&world);
    let browser = world.browser();
    for act in ["apply", "revert", "replay", "drop"] {
        let answer =
            world.api("POST", &format!("/api/runs/run1/cards/c1/{act}"), Some(json!({}))).expect(403);
        assert_eq!(answer.json()["error"]["code"], "needs_person", "{act}");
    }
    let preview = browser.api("/api/runs/run1/cards/c1/apply", &json!({"attempt": "a1"})).expect(200).json();
    let digest = preview["data"]["digest"].as_str().expect("a digest").to_owned();
    assert_eq!(preview["data"]["changes"]["files"][0]["path"], "src/cart.js");
    let wrong = json!({"attempt": "a1", "digest": "0".repeat(64)});
    let answer = browser.api("/api/runs/run1/cards/c1/apply", &wrong).expect(409);
    assert_eq!(answer.json()["error"]["code"], "changed_since_preview");
    let right = json!({"attempt": "a1", "digest": digest});
    let done = browser.api("/api/runs/run1/cards/c1/apply", &right).expect(200).json();
    assert_eq!(done["data"]["confirmed_via"], "web");
    assert_eq!(world.read("src/cart.js").as_deref(), Some(APPLIED));
    browser.api("/api/runs/run1/cards/c1/apply", &right).expect(409);
    browser.api("/api/runs/run1/cards/c1/apply", &json!({"colour": 1})).expect(400);
}

#[test]
fn a_card_of_which_the_lane_is_gone_still_tells_everything_else() {
    let world = World::new();
    two_runs(&world);
    let mut log = RunLog::open(&world.engine(), "run2").expect("the run");
    began(&mut log, "c1", "a1", vib(), "run2", "bcdfghjk");
    ended(&mut log, "c1", "a1", "bcdfghjl", None);
    drop(log);
    let page = world.browser().get("/runs/run2/c1").expect(200).body;
    assert!(page.contains("What it changed cannot be shown") && page.contains("cost not known"), "{page}");
}

#[test]
fn ui6_programs_may_look_and_a_token_may_do_nothing() {
    let world = World::new();
    two_runs(&world);
    let board = world.api("GET", "/api/runs", None).expect(200).json();
    let columns = board["data"]["columns"].as_array().expect("columns");
    let words: Vec<_> = columns.iter().map(|column| column["status"].as_str().unwrap_or_default()).collect();
    assert_eq!(words, ["todo", "running", "preview", "review", "done", "blocked"]);
    assert_eq!(columns[2]["cards"][0]["title"], "Log in");
    assert_eq!(columns[2]["cards"][0]["check"], "passed");
    assert_eq!(columns[1]["cards"][0]["left_alone"], true);
    assert_eq!(board["data"]["waiting"][0]["options"][1], "Korean");
    let run = world.api("GET", "/api/runs/run1", None).expect(200).json();
    assert_eq!((&run["data"]["cards"][3]["id"], &run["data"]["running"]), (&json!("c4"), &json!(false)));
    let card = world.api("GET", "/api/runs/run1/cards/c3", None).expect(200).json();
    assert_eq!(card["data"]["note"], "It touches the session.");
    world.api("GET", "/api/runs/run9", None).expect(404);
    world.api("GET", "/api/runs/run1/cards/c99", None).expect(404);
    let refused = |answer: Answer| {
        assert_eq!(answer.expect(403).json()["error"]["code"], "needs_person");
    };
    refused(world.api("POST", "/api/runs/run1/stop", Some(json!({}))));
    refused(world.api("POST", "/api/runs/run2/resume", Some(json!({"answer": "Korean"}))));
    let browser = world.browser();
    browser.api("/api/runs/run2/resume", &json!({"answer": "Korean"})).expect(200);
    browser.api("/api/runs/run2/resume", &json!({"answer": "English", "since_ms": 1})).expect(409);
    browser.api("/api/runs/run1/resume", &json!({"answer": "English"})).expect(409);
    let stopped = browser.api("/api/runs/run1/stop", &json!({})).expect(200).json();
    assert_eq!(stopped["data"], json!({"run": "run1", "asked": false}));
}
