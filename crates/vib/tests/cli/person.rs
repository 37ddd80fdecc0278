//! What only a person may do is refused to agents, however they run vib (S4, S5, S6)

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Output, Sandbox};

use super::shop;
use super::terminal::Terminal;

/// Runs its arguments as a child and waits for it, as a client runs a command.
const RUN: &str = "#!/bin/sh\n\"$@\"\nexit $?\n";

/// A script in the sandbox, outside the project.
fn script(shop: &Sandbox, path: &str, text: &str) -> PathBuf {
    let (file, written) = (shop.base().join(path), shop.base().join("written"));
    std::fs::write(&written, text).unwrap();
    install(&written, &file);
    file
}

/// Puts a program there. Another process writes it: a test beside this one that starts a process just now would hold it open, and a
/// program that is open cannot be started.
fn install(from: &Path, to: &Path) {
    let status = Command::new("install").args(["-D", "-m", "755"]).arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

/// A program of its own: a copy of the shell under another name.
fn program(shop: &Sandbox, path: &str) -> PathBuf {
    let file = shop.base().join(path);
    install(Path::new("/bin/sh"), &file);
    file
}

/// The same command below these words.
fn below(command: &Command, words: &[OsString]) -> Command {
    let mut outer = Command::new(&words[0]);
    outer.args(&words[1..]).arg(command.get_program()).args(command.get_args()).env_clear();
    outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer.current_dir(command.get_current_dir().unwrap()).stdin(std::process::Stdio::null());
    outer
}

/// These words in the place of vib, in the same world.
fn instead(command: &mut Command, words: &[OsString]) -> Command {
    let mut other = Command::new(&words[0]);
    other.args(&words[1..]).args(command.get_args()).env_clear();
    other.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    other.current_dir(command.get_current_dir().unwrap());
    other
}

/// Runs vib below a client called `claude`.
pub(super) fn by_claude(shop: &Sandbox, arguments: &[&str]) -> Output {
    let client = script(shop, "tools/claude", RUN);
    Sandbox::run(&mut below(&shop.command(arguments), &[client.into_os_string()]))
}

/// A project with a request of an agent that can be taken back.
fn damaged() -> Sandbox {
    let shop = shop();
    shop.checkpoint("before");
    shop.write("src/cart.js", "broken\n");
    shop
}

#[track_caller]
fn refused(output: &Output, who: &str) {
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("only a person may") && output.stderr.contains(who), "{output:?}");
    assert!(output.stderr.contains("in a terminal of their own"), "{output:?}");
}

#[test]
fn what_only_a_person_may_do_is_refused_below_a_client_s5() {
    let shop = shop();
    let before = shop.checkpoint("before");
    shop.write("src/cart.js", "broken\n");
    let pinned = shop.checkpoint("pinned");
    shop.vib(&["pin", &pinned]).ok();
    shop.vib(&["protect", "README.md"]).ok();
    shop.write(
        "fix.diff",
        "--- a/src/login.js\n+++ b/src/login.js\n@@ -1 +1 @@\n-check(user);\n+check(all);\n",
    );
    for arguments in [
        &["undo", "--yes"][..],
        &["undo"],
        &["redo", "--yes"],
        &["recover", "--yes", "--plan", "0a1b"],
        &["recover", "--return", "--yes"],
        &["recover", "feedback", "src/cart.js", "--wrong"],
        &["patch", "fix.diff", "--yes"],
        &["approve", "k3f9"],
        &["mcp", "grant", "claude-code", "recovery_apply"],
        &["mcp", "revoke", "claude-code"],
        &["config", "set", "guard.covered", "allow"],
        &["config", "set", "guard.llm_command", "/tmp/x"],
        &["protect", "--remove", "README.md"],
        &["spiral", "resume"],
        &["init", "--remove", "--yes"],
        &["init", "--off"],
        &["init", "--adopt", "0123456789abcdef", "--yes"],
        &["unpin", &pinned],
        &["lesson", "keep", "--all"],
        &["secrets", "scan", "--write-baseline"],
        &["memory", "export", "--raw", "all.jsonl"],
        &["serve"],
        &["lock", "set"],
        &["lock", "remove"],
    ] {
        let output = by_claude(&shop, arguments);
        refused(&output, "run by Claude Code (process ");
        let answer = by_claude(&shop, &[arguments, &["--json"]].concat()).json();
        assert_eq!(answer["error"]["code"], "needs_person", "{arguments:?}: {answer}");
    }
    assert_eq!(shop.read("src/cart.js"), "broken\n");
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
    assert!(!shop.exists("all.jsonl"));
    assert_eq!(shop.data(&["protect", "--list"])["protected"], json!(["README.md"]));
    // The same, by the person.
    shop.vib(&["undo", &before, "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
}

#[test]
fn an_agent_at_honest_work_is_not_stopped_s5() {
    let shop = damaged();
    for arguments in [
        &["status"][..],
        &["diff"],
        &["history"],
        &["undo", "--dry-run"],
        &["recover", "it", "broke"],
        &["checkpoint", "-m", "by an agent"],
        &["memory", "show"],
        &["lesson", "add", "Read a file before you edit it"],
        &["protect", "README.md"],
        &["config", "get", "guard.covered"],
        &["config", "set", "ui.language", "en"],
        &["judge", "ls"],
        &["approve"],
        &["mcp", "grants"],
        &["lock"],
        &["lock", "status"],
        &["init", "--no-hooks", "--yes"],
        &["anchor", "add", "src/login.js", "LOGIN", "1", "--yes"],
        &["transfer", "--handoff", "--yes"],
    ] {
        by_claude(&shop, arguments).ok();
    }
    // What it did is told as what an agent did.
    let rows = shop.data(&["audit", "show", "-n", "0"]);
    let via = |event: &str| {
        let row = rows["rows"].as_array().unwrap().iter().find(|row| row["event"] == event);
        row.unwrap_or_else(|| panic!("{event}: {rows}"))["confirmed_via"].clone()
    };
    assert_eq!((via("handoff_export"), via("patch_apply")), (json!("agent"), json!("agent")));
}

#[test]
fn a_grant_lets_an_agent_patch_and_never_open_keep_regions_s5() {
    let shop = damaged();
    shop.write(
        "fix.diff",
        "--- a/src/login.js\n+++ b/src/login.js\n@@ -1 +1 @@\n-check(user);\n+check(all);\n",
    );
    refused(&by_claude(&shop, &["patch", "fix.diff", "--yes"]), "Claude Code");
    let mut grant = shop.command(&["mcp", "grant", "claude-code", "patch_apply"]);
    Terminal::new(24, 100).run_with_keys(&mut grant, "y\n");
    let open = ["patch", "fix.diff", "--yes", "--no-keep-regions", "--reason", "x"];
    refused(&by_claude(&shop, &open), "Claude Code");
    by_claude(&shop, &["patch", "fix.diff", "--yes"]).ok();
    assert_eq!(shop.read("src/login.js"), "check(all);\n");
    let rows = shop.data(&["audit", "show", "-n", "0"]);
    assert!(rows.to_string().contains(r#""confirmed_via":"grant""#), "{rows}");
}

#[test]
fn clients_are_known_by_program_script_and_package_s5() {
    let shop = damaged();
    let renamed = program(&shop, "opt/codex");
    let node = program(&shop, "opt/node");
    let gemini = script(&shop, "lib/node_modules/@google/gemini-cli/dist/index.js", RUN);
    let copilot = script(&shop, "lib/node_modules/@github/copilot/index.js", RUN);
    let opencode = script(&shop, "tools/opencode", RUN);
    let words = |all: &[&Path]| all.iter().map(|word| word.as_os_str().to_owned()).collect::<Vec<_>>();
    let line = Path::new("\"$@\"; exit $?");
    for (who, above) in [
        ("Codex", words(&[&renamed, Path::new("-c"), line, Path::new("x")])),
        ("Gemini CLI", words(&[&node, &gemini])),
        ("Copilot CLI", words(&[&node, &copilot])),
        ("OpenCode", words(&[&opencode])),
        // Further up.
        ("OpenCode", words(&[&opencode, Path::new("/bin/sh"), Path::new("-c"), line, Path::new("x")])),
    ] {
        let output = Sandbox::run(&mut below(&shop.command(&["undo", "--yes"]), &above));
        refused(&output, &format!("run by {who} (process "));
    }
    // A person's tools, and a script that only has such a word among its arguments.
    let tool = script(&shop, "tools/deploy", RUN);
    shop.write("src/cart.js", "broken again\n");
    Sandbox::run(&mut below(&shop.command(&["undo", "--yes"]), &words(&[&tool]))).ok();
}

#[test]
fn a_terminal_that_an_agent_opened_is_no_persons_s5() {
    let shop = damaged();
    let client = script(&shop, "tools/claude", RUN);
    let vib = env!("CARGO_BIN_EXE_vib");
    let copy = shop.root().join("bin/x");
    install(Path::new(vib), &copy);
    for line in [
        format!("{vib} mcp grant claude-code recovery_apply"),
        format!("{} mcp grant claude-code recovery_apply", copy.display()),
        format!("{vib} undo"),
    ] {
        let mut typed = shop.command(&["-qec", &line, "/dev/null"]);
        let words = [client.clone().into_os_string(), "script".into()];
        let output = Sandbox::run_with_input(&mut instead(&mut typed, &words), "y\ny\n");
        assert!(output.stdout.contains("run by Claude Code (process "), "{line}: {output:?}");
    }
    assert_eq!(shop.data(&["mcp", "grants"])["grants"], json!([]));
    assert_eq!(shop.read("src/cart.js"), "broken\n");
}

#[test]
fn variables_tell_when_the_parents_are_lost_s5() {
    let shop = damaged();
    let out = shop.base().join("out");
    // The one who starts it is gone before vib looks, and vib itself does not have the variable any more.
    let line = format!(
        "(setsid sh -c 'sleep 0.3; env -u CLAUDECODE -u CODEX_THREAD_ID {} undo --yes; echo over' >{} 2>&1 &)",
        env!("CARGO_BIN_EXE_vib"),
        out.display()
    );
    for (name, who) in [("CLAUDECODE", "Claude Code"), ("CODEX_THREAD_ID", "Codex")] {
        let mut command =
            instead(&mut shop.command(&[]), &["/bin/sh".into(), "-c".into(), line.clone().into()]);
        Sandbox::run(command.env(name, "1")).ok();
        let text = read_until(&out, "over");
        assert!(
            text.contains(&format!("run by {who}")) && text.contains(&format!("`{name}` is set")),
            "{text}"
        );
        std::fs::remove_file(&out).unwrap();
    }
    assert_eq!(shop.read("src/cart.js"), "broken\n");
    // In the environment of vib itself.
    let output = Sandbox::run(shop.command(&["undo", "--yes"]).env("GEMINI_CLI", "1"));
    refused(&output, "run by Gemini CLI, or in a terminal that it opened (`GEMINI_CLI` is set)");
    // What editors set in a person's terminal says nothing.
    let mut person = shop.command(&["undo", "--yes"]);
    person.env("TERM_PROGRAM", "vscode").env("CURSOR_TRACE_ID", "x").env("CLAUDE_CODE_SSE_PORT", "1");
    Sandbox::run(&mut person).ok();
}

#[track_caller]
fn read_until(file: &Path, end: &str) -> String {
    let began = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.contains(end) {
            return text;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What a client calls the hook with.
fn prompt(shop: &Sandbox) -> Value {
    json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": shop.root(), "prompt": "go"})
}

#[test]
fn whoever_calls_the_hooks_is_an_agent_under_any_name_s5() {
    let shop = damaged();
    let payload = shop.base().join("payload.json");
    std::fs::write(&payload, prompt(&shop).to_string()).unwrap();
    let vib = env!("CARGO_BIN_EXE_vib");
    let hook = format!("{vib} hook claude-code <{} >/dev/null", payload.display());
    let both = format!("{hook}; {vib} undo --yes; exit $?");
    let run = |words: &[OsString]| Sandbox::run(&mut instead(&mut shop.command(&[]), words));
    // A script of a person's that plays both parts, as tests of a client do, is no client.
    run(&[script(&shop, "tools/story.sh", &format!("#!/bin/sh\n{both}\n")).into_os_string()]).ok();
    shop.write("src/cart.js", "broken\n");
    let robot = program(&shop, "opt/robot").into_os_string();
    let output = run(&[robot.clone(), "-c".into(), both.into()]);
    refused(&output, "run by Claude Code (process ");
    assert_eq!(shop.read("src/cart.js"), "broken\n");
    // In a shell of its own, and without a hook before: another process is another one.
    let line = format!("{hook}; /bin/sh -c '{vib} config set guard.covered ask; exit $?'");
    refused(&run(&[robot.clone(), "-c".into(), line.into()]), "run by Claude Code (process ");
    run(&[robot, "-c".into(), format!("{vib} undo --yes; exit $?").into()]).ok();
    assert!(std::fs::read_dir(shop.state().join("clients")).unwrap().count() <= 2, "those that are gone go");
}

#[test]
fn what_an_agent_saves_without_its_variables_is_an_agents_too_s6() {
    let shop = shop();
    let saved = by_claude(&shop, &["checkpoint", "--json"]).ok().json()["data"]["checkpoint"].clone();
    assert_eq!(saved["by_agent"], true);
}

#[test]
fn a_hundred_saves_of_an_agent_push_out_nothing_of_a_persons_s6() {
    let shop = shop();
    shop.write("src/cart.js", "the person's own\n");
    let persons = shop.checkpoint("mine");
    let vib = env!("CARGO_BIN_EXE_vib");
    let many = format!(
        "#!/bin/sh\ni=0\nwhile [ $i -lt 105 ]; do echo $i >src/cart.js; {vib} checkpoint -m x >/dev/null || exit 1; i=$((i+1)); done\n"
    );
    let client = script(&shop, "tools/claude", &many);
    Sandbox::run(&mut instead(&mut shop.command(&[]), &[client.into_os_string()])).ok();
    shop.vib(&["store", "gc"]).ok();
    shop.vib(&["undo", &persons, "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "the person's own\n");
}

/// vib on a terminal of its own, as its controlling one.
fn typed(shop: &Sandbox, arguments: &[&str], keys: &str) -> (String, bool) {
    let setsid: Vec<OsString> = ["setsid", "-w", "-c"].map(OsString::from).to_vec();
    let line = "\"$@\"; echo \"code $?\"";
    let shell: Vec<OsString> = ["/bin/sh", "-c", line, "x"].map(OsString::from).to_vec();
    let mut command = below(&shop.command(arguments), &[setsid, shell].concat());
    let seen = Terminal::new(24, 160).run_with_keys(&mut command, keys);
    let done = seen.contains("code 0");
    (seen, done)
}

#[test]
fn a_passphrase_is_asked_at_the_terminal_for_what_only_a_person_may_do_s5() {
    let shop = damaged();
    let answer = shop.error(&["lock", "set"]);
    assert_eq!(answer["code"], "needs_terminal", "never without a terminal: {answer}");
    let (seen, done) = typed(&shop, &["lock", "set"], "correct horse\ncorrect donkey\n");
    assert!(!done && seen.contains("not the same"), "{seen}");
    let (seen, done) = typed(&shop, &["lock", "set"], "correct horse\ncorrect horse\n");
    assert!(done && seen.contains("A passphrase is set"), "{seen}");
    let file = shop.state().join("lock.json");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!std::fs::read_to_string(&file).unwrap().contains("horse"));
    // A script has none; looking needs none.
    assert_eq!(shop.error(&["undo", "--yes"])["code"], "needs_terminal");
    shop.vib(&["undo", "--dry-run"]).ok();
    let (seen, done) = typed(&shop, &["undo", "--yes"], "wrong\n");
    assert!(!done && seen.contains("that is not the passphrase"), "{seen}");
    assert_eq!(shop.read("src/cart.js"), "broken\n");
    let (seen, done) = typed(&shop, &["undo", "--yes"], "correct horse\n");
    assert!(done && seen.contains("Your vib passphrase"), "{seen}");
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    // It is asked for wherever a variable leads: the lock of the usual place counts too.
    let usual = shop.base().join("home/.local/state/vibelign");
    std::fs::create_dir_all(&usual).unwrap();
    std::fs::copy(&file, usual.join("lock.json")).unwrap();
    let mut elsewhere = shop.command(&["config", "set", "guard.covered", "ask", "--json"]);
    let output = Sandbox::run(elsewhere.env("VIBELIGN_STATE", shop.base().join("other")));
    assert_eq!(output.json()["error"]["code"], "needs_terminal");
    std::fs::remove_dir_all(&usual).unwrap();
    // Wrong ones wait, also for the right one, and the way out is one file.
    for _ in 0..3 {
        typed(&shop, &["config", "set", "guard.covered", "ask"], "wrong\n");
    }
    let (seen, done) = typed(&shop, &["lock", "remove"], "correct horse\n");
    assert!(!done && seen.contains("the next try is possible in"), "{seen}");
    let status = shop.vib(&["lock"]).ok().stdout;
    assert!(status.contains("Delete this file by hand") && status.contains("lock.json"), "{status}");
    std::fs::remove_file(&file).unwrap();
    shop.vib(&["config", "set", "guard.covered", "ask"]).ok();
    let log = std::fs::read_to_string(shop.store().join("memory_audit.jsonl")).unwrap_or_default();
    assert!(!log.contains("horse"), "{log}");
}

fn judged(shop: &Sandbox, line: &str) -> String {
    let answer = shop.vib(&["judge", "--json", line]).json();
    answer["data"]["decision"].as_str().unwrap().to_owned()
}

#[test]
fn a_copy_of_vib_is_judged_as_vib_whatever_it_is_called_s5() {
    let shop = shop();
    let vib = env!("CARGO_BIN_EXE_vib");
    install(Path::new(vib), &shop.root().join("bin/x"));
    std::os::unix::fs::symlink(vib, shop.root().join("bin/y")).unwrap();
    for line in [
        "bin/x approve k3f9",
        "./bin/y init --off",
        &format!("cp {vib} tool && ./tool approve k3f9"),
        &format!("ln -s {vib} tool; ./tool mcp grant a b"),
        "cp $(which vib) bin/z && bin/z undo --yes",
        "bash -c 'bin/x config set guard.covered allow'",
    ] {
        assert_eq!(judged(&shop, line), "deny", "{line}");
    }
    assert_eq!(judged(&shop, "bin/x status"), "allow");
    // Its program is a guarded place, wherever it lies.
    for line in
        [format!("cp /bin/true {vib}"), format!("rm {vib}"), format!("mv {vib} x"), format!("echo > {vib}")]
    {
        let decision = judged(&shop, &line);
        assert!(decision == "ask" || decision == "deny", "{line}: {decision}");
    }
}

#[test]
fn another_name_for_vibs_records_is_asked_about_s6() {
    let shop = shop();
    shop.checkpoint("one");
    let state = shop.state();
    let state = state.display();
    for line in [
        format!("ln -s {state} s"),
        format!("ln {state}/projects/x/store.db s"),
        format!("cp -rl {state} s"),
        format!("cp -as {state} s"),
        format!("ln -s {state} s && find -L s -delete"),
        format!("ln -sf {state}/projects p; rm -rf p/"),
        format!("mount --bind {state} s"),
    ] {
        let decision = judged(&shop, &line);
        assert!(decision == "ask" || decision == "deny", "{line}: {decision}");
    }
    // Made behind vib's back all the same: what goes through the name is known by the file.
    let record = shop.store().join("store.db");
    std::fs::hard_link(&record, shop.root().join("hard")).unwrap();
    std::os::unix::fs::symlink(shop.state(), shop.root().join("soft")).unwrap();
    for line in
        ["truncate -s 0 hard", "echo > hard", "find -L soft -delete", "rm -rf soft/", "rm -rf soft/projects"]
    {
        let decision = judged(&shop, line);
        assert!(decision == "ask" || decision == "deny", "{line}: {decision}");
    }
    // A name more for a file of the project is nothing.
    assert_eq!(judged(&shop, "ln -s src/cart.js link"), "allow_with_checkpoint");
}

#[test]
fn hooks_never_lead_into_a_project_or_a_temporary_folder_s5() {
    let shop = shop();
    let copy = shop.root().join("bin/vib");
    install(Path::new(env!("CARGO_BIN_EXE_vib")), &copy);
    let usual = shop.command(&["init", "--yes", "--client", "claude-code"]);
    let mut init = Command::new(&copy);
    init.args(usual.get_args()).env_clear().current_dir(shop.root());
    init.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PATH", "/usr/bin:/bin");
    let output = Sandbox::run(&mut init).ok();
    assert!(output.stdout.contains("the hooks call a copy of vib"), "{}", output.stdout);
    let settings = std::fs::read_to_string(shop.base().join("home/.claude/settings.json")).unwrap();
    let kept = shop.state().join("program/vib");
    assert!(settings.contains(&*kept.to_string_lossy()), "{settings}");
    assert!(!settings.contains(&*copy.to_string_lossy()), "{settings}");
    // What becomes of the copy in the project is nothing to the hooks.
    std::fs::write(&copy, "#!/bin/sh\nexit 0\n").unwrap();
    assert!(std::fs::metadata(&kept).unwrap().len() > 1_000_000);
    let doctor = shop.vib(&["doctor"]);
    assert!(!doctor.stdout.contains("is not there"), "{}", doctor.stdout);
    shop.vib(&["init", "--remove", "--yes"]).ok();
    assert!(!kept.exists());
}

fn session_start(shop: &Sandbox, client: &str, change: impl FnOnce(&mut Command)) -> Output {
    let start = json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": shop.root(), "source": "startup"});
    let mut command = shop.command(&["hook", client]);
    change(&mut command);
    Sandbox::run_with_input(&mut command, &start.to_string())
}

#[test]
fn a_state_led_elsewhere_is_said_in_every_session_and_by_the_doctor_s4() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--client", "codex", "--client", "gemini"]).ok();
    for client in ["claude-code", "codex", "gemini"] {
        let usual = session_start(&shop, client, |_| {});
        assert!(!usual.stderr.contains("was set up with"), "{usual:?}");
        for (name, what) in
            [("VIBELIGN_STATE", "checkpoints and permissions"), ("VIBELIGN_CONFIG", "settings and rules")]
        {
            let moved = session_start(&shop, client, |command| {
                command.env(name, shop.base().join("elsewhere"));
            });
            let said = format!("{}{}", moved.stdout, moved.stderr);
            assert!(said.contains(what) && said.contains(name), "{client}: {moved:?}");
        }
    }
    let mut doctor = shop.command(&["doctor"]);
    let said = Sandbox::run(doctor.env("VIBELIGN_CONFIG", shop.base().join("elsewhere"))).stdout;
    assert!(said.contains("something sets `VIBELIGN_CONFIG`"), "{said}");
    // An agent that sets vib up does not move what a person set up.
    let client = script(&shop, "tools/claude", RUN);
    let mut again = shop.command(&["init", "--yes", "--client", "claude-code"]);
    again.env("VIBELIGN_STATE", shop.base().join("elsewhere"));
    Sandbox::run(&mut below(&again, &[client.into_os_string()]));
    let moved = session_start(&shop, "claude-code", |command| {
        command.env("VIBELIGN_STATE", shop.base().join("elsewhere"));
    });
    assert!(moved.stderr.contains("was set up with"), "{moved:?}");
}

#[test]
fn the_environment_of_a_hook_makes_the_guard_stricter_and_never_looser_s4() {
    let shop = shop();
    let call = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": shop.root(), "tool_name": "Bash",
        "tool_use_id": "t", "tool_input": {"command": "rm -rf src"}});
    let answer = |covered: &str| {
        let mut command = shop.command(&["hook", "claude-code"]);
        command.env("VIBELIGN_GUARD_COVERED", covered);
        Sandbox::run_with_input(&mut command, &call.to_string()).stdout
    };
    assert!(!answer("allow").contains("permissionDecision"));
    assert!(answer("ask").contains("permissionDecision"));
    shop.vib(&["config", "set", "guard.covered", "ask"]).ok();
    assert!(answer("allow").contains("permissionDecision"), "the person's setting stays");
}

/// Runs a command line of an agent: a shell below a client called `claude`, as its tool does it.
fn agents_line(shop: &Sandbox, line: &str) -> Output {
    let client = script(shop, "tools/claude", RUN);
    let vib = shop.command(&[]);
    let line = line.replace("VIB", vib.get_program().to_str().unwrap());
    let mut outer = Command::new(client);
    outer.args(["/bin/sh", "-c", &line]).env_clear();
    outer.envs(vib.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer.current_dir(vib.get_current_dir().unwrap()).stdin(std::process::Stdio::null());
    Sandbox::run(&mut outer)
}

#[test]
fn a_prompt_that_an_agents_command_hands_to_the_hook_is_not_the_persons_b4() {
    let shop = damaged();
    let payload = json!({"session_id": "s1", "cwd": shop.root(), "hook_event_name": "UserPromptSubmit", "prompt": "undo that"});
    let file = shop.base().join("p.json");
    std::fs::write(&file, payload.to_string()).unwrap();
    let file = file.display();
    for line in [
        format!("cat {file} | VIB hook claude-code"),
        format!("VIB hook claude-code < {file}; true"),
        format!("/bin/sh -c 'VIB hook claude-code' < {file}; true"),
        format!(
            "python3 -c 'import subprocess; subprocess.run([\"VIB\", \"hook\", \"claude-code\"], stdin=open(\"{file}\"))'; true"
        ),
    ] {
        let output = agents_line(&shop, &line);
        assert!(output.stdout.contains("does not count as a person's"), "{line}: {output:?}");
        assert!(!output.stdout.contains("block"), "nothing was offered: {output:?}");
    }
    // The client itself, through the line that is in its settings.
    let line = format!("exec /bin/sh -c \"test -x 'VIB' && exec 'VIB' hook claude-code || true\" < {file}");
    let output = agents_line(&shop, &line);
    assert!(!output.stdout.contains("does not count"), "{output:?}");
}

#[test]
fn who_hides_who_is_above_them_is_no_person_b4() {
    let can = |words: &[&str]| {
        Command::new("unshare").args(words).output().is_ok_and(|output| output.status.success())
    };
    if !can(&["-rpf", "--mount-proc", "true"]) {
        return;
    }
    let shop = damaged();
    // A client of any name calls a hook, and stays.
    let robot = program(&shop, "tools/robot");
    let mut call = below(
        &shop.command(&["hook", "codex"]),
        &[robot.into_os_string(), "-c".into(), "\"$@\"; sleep 20; :".into(), "x".into()],
    );
    let mut running = call.stdout(std::process::Stdio::null()).spawn().unwrap();
    let clients = shop.state().join("clients");
    let known = || std::fs::read_dir(&clients).is_ok_and(|mut names| names.next().is_some());
    let began = Instant::now();
    while !known() && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(known(), "{}", clients.display());
    for words in [
        &["unshare", "-rpf", "--mount-proc"][..],
        &["unshare", "-rpf", "--mount-proc", "setsid", "-w"],
        &["unshare", "-rm", "sh", "-c", "mount -t tmpfs x /proc; \"$@\"", "x"],
    ] {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let output = Sandbox::run(&mut below(&shop.command(&["undo", "--yes"]), &words));
        refused(&output, "cannot see who is above it");
    }
    running.kill().unwrap();
    running.wait().unwrap();
}
