//! From an event to a decision: one table, and the steps it names.
//!
//! Two kinds of steps fail in two ways. What *decides* (may this run?) fails closed: the person is asked. What *serves*
//! (saving, remembering) fails open: the client goes on, and the person is told. Neither fails silently.

mod approving;
mod doubt;
mod judging;
mod ledger;
mod nowhere;
mod once;
mod outside;
mod remember;
mod saving;
mod transcript;
mod whereabouts;
mod words;

pub use doubt::unread;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::agent::{self, Ended, Reach, Who};
use engine::judge::JudgeReport;
use engine::memory;
use engine::outside::Outside;
use engine::switch::switched_off;
use engine::{Engine, Error};
use project::{Context, RelPath};
use redact::{Clean, Gate};
use store::{Silent, StepNumber};

use crate::decision::{Decision, Reply, Verdict};
use crate::event::{Action, Edit, HookEvent, Kind};
use crate::{Client, Watch, adapters, evidence, install, protection};
use doubt::{in_doubt, settled, with_doubt};
use nowhere::without_project;
use whereabouts::{dialect, folder_from_transcript, is_connected_itself, open};

/// So much of a payload is kept; what is behind it is read and left out, and the answer says so.
pub const LONGEST_PAYLOAD: usize = 512 << 20;

/// Most text that is put into a model's context at once, in bytes: clients cut or drop more.
const CONTEXT_LIMIT: usize = 8_000;

/// How long the end of a session may fold new memories into their index.
const FOLDING: Duration = Duration::from_millis(50);

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
    /// Is it something that the person would say yes to?
    Approve,
    /// The call becomes a step of the ledger: what it may write is saved.
    Begin,
    /// The step has ended: what is different now is its own.
    End,
    /// Remember what the step did.
    Observe,
    /// Save what the turn left behind.
    EndTurn,
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
        Kind::Prompt { .. } => &[ChatCommand, NewTurn, Notes, Memory, Lessons],
        Kind::BeforeTool(call) => match call.action {
            Action::Edit(_) => &[GuardFiles, Spiral, Begin, Lessons, Notes],
            Action::Shell { .. } => &[Judge, Begin, Spiral, Lessons, Notes],
            Action::Unknown(_) => &[GuardFiles, Judge, Begin, Spiral, Lessons, Notes],
            Action::Look => &[Spiral, Notes],
        },
        Kind::Permission(call) => match call.action {
            Action::Edit(_) => &[GuardFiles, Approve],
            Action::Shell { .. } => &[Judge, Approve],
            Action::Unknown(_) => &[GuardFiles, Judge],
            Action::Look => &[],
        },
        Kind::AfterTool(..) => &[End, Observe, Lessons, Notes],
        Kind::Stop => &[EndTurn],
        Kind::SessionEnd => &[Upkeep],
        Kind::SubagentStart { session: Some(_), .. } => &[Adopt],
        Kind::Compaction => &[Shortened],
        Kind::SubagentStart { .. } | Kind::SubagentStop | Kind::Other => &[],
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
    /// Whose settings the call came from, where its line says so.
    pub called_from: Option<clients::Scope>,
    /// The folder of the person's own settings of this client, where a variable moved it.
    pub own_settings: Option<PathBuf>,
}

/// Answers one hook call. Never panics, and always lets the client go on unless there is an objection.
pub fn answer(context: &Context, world: &World, client: Client, event: Option<&str>, input: &[u8]) -> Reply {
    let spoken = dialect(client, world);
    let mut event = adapters::parse(spoken, event, input);
    world.watch.instead(in_doubt(world, &event, "vib could not look at this step in time"));
    let list = steps(&event.kind);
    if list.is_empty() && event.doubt.is_some() {
        return in_doubt(world, &event, "vib could not look at this step");
    }
    if list.is_empty() || (spoken != client && is_connected_itself(context, world, spoken)) {
        return Reply::default();
    }
    if spoken == client && once::is_answered_elsewhere(context, world, client, &event) {
        return Reply::default();
    }
    folder_from_transcript(&mut event);
    let decision = run(context, world, &event, list);
    adapters::reply(&event, &with_doubt(world, &event, decision))
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
    /// The step that began with this call.
    begun: Option<StepNumber>,
    /// How the step ended, as the ledger saw it.
    ended: Ended,
    /// Whether it failed, as the client or its transcript says.
    failed: Option<bool>,
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
        client: event.client.name().to_owned(),
        session: event.session.clone().unwrap_or_else(|| "unknown".to_owned()),
        turn: event.turn.clone(),
        agent: event.agent.clone(),
        agent_type: event.agent_type.clone(),
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
        begun: None,
        ended,
        failed,
    };
    let mut is_settled = false;
    for step in list {
        if *step == Step::Begin {
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
    // Last: the answer is not changed by it.
    evidence::note(&run.engine, event, world.called_from.map(clients::Scope::name));
    run.decision
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
        let Some(problem) = problem_of(|| self.take(step)) else {
            return;
        };
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
                let suggestion = memory::suggestion_at_start(&self.engine, &self.who)?;
                self.suggest(suggestion);
                self.gone();
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
                // Some clients do not say when a turn ends. What cannot be noted must not keep the new one from being saved.
                let noted = memory::turn_over(&self.engine, &self.who);
                agent::new_turn(&self.engine, &self.who, self.prompt(), &Silent)?;
                if let Err(error) = noted {
                    self.warn(&format!("the turn before was not noted: {error}; {}", error.next()));
                }
            }
            Step::Notes => self.notes()?,
            Step::Memory => self.memory()?,
            Step::Lessons => self.lessons()?,
            Step::GuardFiles => self.guard_files(),
            Step::Spiral => self.spiral()?,
            Step::Judge => self.judge()?,
            Step::Approve => self.approve()?,
            Step::Begin => self.begin()?,
            Step::End => self.end()?,
            Step::Observe => self.observe()?,
            Step::EndTurn => {
                self.settle_outside();
                agent::end_turn(&self.engine, &self.who, &Silent)?;
                if let Err(error) = memory::turn_over(&self.engine, &self.who) {
                    self.warn(&format!("this turn was not noted: {error}; {}", error.next()));
                }
                memory::bring_back_view(&self.engine);
            }
            Step::Shortened => agent::conversation_shortened(&self.engine, &self.who)?,
            Step::Upkeep => self.upkeep()?,
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
        let answer = agent::chat_command(&self.engine, &self.who, self.prompt(), &Silent);
        self.world.watch.be_patient(false);
        if let Some(answer) = answer? {
            let text = self.clean(&answer.text).into_string();
            self.decision.verdict = Verdict::Hold(text);
        }
        Ok(())
    }

    fn edits(&self) -> &'a [Edit] {
        match &self.event.kind {
            Kind::BeforeTool(call) | Kind::Permission(call) | Kind::AfterTool(call, _) => {
                match &call.action {
                    Action::Edit(edits) => edits,
                    _ => &[],
                }
            }
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
