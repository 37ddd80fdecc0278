//! A difference in git's format: to the byte for programs, with colours and word marks for people.

use engine::diff::{DiffReport, FileDiff};
use engine::word_marks::marks;

use super::words::harmless;
use crate::theme::{Theme, paint};

/// All files to the byte: what `git apply` reads.
pub(crate) fn patch(report: &DiffReport) -> Vec<u8> {
    report.files.iter().flat_map(FileDiff::patch).collect()
}

/// One file for a person: colours as git has them, and nothing in it can drive the terminal.
pub(crate) fn one_file(file: &FileDiff, theme: &Theme) -> String {
    let mut out = String::new();
    for section in &file.git {
        out.push_str(&heads(&section.head, theme));
        match &section.hunks {
            Some(hunks) => out.push_str(&coloured(&String::from_utf8_lossy(hunks), theme)),
            None => out.push_str(&coloured(file.diff.as_deref().unwrap_or_default(), theme)),
        }
    }
    out
}

/// The change of one file, heads and hunks in one text.
pub(crate) fn whole(diff: &str, theme: &Theme) -> String {
    let at = if diff.starts_with("@@ ") { 0 } else { diff.find("\n@@ ").map_or(diff.len(), |at| at + 1) };
    let (head, hunks) = diff.split_at(at);
    let mut out = heads(head, theme);
    out.push_str(&coloured(hunks, theme));
    out
}

fn heads(head: &str, theme: &Theme) -> String {
    let mut out = String::new();
    for line in head.lines() {
        let style = if line.starts_with('#') { theme.dim } else { theme.strong };
        out.push_str(&format!("{}\n", paint(style, harmless(line))));
    }
    out
}

/// Hunks with their colours. Where lines went and others came in their place, the words that are different stand out.
pub(crate) fn coloured(diff: &str, theme: &Theme) -> String {
    let lines: Vec<&str> = diff.split_terminator('\n').collect();
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        let gone = run(&lines[at..], '-');
        let came = run(&lines[at + gone.len()..], '+');
        if gone.is_empty() && came.is_empty() {
            let style = if lines[at].starts_with('@') { theme.id } else { anstyle::Style::new() };
            out.push_str(&format!("{}\n", paint(style, harmless(lines[at]))));
            at += 1;
            continue;
        }
        edit(gone, came, theme, &mut out);
        at += gone.len() + came.len();
    }
    out
}

/// The lines that begin with this sign, with what is said of the last one's missing line end.
fn run<'l, 't>(lines: &'l [&'t str], sign: char) -> &'l [&'t str] {
    let count = lines.iter().take_while(|line| line.starts_with(sign)).count();
    let remark = count > 0 && lines.get(count).is_some_and(|line| line.starts_with('\\'));
    &lines[..count + usize::from(remark)]
}

fn edit(gone: &[&str], came: &[&str], theme: &Theme, out: &mut String) {
    let text =
        |line: Option<&&'_ str>, sign: char| line.and_then(|line| line.strip_prefix(sign)).map(harmless);
    let pairs: Vec<_> = (0..gone.len().max(came.len()))
        .map(|at| marks(&text(gone.get(at), '-')?, &text(came.get(at), '+')?))
        .collect();
    for (side, lines, style) in [(0, gone, theme.removed), (1, came, theme.added)] {
        for (at, line) in lines.iter().enumerate() {
            let line = harmless(line);
            let parts =
                pairs.get(at).and_then(Option::as_ref).map(|pair| &pair[side][..]).unwrap_or_default();
            let style = if line.starts_with('\\') { anstyle::Style::new() } else { style };
            let mut from = 0;
            for part in parts {
                // Behind the sign.
                let (start, end) = (part.start + 1, part.end + 1);
                out.push_str(&paint(style, &line[from..start]));
                out.push_str(&paint(style.invert(), &line[start..end]));
                from = end;
            }
            out.push_str(&format!("{}\n", paint(style, &line[from..])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h9_the_changed_words_of_a_pair_of_lines_stand_out() {
        let text = coloured("@@ -1,2 +1,2 @@\n a\n-let x = 1;\n+let x = 2;\n", &Theme::new(Some(80)));
        assert_eq!(
            text,
            "\u{1b}[36m@@ -1,2 +1,2 @@\u{1b}[0m\n a\n\u{1b}[31m-let x = \u{1b}[0m\u{1b}[7m\u{1b}[31m1\u{1b}[0m\u{1b}[31m;\u{1b}[0m\n\
             \u{1b}[32m+let x = \u{1b}[0m\u{1b}[7m\u{1b}[32m2\u{1b}[0m\u{1b}[32m;\u{1b}[0m\n"
        );
    }

    #[test]
    fn without_colours_it_is_the_text_itself() {
        let diff = "@@ -1,3 +1,2 @@\n-let total = 0;\n-b\n\\ No newline at end of file\n+let total = 1;\n+\n\\ No newline at end of file\n c\n";
        let plain = anstream::adapter::strip_str(&coloured(diff, &Theme::new(Some(80)))).to_string();
        assert_eq!(plain, diff);
    }
}
