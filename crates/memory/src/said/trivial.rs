//! Which requests are worth remembering as what was worked on: "looks good, please commit" is none. (M8)

/// Words that say yes, thanks, go on or commit, and nothing else, in four languages.
const SMALL: &[&str] = &[
    "ok", "okay", "yes", "yep", "yeah", "no", "nope", "sure", "fine", "good", "great", "nice", "cool",
    "perfect", "thanks", "thank", "you", "thx", "please", "go", "on", "ahead", "continue", "proceed",
    "carry", "keep", "going", "next", "looks", "look", "lgtm", "it", "that", "is", "this", "commit", "push",
    "ship", "merge", "do", "the", "and", "now", "then", "all", "right", "alright", "done", "stop", "wait",
    "hi", "hello", "again", "try", "retry", "run", "save", "so", "to", "me", "works", "work", "very", "well",
    "much", "a", "lot", "for", "changes", "them", "let's", "lets", "what's", "up", "resume", "pick", "where",
    "we", "left", "off",
];
const SMALL_CJK: &[&str] = &[
    "계속해줘",
    "계속해",
    "계속",
    "좋아요",
    "좋아",
    "좋습니다",
    "네",
    "응",
    "그래",
    "고마워요",
    "고마워",
    "감사합니다",
    "커밋해줘",
    "커밋해",
    "커밋",
    "푸시해줘",
    "푸시",
    "해줘",
    "진행해줘",
    "진행해",
    "진행",
    "완벽해",
    "오케이",
    "다음",
    "이어서",
    "続けてください",
    "続けて",
    "続き",
    "はい",
    "いいですね",
    "いいね",
    "ありがとうございます",
    "ありがとう",
    "コミットして",
    "コミット",
    "お願いします",
    "進めて",
    "ください",
    "继续",
    "好的",
    "好",
    "很好",
    "可以",
    "谢谢",
    "提交吧",
    "提交",
    "是的",
    "是",
    "对",
    "没问题",
    "推送",
    "吧",
    "了",
    "请",
    "不错",
    "接着",
];
/// A request that goes on with what was done before.
const ON: &[&str] = &[
    "continue",
    "go on",
    "carry on",
    "keep going",
    "where were we",
    "where we left off",
    "where i left off",
    "pick up",
    "what's next",
    "what is next",
    "resume",
    "next step",
    "what were we",
    "what was i",
    "계속",
    "이어서",
    "어디까지",
    "続け",
    "続き",
    "どこまで",
    "继续",
    "接着",
    "上次",
];

/// Says what is to be done, so that it tells somebody later what was worked on.
pub fn is_substantial(prompt: &str) -> bool {
    let text = prompt.trim().to_lowercase();
    if text.is_empty() || text.starts_with('/') {
        return false;
    }
    let mut left = text.clone();
    let mut small: Vec<&str> = SMALL_CJK.to_vec();
    small.sort_by_key(|word| std::cmp::Reverse(word.len()));
    for word in small {
        left = left.replace(word, " ");
    }
    let words: Vec<&str> =
        left.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let saying = words.iter().filter(|word| !SMALL.contains(word)).count();
    let unspaced = words.iter().any(|word| !word.is_ascii() && word.chars().count() >= 3);
    saying >= 2 || (saying == 1 && (words.len() > 3 || unspaced))
}

/// Asks to go on with what was done before.
pub fn asks_to_go_on(prompt: &str) -> bool {
    let text = prompt.trim().to_lowercase();
    text.chars().count() <= 80 && ON.iter().any(|words| text.contains(words))
}
