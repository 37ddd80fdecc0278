//! English: word by word from the left; a verb says what becomes of the names after it.

pub(super) mod tables;

use super::doubt::english as doubt;
use super::time;
use super::which::STAND_IN;
use super::{Ask, Edge, Named, Phrase};
use tables::{
    ALL, BROKE, EMPTY, EXCEPT, EXPLAIN, GO_BACK, GOES, GONE, KEEP, NOT, NOT_TO, REST, RESTORE, STAYS,
    UNASKED, UNDO, WANTED, WITHIN,
};

/// What becomes of the names that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Nobody said yet.
    Open,
    Back,
    Stays,
    /// They name a moment.
    Moment,
}

struct Reader<'t> {
    /// Lower case, one space between words, marks of punctuation apart.
    tokens: Vec<(&'t str, String)>,
    at: usize,
    /// Words that name nothing, since the last name.
    beside: Vec<String>,
    /// "The css *of*": what it is a part of comes next.
    part: Option<Named>,
    /// "Its css": what it is a part of was said.
    whole: Option<Box<Named>>,
    /// In which part of the sentence we are.
    clause: usize,
    /// The part in which a verb took something back.
    verb_clause: Option<usize>,
    /// Words that say no, and that nothing was made of.
    unplaced: Vec<usize>,
}

/// A verb that takes back stands here.
pub(super) fn undo_at(words: &[&str]) -> bool {
    let starts = |verb: &&str| verb.split(' ').enumerate().all(|(at, word)| words.get(at) == Some(&word));
    UNDO.iter().chain(&["rolling back", "taking back"]).any(starts)
}

pub(super) fn parse(original: &str) -> Phrase {
    let mut phrase = Phrase::default();
    let lower_all = original.to_lowercase().replace('’', "'");
    let mut text = original.replace('’', "'");
    // A moment is taken out first: its words name nothing.
    let (mut edge_said, mut before_moment, mut said_ago) = (false, false, false);
    if lower_all.len() == text.len()
        && let Some((moment, range)) = time::find(&lower_all)
    {
        phrase.moment = Some(moment);
        said_ago = lower_all[..range.end].ends_with("ago");
        let before = lower_all[..range.start].trim_end();
        if before.ends_with("before") || before.ends_with("until") || before.ends_with("till") {
            edge_said = true;
            let to_there = ["to before", "was before", "be before", "state before"];
            before_moment = before.ends_with("before") && !to_there.iter().any(|mark| before.ends_with(mark));
        }
        text.replace_range(range, " ");
    }
    let lower = format!(" {} ", text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" "));
    let said = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    let unasked = said(UNASKED);
    // "Is the cart still there?" asks, and says nothing of damage.
    let whether = ["is ", "are "].iter().any(|mark| lower.trim_start().starts_with(mark))
        && lower.trim_end().ends_with('?')
        && lower.contains(" still ")
        && !said(BROKE);
    let explain = said(EXPLAIN) || whether;
    let mut reader = Reader::new(&text);
    let mut fate = Fate::Open;
    let mut current: Vec<String> = Vec::new();
    let (mut undoes, mut restores, mut goes_back) = (false, false, false);
    let mut all_back = false;
    let mut not_this = false;
    let (mut excepts, mut keeps, mut only_keeps, mut wants) = (false, false, false, false);
    while !reader.is_done() {
        if reader.take_mark() {
            reader.flush(&mut current, fate, &mut phrase);
            reader.clause += 1;
            wants = false;
            continue;
        }
        // A condition is nothing that can be decided here; a politeness is none.
        if matches!(reader.lower(0), "if" | "unless") {
            let polite = matches!(reader.lower(1), "you" | "possible" | "that's" | "it's" | "necessary");
            let condition = reader.clause();
            if !polite && undoes {
                reader.flush(&mut current, fate, &mut phrase);
                phrase.not_understood.push(condition);
            }
            continue;
        }
        if reader.take(&["between"]) {
            let condition = reader.clause();
            phrase.not_understood.push(format!("between {condition}"));
            continue;
        }
        if matches!(reader.lower(0), "step" | "steps") && reader.is_number(1) {
            reader.flush(&mut current, fate, &mut phrase);
            let number = format!("{} {}", reader.next(), reader.next());
            phrase.not_understood.push(number);
            continue;
        }
        if reader.every_other() {
            reader.flush(&mut current, fate, &mut phrase);
            phrase.not_understood.push(reader.clause());
            continue;
        }
        if reader.take(STAYS) {
            reader.keep_all_of_clause(&current, &mut phrase);
            if current.is_empty()
                && let Some(last) = phrase.objects.pop()
            {
                phrase.keep.push(last);
            }
            reader.flush(&mut current, Fate::Stays, &mut phrase);
            continue;
        }
        let began = reader.at;
        if reader.take(GOES) {
            if reader.is_negated_before(began) {
                reader.keep_all_of_clause(&current, &mut phrase);
                reader.flush(&mut current, Fate::Stays, &mut phrase);
                keeps = true;
                continue;
            }
            undoes = true;
            reader.verb_clause = Some(reader.clause);
            reader.flush(&mut current, if fate == Fate::Open { Fate::Back } else { fate }, &mut phrase);
            continue;
        }
        let began = reader.at;
        if wants && fate == Fate::Open && reader.take(WANTED) {
            if reader.is_negated_before(began) {
                reader.keep_all_of_clause(&current, &mut phrase);
                reader.flush(&mut current, Fate::Stays, &mut phrase);
                keeps = true;
                continue;
            }
            undoes = true;
            reader.verb_clause = Some(reader.clause);
            reader.flush(&mut current, Fate::Back, &mut phrase);
            continue;
        }
        if reader.take(&["neither"]) {
            reader.flush(&mut current, fate, &mut phrase);
            (fate, not_this) = (Fate::Stays, true);
            continue;
        }
        if reader.take(&["nor"]) {
            reader.flush(&mut current, fate, &mut phrase);
            fate = Fate::Stays;
            continue;
        }
        if let Some(stays) = reader.does_not_want() {
            reader.flush(&mut current, fate, &mut phrase);
            (fate, keeps, undoes) =
                if stays { (Fate::Stays, true, undoes) } else { (Fate::Back, keeps, true) };
            continue;
        }
        // "Nothing but the cart" is the cart; nothing alone is nothing.
        if reader.take(&["nothing"]) {
            let all_but = reader.take(EXCEPT) || reader.take(&["but"]);
            if undoes && fate == Fate::Back && !all_but {
                keeps = true;
            } else if !all_but {
                reader.unplaced.push(reader.at - 1);
            }
            continue;
        }
        // "No need to undo the cart, only the search."
        if fate == Fate::Stays
            && (not_this || reader.was_mark())
            && reader.take(&["only", "just"])
            && reader.length(KEEP, 0).is_none()
        {
            reader.flush(&mut current, fate, &mut phrase);
            (fate, undoes) = (Fate::Back, true);
            continue;
        }
        // "But only its css."
        if reader.take(&["its"]) {
            reader.flush(&mut current, fate, &mut phrase);
            reader.whole = phrase.objects.last().cloned().map(Box::new);
            if fate != Fate::Stays && reader.whole.is_some() {
                phrase.objects.pop();
            }
            continue;
        }
        if !current.is_empty()
            && fate != Fate::Moment
            && reader.length(WITHIN, 0).is_some()
            && !(reader.lower(0) == "from" && (all_back || phrase.rest))
        {
            reader.take(WITHIN);
            let part = Named::of(&current.join(" "));
            current.clear();
            reader.part = part;
            continue;
        }
        if let Some(word) = reader.path() {
            reader.flush(&mut current, fate, &mut phrase);
            current.push(word);
            reader.flush(&mut current, fate, &mut phrase);
            continue;
        }
        if reader.take(REST) {
            reader.flush(&mut current, fate, &mut phrase);
            match fate {
                Fate::Stays => {}
                _ => (phrase.rest, phrase.others) = (true, true),
            }
            continue;
        }
        if reader.take(EXCEPT) {
            reader.flush(&mut current, fate, &mut phrase);
            // "Keep everything except X" takes X back; in every other case X stays.
            fate = if fate == Fate::Stays && !all_back { Fate::Back } else { Fate::Stays };
            undoes |= fate == Fate::Back;
            excepts |= fate == Fate::Stays;
            if fate == Fate::Back {
                keeps = false;
            }
            if fate == Fate::Stays && phrase.objects.is_empty() {
                phrase.rest = true;
            }
            continue;
        }
        if reader.take(KEEP) {
            reader.flush(&mut current, fate, &mut phrase);
            let negated = reader.was_negated();
            fate = if negated { Fate::Back } else { Fate::Stays };
            undoes |= negated;
            keeps |= !negated;
            only_keeps |= !negated && (reader.before_verb() == "only" || reader.lower(0) == "only");
            continue;
        }
        if reader.negates(UNDO) || reader.negates(RESTORE) {
            reader.flush(&mut current, fate, &mut phrase);
            fate = Fate::Stays;
            keeps = true;
            continue;
        }
        if reader.take(GO_BACK) {
            reader.flush(&mut current, fate, &mut phrase);
            goes_back = true;
            fate = Fate::Back;
            continue;
        }
        if reader.take(UNDO) || reader.take_split(&["take", "roll", "turn", "change", "set"]) {
            reader.flush(&mut current, fate, &mut phrase);
            undoes = true;
            fate = Fate::Back;
            reader.verb_clause = Some(reader.clause);
            continue;
        }
        if reader.take(RESTORE) || reader.take_split(&["bring", "get", "put", "give", "want", "need", "have"])
        {
            reader.flush(&mut current, fate, &mut phrase);
            restores = true;
            fate = Fate::Back;
            continue;
        }
        let open_end = matches!(reader.lower(0), "up" | "until" | "till");
        let before = reader.before();
        if reader.take(&["before", "prior to", "older than", "earlier than", "up to", "until", "till"]) {
            reader.flush(&mut current, fate, &mut phrase);
            let to_there = goes_back || restores || matches!(before.as_str(), "to" | "state" | "as" | "it");
            let takes = undoes && fate == Fate::Back && !to_there;
            // "Undo everything before X" takes that and keeps X; "undo before X" may mean either.
            if takes && (open_end || UNDO.contains(&before.as_str())) {
                phrase.not_understood.push(format!("{} …", reader.before()));
            }
            phrase.edge = if takes { Edge::Until } else { Edge::Before };
            edge_said = true;
            fate = Fate::Moment;
            continue;
        }
        if reader.take(&["after", "later than", "newer than", "following"]) {
            reader.flush(&mut current, fate, &mut phrase);
            phrase.edge = Edge::After;
            edge_said = true;
            fate = Fate::Moment;
            continue;
        }
        if reader.take(&["since", "starting with", "starting from", "beginning with", "from"]) {
            reader.flush(&mut current, fate, &mut phrase);
            let names_more = reader.names_follow();
            if names_more && (all_back || phrase.rest || undoes) && fate != Fate::Stays {
                phrase.edge = Edge::Before;
                edge_said = true;
                fate = Fate::Moment;
            }
            continue;
        }
        if let Some(count) = reader.last() {
            reader.flush(&mut current, fate, &mut phrase);
            phrase.last = true;
            phrase.count = count;
            continue;
        }
        if reader.take(ALL) {
            all_back |= matches!(fate, Fate::Back | Fate::Open);
            phrase.all |= fate != Fate::Stays;
            continue;
        }
        if reader.take(&["and", "plus", "as well as", "&"]) {
            reader.flush(&mut current, fate, &mut phrase);
            continue;
        }
        if fate == Fate::Back
            && reader.lower(0) == "but"
            && all_back
            && phrase.objects.is_empty()
            && current.is_empty()
            && !phrase.rest
            && reader.names_after_but()
        {
            reader.take(&["but"]);
            (fate, phrase.rest, excepts) = (Fate::Stays, true, true);
            continue;
        }
        // One of two: which, nobody said.
        if fate == Fate::Back && undoes && !current.is_empty() && reader.take(&["or"]) {
            phrase.not_understood.push(format!("{} or …", current.join(" ")));
            continue;
        }
        if reader.take(&["but", "however", "yet", "although"]) {
            reader.flush(&mut current, fate, &mut phrase);
            // "Not the cart but the login."
            if std::mem::take(&mut not_this) && undoes {
                fate = Fate::Back;
            }
            continue;
        }
        if reader.negates_name(fate, undoes) {
            reader.flush(&mut current, fate, &mut phrase);
            fate = Fate::Stays;
            not_this = true;
            continue;
        }
        let word = reader.next();
        let lower = word.to_lowercase();
        if doubt::is_negation(&lower) {
            reader.unplaced.push(reader.at - 1);
            reader.beside.push(lower);
            continue;
        }
        // "Cannot find symbol cart": what kind of name it is.
        let kind = matches!(lower.as_str(), "symbol" | "identifier" | "variable");
        if kind && matches!(reader.before_verb(), "find" | "resolve" | "undefined" | "unknown") {
            continue;
        }
        let lower = lower.strip_suffix("'s").unwrap_or(&lower);
        wants |= matches!(lower, "want" | "wants" | "need" | "like" | "i'd");
        if matches!(lower, "that" | "this" | "it" | "those" | "these" | "them")
            && undoes
            && fate == Fate::Back
        {
            phrase.last = true;
        }
        if EMPTY.contains(&lower) || lower.is_empty() {
            reader.beside.push(lower.to_owned());
            continue;
        }
        if lower.bytes().all(|byte| byte.is_ascii_digit()) {
            let before = reader.before_verb().to_owned();
            if matches!(
                before.as_str(),
                "request" | "requests" | "prompt" | "prompts" | "turn" | "turns" | "and" | ","
            ) {
                phrase.not_understood.push(format!("{before} {lower}"));
            } else if undoes && phrase.count == 0 && current.is_empty() {
                phrase.count = lower.parse().unwrap_or(0);
                phrase.last = true;
            }
            continue;
        }
        current.push(lower.to_owned());
    }
    reader.flush(&mut current, fate, &mut phrase);
    // An exception of nothing, or nothing at all: never everything.
    if excepts && phrase.keep.is_empty() {
        phrase.not_understood.push("except …".to_owned());
    }
    let nothing_goes = phrase.objects.is_empty() && phrase.keep.is_empty() && !phrase.rest;
    if keeps && nothing_goes && phrase.at.is_none() && phrase.moment.is_none() {
        (phrase.only_keeps, undoes) = (true, true);
    }
    if only_keeps && phrase.objects.is_empty() && !phrase.keep.is_empty() {
        (phrase.rest, undoes) = (true, true);
    }
    // What was done an hour ago is not what was done since.
    let since =
        ["since", "after", "from", "everything", "all", "last", "past", "until", "to", "back", "within"];
    if undoes && said_ago && !goes_back && !restores && !reader.says_any(&since) {
        phrase.not_understood.push("… ago".to_owned());
    }
    if undoes && !goes_back && !restores && before_moment && !phrase.rest {
        phrase.edge = Edge::Until;
    }
    let gone = said(GONE);
    let moment_named = phrase.at.is_some() || phrase.moment.is_some();
    phrase.ask = match () {
        () if unasked => Ask::Unasked,
        () if explain && !undoes && !restores => Ask::Explain,
        () if goes_back && moment_named => Ask::GoBack,
        () if undoes && phrase.edge == Edge::Until => Ask::Undo,
        () if undoes && moment_named && (all_back || phrase.rest || phrase.objects.is_empty()) => Ask::GoBack,
        () if undoes => Ask::Undo,
        () if restores && moment_named && phrase.objects.is_empty() => Ask::GoBack,
        () if restores || (gone && !phrase.objects.is_empty()) => Ask::Restore,
        () if goes_back => Ask::GoBack,
        () if said(BROKE) => Ask::Broke,
        () if phrase.moment.is_some() || phrase.at.is_some() => Ask::GoBack,
        () if !phrase.keep.is_empty() => Ask::Undo,
        () => Ask::Broke,
    };
    phrase.mild = !(goes_back || undoes || restores);
    let words: Vec<&str> = reader.tokens.iter().map(|(_, word)| word.as_str()).collect();
    let unclear = doubt::find(&words, &reader.unplaced);
    if let Some(part) = unclear.filter(|_| !unasked) {
        phrase.not_understood.push(part);
        phrase.ask = Ask::Undo;
    }
    if unasked {
        phrase.objects.clear();
    }
    let may_be_rest = phrase.not_understood.is_empty() && !phrase.only_keeps;
    if phrase.ask == Ask::Undo
        && all_back
        && phrase.objects.is_empty()
        && !moment_named
        && !phrase.last
        && may_be_rest
    {
        phrase.rest = true;
    }
    // "How it was before": before the last change.
    if edge_said && !moment_named && phrase.objects.is_empty()
        || phrase.ask == Ask::GoBack && !moment_named && phrase.objects.is_empty()
    {
        phrase.last = true;
    }
    // A change that is named after "go back to": the moment is meant, not the change.
    if phrase.ask == Ask::GoBack
        && phrase.at.is_none()
        && phrase.moment.is_none()
        && phrase.objects.len() == 1
        && !phrase.objects[0].is_path
    {
        phrase.at = phrase.objects.pop();
        phrase.edge = Edge::After;
    }
    phrase
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let mut tokens = Vec::new();
        for word in text.split_whitespace() {
            let quotes = ['"', '\'', '`', '“', '”', '(', ')'];
            let bare = word.trim_matches(quotes);
            let core =
                bare.trim_end_matches([',', ';', '.', '!', '?', ':', ')', '"', '`']).trim_matches(quotes);
            if !core.is_empty() {
                tokens.push((core, core.to_lowercase()));
            }
            if bare.len() > core.len() && bare.ends_with([',', ';', '.', '!', '?', ':'])
                || word.ends_with([',', ';'])
            {
                tokens.push((",", ",".to_owned()));
            }
        }
        Self {
            tokens,
            at: 0,
            beside: Vec::new(),
            part: None,
            whole: None,
            clause: 0,
            verb_clause: None,
            unplaced: Vec::new(),
        }
    }

    /// "The cart must never be undone": a no stands before the verb. It is placed then.
    fn is_negated_before(&mut self, verb: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |(_, word)| word.as_str());
        let from = (0..verb)
            .rev()
            .find(|at| {
                let all_but = matches!(word(at.wrapping_sub(1)), "nothing" | "none" | "not" | "nobody");
                matches!(word(*at), "," | "and" | "or") || word(*at) == "but" && !all_but
            })
            .map_or(0, |at| at + 1);
        let is_no = |at: usize| {
            let all_but = matches!(word(at + 1), "but" | "except" | "other" | "besides");
            doubt::is_negation(word(at)) && !matches!(word(at), "why" | "who" | "stop") && !all_but
        };
        let negated = (from..verb).any(is_no);
        if negated {
            self.unplaced.retain(|at| !(from..verb).contains(at));
        }
        negated
    }

    /// "The cart and the login should stay": all that this part of the sentence has named, if no other verb stands in it.
    fn keep_all_of_clause(&self, current: &[String], phrase: &mut Phrase) {
        let (clause, objects) = (self.clause, std::mem::take(&mut phrase.objects));
        let (named, others): (Vec<Named>, Vec<Named>) =
            objects.into_iter().partition(|name| name.clause == clause);
        phrase.objects = others;
        if self.verb_clause != Some(clause) {
            phrase.keep.extend(named);
            return;
        }
        // "Undo the cart and the login and the mail should stay": the login may belong to either.
        let between = named.len() + usize::from(!current.is_empty());
        if between > 2 {
            phrase.not_understood.extend(named.last().map(|name| name.text.clone()));
        }
        phrase.objects.extend(named);
    }

    /// "Every second request": some of all, and the place of none.
    fn every_other(&self) -> bool {
        let nouns = ["request", "change", "edit", "prompt", "one", "step", "turn"];
        matches!(self.lower(0), "every" | "each")
            && (self.lower(1).starts_with(STAND_IN)
                || self.lower(1) == "other" && nouns.contains(&self.lower(2)) && self.lower(2) != "change")
    }

    fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn lower(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |(_, lower)| lower)
    }

    fn next(&mut self) -> String {
        let word = self.tokens.get(self.at).map(|(word, _)| (*word).to_owned()).unwrap_or_default();
        self.at += 1;
        word
    }

    fn take_mark(&mut self) -> bool {
        let is_mark = self.lower(0) == ",";
        self.at += usize::from(is_mark);
        is_mark
    }

    fn path(&mut self) -> Option<String> {
        let (word, lower) = self.tokens.get(self.at)?;
        let is_path = super::marks::is_path(word) && !matches!(lower.as_str(), "and/or" | "e.g" | "i.e");
        is_path.then(|| self.next())
    }

    /// How many tokens one of these marks takes here.
    fn length(&self, marks: &[&str], from: usize) -> Option<usize> {
        marks
            .iter()
            .filter_map(|mark| {
                let words: Vec<&str> = mark.split(' ').collect();
                let fits = words.iter().enumerate().all(|(ahead, word)| self.lower(from + ahead) == *word);
                fits.then_some(words.len())
            })
            .max()
    }

    fn take(&mut self, marks: &[&str]) -> bool {
        let length = self.length(marks, 0);
        self.at += length.unwrap_or(0);
        length.is_some()
    }

    /// "take the cart change back": a verb, and "back" before the clause ends.
    fn take_split(&mut self, verbs: &[&str]) -> bool {
        if !verbs.contains(&self.lower(0)) {
            return false;
        }
        for ahead in 1..10 {
            match self.lower(ahead) {
                "," | "" | "but" => return false,
                "back" if !matches!(self.lower(ahead + 1), "to" | "in" | "into") => {
                    self.at += 1;
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// "don't undo", "do not ever revert": a no before the verb.
    fn negates(&mut self, verbs: &[&str]) -> bool {
        let Some(no) = self.length(NOT, 0).or_else(|| self.length(NOT_TO, 0)) else { return false };
        for skip in 0..5 {
            if skip > 0
                && !matches!(
                    self.lower(no + skip - 1),
                    "ever" | "you" | "anybody" | "anyone" | "dare" | "please" | "want" | "to" | "also"
                )
            {
                break;
            }
            if let Some(verb) = self.length(verbs, no + skip) {
                self.at += no + skip + verb;
                return true;
            }
        }
        false
    }

    /// "not the cart": a no before a name, and not "does not work".
    fn negates_name(&mut self, fate: Fate, undoes: bool) -> bool {
        if !matches!(self.lower(0), "not" | "never" | "without")
            || fate == Fate::Open && !(undoes && self.was_mark())
        {
            return false;
        }
        // "Undo the cart? Never!" names nothing that stays.
        if matches!(self.lower(1), "" | "," | "really" | "please" | "and" | "but" | "or" | "at") {
            return false;
        }
        let before = self.at.checked_sub(1).map_or("", |at| self.tokens[at].1.as_str());
        if matches!(
            before,
            "does"
                | "do"
                | "did"
                | "is"
                | "was"
                | "are"
                | "were"
                | "can"
                | "could"
                | "will"
                | "would"
                | "should"
                | "has"
                | "have"
        ) {
            return false;
        }
        self.at += 1;
        true
    }

    /// The word before the verb that was just taken was a no.
    fn was_negated(&self) -> bool {
        let verb = self.at.saturating_sub(1);
        let before = verb.checked_sub(1).map_or("", |at| self.tokens[at].1.as_str());
        let taken = self.tokens.get(verb).map_or("", |(_, word)| word);
        matches!(before, "don't" | "dont" | "not" | "never")
            && matches!(taken, "keep" | "leave" | "preserve" | "retain")
    }

    /// The word before this one.
    fn before(&self) -> String {
        self.at.checked_sub(1).map_or_else(String::new, |at| self.tokens[at].1.clone())
    }

    /// The word before the verb of one word that was just taken.
    fn before_verb(&self) -> &str {
        self.at.checked_sub(2).map_or("", |at| self.tokens[at].1.as_str())
    }

    fn says_any(&self, words: &[&str]) -> bool {
        self.tokens.iter().any(|(_, token)| words.contains(&token.as_str()))
    }

    fn was_mark(&self) -> bool {
        self.before() == ","
    }

    fn is_number(&self, ahead: usize) -> bool {
        let word = self.lower(ahead);
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// The words up to the next mark, which are passed over.
    fn clause(&mut self) -> String {
        let mut words = Vec::new();
        while !self.is_done() && self.lower(0) != "," {
            words.push(self.next());
        }
        words.join(" ")
    }

    /// "I don't want the cart touched" keeps it, "I don't want the cart" takes it back; none: nothing like that is said.
    fn does_not_want(&mut self) -> Option<bool> {
        const NOT_WANTED: &[&str] = &[
            "don't want",
            "dont want",
            "do not want",
            "don't need",
            "dont need",
            "do not need",
            "never wanted",
        ];
        const CHANGED: &[&str] = &[
            "undone",
            "reverted",
            "touched",
            "changed",
            "gone",
            "removed",
            "lost",
            "rolled",
            "taken",
            "reset",
            "discarded",
            "lose",
            "touch",
            "undo",
            "revert",
        ];
        let length = self.length(NOT_WANTED, 0)?;
        let verbs: Vec<&str> = UNDO.iter().chain(RESTORE).copied().collect();
        if self.clone_at(length, |next| next.negated_later(&verbs)) {
            return None;
        }
        let end = (0..).find(|ahead| matches!(self.lower(*ahead), "," | "" | "but"))?;
        let stays = (length..end).any(|ahead| CHANGED.contains(&self.lower(ahead)));
        self.at += length;
        Some(stays)
    }

    /// "… to undo": the verb follows at once, and is read as a negated one.
    fn negated_later(&self, verbs: &[&str]) -> bool {
        let to = usize::from(matches!(self.lower(0), "you" | "anybody" | "anyone" | "it"));
        self.lower(to) == "to" && self.length(verbs, to + 1).is_some()
    }

    fn clone_at(&mut self, ahead: usize, look: impl FnOnce(&Self) -> bool) -> bool {
        self.at += ahead;
        let found = look(self);
        self.at -= ahead;
        found
    }

    /// "All the requests but the first": no other verb comes, and no "only".
    fn names_after_but(&self) -> bool {
        let verbs = [KEEP, UNDO, RESTORE, NOT].into_iter().any(|verbs| self.length(verbs, 1).is_some());
        !verbs && !matches!(self.lower(1), "only" | "just" | "not" | "please" | "i" | "you" | "" | ",")
    }

    fn names_follow(&self) -> bool {
        let next = self.lower(0);
        !next.is_empty() && next != ","
    }

    /// "the last two requests", "last change", "the latest": 0 where no number was said.
    fn last(&mut self) -> Option<usize> {
        let mut ahead = 0;
        if matches!(self.lower(0), "the" | "your" | "my") {
            ahead = 1;
        }
        if !matches!(self.lower(ahead), "last" | "latest" | "previous" | "recent" | "newest") {
            return None;
        }
        ahead += 1;
        let number = self.lower(ahead);
        let count = number.parse().ok().or_else(|| {
            time::NUMBERS
                .iter()
                .find(|(word, _)| *word == number)
                .and_then(|(_, count)| usize::try_from(*count).ok())
        });
        if count.is_some() {
            ahead += 1;
        }
        self.at += ahead;
        Some(count.unwrap_or(0))
    }

    fn flush(&mut self, current: &mut Vec<String>, fate: Fate, phrase: &mut Phrase) {
        let beside = std::mem::take(&mut self.beside);
        let text = std::mem::take(current).join(" ");
        let whole = Named::of(&text).map(|named| Named { beside, ..named });
        let named = match (self.part.take(), whole) {
            (Some(part), Some(whole)) => Named {
                text: format!("{} ({})", part.text, whole.text),
                whole: Some(Box::new(whole)),
                ..part
            },
            (Some(part), None) => part,
            (None, Some(named)) => match self.whole.take() {
                Some(whole) => {
                    Named { text: format!("{} ({})", named.text, whole.text), whole: Some(whole), ..named }
                }
                None => named,
            },
            (None, None) => return,
        };
        let named = Named { clause: self.clause, ..named };
        match fate {
            Fate::Stays => phrase.keep.push(named),
            Fate::Moment if phrase.at.is_none() && !named.is_path => phrase.at = Some(named),
            _ => phrase.objects.push(named),
        }
    }
}
