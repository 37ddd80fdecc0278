//! Shell patterns against names: `*`, `?`, `[...]`, and the extended forms `@(a|b)`, `!(a)`, `+(a)`, `?(a)`, `*(a)`.

/// Most steps that one comparison takes; beyond it the answer is "may match".
const MOST_STEPS: usize = 20_000;

/// Whether a text has characters that make it a pattern.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[']) || is_extended(text)
}

/// Whether a text has an extended form: `!(...)`, `@(...)`, `+(...)`.
pub(crate) fn is_extended(text: &str) -> bool {
    ["!(", "@(", "+("].iter().any(|mark| text.contains(mark)) && text.contains(')')
}

/// Whether a name fits a pattern of one path component. A dot at its start is matched only by a dot, unless `dots`.
pub fn fits(pattern: &str, name: &str, dots: bool) -> bool {
    let explicit = pattern.starts_with(['.', '\\'])
        || ["@(.", "+(.", "?(.", "*(."].iter().any(|start| pattern.starts_with(start))
        || pattern.starts_with("[.");
    if name.starts_with('.') && !dots && !explicit {
        return false;
    }
    fits_whole(pattern, name)
}

/// Whether a text fits a pattern, slashes and dots being characters like any other (as in `find -path` and `case`).
pub(crate) fn fits_whole(pattern: &str, text: &str) -> bool {
    // The most frequent patterns need no search: `*.py`, `name`.
    let plain = |part: &str| !part.contains(['*', '?', '[', '\\', '(']);
    if plain(pattern) {
        return pattern == text;
    }
    if let Some(end) = pattern.strip_prefix('*').filter(|end| plain(end)) {
        return text.ends_with(end);
    }
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let mut steps = 0;
    matches(&pattern, &text, &mut steps)
}

fn matches(pattern: &[char], text: &[char], steps: &mut usize) -> bool {
    *steps += 1;
    if *steps > MOST_STEPS {
        return true;
    }
    let Some(&first) = pattern.first() else { return text.is_empty() };
    if matches!(first, '@' | '!' | '+' | '?' | '*')
        && pattern.get(1) == Some(&'(')
        && let Some((choices, end)) = alternatives(pattern)
    {
        return extended(first, &choices, &pattern[end..], text, steps);
    }
    match first {
        '*' => (0..=text.len()).any(|at| matches(&pattern[1..], &text[at..], steps)),
        '?' => !text.is_empty() && matches(&pattern[1..], &text[1..], steps),
        '[' => match class(pattern) {
            Some((end, fits)) => {
                text.first().is_some_and(|c| fits(*c)) && matches(&pattern[end..], &text[1..], steps)
            }
            None => text.first() == Some(&'[') && matches(&pattern[1..], &text[1..], steps),
        },
        '\\' if pattern.len() > 1 => {
            text.first() == pattern.get(1) && matches(&pattern[2..], &text[1..], steps)
        }
        _ => text.first() == Some(&first) && matches(&pattern[1..], &text[1..], steps),
    }
}

fn extended(kind: char, choices: &[Vec<char>], rest: &[char], text: &[char], steps: &mut usize) -> bool {
    if matches!(kind, '?' | '*') && matches(rest, text, steps) {
        return true;
    }
    for at in 0..=text.len() {
        let (head, tail) = text.split_at(at);
        let one = choices.iter().any(|choice| matches(choice, head, steps));
        let hit = match kind {
            '!' => !one,
            _ => one,
        };
        if !hit {
            continue;
        }
        if matches(rest, tail, steps) {
            return true;
        }
        if matches!(kind, '+' | '*') && at > 0 && extended('+', choices, rest, tail, steps) {
            return true;
        }
    }
    false
}

/// The choices of `x(a|b)` at the start, and where it ends.
fn alternatives(pattern: &[char]) -> Option<(Vec<Vec<char>>, usize)> {
    let (mut depth, mut choices, mut open) = (0usize, Vec::new(), Vec::new());
    for (at, c) in pattern.iter().enumerate().skip(1) {
        match c {
            '(' => {
                depth += 1;
                if depth > 1 {
                    open.push(*c);
                }
            }
            ')' if depth == 1 => {
                choices.push(open);
                return Some((choices, at + 1));
            }
            ')' => {
                depth -= 1;
                open.push(*c);
            }
            '|' if depth == 1 => choices.push(std::mem::take(&mut open)),
            _ => open.push(*c),
        }
    }
    None
}

/// A bracket expression at the start: where it ends, and whether a character is in it.
fn class(pattern: &[char]) -> Option<(usize, impl Fn(char) -> bool)> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let from = 1 + usize::from(negated);
    let mut at = from;
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut named = Vec::new();
    loop {
        let c = *pattern.get(at)?;
        if c == ']' && at > from {
            break;
        }
        if c == '[' && pattern.get(at + 1) == Some(&':') {
            let end = pattern[at..].iter().position(|c| *c == ']')?;
            let name: String = pattern[at + 2..at + end].iter().filter(|c| **c != ':').collect();
            named.push(name);
            at += end + 1;
            continue;
        }
        if pattern.get(at + 1) == Some(&'-') && pattern.get(at + 2).is_some_and(|last| *last != ']') {
            ranges.push((c, pattern[at + 2]));
            at += 3;
        } else {
            ranges.push((c, c));
            at += 1;
        }
    }
    let fits = move |c: char| {
        let listed = ranges.iter().any(|(low, high)| (*low..=*high).contains(&c))
            || named.iter().any(|name| match name.as_str() {
                "alpha" => c.is_alphabetic(),
                "digit" => c.is_ascii_digit(),
                "alnum" => c.is_alphanumeric(),
                "lower" => c.is_lowercase(),
                "upper" => c.is_uppercase(),
                "punct" => c.is_ascii_punctuation(),
                "space" | "blank" => c.is_whitespace(),
                "xdigit" => c.is_ascii_hexdigit(),
                _ => true,
            });
        listed != negated
    };
    Some((at + 1, fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_as_the_shell_reads_them() {
        for (pattern, name) in [
            (".g*", ".git"),
            (".[a-z]*", ".git"),
            (".??*", ".git"),
            (".[!.]*", ".git"),
            ("!(src)", "lib"),
            (".@(git|hg)", ".git"),
            (".+(g|i|t)", ".git"),
            ("*.py", "a.py"),
            (".[[:alpha:]]it", ".git"),
            ("a\\*b", "a*b"),
        ] {
            assert!(fits(pattern, name, false), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("*", ".git"),
            ("b*", ".git"),
            ("!(src)", "src"),
            ("?git", ".git"),
            ("*.py", "a.pyc"),
            ("[^g]it", "git"),
        ] {
            assert!(!fits(pattern, name, false), "{pattern} {name}");
        }
        assert!(fits("*", ".git", true) && fits_whole("*/x*", "a/b/xy"));
    }
}
