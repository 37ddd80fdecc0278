//! Does a sentence say that a check fails? An agent that says so hides nothing, and is not held for it. (M5)

use super::any;

/// What a check is called.
const CHECKS: &[&str] = &[
    "test",
    "spec",
    "suite",
    "check",
    "lint",
    "build",
    "ci ",
    "pytest",
    "jest",
    "compil",
    "테스트",
    "빌드",
    "검사",
    "린트",
    "テスト",
    "ビルド",
    "チェック",
    "测试",
    "測試",
    "构建",
    "检查",
];
/// What a check does that does not pass.
const FAILS: &[&str] = &[
    " fail",
    "fails",
    "failing",
    "failed",
    "failure",
    " red ",
    "not green",
    "not pass",
    "broken",
    "complains",
    "exits with",
    "exit code",
    "lint error",
    "type error",
    "error in ",
    "errors in ",
    "reports an error",
    "reports one",
    "still reports",
    "실패",
    "깨져",
    "失敗",
    "落ち",
    "通りません",
    "失败",
    "未通过",
    "没有通过",
    "不通过",
];
/// The failure is over, there is none, or it is not one of the checks.
const OVER: &[&str] = &[
    "fixed",
    "resolved",
    "repaired",
    "now pass",
    "passes now",
    "no longer",
    "used to",
    "no fail",
    "no test fail",
    "0 fail",
    "zero fail",
    "no remaining",
    "without fail",
    "no error",
    "no lint",
    "no type error",
    "0 errors",
    "0 lint",
    "zero errors",
    "exits with 0",
    "exit code 0",
    "exits with code 0",
    "handles the error",
    "error handling",
    "green again",
    "now green",
    "is green",
    "passes with",
    "were failing",
    "was failing",
    "never fail",
    "doesn't fail",
    "does not fail",
    "don't fail",
    "previously failing",
    "고쳤",
    "고쳐",
    "수정했",
    "해결",
    "실패하는 테스트가 없",
    "실패한 테스트가 없",
    "실패 0",
    "실패가 없",
    "실패 없",
    "실패하지 않",
    "直しました",
    "修正し",
    "解消",
    "失敗はありません",
    "失敗は 0",
    "失敗0",
    "失敗 0",
    "修好",
    "修复了",
    "已修复",
    "没有失败",
    "无失败",
    "0 个失败",
    "失败 0",
    "失败：0",
];
/// Words of a failure that was there before, or that belongs to somebody else.
const ELSEWHERE: &[&str] = &[
    "pre-existing",
    "preexisting",
    "unrelated",
    "was there before",
    "were there before",
    "before my change",
    "before i started",
    "on main",
    "known flak",
    "known fail",
    "without my change",
    "without this change",
    "same as before",
    "not caused",
    "변경 전",
    "무관",
    "기존",
    "원래",
    "変更前",
    "既存",
    "無関係",
    "改动之前",
    "之前就",
    "无关",
    "原本",
];

pub(super) fn tells(text: &str) -> bool {
    if is_part(text) || counts_failures(text) {
        return true;
    }
    let text = format!(" {text} ");
    if !any(&text, FAILS) || any(&text, OVER) {
        return false;
    }
    // "Add a test that fails without the fix" tells of the test, not of how it ended.
    if any(
        &text,
        &[
            "that fails",
            "which fails without",
            "should fail",
            "must fail",
            "if it fails",
            "if a test fails",
            "when it fails",
        ],
    ) {
        return any(&text, ELSEWHERE);
    }
    any(&text, CHECKS) || any(&text, ELSEWHERE) || any(&text, &["the failing one", "failing ones"])
}

/// The words are about a check that fails and is repaired, or is to be.
pub(super) fn repairs(text: &str) -> bool {
    const WANTED: &[&str] = &[
        "fix",
        "repair",
        "make it pass",
        "make them pass",
        "make the test",
        "make the tests",
        "get the test",
        "get the build",
        "green",
        "resolve",
        "now pass",
        "고쳐",
        "고쳤",
        "수정",
        "해결",
        "통과하",
        "통과시",
        "直し",
        "修正",
        "通るように",
        "修",
        "解决",
        "通过",
    ];
    let text = format!(" {text} ");
    any(&text, CHECKS) && any(&text, FAILS) && any(&text, WANTED)
}

/// "13 of 14 tests pass", "41/42 passing".
fn is_part(text: &str) -> bool {
    let spaced = text.replace('/', " of ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let number = |word: &str| word.trim_matches(|letter: char| !letter.is_ascii_digit()).parse::<u64>().ok();
    any(text, &["pass", "green", "succe", "통과", "通"])
        && words.windows(3).any(|three| {
            three[1] == "of" && number(three[0]).zip(number(three[2])).is_some_and(|(some, all)| some < all)
        })
}

/// "1 failed", "2 failures", "one failure", "实 1 failing".
fn counts_failures(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_some = |word: &str| {
        word.parse::<u64>().is_ok_and(|number| number > 0)
            || ["one", "two", "three", "four", "five", "six", "several", "some", "a"].contains(&word)
    };
    words
        .windows(2)
        .any(|two| is_some(two[0]) && ["failed", "failure", "failures", "failing"].contains(&two[1]))
        && !any(text, &["fixed", "resolved", "now pass", "fail without"])
        && !any(text, &["a failed", "a failing", "some failed"])
}
