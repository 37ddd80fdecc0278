//! Which parts of a text are against what they name.

/// Which parts of a text are against what they name.
pub(super) struct Polarity<'t> {
    refused: Vec<&'t str>,
}

impl Polarity<'_> {
    pub(super) fn is_against(&self, word: &str) -> bool {
        self.refused.iter().any(|part| names(part, word))
    }
}

fn names(part: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return part.contains(word)
            || part.chars().filter(|c| !c.is_whitespace()).collect::<String>().contains(word);
    }
    part.match_indices(word).any(|(at, _)| {
        let before = part[..at].chars().next_back();
        let after = part[at + word.len()..].chars().next();
        let joins = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

/// What stands after a "no" up to the end of its clause (English, Chinese), or before one (Korean, Japanese).
pub(super) fn polarity(lower: &str) -> Polarity<'_> {
    const AFTER: &[&str] = &[
        "instead of ",
        "rather than ",
        "not ",
        "no more ",
        "never ",
        "don't ",
        "do not ",
        "stop ",
        "without ",
        "avoid ",
        "away from ",
        "no ",
        "over ",
        "drop ",
        "ditch ",
        "replace ",
        "不要再",
        "不要",
        "别再",
        "别用",
        "别",
        "不用",
        "不再",
        "禁止",
        "而不是",
        "代替",
        "不是",
        "弃用",
        "不许",
        "不准",
        "严禁",
        "不能",
        "不写",
        "quit ",
        "without a ",
    ];
    const BEFORE: &[&str] = &[
        "말고",
        "대신",
        "지 마",
        "지마",
        "지 말",
        "금지",
        "빼고",
        "안 돼",
        "안돼",
        "쓰지",
        "ではなく",
        "じゃなく",
        "の代わり",
        "ないで",
        "禁止",
        "しないこと",
        "使うな",
        "やめ",
        "わないで",
        "不要",
        "그만",
        "취소",
        "않기로",
        "안 써",
        "안써",
        "使わない",
        "書かない",
        "使いません",
        "さないで",
        "かないで",
        "なくて、",
        "不行",
        " is out",
        " are out",
        " was a mistake",
        " were a mistake",
        " gave us",
        " broke ",
        " is banned",
        " are banned",
        " is forbidden",
        " are forbidden",
        " is off limits",
        " are off limits",
        " is deprecated",
        " is gone",
    ];
    let mut refused = Vec::new();
    // 禁止 stands behind what it forbids in Japanese, and before it in Chinese.
    let is_japanese = super::japanese::is_japanese(lower);
    for clause in lower
        .split([',', ';', '.', '。', '，', '、', '；', '(', ')', ':', '：'])
        .chain(lower.split([',', ';', '。', '，', ':']))
    {
        for no in AFTER.iter().filter(|no| no.is_ascii() || !is_japanese) {
            for (at, _) in clause.match_indices(no) {
                let starts = clause[..at]
                    .chars()
                    .next_back()
                    .is_none_or(|c| !c.is_ascii_alphanumeric() || !no.is_ascii());
                if starts {
                    let rest = &clause[at + no.len()..];
                    // "don't use npm but pnpm", "replace jest with vitest", "用 pnpm 代替 npm"
                    let end =
                        [" but ", " use ", " with ", " in favor ", " in favour ", "，", "改用", " and use "]
                            .iter()
                            .filter_map(|word| rest.find(word).filter(|at| *at > 0))
                            .min()
                            .unwrap_or(rest.len());
                    refused.push(&rest[..end]);
                }
            }
        }
        for no in BEFORE.iter().filter(|no| is_japanese || !matches!(**no, "禁止" | "不要")) {
            for (at, _) in clause.match_indices(no) {
                let said = &clause[..at];
                // "npm 말고 yarn 쓰지 마" does not occur; each "no" reaches back to the one before it.
                let from = BEFORE
                    .iter()
                    .filter_map(|other| said.rfind(other).map(|at| at + other.len()))
                    .max()
                    .unwrap_or(0);
                refused.push(&said[from..]);
            }
        }
    }
    left_behind(lower, &mut refused);
    Polarity { refused }
}

/// "we moved from uv to poetry", "uv에서 poetry로 갈아탔어", "uv から poetry に", "从 uv 换到 poetry": the first is left behind.
fn left_behind<'t>(lower: &'t str, refused: &mut Vec<&'t str>) {
    const WAYS: &[(&str, &str, &[&str])] = &[
        ("from ", " to ", &["mov", "switch", "migrat", "chang", "went"]),
        ("", "에서 ", &["갈아", "바꿨", "바꾸", "옮겼", "옮기", "전환"]),
        ("", "から ", &["乗り換え", "変え", "切り替え", "移行", "移し"]),
        ("从", "换", &["换到", "换成"]),
        ("从", "改", &["改到", "改成", "改用"]),
        ("从", "迁", &["迁到", "迁移到"]),
    ];
    for (from, to, verbs) in WAYS {
        if !verbs.iter().any(|verb| lower.contains(verb)) {
            continue;
        }
        let Some(start) = lower.find(from).map(|at| at + from.len()) else { continue };
        let Some(end) = lower[start..].find(to) else { continue };
        let part = &lower[start..start + end];
        if part.chars().count() <= 24 && !part.starts_with("now") {
            refused.push(part);
        }
    }
}
