//! Files that become code only when a program has filled them in: `{{ name }}`, `{% if x %}`.

use super::{blank, lines};
use crate::Language;

/// Words that steer, and stand for nothing.
const STEERING: [&[u8]; 12] = [
    b"if",
    b"else",
    b"end",
    b"range",
    b"with",
    b"define",
    b"block",
    b"template",
    b"include",
    b"for",
    b"endif",
    b"endfor",
];

/// Fills templates in: what steers goes, what stands for a value becomes one. A template ends in its line.
pub(super) fn fill(language: Language, text: &mut [u8]) {
    if !crate::language::contains(text, b"{{") && !crate::language::contains(text, b"{%") {
        return;
    }
    let all: Vec<_> = lines(text).collect();
    for line in all {
        fill_line(language, &mut text[line]);
    }
}

fn fill_line(language: Language, line: &mut [u8]) {
    let mut from = 0;
    while let Some(start) =
        line[from..].windows(2).position(|pair| pair[0] == b'{' && matches!(pair[1], b'{' | b'%' | b'#'))
    {
        let start = from + start;
        let end: &[u8] = match line[start + 1] {
            b'{' => b"}}",
            b'%' => b"%}",
            _ => b"#}",
        };
        let Some(length) = crate::language::find(&line[start + 2..], end) else {
            from = start + 2;
            continue;
        };
        let stop = start + 2 + length + 2;
        let inside = line[start + 2..stop - 2].to_vec();
        let is_value = line[start + 1] == b'{';
        if is_value && !is_template(&inside) {
            from = start + 1;
            continue;
        }
        let alone = line[..start].trim_ascii().is_empty() && line[stop..].trim_ascii().is_empty();
        if !is_value || alone || steers(&inside) {
            blank(&mut line[start..stop]);
        } else {
            let letter = if matches!(language, Language::Json | Language::Toml | Language::Yaml) {
                b'1'
            } else {
                b'x'
            };
            line[start..stop].fill(letter);
        }
        from = stop;
    }
}

/// Names, dots, filters and texts: no piece of a program.
fn is_template(inside: &[u8]) -> bool {
    let inside = inside.trim_ascii();
    !inside.is_empty()
        && !inside.iter().any(|byte| matches!(byte, b'{' | b'}' | b';' | b'<' | b'>' | b'`'))
        && (!inside.contains(&b':') || inside.starts_with(b"-"))
}

fn steers(inside: &[u8]) -> bool {
    let inside = inside.strip_prefix(b"-").unwrap_or(inside).trim_ascii();
    if matches!(inside.first(), Some(b'#' | b'/' | b'^' | b'!')) {
        return true;
    }
    let word = inside.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    STEERING.contains(&word)
}
