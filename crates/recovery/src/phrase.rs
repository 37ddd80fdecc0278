//! What a person said, in English, Korean or Chinese: "it broke", "30분 전으로", "刚才的改动撤销". (RC11)
//!
//! A phrase narrows what is looked at: which kind of help, since when, about what. Words that are not understood narrow
//! nothing. It is never a command.

use serde::Serialize;

use crate::paths::{same_word, words};

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Something is broken: find out what.
    #[default]
    Broke,
    /// Take a change back.
    Undo,
    /// Be where we were at some moment.
    GoBack,
    /// Only say what happened.
    Explain,
}

/// When.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// So many milliseconds ago.
    Ago(i64),
}

/// What was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// What is wanted.
    pub ask: Ask,
    /// Since when.
    pub moment: Option<Moment>,
    /// It is about the last change.
    pub last: bool,
    /// Words that may name a change or a file.
    pub about: Vec<String>,
}

const EXPLAIN: &[&str] = &[
    "what happened",
    "what changed",
    "explain",
    "why ",
    "무슨 일",
    "뭐가 바뀌",
    "무엇이 바뀌",
    "왜 ",
    "설명",
    "怎么回事",
    "发生了什么",
    "改了什么",
    "为什么",
    "解释",
];
const UNDO: &[&str] = &[
    "undo",
    "take back",
    "take it back",
    "revert",
    "roll back",
    "rollback",
    "cancel",
    "되돌",
    "취소",
    "원상",
    "撤销",
    "撤回",
    "取消",
    "还原",
    "回退",
];
const GO_BACK: &[&str] = &[
    "go back",
    "back to",
    "how it was",
    "as it was",
    "return to",
    "state of",
    "restore to",
    "전으로",
    "때로",
    "상태로",
    "원래대로",
    "回到",
    "退回",
    "恢复到",
    "还原到",
];
const BROKE: &[&str] = &[
    "broke",
    "broken",
    "not work",
    "doesn't work",
    "crash",
    "wrong",
    "fail",
    "mess",
    "망가",
    "안 돼",
    "안돼",
    "깨졌",
    "고장",
    "이상하",
    "오류",
    "에러",
    "坏了",
    "坏掉",
    "不行",
    "不能用",
    "崩",
    "出错",
    "报错",
    "有问题",
    "搞坏",
];
const LAST: &[&str] = &[
    "that",
    "last",
    "just now",
    "just did",
    "latest",
    "방금",
    "아까",
    "마지막",
    "刚才",
    "刚刚",
    "上一步",
    "最后",
];

/// Words that name nothing.
const EMPTY: &[&str] = &[
    "the",
    "it",
    "this",
    "that",
    "is",
    "was",
    "are",
    "my",
    "me",
    "to",
    "a",
    "an",
    "of",
    "in",
    "on",
    "all",
    "everything",
    "please",
    "and",
    "or",
    "change",
    "changes",
    "changed",
    "edit",
    "edits",
    "before",
    "after",
    "since",
    "ago",
    "back",
    "take",
    "go",
    "how",
    "state",
    "working",
    "work",
    "works",
    "still",
    "app",
    "code",
    "file",
    "files",
    "project",
    "thing",
    "things",
    "ai",
    "agent",
    "did",
    "do",
    "does",
    "not",
    "now",
    "just",
    "last",
    "latest",
    "minute",
    "minutes",
    "hour",
    "hours",
    "day",
    "days",
    "second",
    "seconds",
    "half",
    "one",
    "two",
    "three",
    "ten",
    "yesterday",
    "went",
    "get",
    "got",
    "want",
    "need",
    "help",
    "something",
    "some",
    "with",
    "from",
    "has",
    "have",
    "had",
    "been",
    "there",
    "where",
    "when",
    "i",
    "we",
    "you",
    "its",
    "for",
    "at",
    "be",
    "fine",
    "good",
    "broke",
    "broken",
    "undo",
    "revert",
    "wrong",
    "restore",
    "return",
    "cancel",
    "what",
    "happened",
    "why",
    "explain",
    "fails",
    "failing",
    "failed",
    "crash",
    "crashes",
    "crashed",
    "mess",
    "rollback",
    "roll",
    "no",
    "longer",
    "any",
    "more",
    "anymore",
    "can",
    "cannot",
    "as",
    "again",
    "completely",
    "totally",
];

impl Phrase {
    /// Understands what it can.
    pub fn parse(text: &str) -> Self {
        let lower = text.to_lowercase();
        let has = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
        let moment = ago(&lower);
        let undo = has(UNDO);
        let go_back = has(GO_BACK) || (moment.is_some() && (undo || !has(BROKE)));
        let ask = if has(EXPLAIN) && !undo {
            Ask::Explain
        } else if go_back {
            Ask::GoBack
        } else if undo {
            Ask::Undo
        } else {
            Ask::Broke
        };
        Self { ask, moment, last: has_word(&lower, LAST), about: about(&lower) }
    }

    /// The words name this text: a request, a path.
    pub fn is_about(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let there = words(text);
        self.about.iter().any(|word| {
            if word.is_ascii() {
                there.iter().any(|other| same_word(word, other))
            } else {
                lower.contains(word.as_str())
            }
        })
    }
}

fn has_word(text: &str, marks: &[&str]) -> bool {
    let all = words(text);
    marks.iter().any(|mark| {
        if mark.is_ascii() && !mark.contains(' ') {
            all.iter().any(|word| word == mark)
        } else {
            text.contains(mark)
        }
    })
}

/// Latin words that may name something, and Korean or Chinese ones once the known expressions are taken out.
fn about(text: &str) -> Vec<String> {
    let mut found: Vec<String> = words(text)
        .into_iter()
        .filter(|word| word.is_ascii() && word.len() > 2 && !EMPTY.contains(&word.as_str()))
        .filter(|word| !word.chars().all(|letter| letter.is_ascii_digit()))
        .collect();
    let mut rest: String = text.to_owned();
    let known = [EXPLAIN, UNDO, GO_BACK, BROKE, LAST].concat();
    let more = [
        "변경", "수정", "바꾼", "바뀐", "분", "시간", "일", "초", "전", "어제", "해줘", "해 줘", "줘",
        "했어", "졌어", "것", "거", "모두", "전부", "改动", "修改", "更改", "分钟", "小时", "天", "秒", "前",
        "之前", "以前", "昨天", "请", "把", "的", "了", "一下", "全部", "那", "这", "个", "半", "状态",
    ];
    for word in known.iter().copied().chain(more).filter(|word| !word.is_ascii()) {
        rest = rest.replace(word, " ");
    }
    for piece in rest.split(|letter: char| !letter.is_alphanumeric() || letter.is_ascii()) {
        let piece = piece.trim_end_matches(['을', '를', '이', '가', '은', '는', '의', '에', '도', '로']);
        if piece.chars().count() >= 2 {
            found.push(piece.to_owned());
        }
    }
    found
}

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// "30 minutes ago", "an hour ago", "30분 전", "半小时前", "yesterday".
fn ago(text: &str) -> Option<Moment> {
    let fixed: &[(&str, i64)] = &[
        ("half an hour", HOUR / 2),
        ("half hour", HOUR / 2),
        ("yesterday", DAY),
        ("반 시간", HOUR / 2),
        ("반시간", HOUR / 2),
        ("어제", DAY),
        ("半小时", HOUR / 2),
        ("半个小时", HOUR / 2),
        ("昨天", DAY),
    ];
    if let Some((_, ms)) = fixed.iter().find(|(mark, _)| text.contains(mark)) {
        return Some(Moment::Ago(*ms));
    }
    let units: &[(&[&str], i64)] = &[
        (&["second", "sec", "초", "秒"], 1_000),
        (&["minute", "min", "분", "分钟", "分"], MINUTE),
        (&["hour", "시간", "小时", "个小时", "钟头"], HOUR),
        (&["day", "일", "天"], DAY),
    ];
    if !["ago", "before", "earlier", "전", "前"].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    for (marks, ms) in units {
        for mark in *marks {
            for (at, _) in text.match_indices(mark) {
                if let Some(number) = number_before(&text[..at]) {
                    return Some(Moment::Ago(number.saturating_mul(*ms)));
                }
            }
        }
    }
    None
}

fn number_before(text: &str) -> Option<i64> {
    let text = text.trim_end().trim_end_matches('个').trim_end();
    let digits: String = text.chars().rev().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() {
        return digits.chars().rev().collect::<String>().parse().ok();
    }
    let last = text.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or(text);
    const WORDS: &[(&str, i64)] = &[
        ("an", 1),
        ("a", 1),
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("ten", 10),
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
        ("few", 5),
        ("한", 1),
        ("두", 2),
        ("세", 3),
        ("네", 4),
        ("다섯", 5),
        ("열", 10),
        ("一", 1),
        ("两", 2),
        ("三", 3),
        ("四", 4),
        ("五", 5),
        ("十", 10),
        ("几", 5),
    ];
    WORDS
        .iter()
        .find(|(word, _)| if word.is_ascii() { last == *word } else { last.ends_with(word) })
        .map(|(_, number)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_of_three_languages() {
        type Case = (&'static str, Ask, Option<i64>, bool, &'static [&'static str]);
        let cases: &[Case] = &[
            ("it broke", Ask::Broke, None, false, &[]),
            ("undo that", Ask::Undo, None, true, &[]),
            ("망가졌어", Ask::Broke, None, false, &[]),
            ("AI가 이상하게 바꿨어", Ask::Broke, None, false, &[]),
            ("30분 전으로 되돌려 줘", Ask::GoBack, Some(30 * MINUTE), false, &[]),
            ("한 시간 전", Ask::GoBack, Some(HOUR), false, &[]),
            ("방금 한 거 취소", Ask::Undo, None, true, &[]),
            ("刚才的改动撤销", Ask::Undo, None, true, &[]),
            ("坏了", Ask::Broke, None, false, &[]),
            ("回到半小时前", Ask::GoBack, Some(HOUR / 2), false, &[]),
            ("两个小时前还好好的", Ask::GoBack, Some(2 * HOUR), false, &[]),
            ("go back to how it was 30 minutes ago", Ask::GoBack, Some(30 * MINUTE), false, &[]),
            ("an hour ago", Ask::GoBack, Some(HOUR), false, &[]),
            ("back to before the login change", Ask::GoBack, None, false, &["login"]),
            ("take back the login change", Ask::Undo, None, false, &["login"]),
            ("what happened?", Ask::Explain, None, false, &[]),
            ("it broke 10 minutes ago", Ask::Broke, Some(10 * MINUTE), false, &[]),
        ];
        for (text, ask, ms, last, about) in cases {
            let phrase = Phrase::parse(text);
            assert_eq!(phrase.ask, *ask, "{text}");
            assert_eq!(phrase.moment, ms.map(Moment::Ago), "{text}");
            assert_eq!(phrase.last, *last, "{text}");
            if text.is_ascii() {
                assert_eq!(phrase.about, *about, "{text}");
            }
        }
        assert!(Phrase::parse("로그인 변경을 되돌려 줘").is_about("로그인 화면을 고쳐 줘"));
        assert!(Phrase::parse("撤销登录的改动").is_about("修改登录页面"));
        assert!(Phrase::parse("before the login change").is_about("src/login.js"));
    }
}
