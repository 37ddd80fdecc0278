//! The commands that people meet most, and the chat, in Korean and Chinese. (U5)

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

const LOCALES: [(&str, &str); 2] = [("ko", "ko_KR.UTF-8"), ("zh", "zh_CN.UTF-8")];

/// A command, as somebody with this language types it; sizes depend on the system.
fn said(shop: &Sandbox, locale: &str, arguments: &[&str]) -> String {
    let mut command = shop.command(arguments);
    let text = Sandbox::run(command.env("LC_ALL", locale)).text(shop);
    let text: Vec<String> = text
        .lines()
        .map(|line| match (line.find(" KB"), line.rfind(['(', '（'])) {
            (Some(_), Some(at)) if line.contains("检查点") || line.contains("체크포인트") => {
                format!("{}[size]", &line[..at])
            }
            _ => line.to_owned(),
        })
        .collect();
    format!("$ vib {}\n{}\n", arguments.join(" "), text.join("\n"))
}

/// The story of a day: nothing yet, a save, a change, a look, and back and forth.
fn a_day(locale: &str) -> String {
    let shop = shop();
    let mut out = said(&shop, locale, &[]);
    out += &said(&shop, locale, &["status"]);
    out += &said(&shop, locale, &["checkpoint", "-m", "good"]);
    shop.write("src/cart.js", "let total = 1;\nlet count = 0;\n");
    shop.write("src/new.js", "new\n");
    std::fs::remove_file(shop.root().join("src/login.js")).unwrap();
    for arguments in [
        &["status"][..],
        &["diff", "--stat"],
        &["undo", "--dry-run"],
        &["undo", "--yes"],
        &["redo", "--yes"],
        &["history"],
        &["history", "--checkpoints"],
        &["pin", "hfwd"],
        &["show", "hfwd", "--stat"],
        &[],
    ] {
        out += &said(&shop, locale, arguments);
    }
    out
}

#[test]
fn a_day_is_told_in_korean_and_chinese_u5() {
    for (name, locale) in LOCALES {
        assert_snapshot!(format!("a_day_{name}"), a_day(locale));
    }
}

/// The setting says it against the environment, and the environment against nothing.
#[test]
fn the_setting_counts_more_than_the_environment_u5() {
    let shop = shop();
    shop.vib(&["config", "set", "ui.language", "zh"]).ok();
    assert!(said(&shop, "ko_KR.UTF-8", &["status"]).contains("还没有检查点"));
    shop.vib(&["config", "set", "ui.language", "auto"]).ok();
    assert!(said(&shop, "ko_KR.UTF-8", &["status"]).contains("아직 체크포인트가 없습니다"));
    assert!(said(&shop, "fr_FR.UTF-8", &["status"]).contains("No checkpoint yet"));
}

/// What the person reads of an answer to a prompt in Claude Code.
fn prompt(shop: &Sandbox, words: &str) -> String {
    let payload = json!({
        "session_id": "s1", "cwd": shop.root(), "hook_event_name": "UserPromptSubmit", "prompt": words
    });
    let answer =
        Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok();
    let answer: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
    answer["reason"].as_str().unwrap_or_default().to_owned()
}

fn write(shop: &Sandbox, path: &str, text: &str) {
    let send = |event: &str| {
        let payload = json!({
            "session_id": "s1", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Write",
            "tool_use_id": "t1", "tool_input": {"file_path": shop.root().join(path), "content": text}
        });
        Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string()).ok();
    };
    send("PreToolUse");
    shop.write(path, text);
    send("PostToolUse");
}

/// Asked in Korean or Chinese, answered in Korean or Chinese, also the code, which is in no language.
#[test]
fn the_chat_answers_in_the_language_of_the_prompt_u5() {
    for (name, asked, marks) in
        [("ko", "되돌려줘", ["보내세요: ", "완료: 파일 1개"]), ("zh", "撤销", ["请发送：", "完成：1 个文件"])]
    {
        let shop = shop();
        prompt(&shop, "change the login");
        write(&shop, "src/login.js", "broken\n");
        let shown = prompt(&shop, asked);
        assert!(shown.contains(marks[0]), "{name}: {shown}");
        let code = shown.split(marks[0]).nth(1).unwrap()[..4].to_owned();
        let wrong = prompt(&shop, "xzxz");
        let done = prompt(&shop, &code);
        assert!(done.starts_with(marks[1]), "{name}: {done}");
        assert_eq!(shop.read("src/login.js"), "check(user);\n");
        assert_snapshot!(format!("chat_{name}"), format!("{shown}\n\n{wrong}\n\n{done}\n"));
    }
}
