//! A listing inside quotes: one word that may be any of the listed names.
//!
//! `rm -rf "$(ls -d .git)"` gets one word. Which of the names it is decides what happens, so the command is judged once for
//! each of them, and the worst counts. Until then the word carries all of them between marks that no keyboard writes.

use crate::value::{Arg, Data};
use crate::walk::Walk;

const START: char = '\u{F8FC}';
const NEXT: char = '\u{F8FD}';
const END: char = '\u{F8FE}';

/// Most names of one listing that are judged.
const MOST: usize = 26;

/// One text that stands for each of these.
pub(crate) fn any_of(names: &[Arg]) -> String {
    let mut text = String::from(START);
    for (n, name) in names.iter().take(MOST).enumerate() {
        if n > 0 {
            text.push(NEXT);
        }
        text.push_str(&name.text);
    }
    text.push(END);
    text
}

/// Whether a letter is one of the marks.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, START | NEXT | END)
}

/// Whether a mark begins another name.
pub(crate) fn is_next(c: char) -> bool {
    c == NEXT
}

/// The names that matter, where the text is a listing and nothing else.
pub(crate) fn only_names(text: &str) -> Option<Vec<String>> {
    let names = text.trim_end_matches('\n').strip_prefix(START)?.strip_suffix(END)?;
    // The first stands for all the others.
    (!names.contains([START, END])).then(|| names.split(NEXT).skip(1).map(str::to_owned).collect())
}

/// The same text as lines, as it would be printed.
pub(crate) fn as_lines(text: &str) -> String {
    text.chars().filter(|c| !matches!(*c, START | END)).map(|c| if c == NEXT { '\n' } else { c }).collect()
}

/// The text with the name at this position, or the last one, in place of each listing.
pub(crate) fn chosen(text: &str, at: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(START) {
        let (names, behind) = after.split_once(END).unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(names.split(NEXT).nth(at).or_else(|| names.rsplit(NEXT).next()).unwrap_or_default());
        rest = behind;
    }
    out.push_str(rest);
    // An edit of the value may have left half of a pair.
    out.retain(|c| !is_mark(c));
    out
}

/// How many names there are at most; nothing for ordinary text.
fn count(text: &str) -> usize {
    if !text.contains(START) {
        return usize::from(text.contains(is_mark));
    }
    text.split(START).skip(1).map(|part| part.split(NEXT).count()).max().unwrap_or(1).min(MOST)
}

impl Walk<'_> {
    /// Judges a command once for each name that a quoted listing may be; `None` where there is no such listing.
    pub(crate) fn run_choices(&mut self, argv: &[Arg], stdin: &Data) -> Option<Data> {
        let most = argv.iter().map(|arg| count(&arg.text)).max().filter(|most| *most > 0)?;
        // What only prints its words prints all of them.
        if matches!(argv[0].text.as_str(), "echo" | "printf" | "print") {
            return None;
        }
        let cwd = self.cwd.clone();
        let mut out: Option<Data> = None;
        for at in 0..most {
            let argv: Vec<Arg> = argv.iter().map(|arg| arg.with_text(chosen(&arg.text, at))).collect();
            // Each starts where the line is; what matters most comes last, and the line goes on from there.
            self.cwd.clone_from(&cwd);
            let one = self.run(&argv, stdin.clone());
            out = Some(match out {
                Some(before) => crate::walk::join(before, one),
                None => one,
            });
        }
        out
    }

    /// A file that a quoted listing names, for what takes one file: the others are judged as written.
    pub(crate) fn last_choice(&mut self, path: Arg, each: impl Fn(&mut Self, &Arg)) -> Arg {
        let most = count(&path.text);
        if most == 0 {
            return path;
        }
        for at in 0..most.saturating_sub(1) {
            each(self, &path.with_text(chosen(&path.text, at)));
        }
        path.with_text(chosen(&path.text, most - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_takes_its_turn() {
        let text = format!("./{}/x", any_of(&[Arg::new("a"), Arg::new(".git")]));
        assert_eq!(count(&text), 2);
        assert_eq!(chosen(&text, 0), "./a/x");
        assert_eq!(chosen(&text, 1), "./.git/x");
        assert_eq!(chosen(&text, 9), "./.git/x");
        assert_eq!(as_lines(&text), "./a\n.git/x");
        assert_eq!(chosen("half\u{F8FE}", 0), "half");
    }
}
