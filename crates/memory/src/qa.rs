//! Questions that come again: is this the same question? (MM12)
//!
//! Only words are compared: no model. It is better to say "I do not know" than to answer another question, so a word that one of
//! the two questions has in the place of another counts heavily against them.

use std::collections::BTreeSet;

use words::{is_unspaced, singular};

/// From here on two questions are taken for the same.
pub const THRESHOLD: f64 = 0.75;

/// Words that say nothing about what is asked.
const EMPTY: &str = "a an the is are was were be do does did to of in on at for with and or i we you it this that what which \
    how where when who why can could should would must my our your there here please tell me us have has had by from as";

/// How sure one can be that both ask for the same, from 0 to 1.
pub fn sameness(one: &str, other: &str) -> f64 {
    let (one, other) = (words(one), words(other));
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let both = one.intersection(&other).count() as f64;
    let dice = 2.0 * both / (one.len() + other.len()) as f64;
    let differ = !one.is_subset(&other) && !other.is_subset(&one);
    // "the port of staging" is not "the port of production".
    if differ { dice * 0.8 } else { dice }
}

/// The words that count: lower case, without endings of the plural; pairs of signs where a script has no spaces.
fn words(text: &str) -> BTreeSet<String> {
    let text = text.to_lowercase();
    let mut found = BTreeSet::new();
    for run in text.split(|sign: char| !sign.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.is_ascii() || !run.chars().any(is_unspaced) {
            if !EMPTY.split_ascii_whitespace().any(|word| word == run) {
                found.insert(singular(run).to_owned());
            }
            continue;
        }
        let signs: Vec<char> = run.chars().collect();
        if signs.len() == 1 {
            found.insert(run.to_owned());
        }
        found.extend(signs.windows(2).map(|pair| pair.iter().collect::<String>()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_in_other_words() {
        for (one, other) in [
            ("How do I run the tests?", "how to run tests"),
            ("What is the port of the staging server?", "staging server port"),
            ("테스트는 어떻게 실행하나요?", "테스트는 어떻게 실행하나요"),
            ("如何运行测试?", "如何运行测试"),
            ("how are tests run", "how are tests run locally"),
        ] {
            assert!(sameness(one, other) >= THRESHOLD, "{one} / {other}: {}", sameness(one, other));
        }
    }

    #[test]
    fn another_question_is_another_question() {
        for (one, other) in [
            ("What is the port of the staging server?", "What is the port of the production server?"),
            (
                "which database do we use for orders and invoices in the shop",
                "which database do we use for users and invoices in the shop",
            ),
            ("how do I run the tests", "how do I run the linter"),
            ("who", "what"),
            ("", ""),
            ("테스트 서버 주소", "운영 서버 주소"),
        ] {
            assert!(sameness(one, other) < THRESHOLD, "{one} / {other}: {}", sameness(one, other));
        }
    }
}
