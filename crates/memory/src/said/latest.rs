//! Which earlier saying a newer one ends. In doubt it ends it: what is told must not be what a person took back. (T10, M10)

use std::collections::BTreeSet;

use words::tokens;

use super::facets::{Facets, facets, is_tool};
use super::{Sort, japanese};
use crate::lessons::Request;

/// So much of two texts in common makes them one that was changed.
const NEARLY: f32 = 0.6;

/// True if who said `newer` no longer holds `older`.
pub fn overtakes(newer: (&str, Sort), older: &str) -> bool {
    ended_by(newer, &[(older, &facets(older))]).first() == Some(&true)
}

/// Which of those that were said before no longer hold, in their order; each with what it is about.
pub fn ended_by(newer: (&str, Sort), older: &[(&str, &Facets)]) -> Vec<bool> {
    let (text, sort) = newer;
    let new = facets(text);
    if sort == Sort::Withdrawal {
        let named: Vec<bool> = older.iter().map(|(_, old)| takes_back(&new, old)).collect();
        // Where nothing is named that was said before, the topic is meant; in another language often only that is in common.
        if named.contains(&true) || !is_firm(text) {
            return named;
        }
        return older.iter().map(|(_, old)| new.topics.intersection(&old.topics).next().is_some()).collect();
    }
    let turns = turns_over(text);
    older
        .iter()
        .map(|(older, old)| {
            same_text(text, older)
                || chooses_otherwise(&new, old)
                || sets_another_amount(&new, old)
                || refuses(&new, old)
                || (turns && is_about_the_same(&new, old))
                || says_it_again_otherwise(text, older)
                || is_opposed(text, older)
        })
        .collect()
}

/// "instead", "그만", "やめて", "改成": it says of itself that something is another way now.
fn turns_over(text: &str) -> bool {
    const TURNS: &[&str] = &[
        "instead",
        "no longer",
        "not anymore",
        "anymore",
        "changed my mind",
        "was a mistake",
        "were a mistake",
        "is out",
        "back to",
        "we moved",
        "we switched",
        "new rule for",
        "again",
        "scrap",
        "forget",
        "그만",
        "대신",
        "말고",
        "취소",
        "바꾸",
        "바꿔",
        "이제부터",
        "이제는",
        "이제",
        "다시",
        "やめ",
        "代わり",
        "戻",
        "乗り換え",
        "ではなく",
        "じゃなく",
        "もう",
        "変更",
        "改成",
        "改用",
        "改为",
        "换",
        "不再",
        "不要再",
        "还是",
        "不用",
        "别再",
    ];
    let lower = text.to_lowercase();
    TURNS.iter().any(|word| lower.contains(word))
}

/// A topic in common, and how it is done: both are about the same thing.
fn is_about_the_same(new: &Facets, old: &Facets) -> bool {
    let topics = new.topics.intersection(&old.topics).count();
    let aspects = new.aspects.intersection(&old.aspects).filter(|aspect| *aspect != "language-of").count();
    let names = new.names.intersection(&old.names).filter(|name| is_a_name(name)).count();
    (topics > 0 && aspects + names > 0 && new.topics.is_subset(&old.topics))
        || (new.topics == old.topics && aspects > 0)
}

/// It takes something back for good: "the rule about …", "no longer", "again"; "the tests are fine now" is how things stand.
fn is_firm(text: &str) -> bool {
    const FIRM: &[&str] = &[
        "rule",
        "what i said",
        "convention",
        "restriction",
        "requirement",
        "policy",
        "no longer",
        "anymore",
        "any more",
        "again",
        "forget",
        "scrap",
        "규칙",
        "원칙",
        "금지",
        "더 이상",
        "더는",
        "이제",
        "다시",
        "없던",
        "ルール",
        "規則",
        "決まり",
        "もう",
        "また",
        "规则",
        "规定",
        "约定",
        "不用再",
        "不再",
        "以后",
        "现在可以",
        "又可以",
        "作废",
    ];
    let lower = text.to_lowercase();
    FIRM.iter().any(|word| lower.contains(word))
}

/// Both speak of an amount, and of the same topics, in whatever language: the newer amount is meant.
fn sets_another_amount(new: &Facets, old: &Facets) -> bool {
    new.amount && old.amount && !new.topics.is_empty() && new.topics == old.topics
}

fn same_text(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    plain(one) == plain(other)
}

/// A withdrawal names what it takes back: a choice, how something is done, or a name.
fn takes_back(new: &Facets, old: &Facets) -> bool {
    let said: BTreeSet<&String> = new.wants.iter().chain(&new.refuses).map(|(_, what)| what).collect();
    let held: BTreeSet<&String> = old.wants.iter().chain(&old.refuses).map(|(_, what)| what).collect();
    if said.intersection(&held).next().is_some() {
        return true;
    }
    let tools =
        |facets: &Facets| facets.wants.iter().chain(&facets.refuses).any(|(group, _)| is_tool(*group));
    if tools(new) && tools(old) {
        return false;
    }
    let fits = new.topics.is_empty()
        || old.topics.is_empty()
        || new.topics.intersection(&old.topics).next().is_some();
    let aspects = new.aspects.intersection(&old.aspects).next().is_some();
    let names = new.names.intersection(&old.names).any(|name| is_a_name(name));
    fits && (aspects || names)
}

/// Another one of several is wanted now.
fn chooses_otherwise(new: &Facets, old: &Facets) -> bool {
    new.wants.iter().any(|(group, what)| {
        let of_group = |choice: &&(usize, String)| choice.0 == *group;
        let before: Vec<&(usize, String)> = old.wants.iter().filter(of_group).collect();
        let otherwise = !before.is_empty() && before.iter().all(|(_, old)| old != what)
            // What was refused is wanted now.
            || old.refuses.contains(&(*group, what.clone()));
        // Commits in English and docs in Korean are no contradiction.
        otherwise && (is_tool(*group) || is_of_one_topic(new, old))
    })
}

/// What was wanted is refused now, or the other way round.
fn refuses(new: &Facets, old: &Facets) -> bool {
    let choice = new.refuses.iter().any(|choice| old.wants.contains(choice));
    let wanted: BTreeSet<&String> = old.names.difference(&old.against).collect();
    let name =
        new.against.iter().any(|name| wanted.contains(name) && is_a_name(name) && same_topic(new, old));
    let wanted_now: BTreeSet<&String> = new.names.difference(&new.against).collect();
    let again =
        old.against.iter().any(|name| wanted_now.contains(name) && is_a_name(name) && same_topic(new, old));
    let aspect = new
        .aspects_against
        .iter()
        .any(|aspect| old.aspects.contains(aspect) && !old.aspects_against.contains(aspect))
        || old
            .aspects_against
            .iter()
            .any(|aspect| new.aspects.contains(aspect) && !new.aspects_against.contains(aspect));
    let of_one = !new.topics.is_empty() && new.topics.intersection(&old.topics).next().is_some();
    choice || name || again || (aspect && of_one)
}

/// Ways of doing something are of one topic: short answers and long docs are no contradiction.
fn is_of_one_topic(new: &Facets, old: &Facets) -> bool {
    if new.topics.is_empty() && old.topics.is_empty() {
        return true;
    }
    new.topics.intersection(&old.topics).next().is_some()
}

fn is_a_name(name: &str) -> bool {
    name.len() > 3
}

fn same_topic(new: &Facets, old: &Facets) -> bool {
    new.topics.is_empty() || old.topics.is_empty() || new.topics.intersection(&old.topics).next().is_some()
}

/// Nearly the same words, and one of them is another: `under 40 lines`, `under 60 lines`.
fn says_it_again_otherwise(text: &str, older: &str) -> bool {
    let words = |text: &str| tokens(text).into_iter().map(|token| token.text).collect::<BTreeSet<String>>();
    let (new, old) = (words(text), words(older));
    let both = new.intersection(&old).count() as f32;
    let all = new.union(&old).count() as f32;
    all > 0.0 && both >= 2.0 && both / all >= NEARLY
}

/// A yes against a no about the same.
fn is_opposed(text: &str, older: &str) -> bool {
    // Pairs of letters make two short wishes of one language look alike; there the choices and names say it.
    let spaced = |text: &str| text.is_ascii() && !japanese::is_japanese(text);
    spaced(text) && spaced(older) && Request::new(text).is_opposed_by(older)
}
