//! A branch of the run's own in the person's repository, where they asked for one: one commit per finished card.
//!
//! It is made by plumbing ([`git::OwnBranch`]): an index file in the run's folder, the lane's files, and one ref that is moved only from where
//! the log says that it stands. The same card is the same commit, so that whoever comes after a kill finds it or makes it, once. (rule 11)

use std::collections::HashSet;

use engine::Engine;
use engine::run::fold::{Card, CardCommit};
use engine::run::model::RunEvent;
use engine::secrets::incoming;
use git::{Folder, OwnBranch};
use project::platform;
use serde::{Deserialize, Serialize};
use store::EntryKind;

use crate::journal::Journal;
use crate::work::RunSettings;
use crate::{Error, Result, lanes};

/// What is said of the person's own changes.
const IN_PROGRESS: &str = "work in progress when the run began";
/// The index, in the run's folder.
const INDEX: &str = "branch.index";
/// Larger files are not looked into for keys.
const LARGEST: u64 = 8 << 20;
/// So many names are told.
const MOST_NAMED: usize = 20;

/// Where a branch begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchStart {
    /// Its name; empty until the run has its number.
    #[serde(default)]
    pub name: String,
    /// The person's commit when the run began; none: there was none yet.
    pub head: Option<String>,
    /// The commit with which it begins, once it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

fn refused(code: &'static str, message: String, next: &str) -> Error {
    Error::NotStarted { code, message, next: next.to_owned() }
}

fn failed(error: &git::Error) -> Error {
    let next =
        "look whether `git status` works here, then `vib run resume RUN`; or begin a run without `--branch`";
    refused("branch_failed", format!("the run's branch could not be made: {error}"), next)
}

/// Says before anything is written whether a run can have a branch here.
pub fn may_start(engine: &Engine) -> Result<BranchStart> {
    let root = engine.project().root();
    let without =
        "begin the run without `--branch`: its work waits in a lane, and `vib run apply` brings it to you";
    let no = |message: String| refused("no_branch", message, without);
    git::check(root).map_err(|error| no(error.to_string()))?;
    let ask = |words: &[&str]| git::output(&mut git::ask(root, words));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    let prefix = ask(&["rev-parse", "--show-prefix"]).map(text).map_err(|error| no(error.to_string()))?;
    if !prefix.is_empty() || Folder::of(root).is_none() {
        return Err(no(format!("the project is a folder (`{prefix}`) of a repository, not all of it")));
    }
    if ask(&["rev-parse", "--verify", "--quiet", "refs/heads/vib"]).is_ok() {
        let message = "there is a branch named `vib`, so git can have none named `vib/run…`".to_owned();
        return Err(no(message));
    }
    let head = ask(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).ok().map(text);
    Ok(BranchStart { name: String::new(), head, base: None })
}

/// The name of a run's branch: one that nobody has.
pub(crate) fn free_name(engine: &Engine, run: &str) -> String {
    let root = engine.project().root();
    let is_taken = |name: &str| {
        let name = format!("refs/heads/{name}");
        git::output(&mut git::ask(root, &["rev-parse", "--verify", "--quiet", &name])).is_ok()
    };
    let first = format!("vib/{run}");
    let mut others = (2..100).map(|number| format!("{first}-{number}"));
    if is_taken(&first) { others.find(|name| !is_taken(name)).unwrap_or(first) } else { first }
}

/// What a commit comes to.
enum Made {
    /// It is there.
    Commit(String),
    /// There is none: this is why.
    Nothing(String),
}

/// The branch of a run.
pub(crate) struct Branch<'b> {
    engine: &'b Engine,
    lane: &'b Engine,
    name: String,
    own: OwnBranch,
}

impl<'b> Branch<'b> {
    /// The one of this run, if it has one; made where it is not there yet. Nobody has worked in the lane before that.
    pub(crate) fn open(
        engine: &'b Engine,
        lane: &'b Engine,
        journal: &mut Journal<'_>,
    ) -> Result<Option<Self>> {
        let mut settings = RunSettings::read(journal.folder());
        let Some(start) = settings.branch.clone() else { return Ok(None) };
        let branch = Self::of(engine, lane, journal, &start.name)?;
        if journal.run().branch.is_none() {
            let began = journal.run().began_ms;
            let (base, left_out) = match &start.base {
                Some(base) => (Some(base.clone()), Vec::new()),
                None => {
                    branch.base(start.head.as_deref(), journal.id(), began).map_err(|error| failed(&error))?
                }
            };
            settings.branch = Some(BranchStart { base: base.clone(), ..start });
            settings.write(journal.folder())?;
            if let Some(base) = &base {
                branch.own.advance(&branch.name, base, None).map_err(|error| failed(&error))?;
            }
            let name = branch.name.clone();
            journal.append(RunEvent::Branched { branch: name, tip: base, left_out })?;
        }
        Ok(Some(branch))
    }

    /// The one that stands in the log.
    pub(crate) fn known(engine: &'b Engine, lane: &'b Engine, journal: &Journal<'_>) -> Result<Option<Self>> {
        match journal.run().branch {
            Some(known) => Self::of(engine, lane, journal, &known.name).map(Some),
            None => Ok(None),
        }
    }

    fn of(engine: &'b Engine, lane: &'b Engine, journal: &Journal<'_>, name: &str) -> Result<Self> {
        let root = engine.project().root();
        let gone = || failed(&git::Error::NotARepository(root.to_path_buf()));
        let folder = Folder::of(root).ok_or_else(gone)?;
        let index = journal.folder().join(INDEX);
        let own = OwnBranch::new(&folder, lane.project().root(), &index).map_err(|error| failed(&error))?;
        Ok(Self { engine, lane, name: name.to_owned(), own })
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The person's commit, and one more with what they had not committed. Files that git leaves out, that usually hold secrets or that hold
    /// a live key are not in it, nor are those that git would hand to a program.
    fn base(
        &self,
        head: Option<&str>,
        run: &str,
        began_ms: i64,
    ) -> git::Result<(Option<String>, Vec<String>)> {
        self.own.read(head)?;
        let before = self.own.tree()?;
        let held = self.own.held()?;
        let names: HashSet<&[u8]> = held.iter().map(|one| one.path.as_slice()).collect();
        let there = self.lane_files().map_err(|error| git::Error::Failed(error.to_string()))?;
        let root = self.engine.project().root();
        let mut paths: Vec<Vec<u8>> = Vec::new();
        let mut left_out = Vec::new();
        let all: Vec<Vec<u8>> = there.iter().map(|(path, _)| path.clone()).collect();
        let (ignored, filtered) = (self.own.ignored(&all)?, self.own.filtered(&all)?);
        let submodules: Vec<&[u8]> =
            held.iter().filter(|one| one.is_submodule).map(|one| one.path.as_slice()).collect();
        for (path, sensitive) in &there {
            let known = names.contains(path.as_slice());
            if ignored.contains(path) || submodules.iter().any(|above| is_in(path, above)) {
                continue;
            }
            match (*sensitive, filtered.contains(path)) {
                (false, false) => paths.push(path.clone()),
                (true, _) if !known => left_out.push(format!("{} (usually holds secrets)", told(path))),
                (false, true) if !known => {
                    left_out.push(format!("{} (git hands it to a program)", told(path)));
                }
                _ => {}
            }
        }
        // What is not in the lane is gone only if it is not in the project either: not everything that git has is kept by vib.
        let hidden = self.hidden()?;
        let kept: HashSet<&[u8]> = there.iter().map(|(path, _)| path.as_slice()).collect();
        for one in held.iter().filter(|one| !one.is_submodule && !kept.contains(one.path.as_slice())) {
            let gone = std::fs::symlink_metadata(root.join(platform::bytes_to_path(&one.path))).is_err();
            if gone && !hidden.contains(&one.path) {
                paths.push(one.path.clone());
            }
        }
        self.own.take(&paths)?;
        for (change, name) in self.keys(&before)? {
            self.own.put_back(&change)?;
            left_out.push(format!("{name} (holds a live key)"));
        }
        let tree = self.own.tree()?;
        left_out.truncate(MOST_NAMED);
        if tree == before {
            return Ok((head.map(str::to_owned), left_out));
        }
        let words = format!("{IN_PROGRESS}\n\n{run} of vib\n");
        self.own.commit(&tree, head, &words, began_ms / 1000).map(|commit| (Some(commit), left_out))
    }

    /// Every file of the lane, and whether it usually holds secrets.
    fn lane_files(&self) -> Result<Vec<(Vec<u8>, bool)>> {
        let (checkpoint, _) = lanes::save(self.lane, "run branch")?;
        let opened = self.lane.store(&store::Silent)?;
        let saved = opened.store.resolve(&checkpoint)?;
        let mut files = Vec::new();
        opened.store.each_entry(&saved, |path, entry| {
            if entry.kind != EntryKind::Dir {
                files.push((path.as_bytes().to_vec(), entry.sensitive));
            }
            Ok(())
        })?;
        Ok(files)
    }

    /// Files that the person has git keep out of their folder.
    fn hidden(&self) -> git::Result<HashSet<Vec<u8>>> {
        let out = git::output(&mut git::ask(self.engine.project().root(), &["ls-files", "-t", "-z"]))?;
        let rows = out.split(|byte| *byte == 0).filter_map(|row| row.strip_prefix(b"S "));
        Ok(rows.map(<[u8]>::to_vec).collect())
    }

    /// What the index would bring of live keys.
    fn keys(&self, before: &str) -> git::Result<Vec<(git::RawChange, String)>> {
        let root = self.lane.project().root();
        let mut found = Vec::new();
        for change in self.own.changes(before)? {
            let file = root.join(platform::bytes_to_path(&change.path));
            let is_small =
                std::fs::symlink_metadata(&file).is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST);
            if !change.is_file || !is_small {
                continue;
            }
            let (Ok(new), name) = (std::fs::read(&file), told(&change.path)) else { continue };
            // The old content is asked for only where there is something to compare.
            if incoming::added_by_content(self.engine, &name, &new, b"").is_empty() {
                continue;
            }
            let was_there = change.old_id.bytes().any(|byte| byte != b'0');
            let old = if was_there { self.own.content(&change.old_id)? } else { Vec::new() };
            if !incoming::added_by_content(self.engine, &name, &new, &old).is_empty() {
                found.push((change, name));
            }
        }
        Ok(found)
    }

    /// Cards that are finished and are not on the branch yet.
    pub(crate) fn commit_finished(&self, journal: &mut Journal<'_>) -> Result<()> {
        use engine::run::model::CardStatus::{Done, Preview};
        let run = journal.run();
        for card in run.cards.iter().filter(|card| matches!(card.status, Preview | Done)) {
            let Some((before, after)) = ends(card) else { continue };
            if card.commits.iter().any(|one| one.at == after) || before == after {
                continue;
            }
            let ended = card.evidence.ended_ms.unwrap_or(run.last_ms);
            let words = message(card, &run.id);
            let from = last(card).map_or(before, |one| one.at.as_str());
            self.enter(journal, card, (from, after), &words, ended)?;
        }
        Ok(())
    }

    /// What was done for a card so far, as a commit with the model's words.
    pub(crate) fn commit_now(
        &self,
        journal: &mut Journal<'_>,
        of: (&str, &str),
        words: &str,
        at_ms: i64,
    ) -> Result<std::result::Result<String, String>> {
        let run = journal.run();
        let (card, base) = of;
        let Some(card) = run.card(card) else { return Ok(Err("there is no card to commit".to_owned())) };
        let (now, _) = lanes::save(self.lane, "run commit")?;
        let from = last(card).map_or(base, |one| one.at.as_str()).to_owned();
        let words = self.engine.own_gate().clean(words).into_string();
        let words = format!("{}\n\n{}/{} of vib, before its end\n", words.trim(), run.id, card.id);
        let mut left_out = Vec::new();
        match self.make(journal, (&from, &now), &words, at_ms, &mut left_out)? {
            Made::Commit(commit) => {
                let told = format!("{} on `{}`", short(&commit), self.name);
                let (card, commit) = (card.id.clone(), Some(commit));
                journal.append(RunEvent::Committed { card, commit, at: now, why: None, left_out })?;
                Ok(Ok(told))
            }
            Made::Nothing(why) => Ok(Err(why)),
        }
    }

    fn enter(
        &self,
        journal: &mut Journal<'_>,
        card: &Card,
        states: (&str, &str),
        words: &str,
        at_ms: i64,
    ) -> Result<()> {
        let mut left_out = Vec::new();
        let (commit, why) = match self.make(journal, states, words, at_ms, &mut left_out)? {
            Made::Commit(commit) => (Some(commit), None),
            // All of it was committed before its end.
            Made::Nothing(_) if left_out.is_empty() && last(card).is_some() => return Ok(()),
            Made::Nothing(why) => (None, Some(why)),
        };
        let (card, at) = (card.id.clone(), states.1.to_owned());
        journal.append(RunEvent::Committed { card, commit, at, why, left_out })
    }

    /// The difference between two states of the lane on top of where the branch stands. What git cannot do is a reason, not an end.
    fn make(
        &self,
        journal: &Journal<'_>,
        states: (&str, &str),
        words: &str,
        at_ms: i64,
        left_out: &mut Vec<String>,
    ) -> Result<Made> {
        let tip = journal.run().branch.and_then(|branch| branch.tip);
        let changed = self.changed(states)?;
        let made = self.write(tip.as_deref(), &changed, words, at_ms / 1000, left_out);
        left_out.truncate(MOST_NAMED);
        Ok(made.unwrap_or_else(|error| Made::Nothing(error.to_string())))
    }

    fn changed(&self, states: (&str, &str)) -> Result<Vec<(Vec<u8>, bool)>> {
        let opened = self.lane.store(&store::Silent)?;
        let view = |id: &str| -> Result<store::View> {
            Ok(opened.store.recorded_state_at(opened.store.resolve(id)?.seq))
        };
        let all = opened.store.compare(&view(states.0)?, &view(states.1)?, &[])?;
        let is_file = |entry: &Option<store::Entry>| entry.is_some_and(|entry| entry.kind != EntryKind::Dir);
        let is_secret = |entry: &Option<store::Entry>| entry.is_some_and(|entry| entry.sensitive);
        let files = all.iter().filter(|one| is_file(&one.before) || is_file(&one.after));
        Ok(files
            .map(|one| (one.path.as_bytes().to_vec(), is_secret(&one.before) || is_secret(&one.after)))
            .collect())
    }

    fn write(
        &self,
        tip: Option<&str>,
        changed: &[(Vec<u8>, bool)],
        words: &str,
        seconds: i64,
        left_out: &mut Vec<String>,
    ) -> git::Result<Made> {
        self.own.read(tip)?;
        let before = self.own.tree()?;
        let all: Vec<Vec<u8>> = changed.iter().map(|(path, _)| path.clone()).collect();
        let (ignored, filtered) = (self.own.ignored(&all)?, self.own.filtered(&all)?);
        let mut paths = Vec::new();
        for (path, sensitive) in changed {
            let why = match () {
                () if *sensitive => "usually holds secrets",
                () if filtered.contains(path) => "git hands it to a program",
                () if ignored.contains(path) => "git ignores it",
                () => {
                    paths.push(path.clone());
                    continue;
                }
            };
            left_out.push(format!("{} ({why})", told(path)));
        }
        self.own.take(&paths)?;
        let keys: Vec<String> = self.keys(&before)?.into_iter().map(|(_, name)| name).collect();
        if !keys.is_empty() {
            return Ok(Made::Nothing(format!("its change holds a live key: {}", keys.join(", "))));
        }
        let tree = self.own.tree()?;
        if tree == before {
            return Ok(Made::Nothing("nothing of it is new for git".to_owned()));
        }
        let commit = self.own.commit(&tree, tip, words, seconds)?;
        self.own.advance(&self.name, &commit, tip)?;
        Ok(Made::Commit(commit))
    }
}

fn is_in(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"))
}

fn told(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

/// The beginning of an id, as people write it.
fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// The states before and after what counts of a card.
fn ends(card: &Card) -> Option<(&str, &str)> {
    let attempt = card.chosen()?;
    Some((attempt.before.as_deref()?, attempt.after.as_deref()?))
}

/// Its last commit.
fn last(card: &Card) -> Option<&CardCommit> {
    card.commits.iter().rev().find(|one| one.commit.is_some())
}

/// Title, where it is from, and what vib itself found out about it.
fn message(card: &Card, run: &str) -> String {
    let title: String = card.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let checks = card.chosen().filter(|attempt| attempt.is_proven()).map(|attempt| &attempt.checks);
    let list: Vec<String> = checks
        .into_iter()
        .flatten()
        .map(|check| format!("`{}` {}", check.command, check.status.replace('_', " ")))
        .collect();
    let proof = if list.is_empty() { "no checks were run".to_owned() } else { list.join(", ") };
    format!("{title}\n\n{run}/{} of vib\nEvidence: {proof}\n", card.id)
}
