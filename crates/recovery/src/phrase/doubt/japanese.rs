//! 戻すべきではない, 戻したら困る, 戻す？だめ！

use super::{around, has, parts, without};

const VERBS: &[&str] = &[
    "戻し",
    "戻す",
    "戻せ",
    "戻さ",
    "戻そ",
    "取り消し",
    "取り消す",
    "取り消せ",
    "取り消さ",
    "取り消そ",
    "取消",
    "キャンセル",
    "ロールバック",
    "アンドゥ",
    "なかったことに",
];
/// What the reader has placed, and politeness.
const KNOWN: &[&str] = &[
    "元に戻さないで",
    "戻さないで",
    "取り消さないで",
    "触らないで",
    "変えないで",
    "いじらないで",
    "キャンセルしないで",
    "ロールバックしないで",
    "戻さなくて",
    "取り消さなくて",
    "戻さずに",
    "取り消さずに",
    "戻す必要",
    "取り消す必要",
    "戻さず",
    "触らず",
    "いじらず",
    "変えず",
    "触らない",
    "変えない",
    "いじらない",
    "ではなくて",
    "じゃなくて",
    "ではなく",
    "でなく",
    "くれませんか",
    "くださいませんか",
    "いただけませんか",
    "もらえませんか",
    "くれない",
    "もらえない",
    "いただけない",
    "構わない",
    "構いません",
    "かまわない",
    "かまいません",
    "問題ない",
    "問題ありません",
    "仕方ない",
];
const AFTER: &[&str] = &[
    "ない",
    "ません",
    "なかった",
    "困",
    "こまる",
    "駄目",
    "だめ",
    "ダメ",
    "いけ",
    "禁止",
    "間違",
    "まちが",
    "まずい",
    "マズい",
    "嫌",
    "いや",
    "やめ",
    "止め",
    "反対",
    "不要",
    "いらな",
    "要らな",
    "いりません",
    "無用",
    "無意味",
    "危険",
    "危な",
    "ミス",
    "失敗",
    "後悔",
    "おかしい",
    "べきでは",
    "べからず",
    "ならぬ",
    "ぬ",
    "勘弁",
    "よくな",
    "良くな",
    "まさか",
    "もんか",
    "ものか",
];
const ALONE: &[&str] = &[
    "だめ",
    "ダメ",
    "駄目",
    "いいえ",
    "いや",
    "嫌",
    "嫌だ",
    "やめて",
    "違う",
    "ちがう",
    "だめです",
    "ダメです",
    "いやだ",
    "とんでもない",
    "いけない",
    "だめだ",
    "ノー",
];

pub(super) fn find(text: &str) -> Option<String> {
    let mut said = false;
    for part in parts(&without(text, KNOWN, "、")) {
        let Some((before, after)) = around(part, VERBS) else {
            if said && ALONE.contains(&part) {
                return Some(part.to_owned());
            }
            continue;
        };
        said = true;
        let asks = has(before, &["なぜ", "なんで", "どうして", "誰が"]);
        if asks || after.iter().any(|after| has(after, AFTER)) || forbids(part) {
            return Some(part.to_owned());
        }
    }
    None
}

/// 戻すな, 取り消すなよ.
fn forbids(part: &str) -> bool {
    let end = part.trim_end_matches(['よ', 'ね', ' ']);
    ["すな", "するな"].iter().any(|mark| end.ends_with(mark))
}
