//! The tail of a key block whose head is missing: cut logs and windows show the last lines and `-----END … PRIVATE KEY-----`. (S19)

use crate::finding::Span;
use crate::rule::RULES;

/// Lines of a block are not longer than this, and a block has not more of them.
const LONGEST_LINE: usize = 200;
const MOST_LINES: usize = 200;

/// Key lines before every end of a private key block that no beginning stands before.
pub(crate) fn tails(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut seen = 0;
    for at in memchr::memmem::find_iter(text, b"-----END ") {
        let title = &text[at..text.len().min(at + 60)];
        if memchr::memmem::find(title, b"PRIVATE KEY").is_none() {
            continue;
        }
        let start = first_line(text, seen, at);
        if start < at
            && let Some((rank, rule)) = RULES.iter().enumerate().find(|(_, rule)| rule.id == "private-key")
        {
            found.push(Span { start, end: at, rule: rule.id, rank: rank as u16 });
        }
        seen = at;
    }
    found
}

/// Where the lines of the block begin, not before `from`.
fn first_line(text: &[u8], from: usize, end: usize) -> usize {
    let mut start = quoted_start(text, from, end);
    let first = start;
    for _ in 0..MOST_LINES {
        let before = &text[from.max(start.saturating_sub(LONGEST_LINE))..start];
        let Some(line_end) = before.iter().rposition(|byte| *byte != b'\n' && *byte != b'\r') else { break };
        let line_start = before[..line_end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before[line_start..=line_end].trim_ascii();
        // What marks a quotation or an added line is no part of it.
        let body = without_marks(line);
        let key =
            body.len() >= 4 && body.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte));
        let whole = line_start > 0 || from >= start.saturating_sub(LONGEST_LINE);
        if !key || !whole || (start == first && body.len() < 4) {
            break;
        }
        start = start - before.len() + line_start;
    }
    if start == first { end } else { start }
}

/// Where the line of the end begins, if only marks of a quotation stand before it: `>  -----END …`.
fn quoted_start(text: &[u8], from: usize, end: usize) -> usize {
    let near = &text[from.max(end.saturating_sub(8))..end];
    let line = near.iter().rposition(|byte| *byte == b'\n').map_or(near, |at| &near[at + 1..]);
    if line.len() < near.len() && without_marks(line).is_empty() { end - line.len() } else { end }
}

fn without_marks(line: &[u8]) -> &[u8] {
    let marks =
        line.iter().take(8).take_while(|byte| matches!(byte, b'>' | b'|' | b'#' | b'*' | b' ')).count();
    &line[marks..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::expand;

    #[test]
    fn the_lines_before_an_end_are_found_s19() {
        let text = expand("log line\n<b64:64>\n<b64:20>\n-----END RSA PRIVATE KEY-----\nrest", 1);
        let found = tails(text.as_bytes());
        assert_eq!(found.len(), 1);
        assert!(text[found[0].start..].starts_with(&text["log line\n".len()..][..64]));
        assert!(text[..found[0].end].ends_with('\n'));
        let quoted = expand("Hi,\n>  <b64:64>\n>  <b64:20>\n>  -----END RSA PRIVATE KEY-----\n", 1);
        assert_eq!(&quoted[tails(quoted.as_bytes())[0].start..][..3], ">  ");
        assert!(tails(b"words only here\n-----END RSA PRIVATE KEY-----").is_empty());
        assert!(tails(expand("<b64:64>\n-----END CERTIFICATE-----", 1).as_bytes()).is_empty());
    }
}
