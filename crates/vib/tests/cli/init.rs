//! `vib init` (CP7)

use insta::assert_snapshot;

use super::shop;

#[test]
fn prepares_once_and_keeps_out_of_git() {
    let shop = shop();
    shop.shell("git init -q .");
    assert_snapshot!(shop.vib(&["init", "--yes"]).text(&shop), @r###"
    This project is protected now: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Saved checkpoint srkrnshy (3 files looked at, 4 paths changed)
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    "###);
    assert_snapshot!(shop.vib(&["init"]).text(&shop), @r###"
    This project is already protected: [base]/project
    Checkpoints are kept in [base]/state/projects/[id]
    Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
    "###);
    let status = std::process::Command::new("git")
        .args(["status", "--porcelain"])
        .current_dir(shop.root())
        .output()
        .unwrap();
    assert!(!String::from_utf8_lossy(&status.stdout).contains(".vibelign"));
}

#[test]
fn the_home_folder_is_refused_and_here_insists() {
    let shop = shop();
    let home = shop.base().join("home");
    let output = testkit::Sandbox::run(shop.command(&["checkpoint", "--json"]).current_dir(&home));
    assert_eq!(output.json()["error"]["code"], "root_too_wide");
    let inner = shop.root().join("src");
    shop.vib(&["init"]).ok();
    let output = testkit::Sandbox::run(shop.command(&["init", "--here", "--json"]).current_dir(&inner)).ok();
    assert!(output.json()["data"]["root"].as_str().unwrap().ends_with("/src"));
}

#[test]
fn a_clone_elsewhere_can_adopt_the_checkpoints_cp7() {
    let shop = shop();
    let id = shop.data(&["init"])["id"].as_str().unwrap().to_owned();
    let clone = shop.base().join("clone");
    std::fs::rename(shop.root(), shop.base().join("gone")).unwrap();
    std::fs::remove_dir_all(shop.base().join("gone")).unwrap();
    std::fs::create_dir(&clone).unwrap();
    testkit::Sandbox::run(shop.command(&["init", "--adopt", &id]).current_dir(&clone)).ok();
    testkit::Sandbox::run(shop.command(&["undo", "--yes"]).current_dir(&clone)).ok();
    assert_eq!(std::fs::read_to_string(clone.join("README.md")).unwrap(), "# Shop\n");
    let output =
        testkit::Sandbox::run(shop.command(&["init", "--adopt", "no-such", "--json"]).current_dir(&clone));
    assert_eq!(output.json()["error"]["code"], "unknown_project");
}

#[test]
fn the_state_folder_is_private_cp7() {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop();
    shop.vib(&["init"]).ok();
    for folder in [shop.state(), shop.store(), shop.store().join("packs")] {
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", folder.display());
    }
}

#[test]
fn a_state_folder_inside_the_project_is_refused() {
    let shop = shop();
    let output = testkit::Sandbox::run(
        shop.command(&["init", "--json"]).env("VIBELIGN_STATE", shop.root().join("state")),
    );
    assert_eq!(output.json()["error"]["code"], "state_inside_project");
}
