//! What holds for every merge.

use change::merge::{Choice, Merge, Piece, merge};
use proptest::prelude::*;

use super::cases::{any_bytes, like_code, look_alike, told_apart};

fn any_case() -> impl Strategy<Value = [Vec<u8>; 3]> {
    prop_oneof![told_apart(), look_alike(), like_code(), any_bytes()]
}

/// The pieces cover all three contents, in order, without a gap.
fn covers(merge: &Merge, [base, ours, theirs]: &[Vec<u8>; 3]) -> bool {
    let mut sides = [Vec::new(), Vec::new(), Vec::new()];
    for piece in merge.pieces() {
        for (side, text) in sides.iter_mut().zip(merge.texts(piece.place())) {
            side.extend_from_slice(text);
        }
    }
    sides == [base.clone(), ours.clone(), theirs.clone()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn with_one_side_unchanged_the_other_is_the_result(sides in any_case()) {
        let [base, _, other] = &sides;
        prop_assert_eq!(merge(base, base, other).clean(), Some(other.clone()));
        prop_assert_eq!(merge(base, other, base).clean(), Some(other.clone()));
        prop_assert_eq!(merge(base, other, other).clean(), Some(other.clone()));
        prop_assert!(merge(base, other, base).changes_nothing());
        prop_assert!(merge(base, other, other).changes_nothing());
    }

    #[test]
    fn every_byte_is_in_one_piece_and_pieces_are_what_they_say(sides in any_case()) {
        let merge = merge(&sides[0], &sides[1], &sides[2]);
        prop_assert!(covers(&merge, &sides));
        for piece in merge.pieces() {
            let [base, ours, theirs] = merge.texts(piece.place());
            prop_assert!(match piece {
                Piece::Same(_) => base == ours && base == theirs && !base.is_empty(),
                Piece::Ours(_) => base == theirs && base != ours,
                Piece::Theirs(_) => base == ours && base != theirs,
                Piece::Both(_) => ours == theirs && base != ours,
                Piece::Conflict(_) => base != ours && base != theirs && ours != theirs,
                Piece::Left(_) => false,
            }, "{:?}", piece);
        }
    }

    #[test]
    fn nothing_of_ours_is_touched_outside_the_hunks_of_theirs(sides in any_case(), number in any::<usize>()) {
        let [base, ours, theirs] = &sides;
        let merged = merge(base, ours, theirs);
        // With ours chosen: take the hunks of theirs out again, and ours is left.
        let mut back = Vec::new();
        for piece in merged.pieces() {
            back.extend_from_slice(merged.texts(piece.place())[1]);
        }
        prop_assert_eq!(&back, ours);
        for conflict in merged.conflicts() {
            let kept = merged.resolved(|_| Choice::Ours);
            prop_assert!(conflict.ours.is_empty() || kept.windows(conflict.ours.len()).any(|part| part == conflict.ours));
        }
        // Left alone altogether, nothing changes at all; asked for all lines, everything as without asking.
        let lines = ours.split_inclusive(|byte| *byte == b'\n').count();
        let all = merged.clone().only_lines(0..lines.max(1));
        prop_assert_eq!(&all, &merged);
        let from = number % (lines + 1);
        let some = merged.clone().only_lines(from..(from + 3).min(lines));
        for (some, whole) in some.pieces().iter().zip(merged.pieces()) {
            prop_assert!(some == whole || matches!(some, Piece::Left(_)));
        }
    }

    #[test]
    fn conflicts_are_the_same_from_either_side(sides in any_case()) {
        let [base, ours, theirs] = &sides;
        let (one, two) = (merge(base, ours, theirs), merge(base, theirs, ours));
        prop_assert_eq!(one.clean(), two.clean());
        let texts = |merge: &Merge, turned: bool| -> Vec<[Vec<u8>; 3]> {
            merge.conflicts().iter().map(|conflict| {
                let (ours, theirs) = (conflict.ours.to_vec(), conflict.theirs.to_vec());
                if turned { [conflict.base.to_vec(), theirs, ours] } else { [conflict.base.to_vec(), ours, theirs] }
            }).collect()
        };
        prop_assert_eq!(texts(&one, false), texts(&two, true));
    }

    #[test]
    fn lines_are_never_made_up_or_glued_together(sides in any_case()) {
        let [base, ours, theirs] = &sides;
        let merged = merge(base, ours, theirs);
        if merged.whole().is_some() {
            return Ok(());
        }
        let lines = |content: &[u8]| -> Vec<Vec<u8>> {
            content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
        };
        let known = [lines(ours), lines(theirs)].concat();
        for choice in [Choice::Ours, Choice::Theirs] {
            for line in lines(&merged.resolved(|_| choice)) {
                prop_assert!(known.contains(&line), "{:?}", line);
            }
        }
    }

    #[test]
    fn undo_and_then_redo_is_where_one_was(sides in any_case()) {
        // after the step, now, before the step
        let [after, now, before] = &sides;
        if let Some(undone) = merge(after, now, before).clean() {
            // Nothing happened since the undo: redo puts back what the undo changed.
            prop_assert_eq!(merge(&undone, &undone, now).clean(), Some(now.clone()));
        }
    }

    #[test]
    fn a_step_taken_back_can_be_put_on_again(sides in told_apart()) {
        let [after, now, before] = &sides;
        let undo = merge(after, now, before);
        let both = undo.pieces().iter().any(|piece| matches!(piece, Piece::Both(_)));
        if let Some(undone) = undo.clean().filter(|_| !both) {
            let again = merge(before, &undone, after).clean();
            // Lines that came right beside the step's own meet them at one place when those come back: then it is asked, never guessed.
            prop_assert!(again.is_none_or(|again| again == *now));
        }
    }

    /// Each line of base, and each place between two, is changed by one side at the most: then both changes are there, wherever they touch. (M4)
    #[test]
    fn what_base_tells_apart_is_all_done(plan in prop::collection::vec((0..7u8, 0..4u8), 1..30)) {
        let line = |name: &str, at: usize| format!("{name} {at}\n");
        let (mut base, mut ours, mut theirs, mut both) = (String::new(), String::new(), String::new(), String::new());
        let mut gap_is_taken = false;
        let mut last_changed_by = 0;
        for (at, (what, gap)) in plan.iter().enumerate() {
            // Lines that come between this one and the one before.
            let came = line(if *gap == 1 { "ours" } else { "theirs" }, at);
            match gap {
                1 => { ours += &came; both += &came; }
                2 => { theirs += &came; both += &came; }
                _ => {}
            }
            let own = line("base", at);
            base += &own;
            let changed = line("CHANGED", at);
            let [in_ours, in_theirs, in_both] = match what {
                0 => [changed.clone(), own.clone(), changed],
                1 => [own.clone(), changed.clone(), changed],
                2 => [String::new(), own.clone(), String::new()],
                3 => [own.clone(), String::new(), String::new()],
                _ => [own.clone(), own.clone(), own],
            };
            // Beside a line that the other side changed it is open which come first.
            let changed_by = match what { 0 | 2 => 1, 1 | 3 => 2, _ => 0 };
            if [1, 2].contains(gap) && [changed_by, last_changed_by].contains(&(3 - gap)) {
                return Ok(());
            }
            last_changed_by = changed_by;
            // Where a line goes, the place before it and the one behind it become one.
            let goes = in_both.is_empty();
            if *gap != 0 && (goes || gap_is_taken) {
                return Ok(());
            }
            gap_is_taken = goes && (gap_is_taken || *gap != 0);
            ours += &in_ours;
            theirs += &in_theirs;
            both += &in_both;
        }
        let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        prop_assert_eq!(merged.clean().map(|text| String::from_utf8(text).unwrap()), Some(both));
    }

    /// Read from below, everything is the same: what depends on which of two equal lines is meant is no result. (M4)
    #[test]
    fn a_clean_result_does_not_depend_on_where_one_begins(sides in prop_oneof![look_alike(), like_code()]) {
        let whole = |content: &Vec<u8>| -> Vec<Vec<u8>> {
            content.split(|byte| *byte == b'\n').map(|line| [line, b"\n"].concat()).collect()
        };
        let [base, ours, theirs] = [&sides[0], &sides[1], &sides[2]].map(whole);
        let turned = |lines: &Vec<Vec<u8>>| lines.iter().rev().flatten().copied().collect::<Vec<u8>>();
        let there = merge(&base.concat(), &ours.concat(), &theirs.concat());
        let touches = there.pieces().windows(2).any(|two| {
            matches!(two, [Piece::Ours(_), Piece::Theirs(_)] | [Piece::Theirs(_), Piece::Ours(_)])
        });
        let back = merge(&turned(&base), &turned(&ours), &turned(&theirs)).clean();
        if let (Some(there), Some(back)) = (there.clean().filter(|_| touches), back) {
            let back: Vec<Vec<u8>> = back.split_inclusive(|byte| *byte == b'\n').rev().map(<[u8]>::to_vec).collect();
            let back = back.concat();
            prop_assert_eq!(String::from_utf8_lossy(&there), String::from_utf8_lossy(&back));
        }
    }

    #[test]
    fn edits_apart_from_each_other_are_both_there(
        parts in prop::collection::vec("[a-z]{9}", 5),
        ours in prop::collection::vec("[A-Z]{9}", 0..3),
        theirs in prop::collection::vec("[0-9]{9}", 0..3),
        turned in any::<bool>(),
    ) {
        let join = |first: &[String], last: &[String]| {
            [first, &parts[1..4], last].concat().iter().map(|line| format!("{line}\n")).collect::<String>()
        };
        let (top, end) = (&parts[..1], &parts[4..]);
        let base = join(top, end);
        let (one, two) = (join(&ours, end), join(top, &theirs));
        let (one, two) = if turned { (two, one) } else { (one, two) };
        let merged = merge(base.as_bytes(), one.as_bytes(), two.as_bytes()).clean();
        prop_assert_eq!(merged, Some(join(&ours, &theirs).into_bytes()));
    }
}
