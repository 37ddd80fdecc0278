//! Does a lesson say the opposite of what the person asks now? (LS4)
//!
//! A plain test on words: one of the two says not to, and the other says to, and most of what the one is about is in the
//! other. It misses what is said in other words, and that is accepted: the model is told in any case that the person's words
//! win. It must rarely cry out without reason.

use super::terms::{Clause, clauses};

/// A no about something is opposed by a yes that has more than this part of its terms.
const MOST_WORDS: f64 = 0.5;
/// The same for scripts in pairs of letters, where the no itself is among the terms.
const MOST_PAIRS: f64 = 0.3;

/// What a person asks for, ready to be held against lessons.
#[derive(Debug, Default)]
pub struct Request(Vec<Clause>);

impl Request {
    /// Takes a prompt apart, once for all lessons.
    pub fn new(prompt: &str) -> Self {
        Self(clauses(prompt))
    }

    /// Whether the lesson's text and the request want opposite things.
    pub fn is_opposed_by(&self, lesson: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let lesson = clauses(lesson);
        one_way(&lesson, &self.0) || one_way(&self.0, &lesson)
    }
}

fn one_way(says_no: &[Clause], says_yes: &[Clause]) -> bool {
    says_no.iter().filter(|clause| clause.negated).any(|no| {
        let share = |other: &Clause| {
            let common = no.terms.intersection(&other.terms).count();
            let most = if no.pairs { MOST_PAIRS } else { MOST_WORDS };
            common > 0 && common as f64 > most * no.terms.len() as f64
        };
        let mut sides = says_yes.iter().filter(|clause| share(clause)).peekable();
        // Somebody who says both means the no.
        sides.peek().is_some() && sides.all(|clause| !clause.negated)
    })
}

#[cfg(test)]
mod tests {
    use super::Request;

    fn opposes(lesson: &str, prompt: &str) -> bool {
        Request::new(prompt).is_opposed_by(lesson)
    }

    #[test]
    fn a_yes_against_a_no_ls4() {
        for (lesson, prompt) in [
            ("Never use tabs; use spaces", "indent cart.js with tabs"),
            ("Use spaces", "please do not use spaces here"),
            ("Always run the tests before you commit", "commit it, and skip the tests"),
            ("Don't rewrite the login page", "Rewrite the login page from scratch."),
            ("Use fetch instead of jQuery", "write it with jQuery"),
            ("탭을 쓰지 마", "탭을 써서 정렬해줘"),
            ("不要使用制表符", "请使用制表符缩进"),
        ] {
            assert!(opposes(lesson, prompt), "{lesson} / {prompt}");
        }
    }

    #[test]
    fn the_same_wish_or_another_thing_is_no_opposition() {
        for (lesson, prompt) in [
            ("Never use tabs", "do not use tabs"),
            ("Never edit the generated files by hand", "edit main.rs"),
            ("Read a file again before you edit it", "edit the cart"),
            ("Don't rewrite the login page", "why is the page slow?"),
            ("탭을 쓰지 마", "로그인 화면을 고쳐줘"),
            ("不要使用制表符", "修复登录页面"),
            ("Use spaces", ""),
            ("", "use spaces"),
        ] {
            assert!(!opposes(lesson, prompt), "{lesson} / {prompt}");
        }
    }
}
