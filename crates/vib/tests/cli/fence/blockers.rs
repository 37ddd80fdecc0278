//! What stands around the wall: each of these once let unread code out, or kept the fence from being there. (B1 to B8, M1, M2)

use super::*;
use std::os::unix::fs::PermissionsExt;

/// A session of Claude Code in a world of its own.
struct Day {
    world: World,
}

impl Day {
    /// One in which the fence was seen, so that what only writes nobody knows where is not asked about.
    fn begin(world: World) -> Self {
        let day = Self::begin_unseen(world);
        let seen = day.world.sandbox.state().join("fence/seen");
        std::fs::create_dir_all(&seen).unwrap();
        std::fs::write(seen.join("claude-code.json"), r#"{"fenced_ms": 9}"#).unwrap();
        day
    }

    fn begin_unseen(world: World) -> Self {
        let day = Self { world };
        day.start("s-1", &[]);
        day
    }

    /// Has a program of the project write a file, in a way that no reader follows.
    fn writes(&self, id: &str, path: &str, text: &str) -> String {
        self.world
            .sandbox
            .write("do.py", "path, text = open('todo').read().split('|', 1)\nopen(path, 'w').write(text)\n");
        self.world.sandbox.write("todo", format!("{path}|{text}"));
        self.run(id, "python3 do.py").1
    }

    fn start(&self, session: &str, environment: &[(&str, &Path)]) {
        let env_file = self.world.sandbox.base().join("env-file.sh");
        let start = json!({
            "session_id": session, "cwd": self.world.root(), "hook_event_name": "SessionStart", "source": "startup",
        });
        let own = [("CLAUDE_ENV_FILE", env_file.as_path()), ("CLAUDE_PROJECT_DIR", &self.world.root())];
        self.world.hook(&start, &[&own[..], environment].concat());
    }

    fn call(&self, event: &str, id: &str, command: &str, folder: &Path) -> Value {
        let mut call = self.world.bash(event, command);
        call["tool_use_id"] = json!(id);
        call["cwd"] = json!(folder);
        call
    }

    /// What the hook says before a command: `pass`, `ask` or `deny`, and why.
    fn judged(&self, id: &str, command: &str, folder: &Path) -> (String, String) {
        let root = self.world.root();
        let said = self
            .world
            .hook(&self.call("PreToolUse", id, command, folder), &[("CLAUDE_PROJECT_DIR", &root)])
            .stdout;
        let answer: Value = serde_json::from_str(&said).unwrap_or_default();
        let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("pass");
        (decision.to_owned(), said)
    }

    /// The command as Claude Code's shell runs it.
    fn shell(&self, command: &str, folder: &Path) -> Output {
        let quoted = command.replace('\'', r#"'"'"'"#);
        self.world.run_in(
            folder,
            &["bash", "-c", &format!("true && {} eval '{quoted}' < /dev/null", led(&self.world).1)],
        )
    }

    /// What the hook says after it.
    fn told(&self, id: &str, command: &str, folder: &Path, ran: &Output) -> String {
        let mut after = self.call("PostToolUse", id, command, folder);
        after["tool_response"] = json!({"stdout": ran.stdout, "stderr": ran.stderr, "interrupted": false});
        let root = self.world.root();
        self.world.hook(&after, &[("CLAUDE_PROJECT_DIR", &root)]).stdout
    }

    /// All three.
    fn run(&self, id: &str, command: &str) -> (Output, String) {
        let root = self.world.root();
        let (decision, said) = self.judged(id, command, &root);
        assert_eq!(decision, "pass", "{command}: {said}");
        let ran = self.shell(command, &root);
        let told = self.told(id, command, &root, &ran);
        (ran, told)
    }
}

/// Files of a project whose everyday commands run what they say, and each tries to leave.
const TRAPS: &[(&str, &str)] = &[
    ("t.py", "import os\nopen(os.environ['OUT'] + '/new', 'w')\n"),
    ("json.py", "import os\nopen(os.environ['OUT'] + '/new', 'w')\n"),
    ("t/__main__.py", "import os\nopen(os.environ['OUT'] + '/new', 'w')\n"),
    ("conftest.py", "import os\nopen(os.environ['OUT'] + '/new', 'w')\n"),
    ("tests/test_t.py", "import os\nopen(os.environ['OUT'] + '/new', 'w')\n"),
    (
        "setup.py",
        "import os\nopen(os.environ['OUT'] + '/new', 'w')\nfrom setuptools import setup\nsetup(name='t')\n",
    ),
    ("t.js", "require('fs').writeFileSync(process.env.OUT + '/new', 'x')\n"),
    (
        "package.json",
        "{\"name\": \"t\", \"version\": \"1.0.0\", \"scripts\": {\"preinstall\": \"echo x > $OUT/new\", \"test\": \"echo x > $OUT/new\"}}\n",
    ),
    ("Makefile", "all:\n\t@echo x > $$OUT/new\n"),
    ("c/Cargo.toml", "[package]\nname = \"t\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"),
    ("c/src/lib.rs", ""),
    (
        "c/build.rs",
        "fn main() { let _ = std::fs::write(std::env::var(\"OUT\").unwrap() + \"/new\", \"x\"); }\n",
    ),
    ("run.sh", "echo x > \"$OUT/new\"\n"),
    ("prog.awk", "BEGIN { print \"x\" > (ENVIRON[\"OUT\"] \"/new\") }\n"),
    (".git/hooks/pre-commit", "#!/bin/sh\necho x > \"$OUT/new\"\n"),
    (".git/hooks/post-checkout", "#!/bin/sh\necho x > \"$OUT/new\"\n"),
];

#[test]
fn ordinary_commands_that_run_unread_code_are_behind_the_fence_b1() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new().with_git());
    let root = day.world.root();
    for (name, text) in TRAPS {
        let file = root.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let new = day.world.out().join("new");
    let (mut tried, mut left_out) = (0, Vec::new());
    for (needs, command) in [
        ("python3", "python3 -c \"import t\""),
        ("python3", "python3 -c 'import json'"),
        ("python3", "python3 -m t"),
        ("python3", "python3 -m unittest tests.test_t"),
        ("pytest", "pytest -q"),
        ("python3", "python3 setup.py --version"),
        ("pip", "pip install --no-deps --no-build-isolation --target lib ."),
        ("node", "node -e \"require('./t.js')\""),
        ("npm", "npm install --offline --no-audit --no-fund"),
        ("npm", "npm test"),
        ("make", "make -s"),
        ("cargo", "cargo build --offline --manifest-path c/Cargo.toml"),
        ("sh", "sh run.sh"),
        ("sh", ". ./run.sh"),
        ("sh", "cat run.sh | sh"),
        ("awk", "awk -f prog.awk"),
        ("git", "git commit -qam x"),
        ("git", "git checkout -q -b topic"),
        ("find", "find . -maxdepth 1 -name run.sh -exec sh {} \\;"),
        ("xargs", "echo run.sh | xargs sh"),
        ("timeout", "timeout 60 make -s"),
    ] {
        // Without the fence it leaves: else it would be no test.
        day.world.run_in(&root, &["bash", "-c", command]);
        if !missing(needs, false).is_empty() || std::fs::remove_file(&new).is_err() {
            left_out.push(command);
            continue;
        }
        let id = format!("b1 {tried}");
        // What a person is asked about does not run free either.
        if day.judged(&id, command, &root).0 == "pass" {
            tried += 1;
            let ran = day.shell(command, &root);
            day.told(&id, command, &root, &ran);
            assert!(!new.exists(), "{command}: {ran:?}");
        } else {
            left_out.push(command);
        }
    }
    eprintln!("{tried} commands that run unread code, none of them free; left out: {left_out:?}");
    assert!(tried >= 12, "left out: {left_out:?}");
}

/// A `.git` that a fenced command made does not open another repository to the next one.
#[test]
fn a_forged_git_folder_opens_no_other_repository_b2() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new());
    let (root, other) = (day.world.root(), day.world.out().join("repository"));
    let made = Command::new("git").args(["init", "-q"]).arg(&other).status();
    assert!(made.unwrap().success());
    let git = other.join(".git");
    let before = photo(&git);
    // Where it writes stands in a file that it reads, so no reader of the command sees it.
    day.world.sandbox.write("where.txt", git.display().to_string());
    day.world.sandbox.write(
        "forge.pl",
        "open(my $w, '<', 'where.txt'); my $g = <$w>; chomp $g;\n\
         for my $n ('config', 'objects/x', 'refs/x') { if (open(my $f, '>', \"$g/$n\")) { print $f 'x'; } }\n",
    );
    for (at, forged) in [
        format!("printf 'gitdir: %s' {} > .git", git.display()),
        format!("ln -s {} .git", git.display()),
        format!("git init -q . && echo {} > .git/commondir", git.display()),
        format!(
            "mkdir -p w/worktrees/x && echo ref: x > w/worktrees/x/HEAD && echo {0} > w/worktrees/x/commondir && echo $PWD/.git > w/worktrees/x/gitdir && \
             echo gitdir: $PWD/w/worktrees/x > .git",
            git.display()
        ),
    ]
    .iter()
    .enumerate()
    {
        day.world.run_in(&root, &["sh", "-c", forged]);
        let (ran, _) = day.run(&format!("b2 {at}"), "perl forge.pl");
        assert_eq!(photo(&git), before, "{forged}: {ran:?}");
        day.world.run_in(&root, &["rm", "-rf", ".git", "w"]);
    }
}

#[test]
fn a_work_tree_cannot_write_the_settings_and_hooks_of_its_repository_b3() {
    if !has_fence() {
        return;
    }
    let world = World::new().with_git();
    let git = world.root().join(".git");
    for script in [
        "git config core.fsmonitor ./x",
        "echo x > {}/hooks/pre-commit",
        "echo '[core]' >> {}/config",
        "mv {}/config {}/config.old",
        "echo '* filter=x' > {}/info/attributes",
    ] {
        let script = script.replace("{}", &git.display().to_string());
        let before = (photo(&git.join("hooks")), std::fs::read(git.join("config")).unwrap());
        let ran = world.run_in(&world.tree(), &[VIB, "fence", "--", "sh", "-c", &script]);
        assert_eq!(
            (photo(&git.join("hooks")), std::fs::read(git.join("config")).unwrap()),
            before,
            "{script}: {ran:?}"
        );
    }
    assert!(!git.join("info/attributes").exists());
}

#[test]
fn what_runs_by_itself_later_is_told_b3() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new().with_git());
    std::fs::create_dir_all(day.world.root().join(".vscode")).unwrap();
    let config = std::fs::read_to_string(day.world.root().join(".git/config")).unwrap();
    assert!(!day.writes("0", "a.txt", "x").contains("later"), "nothing that runs by itself");
    let more = format!("{config}[user]\n\tnick = me\n");
    assert!(!day.writes("1", ".git/config", &more).contains("later"), "a setting that starts nothing");
    for (id, path, text, told) in [
        (
            "2",
            ".git/config",
            format!("{config}[core]\n\tfsmonitor = ./x\n"),
            ".git/config (core.fsmonitor = ./x)",
        ),
        ("3", ".git/hooks/pre-push", "x".to_owned(), ".git/hooks/pre-push"),
        ("4", ".vscode/tasks.json", "{}".to_owned(), ".vscode/tasks.json"),
    ] {
        let said = day.writes(id, path, &text);
        assert!(said.contains(told) && said.contains("by themselves later"), "{path}: {said}");
        assert!(said.contains("systemMessage"), "the person is told too: {said}");
    }
    assert!(!day.writes("5", "a.txt", "y").contains("later"), "it is told once");
    // From now on git itself is behind the fence: it would start what was named there.
    day.world.sandbox.write("x", "#!/bin/sh\necho x > \"$OUT/new\"\n");
    std::fs::set_permissions(day.world.root().join("x"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (ran, _) = day.run("6", "git status --short");
    assert!(!day.world.out().join("new").exists(), "{ran:?}");
}

#[test]
fn a_line_beside_a_marked_one_runs_as_it_was_judged_b4_b5() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new());
    let root = day.world.root();
    day.world.sandbox.write("Makefile", "all:\n\t@echo made\n");
    // The hooks of calls that are made at once come first.
    for (id, command) in [("a", "make all"), ("b", "make all"), ("c", "echo make all > notes && cat notes")] {
        assert_eq!(day.judged(id, command, &root).0, "pass", "{command}");
    }
    let free = day.world.run_in(
        &root,
        &[
            "bash",
            "-c",
            &format!(
                "{} eval 'echo make all > notes && cat notes'; echo x > \"$OUT/free\"",
                led(&day.world).1
            ),
        ],
    );
    assert!(day.world.out().join("free").exists(), "it was judged harmless and runs as it is: {free:?}");
    for id in ["a", "b"] {
        let ran = day.shell("make all", &root);
        let told = day.told(id, "make all", &root, &ran);
        assert!(!told.contains("did not"), "it was behind the fence: {told}");
    }
    // Another session judges the same words anew while the first still runs them.
    assert_eq!(day.judged("d", "make all", &root).0, "pass");
    let ran = day.shell("make all", &root);
    let mut other = day.call("PreToolUse", "d", "make all", &root);
    other["session_id"] = json!("s-2");
    day.start("s-2", &[]);
    day.world.hook(&other, &[]);
    let told = day.told("d", "make all", &root, &ran);
    assert!(!told.contains("did not"), "{told}");
}

#[test]
fn vibs_own_harmless_commands_work_b6() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new());
    let root = day.world.root();
    day.world.sandbox.write("Makefile", "all:\n\t@echo made\n");
    // A marked command beside them changes nothing about that.
    day.judged("0", "make all", &root);
    for (at, words) in [
        "checkpoint -m 'make all work'",
        "status",
        "history",
        "init",
        "lesson add 'always make all'",
        "fence list",
    ]
    .iter()
    .enumerate()
    {
        let command = format!("{VIB} {words}");
        let (ran, told) = day.run(&format!("b6 {at}"), &command);
        assert_eq!(ran.code, 0, "{words}: {ran:?}");
        assert!(!told.contains("fence"), "{words}: {told}");
    }
    // Together with unread code vib is behind the fence, and says so.
    let command = format!("make all && {VIB} checkpoint -m x");
    let (ran, _) = day.run("b6 both", &command);
    assert!(
        ran.code != 0
            && ran.stderr.contains("behind its own fence")
            && ran.stderr.contains("call of its own"),
        "{ran:?}"
    );
}

#[test]
fn evidence_cannot_be_made_by_an_agent_b7() {
    if !has_fence() {
        return;
    }
    let day = Day::begin_unseen(World::new());
    let root = day.world.root();
    let unseen = "bash -c \"$TOOL\" --fix";
    day.world.sandbox.write("Makefile", "all:\n\t@echo made\n");
    let state = day.world.sandbox.state();
    let forged = format!("{VIB} fence shell {} -- bash -c 'make all'", state.display());
    assert_eq!(day.judged("1", &forged, &root).0, "deny", "that is for the clients' shells");
    // Somebody's script calls it all the same: no shell of the client's, so no proof.
    day.judged("2", "make all", &root);
    let ran = day
        .world
        .run_in(&root, &["bash", "-c", &format!("bash -c \"{}\"; true", forged.replace('"', "\\\""))]);
    day.told("2", "make all", &root, &ran);
    assert_eq!(day.judged("3", unseen, &root).0, "ask", "nothing was seen");
    // A state that fenced commands can write proves nothing, whatever is in it.
    let open = root.join("state");
    let environment = [("VIBELIGN_STATE", open.as_path())];
    day.start("s-1", &environment);
    std::fs::create_dir_all(open.join("fence/seen")).unwrap();
    std::fs::write(open.join("fence/seen/claude-code.json"), r#"{"fenced_ms": 9}"#).unwrap();
    let said = day.world.hook(&day.call("PreToolUse", "4", unseen, &root), &environment).stdout;
    assert!(said.contains("\"ask\""), "{said}");
    // The same record where nothing fenced can write it is believed.
    std::fs::create_dir_all(state.join("fence/seen")).unwrap();
    std::fs::write(state.join("fence/seen/claude-code.json"), r#"{"fenced_ms": 9}"#).unwrap();
    assert_eq!(day.judged("5", unseen, &root).0, "pass");
}

#[test]
fn the_folder_of_a_call_does_not_choose_the_fence_b8() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new());
    let other = day.world.sandbox.base().canonicalize().unwrap().join("other");
    std::fs::create_dir_all(other.join("sub")).unwrap();
    std::fs::write(other.join("Makefile"), "all:\n\techo x > stray\n").unwrap();
    let made = Command::new("git").args(["init", "-q"]).arg(&other).status();
    assert!(made.unwrap().success());
    let mut known = day.world.sandbox.command(&["init", "--no-hooks"]);
    Sandbox::run(known.current_dir(&other)).ok();
    for (id, command, folder) in [
        ("1", "make".to_owned(), other.clone()),
        ("2", format!("cd {} && make", other.display()), day.world.root()),
        ("3", format!("make -C {}", other.display()), day.world.root()),
        ("4", format!("cd {} && {VIB} fence -- make", other.display()), day.world.root()),
    ] {
        let (decision, _) = day.judged(id, &command, &folder);
        if decision == "pass" {
            let ran = day.shell(&command, &folder);
            assert!(!other.join("stray").exists(), "{command} in {}: {ran:?}", folder.display());
            day.told(id, &command, &folder, &ran);
        }
    }
}

#[test]
fn no_variable_opens_a_place_m1() {
    if !has_fence() {
        return;
    }
    let world = World::new();
    let out = world.out().display().to_string();
    for folder in ["registry", "git", "store", "pkg", "install/cache", "caches", "tmp", "fence/allowed"] {
        std::fs::create_dir_all(world.out().join(folder)).unwrap();
    }
    let before = photo(&world.out());
    for variable in [
        "XDG_CACHE_HOME",
        "CARGO_HOME",
        "CARGO_TARGET_DIR",
        "RUSTUP_HOME",
        "npm_config_cache",
        "PNPM_HOME",
        "YARN_CACHE_FOLDER",
        "BUN_INSTALL",
        "PIP_CACHE_DIR",
        "UV_CACHE_DIR",
        "GOPATH",
        "GOMODCACHE",
        "GOCACHE",
        "GRADLE_USER_HOME",
        "NUGET_PACKAGES",
        "CCACHE_DIR",
        "HF_HOME",
        "TMPDIR",
        "TMP",
        "TEMP",
        "XDG_RUNTIME_DIR",
        "XDG_STATE_HOME",
        "XDG_DATA_HOME",
        "VIBELIGN_CONFIG",
        "VIBELIGN_CACHE",
        "VIBELIGN_TMP",
    ] {
        let script = "for d in . registry git store pkg install/cache caches tmp dir; do echo lost > \"$OUT/$d/new\"; done; rm -f \"$OUT/file\"";
        let assigned = format!("{variable}={out}");
        let ran = world.run_in(&world.root(), &["env", &assigned, VIB, "fence", "--", "sh", "-c", script]);
        assert_eq!(photo(&world.out()), before, "{variable}: {ran:?}");
    }
    // A list of its own making, in a state of its own making.
    let state = world.root().join("state");
    world.vib(&["init", "--no-hooks"]).ok();
    world.vib(&["fence", "allow", &out, "--always"]).ok();
    let copied = Command::new("cp").arg("-r").arg(world.sandbox.state()).arg(&state).status();
    assert!(copied.unwrap().success());
    world.vib(&["fence", "allow", &out, "--remove"]).ok();
    let assigned = format!("VIBELIGN_STATE={}", state.display());
    let ran = world.run_in(
        &world.root(),
        &["env", &assigned, VIB, "fence", "--", "sh", "-c", "echo lost > \"$OUT/new\""],
    );
    assert_eq!(photo(&world.out()), before, "{ran:?}");
}

/// The kernel does not keep rights: taking them away must not end the fence.
#[test]
fn taking_rights_away_does_not_end_the_fence_m2() {
    if !has_fence() {
        return;
    }
    let day = Day::begin(World::new());
    let (root, own) = (day.world.root(), day.world.sandbox.state().join("fence"));
    day.world.sandbox.write("out.py", "import os\nopen(os.environ['OUT'] + '/new', 'w')\n");
    for (at, closed) in ["shell.sh", "witness", "marks", "sessions", "seen", "."].iter().enumerate() {
        let closed = own.join(closed);
        // As a fenced command can.
        let ran = day.world.sh(&format!("chmod 0 '{}'", closed.display()), true);
        assert_eq!(ran.code, 0, "the kernel does not keep rights: {ran:?}");
        let (decision, said) = day.judged(&format!("m2 {at}"), "python3 out.py", &root);
        if decision == "pass" {
            let after = day.shell("python3 out.py", &root);
            assert!(!day.world.out().join("new").exists(), "{}: {said} {after:?}", closed.display());
            day.told(&format!("m2 {at}"), "python3 out.py", &root, &after);
        } else {
            assert_eq!(decision, "ask", "{}: {said}", closed.display());
        }
        day.world.run_in(&root, &["chmod", "-R", "u+rwX", own.to_str().unwrap()]);
    }
}

/// The same where rights count: root may do everything.
#[test]
fn taking_rights_away_does_not_end_the_fence_of_an_ordinary_user_m2() {
    if !has_fence() {
        return;
    }
    let Some(world) = World::new().for_nobody() else {
        eprintln!("skipped: this machine lets no other user run the program under test");
        return;
    };
    let escape = "echo x > \"$OUT/new\"";
    assert_ne!(world.sh(escape, true).code, 0, "the fence is there");
    let own = world.sandbox.state().join("fence");
    for closed in ["witness", "."] {
        let close = format!("chmod 0 '{}'", own.join(closed).display());
        world.sh(&close, true);
        world.sh(escape, true);
        assert!(
            !world.out().join("new").exists(),
            "{closed}: what may not be read is no fence that is up already"
        );
        world.sh(&format!("chmod -R u+rwX '{}'", own.display()), false);
    }
    // A shell that is led to files it may not read runs nothing.
    let state = world.sandbox.state();
    let line = fence::shell_file::line(&state);
    std::fs::create_dir_all(&own).unwrap();
    world.run_in(&world.root(), &[VIB, "fence", "probe"]);
    assert_eq!(world.run_in(&world.root(), &["bash", "-c", &format!("{line} echo ran")]).stdout, "ran\n");
    for closed in ["shell.sh", "."] {
        world.sh(&format!("chmod 0 '{}'", own.join(closed).display()), false);
        let ran = world.run_in(&world.root(), &["bash", "-c", &format!("{line} echo ran")]);
        assert_eq!((ran.code, ran.stdout.as_str()), (126, ""), "{closed}: {ran:?}");
        world.sh(&format!("chmod -R u+rwX '{}'", own.display()), false);
    }
}
