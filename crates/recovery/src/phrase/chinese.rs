//! Chinese: one verb for each clause, before or after its names.

use super::marks::{has, places, without};
use super::{Ask, Edge, Named, Phrase, time};

const BACK: &[&str] = &[
    "撤销",
    "撤回",
    "撤掉",
    "取消",
    "还原",
    "回退",
    "回滚",
    "退回去",
    "改回去",
    "改回来",
    "恢复原样",
    "恢复原状",
    "撤消",
    "复原",
    "不要了",
    "不需要了",
    "用不着了",
    "去掉",
    "拿掉",
];
const RESTORE: &[&str] = &["恢复", "找回", "拿回来", "弄回来", "不见了", "丢了", "没了", "被删", "消失"];
const KEEP: &[&str] = &[
    "保留",
    "留下",
    "留着",
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
    "不要恢复",
    "别恢复",
    "不用撤销",
    "不能撤销",
    "不要改",
    "别改",
    "不要复原",
    "不必撤销",
    "无需撤销",
    "不需要撤销",
    "不想撤销",
    "不必还原",
    "不用还原",
    "不用取消",
    "维持",
];
const EXCEPT: &[&str] = &["除了", "除去", "除开", "除"];
const EXCEPT_END: &[&str] = &["以外", "之外", "外", "都", "全部", "全都", "其他", "其余"];
const NOT_THIS: &[&str] = &["而不是", "不是", "不包括", "不含"];
const REST: &[&str] = &["其他", "其它", "其余", "剩下", "剩余", "别的", "另外的"];
const ALL: &[&str] = &["全部", "全都", "所有", "一切", "都"];
const LAST: &[&str] = &["刚才", "刚刚", "上一步", "最后", "上一次", "上次", "最近", "最新"];
const GO_BACK: &[&str] =
    &["回到", "退回到", "恢复到", "还原到", "回退到", "回滚到", "退到", "返回到", "返回", "退回"];
const EXPLAIN: &[&str] = &["怎么回事", "发生了什么", "改了什么", "为什么", "解释"];
const UNASKED: &[&str] =
    &["没让你", "没叫你", "没有让你", "没要求", "没有要求", "多余的改动", "无关的改动", "无关的修改"];
const BROKE: &[&str] =
    &["坏了", "坏掉", "不行", "不能用", "崩", "出错", "报错", "有问题", "搞坏", "失败", "不工作"];
const BEFORE: &[&str] = &["之前的状态", "之前", "以前", "前的状态", "前面", "前"];
const AFTER: &[&str] = &["之后", "以后", "后面", "后"];
const SINCE: &[&str] = &["自从", "从"];

/// Words that name nothing; letters only where they are never part of a name.
const EMPTY: &[&str] = &[
    "的",
    "了",
    "把",
    "请",
    "帮我",
    "我",
    "你",
    "一下",
    "改动",
    "修改",
    "更改",
    "变更",
    "那个",
    "这个",
    "那",
    "这",
    "个",
    "状态",
    "代码",
    "文件夹",
    "目录",
    "文件",
    "项目",
    "应用",
    "做的",
    "改的",
    "吧",
    "呢",
    "啊",
    "给",
    "将",
    "被",
    "只",
    "仅",
    "仅仅",
    "全部",
    "都",
    "但",
    "但是",
    "不过",
    "然后",
    "并且",
    "就",
    "要",
    "想",
    "可以",
    "麻烦",
    "函数",
    "功能",
    "部分",
    "版本",
    "请求",
    "任务",
    "时候",
    "它",
    "再",
    "也",
    "还",
    "开始",
    "那次",
    "这次",
    "们",
    "现在",
    "好的",
    "还好好的",
    "好好",
    "ai",
    "所做",
    "所有",
    "一切",
    "修复",
    "东西",
    "内容",
    "地方",
    "其中",
    "一次",
    "做的事",
    "的事",
    "程序",
    "您",
    "谢谢",
    "多谢",
    "两个",
    "两者",
    "什么",
    "任何",
    "之前",
    "以前",
    "一起",
    "加上",
    "还是",
    "其实",
    "真的",
    "应该",
    "应当",
    "所以",
    "因为",
];
/// Letters that are taken off the ends of a name.
const EDGES: &[char] = &[
    '改', '做', '动', '到', '回', '来', '去', '上', '掉', '起', '次', '时', '对', '从', '自', '在', '是',
    '全', '能', '帮', '里', '中', '过', '好', '先', '让', '不', '别', '事', '以', '之', '外', '除', '用',
    '最', '刚', '而', '并', '后', '前', '点', '没', '空',
];

/// A no right before its verb is said in many words, and means the same.
pub(super) fn plain(text: &str) -> String {
    const NO: &[&str] = &[
        "不应该",
        "不应当",
        "不可以",
        "不应",
        "不该",
        "不能",
        "不得",
        "不准",
        "不许",
        "千万别",
        "千万不要",
        "绝不要",
        "不要",
    ];
    let mut out = text.replace("能不能", "请").replace("可不可以", "请");
    for no in NO {
        for verb in ["撤销", "撤消", "撤回", "取消", "还原", "回退", "回滚"] {
            for between in ["被", "再", ""] {
                out = out.replace(&format!("{no}{between}{verb}"), "不要撤销");
            }
        }
    }
    out
}

pub(super) fn parse(original: &str) -> Phrase {
    let mut text = plain(original);
    let mut phrase = Phrase::default();
    if let Some((moment, range)) = time::find(&text) {
        phrase.moment = Some(moment);
        let after = text[range.end..].trim_start();
        let before = BEFORE.iter().any(|mark| after.starts_with(mark));
        if before && is_object(after) && has(&text, BACK) && !has(&text, GO_BACK) {
            phrase.edge = Edge::Until;
        }
        text = without(&text, range);
    }
    for no in ["不要保留", "别保留", "不用保留", "不保留"] {
        text = text.replace(no, "撤销");
    }
    let (mut back, mut restore, mut all, mut to) = (false, false, false, false);
    let (mut stays, mut only_stays) = (false, false);
    for clause in clauses(&text) {
        let mut clause = clause;
        // 除了 A 以外都撤销
        if let Some(&(start, end)) = places(&clause, EXCEPT).first() {
            let tail = &clause[end..];
            let stop = places(tail, EXCEPT_END).first().map_or(tail.len(), |(at, _)| *at);
            // "Nothing but X is to be taken back": X is.
            let nothing = ["什么都不", "什么都别", "什么也不", "什么也别"];
            let stop = nothing.iter().filter_map(|mark| tail.find(mark)).min().unwrap_or(stop);
            let named = names(&tail[..stop]);
            if has(&tail[stop..], &nothing) {
                phrase.objects.extend(named);
                back = true;
                continue;
            }
            // An exception of nothing: never everything.
            if named.is_empty() {
                phrase.not_understood.push(clause.trim().to_owned());
            }
            phrase.keep.extend(named);
            phrase.rest = true;
            clause = format!("{} {}", &clause[..start], &tail[stop..]);
        }
        if let Some(&(start, end)) = places(&clause, NOT_THIS).first() {
            phrase.keep.extend(names(&strip(&clause[end..], BACK)));
            clause.truncate(start);
        }
        let is_rest = has(&clause, REST);
        let is_all = has(&clause, ALL);
        if has(&clause, KEEP) {
            stays = true;
            if !is_rest {
                let named = names(&strip(&clause, KEEP));
                only_stays |= !named.is_empty() && has(&clause, &["只保留", "只留", "仅保留", "只要保留"]);
                phrase.keep.extend(named);
            }
            continue;
        }
        let goes = has(&clause, GO_BACK);
        let verb = has(&clause, BACK) || goes;
        to |= goes;
        back |= has(&clause, BACK);
        restore |= has(&clause, RESTORE) && !verb;
        all |= is_all;
        phrase.others |= is_rest && verb;
        phrase.rest |= is_rest && (verb || has(&clause, RESTORE));
        let bare = strip(&strip(&strip(&clause, GO_BACK), BACK), RESTORE);
        let bare = strip(&strip(&bare, REST), LAST);
        let since = places(&bare, SINCE).first().copied();
        let after = places(&bare, AFTER).first().copied();
        let before = places(&bare, BEFORE).first().copied();
        let edge = match (since, before, after) {
            (Some((_, from)), _, _)
                if bare[from..].contains("开始")
                    || bare[from..].contains('起')
                    || bare[from..].contains("以来")
                    || after.is_none() && before.is_none() =>
            {
                let end = ["开始", "起", "以来"]
                    .iter()
                    .filter_map(|mark| bare[from..].find(mark))
                    .min()
                    .map_or(bare.len(), |at| from + at);
                Some((from, end, Edge::Before))
            }
            // "Undo the changes before X" takes them and keeps X; "back to before X" goes there.
            (_, Some((at, _)), None) if is_object(&bare[at..]) && verb && !goes => {
                Some((since.map_or(0, |(_, from)| from.min(at)), at, Edge::Until))
            }
            (_, Some((at, _)), None) => Some((since.map_or(0, |(_, from)| from.min(at)), at, Edge::Before)),
            (_, None, Some((at, _))) => Some((since.map_or(0, |(_, from)| from.min(at)), at, Edge::After)),
            _ => None,
        };
        match edge {
            Some((from, end, edge)) if phrase.moment.is_none() => {
                if let Some(name) = names(&bare[from..end]).into_iter().next() {
                    phrase.at = Some(name);
                    phrase.edge = edge;
                }
            }
            _ => phrase.objects.extend(names(&bare)),
        }
    }
    let moment_named = phrase.at.is_some() || phrase.moment.is_some();
    let nothing_goes = phrase.objects.is_empty() && !phrase.rest && !moment_named && !back && !to;
    phrase.only_keeps = stays && nothing_goes && phrase.keep.is_empty();
    if only_stays && nothing_goes {
        (phrase.rest, back) = (true, true);
    }
    phrase.all = all;
    phrase.ask = match () {
        () if phrase.only_keeps || phrase.edge == Edge::Until => Ask::Undo,
        () if has(&text, UNASKED) => Ask::Unasked,
        () if has(&text, EXPLAIN) && !back => Ask::Explain,
        () if moment_named
            && phrase.objects.is_empty()
            && (back || restore || to || all || !has(&text, BROKE)) =>
        {
            Ask::GoBack
        }
        () if back || to => Ask::Undo,
        () if restore => Ask::Restore,
        () if !phrase.keep.is_empty() && !has(&text, BROKE) => Ask::Undo,
        () => Ask::Broke,
    };
    phrase.mild = !(back || restore || to || all);
    phrase.last = has(&text, LAST) || (to && !moment_named && phrase.objects.is_empty());
    if phrase.ask == Ask::Unasked {
        phrase.objects.clear();
    }
    if phrase.ask == Ask::Undo && phrase.objects.is_empty() && !moment_named && all && !phrase.last {
        phrase.rest = true;
    }
    phrase
}

/// After "before": what was done then is meant, and not the moment.
fn is_object(after: &str) -> bool {
    const THINGS: &[&str] = &[
        "改动", "修改", "更改", "变更", "操作", "请求", "要求", "东西", "内容", "编辑", "改的", "做的",
        "全部", "所有",
    ];
    let after = BEFORE.iter().find_map(|mark| after.strip_prefix(mark)).unwrap_or(after);
    !after.contains("状态") && has(after, THINGS)
}

fn clauses(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for join in ["但是", "但", "不过", "然后", "而且", "并且"] {
        text = text.replace(join, "，");
    }
    text.split(['，', '。', '；', ',', ';', '！', '!', '？', '?'])
        .map(str::to_owned)
        .filter(|part| !part.trim().is_empty())
        .collect()
}

fn strip(text: &str, marks: &[&str]) -> String {
    let mut out = text.to_owned();
    for (start, end) in places(text, marks).into_iter().rev() {
        out.replace_range(start..end, " ");
    }
    out
}

/// Names between what says nothing: Latin words as they are, Chinese ones where the empty words end.
fn names(piece: &str) -> Vec<Named> {
    let mut text = piece.to_owned();
    for join in ["和", "跟", "与", "以及", "、"] {
        text = text.replace(join, "\u{1}");
    }
    let mut known: Vec<&str> = EMPTY
        .iter()
        .chain(LAST)
        .chain(REST)
        .chain(ALL)
        .chain(BROKE)
        .copied()
        .filter(|word| !word.is_ascii())
        .collect();
    known.sort_by_key(|word| std::cmp::Reverse(word.len()));
    for word in known {
        text = text.replace(word, " ");
    }
    let mut out = Vec::new();
    for part in text.split('\u{1}') {
        let mut plain: Vec<String> = Vec::new();
        for word in part.split(|letter: char| letter.is_whitespace() || "（）()“”「」：:".contains(letter))
        {
            for piece in by_script(word) {
                if super::marks::is_path(&piece) {
                    out.extend(Named::of(&piece));
                } else if piece.is_ascii() {
                    if piece.chars().any(char::is_alphabetic)
                        && !EMPTY.contains(&piece.to_lowercase().as_str())
                        && !super::english::tables::FUNCTION.contains(&piece.to_lowercase().as_str())
                    {
                        plain.push(piece);
                    }
                } else {
                    // A single letter may be what is left of a name: better asked about than passed over.
                    let name = piece.trim_matches(EDGES);
                    if !name.is_empty() {
                        plain.push(name.to_owned());
                    }
                }
            }
        }
        if !plain.is_empty() {
            out.extend(Named::of(&plain.join(" ")));
        }
    }
    out
}

fn by_script(word: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut ascii = None;
    for letter in word.chars() {
        if ascii != Some(letter.is_ascii()) {
            out.push(String::new());
            ascii = Some(letter.is_ascii());
        }
        if let Some(last) = out.last_mut() {
            last.push(letter);
        }
    }
    out
}
