//! `vib explain` (GD2): what changed, in plain words and in three languages.

use insta::assert_snapshot;
use testkit::{Agent, Sandbox};

use super::{empty, shop};

fn site() -> Sandbox {
    let site = Sandbox::with_files(
        env!("CARGO_BIN_EXE_vib"),
        &[
            ("package.json", "{\"name\": \"site\", \"scripts\": {\"test\": \"vitest run\"}}\n"),
            ("src/index.js", "import { login, logout } from './auth';\nlogin();\nlogout();\n"),
            (
                "src/auth.js",
                "export function login() {\n  return check();\n}\nexport function logout() {\n  return true;\n}\n",
            ),
            ("src/shop.css", ".a { color: red }\n"),
            (
                "tests/auth.test.js",
                "import { login } from '../src/auth';\nit('logs in', () => { expect(login()).toBe(true); });\n",
            ),
        ],
    );
    site.checkpoint("works");
    site
}

/// An agent deletes a function, weakens its test and breaks the settings.
fn damage(site: &Sandbox) {
    site.write(
        "src/auth.js",
        "export function signOut() {\n  return true;\n}\nexport function reset() {\n  return 1;\n}\n",
    );
    site.write(
        "tests/auth.test.js",
        "import { login } from '../src/auth';\nit('logs in', () => { expect(true).toBe(true); });\n",
    );
    site.write("package.json", "{\"name\": \"site\", \"scripts\": {}\n");
}

#[test]
fn what_happened_how_bad_and_what_to_do_in_english() {
    let site = site();
    damage(&site);
    assert_snapshot!(site.vib(&["explain"]).text(&site), @r###"
    3 files changed since the checkpoint srkrnshy (2026-01-01 12:00:01): 6 lines added, 6 lines removed.
    All in all: high risk.
      package.json cannot be read as code any more, near line 1 (and 3 more reasons)

    package.json  (high risk)
      - 1 line added, 1 line removed.
      - The setting `scripts` was changed.
      - The setting `scripts.test` was deleted.
      ! The file cannot be read as code any more. The mistake is near line 1.
      ! These are settings. They change how the whole project works.

    src/auth.js  (high risk)
      - 4 lines added, 4 lines removed.
      - The function `login` was deleted.
      - The function `logout` is now called `signOut`.
      - The function `reset` was added.
      ! `login` is gone, but it is still used in src/index.js, tests/auth.test.js. That part will probably break.
      ! `logout` is gone, but it is still used in src/index.js. That part will probably break.

    tests/auth.test.js  (high risk)
      - 1 line added, 1 line removed.
      - The test `logs in` was changed.
      ! The test `logs in` checks less than before. A mistake could slip through.

    What to check
      1. Repair package.json near line 1.
      2. Open src/index.js: it still needs `login`.
      3. Open src/index.js: it still needs `logout`.
      4. Look at the test `logs in` in tests/auth.test.js. Is it meant to check less?
      5. Read what changed in package.json: `vib diff -- package.json`
      6. Not what you wanted? `vib undo` shows the way back and asks before it changes anything.
    "###);
}

#[test]
fn in_korean() {
    let site = site();
    damage(&site);
    assert_snapshot!(site.vib(&["explain", "--lang", "ko"]).text(&site), @r###"
    체크포인트 srkrnshy (2026-01-01 12:00:01) 이후로 파일 3개가 바뀌었어요. 6줄이 늘고 6줄이 줄었어요.
    전체 평가: 위험 높음
      package.json 파일을 이제 코드로 읽을 수 없어요. 1번째 줄 근처예요 (그 밖의 이유 3개)

    package.json  (위험 높음)
      - 1줄이 늘고 1줄이 줄었어요.
      - `scripts` 설정이 바뀌었어요.
      - `scripts.test` 설정이 삭제됐어요.
      ! 이제 이 파일을 코드로 읽을 수 없어요. 1번째 줄 근처에 잘못된 곳이 있어요.
      ! 설정 파일이에요. 프로젝트 전체의 동작이 달라질 수 있어요.

    src/auth.js  (위험 높음)
      - 4줄이 늘고 4줄이 줄었어요.
      - `login` 함수가 삭제됐어요.
      - `logout` 함수가 `signOut`(이)라는 이름으로 바뀌었어요.
      - `reset` 함수가 새로 생겼어요.
      ! `login` 이름이 없어졌는데 src/index.js, tests/auth.test.js에서 아직 쓰고 있어요. 그 부분이 작동하지 않을 수 있어요.
      ! `logout` 이름이 없어졌는데 src/index.js에서 아직 쓰고 있어요. 그 부분이 작동하지 않을 수 있어요.

    tests/auth.test.js  (위험 높음)
      - 1줄이 늘고 1줄이 줄었어요.
      - `logs in` 테스트가 바뀌었어요.
      ! `logs in` 테스트가 전보다 덜 확인해요. 실수를 놓칠 수 있어요.

    확인할 것
      1. package.json 파일의 1번째 줄 근처를 고치세요.
      2. src/index.js 파일을 열어 보세요. 아직 `login`이(가) 필요해요.
      3. src/index.js 파일을 열어 보세요. 아직 `logout`이(가) 필요해요.
      4. tests/auth.test.js 파일의 `logs in` 테스트를 보세요. 덜 확인하는 것이 맞나요?
      5. package.json 파일에서 무엇이 바뀌었는지 읽어 보세요: `vib diff -- package.json`
      6. 원하던 결과가 아닌가요? `vib undo`를 실행하면 되돌리는 방법을 보여 주고, 바꾸기 전에 먼저 물어봐요.
    "###);
}

#[test]
fn in_chinese() {
    let site = site();
    damage(&site);
    assert_snapshot!(site.vib(&["explain", "--lang", "zh"]).text(&site), @r###"
    自检查点 srkrnshy（2026-01-01 12:00:01）以来，有 3 个文件发生了改动：增加了 6 行，减少了 6 行。
    总体来看：风险高。
      package.json 已经无法作为代码读取，错误在第 1 行附近（另外还有 3 个原因）

    package.json  (风险高)
      - 增加了 1 行，减少了 1 行。
      - 设置项 `scripts` 有改动。
      - 设置项 `scripts.test` 被删除了。
      ! 这个文件已经无法作为代码读取，错误在第 1 行附近。
      ! 这是设置文件，会影响整个项目的运行方式。

    src/auth.js  (风险高)
      - 增加了 4 行，减少了 4 行。
      - 函数 `login` 被删除了。
      - 函数 `logout` 改名为 `signOut`。
      - 新增了函数 `reset`。
      ! `login` 已经没有了，但 src/index.js, tests/auth.test.js 还在使用它，那里很可能会出错。
      ! `logout` 已经没有了，但 src/index.js 还在使用它，那里很可能会出错。

    tests/auth.test.js  (风险高)
      - 增加了 1 行，减少了 1 行。
      - 测试 `logs in` 有改动。
      ! 测试 `logs in` 检查的内容比以前少，可能会漏掉错误。

    需要检查的地方
      1. 修复 package.json 第 1 行附近的错误。
      2. 打开 src/index.js：它还需要 `login`。
      3. 打开 src/index.js：它还需要 `logout`。
      4. 看看 tests/auth.test.js 里的测试 `logs in`，真的应该少检查一些吗？
      5. 看看 package.json 里改了什么：`vib diff -- package.json`
      6. 不是您想要的结果？运行 `vib undo` 可以查看如何恢复，改动之前会先征求您的同意。
    "###);
}

#[test]
fn the_setting_decides_the_language() {
    let site = site();
    site.vib(&["config", "set", "ui.language", "ko"]).ok();
    assert_snapshot!(site.vib(&["explain"]).text(&site), @r###"
    체크포인트 srkrnshy (2026-01-01 12:00:01) 이후로 바뀐 것이 없어요.
    "###);
}

#[test]
fn a_new_a_deleted_a_moved_and_a_reformatted_file() {
    let site = site();
    site.write("src/new.js", "export const a = 1;\n");
    site.remove("src/shop.css");
    site.write("src/auth.js", "export function login() { return check(); }\n");
    site.write("src/session.js", "// sessions\nexport function logout() {\n  return true;\n}\n");
    site.write(
        "tests/auth.test.js",
        "import { login } from '../src/auth';\nit('logs in', () => {\n  expect(login()).toBe(true);\n});\n",
    );
    assert_snapshot!(site.vib(&["explain"]).text(&site), @r###"
    5 files changed since the checkpoint srkrnshy (2026-01-01 12:00:01): 9 lines added, 8 lines removed.
    All in all: high risk.
      `logout` is gone from src/auth.js, but still used in src/index.js

    src/auth.js  (high risk)
      - 1 line added, 6 lines removed.
      - The function `logout` moved to src/session.js.
      ! `logout` is gone, but it is still used in src/index.js. That part will probably break.

    src/new.js  (low risk)
      - This file is new. It has 1 line.

    src/session.js  (low risk)
      - This file is new. It has 4 lines.

    src/shop.css  (low risk)
      - This file was deleted. It had 1 line.

    tests/auth.test.js  (low risk)
      - Only spaces and line breaks changed. The program does the same as before.

    What to check
      1. Open src/index.js: it still needs `logout`.
      2. Run the tests: `npm test`
      3. Not what you wanted? `vib undo` shows the way back and asks before it changes anything.
    "###);
}

#[test]
fn a_deleted_file_that_others_need() {
    let site = site();
    site.remove("src/auth.js");
    let report = site.data(&["explain"]);
    let file = &report["files"][0];
    assert_eq!((file["path"].as_str(), file["risk"].as_str()), (Some("src/auth.js"), Some("high")));
    assert_eq!(file["reasons"][0]["reason"], "file_still_used");
    assert_eq!(file["reasons"][0]["users"][0], "src/index.js");
    assert_eq!(report["advice"][0]["advice"], "look_at_user");
}

#[test]
fn what_an_agent_did_since_the_person_spoke() {
    let shop = shop();
    shop.checkpoint("one");
    let agent = Agent::new(&shop, "s1");
    shop.write("README.md", "# Shop\n\nMine.\n");
    let said = agent.prompt("make it faster");
    agent.edit("src/cart.js", "let total = 1;\nlet count = 0;\n");
    agent.edit("src/cart.js", "let total = 2;\nlet count = 0;\n");
    let report = shop.data(&["explain"]);
    // `vib checkpoint --prompt` is not a hook: it has no trigger of its own, so the person's checkpoint is the base.
    assert!(report["files"].as_array().unwrap().iter().any(|file| file["path"] == "src/cart.js"), "{report}");
    let report = shop.data(&["explain", "--from", &said]);
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    let symbols = &report["files"][0]["symbols"];
    assert_eq!((symbols[0]["event"].as_str(), symbols[0]["name"].as_str()), (Some("changed"), Some("total")));
}

#[test]
fn between_two_checkpoints_of_one_file() {
    let site = site();
    let first = site.checkpoint("first");
    damage(&site);
    let second = site.checkpoint("second");
    site.write("src/auth.js", "");
    let report = site.data(&["explain", "src/auth.js", "--from", &first, "--to", &second]);
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    assert_eq!(report["to"], second.as_str());
    let names: Vec<_> = report["files"][0]["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| format!("{} {}", symbol["event"].as_str().unwrap(), symbol["name"].as_str().unwrap()))
        .collect();
    assert_eq!(names, ["removed login", "renamed signOut", "added reset"]);
}

#[test]
fn nothing_saved_and_nothing_changed() {
    let empty = empty();
    empty.write("a.js", "let a;\n");
    assert_snapshot!(empty.vib(&["explain"]).text(&empty), @r###"
    Nothing is saved yet, so there is nothing to compare with. `vib checkpoint` saves what you have now.
    "###);
    empty.checkpoint("one");
    assert_snapshot!(empty.vib(&["explain"]).text(&empty), @r###"
    Nothing has changed since the checkpoint hfwdhbhw (2026-01-01 12:01:01).
    "###);
    assert_eq!(empty.error(&["explain", "--git"])["code"], "not_a_git_repository");
}

#[test]
fn against_git() {
    let site = site();
    super::guard::git(&site, &["init", "-q"]);
    super::guard::git(&site, &["add", "-A"]);
    super::guard::git(&site, &["commit", "-qm", "one"]);
    damage(&site);
    site.checkpoint("the damage was saved");
    assert!(site.data(&["explain"])["files"].as_array().unwrap().is_empty());
    let report = site.data(&["explain", "--git"]);
    assert_eq!(report["base"]["kind"], "commit");
    assert_eq!(report["files"].as_array().unwrap().len(), 3);
    assert_eq!(report["risk"], "high");
}

#[test]
fn the_content_of_a_secret_file_is_not_shown() {
    let site = site();
    site.write(".env", "API_KEY=one\n");
    site.checkpoint("with env");
    site.write(".env", "API_KEY=two\nDEBUG=1\n");
    let text = site.vib(&["explain"]).text(&site);
    assert!(text.contains("holds secrets") && !text.contains("API_KEY") && !text.contains("DEBUG"), "{text}");
    let json = site.vib(&["explain", "--json"]).stdout;
    assert!(!json.contains("API_KEY") && !json.contains("DEBUG"), "{json}");
}
