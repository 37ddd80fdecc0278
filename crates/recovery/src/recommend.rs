//! From a diagnosis to two or three ways, the gentlest that helps first. (RC2, RC5, RC10)

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::diagnose::{Diagnosis, Healthy, Remedy};
use crate::phrase::Ask;
use crate::signals::{Actor, Signals};
use crate::signs::Sign;

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
    /// How risky it is.
    pub risk: Risk,
}

/// The ways, the gentlest that helps first; never more than three.
pub fn recommend(signals: &Signals, diagnosis: &Diagnosis) -> Vec<Way> {
    let maker = Maker { signals, diagnosis };
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
}

impl Maker<'_> {
    fn ways(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        let explain = || self.plain(1, WayKind::Explain);
        if !self.signals.has_history {
            // No safe checkpoint: nothing is offered that would need one. (RC10)
            ways.push(explain());
            let mends = self.mends();
            if !mends.is_empty() {
                ways.push(Way { mends, ..self.plain(2, WayKind::Mend) });
            }
            return ways;
        }
        if let Some(healthy) = self.diagnosis.healthy {
            ways.push(self.plain(0, WayKind::Nothing));
            if healthy != Healthy::Unchanged {
                ways.push(explain());
            }
            return ways;
        }
        let restores = self.restores();
        let mends = self.mends();
        let turn = self.last_turn();
        let everything = self.everything();
        if !restores.is_empty() {
            ways.push(self.bring_back(&restores, mends, WayKind::BringBack));
        } else if !mends.is_empty() {
            ways.push(Way { mends, ..self.plain(2, WayKind::Mend) });
            ways.push(self.bring_back(&self.mended_by_restoring(), Vec::new(), WayKind::BringBack));
        } else if self.diagnosis.phrase.ask == Ask::GoBack && self.diagnosis.moment_seq.is_some() {
            if let Some(way) = everything.clone() {
                ways.push(way);
            }
            ways.push(explain());
        } else {
            ways.push(explain());
        }
        for other in [turn, everything].into_iter().flatten() {
            let known = |way: &Way| same_files(way, &other) || way.level > other.level;
            if !other.restores.is_empty() && !ways.iter().any(known) {
                ways.push(other);
            }
        }
        if ways.len() == 1 && ways[0].level != 1 {
            ways.push(explain());
        }
        ways
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
            risk: Risk::Low,
        }
    }

    /// For each path the earliest change that is to be taken back.
    fn restores(&self) -> BTreeMap<String, (usize, Sign)> {
        let mut first: BTreeMap<String, (usize, Sign)> = BTreeMap::new();
        for hit in self.diagnosis.hits.iter().filter(|hit| hit.remedy == Remedy::Restore) {
            let path = &self.signals.changes[hit.change].path;
            let earlier = first.get(path).is_some_and(|(at, _)| *at <= hit.change);
            if !earlier {
                first.insert(path.clone(), (hit.change, hit.sign.clone()));
            }
        }
        first
    }

    fn mends(&self) -> Vec<Mend> {
        let mut found: BTreeMap<String, Mend> = BTreeMap::new();
        for hit in self.diagnosis.hits.iter().filter(|hit| hit.remedy == Remedy::Mend) {
            let change = &self.signals.changes[hit.change];
            let own = [change.path.clone()];
            let places = if hit.elsewhere.is_empty() { &own[..] } else { &hit.elsewhere[..] };
            for path in places {
                found.entry(path.clone()).or_insert_with(|| Mend {
                    path: path.clone(),
                    sign: hit.sign.clone(),
                    checkpoint: Some(change.last_look.checkpoint.clone()),
                });
            }
        }
        found.into_values().collect()
    }

    /// The second choice where mending is the first: the same files as they were before.
    fn mended_by_restoring(&self) -> BTreeMap<String, (usize, Sign)> {
        let mut first: BTreeMap<String, (usize, Sign)> = BTreeMap::new();
        for hit in &self.diagnosis.hits {
            let change = &self.signals.changes[hit.change];
            let places = std::iter::once(&change.path).chain(&hit.elsewhere);
            for path in places {
                let at = self
                    .signals
                    .changes
                    .iter()
                    .position(|other| other.path == *path && other.step >= change.step);
                if let Some(at) = at.filter(|&at| !self.signals.changes[at].still.same) {
                    first.entry(path.clone()).or_insert((at, hit.sign.clone()));
                }
            }
        }
        first
    }

    fn bring_back(&self, files: &BTreeMap<String, (usize, Sign)>, mends: Vec<Mend>, kind: WayKind) -> Way {
        let mut way = Way { mends, ..self.plain(3, kind) };
        let mut earliest: Option<usize> = None;
        for (path, (at, sign)) in files {
            let change = &self.signals.changes[*at];
            let now_exists = !change.still.gone;
            way.loss.files += u64::from(now_exists);
            way.loss.lines += change.still.only_now();
            way.loss.lines_back += change.still.removed.unwrap_or(0);
            way.loss.not_counted += u64::from(change.still.added.is_none());
            earliest = Some(earliest.map_or(change.step, |first| first.min(change.step)));
            way.restores.push(Restore {
                path: path.clone(),
                checkpoint: change.last_look.checkpoint.clone(),
                seq: change.last_look.seq,
                sign: sign.clone(),
            });
        }
        if let Some(step) = earliest {
            way.checkpoint = Some(self.signals.steps[step].checkpoint.clone());
            way.time_ms = Some(self.signals.steps[step].time_ms);
        }
        let staying = self.diagnosis.changed.iter().filter(|path| !files.contains_key(*path)).count();
        way.keeps = staying as u64;
        way.groups = self.groups(files);
        // Nearly everything: that is no longer a part.
        let files_before = self.signals.files.max(1);
        let lost = files.values().filter(|(at, _)| self.signals.changes[*at].still.gone).count() as u64;
        if lost * 10 >= files_before * 6 {
            way.level = 4;
            way.kind = WayKind::GoBack;
        }
        way.risk = match () {
            () if way.loss.lines > 200 || way.level == 4 && way.loss.files > 20 => Risk::High,
            () if way.loss.lines > 40 || !way.groups.is_empty() => Risk::Medium,
            () => Risk::Low,
        };
        way
    }

    /// What the last request of the person led to.
    fn last_turn(&self) -> Option<Way> {
        let agents = |at: &usize| {
            let change = &self.signals.changes[*at];
            !change.still.same
                && matches!(self.signals.steps[change.step].actor, Actor::Edit | Actor::Command)
        };
        let all: Vec<usize> = (0..self.signals.changes.len()).filter(agents).collect();
        let turn = |at: usize| {
            let step = &self.signals.steps[self.signals.changes[at].step];
            (&step.session, &step.turn)
        };
        let last = turn(*all.last()?);
        let mut files: BTreeMap<String, (usize, Sign)> = BTreeMap::new();
        for at in all.into_iter().filter(|&at| turn(at) == last) {
            files.entry(self.signals.changes[at].path.clone()).or_insert((at, Sign::Wanted));
        }
        Some(self.bring_back(&files, Vec::new(), WayKind::TakeBackTurn))
    }

    /// Everything back to a moment: the one the person named, else the newest good one before the trouble.
    fn everything(&self) -> Option<Way> {
        let safe = || self.diagnosis.safe.as_ref().map(|point| point.seq);
        let seq = self.diagnosis.moment_seq.or_else(safe)?;
        let mut files: BTreeMap<String, (usize, Sign)> = BTreeMap::new();
        for (at, change) in self.signals.changes.iter().enumerate() {
            if self.signals.steps[change.step].seq >= seq {
                files.entry(change.path.clone()).or_insert((at, Sign::Wanted));
            }
        }
        files.retain(|_, (at, _)| !self.signals.changes[*at].still.same);
        if files.is_empty() {
            return None;
        }
        let mut way = self.bring_back(&files, Vec::new(), WayKind::GoBack);
        way.level = 4;
        way.kind = WayKind::GoBack;
        way.risk = way.risk.max(Risk::Medium);
        if let Some(step) = self.signals.steps.iter().find(|step| step.seq >= seq) {
            way.checkpoint = Some(step.checkpoint.clone());
            way.time_ms = Some(step.time_ms);
        }
        Some(way)
    }

    /// Changed files that belong to those that would come back: who imports whom, and what always changed together.
    fn groups(&self, files: &BTreeMap<String, (usize, Sign)>) -> Vec<Group> {
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
