//! `vib recover` (RC1–RC11): what happened, what can be done, what it costs, in three languages; and the gates at the door.

use testkit::{Agent, Sandbox};

use super::shop;

/// An agent improves the cart, and one of its commands deletes the login.
fn incident() -> Sandbox {
    let shop = shop();
    let agent = Agent::new(&shop, "s-1");
    agent.prompt("make the cart faster");
    agent.edit("src/cart.js", "let total = 0;\nlet count = 0;\nlet cache = new Map();\n");
    agent.save_for("Bash");
    shop.remove("src/login.js");
    shop
}

#[test]
fn explains_in_english() {
    let shop = incident();
    let text = shop.vib(&["recover", "it", "broke"]).ok().text(&shop);
    insta::assert_snapshot!(text, @"");
}

#[test]
fn explains_in_korean() {
    let shop = incident();
    let text = shop.vib(&["recover", "망가졌어"]).ok().text(&shop);
    insta::assert_snapshot!(text, @"");
}

#[test]
fn explains_in_chinese() {
    let shop = incident();
    let text = shop.vib(&["recover", "坏了"]).ok().text(&shop);
    insta::assert_snapshot!(text, @"");
}

#[test]
fn previews_applies_and_returns() {
    let shop = incident();
    let preview = shop.vib(&["recover", "--preview"]).ok().text(&shop);
    insta::assert_snapshot!(preview, @"");
    assert!(!shop.exists("src/login.js"), "a preview changes nothing");
    let plan = shop.data(&["recover", "--preview"])["plan"].as_str().unwrap().to_owned();
    let done = shop.vib(&["recover", "--yes", "--plan", &plan]).ok().text(&shop);
    insta::assert_snapshot!(done, @"");
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
    assert!(shop.read("src/cart.js").contains("cache"), "the good work stays");
    let back = shop.vib(&["recover", "--return", "--yes"]).ok().text(&shop);
    insta::assert_snapshot!(back, @"");
    assert!(!shop.exists("src/login.js"));
}

#[test]
fn done_in_korean_and_chinese() {
    let shop = incident();
    for (language, wanted) in [("ko", "끝났어요."), ("zh", "完成了。")] {
        let preview = shop.vib(&["recover", "--preview", "--lang", language]).ok().text(&shop);
        let plan = shop.data(&["recover", "--preview"])["plan"].as_str().unwrap().to_owned();
        let done = shop.vib(&["recover", "--yes", "--plan", &plan, "--lang", language]).ok().text(&shop);
        assert!(done.contains(wanted), "{done}");
        let both = format!("{preview}---\n{done}");
        match language {
            "ko" => insta::assert_snapshot!(both, @""),
            _ => insta::assert_snapshot!(both, @""),
        }
        shop.vib(&["recover", "--return", "--yes"]).ok();
    }
}

#[test]
fn nothing_happens_without_a_yes_to_what_was_shown() {
    let shop = incident();
    assert_eq!(shop.error(&["recover", "--apply"])["code"], "needs_confirmation");
    assert_eq!(shop.error(&["recover", "--yes", "--plan", "abcdef"])["code"], "plan_unknown");
    assert_eq!(shop.vib(&["recover", "--yes"]).code, 2);
    let plan = shop.data(&["recover", "--preview"])["plan"].as_str().unwrap().to_owned();
    shop.write("src/login.js", "somebody wrote it anew\n");
    let error = shop.error(&["recover", "--yes", "--plan", &plan]);
    assert_eq!(error["code"], "changed_after_preview");
    assert_eq!(shop.read("src/login.js"), "somebody wrote it anew\n");
    let next = error["next"].as_str().unwrap();
    let code = next.split("--second-yes ").nth(1).unwrap().split('`').next().unwrap();
    shop.vib(&["recover", "--yes", "--plan", &plan, "--second-yes", code]).ok();
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
}

#[test]
fn a_file_a_checkpoint_a_way_can_be_named() {
    let shop = incident();
    let first = shop.data(&["history", "-n", "0"]);
    let groups = first["groups"].as_array().unwrap();
    let oldest =
        groups.last().unwrap()["checkpoints"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap();
    let preview = shop.data(&["recover", "--preview", "--checkpoint", oldest, "--file", "src/cart.js"]);
    assert_eq!(preview["changes"]["files"].as_array().unwrap().len(), 1);
    assert_eq!(preview["changes"]["files"][0]["path"], "src/cart.js");
    let preview = shop.data(&["recover", "--preview", "--way", "2"]);
    assert_eq!(preview["changes"]["files"].as_array().unwrap().len(), 2, "the last request as a whole");
    assert_eq!(shop.error(&["recover", "--preview", "--way", "9"])["code"], "usage");
}

#[test]
fn nothing_is_broken_and_that_is_said() {
    let shop = shop();
    shop.checkpoint("works");
    let text = shop.vib(&["recover"]).ok().text(&shop);
    insta::assert_snapshot!(text, @"");
    assert_eq!(shop.error(&["recover", "--preview"])["code"], "nothing_to_recover");
    assert_eq!(shop.error(&["recover", "--return"])["code"], "nothing_to_return");
}

#[test]
fn without_a_past_only_words_are_offered() {
    let shop = shop();
    let text = shop.vib(&["recover"]).ok().text(&shop);
    insta::assert_snapshot!(text, @"");
}

#[test]
fn checks_are_stale_afterwards_rc9() {
    let shop = incident();
    shop.vib(&["memory", "verify", "npm test", "--result", "passed"]).ok();
    shop.remove("src/cart.js");
    let plan = shop.data(&["recover", "--preview", "--file", "src"])["plan"].as_str().unwrap().to_owned();
    let done = shop.data(&["recover", "--yes", "--plan", &plan]);
    assert_eq!(done["checks"][0], "npm test");
    let memory = shop.data(&["memory", "show"]);
    assert_eq!(memory["memory"]["verification"][0]["stale"], "files were brought back since");
}

#[test]
fn drift_is_shown_with_its_reason_and_can_be_judged_rc3_rc4() {
    let shop = shop();
    shop.vib(&["memory", "relevant", "src/cart.js"]).ok();
    let agent = Agent::new(&shop, "s-1");
    agent.prompt("make it faster");
    agent.edit("src/cart.js", "let total = 0;\nlet count = 1;\n");
    agent.edit("src/login.js", "check(user, true);\n");
    let text = shop.vib(&["recover", "--explain"]).ok().text(&shop);
    insta::assert_snapshot!(text, @"");
    assert_eq!(shop.error(&["recover", "feedback", "README.md", "--wrong"])["code"], "not_labelled");
    let said = shop.vib(&["recover", "feedback", "src/login.js", "--wrong"]).ok();
    insta::assert_snapshot!(said.stdout, @"");
    let again = shop.data(&["recover", "--explain"]);
    assert_eq!(again["diagnosis"]["zone"]["outside"].as_array().unwrap().len(), 0);
}
