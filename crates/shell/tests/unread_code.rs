//! Which lines run code that vib did not read: those belong behind the fence. `data/unread-code.txt` and its second half. (B1)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use shell::{JudgeContext, Policy, StdFiles, judge};

/// A repository of its own for a block of lines.
struct World(PathBuf);

impl World {
    fn new(kind: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("vib-unread-{}-{number}", std::process::id()));
        let git = root.join(".git");
        std::fs::create_dir_all(git.join("hooks")).unwrap();
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(git.join("hooks/pre-commit.sample"), "#!/bin/sh\n").unwrap();
        let mut config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = \
                          git@github.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n"
            .to_owned();
        match kind {
            "hooks" => std::fs::write(git.join("hooks/pre-commit"), "#!/bin/sh\nexit 0\n").unwrap(),
            "steered" => config.push_str("[core]\n\tfsmonitor = ./watch.sh\n"),
            _ => {}
        }
        std::fs::write(git.join("config"), config).unwrap();
        Self(root)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn wrong_in(data: &str) -> Vec<String> {
    let mut world = World::new("plain");
    let mut wrong = Vec::new();
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        if let Some(kind) = line.strip_prefix("in ") {
            world = World::new(kind);
            continue;
        }
        let Some((label, command)) = line.split_once(": ") else { continue };
        let context = JudgeContext::new(world.0.clone(), Path::new("/home/u"), &StdFiles);
        let verdict = judge(command, &context, &Policy::default());
        let is_unread = !verdict.unread.is_empty();
        if (label == "unread") != is_unread {
            wrong.push(format!("{line}   {:?} {:?}", verdict.unread, verdict.unknown));
        }
    }
    wrong
}

#[test]
fn code_that_nobody_read_is_told_b1() {
    let wrong = wrong_in(include_str!("data/unread-code.txt"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn code_that_nobody_read_is_told_again_b1() {
    let wrong = wrong_in(include_str!("data/unread-code-again.txt"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
