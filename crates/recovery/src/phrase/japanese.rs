//! Japanese: as in Korean, the verb stands after its names.

use super::korean::{Mark, Rules, finish, read};
use super::marks::{has, without};
use super::{Ask, Edge, Phrase, time};

const MARKS: &[(Mark, &[&str])] = &[
    (
        Mark::Stays,
        &[
            "元に戻さない",
            "戻さない",
            "取り消さない",
            "触らない",
            "変えない",
            "いじらない",
            "キャンセルしない",
            "ロールバックしない",
            "復元しない",
            "そのままにして",
            "そのままで",
            "そのまま",
            "残して",
            "残し",
            "維持して",
            "維持",
            "保持して",
            "保持",
            "キープして",
            "キープ",
            "戻さなく",
            "取り消さなく",
            "戻す必要",
            "取り消す必要",
            "戻さず",
            "触らず",
            "いじらず",
            "変えず",
        ],
    ),
    (
        Mark::Except,
        &[
            "以外を",
            "以外は",
            "以外",
            "を除いて",
            "除いて",
            "を除き",
            "じゃなくて",
            "ではなくて",
            "ではなく",
            "でなくて",
            "でなく",
        ],
    ),
    (
        Mark::Back,
        &[
            "元に戻",
            "もとに戻",
            "巻き戻",
            "取り消",
            "取消",
            "やり直",
            "戻し",
            "戻す",
            "戻せ",
            "戻って",
            "アンドゥ",
            "キャンセル",
            "ロールバック",
            "なかったことに",
            "やめて",
            "やめる",
            "いらない",
            "要らない",
            "いりません",
            "不要です",
        ],
    ),
    (Mark::Restore, &["復元", "復旧", "復活", "取り戻", "消えた", "消えて", "なくなった", "削除された"]),
    (
        Mark::Before,
        &[
            "より前",
            "する前",
            "変更前",
            "変更の前",
            "修正前",
            "修正の前",
            "前の状態",
            "の前に",
            "の前",
            "以前",
            "前に",
            "から",
        ],
    ),
    (Mark::After, &["より後", "よりあと", "以降", "の後", "後に", "のあと", "あとに"]),
];
/// What stands between "before X" and its verb, if that is taken back and not gone to.
const OBJECTS: &[&str] =
    &["の変更", "の修正", "のもの", "の依頼", "の作業", "の編集", "にした", "にやった", "の要求", "のやつ"];
const REST: &[&str] = &["残り", "ほか", "他の", "他は", "それ以外", "その他"];
const ALL: &[&str] = &["すべて", "全て", "全部", "ぜんぶ", "みんな", "全体"];
const LAST: &[&str] = &["さっき", "今の", "直前", "最後", "最新", "いまの", "先ほど"];
const EXPLAIN: &[&str] = &["何が起き", "何が変わ", "何を変え", "なぜ", "どうして", "説明"];
const UNASKED: &[&str] =
    &["頼んでいない", "頼んでない", "頼んでもいない", "関係ない変更", "お願いしていない"];
const BROKE: &[&str] = &["壊れ", "動かない", "動きません", "おかしい", "エラー", "バグ", "失敗", "落ちる"];
const EMPTY: &[&str] = &[
    "変更",
    "修正",
    "編集",
    "した",
    "して",
    "ください",
    "もの",
    "こと",
    "の",
    "を",
    "は",
    "が",
    "に",
    "だけ",
    "も",
    "で",
    "と",
    "から",
    "まで",
    "ファイル",
    "フォルダ",
    "フォルダー",
    "ディレクトリ",
    "コード",
    "アプリ",
    "関数",
    "やつ",
    "お願い",
    "お願いします",
    "すべて",
    "全て",
    "全部",
    "もう",
    "一度",
    "状態",
    "てください",
    "てほしい",
    "てくれ",
    "て",
    "たい",
    "です",
    "ます",
    "ね",
    "よ",
    "すこと",
    "される",
    "された",
    "したこと",
    "したもの",
    "分",
    "部分",
    "前",
    "後",
    "ちょっと",
    "それ",
    "これ",
    "あれ",
    "リクエスト",
    "機能",
    "し",
    "す",
    "たもの",
    "ったもの",
    "しまった",
    "ました",
    "でください",
    "にして",
    "い",
    "く",
    "ほしい",
    "ai",
    "みんな",
    "ぜんぶ",
    "残",
    "他",
    "いい",
    "ていい",
    "てもいい",
    "てもよい",
    "ていいです",
    "てもいいです",
    "いいです",
    "よい",
    "ない",
    "なし",
    "もういい",
    "ので",
    "両方",
    "二つとも",
    "何",
    "追加",
    "入れ",
    "入れて",
    "でも",
    "ただし",
    "いただけますか",
    "もらえますか",
    "くれますか",
    "くださいませんか",
    "くれる",
    "お願いできますか",
    "すみません",
    "ありがとう",
    "変えた",
    "直した",
    "直",
];
const PARTICLES: &[&str] = &[
    "はもう",
    "をもう",
    "の部分だけ",
    "の部分",
    "部分",
    "の状態",
    "状態",
    "だけを",
    "だけは",
    "だけ",
    "については",
    "について",
    "の変更",
    "の修正",
    "変更",
    "修正",
    "には",
    "では",
    "とは",
    "から",
    "まで",
    "を",
    "は",
    "が",
    "に",
    "の",
    "も",
    "で",
    "と",
    "へ",
];

pub(super) fn parse(original: &str) -> Phrase {
    let mut text = super::lost::without_no_longer(original);
    let mut phrase = Phrase::default();
    if let Some((moment, range)) = time::find(&text) {
        phrase.moment = Some(moment);
        let after = text[range.end..].trim_start();
        let before =
            ["より前の", "前の", "以前の", "までの", "より前に"].iter().any(|mark| after.starts_with(mark));
        if before && !after.contains("状態") && has(after, OBJECTS) {
            phrase.edge = Edge::Until;
        }
        text = without(&text, range);
    }
    let rules = Rules {
        marks: MARKS,
        rest: REST,
        all: ALL,
        last: LAST,
        empty: EMPTY,
        particles: PARTICLES,
        joins: &["と ", "、", "や ", "および", "および ", "，", ",", "とか"],
        objects: OBJECTS,
        nothing: &["何も", "なにも", "何一つ", "なんにも"],
        only: &["だけ", "だけを", "だけは", "のみ"],
    };
    // A space after each particle: Japanese writes none.
    let spaced = spaced(&text);
    let read = read(&spaced, &rules, &mut phrase);
    let moment_named = phrase.at.is_some() || phrase.moment.is_some();
    phrase.ask = match () {
        () if has(&text, UNASKED) => Ask::Unasked,
        () if has(&text, EXPLAIN) && !read.back => Ask::Explain,
        () if moment_named
            && (read.back || read.restore || read.all || !has(&text, BROKE))
            && phrase.objects.is_empty() =>
        {
            Ask::GoBack
        }
        () if read.back => Ask::Undo,
        () if read.restore => Ask::Restore,
        () if !phrase.keep.is_empty() && !has(&text, BROKE) => Ask::Undo,
        () => Ask::Broke,
    };
    phrase.mild = !(read.back || read.restore || read.all);
    finish(&mut phrase, &read, &text, LAST);
    phrase
}

/// Breaks the text after particles that end a name, so that names stand alone.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        out.push(*letter);
        let next = letters.get(at + 1).copied().unwrap_or(' ');
        let before = at.checked_sub(1).map_or(' ', |before| letters[before]);
        let is_name = |letter: char| {
            letter.is_ascii_alphanumeric()
                || ('\u{4e00}'..='\u{9fff}').contains(&letter)
                || ('ァ'..='ヿ').contains(&letter)
                || letter == ' '
        };
        if matches!(letter, 'を' | 'は' | 'が' | 'と' | 'も') && is_name(before) && next != ' ' {
            out.push(' ');
        }
    }
    out
}
