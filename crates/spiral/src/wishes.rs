//! What does the person want? Something, or only that it works at last?
//!
//! The words for wishes are endless, those for "no, again" are few. So a request is looked at for what is left when these few are taken
//! out: whoever says more than that says what they want, and what the agent then does was asked for. A wrong "something" means that a
//! circle is stopped later.

/// So many words of a request are kept, and so long ones.
const WORDS: usize = 8;
const LONGEST: usize = 16;

/// Words that say nothing new: particles, verdicts, that it should work, and checks as such.
const EMPTY: &str = "a an the this that these those it its is are was were be been am i you he she we they me my your our us \
    and or but so if then of to in on at for with as by from about what which who why how when where there here \
    do does did done don dont doesn doesnt didn didnt have has had can could cannot cant will would won wont should shall may might must \
    not no nope nah yes yeah ok okay hm hmm mhm uh um oh ah well ugh argh wow hey hi please pls thanks thank sorry damn \
    still again yet now just really even already ever never always same once retry redo re \
    try tries tried trying keep keeps kept come seems seem look looks like think thought know mean see saw \
    work works worked working broken breaks broke break wrong bad worse right good fine correct correctly properly \
    fail fails failed failing failure failures error errors bug bugs bugged buggy issue issues problem problems trouble crash crashes crashed \
    fix fixes fixed fixing repair mend solve solved resolve resolved make makes made get gets got let lets help happen happens happened \
    test tests testing check checks suite pass passes passed passing green red run runs running \
    all any at everything something anything nothing thing things way time times stuck hopeless useless";

/// The same in languages that do not put spaces between words, or endings on them; the longest first.
const EMPTY_PARTS: [&str; 88] = [
    "작동하지 않",
    "동작하지 않",
    "고쳐주세요",
    "되지 않",
    "고쳐줘",
    "고쳐 줘",
    "고쳐",
    "수정해",
    "해결해",
    "안 되",
    "안되",
    "안 돼",
    "안돼",
    "여전히",
    "아직도",
    "아직",
    "계속 실패",
    "실패하",
    "실패",
    "오류",
    "에러",
    "버그",
    "문제",
    "틀렸",
    "틀려",
    "이상해",
    "이상하",
    "다시",
    "또",
    "왜",
    "이거",
    "이게",
    "그거",
    "그게",
    "저거",
    "아니야",
    "아니",
    "주세요",
    "해줘",
    "해 줘",
    "해봐",
    "해 봐",
    "제발",
    "테스트",
    "통과",
    "시도",
    "망가",
    "깨졌",
    "깨져",
    "똑같",
    "같은",
    "还是不行",
    "还是",
    "仍然",
    "依然",
    "依旧",
    "不行",
    "不对",
    "不是",
    "没有",
    "错误",
    "报错",
    "错了",
    "失败",
    "问题",
    "修复",
    "修好",
    "修一下",
    "修改",
    "解决",
    "再试",
    "试试",
    "一次",
    "一下",
    "重试",
    "又",
    "再",
    "坏",
    "修",
    "错",
    "请",
    "测试",
    "通过",
    "这个",
    "那个",
    "怎么",
    "还",
    "不",
];
/// What is left of words when [`EMPTY_PARTS`] are taken out of them, and is no word of its own.
const LEFT: &str = "가 이 은 는 을 를 도 에 요 네 네요 어 어요 습니다 했 해 하게 만 좀 돼 지 나 고 야 음 吧 了 吗 呢 啊 的 它 这 那 是 好 把 能 行 我 你 都 也 就 在 有";

/// The words of a request that say something, in lower case; none if it only says that it should work.
pub(super) fn wishes(request: &str) -> Vec<String> {
    let request = request.to_lowercase().replace(['\'', '’'], "");
    let mut found = Vec::new();
    let mut push = |word: &str| {
        let end = word.floor_char_boundary(word.len().min(LONGEST));
        let word = word[..end].to_owned();
        if found.len() < WORDS && !found.contains(&word) {
            found.push(word);
        }
    };
    let (ascii, other) = apart(&request);
    for (word, is_counter) in numbered_words(&ascii) {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        // `(3)` counts attempts; `30` is an amount.
        // `f5` is a name, `x` may be anything.
        let is_long = word.len() > 2 || word.len() == 2 && word.ends_with(|c: char| c.is_ascii_digit());
        if is_number && !is_counter || !is_number && is_long && !listed(EMPTY, word) {
            push(word);
        }
    }
    let mut other = other;
    for part in EMPTY_PARTS {
        other = other.replace(part, " ");
    }
    for word in other.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !listed(LEFT, word) && !listed(EMPTY, word) {
            push(word);
        }
    }
    found
}

/// What is written with the letters of English, and the rest.
fn apart(request: &str) -> (String, String) {
    let keep = |ascii: bool| -> String {
        request.chars().map(|c| if c.is_alphanumeric() && c.is_ascii() != ascii { ' ' } else { c }).collect()
    };
    (keep(true), keep(false))
}

/// The words, and whether each stands in brackets by itself.
fn numbered_words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    text.split_whitespace().flat_map(|piece| {
        let is_counter = piece.starts_with('(') && piece.trim_end_matches(['.', '!']).ends_with(')');
        let words = piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(move |word| (word, is_counter))
    })
}

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Whether most of these words stand in the text, which is in lower case.
pub(super) fn are_mostly_in(words: &[&String], text: &str) -> bool {
    let known = words.iter().filter(|word| text.contains(word.as_str())).count();
    known * 2 >= words.len()
}

#[cfg(test)]
mod tests {
    use super::wishes;

    #[test]
    fn who_says_what_they_want_m2() {
        for request in [
            "Turn the debug panel on",
            "take it out again",
            "Put it back please",
            "디버그 로그를 넣어 줘",
            "把日志去掉",
            "I need thirty helpers",
            "that is too much, one is enough",
            "sorry, I was wrong, all thirty please",
            "hmm thirty",
            "Too long. Keep only the first one.",
            "Just one please",
            "30",
            "Shrink",
            "서른 개 만들어줘",
            "너무 많아, 하나면 돼",
            "아니다 다시 서른 개로",
            "写三十个函数",
            "太多了，只要一个",
            "Go on with the next one",
        ] {
            assert!(!wishes(request).is_empty(), "{request}");
        }
    }

    #[test]
    fn who_only_says_that_it_should_work_m2() {
        for request in [
            "No, not like that",
            "It is still broken (3)",
            "That does not work at all.",
            "it's still wrong, try again",
            "여전히 안 돼",
            "아직도 테스트가 실패해",
            "다시 고쳐 줘",
            "还是不行",
            "请再试一次",
            "又错了",
            "make the test pass",
            "fix it",
            "come on",
            "",
        ] {
            assert!(wishes(request).is_empty(), "{request}: {:?}", wishes(request));
        }
    }
}
