//! "마지막 두 개", "뒤에서 두 번째 요청", "세 번째 요청", "4번 요청", "제미나이가 한 거", "내가 직접 고친 것".

use super::scan::Scan;
use super::{Background, Which};

#[rustfmt::skip]
const NUMBERS: &[(&str, usize)] = &[
    ("하나", 1), ("한", 1), ("둘", 2), ("두", 2), ("셋", 3), ("세", 3), ("넷", 4), ("네", 4), ("다섯", 5), ("여섯", 6), ("일곱", 7), ("여덟", 8), ("아홉", 9), ("열", 10),
];
const ORDINALS: &[(&str, usize)] = &[
    ("첫째", 1),
    ("둘째", 2),
    ("셋째", 3),
    ("넷째", 4),
    ("첫", 1),
    ("두", 2),
    ("세", 3),
    ("네", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
];
const COUNTERS: &[&str] = &["개", "가지", "건", "번", "차례"];
const NOUNS: &[&str] =
    &["요청", "변경사항", "변경", "수정", "작업", "것", "거", "걸", "건", "프롬프트", "지시"];
const LAST: &[&str] = &["가장 최근", "제일 마지막", "맨 마지막", "마지막", "최근", "가장 마지막"];
const CLIENTS: &[(&str, &str)] = &[
    ("클로드 코드", "claude-code"),
    ("클로드", "claude-code"),
    ("제미나이", "gemini"),
    ("제미니", "gemini"),
    ("코덱스", "codex"),
    ("코파일럿", "copilot"),
    ("커서", "cursor"),
    ("오픈코드", "opencode"),
];
const DID: &[&str] = &[
    "한",
    "했던",
    "바꾼",
    "바꿔 놓은",
    "고친",
    "만든",
    "수정한",
    "작업한",
    "변경한",
    "건드린",
    "쓴",
    "추가한",
    "해 놓은",
    "해놓은",
];

pub(super) fn read(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    scan.attempt(from_end)
        .or_else(|| scan.attempt(numbered))
        .or_else(|| scan.attempt(last))
        .or_else(|| scan.attempt(first))
        .or_else(|| scan.attempt(by_hand))
        .or_else(|| scan.attempt(|scan| maker(scan, known)))
}

/// A number and what it counts.
fn counted(scan: &mut Scan<'_>) -> Option<usize> {
    scan.attempt(|scan| {
        let number = scan.number(NUMBERS)?;
        let counted = scan.any(COUNTERS);
        scan.may(&["의"]);
        let named = scan.any(NOUNS);
        (counted || named).then_some(number)
    })
}

fn ordinal(scan: &mut Scan<'_>) -> Option<usize> {
    scan.attempt(|scan| {
        let number = scan.number(ORDINALS)?;
        let whole = scan.rest().starts_with("번째") || scan.rest().starts_with("번 째");
        if whole {
            scan.any(&["번째", "번 째"]);
            return Some(number);
        }
        None
    })
    .or_else(|| {
        scan.attempt(|scan| {
            let (word, number) = [("첫째", 1), ("둘째", 2), ("셋째", 3)]
                .into_iter()
                .find(|(word, _)| scan.rest().starts_with(word))?;
            scan.any(&[word]).then_some(number)
        })
    })
}

fn from_end(scan: &mut Scan<'_>) -> Option<Which> {
    if scan.any(&["뒤에서부터", "뒤에서", "끝에서", "마지막에서", "뒤로부터", "마지막부터"])
    {
        let at = ordinal(scan)?;
        scan.may(NOUNS);
        return Some(Which::FromEnd(at));
    }
    if scan.any(&["마지막 바로 전", "마지막 하나 전", "마지막 바로 앞", "마지막에서 하나 전", "마지막 전"])
    {
        scan.may(&["의"]);
        return scan.any(NOUNS).then_some(Which::FromEnd(2));
    }
    None
}

fn numbered(scan: &mut Scan<'_>) -> Option<Which> {
    if scan.any(&["요청"]) {
        scan.may(&["#"]);
        let number = scan.number(&[])?;
        scan.may(&["번"]);
        return Some(Which::Number(i64::try_from(number).ok()?));
    }
    scan.may(&["#"]);
    let number = scan.number(&[])?;
    (scan.any(&["번"]) && scan.any(&["요청"])).then_some(Which::Number(i64::try_from(number).ok()?))
}

fn last(scan: &mut Scan<'_>) -> Option<Which> {
    scan.any(LAST).then_some(())?;
    scan.may(&["의"]);
    if let Some(count) = counted(scan) {
        return Some(Which::Last(count.max(1)));
    }
    scan.may(&["으로 한", "에 한", "으로 바꾼"]);
    scan.any(NOUNS).then_some(Which::Last(1))
}

fn first(scan: &mut Scan<'_>) -> Option<Which> {
    if let Some(at) = ordinal(scan) {
        scan.may(&["로 한", "의"]);
        scan.may(NOUNS);
        return Some(Which::Nth(at));
    }
    scan.any(&["맨 처음", "처음", "최초", "첫"]).then_some(())?;
    scan.may(&["의"]);
    if let Some(count) = counted(scan) {
        return Some(if count > 1 { Which::First(count) } else { Which::Nth(1) });
    }
    scan.any(NOUNS).then_some(Which::Nth(1))
}

fn by_hand(scan: &mut Scan<'_>) -> Option<Which> {
    let own = scan.any(&["내가", "제가", "저희가", "우리가", "나는"]);
    let hand = scan.any(&["직접", "손으로", "스스로", "수동으로"]);
    let did = scan.any(DID) || scan.any(&["적은", "타이핑한", "입력한", "편집한"]);
    (hand && (did || own)).then_some(())?;
    scan.may(&["부분", "내용", "것", "거", "곳"]);
    Some(Which::Person)
}

fn maker(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    let names = CLIENTS.iter().chain(super::english::CLIENTS);
    let client = names.filter(|(name, _)| scan.clone().any(&[name])).max_by_key(|(name, _)| name.len());
    let which = match client {
        Some((name, client)) => {
            scan.any(&[name]);
            known.clients.iter().any(|known| known == client).then(|| Which::Client((*client).to_owned()))
        }
        None if scan.any(&["ai", "에이전트", "인공지능"]) => Some(Which::Agents),
        None => None,
    }?;
    scan.may(&["가", "이", "의"]);
    let did = scan.any(DID);
    let things = scan.any(NOUNS);
    (did || things || scan.ends()).then_some(which)
}
