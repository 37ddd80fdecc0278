//! Done means done: what an agent claims at the end of a turn, held against what is known. (HK8)
//!
//! [`at_stop`] is called at the end of every turn: it reads the session's small file and, only where something is claimed, two more. It
//! runs nothing; with `verify.on_stop` its caller runs a verification first ([`wants_a_run`]). An agent is told to go on at most
//! `stop.max_blocks` times in a turn; then it ends, and the person gets an honest list.

pub mod acceptance;
mod again;
mod background;
mod packages;
mod recipes;
mod seen;
mod words;

use ::gates::stop::{GateFinding, KnownCheck, OwnRun, StopAnswer, StopFacts, StopGate, StopMode, decide};
use ::gates::{
    CheckStanding, Completion, TaskItem, TaskState, completion, failure_name, is_about_a_repair,
    says_that_checks_pass, says_that_tests_pass, tells_a_failure,
};
use ::memory::log::Provenance;
use serde_json::json;
use texts::Texts;

pub use again::{look_in_words, wants_a_look};
pub(crate) use background::note_output;
pub use seen::{SeenCheck, StopState, TaskList};
pub(crate) use seen::{note_check, note_step};

use crate::agent::{SessionFile, SessionState, Who, sessions};
use crate::audit::{self, Event, Outcome, Row};
use crate::person::ByPerson;
use crate::verification::{Profile, checks, results};
use crate::{Engine, Error, Result};

/// The kind of event.
const STOP_GATE: &str = "stop_gate";

/// A turn that is about to end.
#[derive(Debug, Clone, Copy)]
pub struct StopCall<'a> {
    /// The agent's last message.
    pub message: &'a str,
    /// A sub-agent ends, not the agent that the person talks to.
    pub sub_agent: bool,
    /// The client hands our words on to the agent, which then goes on.
    pub can_block: bool,
    /// The number of the newest checkpoint.
    pub seq: Option<i64>,
}

/// What becomes of it.
#[derive(Debug, Clone)]
pub struct StopReport {
    /// The answer.
    pub answer: StopAnswer,
    /// What is open.
    pub findings: Vec<GateFinding>,
    /// In words: for the agent if it has to go on, else for the person.
    pub text: String,
}

impl StopReport {
    fn nothing() -> Self {
        Self { answer: StopAnswer::Pass, findings: Vec::new(), text: String::new() }
    }
}

/// Holds the claim of a turn against what is known. Cheap where nothing is claimed or nothing was changed.
pub fn at_stop(engine: &Engine, who: &Who, call: &StopCall<'_>) -> Result<StopReport> {
    let config = engine.project().config();
    let mode = mode(engine, call);
    let file = SessionFile::of(engine, who);
    let state = file.read();
    if mode == StopMode::Off || !state.stop.changed_in_turn() {
        return Ok(StopReport::nothing());
    }
    let claimed = completion(call.message, config.list("stop.markers"));
    let facts = facts(engine, &state, call, claimed, mode);
    let (answer, findings) = decide(&facts);
    let text = words::text(answer, &findings, &who.client, state.stop.blocks, &texts_for(engine, &state));
    let turn = state.turn_of(who).unwrap_or_default();
    let blocked_before = state.stop.blocks > 0;
    match answer {
        StopAnswer::Pass if !blocked_before || claimed.is_none() => {
            return Ok(StopReport { answer, findings, text });
        }
        StopAnswer::Pass => {
            // What the agent had to go on for is in order now.
            file.update(|state| state.stop.settle())?;
            note(engine, who, Event::StopGate, Outcome::Success);
        }
        StopAnswer::Block => {
            file.update(|state| state.stop.block(&text))?;
            note(engine, who, Event::StopGate, Outcome::Denied);
        }
        StopAnswer::Release => {
            if !state.stop.released {
                file.update(|state| state.stop.release())?;
                note(engine, who, Event::StopGate, Outcome::Failed);
            }
        }
        StopAnswer::Warn => note(engine, who, Event::StopWarning, Outcome::Failed),
        StopAnswer::Overridden => note(engine, who, Event::StopGate, Outcome::Aborted),
    }
    remember(engine, who, &turn, claimed, answer, &findings);
    Ok(StopReport { answer, findings, text })
}

/// In the language of what the person asked for last, where its script tells it. (A10)
fn texts_for(engine: &Engine, state: &SessionState) -> Texts {
    Texts::new(engine.language_for(state.prompt.as_deref().unwrap_or_default()))
}

/// The verification that was wanted could not be had, in words for the person. `after_failure`: it was wanted because an error came twice.
pub fn not_run_in_words(engine: &Engine, who: &Who, error: &Error, after_failure: bool) -> String {
    let values = [("error", error.to_string().into()), ("next", error.next().into())];
    let texts = texts_for(engine, &SessionFile::of(engine, who).read());
    texts.say(if after_failure { "gate-not-looked" } else { "gate-not-run" }, &values)
}

/// Whether the end of this turn can matter at all: the gates are on, and it changed files.
pub fn may_matter(engine: &Engine, who: &Who) -> bool {
    engine.project().config().word("stop.mode") != "off"
        && SessionFile::of(engine, who).read().stop.changed_in_turn()
}

/// The turn ends, and what the agent said last stands nowhere yet: it is judged when the next one begins.
pub fn leave_unjudged(engine: &Engine, who: &Who, record: Option<String>, seq: Option<i64>) -> Result<()> {
    let Some(record) = record else { return Ok(()) };
    SessionFile::of(engine, who).update(|state| state.stop.unjudged = Some((record, seq)))
}

/// The record of a turn that could not be judged when it ended, and its newest checkpoint; once.
pub fn take_unjudged(engine: &Engine, who: &Who) -> Result<Option<(String, Option<i64>)>> {
    let file = SessionFile::of(engine, who);
    if file.read().stop.unjudged.is_none() {
        return Ok(None);
    }
    file.update(|state| state.stop.unjudged.take())
}

/// This prompt is what the agent was told to go on with.
pub fn is_our_own(engine: &Engine, who: &Who, prompt: &str) -> bool {
    SessionFile::of(engine, who).read().stop.is_our_own(prompt)
}

/// What became of the agent's own list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskNews {
    /// The whole list, anew.
    Whole(Vec<TaskItem>),
    /// One more.
    New(TaskItem),
    /// One of them stands differently.
    Changed {
        /// Its id.
        id: String,
        /// How.
        state: TaskState,
    },
}

/// Remembers the agent's own list.
pub fn note_tasks(engine: &Engine, who: &Who, news: TaskNews) -> Result<()> {
    SessionFile::of(engine, who).update(|state| {
        let turns = state.turns;
        state.tasks.take(turns, news);
    })
}

/// Which verification is wanted before the claim is judged, if any: `verify.on_stop`, where something is claimed and the tree was not looked at.
pub fn wants_a_run(engine: &Engine, who: &Who, call: &StopCall<'_>) -> Option<Profile> {
    let config = engine.project().config();
    let profile = Profile::of_word(config.word("verify.on_stop"))?;
    let state = SessionFile::of(engine, who).read();
    let is_due = mode(engine, call) != StopMode::Off
        && !call.sub_agent
        && state.stop.changed_in_turn()
        && state.stop.code_changed
        && state.stop.blocks <= most_blocks(engine)
        && completion(call.message, config.list("stop.markers")).is_some();
    (is_due && results::newest_of(engine, call.seq).is_none()).then_some(profile)
}

/// The person says that it is fine as it is: for what is left of this turn and for the next one.
pub fn pass(engine: &Engine, who: &Who) -> Result<()> {
    SessionFile::of(engine, who).update(|state| state.stop.pass())
}

/// The same from the command line, for every session that is at work or for one. Says for how many.
pub fn pass_by(engine: &Engine, session: Option<&str>, _by: ByPerson) -> Result<usize> {
    let wanted = |state: &SessionState| session.is_none_or(|session| state.session == session);
    let mut passed = 0;
    for state in sessions(engine.project()).into_iter().filter(wanted) {
        let who = Who { client: state.client, session: state.session, ..Who::default() };
        pass(engine, &who)?;
        passed += 1;
    }
    Ok(passed)
}

/// More than two helps nobody: what an agent cannot do twice it cannot do.
fn most_blocks(engine: &Engine) -> u64 {
    engine.project().config().number("stop.max_blocks").min(2)
}

fn mode(engine: &Engine, call: &StopCall<'_>) -> StopMode {
    match engine.project().config().word("stop.mode") {
        "off" => StopMode::Off,
        "block" if call.can_block && !call.sub_agent => StopMode::Block,
        _ => StopMode::Warn,
    }
}

fn facts(
    engine: &Engine,
    state: &SessionState,
    call: &StopCall<'_>,
    claimed: Option<Completion>,
    mode: StopMode,
) -> StopFacts {
    let config = engine.project().config();
    let named = config.list("stop.gates");
    let gates: Vec<StopGate> = if named.is_empty() {
        vec![StopGate::Tests, StopGate::Tasks]
    } else {
        named.iter().filter_map(|word| StopGate::of_word(word)).collect()
    };
    let mut facts = StopFacts {
        completion: claimed,
        changed: true,
        mode,
        overridden: state.stop.is_passed(state.turns),
        blocks: state.stop.blocks,
        most_blocks: most_blocks(engine),
        gates,
        ..StopFacts::default()
    };
    if claimed.is_none() {
        return facts;
    }
    facts.says_checks_pass = says_that_checks_pass(call.message);
    facts.tasks.clone_from(&state.tasks.items);
    if state.tasks.turns != state.turns {
        facts.tasks.clear();
    }
    let newest = results::newest_of(engine, call.seq);
    if let Some(run) = newest.as_ref().filter(|run| run.profile == Profile::Deep.word()) {
        facts.reviewed = true;
        facts.review_objects.clone_from(&run.review_objects);
    }
    facts.says_tests_pass = says_that_tests_pass(call.message);
    facts.tells_failure = tells_a_failure(call.message);
    let asked = state.prompt.as_deref().unwrap_or_default();
    facts.is_repair = is_about_a_repair(asked) || is_about_a_repair(call.message);
    // What nobody checks is not asked about: a change of the README needs no test.
    if state.stop.code_changed {
        facts.checks =
            known_checks(engine, state, call, newest.into_iter().flat_map(|run| run.checks).collect());
        let shows =
            |check: &KnownCheck| check.tests && (check.passed == Some(true) || check.standing.is_some());
        facts.not_reached =
            packages::not_reached(engine, &state.stop, &facts.checks, facts.says_tests_pass, call.message);
        if !facts.checks.iter().any(shows) || facts.checks.iter().any(|check| check.standing.is_some()) {
            facts.has_check = checks::main_check(engine);
        }
    }
    if facts.gates.contains(&StopGate::Acceptance) {
        let texts = texts_for(engine, state);
        let open = acceptance::standing(engine, &facts.checks).into_iter().filter(|one| one.shown.is_none());
        for one in open {
            match one.command {
                Some(command) => facts.not_accepted.push(words::to_be_shown(&one.text, &command, &texts)),
                None => facts.not_ticked.push(format!("{}. {}", one.number, one.text)),
            }
        }
    }
    facts
}

/// What was seen of checks, held against what vib found when it ran them itself.
fn known_checks(
    engine: &Engine,
    state: &SessionState,
    call: &StopCall<'_>,
    own: Vec<(String, Option<CheckStanding>, Vec<String>)>,
) -> Vec<KnownCheck> {
    let stop = &state.stop;
    // A failure of an earlier turn does not outlive a later run of all tests that passes.
    let is_over = |check: &SeenCheck| {
        let later =
            |pass: &SeenCheck| pass.is_whole_pass() && pass.turn > check.turn && pass.at >= stop.code_changes;
        check.passed == Some(false) && check.runs_tests() && stop.checks.iter().any(later)
    };
    let own: Vec<_> = own
        .into_iter()
        .map(|(command, standing, failures)| {
            (seen::ids_of(engine, &command, ""), command, standing, failures)
        })
        .collect();
    let mut all: Vec<KnownCheck> = Vec::new();
    for check in stop.checks.iter().filter(|check| !is_over(check)) {
        let mut known = check.known(stop.code_changes);
        if known.stale && known.passed == Some(true) {
            known.stale = !is_as_it_was(engine, check.step, call.seq);
        }
        let same = own.iter().find(|(ids, command, ..)| {
            *command == check.command
                || !check.ids.is_empty() && check.ids.iter().all(|id| ids.iter().any(|own| own.covers(id)))
        });
        known.own = same.and_then(|(_, _, standing, failures)| {
            let names: Vec<String> = failures.iter().map(|line| failure_name(line)).collect();
            let explains = !check.failures.is_empty()
                && check.failures.iter().all(|line| names.contains(&failure_name(line)));
            Some(OwnRun { standing: (*standing)?, explains })
        });
        all.push(known);
    }
    all.extend(own.into_iter().map(|(ids, command, standing, failures)| KnownCheck {
        command,
        passed: None,
        stale: false,
        old: false,
        standing,
        failures,
        tests: ids.is_empty() || ids.iter().any(|id| id.tests),
        own: None,
    }));
    all
}

/// Whether what checks are about has the content that it had when this step ended: a scratch file that is gone again, an edit that was taken back. (M4)
fn is_as_it_was(engine: &Engine, step: Option<i64>, seq: Option<i64>) -> bool {
    let same = || -> Option<bool> {
        let (step, seq) = (step?, seq?);
        let opened = engine.store(&store::Silent).ok()?;
        let step = opened.store.step(store::StepNumber(step)).ok()??;
        let then = opened.store.recorded_state_at(step.after.unwrap_or(step.before));
        let now = opened.store.recorded_state_at(seq);
        let changed = opened.store.compare(&then, &now, &[]).ok()?;
        Some(!changed.iter().any(|one| seen::is_checked(&one.path)))
    };
    same().unwrap_or(false)
}

fn note(engine: &Engine, who: &Who, event: Event, outcome: Outcome) {
    let _ = audit::record(engine, &Row::new(event, who.client.as_str(), outcome));
}

fn remember(
    engine: &Engine,
    who: &Who,
    turn: &str,
    claimed: Option<Completion>,
    answer: StopAnswer,
    findings: &[GateFinding],
) {
    let body = json!({"turn": turn, "completion": claimed, "answer": answer, "gates": findings});
    let mut event = crate::memory::event(engine, STOP_GATE, Provenance::Observed, body);
    event.agent = Some(who.client.clone());
    event.task = Some(who.session.clone());
    let _ = crate::memory::append_seen(engine, &[event]);
}
