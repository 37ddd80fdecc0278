//! Runs of lines that a request put in at one place: each is one thing. What is left of one between the lines of another says nothing
//! about where it belongs, so it comes back whole, beside what stands there now, or not at all.

use std::collections::BTreeSet;
use std::ops::Range;

use ::change::merge::{self, Piece};

/// Runs that stood in a text and do not stand in the present one.
#[derive(Debug)]
pub(super) struct Lost {
    runs: Vec<Vec<u8>>,
}

/// What was put in between lines that stayed.
pub(super) fn put_in(before: &[u8], after: &[u8]) -> Vec<Vec<u8>> {
    let merged = merge::merge(before, after, before);
    let mut found = Vec::new();
    for piece in merged.pieces() {
        let place = piece.place();
        let [_, ours, _] = merged.texts(place);
        if matches!(piece, Piece::Ours(_)) && place.base.is_empty() && !solid(ours).is_empty() {
            found.push(ours.to_vec());
        }
    }
    found
}

/// What the step had put in stands in the new text as it stands now.
pub(super) fn are_whole(before: &[u8], now: &[u8], new: &[u8]) -> bool {
    let new = solid(new);
    put_in(before, now).iter().all(|run| place_of(&solid(run), &new).is_some())
}

impl Lost {
    /// Those of these runs that `before` has as a whole, and of which `now` has hardly anything.
    pub(super) fn of(runs: &[Vec<u8>], before: &[u8], now: &[u8]) -> Self {
        let (was, is) = (solid(before), solid(now));
        let present: BTreeSet<&[u8]> = is.iter().copied().collect();
        let mut found: Vec<Vec<u8>> = Vec::new();
        for run in runs {
            let lines = solid(run);
            let telling: Vec<&&[u8]> = lines.iter().filter(|line| says_something(line)).collect();
            let gone = telling.iter().filter(|line| !present.contains(**line)).count();
            let head_is_gone = telling.first().is_some_and(|head| !present.contains(**head));
            let stood = place_of(&lines, &was).is_some();
            let rewritten = telling.len() == 1 && telling.iter().any(|line| is_in_other_words(line, &is));
            if stood && head_is_gone && gone * 3 >= telling.len() * 2 && !rewritten && !found.contains(run) {
                found.push(run.clone());
            }
        }
        Self { runs: found }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Each of them stands in the text, without anything of others between its lines.
    pub(super) fn is_whole_in(&self, text: &[u8]) -> bool {
        let lines = solid(text);
        self.runs.iter().all(|run| place_of(&solid(run), &lines).is_some())
    }

    /// The present text with each of them where it stood, before what came in its place.
    pub(super) fn put_back(&self, before: &[u8], now: &[u8]) -> Option<Vec<u8>> {
        let lines: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
        let mut without: Vec<bool> = vec![true; lines.len()];
        for run in &self.runs {
            let wanted: Vec<&[u8]> = run.split_inclusive(|byte| *byte == b'\n').collect();
            let place = exact(&wanted, &lines)?;
            without.get_mut(place)?.fill(false);
        }
        let kept = lines.iter().zip(&without).filter(|(_, stays)| **stays);
        let base: Vec<u8> = kept.flat_map(|(line, _)| line.iter().copied()).collect();
        let merged = merge::merge(&base, now, before);
        let mut out = Vec::with_capacity(now.len() + before.len());
        for piece in merged.pieces() {
            let [base, ours, theirs] = merged.texts(piece.place());
            match piece {
                Piece::Theirs(_) => line_end(&mut out, theirs),
                Piece::Conflict(_) => {
                    if let (Some(own), Some(other)) = (theirs.strip_prefix(base), ours.strip_prefix(base)) {
                        line_end(&mut out, base);
                        line_end(&mut out, own);
                        line_end(&mut out, other);
                    } else if let Some(own) = theirs.strip_suffix(base) {
                        line_end(&mut out, own);
                        line_end(&mut out, ours);
                    } else {
                        line_end(&mut out, ours);
                        line_end(&mut out, theirs.strip_prefix(base)?);
                    }
                }
                _ => line_end(&mut out, ours),
            }
        }
        (self.is_whole_in(&out) && are_whole(before, now, &out)).then_some(out)
    }
}

fn line_end(out: &mut Vec<u8>, text: &[u8]) {
    if !out.is_empty() && !out.ends_with(b"\n") && !text.is_empty() {
        out.push(b'\n');
    }
    out.extend_from_slice(text);
}

/// Lines with anything in them, without the space around it.
fn solid(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect()
}

fn says_something(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).chars().filter(|letter| letter.is_alphanumeric()).count() > 1
}

fn place_of(run: &[&[u8]], lines: &[&[u8]]) -> Option<Range<usize>> {
    exact(run, lines)
}

fn exact(run: &[&[u8]], lines: &[&[u8]]) -> Option<Range<usize>> {
    if run.is_empty() {
        return None;
    }
    let at = lines.windows(run.len()).position(|window| window == run)?;
    Some(at..at + run.len())
}

/// A line stands there that says the same with another value: it was changed, and did not go.
fn is_in_other_words(line: &[u8], lines: &[&[u8]]) -> bool {
    let words = |line: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(line).to_lowercase();
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let own = words(line);
    lines.iter().any(|other| {
        let other = words(other);
        let common = own.iter().filter(|word| other.contains(word)).count();
        own.first() == other.first() && common * 2 >= own.len()
    })
}

#[cfg(test)]
mod tests {
    use super::{Lost, put_in};

    #[test]
    fn a_run_comes_back_whole_beside_what_replaced_it() {
        let old = b"name = 1\n\n[end]\na = 1\n";
        let with_heal = b"name = 1\n\n[heal]\namount = 10\nmax = 100\n\n[end]\na = 1\n";
        let now = b"name = 1\n\n[jump]\namount = 2\n\n[end]\na = 1\n";
        let lost = Lost::of(&put_in(old, with_heal), with_heal, now);
        let text = lost.put_back(with_heal, now).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "name = 1\n\n[heal]\namount = 10\nmax = 100\n\n[jump]\namount = 2\n\n[end]\na = 1\n"
        );
        assert!(!lost.is_whole_in(now));
    }

    #[test]
    fn a_line_with_another_value_was_changed_and_did_not_go() {
        let (old, with, now) = (b"a = 1\n", b"a = 1\nwait = 3\n", b"a = 1\nwait = 5\n");
        assert!(Lost::of(&put_in(old, with), with, now).is_empty());
    }
}
