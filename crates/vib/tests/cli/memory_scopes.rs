//! `vib memory --scope`, `promote`, `tiers`: sessions, the project, and everything a person does (MM1, MM8, MM9, MM13)

use insta::assert_snapshot;
use redact::template::expand;
use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;
use super::verify::{edit, hook, log, shell};

const DAY_MS: u64 = 86_400_000;
const START_MS: u64 = 1_800_000_000_000;

fn found(shop: &Sandbox, scope: &str, query: &str) -> Vec<(String, String)> {
    let data = shop.data(&["memory", "recall", "--scope", scope, query]);
    let word = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    data["found"].as_array().unwrap().iter().map(|one| (word(one, "kind"), word(one, "text"))).collect()
}

/// A turn of an agent that runs one command.
fn turn(shop: &Sandbox, session: &str, prompt: &str, command: &str, fails: bool) {
    hook(shop, session, "UserPromptSubmit", &json!({"prompt": prompt}));
    shell(shop, session, command, fails);
    hook(shop, session, "Stop", &json!({}));
}

fn session_logs(shop: &Sandbox) -> Vec<Vec<Value>> {
    let Ok(entries) = std::fs::read_dir(shop.store().join("memory/sessions")) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let logs = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    logs.map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    })
    .collect()
}

#[test]
fn a_session_keeps_what_was_asked_and_run_once_a_turn_mm1() {
    let shop = shop();
    hook(&shop, "s1", "UserPromptSubmit", &json!({"prompt": "what is this?"}));
    hook(&shop, "s1", "Stop", &json!({}));
    assert!(session_logs(&shop).is_empty(), "a turn that did nothing is no event");
    hook(
        &shop,
        "s1",
        "UserPromptSubmit",
        &json!({"prompt": format!("add a discount for oolong tea, token {}", expand("ghp_<an:36>", 1))}),
    );
    edit(&shop, "s1", "src/cart.js", "let total = 1;\n");
    edit(&shop, "s1", "src/cart.js", "let total = 2;\n");
    shell(&shop, "s1", "node tools/prices.js --table oolong", true);
    shell(&shop, "s1", "npm test", true);
    hook(&shop, "s1", "Stop", &json!({}));
    hook(&shop, "s1", "Stop", &json!({}));
    hook(&shop, "s1", "SessionEnd", &json!({"reason": "exit"}));
    let logs = session_logs(&shop);
    assert_eq!(logs.len(), 1);
    let short: Vec<(&Value, &Value, &Value)> =
        logs[0].iter().map(|event| (&event["kind"], &event["scope"], &event["outcome"])).collect();
    assert_eq!(
        short,
        [
            (&json!("command"), &json!("session"), &json!("failure")),
            (&json!("turn"), &json!("session"), &Value::Null)
        ]
    );
    assert_eq!(logs[0][1]["body"]["paths"], json!(["src/cart.js"]));
    assert!(!logs[0][1].to_string().contains("ghp_"), "no secret is kept: {}", logs[0][1]);
    assert!(log(&shop).iter().any(|event| event["kind"] == "verification"), "a check is the project's");
    let session = found(&shop, "session", "oolong");
    assert_eq!(session.len(), 2, "{session:?}");
    assert_eq!(found(&shop, "project", "oolong"), []);
    assert!(found(&shop, "all", "oolong").starts_with(&session), "the rest only stands beside it");
}

#[test]
fn sessions_without_a_word_at_the_end_of_a_turn_are_noted_with_the_next_prompt() {
    let shop = shop();
    for prompt in ["sell oolong", "sell sencha"] {
        hook(&shop, "s1", "UserPromptSubmit", &json!({"prompt": prompt}));
        edit(&shop, "s1", "src/cart.js", prompt);
    }
    hook(&shop, "s1", "SessionEnd", &json!({"reason": "exit"}));
    let told: Vec<Value> = session_logs(&shop)[0].iter().map(|event| event["body"]["text"].clone()).collect();
    assert_eq!(told, ["sell oolong", "sell sencha"]);
}

#[test]
fn what_is_said_for_all_projects_is_found_in_another_one_mm13() {
    let (here, there) = (shop(), shop());
    let shared = here.base().join("shared-memory");
    let shared = shared.to_str().unwrap();
    let run =
        |shop: &Sandbox, words: &[&str]| Sandbox::run(shop.command(words).env("AI_MEMORY_PATH", shared));
    assert_snapshot!(run(&here, &["memory", "decide", "--scope", "global", "Never", "use", "floats", "for", "money"]).text(&here), @"Remembered for all projects: decision.");
    run(&here, &["memory", "risk", "--scope", "global", "the staging key is shared"]).ok();
    assert!(std::path::Path::new(shared).join("global.jsonl").exists());
    assert!(log(&here).is_empty(), "it is not the project's");
    for scope in ["global", "all"] {
        let output = run(&there, &["memory", "recall", "--json", "--scope", scope, "money"]).ok();
        let data: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(data["data"]["found"][0]["text"], "Never use floats for money", "{scope}: {data}");
    }
    assert_eq!(found(&there, "all", "money"), [], "without the variable it is another memory");
    assert_snapshot!(run(&there, &["memory"]).text(&there), @r"
    Decided for all projects
      Never use floats for money  (3 minutes ago, cli)
    Watch out in all projects
      the staging key is shared  (2 minutes ago, cli)
    ");
    // An agent is told at the beginning of its session, in any project.
    let payload = json!({"session_id": "s", "cwd": there.root(), "hook_event_name": "SessionStart", "source": "startup"});
    let mut command = there.command(&["hook", "claude-code"]);
    let told =
        Sandbox::run_with_input(command.env("AI_MEMORY_PATH", shared), &payload.to_string()).ok().stdout;
    assert!(
        told.contains("Decided by the person for all projects: \\\"Never use floats for money\\\""),
        "{told}"
    );
    // Taken back from anywhere, it is gone everywhere.
    let output = run(&there, &["memory", "--json"]).ok();
    let data: Value = serde_json::from_str(&output.stdout).unwrap();
    let id = data["data"]["general"]["decisions"][0]["id"].as_str().unwrap().to_owned();
    run(&there, &["memory", "review", "--drop", &id]).ok();
    assert!(!run(&here, &["memory"]).ok().stdout.contains("floats"));
}

#[test]
fn without_a_place_for_it_nothing_is_said_for_all_projects_mm13() {
    let shop = shop();
    let mut command = shop.command(&["memory", "decide", "--scope", "global", "x", "--json"]);
    let output = Sandbox::run(command.env_remove("HOME").env_remove("XDG_CONFIG_HOME"));
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((output.code, &answer["error"]["code"]), (3, &json!("no_global_memory")), "{answer}");
    assert!(answer["error"]["next"].as_str().unwrap().contains("AI_MEMORY_PATH"), "{answer}");
    let output = Sandbox::run(
        shop.command(&["memory", "recall", "--scope", "all", "x"])
            .env_remove("HOME")
            .env_remove("XDG_CONFIG_HOME"),
    );
    assert_eq!(output.code, 0, "{}", output.stderr);
}

#[test]
fn what_proved_itself_moves_up_through_every_gate_mm9() {
    let shop = shop();
    turn(&shop, "s1", "show the prices", "node tools/prices.js", true);
    let id = session_logs(&shop)[0][0]["id"].as_str().unwrap().to_owned();
    let refused = shop.vib(&["memory", "promote", &id]);
    assert_eq!(refused.code, 1);
    assert_snapshot!(refused.text(&shop), @r"
    Not remembered for this project: `node tools/prices.js` fails here (once)
      yes  goals, decisions and next steps are a person's to say, and are never moved
      no   seen at least 3 times; it was seen 1
      no   in at least 2 sessions; it was seen in 1
      yes  at most one time in three otherwise; it was otherwise 0 times
      yes  seen in the last two months
      no   a strength of at least 0.5; it has 0.41 (it fades with time)
      yes  holds no secrets and no private details
    --- exit 1
    ");
    assert!(log(&shop).is_empty());
    // The same in two more sessions.
    for session in ["s2", "s3"] {
        turn(&shop, session, "show the prices", "node tools/prices.js", true);
    }
    assert_snapshot!(shop.vib(&["memory", "promote", &id]).text(&shop), @r"
    Now remembered for this project: `node tools/prices.js` fails here again and again (3 times)
      yes  goals, decisions and next steps are a person's to say, and are never moved
      yes  seen at least 3 times; it was seen 3
      yes  in at least 2 sessions; it was seen in 3
      yes  at most one time in three otherwise; it was otherwise 0 times
      yes  seen in the last two months
      yes  a strength of at least 0.5; it has 0.68 (it fades with time)
      yes  holds no secrets and no private details
    ");
    let event = log(&shop).pop().unwrap();
    assert_eq!(
        (&event["kind"], &event["scope"], &event["provenance"]),
        (&json!("anti_pattern"), &json!("project"), &json!("observed"))
    );
    assert!(shop.vib(&["memory", "promote", &id]).ok().stdout.starts_with("Known before, in this project"));
    assert_eq!(log(&shop).len(), 1);
    // Three times are not enough for everywhere.
    let pattern = event["id"].as_str().unwrap();
    let report = shop.vib(&["memory", "promote", pattern, "--to", "global", "--json"]);
    let data: Value = serde_json::from_str(&report.stdout).unwrap();
    let no: Vec<&str> = data["data"]["gates"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|gate| gate["passed"] == false)
        .map(|gate| gate["gate"].as_str().unwrap())
        .collect();
    assert_eq!((report.code, no), (1, vec!["too_few", "too_few_tasks", "too_weak", "one_project"]), "{data}");
    for at in 4..10 {
        turn(&shop, &format!("s{at}"), "show the prices", "node tools/prices.js", true);
    }
    // One project may be the odd one: another one has to show it too.
    let refused = shop.vib(&["memory", "promote", pattern]);
    assert!(
        refused.code == 1 && refused.stdout.contains("no   seen in at least 2 projects; it was seen in 1"),
        "{}",
        refused.stdout
    );
    let here = shop.store().join("memory/sessions");
    let sessions = shop.state().join("projects/other-project/memory/sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    for entry in std::fs::read_dir(here).unwrap().flatten() {
        std::fs::copy(entry.path(), sessions.join(entry.file_name())).unwrap();
    }
    assert_eq!(shop.data(&["memory", "promote", pattern])["to"], "global");
    assert_eq!(found(&shop, "global", "prices").len(), 1);
    std::fs::remove_dir_all(shop.state().join("projects/other-project")).unwrap();
    // What a person said is theirs.
    shop.vib(&["memory", "decide", "prices are in cents"]).ok();
    let decision = log(&shop).pop().unwrap()["id"].as_str().unwrap().to_owned();
    let refused = shop.vib(&["memory", "promote", &decision]);
    assert!(
        refused.code == 1 && refused.stdout.contains("vib memory decide --scope global"),
        "{}",
        refused.stdout
    );
    assert_eq!(shop.error(&["memory", "promote", "nothing"])["code"], "usage");
}

#[test]
fn what_fails_in_session_after_session_is_no_memory_by_itself_and_told_to_nobody_t10_m1() {
    let shop = shop();
    for session in ["s1", "s2", "s3", "s4"] {
        turn(&shop, session, "show the prices", "node tools/prices.js", true);
        hook(&shop, session, "SessionEnd", &json!({"reason": "exit"}));
    }
    // It may work by now; only a person moves it up, and what is told of it is computed when it fails again.
    assert_eq!(log(&shop), [Value::Null; 0]);
    let told = hook(
        &shop,
        "s5",
        "UserPromptSubmit",
        &json!({"prompt": "show the prices with node tools/prices.js"}),
    );
    assert!(!told.to_string().contains("fails here"), "{told}");
}

#[test]
fn tiers_show_what_is_at_hand_what_went_cold_and_what_matters_mm8() {
    let shop = shop();
    shop.set_clock(START_MS - 200 * DAY_MS);
    for at in 0..3 {
        hook(&shop, "old", "UserPromptSubmit", &json!({"prompt": format!("{at}")}));
        edit(&shop, "old", "src/login.js", &format!("{at}\n"));
    }
    shop.vib(&["memory", "decide", "indent the parser module with tabs"]).ok();
    shop.set_clock(START_MS);
    shop.vib(&["memory", "decide", "indent the parser module with spaces"]).ok();
    edit(&shop, "new", "src/cart.js", "1\n");
    assert_snapshot!(shop.vib(&["memory", "tiers"]).text(&shop), @r"
    2 hot (new, or of use in the last two weeks), 1 warm, 3 cold (older than 90 days and not used)
    Most important
      0.64  indent the parser module with spaces  (decision, 3 minutes ago)  a person said so
      0.48  indent the parser module with tabs  (decision, 199 days ago)  a person said so, nothing else says it, something newer says otherwise
    Gone cold
      199 days ago: 3 memories (3 edit; src/login.js)
    ");
    let data = shop.data(&["memory", "tiers"]);
    assert_eq!(data["counts"], json!({"hot": 2, "warm": 1, "cold": 3}));
    assert_eq!(data["cold"][0]["memories"], 3);
    assert!(data["important"][1]["reasons"].to_string().contains("something newer says otherwise"), "{data}");
    assert_eq!(data["in_use"], 0, "nothing was weighed again yet");
    // The end of a session weighs again, and recall uses it: what was overtaken weighs less than it did.
    let score = |text: &str| {
        let words = ["memory", "recall", "--scope", "project", "--why", "how to indent the parser module"];
        let data = shop.data(&words);
        let found = data["found"].as_array().unwrap();
        let one = found.iter().find(|one| one["text"].as_str().unwrap().ends_with(text)).unwrap();
        one["score"].as_f64().unwrap()
    };
    let before = score("tabs") / score("spaces");
    hook(&shop, "new", "SessionEnd", &json!({"reason": "exit"}));
    let data = shop.data(&["memory", "tiers"]);
    assert!(data["in_use"].as_u64().unwrap() >= 1, "{data}");
    let after = score("tabs") / score("spaces");
    assert!(after < before * 0.95, "{before} {after}");
}
