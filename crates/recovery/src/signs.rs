//! What looks like damage: sign by sign, from what each step did and what is left of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Serialize;

use crate::asked::{self, Wish};
use crate::diagnose::Remedy;
use crate::nouns;
use crate::parts::{Form, PartKind};
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
    /// All line ends changed, unasked, beside what else was done.
    LineEndsToo,
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
    /// What a person typed went with a text that did not know it.
    TypingLost,
    /// It was to go, as asked, and others still use it.
    StillUsed {
        /// What they use; empty: the file itself.
        names: Vec<String>,
    },
    /// Parts of it went while the rest was rewritten, and nobody asked for that.
    PartLost {
        /// What.
        kind: PartKind,
        /// How many.
        count: u64,
    },
    /// It was changed together with what goes back, and needs it.
    Together,
    /// The command that lost or spoilt other files changed it, too, and nothing that was asked for explains it.
    SameCommand,
    /// It is written in another form, and nobody asked for that.
    FormLost {
        /// What.
        #[serde(flatten)]
        form: Form,
    },
    /// Settings are gone, and nobody asked for that.
    SettingsLost {
        /// Which.
        names: Vec<String>,
    },
}

impl Sign {
    /// What knows it.
    pub fn source(&self) -> Source {
        match self {
            Self::Broken | Self::NamesLost { .. } | Self::HalfRenamed { .. } | Self::StillUsed { .. } => {
                Source::Map
            }
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
            Self::LineEndsToo => "line-ends-too",
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
            Self::TypingLost => "typing-lost",
            Self::StillUsed { .. } => "still-used",
            Self::PartLost { .. } => "part-lost",
            Self::Together => "together",
            Self::SameCommand => "same-command",
            Self::SettingsLost { .. } => "settings-lost",
            Self::FormLost { .. } => "form-lost",
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
    /// Somebody worked on the file after it was spoilt: only the damage is to go.
    pub(crate) under_work: bool,
    /// The changes whose work went with this one.
    pub(crate) work: Vec<usize>,
    /// Names that these had defined.
    pub(crate) names: Vec<String>,
}

impl Hit {
    pub(crate) fn new(change: usize, sign: Sign, remedy: Remedy) -> Self {
        Self {
            change,
            sign,
            remedy,
            elsewhere: Vec::new(),
            under_work: false,
            work: Vec::new(),
            names: Vec::new(),
        }
    }
}

/// Looks for signs among these changes. `says_lost`: the person says that something is gone, which makes a block that went a sign.
pub(crate) fn hits(signals: &Signals, among: &[usize], says_lost: bool) -> Vec<Hit> {
    let mut found: Vec<Hit> = Vec::new();
    let mut by_step: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &at in among {
        by_step.entry(signals.changes[at].step).or_default().push(at);
    }
    let look = Look::new(signals, says_lost);
    for (step, changes) in by_step {
        let step = &signals.steps[step];
        let whole = look.whole_step(step, &changes);
        for &at in &changes {
            let change = &signals.changes[at];
            if !signals.stands(at) {
                continue;
            }
            if let Some((sign, elsewhere, remedy)) = look.change(step, at, change) {
                found.push(Hit { elsewhere, ..Hit::new(at, sign, remedy) });
            } else if let Some(sign) = whole.get(&at) {
                found.push(Hit::new(at, sign.clone(), Remedy::Restore));
            }
        }
        // One accident, one name: what a command did to many files alike is told as that, and taken back as a whole. What has
        // to be seen to by hand in any case stays apart.
        for hit in found.iter_mut().filter(|hit| changes.binary_search(&hit.change).is_ok()) {
            let by_hand =
                matches!(hit.sign, Sign::Secret | Sign::Markers | Sign::TypingLost | Sign::StillUsed { .. });
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
    says_lost: bool,
}

impl<'s> Look<'s> {
    fn new(signals: &'s Signals, says_lost: bool) -> Self {
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
        Self { signals, needs, made_in, come, says_lost }
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
            .filter(|(at, _)| self.signals.stands(*at))
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
            if asked_replacement(request, old, new) {
                // "In the texts" does not mean the code.
                let pair = Some((old.clone(), new.clone()));
                let sign = Sign::Replaced { old: old.clone(), new: new.clone() };
                let strays = |change: &Change| paths::is_code(&change.path) && change.made.replaced == pair;
                if asked::only_texts(request) {
                    let outside = modified.iter().filter(|(_, change)| strays(change));
                    signs.extend(outside.map(|(at, _)| (*at, sign.clone())));
                }
            } else {
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
    fn change(&self, step: &Step, at: usize, change: &Change) -> Option<(Sign, Vec<String>, Remedy)> {
        let request = step.prompt.as_deref();
        let (made, still) = (&change.made, &change.still);
        let restore = |sign: Sign| Some((sign, Vec::new(), Remedy::Restore));
        let mend = |sign: Sign| Some((sign, Vec::new(), Remedy::Mend));
        if self.signals.guard.iter().any(|note| note.code == "protected" && note.path == change.path) {
            return restore(Sign::Protected);
        }
        if change.typing_lost.is_some() && !asked::wishes(request, Wish::GoBack) {
            return restore(Sign::TypingLost);
        }
        if change.kind == Kind::Type {
            return restore(Sign::KindChanged);
        }
        if self.is_thrown_away(step, change, request) {
            return restore(Sign::WentBack);
        }
        if change.went_back
            && !change.made.was_marked
            && !self.puts_back(change)
            && step.actor != Actor::Edit
            && !asked::wishes(request, Wish::GoBack)
        {
            return restore(Sign::WentBack);
        }
        if made.gone && still.gone {
            return self.deleted(step, at, change, request);
        }
        if made.emptied && still.emptied {
            return restore(Sign::Emptied);
        }
        if made.encoding && still.encoding {
            return restore(Sign::Encoding);
        }
        if made.markers && still.markers {
            return if still.markers_only { restore(Sign::Markers) } else { mend(Sign::Markers) };
        }
        let to_be_rewritten = (asked::wishes(request, Wish::Rewrite)
            && asked::spoken_of(request, change).is_some())
            || asked_another_form(request, change);
        if made.overwritten && still.overwritten && !to_be_rewritten {
            return restore(Sign::Overwritten);
        }
        let nothing_left =
            |facts: &crate::Facts| facts.names_none && facts.removed.unwrap_or(0) * 10 >= facts.had_lines * 9;
        if step.actor != Actor::Edit
            && nothing_left(made)
            && nothing_left(still)
            && !still.names_new.is_empty()
            && !to_be_rewritten
        {
            return restore(Sign::Overwritten);
        }
        if self.is_written_over(step, change, request) {
            return restore(Sign::Overwritten);
        }
        if self.is_hollowed(step, change, request) {
            return restore(Sign::MostlyLost);
        }
        if let (Some(form), Some(_)) = (&made.form_lost, &still.form_lost)
            && !asked::wishes(request, Wish::Format)
            && !matches!(step.actor, Actor::Person | Actor::Restore)
        {
            return mend(Sign::FormLost { form: form.clone() });
        }
        let wants_mode = asked::wishes(request, Wish::Mode) && asked::names(request, &change.path);
        if made.not_runnable && still.not_runnable && made.mode_only && !wants_mode {
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
        if made.secrets > 0 && still.secrets > 0 {
            return mend(Sign::Secret);
        }
        let by_asking = asked::asked_deletion(request, change, true);
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
        // Somebody misses a part, and new work lies beside it: the part comes back, and the work stays.
        let beside_work = self.says_lost && still.added > Some(0);
        if beside_work
            && (made.mostly_lost || paths::is_manifest(&change.path))
            && !by_asking
            && !to_be_rewritten
            && let Some(sign) = self.part_lost(step, at, change, request)
        {
            return mend(sign);
        }
        if made.mostly_lost
            && still.mostly_lost
            && still.names_none
            && still.names_new.is_empty()
            && !by_asking
            && !to_be_rewritten
        {
            return restore(Sign::MostlyLost);
        }
        if let Some(found) = self.names(at, change, request) {
            return Some(found);
        }
        if let Some(found) = settings_lost(change, request) {
            return Some(found);
        }
        if made.mostly_lost && still.mostly_lost && !made.names_kept && !by_asking && !to_be_rewritten {
            return restore(if paths::is_manifest(&change.path) { Sign::Manifest } else { Sign::MostlyLost });
        }
        if let Some(sign) = self.part_lost(step, at, change, request)
            && !by_asking
            && !to_be_rewritten
        {
            return mend(sign);
        }
        let fewer = made.removed > made.added && still.removed > still.added;
        if paths::is_manifest(&change.path)
            && fewer
            && !by_asking
            && !asked::wishes(request, Wish::Dependencies)
        {
            return restore(Sign::Manifest);
        }
        let by_agent = matches!(step.actor, Actor::Edit | Actor::Command);
        if made.ends_changed && still.ends_changed && by_agent && !asked::wishes(request, Wish::Format) {
            return mend(Sign::LineEndsToo);
        }
        None
    }

    /// Rows, entries or lines that went with a text written as a whole, which need not know what it leaves out. An edit that names what
    /// it takes away is deliberate, unless somebody misses it; so is what a request for deleting or rewriting led to.
    fn part_lost(&self, step: &Step, at: usize, change: &Change, request: Option<&str>) -> Option<Sign> {
        let ((kind, made), (_, still)) = (change.made.parts_lost?, change.still.parts_lost?);
        let count = made.min(still);
        let deliberate = match step.actor {
            _ if self.says_lost => false,
            Actor::Edit => asked::knows_what_was_there(step.tool.as_deref()),
            Actor::Command => false,
            _ => true,
        };
        let asked_for =
            [Wish::Delete, Wish::Rewrite, Wish::GoBack].into_iter().any(|wish| asked::wishes(request, wish));
        let enough = match kind {
            PartKind::Rows => count > 0,
            PartKind::Entries => count > 1 || self.says_lost,
            PartKind::Lines => self.says_lost || is_a_quarter(change, count),
        };
        let made_by_tools =
            paths::is_lock(&change.path) || (paths::is_manifest(&change.path) && !self.says_lost);
        let moved = kind == PartKind::Lines && self.signals.is_moved(at);
        (enough && !deliberate && !asked_for && !made_by_tools && !moved)
            .then_some(Sign::PartLost { kind, count })
    }

    /// The text of another file, which the same request made and speaks of, was written over this one, of which it does not speak.
    fn is_written_over(&self, step: &Step, change: &Change, request: Option<&str>) -> bool {
        let Some(other) = &change.copy_of else { return false };
        let is_whole = change.kind == Kind::Modified && change.stands_whole && change.made.removed > Some(0);
        is_whole
            && !matches!(step.actor, Actor::Person | Actor::Restore)
            && asked::names(request, other)
            && !request.is_some_and(|request| request.contains(paths::name(&change.path)))
            && ![Wish::Rename, Wish::Replace, Wish::GoBack]
                .into_iter()
                .any(|wish| asked::wishes(request, wish))
    }

    /// One command left nothing, or hardly anything, of what it was: `>` instead of `>>`, a data base that tests emptied.
    fn is_hollowed(&self, step: &Step, change: &Change, request: Option<&str>) -> bool {
        const FEWEST: u64 = 3;
        let all_went = |facts: &crate::Facts| {
            let (came, went) = facts.solid;
            facts.shrunk || (facts.had_lines >= FEWEST && went >= facts.had_lines && came < facts.had_lines)
        };
        let explains = [
            Wish::Delete,
            Wish::Rewrite,
            Wish::Replace,
            Wish::Rename,
            Wish::GoBack,
            Wish::Format,
            Wish::Build,
            Wish::Shrink,
        ];
        let made_by_tools = paths::is_lock(&change.path) || paths::is_generated(&change.path);
        step.actor == Actor::Command
            && change.kind == Kind::Modified
            && all_went(&change.made)
            && all_went(&change.still)
            && !made_by_tools
            && !explains.into_iter().any(|wish| asked::wishes(request, wish))
            && !(change.made.shrunk
                && request.is_some_and(|request| nouns::named_in(request, &change.path) > 0))
    }

    /// The step before had only put it away: `git stash`, then `git stash pop`.
    fn puts_back(&self, change: &Change) -> bool {
        let mut earlier =
            self.signals.changes.iter().filter(|other| other.path == change.path && other.step < change.step);
        let last = earlier.next_back().map(|other| &self.signals.steps[other.step]);
        last.and_then(|step| step.command.as_deref()).is_some_and(asked::throws_away)
    }

    /// Git threw it away: what was not committed, or new files, and nobody asked for that. (R4)
    fn is_thrown_away(&self, step: &Step, change: &Change, request: Option<&str>) -> bool {
        let Some(command) = step.command.as_deref() else { return false };
        // A conflict that is settled throws away one side of it, and no work that stood.
        if change.kind == Kind::Added || change.made.was_marked || !asked::throws_away(command) {
            return false;
        }
        let names_some = self
            .signals
            .changes
            .iter()
            .any(|other| other.step == change.step && asked::spoken_of(request, other).is_some());
        // Asked for as a whole, or for this file.
        !(asked::wishes(request, Wish::GoBack)
            && (!names_some || asked::spoken_of(request, change).is_some()))
    }

    fn deleted(
        &self,
        step: &Step,
        at: usize,
        change: &Change,
        request: Option<&str>,
    ) -> Option<(Sign, Vec<String>, Remedy)> {
        let gone_with_it = self
            .signals
            .changes
            .iter()
            .filter(|other| other.step == change.step && other.kind == Kind::Removed)
            .count();
        let asked_for = asked::asked_deletion(request, change, gone_with_it <= 3);
        let users = self.users(&change.path);
        if change.moved.is_some() {
            return None;
        }
        if asked_for {
            // That is no accident; what still uses it is to be seen to.
            let mend = || (Sign::StillUsed { names: Vec::new() }, users.clone(), Remedy::Mend);
            return (!users.is_empty()).then(mend);
        }
        // An agent that clears away what it made in the same turn tidies up; so does one that takes away its own scratch files.
        let own = self.made_in.get(change.path.as_str()).is_some_and(|&made| {
            let maker = &self.signals.steps[made];
            let by_agent = matches!(maker.actor, Actor::Edit | Actor::Command);
            let same_session = maker.session == step.session && by_agent;
            same_session && (maker.turn == step.turn || paths::is_scratch(&change.path))
        });
        // What it defined is defined elsewhere now: it was taken apart or merged, not lost.
        let names = &change.made.names_lost;
        let moved_on = !names.is_empty() && names.iter().all(|name| self.come.contains(name.as_str()));
        if (own || moved_on) && users.is_empty() {
            return None;
        }
        if let Some(rest) = self.left_of_split(at, change) {
            return rest;
        }
        Some((Sign::Deleted, Vec::new(), Remedy::Restore))
    }

    /// Most of what the file defined is defined elsewhere now: it was taken apart. Only what was forgotten is lost, and never comes the
    /// whole file back.
    fn left_of_split(&self, at: usize, change: &Change) -> Option<Option<(Sign, Vec<String>, Remedy)>> {
        let names = &change.made.names_lost;
        let is_moved =
            |name: &&String| self.come.contains(name.as_str()) && self.signals.is_name_moved(at, name);
        let (moved, rest): (Vec<&String>, Vec<&String>) = names.iter().partition(is_moved);
        if moved.len() * 2 <= names.len() {
            return None;
        }
        let needs = self.needs.get(change.path.as_str()).map(Vec::as_slice).unwrap_or_default();
        let is_needed = |name: &&&String| {
            needs.iter().any(|need| !need.by.is_empty() && need.name.as_ref() == Some(**name))
        };
        let missed: Vec<String> = rest.iter().filter(is_needed).map(|name| (*name).clone()).collect();
        if !missed.is_empty() {
            return Some(Some((Sign::NamesLost { names: missed }, Vec::new(), Remedy::Mend)));
        }
        let users = self.users(&change.path);
        let still_used = (Sign::StillUsed { names: Vec::new() }, users.clone(), Remedy::Mend);
        Some((!users.is_empty()).then_some(still_used))
    }

    /// Files that still use this file.
    fn users(&self, path: &str) -> Vec<String> {
        let needs = self.needs.get(path).map(Vec::as_slice).unwrap_or_default();
        let mut users: Vec<String> = needs
            .iter()
            .filter(|need| need.name.is_none())
            .flat_map(|need| need.by.iter().cloned())
            .collect();
        users.sort_unstable();
        users.dedup();
        users
    }

    /// Names that others still use.
    fn names(
        &self,
        at: usize,
        change: &Change,
        request: Option<&str>,
    ) -> Option<(Sign, Vec<String>, Remedy)> {
        let needs = self.needs.get(change.path.as_str())?;
        let lost: BTreeSet<&str> = change
            .made
            .names_lost
            .iter()
            .filter(|name| change.still.names_lost.contains(name) && !self.signals.is_name_moved(at, name))
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
        // Renamed is what went and came again with the same body, and nothing less. (R6)
        let renamed = change.made.renamed.iter().find(|(old, new)| {
            first.name.as_deref() == Some(old.as_str()) && change.still.names_new.contains(new)
        });
        if let Some((old, new)) = renamed
            && missed.len() == 1
        {
            let sign = Sign::HalfRenamed { old: old.clone(), new: new.clone() };
            let asked_for = asked::wishes(request, Wish::Rename)
                || asked::wishes(request, Wish::Replace)
                || request.is_some_and(|request| request.contains(new.as_str()));
            return Some(if asked_for {
                (sign, first.by.clone(), Remedy::Mend)
            } else {
                (sign, Vec::new(), Remedy::Restore)
            });
        }
        let names: Vec<String> = missed.iter().filter_map(|need| need.name.clone()).collect();
        if asked::wishes(request, Wish::Delete) && names.iter().all(|name| asked::names(request, name)) {
            let mut users: Vec<String> = missed.iter().flat_map(|need| need.by.iter().cloned()).collect();
            users.sort_unstable();
            users.dedup();
            return Some((Sign::StillUsed { names }, users, Remedy::Mend));
        }
        // Where anything new lies in the file, only what is gone comes back.
        let nothing_new = change.still.added == Some(0);
        let remedy = if nothing_new { Remedy::Restore } else { Remedy::Mend };
        Some((Sign::NamesLost { names }, Vec::new(), remedy))
    }
}

/// A block that is a good part of the file went with a text written as a whole, and hardly anything came.
fn is_a_quarter(change: &Change, count: u64) -> bool {
    const FEWEST: u64 = 4;
    // In a program, what others miss is found by its name.
    if paths::is_code(&change.path) {
        return false;
    }
    let (came, went) = change.made.solid;
    let stays = change.still.solid;
    count >= FEWEST && count * 4 >= change.made.had_lines && came * 3 <= went && stays.0 * 3 <= stays.1
}

/// Settings that went while others came, and nobody asked for that.
fn settings_lost(change: &Change, request: Option<&str>) -> Option<(Sign, Vec<String>, Remedy)> {
    const MOST: usize = 20;
    let lost: Vec<String> = change
        .made
        .names_lost
        .iter()
        .filter(|name| change.still.names_lost.contains(name))
        .cloned()
        .collect();
    let rewritten = [Wish::Delete, Wish::Rename, Wish::Replace, Wish::Rewrite];
    let asked_for = rewritten.into_iter().any(|wish| asked::wishes(request, wish));
    if lost.is_empty() || lost.len() > MOST || !paths::is_settings(&change.path) || asked_for {
        return None;
    }
    let remedy = if change.still.added == Some(0) || change.still.names_new.is_empty() {
        Remedy::Restore
    } else {
        Remedy::Mend
    };
    Some((Sign::SettingsLost { names: lost }, Vec::new(), remedy))
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

/// "Turn store.py into a class": another text in its place is what was asked for. What others miss of it is found by its name.
fn asked_another_form(request: Option<&str>, change: &Change) -> bool {
    const FORMS: [&str; 12] = [
        " into ",
        "turn ",
        "convert",
        "to a class",
        "to classes",
        "바꿔",
        "바꾸",
        "클래스로",
        "改成",
        "改为",
        "クラスに",
        "に変え",
    ];
    let names_it = request.is_some_and(|request| request.contains(paths::name(&change.path)));
    let lower = request.map(str::to_lowercase).unwrap_or_default();
    names_it && paths::is_code(&change.path) && FORMS.iter().any(|form| lower.contains(form))
}

/// The request speaks of something that changes many files.
fn asked_much(request: Option<&str>) -> bool {
    [Wish::Format, Wish::Replace, Wish::Rename, Wish::GoBack]
        .into_iter()
        .any(|wish| asked::wishes(request, wish))
}
