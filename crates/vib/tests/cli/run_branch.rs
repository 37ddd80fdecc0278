//! `vib run --branch`: one commit per finished card on a branch of the run's own, and the person's git as it was, to the byte. (rule 11)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::Sandbox;

use super::run_task::{LIST, Model, call, change, lane_text, script, wanted, world};
use super::secrets::issued;

const ME: &str = "-c user.name=Mina -c user.email=mina@example.com";

fn git(folder: &Path, words: &str) -> String {
    let line = format!("git --no-optional-locks {words}");
    let done = Command::new("sh").arg("-c").arg(&line).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

fn repository(sandbox: &Sandbox) {
    sandbox.write(".gitignore", "*.log\n.vibelign/\n");
    sandbox.shell(&format!(
        "git init -q -b main . && git config user.name Mina && git config user.email mina@example.com && git add -A && git {ME} commit -qm first"
    ));
}

/// Everything of the person's in their git: names and bytes, without objects, and without what belongs to the run's branch.
fn persons(git_dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![git_dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(git_dir).unwrap().to_path_buf();
            if name == Path::new("objects") || name.ends_with("refs/heads/vib") {
                continue;
            }
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false => drop(all.insert(name, std::fs::read(&path).unwrap())),
            }
        }
    }
    all
}

fn subjects(folder: &Path, branch: &str) -> Vec<String> {
    git(folder, &format!("log --reverse --format=%s {branch}")).lines().map(str::to_owned).collect()
}

/// What git would say is different between a branch and the lane.
fn different(sandbox: &Sandbox, branch: &str) -> String {
    let lane = sandbox.data(&["lane", "open", "run1"])["folder"].as_str().unwrap().to_owned();
    let index = sandbox.base().join("compare.index");
    let git = format!("GIT_INDEX_FILE='{}' git --git-dir=.git --work-tree='{lane}'", index.display());
    let line = format!("{git} read-tree {branch} && {git} add -A -n");
    let done = Command::new("sh").arg("-c").arg(&line).current_dir(sandbox.root()).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// The log of the run. A lane has a store of its own beside the project's, so it is looked for in all.
fn log_of(sandbox: &Sandbox) -> Option<PathBuf> {
    let stores = std::fs::read_dir(sandbox.state().join("projects")).ok()?;
    stores.flatten().map(|store| store.path().join("runs/run1/events.jsonl")).find(|log| log.exists())
}

fn run(sandbox: &Sandbox) -> testkit::Output {
    sandbox.vib(&["run", "Make two words large", "--branch"]).ok()
}

#[test]
fn two_cards_are_two_commits_and_the_persons_git_is_untouched_r11() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    sandbox.shell("echo stashed >> README.md && git stash -q");
    // Changed, staged, new, gone, ignored, and a key.
    sandbox.write("src/cart.js", "let total = 1;\n");
    sandbox.write("staged.txt", "staged\n");
    sandbox.shell("git add staged.txt");
    sandbox.write("staged.txt", "and changed\n");
    sandbox.write("new file.txt", "new\n");
    sandbox.remove("src/login.js");
    sandbox.write("noise.log", "noise\n");
    sandbox.write("key.js", format!("const token = \"{}\";\n", issued(7)));
    let root = sandbox.root();
    let (before, status) = (persons(&root.join(".git")), git(&root, "status --porcelain"));
    let output = run(&sandbox);
    assert!(output.stdout.contains("branch vib/run1") && output.stdout.contains("commit "), "{output:?}");
    assert_eq!(persons(&root.join(".git")), before, "the person's git was touched");
    assert_eq!(git(&root, "status --porcelain"), status);
    assert_eq!(sandbox.read("list.txt"), LIST);
    assert_eq!(
        subjects(&root, "vib/run1"),
        ["first", "work in progress when the run began", "The first", "The third"]
    );
    assert_eq!(git(&root, "show vib/run1:list.txt"), wanted());
    assert_eq!(git(&root, "show vib/run1~1:list.txt"), LIST.replace("one", "ONE"));
    assert_eq!(git(&root, "diff --name-only vib/run1~2 vib/run1"), "list.txt\n");
    let begun = git(&root, "diff --name-status vib/run1~3 vib/run1~2");
    assert_eq!(begun, "A\tnew file.txt\nM\tsrc/cart.js\nD\tsrc/login.js\nA\tstaged.txt\n");
    assert_eq!(different(&sandbox, "vib/run1"), "add 'key.js'\n", "only the key is not there");
    let about = git(&root, "log -1 --format='%an <%ae> %cn%n%B' vib/run1");
    assert!(
        about.starts_with(
            "Mina <mina@example.com> vib\nThe third\n\nrun1/c2 of vib\nEvidence: `sh check.sh` passed"
        ),
        "{about}"
    );
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!(shown["branch"]["name"], "vib/run1");
    assert_eq!(shown["branch"]["left_out"], json!(["key.js (holds a live key)"]), "{shown}");
    assert_eq!(shown["cards"][1]["commits"][0]["commit"], git(&root, "rev-parse vib/run1").trim());
    let dropped = sandbox.vib(&["run", "drop", "run1"]).ok();
    assert!(dropped.stdout.contains("git branch -D vib/run1"), "{dropped:?}");
    assert_eq!(subjects(&root, "vib/run1").len(), 4, "the branch is the person's");
    assert_eq!(persons(&root.join(".git")), before);
}

#[test]
fn where_a_branch_cannot_be_nothing_begins() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    let refuse = || {
        let refused = sandbox.error(&["run", "Make two words large", "--branch"]);
        assert_eq!(refused["code"], "no_branch", "{refused}");
        assert_eq!(sandbox.data(&["run", "list"])["runs"], json!([]));
        refused["message"].as_str().unwrap().to_owned()
    };
    assert!(refuse().contains("is not in a git repository"));
    repository(&sandbox);
    sandbox.shell("git branch vib");
    assert!(refuse().contains("a branch named `vib`"));
    sandbox.shell("git branch -D -q vib");
    let output = sandbox.vib(&["run", "x", "--branch", "--best-of", "2"]);
    assert_eq!(output.code, 2, "{output:?}");
}

#[test]
fn a_clean_tree_a_detached_head_a_taken_name_and_a_run_without_a_branch() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    sandbox.shell("git checkout -q --detach && git branch vib/run1");
    let root = sandbox.root();
    let before = persons(&root.join(".git"));
    run(&sandbox);
    assert_eq!(subjects(&root, "vib/run1-2"), ["first", "The first", "The third"]);
    assert_eq!(
        git(&root, "rev-parse vib/run1-2~2 HEAD vib/run1")
            .lines()
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        1
    );
    assert_eq!(persons(&root.join(".git")), before);
    assert_eq!(different(&sandbox, "vib/run1-2"), "");
    sandbox.vib(&["run", "Make two words large"]).ok();
    assert!(!git(&root, "branch -a").contains("run2"), "nobody asked for one");
}

#[test]
fn a_repository_without_commits_and_without_a_name() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    sandbox.write(".gitignore", ".vibelign/\n");
    sandbox.shell("git init -q -b main .");
    let root = sandbox.root();
    let before = persons(&root.join(".git"));
    run(&sandbox);
    assert_eq!(
        subjects(&root, "vib/run1"),
        ["work in progress when the run began", "The first", "The third"]
    );
    assert_eq!(persons(&root.join(".git")), before);
    assert_eq!(different(&sandbox, "vib/run1"), "");
}

#[test]
fn in_a_work_tree_the_other_one_stays_as_it_is() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    let (root, main) = (sandbox.root(), sandbox.base().join("main"));
    // The project becomes a work tree of a repository that lies beside it.
    git(&root, &format!("clone -q . '{}'", main.display()));
    std::fs::remove_dir_all(root.join(".git")).unwrap();
    git(&main, &format!("worktree add -q -b side '{}'", sandbox.base().join("side").display()));
    let link = std::fs::read_to_string(sandbox.base().join("side/.git")).unwrap();
    std::fs::write(root.join(".git"), &link).unwrap();
    let own = link.trim().strip_prefix("gitdir: ").unwrap().to_owned();
    std::fs::write(Path::new(&own).join("gitdir"), format!("{}\n", root.join(".git").display())).unwrap();
    sandbox.write("README.md", "# Changed\n");
    let before = persons(&main.join(".git"));
    run(&sandbox);
    assert_eq!(persons(&main.join(".git")), before);
    assert_eq!(
        subjects(&main, "vib/run1"),
        ["first", "work in progress when the run began", "The first", "The third"]
    );
    assert_eq!(git(&main, "show vib/run1:list.txt"), wanted());
}

#[test]
fn killed_and_resumed_each_card_is_committed_once() {
    let model = Model::with(script, Duration::from_millis(10));
    let mut cut = 0;
    for round in 0..6 {
        let sandbox = world(&model);
        repository(&sandbox);
        sandbox.write("README.md", "# Changed\n");
        let root = sandbox.root();
        let before = persons(&root.join(".git"));
        let mut command = sandbox.command(&["run", "Make two words large", "--branch", "--json"]);
        let mut vib = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        let events = || {
            let bytes = log_of(&sandbox).and_then(|log| std::fs::read(log).ok()).unwrap_or_default();
            bytes.iter().filter(|byte| **byte == b'\n').count()
        };
        while events() < 1 + round * 7 && began.elapsed() < Duration::from_secs(60) {
            if vib.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        cut += usize::from(vib.try_wait().unwrap().is_none());
        vib.kill().unwrap();
        vib.wait().unwrap();
        let output = sandbox.vib(&["run", "resume", "run1"]);
        assert_eq!(output.code, 0, "round {round}: {output:?}");
        let all = ["first", "work in progress when the run began", "The first", "The third"];
        // A kill before the settings were kept is a run without a branch, and nothing else is.
        if round > 0 || git(&root, "branch --list vib/run1").contains("vib/run1") {
            assert_eq!(subjects(&root, "vib/run1"), all, "round {round}");
            assert_eq!(different(&sandbox, "vib/run1"), "", "round {round}");
        }
        assert_eq!(persons(&root.join(".git")), before, "round {round}");
    }
    assert!(cut > 0, "none of the runs was cut off");
}

#[test]
fn a_commit_that_nobody_wrote_down_is_found_again() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    run(&sandbox);
    let (root, log) = (sandbox.root(), log_of(&sandbox).unwrap());
    let tip = git(&root, "rev-parse vib/run1");
    // As if it was killed after the branch was moved and before that was written down.
    let text = std::fs::read_to_string(&log).unwrap();
    let at = text.rfind("\"event\":\"committed\"").unwrap();
    let line = text[..at].rfind('\n').unwrap() + 1;
    std::fs::write(&log, &text[..line]).unwrap();
    sandbox.vib(&["run", "resume", "run1"]).ok();
    assert_eq!(git(&root, "rev-parse vib/run1"), tip);
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!(shown["cards"][1]["commits"][0]["commit"], tip.trim(), "{shown}");
    // And a branch that somebody moved stays where they put it.
    std::fs::write(&log, &text[..line]).unwrap();
    git(&root, "branch -f vib/run1 main");
    sandbox.vib(&["run", "resume", "run1"]).ok();
    assert_eq!(git(&root, "rev-parse vib/run1"), git(&root, "rev-parse main"));
    let shown = sandbox.data(&["run", "show", "run1"]);
    let why = shown["cards"][1]["commits"][0]["why"].as_str().unwrap();
    assert!(why.contains("moved by somebody else"), "{why}");
}

#[test]
fn nothing_that_a_repository_names_is_started_s15() {
    let model = Model::with(script, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    let (root, mark) = (sandbox.root(), sandbox.base().join("started"));
    let program = sandbox.base().join("program.sh");
    std::fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", mark.display())).unwrap();
    let named = program.display();
    sandbox.shell(&format!("chmod +x {named}"));
    sandbox.write(".gitattributes", "*.dat filter=evil\nREADME.md filter=evil diff=evil\n");
    for setting in [
        "gpg.program",
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "core.editor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
    ] {
        sandbox.shell(&format!("git config {setting} {named}"));
    }
    sandbox.shell(
        "git config commit.gpgSign true && git config filter.evil.required true && mkdir -p .git/hooks",
    );
    for hook in [
        "reference-transaction",
        "post-index-change",
        "pre-commit",
        "post-commit",
        "commit-msg",
        "pre-auto-gc",
    ] {
        sandbox.shell(&format!("cp {named} .git/hooks/{hook}"));
    }
    sandbox.write("big.dat", "content\n");
    sandbox.write("README.md", "# Changed\n");
    // The world is as hostile as it should be.
    sandbox.shell("git update-index --add big.dat >/dev/null 2>&1 </dev/null || true; rm -f .git/index.lock");
    assert!(mark.exists(), "the settings are not hostile at all");
    std::fs::remove_file(&mark).unwrap();
    let before = persons(&root.join(".git"));
    let output = run(&sandbox);
    let started = std::fs::read_to_string(&mark).unwrap_or_default();
    assert!(started.is_empty(), "started: {started}");
    assert_eq!(persons(&root.join(".git")), before);
    assert!(output.stdout.contains("big.dat (git hands it to a program)"), "{output:?}");
    let readable = "-c core.fsmonitor=false -c core.hooksPath=/dev/null -c log.showSignature=false";
    let names = git(&root, &format!("{readable} ls-tree -r --name-only vib/run1"));
    assert!(!names.contains("big.dat") && names.contains(".gitattributes"), "{names}");
    assert_eq!(git(&root, &format!("{readable} cat-file blob vib/run1:README.md")), "# Shop\n");
    assert!(!git(&root, &format!("{readable} cat-file commit vib/run1")).contains("gpgsig"));
}

fn committing(talk: &str) -> Vec<(String, Value)> {
    match talk {
        "c1" => {
            let key = issued(7);
            let add = format!("--- /dev/null\n+++ b/token.js\n@@ -0,0 +1 @@\n+const token = \"{key}\";\n");
            let gone = format!("--- a/token.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-const token = \"{key}\";\n");
            vec![
                call("GIT", json!({"branch": true})),
                change("one", "ONE"),
                call("GIT", json!({"commit": {"message": "Half of it"}})),
                call("EDIT_DIFF", json!({"diff": add})),
                call("GIT", json!({"commit": {"message": "With a key"}})),
                call("EDIT_DIFF", json!({"diff": gone})),
                change("two", "two and a half"),
                call("GIT", json!({"revert": {"card": "c1"}})),
                call("DONE", json!({"summary": "done"})),
            ]
        }
        _ => script(talk),
    }
}

#[test]
fn the_model_commits_on_the_runs_branch_and_never_a_key() {
    let model = Model::with(committing, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    let output = run(&sandbox);
    let root = sandbox.root();
    assert_eq!(subjects(&root, "vib/run1"), ["first", "Half of it", "The first", "The third"], "{output:?}");
    assert!(output.stderr.contains("refused: not_committed"), "{output:?}");
    assert_eq!(output.stderr.matches("refused: not_available").count(), 1, "{output:?}");
    assert!(!git(&root, "log -p vib/run1").contains(&issued(7)));
    assert_eq!(different(&sandbox, "vib/run1"), "");
    // Without a branch there is nothing to commit on.
    let output = sandbox.vib(&["run", "Make two words large"]);
    assert_eq!(output.stderr.matches("refused: not_available").count(), 4, "{output:?}");
    assert!(lane_text(&sandbox, "run2").starts_with("ONE"));
    assert!(!git(&root, "branch -a").contains("run2"));
}

fn leaking(talk: &str) -> Vec<(String, Value)> {
    let add = format!("--- /dev/null\n+++ b/token.js\n@@ -0,0 +1 @@\n+const token = \"{}\";\n", issued(7));
    match talk {
        "c1" => vec![call("EDIT_DIFF", json!({"diff": add})), call("DONE", json!({"summary": "done"}))],
        _ => script(talk),
    }
}

#[test]
fn a_card_that_ends_with_a_key_is_not_committed_and_that_is_said() {
    let model = Model::with(leaking, Duration::ZERO);
    let sandbox = world(&model);
    repository(&sandbox);
    let output = sandbox.vib(&["run", "Make two words large", "--branch"]);
    let root = sandbox.root();
    let shown = sandbox.data(&["run", "show", "run1"]);
    assert_eq!((output.code, shown["cards"][0]["status"].as_str()), (1, Some("blocked")), "{output:?}");
    assert!(output.stdout.contains("secret-added token.js:1"), "{output:?}");
    assert_eq!(subjects(&root, "vib/run1"), ["first"]);
    assert!(!git(&root, "log -p --all").contains(&issued(7)));
}
