//! Text that hides behind escapes: ANSI-C quoting, `printf` and `echo -e`, backquotes, look-alike letters.

/// Resolves the escapes of `$'...'`, `printf` and `echo -e`.
pub(crate) fn ansi_c(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 >= bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        at += 2;
        match bytes[at - 1] {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'e' | b'E' => out.push(27),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'c' => at += 1,
            b'x' => number(bytes, &mut at, 2, 16, false, &mut out),
            b'u' => number(bytes, &mut at, 4, 16, true, &mut out),
            b'U' => number(bytes, &mut at, 8, 16, true, &mut out),
            b'0'..=b'7' => {
                at -= 1;
                let digits = if bytes[at] == b'0' { 4 } else { 3 };
                number(bytes, &mut at, digits, 8, false, &mut out);
            }
            other @ (b'\\' | b'\'' | b'"' | b'?') => out.push(other),
            other => out.extend([b'\\', other]),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn number(bytes: &[u8], at: &mut usize, digits: usize, base: u32, wide: bool, out: &mut Vec<u8>) {
    let (mut value, start) = (0u32, *at);
    while *at < bytes.len() && *at - start < digits {
        let Some(digit) = (bytes[*at] as char).to_digit(base) else {
            break;
        };
        value = value.wrapping_mul(base).wrapping_add(digit);
        *at += 1;
    }
    if wide {
        let c = char::from_u32(value).unwrap_or('\u{FFFD}');
        out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        out.push((value & 0xFF) as u8);
    }
}

/// The script inside backquotes: `\``, `\$` and `\\` lose their backslash.
pub(crate) fn backquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' && matches!(chars.peek(), Some('`' | '$' | '\\')) {
            continue;
        }
        out.push(c);
    }
    out
}

/// A command name with look-alike letters replaced by the ones they imitate; `None` when there are none.
pub(crate) fn plain_letters(name: &str) -> Option<String> {
    if name.is_ascii() {
        return None;
    }
    Some(name.chars().filter_map(plain_letter).collect())
}

fn plain_letter(c: char) -> Option<char> {
    Some(match c {
        '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{00AD}' | '\u{202A}'..='\u{202E}' => {
            return None;
        }
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        'а' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ё' => 'e',
        'ɡ' => 'g',
        'һ' => 'h',
        'і' | 'ı' | 'ι' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ⅼ' | 'ӏ' => 'l',
        'м' | 'ⅿ' => 'm',
        'ո' | 'п' => 'n',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'г' | 'ⲅ' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '∕' | '⁄' => '/',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(ansi_c(r"\x72\x6d"), "rm");
        assert_eq!(ansi_c(r"\162\155"), "rm");
        assert_eq!(ansi_c(r"\u0072\u006d\n"), "rm\n");
        assert_eq!(ansi_c(r"a\qb\"), r"a\qb\");
    }

    #[test]
    fn look_alikes() {
        assert_eq!(plain_letters("rm"), None);
        assert_eq!(plain_letters("r\u{200B}m").as_deref(), Some("rm"));
        assert_eq!(plain_letters("ｒｍ").as_deref(), Some("rm"));
        assert_eq!(plain_letters("ⲅм").as_deref(), Some("rm"));
    }
}
