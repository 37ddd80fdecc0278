//! Does a message claim that the work is finished?
//!
//! Agents say so at the beginning ("Done. Here is what changed: …") or at the end ("… All tests pass."), seldom between. So the message is cut
//! into pieces ([`text`]), and a claim counts in its first sentences, in its last ones and in a heading over what was done. What says that
//! something is open (still failing, a plan, a list of what remains) makes the whole message open, whatever else it says; a claim under a
//! condition, in the future or in an explanation is none. A question takes a claim back, unless it only asks about what comes after the work
//! ("Shall I commit it?"). Four languages, one way: each has its own lists ([`Lists`]), and only those are asked whose script is there.

mod chinese;
mod disclosure;
mod english;
mod japanese;
mod korean;
mod text;

use text::{Kind, MARKS, Piece, pieces};

/// Characters of the beginning in which a claim counts.
const OPENING: usize = 260;
/// Pieces of it at most.
const OPENING_PIECES: usize = 4;
/// Characters of the end in which a claim counts.
const CLAIM_WITHIN: usize = 400;
/// Characters of the end in which words count that say that something is open, but may tell of the program, too.
const OPEN_WITHIN: usize = 500;
/// Characters of the end in which a question is one that the person has to answer.
const ASKS_WITHIN: usize = 700;
/// Pieces at the end in which a hint counts.
const HINT_WITHIN: usize = 2;
/// What says it without doubt.
const MARKERS: [&str; 2] = ["[done]", "<!-- vib:done -->"];

/// How it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    /// By the mark that was agreed on.
    Marker,
    /// In words.
    Words,
}

/// What one language says.
struct Lists {
    /// The sentence claims that it is finished.
    claims: fn(&str) -> bool,
    /// The sentence or heading stands over a list of what was done.
    summarises: fn(&str) -> bool,
    /// It may be read as a claim at the very end of a message: "the flag now works everywhere".
    hints: fn(&str) -> bool,
    /// The sentence says that something of the work is open, wherever it stands: the message is no claim.
    is_open: fn(&str) -> bool,
    /// The same, in words that tell of the program as well: they count at the beginning and at the end.
    is_open_near: fn(&str) -> bool,
    /// The heading stands over a list of what is open.
    heads_open: fn(&str) -> bool,
    /// The item of a list, or the cell of a table, is one that is open.
    item_is_open: fn(&str) -> bool,
    /// A claim in this sentence does not count: a condition, the future, an explanation.
    is_void: fn(&str) -> bool,
    /// A question about what comes after the work.
    offers: fn(&str) -> bool,
    /// The message begins as the answer to a question, or as a report of what was found.
    answers: fn(&str) -> bool,
    /// The words turn to the person: "shall I".
    asks_you: fn(&str) -> bool,
    /// The sentence tells how something is or was and why, not how far the work is.
    explains: fn(&str) -> bool,
    /// The item of a list begins with a deed or is a result of checks.
    begins_with_result: fn(&str) -> bool,
}

/// The languages whose letters are in the message.
fn languages(message: &str) -> Vec<&'static Lists> {
    let (mut hangul, mut kana, mut han, mut latin) = (false, false, false, false);
    for letter in message.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' => latin = true,
            '\u{ac00}'..='\u{d7a3}' => hangul = true,
            '\u{3040}'..='\u{30ff}' => kana = true,
            '\u{4e00}'..='\u{9fff}' => han = true,
            _ => {}
        }
    }
    let mut found: Vec<&'static Lists> = Vec::new();
    for (there, lists) in [
        (latin, &english::LISTS),
        (hangul, &korean::LISTS),
        (kana, &japanese::LISTS),
        (han && !kana, &chinese::LISTS),
    ] {
        if there {
            found.push(lists);
        }
    }
    found
}

/// Whether this last message of a turn claims that the work is finished. `markers`: further marks that say so.
pub fn completion(message: &str, markers: &[String]) -> Option<Completion> {
    let own = markers.iter().map(String::as_str).filter(|marker| !marker.trim().is_empty());
    if MARKERS.into_iter().chain(own).any(|marker| is_marked(message, marker)) {
        return Some(Completion::Marker);
    }
    // A summary of a conversation is no end of it.
    if message.trim_end().ends_with("</summary>") {
        return None;
    }
    let pieces = pieces(message);
    let reading = Reading { total: pieces.last()?.to, languages: languages(message), pieces: &pieces };
    reading.claims_completion().then_some(Completion::Words)
}

/// A message, and what is asked of its pieces.
struct Reading<'a> {
    pieces: &'a [Piece],
    total: usize,
    languages: Vec<&'static Lists>,
}

impl Reading<'_> {
    fn claims_completion(&self) -> bool {
        // After a colon something was to follow.
        if self.pieces.last().is_none_or(|last| last.leads) || self.is_open() {
            return false;
        }
        let questions = || self.pieces.iter().enumerate().filter(|(at, piece)| self.is_question(*at, piece));
        if questions().any(|(_, question)| question.leads || !self.any(question, |lists| lists.offers)) {
            return false;
        }
        let opening = self.opening();
        let answers = opening.first().is_some_and(|first| self.any(first, |lists| lists.answers));
        if opening.iter().any(|piece| self.claims(piece) && !(answers && piece.kind == Kind::Heading)) {
            return true;
        }
        // Over a list in an answer or a review stands what somebody else did.
        let summarises = |piece: &&Piece| self.says(piece, |lists| lists.summarises);
        let mut headings = self.pieces.iter().filter(|piece| piece.kind == Kind::Heading);
        if !answers
            && (opening.iter().copied().any(|piece| summarises(&piece))
                || headings.any(|piece| summarises(&piece)))
        {
            return true;
        }
        let words = || self.pieces.iter().rev().filter(|piece| piece.kind != Kind::Code && !piece.asks);
        // After a question about what comes next only what was said right before it counts.
        let near = if questions().next().is_some() { 2 } else { usize::MAX };
        words().take(near).take_while(|piece| self.is_within(piece, CLAIM_WITHIN)).any(|piece| {
            self.claims(piece) && (piece.kind == Kind::Sentence || (!answers && self.is_result(piece)))
        }) || words().take(HINT_WITHIN).any(|piece| self.says(piece, |lists| lists.hints))
    }

    /// A question that the person has to answer: in a sentence near the end, "Shall I:" over a list, or the very last piece.
    fn is_question(&self, at: usize, piece: &Piece) -> bool {
        let is_near = self.is_within(piece, ASKS_WITHIN);
        let is_last = || self.pieces[at + 1..].iter().all(|later| later.kind == Kind::Code);
        let asks_you = |piece: &Piece| self.any(piece, |lists| lists.asks_you);
        match piece.kind {
            Kind::Code => false,
            Kind::Sentence if piece.asks => is_near,
            Kind::Heading if piece.asks => is_near && (asks_you(piece) || is_last()),
            _ if piece.asks => is_last(),
            _ => piece.leads && is_near && asks_you(piece),
        }
    }

    /// An item of a list that tells a result, not how something behaves: it has a mark, or names a deed first.
    fn is_result(&self, piece: &Piece) -> bool {
        piece.kind == Kind::Heading
            || piece.text.starts_with(['✅', '✓', '✔', '☑'])
            || self.says(piece, |lists| lists.begins_with_result)
    }

    /// The first sentences, up to the first list, table or block of code.
    fn opening(&self) -> Vec<&Piece> {
        let is_text = |piece: &&Piece| matches!(piece.kind, Kind::Sentence | Kind::Heading);
        self.pieces
            .iter()
            .take_while(is_text)
            .take_while(|piece| piece.from < OPENING)
            .take(OPENING_PIECES)
            .collect()
    }

    fn is_open(&self) -> bool {
        self.pieces.iter().any(|piece| match piece.kind {
            Kind::Code => false,
            Kind::Heading => self.any(piece, |lists| lists.heads_open),
            Kind::Item | Kind::Row => {
                // A box without a cross, a mark of something that waits or failed.
                piece.text.starts_with("[ ]")
                    || piece.text.starts_with(['⏳', '🔄', '🚧'])
                    || (piece.kind == Kind::Item && piece.text.starts_with(['❌', '✗']))
                    || self.any(piece, |lists| lists.item_is_open)
            }
            Kind::Sentence => {
                self.any(piece, |lists| lists.is_open)
                    || ((piece.from < OPENING || self.is_within(piece, OPEN_WITHIN))
                        && self.any(piece, |lists| lists.is_open_near)
                        && !self.any(piece, |lists| lists.explains))
            }
        })
    }

    fn is_within(&self, piece: &Piece, characters: usize) -> bool {
        self.total.saturating_sub(piece.to) < characters
    }

    fn any(&self, piece: &Piece, what: fn(&Lists) -> fn(&str) -> bool) -> bool {
        self.languages.iter().any(|lists| what(lists)(&piece.text))
    }

    /// One of the languages says so, and it is not made void.
    fn says(&self, piece: &Piece, what: fn(&Lists) -> fn(&str) -> bool) -> bool {
        let text = piece.text.trim_start_matches(|letter: char| MARKS.contains(&letter) || letter == ' ');
        !piece.asks && self.languages.iter().any(|lists| what(lists)(text) && !(lists.is_void)(text))
    }

    fn claims(&self, piece: &Piece) -> bool {
        self.says(piece, |lists| lists.claims)
    }
}

/// Whether the message says in so many words that the checks pass.
pub fn says_that_checks_pass(message: &str) -> bool {
    pieces(message).iter().any(|piece| {
        let text = &piece.text;
        !piece.asks
            && (english::tests_pass(text)
                || korean::tests_pass(text)
                || japanese::tests_pass(text)
                || chinese::tests_pass(text))
    })
}

/// Whether it says so of tests.
pub fn says_that_tests_pass(message: &str) -> bool {
    const TESTS: [&str; 8] = ["test", "spec", "suite", "everything", "테스트", "テスト", "测试", "測試"];
    pieces(message).iter().any(|piece| {
        !piece.asks
            && any(&piece.text, &TESTS)
            && (english::tests_pass(&piece.text)
                || korean::tests_pass(&piece.text)
                || japanese::tests_pass(&piece.text)
                || chinese::tests_pass(&piece.text))
    })
}

/// Whether the message itself says that a check fails: then it hides nothing.
pub fn tells_a_failure(message: &str) -> bool {
    // What is in backticks names the check.
    let named = message.replace('`', "");
    pieces(&named).iter().any(|piece| !piece.asks && disclosure::tells(&piece.text))
}

/// Whether these words are about the repair of a check that fails: what the person asks for, or what the agent says to have done.
pub fn is_about_a_repair(text: &str) -> bool {
    let named = text.replace('`', "");
    pieces(&named).iter().any(|piece| disclosure::repairs(&piece.text))
        || disclosure::repairs(&named.to_lowercase())
}

/// The mark stands alone in a line, or at the end.
fn is_marked(message: &str, marker: &str) -> bool {
    message.trim_end().ends_with(marker) || message.lines().any(|line| line.trim() == marker)
}

/// One of these is in the text.
fn any(text: &str, list: &[&str]) -> bool {
    list.iter().any(|words| text.contains(words))
}

/// The text begins with one of these.
fn begins(text: &str, list: &[&str]) -> bool {
    list.iter().any(|words| text.starts_with(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_quotes() {
        assert_eq!(completion("Cleaned up.\n[done]", &[]), Some(Completion::Marker));
        assert_eq!(completion("Cleaned up. FERTIG", &["FERTIG".to_owned()]), Some(Completion::Marker));
        assert_eq!(completion("`done` is a variable", &[]), None);
        assert_eq!(completion("```\nAll tests pass.\n```\nWhat now?", &[]), None);
        assert_eq!(completion("", &[]), None);
    }
}
