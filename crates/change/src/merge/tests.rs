use super::*;

fn text(content: &str) -> String {
    // One letter, one line.
    content.chars().map(|letter| format!("{letter}\n")).collect()
}

fn three(base: &str, ours: &str, theirs: &str) -> Merge {
    merge(text(base).as_bytes(), text(ours).as_bytes(), text(theirs).as_bytes())
}

/// The clean result with one letter per line, or `None`.
fn letters(merge: &Merge) -> Option<String> {
    merge.clean().map(|content| String::from_utf8(content).unwrap().replace('\n', ""))
}

#[test]
fn h4_a_step_is_taken_back_and_later_work_stays() {
    // The step turned b into B, then someone turned e into E.
    assert_eq!(letters(&three("aBcde", "aBcdE", "abcde")).as_deref(), Some("abcdE"));
    // The step deleted b, then someone added x at the end.
    assert_eq!(letters(&three("acde", "acdex", "abcde")).as_deref(), Some("abcdex"));
}

#[test]
fn changes_that_touch_are_told_apart_by_base_m4() {
    assert_eq!(letters(&three("abc", "Abc", "abC")).as_deref(), Some("AbC"));
    assert_eq!(letters(&three("abc", "Abc", "aBc")).as_deref(), Some("ABc"));
    assert_eq!(letters(&three("abc", "aBc", "Abc")).as_deref(), Some("ABc"));
    // An insertion before or behind a line that the other took away.
    assert_eq!(letters(&three("ab", "axb", "a")).as_deref(), Some("ax"));
    assert_eq!(letters(&three("ab", "b", "axb")).as_deref(), Some("xb"));
    // What somebody wrote below the block that a step made stays when that goes.
    assert_eq!(letters(&three("aXYb", "aXYpb", "ab")).as_deref(), Some("apb"));
}

#[test]
fn where_base_does_not_tell_them_apart_it_is_a_conflict_m4() {
    let same_line = three("abc", "aXc", "aYc");
    assert!(!same_line.is_clean());
    let conflicts = same_line.conflicts();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].place, Place { base: 1..2, ours: 1..2, theirs: 1..2 });
    assert_eq!(
        (conflicts[0].base, conflicts[0].ours, conflicts[0].theirs),
        (&b"b\n"[..], &b"X\n"[..], &b"Y\n"[..])
    );
    // Two insertions at one place; one beside a line that the other replaced; one inside of what the other took away.
    assert!(!three("ab", "axb", "ayb").is_clean());
    assert!(!three("ab", "axb", "aB").is_clean());
    assert!(!three("ab", "axb", "Ab").is_clean());
    assert!(!three("aXYb", "aXpYb", "ab").is_clean());
    // Which of two equal lines goes is open, and the other side changed one of them.
    assert!(!three("axxb", "apxb", "axb").is_clean());
    assert!(!three("axxb", "axpb", "axb").is_clean());
}

#[test]
fn the_same_change_is_no_conflict_and_changes_nothing() {
    let same = three("abc", "aXc", "aXc");
    assert_eq!(same.pieces().len(), 3);
    assert!(matches!(same.pieces()[1], Piece::Both(_)));
    assert!(same.is_clean() && same.changes_nothing());
    assert!(!three("abc", "abc", "aXc").changes_nothing());
    assert!(three("abc", "aXc", "abc").changes_nothing());
}

#[test]
fn each_conflict_is_chosen_for_itself() {
    let merge = three("abcde", "1bcd2", "3bcd4");
    let chosen =
        |choices: [Choice; 2]| String::from_utf8(merge.resolved(|at| choices[at])).unwrap().replace('\n', "");
    assert_eq!(chosen([Choice::Ours, Choice::Ours]), "1bcd2");
    assert_eq!(chosen([Choice::Theirs, Choice::Ours]), "3bcd2");
    assert_eq!(chosen([Choice::Ours, Choice::Theirs]), "1bcd4");
    assert_eq!(merge.clean(), None);
}

#[test]
fn line_ends_and_broken_letters_are_kept_to_the_byte() {
    let merged = merge(b"a\r\nb\nc\xff\r\nlast", b"a\r\nb\nc\xff\r\nLAST", b"A\r\nb\nc\xff\r\nlast");
    assert_eq!(merged.clean().unwrap(), b"A\r\nb\nc\xff\r\nLAST");
    // Only the line end is another: that is a change like any other.
    assert_eq!(merge(b"a\nb\nc\n", b"a\r\nb\nc\n", b"a\nb\nc").clean().unwrap(), b"a\r\nb\nc");
    assert_eq!(merge(b"a\nb", b"a\nb\n", b"a\nb").clean().unwrap(), b"a\nb\n");
}

#[test]
fn empty_files() {
    assert_eq!(merge(b"", b"", b"").clean().unwrap(), b"");
    assert!(merge(b"", b"", b"").pieces().is_empty());
    assert_eq!(merge(b"", b"", b"a\n").clean().unwrap(), b"a\n");
    assert_eq!(merge(b"a\n", b"", b"a\n").clean().unwrap(), b"");
    assert!(!merge(b"", b"a\n", b"b\n").is_clean());
    assert!(!merge(b"a\n", b"", b"b\n").is_clean());
}

#[test]
fn binary_is_taken_whole_or_not_at_all() {
    assert!(is_text(b"\xff\xfe"));
    assert!(!is_text(&[vec![b'a'; 100_000], vec![0]].concat()));
    let taken = merge(b"a\0\nb\n", b"a\0\nb\n", b"A\0\nb\n");
    assert_eq!((taken.whole(), taken.clean().unwrap()), (Some(Whole::Binary), b"A\0\nb\n".to_vec()));
    // By lines this would be clean.
    let both = merge(b"a\0\nb\nc\n", b"A\0\nb\nc\n", b"a\0\nb\nC\n");
    assert_eq!(both.conflicts().len(), 1);
    assert_eq!(both.resolved(|_| Choice::Ours), b"A\0\nb\nc\n");
    assert_eq!(both.resolved(|_| Choice::Theirs), b"a\0\nb\nC\n");
    assert_eq!(merge(b"a\n", b"a\n\0", b"").conflicts().len(), 1);
}

#[test]
fn too_many_different_lines_are_taken_whole_and_it_is_said() {
    let many = "\n".repeat(MOST_LINES + 1);
    let merged = merge(many.as_bytes(), many.as_bytes(), b"x\n");
    assert_eq!((merged.whole(), merged.clean().unwrap()), (Some(Whole::TooLong), b"x\n".to_vec()));
    assert_eq!(merge(many.as_bytes(), b"y\n", b"x\n").conflicts().len(), 1);
    // A long file with a small change is merged by lines.
    let (top, end) = (format!("x\n{many}a\nb\n"), format!("{many}a\nB\n"));
    let merged = merge(format!("{many}a\nb\n").as_bytes(), top.as_bytes(), end.as_bytes());
    assert_eq!(merged.whole(), None);
    assert_eq!(merged.clean().unwrap(), format!("x\n{many}a\nB\n").as_bytes());
}

#[test]
fn h4_only_some_lines() {
    // The step changed b and h; someone changed e since.
    let whole = three("aBcdefgHi", "aBcdEfgHi", "abcdefghi");
    assert_eq!(letters(&whole).as_deref(), Some("abcdEfghi"));
    let only = |lines: Range<usize>| letters(&whole.clone().only_lines(lines)).unwrap();
    assert_eq!(only(0..3), "abcdEfgHi");
    assert_eq!(only(1..2), "abcdEfgHi");
    assert_eq!(only(5..9), "aBcdEfghi");
    assert_eq!(only(2..7), "aBcdEfgHi");
    assert_eq!(only(0..9), "abcdEfghi");
    assert!(whole.clone().only_lines(2..7).changes_nothing());
    assert!(matches!(whole.only_lines(2..7).pieces()[1], Piece::Left(_)));
}

#[test]
fn lines_that_come_back_belong_to_the_lines_around_them() {
    // The step deleted x between b and c.
    let merge = three("abcd", "abcd", "abxcd");
    let only = |lines: Range<usize>| letters(&merge.clone().only_lines(lines)).unwrap();
    assert_eq!(only(1..3), "abxcd");
    assert_eq!(only(2..2), "abxcd");
    assert_eq!(only(0..2), "abcd");
    assert_eq!(only(2..4), "abcd");
    // At the very top and the very end there is only one neighbour.
    assert_eq!(letters(&three("ab", "ab", "xab").only_lines(0..1)).as_deref(), Some("xab"));
    assert_eq!(letters(&three("ab", "ab", "abx").only_lines(1..2)).as_deref(), Some("abx"));
    assert_eq!(letters(&three("", "", "x").only_lines(0..0)).as_deref(), Some("x"));
}

#[test]
fn a_conflict_elsewhere_does_not_stand_in_the_way_of_some_lines() {
    let merge = three("abcde", "1bcde", "3bcdE");
    assert!(!merge.is_clean());
    assert_eq!(letters(&merge.only_lines(4..5)).as_deref(), Some("1bcdE"));
}

#[test]
fn equal_lines_are_matched_alike_on_both_sides() {
    // Someone repeated a block below it, the step had changed a line above.
    let merged = three("xaabaab", "xaabaabaab", "Xaabaab");
    assert_eq!(letters(&merged).as_deref(), Some("Xaabaabaab"));
}
