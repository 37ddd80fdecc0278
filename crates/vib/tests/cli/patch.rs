//! `vib patch` (ED1–ED4)

use insta::assert_snapshot;
use testkit::{Photo, Sandbox};

use super::{empty, shop};

const GOOD: &str = "\
--- a/src/cart.js
+++ b/src/cart.js
@@ -1,2 +1,2 @@
-let total = 0;
+let total = 10;
 let count = 0;
";

/// Writes a patch beside the project and returns its name as seen from the project.
fn patch(sandbox: &Sandbox, text: &str) -> &'static str {
    std::fs::write(sandbox.base().join("edit.patch"), text).unwrap();
    "../edit.patch"
}

/// A hunk that changes the one line of a file called `path`.
fn one_line(path: &str) -> String {
    format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-the old line\n+the new line\n")
}

/// What the memory log says about patches.
fn events(sandbox: &Sandbox) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(sandbox.store().join("memory/project.jsonl")).unwrap_or_default();
    let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.filter(|row| row["kind"] == "patch").map(|row| row["body"].clone()).collect()
}

#[test]
fn shows_saves_and_applies() {
    let shop = shop();
    let file = patch(&shop, GOOD);
    let before = Photo::of(&shop.root());
    assert_snapshot!(shop.vib(&["patch", file, "--dry-run"]).text(&shop), @r###"
    This patch would change:
    diff --git a/src/cart.js b/src/cart.js
    index 9b0fd73..849ceee 100644
    --- a/src/cart.js
    +++ b/src/cart.js
    @@ -1,2 +1,2 @@
    -let total = 0;
    +let total = 10;
     let count = 0;
    Nothing was changed. Run it again without `--dry-run` to apply it.
    "###);
    Photo::of(&shop.root()).assert_same(&before);
    assert_snapshot!(shop.vib(&["patch", file, "--yes"]).text(&shop), @r###"
    This patch would change:
    diff --git a/src/cart.js b/src/cart.js
    index 9b0fd73..849ceee 100644
    --- a/src/cart.js
    +++ b/src/cart.js
    @@ -1,2 +1,2 @@
    -let total = 0;
    +let total = 10;
     let count = 0;
    Applied: 1 hunk in 1 file.
    The state before is saved as hfwdhbhw. `vib undo hfwdhbhw` returns to it.
    "###);
    assert_eq!(shop.read("src/cart.js"), "let total = 10;\nlet count = 0;\n");
    // One undo takes exactly the patch back, though nobody had saved a checkpoint.
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&before);
}

#[test]
fn nobody_is_asked_without_a_terminal() {
    let shop = shop();
    let file = patch(&shop, GOOD);
    assert_eq!(shop.error(&["patch", file])["code"], "needs_confirmation");
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
}

#[test]
fn answers_programs_with_everything_they_need_ed1() {
    let shop = shop();
    let file = patch(&shop, GOOD);
    let mut data = shop.data(&["patch", file, "--yes"]);
    data["evidence"]["elapsedMs"] = 0.into();
    assert_snapshot!(serde_json::to_string_pretty(&data).unwrap(), @r###"
    {
      "applied": true,
      "changes": [
        {
          "added": 1,
          "appliedHunks": 1,
          "bytesAfter": 31,
          "bytesBefore": 30,
          "diff": "diff --git a/src/cart.js b/src/cart.js\nindex 9b0fd73..849ceee 100644\n--- a/src/cart.js\n+++ b/src/cart.js\n@@ -1,2 +1,2 @@\n-let total = 0;\n+let total = 10;\n let count = 0;\n",
          "format": "unified",
          "hunks": [
            {
              "confidence": 0.97,
              "hunk": 1,
              "level": "exact",
              "line": 1,
              "offset": 0,
              "outcome": "placed",
              "patchLine": 3
            }
          ],
          "path": "src/cart.js",
          "removed": 1,
          "skippedHunks": 0,
          "type": "modify"
        }
      ],
      "checked": [
        {
          "language": "javascript",
          "path": "src/cart.js"
        }
      ],
      "diff": "diff --git a/src/cart.js b/src/cart.js\nindex 9b0fd73..849ceee 100644\n--- a/src/cart.js\n+++ b/src/cart.js\n@@ -1,2 +1,2 @@\n-let total = 0;\n+let total = 10;\n let count = 0;\n",
      "evidence": {
        "bytesWritten": 31,
        "elapsedMs": 0,
        "toolCalls": 1
      },
      "ok": true,
      "snapshotId": "srkrnshy",
      "warnings": []
    }
    "###);
}

#[test]
fn a_refusal_shows_the_nearest_lines_ed2() {
    let shop = shop();
    let text = GOOD.replace("-let total = 0;", "-let total = 1;");
    let file = patch(&shop, &text);
    let before = Photo::of(&shop.root());
    assert_snapshot!(shop.vib(&["patch", file, "--yes"]).text(&shop), @r###"
    Refused: nothing was changed.
    change  src/cart.js
      hunk 1 (line 3 of the patch): the hunk was made for another version of the file: 1 of its 2 old lines stand near line 1; line 1 is not `let total = 1;`
      nearest in the file:
      >    1  let total = 0;
           2  let count = 0;
      next: copy the context and the removed lines from the file as it is now (shown under `nearest`)
    --- exit 1
    "###);
    Photo::of(&shop.root()).assert_same(&before);
    let answer = shop.vib(&["patch", file, "--yes", "--json"]).json();
    assert_eq!(answer["ok"], false);
    assert_eq!(answer["error"]["code"], "hunk_other_version");
    let hunk = &answer["data"]["changes"][0]["hunks"][0];
    assert_eq!(hunk["outcome"], "refused");
    assert_eq!(hunk["nearest"]["firstLine"], 1);
    assert_eq!(hunk["nearest"]["lines"][0], "let total = 0;");
}

#[test]
fn all_files_or_none_ed2() {
    let shop = shop();
    let bad = "--- a/src/login.js\n+++ b/src/login.js\n@@ -1 +1 @@\n-checked(user);\n+check(user, true);\n";
    let file = patch(&shop, &format!("{GOOD}{bad}"));
    let before = Photo::of(&shop.root());
    assert_eq!(shop.error(&["patch", file, "--yes"])["code"], "hunk_not_found");
    Photo::of(&shop.root()).assert_same(&before);
    // Nothing was saved either: there was nothing to protect.
    assert_eq!(shop.data(&["history", "--checkpoints", "--all"])["groups"].as_array().unwrap().len(), 0);
}

#[test]
fn makes_moves_copies_and_deletes_files() {
    let shop = shop();
    let text = format!(
        "{GOOD}\
         --- /dev/null\n+++ b/src/new/deep.js\n@@ -0,0 +1,2 @@\n+one();\n+two();\n\
         diff --git a/src/login.js b/src/auth.js\nrename from src/login.js\nrename to src/auth.js\n--- a/src/login.js\n+++ b/src/auth.js\n@@ -1 +1 @@\n-check(user);\n+check(user, true);\n\
         diff --git a/README.md b/README.md\ndeleted file mode 100644\n--- a/README.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# Shop\n"
    );
    let file = patch(&shop, &text);
    let before = Photo::of(&shop.root());
    shop.vib(&["patch", file, "--yes"]).ok();
    assert_eq!(shop.read("src/new/deep.js"), "one();\ntwo();\n");
    assert_eq!(shop.read("src/auth.js"), "check(user, true);\n");
    assert!(!shop.exists("src/login.js") && !shop.exists("README.md"));
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&before);
}

#[test]
fn a_file_keeps_its_mode_unless_the_patch_says_otherwise() {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop();
    let mode = |path: &str| std::fs::metadata(shop.root().join(path)).unwrap().permissions().mode() & 0o777;
    let set = |path: &str, mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(shop.root().join(path), permissions).unwrap();
    };
    set("src/cart.js", 0o750);
    set("src/login.js", 0o640);
    let file = patch(
        &shop,
        &format!("{GOOD}diff --git a/src/login.js b/src/login.js\nold mode 100644\nnew mode 100755\n"),
    );
    shop.vib(&["patch", file, "--yes"]).ok();
    assert_eq!((mode("src/cart.js"), mode("src/login.js")), (0o750, 0o750));
}

#[test]
fn paths_never_lead_out_of_the_project_or_into_git_ed2() {
    let shop = empty();
    shop.shell("mkdir -p .git/hooks sub node_modules/x && echo '*.log' > .gitignore");
    let outside = shop.base().join("outside");
    std::fs::create_dir(&outside).unwrap();
    for path in ["file", ".git/config", "sub/file", "node_modules/x/file", "debug.log", "../outside/file"] {
        shop.write(path, "the old line\n");
    }
    std::os::unix::fs::symlink(&outside, shop.root().join("link")).unwrap();
    std::os::unix::fs::symlink(outside.join("file"), shop.root().join("alias")).unwrap();
    let absolute = outside.join("file").display().to_string();
    for (path, code) in [
        ("../outside/file", "path_outside_project"),
        ("sub/../../outside/file", "path_outside_project"),
        (absolute.as_str(), "path_outside_project"),
        (".git/config", "path_reserved"),
        (".GIT/config", "path_reserved"),
        ("sub/.git/config", "path_reserved"),
        (".vibelign/id", "path_reserved"),
        ("./.git/config", "path_reserved"),
        ("link/file", "link_in_the_way"),
        ("alias", "link_in_the_way"),
        ("sub", "not_a_file"),
        ("node_modules/x/file", "path_vendor"),
        ("debug.log", "path_ignored"),
        ("missing", "file_missing"),
    ] {
        // As a change, and as a file to be made.
        let file = patch(&shop, &one_line(path));
        let found = shop.error(&["patch", file, "--yes"]);
        assert_eq!(found["code"], code, "{path}: {found}");
        let file = patch(&shop, &format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+new\n"));
        let output = shop.vib(&["patch", file, "--yes", "--json"]);
        assert_eq!(output.code, i32::from(path != "missing"), "{path}: {}", output.stdout);
    }
    for path in [outside.join("file"), shop.root().join(".git/config"), shop.root().join("debug.log")] {
        assert_eq!(std::fs::read_to_string(path).unwrap(), "the old line\n");
    }
    // A rename is two paths, and both count.
    let text = "diff --git a/file b/.git/hooks/pre-commit\nsimilarity index 100%\nrename from file\nrename to .git/hooks/pre-commit\n";
    let file = patch(&shop, text);
    assert_eq!(shop.error(&["patch", file, "--yes"])["code"], "path_reserved");
    let text = "diff --git a/file b/made\nnew file mode 120000\n--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n";
    let file = patch(&shop, text);
    assert_eq!(shop.error(&["patch", file, "--yes"])["code"], "patch_symlink");
    assert!(!shop.exists("made"));
}

#[test]
fn absolute_paths_inside_and_ignored_files_if_allowed() {
    let shop = empty();
    shop.write(".gitignore", "*.log\n");
    shop.write("sub/file", "the old line\n");
    shop.write("debug.log", "the old line\n");
    let inside = shop.root().canonicalize().unwrap().join("sub/file").display().to_string();
    let file =
        patch(&shop, &format!("--- {inside}\n+++ {inside}\n@@ -1 +1 @@\n-the old line\n+the new line\n"));
    shop.vib(&["patch", file, "--yes"]).ok();
    assert_eq!(shop.read("sub/file"), "the new line\n");
    let file = patch(&shop, &one_line("debug.log"));
    shop.vib(&["patch", file, "--yes", "--allow-ignored"]).ok();
    assert_eq!(shop.read("debug.log"), "the new line\n");
    shop.vib(&["undo", "--yes"]).ok();
    assert_eq!(shop.read("debug.log"), "the old line\n", "it was saved by name first");
}

#[test]
fn a_wrong_or_missing_name_is_put_right_only_if_one_file_fits() {
    let shop = shop();
    for header in ["", "--- a/cart.js\n+++ b/cart.js\n", "--- a/shop/src/cart.js\n+++ b/shop/src/cart.js\n"] {
        let text = GOOD.replacen("--- a/src/cart.js\n+++ b/src/cart.js\n", header, 1);
        let data = shop.data(&["patch", patch(&shop, &text), "--dry-run"]);
        assert_eq!(data["changes"][0]["path"], "src/cart.js", "{header}");
        assert_eq!(data["warnings"].as_array().unwrap().len(), 1, "{data}");
    }
    shop.write("old/cart.js", "let total = 0;\nlet count = 0;\n");
    let text = GOOD.replacen("src/cart.js", "cart.js", 2);
    assert_eq!(shop.error(&["patch", patch(&shop, &text), "--yes"])["code"], "file_missing");
    let text = GOOD.replacen("--- a/src/cart.js\n+++ b/src/cart.js\n", "", 1);
    assert_eq!(shop.error(&["patch", patch(&shop, &text), "--yes"])["code"], "patch_no_path");
}

#[test]
fn keep_regions_open_only_with_a_reason_that_is_recorded_ed3() {
    let shop = empty();
    shop.write("a.py", "# VIBE-KEEP START core\nkept = 1\n# VIBE-KEEP END core\n");
    let file = patch(
        &shop,
        "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n # VIBE-KEEP START core\n-kept = 1\n+kept = 2\n # VIBE-KEEP END core\n",
    );
    assert_eq!(shop.error(&["patch", file, "--yes"])["code"], "keep_region");
    assert_eq!(shop.vib(&["patch", file, "--yes", "--no-keep-regions"]).code, 2);
    assert_eq!(shop.vib(&["patch", file, "--yes", "--no-keep-regions", "--reason", " "]).code, 2);
    assert_eq!(shop.read("a.py").lines().nth(1), Some("kept = 1"));
    // Deleting the file would take the region with it.
    let gone = "--- a/a.py\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-# VIBE-KEEP START core\n-kept = 1\n-# VIBE-KEEP END core\n";
    assert_eq!(shop.error(&["patch", patch(&shop, gone), "--yes"])["code"], "keep_region");
    let gone = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n";
    assert_eq!(shop.error(&["patch", patch(&shop, gone), "--yes"])["code"], "keep_region");

    let file = patch(&shop, "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-kept = 1\n+kept = 2\n");
    shop.vib(&["patch", file, "--yes", "--no-keep-regions", "--reason", "the limit changed"]).ok();
    assert_eq!(shop.read("a.py").lines().nth(1), Some("kept = 2"));
    let last = events(&shop).pop().unwrap();
    assert_eq!(last["data"]["keep_regions_opened"], "the limit changed");
}

#[test]
fn leaves_evidence_without_content_ed4() {
    let shop = shop();
    let file = patch(&shop, GOOD);
    shop.vib(&["patch", file, "--dry-run"]).ok();
    shop.vib(&["patch", file, "--yes"]).ok();
    shop.vib(&["patch", file, "--yes"]);
    let rows = events(&shop);
    let names: Vec<&str> = rows.iter().map(|row| row["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["PATCH_DIFF_PREVIEW", "PATCH_DIFF_APPLIED", "PATCH_DIFF_REFUSED"]);
    let applied = &rows[1]["data"];
    assert_eq!(applied["files"][0]["bytes_after"], 31);
    assert_eq!(applied["files"][0]["hunks"][0]["level"], "exact");
    assert!(applied["snapshot"].is_string() && applied["elapsed_ms"].is_u64());
    assert_eq!(rows[2]["data"]["files"][0]["hunks"][0]["refused"], "already_applied");
    assert!(!serde_json::to_string(&rows).unwrap().contains("let total"), "events hold no content");
}

#[test]
fn a_result_that_does_not_parse_is_a_warning() {
    let shop = empty();
    shop.write("package.json", "{\n  \"name\": \"shop\",\n  \"private\": true\n}\n");
    let file = patch(
        &shop,
        "--- a/package.json\n+++ b/package.json\n@@ -2,2 +2,3 @@\n   \"name\": \"shop\",\n+  \"version\": \"1\"\n   \"private\": true\n",
    );
    let data = shop.data(&["patch", file, "--yes"]);
    assert_eq!(data["applied"], true);
    let warning = data["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("package.json: the result is not valid JSON: "), "{warning}");
    assert_eq!(data["checked"][0]["language"], "json");
}

#[test]
fn reverse_takes_a_patch_back() {
    let shop = shop();
    let file = patch(&shop, GOOD);
    shop.vib(&["patch", file, "--yes"]).ok();
    shop.vib(&["patch", file, "--yes", "--reverse"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
}

#[test]
fn limits_on_offset_and_confidence_hold() {
    let shop = shop();
    let file = patch(&shop, &GOOD.replace("@@ -1,2 +1,2 @@", "@@ -31,2 +31,2 @@"));
    assert_eq!(shop.error(&["patch", file, "--yes", "--max-offset", "20"])["code"], "hunk_offset_too_large");
    assert_eq!(
        shop.error(&["patch", file, "--yes", "--min-confidence", "0.99"])["code"],
        "hunk_low_confidence"
    );
    assert_eq!(shop.vib(&["patch", file, "--yes", "--min-confidence", "2"]).code, 2);
    shop.vib(&["patch", file, "--yes", "--max-offset", "30"]).ok();
}

#[test]
fn works_on_one_file_without_a_project() {
    let shop = empty();
    let base = shop.base().to_path_buf();
    std::fs::write(base.join("in.txt"), "one\ntwo\n").unwrap();
    std::fs::write(base.join("good"), "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n").unwrap();
    std::fs::write(base.join("bad"), "@@ -1,2 +1,2 @@\n one\n-three\n+TWO\n").unwrap();
    let run = |arguments: &[&str]| Sandbox::run(shop.command(arguments).current_dir(&base));
    let done = run(&["patch", "good", "--input", "in.txt", "--output", "out.txt"]);
    assert_eq!((done.code, done.stdout.as_str()), (0, ""), "{}", done.stderr);
    assert_eq!(std::fs::read_to_string(base.join("out.txt")).unwrap(), "one\nTWO\n");
    assert!(!shop.state().exists(), "no project was opened");
    let refused = run(&["patch", "bad", "--input", "in.txt", "--output", "never.txt"]);
    assert_eq!(refused.code, 1);
    assert!(!base.join("never.txt").exists());
    assert_eq!(run(&["patch", "good", "--input", "in.txt"]).code, 2);
    assert_eq!(run(&["patch", "missing", "--input", "in.txt", "--output", "never.txt"]).code, 3);
    // The same file, in place.
    assert_eq!(run(&["patch", "good", "--input", "in.txt", "--output", "in.txt"]).code, 0);
    assert_eq!(std::fs::read_to_string(base.join("in.txt")).unwrap(), "one\nTWO\n");
}

#[test]
fn reads_from_standard_input() {
    use std::io::Write;
    let shop = shop();
    let mut child = shop
        .command(&["patch", "-", "--yes"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GOOD.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(shop.read("src/cart.js"), "let total = 10;\nlet count = 0;\n");
}

#[test]
fn a_very_long_patch_and_a_very_long_line_are_handled() {
    let shop = empty();
    let lines: Vec<String> =
        (0..245_000).map(|number| format!("line number {number} of a long file")).collect();
    shop.write("long.txt", lines.join("\n") + "\n");
    let mut text = String::from("--- a/long.txt\n+++ b/long.txt\n");
    for at in (3..lines.len() - 4).step_by(7) {
        text.push_str(&format!("@@ -{},7 +{},7 @@\n", at - 2, at - 2));
        for line in &lines[at - 3..at] {
            text.push_str(&format!(" {line}\n"));
        }
        text.push_str(&format!("-{}\n+{} indeed\n", lines[at], lines[at]));
        for line in &lines[at + 1..at + 4] {
            text.push_str(&format!(" {line}\n"));
        }
    }
    assert!(text.len() > 10 << 20, "{}", text.len());
    shop.vib(&["patch", patch(&shop, &text), "--yes"]).ok();
    let hunks = text.matches("\n@@ ").count();
    assert_eq!(shop.read("long.txt").lines().filter(|line| line.ends_with("indeed")).count(), hunks);

    let (old, new) = ("x".repeat(5 << 20), "y".repeat(5 << 20));
    shop.write("line.txt", format!("one\n{old}\nthree\n"));
    let text = format!("--- a/line.txt\n+++ b/line.txt\n@@ -1,3 +1,3 @@\n one\n-{old}\n+{new}\n three\n");
    shop.vib(&["patch", patch(&shop, &text), "--yes"]).ok();
    assert_eq!(shop.read("line.txt"), format!("one\n{new}\nthree\n"));

    let text = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+{}\n", "z".repeat(65 << 20));
    assert_eq!(shop.error(&["patch", patch(&shop, &text), "--yes"])["code"], "patch_too_long");
}

#[test]
fn binary_content_is_refused_with_a_hint() {
    let shop = empty();
    shop.write("logo.png", b"\x89PNG\0\0\n".as_slice());
    let text = "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n";
    assert_eq!(shop.error(&["patch", patch(&shop, text), "--yes"])["code"], "patch_binary");
    assert_eq!(shop.error(&["patch", patch(&shop, &one_line("logo.png")), "--yes"])["code"], "patch_binary");
}

#[test]
fn a_file_that_cannot_be_written_takes_the_whole_patch_back() {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop();
    shop.write("locked/file", "the old line\n");
    let locked = shop.root().join("locked");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o500)).unwrap();
    let before = Photo::of(&shop.root());
    let file = patch(&shop, &format!("{GOOD}{}", one_line("locked/file")));
    let output = shop.vib(&["patch", file, "--yes", "--json"]);
    // Whoever may write everywhere (a container's root) is not stopped by a mode.
    if output.code != 0 {
        let answer = output.json();
        assert_eq!(answer["error"]["code"], "patch_not_written", "{answer}");
        Photo::of(&shop.root()).assert_same(&before);
    }
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn secrets_are_not_shown_to_whoever_sent_the_patch() {
    let shop = empty();
    shop.write(".env", "USER=me\nPASSWORD=s3cr3t-value\nHOST=here\nPORT=1\nMODE=x\n");
    for text in [
        "--- a/.env\n+++ b/.env\n@@\n USER=me\n-PASSWORD=guess\n+PASSWORD=x\n HOST=here\n",
        "--- a/.env\n+++ b/.env\n@@\n USER=me\n+NEW=1\n HOST=here\n PORT=1\n MODE=x\n",
        "--- a/.env\n+++ b/.env\n@@\n PASSWORD=s3cr3t-value\n-HOST=here\n+HOST=there\n",
    ] {
        let file = patch(&shop, text);
        let output = shop.vib(&["patch", file, "--yes"]);
        let json = shop.vib(&["patch", file, "--yes", "--json"]);
        for answer in [output.stdout, output.stderr, json.stdout] {
            assert!(!answer.contains("s3cr3t"), "{answer}");
        }
    }
    assert!(shop.read(".env").contains("HOST=there"));
}

#[test]
fn a_patch_leaves_its_row_in_the_audit_log_t13() {
    let shop = shop();
    shop.checkpoint("first");
    shop.write("a.diff", "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Shop\n+# Store\n");
    shop.vib(&["patch", "a.diff", "--yes"]).ok();
    let log = std::fs::read_to_string(shop.store().join("memory_audit.jsonl")).unwrap();
    let row: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((&row["event"], &row["result"]), (&"patch_apply".into(), &"success".into()), "{row}");
    assert!(row["sandwich_checkpoint_id"].is_string(), "{row}");
    assert_eq!(row["confirmed_via"], "flag", "{row}");
}
