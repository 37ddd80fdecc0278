//! 不应该撤销, 撤销它是错误的, 撤销？不！

use super::super::chinese::plain;
use super::{around, has, parts, without};

const VERBS: &[&str] =
    &["撤销", "撤消", "撤回", "撤掉", "取消", "还原", "回退", "回滚", "复原", "退回", "改回"];
/// What the reader has placed, and politeness.
const KNOWN: &[&str] = &[
    "不要了",
    "不需要了",
    "用不着了",
    "而不是",
    "不是",
    "不包括",
    "不含",
    "不见了",
    "没了",
    "行不行",
    "好不好",
    "可不可以",
    "能不能",
    "要不要",
    "什么都不",
    "什么也不",
    "什么都别",
    "什么也别",
    "不动",
    "不变",
    "别动",
    "不要动",
    "别碰",
    "不要碰",
    "不要撤销",
    "别撤销",
    "不撤销",
    "不要撤回",
    "别撤回",
    "不要取消",
    "别取消",
    "不要还原",
    "别还原",
    "不要回退",
    "别回退",
    "不要回滚",
    "别回滚",
    "不用撤销",
    "不能撤销",
    "不必撤销",
    "无需撤销",
    "不需要撤销",
    "不想撤销",
    "不要改",
    "别改",
    "别的",
    "不过",
    "没问题",
    "没关系",
    "区别",
    "级别",
    "类别",
    "不用还原",
    "不用取消",
    "不必还原",
    "不要复原",
    "不要保留",
    "不保留",
];
/// Before the verb.
const BEFORE: &[&str] = &[
    "不应",
    "不该",
    "不可",
    "不准",
    "不许",
    "不得",
    "不能",
    "不想",
    "不希望",
    "不用",
    "不必",
    "没必要",
    "没有必要",
    "没理由",
    "没有理由",
    "无需",
    "无须",
    "禁止",
    "切勿",
    "请勿",
    "勿",
    "别",
    "不要",
    "不会",
    "不愿",
    "不同意",
    "不赞成",
    "反对",
    "拒绝",
    "避免",
    "绝不",
    "决不",
    "不打算",
    "防止",
    "谁让",
    "谁叫",
    "谁说",
    "为什么",
    "为何",
    "干嘛",
    "何必",
    "如果",
    "要是",
    "万一",
    "不建议",
    "不宜",
    "不适合",
    "不喜欢",
    "讨厌",
    "不允许",
    "应不应该",
    "该不该",
    "没让",
    "没叫",
    "错误地",
];
/// After it.
const AFTER: &[&str] =
    &["不", "没", "错", "糟", "坏", "危险", "后悔", "反对", "禁止", "别", "麻烦了", "愚蠢", "完蛋", "否"];
const ALONE: &[&str] = &[
    "不",
    "不行",
    "不要",
    "别",
    "不可以",
    "没门",
    "不对",
    "不用",
    "算了",
    "不了",
    "绝不",
    "决不",
    "千万别",
    "不是",
    "不不",
    "当然不",
    "才不",
];

pub(super) fn find(text: &str) -> Option<String> {
    let mut said = false;
    for part in parts(&without(&plain(text), KNOWN, "，")) {
        let Some((before, after)) = around(part, VERBS) else {
            if said && ALONE.contains(&part) {
                return Some(part.to_owned());
            }
            continue;
        };
        said = true;
        if has(before, BEFORE) || after.iter().any(|after| denies(after)) {
            return Some(part.to_owned());
        }
    }
    None
}

/// What stands before 的 describes a thing, unless the sentence ends there: 撤销搞坏的页面, 撤销是错的.
fn denies(after: &str) -> bool {
    let end = after.strip_suffix('的').unwrap_or(after);
    let judged = end.rfind('的').map_or(end, |at| &end[at..]);
    let copula = after.ends_with('的') && !has(after, &["是", "会"]);
    !copula && has(judged, AFTER)
}
