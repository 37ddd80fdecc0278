//! Brace expansion: `{a,b}c` is `ac` and `bc`, `x{1..3}` is `x1`, `x2` and `x3`.
//!
//! Done here and not by the parser, whose time doubles with every brace that is left open.

use crate::value::HOLE;

/// Most words that one word may become.
const MAX_WORDS: usize = 64;

/// Longest word whose braces are expanded.
const MAX_TEXT: usize = 1024;

/// Deepest nesting of braces in braces.
const MAX_DEPTH: usize = 8;

/// A pair of braces that stands for several words.
struct Group<'t> {
    before: &'t str,
    choices: Vec<String>,
    after: &'t str,
}

/// The words that one word becomes, quotes and all still in them.
pub(crate) fn braces(text: &str) -> Vec<String> {
    if !text.contains('{') {
        return vec![text.to_owned()];
    }
    if text.len() > MAX_TEXT {
        // A long quoted text with braces in it is ordinary (JSON); a long bare one is not followed.
        let quoted = text.contains(['\'', '"', '$', '`']);
        return vec![if quoted { text.to_owned() } else { HOLE.to_string() }];
    }
    expanded(text, 0)
}

fn expanded(text: &str, depth: usize) -> Vec<String> {
    let Some(group) = first_group(text) else {
        return vec![text.to_owned()];
    };
    if depth >= MAX_DEPTH {
        return vec![HOLE.to_string()];
    }
    let tails = expanded(group.after, depth + 1);
    let mut words = Vec::new();
    for choice in group.choices {
        for middle in expanded(&choice, depth + 1) {
            for tail in &tails {
                if words.len() >= MAX_WORDS {
                    return words;
                }
                words.push(format!("{}{middle}{tail}", group.before));
            }
        }
    }
    words
}

fn first_group(text: &str) -> Option<Group<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let after = skip(bytes, at);
        if after > at + 1 {
            at = after;
            continue;
        }
        if bytes[at] == b'{'
            && let Some((commas, close)) = partner(bytes, at)
            && let Some(choices) = choices(text, at, &commas, close)
        {
            return Some(Group { before: &text[..at], choices, after: &text[close + 1..] });
        }
        at += 1;
    }
    None
}

/// The commas that belong to the brace at `open`, and the brace that closes it.
fn partner(bytes: &[u8], open: usize) -> Option<(Vec<usize>, usize)> {
    let (mut at, mut depth, mut commas) = (open + 1, 1usize, Vec::new());
    while at < bytes.len() {
        let after = skip(bytes, at);
        if after > at + 1 {
            at = after;
            continue;
        }
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((commas, at));
                }
            }
            b',' if depth == 1 => commas.push(at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn choices(text: &str, open: usize, commas: &[usize], close: usize) -> Option<Vec<String>> {
    if commas.is_empty() {
        return sequence(&text[open + 1..close]);
    }
    let mut from = open + 1;
    let mut parts = Vec::new();
    for to in commas.iter().copied().chain([close]).take(MAX_WORDS) {
        parts.push(text[from..to].to_owned());
        from = to + 1;
    }
    Some(parts)
}

/// `1..9`, `9..1..2`, `a..e`.
fn sequence(inside: &str) -> Option<Vec<String>> {
    let mut parts = inside.split("..");
    let (first, last, step) = (parts.next()?, parts.next()?, parts.next());
    let step = step.map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1) as usize;
    if parts.next().is_some() {
        return None;
    }
    if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let (low, high) = (first.min(last), first.max(last));
        let row = (0..).step_by(step).take(MAX_WORDS).map_while(|n: i64| {
            let value = if first <= last { low.checked_add(n)? } else { high.checked_sub(n)? };
            (low..=high).contains(&value).then(|| value.to_string())
        });
        return Some(row.collect());
    }
    let letter =
        |text: &str| Some(text.chars().next()?).filter(|c| c.is_ascii_alphabetic() && text.len() == 1);
    let (first, last) = (letter(first)?, letter(last)?);
    let mut row: Vec<String> = (first.min(last)..=first.max(last)).map(String::from).collect();
    if first > last {
        row.reverse();
    }
    Some(row.into_iter().step_by(step).take(MAX_WORDS).collect())
}

/// Where the quoted part or expansion that starts at `at` ends; `at + 1` when none does.
fn skip(bytes: &[u8], at: usize) -> usize {
    match (bytes[at], bytes.get(at + 1)) {
        (b'\\', Some(_)) => at + 2,
        (quote @ (b'\'' | b'"' | b'`'), _) => {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != quote {
                end += 1 + usize::from(bytes[end] == b'\\' && quote != b'\'');
            }
            end + 1
        }
        (b'$', Some(b'{')) => closed(bytes, at + 2, b'{', b'}'),
        (b'$', Some(b'(')) => closed(bytes, at + 2, b'(', b')'),
        _ => at + 1,
    }
}

fn closed(bytes: &[u8], mut at: usize, open: u8, close: u8) -> usize {
    let mut depth = 1usize;
    while at < bytes.len() && depth > 0 {
        depth = if bytes[at] == open {
            depth + 1
        } else if bytes[at] == close {
            depth - 1
        } else {
            depth
        };
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::braces;

    #[test]
    fn braces_become_words() {
        assert_eq!(braces("{git,push,--force}"), ["git", "push", "--force"]);
        assert_eq!(braces("a{1..3}z"), ["a1z", "a2z", "a3z"]);
        assert_eq!(braces("{5..1..2}"), ["5", "3", "1"]);
        assert_eq!(braces("{c..a}"), ["c", "b", "a"]);
        assert_eq!(braces("x{a,{b,c}d}{1,2}"), ["xa1", "xa2", "xbd1", "xbd2", "xcd1", "xcd2"]);
        assert_eq!(braces("{,-rf}"), ["", "-rf"]);
    }

    #[test]
    fn what_the_shell_leaves_alone_is_left_alone() {
        for text in [
            "plain",
            "{}",
            "{a}",
            "'{a,b}'",
            "\"{a,b}\"",
            "\\{a,b\\}",
            "${x,,}",
            "$(echo {a,b})",
            "{a,b",
            "a,b}",
        ] {
            assert_eq!(braces(text), [text], "{text}");
        }
        assert_eq!(braces("{\"a,b\",c}"), ["\"a,b\"", "c"]);
        assert_eq!(braces("{{a,b}"), ["{a", "{b"]);
        assert_eq!(braces("é{ü,ö}"), ["éü", "éö"]);
    }

    #[test]
    fn however_many_there_are_it_ends() {
        assert!(braces(&"{a,b}".repeat(200)).len() <= 64);
        assert!(braces(&"{".repeat(1000)).len() == 1);
        assert!(braces(&"{a,".repeat(300)).len() <= 64);
        assert_eq!(braces("{0..99999999999}").len(), 64);
        assert!(braces("{-9223372036854775808..9223372036854775807}").len() <= 64);
    }
}
