//! "撤销", "请帮我撤销刚才的修改", "把它改回来", "继续". Traditional letters are read as the simplified ones.

use super::slots::Slot::{Few, Maybe, One};
use super::slots::{Slot, fits_any};

/// Letters, and one `，` for whatever stands between them.
fn plain(prompt: &str) -> String {
    let mut text = String::with_capacity(prompt.len());
    for letter in prompt.chars().filter(|letter| !letter.is_whitespace()) {
        if letter.is_alphanumeric() {
            text.push(simplified(letter));
        } else if !text.is_empty() && !text.ends_with('，') {
            text.push('，');
        }
    }
    text.truncate(text.trim_end_matches('，').len());
    text
}

fn simplified(letter: char) -> char {
    const PAIRS: &[(char, char)] = &[
        ('銷', '销'),
        ('復', '复'),
        ('滾', '滚'),
        ('還', '还'),
        ('剛', '刚'),
        ('請', '请'),
        ('幫', '帮'),
        ('這', '这'),
        ('個', '个'),
        ('變', '变'),
        ('動', '动'),
        ('來', '来'),
        ('對', '对'),
        ('錯', '错'),
        ('嗎', '吗'),
        ('謝', '谢'),
        ('煩', '烦'),
        ('後', '后'),
        ('過', '过'),
        ('樣', '样'),
        ('狀', '状'),
        ('態', '态'),
        ('內', '内'),
        ('東', '东'),
        ('編', '编'),
        ('輯', '辑'),
        ('繼', '继'),
        ('續', '续'),
        ('執', '执'),
        ('進', '进'),
        ('將', '将'),
        ('給', '给'),
        ('現', '现'),
        ('為', '为'),
        ('麼', '么'),
        ('們', '们'),
    ];
    PAIRS.iter().find(|(old, _)| *old == letter).map_or(letter, |(_, new)| *new)
}

/// "不" alone is a word only before a pause: "不撤销" means the opposite.
const BEFORE: &[&str] = &[
    "，",
    "请",
    "麻烦你",
    "麻烦您",
    "麻烦",
    "劳驾",
    "帮我",
    "帮忙",
    "给我",
    "替我",
    "你能不能",
    "你能",
    "你可以",
    "您能",
    "能不能",
    "可不可以",
    "能否",
    "可否",
    "可以",
    "能",
    "不，",
    "不对",
    "不是，",
    "不行",
    "不好",
    "等等",
    "等一下",
    "算了",
    "好的",
    "好，",
    "好吧",
    "那就",
    "那",
    "就",
    "现在",
    "先",
    "快点",
    "快",
    "赶紧",
    "我想要",
    "我想",
    "我要",
    "我希望你",
    "直接",
    "错了",
    "搞错了",
    "改错了",
    "对不起",
    "抱歉",
    "哎呀",
    "还是",
    "立刻",
    "马上",
    "嗯",
    "是的",
];

const AFTER: &[&str] = &[
    "，",
    "吧",
    "一下",
    "吗",
    "嘛",
    "呢",
    "啊",
    "呀",
    "哦",
    "好吗",
    "好不好",
    "可以吗",
    "行吗",
    "行不行",
    "谢谢你",
    "谢谢",
    "多谢",
    "拜托",
    "掉",
    "回去",
    "回来",
];

const UNDO: &[&str] = &["撤销", "撤消", "撤回", "回滚", "回退", "还原", "退回"];
const ALONE: &[&str] = &["撤销", "撤消", "撤回", "回滚", "回退", "还原"];

/// Verbs that need to be told what: one can cancel or restore anything.
const CANCEL: &[&str] = &["取消", "恢复"];

const A_LITTLE: &[&str] = &["一下", "掉"];

const THAT: &[&str] =
    &["它", "它们", "这个", "那个", "这些", "那些", "刚才那个", "刚刚那个", "刚才的", "刚刚的", "全部这些"];

const YOU: &[&str] = &["你的", "你", "您", "ai"];

const WHEN: &[&str] = &[
    "刚才",
    "刚刚",
    "刚",
    "方才",
    "上一次",
    "上次",
    "最后一次",
    "最后",
    "最近一次",
    "最近",
    "这次",
    "这一次",
    "前一次",
    "之前",
    "上一轮",
    "上一个",
];

const DID: &[&str] =
    &["做出", "做", "改", "修改", "更改", "编辑", "写", "弄", "进行", "所做", "所有", "那些", "那个", "这些"];

const CHANGE: &[&str] = &[
    "修改",
    "更改",
    "改动",
    "变更",
    "变动",
    "编辑",
    "操作",
    "变化",
    "内容",
    "东西",
    "步骤",
    "动作",
    "请求",
    "代码修改",
];

/// Words for a change that can mean nothing else.
const PLAIN_CHANGE: &[&str] = &[
    "修改",
    "更改",
    "改动",
    "变更",
    "变动",
    "所有修改",
    "所有更改",
    "这些修改",
    "这些更改",
    "你的修改",
    "你的更改",
    "你的改动",
];

const LAST_STEP: &[&str] =
    &["上一步", "上一步操作", "上一步的操作", "上一步修改", "上一步的修改", "刚才那一步", "最后一步"];

const AGAIN_BACK: &[&str] = &[
    "改回去",
    "改回来",
    "变回去",
    "变回来",
    "恢复原状",
    "恢复原样",
    "还原回去",
    "恢复回去",
    "弄回去",
    "弄回来",
];

const BACK: &[&[Slot]] = &[
    &[Few(BEFORE), One(ALONE), Few(AFTER)],
    &[Few(BEFORE), One(AGAIN_BACK), Few(AFTER)],
    &[Few(BEFORE), One(UNDO), Few(A_LITTLE), One(THAT), Few(AFTER)],
    &[Few(BEFORE), One(UNDO), Few(A_LITTLE), One(LAST_STEP), Few(AFTER)],
    &[Few(BEFORE), One(UNDO), Few(A_LITTLE), One(PLAIN_CHANGE), Few(AFTER)],
    &[
        Few(BEFORE),
        One(UNDO),
        Few(A_LITTLE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        Maybe(DID),
        Maybe(&["的"]),
        Maybe(DID),
        One(CHANGE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        One(UNDO),
        Few(A_LITTLE),
        One(YOU),
        Maybe(WHEN),
        One(DID),
        One(&["的"]),
        Maybe(CHANGE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        One(CANCEL),
        Few(A_LITTLE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        Maybe(DID),
        One(&["的"]),
        Maybe(DID),
        One(CHANGE),
        Few(AFTER),
    ],
    &[Few(BEFORE), One(CANCEL), Few(A_LITTLE), One(LAST_STEP), Few(AFTER)],
    // 把刚才的修改撤销掉
    &[Few(BEFORE), One(&["把", "将"]), One(THAT), One(UNDO), Few(AFTER)],
    &[Few(BEFORE), One(&["把", "将"]), One(THAT), One(AGAIN_BACK), Few(AFTER)],
    &[
        Few(BEFORE),
        One(&["把", "将"]),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        Maybe(DID),
        Maybe(&["的"]),
        Maybe(DID),
        One(CHANGE),
        One(&["撤销", "撤消", "撤回", "回滚", "回退", "还原", "取消", "恢复", "改回去", "改回来"]),
        Few(AFTER),
    ],
    &[Few(BEFORE), One(&["把", "将"]), One(PLAIN_CHANGE), One(UNDO), Few(AFTER)],
    // 恢复到修改之前的状态
    &[
        Few(BEFORE),
        One(&["恢复", "还原", "回滚", "回退", "回", "退回", "变回"]),
        Maybe(&["到", "成", "为"]),
        Maybe(CHANGE),
        One(&["之前", "以前", "前", "刚才", "原来", "原先"]),
        Maybe(&["的"]),
        Maybe(&["状态", "样子", "样"]),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        One(&["回到", "退回", "退回到", "回退到", "回滚到", "恢复到"]),
        One(LAST_STEP),
        Few(AFTER),
    ],
];

const ON: &[&[Slot]] = &[&[
    Few(BEFORE),
    One(&[
        "继续",
        "继续做",
        "继续干",
        "继续进行",
        "继续执行",
        "继续工作",
        "接着来",
        "接着做",
        "接着干",
        "往下做",
        "继续往下",
        "让它继续",
    ]),
    Few(AFTER),
]];

/// The person wants back what was before the last request.
pub(super) fn asks_back(prompt: &str) -> bool {
    fits_any(&plain(prompt), BACK)
}

/// The person lets the agent go on.
pub(super) fn lets_go_on(prompt: &str) -> bool {
    fits_any(&plain(prompt), ON)
}
