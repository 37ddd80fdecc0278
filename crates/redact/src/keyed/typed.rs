//! Declarations that say more than a name and a value: a type, a property block, a tag, a pair of attributes. (X2)
//!
//! `const apiKey: string = "…"`, `api_key: Final[str] = '…'`, `const API_KEY: &'static str = "…"`, `string Key { get; set; } = "…"`,
//! `<add key="ApiKey" value="…"/>`: each language puts something of its own between a name and its value. Every function here looks
//! at a short stretch of bytes and says where the value begins.

/// The longest type that is read.
const LONGEST_TYPE: usize = 96;

/// Behind the operator that follows a type: `string | undefined = ` → the place behind `=`.
///
/// `at` is the place behind the `:` that announces the type.
pub(super) fn behind_type(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + LONGEST_TYPE)];
    let (mut depth, mut letters) = (0_u32, false);
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            b'=' if depth == 0 => return (letters && is_operator(rest, index)).then_some(at + index + 1),
            // Kotlin: `val key: String by lazy { "…" }`.
            b'{' if rest[..index].trim_ascii_end().ends_with(b"lazy") => return Some(at + index + 1),
            // Swift: `var key: String { "…" }`.
            b'{' if letters && depth == 0 => {
                let opens = matches!(rest[index + 1..].trim_ascii_start().first(), Some(b'"'));
                return opens.then_some(at + index + 1);
            }
            b'<' | b'[' | b'(' => depth += 1,
            b'>' | b']' | b')' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => return None,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => letters = true,
            b'0'..=b'9' | b' ' | b'.' | b':' | b'|' | b'&' | b'*' | b'?' | b'!' | b',' | b'\'' => {}
            _ => return None,
        }
    }
    None
}

/// One `=` with a space before it, and a space or a quote behind it.
fn is_operator(rest: &[u8], at: usize) -> bool {
    let next = rest.get(at + 1).copied().unwrap_or(b' ');
    let spaced = at > 0 && rest[at - 1] == b' ' && matches!(next, b' ' | b'\n' | b'\r' | b'\t');
    spaced || matches!(next, b'"' | b'\'' | b'`')
}

/// Behind a block that stands between name and value: `{ get; set; } = `, or the brace of `key{"…"}`.
pub(super) fn behind_block(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + 64)];
    if rest.first() != Some(&b'{') {
        return None;
    }
    let first = rest[1..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    if matches!(rest[1 + first], b'"' | b'\'') {
        return Some(at + 1);
    }
    let close = rest.iter().position(|byte| *byte == b'}')?;
    let inside = &rest[1..close];
    let accessors =
        [&b"get"[..], b"set", b"init"].iter().any(|word| memchr::memmem::find(inside, word).is_some());
    let plain = inside.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b' ' | b';'));
    let equals = close + 1 + rest[close + 1..].iter().position(|byte| *byte != b' ')?;
    (accessors && plain && rest[equals] == b'=').then_some(at + equals + 1)
}

/// How far from the name the other half of a pair may begin.
const LONGEST_PAIR: usize = 160;

/// Words that announce the value of a pair whose name was given before.
const VALUE_WORDS: &[&str] = &["value", "default", "defaultvalue", "val", "content", "text"];

/// Behind the operator of the second half of a pair: `name: TOKEN⏎ value: …`, `"name": "TOKEN", "type": "string", "value": …`,
/// `<add key="TOKEN" value="…"/>`, `variable "token" {⏎ default = …`.
pub(super) fn pair_value(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let near = pair_value_near(text, end);
    if near.is_some() || !is_named_by_field(text, start) {
        return near;
    }
    let rest = &text[end..text.len().min(end + LONGEST_PAIR)];
    // Another pair begins behind a bracket, another declaration behind an empty line.
    let stop = rest.iter().position(|byte| matches!(byte, b'}' | b';' | b')')).unwrap_or(rest.len());
    let stop = memchr::memmem::find(&rest[..stop], b"\n\n").unwrap_or(stop);
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'v', b'd', b'V', rest.get(at..stop)?) {
        at += found;
        let border = at > 0 && !rest[at - 1].is_ascii_alphanumeric() && rest[at - 1] != b'_';
        let word = rest[at..].iter().take(14).take_while(|byte| byte.is_ascii_alphabetic()).count();
        if border
            && word > 2
            && VALUE_WORDS[..4].iter().any(|known| rest[at..at + word].eq_ignore_ascii_case(known.as_bytes()))
            && let Some(behind) = operator_behind(rest, at + word)
        {
            return Some(end + behind);
        }
        at += word.max(1);
    }
    None
}

/// The second half of a pair follows at once.
fn pair_value_near(text: &[u8], end: usize) -> Option<usize> {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let rest = &text[end..text.len().min(end + LONGEST_PAIR)];
    let quoted = usize::from(rest.first().is_some_and(is_quote));
    let gap = rest[quoted..]
        .iter()
        .take(60)
        .take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b'{'))
        .count();
    let between = &rest[quoted..quoted + gap];
    (between.iter().any(|byte| matches!(byte, b'\n' | b',')) || quoted == 1 && gap > 0).then_some(())?;
    let from = quoted + gap + usize::from(rest.get(quoted + gap).is_some_and(is_quote));
    let word = rest.get(from..)?.iter().take(14).take_while(|byte| byte.is_ascii_alphabetic()).count();
    VALUE_WORDS.iter().find(|known| rest[from..from + word].eq_ignore_ascii_case(known.as_bytes()))?;
    operator_behind(rest, from + word).map(|behind| end + behind)
}

/// Behind the operator that follows a word of a pair.
fn operator_behind(rest: &[u8], at: usize) -> Option<usize> {
    let quoted = usize::from(rest.get(at).is_some_and(|byte| matches!(byte, b'"' | b'\'')));
    let at = at + quoted;
    let at = at + rest.get(at..)?.iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    matches!(rest.get(at), Some(b':' | b'=' | b'>')).then_some(at + 1)
}

/// Whether the name is what a field called `name` or `key` holds, or the title of a block.
fn is_named_by_field(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(24)..start];
    let quoted = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'"));
    let before = quoted.unwrap_or(before).trim_ascii_end();
    if quoted.is_some() && before.ends_with(b"variable") {
        return true;
    }
    let Some(before) = before.strip_suffix(b":").or_else(|| before.strip_suffix(b"=")) else {
        return false;
    };
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    [&b"name"[..], b"key", b"Name", b"Key", b"id"].iter().any(|word| before.ends_with(word))
}

/// Where the value stands before its name: `setValue("…", forHTTPHeaderField: "X-API-Key")`.
pub(super) fn value_before(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let before = text[..start].strip_suffix(b"\"")?;
    let before = &before[before.len().saturating_sub(400)..];
    let offset = start - 1 - before.len();
    let call = before.strip_suffix(b"forHTTPHeaderField: ")?.trim_ascii_end().strip_suffix(b",")?;
    let call = call.strip_suffix(b"\"")?;
    let open = memchr::memrchr(b'"', call)?;
    Some((offset + open + 1, offset + call.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_behind_its_type_x2() {
        for (text, value) in [
            (" string = \"x\"", "\"x\""),
            (" &'static str = \"x\"", "\"x\""),
            (" string | undefined = `x`", "`x`"),
            (" Final[Optional[str]] = 'x'", "'x'"),
            (" Map<String, Vec<u8>> = \"x\"", "\"x\""),
            (" String by lazy { \"x\" }", "\"x\" }"),
            (" str=\"x\"", "\"x\""),
            (" String { \"x\" }", "\"x\" }"),
        ] {
            let at = behind_type(text.as_bytes(), 0).unwrap();
            assert_eq!(text[at..].trim_start(), value, "{text}");
        }
        for text in [" abc=def", " a == b", " x, y = 1", " \"x\" = 2", " f(x) => 2", "\n a = 1", " dGVzdA=="]
        {
            assert_eq!(behind_type(text.as_bytes(), 0), None, "{text}");
        }
    }

    #[test]
    fn blocks_and_pairs_are_stepped_over_x2() {
        let text = b"Key { get; set; } = \"x\"";
        assert_eq!(behind_block(text, 4), Some(19));
        assert_eq!(behind_block(b"k{\"x\"}", 1), Some(2));
        assert_eq!(behind_block(b"k { return x }", 2), None);
        for (text, name) in [
            ("<add key=\"ApiKey\" value=\"x\" />", "ApiKey"),
            ("{\"name\": \"API_KEY\", \"type\": \"string\", \"value\": \"x\"}", "API_KEY"),
            ("variable \"api_key\" {\n  type = string\n  default = \"x\"\n}", "api_key"),
            ("<setting name=\"ApiKey\" as=\"String\"><value>x</value>", "ApiKey"),
        ] {
            let start = text.find(name).unwrap();
            let at = pair_value(text.as_bytes(), start, start + name.len()).unwrap();
            assert!(text[at..].trim_start_matches([' ', '"']).starts_with('x'), "{text}");
        }
        let call = "setValue(\"abc\", forHTTPHeaderField: \"X-API-Key\")";
        assert_eq!(value_before(call.as_bytes(), call.find("X-API").unwrap()), Some((10, 13)));
    }
}
