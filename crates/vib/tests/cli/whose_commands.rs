//! Who may run which of vib's own commands: the judge in a hook and the program itself say the same, for every command there is

use std::collections::BTreeSet;

use testkit::Sandbox;

use super::person::by_claude;
use super::shop;

/// Who may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The judge lets it pass, the program does not ask for a person.
    Anybodys,
    /// The judge denies it, the program says `needs_person`.
    Persons,
    /// The judge has the person asked; after their yes the program does it.
    AfterAYes,
    /// An entrance for clients, or it starts an agent: no agent comes in there unasked. The program is called by those and has to answer.
    Clients,
}

use Whose::{AfterAYes, Anybodys, Clients, Persons};

/// At least one line for every command and sub-command. What other versions know (`run`, `board`, `providers`) stands here already.
const LINES: &[(Whose, &str)] = &[
    (Anybodys, "init --no-hooks --yes"),
    (Anybodys, "init --remove --dry-run"),
    (Persons, "init --remove --yes"),
    (Persons, "init --off"),
    (Persons, "init --adopt 0123456789abcdef --yes"),
    (Anybodys, "status"),
    (Anybodys, "checkpoint -m x"),
    (Anybodys, "history"),
    (Anybodys, "show s1"),
    (Anybodys, "diff"),
    (Anybodys, "why README.md:1"),
    (Anybodys, "report"),
    (Anybodys, "bisect -- true"),
    (Anybodys, "lane new b"),
    (Anybodys, "lane list --all"),
    (Anybodys, "lane diff L --stat"),
    (Anybodys, "lane open L"),
    (Anybodys, "lane merge L"),
    (Anybodys, "lane land L --dry-run --no-check"),
    (Anybodys, "land L --dry-run --no-check"),
    (Persons, "land L"),
    (Persons, "land L --yes --drop"),
    (Persons, "lane land L --yes"),
    (Persons, "lane drop L"),
    (Persons, "lane drop L --force"),
    (Anybodys, "undo --dry-run"),
    (Persons, "undo"),
    (Persons, "undo --yes"),
    (Persons, "rollback --yes"),
    (Persons, "restore --yes"),
    (Anybodys, "redo --dry-run"),
    (Persons, "redo --yes"),
    (Anybodys, "explain"),
    (Anybodys, "guard"),
    (Persons, "guard --install-hook"),
    (Anybodys, "protect README.md"),
    (Anybodys, "protect --list"),
    (Persons, "protect --remove README.md"),
    (Anybodys, "fence list"),
    (Anybodys, "fence probe"),
    (Persons, "fence allow notes --always"),
    (Anybodys, "fence allow notes --remove"),
    (Clients, "fence shell /x -- bash -c make"),
    (Anybodys, "scan"),
    (Anybodys, "anchor list"),
    (Anybodys, "anchor check"),
    (Anybodys, "anchor add src/login.js LOGIN 1 --yes"),
    (Anybodys, "recover"),
    (Anybodys, "recover it broke"),
    (Anybodys, "recover --preview --file src/cart.js"),
    (Persons, "recover --apply"),
    (Persons, "recover --file src/cart.js"),
    (Persons, "recover --plan 0a1b --yes"),
    (Persons, "recover --return --yes"),
    (Persons, "recover feedback src/cart.js --wrong"),
    (Anybodys, "approve"),
    (Persons, "approve k3f9"),
    (Anybodys, "patch fix.diff --dry-run"),
    (Persons, "patch fix.diff"),
    (Persons, "patch fix.diff --yes --no-keep-regions --reason x"),
    (Anybodys, "mcp grants"),
    (Persons, "mcp grant claude-code recovery_apply"),
    (Persons, "mcp revoke claude-code"),
    (Clients, "mcp serve"),
    (Anybodys, "pin CHECKPOINT"),
    (Persons, "unpin CHECKPOINT"),
    (Anybodys, "lesson add 'Read a file before you edit it'"),
    (Anybodys, "lesson list"),
    (Anybodys, "lesson pin 1"),
    (Anybodys, "lesson unpin 1"),
    (Anybodys, "lesson remove 1"),
    (Persons, "lesson keep --all"),
    (Anybodys, "secrets scan"),
    (Anybodys, "secrets allow"),
    (Persons, "secrets scan --write-baseline"),
    (Persons, "secrets allow lusab-babad-gutih"),
    (Anybodys, "redact"),
    (Anybodys, "audit show"),
    (Anybodys, "audit slo"),
    (Anybodys, "audit metrics"),
    (Anybodys, "store check"),
    (Anybodys, "store stats"),
    (Anybodys, "store list"),
    (AfterAYes, "store gc"),
    (AfterAYes, "store export out"),
    (Anybodys, "judge ls"),
    (Anybodys, "memory"),
    (Anybodys, "memory show"),
    (Anybodys, "memory recall cart"),
    (Anybodys, "memory ask why"),
    (Anybodys, "memory tiers"),
    (Anybodys, "memory preview"),
    (Anybodys, "memory policy"),
    (Anybodys, "memory policy log"),
    (AfterAYes, "memory policy revert 1"),
    (Anybodys, "memory review"),
    (Persons, "memory review --intent x"),
    (Persons, "memory review --drop-next"),
    (Anybodys, "memory triggers"),
    (Persons, "memory triggers accept no_decisions"),
    (Persons, "memory triggers dismiss no_decisions"),
    (Persons, "memory triggers snooze no_decisions"),
    (Persons, "memory intent 'the cart'"),
    (Persons, "memory decide 'use tabs'"),
    (Persons, "memory decide --scope global 'use tabs'"),
    (Persons, "memory next 'write a test'"),
    (Persons, "memory risk 'the totals'"),
    (Persons, "memory relevant README.md"),
    (Persons, "memory verify 'npm test'"),
    (Persons, "memory keep k1"),
    (Persons, "memory pin k1"),
    (Persons, "memory change k1 x"),
    (Persons, "memory drop k1"),
    (Persons, "memory promote k1"),
    (Persons, "memory import --notes"),
    (AfterAYes, "memory answer why because"),
    (Anybodys, "memory export"),
    (Persons, "memory export --raw all.jsonl"),
    (AfterAYes, "memory compact"),
    (AfterAYes, "memory rebuild"),
    (Anybodys, "memory rebuild --dry-run"),
    (Anybodys, "verify"),
    (Anybodys, "stop accept"),
    (Persons, "stop accept 1"),
    (Persons, "stop pass"),
    (Persons, "role set --session s1 musician"),
    (Persons, "role clear --session s1"),
    (Anybodys, "transfer --handoff --print"),
    (Anybodys, "transfer --handoff --yes"),
    (Anybodys, "transfer --handoff"),
    (Persons, "serve"),
    (Anybodys, "spiral"),
    (Anybodys, "spiral status"),
    (Persons, "spiral resume"),
    (Clients, "drive codex 'tidy up'"),
    (Clients, "acp -- gemini --acp"),
    (Clients, "hook claude-code"),
    (Anybodys, "config list"),
    (Anybodys, "config get guard.covered"),
    (Anybodys, "config set ui.language en"),
    (Persons, "config set guard.covered allow"),
    (Anybodys, "lock"),
    (Anybodys, "lock status"),
    (Persons, "lock set"),
    (Persons, "lock remove"),
    (Anybodys, "doctor"),
    (Anybodys, "demo --help"),
    (Anybodys, "completions bash"),
    (Anybodys, "man"),
    (Anybodys, "run list"),
    (Anybodys, "run show run1"),
    (Persons, "run 'make the cart faster'"),
    (Persons, "run apply run1"),
    (Persons, "run revert run1"),
    (Persons, "run replay run1"),
    (Persons, "run drop run1"),
    (Persons, "run stop run1"),
    (Persons, "run resume run1"),
    (Anybodys, "run attach run1"),
    (Anybodys, "board"),
    (Anybodys, "providers list"),
    (Anybodys, "providers explain"),
    (AfterAYes, "providers check"),
];

/// The words of a line as the shell would see them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (Vec::new(), false);
    for part in line.split('\'') {
        match quoted {
            true => words.push(part.to_owned()),
            false => words.extend(part.split_whitespace().map(str::to_owned)),
        }
        quoted = !quoted;
    }
    words
}

/// Every command and sub-command that help names, without those that only hold others.
fn commands(shop: &Sandbox, above: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut asked: Vec<&str> = above.iter().map(String::as_str).collect();
    asked.push("-h");
    let text = shop.vib(&asked).stdout;
    let named = text.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let named = named.take_while(|line| line.starts_with(' '));
    let names: Vec<&str> = named
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    if names.is_empty() {
        found.insert(above.to_vec());
    }
    for name in names {
        commands(shop, &[above, &[name.to_owned()]].concat(), found);
    }
}

#[test]
fn every_command_of_the_program_is_in_the_table() {
    let shop = shop();
    let mut all = BTreeSet::new();
    commands(&shop, &[], &mut all);
    assert!(
        all.len() > 90 && all.iter().any(|words| words[..] == ["lane".to_owned(), "drop".to_owned()]),
        "{all:?}"
    );
    let lines: Vec<Vec<String>> = LINES.iter().map(|(_, line)| words(line)).collect();
    let missing: Vec<&Vec<String>> =
        all.iter().filter(|command| !lines.iter().any(|line| line.starts_with(command))).collect();
    assert!(missing.is_empty(), "say whose these are, here and in crates/shell/tables/own.txt: {missing:?}");
}

#[test]
fn the_judge_says_whose_a_command_is() {
    let shop = shop();
    shop.checkpoint("before");
    let mut wrong = Vec::new();
    for (whose, line) in LINES {
        let answer = shop.vib(&["judge", "--json", &format!("vib {line}")]).json();
        let decision = answer["data"]["decision"].as_str().unwrap_or_default().to_owned();
        let right = match whose {
            Anybodys => decision.starts_with("allow"),
            Persons => decision == "deny" && answer.to_string().contains("persons_answer"),
            AfterAYes => decision == "ask",
            Clients => decision == "ask" || decision == "deny",
        };
        if !right {
            wrong.push(format!("{whose:?}, but {decision}: vib {line}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_program_says_the_same_as_the_judge() {
    let shop = shop();
    let pinned = shop.checkpoint("before");
    shop.vib(&["pin", &pinned]).ok();
    shop.vib(&["protect", "README.md"]).ok();
    shop.vib(&["lane", "new", "L"]).ok();
    shop.write("src/cart.js", "broken\n");
    let change = "--- a/src/login.js\n+++ b/src/login.js\n@@ -1 +1 @@\n-check(user);\n+check(all);\n";
    shop.write("fix.diff", change);
    let mut known = BTreeSet::new();
    commands(&shop, &[], &mut known);
    // Aliases, and what help does not name.
    let is_known = |first: &str| {
        known.iter().any(|command| command[0] == first) || matches!(first, "rollback" | "restore" | "blame")
    };
    let mut wrong = Vec::new();
    for (whose, line) in LINES {
        let mut typed = words(line);
        if *whose == Clients || !is_known(&typed[0]) {
            continue;
        }
        typed.iter_mut().filter(|word| *word == "CHECKPOINT").for_each(|word| word.clone_from(&pinned));
        // What is run by `--` and what prints by itself knows no such option behind its words.
        typed.insert(0, "--json".to_owned());
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let output = by_claude(&shop, &typed);
        let refused = output.stdout.contains("\"needs_person\"") || output.stderr.contains("needs_person");
        let misread = output.code == 2;
        if refused != (*whose == Persons) || misread && *whose == Persons {
            wrong.push(format!("{whose:?}: vib {line}: {} {} {}", output.code, output.stdout, output.stderr));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(shop.read("src/cart.js"), "broken\n");
}
