//! 最后两个请求, 倒数第二个, 第三个要求, 请求4, gemini做的, 我自己改的.

use super::scan::Scan;
use super::{Background, Which};

#[rustfmt::skip]
const NUMBERS: &[(&str, usize)] = &[
    ("一", 1), ("两", 2), ("二", 2), ("三", 3), ("四", 4), ("五", 5), ("六", 6), ("七", 7), ("八", 8), ("九", 9), ("十", 10), ("几", 3),
];
const COUNTERS: &[&str] = &["个", "次", "条", "项", "步", "轮"];
const NOUNS: &[&str] =
    &["请求", "要求", "改动", "修改", "更改", "操作", "变更", "任务", "提问", "指令", "编辑", "需求"];
const TIMES: &[&str] = &["小时", "钟头", "星期", "月", "礼拜"];

pub(super) fn read(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    scan.attempt(from_end)
        .or_else(|| scan.attempt(numbered))
        .or_else(|| scan.attempt(last))
        .or_else(|| scan.attempt(first))
        .or_else(|| scan.attempt(by_hand))
        .or_else(|| scan.attempt(|scan| maker(scan, known)))
}

/// A number and what it counts; hours are no requests.
fn counted(scan: &mut Scan<'_>) -> Option<usize> {
    scan.attempt(|scan| {
        let number = scan.number(NUMBERS)?;
        let counted = scan.any(COUNTERS);
        if scan.clone().any(TIMES) {
            return None;
        }
        scan.may(&["的"]);
        let named = scan.any(NOUNS);
        (counted || named).then_some(number)
    })
}

fn from_end(scan: &mut Scan<'_>) -> Option<Which> {
    scan.any(&["倒数第"]).then_some(())?;
    Some(Which::FromEnd(counted(scan)?))
}

fn numbered(scan: &mut Scan<'_>) -> Option<Which> {
    if scan.any(&["请求", "要求"]) {
        scan.may(&["#"]);
        return Some(Which::Number(i64::try_from(scan.number(&[])?).ok()?));
    }
    scan.may(&["#"]);
    let number = scan.number(&[])?;
    (scan.any(&["号"]) && scan.any(NOUNS)).then_some(Which::Number(i64::try_from(number).ok()?))
}

fn last(scan: &mut Scan<'_>) -> Option<Which> {
    scan.any(&["最后", "最近", "最新", "最末"]).then_some(())?;
    scan.may(&["的", "做的", "改的"]);
    if let Some(count) = counted(scan) {
        return Some(Which::Last(count.max(1)));
    }
    scan.any(NOUNS).then_some(Which::Last(1))
}

fn first(scan: &mut Scan<'_>) -> Option<Which> {
    if scan.any(&["第"]) {
        return Some(Which::Nth(counted(scan)?));
    }
    if scan.any(&["最早的", "最初的", "最先的"]) {
        if let Some(count) = counted(scan) {
            return Some(if count > 1 { Which::First(count) } else { Which::Nth(1) });
        }
        return scan.any(NOUNS).then_some(Which::Nth(1));
    }
    scan.any(&["最前面", "最前", "最初", "最早", "前", "头"]).then_some(())?;
    scan.may(&["的"]);
    Some(match counted(scan)? {
        1 => Which::Nth(1),
        count => Which::First(count),
    })
}

fn by_hand(scan: &mut Scan<'_>) -> Option<Which> {
    scan.any(&["我自己", "我亲手", "我手动", "我亲自", "手动", "自己"]).then_some(())?;
    scan.may(&["手动", "亲手"]);
    scan.any(&["改", "写", "做", "敲", "编辑", "修改", "加"]).then_some(())?;
    scan.may(&["的"]);
    scan.may(&["东西", "内容", "部分", "地方"]);
    scan.may(NOUNS);
    Some(Which::Person)
}

fn maker(scan: &mut Scan<'_>, known: &Background) -> Option<Which> {
    let client = super::english::CLIENTS
        .iter()
        .filter(|(name, _)| scan.clone().any(&[name]))
        .max_by_key(|(name, _)| name.len());
    let which = match client {
        Some((name, client)) => {
            scan.any(&[name]);
            known.clients.iter().any(|known| known == client).then(|| Which::Client((*client).to_owned()))
        }
        None if scan.any(&["ai", "智能体", "助手"]) => Some(Which::Agents),
        None => None,
    }?;
    scan.may(&["所", "刚才"]);
    let did = scan.any(&["做", "改", "写", "弄", "动", "修改", "加", "干"]);
    scan.may(&["过"]);
    let own = scan.any(&["的"]);
    let things = scan.any(&["所有"]) | scan.any(NOUNS) | scan.any(&["东西", "事"]);
    (did || own || things || scan.ends()).then_some(which)
}
