//! [`Sandbox`]: one project in a world of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

/// 2026-01-01 12:00 UTC.
const START_MS: u64 = 1_767_268_800_000;
/// Each command runs a minute later than the one before.
const STEP_MS: u64 = 60_000;

/// A temporary world with one project.
pub struct Sandbox {
    base: tempfile::TempDir,
    vib: PathBuf,
    now_ms: AtomicU64,
    real_clock: bool,
}

/// What a command printed, and its exit code.
#[derive(Debug)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code; -1 if a signal ended it.
    pub code: i32,
}

impl Output {
    /// Both streams with the sandbox's own paths taken out, for snapshots.
    pub fn text(&self, sandbox: &Sandbox) -> String {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text.push_str("--- stderr\n");
            text.push_str(&self.stderr);
        }
        if self.code != 0 {
            text.push_str(&format!("--- exit {}\n", self.code));
        }
        sandbox.without_paths(&text)
    }

    /// The output, or a test failure with everything that was printed.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The JSON on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: stdout: {}\nstderr: {}", self.stdout, self.stderr))
    }
}

impl Sandbox {
    /// An empty project. `vib` is the program under test, unless `VIB_UNDER_TEST` names another: what is shipped plays the same stories.
    pub fn new(vib: impl Into<PathBuf>) -> Self {
        Self::new_in(vib, &std::env::temp_dir())
    }

    /// An empty project in a world inside this folder.
    pub fn new_in(vib: impl Into<PathBuf>, folder: &Path) -> Self {
        let base =
            tempfile::Builder::new().prefix("vib-test-").tempdir_in(folder).expect("a temporary folder");
        for folder in ["home", "project"] {
            std::fs::create_dir(base.path().join(folder)).expect("a folder in the sandbox");
        }
        let vib = std::env::var_os("VIB_UNDER_TEST").map_or_else(|| vib.into(), PathBuf::from);
        Self { base, vib, now_ms: AtomicU64::new(START_MS), real_clock: false }
    }

    /// A project with a few files, as most tests want it.
    pub fn with_files(vib: impl Into<PathBuf>, files: &[(&str, &str)]) -> Self {
        let sandbox = Self::new(vib);
        for (path, text) in files {
            sandbox.write(path, text);
        }
        sandbox
    }

    /// Uses the machine's clock and random numbers: for many processes at once.
    pub fn with_real_clock(mut self) -> Self {
        self.real_clock = true;
        self
    }

    /// The project folder.
    pub fn root(&self) -> PathBuf {
        self.base.path().join("project")
    }

    /// The folder around it all.
    pub fn base(&self) -> &Path {
        self.base.path()
    }

    /// The state folder.
    pub fn state(&self) -> PathBuf {
        self.base.path().join("state")
    }

    /// The one project's own folder in the state folder.
    pub fn store(&self) -> PathBuf {
        let mut entries = std::fs::read_dir(self.state().join("projects")).expect("a store");
        entries.next().expect("one project").expect("readable").path()
    }

    /// Puts these bytes in the place of the index of checkpoints.
    pub fn replace_index(&self, bytes: &[u8]) {
        let store = self.store();
        for side in ["store.db-wal", "store.db-shm"] {
            let _ = std::fs::remove_file(store.join(side));
        }
        std::fs::write(store.join("store.db"), bytes).expect("written");
    }

    /// Sets the clock of the next command.
    pub fn set_clock(&self, ms: u64) {
        self.now_ms.store(ms, Ordering::Relaxed);
    }

    /// A command in the sandbox's world, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.vib);
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.base.path().join("home"))
            .env("VIBELIGN_STATE", self.state())
            .env("VIBELIGN_CONFIG", self.base.path().join("config"))
            .env("VIBELIGN_TEST_CLIENT_PATH", self.base.path().join("bin"))
            .env("TZ", "UTC")
            // Nothing above the sandbox counts: neither a stray `.git` in the temp folder, nor one around it.
            .env("TMPDIR", std::env::temp_dir())
            .env("GIT_CEILING_DIRECTORIES", self.base.path())
            .stdin(Stdio::null());
        if !self.real_clock {
            let now = self.now_ms.fetch_add(STEP_MS, Ordering::Relaxed);
            command.env("VIBELIGN_TEST_CLOCK", now.to_string()).env("VIBELIGN_TEST_SEED", "1");
        }
        command
    }

    /// Runs vib.
    pub fn vib(&self, arguments: &[&str]) -> Output {
        Self::run(&mut self.command(arguments))
    }

    /// Runs a prepared command to its end.
    pub fn run(command: &mut Command) -> Output {
        let output = command.output().expect("the program starts");
        Output {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// Runs a prepared command with this text on its standard input.
    pub fn run_with_input(command: &mut Command, input: &str) -> Output {
        use std::io::Write;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        if let Some(mut stdin) = child.stdin.take() {
            // A program that ends without reading closes the pipe; its answer says why.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().expect("the program ends");
        Output {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// Runs vib with `--json`, expects success, and returns `data`.
    #[track_caller]
    pub fn data(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        let answer = self.vib(&all).ok().json();
        assert_eq!(answer["ok"], true, "{answer}");
        answer["data"].clone()
    }

    /// Runs vib with `--json`, expects a refusal, and returns `error`.
    #[track_caller]
    pub fn error(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        let output = self.vib(&all);
        assert_ne!(output.code, 0, "{}", output.stdout);
        let answer = output.json();
        assert_eq!(answer["ok"], false, "{answer}");
        for field in ["code", "message", "next"] {
            let text = answer["error"][field].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "an error must have `{field}`: {answer}");
        }
        answer["error"].clone()
    }

    /// Saves a checkpoint and returns its id.
    #[track_caller]
    pub fn checkpoint(&self, message: &str) -> String {
        let data = self.data(&["checkpoint", "-m", message]);
        data["checkpoint"]["id"].as_str().expect("an id").to_owned()
    }

    /// Writes a file, making its folders.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    /// Reads a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        String::from_utf8_lossy(&std::fs::read(self.root().join(path)).expect("the file is there"))
            .into_owned()
    }

    /// Removes a file or folder.
    pub fn remove(&self, path: &str) {
        let path = self.root().join(path);
        if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
            .expect("removed");
    }

    /// True if something is there.
    pub fn exists(&self, path: &str) -> bool {
        self.root().join(path).symlink_metadata().is_ok()
    }

    /// Runs a shell script in the project, as an agent would.
    pub fn shell(&self, script: &str) {
        let status = Command::new("sh")
            .arg("-c")
            .arg(script)
            .current_dir(self.root())
            .env("GIT_CEILING_DIRECTORIES", self.base.path())
            .status()
            .expect("sh");
        assert!(status.success(), "{script}");
    }

    /// Text without the sandbox's changing parts.
    pub fn without_paths(&self, text: &str) -> String {
        let real = self.base.path().canonicalize().expect("the sandbox");
        let mut text = text.replace(&real.display().to_string(), "[base]");
        if let Ok(entries) = std::fs::read_dir(self.state().join("projects")) {
            for entry in entries.flatten() {
                text = text.replace(&*entry.file_name().to_string_lossy(), "[id]");
            }
        }
        text
    }
}
