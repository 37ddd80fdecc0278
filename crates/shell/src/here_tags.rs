//! A check before parsing: here-document tags on which the parser's tokenizer would never come to an end.
//!
//! The tokenizer loops, and takes memory without end, when the tag of a here-document turns out empty: `<<""`, a `<<`
//! with nothing but blanks before a bracket inside `$( )`, or a substitution inside the tag itself. No command that
//! anybody means to run looks like that, so such a text is refused before it is tokenized. Quotes around the `<<` are
//! not looked at, which can only refuse too much.

/// Whether the tokenizer could loop on this text.
pub(crate) fn could_loop(text: &str) -> bool {
    if !text.contains("<<") {
        return false;
    }
    let nested = ["$(", "${", "$["].iter().any(|opener| text.contains(opener));
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at] != b'<' || bytes[at + 1] != b'<' {
            at += 1;
            continue;
        }
        let arrows = bytes[at..].iter().take_while(|byte| **byte == b'<').count();
        at += arrows;
        // Three arrows are a here-string; what is left of a longer row could be a `<<` again.
        if arrows != 3 && is_empty_tag(&bytes[at..], nested) {
            return true;
        }
    }
    false
}

fn is_empty_tag(rest: &[u8], nested: bool) -> bool {
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let (mut at, mut quote, mut length) = (blanks, None, 0usize);
    let mut quoted = false;
    while let Some(&byte) = rest.get(at) {
        let next = rest.get(at + 1).copied().unwrap_or_default();
        match (quote, byte) {
            (_, b'$') if matches!(next, b'(' | b'{' | b'[') => return true,
            (Some(q), byte) if byte == q => quote = None,
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                quoted = true;
            }
            (None, b'\\') => {
                quoted = true;
                // A line that goes on.
                length += usize::from(next != b'\n');
                at += 1;
            }
            (None, b'&' | b'(' | b')' | b';' | b'|' | b'<' | b'>' | b'\n' | b' ' | b'\t' | b']' | b'}') => {
                break;
            }
            _ => length += 1,
        }
        at += 1;
    }
    length == 0 && (quoted || (nested && blanks > 0))
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

#[cfg(test)]
mod tests {
    use super::could_loop;

    #[test]
    fn ordinary_documents_pass() {
        for text in [
            "cat <<EOF\nx\nEOF\n",
            "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\"",
            "python3 - << 'END'\nprint(1 << 3)\nEND",
            "echo $((1 << 3))",
            "cat <<<$x",
            "cat <<-\\END\n\tx\n\tEND\n",
            "int x = 1 << (n - 1);",
        ] {
            assert!(!could_loop(text), "{text}");
        }
    }

    #[test]
    fn empty_tags_do_not() {
        for text in ["cat <<\"\"", "cat << ''\n", "$(cat << )", "${x:-<< }", "<<-E\"$[ ]$((", "a<<$(b)"] {
            assert!(could_loop(text), "{text}");
        }
    }
}
