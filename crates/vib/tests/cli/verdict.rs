//! One verdict at one moment: whatever a person asks, the risk and its first reason are the same. (H3)

use insta::assert_snapshot;
use serde_json::Value;
use testkit::Sandbox;

use super::{empty, shop};

/// Everything that shows the verdict, as a program reads it.
const SURFACES: [&[&str]; 5] = [&["status"], &["explain"], &["guard"], &["recover", "--explain"], &[]];

/// The verdict of each surface; all are held to the first.
fn agreed(project: &Sandbox) -> (String, Option<Value>) {
    let mut all = Vec::new();
    for words in SURFACES {
        // The guard answers "stop" with an exit code.
        let report = project.vib(&[words, &["--json"]].concat()).json();
        let data = if words.is_empty() { &report["data"]["project"] } else { &report["data"] };
        assert!(
            data["risk"].is_string() && data["reasons"].is_array(),
            "{words:?} says no verdict: {report}"
        );
        let (risk, reasons) = (data["risk"].as_str().unwrap(), data["reasons"].as_array().unwrap());
        all.push((words, risk.to_owned(), reasons.clone()));
    }
    let (_, risk, reasons) = all[0].clone();
    for (words, other, why) in &all[1..] {
        assert_eq!((other, why), (&risk, &reasons), "{words:?} and `vib status` disagree");
    }
    // And as a person reads it.
    let level = match risk.as_str() {
        "low" => "low",
        "medium" => "some",
        _ => "high",
    };
    let line = |words: &[&str]| {
        let text = project.vib(words).stdout;
        let line = text.lines().find(|line| line.starts_with("Risk: ")).map(str::to_owned);
        assert!(line.is_some(), "{words:?}: {text}");
        line.unwrap()
    };
    let said = line(&["status"]);
    assert!(said.starts_with(&format!("Risk: {level}")), "{said}");
    for words in [&["guard"][..], &["recover", "--explain"], &[]] {
        assert_eq!(line(words), said, "{words:?}");
    }
    (risk, reasons.first().cloned())
}

fn first(project: &Sandbox) -> String {
    let (risk, first) = agreed(project);
    let Some(first) = first else { return risk };
    let subject = ["path", "command"].iter().find_map(|key| first[key].as_str());
    let subject = subject.or_else(|| first["paths"][0].as_str()).unwrap_or_default();
    format!("{risk} {} {subject}", first["why"].as_str().unwrap())
}

fn hook(project: &Sandbox, event: &str, more: &str) -> String {
    let root = project.root().display().to_string();
    let payload = format!(r#"{{"session_id": "s1", "hook_event_name": "{event}", "cwd": "{root}"{more}}}"#);
    Sandbox::run_with_input(&mut project.command(&["hook", "claude-code"]), &payload).ok().stdout
}

fn prompt(project: &Sandbox, words: &str) {
    hook(project, "UserPromptSubmit", &format!(r#", "prompt": "{words}""#));
}

/// A command of the agent, with what it does in between; says whether it was let through.
fn command(project: &Sandbox, line: &str, does: impl FnOnce()) {
    let input =
        format!(r#", "tool_name": "Bash", "tool_use_id": "t-{line}", "tool_input": {{"command": "{line}"}}"#);
    hook(project, "PreToolUse", &input);
    does();
    hook(project, "PostToolUse", &format!(r#"{input}, "tool_response": {{"stdout": ""}}"#));
}

fn write(project: &Sandbox, path: &str, text: &str) -> bool {
    let file = project.root().join(path).display().to_string();
    let content = serde_json::to_string(text).unwrap();
    let input = format!(
        r#", "tool_name": "Write", "tool_use_id": "w-{}", "tool_input": {{"file_path": "{file}", "content": {content}}}"#,
        text.len()
    );
    let refused = hook(project, "PreToolUse", &input).contains("deny");
    if !refused {
        project.write(path, text);
        hook(project, "PostToolUse", &format!(r#"{input}, "tool_response": {{"success": true}}"#));
    }
    !refused
}

fn site() -> Sandbox {
    let site = empty();
    site.write("src/index.js", "import { login } from './auth';\nlogin();\n");
    site.write("src/auth.js", "export function login() {\n  return true;\n}\n");
    site.write("src/note.js", "export const note = 1;\n");
    site.write("tests/auth.test.js", "it('logs in', () => { expect(login()).toBe(true); });\n");
    site.write("README.md", "# Site\n");
    site.checkpoint("works");
    site
}

#[test]
fn h3_nothing_changed() {
    assert_eq!(first(&site()), "low");
}

#[test]
fn h3_a_harmless_change() {
    let site = site();
    site.write("README.md", "# Site\n\nMore.\n");
    assert_eq!(first(&site), "low");
}

#[test]
fn h3_a_file_is_gone() {
    let site = site();
    site.remove("src/note.js");
    assert_eq!(first(&site), "medium lost src/note.js");
    // One that others still need weighs more.
    site.remove("src/auth.js");
    assert_eq!(first(&site), "high file_still_used src/auth.js");
    // And three weigh by themselves.
    site.remove("README.md");
    assert_eq!(first(&site), "high lost README.md");
}

#[test]
fn h3_what_was_asked_for_is_no_loss() {
    let site = site();
    prompt(&site, "please delete the note module");
    command(&site, "rm src/note.js", || site.remove("src/note.js"));
    assert_eq!(first(&site), "low");
}

#[test]
fn h3_broken_syntax() {
    let site = site();
    site.write("src/note.js", "export const note = ;\n");
    assert_eq!(first(&site), "high unparseable src/note.js");
}

#[test]
fn h3_an_emptied_file() {
    let site = site();
    site.write("src/note.js", "");
    assert_eq!(first(&site), "high emptied src/note.js");
}

#[test]
fn h3_a_weakened_test() {
    let site = site();
    site.write("tests/auth.test.js", "it('logs in', () => { expect(true).toBe(true); });\n");
    assert_eq!(first(&site), "high test_weakened tests/auth.test.js");
}

#[test]
fn h3_a_protected_file() {
    let site = site();
    site.vib(&["protect", "README.md"]).ok();
    site.write("README.md", "# Changed\n");
    assert_eq!(first(&site), "high protected README.md");
}

#[test]
fn h3_a_check_that_failed_and_one_that_does_not_count_any_more() {
    let site = site();
    site.vib(&["memory", "verify", "npm test", "--result", "failed", "--file", "src/auth.js"]).ok();
    assert_eq!(first(&site), "high check_failed npm test");
    site.write("src/auth.js", "export function login() {\n  return 1 == 1;\n}\n");
    assert_eq!(first(&site), "medium check_stale npm test");
}

#[test]
fn h3_after_a_request_and_after_undo() {
    let site = site();
    prompt(&site, "make the login nicer");
    command(&site, "rm src/auth.js", || site.remove("src/auth.js"));
    assert_eq!(first(&site), "high file_still_used src/auth.js");
    // What the request took away is the last thing that happened.
    assert_eq!(site.data(&[])["next"], "vib undo");
    site.vib(&["undo", "--yes"]).ok();
    assert_eq!(first(&site), "low");
    assert_ne!(site.data(&[])["next"], "vib undo");
}

#[test]
fn h3_an_agent_that_rests_because_it_ran_in_circles() {
    let shop = shop();
    shop.checkpoint("works");
    for round in 0..6 {
        prompt(&shop, "fix it");
        if !write(&shop, "src/cart.js", &format!("let total = ({round}{};\n", "+1".repeat(round))) {
            break;
        }
    }
    assert!(!shop.data(&["spiral", "status"])["resting"].as_array().unwrap().is_empty());
    let status = shop.data(&["status"]);
    let circling = |reason: &Value| reason["why"] == "circling" && reason["path"] == "src/cart.js";
    assert!(status["reasons"].as_array().unwrap().iter().any(circling), "{status}");
    assert_eq!(agreed(&shop).0, "high");
    shop.vib(&["spiral", "resume"]).ok();
    let status = shop.data(&["status"]);
    assert!(!status["reasons"].as_array().unwrap().iter().any(circling), "{status}");
}

#[test]
fn h3_very_many_changes_are_bounded_and_what_was_not_read_is_said() {
    let many = empty();
    for number in 0..420 {
        many.write(&format!("src/f{number}.js"), format!("export const a{number} = 1;\n"));
    }
    many.checkpoint("works");
    for number in 0..420 {
        many.write(&format!("src/f{number}.js"), format!("export const a{number} = 2;\n"));
    }
    assert_eq!(first(&many), "medium many_files ");
    let status = many.data(&["status"]);
    assert_eq!(status["files_changed"], 420);
    assert_eq!(status["not_looked_at"]["changed_files"], 120);
    let text = many.vib(&["status"]).ok().stdout;
    assert!(text.contains("120 changed files were not looked into"), "{text}");
}

#[test]
fn vib_alone_says_where_we_stand_in_about_ten_lines() {
    let site = site();
    site.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    prompt(&site, "make the login nicer");
    command(&site, "rm src/auth.js", || site.remove("src/auth.js"));
    hook(
        &site,
        "PreToolUse",
        r#", "tool_name": "Bash", "tool_use_id": "t9", "tool_input": {"command": "npm test"}"#,
    );
    let said = site.vib(&[]).ok();
    assert!(said.stdout.lines().count() <= 10, "{}", said.stdout);
    // How often a hook looks at the clock, which steps a second each time here, depends on how busy the machine is.
    let told = said.text(&site);
    let (first, rest) = told.split_once("last called vib here ").expect("who called");
    let told = format!("{first}last called vib here … ago{}", rest.split_once(" ago").expect("when").1);
    assert_snapshot!(told, @r###"
    [base]/project
    Protected by hooks: Claude Code last called vib here … ago
    At work: Claude Code on r1 (begun 3 minutes ago); runs `npm test`, begun 1 minute ago
    Last request r1 “make the login nicer”  Claude Code, 3 minutes ago
    1 file changed since r1 began: +0 -3
    Risk: high: src/auth.js is gone, but still needed by src/index.js
    Next: `vib undo` shows how to take the last request back, and asks first
    `vib --help` lists all commands
    "###);
    let data = site.data(&[]);
    assert_eq!(data["project"]["at_work"][0]["running"]["what"], "npm test");
    assert_eq!(data["project"]["last_request"]["prompt"], "make the login nicer");
}
