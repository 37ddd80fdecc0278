//! Which changes a person's words mean. A name is a request, a file or a function; what names nothing is asked back. (R5)

use std::collections::BTreeSet;

use serde::Serialize;

use crate::nouns;
use crate::phrase::{Ask, Edge, Named, Phrase, Which};
use crate::signals::{Actor, Signals};
use crate::signs::Hit;

/// What the words came to: what every surface says before anything else ("I understood: …").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Understood {
    /// Requests that are meant, in their own words.
    pub requests: Vec<String>,
    /// Files that are meant, where no request is.
    pub files: Vec<String>,
    /// What stays, as it was said.
    pub keeps: Vec<String>,
    /// Everything else since then.
    pub rest: bool,
    /// Since this moment, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// The last change or the last so many requests; 0: nobody asked for the last.
    pub last: usize,
    /// The moment lies before anything that is kept: this is the oldest.
    pub oldest_ms: Option<i64>,
}

/// The changes that are left to look at.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) changes: Vec<usize>,
    /// Words narrowed it.
    pub(crate) narrowed: bool,
    /// Where everything would go back to.
    pub(crate) moment: Option<usize>,
    pub(crate) understood: Understood,
    pub(crate) not_found: Vec<String>,
    /// What is wanted back is what was made for a request, and nothing of it was lost since.
    pub(crate) nothing_lost: bool,
}

impl Selection {
    /// What was found by the words of a complaint.
    pub(crate) fn tell(&mut self, signals: &Signals, hits: &[Hit]) {
        let mut files: Vec<String> =
            hits.iter().map(|hit| signals.changes[hit.change].path.clone()).collect();
        files.sort_unstable();
        files.dedup();
        self.understood.files = files;
        self.narrowed = true;
    }
}

/// What one name means.
enum Meaning {
    /// Requests: all that was changed for them.
    Requests(Vec<usize>),
    /// Files, by the changes of them.
    Files(Vec<usize>),
    Nothing,
}

impl Meaning {
    fn changes(&self) -> &[usize] {
        match self {
            Self::Requests(changes) | Self::Files(changes) => changes,
            Self::Nothing => &[],
        }
    }
}

pub(crate) fn select(signals: &Signals, phrase: &Phrase) -> Selection {
    Selector { signals, phrase }.select()
}

struct Selector<'s> {
    signals: &'s Signals,
    phrase: &'s Phrase,
}

impl Selector<'_> {
    fn select(&self) -> Selection {
        let mut out =
            Selection { changes: (0..self.signals.changes.len()).collect(), ..Selection::default() };
        let kept = self.kept(&mut out);
        self.since(&mut out);
        match self.phrase.ask {
            Ask::Broke | Ask::Explain | Ask::Unasked => self.narrow_gently(&mut out),
            Ask::Undo | Ask::Restore => self.wanted(&mut out),
            Ask::GoBack => self.narrow_to_files(&mut out),
        }
        let wanted = self.phrase.is_wish() && !self.phrase.objects.is_empty() && !self.phrase.rest;
        if wanted && !out.changes.is_empty() && out.changes.iter().all(|at| kept.contains(at)) {
            self.keep_a_part(&mut out);
            return out;
        }
        out.changes.retain(|at| !kept.contains(at));
        if self.phrase.is_wish() && !kept.is_empty() {
            // What stays is not told as what goes.
            let paths: BTreeSet<&str> =
                out.changes.iter().map(|&at| self.signals.changes[at].path.as_str()).collect();
            out.understood.files.retain(|path| paths.contains(path.as_str()));
        }
        // A complaint about some files needs no others: words that name nothing are about what is wrong with them.
        let by_path = self.phrase.objects.iter().any(|name| name.is_path && !self.of_path(name).is_empty());
        let found = !out.understood.files.is_empty() || !out.understood.requests.is_empty();
        if found && (self.phrase.complaint || self.phrase.ask == Ask::Restore && by_path) {
            out.not_found.retain(|text| crate::phrase::is_path(text));
        } else if found && self.phrase.ask == Ask::Restore {
            // "Bring the discount back, the shop needs it": why it is wanted stands in a clause of its own.
            let first = self.phrase.objects.iter().map(|name| name.clause).min();
            let is_why = |text: &String| {
                self.phrase.objects.iter().any(|name| name.text == *text && Some(name.clause) > first)
            };
            out.not_found.retain(|text| !is_why(text));
        }
        out
    }

    /// "Undo the cart change, but keep the styles": what stays is a part of what was named. If it cannot be told which, it is asked.
    fn keep_a_part(&self, out: &mut Selection) {
        let mut kept = BTreeSet::new();
        for name in &self.phrase.keep {
            let part = self.part_of(&Named { whole: None, ..name.clone() }, &out.changes);
            if part.is_empty() || part.len() == out.changes.len() {
                out.not_found.push(name.text.clone());
            }
            kept.extend(part);
        }
        out.changes.retain(|at| !kept.contains(at));
    }

    /// What is to stay. A name that cannot be found may be any of the changes: then nothing is recommended.
    fn kept(&self, out: &mut Selection) -> BTreeSet<usize> {
        let mut kept = BTreeSet::new();
        for name in &self.phrase.keep {
            let meaning = self.meaning(name, false);
            if meaning.changes().is_empty() {
                out.not_found.push(name.text.clone());
            } else {
                out.understood.keeps.push(name.text.clone());
                kept.extend(meaning.changes().iter().copied());
            }
        }
        kept
    }

    /// From a moment on.
    fn since(&self, out: &mut Selection) {
        if let Some(moment) = self.phrase.moment {
            let border = moment.at(self.signals.now_ms, self.signals.midnight_ms);
            out.understood.since_ms = Some(border);
            let from = self.signals.looked_from_ms;
            if self.phrase.is_wish() && from.is_none_or(|from| from > border) {
                out.understood.oldest_ms = from.or(Some(self.signals.now_ms));
            }
            if self.phrase.edge == Edge::Until {
                out.understood.since_ms = None;
                out.changes.retain(|&at| self.step(at).time_ms < border);
            } else {
                out.changes.retain(|&at| self.step(at).time_ms >= border);
                out.moment = out.changes.first().copied();
            }
            out.narrowed = true;
        }
        if let Some(name) = &self.phrase.at {
            let meaning = self.meaning(name, false);
            let found = meaning.changes();
            let newest = found.last().map(|&at| self.request(at));
            let of_newest: Vec<usize> =
                found.iter().copied().filter(|&at| Some(self.request(at)) == newest).collect();
            let (Some(&first), Some(&last)) = (of_newest.first(), of_newest.last()) else {
                out.not_found.push(name.text.clone());
                return;
            };
            if self.phrase.edge == Edge::Until {
                out.changes.retain(|&at| at < first);
                out.narrowed = true;
                return;
            }
            if let Some(prompt) = self.signals.request_of(first) {
                out.understood.requests.push(prompt.to_owned());
            } else {
                out.understood.files.push(self.signals.changes[first].path.clone());
            }
            let from = match self.phrase.edge {
                Edge::Before | Edge::Until => first,
                Edge::After => last + 1,
            };
            out.changes.retain(|&at| at >= from);
            out.understood.since_ms =
                self.signals.changes.get(from).map(|change| self.signals.steps[change.step].time_ms);
            out.moment = Some(from);
            out.narrowed = true;
        }
    }

    /// A complaint: names narrow what is looked at, and what names nothing narrows nothing.
    fn narrow_gently(&self, out: &mut Selection) {
        let mut found = BTreeSet::new();
        for name in &self.phrase.objects {
            let by_path: Vec<usize> = self.of_path(name);
            let meaning = if by_path.is_empty() { self.meaning(name, true) } else { Meaning::Files(by_path) };
            if name.is_path && meaning.changes().is_empty() {
                out.not_found.push(name.text.clone());
            }
            found.extend(meaning.changes().iter().copied());
            // What is wrong with the work of a request may have been done to it later.
            if let Meaning::Requests(changes) = &meaning {
                found.extend(self.later_on_the_same(changes));
            }
        }
        if !found.is_empty() {
            out.changes.retain(|at| found.contains(at));
            out.narrowed = true;
            self.tell_files(out);
        }
    }

    /// A moment for some files only.
    fn narrow_to_files(&self, out: &mut Selection) {
        if self.phrase.objects.is_empty() {
            return;
        }
        let mut found = BTreeSet::new();
        for name in &self.phrase.objects {
            let meaning = self.meaning(name, true);
            if meaning.changes().is_empty() {
                out.not_found.push(name.text.clone());
            }
            found.extend(meaning.changes().iter().copied());
        }
        out.changes.retain(|at| found.contains(at));
        out.narrowed = true;
        self.tell_files(out);
    }

    fn wanted(&self, out: &mut Selection) {
        let phrase = self.phrase;
        if phrase.only_keeps {
            out.changes.clear();
            return;
        }
        if !phrase.objects.is_empty() {
            let mut found = BTreeSet::new();
            for name in &phrase.objects {
                let meaning = self.meaning(name, phrase.ask == Ask::Restore);
                match &meaning {
                    Meaning::Nothing => out.not_found.push(name.text.clone()),
                    Meaning::Requests(changes) if phrase.ask == Ask::Restore => {
                        // Nobody asks to have back what takes it away: the work of that request, where it was lost.
                        let lost = self.lost_of(name, changes);
                        out.nothing_lost |= lost.is_empty();
                        self.tell_requests(changes, out);
                        found.extend(lost);
                    }
                    Meaning::Requests(changes) => {
                        let mut changes = changes.clone();
                        if phrase.last {
                            let newest = changes.last().map(|&at| self.request(at));
                            changes.retain(|&at| Some(self.request(at)) == newest);
                        }
                        self.tell_requests(&changes, out);
                        if out.understood.requests.is_empty()
                            || name.which.contains(&Which::Person)
                            || name.whole.is_some()
                        {
                            self.tell_paths(&changes, out);
                        }
                        found.extend(changes);
                    }
                    Meaning::Files(changes) => {
                        let chosen = self.of_files(changes);
                        for &at in &chosen {
                            let path = &self.signals.changes[at].path;
                            if !out.understood.files.contains(path) {
                                out.understood.files.push(path.clone());
                            }
                        }
                        found.extend(chosen);
                    }
                }
            }
            if !phrase.rest {
                out.changes.retain(|at| found.contains(at));
                out.narrowed = true;
                return;
            }
        }
        if phrase.rest {
            out.understood.rest = true;
            self.rest(out);
            out.narrowed = true;
            return;
        }
        if phrase.edge == Edge::Until {
            out.changes.retain(|&at| self.is_agents(at) && self.signals.stands(at));
            let changes = out.changes.clone();
            self.tell_requests(&changes, out);
            return;
        }
        if out.moment.is_some() || phrase.moment.is_some() || phrase.at.is_some() {
            return;
        }
        // Nothing is named: the last request, or the last so many.
        let count = phrase.count.max(1);
        let mut last: Vec<(Option<&str>, Option<&str>)> = Vec::new();
        for &at in out.changes.iter().rev().filter(|&&at| self.signals.stands(at) && self.is_agents(at)) {
            let request = self.request(at);
            if !last.contains(&request) {
                if last.len() == count {
                    break;
                }
                last.push(request);
            }
        }
        out.understood.last = count;
        if last.is_empty() {
            let newest = out
                .changes
                .iter()
                .rev()
                .copied()
                .find(|&at| !self.signals.changes[at].still.same)
                .map(|at| self.step(at).seq);
            out.changes.retain(|&at| Some(self.step(at).seq) == newest);
        } else {
            out.changes.retain(|&at| self.is_agents(at) && last.contains(&self.request(at)));
        }
        let changes = out.changes.clone();
        self.tell_requests(&changes, out);
        out.narrowed = true;
    }

    fn tell_requests(&self, changes: &[usize], out: &mut Selection) {
        for &at in changes {
            if let Some(prompt) = self.signals.request_of(at).filter(|_| self.is_agents(at))
                && !out.understood.requests.iter().any(|known| known == prompt)
            {
                out.understood.requests.push(prompt.to_owned());
            }
        }
    }

    fn tell_paths(&self, changes: &[usize], out: &mut Selection) {
        for &at in changes {
            let path = &self.signals.changes[at].path;
            if !out.understood.files.contains(path) {
                out.understood.files.push(path.clone());
            }
        }
    }

    /// Changes of the same files that came after all of these, for other requests.
    fn later_on_the_same(&self, changes: &[usize]) -> Vec<usize> {
        let paths: BTreeSet<&str> =
            changes.iter().map(|&at| self.signals.changes[at].path.as_str()).collect();
        let own: BTreeSet<usize> = changes.iter().copied().collect();
        let first = own.first().copied().unwrap_or(usize::MAX);
        let later = first..self.signals.changes.len();
        later
            .filter(|at| !own.contains(at) && paths.contains(self.signals.changes[*at].path.as_str()))
            .filter(|&at| self.signals.stands(at))
            .collect()
    }

    /// Changes with which something of these went: what a request took away itself, or what came later and took it away. (B1)
    fn lost_of(&self, name: &Named, changes: &[usize]) -> Vec<usize> {
        let takes = |at: usize| {
            let (made, still) = (&self.signals.changes[at].made, &self.signals.changes[at].still);
            made.gone && still.gone || made.emptied && still.emptied || made.mostly_lost && still.mostly_lost
        };
        let made: BTreeSet<&String> =
            changes.iter().flat_map(|&at| &self.signals.changes[at].made.names_new).collect();
        let speaks = |text: &str| {
            name.words.iter().any(|word| {
                if word.is_ascii() {
                    crate::paths::words(text).iter().any(|part| crate::paths::same_word(part, word))
                } else {
                    text.contains(word.as_str())
                }
            })
        };
        let took_of_it = |at: usize| {
            let facts = &self.signals.changes[at].made;
            takes(at)
                || facts.parts_lost.is_some()
                || facts.names_lost.iter().any(|name| made.contains(name) || speaks(name))
                || speaks(&facts.lost_text)
        };
        let own = changes.iter().copied().filter(|&at| {
            let facts = &self.signals.changes[at].made;
            self.signals.stands(at) && (takes(at) || facts.names_lost.iter().any(|name| speaks(name)))
        });
        let mut lost: Vec<usize> = own.collect();
        lost.extend(self.later_on_the_same(changes).into_iter().filter(|&at| took_of_it(at)));
        lost.sort_unstable();
        lost.dedup();
        lost
    }

    /// "Everything", "the rest": all that is kept of what agents did, in whichever session, or since the moment that was named. The
    /// oldest of it is told with its time.
    fn rest(&self, out: &mut Selection) {
        out.changes.retain(|&at| self.is_agents(at));
        out.understood.since_ms = out.changes.first().map(|&at| self.step(at).time_ms);
    }

    /// Of a file that was named: the newest request that changed it. What is brought back is found by its damage instead.
    fn of_files(&self, changes: &[usize]) -> Vec<usize> {
        if self.phrase.ask == Ask::Restore {
            return changes.to_vec();
        }
        let mut paths: Vec<&str> = changes.iter().map(|&at| self.signals.changes[at].path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        let mut chosen = Vec::new();
        for path in paths {
            let of_path: Vec<usize> = changes
                .iter()
                .copied()
                .filter(|&at| self.signals.changes[at].path == path && self.signals.stands(at))
                .collect();
            let newest = of_path.last().map(|&at| (self.request(at), self.is_agents(at)));
            chosen.extend(
                of_path.into_iter().filter(|&at| Some((self.request(at), self.is_agents(at))) == newest),
            );
        }
        chosen.sort_unstable();
        chosen
    }

    fn tell_files(&self, out: &mut Selection) {
        let mut files: Vec<String> =
            out.changes.iter().map(|&at| self.signals.changes[at].path.clone()).collect();
        files.sort_unstable();
        files.dedup();
        out.understood.files = files;
    }

    /// What a name means: all of its words in a request, in a path, in a function's name; then some of them.
    fn meaning(&self, name: &Named, files_first: bool) -> Meaning {
        if !name.which.is_empty() {
            let found = self.by_place(name);
            return if found.is_empty() { Meaning::Nothing } else { Meaning::Requests(found) };
        }
        if let Some(whole) = &name.whole {
            let part = self.part_of(name, self.meaning(whole, files_first).changes());
            return if part.is_empty() { Meaning::Nothing } else { Meaning::Requests(part) };
        }
        // One letter is no name.
        if !name.is_path && name.words.iter().all(|word| word.len() == 1) {
            return Meaning::Nothing;
        }
        let by_path = self.of_path(name);
        if name.is_path {
            return if by_path.is_empty() { Meaning::Nothing } else { Meaning::Files(by_path) };
        }
        let (requests, score) = self.of_request(name);
        let whole = score == name.words.len();
        // "다크 모드 css": a request, and a part of what it changed.
        if let Some(part) = self.part_by_words(name, &requests, whole) {
            return Meaning::Requests(part);
        }
        if files_first && !by_path.is_empty() {
            return Meaning::Files(by_path);
        }
        if whole && !requests.is_empty() {
            return Meaning::Requests(requests);
        }
        if !by_path.is_empty() {
            return Meaning::Files(by_path);
        }
        let by_symbol = self.of_symbol(name);
        if !by_symbol.is_empty() {
            return Meaning::Files(by_symbol);
        }
        let by_noun = self.of_noun(name);
        if !by_noun.is_empty() {
            return Meaning::Files(by_noun);
        }
        // A part of what was said is enough only if it is most of it.
        if score * 2 > name.words.len() {
            return Meaning::Requests(requests);
        }
        Meaning::Nothing
    }

    fn of_path(&self, name: &Named) -> Vec<usize> {
        let changes = self.signals.changes.iter().enumerate();
        changes.filter(|(_, change)| name.names_path(&change.path)).map(|(at, _)| at).collect()
    }

    fn of_request(&self, name: &Named) -> (Vec<usize>, usize) {
        let mut best = 0;
        let mut found = Vec::new();
        for at in (0..self.signals.changes.len()).filter(|&at| self.is_agents(at)) {
            let score = self.signals.request_of(at).map_or(0, |prompt| name.score(prompt));
            if score > best {
                best = score;
                found.clear();
            }
            if score == best && score > 0 {
                found.push(at);
            }
        }
        // "Feature one" and "feature two" are told apart by what else was said.
        let beside = |at: usize| {
            let said = crate::paths::words(self.signals.request_of(at).unwrap_or_default());
            name.beside.iter().filter(|word| said.contains(word)).count()
        };
        let most = found.iter().map(|&at| beside(at)).max().unwrap_or(0);
        found.retain(|&at| beside(at) == most);
        (found, best)
    }

    /// Of these changes, those that a part is called after: a path, a kind of file, a function.
    fn part_of(&self, part: &Named, changes: &[usize]) -> Vec<usize> {
        let path = |at: &usize| self.signals.changes[*at].path.as_str();
        let said: Vec<usize> = changes.iter().copied().filter(|at| part.names_path(path(at))).collect();
        if !said.is_empty() {
            return said;
        }
        let called = |at: &usize| nouns::named_in(&part.words.join(" "), path(at)) > 0;
        let found: Vec<usize> = changes.iter().copied().filter(called).collect();
        if !found.is_empty() {
            return found;
        }
        let plain = Named { whole: None, ..part.clone() };
        let meant: BTreeSet<usize> = self.meaning(&plain, true).changes().iter().copied().collect();
        changes.iter().copied().filter(|at| meant.contains(at)).collect()
    }

    /// Some words name a request, and the others a part of what it changed: less than all of it.
    fn part_by_words(&self, name: &Named, requests: &[usize], whole: bool) -> Option<Vec<usize>> {
        let prompt = self.signals.request_of(*requests.first()?)?;
        let one = |word: &String| Named { text: word.clone(), words: vec![word.clone()], ..Named::default() };
        let left: Vec<&String> = name.words.iter().filter(|word| one(word).score(prompt) == 0).collect();
        if left.is_empty()
            || left.len() == name.words.len()
            || whole && left.iter().all(|word| !word.is_ascii())
        {
            return None;
        }
        let left =
            Named { text: String::new(), words: left.into_iter().cloned().collect(), ..Named::default() };
        let part = self.part_of(&left, requests);
        (!part.is_empty() && part.len() < requests.len()).then_some(part)
    }

    /// "The last two", "the third request", "what gemini did".
    fn by_place(&self, name: &Named) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.signals.changes.len()).collect();
        if !name.words.is_empty() {
            let plain = Named { which: Vec::new(), ..name.clone() };
            let named = self.meaning(&plain, false);
            found = named.changes().to_vec();
        }
        let is_person = name.which.contains(&Which::Person);
        found.retain(|&at| {
            self.signals.stands(at)
                && if is_person { self.step(at).actor == Actor::Person } else { self.is_agents(at) }
        });
        for which in &name.which {
            if let Which::Client(client) = which {
                let of = |at: &usize| {
                    self.step(*at).session.as_ref().and_then(|session| self.signals.clients.get(session))
                };
                found.retain(|at| of(at) == Some(client));
            }
        }
        for which in &name.which {
            self.place(which, &mut found);
        }
        found
    }

    fn place(&self, which: &Which, found: &mut Vec<usize>) {
        let mut requests: Vec<(Option<&str>, Option<&str>)> = Vec::new();
        for &at in found.iter() {
            if !requests.contains(&self.request(at)) {
                requests.push(self.request(at));
            }
        }
        let all = requests.len();
        let one =
            |at: Option<usize>| at.and_then(|at| requests.get(at)).copied().into_iter().collect::<Vec<_>>();
        let chosen: Vec<(Option<&str>, Option<&str>)> = match which {
            Which::Client(_) | Which::Agents | Which::Person => return,
            Which::Last(count) => requests.split_off(all.saturating_sub(*count)),
            // Counted from a beginning that is not known, or past what is there, it may be any.
            Which::First(count) if self.signals.looked_at_all && *count <= all => requests[..*count].to_vec(),
            Which::Nth(place) if self.signals.looked_at_all && self.is_numbered(&requests, *place) => {
                one(place.checked_sub(1))
            }
            Which::First(_) | Which::Nth(_) => Vec::new(),
            Which::FromEnd(place) => one(all.checked_sub(*place)),
            Which::Number(number) => match self.signals.requests.get(number) {
                Some((session, turn)) => vec![(Some(session.as_str()), Some(turn.as_str()))],
                // Without a register they are counted.
                None if self.signals.requests.is_empty() && self.signals.looked_at_all => {
                    one(usize::try_from(*number).ok().and_then(|place| place.checked_sub(1)))
                }
                None => Vec::new(),
            },
            Which::Exact(words) => {
                let same = |at: &usize| self.signals.request_of(*at) == Some(words);
                found.iter().rev().copied().find(same).map(|at| self.request(at)).into_iter().collect()
            }
        };
        found.retain(|&at| chosen.contains(&self.request(at)));
    }

    /// The request at this place has this number too, as far as requests are numbered: else two people would count differently.
    fn is_numbered(&self, requests: &[(Option<&str>, Option<&str>)], place: usize) -> bool {
        let number = i64::try_from(place).ok().and_then(|number| self.signals.requests.get(&number));
        let here = place.checked_sub(1).and_then(|at| requests.get(at));
        match (number, here) {
            (Some((session, turn)), Some(here)) => *here == (Some(session.as_str()), Some(turn.as_str())),
            (None, Some(_)) => self.signals.requests.is_empty(),
            _ => false,
        }
    }

    fn of_symbol(&self, name: &Named) -> Vec<usize> {
        let said: String = name.words.concat().to_lowercase();
        let is = |symbol: &String| symbol.to_lowercase().replace('_', "") == said;
        let changes = self.signals.changes.iter().enumerate();
        changes
            .filter(|(_, change)| change.made.names_lost.iter().chain(&change.made.names_new).any(is))
            .map(|(at, _)| at)
            .collect()
    }

    /// Files that are called in another language what the person says: all of it, and no less.
    fn of_noun(&self, name: &Named) -> Vec<usize> {
        let said = nouns::said(&name.text);
        if said == 0 || name.text.is_ascii() {
            return Vec::new();
        }
        let changes = self.signals.changes.iter().enumerate();
        changes
            .filter(|(_, change)| nouns::named_in(&name.text, &change.path) == said)
            .map(|(at, _)| at)
            .collect()
    }

    fn step(&self, at: usize) -> &crate::signals::Step {
        &self.signals.steps[self.signals.changes[at].step]
    }

    fn request(&self, at: usize) -> (Option<&str>, Option<&str>) {
        let step = self.step(at);
        (step.session.as_deref(), step.turn.as_deref())
    }

    fn is_agents(&self, at: usize) -> bool {
        matches!(self.step(at).actor, Actor::Edit | Actor::Command)
    }
}
