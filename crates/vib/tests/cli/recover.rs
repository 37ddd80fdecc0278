//! `vib recover` (RC1–RC11): what happened, what can be done, what it costs, in three languages; and the gates at the door.

use testkit::{Agent, Sandbox};

use super::lesson::on_a_terminal;
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
    insta::assert_snapshot!(text, @r"
        Risk: some: src/login.js is gone, and no request asked for that
        What happened
          • 1 file is gone, and nobody asked for that.
            src/login.js
            A minute ago, by a command of the AI
            The request was: “make the cart faster”
          What your requests speak of counts as your work.
          Stays as it is:
            src/cart.js (your request says “cart”)
        What to do next
          1. Bring back 1 file from just before it was damaged (recommended)
             src/login.js
             You lose nothing. Comes back: 1 line. Stays as it is: 1 file. [going back: low risk]
             Uses the state saved: A minute ago
             To see it: vib recover --preview --way 1
          2. Take back the last request, “make the cart faster”, as a whole (2 files)
             src/cart.js, src/login.js
             You lose what exists only now: 1 line in 1 file. Comes back: 1 line. [going back: low risk]
             Uses the state saved: 2 minutes ago
             To see it: vib recover --preview --way 2
        Nothing was changed.
        ");
}

#[test]
fn explains_in_korean() {
    let shop = incident();
    let text = shop.vib(&["recover", "망가졌어"]).ok().text(&shop);
    insta::assert_snapshot!(text, @r"
        위험도: 보통 — 요청한 적이 없는데 없어진 파일이 1개 있어요: src/login.js
        무슨 일이 있었나요
          • 부탁하지 않았는데 파일 1개가 없어졌어요.
            src/login.js
            1분 전, AI가 실행한 명령 때문이에요
            그때 한 부탁: “make the cart faster”
          요청에서 말한 것을 이번 작업으로 보았어요.
          그대로 두는 파일:
            src/cart.js (요청에 “cart”(이)라는 말이 있어요)
        다음에 할 일
          1. 파일 1개를 망가지기 바로 전으로 되살리기 (추천)
             src/login.js
             잃는 것이 없어요. 1줄이 돌아와요. 파일 1개는 그대로 있어요. [되돌릴 때: 위험 낮음]
             사용하는 저장 시점: 1분 전
             미리 보려면: vib recover --preview --way 1
          2. 마지막 부탁 “make the cart faster”(으)로 바뀐 것을 모두 되돌리기(파일 2개)
             src/cart.js, src/login.js
             지금만 있는 내용을 잃어요(파일 1개에서 1줄). 1줄이 돌아와요. [되돌릴 때: 위험 낮음]
             사용하는 저장 시점: 2분 전
             미리 보려면: vib recover --preview --way 2
        아무것도 바꾸지 않았어요.
        ");
}

#[test]
fn explains_in_chinese() {
    let shop = incident();
    let text = shop.vib(&["recover", "坏了"]).ok().text(&shop);
    insta::assert_snapshot!(text, @r"
        风险：中：有 1 个文件没有了，而没有人要求这样做：src/login.js
        发生了什么
          • 没有人要求，但有 1 个文件不见了。
            src/login.js
            1 分钟前，由 AI 运行的命令造成
            当时的要求：“make the cart faster”
          您的请求提到的内容算作这次的工作。
          保持不变的文件：
            src/cart.js (您的请求里提到“cart”)
        接下来怎么做
          1. 把 1 个文件恢复到损坏之前 （推荐）
             src/login.js
             不会丢失任何内容。会找回 1 行。保持不变：1 个文件。[恢复操作：风险低]
             使用的保存时间：1 分钟前
             预览命令：vib recover --preview --way 1
          2. 撤销上一次要求“make the cart faster”的全部改动（2 个文件）
             src/cart.js, src/login.js
             会丢失只有现在才有的内容（1 个文件中的 1 行）。会找回 1 行。[恢复操作：风险低]
             使用的保存时间：2 分钟前
             预览命令：vib recover --preview --way 2
        没有做任何改动。
        ");
}

#[test]
fn previews_applies_and_returns() {
    let shop = incident();
    let preview = shop.vib(&["recover", "--preview"]).ok().text(&shop);
    insta::assert_snapshot!(preview, @r"
        This would happen:
          + src/login.js  +1 -0
          Uses the state saved: A minute ago
          You lose nothing.
        Nothing was changed.
        To do it: vib recover --yes --plan 975835de1c
        ");
    assert!(!shop.exists("src/login.js"), "a preview changes nothing");
    let plan = shop.data(&["recover", "--preview"])["plan"].as_str().unwrap().to_owned();
    let done = shop.vib(&["recover", "--yes", "--plan", &plan]).ok().text(&shop);
    insta::assert_snapshot!(done, @r"
        Done. Brought back: 1 file.
        The state before is saved as yynhqncr.
        To return to it: vib recover --return
        What was checked before no longer counts. Start the program and look whether it works.
        ");
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
    assert!(shop.read("src/cart.js").contains("cache"), "the good work stays");
    let back = shop.vib(&["recover", "--return", "--yes"]).ok().text(&shop);
    insta::assert_snapshot!(back, @r###"
    This would happen:
      - src/login.js  +0 -1
      Uses the state saved: Just now
      What exists only now would go: 1 line in 1 file. It is saved first, so you can come back to it.
    Done. Removed: 1 file.
    The state before is saved as ypwtgmxm.
    To return to it: vib recover --return
    What was checked before no longer counts. Start the program and look whether it works.
    "###);
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
            "ko" => insta::assert_snapshot!(both, @r"
                이렇게 바뀌어요:
                  + src/login.js  +1 -0
                  사용하는 저장 시점: 1분 전
                  잃는 것이 없어요.
                아무것도 바꾸지 않았어요.
                실행하려면: vib recover --yes --plan 975835de1c
                ---
                끝났어요. 파일 1개를 되살렸어요.
                이전 상태는 yynhqncr(으)로 저장했어요.
                그 상태로 돌아가려면: vib recover --return
                전에 한 검사는 이제 맞지 않아요. 프로그램을 켜서 잘 되는지 확인해 주세요.
                "),
            _ => insta::assert_snapshot!(both, @r###"
            将会发生：
              + src/login.js  +1 -0
              使用的保存时间：5 分钟前
              不会丢失任何内容。
            没有做任何改动。
            执行命令：vib recover --yes --plan 975835de1c
            ---
            完成了。找回了 1 个文件。
            之前的状态已保存为 dctnfngw。
            回到那个状态：vib recover --return
            之前的检查已经无效，请启动程序，看看是否正常。
            "###),
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
    let first = shop.data(&["history", "--checkpoints", "-n", "0"]);
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
    insta::assert_snapshot!(text, @r"
        Risk: low
        What happened
          Nothing has changed since the last good state.
          Try this first: stop the program and start it again, build it anew, reload the page or the editor.
        What to do next
          1. Change nothing (recommended)
        Nothing was changed.
        ");
    assert_eq!(shop.error(&["recover", "--preview"])["code"], "nothing_to_recover");
    assert_eq!(shop.error(&["recover", "--return"])["code"], "nothing_to_return");
}

#[test]
fn without_a_past_only_words_are_offered() {
    let shop = shop();
    let text = shop.vib(&["recover"]).ok().text(&shop);
    insta::assert_snapshot!(text, @r"
        What happened
          There is no safe state from before to go back to. vib can only explain and help to mend.
        What to do next
          1. Only look: see what changed, change nothing (recommended)
        Nothing was changed.
        ");
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
    insta::assert_snapshot!(text, @r"
        Risk: low
        What happened
          • 1 changed file may not belong to the work (a drift candidate). You judge.
            src/login.js
            not among the files you named
            A minute ago, by the AI's edit
            The request was: “make it faster”
          The files you named, and what belongs to them, count as your work.
          Stays as it is:
            src/cart.js (you named it)
        What to do next
          1. Only look: see what changed, change nothing (recommended)
          2. Take back what changed in 1 file, keep everything else
             src/login.js
             You lose what exists only now: 1 line in 1 file. Comes back: 1 line. Stays as it is: 1 file. [going back: low risk]
             Uses the state saved: A minute ago
             To see it: vib recover --preview --way 2
          3. Take back the last request, “make it faster”, as a whole (2 files)
             src/cart.js, src/login.js
             You lose what exists only now: 2 lines in 2 files. Comes back: 2 lines. [going back: low risk]
             Uses the state saved: 2 minutes ago
             To see it: vib recover --preview --way 3
        Nothing was changed.
        ");
    assert_eq!(shop.error(&["recover", "feedback", "README.md", "--wrong"])["code"], "not_labelled");
    let said = shop.vib(&["recover", "feedback", "src/login.js", "--wrong"]).ok();
    insta::assert_snapshot!(said.stdout, @"Noted: src/login.js belongs to the work. It will not be called a drift candidate again.");
    let again = shop.data(&["recover", "--explain"]);
    assert_eq!(again["diagnosis"]["zone"]["outside"].as_array().unwrap().len(), 0);
}

#[test]
fn on_a_terminal_the_person_chooses_sees_and_says_yes() {
    for (language, way, done) in [
        ("en_US.UTF-8", "Bring back 1 file", "Done."),
        ("ko_KR.UTF-8", "파일 1개를 망가지기 바로 전으로 되살리기", "끝났어요."),
        ("zh_CN.UTF-8", "把 1 个文件恢复到损坏之前", "完成了。"),
    ] {
        let shop = incident();
        let seen = on_a_terminal(&shop, &["recover"], language, "1\ny\n\n");
        assert!(seen.contains(way) && seen.contains(done), "{seen}");
        assert_eq!(shop.read("src/login.js"), "check(user);\n");
        let rows = shop.data(&["audit", "show"]);
        let last = rows["rows"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(
            (&last["event"], &last["confirmed_via"]),
            (&"recovery_apply".into(), &"terminal".into()),
            "{last}"
        );
    }
}

/// "Tests fail": the step is found with the check that is known, by the very command that is offered.
#[test]
fn a_failing_check_leads_to_the_step_that_broke_it() {
    let shop = shop();
    shop.write("check.sh", "grep -q 'total = 0' src/cart.js\n");
    shop.checkpoint("it works");
    let agent = Agent::new(&shop, "s-1");
    agent.prompt("tidy up the cart");
    for text in ["let total = 0;\n// a\n", "let total = 'zero';\n// b\n", "let total = 'zero';\n// c\n"] {
        agent.edit("src/cart.js", text);
    }
    let plain = shop.vib(&["recover", "tests", "fail"]).ok().stdout;
    assert!(!plain.contains("vib bisect"), "no check is known: {plain}");
    shop.vib(&["verify", "--", "sh", "check.sh"]);
    for words in [["recover", "tests fail"], ["recover", "테스트가 실패해"]] {
        let text = shop.vib(&words).ok().stdout;
        assert!(text.contains("vib bisect -- sh check.sh"), "{text}");
    }
    assert_eq!(
        shop.vib(&["recover", "--json", "tests fail"]).ok().json()["data"]["failing_check"],
        "sh check.sh"
    );
    let found = shop.vib(&["bisect", "--", "sh", "check.sh"]).ok().stdout;
    assert!(found.contains("src/cart.js"), "{found}");
    shop.write("src/cart.js", "let total = 0;\n");
    shop.vib(&["verify", "--", "sh", "check.sh"]).ok();
    let healthy = shop.vib(&["recover", "it broke"]).ok().stdout;
    assert!(!healthy.contains("vib bisect"), "it passes again: {healthy}");
}

/// One command spoils two files and changes a third; a part of it was asked for.
#[test]
fn what_the_same_command_changed_is_said_and_a_way_of_its_own() {
    let shop = shop();
    shop.write("test.js", "assert(total());\n");
    shop.write("img/logo.svg", "<svg/>\n");
    let agent = Agent::new(&shop, "s-1");
    agent.prompt("make the cart faster");
    agent.edit("src/cart.js", "let total = 0;\nlet count = 0;\nlet cache = new Map();\n");
    agent.prompt("remove the logo");
    agent.save_for("Bash");
    shop.remove("img/logo.svg");
    shop.write("test.js", "");
    shop.write("src/cart.js", "let totl = 0;\nlet count = 0;\nlet cache = new Map();\n");
    let text = shop.vib(&["recover", "it", "broke"]).ok().text(&shop);
    assert!(text.contains("The same command also changed, and this way leaves it:"), "{text}");
    assert!(text.contains("Take back everything that this command changed (3 files)"), "{text}");
    assert!(!text.contains("your request says “cart”"), "{text}");
}

/// What a going back brought may go again only with a word about it.
#[test]
fn a_way_that_takes_away_what_was_brought_back_says_so() {
    let shop = incident();
    let preview = shop.vib(&["recover", "--preview", "--json", "it", "broke"]).ok().json();
    shop.vib(&["recover", "--yes", "--plan", preview["data"]["plan"].as_str().unwrap()]).ok();
    let answer = shop.vib(&["recover", "--explain", "--json", "go", "back", "1", "minute"]).ok().json();
    for way in answer["data"]["ways"].as_array().unwrap() {
        let takes = way["restores"].as_array().unwrap().iter().any(|one| one["path"] == "src/login.js");
        let says =
            way["brought_back_goes"].as_array().is_some_and(|all| all.contains(&"src/login.js".into()));
        assert_eq!(takes, says, "{way}");
    }
}
