//! 되돌리는 건 안 돼, 안 되돌렸으면 좋겠어, 되돌려? 안 돼!

use super::{around, has, parts, without};

const VERBS: &[&str] = &["되돌", "돌려", "돌리", "취소", "롤백", "원상복구", "원복", "철회"];
/// What the reader has placed, and politeness.
const KNOWN: &[&str] = &[
    "되돌리지 마",
    "되돌리지마",
    "되돌리지 말",
    "되돌리지 않",
    "되돌리면 안 ",
    "취소하면 안 ",
    "취소하지 마",
    "취소하지 말",
    "취소하지 않",
    "건드리지 마",
    "건드리지 말",
    "건드리지 않",
    "건들지 마",
    "손대지 마",
    "손대지 말",
    "필요 없",
    "필요없",
    "문제 없",
    "문제없",
    "안 되돌려도",
    "안 취소해도",
    "안 돌려도",
    "안 건드려도",
    "취소 안 해도",
];
/// It says so in whatever word it stands.
const INSIDE: &[&str] = &[
    "않",
    "싫",
    "곤란",
    "잘못",
    "아니",
    "아냐",
    "반대",
    "금지",
    "불가",
    "위험",
    "후회",
    "실수",
    "나쁘",
    "나빠",
    "틀렸",
    "지마",
    "지말",
    "진마",
    "이유",
    "큰일",
    "무의미",
    "하필",
];
/// A word begins so.
const BEGINS: &[&str] =
    &["안돼", "안되", "안됩", "못", "마세요", "마라", "말아", "말고", "말자", "말라", "말기", "없"];
/// A word by itself.
const WORDS: &[&str] = &["안", "마", "마요", "왜", "뭐하러", "누가", "뭐하려고"];
const ALONE: &[&str] = &[
    "안돼",
    "안 돼",
    "안 돼요",
    "안돼요",
    "안 됩니다",
    "아니",
    "아니요",
    "아니야",
    "아뇨",
    "싫어",
    "절대",
    "절대 안 돼",
    "하지 마",
    "하지마",
    "노",
];

pub(super) fn find(text: &str) -> Option<String> {
    let masked = without(text, KNOWN, ",");
    let parts = parts(&masked);
    let mut said = false;
    for part in parts {
        let Some((before, after)) = around(part, VERBS) else {
            if said && ALONE.contains(&part) {
                return Some(part.to_owned());
            }
            continue;
        };
        said = true;
        let last = before.split_whitespace().last().unwrap_or_default();
        let asks = before.split_whitespace().any(|word| WORDS[3..].contains(&word));
        if asks || matches!(last, "안" | "못") || after.iter().any(|after| denies(after)) {
            return Some(part.to_owned());
        }
    }
    None
}

fn denies(after: &str) -> bool {
    let begins = |word: &str| WORDS.contains(&word) || BEGINS.iter().any(|mark| word.starts_with(mark));
    // The first piece is the ending of the verb.
    has(after, INSIDE) || after.split_whitespace().any(begins)
}
