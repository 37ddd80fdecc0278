//! What a text is about: topics that have names in four languages, names of things, and which of them it is against.
//!
//! A rule in Korean and a request in English share no word. They share topics, and names such as `pnpm`, which are written alike everywhere.

use std::collections::BTreeSet;

use words::{rough_stem, tokens};

use super::aspects::ASPECTS;
pub(super) use super::choices::is_tool;
use super::choices::{ONE_OF, SAME};
use super::polarity::polarity;
use super::topics::{TOPICS, Topic, says};

/// Words that say nothing about what a text is about: what people ask for, and how rules are put.
const COMMON: &str = "always never ever from now on going forward future please use using used instead keep make sure remember every time each when whenever you we \
    our the and for with not don't dont does do must should have has need want add adds adding change changes changing changed fix fixes fixing write writes writing new run runs running \
    before after again anymore more here everywhere only all any this that these those into over under without ask asking tell stop avoid let lets agree stick \
    decided decision switch switching switched back rule rules file files code project repo repository function functions line lines thing things work working \
    set get put show shows look looks update updates updating create creates move moves call calls first last one two user users page pages app it's its \
    are is be been was were will would can could may might of in to at by as or if so but out up off about than then them they my your me us i no yes ok \
    mind note agent agents day days today tomorrow finish finishing done explain explains explaining plan plans planning tell telling say says saying sure going answer answers reply replies response careful think wanted want what said who which where there were how why because scrap forget anymore longer everyone someone like liked okay fine allowed habit period exceptions thinking step steps short brief honest unsure certain me doing before really just also still already long short good bad";

/// What a text is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Facets {
    /// Topics that are known in four languages.
    pub topics: BTreeSet<String>,
    /// Words that say what it is about, and names, as stems.
    pub names: BTreeSet<String>,
    /// Choices it is for: `(which of several, what)`.
    pub wants: BTreeSet<(usize, String)>,
    /// Choices it is against.
    pub refuses: BTreeSet<(usize, String)>,
    /// Names it is against, beside those choices.
    pub against: BTreeSet<String>,
    /// It names a thing: something in backticks, a file, an identifier.
    pub named: bool,
    /// It speaks of an amount: `five minutes`, `100 lines`, `五分`.
    #[serde(default)]
    pub amount: bool,
    /// How something is done, where that is known in four languages.
    #[serde(default)]
    pub aspects: BTreeSet<String>,
    /// Those of them that it is against.
    #[serde(default)]
    pub aspects_against: BTreeSet<String>,
}

impl Facets {
    /// Nothing says what it is about: it holds for everything.
    pub fn is_general(&self) -> bool {
        let chooses = self.wants.iter().chain(&self.refuses).any(|(group, _)| is_tool(*group));
        self.topics.is_empty() && !chooses && !self.named
    }

    /// How much two texts are about the same: topics and names in common.
    pub fn common(&self, other: &Self) -> usize {
        self.topics.intersection(&other.topics).count() + self.names.intersection(&other.names).count()
    }
}

/// What a text is about.
pub fn facets(text: &str) -> Facets {
    let lower = text.to_lowercase();
    let mut found =
        Facets { named: names_a_thing(text), amount: names_an_amount(&lower), ..Facets::default() };
    let latin: Vec<String> = words_in(&lower);
    // `pull request` is one thing, as `pull-request` is.
    let mut said = latin.clone();
    said.extend(latin.windows(2).map(|pair| format!("{}-{}", pair[0], pair[1])));
    let spaceless: String = lower.chars().filter(|letter| !letter.is_whitespace()).collect();
    for topic in TOPICS {
        if spoken(topic, &said, &lower, &spaceless).is_some() {
            found.topics.insert(topic.name.to_owned());
        }
    }
    let clauses = polarity(&lower);
    for aspect in ASPECTS {
        let Some(word) = spoken(aspect, &said, &lower, &spaceless) else { continue };
        found.aspects.insert(aspect.name.to_owned());
        if clauses.is_against(word) {
            found.aspects_against.insert(aspect.name.to_owned());
        }
    }
    for (group, members) in ONE_OF.iter().enumerate() {
        for member in *members {
            let said = if member.contains(' ') {
                lower.contains(member)
            } else if member.is_ascii() {
                latin.iter().any(|word| word == member)
            } else {
                says(&lower, member)
            };
            if !said {
                continue;
            }
            let meant = SAME.iter().find(|(one, _)| one == member).map_or(*member, |(_, same)| same);
            let choice = (group, meant.to_owned());
            if clauses.is_against(member) {
                found.refuses.insert(choice)
            } else {
                found.wants.insert(choice)
            };
        }
    }
    for word in &latin {
        let is_common = COMMON.split_ascii_whitespace().any(|common| common == word);
        let is_known =
            TOPICS.iter().any(|topic| topic.words.split_ascii_whitespace().any(|known| known == word));
        if is_common || word.len() < 3 || word.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let stem = rough_stem(word).to_string();
        if clauses.is_against(word) {
            found.against.insert(stem.clone());
        }
        // A word of a topic is in the topic already; a name of a tool is a name as well.
        if !is_known {
            found.names.insert(stem);
        }
    }
    found
}

/// The word with which a text speaks of a topic, in any of the four languages.
fn spoken(topic: &Topic, latin: &[String], lower: &str, spaceless: &str) -> Option<&'static str> {
    let named = topic.words.split_ascii_whitespace().find(|word| latin.iter().any(|said| said == word));
    named.or_else(|| {
        topic.signs.split_ascii_whitespace().find(|sign| says(lower, sign) || says(spaceless, sign))
    })
}

fn names_an_amount(lower: &str) -> bool {
    const NUMBERS: &str = "two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty sixty hundred thousand half";
    const UNITS: &[&str] = &[
        "分",
        "秒",
        "天",
        "日",
        "行",
        "回",
        "件",
        "文字",
        "小时",
        "時間",
        "分钟",
        "个",
        "字",
        "页",
        "ページ",
        "년",
        "분",
        "초",
        "시간",
        "줄",
        "자",
        "개",
        "페이지",
        "일",
    ];
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let spelt = words.into_iter().any(|word| {
        NUMBERS.split_ascii_whitespace().any(|number| number == word)
            || word.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
    });
    let is_number = |c: char| "一二三四五六七八九十百千两".contains(c) || c.is_ascii_digit();
    let signs = UNITS.iter().any(|unit| {
        lower.match_indices(unit).any(|(at, _)| lower[..at].chars().next_back().is_some_and(is_number))
    });
    spelt || signs
}

/// Ordinary words say how to work, whatever the work is; `BillingGateway`, `openapi.yaml` and `src/gen` say what it is about.
fn names_a_thing(text: &str) -> bool {
    let is_thing = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut letters = word.chars();
        let first_is_big = letters.next().is_some_and(char::is_uppercase);
        let inner_big = word.is_ascii() && letters.any(|c| c.is_ascii_uppercase());
        let has_mark = word.is_ascii() && word.len() > 3 && word.contains(['_', '/', '.']);
        has_mark
            || (inner_big
                && word.len() > 3
                && (!first_is_big || word.chars().any(|c| c.is_ascii_lowercase())))
    };
    text.contains('`')
        || text
            .split(|c: char| {
                c.is_whitespace() || ",;:()\"".contains(c) || (!c.is_ascii() && c.is_alphanumeric())
            })
            .any(is_thing)
}

/// The words in Latin letters, with what belongs to names: `date-fns`, `snake_case`, `.env`.
fn words_in(lower: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for piece in
        lower.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '\'' | '/')))
    {
        let piece = piece.trim_matches(['-', '_', '\'', '/']).trim_end_matches('.');
        if piece.is_empty() {
            continue;
        }
        all.push(piece.to_owned());
        if piece.contains(['/', '.']) && piece.len() > 2 {
            all.extend(piece.split(['/', '.']).filter(|part| part.len() > 2).map(str::to_owned));
        }
        if piece.contains(['-', '_']) {
            all.extend(tokens(piece).into_iter().map(|token| token.text).filter(|part| part.len() > 2));
        }
    }
    all.dedup();
    all
}
