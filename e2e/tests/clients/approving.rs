//! A client is about to ask the person, and vib knows their answer: the real clients take it. (G1)

use testkit::model::Step;
use vib_e2e::{Client, ClientRun, Leave};

const MAKEFILE: &str = "tick:\n\ttouch tick.txt\ntock:\n\ttouch tock.txt\n";

/// A client that asks about every command, with vib, and a person who allowed one of the two.
fn asking(client: Client, leave: Leave) -> ClientRun {
    let run = ClientRun::new(client, &[("Makefile", MAKEFILE)]).with_vib().with_leave(leave);
    let folder = run.sandbox.base().join("config");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("policy.toml"), "[[allow]]\ncommand = 'make tick'\n").expect("a policy");
    run
}

fn both(run: &ClientRun) -> (bool, bool) {
    run.prompt("Do it.", [Step::bash("make tick"), Step::bash("make tock"), Step::say("Done.")]);
    (run.sandbox.exists("tick.txt"), run.sandbox.exists("tock.txt"))
}

fn only_what_is_on_the_list_runs(client: Client, leave: &Leave) {
    let run = asking(client, leave.clone());
    assert_eq!(both(&run), (true, false), "only what the person allowed runs");
    let history = run.sandbox.vib(&["history", "--json"]).ok().stdout;
    assert_eq!(history.matches("approved by vib in your place").count(), 1, "{history}");
    let run = asking(client, leave.clone());
    run.sandbox.vib(&["config", "set", "guard.approve", "off"]).ok();
    assert_eq!(both(&run), (false, false), "nobody answers for the person");
}

#[test]
fn claude_code_takes_the_persons_list_for_a_yes_g1() {
    only_what_is_on_the_list_runs(Client::ClaudeCode, &Leave::Words(&["--permission-mode", "default"]));
}

#[test]
fn copilot_takes_the_persons_list_for_a_yes_g1() {
    only_what_is_on_the_list_runs(Client::Copilot, &Leave::AsItComes);
}

#[test]
fn claude_codes_own_deny_rules_come_first_g1() {
    const DENY: &[&str] =
        &["--permission-mode", "default", "--settings", r#"{"permissions":{"deny":["Bash(make tick)"]}}"#];
    let run = asking(Client::ClaudeCode, Leave::Words(DENY));
    assert_eq!(both(&run), (false, false));
}
