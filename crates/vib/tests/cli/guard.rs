//! `vib guard` (GD3)

use insta::assert_snapshot;
use redact::template::expand;
use testkit::Sandbox;

use super::{empty, shop};

pub(super) fn git(sandbox: &Sandbox, arguments: &[&str]) {
    let mut command = std::process::Command::new("git");
    command
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(sandbox.root())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    let output = Sandbox::run(&mut command);
    assert_eq!(output.code, 0, "{}", output.stderr);
}

fn rules(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let output = sandbox.vib(&[&["guard", "--json"], arguments].concat());
    let report = output.json();
    report["data"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| {
            format!(
                "{} {} {}:{}",
                found["level"].as_str().unwrap(),
                found["rule"].as_str().unwrap(),
                found["path"].as_str().unwrap_or("-"),
                found["line"]
            )
        })
        .collect()
}

#[test]
fn a_healthy_new_project_passes() {
    let empty = empty();
    assert_snapshot!(empty.vib(&["guard"]).ok().text(&empty), @r###"
    PASS: nothing speaks against going on (nothing is saved yet to compare with)
    "###);
    let shop = shop();
    shop.write("src/odd.js", "function (((\n");
    // Never saved before: everything is new, and nothing is judged.
    assert_eq!(shop.vib(&["guard"]).ok().code, 0);
    shop.checkpoint("one");
    shop.write("src/new.js", "export const a = 1;\n");
    assert_snapshot!(shop.vib(&["guard"]).ok().text(&shop), @r###"
    PASS: nothing speaks against going on (1 file changed since checkpoint hfwdhbhw of 2026-01-01 12:01:01)
    Risk: low
    "###);
}

#[test]
fn what_is_wrong_has_a_place_a_reason_and_a_fix() {
    let shop = shop();
    shop.write(
        "src/app.test.js",
        "it('adds', () => { expect(add(1)).toBe(2); });\nit('runs', () => { expect(run()).toBe(1); });\n",
    );
    shop.write("keep.py", "# VIBE-KEEP START tax\nRATE = 7\n# VIBE-KEEP END tax\n");
    shop.write("page.py", "# === ANCHOR: TOP_START ===\na = 1\n# === ANCHOR: TOP_END ===\n");
    shop.checkpoint("healthy");
    shop.vib(&["protect", "README.md"]).ok();
    shop.write("README.md", "# Changed\n");
    shop.write("src/cart.js", "let total = ;\nlet count = 0;\n");
    shop.write("src/login.js", "<<<<<<< HEAD\ncheck(user);\n=======\ncheck(me);\n>>>>>>> other\n");
    shop.write("src/app.test.js", "it('adds', () => { expect(true).toBe(true); });\nit.skip('runs', () => { expect(run()).toBe(1); });\n");
    shop.write("keep.py", "# VIBE-KEEP START tax\nRATE = 19\n# VIBE-KEEP END tax\n");
    shop.write("page.py", "# === ANCHOR: TOP_START ===\na = 1\n");
    shop.write("src/api.js", format!("const token = \"{}\";\n", expand("ghp_<an:36>", 1)));
    assert_snapshot!(shop.vib(&["guard"]).text(&shop), @r###"
    stop: README.md  protected-file  a file that a person protected was changed
        fix: look at it with `vib diff -- README.md`; `vib undo` brings it back; if the change is wanted, a person runs `vib protect --remove README.md`
    stop: keep.py:1  keep-region-changed  line 1 is in the keep region `tax` (lines 1 to 3), which must stay as it is
        fix: bring the lines between the `VIBE-KEEP` marks back: `vib diff -- keep.py` shows them
    stop: page.py:1  anchor-broken  the anchor `TOP` has a beginning and no end
        fix: put the missing `=== ANCHOR: TOP_START ===` or `TOP_END` line back, or take the other one out
    stop: src/api.js:1  secret-added  a secret in plain sight was added: GitHub personal, OAuth, app or refresh token (rule github-token)
        fix: take it out (an environment variable, a secret store) and revoke it if it was shared; a line that is meant to be there gets the comment `vibelign: allow-secret`
    stop: src/app.test.js:1  test-weakened  the test `adds` checks nothing any more: what it asserts is always true
        fix: bring its assertions back and repair the code that they test
    stop: src/app.test.js:2  test-skipped  the test `runs` is switched off
        fix: let it run again and repair what makes it fail
    stop: src/cart.js:1  syntax-broken  this was valid JavaScript before and is not any more
        fix: look at the lines around here for a bracket, a quote mark or an indentation that is missing
    stop: src/login.js:1  conflict-markers  two versions of the same lines were left in the file, with the marks of a merge between them
        fix: keep the lines that are right and delete the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`
    STOP: put this right before you go on (7 files changed since checkpoint srkrnshy of 2026-01-01 12:00:01)
    Risk: high: A secret stands in plain sight in src/api.js (and 7 more reasons)
    --- exit 1
    "###);
}

#[test]
fn only_what_is_new_is_judged() {
    let shop = shop();
    shop.write("bad.js", "function (((\n");
    shop.write("old.test.js", "it.skip('x', () => { expect(true).toBe(true); });\n");
    shop.write("key.js", format!("const token = \"{}\";\n", expand("ghp_<an:36>", 1)));
    shop.checkpoint("already so");
    shop.write("bad.js", "function ((( // more\n");
    shop.write("old.test.js", "it.skip('x', () => { expect(true).toBe(true); });\n// note\n");
    shop.write("key.js", format!("// note\nconst token = \"{}\";\n", expand("ghp_<an:36>", 1)));
    assert_eq!(rules(&shop, &[]), Vec::<String>::new());
    shop.write("key.js", format!("const token = \"{}\";\n", expand("ghp_<an:36>", 2)));
    assert_eq!(rules(&shop, &[]), ["stop secret-added key.js:1"]);
}

#[test]
fn secrets_may_be_in_files_that_are_made_for_them_until_they_are_committed() {
    let shop = shop();
    git(&shop, &["init", "-q"]);
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    shop.checkpoint("one");
    shop.write(".env", format!("GH={}\n", expand("ghp_<an:36>", 1)));
    assert_eq!(rules(&shop, &[]), Vec::<String>::new());
    git(&shop, &["add", "-f", ".env"]);
    assert_eq!(rules(&shop, &["--staged"]), ["stop secret-added .env:1"]);
}

#[test]
fn deleted_tests_are_worth_a_look_unless_they_moved() {
    let shop = shop();
    shop.write("tests/a.test.js", "it('adds', () => { expect(add(1)).toBe(2); });\n");
    shop.checkpoint("one");
    shop.remove("tests/a.test.js");
    assert_eq!(rules(&shop, &[]), ["prepare test-deleted tests/a.test.js:null"]);
    assert_eq!(shop.vib(&["guard"]).code, 0, "prepare is no stop");
    shop.write("tests/b.test.js", "// moved\nit('adds', () => { const a = 1; expect(add(a)).toBe(2); });\n");
    assert_eq!(rules(&shop, &[]), Vec::<String>::new());
}

#[test]
fn a_check_that_no_longer_holds_is_named() {
    let shop = shop();
    shop.checkpoint("one");
    shop.vib(&["memory", "verify", "npm test", "--file", "src/cart.js"]).ok();
    assert_eq!(rules(&shop, &[]), Vec::<String>::new());
    shop.write("src/cart.js", "let total = 5;\n");
    assert_eq!(rules(&shop, &[]), ["prepare stale-verification -:null"]);
    shop.vib(&["memory", "verify", "npm test", "--result", "failed"]).ok();
    assert_eq!(rules(&shop, &[]), ["prepare stale-verification -:null"]);
}

#[test]
fn the_projects_own_checks_run_only_when_asked() {
    let empty = empty();
    empty.write("Makefile", "test:\n\t@echo all is well && touch ran\n");
    empty.checkpoint("one");
    let report = empty.data(&["guard"]);
    assert_eq!(report["checks"][0]["status"], "not_run");
    assert!(!empty.exists("ran"));
    let report = empty.data(&["guard", "--run"]);
    assert_eq!(
        (report["checks"][0]["status"].as_str(), report["verdict"].as_str()),
        (Some("passed"), Some("pass"))
    );
    assert!(empty.exists("ran"));
    empty.write("Makefile", "test:\n\t@echo it is broken && false\n");
    let output = empty.vib(&["guard", "--run"]);
    assert_eq!(output.code, 1);
    assert!(output.stdout.contains("failed") && output.stdout.contains("it is broken"), "{}", output.stdout);
}

#[test]
fn sarif_holds_the_same() {
    let shop = shop();
    shop.checkpoint("one");
    shop.write("src/a b.js", format!("const token = \"{}\";\n", expand("ghp_<an:36>", 1)));
    let output = shop.vib(&["guard", "--sarif"]);
    assert_eq!(output.code, 1);
    let sarif = output.json();
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"], "secret-added");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((result["ruleId"].as_str(), result["level"].as_str()), (Some("secret-added"), Some("error")));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a%20b.js");
    assert_eq!(place["region"]["startLine"], 1);
}

#[test]
fn git_runs_it_before_a_commit_if_somebody_wants_that() {
    let shop = shop();
    assert_eq!(shop.error(&["guard", "--install-hook"])["code"], "not_a_git_repository");
    git(&shop, &["init", "-q"]);
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    assert_snapshot!(shop.vib(&["guard", "--install-hook"]).ok().text(&shop), @r###"
    git now runs `vib guard --staged` before every commit (`[base]/project/.git/hooks/pre-commit`; delete that file to switch it off).
    "###);
    assert!(shop.read(".git/hooks/pre-commit").contains("vib guard --staged"));
    assert_eq!(shop.error(&["guard", "--install-hook"])["code"], "hook_exists");
    // Git finds vib where the person's shell finds it.
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_vib")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let commit = |message: &str| {
        let mut command = std::process::Command::new("git");
        command
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qam", message])
            .current_dir(shop.root())
            .env("PATH", &path)
            .env("HOME", shop.base())
            .env("VIBELIGN_STATE", shop.state());
        Sandbox::run(&mut command)
    };
    shop.write("src/cart.js", "let total = 1;\nlet count = 0;\n");
    let output = commit("fine");
    assert_eq!(output.code, 0, "{output:?}");
    shop.write("src/cart.js", "let total = ;\n");
    let output = commit("broken");
    assert_ne!(output.code, 0);
    assert!(output.stderr.contains("stopped by vib guard"), "{output:?}");
}
