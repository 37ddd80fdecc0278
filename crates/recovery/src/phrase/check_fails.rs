//! "The tests fail", "빌드가 깨졌어": a check is said to fail, so the step after which it fails can be searched for.

const CHECKS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "build",
    "builds",
    "compile",
    "compiles",
    "compilation",
    "lint",
    "linter",
    "ci",
    "check",
    "checks",
    "pipeline",
    "typecheck",
    "suite",
];
const FAILS: &[&str] = &[
    "fail", "fails", "failing", "failed", "failure", "failures", "broke", "broken", "breaks", "red",
    "errors", "error", "crash", "crashes", "crashing", "dies",
];
/// "does not pass", "won't build", "stopped working".
const NOT: &[&str] =
    &["not", "no", "never", "doesnt", "dont", "wont", "cant", "cannot", "isnt", "arent", "stopped", "longer"];
const WORKS: &[&str] = &[
    "pass", "passes", "passing", "work", "works", "working", "build", "builds", "compile", "compiles",
    "green", "run", "runs",
];
/// Korean, Chinese, Japanese: what is checked, and that it does not hold.
const CHECKS_ELSEWHERE: &[&str] = &[
    "테스트",
    "빌드",
    "컴파일",
    "린트",
    "测试",
    "測試",
    "构建",
    "建置",
    "编译",
    "編譯",
    "テスト",
    "ビルド",
    "コンパイル",
    "リント",
];
const FAILS_ELSEWHERE: &[&str] = &[
    "실패",
    "깨졌",
    "깨져",
    "깨진",
    "망가",
    "안 돼",
    "안돼",
    "안 되",
    "안되",
    "안 됨",
    "통과 못",
    "통과하지",
    "통과가 안",
    "에러",
    "오류",
    "터졌",
    "失败",
    "失敗",
    "不过",
    "不過",
    "不通过",
    "没过",
    "沒過",
    "没通过",
    "挂了",
    "掛了",
    "报错",
    "報錯",
    "坏了",
    "壞了",
    "编译不了",
    "过不了",
    "落ち",
    "通ら",
    "壊れ",
    "エラー",
    "できな",
    "赤い",
];

/// True if these words say that a check fails.
pub(super) fn says_so(words: &str) -> bool {
    let lower = words.to_lowercase().replace(['\'', '’'], "");
    let tokens: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|token| !token.is_empty()).collect();
    let any = |list: &[&str], tokens: &[&str]| tokens.iter().any(|token| list.contains(token));
    let has = |list: &[&str]| list.iter().any(|word| lower.contains(word));
    let not_at = tokens.iter().position(|token| NOT.contains(token));
    let does_not_hold = not_at.is_some_and(|at| any(WORKS, &tokens[at..]));
    let is_checked = any(CHECKS, &tokens) || has(CHECKS_ELSEWHERE);
    is_checked && (any(FAILS, &tokens) || does_not_hold || has(FAILS_ELSEWHERE))
}

#[cfg(test)]
mod tests {
    use super::says_so;

    #[test]
    fn a_failing_check_is_heard_in_four_languages() {
        for words in [
            "tests fail",
            "npm test fails since this morning",
            "the build is broken",
            "it doesn't compile any more",
            "the tests no longer pass",
            "CI is red",
            "테스트가 실패해",
            "빌드가 깨졌어",
            "npm test 가 안 돼",
            "测试失败了",
            "编译报错",
            "テストが落ちる",
            "ビルドが通らない",
        ] {
            assert!(says_so(words), "{words}");
        }
        for words in [
            "it broke",
            "undo the last change",
            "bring back the test file",
            "keep the tests, undo the rest",
            "로그인 버튼이 안 보여",
            "把测试文件恢复回来",
            "ログインが壊れた",
            "",
        ] {
            assert!(!says_so(words), "{words}");
        }
    }
}
