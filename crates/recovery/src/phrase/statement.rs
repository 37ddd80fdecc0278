//! Is it a sentence that says how things are, or only the name of something? `vib undo cart` names what is to go; "the cart is empty"
//! complains, and nothing goes because of it.

use super::marks::{Language, is_path};

/// Words that make an English sentence of names.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "is", "are", "was", "were", "am", "be", "been", "isn't", "aren't", "wasn't", "weren't", "isnt", "arent", "does", "do", "did", "doesn't", "don't", "didn't",
    "doesnt", "dont", "didnt", "has", "have", "had", "hasn't", "haven't", "can", "can't", "cant", "cannot", "could", "couldn't", "will", "won't", "wont",
    "would", "should", "must", "not", "no", "never", "nobody", "nothing", "none", "broke", "broken", "breaks", "fails", "failed", "failing", "fail",
    "error", "errors", "exception", "crash", "crashes", "crashed", "why", "where", "how", "when", "who", "stopped", "wrong",
    "gone", "missing", "lost", "disappeared", "vanished", "deleted", "removed", "empty", "blank", "slow", "weird", "strange", "mess", "messed", "since",
    "says", "said", "shows", "prints", "throws", "gives", "gets", "got", "it's", "i'm", "looks", "seems", "help", "bug", "bugs", "i", "dead", "down", "undefined",
];
#[rustfmt::skip]
const KOREAN: &[&str] = &[
    "안 ", "못 ", "없", "망가", "깨졌", "깨져", "고장", "이상", "오류", "에러", "왜", "어디", "무슨", "?", "안돼", "않", "느려", "실패", "죽었", "꺼졌", "꺼져", "엉망", "error", "cannot",
];
/// How a Korean sentence ends; 페이지, 검색어 and 이미지 are names.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "요", "다", "했어", "졌어", "됐어", "렸어", "났어", "갔어", "왔어", "있어", "싶어", "같아", "몰라", "았어", "었어", "네요", "나와", "느려", "잖아", "돼", "져", "ㅠㅠ", "ㅠ",
];
#[rustfmt::skip]
const CHINESE: &[&str] = &[
    "了", "不", "没", "吗", "呢", "为什么", "怎么", "报错", "坏", "错误", "出错", "乱", "崩", "失败", "哪", "？", "?", "打开", "空的", "error", "cannot",
];
#[rustfmt::skip]
const JAPANESE: &[&str] = &[
    "ない", "ません", "なかった", "どこ", "なぜ", "どうして", "おかし", "エラー", "壊れ", "失敗", "落ち", "消え", "バグ", "？", "?", "真っ白", "遅い", "error", "cannot", "なくな",
];

pub(super) fn is_one(text: &str, language: Language) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let has = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    match language {
        Language::English => {
            // `nothing.txt` is a file, and says nothing.
            let mut words = lower
                .split_whitespace()
                .filter(|word| !is_path(word))
                .flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric() && letter != '\''));
            let joined = lower.split_whitespace().collect::<Vec<_>>().join(" ");
            // "What you did to the button" names it.
            let names =
                joined.contains("what you") || joined.contains("thing you") || joined.contains("changes you");
            lower.contains('?')
                || lower.contains("error:")
                || !names && words.any(|word| WORDS.contains(&word))
        }
        Language::Korean => {
            let end = lower.trim_end_matches(['.', '!', '~', ' ']);
            has(KOREAN) || ENDS.iter().any(|mark| end.ends_with(mark)) && !end.ends_with("필요")
        }
        Language::Chinese => has(CHINESE),
        Language::Japanese => {
            let end = lower.trim_end_matches(['。', '！', '!', ' ']);
            has(JAPANESE)
                || end.ends_with('た')
                || end.ends_with("ます")
                || end.ends_with("です")
                || end.ends_with('る')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::marks::language;
    use super::is_one;

    #[test]
    fn a_name_is_told_from_a_sentence() {
        for text in [
            "the cart change",
            "login.py and search.py",
            "로그인 변경",
            "장바구니",
            "购物车的改动",
            "カートの変更",
            "what you did to the cart",
            "nothing.txt",
        ] {
            assert!(!is_one(text, language(text)), "{text}");
        }
        for text in [
            "the cart is empty",
            "my server does not start",
            "서버가 안 켜져요",
            "服务器打不开了",
            "カートが空になった",
        ] {
            assert!(is_one(text, language(text)), "{text}");
        }
    }
}
