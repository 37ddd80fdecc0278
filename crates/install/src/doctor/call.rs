//! Calling a hook as its client does, where it can do no harm.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::World;
use crate::entries::Found;
use crate::table::{Setup, Shell};
use crate::world::Scope;

/// A hook that takes longer is broken; clients wait longer, people do not.
const PATIENCE: Duration = Duration::from_secs(10);
/// The recorded payloads speak of this project.
const RECORDED_ROOT: &str = "/home/dev/project";
const RECORDED_HOME: &str = "/home/dev";

/// One call of a hook.
#[derive(Debug, Serialize)]
pub struct Call {
    /// Whose settings.
    pub scope: Scope,
    /// The event.
    pub event: String,
    /// The command line that was run.
    pub command: String,
    /// How long it took; none: it was not called.
    pub milliseconds: Option<f64>,
    /// What was wrong with it.
    pub problem: Option<String>,
}

/// A project, a home and a state folder that nobody will miss.
pub(super) struct Sandbox {
    tmp: tempfile::TempDir,
    inherited: Vec<(&'static str, OsString)>,
}

impl Sandbox {
    pub(super) fn new(world: &World) -> std::io::Result<Self> {
        let tmp = tempfile::Builder::new().prefix("vib-doctor-").tempdir()?;
        for folder in ["project", "home", "state", "config"] {
            fs_err::create_dir(tmp.path().join(folder))?;
        }
        fs_err::write(tmp.path().join("project/README.md"), "# A project of `vib doctor`\n")?;
        // A shared line looks for vib below the home folder, and finds there what it finds on this machine.
        #[cfg(unix)]
        if let Some(real) = world.recorded_place().and_then(|place| place.canonicalize().ok()) {
            let place = tmp.path().join("home").join(crate::portable::RECORDED);
            fs_err::create_dir_all(place.parent().unwrap_or(&place))?;
            std::os::unix::fs::symlink(real, place)?;
        }
        Ok(Self { tmp, inherited: world.inherited.clone() })
    }

    fn root(&self) -> PathBuf {
        self.tmp.path().join("project")
    }

    /// Sends a command into the sandbox.
    pub(super) fn confine(&self, command: &mut Command) {
        command.env_clear().current_dir(self.root());
        command.envs(self.inherited.iter().map(|(name, value)| (name, value)));
        command.env("HOME", self.tmp.path().join("home"));
        command.env("VIBELIGN_STATE", self.tmp.path().join("state"));
        command.env("VIBELIGN_CONFIG", self.tmp.path().join("config"));
    }

    /// A recorded payload, moved into the sandbox.
    fn payload(&self, recorded: &str) -> String {
        let inside = |path: &Path| {
            let quoted = serde_json::Value::String(path.to_string_lossy().into_owned()).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        };
        let moved = recorded.replace(RECORDED_ROOT, &inside(&self.root()));
        moved.replace(RECORDED_HOME, &inside(&self.tmp.path().join("home")))
    }

    fn shell(&self, setup: &Setup, found: &Found, program: &Path) -> Command {
        let mut command = match setup.shell {
            Shell::Sh => shell("/bin/sh", &["-c"]),
            Shell::Bash => shell("bash", &["-c"]),
            Shell::BareBash => shell("/bin/bash", &["--norc", "--noprofile", "-c"]),
            Shell::Own => {
                let own = self.inherited.iter().find(|(name, _)| *name == "SHELL");
                match own {
                    Some((_, program)) => shell(program, &["-c"]),
                    None => shell("/bin/sh", &["-c"]),
                }
            }
            Shell::None => {
                let mut command = Command::new(program);
                command.args(["hook", setup.client.name()]);
                self.confine(&mut command);
                return command;
            }
        };
        command.arg(&found.line);
        self.confine(&mut command);
        for (name, value) in setup.environment {
            command.env(name, value.replace("{root}", &self.root().to_string_lossy()));
        }
        command
    }
}

fn shell(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Calls every hook of one file, in the order of the table. After one that hangs, the rest is left out.
pub(super) fn all(
    world: &World,
    setup: &Setup,
    scope: Scope,
    found: &[Found],
    sandbox: &Sandbox,
) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut hangs = false;
    for event in setup.events {
        for found in found.iter().filter(|found| found.event == event.name) {
            let mut call = Call {
                scope,
                event: event.name.to_owned(),
                command: found.line.clone(),
                milliseconds: None,
                problem: None,
            };
            // A program that is not there is a finding of its own.
            let program = world.resolve(&found.program);
            if let Some(payload) = event.payload
                && !hangs
                && world.may_call(&program)
                && crate::is_executable(&program)
            {
                let ran =
                    run(&mut sandbox.shell(setup, found, &program), &sandbox.payload(payload), PATIENCE);
                call.milliseconds = Some(ran.milliseconds);
                call.problem = ran.problem();
                hangs = ran.exit == Exit::TooLate;
            }
            calls.push(call);
        }
    }
    calls
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Code(Option<i32>),
    TooLate,
    NotStarted(String),
}

pub(crate) struct Ran {
    pub(crate) exit: Exit,
    pub(super) stdout: String,
    stderr: String,
    milliseconds: f64,
}

impl Ran {
    /// Exit 0 and nothing, or one JSON object, on standard output: anything else some client takes the wrong way.
    fn problem(&self) -> Option<String> {
        let said = self.stderr.lines().next().map(|line| format!(" ({line})")).unwrap_or_default();
        match &self.exit {
            Exit::NotStarted(error) => return Some(format!("could not be started: {error}")),
            Exit::TooLate => return Some(format!("no answer within {} seconds", PATIENCE.as_secs())),
            Exit::Code(Some(0)) => {}
            Exit::Code(Some(code)) => return Some(format!("ended with exit code {code}{said}")),
            Exit::Code(None) => return Some(format!("was ended by a signal{said}")),
        }
        let answer = self.stdout.trim();
        if answer.is_empty() {
            return None;
        }
        match serde_json::from_str::<serde_json::Value>(answer) {
            Ok(value) if value.is_object() => None,
            _ => Some("the answer is not one JSON object".to_owned()),
        }
    }
}

/// Runs a command with this input, for so long at the most.
pub(crate) fn run(command: &mut Command, input: &str, patience: Duration) -> Ran {
    let start = Instant::now();
    let ended = |exit, stdout, stderr| Ran {
        exit,
        stdout,
        stderr,
        milliseconds: start.elapsed().as_secs_f64() * 1000.0,
    };
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match piped.spawn() {
        Ok(child) => child,
        Err(error) => return ended(Exit::NotStarted(error.to_string()), String::new(), String::new()),
    };
    let input = input.as_bytes().to_vec();
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that does not read its input is no reason to wait.
        std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
    }
    let (stdout, stderr) = (gather(child.stdout.take()), gather(child.stderr.take()));
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let mut ran = ended(Exit::Code(status.code()), String::new(), String::new());
                // A process that it left behind may hold the pipes open: what came until then counts.
                let rest = Duration::from_millis(500);
                ran.stdout = stdout.recv_timeout(rest).unwrap_or_default();
                ran.stderr = stderr.recv_timeout(rest).unwrap_or_default();
                return ran;
            }
            Ok(None) if start.elapsed() < patience => {
                std::thread::sleep(if start.elapsed() < Duration::from_millis(50) {
                    Duration::from_micros(200)
                } else {
                    Duration::from_millis(5)
                });
            }
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return ended(Exit::TooLate, String::new(), String::new());
            }
            Err(error) => return ended(Exit::NotStarted(error.to_string()), String::new(), String::new()),
        }
    }
}

fn gather(stream: Option<impl Read + Send + 'static>) -> std::sync::mpsc::Receiver<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    if let Some(mut stream) = stream {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    receiver
}
