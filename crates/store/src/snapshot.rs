//! Saving: one file without a walk, or the whole tree as far as it changed.

use std::collections::{BTreeSet, HashSet};

use project::RelPath;
use project::platform::{self, DirHandle, FileKind};
use rusqlite::{OptionalExtension, Transaction};

use crate::between::{Between, touched, trace};
use crate::checkpoint::{Checkpoint, CheckpointKind, Origin};
use crate::entry::Entry;
use crate::id::CheckpointId;
use crate::ignore_rules::MadeWith;
use crate::ledger::{self, Found, LookAt, Moment, Serves, StepNumber};
use crate::pack::{self, BlobSink};
use crate::progress::{Phase, Progress};
use crate::walk::content::{self, ReadTools, Reading};
use crate::walk::hurry::Calm;
use crate::walk::index::StatIndex;
use crate::walk::outcome::{self, Change, Look};
use crate::walk::rules::Rules;
use crate::walk::{Problem, ScanCounts, scan};
use crate::{Result, Store, TreeLock, lately, retention, versions};

/// The mark of a checkpoint that was made when a person spoke to an agent.
const PROMPT_TRIGGER: &str = "prompt";

/// Files saved by name that are looked at again whenever a person speaks, and how long they may be together.
const MOST_WATCHED: usize = 200;
const MOST_WATCHED_BYTES: u64 = 32 << 20;

/// What to save.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// Everything in the tree, and these paths even if they are ignored.
    Tree {
        /// Paths to save whatever the ignore rules say.
        also: &'a [RelPath],
    },
    /// Only these paths, whatever the ignore rules say. A path that is not there is recorded as such.
    Paths(&'a [RelPath]),
}

/// A wish for a checkpoint.
#[derive(Debug, Clone)]
pub struct SnapshotRequest {
    /// Why.
    pub kind: CheckpointKind,
    /// What the person says about it.
    pub message: Option<String>,
    /// Keep it for ever.
    pub pinned: bool,
    /// An agent asked for it, not a person.
    pub by_agent: bool,
    /// Who and what caused it.
    pub origin: Origin,
    /// Where it stands among the steps.
    pub moment: Moment,
}

impl SnapshotRequest {
    /// A checkpoint of this kind, with nothing else said.
    pub fn new(kind: CheckpointKind) -> Self {
        Self {
            kind,
            message: None,
            pinned: false,
            by_agent: false,
            origin: Origin::default(),
            moment: Moment::Between,
        }
    }
}

/// A checkpoint that was made.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Saved {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// What was looked at.
    pub counts: ScanCounts,
    /// What could not be saved, and why.
    pub problems: Vec<Problem>,
    /// How many paths this look found different. The checkpoint is an earlier one if there were none and nothing asked for its own.
    pub files_changed: u64,
    /// The step that begins or ends with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepNumber>,
}

/// What goes into one commit.
struct Commit<'a> {
    request: &'a SnapshotRequest,
    whole_tree: bool,
    changes: Vec<Change>,
    observed: Vec<RelPath>,
    problems: &'a [Problem],
    /// The newest checkpoint when looking began.
    started_at: i64,
    /// Paths that are seen, or not seen any more, for another reason than that somebody changed them: a file that walks leave out and
    /// that nobody saved before, or one that a rule let in or left out.
    no_changes: HashSet<Vec<u8>>,
    made_with: MadeWith,
}

/// What became of one.
struct Committed {
    checkpoint: Checkpoint,
    overtaken: bool,
    files_changed: u64,
    step: Option<StepNumber>,
}

impl Store<'_> {
    /// Saves the whole tree. Only what changed is read and stored.
    pub fn snapshot_tree(
        &mut self,
        lock: &TreeLock,
        request: &SnapshotRequest,
        also: &[RelPath],
        progress: &dyn Progress,
    ) -> Result<Saved> {
        self.snapshot_tree_and_look(lock, request, also, progress).map(|(saved, ..)| saved)
    }

    /// As [`Self::snapshot_tree`], and also what was seen.
    pub(crate) fn snapshot_tree_and_look(
        &mut self,
        _lock: &TreeLock,
        request: &SnapshotRequest,
        also: &[RelPath],
        progress: &dyn Progress,
    ) -> Result<(Saved, StatIndex, Look)> {
        self.settle_after_restart()?;
        if self.project.is_loose() {
            // Nothing is walked there: these paths are all that is looked at.
            let saved = self.look_by_name(request, also, true)?;
            return Ok((saved, StatIndex::empty(), Look::at_nothing()));
        }
        let root = self.root_handle()?;
        let index = self.load_index()?;
        let rules = self.rules(&root);
        let started_at = self.head()?;
        let sink = BlobSink::new(self.folder().to_path_buf(), started_at == 0);
        let mut look = look(&root, &index, &rules, Some(&sink), progress)?;
        let mut changes = std::mem::take(&mut look.changes);
        let mut problems = std::mem::take(&mut look.problems);
        self.add_recorded_since(&index, &look, &mut changes)?;

        let mut tools = ReadTools::new();
        let mut observed = Vec::new();
        let watched = match request.origin.trigger.as_deref() {
            Some(PROMPT_TRIGGER) => self.watched_by_name(&root, &index, &look)?,
            _ => Vec::new(),
        };
        for path in also.iter().chain(&watched) {
            if look.find(&index, path.as_bytes()).is_none() {
                observe(&root, &rules, path, Some(&sink), &mut tools, &mut changes, &mut problems)?;
                observed.push(path.clone());
            }
        }
        Self::add_folders_gone(&root, &index, &look, &observed, &mut changes);
        let made_with = self.made_with(&root, &index, &look, &rules)?;
        let ends_step = matches!(request.moment, Moment::After(..));
        let mut no_changes = self.first_sights(&root, &rules, &observed, ends_step)?;
        let may_shift = started_at > 0
            && !changes.is_empty()
            && (made_with.may_shift(&changes) || !self.not_yet_at(started_at)?.is_empty());
        if may_shift {
            if matches!(request.kind, CheckpointKind::Turn | CheckpointKind::Safety) {
                Self::keep_what_is_there(&root, &mut changes, &mut observed);
            }
            self.add_shifted_by_rules(&root, started_at, &changes, &mut no_changes)?;
        }
        let seen = (problems.is_empty() && changes.len() <= lately::MOST_CHANGES).then(|| changes.clone());
        let commit = Commit {
            request,
            whole_tree: true,
            changes,
            observed,
            problems: &problems,
            started_at,
            no_changes,
            made_with,
        };
        let done = self.commit(sink, commit)?;
        if done.checkpoint.seq > started_at {
            self.note_outside(&done.checkpoint);
        }
        if let (Some(seen), Some(written)) = (seen.filter(|_| !done.overtaken), self.db.written()) {
            lately::remember(self.folder(), &written.before, written.after, &seen);
        }
        if let Some(writer) = look.new_index.take() {
            let generation = if done.overtaken { started_at } else { done.checkpoint.seq };
            if let Some(binding) = self.binding(generation)? {
                // Without the index the next look reads more; the checkpoint itself is safe.
                let _ = writer.publish(&self.index_file(), generation, rules.fingerprint(), binding);
            }
        }
        Ok((done.saved(look.counts, problems), index, look))
    }

    /// Saves these paths only, without a walk and without waiting for one.
    pub fn snapshot_paths(&mut self, request: &SnapshotRequest, paths: &[RelPath]) -> Result<Saved> {
        // The folders around files that lie in no project are nobody's work unless they are named.
        if matches!(request.moment, Moment::After(..)) && !self.project.is_loose() {
            return self.look_by_name(request, &and_their_folders(paths), false);
        }
        self.look_by_name(request, paths, false)
    }

    /// Looks at these paths and saves what is there. `whole_tree`: they stand for everything that there is.
    fn look_by_name(
        &mut self,
        request: &SnapshotRequest,
        paths: &[RelPath],
        whole_tree: bool,
    ) -> Result<Saved> {
        let root = self.root_handle()?;
        let rules = self.rules(&root);
        loop {
            let started_at = self.head()?;
            let sink = BlobSink::new(self.folder().to_path_buf(), started_at == 0);
            let mut tools = ReadTools::with_connection(self.db.reader());
            let mut changes = Vec::new();
            let mut problems = Vec::new();
            for path in paths {
                observe(&root, &rules, path, Some(&sink), &mut tools, &mut changes, &mut problems)?;
            }
            let counts =
                ScanCounts { files: paths.len() as u64, read: changes.len() as u64, ..Default::default() };
            let observed = paths.to_vec();
            let ends_step = matches!(request.moment, Moment::After(..));
            let seen = if self.project.is_loose() { Vec::new() } else { changes.clone() };
            let no_changes = if self.project.is_loose() && ends_step {
                // What a step names there was looked at when it began, also if there was nothing.
                HashSet::new()
            } else {
                self.first_sights(&root, &rules, &observed, ends_step)?
            };
            let commit = Commit {
                request,
                whole_tree,
                changes,
                observed,
                problems: &problems,
                started_at: i64::MAX,
                no_changes,
                made_with: MadeWith::AsBefore,
            };
            match self.commit(sink, commit) {
                Ok(done) => {
                    if done.checkpoint.seq > started_at {
                        self.note_outside(&done.checkpoint);
                    }
                    if let Some(written) = self.db.written().filter(|_| !self.project.is_loose()) {
                        lately::remember(self.folder(), &written.before, written.after, &seen);
                    }
                    return Ok(done.saved(counts, problems));
                }
                // Cleaning up took content away that was there when we looked: store it again.
                Err(crate::Error::DamagedContent { detail, .. }) if detail == CLEANED_MEANWHILE => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Looks at the tree without saving anything: what is different from the newest checkpoint.
    pub(crate) fn look_only(&self, progress: &dyn Progress) -> Result<(StatIndex, Look)> {
        let _complete = Calm::new();
        let root = self.root_handle()?;
        let rules = self.rules(&root);
        let (index, mut look) = if self.project.is_loose() {
            (StatIndex::empty(), Look::at_nothing())
        } else {
            let index = self.load_index()?;
            let look = look(&root, &index, &rules, None, progress)?;
            (index, look)
        };
        let mut changes = std::mem::take(&mut look.changes);
        self.add_recorded_since(&index, &look, &mut changes)?;
        let mut tools = ReadTools::new();
        for path in self.saved_by_name(&index, &look)? {
            changes.retain(|change| change.path != path.as_bytes());
            observe(&root, &rules, &path, None, &mut tools, &mut changes, &mut Vec::new())?;
        }
        // What is there and only left out, by rules that came since, was not removed. (M1)
        changes.retain(|change| {
            let is_left_out = change.now.is_none() && exists(&root, &change.path);
            if is_left_out {
                look.left_out.push(change.path.clone());
            }
            !is_left_out
        });
        look.changes = changes;
        Ok((index, look))
    }

    /// Files that a checkpoint saved by name and that the walk does not see, because they are ignored: whoever saved them
    /// once wants them watched.
    fn saved_by_name(&self, index: &StatIndex, look: &Look) -> Result<Vec<RelPath>> {
        let reader = self.db.reader();
        let mut statement = reader
            .prepare_cached("SELECT p.path FROM path p WHERE p.id IN (SELECT DISTINCT path FROM observed)")?;
        let paths: Vec<Vec<u8>> =
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let unseen = paths.iter().filter(|path| look.find(index, path).is_none());
        Ok(unseen.filter_map(|path| RelPath::new(path).ok()).collect())
    }

    /// Those of them that are little enough to be read whenever a person speaks: what they changed in one by hand is theirs, and no part of
    /// what comes after. What was never there at this name since is not asked for again.
    fn watched_by_name(&self, root: &DirHandle, index: &StatIndex, look: &Look) -> Result<Vec<RelPath>> {
        let mut left = MOST_WATCHED_BYTES;
        let paths = self.saved_by_name(index, look)?.into_iter();
        let is_small = |path: &RelPath| {
            let (folder, name) = path.split();
            match root.open_dir(folder).and_then(|folder| folder.stat(name)) {
                Ok(stat) if stat.kind == FileKind::File && stat.size <= left => {
                    left -= stat.size;
                    true
                }
                _ => false,
            }
        };
        Ok(paths.filter(is_small).take(MOST_WATCHED).collect())
    }

    /// What is on the disk now at these paths, whatever the ignore rules say.
    pub(crate) fn on_disk<'a>(&self, paths: impl Iterator<Item = &'a RelPath>) -> Result<Vec<Option<Entry>>> {
        let _complete = Calm::new();
        let root = self.root_handle()?;
        let rules = self.rules(&root);
        let mut tools = ReadTools::new();
        let (mut changes, mut problems) = (Vec::new(), Vec::new());
        paths
            .map(|path| {
                observe(&root, &rules, path, None, &mut tools, &mut changes, &mut problems)?;
                Ok(changes.pop().and_then(|change| change.now))
            })
            .collect()
    }

    /// What single-file saves recorded since the index was made has to be compared with the disk as well.
    fn add_recorded_since(&self, index: &StatIndex, look: &Look, changes: &mut Vec<Change>) -> Result<()> {
        let reader = self.db.reader();
        let recorded = versions::changed_between(reader, index.generation, i64::MAX)?;
        if recorded.is_empty() {
            return Ok(());
        }
        let root = self.root_handle()?;
        let listed: HashSet<Vec<u8>> = changes.iter().map(|change| change.path.clone()).collect();
        for id in recorded {
            let path = versions::path_text(reader, id)?;
            if listed.contains(&path) {
                continue;
            }
            let now = match look.find(index, &path) {
                Some((_, Some(entry))) => Some(entry),
                // Seen, but a folder or not saved.
                Some((stat, None)) if stat.kind == FileKind::Dir => look.find_folder(index, &path),
                Some((_, None)) => continue,
                // Not seen: either it is gone, or it is left out by a rule and stays as it was saved by name.
                None if exists(&root, &path) => continue,
                None => None,
            };
            changes.push(Change { path, now });
        }
        Ok(())
    }

    /// A folder that no walk sees goes with what was saved in it by name: nothing else would tell that it is gone.
    fn add_folders_gone(
        root: &DirHandle,
        index: &StatIndex,
        look: &Look,
        observed: &[RelPath],
        changes: &mut Vec<Change>,
    ) {
        let listed: HashSet<Vec<u8>> = changes.iter().map(|change| change.path.clone()).collect();
        let gone = and_their_folders(observed).into_iter().filter(|path| {
            !listed.contains(path.as_bytes())
                && look.find(index, path.as_bytes()).is_none()
                && !exists(root, path.as_bytes())
        });
        changes.extend(gone.map(|path| Change { path: path.as_bytes().to_vec(), now: None }));
    }

    fn commit(&mut self, sink: BlobSink, mut commit: Commit<'_>) -> Result<Committed> {
        let (mut rows, output, bytes_added) = sink.finish()?;
        let folder = self.folder().to_path_buf();
        let boot = platform::boot_id();
        let (context, request) = (self.context, commit.request);
        let created_ms = context.now_ms();
        let durable = request.kind == CheckpointKind::Safety || request.pinned;
        let config = self.project.config();
        let first = commit.started_at == 0;
        let whole_tree = commit.whole_tree;
        let changes = std::mem::take(&mut commit.changes);
        let root = self.project.root();
        self.db.write(durable, |transaction| {
            // A step may have begun without the index while we looked: what we saw may be its work.
            ledger::enter_waiting(transaction, &folder)?;
            pack::place(transaction, &folder, output, &mut rows, boot.as_deref())?;
            if durable {
                pack::sync_unsynced(transaction, &folder)?;
            }
            let newest: i64 =
                transaction.query_row("SELECT ifnull(max(seq), 0) FROM checkpoint", [], |row| row.get(0))?;
            // Files saved one by one while we walked were looked at later than we did: their word stands.
            let overtaken: HashSet<i64> = if whole_tree && newest > commit.started_at {
                versions::changed_between(transaction, commit.started_at, i64::MAX)?.into_iter().collect()
            } else {
                HashSet::new()
            };
            let really_first = newest == 0 && (first || !whole_tree);
            let seen = Seen { newest, first: first && newest == 0, overtaken: &overtaken };
            let ending = match &request.moment {
                Moment::After(step, outcome) => Some((*step, outcome)),
                Moment::Between | Moment::Before(_) => None,
            };
            let at = LookAt {
                ending,
                whole_tree,
                by_name: &commit.observed,
                now: created_ms,
                trace: &|path| trace(root, path),
                touched: &|path| touched(root, path),
                content: &|hash| crate::pack::PackReader::new(transaction, folder.clone()).read(hash).ok(),
                head: &|path| crate::walk::content::peek(root, path, ledger::HEAD).unwrap_or_default(),
            };
            let settled = if really_first {
                ledger::Settled::default()
            } else {
                let seen = |path: &RelPath| -> Result<Option<Option<Entry>>> {
                    let change = changes.iter().find(|change| change.path == path.as_bytes());
                    let is_other = |id: Option<i64>| id.is_some_and(|id| overtaken.contains(&id));
                    let counts = change.is_some()
                        && !commit.no_changes.contains(path.as_bytes())
                        && !is_other(versions::find_path(transaction, path.as_bytes())?);
                    Ok(change.filter(|_| counts).map(|change| change.now))
                };
                let mut between =
                    Between { transaction, context, folder: &folder, boot: boot.as_deref(), created_ms };
                ledger::settle(transaction, &at, &seen, &mut between)?
            };
            let mut looked = enter(transaction, context, &commit, &changes, &seen, created_ms, bytes_added)?;
            let found = std::mem::take(&mut looked.found);
            if !really_first {
                ledger::attribute(transaction, looked.checkpoint.seq, &at, &settled, &found)?;
            }
            let step = match &request.moment {
                Moment::Between => None,
                Moment::Before(step) => Some(ledger::begin(transaction, step, None, created_ms)?),
                Moment::After(step, outcome) => {
                    ledger::close(transaction, *step, outcome, Some(looked.checkpoint.seq), created_ms)?;
                    Some(*step)
                }
            };
            retention::expire_due(transaction, config, (request.kind, request.by_agent), created_ms)?;
            Ok(Committed {
                checkpoint: looked.checkpoint,
                overtaken: !overtaken.is_empty(),
                files_changed: looked.files_changed,
                step,
            })
        })
    }
}

impl Committed {
    fn saved(self, counts: ScanCounts, problems: Vec<Problem>) -> Saved {
        let Self { checkpoint, files_changed, step, .. } = self;
        Saved { checkpoint, counts, problems, files_changed, step }
    }
}

/// What a commit knows of the others.
struct Seen<'a> {
    /// The newest checkpoint.
    newest: i64,
    /// There is none, and the whole tree was looked at: nothing has to be compared.
    first: bool,
    /// Paths that were saved by name while the tree was looked at.
    overtaken: &'a HashSet<i64>,
}

/// What a look found, entered.
struct Looked {
    checkpoint: Checkpoint,
    files_changed: u64,
    found: Vec<Found>,
}

/// Enters a checkpoint and what is different in it. A step that finds nothing different needs none of its own: it begins or ends
/// with the newest one.
fn enter(
    transaction: &Transaction<'_>,
    context: &project::Context,
    commit: &Commit<'_>,
    changes: &[Change],
    seen: &Seen<'_>,
    created_ms: i64,
    bytes_added: u64,
) -> Result<Looked> {
    let request = commit.request;
    let rules = commit.made_with.number(transaction, seen.newest)?;
    let spared = match request.moment {
        Moment::Between => None,
        Moment::Before(_) | Moment::After(..) if !commit.problems.is_empty() => None,
        Moment::Before(_) | Moment::After(..) => {
            stands_for(transaction, seen.newest, commit.whole_tree, rules)?
        }
    };
    if spared.is_some() {
        transaction.execute_batch("SAVEPOINT look")?;
    }
    // A walk, or a look before a step, sees what was there before anybody looked; what comes with a step is new.
    let may_be_first = commit.whole_tree || matches!(request.moment, Moment::Before(_));
    let mut never_walked = if commit.whole_tree { Some(!versions::was_walked(transaction)?) } else { None };
    let (seq, id) = insert_checkpoint(
        transaction,
        context,
        (request, commit.whole_tree),
        rules,
        created_ms,
        bytes_added,
    )?;
    let mut found = Vec::new();
    let mut files_changed = 0_u64;
    for change in changes {
        let is_unknown = may_be_first
            && never_walked != Some(false)
            && versions::find_path(transaction, &change.path)?.is_none();
        let is_first_sight = match (is_unknown, never_walked) {
            (false, _) => false,
            (true, Some(known)) => known,
            (true, None) => *never_walked.insert(!versions::was_walked(transaction)?),
        };
        let path = versions::path_id(transaction, &change.path)?;
        if seen.overtaken.contains(&path) {
            continue;
        }
        if !commit.whole_tree
            && let Some(entry) = &change.now
        {
            content_is_there(transaction, entry)?;
        }
        if seen.first
            && let Some(entry) = &change.now
        {
            versions::insert(transaction, seq, path, entry)?;
            files_changed += 1;
            continue;
        }
        let Some(was) = versions::record(transaction, seq, path, change.now.as_ref())? else { continue };
        files_changed += 1;
        if let Ok(name) = RelPath::new(&change.path)
            && !is_first_sight
            && !commit.no_changes.contains(&change.path)
            && !is_same(was.as_ref(), change.now.as_ref())
        {
            found.push(Found { path, name, was, is: change.now });
        }
    }
    if let Some(checkpoint) = spared {
        if files_changed == 0 {
            transaction.execute_batch("ROLLBACK TO look; RELEASE look")?;
            return Ok(Looked { checkpoint, files_changed, found });
        }
        transaction.execute_batch("RELEASE look")?;
    }
    transaction
        .prepare_cached("UPDATE checkpoint SET files_changed = ?2 WHERE seq = ?1")?
        .execute((seq, files_changed))?;
    insert_details(transaction, seq, commit, &found, created_ms)?;
    let checkpoint = Checkpoint {
        seq,
        id,
        kind: request.kind,
        whole_tree: commit.whole_tree,
        created_ms,
        message: request.message.clone(),
        pinned: request.pinned,
        by_agent: request.by_agent,
        expired: false,
        origin: request.origin.clone(),
        files_changed,
        bytes_added,
    };
    Ok(Looked { checkpoint, files_changed, found })
}

/// A file that comes or goes brings its folders with it, or takes them away.
fn and_their_folders(paths: &[RelPath]) -> Vec<RelPath> {
    let mut all: BTreeSet<RelPath> = paths.iter().cloned().collect();
    for path in paths {
        let mut folder = path.split().0;
        while let Ok(above) = RelPath::new(folder) {
            let next = folder.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
            if !all.insert(above) {
                break;
            }
            folder = &folder[..next];
        }
    }
    all.into_iter().collect()
}

fn is_same(was: Option<&Entry>, is: Option<&Entry>) -> bool {
    match (was, is) {
        (Some(was), Some(is)) => was.same_on_disk(is),
        (None, None) => true,
        _ => false,
    }
}

/// The newest checkpoint, if it can stand for a look that finds nothing different: a look at the whole tree needs one of the whole
/// tree, made with the same ignore rules.
fn stands_for(
    transaction: &Transaction<'_>,
    newest: i64,
    whole_tree: bool,
    rules: Option<i64>,
) -> Result<Option<Checkpoint>> {
    let mut statement = transaction.prepare_cached(&format!(
        "SELECT {} FROM checkpoint c WHERE c.seq = ?1 AND c.expired_ms IS NULL AND (c.whole_tree OR NOT ?2)
             AND c.ignore_rules IS ?3",
        crate::checkpoint::COLUMNS
    ))?;
    Ok(statement.query_row((newest, whole_tree, rules), crate::checkpoint::from_row).optional()?)
}

const CLEANED_MEANWHILE: &str = "it was cleaned up in the meantime";

/// A single-file save does not hold the lock that keeps cleaning away, so what it found stored is looked up once more.
fn content_is_there(transaction: &Transaction<'_>, entry: &Entry) -> Result<()> {
    if entry.kind == crate::EntryKind::Dir
        || transaction.prepare_cached("SELECT 1 FROM blob WHERE hash = ?1")?.exists([entry.hash])?
    {
        return Ok(());
    }
    Err(pack::format::damaged(&entry.hash, CLEANED_MEANWHILE))
}

/// `whole_tree`: everything was looked at.
pub(crate) fn insert_checkpoint(
    transaction: &Transaction<'_>,
    context: &project::Context,
    (request, whole_tree): (&SnapshotRequest, bool),
    rules: Option<i64>,
    created_ms: i64,
    bytes_added: u64,
) -> Result<(i64, CheckpointId)> {
    let origin = &request.origin;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO checkpoint (id, kind, whole_tree, created_ms, message, pinned, session, turn, parent_turn, agent,
             tool, call_id, cause, bytes_added, by_agent, ignore_rules)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    )?;
    loop {
        let id = CheckpointId::random(context);
        let taken =
            transaction.prepare_cached("SELECT 1 FROM checkpoint WHERE id = ?1")?.exists([id.as_str()])?;
        if taken {
            continue;
        }
        statement.execute(rusqlite::params![
            id.as_str(),
            request.kind.code(),
            whole_tree,
            created_ms,
            request.message,
            request.pinned,
            origin.session,
            origin.turn,
            origin.parent_turn,
            origin.agent,
            origin.tool,
            origin.call_id,
            origin.trigger,
            bytes_added,
            request.by_agent,
            rules,
        ])?;
        return Ok((transaction.last_insert_rowid(), id));
    }
}

fn insert_details(
    transaction: &Transaction<'_>,
    seq: i64,
    commit: &Commit<'_>,
    found: &[Found],
    created_ms: i64,
) -> Result<()> {
    let after = matches!(commit.request.moment, Moment::After(..));
    // What a step named and did not change says nothing that was not known.
    let changed = |path: &&RelPath| !after || found.iter().any(|one| one.name == **path);
    for path in commit.observed.iter().filter(changed) {
        let path = versions::path_id(transaction, path.as_bytes())?;
        transaction
            .prepare_cached("INSERT OR IGNORE INTO observed (seq, path) VALUES (?1, ?2)")?
            .execute((seq, path))?;
    }
    for problem in commit.problems {
        transaction
            .prepare_cached(
                "INSERT OR REPLACE INTO problem (seq, path, code, detail) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute((seq, problem.path.as_bytes(), problem.code, &problem.detail))?;
    }
    let origin = &commit.request.origin;
    // A sub-agent's turn is named after the one it serves, and asks for nothing itself.
    if let (Some(session), Some(turn), None) = (&origin.session, &origin.turn, &origin.parent_turn) {
        let serves = Serves { session: session.clone(), turn: turn.clone() };
        let spoke = origin.trigger.as_deref() == Some(PROMPT_TRIGGER);
        let (prompt, before) = (origin.prompt.as_deref(), spoke.then_some(seq));
        ledger::upsert_request(transaction, &serves, origin.agent.as_deref(), prompt, before, created_ms)?;
    }
    Ok(())
}

fn look(
    root: &DirHandle,
    index: &StatIndex,
    rules: &Rules,
    sink: Option<&BlobSink>,
    progress: &dyn Progress,
) -> Result<Look> {
    let _told = tracing::debug_span!(target: "vib::store", "look", saves = sink.is_some()).entered();
    progress.begin(Phase::Scanning, None);
    let scan = scan::scan(root, index, rules, progress);
    let readings = content::read_pending(root, &scan.dirs, sink, progress)?;
    let look = outcome::conclude(index, scan, readings);
    tracing::debug!(target: "vib::store", changes = look.changes.len(), problems = look.problems.len(), "looked");
    Ok(look)
}

/// Looks at one path by name, whatever the ignore rules say. A folder stands for itself, not for what is in it.
fn observe(
    root: &DirHandle,
    rules: &Rules,
    path: &RelPath,
    sink: Option<&BlobSink>,
    tools: &mut ReadTools<'_>,
    changes: &mut Vec<Change>,
    problems: &mut Vec<Problem>,
) -> Result<()> {
    let (folder, name) = path.split();
    let bytes = path.as_bytes().to_vec();
    let found = root.open_dir(folder).and_then(|dir| dir.stat(name).map(|stat| (dir, stat)));
    let (dir, stat) = match found {
        Ok(found) => found,
        Err(error) if scan::is_gone(&error) => {
            changes.push(Change { path: bytes, now: None });
            return Ok(());
        }
        Err(error) => {
            problems.push(Problem::new(&bytes, "unreadable", error.to_string()));
            return Ok(());
        }
    };
    match stat.kind {
        FileKind::Dir => changes.push(Change { path: bytes, now: Some(Entry::folder(stat.mode)) }),
        FileKind::Special => {
            problems.push(Problem::new(&bytes, "special", "a pipe, socket or device has no content to save"));
        }
        FileKind::File | FileKind::Symlink => match content::read_entry(&dir, name, &stat, sink, tools)? {
            Reading::Read { stat, hash, .. } => {
                let Some(kind) = crate::EntryKind::of(stat.kind) else {
                    return Ok(());
                };
                let mode = if kind == crate::EntryKind::Symlink { 0 } else { stat.mode };
                let sensitive = rules.is_sensitive(&bytes) || rules.includes(&bytes, stat.size);
                changes.push(Change {
                    path: bytes,
                    now: Some(Entry { kind, mode, size: stat.size, hash, sensitive }),
                });
            }
            Reading::Gone => changes.push(Change { path: bytes, now: None }),
            failed @ Reading::Failed { .. } => problems.extend(failed.problem(path.as_bytes())),
        },
    }
    Ok(())
}

/// True if something is at this path, whatever it is.
pub(crate) fn exists(root: &DirHandle, path: &[u8]) -> bool {
    RelPath::new(path).is_ok_and(|path| {
        let (folder, name) = path.split();
        root.open_dir(folder).and_then(|dir| dir.stat(name)).is_ok()
    })
}
