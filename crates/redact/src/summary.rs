//! Shortens oversized raw output to its beginning and end, and says what was left out.

/// Shortens `text` to about `limit` bytes at line ends; gives the short text and how many lines were left out.
pub(crate) fn summarise(text: &str, limit: usize) -> Option<(String, usize)> {
    if text.len() <= limit {
        return None;
    }
    let half = limit / 2;
    let head = head_end(text, half);
    let tail = tail_start(text, half).max(head);
    let left_out = &text[head..tail];
    let lines = left_out.lines().count();
    let errors = count(left_out, "error");
    let warnings = count(left_out, "warning");
    let note = format!(
        "[summarised: {lines} lines, {} bytes left out; {errors} of the lines say error, {warnings} say warning]",
        left_out.len()
    );
    let before = if text[..head].ends_with('\n') || head == 0 { "" } else { "\n" };
    let after = if text[tail..].starts_with('\n') || tail == text.len() { "" } else { "\n" };
    Some((format!("{}{before}{note}{after}{}", &text[..head], &text[tail..]), lines.max(1)))
}

/// The end of the last whole line within the first `limit` bytes; a cut inside a line falls between characters.
fn head_end(text: &str, limit: usize) -> usize {
    let cut = floor(text, limit);
    text[..cut].rfind('\n').filter(|at| *at * 2 > cut).map_or(cut, |at| at + 1)
}

fn tail_start(text: &str, limit: usize) -> usize {
    let mut cut = text.len().saturating_sub(limit);
    while !text.is_char_boundary(cut) {
        cut += 1;
    }
    text[cut..].find('\n').filter(|at| *at * 2 < text.len() - cut).map_or(cut, |at| cut + at + 1)
}

/// The nearest character border at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut cut = at.min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    cut
}

fn count(text: &str, word: &str) -> usize {
    text.lines().filter(|line| line.to_ascii_lowercase().contains(word)).count()
}

#[cfg(test)]
mod tests {
    use super::summarise;

    #[test]
    fn keeps_both_ends_and_counts_the_rest() {
        let text: String = (0..1000).map(|n| format!("line {n}: error 한글\n")).collect();
        let (short, lines) = summarise(&text, 1000).unwrap();
        assert!(short.starts_with("line 0: error 한글\n"));
        assert!(short.ends_with("line 999: error 한글\n"));
        assert!(short.contains(&format!("[summarised: {lines} lines, ")));
        assert!(short.len() < 1200);
        assert!(summarise("short", 1000).is_none());
    }

    #[test]
    fn one_endless_line_is_cut_between_characters() {
        let (short, _) = summarise(&"한".repeat(10_000), 1001).unwrap();
        assert!(short.len() < 1300);
    }
}
