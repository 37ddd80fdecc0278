//! What holds for every command

use super::shop;

#[test]
fn colours_only_where_they_belong() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "x\n");
    assert!(!shop.vib(&["diff"]).stdout.contains('\x1b'), "not a terminal");
    assert!(shop.vib(&["diff", "--color", "always"]).stdout.contains('\x1b'));
    let quiet = testkit::Sandbox::run(shop.command(&["diff", "--color", "always"]).env("NO_COLOR", "1"));
    assert!(!quiet.stdout.contains('\x1b'), "NO_COLOR wins");
    shop.vib(&["config", "set", "ui.color", "always"]).ok();
    assert!(shop.vib(&["diff"]).stdout.contains('\x1b'));
    assert!(!shop.vib(&["diff", "--color", "never"]).stdout.contains('\x1b'));
}

#[test]
fn exit_codes_are_as_documented() {
    let shop = shop();
    assert_eq!(shop.vib(&["checkpoint"]).code, 0);
    assert_eq!(shop.vib(&["show", "zzzz"]).code, 1);
    assert_eq!(shop.vib(&["no-such-command"]).code, 2);
    assert_eq!(shop.vib(&["undo", "--yes", "--dry-run"]).code, 2);
    shop.replace_index(b"rubbish");
    assert_eq!(shop.vib(&["history"]).code, 3);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let shop = shop();
    shop.checkpoint("good");
    let mut child = shop.command(&["show", "--help"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().code().is_some());
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let shop = shop();
    for shell in ["bash", "zsh", "fish"] {
        let script = shop.vib(&["completions", shell]).ok().stdout;
        for command in ["checkpoint", "history", "undo", "export"] {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    assert!(shop.vib(&["man"]).ok().stdout.contains(".TH vib"));
    assert!(shop.vib(&["man", "store", "export"]).ok().stdout.contains("git"));
    assert_eq!(shop.vib(&["man", "nonsense"]).code, 2);
}

#[test]
fn help_is_there_for_every_command() {
    let shop = shop();
    let help = shop.vib(&["help"]).ok().stdout;
    for command in [
        "init",
        "status",
        "checkpoint",
        "history",
        "show",
        "diff",
        "undo",
        "redo",
        "pin",
        "store",
        "config",
        "demo",
    ] {
        assert!(help.contains(command), "{command}");
        assert!(shop.vib(&["help", command]).ok().stdout.contains("Usage"), "{command}");
    }
}

#[test]
fn another_folder_can_be_named() {
    let shop = shop();
    let output = testkit::Sandbox::run(
        shop.command(&["-C", shop.root().to_str().unwrap(), "checkpoint"]).current_dir("/"),
    )
    .ok();
    assert!(output.stdout.contains("Saved checkpoint"));
    let output =
        testkit::Sandbox::run(shop.command(&["-C", "/no/such/folder", "status", "--json"]).current_dir("/"));
    assert_eq!(output.json()["error"]["code"], "io");
}
