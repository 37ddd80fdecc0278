//! "元に戻して", "さっきの変更を取り消してください", "続けて".

use super::slots::Slot::{Few, Maybe, One};
use super::slots::{Slot, fits_any};

/// Letters only: marks and spaces between them say nothing.
fn plain(prompt: &str) -> String {
    prompt.chars().filter(|letter| letter.is_alphanumeric() || *letter == 'ー').collect()
}

const BEFORE: &[&str] = &[
    "すみません",
    "ごめん",
    "ごめんなさい",
    "やっぱり",
    "やはり",
    "ちょっと",
    "あの",
    "えっと",
    "いや",
    "いいえ",
    "待って",
    "では",
    "じゃあ",
    "一旦",
    "いったん",
    "とりあえず",
    "もう一度",
    "壊れたので",
    "違うので",
    "動かないので",
    "お願い",
];

const WHAT: &[&str] = &[
    "それを",
    "これを",
    "それ",
    "これ",
    "全部",
    "全部を",
    "すべて",
    "すべてを",
    "さっきの",
    "さっきのを",
    "さっきの変更を",
    "さっきの変更",
    "さっきの修正を",
    "さっきやったことを",
    "今の",
    "今のを",
    "今の変更を",
    "今の変更",
    "今の修正を",
    "直前の変更を",
    "直前の変更",
    "直前の修正を",
    "最後の変更を",
    "最後の変更",
    "最後の修正を",
    "最後の編集を",
    "先ほどの変更を",
    "先ほどの修正を",
    "変更を",
    "変更",
    "修正を",
    "あなたの変更を",
];

const UNDO: &[&str] = &[
    "元に戻して",
    "もとに戻して",
    "元の状態に戻して",
    "元通りにして",
    "元どおりにして",
    "戻して",
    "巻き戻して",
    "取り消して",
    "取消して",
    "キャンセルして",
    "ロールバックして",
    "アンドゥして",
    "なかったことにして",
    "元に戻す",
    "取り消し",
];

const AFTER: &[&str] = &[
    "ください",
    "下さい",
    "くれ",
    "くれる",
    "くれますか",
    "くれませんか",
    "もらえますか",
    "もらえる",
    "もらえませんか",
    "ほしい",
    "ほしいです",
    "欲しい",
    "お願い",
    "お願いします",
    "ね",
    "よ",
    "すぐに",
    "今すぐ",
    "ありがとう",
];

const BACK: &[&[Slot]] = &[&[Few(BEFORE), Maybe(WHAT), One(UNDO), Few(AFTER)]];

const ON: &[&[Slot]] = &[&[
    Few(BEFORE),
    Few(&["はい", "うん", "大丈夫", "そのまま"]),
    One(&["続けて", "続行して", "続行", "進めて", "先に進んで", "継続して"]),
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
