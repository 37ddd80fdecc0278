//! Code that nobody can see through runs behind the fence: marked before, looked at after. (S7, S17)

use std::io::Write;
use std::path::{Path, PathBuf};

use engine::Error;
use engine::judge::{self, JudgeReport, Place};
use engine::run_later;
use fence::marks::{self, FenceMark, Launch, MarkedCall};
use fence::probe::{self, Outcome, ProbeWay};
use fence::refused::{self, Refusals};
use fence::{Fence, Surroundings, Wishes, evidence, kernel, mend, places, shell_file};
use redact::Clean;

use super::{Run, once};
use crate::Client;
use crate::event::{Action, Kind, ToolCall, ToolResult};
use install::fenced::{self, Mode};

/// Folders that are the same on every machine, so that their names tell nothing about anybody.
const COMMON: &[&str] = &["/etc", "/usr", "/bin", "/sbin", "/lib", "/boot", "/dev", "/proc", "/sys"];

/// Where a call runs.
pub(super) struct Where<'w> {
    pub(super) folder: &'w Path,
    pub(super) is_known: bool,
}

impl Run<'_> {
    /// A session begins: the client's shell is led to the file, and the fence is tried.
    pub(super) fn begin_fence(&mut self) -> Result<(), Error> {
        let client = self.event.client;
        let mode = fenced::mode(self.engine.project().config(), client);
        let (Some(program), true) = (self.world.program.clone(), mode != Mode::Off) else { return Ok(()) };
        let around = self.fence_around(self.engine.project().root())?;
        marks::tidy(&around.state);
        mend::rights(&around.state, Some(&program))?;
        if !kernel::kernel().is_there() {
            return Ok(());
        }
        shell_file::write(&around.state, &program)?;
        if client == Client::ClaudeCode {
            let Some(file) = &self.world.env_file else { return Ok(()) };
            leave_line(file, &shell_file::line(&around.state)).map_err(fence::Error::from)?;
        }
        // Later beginnings of the same session may be told from wherever the agent is by then. (B8)
        let is_new = matches!(&self.event.kind, Kind::SessionStart { source } if matches!(source.as_str(), "startup" | "resume"));
        if is_new || evidence::session_root(&around.state, &self.who.session)?.is_none() {
            evidence::session_begins(&around.state, &self.who.session, self.engine.project().root())?;
        }
        let way = if client == Client::ClaudeCode { ProbeWay::Line } else { ProbeWay::Variable };
        let trial = probe::run(&around, &program, "bash", way)?;
        if matches!(trial.outcome, Outcome::Open | Outcome::Broken) {
            self.warn(&format!(
                "the fence does not hold here ({}); commands that vib cannot see through are asked about as without it; \
                 `vib fence probe` tries it again",
                trial.detail
            ));
        }
        Ok(())
    }

    /// A command is about to run. What will be fenced for certain is no longer asked about; what passes and is not seen through is marked.
    pub(super) fn mark_for_fence(&mut self, call: &ToolCall, reports: &mut [JudgeReport], place: &Where<'_>) {
        let (Action::Shell { command }, [report]) = (&call.action, reports) else { return };
        let mode = fenced::mode(self.engine.project().config(), self.event.client);
        let is_wanted = mode != Mode::Off
            && call.unseen.is_none()
            && judge::wants_fence(&report.verdict, mode == Mode::All)
            && kernel::kernel().is_there();
        if mode == Mode::Off {
            return;
        }
        // Where nobody can say that it would be fenced, it is a question, whatever it was before. (M2)
        if let Err(error) = self.marked(call, command, report, place, is_wanted)
            && is_wanted
        {
            judge::ask_unfenced(report, &error.to_string());
        }
    }

    fn marked(
        &mut self,
        call: &ToolCall,
        command: &str,
        report: &mut JudgeReport,
        place: &Where<'_>,
        is_wanted: bool,
    ) -> fence::Result<()> {
        let state = self.engine.context().state()?.to_path_buf();
        let is_about_to_run = matches!(self.event.kind, Kind::BeforeTool(_));
        if is_wanted && is_about_to_run {
            let mended = mend::rights(&state, self.world.program.as_deref())?;
            if !mended.is_empty() {
                self.warn(
                    "somebody took away rights of the files that the fence needs; they were given back. An agent's command can do that and \
                     has no reason to: look at what it ran last",
                );
            }
        }
        // A session of Claude Code that nobody led to the file cannot be fenced.
        let Some(root) = self.session_root(&state)? else { return Ok(()) };
        let around = self.fence_around(&root)?;
        if is_wanted && is_live(&state, &around, self.event.client) {
            judge::behind_fence(report);
        }
        if !is_about_to_run {
            return Ok(());
        }
        // What the person says yes to runs as they were shown it.
        let is_free = !is_wanted || report.decision >= judge::Decision::Ask;
        let outside = report.verdict.writes.iter().filter(|target| target.place == Place::Outside);
        let mark = FenceMark {
            call: self.marked_call(call),
            command: command.to_owned(),
            root,
            cwd: place.is_known.then(|| place.folder.to_path_buf()),
            is_free,
            hide: self.engine.project().config().list("guard.fence_hide").to_vec(),
            named: outside.map(|target| PathBuf::from(&target.path)).collect(),
            ..FenceMark::default()
        };
        marks::put(&state, &mark)?;
        if is_free {
            return Ok(());
        }
        let later = run_later::since_last(&state, &mark.root);
        if !later.is_empty() {
            self.warn(&format!(
                "since the last fenced command {} changed, which programs outside the fence run by themselves; if that was not you, \
                 a program that a command left running may have done it: look before you use git or an editor here",
                later.join(", ")
            ));
        }
        self.decision.environment = match self.event.client {
            Client::OpenCode => shell_file::variables(&state),
            _ => Vec::new(),
        };
        Ok(())
    }

    fn marked_call(&self, call: &ToolCall) -> MarkedCall {
        MarkedCall {
            session: format!("{} {}", self.event.client.name(), self.who.session),
            id: call.id.clone(),
        }
    }

    /// The project of this session: it decides what is open, not the folder that a call runs in. (B8) None: its shell does not come by the
    /// fence's file.
    fn session_root(&self, state: &Path) -> fence::Result<Option<PathBuf>> {
        let own = self.engine.project().root();
        let begun = evidence::session_root(state, &self.who.session)?;
        if begun.is_none() && self.event.client == Client::ClaudeCode {
            return Ok(None);
        }
        match begun {
            Some(root) if !root.as_os_str().is_empty() => Ok(Some(root)),
            _ => {
                evidence::session_begins(state, &self.who.session, own)?;
                Ok(Some(own.to_path_buf()))
            }
        }
    }

    /// A command has ended. Was it behind the fence, and what did the fence refuse? The answer is the reason for the ledger.
    pub(super) fn look_behind_fence(
        &mut self,
        call: &ToolCall,
        result: &ToolResult,
    ) -> Result<Option<Clean>, Error> {
        let Action::Shell { command } = &call.action else { return Ok(None) };
        let state = self.engine.context().state()?.to_path_buf();
        let Some(root) = self.session_root_if_any(&state)? else { return Ok(None) };
        let Some(mark) = marks::of(&state, &self.marked_call(call), &root, command) else { return Ok(None) };
        if mark.is_free {
            marks::ended(&state, &mark);
            return Ok(None);
        }
        let launch = marks::launch(&state, &mark);
        // What the client itself did not start says nothing.
        let has_run =
            result.exit_code.is_some() || (self.event.client == Client::Codex && result.halted.is_none());
        let seen = match launch {
            Launch::Seen => Some(true),
            Launch::Missed if has_run => Some(false),
            Launch::Missed | Launch::Apart => None,
        };
        if let Some(was_fenced) = seen {
            let now = self.engine.context().now_ms();
            let before = evidence::note(&state, self.event.client.name(), was_fenced, now)?;
            if !was_fenced
                && (before.is_live() || once::first_time(self.engine.context(), "fence", self.event))
            {
                self.warn(
                    "this command was to run behind the fence and did not; from now on vib asks again about what it cannot see through; \
                     `vib fence list` says what this client needs",
                );
            }
        }
        marks::ended(&state, &mark);
        let later = run_later::changed(&state, &root);
        self.tell_run_later(&later);
        if launch == Launch::Missed {
            return Ok(None);
        }
        let around = self.fence_around(&root)?;
        let wishes = Wishes { hide: mark.hide, named: mark.named, also: Vec::new() };
        let fence = Fence::of(&around, &wishes)?;
        let cwd = mark.cwd.unwrap_or_else(|| root.clone());
        let told = refused::in_output(&fence, &[&cwd, &root], &result.output);
        Ok(self.tell_refused(&around, &told).or_else(|| {
            (!later.is_empty())
                .then(|| self.short(&format!("changed what runs by itself later: {}", later.join(", "))))
        }))
    }

    fn session_root_if_any(&self, state: &Path) -> fence::Result<Option<PathBuf>> {
        Ok(evidence::session_root(state, &self.who.session)?.filter(|root| !root.as_os_str().is_empty()))
    }

    /// The fence does not keep the project itself: what programs outside run from it later is told at once. (B3)
    fn tell_run_later(&mut self, later: &[String]) {
        if later.is_empty() {
            return;
        }
        let what = later.join(", ");
        self.tell_model(&format!(
            "vib: this command ran behind vib's fence and changed {what}. Programs outside the fence (git, an editor, a shell, an agent) run that \
             by themselves later. If the task did not ask for exactly that, take it back, and tell the person either way."
        ));
        let person = self.clean(&format!(
            "a fenced command of the agent changed {what}, which programs outside the fence run by themselves: look at it before you use them \
             here. Files of the project come back with `vib undo`; git's own are yours to put back"
        ));
        if matches!(self.event.client, Client::ClaudeCode | Client::Gemini) {
            self.decision.suggestion.get_or_insert(person);
        }
    }

    fn tell_refused(&mut self, around: &Surroundings, told: &Refusals) -> Option<Clean> {
        let all = |paths: &[PathBuf]| {
            let all: Vec<String> = paths.iter().map(|path| format!("`{}`", shown(around, path))).collect();
            all.join(", ")
        };
        if told.is_empty() {
            if told.unnamed {
                self.tell_model(
                    "vib: this command ran behind vib's fence, and there was a permission error that names no path; it may be the \
                     fence's (writing is open in the project, temporary folders and caches of tools) or an ordinary one.",
                );
            }
            return None;
        }
        let mut what = Vec::new();
        if !told.written.is_empty() {
            what.push(format!("refused to write {}", all(&told.written)));
        }
        if !told.read.is_empty() {
            what.push(format!("refused to read {}, which is hidden (`guard.fence_hide`)", all(&told.read)));
        }
        let what = what.join(" and ");
        let ways: Vec<String> = told.written.iter().map(|path| way_out(around, path)).collect();
        let way = match ways.first() {
            Some(way) => way.clone(),
            None => "they can run it themselves".to_owned(),
        };
        self.tell_model(&format!(
            "vib: the fence around this command {what}: that lies outside this project. This is no ordinary permission error. Do not look \
             for a way around. If the work needs it, stop and tell the person: {way}"
        ));
        let person = self.clean(&format!(
            "the fence around a command of the agent {what}; if it should be possible: {way}"
        ));
        // The others show the person nothing of ours: there the model passes on what it was told.
        if matches!(self.event.client, Client::ClaudeCode | Client::Gemini) {
            self.decision.suggestion.get_or_insert(person);
        }
        Some(self.short(&format!("the fence {what}")))
    }

    fn fence_around(&self, root: &Path) -> fence::Result<Surroundings> {
        Surroundings::of(self.engine.context(), Some(root), self.world.program.clone())
    }
}

/// Only what was seen counts, and only where nothing behind the fence can write what was seen. (B7)
fn is_live(state: &Path, around: &Surroundings, client: Client) -> bool {
    evidence::seen(state, client.name()).is_live()
        && Fence::of(around, &Wishes::default()).is_ok_and(|fence| fence.exposed.is_empty())
}

/// What a person can do: open the nearest thing that is there and holds nothing else, or run the command themselves.
fn way_out(around: &Surroundings, path: &Path) -> String {
    let there = path.ancestors().find(|one| one.exists());
    match there.and_then(|there| places::to_allow(around, there).ok()) {
        Some(open) => {
            let open = shown(around, &open);
            format!(
                "`vib fence allow {open}` opens it for the next try, `vib fence allow --always {open}` for good in this project (only a \
                 person can)"
            )
        }
        None => {
            "it cannot be opened without opening far more; they can run the command themselves".to_owned()
        }
    }
}

/// A path as it can be typed in the project's own folder. Private folders are named from the home folder or from there: the gate, through
/// which everything goes, leaves such names whole.
fn shown(around: &Surroundings, path: &Path) -> String {
    let inside = |folder: &Option<PathBuf>| {
        let folder = folder.as_ref()?.canonicalize().ok()?;
        path.strip_prefix(folder).ok().map(|rest| rest.display().to_string())
    };
    if let Some(rest) = inside(&around.home) {
        return format!("~/{rest}");
    }
    let is_common = COMMON.iter().any(|top| path.starts_with(top));
    let Some(root) = around.root.as_ref().filter(|_| !is_common) else { return path.display().to_string() };
    let shared = root.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    let mut relative: PathBuf = root.components().skip(shared).map(|_| "..").collect();
    relative.extend(path.components().skip(shared));
    relative.display().to_string()
}

/// Adds a line to a file of lines, once.
fn leave_line(file: &Path, line: &str) -> std::io::Result<()> {
    if std::fs::read_to_string(file).is_ok_and(|text| text.contains(line)) {
        return Ok(());
    }
    std::fs::OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
}
