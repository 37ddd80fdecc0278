//! Chinese.

use super::{Lists, any, begins};

pub(super) const LISTS: Lists = Lists {
    claims,
    summarises,
    hints,
    is_open,
    is_open_near,
    heads_open,
    item_is_open,
    is_void,
    offers,
    answers,
    asks_you: |text| any(text, &["要不要", "需要我", "要我", "您想", "你想"]),
    explains: |_| false,
    begins_with_result: |_| true,
};

/// What is done to a thing, as far as it changes it.
const DEEDS: &[&str] = &[
    "修复",
    "实现",
    "添加",
    "增加",
    "新增",
    "更新",
    "修改",
    "删除",
    "移除",
    "重构",
    "迁移",
    "替换",
    "创建",
    "完成",
    "解决",
    "优化",
    "调整",
    "改写",
    "拆分",
    "合并",
    "提交",
    "推送",
    "升级",
    "配置",
    "补充",
    "清理",
    "处理",
    "重命名",
    "生成",
    "编写",
    "写入",
    "接入",
    "支持",
    "改为",
    "改成",
];

/// "已修复", "已经把…改成", "添加了".
fn tells_a_deed(text: &str) -> bool {
    DEEDS.iter().any(|deed| {
        text.match_indices(deed).any(|(at, _)| {
            let (before, rest) = (&text[..at], &text[at + deed.len()..]);
            let ended =
                ["已", "已经", "都已", "均已", "全部", "已全部"].iter().any(|mark| before.ends_with(mark));
            // "重构完成，…"; not "重构完成后".
            let is_over = rest.strip_prefix("完成").is_some_and(ends_clause);
            // "已按新的步骤更新。"
            let after = before.rsplit_once('已').map_or("", |(_, after)| after);
            let said_before = after
                .starts_with(['按', '根', '将', '把', '在', '对', '从', '由', '用', '为', '全'])
                && after.chars().count() <= 20
                && !after.contains(['，', '。', '；'])
                && ends_clause(rest);
            ended
                || is_over
                || said_before
                || begins(rest, &["到了", "成了"]) && before.contains('把')
                || rest.starts_with("好了")
                || rest.starts_with("完了")
                || rest.starts_with("完毕")
                || (rest.starts_with('了') && before.chars().count() <= 12)
        })
    })
}

fn ends_clause(rest: &str) -> bool {
    rest.chars().next().is_none_or(|letter| !letter.is_alphanumeric())
}

/// "已写好", "已经改好": the work at it is over, whatever it was.
fn is_made(text: &str) -> bool {
    text.match_indices('已').any(|(at, mark)| {
        let rest = text[at + mark.len()..].strip_prefix('经').unwrap_or(&text[at + mark.len()..]);
        let near: String = rest.chars().take(4).collect();
        near.contains('好')
            || near.contains("完")
            || begins(rest, &["改正", "改成", "改为", "换成", "消除", "清除", "撤掉", "加上"])
    })
}

fn claims(text: &str) -> bool {
    let bare = text.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    bare.ends_with("完成")
        || tells_a_deed(text)
        || is_made(text)
        || tests_pass(text)
        || any(
            text,
            &[
                "没有剩余问题",
                "没有剩下的",
                "现在稳定",
                "一次都没有失败",
                "没有失败的",
                "功能齐了",
                "处理完，",
                "也删了",
                "加上了",
                "补上了",
                "去掉了",
                "重写了",
                "换成了",
                "没有遗留问题",
                "完成了",
                "已完成",
                "已经完成",
                "全部完成",
                "任务完成",
                "工作完成",
                "修改完成",
                "搞定",
                "做完了",
                "改好了",
                "修好了",
                "加好了",
                "写好了",
                "弄好了",
                "更新好了",
                "处理好了",
                "处理完了",
                "改完了",
                "已修复",
                "已经修复",
                "已实现",
                "已经实现",
                "都已经实现",
                "已解决",
                "已经解决",
                "修改完毕",
                "实现完毕",
                "处理完毕",
                "已成功",
                "成功迁移",
                "已创建",
                "已删除",
                "都已删除",
                "已升级",
                "已添加",
                "已更新",
                "已经更新",
                "已经加",
                "已迁移",
                "可以正常",
                "一切正常",
                "可以直接使用",
                "已经可以用",
                "都结束了",
                "现在可以",
                "已经支持",
                "删掉了",
            ],
        )
}

/// How the program is after the work: "现在可以拖动卡片", "不会再乱了".
fn hints(text: &str) -> bool {
    any(text, &["现在", "不会再", "不再"])
        && !any(text, &["失败", "报错", "出错", "崩溃", "缺少", "正在", "我现在", "现在我", "开始"])
}

pub(super) fn tests_pass(text: &str) -> bool {
    any(
        text,
        &[
            "测试通过",
            "测试都通过",
            "测试全部通过",
            "全部通过",
            "都通过了",
            "也通过了",
            "所有测试通过",
            "均通过",
            "个通过",
            "全绿",
            "测试都没问题",
            "测试全部成功",
        ],
    ) && !any(text, &["如果", "之后", "通过后", "除了", "没有通过", "未通过", "没能"])
}

fn is_open(text: &str) -> bool {
    // "没有剩下的事情"
    let none_left = any(text, &["没有剩", "无剩余", "没有遗留", "没有其他要", "没有待办"]);
    !none_left
        && any(
            text,
            &[
                "还没完成",
                "还没有完成",
                "没有完成",
                "尚未完成",
                "尚未实现",
                "未能",
                "没能",
                "还剩",
                "剩下的",
                "待办",
                "个失败",
                "测试失败",
                "一直失败",
                "仍然失败",
                "完成一半",
                "一部分",
                "什么都没有改",
                "等待您",
                "等待你",
                "都不行",
            ],
        )
}

fn is_open_near(text: &str) -> bool {
    any(
        text,
        &[
            "还没",
            "尚未",
            "仍然",
            "剩余",
            "还在",
            "失败了",
            "失败，",
            "接下来",
            "我会",
            "我打算",
            "我准备",
            "我的计划",
            "计划是",
            "等待",
            "正在",
            "需要您",
            "请先",
            "请写",
            "无法",
            "不能",
            "除了",
            "不过",
            "但是",
            "但还",
            "不清楚",
            "目前",
            "我先",
            "先看",
            "下一步",
            "步骤一",
            "稍后",
            "从来没有",
            "确认后",
            "再继续",
            "撤回",
            "停下了",
            "只迁移",
            "没有验证",
            "到周",
            "需要时间",
            "还需要",
            "就报",
            "不会执行",
            "还不",
            "建议",
        ],
    )
}

fn heads_open(text: &str) -> bool {
    any(text, &["剩余", "未完成", "待办", "待处理", "方案", "计划", "建议", "遗留问题"])
}

fn item_is_open(text: &str) -> bool {
    let bare = text.trim();
    any(text, &["未完成", "进行中", "尚未实现", "还没实现", "仍然失败"])
        || ["待办", "待定", "未开始", "待处理"].contains(&bare)
}

/// "修改内容", "完成情况".
fn summarises(text: &str) -> bool {
    text.chars().count() <= 24
        && any(
            text,
            &[
                "修改内容",
                "变更内容",
                "改动总结",
                "修改总结",
                "变更总结",
                "完成情况",
                "完成的工作",
                "改动如下",
                "修改如下",
                "主要改动",
                "主要修改",
                "修改的文件",
                "变更文件",
            ],
        )
}

fn answers(text: &str) -> bool {
    begins(text, &["是的", "不是", "对，", "好问题"])
}

fn is_void(text: &str) -> bool {
    any(
        text,
        &[
            "如果",
            "就算完成",
            "才算完成",
            "算完成",
            "标记为完成",
            "任务完成时",
            "完成时",
            "完成后",
            "完成之后",
            "要完成",
            "为了完成",
            "确认之后",
            "兑现时",
            "之前就",
        ],
    )
}

fn offers(text: &str) -> bool {
    let of_the_work =
        any(text, &["哪", "怎么", "什么方案", "是否正确", "对吗", "可以吗", "继续实现", "开始实现", "如何"]);
    any(text, &["还有什么", "还有别的"])
        || (!of_the_work
            && any(
                text,
                &["要不要", "需要我", "要我", "还需要", "提交", "推送", "合并", "部署", "顺便", "也一起"],
            ))
}
