//! `vib status`

use insta::assert_snapshot;

use super::shop;

#[test]
fn tells_where_we_stand() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["status"]).text(&shop), @r###"
    Project [base]/project
    Saved by hand only: no agent calls vib here. `vib init` connects your agents
    No checkpoint yet. `vib checkpoint` saves the project as it is now.
    "###);
    shop.checkpoint("good");
    let steady = |text: String| {
        text.lines()
            .map(|line| match line.find(" kept (") {
                Some(at) => format!("{} kept ([size])\n", &line[..at]),
                None => format!("{line}\n"),
            })
            .collect::<String>()
    };
    assert_snapshot!(steady(shop.vib(&["status"]).text(&shop)), @r###"
    Project [base]/project
    Saved by hand only: no agent calls vib here. `vib init` connects your agents
    Last checkpoint hfwdhbhw “good”, 1 minute ago; 1 checkpoint kept ([size])
    Nothing has changed since then.
    Risk: low
    "###);
    shop.write(".gitignore", "build/\n");
    shop.write("build/out", "x");
    shop.write("src/cart.js", "changed\n");
    assert_snapshot!(steady(shop.vib(&["status"]).text(&shop)), @r###"
    Project [base]/project
    Saved by hand only: no agent calls vib here. `vib init` connects your agents
    Last checkpoint hfwdhbhw “good”, 2 minutes ago; 1 checkpoint kept ([size])
    Changed since then and not saved yet:
      new      .gitignore  +1
      changed  src/cart.js  +1 -2
    2 files, 2 lines added, 2 lines removed
    `vib diff` shows the lines, `vib checkpoint` saves, `vib undo` goes back.
    Risk: some: .gitignore holds settings, which change how the whole project works
    4 files looked at; 1 name left out by ignore rules
    "###);
}

#[test]
fn changes_nothing_in_the_store() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("a", "b");
    let before = shop.data(&["store", "stats"]);
    shop.vib(&["status"]).ok();
    shop.vib(&["diff"]).ok();
    shop.vib(&["history"]).ok();
    assert_eq!(shop.data(&["store", "stats"])["contents"], before["contents"]);
    assert_eq!(shop.data(&["history", "--checkpoints"])["groups"].as_array().unwrap().len(), 1);
}

const CALL: &str =
    r#"{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "Add a cart", "cwd": "ROOT"}"#;

fn call(shop: &testkit::Sandbox, client: &str) {
    let payload = CALL.replace("ROOT", &shop.root().display().to_string());
    testkit::Sandbox::run_with_input(&mut shop.command(&["hook", client]), &payload).ok();
}

#[test]
fn t9_without_hooks_a_project_is_saved_by_hand_only() {
    let shop = shop();
    shop.vib(&["init", "--no-hooks"]).ok();
    assert_eq!(shop.data(&["status"])["protection"]["verdict"], "by_hand");
    let said = shop.vib(&["status"]).ok().stdout;
    assert!(said.contains("Saved by hand only: no agent calls vib here."), "{said}");
    let said = shop.vib(&["doctor"]).ok().stdout;
    assert!(said.contains("Saved by hand only") && !said.contains("works"), "{said}");
}

#[test]
fn c4_only_a_real_call_makes_a_project_protected() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    assert_eq!(shop.data(&["status"])["protection"]["verdict"], "never_called");
    // The doctor's own calls are no evidence.
    let said = shop.vib(&["doctor"]).ok().stdout;
    assert!(said.contains("Claude Code never called vib here") && !said.contains("works"), "{said}");
    assert_eq!(shop.data(&["status"])["protection"]["verdict"], "never_called");

    call(&shop, "claude-code");
    let data = shop.data(&["status"]);
    let client = &data["protection"]["clients"][0];
    assert_eq!(data["protection"]["verdict"], "hooks", "{data}");
    assert_eq!((&client["client"], &client["standing"]), (&"claude-code".into(), &"works".into()));
    assert_eq!(client["last_call"]["event"], "UserPromptSubmit");
    assert_eq!(client["last_call"]["session"], "s1");
    let said = shop.vib(&["status"]).ok().stdout;
    assert!(said.contains("Protected by hooks: Claude Code last called vib here"), "{said}");
    let said = shop.vib(&["doctor"]).ok().stdout;
    assert!(said.contains("works: Claude Code last called vib here"), "{said}");
    assert!(said.ends_with("Everything that was looked at works.\n"), "{said}");

    // A call from before an installation proves nothing about it.
    shop.vib(&["init", "--remove", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    assert_eq!(shop.data(&["status"])["protection"]["verdict"], "by_hand");
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    assert_eq!(shop.data(&["status"])["protection"]["verdict"], "never_called");
}

#[test]
fn c4_a_damaged_note_means_never() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    call(&shop, "claude-code");
    std::fs::write(shop.store().join("calls/claude-code.json"), "{").unwrap();
    assert_eq!(shop.data(&["status"])["protection"]["verdict"], "never_called");
}

#[test]
fn t4_s16_hooks_that_were_taken_away_are_said_by_the_next_command() {
    let shop = shop();
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    shop.vib(&["init", "--yes", "--client", "gemini", "--scope", "user"]).ok();
    assert_eq!(shop.vib(&["history"]).ok().stderr, "");
    let settings = shop.base().join("home/.claude/settings.json");
    std::fs::remove_file(&settings).unwrap();

    let back = "vib init --client claude-code --scope user --yes";
    let warning = format!(
        "warning: vib's hooks for Claude Code are gone from ~/.claude/settings.json: `{back}` puts them back\n"
    );
    assert_eq!(shop.vib(&["history"]).ok().stderr, warning);
    let json = shop.vib(&["history", "--json"]).ok().json();
    assert_eq!(json["notices"][0]["notice"], "hooks_gone", "{json}");
    assert_eq!(json["notices"][0]["gone"]["command"], back);
    assert!(shop.vib(&["status"]).ok().stdout.contains(back));
    let doctor = shop.vib(&["doctor"]);
    assert!(doctor.code == 1 && doctor.stdout.contains(back), "{}", doctor.stdout);

    // Another client still calls: its session begins with the same words.
    let start =
        r#"{"session_id": "g1", "hook_event_name": "SessionStart", "source": "startup", "cwd": "ROOT"}"#
            .replace("ROOT", &shop.root().display().to_string());
    let said = testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "gemini"]), &start).ok();
    assert!(said.stdout.contains(back) || said.stderr.contains(back), "{said:?}");

    // Entries in somebody's rewritten file count as well; the command puts them back, and then nothing is said.
    std::fs::write(&settings, "{\"model\": \"opus\"}").unwrap();
    assert_eq!(shop.vib(&["history"]).ok().stderr, warning);
    shop.vib(&["init", "--client", "claude-code", "--scope", "user", "--yes"]).ok();
    assert_eq!(shop.vib(&["history"]).ok().stderr, "");
    let whole = std::fs::read_to_string(&settings).unwrap();
    assert!(whole.contains("opus") && whole.contains("hook claude-code"), "{whole}");

    // Taken out with `--remove`: nobody misses them.
    shop.vib(&["init", "--remove", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    assert_eq!(shop.vib(&["history"]).ok().stderr, "");
}

#[test]
fn t9_vib_alone_says_where_we_stand() {
    let shop = shop();
    let said = shop.vib(&[]).ok().stdout;
    assert!(said.contains("vib does not know this folder yet") && said.contains("vib init"), "{said}");
    assert!(!shop.exists(".vibelign"), "looking makes no project");
    shop.vib(&["init", "--yes", "--client", "claude-code", "--scope", "user"]).ok();
    call(&shop, "claude-code");
    shop.write("src/cart.js", "changed\n");
    let said = shop.vib(&[]).ok().stdout;
    assert!(said.contains("Protected by hooks: Claude Code last called vib here"), "{said}");
    assert!(said.contains("Last request r1 “Add a cart”"), "{said}");
    assert!(said.contains("1 file changed since checkpoint") && said.contains("Risk: "), "{said}");
    assert!(said.contains("Next: `vib checkpoint`") && said.lines().count() <= 10, "{said}");
    assert_eq!(shop.data(&[])["next"], "vib checkpoint");
}
