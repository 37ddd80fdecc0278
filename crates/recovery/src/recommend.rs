//! From a diagnosis to two or three ways, the gentlest that helps first. (RC2, RC5, RC10)

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::asked::{self, Wish};
use crate::diagnose::{Diagnosis, Healthy, Remedy};
use crate::phrase::Ask;
use crate::same_step;
use crate::signals::{Actor, Kind, Signals};
use crate::signs::{Hit, Sign};
use crate::whose::{self, Goes};

/// What a way is, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WayKind {
    /// Nothing is broken.
    Nothing,
    /// Look at what changed.
    Explain,
    /// Keep the files and mend them.
    Mend,
    /// Bring spoilt files back.
    BringBack,
    /// Take back all that the command of the accident changed.
    TakeBackStep,
    /// Take back all that one request changed.
    TakeBackTurn,
    /// Everything goes back to one moment.
    GoBack,
}

/// How much could go wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Little: nothing is lost, or nothing that matters.
    Low,
    /// Some work goes, or others depend on it.
    Medium,
    /// Much goes.
    High,
}

/// One file to bring back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Restore {
    /// Which.
    pub path: String,
    /// From this checkpoint: the one before the step that spoilt it.
    pub checkpoint: String,
    /// Its number.
    pub seq: i64,
    /// Why.
    #[serde(flatten)]
    pub sign: Sign,
    /// Only this is changed in the file; none: the whole file comes from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
}

/// A part of a file that is put right while the rest stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// By which the mender knows the content.
    #[serde(skip)]
    pub number: usize,
    /// What is done.
    pub kind: RepairKind,
    /// Lines that come.
    pub added: u64,
    /// Lines that go.
    pub removed: u64,
    /// The lines that come, as far as they are few.
    pub text: String,
}

/// How a part of a file is put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// The damage is taken back, later work stays.
    TakeBack,
    /// What a person typed is put in again.
    PutBack,
    /// Functions that are gone come back beside what is new.
    Names,
    /// The new name is used here, too.
    FinishRename,
    /// A line that was lost comes back, so that it can be read again.
    Syntax,
    /// Rows, entries or lines that are gone come back beside what is new.
    Parts,
    /// The lines end as they did.
    LineEnds,
    /// It is written in its old form.
    Form,
}

/// Computes the text of a file in which only one thing is put right. Whoever has the contents does that; none: it cannot be done
/// without losing or guessing something.
pub trait Mender {
    /// Without these changes of one path, with everything else that was done to it.
    fn take_back(&mut self, changes: &[usize]) -> Option<Repair>;
    /// With what this change, a person's, had put in.
    fn put_back(&mut self, typed: usize) -> Option<Repair>;
    /// With these names as they were before this change.
    fn bring_names(&mut self, change: usize, names: &[String]) -> Option<Repair>;
    /// With the new name instead of the old one.
    fn finish_rename(&mut self, path: &str, old: &str, new: &str) -> Option<Repair>;
    /// So that it can be parsed again, with as much of this change as possible.
    fn close(&mut self, change: usize) -> Option<Repair>;
    /// With the parts that went with this change.
    fn bring_parts(&mut self, change: usize) -> Option<Repair>;
    /// With what these changes had put in, and the later one took away; `names`: what of it has names.
    fn put_again(&mut self, _work: &[usize], _taker: usize, _names: &[String]) -> Option<Repair> {
        None
    }
    /// With all that this change left out, beside what it put in; none if less than most of it can be put in its place.
    fn beside(&mut self, _change: usize) -> Option<Repair> {
        None
    }
    /// With the parts that went with this change, if these names are among them.
    fn bring_parts_with(&mut self, _change: usize, _names: &[String]) -> Option<Repair> {
        None
    }
    /// In the form that it had before this change.
    fn form(&mut self, _change: usize) -> Option<Repair> {
        None
    }
    /// With lines that end as they did before this change.
    fn line_ends(&mut self, change: usize) -> Option<Repair>;
    /// The lines that this change took away.
    fn lost_lines(&mut self, change: usize) -> Option<String>;
    /// The lines that defined these names.
    fn lost_lines_of(&mut self, _change: usize, _names: &[String]) -> Option<String> {
        None
    }
    /// They hold something that may not be repeated: a text with holes in it would be written into the file.
    fn is_private(&mut self, _lines: &str) -> bool {
        false
    }
}

/// Nobody has the contents.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoMender;

impl Mender for NoMender {
    fn take_back(&mut self, _: &[usize]) -> Option<Repair> {
        None
    }
    fn put_back(&mut self, _: usize) -> Option<Repair> {
        None
    }
    fn bring_names(&mut self, _: usize, _: &[String]) -> Option<Repair> {
        None
    }
    fn finish_rename(&mut self, _: &str, _: &str, _: &str) -> Option<Repair> {
        None
    }
    fn close(&mut self, _: usize) -> Option<Repair> {
        None
    }
    fn bring_parts(&mut self, _: usize) -> Option<Repair> {
        None
    }
    fn line_ends(&mut self, _: usize) -> Option<Repair> {
        None
    }
    fn lost_lines(&mut self, _: usize) -> Option<String> {
        None
    }
}

/// One file to mend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mend {
    /// Which.
    pub path: String,
    /// What is the matter.
    #[serde(flatten)]
    pub sign: Sign,
    /// The last state before it, to look things up.
    pub checkpoint: Option<String>,
    /// The lines that are missing, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// They are known, and not repeated, because they hold private details.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
}

/// Files that belong to one that would come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The file that would come back.
    pub path: String,
    /// Files that changed too and import it, are imported by it, or always changed with it.
    pub with: Vec<String>,
}

/// What it costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// Files whose present content would be replaced or removed.
    pub files: u64,
    /// Lines that exist only now.
    pub lines: u64,
    /// Files whose lines were not counted.
    pub not_counted: u64,
    /// Lines that would come back.
    pub lines_back: u64,
}

/// One way.
#[derive(Debug, Clone, Serialize)]
pub struct Way {
    /// 1, 2, 3: the number to choose it by.
    pub number: usize,
    /// 0 nothing, 1 explain, 2 mend, 3 some files, 4 everything.
    pub level: u8,
    /// What it is.
    pub kind: WayKind,
    /// Files to bring back.
    pub restores: Vec<Restore>,
    /// Files to mend by hand or with the agent.
    pub mends: Vec<Mend>,
    /// The checkpoint that it uses; the earliest, where there are several.
    pub checkpoint: Option<String>,
    /// When that was saved.
    pub time_ms: Option<i64>,
    /// What it costs.
    pub loss: Loss,
    /// Changed files that stay as they are.
    pub keeps: u64,
    /// Files to look at together.
    pub groups: Vec<Group>,
    /// Files that a going back brought, and that would be again as they were before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brought_back_goes: Vec<String>,
    /// Whose work goes with it, where that is more than what it is meant to take back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goes: Vec<Goes>,
    /// Whose work stays in the files of which it takes back a part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stays_beside: Vec<Goes>,
    /// The request that it takes back, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// How risky it is.
    pub risk: Risk,
    /// Where somebody has to mend by hand: all the facts, ready to be given to an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// The ways, the gentlest that helps first; never more than three.
pub fn recommend(signals: &Signals, diagnosis: &Diagnosis, mender: &mut dyn Mender) -> Vec<Way> {
    let mut maker = Maker { signals, diagnosis, mender };
    let mut ways = maker.ways();
    ways.truncate(3);
    for (at, way) in ways.iter_mut().enumerate() {
        way.number = at + 1;
    }
    ways
}

struct Maker<'a> {
    signals: &'a Signals,
    diagnosis: &'a Diagnosis,
    mender: &'a mut dyn Mender,
}

/// What becomes of one file.
#[derive(Debug, Clone)]
struct Target {
    /// The earliest change that is taken back.
    change: usize,
    sign: Sign,
    repair: Option<Repair>,
}

type Targets = BTreeMap<String, Target>;

impl Target {
    fn whole(change: usize, sign: Sign) -> Self {
        Self { change, sign, repair: None }
    }
}

impl Maker<'_> {
    fn ways(&mut self) -> Vec<Way> {
        let mut ways = Vec::new();
        let explain = |maker: &Self| maker.plain(1, WayKind::Explain);
        if self.diagnosis.asks_back {
            // Nothing is recommended before it is clear what is meant; what is kept of a moment too long ago is offered.
            ways.push(explain(self));
            if self.diagnosis.understood.oldest_ms.is_some()
                && self.diagnosis.phrase.not_understood.is_empty()
            {
                ways.extend(self.everything_since(0));
            }
            return ways;
        }
        let (targets, mends) = self.targets();
        let is_named = self.diagnosis.narrowed && !self.diagnosis.phrase.objects.is_empty();
        let only_drift = self.diagnosis.phrase.ask != Ask::Unasked
            && !is_named
            && !targets.is_empty()
            && targets.values().all(|target| target.sign == Sign::Drift);
        if !self.signals.has_history && self.signals.git.states.is_empty() {
            // No safe checkpoint: nothing is offered that would need one. (RC10)
            ways.push(explain(self));
            if !mends.is_empty() {
                ways.push(self.mend(mends));
            }
            return ways;
        }
        let turn = self.last_turn();
        if let Some(healthy) = self.diagnosis.healthy {
            ways.push(self.plain(0, WayKind::Nothing));
            if healthy != Healthy::Unchanged {
                ways.push(explain(self));
            }
            // Whoever says that it broke may know more than we do: there is always a way back, if not a recommended one.
            ways.extend(turn.filter(|turn| !turn.restores.is_empty()));
            return ways;
        }
        let step = self.whole_step();
        let everything = self.everything();
        if only_drift {
            // That nothing explains a change is no reason to take it back: a person judges.
            ways.push(explain(self));
            ways.push(self.bring_back(&targets, mends, WayKind::BringBack));
        } else if !targets.is_empty() {
            ways.push(self.bring_back(&targets, mends, WayKind::BringBack));
        } else if !mends.is_empty() {
            ways.push(self.mend(mends));
            let whole = self.mended_by_restoring();
            ways.extend((!whole.is_empty()).then(|| self.bring_back(&whole, Vec::new(), WayKind::BringBack)));
        } else if self.diagnosis.phrase.ask == Ask::GoBack && self.diagnosis.moment.is_some() {
            if let Some(way) = everything.clone() {
                ways.push(way);
            }
            ways.push(explain(self));
        } else {
            ways.push(explain(self));
        }
        for other in [step, turn, everything].into_iter().flatten() {
            let known = |way: &Way| same_files(way, &other) || way.level > other.level;
            if !other.restores.is_empty() && !ways.iter().any(known) {
                ways.push(other);
            }
        }
        if ways.len() == 1 && ways[0].level != 1 {
            ways.push(explain(self));
        }
        ways
    }

    fn mend(&self, mends: Vec<Mend>) -> Way {
        let prompt = Some(crate::hand_over::prompt(self.signals, self.diagnosis, &mends));
        Way { mends, prompt, ..self.plain(2, WayKind::Mend) }
    }

    fn plain(&self, level: u8, kind: WayKind) -> Way {
        Way {
            number: 0,
            level,
            kind,
            restores: Vec::new(),
            mends: Vec::new(),
            checkpoint: None,
            time_ms: None,
            loss: Loss::default(),
            keeps: self.diagnosis.changed.len() as u64,
            groups: Vec::new(),
            brought_back_goes: Vec::new(),
            goes: Vec::new(),
            stays_beside: Vec::new(),
            request: None,
            risk: Risk::Low,
            prompt: None,
        }
    }

    /// What becomes of each file, and what nobody but a person or an agent can put right.
    fn targets(&mut self) -> (Targets, Vec<Mend>) {
        let diagnosis = self.diagnosis;
        let mut targets = Targets::new();
        let mut mends: BTreeMap<String, Mend> = BTreeMap::new();
        let mut by_path: BTreeMap<&str, Vec<&Hit>> = BTreeMap::new();
        for hit in &diagnosis.hits {
            by_path.entry(&self.signals.changes[hit.change].path).or_default().push(hit);
        }
        for (path, hits) in by_path {
            let changes: Vec<usize> = hits.iter().map(|hit| hit.change).collect();
            let Some(first) = hits.iter().min_by_key(|hit| hit.change) else { continue };
            let restore =
                hits.iter().filter(|hit| hit.remedy == Remedy::Restore).min_by_key(|hit| hit.change);
            if let Some(typed) = hits.iter().find(|hit| hit.sign == Sign::TypingLost) {
                let lost = self.signals.changes[typed.change].typing_lost;
                let repair = lost.and_then(|lost| self.mender.put_back(lost));
                match repair {
                    Some(repair) => {
                        targets.insert(
                            path.to_owned(),
                            Target { change: typed.change, sign: Sign::TypingLost, repair: Some(repair) },
                        );
                    }
                    None => self.add_mend(path, typed, &mut mends),
                }
                continue;
            }
            if let Some(hit) = restore {
                let target = self.restored(path, hit, &changes);
                match target {
                    Some(target) => {
                        targets.insert(path.to_owned(), target);
                    }
                    None => self.add_mend(path, hit, &mut mends),
                }
                continue;
            }
            for hit in &hits {
                self.repaired(path, hit, &changes, &mut targets, &mut mends);
            }
            let _ = first;
        }
        mends.retain(|path, _| !targets.contains_key(path));
        self.keep_whole(&mut targets);
        (targets, mends.into_values().collect())
    }

    /// The whole file from before; or, where work of others lies on top of what is to go, or new work beside what was lost, the file
    /// with only that put right.
    fn restored(&mut self, path: &str, hit: &Hit, changes: &[usize]) -> Option<Target> {
        let whole = Target::whole(hit.change, hit.sign.clone());
        let change = &self.signals.changes[hit.change];
        if change.made.was_marked && !change.still.gone {
            // The marks of a conflict stood there: no state to go back to.
            if matches!(hit.sign, Sign::Wanted | Sign::Drift) {
                return None;
            }
            let repair = self.mender.beside(hit.change).or_else(|| self.mender.bring_parts(hit.change))?;
            return Some(Target { repair: Some(repair), ..whole });
        }
        if !matches!(hit.sign, Sign::Wanted | Sign::Drift) {
            let is_left_out = matches!(hit.sign, Sign::MostlyLost | Sign::Placeholder | Sign::Overwritten);
            let is_work =
                change.made.elided || (hit.sign == Sign::MostlyLost && self.is_asked_for(hit.change));
            let has_new_work = is_left_out && is_work && change.still.added > Some(0);
            let beside = if has_new_work { self.mender.beside(hit.change) } else { None };
            return Some(Target { repair: beside, ..whole });
        }
        if !self.signals.is_worked_on_since(path, hit.change, changes) {
            return Some(whole);
        }
        let repair = self.mender.take_back(changes)?;
        Some(Target { repair: Some(repair), ..whole })
    }

    /// What is new there was asked for, or written on purpose.
    fn is_asked_for(&self, at: usize) -> bool {
        let change = &self.signals.changes[at];
        let request = self.signals.request_of(at);
        match self.signals.steps[change.step].actor {
            Actor::Edit => true,
            Actor::Command => {
                asked::named_by(request, &change.path).is_some()
                    || (asked::wishes(request, Wish::Make) && asked::spoken_of(request, change).is_some())
            }
            _ => false,
        }
    }

    /// What is to be mended, done right away where that can be computed.
    fn repaired(
        &mut self,
        path: &str,
        hit: &Hit,
        changes: &[usize],
        targets: &mut Targets,
        mends: &mut BTreeMap<String, Mend>,
    ) {
        let repair = match &hit.sign {
            Sign::HalfRenamed { old, new } if !hit.elsewhere.is_empty() => {
                for user in &hit.elsewhere {
                    match self.mender.finish_rename(user, old, new) {
                        Some(repair) => {
                            let target =
                                Target { change: hit.change, sign: hit.sign.clone(), repair: Some(repair) };
                            targets.insert(user.clone(), target);
                        }
                        None => self.add_mend(user, hit, mends),
                    }
                }
                return;
            }
            Sign::NamesLost { names } | Sign::SettingsLost { names } => {
                // Whoever misses one thing that a text left out misses the rest of what it left out.
                let step = &self.signals.steps[self.signals.changes[hit.change].step];
                let is_whole = !asked::knows_what_was_there(step.tool.as_deref());
                let all = if self.diagnosis.phrase.lost && is_whole {
                    self.mender.bring_parts_with(hit.change, names)
                } else {
                    None
                };
                all.or_else(|| self.mender.bring_names(hit.change, names))
            }
            Sign::PartLost { .. } if !hit.work.is_empty() || !hit.names.is_empty() => {
                self.mender.put_again(&hit.work, hit.change, &hit.names)
            }
            Sign::PartLost { .. } => {
                // Where a part of it stands elsewhere now, only what stands nowhere comes back.
                let change = &self.signals.changes[hit.change];
                let is_gone = |name: &&String| {
                    change.still.names_lost.contains(name) && !self.signals.is_name_moved(hit.change, name)
                };
                let names: Vec<String> = change.made.names_lost.iter().filter(is_gone).cloned().collect();
                let parts = self.mender.bring_parts(hit.change);
                parts.or_else(|| {
                    if names.is_empty() { None } else { self.mender.bring_names(hit.change, &names) }
                })
            }
            Sign::FormLost { .. } => self.mender.form(hit.change),
            Sign::LineEndsToo => self.mender.line_ends(hit.change),
            Sign::Broken => self.mender.close(hit.change),
            _ if hit.under_work => self.mender.take_back(changes),
            _ => None,
        };
        match repair {
            Some(repair) => {
                targets.insert(
                    path.to_owned(),
                    Target { change: hit.change, sign: hit.sign.clone(), repair: Some(repair) },
                );
            }
            // Hardly anything new is in it: then the whole file.
            None if matches!(hit.sign, Sign::NamesLost { .. })
                && self.signals.changes[hit.change].still.is_pure_loss()
                // What else it defined stands elsewhere now: the whole file would define it twice.
                && !self.signals.changes[hit.change].still.gone
                && !hit.under_work =>
            {
                targets.insert(path.to_owned(), Target::whole(hit.change, hit.sign.clone()));
            }
            None if hit.elsewhere.is_empty() => self.add_mend(path, hit, mends),
            None => hit.elsewhere.iter().for_each(|user| self.add_mend(user, hit, mends)),
        }
    }

    fn add_mend(&mut self, path: &str, hit: &Hit, mends: &mut BTreeMap<String, Mend>) {
        let checkpoint = Some(self.signals.changes[hit.change].last_look.checkpoint.clone());
        if !mends.contains_key(path) {
            let missing = match &hit.sign {
                Sign::NamesLost { names } if self.signals.changes[hit.change].still.gone => {
                    self.mender.lost_lines_of(hit.change, names)
                }
                _ => self.mender.lost_lines(hit.change),
            };
            let withheld = missing.as_deref().is_some_and(|lines| self.mender.is_private(lines));
            let missing = missing.filter(|_| !withheld);
            mends.insert(
                path.to_owned(),
                Mend { path: path.to_owned(), sign: hit.sign.clone(), checkpoint, missing, withheld },
            );
        }
    }

    /// A way must not break the tree: what was changed in the same request and uses names that would go, goes with them. (R12)
    fn keep_whole(&mut self, targets: &mut Targets) {
        let mut more: Vec<(String, usize)> = Vec::new();
        let half_renamed =
            |target: &Target| matches!(target.sign, Sign::HalfRenamed { .. }) && target.repair.is_none();
        for (path, target) in targets.iter().filter(|(_, target)| half_renamed(target)) {
            let change = &self.signals.changes[target.change];
            let names = change.still.names_new.iter().filter(|name| name.len() > 2);
            let going: Vec<String> = names.map(|name| name.to_lowercase()).collect();
            // Keys of a data file are nobody's names.
            if going.is_empty() || change.kind != Kind::Modified || !crate::paths::is_code(path) {
                continue;
            }
            let request = |at: usize| {
                let step = &self.signals.steps[self.signals.changes[at].step];
                (step.session.as_deref(), step.turn.as_deref())
            };
            for (at, other) in self.signals.changes.iter().enumerate() {
                let uses = going.iter().any(|name| other.made.words.contains(name));
                let own = other.still.names_new.iter().any(|name| going.contains(&name.to_lowercase()));
                let same_language = crate::paths::ending(&other.path) == crate::paths::ending(path);
                if other.path != *path
                    && uses
                    && !own
                    && same_language
                    && !other.still.same
                    && request(at) == request(target.change)
                {
                    more.push((other.path.clone(), at));
                }
            }
        }
        for (path, at) in more {
            let hit = Hit::new(at, Sign::Together, Remedy::Restore);
            let mut others = self.signals.changes.iter().enumerate();
            let later = others.any(|(other, change)| other > at && change.path == path);
            let Entry::Vacant(free) = targets.entry(path) else { continue };
            let repair = if later { self.mender.take_back(&[at]) } else { None };
            if !later || repair.is_some() {
                free.insert(Target { change: at, sign: hit.sign, repair });
            }
        }
    }

    /// The second choice where mending is the first: the same files as they were before. Where others worked on a file since, only the
    /// damage goes, or nothing.
    fn mended_by_restoring(&mut self) -> Targets {
        let mut first: BTreeMap<String, (usize, Sign)> = BTreeMap::new();
        for hit in &self.diagnosis.hits {
            let change = &self.signals.changes[hit.change];
            // Most of what a deleted file defined stands elsewhere now: with the whole file it would stand there twice.
            if change.still.gone && hit.remedy == Remedy::Mend {
                continue;
            }
            let places = std::iter::once(&change.path).chain(&hit.elsewhere);
            for path in places {
                let at = self
                    .signals
                    .changes
                    .iter()
                    .position(|other| other.path == *path && other.step >= change.step);
                if let Some(at) = at.filter(|&at| self.signals.stands(at)) {
                    first.entry(path.clone()).or_insert_with(|| (at, hit.sign.clone()));
                }
            }
        }
        let mut targets = Targets::new();
        for (path, (at, sign)) in first {
            let own: Vec<usize> = (at..self.signals.changes.len())
                .filter(|&other| {
                    self.signals.changes[other].path == path && self.signals.is_of_one_request(at, other)
                })
                .collect();
            let whole = Target::whole(at, sign);
            if self.signals.changes[at].made.was_marked {
                continue;
            }
            if !self.signals.is_worked_on_since(&path, at, &own) {
                targets.insert(path, whole);
            } else if let Some(repair) = self.mender.take_back(&own) {
                targets.insert(path, Target { repair: Some(repair), ..whole });
            }
        }
        targets
    }

    fn bring_back(&self, files: &Targets, mends: Vec<Mend>, kind: WayKind) -> Way {
        let prompt =
            (!mends.is_empty()).then(|| crate::hand_over::prompt(self.signals, self.diagnosis, &mends));
        let mut way = Way { mends, prompt, ..self.plain(3, kind) };
        let mut earliest: Option<usize> = None;
        for (path, target) in files {
            let change = &self.signals.changes[target.change];
            if let Some(repair) = &target.repair {
                way.loss.files += u64::from(repair.removed > 0);
                way.loss.lines += repair.removed;
                way.loss.lines_back += repair.added;
            } else {
                // What is gone or empty cannot lose anything, whatever it was.
                let holds_something = !change.still.gone && !change.still.emptied;
                way.loss.files += u64::from(holds_something);
                way.loss.lines += change.still.only_now();
                way.loss.lines_back += change.still.removed.unwrap_or(0);
                way.loss.not_counted += u64::from(holds_something && change.still.added.is_none());
            }
            if self.signals.is_going_back(change) {
                way.brought_back_goes.push(path.clone());
            }
            earliest = Some(earliest.map_or(change.step, |first| first.min(change.step)));
            way.restores.push(Restore {
                path: path.clone(),
                checkpoint: change.last_look.checkpoint.clone(),
                seq: change.last_look.seq,
                sign: target.sign.clone(),
                repair: target.repair.clone(),
            });
        }
        if let Some(step) = earliest {
            way.checkpoint = Some(self.signals.steps[step].checkpoint.clone());
            way.time_ms = Some(self.signals.steps[step].time_ms);
        }
        let staying = self.diagnosis.changed.iter().filter(|path| !files.contains_key(*path)).count();
        way.keeps = staying as u64;
        way.groups = self.groups(files);
        // Where every file keeps what is new in it, that is mending.
        if kind == WayKind::BringBack
            && !files.is_empty()
            && files.values().all(|target| target.repair.is_some())
        {
            way.level = 2;
            way.kind = WayKind::Mend;
        }
        // Nearly everything: that is no longer a part.
        let files_before = self.signals.files.max(1);
        let is_lost =
            |target: &&Target| target.repair.is_none() && self.signals.changes[target.change].still.gone;
        let lost = files.values().filter(is_lost).count() as u64;
        if lost > 2 && lost * 10 >= files_before * 6 {
            way.level = 4;
            way.kind = WayKind::GoBack;
        }
        if kind != WayKind::GoBack {
            way.goes = self.work_of_others(files, &|target| target.repair.is_none());
            let is_part = |target: &Target| {
                target.repair.as_ref().is_some_and(|repair| repair.kind == RepairKind::TakeBack)
            };
            way.stays_beside = self.work_of_others(files, &is_part);
        }
        way.risk = match () {
            () if way.loss.lines > 200 || way.level == 4 && way.loss.files > 20 => Risk::High,
            () if way.loss.lines > 40 || !way.groups.is_empty() || !way.goes.is_empty() => Risk::Medium,
            () => Risk::Low,
        };
        way
    }

    /// Work of others, on top of what is taken back of these files.
    fn work_of_others(&self, files: &Targets, of: &dyn Fn(&Target) -> bool) -> Vec<Goes> {
        let is_others = |path: &str, from: usize, at: usize| {
            let change = &self.signals.changes[at];
            change.path == path && !self.signals.is_of_one_request(from, at)
        };
        let after = |(path, target): (&'_ String, &Target)| -> Option<usize> {
            let from = target.change;
            (from + 1..self.signals.changes.len()).find(|&at| is_others(path, from, at))
        };
        let chosen = files.iter().filter(|(_, target)| of(target));
        let later: BTreeMap<&str, usize> =
            chosen.filter_map(|file| Some((file.0.as_str(), after(file)?))).collect();
        let own = |path: &str, at: usize| {
            files.get(path).is_some_and(|target| self.signals.is_of_one_request(target.change, at))
        };
        whose::goes(self.signals, &later, &own)
    }

    /// Everything that the commands of the accident changed, if that is more than what they damaged.
    fn whole_step(&mut self) -> Option<Way> {
        if self.diagnosis.beside.is_empty() {
            return None;
        }
        let mut own: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for step in same_step::accidents(self.signals, &self.diagnosis.hits) {
            for at in same_step::standing_in(self.signals, step) {
                own.entry(self.signals.changes[at].path.clone()).or_default().push(at);
            }
        }
        let (files, left) = self.taken_back(own);
        Some(self.bring_back(&files, left, WayKind::TakeBackStep))
    }

    /// Each file without these changes of it; and what stays because others worked on it.
    fn taken_back(&mut self, own: BTreeMap<String, Vec<usize>>) -> (Targets, Vec<Mend>) {
        let (mut files, mut left) = (Targets::new(), BTreeMap::new());
        for (path, changes) in own {
            let Some(&first) = changes.first() else { continue };
            // It is what it was before all of them.
            if self.signals.changes[first].still.same {
                continue;
            }
            let hit = Hit::new(first, Sign::Wanted, Remedy::Restore);
            match self.restored(&path, &hit, &changes) {
                Some(target) => {
                    files.insert(path, target);
                }
                None => self.add_mend(&path, &hit, &mut left),
            }
        }
        (files, left.into_values().collect())
    }

    /// What the last request of the person led to: the one that was made last, whoever worked last.
    fn last_turn(&mut self) -> Option<Way> {
        let agents = |at: &usize| {
            let change = &self.signals.changes[*at];
            change.undone_by.is_none()
                && matches!(self.signals.steps[change.step].actor, Actor::Edit | Actor::Command)
        };
        let all: Vec<usize> = (0..self.signals.changes.len()).filter(agents).collect();
        let turn = |step: usize| {
            let step = &self.signals.steps[step];
            (&step.session, &step.turn)
        };
        let of = |at: usize| turn(self.signals.changes[at].step);
        let began = |at: usize| (0..self.signals.steps.len()).find(|&step| turn(step) == of(at));
        let standing = all.iter().copied().filter(|&at| self.signals.stands(at));
        let newest = standing.max_by_key(|&at| (began(at), at))?;
        let mut own: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in all.into_iter().filter(|&at| of(at) == of(newest)) {
            own.entry(self.signals.changes[at].path.clone()).or_default().push(at);
        }
        let request = self.signals.request_of(newest).map(str::to_owned);
        let (files, left) = self.taken_back(own);
        let mut way = self.bring_back(&files, left, WayKind::TakeBackTurn);
        (way.level, way.kind) = (way.level.max(3), WayKind::TakeBackTurn);
        way.request = request;
        Some(way)
    }

    /// Everything back to a moment: the one the person named, else the newest good one before the trouble.
    fn everything(&self) -> Option<Way> {
        if let Some(moment) = self.diagnosis.moment {
            return self.everything_since(moment);
        }
        let seq = self.diagnosis.safe.as_ref().map(|point| point.seq)?;
        let from =
            self.signals.changes.iter().position(|change| self.signals.steps[change.step].seq >= seq)?;
        self.everything_since(from)
    }

    /// Every file as it was before this change and all that came after it.
    fn everything_since(&self, from: usize) -> Option<Way> {
        let mut files = Targets::new();
        for (at, change) in self.signals.changes.iter().enumerate().skip(from) {
            // What stood there before vib's first look is nobody's to take back.
            if self.signals.has_history && self.signals.steps[change.step].seq < 0 {
                continue;
            }
            files.entry(change.path.clone()).or_insert_with(|| Target::whole(at, Sign::Wanted));
        }
        files.retain(|_, target| !self.signals.changes[target.change].still.same);
        if files.is_empty() {
            return None;
        }
        let mut way = self.bring_back(&files, Vec::new(), WayKind::GoBack);
        let whole = files.iter().map(|(path, target)| (path.as_str(), target.change)).collect();
        way.goes = whose::goes(self.signals, &whole, &|_, _| false);
        // One request alone is what anybody expects to go.
        if way.goes.len() == 1 && way.goes.iter().all(|goes| !goes.by_hand) {
            way.goes.clear();
        }
        way.level = 4;
        way.kind = WayKind::GoBack;
        way.risk = way.risk.max(Risk::Medium);
        if let Some(change) = self.signals.changes.get(from) {
            let step = &self.signals.steps[change.step];
            way.checkpoint = Some(step.checkpoint.clone());
            way.time_ms = Some(step.time_ms);
        }
        Some(way)
    }

    /// Changed files that belong to those that would come back: who imports whom, and what always changed together.
    fn groups(&self, files: &Targets) -> Vec<Group> {
        const MOST: usize = 20;
        let changed: BTreeSet<&str> = self.diagnosis.changed.iter().map(String::as_str).collect();
        let pairs = self.signals.imports.iter().chain(&self.signals.zone.co_change);
        let mut with: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (a, b) in pairs {
            for (one, other) in [(a, b), (b, a)] {
                if files.contains_key(one) && !files.contains_key(other) && changed.contains(other.as_str()) {
                    with.entry(one).or_default().insert(other);
                }
            }
        }
        with.into_iter()
            .take(MOST)
            .map(|(path, with)| Group {
                path: path.to_owned(),
                with: with.into_iter().map(str::to_owned).collect(),
            })
            .collect()
    }
}

fn same_files(a: &Way, b: &Way) -> bool {
    let files = |way: &Way| -> Vec<(String, i64)> {
        way.restores.iter().map(|restore| (restore.path.clone(), restore.seq)).collect()
    };
    a.restores.len() == b.restores.len() && files(a) == files(b)
}
