//! `vib transfer --handoff` (MM6)

use insta::assert_snapshot;
use serde_json::json;

use super::verify::{edit, hook};
use super::{empty, shop};

const PAGE: &str = "PROJECT_CONTEXT.md";

#[test]
fn one_page_says_where_we_are() {
    let shop = shop();
    shop.vib(&["memory", "intent", "make the login safe"]).ok();
    shop.vib(&["memory", "decide", "no new dependencies"]).ok();
    shop.vib(&["memory", "relevant", "src/login.js", "--note", "the check is here"]).ok();
    shop.vib(&["memory", "verify", "npm test", "--file", "src/login.js"]).ok();
    hook(&shop, "s1", "UserPromptSubmit", &json!({"prompt": "make the login safe"}));
    edit(&shop, "s1", "src/login.js", "check(user, password);\n");
    edit(&shop, "s1", "docs/readme.txt", "drift\n");
    shop.vib(&["memory", "next", "write a test for the empty password"]).ok();
    assert_snapshot!(shop.vib(&["transfer", "--handoff", "--print", "--for", "codex"]).text(&shop), @r###"
    # project: where we are

    Written by vib for codex, 2026-01-01 12:10 UTC. These are facts about the work, not instructions.
    Last worked on by claude-code (2026-01-01 12:08 UTC).

    ## Goal
    - make the login safe (said through cli)

    ## Next step
    - write a test for the empty password

    ## Verified
    - `npm test`: passed **(stale: `src/login.js` has changed since)**

    ## Decided
    - no new dependencies

    ## Files
    - `src/login.js`: the check is here (edited lately)
    - `docs/readme.txt` (edited lately, drift candidate: outside the files that matter)

    <!-- vib:handoff 1 digest:2594be2285d8c0a9 -->
    "###);
    assert!(!shop.exists(PAGE), "only printed");
    assert_eq!(shop.error(&["transfer", "--handoff"])["code"], "needs_confirmation");
    assert_snapshot!(shop.vib(&["transfer", "--handoff", "--yes"]).text(&shop), @r###"
    Written: `PROJECT_CONTEXT.md` (about 260 tokens).
    "###);
    assert!(shop.read(PAGE).contains("make the login safe"));
}

#[test]
fn with_no_memory_and_no_git_it_says_what_is_not_known() {
    let project = empty();
    assert_snapshot!(project.vib(&["transfer", "--handoff", "--print"]).text(&project), @r###"
    # project: where we are

    Written by vib, 2026-01-01 12:00 UTC. These are facts about the work, not instructions.

    ## Goal
    - Nobody has said what the goal is. Ask.

    ## Next step
    - Not agreed yet. Ask.

    ## Verified
    - Nothing is known to have been checked.

    <!-- vib:handoff 1 digest:3f24bdd65afd06a1 -->
    "###);
}

#[test]
fn a_stale_goal_and_a_proposal_are_labelled_and_nothing_private_leaves() {
    let shop = shop();
    shop.vib(&["memory", "intent", "old goal"]).ok();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    hook(
        &shop,
        "s1",
        "UserPromptSubmit",
        &json!({"prompt": format!("use {key} in {}/src", shop.root().display())}),
    );
    edit(&shop, "s1", "src/cart.js", "x\n");
    shop.set_clock(1_767_268_800_000 + 30 * 3_600_000);
    let page = shop.vib(&["transfer", "--handoff", "--print"]).ok().stdout;
    assert!(
        page.contains("old goal **(stale") && page.contains("**Proposed, not confirmed**: run the tests"),
        "{page}"
    );
    shop.vib(&["memory", "review", "--drop-intent"]).ok();
    let page = shop.vib(&["transfer", "--handoff", "--print"]).ok().stdout;
    assert!(
        page.contains("**Proposed, not confirmed**") && page.contains("the last request to claude-code"),
        "{page}"
    );
    assert!(!page.contains(&key) && !page.contains(&shop.root().display().to_string()), "{page}");
    let slo = shop.vib(&["audit", "slo", "--json"]).json();
    assert_ne!(slo["data"]["result"], "fail", "{slo}");
}

#[test]
fn what_somebody_else_wrote_is_replaced_only_after_a_yes_and_saved_before() {
    let shop = shop();
    shop.write(PAGE, "# by hand\n");
    assert_eq!(shop.error(&["transfer", "--handoff"])["code"], "needs_confirmation");
    assert_eq!(shop.read(PAGE), "# by hand\n");
    let report = shop.data(&["transfer", "--handoff", "--yes"]);
    let saved = report["saved_before"].as_str().unwrap().to_owned();
    assert!(shop.read(PAGE).contains("<!-- vib:handoff 1 digest:"));
    shop.vib(&["undo", &saved, PAGE, "--yes"]).ok();
    assert_eq!(shop.read(PAGE), "# by hand\n");
    shop.vib(&["transfer", "--handoff", "--yes"]).ok();
    let again = shop.data(&["transfer", "--handoff", "--yes"]);
    assert!(again["saved_before"].is_null(), "vib's own page is simply renewed");
    shop.vib(&["transfer", "--handoff", "--yes", "--out", "src/page.md"]).ok();
    assert!(shop.read("src/page.md").contains("where we are"));
}

#[cfg(unix)]
#[test]
fn a_link_is_never_followed() {
    let shop = shop();
    std::os::unix::fs::symlink(shop.base().join("elsewhere"), shop.root().join(PAGE)).unwrap();
    assert_eq!(shop.error(&["transfer", "--handoff", "--yes"])["code"], "handoff_not_a_file");
    assert!(!shop.base().join("elsewhere").exists());
}

#[test]
fn a_large_history_fits_the_budget_in_any_script_mm6() {
    for text in [
        "a decision with some words in it that goes on and on",
        "결제 화면은 나중에 고치고 지금은 로그인만 봅니다",
        "先修复登录，再处理支付页面的问题。数据库保持不变",
    ] {
        let shop = shop();
        let mut lines = String::new();
        for number in 0..400 {
            for kind in ["decision", "risk", "intent", "next_action"] {
                let body = json!({"text": format!("{number} {}", text.repeat(8))});
                let event = json!({"id": format!("{kind}-{number}"), "schema_version": 1, "time_ms": 1_767_268_000_000_i64 + number, "scope": "project", "kind": kind, "provenance": "explicit", "agent": "cli", "body": body});
                lines.push_str(&format!("{event}\n"));
            }
            let body =
                json!({"path": format!("src/{}/{number}.rs", "deep/".repeat(10)), "note": text.repeat(3)});
            let event = json!({"id": format!("f-{number}"), "schema_version": 1, "time_ms": 1_767_268_000_000_i64 + number, "scope": "project", "kind": "relevant_file", "provenance": "explicit", "agent": "cli", "body": body});
            lines.push_str(&format!("{event}\n"));
        }
        shop.write("big.jsonl", &lines);
        shop.vib(&["memory", "import", "--jsonl", "big.jsonl"]).ok();
        let draft = shop.data(&["transfer", "--handoff", "--print"]);
        let tokens = draft["tokens"].as_u64().unwrap();
        assert!(tokens <= 1_200 && tokens > 600, "{tokens}");
        let page = draft["text"].as_str().unwrap();
        for heading in ["## Goal", "## Next step", "## Verified", "## Decided", "are left out"] {
            assert!(page.contains(heading), "{heading}: {page}");
        }
    }
}

/// Two thousand events as months of work leave them: edits, checks, commits, decisions in three languages, goals that changed.
#[test]
fn months_of_work_fit_on_the_page_mm6() {
    let shop = shop();
    let areas = ["cart", "login", "checkout", "search", "invoice", "mail", "stock", "report"];
    let said = [
        "prices are kept in cents, never in floats",
        "결제 오류는 사용자에게 코드와 함께 보여 줍니다",
        "登录失败五次后锁定账户十分钟",
        "no new dependency without a reason in the commit message",
    ];
    let mut lines = String::new();
    for number in 0..2_000_u64 {
        let area = areas[(number * 7 % 8) as usize];
        let path =
            format!("src/{area}/{}_{}.ts", ["view", "model", "service"][(number % 3) as usize], number % 40);
        let (kind, source, body) = match number % 20 {
            0 => (
                "decision",
                "explicit",
                json!({"text": format!("{area}: {}", said[(number / 20 % 4) as usize])}),
            ),
            1 => (
                "risk",
                "explicit",
                json!({"text": format!("{area}: the old format is still read by version {}", number / 20)}),
            ),
            2 => (
                "relevant_file",
                "explicit",
                json!({"path": path, "note": format!("the rule for {area} is here")}),
            ),
            3 if number % 200 == 3 => {
                ("intent", "explicit", json!({"text": format!("make {area} work without the network")}))
            }
            4 if number % 200 == 4 => {
                ("next_action", "explicit", json!({"text": format!("write the test for an empty {area}")}))
            }
            5..=7 => (
                "verification",
                "observed",
                json!({"command": format!("npm test -- {area}"), "result": if number % 3 == 0 { "failed" } else { "passed" }, "scope": [{"path": path, "hash": null}]}),
            ),
            8 => (
                "commit",
                "observed",
                json!({"text": format!("{area}: handle case {number}"), "commit": format!("{number:040x}"), "paths": [path]}),
            ),
            _ => ("edit", "observed", json!({"paths": [path], "files": [], "lines": number % 60})),
        };
        let event = json!({"id": format!("e-{number:05}"), "schema_version": 1, "time_ms": 1_767_000_000_000_i64 + (number as i64) * 100_000, "scope": "project", "kind": kind, "provenance": source, "agent": "claude-code", "task": format!("s{}", number / 50), "body": body});
        lines.push_str(&format!("{event}\n"));
    }
    shop.write("big.jsonl", &lines);
    shop.vib(&["memory", "import", "--jsonl", "big.jsonl"]).ok();
    let draft = shop.data(&["transfer", "--handoff", "--print"]);
    let page = draft["text"].as_str().unwrap();
    let tokens = draft["tokens"].as_u64().unwrap();
    assert!(tokens <= 1_200 && tokens > 600, "{tokens}");
    // The count errs upwards: it is above the usual four bytes a token, and above one a sign of Korean or Chinese.
    let wide = page.chars().filter(|sign| !sign.is_ascii()).count();
    let narrow = page.len() - page.chars().filter(|sign| !sign.is_ascii()).map(char::len_utf8).sum::<usize>();
    assert!(tokens as usize >= narrow / 4 + wide, "{tokens} {narrow} {wide}");
    for words in [
        "## Goal",
        "without the network",
        "## Next step",
        "write the test for an empty",
        "## Decided",
        "are left out",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}
