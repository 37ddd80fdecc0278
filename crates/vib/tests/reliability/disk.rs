//! Full disks and folders that cannot be written: a clear error, nothing lost

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use testkit::{Photo, Sandbox};

use super::sandbox;

/// Runs vib where no file may grow beyond `blocks` × 512 bytes: writing fails as on a full disk.
fn with_little_space(project: &Sandbox, blocks: u32, arguments: &[&str]) -> testkit::Output {
    let vib = project.command(arguments);
    let mut command = Command::new("sh");
    // The signal is ignored, so that the write fails instead of ending the process.
    command
        .arg("-c")
        .arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""))
        .arg(vib.get_program());
    command.args(vib.get_args()).current_dir(project.root()).env_clear();
    for (name, value) in vib.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    Sandbox::run(&mut command)
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let project = sandbox();
    project.write("a.txt", "saved before\n");
    let good = project.checkpoint("good");
    let noise: Vec<u8> =
        (0..4_000_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    project.write("big.bin", &noise);
    let output = with_little_space(&project, 1000, &["checkpoint", "--json"]);
    assert_eq!(output.code, 3, "{}", output.stdout);
    let error = output.json()["error"].clone();
    assert!(["disk_full", "database"].contains(&error["code"].as_str().unwrap()), "{error}");
    project.vib(&["store", "check"]).ok();
    // With space again, everything works, and the old checkpoint is there.
    project.checkpoint("now it fits");
    project.write("a.txt", "changed\n");
    project.vib(&["undo", &good, "a.txt", "--yes"]).ok();
    assert_eq!(project.read("a.txt"), "saved before\n");
    project.vib(&["store", "gc"]).ok();
    project.vib(&["store", "check"]).ok();
}

#[test]
fn a_full_disk_during_a_restore_harms_no_file() {
    let project = sandbox();
    let noise: Vec<u8> = (0..200_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    project.write("big.bin", &noise);
    project.write("small.txt", "small\n");
    let good = project.checkpoint("good");
    let saved = Photo::of(&project.root());
    project.write("big.bin", "replaced\n");
    project.write("small.txt", "replaced\n");
    project.checkpoint("replaced");
    let output = with_little_space(&project, 1000, &["undo", &good, "--yes", "--json"]);
    assert_ne!(output.code, 0, "{}", output.stdout);
    assert_eq!(project.read("big.bin"), "replaced\n", "not half a file");
    project.vib(&["undo", &good, "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&saved);
}

#[test]
fn a_state_folder_that_cannot_be_written_is_named() {
    let project = sandbox();
    project.write("a.txt", "x\n");
    project.checkpoint("good");
    // Root may write anywhere, so a file where the folder should be stands in for a closed folder.
    let blocked = project.base().join("blocked");
    std::fs::write(&blocked, "a file, not a folder").unwrap();
    let output =
        Sandbox::run(project.command(&["checkpoint", "--json"]).env("VIBELIGN_STATE", blocked.join("state")));
    assert_eq!(output.code, 3, "{}", output.stdout);
    assert!(!output.json()["error"]["next"].as_str().unwrap().is_empty());

    std::fs::set_permissions(project.store(), std::fs::Permissions::from_mode(0o500)).unwrap();
    let output = project.vib(&["checkpoint", "--json"]);
    // As root the mode does not matter; as anybody else it is a clear error.
    if output.code != 0 {
        assert_eq!(output.json()["error"]["code"], "read_only", "{}", output.stdout);
    }
    std::fs::set_permissions(project.store(), std::fs::Permissions::from_mode(0o700)).unwrap();
    project.vib(&["store", "check"]).ok();
}

#[test]
fn a_folder_in_the_project_that_cannot_be_read_keeps_what_was_known() {
    let project = sandbox();
    project.write("closed/a.txt", "inside\n");
    project.write("open.txt", "x\n");
    let id = project.checkpoint("good");
    std::fs::set_permissions(project.root().join("closed"), std::fs::Permissions::from_mode(0o000)).unwrap();
    let data = project.data(&["checkpoint"]);
    std::fs::set_permissions(project.root().join("closed"), std::fs::Permissions::from_mode(0o755)).unwrap();
    // As root everything can be read; as anybody else the folder is reported and nothing in it counts as deleted.
    for problem in data["problems"].as_array().unwrap() {
        assert_eq!((&problem["path"], &problem["code"]), (&"closed".into(), &"unreadable".into()));
    }
    project.remove("closed");
    project.vib(&["undo", &id, "--yes"]).ok();
    assert_eq!(project.read("closed/a.txt"), "inside\n");
}
