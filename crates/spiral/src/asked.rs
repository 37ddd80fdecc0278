//! Whether a person asks for something to be put in or taken out: then it is no back and forth of the agent's if that happens.

/// Beginnings of words that ask for more or for less: `remov` is in `remove`, `removes` and `removing`.
const BEGINNINGS: [&str; 27] = [
    "add",
    "insert",
    "includ",
    "exclud",
    "remov",
    "delet",
    "drop",
    "strip",
    "revert",
    "undo",
    "restor",
    "enabl",
    "disabl",
    "toggl",
    "uncomment",
    "shorten",
    "simpl",
    "extend",
    "expand",
    "split",
    "merg",
    "inlin",
    "extract",
    "replac",
    "rewrit",
    "generat",
    "hid",
];
/// Words that do so only as they are: what *takes* long is a complaint.
const WORDS: [&str; 16] = [
    "shorter", "longer", "smaller", "less", "take", "put", "bring", "turn", "switch", "move", "comment",
    "without", "clean", "roll", "rid", "write",
];

/// The same in languages that do not put spaces between words, or endings on them.
const PARTS: [&str; 24] = [
    "추가", "넣어", "제거", "삭제", "빼", "없애", "되돌", "복구", "켜", "꺼", "바꿔", "옮겨", "加", "删",
    "去掉", "移除", "恢复", "撤销", "还原", "打开", "关闭", "放回", "重写", "拿掉",
];

/// Looks at the words only. A wrong yes means that a file that swings is stopped later.
pub(super) fn asks_for_more_or_less(request: &str) -> bool {
    let request = request.to_lowercase();
    PARTS.iter().any(|part| request.contains(part))
        || request
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| WORDS.contains(&word) || BEGINNINGS.iter().any(|known| begins(word, known)))
}

/// The word with one of the usual endings.
fn begins(word: &str, known: &str) -> bool {
    word.strip_prefix(known).is_some_and(|ending| ending.len() <= 4)
}

#[cfg(test)]
mod tests {
    use super::asks_for_more_or_less;

    #[test]
    fn requests_and_complaints_b5() {
        for request in [
            "Turn the debug panel on",
            "take it out again",
            "Put it back please",
            "now removing the banner",
            "디버그 로그를 넣어 줘",
            "把日志去掉",
        ] {
            assert!(asks_for_more_or_less(request), "{request}");
        }
        for request in [
            "No, not like that",
            "It is still broken (3)",
            "That does not work at all.",
            "여전히 안 돼",
            "还是不行",
            "",
        ] {
            assert!(!asks_for_more_or_less(request), "{request}");
        }
    }
}
