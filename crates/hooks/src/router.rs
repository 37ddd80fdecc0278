//! From an event to a decision: one table, and the steps it names.
//!
//! Two kinds of steps fail in two ways. What *decides* (may this run?) fails closed: the person is asked. What *serves*
//! (saving, remembering) fails open: the client goes on, and the person is told. Neither fails silently.

mod approving;
mod delegation;
mod doubt;
mod fencing;
mod gates;
mod judging;
mod keys;
mod ledger;
mod nowhere;
mod once;
mod outside;
mod questions;
mod remember;
mod saving;
mod strange;
mod tasks;
mod transcript;
mod whereabouts;
mod words;

pub use doubt::unread;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::agent::{self, Ended, Reach, Who};
use engine::judge::JudgeReport;
use engine::knowledge::{self, TellingMoment};
use engine::memory;
use engine::outside::Outside;
use engine::switch::switched_off;
use engine::{Engine, Error};
use engine::{learning, recall};
use install::evidence::{self, RealCall};
use install::protection;
use project::{Context, RelPath};
use redact::{Clean, Gate};
use store::{Silent, StepNumber};

use crate::decision::{Decision, Reply, Verdict};
use crate::event::{Action, Edit, HookEvent, Kind};
use crate::{Client, Watch, adapters, proxied};
use doubt::{in_doubt, settled, with_doubt};
use nowhere::without_project;
use whereabouts::{dialect, folder_from_transcript, is_connected_itself, open};

/// So much of a payload is kept: more could not be looked at in time. What is behind it is read and left out, and the answer says so.
pub const LONGEST_PAYLOAD: usize = 64 << 20;

/// Most text that is put into a model's context at once, in bytes: clients cut or drop more.
const CONTEXT_LIMIT: usize = 8_000;

/// How long the end of a session may fold new memories into their index.
const FOLDING: Duration = Duration::from_millis(50);

/// How long the end of a turn may.
const FOLDING_AT_STOP: Duration = Duration::from_millis(10);

/// One thing that is done for an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Remember the session; tell the model where things stand.
    Register,
    /// Remember which turn a sub-agent with a session of its own serves.
    Adopt,
    /// "/rollback", "undo that" and the code that confirms it; "/lesson".
    ChatCommand,
    /// A new turn: save the tree as it is when the person speaks.
    NewTurn,
    /// What the person says that is meant to stay is noted.
    Hear,
    /// What the model has to be told, such as a rollback.
    Notes,
    /// What is new in the project's memory, and one suggestion for the person.
    Memory,
    /// Lessons that fit and that the model does not know yet.
    Lessons,
    /// Vib's own files and what runs by itself.
    GuardFiles,
    /// Does the agent run in circles?
    Spiral,
    /// May this command run?
    Judge,
    /// Does it bring a key into the project?
    Keys,
    /// Is it something that the person would say yes to?
    Approve,
    /// The call becomes a step of the ledger: what it may write is saved.
    Begin,
    /// The step has ended: what is different now is its own.
    End,
    /// Remember what the step did.
    Observe,
    /// The same error again: what changed is looked at.
    LookAfterFailure,
    /// Does it work itself where it should hand work on?
    Delegation,
    /// A question to the person that they answered before; the answer they give now.
    Questions,
    /// The agent's own list.
    Tasks,
    /// Keep what a sub-agent reported.
    Report,
    /// Save what the turn left behind.
    EndTurn,
    /// It says that it is done: is it?
    Gates,
    /// The conversation is shortened: what was read before has to be read again.
    Shortened,
    /// Bounded cleaning.
    Upkeep,
}

/// The one table. The first objection ends the row.
fn steps(kind: &Kind) -> &'static [Step] {
    use Step::*;
    match kind {
        Kind::SessionStart { .. } => &[Register, Lessons],
        Kind::Prompt { .. } => &[ChatCommand, NewTurn, Hear, Notes, Memory, Lessons],
        Kind::BeforeTool(call) => match call.action {
            Action::Edit(_) => &[GuardFiles, Keys, Delegation, Spiral, Begin, Lessons, Notes],
            Action::Shell { .. } => &[Judge, Keys, Delegation, Begin, Spiral, Lessons, Notes],
            Action::Unknown(_) => &[GuardFiles, Judge, Keys, Begin, Spiral, Lessons, Notes],
            Action::Look => &[Spiral, Delegation, Questions, Notes],
        },
        Kind::Permission(call) => match call.action {
            Action::Edit(_) => &[GuardFiles, Keys, Approve],
            Action::Shell { .. } => &[Judge, Keys, Approve],
            Action::Unknown(_) => &[GuardFiles, Judge, Keys],
            Action::Look => &[],
        },
        Kind::Unasked(call) => match call.action {
            Action::Edit(_) => &[GuardFiles, Keys],
            Action::Shell { .. } => &[Judge, Keys],
            Action::Unknown(_) => &[GuardFiles, Judge, Keys],
            Action::Look => &[],
        },
        Kind::AfterTool(call, _) if matches!(call.action, Action::Look) => {
            &[End, Observe, Tasks, Questions, Lessons, Notes]
        }
        Kind::AfterTool(..) => &[End, Observe, LookAfterFailure, Lessons, Notes],
        Kind::Stop { .. } => &[EndTurn, Gates],
        Kind::SubagentStop { .. } => &[Report, Gates],
        Kind::SessionEnd => &[Upkeep],
        Kind::SubagentStart { session: Some(_), .. } => &[Adopt],
        Kind::Compaction => &[Shortened],
        Kind::SubagentStart { .. } | Kind::Other => &[],
    }
}

/// What the process knows besides the payload.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Holds the answer that is given if this takes too long.
    pub watch: Watch,
    /// The client's own word on where the project is.
    pub project_dir: Option<PathBuf>,
    /// Copilot runs Claude Code's hooks too.
    pub in_copilot: bool,
    /// So does Cursor.
    pub in_cursor: bool,
    /// Nobody sits at the client, as it says itself.
    pub unattended: bool,
    /// What the agent is there for, as its environment says.
    pub role: Option<String>,
    /// The vib that runs.
    pub program: Option<PathBuf>,
    /// The file of lines that Claude Code's shell runs before each command, where it offers one.
    pub env_file: Option<PathBuf>,
    /// Whose settings the call came from, where its line says so.
    pub called_from: Option<clients::Scope>,
    /// The folder of the person's own settings of this client, where a variable moved it.
    pub own_settings: Option<PathBuf>,
    /// The folder of the proxy that this client runs below: what a person says goes through that one. (S21)
    pub proxied: Option<PathBuf>,
}

/// Answers one hook call. Never panics, and always lets the client go on unless there is an objection.
pub fn answer(context: &Context, world: &World, client: Client, event: Option<&str>, input: &[u8]) -> Reply {
    let spoken = dialect(client, world);
    let mut event = adapters::parse(spoken, event, input);
    world.watch.came(&event.native, event.kind.tool());
    world.watch.instead(in_doubt(world, &event, "vib could not look at this step in time"));
    let list = steps(&event.kind);
    let of = client.name();
    let _told = tracing::info_span!(target: "vib::hooks", "call", of, bytes = input.len()).entered();
    if list.is_empty() && event.doubt.is_some() {
        return in_doubt(world, &event, "vib could not look at this step");
    }
    if list.is_empty() || (spoken != client && is_connected_itself(context, world, spoken)) {
        return Reply::default();
    }
    if spoken == client && once::is_answered_elsewhere(context, world, client, &event) {
        return Reply::default();
    }
    if let Some(proxy) = &world.proxied {
        match event.kind {
            Kind::SessionStart { .. } | Kind::Prompt { .. } | Kind::Stop { .. } | Kind::SessionEnd => {
                return Reply::default();
            }
            Kind::BeforeTool(_) | Kind::AfterTool(..) => proxied::note_tool(proxy),
            _ => {}
        }
    }
    folder_from_transcript(&mut event);
    if let Some(words) = words_of_an_agent(context, &event) {
        return adapters::reply(&event, &Decision { warnings: vec![words], ..Decision::default() });
    }
    let decision = with_doubt(world, &event, run(context, world, &event, list));
    world.watch.decided(decision.verdict.code());
    adapters::reply(&event, &decision)
}

/// Decides about an event that came in no payload: the proxy between an editor and an agent made it from what they say to each other.
pub fn decide(context: &Context, world: &World, event: &HookEvent) -> Decision {
    let list = steps(&event.kind);
    world.watch.came(&event.native, event.kind.tool());
    if list.is_empty() {
        return with_doubt(world, event, Decision::default());
    }
    if let Some(words) = words_of_an_agent(context, event) {
        return Decision { warnings: vec![words], ..Decision::default() };
    }
    let decision = with_doubt(world, event, run(context, world, event, list));
    world.watch.decided(decision.verdict.code());
    decision
}

struct Run<'a> {
    event: &'a HookEvent,
    engine: Engine,
    who: Who,
    decision: Decision,
    gate: Option<Gate>,
    world: &'a World,
    /// What the call may write.
    reach: Reach,
    /// What of it lies outside the project.
    outside: Outside,
    /// The command as it was judged.
    judged: Option<JudgeReport>,
    /// It was judged in the folder in which it runs, and that is in the project.
    at_home: bool,
    /// What an edit announces, as far as its file was read.
    announced: agent::Announcement,
    /// The step that began with this call.
    begun: Option<StepNumber>,
    /// How the step ended, as the ledger saw it.
    ended: Ended,
    /// Whether it failed, as the client or its transcript says.
    failed: Option<bool>,
    /// The checkpoint at the end of the turn.
    turn_end: Option<i64>,
}

fn run(context: &Context, world: &World, event: &HookEvent, list: &[Step]) -> Decision {
    let engine = match open(context, world, event) {
        Ok(engine) => engine,
        Err(error) => {
            let mut decision = without_project(context, event, &error);
            decision.verdict = settled(world, event, decision.verdict);
            return decision;
        }
    };
    if switched_off(&engine).is_some() {
        return while_off(event);
    }
    let who = Who {
        client: event.named.clone().unwrap_or_else(|| event.client.name().to_owned()),
        session: event.session.clone().unwrap_or_else(|| "unknown".to_owned()),
        turn: event.turn.clone(),
        agent: event.agent.clone(),
        agent_type: event.agent_type.clone(),
        role: world.role.clone(),
    };
    let failed = match &event.kind {
        Kind::AfterTool(_, result) => result.failed,
        _ => None,
    };
    let reach = ledger::reach_unseen(&engine, event);
    let (decision, ended) = (Decision::default(), Ended::default());
    let mut run = Run {
        event,
        engine,
        who,
        decision,
        gate: None,
        world,
        reach,
        outside: Outside::default(),
        judged: None,
        at_home: false,
        announced: agent::Announcement::default(),
        begun: None,
        ended,
        failed,
        turn_end: None,
    };
    let list = run.without_own_prompt(list);
    let mut is_settled = false;
    for step in list {
        if *step == Step::Begin {
            run.ask_about_large();
            run.leave_answer_for_saving();
            run.outside_answer_for_saving();
        }
        run.step(*step);

        // At once: what becomes a no needs nothing that comes after.
        if !is_settled && matches!(run.decision.verdict, Verdict::Ask(_)) {
            is_settled = true;
            run.decision.verdict = settled(world, event, std::mem::take(&mut run.decision.verdict));
        }
        if *step == Step::Begin || run.decision.verdict != Verdict::Pass {
            world.watch.instead(adapters::reply(event, &run.decision));
        }
        if matches!(run.decision.verdict, Verdict::Deny(_) | Verdict::Hold(_)) {
            break;
        }
    }
    run.note_held_back();
    run.note_waiting();
    // A proxy is called by nobody: what is above it is the person's editor.
    if event.client == Client::Acp {
        return run.decision;
    }
    // Last: the answer is not changed by it.
    let call = RealCall {
        client: event.client,
        event: &event.native,
        session: event.session.as_deref(),
        scope: world.called_from.map(clients::Scope::name),
    };
    evidence::note(run.engine.context(), run.engine.project(), &call);
    run.decision
}

/// A prompt that an agent's own command hands to the hook is not the person's word: nothing is done, remembered or confirmed by it. (B4)
fn words_of_an_agent(context: &Context, event: &HookEvent) -> Option<String> {
    if !matches!(event.kind, Kind::Prompt { .. }) {
        return None;
    }
    let agent = engine::person::command_of_an_agent(context)?;
    Some(format!(
        "this prompt was handed to vib by a command that {} runs, not by the client itself, so it does not count as a person's and \
         nothing was done. Whoever wants to say it types it in the client, or uses vib in a terminal of their own.",
        agent.title
    ))
}

/// The person wants no hooks here: nothing is saved or judged, and each session says so once.
fn while_off(event: &HookEvent) -> Decision {
    let warnings = match event.kind {
        Kind::SessionStart { .. } => vec![
            "switched off in this project: nothing is saved or judged here; `vib init --on` switches it on"
                .to_owned(),
        ],
        _ => Vec::new(),
    };
    Decision { warnings, ..Decision::default() }
}

impl<'a> Run<'a> {
    fn step(&mut self, step: Step) {
        let decides = matches!(step, Step::GuardFiles | Step::Judge);
        let _told = tracing::debug_span!(target: "vib::hooks", "step", ?step).entered();
        let Some(problem) = problem_of(|| self.take(step)) else {
            return;
        };
        tracing::warn!(target: "vib::hooks", ?step, "failed");
        if decides {
            let text = self.clean(&format!("vib could not judge this step: {problem}")).into_string();
            self.decision.verdict = Verdict::Ask(text);
        } else {
            let text = self.clean(&format!("{}: {problem}", failed_at(step))).into_string();
            self.decision.warnings.push(text);
        }
    }

    fn take(&mut self, step: Step) -> Result<(), Error> {
        match step {
            Step::Register => {
                if matches!(&self.event.kind, Kind::SessionStart { source } if source != "startup") {
                    agent::conversation_shortened(&self.engine, &self.who)?;
                }
                let beginning = agent::start_session(&self.engine, &self.who, &Silent)?;
                for fact in &beginning.facts {
                    self.tell_model(fact);
                }
                if let Some(lost) = &beginning.lost {
                    self.warn(lost);
                }
                self.sayings(TellingMoment::Start { only: self.event.client == Client::Cursor })?;
                let suggestion = memory::suggestion_at_start(&self.engine, &self.who)?;
                self.suggest(suggestion);
                self.gone();
                self.begin_fence()?;
            }
            Step::Adopt => {
                if let Kind::SubagentStart { session: Some(session), parent: Some(parent), kind } =
                    &self.event.kind
                {
                    agent::adopt(&self.engine, &self.who.client, session, parent, kind.as_deref())?;
                }
            }
            Step::ChatCommand => self.chat()?,
            Step::NewTurn => {
                self.settle_outside();
                let late = self.late_gates();
                // Some clients do not say when a turn ends. What cannot be noted must not keep the new one from being saved.
                let noted = memory::turn_over(&self.engine, &self.who);
                agent::new_turn(&self.engine, &self.who, self.prompt(), &Silent)?;
                for error in [noted.err(), late.err()].into_iter().flatten() {
                    self.warn(&format!("the turn before was not noted: {error}; {}", error.next()));
                }
            }
            Step::LookAfterFailure => self.look_after_failure()?,
            Step::Hear => self.hear()?,
            Step::Notes => self.notes()?,
            Step::Memory => self.memory()?,
            Step::Lessons => self.lessons()?,
            Step::GuardFiles => self.guard_files(),
            Step::Spiral => self.spiral()?,
            Step::Judge => self.judge()?,
            Step::Keys => self.keys(),
            Step::Approve => self.approve()?,
            Step::Begin => self.begin()?,
            Step::End => self.end()?,
            Step::Observe => self.observe()?,
            Step::EndTurn => {
                self.settle_outside();
                self.turn_end = Some(agent::end_turn(&self.engine, &self.who, &Silent)?);
                if let Err(error) = memory::turn_over(&self.engine, &self.who) {
                    self.warn(&format!("this turn was not noted: {error}; {}", error.next()));
                }
                self.report()?;
                memory::bring_back_view(&self.engine);
                // A window that is closed says nothing: what a session leaves to do is done bit by bit. (M5)
                recall::upkeep(&self.engine, FOLDING_AT_STOP, &Silent)?;
                learning::upkeep(&self.engine, &self.who.session, FOLDING_AT_STOP)?;
            }
            Step::Gates => self.gates()?,
            Step::Tasks => self.tasks()?,
            Step::Delegation => self.delegation()?,
            Step::Questions => self.questions()?,
            Step::Report => self.report()?,
            Step::Shortened => agent::conversation_shortened(&self.engine, &self.who)?,
            Step::Upkeep => {
                self.settle_outside();
                self.upkeep()?;
            }
        }
        Ok(())
    }

    /// Hooks of any client that were taken away behind vib's back: this client still calls, so it can say it.
    fn gone(&mut self) {
        let root = self.engine.project().root().to_path_buf();
        let Some(world) = protection::world(self.engine.context(), root) else { return };
        for line in install::gone::lines(&install::gone::gone(&world)) {
            self.warn(&line);
        }
        for (detail, fix) in install::set_up::moved(&world) {
            self.warn(&format!("{detail}; {fix}"));
        }
        for one in install::redirected::redirections(&world) {
            self.warn(&format!("{}; {}", one.detail, one.fix));
        }
    }

    fn chat(&mut self) -> Result<(), Error> {
        // A rollback that a person confirmed is not stopped in the middle.
        self.world.watch.be_patient(true);
        let answer = match knowledge::answer_in_chat(&self.engine, &self.who, self.prompt()) {
            Ok(None) => agent::chat_command(&self.engine, &self.who, self.prompt(), &Silent),
            answer => answer,
        };
        self.world.watch.be_patient(false);
        if let Some(answer) = answer? {
            let text = self.clean(&answer.text).into_string();
            self.decision.verdict = Verdict::Hold(text);
        }
        Ok(())
    }

    fn edits(&self) -> &'a [Edit] {
        match &self.event.kind {
            Kind::BeforeTool(call)
            | Kind::Permission(call)
            | Kind::Unasked(call)
            | Kind::AfterTool(call, _) => match &call.action {
                Action::Edit(edits) => edits,
                _ => &[],
            },
            _ => &[],
        }
    }

    fn inside(&self, path: &Path) -> Option<RelPath> {
        let (root, cwd) = (self.engine.project().root(), self.engine.context().cwd());
        RelPath::from_user(root, cwd, path).ok().flatten()
    }

    fn prompt(&self) -> &str {
        match &self.event.kind {
            Kind::Prompt { text } => text,
            _ => "",
        }
    }

    /// Whatever leaves for the model or the chat goes through the gate.
    fn gate(&mut self) -> &mut Gate {
        let engine = &self.engine;
        self.gate.get_or_insert_with(|| engine.gate().with_limit(CONTEXT_LIMIT))
    }

    fn clean(&mut self, text: &str) -> Clean {
        self.gate().clean(text)
    }

    fn warn(&mut self, text: &str) {
        let text = self.clean(text).into_string();
        self.decision.warnings.push(text);
    }

    fn tell_model(&mut self, text: &str) {
        let clean = self.clean(text);
        self.decision.context.push(clean);
    }
}

/// What went wrong, in words. A panic is a bug of ours; it must neither stop the client nor let something through that was
/// not looked at.
fn problem_of(work: impl FnOnce() -> Result<(), Error>) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("{error}; {}", error.next())),
        Err(_) => Some("an internal error; please report it with the output of `vib doctor`".to_owned()),
    }
}

/// Whether the client hands our words on to the model with this event. Lessons that a model would not hear are kept for
/// later; where that is only after a tool, they come after its first use.
fn hears(event: &HookEvent) -> bool {
    match (&event.kind, event.client) {
        (Kind::SessionStart { .. }, _) => true,
        (Kind::Prompt { .. }, client) => client != Client::Cursor,
        (Kind::BeforeTool(_), client) => {
            matches!(client, Client::ClaudeCode | Client::Codex | Client::Copilot)
        }
        (Kind::AfterTool(call, _), client) => {
            matches!(client, Client::Gemini | Client::Cursor) && !matches!(call.action, Action::Look)
        }
        _ => false,
    }
}

/// Whether the client hands our words on to the model after a tool, and did not before it.
fn hears_after_tool(client: Client) -> bool {
    matches!(client, Client::Gemini | Client::OpenCode | Client::Cursor)
}

fn failed_at(step: Step) -> &'static str {
    match step {
        Step::Begin | Step::NewTurn | Step::EndTurn => "no checkpoint was saved for this step",
        Step::End => "what this step changed was not noted",
        Step::ChatCommand => "the rollback was not done",
        Step::Hear => "what you said was not noted for later",
        Step::Lessons => "the lessons were not told to the agent",
        Step::Memory => "the project's memory was not told to the agent",
        Step::Approve => "the client asks you, because vib could not look at this step",
        Step::Observe => "this step was not noted in the project's memory",
        _ => "a part of vib's work was not done",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Folder, ToolCall};

    #[test]
    fn a_panic_inside_a_step_is_a_problem_like_any_other() {
        assert_eq!(problem_of(|| Ok(())), None);
        let told = problem_of(|| panic!("a bug")).unwrap_or_default();
        assert!(told.starts_with("an internal error"), "{told}");
        let told = problem_of(|| Err(Error::NothingToRedo)).unwrap_or_default();
        assert!(told.contains("`vib history --all`"), "{told}");
    }

    #[test]
    fn what_decides_comes_before_what_saves() {
        let edit = Action::Edit(Vec::new());
        let shell = Action::Shell { command: String::new() };
        let strange = Action::Unknown(crate::event::Hints::default());
        for action in [edit, shell, strange] {
            let kind = Kind::BeforeTool(ToolCall {
                tool: String::new(),
                id: None,
                action,
                folder: Folder::Session,
                unseen: None,
                arguments: String::new(),
                waits: false,
            });
            let list = steps(&kind);
            let decides = |step: &Step| matches!(step, Step::GuardFiles | Step::Judge | Step::Spiral);
            assert!(list.first().is_some_and(decides) && !list.last().is_some_and(decides), "{list:?}");
        }
    }
}
