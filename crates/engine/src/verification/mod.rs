//! Does it hold? The project's own checks, run on what is there now, in a private copy, and held against the state before the work. (HK9)
//!
//! A result belongs to the content on which it was found: the same files are not checked twice ([`results`]). A check that fails is run again
//! (some answer now so, now so) and on the state before, because what was broken before is nobody's fault now. Nothing here ever writes into
//! the project.
//!
//! Start reading at [`verify`]; [`checks`] says what is run, and who allowed it.

pub mod checks;
mod held;
mod lacks;
mod own_files;
mod report;
pub mod results;
mod review;
mod steps;

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use ::gates::{CheckAttempt, compare};
use store::{Progress, Store, View};

pub use crate::private_copy::Caller;
pub use held::{CHECK_CHANGED, ChangedCheck, ChangedHow, changed_between};
pub(crate) use held::{changed_checks, decides};
pub(crate) use own_files::does_other;
pub use report::{
    BaseState, CheckOutcome, CheckPart, Profile, ProfileChoice, RunIssue, RunStatus, VerificationRun,
    VerifyQuery,
};

pub use review::{Review, ReviewRisk};

use crate::bisect::state_of;
use crate::private_copy::{self, Copy, Purpose, Trial};
use crate::verdict::Risk;
use crate::{Engine, Result, baseline, guard, verdict};
use checks::KnownCommand;
use results::Stored;

/// How much a check may write.
pub const MOST_DISK: u64 = 8 << 30;
/// No check gets less.
const LEAST_SHARE: Duration = Duration::from_secs(5);

/// Runs what the profile says. `stop` is asked all the while: true ends everything, and nothing is left behind.
pub fn verify(
    engine: &Engine,
    query: &VerifyQuery,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<VerificationRun> {
    let began = Instant::now();
    private_copy::clean_up(engine);
    let choice = choose(engine, query, progress)?;
    let mut opened = engine.store(progress)?;
    let now = private_copy::save_now(&mut opened.store, "verify", progress)?;
    let store = &opened.store;
    let tree = results::tree_of(engine, store, &now)?;
    let mut run = VerificationRun::begin(engine, query, choice, &tree, &now);
    run.notices.clone_from(&opened.notices);

    let base = base_of(engine, store, query)?;
    let since = base.as_ref().map_or("", |base| base.tree.as_str());
    match results::kept_issues(engine, &tree, since).filter(|_| !query.fresh) {
        Some(issues) => run.issues = issues,
        None => {
            let guarded = guard::guard(engine, &guard::GuardOptions::default(), progress)?;
            run.take_guard(&guarded);
            results::keep_issues(engine, &tree, since, &run.issues);
        }
    }

    let mut changed = Vec::new();
    if run.profile != Profile::Quick {
        let known = checks::known(engine)?;
        run.not_allowed = known.iter().filter(|one| !one.allowed).map(|one| one.line.clone()).collect();
        let allowed: Vec<&KnownCommand> = known.iter().filter(|one| one.allowed).collect();
        let mut bench = Bench { engine, store, query, stop, began, profile: run.profile, copy: None };
        let view = store.recorded_state_at(now.seq);
        let before = base.as_ref().map(|base| (base.tree.as_str(), store.recorded_state_at(base.seq)));
        run.checks =
            bench.run_all(&allowed, (&tree, &view), before.as_ref().map(|(tree, view)| (*tree, view)))?;
        run.cached = !run.checks.is_empty() && bench.copy.is_none();
        run.fenced = bench.copy.as_ref().map(Copy::is_closed);
        if let Some(copy) = &bench.copy {
            run.carried = copy.carried().to_vec();
            run.not_carried = copy.not_carried().to_vec();
            run.leads_back = copy.leads_back();
            run.touched = copy.touched(store)?;
        }
        if let Some(base) = &base {
            let (then, present) = (store.recorded_state_at(base.seq), store.recorded_state_at(now.seq));
            let paths = store.compare(&then, &present, &[])?;
            changed = paths.iter().map(|one| one.path.to_string()).collect();
        }
        run.base = base.map(|base| base.told);
    }
    if run.profile == Profile::Deep {
        let left = query.limit.unwrap_or_else(|| run.profile.limit()).saturating_sub(began.elapsed());
        run.review = Some(review::review(engine, &run, store, left, progress)?);
    }
    run.end(engine, began.elapsed());
    results::keep_run(engine, &run);
    results::remember(engine, &changed, &run);
    Ok(run)
}

/// Runs the project's checks on a state, and what fails there on the state that it would come from. All contents of both are saved. Says how
/// each stands, and which nobody allowed yet.
pub(crate) fn on_states(
    engine: &Engine,
    store: &Store<'_>,
    query: &VerifyQuery,
    (now, base): (&View, &View),
    stop: &dyn Fn() -> bool,
) -> Result<(Vec<CheckOutcome>, Vec<String>)> {
    private_copy::clean_up(engine);
    let known = checks::known(engine)?;
    let not_allowed = known.iter().filter(|one| !one.allowed).map(|one| one.line.clone()).collect();
    let allowed: Vec<&KnownCommand> = known.iter().filter(|one| one.allowed).collect();
    let (tree, before) = (store.tree_hash(now)?.to_hex(), store.tree_hash(base)?.to_hex());
    let profile = Profile::Standard;
    let mut bench = Bench { engine, store, query, stop, began: Instant::now(), profile, copy: None };
    let outcomes = bench.run_all(&allowed, (&tree, now), Some((&before, base)))?;
    Ok((outcomes, not_allowed))
}

/// How thoroughly, and why.
fn choose(engine: &Engine, query: &VerifyQuery, progress: &dyn Progress) -> Result<ProfileChoice> {
    if let Some(profile) = query.profile {
        return Ok(ProfileChoice { profile, why: "asked" });
    }
    if let Some(profile) = Profile::of_word(engine.project().config().word("verify.profile")) {
        return Ok(ProfileChoice { profile, why: "setting" });
    }
    Ok(match verdict::verdict(engine, progress)?.risk {
        // Whoever asks whether it holds wants the checks to answer, however little changed.
        Risk::Low if checks::known(engine)?.iter().any(|one| one.allowed) => {
            ProfileChoice { profile: Profile::Standard, why: "has_checks" }
        }
        Risk::Low => ProfileChoice { profile: Profile::Quick, why: "low_risk" },
        Risk::Medium => ProfileChoice { profile: Profile::Standard, why: "medium_risk" },
        Risk::High => ProfileChoice { profile: Profile::Deep, why: "high_risk" },
    })
}

/// The state that failures are held against.
struct Base {
    seq: i64,
    tree: String,
    told: BaseState,
}

fn base_of(engine: &Engine, store: &Store<'_>, query: &VerifyQuery) -> Result<Option<Base>> {
    let (seq, since) = match &query.base {
        Some(typed) => (state_of(store, typed, false)?, typed.clone()),
        None => match baseline::last_changing_request(store)? {
            Some((request, checkpoint)) => (checkpoint.seq, request.number.to_string()),
            None => match baseline::baseline(store)? {
                Some(found) => (found.checkpoint.seq, found.checkpoint.id.to_string()),
                None => return Ok(None),
            },
        },
    };
    let Some(checkpoint) = store.checkpoint(seq)? else { return Ok(None) };
    let tree = results::tree_of(engine, store, &checkpoint)?;
    Ok(Some(Base { seq, told: BaseState { before: since, tree: tree.clone() }, tree }))
}

/// Where checks are run.
struct Bench<'a, 's> {
    engine: &'a Engine,
    store: &'a Store<'s>,
    query: &'a VerifyQuery,
    stop: &'a dyn Fn() -> bool,
    began: Instant,
    profile: Profile,
    copy: Option<Copy>,
}

impl Bench<'_, '_> {
    /// Runs each command on the state `now`, and what fails there on the state `base`; a state comes with the hash of its content.
    fn run_all(
        &mut self,
        commands: &[&KnownCommand],
        now: (&str, &View),
        base: Option<(&str, &View)>,
    ) -> Result<Vec<CheckOutcome>> {
        let mut outcomes: Vec<(CheckOutcome, Vec<Stored>)> = Vec::new();
        for (at, command) in commands.iter().enumerate() {
            let share = self.share(commands.len() - at);
            let attempts = self.attempts(command, now, share)?;
            outcomes.push((CheckOutcome::of(command, &attempts), attempts));
        }
        for (at, (outcome, attempts)) in outcomes.iter_mut().enumerate() {
            let fails = attempts.iter().all(|attempt| attempt.passed == Some(false));
            // The state before is only asked about what fails now; where it is the same state, the answer is the same too.
            let before = match base.filter(|_| fails && !attempts.is_empty()) {
                Some((tree, _)) if tree == now.0 => attempts.clone(),
                Some(base) => {
                    let share = self.share(commands.len() - at);
                    self.attempts(commands[at], base, share)?
                }
                None => Vec::new(),
            };
            let (standing, fresh) = compare(&plain(attempts), &plain(&before));
            outcome.standing = standing;
            outcome.new_failures = fresh;
            outcome.before = before.last().map(Stored::part);
        }
        Ok(outcomes.into_iter().map(|(outcome, _)| outcome).collect())
    }

    /// How a check ends on a state: kept results first, then runs. A failure is looked at twice; a deep look is always two.
    fn attempts(
        &mut self,
        command: &KnownCommand,
        (tree, view): (&str, &View),
        share: Duration,
    ) -> Result<Vec<Stored>> {
        let kept =
            if self.query.fresh { Vec::new() } else { results::kept(self.engine, tree, &command.line) };
        let deep = self.profile == Profile::Deep;
        let is_enough = |attempts: &[Stored]| match attempts {
            [] => false,
            [one] => one.passed == Some(true) && !deep,
            _ => true,
        };
        if is_enough(&kept) {
            return Ok(kept);
        }
        let mut attempts = kept;
        let until = Instant::now() + share;
        while !is_enough(&attempts) {
            let left = until.saturating_duration_since(Instant::now());
            if !attempts.is_empty() && left.is_zero() {
                break;
            }
            let attempt = self.run_once(command, view, left.max(Duration::from_millis(100)))?;
            let gave_no_answer = attempt.passed.is_none();
            attempts.push(attempt);
            if gave_no_answer {
                break;
            }
        }
        results::keep(self.engine, tree, &command.line, &attempts);
        Ok(attempts)
    }

    fn run_once(&mut self, command: &KnownCommand, view: &View, limit: Duration) -> Result<Stored> {
        let copy = match &mut self.copy {
            Some(copy) => copy,
            empty => {
                let (purpose, caller) = (Purpose::Verification, &self.query.caller);
                empty.insert(Copy::begin(self.engine, self.store, purpose, caller)?)
            }
        };
        copy.move_to(self.store, view, &store::Silent)?;
        let words: Vec<OsString> = command.command.iter().map(OsString::from).collect();
        let trial = Trial {
            command: &words,
            inside: Path::new(""),
            limit,
            most_disk: Some(self.query.most_disk.unwrap_or(MOST_DISK)),
        };
        let ran = private_copy::run(copy, &trial, self.stop)?;
        let place = copy.tree().display().to_string();
        let mut gate = self.engine.gate();
        let mut clean = |text: &str| gate.clean(&text.replace(&place, ".")).into_string();
        let mut stored = Stored::of(&ran, &mut clean, self.engine.context().now_ms());
        if stored.passed == Some(false)
            && lacks::something(&ran.tail, self.engine.project().root(), &copy.tree())
        {
            (stored.passed, stored.status) = (None, "could_not_run".to_owned());
        }
        Ok(stored)
    }

    /// The share of the time that one of so many gets; what others did not use is shared anew.
    fn share(&self, left: usize) -> Duration {
        let limit = self.query.limit.unwrap_or_else(|| self.profile.limit());
        let rest = limit.saturating_sub(self.began.elapsed());
        let least = self.query.limit.map_or(LEAST_SHARE, |limit| limit.min(LEAST_SHARE));
        (rest / u32::try_from(left.max(1)).unwrap_or(1)).max(least)
    }
}

fn plain(attempts: &[Stored]) -> Vec<CheckAttempt> {
    attempts
        .iter()
        .map(|attempt| CheckAttempt { passed: attempt.passed, failures: attempt.failures.clone() })
        .collect()
}
