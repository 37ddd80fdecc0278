//! Two texts that grew at the same place: what one put in and what the other put in, one after the other.

use ::change::merge::{self, Piece};

/// The present text with what the other one put in; where both only put something in at the same place, the other one's first. None where
/// one of them changed what the other one changed.
pub(super) fn of(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let merged = merge::merge(base, ours, theirs);
    if let Some(clean) = merged.clean() {
        return Some(clean);
    }
    let mut out = Vec::with_capacity(ours.len().max(theirs.len()));
    for piece in merged.pieces() {
        let [base, ours, theirs] = merged.texts(piece.place());
        match piece {
            Piece::Conflict(_) => {
                // What stood there stands in both still, at the beginning of what each made of it.
                let (ours_new, theirs_new) = (put_in(base, ours)?, put_in(base, theirs)?);
                out.extend_from_slice(base);
                lines(&mut out, theirs_new);
                lines(&mut out, ours_new);
            }
            Piece::Theirs(_) => out.extend_from_slice(theirs),
            _ => out.extend_from_slice(ours),
        }
    }
    Some(out)
}

fn put_in<'t>(base: &[u8], text: &'t [u8]) -> Option<&'t [u8]> {
    text.strip_prefix(base)
}

fn lines(out: &mut Vec<u8>, text: &[u8]) {
    if !out.is_empty() && !out.ends_with(b"\n") && !text.is_empty() {
        out.push(b'\n');
    }
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn both_put_something_in_at_the_same_place() {
        let both = of(b"a\nb\n", b"a\nb\nD = 4\n", b"a\nb\nMAIL\n").unwrap();
        assert_eq!(String::from_utf8(both).unwrap(), "a\nb\nMAIL\nD = 4\n");
        assert_eq!(of(b"a\nb\n", b"a\nB2\n", b"a\nB3\n"), None);
    }
}
