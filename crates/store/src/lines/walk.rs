//! Going through the versions of a file, the oldest first.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use project::RelPath;

use super::blanks;
use super::blocks::{Pool, SAME_FILE, match_blocks};
use super::carry::{Carried, NEW, Twins, carry};
use super::maybe_typed::MaybeTyped;
use super::origin::{Held, Kind};
use super::text::Text;
use super::typed::ByHand;
use super::{NoLines, Writer, WrittenLines};
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;
use crate::ledger::StepNumber;
use crate::ledger::unproven::Unproven;
use crate::{Result, Store, versions};

/// How many lines in a row are whose.
type Runs = Vec<(u32, u32)>;

/// Earlier versions in which lines are looked for that a going back brought.
const MOST_EARLIER: usize = 64;
/// Earlier versions of other files that are kept at hand.
const MOST_KEPT: usize = 256;
/// More steps than this are no answer to "which one".
pub(super) const MOST_STEPS: usize = 12;

/// Works out who wrote the lines of files. Keep one for many files: what was worked out for one serves the next.
pub struct LineWalk<'s> {
    pub(super) store: &'s Store<'s>,
    table: Vec<Writer>,
    ids: HashMap<Writer, u32>,
    pasts: HashMap<Vec<u8>, Past>,
    pub(super) kinds: HashMap<StepNumber, Kind>,
    pub(super) held: Option<HashMap<ContentHash, Vec<Held>>>,
    introduced: HashMap<u32, u64>,
    /// Files as they were before some look, by path and look: commands ask for the same ones again and again.
    earlier: HashMap<(Vec<u8>, i64), Rc<Lines>>,
    /// The changes by hand, the oldest first.
    pub(super) typed: Option<Vec<ByHand>>,
    /// Lines that a person wrote or may have written, once somebody asked.
    pub(super) maybe_typed: Option<MaybeTyped>,
    /// Files by their names, as far as somebody asked.
    pub(super) names: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Writers that a record names: how much they brought in at first is not known any more.
    recorded: HashSet<u32>,
}

/// A file so far.
struct Past {
    changes: Rc<Vec<Change>>,
    next: usize,
    versions: Vec<Version>,
    current: Current,
    /// Steps that led to contents that are not kept any more.
    pending: Vec<StepNumber>,
    names: Vec<RelPath>,
    last: Option<Writer>,
}

/// What the file is at the moment.
#[derive(Clone)]
enum Current {
    Absent,
    Lines(Rc<Lines>),
    Whole(ContentHash, NoLines),
}

/// A version with all its lines.
pub(super) struct Lines {
    pub(super) hash: ContentHash,
    pub(super) text: Text,
    pub(super) writers: Vec<u32>,
}

/// A version that was gone through: how many lines in a row are whose.
struct Version {
    seq: i64,
    hash: Option<ContentHash>,
    runs: Vec<(u32, u32)>,
}

/// One change of the file; where several steps share it they stand together.
struct Change {
    seq: i64,
    before: Option<Entry>,
    after: Option<Entry>,
    steps: Vec<StepNumber>,
}

impl Current {
    fn hash(&self) -> Option<ContentHash> {
        match self {
            Self::Absent => None,
            Self::Lines(lines) => Some(lines.hash),
            Self::Whole(hash, _) => Some(*hash),
        }
    }
}

fn file(entry: Option<Entry>) -> Option<Entry> {
    entry.filter(|entry| entry.kind == EntryKind::File)
}

impl<'s> LineWalk<'s> {
    /// Nothing is known yet.
    pub fn new(store: &'s Store<'s>) -> Self {
        let mut walk = Self {
            store,
            table: Vec::new(),
            ids: HashMap::new(),
            pasts: HashMap::new(),
            kinds: HashMap::new(),
            held: None,
            introduced: HashMap::new(),
            earlier: HashMap::new(),
            typed: None,
            maybe_typed: None,
            names: HashMap::new(),
            recorded: HashSet::new(),
        };
        walk.id(&Writer::Before);
        walk.id(&Writer::Unseen);
        walk
    }

    /// Who wrote the lines of a file. `on_disk`: its content now; none: as it was last recorded.
    pub fn file(&mut self, path: &RelPath, on_disk: Option<Vec<u8>>) -> Result<WrittenLines> {
        let key = path.as_bytes();
        self.advance(key, i64::MAX)?;
        let recorded = file(self.store.recorded_at(i64::MAX, key)?);
        let known = self.pasts.get(key).map_or(Current::Absent, |past| past.current.clone());
        if let Some(recorded) = recorded
            && known.hash() != Some(recorded.hash)
        {
            // It was let in by a rule, or its steps are not told any more.
            let is_first = self.pasts.get(key).is_none_or(|past| past.versions.is_empty());
            let writer = if is_first { Writer::Before } else { Writer::Unseen };
            if !self.take_earlier_record(key, i64::MAX, recorded, i64::MAX)? {
                self.arrive(key, i64::MAX, recorded, &[], &writer, false)?;
            }
        }
        if let Some(bytes) = on_disk {
            let hash = ContentHash::of(&bytes);
            if self.current(key).hash() != Some(hash) {
                let writer = self.id(&Writer::Unsaved);
                let current = self.put_on(key, hash, bytes, writer)?;
                return Ok(WrittenLines { last: Some(Writer::Unsaved), ..self.told(key, &current) });
            }
        }
        let current = self.current(key);
        Ok(self.told(key, &current))
    }

    /// How many lines each writer brought into the files that were asked about, whether they still stand or not.
    pub fn introduced(&self) -> Vec<(Writer, u64)> {
        self.introduced.iter().map(|(id, count)| (self.table[*id as usize].clone(), *count)).collect()
    }

    /// Steps of which older contents are let go: lines of theirs that went before that are in no count.
    pub fn thinned(&self) -> HashSet<StepNumber> {
        let writers = self.recorded.iter().map(|id| self.table[*id as usize].wrote());
        writers
            .filter_map(|writer| if let Writer::Steps(steps) = writer { Some(steps.clone()) } else { None })
            .flatten()
            .collect()
    }

    fn current(&self, key: &[u8]) -> Current {
        self.pasts.get(key).map_or(Current::Absent, |past| past.current.clone())
    }

    /// What is on the disk, compared with what was saved last.
    fn put_on(&mut self, key: &[u8], hash: ContentHash, bytes: Vec<u8>, writer: u32) -> Result<Current> {
        let text = match Text::of(bytes) {
            Ok(text) => text,
            Err(why) => return Ok(Current::Whole(hash, why)),
        };
        let mut twins = Twins::default();
        let mut writers = match self.current(key) {
            Current::Lines(base) => {
                let mut carried = carry(&base.text, &base.writers, &text, false);
                twins = carried.twins();
                let mut writers = carried.writers;
                let pool = Pool { text: &base.text, writers: &base.writers, stayed: carried.stayed };
                match_blocks(&text, &mut writers, &mut [pool], SAME_FILE);
                writers
            }
            _ => vec![NEW; text.len()],
        };
        writers.iter_mut().filter(|one| **one == NEW).for_each(|one| *one = writer);
        self.settle(&twins, &mut writers)?;
        Ok(Current::Lines(Rc::new(Lines { hash, text, writers })))
    }

    /// Equal neighbours that nobody can tell apart go to the person among their writers.
    fn settle(&mut self, twins: &Twins, writers: &mut [u32]) -> Result<()> {
        let mut persons: HashMap<u32, bool> = HashMap::new();
        for id in twins.asked_about(writers) {
            persons.insert(id, self.is_person(id)?);
        }
        let before = self.id(&Writer::Before);
        Carried::settle(twins, writers, |id| persons.get(&id).copied().unwrap_or(false), |id| id == before);
        Ok(())
    }

    /// A person wrote it, or another program that is no agent's step; or one of these is among those who may have.
    pub(super) fn is_person(&mut self, id: u32) -> Result<bool> {
        if id == NEW {
            return Ok(false);
        }
        Ok(match self.table[id as usize].wrote().clone() {
            Writer::Steps(steps) => self.kind_of(&steps)?.some_by_hand,
            Writer::Unsaved => true,
            Writer::Before | Writer::Unseen | Writer::Reblanked { .. } => false,
        })
    }

    fn told(&self, key: &[u8], current: &Current) -> WrittenLines {
        let past = self.pasts.get(key);
        let mut out = WrittenLines {
            writers: Vec::new(),
            lines: Vec::new(),
            no_lines: None,
            last: past.and_then(|past| past.last.clone()),
            earlier_names: past.map(|past| past.names.iter().rev().cloned().collect()).unwrap_or_default(),
        };
        let lines = match current {
            Current::Absent => return out,
            Current::Whole(_, why) => {
                out.no_lines = Some(*why);
                return out;
            }
            Current::Lines(lines) => lines,
        };
        let mut places: HashMap<u32, usize> = HashMap::new();
        for writer in &lines.writers {
            let place = *places.entry(*writer).or_insert_with(|| {
                out.writers.push(self.table[*writer as usize].clone());
                out.writers.len() - 1
            });
            out.lines.push(place);
        }
        out
    }

    pub(super) fn id(&mut self, writer: &Writer) -> u32 {
        if let Some(id) = self.ids.get(writer) {
            return *id;
        }
        let id = u32::try_from(self.table.len()).unwrap_or(NEW - 1);
        self.table.push(writer.clone());
        self.ids.insert(writer.clone(), id);
        id
    }

    pub(super) fn writer(&self, id: u32) -> &Writer {
        &self.table[id as usize]
    }

    /// What these steps may not have written of a file themselves.
    fn unproven_of(&self, key: &[u8], steps: &[StepNumber]) -> Result<Option<Unproven>> {
        let mut all: Option<Unproven> = None;
        for step in steps {
            if let Some(unproven) = self.store.unproven_of(*step, key)? {
                all = Some(all.map_or(Unproven::Lines(Vec::new()), |all| all).and(unproven));
            }
        }
        Ok(all)
    }

    /// How many lines in a row are whose, in the version that the look of `seq` found.
    pub(super) fn runs_at(&mut self, key: &[u8], seq: i64) -> Result<Option<(ContentHash, Runs)>> {
        self.advance(key, seq)?;
        let past = self.pasts.get(key);
        let version = past.and_then(|past| past.versions.iter().rfind(|version| version.seq == seq));
        Ok(version.and_then(|version| Some((version.hash?, version.runs.clone()))))
    }

    /// A file as it was before the look of `seq`, if it had lines then.
    pub(super) fn lines_before(&mut self, key: &[u8], seq: i64) -> Result<Option<Rc<Lines>>> {
        self.advance(key, seq - 1)?;
        let Some(past) = self.pasts.get(key) else { return Ok(None) };
        let Some(version) = past.versions.iter().rfind(|version| version.seq < seq) else { return Ok(None) };
        let Some(hash) = version.hash else { return Ok(None) };
        if let Current::Lines(lines) = &past.current
            && lines.hash == hash
        {
            return Ok(Some(Rc::clone(lines)));
        }
        let place = (key.to_vec(), version.seq);
        if let Some(lines) = self.earlier.get(&place) {
            return Ok(Some(Rc::clone(lines)));
        }
        let writers = expand(&version.runs);
        let text = self.store.content(&hash).ok().and_then(|bytes| Text::of(bytes).ok());
        let Some(text) = text.filter(|text| text.len() == writers.len()) else { return Ok(None) };
        let lines = Rc::new(Lines { hash, text, writers });
        if self.earlier.len() >= MOST_KEPT {
            self.earlier.clear();
        }
        self.earlier.insert(place, Rc::clone(&lines));
        Ok(Some(lines))
    }

    /// The changes of a file from the look of `from` on, before that of `until`: whose they are, and what it was then.
    pub(super) fn changes_between(
        &mut self,
        key: &[u8],
        from: i64,
        until: i64,
    ) -> Result<Vec<(Vec<StepNumber>, Option<Entry>)>> {
        if !self.pasts.contains_key(key) {
            self.begin(key)?;
        }
        let changes = self.pasts.get(key).map(|past| Rc::clone(&past.changes)).unwrap_or_default();
        let between = changes.iter().filter(|change| (from..until).contains(&change.seq));
        Ok(between.map(|change| (change.steps.clone(), file(change.after))).collect())
    }

    /// A file as these steps found it: before their look, and with what the same look found that others had done to it. A command of
    /// which only the targets were looked at copies what was typed into another file just before, or what an agent beside it wrote there.
    pub(super) fn lines_found_by(
        &mut self,
        key: &[u8],
        seq: i64,
        steps: &[StepNumber],
    ) -> Result<Option<Rc<Lines>>> {
        if !self.pasts.contains_key(key) {
            self.begin(key)?;
        }
        let changes = self.pasts.get(key).map(|past| Rc::clone(&past.changes));
        let same_look = changes.as_ref().and_then(|all| all.iter().find(|change| change.seq == seq));
        let by_others = same_look.is_some_and(|change| change.steps.iter().all(|step| !steps.contains(step)));
        self.lines_before(key, if by_others { seq + 1 } else { seq })
    }

    /// Goes on to the last change that the look of `upto` found.
    fn advance(&mut self, key: &[u8], upto: i64) -> Result<()> {
        if !self.pasts.contains_key(key) {
            self.begin(key)?;
        }
        loop {
            let Some(past) = self.pasts.get_mut(key) else { return Ok(()) };
            let changes = Rc::clone(&past.changes);
            let Some(change) = changes.get(past.next).filter(|change| change.seq <= upto) else {
                return Ok(());
            };
            // Counted before it is worked out: whoever asks on the way asks about the time before it.
            past.next += 1;
            self.apply(key, change)?;
        }
    }

    fn begin(&mut self, key: &[u8]) -> Result<()> {
        let changes = match RelPath::new(key) {
            Ok(path) => changes_of(self.store, &path)?,
            Err(_) => Vec::new(),
        };
        let first = match changes.first() {
            Some(change) => file(change.before).map(|entry| (entry, change.seq)),
            None => file(self.store.recorded_at(i64::MAX, key)?).map(|entry| (entry, i64::MAX)),
        };
        let past = Past {
            changes: Rc::new(changes),
            next: 0,
            versions: Vec::new(),
            current: Current::Absent,
            pending: Vec::new(),
            names: Vec::new(),
            last: None,
        };
        self.pasts.insert(key.to_vec(), past);
        if let Some((entry, before)) = first {
            // What is known of the time before the first change that is still told.
            if !self.take_earlier_record(key, i64::MIN, entry, before)? {
                self.arrive(key, i64::MIN, entry, &[], &Writer::Before, false)?;
            }
        }
        Ok(())
    }

    fn apply(&mut self, key: &[u8], change: &Change) -> Result<()> {
        let Some(past) = self.pasts.get(key) else { return Ok(()) };
        let (known, pending) = (past.current.hash(), past.pending.clone());
        if let Some(before) = file(change.before)
            && known != Some(before.hash)
        {
            let writer = if pending.is_empty() { Writer::Unseen } else { Writer::Steps(pending.clone()) };
            // The steps between may be told no more, while what they wrote is written down.
            if !self.take_earlier_record(key, change.seq - 1, before, change.seq)? {
                self.arrive(key, change.seq - 1, before, &pending, &writer, false)?;
            }
        }
        match file(change.after) {
            None => {
                if let Some(past) = self.pasts.get_mut(key) {
                    past.current = Current::Absent;
                    past.pending.clear();
                    past.versions.push(Version { seq: change.seq, hash: None, runs: Vec::new() });
                    past.last = Some(Writer::Steps(change.steps.clone()));
                }
            }
            Some(after) => {
                let mut steps = self.pasts.get(key).map(|past| past.pending.clone()).unwrap_or_default();
                steps.extend(
                    change.steps.iter().filter(|step| !steps.contains(step)).copied().collect::<Vec<_>>(),
                );
                let writer =
                    if steps.len() > MOST_STEPS { Writer::Unseen } else { Writer::Steps(steps.clone()) };
                let recorded = self.store.line_record(key, change.seq, change.seq, &after.hash)?;
                if !self.take_record(key, change.seq, after, recorded)? {
                    let came = file(change.before).is_none();
                    self.arrive(key, change.seq, after, &steps, &writer, came)?;
                }
                if let Some(past) = self.pasts.get_mut(key) {
                    past.last = Some(Writer::Steps(change.steps.clone()));
                }
            }
        }
        Ok(())
    }

    /// The same with the newest record of this content from before a look.
    fn take_earlier_record(&mut self, key: &[u8], seq: i64, entry: Entry, before: i64) -> Result<bool> {
        let recorded = self.store.line_record(key, i64::MIN, before, &entry.hash)?;
        self.take_record(key, seq, entry, recorded)
    }

    /// Takes the writers that were written down when the contents before were let go. `seq`: the look from which they hold.
    fn take_record(
        &mut self,
        key: &[u8],
        seq: i64,
        entry: Entry,
        recorded: Option<Vec<(u32, Writer)>>,
    ) -> Result<bool> {
        let Some(recorded) = recorded else { return Ok(false) };
        let Ok(bytes) = self.store.content(&entry.hash) else { return Ok(false) };
        let Ok(text) = Text::of(bytes) else { return Ok(false) };
        let mut writers = Vec::with_capacity(text.len());
        for (count, writer) in &recorded {
            let id = self.id(writer);
            self.recorded.insert(id);
            writers.extend(std::iter::repeat_n(id, *count as usize));
        }
        if writers.len() != text.len() {
            return Ok(false);
        }
        self.keep(key, seq, Lines { hash: entry.hash, text, writers });
        Ok(true)
    }

    /// The file has this content now. `came`: it was not there before.
    fn arrive(
        &mut self,
        key: &[u8],
        seq: i64,
        entry: Entry,
        steps: &[StepNumber],
        writer: &Writer,
        came: bool,
    ) -> Result<()> {
        let base = self.current(key);
        if base.hash() == Some(entry.hash) {
            return Ok(());
        }
        let content = (entry.size <= super::MOST_BYTES as u64).then(|| self.store.content(&entry.hash));
        let text = match content {
            None => Err(NoLines::TooLong),
            Some(Ok(bytes)) => Text::of(bytes),
            Some(Err(_)) => {
                // Let go: whatever of it is in a later version came by one of these steps.
                if let Some(past) = self.pasts.get_mut(key) {
                    past.pending.extend(
                        steps.iter().filter(|step| !past.pending.contains(step)).copied().collect::<Vec<_>>(),
                    );
                }
                return Ok(());
            }
        };
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                if let Some(past) = self.pasts.get_mut(key) {
                    past.current = Current::Whole(entry.hash, why);
                    past.pending.clear();
                    past.versions.push(Version { seq, hash: Some(entry.hash), runs: Vec::new() });
                }
                return Ok(());
            }
        };
        let (mut writers, twins) = match self.as_before(key, &entry.hash, text.len()) {
            Some(writers) => (writers, Twins::default()),
            None => self.worked_out(key, seq, &entry, &text, steps, &base, came)?,
        };
        let id = self.id(writer);
        let unproven = self.unproven_of(key, steps)?;
        let doubtful = match writer {
            Writer::Steps(steps) if unproven.is_some() => {
                self.id(&Writer::Steps(steps.iter().copied().chain([StepNumber::A_PERSON]).collect()))
            }
            _ => id,
        };
        for (line, one) in writers.iter_mut().enumerate().filter(|(_, one)| **one == NEW) {
            let is_doubtful = unproven.as_ref().is_some_and(|unproven| unproven.holds(text.bare()[line]));
            *one = if is_doubtful { doubtful } else { id };
            *self.introduced.entry(*one).or_insert(0) += 1;
        }
        self.settle(&twins, &mut writers)?;
        self.keep(key, seq, Lines { hash: entry.hash, text, writers });
        Ok(())
    }

    fn keep(&mut self, key: &[u8], seq: i64, lines: Lines) {
        let Some(past) = self.pasts.get_mut(key) else { return };
        past.pending.clear();
        past.versions.push(Version { seq, hash: Some(lines.hash), runs: shorten(&lines.writers) });
        past.current = Current::Lines(Rc::new(lines));
    }

    /// The file had exactly this content before: whoever brought it back wrote none of it.
    fn as_before(&self, key: &[u8], hash: &ContentHash, length: usize) -> Option<Vec<u32>> {
        let past = self.pasts.get(key)?;
        let version = past.versions.iter().rfind(|version| version.hash.as_ref() == Some(hash))?;
        let writers = expand(&version.runs);
        (writers.len() == length && length > 0).then_some(writers)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "they are the facts of one arrival, and there is one caller"
    )]
    fn worked_out(
        &mut self,
        key: &[u8],
        seq: i64,
        entry: &Entry,
        text: &Text,
        steps: &[StepNumber],
        base: &Current,
        came: bool,
    ) -> Result<(Vec<u32>, Twins)> {
        let kind = self.kind_of(steps)?;
        let mut twins = Twins::default();
        let mut base = match base {
            Current::Lines(lines) => Some(Rc::clone(lines)),
            Current::Whole(hash, NoLines::Binary) => self.wide_lines(key, hash),
            _ => None,
        };
        if came && let Some((other, lines)) = self.origin(key, seq, entry, text, steps)? {
            if let Some(past) = self.pasts.get_mut(key)
                && let Ok(name) = RelPath::new(&other)
            {
                past.names.push(name);
            }
            base = Some(lines);
        }
        let mut writers = vec![NEW; text.len()];
        let mut left = Vec::new();
        if let Some(base) = &base {
            let mut carried = carry(&base.text, &base.writers, text, kind.formats);
            twins = carried.twins();
            writers = std::mem::take(&mut carried.writers);
            if !kind.formats {
                self.note_blanks(key, &base.text, text, &carried.reblanked, steps, &mut writers);
            }
            if kind.restores {
                self.take_from_earlier(key, seq, text, &mut writers);
            }
            self.join(&carried.joined, &mut writers)?;
            let pool = Pool { text: &base.text, writers: &base.writers, stayed: carried.stayed };
            let mut pools = [pool];
            match_blocks(text, &mut writers, &mut pools, SAME_FILE);
            let [pool] = pools;
            let stayed = pool.stayed;
            left = self.take_moved_lines(base, stayed, text, steps, &mut writers)?;
        } else if kind.restores {
            self.take_from_earlier(key, seq, text, &mut writers);
        }
        self.take_from_other_files(key, seq, text, steps, &mut writers)?;
        if let Some(base) = &base {
            self.take_rewritten(base, &left, text, steps, &mut writers)?;
        }
        Ok((writers, twins))
    }

    /// The lines of a file that was in UTF-16: they are of whoever changed it last. (M4)
    fn wide_lines(&mut self, key: &[u8], hash: &ContentHash) -> Option<Rc<Lines>> {
        let last = self.pasts.get(key)?.last.clone()?;
        let text = Text::of_wide(&self.store.content(hash).ok()?)?;
        let writers = vec![self.id(&last); text.len()];
        Some(Rc::new(Lines { hash: *hash, text, writers }))
    }

    /// Lines that kept their writers, while this step changed blanks of theirs that may mean something.
    fn note_blanks(
        &mut self,
        key: &[u8],
        old: &Text,
        new: &Text,
        pairs: &[(usize, usize)],
        steps: &[StepNumber],
        writers: &mut [u32],
    ) {
        if steps.is_empty() || steps.len() > MOST_STEPS {
            return;
        }
        let indent = blanks::indent_tells(key);
        for (from, to) in pairs {
            let id = writers[*to];
            if id == NEW || !blanks::may_mean_something(old.line(*from), new.line(*to), indent) {
                continue;
            }
            let wrote = self.table[id as usize].wrote().clone();
            if wrote != Writer::Steps(steps.to_vec()) {
                writers[*to] = self.id(&Writer::Reblanked { wrote: Box::new(wrote), by: steps.to_vec() });
            } else {
                writers[*to] = self.id(&wrote);
            }
        }
    }

    /// A going back brought lines of earlier versions: they are whose they were.
    fn take_from_earlier(&self, key: &[u8], seq: i64, text: &Text, writers: &mut [u32]) {
        let Some(past) = self.pasts.get(key) else { return };
        let earlier = past.versions.iter().rev().filter(|version| version.seq < seq).take(MOST_EARLIER);
        for version in earlier {
            if !writers.contains(&NEW) {
                return;
            }
            let Some(bytes) = version.hash.and_then(|hash| self.store.content(&hash).ok()) else { continue };
            let Ok(old) = Text::of(bytes) else { continue };
            let owners = expand(&version.runs);
            let carried = carry(&old, &owners, text, false);
            for (one, found) in writers.iter_mut().zip(carried.writers) {
                if *one == NEW {
                    *one = found;
                }
            }
        }
    }
}

/// The changes of a path, those of one look as one.
fn changes_of(store: &Store<'_>, path: &RelPath) -> Result<Vec<Change>> {
    let mut out: Vec<Change> = Vec::new();
    for row in store.changes_of_path(path)? {
        match out.last_mut() {
            Some(last) if last.seq == row.seq => last.steps.push(row.step),
            _ => {
                out.push(Change {
                    seq: row.seq,
                    before: row.before,
                    after: row.after,
                    steps: vec![row.step],
                });
            }
        }
    }
    Ok(out)
}

fn shorten(writers: &[u32]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for writer in writers {
        match runs.last_mut() {
            Some((count, last)) if last == writer => *count += 1,
            _ => runs.push((1, *writer)),
        }
    }
    runs
}

fn expand(runs: &[(u32, u32)]) -> Vec<u32> {
    runs.iter().flat_map(|(count, writer)| std::iter::repeat_n(*writer, *count as usize)).collect()
}

impl Store<'_> {
    /// The number of a path, if the index knows it.
    pub(super) fn path_number(&self, path: &[u8]) -> Result<Option<i64>> {
        versions::find_path(self.db.reader(), path)
    }
}
