//! "以后都…" "从现在开始…" "不要再…" "绝对不要…"

use super::japanese::is_japanese;

const LASTING: &[&str] = &[
    "从现在开始",
    "从现在起",
    "从今以后",
    "从今天起",
    "从今天开始",
    "今后",
    "往后",
    "记住",
    "不要再",
    "别再",
    "永远不要",
    "永远别",
    "绝对不要",
    "绝对不能",
    "绝不",
    "千万别",
    "千万不要",
    "务必",
    "请记得",
    "接下来都",
    "以后都",
    "以后一律",
    "我们决定",
    "决定改用",
    "决定用",
    "再也不要",
    "再也别",
    "再也不用",
    "任何时候",
    "任何情况",
    "严禁",
    "原则上",
    "我们规定",
    "这边规定",
    "约定好",
    "我们约定",
    "咱们约定",
    "记一下",
    "请记住",
    "永远用",
    "永远都",
    "不许",
    "不准",
    "从此",
    "下次开始",
    "下次起",
    "下回起",
    "养成习惯",
];
const ALWAYS: &[&str] = &[
    "总是",
    "始终",
    "一律",
    "每次",
    "统一",
    "必须",
    "永远",
    "只能",
    "全部都",
    "一概",
    "每个",
    "凡是",
    "只要",
];
const ONCE: &[&str] = &[
    "这次",
    "这一次",
    "这回",
    "本次",
    "暂时",
    "先这样",
    "就这一次",
    "仅此一次",
    "今天",
    "今晚",
    "这周",
    "目前",
    "临时",
    "明天之前",
    "到明天",
    "先不",
    "眼下",
];
/// Somebody else says it, of the past, or not meant.
const NOT_MEANT: &[&str] = &[
    "老板",
    "领导",
    "经理说",
    "同事说",
    "客户说",
    "客户要求",
    "审计",
    "有人说",
    "别人说",
    "听说",
    "据说",
    "他说",
    "她说",
    "他们",
    "她们",
    "其他组",
    "别的组",
    "隔壁组",
    "网上说",
    "书上说",
    "文档里写",
    "文档上写",
    "写着",
    "以前",
    "去年",
    "曾经",
    "过去我们",
    "过去总",
    "上个月",
    "呵呵",
    "行啊",
    "呗",
    "反正你",
    "祈祷",
    "哈哈",
    "干脆",
    "开玩笑",
    "可真行",
    "真厉害",
    "假设",
    "假如",
    "翻译成",
    "文案",
    "标签上",
];
const HAPPENS: &[&str] = &[
    "失败",
    "报错",
    "卡住",
    "卡死",
    "崩溃",
    "出错",
    "超时",
    "不行",
    "不工作",
    "跳到",
    "跳转",
    "显示",
    "返回",
];
const WISHES: &[&str] = &[
    "要", "请", "用", "不要", "别", "先", "禁止", "不能", "不准", "写", "放在", "保持", "基于", "得到",
    "经过", "走", "取", "存", "带", "按", "加上", "更新", "开成", "问",
];

fn is_chinese(text: &str) -> bool {
    text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)) && !is_japanese(text)
}

fn is_question(text: &str) -> bool {
    let text = text.trim();
    text.ends_with(['?', '？', '吗', '呢'])
        || ["为什么", "怎么", "会有什么", "会怎样", "是不是", "要不要", "能不能", "靠谱"]
            .iter()
            .any(|word| text.contains(word))
}

/// An agent answers this and does nothing. "能帮我…吗", "可以…一下吗" are requests.
pub(super) fn is_only_talk(bare: &str) -> bool {
    let polite = ["帮我", "帮忙", "麻烦", "可以把", "能把", "请"].iter().any(|word| bare.contains(word));
    is_chinese(bare) && !polite && (is_question(bare) || is_not_meant(bare))
}

/// Told of others, of the past, in irony, or words to be written somewhere. "跟我说", "说明" are none.
fn is_not_meant(bare: &str) -> bool {
    let own = ["我说", "说明", "说一下", "说清", "跟我说", "先说", "说好", "说过", "小说", "说话"];
    let spoken = own.iter().fold(bare.to_owned(), |text, word| text.replace(word, "")).contains('说');
    spoken || NOT_MEANT.iter().any(|word| bare.contains(word))
}

fn is_for_a_while(bare: &str) -> bool {
    let text = ["从今天起", "从今天开始"].iter().fold(bare.to_owned(), |text, word| text.replace(word, ""));
    ONCE.iter().any(|once| text.contains(once)) && !text.contains("以后")
}

pub(super) fn is_rule(bare: &str) -> bool {
    if !is_chinese(bare) || is_question(bare) || is_for_a_while(bare) || is_not_meant(bare) {
        return false;
    }
    // 修一下, 改一下: something is to be done now.
    let mends = ["修一下", "改一下", "修复一下", "看一下", "优化一下", "帮我看看"]
        .iter()
        .any(|end| bare.trim_end_matches(['。', '.']).ends_with(end));
    if LASTING.iter().any(|word| bare.contains(word)) || means_later(bare) {
        return !mends || opens_with_later(bare);
    }
    if changes_over(bare) {
        return true;
    }
    // "禁止" is a rule by itself where it is about the work.
    if bare.contains("禁止") && !super::facets(bare).topics.is_empty() {
        return true;
    }
    ALWAYS.iter().any(|word| bare.contains(word))
        && WISHES.iter().any(|word| bare.contains(word))
        && !HAPPENS.iter().any(|word| bare.contains(word))
        && !bare.contains("必须能")
        && !mends
}

/// 以后 opens a clause, or stands before how it is done from then on. Behind something it means "after".
fn means_later(bare: &str) -> bool {
    const HOW: &[&str] = &[
        "都", "只", "别", "不要", "不再", "一律", "统一", "必须", "改成", "改用", "还是", "每次", "全部",
        "禁止", "改为", "一定",
    ];
    opens_with_later(bare)
        || bare.match_indices("以后").any(|(at, later)| {
            let rest = &bare[at + later.len()..];
            HOW.iter().any(|how| rest.starts_with(how)) && !HAPPENS.iter().any(|word| rest.contains(word))
        })
}

/// 不用 yarn 了，改成 pnpm; 还是换回 yarn 吧: one of several is chosen anew.
fn changes_over(bare: &str) -> bool {
    let turns =
        ["换回", "换到", "换成", "改成", "改用", "还是用", "弃用"].iter().any(|word| bare.contains(word));
    let found = super::facets(bare);
    turns && (found.wants.iter().chain(&found.refuses).any(|(group, _)| super::facets::is_tool(*group)))
}

/// 以后 opens a clause: "from now on".
fn opens_with_later(bare: &str) -> bool {
    bare.split(['，', ',', '。', '；', '：', ':', ' ', '！']).map(str::trim).any(|clause| {
        let rest = clause
            .strip_prefix("以后")
            .or_else(|| clause.strip_prefix("請以後"))
            .or_else(|| clause.strip_prefix("请以后"))
            .or_else(|| clause.strip_prefix("那以后"));
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('再') && !rest.starts_with('吧'))
            || (clause == "以后" && bare.chars().count() > 5)
    })
}

pub(super) fn withdraws(bare: &str) -> bool {
    if !is_chinese(bare) || is_question(bare) || is_not_meant(bare) || is_for_a_while(bare) {
        return false;
    }
    let rule = ["规则", "规定", "约定", "要求", "说过的", "限制"].iter().any(|word| bare.contains(word))
        && ["忘掉", "忘了", "取消", "作废", "不用管", "不再适用", "撤销", "删掉", "解除", "算了"]
            .iter()
            .any(|word| bare.contains(word));
    let end = bare.trim().trim_end_matches(['。', '.', '！', '!', '啦', '哦', '吧']);
    let replaced =
        ["改成", "改用", "换成", "换回", "换到", "一律", "统一"].iter().any(|word| bare.contains(word));
    let not_needed = ["不用", "不必", "无需", "不需要", "没必要"].iter().any(|word| bare.contains(word))
        && (bare.contains('再') || bare.contains('了'));
    let allowed = ["可以", "允许", "能用"].iter().any(|word| bare.contains(word))
        && (end.ends_with('了') || ["现在", "又", "重新", "再"].iter().any(|word| bare.contains(word)))
        && ["现在", "又", "重新", "以后", "再", "了"].iter().any(|word| bare.contains(word));
    rule || (!replaced && (not_needed || allowed))
}

pub(super) fn corrects(bare: &str) -> bool {
    let starts = ["不对", "错了", "不是这样", "不是这个", "不是的", "你改错", "搞错", "弄错"];
    let directs = ["不要", "应该", "用", "别", "只", "要", "保持", "不能", "不许", "留着"];
    is_chinese(bare)
        && !is_question(bare)
        && starts.iter().any(|start| bare.trim().starts_with(start))
        && directs.iter().any(|word| bare.contains(word))
}
