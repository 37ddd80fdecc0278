//! English words without their endings: `failed`, `fails` and `failing` are one word.
//!
//! [`stem`] is what an index is made of; its results lie on people's disks, so it changes only with the index's format. [`rough_stem`]
//! compares two short texts, where a wrong "the same" costs little. [`singular`] is for whoever must rather miss than mistake.
//!
//! Of [`stem`]: only endings that change little about the meaning, only on plain lower-case words, and only when enough of the word is
//! left. Both memories and questions pass through here, so a stem need not be a word.

/// Forms that no rule leads back to their word. Sorted.
#[rustfmt::skip]
const FORMS: &[(&str, &str)] = &[
    ("arisen", "arise"), ("arose", "arise"), ("ate", "eat"), ("became", "become"), ("began", "begin"),
    ("begun", "begin"), ("bent", "bend"), ("bitten", "bite"), ("blew", "blow"), ("blown", "blow"), ("bought",
    "buy"), ("bound", "bind"), ("broke", "break"), ("broken", "break"), ("brought", "bring"), ("built",
    "build"), ("burnt", "burn"), ("came", "come"), ("caught", "catch"), ("children", "child"), ("chose",
    "choose"), ("chosen", "choose"), ("clung", "cling"), ("crept", "creep"), ("dealt", "deal"), ("drank",
    "drink"), ("drawn", "draw"), ("dreamt", "dream"), ("drew", "draw"), ("driven", "drive"), ("drove",
    "drive"), ("drunk", "drink"), ("dug", "dig"), ("eaten", "eat"), ("fallen", "fall"), ("fed", "feed"),
    ("feet", "foot"), ("fell", "fall"), ("felt", "feel"), ("fled", "flee"), ("flew", "fly"), ("flown", "fly"),
    ("forbidden", "forbid"), ("forgot", "forget"), ("forgotten", "forget"), ("fought", "fight"), ("found",
    "find"), ("froze", "freeze"), ("frozen", "freeze"), ("gave", "give"), ("given", "give"), ("goes", "go"),
    ("gone", "go"), ("got", "get"), ("gotten", "get"), ("grew", "grow"), ("grown", "grow"), ("heard", "hear"),
    ("held", "hold"), ("hid", "hide"), ("hidden", "hide"), ("hung", "hang"), ("kept", "keep"), ("knew",
    "know"), ("known", "know"), ("laid", "lay"), ("leapt", "leap"), ("learnt", "learn"), ("led", "lead"),
    ("left", "leave"), ("lent", "lend"), ("lit", "light"), ("lost", "lose"), ("made", "make"), ("meant",
    "mean"), ("men", "man"), ("met", "meet"), ("mice", "mouse"), ("overridden", "override"), ("overrode",
    "override"), ("paid", "pay"), ("people", "person"), ("proven", "prove"), ("ran", "run"), ("rang", "ring"),
    ("rebuilt", "rebuild"), ("rewritten", "rewrite"), ("rewrote", "rewrite"), ("ridden", "ride"), ("risen",
    "rise"), ("rode", "ride"), ("rose", "rise"), ("said", "say"), ("sang", "sing"), ("sat", "sit"), ("saw",
    "see"), ("seen", "see"), ("sent", "send"), ("shaken", "shake"), ("shone", "shine"), ("shook", "shake"),
    ("shot", "shoot"), ("shown", "show"), ("shrank", "shrink"), ("slept", "sleep"), ("slid", "slide"),
    ("sold", "sell"), ("sought", "seek"), ("spent", "spend"), ("spoke", "speak"), ("spoken", "speak"),
    ("sprang", "spring"), ("spun", "spin"), ("stole", "steal"), ("stolen", "steal"), ("stood", "stand"),
    ("struck", "strike"), ("stuck", "stick"), ("sung", "sing"), ("sunk", "sink"), ("swam", "swim"), ("swept",
    "sweep"), ("swung", "swing"), ("taken", "take"), ("taught", "teach"), ("teeth", "tooth"), ("thought",
    "think"), ("threw", "throw"), ("thrown", "throw"), ("told", "tell"), ("took", "take"), ("tore", "tear"),
    ("torn", "tear"), ("understood", "understand"), ("went", "go"), ("woke", "wake"), ("women", "woman"),
    ("won", "win"), ("wore", "wear"), ("worn", "wear"), ("written", "write"), ("wrote", "write"),
];

/// Cuts the ending off.
pub fn stem(word: &mut String) {
    if let Ok(at) = FORMS.binary_search_by(|(form, _)| (*form).cmp(word)) {
        word.clear();
        word.push_str(FORMS[at].1);
    }
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    plural(word);
    if !past_or_progressive(word) {
        derived(word);
    }
    if word.len() > 3 && word.ends_with('y') && !vowel_at(word, word.len() - 2) {
        replace(word, 1, "i");
    } else if word.len() > 4 && word.ends_with('e') {
        word.pop();
    }
}

/// One file, many files; commit, commits, committing: roughly the same word.
pub fn rough_stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    let long_enough = |short: &&str| short.len() > 2;
    let bare = ["ing", "ed", "s"]
        .iter()
        .find_map(|ending| {
            word.strip_suffix(ending).filter(long_enough).filter(|short| !short.ends_with('s'))
        })
        .unwrap_or(word);
    let bare = bare.strip_suffix('e').filter(long_enough).unwrap_or(bare);
    let mut letters = bare.chars().rev();
    let doubled = letters.next() == letters.next();
    if doubled && bare.len() > 3 { &bare[..bare.len() - 1] } else { bare }
}

/// The same word, whether one or many, done or to be done: `button` and `buttons`, `price` and `pricing`.
pub fn same_word(a: &str, b: &str) -> bool {
    a == b || rough_stem(a) == rough_stem(b)
}

/// Without the ending of the plural, and no other.
pub fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| rest.len() > 2 && !rest.ends_with('s')).unwrap_or(word)
}

fn plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 {
        replace(word, 3, "y");
    } else if ["sses", "shes", "ches", "xes", "zes"].iter().any(|end| word.ends_with(end)) && word.len() > 5 {
        replace(word, 2, "");
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word.pop();
    }
}

fn past_or_progressive(word: &mut String) -> bool {
    let cut = match () {
        () if word.ends_with("ied") && word.len() > 4 => {
            replace(word, 3, "y");
            return true;
        }
        () if word.ends_with("ing") => 3,
        () if word.ends_with("ed") && !word.ends_with("eed") => 2,
        () => return false,
    };
    let left = word.len() - cut;
    if left < 3 || !has_vowel(&word[..left]) {
        return false;
    }
    word.truncate(left);
    let bytes = word.as_bytes();
    let doubled = bytes[left - 1] == bytes[left - 2] && !matches!(bytes[left - 1], b'l' | b's' | b'z');
    if doubled && !vowel_at(word, left - 1) {
        word.pop();
    }
    true
}

fn derived(word: &mut String) {
    const ENDINGS: &[(&str, &str)] = &[
        ("ization", "ize"),
        ("isation", "ize"),
        ("ation", "ate"),
        ("fulness", "ful"),
        ("iveness", "ive"),
        ("ousness", "ous"),
        ("ement", ""),
        ("ment", ""),
        ("ness", ""),
        ("ically", "ic"),
        ("ally", "al"),
        ("ily", "y"),
        ("ly", ""),
        ("ful", ""),
        ("ize", ""),
        ("ise", ""),
        ("ator", "ate"),
        ("er", ""),
        ("or", ""),
        ("ion", ""),
    ];
    for (ending, instead) in ENDINGS {
        let Some(left) = word.strip_suffix(ending) else { continue };
        if left.len() >= 4 && has_vowel(left) && (*ending != "ion" || left.ends_with(['s', 't'])) {
            replace(word, ending.len(), instead);
            return;
        }
    }
}

fn replace(word: &mut String, cut: usize, instead: &str) {
    word.truncate(word.len() - cut);
    word.push_str(instead);
}

fn has_vowel(word: &str) -> bool {
    word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

fn vowel_at(word: &str, at: usize) -> bool {
    word.as_bytes().get(at).is_some_and(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u'))
}

#[cfg(test)]
mod tests {
    fn stem(word: &str) -> String {
        let mut word = word.to_owned();
        super::stem(&mut word);
        word
    }

    #[test]
    fn forms_of_one_word_meet() {
        for forms in [
            &["fail", "fails", "failed", "failing"][..],
            &["cache", "caches", "cached", "caching"],
            &["retry", "retries", "retried"],
            &["plan", "plans", "planned", "planning"],
            &["create", "creates", "created", "creation", "creating"],
            &["class", "classes"],
            &["paint", "painting", "painter"],
            &["write", "writes", "wrote", "written", "writing"],
            &["build", "built", "builder"],
            &["override", "overrode", "overridden"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|other| *other == stems[0]), "{forms:?} → {stems:?}");
        }
    }

    #[test]
    fn roughly_the_same_word() {
        for (one, other) in [
            ("space", "spaces"),
            ("commit", "committing"),
            ("change", "changed"),
            ("box", "boxes"),
            ("test", "tests"),
            ("class", "classes"),
            ("note", "notes"),
            ("price", "pricing"),
        ] {
            assert!(super::same_word(one, other), "{one} {other}");
        }
        assert!(!super::same_word("tab", "table") && !super::same_word("pay", "page"));
        assert_eq!(["tests", "class", "gas"].map(super::singular), ["test", "class", "gas"]);
    }

    #[test]
    fn irregular_forms_are_in_order_and_lead_to_a_word() {
        assert!(super::FORMS.is_sorted());
        let is_form = |word: &str| super::FORMS.binary_search_by(|(form, _)| (*form).cmp(word)).is_ok();
        assert!(super::FORMS.iter().all(|(form, word)| form != word && !is_form(word)));
    }

    #[test]
    fn short_words_and_names_stay() {
        for word in ["bus", "this", "thing", "red", "sing", "utf8", "css", "status", "été"] {
            assert_eq!(stem(word), word);
        }
    }
}
