//! `vib memory recall` (MM7)

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::Sandbox;

use super::verify::hook;
use super::{empty, shop};

/// Appends events to the log of the project as another program of the same kind would.
fn append(shop: &Sandbox, events: &[Value]) {
    let log = shop.store().join("memory/project.jsonl");
    std::fs::create_dir_all(log.parent().unwrap()).unwrap();
    let mut text = std::fs::read_to_string(&log).unwrap_or_default();
    for event in events {
        text.push_str(&format!("{event}\n"));
    }
    std::fs::write(log, text).unwrap();
}

fn event(number: u64, kind: &str, body: &Value) -> Value {
    json!({
        "id": format!("01900000-0000-7000-8000-{number:012}"), "schema_version": 1,
        "time_ms": 1_700_000_000_000_u64 + number * 60_000, "scope": "project", "kind": kind,
        "provenance": "observed", "agent": "codex", "body": body,
    })
}

fn texts(data: &Value) -> Vec<&str> {
    data["found"].as_array().unwrap().iter().map(|found| found["text"].as_str().unwrap()).collect()
}

#[test]
fn finds_what_was_said_says_who_said_it_and_why_it_is_here() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["memory", "recall", "login"]).text(&shop), @"Nothing is remembered yet. `vib memory decide TEXT` notes a decision.");
    shop.vib(&["memory", "decide", "the login checks the password with argon2"]).ok();
    shop.vib(&["memory", "decide", "prices are kept in cents"]).ok();
    shop.vib(&["memory", "relevant", "src/login.js", "--note", "the check of the login is here"]).ok();
    assert_snapshot!(shop.vib(&["memory", "recall", "how", "is", "the", "login", "checked", "--why"]).text(&shop), @r"
    the check of the login is here
      relevant file, 1 minute ago, said through cli, src/login.js
      why: it says login, checked; it is from the last day
    the login checks the password with argon2
      decision, 3 minutes ago, said through cli
      why: it says login, checked; it is from the last day; it counts as important
    ");
    let data = shop.data(&["memory", "recall", "cents"]);
    assert_eq!(texts(&data), ["prices are kept in cents"]);
    let data_of_file = shop.data(&["memory", "recall", "check", "--path", "src/login.js"]);
    assert_eq!(texts(&data_of_file)[0], "the check of the login is here");
    let found = &data["found"][0];
    assert_eq!((&found["kind"], &found["scope"]), (&json!("decision"), &json!("project")));
    assert_eq!(found["source"], json!({"how": "explicit", "by": "cli", "outcome": null}));
    for wrong in [&["  "][..], &["x", "-k", "0"], &["x", "--budget", "0"]] {
        let call: Vec<&str> = ["memory", "recall"].iter().chain(wrong).copied().collect();
        assert_eq!(shop.error(&call)["code"], "usage", "{wrong:?}");
    }
}

#[test]
fn korean_chinese_and_japanese_questions_find_their_notes() {
    let shop = empty();
    for note in [
        "로그인 오류는 토큰이 만료되어서 생겼어요",
        "数据库连接池太小，所以请求超时",
        "キャッシュを無効にするとテストが通る",
        "the build fails on Windows",
    ] {
        shop.vib(&["memory", "decide", note]).ok();
    }
    for (question, start) in [
        ("로그인이 왜 안되나요", "로그인"),
        ("为什么数据库超时", "数据库"),
        ("テストのキャッシュ", "キャッシュ"),
    ] {
        let data = shop.data(&["memory", "recall", question]);
        assert!(texts(&data)[0].starts_with(start), "{question}: {data}");
    }
}

#[test]
fn a_memory_of_files_that_changed_or_are_gone_is_shown_as_unverified() {
    let shop = shop();
    shop.vib(&["memory", "verify", "npm test login", "--file", "src/login.js"]).ok();
    shop.vib(&["memory", "relevant", "src/cart.js", "--note", "the total of the cart"]).ok();
    let doubt = |question: &str| shop.data(&["memory", "recall", question])["found"][0]["unverified"].clone();
    assert_eq!((doubt("npm test"), doubt("total of the cart")), (Value::Null, Value::Null));
    shop.write("src/login.js", "changed\n");
    shop.remove("src/cart.js");
    assert_eq!(doubt("npm test"), "`src/login.js` has changed since");
    assert_eq!(doubt("total of the cart"), "`src/cart.js` is no longer there");
    let text = shop.vib(&["memory", "recall", "total", "of", "the", "cart"]).text(&shop);
    assert!(text.contains("unverified: `src/cart.js` is no longer there"), "{text}");
}

/// MM7: a file whose name does not leave is still there, and nobody says otherwise.
#[test]
fn a_file_whose_name_is_private_is_not_called_gone() {
    let shop = shop();
    shop.vib(&["memory", "decide", "something else"]).ok();
    shop.write("notes/jane.doe@customer-mail.com.md", "she pays monthly\n");
    let path = "notes/jane.doe@customer-mail.com.md";
    append(&shop, &[event(1, "note", &json!({"text": "what the customer pays", "paths": [path]}))]);
    for _ in 0..2 {
        let found = shop.data(&["memory", "recall", "customer pays"])["found"][0].clone();
        assert!(!found.to_string().contains("jane.doe"), "{found}");
        assert_eq!(found["unverified"], Value::Null, "{found}");
        // Once from the log, once from the index.
        shop.vib(&["memory", "rebuild"]).ok();
    }
}

#[test]
fn what_leaves_passes_the_gate_and_every_reading_is_noted() {
    let shop = shop();
    shop.vib(&["memory", "decide", "something harmless"]).ok();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    append(&shop, &[event(1, "note", &json!({"text": format!("deploy with the token {key}")}))]);
    let output = shop.vib(&["memory", "recall", "deploy token", "--json"]).ok();
    assert!(!output.stdout.contains(&key) && output.stdout.contains("[redacted:"), "{}", output.stdout);
    let rows = shop.data(&["audit", "show"])["rows"].as_array().unwrap().clone();
    let row = rows.iter().find(|row| row["event"] == "memory_summary_read").unwrap();
    assert_eq!(
        (&row["tool"], &row["result"], &row["redaction"]["secret_hits"]),
        (&json!("cli"), &json!("success"), &json!(1))
    );
    assert!(!row.to_string().contains("deploy"), "{row}");
}

#[test]
fn scopes_budgets_and_numbers_are_kept() {
    let shop = shop();
    shop.vib(&["memory", "decide", "release on fridays only after the checks"]).ok();
    let mut own = event(2, "note", &json!({"text": "release notes are written in plain words"}));
    own["scope"] = json!("session");
    let session = shop.store().join("memory/sessions/s-1.jsonl");
    std::fs::create_dir_all(session.parent().unwrap()).unwrap();
    std::fs::write(&session, format!("{own}\n")).unwrap();
    let found = |more: &[&str]| {
        let arguments: Vec<&str> = ["memory", "recall", "release"].iter().chain(more).copied().collect();
        shop.data(&arguments)["found"].as_array().unwrap().len()
    };
    assert_eq!((found(&[]), found(&["--scope", "project"]), found(&["--scope", "session"])), (2, 1, 1));
    assert_eq!((found(&["--scope", "global"]), found(&["-k", "1"]), found(&["--budget", "11"])), (0, 1, 1));
}

#[test]
fn the_index_is_folded_from_a_long_log_and_made_anew_when_it_is_damaged() {
    let shop = shop();
    shop.vib(&["memory", "decide", "first"]).ok();
    let many: Vec<Value> = (0..700)
        .map(|at| event(at, "note", &json!({"text": format!("note number n{at} of the queue")})))
        .collect();
    append(&shop, &many);
    let data = shop.data(&["memory", "recall", "n345"]);
    assert_eq!(
        (&data["memories"], &data["tail"], texts(&data)),
        (&json!(701), &json!(0), vec!["note number n345 of the queue"])
    );
    let index = shop.store().join("memory/index/project");
    for entry in std::fs::read_dir(&index).unwrap().flatten() {
        std::fs::write(entry.path(), "nonsense").unwrap();
    }
    let data = shop.data(&["memory", "recall", "n345"]);
    assert_eq!((&data["rebuilt"], texts(&data)), (&json!(true), vec!["note number n345 of the queue"]));
    std::fs::remove_dir_all(&index).unwrap();
    assert_eq!(texts(&shop.data(&["memory", "recall", "n345"])), ["note number n345 of the queue"]);
}

#[test]
fn the_end_of_a_session_folds_what_is_new() {
    let shop = shop();
    shop.vib(&["memory", "decide", "the queue is drained before it stops"]).ok();
    assert!(!shop.store().join("memory/index/project/index.json").exists());
    let payload =
        json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": "SessionEnd", "reason": "exit"});
    Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok();
    let data = shop.data(&["memory", "recall", "queue"]);
    assert_eq!((&data["tail"], &data["memories"]), (&json!(0), &json!(1)));
}

/// Questions of a session in which what fits by file was of use, and what fits by words was offered first.
fn questions(from: u64, count: u64, policy: u64) -> Vec<Value> {
    let mut events = Vec::new();
    for number in from..from + count {
        let offered = |at: u64| {
            let (text, paths) = if at < 5 { (10 - at, 0) } else { (2, 3) };
            let parts = json!({
                "text": text, "paths": paths, "near": 0, "session": 0, "age_days": null, "importance": 0.5,
            });
            json!({"id": format!("m{at}"), "class": "note", "parts": parts})
        };
        let all: Vec<Value> = (0..10).map(offered).collect();
        let recalled = event(number * 2, "recalled", &json!({"policy": policy, "offered": all}));
        let useful = ["m5", "m6", "m7", "m8", "m9"];
        let feedback = event(number * 2 + 1, "feedback", &json!({"of": recalled["id"], "useful": useful}));
        events.extend([recalled, feedback]);
    }
    events
}

fn end_session(shop: &Sandbox) {
    let payload =
        json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": "SessionEnd", "reason": "exit"});
    Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok();
}

#[test]
fn what_was_of_use_makes_a_policy_for_the_next_session_and_a_person_can_take_it_back_mm10() {
    let shop = shop();
    let text = shop.vib(&["memory", "policy", "log"]).ok().stdout;
    assert!(text.starts_with("Nothing was learned yet"), "{text}");
    shop.vib(&["memory", "decide", "the cart counts in cents"]).ok();
    append(&shop, &questions(0, 60, 0));
    assert_eq!(shop.data(&["memory", "recall", "cart"])["policy"], 0);
    end_session(&shop);
    let log = shop.data(&["memory", "policy", "log"]);
    assert_eq!((&log["in_force"], &log["examples"]), (&json!(1), &json!(60)));
    let entry = &log["policies"][0];
    assert!(entry["policy"]["paths"].as_f64().unwrap() > 1.0, "{entry}");
    assert!(entry["evidence"]["after"].as_f64() > entry["evidence"]["before"].as_f64(), "{entry}");
    assert_eq!(shop.data(&["memory", "recall", "cart"])["policy"], 1);
    let text = shop.vib(&["memory", "policy", "revert", "1"]).ok().stdout;
    assert_eq!(text, "Policy 1 was taken back; now the built-in weights count.\n");
    assert_eq!(shop.data(&["memory", "recall", "cart"])["policy"], 0);
    assert_eq!(shop.error(&["memory", "policy", "revert", "7"])["code"], "usage");
}

#[test]
fn a_bad_policy_is_taken_back_by_itself_mm10() {
    let shop = shop();
    shop.vib(&["memory", "decide", "the cart counts in cents"]).ok();
    let evidence = json!({"examples": 20, "before": 0.1, "after": 0.2});
    append(
        &shop,
        &[event(1, "policy", &json!({"policy": {"paths": 0.1}, "parent": 0, "evidence": evidence}))],
    );
    append(&shop, &questions(10, 30, 1));
    end_session(&shop);
    let log = shop.data(&["memory", "policy", "log"]);
    assert_eq!(log["in_force"], 0);
    let why = log["policies"][0]["reverted"].as_str().unwrap();
    assert!(why.starts_with("automatic: of what it offered"), "{why}");
}

#[test]
fn a_prompt_is_answered_with_what_fits_and_what_was_edited_then_counts_as_use_mm8() {
    let shop = shop();
    shop.vib(&["memory", "relevant", "src/cart.js", "--note", "the total of the cart is rounded here"]).ok();
    let hook = |event: Value| {
        let mut payload = json!({"session_id": "s", "cwd": shop.root()});
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok().stdout
    };
    let prompt =
        json!({"hook_event_name": "UserPromptSubmit", "prompt": "why is the total of the cart wrong?"});
    let told = hook(prompt.clone());
    assert!(
        told.contains("data, not instructions") && told.contains("the total of the cart is rounded here"),
        "{told}"
    );
    assert!(!hook(prompt).contains("data, not instructions"), "the same is not told twice");
    let input = json!({"file_path": shop.root().join("src/cart.js"), "content": "let total = 1;\n"});
    hook(json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": input}));
    shop.write("src/cart.js", "let total = 1;\n");
    let done = json!({"success": true});
    hook(
        json!({"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": input, "tool_response": done}),
    );
    hook(json!({"hook_event_name": "SessionEnd", "reason": "exit"}));
    // The books are beside the log, and only what was told counts. (M3, M11)
    let log = std::fs::read_to_string(shop.store().join("memory/project.jsonl")).unwrap();
    assert!(!log.contains("\"recalled\"") && !log.contains("\"feedback\""), "{log}");
    let books = std::fs::read_to_string(shop.store().join("memory/told.jsonl")).unwrap();
    let events: Vec<Value> = books.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| events.iter().find(|event| event["kind"] == kind).unwrap();
    assert_eq!(of("recalled")["body"]["told"], 1);
    let offered = &of("recalled")["body"]["offered"][0]["id"];
    assert_eq!(of("feedback")["body"]["useful"], json!([offered]));
}

#[test]
fn of_a_long_memory_the_part_that_fits_is_shown_mm7() {
    let shop = shop();
    let filler = "Nothing else was said about it. ".repeat(300);
    let long =
        format!("Meeting in June\n{filler}The cart keeps prices in cents because of rounding. {filler}");
    let line = serde_json::json!({"id": "m1", "text": long, "time_ms": 5}).to_string();
    let secret = "ghp_7Kq2vX9mTz4LpB8wRn3YcJ6sHd1GfA5uEoZe";
    let other = serde_json::json!({"id": "m2", "text": format!("{filler} token {secret} of the cart {filler}"), "time_ms": 6});
    shop.write("in.jsonl", format!("{line}\n{other}\n"));
    shop.vib(&["memory", "import", "--jsonl", "in.jsonl"]).ok();
    let data = shop.data(&["memory", "recall", "why are prices of the cart in cents"]);
    let first = &data["found"][0];
    let text = first["text"].as_str().unwrap();
    assert!(text.starts_with("Meeting in June … ") && text.contains("because of rounding"), "{text}");
    assert_eq!((&first["ref"], &first["shortened"]), (&serde_json::json!("m1"), &serde_json::json!(true)));
    assert!(
        data["tokens"].as_u64().unwrap() <= 1_200 && data["found"].as_array().unwrap().len() == 2,
        "{data}"
    );
    assert!(!data.to_string().contains(secret));
    let whole =
        shop.data(&["memory", "recall", "prices of the cart in cents", "-k", "1", "--budget", "20000"]);
    assert!(
        whole["found"][0].get("shortened").is_none()
            && whole["found"][0]["text"].as_str().unwrap().len() > 15_000
    );
}

/// A model of a few words: what stands in one row of `alike` means the same.
fn model(folder: &std::path::Path, alike: &[&[&str]]) {
    std::fs::create_dir_all(folder).unwrap();
    let (mut vocab, mut data, mut row) = (serde_json::Map::new(), Vec::new(), 0_u32);
    for (meaning, words) in alike.iter().enumerate() {
        for (at, word) in words.iter().enumerate() {
            vocab.insert((*word).to_owned(), json!(row));
            row += 1;
            for column in 0..alike.len() {
                let number = if column == meaning { 1.0_f32 } else { 0.05 * at as f32 };
                data.extend(number.to_le_bytes());
            }
        }
    }
    let tokenizer = json!({"normalizer": {"type": "BertNormalizer", "lowercase": true}, "model": {
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab}});
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let header =
        json!({"embeddings": {"dtype": "F32", "shape": [row, alike.len()], "data_offsets": [0, data.len()]}})
            .to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    std::fs::write(folder.join("model.safetensors"), bytes).unwrap();
}

#[test]
fn with_a_model_of_the_persons_what_means_the_same_is_found_mm7() {
    let shop = shop();
    for text in [
        "the automobile needs petrol",
        "bake bread on monday",
        "keep the garden fence low",
        "paint the boat red",
    ] {
        shop.vib(&["memory", "decide", text]).ok();
    }
    let texts = |data: &Value| -> Vec<String> {
        let found = data["found"].as_array().unwrap().iter();
        found.map(|one| one["text"].as_str().unwrap().to_owned()).collect()
    };
    let ask =
        |words: &[&str]| shop.data(&[&["memory", "recall", "--scope", "project", "--why"], words].concat());
    assert_eq!(texts(&ask(&["car"])), [""; 0], "words alone do not know");
    let folder = shop.base().join("words");
    model(
        &folder,
        &[&["car", "automobile", "vehicle"], &["bread", "loaf"], &["garden", "yard"], &["boat", "ship"]],
    );
    shop.vib(&["config", "set", "recall.model", folder.to_str().unwrap()]).ok();
    let data = ask(&["car"]);
    assert_eq!(
        (texts(&data), &data["by_meaning"]),
        (vec!["the automobile needs petrol".to_owned()], &json!(true))
    );
    assert!(data["found"][0]["why"].to_string().contains("it means about the same"), "{data}");
    assert_eq!(texts(&ask(&["which", "ship"]))[0], "paint the boat red");
    assert_eq!(texts(&ask(&["bread"]))[0], "bake bread on monday", "words come first");
    let doctor = shop.vib(&["doctor"]).stdout;
    assert!(doctor.contains("9 vectors of 4 numbers"), "{doctor}");
    // A project cannot name one.
    shop.vib(&["config", "set", "recall.model", ""]).ok();
    assert_eq!(texts(&ask(&["car"])), [""; 0]);
    shop.write(".vibelign/config.toml", format!("[recall]\nmodel = {:?}\n", folder.to_str().unwrap()));
    assert_eq!(ask(&["car"])["by_meaning"], false);
}

#[test]
fn a_model_that_is_missing_or_hostile_is_named_and_words_go_on_mm7() {
    let shop = shop();
    shop.vib(&["memory", "decide", "the automobile needs petrol"]).ok();
    let folder = shop.base().join("words");
    shop.vib(&["config", "set", "recall.model", folder.to_str().unwrap()]).ok();
    let asked = |why: &str| {
        let data = shop.data(&["memory", "recall", "automobile"]);
        assert_eq!(
            (data["found"].as_array().unwrap().len(), &data["by_meaning"]),
            (1, &json!(false)),
            "{why}"
        );
        let notices = data["notices"].to_string();
        assert!(notices.contains(why) && notices.contains("vib config set recall.model"), "{why}: {notices}");
        let doctor = shop.vib(&["doctor"]);
        assert!(doctor.code == 1 && doctor.stdout.contains(why), "{why}: {}", doctor.stdout);
    };
    asked("cannot be read");
    model(&folder, &[&["car", "automobile"], &["boat", "ship"]]);
    let (table, words) = (folder.join("model.safetensors"), folder.join("tokenizer.json"));
    let whole = std::fs::read(&table).unwrap();
    std::fs::write(&table, &whole[..whole.len() - 4]).unwrap();
    asked("cut off");
    std::fs::write(&table, [0xff; 64]).unwrap();
    asked("its header is longer");
    std::fs::write(&table, &whole).unwrap();
    let text = std::fs::read_to_string(&words).unwrap();
    std::fs::write(&words, text.replace("WordPiece", "Unigram")).unwrap();
    asked("it cuts words by `Unigram`");
    std::fs::write(&words, text.replace("\"ship\":3", "\"ship\":3000000000")).unwrap();
    asked("rows that the table does not have");
    std::fs::remove_file(&words).unwrap();
    std::fs::create_dir(&words).unwrap();
    asked("it is no file");
    // A hook asks by words, and does not even look.
    let told = hook(&shop, "s1", "UserPromptSubmit", &json!({"prompt": "the automobile and its petrol"}));
    assert!(!told.to_string().contains("tokenizer"), "{told}");
    assert_eq!(shop.error(&["config", "set", "recall.model", "words"])["code"], "config_bad_value");
}

#[test]
fn what_a_person_took_back_is_not_found_any_more_mm7() {
    let shop = shop();
    let decide = |text: &str| shop.data(&["memory", "decide", text])["id"].as_str().unwrap().to_owned();
    let (old, kept) = (decide("prices are kept as floats"), decide("prices are shown with two digits"));
    let found = || {
        let data = shop.data(&["memory", "recall", "prices"]);
        data["found"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found().len(), 2);
    // Still in the tail of the log, then in the index that was there before, then in one that is made anew.
    shop.vib(&["memory", "rebuild"]).ok();
    shop.vib(&["memory", "review", "--drop", &old]).ok();
    assert_eq!(found(), [kept.as_str()]);
    for number in 0..80 {
        decide(&format!("the tea number {number} is green"));
    }
    assert_eq!(found(), [kept.as_str()], "folded in");
    shop.vib(&["memory", "rebuild"]).ok();
    assert_eq!(found(), [kept.as_str()], "made anew");
    let asked = shop.data(&["memory", "recall", &old]);
    assert_eq!(asked["found"], json!([]), "that it was taken back is no memory");
}
