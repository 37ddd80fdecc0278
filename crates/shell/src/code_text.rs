//! Looking at program text without knowing the language: calls, their arguments, string literals.

/// The argument texts of all calls of `name`, up to the matching bracket.
pub(crate) fn calls<'c>(code: &'c str, name: &str) -> Vec<&'c str> {
    calls_and_rest(code, name).into_iter().map(|(inside, _)| inside).collect()
}

/// The same, each with the text after its bracket.
pub(crate) fn calls_and_rest<'c>(code: &'c str, name: &str) -> Vec<(&'c str, &'c str)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(name).take(64) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || (name.contains('.') && c == '.')) {
            continue;
        }
        let rest = code[at + name.len()..].trim_start();
        if let Some(inside) = rest.strip_prefix('(') {
            let (inside, after) = inside.split_at(closing(inside));
            found.push((inside, after.strip_prefix(')').unwrap_or(after)));
        }
    }
    found
}

/// Whether a name stands in the code as a word of its own.
pub(crate) fn mentions(code: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        !code[..at].chars().next_back().is_some_and(word)
            && !code[at + name.len()..].chars().next().is_some_and(word)
    })
}

/// All lists of nothing but string literals: `["a", "b"]`.
pub(crate) fn literal_lists(code: &str) -> Vec<Vec<String>> {
    let mut lists = Vec::new();
    for (at, _) in code.match_indices('[').take(64) {
        let inside = code[at + 1..].split(']').next().unwrap_or_default();
        let mut outside = String::new();
        let mut quote = None;
        for c in inside.chars() {
            match quote {
                Some(q) if c == q => quote = None,
                Some(_) => {}
                None if matches!(c, '\'' | '"') => quote = Some(c),
                None => outside.push(c),
            }
        }
        if outside.chars().all(|c| c == ',' || c.is_whitespace()) {
            lists.push(strings(inside));
        }
    }
    lists
}

/// Where the bracket that is open before `text` closes.
fn closing(text: &str) -> usize {
    let (mut depth, mut quote) = (1usize, None);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// All string literals, escapes resolved.
pub(crate) fn strings(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut open, mut text, mut escaped) = (None, String::new(), false);
    for c in code.chars() {
        match open {
            Some(_) if escaped => {
                match c {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'x' | 'u' => text.extend(['\\', c]),
                    other => text.push(other),
                }
                escaped = false;
            }
            Some(_) if c == '\\' => escaped = true,
            Some(quote) if c == quote => {
                open = None;
                found.push(crate::quoting::ansi_c(&std::mem::take(&mut text)));
            }
            Some(_) => text.push(c),
            None if matches!(c, '\'' | '"' | '`') => open = Some(c),
            None => {}
        }
        if found.len() > 256 {
            break;
        }
    }
    found
}

/// The first literal of an argument list.
pub(crate) fn first_string(arguments: &str) -> Option<String> {
    strings(arguments).into_iter().next()
}

/// The first argument of an argument list.
pub(crate) fn first_argument(arguments: &str) -> &str {
    let (mut depth, mut quote) = (0usize, None);
    for (at, c) in arguments.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => return &arguments[..at],
            _ => {}
        }
    }
    arguments
}

/// The literal that an argument is, bare or as a path: `'x'`, `Path('x')`, `new File("x")`, `&"x"`.
pub(crate) fn only_string(argument: &str) -> Option<String> {
    let mut text = argument.trim().trim_start_matches('&');
    for wrap in ["pathlib.Path(", "Path(", "new File(", "str(", "Path::new(", "String::from("] {
        if let Some(inside) = text.strip_prefix(wrap).and_then(|rest| rest.strip_suffix(')')) {
            text = inside.trim();
        }
    }
    first_string(text).filter(|_| is_one_string(text))
}

/// Whether the text is one literal and nothing else.
pub(crate) fn is_one_string(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['r', 'b', 'u']);
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        return false;
    };
    text.len() >= 2 && text.ends_with(quote) && strings(text).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_strings() {
        assert_eq!(calls("os.system('rm -rf (x)'); y", "system"), ["'rm -rf (x)'"]);
        assert_eq!(strings(r#"a("b", 'c\'d')"#), ["b", "c'd"]);
        assert!(is_one_string("'x'") && !is_one_string("'x' + y") && !is_one_string("x"));
        assert!(calls("filesystem(1)", "system").is_empty());
        assert!(mentions("map(unlink, x)", "unlink") && !mentions("unlinked", "unlink"));
        assert_eq!(literal_lists("s.run(['a', \"b\"], x[1])"), [vec!["a".to_owned(), "b".to_owned()]]);
        assert_eq!(first_argument("'a,b', c"), "'a,b'");
    }
}
