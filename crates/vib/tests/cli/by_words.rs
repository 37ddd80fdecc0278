//! Requests and sessions as a person names them, after real hooks told of every step.

use serde_json::{Value, json};
use testkit::{Photo, Sandbox};

use super::shop;

struct Claude<'s> {
    shop: &'s Sandbox,
    session: &'s str,
}

impl Claude<'_> {
    fn hook(&self, event: &str, more: &Value) {
        let mut payload =
            json!({"session_id": self.session, "cwd": self.shop.root(), "hook_event_name": event});
        for (name, value) in more.as_object().into_iter().flatten() {
            payload[name] = value.clone();
        }
        let input = payload.to_string();
        Sandbox::run_with_input(&mut self.shop.command(&["hook", "claude-code"]), &input).ok();
    }

    fn prompt(&self, words: &str) {
        self.hook("UserPromptSubmit", &json!({"prompt": words}));
    }

    fn write(&self, path: &str, text: &str) {
        let mut call = json!({
            "tool_name": "Write",
            "tool_use_id": format!("{}-{path}-{}", self.session, text.len()),
            "tool_input": {"file_path": self.shop.root().join(path), "content": text},
        });
        self.hook("PreToolUse", &call);
        self.shop.write(path, text);
        call["tool_response"] = json!({"success": true});
        self.hook("PostToolUse", &call);
    }
}

fn with_a_discount(shop: &Sandbox) {
    let claude = Claude { shop, session: "s" };
    claude.prompt("Add a discount to the cart");
    claude.write("src/discount.js", "export const discount = 5\n");
    claude.write("src/cart.js", "cart\ndiscount()\n");
}

#[test]
fn a_request_named_by_its_words_is_taken_back_as_a_whole_after_an_undo_and_redo_b2() {
    let shop = shop();
    shop.checkpoint("good");
    let good = Photo::of(&shop.root());
    with_a_discount(&shop);
    for _ in 0..2 {
        shop.vib(&["undo", "r1", "--yes"]).ok();
        Photo::of(&shop.root()).assert_same(&good);
        shop.vib(&["redo", "--yes"]).ok();
    }
    let told = shop.vib(&["history"]).ok().stdout;
    assert!(told.contains("vib redo: doing again “Add a discount to the cart”"), "{told}");
    shop.vib(&["undo", "the discount", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&good);
}

#[test]
fn what_a_request_made_and_somebody_changed_since_is_named_and_stays_b2() {
    let shop = shop();
    shop.checkpoint("good");
    with_a_discount(&shop);
    shop.write("src/discount.js", "export const discount = 5\nconst mine = 1\n");
    let told = shop.vib(&["undo", "the discount", "--dry-run"]).ok().stdout;
    assert!(told.contains("Stays as it is, because it was worked on since: src/discount.js"), "{told}");
}

#[test]
fn a_session_is_named_by_its_beginning_and_an_unknown_one_is_an_error_m2() {
    let shop = shop();
    shop.checkpoint("good");
    for session in ["0a1b2c3d-first", "0a9f-second"] {
        let claude = Claude { shop: &shop, session };
        claude.prompt(&format!("Work of {session}"));
        claude.write("src/cart.js", &format!("{session}\n"));
    }
    let told = shop.vib(&["history", "--session", "0a1"]).ok().stdout;
    assert!(told.contains("Work of 0a1b2c3d-first") && !told.contains("0a9f-second"), "{told}");
    let shown = shop.vib(&["show", "r1"]).ok().stdout;
    assert!(shown.contains("session 0a1b2c3d-first"), "{shown}");
    let both = shop.vib(&["history", "--session", "0a"]);
    assert!(both.code == 2 && both.stderr.contains("fits 2 sessions"), "{}", both.stderr);
    let none = shop.vib(&["history", "--session", "zz"]);
    assert_ne!(none.code, 0);
    assert!(none.stderr.contains("session `zz`") && none.stderr.contains("0a9f-second"), "{}", none.stderr);
    assert_ne!(shop.vib(&["undo", "--session", "zz", "--yes"]).code, 0);
    shop.vib(&["undo", "--session", "0a9", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "0a1b2c3d-first\n");
}

fn two_features(shop: &Sandbox) {
    let claude = Claude { shop, session: "s" };
    claude.prompt("add feature one");
    claude.write("src/one.js", "export const one = 1\n");
    claude.prompt("add feature two");
    claude.write("src/two.js", "export const two = 2\n");
    claude.prompt("fix a typo in the README");
    claude.write("README.md", "hello\n");
}

/// What a dry run would take away or change.
fn planned(shop: &Sandbox, words: &[&str]) -> String {
    let told = shop.vib(&[&["undo", "--dry-run"], words].concat());
    let is_file = |line: &&str| line.trim_start().starts_with(['~', '+', '-']);
    told.stdout.lines().filter(is_file).map(|line| line.trim().to_owned() + "\n").collect()
}

#[test]
fn a_request_is_found_by_its_exact_words_its_number_and_its_place_m8() {
    let shop = shop();
    shop.checkpoint("good");
    two_features(&shop);
    for words in [
        &["feature one"][..],
        &["add feature one"],
        &["request 1"],
        &["r1 please"],
        &["r1", "please"],
        &["the first request"],
        &["첫 번째 요청"],
        &["第一个请求"],
        &["最初の依頼"],
    ] {
        let files = planned(&shop, words);
        assert!(files.contains("src/one.js") && files.lines().count() == 1, "{words:?}: {files}");
    }
    for words in [
        &["fix a typo in the README"][..],
        &["README"],
        &["the last request"],
        &["last change"],
        &["마지막 요청"],
        &["最后一个请求"],
    ] {
        let files = planned(&shop, words);
        assert!(files.contains("README.md") && files.lines().count() == 1, "{words:?}: {files}");
    }
    let files = planned(&shop, &["all but the last request"]);
    assert!(files.contains("one.js") && files.contains("two.js") && !files.contains("README"), "{files}");
    let files = planned(&shop, &["everything claude did"]);
    assert_eq!(files.lines().count(), 3, "{files}");
    // One letter means nothing, neither a request nor a file nor a checkpoint.
    for letter in ["o", "s", "k"] {
        assert_ne!(shop.vib(&["undo", letter, "--dry-run"]).code, 0, "{letter}");
    }
}

#[test]
fn a_complaint_takes_nothing_away_and_is_never_refused_b1_m2() {
    let shop = shop();
    shop.checkpoint("good");
    with_a_discount(&shop);
    for words in [
        "the discount is gone",
        "where is my discount?",
        "할인이 사라졌어",
        "折扣没了",
        "cart.js が動かなくなった",
    ] {
        let told = shop.vib(&["undo", words, "--dry-run"]);
        assert_eq!(told.code, 0, "{words}: {} {}", told.stdout, told.stderr);
        assert!(!told.stdout.contains("I did not understand"), "{words}: {}", told.stdout);
        let files = planned(&shop, &[words]);
        assert!(!files.contains("discount.js"), "{words}: {files}");
    }
}

#[test]
fn what_was_not_understood_is_asked_back_in_the_persons_language_m3() {
    let shop = shop();
    shop.checkpoint("good");
    two_features(&shop);
    for (words, said) in [
        ("위시리스트 되돌려줘", "이해하지 못한"),
        ("撤销愿望单", "没有听懂"),
        ("keep everything", "nothing is done"),
    ] {
        let told = shop.vib(&["undo", words, "--yes"]);
        assert_ne!(told.code, 0, "{words}");
        assert!(
            (told.stdout.clone() + &told.stderr).contains(said),
            "{words}: {} {}",
            told.stdout,
            told.stderr
        );
    }
    assert_eq!(shop.read("README.md"), "hello\n");
}

#[test]
fn a_client_goes_by_its_usual_names_and_an_unknown_one_is_an_error_that_lists_them() {
    let shop = shop();
    shop.checkpoint("good");
    two_features(&shop);
    for name in ["claude-code", "claude", "Claude Code", "CLAUDE"] {
        let told = shop.vib(&["undo", "--agent", name, "--dry-run"]).ok().stdout;
        assert!(told.contains("README.md"), "{name}: {told}");
        assert!(shop.vib(&["history", "--agent", name]).ok().stdout.contains("add feature one"), "{name}");
    }
    for command in [&["undo", "--dry-run", "--agent", "cluade"][..], &["history", "--agent", "cluade"]] {
        let none = shop.vib(command);
        assert_ne!(none.code, 0);
        assert!(none.stderr.contains("cluade") && none.stderr.contains("`claude-code`"), "{}", none.stderr);
    }
    let shown = shop.vib(&["show", "r1", "src/one.js"]).ok().stdout;
    assert!(shown.contains("one = 1"), "{shown}");
}
