//! What looks like damage: sign by sign, from what each step did and what is left of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Serialize;

use crate::asked::{self, Wish};
use crate::diagnose::Remedy;
use crate::paths;
use crate::signals::{Actor, Change, Kind, Need, Signals, Source, Step};

/// So many files renamed, rewritten or replaced alike by one command are many.
const MANY_MOVED: usize = 3;
const MANY_ALIKE: usize = 3;
const MANY_REWRITTEN: usize = 8;
const MANY_NEW: usize = 20;

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum Sign {
    /// It is gone, and nobody asked for that.
    Deleted,
    /// It is empty.
    Emptied,
    /// Most of it is gone.
    MostlyLost,
    /// A remark or a stub stands where code was.
    Placeholder,
    /// Something entirely different stands in its place.
    Overwritten,
    /// Names are gone that others still use.
    NamesLost {
        /// Which.
        names: Vec<String>,
    },
    /// A name was changed here and is still used there.
    HalfRenamed {
        /// The old name.
        old: String,
        /// The new one.
        new: String,
    },
    /// It cannot be parsed any more.
    Broken,
    /// Conflict markers.
    Markers,
    /// Letters are spoilt.
    Encoding,
    /// Only white space changed, unasked.
    WhiteSpace,
    /// Only line ends changed, unasked.
    LineEnds,
    /// It can no longer be run.
    NotRunnable,
    /// A link is no link any more, or the like.
    KindChanged,
    /// A test checks less.
    TestsWeaker,
    /// A secret is in it.
    Secret,
    /// The list of what the project is built from lost entries.
    Manifest,
    /// One text took the place of another in many files.
    Replaced {
        /// What it was.
        old: String,
        /// What it is.
        new: String,
    },
    /// One command rewrote many files.
    Rewritten,
    /// One command renamed files, and others still use the old names.
    Renamed,
    /// One command took back what had been done before.
    WentBack,
    /// One command made many files.
    Flood,
    /// Outside the intent zone: a drift candidate.
    Drift,
    /// Changed since a check passed that fails now.
    CheckFails {
        /// Which.
        command: String,
    },
    /// The agent runs in circles here.
    Circling,
    /// The person protected it, and it was changed all the same.
    Protected,
    /// The person asked to take this back.
    Wanted,
}

impl Sign {
    /// What knows it.
    pub fn source(&self) -> Source {
        match self {
            Self::Broken | Self::NamesLost { .. } | Self::HalfRenamed { .. } => Source::Map,
            Self::Drift | Self::CheckFails { .. } => Source::Memory,
            Self::Secret | Self::TestsWeaker | Self::Markers | Self::Protected => Source::Guard,
            Self::Encoding | Self::Placeholder | Self::Overwritten | Self::Manifest => Source::Files,
            Self::Circling => Source::Spiral,
            _ => Source::Checkpoints,
        }
    }

    /// The stable word for it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Emptied => "emptied",
            Self::MostlyLost => "mostly-lost",
            Self::Placeholder => "placeholder",
            Self::Overwritten => "overwritten",
            Self::NamesLost { .. } => "names-lost",
            Self::HalfRenamed { .. } => "half-renamed",
            Self::Broken => "broken",
            Self::Markers => "markers",
            Self::Encoding => "encoding",
            Self::WhiteSpace => "white-space",
            Self::LineEnds => "line-ends",
            Self::NotRunnable => "not-runnable",
            Self::KindChanged => "kind-changed",
            Self::TestsWeaker => "tests-weaker",
            Self::Secret => "secret",
            Self::Manifest => "manifest",
            Self::Replaced { .. } => "replaced",
            Self::Rewritten => "rewritten",
            Self::Renamed => "renamed",
            Self::WentBack => "went-back",
            Self::Flood => "flood",
            Self::Drift => "drift",
            Self::CheckFails { .. } => "check-fails",
            Self::Circling => "circling",
            Self::Protected => "protected",
            Self::Wanted => "wanted",
        }
    }
}

/// A sign at one change.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    /// The change, by its place in the signals.
    pub(crate) change: usize,
    pub(crate) sign: Sign,
    pub(crate) remedy: Remedy,
    /// Where the remedy has to happen, if not at the change's own path.
    pub(crate) elsewhere: Vec<String>,
}

/// Looks for signs among these changes.
pub(crate) fn hits(signals: &Signals, among: &[usize]) -> Vec<Hit> {
    let mut found: Vec<Hit> = Vec::new();
    let mut by_step: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &at in among {
        by_step.entry(signals.changes[at].step).or_default().push(at);
    }
    let look = Look::new(signals);
    for (step, changes) in by_step {
        let step = &signals.steps[step];
        let whole = look.whole_step(step, &changes);
        for &at in &changes {
            let change = &signals.changes[at];
            if change.still.same {
                continue;
            }
            if let Some((sign, elsewhere, remedy)) = look.change(step, change) {
                found.push(Hit { change: at, sign, remedy, elsewhere });
            } else if let Some(sign) = whole.get(&at) {
                found.push(Hit {
                    change: at,
                    sign: sign.clone(),
                    remedy: Remedy::Restore,
                    elsewhere: Vec::new(),
                });
            }
        }
        // One accident, one name: what a command did to many files alike is told as that, and taken back as a whole. What has
        // to be seen to by hand in any case stays apart.
        for hit in found.iter_mut().filter(|hit| changes.binary_search(&hit.change).is_ok()) {
            let by_hand = matches!(hit.sign, Sign::Secret | Sign::Markers);
            if let Some(sign) = whole.get(&hit.change).filter(|_| !by_hand) {
                hit.sign = sign.clone();
                hit.remedy = Remedy::Restore;
                hit.elsewhere.clear();
            }
        }
    }
    found
}

struct Look<'s> {
    signals: &'s Signals,
    needs: HashMap<&'s str, Vec<&'s Need>>,
    /// In which step of the window a path was first made.
    made_in: HashMap<&'s str, usize>,
    /// Names that came to be defined somewhere.
    come: HashSet<&'s str>,
}

impl<'s> Look<'s> {
    fn new(signals: &'s Signals) -> Self {
        let mut needs: HashMap<&str, Vec<&Need>> = HashMap::new();
        for need in &signals.needs {
            needs.entry(&need.path).or_default().push(need);
        }
        let mut made_in = HashMap::new();
        for change in signals.changes.iter().filter(|change| change.kind == Kind::Added) {
            made_in.entry(change.path.as_str()).or_insert(change.step);
        }
        let still_there = signals.changes.iter().filter(|change| !change.still.gone);
        let come = still_there.flat_map(|change| &change.still.names_new).map(String::as_str).collect();
        Self { signals, needs, made_in, come }
    }

    fn is_needed(&self, path: &str) -> bool {
        self.needs
            .get(path)
            .is_some_and(|needs| needs.iter().any(|need| need.name.is_none() && !need.by.is_empty()))
    }

    /// Signs that only the whole of a step shows.
    fn whole_step(&self, step: &Step, changes: &[usize]) -> HashMap<usize, Sign> {
        let mut signs = HashMap::new();
        if step.actor == Actor::Edit {
            return signs;
        }
        let all: Vec<(usize, &Change)> = changes
            .iter()
            .map(|&at| (at, &self.signals.changes[at]))
            .filter(|(_, change)| !change.still.same)
            .collect();
        let request = step.prompt.as_deref();
        self.renames(&all, request, &mut signs);
        let modified: Vec<&(usize, &Change)> = all
            .iter()
            .filter(|(_, change)| change.kind == Kind::Modified && !change.made.mode_only)
            .collect();
        let mut alike: BTreeMap<&(String, String), usize> = BTreeMap::new();
        for (_, change) in &modified {
            if let Some(pair) = &change.made.replaced {
                *alike.entry(pair).or_default() += 1;
            }
        }
        // Where there are very many, only some were read: they stand for all.
        let read = modified.iter().filter(|(_, change)| change.made.compared).count();
        let common = alike.into_iter().max_by_key(|(_, count)| *count);
        // A command is one act, and what it did to one file it meant for all. Without hooks everything since the last save
        // looks like one step: then each file has to show the sign itself.
        let one_act = step.actor == Actor::Command;
        let blank = modified.iter().filter(|(_, change)| change.made.blank_only).count();
        if blank * 2 > read && blank >= MANY_ALIKE {
            if !asked::wishes(request, Wish::Format) {
                let ends = modified.iter().all(|(_, change)| change.made.line_ends || !change.made.compared);
                let sign = if ends { Sign::LineEnds } else { Sign::WhiteSpace };
                let shows = |change: &Change| one_act || change.made.blank_only;
                signs.extend(modified.iter().filter(|(_, c)| shows(c)).map(|(at, _)| (*at, sign.clone())));
            }
        } else if let Some(((old, new), count)) = common
            && count >= MANY_ALIKE
            && count * 2 >= read
        {
            if !asked_replacement(request, old, new) {
                // A letter that came or went says nothing to anybody.
                let sign = if old.trim().is_empty() || new.trim().is_empty() {
                    Sign::Rewritten
                } else {
                    Sign::Replaced { old: old.clone(), new: new.clone() }
                };
                let pair = Some((old.clone(), new.clone()));
                let shows = |change: &Change| one_act || change.made.replaced == pair;
                signs.extend(modified.iter().filter(|(_, c)| shows(c)).map(|(at, _)| (*at, sign.clone())));
            }
        } else if one_act && modified.len() >= MANY_REWRITTEN && !asked_much(request) {
            signs.extend(modified.iter().map(|(at, _)| (*at, Sign::Rewritten)));
        }
        let new: Vec<usize> = all
            .iter()
            .filter(|(at, change)| {
                change.kind == Kind::Added && change.moved.is_none() && !signs.contains_key(at)
            })
            .map(|(at, _)| *at)
            .collect();
        if one_act && new.len() >= MANY_NEW && !asked::wishes(request, Wish::Dependencies) {
            let unasked = |at: &&usize| !asked::names(request, &self.signals.changes[**at].path);
            signs.extend(new.iter().filter(unasked).map(|at| (*at, Sign::Flood)));
        }
        self.inside_changed_kinds(&all, &mut signs);
        signs
    }

    fn renames(&self, all: &[(usize, &Change)], request: Option<&str>, signs: &mut HashMap<usize, Sign>) {
        let gone: Vec<&(usize, &Change)> =
            all.iter().filter(|(_, change)| change.kind == Kind::Removed && change.moved.is_some()).collect();
        let hurts = gone.len() >= MANY_MOVED || gone.iter().any(|(_, change)| self.is_needed(&change.path));
        if !hurts || asked::wishes(request, Wish::Rename) {
            return;
        }
        let names: HashSet<&str> = gone.iter().filter_map(|(_, change)| change.moved.as_deref()).collect();
        signs.extend(gone.iter().map(|(at, _)| (*at, Sign::Renamed)));
        let new = all.iter().filter(|(_, change)| names.contains(change.path.as_str()));
        signs.extend(new.map(|(at, _)| (*at, Sign::Renamed)));
    }

    /// What came to lie in a folder that was a link belongs to the same accident.
    fn inside_changed_kinds(&self, all: &[(usize, &Change)], signs: &mut HashMap<usize, Sign>) {
        let changed: Vec<&str> = all
            .iter()
            .filter(|(_, change)| change.kind == Kind::Type)
            .map(|(_, change)| change.path.as_str())
            .collect();
        for (at, change) in all {
            let inside =
                |folder: &&str| change.path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/'));
            if !changed.is_empty() && changed.iter().any(inside) {
                signs.insert(*at, Sign::KindChanged);
            }
        }
    }

    /// Signs of one change, the weightiest first.
    fn change(&self, step: &Step, change: &Change) -> Option<(Sign, Vec<String>, Remedy)> {
        let request = step.prompt.as_deref();
        let (made, still) = (&change.made, &change.still);
        let restore = |sign: Sign| Some((sign, Vec::new(), Remedy::Restore));
        let mend = |sign: Sign| Some((sign, Vec::new(), Remedy::Mend));
        if self.signals.guard.iter().any(|note| note.code == "protected" && note.path == change.path) {
            return restore(Sign::Protected);
        }
        if change.kind == Kind::Type {
            return restore(Sign::KindChanged);
        }
        if change.went_back && step.actor != Actor::Edit && !asked::wishes(request, Wish::GoBack) {
            return restore(Sign::WentBack);
        }
        if made.gone && still.gone {
            return self.deleted(step, change, request);
        }
        if made.emptied && still.emptied {
            return restore(Sign::Emptied);
        }
        if made.encoding && still.encoding {
            return restore(Sign::Encoding);
        }
        if made.overwritten && still.overwritten {
            return restore(Sign::Overwritten);
        }
        if made.not_runnable && still.not_runnable && made.mode_only {
            return restore(Sign::NotRunnable);
        }
        if made.blank_only && still.blank_only && !asked::wishes(request, Wish::Format) {
            let matters = made.broken
                || made.line_ends
                || paths::minds_white_space(&change.path)
                || step.actor != Actor::Edit;
            let sign = if made.line_ends { Sign::LineEnds } else { Sign::WhiteSpace };
            return if matters { restore(sign) } else { None };
        }
        if made.keep_lost && still.keep_lost {
            return if step.actor == Actor::Edit { mend(Sign::Protected) } else { restore(Sign::Protected) };
        }
        if made.markers && still.markers {
            return mend(Sign::Markers);
        }
        if made.secrets > 0 && still.secrets > 0 {
            return mend(Sign::Secret);
        }
        let by_asking = asked::wishes(request, Wish::Delete) && asked::names(request, &change.path);
        if made.checks_lost > 0 && still.checks_lost > 0 && !by_asking {
            return if still.names_new.is_empty() {
                restore(Sign::TestsWeaker)
            } else {
                mend(Sign::TestsWeaker)
            };
        }
        if made.placeholder && still.placeholder && made.removed > made.added {
            return restore(Sign::Placeholder);
        }
        // What cannot be parsed defines nothing for certain: names are asked about only after this.
        if made.broken && still.broken && !made.mostly_lost {
            return if step.actor == Actor::Edit { mend(Sign::Broken) } else { restore(Sign::Broken) };
        }
        if let Some(found) = self.names(change) {
            return Some(found);
        }
        if made.mostly_lost && still.mostly_lost && !made.names_kept && !by_asking {
            return restore(if paths::is_manifest(&change.path) { Sign::Manifest } else { Sign::MostlyLost });
        }
        let fewer = made.removed > made.added && still.removed > still.added;
        if paths::is_manifest(&change.path)
            && fewer
            && !by_asking
            && !asked::wishes(request, Wish::Dependencies)
        {
            return restore(Sign::Manifest);
        }
        None
    }

    fn deleted(
        &self,
        step: &Step,
        change: &Change,
        request: Option<&str>,
    ) -> Option<(Sign, Vec<String>, Remedy)> {
        let asked_for = asked::wishes(request, Wish::Delete) && asked::names(request, &change.path);
        let needed = self.is_needed(&change.path);
        if change.moved.is_some() || (asked_for && !needed) {
            return None;
        }
        // An agent that clears away what it made in the same turn tidies up.
        let own = self.made_in.get(change.path.as_str()).is_some_and(|&made| {
            let maker = &self.signals.steps[made];
            maker.session == step.session && maker.turn == step.turn
        });
        // What it defined is defined elsewhere now: it was taken apart or merged, not lost.
        let names = &change.made.names_lost;
        let moved_on = !names.is_empty() && names.iter().all(|name| self.come.contains(name.as_str()));
        if (own || moved_on) && !needed {
            return None;
        }
        Some((Sign::Deleted, Vec::new(), Remedy::Restore))
    }

    /// Names that others still use.
    fn names(&self, change: &Change) -> Option<(Sign, Vec<String>, Remedy)> {
        let needs = self.needs.get(change.path.as_str())?;
        let lost: BTreeSet<&str> = change
            .made
            .names_lost
            .iter()
            .filter(|name| change.still.names_lost.contains(name))
            .map(String::as_str)
            .collect();
        let missed: Vec<&Need> = needs
            .iter()
            .copied()
            .filter(|need| {
                !need.by.is_empty() && need.name.as_deref().is_some_and(|name| lost.contains(name))
            })
            .collect();
        let first = missed.first()?;
        let new: Vec<&String> =
            change.made.names_new.iter().filter(|name| change.still.names_new.contains(name)).collect();
        if let [new] = new[..]
            && missed.len() == 1
            && lost.len() == 1
        {
            let old = first.name.clone().unwrap_or_default();
            return Some((Sign::HalfRenamed { old, new: new.clone() }, first.by.clone(), Remedy::Mend));
        }
        let names = missed.iter().filter_map(|need| need.name.clone()).collect();
        let remedy = if change.still.is_pure_loss() { Remedy::Restore } else { Remedy::Mend };
        Some((Sign::NamesLost { names }, Vec::new(), remedy))
    }
}

/// The request speaks of replacing, and of the text itself: one of the two as a word, or both as parts of words.
fn asked_replacement(request: Option<&str>, old: &str, new: &str) -> bool {
    let Some(text) = request.map(str::to_lowercase) else { return false };
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let said: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let whole = |piece: &str| piece.chars().count() > 2 && said.contains(&piece);
    let part = |piece: &str| piece.chars().count() > 2 && said.iter().any(|word| word.contains(piece));
    (asked::wishes(request, Wish::Replace) || asked::wishes(request, Wish::Rename))
        && (whole(&old) || whole(&new) || (part(&old) && part(&new)))
}

/// The request speaks of something that changes many files.
fn asked_much(request: Option<&str>) -> bool {
    [Wish::Format, Wish::Replace, Wish::Rename, Wish::GoBack]
        .into_iter()
        .any(|wish| asked::wishes(request, wish))
}
