//! 「今後は…」「常に…してください」「二度と…しないで」

const LASTING: &[&str] = &[
    "今後",
    "これから",
    "次回から",
    "次から",
    "今度から",
    "以後",
    "以降は",
    "二度と",
    "覚えておいて",
    "覚えて:",
    "今日から",
    "もう二度と",
    "今後一切",
    "本日から",
    "ここから先",
    "覚えといて",
    "覚えてね",
];
/// What says of itself that it is a rule.
const LABELS: &[&str] = &[
    "原則",
    "禁止",
    "方針",
    "方向で",
    "ルールとして",
    "ことになってい",
    "ことになりまし",
    "ことにしまし",
    "ことにした",
    "ことにします",
    "規約",
    "決まりです",
];
/// Where it holds.
const OURS: &[&str] = &[
    "このリポジトリでは",
    "このプロジェクトでは",
    "うちでは",
    "うちのチームでは",
    "ここでは",
    "当プロジェクト",
];
const ALWAYS: &[&str] = &[
    "常に",
    "いつも",
    "必ず",
    "絶対",
    "毎回",
    "決して",
    "一切",
    "たびに",
    "ときは毎",
    "かならず",
    "ぜったい",
];
const ONCE: &[&str] = &[
    "今回だけ",
    "今回は",
    "今回の",
    "今回に限",
    "今だけ",
    "今は",
    "一度だけ",
    "一回だけ",
    "とりあえず",
    "今日だけ",
    "今日は",
    "今日の",
    "今日中",
    "今週",
    "このコミットだけ",
    "このセッション",
    "この作業",
    "明日まで",
    "あさってまで",
    "当面",
    "しばらく",
    "一旦",
    "いったん",
    "暫定",
];
/// Somebody else says it, it is supposed, of the past, or not meant.
const NOT_MEANT: &[&str] = &[
    "と言って",
    "と言う",
    "と言い",
    "と言われ",
    "と言った",
    "って言",
    "らしい",
    "とのこと",
    "によると",
    "と書いてあ",
    "と書かれ",
    "とあるけど",
    "とありま",
    "だそう",
    "そうですが",
    "としたら",
    "とすれば",
    "仮に",
    "以前は",
    "以前の",
    "昔は",
    "去年",
    "先月",
    "先週",
    "はいはい",
    "最高だね",
    "でしょうね",
    "笑",
    "さすがだ",
    "へえ",
    "冗談",
    "他のチーム",
    "別のチーム",
    "隣のチーム",
    "上司",
    "お客",
];
const THINGS: &[&str] = &["絶対パス", "絶対値", "絶対座標", "絶対位置"];
const WISHES: &[&str] = &[
    "てください",
    "て下さい",
    "で下さい",
    "でください",
    "て",
    "ないで",
    "すること",
    "こと",
    "ように",
    "ようにして",
    "禁止",
    "お願いします",
    "お願い",
    "するな",
    "しよう",
    "ましょう",
    "てね",
    "でね",
    "にして",
    "だめ",
    "ダメ",
    "使うな",
    "な",
    "てくれ",
    "でくれ",
    "べき",
    "ほしい",
    "欲しい",
    "とする",
    "にする",
    "を使う",
    "する",
    "書く",
    "ことにした",
    "ことにします",
];

fn plain(bare: &str) -> String {
    bare.chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, '?' | '？' | ':' | '：'))
        .collect::<String>()
        .replace('：', ":")
}

/// Kana is what tells Japanese from Chinese.
pub(super) fn is_japanese(text: &str) -> bool {
    text.chars().any(|letter| ('ぁ'..='ヿ').contains(&letter))
}

fn is_question(text: &str) -> bool {
    text.ends_with(['?', '？'])
        || text.ends_with('か')
        || ["よね", "かな", "ですか", "んだけど", "でしょう"].iter().any(|end| text.ends_with(end))
        || ["なぜ", "どうして", "なんで"].iter().any(|word| text.starts_with(word))
}

/// An agent answers this and does nothing. 「…してくれますか」「…してもらえますか」 are requests.
pub(super) fn is_only_talk(bare: &str) -> bool {
    let text = plain(bare);
    let polite = [
        "くれますか",
        "くれませんか",
        "もらえますか",
        "もらえませんか",
        "いただけますか",
        "いただけませんか",
        "もらえる",
        "くれる",
        "お願いできますか",
    ]
    .iter()
    .any(|end| text.trim_end_matches(['?', '？']).ends_with(end));
    is_japanese(&text)
        && !polite
        && (is_question(&text) || is_past(&text) || NOT_MEANT.iter().any(|word| text.contains(word)))
}

/// Without what people add behind the point: 「…使わないで、今後ずっと」
fn without_tail(text: &str) -> &str {
    let mut text = text;
    loop {
        let Some(shorter) = [
            "今後ずっと",
            "今後は",
            "今後",
            "これから",
            "ずっと",
            "必ず",
            "絶対に",
            "絶対",
            "毎回",
            "ください",
        ]
        .iter()
        .find_map(|tail| text.strip_suffix(tail).filter(|left| !left.is_empty())) else {
            return text;
        };
        text = shorter;
    }
}

fn wishes(text: &str) -> bool {
    let short = without_tail(text);
    WISHES.iter().any(|wish| text.ends_with(wish) || short.ends_with(wish))
        || ["で", "ね", "よ"].iter().any(|end| short.ends_with(end) && !short.ends_with("です"))
}

/// 「していました」 tells of the past; 「ことにしました」 decides.
fn is_past(text: &str) -> bool {
    let decided = [
        "ことにしました",
        "ことにした",
        "ことになりました",
        "ことになった",
        "決めました",
        "決めた",
        "乗り換えた",
        "切り替えた",
        "移行しました",
        "移行した",
    ]
    .iter()
    .any(|word| text.contains(word));
    !decided && ["ていた", "ていました", "でした", "ました", "だった"].iter().any(|end| text.ends_with(end))
}

/// What stands: the person means it, now and later.
fn is_meant(text: &str) -> bool {
    is_japanese(text)
        && !is_question(text)
        && !is_past(text)
        && !ONCE.iter().any(|once| text.contains(once))
        && !NOT_MEANT.iter().any(|word| text.contains(word))
}

pub(super) fn is_rule(bare: &str) -> bool {
    let text = plain(bare);
    if !is_meant(&text) {
        return false;
    }
    let text = THINGS.iter().fold(text, |text, thing| text.replace(thing, ""));
    if LASTING.iter().any(|word| text.contains(word)) {
        let turns = [
            "にします",
            "とします",
            "に戻します",
            "に変えます",
            "に統一します",
            "に切り替えます",
            "やめる",
            "やめます",
            "使いません",
            "しません",
            "書きません",
        ]
        .iter()
        .any(|end| text.ends_with(end));
        let short = ["に", "へ", "を", "のみ", "だけ", "方針", "方針です", "統一"]
            .iter()
            .any(|end| text.ends_with(end));
        return wishes(&text)
            || turns
            || short
            || text.contains("覚えて")
            || text.contains("覚えと")
            || text.contains("二度と");
    }
    if LABELS.iter().any(|word| text.contains(word)) {
        return true;
    }
    let ours = OURS.iter().any(|word| text.contains(word));
    if ours && ["だけ", "のみ", "ない", "使う", "使って", "使います"].iter().any(|word| text.contains(word))
    {
        return true;
    }
    // 「いつもエラーになります、見てください」: the wish is about something that happens.
    let happens = bare.split(['、', ',']).any(|clause| {
        ALWAYS.iter().any(|word| clause.contains(word))
            && ["ます", "ました", "です", "でした", "る", "った"]
                .iter()
                .any(|end| clause.trim().ends_with(end))
    });
    // 「必ずダイアログが閉じるようにして」: the thing that is made behaves so.
    let made = text.find('が').is_some_and(|at| text[at..].contains("ように"));
    let mends =
        ["直して", "直してください", "修正して", "修正してください"].iter().any(|end| text.ends_with(end));
    let behaves = happens
        || made
        || mends
        || ["表示される", "見える", "なるように"].iter().any(|word| text.contains(word));
    ALWAYS.iter().any(|word| text.contains(word)) && wishes(&text) && !behaves
}

pub(super) fn withdraws(bare: &str) -> bool {
    let text = plain(bare);
    if !is_meant(&text) {
        return false;
    }
    let rule = ["ルール", "規則", "決まり", "言ったこと", "禁止"].iter().any(|word| text.contains(word))
        && ["忘れて", "取り消", "無視", "なし", "やめ", "撤回", "解除"]
            .iter()
            .any(|word| text.contains(word));
    let by_now = ["もう", "また", "再び", "今後は", "これからは"].iter().any(|word| text.contains(word));
    let allowed = [
        "ていい",
        "てもいい",
        "なくていい",
        "なくてもいい",
        "て大丈夫",
        "ても大丈夫",
        "でも大丈夫",
        "要りません",
        "いりません",
        "要らない",
        "いらない",
        "必要ありません",
        "必要ない",
        "必要はありません",
        "不要です",
        "て構いません",
        "ても構いません",
        "okです",
        "ok",
        "なしでいい",
        "でいいです",
    ]
    .iter()
    .any(|word| text.contains(word));
    rule || (by_now && allowed) || text.contains("もうしなくていい") || text.contains("また使って")
}

pub(super) fn corrects(bare: &str) -> bool {
    let text = plain(bare);
    let starts =
        ["違う", "違います", "ちがう", "そうじゃな", "そうでは", "間違", "いや", "いいえ", "じゃなくて"];
    is_japanese(&text)
        && !is_question(&text)
        && starts.iter().any(|start| text.starts_with(start))
        && wishes(&text)
}
