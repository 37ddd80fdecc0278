//! Trees for tests: one with every kind of entry, and big ones.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// A tree with every kind of entry that a checkpoint must bring back (CP5).
pub fn every_kind(root: &Path) {
    let write = |name: &[u8], content: &[u8]| {
        let path = root.join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, content).expect("a file");
    };
    let mode = |name: &str, mode: u32| {
        std::fs::set_permissions(root.join(name), std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    write(b"src/main.rs", b"fn main() {}\n");
    write(b"empty", b"");
    write(b"no newline", b"one line");
    write(b"crlf.txt", b"a\r\nb\r\n");
    write(b"binary.bin", &(0..=255).cycle().take(70_000).collect::<Vec<u8>>());
    write(b"name \xff\xfe not utf-8", b"bytes");
    write(b"new\nline", b"in a name");
    write(" leading, \"quoted\" and 한국어 名前.txt".as_bytes(), b"unicode");
    write(b"-rf", b"a name like an option");
    write(b"deep/a/b/c/d/e/f/g/h/i/j/file", b"deep");
    write(b"run.sh", b"#!/bin/sh\n");
    mode("run.sh", 0o755);
    write(b"private", b"secret to others");
    mode("private", 0o600);
    write(b"read-only", b"cannot be written");
    mode("read-only", 0o444);
    std::fs::create_dir_all(root.join("empty-folder/inner")).expect("folders");
    std::fs::create_dir_all(root.join("closed")).expect("a folder");
    write(b"closed/file", b"in a private folder");
    mode("closed", 0o700);
    symlink("src/main.rs", root.join("link-to-file")).expect("a link");
    symlink("src", root.join("link-to-folder")).expect("a link");
    symlink("nowhere/at/all", root.join("broken-link")).expect("a link");
    symlink("/etc/hostname", root.join("link-outside")).expect("a link");
    symlink(OsStr::from_bytes(b"\xff-target"), root.join("link-to-bytes")).expect("a link");
    write(b"nested/.git/HEAD", b"ref: refs/heads/main\n");
    write(b"nested/code.py", b"print('a repository in a repository')\n");
    // Larger than what is stored in one piece.
    let mut state = 88_172_645_463_325_252_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    })
    .take(9 << 20)
    .collect();
    write(b"large.bin", &noise);
}

/// `files` small files, 40 in a folder, content different in each.
pub fn many(root: &Path, files: usize) {
    for number in 0..files {
        let folder = root.join(format!("pkg{}/mod{}", number / 1600, (number / 40) % 40));
        if number % 40 == 0 {
            std::fs::create_dir_all(&folder).expect("folders");
        }
        let text = format!("// file {number}\npub fn f{number}() -> u32 {{\n    {number}\n}}\n");
        std::fs::write(folder.join(format!("f{number}.rs")), text).expect("a file");
    }
}
