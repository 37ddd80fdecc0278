//! "Requests 1 and 3", "requests 2 to 4", 请求1和3, 依頼1と3, 요청 1과 3: each number gets its noun, so that it is one name each.

/// So many can be meant by "from … to …".
const MOST: i64 = 15;

struct Words {
    nouns: &'static [&'static str],
    joins: &'static [&'static str],
    to: &'static [&'static str],
    /// Between two of them.
    and: &'static str,
}

const ENGLISH: Words = Words {
    nouns: &["requests", "prompts", "turns", "request", "prompt"],
    joins: &[", and ", " and ", " & ", ", ", ","],
    to: &[" to ", " through ", "-", "–"],
    and: " and ",
};
const KOREAN: Words = Words {
    nouns: &["요청"],
    joins: &["번과 ", "번이랑 ", "번, ", "번하고 ", "과 ", "와 ", "이랑 ", "랑 ", "하고 ", ", ", ","],
    to: &["번부터 ", "부터 ", "에서 ", "~", "-"],
    and: "이랑 ",
};
const CHINESE: Words = Words {
    nouns: &["请求", "要求"],
    joins: &["和", "、", "跟", "与", "，", ", ", ",", " 和 "],
    to: &["到", "至", "-", "~"],
    and: "和",
};
const JAPANESE: Words = Words {
    nouns: &["依頼", "リクエスト", "要求"],
    joins: &["と", "、", ", ", ","],
    to: &["から", "〜", "~", "-"],
    and: "と",
};

/// The text in which every number has its noun.
pub(super) fn spelled_out(text: &str, language: super::Language) -> String {
    let (words, one) = match language {
        super::Language::English => (&ENGLISH, "request "),
        super::Language::Korean => (&KOREAN, "요청 "),
        super::Language::Chinese => (&CHINESE, "请求"),
        super::Language::Japanese => (&JAPANESE, "依頼"),
    };
    let text = if language == super::Language::Korean { counted_before(text) } else { text.to_owned() };
    let lower = text.to_ascii_lowercase();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while at < text.len() {
        let begins = !text[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric());
        if begins && let Some((numbers, end)) = list(&lower[at..], words).filter(|(all, _)| all.len() > 1) {
            let all: Vec<String> = numbers.iter().map(|number| format!("{one}{number}")).collect();
            out.push_str(&all.join(words.and));
            at += end;
            continue;
        }
        let letter = text[at..].chars().next().unwrap_or(' ');
        out.push(letter);
        at += letter.len_utf8();
    }
    out
}

/// "1번과 3번 요청" is "요청 1과 3".
fn counted_before(text: &str) -> String {
    let Some(noun) = text.find("번 요청") else { return text.to_owned() };
    let front = &text[..noun];
    let letters = |letter: char| letter.is_ascii_digit() || "번과와이랑하고부터에서, ~-".contains(letter);
    let from = front.char_indices().rev().take_while(|(_, letter)| letters(*letter)).last().map(|(at, _)| at);
    let Some(from) = from else { return text.to_owned() };
    let numbers = front[from..].trim_start_matches(|letter: char| !letter.is_ascii_digit());
    if numbers.is_empty() {
        return text.to_owned();
    }
    let kept = &front[..front.len() - numbers.len()];
    format!("{kept}요청 {numbers}{}", &text[noun + "번 요청".len()..])
}

/// The numbers after a noun, and where they end.
fn list(text: &str, words: &Words) -> Option<(Vec<i64>, usize)> {
    let noun = words.nouns.iter().filter(|noun| text.starts_with(**noun)).max_by_key(|noun| noun.len())?;
    let rest = text[noun.len()..].trim_start();
    let mut at = text.len() - rest.len();
    let (first, length) = number(rest)?;
    at += length;
    let mut found = vec![first];
    loop {
        let rest = &text[at..];
        let next = |marks: &[&str]| {
            let mark = marks.iter().filter(|mark| rest.starts_with(**mark)).max_by_key(|mark| mark.len())?;
            let (number, length) = number(&rest[mark.len()..])?;
            Some((number, mark.len() + length))
        };
        if let Some((end, length)) = next(words.to) {
            let start = found.last().copied().unwrap_or(end);
            if end <= start || end - start > MOST {
                return None;
            }
            found.extend(start + 1..=end);
            at += length;
        } else if let Some((one, length)) = next(words.joins) {
            found.push(one);
            at += length;
        } else {
            return Some((found, at));
        }
    }
}

/// A number with or without `#`, and no time, file or version.
fn number(text: &str) -> Option<(i64, usize)> {
    let bare = text.strip_prefix('#').unwrap_or(text);
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let after = bare[digits..].chars().next();
    let inside = after.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, ':' | '_' | '/'))
        || after == Some('.') && bare[digits + 1..].starts_with(|next: char| next.is_ascii_alphanumeric());
    let number = bare[..digits].parse().ok().filter(|_| !inside && digits < 6)?;
    Some((number, text.len() - bare.len() + digits))
}
