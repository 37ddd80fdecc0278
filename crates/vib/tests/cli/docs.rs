//! `docs/cli.md` and `docs/config.md` say what the program does. `VIB_UPDATE_DOCS=1` writes them anew.

use std::path::Path;

use super::empty;

const COMMANDS: &[&[&str]] = &[
    &[],
    &["init"],
    &["status"],
    &["checkpoint"],
    &["history"],
    &["show"],
    &["diff"],
    &["why"],
    &["bisect"],
    &["lane"],
    &["lane", "new"],
    &["lane", "list"],
    &["lane", "diff"],
    &["lane", "open"],
    &["lane", "merge"],
    &["lane", "drop"],
    &["land"],
    &["run"],
    &["run", "list"],
    &["run", "show"],
    &["run", "apply"],
    &["run", "revert"],
    &["run", "replay"],
    &["run", "drop"],
    &["run", "stop"],
    &["report"],
    &["undo"],
    &["redo"],
    &["explain"],
    &["guard"],
    &["protect"],
    &["fence"],
    &["fence", "allow"],
    &["fence", "list"],
    &["fence", "probe"],
    &["scan"],
    &["anchor"],
    &["anchor", "list"],
    &["anchor", "add"],
    &["anchor", "check"],
    &["recover"],
    &["recover", "feedback"],
    &["approve"],
    &["patch"],
    &["mcp"],
    &["mcp", "serve"],
    &["mcp", "grant"],
    &["mcp", "revoke"],
    &["mcp", "grants"],
    &["pin"],
    &["unpin"],
    &["lesson"],
    &["lesson", "add"],
    &["lesson", "list"],
    &["lesson", "pin"],
    &["lesson", "unpin"],
    &["lesson", "remove"],
    &["secrets"],
    &["secrets", "scan"],
    &["redact"],
    &["audit"],
    &["audit", "show"],
    &["audit", "slo"],
    &["audit", "metrics"],
    &["store"],
    &["store", "check"],
    &["store", "gc"],
    &["store", "stats"],
    &["store", "list"],
    &["store", "export"],
    &["judge"],
    &["memory"],
    &["memory", "show"],
    &["memory", "intent"],
    &["memory", "decide"],
    &["memory", "next"],
    &["memory", "risk"],
    &["memory", "relevant"],
    &["memory", "verify"],
    &["memory", "recall"],
    &["memory", "policy"],
    &["memory", "policy", "log"],
    &["memory", "policy", "revert"],
    &["memory", "review"],
    &["memory", "triggers"],
    &["memory", "triggers", "accept"],
    &["memory", "triggers", "dismiss"],
    &["memory", "triggers", "snooze"],
    &["memory", "answer"],
    &["memory", "ask"],
    &["memory", "promote"],
    &["memory", "tiers"],
    &["memory", "import"],
    &["memory", "export"],
    &["memory", "compact"],
    &["memory", "rebuild"],
    &["verify"],
    &["stop"],
    &["stop", "pass"],
    &["stop", "accept"],
    &["role"],
    &["role", "set"],
    &["role", "clear"],
    &["transfer"],
    &["serve"],
    &["spiral"],
    &["spiral", "status"],
    &["spiral", "resume"],
    &["drive"],
    &["providers"],
    &["providers", "list"],
    &["providers", "check"],
    &["providers", "explain"],
    &["acp"],
    &["hook"],
    &["config"],
    &["config", "list"],
    &["config", "get"],
    &["config", "set"],
    &["lock"],
    &["lock", "status"],
    &["lock", "set"],
    &["lock", "remove"],
    &["doctor"],
    &["demo"],
    &["completions"],
    &["man"],
];

fn compare(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("VIB_UPDATE_DOCS").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == text,
        "docs/{name} is out of date: run VIB_UPDATE_DOCS=1 cargo test -p vib --test cli docs"
    );
}

#[test]
fn the_command_reference_is_true() {
    let project = empty();
    let mut text =
        "# Commands\n\nGenerated from the program; every command also takes the options of `vib` itself.\n"
            .to_owned();
    for words in COMMANDS {
        let mut arguments = vec!["help"];
        arguments.extend_from_slice(words);
        let help = project.vib(&arguments).ok().stdout;
        let help: String = help.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        let title = [&["vib"], *words].concat().join(" ");
        text.push_str(&format!("\n## `{title}`\n\n```text\n{}\n```\n", help.trim_end()));
    }
    compare("cli.md", &text);
    // Nothing is missing from the list above.
    let top = project.vib(&["help"]).ok().stdout;
    let listed =
        top.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for command in listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(COMMANDS.iter().any(|words| words.first() == Some(&command)), "{command} has no entry");
    }
}

#[test]
fn the_settings_reference_is_true() {
    let project = empty();
    let mut text = "# Settings\n\nGenerated from the program. `vib config set NAME VALUE` changes your own settings, \
        `--project` those of one project.\nA project's file can be written by an agent, so it may only tighten what \
        protects you: lists grow, limits rise.\n\n\
        A team commits `vibelign.toml` in the project's root. It comes with every clone, so it may only tighten: settings of this\n\
        table that ask for more care, `[protect] paths = [\"db/migrations\"]` (files that agents may not change, like those of `vib protect`: [guard.md](guard.md)), and\n\
        `[[policy.deny]]` and `[[policy.ask]]` ([judge.md](judge.md)). Everything else in it is named in a warning and not used.\n\n\
        Providers of models are sections of your own file, `[run.providers.NAME]`: [providers.md](providers.md).\n\n| setting | built in | what it is for |\n| --- | --- | --- |\n".to_owned();
    for setting in project.data(&["config", "list"]).as_array().unwrap() {
        let name = setting["name"].as_str().unwrap();
        let value = project.vib(&["config", "get", name]).ok().stdout;
        text.push_str(&format!("| `{name}` | `{}` | {} |\n", value.trim(), setting["doc"].as_str().unwrap()));
    }
    compare("config.md", &text);
}
