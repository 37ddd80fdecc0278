//! From an event to a decision: one table, and the steps it names.
//!
//! Two kinds of steps fail in two ways. What *decides* (may this run?) fails closed: the person is asked. What *serves*
//! (saving, remembering) fails open: the client goes on, and the person is told. Neither fails silently.

mod ledger;
mod once;
mod outside;
mod remember;
mod transcript;
mod whereabouts;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::agent::{self, Ended, Reach, SessionFile, Who};
use engine::judge::{self, Decision as Judged, JudgeReport, Place};
use engine::memory;
use engine::outside::Outside;
use engine::spiral::Spiral;
use engine::switch::switched_off;
use engine::{Engine, Error};
use project::{Context, RelPath};
use redact::{Clean, Gate, PrivacyContext};
use store::{Silent, StepNumber};

use crate::attended::{self, Told};
use crate::decision::{Decision, Reply, Verdict};
use crate::event::{Action, Edit, Folder, HookEvent, Kind, ToolCall, Unseen};
use crate::{Client, Watch, adapters, evidence, install, protection};
use whereabouts::{dialect, is_connected_itself, open};
use words::{call_words, spiral_text};

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
            Action::Edit(_) => &[GuardFiles],
            Action::Shell { .. } => &[Judge],
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

/// The answer to what could not be read or looked at: a question before a step, else a warning. (S1, S8)
pub fn unread(world: &World, client: Client, event: Option<&str>, input: &[u8], why: &str) -> Reply {
    let event = adapters::parse(dialect(client, world), event, input);
    in_doubt(world, &event, why)
}

fn in_doubt(world: &World, event: &HookEvent, why: &str) -> Reply {
    let reason = event.doubt.map_or_else(String::new, |doubt| format!(": {}", doubt.words()));
    let mut decision = Decision::default();
    if event.call_to_decide().is_some() {
        let ask = Verdict::Ask(format!("{why}{reason}. Nothing was saved first. `vib doctor` says more."));
        decision.verdict = settled(world, event, ask);
    } else if event.doubt.is_some() || !steps(&event.kind).is_empty() {
        decision.warnings.push(format!("{why}{reason}; nothing was saved for it. `vib doctor` says more"));
    }
    adapters::reply(event, &decision)
}

/// What may mean something else than what was judged is asked about, however harmless it looked. (S1)
fn with_doubt(world: &World, event: &HookEvent, mut decision: Decision) -> Decision {
    let Some(doubt) = event.doubt else { return decision };
    if event.call_to_decide().is_some() {
        if decision.verdict == Verdict::Pass {
            let ask = Verdict::Ask(format!("vib cannot tell what this step does: {}.", doubt.words()));
            decision.verdict = settled(world, event, ask);
        }
    } else {
        decision.warnings.push(format!("{}; a part of this step may be missing", doubt.words()));
    }
    decision
}

/// Codex tells the folder that a command names only in its own record of the session. (S3)
fn folder_from_transcript(event: &mut HookEvent) {
    if event.client != Client::Codex {
        return;
    }
    let (transcript, cwd) = (event.transcript.clone(), event.cwd.clone());
    let start = transcript.as_deref().and_then(transcript::session_folder);
    if let Kind::BeforeTool(call) | Kind::Permission(call) = &mut event.kind
        && matches!(call.action, Action::Shell { .. })
        && call.folder == Folder::Session
    {
        call.folder = match (transcript, &call.id) {
            (Some(transcript), Some(id)) => transcript::folder(&transcript, id),
            _ => Folder::Untold,
        };
        if let (Folder::Given(folder), Some(cwd)) = (&mut call.folder, cwd) {
            // The `cwd` of the call may be this folder already; a relative name starts where the session did.
            let named = start.unwrap_or_else(|| cwd.clone()).join(&folder);
            *folder = if named.is_dir() { named } else { cwd };
        }
    }
}

/// A question, where somebody can be asked; else a no.
fn settled(world: &World, event: &HookEvent, verdict: Verdict) -> Verdict {
    match (&event.kind, event.client) {
        // Codex calls this only when it is about to ask the person itself.
        (Kind::Permission(_), Client::Codex) => verdict,
        (Kind::BeforeTool(_) | Kind::Permission(_), client) => {
            let told =
                Told { mode: event.mode.as_deref(), event: &event.native, unattended: world.unattended };
            attended::settle(attended::answer(client, told), verdict)
        }
        _ => verdict,
    }
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

/// Where nothing can be saved, a command is still judged: nothing is covered then.
fn without_project(context: &Context, event: &HookEvent, error: &Error) -> Decision {
    let home = context.home().and_then(Path::to_str).map(str::to_owned);
    let mut gate = Gate::new(PrivacyContext { home, ..PrivacyContext::default() });
    // The home folder and the like: no mistake, and with vib in the person's own settings not rare. Said once.
    let is_too_wide = error.code() == "root_too_wide";
    let is_said = !is_too_wide || once::first_time(context, "nowhere", event);
    let warning = format!("nothing is saved here: {error}; {}", error.next());
    let warnings = if is_said { vec![gate.clean(&warning).into_string()] } else { Vec::new() };
    let verdict = match &event.kind {
        Kind::BeforeTool(call @ ToolCall { action: Action::Shell { .. } | Action::Unknown(_), .. }) => {
            let folder = folder_of(context, event, call).0;
            let mut verdict = guarded_places(context, event, call, &mut gate);
            match context.beside(&folder) {
                _ if verdict != Verdict::Pass => {}
                Ok(there) => {
                    let judge = |command: &str| judge::judge_without_checkpoint(&there, command);
                    let reports: Vec<JudgeReport> =
                        call.action.commands().iter().map(|one| judge(one)).collect();
                    verdict = worst(&reports).map_or(Verdict::Pass, |report| verdict_of(report, &mut gate));
                    if verdict == Verdict::Pass {
                        verdict = unseen(call, &reports);
                    }
                }
                Err(_) if call.action.commands().is_empty() => {}
                Err(_) => verdict = Verdict::Ask("vib cannot see the folder of this command.".to_owned()),
            }
            verdict
        }
        Kind::BeforeTool(call @ ToolCall { action: Action::Edit(_), .. }) if is_too_wide => {
            guarded_places(context, event, call, &mut gate)
        }
        Kind::BeforeTool(ToolCall { action: Action::Edit(_), .. }) => Verdict::Ask(
            "vib cannot see the project of this edit, so nothing could be saved first.".to_owned(),
        ),
        _ => Verdict::Pass,
    };
    Decision { verdict, warnings, ..Decision::default() }
}

/// Edits where there is no project: vib's own files and what runs by itself are guarded there too.
fn guarded_places(context: &Context, event: &HookEvent, call: &ToolCall, gate: &mut Gate) -> Verdict {
    let folder = event.cwd.as_deref().unwrap_or_else(|| context.cwd());
    let Ok(there) = context.beside(folder) else {
        return Verdict::Ask("vib cannot see the folder of this edit.".to_owned());
    };
    let mut verdict = Verdict::Pass;
    let edits = call.action.edits().iter().filter(|edit| is_guarded(&there, call, &edit.path));
    for objection in edits.filter_map(|edit| agent::guard_place(&there, &edit.path)) {
        let reason = gate.clean(&format!("vib: {}", objection.reason)).into_string();
        if objection.deny {
            return Verdict::Deny(reason);
        }
        verdict = Verdict::Ask(reason);
    }
    verdict
}

/// A path that a strange tool only mentions need not be one that it writes: the system's own places are then left to the client.
fn is_guarded(context: &Context, call: &ToolCall, path: &Path) -> bool {
    match &call.action {
        Action::Unknown(hints) if !hints.writes => {
            !matches!(judge::place_of(context, &path.to_string_lossy()), Place::System | Place::Device)
        }
        _ => true,
    }
}

/// The folder in which a call runs, and whether that is known. (S3)
fn folder_of(context: &Context, event: &HookEvent, call: &ToolCall) -> (PathBuf, bool) {
    let session =
        event.cwd.clone().filter(|folder| folder.is_dir()).unwrap_or_else(|| context.cwd().to_path_buf());
    match &call.folder {
        Folder::Given(folder) => {
            let folder = session.join(folder);
            if folder.is_dir() { (folder, true) } else { (session, false) }
        }
        Folder::Session => (session, true),
        Folder::Untold => (session, false),
    }
}

/// The strictest of several.
fn worst(reports: &[JudgeReport]) -> Option<&JudgeReport> {
    reports.iter().max_by_key(|report| report.decision)
}

/// What cannot be seen as a whole is asked about; what is typed into a program only if it would do something in a shell. (S2)
fn unseen(call: &ToolCall, reports: &[JudgeReport]) -> Verdict {
    let is_harmless = !reports.is_empty() && reports.iter().all(|report| report.verdict.provably_harmless());
    match call.unseen {
        None => Verdict::Pass,
        Some(Unseen::Typed) if is_harmless => Verdict::Pass,
        Some(unseen) => Verdict::Ask(format!("vib: {}.", unseen.words())),
    }
}

fn verdict_of(report: &JudgeReport, gate: &mut Gate) -> Verdict {
    match report.decision {
        Judged::Allow | Judged::AllowWithCheckpoint => Verdict::Pass,
        Judged::Ask => Verdict::Ask(gate.clean(&report.why()).into_string()),
        Judged::Deny => Verdict::Deny(gate.clean(&report.why()).into_string()),
    }
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

    fn guard_files(&mut self) {
        let Some(call) = self.event.call_to_decide() else { return };
        for edit in call.action.edits() {
            if !is_guarded(self.engine.context(), call, &edit.path) {
                continue;
            }
            let Some(objection) = agent::guard_edit(&self.engine, &edit.path, &edit.change) else {
                continue;
            };
            let reason = self.clean(&format!("vib: {}", objection.reason)).into_string();
            if objection.deny {
                self.decision.verdict = Verdict::Deny(reason);
                return;
            }
            self.decision.verdict = Verdict::Ask(reason);
        }
        self.outside_edits();
    }

    /// An edit of a file that must rest, or any call that was made again and again and always got the same answer.
    fn spiral(&mut self) -> Result<(), Error> {
        let Kind::BeforeTool(call) = &self.event.kind else { return Ok(()) };
        let edits: Vec<(RelPath, agent::Change)> = self
            .edits()
            .iter()
            .filter_map(|edit| Some((self.inside(&edit.path)?, edit.change.clone())))
            .collect();
        let mut found = None;
        if !edits.is_empty() {
            found = agent::spiral_before_edit(&self.engine, &self.who, &edits)?;
        }
        if found.is_none() {
            found = self.repeats(call)?;
        }
        if let Some(spiral) = found {
            let text = self.clean(&spiral_text(&spiral, self.event.client)).into_string();
            self.decision.verdict = Verdict::Deny(text);
        }
        Ok(())
    }

    fn repeats(&mut self, call: &ToolCall) -> Result<Option<Spiral>, Error> {
        let words = call_words(call);
        let about = agent::AboutToRun { tool: &call.tool, arguments: &call.arguments, words: &words };
        let found = agent::spiral_before_tool(&self.engine, &self.who, &about)?;
        if found.is_none() {
            return Ok(None);
        }
        // A person or a program may have changed something since: then it is a new question. To be stopped is rare, so there is
        // time to look.
        let state = SessionFile::of(&self.engine, &self.who).read();
        agent::save_tree(&self.engine, &self.who, &state, "tool", &Silent)?;
        agent::spiral_before_tool(&self.engine, &self.who, &about)
    }

    /// Judged from where the command would run. An agent may have wandered out of the project; what it does there no
    /// checkpoint of ours covers, and what it does here from there is saved all the same.
    fn judge(&mut self) -> Result<(), Error> {
        let Some(call) = self.event.call_to_decide() else { return Ok(()) };
        let root = self.engine.project().root().to_path_buf();
        let context = self.engine.context();
        let (folder, is_known) = folder_of(context, self.event, call);
        let there = context.beside(&folder).map_err(project::Error::from)?;
        let is_inside = there.cwd().starts_with(&root);
        // Where it is not known in which folder, nothing is known to be covered.
        let elsewhere = match (is_inside, is_known) {
            (false, true) => outside::project_around(context, &there),
            _ => None,
        };
        let judged_in = if is_inside && is_known { Some(root.as_path()) } else { elsewhere.as_deref() };
        let mut reports: Vec<JudgeReport> = call
            .action
            .commands()
            .iter()
            .map(|command| outside::judged(&there, judged_in, command))
            .collect();
        if matches!(self.event.kind, Kind::BeforeTool(_)) && elsewhere.is_none() {
            for report in reports.iter_mut().filter(|report| !report.save_first.is_empty()) {
                // If that fails, it stays a question: it could not be brought back.
                if let Some(problem) =
                    problem_of(|| agent::save_losses(&self.engine, &self.who, report, &Silent))
                {
                    self.warn(&format!("ignored files were not saved before this step: {problem}"));
                }
            }
        }
        self.outside_commands(&mut reports, elsewhere.as_deref());
        let verdict = match worst(&reports) {
            Some(report) => verdict_of(report, self.gate()),
            None => Verdict::Pass,
        };
        let verdict = if verdict == Verdict::Pass { unseen(call, &reports) } else { verdict };
        // What was objected to before stays: this can only be stricter.
        if self.decision.verdict == Verdict::Pass || matches!(verdict, Verdict::Deny(_)) {
            self.decision.verdict = verdict;
        }
        if let Action::Shell { .. } = call.action
            && let Some(report) = reports.first()
        {
            self.reach = match (is_inside, is_known) {
                (true, true) if !report.needs_checkpoint => Reach::Nowhere,
                (true, true) => match judge::known_writes(&root, &report.verdict) {
                    Some(paths) => Reach::Named(paths),
                    None => Reach::Anywhere,
                },
                _ if report.verdict.can_write => Reach::Anywhere,
                _ => Reach::Nowhere,
            };
        }
        for report in &reports {
            if self.decision.verdict != Verdict::Pass {
                break;
            }
            if let Some(objection) = agent::guard_writes(&self.engine, &report.verdict) {
                self.object(&objection);
            }
        }
        self.guard_other_projects(&reports);
        self.judged = reports.into_iter().max_by_key(|report| report.decision);
        Ok(())
    }

    fn object(&mut self, objection: &agent::Objection) {
        let reason = self.clean(&format!("vib: {}", objection.reason)).into_string();
        self.decision.verdict = if objection.deny { Verdict::Deny(reason) } else { Verdict::Ask(reason) };
    }

    /// Saving may take too long: what is answered then. What would be lost for good is asked about. (S8)
    fn leave_answer_for_saving(&mut self) {
        let mut decision = self.decision.clone();
        decision.warnings.push(
            "saving took too long, so what this step changes cannot all be taken back; `vib checkpoint` saves everything now"
                .to_owned(),
        );
        if decision.verdict == Verdict::Pass && self.loses(&[]) {
            decision.verdict = settled(self.world, self.event, unsaved(&[]));
        }
        self.world.watch.instead(adapters::reply(self.event, &decision));
    }

    /// True if the command would lose something that was left out of the look before it; an empty list means that nothing was saved.
    fn loses(&self, left_out: &[String]) -> bool {
        let Some(report) = self.judged.as_ref().filter(|report| report.verdict.destructive) else {
            return false;
        };
        let verdict = &report.verdict;
        let root = self.engine.project().root();
        let targets: Vec<&judge::Target> = verdict.writes.iter().chain(&verdict.deletes).collect();
        if left_out.is_empty() || !verdict.unknown.is_empty() || targets.is_empty() {
            return true;
        }
        let is_hit = |path: &String| {
            let path = root.join(path);
            targets.iter().any(|target| {
                let target = Path::new(&target.path);
                target.is_relative() || path.starts_with(target) || target.starts_with(&path)
            })
        };
        left_out.iter().any(is_hit)
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

/// A command that would lose what is not saved.
fn unsaved(left_out: &[String]) -> Verdict {
    let what = match left_out {
        [] => "vib could not save the files in time".to_owned(),
        [one] => format!("`{one}` is not saved yet"),
        [one, rest @ ..] => format!("`{one}` and {} more are not saved yet", rest.len()),
    };
    Verdict::Ask(format!(
        "vib: this deletes or overwrites files, and {what}. `vib checkpoint` saves them; then try again."
    ))
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
        Step::Observe => "this step was not noted in the project's memory",
        _ => "a part of vib's work was not done",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
