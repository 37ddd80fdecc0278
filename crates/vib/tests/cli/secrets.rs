//! `vib secrets scan`

use insta::assert_snapshot;
use redact::template::expand;
use testkit::Sandbox;

use super::{empty, shop};

fn git(sandbox: &Sandbox, arguments: &[&str]) {
    let mut command = std::process::Command::new("git");
    command
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(sandbox.root())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z");
    let output = Sandbox::run(&mut command);
    assert_eq!(output.code, 0, "{}", output.stderr);
}

fn token(seed: u64) -> String {
    expand("ghp_<an:36>", seed)
}

/// What git knows about its own state; a scan must not change any of it.
fn git_files(sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
    ["index", "HEAD", "config", "packed-refs", "logs/HEAD"]
        .iter()
        .map(|name| {
            ((*name).to_owned(), std::fs::read(sandbox.root().join(".git").join(name)).unwrap_or_default())
        })
        .collect()
}

#[test]
fn a_clean_project_says_so() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["secrets", "scan"]).text(&shop), @r###"
    No secret found (3 files, 50 B).
    "###);
    assert!(!shop.exists(".vibelign"), "a scan leaves no trace");
    assert!(!shop.state().exists());
}

#[test]
fn a_finding_names_rule_and_place_and_never_the_secret() {
    let shop = shop();
    shop.write("src/api.js", format!("// deploy\nconst token = \"{}\";\n", token(1)));
    shop.write("ok.js", format!("const t = \"{}\"; // vibelign: allow-secret\n", token(2)));
    let output = shop.vib(&["secrets", "scan"]);
    assert_snapshot!(output.text(&shop), @r###"
    src/api.js:2:16  github-token  GitHub personal, OAuth, app or refresh token, ends in `8n63`
    1 secret found (5 files, 198 B).
    next: take each out of the file (an environment variable, a secret store) and revoke it if it was ever shared; a line that is meant to be there gets the comment `vibelign: allow-secret`
    --- exit 1
    "###);
    for form in [&["--json"][..], &["--sarif"], &["--format", "jsonl"], &[]] {
        let output = shop.vib(&[&["secrets", "scan"], form].concat());
        assert_eq!(output.code, 1);
        let all = output.stdout + &output.stderr;
        assert!(all.contains("github-token"), "{all}");
        assert!(!all.contains(&token(1)[..30]) && !all.contains(&token(1)[10..]), "{all}");
    }
}

#[test]
fn machine_forms_hold_the_same_finding() {
    let shop = shop();
    shop.write("a b.env", format!("X=1\nGH={}\n", token(1)));
    assert_snapshot!(shop.vib(&["secrets", "scan", "--format", "jsonl"]).text(&shop), @r###"
    {"path":"a b.env","line":2,"column":4,"end_line":2,"rule":"github-token","about":"GitHub personal, OAuth, app or refresh token","last4":"8n63"}
    --- exit 1
    "###);
    let json = shop.vib(&["secrets", "scan", "--json"]).json();
    assert_eq!((json["ok"].as_bool(), json["data"]["findings"][0]["line"].as_u64()), (Some(false), Some(2)));
    let sarif = shop.vib(&["secrets", "scan", "--sarif"]).json();
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "github-token");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.env");
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"], "github-token");
}

#[test]
fn ignore_files_count_without_git_and_named_files_are_always_looked_at() {
    let shop = shop();
    shop.write(".gitignore", "local/\n");
    shop.write("local/key.txt", token(1));
    shop.write("node_modules/x/key.js", token(2));
    shop.write(".hidden/key.txt", token(3));
    let paths = |output: testkit::Output| -> Vec<String> {
        output
            .stdout
            .lines()
            .map(|line| {
                serde_json::from_str::<serde_json::Value>(line).unwrap()["path"].as_str().unwrap().to_owned()
            })
            .collect()
    };
    let scan = |more: &[&str]| paths(shop.vib(&[&["secrets", "scan", "--format", "jsonl"], more].concat()));
    assert_eq!(scan(&[]), [".hidden/key.txt"]);
    assert_eq!(scan(&["--all"]), [".hidden/key.txt", "local/key.txt", "node_modules/x/key.js"]);
    assert_eq!(scan(&["local/key.txt"]), ["local/key.txt"]);
    assert_eq!(scan(&["src", "./local"]), ["local/key.txt"]);
    assert_eq!(shop.error(&["secrets", "scan", "nowhere"])["code"], "not_there");
}

#[test]
fn works_at_the_top_of_the_disk_and_outside_any_project() {
    let shop = shop();
    shop.write("key.txt", token(1));
    let file = shop.root().join("key.txt");
    let output = Sandbox::run(
        shop.command(&["secrets", "scan", "--format", "jsonl", file.to_str().unwrap()]).current_dir("/"),
    );
    assert_eq!(output.code, 1, "{}", output.stderr);
    assert!(output.stdout.contains("key.txt"));
}

#[test]
fn the_baseline_silences_what_was_accepted_and_nothing_else() {
    let shop = shop();
    shop.write("old.js", format!("const a = \"{}\";\nlet pw = 'password = \"k7#Lm2!x\"';\n", token(1)));
    assert_snapshot!(shop.vib(&["secrets", "scan", "--write-baseline"]).text(&shop), @r###"
    2 findings written to `.vibelign/secrets-baseline.json` as known. Scans report only new ones from now on.
    "###);
    assert_snapshot!(shop.vib(&["secrets", "scan"]).text(&shop), @r###"
    No secret found (4 files, 138 B; 2 known from the baseline).
    "###);
    let text = shop.read(".vibelign/secrets-baseline.json");
    assert!(!text.contains(&token(1)[4..20]) && !text.contains("k7#"), "{text}");
    assert_eq!(shop.read(".vibelign/.gitignore"), "*\n");

    // The same secret moved to another line is known; a new one in its place is not.
    shop.write("old.js", format!("\n\nconst a = \"{}\";\n", token(1)));
    shop.vib(&["secrets", "scan"]).ok();
    shop.write("old.js", format!("const a = \"{}\";\n", token(9)));
    assert_eq!(shop.vib(&["secrets", "scan"]).code, 1);

    shop.vib(&["secrets", "scan", "--write-baseline", "--baseline", "shared.json"]).ok();
    shop.vib(&["secrets", "scan", "--baseline", "shared.json"]).ok();
    assert_eq!(shop.error(&["secrets", "scan", "--baseline", "none.json"])["code"], "baseline_missing");
    shop.write("shared.json", "{");
    assert_snapshot!(shop.vib(&["secrets", "scan", "--baseline", "shared.json"]).text(&shop), @r###"
    --- stderr
    error[bad_baseline]: the baseline `[base]/project/shared.json` cannot be read: EOF while parsing an object at line 1 column 1
    next: write it anew with `vib secrets scan --write-baseline`
    --- exit 3
    "###);
}

#[test]
fn staged_is_what_the_next_commit_would_add() {
    let shop = shop();
    git(&shop, &["init", "-q"]);
    shop.write("old.js", format!("const a = \"{}\";\nlet b = 1;\n", token(1)));
    git(&shop, &["add", "-A"]);
    assert_eq!(shop.vib(&["secrets", "scan", "--staged"]).code, 1, "before the first commit as well");
    git(&shop, &["commit", "-qm", "one"]);
    shop.vib(&["secrets", "scan", "--staged"]).ok();

    // A change elsewhere in the file does not bring the old line up again; what is not staged does not count.
    shop.write("old.js", format!("const a = \"{}\";\nlet b = 2;\nconst c = \"{}\";\n", token(1), token(2)));
    shop.write("new file.js", format!("\n\nconst d = \"{}\";\n", token(3)));
    git(&shop, &["add", "-A"]);
    shop.write("later.js", token(4));
    let before = git_files(&shop);
    assert_snapshot!(shop.vib(&["secrets", "scan", "--staged"]).text(&shop), @r###"
    new file.js:3:12  github-token  GitHub personal, OAuth, app or refresh token, ends in `0EyU`
    old.js:3:12  github-token  GitHub personal, OAuth, app or refresh token, ends in `2GxY`
    2 secrets found (2 staged files, 175 B).
    next: take each out of the file (an environment variable, a secret store) and revoke it if it was ever shared; a line that is meant to be there gets the comment `vibelign: allow-secret`
    --- exit 1
    "###);
    assert_eq!(git_files(&shop), before, "git is only read");
    assert_eq!(shop.data(&["secrets", "scan", "--staged", "src"])["findings"], serde_json::json!([]));
}

#[test]
fn history_finds_what_was_deleted_long_ago() {
    let shop = shop();
    git(&shop, &["init", "-q"]);
    shop.write("conf/prod.env", format!("A=1\nGH={}\n", token(1)));
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    shop.write("conf/prod.env", format!("A=2\nGH={}\n", token(1)));
    git(&shop, &["commit", "-qam", "two"]);
    shop.remove("conf");
    git(&shop, &["commit", "-qam", "three"]);
    // On another branch, and in a merge that added something of its own.
    git(&shop, &["checkout", "-qb", "side"]);
    shop.write("side.js", format!("const s = \"{}\";\n", token(2)));
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "side"]);
    git(&shop, &["checkout", "-q", "main"]);
    shop.write("main.js", "x\n");
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "main"]);
    git(&shop, &["merge", "-q", "--no-commit", "--no-ff", "side"]);
    shop.write("merge.js", format!("const m = \"{}\";\n", token(3)));
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "merge"]);
    let before = git_files(&shop);
    let output = shop.vib(&["secrets", "scan", "--history"]);
    let text = regex_free(&output.text(&shop));
    assert_snapshot!(text, @r###"
    conf/prod.env:2:4  github-token  GitHub personal, OAuth, app or refresh token, ends in `8n63`, since commit [commit] of 2026-01-02
      ! committed: it stays in the history when the file is changed; revoke it at GitHub: delete the token under Settings > Developer settings > Personal access tokens (of an app: its own page) (https://github.com/settings/tokens)
    merge.js:1:12  github-token  GitHub personal, OAuth, app or refresh token, ends in `0EyU`, since commit [commit] of 2026-01-02
      ! committed: it stays in the history when the file is changed; revoke it at GitHub: delete the token under Settings > Developer settings > Personal access tokens (of an app: its own page) (https://github.com/settings/tokens)
    side.js:1:12  github-token  GitHub personal, OAuth, app or refresh token, ends in `2GxY`, since commit [commit] of 2026-01-02
      ! committed: it stays in the history when the file is changed; revoke it at GitHub: delete the token under Settings > Developer settings > Personal access tokens (of an app: its own page) (https://github.com/settings/tokens)
    3 secrets found (212 B of 6 commits).
    next: whoever has these commits has the secrets: revoke them where they were issued, then use new ones
    --- exit 1
    "###);
    assert_eq!(git_files(&shop), before, "git is only read");
    let newest = shop.vib(&["secrets", "scan", "--history", "--max-commits", "1", "--json"]).json();
    assert_eq!(newest["data"]["findings"].as_array().unwrap().len(), 1);
    let only = shop.vib(&["secrets", "scan", "--history", "conf", "--json"]).json();
    assert_eq!(only["data"]["findings"][0]["path"], "conf/prod.env");
}

/// Commit ids depend on git's version; they are shown as `[commit]`.
fn regex_free(text: &str) -> String {
    text.lines()
        .map(|line| match line.find("since commit ") {
            Some(at) => format!("{}since commit [commit]{}\n", &line[..at], &line[at + 23..]),
            None => format!("{line}\n"),
        })
        .collect()
}

#[test]
fn settings_of_a_repository_start_no_program_and_hide_nothing() {
    let shop = shop();
    git(&shop, &["init", "-q"]);
    shop.write("a.js", format!("const a = \"{}\";\n", token(1)));
    shop.write(".gitattributes", "*.js diff=evil\n");
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    shop.write("b.js", format!("const b = \"{}\";\n", token(2)));
    git(&shop, &["add", "-A"]);
    let mark = shop.base().join("ran");
    let evil = format!("touch {}; cat", mark.display());
    for (key, value) in [
        ("core.fsmonitor", evil.as_str()),
        ("core.pager", &evil),
        ("diff.external", &evil),
        ("diff.evil.textconv", &evil),
        ("diff.evil.command", &evil),
        ("gpg.program", &evil),
        ("log.showSignature", "true"),
        ("log.showRoot", "false"),
        ("diff.noprefix", "true"),
        ("diff.context", "5"),
        ("diff.interHunkContext", "9"),
        ("diff.suppressBlankEmpty", "true"),
        ("color.ui", "always"),
    ] {
        git(&shop, &["config", key, value]);
    }
    let staged = shop.vib(&["secrets", "scan", "--staged", "--json"]).json();
    assert_eq!(staged["data"]["findings"][0]["path"], "b.js");
    let history = shop.vib(&["secrets", "scan", "--history", "--json"]).json();
    assert_eq!(history["data"]["findings"][0]["path"], "a.js");
    assert!(!mark.exists());
}

#[test]
fn worktrees_and_submodules_are_scanned_like_any_folder() {
    let shop = shop();
    git(&shop, &["init", "-q"]);
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    git(&shop, &["worktree", "add", "-q", "../tree"]);
    let tree = shop.base().join("tree");
    std::fs::write(tree.join("key.txt"), token(1)).unwrap();
    let output = Sandbox::run(shop.command(&["secrets", "scan", "--format", "jsonl"]).current_dir(&tree));
    assert!(output.stdout.contains("\"path\":\"key.txt\""), "{}{}", output.stdout, output.stderr);
    std::process::Command::new("git").args(["add", "key.txt"]).current_dir(&tree).status().unwrap();
    let output =
        Sandbox::run(shop.command(&["secrets", "scan", "--staged", "--format", "jsonl"]).current_dir(&tree));
    assert!(output.stdout.contains("\"path\":\"key.txt\""), "{}{}", output.stdout, output.stderr);
    // A submodule is a folder with a `.git` file.
    shop.write("lib/part/.git", "gitdir: ../../.git/modules/part\n");
    shop.write("lib/part/key.txt", token(2));
    let output = shop.vib(&["secrets", "scan", "--format", "jsonl"]);
    assert!(output.stdout.contains("lib/part/key.txt"), "{}", output.stdout);
}

#[test]
fn without_git_the_message_says_what_works() {
    let project = empty();
    assert_snapshot!(project.vib(&["secrets", "scan", "--staged"]).text(&project), @r###"
    --- stderr
    error[not_a_git_repository]: `[base]/project` is not in a git repository
    next: scan the files themselves with `vib secrets scan`, which needs no git
    --- exit 1
    "###);
    let output =
        Sandbox::run(project.command(&["secrets", "scan", "--history", "--json"]).env("PATH", "/nowhere"));
    assert_eq!((output.code, output.json()["error"]["code"].as_str()), (3, Some("git_missing")));
}

#[test]
fn a_huge_file_is_read_in_pieces_and_lines_stay_right() {
    let project = empty();
    let filler = "x = 1\n".repeat(3 << 20);
    project.write("big.txt", format!("{filler}token = \"{}\"\n", token(1)));
    let output = project.vib(&["secrets", "scan", "--format", "jsonl"]);
    assert!(output.stdout.contains(&format!("\"line\":{}", (3 << 20) + 1)), "{}", output.stdout);
    assert_eq!(output.stdout.lines().count(), 1);
}

/// A token as GitHub issues it, for nobody: its checksum fits.
pub(super) fn issued(seed: u64) -> String {
    let body = expand("<an:30>", seed);
    format!("ghp_{body}{}", redact::proof::seal(&body))
}

#[test]
fn it_says_whether_a_key_is_committed_or_pushed_and_how_it_is_revoked_r15() {
    let shop = shop();
    git(&shop, &["init", "-q"]);
    shop.write("pushed.js", format!("const a = \"{}\";\n", issued(1)));
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    // What a push leaves behind on this side.
    git(&shop, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    shop.write("committed.js", format!("const b = \"{}\";\n", issued(2)));
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "two"]);
    shop.write("new.js", format!("const c = \"{}\";\n", issued(3)));
    let data = shop.vib(&["secrets", "scan", "--json"]).json();
    let findings = data["data"]["findings"].as_array().unwrap();
    let told: Vec<(&str, &str)> = findings
        .iter()
        .map(|found| (found["path"].as_str().unwrap(), found["exposure"]["state"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("committed.js", "committed"), ("new.js", "not_committed"), ("pushed.js", "pushed")]);
    assert_eq!(findings[2]["exposure"]["where"], "origin/main");
    assert_eq!(findings[2]["revoke"]["provider"], "GitHub");
    assert!(findings[1]["revoke"].is_null(), "a key that is in no commit is taken out of the file");
    let text = shop.vib(&["secrets", "scan"]).stdout;
    assert!(
        text.contains("pushed (`origin/main`)") && text.contains("https://github.com/settings/tokens"),
        "{text}"
    );
    let history = shop.vib(&["secrets", "scan", "--history", "--json"]).json();
    let states: Vec<&str> = history["data"]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["exposure"]["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["committed", "pushed"]);
}

#[test]
fn explain_says_why_a_finding_is_one() {
    let shop = shop();
    shop.write("src/api.js", format!("const token = \"{}\";\n", issued(1)));
    shop.write("src/made-up.js", format!("const token = \"{}\";\n", token(1)));
    shop.write("src/key.ts", expand("const apiKey: string = \"<an:32>\";\n", 1));
    let text = shop.vib(&["secrets", "scan", "--explain"]).text(&shop);
    for part in [
        "its checksum fits: it was issued",
        "its checksum does not fit",
        "beside `apiKey`",
        "32 characters",
        "in code or settings",
        "format: https://github.blog/",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = shop.vib(&["secrets", "scan", "--explain", "--json"]).json();
    assert_eq!(json["data"]["findings"][0]["why"]["proof"], "checksum_fits");
    assert!(shop.vib(&["secrets", "scan", "--json"]).json()["data"]["findings"][0]["why"].is_null());
}

#[test]
fn a_person_allows_one_key_by_its_fingerprint_g5() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["secrets", "allow"]).text(&shop), @r###"
    No key was allowed in this project.
    "###);
    assert_snapshot!(shop.vib(&["secrets", "allow", "lusab-babad-gutih"]).text(&shop), @r###"
    Allowed the key `lusab-babad-gutih` in this project. The agent can try again.
    "###);
    assert_eq!(shop.data(&["secrets", "allow"])["allowed"], serde_json::json!(["lusab-babad-gutih"]));
    assert_eq!(shop.error(&["secrets", "allow", "ghp_x"])["code"], "no_fingerprint");
}
