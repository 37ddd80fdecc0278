//! What a stranger tripped over on the first day: words that were false, or said nothing.

use testkit::Sandbox;

use super::shop;

/// A machine with three clients whose hooks are installed for the person.
fn connected() -> Sandbox {
    connect(shop())
}

fn connect(shop: Sandbox) -> Sandbox {
    shop.vib(&["init", "--yes", "--client", "claude-code", "--client", "codex", "--client", "gemini"]).ok();
    shop
}

#[test]
fn switched_off_by_the_person_is_said_so_and_nothing_else_m3() {
    let shop = connected();
    shop.vib(&["init", "--off"]).ok();
    for words in [&[][..], &["status"], &["doctor"]] {
        let text = shop.vib(words).stdout;
        assert!(text.contains("Switched off: by you, since 2026-01-01"), "{words:?}: {text}");
        assert!(text.contains("`vib init --on` switches vib on"), "{words:?}: {text}");
        assert!(!text.contains("they do not run"), "{words:?}: {text}");
    }
    for words in [&[][..], &["status"]] {
        let text = shop.vib(words).stdout;
        assert!(!text.contains("approve"), "{words:?}: {text}");
    }
    assert_eq!(shop.data(&[])["next"], "vib init --on");
    shop.vib(&["init", "--on"]).ok();
    assert!(!shop.vib(&["status"]).stdout.contains("Switched off: by you"));
}

#[test]
fn one_command_puts_back_whatever_is_gone() {
    let shop = connected();
    shop.vib(&["init", "--yes", "--client", "copilot", "--scope", "team"]).ok();
    let home = shop.base().join("home");
    for file in [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"] {
        std::fs::remove_file(home.join(file)).unwrap();
    }
    std::fs::remove_dir_all(shop.root().join(".github")).unwrap();
    let told = shop.vib(&["history"]);
    let said = format!("{}{}", told.stdout, told.stderr);
    let commands: Vec<&str> = said.matches("vib init").collect();
    assert_eq!(commands.len(), 1, "{said}");
    assert!(said.contains("`vib init --repair --yes` puts all of them back"), "{said}");
    shop.vib(&["init", "--repair", "--yes"]).ok();
    let told = shop.vib(&["history"]);
    assert!(!format!("{}{}", told.stdout, told.stderr).contains("gone"), "{told:?}");
    assert!(home.join(".codex/hooks.json").exists() && shop.root().join(".github/hooks/vib.json").exists());
}

#[test]
fn in_the_home_folder_the_settings_are_the_persons_own_and_not_gone() {
    // With the clock of tests comes one id for all projects.
    let shop = connect(shop().with_real_clock());
    let home = shop.base().join("home");
    let before = std::fs::read_to_string(home.join(".codex/hooks.json")).unwrap();
    for words in [&["init", "--here", "--yes", "--client", "claude-code"][..], &["status"]] {
        let mut command = shop.command(words);
        let output = Sandbox::run(command.current_dir(&home)).ok();
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(!said.contains("gone from") && !said.contains("shared files"), "{words:?}: {said}");
    }
    assert!(!home.join(".mcp.json").exists());
    assert_eq!(std::fs::read_to_string(home.join(".codex/hooks.json")).unwrap(), before);
    let claude = std::fs::read_to_string(home.join(".claude/settings.json")).unwrap();
    assert!(!claude.contains("--team"), "{claude}");
}

#[test]
fn a_new_folder_is_said_to_be_covered_where_hooks_are_in_place() {
    let shop = connected();
    let fresh = shop.base().join("fresh");
    std::fs::create_dir(&fresh).unwrap();
    let mut command = shop.command(&[]);
    let text = Sandbox::run(command.current_dir(&fresh)).ok().stdout;
    assert!(text.contains("Hooks are in place for Claude Code, Gemini CLI"), "{text}");
    assert!(!text.contains("does not know"), "{text}");
    assert!(!fresh.join(".vibelign").exists(), "looking makes no project");
}

#[test]
fn a_word_that_names_a_folder_saves_only_that_and_says_so() {
    let shop = shop();
    shop.write("tests/a.js", "1\n");
    let text = shop.vib(&["checkpoint", "tests"]).ok().stdout;
    assert!(text.contains("Only `tests` was saved, nothing else."), "{text}");
    assert!(text.contains("`vib checkpoint -m tests`"), "{text}");
    let text = shop.vib(&["checkpoint", "-m", ""]).ok().stdout;
    assert!(!text.contains("“”"), "{text}");
    assert!(!shop.vib(&["status"]).ok().stdout.contains("“”"));
}

#[test]
fn what_is_not_there_is_said_in_words() {
    let shop = shop();
    for (words, code, exit) in [
        (&["memory", "review", "--drop", "nosuch"][..], "no_such_memory", 1),
        (&["show"], "usage", 2),
        (&["secrets", "scan", "nosuch"], "not_there", 3),
        (&["patch", "nosuch.md"], "not_there", 3),
    ] {
        let output = shop.vib(words);
        assert_eq!(output.code, exit, "{words:?}: {output:?}");
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains(&format!("error[{code}]")), "{words:?}: {said}");
        assert!(!said.contains("os error") && !said.contains("Recorded"), "{words:?}: {said}");
    }
}
