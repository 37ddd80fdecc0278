//! The project's own checks: found by the files that name them, run only when asked.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use redact::Gate;

mod packages;

/// Most time for one check.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The end of what a check says that is kept.
const TAIL: usize = 4_000;

/// A command that checks the project.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ProjectCheck {
    /// The program and its arguments; no shell is involved.
    pub command: Vec<String>,
    /// The file that names it.
    pub found_in: &'static str,
    /// The package of the project that it checks, by its folder; the whole project without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

impl ProjectCheck {
    /// As a person would type it in the project's folder.
    pub fn line(&self) -> String {
        let command = self.command.join(" ");
        match &self.folder {
            Some(folder) => format!("cd {folder} && {command}"),
            None => command,
        }
    }
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// Nobody asked for it.
    NotRun,
    /// All is well.
    Passed,
    /// It found something.
    Failed,
    /// It took too long and was ended.
    TimedOut,
    /// The program is not there, or cannot be started.
    CouldNotStart,
}

/// A check and its result.
#[derive(Debug, Clone, serde::Serialize)]
pub struct CheckRun {
    /// The check.
    #[serde(flatten)]
    pub check: ProjectCheck,
    /// How it ended.
    pub status: CheckStatus,
    /// Its exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// The end of what it said, without secrets.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
}

impl CheckRun {
    /// A check that nobody asked for.
    pub fn not_run(check: &ProjectCheck) -> Self {
        Self {
            check: check.clone(),
            status: CheckStatus::NotRun,
            exit: None,
            milliseconds: None,
            output: String::new(),
        }
    }
}

/// The checks of a project; where it has none itself, those of the packages in it. Nothing is run to find them.
pub fn detect(root: &Path) -> Vec<ProjectCheck> {
    let found = tests_of(root);
    if found.is_empty() { packages::all(root, tests_of) } else { found }
}

fn tests_of(root: &Path) -> Vec<ProjectCheck> {
    let has = |name: &str| root.join(name).exists();
    let text = |name: &str| {
        std::fs::metadata(root.join(name)).ok().filter(|facts| facts.len() < 1 << 20)?;
        std::fs::read_to_string(root.join(name)).ok()
    };
    let mut found = Vec::new();
    let mut add = |found_in: &'static str, command: &[&str]| {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        found.push(ProjectCheck { command, found_in, folder: None });
    };
    if has("Cargo.toml") {
        add("Cargo.toml", &["cargo", "test"]);
    }
    if let Some(json) =
        text("package.json").and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
    {
        let script = json["scripts"]["test"].as_str().unwrap_or("");
        if !script.trim().is_empty() && !script.contains("no test specified") {
            let runner = if has("pnpm-lock.yaml") {
                "pnpm"
            } else if has("yarn.lock") {
                "yarn"
            } else if has("bun.lock") || has("bun.lockb") {
                "bun"
            } else {
                "npm"
            };
            // `bun test` is bun's own runner; the script needs `run`.
            match runner {
                "bun" => add("package.json", &["bun", "run", "test"]),
                runner => add("package.json", &[runner, "test"]),
            }
        }
    }
    if has("deno.json") || has("deno.jsonc") {
        add("deno.json", &["deno", "test"]);
    }
    if let Some(found_in) = pytest(root, &text) {
        add(found_in, &["pytest", "-q"]);
    }
    if has("go.mod") {
        add("go.mod", &["go", "test", "./..."]);
    }
    if has("pom.xml") {
        add("pom.xml", if has("mvnw") { &["./mvnw", "-q", "test"] } else { &["mvn", "-q", "test"] });
    }
    if has("build.gradle") || has("build.gradle.kts") {
        add("build.gradle", if has("gradlew") { &["./gradlew", "test"] } else { &["gradle", "test"] });
    }
    if has("Gemfile") && has("spec") {
        add("Gemfile", &["bundle", "exec", "rspec"]);
    }
    if (has("phpunit.xml") || has("phpunit.xml.dist")) && has("composer.json") {
        add("phpunit.xml", &["vendor/bin/phpunit"]);
    }
    if has("mix.exs") {
        add("mix.exs", &["mix", "test"]);
    }
    let dotnet = std::fs::read_dir(root).into_iter().flatten().flatten().take(500).any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.ends_with(".sln") || name.ends_with(".csproj")
    });
    if dotnet {
        add(".sln", &["dotnet", "test"]);
    }
    // A file of recipes usually calls one of the others; it counts where there is none.
    let recipe =
        |name: &str| text(name).is_some_and(|text| text.lines().any(|line| line.starts_with("test:")));
    if found.is_empty() {
        for (file, program) in [("Makefile", "make"), ("justfile", "just"), ("Justfile", "just")] {
            if found.is_empty() && recipe(file) {
                let command = vec![program.to_owned(), "test".to_owned()];
                found.push(ProjectCheck { command, found_in: file, folder: None });
            }
        }
    }
    if found.is_empty()
        && let Some(json) =
            text("composer.json").and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
        && !json["scripts"]["test"].is_null()
    {
        let command = vec!["composer".to_owned(), "test".to_owned()];
        found.push(ProjectCheck { command, found_in: "composer.json", folder: None });
    }
    found
}

/// What else checks a project besides its tests: linters and type checks that its own files name, or those of its packages where
/// only they have tests. Nothing is run to find them.
pub fn detect_besides_tests(root: &Path) -> Vec<ProjectCheck> {
    let found = others_of(root);
    if found.is_empty() && tests_of(root).is_empty() { packages::all(root, others_of) } else { found }
}

fn others_of(root: &Path) -> Vec<ProjectCheck> {
    let has = |name: &str| root.join(name).exists();
    let text = |name: &str| {
        std::fs::metadata(root.join(name)).ok().filter(|facts| facts.len() < 1 << 20)?;
        std::fs::read_to_string(root.join(name)).ok()
    };
    let mut found = Vec::new();
    let mut add = |found_in: &'static str, command: &[&str]| {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        found.push(ProjectCheck { command, found_in, folder: None });
    };
    let json = text("package.json").and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let has_script = |name: &str| {
        json.as_ref().is_some_and(|json| {
            json["scripts"][name].as_str().is_some_and(|script| !script.trim().is_empty())
        })
    };
    for name in ["typecheck", "type-check", "check-types", "lint"] {
        if has_script(name) {
            add("package.json", &["npm", "run", name]);
        }
    }
    if has("tsconfig.json")
        && has("node_modules/.bin/tsc")
        && !["typecheck", "type-check", "check-types"].into_iter().any(has_script)
    {
        add("tsconfig.json", &["node_modules/.bin/tsc", "--noEmit"]);
    }
    let pyproject = text("pyproject.toml").unwrap_or_default();
    if pyproject.contains("[tool.mypy") || has("mypy.ini") {
        add("pyproject.toml", &["mypy", "."]);
    }
    if pyproject.contains("[tool.ruff") || has("ruff.toml") {
        add("pyproject.toml", &["ruff", "check", "."]);
    }
    if has("go.mod") {
        add("go.mod", &["go", "vet", "./..."]);
    }
    found
}

fn pytest(root: &Path, text: &impl Fn(&str) -> Option<String>) -> Option<&'static str> {
    let mentions = |name: &str, mark: &str| text(name).is_some_and(|text| text.contains(mark));
    if root.join("pytest.ini").exists() {
        return Some("pytest.ini");
    }
    if mentions("pyproject.toml", "pytest") {
        return Some("pyproject.toml");
    }
    if mentions("setup.cfg", "[tool:pytest]") {
        return Some("setup.cfg");
    }
    if root.join("conftest.py").exists() || root.join("tests/conftest.py").exists() {
        return Some("conftest.py");
    }
    let tests = std::fs::read_dir(root.join("tests")).ok()?;
    let is_test = |name: &str| name.starts_with("test_") && name.ends_with(".py");
    tests.flatten().take(500).any(|entry| is_test(&entry.file_name().to_string_lossy())).then_some("tests")
}

/// Runs a check, without a shell, for at most `timeout`.
pub fn run(root: &Path, check: &ProjectCheck, timeout: Duration, gate: &mut Gate) -> CheckRun {
    let mut done = CheckRun::not_run(check);
    let Some((program, arguments)) = check.command.split_first() else { return done };
    let started = Instant::now();
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(check.folder.as_ref().map_or_else(|| root.to_path_buf(), |folder| root.join(folder)))
        // Watching runners would never end.
        .env("CI", "true")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            done.status = CheckStatus::CouldNotStart;
            done.output = error.to_string();
            return done;
        }
    };
    let (sender, receiver) = mpsc::channel();
    // The readers are not waited for for ever: what a check left running may keep its output open.
    if let Some(out) = child.stdout.take() {
        read_tail(out, sender.clone());
    }
    if let Some(out) = child.stderr.take() {
        read_tail(out, sender.clone());
    }
    drop(sender);
    let exit = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if started.elapsed() < timeout => std::thread::sleep(Duration::from_millis(20)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    done.milliseconds = u64::try_from(started.elapsed().as_millis()).ok();
    let mut said = Vec::new();
    while let Ok(tail) = receiver.recv_timeout(Duration::from_millis(500)) {
        said.extend_from_slice(&tail);
    }
    done.output = gate.clean(&String::from_utf8_lossy(&said)).into_string();
    match exit {
        Some(status) => {
            done.exit = status.code();
            done.status = if status.success() { CheckStatus::Passed } else { CheckStatus::Failed };
        }
        None => done.status = CheckStatus::TimedOut,
    }
    done
}

fn read_tail(mut from: impl Read + Send + 'static, to: mpsc::Sender<Vec<u8>>) {
    std::thread::spawn(move || {
        let mut tail: Vec<u8> = Vec::new();
        let mut buffer = [0; 16 << 10];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            tail.extend_from_slice(&buffer[..read]);
            if tail.len() > TAIL * 4 {
                tail.drain(..tail.len() - TAIL);
            }
        }
        let from = tail.len().saturating_sub(TAIL);
        let _ = to.send(tail.split_off(from));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        detect(folder.path()).iter().map(ProjectCheck::line).collect()
    }

    #[test]
    fn checks_are_found_by_the_files_that_name_them() {
        assert_eq!(found(&[("Cargo.toml", "")]), ["cargo test"]);
        let script = r#"{"scripts": {"test": "vitest"}}"#;
        assert_eq!(found(&[("package.json", script)]), ["npm test"]);
        assert_eq!(found(&[("package.json", script), ("pnpm-lock.yaml", "")]), ["pnpm test"]);
        let none = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
        assert!(found(&[("package.json", none)]).is_empty());
        assert_eq!(found(&[("tests/test_a.py", "")]), ["pytest -q"]);
        assert_eq!(found(&[("go.mod", ""), ("Makefile", "test:\n\tgo test ./...\n")]), ["go test ./..."]);
        assert_eq!(found(&[("Makefile", "all:\n\ntest:\n\techo\n")]), ["make test"]);
        assert_eq!(found(&[("justfile", "test:\n  echo\n")]), ["just test"]);
        assert_eq!(found(&[("composer.json", r#"{"scripts": {"test": "x"}}"#)]), ["composer test"]);
        assert!(found(&[("readme.md", "")]).is_empty());
    }

    #[test]
    fn packages_are_looked_at_where_the_project_itself_has_no_check_hk9() {
        let script = r#"{"scripts": {"test": "vitest"}}"#;
        let several = [
            ("package.json", r#"{"workspaces": ["packages/*"]}"#),
            ("packages/web/package.json", script),
            ("packages/api/go.mod", ""),
            ("tools/lib/Cargo.toml", ""),
            ("node_modules/left-pad/package.json", script),
            ("packages/web/node_modules/x/package.json", script),
            ("examples/one/Cargo.toml", ""),
            (".cache/x/Cargo.toml", ""),
        ];
        assert_eq!(
            found(&several),
            ["cd packages/api && go test ./...", "cd packages/web && npm test", "cd tools/lib && cargo test"]
        );
        // The check of the whole project knows its packages.
        assert_eq!(found(&[("Cargo.toml", ""), ("crates/a/Cargo.toml", "")]), ["cargo test"]);
        // A package's own packages are its own matter, and so are folders that a shell would read as something else.
        assert_eq!(found(&[("a/Cargo.toml", ""), ("a/b/Cargo.toml", "")]), ["cd a && cargo test"]);
        assert!(found(&[("a b;c/Cargo.toml", "")]).is_empty());
    }

    #[test]
    fn a_check_is_ended_when_its_time_is_up() {
        let folder = tempfile::tempdir().unwrap();
        let mut gate = Gate::new(redact::PrivacyContext::default());
        let check = |words: &[&str]| ProjectCheck {
            command: words.iter().map(|&w| w.to_owned()).collect(),
            found_in: "x",
            folder: None,
        };
        let mut run =
            |words: &[&str]| run(folder.path(), &check(words), Duration::from_millis(300), &mut gate);
        assert_eq!(run(&["sleep", "30"]).status, CheckStatus::TimedOut);
        assert_eq!(run(&["true"]).status, CheckStatus::Passed);
        let failed = run(&["ls", "/no/such/folder"]);
        assert_eq!(failed.status, CheckStatus::Failed);
        assert!(failed.output.contains("/no/such/folder"), "{failed:?}");
        assert_eq!(run(&["no-such-program-here"]).status, CheckStatus::CouldNotStart);
    }
}
