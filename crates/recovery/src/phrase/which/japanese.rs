//! 最後の二つ, 最後から二番目の依頼, 三番目の依頼, 依頼4, geminiがやったこと, 自分で直したところ.

use super::scan::Scan;
use super::{Background, Which};

#[rustfmt::skip]
const NUMBERS: &[(&str, usize)] = &[
    ("一", 1), ("ひと", 1), ("二", 2), ("ふた", 2), ("三", 3), ("みっ", 3), ("四", 4), ("よっ", 4), ("五", 5), ("いつ", 5), ("六", 6), ("七", 7), ("八", 8), ("九", 9), ("十", 10),
];
const COUNTERS: &[&str] = &["つ", "個", "件", "回", "コ", "ヶ"];
const NOUNS: &[&str] = &[
    "依頼",
    "要求",
    "リクエスト",
    "変更",
    "修正",
    "編集",
    "指示",
    "作業",
    "お願い",
    "もの",
    "やつ",
    "プロンプト",
];
const CLIENTS: &[(&str, &str)] = &[
    ("クロードコード", "claude-code"),
    ("クロード", "claude-code"),
    ("ジェミニ", "gemini"),
    ("コーデックス", "codex"),
    ("コパイロット", "copilot"),
    ("カーソル", "cursor"),
];

pub(super) fn read(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    scan.attempt(from_end)
        .or_else(|| scan.attempt(numbered))
        .or_else(|| scan.attempt(last))
        .or_else(|| scan.attempt(first))
        .or_else(|| scan.attempt(by_hand))
        .or_else(|| scan.attempt(|scan| maker(scan, known)))
}

/// A number and what it counts; minutes are no requests.
fn counted(scan: &mut Scan<'_>) -> Option<usize> {
    scan.attempt(|scan| {
        let number = scan.number(NUMBERS)?;
        scan.any(COUNTERS).then_some(())?;
        scan.attempt(|scan| (scan.any(&["の"]) && scan.any(NOUNS)).then_some(()));
        Some(number)
    })
}

fn place(scan: &mut Scan<'_>) -> Option<usize> {
    scan.attempt(|scan| {
        let number = scan.number(NUMBERS)?;
        scan.any(&["番目", "つ目", "個目", "回目", "件目", "つめ"]).then_some(())?;
        scan.attempt(|scan| (scan.any(&["の"]) && scan.any(NOUNS)).then_some(()));
        Some(number)
    })
}

fn from_end(scan: &mut Scan<'_>) -> Option<Which> {
    if scan.any(&["最後から", "後ろから", "うしろから", "終わりから"]) {
        return Some(Which::FromEnd(place(scan)?));
    }
    scan.any(&["最後", "直近"]).then_some(())?;
    scan.may(&["の"]);
    let step = scan.any(&["一つ前", "ひとつ前", "1つ前", "前"]);
    (step && scan.any(&["の"]) && scan.any(NOUNS)).then_some(Which::FromEnd(2))
}

fn numbered(scan: &mut Scan<'_>) -> Option<Which> {
    scan.any(&["依頼", "リクエスト", "要求"]).then_some(())?;
    scan.may(&["#", "番号"]);
    Some(Which::Number(i64::try_from(scan.number(&[])?).ok()?))
}

fn last(scan: &mut Scan<'_>) -> Option<Which> {
    scan.any(&["最後", "最新", "直近", "最近"]).then_some(())?;
    scan.may(&["の"]);
    if let Some(count) = counted(scan) {
        return Some(Which::Last(count.max(1)));
    }
    scan.any(NOUNS).then_some(Which::Last(1))
}

fn first(scan: &mut Scan<'_>) -> Option<Which> {
    if let Some(at) = place(scan) {
        return Some(Which::Nth(at));
    }
    scan.any(&["一番最初", "最初", "はじめ", "初め"]).then_some(())?;
    scan.may(&["の"]);
    if let Some(count) = counted(scan) {
        return Some(if count > 1 { Which::First(count) } else { Which::Nth(1) });
    }
    scan.any(NOUNS).then_some(Which::Nth(1))
}

fn by_hand(scan: &mut Scan<'_>) -> Option<Which> {
    let own = scan.any(&["私が", "僕が", "俺が", "わたしが"]);
    let hand = scan.any(&["自分で", "手動で", "手で"]);
    let did =
        scan.any(&["直した", "書いた", "変えた", "編集した", "修正した", "変更した", "打った", "やった"]);
    ((hand || own) && did).then_some(())?;
    scan.may(&["ところ", "もの", "部分", "箇所", "こと", "変更"]);
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
        None if scan.any(&["ai", "エージェント"]) => Some(Which::Agents),
        None => None,
    }?;
    let by = scan.any(&["が", "の"]);
    let did = scan.any(&[
        "やった",
        "した",
        "変えた",
        "書いた",
        "直した",
        "変更した",
        "修正した",
        "編集した",
        "行った",
        "作った",
        "触った",
    ]);
    let things = scan.any(NOUNS) || scan.any(&["こと", "ところ", "部分", "箇所", "作業"]);
    (by && (did || things) || scan.ends()).then_some(which)
}
