//! The proxy: `vib acp -- AGENT` between an editor and an agent.

use std::io::{BufReader, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use hooks::Watch;
use hooks::proxied::{Marks, VARIABLE};
use hooks::watch;
use project::Context;
use serde_json::Value;

use crate::agent::{GRACE, Start};
use crate::answers::{self, FAILED, REFUSED};
use crate::desk::{Desk, From, Pass, Setting};
use crate::message::Message;
use crate::wire::{self, Line, Out};

/// The stack of the thread that decides: commands may be nested deeply.
const STACK: usize = 16 << 20;
/// After so long a message goes on without a look.
const LIMIT: Duration = watch::LIMIT;
/// So long the last look may take.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// One thing for the desk to do.
enum Job {
    /// Looks at a message; who waits for it hears what becomes of it.
    Take(From, Box<Message>, Vec<u8>, Option<Sender<Pass>>),
    /// The agent is gone: the last look, and the editor's requests that were never answered.
    End(Sender<Vec<Value>>),
}

/// How a proxy ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The agent's exit code.
    pub code: u8,
    /// The agent ended before the editor went away.
    pub by_agent: bool,
}

/// Runs an agent behind the proxy until it ends or the editor goes away. `editor_in`, `editor_out`: the editor's side.
pub fn run(
    context: Context,
    setting: Setting,
    mut start: Start,
    editor_in: impl Read + Send + 'static,
    editor_out: &Out,
) -> std::io::Result<Ended> {
    project::wait_at_most(watch::LOCKS);
    let marks = Marks::new(&context);
    if let Some(marks) = &marks {
        start.variables.push((VARIABLE.to_owned(), marks.folder().as_os_str().to_owned()));
    }
    let (mut agent, to_agent, from_agent) = start.start()?;
    let agent_out = Out::new(to_agent);
    let watch = Watch::default();
    let (jobs, todo) = mpsc::channel();
    let desk =
        Desk::new(context.for_hook(), setting, marks, watch.clone(), (editor_out.clone(), agent_out.clone()));
    let desk = std::thread::Builder::new().stack_size(STACK).spawn(move || sit(desk, &todo))?;

    let (over, is_over) = mpsc::channel();
    let way = Way {
        jobs: jobs.clone(),
        watch,
        on: agent_out.clone(),
        back: editor_out.clone(),
        from: From::Editor,
    };
    let editor_gone = over.clone();
    // Nobody waits for this thread: it hangs in a read until the editor goes away.
    std::thread::Builder::new().spawn(move || {
        way.carry(editor_in);
        let _ = editor_gone.send(From::Editor);
    })?;
    let way = Way {
        jobs: jobs.clone(),
        watch: Watch::default(),
        on: editor_out.clone(),
        back: agent_out.clone(),
        from: From::Agent,
    };
    let reader = std::thread::Builder::new().spawn(move || {
        way.carry(from_agent);
        let _ = over.send(From::Agent);
    })?;

    let by_agent = matches!(is_over.recv(), Ok(From::Agent) | Err(_));
    agent_out.close();
    let (code, _) = agent.finish(GRACE);
    // Whatever it said last is passed on first.
    if !by_agent {
        let _ = is_over.recv_timeout(GRACE);
    } else {
        let _ = reader.join();
    }
    let (done, last) = mpsc::channel();
    if jobs.send(Job::End(done)).is_ok() {
        let unanswered = last.recv_timeout(LAST_LOOK).unwrap_or_default();
        for id in unanswered {
            let words = format!("the agent ended (exit code {code}) before it answered this");
            editor_out.send(&answers::error(&id, FAILED, &words));
        }
    }
    drop(jobs);
    if desk.is_finished() {
        let _ = desk.join();
    }
    editor_out.close();
    Ok(Ended { code, by_agent })
}

fn sit(mut desk: Desk, todo: &Receiver<Job>) {
    while let Ok(job) = todo.recv() {
        match job {
            Job::Take(from, message, line, waits) => {
                let looked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    desk.take(from, &message, &line)
                }));
                // Nobody hears it if this took too long: then it went on already. A bug of ours is like a look that takes too long.
                if let (Some(waits), Ok(pass)) = (waits, looked) {
                    let _ = waits.send(pass);
                }
            }
            Job::End(done) => {
                store::take_time();
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| desk.end()));
                let _ = done.send(desk.unanswered());
                return;
            }
        }
    }
}

/// One direction.
struct Way {
    jobs: Sender<Job>,
    watch: Watch,
    on: Out,
    back: Out,
    from: From,
}

impl Way {
    fn carry(&self, from: impl Read) {
        let mut from = BufReader::with_capacity(64 << 10, from);
        loop {
            match wire::next(&mut from) {
                Ok(Line::Whole(line)) => {
                    if !self.take(&line) {
                        return;
                    }
                }
                Ok(Line::TooLong(beginning)) => self.too_long(&beginning),
                Ok(Line::End) | Err(_) => return,
            }
        }
    }

    /// Hands one line on, or does not. False: nobody listens any more.
    fn take(&self, line: &[u8]) -> bool {
        if line.iter().all(u8::is_ascii_whitespace) {
            return self.on.send(line);
        }
        let message = Message::read(line);
        if self.from == From::Agent && message.may_hide_a_request(line) {
            let id = message.value.get("id").cloned().unwrap_or_default();
            let words = "vib does not pass this on: it can be read in two ways, or holds several messages in one, and may be a request to write or \
                         to run something";
            self.back.send(&answers::error(&id, REFUSED, words));
            return true;
        }
        if !message.value.is_object() {
            return self.on.send(line);
        }
        if !self.waits_for(&message) {
            // In the queue before the other side can answer it.
            let _ = self.jobs.send(Job::Take(self.from, Box::new(message), Vec::new(), None));
            return self.on.send(line);
        }
        let (answer, decided) = mpsc::channel();
        let job = Job::Take(self.from, Box::new(message.clone()), line.to_vec(), Some(answer));
        let pass = match self.jobs.send(job) {
            Ok(()) => self.wait(&decided),
            Err(_) => None,
        };
        match pass.unwrap_or_else(|| late(&message)) {
            Pass::AsItIs => self.on.send(line),
            Pass::Instead(line) => self.on.send(&line),
            Pass::Back(lines) => {
                for line in lines {
                    self.back.send(&line);
                }
                true
            }
            Pass::Held => true,
        }
    }

    /// What the other side gets only after a look.
    fn waits_for(&self, message: &Message) -> bool {
        match self.from {
            // Answers to vib's own questions stay here; a prompt may be meant for vib.
            From::Editor => {
                message.method() == Some("session/prompt")
                    || message.is_response() && message.id().is_some_and(|id| id.starts_with("\"vib-"))
            }
            // What was said at the end of a turn is told before the turn is over.
            From::Agent => message.is_guarded() || is_end_of_turn(message),
        }
    }

    fn wait(&self, decided: &Receiver<Pass>) -> Option<Pass> {
        loop {
            match decided.recv_timeout(LIMIT) {
                Ok(pass) => return Some(pass),
                // A person said yes to going back: that is not cut short.
                Err(RecvTimeoutError::Timeout) if self.watch.is_patient() => {}
                Err(_) => return None,
            }
        }
    }

    fn too_long(&self, beginning: &[u8]) {
        let shown: Vec<u8> = beginning.iter().copied().take(4096).collect();
        let id = hooks::adapters::acp::read(&shown).0.get("id").cloned().unwrap_or_default();
        self.back.send(&answers::error(&id, REFUSED, "vib does not pass this on: it is longer than 64 MB"));
    }
}

fn is_end_of_turn(message: &Message) -> bool {
    message.is_response()
        && (message.value.pointer("/result/stopReason").is_some() || message.value.get("error").is_some())
}

/// What becomes of a message that nobody could look at in time: a question goes to the person with that word, what would be done at once is
/// refused, everything else goes on.
fn late(message: &Message) -> Pass {
    let words = "vib could not look at this step in time. Nothing was saved first. `vib doctor` says more.";
    match message.method() {
        Some("session/request_permission") => Pass::Instead(answers::with_reason(message, words)),
        Some("fs/write_text_file" | "terminal/create") => {
            let id = message.value.get("id").cloned().unwrap_or_default();
            Pass::Back(vec![answers::error(&id, REFUSED, words)])
        }
        _ => Pass::AsItIs,
    }
}
