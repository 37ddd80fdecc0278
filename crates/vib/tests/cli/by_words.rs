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
