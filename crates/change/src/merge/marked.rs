//! Both sides of a conflict in one text, with marks around them: for a file in a lane, where a person or an agent settles it.

use super::{Merge, Piece};

impl Merge {
    /// The merged content; each conflict stands in it with both sides between the marks that git has for it. `ours` and `theirs` name the sides.
    pub fn marked(&self, ours: &str, theirs: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.ours.bytes().len());
        let line_end: &[u8] =
            if self.ours.bytes().windows(2).any(|two| two == b"\r\n") { b"\r\n" } else { b"\n" };
        for piece in &self.pieces {
            let [_, own, other] = self.texts(piece.place());
            let Piece::Conflict(_) = piece else {
                out.extend_from_slice(if matches!(piece, Piece::Theirs(_)) { other } else { own });
                continue;
            };
            let mark = |out: &mut Vec<u8>, text: &str| {
                // A last line without an end would run into the mark.
                if !out.is_empty() && !out.ends_with(b"\n") {
                    out.extend_from_slice(line_end);
                }
                out.extend_from_slice(text.trim_end().as_bytes());
                out.extend_from_slice(line_end);
            };
            mark(&mut out, &format!("<<<<<<< {ours}"));
            out.extend_from_slice(own);
            mark(&mut out, "=======");
            out.extend_from_slice(other);
            mark(&mut out, &format!(">>>>>>> {theirs}"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::merge::merge;

    #[test]
    fn both_sides_stand_between_marks_and_the_rest_is_put_together() {
        let merged = merge(b"1\n2\n3\n4\n5\n", b"one\n2\n3\n4\nV", b"uno\n2\n3\nvier\n5\n");
        let text = String::from_utf8(merged.marked("lane", "project")).unwrap();
        assert!(text.starts_with("<<<<<<< lane\none\n=======\nuno\n>>>>>>> project\n2\n3\n"), "{text}");
        assert!(text.ends_with(">>>>>>> project\n") || text.ends_with("V"), "{text}");
        assert_eq!(merge(b"1\n", b"1\n", b"2\n").marked("a", "b"), b"2\n");
        let windows = merge(b"1\r\n2\r\n", b"one\r\n2\r\n", b"uno\r\n2\r\n").marked("a", "b");
        assert_eq!(windows, b"<<<<<<< a\r\none\r\n=======\r\nuno\r\n>>>>>>> b\r\n2\r\n");
    }
}
