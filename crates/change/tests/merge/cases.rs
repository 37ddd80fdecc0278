//! Made-up files and edits of them.

use proptest::collection::vec;
use proptest::prelude::*;

/// One edit: at this share of the file, so many lines go, these come.
#[derive(Debug, Clone)]
pub struct Edit {
    at: prop::sample::Index,
    gone: usize,
    came: Vec<String>,
}

pub fn edits(line: impl Strategy<Value = String>, most: usize) -> impl Strategy<Value = Vec<Edit>> {
    let edit = (any::<prop::sample::Index>(), 0..4usize, vec(line, 0..4)).prop_map(|(at, gone, came)| Edit {
        at,
        gone,
        came,
    });
    vec(edit, 0..most)
}

pub fn edited(lines: &[String], edits: &[Edit]) -> Vec<String> {
    let mut lines = lines.to_vec();
    for edit in edits {
        let at = edit.at.index(lines.len() + 1);
        let end = (at + edit.gone).min(lines.len());
        lines.splice(at..end, edit.came.iter().cloned());
    }
    lines
}

/// Three versions of a file in which hardly a line occurs twice, so that there is only one way to compare them.
pub fn told_apart() -> impl Strategy<Value = [Vec<u8>; 3]> {
    let fresh = || "[a-z]{12}".prop_map(|word| word);
    (vec(fresh(), 0..40), edits(fresh(), 5), edits(fresh(), 5), line_ends())
        .prop_map(|(base, ours, theirs, end)| versions(&base, &ours, &theirs, end))
}

/// Three versions of a file in which few lines occur only once: comparing them is guessing.
pub fn look_alike() -> impl Strategy<Value = [Vec<u8>; 3]> {
    let line = || "[ab}]?".prop_map(|word| word);
    (vec(line(), 0..12), edits(line(), 4), edits(line(), 4), line_ends())
        .prop_map(|(base, ours, theirs, end)| versions(&base, &ours, &theirs, end))
}

/// Source text: some lines unique, some (`}`, empty) everywhere.
pub fn like_code() -> impl Strategy<Value = [Vec<u8>; 3]> {
    let line = || prop_oneof![3 => "[a-z]{10}", 1 => Just("}".to_owned()), 1 => Just(String::new())];
    (vec(line(), 0..60), edits(line(), 5), edits(line(), 5), line_ends())
        .prop_map(|(base, ours, theirs, end)| versions(&base, &ours, &theirs, end))
}

/// Anything at all.
pub fn any_bytes() -> impl Strategy<Value = [Vec<u8>; 3]> {
    let side = || vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), Just(0xff), Just(0)], 0..20);
    [side(), side(), side()]
}

#[derive(Debug, Clone, Copy)]
struct LineEnds {
    carriage_return: bool,
    missing: [bool; 3],
}

fn line_ends() -> impl Strategy<Value = LineEnds> {
    (any::<bool>(), any::<[bool; 3]>())
        .prop_map(|(carriage_return, missing)| LineEnds { carriage_return, missing })
}

fn versions(base: &[String], ours: &[Edit], theirs: &[Edit], ends: LineEnds) -> [Vec<u8>; 3] {
    let sides = [base.to_vec(), edited(base, ours), edited(base, theirs)];
    let mut missing = ends.missing.into_iter();
    sides.map(|lines| {
        let end = if ends.carriage_return { "\r\n" } else { "\n" };
        let mut text: String = lines.iter().map(|line| format!("{line}{end}")).collect();
        if missing.next() == Some(true) {
            text.truncate(text.trim_end_matches(['\n', '\r']).len());
        }
        text.into_bytes()
    })
}
