//! A message, cut into pieces: headings, sentences, items of lists, rows of tables. Code and quoted words are left out: they say nothing about the
//! work, and `done` in a name is no claim.

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sentence,
    Heading,
    Item,
    Row,
    /// A block of code, of which only its place is kept.
    Code,
}

/// A piece, in small letters and without marks of emphasis.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// It ends with a question mark.
    pub(super) asks: bool,
    /// It ends with a colon: something follows.
    pub(super) leads: bool,
    /// Characters of the message before it.
    pub(super) from: usize,
    /// Characters of the message up to its end.
    pub(super) to: usize,
}

impl Piece {
    fn code(at: usize) -> Self {
        Self { text: String::new(), kind: Kind::Code, asks: false, leads: false, from: at, to: at }
    }
}

/// Cuts a message.
pub(super) fn pieces(message: &str) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in message.lines() {
        let bare = line.trim();
        match fence {
            Some(mark) if bare.starts_with(mark) => fence = None,
            Some(_) => {}
            None if bare.starts_with("```") || bare.starts_with("~~~") => {
                fence = Some(if bare.starts_with('`') { "```" } else { "~~~" });
                out.push(Piece::code(at));
            }
            None => at = cut_line(bare, at, &mut out),
        }
    }
    out
}

fn cut_line(line: &str, from: usize, out: &mut Vec<Piece>) -> usize {
    if line.is_empty() || line.chars().all(|letter| "-=_*| :".contains(letter)) {
        return from;
    }
    // What somebody else says, or a message of the program.
    if line.starts_with('>') {
        out.push(Piece::code(from));
        return from;
    }
    let (kind, rest) = kind_of(line);
    let plain = plain(rest);
    let mut at = from;
    let mut current = String::new();
    let mut started = at;
    let mut letters = plain.chars().peekable();
    while let Some(letter) = letters.next() {
        at += 1;
        let ends_word = letters.peek().is_none_or(|next| next.is_whitespace() || ")\"”’」".contains(*next));
        let end = match letter {
            '?' | '？' => Some(true),
            '.' | '!' if ends_word && !is_short_form(&current) => Some(false),
            '。' | '！' | ';' | '；' => Some(false),
            '|' if kind == Kind::Row => Some(false),
            _ => None,
        };
        match end {
            Some(asks) => {
                push(out, &mut current, kind, asks, started, at);
                started = at;
            }
            None => current.push(letter),
        }
    }
    push(out, &mut current, kind, false, started, at);
    at + 1
}

/// "e.g." and "i.e." end no sentence.
fn is_short_form(text: &str) -> bool {
    ["e.g", "i.e", " vs", "etc", " no"].iter().any(|end| text.ends_with(end))
}

fn push(out: &mut Vec<Piece>, current: &mut String, kind: Kind, asks: bool, from: usize, to: usize) {
    let text = std::mem::take(current);
    let text = text.trim().trim_start_matches(['-', '–', '—', '•', '>', ' ']).trim().to_lowercase();
    let leads = text.ends_with([':', '：']);
    if text.chars().any(char::is_alphanumeric) || text.chars().any(|letter| MARKS.contains(&letter)) {
        out.push(Piece { text, kind, asks, leads, from, to });
    }
}

/// Marks that say something alone in a cell or before a word.
pub(super) const MARKS: [char; 10] = ['✅', '✓', '✔', '☑', '❌', '✗', '⏳', '🔄', '🚧', '⚠'];

fn kind_of(line: &str) -> (Kind, &str) {
    if let Some(rest) = line.strip_prefix('#') {
        return (Kind::Heading, rest.trim_start_matches('#').trim());
    }
    if line.starts_with('|') {
        return (Kind::Row, line);
    }
    let marked = ["- ", "* ", "+ ", "• ", "· "].iter().find_map(|mark| line.strip_prefix(mark));
    if let Some(rest) = marked {
        return (Kind::Item, rest.trim());
    }
    let after_number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if after_number.len() < line.len()
        && let Some(rest) = after_number.strip_prefix(". ").or_else(|| after_number.strip_prefix(") "))
    {
        return (Kind::Item, rest.trim());
    }
    // A line that is all bold heads what follows: "**Files changed:**". A whole bold sentence is one all the same.
    let is_bold = line.starts_with("**")
        && (line.ends_with("**") || line.ends_with("**:"))
        && line.matches("**").count() == 2
        && !line.trim_end_matches(['*', ':']).ends_with(['.', '!', '。', '！']);
    (if is_bold { Kind::Heading } else { Kind::Sentence }, line)
}

/// Without emphasis, quoted words, code and addresses.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut close: Option<char> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (close, letter) {
            (Some(end), _) if letter == end => close = None,
            (Some(_), _) => {}
            (None, '`') => {
                close = Some('`');
                out.push_str("code");
            }
            (None, '"') => {
                close = Some('"');
                out.push_str("quote");
            }
            (None, '“') => {
                close = Some('”');
                out.push_str("quote");
            }
            (None, '「') => {
                close = Some('」');
                out.push_str("quote");
            }
            (None, '*') => {}
            (None, '’') => out.push('\''),
            // `](address)` of a link.
            (None, ']') if letters.peek() == Some(&'(') => close = Some(')'),
            (None, ':') if letters.peek() == Some(&'/') => {
                // The rest of an address: up to the next space.
                while letters.peek().is_some_and(|next| !next.is_whitespace() && *next != ')') {
                    letters.next();
                }
                out.push_str(" url");
            }
            (None, _) => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_into_what_it_is_made_of() {
        let message = "Done! See [the log](https://a.b/c?d=e).\n\n## Changes\n- Added `a.b` to it\n| x | ✅ |\n```\nAll done?\n```\n**Ready?**";
        let found: Vec<(Kind, String, bool)> =
            pieces(message).into_iter().map(|piece| (piece.kind, piece.text, piece.asks)).collect();
        let piece = |kind, text: &str, asks| (kind, text.to_owned(), asks);
        assert_eq!(
            found,
            [
                piece(Kind::Sentence, "done", false),
                piece(Kind::Sentence, "see [the log", false),
                piece(Kind::Heading, "changes", false),
                piece(Kind::Item, "added code to it", false),
                piece(Kind::Row, "x", false),
                piece(Kind::Row, "✅", false),
                piece(Kind::Code, "", false),
                piece(Kind::Heading, "ready", true),
            ]
        );
    }
}
