use super::*;

fn plainly(prompt: &str) -> Option<Wish> {
    understand(prompt, None, false)
}

#[test]
fn only_a_whole_prompt_is_a_command_hk4() {
    for prompt in [
        "/rollback",
        "undo that",
        "Undo that.",
        "revert that please",
        "되돌려줘",
        "撤销",
        "请撤销",
        " /ROLLBACK ",
        "/undo",
    ] {
        assert_eq!(plainly(prompt), Some(Wish::Back(1)), "{prompt}");
    }
    for prompt in ["/rollback 3", "vib rollback 3", "/undo 3"] {
        assert_eq!(plainly(prompt), Some(Wish::Back(3)), "{prompt}");
    }
    for prompt in ["/rollback kmtz", "vib rollback KMTZ"] {
        assert_eq!(plainly(prompt), Some(Wish::To("kmtz".to_owned())), "{prompt}");
    }
    for prompt in [
        "/rollbacks",
        "/rollback my last commit",
        "vib rollbacks",
        "explain what /rollback does",
        "",
        " ",
        "?",
        "。",
    ] {
        assert_eq!(plainly(prompt), None, "{prompt}");
    }
}

/// The prompts of one half of the labelled list that are understood otherwise than labelled.
fn wrong(half: usize) -> Vec<String> {
    let list = include_str!("labelled.txt").lines().filter(|line| !line.starts_with('#'));
    let lines = list.enumerate().filter(|(number, _)| number % 2 == half).map(|(_, line)| line);
    let labelled = lines.map(|line| line.split_once('\t').expect("a label, a tab and a prompt"));
    let is_wrong =
        |(label, prompt): &(&str, &str)| (plainly(prompt) == Some(Wish::Back(1))) != (*label == "back");
    labelled.filter(is_wrong).map(|(label, prompt)| format!("{label}: {prompt}")).collect()
}

#[test]
fn what_people_say_to_go_back_is_told_from_what_is_for_the_agent_u11() {
    assert_eq!(wrong(0), [""; 0]);
}

#[test]
fn and_so_it_is_in_the_half_that_was_not_looked_at_u11() {
    assert_eq!(wrong(1), [""; 0]);
}

#[test]
fn a_lesson_begins_with_the_whole_word_ls1() {
    assert_eq!(lesson_in("/lesson Read first"), Some("Read first"));
    assert_eq!(lesson_in(" /LESSON\n먼저 읽어 "), Some("먼저 읽어"));
    assert_eq!(lesson_in("/vib:lesson x"), Some("x"));
    assert_eq!(lesson_in("/lesson"), Some(""));
    assert_eq!(lesson_in("Vib lesson: Read first"), Some("Read first"));
    for prompt in [
        "/lessons x",
        "/lesson-plan x",
        "write a /lesson x",
        "lesson x",
        "vib lesson x",
        "lesson: x",
        "교훈",
        "",
    ] {
        assert_eq!(lesson_in(prompt), None, "{prompt}");
    }
}

#[test]
fn a_code_counts_only_while_it_is_waited_for_c5() {
    let waiting = Some(Waiting { code: "kfzm", asked: "undo that" });
    for prompt in ["kfzm", "yes KFZM", "/rollback kfzm", "undo thatkfzm"] {
        assert_eq!(understand(prompt, waiting, false), Some(Wish::Confirm), "{prompt}");
    }
    assert_eq!(plainly("kfzm"), None);
    assert_eq!(plainly("undo thatkfzm"), None);
    assert_eq!(understand("kfzx", waiting, false), None);
}

#[test]
fn go_on_is_a_wish_only_while_something_rests_g4() {
    let prompts = [
        "go on",
        "Go on.",
        "ok, go on",
        "continue",
        "Please continue",
        "yes continue",
        "vib go on",
        "/vib:go-on",
        "/go-on",
        "keep going",
        "carry on please",
        "you may go on",
        "resume",
        "계속",
        "계속해",
        "계속해 줘",
        "네, 계속해주세요",
        "계속 진행해",
        "继续",
        "继续吧",
        "请继续",
        "好的，继续",
        "繼續",
    ];
    for prompt in prompts {
        assert_eq!(understand(prompt, None, true), Some(Wish::GoOn), "{prompt}");
        assert_eq!(understand(prompt, None, false), None, "{prompt}");
    }
    for prompt in [
        "continue with the next file",
        "go on with the tests but leave the cart alone",
        "do not continue",
        "don't go on",
        "add a continue button",
        "why did you stop? should I say go on?",
        "계속 실패하는 테스트를 고쳐줘",
        "계속하지 마",
        "继续按钮不起作用",
        "不要继续",
    ] {
        assert_eq!(understand(prompt, None, true), None, "{prompt}");
    }
    assert_eq!(understand("undo that", None, true), Some(Wish::Back(1)));
}

#[test]
fn a_command_with_words_that_vib_does_not_know_is_answered_and_not_ignored() {
    for prompt in ["/rollback a.txt", "/undo the header please", " /rollback r2 --take-conflicts "] {
        assert_eq!(command_not_understood(prompt), Some(prompt.trim()), "{prompt}");
    }
    let long = format!("/rollback {}", "x".repeat(200));
    for prompt in [
        "/rollbacks a",
        "explain what /rollback does",
        "vib rollback plans are nice",
        "/rollback a\nb",
        &long,
    ] {
        assert_eq!(command_not_understood(prompt), None, "{prompt}");
    }
}

#[test]
fn japanese_is_told_apart_too_u11() {
    for prompt in [
        "元に戻して",
        "元に戻してください",
        "さっきの変更を取り消して",
        "今の変更を元に戻してください。",
        "すみません、最後の変更を戻して",
        "直前の変更をキャンセルして",
        "それを取り消してくれますか？",
        "全部元に戻して",
        "やっぱり戻して",
        "さっきのをなかったことにして",
    ] {
        assert_eq!(plainly(prompt), Some(Wish::Back(1)), "{prompt}");
    }
    for prompt in [
        "元に戻すボタンを追加して",
        "変更を元に戻す機能を作って",
        "戻さないで",
        "元に戻さないでください",
        "カートの変更を元に戻して",
        "取り消しの仕組みを説明して",
        "前のページに戻るリンクを直して",
        "なぜ元に戻したの？",
    ] {
        assert_eq!(plainly(prompt), None, "{prompt}");
    }
    assert_eq!(understand("続けて", None, true), Some(Wish::GoOn));
    assert_eq!(understand("続けて", None, false), None);
}
