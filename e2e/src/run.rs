//! [`ClientRun`]: given a project, when the client is asked this and its model does that, then ...

use std::cell::{Cell, RefCell};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use testkit::model::{Request, ScriptedModel, Step};
use testkit::{Editor, Output, Sandbox};

use crate::Client;
use crate::acp;
use crate::connect::connect;
use crate::install::{self, Installed};
use crate::launch::{self, Leave, Place};
use crate::process;
use crate::terminal;

/// One client with a project of its own.
pub struct ClientRun {
    /// The client.
    pub client: Client,
    /// The world around it, with the project in it. Its `vib` is the program under test.
    pub sandbox: Sandbox,
    model: ScriptedModel,
    installed: Installed,
    prompts: Cell<usize>,
    begins: Cell<bool>,
    leave: Leave,
    folder: RefCell<PathBuf>,
    variables: RefCell<Vec<(&'static str, PathBuf)>>,
}

/// What came of one prompt.
#[derive(Debug)]
pub struct Turn {
    /// What the client printed.
    pub output: Output,
    /// What the client sent to its model, in order.
    pub requests: Vec<Request>,
    /// Steps of the script that it did not get to.
    pub unused: Vec<Step>,
}

impl ClientRun {
    /// A project with these files, and a client that knows nothing of vib yet.
    pub fn new(client: Client, files: &[(&str, &str)]) -> Self {
        let installed = install::install(client);
        // Not in the system's temporary folder: what happens there counts for less, with the clients and with vib.
        let worlds = install::cache_folder().join("worlds");
        fs::create_dir_all(&worlds).expect("a folder for the tests' worlds");
        let sandbox = Sandbox::new_in(vib(), &worlds).with_real_clock();
        for (path, text) in files {
            sandbox.write(path, text);
        }
        let model = ScriptedModel::start(sandbox.root());
        let run = Self {
            client,
            sandbox,
            model,
            installed,
            prompts: Cell::new(0),
            begins: Cell::new(true),
            leave: Leave::default(),
            folder: RefCell::default(),
            variables: RefCell::default(),
        };
        run.start_in(&run.sandbox.root());
        launch::prepare(client, &run.place(&run.home(), &run.sandbox.root(), &run.model.url()));
        run
    }

    /// The same project and the same person, with another client from now on.
    #[must_use]
    pub fn with_client(self, client: Client) -> Self {
        let run = Self { client, installed: install::install(client), begins: Cell::new(true), ..self };
        launch::prepare(client, &run.place(&run.home(), &run.sandbox.root(), &run.model.url()));
        run
    }

    /// Lets vib put itself into the client's hooks, as a person would.
    pub fn with_vib(self) -> Self {
        // Where vib looks for clients: it calls Claude Code's own command for the MCP server.
        if self.client == Client::ClaudeCode {
            let bin = self.sandbox.base().join("bin");
            fs::create_dir_all(&bin).expect("a folder for the client");
            std::os::unix::fs::symlink(&self.installed.program, bin.join("claude"))
                .expect("a link to the client");
        }
        self.sandbox.vib(&["init", "--yes", "--client", self.client.name()]).ok();
        self
    }

    /// Makes the project a git repository with one commit of all that is there, without what this client keeps in it.
    pub fn with_git(self) -> Self {
        self.git(&["init", "--quiet", "--initial-branch", "main"]);
        // In the project itself: Gemini hides the person's own settings from the git that its agent runs.
        self.git(&["config", "user.name", "A person"]);
        self.git(&["config", "user.email", "person@example.com"]);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "The beginning"]);
        self
    }

    /// The person runs git in the project. Returns what it printed.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.sandbox.root()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.home());
        Sandbox::run(&mut command).ok().stdout
    }

    /// From the next prompt on, the client is started in this folder, and the script's paths are relative to it.
    pub fn start_in(&self, folder: &Path) {
        self.model.move_to(folder);
        self.folder.replace(folder.to_path_buf());
        self.begin_a_new_session();
    }

    /// Starts the client with this much leave from now on.
    pub fn with_leave(self, leave: Leave) -> Self {
        Self { leave, ..self }
    }

    /// Starts the client with this variable from now on.
    pub fn set_variable(&self, name: &'static str, value: PathBuf) {
        self.variables.borrow_mut().push((name, value));
    }

    /// Puts a program into the hooks that only writes down how it was called; see [`Self::recorded`].
    pub fn with_recorder(self) -> Self {
        self.with_answering_recorder("", "")
    }

    /// The same, and when it is told of `words` it answers so. The environment is written down too: it holds no real key.
    pub fn with_answering_recorder(self, words: &str, answer: &str) -> Self {
        let (program, folder) = (self.sandbox.base().join("recorder"), self.records());
        fs::create_dir(&folder).expect("a folder for records");
        fs::write(self.sandbox.base().join("answer"), answer).expect("the answer is written");
        let script = format!(
            "#!/bin/sh\nfile=$(mktemp '{}/XXXXXXXX')\n{{ printf '%s\\n' \"$*\"; cat; }} > \"$file\"\n\
             {{ echo; echo 'environment:'; env; }} >> \"$file\"\n\
             [ -n '{words}' ] && grep -q '{words}' \"$file\" && cat '{}'\ntrue\n",
            folder.display(),
            self.sandbox.base().join("answer").display(),
        );
        fs::write(&program, script).expect("the recorder is written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .expect("the recorder can be started");
        connect(self.client, &self.sandbox.root(), &program);
        self
    }

    /// How the recorder was called: arguments in the first line, then what it was given.
    pub fn recorded(&self) -> Vec<String> {
        let files = fs::read_dir(self.records()).expect("the records").flatten();
        files.filter_map(|file| fs::read_to_string(file.path()).ok()).collect()
    }

    /// A person asks for something; the model does `steps`. The second prompt continues the session of the first.
    pub fn prompt(&self, text: &str, steps: impl IntoIterator<Item = Step>) -> Turn {
        self.model.then(steps);
        let before = self.model.requests().len();
        let (home, root, url) = (self.home(), self.folder.borrow().clone(), self.model.url());
        let number = self.prompts.replace(self.prompts.get() + 1);
        let mut command = launch::command(
            self.client,
            &self.installed,
            &self.place(&home, &root, &url),
            text,
            !self.begins.replace(false),
        );
        // What the client starts, and so the hook, lives in the sandbox's world too.
        command
            .env("VIBELIGN_STATE", self.sandbox.state())
            .env("VIBELIGN_CONFIG", self.sandbox.base().join("config"))
            .envs(self.variables.borrow().iter().map(|(name, value)| (name, value)));
        let folder = self.sandbox.base().join(format!("prompt-{number}"));
        fs::create_dir(&folder).expect("a folder for its output");
        let output = process::run(command, &folder);
        let requests = self.model.requests().split_off(before);
        Turn { output, requests, unused: self.model.take_unused() }
    }

    /// A person works with this client in an editor that speaks ACP; `vib acp` stands between them if they want.
    pub fn in_editor(&self, with_vib: bool) -> Editor {
        let (home, root, url) = (self.home(), self.folder.borrow().clone(), self.model.url());
        let vib = vib();
        let words = [vib.as_os_str(), "acp".as_ref(), "--".as_ref()];
        let words: &[&std::ffi::OsStr] = if with_vib { &words } else { &[] };
        let mut command = acp::command(self.client, &self.installed, &self.place(&home, &root, &url), words);
        command
            .env("VIBELIGN_STATE", self.sandbox.state())
            .env("VIBELIGN_CONFIG", self.sandbox.base().join("config"))
            .envs(self.variables.borrow().iter().map(|(name, value)| (name, value)));
        let log = fs::File::create(self.sandbox.base().join("editor.log")).expect("a log");
        command.stderr(log);
        Editor::start(command, &root, false)
    }

    /// `vib drive` with this client.
    pub fn drive(&self, arguments: &[&str]) -> Command {
        let (home, root, url) = (self.home(), self.folder.borrow().clone(), self.model.url());
        let place = self.place(&home, &root, &url);
        let alone = acp::command(self.client, &self.installed, &place, &[]);
        let mut command = Command::new(vib());
        command
            .args(["drive", self.client.name()])
            .args(arguments)
            .arg("--json")
            .current_dir(&root)
            .env_clear();
        command.envs(alone.get_envs().filter_map(|(name, value)| Some((name, value?))));
        // Where the programs of the table are looked for.
        let folder = Path::new(alone.get_program()).parent().expect("a folder").to_path_buf();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(folder).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(all).expect("a path"));
        if self.client == Client::Gemini {
            command.env("GEMINI_MODEL", "gemini-2.5-pro");
        }
        command
            .env("VIBELIGN_STATE", self.sandbox.state())
            .env("VIBELIGN_CONFIG", self.sandbox.base().join("config"));
        command
    }

    /// The model will do this.
    pub fn script(&self, steps: impl IntoIterator<Item = Step>) {
        self.model.take_unused();
        self.model.then(steps);
    }

    /// Every request of the agent to its model so far.
    pub fn requests(&self) -> Vec<Request> {
        self.model.requests()
    }

    /// A person starts the client on a terminal with this prompt and watches until `words` are on it. Gives back all that was
    /// written to the screen, without colours and spaces: the client draws both as it likes.
    pub fn watch(&self, text: &str, steps: impl IntoIterator<Item = Step>, words: &str) -> String {
        self.model.then(steps);
        let (home, root, url) = (self.home(), self.sandbox.root(), self.model.url());
        let mut command =
            launch::on_screen(self.client, &self.installed, &self.place(&home, &root, &url), text);
        command
            .env("VIBELIGN_STATE", self.sandbox.state())
            .env("VIBELIGN_CONFIG", self.sandbox.base().join("config"));
        let seen = terminal::watch(command, words);
        self.model.take_unused();
        seen
    }

    /// What the model's own answers to this client said that they cost, so far.
    pub fn counted(&self) -> Vec<testkit::model::Tokens> {
        self.model.counted()
    }

    /// The next prompt begins a session that knows nothing of the ones before.
    pub fn begin_a_new_session(&self) {
        self.begins.set(true);
    }

    /// Makes a file of the project executable.
    pub fn make_executable(&self, path: &str) {
        let path = self.sandbox.root().join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is there");
    }

    /// Makes a folder with a file in it, beside the project, under a name that is nowhere else. Returns the name.
    pub fn folder_beside_the_project(&self, file: &str, text: &str) -> String {
        let world = self.sandbox.base().file_name().expect("a name").to_string_lossy();
        let name = format!("outside-of-{world}");
        let folder = self.sandbox.base().join(&name);
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join(file), text).expect("a file");
        name
    }

    /// `vib history`, as a person reads it.
    pub fn history(&self) -> String {
        self.sandbox.vib(&["history"]).ok().stdout
    }

    /// The code of the rollback that was previewed and not confirmed yet, from vib's own memory of the session.
    pub fn rollback_code(&self) -> Option<String> {
        let sessions = fs::read_dir(self.sandbox.store().join("sessions")).ok()?.flatten();
        let states = sessions.filter_map(|file| serde_json::from_slice(&fs::read(file.path()).ok()?).ok());
        states.into_iter().find_map(|state: Value| Some(state["pending"]["code"].as_str()?.to_owned()))
    }

    /// What the person sees of a prompt that was meant for vib; none if this client shows nothing when it has no terminal.
    pub fn shown_to_the_person(&self, turn: &Turn) -> Option<String> {
        match self.client {
            Client::ClaudeCode | Client::Gemini | Client::Copilot => {
                Some(format!("{}\n{}", turn.output.stdout, turn.output.stderr))
            }
            // `codex exec` says only that the prompt was blocked; its terminal interface shows the reason.
            Client::Codex => None,
            // A plugin can't answer: the model is asked to show the text.
            Client::OpenCode => Some(turn.agent_requests().map(Request::text).collect()),
        }
    }

    fn home(&self) -> PathBuf {
        self.sandbox.base().join("home")
    }

    fn records(&self) -> PathBuf {
        self.sandbox.base().join("records")
    }

    fn place<'p>(&'p self, home: &'p Path, root: &'p Path, model: &'p str) -> Place<'p> {
        Place { home, root, model, leave: &self.leave }
    }
}

impl Turn {
    /// True if the agent's model was told this in any request of the prompt.
    pub fn told(&self, words: &str) -> bool {
        self.agent_requests().any(|request| request.mentions(words))
    }

    /// The requests of the agent itself, without titles and the like.
    pub fn agent_requests(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(|request| request.turn)
    }

    /// Where the client tried to go outside of the machine.
    pub fn strays(&self) -> Vec<&str> {
        let outside = |request: &&Request| request.method == "CONNECT" || request.path.starts_with("http");
        self.requests.iter().filter(outside).map(|request| request.path.as_str()).collect()
    }

    /// Fails the test, with all there is to know, unless the client did every step and ended well.
    #[track_caller]
    pub fn done(self) -> Self {
        let asked: Vec<_> =
            self.requests.iter().map(|request| format!("{} {}", request.method, request.path)).collect();
        assert!(
            self.output.code == 0 && self.unused.is_empty(),
            "exit {}, unused: {:?}\nrequests: {asked:#?}\nlast: {}\nstdout: {}\nstderr: {}",
            self.output.code,
            self.unused,
            self.agent_requests().last().map(Request::text).unwrap_or_default(),
            self.output.stdout,
            self.output.stderr
        );
        self
    }
}

/// The program under test: the one that `VIB_UNDER_TEST` names, else the newest, built if need be.
pub fn vib() -> PathBuf {
    static VIB: OnceLock<PathBuf> = OnceLock::new();
    VIB.get_or_init(|| match std::env::var_os("VIB_UNDER_TEST") {
        Some(named) => fs::canonicalize(&named)
            .unwrap_or_else(|error| panic!("VIB_UNDER_TEST is `{}`: {error}", named.display())),
        None => built(),
    })
    .clone()
}

fn built() -> PathBuf {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "vib", "--manifest-path", manifest])
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "`cargo build -p vib` failed");
    // target/debug/deps/clients-HASH → target/debug/vib
    let test = std::env::current_exe().expect("the path of the test");
    test.ancestors().nth(2).expect("the folder of built programs").join("vib")
}
