//! What `vib diff` and `vib show` print is git's format (H9): real git is the judge.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use testkit::Sandbox;

use super::shop;

/// Content, and whether it can be run; or where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Thing {
    File(Vec<u8>, bool),
    Link(String),
}

type Tree = BTreeMap<String, Thing>;

fn write(root: &Path, tree: &Tree) {
    use std::os::unix::fs::PermissionsExt;
    for (path, thing) in tree {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        match thing {
            Thing::File(content, runs) => {
                std::fs::write(&path, content).unwrap();
                let mode = if *runs { 0o755 } else { 0o644 };
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            }
            Thing::Link(to) => std::os::unix::fs::symlink(to, &path).unwrap(),
        }
    }
}

fn read(root: &Path) -> Tree {
    fn walk(root: &Path, folder: &Path, tree: &mut Tree) {
        use std::os::unix::fs::PermissionsExt;
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let meta = path.symlink_metadata().unwrap();
            if meta.is_dir() {
                if name != ".vibelign" && name != ".git" {
                    walk(root, &path, tree);
                }
            } else if meta.is_symlink() {
                let to = std::fs::read_link(&path).unwrap().to_str().unwrap().to_owned();
                tree.insert(name, Thing::Link(to));
            } else {
                let runs = meta.permissions().mode() & 0o100 != 0;
                tree.insert(name, Thing::File(std::fs::read(&path).unwrap(), runs));
            }
        }
    }
    let mut tree = Tree::new();
    walk(root, root, &mut tree);
    tree
}

fn empty(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        if entry.file_name() == ".vibelign" {
            continue;
        }
        let path = entry.path();
        let folder = path.symlink_metadata().unwrap().is_dir();
        if folder { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
    }
}

/// Standard output to the byte.
fn bytes(sandbox: &Sandbox, words: &[&str]) -> Vec<u8> {
    let output = sandbox.command(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// `git apply` outside of any repository; its complaints, if it refused.
fn git_apply(folder: &Path, words: &[&str], patch: &[u8]) -> Result<(), String> {
    use std::io::Write;
    let mut child = Command::new("git")
        .args(["apply", "--whitespace=nowarn"])
        .args(words)
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(patch);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn upto(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn text(&mut self) -> Vec<u8> {
        let end: &[u8] = if self.upto(3) == 0 { b"\r\n" } else { b"\n" };
        let mut out = Vec::new();
        for _ in 0..self.upto(30) {
            let words: [&[u8]; 9] = [
                b"",
                b"}",
                b"let x = 1;",
                "합계 = 0".as_bytes(),
                b"caf\xe9",
                b"a\rb",
                b"\x1b[31mred",
                b"-- x",
                b"@@ -1 +1 @@",
            ];
            out.extend_from_slice(words[self.upto(words.len())]);
            out.extend_from_slice(if self.upto(12) == 0 { b"\n" } else { end });
        }
        if self.upto(3) == 0 {
            out.extend_from_slice(b"no line end");
        }
        out
    }

    /// No text.
    fn bytes(&mut self) -> Vec<u8> {
        let length = [1, 51, 52, 53, 300, 5_000][self.upto(6)];
        let mut out: Vec<u8> = (0..length).map(|_| self.upto(256) as u8).collect();
        out[0] = 0;
        out
    }

    fn name(&mut self, number: usize) -> String {
        let folders = ["", "src/", "my folder/", "한글/", "a/b/c/"];
        let names = [
            "plain.txt",
            "with space",
            "quo\"te",
            "back\\slash",
            "tab\there",
            "파일.md",
            "é",
            "-dash",
            "new\nline",
            "a b/c",
        ];
        let (folder, name) = (folders[self.upto(folders.len())], names[self.upto(names.len())]);
        format!("{folder}{number}{name}")
    }

    fn changed(&mut self, content: &[u8]) -> Vec<u8> {
        if content.contains(&0) || self.upto(9) == 0 {
            return self.bytes();
        }
        let mut lines: Vec<Vec<u8>> =
            content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        for _ in 0..=self.upto(3) {
            let at = self.upto(lines.len() + 1);
            match self.upto(4) {
                0 if at < lines.len() => drop(lines.remove(at)),
                1 if lines.last().is_some_and(|line| line.ends_with(b"\n")) => {
                    lines.last_mut().unwrap().pop();
                }
                _ if at < lines.len() || lines.last().is_none_or(|line| line.ends_with(b"\n")) => {
                    lines.insert(at, b"something new\n".to_vec());
                }
                _ => {}
            }
        }
        lines.concat()
    }

    fn tree(&mut self) -> Tree {
        (0..12)
            .map(|number| {
                let thing = match self.upto(9) {
                    0 => Thing::Link(format!("to/nowhere {number}")),
                    1 => Thing::File(Vec::new(), false),
                    8 => Thing::File(self.bytes(), false),
                    kind => Thing::File(self.text(), kind == 2),
                };
                (self.name(number), thing)
            })
            .collect()
    }

    fn after(&mut self, tree: &Tree) -> Tree {
        let mut after = Tree::new();
        for (number, (path, thing)) in tree.iter().enumerate() {
            let (mut path, mut thing) = (path.clone(), thing.clone());
            let what = self.upto(8);
            match (what, &mut thing) {
                (0, _) => continue,
                (1, Thing::File(content, _)) => thing = Thing::Link(format!("{}", content.len())),
                (1, Thing::Link(_)) => thing = Thing::File(self.text(), false),
                (2, _) => path = self.name(100 + number),
                (3, Thing::File(content, _)) => {
                    path = self.name(100 + number);
                    *content = self.changed(content);
                }
                (4, Thing::File(content, runs)) => {
                    *content = self.changed(content);
                    *runs = !*runs;
                }
                (5, Thing::File(_, runs)) => *runs = !*runs,
                (6, Thing::File(content, _)) => *content = self.changed(content),
                _ => {}
            }
            after.insert(path, thing);
        }
        for number in 0..self.upto(4) {
            let content = if self.upto(4) == 0 { self.bytes() } else { self.text() };
            after.insert(self.name(200 + number), Thing::File(content, false));
        }
        after
    }
}

#[test]
fn h9_git_apply_takes_what_vib_diff_prints_to_the_byte_and_back() {
    for round in 0..30 {
        let mut dice = Dice(round);
        let before = dice.tree();
        let after = dice.after(&before);
        let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_vib"));
        write(&sandbox.root(), &before);
        let first = sandbox.checkpoint("before");
        empty(&sandbox.root());
        write(&sandbox.root(), &after);
        let patch = bytes(&sandbox, &["diff"]);
        let there = tempfile::tempdir().unwrap();
        write(there.path(), &before);
        let shown = || format!("round {round}:\n{}", String::from_utf8_lossy(&patch));
        if patch.is_empty() {
            assert_eq!(before, after, "round {round}");
            continue;
        }
        git_apply(there.path(), &[], &patch).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
        assert!(read(there.path()) == after, "{}", shown());
        // And back. (Not with `git apply -R`: up to 2.47 at least it brings links and programs back as plain files.)
        let second = sandbox.checkpoint("after");
        let back = bytes(&sandbox, &["diff", &second, &first]);
        git_apply(there.path(), &[], &back).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
        assert!(read(there.path()) == before, "back, {}", shown());
        // The same from `vib show`: what stands above the patch is passed over.
        git_apply(there.path(), &[], &bytes(&sandbox, &["show", &second])).unwrap();
        assert!(read(there.path()) == after, "show, {}", shown());
    }
}

#[test]
fn h9_the_headers_are_those_of_git() {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_vib"));
    let text: String = (0..30).map(|number| format!("line {number}\n")).collect();
    let file = |text: &str, runs: bool| Thing::File(text.as_bytes().to_vec(), runs);
    let before: Tree = [
        ("changed.txt", file(&text, false)),
        ("emptied", file("x\n", false)),
        ("gone.txt", file("gone\n", false)),
        ("kind", file("to become a link\n", false)),
        ("moved here.txt", file(&text.replace("line", "word"), false)),
        ("moved-and-changed.txt", file(&text.replace("line", "row"), false)),
        ("picture.bin", Thing::File(b"\0\x01".to_vec(), false)),
        ("run.sh", file("#!/bin/sh\n", false)),
        ("run-changed.sh", file("#!/bin/sh\n", true)),
    ]
    .map(|(name, thing)| (name.to_owned(), thing))
    .into();
    let after: Tree = [
        ("changed.txt", file(&text.replace("line 15\n", "line fifteen\n"), false)),
        ("emptied", file("", false)),
        ("folder/말.txt", file(&text.replace("line", "word"), false)),
        ("kind", Thing::Link("elsewhere".to_owned())),
        ("new and empty", file("", false)),
        ("new \"quoted\"", file("no line end", false)),
        ("picture.bin", Thing::File(b"\0\x02\x03".to_vec(), false)),
        ("run.sh", file("#!/bin/sh\n", true)),
        ("run-changed.sh", file("#!/bin/sh\necho\n", false)),
        (
            "z-moved-and-changed.txt",
            file(&text.replace("line", "row").replace("row 9\n", "row nine\n"), false),
        ),
    ]
    .map(|(name, thing)| (name.to_owned(), thing))
    .into();
    write(&sandbox.root(), &before);
    sandbox.checkpoint("before");
    sandbox.shell("git init -q . && git add -A . ':!.vibelign'");
    sandbox.shell("git -c user.name=a -c user.email=a@b.invalid commit -qm before");
    for name in before.keys() {
        sandbox.remove(name);
    }
    write(&sandbox.root(), &after);
    sandbox.shell(
        "git add -A . ':!.vibelign' && git -c core.quotePath=false diff --cached -M --binary > ../git.patch",
    );
    let git = String::from_utf8(std::fs::read(sandbox.base().join("git.patch")).unwrap()).unwrap();
    let vib = String::from_utf8(bytes(&sandbox, &["diff"])).unwrap();
    // Git names the nearest line above a hunk, too, and sorts a rename by its old name.
    let parts = |patch: &str| -> Vec<String> {
        let mut parts: Vec<String> = patch.split_inclusive('\n').fold(Vec::new(), |mut parts, line| {
            // How closely content is packed is not git's alone to say.
            if line.len() > 2
                && parts
                    .last()
                    .is_some_and(|part| part.ends_with("literal 3\n") || part.ends_with("literal 2\n"))
            {
                return parts;
            }
            let line = match line.strip_prefix("@@ ").and_then(|rest| rest.split_once(" @@")) {
                Some((numbers, _)) => format!("@@ {numbers} @@\n"),
                None => line.to_owned(),
            };
            if line.starts_with("diff --git ") {
                parts.push(String::new());
            }
            parts.last_mut().unwrap().push_str(&line);
            parts
        });
        parts.sort();
        parts
    };
    assert_eq!(parts(&vib).concat(), parts(&git).concat());
}

#[test]
fn h9_what_git_has_no_words_for_is_a_remark_and_what_is_not_shown_is_no_part_of_the_patch_m2() {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop();
    shop.write(".env", "KEY=old-value-1234\n");
    shop.write("logo.bin", b"\0\x01old");
    shop.checkpoint("good");
    shop.write(".env", "KEY=new-value-5678\n");
    shop.write("logo.bin", b"\0\x01new");
    shop.write("src/cart.js", "let total = 1;\nlet count = 0;\n");
    shop.shell("mkdir empty");
    std::fs::set_permissions(shop.root().join("README.md"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let output = shop.vib(&["diff"]).ok();
    assert!(output.stderr.contains("not in this patch: .env"), "{}", output.stderr);
    let patch = bytes(&shop, &["diff"]);
    assert_snapshot!(String::from_utf8_lossy(&patch), @r###"
    # .env: changed, and no part of this patch: content not shown: this file usually holds secrets
    # README.md: permissions 644, then 600
    # empty: a new folder
    diff --git a/logo.bin b/logo.bin
    index 2157e99baf3fbbddff52e2923ea9ee5d8da39443..7108bdf8dcb9ac55c2039b6d4c084393c7436590 100644
    GIT binary patch
    literal 5
    Mc${Nk%u6i?00NW&OaK4?

    literal 5
    Mc${Nk%+E;y00NQ$K>z>%

    diff --git a/src/cart.js b/src/cart.js
    index 9b0fd73..ca7ef9c 100644
    --- a/src/cart.js
    +++ b/src/cart.js
    @@ -1,2 +1,2 @@
    -let total = 0;
    +let total = 1;
     let count = 0;
    "###);
    let there = tempfile::tempdir().unwrap();
    let file = |text: &[u8]| Thing::File(text.to_vec(), false);
    let tree: Tree = [
        (".env".to_owned(), file(b"KEY=old-value-1234\n")),
        ("logo.bin".to_owned(), file(b"\0\x01old")),
        ("src/cart.js".to_owned(), file(b"let total = 0;\nlet count = 0;\n")),
    ]
    .into();
    write(there.path(), &tree);
    git_apply(there.path(), &["--check"], &patch).unwrap();
    git_apply(there.path(), &[], &patch).unwrap();
    let after = read(there.path());
    assert_eq!(after[".env"], tree[".env"]);
    assert_eq!(after["logo.bin"], file(b"\0\x01new"));
    assert_eq!(after["src/cart.js"], file(b"let total = 1;\nlet count = 0;\n"));
    git_apply(there.path(), &["-R"], &patch).unwrap();
    assert_eq!(read(there.path()), tree);
}

/// Names that usually hold secrets, whatever happens to them: nothing of their content is in the patch, and git takes the rest.
#[test]
fn secrets_that_come_go_and_move_leave_a_patch_that_git_takes_m2() {
    let shop = shop();
    let old: Tree = [
        (".env", "A=first-secret-value\n"),
        (".env.local", "B=second-secret-value\n"),
        ("id_rsa", "C=third-secret-value\n"),
        ("a.txt", "1\n"),
    ]
    .map(|(name, text)| (name.to_owned(), Thing::File(text.as_bytes().to_vec(), false)))
    .into();
    write(&shop.root(), &old);
    let base = read(&shop.root());
    shop.checkpoint("good");
    shop.remove(".env");
    shop.write(".env.production", "D=fourth-secret-value\n");
    shop.shell("mv .env.local .env.staging && chmod 755 id_rsa && echo more >> id_rsa");
    shop.write("a.txt", "2\n");
    let patch = bytes(&shop, &["diff"]);
    let text = String::from_utf8_lossy(&patch).into_owned();
    assert!(!text.contains("secret-value") && !text.contains("GIT binary patch"), "{text}");
    let there = tempfile::tempdir().unwrap();
    write(there.path(), &base);
    git_apply(there.path(), &["--check"], &patch).unwrap_or_else(|error| panic!("{error}\n{text}"));
    git_apply(there.path(), &[], &patch).unwrap();
    assert_eq!(read(there.path())["a.txt"], Thing::File(b"2\n".to_vec(), false));
}

/// Content that is too long to be compared by lines is in the patch as a whole.
#[test]
fn long_files_are_in_a_patch_as_a_whole_m2() {
    let shop = shop();
    let long = |word: &str| -> Vec<u8> { format!("{word} {}\n", "x".repeat(60)).repeat(80_000).into_bytes() };
    shop.write("long.txt", long("old"));
    shop.write("long.bin", [b"\0".to_vec(), long("old")].concat());
    let base = read(&shop.root());
    shop.checkpoint("good");
    shop.write("long.txt", long("new"));
    shop.write("long.bin", [b"\0".to_vec(), long("new")].concat());
    let after = read(&shop.root());
    let patch = bytes(&shop, &["diff"]);
    let there = tempfile::tempdir().unwrap();
    write(there.path(), &base);
    git_apply(there.path(), &[], &patch).unwrap();
    assert!(read(there.path()) == after);
}

#[test]
fn a_step_and_a_request_have_a_diff_of_their_own() {
    let shop = shop();
    shop.checkpoint("good");
    let hook = |event: &str, more: serde_json::Value| super::verify::hook(&shop, "s", event, &more);
    hook("UserPromptSubmit", serde_json::json!({"prompt": "two files"}));
    super::verify::edit(&shop, "s", "src/cart.js", "let total = 1;\nlet count = 0;\n");
    super::verify::edit(&shop, "s", "README.md", "new\n");
    shop.write("src/login.js", "by hand\n");
    let first = String::from_utf8(bytes(&shop, &["diff", "s1"])).unwrap();
    assert!(
        first.contains("+let total = 1;") && !first.contains("README") && !first.contains("login"),
        "{first}"
    );
    let request = String::from_utf8(bytes(&shop, &["diff", "r1"])).unwrap();
    assert!(
        request.contains("cart.js") && request.contains("README.md") && !request.contains("login"),
        "{request}"
    );
    let one = String::from_utf8(bytes(&shop, &["diff", "r1", "README.md"])).unwrap();
    assert!(!one.contains("cart.js") && one.contains("README.md"), "{one}");
    let between = String::from_utf8(bytes(&shop, &["diff", "s1", "s2"])).unwrap();
    assert!(!between.contains("cart.js") && between.contains("README.md"), "{between}");
    assert_eq!(shop.error(&["diff", "s99"])["code"], "not_in_history");
    let data = shop.data(&["diff", "s1"]);
    assert_eq!((data["from"].as_str(), data["to"].as_str()), (Some("before s1"), Some("s1")));
    // What it says is what git does to the state before.
    git_apply(&shop.root(), &["-R"], first.as_bytes()).unwrap();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
}

#[test]
fn h9_a_patch_is_alone_on_standard_output() {
    let shop = shop();
    shop.checkpoint("good");
    let output = shop.vib(&["diff"]);
    assert_eq!(output.stdout, "");
    assert_eq!(output.stderr, "No difference between `srkrnshy` and what you have now.\n");
}

#[test]
fn h9_the_preview_of_a_recovery_and_of_a_patch_are_read_by_git() {
    let shop = shop();
    let before = read(&shop.root());
    shop.checkpoint("good");
    shop.remove("src/login.js");
    shop.write("src/cart.js", "");
    let preview = bytes(&shop, &["recover", "--preview", "--patch"]);
    let text = String::from_utf8_lossy(&preview).into_owned();
    assert!(text.contains("diff --git a/src/login.js b/src/login.js\nnew file mode 100644\n"), "{text}");
    // What the preview says, git does.
    git_apply(&shop.root(), &[], &preview).unwrap();
    assert_eq!(read(&shop.root()), before);

    let patch = "--- a/src/cart.js\n+++ b/src/cart.js\n@@ -1,2 +1,2 @@\n-let total = 0;\n+let total = 10;\n let count = 0;\n\
                 --- /dev/null\n+++ b/src/new.js\n@@ -0,0 +1 @@\n+new\n\
                 --- a/src/login.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-check(user);\n";
    let file = shop.base().join("p.diff");
    std::fs::write(&file, patch).unwrap();
    let words = ["patch", file.to_str().unwrap(), "--dry-run"];
    let shown = bytes(&shop, &words);
    let text = String::from_utf8_lossy(&shown).into_owned();
    assert!(text.contains("diff --git a/src/cart.js b/src/cart.js\nindex "), "{text}");
    assert!(text.contains("deleted file mode 100644\n"), "{text}");
    git_apply(&shop.root(), &[], &shown).unwrap();
    let by_git = read(&shop.root());
    git_apply(&shop.root(), &["-R"], &shown).unwrap();
    let data = shop.data(&words);
    shop.vib(&["patch", file.to_str().unwrap(), "--yes"]).ok();
    assert_eq!(read(&shop.root()), by_git);
    // And the same in the answer for programs.
    git_apply(&shop.root(), &["-R"], data["diff"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!(read(&shop.root()), before);
}

#[test]
fn a_request_that_others_changed_in_between_has_a_diff_of_its_own_work_only() {
    let shop = shop();
    let root = shop.root().to_path_buf();
    let edit = |session: &str, old: &str, new: &str| {
        let file = root.join("src/cart.js");
        let call = serde_json::json!({"tool_name": "Edit", "tool_use_id": new, "tool_input": {"file_path": file, "old_string": old, "new_string": new}});
        super::verify::hook(&shop, session, "PreToolUse", &call);
        let text = shop.read("src/cart.js").replace(old, new);
        shop.write("src/cart.js", &text);
        let mut ended = call;
        ended["tool_response"] = serde_json::json!({"filePath": file});
        super::verify::hook(&shop, session, "PostToolUse", &ended);
    };
    shop.write("src/cart.js", "a = 1\n1\n2\n3\n4\n5\n6\n7\nb = 1\n1\n2\n3\n4\n5\n6\n7\nc = 1\n");
    shop.vib(&["checkpoint"]).ok();
    super::verify::hook(&shop, "one", "UserPromptSubmit", &serde_json::json!({"prompt": "alpha"}));
    super::verify::hook(&shop, "two", "UserPromptSubmit", &serde_json::json!({"prompt": "beta"}));
    edit("one", "a = 1", "a = 2");
    edit("two", "b = 1", "b = 2");
    edit("one", "c = 1", "c = 2");
    let patch = bytes(&shop, &["diff", "r1"]);
    let text = String::from_utf8_lossy(&patch);
    assert!(text.contains("+a = 2") && text.contains("+c = 2") && !text.contains("+b = 2"), "{text}");
    git_apply(&root, &["-R"], &patch).unwrap();
    assert_eq!(shop.read("src/cart.js"), "a = 1\n1\n2\n3\n4\n5\n6\n7\nb = 2\n1\n2\n3\n4\n5\n6\n7\nc = 1\n");
    let shown = shop.vib(&["show", "r1", "--stat"]).ok().stdout;
    assert!(shown.contains("`src/cart.js` is below in parts") && !shown.contains("beta"), "{shown}");
    assert_eq!(shop.data(&["show", "r1"])["in_parts"], serde_json::json!(["src/cart.js"]));
}
