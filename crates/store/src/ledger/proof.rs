//! Is an announced edit in what a look found? Compared by content, so that a file in which several wrote is divided by who wrote what.

use std::collections::HashMap;

use words::has_nul;

use super::told::{ANY_CELL_ID, Announced};
use crate::line_diff::{Hunk, between};
use crate::lines::text::{is_lasting, is_solid};

/// Longer files are not divided.
pub(super) const LONGEST: u64 = 1 << 20;
/// Nor are those with more lines between the first and the last difference.
const MOST_LINES: usize = 1 << 15;
/// A line that says less is no sign of anybody.
const TELLING: usize = 4;
/// So much of what was announced a line has that a formatter broke out of it, where somebody else wrote there too.
const FORMATTED: usize = 8;

/// How much of a change is the edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Share {
    /// All of it.
    All,
    /// The way to this content; the rest is somebody else's.
    Part(Vec<u8>),
    /// Something of it is there, and it cannot be told apart.
    Unclear,
    /// Nothing.
    Nothing,
}

/// How much of the way from `was` to `is` the edit made. `ended`: its client said that it was made; then what stands where it wrote is its own
/// too, such as the work of a formatter.
pub(super) fn share(edit: &Announced, was: &[u8], is: &[u8], ended: bool) -> Share {
    let unknown = if ended { Share::All } else { Share::Unclear };
    if has_nul(was) || has_nul(is) {
        return unknown;
    }
    if !edit.has_text() {
        // Too long to be kept, and the file is not what it would have been by the edit alone: somebody else wrote, too.
        return if edit.becomes.is_some() { Share::Unclear } else { unknown };
    }
    // Where it goes is not certain: only its own lines count.
    if ended && edit.unclear {
        return by_its_texts(edit, was, is);
    }
    let Some(mid) = edit.applied_to(was) else {
        return match (ended, shows(edit, was, is)) {
            (true, _) => by_its_texts(edit, was, is),
            (false, true) => Share::Unclear,
            (false, false) => Share::Nothing,
        };
    };
    if mid == is {
        return Share::All;
    }
    if mid == was {
        return Share::Nothing;
    }
    let [was_lines, mid_lines, is_lines] = [was, &mid, is].map(lines);
    let found = (between(&was_lines, &mid_lines, MOST_LINES), between(&mid_lines, &is_lines, MOST_LINES));
    let (Some(own), Some(others)) = found else { return unknown };
    if ended {
        return ended_share(was, &own, &others, &mid_lines, &is_lines);
    }
    // What is still there as it was announced is proven.
    let there: Vec<&Hunk> = own.iter().filter(|hunk| is_intact(hunk, &others)).collect();
    if there.is_empty() {
        return if shows(edit, was, is) { Share::Unclear } else { Share::Nothing };
    }
    let part = with_hunks(&was_lines, &mid_lines, &there);
    if part == is { Share::All } else { Share::Part(part) }
}

/// What the client says is made: what it announced, and what a formatter behind it made of that. A line that is neither is somebody else's,
/// also where it stands right beside or within what the edit took away or put in. (B2, B3)
fn ended_share(was: &[u8], own: &[Hunk], others: &[Hunk], mid: &[&[u8]], is: &[&[u8]]) -> Share {
    let on_own = |hunk: &Hunk| own.iter().any(|one| overlap(&one.side, &hunk.base));
    let mut gone = Stock::default();
    others.iter().for_each(|hunk| gone.add(&mid[hunk.base.clone()]));
    let mut changed: Vec<(&Hunk, Vec<&[u8]>)> = Vec::new();
    let mut is_all = true;
    for hunk in others {
        if !on_own(hunk) {
            is_all = false;
            continue;
        }
        let kept = explained(&mid[hunk.base.clone()], &is[hunk.side.clone()], &mut gone);
        is_all &= kept.len() == hunk.side.len();
        // Nothing of what stands there is the edit's: somebody put it in, or changed what the edit had written.
        if !kept.is_empty() || hunk.side.is_empty() {
            changed.push((hunk, kept));
        }
    }
    if is_all {
        return Share::All;
    }
    let mut part = Vec::new();
    let mut at = 0;
    for (hunk, kept) in changed {
        part.extend(mid[at..hunk.base.start].iter().copied().flatten());
        part.extend(kept.into_iter().flatten());
        at = hunk.base.end;
    }
    part.extend(mid[at..].iter().copied().flatten());
    // Nothing of it is left: it was seen before, or went again.
    if part == was { Share::Nothing } else { Share::Part(part) }
}

/// It cannot be computed what the edit would make of the file, and its client says that it was made: its own is what its texts tell.
fn by_its_texts(edit: &Announced, was: &[u8], is: &[u8]) -> Share {
    let [was_lines, is_lines] = [was, is].map(lines);
    let Some(hunks) = between(&was_lines, &is_lines, MOST_LINES) else { return Share::All };
    let old: Vec<&[u8]> = edit.swaps.iter().flat_map(|swap| lines(swap.old.as_bytes())).collect();
    let texts = edit.swaps.iter().map(|swap| swap.new.as_str()).chain(edit.whole.as_deref());
    let new: Vec<&[u8]> = texts.flat_map(|text| lines(text.as_bytes())).collect();
    let (mut gone, mut brought) = (Stock::default(), Stock::default());
    gone.add(&old);
    brought.add(&new);
    hunks.iter().for_each(|hunk| brought.add(&was_lines[hunk.base.clone()]));
    brought.add(&made_up_names(&new, hunks.iter().flat_map(|hunk| &is_lines[hunk.side.clone()]).copied()));
    let mut part = Vec::new();
    let (mut at, mut is_all) = (0, true);
    for hunk in &hunks {
        let kept = explained(&new, &is_lines[hunk.side.clone()], &mut brought);
        let took = was_lines[hunk.base.clone()].iter().any(|line| gone.has(line));
        is_all &= kept.len() == hunk.side.len();
        if kept.is_empty() && !took {
            is_all = false;
            continue;
        }
        part.extend(was_lines[at..hunk.base.start].iter().copied().flatten());
        part.extend(kept.into_iter().flatten());
        at = hunk.base.end;
    }
    part.extend(was_lines[at..].iter().copied().flatten());
    match (is_all, part == was) {
        (true, _) => Share::All,
        // Nothing in the file is what it said: nobody can tell.
        (false, true) => Share::Unclear,
        (false, false) => Share::Part(part),
    }
}

/// The line with the name that a client made up for a cell that it put in, if there is only one that may be it.
fn made_up_names<'l>(told: &[&[u8]], came: impl Iterator<Item = &'l [u8]>) -> Vec<&'l [u8]> {
    let any = format!("\"id\":\"{ANY_CELL_ID}\"").replace(' ', "");
    if !told.iter().any(|line| solid(line).starts_with(any.as_bytes())) {
        return Vec::new();
    }
    let names: Vec<&[u8]> = came.filter(|line| solid(line).starts_with(b"\"id\":\"")).collect();
    if names.len() == 1 { names } else { Vec::new() }
}

/// A command that was told this names the file: is there a line in it that the command neither tells nor made of one that stood there?
pub(super) fn holds_more(was: &[u8], is: &[u8], command: &str) -> bool {
    if has_nul(was) || has_nul(is) {
        return false;
    }
    let [was_lines, is_lines] = [was, is].map(lines);
    let Some(hunks) = between(&was_lines, &is_lines, MOST_LINES) else { return false };
    let told = solid(command.as_bytes());
    let mut gone = Stock::default();
    hunks.iter().for_each(|hunk| gone.add(&was_lines[hunk.base.clone()]));
    hunks.iter().any(|hunk| {
        let base: Vec<Vec<&[u8]>> =
            was_lines[hunk.base.clone()].iter().map(|line| words_of(line).collect()).collect();
        let mut used = vec![false; base.len()];
        is_lines[hunk.side.clone()].iter().any(|line| {
            let bare = solid(line);
            if bare.is_empty()
                || gone.take(line)
                || told.windows(bare.len()).any(|window| window == bare.as_slice())
            {
                return false;
            }
            // Each line of before is changed into one, and what is new in it stands in the command: what is more than that came.
            let made_of = base.iter().zip(&used).position(|(words, used)| {
                !used && is_half_of(line, words) && brings_only(line, words, &told)
            });
            match made_of {
                Some(at) => used[at] = true,
                None => return true,
            }
            false
        })
    })
}

fn words_of(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte < 0x80)
        .filter(|word| !word.is_empty())
}

/// Each word of the line is one of these, or a part of what was told.
fn brings_only(line: &[u8], words: &[&[u8]], told: &[u8]) -> bool {
    words_of(line).all(|word| words.contains(&word) || told.windows(word.len()).any(|window| window == word))
}

/// At least half of these words, by their letters, stand in the line.
fn is_half_of(line: &[u8], words: &[&[u8]]) -> bool {
    let there: Vec<&[u8]> = words_of(line).collect();
    let all: usize = words.iter().map(|word| word.len()).sum();
    let kept: usize = words.iter().filter(|word| there.contains(word)).map(|word| word.len()).sum();
    kept * 2 >= all
}

/// Lines by what they say, as often as they are there.
#[derive(Default)]
struct Stock(HashMap<Vec<u8>, usize>);

impl Stock {
    fn add(&mut self, lines: &[&[u8]]) {
        lines.iter().for_each(|line| *self.0.entry(solid(line)).or_insert(0) += 1);
    }

    fn has(&self, line: &[u8]) -> bool {
        self.0.contains_key(&solid(line))
    }

    fn take(&mut self, line: &[u8]) -> bool {
        match self.0.get_mut(&solid(line)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

fn solid(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|byte| is_solid(*byte)).collect()
}

/// Which of the lines that stand there now are told by what was to stand there: the same but for blanks, or broken anew by a formatter.
fn explained<'l>(expected: &[&[u8]], there: &[&'l [u8]], gone: &mut Stock) -> Vec<&'l [u8]> {
    let lasting = |lines: &[&[u8]]| -> Vec<u8> {
        lines.iter().copied().flatten().copied().filter(|byte| is_lasting(*byte)).collect()
    };
    let whole = lasting(expected);
    if !whole.is_empty() && whole == lasting(there) {
        return there.to_vec();
    }
    let mut formatted = false;
    let mut told: Vec<Option<bool>> = Vec::with_capacity(there.len());
    let mut from = 0;
    for line in there {
        let bare = solid(line);
        if bare.is_empty() && !gone.has(line) {
            told.push(None);
            continue;
        }
        let mut is_told = gone.take(line);
        let rest = lasting(&[line]);
        if !is_told && rest.len() >= FORMATTED {
            let found = whole[from..].windows(rest.len()).position(|window| window == rest.as_slice());
            if let Some(found) = found {
                from += found + rest.len();
                (is_told, formatted) = (true, true);
            }
        }
        told.push(Some(is_told));
    }
    // A blank line is a formatter's only where one was at work.
    let keep = told.iter().map(|told| told.unwrap_or(formatted));
    there.iter().zip(keep).filter(|(_, keep)| *keep).map(|(line, _)| *line).collect()
}

/// `base` with these of its hunks.
fn with_hunks(base: &[&[u8]], side: &[&[u8]], hunks: &[&Hunk]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    for hunk in hunks {
        out.extend(base[at..hunk.base.start].iter().copied().flatten());
        out.extend(side[hunk.side.clone()].iter().copied().flatten());
        at = hunk.base.end;
    }
    out.extend(base[at..].iter().copied().flatten());
    out
}

/// More than half of the lines that it brought were left alone; where it only took lines away, none came back.
fn is_intact(own: &Hunk, others: &[Hunk]) -> bool {
    if own.side.is_empty() {
        return !others.iter().any(|hunk| hunk.base.start <= own.side.start && own.side.end <= hunk.base.end);
    }
    let changed: usize = others
        .iter()
        .map(|hunk| hunk.base.end.min(own.side.end).saturating_sub(hunk.base.start.max(own.side.start)))
        .sum();
    changed * 2 < own.side.len()
}

fn overlap(one: &std::ops::Range<usize>, other: &std::ops::Range<usize>) -> bool {
    let within = |at: usize, range: &std::ops::Range<usize>| range.start <= at && at <= range.end;
    match (one.is_empty(), other.is_empty()) {
        (true, _) => within(one.start, other),
        (false, true) => one.start < other.start && other.start < one.end,
        (false, false) => one.start < other.end && other.start < one.end,
    }
}

/// A line of what it would put in stands in the file now and did not before.
fn shows(edit: &Announced, was: &[u8], is: &[u8]) -> bool {
    let (was, is) = (String::from_utf8_lossy(was), String::from_utf8_lossy(is));
    let texts = edit.swaps.iter().map(|swap| swap.new.as_str()).chain(edit.whole.as_deref());
    texts
        .flat_map(str::lines)
        .map(str::trim)
        .any(|line| line.len() >= TELLING && is.contains(line) && !was.contains(line))
}

fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::super::told::Swap;
    use super::*;

    fn swap(old: &str, new: &str) -> Announced {
        let swaps = vec![Swap { old: old.to_owned(), new: new.to_owned(), all: false }];
        Announced { path: "f".to_owned(), swaps, ..Announced::default() }
    }

    fn text(changes: &[(usize, &str)]) -> String {
        (1..=9)
            .map(|line| {
                let changed = changes.iter().find(|(at, _)| *at == line).map(|(_, text)| (*text).to_owned());
                changed.unwrap_or_else(|| format!("line {line}")) + "\n"
            })
            .collect()
    }

    fn told(edit: &Announced, is: &[(usize, &str)], ended: bool) -> Share {
        share(edit, text(&[]).as_bytes(), text(is).as_bytes(), ended)
    }

    #[test]
    fn what_was_announced_is_its_own_and_what_was_typed_elsewhere_is_not_b2() {
        let edit = swap("line 3", "AGENT 3");
        assert_eq!(told(&edit, &[(3, "AGENT 3")], false), Share::All);
        assert_eq!(told(&edit, &[(7, "MINE 7")], false), Share::Nothing);
        // The person typed into the very line.
        assert_eq!(told(&edit, &[(3, "MINE 3")], false), Share::Nothing);
        assert_eq!(told(&edit, &[(3, "AGENT 3 and mine")], false), Share::Unclear);
    }

    #[test]
    fn a_file_in_which_two_wrote_is_divided_b3_m1() {
        let edit = swap("line 3", "AGENT 3");
        let part = Share::Part(text(&[(3, "AGENT 3")]).into_bytes());
        for ended in [false, true] {
            assert_eq!(told(&edit, &[(3, "AGENT 3"), (8, "MINE 8")], ended), part);
            // Also right beside it.
            assert_eq!(told(&edit, &[(3, "AGENT 3"), (4, "MINE 4")], ended), part);
            assert_eq!(told(&edit, &[(2, "MINE 2"), (3, "AGENT 3")], ended), part);
        }
    }

    #[test]
    fn a_formatter_behind_an_edit_belongs_to_it() {
        let edit = swap("line 3", "x=1");
        assert_eq!(told(&edit, &[(3, "x = 1")], true), Share::All);
        assert_eq!(
            told(&edit, &[(3, "x = 1"), (8, "MINE 8")], true),
            Share::Part(text(&[(3, "x = 1")]).into_bytes())
        );
        // Nothing can be computed, and nothing that it said is there.
        assert_eq!(told(&swap("nowhere", "x"), &[(8, "other")], true), Share::Unclear);
    }

    #[test]
    fn lines_that_were_announced_to_go_are_proven_by_their_absence() {
        let edit = swap("line 3\nline 4\n", "");
        let is = text(&[]).replace("line 3\nline 4\n", "").replace("line 8", "MINE 8");
        let part = text(&[]).replace("line 3\nline 4\n", "").into_bytes();
        assert_eq!(share(&edit, text(&[]).as_bytes(), is.as_bytes(), false), Share::Part(part));
        assert_eq!(told(&edit, &[(8, "MINE 8")], false), Share::Nothing);
    }

    #[test]
    fn files_with_other_line_ends_are_compared_as_their_client_sees_them() {
        let edit = swap("a\nb", "a\nB");
        assert_eq!(share(&edit, b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n", false), Share::All);
        assert_eq!(share(&edit, b"a\r\nb\r\nc\r\n", b"a\r\nb\r\nC\r\n", false), Share::Nothing);
    }

    #[test]
    fn a_line_that_was_not_announced_is_somebody_elses_wherever_it_stands_b2() {
        let was = text(&[]);
        let mine = "my own line\n";
        // Two lines become one, lines go, lines are moved: and a person types right below, above, in between.
        for (old, new, is) in [
            ("line 4\nline 5\n", "line 4\n", was.replace("line 5\n", mine)),
            ("line 5\n", "", was.replace("line 5\n", mine)),
            (
                "line 4\nline 5\nline 6\n",
                "line 6\nline 4\nline 5\n",
                was.replace("line 4\nline 5\nline 6\n", &format!("line 6\nline 4\nline 5\n{mine}")),
            ),
            (
                "line 4\nline 5\nline 6\n",
                "line 5\nline 6\nline 4\n",
                was.replace("line 4\nline 5\nline 6\n", &format!("{mine}line 5\nline 6\nline 4\n")),
            ),
            ("line 4\n", "a\nb\nc\n", was.replace("line 4\n", &format!("a\n{mine}b\nc\n"))),
        ] {
            let part = Share::Part(was.replace(old, new).into_bytes());
            assert_eq!(share(&swap(old, new), was.as_bytes(), is.as_bytes(), true), part, "{old}{new}");
        }
        let whole =
            Announced { path: "f".to_owned(), whole: Some("a\nb\n".to_owned()), ..Announced::default() };
        let is = format!("a\n{mine}b\n");
        assert_eq!(share(&whole, was.as_bytes(), is.as_bytes(), true), Share::Part(b"a\nb\n".to_vec()));
    }

    #[test]
    fn an_edit_that_cannot_be_computed_owns_what_its_texts_tell_b3() {
        let was = text(&[]);
        let edit = swap("line  4 as its client saw it", "agent four");
        let is = was.replace("line 4", "agent four").replace("line 8\n", "line 8\nmine\n");
        let part = Share::Part(was.replace("line 4", "agent four").into_bytes());
        assert_eq!(share(&edit, was.as_bytes(), is.as_bytes(), true), part);
    }

    #[test]
    fn a_formatter_and_a_person_behind_an_edit_are_told_apart_b2() {
        let edit = swap("line 3", "call(firstArgument, secondArgument)");
        let formatted = "call(\n  firstArgument,\n  secondArgument\n)";
        assert_eq!(told(&edit, &[(3, formatted)], true), Share::All);
        let with_mine = "call(\n  firstArgument,\n  mine,\n  secondArgument\n)";
        let Share::Part(part) = told(&edit, &[(3, with_mine)], true) else { panic!() };
        let part = String::from_utf8(part).unwrap();
        assert!(part.contains("  firstArgument,\n  secondArgument\n") && !part.contains("mine"), "{part}");
    }

    #[test]
    fn a_line_that_a_named_command_does_not_tell_may_be_a_persons_m1() {
        let was = text(&[]);
        let sed = "sed -i 's/line 2/LINE 2/' f";
        assert!(!holds_more(was.as_bytes(), text(&[(2, "LINE 2")]).as_bytes(), sed));
        let mine = text(&[(2, "LINE 2")]) + "my own line\n";
        assert!(holds_more(was.as_bytes(), mine.as_bytes(), sed));
        let appended = was.clone() + "tail of it\n";
        assert!(!holds_more(was.as_bytes(), appended.as_bytes(), "echo 'tail of it' >> f"));
    }
}
